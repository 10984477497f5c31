//! Overrun (6.6.10): a vehicle drives over a unit on foot. And the search for a hull down position (6.6.9).

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use smallvec::SmallVec;

use crate::{
    action::{Action, Part, Shot, Subject},
    ammo,
    event::Event,
    fire::{Kind, Shooting},
    frame::Frame,
    gp::{self, GpAim, GpCause},
    movement::{Bar, Cursor},
    pack::Side,
    pack::advanced::{
        BailResult, GpModifier, Module, RangeFactor,
        lookup::{self, outcome},
    },
    piece::Ammo,
    play::{At, Cx, Play},
    rules::Panzer,
    state::{Command, Flags, State},
    units::UnitId,
};

/// 6.6.10.1: the highest factor in the table.
const MOST: u8 = 15;

impl Panzer {
    /// 6.6.10: what prevents a vehicle from overrunning a unit; `begun`: it is already moving, so the conditions for
    /// the start are met.
    pub fn bar_to_overrun(
        &self,
        s: &State,
        unit: UnitId,
        target: UnitId,
        begun: bool,
    ) -> Option<(&'static str, &'static str)> {
        let (u, t) = (s.unit(unit), s.unit(target));
        let uses = self.advanced.as_deref().is_some_and(|game| game.uses(Module::Overrun));
        let side = self.vehicle(unit).side;
        let spotted = || {
            !s.spotters[target.index()].is_empty()
                || self.units_of(side).iter().any(|by| s.unit(*by).on_map() && self.spots(s, *by, target))
        };
        match () {
            () if !uses || !self.is_vehicle(unit) || !self.armed(s, unit) => Some(("6.6.10", "overrun.unit")),
            () if u.command != Command::Move => Some(("6.6.10", "overrun.command")),
            () if self.vehicle(target).side == side => Some(("6.6.10", "overrun.friend")),
            () if !t.on_map() || self.is_vehicle(target) || t.passenger() => {
                Some(("6.6.10", "overrun.target"))
            }
            () if t.is(Flags::LEFT) => Some(("6.6.10", "overrun.dismounted")),
            () if u.is(Flags(Flags::HESITATES.0 | Flags::BROKEN.0)) => Some(("7.1.5", "overrun.morale")),
            () if t.is(Flags::IMPROVED) => Some(("6.1.4.3.7", "overrun.improved")),
            () if self.housed(s, target) && self.building_entry(s, unit, t.hex).is_err() => {
                Some(("6.6.3", "overrun.building"))
            }
            // All overruns of a target are declared before the first attack on it.
            () if s.overrun.contains(target) && !s.overruns.contains(&(target, unit)) => {
                Some(("6.6.10", "overrun.declared"))
            }
            () if s.overruns.iter().any(|(other, who)| *who == unit && *other != target) => {
                Some(("6.6.10", "overrun.other"))
            }
            () if self.shared_attack(s, unit, target).is_some() => Some(("6.6.11", "overrun.shared")),
            () if !begun && !spotted() => Some(("6.6.10", "overrun.spotted")),
            () => None,
        }
    }

    /// 6.6.10: whether the unit is inside a building, which a vehicle must break into first. Guns are in the Alley.
    pub fn housed(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        let within = self.piece(unit).is_some_and(crate::piece::Piece::leg) || u.is(Flags::INSIDE);
        within && u.hex.some().is_some_and(|hex| self.building_at(s, hex).is_some())
    }

    /// 6.6.11: another target that units sharing the Move of this one have attacked this turn.
    pub fn shared_attack(&self, s: &State, unit: UnitId, target: UnitId) -> Option<UnitId> {
        let group = self.group_of(s, unit);
        let side = self.vehicle(unit).side;
        let mut others = s.shared_attacks.iter().filter(|(of, n, _)| (*of, *n) == (side, group));
        others.find(|(.., other)| group > 0 && *other != target).map(|(.., other)| *other)
    }

    /// 6.6.10: vehicles that could still overrun the target, besides the one that is about to.
    fn others_to_overrun(&self, s: &State, unit: UnitId, target: UnitId) -> SmallVec<[UnitId; 8]> {
        let to = s.unit(target).hex;
        let able = |other: &UnitId| {
            let (u, m) = (s.unit(*other), self.vehicle(*other).movement);
            *other != unit
                && u.on_map()
                && self.may_move(s, *other)
                && !u.is(Flags(Flags::TRACK.0 | Flags::BAILED.0))
                && self.field.range(u.hex, to) <= u32::from(m.cross_country.max(m.path).max(m.road).max(1))
                && self.bar_to_overrun(s, *other, target, false).is_none()
        };
        let mine = self.units_of(self.vehicle(unit).side).iter().copied();
        // Asked before the target is closed to vehicles that were not named.
        if s.overrun.contains(target) { SmallVec::new() } else { mine.filter(able).collect() }
    }

    /// 6.6.10: into the target's hex.
    pub(crate) fn take_overrun(&self, s: &State, at: &mut Cursor, target: UnitId) -> Result<u8, Bar> {
        let unit = at.walk.unit;
        let begun = s.walk.active && s.walk.unit == unit;
        if let Some((rule, key)) = self.bar_to_overrun(s, unit, target, begun) {
            return Err(Bar::Transport(rule, key, target));
        }
        if at.walk.overran.is_some() {
            return Err(Bar::Transport("6.6.10", "overrun.one", target));
        }
        let from = at.hex;
        if self.field.neighbour(at.hex, at.facing) != Some(s.unit(target).hex) {
            return Err(Bar::Transport("6.6.10", "overrun.not_ahead", target));
        }
        let mut cost = self.take(s, at, Part::Forward)?;
        if self.housed(s, target) {
            // 6.6.3: directly into the building costs no more than the building.
            let entry = self.building_entry(s, unit, at.hex)?;
            let more = entry.cost.saturating_sub(at.walk.alley);
            let first = at.walk.hexes <= 1 && !at.walk.turn_paid && at.walk.slowed_at[0].is_none();
            if first {
                at.walk.spent = at.walk.spent.saturating_add(more);
            } else {
                self.pay(s, &mut at.walk, more)?;
            }
            at.walk.inside = true;
            cost = cost.saturating_add(more);
        }
        at.walk.overran = Some(from);
        Ok(cost)
    }

    /// 6.6.10.1: the attack; `limits`: weapons low on ammunition. The vehicle is in the target's hex or adjacent to it.
    pub fn overrun_aim(
        &self,
        s: &State,
        unit: UnitId,
        target: UnitId,
        limits: u8,
        mut each: impl FnMut(GpCause, i8),
    ) -> Option<GpAim> {
        let game = self.advanced.as_deref()?;
        let factor_of = |unit: UnitId, gun: u8| self.gp_row(s, unit, gun)?.at(1).map(|(_, factor)| factor);
        let arms = self.piece(unit)?.arms.len() as u8;
        let mounted: u8 = (0..arms).filter_map(|gun| factor_of(unit, gun)).fold(0, u8::saturating_add);
        // For passengers, only their own weapons count.
        let carried = self
            .passengers(s, unit)
            .into_iter()
            .filter(|p| self.piece(*p).is_some_and(crate::piece::Piece::leg));
        let carried: u8 = carried.filter_map(|p| factor_of(p, 0)).fold(0, u8::saturating_add);
        let gpf = mounted.saturating_add(carried).min(MOST);
        let (gpd, kind) = self.gp_defense(s, target, s.unit(target).command.moves())?;
        let mut net = 0;
        let mut count = |cause: GpCause, value: i8| {
            net += i16::from(value);
            each(cause, value);
        };
        let tables = game.tables();
        if let Some(value) = tables.gp_modifier(GpModifier::Overrun, lookup::Fire::Direct) {
            count(GpCause::Modifier(GpModifier::Overrun), value);
        }
        let shot = Shot { ammo: Ammo::Gp, ..Shot::ap(unit, 0) };
        let shooting = Shooting { limits, ..Shooting::new(shot, target, Kind::Direct, false) };
        self.gp_modifiers(s, &shooting, RangeFactor::P, count);
        let (n, suppressed) = tables.gp_cell(gpf, gpd);
        Some(GpAim { range: 1, factor: RangeFactor::P, gpf, gpd, target: kind, net, n, s: suppressed })
    }

    /// 6.6.9: the highest roll with which a search finds a position in the vehicle's hex, and the modifier of the roll.
    pub fn search_aim(&self, s: &State, unit: UnitId, partial: bool) -> Option<(u8, i8)> {
        let game = self.advanced.as_deref().filter(|game| game.uses(Module::HullDown))?;
        let most = self.chart(s, unit).filter(|_| self.is_vehicle(unit))?.hull_down?;
        let piece = &game.pieces[unit.index()];
        Some((most, game.tables().hull_down_modifier(self.vehicle(unit).size, piece.grade, partial)))
    }

    /// 6.6.9: the search spends the whole allowance in the hex.
    pub(crate) fn take_search(
        &self,
        s: &State,
        at: &mut Cursor,
        partial: bool,
        facing: Direction,
    ) -> Result<u8, Bar> {
        let unit = at.walk.unit;
        let no = |key| Err(Bar::Transport("6.6.9", key, unit));
        match () {
            () if s.unit(unit).command != Command::Move => no("search.command"),
            () if at.walk.spent > 0 || at.walk.hexes > 0 || at.walk.turned > 0 => no("search.begun"),
            () if self.search_aim(s, unit, partial).is_none() => no("search.terrain"),
            () => {
                at.walk.spent = self.limit(s, &at.walk);
                at.walk.turn_paid = true;
                at.walk.hexes += 1;
                at.facing = facing;
                Ok(at.walk.spent)
            }
        }
    }
}

/// 6.6.10: the first vehicle is about to enter the hex. Returns true if its owner is asked which others will.
pub fn open(play: &mut Play, unit: UnitId, target: UnitId) -> bool {
    let others = play.rules.others_to_overrun(play.s, unit, target);
    declare(play, unit, target);
    if others.is_empty() {
        play.s.overrun.insert(target);
    }
    !others.is_empty()
}

fn declare(play: &mut Play, unit: UnitId, target: UnitId) {
    if !play.s.overruns.contains(&(target, unit)) {
        play.s.overruns.push((target, unit));
    }
    crate::assault::note_attack(play, unit, target); // 6.6.11
}

/// The target about to be overrun, and the vehicles that could be named.
fn asked(cx: &Cx) -> Option<(UnitId, SmallVec<[UnitId; 8]>)> {
    let Some(Part::Overrun(target)) = cx.s.walk.plan.get(0) else { return None };
    Some((target, cx.rules.others_to_overrun(cx.s, cx.s.walk.unit, target)))
}

/// 6.6.10: further overruns of the same target, declared together.
#[derive(Debug)]
pub struct Overruns;

impl Question<Panzer> for Overruns {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        Some(rules.vehicle(s.walk.unit).side)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Phase {
            return;
        }
        let Some((target, others)) = asked(cx) else { return };
        out.push(Action::Overruns { target, units: SmallVec::new() });
        out.push(Action::Overruns { target, units: others.iter().copied().collect() });
        if others.len() > 1 {
            out.extend(
                others
                    .iter()
                    .map(|unit| Action::Overruns { target, units: std::iter::once(*unit).collect() }),
            );
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        if *action == Action::Done {
            return Ok(()); // all that still could
        }
        let (Action::Overruns { target, units }, Some((asked, others))) = (action, asked(cx)) else {
            return Err(cx.rules.not_now());
        };
        if *target != asked {
            return Err(cx.rules.not_now());
        }
        for unit in units {
            cx.rules.own(cx.side, *unit)?;
            if !others.contains(unit) {
                let (rule, key) = cx
                    .rules
                    .bar_to_overrun(cx.s, *unit, *target, false)
                    .unwrap_or(("6.6.10", "overrun.reach"));
                return cx.rules.no(rule, key).unit("unit", *target).into();
            }
        }
        Ok(())
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let side = play.rules.vehicle(play.s.walk.unit).side;
        let all = if *action == Action::Done { all(&play.cx(side)) } else { None };
        let action = all.as_ref().unwrap_or(action);
        play.pop();
        if let Action::Overruns { target, units } = action {
            for unit in units {
                declare(play, *unit, *target);
                play.tell(Event::OverrunDeclared { unit: *unit, target: *target });
            }
            play.s.overrun.insert(*target);
        }
        Ok(())
    }
}

/// All vehicles that still could.
pub fn all(cx: &Cx) -> Option<Action> {
    asked(cx).map(|(target, others)| Action::Overruns { target, units: others.into_iter().collect() })
}

/// The vehicle is in the hex: make its attack, if it still can.
pub fn strike(play: &mut Play) -> Result<(), Stop> {
    let (unit, target) = (play.s.walk.unit, play.s.walk.overruns.take());
    let Some(target) = target else { return Ok(()) };
    let (u, t) = (play.s.unit(unit), play.s.unit(target));
    if u.on_map() && !u.is(Flags::BAILED) && t.on_map() && t.hex == u.hex {
        attack(play, unit, target)?;
    }
    Ok(())
}

/// 6.6.10.1, 6.6.10.2
pub fn attack(play: &mut Play, unit: UnitId, target: UnitId) -> Result<(), Stop> {
    // 5.16.2: every limited weapon rolls; the modifier counts once.
    let arms = play.rules.piece(unit).map_or(0, |piece| piece.arms.len() as u8);
    let mut limits = 0;
    for gun in 0..arms {
        if play.rules.gp_row(play.s, unit, gun).is_some_and(|row| row.min_range <= 1) {
            limits |= ammo::check(play, Shot { ammo: Ammo::Gp, ..Shot::ap(unit, gun) })?.limits.min(1);
        }
    }
    let Some(aim) = play.rules.overrun_aim(play.s, unit, target, limits, |_, _| {}) else { return Ok(()) };
    let side = play.rules.vehicle(unit).side;
    let roll = play.roll(side, "roll.gp", "6.6.10.1")?;
    let result = outcome((aim.n, aim.s), i16::from(roll) + aim.net);
    let t = play.s.unit_mut(target);
    t.set(Flags::UNDER_FIRE);
    let was_off = t.is(Flags::SUPPRESSED_OFF);
    play.tell(Event::Overrun {
        unit,
        target,
        gpf: aim.gpf,
        gpd: aim.gpd,
        net: aim.net,
        roll,
        outcome: result,
    });
    crate::morale::forced(play, target); // 7.1.3
    gp::hurt_foot(play, target, result, BailResult::SuppressedDirect)?;
    if was_off && play.s.unit(target).on_map() {
        crate::suppress::suppress(play, target); // 6.6.10.2: whatever the result
    }
    Ok(())
}

/// 6.6.9: the roll.
pub fn search(play: &mut Play, unit: UnitId, partial: bool, reverse: bool) -> Result<(), Stop> {
    let Some((most, modifier)) = play.rules.search_aim(play.s, unit, partial) else { return Ok(()) };
    let roll = play.roll(play.rules.vehicle(unit).side, "roll.search", "6.6.9")?;
    let found = i16::from(roll) + i16::from(modifier) <= i16::from(most);
    play.tell(Event::Searched { unit, roll, modifier, most, found });
    if found {
        let u = play.s.unit_mut(unit);
        u.set(if partial { Flags::PARTLY_HULL_DOWN } else { Flags::HULL_DOWN });
        if reverse {
            u.set(Flags::HULL_DOWN_REVERSE);
        }
    }
    Ok(())
}

/// 6.6.10.1: return to the previous hex, if this one is not free and no points are left to leave it.
pub fn put_back(play: &mut Play, unit: UnitId, hex: HexId) {
    let from = play.s.unit(unit).hex;
    crate::works::leave(play.s, unit);
    play.s.unit_mut(unit).hex = hex;
    play.s.walk.inside = false;
    for passenger in play.rules.passengers(play.s, unit) {
        play.s.unit_mut(passenger).hex = hex;
    }
    play.tell(Event::Stepped { unit, from, to: hex, cost: 0, back: true });
    play.s.stamp.renew();
}
