//! Errors for HTTP and the socket in one type.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use kernel::{Refusal, Stop};
use serde::Serialize;

use crate::protocol::{ErrorBody, ErrorCode};

#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", .0.detail)]
pub struct Fault(pub ErrorBody);

pub type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        Fault(ErrorBody { code, detail: detail.into(), refusal: None })
    }
    pub fn bad(detail: impl Into<String>) -> Self {
        Fault::new(ErrorCode::BadRequest, detail)
    }
    pub fn not_found() -> Self {
        Fault::new(ErrorCode::NotFound, "there is no such thing, or it is not for you")
    }
    pub fn illegal(refusal: Refusal) -> Self {
        Fault(ErrorBody { code: ErrorCode::Illegal, detail: refusal.to_string(), refusal: Some(refusal) })
    }
    /// A failure of the server itself: the cause goes to the log, not to the client.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "internal error");
        Fault::new(ErrorCode::Internal, "the server failed; nothing has changed")
    }
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }
    fn status(&self) -> StatusCode {
        match self.0.code {
            ErrorCode::BadRequest
            | ErrorCode::BadName
            | ErrorCode::BadPassword
            | ErrorCode::BadWebhook
            | ErrorCode::BadJournal => StatusCode::BAD_REQUEST,
            ErrorCode::NotFound => StatusCode::NOT_FOUND,
            ErrorCode::Unauthorized | ErrorCode::BadLogin => StatusCode::UNAUTHORIZED,
            ErrorCode::Forbidden | ErrorCode::NotYourSeat | ErrorCode::Secret => StatusCode::FORBIDDEN,
            ErrorCode::Illegal => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::Stale
            | ErrorCode::Waiting
            | ErrorCode::Over
            | ErrorCode::NotOver
            | ErrorCode::Taken
            | ErrorCode::NothingToUndo
            | ErrorCode::NoTakeback
            | ErrorCode::PlanEnds
            | ErrorCode::Cancelled
            | ErrorCode::Outdated
            | ErrorCode::LoginTaken => StatusCode::CONFLICT,
            ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::RulesFailed | ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Illegal(refusal) => Fault::illegal(refusal),
            Stop::Dice(error) => Fault::internal(error),
        }
    }
}

impl From<JsonRejection> for Fault {
    fn from(rejection: JsonRejection) -> Self {
        let code = if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ErrorCode::TooLarge
        } else {
            ErrorCode::BadRequest
        };
        Fault::new(code, rejection.body_text())
    }
}

#[derive(Serialize)]
struct Wrapped {
    error: ErrorBody,
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        (self.status(), Json(Wrapped { error: self.0 })).into_response()
    }
}
