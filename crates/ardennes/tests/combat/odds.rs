//! The strength of an attack (14.3–15, 21, 34), on small maps.

use UnitType::{ArmorNato, Artillery, Flak, FootInfantry, MechInfantry, Recon, SilhouetteTank};
use ardennes::{
    combat::strength::{Cap, Halving, ShiftCause},
    flags::Flags,
    options::Options,
    pack::{Side, Tag, UnitType},
};

use crate::table::{Setting, Spec, allied, first, german, second};

fn causes(sheet: &ardennes::combat::strength::Sheet) -> Vec<(ShiftCause, i8)> {
    sheet.shifts.iter().map(|shift| (shift.cause, shift.columns)).collect()
}

// rule: 14.4
#[test]
fn odds_drop_the_remainder() {
    let t = second(
        "",
        Side::German,
        vec![german("A", FootInfantry, "1415", "15-6-3"), allied("C", FootInfantry, "1414", "6-4-3")],
    )
    .position();
    assert_eq!(t.column("attack 1414 with A"), "3-1");
    // G-13: 4 against 9 is 1-3, rounded against the attacker.
    let t = second(
        "",
        Side::German,
        vec![german("A", FootInfantry, "1415", "4-6-3"), allied("C", FootInfantry, "1414", "6-9-3")],
    )
    .position();
    assert_eq!(t.column("attack 1414 with A"), "1-3");
}

// rule: 14.5
#[test]
fn shifts_come_before_the_ends_of_the_table() {
    let units = |attack: &str, flags| {
        vec![german("A", FootInfantry, "1415", attack).is(flags), allied("C", FootInfantry, "1414", "6-4-3")]
    };
    let t = second("", Side::German, units("36-6-3", Flags::OOS)).position();
    let sheet = t.sheet("attack 1414 with A");
    assert_eq!(causes(&sheet), [(ShiftCause::AttackerOos, -1)]); // rule: 23.4
    assert_eq!(t.column("attack 1414 with A"), "7-1");
    assert_eq!(
        second("", Side::German, units("1-6-3", Flags::OOS)).position().column("attack 1414 with A"),
        "1-3"
    );
}

// rule: 15.1
#[test]
fn the_bonus_and_its_caps() {
    let town = r#"terrain.town = ["1414"]"#;
    let city = r#"terrain.city = ["1414"]"#;
    let defense = |map: &str, defenders: Vec<Spec>| {
        let mut units = vec![german("A", FootInfantry, "1415", "6-6-3")];
        units.extend(defenders);
        let t = second(map, Side::German, units).position();
        let sheet = t.sheet("attack 1414 with A");
        (sheet.defense, sheet.bonus.cap)
    };
    assert_eq!(defense(town, vec![allied("C", FootInfantry, "1414", "6-6-3")]), (9, None));
    assert_eq!(defense(city, vec![allied("C", FootInfantry, "1414", "2-2-3")]), (4, Some(Cap::Defense)));
    let tank = || allied("T", SilhouetteTank, "1414", "4-3-6");
    assert_eq!(defense(city, vec![tank()]), (4, Some(Cap::SilhouettesOnly)));
    // With infantry the tank is no longer alone.
    assert_eq!(defense(city, vec![tank(), allied("C", FootInfantry, "1414", "2-2-3")]), (9, None));
    let parentheses = |s: Spec| s.with(|d| d.defense_mark = ardennes::pack::DefenseMark::Parentheses);
    assert_eq!(
        defense(town, vec![parentheses(allied("C", FootInfantry, "1414", "2-4-3"))]),
        (4, Some(Cap::NobodyEligible))
    );
    // G-45: the cap is the DF of all units.
    let pair = vec![
        parentheses(allied("C", FootInfantry, "1414", "2-4-3")),
        allied("D", FootInfantry, "1414", "1-1-3"),
    ];
    assert_eq!(defense(town, pair), (8, None));
    // rule: 22.9
    assert_eq!(defense(town, vec![allied("G", Artillery, "1414", "1-2-6")]), (2, Some(Cap::NobodyEligible)));
    // rule: 12.5
    let marching = allied("C", FootInfantry, "1414", "6-6-3").is(Flags::TRUCK);
    assert_eq!(defense(town, vec![marching]), (6, Some(Cap::NobodyEligible)));
}

// rule: 15.1 (1E)
#[test]
fn the_first_edition_has_no_cap_by_defense() {
    let units = vec![german("A", FootInfantry, "1415", "6-6-3"), allied("E", FootInfantry, "1414", "1-1-3")];
    let t = first(r#"terrain.town = ["1414"]"#, Side::German, units).position();
    assert_eq!(t.sheet("attack 1414 with A").defense, 4);
}

// rule: 15.8
#[test]
fn an_improved_position_counts_instead_of_the_terrain() {
    let strength_of = |kind, factors| {
        let units = vec![german("A", FootInfantry, "1415", "6-6-3"), allied("C", kind, "1414", factors)];
        let mut t = second(r#"terrain.forest = ["1414"]"#, Side::German, units).position();
        let hex = t.hex("1414");
        t.s.improved.insert(hex);
        t.sheet("attack 1414 with A").defense
    };
    assert_eq!(strength_of(FootInfantry, "6-6-3"), 8);
    assert_eq!(strength_of(SilhouetteTank, "4-3-6"), 4);
}

// rule: 15.7
#[test]
fn the_west_wall_serves_the_germans() {
    let map = r#"terrain.west_wall = ["1414"]
road.primary = [["1413", "1414", "1415"]]"#;
    let t = second(
        map,
        Side::Allied,
        vec![
            allied("A", FootInfantry, "1415", "6-6-3"),
            allied("T", SilhouetteTank, "1413", "5-3-6"),
            german("C", FootInfantry, "1414", "4-4-3"),
        ],
    )
    .position();
    let sheet = t.sheet("attack 1414 with A T");
    assert_eq!(sheet.defense, 7);
    // G-14: Allied vehicles are halved although they come by road.
    assert_eq!(sheet.attackers[1].halved, Some(Halving::WestWall));
    assert_eq!(sheet.attack, 6 + 3);
    // Allied defenders get no bonus from it.
    let t = second(
        map,
        Side::German,
        vec![german("A", FootInfantry, "1415", "6-6-3"), allied("C", FootInfantry, "1414", "4-4-3")],
    )
    .position();
    assert_eq!(t.sheet("attack 1414 with A").defense, 4);
}

// rule: 15.7 (1E)
#[test]
fn the_first_edition_halves_silhouettes_and_recon_at_the_west_wall() {
    let t = first(
        "terrain.west_wall = [\"1414\"]\nroad.primary = [[\"1413\", \"1414\", \"1415\"]]",
        Side::Allied,
        vec![
            allied("N", ArmorNato, "1415", "6-6-6"),
            allied("R", Recon, "1413", "5-3-7"),
            german("C", FootInfantry, "1414", "4-4-3"),
        ],
    )
    .position();
    let sheet = t.sheet("attack 1414 with N R");
    assert_eq!((sheet.attackers[0].halved, sheet.attackers[1].halved), (None, Some(Halving::WestWall)));
}

// rule: 15.2
#[test]
fn each_unit_is_halved_for_itself_and_rounded_up() {
    let t = second(
        "river = [\"1414/1415\", \"1414/1413\"]",
        Side::German,
        vec![
            german("A", FootInfantry, "1415", "5-6-3"),
            german("B", FootInfantry, "1413", "5-6-3"),
            allied("C", FootInfantry, "1414", "4-4-3"),
        ],
    )
    .position();
    assert_eq!(t.sheet("attack 1414 with A B").attack, 6);
}

// rule: 15.3
#[test]
fn a_bridge_does_not_spare_the_river() {
    let t = second(
        "river = [\"1414/1415\"]\nbridge = { \"1414/1415\" = \"intact\" }\nroad.primary = [[\"1415\", \"1414\"]]",
        Side::German,
        vec![
            german("T", SilhouetteTank, "1415", "6-3-6").tq(4, false),
            allied("C", FootInfantry, "1414", "4-4-3"),
        ],
    )
    .position();
    let sheet = t.sheet("attack 1414 with T");
    assert_eq!(sheet.attackers[0].halved, Some(Halving::River));
    // rule: 21.3: but the tank gives its Armor Shift across it.
    assert_eq!(sheet.armor_shift, Some(Side::German));
}

// rule: 15.4
#[test]
fn vehicles_are_halved_where_they_could_not_drive() {
    let map = r#"terrain.forest = ["1414"]
road.primary = [["1413", "1414"]]"#;
    let t = second(
        map,
        Side::German,
        vec![
            german("T", SilhouetteTank, "1415", "5-3-6"),
            german("U", SilhouetteTank, "1413", "5-3-6"),
            german("P", MechInfantry, "1314", "5-4-5"),
            allied("C", FootInfantry, "1414", "4-4-3"),
        ],
    )
    .position();
    let sheet = t.sheet("attack 1414 with T U P");
    let halved: Vec<_> = sheet.attackers.iter().map(|line| line.halved).collect();
    assert_eq!(halved, [Some(Halving::Vehicle), None, None]);
}

// rule: 15.5
#[test]
fn out_of_wooded_rough_everybody_is_halved_and_into_it_nobody_on_foot() {
    let map = r#"terrain.wooded_rough = ["1414", "1415"]"#;
    let t = second(
        map,
        Side::German,
        vec![
            german("A", FootInfantry, "1415", "5-6-3"),
            german("P", MechInfantry, "1413", "5-4-5"),
            german("T", SilhouetteTank, "1314", "5-3-6"),
            allied("C", FootInfantry, "1414", "4-4-3"),
        ],
    )
    .position();
    let sheet = t.sheet("attack 1414 with A P T");
    let halved: Vec<_> = sheet.attackers.iter().map(|line| line.halved).collect();
    assert_eq!(halved, [Some(Halving::OutOfWoodedRough), None, Some(Halving::Vehicle)]);
}

// rule: 15.5
#[test]
fn a_bridge_site_into_wooded_rough_halves_and_a_bare_river_does_not() {
    let map = r#"terrain.wooded_rough = ["1414"]
river = ["1414/1415", "1414/1413"]
bridge = { "1414/1415" = "blown" }
road.primary = [["1415", "1414"]]"#;
    let t = second(
        map,
        Side::German,
        vec![
            german("A", FootInfantry, "1415", "5-6-3"),
            german("B", FootInfantry, "1413", "5-6-3"),
            allied("C", FootInfantry, "1414", "4-4-3"),
        ],
    )
    .position();
    let sheet = t.sheet("attack 1414 with A B");
    assert_eq!(sheet.attackers[0].halved, Some(Halving::BridgeIntoWoodedRough));
    assert_eq!(sheet.attackers[1].halved, None); // G-51
}

// rule: 27.4
#[test]
fn black_boxed_factors_double_against_houses() {
    let tags = |d: &mut ardennes::pack::UnitDef| d.tags = d.tags.with(Tag::BlackBoxAttack);
    let attack_with = |map: &str| {
        let units = vec![
            german("S", SilhouetteTank, "1415", "4-2-5").with(tags),
            allied("C", FootInfantry, "1414", "4-4-3"),
        ];
        second(map, Side::German, units).position().sheet("attack 1414 with S").attack
    };
    assert_eq!(attack_with(""), 4);
    assert_eq!(attack_with(r#"terrain.village = ["1414"]"#), 8);
}

// rule: 34
#[test]
fn fifteen_factors_count() {
    let units = vec![
        german("A", FootInfantry, "1415", "12-6-3"),
        german("B", FootInfantry, "1413", "12-6-3"),
        allied("C", FootInfantry, "1414", "6-6-3"),
    ];
    let options = Options { fifteen_factors: true, ..Options::default() };
    let t = Setting { options, ..second("", Side::German, units) }.position();
    assert_eq!(t.sheet("attack 1414 with A B").attack, 15);
    assert_eq!(t.column("attack 1414 with A B"), "2-1");
}

fn armor(map: &str, units: Vec<Spec>, attack: &str) -> Option<Side> {
    second(map, Side::German, units).position().sheet(attack).armor_shift
}

// rule: 21.1
#[test]
fn the_better_tank_has_the_armor_shift() {
    let tank = |quality| german("T", SilhouetteTank, "1415", "5-3-6").tq(quality, false);
    let enemy = |quality| allied("E", SilhouetteTank, "1414", "4-3-6").tq(quality, false);
    let attack = "attack 1414 with T";
    assert_eq!(armor("", vec![tank(4), enemy(3)], attack), Some(Side::German));
    assert_eq!(armor("", vec![tank(3), enemy(3)], attack), None);
    assert_eq!(armor("", vec![tank(3), enemy(4)], attack), None);
    let infantry = || allied("C", FootInfantry, "1414", "4-4-3");
    assert_eq!(armor("", vec![tank(1), infantry()], attack), Some(Side::German));
    // rule: 21.2: a red rating attacks with one less and defends in full; FLAK denies, and gains nothing.
    let red = |quality| german("T", SilhouetteTank, "1415", "5-3-6").tq(quality, true);
    assert_eq!(armor("", vec![red(4), enemy(3)], attack), None);
    assert_eq!(armor("", vec![red(5), enemy(3)], attack), Some(Side::German));
    let red_enemy = allied("E", SilhouetteTank, "1414", "4-3-6").tq(4, true);
    assert_eq!(armor("", vec![tank(4), red_enemy], attack), None);
    let flak = german("T", Flak, "1415", "2-2-5").tq(5, true);
    assert_eq!(armor("", vec![flak, infantry()], attack), None);
}

// rule: 21.1
#[test]
fn tanks_with_infantry_shift_for_the_defender() {
    let foot = || german("A", FootInfantry, "1415", "6-6-3");
    let tank = || allied("E", SilhouetteTank, "1414", "4-3-6").tq(3, false);
    let infantry = || allied("C", FootInfantry, "1414", "4-4-3");
    let attack = "attack 1414 with A";
    assert_eq!(armor("", vec![foot(), tank(), infantry()], attack), Some(Side::Allied));
    assert_eq!(armor("", vec![foot(), tank()], attack), None);
    let command = allied("CC", ArmorNato, "1414", "9-6-6")
        .tq(3, false)
        .with(|d| d.tags = d.tags.with(Tag::TankAndInfantry));
    assert_eq!(armor("", vec![foot(), command], attack), Some(Side::Allied));
    // rule: 21.3
    assert_eq!(armor(r#"terrain.city = ["1414"]"#, vec![foot(), tank(), infantry()], attack), None);
    assert_eq!(armor(r#"terrain.forest = ["1414"]"#, vec![foot(), tank(), infantry()], attack), None);
    // 17.5: a unit that only retreated there does not count.
    let fled = tank().is(Flags::RETREATED | Flags::DISRUPTED);
    assert_eq!(armor("", vec![foot(), fled, infantry()], attack), None);
}

// rule: 21.3
#[test]
fn no_armor_shift_where_the_tank_cannot_drive() {
    let units = || {
        vec![
            german("T", SilhouetteTank, "1415", "5-3-6").tq(4, false),
            allied("C", FootInfantry, "1414", "4-4-3"),
        ]
    };
    assert_eq!(armor("river = [\"1414/1415\"]", units(), "attack 1414 with T"), None);
    // From Wooded Rough along a road: halved, but the shift applies.
    let road = "terrain.wooded_rough = [\"1415\"]\nroad.primary = [[\"1415\", \"1414\"]]";
    assert_eq!(armor(road, units(), "attack 1414 with T"), Some(Side::German));
}

// rule: 21.1 (1E)
#[test]
fn armor_shifts_of_the_first_edition() {
    let tank = german("T", SilhouetteTank, "1415", "5-3-6").tq(4, true);
    let t = first("", Side::German, vec![tank, allied("C", FootInfantry, "1414", "4-4-3")]).position();
    assert_eq!(t.sheet("attack 1414 with T").armor_shift, None, "red ratings serve only the defense");
    let units =
        vec![german("A", FootInfantry, "1415", "6-6-3"), allied("R", Recon, "1414", "2-2-7").tq(2, false)];
    let t = first("", Side::German, units).position();
    assert_eq!(t.sheet("attack 1414 with A").armor_shift, Some(Side::Allied), "recon with TQ is both");
}

// rule: 15.9
#[test]
fn the_other_shifts() {
    let t = second(
        "",
        Side::German,
        vec![
            german("A", FootInfantry, "1415", "6-6-3"),
            german("G", Artillery, "1416", "1-2-1").with(|d| d.range = 5),
            german("H", Artillery, "1417", "1-2-1").with(|d| d.range = 5),
            allied("C", FootInfantry, "1414", "4-4-3").is(Flags::DISRUPTED),
            allied("D", FootInfantry, "1414", "2-2-3").is(Flags::STRATEGIC),
        ],
    )
    .position();
    let found = causes(&t.sheet("attack 1414 with A artillery G H air"));
    assert_eq!(
        found,
        [
            (ShiftCause::ArtilleryAttacker, 2), // rule: 22.7
            (ShiftCause::DefenderDisrupted, 1), // rule: 18.2
            (ShiftCause::DefenderStrategic, 1), // rule: 12.5
            (ShiftCause::AirSupport, 1),        // rule: 15.6
        ]
    );
    // 23.4: OOS defenders: nothing in the 2nd edition, one column in the 1st if all are.
    let units = |s: fn(Spec) -> Spec| {
        vec![german("A", FootInfantry, "1415", "6-6-3"), s(allied("C", FootInfantry, "1414", "4-4-3"))]
    };
    let oos: fn(Spec) -> Spec = |s| s.is(Flags::OOS);
    assert_eq!(causes(&second("", Side::German, units(oos)).position().sheet("attack 1414 with A")), []);
    assert_eq!(
        causes(&first("", Side::German, units(oos)).position().sheet("attack 1414 with A")),
        [(ShiftCause::DefenderOos, 1)]
    );
}
