//! Carries out a planned move hex by hex (11.1), with everything that may happen on the way: the Ouren bridge (7.8),
//! fuel dumps (32.1), the disguise of the 150th Panzer Brigade (27.8.2).

use hexgrid::{Direction, HexId};
use kernel::Stop;

use super::{
    plan::{Exit, Plan},
    profile::Profile,
};
use crate::{
    action::{MAX_STACK, Mode, Move, Path},
    event::{Event, Why},
    flags::Flags,
    frame::{Frame, OriginHex, Walk},
    pack::{Side, Tag, UnitId},
    place::Place,
    play::Play,
    rules::Ardennes,
    state::State,
    terrain::EdgeBits,
};

/// What each unit of a move can do.
type Profiles = [Option<Profile>; MAX_STACK];

/// Makes a planned move.
pub fn make(play: &mut Play, side: Side, mv: &Move, plan: &Plan) -> Result<(), Stop> {
    let rules = play.rules;
    let start = mv.units.first().and_then(|u| play.s.unit(*u).hex());
    if play.s.walk.units != mv.units {
        play.s.walk = Walk {
            units: mv.units,
            mode: mv.mode,
            origin: OriginHex(start.unwrap_or(HexId::NONE)),
            ..Walk::default()
        };
    }
    // The cost of each unit of a stack, and of one that may be interrupted, is computed before the first step, because
    // the position changes with each step.
    let mut costs = [plan.cost; MAX_STACK];
    let profiles = (mv.units.len() > 1 || ouren_waits(rules, play.s, side)).then(|| {
        let profiles = profiles_of(rules, play.s, side, mv);
        pay(rules, play.s, &profiles[1..], plan.entry, &plan.path, &mut costs[1..]);
        profiles
    });
    let mut at = start.unwrap_or(plan.entry);
    if start.is_none() {
        tell_step(play, &mv.units, None, at, Why::Enter);
        entered(play, side, at)?;
    }
    let mut walked = 0;
    for direction in plan.path.iter() {
        // The table of hexsides is large and seldom in the cache; the table of hexes is enough here.
        let to = rules.land.beyond(at, direction);
        if ouren_waits(rules, play.s, side) && is_ouren(rules, at, to) {
            crate::bridges::ouren(play)?;
            if !still_open(rules, play.s, side, mv, at, direction) {
                break; // 7.8: the bridge is gone
            }
        }
        note_crossing(play, mv, at, to);
        tell_step(play, &mv.units, Some(at), to, Why::Move);
        walked += 1;
        at = to;
        entered(play, side, at)?;
    }
    let broken_off = walked < plan.path.len();
    if let Some(profiles) = profiles.filter(|_| broken_off) {
        let path = plan.path.iter().take(walked).collect();
        pay(rules, play.s, &profiles, plan.entry, &path, &mut costs);
    }
    for (unit, cost) in mv.units.iter().zip(costs) {
        let u = play.s.unit_mut(*unit);
        u.spent = u.spent.saturating_add(cost.min(u16::from(u8::MAX)) as u8);
        if start.is_none() {
            u.flags.set(Flags::ARRIVED);
        }
        take_marker(play, *unit, mv.mode);
        if play.s.unit(*unit).hex() != Some(at) {
            rules.put(play.s, *unit, Place::Hex(at));
        }
    }
    if broken_off {
        play.then(&[Frame::Walk]);
        return Ok(());
    }
    if may_infiltrate(rules, play.s, side, &mv.units, at) && plan.out.is_none() {
        play.then(&[Frame::Infiltrate]);
        return Ok(());
    }
    if let Some(exit) = plan.out {
        for unit in &mv.units {
            leave(play, *unit, at, exit);
        }
    }
    finish(play);
    Ok(())
}

#[inline(never)]
fn profiles_of(rules: &Ardennes, s: &State, side: Side, mv: &Move) -> Profiles {
    let mut profiles = [None; MAX_STACK];
    for (profile, unit) in profiles.iter_mut().zip(&mv.units) {
        *profile = rules.profile(s, side, *unit, mv.mode).ok();
    }
    profiles
}

/// The cost of a path for each unit.
#[inline(never)]
fn pay(
    rules: &Ardennes,
    s: &State,
    profiles: &[Option<Profile>],
    entry: HexId,
    path: &Path,
    costs: &mut [u16],
) {
    for (cost, p) in costs.iter_mut().zip(profiles) {
        if let Some(p) = p {
            *cost = rules.walk_cost(s, p, entry, path).unwrap_or(*cost);
        }
    }
}

/// Logs one more hex.
fn tell_step(play: &mut Play, units: &[UnitId], from: Option<HexId>, to: HexId, why: Why) {
    for unit in units {
        play.tell(Event::Step { unit: *unit, from, to, why });
    }
    play.s.walk.hexes += 1;
}

/// Ends the move of `State::walk`.
pub fn finish(play: &mut Play) {
    let walk = play.s.walk;
    for unit in &walk.units {
        let u = play.s.unit_mut(*unit);
        u.flags.set(Flags::MOVED);
        // 1E 25.3: moving more than one hex excludes a unit from the night, whatever the cost.
        if walk.mode == Mode::Tactical || play.rules.night_counts_hexes() && walk.hexes > 1 {
            u.flags.set(Flags::TACTICAL);
        }
        let cost = u.spent;
        let counter = play.rules.counter(*unit);
        // 22.1: Allied artillery that moved more than one hex, or off the map, becomes Fired; 23.4: out of supply it
        // uses Tactical Movement, which is not the shift of 22.2. 1E 18.2: a Disrupted unit's one hex is such a shift.
        let u = play.s.unit(*unit);
        let tactical = walk.mode == Mode::Tactical && !u.is(Flags::DISRUPTED);
        if counter.artillery
            && counter.side == Side::Allied
            && (tactical || walk.hexes > 1 || u.hex().is_none())
        {
            play.mark(*unit, Flags::FIRED);
        }
        play.tell(Event::Moved { unit: *unit, mode: walk.mode, cost });
    }
    play.s.walk = Walk::default();
}

/// 12.4, 12.7, 22.3: removes the marker of a unit that moves in another mode, and places one on a unit that needs it.
fn take_marker(play: &mut Play, unit: UnitId, mode: Mode) {
    let flag = match mode {
        Mode::Strategic => Flags::STRATEGIC,
        Mode::Truck => Flags::TRUCK,
        Mode::PrimeMover => Flags::PRIME_MOVER,
        Mode::Normal | Mode::Extended | Mode::Tactical => {
            play.unmark(unit, Flags::ON_ROAD);
            return;
        }
    };
    play.mark(unit, flag);
    play.s.unit_mut(unit).flags.set(Flags::MARKER_USED);
    if play.rules.airborne_turn(play.s) {
        free_a_marker(play);
    }
}

/// 31.2, 12.7: airborne units take unused markers from other units.
fn free_a_marker(play: &mut Play) {
    let (rules, side) = (play.rules, Side::Allied);
    let limit = rules.tables().markers.strategic[side.index()];
    while rules.markers_in_use(play.s, side) > limit {
        let unused = |u: &crate::state::Unit| u.is(Flags::ON_ROAD) && !u.is(Flags::MARKER_USED);
        let Some(unit) = rules.units_where(play.s, side, unused).iter().next() else { return };
        play.unmark(unit, Flags::ON_ROAD);
    }
}

/// Must the die for the Ouren bridge still be rolled when a unit of this side crosses it (7.8)?
fn ouren_waits(rules: &Ardennes, s: &State, side: Side) -> bool {
    side == Side::German && !s.ouren_rolled && !rules.ouren_rolled_beside_it()
}

/// After the roll for a bridge: can all units still cross?
fn still_open(rules: &Ardennes, s: &State, side: Side, mv: &Move, from: HexId, direction: Direction) -> bool {
    mv.units.iter().all(|unit| {
        rules
            .profile(s, side, *unit, mv.mode)
            .is_ok_and(|p| rules.pace(s, &p, from, direction, s.walk.crossings > 0).is_ok())
    })
}

/// Counts hard crossings (11.4, 11.6) and uses up 29.2.
fn note_crossing(play: &mut Play, mv: &Move, from: HexId, to: HexId) {
    let rules = play.rules;
    let echternach = rules.land.echternach == Some([from, to]);
    let hard = || rules.land.between(from, to).is_some_and(|edge| Ardennes::crossing_of(play.s, edge).hard());
    // In other modes there are no hard crossings.
    if !(mv.mode == Mode::Tactical || rules.crosses_in_any_mode() || echternach) {
        debug_assert!(mv.units.first().is_none_or(|u| rules.counter(*u).vehicle) || !hard());
        return;
    }
    if mv.units.first().is_some_and(|u| !rules.counter(*u).vehicle) && hard() {
        play.s.walk.crossings += 1;
        if echternach && mv.mode != Mode::Tactical {
            play.s.echternach_used = true;
        }
    }
}

/// The effects of entering a hex, whatever the kind of move: control (30.1), Roadblocks (33.3), the Meuse (27.3), fuel
/// dumps (32.1).
pub fn entered(play: &mut Play, side: Side, hex: HexId) -> Result<(), Stop> {
    let s = &mut *play.s;
    s.set_control(hex, side);
    for (passed, block) in s.roadblock_passed.iter_mut().zip(s.roadblocks[side.enemy().index()]) {
        *passed |= block.hex() == Some(hex);
    }
    if side == Side::German {
        s.meuse_crossed |= play.rules.land.west_of_meuse.contains(hex);
        if play.rules.options.fuel_dumps {
            crate::fuel_dumps::german_near(play, hex);
        }
        // 1E 7.8: rolled when German units first move adjacent to the bridge.
        if play.rules.ouren_rolled_beside_it() && !play.s.ouren_rolled && near_ouren(play.rules, hex) {
            crate::bridges::ouren(play)?;
        }
    } else {
        crate::fuel_dumps::allied_enters(play, hex); // 32.2
    }
    Ok(())
}

fn near_ouren(rules: &Ardennes, hex: HexId) -> bool {
    rules.land.ouren.is_some_and(|bridge| rules.land.bridges[bridge as usize].contains(&hex))
}

/// Are these two neighbours joined by the Ouren bridge (7.8)?
fn is_ouren(rules: &Ardennes, a: HexId, b: HexId) -> bool {
    near_ouren(rules, a) && near_ouren(rules, b)
}

/// 11.9, 31.2: the unit leaves the map.
fn leave(play: &mut Play, unit: UnitId, from: HexId, exit: Exit) {
    let attack = u16::from(play.rules.factors(play.s, unit).attack);
    match exit {
        Exit::Box(id) => {
            play.rules.put(play.s, unit, Place::Box(id));
            play.tell(Event::ToBox { unit, to: id });
        }
        Exit::Antwerp => {
            play.s.exited_attack += attack;
            if play.rules.antwerp_closes_both_entries() {
                // 1E 30.2 A: both F and G are closed.
                for (entry, def) in play.rules.pack.entries.iter().enumerate() {
                    play.s.entries_lost |= u16::from(def.antwerp_exit) << entry;
                }
            } else if let Some(entry) = play.rules.land.entry_at(from) {
                play.s.entries_lost |= 1 << entry.0;
            }
            play.rules.put(play.s, unit, Place::Antwerp);
            play.tell(Event::ToAntwerp { unit });
        }
        Exit::WestEdge => {
            play.s.exited_attack += attack;
            if !play.s.exit_hexes.contains(from) {
                play.s.exit_hexes.add(from);
            }
            play.rules.put(play.s, unit, Place::Exited);
            play.tell(Event::Exited { unit });
        }
    }
}

/// 27.8.2: the 150th Panzer Brigade alone, not Exposed, in an EZOC, and able to move on.
fn may_infiltrate(rules: &Ardennes, s: &State, side: Side, units: &[UnitId], hex: HexId) -> bool {
    let &[unit] = units else { return false };
    side == Side::German
        && rules.counter(unit).has(Tag::Brigade150)
        && !s.unit(unit).is(Flags::EXPOSED)
        && s.in_ezoc(side, hex)
        && rules.infiltration_allowed(s)
        && could_go_on(rules, s, side, unit, s.walk.mode)
}

/// Is there a step it could still afford?
fn could_go_on(rules: &Ardennes, s: &State, side: Side, unit: UnitId, mode: Mode) -> bool {
    let Ok(p) = rules.profile(s, side, unit, mode) else { return false };
    p.hexes > 0
        && Direction::ALL
            .into_iter()
            .any(|d| rules.pace(s, &p, p.start, d, false).is_ok_and(|pace| p.free || pace.cost <= p.left))
}

/// 27.8.2: the die.
pub fn infiltrate(play: &mut Play, attempt: bool) -> Result<(), Stop> {
    play.pop();
    let Some(&unit) = play.s.walk.units.first() else { return Ok(()) };
    if !attempt {
        finish(play);
        return Ok(());
    }
    let die = play.roll(Side::German, 0, "roll.infiltration", "27.8.2")?;
    let success = die <= play.rules.tables().special.infiltration_max;
    play.tell(Event::Infiltration { unit, success });
    if success {
        play.s.unit_mut(unit).flags.set(Flags::DISGUISE_USED);
        play.then(&[Frame::Walk]);
    } else {
        play.mark(unit, Flags::EXPOSED);
        finish(play);
    }
    Ok(())
}

impl Ardennes {
    // 1E 27.12
    /// 27.8.1; 1E: only until 17 PM.
    fn infiltration_allowed(&self, s: &State) -> bool {
        const LAST_TURN_1E: u8 = 4;
        !self.infiltration_ends() || s.turn <= LAST_TURN_1E
    }

    /// Can the unit of an interrupted move still go anywhere?
    pub(super) fn walk_goes_on(&self, s: &State, side: Side) -> bool {
        s.walk.units.first().is_some_and(|unit| could_go_on(self, s, side, *unit, s.walk.mode))
    }

    /// Is the river on this hexside the Meuse?
    pub fn is_meuse(&self, from: HexId, to: HexId) -> bool {
        self.land.between(from, to).is_some_and(|edge| edge.is(EdgeBits::MEUSE))
    }

    /// The steps of a path as hexes.
    pub fn hexes_of(&self, from: HexId, path: &Path) -> impl Iterator<Item = HexId> + '_ {
        let mut at = from;
        let path = *path;
        (0..path.len()).map_while(move |i| {
            at = self.land.neighbour(at, path.get(i)?)?;
            Some(at)
        })
    }
}
