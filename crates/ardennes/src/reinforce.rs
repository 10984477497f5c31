//! Reinforcements, Entry Hexes, Off-Map Boxes and Blocking Positions (13).

use hexgrid::HexId;
use kernel::Stop;

use crate::{
    event::Event,
    flags::Flags,
    movement::{
        bar::Bar,
        profile::Profile,
        reach::{Door, Doors},
    },
    pack::{ArrivalBy, BoxId, EntryId, EntrySet, Maps, Side, Tag, UnitId},
    place::Place,
    play::Play,
    rules::Ardennes,
    state::State,
    terrain::NEVER,
};

/// Marks the units that are due this turn (13.1). A unit that is not brought in waits.
pub fn open(play: &mut Play) -> Result<(), Stop> {
    let rules = play.rules;
    for unit in &rules.units_where(play.s, play.s.side, |u| u.is_at(Place::Track)) {
        if rules.arrival_turn(unit) > play.s.turn || !rules.condition_met(play.s, unit) {
            continue;
        }
        let Some(arrival) = rules.pack.unit(unit).arrival() else { continue };
        match arrival.by {
            ArrivalBy::Entry(_) | ArrivalBy::TownOrCity | ArrivalBy::Drop => {
                rules.put(play.s, unit, Place::Due);
            }
            ArrivalBy::OffMapBox(id) => {
                rules.put(play.s, unit, Place::Box(id));
                play.tell(Event::ToBox { unit, to: id });
            }
            ArrivalBy::Roll(_) => crate::special::arrival_roll(play, unit)?, // 27.7
        }
        // 13.3
        if rules.counter(unit).artillery {
            play.s.unit_mut(unit).flags.set(Flags::FIRED);
        }
        // 27.3: while Antwerp is too weak, British reinforcements go there.
        if rules.counter(unit).british && crate::antwerp::insufficient(rules, play.s) {
            rules.put(play.s, unit, Place::Antwerp);
            play.tell(Event::ToAntwerp { unit });
        }
    }
    Ok(())
}

impl Ardennes {
    /// The turn of arrival; 31.2 gives the airborne divisions a different turn.
    pub fn arrival_turn(&self, unit: UnitId) -> u8 {
        self.arrival_turns[unit.index()]
    }

    // 1E 33.3: Nordwind has no further condition.
    /// 1E 33.2
    pub(crate) fn condition_met(&self, s: &State, unit: UnitId) -> bool {
        use crate::pack::ArrivalCondition::GermanAcrossMeuse;
        match self.pack.unit(unit).arrival().and_then(|a| a.condition) {
            Some(GermanAcrossMeuse) => s.meuse_crossed,
            _ => true,
        }
    }

    /// 1E 33.2: held in its Box until a German unit crosses the Meuse or is adjacent to it.
    pub fn held_in_box(&self, s: &State, unit: UnitId) -> bool {
        use crate::pack::ArrivalCondition::HeldUntilMeuseOrAdjacent;
        let held = self.pack.unit(unit).arrival().and_then(|a| a.condition) == Some(HeldUntilMeuseOrAdjacent);
        held && !s.meuse_crossed
            && !self.land.west_of_meuse.iter().any(|hex| s.near(Side::German).contains(hex))
    }

    /// The Entry Hexes printed on the unit, or those of its Box or Blocking Position.
    fn entry_set(&self, s: &State, unit: UnitId) -> EntrySet {
        match s.unit(unit).place() {
            Place::Due if self.comes_by_west_edge(unit) => EntrySet::default(),
            Place::Due => match self.pack.unit(unit).arrival().map(|a| a.by) {
                Some(ArrivalBy::Entry(set) | ArrivalBy::Roll(set)) => set,
                _ => EntrySet::default(),
            },
            Place::Box(id) => self.pack.boxes[id.index()].entries,
            Place::Blocking(id) => EntrySet::default().with(id),
            _ => EntrySet::default(),
        }
    }

    /// 31.2, 31.3: the airborne units enter by the west edge and not by an Entry Hex.
    fn comes_by_west_edge(&self, unit: UnitId) -> bool {
        self.scenario.airborne.is_some() && self.counter(unit).has(Tag::Airborne)
    }

    /// The hexes by which the unit may enter the map now, with their costs (13.1, 13.5, 13.6, 31.2).
    pub(crate) fn doors(&self, s: &State, p: &Profile) -> Doors {
        let mut doors = Doors::new();
        let u = s.unit(p.unit);
        if u.is(Flags::DISRUPTED) || self.is_engineer(p.unit) || self.held_in_box(s, p.unit) {
            return doors; // 17.6, 13.2, 1E 33.2
        }
        let set = self.entry_set(s, p.unit);
        for entry in set.iter() {
            if let Some(hex) = self.land.entry_hex(entry)
                && self.entry_bar(s, p.side, entry).is_none()
                && !self.of_another_army(s, p, entry)
            {
                doors.add(Door { hex, cost: self.entry_cost(s, p, hex) });
            }
        }
        if self.scenario.maps == Maps::East && u.place() == Place::Due {
            self.west_edge_doors(s, p, set, &mut doors);
        }
        doors
    }

    /// 31.2: units whose Entry Hexes are on the West map enter at the west edge of the East map.
    fn west_edge_doors(&self, s: &State, p: &Profile, set: EntrySet, doors: &mut Doors) {
        for hex in &self.land.west_edge {
            if let Some(spent) = self.west_edge_door(p.unit, set, hex)
                && !s.enemy_in(p.side, hex)
            {
                doors.add(Door { hex, cost: self.entry_cost(s, p, hex) + u16::from(spent) * 4 });
            }
        }
    }

    /// Every hex by which a unit with these Entry Hexes may enter the map in play, open or not.
    pub(crate) fn doors_of(&self, unit: UnitId, set: EntrySet) -> Vec<HexId> {
        let mut doors: Vec<HexId> = if self.comes_by_west_edge(unit) {
            Vec::new()
        } else {
            set.iter().filter_map(|entry| self.land.entry_hex(entry)).collect()
        };
        if self.scenario.maps == Maps::East {
            let edge = self.land.west_edge.iter();
            doors.extend(edge.filter(|hex| self.west_edge_door(unit, set, *hex).is_some()));
        }
        doors
    }

    /// The points already spent by a unit that enters at this hex of the west edge; none if it may not enter there.
    fn west_edge_door(&self, unit: UnitId, set: EntrySet, hex: HexId) -> Option<u8> {
        if !self.land.hex(hex).has_road() || !self.land.west_edge.contains(hex) {
            return None;
        }
        if let Some(airborne) = self.scenario.airborne.filter(|_| self.comes_by_west_edge(unit)) {
            return Some(airborne.spent);
        }
        let number = self.label(hex).parse::<crate::pack::HexRef>().map_or(0, |h| h.row);
        let row = self
            .scenario
            .west_edge
            .iter()
            .find(|row| row.entries.0 & set.0 != 0 && (row.rows[0]..=row.rows[1]).contains(&number))?;
        Some(row.spent)
    }

    /// 13.1: the cost of the Entry Hex, by road if it has one.
    fn entry_cost(&self, s: &State, p: &Profile, hex: HexId) -> u16 {
        let land = self.land.hex(hex);
        let by_road = self.land.road_into[hex.index()][p.cost];
        let cost = by_road.min(land.enter[p.cost]);
        let delay = if p.free { 0 } else { self.delay(s, p.side, hex) };
        if cost == NEVER { delay } else { u16::from(cost) + delay }
    }

    /// Why the unit may not enter by a hex.
    pub(crate) fn no_door(&self, s: &State, p: &Profile, hex: HexId) -> Bar {
        if hex == HexId::NONE {
            return Bar::unit("13.1", "entry.which");
        }
        if s.enemy_in(p.side, hex) {
            return Bar::hex("13.4", "enemy_there", hex);
        }
        let Some(entry) = self.land.entry_at(hex) else { return Bar::hex("13.1", "entry.none", hex) };
        if self.is_engineer(p.unit) {
            return Bar::hex("13.2", "engineer.placed", hex);
        }
        if s.unit(p.unit).is(Flags::DISRUPTED) {
            return Bar::hex("17.6", "disrupted.box", hex);
        }
        if s.unit(p.unit).is_at(Place::Due) && self.comes_by_west_edge(p.unit) {
            return Bar::hex("31.2", "entry.not_its", hex);
        }
        if !self.entry_set(s, p.unit).contains(entry) {
            return Bar::hex("13.1", "entry.not_its", hex);
        }
        if self.of_another_army(s, p, entry) {
            return Bar::hex("11.10", "entry.army", hex);
        }
        self.entry_bar(s, p.side, entry).unwrap_or(Bar::hex("13.1", "entry.none", hex))
    }

    /// 1E 11.10: while boundaries are in force, reinforcements enter on their own army's side.
    fn of_another_army(&self, s: &State, p: &Profile, entry: EntryId) -> bool {
        let army = self.pack.entries[entry.index()].army;
        self.entries_of_armies()
            && p.boundaries
            && army.is_some()
            && army != self.counter(p.unit).army
            && s.unit(p.unit).place() == Place::Due
    }

    /// What closes an Entry Hex to a side (11.9, 13.4).
    pub fn entry_bar(&self, s: &State, side: Side, entry: EntryId) -> Option<Bar> {
        let hex = self.land.entry_hex(entry)?;
        if s.enemy_in(side, hex) {
            return Some(Bar::hex("13.4", "enemy_there", hex));
        }
        if side == Side::German {
            return None;
        }
        if s.entries_lost >> entry.0 & 1 == 1 {
            return Some(Bar::hex("11.9", "entry.lost", hex));
        }
        let sector = self.pack.entries[entry.index()].off_map_box?;
        self.unblocked_entry(s, sector).map(|open| Bar::hex("13.4", "entry.unblocked", open))
    }

    /// 13.4: an Entry Hex of the sector that is held by Germans and not covered by a Blocking Position.
    pub fn unblocked_entry(&self, s: &State, sector: BoxId) -> Option<HexId> {
        let set = self.pack.boxes[sector.index()].entries;
        set.iter().find_map(|entry| {
            let hex = self.land.entry_hex(entry)?;
            (s.held(Side::German).contains(hex) && !self.blocked(s, entry)).then_some(hex)
        })
    }

    /// 13.4: are Allied units with enough DF in its Blocking Position?
    pub fn blocked(&self, s: &State, entry: EntryId) -> bool {
        let defense: u16 = self
            .units_of(Side::Allied)
            .filter(|u| s.unit(*u).place() == Place::Blocking(entry))
            .map(|u| u16::from(self.factors(s, u).defense))
            .sum();
        defense >= u16::from(self.tables().victory.blocking_defense)
    }

    /// May this unit, which is off the map, enter at this hex? Only for parsing notation.
    pub fn is_entry_for(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let named = self.land.entry_at(hex).is_some_and(|entry| self.entry_set(s, unit).contains(entry));
        let set = self.entry_set(s, unit);
        named || self.scenario.maps == Maps::East && self.west_edge_door(unit, set, hex).is_some()
    }

    /// 13.1, 13.5, 13.6: may the unit go to an Off-Map Box?
    pub fn may_send(&self, s: &State, side: Side, unit: UnitId, to: BoxId) -> Result<(), Bar> {
        self.may_shift_off_map(s, side, unit)?;
        match s.unit(unit).place() {
            // 13.1: instead of entering.
            Place::Due => {
                let sector = |entry: EntryId| self.pack.entries[entry.index()].off_map_box == Some(to);
                if self.entry_set(s, unit).iter().any(sector) {
                    Ok(())
                } else {
                    Err(Bar::unit("13.1", "box.not_its"))
                }
            }
            Place::Box(from) if from == to => Err(Bar::unit("13.5", "box.there")),
            Place::Box(from) => {
                if !self.pack.boxes[from.index()].adjacent.contains(&to) {
                    return Err(Bar::unit("13.5", "box.not_adjacent"));
                }
                match self.unblocked_entry(s, from) {
                    Some(hex) => Err(Bar::hex("13.4", "entry.unblocked", hex)),
                    None => Ok(()),
                }
            }
            Place::Blocking(entry) if self.pack.entries[entry.index()].off_map_box == Some(to) => {
                match self.must_keep_blocking(s, unit, entry) {
                    Some(hex) => Err(Bar::hex("13.4", "block.must_stay", hex)),
                    None => Ok(()),
                }
            }
            Place::Blocking(_) => Err(Bar::unit("13.6", "box.not_its")),
            _ => Err(Bar::unit("13.5", "box.on_map")),
        }
    }

    /// 13.1, 13.5: may the unit go to the Blocking Position of an Entry Hex?
    pub fn may_block(&self, s: &State, side: Side, unit: UnitId, entry: EntryId) -> Result<(), Bar> {
        self.may_shift_off_map(s, side, unit)?;
        if self.pack.entries[entry.index()].off_map_box.is_none() || self.first_edition_blocks_nobody(entry) {
            return Err(Bar::unit("13.4", "block.none"));
        }
        match s.unit(unit).place() {
            Place::Due | Place::Box(_) if self.entry_set(s, unit).contains(entry) => Ok(()),
            Place::Due | Place::Box(_) => Err(Bar::unit("13.5", "block.not_its")),
            _ => Err(Bar::unit("13.5", "box.on_map")),
        }
    }

    /// 1E 13.4: a unit that blocks a German unit stays as long as that unit does, unless others take over.
    fn must_keep_blocking(&self, s: &State, unit: UnitId, entry: EntryId) -> Option<HexId> {
        let hex = self.land.entry_hex(entry)?;
        if !self.blockers_stay() || !s.held(Side::German).contains(hex) {
            return None;
        }
        let others: u16 = self
            .units_of(Side::Allied)
            .filter(|u| *u != unit && s.unit(*u).place() == Place::Blocking(entry))
            .map(|u| u16::from(self.factors(s, u).defense))
            .sum();
        (self.blocked(s, entry) && others < u16::from(self.tables().victory.blocking_defense)).then_some(hex)
    }

    // 1E 13.4, 1E 13.5: the Blocking Position represents the off-map hexes adjacent to the Entry Hex.
    /// An Entry Hex that is not on the map in play has no Blocking Position.
    fn first_edition_blocks_nobody(&self, entry: EntryId) -> bool {
        self.land.entry_hex(entry).is_none()
    }

    fn may_shift_off_map(&self, s: &State, side: Side, unit: UnitId) -> Result<(), Bar> {
        self.may_move(s, side, unit)?;
        if side == Side::German {
            return Err(Bar::unit("11.9", "box.german"));
        }
        if s.night {
            return Err(Bar::unit("25.31", "night.no_marker"));
        }
        if self.is_engineer(unit) && s.unit(unit).place() == Place::Due {
            return Err(Bar::unit("13.2", "engineer.placed"));
        }
        if self.held_in_box(s, unit) {
            return Err(Bar::unit("33", "box.held"));
        }
        // 31.2
        if self.airborne_now(s, unit) {
            return Err(Bar::unit("31.2", "airborne.strategic_only"));
        }
        Ok(())
    }

    /// 13.2: may these Engineers be placed there?
    pub fn may_place_engineer(&self, s: &State, side: Side, unit: UnitId, hex: HexId) -> Result<(), Bar> {
        if self.counter(unit).side != side || !self.is_engineer(unit) || s.unit(unit).place() != Place::Due {
            return Err(Bar::unit("13.2", "engineer.who"));
        }
        if !self.land.hex(hex).town_or_city() {
            return Err(Bar::hex("13.2", "engineer.town", hex));
        }
        if s.control(hex) != side || s.enemy_in(side, hex) {
            return Err(Bar::hex("13.2", "engineer.control", hex));
        }
        if s.in_ezoc(side, hex) {
            return Err(Bar::hex("13.2", "engineer.ezoc", hex));
        }
        if s.roadblocks[side.enemy().index()].iter().any(|at| at.hex() == Some(hex)) {
            return Err(Bar::hex("33.1", "engineer.roadblock", hex));
        }
        let placed = |u: UnitId| self.is_engineer(u) && s.unit(u).is(Flags::ARRIVED);
        if s.stack(hex).any(placed) {
            return Err(Bar::hex("13.2", "engineer.one", hex));
        }
        // 1E 13.2
        if self.engineers_obey_stacking()
            && let Some(over) = self.overload(s, hex, &[unit])
        {
            let what = crate::movement::bar::What::Full(hex, over, self.load(s, hex, &[unit]));
            return Err(Bar { rule: "8.1", key: "stacking", what });
        }
        Ok(())
    }
}

/// 13.1, 13.5: to an Off-Map Box.
pub fn send(play: &mut Play, unit: UnitId, to: BoxId) {
    play.rules.put(play.s, unit, Place::Box(to));
    off_map(play, unit);
    play.tell(Event::ToBox { unit, to });
}

/// 13.4: to a Blocking Position.
pub fn block(play: &mut Play, unit: UnitId, entry: EntryId) {
    play.rules.put(play.s, unit, Place::Blocking(entry));
    off_map(play, unit);
    play.tell(Event::ToBlocking { unit, entry });
}

fn off_map(play: &mut Play, unit: UnitId) {
    play.s.unit_mut(unit).flags.set(Flags::MOVED);
    if play.rules.counter(unit).artillery {
        play.mark(unit, Flags::FIRED); // 22.1
    }
}

/// 13.2: places the Engineers, which may still make a Tactical Move.
pub fn place_engineer(play: &mut Play, unit: UnitId, hex: HexId) {
    play.rules.put(play.s, unit, Place::Hex(hex));
    play.s.unit_mut(unit).flags.set(Flags::ARRIVED);
    play.tell(Event::Placed { unit, hex });
}
