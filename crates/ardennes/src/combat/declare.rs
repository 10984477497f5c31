//! Declaring attacks (14.1–14.3, 13.8): who may attack what.

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Attack},
    combat::{
        breakthrough, formations, resolve, strength,
        support::{self, Need},
    },
    flags::Flags,
    frame::Frame,
    pack::{EntryId, Side, Tag, UnitId},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// Why a unit may not attack now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    Artillery,
    Attacked,
    Disrupted,
    Disengaged,
    Dug,
    Replaced,
    /// 25.35
    NightMarker,
    /// 25.32
    NoNightMarker,
    /// 25.34
    UnfitForNight,
}

impl Idle {
    const fn rule(self) -> (&'static str, &'static str) {
        match self {
            Idle::Artillery => ("22.9", "attack.artillery"),
            Idle::Attacked => ("14.1", "attack.attacked"),
            Idle::Disrupted => ("18.2", "attack.disrupted"),
            Idle::Disengaged => ("20.1", "attack.disengaged"),
            Idle::Dug => ("15.8", "attack.building"),
            Idle::Replaced => ("25.24", "attack.replaced"),
            Idle::NightMarker => ("25.35", "attack.night_marker"),
            Idle::NoNightMarker => ("25.32", "attack.no_night_marker"),
            Idle::UnfitForNight => ("25.34", "night.unfit"),
        }
    }
}

/// 14.1: what keeps a unit of the phasing player from attacking at all.
pub fn idle(rules: &Ardennes, s: &State, unit: UnitId) -> Option<Idle> {
    let flags = s.unit(unit).flags;
    if rules.counter(unit).artillery {
        return Some(Idle::Artillery);
    }
    if flags.any(Flags::ATTACKED) {
        return Some(Idle::Attacked);
    }
    if flags.any(Flags::DISRUPTED) {
        return Some(Idle::Disrupted);
    }
    if flags.any(Flags::DISENGAGED) {
        return Some(Idle::Disengaged);
    }
    if flags.any(Flags::DUG) {
        return Some(Idle::Dug);
    }
    // 1E 25.24 only keeps a rebuilt unit from moving.
    if flags.any(Flags::REPLACED) && !rules.replaced_attack() {
        return Some(Idle::Replaced);
    }
    if s.phase.is_night() {
        // 25.32, 25.34, 27.5
        if flags.any(Flags::PEIPER_NIGHT) {
            return None;
        }
        if flags.all(Flags::NIGHT | Flags::UNFIT_FOR_NIGHT) {
            return Some(Idle::UnfitForNight);
        }
        return (!flags.any(Flags::NIGHT)).then_some(Idle::NoNightMarker);
    }
    flags.any(Flags::NIGHT).then_some(Idle::NightMarker)
}

/// Why a hex may not be attacked at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Safe {
    Nobody,
    /// 14.1
    Attacked,
    /// 1E 27.7
    Closed,
}

fn safe(rules: &Ardennes, s: &State, side: Side, target: HexId) -> Option<Safe> {
    let enemy = s.enemy_in(side, target);
    if !enemy && strength::dump_garrison(rules, s, side, target).is_none() {
        return Some(Safe::Nobody);
    }
    if rules.closed_area(s, side, target) {
        return Some(Safe::Closed);
    }
    (enemy && attacked_already(s, target)).then_some(Safe::Attacked)
}

/// 14.1: once per phase. Units that retreated here from another combat do not shield units that were not attacked
/// (17.5).
pub fn attacked_already(s: &State, target: HexId) -> bool {
    let mut fresh = false;
    for unit in s.stack(target) {
        let unit = s.unit(unit);
        if unit.is(Flags::DEFENDED) && !unit.is(Flags::RETREATED) {
            return true;
        }
        fresh |= !unit.is(Flags::DEFENDED);
    }
    !fresh
}

/// The Entry Hex whose Blocking Position a unit is in.
fn blocking(s: &State, unit: UnitId) -> Option<EntryId> {
    if let Place::Blocking(entry) = s.unit(unit).place() { Some(entry) } else { None }
}

/// Can the unit attack the target: adjacent to it, no lake between, or in its Blocking Position (13.8)?
fn reaches(rules: &Ardennes, s: &State, unit: UnitId, target: HexId) -> bool {
    match s.unit(unit).place() {
        Place::Hex(from) => rules.land.between(from, target).is_some_and(|edge| !lake(rules, edge)),
        Place::Blocking(entry) => {
            rules.land.entry_hex(entry) == Some(target) && sector_blocked(rules, s, entry)
        }
        _ => false,
    }
}

fn lake(rules: &Ardennes, edge: &crate::terrain::Edge) -> bool {
    crate::terrain::hexside_feature(edge)
        .is_some_and(|feature| rules.tables().terrain.hexsides[feature.index()].attack_prohibited)
}

/// 13.8: every Entry Hex of the sector that the Germans hold is Blocked (13.4).
fn sector_blocked(rules: &Ardennes, s: &State, entry: EntryId) -> bool {
    let Some(sector) = rules.pack.entries[entry.index()].off_map_box else { return false };
    let need = u16::from(rules.tables().victory.blocking_defense);
    rules.pack.boxes[sector.index()].entries.iter().all(|entry| {
        let occupied = rules.land.entry_hex(entry).is_some_and(|hex| s.enemy_in(Side::Allied, hex));
        !occupied || {
            let there = |u: &UnitId| blocking(s, *u) == Some(entry);
            let defense = |u: UnitId| u16::from(rules.factors(s, u).defense);
            rules.units_of(Side::Allied).filter(there).map(defense).sum::<u16>() >= need
        }
    })
}

/// Every unit of the side that could take part in an attack on the hex, including those of a Breakthrough Group.
pub fn able(cx: &Cx, target: HexId, mut each: impl FnMut(UnitId)) {
    able_until(cx, target, |unit| {
        each(unit);
        false
    });
}

/// The same units, one by one, until `each` returns true.
pub(super) fn able_until(cx: &Cx, target: HexId, mut each: impl FnMut(UnitId) -> bool) {
    let (rules, s) = (cx.rules, cx.s);
    let day = cx.frame == Frame::Attacks;
    let mut offer = |unit: UnitId| {
        !(day && idle(rules, s, unit).is_some()) && bar(cx, unit, target).is_none() && each(unit)
    };
    for edge in rules.land.edges(target) {
        if let Some(from) = edge.to.some().filter(|from| s.held(cx.side).contains(*from))
            && s.stack(from).any(&mut offer)
        {
            return;
        }
    }
    if cx.side == Side::Allied && day && rules.land.entry_at(target).is_some() {
        rules.units_of(Side::Allied).filter(|u| blocking(s, *u).is_some()).any(offer);
    }
}

/// Could any unit attack the hex?
fn anybody_able(cx: &Cx, target: HexId) -> bool {
    let mut any = false;
    able_until(cx, target, |_| {
        any = true;
        true
    });
    any
}

/// What keeps one unit out of an attack on the hex.
enum Bar {
    NotYours,
    TooFar,
    Idle(Idle),
    /// 13.8
    SectorOpen,
}

fn bar(cx: &Cx, unit: UnitId, target: HexId) -> Option<Bar> {
    let (rules, s) = (cx.rules, cx.s);
    if rules.counter(unit).side != cx.side {
        return Some(Bar::NotYours);
    }
    let in_group = match cx.frame {
        Frame::Breakthrough => breakthrough::may_attack(rules, s, unit).is_none(),
        Frame::Counterattack => s.combat.defenders.contains(unit) && !s.unit(unit).is(Flags::DISRUPTED),
        _ => false,
    };
    // A unit that may attack nobody gets this reason, wherever it is.
    if !in_group && let Some(idle) = idle(rules, s, unit) {
        return Some(Bar::Idle(idle));
    }
    if !reaches(rules, s, unit, target) {
        let open = blocking(s, unit).and_then(|entry| rules.land.entry_hex(entry)) == Some(target);
        return Some(if open { Bar::SectorOpen } else { Bar::TooFar });
    }
    (cx.frame == Frame::Counterattack && !in_group).then_some(Bar::TooFar)
}

/// Hexes that could be attacked, each once.
pub fn targets(cx: &Cx, mut each: impl FnMut(HexId) -> bool) {
    let (rules, s) = (cx.rules, cx.s);
    let enemy = cx.side.enemy();
    let mut offer =
        |hex: HexId| -> bool { safe_here(cx, hex).is_none() && anybody_able(cx, hex) && each(hex) };
    let mut within_reach = *s.near(cx.side);
    if cx.side == Side::Allied {
        within_reach.union_with(&rules.land.entry_hexes);
    }
    within_reach.intersect_with(s.held(enemy));
    for hex in &within_reach {
        if offer(hex) {
            return;
        }
    }
    for hex in &rules.land.dump_sites {
        if !s.occupied(*hex) && offer(*hex) {
            return;
        }
    }
}

/// Like [`safe`], for the kind of attack that is asked for: a Breakthrough Group may attack any hex (19.4).
fn safe_here(cx: &Cx, target: HexId) -> Option<Safe> {
    match safe(cx.rules, cx.s, cx.side, target) {
        Some(Safe::Attacked) if cx.frame != Frame::Attacks => None,
        // 1E 16.72: against the units that attacked.
        None if cx.frame == Frame::Counterattack
            && !cx.s.stack(target).any(|u| cx.s.combat.attackers.contains(u)) =>
        {
            Some(Safe::Nobody)
        }
        other => other,
    }
}

/// Is there anything to attack?
pub fn any_target(cx: &Cx) -> bool {
    let mut any = false;
    targets(cx, |_| {
        any = true;
        true
    });
    any
}

/// 14: attacks, one after the other.
#[derive(Debug)]
pub struct Attacks;

impl Question<Ardennes> for Attacks {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!any_target(cx)).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        targets(cx, |hex| {
            out.push(Subject::Hex(hex));
            false
        });
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Hex(target) => skeleton(cx, target, out),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Attack(attack) => check_attack(cx, attack),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if let Action::Attack(attack) = action {
            return resolve::begin(play, attack, false);
        }
        play.pop();
        Ok(())
    }
}

/// An attack that has to be filled in.
pub fn skeleton(cx: &Cx, target: HexId, out: &mut Vec<Action>) {
    let open = cx.rules.land.in_play.contains(target) && safe_here(cx, target).is_none();
    if open && anybody_able(cx, target) {
        out.push(Action::Attack(blank(target)));
    }
}

pub fn blank(target: HexId) -> Attack {
    Attack::blank(target)
}

/// What is wrong with an attack; turned into a message only when it is shown.
enum Fault {
    Safe(Safe),
    NobodyNamed,
    Twice(UnitId),
    Unit(UnitId, Bar),
    /// 14.31
    Formations,
    /// 27.3
    Nations,
    /// 27.5
    WithoutPeiper(UnitId),
    /// 13.8
    BlockingSize,
    /// 19.4
    Breakthrough(breakthrough::Fault),
    GunTwice(UnitId),
    Gun(UnitId, support::Silent),
    /// 15.6
    Air,
    /// 27.8.3
    Surprise,
    /// 1E 16.72
    NoSupport,
}

fn fault(cx: &Cx, attack: &Attack) -> Option<Fault> {
    let (rules, s) = (cx.rules, cx.s);
    let target = attack.target;
    if !rules.land.in_play.contains(target) {
        return Some(Fault::Safe(Safe::Nobody));
    }
    if let Some(safe) = safe_here(cx, target) {
        return Some(Fault::Safe(safe));
    }
    if attack.units.is_empty() {
        return Some(Fault::NobodyNamed);
    }
    for (at, unit) in attack.units.iter().enumerate() {
        if attack.units[..at].contains(unit) {
            return Some(Fault::Twice(*unit));
        }
        if let Some(bar) = bar(cx, *unit, target) {
            return Some(Fault::Unit(*unit, bar));
        }
    }
    if cx.frame == Frame::Breakthrough
        && let Some(fault) = breakthrough::group_fault(rules, s, attack)
    {
        return Some(Fault::Breakthrough(fault));
    }
    let british = |u: &UnitId| rules.counter(*u).british;
    if attack.units.iter().any(british) && !attack.units.iter().all(british) {
        return Some(Fault::Nations);
    }
    if !formations::within_limit(rules, s, &attack.units) {
        return Some(Fault::Formations);
    }
    if s.phase.is_night()
        && let Some(unit) = attack.units.iter().find(|u| !with_peiper(rules, s, **u, attack))
    {
        return Some(Fault::WithoutPeiper(*unit));
    }
    if over_blocking_size(rules, s, attack) {
        return Some(Fault::BlockingSize);
    }
    if cx.frame == Frame::Counterattack && (!attack.artillery.is_empty() || attack.air) {
        return Some(Fault::NoSupport);
    }
    let need = attack_need(cx, attack);
    for (at, gun) in attack.artillery.iter().enumerate() {
        if attack.artillery[..at].contains(gun) {
            return Some(Fault::GunTwice(*gun));
        }
        if let Some(silent) = support::silent(rules, s, *gun, &need) {
            return Some(Fault::Gun(*gun, silent));
        }
    }
    if attack.air && !may_have_air(cx) {
        return Some(Fault::Air);
    }
    (attack.surprise && !attack.units.iter().any(|u| may_surprise(rules, s, *u))).then_some(Fault::Surprise)
}

pub(super) fn attack_need<'a>(cx: &Cx, attack: &'a Attack) -> Need<'a> {
    Need {
        side: cx.side,
        target: attack.target,
        attack: true,
        fighting: &attack.units,
        from_blocking: attack.units.iter().any(|u| blocking(cx.s, *u).is_some()),
    }
}

/// 15.6: if the marker is available, in an Allied day turn with clear weather.
pub(super) fn may_have_air(cx: &Cx) -> bool {
    cx.side == Side::Allied
        && cx.s.air_left > 0
        && cx.frame != Frame::Counterattack
        && support::clear_sky(cx.rules, cx.s)
}

/// 27.8.3
pub(super) fn may_surprise(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    rules.counter(unit).has(Tag::Brigade150) && !s.unit(unit).is(Flags::EXPOSED)
}

/// 27.5: a unit without a Night marker of its own attacks only together with the KG Peiper unit in its hex.
fn with_peiper(rules: &Ardennes, s: &State, unit: UnitId, attack: &Attack) -> bool {
    let peiper = |u: UnitId| rules.counter(u).has(Tag::KgPeiper);
    let flags = s.unit(unit).flags;
    flags.any(Flags::NIGHT)
        || !flags.any(Flags::PEIPER_NIGHT)
        || attack.units.iter().any(|u| peiper(*u) && s.unit(*u).hex() == s.unit(unit).hex())
}

/// 13.8: only as many units as fit in two hexes (1E: in the off-map hexes adjacent to the Entry Hex).
fn over_blocking_size(rules: &Ardennes, s: &State, attack: &Attack) -> bool {
    let limits = &rules.tables().stacking;
    let mut load = crate::stacking::Load::default();
    for unit in attack.units.iter().filter(|u| blocking(s, **u).is_some()) {
        rules.add_to_load(s, &mut load, *unit);
    }
    if rules.off_map_attackers_return() {
        // 1E 13.5: hex 1601, which has three sides off the map, counts as two hexes.
        const MOST: usize = 2;
        let sides = rules.land.edges(attack.target).iter().filter(|e| e.to == HexId::NONE).count();
        let edges = sides.min(MOST);
        return usize::from(load.points) > edges * usize::from(limits.points)
            || usize::from(load.units) > edges * usize::from(limits.units);
    }
    load.points > limits.blocking_points || load.silhouette_steps > limits.blocking_silhouette_steps
}

pub fn legal(cx: &Cx, attack: &Attack) -> bool {
    fault(cx, attack).is_none()
}

pub fn check_attack(cx: &Cx, attack: &Attack) -> Result<(), Refusal> {
    let rules = cx.rules;
    let Some(fault) = fault(cx, attack) else { return Ok(()) };
    let target = attack.target;
    let no = |rule, key| rules.no(rule, key);
    match fault {
        Fault::Safe(Safe::Nobody) if !rules.land.in_play.contains(target) => Err(rules.not_now()),
        Fault::Safe(Safe::Nobody) => no("14.1", "attack.nobody").hex("hex", target).into(),
        Fault::Safe(Safe::Attacked) => {
            no("14.1", "attack.attacked_already").hex("hex", target).stack("units", cx.s, target).into()
        }
        Fault::Safe(Safe::Closed) => no("27.7", "attack.closed_area").hex("hex", target).into(),
        Fault::NobodyNamed => no("14.1", "attack.no_units").hex("hex", target).into(),
        Fault::Twice(unit) => no("14.2", "attack.twice").unit("unit", unit).into(),
        Fault::Unit(unit, Bar::NotYours) => Err(rules.refuse_owner(unit, cx.side)),
        Fault::Unit(unit, Bar::TooFar) => {
            no("14.1", "attack.not_adjacent").unit("unit", unit).hex("hex", target).into()
        }
        Fault::Unit(unit, Bar::Idle(Idle::Attacked))
            if breakthrough::refused(rules, cx.s, unit).is_some() =>
        {
            let (rule, key) = breakthrough::refused(rules, cx.s, unit).unwrap_or(Idle::Attacked.rule());
            no(rule, key).unit("unit", unit).hex("hex", target).into()
        }
        Fault::Unit(unit, Bar::Idle(idle)) => {
            let (rule, key) = idle.rule();
            no(rule, key).unit("unit", unit).into()
        }
        Fault::Unit(unit, Bar::SectorOpen) => {
            no("13.8", "attack.sector_open").unit("unit", unit).hex("hex", target).into()
        }
        Fault::Formations => {
            no("14.31", "attack.formations").number("limit", formations::LIMIT as i64).into()
        }
        Fault::Nations => no("27.3", "attack.nations").into(), // 8.4: they stack, but do not attack together
        Fault::WithoutPeiper(unit) => no("27.5", "attack.without_peiper").unit("unit", unit).into(),
        Fault::BlockingSize => {
            let limits = &rules.tables().stacking;
            no("13.8", "attack.blocking_size")
                .number("points", limits.blocking_points)
                .number("steps", limits.blocking_silhouette_steps)
                .into()
        }
        Fault::Breakthrough(fault) => Err(breakthrough::refuse(rules, attack, fault)),
        Fault::GunTwice(gun) => no("22.6", "support.twice").unit("unit", gun).into(),
        Fault::Gun(gun, silent) => Err(support::refuse(rules, gun, &attack_need(cx, attack), silent)),
        Fault::Air => no("15.6", "attack.air").number("left", cx.s.air_left).into(),
        Fault::Surprise => no("27.8.3", "attack.surprise").into(),
        Fault::NoSupport => no("16.72", "attack.counterattack_support").into(),
    }
}
