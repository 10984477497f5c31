//! Reinforcements, Off-Map Boxes and Blocking Positions (13), exiting the map (11.9), and restrictions on the first
//! turns (11.10, 27, 29), on the campaign's map.

mod common;

use ardennes::{
    flags::Flags,
    pack::{EntryId, Side},
    place::Place,
    state::BridgeIs,
};
use common::Table;

const CLEAR: &str = "[map]\nrows = [1, 20]\ncolumns = [1, 20]\ndefault = \"clear\"\n";

// rule: 13.1
#[test]
fn a_reinforcement_enters_or_goes_to_its_box_or_blocking_position() {
    let mut t = Table::campaign(3, Side::Allied);
    t.legal("move us-4-8-2 E1601");
    t.legal("move us-4-8-2 E2001");
    t.illegal("move us-4-8-2 E2501", "13.1");
    t.legal("send us-4-8-2 southeast");
    t.illegal("send us-4-8-2 west", "13.1");
    t.legal("block us-4-8-2 at A");
    t.illegal("block us-4-8-2 at F", "13.5");
    t.play("send us-4-8-2 southeast", &[]);
    t.illegal("move us-4-8-2 E1601", "11.1");
}

// rule: 13.4, 13.5, 13.6
#[test]
fn germans_on_an_entry_hex_close_the_sector_until_it_is_blocked() {
    let mut t = Table::campaign(3, Side::Allied);
    t.put("de-26vg-77", "E1601");
    t.illegal("move us-4-8-2 E2001", "13.4");
    let guard = t.unit("us-1-26");
    t.rules.put(&mut t.s, guard, Place::Blocking(EntryId(0)));
    t.legal("move us-4-8-2 E2001");
    t.legal("send us-1-26 southeast"); // 13.6
    t.illegal("send us-1-26 west", "13.6");
    t.illegal("move us-1-26 E1601", "13"); // an enemy is there
    let box_unit = t.unit("us-803-td");
    t.rules.put(&mut t.s, box_unit, Place::Box(ardennes::pack::BoxId(0)));
    t.legal("send us-803-td southwest"); // 13.5, the only occupied Entry Hex is blocked
}

// rule: 13.2
#[test]
fn engineers_are_placed_in_a_town_and_make_a_tactical_move() {
    let mut t = Table::campaign(3, Side::Allied);
    t.legal("place us-291-eng E2432");
    t.illegal("place us-291-eng E2433", "13.2");
    t.play("place us-291-eng E2432", &[]);
    t.illegal("place us-44-eng E2432", "13.2");
    t.illegal("move us-291-eng E2433", "13.2");
}

// rule: 13.3
#[test]
fn artillery_arrives_fired() {
    let t = Table::campaign(4, Side::Allied);
    assert!(t.s.unit(t.unit("us-v-190-arty")).is(Flags::FIRED));
}

// rule: 11.9
#[test]
fn leaving_the_map() {
    let mut t = Table::campaign(5, Side::Allied);
    t.put("us-18-cav", "E2541");
    t.play("move us-18-cav out", &[]);
    assert!(matches!(t.s.unit(t.unit("us-18-cav")).place(), Place::Box(_)));
    t.put("us-32-cav", "E2535");
    t.illegal("move us-32-cav out", "11.9");
    t.put("us-28-110-1", "E2641");
    t.mark("us-28-110-1", Flags::DISRUPTED);
    t.illegal("move us-28-110-1 out tactical", "11.9");

    let mut t = Table::campaign(5, Side::German);
    t.put("de-2pz-i-3-pz", "W3234");
    t.play("move de-2pz-i-3-pz out", &[]);
    assert_eq!(t.s.unit(t.unit("de-2pz-i-3-pz")).place(), Place::Antwerp);
    assert!(t.s.exited_attack > 0 && t.s.entries_lost != 0);
    t.put("de-2pz-304-pzg", "E2541");
    t.illegal("move de-2pz-304-pzg out", "11.9");
}

// rule: 11.10
#[test]
fn army_boundaries_bind_before_turn_5() {
    let mut t = Table::campaign(3, Side::German);
    t.put("de-2pz-304-pzg", "E1827");
    t.illegal("move de-2pz-304-pzg E1828 tactical", "11.10");
    let mut t = Table::campaign(5, Side::German);
    t.put("de-2pz-304-pzg", "E1827");
    if let Err(refusal) = t.verdict("move de-2pz-304-pzg E1828 tactical") {
        assert!(!refusal.cites("11.10"), "{refusal:?}");
    }
}

// rule: 29.1, 29.3
#[test]
fn turn_one_binds_red_codes_and_divisions() {
    let t = Table::campaign(1, Side::German);
    let rules = &t.rules;
    let red = rules.units_of(Side::German).find(|u| rules.counter(*u).red_code).expect("there are red codes");
    assert!(rules.may_move(&t.s, Side::German, red).is_err_and(|bar| bar.rule == "29.1"));
    // No unit can reach the Rear Zone or another division's area.
    let free = rules.units_of(Side::German).filter(|u| rules.may_move(&t.s, Side::German, *u).is_ok());
    for unit in free.filter(|u| t.s.unit(*u).hex().is_some()) {
        let start = t.s.unit(unit).hex().expect("filtered");
        for p in rules.modes(&t.s, Side::German, unit) {
            ardennes::movement::reach::with_reach(rules, &t.s, &p, |reach| {
                reach.each(&p, |hex, _| {
                    let rear = rules.land.rear_zone.contains(hex) && !rules.land.rear_zone.contains(start);
                    assert!(!rear, "{} reaches {}", rules.unit_id(unit), rules.label(hex));
                });
            });
        }
    }
}

// rule: 27.2
#[test]
fn von_der_heydte_drops_and_rolls() {
    let t = Table::campaign(3, Side::German);
    t.illegal("drop de-von-der-heydte E2432", "27.2"); // a Town
    let zone = t
        .rules
        .land
        .in_play
        .iter()
        .find(|hex| t.rules.drop_bar(&t.s, Side::German, *hex).is_none())
        .expect("there is open ground");
    let drop = format!("drop de-von-der-heydte {}", t.rules.label(zone));
    for (die, dead, reduced) in [(1, false, false), (3, false, true), (6, true, false)] {
        let mut t = Table::campaign(3, Side::German);
        t.play(&drop, &[die]);
        let unit = t.s.unit(t.unit("de-von-der-heydte"));
        assert_eq!(unit.hex().is_none(), dead);
        assert_eq!(unit.is(Flags::REDUCED), reduced);
    }
}

// rule: 27.8.2, 27.8.1
#[test]
fn the_150th_panzer_brigade_infiltrates_until_exposed() {
    let mut t = Table::new(CLEAR, Side::German);
    let id = t
        .rules
        .units_of(Side::German)
        .find(|u| t.rules.counter(*u).has(ardennes::pack::Tag::Brigade150))
        .map(|u| t.rules.unit_id(u))
        .expect("the brigade is in the pack");
    t.put("us-28-110-1", "1212");
    t.put("de-26vg-77", "0303");
    t.put(&id, "1214");
    t.s.turn = 11; // frozen ground: points are left after each hex
    t.s.renew_stamp();
    t.play(&format!("move {id} 1213"), &[]);
    t.play("infiltrate", &[3]);
    t.illegal("move de-26vg-77 0304", "11.1"); // its move is not over
    t.play(&format!("move {id} 1112"), &[]);
    t.play("infiltrate", &[4]);
    assert_eq!(t.at(&id), "1112");
    assert!(t.s.unit(t.unit(&id)).is(Flags::EXPOSED));
    t.illegal(&format!("move {id} 1111"), "11.1");
}

// rule: 7.8
#[test]
fn the_ouren_bridge_is_rolled_for_once() {
    for (die, across) in [(6, true), (2, false)] {
        let mut t = Table::campaign(5, Side::German);
        let [a, b] = t.rules.land.bridges[t.rules.land.ouren.expect("it is on the map") as usize];
        let (a, b) = (t.rules.label(a).to_owned(), t.rules.label(b).to_owned());
        // Nothing is in the way: neither a stack nor a ZOC nor a Bond.
        let there: Vec<_> = t.s.stack(t.hex(&b)).chain(t.s.stack(t.hex(&a))).collect();
        let allied: Vec<_> = t.rules.on_map(&t.s, Side::Allied).collect();
        for unit in there.into_iter().chain(allied) {
            t.rules.take_off(&mut t.s, unit, Place::Dead);
        }
        t.put("de-2pz-2-rcn", &a);
        t.play(&format!("move de-2pz-2-rcn {b} tactical"), &[die]);
        assert!(t.s.ouren_rolled);
        let bridge = t.s.bridge(t.rules.land.ouren.expect("checked above") as usize).is();
        assert_eq!(bridge == BridgeIs::Intact, across);
        assert_eq!(t.at("de-2pz-2-rcn") == b, across);
    }
}

/// What the overlay of reinforcements says for a side.
fn arrivals(t: &Table, side: &str) -> serde_json::Value {
    use kernel::Rules as _;
    t.rules.ask(&t.s, kernel::Viewer::Referee, &format!("arrivals {side}")).expect("it is answered")
}

/// All units that the overlay lists, with turn and hexes.
fn told(answer: &serde_json::Value) -> Vec<(String, u64, Vec<String>)> {
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let list = |value: &serde_json::Value| value.as_array().expect("a list").clone();
    list(&answer["arrivals"])
        .iter()
        .flat_map(|group| {
            let turn = group["turn"].as_u64().expect("a turn");
            let hexes: Vec<String> = list(&group["hexes"]).iter().map(text).collect();
            list(&group["units"]).iter().map(|unit| (text(unit), turn, hexes.clone())).collect::<Vec<_>>()
        })
        .collect()
}

// rule: 13.1
#[test]
fn the_overlay_tells_who_comes_when_and_where() {
    let t = Table::campaign(3, Side::Allied);
    let answer = arrivals(&t, "allied");
    let all = told(&answer);
    let one = |id: &str| all.iter().find(|(unit, ..)| unit == id).unwrap_or_else(|| panic!("no {id}"));
    let (_, turn, hexes) = one("us-4-8-2");
    assert_eq!((*turn, hexes.contains(&"E1601".to_owned())), (3, true), "it is due now: {hexes:?}");
    // Every unit on the track or due is listed once, in the order of the turns, and may really enter there.
    let waiting: Vec<_> = t
        .rules
        .units_of(Side::Allied)
        .filter(|u| matches!(t.s.unit(*u).place(), Place::Due | Place::Track | Place::Box(_)))
        .filter(|u| t.rules.arrival_turn(*u) <= t.rules.scenario.last_turn)
        .collect();
    assert_eq!(all.len(), waiting.len());
    assert!(all.windows(2).all(|pair| pair[0].1 <= pair[1].1), "next turns first");
    for (unit, turn, hexes) in all.iter().filter(|(_, turn, _)| *turn == 3) {
        assert_eq!(*turn, 3);
        for hex in hexes {
            assert!(t.rules.is_entry_for(&t.s, t.unit(unit), t.hex(hex)), "{unit} comes in at {hex}");
        }
    }
    // What the map shows: the Entry Hexes with the turn's code and the number of arriving units.
    let overlay: kernel::view::Overlay =
        serde_json::from_value(answer["overlay"].clone()).expect("it paints");
    let [area] = overlay.areas.as_slice() else { panic!("all are open: {:?}", overlay.areas) };
    let at = area.cells.iter().position(|cell| cell == "E1601").expect("it is painted");
    let here =
        all.iter().filter(|(_, turn, hexes)| *turn == 3 && hexes.contains(&"E1601".to_owned())).count();
    assert!(area.texts[at].starts_with(&format!("17 AM ×{here}")), "{}", area.texts[at]);
    assert_eq!(area.cells.len(), area.texts.len());
    // The other side is listed as well.
    assert!(told(&arrivals(&t, "german")).iter().all(|(unit, ..)| unit.starts_with("de-")));
}

// rule: 13.4
#[test]
fn the_overlay_shows_closed_entry_hexes() {
    let mut t = Table::campaign(3, Side::Allied);
    t.put("de-26vg-77", "E1601");
    let answer = arrivals(&t, "allied");
    let closed = answer["closed"].as_array().expect("a list");
    let at = |hex: &str| closed.iter().find(|c| c["hex"] == hex).map(|c| c["rule"].clone());
    assert_eq!(at("E1601"), Some("13.4".into()), "an enemy stands there");
    assert_eq!(at("E2001"), Some("13.4".into()), "the sector is not blocked");
    assert_eq!(at("E3001"), None);
    let overlay: kernel::view::Overlay =
        serde_json::from_value(answer["overlay"].clone()).expect("it paints");
    let shut = overlay.areas.iter().find(|area| area.tone == kernel::view::Tone::Bad).expect("closed ones");
    assert!(shut.cells.contains(&"E1601".to_owned()));
}

// rule: 13.5, 31.2
#[test]
fn the_overlay_knows_boxes_and_the_west_edge() {
    let mut t = Table::campaign(3, Side::Allied);
    let unit = t.unit("us-803-td");
    t.rules.put(&mut t.s, unit, Place::Box(ardennes::pack::BoxId(0)));
    let all = told(&arrivals(&t, "allied"));
    let (_, turn, hexes) = all.iter().find(|(id, ..)| id == "us-803-td").expect("it can come on");
    assert_eq!(*turn, 3);
    assert!(hexes.contains(&"E1601".to_owned()) && hexes.contains(&"E2001".to_owned()), "{hexes:?}");

    // The airborne divisions arrive on the turn of 31.2, at the west edge of the East map.
    let game = ardennes::Ardennes44::new().expect("the shipped pack and map are sound");
    let setup = kernel::Setup { scenario: "six_turn".into(), ..kernel::Setup::default() };
    let rules = game.rules(&setup).expect("it is shipped");
    let s = ardennes::setup::start(&rules);
    let t = Table { rules, s };
    let answer = arrivals(&t, "allied");
    let airborne: Vec<_> =
        told(&answer).into_iter().filter(|(unit, ..)| unit.starts_with("us-101-")).collect();
    assert!(!airborne.is_empty());
    for (unit, turn, hexes) in airborne {
        assert_eq!(turn, 6, "{unit}");
        let edge = hexes.iter().filter(|hex| t.rules.land.west_edge.contains(t.hex(hex))).count();
        assert!(edge > 3 && edge + 1 >= hexes.len(), "{hexes:?}");
    }
    // One hex of the west edge stands for all of them.
    let overlay: kernel::view::Overlay =
        serde_json::from_value(answer["overlay"].clone()).expect("it paints");
    let area = &overlay.areas[0];
    assert!(area.texts.iter().filter(|text| !text.is_empty()).count() < area.cells.len());
    // The turn track shows the same turn.
    let view = kernel::Rules::view(&t.rules, &t.s, kernel::Viewer::Referee);
    let track = view.panels.iter().find(|panel| panel.id == "track").expect("there is one");
    let row = track
        .rows
        .iter()
        .find(|row| row.pieces.iter().any(|id| id.starts_with("us-101-")))
        .expect("they come");
    let turns = track.rows.iter().take_while(|other| *other != row).filter(|row| row.value.is_some()).count();
    assert!(turns >= 5, "on the sixth turn, not the printed one");
}
