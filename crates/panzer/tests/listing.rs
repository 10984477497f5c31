//! Lists computed by shortcuts equal what the rules allow when every action is checked.

use hexgrid::HexId;
use kernel::{Dice, Log, Rules as _, Setup, erased::random_action};
use panzer::{
    PanzerNorthAfrica,
    action::{Action, CallOrder, Subject},
    deployment::Stance,
    frame::Frame,
    game,
    indirect::{Area, Areas, Source},
    pack::{
        Side,
        advanced::{HindranceKind, Sheaf},
    },
    play::{seat, side},
    rules::Panzer,
    state::{Command, State},
    units::{UnitId, UnitSet},
};
use rand_core::SeedableRng;

/// Every call of one source that the rules allow, each checked as a whole.
fn calls(rules: &Panzer, s: &State, observer: UnitId) -> Vec<String> {
    let side = rules.vehicle(observer).side;
    let mut points: Vec<HexId> =
        rules.units_of(side.enemy()).iter().filter_map(|unit| s.unit(*unit).hex.some()).collect();
    points.sort();
    points.dedup();
    let batteries = (0..32).map(Source::Battery);
    let guns = rules.units_of(side).iter().filter_map(|unit| rules.source_of(*unit));
    let sources: Vec<Source> = batteries.chain(guns).collect();
    let mut found = Vec::new();
    for point in points.iter().copied() {
        for source in &sources {
            let sheafs: &[Sheaf] = match source {
                Source::Battery(_) => &[Sheaf::Closed, Sheaf::Open],
                Source::Unit { .. } => &[Sheaf::Closed],
            };
            for (sheaf, smoke) in sheafs.iter().flat_map(|sheaf| [(*sheaf, false), (*sheaf, true)]) {
                let sources = [*source].into_iter().collect();
                let order = CallOrder { sources, sheaf, smoke, ..CallOrder::new(observer, point) };
                let action = Action::Call(order);
                if rules.verdict(s, seat(side), &action).is_legal() {
                    found.push(rules.notate(s, &action));
                }
            }
        }
    }
    // 6.5.1.8.2: the running mission, with all its sources, on a target or once more on the same point.
    for m in s.indirect.missions.iter().filter(|m| m.observer == observer && !m.planned) {
        let there = points.iter().filter(|point| **point != m.point).chain([&m.point]);
        for point in there {
            let action = Action::Call(CallOrder {
                sources: m.sources.clone(),
                sheaf: m.sheaf,
                direction: m.direction,
                smoke: m.smoke,
                light: m.light,
                adjusts: m.id,
                ..CallOrder::new(observer, *point)
            });
            if rules.verdict(s, seat(side), &action).is_legal() {
                found.push(rules.notate(s, &action));
            }
        }
    }
    found.sort();
    found
}

/// The groups that may be given each Command, each checked as a whole.
fn groups(rules: &Panzer, s: &State, unit: UnitId) -> Vec<(UnitSet, Command)> {
    let mut found = Vec::new();
    for command in [Command::Move, Command::Overwatch, Command::Fire] {
        let units = rules.usual_group(s, unit, command);
        if units.len() > 1 && rules.may_share(s, units, command).is_ok() {
            found.push((units, command));
        }
    }
    found
}

#[test]
fn calls_and_shared_commands_are_listed_as_the_rules_have_them() {
    let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
    let (mut called, mut adjusted, mut shared) = (0, 0, 0);
    for (seed, scenario) in ["el-guettar", "tebaga-gap"].into_iter().enumerate() {
        let setup = Setup { scenario: scenario.into(), ..Setup::default() };
        let rules = game.rules(&setup).expect("it is shipped");
        let mut state = game::start(&rules).expect("it opens");
        let mut dice = Dice::from_number(seed as u64);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed as u64);
        let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
        for step in 0..3_000 {
            let Some(asked) = rules.pending(&state).first() else { break };
            let mine = rules.units_of(side(asked));
            let frame = state.top();
            if matches!(frame, Frame::Indirect(_)) {
                for unit in mine {
                    let mut listed = Vec::new();
                    rules.options(&state, asked, Subject::Unit(*unit), &mut listed);
                    let mut listed: Vec<_> =
                        listed.iter().map(|action| rules.notate(&state, action)).collect();
                    listed.sort();
                    assert_eq!(listed, calls(&rules, &state, *unit), "{scenario}, decision {step}");
                    called += listed.len();
                    adjusted += listed.iter().filter(|text| text.starts_with("adjust")).count();
                }
            }
            if frame == Frame::Commands && step % 7 == 0 {
                for unit in mine {
                    let mut listed = Vec::new();
                    rules.options(&state, asked, Subject::Unit(*unit), &mut listed);
                    let share = |action: &Action| match action {
                        Action::Share { units, command } => Some((*units, *command)),
                        _ => None,
                    };
                    let listed: Vec<_> = listed.iter().filter_map(share).collect();
                    assert_eq!(listed, groups(&rules, &state, *unit), "{scenario}, decision {step}");
                    shared += listed.len();
                }
            }
            let action = random_action(&rules, &state, asked, &mut rng, &mut subjects, &mut actions)
                .expect("somebody who is asked can answer");
            log.clear();
            rules.apply(&mut state, asked, &action, &mut dice, &mut log).expect("listed options are legal");
            dice.forget();
        }
    }
    assert!(
        called > 50 && adjusted > 5 && shared > 50,
        "{called} calls, {adjusted} adjusted, {shared} shared Commands"
    );
}

#[test]
fn covered_hexes_are_those_of_the_areas() {
    let plain = |areas: &Areas, hex: HexId| areas.iter().any(|area| area.hexes.contains(&hex));
    let same = |areas: &Areas| (0..12).map(HexId).all(|hex| areas.cover(hex) == plain(areas, hex));
    let mut areas = Areas::default();
    areas.push(Area::dust(HexId(3)));
    areas.push(Area::smoke_in(HexId(5)));
    areas.push(Area::smoke_in(HexId(3)));
    areas.extend(1, &[HexId(5), HexId(8)]);
    assert!(same(&areas) && areas.cover(HexId(8)));
    areas.retain(|area| area.kind == HindranceKind::Dust || area.hexes.len() > 1);
    assert!(same(&areas) && areas.cover(HexId(3)));
    areas.retain(|area| area.kind != HindranceKind::Dust);
    assert!(same(&areas) && !areas.cover(HexId(3)));
    let text = serde_json::to_string(&areas).expect("it can be written");
    assert_eq!(serde_json::from_str::<Areas>(&text).expect("it can be read"), areas);
}

/// rule: 2.0. Each ready-made deployment puts every unit of the side into its area, one to a hex, however often it is chosen; and
/// the two differ from each other where the area has cover.
#[test]
fn ready_made_deployments_stay_in_the_area() {
    let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
    let mut areas = 0;
    let mut differ = 0;
    for scenario in
        ["chouigui", "nibeiwa", "beda-fomm", "gazala", "sidi-rezegh", "alam-halfa", "outpost-snipe"]
    {
        let setup = Setup { scenario: scenario.into(), ..Setup::default() };
        let rules = game.rules(&setup).expect("it is a scenario of the pack");
        let mut dice = Dice::from_number(7);
        let mut log = Log::default();
        for of in Side::ALL {
            let mut made: Vec<Vec<HexId>> = Vec::new();
            for stance in Stance::ALL {
                let mut state = game::start(&rules).expect("it opens");
                // The other side may set up first.
                while state.top() == Frame::SetUp(of.enemy()) {
                    rules
                        .apply(&mut state, seat(of.enemy()), &Action::Done, &mut dice, &mut log)
                        .expect("it is done");
                }
                let action = Action::DeployAs(stance);
                if state.top() != Frame::SetUp(of) || !rules.verdict(&state, seat(of), &action).is_legal() {
                    continue;
                }
                for _ in 0..2 {
                    rules.apply(&mut state, seat(of), &action, &mut dice, &mut log).expect("it is offered");
                }
                let placed = |unit: &&UnitId| state.unit(**unit).on_map() && !state.unit(**unit).passenger();
                let units: Vec<UnitId> = rules.units_of(of).iter().filter(placed).copied().collect();
                let hexes: Vec<HexId> = units.iter().map(|unit| state.unit(*unit).hex).collect();
                for (unit, hex) in units.iter().zip(&hexes) {
                    let facing = state.unit(*unit).facing.opposite();
                    let place = Action::Place { unit: *unit, hex: *hex, facing };
                    assert!(
                        rules.verdict(&state, seat(of), &place).is_legal(),
                        "{scenario}: {} in its area",
                        rules.notate(&state, &place)
                    );
                }
                let mut each = hexes.clone();
                each.sort();
                each.dedup();
                assert_eq!(each.len(), hexes.len(), "{scenario}: one to a hex");
                let text = rules.notate(&state, &action);
                assert_eq!(rules.parse(&state, seat(of), &text).expect("it is read again"), action);
                made.push(hexes);
            }
            if let [forward, cover] = &made[..] {
                areas += 1;
                differ += usize::from(forward != cover);
            }
        }
    }
    assert!(areas >= 10 && differ >= areas - 2, "{differ} of {areas} areas");
}
