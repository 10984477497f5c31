//! HTTP, WebSocket, storage, live games. Knows no rule.
