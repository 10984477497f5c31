//! A game whose rules panic on purpose: the decision is refused, the journal stays intact, the table goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kernel::board::Board;
use kernel::log::Event as Logged;
use kernel::{
    Ask, Dice, Entry, Erased, Game, GameInfo, Journal, Log, Pending, Prompt, Refusal, Rules, Seat, Secrecy,
    Setup, SetupError, Stop, Table, Template, Verdict, View, Viewer,
};
use rand_core::RngCore;
use serde_json::{Value, json};
use server::protocol::{Answered, ErrorCode, Request};

use crate::harness::TestDatabase;
use crate::outpost::{Action, Event, Rulebook, State, Subject};

/// Which parts of the rules panic at the moment.
#[derive(Debug, Default)]
struct Trap {
    apply: AtomicBool,
    report: AtomicBool,
    options: AtomicBool,
    view: AtomicBool,
}

fn spring(trap: &AtomicBool, what: &str) {
    assert!(!trap.load(Ordering::SeqCst), "{what} fails on purpose");
}

/// Outpost with a trap in it.
struct Trapped {
    inner: Rulebook,
    trap: Arc<Trap>,
}

impl Rules for Trapped {
    type State = State;
    type Action = Action;
    type Subject = Subject;
    type Event = Event;

    fn pending(&self, state: &State) -> Pending {
        self.inner.pending(state)
    }
    fn prompt(&self, state: &State, seat: Seat) -> Prompt {
        self.inner.prompt(state, seat)
    }
    fn subjects(&self, state: &State, seat: Seat, out: &mut Vec<Subject>) {
        self.inner.subjects(state, seat, out);
    }
    fn options(&self, state: &State, seat: Seat, subject: Subject, out: &mut Vec<Action>) {
        self.inner.options(state, seat, subject, out);
        spring(&self.trap.options, "options");
    }
    fn template(&self, state: &State, seat: Seat, action: &Action) -> Option<Template> {
        self.inner.template(state, seat, action)
    }
    fn sample(&self, state: &State, seat: Seat, action: &mut Action, rng: &mut dyn RngCore) -> bool {
        self.inner.sample(state, seat, action, rng)
    }
    fn verdict(&self, state: &State, seat: Seat, action: &Action) -> Verdict {
        self.inner.verdict(state, seat, action)
    }
    fn apply(
        &self,
        state: &mut State,
        seat: Seat,
        action: &Action,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        self.inner.apply(state, seat, action, dice, log)?;
        spring(&self.trap.apply, "apply");
        Ok(())
    }
    fn secrecy(&self, before: &State, seat: Seat, action: &Action) -> Secrecy {
        self.inner.secrecy(before, seat, action)
    }
    fn view(&self, state: &State, viewer: Viewer) -> View {
        spring(&self.trap.view, "view");
        self.inner.view(state, viewer)
    }
    fn report(&self, after: &State, event: &Logged<Event>, out: &mut Vec<Entry>) {
        spring(&self.trap.report, "report");
        self.inner.report(after, event, out);
    }
    fn ask(&self, state: &State, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        self.inner.ask(state, viewer, question)
    }
    fn notate(&self, state: &State, action: &Action) -> String {
        self.inner.notate(state, action)
    }
    fn parse(&self, state: &State, seat: Seat, text: &str) -> Result<Action, Refusal> {
        self.inner.parse(state, seat, text)
    }
    fn notate_subject(&self, state: &State, subject: Subject) -> String {
        self.inner.notate_subject(state, subject)
    }
    fn parse_subject(&self, state: &State, text: &str) -> Result<Subject, Refusal> {
        self.inner.parse_subject(state, text)
    }
}

struct TrappedGame {
    inner: Arc<dyn Game>,
    trap: Arc<Trap>,
}

impl Game for TrappedGame {
    fn info(&self) -> &GameInfo {
        self.inner.info()
    }
    fn open(&self, _: &Setup) -> Result<Box<dyn Table>, SetupError> {
        let rules = Trapped { inner: Rulebook, trap: Arc::clone(&self.trap) };
        Ok(Box::new(Erased::new(Arc::new(rules), State::start())))
    }
    fn lab(&self, head: &toml::Table) -> Result<Box<dyn kernel::lab::LabTable>, SetupError> {
        self.inner.lab(head)
    }
    fn messages(&self, language: &str) -> Option<&'static str> {
        self.inner.messages(language)
    }
    fn board(&self, setup: &Setup) -> Result<Board, SetupError> {
        self.inner.board(setup)
    }
    fn map_svg(&self, setup: &Setup, language: &str) -> Result<String, SetupError> {
        self.inner.map_svg(setup, language)
    }
}

fn set(trap: &AtomicBool, on: bool) {
    trap.store(on, Ordering::SeqCst);
}

/// Any move of this seat.
async fn a_move(table: &mut crate::client::Table, seat: Seat) -> String {
    for subject in table.now().asks[0].subjects.clone() {
        let options =
            table.ask(|id| Request::Options { id, seat, subject, after: Vec::new() }).await.unwrap();
        let Answered::Options(options) = options else { panic!("{options:?}") };
        if let Some(option) = options.into_iter().find(|o| o.action.starts_with("move")) {
            return option.action;
        }
    }
    panic!("nobody can move");
}

pub async fn a_room_outlives_its_rules(database: TestDatabase) {
    let trap = Arc::<Trap>::default();
    let mut config = database.config();
    config.games = vec![Arc::new(TrappedGame { inner: crate::outpost::game(), trap: Arc::clone(&trap) })];
    let server = database.open_with(config).await;
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "hotseat", "name": "Ben" }])).await;
    let id = made.game.summary.id.clone();
    let mut table = ann.sit(&id).await;
    while table.now().asks[0].prompt.message.key != "prompt.actions" {
        table.act_somehow().await;
    }
    let seat = table.now().asks[0].seat;
    let decided = table.now().decision;

    // The decision is refused, everybody is informed and nobody is disconnected, whether the rules fail while applying
    // it or while reporting it.
    let going = a_move(&mut table, seat).await;
    for part in [&trap.apply, &trap.report] {
        set(part, true);
        let refused = table.act(seat, &going).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::RulesFailed);
        table.until(|t| t.detail.as_ref().is_some_and(|d| d.failed)).await;
        assert_eq!((table.now().decision, table.closed), (decided, false));
        set(part, false);
    }

    // A question is refused as well.
    set(&trap.options, true);
    let subject = "phase".to_owned();
    let failed = table
        .ask(|id| Request::Options { id, seat, subject: subject.clone(), after: Vec::new() })
        .await
        .unwrap_err();
    assert_eq!(failed.code, ErrorCode::RulesFailed);
    set(&trap.options, false);
    let options = table.ask(|id| Request::Options { id, seat, subject, after: Vec::new() }).await.unwrap();
    assert!(matches!(options, Answered::Options(options) if !options.is_empty()));

    // A decision that leads to a position which cannot be shown is refused too; the game is loaded from disk again, and
    // its clients reconnect.
    set(&trap.view, true);
    let refused = table.act(seat, "done").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::RulesFailed);
    while !table.closed {
        table.hear().await;
    }
    assert_eq!(table.code, Some(1012), "come back");
    // As long as the position cannot be shown, new clients are told so.
    let mut late = crate::client::Table::connect(&ann.base, &id).await;
    let hello = json!({ "type": "hello", "protocol": server::protocol::PROTOCOL, "token": ann.token });
    late.send_raw(&hello.to_string()).await;
    while !late.closed {
        late.hear().await;
    }
    assert_eq!((late.welcomed, late.code), (false, Some(4500)));
    set(&trap.view, false);

    let mut table = ann.sit(&id).await;
    assert_eq!(table.now().decision, decided, "nothing was decided");
    table.must(seat.0, "done").await;
    assert!(table.detail.as_ref().is_some_and(|d| !d.failed));
    for _ in 0..200 {
        if table.now().asks.is_empty() {
            break;
        }
        table.act_somehow().await;
    }
    // The journal is intact: it replays under rules without the trap, with the dice that were committed to.
    let journal: Value = ann.get(&format!("/api/games/{id}/journal")).await;
    let proof = Journal::import(&journal.to_string()).unwrap().prove(&*crate::outpost::game()).unwrap();
    assert!(proof.dice > 0, "{proof:?}");
    server.close().await;
}

pub async fn a_bot_whose_rules_fail_is_reported(database: TestDatabase) {
    let trap = Arc::<Trap>::default();
    let mut config = database.config();
    config.games = vec![Arc::new(TrappedGame { inner: crate::outpost::game(), trap: Arc::clone(&trap) })];
    let server = database.open_with(config).await;
    set(&trap.apply, true);
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "bot", "level": "random" }])).await;
    let mut table = ann.sit(&made.game.summary.id).await;
    table.until(|t| t.detail.as_ref().is_some_and(|d| d.failed)).await;
    assert_eq!(table.now().decision, 0);
    // Once the rules work again, the game goes on, including the bot.
    set(&trap.apply, false);
    table.must(0, "decoy r1").await;
    table.until(|t| t.now().decision >= 2).await;
    table.until(|t| t.detail.as_ref().is_some_and(|d| !d.failed)).await;
    server.close().await;
}
