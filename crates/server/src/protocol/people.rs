//! People: guests, accounts, notices.

use kernel::Seat;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::GameSummary;

#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct NewGuest {
    #[ts(optional)]
    pub name: Option<String>,
    #[ts(optional)]
    pub language: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Me {
    pub id: String,
    pub name: String,
    /// Has a login and a password.
    pub account: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub login: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub webhook: Option<String>,
    pub language: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Welcomed {
    /// The secret that proves who you are: `Authorization: Bearer TOKEN`.
    pub token: String,
    pub user: Me,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct ChangeMe {
    #[ts(optional)]
    pub name: Option<String>,
    #[ts(optional)]
    pub language: Option<String>,
    /// Null or empty to remove it.
    #[serde(deserialize_with = "null_is_empty")]
    #[ts(optional = nullable)]
    pub webhook: Option<String>,
}

/// Distinguishes null, which removes the value, from an absent field, which changes nothing.
fn null_is_empty<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Option::<String>::deserialize(from).map(|text| Some(text.unwrap_or_default()))
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    pub login: String,
    pub password: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct DeviceCode {
    pub code: String,
    #[ts(type = "number")]
    pub expires_ms: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ClaimDevice {
    pub code: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Notices {
    /// Pass it as `since` next time.
    #[ts(type = "number")]
    pub next: i64,
    /// The games in which this user must decide.
    pub awaiting: Vec<GameSummary>,
    pub notices: Vec<Notice>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Notice {
    #[ts(type = "number")]
    pub n: i64,
    #[ts(type = "number")]
    pub at: i64,
    pub kind: NoticeKind,
    pub game: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seat: Option<Seat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    YourTurn,
    Joined,
    TakebackAsked,
    /// Another player proposes a pause, or to let a bot play for them.
    Proposed,
    /// This user's clock runs out soon.
    ClockLow,
    Chat,
    Over,
    Rematch,
}
