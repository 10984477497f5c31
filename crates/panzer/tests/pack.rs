//! Checks of the shipped pack: cards, tables, boards and scenarios.

use kernel::catalog::{Catalog, LANGUAGES};
use panzer::field::Field;
use panzer::los::Los;
use panzer::pack::{Nation, Pack, words};

fn pack() -> &'static Pack {
    Pack::embedded().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_pack_is_sound() {
    let findings: Vec<String> = pack().check().iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

// rule: 1.6
#[test]
fn cards_of_four_nations() {
    let pack = pack();
    assert!(pack.cards.len() >= 60);
    for nation in Nation::ALL {
        assert!(pack.cards.iter().filter(|c| c.nation == nation).count() >= 8, "{nation:?}");
    }
    // 4.5.1.1.1, 4.4.3.2.2, 4.4.3.2.5, 3.5.2: the Panzerjäger I as the rules quote it.
    let pj = pack.card("panzerjaeger_i").unwrap();
    assert_eq!((pj.movement.cross_country, pj.movement.path, pj.movement.road), (4, 6, 9));
    assert_eq!((pj.size, pj.armor), (-1, [3, 2]));
    let ap = pj.mounts[0].ap.unwrap();
    assert_eq!((ap.range[4], ap.range[2], ap.penetration[2]), (14, 9, 10));
    assert!(pj.is_known("basic_armor.front") && !pj.is_known("points"));
}

// rule: 4.4.3.2.3
#[test]
fn known_cells_of_the_tables() {
    let t = &pack().tables;
    let hit = |net: i8, factor: usize| t.ap_hit[(5 - net) as usize][factor];
    assert_eq!(
        [hit(-2, 1), hit(-6, 0), hit(-7, 1), hit(-5, 1), hit(-7, 0), hit(-4, 1)],
        [56, 36, 21, 35, 27, 42]
    );
    assert_eq!([hit(0, 0), hit(0, 1), hit(0, 2), hit(0, 3), hit(0, 4), hit(-10, 4)], [90, 70, 50, 30, 10, 0]);
    // 4.1.3: rows +1, 0 and -2.
    assert_eq!([t.spotting[1], t.spotting[2], t.spotting[4]], [30, 20, 7]);
}

// rule: 1.2
#[test]
fn boards_join_in_every_way() {
    let pack = pack();
    assert!(pack.boards.len() >= 6);
    let numbers: Vec<u16> = pack.boards.iter().map(|(n, _)| *n).collect();
    for (i, &a) in numbers.iter().enumerate() {
        let b = numbers[(i + 1) % numbers.len()];
        for turned in [[false, false], [true, false], [false, true], [true, true]] {
            for second in [[1, 0], [0, 1]] {
                let place = |number, at, turned| panzer::pack::BoardPlace { number, at, turned };
                let places = [place(a, [0, 0], turned[0]), place(b, second, turned[1])];
                let map = pack.lay("test", &places, &[]).unwrap();
                let field = Field::from_map(&map).unwrap();
                // Every hex keeps the label of its own board; the shared ones have two.
                let shared = format!("{b}{}", if turned[1] == (second == [1, 0]) { "GG8" } else { "A8" });
                assert!(second == [0, 1] || field.find(&shared).is_some_and(|h| !field.board.is_edge(h)));
                assert_eq!(map.validate(), [], "{a} {b} {turned:?} {second:?}");
            }
        }
    }
}

// rule: 1.3
#[test]
fn overlays_turn_with_their_direction() {
    let pack = pack();
    let one = [panzer::pack::BoardPlace { number: 1, at: [0, 0], turned: false }];
    for d in 1..=6 {
        let place = format!("W1 1P5({d})").parse().unwrap();
        let map = pack.lay("test", &one, &[place]).unwrap();
        let field = Field::from_map(&map).unwrap();
        let gullies = field.hexes().filter(|h| field.terrain(*h) == panzer::field::Terrain::Gully).count();
        assert_eq!(gullies, 5, "direction {d}");
        let at = field.find("1P5").unwrap();
        let way = hexgrid::Direction::from_index(d - 1);
        assert_eq!(field.terrain(field.neighbour(at, way).unwrap()), panzer::field::Terrain::Gully);
    }
    assert!("LG2 34O4(7)".parse::<panzer::pack::OverlayPlace>().is_err());
}

#[test]
fn meeting_engagements_are_the_same_again() {
    let pack = pack();
    for id in [
        "meeting",
        "meeting-1940",
        "meeting-1942-300-7",
        "meeting-italian-british-1941-200-12",
        "meeting-german-american-1943-900-3",
    ] {
        let a = pack.scenario_for(id).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(a, pack.scenario_for(id).unwrap());
        let (_, field) = pack.field(&a).unwrap();
        for side in [panzer::pack::Side::Axis, panzer::pack::Side::Allied] {
            let cost: u32 = a
                .units
                .iter()
                .filter(|u| u.side == side)
                .map(|u| u32::from(pack.card(&u.card).unwrap().points))
                .sum();
            let points = if id.contains("900") {
                900
            } else if id.contains("300") {
                300
            } else if id.contains("200") {
                200
            } else {
                250
            };
            assert!(cost <= points && cost + 60 > points, "{id}: {side:?} {cost}");
        }
        for u in &a.units {
            let panzer::pack::Start::At { hex, .. } = &u.start else { panic!() };
            assert!(field.find(hex).is_some(), "{id} {hex}");
        }
    }
    assert_ne!(
        pack.scenario_for("meeting-1942-300-7").unwrap().units,
        pack.scenario_for("meeting-1942-300-8").unwrap().units
    );
    for bad in
        ["meeting-1939", "meeting-german-italian-1941", "meeting-1942-5", "meeting-1942-300-7-9", "nowhere"]
    {
        assert!(pack.scenario_for(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_words_agree_in_three_languages() {
    let catalogs =
        LANGUAGES.map(|l| (l, Catalog::parse(words(l).unwrap(), l).unwrap_or_else(|e| panic!("{e}"))));
    assert_eq!(Catalog::compare(&catalogs.each_ref().map(|(l, c)| (*l, c))), []);
    let en = &catalogs[0].1;
    for s in &pack().scenarios {
        assert!(en.text(&format!("scenario.{}.name", s.id)).is_some(), "{}", s.id);
        assert!(en.text(&format!("scenario.{}.history", s.id)).is_some(), "{}", s.id);
        for o in &s.objectives {
            assert!(en.text(&format!("objective.{}", o.id)).is_some(), "{}", o.id);
        }
    }
}

// rule: 4.1.4
#[test]
fn every_scenario_has_sight() {
    let pack = pack();
    for s in pack.scenarios.iter().take(2) {
        let (_, field) = pack.field(s).unwrap();
        let los = Los::new(&field, &pack.tables);
        let hex = field.find(&format!("{}Q8", s.boards[0].number)).unwrap();
        let seen = los.visible_from(hex);
        assert!(seen.len() > 50 && seen.len() < field.count(), "{}: {}", s.id, seen.len());
        for other in seen {
            assert!(los.between(other, hex).clear);
        }
    }
}
