use std::collections::BTreeMap;

use wurzburg::pack::{
    AirProfile, Category, FormationKind, HelicopterProfile, Mark, Nation, Side, Symbol, UnitType,
};

use super::{formation, of, pack};

fn unit_type(id: &str) -> &'static UnitType {
    pack().unit_type(pack().find_type(id).unwrap_or_else(|| panic!("no type {id}")))
}

fn steps(id: &str) -> u32 {
    of(id).iter().filter(|p| p.category == Category::Maneuver).map(|p| u32::from(p.steps)).sum()
}

fn vehicles(id: &str) -> Vec<&'static str> {
    of(id).iter().map(|p| pack().unit_type(p.unit_type).vehicle.as_str()).collect()
}

// rule: 5.0
// rule: 11.1
#[test]
fn steps_of_a_pool_are_shared_out_within_the_limits_of_a_unit() {
    let pack = pack();
    assert_eq!(pack.forces.pieces.len(), 317);
    for pool in &pack.forces.pools {
        let shares: Vec<u8> = pool.pieces.iter().map(|p| pack.piece(*p).steps).collect();
        assert_eq!(shares.iter().map(|n| u32::from(*n)).sum::<u32>(), u32::from(pool.steps), "{}", pool.id);
        let limit = pack.tables.stacking.maneuver_steps.of(pack.formation(pool.formation).side);
        assert!(pool.max_steps <= limit, "{}", pool.id);
        assert!(shares.iter().all(|n| *n <= limit), "{}", pool.id);
        assert!(pool.pieces.len() * usize::from(limit) >= usize::from(pool.steps), "{}", pool.id);
    }
    // rule: 11.1.5
    // rule: 11.1.6
    for p in &pack.forces.pieces {
        if matches!(p.category, Category::Hq | Category::Engineer) {
            assert!(p.steps == 1 && p.max_steps == 1 && p.pool.is_none(), "{}", p.id);
        }
    }
}

// rule: 7.1.2
// rule: 11.1.3
// rule: 4.1.1.7
// rule: 4.1.2.4
// rule: 4.1.4.4
// rule: 12.2.2
#[test]
fn warsaw_pact_divisions_have_their_regiments_headquarters_and_artillery() {
    let pack = pack();
    for (division, motor_rifle, tank, dtb) in
        [("27GMRD", 3, 1, 1), ("39GMRD", 3, 1, 1), ("57GMRD", 3, 1, 1), ("4MRD", 3, 1, 0), ("79GTD", 1, 3, 0)]
    {
        let below = |kind: FormationKind| {
            let below = pack.forces.formations.iter().filter(|f| f.parent == Some(formation(division)));
            below.filter(|f| f.kind == kind).collect::<Vec<_>>()
        };
        let regiments =
            [below(FormationKind::MotorRifleRegiment), below(FormationKind::TankRegiment)].concat();
        assert_eq!(below(FormationKind::MotorRifleRegiment).len(), motor_rifle, "{division}");
        assert_eq!(below(FormationKind::TankRegiment).len(), tank, "{division}");
        assert_eq!(below(FormationKind::Dtb).len(), dtb, "{division}");
        for regiment in regiments {
            assert_eq!((steps(&regiment.id), of(&regiment.id).len()), (9, 3), "{}", regiment.id);
        }
        for battalion in below(FormationKind::Dtb) {
            assert!((3..=5).contains(&steps(&battalion.id)), "{}", battalion.id);
            assert_eq!(of(&battalion.id).len(), 2, "{}", battalion.id);
        }
        let hqs: Vec<_> = of(division).into_iter().filter(|p| p.category == Category::Hq).collect();
        assert_eq!(hqs.len(), 2, "{division}");
        for hq in hqs {
            let kind = pack.unit_type(hq.unit_type);
            assert!(kind.cp == 1 && kind.ew_asset, "{}", hq.id);
        }
        let dag: Vec<_> = of(division).into_iter().filter(|p| p.dag).collect();
        assert_eq!(dag.len(), 1, "{division}");
        assert_eq!(dag[0].steps, if division == "79GTD" { 2 } else { 3 });
        let towed = pack.unit_type(dag[0].unit_type).symbol == Symbol::TowedArtillery;
        assert_eq!(towed, division == "4MRD");
        // rule: 12.4
        assert!(pack.formation(formation(division)).main_effort, "{division}");
    }
    assert_eq!(steps("39DTB"), 5);
    assert!(!pack.formation(formation("35GAAB")).main_effort);
}

// rule: 11.1.2
// rule: 7.1.6
// rule: 29.1
// rule: 29.3.2
#[test]
fn airmobile_battalions() {
    let pack = pack();
    for id in ["35-1", "35-2", "35-3", "35-4", "900AAB"] {
        assert_eq!((steps(id), of(id).len()), (3, 3), "{id}");
    }
    assert_eq!(vehicles("900AAB").iter().filter(|v| **v == "BMD").count(), 1);
    let hq: Vec<_> = of("35GAAB").into_iter().filter(|p| p.category == Category::Hq).collect();
    let kind = pack.unit_type(hq[0].unit_type);
    assert!(hq.len() == 1 && kind.cp == 2 && !kind.ew_asset);
    for id in ["35-1", "35-2", "35-3", "35-4", "900AAB", "35GAAB", "26LL"] {
        for p in of(id).iter().filter(|p| p.category.ground()) {
            assert!(pack.unit_type(p.unit_type).airmobile, "{}", p.id);
        }
    }
    for t in pack.forces.types.iter().filter(|t| t.airmobile && !t.airborne) {
        assert!(["BMD", "BM-21V"].contains(&t.vehicle.as_str()), "{}", t.id);
    }
    // rule: 42.0
    let two_two: Vec<&str> = pack
        .forces
        .types
        .iter()
        .filter(|t| t.airmobile && (t.attack, t.defense) == (2, 2))
        .map(|t| t.id.as_str())
        .collect();
    assert_eq!(two_two, ["su-bmd"]);
}

// rule: 11.1.4
// rule: 4.5
// rule: 41.1.1
#[test]
fn pools_have_the_stated_steps_and_counters() {
    let pack = pack();
    for (id, steps, counters) in [
        ("2-3-m1", 8, Some(5)),
        ("2-3-m2", 4, Some(3)),
        ("3-3-m1", 4, Some(3)),
        ("3-3-m2", 8, Some(5)),
        ("1-3-m1", 8, None),
        ("1-3-m2", 8, None),
        ("35pzgb-leo1", 4, Some(3)),
        ("35pzgb-marder", 6, Some(4)),
        ("35pzgb-m113", 2, None),
        ("35pzgb-jaguar", 1, Some(2)),
        ("36pzb-leo2", 8, None),
        ("36pzb-marder", 4, None),
        ("34pzb-jaguar", 1, Some(2)),
        ("36pzb-jaguar", 1, Some(2)),
        ("3id-2-41", 3, Some(1)),
    ] {
        let pool = pack.forces.pools.iter().find(|p| p.id == id).unwrap();
        assert_eq!(pool.steps, steps, "{id}");
        assert!(counters.is_none_or(|n| pool.pieces.len() == n), "{id}");
    }
    for (id, vehicle, counters) in
        [("4-24", "MLRS", 3), ("288hhb", "2A65", 2), ("307mrl", "BM-27", 3), ("390gart", "D-20", 4)]
    {
        let pool = pack.forces.pools.iter().find(|p| p.id == id).unwrap();
        assert_eq!((pack.unit_type(pool.unit_type).vehicle.as_str(), pool.pieces.len()), (vehicle, counters));
    }
    assert_eq!(steps("2/11ACR"), 7);
    let cavalry = of("2/11ACR").into_iter().filter(|p| p.category == Category::Maneuver);
    assert!(cavalry.map(|p| &pack.unit_type(p.unit_type).vehicle).all(|v| v == "M1" || v == "M3"));
}

// rule: 4.1.5
// rule: 12.2.4
// rule: 20.1
// rule: 4.1.4.5
#[test]
fn headquarters() {
    let pack = pack();
    let hqs: BTreeMap<&str, _> = pack
        .forces
        .pieces
        .iter()
        .filter(|p| p.category == Category::Hq)
        .map(|p| (p.id.as_str(), (p, pack.unit_type(p.unit_type))))
        .collect();
    for (p, kind) in hqs.values() {
        assert!(p.side == Side::Wp || kind.rp <= kind.cp, "{}: one HQ Track for both", p.id);
        assert_eq!(kind.attack, 0, "{}", p.id);
        let asset = pack.forces.pieces.iter().any(|a| a.under.is_some_and(|hq| pack.piece(hq).id == p.id));
        assert_eq!(asset, kind.ew_asset, "{}", p.id);
    }
    let nato_ew: Vec<&str> = hqs
        .values()
        .filter(|(p, k)| p.side == Side::Nato && k.ew_asset)
        .map(|(p, _)| p.id.as_str())
        .collect();
    assert_eq!(nato_ew, ["12pzd-hq-main", "3id-hq-main"]);
    assert_eq!(hqs["3id-hq-for"].1.rp, 0);
    assert_eq!((hqs["39gmrd-hq-for"].1.rp, hqs["39gmrd-hq-main"].1.rp), (2, 1));
    assert_eq!(hqs["79gtd-hq-main"].1.command_range, 20);
    assert!(hqs["1-3-hq"].1.command_range >= 4);
    for f in
        pack.forces.formations.iter().filter(|f| f.activates && f.kind != FormationKind::TerritorialBattalion)
    {
        assert!(of(&f.id).iter().any(|p| p.category == Category::Hq), "{}: no HQ", f.id);
    }
}

#[test]
fn ratings_that_the_rulebook_states() {
    for (id, attack, defense) in [
        ("us-m1", Some(9), Some(9)),
        ("us-m2", Some(4), Some(3)),
        ("wg-leopard1", Some(7), None),
        ("wg-m48", Some(7), Some(5)),
        ("wg-marder", Some(3), None),
        ("wg-m113", Some(2), Some(2)),
        ("ca-m113", None, Some(3)),
        ("su-t80", None, Some(6)),
        ("su-t62", Some(4), Some(4)),
        ("wp-bmp", Some(5), Some(4)),
        ("wp-btr", Some(3), Some(3)),
        ("wp-btr80", Some(3), Some(4)),
        ("su-bmd", Some(2), Some(2)),
        ("us-m109", Some(4), Some(1)),
        ("us-m110", Some(6), Some(1)),
        ("su-dag", None, Some(2)),
    ] {
        let t = unit_type(id);
        for (key, value, stated) in [("attack", t.attack, attack), ("defense", t.defense, defense)] {
            if let Some(stated) = stated {
                assert_eq!(value, stated, "{id}: {key}");
                assert_eq!(t.source.get(key), Some(&Mark::Attested), "{id}: {key}");
            }
        }
    }
    assert!(unit_type("wp-engineer").defense <= 2);
    assert!(u32::from(unit_type("su-bm21v").attack) * steps_of_pool("35gaab-art") < 8, "23.5.4");
    assert!((8..=11).contains(&unit_type("wg-leopard2").attack));
    assert!(unit_type("us-m110").range >= 4 && unit_type("su-dag").range >= 5);
    // rule: 32.2
    let thermal = pack().forces.types.iter().filter(|t| t.thermal && t.category().ground());
    assert!(thermal.map(|t| t.vehicle.as_str()).all(|v| ["M1", "M2", "M3", "Leopard 2"].contains(&v)));
    for (formation, vehicle) in [("170GMRR", "BMP"), ("68GMRR", "BMP"), ("15GTR", "T-80"), ("4TR", "T-55")] {
        assert!(vehicles(formation).iter().all(|v| *v == vehicle), "{formation}");
    }
    for formation in ["243GMRR", "120GMRR", "174GMRR", "24MRR"] {
        assert!(vehicles(formation).iter().all(|v| v.starts_with("BTR")), "{formation}");
    }
}

fn steps_of_pool(id: &str) -> u32 {
    u32::from(pack().forces.pools.iter().find(|p| p.id == id).unwrap().steps)
}

// rule: 25.1
// rule: 25.2
// rule: 26.1
// rule: 24.0
#[test]
fn helicopters_and_aircraft() {
    let profile = |id: &str, p| unit_type(id).helicopter_profile(p).map(|p| (p.attack, p.range, p.defense));
    assert_eq!(profile("mi24", HelicopterProfile::StandOff), Some((3, 2, 4)));
    assert_eq!(profile("mi24", HelicopterProfile::Gunnery), Some((4, 1, 3)));
    for (id, most) in [("mi24", 6), ("ah1", 4), ("ah64", 3), ("pah1", 3)] {
        let far = unit_type(id).helicopter_profile(HelicopterProfile::StandOff).unwrap();
        let near = unit_type(id).helicopter_profile(HelicopterProfile::Gunnery).unwrap();
        assert_eq!(unit_type(id).max_steps, Some(most), "{id}");
        assert_eq!((far.range, near.range), (if id == "ah64" { 3 } else { 2 }, 1), "{id}");
        assert!(near.attack >= far.attack && near.defense < far.defense, "{id}: 25.0");
    }
    for id in ["utility-wp", "utility-wg"] {
        assert_eq!(unit_type(id).defense, 2);
        let same = |p: &&wurzburg::pack::Piece| pack().unit_type(p.unit_type).id == id;
        assert_eq!(pack().forces.pieces.iter().filter(same).count(), 4);
    }
    let bomb = unit_type("air-a10").air_profile(AirProfile::LowBomb).unwrap();
    assert_eq!((bomb.attack, bomb.range, bomb.defense), (12, 0, 6));
    for t in pack().forces.types.iter().filter(|t| t.category() == Category::Air) {
        let all: Vec<_> = AirProfile::ALL.into_iter().filter_map(|p| Some((p, t.air_profile(p)?))).collect();
        assert_eq!(
            t.air_profile(AirProfile::LowStandoff).is_some(),
            t.nation == Some(Nation::Us),
            "{}",
            t.id
        );
        assert!(all.iter().all(|(p, v)| (v.range == 0) == p.bomb()), "{}: 24.4", t.id);
        if let Some(low) = t.air_profile(AirProfile::LowStandoff) {
            assert!(all.iter().all(|(_, v)| v.attack >= low.attack && v.defense <= low.defense), "{}", t.id);
        }
        let bomb = |p| t.air_profile(p).map_or(0, |v: wurzburg::pack::Profile| v.attack);
        assert!(bomb(AirProfile::LowBomb) >= bomb(AirProfile::HighBomb), "{}", t.id);
    }
}

// rule: 11.3.4
// rule: 12.4
// rule: 6.4.1
#[test]
fn markers() {
    let pack = pack();
    let count = |id: &str| usize::from(pack.markers.iter().find(|m| m.id == id).unwrap().count);
    assert_eq!(count("step-9-dummy"), 50);
    assert_eq!(count("main-effort-chit"), pack.forces.formations.iter().filter(|f| f.main_effort).count());
    let hqs = pack.forces.pieces.iter().filter(|p| p.category == Category::Hq && p.side == Side::Nato);
    assert_eq!(count("nato-command-point"), hqs.count());
}
