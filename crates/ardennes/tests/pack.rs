//! The shipped pack is complete, agrees with every stated fact, and can be corrected by overlays.

use ardennes::pack::{
    AdvanceKind, ArrivalBy, CombatResult, Cost, DefenseMark, Edition, FuelResult, HexRef, Landing, Morale,
    Pack, PackFiles, Role, Severity, Side, StateAfter, Tag, Terrain, VictoryRule, check,
};

fn pack() -> Pack {
    Pack::embedded().unwrap_or_else(|e| panic!("{e}"))
}

fn map() -> &'static atlas::Map {
    atlas::packs::ardennes44_map().unwrap_or_else(|e| panic!("{e}"))
}

fn hex(label: &str) -> HexRef {
    label.parse().unwrap_or_else(|e| panic!("{e}"))
}

// rule: 1.2, 2.4, 2.11
#[test]
fn the_shipped_pack_has_no_findings() {
    let findings: Vec<String> = check(&pack()).iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

// rule: 1.2
#[test]
fn every_unit_of_the_order_of_battle_is_there() {
    let pack = pack();
    let combat = |side| pack.units.iter().filter(|u| u.role == Role::Combat && u.side == side).count();
    assert_eq!((combat(Side::German), combat(Side::Allied)), (179, 215));
    assert_eq!(pack.units.len() - 179 - 215, 63);
    for formation in ["1sspz", "2pz", "lehr", "26vg", "us28inf", "us106inf", "us101ab", "us4arm", "br43"] {
        assert!(pack.formations.iter().any(|f| f.id == formation), "{formation}");
    }
}

// rule: 2.1, 2.2, 2.5, 2.6, 2.7, 2.8, 2.9
#[test]
fn a_counter_says_what_it_must() {
    let pack = pack();
    let unit = |slug: &str| pack.unit(pack.unit_by_slug(slug).unwrap_or_else(|| panic!("{slug}")));
    let heavy = unit("de-506-pz");
    assert_eq!((heavy.front.attack, heavy.front.defense, heavy.front.movement), (8, 4, 5));
    assert_eq!((heavy.formation, heavy.morale), (None, Morale::Elite));
    assert_eq!(heavy.tq.map(|tq| (tq.front, tq.red)), Some((5, false)));
    let company = unit("de-18vg-1818-hetzer");
    assert!(company.tq.is_some_and(|tq| tq.red) && company.formation == unit("de-18vg-293").formation);
    assert_eq!(unit("us-v-187-arty").defense_mark, DefenseMark::Parentheses);
    assert_eq!(unit("us-291-eng").defense_mark, DefenseMark::Outlined);
    assert!(unit("us-2-9").red_code() && !unit("us-2-23").red_code());
    assert_eq!(unit("us-2-9").start_hex(), Some(hex("E1636")));
    let arrival = unit("us-4-8-2").arrival().unwrap_or_else(|| panic!("4/8/2 arrives"));
    let ArrivalBy::Entry(entries) = arrival.by else { panic!("{arrival:?}") };
    let letters: String = entries.iter().map(|e| pack.entries[e.index()].letter).collect();
    assert_eq!((arrival.turn, letters.as_str()), (3, "AB"));
}

#[test]
fn hex_numbers_read_and_write_themselves() {
    for label in ["E0101", "E1331", "E3920", "W0840", "W3234"] {
        assert_eq!(hex(label).to_string(), label);
    }
    // The West map overlaps the East map's last columns.
    assert_eq!(hex("W0720"), hex("E3920"));
    assert_eq!(hex("2119"), hex("E2119"));
    for bad in ["", "E", "E12", "E123x", "N1234", "E0012", "W9901"] {
        assert!(bad.parse::<HexRef>().is_err(), "{bad}");
    }
}

#[test]
fn a_slug_may_be_cut_where_it_stays_clear() {
    let pack = pack();
    let whole = pack.unit_by_slug("de-2pz-304-pzg");
    assert!(whole.is_some());
    assert_eq!(pack.unit_by_slug("de-2pz-304"), whole);
    assert_eq!(pack.unit_by_slug("de-2pz"), None);
}

// rule: 16.1, 16.2
#[test]
fn combat_tables_of_the_second_edition() {
    let pack = pack();
    let tables = pack.tables(Edition::Second);
    let code = |die: usize, odds: (u8, u8)| {
        let column = tables.crt.columns.iter().position(|o| (o.attack, o.defense) == odds);
        tables.crt.rows[die - 1][column.unwrap_or_else(|| panic!("no column {odds:?}"))]
    };
    assert_eq!(code(1, (1, 3)), CombatResult::FfPlus1);
    assert_eq!(code(1, (2, 1)), CombatResult::Dr2);
    assert_eq!(code(3, (3, 1)), CombatResult::Ff);
    assert_eq!(code(6, (7, 1)), CombatResult::Dr2);
    assert_eq!(code(4, (7, 1)), CombatResult::Dr4);
    // Each column equals the one to its left, shifted by one die.
    for pair in tables.crt.rows.windows(2) {
        assert_eq!(pair[0][..8], pair[1][1..]);
    }
    assert_eq!(tables.fire_fight.table.get(-1), CombatResult::D1);
    assert_eq!(tables.fire_fight.table.get(5), CombatResult::EngPlus);
    assert_eq!(tables.fire_fight.table.get(8), CombatResult::A1Eng);
    let dr3 = tables.results[CombatResult::Dr3.index()];
    assert_eq!((dr3.retreat, dr3.state, dr3.advance), (3, StateAfter::Broken, AdvanceKind::Bonus));
    assert!(!dr3.determined_defense && tables.results[CombatResult::Dr2.index()].determined_defense);
}

// rule: 16.72, 20.3
#[test]
fn die_tables_of_the_second_edition() {
    let pack = pack();
    let tables = pack.tables(Edition::Second);
    let defense = |die| {
        let row = tables.determined_defense.table.get(die);
        (row.success, row.defender_steps, row.attacker_steps)
    };
    assert_eq!(defense(-3), (true, 1, 1));
    assert_eq!(defense(2), (true, 1, 0));
    assert_eq!(defense(3), (false, 0, 0));
    assert_eq!(defense(7), (false, 1, 0));
    let leave = |die| {
        let row = tables.disengagement.table.get(die);
        (row.retreat, row.disrupted)
    };
    assert_eq!(
        [1, 3, 4, 5, 6, 7].map(leave),
        [(true, false), (true, false), (true, true), (false, false), (false, true), (false, true)]
    );
    assert_eq!([-2, 0, 1, 2, 3, 6].map(|die| tables.surrender.table.get(die)), [-1, -1, 0, 0, 1, 1]);
    let name = |f: ardennes::pack::FormationId| pack.formation(f).id.as_str();
    match tables.fuel.tables[1].get(7) {
        FuelResult::Both(a, b) => assert_eq!((name(a), name(b)), ("1sspz", "12sspz")),
        other => panic!("{other:?}"),
    }
    assert_eq!([1, 2, 3, 4].map(|die| tables.jabos.get(die)), [3, 2, 1, 0]);
    assert_eq!([1, 3, 5].map(|die| tables.air.get(die)), [1, 2, 3]);
    assert!(tables.defensive_artillery.get(Side::Allied, 1).tot);
    assert!((1..=6).all(|die| !tables.defensive_artillery.get(Side::German, die).tot));
    assert_eq!(tables.von_der_heydte.get(6), Landing::Eliminated);
}

#[test]
fn terrain_effects() {
    let pack = pack();
    let chart = &pack.tables(Edition::Second).terrain;
    assert_eq!(chart.row(Terrain::Forest).mech, [Cost::Quarters(16), Cost::Quarters(12)]);
    assert_eq!(chart.row(Terrain::LightWoods).mech[0], Cost::Quarters(12));
    assert_eq!(chart.row(Terrain::WestWall).dcb, [3, 0]);
    assert_eq!(chart.row(Terrain::Town).dcb, [3, 3]);
    assert_eq!(chart.row(Terrain::City).dcb, [4, 4]);
    assert!(chart.row(Terrain::Village).dcb[0] >= 2);
    assert_eq!(chart.roads.map(|r| r.mech[0]), [2, 4, 8]);
}

#[test]
fn the_first_edition_differs_where_its_text_says_so() {
    let pack = pack();
    let [second, first] = &pack.tables;
    assert!(first.crt.rows.iter().flatten().all(|&code| code != CombatResult::Dr4));
    assert!(first.results.iter().all(|r| r.state != StateAfter::Broken));
    assert_eq!((second.rally.success_max, first.rally.success_max), (2, 3));
    assert_eq!((second.victory.west_map_hexes, first.victory.west_map_hexes), (6, 8));
    assert_eq!(first.victory.east_points, 20);
    assert_eq!((first.stacking.units, first.stacking.points), (2, 3));
    assert!(first.determined_defense.table.get(0).counterattack);
    assert_eq!(first.defensive_artillery.max_units, 2);
    assert!(matches!(first.fuel.tables[0].get(2), FuelResult::WestOfOurthe(_)));
    let engineer = pack.unit(pack.unit_by_slug("us-291-eng").unwrap_or_else(|| panic!("291")));
    assert_eq!(engineer.factors(Edition::First, false).defense, 1);
    assert_eq!(engineer.factors(Edition::Second, false).defense, 2);
}

#[test]
fn every_table_names_its_source() {
    for edition in Edition::ALL {
        let pack = pack();
        let tables = pack.tables(edition);
        assert_eq!(tables.sources.len(), 22 + 8 + 3 + 4, "{:?}", tables.sources);
        assert!(tables.sources.iter().all(|(_, s)| s.contains("rules") || s.contains("estimate")));
    }
}

#[test]
fn turn_track() {
    let pack = pack();
    let turn = |n| pack.turn(n).unwrap_or_else(|| panic!("turn {n}"));
    assert_eq!((turn(1).day, turn(1).pm, turn(22).day, turn(22).pm), (16, false, 26, true));
    assert!(pack.turns.iter().all(|t| (t.ground == ardennes::pack::Ground::Frozen) == (t.turn >= 11)));
    assert!(pack.turns.iter().all(|t| (t.sky == ardennes::pack::Sky::Clear) == (t.turn >= 15)));
    assert_eq!(turn(8).greif_removed, 1);
    assert_eq!(turn(18).greif_removed, 6);
    assert!(pack.turn(0).is_none() && pack.turn(31).is_none());
}

#[test]
fn reinforcements() {
    let pack = pack();
    let on = |turn, side| pack.arrivals(turn, side).map(|u| pack.unit(u).id.clone()).collect::<Vec<_>>();
    assert_eq!(on(3, Side::German), ["de-217-stupz", "de-von-der-heydte"]);
    assert!(on(3, Side::Allied).contains(&"us-4-8-2".to_owned()));
    let airborne = pack.arrivals(5, Side::Allied).filter(|&u| pack.unit(u).tags.has(Tag::Airborne)).count();
    assert_eq!(airborne, 8);
    let engineers =
        pack.units.iter().filter(|u| u.arrival().is_some_and(|a| a.by == ArrivalBy::TownOrCity)).count();
    assert_eq!(engineers, 12);
}

// rule: 31.1, 31.2, 31.3, 31.4, 31.5
#[test]
fn scenarios() {
    let pack = pack();
    let scenario = |id| pack.scenario(id).unwrap_or_else(|| panic!("{id}"));
    let turns = |id| (scenario(id).first_turn, scenario(id).last_turn);
    assert_eq!(turns("campaign"), (1, 22));
    assert_eq!(turns("six_turn"), (1, 6));
    assert_eq!(turns("eight_turn"), (1, 8));
    assert_eq!(turns("patton"), (13, 22));
    assert_eq!(turns("extended"), (1, 30));
    assert_eq!(turns("patton_extended"), (13, 30));
    assert!(matches!(scenario("six_turn").victory, VictoryRule::Points { needed: 10, exit_attack: 4, .. }));
    assert!(matches!(scenario("eight_turn").victory, VictoryRule::Points { needed: 14, .. }));
    assert_eq!(scenario("campaign").bridges.len(), 6);
    assert_eq!(scenario("patton").bridges.len(), 4);
    let isolated: Vec<_> = scenario("patton").isolated.iter().map(|g| (g.side, g.surrender_points)).collect();
    assert_eq!(isolated, [(Side::German, 3), (Side::Allied, 1)]);
    let patton = scenario("patton");
    let german = |hex: HexRef| {
        patton.german_control.contains(&hex)
            || patton.placements.iter().any(|p| p.hex == hex && pack.unit(p.unit).side == Side::German)
    };
    let held = pack.victory_hexes.iter().filter(|v| german(v.hex)).count();
    assert_eq!(held, 9);
    // G-33: the rulebook prints 4.
    assert!(matches!(patton.victory, VictoryRule::Points { needed: 14, .. }));
    let peiper = &scenario("patton").isolated[0];
    let in_it = peiper.units.iter().filter(|&&u| pack.unit(u).tags.has(Tag::KgPeiper)).count();
    assert_eq!(in_it, 4);
}

// rule: S1.1, S1.2, S1.3
#[test]
fn the_first_game_is_small() {
    let pack = pack();
    let st_vith = pack.scenario("st_vith").unwrap_or_else(|| panic!("st_vith"));
    assert_eq!((st_vith.first_turn, st_vith.last_turn), (11, 13));
    let of = |side: Side| st_vith.placements.iter().filter(|p| pack.unit(p.unit).side == side).count();
    assert!(of(Side::German) <= 16 && of(Side::Allied) <= 12, "{} {}", of(Side::German), of(Side::Allied));
    assert!(!st_vith.fuel_shortage && !st_vith.traffic);
    assert!(!st_vith.victory.counts_exits());
    let part = st_vith.part.as_ref().unwrap_or_else(|| panic!("only part of the map"));
    assert!(part.contains(hex("E2125")) && !part.contains(hex("E3413")) && !part.contains(hex("W2125")));
}

#[test]
fn the_schnee_eifel_is_dug_in() {
    let pack = pack();
    let campaign = pack.scenario("campaign").unwrap_or_else(|| panic!("campaign"));
    assert!(campaign.improved_positions.contains(&hex("E1722")));
    assert!(campaign.improved_positions.contains(&hex("E1425")));
}

#[test]
fn an_overlay_changes_what_it_names_and_says_so() {
    let mut pack = pack();
    let changes = pack
        .apply_overlay(
            r#"
            [[unit]]
            id = "de-2pz-304-pzg"
            front = "6-4-5"
            source = { front = "printed" }
            [tables.2e.terrain.clear]
            dcb = 1
            [[turn]]
            turn = 2
            replacements = { allied = 2 }
            [map]
            anything = "is the map's"
            "#,
        )
        .unwrap_or_else(|e| panic!("{e}"));
    let lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            r#"unit de-2pz-304-pzg: front "5-4-5" -> "6-4-5""#,
            r#"unit de-2pz-304-pzg: source + { front = "printed" }"#,
            "turn 2: replacements.allied 1 -> 2",
            "tables 2e: terrain.clear.dcb 0 -> 1",
        ]
    );
    let unit = pack.unit(pack.unit_by_slug("de-2pz-304-pzg").unwrap_or_else(|| panic!("304")));
    assert_eq!(unit.front.attack, 6);
    assert_eq!(pack.tables(Edition::Second).terrain.row(Terrain::Clear).dcb, [1, 1]);
    assert_eq!(pack.turns[1].replacements, [1, 2]);
}

#[test]
fn an_overlay_may_depart_from_a_report_with_a_warning() {
    let mut pack = pack();
    let overlay = "[[unit]]\nid = \"de-653-pzjg\"\nfront = \"4-2-4\"\ntq = 5\n";
    pack.apply_overlay(overlay).unwrap_or_else(|e| panic!("{e}"));
    let findings = check(&pack);
    assert_eq!(findings.len(), 2, "{findings:?}");
    assert!(findings.iter().all(|f| f.severity == Severity::Warning));
}

#[test]
fn an_overlay_adds_and_removes_units() {
    let mut pack = pack();
    let overlay = r#"
        [[unit]]
        id = "us-771-tk"
        remove = true
        [[unit]]
        id = "us-612-td"
        add = true
        label = "612"
        name = "612th Tank Destroyer Battalion"
        class = "us_td_battalion"
        side = "allied"
        nation = "us"
        type = "silhouette_tank"
        vehicle = "m10"
        size = "II"
        colour = "maroon"
        corps = "us5"
        front = "2-2-6"
        stacking = [0]
        steps = 1
        morale = "veteran"
        tq = 3
        tq_red = true
        arrival = { turn = 3, entry = ["J"] }
    "#;
    let changes = pack.apply_overlay(overlay).unwrap_or_else(|e| panic!("{e}"));
    let items: Vec<&str> = changes.iter().map(|c| c.item.as_str()).collect();
    assert_eq!(items, ["unit us-771-tk", "unit us-612-td", "scenario patton"]);
    assert_eq!(changes[2].new, None);
    assert!(pack.unit_by_slug("us-771-tk").is_none());
    assert!(pack.unit_by_slug("us-612-td").is_some());
    // It reports that the new unit has no place in the scenarios that begin after its arrival.
    let findings: Vec<String> = check(&pack).iter().map(ToString::to_string).collect();
    assert_eq!(
        findings,
        [
            "warning: scenario patton: us-612-td is missing",
            "warning: scenario patton_extended: us-612-td is missing"
        ]
    );
}

#[test]
fn faults_of_an_overlay_are_named() {
    for (overlay, wanted) in [
        ("[[unit]]\nid = \"de-9pz-99\"\nsteps = 2", "overlay: unit de-9pz-99: is not in the pack"),
        (
            "[[unit]]\nid = \"us-2-9\"\nfront = \"6-6\"",
            "overlay: unit us-2-9: `6-6` is not `attack-defense-move`",
        ),
        ("[[unit]]\nid = \"us-2-9\"\nspeed = 3", "overlay: unit us-2-9: unknown field `speed`"),
        ("[[unit]]\nid = \"us-2-9\"\nmorale = \"brave\"", "overlay: unit us-2-9: unknown variant `brave`"),
        ("[[unit]]\nid = \"us-2-9\"\nsteps = 1", "overlay: unit us-2-9: one step, yet a reduced side"),
        ("[[unit]]\nid = \"us-2-9\"\nremnant = \"us_inf\"", "there is no pool `us_inf`; perhaps us_airborne"),
        ("[[unit]]\nid = \"us-2-9\"\nsetup = { hex = \"Q1234\" }", "`Q1234` is not a hex number"),
        (
            "[[unit]]\nid = \"us-4-8-2\"\narrival = { entry = [\"K\"] }",
            "overlay: unit us-4-8-2: has no legal way to arrive",
        ),
        ("[[unit]]\nid = \"de-2pz-304-pzg\"\nsetup = { hex = \"E1538\" }", "E1538 is outside its area"),
        ("[tables.3e.crt]\n", "overlay: tables.3e: write [tables.2e.NAME]"),
        ("[tables.2e.crt]\ncolumns = [\"1-1\", \"3-1\"]", "[crt]: columns must climb"),
        (
            "[tables.2e.road.primary]\nfoot = 0.3",
            "[road.primary]: a cost of 0.3 is not a whole number of quarters",
        ),
        ("[[turn]]\nturn = 31\nadd = true", "overlay: turn 31: only items of"),
        ("[soup]\n", "overlay: soup: unknown"),
        ("x = ", "overlay: TOML parse error"),
    ] {
        let mut pack = pack();
        let before = format!("{:?}", pack.units);
        let error = match pack.apply_overlay(overlay) {
            Ok(changes) => panic!("{overlay}: accepted as {changes:?}"),
            Err(e) => e.to_string(),
        };
        assert!(error.contains(wanted), "{overlay}\n{error}");
        assert_eq!(before, format!("{:?}", pack.units), "a refused overlay changes nothing");
    }
}

#[test]
fn faults_of_a_file_are_named() {
    let mut files = PackFiles::embedded();
    for (path, text) in &mut files.files {
        if path == "units/us-v-corps.toml" {
            *text = text.replacen("corps = \"us5\"", "corps = \"us55\"", 1).into();
        }
    }
    let error = Pack::load(&files).map(|_| ()).map_err(|e| e.to_string());
    let wanted = "units/us-v-corps.toml: unit us-2-9: there is no corps `us55`";
    assert!(error.as_ref().is_err_and(|e| e.starts_with(wanted)), "{error:?}");
}

#[test]
fn a_directory_is_read_as_the_embedded_pack_is() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/ardennes44");
    let read = Pack::from_dir(&dir).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(read.units, pack().units);
    assert_eq!(read.scenarios, pack().scenarios);
    let missing = Pack::from_dir(&dir.join("nowhere"));
    assert!(missing.is_err_and(|e| e.file == "types.toml"));
}

// rule: 3.2
#[test]
fn the_pack_and_the_map_agree() {
    let findings: Vec<String> =
        ardennes::pack::check_map(&pack(), map()).iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn everything_shown_has_a_name_in_three_languages() {
    let pack = pack();
    let mut wanted: Vec<String> = Vec::new();
    wanted.extend(pack.formations.iter().map(|f| format!("formation.{}", f.id)));
    wanted.extend(pack.corps.iter().map(|c| format!("corps.{}", c.id)));
    wanted.extend(pack.pools.iter().map(|p| format!("pool.{}", p.id)));
    wanted.extend(pack.optional_groups.iter().map(|g| format!("option.{}", g.id)));
    wanted.extend(pack.boxes.iter().map(|b| format!("box.{}", b.id)));
    wanted.extend(
        pack.scenarios
            .iter()
            .flat_map(|s| [format!("scenario.{}", s.id), format!("scenario.{}.about", s.id)]),
    );
    wanted.extend(pack.turns.iter().flat_map(|t| t.events.iter().map(|e| format!("event.{e}"))));
    for unit in &pack.units {
        let key = |name: &str, value: toml::Value| format!("{name}.{}", value.as_str().unwrap_or_default());
        let value = |v: Result<toml::Value, toml::ser::Error>| v.unwrap_or_else(|e| panic!("{e}"));
        wanted.push(key("unit_type", value(toml::Value::try_from(unit.unit_type))));
        wanted.push(key("symbol", value(toml::Value::try_from(unit.symbol))));
        wanted.push(key("size", value(toml::Value::try_from(unit.size))));
        wanted.push(key("morale", value(toml::Value::try_from(unit.morale))));
        wanted.push(key("nation", value(toml::Value::try_from(unit.nation))));
        wanted.extend(unit.vehicle.map(|v| key("vehicle", value(toml::Value::try_from(v)))));
    }
    for (language, text) in [
        ("en", include_str!("../../../packs/ardennes44/i18n/en.toml")),
        ("ko", include_str!("../../../packs/ardennes44/i18n/ko.toml")),
        ("ja", include_str!("../../../packs/ardennes44/i18n/ja.toml")),
    ] {
        let names: toml::Table = text.parse().unwrap_or_else(|e| panic!("{language}: {e}"));
        for key in &wanted {
            let (section, id) = key.split_once('.').unwrap_or_else(|| panic!("{key}"));
            let name = names.get(section).and_then(|s| s.get(id)).and_then(|n| n.as_str());
            assert!(name.is_some_and(|n| !n.is_empty()), "{language}: {key} has no name");
        }
    }
}

#[test]
fn the_shipped_deployment_is_ready_to_attack() {
    let pack = &pack();
    let board = &map().board;
    let at = |hex: HexRef| board.find(&hex.to_string()).unwrap_or_else(|e| panic!("{hex}: {e}"));
    let campaign = pack.scenario("campaign").unwrap_or_else(|| panic!("campaign"));
    let side = |side| campaign.placements.iter().filter(move |p| pack.unit(p.unit).side == side);
    let nearest =
        |hex: HexRef| side(Side::Allied).map(|a| board.distance(at(a.hex), at(hex))).min().unwrap_or(99);
    for placed in side(Side::German) {
        let unit = pack.unit(placed.unit);
        if unit.category.artillery {
            assert!(nearest(placed.hex) <= u32::from(unit.range), "{} reaches no enemy", unit.id);
        }
    }
    // Every division of the first line has a unit that can make contact by Tactical Movement (11.3).
    let second_line = ["1sspz", "12sspz", "150pz", "lehr"];
    for area in &pack.areas {
        let formation = pack.formation(area.formation);
        let close = side(Side::German)
            .filter(|p| pack.unit(p.unit).formation == Some(area.formation) && !pack.unit(p.unit).red_code())
            .any(|p| nearest(p.hex) <= 3);
        assert!(
            close || second_line.contains(&formation.id.as_str()),
            "{} is far from the enemy",
            formation.id
        );
    }
}

/// The overlay shown in docs/PACKS.md is valid.
#[test]
fn the_documented_overlay_works() {
    let text = include_str!("../../../docs/PACKS.md");
    let from = text.find("    # A unit: its id").unwrap_or_else(|| panic!("the example has moved"));
    let to = text.find("## The files of a map").unwrap_or_else(|| panic!("the next heading has moved"));
    let mut overlay: String =
        text[from..to].lines().map(|l| l.strip_prefix("    ").unwrap_or(l)).collect::<Vec<_>>().join("\n");
    // The document breaks off within this unit.
    let cut = overlay.find("[[unit]]\nid = \"us-612-td\"").unwrap_or_else(|| panic!("no new unit"));
    let end = overlay[cut..].find("\n\n").unwrap_or_else(|| panic!("no end"));
    overlay.replace_range(cut..cut + end, "");
    let changes = pack().apply_overlay(&overlay).unwrap_or_else(|e| panic!("{e}"));
    let items: std::collections::BTreeSet<&str> = changes.iter().map(|c| c.item.as_str()).collect();
    for item in [
        "unit de-2pz-304-pzg",
        "unit us-4-22",
        "tables 2e",
        "turn 6",
        "pool us_infantry",
        "scenario patton",
        "victory_hex E1838",
    ] {
        assert!(items.contains(item), "{item} in {items:?}");
    }
}

#[test]
fn a_unit_off_the_map_is_found() {
    let mut pack = pack();
    let overlay = "[[unit]]\nid = \"us-741-tk\"\nsetup = { hex = \"E3999\" }";
    pack.apply_overlay(overlay).unwrap_or_else(|e| panic!("{e}"));
    let errors: Vec<String> = ardennes::pack::check_map(&pack, map())
        .iter()
        .filter(|f| f.severity == Severity::Error)
        .map(ToString::to_string)
        .collect();
    assert_eq!(errors[0], "error: scenario campaign: E3999 is not on the map");
}
