//! Aircraft (6.7): two phases in which one side's aircraft cross the map one at a time, acquire targets and attack
//! them, while the other side's anti-aircraft units fire at them.

mod aa;
mod attack;
mod fly;
mod question;

use hexgrid::{Direction, HexId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    pack::{
        Side,
        advanced::{AircraftCard, AircraftDef, Altitude, Module, Speed},
    },
    play::Play,
    rules::Panzer,
    state::{Flags, State},
    units::{UnitId, UnitSet},
};

pub use aa::{AaAim, AaCause};
pub use attack::{AirCause, Approach, hit, next};
pub use fly::{could_fire, window};
pub(crate) use question::template;
pub use question::{AaFire, Flying, Load, Sorties};

/// An edge of the map (6.7.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    North,
    East,
    South,
    West,
}

impl Edge {
    pub const ALL: [Edge; 4] = [Edge::North, Edge::East, Edge::South, Edge::West];

    pub const fn key(self) -> &'static str {
        match self {
            Edge::North => "north",
            Edge::East => "east",
            Edge::South => "south",
            Edge::West => "west",
        }
    }
}

/// What an aircraft attacks with (6.7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arms {
    Strafing,
    Bombs,
    Rockets,
}

impl Arms {
    pub const ALL: [Arms; 3] = [Arms::Strafing, Arms::Bombs, Arms::Rockets];

    pub const fn key(self) -> &'static str {
        match self {
            Arms::Strafing => "strafing",
            Arms::Bombs => "bombs",
            Arms::Rockets => "rockets",
        }
    }

    pub const fn rule(self) -> &'static str {
        match self {
            Arms::Strafing => "6.7.3.2",
            Arms::Bombs => "6.7.3.3",
            Arms::Rockets => "6.7.3.4",
        }
    }
}

/// 5.4: one aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Craft {
    /// Its place among the scenario's aircraft.
    pub def: u8,
    /// Its number among them.
    pub number: u8,
    /// 6.7.2.1: the turn of its first appearance, and the last one in which it flew; 0: none.
    pub appeared: u8,
    pub flown: u8,
    pub left_by: Option<Edge>,
    /// 5.16.2.6: attacks left, by [`Arms`].
    pub left: [u8; 3],
    /// 6.7.1: rockets were chosen where the card has both.
    pub rockets: bool,
    /// Suppression and damage are marks as those of a unit.
    pub flags: Flags,
    pub damaged: u8,
    /// Shot down.
    pub gone: bool,
}

impl Craft {
    pub const fn suppressed(&self) -> bool {
        self.flags.0 & Flags::SUPPRESSED.0 != 0
    }
}

/// The aircraft that crosses the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flight {
    pub active: bool,
    pub craft: u8,
    pub hex: HexId,
    pub facing: Direction,
    pub speed: Speed,
    pub altitude: Altitude,
    /// 6.7.2.3.1
    pub turned: bool,
    /// Hexes flown since it entered the map.
    pub hexes: u8,
    /// 6.7.3.1.1: the target under acquisition, and the hexes flown for it.
    pub target: UnitId,
    pub count: u8,
    /// It has attacked in this pass.
    pub attacks: u8,
    /// The other side has been asked in this hex.
    pub watched: bool,
    /// Hexes that it still flies straight on before its owner is asked again.
    #[serde(default)]
    pub bound: u8,
    /// 6.7.4.1.1: hexes for which each anti-aircraft unit has seen it.
    pub tracked: SmallVec<[(UnitId, u8); 8]>,
}

impl Default for Flight {
    fn default() -> Flight {
        Flight {
            active: false,
            craft: 0,
            hex: HexId::NONE,
            facing: Direction::D0,
            speed: Speed::Slow,
            altitude: Altitude::Low,
            turned: false,
            hexes: 0,
            target: UnitId::NONE,
            count: 0,
            attacks: 0,
            watched: false,
            bound: 0,
            tracked: SmallVec::new(),
        }
    }
}

/// An air attack, or a crash, that is being resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strike {
    pub arms: Option<Arms>,
    /// 6.7.3.3: the altitude at which bombs are dropped; Low for a dive bomber.
    pub altitude: Option<Altitude>,
    pub hexes: SmallVec<[HexId; 4]>,
    /// Units still to be attacked, the next one last.
    pub queue: SmallVec<[UnitId; 16]>,
    pub target: UnitId,
    pub moving: bool,
    /// Rockets: the range at which they were fired.
    pub range: u8,
    /// 6.7.4.2.1: the side that rolls for a crash.
    pub crash: Option<Side>,
}

/// Everything about the air war that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Air {
    pub craft: SmallVec<[Craft; 8]>,
    pub flight: Flight,
    pub strike: Strike,
    /// 6.7.3.1.2: FOs that spot for aircraft this turn, each with its target.
    pub spotting: SmallVec<[(UnitId, UnitId); 2]>,
    /// AA units that have fired this turn (6.7.4.1.1).
    pub fired: UnitSet,
    /// 6.7.1: the loads are settled.
    pub loaded: bool,
}

/// `Kittyhawk 2`: the type without its role.
fn kind_name(card: &AircraftCard, count: u8, number: u8) -> String {
    let kind = card.name.split(" (").next().unwrap_or(&card.name);
    if count > 1 { format!("{kind} {}", number + 1) } else { kind.to_owned() }
}

impl Panzer {
    pub fn air_war(&self) -> bool {
        self.advanced
            .as_deref()
            .is_some_and(|game| game.uses(Module::Air) && !game.extras.aircraft.is_empty())
            && !self.optional(36) // 6.7: by day and in clear weather only
    }

    /// The side that has aircraft (6.7).
    pub fn air_side(&self) -> Option<Side> {
        let game = self.advanced.as_deref().filter(|_| self.air_war())?;
        game.extras.aircraft.first().map(|def| def.side)
    }

    pub fn craft_def(&self, craft: &Craft) -> Option<&AircraftDef> {
        self.advanced.as_deref()?.extras.aircraft.get(usize::from(craft.def))
    }

    pub fn craft_card(&self, craft: &Craft) -> Option<&AircraftCard> {
        let card = &self.craft_def(craft)?.card;
        let made = self.advanced.as_deref()?.extras.aircraft_cards.iter().find(|made| made.id == *card);
        made.or_else(|| self.pack.advanced.aircraft(card))
    }

    /// The name of an aircraft by its number, even if it is gone.
    pub fn craft_label(&self, n: u8) -> String {
        let mut left = n;
        for def in self.advanced.iter().flat_map(|game| &game.extras.aircraft) {
            if left < def.count {
                return if def.count > 1 { format!("{}{}", def.id, left + 1) } else { def.id.clone() };
            }
            left -= def.count;
        }
        String::new()
    }

    /// The name of an aircraft for people: its type, with a number if the scenario has several.
    pub fn craft_title(&self, n: u8) -> String {
        let Some(game) = self.advanced.as_deref() else { return String::new() };
        let mut left = n;
        for def in &game.extras.aircraft {
            if left < def.count {
                let made = game.extras.aircraft_cards.iter().find(|made| made.id == def.card);
                let Some(card) = made.or_else(|| self.pack.advanced.aircraft(&def.card)) else { break };
                return kind_name(card, def.count, left);
            }
            left -= def.count;
        }
        self.craft_label(n)
    }

    /// The same of an aircraft that flies.
    pub fn craft_called(&self, craft: &Craft) -> String {
        match (self.craft_def(craft), self.craft_card(craft)) {
            (Some(def), Some(card)) => kind_name(card, def.count, craft.number),
            _ => self.craft_name(craft),
        }
    }

    /// The name of an aircraft: its id, with a number if the scenario has several.
    pub fn craft_name(&self, craft: &Craft) -> String {
        match self.craft_def(craft) {
            Some(def) if def.count > 1 => format!("{}{}", def.id, craft.number + 1),
            Some(def) => def.id.clone(),
            None => String::new(),
        }
    }

    pub fn craft_named(&self, s: &State, name: &str) -> Option<u8> {
        s.air.craft.iter().position(|craft| self.craft_name(craft) == name).map(|n| n as u8)
    }

    /// The aircraft of the scenario as they begin.
    pub(crate) fn hangar(&self, s: &mut State) {
        let Some(game) = self.advanced.as_deref() else { return };
        for (n, def) in game.extras.aircraft.iter().enumerate() {
            for number in 0..def.count {
                s.air.craft.push(Craft {
                    def: n as u8,
                    number,
                    appeared: 0,
                    flown: 0,
                    left_by: None,
                    left: [def.strafing, def.bombs, def.rockets],
                    rockets: def.bombs == 0 && def.rockets > 0,
                    flags: Flags(0),
                    damaged: 0,
                    gone: false,
                });
            }
        }
    }

    /// 5.16.2.6: has the aircraft such an attack left? Of bombs and rockets only what it has loaded (6.7.1).
    pub fn armed_with(&self, craft: &Craft, arms: Arms) -> bool {
        let Some(card) = self.craft_card(craft) else { return false };
        let both = card.bombs.is_some() && card.rockets.is_some();
        let loaded = match arms {
            Arms::Strafing => true,
            Arms::Bombs => card.bombs.is_some() && !(both && craft.rockets),
            Arms::Rockets => card.rockets.is_some() && (!both || craft.rockets),
        };
        loaded && craft.left[arms as usize] > 0
    }

    /// The edges that a hex lies on (6.7.2.1).
    pub fn edges_of(&self, hex: HexId) -> SmallVec<[Edge; 2]> {
        let mut edges = SmallVec::new();
        let gone = |d: Direction| self.field.neighbour(hex, d).is_none();
        let (west, east) =
            (gone(Direction::D4) && gone(Direction::D5), gone(Direction::D1) && gone(Direction::D2));
        if gone(Direction::D0) {
            edges.push(Edge::North);
        }
        if gone(Direction::D3) {
            edges.push(Edge::South);
        }
        if west {
            edges.push(Edge::West);
        }
        if east {
            edges.push(Edge::East);
        }
        edges
    }

    /// The edge over which an aircraft leaves from a hex.
    fn leaves_by(&self, hex: HexId, facing: Direction) -> Edge {
        let edges = self.edges_of(hex);
        let has = |edge: Edge| edges.contains(&edge);
        match facing {
            Direction::D0 => Edge::North,
            Direction::D3 => Edge::South,
            Direction::D1 | Direction::D2 if has(Edge::East) => Edge::East,
            Direction::D4 | Direction::D5 if has(Edge::West) => Edge::West,
            Direction::D1 | Direction::D5 => Edge::North,
            _ => Edge::South,
        }
    }

    /// 6.7.3.1.3: whether an aircraft over one hex can see a unit on the ground of another. An obstacle of sufficient
    /// height above the unit hides it in the adjacent hex, and one hex farther for each additional level.
    pub fn air_sees(&self, s: &State, from: HexId, altitude: Altitude, to: HexId) -> bool {
        let Some(game) = self.advanced.as_deref() else { return false };
        let base = game.tables().air.altitude[altitude.index()].base_height;
        let ground = self.los.height(to);
        let mut clear = true;
        self.los.hexes_on(from, to, |hex| {
            if hex == from || hex == to {
                return;
            }
            let flat = self.rubble(s, hex);
            let top = if flat { self.los.height(hex) } else { self.los.top(hex) };
            let above = top - ground;
            let hidden = i32::from(above - base) + 1;
            if hidden > 0 && self.field.range(hex, to) as i32 <= hidden {
                clear = false;
            }
        });
        clear
    }

    /// 6.7.2.1: whether the aircraft may enter the map now.
    pub fn may_fly(&self, s: &State, craft: &Craft) -> bool {
        let (Some(def), Some(game)) = (self.craft_def(craft), self.advanced.as_deref()) else { return false };
        if craft.gone || craft.flown == s.turn && craft.flown > 0 {
            return false;
        }
        match craft.appeared {
            0 => (def.first_turn[0]..=def.first_turn[1]).contains(&s.turn),
            first => s.turn < first.saturating_add(game.tables().air.loiter_turns),
        }
    }
}

/// 6.8.3: aircraft recover by their grade alone; 6.8.4: Suppression/On is turned to Off.
pub fn recover(play: &mut Play) -> Result<(), kernel::Stop> {
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(()) };
    for n in 0..play.s.air.craft.len() {
        let craft = play.s.air.craft[n];
        if craft.gone || craft.flags.0 & Flags::SUPPRESSED_OFF.0 == 0 {
            continue;
        }
        let Some(def) = play.rules.craft_def(&craft) else { continue };
        let (side, most) = (def.side, game.tables().grades[def.grade.index()].recovery);
        let roll = play.roll(side, "roll.recovery", "6.8.3")?;
        let recovered = roll <= most;
        if recovered {
            play.s.air.craft[n].flags.0 &= !Flags::SUPPRESSED.0;
        }
        play.tell(crate::event::Event::CraftRecovery { craft: n as u8, roll, most, recovered });
    }
    for craft in &mut play.s.air.craft {
        if craft.flags.0 & Flags::SUPPRESSED_ON.0 != 0 {
            craft.flags.0 &= !Flags::SUPPRESSED_ON.0;
            craft.flags.0 |= Flags::SUPPRESSED_OFF.0;
        }
    }
    play.s.air.fired = UnitSet::EMPTY;
    play.s.air.spotting.clear();
    Ok(())
}
