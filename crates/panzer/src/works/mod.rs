//! Counters that change the terrain (6.1.4.3): entrenchments, Improved Positions, wire, blocks, ditches, mines, rubble,
//! fires.
//!
//! Counters on the map at the start come from the scenario's features; units dig (6.6.8), fire destroys (6.5.4.4.3).

mod bog;
mod building;
mod dig;
mod engineers;
mod fires;
mod mines;
mod ruin;

use hexgrid::{Direction, HexId, HexSet};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    event::Event,
    field::Edge,
    movement::Bar,
    pack::{
        Cover, Side, Traction,
        advanced::{AdvancedTables, Chart, FeatureKind, Laid, Minefield},
    },
    play::Play,
    rules::Panzer,
    state::{Flags, State},
    units::{UnitId, UnitSet},
};

pub use bog::{bog, free};
pub use building::{Entry, doors};
pub use dig::dig;
pub use engineers::{check_demolish, could_demolish, demolish, demolitions};
pub use fires::{burn, ignite};
pub use mines::{clear, step_on, strike_mine};
pub use ruin::{Against, Shelling, Target, batter, shell_hex};

/// A counter on a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    pub hex: HexId,
    pub kind: FeatureKind,
    /// 6.5.4.2.5: GP defense; 0: it cannot be attacked.
    pub gpd: u8,
    /// 6.1.4.3.6, 6.1.4.3.7: how many units it holds.
    pub capacity: u8,
    /// 6.6.8: turns of work; an entrenchment is complete when the table's number is reached.
    pub progress: u8,
    /// The side that laid it, where that matters.
    pub side: Side,
    /// 7.31: known to its owner only.
    pub hidden: bool,
    pub mines: Option<(Minefield, Laid)>,
    /// 7.31: turns of clearing; [`Work::LANE`]: a lane leads through.
    pub cleared: u8,
}

impl Work {
    pub const LANE: u8 = u8::MAX;
}

/// All counters on the ground.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Works {
    pub list: Vec<Work>,
    /// Hexes with a counter: most have none.
    pub hexes: HexSet,
    /// 6.1.4.3.9: destroyed buildings, bridges and Improved Positions.
    pub rubble: HexSet,
    /// 6.1.4.3.5: burning hexes, each with the turn in which the fire started.
    pub fires: SmallVec<[(HexId, u8); 4]>,
    /// 7.31: units that a minefield has attacked in this phase.
    pub mined: UnitSet,
    /// 6.1.4.3.12: hexes that the moving vehicle has left for dusty terrain.
    pub trail: HexSet,
}

crate::copy::in_place!(Works { list, hexes, rubble, fires, mined, trail });

impl Works {
    pub fn at(&self, hex: HexId) -> impl Iterator<Item = &Work> {
        let any = self.hexes.contains(hex);
        self.list.iter().filter(move |work| any && work.hex == hex)
    }

    pub fn has(&self, hex: HexId, kind: FeatureKind) -> bool {
        self.at(hex).any(|work| work.kind == kind)
    }

    pub fn burns(&self, hex: HexId) -> bool {
        self.fires.iter().any(|(at, _)| *at == hex)
    }

    pub fn add(&mut self, work: Work) {
        self.hexes.insert(work.hex);
        if work.kind == FeatureKind::Rubble {
            self.rubble.insert(work.hex);
        } else {
            self.list.push(work);
        }
    }

    /// Remove one counter of this kind.
    pub fn remove(&mut self, hex: HexId, kind: FeatureKind) {
        if let Some(at) = self.list.iter().position(|work| work.hex == hex && work.kind == kind) {
            self.list.swap_remove(at);
        }
        self.tidy(hex);
    }

    fn tidy(&mut self, hex: HexId) {
        let some =
            self.list.iter().any(|work| work.hex == hex) || self.rubble.contains(hex) || self.burns(hex);
        self.hexes.set(hex, some);
    }

    pub fn ruin(&mut self, hex: HexId) {
        self.rubble.insert(hex);
        self.hexes.insert(hex);
    }

    pub fn set_on_fire(&mut self, hex: HexId, turn: u8) {
        if !self.burns(hex) {
            self.fires.push((hex, turn));
            self.hexes.insert(hex);
        }
    }
}

/// The row of the Terrain Effects Chart for a counter; entrenchments have no row (6.1.4.3.6).
pub(crate) fn chart_of(tables: &AdvancedTables, kind: FeatureKind) -> Option<&Chart> {
    match kind {
        FeatureKind::ImprovedPosition => Some(&tables.improved_position),
        FeatureKind::Wire => Some(&tables.wire),
        FeatureKind::Block => Some(&tables.block),
        FeatureKind::Ditch => Some(&tables.ditch),
        FeatureKind::Mines => Some(&tables.mines),
        FeatureKind::Rubble => Some(&tables.rubble),
        FeatureKind::Bridge => Some(&tables.bridge),
        FeatureKind::HastyEntrenchment | FeatureKind::Smoke | FeatureKind::Fire => None,
    }
}

impl Panzer {
    /// 6.6.8: turns that an entrenchment takes.
    fn entrenchment_turns(&self) -> u8 {
        self.advanced.as_deref().map_or(0, |game| game.tables().movement.entrenchment.turns)
    }

    /// Place the counters of the scenario, and those of units that start in one.
    pub(crate) fn lay_works(&self, s: &mut State) {
        let Some(game) = self.advanced.as_deref() else { return };
        s.works = Works::default();
        for feature in &game.extras.features {
            let chart = chart_of(game.tables(), feature.kind);
            for label in &feature.hexes {
                let Some(hex) = self.field.find(label) else { continue };
                match feature.kind {
                    FeatureKind::Fire => {
                        s.works.set_on_fire(hex, 0);
                        fires::hinder(s, hex);
                    }
                    FeatureKind::Smoke => s.indirect.areas.push(crate::indirect::Area::smoke_in(hex)),
                    kind => s.works.add(Work {
                        hex,
                        kind,
                        gpd: feature.gpd.or(chart.and_then(|chart| chart.gpd)).unwrap_or(0),
                        capacity: feature.capacity,
                        progress: feature.progress.unwrap_or(self.entrenchment_turns()),
                        side: feature.side.unwrap_or_default(),
                        hidden: feature.hidden,
                        mines: feature.mines,
                        cleared: 0,
                    }),
                }
            }
        }
        self.lay_under(s);
    }

    /// Place a counter under every unit that is said to be in one.
    pub(crate) fn lay_under(&self, s: &mut State) {
        for unit in s.ids() {
            let u = *s.unit(unit);
            let Some(hex) = u.hex.some() else { continue };
            for (flag, kind) in [
                (Flags::ENTRENCHED, FeatureKind::HastyEntrenchment),
                (Flags::IMPROVED, FeatureKind::ImprovedPosition),
            ] {
                let held =
                    s.ids().filter(|other| s.unit(*other).hex == hex && s.unit(*other).is(flag)).count();
                let room: usize = s
                    .works
                    .at(hex)
                    .filter(|work| work.kind == kind && self.complete(work))
                    .map(|work| usize::from(work.capacity))
                    .sum();
                if u.is(flag) && room < held {
                    s.works.add(self.new_work(hex, kind, self.entrenchment_turns()));
                }
            }
        }
    }

    /// A counter with the values of the chart.
    fn new_work(&self, hex: HexId, kind: FeatureKind, progress: u8) -> Work {
        let tables = self.advanced.as_deref().map(crate::piece::AdvancedGame::tables);
        let gpd = tables.and_then(|tables| chart_of(tables, kind)).and_then(|chart| chart.gpd).unwrap_or(0);
        Work {
            hex,
            kind,
            gpd,
            capacity: 1,
            progress,
            side: Side::default(),
            hidden: false,
            mines: None,
            cleared: 0,
        }
    }

    /// 6.6.8: whether an entrenchment is finished; other counters always are.
    pub fn complete(&self, work: &Work) -> bool {
        work.kind != FeatureKind::HastyEntrenchment || work.progress >= self.entrenchment_turns()
    }

    /// Is there room in a counter of the kind in a hex? The counter holds one unit unless the scenario says otherwise.
    fn room(&self, s: &State, hex: HexId, kind: FeatureKind, flag: Flags) -> bool {
        let all: usize = s
            .works
            .at(hex)
            .filter(|work| work.kind == kind && self.complete(work))
            .map(|work| usize::from(work.capacity))
            .sum();
        all > 0 && s.in_hex(hex).filter(|unit| s.unit(*unit).is(flag)).count() < all
    }

    /// 6.1.4.3.9: is the hex one of rubble?
    #[inline]
    pub fn rubble(&self, s: &State, hex: HexId) -> bool {
        !s.works.rubble.is_empty() && s.works.rubble.contains(hex)
    }

    /// 6.1.4.3.9, 6.1.4.3.11 and others: the effect of the counters of a hex on the cost to enter it.
    pub(crate) fn works_cost(&self, s: &State, traction: Traction, hex: HexId, cost: u8) -> Result<u8, Bar> {
        if !s.works.hexes.contains(hex) {
            return Ok(cost);
        }
        let Some(game) = self.advanced.as_deref() else { return Ok(cost) };
        let tables = game.tables();
        if s.works.burns(hex) {
            return Err(Bar::OnFire(hex)); // 6.1.4.3.5
        }
        let mut cost = cost;
        if self.rubble(s, hex) {
            if self.field.ground(hex).bridge {
                return Err(Bar::Work(FeatureKind::Rubble, hex)); // 6.5.4.4.3: a destroyed bridge
            }
            let ground = self.terrain_cost(traction, hex).unwrap_or(0);
            let rubble = tables.rubble.cost[traction as usize].ok_or(Bar::Work(FeatureKind::Rubble, hex))?;
            cost = cost.saturating_sub(ground).saturating_add(rubble.max(ground));
        }
        for work in s.works.at(hex) {
            if work.kind == FeatureKind::Bridge {
                continue;
            }
            let Some(chart) = chart_of(tables, work.kind) else { continue };
            // 6.1.4.3.3, 6.1.4.3.4, 6.1.4.3.11
            let own = chart.cost[traction as usize].ok_or(Bar::Work(work.kind, hex))?;
            cost = cost.max(own);
        }
        Ok(cost)
    }

    /// 6.1.4.3.3, 6.1.4.3.4: the cover that Leg units find in a block or ditch of their hex.
    pub(crate) fn works_cover(&self, s: &State, unit: UnitId, hex: HexId, spotting: bool) -> Cover {
        let leg = self.piece(unit).is_some_and(crate::piece::Piece::leg);
        let Some(game) = self.advanced.as_deref().filter(|_| leg && s.works.hexes.contains(hex)) else {
            return Cover::None;
        };
        let mut best = Cover::None;
        for work in s.works.at(hex) {
            if matches!(work.kind, FeatureKind::Block | FeatureKind::Ditch)
                && let Some(chart) = chart_of(game.tables(), work.kind)
            {
                best = best.max(if spotting { chart.cover_spot } else { chart.cover_combat });
            }
        }
        best
    }

    /// 6.1.4.3.10, 6.1.4.3.12: the extra cost of shell smoke and dust for vehicles, for entering a hex or for a paid
    /// turn in it.
    pub(crate) fn murk_cost(&self, s: &State, traction: Traction, hex: HexId) -> u8 {
        use crate::pack::advanced::HindranceKind as H;
        if traction.on_foot() || !s.indirect.areas.cover(hex) {
            return 0;
        }
        let Some(game) = self.advanced.as_deref() else { return 0 };
        let movement = &game.tables().movement;
        let here = s.indirect.areas.iter().filter(|area| !area.young && area.hexes.contains(&hex));
        let cost = here.map(|area| match area.kind {
            H::SmokeOpen | H::SmokeClosed => movement.shell_smoke,
            H::Dust => movement.dust,
            _ => 0,
        });
        cost.max().unwrap_or(0)
    }
}

impl Panzer {
    /// 6.1.4.3.12: whether a vehicle entering the hex raises dust: because of its terrain, or a path or track through
    /// it, but not a road.
    fn dusty(&self, hex: HexId) -> bool {
        let Some(game) = self.advanced.as_deref() else { return false };
        let on = |way: Edge| Direction::ALL.into_iter().any(|d| self.field.edge(hex, d).any(way));
        let tables = game.tables();
        match () {
            () if on(Edge::ROAD) => tables.road.dust,
            () if on(Edge::PATH) => tables.path.dust,
            () if on(Edge::TRACK) => tables.track.dust,
            () => tables.terrain[self.field.terrain(hex) as usize].dust,
        }
    }
}

/// 6.1.4.3.12: a vehicle has driven from one hex to another.
pub fn trail(play: &mut Play, unit: UnitId, from: HexId) {
    let dust = play.rules.advanced.as_deref().is_some_and(|game| game.extras.conditions.dust);
    let to = play.s.unit(unit).hex;
    if dust && !play.rules.vehicle(unit).movement.traction.on_foot() && play.rules.dusty(to) {
        play.s.works.trail.insert(from);
    }
}

/// 6.1.4.3.12: at the end of a move: it raises dust if it used at least half of the allowance.
pub fn raise_dust(play: &mut Play) {
    let walk = play.s.walk;
    if play.s.works.trail.is_empty() {
        return;
    }
    let trail = std::mem::take(&mut play.s.works.trail);
    let full =
        play.rules.allowance(play.s, &crate::movement::Walk { halved: 0, slowed_at: [None; 3], ..walk });
    if walk.spent < full / 2 {
        return;
    }
    for hex in &trail {
        let areas = &mut play.s.indirect.areas;
        let dust = crate::indirect::Area::dust(hex);
        match areas.iter().position(|area| area.kind == dust.kind && area.hexes.contains(&hex)) {
            Some(old) => areas.turn_on(old),
            None => areas.push(dust),
        }
        play.tell(Event::Dust { hex });
    }
}

/// A unit leaves its hex, and with it any work it was in.
pub fn leave(s: &mut State, unit: UnitId) {
    s.unit_mut(unit).clear(Flags(
        Flags::ENTRENCHED.0 | Flags::IMPROVED.0 | Flags::IMPROVED_PARTLY.0 | Flags::INSIDE.0 | Flags::UP.0,
    ));
}

/// A unit has entered a hex: tracks crush wire (6.1.4.3.11).
pub fn entered(play: &mut Play, unit: UnitId) {
    let hex = play.s.unit(unit).hex;
    if !play.s.works.hexes.contains(hex) {
        return;
    }
    let tracked = play.rules.vehicle(unit).movement.traction == Traction::Tracked;
    if tracked && play.s.works.has(hex, FeatureKind::Wire) {
        play.s.works.remove(hex, FeatureKind::Wire);
        play.tell(Event::WorkGone { hex, kind: FeatureKind::Wire });
    }
}

/// The end of a move: a unit occupies the free entrenchment or Improved Position of its hex (6.1.4.3.6, 6.1.4.3.7). The
/// open side of a vehicle's position is its rear, or its front if it backed in, and does not turn with it.
pub fn settle_in(play: &mut Play, unit: UnitId, back: bool) {
    let u = *play.s.unit(unit);
    let in_one = u.is(Flags(Flags::ENTRENCHED.0 | Flags::IMPROVED.0 | Flags::INSIDE.0));
    if !u.on_map() || u.passenger() || in_one || !play.s.works.hexes.contains(u.hex) {
        return;
    }
    let rules = play.rules;
    let kind = if rules.room(play.s, u.hex, FeatureKind::ImprovedPosition, Flags::IMPROVED) {
        let u = play.s.unit_mut(unit);
        u.set(Flags::IMPROVED);
        u.open_side = if back { u.facing } else { u.facing.opposite() };
        FeatureKind::ImprovedPosition
    } else if !rules.is_vehicle(unit)
        && rules.room(play.s, u.hex, FeatureKind::HastyEntrenchment, Flags::ENTRENCHED)
    {
        play.s.unit_mut(unit).set(Flags::ENTRENCHED);
        FeatureKind::HastyEntrenchment
    } else {
        return;
    };
    play.tell(Event::SettledIn { unit, kind });
}
