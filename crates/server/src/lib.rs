//! HTTP, WebSocket, storage and live games. Knows no rules: it works on the kernel's erased games and plays whatever
//! its catalogue holds.
//!
//! Where to look: [`protocol`] is what goes over the wire, [`room`] one game being played, [`hub`] all of them,
//! [`store`] what is on disk, [`http`] the routes, [`socket`] the live connection.

pub mod analysis;
pub mod bots;
pub mod clock;
pub mod config;
pub mod error;
pub mod finished;
pub mod guard;
pub mod http;
pub mod hub;
pub mod ids;
pub mod limits;
pub mod load;
pub mod lobby;
pub mod luck;
pub mod naming;
pub mod notices;
pub mod patch;
pub mod protocol;
pub mod record;
pub mod requests;
pub mod review;
pub mod room;
pub mod snapshot;
pub mod socket;
pub mod store;
pub mod webhook;

pub use bots::{BotChoice, BotProvider, Cancel, RandomBots};
pub use config::{Asset, Assets, Config, MapRenderer, NoAssets, NoMaps};
pub use limits::Limits;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::serve::ListenerExt as _;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ServerError {
    #[error(transparent)]
    Store(#[from] store::StoreError),
    #[error("cannot listen on {at}: {error}")]
    Listen { at: SocketAddr, error: std::io::Error },
    #[error("cannot serve: {0}")]
    Serve(#[from] std::io::Error),
}

/// A server that is bound to its address but not serving yet.
#[derive(Debug)]
pub struct Server {
    hub: Arc<hub::Hub>,
    listener: tokio::net::TcpListener,
    address: SocketAddr,
}

impl Server {
    pub async fn bind(config: Config) -> Result<Self, ServerError> {
        let at = config.listen;
        let store = store::Store::open(&config.database).await?;
        let listener =
            tokio::net::TcpListener::bind(at).await.map_err(|error| ServerError::Listen { at, error })?;
        let address = listener.local_addr()?;
        let last_notice = store.last_notice().await?;
        Ok(Server { hub: hub::Hub::new(config, store, last_notice), listener, address })
    }

    /// The address it listens on, with the actual port if the configuration left that open.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn hub(&self) -> &Arc<hub::Hub> {
        &self.hub
    }

    /// Serve until `stop` completes. Everything that was acknowledged is on disk before this returns.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServerError> {
        let hub = self.hub;
        let chores = hub.start_chores();
        let router = http::router(Arc::clone(&hub));
        let closing = Arc::clone(&hub);
        let stop = async move {
            stop.await;
            closing.close().await;
        };
        // Frames are small and a player waits for each, so none is delayed to be sent with the next.
        let listener = self.listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "no TCP_NODELAY");
            }
        });
        axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>())
            .with_graceful_shutdown(stop)
            .await?;
        chores.abort();
        hub.store.close().await;
        Ok(())
    }
}

/// Serve until the process is asked to stop (Ctrl-C or SIGTERM).
pub async fn run(config: Config) -> Result<(), ServerError> {
    let server = Server::bind(config).await?;
    tracing::info!(address = %server.address(), "listening");
    server.serve(asked_to_stop()).await
}

/// Completes when the process is asked to stop: Ctrl-C or SIGTERM.
pub async fn asked_to_stop() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Our locks are never held across code that could panic half-way, so the data behind a poisoned one is valid.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
