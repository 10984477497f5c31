//! Reaction (19): one force of the non-active player moves into the Objective Hex.

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Hexes, Part, Parts, Subject, Units},
    event::Event,
    frame::Frame,
    movement::{Mover, Path, Reach, Way},
    operation::payers,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, OpKind, Payer, State},
    units::{FormationId, Side, UnitId, UnitSet, set_of},
};

/// 19.0: whether a unit may react, as far as it alone is concerned.
fn check_unit(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(cx.side, unit)?;
    let u = cx.s.unit(unit);
    let counter = rules.counter(unit);
    let no = |rule, key| rules.no(rule, key).unit("unit", unit).into();
    if !counter.symbol.maneuver() || !u.on_map() || u.hex == cx.s.op.objective {
        return no("19.0", "react.not_maneuver"); // item 1
    }
    if u.dummy() {
        return no("11.3", "react.dummy");
    }
    if u.is(Flags::USED) {
        return no("19.0", "react.used"); // item 2
    }
    if rules.next_to(cx.s, u.hex, cx.side.enemy()) {
        return no("19.0", "react.adjacent"); // item 3, 16.8.5
    }
    if rules.shattered(cx.s, unit) {
        return no("31.2", "react.shattered");
    }
    match cx.side {
        Side::Wp => check_wp(cx, unit),
        Side::Nato => check_nato(cx, unit),
    }
}

/// 19.1, 19.2, 13.7.1
fn check_wp(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let formation = rules.counter(unit).formation;
    let f = cx.s.formation(formation);
    let no = |rule, key| rules.no(rule, key).unit("unit", unit).into();
    if f.plan.kind != OpKind::Reserve || f.plan.executed {
        return no("19.1", "react.not_reserve");
    }
    let range = u32::from(rules.tables.command.lead_unit_range);
    let near = |hex: HexId| rules.field.distance(hex, cx.s.unit(unit).hex) <= range;
    let lead = match f.lead.some() {
        Some(hex) => near(hex),
        // A missing marker is placed when it is first needed.
        None => rules.leads(cx.s, formation).iter().any(|other| near(cx.s.unit(*other).hex)),
    };
    if !lead {
        return no("19.1", "react.far_from_lead");
    }
    let there = rules.stack(cx.s, cx.side, cx.s.op.objective);
    let same = there.iter().any(|other| rules.counter(*other).formation == formation);
    if rules.formation(formation).dtb() {
        // 19.2: units of the same division, or of superior bases.
        let division = rules.division(cx.s, formation);
        let ok = there.iter().all(|other| {
            let node = rules.counter(*other).formation;
            rules.division(cx.s, node) == division || rules.below(cx.s, formation, node)
        });
        return if ok { Ok(()) } else { no("19.2", "react.other_division") };
    }
    if same { Ok(()) } else { no("19.1", "react.other_regiment") }
}

/// 19.3 item 2
fn check_nato(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let brigade = rules.cycle_of(cx.s, rules.counter(unit).formation);
    let there = rules.stack(cx.s, cx.side, cx.s.op.objective);
    let same = there.iter().any(|other| {
        !rules.formation(rules.counter(*other).formation).base
            && rules.cycle_of(cx.s, rules.counter(*other).formation) == brigade
    });
    let bases = there.iter().all(|other| {
        let counter = rules.counter(*other);
        rules.formation(counter.formation).base
            && counter.nation == rules.counter(unit).nation
            && rules.in_chain(cx.s, counter.formation, rules.counter(unit).formation)
    });
    if brigade.is_some() && (same || bases && !there.is_empty()) {
        return Ok(());
    }
    rules.no("19.3", "react.other_brigade").unit("unit", unit).into()
}

/// Whether a WP unit could react if its regiment were in reserve. WP is then asked whatever is planned: skipping the
/// question would reveal the plan (12.3).
fn seems_able(cx: &Cx) -> bool {
    let reach = u32::from(cx.rules.tables.operations.reaction.mp);
    cx.side == Side::Wp
        && barred(cx).is_none()
        && cx.rules.units_of(Side::Wp).iter().any(|unit| {
            let u = cx.s.unit(*unit);
            u.on_map()
                && cx.rules.counter(*unit).symbol.maneuver()
                && !u.is(Flags::USED)
                && u.hex != cx.s.op.objective
                && cx.rules.field.distance(u.hex, cx.s.op.objective) <= reach
                && !cx.rules.next_to(cx.s, u.hex, Side::Nato)
        })
}

/// What prevents any reaction (19.0).
fn barred(cx: &Cx) -> Option<Refusal> {
    if cx.rules.masked_hex(cx.s, cx.s.op.objective) {
        return Some(cx.rules.no("14.4", "react.masked").hex("hex", cx.s.op.objective).into());
    }
    if cx.s.op.no_reaction {
        return Some(cx.rules.no("39.0", "react.jammed").into());
    }
    None
}

fn check_force(cx: &Cx, units: &[UnitId], payer: Payer, path: &Hexes) -> Result<(), Refusal> {
    let rules = cx.rules;
    if let Some(refusal) = barred(cx) {
        return Err(refusal);
    }
    let Some(first) = units.first().copied() else { return Err(rules.not_now()) };
    let formation = rules.counter(first).formation;
    let from = cx.s.unit(first).hex;
    for (n, unit) in units.iter().enumerate() {
        check_unit(cx, *unit)?;
        if cx.s.unit(*unit).hex != from || units[..n].contains(unit) {
            return rules.no("19.0", "react.apart").unit("unit", *unit).into();
        }
        let other = rules.counter(*unit).formation;
        let together = match cx.side {
            _ if other == formation => true,
            Side::Wp => rules.formation(other).dtb() || rules.formation(formation).dtb(),
            // 19.3 item 2: a battalion belongs to the brigade it is attached to.
            Side::Nato => rules.cycle_of(cx.s, other) == rules.cycle_of(cx.s, formation),
        };
        if !together {
            return rules.no("19.3", "react.other_brigade").unit("unit", *unit).into();
        }
    }
    match cx.side {
        Side::Wp if payer == Payer::None => {}
        Side::Wp => return rules.no("19.1", "react.free").into(),
        Side::Nato => crate::operation::check_payer(cx, payer, formation, from, true)?,
    }
    // 19.4 item 4
    let mut there: Units = rules.stack(cx.s, cx.side, cx.s.op.objective);
    there.extend_from_slice(units);
    if !rules.may_stack(cx.s, &there) {
        return rules.no("19.4", "react.stacking").hex("hex", cx.s.op.objective).into();
    }
    let force = set_of(units.iter().copied());
    match way(cx, force, path) {
        Some(_) => Ok(()),
        None => rules.no("19.4", "react.too_far").hex("hex", cx.s.op.objective).into(),
    }
}

/// The path into the Objective Hex: the one named, or the cheapest.
fn way(cx: &Cx, force: UnitSet, path: &Hexes) -> Option<Path> {
    let mover = Mover::new(cx.rules, cx.s, cx.side, Way::Reaction, force);
    let goal = cx.s.op.objective;
    if path.is_empty() {
        return Reach::with(&mover, |reach| reach.path(&mover, goal));
    }
    let (mut at, mut spent) = (mover.from, 0);
    for (n, to) in path.iter().enumerate() {
        let direction = cx.rules.field.toward(at, *to)?;
        let (_, step) = mover.step(at, direction, spent, false)?;
        if !mover.affords(spent, step.cost, n == 0 && path.len() == 1) {
            return None;
        }
        (at, spent) = (*to, spent.saturating_add(step.cost));
    }
    (at == goal).then(|| path.iter().copied().collect())
}

/// Forces that could react: each unit alone, and all units of a hex together.
pub fn forces(cx: &Cx) -> Vec<(Units, Payer)> {
    if barred(cx).is_some() {
        return Vec::new();
    }
    let reach = u32::from(cx.rules.tables.operations.reaction.mp);
    let able: Units = cx
        .rules
        .units_of(cx.side)
        .iter()
        .copied()
        .filter(|unit| {
            let u = cx.s.unit(*unit);
            u.on_map()
                && cx.rules.field.distance(u.hex, cx.s.op.objective) <= reach
                && check_unit(cx, *unit).is_ok()
        })
        .collect();
    let mut seen = HexSet::EMPTY;
    let mut out = Vec::new();
    for unit in &able {
        let hex = cx.s.unit(*unit).hex;
        let formation = cx.rules.counter(*unit).formation;
        let pays: SmallVec<[Payer; 4]> = match cx.side {
            Side::Wp => [Payer::None].into_iter().collect(),
            Side::Nato => payers(cx, formation, hex, true),
        };
        let mut teams: SmallVec<[Units; 2]> = SmallVec::new();
        teams.push([*unit].into_iter().collect());
        if seen.insert(hex) {
            let all: Units = able
                .iter()
                .copied()
                .filter(|other| {
                    cx.s.unit(*other).hex == hex && cx.rules.counter(*other).formation == formation
                })
                .collect();
            if all.len() > 1 {
                teams.push(all);
            }
        }
        for payer in &pays {
            for team in &teams {
                if check_force(cx, team, *payer, &Hexes::new()).is_ok() {
                    out.push((team.clone(), *payer));
                }
            }
        }
    }
    out
}

/// 19.0: one force, or none.
#[derive(Debug)]
pub struct Reaction;

fn action((units, payer): (Units, Payer)) -> Action {
    Action::React { parts: units.into_iter().map(Part::all).collect(), payer, path: Hexes::new() }
}

impl Question<Wurzburg> for Reaction {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!seems_able(cx) && forces(cx).is_empty()).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        for (units, _) in forces(cx) {
            if let Some(unit) = units.first()
                && !out.contains(&Subject::Unit(*unit))
            {
                out.push(Subject::Unit(*unit));
            }
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) => {
                out.extend(
                    forces(cx).into_iter().filter(|(units, _)| units.first() == Some(&unit)).map(action),
                );
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done | Action::Hold => Ok(()),
            Action::React { parts, payer, path } => {
                for part in parts {
                    cx.rules.own(cx.side, part.unit)?;
                    crate::movement::check_part(cx.rules, cx.s, *part)?;
                    let whole = part.steps.is_none_or(|steps| steps == cx.s.unit(part.unit).steps);
                    if part.steps == Some(0) || !whole && cx.rules.spare_for(cx.s, part.unit).is_none() {
                        return cx.rules.no("11.5", "split.no_counter").unit("unit", part.unit).into();
                    }
                }
                let units: Units = parts.iter().map(|part| part.unit).collect();
                check_parts(cx, parts, &units, *payer, path)
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let Action::React { parts, payer, path } = action else { return Ok(()) };
        let force = crate::movement::part_off(play, parts);
        crate::operation::pay(play, side, *payer);
        if side == Side::Wp {
            play.log.reveal(); // reacting reveals the plan
            place_leads(play, &force);
        }
        let to = play.s.op.objective;
        play.tell(Event::Reacted { units: force.iter().collect(), payer: *payer, to });
        let way = way(&play.cx(side), force, path).unwrap_or_default();
        crate::movement::begin_reaction(play, force, way);
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.reaction", "19.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

/// Some steps of a unit react as a separate unit (19.4, 11.5).
fn check_parts(cx: &Cx, parts: &Parts, units: &Units, payer: Payer, path: &Hexes) -> Result<(), Refusal> {
    let partial = parts.iter().any(|part| part.steps.is_some_and(|n| n < cx.s.unit(part.unit).steps));
    if !partial {
        return check_force(cx, units, payer, path);
    }
    let mut later = cx.s.draft();
    let force = crate::movement::divide(cx.rules, &mut later, parts);
    let units: Units = force.iter().collect();
    check_force(&Cx { s: &later, ..*cx }, &units, payer, path)
}

/// Place the regiment's marker, if it has none yet.
fn place_leads(play: &mut Play, force: &UnitSet) {
    for unit in force {
        let formation: FormationId = play.rules.counter(unit).formation;
        if play.s.formation(formation).lead == HexId::NONE {
            let hex = play.s.unit(unit).hex;
            let range = u32::from(play.rules.tables.command.lead_unit_range);
            let near = play
                .rules
                .leads(play.s, formation)
                .into_iter()
                .find(|other| play.rules.field.distance(play.s.unit(*other).hex, hex) <= range);
            if let Some(other) = near {
                play.s.formation_mut(formation).lead = play.s.unit(other).hex;
            }
        }
    }
}

/// 19.4 item 6: the reacting units and those in the Objective Hex are used.
pub fn arrived(play: &mut Play, force: &UnitSet, hex: HexId) {
    let side = play.s.op.side.enemy();
    if hex == play.s.op.objective {
        play.s.op.reacted = true; // 19.5
        let there = play.rules.stack(play.s, side, hex);
        play.use_up(there);
    }
    play.use_up(force.iter().collect::<Units>());
}
