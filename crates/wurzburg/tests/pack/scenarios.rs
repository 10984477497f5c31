use std::collections::{BTreeMap, BTreeSet};

use hexgrid::HexId;
use wurzburg::pack::{
    ArrivalMode, Category, FormationId, FormationKind, Operation, Pack, Payer, PieceId, PointKind, Purse,
    Scenario, Side, Terrain, VictoryLevel, VictoryWhat,
};

use super::pack;

fn scenarios() -> impl Iterator<Item = &'static Scenario> {
    pack().scenarios.iter()
}

#[test]
fn there_are_seven_from_a_first_lesson_to_the_campaign() {
    let numbers: Vec<u8> = scenarios().map(|s| s.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7]);
    let placed: Vec<usize> = scenarios().map(|s| s.setup.len()).collect();
    assert_eq!(placed, [13, 14, 13, 40, 16, 89, 65], "counters set up");
}

#[test]
fn every_ground_unit_appears_somewhere() {
    let used: BTreeSet<PieceId> = scenarios()
        .flat_map(|s| Side::ALL.into_iter().flat_map(|side| s.side(side).pieces.clone()))
        .collect();
    let idle: Vec<&str> = pack()
        .piece_ids()
        .filter(|p| pack().piece(*p).category.ground() && !used.contains(p))
        .map(|p| pack().piece(p).id.as_str())
        .collect();
    assert!(idle.is_empty(), "never in play: {idle:?}");
}

// rule: 2.7
// rule: 32.0
#[test]
fn turns_fit_the_track_and_fog_lies_by_day() {
    let track = &pack().tables.turns;
    for s in scenarios() {
        let boxes = usize::from(s.start_box)..usize::from(s.start_box + s.turns);
        assert!(boxes.end <= track.len() + 1, "{}", s.id);
        for turn in &s.fog_turns {
            let at = usize::from(s.start_box + turn) - 2;
            assert!((1..=s.turns).contains(turn) && !track[at].night, "{}", s.id);
        }
        let flies =
            |turn: u8| !s.fog_turns.contains(&turn) && !track[usize::from(s.start_box + turn) - 2].night;
        // rule: 29.5.3
        for side in Side::ALL {
            if let Some(drop) = &s.side(side).paradrop {
                assert!(drop.turns.iter().any(|t| flies(*t)), "{}: the paradrop can never be made", s.id);
            }
        }
    }
}

#[test]
fn zones_and_edges_lie_in_the_area() {
    let board = &pack().map.board;
    for s in scenarios() {
        for (id, zone) in &s.zones {
            assert!(!zone.is_empty() && zone.iter().all(|h| s.area.contains(h)), "{}: {id}", s.id);
        }
        let edge = |h: HexId| board.is_edge(h) || board.neighbours(h).any(|(_, n)| !s.area.contains(n));
        for side in Side::ALL {
            assert!(s.side(side).edges.iter().all(|h| s.area.contains(h) && edge(h)), "{}", s.id);
        }
        for a in &s.arrivals {
            assert!(s.zone(&a.zone).unwrap().iter().all(edge), "{}: {}", s.id, a.zone);
        }
        for v in &s.victory {
            if let VictoryWhat::Exit { zone } = &v.what {
                assert!(s.zone(zone).unwrap().iter().all(edge), "{}: {zone}", s.id);
            }
        }
    }
}

// rule: 6.6
// rule: 6.6.3
// rule: 6.6.4
#[test]
fn points_belong_to_those_who_can_have_them() {
    for s in scenarios() {
        for side in Side::ALL {
            let x = s.side(side);
            let later = x.points_later.iter().map(|(_, p)| p);
            for (purse, points) in std::iter::once(&x.points).chain(later).flatten() {
                let n = |kind: PointKind| points[kind.index()];
                assert!(*purse != Purse::Ca || n(PointKind::Adm) == 0, "{}", s.id);
                let gas = n(PointKind::GasPersistent) + n(PointKind::GasNonPersistent);
                assert!(gas == 0 || matches!(purse, Purse::Wp | Purse::Us), "{}", s.id);
            }
            for (kind, _) in &x.helicopters {
                let kind = pack().unit_type(*kind);
                let flies =
                    matches!(kind.category(), Category::AttackHelicopter | Category::UtilityHelicopter);
                assert!(flies && kind.nation.is_some_and(|n| n.side() == side), "{}: {}", s.id, kind.id);
            }
            assert!(x.main_effort.iter().all(|f| pack().formation(*f).main_effort), "{}", s.id);
        }
        for f in s.cycles.iter().flatten() {
            assert!(pack().formation(*f).activates, "{}: {} has no cycle", s.id, pack().formation(*f).id);
        }
    }
}

// rule: 46.6
// rule: 40.1
#[test]
fn every_counter_is_set_up_spare_or_arrives_once() {
    for s in scenarios() {
        let mut where_from: BTreeMap<PieceId, usize> = BTreeMap::new();
        let arriving = s.arrivals.iter().flat_map(|a| a.pieces.iter().copied());
        for p in s.setup.iter().map(|p| p.piece).chain(s.spare.iter().copied()).chain(arriving) {
            *where_from.entry(p).or_default() += 1;
        }
        for side in Side::ALL {
            for p in &s.side(side).pieces {
                assert_eq!(where_from.remove(p), Some(1), "{}: {}", s.id, pack().piece(*p).id);
            }
        }
        assert!(where_from.is_empty(), "{}: not in the forces", s.id);
        for a in &s.arrivals {
            let air = a.pieces.iter().any(|p| pack().type_of(*p).airmobile);
            assert_eq!(air, a.mode == ArrivalMode::Air, "{}: {}", s.id, a.zone);
            let base =
                |p: &&PieceId| matches!(pack().piece(**p).category, Category::Hq | Category::Artillery);
            let needs_display = a.mode == ArrivalMode::Ground && a.pieces.iter().any(|p| base(&p));
            assert!(!needs_display || a.display, "{}: HQs and artillery arrive on the display", s.id);
        }
    }
}

// rule: 11.1
// rule: 14.2
// rule: 14.3
#[test]
fn the_set_up_is_legal() {
    let pack = pack();
    for s in scenarios() {
        let gdr = pack.map.area("gdr").unwrap().hexes;
        let mut stacks: BTreeMap<HexId, Vec<(PieceId, u8)>> = BTreeMap::new();
        for p in &s.setup {
            let piece = pack.piece(p.piece);
            assert!(s.area.contains(p.hex), "{}: {}", s.id, piece.id);
            assert!((1..=piece.max_steps).contains(&p.steps), "{}: {}", s.id, piece.id);
            assert!(
                piece.side == Side::Wp || !gdr.contains(p.hex),
                "{}: {} beyond the border",
                s.id,
                piece.id
            );
            let zone =
                s.setup_zone(&pack.forces, p.piece).unwrap_or_else(|| panic!("{}: {}", s.id, piece.id));
            assert!(zone.contains(p.hex), "{}: {} outside its zone", s.id, piece.id);
            stacks.entry(p.hex).or_default().push((p.piece, p.steps));
        }
        for (pool, steps) in pools_set_up(pack, s) {
            assert_eq!(
                steps,
                u32::from(s.pool_steps(&pack.forces, pool)),
                "{}: {}",
                s.id,
                pack.pool(pool).id
            );
        }
        for (hex, units) in &stacks {
            let at = || format!("{}: {}", s.id, pack.map.label(*hex));
            let side = pack.piece(units[0].0).side;
            assert!(units.iter().all(|(p, _)| pack.piece(*p).side == side), "{}", at());
            let maneuver = || units.iter().filter(|(p, _)| pack.piece(*p).category == Category::Maneuver);
            let steps: u32 = maneuver().map(|(_, n)| u32::from(*n)).sum();
            assert!(steps <= u32::from(pack.tables.stacking.maneuver_steps.of(side)), "{}", at());
            let limit = usize::from(pack.tables.stacking.counters_hidden_mode.of(side));
            assert!(maneuver().count() <= limit, "{}", at());
            for (i, (a, _)) in units.iter().enumerate() {
                for (b, _) in &units[..i] {
                    let (a, b) = (pack.piece(*a), pack.piece(*b));
                    assert!(share(pack, a.formation, b.formation), "{}: {} and {}", at(), a.id, b.id);
                    assert!(side == Side::Wp || a.nation == b.nation, "{}: nations mixed", at());
                }
            }
        }
        let of =
            |side: Side| stacks.iter().filter(move |(_, u)| pack.piece(u[0].0).side == side).map(|(h, _)| *h);
        for wp in of(Side::Wp) {
            assert!(of(Side::Nato).all(|h| pack.map.board.distance(wp, h) >= 2), "{}: next to NATO", s.id);
        }
    }
}

fn pools_set_up(pack: &Pack, s: &Scenario) -> BTreeMap<wurzburg::pack::PoolId, u32> {
    let mut sums = BTreeMap::new();
    for p in &s.setup {
        if let Some(pool) = pack.piece(p.piece).pool {
            *sums.entry(pool).or_default() += u32::from(p.steps);
        }
    }
    sums
}

fn division(pack: &Pack, f: FormationId) -> Option<FormationId> {
    let echelon = wurzburg::pack::Echelon::Division;
    pack.forces.ancestors(f).find(|x| pack.formation(*x).echelon == echelon && pack.formation(*x).base)
}

/// 14.3: one formation, one chain, or a DTB with its division.
fn share(pack: &Pack, a: FormationId, b: FormationId) -> bool {
    let dtb = |f: FormationId| pack.formation(f).kind == FormationKind::Dtb;
    a == b || pack.in_chain(a, b) || (dtb(a) || dtb(b)) && division(pack, a) == division(pack, b)
}

// rule: 12.3.1
// rule: 12.2.2
#[test]
fn headquarters_reach_their_units_and_can_pay_the_plan() {
    let pack = pack();
    let hqs = |f: FormationId| {
        pack.piece_ids()
            .filter(move |p| pack.piece(*p).category == Category::Hq && pack.piece(*p).formation == f)
    };
    for s in scenarios() {
        let place = |p: PieceId| s.setup.iter().find(|x| x.piece == p).map(|x| x.hex);
        for p in s.setup.iter().filter(|p| pack.piece(p.piece).category == Category::Maneuver) {
            let piece = pack.piece(p.piece);
            let node =
                if piece.side == Side::Wp { division(pack, piece.formation) } else { Some(piece.formation) };
            let mut ranges =
                node.into_iter().flat_map(hqs).filter_map(|hq| Some((hq, place(hq)?))).peekable();
            if ranges.peek().is_some() {
                let reach = |(hq, at): (PieceId, HexId)| {
                    pack.map.board.distance(at, p.hex) <= u32::from(pack.type_of(hq).command_range)
                };
                assert!(ranges.any(reach), "{}: {} is out of its HQ's range", s.id, piece.id);
            }
        }
        let mut spent: BTreeMap<PieceId, u8> = BTreeMap::new();
        let mut off_map = 0;
        for plan in &s.plan {
            let id = &pack.formation(plan.formation).id;
            assert_eq!(plan.operation == Operation::March, plan.payer == Payer::Nobody, "{}: {id}", s.id);
            match plan.payer {
                Payer::Nobody => {}
                Payer::OffMap => off_map += 1,
                Payer::Hq(hq) => {
                    *spent.entry(hq).or_default() += 1;
                    assert_eq!(
                        Some(pack.piece(hq).formation),
                        division(pack, plan.formation),
                        "{}: {id}",
                        s.id
                    );
                }
            }
        }
        assert!(spent.iter().all(|(hq, n)| *n <= pack.type_of(*hq).cp), "{}", s.id);
        assert!(off_map <= s.side(Side::Wp).off_map_cp[0], "{}", s.id);
        let mut planned: Vec<&str> = s.plan.iter().map(|p| pack.formation(p.formation).id.as_str()).collect();
        let first = s
            .setup
            .iter()
            .map(|p| p.piece)
            .chain(s.arrivals.iter().filter(|a| a.turn == 1).flat_map(|a| a.pieces.iter().copied()));
        let in_play: BTreeSet<&str> = first
            .filter(|p| pack.piece(*p).side == Side::Wp && pack.piece(*p).category == Category::Maneuver)
            .map(|p| pack.formation(pack.piece(p).formation).id.as_str())
            .collect();
        planned.sort_unstable();
        assert!(in_play.iter().all(|f| planned.contains(f)), "{}: {in_play:?}, planned {planned:?}", s.id);
    }
}

// rule: 46.7
#[test]
fn victory_is_about_places_that_exist() {
    let map = &pack().map;
    for s in scenarios() {
        for v in &s.victory {
            match &v.what {
                VictoryWhat::Control { hexes } | VictoryWhat::ControlAll { hexes } => {
                    let built =
                        |h: &HexId| matches!(Pack::terrain_of(map, *h), Terrain::Town | Terrain::City);
                    assert!(hexes.iter().all(|h| s.area.contains(*h) && built(h)), "{}", s.id);
                }
                VictoryWhat::BridgeBlown { bridges } | VictoryWhat::BridgeHeld { bridges } => {
                    let main = map.hexside_id("main").unwrap();
                    let ok =
                        |b: &hexgrid::SideId| map.bridge(*b).is_some() && map.side(*b).kinds.contains(main);
                    assert!(!bridges.is_empty() && bridges.iter().all(ok), "{}", s.id);
                }
                VictoryWhat::LocCut { road, .. } => {
                    let id = format!("route-{}-{}", road[..1].to_lowercase(), &road[1..]);
                    assert!(map.area(&id).is_some(), "{}: {road}", s.id);
                }
                VictoryWhat::LocOpen { to, .. } => {
                    assert!(to.iter().all(|edge| map.area(&format!("edge-{edge}")).is_some()), "{}", s.id);
                }
                _ => {}
            }
        }
        assert_eq!(s.levels.iter().map(|l| l.result).collect::<Vec<_>>(), VictoryLevel::ALL, "{}", s.id);
        assert!(s.levels.is_sorted_by(|a, b| a.min == b.max + 1), "{}: a gap between the levels", s.id);
        for b in s.side(Side::Nato).blown_before_play.iter().flat_map(|b| &b.never) {
            assert!(map.bridge(*b).is_some(), "{}", s.id);
        }
    }
}

#[test]
fn an_option_is_offered_where_it_changes_something() {
    let game = wurzburg::AirAndArmor::new().expect("the shipped pack is sound");
    let offered =
        |id: &str| kernel::Game::info(&game).options.iter().find(|o| o.id == id).unwrap().scenarios.clone();
    assert!(offered("overrun").is_empty(), "everywhere");
    assert_eq!(offered("gas"), ["sixty-miles"]);
    assert_eq!(offered("short"), ["sixty-miles"]);
}
