//! The sheets of what comes from above and goes up: air attacks (6.7.3), anti-aircraft fire (6.7.4), and what a salvo
//! does to each unit in its sheaf (6.5.1.13).

use hexgrid::HexId;
use kernel::{
    Ask, Message, Viewer,
    view::{Chance, Sheet, SheetLine, Tone},
};
use serde_json::{Value, json};

use super::{
    sheaf::{area, scatter_area, scattered},
    sheet::{chances, line, modifier, numbers, signed},
};
use crate::{
    air::{Approach, Arms},
    fire::{Blast, Fate},
    indirect::{Landing, Mission, Source},
    pack::{
        Side,
        advanced::{Altitude, Outcome, lookup::outcome},
    },
    rules::Panzer,
    state::{Command, Flags, State},
    units::UnitId,
};

/// The position as far as the viewer may know it: hidden Commands do not count as movement (6.5.4.3).
fn as_known(rules: &Panzer, s: &State, viewer: Viewer) -> State {
    let mut known = s.clone();
    for unit in s.ids() {
        if !rules.knows_command(s, viewer, unit) {
            known.unit_mut(unit).command = Command::NoCommand;
        }
    }
    known
}

/// Units of the hexes, one after the other, without passengers.
fn units_in<'a>(s: &'a State, hexes: &'a [HexId]) -> impl Iterator<Item = UnitId> + 'a {
    let here = |hex: &'a HexId| s.in_hex(*hex);
    hexes.iter().flat_map(here).filter(|unit| s.unit(*unit).on_map() && !s.unit(*unit).passenger())
}

/// One target: the attack, its modifiers, and what it suffers.
fn target_lines(
    rules: &Panzer,
    s: &State,
    unit: UnitId,
    blast: &Blast,
    causes: Vec<SheetLine>,
    lines: &mut Vec<SheetLine>,
) -> Vec<Chance> {
    let name = Message::new("sheet.on").unit("unit", rules.id(unit));
    lines.push(line(name, format!("{} : {}{:?}", blast.gpf, blast.gpd, blast.target), "6.5.4.2", 0));
    lines.extend(causes);
    lines.push(line(Message::new("sheet.net"), signed(blast.net.into()), "6.5.4.3", 1));
    lines.push(line(Message::new("sheet.numbers"), numbers(blast.n, blast.s), "6.5.4.4", 1));
    let start = Fate::now(s, unit);
    let mut fate = start;
    rules.foretell_blast(unit, blast, &mut fate);
    let chances = chances(rules, unit, &start, &fate);
    for chance in chances.iter().filter(|chance| chance.tone > 0.0) {
        lines.push(line(chance.label.clone(), format!("{:.0}%", chance.p * 100.0), "", 1));
    }
    chances
}

/// `sheet bomb`, `sheet strafe`, `sheet rocket`: the attack of the aircraft that is in flight (6.7.3).
pub fn strike(rules: &Panzer, s: &State, viewer: Viewer, arms: Arms, level: bool) -> Result<Value, Ask> {
    let nothing = || Ask::Bad("no aircraft attacks now".into());
    let (craft, flight) = rules.flying(s).ok_or_else(nothing)?;
    let target = flight.target.some().ok_or_else(nothing)?;
    let s = &as_known(rules, s, viewer);
    let hex = s.unit(target).hex.some().ok_or_else(nothing)?;
    let dive = arms == Arms::Bombs && rules.dives(craft, flight, level);
    let altitude = if dive { Altitude::Low } else { flight.altitude };
    let range = rules.field.range(flight.hex, hex) as u8;
    let how = Approach { craft: *craft, arms, altitude, speed: flight.speed, range };
    let title = Message::new("sheet.air").text("craft", rules.craft_title(flight.craft));
    let mut sheet = Sheet { title: Some(title.unit("target", rules.id(target))), ..Sheet::default() };
    let pattern = rules.air_pattern(arms, flight.altitude, flight.speed, dive, hex, flight.facing);
    for unit in units_in(s, &pattern) {
        let u = s.unit(unit);
        let moving = rules.is_vehicle(unit) && u.is(Flags::REVEALED) && u.command.moves();
        let Some(aim) = rules.air_aim(s, &how, unit, moving) else { continue };
        let mut causes = Vec::new();
        rules.air_line(&how, |cause, value| causes.push(modifier(cause.key(), value.into(), "6.7.3.5")));
        rules.air_target(s, unit, moving, |cause, value| {
            causes.push(modifier(cause.key(), value.into(), "6.5.4.3"));
        });
        let suffers = target_lines(rules, s, unit, &aim, causes, &mut sheet.lines);
        if unit == target {
            sheet.chances = suffers;
        }
    }
    if arms == Arms::Bombs {
        let spread = scattered(rules, hex, rules.bomb_scatter(craft));
        if !spread.is_empty() {
            sheet.areas.push(scatter_area(rules, &spread));
        }
    }
    sheet.areas.push(area(rules, "sheet.pattern", &pattern, Tone::Good));
    Ok(json!({ "sheet": sheet }))
}

/// `sheet aa F1 F2`: anti-aircraft fire at the aircraft where it is now (6.7.4.2).
pub fn flak(rules: &Panzer, s: &State, units: &[UnitId]) -> Result<Value, Ask> {
    let (Some((craft, flight)), Some(game)) = (rules.flying(s), rules.advanced.as_deref()) else {
        return Err(Ask::Bad("no aircraft is in flight".into()));
    };
    let title = Message::new("sheet.aa").text("craft", rules.craft_title(flight.craft));
    let mut sheet = Sheet { title: Some(title), ..Sheet::default() };
    // The chance that no shot so far did more than this: nothing, suppressed, damaged.
    let mut at_most = [1.0; 3];
    for unit in units {
        let Some(aim) = rules.aa_aim(s, *unit, craft, flight, false) else { continue };
        let name = Message::new("sheet.flak").unit("unit", rules.id(*unit)).number("range", aim.range);
        sheet.lines.push(line(name, format!("{} : {}", aim.gpf, aim.gpd), "6.7.4.2", 0));
        rules.aa_modifiers(s, *unit, flight.altitude, flight.speed, aim.factor, false, |cause, value| {
            sheet.lines.push(modifier(cause.key(), value.into(), "6.7.4.2"));
        });
        sheet.lines.push(line(Message::new("sheet.net"), signed(aim.net.into()), "6.7.4.2", 1));
        sheet.lines.push(line(Message::new("sheet.numbers"), numbers(aim.n, aim.s), "6.5.4.4", 1));
        let gp = &game.tables().gp;
        let mut results = [0.0; 4];
        for roll in 1..=100i16 {
            let total = roll + aim.net;
            let digit = (total.unsigned_abs() % 10) as u8;
            let result = match outcome((aim.n, aim.s), total) {
                Outcome::NoEffect => 0,
                Outcome::Suppressed => 1,
                // 6.7.4.2.1
                Outcome::Effective if digit == gp.damage_digit || digit == gp.track_digit => 2,
                Outcome::Effective => 3,
            };
            results[result] += 0.01;
        }
        let mut sum = 0.0;
        for (all, one) in at_most.iter_mut().zip(results) {
            sum += one;
            *all *= sum;
        }
    }
    let [none, suppressed, damaged] = at_most;
    let parts = [
        ("result.unharmed", none, -1.0),
        ("result.suppressed", suppressed - none, 0.1),
        ("result.damaged", damaged - suppressed, 0.5),
        ("result.shot_down", 1.0 - damaged, 1.0),
    ];
    for (key, p, tone) in parts.into_iter().filter(|(_, p, _)| *p > 1e-9) {
        sheet.chances.push(Chance { label: Message::new(key), p, tone });
    }
    Ok(json!({ "sheet": sheet }))
}

/// 6.5.1.13: what one salvo of a source does to every unit in its pattern that the viewer knows of.
pub(super) fn salvo(
    rules: &Panzer,
    s: &State,
    side: Side,
    mission: &Mission,
    source: Source,
    lines: &mut Vec<SheetLine>,
) {
    if mission.smoke || mission.light {
        return;
    }
    let mut s = as_known(rules, s, Viewer::Seat(crate::play::seat(side)));
    s.indirect.missions.push(mission.clone());
    let pattern = rules.source_pattern(mission, source, mission.point);
    for target in units_in(&s, &pattern) {
        let u = s.unit(target);
        let moving = rules.is_vehicle(target) && u.is(Flags::REVEALED) && u.command.moves();
        let landing = Landing {
            mission: mission.id,
            source,
            point: mission.point,
            queue: smallvec::SmallVec::new(),
            target,
            moving,
            limited: false,
            entering: false,
        };
        let Some(aim) = rules.barrage_aim(&s, &landing) else { continue };
        let mut causes = Vec::new();
        rules.barrage_modifiers(&s, &landing, |cause, value| {
            causes.push(modifier(cause.key(), value.into(), "6.5.4.3"));
        });
        target_lines(rules, &s, target, &aim, causes, lines);
    }
}
