//! The table of a lab file: as strict as any other about what is legal, but patient with how a file tells its story. A
//! file may write a decision that left no choice and was taken for its side already, and it may pass over a question to
//! which there is a plain "no".

use kernel::{
    Applied, Ask, Dice, Erased, OptionItem, Pending, Prompt, Refusal, Seat, SetupError, Stop, SubjectItem,
    Table, Verdict, View, Viewer,
};
use rand_core::RngCore;
use serde_json::Value;

use super::taken::{self, Taken};
use crate::{
    action::Action,
    flow,
    frame::Frame,
    notation,
    play::{Cx, seat, side},
    rules::Ardennes,
    state::State,
};

/// More questions than this do not stand between two decisions of a file.
const MOST_PASSED: usize = 12;

pub struct LabTable {
    inner: Erased<Ardennes>,
    /// Decisions without a choice that the last one led to.
    taken: Vec<Taken>,
}

impl LabTable {
    pub fn new(inner: Erased<Ardennes>) -> Self {
        LabTable { inner, taken: Vec::new() }
    }

    fn play(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        taken::take();
        let applied = self.inner.apply(seat, action, dice)?;
        self.taken = taken::take();
        Ok(applied)
    }

    /// The decision was taken already, as there was no other: it may be written all the same.
    fn said_again(&mut self, seat: Seat, action: &str) -> Option<Applied> {
        let rules = &self.inner.rules;
        let at = self.taken.iter().position(|t| t.side == side(seat) && same(rules, &t.text, action));
        let at = at.or_else(|| self.finished(action))?;
        Some(Applied {
            action: self.taken.remove(at).text,
            entries: Vec::new(),
            rolls: Vec::new(),
            revealed: false,
            secrecy: kernel::Secrecy::Open,
        })
    }

    /// 15.8: an Improved Position that was finished when the phase began.
    fn finished(&mut self, action: &str) -> Option<usize> {
        let unit = action.trim().strip_prefix("finish ")?;
        let unit = self.inner.rules.pack.unit_by_slug(unit.trim())?;
        let hex = self.inner.state.unit(unit).hex()?;
        if !self.inner.state.improved.contains(hex) {
            return None;
        }
        let (side, at) = (self.inner.rules.counter(unit).side, Box::new(self.inner.state));
        self.taken.push(Taken { side, text: action.to_owned(), at });
        Some(self.taken.len() - 1)
    }

    /// A decision that came up while the last one was carried out and was not asked for, as there was only one answer: why
    /// this one was not open.
    fn not_open(&self, seat: Seat, action: &str) -> Option<Verdict> {
        let rules = &self.inner.rules;
        self.taken.iter().rev().filter(|taken| taken.side == side(seat)).find_map(|taken| {
            let action = notation::read(rules, &taken.at, taken.side, action).ok()?;
            match flow::check(&Cx { rules, s: &taken.at, side: taken.side, frame: taken.at.top() }, &action) {
                Err(refusal) if !out_of_turn(&refusal) => Some(Verdict::Illegal(refusal)),
                _ => None,
            }
        })
    }

    /// The position after the questions that the file passes over, if the decision can be taken there.
    fn after_passing(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Option<Applied> {
        let mut trial = self.inner.clone();
        let mut trial_dice = dice.clone();
        for _ in 0..MOST_PASSED {
            let (by, pass) = pass(&trial.rules, &trial.state)?;
            taken::take();
            trial.apply(by, &pass, &mut trial_dice).ok()?;
            let mut later = LabTable { inner: trial.clone(), taken: taken::take() };
            let mut later_dice = trial_dice.clone();
            let applied =
                later.play(seat, action, &mut later_dice).ok().or_else(|| later.said_again(seat, action));
            if let Some(applied) = applied {
                *self = later;
                *dice = later_dice;
                return Some(applied);
            }
        }
        None
    }
}

/// Do two lines mean the same decision, hexes with or without the letter of their map?
fn same(rules: &Ardennes, a: &str, b: &str) -> bool {
    let alike = |(a, b): (&str, &str)| {
        a.eq_ignore_ascii_case(b)
            || matches!((rules.map.board.find(a), rules.map.board.find(b)), (Ok(a), Ok(b)) if a == b)
    };
    let words = |text: &'_ str| text.split_whitespace().count();
    words(a) == words(b) && a.split_whitespace().zip(b.split_whitespace()).all(alike)
}

/// The plain "no" to the question that is asked now.
fn pass(rules: &Ardennes, s: &State) -> Option<(Seat, String)> {
    if s.ending.is_some() {
        return None;
    }
    let frame = s.top();
    let action = match frame {
        Frame::BlowBridge => Action::HoldFire,
        Frame::CallOff => Action::GoOn,
        Frame::Support => Action::NoSupport,
        Frame::FireFight => Action::Engage,
        Frame::Recon => Action::Accept,
        Frame::Remnant(_) => Action::Remnant { form: true },
        Frame::DeterminedDefense => Action::GiveWay,
        Frame::Advance | Frame::Breakthrough | Frame::Counterattack => Action::Stay,
        Frame::Walk => Action::Halt,
        Frame::Infiltrate => Action::Infiltrate { attempt: false },
        Frame::Begin => Action::Done,
        // 16.6: the marker must go somewhere.
        Frame::PlaceAdvantage => Action::Advantage { unit: *s.combat.attackers.first()? },
        _ => return None,
    };
    let asked = flow::asks(rules, s, frame)?;
    Some((seat(asked), notation::write(rules, s, &action)))
}

/// The rules that say again what a refusal cites another rule for. Bonds (10.2) are named where retreats, advances and
/// moves are ruled, too; who may not attack is listed in 14.1.
fn also(key: &str, frame: Frame) -> &'static [&'static str] {
    match key.strip_prefix("no.").unwrap_or(key) {
        "bond.hex" | "bond.hexside" => match frame {
            Frame::Movement | Frame::Walk => &["9.2", "9.3", "11.3"],
            Frame::Retreat | Frame::RetreatOn(_) => &["17.1", "17.2"],
            Frame::Disengage | Frame::DisengageRetreat => &["17.1", "17.2", "20.3"],
            Frame::Advance => &["19.3"],
            // A retreat or an advance that comes after what is asked now.
            _ => &["17.1", "17.2", "19.3"],
        },
        "attack.artillery"
        | "attack.disrupted"
        | "attack.disengaged"
        | "attack.building"
        | "attack.replaced"
        | "attack.night_marker"
        | "attack.no_night_marker" => &["14.1"],
        "attack.nations" => &["8.4"],
        "vehicle_road" => &["11.3", "21.5"],
        "vehicle.river" => &["21.5"],
        "crossing.second" => &["11.4", "11.6"],
        "engaged" => &["11.1", "20.1"],
        "disrupted.tactical_only" | "oos.tactical_only" => &["11.3"],
        "artillery.disrupted" => &["18.2"],
        "artillery.oos" => &["23.4", "22.10"],
        "artillery.strategic" => &["12.1"],
        "stacking" | "stacking.points" | "stacking.steps" | "stacking.artillery" | "stacking.units" => {
            match frame {
                Frame::Advance => &["8.2", "8.3", "19.7"],
                _ => &["8.2", "8.3"],
            }
        }
        "support.fired" => &["22.5"],
        "support.engaged" => &["16.5"],
        "support.disrupted" | "determined.disrupted" | "breakdown.disrupted" | "disengage.disrupted" => {
            &["18.2"]
        }
        "support.prime_mover" => &["22.3"],
        "retreat.ezoc" => &["17.1"],
        "retreat.avoid_ezoc" => &["17.2"],
        "retreat.vehicle_river" | "retreat.vehicle_road" => &["21.5"],
        "retreat.meuse" => &["11.4"],
        "advance.artillery" => &["22.10"],
        "advance.red_code" => &["19.1"],
        "advance.boundary" => &["19.1"],
        "advance.out_of_supply" => &["19.1", "23.4"],
        "advance.river" => &["11.4", "21.5"],
        "advance.wooded_rough" => &["11.6", "21.5"],
        "advance.forest" | "advance.vehicle_road" => &["11.5", "21.5"],
        "loss.lead" => &["16.2", "16.71"],
        "disengage.red_code" => &["20.1"],
        "fire_fight.lead" => &["7.4", "19.2"],
        _ => &[],
    }
}

/// Has the unit nothing but Tactical Movement (13.2, 18.2, 23.4)? A file need not say then that it uses it.
fn tactical_only(stop: &Stop) -> bool {
    matches!(stop, Stop::Illegal(refusal) if refusal.why.key.ends_with(".tactical_only"))
}

/// Was the decision refused because another question is asked?
fn out_of_turn(refusal: &Refusal) -> bool {
    matches!(&*refusal.why.key, "no.not_now" | "no.not_your_turn")
}

impl Table for LabTable {
    fn apply(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        let stop = match self.play(seat, action, dice) {
            Err(stop @ Stop::Illegal(_)) => stop,
            other => return other,
        };
        if let Some(applied) = self.said_again(seat, action) {
            return Ok(applied);
        }
        if tactical_only(&stop)
            && let Ok(applied) = self.play(seat, &format!("{action} tactical"), dice)
        {
            return Ok(applied);
        }
        match &stop {
            Stop::Illegal(refusal) if out_of_turn(refusal) => {
                self.after_passing(seat, action, dice).ok_or(stop)
            }
            _ => Err(stop),
        }
    }

    fn verdict(&self, seat: Seat, action: &str) -> Verdict {
        let verdict = self.inner.verdict(seat, action);
        let mut trial = self.inner.clone();
        let mut dice = Dice::scripted(Vec::new());
        for _ in 0..MOST_PASSED {
            let later = match &verdict {
                Verdict::Illegal(refusal) if out_of_turn(refusal) => pass(&trial.rules, &trial.state),
                _ => None,
            };
            let Some((by, pass)) = later else { break };
            if trial.apply(by, &pass, &mut dice).is_err() {
                break;
            }
            match trial.verdict(seat, action) {
                Verdict::Illegal(refusal) if out_of_turn(&refusal) => {}
                found => return found,
            }
        }
        let out_of_turn = matches!(&verdict, Verdict::Illegal(refusal) if out_of_turn(refusal));
        if out_of_turn { self.not_open(seat, action).unwrap_or(verdict) } else { verdict }
    }

    fn patient(&self) -> bool {
        true
    }

    fn also_forbidden_by(&self, refusal: &Refusal) -> &'static [&'static str] {
        also(&refusal.why.key, self.inner.state.top())
    }

    fn turn(&self) -> u16 {
        self.inner.turn()
    }

    fn survey(&self) -> kernel::Survey {
        self.inner.survey()
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self.inner.as_any()
    }

    fn pending(&self) -> Pending {
        self.inner.pending()
    }

    fn prompt(&self, seat: Seat) -> Prompt {
        self.inner.prompt(seat)
    }

    fn subjects(&self, seat: Seat) -> Vec<SubjectItem> {
        self.inner.subjects(seat)
    }

    fn options(&self, seat: Seat, subject: &str) -> Result<Vec<OptionItem>, Refusal> {
        self.inner.options(seat, subject)
    }

    fn view(&self, viewer: Viewer) -> View {
        self.inner.view(viewer)
    }

    fn ask(&self, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        self.inner.ask(viewer, question)
    }

    fn snapshot(&self) -> Value {
        self.inner.snapshot()
    }

    fn restore(&mut self, snapshot: &Value) -> Result<(), SetupError> {
        self.inner.restore(snapshot)
    }

    fn clone_table(&self) -> Box<dyn Table> {
        Box::new(LabTable { inner: self.inner.clone(), taken: self.taken.clone() })
    }

    fn random_action(&self, seat: Seat, rng: &mut dyn RngCore) -> Option<String> {
        self.inner.random_action(seat, rng)
    }
}
