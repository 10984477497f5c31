//! Decision aids shown before a question is answered (`kernel::Brief`): chances of a combat from here on, how many
//! markers remain, where a retreat ends.

use hexgrid::HexId;
use kernel::{
    Brief, BriefAnswer, Message,
    brief::percent,
    view::{Chance, Tone},
};

use crate::{
    action::{Action, Path},
    artillery_supply, bridges,
    combat::{determined, fire_fight, strength},
    explain,
    frame::Frame,
    notation,
    odds::{self, Policy},
    pack::UnitId,
    play::{Cx, seat},
    rules::Ardennes,
    state::State,
    supply, traffic,
};

pub fn brief(cx: &Cx) -> Brief {
    match cx.frame {
        Frame::BlowBridge
        | Frame::CallOff
        | Frame::AttackSupport
        | Frame::Support
        | Frame::FireFight
        | Frame::Recon
        | Frame::Loss(_)
        | Frame::DeterminedDefense => fight(cx),
        Frame::Retreat | Frame::RetreatOn(_) | Frame::DisengageRetreat => retreats(cx),
        Frame::ReadyArtillery { .. } => ready_artillery(cx),
        Frame::Bridges => demolitions(cx),
        Frame::Disengage => disengagements(cx),
        Frame::PlaceMarkers | Frame::TrafficBeforePlay => markers(cx),
        Frame::Replacements { left, .. } => {
            let mut brief = Brief::default();
            brief.fact(Message::new("brief.steps_left"), left.to_string(), "25.21");
            brief
        }
        Frame::Infiltrate | Frame::SpendFuel { .. } => {
            let answers = kernel::brief::by_dice(cx.rules, cx.s, seat(cx.side), |_| 0.0);
            Brief { answers, ..Brief::default() }
        }
        _ => Brief::default(),
    }
}

/// A question during a combat: the current column, and how each answer changes the combat.
fn fight(cx: &Cx) -> Brief {
    let (rules, s) = (cx.rules, cx.s);
    let combat = &s.combat;
    let attacks = cx.side == combat.attacker;
    let mut brief = Brief::default();
    let begun = combat.result.is_some();
    if !begun && !combat.dump && !combat.attackers.is_empty() {
        let sheet = strength::sheet(rules, s, &combat.attack());
        let column = rules.tables().crt.columns[sheet.column(rules.tables(), combat.rolled_shift)];
        let written = format!("{}-{}", column.attack, column.defense);
        brief.fact(Message::new("brief.column_now"), written, "14.5");
    } else if let Some(result) = combat.result {
        brief.fact(Message::new("brief.result_now"), odds::name(result), "16.1");
    }
    if cx.frame == Frame::Support {
        let table = &rules.tables().defensive_artillery;
        for face in 1..=6 {
            let fire = table.get(cx.side, face);
            let label = Message::new("brief.fire_die").number("die", face);
            let value = if fire.tot { "TOT".to_owned() } else { left_shift(fire.shifts_left) };
            brief.fact(label, value, "22.8");
        }
        merge_equal(&mut brief);
    }
    let modified = matches!(cx.frame, Frame::FireFight | Frame::DeterminedDefense);
    if modified {
        brief.columns.push(Message::new("brief.modifier"));
    }
    let heads = ["brief.falls", "brief.attacker_loses", "brief.defender_loses"];
    brief.columns.extend(heads.map(Message::new));
    let policy = Policy::default();
    // 14.4: the defender must not learn the support that the attacker plans.
    let mut known = *s;
    if !attacks {
        known.combat.planned = crate::action::Supporters::new();
        known.combat.planned_air = false;
    }
    for action in odds::all(cx) {
        if crate::combat::template(cx, &action).is_some() {
            continue;
        }
        let mut answer = BriefAnswer { action: notation::write(rules, s, &action), ..BriefAnswer::default() };
        if modified {
            answer.values.push(match action {
                Action::Press { lead } => explain::signed(fire_fight::drm(rules, s, lead)),
                Action::Stand { lead } => explain::signed(determined::drm(
                    rules,
                    s,
                    combat.target,
                    lead,
                    combat.dcb,
                    &combat.attackers,
                    &combat.defenders,
                )),
                _ => String::new(),
            });
        }
        if let Action::Lose { unit } = action {
            answer.note = Some(loss(rules, s, unit));
        }
        if action != Action::CallOff
            && let Ok(found) = odds::from_here(rules, &known, cx.frame, cx.side, action, policy)
        {
            answer.values.extend([found.falls, found.attacker_loses, found.defender_loses].map(percent));
            answer.chances = chances(&found, attacks);
        }
        brief.answers.push(answer);
    }
    brief
}

/// The results from bad to good for the deciding side.
fn chances(found: &odds::Outcomes, attacks: bool) -> Vec<Chance> {
    let mut chances = explain::chances_of(found);
    if !attacks {
        chances.reverse();
        for chance in &mut chances {
            chance.tone = -chance.tone;
        }
    }
    chances
}

fn left_shift(columns: u8) -> String {
    if columns == 0 { "0".into() } else { format!("← {columns}") }
}

/// Merges dice lines with the same effect into one: `1–3`.
fn merge_equal(brief: &mut Brief) {
    let mut merged: Vec<(i64, i64, kernel::view::SheetLine)> = Vec::new();
    let mut others = Vec::new();
    for line in std::mem::take(&mut brief.facts) {
        let die = line.label.args.iter().find_map(|(name, arg)| match arg {
            kernel::Arg::Number(n) if name == "die" => Some(*n),
            _ => None,
        });
        match (die, merged.last_mut()) {
            (None, _) => others.push(line),
            (Some(die), Some((_, to, last))) if last.value == line.value => *to = die,
            (Some(die), _) => merged.push((die, die, line)),
        }
    }
    brief.facts = others;
    for (from, to, line) in merged {
        let dice = if from == to { from.to_string() } else { format!("{from}–{to}") };
        let label = Message::new("brief.fire_die").text("die", dice);
        brief.facts.push(kernel::view::SheetLine { label, ..line });
    }
}

/// What happens to a unit that loses a step (16.4).
fn loss(rules: &Ardennes, s: &State, unit: UnitId) -> Message {
    let left = rules.steps(s, unit).saturating_sub(1);
    if left > 0 {
        Message::new("brief.loss.steps").number("n", left)
    } else if crate::combat::losses::has_remnant(rules, s, unit) {
        Message::new("brief.loss.remnant")
    } else {
        Message::new("brief.loss.eliminated")
    }
}

/// Where a retreat ends: in supply, adjacent to the enemy, off the map.
fn retreats(cx: &Cx) -> Brief {
    let (rules, s) = (cx.rules, cx.s);
    let supplied = supply::supplied_hexes(rules, s, cx.side);
    let mut brief = Brief::default();
    for action in odds::all(cx) {
        let Action::Retreat { unit, path, out } = action else { continue };
        let action = notation::write(rules, s, &action);
        let (note, tone) = match end_of(rules, s, unit, &path) {
            _ if out => (Message::new("brief.retreat.out"), Tone::Doubt),
            None => (Message::new("brief.loss.eliminated"), Tone::Bad),
            Some(end) => {
                let near = s.in_ezoc(cx.side, end);
                let fed = supplied.contains(end);
                let key = match (fed, near) {
                    (true, false) => "brief.retreat.safe",
                    (true, true) => "brief.retreat.near",
                    (false, false) => "brief.retreat.unsupplied",
                    (false, true) => "brief.retreat.cut_off",
                };
                let tone = match (fed, near) {
                    (true, false) => Tone::Good,
                    (true, true) => Tone::Doubt,
                    _ => Tone::Bad,
                };
                (Message::new(key).place("hex", rules.label(end)), tone)
            }
        };
        brief.answers.push(BriefAnswer { action, note: Some(note), tone, ..BriefAnswer::default() });
    }
    brief
}

fn end_of(rules: &Ardennes, s: &State, unit: UnitId, path: &Path) -> Option<HexId> {
    let mut at = s.unit(unit).hex()?;
    let mut moved = false;
    for direction in path.iter() {
        at = rules.land.neighbour(at, direction)?;
        moved = true;
    }
    moved.then_some(at)
}

fn ready_artillery(cx: &Cx) -> Brief {
    let mut brief = Brief::default();
    let waiting = odds::all(cx).iter().filter(|a| matches!(a, Action::Ready { .. })).count();
    brief.fact(Message::new("brief.ready_left"), artillery_supply::left(cx).to_string(), "5.2");
    brief.fact(Message::new("brief.fired_guns"), waiting.to_string(), "5.1");
    brief
}

/// The chance of each demolition (7.2, 7.5).
fn demolitions(cx: &Cx) -> Brief {
    let mut brief = Brief { columns: vec![Message::new("brief.demolition")], ..Brief::default() };
    for action in odds::all(cx) {
        let Action::Blow { bridge, unit } = action else { continue };
        let Some(faces) = bridges::demolition_faces(cx.rules, cx.s, cx.side, bridge, unit) else { continue };
        brief.answers.push(BriefAnswer {
            action: notation::write(cx.rules, cx.s, &action),
            values: vec![percent(f64::from(faces) / 6.0)],
            ..BriefAnswer::default()
        });
    }
    if brief.answers.is_empty() { Brief::default() } else { brief }
}

/// The chance to get away, and to be Disrupted on the way (20.3).
fn disengagements(cx: &Cx) -> Brief {
    let columns = ["brief.gets_away", "brief.disrupted"].map(Message::new).to_vec();
    let mut brief = Brief { columns, ..Brief::default() };
    for action in odds::all(cx) {
        let Action::Disengage { units } = action else { continue };
        let [unit] = units[..] else { continue };
        let rows = (1..=6).map(|die| crate::disengage::row(cx.rules, unit, die));
        let share = |count: usize| percent(count as f64 / 6.0);
        brief.answers.push(BriefAnswer {
            action: notation::write(cx.rules, cx.s, &action),
            values: vec![
                share(rows.clone().filter(|row| row.retreat).count()),
                share(rows.filter(|row| row.disrupted).count()),
            ],
            ..BriefAnswer::default()
        });
    }
    if brief.answers.is_empty() { Brief::default() } else { brief }
}

/// How many markers are available, and where they would hinder the enemy (24, 33).
fn markers(cx: &Cx) -> Brief {
    let mut brief = Brief::default();
    let (numbers, roadblocks) = traffic::in_hand(cx);
    if !numbers.is_empty() {
        let list = numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        brief.fact(
            Message::new("brief.traffic_left").text("numbers", list),
            numbers.len().to_string(),
            "24.3",
        );
    }
    if roadblocks > 0 {
        brief.fact(Message::new("brief.roadblocks_left"), roadblocks.to_string(), "33.1");
    }
    brief.places = sensible(cx).into_iter().map(|hex| cx.rules.label(hex).to_owned()).collect();
    brief
}

/// How many places are suggested, and how near an enemy must be to count as about to pass.
const PLACES: usize = 14;
const NEAR: u16 = 5;

/// Road junctions that enemy units are about to use.
fn sensible(cx: &Cx) -> Vec<HexId> {
    let (rules, s) = (cx.rules, cx.s);
    let enemy = s.held(cx.side.enemy());
    let mut list: Vec<(usize, HexId)> = traffic::open_hexes(cx)
        .iter()
        .filter(|hex| !enemy.contains(*hex) && rules.land.hex(*hex).has_road())
        .filter_map(|hex| {
            let roads = rules.land.hex(hex).roads.count_ones() as usize;
            let users = rules.map.board.range(hex, NEAR).filter(|at| enemy.contains(*at)).count();
            (roads >= 3 && users > 0).then_some((users * roads, hex))
        })
        .collect();
    list.sort_by_key(|(score, hex)| (std::cmp::Reverse(*score), *hex));
    list.truncate(PLACES);
    list.into_iter().map(|(_, hex)| hex).collect()
}
