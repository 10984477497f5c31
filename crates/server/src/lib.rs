//! HTTP, WebSocket, storage, live games. Knows no rule.
pub mod protocol;
