//! Air strikes, flights and jamming as lines of the log.

use hexgrid::HexId;
use kernel::{Entry, Message};
use serde_json::{Value, json};

use super::{Names, all};
use crate::{
    pack::{AntiAircraftResult, TypeId},
    units::{Side, UnitId},
};

pub fn air_called(
    n: &Names,
    side: Side,
    hex: HexId,
    points: u8,
    aircraft: TypeId,
    roll: Option<u8>,
) -> Option<Entry> {
    let vehicle = n.0.pack.unit_type(aircraft).vehicle.clone();
    all(
        Some(side),
        1,
        Message::new("log.air_called")
            .place("hex", n.hex(hex))
            .text("aircraft", vehicle.clone())
            .number("steps", points),
        json!({ "kind": "air_call", "side": side.word(), "hex": n.place(hex), "steps": points,
                "aircraft": n.0.pack.unit_type(aircraft).id, "vehicle": vehicle, "roll": roll }),
    )
}

pub fn anti_aircraft(
    side: Side,
    sam: bool,
    strength: u8,
    dice: (u8, i8),
    result: AntiAircraftResult,
) -> Option<Entry> {
    let (roll, modified) = dice;
    let key = match result {
        AntiAircraftResult::NoEffect => "log.aa_nothing",
        AntiAircraftResult::HitCheckOrAbort => "log.aa_choice",
        AntiAircraftResult::HitCheckAndAbort => "log.aa_forced",
    };
    let word = match result {
        AntiAircraftResult::NoEffect => "no_effect",
        AntiAircraftResult::HitCheckOrAbort => "hit_check_or_abort",
        AntiAircraftResult::HitCheckAndAbort => "hit_check_and_abort",
    };
    all(
        Some(side),
        1,
        Message::new(key).number("roll", roll).number("strength", strength),
        json!({ "kind": if sam { "sam" } else { "flak" }, "side": side.word(), "strength": strength,
                "roll": roll, "modified": modified, "result": word }),
    )
}

pub fn flew(n: &Names, unit: UnitId, from: HexId, path: &[HexId]) -> Option<Entry> {
    let way: Vec<Value> = from
        .some()
        .map(|from| n.place(from))
        .into_iter()
        .chain(path.iter().map(|hex| n.place(*hex)))
        .collect();
    let to = path.last().copied().unwrap_or(from);
    all(
        n.side(unit),
        1,
        Message::new("log.flew").unit("unit", n.id(unit)).place("hex", n.hex(to)),
        json!({ "kind": "fly", "unit": n.id(unit), "units": n.ids(&[unit]), "path": way,
                "from": n.place(from), "to": n.place(to) }),
    )
}

pub fn landed(n: &Names, units: &[UnitId], hex: HexId, returned: bool) -> Option<Entry> {
    let message = match hex.some() {
        Some(_) => Message::new("log.landed").with("units", n.list(units)).place("hex", n.hex(hex)),
        None => Message::new("log.flown_back").with("units", n.list(units)),
    };
    let data = json!({ "kind": "land", "units": n.ids(units), "hex": n.place(hex), "returned": returned });
    all(n.side_of(units), 1, message, data)
}

pub fn jammed(
    n: &Names,
    hq: UnitId,
    dice: (u8, i8),
    lost: bool,
    artillery: u8,
    reaction: bool,
) -> Option<Entry> {
    let (roll, modifier) = dice;
    let key = match (lost, reaction) {
        (true, _) => "log.jam_lost",
        (false, false) => "log.jam_all",
        (false, true) if artillery == 0 => "log.jam_calls",
        (false, true) if artillery < 2 => "log.jam_limited",
        _ => "log.jam_failed",
    };
    all(
        n.side(hq),
        1,
        Message::new(key).unit("unit", n.id(hq)).number("roll", roll),
        json!({ "kind": "jamming", "hq": n.id(hq), "roll": roll, "modifier": modifier,
                "modified": i16::from(roll) + i16::from(modifier), "lost": lost,
                "artillery": if lost { Value::Null } else { json!(artillery) }, "reaction": reaction }),
    )
}
