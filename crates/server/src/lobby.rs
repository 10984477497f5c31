//! Everything around the tables: creating games, taking seats, rematches, import and export.

use std::sync::Arc;

use kernel::dice::{Seed, commitment};
use kernel::journal::{Deed, Journal};
use kernel::{Game, Seat, Session, SetupError};

use crate::error::{Fault, Result};
use crate::hub::Hub;
use crate::ids;
use crate::limits;
use crate::notices::Draft;
use crate::protocol::{
    BranchGame, Clock, Created, ErrorCode, GameDetail, ImportGame, Invite, JoinGame, NewGame, NoticeKind,
    SeatChoice, SeatKind, Status, Terms,
};
use crate::record::{Record, RecordKind};
use crate::room::Room;
use crate::store::rows::{GameRow, SeatRow, UserRow};

const NAME: usize = 40;
const TITLE: usize = 80;
const OVERLAY: usize = 512 << 10;

impl From<SetupError> for Fault {
    fn from(error: SetupError) -> Self {
        Fault::bad(error.to_string())
    }
}

pub async fn create(hub: &Hub, user: &UserRow, mut new: NewGame) -> Result<Created> {
    let game = hub.game(&new.setup.game)?;
    check_overlay(new.setup.overlay.as_deref())?;
    hub.correct(&mut new.setup);
    let seed = ids::random::<32>();
    // Opening a table validates the set-up; with an overlay, this reads a whole pack.
    let (rules, setup) = (game.clone(), new.setup);
    let session = on_blocking_thread(move || Session::open(rules, setup, seed)).await?;
    let session = session.map_err(|error| Fault::bad(error.to_string()))?;
    open(hub, user, &**game, new.terms, seed, None, session.journal()).await
}

/// A game from a file. If it holds the seed that proves its dice, it continues with the same dice, otherwise with new
/// ones.
pub async fn import(hub: &Hub, user: &UserRow, new: ImportGame) -> Result<Created> {
    let bad = |error: kernel::JournalError| Fault::new(ErrorCode::BadJournal, error.to_string());
    let journal = Journal::import(&new.journal).map_err(bad)?;
    let game = hub.game(&journal.setup.game)?;
    check_overlay(journal.setup.overlay.as_deref())?;
    let rules = game.clone();
    // A file may hold thousands of decisions, each of which the rules must check.
    let (session, seed, imported) =
        on_blocking_thread(move || session_of(rules, journal)).await?.map_err(bad)?;
    open(hub, user, &**game, new.terms, seed, imported, session.journal()).await
}

/// A new game that continues from a moment of another, with new dice. Open to users who may export that game.
pub async fn branch(hub: &Hub, user: &UserRow, id: &str, new: BranchGame) -> Result<Created> {
    let (journal, game) = {
        let room = hub.room(id).await?;
        let over = may_export(&room, Some(user))?;
        let me = Some(user.id.as_str());
        let alone = room.seats.iter().all(|s| s.holder() == me || s.holder().is_none() && s.user.is_none());
        if !over && !alone && !room.row.analysis {
            return Err(Fault::new(ErrorCode::Forbidden, "this game was created without analysis"));
        }
        let bad = |error: kernel::JournalError| Fault::new(ErrorCode::BadJournal, error.to_string());
        let whole = room.session.journal();
        let mut journal = Journal::new(whole.setup.clone(), None);
        let wanted = usize::try_from(new.decision).unwrap_or(usize::MAX);
        for n in whole.in_force().map_err(bad)?.into_iter().take(wanted) {
            if let Some(record) = whole.records.get(n)
                && let Deed::Act { action, rolls, .. } = &record.deed
            {
                let deed = Deed::Act { action: action.clone(), rolls: rolls.clone(), at: 0 };
                journal.push(record.seat, deed);
            }
        }
        (journal, Arc::clone(room.game()))
    };
    let rules = Arc::clone(&game);
    let taken = on_blocking_thread(move || session_of(rules, journal)).await?;
    let (session, seed, imported) =
        taken.map_err(|error| Fault::new(ErrorCode::BadJournal, error.to_string()))?;
    open(hub, user, &*game, new.terms, seed, imported, session.journal()).await
}

/// A lab file that plays a game up to a given moment: the same set-up, decisions and dice.
pub async fn lab_text(hub: &Hub, user: Option<&UserRow>, id: &str, decision: u32) -> Result<String> {
    let room = hub.room(id).await?;
    may_export(&room, user)?;
    let journal = room.session.journal();
    let info = room.game().info();
    let bad = |error: kernel::JournalError| Fault::new(ErrorCode::BadJournal, error.to_string());
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let setup = &journal.setup;
    let mut head = format!("game = {}\n", quoted(&setup.game));
    if let Some(edition) = &setup.edition {
        head.push_str(&format!("edition = {}\n", quoted(edition)));
    }
    head.push_str(&format!("scenario = {}\n", quoted(&setup.scenario)));
    if !setup.options.is_empty() {
        let options: Vec<String> = setup.options.iter().map(|option| quoted(option)).collect();
        head.push_str(&format!("options = [{}]\n", options.join(", ")));
    }
    let mut dice: Vec<String> = Vec::new();
    let mut steps = String::new();
    let wanted = usize::try_from(decision).unwrap_or(usize::MAX);
    for n in journal.in_force().map_err(bad)?.into_iter().take(wanted) {
        let Some(record) = journal.records.get(n) else { continue };
        if let Deed::Act { action, rolls, .. } = &record.deed {
            dice.extend(rolls.iter().map(u8::to_string));
            let side = info.seats.get(usize::from(record.seat.0)).map_or("", |seat| seat.id.as_str());
            steps.push_str(&format!("\n[[step]]\ndo = {}\n", quoted(&format!("{side}: {action}"))));
        }
    }
    Ok(format!("{head}dice = [{}]\n{steps}", dice.join(", ")))
}

/// The session of a journal, the seed it continues with, and, if the file holds no seed that proves its dice, the
/// number of records whose dice cannot be proved.
fn session_of(
    game: Arc<dyn Game>,
    mut journal: Journal,
) -> std::result::Result<(Session, Seed, Option<i64>), kernel::JournalError> {
    let own = journal.seed()?;
    let proved = own.is_some() && journal.prove(&*game).is_ok();
    let seed = own.filter(|_| proved).unwrap_or_else(ids::random);
    let imported = (!proved).then_some(journal.records.len() as i64);
    if !proved {
        // The dice in the file are kept as written; the new seed supplies those after them.
        let mut chain = Journal::new(journal.setup.clone(), Some(&seed));
        for record in journal.records {
            let deed = match record.deed {
                Deed::Act { action, rolls, .. } => Deed::Act { action, rolls, at: 0 },
                other => other,
            };
            chain.push(record.seat, deed);
        }
        journal = chain;
    }
    journal.seed = None;
    Ok((Session::resume(game, journal, Some(seed), None)?, seed, imported))
}

/// Run `work` on a blocking thread, where it delays no other request.
async fn on_blocking_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Fault::internal)
}

fn check_clock(clock: &Clock) -> Result<()> {
    match clock {
        Clock::None => Ok(()),
        Clock::Live { base_s, increment_s } if (1..=864_000).contains(base_s) && *increment_s <= 3600 => {
            Ok(())
        }
        Clock::Live { .. } => Err(Fault::bad("clock: base_s from 1 to 864000, increment_s up to 3600")),
        Clock::Turn { hours } if (1..=720).contains(hours) => Ok(()),
        Clock::Turn { .. } => Err(Fault::bad("clock: hours from 1 to 720")),
    }
}

/// Refuse an overlay that is too long to read.
pub fn check_overlay(overlay: Option<&str>) -> Result<()> {
    if overlay.is_some_and(|text| text.len() > OVERLAY) {
        return Err(Fault::new(ErrorCode::TooLarge, format!("overlay: at most {OVERLAY} bytes")));
    }
    Ok(())
}

async fn open(
    hub: &Hub,
    user: &UserRow,
    game: &dyn Game,
    terms: Terms,
    seed: Seed,
    imported: Option<i64>,
    journal: &Journal,
) -> Result<Created> {
    let info = game.info();
    check_clock(&terms.clock)?;
    let (needed, given) = (info.seats.len(), terms.seats.len());
    if needed != given {
        return Err(Fault::bad(format!("{needed} seats are needed, {given} given")));
    }
    let title = match terms.title.as_deref().map(str::trim) {
        None | Some("") => String::new(),
        Some(title) => limits::name(title, TITLE)?,
    };
    let id = ids::id();
    let now = ids::now_ms();
    let mut seats = Vec::new();
    let mut invites = Vec::new();
    for (at, choice) in terms.seats.into_iter().enumerate() {
        let seat = Seat(at as u8);
        let mut row = SeatRow {
            game: id.clone(),
            seat,
            kind: SeatKind::Person,
            user: None,
            name: None,
            level: None,
            invite: None,
            archived: false,
        };
        match choice {
            SeatChoice::Me => {
                row.user = Some(user.id.clone());
                row.name = Some(user.name.clone());
            }
            SeatChoice::Hotseat { name } => {
                row.user = Some(user.id.clone());
                row.name = name.map(|n| limits::name(&n, NAME)).transpose()?;
            }
            SeatChoice::Open => row.kind = SeatKind::Open,
            SeatChoice::Invite => {
                let code = ids::secret();
                row.kind = SeatKind::Invited;
                row.invite = Some(ids::hash(&code));
                invites.push(Invite { seat, code });
            }
            SeatChoice::Bot { level } => {
                let levels = hub.config.bots.levels(&info.id);
                if !levels.iter().any(|l| l.id == level) {
                    let known: Vec<&str> = levels.iter().map(|l| l.id.as_str()).collect();
                    return Err(Fault::bad(format!("no bot level `{level}`; there is {}", known.join(", "))));
                }
                row.kind = SeatKind::Bot;
                row.level = Some(level);
            }
        }
        seats.push(row);
    }
    let row = GameRow {
        id: id.clone(),
        host: user.id.clone(),
        title,
        setup: journal.setup.clone(),
        seed: ids::hex(&seed),
        commitment: commitment(&seed),
        clock: terms.clock,
        visibility: terms.visibility,
        status: Status::Waiting,
        awaiting: 0,
        bot_due: 0,
        deadline: None,
        rematch: None,
        imported,
        created: now,
        updated: now,
        analysis: terms.analysis,
        turn: 0,
    };
    let mut statements = vec![row.insert()];
    statements.extend(seats.iter().map(SeatRow::insert));
    for (n, record) in journal.records.iter().enumerate() {
        let what = RecordKind::Deed { record: record.clone(), timeout: false, note: None };
        statements.push(Record { what, clocks: None }.store(n as u32 + 1, now).insert(&id));
    }
    hub.store.write(statements).await?;
    let mut room = hub.room(&id).await?;
    start_if_full(hub, &mut room).await?;
    Ok(Created { game: room.detail(Some(&user.id)), invites })
}

async fn start_if_full(hub: &Hub, room: &mut Room) -> Result<()> {
    if room.status() != Status::Waiting {
        room.start(hub, Vec::new()).await?;
    }
    Ok(())
}

pub async fn join(hub: &Hub, user: &UserRow, id: &str, join: JoinGame) -> Result<GameDetail> {
    let mut room = hub.room(id).await?;
    let hash = join.code.as_deref().map(ids::hash);
    let by_code =
        hash.as_deref().and_then(|h| room.seats.iter().position(|s| s.invite.as_deref() == Some(h)));
    let at = match (by_code, &join.code) {
        (Some(at), _) => at,
        // A wrong code reveals nothing about the game.
        (None, Some(_)) => return Err(Fault::not_found()),
        (None, None) => {
            room.may_look(Some(&user.id))?;
            let free = |s: &SeatRow| {
                s.kind == SeatKind::Open
                    || (s.kind == SeatKind::Invited && s.user.as_deref() == Some(user.id.as_str()))
            };
            let wanted = |s: &SeatRow| join.seat.is_none_or(|seat| seat == s.seat);
            let taken = || Fault::new(ErrorCode::Taken, "no such seat is free for you");
            room.seats.iter().position(|s| free(s) && wanted(s)).ok_or_else(taken)?
        }
    };
    if join.look {
        let mut detail = room.detail(Some(&user.id));
        detail.summary.mine = vec![room.seats[at].seat];
        return Ok(detail);
    }
    let mut seat = room.seats[at].clone();
    seat.kind = SeatKind::Person;
    seat.user = Some(user.id.clone());
    seat.name = Some(user.name.clone());
    seat.invite = None;
    let others = room.seats.iter().filter_map(SeatRow::holder).filter(|u| *u != user.id);
    let draft = |other| hub.notices.draft(other, NoticeKind::Joined, id, &room.row.title, None);
    let drafts: Vec<Draft> = others.map(draft).collect();
    let mut statements = vec![seat.update()];
    statements.extend(drafts.iter().map(Draft::insert));
    room.seats[at] = seat;
    if room.status() == Status::Playing {
        // In one transaction: once all seats are taken, the game has started.
        room.start(hub, statements).await?;
    } else if let Err(error) = hub.store.write(statements).await {
        room.broken = true;
        return Err(error.into());
    }
    for draft in &drafts {
        hub.notices.written(draft);
    }
    room.reseat();
    Ok(room.detail(Some(&user.id)))
}

/// A new invitation link for a seat that is still free. The old link becomes invalid.
pub async fn invite(hub: &Hub, user: &UserRow, id: &str, seat: Seat) -> Result<Invite> {
    let mut room = hub.room(id).await?;
    room.may_look(Some(&user.id))?;
    if room.row.host != user.id {
        return Err(Fault::new(ErrorCode::Forbidden, "only whoever made the game invites"));
    }
    let free = |s: &SeatRow| s.seat == seat && matches!(s.kind, SeatKind::Open | SeatKind::Invited);
    let at =
        room.seats.iter().position(free).ok_or_else(|| Fault::new(ErrorCode::Taken, "that seat is taken"))?;
    let code = ids::secret();
    let mut row = room.seats[at].clone();
    row.kind = SeatKind::Invited;
    row.user = None;
    row.name = None;
    row.invite = Some(ids::hash(&code));
    hub.store.write(vec![row.update()]).await?;
    room.seats[at] = row;
    room.show_table(None);
    Ok(Invite { seat, code })
}

/// The next game of the same players. The second player to ask takes the seat reserved in it.
pub async fn rematch(hub: &Hub, user: &UserRow, id: &str, swap: bool) -> Result<GameDetail> {
    let mut old = hub.room(id).await?;
    old.may_look(Some(&user.id))?;
    if old.held(Some(&user.id)).is_empty() {
        return Err(Fault::new(ErrorCode::Forbidden, "only players play again"));
    }
    if old.status() != Status::Over {
        return Err(Fault::new(ErrorCode::NotOver, "the game is not over"));
    }
    if let Some(next) = old.row.rematch.clone() {
        drop(old);
        return match join(hub, user, &next, JoinGame::default()).await {
            Err(fault) if fault.code() == ErrorCode::Taken => {
                let room = hub.room(&next).await?;
                room.may_look(Some(&user.id))?;
                Ok(room.detail(Some(&user.id)))
            }
            other => other,
        };
    }
    let seed = ids::random::<32>();
    let now = ids::now_ms();
    let next = ids::id();
    let count = old.seats.len();
    let seats: Vec<SeatRow> = old
        .seats
        .iter()
        .map(|s| {
            let at = (usize::from(s.seat.0) + usize::from(swap)) % count;
            let mine = s.user.as_deref() == Some(user.id.as_str());
            let kind = if s.kind == SeatKind::Person && !mine { SeatKind::Invited } else { s.kind };
            SeatRow {
                game: next.clone(),
                seat: Seat(at as u8),
                kind,
                invite: None,
                archived: false,
                ..s.clone()
            }
        })
        .collect();
    let row = GameRow {
        id: next.clone(),
        host: user.id.clone(),
        seed: ids::hex(&seed),
        commitment: commitment(&seed),
        status: Status::Waiting,
        awaiting: 0,
        bot_due: 0,
        deadline: None,
        rematch: None,
        imported: None,
        created: now,
        updated: now,
        turn: 0,
        ..old.row.clone()
    };
    let mut before = old.row.clone();
    before.rematch = Some(next.clone());
    let mut statements = vec![row.insert(), before.update()];
    statements.extend(seats.iter().map(SeatRow::insert));
    let others = seats.iter().filter(|s| s.kind == SeatKind::Invited).filter_map(|s| s.user.as_deref());
    let draft = |other| hub.notices.draft(other, NoticeKind::Rematch, &next, &row.title, None);
    let drafts: Vec<Draft> = others.map(draft).collect();
    statements.extend(drafts.iter().map(Draft::insert));
    hub.store.write(statements).await?;
    old.row = before;
    old.show_table(None);
    for draft in &drafts {
        hub.notices.written(draft);
    }
    drop(old);
    let mut room = hub.room(&next).await?;
    start_if_full(hub, &mut room).await?;
    Ok(room.detail(Some(&user.id)))
}

/// Archive a game or bring it back, for this user only.
pub async fn archive(hub: &Hub, user: &UserRow, id: &str, archived: bool) -> Result<()> {
    let mut room = hub.room(id).await?;
    let mut statements = Vec::new();
    let mut seats = room.seats.clone();
    for seat in seats.iter_mut().filter(|s| s.user.as_deref() == Some(user.id.as_str())) {
        seat.archived = archived;
        statements.push(seat.update());
    }
    if statements.is_empty() {
        return Err(Fault::not_found());
    }
    hub.store.write(statements).await?;
    room.seats = seats;
    Ok(())
}

/// The game as a file. While it is being played, only if it has no secrets from this user, and without its seed, which
/// would reveal all future dice.
pub async fn export(hub: &Hub, user: Option<&UserRow>, id: &str) -> Result<String> {
    let room = hub.room(id).await?;
    let over = may_export(&room, user)?;
    let mut journal = room.session.journal().clone();
    if over && let Some(seed) = ids::unhex32(&room.row.seed) {
        journal.reveal(&seed);
    }
    Ok(journal.export())
}

/// Check that a user may export a game. Returns whether the game is over.
fn may_export(room: &Room, user: Option<&UserRow>) -> Result<bool> {
    let me = user.map(|u| u.id.as_str());
    room.may_look(me)?;
    let over = room.session.is_over();
    // A bot that stands in for an absent player keeps that player's secrets.
    let bot = |s: &SeatRow| s.kind == SeatKind::Bot && s.user.is_none();
    let alone = me.is_some() && room.seats.iter().all(|s| bot(s) || s.holder() == me);
    if !over && !alone && room.secrets {
        return Err(Fault::new(
            ErrorCode::Secret,
            "the journal contains secrets; it can be exported when the game is over",
        ));
    }
    Ok(over)
}
