//! Indirect fire (6.5.1): where shells do most damage, which observer calls them, and where smoke covers moving units.

use ::panzer::{
    Panzer,
    action::{Action, CallOrder, Subject},
    indirect::{Mission, Source, Sources},
    pack::advanced::{GpModifier, Sheaf, lookup},
    play::Cx,
    state::{Command, Flags, State},
    units::UnitId,
};
use hexgrid::HexId;
use rulebook::flow;

use super::{
    combined,
    commander::{Commander, Script},
    picture::Picture,
    plan::Plan,
};
use crate::Thought;

/// How much more one's own units in a pattern weigh than enemies.
const FRIENDS: f32 = 2.5;
/// A mission that is expected to bring fewer points than this is not fired.
const LEAST: f32 = 0.3;
/// The share of an enemy's fire that smoke around it stops.
const SMOKE: f32 = 0.45;
/// A mission is moved if that improves it by this factor.
const ADJUST: f32 = 1.4;

/// How likely a source answers a call (6.5.1.12).
fn response(
    rules: &Panzer,
    s: &State,
    observer: UnitId,
    source: Source,
    point: HexId,
    adjusted: bool,
) -> f32 {
    let Some(answer) = rules.answer(s, observer, source, point, adjusted) else { return 0.0 };
    let least = i16::from(answer.factor) - i16::from(answer.modifier);
    (2..=10).filter(|roll| *roll >= least).count() as f32 / 10.0
}

/// The share of a unit's value that one attack of a source destroys.
fn harm(rules: &Panzer, s: &State, source: Source, range: Option<u32>, open: bool, target: UnitId) -> f32 {
    let (Some(game), Some(row)) = (rules.advanced.as_deref(), rules.indirect_row(source)) else { return 0.0 };
    let tables = game.tables();
    let (Some(piece), Some(defense)) = (rules.piece(target), rules.gp_defense(s, target, false)) else {
        return 0.0;
    };
    let medium = ::panzer::pack::advanced::RangeFactor::M;
    let factor = match range {
        Some(range) => row.at(range.max(1)),
        None => Some((medium, row.factor[medium.index()])),
    };
    let Some(factor) = factor else { return 0.0 };
    let effectiveness = match source {
        Source::Battery(n) => rules
            .battery(n)
            .and_then(|battery| rules.pack.advanced.battery(&battery.card))
            .map(|card| card.effectiveness),
        Source::Unit { unit, gun } => rules.arm(unit, gun).and_then(|arm| arm.weapon.effectiveness),
    };
    let of = |modifier: GpModifier, applies: bool| {
        let value = tables.gp_modifier(modifier, lookup::Fire::Indirect).filter(|_| applies);
        i16::from(value.unwrap_or(0))
    };
    let cover = rules.overhead_cover_of(s, target);
    let net = combined::type_and_cover(tables, piece, cover, lookup::Fire::Indirect)
        + of(GpModifier::HastyEntrenchment, s.unit(target).is(Flags::ENTRENCHED) && !piece.vehicle())
        + of(GpModifier::OpenSheaf, open);
    combined::gp_share(tables, factor, effectiveness, piece, defense, net)
}

/// The points that one salvo of a source into these hexes is expected to bring, minus the damage to friends.
fn salvo(
    commander: &Commander,
    cx: &Cx,
    source: Source,
    hexes: &[HexId],
    range: Option<u32>,
    open: bool,
) -> f32 {
    let mut sum = 0.0;
    for unit in cx.s.ids() {
        let u = cx.s.unit(unit);
        if !u.on_map() || u.is(Flags::BAILED) || !hexes.contains(&u.hex) {
            continue;
        }
        let points =
            commander.lore.kind(unit).points * harm(&commander.rules, cx.s, source, range, open, unit);
        sum += if commander.rules.vehicle(unit).side == cx.side { -FRIENDS * points } else { points };
    }
    sum
}

/// The hexes that a source covers.
fn pattern(
    rules: &Panzer,
    source: Source,
    point: HexId,
    sheaf: Sheaf,
    direction: u8,
) -> ::panzer::indirect::Pattern {
    match source {
        Source::Battery(_) => rules.pattern(point, sheaf, direction),
        Source::Unit { .. } => rules.pattern(point, Sheaf::OnMapClosed, 0),
    }
}

/// The value of a mission under way if it continues.
fn going_on(commander: &Commander, cx: &Cx, m: &Mission) -> f32 {
    let each = m.sources.iter().map(|source| {
        let open = m.sheaf == Sheaf::Open && matches!(source, Source::Battery(_));
        let hexes = pattern(cx.rules, *source, m.point, m.sheaf, m.direction);
        salvo(commander, cx, *source, &hexes, None, open)
    });
    each.sum()
}

/// What observers and their guns are expected to bring if they get the Commands for it (6.5.1): Overwatch for the
/// observer, Fire for a gun on the map.
#[derive(Debug, Default)]
pub struct FirePlan {
    observers: Vec<(UnitId, f32)>,
    guns: Vec<(UnitId, f32)>,
}

impl FirePlan {
    pub fn new(commander: &Commander, cx: &Cx) -> FirePlan {
        let (rules, s) = (cx.rules, cx.s);
        let mut plan = FirePlan::default();
        if !rules.indirect_fire() {
            return plan;
        }
        let ready = |unit: &UnitId| {
            let u = s.unit(*unit);
            u.on_map() && !u.is(Flags::BAILED)
        };
        let mine = || rules.units_of(cx.side).iter().copied().filter(ready);
        let mut sources: Vec<Source> = (0..32u8)
            .filter(|n| rules.battery(*n).is_some_and(|b| b.side == cx.side) && !rules.planned_busy(s, *n))
            .map(Source::Battery)
            .collect();
        sources.extend(
            mine().filter(|unit| !s.unit(*unit).passenger()).filter_map(|unit| rules.source_of(unit)),
        );
        if sources.is_empty() {
            return plan;
        }
        // The effect of each source on each point, whichever observer calls it.
        let mut known: Vec<(HexId, Vec<f32>)> = Vec::new();
        for observer in mine() {
            let Some((_, most)) = rules.observes(observer) else { continue };
            if let Some(m) = s.indirect.missions.iter().find(|m| m.observer == observer && !m.planned) {
                let worth = going_on(commander, cx, m).max(0.0);
                plan.observers.push((observer, worth));
                for source in &m.sources {
                    plan.note_gun(*source, worth / m.sources.len() as f32);
                }
                continue;
            }
            let mut best: (f32, Vec<(f32, Source)>) = (0.0, Vec::new());
            for foe in rules.units_of(cx.side.enemy()) {
                let point = s.unit(*foe).hex;
                if !rules.spots(s, observer, *foe) || s.unit(*foe).passenger() {
                    continue;
                }
                let at = known.iter().position(|(hex, _)| *hex == point).unwrap_or_else(|| {
                    let worth = |source: &Source| {
                        let hexes = pattern(rules, *source, point, Sheaf::Closed, 0);
                        salvo(commander, cx, *source, &hexes, None, false)
                    };
                    known.push((point, sources.iter().map(worth).collect()));
                    known.len() - 1
                });
                let mut able: Vec<(f32, Source)> = Vec::new();
                for (source, worth) in sources.iter().zip(&known[at].1) {
                    if *worth > LEAST && reaches(rules, s, observer, *source, point) {
                        able.push((worth * response(rules, s, observer, *source, point, false), *source));
                    }
                }
                able.sort_by(|a, b| b.0.total_cmp(&a.0));
                able.truncate(usize::from(most));
                let sum: f32 = able.iter().map(|(worth, _)| worth).sum();
                if sum > best.0 {
                    best = (sum, able);
                }
            }
            if best.0 > 0.0 {
                plan.observers.push((observer, best.0));
                for (worth, source) in best.1 {
                    plan.note_gun(source, worth);
                }
            }
        }
        plan
    }

    fn note_gun(&mut self, source: Source, worth: f32) {
        let Source::Unit { unit, .. } = source else { return };
        match self.guns.iter_mut().find(|(gun, _)| *gun == unit) {
            Some((_, most)) => *most = most.max(worth),
            None => self.guns.push((unit, worth)),
        }
    }

    /// Points that Overwatch brings by the missions that the unit, or its passengers, would call.
    pub fn observing(&self, s: &State, unit: UnitId) -> f32 {
        let mine = |observer: UnitId| observer == unit || s.unit(observer).aboard == unit;
        self.observers
            .iter()
            .filter(|(observer, _)| mine(*observer))
            .map(|(_, worth)| *worth)
            .fold(0.0, f32::max)
    }

    /// Points that Fire brings by the missions called from the unit.
    pub fn answering(&self, unit: UnitId) -> f32 {
        self.guns.iter().find(|(gun, _)| *gun == unit).map_or(0.0, |(_, worth)| *worth)
    }
}

/// Can a source on the map be called onto a point: in its range and field of fire, and out of its own sight?
fn reaches(rules: &Panzer, s: &State, observer: UnitId, source: Source, point: HexId) -> bool {
    let Some(row) = rules.indirect_row(source) else { return false };
    let seen = rules.field.range(s.unit(observer).hex, point);
    let Source::Unit { unit, gun } = source else { return row.at(seen).is_some() };
    let range = seen.max(rules.field.range(s.unit(unit).hex, point));
    let side = rules.vehicle(unit).side;
    row.at(range).is_some()
        && rules.gun(unit, gun).is_some_and(|gun| rules.bears(s, unit, gun, point))
        && !s.in_hex(point).any(|target| rules.vehicle(target).side != side && rules.spots(s, unit, target))
}

/// Missions continue or are moved; then the best call of all observers, with as many sources as one may call.
pub fn calls(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    let (rules, s) = (cx.rules, cx.s);
    for m in s.indirect.missions.iter().filter(|m| m.side == cx.side && m.turn < s.turn && !m.planned) {
        let worth = if m.smoke { 1.0 } else { going_on(commander, cx, m) };
        let moved =
            adjusted(commander, cx, m).filter(|(better, _)| !m.smoke && *better > ADJUST * worth.max(LEAST));
        out.extend(moved.map(|(_, order)| Thought::plain(Action::Call(order))));
        let go = worth > LEAST;
        out.push(Thought::plain(Action::Mission { id: m.id, go, smoke: m.smoke }));
        out.push(Thought::plain(Action::Mission { id: m.id, go: false, smoke: false }));
    }
    let (mut subjects, mut options) = (Vec::new(), Vec::new());
    flow::subjects(cx, &mut subjects);
    let mut best: Option<(f32, CallOrder)> = None;
    let mut screen: Option<Screen> = None;
    for subject in subjects {
        let Subject::Unit(observer) = subject else { continue };
        let Some((_, most)) = rules.observes(observer) else { continue };
        options.clear();
        flow::options(cx, subject, &mut options);
        let mut points: Vec<(HexId, Vec<Source>)> = Vec::new();
        for action in &options {
            let Action::Call(order) = action else { continue };
            // Adjustments are weighed with their mission.
            if order.adjusts > 0 {
                continue;
            }
            if order.smoke {
                let screen = screen
                    .get_or_insert_with(|| Screen::new(&Picture::new(commander, cx.s, cx.side, plan), cx));
                let hexes = pattern(rules, order.sources[0], order.point, order.sheaf, order.direction);
                let answers = response(rules, s, observer, order.sources[0], order.point, false);
                let value = answers * screen.worth(cx, &hexes);
                if value > best.as_ref().map_or(LEAST, |(most, _)| *most) {
                    best = Some((value, order.clone()));
                }
                continue;
            }
            match points.iter_mut().find(|(point, _)| *point == order.point) {
                Some((_, sources)) if sources.contains(&order.sources[0]) => {}
                Some((_, sources)) => sources.push(order.sources[0]),
                None => points.push((order.point, vec![order.sources[0]])),
            }
        }
        for (point, sources) in points {
            let range = rules.field.range(s.unit(observer).hex, point);
            let sheafs = [(Sheaf::Closed, 0), (Sheaf::Open, 0)].into_iter();
            for (sheaf, direction) in sheafs.chain((0..6).map(|way| (Sheaf::ClosedLinear, way))) {
                let mut able: Vec<(f32, Source)> = Vec::new();
                for source in &sources {
                    let open = sheaf == Sheaf::Open && matches!(source, Source::Battery(_));
                    let hexes = pattern(rules, *source, point, sheaf, direction);
                    let worth = salvo(commander, cx, *source, &hexes, Some(range), open);
                    if worth > LEAST {
                        able.push((worth * response(rules, s, observer, *source, point, false), *source));
                    }
                }
                able.sort_by(|a, b| b.0.total_cmp(&a.0));
                let (mut sum, mut chosen) = (0.0, Sources::new());
                for (worth, source) in able {
                    chosen.push(source);
                    if rules.source_count(s, &chosen) > usize::from(most) {
                        chosen.pop();
                    } else {
                        sum += worth;
                    }
                }
                if sum > best.as_ref().map_or(0.0, |(most, _)| *most) {
                    let order =
                        CallOrder { sources: chosen, sheaf, direction, ..CallOrder::new(observer, point) };
                    best = Some((sum, order));
                }
            }
        }
    }
    out.extend(best.map(|(_, order)| Thought::plain(Action::Call(order))));
    out.push(Thought::plain(Action::Done));
}

/// The best point near that of a mission to which its fire could be moved (6.5.1.8.2), and its value.
fn adjusted(commander: &Commander, cx: &Cx, m: &Mission) -> Option<(f32, CallOrder)> {
    let (rules, s) = (cx.rules, cx.s);
    let most = u32::from(rules.advanced.as_deref()?.tables().indirect.adjust);
    let mut best: Option<(f32, CallOrder)> = None;
    for foe in rules.units_of(cx.side.enemy()) {
        let e = s.unit(*foe);
        let near = e.on_map() && !e.passenger() && (1..=most).contains(&rules.field.range(e.hex, m.point));
        if !near || !rules.spots(s, m.observer, *foe) {
            continue;
        }
        let each = m.sources.iter().map(|source| {
            let open = m.sheaf == Sheaf::Open && matches!(source, Source::Battery(_));
            let hexes = pattern(rules, *source, e.hex, m.sheaf, m.direction);
            let answers = response(rules, s, m.observer, *source, e.hex, true);
            answers * salvo(commander, cx, *source, &hexes, None, open)
        });
        let worth: f32 = each.sum();
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            let order = CallOrder {
                sources: m.sources.clone(),
                sheaf: m.sheaf,
                direction: m.direction,
                adjusts: m.id,
                ..CallOrder::new(m.observer, e.hex)
            };
            best = Some((worth, order));
        }
    }
    best
}

/// The value of smoke around enemies: the fire that they would have at moving units, minus one's own fire at them.
#[derive(Debug)]
pub struct Screen {
    /// For each enemy: its hex, and the points.
    foes: Vec<(HexId, f32)>,
}

impl Screen {
    pub fn new(picture: &Picture, cx: &Cx) -> Screen {
        let moves = |unit: UnitId| cx.s.unit(unit).command.moves();
        let fires = |unit: UnitId| matches!(cx.s.unit(unit).command, Command::Fire | Command::Overwatch);
        let foes = picture.foes.iter().enumerate().map(|(n, foe)| {
            let threat = picture.threat_to(n, moves);
            let own = picture.own.iter().filter(|own| fires(own.unit));
            let fire: f32 = own
                .map(|own| match picture.offense(own.unit, own.hex, own.facing) {
                    (points, Some(at)) if at == foe.unit => points,
                    _ => 0.0,
                })
                .sum();
            (foe.hex, SMOKE * (threat - fire))
        });
        Screen { foes: foes.collect() }
    }

    /// The value of smoke in these hexes. Hexes that already have smoke count nothing.
    pub fn worth(&self, cx: &Cx, hexes: &[HexId]) -> f32 {
        let murky = |hex: &HexId| {
            cx.s.indirect.areas.iter().any(|area| area.smoke() && !area.off && area.hexes.contains(hex))
        };
        self.foes.iter().filter(|(hex, _)| hexes.contains(hex) && !murky(hex)).map(|(_, worth)| *worth).sum()
    }
}

/// The share of that value that directly fired smoke has: it lasts only while units move (6.1.4.3.10).
const IN_MOVEMENT: f32 = 0.5;

/// Fires smoke directly instead of a shot that brings less: `shot` is the value of a unit's best shot.
pub fn direct_smoke(picture: &Picture, cx: &Cx, shot: impl Fn(UnitId) -> f32) -> Option<Action> {
    let mine = cx.rules.units_of(cx.side);
    if cx.rules.advanced.is_none() || !mine.iter().any(|unit| cx.s.unit(*unit).command == Command::Move) {
        return None;
    }
    let screen = Screen::new(picture, cx);
    let mut best: Option<(f32, Action)> = None;
    for unit in mine.iter().copied() {
        let u = cx.s.unit(unit);
        if !u.on_map() || !u.command.fires() || u.is(Flags::FIRED) || u.is(Flags::BAILED) {
            continue;
        }
        let least = LEAST + shot(unit);
        for hex in cx.rules.smoke_points(cx.s, unit) {
            let gain = IN_MOVEMENT * screen.worth(cx, &[hex]) - least;
            if gain > best.as_ref().map_or(0.0, |(most, _)| *most) {
                best = Some((gain, Action::Smoke { unit, hex }));
            }
        }
    }
    best.map(|(_, action)| action)
}

/// Before the battle: fire where most of the enemy is, target points where it is expected (6.5.1.4, 6.5.1.11).
pub fn plot(commander: &Commander, cx: &Cx, out: &mut Script) {
    let mut options = Vec::new();
    flow::options(cx, Subject::Phase, &mut options);
    let mut best: Option<(f32, Action)> = None;
    for action in &options {
        let Action::Plot(plot) = action else { continue };
        let Some(segment) = plot.segments.first().filter(|segment| !segment.smoke) else { continue };
        let hexes = cx.rules.pattern(segment.point, segment.sheaf, segment.direction);
        let source = Source::Battery(plot.battery);
        let open = segment.sheaf == Sheaf::Open;
        // Sooner is better, because the enemy will not stay.
        let value = salvo(commander, cx, source, &hexes, None, open) / f32::from(plot.arrival.max(1));
        if value > 0.0 && best.as_ref().is_none_or(|(most, _)| value > *most) {
            best = Some((value, action.clone()));
        }
    }
    out.extend(best.map(|(_, action)| Thought::plain(action)));
    out.extend(options.into_iter().find(|a| matches!(a, Action::Register { .. })).map(Thought::plain));
    out.push(Thought::plain(Action::Done));
}
