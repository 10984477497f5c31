//! All games of the server: which are in memory, which bots are searching, which clocks run out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use kernel::{Game, Seat, SeatSet, Setup, Table};
use rand_core::SeedableRng as _;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, Semaphore, watch};

use crate::bots::{BotChoice, Cancel};
use crate::config::Config;
use crate::error::{Fault, Result};
use crate::guard;
use crate::http::maps::TileCache;
use crate::ids;
use crate::limits::Buckets;
use crate::lock;
use crate::notices::{Draft, Notices};
use crate::protocol::{Clock, ErrorCode, NoticeKind, SeatKind, Status};
use crate::room::{Change, Room};
use crate::snapshot;
use crate::store::{Listing, Store, StoreError};
use crate::webhook::Webhooks;

/// How long before a clock runs out its owner is reminded at the earliest.
const REMIND_MS: i64 = 3 * 3_600_000;
/// How often memory is cleaned up, in seconds.
const TIDY_EVERY: u32 = 60;

type Slot = Arc<AsyncMutex<Option<Room>>>;

pub struct Hub {
    pub config: Config,
    pub store: Store,
    games: HashMap<String, Arc<dyn Game>>,
    rooms: Mutex<HashMap<String, Slot>>,
    pub notices: Notices,
    pub tiles: TileCache,
    pub webhooks: Webhooks,
    bot_permits: Arc<Semaphore>,
    /// Limits concurrent analyses, separately from the bots.
    pub analysis_permits: Arc<Semaphore>,
    /// Limits concurrent password hashing, which is slow on purpose.
    pub password_permits: Semaphore,
    pub http_limit: Buckets<IpAddr>,
    pub identity_limit: Buckets<IpAddr>,
    pub create_limit: Buckets<IpAddr>,
    /// The number of open sockets, by address.
    pub sockets: Mutex<HashMap<IpAddr, usize>>,
    /// For each game, the deadline for which its players have been reminded.
    reminded: Mutex<HashMap<String, i64>>,
    closing: watch::Sender<bool>,
    me: Weak<Hub>,
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hub").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A game, locked for changes.
#[derive(Debug)]
pub struct RoomGuard(OwnedMutexGuard<Option<Room>>);

impl Deref for RoomGuard {
    type Target = Room;
    fn deref(&self) -> &Room {
        // `Hub::room` hands out guards of loaded rooms only, and the guard holds the lock.
        self.0.as_ref().expect("a guarded room is loaded")
    }
}

impl DerefMut for RoomGuard {
    fn deref_mut(&mut self) -> &mut Room {
        // As in `deref`.
        self.0.as_mut().expect("a guarded room is loaded")
    }
}

impl Drop for RoomGuard {
    fn drop(&mut self) {
        // After a panic the memory may be inconsistent; the disk is not.
        if std::thread::panicking() || self.0.as_ref().is_some_and(|room| room.broken) {
            *self.0 = None;
        }
    }
}

impl Hub {
    /// `last_notice` is the highest number of a notice on disk.
    pub fn new(config: Config, store: Store, last_notice: i64) -> Arc<Self> {
        let limits = config.limits;
        Arc::new_cyclic(|me| Hub {
            games: config.games.iter().map(|g| (g.info().id.clone(), Arc::clone(g))).collect(),
            rooms: Mutex::default(),
            notices: Notices::new(last_notice),
            tiles: TileCache::default(),
            webhooks: Webhooks::new(config.private_webhooks),
            bot_permits: Arc::new(Semaphore::new(config.bot_threads.max(1))),
            analysis_permits: Arc::new(Semaphore::new(config.bot_threads.max(1))),
            password_permits: Semaphore::new(2),
            http_limit: Buckets::new(limits.http),
            identity_limit: Buckets::new(limits.identity),
            create_limit: Buckets::new(limits.create),
            sockets: Mutex::default(),
            reminded: Mutex::default(),
            closing: watch::channel(false).0,
            me: me.clone(),
            config,
            store,
        })
    }

    pub fn game(&self, id: &str) -> Result<&Arc<dyn Game>> {
        self.games.get(id).ok_or_else(|| Fault::new(ErrorCode::NotFound, "no such game in the catalogue"))
    }

    /// Add the server's overlay to a set-up that brings none of its own; an empty overlay asks for the pack as shipped.
    pub fn correct(&self, setup: &mut Setup) {
        let house = || self.config.overlays.get(&setup.game).cloned();
        setup.overlay = setup.overlay.take().or_else(house).filter(|text| !text.trim().is_empty());
    }

    /// What the server's overlay changes in a game's pack.
    pub fn corrections(&self, game: &dyn Game) -> Vec<String> {
        let house = self.config.overlays.get(&game.info().id);
        house.and_then(|text| game.overlay_changes(text).ok()).unwrap_or_default()
    }

    /// A game, from memory or from disk.
    pub async fn room(&self, id: &str) -> Result<RoomGuard> {
        let slot = Arc::clone(lock(&self.rooms).entry(id.to_owned()).or_default());
        let mut guard = slot.lock_owned().await;
        if guard.is_none() {
            match self.load(id).await {
                Ok(room) => *guard = Some(room),
                Err(fault) => {
                    drop(guard);
                    self.forget_empty(id);
                    return Err(fault);
                }
            }
        }
        Ok(RoomGuard(guard))
    }

    async fn load(&self, id: &str) -> Result<Room> {
        let row = self.store.game(id).await?.ok_or_else(Fault::not_found)?;
        let seats = self.store.seats(id).await?;
        let records = self.store.records(id).await?;
        let snapshot = self.store.snapshot(id).await?;
        let game = Arc::clone(self.game(&row.setup.game)?);
        // Replaying a long game takes a while.
        let load = move || Room::load(game, row, seats, &records, snapshot);
        Ok(tokio::task::spawn_blocking(load).await.map_err(Fault::internal)??)
    }

    /// Write a snapshot of a game without holding up the game.
    pub fn take_snapshot(&self, id: &str) {
        let (Some(hub), id) = (self.me.upgrade(), id.to_owned()) else { return };
        tokio::spawn(async move {
            let Ok(room) = hub.room(&id).await else { return };
            // The room is locked only while its state is copied.
            let pack = move || {
                let snapshot = room.session.snapshot()?;
                let (game, setup) = (Arc::clone(room.game()), room.row.setup.clone());
                let version = Arc::clone(&room.version);
                drop(room);
                let version = version.get_or_init(|| snapshot::version(&*game, &setup)).as_deref()?;
                Some(snapshot::pack(version, &id, &snapshot))
            };
            let written = match tokio::task::spawn_blocking(pack).await {
                Ok(Some(row)) => hub.store.write(vec![row.insert()]).await,
                Ok(None) => Ok(()),
                Err(error) => Err(StoreError::Broken(error.to_string())),
            };
            if let Err(error) = written {
                tracing::warn!(%error, "no snapshot was written");
            }
        });
    }

    /// The slot of a guessed id must not stay in memory.
    fn forget_empty(&self, id: &str) {
        let mut rooms = lock(&self.rooms);
        let unused = rooms.get(id).is_some_and(|slot| {
            Arc::strong_count(slot) == 1 && slot.try_lock().is_ok_and(|room| room.is_none())
        });
        if unused {
            rooms.remove(id);
        }
    }

    /// The number of games in memory.
    pub fn loaded(&self) -> usize {
        lock(&self.rooms).len()
    }

    /// Unload games that have no viewers and no searching bot. A slot that is still in use elsewhere is kept.
    fn evict(&self) {
        lock(&self.rooms).retain(|_, slot| {
            Arc::strong_count(slot) > 1
                || slot.try_lock().is_ok_and(|room| {
                    room.as_ref().is_some_and(|r| !r.is_empty() || !r.thinking.is_empty() || r.is_recent())
                })
        });
    }

    /// Background work: clocks, cleaning up, and the bots of games that were being played when the server stopped.
    pub fn start_chores(&self) -> tokio::task::JoinHandle<()> {
        let me = self.me.clone();
        tokio::spawn(async move {
            if let Some(hub) = me.upgrade() {
                hub.resume_bots().await;
            }
            let mut tick = tokio::time::interval(Duration::from_secs(1));
            let mut ticks = 0_u32;
            loop {
                tick.tick().await;
                let Some(hub) = me.upgrade() else { return };
                hub.check_clocks().await;
                hub.remind().await;
                ticks = ticks.wrapping_add(1);
                if ticks.is_multiple_of(TIDY_EVERY) {
                    hub.evict();
                    let tidied = hub.store.write(vec![hub.notices.tidy(ids::now_ms())]).await;
                    if let Err(error) = tidied {
                        tracing::warn!(%error, "old notices stay");
                    }
                }
            }
        })
    }

    async fn resume_bots(&self) {
        match self.store.bots_due().await {
            Ok(due) => {
                for id in due {
                    match self.room(&id).await {
                        Ok(mut room) => self.wake_bots(&mut room),
                        Err(fault) => tracing::error!(game = id, %fault, "cannot take the game up"),
                    }
                }
            }
            Err(error) => tracing::error!(%error, "cannot look for games of bots"),
        }
    }

    /// Remind players whose clock runs out soon, once per deadline: the page may be open without anybody looking at it.
    async fn remind(&self) {
        let now = ids::now_ms();
        let due = match self.store.clocks_running_out(now + REMIND_MS).await {
            Ok(due) => due,
            Err(error) => {
                tracing::error!(%error, "cannot look at the clocks");
                return;
            }
        };
        for (id, deadline, clock) in due {
            let known = lock(&self.reminded).get(&id) == Some(&deadline);
            if known || deadline - now > clock.warning_ms() {
                continue;
            }
            let Ok(room) = self.room(&id).await else { continue };
            lock(&self.reminded).insert(id.clone(), deadline);
            if room.is_paused() {
                continue;
            }
            let awaiting = SeatSet(room.row.awaiting as u8);
            let drafts: Vec<Draft> = room
                .seats
                .iter()
                .filter(|s| awaiting.contains(s.seat))
                .filter_map(|s| {
                    let user = s.holder()?;
                    Some(self.notices.draft(user, NoticeKind::ClockLow, &id, &room.row.title, Some(s.seat)))
                })
                .collect();
            let statements = drafts.iter().map(Draft::insert).collect();
            match self.store.write(statements).await {
                Ok(()) => self.tell(&room, &drafts),
                Err(error) => tracing::warn!(%error, "a reminder was not written"),
            }
        }
        lock(&self.reminded).retain(|_, deadline| *deadline > now);
    }

    async fn check_clocks(&self) {
        let now = ids::now_ms();
        let due = match self.store.clocks_due(now).await {
            Ok(due) => due,
            Err(error) => {
                tracing::error!(%error, "cannot look at the clocks");
                return;
            }
        };
        for id in due {
            let outcome = match self.room(&id).await {
                Ok(mut room) if room.is_back(now) => room.go_on(self, None).await.map(|_| ()),
                Ok(mut room) => match room.check_clocks(now) {
                    Some(seat) => room.resign(self, seat, true).await.map(|_| ()),
                    // The time in which the server was down does not count: write the new deadline.
                    None => match room.clock_row(now) {
                        Some(statement) => self.store.write(vec![statement]).await.map_err(Fault::from),
                        None => Ok(()),
                    },
                },
                Err(fault) => Err(fault),
            };
            if let Err(fault) = outcome {
                tracing::error!(game = id, %fault, "cannot check the clock");
            }
        }
    }

    /// Let the bots that must decide search.
    pub fn wake_bots(&self, room: &mut Room) {
        // The position has changed: stop the searches for the old one.
        for cancel in room.thinking.values() {
            cancel.set();
        }
        if room.status() != Status::Playing || *self.closing.borrow() {
            return;
        }
        let Some(hub) = self.me.upgrade() else { return };
        let due = room.session.pending().seats();
        for at in 0..room.seats.len() {
            let seat = room.seats[at].seat;
            // A bot that is still searching looks again when it stops.
            if room.seats[at].kind != SeatKind::Bot
                || !due.contains(seat)
                || room.thinking.contains_key(&seat)
            {
                continue;
            }
            let cancel = Arc::new(Cancel::default());
            room.thinking.insert(seat, Arc::clone(&cancel));
            room.show_thinking(seat, true, None);
            let turn = BotTurn {
                id: room.row.id.clone(),
                game: room.row.setup.game.clone(),
                seat,
                level: room.seats[at].level.clone().unwrap_or_default(),
                moment: room.moment,
                table: room.session.table().clone_table(),
                cancel,
            };
            tokio::spawn(turn.play(Arc::clone(&hub)));
        }
    }

    /// The notices for players who are not at the table, to be written with the record that caused them.
    pub fn drafts(&self, room: &Room, before: SeatSet, change: &Change) -> Vec<Draft> {
        let awaiting = SeatSet(room.row.awaiting as u8);
        let over = room.status() == Status::Over;
        let mut drafts = Vec::new();
        for seat in &room.seats {
            let Some(user) = seat.holder().filter(|_| !room.online(seat.seat)) else { continue };
            let kind = if over && change.position {
                NoticeKind::Over
            } else if awaiting.contains(seat.seat) && !before.contains(seat.seat) {
                NoticeKind::YourTurn
            } else if change.chat.as_ref().is_some_and(|c| c.seat != Some(seat.seat)) {
                NoticeKind::Chat
            } else if change.is_request()
                && room.session.request().is_some_and(|r| r.by != seat.seat && !r.agreed.contains(seat.seat))
            {
                NoticeKind::TakebackAsked
            } else if change.is_request()
                && room.proposal().is_some_and(|p| p.by != seat.seat && !p.agreed.contains(seat.seat))
            {
                NoticeKind::Proposed
            } else {
                continue;
            };
            drafts.push(self.notices.draft(user, kind, &room.row.id, &room.row.title, Some(seat.seat)));
        }
        drafts
    }

    /// The notices are on disk: wake the requests that wait for them, and call the webhooks of play-by-turn games.
    pub fn tell(&self, room: &Room, drafts: &[Draft]) {
        for draft in drafts {
            self.notices.written(draft);
            let kind = draft.notice.kind;
            if let (Clock::Turn { .. }, Some(seat)) = (&room.row.clock, draft.notice.seat)
                && kind != NoticeKind::Chat
            {
                self.call_webhook(room, seat, &draft.user, kind);
            }
        }
    }

    fn call_webhook(&self, room: &Room, seat: Seat, user: &str, kind: NoticeKind) {
        let Some(hub) = self.me.upgrade() else { return };
        let user = user.to_owned();
        let side = room.game().info().seats.get(usize::from(seat.0)).map(|s| s.id.clone());
        let body = serde_json::json!({
            "kind": kind,
            "game": room.row.id,
            "title": room.row.title,
            "seat": side,
            "url": self.config.public_url.as_ref().map(|base| format!("{base}/#/table/{}", room.row.id)),
        });
        tokio::spawn(async move {
            if let Ok(Some(user)) = hub.store.user(&user).await
                && let Some(url) = user.webhook
            {
                hub.webhooks.call(&url, &body).await;
            }
        });
    }

    /// Move all seats of one user to another.
    pub async fn move_seats(&self, from: &str, to: &str) -> Result<()> {
        let mut games = self.store.list(Listing::Mine { user: from, archived: false }).await?;
        games.extend(self.store.list(Listing::Mine { user: from, archived: true }).await?);
        for (row, _) in games {
            let mut room = self.room(&row.id).await?;
            let mut seats = room.seats.clone();
            let mut statements = Vec::new();
            for seat in seats.iter_mut().filter(|s| s.user.as_deref() == Some(from)) {
                seat.user = Some(to.to_owned());
                statements.push(seat.update());
            }
            self.store.write(statements).await?;
            room.seats = seats;
            room.reseat();
        }
        self.store.write(Notices::move_to(from, to).into()).await?;
        Ok(())
    }

    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Disconnect all clients, so that the server can stop.
    pub async fn close(&self) {
        self.closing.send_replace(true);
        let slots: Vec<Slot> = lock(&self.rooms).values().cloned().collect();
        for slot in slots {
            if let Some(room) = slot.lock().await.as_mut() {
                room.dismiss();
            }
        }
    }
}

/// How many random actions are tried when a bot's own choice fails.
const POOR_MOVES: usize = 8;
/// How often the progress of a searching bot is sent.
const PROGRESS: Duration = Duration::from_millis(300);

struct BotTurn {
    id: String,
    game: String,
    seat: Seat,
    level: String,
    moment: u32,
    table: Box<dyn Table>,
    cancel: Arc<Cancel>,
}

impl BotTurn {
    async fn play(self, hub: Arc<Hub>) {
        let BotTurn { id, game, seat, level, moment, table, cancel } = self;
        tokio::time::sleep(hub.config.bot_pause).await;
        let choice = {
            let Ok(_permit) = Arc::clone(&hub.bot_permits).acquire_owned().await else { return };
            let bots = Arc::clone(&hub.config.bots);
            let told = Arc::clone(&cancel);
            let ponder = move || {
                if told.is_unwanted() { None } else { bots.choose(&game, &*table, seat, &level, &told) }
            };
            let mut pondering = tokio::task::spawn_blocking(ponder);
            let mut shown = None;
            loop {
                match tokio::time::timeout(PROGRESS, &mut pondering).await {
                    Ok(Ok(choice)) => break choice,
                    // A bot that panics makes no choice; the game goes on without it.
                    Ok(Err(error)) => {
                        tracing::error!(%error, "a bot failed");
                        break None;
                    }
                    Err(_) => {
                        let progress = cancel.progress();
                        if progress != shown
                            && let Ok(mut room) = hub.room(&id).await
                        {
                            shown = progress;
                            room.show_thinking(seat, true, progress);
                        }
                    }
                }
            }
        };
        let mut room = match hub.room(&id).await {
            Ok(room) => room,
            Err(fault) => {
                tracing::error!(game = id, %fault, "a bot cannot find its game");
                return;
            }
        };
        room.thinking.remove(&seat);
        room.show_thinking(seat, false, None);
        if room.moment != moment || cancel.is_unwanted() {
            hub.wake_bots(&mut room);
            return;
        }
        if let Some(BotChoice { action, why }) = choice {
            match room.act(&hub, seat, &action, moment, why).await {
                Ok(_) => return,
                Err(fault) => tracing::error!(game = id, action, %fault, "a bot chose what it may not do"),
            }
        }
        // A poor move is better than a game that stands still.
        let mut rng = rand_chacha::ChaCha8Rng::from_seed(ids::random());
        for _ in 0..POOR_MOVES {
            if room.broken {
                drop(room);
                room = match hub.room(&id).await {
                    Ok(room) => room,
                    Err(fault) => {
                        tracing::error!(game = id, %fault, "a bot cannot take its game up again");
                        return;
                    }
                };
                if room.moment != moment {
                    hub.wake_bots(&mut room);
                    return;
                }
            }
            let table = room.session.table();
            let found = guard::rules(&id, "a random action", || table.random_action(seat, &mut rng));
            let outcome = match found {
                Ok(Some(action)) => room.act(&hub, seat, &action, moment, None).await,
                Ok(None) => Err(Fault::internal("no legal action is found")),
                Err(fault) => Err(fault),
            };
            match outcome {
                Ok(_) => return,
                Err(fault) => tracing::error!(game = id, %fault, "a bot's move fails"),
            }
        }
        tracing::error!(game = id, "a bot cannot go on");
        room.tell_failure();
    }
}
