//! The Helicopter Track (25.5) and forming units on it (25.1, 26.2).

use hexgrid::{HexId, HexSet};
use kernel::Refusal;

use crate::{
    action::{Part, Units},
    event::Event,
    pack::{HelicopterProfile, System},
    play::Play,
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{Side, Symbol, UnitId},
};

impl Wurzburg {
    /// 25.2.1: the map edge by which a side's helicopters enter and leave: north for the Warsaw Pact, south for NATO,
    /// and every entry zone of the scenario.
    pub(crate) fn edges_for_helicopters(&self, entries: &[HexSet; 2]) -> [HexSet; 2] {
        let line = |hex: HexId| self.field.label(hex).get(..2).and_then(|line| line.parse::<u8>().ok());
        let lines: Vec<(HexId, u8)> =
            self.area.iter().filter_map(|hex| line(hex).map(|line| (hex, line))).collect();
        let north = lines.iter().map(|(_, line)| *line).min();
        let south = lines.iter().map(|(_, line)| *line).max();
        let mut edges = *entries;
        for (hex, line) in lines {
            if Some(line) == north {
                edges[Side::Wp.index()].insert(hex);
            }
            if Some(line) == south {
                edges[Side::Nato.index()].insert(hex);
            }
        }
        edges
    }

    /// The most steps of a helicopter unit on the map (25.1); utility units have no limit (26.2).
    pub fn flight_limit(&self, unit: UnitId) -> u8 {
        match self.counter(unit).symbol {
            Symbol::AttackHelicopter => self.counter(unit).max_steps,
            _ => u8::MAX,
        }
    }

    /// 25.1: how many steps of a unit's type in the Ready Box can fly as one unit.
    pub fn ready_steps(&self, s: &State, unit: UnitId) -> u8 {
        let others = self.mates(s, unit, Place::Ready).map(|mate| s.unit(mate).steps);
        others.fold(s.unit(unit).steps, u8::saturating_add).min(self.flight_limit(unit))
    }

    /// Helicopters of the same type in a box of the track.
    fn mates<'a>(&'a self, s: &'a State, unit: UnitId, place: Place) -> impl Iterator<Item = UnitId> + 'a {
        let kind = &self.counter(unit).kind;
        s.ids().filter(move |other| {
            *other != unit && self.counter(*other).kind == *kind && s.unit(*other).place == place
        })
    }

    /// Whether this attack helicopter unit may answer a call of the HQ (25.0, 25.1).
    pub fn check_helicopter(&self, s: &State, hq: UnitId, unit: UnitId) -> Result<(), Refusal> {
        let (a, b) = (self.counter(hq), self.counter(unit));
        let no = |rule, key| self.no(rule, key).unit("unit", unit).unit("hq", hq).into();
        if !self.scenario.has(System::Helicopters) {
            return no("25.0", "air.no_helicopters");
        }
        if b.symbol != Symbol::AttackHelicopter {
            return no("21.1", "air.no_attack");
        }
        if a.side != b.side || a.side == Side::Nato && a.nation != b.nation {
            return no("25.0", "air.chain");
        }
        if s.unit(unit).place != Place::Ready || s.unit(unit).steps == 0 {
            return no("25.5", "air.not_ready");
        }
        // 25.6
        if self.night(s) && !b.thermal {
            return no("32.1", "air.helicopter_night");
        }
        if self.fog(s) {
            return no("25.0", "air.helicopter_fog");
        }
        if s.unit(unit).steps > self.flight_limit(unit) && self.mates(s, unit, Place::Spare).next().is_none()
        {
            return no("25.1", "air.no_counter");
        }
        Ok(())
    }

    /// The attack helicopters that could answer a call: the counter with the most steps of each type.
    pub fn ready_helicopters(&self, s: &State, hq: UnitId) -> Units {
        let mut list = Units::new();
        for unit in self.units_of(self.counter(hq).side) {
            if self.check_helicopter(s, hq, *unit).is_err() {
                continue;
            }
            match list.iter_mut().find(|other| self.counter(**other).kind == self.counter(*unit).kind) {
                Some(other) if s.unit(*other).steps < s.unit(*unit).steps => *other = *unit,
                Some(_) => {}
                None => list.push(*unit),
            }
        }
        list
    }

    /// 25.1, 26.2: helicopter units of one type in one box exchange steps.
    pub fn check_exchange(&self, s: &State, side: Side, part: Part, to: UnitId) -> Result<(), Refusal> {
        self.own(side, part.unit)?;
        self.own(side, to)?;
        let no = |key| self.no("25.1", key).unit("unit", part.unit).unit("to", to).into();
        let (a, b) = (self.counter(part.unit), self.counter(to));
        if !a.symbol.helicopter() || a.kind != b.kind || part.unit == to {
            return no("transfer.other_kind");
        }
        let place = s.unit(part.unit).place;
        let boxed = matches!(place, Place::Ready | Place::Rearm | Place::Recovery);
        if !boxed || !(s.unit(to).place == place || s.unit(to).place == Place::Spare) {
            return no("transfer.place");
        }
        let all = s.unit(part.unit).steps;
        if !(1..=all).contains(&part.steps.unwrap_or(all)) {
            return no("transfer.steps");
        }
        Ok(())
    }

    /// 25.3: the profile of a helicopter unit depends on its hex: Gunnery adjacent to or over an enemy.
    pub fn helicopter_profile(&self, s: &State, unit: UnitId) -> HelicopterProfile {
        let hex = s.unit(unit).hex;
        let enemy = self.counter(unit).side.enemy();
        if hex != HexId::NONE && (self.holds(s, hex, enemy) || self.next_to(s, hex, enemy)) {
            HelicopterProfile::Gunnery
        } else {
            HelicopterProfile::StandOff
        }
    }

    /// The number that a Hit Check is rolled against (25.3, 26.1).
    pub fn helicopter_defense(&self, s: &State, unit: UnitId) -> u8 {
        let counter = self.counter(unit);
        match counter.profiles[self.helicopter_profile(s, unit).index()] {
            Some(profile) => profile.defense,
            None => counter.defense,
        }
    }

    /// How far an attack helicopter unit fires (25.2).
    pub fn helicopter_range(&self, unit: UnitId) -> u32 {
        let profiles = self.counter(unit).profiles.iter().flatten();
        profiles.map(|profile| u32::from(profile.range)).max().unwrap_or(0)
    }

    /// Attack Strength of a step against a hex: that of the profile for the range (25.3, 25.4).
    pub fn helicopter_attack(&self, s: &State, unit: UnitId, target: HexId) -> u8 {
        let near = self.field.distance(s.unit(unit).hex, target) <= 1;
        let profile = if near { HelicopterProfile::Gunnery } else { HelicopterProfile::StandOff };
        self.counter(unit).profiles[profile.index()].map_or(0, |profile| profile.attack)
    }

    /// 25.4: can an attack helicopter unit on the map fire at a hex?
    pub fn helicopter_reaches(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        s.unit(unit).on_map() && self.field.distance(s.unit(unit).hex, hex) <= self.helicopter_range(unit)
    }
}

/// Transfer steps on the track.
pub fn exchange(play: &mut Play, part: Part, to: UnitId) {
    let from = play.s.unit(part.unit);
    let (place, all) = (from.place, from.steps);
    let steps = part.steps.unwrap_or(all).min(all);
    let u = play.s.unit_mut(part.unit);
    u.steps -= steps;
    if u.steps == 0 {
        play.s.put(part.unit, Place::Spare, HexId::NONE);
    }
    play.s.put(to, place, HexId::NONE);
    play.s.unit_mut(to).steps += steps;
    play.tell(Event::Transferred { from: part.unit, to, steps });
}

/// 4.2, 4.2.1, 11.1.8, 25.1, 26.2: a unit of at most this many steps takes off; the rest stays in the box on another
/// counter.
pub fn set_out(play: &mut Play, unit: UnitId, wanted: u8) {
    let limit = play.rules.flight_limit(unit).min(wanted);
    // It is formed from all steps in the box.
    while play.s.unit(unit).steps < limit && wanted != u8::MAX {
        let Some(mate) = play.rules.mates(play.s, unit, Place::Ready).next() else { break };
        exchange(play, Part::all(mate), unit);
    }
    let rest = play.s.unit(unit).steps.saturating_sub(limit);
    if rest == 0 {
        return;
    }
    let mate = play.rules.mates(play.s, unit, Place::Ready).next();
    let spare = mate.or_else(|| play.rules.mates(play.s, unit, Place::Spare).next());
    let Some(other) = spare else { return };
    exchange(play, Part { unit, steps: Some(rest) }, other);
}

/// 26.5, 25.5: the mission has ended: move to the Recovery Box, together with others of the type.
pub fn arrive(play: &mut Play, unit: UnitId) {
    play.s.standing = kernel::Standing::default();
    play.s.put(unit, Place::Recovery, HexId::NONE);
    play.s.unit_mut(unit).flags = Flags(0);
    gather(play.rules, play.s, unit);
    play.tell(Event::Recovered { unit });
}

/// Combine the steps of a counter with those of its type in the same box, so that counters stay free.
fn gather(rules: &Wurzburg, s: &mut State, unit: UnitId) {
    let place = s.unit(unit).place;
    let Some(other) = rules.mates(s, unit, place).next() else { return };
    let steps = s.unit(unit).steps;
    s.unit_mut(other).steps += steps;
    s.put(unit, Place::Spare, HexId::NONE);
    s.unit_mut(unit).steps = 0;
}

/// 25.5: the Ready Units Step of the Reorganization Phase.
pub fn advance(rules: &Wurzburg, s: &mut State) {
    for (from, to) in [(Place::Rearm, Place::Ready), (Place::Recovery, Place::Rearm)] {
        let moving: Units = s.ids().filter(|unit| s.unit(*unit).place == from).collect();
        for unit in moving {
            s.put(unit, to, HexId::NONE);
            gather(rules, s, unit);
        }
    }
}

impl Wurzburg {
    /// Put the steps that a scenario gives (25.1, 26.2) into the Ready Box.
    pub fn add_helicopters(&self, s: &mut State, kind: &str, steps: u8) {
        let of_kind = |unit: &UnitId| self.counter(*unit).kind == kind;
        let ready = s.ids().filter(of_kind).find(|unit| s.unit(*unit).place == Place::Ready);
        let spare = || s.ids().filter(of_kind).find(|unit| s.unit(*unit).place == Place::Spare);
        if let Some(unit) = ready.or_else(spare) {
            s.put(unit, Place::Ready, HexId::NONE);
            s.unit_mut(unit).steps += steps;
        }
    }
}
