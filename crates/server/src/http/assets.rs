//! The web client's files.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::Shared;
use crate::error::Fault;

pub async fn serve(State(hub): Shared, method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Fault::not_found().into_response();
    }
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let assets = &hub.config.assets;
    // Any other path is a page of the client, which does its own routing; only a path that looks like a file can be
    // missing.
    let found = assets.get(path).or_else(|| {
        let last = path.rsplit('/').next().unwrap_or_default();
        if last.contains('.') { None } else { assets.get("index.html") }
    });
    let Some(asset) = found else { return (StatusCode::NOT_FOUND, "not found").into_response() };
    let mut headers = HeaderMap::new();
    if let Ok(mime) = HeaderValue::from_str(&asset.mime) {
        headers.insert(header::CONTENT_TYPE, mime);
    }
    let cache = if asset.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    if let Some(encoding) = asset.encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    (headers, asset.bytes).into_response()
}
