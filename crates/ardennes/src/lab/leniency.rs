//! What a lab file of this game may leave out (`kernel::lab::adapter`). A file is as strict as a normal game about what
//! is legal, but it may write a decision that was already taken automatically, and skip a question whose answer is a
//! plain "no".

use kernel::{
    Dice, Log, Refusal, RefusalKind, Seat, Stop, Verdict,
    lab::{
        Leniency, Next,
        adapter::{By, Last, Said, one_by_one},
    },
};
use rulebook::flow::Question as _;
use serde_json::Value;

use super::also::also;
use crate::{
    action::{Action, Attack, Mode},
    artillery_supply::ReadyArtillery,
    combat,
    event::Event,
    flags::Flags,
    frame::Frame,
    movement,
    pack::Side,
    phase::Phase,
    place::Place,
    play::{At, Cx, Play, seat, side},
    rules::{self, Ardennes},
    state::State,
};

/// Where the file begins: `done` leaves this phase.
#[derive(Clone, Copy, Debug)]
pub struct LabFile {
    pub begins: Phase,
}

impl LabFile {
    /// The current question, if there is one.
    fn cx<'a>(rules: &'a Ardennes, s: &'a State) -> Option<Cx<'a>> {
        let frame = s.top();
        let side = rulebook::flow::asks(rules, s, frame).filter(|_| s.ending.is_none())?;
        Some(Cx { rules, s, side, frame })
    }

    /// Results cached for a position do not hold for the next one.
    fn renew(rules: &Ardennes, s: &mut State) {
        s.renew_stamp();
        if s.top() == Frame::Movement {
            movement::candidates::take(rules, s, s.side);
        }
    }
}

impl Leniency for LabFile {
    type Rules = Ardennes;

    /// 25.32: an attack after the `done` of a night in which nobody may attack is one of that night, not of the next
    /// day.
    const PASSED_QUESTIONS_FIRST: bool = true;

    fn check(&self, rules: &Ardennes, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
        match Self::cx(rules, s).filter(|cx| cx.side == side(seat)) {
            Some(cx) => {
                rulebook::flow::check(&cx, action).map_err(|refusal| rules::of_its_rule(refusal, action))
            }
            None => Err(rules::not_your_turn(action)),
        }
    }

    fn decide(
        &self,
        rules: &Ardennes,
        s: &mut State,
        (seat, action): &By<Self>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let frame = s.top();
        rulebook::flow::apply::<Ardennes>(
            &mut Play { rules, s, dice, log },
            At { side: side(*seat), frame },
            action,
        )?;
        Self::renew(rules, s);
        Ok(())
    }

    fn next(&self, rules: &Ardennes, s: &State) -> Next<Action> {
        match Self::cx(rules, s) {
            Some(cx) => {
                rulebook::flow::forced(&cx).map_or(Next::Choice, |action| Next::Forced(seat(cx.side), action))
            }
            None if s.ending.is_some() => Next::Choice,
            None => Next::Runs,
        }
    }

    fn run(
        &self,
        rules: &Ardennes,
        s: &mut State,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<bool, Stop> {
        rulebook::flow::run_top::<Ardennes>(&mut Play { rules, s, dice, log })?;
        Self::renew(rules, s);
        Ok(true)
    }

    /// Only `done` leaves the phase in which the file begins, or one in which a unit has moved or fought: a file need
    /// not know which units have nothing left to do.
    fn waits(&self, rules: &Ardennes, s: &State, last: Option<&Last<Self>>) -> bool {
        let Some(cx) = Self::cx(rules, s) else { return false };
        let begins = s.phase == self.begins;
        let acted = |flags| rules.on_map(s, cx.side).any(|unit| s.unit(unit).is(flags));
        match cx.frame {
            Frame::Movement => begins || acted(Flags::MOVED),
            // 20.1: one `done` ends the phase for a side that neither disengages nor has anything to attack.
            Frame::Attacks => {
                let done = last.is_some_and(|last| {
                    last.at.top() == Frame::Disengage && last.by == (seat(cx.side), Action::Done)
                });
                !done && (begins || acted(Flags::ATTACKED))
            }
            Frame::ReadyArtillery { .. } | Frame::Bridges | Frame::PlaceMarkers => begins,
            // 25.2: if there are units that might receive replacements.
            Frame::Replacements { .. } => {
                let weak = |unit| s.unit(unit).place() == Place::Dead || s.unit(unit).is(Flags::REDUCED);
                self.begins.is_night() && rules.units_of(cx.side).any(weak)
            }
            _ => false,
        }
    }

    fn phase_ends(&self, s: &State) -> bool {
        s.top() == Frame::Sequence
    }

    fn pause(&self, s: &mut State) -> bool {
        s.push_frames(&[Frame::Begin]);
        s.renew_stamp();
        true
    }

    fn no(&self, rules: &Ardennes, s: &State, _: &Action) -> Option<By<Self>> {
        let cx = Self::cx(rules, s)?;
        let action = match cx.frame {
            Frame::BlowBridge => Action::HoldFire,
            Frame::CallOff => Action::GoOn,
            // 14.4: as the attack was written.
            Frame::AttackSupport => combat::attack_support::as_planned(&cx),
            Frame::Support => Action::NoSupport,
            Frame::FireFight => Action::Engage,
            Frame::Recon => Action::Accept,
            Frame::Remnant(_) => Action::Remnant { form: true },
            Frame::DeterminedDefense => Action::GiveWay,
            Frame::Advance | Frame::Breakthrough | Frame::Counterattack => Action::Stay,
            Frame::Walk => Action::Halt,
            Frame::Infiltrate => Action::Infiltrate { attempt: false },
            Frame::Begin => Action::Done,
            // 1E 32.2: unless a file says otherwise, the fuel is spent at once.
            Frame::SpendFuel { .. } => Action::SpendFuel { spend: true },
            // 16.6: the marker must be placed somewhere.
            Frame::PlaceAdvantage => Action::Advantage { unit: *s.combat.attackers.first()? },
            _ => return None,
        };
        Some((seat(cx.side), action))
    }

    /// 27.7: a file that does not open its phase with `done` has no die for 653 PzJ, which stays on the track: the first
    /// die is that of its first decision.
    fn left_out(&self, _: &Ardennes, s: &mut State) {
        s.pzj653_settled |= s.top() == Frame::Begin;
    }

    /// An attack ends disengagement (20.1), a move ends the Bridge Phase.
    fn leave(&self, rules: &Ardennes, s: &State, by: Seat, _: Option<&By<Self>>) -> Option<By<Self>> {
        let cx = Self::cx(rules, s)?;
        let step = matches!(
            cx.frame,
            Frame::ReadyArtillery { .. }
                | Frame::Bridges
                | Frame::Movement
                | Frame::Disengage
                | Frame::Replacements { .. }
        );
        let own = cx.side == side(by) || cx.frame == Frame::Disengage;
        (step && own).then_some((seat(cx.side), Action::Done))
    }

    /// 14.4: a file may name the support of an attack in its next line.
    fn complete(&self, _: &Ardennes, _: &State, action: Action) -> Action {
        match action {
            Action::Attack(attack) if attack.artillery.is_empty() && !attack.air => {
                Action::Attack(Attack { support_apart: true, ..attack })
            }
            other => other,
        }
    }

    /// 14.4: an attack whose line and the next one name no support has none.
    fn passed_over(&self, rules: &Ardennes, s: &State) -> Option<By<Self>> {
        let cx = Self::cx(rules, s).filter(|cx| cx.frame == Frame::AttackSupport)?;
        // Where a bridge, a roll or a fuel dump comes first, any table asks.
        let asked_of_all = combat::attack_support::comes_later(rules, s) || s.combat.blown;
        (!asked_of_all).then(|| (seat(cx.side), combat::attack_support::as_planned(&cx)))
    }

    /// 5.2: `done` readies all artillery that is not named, if the allowance covers it.
    fn before(&self, rules: &Ardennes, s: &State, (_, wanted): &By<Self>) -> Option<By<Self>> {
        let cx = Self::cx(rules, s)?;
        match (cx.frame, wanted) {
            (Frame::ReadyArtillery { .. }, Action::Done) => {
                let ready = ReadyArtillery.forced(&cx).filter(|a| matches!(a, Action::Ready { .. }))?;
                Some((seat(cx.side), ready))
            }
            _ => None,
        }
    }

    /// Places an Attacker's Advantage marker (16.6) and forms a Remnant (16.4).
    fn before_ask(&self, rules: &Ardennes, s: &State) -> Option<By<Self>> {
        matches!(s.top(), Frame::PlaceAdvantage | Frame::Remnant(_))
            .then(|| self.no(rules, s, &Action::Done))
            .flatten()
    }

    /// 15.8: an Improved Position that was finished when the phase began; 32.3: a dump that its garrison tried to
    /// destroy.
    fn already_done(&self, rules: &Ardennes, s: &State, told: &mut Vec<Value>, said: Said, _: bool) -> bool {
        let words: Vec<&str> = said.text.split_whitespace().collect();
        match words[..] {
            ["finish", unit] => {
                let hex = rules.pack.unit_by_slug(unit).and_then(|unit| s.unit(unit).hex());
                hex.is_some_and(|hex| s.improved.contains(hex))
            }
            ["burn", hex] if side(said.seat) == Side::Allied => {
                let roll =
                    told.iter().position(|event| event.get("rule").and_then(Value::as_str) == Some("32.3"));
                let here = rules.map.board.find(hex).is_ok_and(|hex| hex == s.combat.target);
                here && roll.map(|n| told.remove(n)).is_some()
            }
            _ => false,
        }
    }

    /// A unit that is limited to Tactical Movement (13.2, 18.2, 23.4), or to a Prime Mover (22.3), need not name that
    /// mode.
    fn intended_line(&self, _: &Ardennes, _: &State, said: Said, refusal: &Refusal) -> Option<String> {
        let mode = if refusal.cites("22.3") { Mode::PrimeMover } else { Mode::Tactical };
        (refusal.kind == RefusalKind::OtherMode).then(|| format!("{} {}", said.text.trim(), mode.word()))
    }

    /// Whatever forbids the move in the only mode that the unit has, except its length.
    fn stands_for(&self, intended: &Verdict) -> bool {
        matches!(intended, Verdict::Illegal(why) if why.kind != RefusalKind::OtherMode && why.rule != "11.3")
    }

    /// 17.4: a retreat and the hexes beyond it that its unit must still go, written as one line; or units that advance or
    /// retreat together.
    fn parts(&self, said: Said) -> Vec<Vec<String>> {
        let is_label = |word: &str| {
            matches!(word.len(), 4 | 5) && word.bytes().rev().take(4).all(|byte| byte.is_ascii_digit())
        };
        if let Some(lines) = one_by_one(said.text, &["retreat", "advance"], is_label) {
            return vec![lines];
        }
        let words: Vec<&str> = said.text.split_whitespace().collect();
        let ["retreat", unit, hexes @ ..] = &words[..] else { return Vec::new() };
        let line = |hexes: &[&str]| format!("retreat {unit} {}", hexes.join(" "));
        let split = |length| {
            let (first, on) = hexes.split_at(length);
            vec![line(first), line(on)]
        };
        (1..hexes.len()).rev().map(split).collect()
    }

    fn also(&self, s: &State, refusal: &Refusal) -> &'static [&'static str] {
        // 7.2, 25.36: a demolition at another time than its own; the night has no Bridge Phase.
        if s.night && (refusal.cites("7.2") || refusal.cites("7.3")) {
            return &["7.1", "7.2", "7.3", "7.4", "10.2", "25.36"];
        }
        if refusal.is_out_of_turn() && refusal.cites("7.2") {
            return &["7.1", "7.3", "7.4"];
        }
        also(&refusal.why.key, s.top())
    }

    fn normal(&self, value: Value) -> Value {
        crate::ask::bare(value)
    }
}
