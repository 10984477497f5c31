//! A server in this process, on a free port, with a database that is deleted with it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use server::protocol::GameDetail;
use server::{Config, Limits, Server};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::client::Person;

/// The place of a database, which several servers may use one after another.
pub struct TestDatabase {
    pub url: String,
    folder: Option<PathBuf>,
}

impl TestDatabase {
    pub fn sqlite() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("grognard-server-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        TestDatabase {
            url: format!("sqlite:{}", folder.join("games.sqlite").display()),
            folder: Some(folder),
        }
    }

    pub fn at(url: String) -> Self {
        TestDatabase { url, folder: None }
    }

    pub fn config(&self) -> Config {
        let mut config = Config::new(self.url.clone(), vec![crate::outpost::game()]);
        config.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        config.limits = Limits::generous();
        config.bot_pause = Duration::ZERO;
        config.private_webhooks = true;
        config
    }

    pub async fn open(&self) -> Running {
        self.open_with(self.config()).await
    }

    pub async fn open_with(&self, config: Config) -> Running {
        let server = Server::bind(config).await.unwrap();
        let base = format!("http://{}", server.address());
        let hub = Arc::clone(server.hub());
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            server
                .serve(async move {
                    let _ = stopped.await;
                })
                .await
                .unwrap();
        });
        Running { base, hub, stop, task }
    }

    /// The bytes of the database file, if it is a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut all = Vec::new();
        if let Some(folder) = &self.folder {
            for file in std::fs::read_dir(folder).unwrap() {
                all.extend(std::fs::read(file.unwrap().path()).unwrap());
            }
        }
        all
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

pub struct Running {
    pub base: String,
    pub hub: Arc<server::hub::Hub>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Running {
    pub async fn person(&self, name: &str) -> Person {
        Person::guest(&self.base, name).await
    }

    /// A game between Ann and Ben that has started.
    pub async fn game_of_two(&self) -> (Person, Person, String) {
        let (ann, ben) = (self.person("Ann").await, self.person("Ben").await);
        let made = ann.create(json!([{ "kind": "me" }, { "kind": "invite" }])).await;
        let id = made.game.summary.id;
        let _: GameDetail =
            ben.post(&format!("/api/games/{id}/join"), &json!({ "code": made.invites[0].code })).await;
        (ann, ben, id)
    }

    pub async fn close(self) {
        let _ = self.stop.send(());
        tokio::time::timeout(Duration::from_secs(20), self.task).await.expect("the server stops").unwrap();
    }
}
