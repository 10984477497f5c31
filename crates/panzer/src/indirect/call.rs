//! Calls (6.5.1.1, 6.5.1.7, 6.5.1.8) and the response to them (6.5.1.12).

use hexgrid::HexId;
use kernel::{Refusal, Slot, SlotKind, Stop, Template};

use super::{Area, Landing, Mission, Source, Sources, listing::points};
use crate::{
    action::{Action, CallOrder},
    event::Event,
    frame::Frame,
    pack::{
        Side,
        advanced::{HindranceKind, Label, Level, Mission as Shell, Response, ResponseModifier, Sheaf},
    },
    play::{Cx, Play},
    rules::Panzer,
    state::{Command, Flags, State},
    units::{UnitId, UnitSet},
};

/// The source of a modifier of the response roll (6.5.1.12.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Modifier(ResponseModifier),
    Grade,
}

impl Cause {
    pub const fn key(self) -> &'static str {
        match self {
            Cause::Modifier(modifier) => modifier.key(),
            Cause::Grade => "unit_grade",
        }
    }
}

/// The number a response roll must reach, and its modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub row: Response,
    pub level: Level,
    pub factor: u8,
    pub modifier: i8,
}

/// 5.9.1: Command units and their levels.
const COMMAND: [(Label, Response); 3] =
    [(Label::Rhq, Response::Rhq), (Label::Bhq, Response::Bhq), (Label::Chq, Response::Chq)];

impl Panzer {
    /// 6.5.1.1: the row of an observer, and how many sources it may call.
    pub fn observes(&self, unit: UnitId) -> Option<(Response, u8)> {
        let tables = &self.advanced.as_deref()?.tables().indirect;
        let labels = &self.piece(unit)?.labels;
        let command = COMMAND.iter().find(|(label, _)| labels.contains(label)).map(|(_, row)| *row);
        if labels.contains(&Label::Fo) {
            return Some((Response::Fo, tables.fo_sources)); // 6.5.1.1.1, 6.5.1.1.2
        }
        match command {
            Some(row) => Some((row, tables.command_sources)),
            // 6.5.1.1.3
            None if labels.contains(&Label::Recon) => Some((Response::Recon, tables.recon_sources)),
            None => None,
        }
    }

    /// 6.5.1.3: the level of a source's attachment to the observer's formation.
    pub fn attachment(&self, observer: UnitId, source: Source) -> Level {
        let Some(game) = self.advanced.as_deref() else { return Level::Unattached };
        let of = |unit: UnitId| &game.extras.formations[usize::from(game.pieces[unit.index()].formation)].id;
        match source {
            // 6.5.1.3.1: only to its immediate parent.
            Source::Unit { unit, .. } if of(unit) == of(observer) => Level::Attached,
            Source::Unit { .. } => Level::Unattached,
            Source::Battery(n) => match game.extras.batteries.get(usize::from(n)) {
                // 6.5.1.3.1, 6.5.1.3.2: for all observers of the formation and of those below it.
                Some(battery) if game.extras.below(of(observer), &battery.formation) => battery.level,
                _ => Level::Unattached, // 6.5.1.3.3
            },
        }
    }

    /// 6.5.1.12.1: every modifier of a response roll.
    pub fn response_modifiers(
        &self,
        s: &State,
        observer: UnitId,
        point: HexId,
        adjusted: bool,
        mut each: impl FnMut(Cause, i8),
    ) {
        use ResponseModifier as M;
        let Some(game) = self.advanced.as_deref() else { return };
        let tables = game.tables();
        let (u, piece) = (s.unit(observer), &game.pieces[observer.index()]);
        let mut count = |modifier: M, times: u8| {
            if times > 0 {
                each(Cause::Modifier(modifier), tables.response_modifier(modifier) * times as i8);
            }
        };
        let command = COMMAND.iter().any(|(label, _)| piece.labels.contains(label));
        let recon = command && piece.labels.contains(&Label::Recon) && !piece.labels.contains(&Label::Fo);
        count(M::CommandRecon, u8::from(recon));
        count(M::Adjusted, u8::from(adjusted));
        count(M::ObserverSuppressed, u8::from(u.suppressed()));
        count(M::ObserverHesitating, u8::from(u.is(Flags::HESITATES)));
        count(M::ObserverBroken, u8::from(u.is(Flags::BROKEN)));
        count(M::ObserverDamaged, u8::from(u.is(Flags(Flags::TURRET.0 | Flags::HULL.0))));
        let mut occurrences = 0;
        // Dust is a kind of smoke (6.1.4.3.12); areas that do not hinder fire yet do not count here either.
        self.hindrances(s, u.hex, point, |_, times| occurrences += times);
        count(M::ObserverHindered, occurrences);
        let range = self.field.range(u.hex, point);
        let spotted = s.in_hex(point).filter(|unit| self.observed(s, observer, *unit));
        let hazy = spotted.into_iter().any(|unit| {
            range >= u32::from(tables.ap.heat_haze_range[game.pieces[unit.index()].spotted_as as usize])
        });
        count(M::HeatHaze, u8::from(game.extras.conditions.heat_haze && hazy));
        let grade = tables.grades[piece.grade.index()].response;
        if grade != 0 {
            each(Cause::Grade, grade);
        }
    }

    /// 6.5.1.12: the response of a source.
    pub fn answer(
        &self,
        s: &State,
        observer: UnitId,
        source: Source,
        point: HexId,
        adjusted: bool,
    ) -> Option<Answer> {
        let (row, _) = self.observes(observer)?;
        let level = self.attachment(observer, source);
        let factor = self.advanced.as_deref()?.tables().response(row, level);
        let mut modifier = 0;
        self.response_modifiers(s, observer, point, adjusted, |_, value| modifier += value);
        if let Source::Battery(n) = source
            && self.registered(s, n, point)
        {
            let game = self.advanced.as_deref()?;
            modifier += game.tables().response_modifier(ResponseModifier::Preregistered); // 6.5.1.4
        }
        Some(Answer { row, level, factor, modifier })
    }
}

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
                let range = self.command_range(self.piece(one).map_or(0, |piece| piece.formation));
                self.field.range(s.unit(one).hex, s.unit(*other).hex) <= range
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

impl Panzer {
    /// 7.26: the distance by which fire scatters.
    pub fn scatter_hexes(&self, die: u8, modifier: i8) -> u8 {
        let total = i16::from(die) + i16::from(modifier);
        let table = self.advanced.as_deref().map(|game| &game.tables().optional.scatter.hexes);
        let row = table.into_iter().flatten().find(|[most, _]| total <= i16::from(*most));
        row.map_or(0, |[_, hexes]| *hexes)
    }
}

/// 7.26: the modifier of the scatter roll of a call.
pub(crate) fn scatter_modifier(
    rules: &Panzer,
    s: &State,
    observer: UnitId,
    point: HexId,
    adjusted: bool,
) -> i8 {
    let Some(table) = rules.advanced.as_deref().map(|game| &game.tables().optional.scatter) else {
        return 0;
    };
    let grade = rules.piece(observer).map_or(2, |piece| piece.grade.index());
    let unseen = !rules.los.clear(s.unit(observer).hex, point);
    table.grade[grade] + if adjusted { table.adjusted } else { 0 } + if unseen { table.unseen } else { 0 }
}

/// The sheet of a call: sources, shells and sheaf are chosen in it.
pub(crate) fn template(cx: &Cx, action: &Action) -> Option<Template> {
    let Action::Call(order) = action else { return None };
    if order.adjusts > 0 || order.sources.len() != 1 {
        return None;
    }
    let most = cx.rules.observes(order.observer).map_or(1, |(_, most)| u16::from(most));
    let names: Vec<String> =
        super::listing::sources(cx, order.observer).map(|source| cx.rules.source_name(source)).collect();
    let choice = |words: String, label: &str, candidates: Vec<String>, suggested: String| Slot {
        words,
        kind: SlotKind::Choice,
        label: label.into(),
        min: 1,
        max: 1,
        candidates,
        suggested: vec![suggested],
    };
    let begin = format!("call {} on {} with", cx.rules.id(order.observer), cx.rules.field.label(order.point));
    let first = order.sources.first().map(|source| cx.rules.source_name(*source)).unwrap_or_default();
    let max = most.min(names.len() as u16).max(1);
    let mut parts = vec![Slot { max, ..choice(begin, "slot.sources", names, first) }];
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let shell = if order.smoke { "smoke" } else { "gp" };
    parts.push(choice(String::new(), "slot.shells", words(&["gp", "smoke"]), shell.into()));
    let sheaf = if order.sheaf == Sheaf::Open { "open" } else { "closed" };
    let mut sheafs = words(&["closed", "open"]);
    sheafs.extend((1..=6).map(|way| format!("linear_{way}")));
    parts.push(choice(String::new(), "slot.sheaf", sheafs, sheaf.into()));
    Some(Template { parts })
}

/// 7.26: where fire lands after scatter: the distance by d10 and modifiers, the direction by d6.
pub(crate) fn scatter(play: &mut Play, side: Side, point: HexId, modifier: i8) -> Result<HexId, Stop> {
    if !play.rules.optional(26) {
        return Ok(point);
    }
    let die = play.roll_ten(side, "roll.scatter", "7.26")?;
    let hexes = play.rules.scatter_hexes(die, modifier);
    let mut hex = point;
    if hexes > 0 {
        let six = play.roll_six(side, "roll.direction", "7.26")?;
        let way = hexgrid::Direction::from_index(usize::from(six.saturating_sub(1)) % 6);
        for _ in 0..hexes {
            hex = play.rules.field.neighbour(hex, way).unwrap_or(hex);
        }
    }
    play.tell(Event::Scattered { hex, hexes });
    Ok(hex)
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

/// 6.5.1.12: each source makes its response roll; those that respond fire.
pub(super) fn carry_out(play: &mut Play, side: Side, order: &CallOrder) -> Result<(), Stop> {
    let already: Sources =
        play.rules.mission(play.s, order.adjusts).map_or_else(Sources::new, |m| m.sources.clone());
    // 6.5.1.12.1: the area of the mission being adjusted still hinders the observer's call.
    let answers: smallvec::SmallVec<[Option<Answer>; 4]> = order
        .sources
        .iter()
        .map(|source| {
            play.rules.answer(play.s, order.observer, *source, order.point, already.contains(source))
        })
        .collect();
    if order.adjusts > 0 {
        remove(play, order.adjusts);
    }
    let id = free_id(play);
    observe(play, order.observer);
    play.tell(Event::Called { mission: id, observer: order.observer, hex: order.point });
    let (mut sources, mut astray) = (Sources::new(), Sources::new());
    let friends = friends_near(play.rules, play.s, side, order.point);
    for (source, answer) in order.sources.iter().zip(answers) {
        spend(play, *source);
        let Some(answer) = answer else { continue };
        let roll = play.roll_ten(side, "roll.response", "6.5.1.12")?;
        let total = i16::from(roll) + i16::from(answer.modifier);
        let responds = roll != 1 && total >= i16::from(answer.factor);
        play.tell(Event::Response {
            mission: id,
            source: *source,
            roll,
            modifier: answer.modifier,
            factor: answer.factor,
            responds,
        });
        if responds {
            sources.push(*source);
        } else if roll == 1 && !friends.is_empty() {
            astray.push(*source);
        }
    }
    if sources.is_empty() && astray.is_empty() {
        return Ok(());
    }
    let mut point = order.point;
    if play.rules.optional(26) && !sources.is_empty() {
        let modifier = scatter_modifier(play.rules, play.s, order.observer, point, order.adjusts > 0);
        point = scatter(play, side, point, modifier)?;
    }
    let mission = Mission {
        id,
        side,
        observer: order.observer,
        point,
        sheaf: order.sheaf,
        direction: order.direction,
        smoke: order.smoke,
        light: order.light,
        sources: sources.clone(),
        turn: play.s.turn,
        danger_close: false,
        planned: false,
        seen: play.rules.field.range(play.s.unit(order.observer).hex, order.point) as u8,
        limited: Sources::new(),
    };
    if !sources.is_empty() {
        play.s.indirect.missions.push(mission.clone());
        fire(play, id, &sources, point)?;
    }
    if !astray.is_empty() {
        // 6.5.1.10: fire that falls on friendly units is a separate mission, which is checked next turn.
        let strayed = free_id(play);
        let (point, sources) = (order.point, astray.clone());
        let lost = Mission { id: strayed, point, sources, danger_close: true, ..mission };
        play.s.indirect.missions.push(lost);
        play.s.indirect.astray = astray;
        play.s.indirect.strayed = strayed;
        play.then(&[Frame::Misdirect]);
    }
    Ok(())
}

/// A number for a mission: never 0; numbers of finished missions are reused.
pub(super) fn free_id(play: &mut Play) -> u8 {
    let id = (1..=u8::MAX).find(|id| play.rules.mission(play.s, *id).is_none()).unwrap_or(u8::MAX);
    play.s.indirect.last = id;
    id
}

/// 6.5.1: the observer's Overwatch is used, so it may not act otherwise this turn. A passenger observes under the
/// Command of its vehicle.
fn observe(play: &mut Play, observer: UnitId) {
    play.s.indirect.observers.insert(observer);
    let commanded = play.s.unit(observer).aboard.some().unwrap_or(observer);
    play.reveal(commanded);
    play.s.unit_mut(observer).set(Flags::FIRED);
}

/// 6.5.1.7: the source has carried out its Command, whether it responds or not.
fn spend(play: &mut Play, source: Source) {
    match source {
        Source::Battery(n) => play.s.indirect.batteries |= 1 << n,
        Source::Unit { unit, .. } => {
            play.reveal(unit);
            play.s.unit_mut(unit).set(Flags::FIRED);
        }
    }
}

/// 6.5.1.8.1: repeat the fire, without a roll.
pub(super) fn go_on(play: &mut Play, id: u8, smoke: bool) -> Result<(), Stop> {
    let turn = play.s.turn;
    play.s.indirect.areas.retain(|area| area.mission != id || smoke_kind(area.kind));
    play.s.indirect.lit.retain(|(of, _)| *of != id);
    let Some(m) = play.s.indirect.missions.iter_mut().find(|m| m.id == id) else { return Ok(()) };
    m.turn = turn;
    m.smoke = smoke && !m.light;
    m.limited.clear();
    let seen = play.s.units[m.observer.index()].hex.some();
    m.seen = seen.map_or(m.seen, |hex| play.rules.field.range(hex, m.point) as u8);
    let (sources, point, observer) = (m.sources.clone(), m.point, m.observer);
    observe(play, observer);
    for source in &sources {
        spend(play, *source);
    }
    play.tell(Event::Called { mission: id, observer, hex: point });
    fire(play, id, &sources, point)
}

const fn smoke_kind(kind: HindranceKind) -> bool {
    matches!(kind, HindranceKind::SmokeClosed | HindranceKind::SmokeOpen)
}

/// 6.5.1.9: its sources and its observer may take no further part in indirect fire this turn.
pub(super) fn cancel(play: &mut Play, id: u8) {
    let Some(m) = play.rules.mission(play.s, id).cloned() else { return };
    for source in &m.sources {
        match source {
            Source::Battery(n) => play.s.indirect.batteries |= 1 << n,
            // A unit on the map may still fire directly.
            Source::Unit { unit, .. } => play.s.indirect.observers.insert(*unit),
        }
    }
    play.s.indirect.observers.insert(m.observer);
    play.tell(Event::Checked { mission: id });
    remove(play, id);
}

/// Remove the mission's counter; its smoke stays (6.8.4).
pub(super) fn remove(play: &mut Play, id: u8) {
    play.s.indirect.missions.retain(|m| m.id != id);
    play.s.indirect.lit.retain(|(of, _)| *of != id);
    play.s.indirect.areas.retain(|area| area.mission != id || smoke_kind(area.kind));
    play.s.indirect.areas.each(|area| {
        if area.mission == id {
            area.mission = 0;
        }
    });
}

/// 6.5.1.13: smoke, or attacks on all units in the pattern.
pub(super) fn fire(play: &mut Play, id: u8, sources: &[Source], point: HexId) -> Result<(), Stop> {
    let Some(m) = play.rules.mission(play.s, id).cloned() else { return Ok(()) };
    let mut frames = 0;
    for source in sources.iter().rev() {
        let limited = short_of_ammo(play, &m, *source)?;
        if let Source::Unit { unit, gun } = *source {
            crate::fire::mark(play, unit, gun);
            play.s.triggers.insert(unit); // 4.4.2: it has fired
        }
        if limited && let Some(m) = play.s.indirect.missions.iter_mut().find(|m| m.id == id) {
            m.limited.push(*source);
        }
        if (m.smoke || m.light) && limited {
            continue; // 5.16.2.3: nothing lands
        }
        if m.light {
            // 7.27: until the mission is handled in the next turn.
            play.tell(Event::Impact { mission: m.id, hex: point, smoke: false });
            let lit = play.rules.source_pattern(&m, *source, point);
            play.s.indirect.lit.extend(lit.into_iter().map(|hex| (m.id, hex)));
            continue;
        }
        lay(play, &m, *source, point);
        if m.smoke {
            continue;
        }
        let mut queue = smallvec::SmallVec::new();
        let pattern = play.rules.source_pattern(&m, *source, point);
        crate::hidden::shelled(play, &pattern); // 7.2
        for hex in pattern {
            for unit in play.s.in_hex(hex).filter(|unit| !play.s.unit(*unit).passenger()) {
                queue.push(unit);
                queue.extend(play.rules.passengers(play.s, unit));
            }
        }
        queue.reverse();
        let landing = Landing {
            mission: id,
            source: *source,
            point,
            queue,
            target: UnitId::NONE,
            moving: false,
            limited,
            entering: false,
        };
        play.s.indirect.landing.push(landing);
        frames += 1;
    }
    for _ in 0..frames {
        play.then(&[Frame::Land]);
    }
    Ok(())
}

/// Place the area that a source covers; several sources of one mission are one occurrence.
fn lay(play: &mut Play, m: &Mission, source: Source, point: HexId) {
    let kind = m.leaves(source);
    let hexes = play.rules.source_pattern(m, source, point);
    play.tell(Event::Impact { mission: m.id, hex: point, smoke: m.smoke });
    let areas = &mut play.s.indirect.areas;
    match areas.iter().position(|area| area.mission == m.id && area.kind == kind && !area.off) {
        Some(area) => areas.extend(area, &hexes),
        None => areas.push(Area { mission: m.id, kind, hexes, off: false, young: true }),
    }
}

/// 5.16.2.5, 5.16.2.4, 6.5.1.11.4: batteries roll only for smoke; guns and mortars away from their ammunition roll for
/// all shells.
fn short_of_ammo(play: &mut Play, m: &Mission, source: Source) -> Result<bool, Stop> {
    let (limit, unit, gun) = match source {
        Source::Battery(n) => {
            let game = play.rules.advanced.as_deref();
            let battery = game.and_then(|game| game.extras.batteries.get(usize::from(n)));
            let limit = battery.and_then(|b| if m.light { b.ammo.illumination } else { b.ammo.smoke });
            (limit.filter(|_| m.smoke || m.light), m.observer, 0)
        }
        Source::Unit { unit, gun } => {
            let ammo = play.rules.arm(unit, gun).map(|arm| arm.ammo).unwrap_or_default();
            let basic = ammo.basic.filter(|_| !play.rules.supplied(play.s, unit));
            (if m.smoke { ammo.smoke } else { basic }, unit, gun)
        }
    };
    let Some(limit) = limit else { return Ok(false) };
    let roll = play.roll_ten(m.side, "roll.ammo", "5.16.2")?;
    let limited = roll > limit;
    // A planned battery has no observer on the map to report it.
    if unit.some().is_some() {
        play.tell(Event::AmmoLimit { unit, gun, roll, limit, limited });
    }
    Ok(limited)
}

/// 6.5.1.12: the opponent places the impact of one source on one of the friendly units; if there is another such
/// source, the opponent is asked again before any fire lands.
pub(super) fn misdirect(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let id = play.s.indirect.strayed;
    let (Some(mission), false) = (play.rules.mission(play.s, id).cloned(), play.s.indirect.astray.is_empty())
    else {
        return Ok(());
    };
    let source = play.s.indirect.astray.remove(0);
    let point = play.s.unit(unit).hex;
    let sources = Sources::from_slice(&[source]);
    if let Some(m) = play.s.indirect.missions.iter_mut().find(|m| m.id == id) {
        m.point = point; // 6.6.6: units that move into it are attacked there
        m.sources.clone_from(&sources);
    }
    fire(play, id, &sources, point)?;
    if !play.s.indirect.astray.is_empty() {
        let next = free_id(play);
        let sources = play.s.indirect.astray.clone();
        play.s.indirect.missions.push(Mission { id: next, sources, ..mission });
        play.s.indirect.strayed = next;
        play.then(&[Frame::Misdirect]);
    }
    Ok(())
}
