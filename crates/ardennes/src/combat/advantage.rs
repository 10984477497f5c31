//! Attacker's Advantage markers (16.6).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    event::Event,
    frame::Frame,
    list::List,
    pack::{Side, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::{Advantage, State},
    subject::Subject,
};

/// Removes the markers that satisfy a test.
fn remove(play: &mut Play, gone: impl Fn(&State, &Advantage) -> bool) {
    let mut at = 0;
    while at < play.s.advantages.len() {
        let marker = play.s.advantages[at];
        if gone(play.s, &marker) {
            play.s.advantages.retain(|other| other != marker);
            play.tell(Event::AdvantageGone { from: marker.from.some(), target: marker.target });
        } else {
            at += 1;
        }
    }
}

/// Has one of the units under the marker stayed where it was?
fn held(s: &State, marker: &Advantage) -> bool {
    marker.units.iter().any(|unit| {
        let at = s.unit(*unit).place();
        match marker.from.some() {
            Some(hex) => at == crate::place::Place::Hex(hex),
            None => matches!(at, crate::place::Place::Blocking(_)),
        }
    })
}

/// At the start of the owner's Combat Phase: removes markers without an enemy in their target, and those left behind.
pub fn open(play: &mut Play, side: Side) {
    remove(play, |s, marker| !held(s, marker) || marker.side == side && !s.enemy_in(side, marker.target));
}

/// The second attack is being resolved.
pub fn used(play: &mut Play) {
    let combat = play.s.combat;
    remove(play, |_, marker| {
        marker.side == combat.attacker
            && marker.target == combat.target
            && marker.units.iter().any(|unit| combat.attackers.contains(*unit))
    });
}

/// The units of the attacked hex received a retreat result.
pub fn lost(play: &mut Play) {
    let combat = play.s.combat;
    remove(play, |_, marker| marker.side != combat.attacker && marker.from == combat.target);
}

/// The stacks that may get the marker, represented by one unit each.
fn stacks(s: &State) -> List<UnitId, { crate::action::MAX_ATTACKERS }> {
    let mut units: List<UnitId, { crate::action::MAX_ATTACKERS }> = List::new();
    for unit in &s.combat.attackers {
        let place = s.unit(*unit).place();
        if !units.iter().any(|other| s.unit(*other).place() == place) {
            units.add(*unit);
        }
    }
    units
}

/// 16.6: which attacker gets the Attacker's Advantage.
#[derive(Debug)]
pub struct PlaceAdvantage;

impl Question<Ardennes> for PlaceAdvantage {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        match stacks(cx.s)[..] {
            [] => Some(Action::Done),
            [unit] => Some(Action::Advantage { unit }),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(stacks(cx.s).iter().map(|u| Subject::Unit(*u)));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject
            && cx.s.combat.attackers.contains(unit)
        {
            out.push(Action::Advantage { unit });
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Advantage { unit } if cx.s.combat.attackers.contains(unit) => Ok(()),
            Action::Advantage { unit } => {
                cx.rules.no("16.6", "advantage.not_attacker").unit("unit", unit).into()
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        place(play, action);
        Ok(())
    }
}

fn place(play: &mut Play, action: &Action) {
    play.pop();
    let Action::Advantage { unit } = *action else { return };
    let combat = play.s.combat;
    let place = play.s.unit(unit).place();
    let under = |u: &UnitId| play.s.unit(*u).place() == place;
    let units = combat.attackers.iter().copied().filter(under).collect();
    let from = place.hex().unwrap_or(HexId::NONE);
    let marker = Advantage { side: combat.attacker, from, target: combat.target, units };
    if play.s.advantages.push(marker) {
        play.tell(Event::AdvantagePlaced { unit, target: combat.target });
    }
}
