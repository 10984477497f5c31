//! Declaring fire: Infiltration, Defensive, Offensive and Retreat Fire.

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{Combat, FireKind, FireSheet, strength::Shot};
use crate::{
    action::{Action, Part, Parts, Subject},
    event::Event,
    field::Edge,
    frame::Frame,
    pack::FireMode,
    play::{At, Cx, Play, Question, seat},
    rules::Wurzburg,
    state::{Flags, Standing, State},
    units::{Side, UnitId, UnitSet, set_of},
};

/// A unit with the steps that can still fire.
type Guns = SmallVec<[(UnitId, u8); 8]>;

/// 18.7.3, 18.1.5, 18.7.7, 22.4.2: steps of a unit that have not fired in this step.
fn steps_left(s: &State, unit: UnitId) -> u8 {
    let spent: u8 = s.op.spent.iter().filter(|(u, _)| *u == unit).map(|(_, steps)| *steps).sum();
    s.unit(unit).steps.saturating_sub(spent)
}

impl Wurzburg {
    /// 18.7.5, 13.5.1: whether a participating unit is a target of Defensive Fire.
    pub fn defensive_target(&self, s: &State, unit: UnitId) -> bool {
        let op = &s.op;
        let u = s.unit(unit);
        if !u.on_map() || !op.members.contains(unit) {
            return false;
        }
        if op.variant == crate::state::Variant::Overrun {
            return op.storming.contains(unit); // 42.0 step 3
        }
        if op.objective.some().is_some_and(|hex| self.field.adjacent(u.hex, hex)) {
            return true;
        }
        if op.bridge.is_some_and(|bridge| self.banks(bridge).contains(&u.hex)) {
            return true; // 38.3.2
        }
        (op.moved.contains(unit) || s.sky.flown.contains(unit)) && !op.sheltered.contains(unit)
    }

    /// The hexes with targets of Defensive Fire that can still be fired at.
    pub fn defensive_hexes(&self, s: &State) -> SmallVec<[HexId; 6]> {
        let mut hexes = SmallVec::new();
        for unit in &s.op.members {
            let hex = s.unit(unit).hex;
            if hexes.contains(&hex) || s.op.shot.contains(&hex) || !self.defensive_target(s, unit) {
                continue;
            }
            if !self.guns(s, FireKind::Defensive, hex).is_empty() {
                hexes.push(hex);
            }
        }
        hexes
    }

    /// The units that may fire at a hex now, with the number of steps.
    pub fn guns(&self, s: &State, kind: FireKind, target: HexId) -> Guns {
        let side = match kind {
            FireKind::Infiltration | FireKind::Defensive | FireKind::PointBlankDefender => s.op.side.enemy(),
            FireKind::Offensive | FireKind::Retreat | FireKind::PointBlankAttacker => s.op.side,
            // 23.1: only assets that were called for it.
            FireKind::Strike | FireKind::CounterBattery => return Guns::new(),
        };
        if kind == FireKind::Infiltration {
            let Some(next) = s.walk.next() else { return Guns::new() };
            let all = self.infiltrators(s, target, next, s.walk.entered);
            return all.into_iter().map(|unit| (unit, s.unit(unit).steps)).collect();
        }
        let row = self.field.board.neighbour_row(target);
        let mut guns = Guns::new();
        for unit in self.units_of(side) {
            let u = s.unit(*unit);
            let here = match kind {
                FireKind::Offensive => {
                    // 11.4.1: no used unit.
                    row.contains(&u.hex)
                        && s.op.members.contains(*unit)
                        && !s.op.fired.contains(*unit)
                        && !u.is(Flags::USED)
                }
                FireKind::Retreat => self.zoc_into(s, *unit, target) && !s.op.screeners.contains(*unit),
                FireKind::PointBlankDefender => u.hex == target,
                FireKind::PointBlankAttacker => u.hex == target && s.op.storming.contains(*unit),
                _ => row.contains(&u.hex),
            };
            let steps = steps_left(s, *unit);
            if here && steps > 0 && self.may_fire(s, *unit, kind) {
                guns.push((*unit, steps));
            }
        }
        // 21.2.4: the assets that answered the call.
        guns.extend(self.supporters(s, kind, target));
        guns
    }

    /// 18.7.2, 18.8.1, 21.3.4, 22.2.2: called assets that may still fire at a hex.
    pub fn supporters(&self, s: &State, kind: FireKind, target: HexId) -> Guns {
        let mut guns = Guns::new();
        if !matches!(kind, FireKind::Defensive | FireKind::Offensive) {
            return guns;
        }
        for unit in &s.op.called {
            let steps = steps_left(s, unit);
            if steps > 0 && crate::support::may_support(self, s, unit, kind, target) {
                guns.push((unit, steps));
            }
        }
        guns
    }

    /// 18.3.5, 18.3.5.1, 18.3.5.2, 18.3.5.3, 18.3.5.4, 18.7.6: the units subject to fire at a hex.
    pub fn subject_to(&self, s: &State, kind: FireKind, target: HexId) -> UnitSet {
        match kind {
            FireKind::Infiltration => s.walk.force,
            FireKind::Defensive => set_of(
                s.op.members.iter().filter(|u| s.unit(*u).hex == target && self.defensive_target(s, *u)),
            ),
            FireKind::Offensive | FireKind::PointBlankAttacker => {
                set_of(self.stack(s, s.op.side.enemy(), target))
            }
            FireKind::Retreat => set_of(s.op.retreated.iter().filter(|u| s.unit(*u).hex == target)),
            FireKind::PointBlankDefender => s.op.storming,
            FireKind::Strike | FireKind::CounterBattery => s.combat.targets,
        }
    }

    /// The mode of a unit's fire.
    pub fn mode_of(&self, s: &State, unit: UnitId, target: HexId) -> FireMode {
        let counter = self.counter(unit);
        if counter.symbol == crate::units::Symbol::AttackHelicopter {
            return FireMode::Air;
        }
        let near = s.unit(unit).hex == target || self.field.adjacent(s.unit(unit).hex, target);
        if counter.symbol.artillery() && !near { FireMode::Indirect } else { FireMode::Direct }
    }

    /// The fire of these units as it would be computed.
    pub fn reckon(&self, s: &State, kind: FireKind, target: HexId, with: &[(UnitId, u8)]) -> FireSheet {
        let crossing = match (kind, s.walk.next()) {
            (FireKind::Infiltration, Some(next)) => {
                let direction = self.field.toward(target, next);
                let main = direction.is_some_and(|d| self.field.edge(target, d).any(Edge::MAIN));
                if main { next } else { HexId::NONE }
            }
            _ => HexId::NONE,
        };
        self.reckon_crossing(s, kind, target, crossing, with)
    }

    /// The same at a force that crosses the Main into a hex (17.8).
    pub fn reckon_crossing(
        &self,
        s: &State,
        kind: FireKind,
        target: HexId,
        crossing: HexId,
        with: &[(UnitId, u8)],
    ) -> FireSheet {
        let blind = kind == FireKind::Offensive && crate::support::blind(self, s);
        let shot = Shot { kind, target, crossing, blind };
        let list: Vec<(UnitId, u8, FireMode)> =
            with.iter().map(|(unit, steps)| (*unit, *steps, self.mode_of(s, *unit, target))).collect();
        self.sheet(s, &shot, &list)
    }
}

/// 18.2: roll, then absorb the hits.
pub fn resolve(play: &mut Play, kind: FireKind, target: HexId, with: &[(UnitId, u8)]) -> Result<(), Stop> {
    let side = with.first().map_or(play.s.op.side, |(unit, _)| play.rules.counter(*unit).side);
    let sheet = play.rules.reckon(play.s, kind, target, with);
    let targets = play.rules.subject_to(play.s, kind, target);
    let roll = play.roll(side, 0, "roll.fire", kind.rule())?;
    let modifier = play.rules.tables.hit_modifier(roll);
    let hits = sheet.hits(modifier);
    for (unit, steps) in with {
        play.s.op.spent.push((*unit, *steps));
        if play.rules.counter(*unit).symbol.artillery() {
            play.s.unit_mut(*unit).set(Flags::FIRED); // 22.5
            play.log.reveal();
        }
        if kind == FireKind::Offensive {
            play.s.op.fired.insert(*unit);
        }
    }
    play.s.op.shot.push(target);
    play.s.combat =
        Combat { kind, side, target, targets, hits, cover: None, firers: with.iter().copied().collect() };
    play.tell(Event::Fired {
        kind,
        side,
        target,
        units: with.iter().map(|(unit, _)| *unit).collect(),
        total: sheet.total as u16,
        effective: sheet.effective as u16,
        roll,
        modifier,
        hits,
    });
    // 23.4: Indirect Fire in Defensive Fire may be answered as soon as the combat is over.
    let indirect: SmallVec<[UnitId; 6]> = with
        .iter()
        .map(|(unit, _)| *unit)
        .filter(|unit| play.rules.mode_of(play.s, *unit, target) == FireMode::Indirect)
        .collect();
    if kind == FireKind::Defensive && !indirect.is_empty() {
        crate::support::start_battery(play, &indirect);
    }
    play.push(Frame::Absorb);
    if kind == FireKind::Offensive && play.rules.storms_city(play.s) {
        play.s.op.city_hit = hits > 0; // 29.6.5
    } else if kind == FireKind::Offensive {
        play.push(Frame::Stand);
    }
    Ok(())
}

/// The parts of a declaration with their steps.
fn named(s: &State, with: &Parts, guns: &Guns) -> Guns {
    let left =
        |unit: UnitId| guns.iter().find(|(u, _)| *u == unit).map_or(s.unit(unit).steps, |(_, steps)| *steps);
    with.iter().map(|part| (part.unit, part.steps.unwrap_or_else(|| left(part.unit)))).collect()
}

/// Whether a declaration of fire is legal. `split`: a unit may divide its steps (18.7.3).
fn check_fire(cx: &Cx, kind: FireKind, target: HexId, with: &Parts, split: bool) -> Result<(), Refusal> {
    let rules = cx.rules;
    let guns = rules.guns(cx.s, kind, target);
    if with.is_empty() {
        return rules.no(kind.rule(), "fire.nobody").into();
    }
    // 18.1.3, 18.8.4, 18.9.3
    if cx.s.op.shot.contains(&target) && kind != FireKind::Infiltration {
        return rules.no("18.1.3", "fire.again").hex("hex", target).into();
    }
    for (n, part) in with.iter().enumerate() {
        rules.own(cx.side, part.unit)?;
        let Some((_, left)) = guns.iter().find(|(unit, _)| *unit == part.unit) else {
            return why_not(cx, kind, target, part.unit);
        };
        let steps = part.steps.unwrap_or(*left);
        if with[..n].iter().any(|other| other.unit == part.unit) || steps == 0 || steps > *left {
            return rules.no("18.7.3", "fire.steps").unit("unit", part.unit).number("steps", *left).into();
        }
        if !split && steps != *left {
            return rules.no("18.7.3", "fire.split").unit("unit", part.unit).into();
        }
    }
    if let Some(asset) =
        bound(rules, cx.s, kind, target).into_iter().find(|a| !with.iter().any(|p| p.unit == *a))
    {
        return rules.no("21.2.1", "fire.called").unit("unit", asset).into();
    }
    Ok(())
}

/// 21.2.1: assets that answered the Offensive Fire Call must take part.
fn bound(rules: &Wurzburg, s: &State, kind: FireKind, target: HexId) -> SmallVec<[UnitId; 4]> {
    if kind != FireKind::Offensive {
        return SmallVec::new();
    }
    rules.supporters(s, kind, target).into_iter().map(|(unit, _)| unit).collect()
}

/// Why a unit may not fire.
fn why_not(cx: &Cx, kind: FireKind, target: HexId, unit: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let u = cx.s.unit(unit);
    let no = |rule, key| rules.no(rule, key).unit("unit", unit).hex("hex", target).into();
    if u.is(Flags::MASKED) {
        return no("14.4", "fire.masked");
    }
    if kind == FireKind::Offensive && u.is(Flags::USED) && cx.s.op.members.contains(unit) {
        return no("11.4.1", "fire.used");
    }
    if !rules.may_fire(cx.s, unit, kind) {
        let artillery = rules.counter(unit).symbol.artillery();
        return no(if artillery { "22.1" } else { "18.1.4" }, "fire.cannot");
    }
    if steps_left(cx.s, unit) == 0 {
        return no("18.7", "fire.spent");
    }
    match kind {
        FireKind::Infiltration => no("18.6", "fire.not_triggered"),
        FireKind::Retreat => no("18.9", "fire.no_zoc"),
        FireKind::Offensive if !cx.s.op.members.contains(unit) => no("18.8", "fire.not_in_operation"),
        FireKind::PointBlankAttacker | FireKind::PointBlankDefender => no("42.0", "fire.outside"),
        FireKind::Strike | FireKind::CounterBattery => no("23.1", "fire.cannot"),
        _ => no("18.1.3", "fire.not_adjacent"),
    }
}

/// All guns at once; the sheet of [`crate::table::template`] lets the player leave some out.
fn offers(cx: &Cx, kind: FireKind, target: HexId, out: &mut Vec<Action>) {
    let guns = cx.rules.guns(cx.s, kind, target);
    if guns.is_empty() || (cx.s.op.shot.contains(&target) && kind != FireKind::Infiltration) {
        return;
    }
    let all: Parts = guns.iter().map(|(unit, _)| Part::all(*unit)).collect();
    out.push(Action::Fire { target, with: all });
}

/// 18.6: an answer given in advance applies to the moving force.
fn bearing(s: &State) -> Vec<u16> {
    s.walk.force.iter().map(|unit| unit.0).collect()
}

/// Whether the player does not want to be asked about this force again.
fn stands(cx: &Cx, kind: FireKind) -> bool {
    kind == FireKind::Infiltration
        && !cx.s.standing.is_empty()
        && cx.s.standing.would_hold(seat(cx.side), &Standing::NoInfiltration, bearing(cx.s))
}

macro_rules! fire_question {
    ($name:ident, $kind:expr, $split:expr, $asks:expr, $targets:expr, $no:expr, $prompt:expr, $rule:expr) => {
        impl Question<Wurzburg> for $name {
            fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
                let asks: fn(&State) -> Side = $asks;
                Some(asks(s))
            }

            fn forced(&self, cx: &Cx) -> Option<Action> {
                let targets: fn(&Wurzburg, &State) -> SmallVec<[HexId; 6]> = $targets;
                (targets(cx.rules, cx.s).is_empty() || stands(cx, $kind)).then_some($no)
            }

            fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
                let targets: fn(&Wurzburg, &State) -> SmallVec<[HexId; 6]> = $targets;
                out.push(Subject::Phase);
                out.extend(targets(cx.rules, cx.s).into_iter().map(Subject::Hex));
            }

            fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
                let targets: fn(&Wurzburg, &State) -> SmallVec<[HexId; 6]> = $targets;
                match subject {
                    Subject::Phase if self.check(cx, &$no).is_ok() => {
                        out.push($no);
                        if $kind == FireKind::Infiltration
                            && cx.s.walk.path.len() > usize::from(cx.s.walk.at) + 1
                        {
                            out.push(Action::Always);
                        }
                    }
                    Subject::Hex(hex) if targets(cx.rules, cx.s).contains(&hex) => {
                        offers(cx, $kind, hex, out)
                    }
                    _ => {}
                }
            }

            fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
                let targets: fn(&Wurzburg, &State) -> SmallVec<[HexId; 6]> = $targets;
                match action {
                    Action::Always if $kind == FireKind::Infiltration => Ok(()),
                    Action::Done | Action::Hold => {
                        let all = targets(cx.rules, cx.s);
                        let asset = all.iter().flat_map(|hex| bound(cx.rules, cx.s, $kind, *hex)).next();
                        match asset {
                            Some(unit) => cx.rules.no("21.2.1", "fire.called").unit("unit", unit).into(),
                            None => Ok(()),
                        }
                    }
                    Action::Fire { target, with } => {
                        if !targets(cx.rules, cx.s).contains(target) && !cx.s.op.shot.contains(target) {
                            // 18.7.5: the hex has enemy units, but none that Defensive Fire may be aimed at.
                            let spared = $kind == FireKind::Defensive
                                && cx.rules.holds(cx.s, *target, cx.side.enemy());
                            let rule = if spared { "18.7.5" } else { $rule };
                            return cx.rules.no(rule, "fire.no_target").hex("hex", *target).into();
                        }
                        check_fire(cx, $kind, *target, with, $split)
                    }
                    _ => Err(cx.rules.not_now()),
                }
            }

            fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
                match action {
                    Action::Always => {
                        let bearing = bearing(play.s);
                        play.s.standing.give(seat(side), Standing::NoInfiltration, bearing);
                        play.pop();
                        play.tell(Event::Held { side });
                    }
                    Action::Fire { target, with } => {
                        let guns = play.rules.guns(play.s, $kind, *target);
                        let with = named(play.s, with, &guns);
                        if !$split {
                            play.pop();
                        }
                        resolve(play, $kind, *target, &with)?;
                    }
                    _ => {
                        play.pop();
                        let targets: fn(&Wurzburg, &State) -> SmallVec<[HexId; 6]> = $targets;
                        if !targets(play.rules, play.s).is_empty() {
                            play.tell(Event::Held { side });
                        }
                    }
                }
                Ok(())
            }

            fn prompt(&self) -> (&'static str, &'static str) {
                ($prompt, $rule)
            }

            fn no(&self) -> Option<Action> {
                Some($no)
            }
        }
    };
}

/// 18.6: the non-active player may fire at a force that leaves its hex.
#[derive(Debug)]
pub struct Infiltration;

fire_question!(
    Infiltration,
    FireKind::Infiltration,
    false,
    |s| s.op.side.enemy(),
    |rules, s| {
        let hex = s.walk.force.iter().next().map_or(HexId::NONE, |unit| s.unit(unit).hex);
        let guns = !rules.guns(s, FireKind::Infiltration, hex).is_empty();
        if guns { [hex].into_iter().collect() } else { SmallVec::new() }
    },
    Action::Hold,
    "prompt.infiltration",
    "18.6"
);

/// 18.7: combats one by one, or stop.
#[derive(Debug)]
pub struct Defensive;

fire_question!(
    Defensive,
    FireKind::Defensive,
    true,
    |s| s.op.side.enemy(),
    |rules, s| rules.defensive_hexes(s),
    Action::Done,
    "prompt.defensive_fire",
    "18.7"
);

/// 18.8: one combat against the Objective Hex.
#[derive(Debug)]
pub struct Offensive;

fire_question!(
    Offensive,
    FireKind::Offensive,
    false,
    |s| s.op.side,
    |rules, s| {
        let hex = s.op.objective;
        let fires = hex != HexId::NONE
            && (rules.holds(s, hex, s.op.side.enemy()) || rules.storms_city(s))
            && !rules.guns(s, FireKind::Offensive, hex).is_empty();
        if fires { [hex].into_iter().collect() } else { SmallVec::new() }
    },
    Action::Done,
    "prompt.offensive_fire",
    "18.8"
);

/// 18.9, 18.9.1, 18.9.2, 18.4.4: at units that retreated into a ZOC.
#[derive(Debug)]
pub struct RetreatFire;

fire_question!(
    RetreatFire,
    FireKind::Retreat,
    true,
    |s| s.op.side,
    |rules, s| {
        let mut hexes: SmallVec<[HexId; 6]> = SmallVec::new();
        for unit in &s.op.retreated {
            let u = s.unit(unit);
            let fresh = u.on_map() && !hexes.contains(&u.hex) && !s.op.shot.contains(&u.hex);
            if fresh && !rules.guns(s, FireKind::Retreat, u.hex).is_empty() {
                hexes.push(u.hex);
            }
        }
        hexes
    },
    Action::Done,
    "prompt.retreat_fire",
    "18.9"
);
