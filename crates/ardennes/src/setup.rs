//! Set-up (31.1): the initial placement, and the German player's free deployment.

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    event::Event,
    flags::Flags,
    frame::Frame,
    pack::{BridgeState, HexRef, Role, SetupRule, Side, Start, UnitId},
    phase::{self, Phase},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::{BridgeIs, State},
    subject::Subject,
};

/// The position of a scenario before anything is decided or rolled.
pub fn start(rules: &Ardennes) -> State {
    let scenario = &rules.scenario;
    let mut s = State::empty();
    s.roadblocks_control = !rules.roadblocks_are_standard(); // 1E 24.8
    s.turn = scenario.first_turn;
    lay_control(rules, &mut s);
    lay_bridges(rules, &mut s);
    for id in (0..rules.pack.units.len() as u16).map(UnitId) {
        let place = waiting_place(rules, id);
        rules.put(&mut s, id, place);
    }
    for placement in &scenario.placements {
        let Some(hex) = find(rules, placement.hex) else { continue };
        let free = scenario.setup[rules.counter(placement.unit).side.index()] == SetupRule::Areas;
        if !in_use(rules, placement.unit) {
            continue;
        }
        let place = if free { Place::SetUp } else { Place::Hex(hex) };
        put_on_map(rules, &mut s, placement.unit, place);
        let unit = s.unit_mut(placement.unit);
        if placement.reduced {
            unit.flags.set(Flags::REDUCED);
        }
        if placement.fired {
            unit.flags.set(Flags::FIRED);
        }
        unit.set_parent(placement.parent);
    }
    for unit in &scenario.dead {
        rules.take_off(&mut s, *unit, Place::Dead);
    }
    for unit in &scenario.removed {
        rules.take_off(&mut s, *unit, Place::Gone);
    }
    for hex in scenario.improved_positions.iter().filter_map(|h| find(rules, *h)) {
        s.improved.insert(hex);
    }
    if scenario.german_artillery_fired {
        // 31.4 C
        for unit in rules.units_of(Side::German).filter(|u| rules.counter(*u).artillery) {
            s.unit_mut(unit).flags.set(Flags::FIRED);
        }
    }
    for (number, group) in scenario.isolated.iter().enumerate() {
        // 31.4 F
        for unit in &group.units {
            let unit = s.unit_mut(*unit);
            unit.flags.set(Flags::OOS | Flags::ISOLATED);
            (unit.group, unit.points) = (number as u8 + 1, group.surrender_points);
        }
    }
    for number in 1..=6 {
        if !scenario.greif_left.contains(&number) {
            s.greif_removed |= 1 << (number - 1);
        }
    }
    if rules.roadblocks_are_standard() && scenario.turn_one_rules {
        // 1E 24.8
        let sites = rules.pack.places.roadblocks_1e.iter().filter_map(|h| find(rules, *h));
        for (marker, hex) in s.roadblocks[Side::Allied.index()].iter_mut().zip(sites) {
            *marker = crate::state::MarkerAt(hex);
        }
    }
    push_first_frames(rules, &mut s);
    rules.refresh_all(&mut s);
    s
}

/// Places a unit and flips counters whose size changes with it.
fn put_on_map(rules: &Ardennes, s: &mut State, unit: UnitId, place: Place) {
    rules.put(s, unit, place);
    if let Some(hex) = place.hex() {
        s.set_control(hex, rules.counter(unit).side);
    }
}

fn find(rules: &Ardennes, hex: HexRef) -> Option<HexId> {
    rules.map.board.find(&hex.to_string()).ok().filter(|hex| rules.land.in_play.contains(*hex))
}

/// Is the unit part of this game (1E 33: optional groups)?
fn in_use(rules: &Ardennes, unit: UnitId) -> bool {
    rules.pack.unit(unit).optional.is_none_or(|group| rules.options.groups.get(group.index()) == Some(&true))
}

/// The place of a unit that no placement names.
fn waiting_place(rules: &Ardennes, unit: UnitId) -> Place {
    let def = rules.pack.unit(unit);
    if !in_use(rules, unit) {
        return Place::Gone;
    }
    match (&def.role, &def.start) {
        // S1.1: where part of a map is played, only those placed take part.
        (Role::Combat, _) if rules.scenario.part.is_some() => Place::Gone,
        (Role::Breakdown(_) | Role::Remnant(_), _) | (_, Start::Pool) => Place::Pool,
        (_, Start::Arrival(arrival)) if arrival.turn >= rules.scenario.first_turn => Place::Track,
        _ => Place::Gone,
    }
}

fn lay_control(rules: &Ardennes, s: &mut State) {
    let german = rules.map.faction_id("german");
    for hex in &rules.land.in_play {
        if german.is_some() && rules.map.control(hex) == german {
            s.set_control(hex, Side::German);
        }
    }
    if rules.scenario.turn_one_rules {
        for area in &rules.land.areas {
            s.set_control_of_all(area, Side::German);
        }
        s.set_control_of_all(&rules.land.rear_zone, Side::German);
    }
    s.set_control_of_all(&rules.land.sources[Side::German.index()], Side::German);
    for hex in &rules.scenario.german_control {
        if let Some(hex) = find(rules, *hex) {
            s.set_control(hex, Side::German);
        }
    }
}

fn lay_bridges(rules: &Ardennes, s: &mut State) {
    let state = |state: BridgeState| match state {
        BridgeState::Intact => BridgeIs::Intact,
        BridgeState::Blown => BridgeIs::Blown,
        BridgeState::UnderConstruction => BridgeIs::UnderConstruction(Side::German),
    };
    for (index, bridge) in rules.map.bridges.iter().enumerate() {
        s.bridge_mut(index).set(match bridge.state {
            atlas::BridgeState::Intact => BridgeIs::Intact,
            atlas::BridgeState::Blown => BridgeIs::Blown,
            atlas::BridgeState::UnderConstruction => BridgeIs::UnderConstruction(Side::German),
        });
    }
    for bridge in &rules.scenario.bridges {
        let [a, b] = bridge.hexes.map(|hex| find(rules, hex));
        if let (Some(a), Some(b)) = (a, b)
            && let Some(index) = rules.land.between(a, b).and_then(crate::terrain::Edge::bridge)
        {
            s.bridge_mut(index as usize).set(state(bridge.state));
        }
    }
}

/// 31: set-up, then the first phase.
fn push_first_frames(rules: &Ardennes, s: &mut State) {
    let scenario = &rules.scenario;
    (s.side, s.phase) = (Side::German, Phase::ArtillerySupply);
    s.push_frames(phase::steps(s.phase));
    if scenario.traffic_before_play > 0 {
        s.push_frames(&[Frame::TrafficBeforePlay]);
    }
    if rules.options.fuel_dumps && scenario.first_turn <= crate::fuel_dumps::LAST_TURN {
        s.push_frames(&[Frame::HideFuelDumps]);
    }
    for side in scenario.setup_order.into_iter().rev() {
        if scenario.setup[side.index()] == SetupRule::Areas {
            s.push_frames(&[Frame::SetUp(side)]);
        }
    }
}

/// 31.1: a side places its units.
#[derive(Debug)]
pub struct SetUp;

impl Question<Ardennes> for SetUp {
    fn asks(&self, _: &Ardennes, _: &State, frame: Frame) -> Option<Side> {
        let Frame::SetUp(side) = frame else { return None };
        Some(side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let nobody = !cx.rules.units_of(cx.side).any(|u| settable(cx.rules, cx.s, cx.side, u));
        nobody.then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let waiting = |u: &UnitId| cx.s.unit(*u).place() == Place::SetUp;
        out.extend(cx.rules.units_of(cx.side).filter(waiting).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => {
                if all_placed(cx) {
                    out.push(Action::Done);
                }
                out.extend([Action::Deploy, Action::DeployArmor]);
            }
            Subject::Unit(unit) if settable(cx.rules, cx.s, cx.side, unit) => {
                let Start::Area { areas, .. } = &cx.rules.pack.unit(unit).start else { return };
                for area in areas {
                    for hex in &cx.rules.land.areas[area.index()] {
                        let action = Action::Place { unit, hex };
                        // A hex shared by two areas is listed once.
                        if place_bar(cx, unit, hex).is_none() && !out.contains(&action) {
                            out.push(action);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Deploy | Action::DeployArmor => Ok(()),
            Action::Done if all_placed(cx) => Ok(()),
            Action::Done => cx.rules.no("31.1", "set_up.not_all").into(),
            Action::Place { unit, hex } => {
                if !settable(cx.rules, cx.s, cx.side, unit) {
                    return Err(cx.rules.refuse_owner(unit, cx.side));
                }
                let no = |rule, key| cx.rules.no(rule, key).unit("unit", unit).hex("hex", hex).into();
                match place_bar(cx, unit, hex) {
                    None => Ok(()),
                    Some(PlaceBar::Area) => no("31.1", "set_up.area"),
                    Some(PlaceBar::ClosedToRed) => no("31.1", "set_up.red"),
                    Some(PlaceBar::Enemy) => no("31.1", "enemy_there"),
                    Some(PlaceBar::Full(over)) => {
                        let load = cx.rules.load(cx.s, hex, &[unit]);
                        Err(cx.rules.refuse_overload(cx.s, hex, over, load))
                    }
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let side = at.side;
        match *action {
            Action::Done => play.pop(),
            Action::Place { unit, hex } => {
                put_on_map(play.rules, play.s, unit, Place::Hex(hex));
                play.tell(Event::Placed { unit, hex });
            }
            Action::Deploy => {
                let rules = play.rules;
                for (unit, hex) in rules.deployment.iter().copied() {
                    if settable(rules, play.s, side, unit) {
                        put_on_map(rules, play.s, unit, Place::Hex(hex));
                        play.tell(Event::Placed { unit, hex });
                    }
                }
            }
            Action::DeployArmor => {
                for (unit, hex) in armor_forward(play.rules, play.s, side) {
                    put_on_map(play.rules, play.s, unit, Place::Hex(hex));
                    play.tell(Event::Placed { unit, hex });
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Where the units of a side stand with its armor in front: armored units as near the enemy as their areas allow, then the
/// others at their place in the shipped deployment, or as near to it as there is room.
fn armor_forward(rules: &Ardennes, s: &State, side: Side) -> Vec<(UnitId, HexId)> {
    let mut s = *s;
    let board = &rules.map.board;
    let listed = |unit: UnitId| rules.deployment.iter().find(|(of, _)| *of == unit).map(|(_, hex)| *hex);
    let mut units: Vec<UnitId> = rules.units_of(side).filter(|u| settable(rules, &s, side, *u)).collect();
    for unit in &units {
        rules.put(&mut s, *unit, Place::SetUp);
    }
    let foes: Vec<HexId> = rules.units_of(side.enemy()).filter_map(|u| s.unit(u).place().hex()).collect();
    let armored = |unit: UnitId| {
        let counter = rules.counter(unit);
        counter.mechanized && !counter.artillery
    };
    units.sort_by_key(|unit| (!armored(*unit), *unit));
    let mut out = Vec::with_capacity(units.len());
    for unit in units {
        let Start::Area { areas, .. } = &rules.pack.unit(unit).start else { continue };
        let cx = Cx { rules, s: &s, side, frame: Frame::SetUp(side) };
        let open = areas.iter().flat_map(|area| &rules.land.areas[area.index()]);
        let open = open.filter(|hex| place_bar(&cx, unit, *hex).is_none());
        let moved = |hex: HexId| listed(unit).map_or(0, |home| board.distance(hex, home));
        let front = armored(unit);
        let near = |hex: HexId| {
            let to_enemy = foes.iter().filter(|_| front).map(|foe| board.distance(hex, *foe));
            to_enemy.min().unwrap_or(0)
        };
        let Some(hex) = open.min_by_key(|hex| (near(*hex), moved(*hex), *hex)) else { continue };
        put_on_map(rules, &mut s, unit, Place::Hex(hex));
        out.push((unit, hex));
    }
    out
}

/// Is this a unit that its owner may place freely within its areas?
fn settable(rules: &Ardennes, s: &State, side: Side, unit: UnitId) -> bool {
    rules.counter(unit).side == side
        && matches!(rules.pack.unit(unit).start, Start::Area { .. })
        && matches!(s.unit(unit).place(), Place::SetUp | Place::Hex(_))
}

// 1E 3.4: a hex of two divisions' areas is open to both.
fn all_placed(cx: &Cx) -> bool {
    !cx.rules.units_of(cx.side).any(|u| cx.s.unit(u).place() == Place::SetUp)
}

/// What keeps a unit out of a hex at set-up.
enum PlaceBar {
    /// 31.1
    Area,
    /// 31.1, 26 VG
    ClosedToRed,
    /// An enemy unit is there.
    Enemy,
    /// 8.1
    Full(crate::stacking::Overload),
}

fn place_bar(cx: &Cx, unit: UnitId, hex: HexId) -> Option<PlaceBar> {
    let (rules, s) = (cx.rules, cx.s);
    let Start::Area { areas, .. } = &rules.pack.unit(unit).start else { return Some(PlaceBar::Area) };
    let mut mine = areas.iter().filter(|a| rules.land.areas[a.index()].contains(hex)).peekable();
    if mine.peek().is_none() {
        return Some(PlaceBar::Area);
    }
    let counter = rules.counter(unit);
    if counter.red_code && mine.all(|a| rules.land.areas_closed_to_red[a.index()].contains(hex)) {
        return Some(PlaceBar::ClosedToRed);
    }
    if s.enemy_in(cx.side, hex) {
        return Some(PlaceBar::Enemy);
    }
    rules.overload(s, hex, &[unit]).map(PlaceBar::Full)
}
