//! Overlays that correct the pack: cards, tables, boards and scenarios.

use kernel::{Game, Setup};
use panzer::PanzerNorthAfrica;

const OVERLAY: &str = r#"
[[towed]]
id = "pak40"
points = 99

[["cards/advanced/vehicles.toml".vehicle]]
id = "pz_ivg"
crew = 4

[ap_hit]
overwatch = -2

["tables/advanced/command.toml"]
command_range.hexes = [3, 1, 1, 0, 0]

["boards/8-djebel.toml".terrain]
light_grove = []

[[scenario]]
id = "longstop"
turns = 14
"#;

fn setup(overlay: &str) -> Setup {
    Setup {
        game: "panzer".into(),
        scenario: "longstop".into(),
        overlay: Some(overlay.into()),
        ..Setup::default()
    }
}

#[test]
fn a_table_is_played_with_the_corrections() {
    let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
    let shipped = game.rules(&Setup { overlay: None, ..setup("") }).expect("it is known");
    let rules = game.rules(&setup(OVERLAY)).expect("it fits");
    let of = |rules: &panzer::Panzer| {
        let advanced = &rules.pack.advanced;
        let gun = advanced.towed.iter().find(|card| card.id == "pak40").expect("it is in the pack");
        let tank = advanced.vehicles.iter().find(|card| card.base.id == "pz_ivg").expect("it is in the pack");
        (gun.points, tank.crew, rules.pack.tables.modifiers.overwatch, rules.scenario.turns)
    };
    let (before, after) = (of(&shipped), of(&rules));
    assert_eq!((before.1, before.2, before.3), (5, -1, 16));
    assert_eq!(after, (99, 4, -2, 14));

    let changes = game.overlay_changes(OVERLAY).expect("it fits");
    for change in [
        "vehicle pz_ivg: crew 5 -> 4",
        "ap_hit: overwatch -1 -> -2",
        "tables/advanced/command.toml: command_range.hexes [2, 1, 1, 0, 0] -> [3, 1, 1, 0, 0]",
        "scenario longstop: turns 16 -> 14",
    ] {
        assert!(changes.iter().any(|line| line == change), "{change}: {changes:?}");
    }
    assert!(game.open(&setup(OVERLAY)).is_ok());
    assert_eq!(of(&game.rules(&Setup { overlay: None, ..setup("") }).expect("it is known")), before);
}

#[test]
fn what_does_not_fit_is_refused_with_the_reason() {
    let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
    for (overlay, why) in [
        ("[[towed]]\nid = \"pak99\"\npoints = 1\n", "towed pak99: is not in the pack"),
        ("[[towed]]\nid = \"pak40\"\npoints = \"many\"\n", "towed.toml: invalid type"),
        ("[[vehicle]]\nid = \"pz_ivg\"\ncrew = 4\n", "say which"),
        ("[[scenario]]\nid = \"longstop\"\nboards = [{ number = 99, at = [0, 0] }]\n", "99"),
        ("[nothing]\nx = 1\n", "nothing: the pack has no such list or table"),
    ] {
        let error = game.open(&setup(overlay)).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains(why), "{overlay}: {error:?}");
    }
}
