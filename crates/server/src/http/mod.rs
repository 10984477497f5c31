//! The routes.

mod assets;
mod catalogue;
mod games;
mod identity;
pub mod maps;
mod security;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequest, FromRequestParts, Request};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use tower_http::compression::CompressionLayer;

use crate::error::{Fault, Result};
use crate::hub::Hub;
use crate::protocol::ErrorCode;
use crate::store::rows::UserRow;

pub type Shared = axum::extract::State<Arc<Hub>>;

pub fn router(hub: Arc<Hub>) -> Router {
    let limits = hub.config.limits;
    let big = DefaultBodyLimit::max(limits.import_bytes);
    Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/api/guest", post(identity::guest))
        .route("/api/me", get(identity::me).patch(identity::change_me))
        .route("/api/account", post(identity::account))
        .route("/api/login", post(identity::login))
        .route("/api/logout", post(identity::logout))
        .route("/api/device", post(identity::device))
        .route("/api/device/claim", post(identity::claim))
        .route("/api/notices", get(identity::notices))
        .route("/api/catalogue", get(catalogue::list))
        .route("/api/catalogue/{game}/messages/{lang}", get(catalogue::messages))
        .route("/api/catalogue/{game}/overlay", post(catalogue::overlay).layer(big))
        .route("/api/catalogue/{game}/board", get(catalogue::board))
        .route("/api/catalogue/{game}/opening", get(catalogue::opening))
        .route("/api/catalogue/{game}/map.svg", get(maps::catalogue_svg))
        .route("/api/catalogue/{game}/map/meta.json", get(maps::catalogue_meta))
        .route("/api/catalogue/{game}/map/{z}/{x}/{y}", get(maps::catalogue_tile))
        .route("/api/games", get(games::list).post(games::create).layer(big))
        .route("/api/import", post(games::import).layer(big))
        .route("/api/games/{id}", get(games::detail))
        .route("/api/games/{id}/join", post(games::join))
        .route("/api/games/{id}/invite", post(games::invite))
        .route("/api/games/{id}/rematch", post(games::rematch))
        .route("/api/games/{id}/archive", post(games::archive))
        .route("/api/games/{id}/branch", post(games::branch))
        .route("/api/games/{id}/review/{seat}", post(games::review))
        .route("/api/games/{id}/luck", post(games::luck))
        .route("/api/games/{id}/lab", get(games::lab_text))
        .route("/api/lab", post(games::lab).layer(big))
        .route("/api/games/{id}/journal", get(games::journal))
        .route("/api/games/{id}/replay", get(games::replay))
        .route("/api/games/{id}/at/{n}", get(games::at))
        .route("/api/games/{id}/call", post(games::call))
        .route("/api/games/{id}/state", get(games::state))
        .route("/api/games/{id}/ws", get(games::socket))
        .route("/api/games/{id}/board", get(catalogue::game_board))
        .route("/api/games/{id}/map.svg", get(maps::game_svg))
        .route("/api/games/{id}/map/meta.json", get(maps::game_meta))
        .route("/api/games/{id}/map/{z}/{x}/{y}", get(maps::game_tile))
        .route("/api/{*rest}", axum::routing::any(async || Fault::not_found()))
        .fallback(assets::serve)
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(CompressionLayer::new())
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&hub), security::guard))
        .with_state(hub)
}

/// The address that a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Address(pub IpAddr);

impl FromRequestParts<Arc<Hub>> for Address {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, hub: &Arc<Hub>) -> Result<Self> {
        address(parts.extensions.get::<ConnectInfo<SocketAddr>>(), &parts.headers, hub)
    }
}

fn address(
    peer: Option<&ConnectInfo<SocketAddr>>,
    headers: &axum::http::HeaderMap,
    hub: &Hub,
) -> Result<Address> {
    let peer = peer.ok_or_else(|| Fault::internal("no peer address"))?.0.ip();
    let forwarded = headers
        .get("x-forwarded-for")
        .filter(|_| hub.config.behind_proxy)
        .and_then(|v| v.to_str().ok())
        .and_then(|v| v.rsplit(',').next())
        .and_then(|v| v.trim().parse().ok());
    Ok(Address(forwarded.unwrap_or(peer)))
}

/// The user who makes a request, or none without a token. A token that is given but unknown is refused.
#[derive(Clone, Debug)]
pub struct Anyone(pub Option<Arc<UserRow>>);

impl FromRequestParts<Arc<Hub>> for Anyone {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, hub: &Arc<Hub>) -> Result<Self> {
        let unauthorized = || Fault::new(ErrorCode::Unauthorized, "unknown token");
        let Some(token) = bearer(parts)? else { return Ok(Anyone(None)) };
        let user = hub.store.user_by_token(&token).await?.ok_or_else(unauthorized)?;
        Ok(Anyone(Some(Arc::new(user))))
    }
}

fn bearer(parts: &Parts) -> Result<Option<String>> {
    let Some(value) = parts.headers.get(AUTHORIZATION) else { return Ok(None) };
    let token = value.to_str().ok().and_then(|v| v.strip_prefix("Bearer "));
    match token {
        Some(token) if token.len() <= 100 => Ok(Some(token.to_owned())),
        _ => Err(Fault::new(ErrorCode::Unauthorized, "Authorization: Bearer TOKEN")),
    }
}

/// The user who makes a request; a token is required.
#[derive(Clone, Debug)]
pub struct Known(pub Arc<UserRow>);

impl FromRequestParts<Arc<Hub>> for Known {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, hub: &Arc<Hub>) -> Result<Self> {
        match Anyone::from_request_parts(parts, hub).await?.0 {
            Some(user) => Ok(Known(user)),
            None => Err(Fault::new(ErrorCode::Unauthorized, "Authorization: Bearer TOKEN")),
        }
    }
}

/// The token itself, to revoke it.
#[derive(Clone)]
pub struct Token(pub String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl FromRequestParts<Arc<Hub>> for Token {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, _: &Arc<Hub>) -> Result<Self> {
        bearer(parts)?
            .map(Token)
            .ok_or_else(|| Fault::new(ErrorCode::Unauthorized, "Authorization: Bearer TOKEN"))
    }
}

/// A JSON body, with our own error messages.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<Hub>> for Json<T> {
    type Rejection = Fault;
    async fn from_request(request: Request, hub: &Arc<Hub>) -> Result<Self> {
        let axum::Json(value) = axum::Json::<T>::from_request(request, hub).await?;
        Ok(Json(value))
    }
}

/// Query parameters, with our own error messages.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<Arc<Hub>> for Query<T> {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, hub: &Arc<Hub>) -> Result<Self> {
        match axum::extract::Query::<T>::from_request_parts(parts, hub).await {
            Ok(axum::extract::Query(value)) => Ok(Query(value)),
            Err(rejection) => Err(Fault::bad(rejection.body_text())),
        }
    }
}
