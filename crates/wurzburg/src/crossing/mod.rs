//! Crossing the Main without a civil bridge: ferries (17.4) and amphibious crossings (17.5). Military bridges that
//! ground units destroy or abandon (34.3, 38.3) are in [`bridge`].

mod bridge;

use hexgrid::{Direction, HexId, SideId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

pub use bridge::{
    abandon, abandonable, check_abandon, check_objective, destroy_bridge, objectives, storm_bridge,
};
use bridge::{check_raze, razable, raze};

use crate::{
    action::{Action, Part, Parts, Subject, Units},
    event::Event,
    field::Edge,
    frame::Frame,
    movement::{self, Mover, QUARTERS, River},
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::State,
    units::{FormationId, OpKind, Side, Symbol, UnitId, UnitSet, set_of},
};

impl Wurzburg {
    /// The hexes across the Main from a hex.
    fn far_banks(&self, from: HexId) -> impl Iterator<Item = (Direction, HexId)> + '_ {
        Direction::ALL.into_iter().filter_map(move |d| {
            let to = self.field.neighbour(from, d)?;
            self.field.edge(from, d).any(Edge::MAIN).then_some((d, to))
        })
    }

    /// The two hexes of a bridge that an engineer maintains (34.3).
    pub fn bridge_of(&self, s: &State, engineer: UnitId) -> Option<(SideId, [HexId; 2])> {
        let n = s.crossings.iter().position(|crossing| crossing.engineer == Some(engineer))?;
        let side = *self.field.river_sides.get(n)?;
        let [Some(a), Some(b)] = self.field.board.side_hexes(side) else { return None };
        Some((side, [a, b]))
    }

    /// The hexes beside a hexside.
    pub fn banks(&self, side: SideId) -> SmallVec<[HexId; 2]> {
        self.field.board.side_hexes(side).into_iter().flatten().collect()
    }
}

/// Steps that an engineer can still ferry in this operation (17.4).
fn capacity(cx: &Cx, engineer: UnitId) -> u8 {
    let most = cx.rules.tables.ferry_steps;
    cx.s.op.ferries.iter().find(|(unit, _)| *unit == engineer).map_or(most, |(_, left)| *left)
}

fn ferrying(s: &State, engineer: UnitId) -> bool {
    s.op.ferries.iter().any(|(unit, _)| *unit == engineer)
}

/// 17.4: engineers of the operation that can ferry units from this hex.
fn check_ferry_engineers(cx: &Cx, from: HexId, with: &Units) -> Result<u8, Refusal> {
    let rules = cx.rules;
    if with.is_empty() {
        return rules.no("17.4", "ferry.no_engineer").hex("hex", from).into();
    }
    let mut total = 0;
    for (n, unit) in with.iter().enumerate() {
        rules.own(cx.side, *unit)?;
        let no = |rule, key| rules.no(rule, key).unit("unit", *unit).into();
        if rules.counter(*unit).symbol != Symbol::Engineer || !cx.s.op.members.contains(*unit) {
            return no("17.4", "ferry.engineer");
        }
        let moved = cx.s.op.moved.contains(*unit) && !ferrying(cx.s, *unit);
        if cx.s.unit(*unit).hex != from && !ferrying(cx.s, *unit) || moved || with[..n].contains(unit) {
            return no("17.4", "ferry.start");
        }
        // 17.6.2
        if cx.s.op.assisting.contains(*unit) {
            return no("17.6.2", "ferry.assists");
        }
        let purse = rules.counter(*unit).nation.purse();
        let new = with[..=n]
            .iter()
            .filter(|other| rules.counter(**other).nation.purse() == purse && !ferrying(cx.s, **other));
        if new.count() > usize::from(cx.s.points[purse.index()].bridging) {
            return no("17.4.2", "ferry.no_points");
        }
        total += capacity(cx, *unit);
    }
    Ok(total)
}

fn check_ferry(cx: &Cx, parts: &Parts, with: &Units, to: HexId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let Some(first) = parts.first() else { return Err(rules.not_now()) };
    if cx.s.op.kind == OpKind::Reserve {
        return rules.no("17.4", "ferry.reserve").into();
    }
    let from = cx.s.unit(first.unit).hex;
    if from == HexId::NONE || !rules.far_banks(from).any(|(_, hex)| hex == to) {
        return rules.no("17.4", "ferry.no_river").hex("hex", to).into();
    }
    let mut steps = 0u8;
    let mut seen = UnitSet::EMPTY;
    for part in parts {
        rules.own(cx.side, part.unit)?;
        let u = cx.s.unit(part.unit);
        let no = |rule, key| rules.no(rule, key).unit("unit", part.unit).into();
        if !cx.s.op.members.contains(part.unit) || !u.on_map() || !rules.counter(part.unit).symbol.ground() {
            return no("17.4", "ferry.not_in_operation");
        }
        if cx.s.op.moved.contains(part.unit) || cx.s.op.done.contains(part.unit) {
            return no("17.4", "ferry.start");
        }
        if u.hex != from || !seen.insert(part.unit) {
            return rules.no("14.1", "move.apart").unit("unit", part.unit).into();
        }
        movement::check_part(rules, cx.s, *part)?;
        steps = steps.saturating_add(part.steps.unwrap_or(u.steps));
    }
    movement::check_spares(rules, cx.s, parts)?; // 17.4.1
    let carries = check_ferry_engineers(cx, from, with)?;
    if steps > carries {
        return rules.no("17.4", "ferry.capacity").number("steps", i64::from(carries)).into();
    }
    let mut later = cx.s.draft();
    let force = movement::divide(rules, &mut later, parts);
    let mover = rules.mover(&later, cx.side, force);
    match mover.landing_refusal(from, to, "17.4") {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}

fn ferry(play: &mut Play, parts: &Parts, with: &Units, to: HexId) {
    let mut left: u8 = parts.iter().map(|p| p.steps.unwrap_or(play.s.unit(p.unit).steps)).sum();
    for engineer in with {
        let purse = play.rules.counter(*engineer).nation.purse().index();
        if !ferrying(play.s, *engineer) {
            // 17.4.2: the point is borrowed for this turn.
            play.s.points[purse].bridging = play.s.points[purse].bridging.saturating_sub(1);
            play.s.points[purse].borrowed += 1;
            play.s.op.ferries.push((*engineer, play.rules.tables.ferry_steps));
        }
        if let Some((_, room)) = play.s.op.ferries.iter_mut().find(|(unit, _)| unit == engineer) {
            let takes = left.min(*room);
            *room -= takes;
            left -= takes;
        }
    }
    let force = movement::part_off(play, parts);
    for engineer in with {
        if !force.contains(*engineer) {
            play.s.op.done.insert(*engineer); // 17.6.1
        }
    }
    play.tell(Event::Ferried { units: force.iter().collect(), engineers: with.clone(), to });
    set_over(play, force, to);
}

/// The force crosses the river, which is its whole movement (17.4, 17.5 step 5).
fn set_over(play: &mut Play, force: UnitSet, to: HexId) {
    movement::start(play, force, [to].into_iter().collect());
    play.s.walk.crossing = true;
}

/// 17.5: the regiment that tries, and its units at the site that could cross.
fn crossers(rules: &Wurzburg, s: &State, site: HexId) -> Option<(FormationId, Units)> {
    let group = s.op.groups.iter().find(|group| {
        group.formation.some().is_some_and(|f| rules.formation(f).motor_rifle())
            && group.members.iter().any(|unit| at_site(rules, s, unit, group.formation, site))
    })?;
    let units = group.members.iter().filter(|unit| at_site(rules, s, *unit, group.formation, site));
    Some((group.formation, units.collect()))
}

fn at_site(rules: &Wurzburg, s: &State, unit: UnitId, formation: FormationId, site: HexId) -> bool {
    let u = s.unit(unit);
    u.on_map()
        && u.hex == site
        && u.steps > 0
        && rules.counter(unit).formation == formation
        && rules.counter(unit).symbol.maneuver()
        && !s.op.done.contains(unit)
        && landings(rules, s, unit).next().is_some()
}

/// Far-bank hexes that a unit at the site has the Movement Points for (17.5 step 3).
fn landings<'a>(rules: &'a Wurzburg, s: &'a State, unit: UnitId) -> impl Iterator<Item = HexId> + 'a {
    let from = s.unit(unit).hex;
    let mover = Mover::new(rules, s, Side::Wp, movement::Way::Operation(s.op.kind), set_of([unit]));
    let fresh = !s.op.moved.contains(unit);
    rules.far_banks(from).filter_map(move |(direction, to)| {
        let open = rules.river(s, Side::Wp, from, direction) == River::Main
            && !rules.field.terrain(to).built_up()
            && mover.landing_refusal(from, to, "17.5").is_none();
        // Units that start here cross by minimum movement.
        let paid = fresh || s.unit(unit).mp >= mover.bank_cost(from, direction, to);
        (open && paid).then_some(to)
    })
}

fn check_cross(cx: &Cx, site: HexId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let no = |key| rules.no("17.5", key).hex("hex", site).into();
    if cx.side != Side::Wp || cx.s.op.kind != OpKind::Assault {
        return no("cross.not_assault");
    }
    if rules.field.terrain(site).built_up() {
        return no("cross.built_up");
    }
    let open = |(d, _): (Direction, HexId)| rules.river(cx.s, Side::Wp, site, d) == River::Main;
    if !rules.far_banks(site).any(open) {
        return no("cross.no_river");
    }
    let Some((formation, _)) = crossers(rules, cx.s, site) else { return no("cross.nobody") };
    if cx.s.sites.iter().any(|(regiment, hex)| *regiment == formation || *hex == site) {
        return no("cross.again");
    }
    Ok(())
}

/// 17.5 step 4: an engineer of the operation at the site with a Movement Point left.
fn assistant(rules: &Wurzburg, s: &State, site: HexId) -> Option<UnitId> {
    s.op.members.iter().find(|unit| {
        let u = s.unit(*unit);
        rules.counter(*unit).symbol == Symbol::Engineer
            && u.on_map()
            && u.hex == site
            && u.mp >= QUARTERS
            && !ferrying(s, *unit)
    })
}

fn cross(play: &mut Play, site: HexId) -> Result<(), Stop> {
    let Some((formation, _)) = crossers(play.rules, play.s, site) else { return Ok(()) };
    let table = &play.rules.tables.amphibious;
    let mut modifier = 0;
    if let Some(engineer) = assistant(play.rules, play.s, site) {
        modifier = table.engineer_at_site;
        play.s.op.assisting.insert(engineer);
        play.s.op.done.insert(engineer);
    }
    let roll = play.roll(Side::Wp, modifier, "roll.crossing", "17.5")?;
    let steps = table.steps(roll as i8 + modifier);
    play.s.sites.push((formation, site));
    play.s.op.landing = steps;
    play.s.op.site = site;
    play.tell(Event::Crossing { formation, hex: site, roll, modifier, steps });
    if steps > 0 {
        play.push(Frame::Landing);
    }
    Ok(())
}

/// 17.5 steps 5 and 6: which steps cross, and where they land.
#[derive(Debug)]
pub struct Landing;

fn check_land(cx: &Cx, part: Part, to: HexId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(cx.side, part.unit)?;
    let no = |key| rules.no("17.5", key).unit("unit", part.unit).hex("hex", to).into();
    let able = crossers(rules, cx.s, cx.s.op.site).is_some_and(|(_, units)| units.contains(&part.unit));
    if !able {
        return no("cross.not_there");
    }
    if !landings(rules, cx.s, part.unit).any(|hex| hex == to) {
        return no("cross.bank");
    }
    let steps = part.steps.unwrap_or(cx.s.unit(part.unit).steps);
    if steps > cx.s.op.landing {
        return rules.no("17.5", "cross.steps").number("steps", i64::from(cx.s.op.landing)).into();
    }
    movement::check_part(rules, cx.s, part)?;
    movement::check_spares(rules, cx.s, &[part].into_iter().collect())?;
    if steps == 0 && rules.next_to(cx.s, to, cx.side.enemy()) {
        return rules.no("11.3", "move.dummy_adjacent").unit("unit", part.unit).hex("hex", to).into();
    }
    Ok(())
}

fn land_options(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let steps = cx.s.unit(unit).steps;
    for to in landings(cx.rules, cx.s, unit) {
        for part in [steps.min(cx.s.op.landing), 1, 0] {
            let part = Part { unit, steps: (part != steps).then_some(part) };
            let action = Action::Land { part, to };
            if check_land(cx, part, to).is_ok() && !out.contains(&action) {
                out.push(action);
            }
        }
    }
}

impl Question<Wurzburg> for Landing {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let mut all = Vec::new();
        if let Some((_, units)) = crossers(cx.rules, cx.s, cx.s.op.site) {
            units.iter().for_each(|unit| land_options(cx, *unit, &mut all));
        }
        (cx.s.op.landing == 0 || all.is_empty()).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        if let Some((_, units)) = crossers(cx.rules, cx.s, cx.s.op.site) {
            let goes = |unit: &UnitId| {
                let mut all = Vec::new();
                land_options(cx, *unit, &mut all);
                !all.is_empty()
            };
            out.extend(units.into_iter().filter(goes).map(Subject::Unit));
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit)
                if crossers(cx.rules, cx.s, cx.s.op.site).is_some_and(|(_, all)| all.contains(&unit)) =>
            {
                land_options(cx, unit, out);
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Land { part, to } => check_land(cx, *part, *to),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Action::Land { part, to } = action else {
            play.pop();
            play.s.op.landing = 0;
            return Ok(());
        };
        let steps = part.steps.unwrap_or(play.s.unit(part.unit).steps);
        play.s.op.landing = play.s.op.landing.saturating_sub(steps);
        let force = movement::part_off(play, &[*part].into_iter().collect());
        set_over(play, force, *to);
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.landing", "17.5")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

/// Whether the owner could still cross or destroy a bridge in this step. Does not depend on hidden steps.
pub fn open(cx: &Cx) -> bool {
    let beside = |side: SideId| {
        let banks = cx.rules.banks(side);
        cx.s.op.moved.iter().any(|unit| cx.s.unit(unit).on_map() && banks.contains(&cx.s.unit(unit).hex))
    };
    let bridges = cx.s.crossings.iter().enumerate().filter(|(_, crossing)| crossing.military.is_some());
    bridges.into_iter().any(|(n, _)| beside(cx.rules.field.river_sides[n]))
        || cx.s.op.kind == OpKind::Assault
            && cx.side == Side::Wp
            && cx.s.op.groups.iter().any(|group| {
                let tried = cx.s.sites.iter().any(|(formation, _)| *formation == group.formation);
                !tried
                    && group.formation.some().is_some_and(|f| cx.rules.formation(f).motor_rifle())
                    && group.members.iter().any(|unit| {
                        let u = cx.s.unit(unit);
                        u.on_map()
                            && !cx.s.op.done.contains(unit)
                            && cx.rules.counter(unit).symbol.maneuver()
                            && !cx.rules.field.terrain(u.hex).built_up()
                            && cx.rules.far_banks(u.hex).next().is_some()
                    })
            })
}

/// What the Movement Step offers besides moves, for all units together.
pub fn offers(cx: &Cx, out: &mut Vec<Action>) {
    for side in razable(cx) {
        let n = usize::from(cx.rules.field.river_of(side));
        if cx.s.crossings[n].engineer.is_some() {
            let open = cx.rules.banks(side).into_iter().filter(|to| check_raze(cx, side, *to).is_ok());
            out.extend(open.map(|to| Action::Raze { side, to }));
        } else {
            out.push(Action::Raze { side, to: HexId::NONE });
        }
    }
    if cx.s.op.kind == OpKind::Assault && cx.side == Side::Wp {
        let mut sites: SmallVec<[HexId; 4]> = SmallVec::new();
        for unit in &cx.s.op.members {
            let hex = cx.s.unit(unit).hex;
            if hex != HexId::NONE && !sites.contains(&hex) && check_cross(cx, hex).is_ok() {
                sites.push(hex);
            }
        }
        out.extend(sites.into_iter().map(Action::Cross));
    }
}

/// Ferries for one unit with the engineers of its hex, with as many steps as they can carry.
pub fn ferries(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let from = cx.s.unit(unit).hex;
    if from == HexId::NONE || cx.rules.far_banks(from).next().is_none() {
        return;
    }
    let engineers: Units =
        cx.s.op
            .members
            .iter()
            .filter(|e| cx.rules.counter(*e).symbol == Symbol::Engineer && cx.s.unit(*e).hex == from)
            .collect();
    let Some(engineer) = engineers.first().copied() else { return };
    let room = capacity(cx, engineer);
    let steps = cx.s.unit(unit).steps;
    let part = Part { unit, steps: (steps > room).then_some(room) };
    for (_, to) in cx.rules.far_banks(from) {
        let parts: Parts = [part].into_iter().collect();
        let with: Units = [engineer].into_iter().collect();
        if check_ferry(cx, &parts, &with, to).is_ok() {
            out.push(Action::Ferry { parts, with, to });
        }
    }
}

/// Whether it may be done in the Movement Step.
pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match action {
        Action::Ferry { parts, with, to } => check_ferry(cx, parts, with, *to),
        Action::Cross(site) => check_cross(cx, *site),
        Action::Raze { side, to } => check_raze(cx, *side, *to),
        _ => Err(cx.rules.not_now()),
    }
}

/// Carry it out in the Movement Step.
pub fn apply(play: &mut Play, side: Side, action: &Action) -> Result<(), Stop> {
    match action {
        Action::Ferry { parts, with, to } => ferry(play, parts, with, *to),
        Action::Cross(site) => cross(play, *site)?,
        Action::Raze { side: at, to } => raze(play, side, *at, *to),
        _ => {}
    }
    Ok(())
}
