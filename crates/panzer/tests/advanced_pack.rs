//! Cards, tables and scenarios of the Advanced Game: what a rulebook states, and faults in the files.

use panzer::pack::advanced::lookup::{HullDown, overrun_factor};
use panzer::pack::advanced::{
    Advanced, Altitude, Angle, BailResult, CloseAssaultModifier, CrewServed, CrewServedCard, Damage,
    GpModifier, Grade, HandToHandModifier, HindranceKind, Label, LegSize, Level, Location, Passenger,
    RangeFactor, Rate, Response, ResponseModifier, Room, Sheaf, Speed, SpotSize, TargetType, UnitCard,
    Weapon,
};
use panzer::pack::{Nation, Pack, embedded_files, words};

fn pack() -> &'static Pack {
    Pack::embedded().unwrap_or_else(|e| panic!("{e}"))
}

fn advanced() -> &'static Advanced {
    &pack().advanced
}

fn weapon(id: &str) -> &'static Weapon {
    advanced().weapon(id).unwrap_or_else(|| panic!("{id}"))
}

#[test]
fn every_kind_of_card_is_there() {
    let a = advanced();
    let counts = [
        a.weapons.len(),
        a.vehicles.len(),
        a.towed.len(),
        a.leg.len(),
        a.crew_served.len(),
        a.batteries.len(),
        a.aircraft.len(),
        a.scenarios.len(),
    ];
    assert_eq!(counts, [56, 106, 34, 51, 24, 17, 23, 12]);
    assert_eq!(a.vehicles.iter().filter(|v| v.extends).count(), pack().cards.len());
    // They are kept apart from the scenarios of the Basic Game.
    assert!(a.scenarios.iter().all(|s| s.advanced.is_some() && pack().scenario(&s.id).is_none()));
    assert!(pack().scenarios.iter().all(|s| s.advanced.is_none()));
}

// rule: 6.5.4.1
#[test]
fn guns_as_the_rules_quote_them() {
    use RangeFactor::{M, P, S};
    let gun = weapon("47mm_l43");
    assert_eq!(gun.gp.unwrap().at(3), Some((P, 3)));
    assert_eq!(gun.gp.unwrap().at(7).unwrap().1, 2);
    assert_eq!(gun.ap.unwrap().at(9), Some((M, 10)));
    assert_eq!((gun.ap.unwrap().row.range[4], gun.effectiveness, gun.rate), (14, Some(2), Rate::N));
    assert_eq!(gun.available.apcr.unwrap().year, 1941);
    assert_eq!(weapon("2pdr").ap.unwrap().at(3), Some((S, 12)));
    assert_eq!(weapon("50mm_l42").ap.unwrap().at(3), Some((S, 11)));
    assert_eq!(
        (weapon("2pdr").damage(4), weapon("50mm_l42").damage(7)),
        (Damage::Damaged, Damage::KnockedOut)
    );
    assert_eq!(weapon("3in_m7").ap.unwrap().at(5), Some((S, 21)));
    assert!(weapon("mg_single").small_arms && weapon("75mm_l24").smoke);
    // 5.2: a gun with both rows uses the one of its fire.
    assert!(weapon("25pdr").gp.is_some() && weapon("25pdr").gp_indirect.is_some());
}

// rule: 6.5.4.2.1
#[test]
fn vehicles_as_the_rules_quote_them() {
    let vehicle = |id| advanced().vehicle(id).unwrap();
    let pj = vehicle("panzerjaeger_i");
    assert_eq!((pj.gpd.value, pj.gpd.target, pj.overhead_cover), (1, TargetType::P, false));
    assert_eq!(pj.weapons[0].ammo.apcr, Some(4));
    for (id, value) in [("sherman_iii", 3), ("matilda_ii", 4), ("semovente_m40_75_18", 2)] {
        assert_eq!((vehicle(id).gpd.value, vehicle(id).gpd.target), (value, TargetType::A), "{id}");
    }
    assert!(vehicle("semovente_m40_75_18").close_assault_c && vehicle("semovente_m40_75_18").overhead_cover);
    // 6.6.10.1: all weapons of the Sherman III at range 1.
    let sherman = vehicle("sherman_iii");
    let factor = overrun_factor(&advanced().tables, &advanced().weapons, sherman, std::iter::empty());
    assert_eq!((factor, sherman.coax_mg), (5, true));
    assert!(
        vehicle("pz_iiij").coax_mg
            && vehicle("spw_251_1").covered_transport
            && vehicle("pz_ib").overhead_cover
    );
    assert_eq!(vehicle("sdkfz_10").transport, Room { towed: 1, leg: 2 });
    assert!(!vehicle("sdkfz_10").base.armed);
    // 5.14: the MMG of the Morris CS9 is the Dual Fire weapon.
    let cs9 = &vehicle("morris_cs9").weapons;
    assert_eq!(advanced().weapons[cs9[0].weapon].id, "atr_boys");
    assert!(!cs9[0].dual_fire && cs9[1].dual_fire);
    assert_eq!(vehicle("a10_cs").weapons[0].ammo.basic, Some(3)); // 5.16.2
    assert!(vehicle("m11_39").weapons[0].hull_down_restricted); // 6.1.4.1.2
    // The Basic Game's card stays as it is.
    assert_eq!(pack().card("m11_39").unwrap().points, vehicle("m11_39").base.points);
}

// rule: 5.2
#[test]
fn towed_guns_as_the_rules_quote_them() {
    let gun = |id| advanced().towed(id).unwrap();
    let flak = gun("flak36");
    assert_eq!((flak.size, flak.rate, flak.passenger), (SpotSize::Large, Rate::Q, Room { towed: 3, leg: 3 }));
    assert_eq!(flak.aa.unwrap().modifier, 20); // 6.7.4.2
    assert_eq!(gun("pak40").ammo, "6, S4, A4".parse().unwrap());
    assert_eq!((gun("gb_2pdr").size, gun("gb_2pdr").gpd.by_cover[2]), (SpotSize::Small, 5));
    assert!(advanced().towed.iter().all(|t| t.movement.quickmarch == 0)); // 6.6.5
}

// rule: 5.1
#[test]
fn leg_units_as_the_rules_quote_them() {
    use RangeFactor::{P, S};
    let leg = |id| advanced().leg(id).unwrap();
    assert_eq!(leg("gb_rifle_squad").gp.at(3), Some((S, 6)));
    assert_eq!(leg("gb_rifle_squad").gpd.by_cover[1], 4);
    assert_eq!(leg("gb_infantry_squad").gp.factor[0], 5);
    assert_eq!(leg("de_rifle_half_squad").gp.at(1), Some((P, 6)));
    assert_eq!(leg("it_lmg_squad").gp.at(5).unwrap().1, 5);
    for l in &advanced().leg {
        assert_eq!((l.movement.cross_country, l.movement.quickmarch), (2, 3), "{}", l.id); // 6.6.4.1
        if l.size == LegSize::Section {
            assert_eq!((l.with_weapon.cross_country, l.with_weapon.quickmarch), (1, 0), "{}", l.id); // 5.1.2
        }
        if l.nation == Nation::Italian {
            assert_eq!((l.gpd.by_cover, l.gpd.full_cover), ([2, 4, 6, 8], 2), "{}", l.id); // 6.5.4.2.2
        }
    }
    let served = |id| advanced().crew_served(id).unwrap();
    let mortar = served("grw34").weapon.gp.unwrap();
    assert!(mortar.at(1).is_none() && mortar.at(2).is_some()); // 5.6
    assert!(served("gb_hmg").weapon.small_arms && served("ml3in").weapon.gp_indirect.is_some());
    // 5.1.3.3: of the anti-tank rifles only the Fucile-cc S fires GP.
    let gp = |c: &&CrewServedCard| c.kind == CrewServed::Atr && c.may.gp_direct;
    let firing: Vec<&str> = advanced().crew_served.iter().filter(gp).map(|c| c.id.as_str()).collect();
    assert_eq!(firing, ["fucile_cc_s"]);
}

// rule: 5.3
#[test]
fn batteries_and_aircraft_as_the_rules_quote_them() {
    let medium = advanced().battery("german_medium").unwrap();
    assert_eq!(medium.gp.at(12), Some((RangeFactor::S, 8))); // 6.5.1.13
    let stuka = advanced().aircraft("ju87b1").unwrap();
    assert!(stuka.dive_bomber && !stuka.fast); // 6.7.2.2
    let rockets = advanced().aircraft("hurricane_iv").unwrap().rockets.unwrap();
    assert_eq!((rockets.row.min_range, rockets.row.maximum_range()), (2, 10)); // 6.7.3.4
}

// rule: 6.2.1.1.1
#[test]
fn known_cells_of_the_tables() {
    let t = &advanced().tables;
    for (net, size, hexes) in [
        (0, SpotSize::Vehicle, 20),
        (0, SpotSize::Large, 15),
        (0, SpotSize::Small, 10),
        (1, SpotSize::Small, 15),
        (-1, SpotSize::Small, 5),
        (9, SpotSize::Vehicle, 40),
        (-9, SpotSize::Small, 1),
    ] {
        assert_eq!(t.spotting_range(net, size), hexes, "{net} {size:?}");
    }
    assert_eq!(t.command_range, [2, 1, 1, 0, 0]);
    assert_eq!(t.initiative, [40, 20, 0, -20, -40]);
    for (grade, units, commands) in
        [(Grade::Regulars, 7, 3), (Grade::Veteran, 12, 8), (Grade::Seasoned, 7, 4), (Grade::Green, 1, 1)]
    {
        assert_eq!(t.commands(grade, units), commands, "{grade:?} {units}");
    }
    assert_eq!(t.commands(Grade::Elite, 0), 0);
    for (f, d, cell) in [(5, 3, (43, 72)), (8, 5, (40, 72)), (3, 4, (56, 83)), (8, 2, (27, 59))] {
        assert_eq!(t.gp_cell(f, d), cell);
    }
    assert_eq!(t.gp_cell(20, 12), t.gp_cell(15, 10));
    let hits: Vec<u8> = [1, 11, 12, 22, 23, 56, 57].map(|roll| t.hits(Rate::F, 56, roll)).to_vec();
    assert_eq!(hits, [3, 3, 2, 2, 1, 1, 0]); // 6.5.2.1
    assert_eq!(t.response(Response::Fo, Level::Organic), 4);
    let track = t.bail_out(BailResult::TrackHit, Passenger::Crew, Grade::Seasoned).unwrap();
    assert!(track.out(30) && !track.out(31));
    let lost = t.bail_out(BailResult::KnockOut, Passenger::Towed, Grade::Seasoned).unwrap();
    assert!(lost.out(61) && !lost.out(60));
    assert!(t.bail_out(BailResult::KnockOut, Passenger::Crew, Grade::Seasoned).is_none());
    assert_eq!(t.indirect.sheaf[Sheaf::Closed.index()].len(), 7); // 6.5.1.5
    assert_eq!(t.indirect.sheaf[Sheaf::Open.index()].len(), 19);
    assert_eq!(t.tracking(Altitude::Medium, Speed::Fast, false), 6);
    assert_eq!(t.acquisition(Altitude::Low, Speed::Fast, true), 20);
}

// rule: 6.5.2.2.3
#[test]
fn hull_down_targets_are_missed_by_location() {
    let t = &advanced().tables;
    let missed = |hull_down| -> Vec<u8> {
        (1..=10).filter(|i| t.location(Angle::FrontSide, *i, false, hull_down).is_none()).collect()
    };
    assert_eq!(missed(HullDown::None), [0_u8; 0]);
    assert_eq!(missed(HullDown::Full), [5, 6, 7, 8, 9, 10]);
    assert_eq!(missed(HullDown::Partial), [6, 8, 9, 10]);
    let deck = t.location(Angle::RearSide, 1, true, HullDown::Full);
    assert_eq!(deck.map(Location::key), Some("DK")); // 6.5.2.2.2
}

/// The shipped pack with one text replaced.
fn with(path: &str, from: &str, to: &str) -> Result<Pack, String> {
    let mut files = embedded_files();
    files.edit(path, from, to).unwrap();
    Pack::read(&files).map_err(|e| e.to_string())
}

#[test]
fn faults_in_the_files_are_named() {
    let refused = [
        ("cards/advanced/leg.toml", "movement = \"2L 3\"", "movement = \"2 3\"", "de_rifle_squad: movement"),
        ("cards/advanced/leg.toml", "known = [\"card\"", "known = [\"cart\"", "no field \"cart\""),
        ("cards/advanced/towed.toml", "ammo_limit = \"5\"", "ammo_limit = \"S5\"", "basic limit (5.16.2.4)"),
        ("cards/advanced/vehicles.toml", "id = \"pz_ib\"", "id = \"pz_ic\"", "pz_ic: extends"),
        ("cards/weapons.toml", "ND = \"1-3\"", "ND = \"1-4\"", "ap_damage"),
        ("tables/advanced/gp.toml", "gpd = 4", "gpd = 5", "`row 4` is missing"),
        (
            "tables/advanced/assault.toml",
            "uphill_attack = -10",
            "uphil_attack = -10",
            "uphill_attack: expected",
        ),
        ("tables/advanced/indirect.toml", "observer = \"chq\"", "observer = \"hq\"", "unknown variant `hq`"),
        ("scenarios/advanced/halfaya-pass.toml", "card = \"flak36\"", "card = \"flak\"", "no card `flak`"),
        (
            "scenarios/advanced/halfaya-pass.toml",
            "game = \"advanced\"",
            "game = \"basic\"",
            "halfaya-pass.toml:3",
        ),
        (
            "scenarios/advanced/picket-at-the-well.toml",
            "aboard = [\"B1\"]",
            "aboard = [\"B9\"]",
            "no transport B9",
        ),
    ];
    for (path, from, to, why) in refused {
        let error = with(path, from, to).err().unwrap_or_else(|| panic!("{path}: {to} was read"));
        assert!(error.contains(why), "{path}: {error}");
    }
    let found = [
        (
            "scenarios/advanced/halfaya-pass.toml",
            "hexes = [\"5Q6\"]",
            "hexes = [\"5Q99\"]",
            "there is no hex 5Q99",
        ),
        ("scenarios/advanced/halfaya-pass.toml", "hq = \"A1\"", "hq = \"B1\"", "no Command unit"),
        ("scenarios/advanced/halfaya-pass.toml", "1941-06-15\"", "1940-06-15\"", "was not there"),
        ("scenarios/advanced/halfaya-pass.toml", "optional = [\"7.31\"]", "optional = []", "mines need 7.31"),
        ("cards/advanced/leg.toml", "points = 13", "points = 14", "points: expected"),
        ("tables/advanced/gp.toml", "n = [50, 46", "n = [51, 46", "GPF 1, GPD 1"),
        ("tables/advanced/grades.toml", "recovery_max = 80", "recovery_max = 60", "a better grade"),
    ];
    for (path, from, to, why) in found {
        let pack = with(path, from, to).unwrap_or_else(|e| panic!("{path}: {e}"));
        let findings: Vec<String> = pack.check().iter().map(ToString::to_string).collect();
        assert!(findings.iter().any(|f| f.contains(why)), "{path}: {why}: {findings:?}");
    }
}

#[test]
fn everything_has_a_name_in_three_languages() {
    use kernel::catalog::{Catalog, LANGUAGES};
    for language in LANGUAGES {
        let words = Catalog::parse(words(language).unwrap(), language).unwrap_or_else(|e| panic!("{e}"));
        let named = |key: String| assert!(words.text(&key).is_some(), "{language}: {key}");
        for s in &advanced().scenarios {
            named(format!("scenario.{}.name", s.id));
            named(format!("scenario.{}.history", s.id));
            for o in &s.objectives {
                named(format!("objective.{}", o.id));
            }
            for f in &s.advanced.as_ref().unwrap().formations {
                named(format!("formation.{}.{}", s.id, f.id));
            }
        }
        for l in &advanced().leg {
            named(format!("unit.{}", l.id));
        }
        for c in &advanced().crew_served {
            named(format!("unit.{}", c.id));
        }
        for b in &advanced().batteries {
            named(format!("unit.{}", b.id));
        }
        for t in &advanced().troops {
            named(format!("troops.{}", t.id));
        }
        for w in advanced().weapons.iter().filter(|w| w.ap.is_none()) {
            named(format!("weapon.{}", w.id));
        }
        let tables: [(&str, Vec<&str>); 12] = [
            ("grade", Grade::ALL.map(Grade::key).to_vec()),
            ("label", Label::ALL.map(Label::key).to_vec()),
            ("size", LegSize::ALL.map(LegSize::key).to_vec()),
            ("location", Location::ALL.map(Location::key).to_vec()),
            ("sheaf", Sheaf::ALL.map(Sheaf::key).to_vec()),
            ("attachment", Level::ALL.map(Level::key).to_vec()),
            ("altitude", Altitude::ALL.map(Altitude::key).to_vec()),
            ("hindrance", HindranceKind::ALL.map(HindranceKind::key).to_vec()),
            ("gp_modifier", GpModifier::ALL.map(GpModifier::key).to_vec()),
            ("assault_modifier", CloseAssaultModifier::ALL.map(CloseAssaultModifier::key).to_vec()),
            ("hand_modifier", HandToHandModifier::ALL.map(HandToHandModifier::key).to_vec()),
            ("response_modifier", ResponseModifier::ALL.map(ResponseModifier::key).to_vec()),
        ];
        for (table, keys) in tables {
            for key in keys {
                named(format!("{table}.{key}"));
            }
        }
    }
    // Guns, vehicles and aircraft are called by their designation.
    for id in ["flak36", "pz_ib", "matilda_ii"] {
        assert!(matches!(advanced().unit(id), Some(UnitCard::Towed(_) | UnitCard::Vehicle(_))));
    }
}
