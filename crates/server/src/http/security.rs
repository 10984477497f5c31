//! What applies to every request: rate limits, the check of its origin, and the headers of the response.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::address;
use crate::error::Fault;
use crate::hub::Hub;
use crate::protocol::ErrorCode;

/// Scripts only from this server, no embedding, no forms to other sites. Styles may be inline, because positions are.
const CSP: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CSP),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

pub async fn guard(State(hub): State<Arc<Hub>>, request: Request, next: Next) -> Response {
    let allowed = address(request.extensions().get::<ConnectInfo<SocketAddr>>(), request.headers(), &hub)
        .and_then(|from| hub.http_limit.take(from.0))
        .and_then(|()| same_origin(&request));
    let api = request.uri().path().starts_with("/api/");
    let mut response = match allowed {
        Ok(()) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

/// Pages of other sites may neither change anything here nor open a socket. Programs send no `Origin`.
fn same_origin(request: &Request) -> Result<(), Fault> {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if reads && !request.headers().contains_key(header::UPGRADE) {
        return Ok(());
    }
    if is_same_origin(request.headers()) {
        Ok(())
    } else {
        Err(Fault::new(ErrorCode::Forbidden, "not from another site"))
    }
}

fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|v| v.to_str().unwrap_or("?"));
    match (text(header::ORIGIN), text(header::HOST)) {
        (None, _) => true,
        (Some(origin), Some(host)) => {
            origin.split_once("://").is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(host))
        }
        (Some(_), None) => false,
    }
}
