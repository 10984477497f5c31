//! The Sequence of Play (9.0): phases, and what the Reorganization Phase does.

use hexgrid::HexId;
use kernel::Stop;
use serde::{Deserialize, Serialize};

use crate::{
    event::Event,
    frame::Frame,
    play::Play,
    rules::Wurzburg,
    state::{Chit, Ew, Flags, OpKind, Payer, Place, Plan, State},
    units::{FormationId, Side, Symbol},
};

/// The phases of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Reinforcement,
    Planning,
    Maneuver,
    Reserve,
    Engineering,
    Reorganization,
}

impl Phase {
    pub const ALL: [Phase; 6] = [
        Phase::Reinforcement,
        Phase::Planning,
        Phase::Maneuver,
        Phase::Reserve,
        Phase::Engineering,
        Phase::Reorganization,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Phase::Reinforcement => "reinforcement",
            Phase::Planning => "planning",
            Phase::Maneuver => "maneuver",
            Phase::Reserve => "reserve",
            Phase::Engineering => "engineering",
            Phase::Reorganization => "reorganization",
        }
    }

    pub const fn rule(self) -> &'static str {
        match self {
            Phase::Planning => "12.3",
            Phase::Maneuver => "8.1.2",
            Phase::Reserve => "13.6.3",
            Phase::Engineering => "33.0",
            Phase::Reinforcement | Phase::Reorganization => "9.0",
        }
    }

    pub const fn next(self) -> Option<Phase> {
        match self {
            Phase::Reinforcement => Some(Phase::Planning),
            Phase::Planning => Some(Phase::Maneuver),
            Phase::Maneuver => Some(Phase::Reserve),
            Phase::Reserve => Some(Phase::Engineering),
            Phase::Engineering => Some(Phase::Reorganization),
            Phase::Reorganization => None,
        }
    }
}

/// The frames of a phase, in order.
pub const fn frames(phase: Phase) -> &'static [Frame] {
    match phase {
        Phase::Reinforcement => &[Frame::Rows(Side::Wp), Frame::Rows(Side::Nato)],
        Phase::Engineering => &[Frame::Engineering(Side::Wp), Frame::Engineering(Side::Nato)],
        Phase::Planning => &[Frame::Planning, Frame::EndPlanning],
        Phase::Maneuver => &[Frame::Initiative],
        Phase::Reserve => &[Frame::ReserveInitiative],
        Phase::Reorganization => &[
            Frame::Ready,
            Frame::Decontaminate(Side::Wp),
            Frame::Decontaminate(Side::Nato),
            Frame::Reorganization,
            Frame::HqReturn(Side::Wp),
            Frame::HqReturn(Side::Nato),
            Frame::Points,
            Frame::EndTurn,
        ],
    }
}

impl Wurzburg {
    /// 2.7, 32.0: the box of the Game Turn Track of a turn.
    pub fn turn_box(&self, turn: u8) -> Option<&crate::pack::TurnBox> {
        let n = usize::from(self.scenario.start_box) + usize::from(turn);
        self.tables.turns.get(n.checked_sub(2)?)
    }
}

/// 9.0: continue with the next phase, or the next turn.
pub fn next(play: &mut Play) {
    let phase = play.s.phase.next().unwrap_or(Phase::Reinforcement);
    begin(play, phase);
}

/// Opens a phase.
pub fn begin(play: &mut Play, phase: Phase) {
    play.s.phase = phase;
    // 46.7.3: the last turn has no Reorganization Phase.
    if phase == Phase::Reorganization && play.s.turn >= play.rules.scenario.turns {
        return crate::victory::finish(play);
    }
    if phase == Phase::Reinforcement {
        crate::entry::arrive(play);
    }
    if phase == Phase::Planning {
        crate::planning::open(play.rules, play.s);
    }
    play.tell(Event::Phase { phase });
    if phase == Phase::Engineering && !play.rules.scenario.has(crate::pack::System::Engineers) {
        return;
    }
    play.then(frames(phase));
}

/// 9.0 F, steps 1 and 2. Both players at once.
pub fn make_ready(play: &mut Play) {
    markers(play.rules, play.s);
    ready(play.rules, play.s);
}

/// Step 5.
pub fn reorganize(play: &mut Play) -> Result<(), Stop> {
    if play.rules.scenario.has(crate::pack::System::Shatter) {
        crate::shatter::check(play)?;
    }
    Ok(())
}

/// Steps 7 and 8.
pub fn points(play: &mut Play) {
    let turn = play.s.turn + 1;
    restore(play.rules, play.s, turn);
}

/// Step 1: remove Disrupted (except from WP HQs), Fired, Smoke and Non-Persistent Gas markers.
fn markers(rules: &Wurzburg, s: &mut State) {
    for unit in s.ids() {
        let hq = rules.counter(unit).symbol == Symbol::Hq && rules.counter(unit).side == Side::Wp;
        let u = s.unit_mut(unit);
        if !hq {
            u.clear(Flags::DISRUPTED); // 23.3.2
        }
        u.clear(Flags::FIRED);
        u.clear(Flags::FIRED_NOW);
    }
    for mark in &mut s.marks {
        (mark.smoke, mark.gas_non_persistent) = (false, false);
    }
    s.marks.retain(|mark| !mark.empty());
}

/// Step 2: all units become unused; helicopters move up their track (25.5).
fn ready(rules: &Wurzburg, s: &mut State) {
    for unit in s.ids() {
        let u = s.unit_mut(unit);
        u.clear(Flags::USED);
        u.clear(Flags::WORKED);
        u.cycle = FormationId::NONE;
    }
    crate::air::advance(rules, s);
    for hq in &mut s.hqs {
        if hq.ew == Ew::Used {
            hq.ew = Ew::Unused;
        }
    }
}

/// Steps 7 and 8: Reconnaissance and Command Points.
pub fn restore(rules: &Wurzburg, s: &mut State, turn: u8) {
    for unit in s.ids() {
        let counter = rules.counter(unit);
        let works = matches!(s.unit(unit).place, Place::Map | Place::FiveRow | Place::TenRow)
            || rules.off_map_hq(s, unit); // 29.2.3
        let zeroed = s.unit(unit).is(Flags::DISRUPTED) && counter.side == Side::Nato;
        if let Some(hq) = s.hqs.get_mut(usize::from(counter.hq)) {
            (hq.cp, hq.rp) = if works && !zeroed { (counter.cp, counter.rp) } else { (0, 0) };
        }
    }
    for side in Side::ALL {
        let setup = rules.scenario.side(side);
        let of = |list: &[u8]| list.get(usize::from(turn).saturating_sub(1)).copied().unwrap_or(0);
        let state = &mut s.sides[side.index()];
        state.off_map_cp = of(&setup.off_map_cp);
        state.off_map_rp = of(&setup.off_map_rp);
        state.sam = of(&setup.sam);
        state.special_rp = 0;
        state.gegenangriff_used = false;
    }
    for points in &mut s.points {
        points.bridging += points.borrowed; // 17.4.2
        points.borrowed = 0;
    }
}

/// Step 9.
pub fn end_turn(play: &mut Play) {
    crate::victory::end_turn(play);
    play.s.turn += 1;
    for f in &mut play.s.formations {
        (f.activated, f.base_marched, f.lead) = (false, false, HexId::NONE);
        f.plan = Plan { kind: OpKind::March, payer: Payer::None, executed: false };
        // 12.4: a chit in the box of a turn that has ended is used up.
        f.chit = match f.chit {
            Chit::Shown(_) => Chit::Spent,
            Chit::Laid(turn) if turn < play.s.turn => Chit::Spent,
            other => other,
        };
    }
    play.s.sites.clear(); // 17.5
    let turn = play.s.turn;
    play.tell(Event::Turn { turn });
}
