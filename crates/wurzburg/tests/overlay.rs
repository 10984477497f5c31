//! Overlays that correct the pack: counters, tables, scenarios and the map.

use kernel::{Game, Setup};
use wurzburg::AirAndArmor;

const OVERLAY: &str = r#"
[[type]]
id = "us-m1"
attack = 10

[operations]
march.mp = 7

[[scenario]]
id = "first-contact"
minutes = 25

[map.terrain]
light_woods = ["2010"]
"#;

fn setup(overlay: &str) -> Setup {
    Setup {
        game: "wurzburg".into(),
        scenario: "first-contact".into(),
        overlay: Some(overlay.into()),
        ..Setup::default()
    }
}

#[test]
fn a_table_is_played_with_the_corrections() {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    let shipped = game.rules(&Setup { overlay: None, ..setup("") }).expect("it is known");
    let rules = game.rules(&setup(OVERLAY)).expect("it fits");
    let attack = |rules: &wurzburg::Wurzburg| {
        let kind = rules.pack.find_type("us-m1").expect("it is in the pack");
        rules.pack.unit_type(kind).attack
    };
    assert_ne!(attack(&shipped), attack(&rules));
    assert_eq!((shipped.scenario.minutes, rules.scenario.minutes), (20, 25));
    let hex = rules.map.hex("2010").expect("it is on the map");
    assert_ne!(shipped.field.terrain(hex), rules.field.terrain(hex));

    let changes = game.overlay_changes(OVERLAY).expect("it fits");
    for change in [
        "type us-m1: attack 9 -> 10",
        "operations: march.mp 6 -> 7",
        "scenario first-contact: minutes 20 -> 25",
    ] {
        assert!(changes.iter().any(|line| line == change), "{change}: {changes:?}");
    }
    assert_eq!(changes.len(), 4, "{changes:?}");
    assert!(game.open(&setup(OVERLAY)).is_ok());
}

#[test]
fn what_does_not_fit_is_refused_with_the_reason() {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    for (overlay, why) in [
        ("[[type]]\nid = \"us-m9\"\nattack = 1\n", "type us-m9: is not in the pack"),
        ("[[type]]\nid = \"us-m1\"\natack = 1\n", "types.toml: unknown field `atack`"),
        ("[[pool]]\nid = \"68gmrr\"\nformation = \"nobody\"\n", "nobody"),
        ("[[scenario]]\nid = \"first-contact\"\nturns = 3\n", "one for each turn"),
        ("[map.terrain]\nlight_woods = [\"9999\"]\n", "9999"),
        ("[nothing]\nx = 1\n", "nothing: the pack has no such list or table"),
    ] {
        let error = game.open(&setup(overlay)).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains(why), "{overlay}: {error:?}");
    }
}
