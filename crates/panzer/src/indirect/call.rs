//! Which calls are possible (6.5.1.1, 6.5.1.7, 6.5.1.8).

use hexgrid::HexId;
use kernel::{Refusal, Slot, SlotKind, Template};

use super::{Mission, Source, listing::points};
use crate::{
    action::{Action, CallOrder},
    pack::{
        Side,
        advanced::{Mission as Shell, Sheaf},
    },
    play::Cx,
    rules::Panzer,
    state::{Command, Flags, State},
    units::{UnitId, UnitSet},
};

impl Panzer {
    /// 6.5.1.7: has the observer spotted the unit in this turn's Spotting Phase? (4.1)
    pub fn observed(&self, s: &State, observer: UnitId, target: UnitId) -> bool {
        s.unit(target).on_map() && s.spotters[target.index()].contains(observer)
    }

    /// 6.1.4.3.1: whether a unit, at its actual height, sees a hex.
    pub fn sees_hex(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let u = s.unit(unit);
        if u.is(Flags::UP) || !s.works.rubble.is_empty() {
            let (from, to) = ((u.hex, self.height_of(s, unit)), (hex, self.field.height(hex)));
            return self.los.clear_over(from, to, &s.works.rubble);
        }
        self.los.clear(u.hex, hex)
    }

    /// 6.5.1.1.4: the number of sources: two units on the map within command range of each other count as one.
    pub fn source_count(&self, s: &State, sources: &[Source]) -> usize {
        let unit = |source: &Source| match source {
            Source::Unit { unit, .. } => Some(*unit),
            Source::Battery(_) => None,
        };
        let mut single: smallvec::SmallVec<[UnitId; 4]> = smallvec::SmallVec::new();
        let mut count = sources.iter().filter(|source| unit(source).is_none()).count();
        for one in sources.iter().filter_map(unit) {
            let near = |other: &UnitId| {
                // A source that has left the map counts alone, and is refused for that afterwards.
                if !s.unit(one).on_map() || !s.unit(*other).on_map() {
                    return false;
                }
                // 6.2.1.1.2: command range is that within a formation.
                let [formation, others] =
                    [one, *other].map(|unit| self.piece(unit).map_or(0, |piece| piece.formation));
                formation == others
                    && self.field.range(s.unit(one).hex, s.unit(*other).hex) <= self.command_range(formation)
            };
            match single.iter().position(near) {
                Some(at) => {
                    single.swap_remove(at);
                }
                None => {
                    single.push(one);
                    count += 1;
                }
            }
        }
        count
    }
}

/// The sheet of a call: sources, shells and sheaf are chosen in it.
pub(crate) fn template(cx: &Cx, action: &Action) -> Option<Template> {
    let order = match action {
        Action::Call(order) => order,
        Action::Plot(plot) => return super::plan::template(cx, plot),
        _ => return None,
    };
    if order.adjusts == 0 && order.sources.len() != 1 {
        return None;
    }
    let most = cx.rules.observes(order.observer).map_or(1, |(_, most)| u16::from(most));
    let names: Vec<String> =
        super::listing::sources(cx, order.observer).map(|source| cx.rules.source_name(source)).collect();
    let label = cx.rules.field.label(order.point);
    let begin = match order.adjusts {
        0 => format!("call {} on {label} with", cx.rules.id(order.observer)),
        id => format!("adjust M{id} to {label} with"), // 6.5.1.8.2
    };
    let firing: Vec<String> = order.sources.iter().map(|source| cx.rules.source_name(*source)).collect();
    // 6.5.1.1.4: two guns may count as one source.
    let max = most.max(firing.len() as u16).min(names.len() as u16).max(1);
    let sources = choice(begin, "slot.sources", names, String::new());
    let mut parts = vec![Slot { max, suggested: firing, ..sources }];
    parts.extend(shells_and_sheaf(cx, String::new(), order.smoke, order.sheaf));
    Some(Template::of(parts))
}

/// A slot for one of some words.
pub(super) fn choice(words: String, label: &str, candidates: Vec<String>, suggested: String) -> Slot {
    let (kind, label, suggested) = (SlotKind::Choice, label.into(), vec![suggested]);
    Slot { words, kind, label, min: 1, max: 1, candidates, suggested }
}

/// The slots for shells and sheaf; illumination is one of the shells with 7.27.
pub(super) fn shells_and_sheaf(cx: &Cx, begin: String, smoke: bool, sheaf: Sheaf) -> [Slot; 2] {
    let mut shells = vec!["gp".to_owned(), "smoke".to_owned()];
    shells.extend(cx.rules.optional(27).then(|| "light".to_owned()));
    let shell = if smoke { "smoke" } else { "gp" };
    let mut sheafs = vec!["closed".to_owned(), "open".to_owned()];
    sheafs.extend((1..=6).map(|way| format!("linear_{way}")));
    let sheaf = if sheaf == Sheaf::Open { "open" } else { "closed" };
    [
        choice(begin, "slot.shells", shells, shell.into()),
        choice(String::new(), "slot.sheaf", sheafs, sheaf.into()),
    ]
}

/// 6.5.1: whether the unit is an observer with Overwatch that has not acted otherwise; a passenger observes under its
/// transport's Command.
pub(super) fn ready(rules: &Panzer, s: &State, unit: UnitId) -> Result<(), (&'static str, &'static str)> {
    let u = s.unit(unit);
    if rules.observes(unit).is_none() || !u.on_map() {
        return Err(("6.5.1.1", "indirect.no_observer"));
    }
    let command = u.aboard.some().map_or(u.command, |vehicle| s.unit(vehicle).command);
    if command != Command::Overwatch {
        return Err(("6.5.1", "indirect.needs_overwatch"));
    }
    if u.is(Flags::FIRED) || s.indirect.observers.contains(unit) {
        return Err(("6.5.1.1", "indirect.observer_used"));
    }
    Ok(())
}

/// Whether the source may fire for any observer of the side this turn.
pub(super) fn fires(cx: &Cx, observer: UnitId, source: Source) -> Result<(), (&'static str, &'static str)> {
    let Some(game) = cx.rules.advanced.as_deref() else { return Err(("6.5.1", "indirect.not_used")) };
    let called = cx.s.indirect.missions.iter().filter(|m| m.observer != observer && !m.planned);
    let busy = called.into_iter().any(|m| m.sources.contains(&source));
    if busy {
        return Err(("6.5.1.9", "indirect.source_busy"));
    }
    match source {
        Source::Battery(n) => {
            let own = game.extras.batteries.get(usize::from(n)).is_some_and(|b| b.side == cx.side);
            match () {
                () if !own => Err(("3.1", "indirect.not_yours")),
                () if cx.rules.planned_busy(cx.s, n) => Err(("6.5.1.11.1", "indirect.source_busy")),
                () if cx.s.indirect.batteries >> n & 1 == 1 => Err(("6.5.1.7", "indirect.source_used")),
                () => Ok(()),
            }
        }
        Source::Unit { unit, gun } => {
            let u = cx.s.unit(unit);
            let held = cx.rules.arm(unit, gun).and_then(|arm| arm.attached);
            let upstairs = u.is(Flags::UP) && !cx.rules.field.ground(u.hex).desert_buildings;
            match () {
                () if cx.rules.vehicle(unit).side != cx.side => Err(("3.1", "indirect.not_yours")),
                () if !u.on_map() || u.passenger() => Err(("6.5.1", "indirect.source_aboard")),
                () if u.is(Flags::BAILED) => Err(("5.15", "indirect.source_aboard")),
                () if cx.rules.weapon_lost(cx.s, unit, gun) => Err(("7.17", "indirect.source_aboard")),
                // 5.1.3.1: not from an upper floor.
                () if upstairs && held.is_some_and(|may| !may.from_upper_floor) => {
                    Err(("5.1.3", "indirect.upper_floor"))
                }
                () if u.command != Command::Fire => Err(("6.5.1", "indirect.needs_fire")),
                () if u.is(Flags::FIRED) => Err(("6.5.1.7", "indirect.source_used")),
                () if cx.s.indirect.observers.contains(unit) => Err(("6.5.1.9", "indirect.source_used")),
                () => Ok(()),
            }
        }
    }
}

/// 6.5.1.13, 5.6: the range of a source to the target point.
pub(crate) fn range(rules: &Panzer, s: &State, observer: UnitId, source: Source, point: HexId) -> u32 {
    let seen = rules.field.range(s.unit(observer).hex, point);
    match source {
        Source::Battery(_) => seen,
        Source::Unit { unit, .. } => seen.max(rules.field.range(s.unit(unit).hex, point)),
    }
}

/// 6.5.1.12: spotted friendly units near enough that a natural 1 may fall on them.
pub(crate) fn friends_near(rules: &Panzer, s: &State, side: Side, point: HexId) -> UnitSet {
    let most = rules.advanced.as_deref().map_or(0, |game| u32::from(game.tables().indirect.danger_close));
    let mut near = UnitSet::EMPTY;
    for unit in rules.units_of(side) {
        let u = s.unit(*unit);
        if u.on_map()
            && !u.passenger()
            && rules.field.range(u.hex, point) <= most
            && !rules.spotters(s, *unit).is_empty()
        {
            near.insert(*unit);
        }
    }
    near
}

/// 6.5.1.9: the observer no longer observes the target point, or the mission fell on friends.
pub(super) fn lost(rules: &Panzer, s: &State, m: &Mission) -> bool {
    if m.planned {
        return false; // 6.5.1.11: it needs no observer
    }
    let u = s.unit(m.observer);
    let command = u.aboard.some().map_or(u.command, |vehicle| s.unit(vehicle).command);
    m.danger_close
        || !u.on_map()
        || command != Command::Overwatch
        || !rules.sees_hex(s, m.observer, m.point)
        || !rules.looks_toward(s, m.observer, m.point)
}

pub(super) fn check_mission(cx: &Cx, id: u8, go: bool, smoke: bool) -> Result<(), Refusal> {
    let mission =
        cx.rules.mission(cx.s, id).filter(|m| m.side == cx.side && m.turn < cx.s.turn && !m.planned);
    let Some(m) = mission else {
        return cx.rules.no("6.5.1.8", "indirect.no_mission").number("mission", id).into();
    };
    if !go {
        return Ok(()); // 6.5.1.9
    }
    if lost(cx.rules, cx.s, m) || cx.s.indirect.observers.contains(m.observer) {
        return cx.rules.no("6.5.1.9", "indirect.lost").number("mission", id).into();
    }
    // 6.5.1.8.1: a spotted target at the target point or adjacent to it.
    let near = cx.rules.units_of(cx.side.enemy()).iter().any(|enemy| {
        let e = cx.s.unit(*enemy);
        let near = e.on_map() && cx.rules.field.range(e.hex, m.point) <= 1;
        near && cx.rules.observed(cx.s, m.observer, *enemy)
    });
    if !near {
        return cx.rules.no("6.5.1.8.1", "indirect.no_target").hex("hex", m.point).into();
    }
    // 6.5.1.8.1: changing to or from illumination requires an adjustment.
    let smoke = smoke && !m.light;
    for source in &m.sources {
        fires(cx, m.observer, *source).map_err(|(rule, key)| Refusal::from(cx.rules.no(rule, key)))?;
        shells(cx, *source, smoke, m.light)?;
        if let Source::Unit { unit, .. } = source
            && !cx.rules.shared_target(cx.s, *unit, m.point)
        {
            return cx.rules.no("6.2.1.1.4", "indirect.shared_target").unit("unit", *unit).into();
        }
    }
    Ok(())
}

/// 6.5.1.6: the shells to be fired.
pub(super) const fn shell(smoke: bool, light: bool) -> Shell {
    match (smoke, light) {
        (_, true) => Shell::Illumination,
        (true, false) => Shell::Smoke,
        (false, false) => Shell::Gp,
    }
}

/// 6.5.1.6.2, 7.27: illumination only with its rule, and only in a Closed sheaf.
pub(super) fn bad_light(rules: &Panzer, light: bool, sheaf: Sheaf) -> bool {
    light && (!rules.optional(27) || !matches!(sheaf, Sheaf::Closed | Sheaf::OnMapClosed))
}

/// 6.5.1.6, 6.5.1.6.1: whether the source has these shells.
pub(super) fn has_shells(cx: &Cx, source: Source, smoke: bool) -> bool {
    fires_shell(cx, source, smoke, false)
}

fn fires_shell(cx: &Cx, source: Source, smoke: bool, light: bool) -> bool {
    let game = cx.rules.advanced.as_deref();
    match source {
        Source::Battery(n) => game
            .and_then(|game| game.extras.batteries.get(usize::from(n)))
            .and_then(|battery| cx.rules.pack.advanced.battery(&battery.card))
            .is_some_and(|card| card.missions.contains(&shell(smoke, light))),
        Source::Unit { unit, gun } => {
            !light && (!smoke || cx.rules.arm(unit, gun).is_some_and(|arm| arm.weapon.smoke))
        }
    }
}

fn shells(cx: &Cx, source: Source, smoke: bool, light: bool) -> Result<(), Refusal> {
    if fires_shell(cx, source, smoke, light) {
        Ok(())
    } else {
        cx.rules.no("6.5.1.6", "indirect.no_smoke").into()
    }
}

/// What prevents a source from firing at a target point: the rule, the message key, and the unit it names.
pub(super) fn bar_to_reach(
    cx: &Cx,
    observer: UnitId,
    source: Source,
    point: HexId,
) -> Option<(&'static str, &'static str, UnitId)> {
    let range = range(cx.rules, cx.s, observer, source, point);
    if cx.rules.indirect_row(source).is_none_or(|row| row.at(range).is_none()) {
        return Some(("6.5.1.13", "indirect.range", observer));
    }
    let Source::Unit { unit, gun } = source else { return None };
    // 6.5.1: a unit that sees the target itself must fire directly, and only into its field of fire.
    let sees =
        |target: UnitId| cx.rules.vehicle(target).side != cx.side && cx.rules.observed(cx.s, unit, target);
    if cx.s.in_hex(point).any(sees) {
        return Some(("6.5.1", "indirect.sees", unit));
    }
    // 6.2.1.1.4: the targets of a shared Fire lie near each other, whoever observes them.
    if !cx.rules.shared_target(cx.s, unit, point) {
        return Some(("6.2.1.1.4", "indirect.shared_target", unit));
    }
    let bears = cx.rules.gun(unit, gun).is_some_and(|g| cx.rules.bears(cx.s, unit, g, point));
    (!bears).then_some(("6.5.1", "indirect.field_of_fire", unit))
}

pub(super) fn check_call(cx: &Cx, order: &CallOrder) -> Result<(), Refusal> {
    let no = |(rule, key): (&'static str, &'static str)| {
        Refusal::from(cx.rules.no(rule, key).unit("unit", order.observer))
    };
    cx.rules.own(cx.side, order.observer)?;
    ready(cx.rules, cx.s, order.observer).map_err(no)?;
    let adjusts = cx.rules.mission(cx.s, order.adjusts).filter(|_| order.adjusts > 0);
    if order.adjusts > 0 && adjusts.is_none_or(|m| m.side != cx.side || m.turn >= cx.s.turn) {
        return cx.rules.no("6.5.1.8", "indirect.no_mission").number("mission", order.adjusts).into();
    }
    if cx.s.indirect.missions.iter().any(|m| m.observer == order.observer && m.id != order.adjusts) {
        return Err(no(("6.5.1.9", "indirect.observer_busy")));
    }
    // 6.5.1.8.2
    if let Some(m) = adjusts {
        let most = cx.rules.advanced.as_deref().map_or(0, |game| game.tables().indirect.adjust);
        if m.observer != order.observer {
            return Err(no(("6.5.1.8", "indirect.other_observer")));
        }
        if cx.rules.field.range(m.point, order.point) > u32::from(most) {
            return cx.rules.no("6.5.1.8.2", "indirect.too_far").number("hexes", most).into();
        }
    }
    // 6.5.1.7: the hex of a target that the observer spots.
    // 7.37: Reconnaissance by Fire needs no target, only sight of the hex.
    let blind = cx.rules.optional(37) && cx.rules.sees_hex(cx.s, order.observer, order.point);
    // 6.5.1.8.2: another sheaf or other shells on the same point need a target there or adjacent.
    let stays = adjusts.is_some_and(|m| {
        let near = |enemy: &UnitId| {
            let hex = cx.s.unit(*enemy).hex;
            cx.rules.observed(cx.s, m.observer, *enemy) && cx.rules.field.range(hex, m.point) <= 1
        };
        m.point == order.point && cx.rules.units_of(cx.side.enemy()).iter().any(near)
    });
    if !blind && !stays && !points(cx, order.observer).any(|hex| hex == order.point) {
        return cx.rules.no("6.5.1.7", "indirect.no_target").hex("hex", order.point).into();
    }
    if bad_light(cx.rules, order.light, order.sheaf) {
        return cx.rules.no("6.5.1.6.2", "indirect.no_light").into();
    }
    let most = cx.rules.observes(order.observer).map_or(0, |(_, most)| usize::from(most));
    if order.sources.is_empty() || cx.rules.source_count(cx.s, &order.sources) > most {
        return cx.rules.no("6.5.1.1", "indirect.sources").number("most", most as i64).into();
    }
    for (n, source) in order.sources.iter().enumerate() {
        if order.sources[..n].contains(source) {
            return Err(no(("6.5.1.1", "indirect.source_twice")));
        }
        fires(cx, order.observer, *source).map_err(no)?;
        shells(cx, *source, order.smoke, order.light)?;
        if let Some((rule, key, unit)) = bar_to_reach(cx, order.observer, *source, order.point) {
            return cx.rules.no(rule, key).unit("unit", unit).into();
        }
    }
    Ok(())
}
