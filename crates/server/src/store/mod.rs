//! Storage: SQLite by default, PostgreSQL by URL, one schema and one set of statements for both.
//!
//! All writing is done by one task ([`writer`]), which gathers the statements of all games into one transaction and
//! answers when it is on disk.

pub mod rows;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyPoolOptions, AnyRow};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyPool, Executor, Row as _};
use thiserror::Error;

use crate::ids;
use crate::protocol::{Clock, Notice};
use rows::{GameRow, SeatRow, SnapshotRow, StoredRecord, UserRow};
pub use writer::{Arg, Rows, Statement};

#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
    writer: writer::Writer,
    /// The task that copies SQLite's write-ahead log into its database file.
    carrier: Option<Arc<tokio::task::JoinHandle<()>>>,
}

#[derive(Clone, Debug, Error)]
pub enum StoreError {
    /// A name or number that must be unique exists already.
    #[error("already there")]
    Conflict,
    #[error("storage: {0}")]
    Broken(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(e) if e.is_unique_violation() => StoreError::Conflict,
            _ => StoreError::Broken(error.to_string()),
        }
    }
}

impl From<StoreError> for crate::error::Fault {
    fn from(error: StoreError) -> Self {
        crate::error::Fault::internal(error)
    }
}

pub type Result<T> = std::result::Result<T, StoreError>;

/// Which games a list shows.
#[derive(Clone, Copy, Debug)]
pub enum Listing<'a> {
    /// Games in which this user holds a seat.
    Mine { user: &'a str, archived: bool },
    /// Public games with an open seat.
    Open,
    /// Public games that have begun.
    Public,
}

/// The most games in a list; the newest are kept.
const LIST: i64 = 200;

impl Store {
    /// `sqlite:PATH` or `postgres://…`. Creates the file if necessary and migrates the schema.
    pub async fn open(url: &str) -> Result<Self> {
        sqlx::any::install_default_drivers();
        let sqlite = url.starts_with("sqlite:");
        let url = if sqlite && !url.contains('?') { format!("{url}?mode=rwc") } else { url.to_owned() };
        let pool = AnyPoolOptions::new()
            .max_connections(if sqlite { 6 } else { 12 })
            .acquire_timeout(Duration::from_secs(20))
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if sqlite {
                        // FULL: a commit returns when the log is on disk, which is what an acknowledgement promises. A
                        // separate task copies the log into the file, so that no commit has to do it.
                        connection
                            .execute(
                                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                                 PRAGMA wal_autocheckpoint = 0; PRAGMA foreign_keys = ON; \
                                 PRAGMA busy_timeout = 15000;",
                            )
                            .await?;
                    }
                    Ok(())
                })
            })
            .connect(&url)
            .await?;
        migrations().run(&pool).await.map_err(|e| StoreError::Broken(e.to_string()))?;
        let writer = writer::Writer::start(pool.clone());
        let carrier = sqlite.then(|| Arc::new(tokio::spawn(carry(pool.clone()))));
        Ok(Store { pool, writer, carrier })
    }

    /// Execute all of these or none; returns when they are durable.
    pub async fn write(&self, statements: Vec<Statement>) -> Result<()> {
        self.writer.write(statements).await
    }

    /// How many transactions the writer has committed, for the load generator's report.
    pub fn commits(&self) -> u64 {
        self.writer.commits()
    }

    pub async fn close(&self) {
        self.writer.stop().await;
        if let Some(carrier) = &self.carrier {
            carrier.abort();
        }
        self.pool.close().await;
    }

    // ------------------------------------------------------------ people

    pub async fn user_by_token(&self, token: &str) -> Result<Option<UserRow>> {
        let sql = "SELECT u.* FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1";
        self.one(sql, &ids::hash(token)).await
    }

    pub async fn user(&self, id: &str) -> Result<Option<UserRow>> {
        self.one("SELECT * FROM users WHERE id = $1", id).await
    }

    pub async fn user_by_login(&self, login: &str) -> Result<Option<UserRow>> {
        self.one("SELECT * FROM users WHERE login = $1", login).await
    }

    /// The user of a device code that has not expired.
    pub async fn device_code(&self, code: &str, now: i64) -> Result<Option<UserRow>> {
        let sql = "SELECT u.* FROM device_codes d JOIN users u ON u.id = d.user_id \
                   WHERE d.hash = $1 AND d.expires > $2";
        let row = sqlx::query(sql).bind(ids::hash(code)).bind(now).fetch_optional(&self.pool).await?;
        row.as_ref().map(UserRow::read).transpose()
    }

    async fn one(&self, sql: &'static str, key: &str) -> Result<Option<UserRow>> {
        let row = sqlx::query(sql).bind(key).fetch_optional(&self.pool).await?;
        row.as_ref().map(UserRow::read).transpose()
    }

    // ------------------------------------------------------------ games

    pub async fn game(&self, id: &str) -> Result<Option<GameRow>> {
        let row =
            sqlx::query("SELECT * FROM games WHERE id = $1").bind(id).fetch_optional(&self.pool).await?;
        row.as_ref().map(GameRow::read).transpose()
    }

    pub async fn seats(&self, game: &str) -> Result<Vec<SeatRow>> {
        let sql = "SELECT * FROM seats WHERE game_id = $1 ORDER BY seat";
        read_all(&sqlx::query(sql).bind(game).fetch_all(&self.pool).await?, SeatRow::read)
    }

    pub async fn records(&self, game: &str) -> Result<Vec<StoredRecord>> {
        let sql = "SELECT seq, at, body FROM records WHERE game_id = $1 ORDER BY seq";
        read_all(&sqlx::query(sql).bind(game).fetch_all(&self.pool).await?, StoredRecord::read)
    }

    pub async fn snapshot(&self, game: &str) -> Result<Option<SnapshotRow>> {
        let sql = "SELECT * FROM snapshots WHERE game_id = $1";
        let row = sqlx::query(sql).bind(game).fetch_optional(&self.pool).await?;
        row.as_ref().map(SnapshotRow::read).transpose()
    }

    /// The notices of a user after `since`, oldest first; if there are too many, the newest of them.
    pub async fn notices(&self, user: &str, since: i64) -> Result<Vec<Notice>> {
        let sql = "SELECT * FROM notices WHERE user_id = $1 AND n > $2 ORDER BY n DESC LIMIT 100";
        let rows = sqlx::query(sql).bind(user).bind(since).fetch_all(&self.pool).await?;
        let mut notices = read_all(&rows, rows::read_notice)?;
        notices.reverse();
        Ok(notices)
    }

    /// The highest number of a notice, 0 if there is none.
    pub async fn last_notice(&self) -> Result<i64> {
        let row = sqlx::query("SELECT MAX(n) AS n FROM notices").fetch_one(&self.pool).await?;
        Ok(row.try_get::<Option<i64>, _>("n")?.unwrap_or(0))
    }

    /// Newest first, with their seats.
    pub async fn list(&self, listing: Listing<'_>) -> Result<Vec<(GameRow, Vec<SeatRow>)>> {
        // Two statements per list: the games, then their seats by the same condition.
        macro_rules! both {
            ($condition:literal $(, $bind:expr)*) => {{
                let games = sqlx::query(concat!(
                    "SELECT * FROM games g WHERE ", $condition, " ORDER BY g.updated DESC LIMIT 200"
                ))$(.bind($bind))*.fetch_all(&self.pool).await?;
                let seats = sqlx::query(concat!(
                    "SELECT * FROM seats WHERE game_id IN (SELECT g.id FROM games g WHERE ",
                    $condition, " ORDER BY g.updated DESC LIMIT 200) ORDER BY seat"
                ))$(.bind($bind))*.fetch_all(&self.pool).await?;
                (games, seats)
            }};
        }
        debug_assert_eq!(LIST, 200);
        let (games, seats) = match listing {
            Listing::Mine { user, archived } => both!(
                "EXISTS (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.user_id = $1 AND s.archived = $2)",
                user,
                i64::from(archived)
            ),
            Listing::Open => both!(
                "g.visibility = 'public' AND g.status = 'waiting' \
                 AND EXISTS (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.kind = 'open')"
            ),
            Listing::Public => both!("g.visibility = 'public' AND g.status <> 'waiting'"),
        };
        let mut seats = read_all(&seats, SeatRow::read)?;
        read_all(&games, GameRow::read)?
            .into_iter()
            .map(|game| {
                let (its, rest) = std::mem::take(&mut seats).into_iter().partition(|s| s.game == game.id);
                seats = rest;
                Ok((game, its))
            })
            .collect()
    }

    /// Games in which a bot must decide, to be loaded after a start.
    pub async fn bots_due(&self) -> Result<Vec<String>> {
        let sql = "SELECT id FROM games WHERE status = 'playing' AND bot_due = 1";
        read_all(&sqlx::query(sql).fetch_all(&self.pool).await?, |row| Ok(row.try_get("id")?))
    }

    /// Games with a clock that runs out by `then`: with that time, and the clock.
    pub async fn clocks_running_out(&self, then: i64) -> Result<Vec<(String, i64, Clock)>> {
        let sql = "SELECT id, deadline, clock FROM games \
                   WHERE status = 'playing' AND deadline IS NOT NULL AND deadline <= $1 ORDER BY deadline LIMIT 500";
        read_all(&sqlx::query(sql).bind(then).fetch_all(&self.pool).await?, rows::read_clock)
    }

    /// Games with a clock that has run out by `now`.
    pub async fn clocks_due(&self, now: i64) -> Result<Vec<String>> {
        let sql = "SELECT id FROM games WHERE status = 'playing' AND deadline IS NOT NULL AND deadline <= $1 LIMIT 500";
        read_all(&sqlx::query(sql).bind(now).fetch_all(&self.pool).await?, |row| Ok(row.try_get("id")?))
    }
}

/// How often SQLite's write-ahead log is copied into its file.
const CARRY: Duration = Duration::from_millis(500);
/// Beyond this many pages the log is restarted from its beginning. Passive checkpoints delay nobody; the one that
/// restarts the log makes commits wait until the pages added since the last are copied.
const LOG_PAGES: i64 = 8192;

async fn carry(pool: AnyPool) {
    let mut tick = tokio::time::interval(CARRY);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        // The pragma returns whether it was blocked, the pages in the log, and the pages copied; column 1 is the second
        // of these.
        let log = async |sql: &'static str| -> Result<i64> {
            Ok(sqlx::query(sql).fetch_one(&pool).await?.try_get(1)?)
        };
        let mut pages = log("PRAGMA wal_checkpoint(PASSIVE)").await;
        if pages.as_ref().is_ok_and(|pages| *pages > LOG_PAGES) {
            pages = log("PRAGMA wal_checkpoint(RESTART)").await;
        }
        if let Err(error) = pages {
            tracing::warn!(%error, "the database's log grows");
        }
    }
}

/// The history of the schema: every change adds a file, and none is ever edited.
fn migrations() -> Migrator {
    const FILES: [(i64, &str, &str); 3] = [
        (1, "tables", include_str!("../../migrations/0001_tables.sql")),
        (
            2,
            "notices, snapshots, analysis",
            include_str!("../../migrations/0002_notices_snapshots_analysis.sql"),
        ),
        (3, "the turn in lists", include_str!("../../migrations/0003_turn.sql")),
    ];
    let migrations = FILES
        .into_iter()
        .map(|(n, name, sql)| Migration::new(n, name.into(), MigrationType::Simple, sql.into(), false))
        .collect::<Vec<_>>();
    Migrator { migrations: migrations.into(), ..Migrator::DEFAULT }
}

fn read_all<T>(rows: &[AnyRow], read: impl Fn(&AnyRow) -> Result<T>) -> Result<Vec<T>> {
    rows.iter().map(read).collect()
}
