//! The same scenarios on a real PostgreSQL, if its programs are installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::harness::TestDatabase;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_on_postgres() {
    if let Some(server) = installed() {
        crate::run_all(&server).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost() {
    if let Some(server) = installed() {
        crate::kill::kill_twice(&server.database("killed").await).await;
    }
}

/// A PostgreSQL server of this test's own, if one is installed.
fn installed() -> Option<Postgres> {
    let server = Postgres::start();
    if server.is_none() {
        // `cargo verify` sets this variable where it has found PostgreSQL.
        assert!(std::env::var_os("GROGNARD_POSTGRES").is_none(), "PostgreSQL does not start");
        println!("NOTICE: skipped, no PostgreSQL is installed (Debian: apt install postgresql)");
    }
    server
}

pub struct Postgres {
    child: std::process::Child,
    folder: PathBuf,
}

const PORT: u16 = 54329;

impl Postgres {
    fn start() -> Option<Self> {
        let bin = programs()?;
        // Several tests of one process may each have their own.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("grognard-postgres-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        // PostgreSQL refuses to run as root; then it runs as the user that its package created.
        let root = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.starts_with(b"0\n"));
        if root {
            let owned = Command::new("chown").arg("postgres").arg(&folder).status();
            if !owned.is_ok_and(|s| s.success()) {
                let _ = std::fs::remove_dir_all(&folder);
                return None;
            }
        }
        let command = |program: &str| {
            let program = bin.join(program);
            let mut command = if root {
                let mut command = Command::new("setpriv");
                // Unlike runuser, setpriv leaves no parent process between the test and the server, so ending the
                // server is simple.
                command.args(["--reuid=postgres", "--regid=postgres", "--init-groups", "--"]).arg(program);
                command
            } else {
                Command::new(program)
            };
            command.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let data = folder.join("data");
        let made = command("initdb")
            .args(["--auth=trust", "--username=grognard", "--encoding=UTF8", "--no-sync", "-D"])
            .arg(&data)
            .status();
        assert!(made.is_ok_and(|s| s.success()), "initdb");
        let child = command("postgres")
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(&folder)
            .args(["-p", &PORT.to_string(), "-c", "listen_addresses="])
            .spawn()
            .expect("postgres starts");
        Some(Postgres { child, folder })
    }

    fn url(&self, database: &str) -> String {
        let host = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://grognard@localhost:{PORT}/{database}?host={host}")
    }

    /// A fresh database.
    pub async fn database(&self, name: &str) -> TestDatabase {
        use sqlx::{Connection, Executor};
        sqlx::any::install_default_drivers();
        let mut tries = 0;
        let mut admin = loop {
            match sqlx::AnyConnection::connect(&self.url("postgres")).await {
                Ok(connection) => break connection,
                Err(error) => {
                    tries += 1;
                    assert!(tries < 100, "{error}");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        };
        admin.execute(format!("CREATE DATABASE {name}").as_str()).await.unwrap();
        TestDatabase::at(self.url(name))
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The folder with `initdb` and `postgres`: Debian keeps them outside the path.
fn programs() -> Option<PathBuf> {
    let in_debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let in_path = std::env::var_os("PATH").unwrap_or_default();
    in_debian
        .map(|version| version.path().join("bin"))
        .chain(std::env::split_paths(&in_path))
        .find(|bin| is_there(&bin.join("initdb")) && is_there(&bin.join("postgres")))
}

fn is_there(path: &Path) -> bool {
    path.is_file()
}
