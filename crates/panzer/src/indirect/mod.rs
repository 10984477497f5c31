//! Indirect Fire (6.5.1): observers call batteries and guns onto what they have spotted; sources that respond fire at
//! every unit in the pattern. A mission is continued, adjusted or checked in the next turn.

mod areas;
mod call;
mod land;
mod listing;
mod mission;
pub mod plan;
mod question;
mod response;

use hexgrid::{Direction, HexId};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use crate::{
    frame::Frame,
    pack::{
        Side,
        advanced::{GpRow, HindranceKind, Module, Sheaf},
    },
    play::Play,
    rules::Panzer,
    state::State,
    units::{UnitId, UnitSet},
};

pub use areas::Areas;
pub(crate) use call::{friends_near, range, template};
pub use land::{hit, next};
pub use question::{Calls, Misdirect};
pub use response::{Answer, Cause};
pub(crate) use response::{scatter, scatter_modifier};

/// 5.3, 6.5.1.2: what fires: an off-map battery of the scenario, or a unit on the map with one of its weapons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    Battery(u8),
    Unit { unit: UnitId, gun: u8 },
}

pub type Sources = SmallVec<[Source; 4]>;

/// The hexes of a pattern (6.5.1.5).
pub type Pattern = SmallVec<[HexId; 20]>;

/// A mission that fires (6.5.1.7, 6.5.1.8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mission {
    pub id: u8,
    pub side: Side,
    pub observer: UnitId,
    pub point: HexId,
    /// The sheaf of batteries; units on the map hit only the target point (6.5.1.5).
    pub sheaf: Sheaf,
    /// Direction of a Closed Linear sheaf: 0 for north, then clockwise.
    pub direction: u8,
    pub smoke: bool,
    /// 6.5.1.6.2, 7.27: it illuminates its hexes.
    #[serde(default)]
    pub light: bool,
    pub sources: Sources,
    /// The turn in which it last fired.
    pub turn: u8,
    /// 6.5.1.10: it fell on a friend and is checked next turn.
    pub danger_close: bool,
    /// 6.5.1.11: by a plan, without an observer.
    #[serde(default)]
    pub planned: bool,
    /// 6.5.1.13: the observer's distance from the target point.
    #[serde(default)]
    pub seen: u8,
    /// 5.16.2: sources short of ammunition this turn.
    #[serde(default)]
    pub limited: Sources,
}

impl Mission {
    /// What one of its sources leaves on the map; everything from units on the map is Closed (6.5.2.4).
    pub const fn leaves(&self, source: Source) -> HindranceKind {
        let open = matches!(self.sheaf, Sheaf::Open) && matches!(source, Source::Battery(_));
        match (self.smoke, open) {
            (true, true) => HindranceKind::SmokeOpen,
            (true, false) => HindranceKind::SmokeClosed,
            (false, true) => HindranceKind::BarrageOpen,
            (false, false) => HindranceKind::BarrageClosed,
        }
    }
}

/// The effect of a mission on the map: smoke, or a barrage (6.1.4.3.10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    pub mission: u8,
    pub kind: HindranceKind,
    pub hexes: Pattern,
    /// Smoke/Off: it is removed in the next Counter Adjustment (6.8.4).
    pub off: bool,
    /// Does not hinder before the Direct Fire Step (6.5.2.4).
    pub young: bool,
}

impl Area {
    pub const fn smoke(&self) -> bool {
        matches!(self.kind, HindranceKind::SmokeClosed | HindranceKind::SmokeOpen)
    }

    /// Smoke that lies in one hex at the start (6.1.4.3.10).
    pub fn smoke_in(hex: HexId) -> Area {
        Area { mission: 0, kind: HindranceKind::SmokeClosed, hexes: smallvec![hex], off: false, young: false }
    }

    /// 6.1.4.3.12: dust in one hex; it hinders from the end of the step on.
    pub fn dust(hex: HexId) -> Area {
        Area { mission: 0, kind: HindranceKind::Dust, hexes: smallvec![hex], off: false, young: true }
    }
}

/// Attacks that are being resolved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Landing {
    pub mission: u8,
    pub source: Source,
    pub point: HexId,
    pub queue: SmallVec<[UnitId; 16]>,
    pub target: UnitId,
    pub moving: bool,
    /// 5.16.2: the ammunition of a gun is short.
    pub limited: bool,
    /// 6.6.6: a unit moves into the pattern.
    #[serde(default)]
    pub entering: bool,
}

/// The changing state of indirect fire.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Indirect {
    pub missions: Vec<Mission>,
    pub areas: Areas,
    /// Batteries, by their bit, and units that take no further part this turn: observers, and guns of a mission that was
    /// checked (6.5.1.9).
    pub batteries: u32,
    pub observers: UnitSet,
    pub last: u8,
    /// Attacks to come, the next one last.
    pub landing: Vec<Landing>,
    /// 6.5.1.12: sources that rolled a natural 1 near friendly units: the opponent chooses where they hit.
    pub astray: Sources,
    /// The mission they belong to.
    pub strayed: u8,
    /// 6.6.6: which source of which mission has attacked which unit in this Movement Phase.
    #[serde(default)]
    pub barraged: Vec<(UnitId, u8, Source)>,
    /// 6.5.1.11: plans of both sides, secret until they begin.
    #[serde(default)]
    pub plots: Vec<plan::Plot>,
    /// 7.27: hexes that a mission lights up.
    #[serde(default)]
    pub lit: Vec<(u8, HexId)>,
    /// 6.5.1.4: points that a battery has registered, secret.
    #[serde(default)]
    pub registered: Vec<(u8, HexId)>,
}

crate::copy::in_place!(Indirect {
    missions,
    areas,
    batteries,
    observers,
    last,
    landing,
    astray,
    strayed,
    barraged,
    plots,
    lit,
    registered,
});

impl Panzer {
    pub fn indirect_fire(&self) -> bool {
        self.advanced.as_deref().is_some_and(|game| game.uses(Module::IndirectFire))
    }

    /// 6.5.1.5: the hexes that a pattern covers on this map.
    pub fn pattern(&self, point: HexId, sheaf: Sheaf, direction: u8) -> Pattern {
        let Some(game) = self.advanced.as_deref() else { return smallvec![point] };
        let tables = &game.tables().indirect;
        if sheaf == Sheaf::ClosedLinear {
            let way = Direction::from_index(usize::from(direction % 6));
            let mut hexes: Pattern = smallvec![point];
            let mut at = point;
            for _ in 0..tables.line {
                let Some(to) = self.field.neighbour(at, way) else { break };
                hexes.push(to);
                at = to;
            }
            return hexes;
        }
        let board = &self.field.board;
        let centre = board.hex(point);
        let offsets = tables.sheaf[sheaf.index()].iter();
        offsets.filter_map(|(q, r)| board.id(centre + hexgrid::Hex::new(*q, *r))).collect()
    }

    /// The pattern of one source of a mission.
    pub fn source_pattern(&self, mission: &Mission, source: Source, point: HexId) -> Pattern {
        match source {
            Source::Battery(_) => self.pattern(point, mission.sheaf, mission.direction),
            Source::Unit { .. } => self.pattern(point, Sheaf::OnMapClosed, 0),
        }
    }

    /// The GP-IF row of a source (6.5.1).
    pub fn indirect_row(&self, source: Source) -> Option<GpRow> {
        let game = self.advanced.as_deref()?;
        match source {
            Source::Battery(n) => {
                let battery = game.extras.batteries.get(usize::from(n))?;
                Some(self.pack.advanced.battery(&battery.card)?.gp)
            }
            Source::Unit { unit, gun } => self.arm(unit, gun)?.weapon.gp_indirect,
        }
    }

    /// 5.16.2.5, 5.16.2.4: the ammunition limit of a source: batteries have one only for smoke and illumination, guns and
    /// mortars for smoke, and for all shells when they are away from their ammunition.
    pub fn ammo_limit(&self, s: &State, source: Source, smoke: bool, light: bool) -> Option<u8> {
        let game = self.advanced.as_deref().filter(|game| game.uses(Module::AmmoLimits))?;
        match source {
            Source::Battery(n) => {
                let ammo = game.extras.batteries.get(usize::from(n))?.ammo;
                match (smoke, light) {
                    (_, true) => ammo.illumination,
                    (true, false) => ammo.smoke,
                    (false, false) => None,
                }
            }
            Source::Unit { unit, gun } => {
                let ammo = self.arm(unit, gun)?.ammo;
                if smoke { ammo.smoke } else { ammo.basic.filter(|_| !self.supplied(s, unit)) }
            }
        }
    }

    /// A source by its name: a battery of the scenario, or a unit and its weapon that fires indirectly.
    pub fn source_named(&self, name: &str) -> Option<Source> {
        let game = self.advanced.as_deref()?;
        // Batteries that have fired are recorded as bits, hence at most 32.
        if let Some(n) = game.extras.batteries.iter().take(32).position(|b| b.id == name) {
            return Some(Source::Battery(n as u8));
        }
        self.source_of(self.named(name)?)
    }

    /// A unit with the weapon that fires indirectly.
    pub fn source_of(&self, unit: UnitId) -> Option<Source> {
        let gun = self.piece(unit)?.arms.iter().position(|arm| arm.weapon.gp_indirect.is_some())?;
        Some(Source::Unit { unit, gun: gun as u8 })
    }

    /// Its name for people: batteries of the pack have words.
    pub fn source_words(&self, source: Source) -> kernel::Arg {
        let name = self.source_name(source);
        let scenarios = &self.pack.advanced.scenarios;
        let listed =
            || scenarios.iter().filter_map(|s| s.advanced.as_deref()).flat_map(|extras| &extras.batteries);
        match source {
            Source::Unit { .. } => kernel::Arg::Unit(name),
            Source::Battery(_) if listed().any(|battery| battery.id == name) => {
                kernel::Arg::Term(format!("choice.{name}").into())
            }
            Source::Battery(_) => kernel::Arg::Text(name),
        }
    }

    pub fn source_name(&self, source: Source) -> String {
        match source {
            Source::Battery(n) => {
                let battery = self.advanced.as_deref().and_then(|g| g.extras.batteries.get(usize::from(n)));
                battery.map_or_else(String::new, |b| b.id.clone())
            }
            Source::Unit { unit, .. } => self.id(unit).to_owned(),
        }
    }

    pub fn mission<'a>(&self, s: &'a State, id: u8) -> Option<&'a Mission> {
        s.indirect.missions.iter().find(|m| m.id == id)
    }
}

/// 6.5.2.4: indirect smoke and barrages hinder from the Direct Fire Step on.
pub fn settle_smoke(play: &mut Play) {
    play.s.indirect.areas.each(|area| area.young = false);
}

/// A new Combat Phase: all sources and observers may take part again. 6.5.1.9: missions whose observer is gone, has
/// another Command or no longer sees the target point are checked automatically.
pub fn new_turn(play: &mut Play) {
    play.s.indirect.batteries = 0;
    play.s.indirect.observers = UnitSet::EMPTY;
    let lost: SmallVec<[u8; 8]> =
        play.s.indirect.missions.iter().filter(|m| call::lost(play.rules, play.s, m)).map(|m| m.id).collect();
    for id in lost {
        mission::cancel(play, id);
    }
}

/// 6.6.6: a unit has moved to a new hex; every barrage on it attacks, each of its sources once.
pub fn entered(play: &mut Play, unit: UnitId) {
    if play.s.indirect.missions.is_empty() || !play.s.unit(unit).on_map() {
        return;
    }
    let hex = play.s.unit(unit).hex;
    let turn = play.s.turn;
    let mut attacks: SmallVec<[(u8, Source, HexId, bool); 4]> = SmallVec::new();
    for m in play.s.indirect.missions.iter().filter(|m| !m.smoke && !m.light && m.turn == turn) {
        for source in &m.sources {
            // A gun that is gone no longer fires.
            if matches!(source, Source::Unit { unit, .. } if !play.s.unit(*unit).on_map()) {
                continue;
            }
            let done = play.s.indirect.barraged.contains(&(unit, m.id, *source));
            if !done && play.rules.source_pattern(m, *source, m.point).contains(&hex) {
                attacks.push((m.id, *source, m.point, m.limited.contains(source)));
            }
        }
    }
    for (mission, source, point, limited) in attacks.into_iter().rev() {
        let mut queue: SmallVec<[UnitId; 16]> = play.rules.passengers(play.s, unit).into_iter().collect();
        for one in queue.iter().copied().chain([unit]) {
            play.s.indirect.barraged.push((one, mission, source));
        }
        queue.push(unit);
        let target = UnitId::NONE;
        let landing =
            Landing { mission, source, point, queue, target, moving: false, limited, entering: true };
        play.s.indirect.landing.push(landing);
        play.s.walk.interrupted |= play.s.walk.active;
        play.then(&[Frame::Land]);
    }
}

/// The player's step ends: its dust hinders from now on (6.1.4.3.12).
pub fn settle_dust(play: &mut Play) {
    play.s.indirect.areas.each(|area| area.young &= area.kind != HindranceKind::Dust);
}

/// 6.8.4: Smoke/Off and Dust/Off are removed, Smoke/On and Dust/On turned.
pub fn counters(play: &mut Play) {
    let smoke = |kind: HindranceKind| {
        matches!(kind, HindranceKind::SmokeClosed | HindranceKind::SmokeOpen | HindranceKind::Dust)
    };
    play.s.indirect.areas.retain(|area| !(smoke(area.kind) && area.off));
    play.s.indirect.areas.each(|area| area.off |= smoke(area.kind));
}
