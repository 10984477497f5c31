//! The game as the kernel knows it: the rules, and the entry of the catalogue with its lab.

use std::sync::Arc;

use kernel::board::{Board, Cell as BoardCell};
use kernel::lab::Head;
use kernel::log::Event as Logged;
use kernel::{
    Ask, Dice, Entry, Erased, Game, GameInfo, Log, Message, Outcome, Pending, Prompt, Refusal, Rules,
    ScenarioInfo, Seat, SeatInfo, Secrecy, Setup, SetupError, Slot, SlotKind, Stop, Table, Template, Verdict,
    View, Viewer,
};
use rand_core::RngCore;
use serde_json::{Value, json};

use super::action::{self, Action, Order, Subject};
use super::play::{self, Event};
use super::state::{BLUE, Cell, Frame, LAST_TURN, Piece, RED, State};
use super::view;

#[derive(Debug, Default)]
pub struct Rulebook;

pub fn rules() -> Arc<Rulebook> {
    Arc::new(Rulebook)
}

impl Rules for Rulebook {
    type State = State;
    type Action = Action;
    type Subject = Subject;
    type Event = Event;

    fn pending(&self, state: &State) -> Pending {
        match state.frame() {
            Frame::Decoys | Frame::Orders => Pending::Each(state.awaited()),
            Frame::Actions(seat) => Pending::One(*seat),
            Frame::Ambush { by, .. } => Pending::One(*by),
            Frame::DrawBack { .. } => Pending::Any(state.awaited()), // 8
            Frame::Over => {
                let (red, blue) = (state.troops(RED), state.troops(BLUE));
                Pending::Over(Outcome {
                    winner: (red != blue).then_some(if red > blue { RED } else { BLUE }),
                    why: Message::new("outcome").number("red", red as i64).number("blue", blue as i64),
                    rule: "7".into(),
                })
            }
        }
    }

    fn prompt(&self, state: &State, seat: Seat) -> Prompt {
        let (key, rule) = match state.frame() {
            _ if !state.awaited().contains(seat) => ("prompt.wait", "-"),
            Frame::Decoys => ("prompt.decoy", "2.1"),
            Frame::Orders => ("prompt.order", "3"),
            Frame::Actions(_) => ("prompt.actions", "4"),
            Frame::Ambush { .. } => ("prompt.ambush", "5"),
            Frame::DrawBack { .. } => ("prompt.draw_back", "8"),
            Frame::Over => ("phase.over", "7"),
        };
        Prompt::new(Message::new(key), rule)
    }

    fn subjects(&self, state: &State, seat: Seat, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(State::of(seat).map(Subject::Piece));
        out.extend(Cell::all().map(Subject::Target));
        let mut options = Vec::new();
        out.retain(|subject| {
            options.clear();
            self.options(state, seat, *subject, &mut options);
            !options.is_empty()
        });
    }

    fn options(&self, state: &State, seat: Seat, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.extend([
                Action::Order(Order::Advance),
                Action::Order(Order::Ambush),
                Action::HoldFire,
                Action::HoldAll,
                Action::Done,
            ]),
            Subject::Piece(piece) => {
                out.extend([Action::Decoy(piece), Action::Fire(piece)]);
                let beside = state
                    .piece(piece)
                    .cell
                    .into_iter()
                    .flat_map(|here| Cell::all().filter(move |cell| here.beside(*cell)));
                for cell in beside {
                    out.extend([Action::Scout { piece, cell }, Action::DrawBack { piece, to: cell }]);
                }
                let here = state.piece(piece).cell.filter(|_| matches!(state.frame(), Frame::Actions(_)));
                for via in Cell::all().filter(|via| here.is_some_and(|here| here.beside(*via))) {
                    out.push(Action::Move { piece, path: vec![via] });
                    let onward = Cell::all().filter(|to| to.beside(via));
                    out.extend(onward.map(|to| Action::Move { piece, path: vec![via, to] }));
                }
            }
            Subject::Target(target) => {
                // An attack is a skeleton: legal if somebody can be named.
                if !attackers(state, seat, target).is_empty() {
                    out.push(Action::Attack { target, with: Vec::new(), shells: 0 });
                }
                return;
            }
        }
        out.retain(|action| play::check(state, seat, action).is_ok());
    }

    fn template(&self, state: &State, seat: Seat, action: &Action) -> Option<Template> {
        let Action::Attack { target, .. } = action else { return None };
        let candidates: Vec<String> =
            attackers(state, seat, *target).into_iter().map(State::piece_name).collect();
        let attackers = Slot {
            words: format!("attack {} with", target.name()),
            kind: SlotKind::Units,
            label: "slot.attackers".into(),
            min: 1,
            max: candidates.len() as u16,
            suggested: candidates.clone(),
            candidates,
        };
        let mut parts = vec![attackers];
        let shells = state.shells[usize::from(seat.0)];
        if shells > 0 {
            parts.push(Slot {
                words: "shells".into(),
                kind: SlotKind::Amount,
                label: "slot.shells".into(),
                min: 0,
                max: shells.into(),
                suggested: Vec::new(),
                candidates: Vec::new(),
            });
        }
        Some(Template::of(parts))
    }

    fn sample(&self, state: &State, seat: Seat, action: &mut Action, rng: &mut dyn RngCore) -> bool {
        if let Action::Attack { target, with, shells } = action
            && with.is_empty()
        {
            *shells = (rng.next_u32() % (u32::from(state.shells[usize::from(seat.0)]) + 1)) as u8;
            with.extend(attackers(state, seat, *target));
            let keep = rng.next_u32();
            with.retain(|piece| keep >> piece & 1 == 1);
            return !with.is_empty();
        }
        true
    }

    fn verdict(&self, state: &State, seat: Seat, action: &Action) -> Verdict {
        play::check(state, seat, action).into()
    }

    fn apply(
        &self,
        state: &mut State,
        seat: Seat,
        action: &Action,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        play::apply(state, seat, action, dice, log)
    }

    fn secrecy(&self, before: &State, seat: Seat, _action: &Action) -> Secrecy {
        match before.frame() {
            Frame::Decoys => Secrecy::UntilDisclosed(seat.0.into()), // 2.2
            Frame::Orders => Secrecy::UntilRevealed,                 // 3
            _ => Secrecy::Open,
        }
    }

    fn redacted(&self, before: &State, _seat: Seat, _action: &Action) -> Option<String> {
        (*before.frame() == Frame::Decoys).then(|| "decoy …".into())
    }

    fn resample(&self, state: &State, viewer: Viewer, rng: &mut dyn RngCore) -> Option<State> {
        Some(view::resample(state, viewer, rng))
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        view::view(state, viewer)
    }

    fn report(&self, _after: &State, event: &Logged<Event>, out: &mut Vec<Entry>) {
        view::report(event, out);
    }

    fn ask(&self, state: &State, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        let words: Vec<&str> = question.split_whitespace().collect();
        let piece = |text: &str| {
            State::parse_piece(text)
                .ok_or_else(|| Ask::Bad(format!("no such piece `{text}`; there is r1 … b4")))
        };
        match words[..] {
            ["moves", text] => {
                let piece = piece(text)?;
                let mut options = Vec::new();
                self.options(state, State::owner(piece), Subject::Piece(piece), &mut options);
                let mut ends: Vec<String> = Vec::new();
                for action in options {
                    if let Action::Move { path, .. } = action {
                        ends.extend(path.last().map(|cell| cell.name()));
                    }
                }
                ends.sort();
                ends.dedup();
                Ok(json!(ends))
            }
            ["piece", text] => {
                let n = piece(text)?;
                let piece = state.piece(n);
                let mut answer = json!({ "cell": piece.cell.map(Cell::name), "shown": piece.shown });
                if view::knows(state, viewer, n) {
                    answer["decoy"] = json!(piece.decoy);
                }
                Ok(answer)
            }
            ["troops", side] => {
                let seat = seat(side).map_err(|e| Ask::Bad(e.to_string()))?;
                if viewer.knows(seat) { Ok(json!(state.troops(seat))) } else { Err(Ask::Secret) }
            }
            _ => Err(Ask::Unknown(question.into())),
        }
    }

    fn notate(&self, _: &State, action: &Action) -> String {
        action::notate(action)
    }

    fn parse(&self, _: &State, _: Seat, text: &str) -> Result<Action, Refusal> {
        action::parse(text)
    }

    fn notate_subject(&self, _: &State, subject: Subject) -> String {
        action::notate_subject(subject)
    }

    fn parse_subject(&self, _: &State, text: &str) -> Result<Subject, Refusal> {
        action::parse_subject(text)
    }
}

/// The pieces that may join an attack on this cell.
fn attackers(state: &State, seat: Seat, target: Cell) -> Vec<u8> {
    let may = |piece: &u8| {
        play::check(state, seat, &Action::Attack { target, with: vec![*piece], shells: 0 }).is_ok()
    };
    State::of(seat).filter(may).collect()
}

/// The catalogue's entry.
#[derive(Debug)]
pub struct Outpost {
    info: GameInfo,
}

pub fn game() -> Arc<dyn Game> {
    let seat = |id: &str| SeatInfo { id: id.into(), name: format!("side.{id}"), colour: id.into() };
    let info = GameInfo {
        id: "outpost".into(),
        name: "game.name".into(),
        about: "game.about".into(),
        seats: vec![seat("red"), seat("blue")],
        editions: vec!["1e".into()],
        scenarios: vec![ScenarioInfo {
            id: "standard".into(),
            name: "scenario.standard".into(),
            about: "game.about".into(),
            turns: LAST_TURN.into(),
            first: 1,
            minutes: 15,
            editions: Vec::new(),
        }],
        secrets: true,
        ..GameInfo::default()
    };
    Arc::new(Outpost { info })
}

pub fn setup() -> Setup {
    Setup { game: "outpost".into(), scenario: "standard".into(), ..Setup::default() }
}

fn unknown(what: &'static str, name: &str, known: &str) -> SetupError {
    SetupError::Unknown { what, name: name.into(), known: known.into() }
}

fn seat(name: &str) -> Result<Seat, SetupError> {
    match name {
        "red" => Ok(RED),
        "blue" => Ok(BLUE),
        _ => Err(unknown("side", name, "red, blue")),
    }
}

impl Game for Outpost {
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn open(&self, setup: &Setup) -> Result<Box<dyn Table>, SetupError> {
        if setup.scenario != "standard" {
            return Err(unknown("scenario", &setup.scenario, "standard"));
        }
        Ok(Box::new(Erased::new(rules(), State::start())))
    }

    fn lab(&self, head: &toml::Table) -> Result<Box<dyn kernel::lab::LabTable>, SetupError> {
        let fields = Head::read(head)?;
        fields.only(&["orders"])?;
        if let Some(scenario) = fields.scenario.filter(|s| *s != "standard") {
            return Err(unknown("scenario", scenario, "standard"));
        }
        let mut state = State::start();
        if !fields.units.is_empty() {
            state.named = [true, true];
            state.frames = vec![Frame::Orders];
            for piece in &mut state.pieces {
                piece.cell = None;
            }
            for unit in &fields.units {
                place(&mut state, unit)?;
            }
        }
        if let Some(turn) = fields.turn {
            if turn == 0 || turn > LAST_TURN.into() {
                return Err(SetupError::Bad(format!("turn: {turn} is not from 1 to {LAST_TURN}")));
            }
            state.turn = turn as u8;
        }
        if let Some(orders) = head.get("orders") {
            let orders =
                orders.as_table().ok_or_else(|| SetupError::Bad("orders: must be a table".into()))?;
            for (side, order) in orders {
                let name = order.as_str().unwrap_or_default();
                let order = Order::parse(name).ok_or_else(|| unknown("order", name, "advance, ambush"))?;
                state.orders[usize::from(seat(side)?.0)] = Some(order);
            }
        }
        let active = fields.side.map_or(Ok(RED), seat)?;
        match fields.phase {
            None => {}
            Some("orders") => state.frames = vec![Frame::Orders],
            Some("actions") => state.frames = vec![Frame::Actions(active)],
            Some(other) => return Err(unknown("phase", other, "orders, actions")),
        }
        if *state.frame() == Frame::Orders && state.orders.iter().all(Option::is_some) {
            state.frames = vec![Frame::Actions(active)];
        }
        Ok(Box::new(Erased::new(rules(), state)))
    }

    fn messages(&self, language: &str) -> Option<&'static str> {
        match language {
            "en" => Some(include_str!("messages/en.toml")),
            "ko" => Some(include_str!("messages/ko.toml")),
            "ja" => Some(include_str!("messages/ja.toml")),
            _ => None,
        }
    }

    fn board(&self, _: &Setup) -> Result<Board, SetupError> {
        let cell = |c: Cell| BoardCell {
            id: c.name(),
            x: f32::from(c.column()) + 0.5,
            y: f32::from(c.row()) + 0.5,
            name: None,
            names: std::collections::BTreeMap::default(),
            terrain: Vec::new(),
        };
        Ok(Board {
            width: 5.0,
            height: 4.0,
            outline: vec![(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)],
            cells: Cell::all().map(cell).collect(),
            boxes: Vec::new(),
        })
    }

    fn map_svg(&self, _: &Setup, _: &str) -> Result<String, SetupError> {
        Ok(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 4"/>"#.into())
    }
}

/// `[[unit]]`: id, cell, and what it is.
fn place(state: &mut State, unit: &toml::Table) -> Result<(), SetupError> {
    let text = |name: &str| unit.get(name).and_then(toml::Value::as_str);
    let id = text("id").ok_or_else(|| SetupError::Bad("unit: `id` is missing".into()))?;
    let n = State::parse_piece(id).ok_or_else(|| unknown("unit", id, "r1 … r4, b1 … b4"))?;
    let cell = text("cell").ok_or_else(|| SetupError::Bad(format!("unit {id}: `cell` is missing")))?;
    let cell = Cell::parse(cell).ok_or_else(|| unknown("cell", cell, "a1 … e4"))?;
    let decoy = match text("type") {
        None | Some("troop") => false,
        Some("decoy") => true,
        Some(other) => return Err(unknown("type", other, "troop, decoy")),
    };
    *state.piece_mut(n) = Piece {
        cell: Some(cell),
        decoy,
        shown: false,
        scouted: false,
        found_out: false,
        moved: false,
        fought: false,
    };
    if let Some(states) = unit.get("state").and_then(toml::Value::as_array) {
        for word in states {
            match word.as_str() {
                Some("shown") => state.piece_mut(n).shown = true,
                Some("moved") => state.piece_mut(n).moved = true,
                Some("fought") => state.piece_mut(n).fought = true,
                _ => return Err(unknown("state", &word.to_string(), "shown, moved, fought")),
            }
        }
    }
    Ok(())
}
