//! What a lab file of this game may leave out (`kernel::lab::adapter`). The file is as strict as any table about what is legal,
//! but it may write a decision that was taken for its side already, and pass over a question to which there is a plain "no".

use kernel::{
    Dice, Log, Refusal, RefusalKind, Seat, Stop, Verdict,
    lab::{
        Leniency, Next,
        adapter::{By, Last, Said},
    },
};
use serde_json::Value;

use super::also::also;
use crate::{
    action::{Action, Mode},
    artillery_supply, combat,
    event::Event,
    flags::Flags,
    flow,
    frame::Frame,
    movement,
    pack::Side,
    phase::Phase,
    place::Place,
    play::{Cx, Play, seat, side},
    rules::{self, Ardennes},
    state::State,
};

/// Where the file begins: this phase is left by `done`.
#[derive(Clone, Copy, Debug)]
pub struct LabFile {
    pub begins: Phase,
}

impl LabFile {
    /// The question that waits, if one does.
    fn cx<'a>(rules: &'a Ardennes, s: &'a State) -> Option<Cx<'a>> {
        let frame = s.top();
        let side = flow::asks(rules, s, frame).filter(|_| s.ending.is_none())?;
        Some(Cx { rules, s, side, frame })
    }

    /// What is worked out for a position does not hold for the next one.
    fn renew(rules: &Ardennes, s: &mut State) {
        s.renew_stamp();
        if s.top() == Frame::Movement {
            movement::muster::take(rules, s, s.side);
        }
    }
}

impl Leniency for LabFile {
    type Rules = Ardennes;

    fn check(&self, rules: &Ardennes, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
        match Self::cx(rules, s).filter(|cx| cx.side == side(seat)) {
            Some(cx) => flow::check(&cx, action).map_err(|refusal| rules::of_its_rule(refusal, action)),
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
        flow::apply(&mut Play { rules, s, dice, log }, frame, side(*seat), action)?;
        Self::renew(rules, s);
        Ok(())
    }

    fn next(&self, rules: &Ardennes, s: &State) -> Next<Action> {
        match Self::cx(rules, s) {
            Some(cx) => flow::forced(&cx).map_or(Next::Choice, |action| Next::Forced(seat(cx.side), action)),
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
        flow::run_top(&mut Play { rules, s, dice, log })?;
        Self::renew(rules, s);
        Ok(true)
    }

    /// The phase that the file begins in is left by `done`, and one in which somebody has moved or fought: a file need not know
    /// who has nothing left to do.
    fn waits(&self, rules: &Ardennes, s: &State, last: Option<&Last<Self>>) -> bool {
        let Some(cx) = Self::cx(rules, s) else { return false };
        let begins = s.phase == self.begins;
        let acted = |flags| rules.on_map(s, cx.side).any(|unit| s.unit(unit).is(flags));
        match cx.frame {
            Frame::Movement => begins || acted(Flags::MOVED),
            // 20.1: one `done` ends the phase for a side that neither disengages nor has anybody to attack.
            Frame::Attacks => {
                let done = last.is_some_and(|last| {
                    last.at.top() == Frame::Disengage && last.by == (seat(cx.side), Action::Done)
                });
                !done && (begins || acted(Flags::ATTACKED))
            }
            Frame::ReadyArtillery { .. } | Frame::Bridges | Frame::PlaceMarkers => begins,
            // 25.2: where somebody might be thought of.
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
            // 1E 32.2: a file that does not say otherwise spends it at once.
            Frame::SpendFuel { .. } => Action::SpendFuel { spend: true },
            // 16.6: the marker must go somewhere.
            Frame::PlaceAdvantage => Action::Advantage { unit: *s.combat.attackers.first()? },
            _ => return None,
        };
        Some((seat(cx.side), action))
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

    /// 5.2: what is not named is readied with `done` where the allowance covers it.
    fn before(&self, rules: &Ardennes, s: &State, (_, wanted): &By<Self>) -> Option<By<Self>> {
        let cx = Self::cx(rules, s)?;
        match (cx.frame, wanted) {
            (Frame::ReadyArtillery { .. }, Action::Done) => {
                let ready = artillery_supply::forced(&cx).filter(|a| matches!(a, Action::Ready { .. }))?;
                Some((seat(cx.side), ready))
            }
            _ => None,
        }
    }

    /// Where an Attacker's Advantage marker goes (16.6), and that a Remnant is formed (16.4).
    fn before_ask(&self, rules: &Ardennes, s: &State) -> Option<By<Self>> {
        matches!(s.top(), Frame::PlaceAdvantage | Frame::Remnant(_))
            .then(|| self.no(rules, s, &Action::Done))
            .flatten()
    }

    /// 15.8: an Improved Position that was finished when the phase began; 32.3: a dump that its garrison tried to burn.
    fn already(&self, rules: &Ardennes, s: &State, told: &mut Vec<Value>, said: Said, _: bool) -> bool {
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

    /// A unit that has nothing but Tactical Movement (13.2, 18.2, 23.4), or a Prime Mover (22.3), need not say that it uses it.
    fn meant(&self, _: &Ardennes, _: &State, said: Said, refusal: &Refusal) -> Option<String> {
        let mode = if refusal.cites("22.3") { Mode::PrimeMover } else { Mode::Tactical };
        (refusal.kind == RefusalKind::OtherMode).then(|| format!("{} {}", said.text.trim(), mode.word()))
    }

    /// What forbids the move in the only mode that the unit has, but for its length.
    fn stands_for(&self, meant: &Verdict) -> bool {
        matches!(meant, Verdict::Illegal(why) if why.kind != RefusalKind::OtherMode && why.rule != "11.3")
    }

    /// 17.4: a retreat and the hexes that its unit must go on, written as one.
    fn parts(&self, said: Said) -> Vec<(String, String)> {
        let words: Vec<&str> = said.text.split_whitespace().collect();
        let [verb @ "retreat", unit, hexes @ ..] = &words[..] else { return Vec::new() };
        let line = |hexes: &[&str]| format!("{verb} {unit} {}", hexes.join(" "));
        let split = |length| {
            let (first, on) = hexes.split_at(length);
            (line(first), line(on))
        };
        (1..hexes.len()).rev().map(split).collect()
    }

    fn also(&self, s: &State, refusal: &Refusal) -> &'static [&'static str] {
        also(&refusal.why.key, s.top())
    }

    fn normal(&self, value: Value) -> Value {
        crate::ask::bare(value)
    }
}
