//! The rows of the database tables, and the statements that write them.

use kernel::{Seat, Setup};
use serde::de::DeserializeOwned;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::{Arg, Result, Rows, Statement, StoreError};
use crate::protocol::{Clock, Notice, SeatKind, Status, Visibility};

#[derive(Clone, Debug)]
pub struct UserRow {
    pub id: String,
    pub name: String,
    pub login: Option<String>,
    pub password: Option<String>,
    pub webhook: Option<String>,
    pub language: String,
    pub created: i64,
}

#[derive(Clone, Debug)]
pub struct GameRow {
    pub id: String,
    pub host: String,
    pub title: String,
    pub setup: Setup,
    pub seed: String,
    pub commitment: String,
    pub clock: Clock,
    pub visibility: Visibility,
    pub status: Status,
    pub awaiting: i64,
    pub bot_due: i64,
    pub deadline: Option<i64>,
    pub rematch: Option<String>,
    pub imported: Option<i64>,
    pub created: i64,
    pub updated: i64,
    pub analysis: bool,
    /// The turn being played.
    pub turn: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    pub game: String,
    pub seat: Seat,
    pub kind: SeatKind,
    pub user: Option<String>,
    pub name: Option<String>,
    pub level: Option<String>,
    /// The hash of the invitation code.
    pub invite: Option<String>,
    pub archived: bool,
}

/// See [`crate::snapshot`].
#[derive(Clone, Debug)]
pub struct SnapshotRow {
    pub game: String,
    pub records: i64,
    pub version: String,
    pub digest: String,
    pub body: String,
}

#[derive(Clone, Debug)]
pub struct StoredRecord {
    pub seq: u32,
    pub at: i64,
    pub body: String,
}

/// Enums and set-ups are stored as the JSON used on the wire.
fn from_json<T: DeserializeOwned>(column: &str, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|e| StoreError::Broken(format!("column {column}: {e}")))
}

fn word<T: DeserializeOwned>(column: &str, text: &str) -> Result<T> {
    serde_json::from_value(text.into()).map_err(|e| StoreError::Broken(format!("column {column}: {e}")))
}

fn as_word<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        // Only enums without fields are passed here.
        other => unreachable!("a word is stored as text: {other:?}"),
    }
}

pub fn as_json<T: serde::Serialize>(value: &T) -> String {
    // Only our own plain types are passed here: strings, numbers and lists, which always serialize.
    serde_json::to_string(value).expect("plain data serializes")
}

impl UserRow {
    pub(super) fn read(row: &AnyRow) -> Result<Self> {
        Ok(UserRow {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            login: row.try_get("login")?,
            password: row.try_get("password")?,
            webhook: row.try_get("webhook")?,
            language: row.try_get("language")?,
            created: row.try_get("created")?,
        })
    }

    pub fn insert(&self) -> Statement {
        Statement::new(
            "INSERT INTO users (id, name, login, password, webhook, language, created) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            [
                self.id.as_str().into(),
                self.name.as_str().into(),
                self.login.clone().into(),
                self.password.clone().into(),
                self.webhook.clone().into(),
                self.language.as_str().into(),
                self.created.into(),
            ],
        )
    }

    pub fn update(&self) -> Statement {
        Statement::new(
            "UPDATE users SET name = $1, login = $2, password = $3, webhook = $4, language = $5 WHERE id = $6",
            [
                self.name.as_str().into(),
                self.login.clone().into(),
                self.password.clone().into(),
                self.webhook.clone().into(),
                self.language.as_str().into(),
                self.id.as_str().into(),
            ],
        )
    }
}

impl GameRow {
    pub(super) fn read(row: &AnyRow) -> Result<Self> {
        let text = |column: &str| -> Result<String> { Ok(row.try_get(column)?) };
        Ok(GameRow {
            id: text("id")?,
            host: text("host")?,
            title: text("title")?,
            setup: from_json("setup", &text("setup")?)?,
            seed: text("seed")?,
            commitment: text("commitment")?,
            clock: from_json("clock", &text("clock")?)?,
            visibility: word("visibility", &text("visibility")?)?,
            status: word("status", &text("status")?)?,
            awaiting: row.try_get("awaiting")?,
            bot_due: row.try_get("bot_due")?,
            deadline: row.try_get("deadline")?,
            rematch: row.try_get("rematch")?,
            imported: row.try_get("imported")?,
            created: row.try_get("created")?,
            updated: row.try_get("updated")?,
            analysis: row.try_get::<i64, _>("analysis")? != 0,
            turn: row.try_get("turn")?,
        })
    }

    pub fn insert(&self) -> Statement {
        Statement::new(
            "INSERT INTO games (id, host, title, setup, seed, commitment, clock, visibility, status, awaiting, \
             bot_due, deadline, rematch, imported, created, updated, analysis, turn) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
            [
                self.id.as_str().into(),
                self.host.as_str().into(),
                self.title.as_str().into(),
                as_json(&self.setup).into(),
                self.seed.as_str().into(),
                self.commitment.as_str().into(),
                as_json(&self.clock).into(),
                as_word(&self.visibility).into(),
                as_word(&self.status).into(),
                self.awaiting.into(),
                self.bot_due.into(),
                self.deadline.into(),
                self.rematch.clone().into(),
                self.imported.into(),
                self.created.into(),
                self.updated.into(),
                i64::from(self.analysis).into(),
                self.turn.into(),
            ],
        )
    }

    /// Writes the columns that change during play. SQLite and PostgreSQL both name the columns of `VALUES` column1,
    /// column2 and so on.
    pub fn update(&self) -> Statement {
        Statement::row(
            Rows {
                head: "UPDATE games SET status = v.column2, awaiting = v.column3, bot_due = v.column4, \
                       deadline = v.column5, rematch = v.column6, updated = v.column7, turn = v.column8 FROM (",
                tail: ") AS v WHERE games.id = v.column1",
            },
            [
                self.id.as_str().into(),
                as_word(&self.status).into(),
                self.awaiting.into(),
                self.bot_due.into(),
                self.deadline.into(),
                self.rematch.clone().into(),
                self.updated.into(),
                self.turn.into(),
            ],
        )
    }
}

pub(super) fn read_clock(row: &AnyRow) -> Result<(String, i64, Clock)> {
    let clock: String = row.try_get("clock")?;
    Ok((row.try_get("id")?, row.try_get("deadline")?, from_json("clock", &clock)?))
}

impl SeatRow {
    pub(super) fn read(row: &AnyRow) -> Result<Self> {
        let kind: String = row.try_get("kind")?;
        let seat: i64 = row.try_get("seat")?;
        let archived: i64 = row.try_get("archived")?;
        Ok(SeatRow {
            game: row.try_get("game_id")?,
            seat: Seat(seat as u8),
            kind: word("kind", &kind)?,
            user: row.try_get("user_id")?,
            name: row.try_get("name")?,
            level: row.try_get("level")?,
            invite: row.try_get("invite")?,
            archived: archived != 0,
        })
    }

    pub fn insert(&self) -> Statement {
        Statement::new(
            "INSERT INTO seats (game_id, seat, kind, user_id, name, level, invite, archived) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            [
                self.game.as_str().into(),
                i64::from(self.seat.0).into(),
                as_word(&self.kind).into(),
                self.user.clone().into(),
                self.name.clone().into(),
                self.level.clone().into(),
                self.invite.clone().into(),
                i64::from(self.archived).into(),
            ],
        )
    }

    pub fn update(&self) -> Statement {
        Statement::new(
            "UPDATE seats SET kind = $1, user_id = $2, name = $3, level = $4, invite = $5, archived = $6 \
             WHERE game_id = $7 AND seat = $8",
            [
                as_word(&self.kind).into(),
                self.user.clone().into(),
                self.name.clone().into(),
                self.level.clone().into(),
                self.invite.clone().into(),
                i64::from(self.archived).into(),
                self.game.as_str().into(),
                i64::from(self.seat.0).into(),
            ],
        )
    }
}

impl StoredRecord {
    pub(super) fn read(row: &AnyRow) -> Result<Self> {
        let seq: i64 = row.try_get("seq")?;
        Ok(StoredRecord { seq: seq as u32, at: row.try_get("at")?, body: row.try_get("body")? })
    }

    pub fn insert(&self, game: &str) -> Statement {
        Statement::row(
            Rows { head: "INSERT INTO records (game_id, seq, at, body)", tail: "" },
            [game.into(), i64::from(self.seq).into(), self.at.into(), Arg::Text(self.body.clone())],
        )
    }
}

impl SnapshotRow {
    pub(super) fn read(row: &AnyRow) -> Result<Self> {
        Ok(SnapshotRow {
            game: row.try_get("game_id")?,
            records: row.try_get("records")?,
            version: row.try_get("version")?,
            digest: row.try_get("digest")?,
            body: row.try_get("body")?,
        })
    }

    /// Replaces the previous snapshot of the game.
    pub fn insert(self) -> Statement {
        Statement::new(
            "INSERT INTO snapshots (game_id, records, version, digest, body) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (game_id) DO UPDATE SET records = excluded.records, version = excluded.version, \
             digest = excluded.digest, body = excluded.body",
            [
                self.game.into(),
                self.records.into(),
                self.version.into(),
                self.digest.into(),
                self.body.into(),
            ],
        )
    }
}

pub(super) fn read_notice(row: &AnyRow) -> Result<Notice> {
    let kind: String = row.try_get("kind")?;
    let seat: Option<i64> = row.try_get("seat")?;
    Ok(Notice {
        n: row.try_get("n")?,
        at: row.try_get("at")?,
        kind: word("kind", &kind)?,
        game: row.try_get("game_id")?,
        title: row.try_get("title")?,
        seat: seat.map(|seat| Seat(seat as u8)),
    })
}

/// Replaces an older notice of the same user, game and kind.
pub fn insert_notice(user: &str, notice: &Notice) -> Statement {
    Statement::new(
        "INSERT INTO notices (user_id, game_id, kind, n, at, title, seat) VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (user_id, game_id, kind) DO UPDATE SET n = excluded.n, at = excluded.at, \
         title = excluded.title, seat = excluded.seat",
        [
            user.into(),
            notice.game.as_str().into(),
            as_word(&notice.kind).into(),
            notice.n.into(),
            notice.at.into(),
            notice.title.as_str().into(),
            notice.seat.map(|seat| i64::from(seat.0)).into(),
        ],
    )
}
