//! The position before the first decision (11.1, 46).

use hexgrid::HexId;
use smallvec::SmallVec;

use crate::{
    field::DRY,
    fire::Combat,
    frame::Frame,
    movement::Walk,
    pack::PointKind,
    rules::Wurzburg,
    state::{
        Chit, Crossing, Ew, FieldWorks, Flags, FormationState, HqState, Operation, Place, Points, SideState,
        State, Unit,
    },
    turn::{self, Phase},
    units::{FormationId, Side, Symbol},
};

/// Nothing is on the map yet.
pub fn empty(rules: &Wurzburg) -> State {
    State {
        frames: SmallVec::new(),
        turn: 1,
        // The turn before the first has ended.
        phase: Phase::Reorganization,
        ending: None,
        initiative: Side::Wp,
        passes: 0,
        active: FormationId::NONE,
        units: vec![Unit::OFF; rules.counters.len()].into(),
        formations: vec![FormationState::default(); rules.formations.len()],
        hqs: vec![HqState::default(); rules.hqs.len()],
        lost: vec![0; rules.pools.len()],
        sides: [SideState::default(); 2],
        points: [Points::default(); 5],
        marks: SmallVec::new(),
        crossings: vec![Crossing::default(); rules.field.river_sides.len()],
        control: vec![Side::Nato; rules.holdable.len()],
        acquired: SmallVec::new(),
        support: crate::support::Support::default(),
        cut_turns: Vec::new(),
        reached: 0,
        sites: SmallVec::new(),
        sky: crate::air::Sky::default(),
        entered: SmallVec::new(),
        standing: kernel::Standing::default(),
        op: Operation::default(),
        walk: Walk::default(),
        combat: Combat::default(),
        stamp: kernel::Stamp::default(),
        changing: false,
    }
}

/// The scenario's own deployment.
pub fn start(rules: &Wurzburg) -> State {
    let mut s = empty(rules);
    let scenario = &rules.scenario;
    for placement in &scenario.setup {
        let Some(unit) = rules.unit_of_piece(placement.piece) else { continue };
        put(&mut s, unit, placement.hex, placement.steps);
    }
    for (n, arrival) in scenario.arrivals.iter().enumerate() {
        for piece in &arrival.pieces {
            let Some(unit) = rules.unit_of_piece(*piece) else { continue };
            let steps = rules.pack.piece(*piece).steps;
            if s.unit(unit).place == Place::Spare && steps > 0 {
                s.put(unit, Place::Later, HexId::NONE);
                let u = s.unit_mut(unit);
                (u.steps, u.turn) = (steps, n as u8);
            }
        }
    }
    for (formation, to) in &scenario.attached {
        s.formation_mut(*formation).attached = *to;
    }
    for formation in &scenario.side(Side::Wp).main_effort {
        s.formation_mut(*formation).chit = Chit::Held;
    }
    for side in Side::ALL {
        let setup = scenario.side(side);
        for hq in &setup.ew_hqs {
            if let Some(unit) = rules.unit_of_piece(*hq)
                && let Some(hq) = s.hqs.get_mut(usize::from(rules.counter(unit).hq))
            {
                hq.ew = Ew::Unused;
            }
        }
        s.sides[side.index()].smoke = setup.smoke;
        let blown = setup.blown_before_play.as_ref();
        s.sides[side.index()].works = FieldWorks {
            improved: setup.improved_positions.saturating_sub(setup.improved_at.len() as u8),
            obstacles: setup.obstacles,
            mines: setup.minefields_real,
            dummy_mines: setup.minefields_dummy,
            road_bridges: blown.map_or(0, |blown| blown.road),
            autobahn_bridges: blown.map_or(0, |blown| blown.autobahn),
        };
        for (kind, steps) in &setup.helicopters {
            rules.add_helicopters(&mut s, &rules.pack.unit_type(*kind).id, *steps);
        }
        for hex in &setup.improved_at {
            s.change_mark(*hex, |mark| mark.improved = Some(side));
        }
        for (purse, kinds) in &setup.points {
            let points = &mut s.points[purse.index()];
            let of = |kind: PointKind| kinds[kind.index()];
            points.air = of(PointKind::Air);
            points.mine = of(PointKind::Mine);
            points.adm = of(PointKind::Adm);
            points.bridging = of(PointKind::Bridging);
            points.gas_persistent = of(PointKind::GasPersistent);
            points.gas_non_persistent = of(PointKind::GasNonPersistent);
        }
    }
    take_control(rules, &mut s);
    turn::restore(rules, &mut s, 1);
    s.frames.push(Frame::Sequence);
    for side in Side::ALL {
        if s.sides[side.index()].works.any() || rules.options.free_setup {
            s.frames.push(Frame::Works(side));
        }
    }
    s
}

/// 46.1: everything outside the WP zone belongs to NATO.
pub fn take_control(rules: &Wurzburg, s: &mut State) {
    let zone = rules.wp_zone();
    for (n, hex) in rules.holdable.iter().enumerate() {
        let stands = s.in_hex(*hex).find(|unit| s.unit(*unit).steps > 0).map(|unit| rules.counter(unit).side);
        s.control[n] = stands.unwrap_or(if zone.contains(*hex) { Side::Wp } else { Side::Nato });
    }
}

/// Blow a civil bridge, as a map or file says.
pub fn blow(s: &mut State, n: u16) {
    if n != DRY {
        s.crossings[usize::from(n)].blown = true;
    }
}

/// HQs and engineers have one step without a marker (11.1.5, 11.1.6).
pub fn usual_steps(rules: &Wurzburg, unit: crate::units::UnitId) -> u8 {
    let counter = rules.counter(unit);
    match counter.symbol {
        Symbol::Hq | Symbol::Engineer => 1,
        _ => counter.max_steps.min(1),
    }
}

/// A counter put on the map.
pub fn put(s: &mut State, unit: crate::units::UnitId, hex: HexId, steps: u8) {
    s.put(unit, Place::Map, hex);
    let u = s.unit_mut(unit);
    (u.steps, u.flags) = (steps, Flags(0));
}
