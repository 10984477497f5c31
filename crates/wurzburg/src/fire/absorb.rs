//! Hits are absorbed by retreat and step losses (18.3, 18.4).

use kernel::{Refusal, Stop};

use super::FireKind;
use crate::{
    action::{Action, Subject, Units},
    event::Event,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{Side, UnitId},
};

impl Wurzburg {
    /// 18.3.3, 18.3.5.5: the units that must absorb next: the strongest of those subject to the fire, unmasked ones first.
    pub fn strongest(&self, s: &State) -> (u16, Units) {
        let combat = &s.combat;
        let alive = |unit: &UnitId| s.unit(*unit).on_map() && s.unit(*unit).steps > 0;
        let mut units: Units = combat.targets.iter().filter(alive).collect();
        if combat.kind.is_strike() {
            // 23.2: from the weakest up, masked or not.
            units = combat.targets.iter().filter(|unit| s.unit(*unit).steps > 0 && here(s, *unit)).collect();
            let least = units.iter().map(|unit| self.defense(s, *unit, combat.kind)).min().unwrap_or(0);
            units.retain(|unit| self.defense(s, *unit, combat.kind) == least);
            return (least, units);
        }
        let offensive = matches!(combat.kind, FireKind::Offensive | FireKind::PointBlankAttacker);
        if offensive && units.iter().any(|unit| !s.unit(*unit).is(Flags::MASKED)) {
            units.retain(|unit| !s.unit(*unit).is(Flags::MASKED));
        }
        if let Some(cover) = combat.cover.filter(|cover| units.contains(cover)) {
            // 18.4: the covering unit first.
            return (self.defense(s, cover, combat.kind), [cover].into_iter().collect());
        }
        let most = units.iter().map(|unit| self.defense(s, *unit, combat.kind)).max().unwrap_or(0);
        units.retain(|unit| self.defense(s, *unit, combat.kind) == most);
        (most, units)
    }

    /// 18.4.2: may the defenders of the Objective Hex retreat?
    pub fn may_retreat(&self, s: &State) -> Result<(), Refusal> {
        let hex = s.combat.target;
        if s.combat.kind != FireKind::Offensive {
            return self.no("18.4.2", "retreat.kind").into();
        }
        let (most, _) = self.strongest(s);
        if s.combat.hits < most {
            // 18.3: there is nothing to absorb.
            return self.no("18.3", "retreat.no_hits").into();
        }
        if s.op.reacted {
            return self.no("19.5", "retreat.reinforced").into(); // 18.4.2 item 3
        }
        let defenders = self.stack(s, s.op.side.enemy(), hex);
        for unit in &defenders {
            if s.unit(*unit).is(Flags::DISRUPTED) {
                return self.no("18.4.2", "retreat.disrupted").unit("unit", *unit).into();
            }
            if s.unit(*unit).is(Flags::MASKED) {
                return self.no("18.4.2", "retreat.masked").unit("unit", *unit).into();
            }
        }
        for unit in &defenders {
            if super::retreat_hexes(self, s, *unit).is_empty() && !self.edge_hex(hex) {
                return self.no("18.4.1", "retreat.nowhere").unit("unit", *unit).into();
            }
        }
        Ok(())
    }
}

/// On the map or on the display, where counter-battery fire reaches (23.4.8).
fn here(s: &State, unit: UnitId) -> bool {
    matches!(s.unit(unit).place, Place::Map | Place::FiveRow | Place::TenRow)
}

/// 18.3.3: continue until nothing more can be absorbed; the frame has already been popped.
pub fn absorb(play: &mut Play) {
    loop {
        let (most, units) = play.rules.strongest(play.s);
        let hits = play.s.combat.hits;
        let Some(first) = units.first().copied() else { break };
        if most == 0 || hits < most {
            break;
        }
        let all: u32 = units.iter().map(|unit| u32::from(play.s.unit(*unit).steps)).sum();
        let dead = all * u32::from(most) <= u32::from(hits);
        if units.len() > 1 && !dead {
            // Tie: the firing player chooses.
            play.then(&[Frame::Loss, Frame::Absorb]);
            return;
        }
        take(play, first, most);
    }
    play.s.combat = super::Combat::default();
}

/// The steps that the hits of the combat cost, which are taken off without a trace; of equal units the one with the highest
/// Attack Strength loses them, as the firing player would choose.
pub fn losses(rules: &Wurzburg, trial: &mut State) -> u16 {
    let mut lost = 0;
    loop {
        let (strength, units) = rules.strongest(trial);
        let worst =
            units.iter().copied().max_by_key(|unit| (rules.counter(*unit).attack, std::cmp::Reverse(*unit)));
        let Some(unit) = worst.filter(|_| strength > 0 && trial.combat.hits >= strength) else { return lost };
        let steps = (trial.combat.hits / strength).min(u16::from(trial.unit(unit).steps));
        trial.combat.hits -= steps * strength;
        trial.unit_mut(unit).steps -= steps as u8;
        lost += steps;
    }
}

/// One unit loses steps until the remaining hits are fewer than its strength, or it is eliminated.
fn take(play: &mut Play, unit: UnitId, strength: u16) {
    let steps = (play.s.combat.hits / strength).min(u16::from(play.s.unit(unit).steps));
    play.s.combat.hits -= steps * strength;
    play.lose_steps(unit, steps as u8);
}

/// 18.3.3: which of equal units takes the hits.
#[derive(Debug)]
pub struct Loss;

impl Question<Wurzburg> for Loss {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (_, units) = cx.rules.strongest(cx.s);
        if let [one] = units[..] { Some(Action::Lose(one)) } else { None }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(cx.rules.strongest(cx.s).1.into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject
            && cx.rules.strongest(cx.s).1.contains(&unit)
        {
            out.push(Action::Lose(unit));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Lose(unit) if cx.rules.strongest(cx.s).1.contains(unit) => Ok(()),
            Action::Lose(unit) if cx.s.combat.kind.is_strike() => {
                cx.rules.no("23.2", "lose.not_weakest").unit("unit", *unit).into()
            }
            Action::Lose(unit) => cx.rules.no("18.3.3", "lose.not_strongest").unit("unit", *unit).into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Lose(unit) = action {
            let strength = play.rules.defense(play.s, *unit, play.s.combat.kind).max(1);
            if play.s.combat.kind.is_strike() {
                // 23.2: chosen again for each step.
                play.s.combat.hits -= strength.min(play.s.combat.hits);
                play.lose_steps(*unit, 1);
            } else {
                take(play, *unit, strength);
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.loss", "18.3.3")
    }
}

/// 18.3.2, 18.4.8, 18.4.9, 18.8.3: stand or retreat.
#[derive(Debug)]
pub struct Stand;

impl Question<Wurzburg> for Stand {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        cx.rules.may_retreat(cx.s).is_err().then_some(Action::Stand)
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend([Action::Stand, Action::Elect]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Stand => Ok(()),
            Action::Elect => cx.rules.may_retreat(cx.s),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let retreats = *action == Action::Elect;
        let asked = retreats || play.rules.may_retreat(play.s).is_ok();
        if asked {
            play.tell(Event::Stands { side, retreats });
        }
        if retreats {
            play.s.op.retreat_elected = true;
            play.push(Frame::Cover);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.stand", "18.3.2")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Stand)
    }
}

/// 18.4 step 2: the strongest unit covers the retreat; among equals the defender chooses.
#[derive(Debug)]
pub struct Cover;

impl Question<Wurzburg> for Cover {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (most, units) = cx.rules.strongest(cx.s);
        // If no further step is lost whichever unit covers, the choice does not matter.
        let harmless = cx.s.combat.hits < 2 * most;
        match units[..] {
            [one] => Some(Action::Cover(one)),
            [one, ..] if harmless => Some(Action::Cover(one)),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(cx.rules.strongest(cx.s).1.into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject
            && cx.rules.strongest(cx.s).1.contains(&unit)
        {
            out.push(Action::Cover(unit));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Cover(unit) if cx.rules.strongest(cx.s).1.contains(unit) => Ok(()),
            Action::Cover(unit) => cx.rules.no("18.4", "cover.not_strongest").unit("unit", *unit).into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Cover(unit) = action {
            let strength = play.rules.defense(play.s, *unit, play.s.combat.kind);
            // 18.4 step 3: the benefit of retreating.
            play.s.combat.hits = play.s.combat.hits.saturating_sub(strength);
            play.s.combat.cover = Some(*unit);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.cover", "18.4")
    }
}
