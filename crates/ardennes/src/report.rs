//! Events as lines of the battle report, and the prompt at the top of the table.
#![allow(clippy::enum_glob_use)] // the tables below read better bare

use hexgrid::HexId;
use kernel::{Arg, Audience, Entry, Message, Prompt, view::Tone};
use serde_json::json;

use crate::{
    event::{Elimination, Event, Why},
    frame::Frame,
    pack::{Side, UnitId},
    play::seat,
    rules::Ardennes,
    state::{BridgeIs, Condition, State},
};

/// The last part of a message key: `victory.KEY`.
pub const fn condition_key(condition: Condition) -> &'static str {
    match condition {
        Condition::Antwerp => "antwerp",
        Condition::Liege => "liege",
        Condition::Meuse => "meuse",
        Condition::WestMap => "west_map",
        Condition::GermanAreas => "german_areas",
        Condition::Prevented => "prevented",
        Condition::Points => "points",
        Condition::Bastogne => "bastogne",
    }
}

pub const fn condition_rule(condition: Condition) -> &'static str {
    match condition {
        Condition::Antwerp | Condition::Liege | Condition::Meuse | Condition::WestMap => "30.2",
        Condition::GermanAreas | Condition::Prevented => "30.3",
        Condition::Points => "31.2",
        Condition::Bastogne => "31.5",
    }
}

pub const fn side_key(side: Side) -> &'static str {
    match side {
        Side::German => "side.german",
        Side::Allied => "side.allied",
    }
}

/// The message key of a frame's question, `prompt.KEY`, with its rule.
const fn question(frame: Frame) -> (&'static str, &'static str) {
    use Frame::*;
    match frame {
        HideFuelDumps => ("hide_fuel_dumps", "32.1"),
        SetUp(_) => ("set_up", "31.1"),
        TrafficBeforePlay => ("traffic_before_play", "31.4"),
        ReadyArtillery { .. } => ("ready_artillery", "5.2"),
        PickFuel { .. } => ("pick_fuel", "6.1"),
        SpendFuel { .. } => ("spend_fuel", "32.2"),
        Bridges => ("bridges", "7.1"),
        Movement => ("movement", "11.1"),
        Walk => ("walk", "11.1"),
        Infiltrate => ("infiltrate", "27.8.2"),
        Overstacked(_) => ("overstacked", "8.3"),
        Disengage => ("disengage", "20.1"),
        DisengageRetreat => ("disengage_retreat", "20.3"),
        Attacks => ("attacks", "14.1"),
        BlowBridge => ("blow_bridge", "7.4"),
        CallOff => ("call_off", "14.4"),
        AttackSupport => ("attack_support", "22.7"),
        Support => ("support", "22.8"),
        FireFight => ("fire_fight", "16.2"),
        Recon => ("recon", "21.4"),
        Loss(_) => ("loss", "16.3"),
        Remnant(_) => ("remnant", "16.4"),
        DeterminedDefense => ("determined_defense", "16.7"),
        Retreat => ("retreat", "17.1"),
        RetreatOn(_) => ("retreat_on", "17.4"),
        PlaceAdvantage => ("advantage", "16.6"),
        Advance => ("advance", "19.1"),
        Breakthrough => ("breakthrough", "19.4"),
        Counterattack => ("counterattack", "16.72"),
        PlaceMarkers => ("place_markers", "24.3"),
        Antwerp => ("antwerp", "27.3"),
        Replacements { .. } => ("replacements", "25.2"),
        _ => ("wait", "4"),
    }
}

/// The current question as a message.
pub fn prompt(rules: &Ardennes, s: &State) -> Prompt {
    let frame = s.top();
    let (key, rule) = question(frame);
    let side = rulebook::flow::asks(rules, s, frame).unwrap_or(s.side);
    let message = Message::new(format!("prompt.{key}")).term("side", side_key(side));
    let message = Words { rules, after: s }.whereabouts(frame, message);
    Prompt { set_up: matches!(frame, Frame::SetUp(_)), ..Prompt::new(message, rule) }
}

/// An event as log lines. `after` is the position it led to.
pub fn report(rules: &Ardennes, after: &State, event: &kernel::log::Event<Event>, out: &mut Vec<Entry>) {
    match event {
        kernel::log::Event::Roll(roll) => {
            let message = Message::new(roll.purpose)
                .number("die", roll.value)
                .number("modifier", roll.modifier)
                .text("rule", roll.rule);
            out.push(Entry::roll(roll, message));
        }
        kernel::log::Event::Game(event) => {
            let words = Words { rules, after };
            out.push(words.entry(event));
        }
    }
}

struct Words<'a> {
    rules: &'a Ardennes,
    after: &'a State,
}

impl Words<'_> {
    /// Adds the unit and the hex that a question is about.
    fn whereabouts(&self, frame: Frame, message: Message) -> Message {
        use Frame::*;
        let (s, combat) = (self.after, &self.after.combat);
        match frame {
            Walk | Infiltrate => message.with("unit", self.units(s.walk.units.get(..1).unwrap_or_default())),
            Overstacked(hex) => message.with("hex", self.hex(hex)),
            Remnant(unit) | RetreatOn(unit) => message.with("unit", self.unit(unit)),
            Recon => message.with("unit", self.units(&combat.defenders)).with("hex", self.hex(combat.target)),
            BlowBridge | CallOff | AttackSupport | Support | FireFight | Loss(_) | DeterminedDefense
            | Retreat | PlaceAdvantage | Advance => message.with("hex", self.hex(combat.target)),
            Antwerp => message
                .number("has", crate::antwerp::defense(self.rules, s))
                .number("needed", crate::antwerp::needed(self.rules, s)),
            _ => message,
        }
    }

    fn unit(&self, unit: UnitId) -> Arg {
        Arg::Unit(self.rules.unit_id(unit))
    }

    fn units(&self, units: &[UnitId]) -> Arg {
        Arg::List(units.iter().map(|u| self.unit(*u)).collect())
    }

    fn hex(&self, hex: HexId) -> Arg {
        Arg::Place(self.rules.label(hex).to_owned())
    }

    fn entry(&self, event: &Event) -> Entry {
        let level = match event {
            Event::Turn { .. } | Event::Phase { .. } | Event::Over(_) => 0,
            Event::Step { .. } | Event::Marked { .. } | Event::Unmarked { .. } => 2,
            _ => 1,
        };
        let mut data = serde_json::Value::Null;
        let key = |key: &'static str| Message::new(format!("log.{key}"));
        let message = match *event {
            Event::Turn { turn, night } => {
                let day = self.rules.pack.turn(turn).map_or(0, |t| t.day);
                let pm = self.rules.pack.turn(turn).is_some_and(|t| t.pm);
                let time = if night {
                    "turn.night"
                } else if pm {
                    "turn.pm"
                } else {
                    "turn.am"
                };
                data = json!({ "kind": "turn", "turn": turn });
                key("turn").number("turn", turn).number("day", day).term("time", time)
            }
            Event::Phase { side, phase } => {
                key("phase").term("side", side_key(side)).term("phase", format!("phase.{}", phase.key()))
            }
            Event::Over(ending) => key("over").term("why", format!("victory.{}", condition_key(ending.by))),
            Event::Step { unit, from, to, why } => {
                data = json!({ "kind": "step", "unit": self.rules.unit_id(unit),
                    "from": from.map(|h| self.rules.label(h)), "to": self.rules.label(to) });
                let name = match why {
                    Why::Move => "step.move",
                    Why::Enter => "step.enter",
                    Why::Retreat => "step.retreat",
                    Why::Advance => "step.advance",
                };
                key(name).with("unit", self.unit(unit)).with("hex", self.hex(to))
            }
            Event::Moved { unit, mode, cost } => {
                let at = self.after.unit(unit).hex().map_or(Arg::Text("-".into()), |h| self.hex(h));
                key("moved")
                    .with("unit", self.unit(unit))
                    .with("hex", at)
                    .term("mode", format!("mode.{}", mode.word()))
                    .text("cost", crate::refusal::points(cost.into()))
            }
            Event::Placed { unit, hex } => {
                key("placed").with("unit", self.unit(unit)).with("hex", self.hex(hex))
            }
            Event::ToBox { unit, to } => key("to_box")
                .with("unit", self.unit(unit))
                .term("box", format!("box.{}", self.rules.pack.boxes[to.index()].id)),
            Event::ToBlocking { unit, entry } => key("to_blocking")
                .with("unit", self.unit(unit))
                .text("entry", self.rules.pack.entries[entry.index()].letter),
            Event::ToAntwerp { unit } => key("to_antwerp").with("unit", self.unit(unit)),
            Event::Exited { unit } => key("exited").with("unit", self.unit(unit)),
            Event::StepLost { unit } => key("step_lost").with("unit", self.unit(unit)),
            Event::Eliminated { unit, why } => {
                key("eliminated").with("unit", self.unit(unit)).term("why", elimination_key(why))
            }
            Event::RemnantFormed { unit, of } => {
                key("remnant_formed").with("unit", self.unit(unit)).with("of", self.unit(of))
            }
            Event::BrokenDown { unit, into } => {
                key("broken_down").with("unit", self.unit(unit)).with("into", self.unit(into))
            }
            Event::Recombined { unit, parent } => {
                key("recombined").with("unit", self.unit(unit)).with("parent", self.unit(parent))
            }
            Event::Replaced { unit } => key("replaced").with("unit", self.unit(unit)),
            Event::Surrendered { unit } => key("surrendered").with("unit", self.unit(unit)),
            Event::Marked { unit, flag } => {
                key("marked").with("unit", self.unit(unit)).term("state", format!("state.{flag}"))
            }
            Event::Unmarked { unit, flag } => {
                key("unmarked").with("unit", self.unit(unit)).term("state", format!("state.{flag}"))
            }
            Event::Bridge { bridge, is } => {
                let state = match is {
                    BridgeIs::Intact => "bridge.intact",
                    BridgeIs::Blown => "bridge.blown",
                    BridgeIs::UnderConstruction(_) => "bridge.under_construction",
                };
                let hexes = self.rules.land.bridges[bridge as usize].map(|h| self.rules.label(h));
                key("bridge").place("hexside", hexes.join("/")).term("state", state)
            }
            Event::ImprovedPosition { hex, finished } => {
                key(if finished { "ip.finished" } else { "ip.started" }).with("hex", self.hex(hex))
            }
            Event::ImprovedPositionGone { hex } => key("ip.gone").with("hex", self.hex(hex)),
            Event::Traffic { side, number, hex } => {
                let message = key(if hex.is_some() { "traffic.placed" } else { "traffic.removed" })
                    .term("side", side_key(side))
                    .number("number", number);
                match hex {
                    Some(hex) => message.with("hex", self.hex(hex)),
                    None => message,
                }
            }
            Event::GreifGone { number } => key("greif_gone").number("number", number),
            Event::Roadblock { side, hex, placed } => {
                key(if placed { "roadblock.placed" } else { "roadblock.removed" })
                    .term("side", side_key(side))
                    .with("hex", self.hex(hex))
            }
            Event::DumpRevealed { hex, real } => {
                key(if real { "dump.real" } else { "dump.dummy" }).with("hex", self.hex(hex))
            }
            Event::DumpDestroyed { hex } => key("dump.destroyed").with("hex", self.hex(hex)),
            Event::DumpCaptured { hex, by } => {
                key("dump.captured").with("hex", self.hex(hex)).term("side", side_key(by))
            }
            Event::DumpSecured { hex } => key("dump.secured").with("hex", self.hex(hex)),
            Event::AdvantagePlaced { unit, target } => {
                key("advantage.placed").with("unit", self.unit(unit)).with("target", self.hex(target))
            }
            Event::AdvantageGone { from, target } => {
                let message = key("advantage.gone").with("target", self.hex(target));
                match from {
                    Some(hex) => message.with("hex", self.hex(hex)),
                    None => message,
                }
            }
            Event::Fuel { table, formation } => {
                let message = key(if formation.is_some() { "fuel.shortage" } else { "fuel.none" })
                    .number("table", table + 1);
                match formation {
                    Some(id) => message.text("division", self.rules.pack.formation(id).label.clone()),
                    None => message,
                }
            }
            Event::AirSupport { markers } => key("air_support").number("markers", markers),
            Event::Jabos { shifts } => key("jabos").number("shifts", shifts),
            Event::Attack { side, target, units, artillery, air } => {
                data = json!({ "kind": "attack", "target": self.rules.label(target), "air": air });
                key("attack")
                    .term("side", side_key(side))
                    .with("target", self.hex(target))
                    .with("units", self.units(&units))
                    .with("artillery", self.units(&artillery))
            }
            Event::AttackSupport { side, target, artillery, air } => {
                data = json!({ "kind": "support", "target": self.rules.label(target), "air": air });
                let name = match (artillery.is_empty(), air) {
                    (false, true) => "attack_support.both",
                    (true, _) => "attack_support.air",
                    (false, false) => "attack_support",
                };
                key(name)
                    .term("side", side_key(side))
                    .with("target", self.hex(target))
                    .with("artillery", self.units(&artillery))
            }
            Event::CalledOff { target } => key("called_off").with("target", self.hex(target)),
            Event::DefensiveFire { unit, shifts, tot } => {
                key(if tot { "defensive_fire.tot" } else { "defensive_fire" })
                    .with("unit", self.unit(unit))
                    .number("shifts", shifts)
            }
            Event::Combat { target, attack, defense, shift, column, result } => {
                let columns = &self.rules.tables().crt.columns;
                let odds = columns
                    .get(column as usize)
                    .map_or_else(String::new, |odds| format!("{}-{}", odds.attack, odds.defense));
                let code = result_code(result);
                data = json!({ "kind": "combat", "target": self.rules.label(target), "attack": attack, "defense": defense,
                               "shift": shift, "column": odds, "result": code,
                               "tone": result_tone(result) });
                key("combat")
                    .with("target", self.hex(target))
                    .number("attack", attack)
                    .number("defense", defense)
                    .number("shift", shift)
                    .text("column", odds)
                    .text("result", code)
            }
            Event::FireFight { lead, result } => {
                key("fire_fight").with("lead", self.unit(lead)).text("result", result_code(result))
            }
            Event::Engage => key("engage"),
            Event::DeterminedDefense { lead, success } => {
                key(if success { "determined_defense.yes" } else { "determined_defense.no" })
                    .with("lead", self.unit(lead))
            }
            Event::Rally { unit, success } => {
                key(if success { "rally.yes" } else { "rally.no" }).with("unit", self.unit(unit))
            }
            Event::Disengagement { unit, retreat, disrupted } => {
                let name = match (retreat, disrupted) {
                    (true, false) => "disengagement.yes",
                    (true, true) => "disengagement.yes_disrupted",
                    (false, false) => "disengagement.no",
                    (false, true) => "disengagement.no_disrupted",
                };
                key(name).with("unit", self.unit(unit))
            }
            Event::Surprise { unit, success } => {
                key(if success { "surprise.yes" } else { "surprise.no" }).with("unit", self.unit(unit))
            }
            Event::Infiltration { unit, success } => {
                key(if success { "infiltration.yes" } else { "infiltration.no" })
                    .with("unit", self.unit(unit))
            }
            Event::Landing { unit, landing } => {
                let name = match landing {
                    crate::pack::Landing::Full => "landing.full",
                    crate::pack::Landing::Reduced => "landing.reduced",
                    crate::pack::Landing::Eliminated => "landing.eliminated",
                };
                key(name).with("unit", self.unit(unit))
            }
            Event::Arrival { unit, arrives } => {
                let name = match arrives {
                    Some(true) => "arrival.now",
                    None => "arrival.delayed",
                    Some(false) => "arrival.never",
                };
                key(name).with("unit", self.unit(unit))
            }
            Event::Supply { unit, supplied } => {
                key(if supplied { "supply.in" } else { "supply.out" }).with("unit", self.unit(unit))
            }
            Event::Isolated { group, points } => {
                key("isolated").number("group", group).number("points", points)
            }
        };
        Entry {
            audience: Audience::All,
            seat: self.seat_of(event),
            topic: event.topic(),
            message,
            level,
            data,
        }
    }

    fn seat_of(&self, event: &Event) -> Option<kernel::Seat> {
        match *event {
            Event::Step { unit, .. } | Event::Moved { unit, .. } => Some(seat(self.rules.counter(unit).side)),
            Event::Phase { side, .. } | Event::Attack { side, .. } | Event::AttackSupport { side, .. } => {
                Some(seat(side))
            }
            _ => None,
        }
    }
}

/// A result as the tables print it.
pub fn result_code(result: crate::pack::CombatResult) -> &'static str {
    use crate::pack::CombatResult::*;
    match result {
        D1Star => "D1*",
        Dr4Star => "DR4*",
        Dr4 => "DR4",
        Dr3 => "DR3",
        Dr2 => "DR2",
        Ff => "FF",
        FfPlus1 => "FF(+1)",
        Ex => "EX",
        Eng => "Eng",
        A1Eng => "A1/Eng",
        A1 => "A1",
        D1 => "D1",
        A1D1 => "A1/D1",
        A1Dr2 => "A1/DR2",
        EngPlus => "Eng+",
    }
}

/// Whom a result harms.
const fn result_tone(result: crate::pack::CombatResult) -> Tone {
    use crate::pack::CombatResult::*;
    match result {
        D1Star | Dr4Star | Dr4 | Dr3 | Dr2 | D1 => Tone::Good,
        A1 | A1Eng => Tone::Bad,
        Ff | FfPlus1 | Ex | Eng | A1D1 | A1Dr2 | EngPlus => Tone::Plain,
    }
}

const fn elimination_key(why: Elimination) -> &'static str {
    match why {
        Elimination::Losses => "elimination.losses",
        Elimination::NoRetreat => "elimination.no_retreat",
        Elimination::OffMap => "elimination.off_map",
        Elimination::Artillery => "elimination.artillery",
        Elimination::Broken => "elimination.broken",
        Elimination::OutOfSupply => "elimination.out_of_supply",
        Elimination::Engineers => "elimination.engineers",
        Elimination::AttackedAgain => "elimination.attacked_again",
        Elimination::Stacking => "elimination.stacking",
        Elimination::Landing => "elimination.landing",
    }
}
