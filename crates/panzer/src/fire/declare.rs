//! The declaration of all fire at one target before any of it is resolved (4.4.1).

use kernel::{Refusal, Slot, SlotKind, Stop, Template};
use rand_core::RngCore;
use rulebook::flow::Question;
use smallvec::SmallVec;

use super::{
    Fire, Kind,
    candidate::{Bar, Candidate},
};
use crate::{
    action::{Action, Shot, Shots, Subject},
    event::Event,
    frame::Frame,
    pack::{Side, advanced::LegSize},
    piece::UnitKind,
    play::{At, Cx, Play},
    rules::Panzer,
    state::{Flags, State},
    units::{UnitId, UnitSet},
};

/// 6.2.1.1.4: a unit that shares its Command fires at a hex.
pub fn note_target(play: &mut Play, unit: UnitId, hex: hexgrid::HexId) {
    let entry = (play.rules.vehicle(unit).side, play.rules.group_of(play.s, unit), hex);
    if entry.1 > 0 && !play.s.shared_targets.contains(&entry) {
        play.s.shared_targets.push(entry);
    }
}

/// 6.2.1.1.4: the effect of a shared Command on the others: their targets must be near this one, their Overwatch is
/// spent.
fn share(play: &mut Play, kind: Kind, unit: UnitId, target: UnitId) {
    let hex = play.s.unit(target).hex;
    note_target(play, unit, hex);
    let (group, side) = (play.rules.group_of(play.s, unit), play.rules.vehicle(unit).side);
    if kind == Kind::Overwatch && group > 0 {
        for other in play.rules.units_of(side) {
            if play.rules.group_of(play.s, *other) == group {
                play.s.unit_mut(*other).set(Flags::FIRED);
            }
        }
    }
}

/// 6.6.9: a hull down position is lost when a Short Halt is revealed.
pub fn give_up_position(s: &mut State, unit: UnitId) {
    if s.unit(unit).command.moves() {
        s.unit_mut(unit)
            .clear(Flags(Flags::HULL_DOWN.0 | Flags::PARTLY_HULL_DOWN.0 | Flags::HULL_DOWN_REVERSE.0));
    }
}

impl Panzer {
    /// 6.2.1.1.3: the group that a unit shares its Command with; a passenger belongs to its vehicle (6.6.7).
    pub fn group_of(&self, s: &State, unit: UnitId) -> u8 {
        let u = s.unit(unit);
        u.aboard.some().map_or(u.group, |vehicle| s.unit(vehicle).group)
    }

    /// 6.2.1.1.4: every two targets of one shared Command are within command range of each other.
    pub fn shared_target(&self, s: &State, unit: UnitId, hex: hexgrid::HexId) -> bool {
        let group = self.group_of(s, unit);
        if group == 0 || s.shared_targets.is_empty() {
            return true;
        }
        let (side, range) = (self.vehicle(unit).side, self.sharing_range(s, unit));
        let others = s.shared_targets.iter().filter(|(of, n, _)| (*of, *n) == (side, group));
        others.into_iter().all(|(.., other)| self.field.range(*other, hex) <= range)
    }

    /// The command range of the formation whose Command a unit shares.
    fn sharing_range(&self, s: &State, unit: UnitId) -> u32 {
        let commanded = s.unit(unit).aboard.some().unwrap_or(unit);
        self.command_range(self.piece(commanded).map_or(0, |piece| piece.formation))
    }

    /// The same for two shots of one declaration (5.14, 6.2.1.1.4).
    fn shared_shots(&self, s: &State, one: Shot, other: Shot, target: UnitId) -> bool {
        let group = self.group_of(s, one.unit);
        if group == 0 || self.group_of(s, other.unit) != group {
            return true;
        }
        let [a, b] = [one, other].map(|shot| s.unit(shot.target(target)).hex);
        self.field.range(a, b) <= self.sharing_range(s, one.unit)
    }

    /// 5.14: whether the unit may fire several weapons at once: vehicles with several, squads and half-squads; not
    /// sections, and not Suppressed units.
    pub fn may_dual(&self, s: &State, unit: UnitId) -> bool {
        self.piece(unit).is_some_and(|piece| {
            piece.arms.len() > 1
                && piece.kind != UnitKind::Leg(LegSize::Section)
                && !s.unit(unit).suppressed()
        })
    }

    /// 4.4.3.2.2: a target whose Command is known to be Move or Short Halt.
    pub fn known_to_move(&self, s: &State, target: UnitId) -> bool {
        let t = s.unit(target);
        t.command.moves() && t.is(Flags::REVEALED)
    }
}

fn candidate<'a>(cx: &Cx<'a>) -> Candidate<'a> {
    Candidate { rules: cx.rules, s: cx.s, kind: kind_of(cx.frame), supposed: false }
}

fn kind_of(frame: Frame) -> Kind {
    match frame {
        Frame::DirectFire(_) => Kind::Direct,
        _ => Kind::Overwatch,
    }
}

/// All fire at one target, for any action that can be written (4.4.1).
pub(crate) fn check_shots(cx: &Cx, target: UnitId, shots: &[Shot]) -> Result<(), Refusal> {
    let who = candidate(cx);
    if shots.is_empty() {
        return cx.rules.no("4.4.1", "fire.nobody").unit("target", target).into();
    }
    for (n, shot) in shots.iter().enumerate() {
        cx.rules.own(cx.side, shot.unit)?;
        if shots[..n].iter().any(|other| other.unit == shot.unit) && !cx.rules.may_dual(cx.s, shot.unit) {
            // 4.4.1, 4.4.3.2.1: one weapon per fire.
            let rule = if cx.rules.advanced.is_some() { "5.14" } else { "4.4.1" };
            return cx.rules.no(rule, "fire.twice").unit("unit", shot.unit).into();
        }
        if shots[..n].iter().any(|other| other.unit == shot.unit && other.gun == shot.gun) {
            return cx.rules.no("5.14", "fire.twice").unit("unit", shot.unit).into();
        }
        let at = shot.target(target);
        who.shot(*shot, at).map_err(|bar| who.refuse(bar, *shot, at))?;
        if shots[..n].iter().any(|other| !cx.rules.shared_shots(cx.s, *shot, *other, target)) {
            return Err(who.refuse(Bar::SharedTarget, *shot, at));
        }
        // 5.14: another target belongs to the declaration only if a unit fires at both.
        let joined = |other: &Shot| {
            let both = shots.iter().filter(|one| one.unit == other.unit).map(|one| one.target(target));
            other.target(target) == at && both.into_iter().any(|one| one != at)
        };
        if at != target && !shots.iter().any(joined) {
            return cx
                .rules
                .no("5.14", "fire.other_target")
                .unit("unit", shot.unit)
                .unit("target", at)
                .into();
        }
    }
    // 6.2.1.1.4: units that share Overwatch fire together.
    let absent =
        who.sharing(cx.side, target, shots).find(|unit| !shots.iter().any(|shot| shot.unit == *unit));
    if let Some(unit) = absent {
        return cx.rules.no("6.2.1.1.4", "fire.shared_overwatch").unit("unit", unit).into();
    }
    let left_out = cx
        .rules
        .units_of(cx.side)
        .iter()
        .find(|unit| !shots.iter().any(|shot| shot.unit == **unit) && who.bound_to(**unit, target));
    match left_out {
        Some(unit) => cx.rules.no("4.4.1", "fire.left_out").unit("unit", *unit).unit("target", target).into(),
        None => Ok(()),
    }
}

/// Own vehicles with a shot, and enemies at which several may fire together.
pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    let who = candidate(cx);
    let targets = who.targets(cx.side);
    // Targets at which one vehicle can fire, and those at which several can.
    let (mut once, mut several) = (UnitSet::EMPTY, UnitSet::EMPTY);
    for unit in cx.rules.units_of(cx.side) {
        if who.ready(*unit).is_err() {
            continue;
        }
        let mut able = false;
        for target in targets.iter().filter(|target| who.may_fire(*unit, *target)) {
            able = true;
            if once.contains(target) {
                several.insert(target);
            }
            once.insert(target);
        }
        let smokes = || who.kind == Kind::Direct && cx.rules.has_smoke_point(cx.s, *unit);
        out.extend((able || smokes()).then_some(Subject::Unit(*unit)));
    }
    out.extend(several.iter().map(Subject::Target));
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    let who = candidate(cx);
    match subject {
        Subject::Unit(unit) if cx.rules.vehicle(unit).side == cx.side => {
            if who.kind == Kind::Direct {
                super::smoke::options(cx, unit, out);
            }
            let bound = who.bound(cx.side);
            for target in who.targets(cx.side).iter() {
                for shot in who.shots(unit, target) {
                    let mut shots = Shots::new();
                    shots.push(shot);
                    include_bound(&who, &bound, target, &mut shots);
                    include_sharing(&who, cx.side, target, &mut shots);
                    out.push(Action::Fire { target, shots });
                }
            }
        }
        Subject::Target(target)
            if cx.rules.vehicle(target).side != cx.side
                && cx.rules.units_of(cx.side).iter().any(|unit| who.may_fire(*unit, target)) =>
        {
            out.push(Action::Fire { target, shots: Shots::new() });
        }
        _ => {}
    }
}

/// Units with no other target must join the fire.
fn include_bound(who: &Candidate, bound: &[(UnitId, UnitId)], target: UnitId, shots: &mut Shots) {
    for (unit, _) in bound.iter().filter(|(_, only)| *only == target) {
        if !shots.iter().any(|shot| shot.unit == *unit)
            && let Some(shot) = who.shots(*unit, target).next()
        {
            shots.push(shot);
        }
    }
}

/// 6.2.1.1.4: units that share the Overwatch of one of them must join the fire.
fn include_sharing(who: &Candidate, side: Side, target: UnitId, shots: &mut Shots) {
    let more: SmallVec<[UnitId; 8]> = who.sharing(side, target, shots).collect();
    for unit in more {
        if !shots.iter().any(|shot| shot.unit == unit)
            && let Some(shot) = who.shots(unit, target).next()
        {
            shots.push(shot);
        }
    }
}

/// `A`, or `A#2` where the vehicle has several AP guns.
pub fn shot_words(rules: &Panzer, shot: Shot) -> String {
    let mut words = rules.id(shot.unit).to_owned();
    if rules.vehicle(shot.unit).guns.len() > 1 {
        words.push_str(&format!("#{}", shot.gun + 1));
    }
    if rules.advanced.is_some() {
        words.push(':');
        words.push_str(if shot.pinning { "pin" } else { shot.ammo.key() });
        if let Some(at) = shot.at.some() {
            words.push('>');
            words.push_str(rules.id(at));
        }
    }
    words
}

/// The sheet of a fire that names no shooters yet.
pub fn template(cx: &Cx, action: &Action) -> Option<Template> {
    let Action::Fire { target, shots } = action else { return None };
    if !shots.is_empty() {
        return None;
    }
    let who = candidate(cx);
    let (mut candidates, mut suggested) = (Vec::new(), Vec::new());
    for unit in cx.rules.units_of(cx.side) {
        for (n, shot) in who.shots(*unit, *target).enumerate() {
            let words = shot_words(cx.rules, shot);
            if n == 0 && (who.bound_to(*unit, *target) || suggested.is_empty()) {
                suggested.push(words.clone());
            }
            candidates.push(words);
        }
    }
    let shooters = Slot {
        words: format!("fire {} with", cx.rules.id(*target)),
        kind: SlotKind::Units,
        label: "slot.shooters".into(),
        min: 1,
        max: candidates.len() as u16,
        suggested,
        candidates,
    };
    Some(Template::of(vec![shooters]))
}

/// Fill a skeleton: some of the units that can fire, and all that must.
pub(crate) fn fill(cx: &Cx, action: &mut Action, rng: &mut dyn RngCore) -> bool {
    let Action::Fire { target, shots } = action else { return true };
    if !shots.is_empty() {
        return true;
    }
    let who = candidate(cx);
    let mut coins = rng.next_u64();
    for unit in cx.rules.units_of(cx.side) {
        if let Some(shot) = who.shots(*unit, *target).next() {
            if coins & 1 == 1 || who.bound_to(*unit, *target) {
                shots.push(shot);
            }
            coins = coins.rotate_right(1);
        }
    }
    include_sharing(&who, cx.side, *target, shots);
    !shots.is_empty()
}

/// 4.4.1: Direct Fire of one player; units that must fire do so before the step ends.
#[derive(Debug)]
pub struct DirectFire;

impl Question<Panzer> for DirectFire {
    fn asks(&self, _: &Panzer, s: &State, frame: Frame) -> Option<Side> {
        frame.player().and_then(|player| s.side_of(player))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let who = candidate(cx);
        // Passengers may fire and are asked (6.6.7.2).
        let smokes = |unit: UnitId| {
            let u = cx.s.unit(unit);
            u.command.fires() && !u.is(Flags::FIRED) && cx.rules.has_smoke_point(cx.s, unit)
        };
        let asked = |unit: &UnitId| {
            who.must_fire(*unit) || cx.s.unit(*unit).passenger() && who.choices(*unit) > 0 || smokes(*unit)
        };
        let nobody = !cx.rules.units_of(cx.side).iter().any(asked);
        nobody.then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        // Units that must fire do so first; passengers need not (6.6.7.2).
        if self.check(cx, &Action::Done).is_ok() {
            out.push(Subject::Phase);
        }
        subjects(cx, out);
        if out.is_empty() {
            out.push(Subject::Phase);
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend(self.check(cx, &Action::Done).is_ok().then_some(Action::Done));
        } else {
            options(cx, subject, out);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Fire { target, shots } => check_shots(cx, *target, shots),
            Action::Smoke { unit, hex } => super::smoke::check(cx, &candidate(cx), *unit, *hex),
            Action::Discharge { unit } => super::smoke::check_discharge(cx, *unit),
            Action::Done => {
                // 4.2.1, 4.4.1: Fire and Short Halt are binding.
                let who = candidate(cx);
                match cx.rules.units_of(cx.side).iter().find(|unit| who.must_fire(**unit)) {
                    Some(unit) => cx.rules.no("4.4.1", "fire.must").unit("unit", *unit).into(),
                    None => Ok(()),
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Fire { target, shots } => declare(play, Kind::Direct, *target, shots, &[]),
            Action::Smoke { unit, hex } => super::smoke::fire(play, *unit, *hex)?,
            Action::Discharge { unit } => super::smoke::discharge(play, *unit)?,
            _ => play.pop(),
        }
        Ok(())
    }
}

/// 4.4.1: Commands are revealed, and all named units have fired, whatever the result. The shots follow.
pub fn declare(play: &mut Play, kind: Kind, target: UnitId, shots: &Shots, then: &[Frame]) {
    for shot in shots {
        let commanded = play.s.unit(shot.unit).aboard.some().unwrap_or(shot.unit);
        play.reveal(commanded);
        give_up_position(play.s, commanded);
        play.s.unit_mut(shot.unit).set(Flags::FIRED);
        let target = shot.target(target);
        play.tell(Event::Declared { kind, target, unit: shot.unit, gun: shot.gun });
        share(play, kind, shot.unit, target);
    }
    // 5.14: target by target, in the order in which they were named.
    let mut targets = SmallVec::<[UnitId; 2]>::from_slice(&[target]);
    for shot in shots {
        if !targets.contains(&shot.target(target)) {
            targets.push(shot.target(target));
        }
    }
    let in_order = targets.iter().flat_map(|at| shots.iter().filter(|shot| shot.target(target) == *at));
    let in_order: Shots = in_order.copied().collect();
    play.s.fire = Fire { kind, target, shots: in_order, ..Fire::default() };
    play.then(then);
    play.then(&[Frame::Shot]);
    for at in targets.iter().rev() {
        play.s.aimed.insert(*at);
        ask_to_show(play, *at);
    }
}

/// 4.4.3.2.2: the owner of a target with a hidden Command is asked.
fn ask_to_show(play: &mut Play, target: UnitId) {
    let t = play.s.unit(target);
    // Asked whatever the Command is: the question itself must not reveal it.
    // 6.5.4.2.2: Leg and towed units may not keep their Command secret, and would gain nothing by it.
    let asked = play.rules.is_vehicle(target);
    if asked && !t.is(Flags::REVEALED) {
        play.s.fire.asked.push(target);
        play.then(&[Frame::ShowCommand]);
    }
}
