//! Engineers against terrain (7.19): the only way to attack a feature that no unit occupies. House rules based on that.

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{Shelling, batter};
use crate::{
    action::Action,
    pack::advanced::{CloseAssaultModifier, LegSize},
    play::{Cx, Play},
    rules::Panzer,
    state::{Command, Flags, Spot, State},
    units::UnitId,
};

impl Panzer {
    /// 7.19: the GP factor of the primary attacker, and the modifiers of grade and of further units.
    pub fn demolition(&self, s: &State, units: &[UnitId]) -> Option<(u8, i16)> {
        let game = self.advanced.as_deref()?;
        let table = &game.tables().optional.engineers;
        let primary = *units.first()?;
        let gpf = match self.leg_size(s, primary)? {
            LegSize::Squad => table.squad,
            LegSize::HalfSquad => table.half_squad,
            LegSize::Section => table.section,
        };
        let grade = game.pieces[primary.index()].grade;
        let mut net = i16::from(game.tables().grades[grade.index()].assault);
        for unit in &units[1..] {
            let modifier = match self.leg_size(s, *unit)? {
                LegSize::Squad => CloseAssaultModifier::AdditionalSquad,
                LegSize::HalfSquad => CloseAssaultModifier::AdditionalHalfSquad,
                LegSize::Section => CloseAssaultModifier::AdditionalSection,
            };
            net += i16::from(game.tables().close_modifier(modifier));
        }
        Some((gpf, net))
    }
}

/// 7.19: engineers of one hex, on foot, with Move, in the hex or adjacent to it.
pub fn check_demolish(cx: &Cx, hex: HexId, units: &[UnitId]) -> Result<(), Refusal> {
    let (rules, s) = (cx.rules, cx.s);
    if !rules.optional(19) {
        return rules.no("7.19", "demolish.not_used").into();
    }
    if rules.vulnerable(s, hex).is_empty() {
        return rules.no("6.5.4.2.5", "demolish.nothing").hex("hex", hex).into();
    }
    for (n, unit) in units.iter().enumerate() {
        rules.own(cx.side, *unit)?;
        let (u, piece) = (s.unit(*unit), rules.piece(*unit));
        let engineer = piece.is_some_and(|piece| piece.engineer && piece.leg());
        let able = u.on_map() && !u.passenger() && !u.suppressed() && u.command == Command::Move;
        let spent = u.is(Flags(Flags::ASSAULTED.0 | Flags::MOVED.0));
        let together = s.unit(units[0]).hex == u.hex && !units[..n].contains(unit);
        match () {
            () if !engineer => return rules.no("7.19", "demolish.engineers").unit("unit", *unit).into(),
            () if !able || spent => return rules.no("6.6.1.1", "demolish.unable").unit("unit", *unit).into(),
            () if !together || rules.field.range(u.hex, hex) > 1 => {
                return rules.no("6.6.1.1", "assault.not_adjacent").unit("unit", *unit).into();
            }
            () => {}
        }
    }
    Ok(())
}

/// Every demolition by one unit.
pub fn demolitions(cx: &Cx, out: &mut Vec<Action>) {
    if !cx.rules.optional(19) {
        return;
    }
    for unit in cx.rules.units_of(cx.side) {
        let Some(here) = cx.s.unit(*unit).hex.some() else { continue };
        if !cx.rules.piece(*unit).is_some_and(|piece| piece.engineer) {
            continue;
        }
        let around = cx.rules.field.board.neighbours(here).map(|(_, hex)| hex);
        for hex in std::iter::once(here).chain(around) {
            let units: SmallVec<[UnitId; 4]> = SmallVec::from_slice(&[*unit]);
            if check_demolish(cx, hex, &units).is_ok() {
                out.push(Action::Demolish { hex, units });
            }
        }
    }
}

pub fn could_demolish(cx: &Cx) -> bool {
    let mut out = Vec::new();
    demolitions(cx, &mut out);
    !out.is_empty()
}

/// One attack on the first feature of the hex that can be destroyed; one effective result is enough.
pub fn demolish(play: &mut Play, hex: HexId, units: &[UnitId]) -> Result<(), Stop> {
    let Some((gpf, net)) = play.rules.demolition(play.s, units) else { return Ok(()) };
    let Some(side) = units.first().map(|unit| play.rules.vehicle(*unit).side) else { return Ok(()) };
    for unit in units {
        play.reveal(*unit);
        play.s.unit_mut(*unit).set(Flags(Flags::ASSAULTED.0 | Flags::MOVED.0));
        play.place_spot(*unit, Spot::Move);
    }
    if let Some(against) = play.rules.vulnerable(play.s, hex).first().copied() {
        batter(play, Shelling { side, gpf, net, at_once: true }, hex, against)?;
    }
    Ok(())
}
