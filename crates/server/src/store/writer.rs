//! Group commit. One task gathers the statements of all games into one transaction and acknowledges them after the
//! commit, so that they share one wait for the disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::any::AnyArguments;
use sqlx::pool::PoolConnection;
use sqlx::query::Query;
use sqlx::{Any, AnyPool, Connection as _};
use tokio::sync::{mpsc, oneshot};

use super::{Result, StoreError};

/// One statement with its values. The text is always a literal; user input is passed only as a value.
#[derive(Clone, Debug)]
pub struct Statement {
    sql: Sql,
    args: Vec<Arg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sql {
    One(&'static str),
    /// One row of a multi-row statement, used for what games write all the time. Each statement costs a round trip to
    /// the database's thread or process, which is dearer than the row.
    Row(Rows),
}

/// `head VALUES (…), (…) tail`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    pub head: &'static str,
    pub tail: &'static str,
}

#[derive(Clone, Debug)]
pub enum Arg {
    Text(String),
    Int(i64),
    NoText,
    NoInt,
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Arg::Text(text.to_owned())
    }
}
impl From<String> for Arg {
    fn from(text: String) -> Self {
        Arg::Text(text)
    }
}
impl From<i64> for Arg {
    fn from(number: i64) -> Self {
        Arg::Int(number)
    }
}
impl From<Option<String>> for Arg {
    fn from(text: Option<String>) -> Self {
        text.map_or(Arg::NoText, Arg::Text)
    }
}
impl From<Option<i64>> for Arg {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Arg::NoInt, Arg::Int)
    }
}

impl Statement {
    pub fn new<const N: usize>(sql: &'static str, args: [Arg; N]) -> Self {
        Statement { sql: Sql::One(sql), args: args.into() }
    }

    /// A row whose order among the other rows of the transaction does not matter. Rows are written after all statements
    /// made with [`Statement::new`].
    pub fn row<const N: usize>(rows: Rows, args: [Arg; N]) -> Self {
        Statement { sql: Sql::Row(rows), args: args.into() }
    }
}

type AnyQuery<'q> = Query<'q, Any, AnyArguments<'q>>;

fn bind<'q>(query: AnyQuery<'q>, args: &'q [Arg]) -> AnyQuery<'q> {
    args.iter().fold(query, |query, arg| match arg {
        Arg::Text(text) => query.bind(text.as_str()),
        Arg::Int(number) => query.bind(*number),
        Arg::NoText => query.bind(None::<String>),
        Arg::NoInt => query.bind(None::<i64>),
    })
}

#[derive(Debug)]
struct Job {
    statements: Vec<Statement>,
    done: oneshot::Sender<Result<()>>,
    /// Stop after this job.
    last: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
    commits: Arc<AtomicU64>,
}

/// Writers wait when the queue holds this many jobs, so that it cannot outgrow the disk.
const QUEUE: usize = 4096;
/// The most jobs in a transaction, so that the first of them does not wait too long.
const BATCH: usize = 512;

impl Writer {
    pub fn start(pool: AnyPool) -> Self {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let commits = Arc::new(AtomicU64::new(0));
        tokio::spawn(run(pool, queue, Arc::clone(&commits)));
        Writer { jobs, commits }
    }

    pub async fn write(&self, statements: Vec<Statement>) -> Result<()> {
        self.send(statements, false).await
    }

    async fn send(&self, statements: Vec<Statement>, last: bool) -> Result<()> {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Broken("the writer has stopped".into());
        self.jobs.send(Job { statements, done, last }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// Wait until all earlier jobs are written and the connection is returned; nothing is written afterwards.
    pub async fn stop(&self) {
        let _ = self.send(Vec::new(), true).await;
    }
}

async fn run(pool: AnyPool, mut queue: mpsc::Receiver<Job>, commits: Arc<AtomicU64>) {
    let mut connection: Option<PoolConnection<Any>> = None;
    let mut jobs = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut jobs, BATCH).await > 0 {
        let usable = match connection.take() {
            Some(open) => Ok(open),
            None => pool.acquire().await.map_err(StoreError::from),
        };
        let mut open = match usable {
            Ok(open) => open,
            Err(error) => {
                for job in jobs.drain(..) {
                    let _ = job.done.send(Err(error.clone()));
                }
                continue;
            }
        };
        let mut healthy = true;
        let together = transaction(&mut open, jobs.iter().flat_map(|j| &j.statements)).await;
        if together.is_ok() {
            commits.fetch_add(1, Ordering::Relaxed);
        } else {
            healthy = open.ping().await.is_ok();
        }
        let mut last = None;
        for job in jobs.drain(..) {
            // If the common transaction failed, run each job in its own, so that only the faulty one is refused.
            let result = match &together {
                Ok(()) => Ok(()),
                Err(_) => transaction(&mut open, job.statements.iter()).await,
            };
            if job.last {
                last = Some(job.done);
            } else {
                let _ = job.done.send(result);
            }
        }
        if let Some(done) = last {
            open.return_to_pool().await;
            let _ = done.send(Ok(()));
            return;
        }
        // A broken connection is not reused.
        connection = healthy.then_some(open);
    }
}

async fn transaction<'a>(
    connection: &mut PoolConnection<Any>,
    statements: impl Iterator<Item = &'a Statement>,
) -> Result<()> {
    let mut transaction = connection.begin().await?;
    let mut rows: Vec<(Rows, Vec<&Statement>)> = Vec::new();
    for statement in statements {
        match statement.sql {
            Sql::One(sql) => {
                bind(sqlx::query(sql), &statement.args).execute(&mut *transaction).await?;
            }
            Sql::Row(kind) => match rows.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, gathered)) => gathered.push(statement),
                None => rows.push((kind, vec![statement])),
            },
        }
    }
    for (kind, gathered) in rows {
        let mut rest = gathered.as_slice();
        while let Some(size) = CHUNKS.into_iter().find(|size| *size <= rest.len()) {
            let (chunk, after) = rest.split_at(size);
            rest = after;
            let sql = many(kind, chunk);
            let query = chunk.iter().fold(sqlx::query(&sql), |query, row| bind(query, &row.args));
            query.execute(&mut *transaction).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Rows are written in chunks of a few fixed sizes, so that there are only a few prepared statements.
const CHUNKS: [usize; 4] = [64, 16, 4, 1];

/// The SQL text for this many rows, with numbered placeholders for their values.
fn many(kind: Rows, rows: &[&Statement]) -> String {
    let mut sql = format!("{} VALUES ", kind.head);
    let mut place = 0;
    for (n, row) in rows.iter().enumerate() {
        sql.push_str(if n == 0 { "(" } else { ", (" });
        for at in 0..row.args.len() {
            place += 1;
            sql.push_str(if at == 0 { "$" } else { ", $" });
            sql.push_str(&place.to_string());
        }
        sql.push(')');
    }
    sql.push_str(kind.tail);
    sql
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_make_one_statement() {
        let kind = Rows { head: "INSERT INTO t (a, b)", tail: "" };
        let row = Statement::row(kind, ["x".into(), 1.into()]);
        assert_eq!(many(kind, &[&row, &row]), "INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4)");
    }
}
