use wurzburg::pack::{
    AntiAircraftResult, Avoid, CallFor, Category, Column, Effect, FireMode, Gun, MineResult, Operation,
    Purse, Ratio, Road, Side, SpecialStrike, Terrain,
};

use super::{formation, pack};

// rule: 18.2
#[test]
fn the_combat_results_table_is_symmetrical() {
    let crt = pack().tables.crt;
    assert_eq!(crt, [-3, -2, -1, -1, 0, 0, 1, 1, 2, 3]);
    assert!((0..10).all(|i| crt[i] == -crt[9 - i]));
    assert_eq!(pack().tables.hit_modifier(7), 1);
}

// rule: 8.1.2
#[test]
fn odd_rolls_give_the_warsaw_pact_the_initiative() {
    let odd: Vec<u8> = (1..=10).filter(|n| n % 2 == 1).collect();
    assert_eq!(pack().tables.initiative_wp, odd);
}

// rule: 20.2.1
// rule: 20.2.2
#[test]
fn reconnaissance_is_harder_farther_off_and_in_cover() {
    let recon = &pack().tables.recon;
    assert_eq!(recon.number(Terrain::HeavyWoods, 3), Some(5));
    assert_eq!(recon.number(Terrain::City, 4), Some(9));
    assert_eq!(recon.number(Terrain::Town, 6), Some(9));
    assert_eq!(recon.number(Terrain::Clear, 16), None);
    assert_eq!(recon.number(Terrain::Clear, 1), recon.number(Terrain::Clear, 2));
    for distance in [2, 4, 6, 11] {
        let numbers = Terrain::ALL.map(|t| recon.number(t, distance).unwrap());
        assert!(numbers.is_sorted() && numbers[0] < numbers[1] && numbers[3] < numbers[4]);
        assert!(recon.empty_number(distance) > recon.number(Terrain::Clear, distance));
    }
    for terrain in Terrain::ALL {
        assert!([2, 4, 6, 11].map(|d| recon.number(terrain, d)).is_sorted());
    }
    let modifiers =
        (recon.night, recon.improved_position, recon.obstacle, recon.minefield, recon.cavalry_alone);
    assert_eq!(modifiers, (-2, -2, 1, 2, -2));
}

// rule: 23.4.2
// rule: 41.3
#[test]
fn counter_battery_numbers() {
    let t = &pack().tables;
    assert_eq!(t.counter_battery_others.number(Gun::SelfPropelled, 4), Some(8));
    assert_eq!(t.counter_battery_others.number(Gun::Rocket, 11), None);
    assert_eq!(t.counter_battery_us.number(Gun::Towed, 16), None);
    assert!(t.counter_battery_us.number(Gun::Rocket, 30).is_some());
    for table in [&t.counter_battery_us, &t.counter_battery_others] {
        for distance in [1, 4, 7, 11] {
            let number = |gun| table.number(gun, distance).map_or(99, u32::from);
            assert!(number(Gun::Towed) < number(Gun::SelfPropelled));
            assert!(number(Gun::SelfPropelled) < number(Gun::Rocket));
        }
    }
    for distance in [1, 4, 7, 11] {
        for gun in [Gun::Towed, Gun::SelfPropelled] {
            assert!(
                t.counter_battery_us.number(gun, distance) < t.counter_battery_others.number(gun, distance)
            );
        }
    }
}

// rule: 17.5
#[test]
fn amphibious_crossing() {
    let t = &pack().tables.amphibious;
    assert_eq!((t.steps(9), t.steps(11), t.steps(-1), t.steps(20)), (2, 3, 0, 3));
    assert_eq!(t.engineer_at_site, 2);
    assert!(t.steps.is_sorted() && t.steps.len() == 12);
}

// rule: 24.2
// rule: 23.5.4
// rule: 44.2
#[test]
fn air_calls() {
    let pack = pack();
    let air = &pack.tables.air_call;
    assert_eq!(pack.unit_type(air.aircraft(Side::Nato, 8)).id, "air-a10");
    for side in Side::ALL {
        for roll in 1..=10 {
            let t = pack.unit_type(air.aircraft(side, roll));
            assert_eq!(t.category(), Category::Air);
            assert_eq!(t.nation.map(wurzburg::pack::Nation::side), Some(side), "{}", t.id);
        }
    }
    assert_eq!((air.points, air.adm_or_gas_points), ([1, 3], [2, 3]));
    let adm = |nation: &str| {
        let nation = wurzburg::pack::Nation::parse(nation).unwrap();
        let row = air.special.iter().find(|s| s.strike == SpecialStrike::Adm && s.nation == nation).unwrap();
        (pack.unit_type(row.aircraft).id.as_str(), row.spends)
    };
    assert_eq!(adm("WG"), ("air-tornado", Purse::Wg));
    assert_eq!(adm("CA"), ("air-a10", Purse::Us));
}

// rule: 27.2.2
// rule: 27.2.1
#[test]
fn anti_aircraft_fire() {
    let t = &pack().tables;
    assert_eq!(t.anti_aircraft.result(9), AntiAircraftResult::NoEffect);
    assert_eq!(t.anti_aircraft.result(10), AntiAircraftResult::HitCheckOrAbort);
    assert_eq!(t.anti_aircraft.result(13), AntiAircraftResult::HitCheckAndAbort);
    assert_eq!(t.anti_aircraft.sam_against_standoff, -2);
    let third = Ratio::new(1, 3);
    assert_eq!(t.flak.helicopter_by_day, [Ratio::ONE, Ratio::ONE, third]);
    assert_eq!(t.flak.air, [third; 3]);
    let unrevealed = t.flak.unrevealed_steps;
    assert_eq!((unrevealed.wp_regiment, unrevealed.wp_dtb, unrevealed.nato), (3, 2, 1));
}

// rule: 37.5
// rule: 38.1
// rule: 38.4
#[test]
fn mines_and_demolition() {
    let t = &pack().tables;
    assert_eq!(t.mine_attack.result(1), MineResult::StepLost);
    assert_eq!(t.mine_attack.result(10), MineResult::NoEffect);
    assert_eq!(t.mine_attack.careful_exit, 1);
    for charges in [t.demolition.set_charges, t.demolition.engineer_charges] {
        assert!(1 < charges.road && charges.road < charges.autobahn && charges.autobahn <= 10);
    }
    assert_eq!(t.demolition.set_charges_wp_unit_in_either_hex, -2);
    let f = t.bridge_strike.factor;
    assert!(f.autobahn > f.road && f.road > f.military && f.military >= 2);
}

// rule: 39.2
// rule: 41.2
// rule: 41.4
// rule: 44.4.1
// rule: 44.5
// rule: 29.5.1
#[test]
fn other_dice() {
    let t = &pack().tables;
    assert!(t.jamming.asset_lost.contains(2) && !t.jamming.asset_lost.contains(3));
    assert_eq!(t.jamming.improved_position, -2);
    let hardest: Vec<u8> = (-3..=12).map(|n| t.jamming.rows[t.jamming.row(n)].artillery).collect();
    assert!(hardest.is_sorted_by(|a, b| a >= b), "a higher roll leaves less");
    assert!(t.screening.of(Terrain::LightWoods) <= 4 && t.screening.of(Terrain::Clear) >= 4);
    assert_eq!(t.gegenangriff.range(), [5, 10]);
    assert_eq!(t.contamination.range(), [1, 5]);
    assert!(!t.gas_step_lost.contains(4));
    assert_eq!(t.disorganized.range(), [1, 1]);
}

// rule: 45.3
#[test]
fn revelation_columns_match_their_pools() {
    let pack = pack();
    let r = &pack.tables.revelation;
    let cells = (r.nato_large[4], r.nato_large[6], r.nato_large[9], r.wp_regiment[0], r.wp_regiment[5]);
    assert_eq!(cells, (1, 2, 3, 0, 3));
    for column in [&r.wp_regiment, &r.wp_dtb, &r.nato_large, &r.nato_medium, &r.nato_small, &r.nato_single] {
        assert!(column.len() == 14 && column.is_sorted());
    }
    assert_eq!(r.wp_dtb.iter().max(), Some(&5));
}

// rule: 2.2.1
// rule: 16.1.1
// rule: 18.3.1
// rule: 35.0
#[test]
fn terrain_effects() {
    let t = &pack().tables;
    let row = |k| t.terrain(k);
    let infantry =
        [Terrain::Clear, Terrain::LightWoods, Terrain::Town].map(|k| row(k).strike(Column::Infantry));
    assert_eq!(infantry, [0, 2, 4]);
    for kind in [Terrain::LightWoods, Terrain::HeavyWoods, Terrain::Town, Terrain::City] {
        for column in [Column::Armor, Column::Engineer, Column::Artillery, Column::Hq] {
            assert_eq!(row(kind).strike(column), 1);
        }
        assert_eq!(row(kind).other, 1);
    }
    assert_eq!(Terrain::ALL.map(|k| row(k).mp), [1, 1, 3, 1, 1]);
    assert_eq!(Terrain::ALL.map(|k| row(k).close), [false, false, true, true, true]);
    assert!(Terrain::ALL.into_iter().all(|k| row(k).zoc != row(k).close), "15.0");
    assert_eq!(t.improved_position, 2);
    let m = &t.movement;
    assert_eq!((m.saale_unbridged, m.bridge, m.slope_up, m.minefield_forced_exit), (2, 1, 1, 3));
    assert_eq!(Road::ALL.map(|r| m.road_quarters(r)), [1, 2, 2]);
    let off = t.off_map;
    assert_eq!((off.five.hexes, off.five.mp, off.ten.hexes, off.ten.mp), (5, 3, 10, 1));
}

// rule: 18.2.2
// rule: 22.1
#[test]
fn fire_effects() {
    let e = &pack().tables.fire_effects;
    let half = Ratio::new(1, 2);
    let double = Ratio::new(2, 1);
    assert_eq!(e.cap, 2);
    assert_eq!(e.factor(Effect::CloseTerrain, FireMode::Direct), half);
    assert_eq!(e.factor(Effect::CloseTerrain, FireMode::Indirect), Ratio::ONE);
    assert_eq!(e.factor(Effect::CloseTerrain, FireMode::Air), half);
    assert_eq!(e.factor(Effect::RetreatIntoClear, FireMode::Air), double);
    assert_eq!(e.factor(Effect::PointBlank, FireMode::Direct), double);
    assert_eq!(e.factor(Effect::NoObserverLeft, FireMode::Indirect), half);
}

// rule: 21.2
// rule: 13.3
// rule: 13.4
// rule: 22.3
// rule: 22.3.1
#[test]
fn calls_for_fire() {
    let pack = pack();
    let t = &pack.tables;
    let support = |fire, operation, side| {
        let row = t.support(fire, operation, side).unwrap();
        (row.artillery, row.rocket, row.attack_helicopters, row.air)
    };
    let (hasty, assault) = (Some(Operation::HastyAttack), Some(Operation::Assault));
    assert_eq!(support(CallFor::Offensive, hasty, Side::Nato), (1, false, 0, 0));
    assert_eq!(support(CallFor::Offensive, assault, Side::Wp), (2, false, 1, 0));
    assert_eq!(support(CallFor::Defensive, assault, Side::Nato), (2, false, 1, 0));
    assert_eq!(support(CallFor::Defensive, assault, Side::Wp), (1, false, 0, 0));
    assert_eq!(support(CallFor::FireStrike, None, Side::Wp), (2, true, 1, 1));
    assert_eq!(support(CallFor::CounterBattery, None, Side::Nato), (1, true, 0, 0));
    assert!(t.support(CallFor::Offensive, Some(Operation::March), Side::Wp).is_none());
    for hq in pack.forces.pieces.iter().filter(|p| p.category == Category::Hq) {
        let pool = t.artillery_pool(hq.formation).unwrap_or_else(|| panic!("{}: no Artillery Pool", hq.id));
        assert!(pool.always.iter().all(|f| pack.in_chain(*f, hq.formation)), "{}", hq.id);
    }
    let pool = t.artillery_pool(formation("79GTD")).unwrap();
    assert_eq!(pool.always, [formation("79GTD"), formation("8GA")]);
    let us = t.artillery_pool(formation("3ID")).unwrap();
    assert!(us.always.contains(&formation("VII")) && !us.always.contains(&formation("12PzD")));
    assert_eq!(t.artillery_pool(formation("4CMBG")).unwrap().limited, [formation("VII")]);
    assert_eq!((t.adm_gas.least_fire_strength, t.adm_gas.least_air_steps), (8, 2));
}

// rule: 18.4.1
// rule: 16.1.2
// rule: 14.2
// rule: 32.0
#[test]
fn play() {
    let t = &pack().tables;
    assert_eq!(t.retreat[..3], [Avoid::AdjacentToFirer, Avoid::AdjacentToEnemy, Avoid::Minefield]);
    assert_eq!(t.retreat[4], Avoid::StackingViolation);
    let ops = Operation::ALL.map(|o| (t.operations.of(o).cp, t.operations.of(o).mp));
    assert_eq!(ops, [(0, 6), (1, 6), (1, 3), (1, 3)]);
    assert_eq!(Side::ALL.map(|s| t.stacking.maneuver_steps.of(s)), [9, 4]);
    assert_eq!(Side::ALL.map(|s| t.stacking.counters_hidden_mode.of(s)), [3, 2]);
    let nights: Vec<usize> = (1..=t.turns.len()).filter(|n| t.turns[n - 1].night).collect();
    assert_eq!(nights, [7, 8, 15, 16]);
    // rule: 31.1.2
    // rule: 31.1.3
    for (id, number) in [("35-1", 1), ("126Jg", 2), ("VKK-S", 2), ("39DTB", 0), ("2/11ACR", 0)] {
        assert_eq!(pack().formation(formation(id)).shatter, Some(number), "{id}");
    }
}
