//! Operations (13): committing one, its list of steps, and its end.

mod commit;
mod question;

use hexgrid::HexId;
use kernel::Stop;

pub use commit::{
    check_commit, check_ground, check_march, check_member, check_payer, engineers_for, lead_candidates,
    members_for, payers, payers_for,
};
pub use question::{Operations, Reserve, beyond_reach, marchers_with, pay};

use crate::{
    action::Units,
    event::Event,
    frame::{Frame, OpStep},
    movement::Way,
    play::Play,
    rules::Wurzburg,
    state::{Flags, Group, OpKind, Operation, State, Variant},
    units::{Side, UnitId, UnitSet, set_of},
};

/// 28.2: the steps of an operation after its commitment (13.2 to 13.7, 41.4, 42.0, 43.0).
pub const fn steps(kind: OpKind, variant: Variant, reversed: bool) -> &'static [OpStep] {
    use OpStep::{
        Advance, Completion, DefensiveCall, DefensiveFire, DefensiveHelicopters, Gegenangriff, Jamming,
        Movement, OffensiveCall, OffensiveFire, OffensiveHelicopters, Overrun, PointBlank, Reaction, Retreat,
    };
    match (kind, variant) {
        (OpKind::March | OpKind::Reserve, _) => &[Movement, Completion],
        (OpKind::HastyAttack, Variant::Overrun) => {
            &[Movement, DefensiveFire, Overrun, PointBlank, Completion]
        }
        (OpKind::HastyAttack, Variant::Close) => &[Movement, PointBlank, Completion],
        (OpKind::HastyAttack, Variant::Gegenangriff) if reversed => &[
            Movement,
            Jamming,
            Gegenangriff,
            OffensiveCall,
            OffensiveFire,
            Reaction,
            DefensiveCall,
            DefensiveFire,
            Retreat,
            Advance,
            Completion,
        ],
        (OpKind::HastyAttack, _) => &[
            Movement,
            Jamming,
            Gegenangriff,
            Reaction,
            DefensiveCall,
            DefensiveFire,
            OffensiveCall,
            OffensiveFire,
            Retreat,
            Advance,
            Completion,
        ],
        (OpKind::Assault, _) => &[
            Movement,
            Jamming,
            Reaction,
            DefensiveCall,
            DefensiveHelicopters,
            DefensiveFire,
            OffensiveCall,
            OffensiveHelicopters,
            OffensiveFire,
            Retreat,
            Advance,
            Completion,
        ],
    }
}

impl Wurzburg {
    /// Whether there is an enemy in the Objective Hex.
    pub fn objective_held(&self, s: &State) -> bool {
        s.op.objective.some().is_some_and(|hex| self.holds(s, hex, s.op.side.enemy()))
    }

    /// Whether a participating maneuver unit is adjacent to the Objective Hex (13.5).
    pub fn objective_reached(&self, s: &State) -> bool {
        let Some(hex) = s.op.objective.some() else { return false };
        // 38.3.2: beside the bridge that is to be destroyed.
        let banks = s.op.bridge.map(|bridge| self.banks(bridge));
        s.op.members.iter().any(|unit| {
            let u = s.unit(unit);
            let there = match &banks {
                Some(banks) => banks.contains(&u.hex),
                None => self.field.adjacent(u.hex, hex),
            };
            u.on_map() && self.counter(unit).symbol.maneuver() && there
        })
    }
}

/// Begin an operation with known participants.
pub(crate) fn begin(
    play: &mut Play,
    kind: OpKind,
    variant: Variant,
    side: Side,
    groups: &[Group],
    base: bool,
    objective: HexId,
) {
    let mut members = UnitSet::EMPTY;
    let (mut near_lead, mut began_adjacent) = (UnitSet::EMPTY, UnitSet::EMPTY);
    let range = u32::from(play.rules.tables.command.lead_unit_range);
    for group in groups {
        members |= &group.members;
        for unit in &group.members {
            let Some(hex) = play.s.unit(unit).hex.some() else { continue };
            // 12.3.2.1: the unit's hex is counted, the marker's is not.
            if group.lead != HexId::NONE && play.rules.field.distance(group.lead, hex) <= range {
                near_lead.insert(unit);
            }
            if play.rules.next_to(play.s, hex, side.enemy()) {
                began_adjacent.insert(unit);
            }
        }
    }
    for unit in &members {
        let mp = play.rules.allowance(play.s, unit, Way::Operation(kind));
        let mp = play.rules.display_mp(play.s, unit).unwrap_or(mp);
        let formation = play.rules.counter(unit).formation;
        let active = play.s.active;
        let u = play.s.unit_mut(unit);
        u.mp = mp;
        u.clear(Flags::TACTICAL);
        if play.rules.formation(formation).base && active.some().is_some() {
            u.cycle = active; // 10.1.3
        }
    }
    play.s.op = Operation {
        kind,
        variant,
        side,
        base,
        groups: groups.iter().copied().collect(),
        members,
        objective,
        near_lead,
        began_adjacent,
        max_artillery: u8::MAX,
        max_ah: u8::MAX,
        ..Operation::default()
    };
    if variant == Variant::Close {
        play.s.op.havens = crate::storm::havens_of(play, side, objective);
    }
    play.s.sky.dropped.clear();
    play.s.sky.flown = UnitSet::EMPTY;
    let units: Units = members.iter().collect();
    let formations = groups.iter().map(|group| group.formation).collect();
    play.tell(Event::Committed { kind, variant, formations, units, objective });
    play.push(Frame::Step(0));
}

/// Open a step; its frame has already been popped.
pub fn step(play: &mut Play, n: u8) -> Result<(), Stop> {
    let op = &play.s.op;
    let list = steps(op.kind, op.variant, op.reversed);
    let Some(step) = list.get(usize::from(n)).copied() else { return Ok(()) };
    play.s.op.step = n;
    if step != OpStep::Completion {
        play.push(Frame::Step(n + 1));
    }
    let side = play.s.op.side;
    match step {
        OpStep::Movement => {
            play.push(Frame::Movement);
            // 29.3.3, 29.5.1: units that drop do so first.
            if !play.rules.droppers(play.s).is_empty() {
                play.push(Frame::Drop);
            }
        }
        OpStep::Jamming => {
            if play.s.op.objective != HexId::NONE {
                crate::support::open_jamming(play);
            }
        }
        OpStep::Gegenangriff => {
            // 41.4, 13.3 step 4
            if play.s.op.variant == Variant::Gegenangriff && play.rules.objective_held(play.s) {
                let roll = play.roll(side, 0, "roll.gegenangriff", "41.4")?;
                play.s.op.reversed = play.rules.tables.gegenangriff.contains(roll);
            }
        }
        OpStep::Reaction => {
            // 19.0; 41.4: not after an elected retreat.
            let open =
                play.rules.objective_held(play.s) && !play.s.op.no_reaction && !play.s.op.retreat_elected;
            if open {
                play.push(Frame::Reaction);
            }
        }
        OpStep::DefensiveCall => crate::support::open_call(play, true),
        OpStep::OffensiveCall if play.s.op.bridge.is_some() => {}
        OpStep::OffensiveCall => crate::support::open_call(play, false),
        OpStep::DefensiveHelicopters | OpStep::OffensiveHelicopters => {
            crate::support::open_helicopters(play, step == OpStep::DefensiveHelicopters);
        }
        OpStep::DefensiveFire => {
            play.s.op.spent.clear();
            play.s.op.shot.clear();
            if !crate::storm::skips_defensive_fire(play) {
                play.push(Frame::DefensiveFire);
            }
        }
        OpStep::OffensiveFire => {
            play.s.op.spent.clear();
            play.s.op.shot.clear();
            if let Some(bridge) = play.s.op.bridge {
                if play.s.op.objective != HexId::NONE {
                    crate::crossing::storm_bridge(play, bridge); // 38.3.2
                }
            } else if play.rules.objective_held(play.s) || play.rules.storms_city(play.s) {
                play.push(Frame::OffensiveFire);
            }
        }
        OpStep::Retreat => {
            if play.s.op.retreat_elected && play.rules.objective_held(play.s) {
                play.push(Frame::Retreat);
            }
        }
        OpStep::Advance => {
            let open = play.s.op.objective != HexId::NONE
                && play.s.op.bridge.is_none()
                && !play.rules.objective_held(play.s);
            if open {
                play.push(Frame::Advance);
            }
        }
        OpStep::Overrun => crate::storm::enter(play)?,
        OpStep::PointBlank => crate::storm::open(play),
        OpStep::Completion => complete(play),
    }
    Ok(())
}

/// The Movement Step ends: stacking (14.2.4), then whether the objective is still valid (13.5).
pub fn end_of_movement(play: &mut Play) {
    let side = play.s.op.side;
    play.s.op.spent.clear();
    play.s.op.shot.clear();
    let mut hexes: smallvec::SmallVec<[HexId; 8]> = smallvec::SmallVec::new();
    let arrived = &play.s.op.moved | &play.s.sky.flown;
    for unit in &arrived {
        let hex = play.s.unit(unit).hex;
        if hex != HexId::NONE && !hexes.contains(&hex) {
            hexes.push(hex);
        }
    }
    for hex in hexes {
        if !play.rules.holds(play.s, hex, side.enemy()) {
            play.check_stack(side, hex);
        }
    }
    play.s.op.observed = play.rules.objective_reached(play.s);
    if let Some(hex) = play.s.op.objective.some().filter(|_| play.s.op.observed) {
        // 21.3.2: HQs with an observer now may call, even if Defensive Fire leaves none.
        let rules = play.rules;
        let able = |hq: &UnitId| play.s.op.members.iter().any(|unit| rules.observes(play.s, *hq, unit, hex));
        let hqs = set_of(rules.callers(play.s).into_iter().filter(able));
        play.s.op.call_hqs = hqs;
    }
    let stormed = matches!(play.s.op.variant, Variant::Overrun | Variant::Close);
    if play.s.op.objective != HexId::NONE && !play.s.op.observed && !stormed {
        // 13.5
        play.s.op.objective = HexId::NONE;
        play.tell(Event::Objective { hex: HexId::NONE });
    }
}

/// 12.6.5, 13.2, 13.3: all participants are used, markers are removed.
fn complete(play: &mut Play) {
    let side = play.s.op.side;
    crate::storm::complete(play);
    let members: Units = play.s.op.members.iter().collect();
    play.use_up(members);
    // 18.4: retreated units next to an enemy.
    let retreated: Units = play
        .s
        .op
        .retreated
        .iter()
        .filter(|unit| {
            let hex = play.s.unit(*unit).hex;
            hex != HexId::NONE && play.rules.next_to(play.s, hex, side)
        })
        .collect();
    play.use_up(retreated);
    for group in play.s.op.groups.clone() {
        if let Some(formation) = group.formation.some()
            && side == Side::Wp
            && !play.s.op.base
        {
            let f = play.s.formation_mut(formation);
            f.lead = HexId::NONE; // 12.3.2.2
            f.plan.executed = true;
        }
    }
    let kind = play.s.op.kind;
    let deferred = crate::support::deferred(play);
    play.s.op = Operation::default();
    play.s.sky.dropped.clear();
    play.s.sky.flown = UnitSet::EMPTY;
    play.tell(Event::OperationOver { kind });
    if let Some(frame) = deferred {
        play.push(frame);
    }
    // 25.2.4: attack helicopters fly home before any counter-battery fire.
    for unit in play.rules.attack_helicopters_up(play.s) {
        play.push(Frame::FlyHome(unit));
    }
}

/// The counters of a set that are still on the map.
pub fn living(s: &State, set: &UnitSet) -> UnitSet {
    set_of(set.iter().filter(|unit| s.unit(*unit).on_map()))
}
