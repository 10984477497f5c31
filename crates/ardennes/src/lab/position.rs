//! Sets up a lab file's position: units, markers, control, and the moment in the sequence of play.

use hexgrid::HexId;
use kernel::{SetupError, lab::Head};

use super::{Moment, unit::PieceDef};
use crate::{
    combat::{Defenders, support},
    flags::Flags,
    frame::{Frame, Frames},
    list::List,
    pack::{BoxId, EntryId, Role, Side, Start, UnitId},
    phase::{self, Phase},
    place::Place,
    rules::Ardennes,
    setup,
    state::{Advantage, BridgeIs, DumpState, MarkerAt, State},
};

/// The position at the start of the file's phase.
pub fn set_up(
    rules: &Ardennes,
    head: &Head,
    pieces: &[PieceDef],
    at: Moment,
    inline: bool,
) -> Result<State, SetupError> {
    let mut s = if inline { blank(rules) } else { deployed(rules) };
    (s.turn, s.side, s.phase, s.night) = (at.turn, at.side, at.phase, at.phase.is_night());
    if !inline {
        make_room(rules, &mut s, pieces);
        // 27.7: a roll that was due on an earlier turn has been made.
        s.pzj653_settled = at.turn > rules.tables().special.pzj653_first_turn;
    }
    let mut advantages = Vec::new();
    for piece in pieces {
        let id = rules.pack.unit(piece.unit).id.clone();
        put(rules, &mut s, piece, at, &mut advantages)
            .map_err(|why| SetupError::Bad(format!("unit {id}: {why}")))?;
    }
    for (unit, target) in advantages {
        advantage(rules, &mut s, unit, target)?;
    }
    set_map(rules, &mut s, head, at.side, inline)?;
    place_markers(rules, &mut s, head)?;
    check_stacks(rules, &s)?;
    rules.refresh_all(&mut s);
    if s.night {
        crate::night::falls(rules, &mut s); // 25.34
    }
    begin(&mut s, at);
    Ok(s)
}

/// Restores what the file states and the opening of the phase has changed.
pub fn after_opening(rules: &Ardennes, s: &mut State, pieces: &[PieceDef], at: Moment) {
    // 15.6: in a file that begins with combat the roll for air support has already been made.
    if at.phase == Phase::Combat && at.side == Side::Allied && support::clear_sky(rules, s) {
        (s.air_rolled, s.air_left) = (true, rules.tables().air.get(6));
    }
    // 25.33, 12.7: Night, SM and Truck markers are placed in this very phase; its opening removes those of the previous
    // turn.
    for piece in pieces {
        for (name, flag) in [("night", Flags::NIGHT), ("strategic", Flags::STRATEGIC)] {
            if piece.states.iter().any(|state| state_name(state) == name) {
                s.unit_mut(piece.unit).flags.set(flag);
            }
        }
        if s.unit(piece.unit).is(Flags::ON_ROAD) {
            s.unit_mut(piece.unit).flags.set(Flags::MARKER_LAID);
        }
    }
    s.renew_stamp();
}

/// Where a file with its own map begins, if it does not say.
pub const START: Moment =
    Moment { turn: 1, side: Side::German, phase: Phase::ArtillerySupply, stated: false };

/// An empty table: Breakdown units and Remnants in their pools, nothing else.
fn blank(rules: &Ardennes) -> State {
    let mut s = State::empty();
    s.roadblocks_control = !rules.roadblocks_are_standard(); // 1E 24.8
    for unit in (0..rules.pack.units.len() as u16).map(UnitId) {
        let def = rules.pack.unit(unit);
        let pool = matches!(def.role, Role::Breakdown(_) | Role::Remnant(_));
        rules.put(&mut s, unit, if pool { Place::Pool } else { Place::Gone });
    }
    s
}

/// A scenario with its shipped deployment.
fn deployed(rules: &Ardennes) -> State {
    let mut s = setup::start(rules);
    for placement in &rules.scenario.placements {
        let waiting = s.unit(placement.unit).place() == Place::SetUp;
        let hex = rules.map.board.find(&placement.hex.to_string()).ok();
        if let Some(hex) = hex.filter(|hex| waiting && rules.land.in_play.contains(*hex)) {
            rules.put(&mut s, placement.unit, Place::Hex(hex));
            s.set_control(hex, rules.counter(placement.unit).side);
        }
    }
    s
}

/// The file's units take precedence: enemy units that the scenario has put in their hexes are removed.
fn make_room(rules: &Ardennes, s: &mut State, pieces: &[PieceDef]) {
    for piece in pieces {
        let Some(Ok(Place::Hex(hex))) = piece.at.as_deref().map(|label| place(rules, label)) else {
            continue;
        };
        let side = rules.counter(piece.unit).side;
        let in_the_way = |s: &State| {
            s.stack(hex).find(|u| rules.counter(*u).side != side && pieces.iter().all(|p| p.unit != *u))
        };
        while let Some(unit) = in_the_way(s) {
            rules.take_off(s, unit, Place::Gone);
        }
    }
}

fn put(
    rules: &Ardennes,
    s: &mut State,
    piece: &PieceDef,
    at: Moment,
    advantages: &mut Vec<(UnitId, HexId)>,
) -> Result<(), String> {
    let unit = piece.unit;
    if let Some(label) = &piece.at {
        let place = place(rules, label)?;
        rules.take_off(s, unit, place);
        if let Some(hex) = place.hex() {
            s.set_control(hex, rules.counter(unit).side);
        }
        // 11.9, 31.2: units that have left the map count as exited.
        if matches!(place, Place::Antwerp | Place::Exited) && rules.counter(unit).side == Side::German {
            s.exited_attack += u16::from(rules.factors(s, unit).attack);
        }
    } else if matches!(rules.pack.unit(unit).start, Start::Pool) && s.unit(unit).place() == Place::Gone {
        return Err("hex: is missing".into());
    }
    if let Some(parent) = &piece.parent {
        let parent = rules.pack.unit_by_slug(parent).ok_or_else(|| format!("parent: no unit `{parent}`"))?;
        s.unit_mut(unit).set_parent(Some(parent));
    }
    s.unit_mut(unit).points = piece.points;
    for state in &piece.states {
        let name = state_name(state);
        let target = state.split_once(':').map(|(_, target)| target.trim());
        match (name, target) {
            ("ready", None) => s.unit_mut(unit).flags.clear(Flags::FIRED),
            ("improved_position" | "ip", None) => {
                s.improved.insert(hex_of(s, unit, name)?);
            }
            ("building_ip", None) => {
                s.digging.insert(hex_of(s, unit, name)?);
                // 15.8: in its own Combat Phase this is what the unit did instead of moving.
                if at.phase == Phase::Combat && rules.counter(unit).side == at.side {
                    s.unit_mut(unit).flags.set(Flags::DUG);
                }
            }
            ("surrender", Some(points)) => {
                let points = points.parse().map_err(|_| unknown_state(state))?;
                s.unit_mut(unit).points = points;
            }
            ("attackers_advantage", Some(target)) => {
                hex_of(s, unit, name)?;
                advantages.push((unit, hex(rules, target)?));
            }
            ("broken", None) => s.unit_mut(unit).flags.set(Flags::BROKEN | Flags::DISRUPTED),
            (name, None) => {
                let flag = Flags::NAMED.iter().find(|(_, key)| *key == name);
                let (flag, _) = flag.ok_or_else(|| unknown_state(state))?;
                s.unit_mut(unit).flags.set(*flag);
                if *flag == Flags::NIGHT {
                    let side = rules.counter(unit).side.index();
                    let hex = s.unit(unit).hex();
                    let first =
                        hex.is_none_or(|hex| s.stack(hex).all(|u| u == unit || !s.unit(u).is(Flags::NIGHT)));
                    s.night_stacks[side] += u8::from(first);
                }
            }
            _ => return Err(unknown_state(state)),
        }
    }
    Ok(())
}

/// The canonical name of a state, given any of its names.
fn state_name(state: &str) -> &str {
    let name = state.split_once(':').map_or(state, |(name, _)| name).trim();
    match name {
        "improved" => "improved_position",
        "ip_under_construction" | "under_construction" | "digging" => "building_ip",
        "aa" | "advantage" | "attacker_advantage" => "attackers_advantage",
        "sm" | "strategic_movement" => "strategic",
        "out_of_supply" => "oos",
        "trucks" => "truck",
        "eng" => "engaged",
        "night_marker" => "night",
        "replacement" => "replaced",
        "surrender_points" => "surrender",
        name => name,
    }
}

fn unknown_state(state: &str) -> String {
    format!(
        "state: unknown state `{state}`; there is disrupted, broken, engaged, oos, reduced, strategic, truck, fired, night, \
         improved_position, building_ip, attackers_advantage:HEX, replaced, prime_mover, isolated, exposed"
    )
}

fn hex_of(s: &State, unit: UnitId, state: &str) -> Result<HexId, String> {
    s.unit(unit).hex().ok_or_else(|| format!("state: {state} is for units on the map"))
}

fn hex(rules: &Ardennes, label: &str) -> Result<HexId, String> {
    let hex = rules.map.board.find(label).map_err(|e| e.to_string())?;
    if rules.land.in_play.contains(hex) { Ok(hex) } else { Err(format!("{label} is not in play")) }
}

/// A hex, a box or the Dead Pile.
fn place(rules: &Ardennes, label: &str) -> Result<Place, String> {
    let boxed = |name: &str| {
        let at = rules.pack.boxes.iter().position(|b| b.id.eq_ignore_ascii_case(name));
        at.map(|at| Place::Box(BoxId(at as u8)))
    };
    match label {
        "dead" => return Ok(Place::Dead),
        "due" => return Ok(Place::Due),
        "track" => return Ok(Place::Track),
        "antwerp" => return Ok(Place::Antwerp),
        "exited" => return Ok(Place::Exited),
        "gone" => return Ok(Place::Gone),
        "pool" => return Ok(Place::Pool),
        _ => {}
    }
    if let Some(letter) = label.strip_prefix("block:") {
        let at = rules.pack.entries.iter().position(|e| e.letter.to_string().eq_ignore_ascii_case(letter));
        let at = at.ok_or_else(|| format!("hex: no Entry Hex `{letter}`"))?;
        return Ok(Place::Blocking(EntryId(at as u8)));
    }
    if let Some(place) = boxed(label.strip_prefix("box:").unwrap_or(label)) {
        return Ok(place);
    }
    hex(rules, label).map(Place::Hex).map_err(|why| format!("hex: {why}"))
}

fn advantage(rules: &Ardennes, s: &mut State, unit: UnitId, target: HexId) -> Result<(), SetupError> {
    let Some(from) = s.unit(unit).hex() else { return Ok(()) };
    let side = rules.counter(unit).side;
    let room = match s.advantages.iter_mut().find(|a| a.from == from && a.target == target) {
        Some(marker) => marker.units.push(unit),
        None => s.advantages.push(Advantage { side, from, target, units: List::one(unit) }),
    };
    if room { Ok(()) } else { Err(SetupError::Bad("unit: too many Attacker's Advantage markers".to_owned())) }
}

/// Sets bridges and control as the file says.
fn set_map(rules: &Ardennes, s: &mut State, head: &Head, side: Side, inline: bool) -> Result<(), SetupError> {
    if inline {
        for (index, bridge) in rules.map.bridges.iter().enumerate() {
            s.bridge_mut(index).set(bridge_is(bridge.state, side));
        }
        for hex in &rules.land.in_play {
            // Towns that the file does not mention belong to the side of the nearest unit or source.
            if rules.map.control(hex).is_none()
                && s.holder(hex).is_none()
                && rules.land.hex(hex).town_or_city()
            {
                let owner = nearer(rules, s, hex);
                s.set_control(hex, owner);
            }
        }
    }
    for (index, faction) in rules.map.factions.iter().enumerate() {
        let owner = if faction == "german" { Side::German } else { Side::Allied };
        let id = rules.map.faction_id(&rules.map.factions[index]);
        for hex in &rules.land.in_play {
            if inline && id.is_some() && rules.map.control(hex) == id {
                s.set_control(hex, owner);
            }
        }
    }
    if inline {
        return Ok(());
    }
    let Some(written) = head.map else { return Ok(()) };
    let bad = |name: &str, why: &str| SetupError::Bad(format!("map.{name}: {why}"));
    if let Some(table) = written.get("control").and_then(toml::Value::as_table) {
        for (label, owner) in table {
            let at = hex(rules, label).map_err(|why| bad("control", &why))?;
            s.set_control(at, if owner.as_str() == Some("german") { Side::German } else { Side::Allied });
        }
    }
    if let Some(table) = written.get("bridge").and_then(toml::Value::as_table) {
        for label in table.keys() {
            let ends = label
                .split_once('/')
                .ok_or_else(|| bad("bridge", "must be two hexes, such as E2119/E2020"))?;
            let [a, b] = [ends.0, ends.1].map(|end| hex(rules, end).map_err(|why| bad("bridge", &why)));
            let edge = rules.land.between(a?, b?).and_then(crate::terrain::Edge::bridge);
            if let Some(index) = edge {
                s.bridge_mut(usize::from(index))
                    .set(bridge_is(rules.map.bridges[usize::from(index)].state, side));
            }
        }
    }
    Ok(())
}

/// Traffic markers, numbered in the order of their hexes, and Roadblocks: `traffic = { allied = ["1411"] }`.
fn place_markers(rules: &Ardennes, s: &mut State, head: &Head) -> Result<(), SetupError> {
    for name in super::map::MARKERS {
        let Some(table) = head.map.and_then(|map| map.get(name)) else { continue };
        let bad = |why: &str| SetupError::Bad(format!("map.{name}: {why}"));
        let table =
            table.as_table().ok_or_else(|| bad("must be hexes by side, such as { allied = [\"1411\"] }"))?;
        for (side, labels) in by_side(table).map_err(|why| bad(&why))? {
            let slots: &mut [MarkerAt] = if name == "traffic" {
                &mut s.traffic[side.index()]
            } else {
                &mut s.roadblocks[side.index()]
            };
            if labels.len() > slots.len() {
                return Err(bad(&format!("{side} has {} at most", slots.len())));
            }
            for (slot, label) in slots.iter_mut().zip(labels) {
                *slot = MarkerAt(hex(rules, label).map_err(|why| bad(&why))?);
            }
        }
    }
    remove_greif(rules, s);
    place_dumps(rules, s, head)
}

/// 24.6: removes Greif markers that left the game on an earlier turn, except those that the file places.
fn remove_greif(rules: &Ardennes, s: &mut State) {
    for turn in 1..s.turn {
        let number = rules.pack.turn(turn).map_or(0, |turn| turn.greif_removed);
        let on_map = |at: &MarkerAt| at.hex().is_some();
        if number > 0 && !s.traffic[Side::German.index()].get(usize::from(number) - 1).is_some_and(on_map) {
            s.greif_removed |= 1 << (number - 1);
        }
    }
}

/// Hexes by side: `{ allied = ["1411"] }`, or `{ "1411" = "allied" }`.
fn by_side(table: &toml::Table) -> Result<[(Side, Vec<&str>); 2], String> {
    let side = |name: &str| match name {
        "german" => Some(0),
        "allied" => Some(1),
        _ => None,
    };
    let unknown = |name: &str| format!("unknown side `{name}`; there is german, allied");
    let mut found = [(Side::German, Vec::new()), (Side::Allied, Vec::new())];
    for (key, value) in table {
        match (side(key), value) {
            (Some(owner), toml::Value::Array(list)) => {
                for label in list {
                    found[owner].1.push(label.as_str().ok_or("must be a list of hexes")?);
                }
            }
            (Some(owner), toml::Value::String(label)) => found[owner].1.push(label),
            (None, toml::Value::String(name)) if key.bytes().any(|b| b.is_ascii_digit()) => {
                found[side(name).ok_or_else(|| unknown(name))?].1.push(key);
            }
            (Some(_), _) => return Err("must be a list of hexes".into()),
            (None, _) => return Err(unknown(key)),
        }
    }
    Ok(found)
}

/// `fuel_dumps = { "1411" = "real" }`: real, dummy, revealed (real, and known to the German player), captured (32).
fn place_dumps(rules: &Ardennes, s: &mut State, head: &Head) -> Result<(), SetupError> {
    let Some(table) = head.map.and_then(|map| map.get(super::map::DUMPS)) else { return Ok(()) };
    let bad = |why: &str| SetupError::Bad(format!("map.fuel_dumps: {why}"));
    let table = table.as_table().ok_or_else(|| bad("must be hexes, such as { \"1411\" = \"real\" }"))?;
    for (label, what) in table {
        let at = hex(rules, label).map_err(|why| bad(&why))?;
        let site = rules.land.dump_sites.iter().position(|site| *site == at).filter(|n| *n < s.dumps.len());
        let site =
            site.ok_or_else(|| bad(&format!("{label} is no site of a dump, or there are too many")))?;
        let dump = &mut s.dumps[site];
        (dump.state, dump.real, dump.revealed) = match what.as_str() {
            Some("real") => (DumpState::Allied, true, false),
            Some("dummy") => (DumpState::Allied, false, false),
            Some("revealed") => (DumpState::Allied, true, true),
            Some("captured") => (DumpState::Captured, true, true),
            _ => return Err(bad(&format!("{label}: there is real, dummy, revealed, captured"))),
        };
    }
    Ok(())
}

fn bridge_is(state: atlas::BridgeState, builder: Side) -> BridgeIs {
    match state {
        atlas::BridgeState::Intact => BridgeIs::Intact,
        atlas::BridgeState::Blown => BridgeIs::Blown,
        atlas::BridgeState::UnderConstruction => BridgeIs::UnderConstruction(builder),
    }
}

fn nearer(rules: &Ardennes, s: &State, hex: HexId) -> Side {
    let near = |side: Side| {
        let all = s.held(side) | &rules.land.sources[side.index()];
        all.iter().map(|at| rules.distance(hex, at)).min().unwrap_or(u32::MAX)
    };
    if near(Side::German) < near(Side::Allied) { Side::German } else { Side::Allied }
}

/// Refuses units of both sides in one hex, and more units than a combat can hold.
fn check_stacks(rules: &Ardennes, s: &State) -> Result<(), SetupError> {
    let mixed = rules.land.in_play.iter().find(|hex| {
        let mut sides = s.stack(*hex).map(|u| rules.counter(u).side);
        let first = sides.next();
        sides.any(|side| Some(side) != first)
    });
    if let Some(hex) = mixed {
        return Err(SetupError::Bad(format!("unit: units of both sides are in {}", rules.label(hex))));
    }
    match rules.land.in_play.iter().find(|hex| s.stack(*hex).count() > Defenders::CAPACITY) {
        Some(hex) => Err(SetupError::Bad(format!(
            "unit: more than {} units are in {}",
            Defenders::CAPACITY,
            rules.label(hex)
        ))),
        None => Ok(()),
    }
}

/// Phases without decisions: a file that begins with one waits there for `done`.
const fn waits(phase: Phase) -> bool {
    matches!(phase, Phase::Fuel | Phase::Rally | Phase::Supply | Phase::Victory)
}

/// The frames of the phase.
fn begin(s: &mut State, at: Moment) {
    s.frames = Frames::one(Frame::Sequence);
    s.push_frames(phase::steps(at.phase));
    // 25.1: one phase of the night, replacements first. 1E: both sides have a phase before it, which a file need not
    // name.
    if at.phase == Phase::NightMovement {
        s.push_frames(phase::steps(Phase::NightReplacement));
    }
    if at.stated && waits(at.phase) {
        s.push_frames(&[Frame::Begin]);
    }
}
