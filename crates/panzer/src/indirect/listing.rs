//! The list of calls that observers may make.

use hexgrid::HexId;
use smallvec::SmallVec;

use super::{
    Mission, Source, Sources,
    call::{bar_to_reach, check_call, fires, has_shells, ready},
};
use crate::{
    action::{Action, CallOrder},
    pack::advanced::Sheaf,
    play::Cx,
    units::UnitId,
};

/// Could the unit call something now, or adjust its fire?
pub(super) fn could_call(cx: &Cx, unit: UnitId) -> bool {
    may_call(cx, unit) && sources(cx, unit).next().is_some() && points(cx, unit).next().is_some()
        || adjustments(cx, unit).next().is_some()
}

/// 6.5.1.8.2: the running mission of an observer, with all its sources, on every target in reach of it.
pub(super) fn adjustments<'a>(cx: &'a Cx, observer: UnitId) -> impl Iterator<Item = CallOrder> + 'a {
    let mine = |m: &&Mission| m.observer == observer && !m.planned && m.turn < cx.s.turn;
    let running = cx.s.indirect.missions.iter().find(mine);
    let orders = running.into_iter().flat_map(move |m| {
        let there = points(cx, observer).chain([m.point]).filter(move |hex| *hex != m.point);
        there.chain([m.point]).map(move |point| CallOrder {
            sources: m.sources.clone(),
            sheaf: m.sheaf,
            direction: m.direction,
            smoke: m.smoke,
            light: m.light,
            adjusts: m.id,
            ..CallOrder::new(observer, point)
        })
    });
    orders.filter(|order| check_call(cx, order).is_ok())
}

/// Is the unit an observer that is free to call?
fn may_call(cx: &Cx, unit: UnitId) -> bool {
    let busy = |m: &Mission| m.observer == unit;
    ready(cx.rules, cx.s, unit).is_ok() && !cx.s.indirect.missions.iter().any(busy)
}

/// Hexes of enemy units that the observer spots (6.5.1.7).
pub(super) fn points<'a>(cx: &'a Cx, observer: UnitId) -> impl Iterator<Item = HexId> + 'a {
    let mut seen: SmallVec<[HexId; 64]> = SmallVec::new();
    let enemies = cx.rules.units_of(cx.side.enemy()).iter().copied();
    enemies.filter_map(move |enemy| {
        let e = cx.s.unit(enemy);
        let new = e.on_map()
            && !e.passenger()
            && !seen.contains(&e.hex)
            && cx.rules.observed(cx.s, observer, enemy);
        new.then(|| {
            seen.push(e.hex);
            e.hex
        })
    })
}

/// Sources of the side that could fire this turn.
pub(super) fn sources<'a>(cx: &'a Cx, observer: UnitId) -> impl Iterator<Item = Source> + 'a {
    let batteries = cx.rules.advanced.as_deref().map_or(0, |game| game.extras.batteries.len().min(32));
    let batteries = (0..batteries as u8).map(Source::Battery);
    let units = cx.rules.units_of(cx.side).iter().filter_map(|unit| cx.rules.source_of(*unit));
    batteries.chain(units).filter(move |source| fires(cx, observer, *source).is_ok())
}

/// Every call of one source that the observer may make, in the sheafs that need no direction.
pub(super) fn calls(cx: &Cx, observer: UnitId, out: &mut Vec<Action>) {
    if !may_call(cx, observer) {
        return;
    }
    let able: SmallVec<[Source; 16]> = sources(cx, observer).collect();
    for point in points(cx, observer) {
        for source in able.iter().copied() {
            if bar_to_reach(cx, observer, source, point).is_some() {
                continue;
            }
            let sheafs: &[Sheaf] = match source {
                Source::Battery(_) => &[Sheaf::Closed, Sheaf::Open],
                Source::Unit { .. } => &[Sheaf::Closed],
            };
            let kinds = [false, true].map(|smoke| has_shells(cx, source, smoke));
            for (sheaf, smoke) in sheafs.iter().flat_map(|sheaf| [(*sheaf, false), (*sheaf, true)]) {
                if kinds[usize::from(smoke)] {
                    let sources = Sources::from_slice(&[source]);
                    let order = CallOrder { sources, sheaf, smoke, ..CallOrder::new(observer, point) };
                    out.push(Action::Call(order));
                }
            }
        }
    }
}
