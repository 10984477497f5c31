//! Poison gas (44).

use hexgrid::{Direction, HexId};
use kernel::Stop;
use smallvec::SmallVec;

use crate::{
    action::{Payload, Units},
    event::Event,
    field::Terrain,
    play::Play,
    state::Flags,
    units::{Side, UnitId, UnitSet},
};

/// 44.2, 44.3: the strike has landed: the zone, who is contaminated, and the Gas Attacks.
pub(crate) fn land(play: &mut Play, side: Side, hex: HexId, what: Payload) -> Result<(), Stop> {
    let persistent = what == Payload::GasPersistent;
    play.s.change_mark(hex, |mark| {
        if persistent {
            mark.gas_persistent = true;
        } else {
            mark.gas_non_persistent = true;
        }
    });
    play.tell(Event::GasZone { side, hex, persistent });
    let mut zone: SmallVec<[HexId; 7]> = SmallVec::new();
    zone.push(hex);
    zone.extend(Direction::ALL.into_iter().filter_map(|d| play.rules.field.neighbour(hex, d)));
    // 44.7
    if zone.iter().any(|h| play.rules.field.terrain(*h) == Terrain::City) {
        play.s.sides[side.enemy().index()].gas += u16::from(play.rules.tables.victory.gas_zone_touches_city);
    }
    let mut struck = Units::new();
    for h in zone {
        let clean: Units = fresh(play, h);
        if clean.is_empty() {
            continue;
        }
        // 44.4 item 1: in the target hex without a roll; item 2: a check for each hex beside it.
        let owner = play.rules.counter(clean[0]).side;
        if h == hex || check(play, owner, h)? {
            contaminate(play, &clean);
            struck.extend(clean);
        }
    }
    // 44.5: after all of them are known.
    for unit in struck {
        let owner = play.rules.counter(unit).side;
        let steps = play.s.unit(unit).steps;
        let mut lost = 0;
        for _ in 0..steps {
            let roll = play.roll(owner, 0, "roll.gas_attack", "44.5")?;
            let gone = play.rules.tables.gas_step_lost.contains(roll);
            lost += u8::from(gone);
            play.tell(Event::GasAttack { unit, roll, lost: gone });
        }
        play.lose_steps(unit, lost);
    }
    Ok(())
}

/// The ground units of a hex that are not contaminated yet.
fn fresh(play: &Play, hex: HexId) -> Units {
    let clean = |unit: &UnitId| {
        play.rules.counter(*unit).symbol.ground()
            && play.s.unit(*unit).steps > 0
            && !play.s.unit(*unit).is(Flags::CONTAMINATED)
    };
    play.s.in_hex(hex).filter(clean).collect()
}

/// 44.4.1: one roll for the force or stack.
fn check(play: &mut Play, owner: Side, hex: HexId) -> Result<bool, Stop> {
    let roll = play.roll(owner, 0, "roll.contamination", "44.4.1")?;
    let contaminated = play.rules.tables.contamination.contains(roll);
    play.tell(Event::ContaminationCheck { hex, roll, contaminated });
    Ok(contaminated)
}

fn contaminate(play: &mut Play, units: &[UnitId]) {
    for unit in units {
        play.s.unit_mut(*unit).set(Flags::CONTAMINATED);
    }
    if !units.is_empty() {
        play.tell(Event::Contaminated { units: units.into() });
    }
}

/// 44.4 item 3: a force has entered a hex.
pub(crate) fn entered(play: &mut Play, force: &UnitSet, hex: HexId) -> Result<(), Stop> {
    if !play.rules.in_gas(play.s, hex) {
        return Ok(());
    }
    let clean: Units = force
        .iter()
        .filter(|unit| {
            play.s.unit(*unit).on_map()
                && play.s.unit(*unit).steps > 0
                && !play.s.unit(*unit).is(Flags::CONTAMINATED)
        })
        .collect();
    let Some(first) = clean.first() else { return Ok(()) };
    let owner = play.rules.counter(*first).side;
    if check(play, owner, hex)? {
        contaminate(play, &clean);
    }
    Ok(())
}

/// 10.0, 44.4 item 4: the Contamination Segment, once for each stack of active units in a Gas Zone.
pub(crate) fn segment(play: &mut Play) -> Result<(), Stop> {
    let Some(active) = play.s.active.some() else { return Ok(()) };
    let side = play.rules.formation(active).side;
    let mut hexes: SmallVec<[HexId; 8]> = SmallVec::new();
    for unit in play.rules.units_of(side) {
        let u = play.s.unit(*unit);
        if u.on_map() && !hexes.contains(&u.hex) && play.rules.in_gas(play.s, u.hex) {
            hexes.push(u.hex);
        }
    }
    for hex in hexes {
        let mut clean = fresh(play, hex);
        clean.retain(|unit| {
            play.rules.counter(*unit).side == side && play.rules.activates_with(play.s, *unit, active)
        });
        if !clean.is_empty() && check(play, side, hex)? {
            contaminate(play, &clean);
        }
    }
    Ok(())
}
