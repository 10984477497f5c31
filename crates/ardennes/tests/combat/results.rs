//! Combat results (16), Recon (21.4), Fire Fight and Determined Defense.

use UnitType::{ArmorNato, FootInfantry, Recon, SilhouetteTank};
use ardennes::{
    flags::Flags,
    frame::Frame,
    pack::{Morale, Side, UnitType},
    play::seat,
};
use kernel::Rules as _;

use crate::table::{Spec, Table, allied, first, german, second};

fn foot(factors: &str) -> Spec {
    german("A", FootInfantry, "1415", factors).reduced(3, 3, 1)
}

fn fight(map: &str, units: Vec<Spec>, dice: &[u8], attack: &str) -> Table {
    let mut t = second(map, Side::German, units).open(dice);
    t.act("done").act(attack);
    t
}

// rule: 16.1
#[test]
fn a1_and_ex() {
    // 1-1, die 6: A1.
    let units = vec![foot("4-4-3"), allied("C", FootInfantry, "1414", "4-4-3")];
    let t = fight("", units, &[6], "attack 1414 with A");
    assert!(t.flags("A").any(Flags::REDUCED) && !t.flags("C").any(Flags::ENGAGED));
    // 1-1, die 2: EX; the survivors of the defense are Engaged, not Disrupted.
    let units = vec![foot("4-4-3"), allied("C", FootInfantry, "1414", "4-4-3").reduced(2, 2, 1)];
    let t = fight("", units, &[2], "attack 1414 with A");
    assert!(t.flags("A").any(Flags::REDUCED) && t.flags("C").any(Flags::REDUCED));
    assert!(t.flags("C").any(Flags::ENGAGED) && !t.flags("C").any(Flags::DISRUPTED));
    // Against a single step the hex is emptied: a Limited Advance.
    let units = vec![foot("4-4-3"), allied("C", FootInfantry, "1414", "4-4-3")];
    let t = fight("", units, &[2], "attack 1414 with A");
    assert!(!t.alive("C"));
    assert_eq!(t.top(), Frame::Advance);
    assert_eq!(t.options(), ["advance A 1414", "stay"]); // rule: 19.1
}

// rule: 16.3
#[test]
fn the_armor_shift_pays_in_an_ex() {
    let units = vec![
        foot("4-4-3").of("2pz"),
        german("B", FootInfantry, "1415", "1-4-3").of("2pz"),
        german("T", SilhouetteTank, "1415", "3-3-6").of("2pz").tq(4, false).reduced(1, 1, 0),
        allied("C", FootInfantry, "1414", "4-8-3").reduced(2, 2, 1),
    ];
    // 8 to 8 with the Armor Shift: 2-1, die 3: EX. Only the tank may take the loss.
    let t = fight("", units, &[3], "attack 1414 with A B T");
    assert!(t.flags("T").any(Flags::REDUCED) && !t.flags("A").any(Flags::REDUCED));
}

// rule: 16.3
#[test]
fn the_owner_chooses_who_loses() {
    let units = vec![
        foot("4-4-3"),
        german("B", FootInfantry, "1415", "4-4-3").reduced(2, 2, 1),
        allied("C", FootInfantry, "1414", "8-8-3"),
    ];
    let mut t = fight("", units, &[6], "attack 1414 with A B");
    assert_eq!(t.top(), Frame::Loss(Side::German));
    assert_eq!(t.options(), ["lose A", "lose B"]);
    assert_eq!(t.refused("lose C"), "16.3");
    t.act("lose B");
    assert!(t.flags("B").any(Flags::REDUCED));
}

// rule: 16.4
#[test]
fn large_units_leave_a_remnant() {
    let pool = crate::table::game().pack().pools.iter().position(|p| p.id == "us_infantry").expect("shipped");
    let large = |s: Spec| {
        s.reduced(4, 4, 2).is(Flags::REDUCED).with(|d| d.remnant = Some(ardennes::pack::PoolId(pool as u8)))
    };
    let units = || vec![foot("8-4-3"), large(allied("C", FootInfantry, "1414", "6-6-3"))];
    // 8 to 4 is 2-1; die 3: EX.
    let t = fight("", units(), &[3], "attack 1414 with A");
    // Nobody is asked.
    assert!(!t.alive("C"));
    let hex = t.hex("1414");
    let left = t.s.stack(hex).next().expect("the Remnant stands in the hex");
    assert!(t.rules.counter(left).remnant_counter && t.s.unit(left).is(Flags::ENGAGED));
}

// rule: 16.2
#[test]
fn a_fire_fight_is_led() {
    let units = |morale| {
        vec![foot("4-4-3").morale(morale), allied("C", FootInfantry, "1414", "4-4-3").reduced(2, 2, 1)]
    };
    // 1-1, die 1: FF.
    let mut t = fight("", units(Morale::Veteran), &[1], "attack 1414 with A");
    assert_eq!(t.options(), ["engage", "press lead A"]);
    t.act("engage");
    assert!(t.flags("C").any(Flags::ENGAGED));
    // 5: Eng+ and the marker.
    let mut t = fight("", units(Morale::Veteran), &[1, 5], "attack 1414 with A");
    t.act("press lead A");
    assert!(t.flags("C").any(Flags::ENGAGED));
    assert_eq!(t.s.advantages.len(), 1); // rule: 16.6
    // Green: 5 + 1 is A1/Eng, and the Lead Unit takes the loss.
    let mut t = fight("", units(Morale::Green), &[1, 5], "attack 1414 with A");
    t.act("press lead A");
    assert!(t.flags("A").any(Flags::REDUCED) && t.s.advantages.is_empty());
    // Elite: 2 - 1 is D1: a step, then the defender may stand.
    let mut t = fight("", units(Morale::Elite), &[1, 2], "attack 1414 with A");
    t.act("press lead A");
    assert!(t.flags("C").any(Flags::REDUCED));
    assert_eq!(t.top(), Frame::DeterminedDefense);
}

/// The decision aids look at this combat only. It is the only one possible, so that the rest of the phase would follow
/// by itself.
// rule: 16.2
#[test]
fn the_chances_of_the_last_attack_end_with_it() {
    let units = vec![foot("4-4-3"), allied("C", FootInfantry, "1414", "4-4-3").reduced(2, 2, 1)];
    let t = fight("", units, &[1], "attack 1414 with A");
    assert_eq!(t.top(), Frame::FireFight);
    let brief = t.rules.brief(&t.s, seat(Side::German));
    let answer = |action: &str| brief.answers.iter().find(|answer| answer.action == action).expect("listed");
    // No modifier, and neither side loses anything by Eng.
    assert_eq!(answer("engage").values, ["", "0%", "0%", "0%"]);
    assert_eq!(answer("press lead A").values.len(), 4);
    assert_ne!(answer("press lead A").values[1..], answer("engage").values[1..]);
}

// rule: 16.2
#[test]
fn an_elite_lead_against_tanks_must_be_a_tank() {
    let units = || {
        vec![
            german("A", FootInfantry, "1415", "4-4-3").morale(Morale::Elite).reduced(2, 2, 1),
            german("T", SilhouetteTank, "1413", "4-4-6").morale(Morale::Elite).tq(3, false).reduced(2, 2, 0),
            allied("E", SilhouetteTank, "1414", "4-8-6").tq(3, false),
        ]
    };
    // 8 to 8, die 1: FF. Die 5: Eng+ for the infantry, A1/DR2 (4) for the tank.
    let mut t = fight("", units(), &[1, 5], "attack 1414 with A T");
    t.act("press lead A");
    assert!(t.flags("E").any(Flags::ENGAGED));
    let mut t = fight("", units(), &[1, 5], "attack 1414 with A T");
    t.act("press lead T");
    assert!(t.flags("T").any(Flags::REDUCED) && t.top() == Frame::DeterminedDefense);
}

// rule: 16.2 (1E)
#[test]
fn fire_fight_modifiers_of_the_first_edition() {
    let units = vec![
        allied("CCR", ArmorNato, "1415", "8-4-6").tq(3, false).morale(Morale::Elite),
        german("T", SilhouetteTank, "1414", "4-8-6").tq(3, false),
    ];
    let mut t = first("", Side::Allied, units).open(&[1, 6]);
    t.act("done").act("attack 1414 with CCR").act("press lead CCR");
    // 6 - 1 (Elite) - 1 (its Tank Quality is not exceeded): 4 is A1/DR2.
    assert!(!t.alive("CCR"));
}

// rule: 16.6
#[test]
fn the_advantage_shifts_the_next_attack_once() {
    let units = vec![foot("4-4-3"), allied("C", FootInfantry, "1414", "4-4-3").reduced(2, 2, 1)];
    let mut t = fight("", units, &[1, 5], "attack 1414 with A");
    t.act("press lead A");
    assert_eq!(t.column("attack 1414 with A"), "2-1");
    let marker = t.s.advantages[0];
    assert_eq!((marker.side, marker.target), (Side::German, t.hex("1414")));
}

// rule: 16.72
#[test]
fn determined_defense_at_clervaux() {
    let units = || {
        vec![
            german("A", FootInfantry, "1415", "24-6-3").reduced(9, 3, 1),
            allied("I", FootInfantry, "1414", "2-2-3"),
            allied("T", SilhouetteTank, "1414", "4-3-6").tq(3, false).reduced(2, 1, 0),
        ]
    };
    let town = r#"terrain.town = ["1414"]"#;
    // 24 to 8 is 3-1, the tanks and infantry shift to 2-1; die 1: DR2. Then 4 - 3: Yes (-1 step).
    let mut t = fight(town, units(), &[1, 4], "attack 1414 with A");
    assert_eq!(t.options(), ["give way", "stand lead I", "stand lead T"]);
    t.act("stand lead T");
    assert!(t.flags("T").any(Flags::REDUCED) && t.flags("T").any(Flags::ENGAGED));
    assert_eq!(t.at("T").as_deref(), Some("1414"));
    assert!(!t.flags("I").any(Flags::DISRUPTED));
    // 3 - 3: Yes (EX): the attacker loses a step as well.
    let mut t = fight(town, units(), &[1, 3], "attack 1414 with A");
    t.act("stand lead T");
    assert!(t.flags("A").any(Flags::REDUCED) && t.flags("T").any(Flags::REDUCED));
    // 6 - 3: No.
    let mut t = fight(town, units(), &[1, 6], "attack 1414 with A");
    t.act("stand lead T");
    assert_eq!(t.top(), Frame::Retreat);
}

// rule: 16.71
#[test]
fn who_may_stand() {
    let units = vec![
        german("A", FootInfantry, "1415", "24-6-3"),
        allied("I", FootInfantry, "1414", "2-4-3").is(Flags::DISRUPTED),
        allied("J", FootInfantry, "1414", "2-4-3"),
    ];
    // 3-1, a shift for the disrupted: 4-1; die 3: DR2.
    let mut t = fight("", units, &[3], "attack 1414 with A");
    assert_eq!(t.refused("stand lead I"), "16.71");
    assert_eq!(t.options(), ["give way", "stand lead J"]);
    t.act("give way");
    assert_eq!(t.top(), Frame::Retreat);
    // All units Disrupted: nobody is asked.
    let units = vec![
        german("A", FootInfantry, "1415", "24-6-3"),
        allied("I", FootInfantry, "1414", "2-8-3").is(Flags::DISRUPTED),
    ];
    let t = fight("", units, &[3], "attack 1414 with A");
    assert_eq!(t.top(), Frame::Retreat);
}

// rule: 16.74
#[test]
fn a_one_step_defender_lost_in_his_stand_gives_a_limited_advance() {
    let units = vec![german("A", FootInfantry, "1415", "18-6-3"), allied("C", FootInfantry, "1414", "4-4-3")];
    // 18 to 7 is 2-1, die 1: DR2; 5 - 3: Yes (-1 step), which is its last.
    let mut t = fight(r#"terrain.town = ["1414"]"#, units, &[1, 5], "attack 1414 with A");
    t.act("stand lead C");
    assert!(!t.alive("C"));
    assert_eq!(t.options(), ["advance A 1414", "stay"]);
}

// rule: 16.7 (1E)
#[test]
fn the_first_edition_stands_only_in_cover_and_may_counterattack() {
    let units = || {
        vec![
            german("A", FootInfantry, "1415", "12-4-3").reduced(3, 3, 1),
            allied("I", FootInfantry, "1414", "2-2-3").reduced(1, 1, 1).morale(Morale::Elite),
        ]
    };
    let open = |map: &str, dice: &[u8]| {
        let mut t = first(map, Side::German, units()).open(dice);
        t.act("done").act("attack 1414 with A");
        t
    };
    // In the open: 12 to 2 is 6-1; die 5: DR2, and nobody is asked.
    assert_eq!(open("", &[5]).top(), Frame::Retreat);
    // In a Village: 12 to 4 is 3-1; die 2: DR2. Die 1 - 1 (Elite): CA.
    let mut t = open(r#"terrain.village = ["1414"]"#, &[2, 1, 3]);
    t.act("stand lead I");
    assert_eq!(t.top(), Frame::Retreat);
    let first_way = t.options()[0].clone();
    t.act(&first_way);
    assert!(!t.flags("I").any(Flags::DISRUPTED));
    assert_eq!(t.top(), Frame::Advance);
    t.act("advance A 1414");
    assert_eq!(t.top(), Frame::Counterattack);
    assert!(t.allied_decides());
    t.act("attack 1414 with I");
    // 2 to 6 (the Village counts for the Germans too) is 1-3; die 3: A1/Eng: the battalion takes the loss.
    assert!(t.flags("I").any(Flags::REDUCED) && t.flags("A").any(Flags::ENGAGED));
}

// rule: 21.4
#[test]
fn recon_slips_away() {
    let units = || {
        vec![
            german("A", FootInfantry, "1415", "12-4-3"),
            allied("R", Recon, "1414", "2-2-7").reduced(1, 1, 1),
        ]
    };
    // 6-1, die 1: D1*.
    let mut t = fight("", units(), &[1], "attack 1414 with A");
    assert_eq!(t.top(), Frame::Recon);
    t.act("slip away");
    assert!(!t.flags("R").any(Flags::REDUCED));
    assert_eq!(t.top(), Frame::Retreat);
    assert_eq!(t.s.combat.retreat, 4);
    assert!(t.s.combat.breakthrough_allowed, "the attacker keeps his Breakthrough Combat");
    // Not in an Improved Position: 12 to 4 is 3-1 then; 36 to 4 is 9-1.
    let units = vec![
        german("A", FootInfantry, "1415", "36-4-3"),
        allied("R", Recon, "1414", "2-2-7").reduced(1, 1, 1),
    ];
    let mut t = second("", Side::German, units).open(&[1]);
    let hex = t.hex("1414");
    t.s.improved.insert(hex);
    t.act("done").act("attack 1414 with A");
    assert!(t.flags("R").any(Flags::REDUCED));
}

// rule: 16.6
// rule: 13.8
#[test]
fn an_advantage_marker_of_units_off_the_map_is_reported_without_a_hex() {
    use kernel::Rules as _;
    let t = fight(
        "",
        vec![foot("4-4-3"), allied("C", FootInfantry, "1414", "4-4-3")],
        &[6],
        "attack 1414 with A",
    );
    let mut s = t.s;
    let target = t.hex("1414");
    s.advantages.add(ardennes::state::Advantage {
        side: ardennes::pack::Side::German,
        from: hexgrid::HexId::NONE,
        target,
        units: ardennes::list::List::new(),
    });
    let at = |view: kernel::View| {
        view.markers.iter().find(|m| m.kind == "attackers_advantage").map(|m| m.at.clone())
    };
    assert_eq!(at(t.rules.view(&s, kernel::Viewer::Referee)).as_deref(), Some(t.rules.label(target)));
    let gone = ardennes::event::Event::AdvantageGone { from: None, target };
    let mut lines = Vec::new();
    t.rules.report(&s, &kernel::log::Event::Game(gone), &mut lines);
    assert_eq!(lines.len(), 1);
}
