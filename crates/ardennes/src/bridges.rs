//! Bridges (7): demolition and repair in the Bridge Phase, and helpers for combat and movement.

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    event::Event,
    flags::Flags,
    frame::Frame,
    fuel_dumps,
    pack::{Side, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::{BridgeIs, MAX_BRIDGES, State},
    subject::Subject,
    supply::{self, Roads},
};

/// 7: bridges are blown and repaired.
#[derive(Debug)]
pub struct Bridges;

impl Question<Ardennes> for Bridges {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let anything = with_roads(cx, |roads| sites(cx).any(|bridge| may_act(cx, bridge, roads)))
            || fuel_dumps::burnable(cx.rules, cx.s, cx.side).next().is_some();
        (!anything).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        with_roads(cx, |roads| {
            out.extend(sites(cx).filter(|bridge| may_act(cx, *bridge, roads)).map(Subject::Bridge));
        });
        out.extend(fuel_dumps::burnable(cx.rules, cx.s, cx.side).map(Subject::Hex));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Bridge(bridge) => {
                if may_demolish(cx.rules, cx.s, cx.side, bridge, None).is_ok() {
                    out.push(Action::Blow { bridge, unit: None });
                }
                if with_roads(cx, |roads| may_repair(cx, bridge, roads)).is_ok() {
                    out.push(Action::Repair { bridge });
                }
            }
            Subject::Hex(hex) => out.push(Action::Burn { hex }),
            Subject::Unit(_) => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let refuse = |bridge: u16, (rule, key): No| {
            let site = cx.rules.land.bridges[usize::from(bridge)];
            Refusal::from(cx.rules.no(rule, key).hexside("bridge", site))
        };
        match *action {
            Action::Done => Ok(()),
            Action::Blow { bridge, unit } => {
                if let Some(unit) = unit
                    && cx.rules.counter(unit).side != cx.side
                {
                    return Err(cx.rules.refuse_owner(unit, cx.side));
                }
                may_demolish(cx.rules, cx.s, cx.side, bridge, unit)
                    .map(|_| ())
                    .map_err(|no| refuse(bridge, no))
            }
            Action::Repair { bridge } => {
                with_roads(cx, |roads| may_repair(cx, bridge, roads)).map_err(|no| refuse(bridge, no))
            }
            Action::Burn { hex } => fuel_dumps::check_burn(cx, hex),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let side = at.side;
        match *action {
            Action::Blow { bridge, unit } => {
                if let Ok(unit) = may_demolish(play.rules, play.s, side, bridge, unit) {
                    attempt(play, bridge, unit, false)?;
                }
            }
            // 7.9: the first step of a repair.
            Action::Repair { bridge } => set(play, bridge, BridgeIs::UnderConstruction(side)),
            Action::Burn { hex } => fuel_dumps::burn(play, hex)?,
            _ => play.pop(),
        }
        Ok(())
    }
}

/// 7.9, 7.10: constructions begun earlier are completed or lost; a new player turn allows new attempts (7.2).
pub fn complete(play: &mut Play) -> Result<(), Stop> {
    let (rules, side) = (play.rules, play.s.side);
    allow_attempts(rules, play.s);
    fuel_dumps::new_turn(play.s);
    let mut ready = None;
    for bridge in 0..rules.land.bridges.len() as u16 {
        if play.s.bridge(usize::from(bridge)).is() != BridgeIs::UnderConstruction(side) {
            continue;
        }
        // 7.10: Dasburg and Gemünd are begun before play and completed on German turn 2.
        let begun_before_play = rules.scenario.turn_one_rules
            && rules.map.bridges[usize::from(bridge)].state == atlas::BridgeState::UnderConstruction;
        let done = match play.s.turn {
            1 if begun_before_play => continue,
            2 if begun_before_play => true,
            // A bridge completed now does not carry the supply for the next one.
            _ => ready.get_or_insert_with(|| ready_sites(rules, play.s, side))[usize::from(bridge)],
        };
        set(play, bridge, if done { BridgeIs::Intact } else { BridgeIs::Blown });
    }
    Ok(())
}

/// 7.9: which constructions of a side can be completed.
fn ready_sites(rules: &Ardennes, s: &State, side: Side) -> [bool; MAX_BRIDGES] {
    let mut ready = [false; MAX_BRIDGES];
    supply::with_roads(rules, s, side, |roads| {
        for (bridge, ready) in ready[..rules.land.bridges.len()].iter_mut().enumerate() {
            *ready = s.bridge(bridge).is() == BridgeIs::UnderConstruction(side)
                && site_ready(rules, s, side, bridge as u16, roads).is_ok();
        }
    });
    ready
}

/// 7.2: a new player turn allows new attempts.
pub fn allow_attempts(rules: &Ardennes, s: &mut State) {
    for bridge in &mut s.bridges_mut()[..rules.land.bridges.len()] {
        bridge.set_tried(false);
    }
}

/// 7.8: the Ouren bridge is rolled for once per game, when the first German unit tries to cross it.
pub fn ouren(play: &mut Play) -> Result<(), Stop> {
    let Some(bridge) = play.rules.land.ouren.filter(|_| !play.s.ouren_rolled) else { return Ok(()) };
    play.s.ouren_rolled = true;
    if !play.s.bridge(usize::from(bridge)).intact() {
        return Ok(());
    }
    let die = play.roll(Side::Allied, 0, "roll.ouren", "7.8")?;
    if die <= play.rules.tables().bridge.ouren_blown_max {
        set(play, bridge, BridgeIs::Blown);
    }
    Ok(())
}

/// 7.4: the defending unit that tries to blow a bridge that is attacked across: the best one in the hex, or the one
/// named.
pub fn blower_in_combat(
    rules: &Ardennes,
    s: &State,
    target: HexId,
    bridge: u16,
    named: Option<UnitId>,
) -> Result<UnitId, No> {
    may_be_blown(rules, s, bridge)?;
    s.stack(target)
        .filter(|unit| named.is_none_or(|named| named == *unit) && able(rules, s, *unit))
        .min_by_key(|unit| disorder_drm(rules, s, *unit))
        .ok_or(("7.7", "bridge.nobody"))
}

/// Rolls to blow a bridge (7.2, 7.5). `enemy_phase`: in the enemy's Combat Phase (7.4). Returns true if it is blown.
pub fn attempt(play: &mut Play, bridge: u16, unit: UnitId, enemy_phase: bool) -> Result<bool, Stop> {
    let rules = play.rules;
    let table = rules.tables().bridge;
    play.s.bridge_mut(usize::from(bridge)).set_tried(true);
    // 7.5
    let drm = disorder_drm(rules, play.s, unit) + if enemy_phase { table.enemy_phase_drm } else { 0 };
    let die = play.roll(rules.counter(unit).side, drm, "roll.bridge", "7.2")?;
    let blown = die + drm <= table.blown_max;
    if blown {
        set(play, bridge, BridgeIs::Blown);
    }
    Ok(blown)
}

/// How many faces of the die blow the bridge in the Bridge Phase (7.2, 7.5).
pub fn demolition_faces(
    rules: &Ardennes,
    s: &State,
    side: Side,
    bridge: u16,
    unit: Option<UnitId>,
) -> Option<u8> {
    let unit = may_demolish(rules, s, side, bridge, unit).ok()?;
    let drm = disorder_drm(rules, s, unit);
    Some((1..=6_i8).filter(|die| die + drm <= rules.tables().bridge.blown_max).count() as u8)
}

fn set(play: &mut Play, bridge: u16, is: BridgeIs) {
    play.s.bridge_mut(usize::from(bridge)).set(is);
    play.tell(Event::Bridge { bridge, is });
}

/// A refusal in short: the rule and the message key. It is turned into a message only when it is shown.
pub type No = (&'static str, &'static str);

fn with_roads<T>(cx: &Cx, look: impl FnOnce(&mut Roads) -> T) -> T {
    supply::with_roads(cx.rules, cx.s, cx.side, look)
}

/// The bridges with both ends in play (S1.1).
fn sites<'a>(cx: &Cx<'a>) -> impl Iterator<Item = u16> + use<'a> {
    let land = &cx.rules.land;
    let ends_in_play = |bridge: &u16| {
        land.bridges[usize::from(*bridge)]
            .iter()
            .all(|hex| hex.some().is_some_and(|hex| land.in_play.contains(hex)))
    };
    (0..land.bridges.len() as u16).filter(ends_in_play)
}

fn may_act(cx: &Cx, bridge: u16, roads: &mut Roads) -> bool {
    if cx.s.bridge(usize::from(bridge)).intact() {
        // 7.3: most bridges have no enemy nearby, or no unit to blow them.
        let site = cx.rules.land.bridges[usize::from(bridge)];
        site.into_iter().any(|hex| threatened(cx.rules, cx.s, cx.side, hex))
            && site
                .into_iter()
                .any(|hex| cx.s.held(cx.side).contains(hex) || cx.s.near(cx.side).contains(hex))
            && may_demolish(cx.rules, cx.s, cx.side, bridge, None).is_ok()
    } else {
        may_repair(cx, bridge, roads).is_ok()
    }
}

/// May this bridge be blown at all now (7.2, 7.7)?
fn may_be_blown(rules: &Ardennes, s: &State, bridge: u16) -> Result<(), No> {
    let it = s.bridge(usize::from(bridge));
    if !it.intact() {
        return Err(("7.6", "bridge.not_standing"));
    }
    // 7.7: neither on the first two turns nor in the first night, which has the number of turn 2.
    if s.turn < rules.tables().bridge.first_turn && rules.scenario.turn_one_rules {
        return Err(("7.7", "bridge.too_early"));
    }
    if it.tried() {
        return Err(("7.2", "bridge.tried"));
    }
    // 7.7, 3.3
    let in_town =
        |hex: &HexId| rules.land.hex(*hex).town_or_city() && rules.land.river_through.contains(*hex);
    if rules.land.bridges[usize::from(bridge)].iter().any(in_town) {
        return Err(("7.7", "bridge.river_through"));
    }
    Ok(())
}

/// 7.3: the unit that would blow the bridge in the Bridge Phase: the best one available, or the one named.
fn may_demolish(
    rules: &Ardennes,
    s: &State,
    side: Side,
    bridge: u16,
    named: Option<UnitId>,
) -> Result<UnitId, No> {
    may_be_blown(rules, s, bridge)?;
    let site = rules.land.bridges[usize::from(bridge)];
    if !site.into_iter().any(|hex| threatened(rules, s, side, hex)) {
        return Err(("7.3", "bridge.no_enemy"));
    }
    let mut best: Option<UnitId> = None;
    let mut anybody = false;
    for hex in site {
        let around = rules.land.neighbours(hex).filter(|from| reaches(rules, s, side, *from, hex));
        for from in std::iter::once(hex).chain(around).filter(|from| s.held(side).contains(*from)) {
            anybody = true;
            for unit in s.stack(from).filter(|unit| named.is_none_or(|named| named == *unit)) {
                let better =
                    best.is_none_or(|best| disorder_drm(rules, s, unit) < disorder_drm(rules, s, best));
                if better && able(rules, s, unit) {
                    best = Some(unit);
                }
            }
        }
    }
    best.ok_or(if anybody { ("7.7", "bridge.nobody") } else { ("7.3", "bridge.no_unit") })
}

/// 7.3: is an enemy unit within one hex of this end of the bridge?
fn threatened(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> bool {
    if rules.zoc_threatens_bridges() {
        // 1E 7.3: the bridge must be in enemy ZOC.
        return s.enemy_in(side, hex) || s.in_ezoc(side, hex);
    }
    s.enemy_in(side, hex) || s.near_enemy(side, hex)
}

/// 7.3: is this end of the bridge within reach of a friendly unit in `from`? EZOC does not hinder it; enemy units and
/// Bonds do.
fn reaches(rules: &Ardennes, s: &State, side: Side, from: HexId, hex: HexId) -> bool {
    if !s.held(side).contains(from) || s.enemy_in(side, hex) {
        return false;
    }
    // 1E 7.3: the bridge must be in its ZOC.
    let far = rules.zoc_threatens_bridges() && !rules.exerts_zoc(s, side, from, hex);
    !far && rules.land.direction(from, hex).is_some_and(|d| rules.bond_bars_trace(s, side, from, d).is_none())
}

/// 7.7: units under SM, Truck or Prime Mover markers may not demolish.
fn able(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    let under_way = Flags(Flags::STRATEGIC.0 | Flags::TRUCK.0 | Flags::PRIME_MOVER.0);
    !(rules.tables().bridge.strategic_forbidden && s.unit(unit).is(under_way))
}

/// 7.5
fn disorder_drm(rules: &Ardennes, s: &State, unit: UnitId) -> i8 {
    let table = rules.tables().bridge;
    let mut disorder = Flags(Flags::DISRUPTED.0 | Flags::ENGAGED.0);
    if !table.strategic_forbidden {
        disorder.set(Flags::ON_ROAD); // 1E 7.5: a Truck is an SM marker (12.61)
    }
    if s.unit(unit).is(disorder) { table.disordered_drm } else { 0 }
}

/// 7.9: may the phasing side begin to rebuild this bridge?
fn may_repair(cx: &Cx, bridge: u16, roads: &mut Roads) -> Result<(), No> {
    match cx.s.bridge(usize::from(bridge)).is() {
        BridgeIs::Blown => site_ready(cx.rules, cx.s, cx.side, bridge, roads),
        BridgeIs::Intact => Err(("7.9", "bridge.standing")),
        BridgeIs::UnderConstruction(_) => Err(("7.9", "bridge.begun")),
    }
}

/// 7.9: both conditions for a repair.
fn site_ready(rules: &Ardennes, s: &State, side: Side, bridge: u16, roads: &mut Roads) -> Result<(), No> {
    let site = rules.land.bridges[usize::from(bridge)];
    if site.into_iter().any(|hex| s.enemy_in(side, hex)) {
        return Err(("7.9", "bridge.enemy_at_site"));
    }
    if rules.zoc_threatens_bridges() {
        return site_ready_1e(rules, s, side, site);
    }
    if site.into_iter().any(|hex| s.in_open_ezoc(side, hex)) {
        return Err(("7.9", "bridge.ezoc_at_site"));
    }
    if !site.into_iter().any(|hex| roads.lead_home(hex)) {
        return Err(("7.9", "bridge.no_road_supply"));
    }
    Ok(())
}

/// 1E 7.9: a supplied unit on the near bank, no EZOC on the far one.
fn site_ready_1e(rules: &Ardennes, s: &State, side: Side, [a, b]: [HexId; 2]) -> Result<(), No> {
    let supplied =
        |hex| s.stack(hex).any(|unit| rules.counter(unit).side == side && !s.unit(unit).is(Flags::OOS));
    let ready = |near, far| supplied(near) && !s.in_ezoc(side, far);
    if ready(a, b) || ready(b, a) { Ok(()) } else { Err(("7.9", "bridge.banks_1e")) }
}
