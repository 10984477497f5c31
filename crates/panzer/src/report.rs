//! Events and prompts as messages: keys of the message files with the values for their blanks.

use kernel::{Audience, Entry, Message, Prompt, SeatSet, log::Event as Logged};
use serde_json::{Value, json};

use crate::{
    event::Event,
    fire::Kind,
    frame::{Frame, Player},
    notation::facing_name,
    pack::Side,
    play::seat,
    rules::Panzer,
    state::{Ending, State},
    units::{RANGE_FACTORS, UnitId},
};

pub const fn side_key(side: Side) -> &'static str {
    match side {
        Side::Axis => "side.axis",
        Side::Allied => "side.allied",
    }
}

/// How the game ended.
pub fn ending(rules: &Panzer, ending: &Ending) -> Message {
    let message = match (ending.winner, ending.level) {
        (Some(side), Some(level)) => {
            let levels = &rules.scenario.victory.levels[side.index()];
            let (key, lead) =
                levels.get(usize::from(level)).map_or(("victory", 0), |(key, lead)| (key.as_str(), *lead));
            Message::new(if lead < 0 { "outcome.won_behind" } else { "outcome.won" })
                .term("side", side_key(side))
                .term("level", format!("level.{key}"))
                .number("lead", i64::from(lead.abs()))
        }
        _ => Message::new("outcome.draw"),
    };
    message.number("axis", ending.points[0]).number("allied", ending.points[1])
}

pub fn prompt(rules: &Panzer, s: &State, side: Side) -> Prompt {
    let asked = match s.top() {
        Frame::Commands => !s.committed[side.index()],
        frame => rulebook::flow::asks(rules, s, frame) == Some(side),
    };
    if s.ending.is_some() {
        return Prompt::new(Message::new("prompt.over"), "4.6.2");
    }
    if !asked {
        return Prompt::new(Message::new("prompt.wait"), "-");
    }
    let unit = |message: Message, name, unit: UnitId| message.unit(name, rules.id(unit));
    let (message, rule) = match s.top() {
        Frame::SetUp(_) => (Message::new("prompt.set_up"), "2.0"),
        Frame::Plot(_) => (Message::new("prompt.plot"), "6.5.1.11"),
        Frame::Commands => (Message::new("prompt.commands"), "4.2.1"),
        Frame::ChooseOrder(_) => (Message::new("prompt.order"), "4.3.1"),
        Frame::DirectFire(player) => {
            let key = match player {
                Player::First => "prompt.direct_fire_first",
                Player::Second => "prompt.direct_fire_second",
            };
            (Message::new(key), "4.4.1")
        }
        Frame::Overwatch { .. } => (Message::new("prompt.overwatch"), "4.4.2"),
        Frame::Window(trigger) => {
            let message = unit(
                Message::new("prompt.window"),
                "unit",
                s.triggers.iter().next().unwrap_or(s.walk.unit), // the unit that mounts a vehicle, not the vehicle
            );
            (message.term("trigger", format!("trigger.{}", trigger.key())), "4.4.2")
        }
        Frame::Answer { .. } => (Message::new("prompt.answer"), "4.4.2"),
        Frame::ShowCommand => (unit(Message::new("prompt.show"), "unit", s.fire.showing()), "4.4.3.2.2"),
        Frame::HitAngle => (unit(Message::new("prompt.angle"), "unit", s.fire.struck()), "4.4.3.2.4"),
        Frame::Spread => (Message::new("prompt.spread"), "6.5.2.1"),
        Frame::Indirect(_) => (Message::new("prompt.indirect"), "6.5.1"),
        Frame::LandShow => {
            let target = s.indirect.landing.last().map_or(s.fire.target, |landing| landing.target);
            (unit(Message::new("prompt.land_show"), "unit", target), "6.5.4.3")
        }
        Frame::Misdirect => (Message::new("prompt.misdirect"), "6.5.1.12"),
        Frame::Load => (Message::new("prompt.load"), "6.7.1"),
        Frame::Air => (Message::new("prompt.air"), "6.7.2"),
        Frame::Flight => {
            let mut message = Message::new("prompt.flight");
            if let Some((craft, flight)) = rules.flying(s) {
                let hex = rules.field.label(flight.hex).to_owned();
                message = message.text("craft", rules.craft_called(craft)).place("hex", hex);
            }
            (message, "6.7.2.3")
        }
        Frame::AaWindow => (Message::new("prompt.aa"), "6.7.4"),
        Frame::AirShow => (unit(Message::new("prompt.air_show"), "unit", s.air.strike.target), "6.5.4.3"),
        Frame::Assault(_) => (Message::new("prompt.assault"), "6.6.1"),
        Frame::Support => (unit(Message::new("prompt.support"), "unit", s.assault.target), "6.6.1.1.2"),
        Frame::NamePrimary => (Message::new("prompt.primary"), "6.6.1.1"),
        Frame::AssaultShow => {
            (unit(Message::new("prompt.assault_show"), "unit", s.assault.target), "6.6.1.1.2")
        }
        Frame::Occupy => (Message::new("prompt.occupy"), "6.6.1.1.3"),
        Frame::Pivot(_) => (Message::new("prompt.pivot"), "6.8.1"),
        Frame::FullCover(_) => (Message::new("prompt.full_cover"), "6.8.2"),
        Frame::Movement(_) => (Message::new("prompt.movement"), "4.5"),
        Frame::Revise => (unit(Message::new("prompt.revise"), "unit", s.walk.unit), "4.5.1.1"),
        Frame::Overruns => (unit(Message::new("prompt.overruns"), "unit", s.walk.unit), "6.6.10"),
        Frame::FaceOut => {
            let landed = s.landed.last().copied().unwrap_or(s.walk.unit);
            (unit(Message::new("prompt.face_out"), "unit", landed), "6.5.2.6")
        }
        _ => (Message::new("prompt.begin"), "4.0"),
    };
    Prompt { set_up: matches!(s.top(), Frame::SetUp(_)), ..Prompt::new(message, rule) }
}

struct Line {
    audience: Audience,
    side: Option<Side>,
    level: u8,
    message: Message,
    data: Value,
}

pub fn report(rules: &Panzer, after: &State, event: &Logged<Event>, out: &mut Vec<Entry>) {
    let (topic, tone, line) = match event {
        Logged::Roll(roll) => {
            out.push(Entry::roll(roll, Message::new(roll.purpose).number("value", roll.value)));
            return;
        }
        Logged::Game(event) => (event.topic(), event.tone(), line(rules, event)),
    };
    let line = match veiled(rules, after, event) {
        Some(owner) => Line { audience: Audience::Only(SeatSet::one(seat(owner))), ..line },
        None => line,
    };
    let mut data = line.data;
    if let (Some(facts), Some(tone)) = (data.as_object_mut(), tone) {
        facts.insert("tone".into(), json!(tone));
    }
    out.push(Entry {
        audience: line.audience,
        seat: line.side.map(seat),
        topic,
        message: line.message,
        level: line.level,
        data,
    });
}

/// The owner of a hidden unit that an event is about (7.2): nobody else learns of it.
fn veiled(rules: &Panzer, after: &State, event: &Logged<Event>) -> Option<Side> {
    let unit = match event {
        Logged::Game(
            Event::Placed { unit, .. }
            | Event::Turned { unit, .. }
            | Event::FullCover { unit, .. }
            | Event::SettledIn { unit, .. },
        ) => *unit,
        _ => return None,
    };
    after.veil(unit).map(|_| rules.vehicle(unit).side)
}

fn line(rules: &Panzer, event: &Event) -> Line {
    let id = |unit: UnitId| rules.id(unit).to_owned();
    let of = |unit: UnitId| Some(rules.vehicle(unit).side);
    let place = |hex| rules.field.label(hex).to_owned();
    let all = |side, level, message, data| Line { audience: Audience::All, side, level, message, data };
    match *event {
        Event::Turn { turn } => all(
            None,
            0,
            Message::new("log.turn").number("turn", turn),
            json!({ "kind": "turn", "turn": turn }),
        ),
        Event::Phase { phase } => {
            let message = Message::new("log.phase").term("phase", format!("phase.{}", phase.key()));
            all(None, 0, message, json!({ "kind": "phase", "phase": phase.key() }))
        }
        Event::Placed { unit, hex, facing } => {
            let message = Message::new("log.placed").unit("unit", id(unit)).place("hex", place(hex));
            let data =
                json!({ "kind": "place", "unit": id(unit), "to": place(hex), "facing": facing_name(facing) });
            all(of(unit), 1, message, data)
        }
        Event::Spotted { spotted } => {
            let message = Message::new("log.spotted").number("axis", spotted[0]).number("allied", spotted[1]);
            all(None, 1, message, json!({ "kind": "spotted", "axis": spotted[0], "allied": spotted[1] }))
        }
        Event::SpotCounter { unit, spot } => {
            let message = Message::new(format!("log.spot.{}", spot.key())).unit("unit", id(unit));
            all(of(unit), 2, message, json!({ "kind": "spot", "unit": id(unit), "spot": spot.key() }))
        }
        Event::Commanded { unit, command } => {
            let message = Message::new("log.commanded")
                .unit("unit", id(unit))
                .term("command", format!("command.{}", command.key()));
            let data = json!({ "kind": "command", "unit": id(unit), "command": command.key() });
            let owner = SeatSet::one(seat(rules.vehicle(unit).side));
            // 4.2.1: hidden from the other side.
            Line { audience: Audience::Only(owner), side: of(unit), level: 2, message, data }
        }
        Event::Plotted { battery } => {
            let name = rules.battery(battery).map_or_else(String::new, |b| b.id.clone());
            let side = rules.battery(battery).map(|b| b.side);
            let source = crate::indirect::Source::Battery(battery);
            let message = Message::new("log.plotted").with("source", rules.source_words(source));
            let owner = side.map_or(SeatSet::default(), |side| SeatSet::one(seat(side)));
            let data = json!({ "kind": "plot", "source": name });
            Line { audience: Audience::Only(owner), side, level: 2, message, data }
        }
        Event::Committed { side } => {
            let message = Message::new("log.committed").term("side", side_key(side));
            all(Some(side), 1, message, json!({ "kind": "committed", "side": side.key() }))
        }
        Event::Initiative { rolls, first } => {
            let message = Message::new("log.initiative")
                .number("axis", rolls[0])
                .number("allied", rolls[1])
                .term("side", side_key(first));
            let data =
                json!({ "kind": "initiative", "axis": rolls[0], "allied": rolls[1], "first": first.key() });
            all(Some(first), 1, message, data)
        }
        Event::Order { side, first } => {
            let message =
                Message::new("log.order").term("side", side_key(side)).term("first", side_key(first));
            all(Some(side), 1, message, json!({ "kind": "order", "first": first.key() }))
        }
        Event::Revealed { unit, command } => {
            let message = Message::new("log.revealed")
                .unit("unit", id(unit))
                .term("command", format!("command.{}", command.key()));
            let data = json!({ "kind": "reveal", "unit": id(unit), "command": command.key() });
            all(of(unit), 2, message, data)
        }
        Event::Declined { unit } => {
            let message = Message::new("log.declined").unit("unit", id(unit));
            all(of(unit), 2, message, json!({ "kind": "decline", "unit": id(unit) }))
        }
        Event::Declared { kind, target, unit, gun } => {
            let weapon = gun_name(rules, unit, gun);
            let message = Message::new(format!("log.declared.{}", kind.key()))
                .unit("unit", id(unit))
                .unit("target", id(target))
                .with("weapon", gun_words(rules, unit, gun));
            let data = json!({ "kind": "fire", "fire": kind.key(), "unit": id(unit), "target": id(target),
                               "weapon": weapon, "interrupt": kind == Kind::Overwatch });
            all(of(unit), 1, message, data)
        }
        Event::Fired { unit, target, factor, net, number, roll, hit } => {
            let key = if hit { "log.hit" } else { "log.miss" };
            let factor = RANGE_FACTORS[usize::from(factor)];
            let message = Message::new(key)
                .unit("unit", id(unit))
                .unit("target", id(target))
                .number("roll", roll)
                .number("number", number);
            let data = json!({ "kind": "shot", "unit": id(unit), "target": id(target), "range_factor": factor,
                               "net": net, "hit_number": number, "roll": roll, "hit": hit });
            all(of(unit), 1, message, data)
        }
        Event::Wasted { unit, target } => {
            let message = Message::new("log.wasted").unit("unit", id(unit)).unit("target", id(target));
            all(of(unit), 1, message, json!({ "kind": "wasted", "unit": id(unit), "target": id(target) }))
        }
        Event::Hit { unit, target, rear, penetration, armor, result } => {
            let angle = if rear { "rear" } else { "front" };
            let message = Message::new(format!("log.result.{}", result.key()))
                .unit("target", id(target))
                .term("angle", format!("angle.{angle}"))
                .number("penetration", penetration)
                .number("armor", armor);
            let data = json!({ "kind": "hit", "unit": id(unit), "target": id(target), "angle": angle,
                               "penetration": penetration, "armor": armor, "result": result.key() });
            all(of(unit), 1, message, data)
        }
        Event::Held { side } => {
            let message = Message::new("log.held").term("side", side_key(side));
            all(Some(side), 2, message, json!({ "kind": "hold", "side": side.key() }))
        }
        Event::Stepped { unit, from, to, cost, back } => {
            let key = if back { "log.step_back" } else { "log.step" };
            let message =
                Message::new(key).unit("unit", id(unit)).place("hex", place(to)).number("cost", cost);
            let data = json!({ "kind": "move", "unit": id(unit), "from": place(from), "to": place(to),
                               "path": [place(from), place(to)], "cost": cost, "back": back });
            all(of(unit), 1, message, data)
        }
        Event::Turned { unit, facing, cost } => {
            let name = facing_name(facing);
            let message = Message::new("log.turned")
                .unit("unit", id(unit))
                .term("facing", format!("facing.{}", name.to_lowercase()))
                .number("cost", cost);
            let data = json!({ "kind": "turn_to", "unit": id(unit), "facing": name, "cost": cost });
            all(of(unit), 2, message, data)
        }
        Event::Entered { unit, hex, cost } => {
            let message = Message::new("log.entered").unit("unit", id(unit)).place("hex", place(hex));
            all(
                of(unit),
                1,
                message,
                json!({ "kind": "enter", "unit": id(unit), "to": place(hex), "cost": cost }),
            )
        }
        Event::Exited { unit, hex } => {
            let message = Message::new("log.exited").unit("unit", id(unit)).place("hex", place(hex));
            all(of(unit), 1, message, json!({ "kind": "exit", "unit": id(unit), "from": place(hex) }))
        }
        Event::Moved { unit, spent, allowance } => {
            let message = Message::new("log.moved")
                .unit("unit", id(unit))
                .number("spent", spent)
                .number("allowance", allowance);
            let data = json!({ "kind": "moved", "unit": id(unit), "spent": spent, "allowance": allowance });
            all(of(unit), 2, message, data)
        }
        Event::Interrupted { unit, trigger } => {
            let message = Message::new("log.interrupted").unit("unit", id(unit));
            all(
                of(unit),
                1,
                message,
                json!({ "kind": "interrupt", "unit": id(unit), "after": trigger.key() }),
            )
        }
        Event::Control { objective, side } => {
            let name = &rules.scenario.objectives[usize::from(objective)].id;
            let message = match side {
                Some(side) => Message::new("log.control").term("side", side_key(side)),
                None => Message::new("log.uncontrolled"),
            };
            let message = message.with("objective", objective_name(rules, usize::from(objective)));
            all(
                side,
                1,
                message,
                json!({ "kind": "control", "objective": name, "side": side.map(Side::key) }),
            )
        }
        Event::Available
        | Event::Suppressed { .. }
        | Event::Recovery { .. }
        | Event::FullCover { .. }
        | Event::AmmoLimit { .. }
        | Event::GpFire { .. }
        | Event::Hits { .. }
        | Event::SpreadTo { .. }
        | Event::Located { .. }
        | Event::HullDownMiss { .. }
        | Event::ApDamage { .. }
        | Event::Damage { .. }
        | Event::TrackHit { .. }
        | Event::Destroyed { .. }
        | Event::Reduced { .. }
        | Event::Eliminated { .. }
        | Event::BailTest { .. }
        | Event::Abandoned { .. }
        | Event::LeftVehicle { .. }
        | Event::Mounted { .. }
        | Event::Dismounted { .. }
        | Event::Overrun { .. }
        | Event::Searched { .. }
        | Event::Quickmarch { .. }
        | Event::Planned { .. }
        | Event::Smoked { .. }
        | Event::Called { .. }
        | Event::Response { .. }
        | Event::Impact { .. }
        | Event::Checked { .. }
        | Event::Barrage { .. }
        | Event::AssaultDeclared { .. }
        | Event::SupportKept { .. }
        | Event::TrackHolds { .. }
        | Event::PairInitiative { .. }
        | Event::PairTurn { .. }
        | Event::AssaultLapsed { .. }
        | Event::CloseAssault { .. }
        | Event::HandToHand { .. } => {
            let (side, message, data) = crate::report_advanced::line(rules, event);
            all(side, 1, message, data)
        }
        Event::Over(end) => {
            let data = json!({ "kind": "over", "winner": end.winner.map(Side::key), "points": end.points });
            all(end.winner, 0, ending(rules, &end), data)
        }
        _ => {
            let (side, message, data) = crate::report_advanced::line(rules, event);
            all(side, 1, message, data)
        }
    }
}

/// The name of an objective: its place on the map.
pub fn objective_name(rules: &Panzer, objective: usize) -> kernel::Arg {
    let hexes = &rules.scenario.objectives[objective].hexes;
    kernel::Arg::Place(hexes.first().cloned().unwrap_or_default())
}

/// The name of a gun as printed on its card.
/// The same in the reader's language where it has a name of its own: Leg units and crew-served weapons, machine guns and
/// howitzers; guns have designations.
pub fn gun_words(rules: &Panzer, unit: UnitId, gun: u8) -> kernel::Arg {
    match rules.arm(unit, gun) {
        Some(arm) => weapon_words(rules, &arm.weapon),
        None => kernel::Arg::Text(gun_name(rules, unit, gun)),
    }
}

pub fn weapon_words(rules: &Panzer, weapon: &crate::pack::advanced::Weapon) -> kernel::Arg {
    let cards = &rules.pack.advanced;
    let (id, name) = (&weapon.id, &weapon.name);
    if let Some(leg) = cards.leg.iter().find(|leg| leg.id == *id || leg.name == *name) {
        return kernel::Arg::Term(format!("unit.{}", leg.id).into());
    }
    if cards.crew_served.iter().any(|card| card.id == *id) {
        return kernel::Arg::Term(format!("unit.{id}").into());
    }
    if cards.weapons.iter().any(|other| other.id == *id && other.ap.is_none()) {
        return kernel::Arg::Term(format!("weapon.{id}").into());
    }
    kernel::Arg::Text(name.clone())
}

pub fn gun_name(rules: &Panzer, unit: UnitId, gun: u8) -> String {
    if let Some(arm) = rules.arm(unit, gun) {
        return arm.weapon.name.clone();
    }
    let mount = rules.gun(unit, gun).map(|gun| usize::from(gun.mount));
    let mounts = &rules.card(unit).mounts;
    mount.and_then(|n| mounts.get(n)).map(|mount| mount.name.clone()).unwrap_or_default()
}
