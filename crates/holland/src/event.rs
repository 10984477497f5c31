//! Events.

use hexgrid::HexId;
use serde_json::json;
use zocbond::UnitId;

use kernel::log::Event as Logged;
use kernel::view::Tone;
use kernel::{Arg, Audience, Entry, Message, Seat, SeatSet, Topic};

use crate::frame::Phase;
use crate::pack::{Side, Weather};
use crate::state::{Bridge, Fighters, Order, Units};
use crate::world::Holland;

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Turn(u8),
    Phase(Side, Phase),
    Weather([Weather; 2]),
    Moved {
        unit: UnitId,
        to: HexId,
    },
    Left {
        unit: UnitId,
    },
    Landed {
        unit: UnitId,
        at: HexId,
        scattered: bool,
        steps: u8,
    },
    Resupplied {
        unit: UnitId,
        arrived: bool,
    },
    Revealed {
        hex: HexId,
        unit: Option<UnitId>,
    },
    /// 25.5: the German player looks under the Unknown counters.
    Looked,
    /// What he sees; none is a Garrison.
    Saw {
        hex: HexId,
        unit: Option<UnitId>,
    },
    Bridge {
        bridge: u16,
        to: Bridge,
    },
    Attack {
        side: Side,
        target: HexId,
        with: Fighters,
    },
    /// Guns and aircraft that support the attack (17.6, 10.7).
    Support {
        side: Side,
        target: HexId,
        guns: Units,
        air: bool,
    },
    CalledOff {
        target: HexId,
    },
    Fought {
        odds: (u16, u16),
        /// Columns to the right of the odds.
        shift: i8,
        column: u8,
        die: u8,
        result: u8,
    },
    Lost {
        unit: UnitId,
    },
    Eliminated {
        unit: UnitId,
    },
    Stood {
        unit: UnitId,
        holds: bool,
    },
    Retreated {
        unit: UnitId,
        to: HexId,
    },
    Advanced {
        unit: UnitId,
        to: HexId,
    },
    Ordered {
        unit: UnitId,
        order: Order,
    },
    Engaged {
        unit: UnitId,
    },
    Supply {
        unit: UnitId,
        level: u8,
    },
    Ready {
        unit: UnitId,
    },
    Replaced {
        unit: UnitId,
    },
    BrokenDown {
        unit: UnitId,
        piece: UnitId,
    },
    Rebuilt {
        unit: UnitId,
        with: UnitId,
    },
    Dismounted {
        unit: UnitId,
        on: bool,
    },
    AutoDs {
        target: HexId,
    },
    Ferry {
        unit: UnitId,
        at: Option<hexgrid::SideId>,
    },
    Traffic {
        marker: u8,
        at: Option<HexId>,
    },
    Over(Side),
}

impl Event {
    /// What the line of the report is about.
    pub const fn topic(&self) -> Topic {
        match self {
            Event::Turn(_) => Topic::Turn,
            Event::Phase(..) => Topic::Phase,
            Event::Moved { .. } => Topic::Move,
            Event::Left { .. } => Topic::Arrival,
            Event::Landed { .. } => Topic::Flight,
            Event::Bridge { to: Bridge::Blown, .. } => Topic::Blast,
            Event::Over(_) => Topic::Over,
            Event::Attack { .. } | Event::Support { .. } | Event::CalledOff { .. } | Event::AutoDs { .. } => {
                Topic::Attack
            }
            Event::Fought { .. } | Event::Stood { .. } => Topic::Combat,
            Event::Lost { .. } | Event::Eliminated { .. } => Topic::Loss,
            Event::Retreated { .. } => Topic::Retreat,
            Event::Advanced { .. } => Topic::Advance,
            Event::Ordered { .. } | Event::Engaged { .. } => Topic::Effect,
            Event::Weather(_)
            | Event::Resupplied { .. }
            | Event::Revealed { .. }
            | Event::Looked
            | Event::Saw { .. }
            | Event::Bridge { .. }
            | Event::Supply { .. }
            | Event::Ready { .. }
            | Event::Replaced { .. }
            | Event::BrokenDown { .. }
            | Event::Rebuilt { .. }
            | Event::Dismounted { .. }
            | Event::Ferry { .. }
            | Event::Traffic { .. } => Topic::Other,
        }
    }
}

pub const fn seat(side: Side) -> Seat {
    Seat(side as u8)
}

pub fn side_of(seat: Seat) -> Side {
    if seat.0 == 0 { Side::Allied } else { Side::German }
}

pub const fn bridge_key(bridge: Bridge) -> &'static str {
    match bridge {
        Bridge::Intact => "intact",
        Bridge::Wired => "wired",
        Bridge::ToBeWired => "to_be_wired",
        Bridge::IntactAllied => "intact_allied",
        Bridge::Blown => "blown",
        Bridge::Repair(..) => "repair",
    }
}

pub const fn order_key(order: Order) -> &'static str {
    match order {
        Order::Good => "good_order",
        Order::Disrupted => "disrupted",
        Order::FullRetreat => "full_retreat",
    }
}

/// Events as log entries. All of them are public: what is hidden is hidden from both sides (25.5).
pub fn report(rules: &Holland, event: &Logged<Event>, out: &mut Vec<Entry>) {
    let id = |unit: &UnitId| rules.counter(*unit).id.clone();
    let hex = |hex: &HexId| rules.label(*hex).to_owned();
    let mut entry = Entry {
        audience: Audience::All,
        seat: None,
        topic: match event {
            Logged::Roll(_) => Topic::Roll,
            Logged::Game(event) => event.topic(),
        },
        message: Message::new("log.none"),
        level: 1,
        data: serde_json::Value::Null,
    };
    let mover = |unit: &UnitId| Some(seat(rules.counter(*unit).side));
    match event {
        Logged::Roll(roll) => {
            let message = Message::new("log.roll").term("purpose", roll.purpose);
            entry = Entry::roll(roll, message.number("value", i64::from(roll.value)));
        }
        Logged::Game(event) => match event {
            Event::Turn(turn) => {
                entry.level = 0;
                entry.message = Message::new("log.turn").number("n", i64::from(*turn));
                entry.data = json!({ "kind": "turn", "turn": turn });
            }
            Event::Phase(side, phase) => {
                entry.level = 0;
                entry.seat = Some(seat(*side));
                entry.message = Message::new("log.phase")
                    .term("side", format!("side.{}", side.key()))
                    .term("phase", format!("phase.{}", phase.key()));
                entry.data = json!({ "kind": "phase", "side": side.key(), "phase": phase.key() });
            }
            Event::Weather([am, pm]) => {
                entry.message = Message::new("log.weather")
                    .term("am", format!("weather.{}", am.key()))
                    .term("pm", format!("weather.{}", pm.key()));
                entry.data = json!({ "kind": "weather", "am": am.key(), "pm": pm.key() });
            }
            Event::Moved { unit, to } => {
                entry.seat = mover(unit);
                entry.message = Message::new("log.moved").unit("unit", id(unit)).place("to", hex(to));
                entry.data = json!({ "kind": "move", "unit": id(unit), "to": hex(to) });
            }
            Event::Left { unit } => {
                entry.seat = mover(unit);
                entry.message = Message::new("log.left").unit("unit", id(unit));
                entry.data = json!({ "kind": "left", "unit": id(unit) });
            }
            Event::Landed { unit, at, scattered, steps } => {
                entry.seat = mover(unit);
                // A step that is lost has its own line.
                let key = if *scattered { "log.scattered" } else { "log.landed" };
                entry.message = Message::new(key).unit("unit", id(unit)).place("at", hex(at));
                entry.data = json!({ "kind": "landed", "unit": id(unit), "at": hex(at), "scattered": scattered,
                                     "steps": steps });
            }
            Event::Resupplied { unit, arrived } => {
                entry.seat = mover(unit);
                let key = if *arrived { "log.resupplied" } else { "log.resupply_lost" };
                entry.message = Message::new(key).unit("unit", id(unit));
                entry.data = json!({ "kind": "resupply", "unit": id(unit), "arrived": arrived });
            }
            Event::Revealed { hex: at, unit } => {
                let key = if unit.is_some() { "log.revealed" } else { "log.garrison" };
                let message = Message::new(key).place("at", hex(at));
                entry.message = match unit {
                    Some(unit) => message.unit("unit", id(unit)),
                    None => message,
                };
                entry.data = json!({ "kind": "revealed", "at": hex(at), "unit": unit.as_ref().map(id) });
            }
            Event::Looked => {
                entry.seat = Some(seat(Side::German));
                entry.message = Message::new("log.looked");
                entry.data = json!({ "kind": "looked" });
            }
            Event::Saw { hex: at, unit } => {
                entry.audience = Audience::Only(SeatSet::one(seat(Side::German))); // 25.5
                entry.level = 2;
                let key = if unit.is_some() { "log.saw" } else { "log.saw_garrison" };
                let message = Message::new(key).place("at", hex(at));
                entry.message = match unit {
                    Some(unit) => message.unit("unit", id(unit)),
                    None => message,
                };
                entry.data = json!({ "kind": "saw", "at": hex(at), "unit": unit.as_ref().map(id) });
            }
            Event::Bridge { bridge, to } => {
                let side = rules.map.side_label(rules.land.bridges[usize::from(*bridge)].side);
                entry.message = Message::new("log.bridge")
                    .place("at", side.clone())
                    .term("state", format!("bridge.{}", bridge_key(*to)));
                entry.data = json!({ "kind": "bridge", "at": side, "state": bridge_key(*to) });
            }
            Event::Attack { side, target, with } => {
                entry.seat = Some(seat(*side));
                let list = Arg::List(with.iter().map(|u| Arg::Unit(id(u))).collect());
                entry.message = Message::new("log.attack").with("units", list).place("target", hex(target));
                entry.data = json!({ "kind": "attack", "target": hex(target),
                                     "with": with.iter().map(id).collect::<Vec<_>>() });
            }
            Event::Support { side, target, guns, air } => {
                entry.seat = Some(seat(*side));
                let key = match (guns.is_empty(), air) {
                    (true, _) => "log.attack_support.air",
                    (false, true) => "log.attack_support.both",
                    (false, false) => "log.attack_support",
                };
                let list = Arg::List(guns.iter().map(|u| Arg::Unit(id(u))).collect());
                entry.message = Message::new(key).with("artillery", list).place("target", hex(target));
                entry.data = json!({ "kind": "support", "target": hex(target), "air": air,
                                     "units": guns.iter().map(id).collect::<Vec<_>>() });
            }
            Event::CalledOff { target } => {
                entry.message = Message::new("log.called_off").place("target", hex(target));
                entry.data = json!({ "kind": "called_off", "target": hex(target) });
            }
            Event::Fought { odds, shift, column, die, result } => {
                let code = &rules.pack.results[usize::from(*result)].code;
                // As printed: `D…` harms the defender, `A…` the attacker, `A1/D1` both.
                let tone = match (code.starts_with('D'), code.contains("A1") && !code.contains('D')) {
                    (true, _) => Tone::Good,
                    (_, true) => Tone::Bad,
                    _ => Tone::Plain,
                };
                let column = &rules.pack.tables.crt.columns[usize::from(*column)];
                entry.message = Message::new("log.fought")
                    .number("attack", i64::from(odds.0))
                    .number("defense", i64::from(odds.1))
                    .text("column", column.clone())
                    .text("result", code.clone());
                entry.data = json!({ "kind": "result", "attack": odds.0, "defense": odds.1, "shift": shift,
                                     "column": column, "die": die, "result": code, "tone": tone });
            }
            Event::Lost { unit } => {
                entry.message = Message::new("log.lost").unit("unit", id(unit));
                entry.data = json!({ "kind": "lost", "unit": id(unit) });
            }
            Event::Eliminated { unit } => {
                entry.message = Message::new("log.eliminated").unit("unit", id(unit));
                entry.data = json!({ "kind": "eliminated", "unit": id(unit) });
            }
            Event::Stood { unit, holds } => {
                entry.seat = mover(unit);
                let key = if *holds { "log.stood" } else { "log.did_not_stand" };
                entry.message = Message::new(key).unit("unit", id(unit));
                entry.data = json!({ "kind": "stand", "unit": id(unit), "holds": holds });
            }
            Event::Retreated { unit, to } => {
                entry.seat = mover(unit);
                entry.message = Message::new("log.retreated").unit("unit", id(unit)).place("to", hex(to));
                entry.data = json!({ "kind": "retreat", "unit": id(unit), "to": hex(to) });
            }
            Event::Advanced { unit, to } => {
                entry.seat = mover(unit);
                entry.message = Message::new("log.advanced").unit("unit", id(unit)).place("to", hex(to));
                entry.data = json!({ "kind": "advance", "unit": id(unit), "to": hex(to) });
            }
            Event::Ordered { unit, order } => {
                entry.message = Message::new("log.order")
                    .unit("unit", id(unit))
                    .term("state", format!("state.{}", order_key(*order)));
                entry.data = json!({ "kind": "order", "unit": id(unit), "order": order_key(*order) });
            }
            Event::Engaged { unit } => {
                entry.message = Message::new("log.engaged").unit("unit", id(unit));
                entry.data = json!({ "kind": "engaged", "unit": id(unit) });
            }
            Event::Supply { unit, level } => {
                entry.level = 2;
                let key = if *level == 0 { "log.supplied" } else { "log.out_of_supply" };
                entry.message = Message::new(key).unit("unit", id(unit)).number("level", i64::from(*level));
                entry.data = json!({ "kind": "supply", "unit": id(unit), "level": level });
            }
            Event::Ready { unit } => {
                entry.message = Message::new("log.ready").unit("unit", id(unit));
                entry.data = json!({ "kind": "ready", "unit": id(unit) });
            }
            Event::Replaced { unit } => {
                entry.message = Message::new("log.replaced").unit("unit", id(unit));
                entry.data = json!({ "kind": "replaced", "unit": id(unit) });
            }
            Event::BrokenDown { unit, piece } => {
                entry.seat = mover(unit);
                entry.message =
                    Message::new("log.broken_down").unit("unit", id(unit)).unit("piece", id(piece));
                entry.data = json!({ "kind": "breakdown", "unit": id(unit), "piece": id(piece) });
            }
            Event::Rebuilt { unit, with } => {
                entry.seat = mover(unit);
                entry.message = Message::new("log.rebuilt").unit("unit", id(unit)).unit("with", id(with));
                entry.data = json!({ "kind": "rebuilt", "unit": id(unit), "with": id(with) });
            }
            Event::Dismounted { unit, on } => {
                entry.seat = mover(unit);
                let key = if *on { "log.dismounted" } else { "log.mounted" };
                entry.message = Message::new(key).unit("unit", id(unit));
                entry.data = json!({ "kind": "dismounted", "unit": id(unit), "on": on });
            }
            Event::AutoDs { target } => {
                entry.message = Message::new("log.auto_ds").place("target", hex(target));
                entry.data = json!({ "kind": "auto_ds", "target": hex(target) });
            }
            Event::Ferry { unit, at } => {
                entry.seat = mover(unit);
                let side = at.map(|side| rules.map.side_label(side));
                let key = if at.is_some() { "log.ferry" } else { "log.ferry_packed" };
                let message = Message::new(key).unit("unit", id(unit));
                entry.message = match &side {
                    Some(side) => message.place("at", side.clone()),
                    None => message,
                };
                entry.data = json!({ "kind": "ferry", "unit": id(unit), "at": side });
            }
            Event::Traffic { marker, at } => {
                let key = if at.is_some() { "log.traffic" } else { "log.traffic_gone" };
                let message = Message::new(key).number("n", i64::from(*marker));
                entry.message = match at {
                    Some(at) => message.place("at", hex(at)),
                    None => message,
                };
                entry.data = json!({ "kind": "traffic", "marker": marker, "at": at.as_ref().map(hex) });
            }
            Event::Over(side) => {
                entry.level = 0;
                entry.message = Message::new("log.over").term("side", format!("side.{}", side.key()));
                entry.data = json!({ "kind": "over", "winner": side.key() });
            }
        },
    }
    out.push(entry);
}
