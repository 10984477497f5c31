//! Which units may assault what, and from where (6.6.1.1, 6.6.1.2, 6.6.11).

use hexgrid::{Direction, HexId};
use kernel::Refusal;
use smallvec::SmallVec;

use super::Attacker;
use crate::{
    action::Part,
    movement::reach,
    pack::{Side, advanced::Module},
    play::Cx,
    rules::Panzer,
    state::{Command, Flags, State},
    units::{UnitId, UnitSet},
};

/// Why a unit cannot take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bar {
    NotLeg,
    Mounted,
    Suppressed,
    Morale,
    Command,
    Done,
    NotSpotted,
    NotAdjacent,
    Height,
    FullCover,
    WeaponSection,
    AdvanceCost,
    AdvanceEnemy,
    /// 7.42
    NotItsTurn,
}

impl Bar {
    pub(super) fn refuse(self, rules: &Panzer, unit: UnitId, target: UnitId) -> Refusal {
        let no = match self {
            Bar::NotLeg => rules.no("6.6.1.1", "assault.not_leg"),
            Bar::Mounted => rules.no("6.6.1.1", "assault.mounted"),
            Bar::Suppressed => rules.no("6.6.1.1", "assault.suppressed"),
            Bar::Morale => rules.no("7.1.5", "assault.morale"),
            Bar::Command => rules.no("6.6.1.1", "assault.command"),
            Bar::Done => rules.no("6.6.1.1", "assault.done"),
            Bar::NotSpotted => rules.no("6.6.1.1", "assault.not_spotted"),
            Bar::NotAdjacent => rules.no("6.6.1.1", "assault.not_adjacent"),
            Bar::Height => rules.no("6.6.1.1", "assault.height"),
            Bar::FullCover => rules.no("6.1.4.2", "assault.full_cover"),
            Bar::WeaponSection => rules.no("6.6.1.1", "assault.weapon_section"),
            Bar::AdvanceCost => rules.no("6.6.1.1", "assault.advance_cost"),
            Bar::NotItsTurn => rules.no("7.42", "assault.not_its_turn"),
            Bar::AdvanceEnemy => rules.no("6.6.1.1", "assault.advance_enemy"),
        };
        no.unit("unit", unit).unit("target", target).into()
    }
}

impl Panzer {
    /// 6.6.1.1, 6.6.1.2: whether the unit may start an assault at all.
    fn assaulter(&self, s: &State, unit: UnitId) -> Result<(), Bar> {
        let u = s.unit(unit);
        if !self.piece(unit).is_some_and(crate::piece::Piece::leg) || !u.on_map() {
            return Err(Bar::NotLeg);
        }
        if u.passenger() {
            return Err(Bar::Mounted);
        }
        if u.suppressed() {
            return Err(Bar::Suppressed);
        }
        if u.is(Flags(Flags::HESITATES.0 | Flags::BROKEN.0)) {
            return Err(Bar::Morale); // 7.1.5
        }
        if u.command != Command::Move {
            return Err(Bar::Command);
        }
        if u.is(Flags::ASSAULTED) || u.is(Flags::MOVED) {
            return Err(Bar::Done);
        }
        if !self.in_turn(s, unit) {
            return Err(Bar::NotItsTurn);
        }
        Ok(())
    }

    /// The unit must spot its target, be adjacent to it, and be less than two levels above or below it.
    pub(super) fn assaults(&self, s: &State, a: Attacker, target: UnitId) -> Result<(), Bar> {
        self.assaulter(s, a.unit)?;
        let (u, hex) = (s.unit(a.unit), s.unit(target).hex);
        // 6.6.1.1: before it moves; each attacker must spot the target itself.
        if !self.spots(s, a.unit, target) {
            return Err(Bar::NotSpotted);
        }
        let from = if a.advance == HexId::NONE { u.hex } else { a.advance };
        if self.field.range(from, hex) != 1 {
            return Err(Bar::NotAdjacent);
        }
        let most = self.advanced.as_deref().map_or(1, |game| game.tables().assault.height);
        if self.levels_above(s, target, from, a.unit).unsigned_abs() > most {
            return Err(Bar::Height);
        }
        if a.advance != HexId::NONE {
            self.advances(s, a)?;
        }
        Ok(())
    }

    /// 6.6.1.1: the Advancing Attack: one hex at a cost of 1; motorcycles half of their allowance (6.6.4.4).
    fn advances(&self, s: &State, a: Attacker) -> Result<(), Bar> {
        let u = s.unit(a.unit);
        if u.is(Flags::FULL_COVER) {
            return Err(Bar::FullCover); // 6.1.4.2
        }
        let Some(piece) = self.piece(a.unit) else { return Err(Bar::NotLeg) };
        if piece.weapon_section() {
            return Err(Bar::WeaponSection);
        }
        if self.enemies_in(s, a.unit, a.advance) {
            return Err(Bar::AdvanceEnemy);
        }
        if piece.motorcycle {
            return self.rides_up(s, a);
        }
        let Some(direction) = self.field.board.direction_to(u.hex, a.advance) else {
            return Err(Bar::NotAdjacent);
        };
        let mut at = self.start(s, a.unit, false, HexId::NONE).map_err(|_| Bar::AdvanceCost)?;
        at.facing = direction;
        let cost = self.take(s, &mut at, Part::Forward).map_err(|_| Bar::AdvanceCost)?;
        let most = self.advanced.as_deref().map_or(1, |game| game.tables().assault.advance_cost);
        if cost <= most { Ok(()) } else { Err(Bar::AdvanceCost) }
    }

    /// 6.6.4.4: motorcycles may advance by any path that costs at most half of their allowance.
    fn rides_up(&self, s: &State, a: Attacker) -> Result<(), Bar> {
        let start = self.start(s, a.unit, false, HexId::NONE).map_err(|_| Bar::AdvanceCost)?;
        let most = self.allowance(s, &start.walk) / 2;
        let cost = reach::with_reach(self, s, &start, |reach| {
            Direction::ALL.into_iter().filter_map(|facing| reach.cost(self, s, a.advance, facing)).min()
        });
        if cost.is_some_and(|cost| cost <= most) { Ok(()) } else { Err(Bar::AdvanceCost) }
    }

    /// The hexside through which an attacker goes next on its advance.
    pub(super) fn toward(&self, s: &State, a: Attacker) -> Option<Direction> {
        let u = s.unit(a.unit);
        if let Some(direction) = self.field.board.direction_to(u.hex, a.advance) {
            return Some(direction);
        }
        let start = self.start(s, a.unit, false, HexId::NONE).ok()?;
        let plan = reach::with_reach(self, s, &start, |reach| {
            let ways = Direction::ALL.into_iter();
            let best = ways.filter_map(|f| Some((reach.cost(self, s, a.advance, f)?, f))).min_by_key(|w| w.0);
            best.and_then(|(_, facing)| reach.plan(self, s, a.advance, facing))
        })?;
        let mut facing = u.facing;
        plan.iter().find_map(|part| match part {
            Part::Turn(to) => {
                facing = to;
                None
            }
            part => part.through(facing),
        })
    }

    /// 6.6.1.1: what prevents a passenger that dismounts in a hex from attacking at once.
    pub fn bar_to_dismount_attack(
        &self,
        s: &State,
        unit: UnitId,
        from: HexId,
        target: UnitId,
    ) -> Option<(&'static str, &'static str)> {
        let u = s.unit(unit);
        let used = self.advanced.as_deref().is_some_and(|game| game.uses(Module::CloseAssault));
        let begun = s.walk.active && u.aboard != UnitId::NONE && s.walk.unit == u.aboard
            || s.walk.active && s.walk.landed.is_some_and(|(who, _)| who == unit);
        let spotted = || if begun { s.walk.seen.contains(target) } else { self.spots(s, unit, target) };
        let most = self.advanced.as_deref().map_or(1, |game| game.tables().assault.height);
        let levels = || self.height_of(s, target) - self.field.height(from);
        match () {
            () if !used => Some(("5.0", "assault.not_used")),
            () if !self.piece(unit).is_some_and(crate::piece::Piece::leg) => {
                Some(("6.6.1.1", "assault.not_leg"))
            }
            () if u.suppressed() => Some(("6.6.1.1", "assault.suppressed")),
            () if u.is(Flags(Flags::HESITATES.0 | Flags::BROKEN.0)) => Some(("7.1.5", "assault.morale")),
            () if u.is(Flags::ASSAULTED) => Some(("6.6.1.1", "assault.done")),
            () if !self.assaultable(s, self.vehicle(unit).side, target) => Some(("6.6.1", "assault.target")),
            () if self.field.range(from, s.unit(target).hex) != 1 => {
                Some(("6.6.1.1", "assault.not_adjacent"))
            }
            () if levels().unsigned_abs() > most => Some(("6.6.1.1", "assault.height")),
            () if self.shared_attack(s, unit, target).is_some() => Some(("6.6.11", "assault.shared_target")),
            // Before the vehicle moved, and before the unit dismounted.
            () if !spotted() => Some(("6.6.1.1", "assault.not_spotted")),
            () => None,
        }
    }

    /// 6.6.1.1: the enemies that the passengers of a vehicle have spotted before it moves.
    pub(crate) fn seen_by_passengers(&self, s: &State, vehicle: UnitId) -> UnitSet {
        let mut seen = UnitSet::EMPTY;
        let riders = self.passengers(s, vehicle);
        if riders.is_empty() {
            return seen;
        }
        for enemy in self.units_of(self.vehicle(vehicle).side.enemy()) {
            if riders.iter().any(|rider| self.spots(s, *rider, *enemy)) {
                seen.insert(*enemy);
            }
        }
        seen
    }

    /// 6.6.1: what may be assaulted: enemy units on the map that are not passengers.
    pub(super) fn assaultable(&self, s: &State, side: Side, target: UnitId) -> bool {
        let t = s.unit(target);
        self.vehicle(target).side != side && t.on_map() && !t.passenger()
    }

    /// The ways in which a unit may assault a target: from its hex, or after an advance.
    pub(super) fn ways(&self, s: &State, unit: UnitId, target: UnitId) -> SmallVec<[Attacker; 7]> {
        let (from, to) = (s.unit(unit).hex, s.unit(target).hex);
        let rides = self.piece(unit).is_some_and(|piece| piece.motorcycle);
        let far = if rides { 1 + u32::from(self.vehicle(unit).movement.cross_country) } else { 2 };
        if from == HexId::NONE || self.field.range(from, to) > far {
            return SmallVec::new();
        }
        // Motorcycles may come from farther away.
        let around = if rides { to } else { from };
        let hexes = self.field.board.neighbours(around).map(|(_, hex)| hex).filter(|hex| *hex != from);
        let all = std::iter::once(HexId::NONE).chain(hexes).map(|advance| Attacker { unit, advance });
        all.filter(|a| self.assaults(s, *a, target).is_ok()).collect()
    }
}

/// Enemy units that a unit of the side could assault.
pub fn assault_targets<'a>(cx: &'a Cx) -> impl Iterator<Item = UnitId> + 'a {
    let uses = cx.rules.advanced.as_deref().is_some_and(|game| game.uses(Module::CloseAssault));
    let ready = move |unit: &&UnitId| uses && cx.rules.assaulter(cx.s, **unit).is_ok();
    let mine: SmallVec<[UnitId; 64]> = cx.rules.units_of(cx.side).iter().filter(ready).copied().collect();
    let enemies = cx.rules.units_of(cx.side.enemy()).iter().copied();
    enemies.filter(move |target| {
        cx.rules.assaultable(cx.s, cx.side, *target)
            && !cx.s.assault.targets.contains(*target)
            && mine.iter().any(|unit| {
                // 6.6.11: another target than that of those who share its Move is closed to it.
                cx.rules.shared_attack(cx.s, *unit, *target).is_none()
                    && !cx.rules.ways(cx.s, *unit, *target).is_empty()
            })
    })
}
