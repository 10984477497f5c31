//! Stacking, zones of control, ZOC Bonds and movement (8–12), on small maps.

mod common;

use ardennes::{
    action::{Action, Mode},
    flags::Flags,
    pack::{Edition, Side},
    state::MarkerAt,
};
use common::Table;
use kernel::{Rules as _, Verdict};

const CLEAR: &str = "[map]\nrows = [1, 20]\ncolumns = [1, 20]\ndefault = \"clear\"\n";

fn clear(more: &str) -> String {
    format!("{CLEAR}{more}")
}

// German foot regiment (MA 3), recon (Vehicle), Panther battalion (silhouette, MA 5); US battalions.
const FOOT: &str = "de-26vg-77";
const PANTHER: &str = "de-2pz-i-3-pz";
const PZG: &str = "de-2pz-304-pzg";
const US_A: &str = "us-28-110-1";
const US_B: &str = "us-28-110-3";
const US_TANK: &str = "us-707-tk";
const US_CAV: &str = "us-18-cav";

// rule: 10.1, 10.2
#[test]
fn a_hex_bond_closes_its_middle_hex() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put(US_A, "1212");
    t.put(US_B, "1413");
    t.put(FOOT, "1311");
    t.illegal(&format!("move {FOOT} 1312"), "10.2");
    // one hex further the line is not straight and nothing is closed
    t.legal(&format!("move {FOOT} 1310"));
}

/// A move whose path leads elsewhere than it says: its end would be checked in another hex, here that of the unit itself,
/// while the path leads into a full one.
// rule: 8.1, 11.1
#[test]
fn a_path_leads_to_the_hex_that_is_named() {
    const WERFER: &str = "de-4-vw";
    let mut t = Table::new(CLEAR, Side::German);
    t.put("de-402-vak", "1212");
    t.put(WERFER, "1312");
    t.illegal(&format!("move {WERFER} 1212"), "8.1");
    let side = ardennes::play::seat(Side::German);
    let into_the_stack = t.rules.parse(&t.s, side, &format!("move {WERFER} 1212")).expect("readable");
    let Action::Move(mut mv) = into_the_stack else { panic!("a move") };
    assert!(!mv.path.is_empty());
    mv.to = t.hex("1312");
    let Verdict::Illegal(refusal) = t.rules.verdict(&t.s, side, &Action::Move(mv)) else {
        panic!("a move that ends in a full hex is legal")
    };
    assert!(refusal.cites("11.1"), "{refusal:?}");
}

// rule: 10.1, 10.2, 10.4
#[test]
fn a_hexside_bond_bars_crossing_until_both_sides_are_held() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put(US_A, "1212");
    t.put(US_B, "1313");
    t.put(FOOT, "1213");
    t.illegal(&format!("move {FOOT} 1312"), "10.2");
    t.put(PANTHER, "1312");
    t.legal(&format!("move {FOOT} 1312"));
}

// rule: 10.3
#[test]
fn two_rivers_break_a_hex_bond_and_one_does_not() {
    let one = clear("river = [\"1212/1312\"]\n");
    let two = clear("river = [\"1212/1312\", \"1312/1413\"]\n");
    for (map, closed) in [(one, true), (two, false)] {
        let mut t = Table::new(&map, Side::German);
        t.put(US_A, "1212");
        t.put(US_B, "1413");
        t.put(FOOT, "1311");
        if closed {
            t.illegal(&format!("move {FOOT} 1312"), "10.2");
        } else {
            t.legal(&format!("move {FOOT} 1312"));
        }
    }
}

// rule: 10.3, 9.4
#[test]
fn silhouette_tanks_in_wooded_rough_neither_bond_nor_control_beyond() {
    let map = clear("terrain.wooded_rough = [\"1212\"]\nroad.secondary = [[\"1212\", \"1213\"]]\n");
    let mut t = Table::new(&map, Side::German);
    t.put(US_TANK, "1212");
    t.put(US_B, "1413");
    assert!(t.s.zoc(Side::Allied).contains(t.hex("1213")), "along the road");
    assert!(!t.s.zoc(Side::Allied).contains(t.hex("1211")), "not across a roadless side");
    assert!(t.s.near(Side::Allied).contains(t.hex("1211")));
    t.put(FOOT, "1311");
    t.legal(&format!("move {FOOT} 1312"));
    t.put(US_A, "1212");
    assert!(t.s.zoc(Side::Allied).contains(t.hex("1211")), "with infantry in the stack the ZOC is normal");
    t.illegal(&format!("move {FOOT} 1312"), "10.2");
}

// rule: 10.6
#[test]
fn the_map_edge_is_a_partner_for_hexside_bonds() {
    let mut t = Table::new(CLEAR, Side::German);
    // 0101 and 0201 are on the south edge; the side between them runs down to it.
    t.put(US_A, "0202");
    t.put(FOOT, "0101");
    t.illegal(&format!("move {FOOT} 0201"), "10.2");
}

// rule: 10.1, 22.10
#[test]
fn artillery_forms_no_bond() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put("us-v-187-arty", "1212");
    t.put(US_B, "1413");
    t.put(FOOT, "1311");
    t.legal(&format!("move {FOOT} 1312"));
}

// rule: 9.2, 9.3
#[test]
fn entering_an_ezoc_stops_and_leaving_one_costs() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put(US_A, "1212");
    t.put(FOOT, "1215");
    t.legal(&format!("move {FOOT} 1214 1213"));
    t.illegal(&format!("move {FOOT} 1214 1213 1112"), "9.2");
    t.put(FOOT, "1213");
    assert_eq!(t.cost(FOOT, "1214", Mode::Normal), Some(8), "clear 1 and leaving 1");
    t.legal(&format!("move {FOOT} 1112"));
    t.play(&format!("move {FOOT} 1112"), &[]);
    assert_eq!(t.at(FOOT), "1112");
}

// rule: 8.1, 8.2, 8.3
#[test]
fn a_hex_holds_three_points_two_tank_steps_and_one_artillery() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put(FOOT, "1212");
    t.put(PZG, "1215");
    t.illegal(&format!("move {PZG} 1214 1213 1212"), "11.1"); // too far in mud: 2 + 2 + 2
    t.illegal(&format!("move {PZG} 1213 1212"), "11.1");
    t.put(PZG, "1213");
    t.illegal(&format!("move {PZG} 1212"), "8.1"); // 2 + 2 points
    t.put(PANTHER, "1211");
    t.legal(&format!("move {PANTHER} 1212")); // no points, two steps
    t.put("de-2pz-ii-3-pz", "1212");
    t.illegal(&format!("move {PANTHER} 1212"), "8.1"); // four steps
}

// rule: 11.2
#[test]
fn extended_movement_may_not_end_next_to_an_enemy() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put(US_A, "1212");
    t.put(FOOT, "1218");
    t.illegal(&format!("move {FOOT} 1213 extended"), "11.2");
    t.legal(&format!("move {FOOT} 1214 extended"));
    t.illegal(&format!("move {FOOT} 1214"), "11.1"); // 4 hexes with 3 points
    t.put(PANTHER, "1118");
    t.illegal(&format!("move {PANTHER} 1117 extended"), "11.2");
}

// rule: 11.3
#[test]
fn tactical_movement_ignores_costs_but_not_zones() {
    let map = clear("terrain.forest = [\"1213\", \"1214\"]\n");
    let mut t = Table::new(&map, Side::German);
    t.put(PZG, "1212");
    t.illegal(&format!("move {PZG} 1213 1214"), "11.1"); // 4 + 4 of 5
    t.legal(&format!("move {PZG} 1213 1214 tactical"));
    t.illegal(&format!("move {PZG} 1213 1214 1215 tactical"), "11.3");
    t.put(US_A, "1113");
    t.illegal(&format!("move {PZG} 1213 1214 tactical"), "9.2");
}

// rule: 11.4
#[test]
fn rivers() {
    let map = clear(
        "river = [\"1212/1213\", \"1112/1113\", \"1011/1012\", \"1213/1312\"]\n\
         bridge = { \"1112/1113\" = \"intact\", \"1011/1012\" = \"blown\" }\n\
         road.primary = [[\"1112\", \"1113\"], [\"1011\", \"1012\"]]\n",
    );
    let mut t = Table::new(&map, Side::German);
    t.put(FOOT, "1212");
    t.illegal(&format!("move {FOOT} 1213"), "11.4");
    t.legal(&format!("move {FOOT} 1213 tactical"));
    t.put(FOOT, "1211");
    t.illegal(&format!("move {FOOT} 1212 1213 tactical"), "11.4");
    t.put(PANTHER, "1212");
    t.illegal(&format!("move {PANTHER} 1213 tactical"), "11.4");
    t.put(PANTHER, "1112");
    t.legal(&format!("move {PANTHER} 1113"));
    assert_eq!(
        t.cost(PANTHER, "1113", Mode::Normal),
        Some(2),
        "half a point by primary road over the bridge"
    );
    t.put(PANTHER, "1011");
    t.illegal(&format!("move {PANTHER} 1012"), "11.4");
    // two crossings in one move
    t.put(FOOT, "1212");
    t.illegal(&format!("move {FOOT} 1213 1312 tactical"), "11.4");
}

// rule: 11.5, 11.6, 11.8
#[test]
fn vehicles_need_roads_in_forest_west_wall_and_wooded_rough() {
    let map = clear(
        "terrain.forest = [\"1213\", \"1113\"]\nterrain.wooded_rough = [\"1211\"]\nterrain.west_wall = [\"1312\"]\n\
         road.secondary = [[\"1212\", \"1112\", \"1113\"]]\n",
    );
    let mut t = Table::new(&map, Side::German);
    t.put(PANTHER, "1212");
    t.illegal(&format!("move {PANTHER} 1213"), "11.5");
    t.illegal(&format!("move {PANTHER} 1312"), "11.5");
    t.illegal(&format!("move {PANTHER} 1211"), "11.6");
    t.legal(&format!("move {PANTHER} 1112 1113"));
    assert_eq!(t.cost(PANTHER, "1112", Mode::Normal), Some(4));
    assert_eq!(t.cost(PANTHER, "1113", Mode::Normal), Some(4 + 8), "a Forest Road costs 2 (11.8)");
    t.put(FOOT, "1212");
    t.legal(&format!("move {FOOT} 1213"));
    t.illegal(&format!("move {FOOT} 1211"), "11.6");
    t.legal(&format!("move {FOOT} 1211 tactical"));
}

// rule: 12.1, 12.2, 12.4
#[test]
fn strategic_movement() {
    let map = clear(
        "road.primary = [[\"1201\", \"1202\", \"1203\", \"1204\", \"1205\", \"1206\", \"1207\", \"1208\", \"1209\", \"1210\", \"1211\", \"1212\", \"1213\", \"1214\", \"1215\"]]\n",
    );
    let mut t = Table::new(&map, Side::Allied);
    t.put(US_CAV, "1201");
    assert_eq!(t.cost(US_CAV, "1215", Mode::Strategic), Some(28), "half a point a hex");
    t.legal(&format!("move {US_CAV} 1215 strategic"));
    t.illegal(&format!("move {US_CAV} 1101 strategic"), "12.1");
    t.illegal(&format!("move {US_A} 1202 strategic"), "11.1");
    t.put(US_A, "1202");
    t.illegal(&format!("move {US_A} 1203 strategic"), "12.1");
    t.illegal(&format!("move {US_CAV} 1202 strategic"), "12.2"); // stacked
    t.put(FOOT, "1108");
    t.illegal(&format!("move {US_CAV} 1215 strategic"), "12.2");
    t.mark(US_CAV, Flags::OOS);
    t.illegal(&format!("move {US_CAV} 1203 strategic"), "23.4");
}

// rule: 12.61, 12.62
#[test]
fn trucks_are_loaded_one_phase_and_drive_the_next() {
    let map = clear(
        "road.primary = [[\"1201\", \"1202\", \"1203\", \"1204\", \"1205\", \"1206\", \"1207\", \"1208\"]]\n",
    );
    let mut t = Table::new(&map, Side::Allied);
    t.put(US_A, "1201");
    t.put(US_B, "1303");
    t.illegal(&format!("move {US_A} 1208 truck"), "12.61");
    t.play(&format!("load {US_A}"), &[]);
    assert!(t.s.unit(t.unit(US_A)).is(Flags::TRUCK));
    t.illegal(&format!("move {US_A} 1202"), "11.1");
    t.illegal(&format!("load {US_B}"), "12.61"); // no road
}

// rule: 11.1, 24.2
#[test]
fn enemy_traffic_markers_cost_two_points() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put(FOOT, "1212");
    t.s.traffic[Side::Allied.index()][0] = MarkerAt(t.hex("1213"));
    t.s.traffic[Side::German.index()][0] = MarkerAt(t.hex("1211"));
    t.s.renew_stamp();
    assert_eq!(t.cost(FOOT, "1213", Mode::Normal), Some(12));
    assert_eq!(t.cost(FOOT, "1211", Mode::Normal), Some(4));
    assert_eq!(t.cost(FOOT, "1213", Mode::Tactical), Some(4), "Tactical Movement ignores it (11.3)");
}

// rule: 16.5, 18.2, 23.4
#[test]
fn engaged_disrupted_and_oos_units() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put(US_A, "1210");
    t.put(FOOT, "1213");
    t.mark(FOOT, Flags::ENGAGED);
    t.illegal(&format!("move {FOOT} 1214"), "16.5");
    t.put(PZG, "1313");
    t.mark(PZG, Flags::OOS);
    t.illegal(&format!("move {PZG} 1314"), "23.4");
    t.legal(&format!("move {PZG} 1314 tactical"));
    t.put(PANTHER, "1211");
    t.mark(PANTHER, Flags::DISRUPTED);
    t.illegal(&format!("move {PANTHER} 1212"), "18.2");
    t.illegal(&format!("move {PANTHER} 1110 tactical"), "18.2"); // into an EZOC
    t.illegal("done", "18.2"); // it must leave the EZOC
    t.play(&format!("move {PANTHER} 1212 tactical"), &[]);
    t.legal("done");
}

// rule: 15.8
#[test]
fn improved_positions_take_two_phases() {
    let map = clear("terrain.village = [\"1214\"]\n");
    let mut t = Table::new(&map, Side::German);
    t.put(FOOT, "1212");
    t.put(PANTHER, "1213");
    t.put(PZG, "1214");
    t.illegal(&format!("dig {PANTHER}"), "15.8");
    t.illegal(&format!("dig {PZG}"), "15.8");
    t.play(&format!("dig {FOOT}"), &[]);
    t.illegal(&format!("move {FOOT} 1211"), "11.1");
    t.illegal(&format!("finish {FOOT}"), "15.8");
    assert!(t.s.digging.contains(t.hex("1212")));
}

// rule: 22.1, 22.2, 22.3
#[test]
fn artillery_shifts_one_hex_or_is_towed() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put("de-4-vw", "1212");
    t.legal("move de-4-vw 1213");
    t.illegal("move de-4-vw 1213 1214", "22.2");
    t.legal("move de-4-vw 1213 1214 prime_mover");
    let mut t = Table::new(CLEAR, Side::Allied);
    t.put("us-v-187-arty", "1212");
    t.play("move us-v-187-arty 1213", &[]);
    assert!(!t.s.unit(t.unit("us-v-187-arty")).is(Flags::FIRED), "one hex: stays Ready (22.2)");
    let mut t = Table::new(CLEAR, Side::Allied);
    t.put("us-v-187-arty", "1212");
    t.play("move us-v-187-arty 1213 1214", &[]);
    assert!(t.s.unit(t.unit("us-v-187-arty")).is(Flags::FIRED), "more than one hex: Fired (22.1)");
}

// rule: 25.33, 25.34, 25.35
#[test]
fn night_markers() {
    let mut t = Table::new(CLEAR, Side::German);
    t.put(FOOT, "1212");
    t.illegal(&format!("night {FOOT}"), "25.33"); // an AM turn
    t.s.turn = 6;
    t.s.renew_stamp();
    t.play(&format!("night {FOOT}"), &[]);
    t.legal(&format!("move {FOOT} 1213"));
    t.illegal(&format!("move {FOOT} 1213 1214"), "25.35");
    t.illegal(&format!("move {FOOT} 1213 tactical"), "25.35");
    t.put(PZG, "1313");
    t.mark(PZG, Flags::OOS);
    t.illegal(&format!("night {PZG}"), "25.34");
}

// rule: 10.3 (1st edition), 11.2 (1st edition)
#[test]
fn first_edition_bonds_and_extended_movement() {
    let map = clear("terrain.wooded_rough = [\"1212\", \"1413\"]\n");
    let mut t = Table::of(Edition::First, &map, Side::German);
    t.put(US_A, "1212");
    t.put(US_B, "1413");
    t.put(FOOT, "1311");
    // 2nd edition: two Wooded Rough hexsides break it; 1st: only a Wooded Rough middle hex does.
    t.illegal(&format!("move {FOOT} 1312"), "10.2");
    let mut t = Table::new(&map, Side::German);
    t.put(US_A, "1212");
    t.put(US_B, "1413");
    t.put(FOOT, "1311");
    t.legal(&format!("move {FOOT} 1312"));
}
