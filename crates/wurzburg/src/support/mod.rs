//! Fire support (21 to 23): calls, observation, and where calls, strikes and counter-battery fire enter play.

mod air;
mod battery;
mod bridge;
mod call;
mod strike;

use hexgrid::{HexId, SideId};
use kernel::Refusal;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use air::{AirChoice, AntiAircraft, ChooseProfile, Mission, air_strike, air_total, profile_sheet};
pub use battery::{Answer, CounterBattery, best_batteries, number as battery_number, start as start_battery};
pub use bridge::{
    Kind as BridgeKind, check as check_bridge_strike, effective as bridge_effective, reckon as reckon_bridge,
};
pub use call::{Call, check_call};
pub use strike::{
    Strike, check_strike, close as close_strikes, disrupt, open as open_strikes, reckon_strike,
    resolve as resolve_strike,
};

use crate::{
    fire::FireKind,
    frame::Frame,
    pack::{CallFor, System},
    play::Play,
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{FormationId, OpKind, Side, Symbol, UnitId},
};

/// The state of strikes and counter-battery fire.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Support {
    /// Hexes attempted in this Reconnaissance Segment (20.2).
    pub tried: SmallVec<[HexId; 6]>,
    /// Hexes struck in this Strike Segment (23.7.1).
    pub struck: SmallVec<[HexId; 6]>,
    /// The hit total of the current Strike, before any was absorbed (23.3).
    pub hits: u16,
    /// The units that may be Disrupted by it.
    pub targets: SmallVec<[UnitId; 8]>,
    pub battery: Battery,
    /// 20.2.3, 38.4: bridges tried, acquired and struck in this cycle.
    pub bridges_tried: SmallVec<[SideId; 2]>,
    pub bridges_acquired: SmallVec<[SideId; 2]>,
    pub bridges_struck: SmallVec<[SideId; 2]>,
    /// The air unit of the current Strike (24.0).
    pub air: Option<Mission>,
}

/// A Counter-Battery Fire Cycle (23.4.1).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Battery {
    /// The side whose turn it is.
    pub side: Side,
    /// Artillery that fired in the triggering fire or in the cycle.
    pub fired: SmallVec<[UnitId; 6]>,
    /// Artillery that was targeted in the cycle.
    pub targeted: SmallVec<[UnitId; 6]>,
    pub passes: u8,
}

/// The purpose for which artillery is called (22.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A Strike other than counter-battery, or Offensive Fire in an own Assault: the corps' artillery of any nation.
    Wide,
    /// Everything else: artillery of the HQ's own nation.
    Narrow,
}

impl Wurzburg {
    /// 40.3, 40.3.1: the distance between two units, on the map or on the display.
    pub fn apart(&self, s: &State, a: UnitId, b: UnitId) -> Option<u32> {
        if s.unit(a).on_map() {
            return self.reach_of(s, b, s.unit(a).hex);
        }
        if s.unit(b).on_map() {
            return self.reach_of(s, a, s.unit(b).hex);
        }
        let display = |unit: UnitId| matches!(s.unit(unit).place, Place::FiveRow | Place::TenRow);
        if !display(a) || !display(b) {
            return None;
        }
        let same = s.unit(a).place == s.unit(b).place;
        Some(if same { 0 } else { u32::from(self.tables.off_map.between_rows) })
    }

    /// 22.2 items 1 to 3: whether the artillery unit may use Indirect Fire at all.
    pub fn can_shoot(&self, s: &State, gun: UnitId) -> bool {
        let u = s.unit(gun);
        let counter = self.counter(gun);
        let there = match u.place {
            Place::Map => !self.next_to(s, u.hex, counter.side.enemy()),
            // 40.2.1: airmobile artillery never fires from off the map.
            Place::FiveRow | Place::TenRow => !counter.airmobile,
            _ => false,
        };
        counter.symbol.artillery() && u.steps > 0 && there && !u.is(Flags::FIRED) && !u.is(Flags::DISRUPTED)
    }

    /// 22.3, 22.3.2, 23.6: whether the artillery unit is in the HQ's Artillery Pool.
    pub fn in_pool(&self, s: &State, hq: UnitId, gun: UnitId, purpose: Use) -> bool {
        let (hq_counter, gun_counter) = (self.counter(hq), self.counter(gun));
        if hq_counter.side != gun_counter.side {
            return false;
        }
        let Some(pool) = self.tables.artillery_pool(hq_counter.formation) else { return false };
        let formation = gun_counter.formation;
        let chain =
            pool.always.contains(&formation) || purpose == Use::Wide && pool.limited.contains(&formation);
        // 22.3.1: another nation's artillery only if the corps' list allows it.
        let nation = hq_counter.side == Side::Wp
            || gun_counter.nation == hq_counter.nation
            || purpose == Use::Wide && pool.limited.contains(&formation);
        let range = self.apart(s, hq, gun).is_some_and(|d| d <= u32::from(hq_counter.command_range));
        chain && nation && range && self.can_shoot(s, gun)
    }

    /// 22.2 item 6: whether a hex is within the gun's range, and not adjacent to it.
    pub fn gun_reaches(&self, s: &State, gun: UnitId, hex: HexId) -> bool {
        self.reach_of(s, gun, hex).is_some_and(|d| (2..=u32::from(self.counter(gun).range)).contains(&d))
    }

    /// 21.3, 29.1.1: whether a unit can observe an adjacent hex for an HQ.
    pub fn observes(&self, s: &State, hq: UnitId, unit: UnitId, hex: HexId) -> bool {
        let u = s.unit(unit);
        let (a, b) = (self.counter(hq), self.counter(unit));
        // 14.4; a dummy is never adjacent to an enemy, but it may observe a bridge (11.3).
        if !u.on_map() || u.is(Flags::MASKED) || !self.field.adjacent(u.hex, hex) {
            return false;
        }
        if unit == hq {
            return true;
        }
        b.symbol.ground()
            && a.side == b.side
            && (a.side == Side::Wp || a.nation == b.nation)
            && self.in_chain(s, a.formation, b.formation)
            && self.in_range(s, hq, u.hex)
    }

    /// 21.3.1: whether a hex is observed for a Strike called by this HQ.
    pub fn strike_observed(&self, s: &State, hq: UnitId, hex: HexId) -> bool {
        let near = self.around(s, hex, self.counter(hq).side);
        near.iter().any(|unit| self.observes(s, hq, *unit, hex) && self.activates_with(s, *unit, s.active))
    }

    /// 23.0: HQs of the active formation; NATO also a division HQ above it (30.3.2).
    pub fn callers(&self, s: &State) -> SmallVec<[UnitId; 4]> {
        let Some(active) = s.active.some() else { return SmallVec::new() };
        let formation = self.formation(active);
        self.hqs
            .iter()
            .copied()
            .filter(|hq| {
                let counter = self.counter(*hq);
                counter.side == formation.side
                    && matches!(s.unit(*hq).place, Place::Map | Place::FiveRow | Place::TenRow)
                    && (counter.formation == active
                        || counter.side == Side::Nato
                            && counter.nation == formation.nation
                            && self.below(s, active, counter.formation))
            })
            .collect()
    }

    /// The Offensive or Defensive Fire Call that an operation allows to a side (13.3, 13.4).
    pub fn call_row(&self, s: &State, defensive: bool) -> Option<&crate::pack::Support> {
        let side = if defensive { s.op.side.enemy() } else { s.op.side };
        let fire = if defensive { CallFor::Defensive } else { CallFor::Offensive };
        self.tables.support(fire, Some(s.op.kind), side)
    }

    /// The artillery that a call in an operation may use (22.3.1).
    pub fn call_use(s: &State, defensive: bool) -> Use {
        if !defensive && s.op.kind == OpKind::Assault { Use::Wide } else { Use::Narrow }
    }

    /// 22.4.1: the division of a unit.
    pub fn division_of(&self, s: &State, unit: UnitId) -> Option<FormationId> {
        self.division(s, self.counter(unit).formation)
    }
}

/// 11.5, 22.5: the position with the guns of a call split off where only some of their steps are named.
pub(crate) fn with_guns(
    cx: &crate::play::Cx,
    parts: &crate::action::Parts,
    look: impl FnOnce(&crate::play::Cx, &[UnitId]) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let rules = cx.rules;
    // 25.1: a helicopter unit is formed on the track.
    let flies = |part: &crate::action::Part| rules.counter(part.unit).symbol == Symbol::AttackHelicopter;
    for (n, part) in parts.iter().enumerate() {
        rules.own(rules.counter(part.unit).side, part.unit)?;
        if parts[..n].iter().any(|other| other.unit == part.unit) {
            return rules.no("22.2", "call.twice").unit("unit", part.unit).into();
        }
        if part.steps == Some(0) {
            let rule = if flies(part) { "25.1" } else { "22.5" };
            return rules.no(rule, "call.steps").unit("unit", part.unit).into();
        }
        if flies(part) {
            let most = rules.ready_steps(cx.s, part.unit);
            if part.steps.is_some_and(|steps| steps > most) {
                return rules.no("25.1", "call.box").unit("unit", part.unit).number("most", most).into();
            }
        }
        if !flies(part) {
            crate::movement::check_part(rules, cx.s, *part)?;
        }
    }
    let partial = |part: &crate::action::Part| {
        !flies(part) && part.steps.is_some_and(|n| n < cx.s.unit(part.unit).steps)
    };
    if !parts.iter().any(partial) {
        let units: SmallVec<[UnitId; 4]> = parts.iter().map(|part| part.unit).collect();
        return look(cx, &units);
    }
    let guns: crate::action::Parts = parts.iter().copied().filter(|part| !flies(part)).collect();
    crate::movement::check_spares(rules, cx.s, &guns)?;
    let mut later = cx.s.draft();
    let mut units: SmallVec<[UnitId; 4]> = crate::movement::divide(rules, &mut later, &guns).iter().collect();
    units.extend(parts.iter().filter(|part| flies(part)).map(|part| part.unit));
    look(&crate::play::Cx { s: &later, ..*cx }, &units)
}

/// 39.0: the Jamming Step.
pub fn open_jamming(play: &mut Play) {
    if play.rules.scenario.has(System::ElectronicWarfare) {
        play.push(Frame::Jamming);
    }
}

/// 21.2: a Fire Call Step.
pub fn open_call(play: &mut Play, defensive: bool) {
    play.s.op.called = crate::units::UnitSet::EMPTY;
    play.s.op.calling_hq = None;
    play.push(Frame::Call(defensive));
}

/// 13.4 steps 6 and 9: the attack helicopter unit that answered the call takes off.
pub fn open_helicopters(play: &mut Play, defensive: bool) {
    let side = if defensive { play.s.op.side.enemy() } else { play.s.op.side };
    let called = play.s.op.called.iter().find(|unit| {
        let counter = play.rules.counter(*unit);
        counter.symbol == Symbol::AttackHelicopter && counter.side == side
    });
    if let Some(unit) = called.filter(|unit| play.s.unit(*unit).place == Place::Ready) {
        crate::air::open_flight(play, unit);
    }
}

/// 23.4.9: the counter-battery cycle caused by Offensive Fire waits for the end of the operation.
pub fn deferred(play: &mut Play) -> Option<Frame> {
    let side = play.s.op.side;
    let guns: SmallVec<[UnitId; 6]> =
        play.s.op.fired.iter().filter(|unit| play.rules.counter(*unit).symbol.artillery()).collect();
    if guns.is_empty() || !play.rules.scenario.has(System::Strikes) {
        return None;
    }
    play.s.support.battery =
        Battery { side: side.enemy(), fired: guns, targeted: SmallVec::new(), passes: 0 };
    Some(Frame::CounterBattery)
}

/// 18.7.2, 18.8.1, 21.3.3: whether a called asset may fire at this hex.
pub fn may_support(rules: &Wurzburg, s: &State, unit: UnitId, kind: FireKind, target: HexId) -> bool {
    let reaches = if rules.counter(unit).symbol == Symbol::AttackHelicopter {
        rules.helicopter_reaches(s, unit, target) // 25.4
    } else {
        rules.gun_reaches(s, unit, target)
    };
    if !reaches || s.unit(unit).steps == 0 {
        return false;
    }
    match (kind, s.op.calling_hq) {
        (FireKind::Defensive, Some(hq)) => {
            let near = rules.around(s, target, rules.counter(hq).side);
            near.iter().any(|other| rules.observes(s, hq, *other, target))
        }
        _ => true,
    }
}

/// 21.3.2: whether Defensive Fire has eliminated every observer of the Objective Hex.
pub fn blind(rules: &Wurzburg, s: &State) -> bool {
    let Some(hq) = s.op.calling_hq else { return false };
    let hex = s.op.objective;
    // The called attack helicopter unit observes if it is within the HQ's command range.
    let helicopter = s.op.called.iter().any(|unit| {
        rules.counter(unit).symbol == Symbol::AttackHelicopter
            && rules.helicopter_reaches(s, unit, hex)
            && rules.in_range(s, hq, s.unit(unit).hex)
    });
    hex != HexId::NONE && !helicopter && !s.op.members.iter().any(|unit| rules.observes(s, hq, unit, hex))
}

/// 4.1.2.1, 4.1.2.2, 4.1.2.3, 41.3: the kind of artillery as a target of counter-battery fire (23.4.2).
pub fn gun_of(symbol: Symbol) -> crate::pack::Gun {
    match symbol {
        Symbol::TowedArtillery => crate::pack::Gun::Towed,
        Symbol::RocketArtillery => crate::pack::Gun::Rocket,
        _ => crate::pack::Gun::SelfPropelled,
    }
}
