//! Poison gas (44).

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Payload, Subject, Units},
    event::Event,
    field::Terrain,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, State},
    units::{Side, UnitId, UnitSet},
};

/// 44.2, 44.3: the strike has landed: the zone, the contaminated units, and the Gas Attacks.
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
        // 44.4 item 1: without a roll in the target hex; item 2: one check for each adjacent hex.
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
        play.lose_otherwise(unit, lost);
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

/// 44.4.1, 44.4.2: one roll for the force or stack.
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

/// 44.6: the Main HQs of a side that may still decontaminate in this step.
fn cleaners(cx: &Cx) -> Units {
    let hqs = cx.rules.hqs.iter().copied();
    hqs.filter(|hq| {
        let counter = cx.rules.counter(*hq);
        counter.side == cx.side
            && counter.main
            && cx.rules.hq_works(cx.s, *hq)
            && !cx.s.op.done.contains(*hq)
            && hexes_for(cx, *hq).next().is_some()
    })
    .collect()
}

/// Whether a unit is contaminated, in the HQ's chain and range, and not adjacent to an enemy (44.6).
fn eligible(cx: &Cx, hq: UnitId, unit: UnitId) -> bool {
    let u = cx.s.unit(unit);
    u.on_map()
        && u.is(Flags::CONTAMINATED)
        && cx.rules.counter(unit).side == cx.side
        // 30.4: any unit in its chain of command, above or below, of its own nation (30.3.2).
        && cx.rules.in_chain(cx.s, cx.rules.counter(hq).formation, cx.rules.counter(unit).formation)
        && (cx.side == Side::Wp || cx.rules.counter(hq).nation == cx.rules.counter(unit).nation)
        && cx.rules.in_range(cx.s, hq, u.hex)
        && !cx.rules.next_to(cx.s, u.hex, cx.side.enemy())
}

fn hexes_for<'a>(cx: &'a Cx<'a>, hq: UnitId) -> impl Iterator<Item = HexId> + 'a {
    let mut seen = hexgrid::HexSet::EMPTY;
    let units = cx.rules.units_of(cx.side).iter().copied().filter(move |unit| eligible(cx, hq, *unit));
    units.map(|unit| cx.s.unit(unit).hex).filter(move |hex| seen.insert(*hex))
}

/// 44.6: one hex for each Main HQ.
#[derive(Debug)]
pub struct Decontaminate;

impl Question<Wurzburg> for Decontaminate {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(if let Frame::Decontaminate(side) = frame { side } else { Side::Wp })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        cleaners(cx).is_empty().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(cleaners(cx).into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(hq) if cleaners(cx).contains(&hq) => {
                out.extend(hexes_for(cx, hq).map(|hex| Action::Clean { hq, hex }));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Clean { hq, hex } => {
                cx.rules.own(cx.side, *hq)?;
                let no = |rule, key| cx.rules.no(rule, key).unit("unit", *hq).hex("hex", *hex).into();
                if !cx.rules.counter(*hq).main {
                    return no("44.6", "clean.not_main");
                }
                if !cx.rules.hq_works(cx.s, *hq) {
                    return no("23.3.1", "clean.hq");
                }
                if cx.s.op.done.contains(*hq) {
                    return no("44.6", "clean.again");
                }
                let any = hexes_for(cx, *hq).any(|at| at == *hex);
                if any { Ok(()) } else { no("44.6", "clean.nobody") }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        let Action::Clean { hq, hex } = action else {
            play.pop();
            play.s.op = crate::state::Operation::default();
            return Ok(());
        };
        let cx = play.cx(side);
        let clean: Units = cx.s.in_hex(*hex).filter(|unit| eligible(&cx, *hq, *unit)).collect();
        for unit in &clean {
            play.s.unit_mut(*unit).clear(Flags::CONTAMINATED);
        }
        play.s.op.done.insert(*hq);
        play.tell(Event::Cleaned { units: clean.clone(), hex: *hex });
        play.use_up(clean);
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.decontaminate", "44.6")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
