//! Formations (5.8.2): active units, available Commands, command range and shared Commands (6.2.1).

use kernel::Refusal;
use smallvec::SmallVec;

use crate::{
    event::Event,
    pack::advanced::Module,
    play::Play,
    rules::Panzer,
    state::{Command, Flags, State},
    units::{UnitId, UnitSet},
};

/// Why units may not share a Command (6.2.1.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarToShare {
    NotNow,
    /// The unit may not be given the Command at all.
    Command(UnitId),
    /// The unit may not share any Command: the message key.
    Unit(&'static str, UnitId),
    TooFar(UnitId, UnitId),
    /// All Commands of the formation have been placed; this is their number.
    NoneLeft(UnitId, u8),
}

/// 6.2.1: determine how many Commands every formation has this turn.
pub fn determine(play: &mut Play) {
    let Some(game) = play.rules.advanced.as_deref() else { return };
    play.s.available.resize(game.extras.formations.len(), 0);
    for formation in 0..game.extras.formations.len() {
        // 7.2: hidden units count as active.
        play.s.available[formation] = play.rules.commands_of(&play.rules.bare(play.s), formation as u8);
    }
    play.tell(Event::Available);
}

impl Panzer {
    /// Whether Commands are limited and shared (6.2); without this every unit has its own (4.2).
    pub fn command_control(&self) -> bool {
        self.advanced.as_deref().is_some_and(|game| game.uses(Module::CommandControl))
    }

    /// 6.2.1.1.2: how far apart units that share a Command may be.
    pub fn command_range(&self, formation: u8) -> u32 {
        self.advanced.as_deref().map_or(0, |game| {
            let grade = game.extras.formations[usize::from(formation)].grade;
            let span = self.optional(52) && self.commanded_formation(formation); // 7.52
            let more = if span { game.tables().optional.command_span.hexes } else { 0 };
            u32::from(game.tables().command_range[grade.index()] + more)
        })
    }

    /// 5.9.1: has the formation a Command unit?
    fn commanded_formation(&self, formation: u8) -> bool {
        use crate::pack::advanced::Label;
        let labels = [Label::Chq, Label::Bhq, Label::Rhq];
        let commands = |unit: UnitId| {
            self.piece(unit).is_some_and(|piece| labels.iter().any(|label| piece.labels.contains(label)))
        };
        self.members(formation).any(commands)
    }

    /// 6.2.1.1.1
    pub fn commands_of(&self, s: &State, formation: u8) -> u8 {
        self.advanced.as_deref().map_or(0, |game| {
            let grade = game.extras.formations[usize::from(formation)].grade;
            game.tables().commands(grade, self.active_units(s, formation))
        })
    }

    fn members(&self, formation: u8) -> impl Iterator<Item = UnitId> {
        let members = |game: &crate::piece::AdvancedGame| game.members.get(usize::from(formation)).copied();
        self.advanced.as_deref().and_then(members).unwrap_or_default().iter()
    }

    /// 6.2.1.1: the active units of a formation. Recon units are never counted; unarmed vehicles only as far as each
    /// has a separate combat unit of the formation within command range.
    pub fn active_units(&self, s: &State, formation: u8) -> u8 {
        let recon = |unit: UnitId| self.piece(unit).is_some_and(crate::piece::Piece::recon);
        // 7.1.5.2: Broken units are not active.
        let counted = |unit: &UnitId| in_play(s, *unit) && !recon(*unit) && !s.unit(*unit).is(Flags::BROKEN);
        let all: SmallVec<[UnitId; 32]> = self.members(formation).filter(counted).collect();
        let armed = |unit: &UnitId| self.armed(s, *unit);
        let carries = |unit: UnitId| self.passengers(s, unit).iter().any(armed);
        let combat: SmallVec<[UnitId; 32]> = all.iter().copied().filter(armed).collect();
        let unarmed = all.iter().copied().filter(|unit| !armed(unit));
        let (laden, empty): (SmallVec<[UnitId; 16]>, SmallVec<[UnitId; 16]>) =
            unarmed.partition(|unit| carries(*unit));
        let matched = self.match_unarmed(s, formation, &empty);
        (combat.len() + laden.len() + matched.iter().filter(|m| m.is_some()).count()) as u8
    }

    /// 6.2.1.1: pair unarmed vehicles with combat units of the formation in command range, Recon units among them, so
    /// that as many as possible are active: for each combat unit, the vehicle paired with it. Earlier ones are kept.
    fn match_unarmed(&self, s: &State, formation: u8, unarmed: &[UnitId]) -> SmallVec<[Option<UnitId>; 32]> {
        let range = self.command_range(formation);
        let fit =
            |unit: &UnitId| in_play(s, *unit) && self.armed(s, *unit) && !s.unit(*unit).is(Flags::BROKEN);
        let combat: SmallVec<[UnitId; 32]> = self.members(formation).filter(fit).collect();
        let near = |a: UnitId, b: UnitId| self.field.range(s.unit(a).hex, s.unit(b).hex) <= range;
        let mut paired: SmallVec<[Option<UnitId>; 32]> = smallvec::smallvec![None; combat.len()];
        for vehicle in unarmed {
            let mut seen: SmallVec<[bool; 32]> = smallvec::smallvec![false; combat.len()];
            assign(*vehicle, &combat, &near, &mut paired, &mut seen);
        }
        paired
    }

    /// 6.2.1.1: an unarmed vehicle among these that is not active, because the combat units nearby have one each
    /// already: others of these, or such as share another Command.
    fn surplus(&self, s: &State, units: UnitSet) -> Option<UnitId> {
        let formation = self.piece(units.iter().next()?)?.formation;
        let empty = |unit: &UnitId| {
            !self.armed(s, *unit) && !self.passengers(s, *unit).iter().any(|p| self.vehicle(*p).combat)
        };
        let shares = |unit: &UnitId| {
            !units.contains(*unit)
                && s.unit(*unit).group > 0
                && in_play(s, *unit)
                && !self.in_column(s, *unit)
        };
        let mut list: SmallVec<[UnitId; 16]> = self.members(formation).filter(shares).filter(empty).collect();
        let before = list.len();
        list.extend(units.iter().filter(empty));
        if list.len() == before {
            return None;
        }
        let paired = self.match_unarmed(s, formation, &list);
        list[before..].iter().copied().find(|unit| !paired.contains(&Some(*unit)))
    }

    /// 6.2.1.1.3: an unarmed vehicle without a combat unit nearby may not share.
    fn inactive(&self, s: &State, unit: UnitId) -> bool {
        let Some(piece) = self.piece(unit) else { return false };
        if self.armed(s, unit) || self.passengers(s, unit).iter().any(|p| self.vehicle(*p).combat) {
            return false;
        }
        let range = self.command_range(piece.formation);
        !self.members(piece.formation).any(|other| {
            self.armed(s, other)
                && in_play(s, other)
                && self.field.range(s.unit(other).hex, s.unit(unit).hex) <= range
        })
    }

    /// The number of Commands of a formation that have been placed: each shared one counts once (6.2.1.1.3). Recon
    /// units and units that enter this turn have their own.
    pub fn commands_placed(&self, s: &State, formation: u8) -> u8 {
        self.commands_placed_but(s, formation, UnitSet::EMPTY)
    }

    /// The same without counting these units.
    fn commands_placed_but(&self, s: &State, formation: u8, but: UnitSet) -> u8 {
        let mut groups = [0u64; 4];
        let mut count = 0u8;
        for unit in self.members(formation) {
            let u = s.unit(unit);
            let own = self.piece(unit).is_some_and(crate::piece::Piece::recon) || !u.on_map();
            if u.command == Command::NoCommand || own || but.contains(unit) {
                continue;
            }
            let (word, bit) = (usize::from(u.group) / 64, 1u64 << (u.group % 64));
            if u.group == 0 || groups[word] & bit == 0 {
                groups[word] |= bit;
                count = count.saturating_add(1);
            }
        }
        count
    }

    /// 6.2.1.1: whether a Command is left for a unit that has none of its own.
    pub fn command_left(&self, s: &State, unit: UnitId) -> Result<(), Refusal> {
        match self.none_left(s, unit, UnitSet::EMPTY) {
            None => Ok(()),
            Some(available) => self.no_command_left(unit, available),
        }
    }

    fn no_command_left(&self, unit: UnitId, available: u8) -> Result<(), Refusal> {
        self.no("6.2.1.1", "command.none_left").unit("unit", unit).number("commands", available).into()
    }

    /// The number of Commands of its formation, if none is left for this unit; `but`: without counting these units.
    pub(crate) fn none_left(&self, s: &State, unit: UnitId, but: UnitSet) -> Option<u8> {
        let piece = self.piece(unit).filter(|_| self.command_control())?;
        let u = s.unit(unit);
        let own = u.command != Command::NoCommand && u.group == 0 && !but.contains(unit);
        if piece.recon() || !u.on_map() || own {
            return None;
        }
        let available = s.available.get(usize::from(piece.formation)).copied().unwrap_or(0);
        (self.commands_placed_but(s, piece.formation, but) >= available).then_some(available)
    }

    /// 6.2.1.1.3: may these units share one Command?
    pub fn may_share(&self, s: &State, units: UnitSet, command: Command) -> Result<(), Refusal> {
        let Some(bar) = self.bar_to_share(s, units, command) else { return Ok(()) };
        let range = |unit: UnitId| self.command_range(self.piece(unit).map_or(0, |piece| piece.formation));
        match bar {
            BarToShare::NotNow => Err(self.not_now()),
            BarToShare::Command(unit) => self.may_command(s, unit, command),
            BarToShare::Unit(key, unit) => self.no("6.2.1.1.3", key).unit("unit", unit).into(),
            BarToShare::TooFar(unit, other) => self
                .no("6.2.1.1.2", "command.too_far")
                .unit("unit", unit)
                .unit("other", other)
                .number("range", range(unit) as u8)
                .into(),
            BarToShare::NoneLeft(unit, available) => self.no_command_left(unit, available),
        }
    }

    /// What prevents units from sharing a Command.
    pub(crate) fn bar_to_share(&self, s: &State, units: UnitSet, command: Command) -> Option<BarToShare> {
        let Some(first) = units.iter().next() else { return Some(BarToShare::NotNow) };
        let Some(piece) = self.piece(first).filter(|_| self.command_control()) else {
            return Some(BarToShare::NotNow);
        };
        let formation = piece.formation;
        let range = self.command_range(formation);
        // A unit off the map or aboard a vehicle has no hex to measure from.
        if let Some(unit) = units.iter().find(|unit| !in_play(s, *unit)) {
            return Some(BarToShare::Unit("command.inactive", unit));
        }
        let column = command == Command::Move && self.column(s, units);
        for unit in units.iter() {
            if self.bar_to_command(s, unit, command).is_some() {
                return Some(BarToShare::Command(unit));
            }
            let other = self.piece(unit).map(|piece| (piece.formation, piece.recon()));
            if other.is_some_and(|(of, _)| of != formation) {
                return Some(BarToShare::Unit("command.other_formation", unit));
            }
            if other.is_some_and(|(_, recon)| recon) {
                return Some(BarToShare::Unit("command.recon", unit));
            }
            if column {
                continue;
            }
            if self.inactive(s, unit) {
                return Some(BarToShare::Unit("command.inactive", unit));
            }
            let far = |other: &UnitId| self.field.range(s.unit(unit).hex, s.unit(*other).hex) > range;
            if let Some(other) = units.iter().find(far) {
                return Some(BarToShare::TooFar(unit, other));
            }
        }
        if !column && let Some(unit) = self.surplus(s, units) {
            return Some(BarToShare::Unit("command.inactive", unit));
        }
        // One Command for all: their earlier ones are removed.
        self.none_left(s, first, units).map(|available| BarToShare::NoneLeft(first, available))
    }

    /// 6.2.1.1.3: whether these are vehicles on a road or path, each with another in its hex or in the next one along
    /// it. They may share a Move regardless of command range.
    pub fn column(&self, s: &State, units: UnitSet) -> bool {
        use crate::field::Edge;
        let way = Edge::ROAD.with(Edge::PATH);
        let joined = |a: UnitId, b: UnitId| {
            let (a, b) = (s.unit(a).hex, s.unit(b).hex);
            a == b
                || self
                    .field
                    .board
                    .direction_to(a, b)
                    .is_some_and(|through| self.field.edge(a, through).any(way))
        };
        let on_way = |unit: UnitId| {
            let hex = s.unit(unit).hex;
            hexgrid::Direction::ALL.into_iter().any(|d| self.field.edge(hex, d).any(way))
        };
        if !units.iter().all(|unit| self.is_vehicle(unit) && s.unit(unit).on_map() && on_way(unit)) {
            return false;
        }
        let mut chain = UnitSet::EMPTY;
        chain.insert(match units.iter().next() {
            Some(unit) => unit,
            None => return false,
        });
        loop {
            let next =
                units.without(chain).iter().find(|unit| chain.iter().any(|other| joined(*unit, other)));
            match next {
                Some(unit) => chain.insert(unit),
                None => return chain == units,
            }
        }
    }

    /// Are all of them within command range of one another? (6.2.1.1.2)
    pub fn together(&self, s: &State, units: UnitSet) -> bool {
        let formation =
            units.iter().next().and_then(|unit| self.piece(unit)).map_or(0, |piece| piece.formation);
        let range = self.command_range(formation);
        let near = |a: UnitId| units.iter().all(|b| self.field.range(s.unit(a).hex, s.unit(b).hex) <= range);
        units.iter().all(|unit| near(unit) && !self.inactive(s, unit)) && self.surplus(s, units).is_none()
    }

    /// 6.2.1.1.3: is the unit in a road column?
    pub fn in_column(&self, s: &State, unit: UnitId) -> bool {
        let entry = (self.vehicle(unit).side, s.unit(unit).group);
        entry.1 > 0 && s.columns.contains(&entry)
    }

    /// The unit with all others that could share a Command with it (6.2.1.1.3), as a first proposal.
    pub fn usual_group(&self, s: &State, unit: UnitId, command: Command) -> UnitSet {
        let mut group = UnitSet::one(unit);
        let shares = self.command_control() && in_play(s, unit);
        let Some(piece) = self.piece(unit).filter(|_| shares) else { return group };
        let range = self.command_range(piece.formation);
        for other in self.members(piece.formation) {
            let near = |member: UnitId| self.field.range(s.unit(member).hex, s.unit(other).hex) <= range;
            let fit = other != unit
                && in_play(s, other)
                && !self.piece(other).is_some_and(crate::piece::Piece::recon)
                && !self.inactive(s, other)
                && group.iter().all(near)
                && self.bar_to_command(s, other, command).is_none();
            let mut more = group;
            more.insert(other);
            if fit && (self.armed(s, other) || self.surplus(s, more).is_none()) {
                group = more;
            }
        }
        group
    }

    /// The usual group of a unit, if it may be given the Command now: the same as [`Panzer::bar_to_share`] for it,
    /// without testing the other units again.
    pub(crate) fn listed_group(&self, s: &State, unit: UnitId, command: Command) -> Option<UnitSet> {
        let piece = self.piece(unit).filter(|_| self.command_control())?;
        let able = !piece.recon()
            && in_play(s, unit)
            && self.bar_to_command(s, unit, command).is_none()
            && !self.inactive(s, unit);
        let group = if able { self.usual_group(s, unit, command) } else { UnitSet::EMPTY };
        let first = group.iter().next()?;
        (group.len() > 1 && self.none_left(s, first, group).is_none()).then_some(group)
    }

    /// A number that no group of the side uses.
    pub fn free_group(&self, s: &State, side: crate::pack::Side) -> u8 {
        let used = |n: u8| self.units_of(side).iter().any(|unit| s.unit(*unit).group == n);
        (1..=u8::MAX).find(|n| !used(*n)).unwrap_or(u8::MAX)
    }
}

/// On the map, with a crew, and not aboard something.
fn in_play(s: &State, unit: UnitId) -> bool {
    let u = s.unit(unit);
    u.on_map() && !u.passenger() && !u.is(Flags::BAILED)
}

/// One augmenting path of the matching.
fn assign(
    vehicle: UnitId,
    combat: &[UnitId],
    near: &impl Fn(UnitId, UnitId) -> bool,
    paired: &mut [Option<UnitId>],
    seen: &mut [bool],
) -> bool {
    for (n, unit) in combat.iter().enumerate() {
        if seen[n] || !near(vehicle, *unit) {
            continue;
        }
        seen[n] = true;
        if paired[n].is_none_or(|other| assign(other, combat, near, paired, seen)) {
            paired[n] = Some(vehicle);
            return true;
        }
    }
    false
}
