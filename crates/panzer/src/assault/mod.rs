//! Close Assault and Hand-to-Hand (6.6.1): the first step of the Movement Phase. First Player declares and resolves all
//! assaults, then Second Player.
//!
//! All assaults on one target are one declaration. Units that are not adjacent advance first, one by one, and may
//! trigger Overwatch; then the attackers of each hex fight together under a primary attacker.

mod close;
mod declare;
mod hand;
mod question;

use hexgrid::HexId;
use kernel::Stop;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    event::Event,
    frame::{Frame, Trigger},
    movement::Walk,
    pack::{
        Side,
        advanced::{Grade, LegSize},
    },
    piece::UnitKind,
    play::Play,
    rules::Panzer,
    state::{Flags, Spot, State},
    units::{UnitId, UnitSet},
};

pub use close::{CloseAim, CloseCause};
pub use declare::assault_targets;
pub use hand::{HandAim, HandCause, Part};
pub use question::{Assaults, NamePrimary, Occupy, Support};

/// A unit in an assault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attacker {
    pub unit: UnitId,
    /// The hex to which it advances; [`HexId::NONE`] if it attacks from where it is.
    pub advance: HexId,
}

pub type Attackers = SmallVec<[Attacker; 8]>;

/// The assault that is being carried out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assault {
    pub target: UnitId,
    /// Attackers that have not fought yet, in the order declared.
    pub waiting: Attackers,
    /// Attackers that advanced (6.6.1.1).
    pub advanced: UnitSet,
    /// Attackers that dismounted to attack (6.6.1.1).
    #[serde(default)]
    pub dismounted: UnitSet,
    /// The units that fight now: those of one hex, the primary attacker first.
    pub fighting: SmallVec<[UnitId; 8]>,
    /// The target counts as moving: its Command was shown.
    pub moving: bool,
    /// Vehicles that squads in their hex have supported in this step (6.6.1.1.2).
    pub supported: UnitSet,
    /// Units against which assaults have been declared in this step: no unit may join later (6.6.1.1, 6.6.1.2).
    #[serde(default)]
    pub targets: UnitSet,
    /// The owner of the target keeps the squads for other vehicles (6.6.1.1.2).
    #[serde(default)]
    pub unsupported: bool,
    /// The hex that the winners may enter (6.6.1.1.3).
    pub prize: HexId,
}

impl Default for Assault {
    fn default() -> Assault {
        Assault {
            target: UnitId::NONE,
            waiting: Attackers::new(),
            advanced: UnitSet::EMPTY,
            dismounted: UnitSet::EMPTY,
            fighting: SmallVec::new(),
            moving: false,
            supported: UnitSet::EMPTY,
            targets: UnitSet::EMPTY,
            unsupported: false,
            prize: HexId::NONE,
        }
    }
}

impl Panzer {
    /// The size of a Leg unit as it is now (5.1.1).
    pub fn leg_size(&self, s: &State, unit: UnitId) -> Option<LegSize> {
        match self.piece(unit)?.kind {
            UnitKind::Leg(LegSize::Squad) if s.unit(unit).is(Flags::REDUCED) => Some(LegSize::HalfSquad),
            UnitKind::Leg(size) => Some(size),
            _ => None,
        }
    }

    /// 5.1.3.5: has a flamethrower attached.
    pub fn flamethrower(&self, s: &State, unit: UnitId) -> bool {
        let lost = |n: usize| s.unit(unit).lost >> n.saturating_sub(1) & 1 == 1;
        self.piece(unit).is_some_and(|piece| {
            let arms = piece.arms.iter().enumerate();
            arms.into_iter().any(|(n, arm)| arm.attached.is_some() && arm.weapon.flamethrower && !lost(n))
        })
    }

    fn grade_of(&self, unit: UnitId) -> Grade {
        self.piece(unit).map_or(Grade::Seasoned, |piece| piece.grade)
    }

    /// 6.6.1.1.2, 6.6.1.2.2: the unit grade's modifier in assaults.
    fn assault_grade(&self, unit: UnitId) -> i8 {
        let tables = self.advanced.as_deref().map(crate::piece::AdvancedGame::tables);
        tables.map_or(0, |tables| tables.grades[self.grade_of(unit).index()].assault)
    }

    /// Levels by which one unit stands above another (4.1.4.1, 6.1.4.3.1).
    fn levels_above(&self, s: &State, target: UnitId, from: HexId, attacker: UnitId) -> i8 {
        let below =
            if from == s.unit(attacker).hex { self.height_of(s, attacker) } else { self.field.height(from) };
        self.height_of(s, target) - below
    }
}

/// The side that attacks.
pub fn attacking(rules: &Panzer, s: &State) -> Side {
    rules.vehicle(s.assault.target).side.enemy()
}

/// 6.6.1.1, 6.6.1.2: all assaults on one target are declared together.
fn declare(play: &mut Play, target: UnitId, attackers: &[Attacker]) {
    let Assault { supported, mut targets, .. } = play.s.assault;
    targets.insert(target);
    let waiting = attackers.iter().copied().collect();
    play.s.assault = Assault { target, waiting, supported, targets, ..Assault::default() };
    for attacker in attackers {
        play.reveal(attacker.unit);
        play.s.unit_mut(attacker.unit).set(Flags::ASSAULTED);
        note_attack(play, attacker.unit, target);
        play.tell(Event::AssaultDeclared { unit: attacker.unit, target });
    }
    begin(play, target);
}

/// 6.6.11: units that share the Move of this unit may attack only the same target.
pub(crate) fn note_attack(play: &mut Play, unit: UnitId, target: UnitId) {
    let group = play.rules.group_of(play.s, unit);
    let entry = (play.rules.vehicle(unit).side, group, target);
    if group > 0 && !play.s.shared_attacks.contains(&entry) {
        play.s.shared_attacks.push(entry);
    }
}

/// 6.6.1.1, 6.6.1.2: a passenger that has just dismounted attacks at once, alone.
pub(crate) fn dismount_attack(play: &mut Play, unit: UnitId, target: UnitId) {
    let waiting = Attackers::from_slice(&[Attacker { unit, advance: HexId::NONE }]);
    play.s.assault = Assault { target, waiting, dismounted: UnitSet::one(unit), ..Assault::default() };
    play.s.unit_mut(unit).set(Flags::ASSAULTED);
    note_attack(play, unit, target);
    play.tell(Event::AssaultDeclared { unit, target });
    begin(play, target);
}

/// 6.6.1.1.2: if a vehicle needs support and squads of its hex can give it, its owner first decides whether they do.
fn begin(play: &mut Play, target: UnitId) {
    let asked = play.rules.needs_support(play.s, target) && play.rules.support_left(play.s, target);
    let frames: &[Frame] = if asked { &[Frame::Support, Frame::AssaultNext] } else { &[Frame::AssaultNext] };
    play.then(frames);
}

/// The next part of an assault: an advance, or the fight of one hex.
pub fn next(play: &mut Play) -> Result<(), Stop> {
    let target = play.s.assault.target;
    let due = |a: &&Attacker| {
        a.advance != HexId::NONE && play.s.unit(a.unit).hex != a.advance && able(play.s, a.unit)
    };
    let advance = play.s.assault.waiting.iter().find(due).copied();
    let gone = !play.s.unit(target).on_map();
    if let Some(a) = advance
        && !gone
    {
        return step_up(play, a);
    }
    // 6.6.1.1: a unit suppressed or lost during its advance does not attack; no unit does if the target is gone.
    let s = &mut *play.s;
    let (fit, unfit): (Attackers, Attackers) =
        s.assault.waiting.iter().copied().partition(|a| !gone && able_in(&s.units, a.unit));
    s.assault.waiting = fit;
    for a in unfit {
        // 6.6.1.1: its target is gone: it may still move, with the points left after its advance.
        let lost = !able(play.s, a.unit) || play.s.assault.dismounted.contains(a.unit);
        if play.s.assault.advanced.contains(a.unit) && lost {
            play.s.unit_mut(a.unit).set(Flags::MOVED);
        }
        play.tell(Event::AssaultLapsed { unit: a.unit });
    }
    let Some(first) = play.s.assault.waiting.first().copied() else { return Ok(()) };
    let hex = play.s.unit(first.unit).hex;
    let s = &mut *play.s;
    // 6.6.1.1: units of one hex must combine.
    let (here, rest): (Attackers, Attackers) =
        s.assault.waiting.iter().copied().partition(|a| s.units[a.unit.index()].hex == hex);
    s.assault.waiting = rest;
    s.assault.fighting = here.iter().map(|a| a.unit).collect();
    s.assault.moving = false;
    for a in &here {
        play.s.unit_mut(a.unit).set(Flags::MOVED);
        play.place_spot(a.unit, Spot::Move); // 6.6: never Spot/Fire
    }
    let u = play.s.unit(target);
    let vehicle = play.rules.is_vehicle(target);
    // 6.6.1.1.2: a revealed Command needs no question. A vehicle without a crew is attacked without a roll.
    let asked = vehicle && !u.is(Flags::REVEALED) && !u.is(Flags::BAILED);
    play.s.assault.moving = vehicle && u.is(Flags::REVEALED) && u.command.moves();
    let frames: &[Frame] = if asked {
        &[Frame::NamePrimary, Frame::AssaultShow, Frame::Fight, Frame::AssaultNext]
    } else {
        &[Frame::NamePrimary, Frame::Fight, Frame::AssaultNext]
    };
    play.then(frames);
    Ok(())
}

fn able_in(units: &[crate::state::Unit], unit: UnitId) -> bool {
    let u = &units[unit.index()];
    u.on_map() && !u.suppressed()
}

fn able(s: &State, unit: UnitId) -> bool {
    able_in(&s.units, unit)
}

/// 6.6.1.1: the next hex of an Advancing Attack, the only part of the step that triggers Overwatch. Motorcycles may
/// advance more than one hex (6.6.4.4).
fn step_up(play: &mut Play, a: Attacker) -> Result<(), Stop> {
    let from = play.s.unit(a.unit).hex;
    play.s.assault.advanced.insert(a.unit);
    let Some(facing) = play.rules.toward(play.s, a) else {
        play.s.assault.waiting.retain(|other| other.unit != a.unit);
        play.then(&[Frame::AssaultNext]);
        return Ok(());
    };
    let to = play.rules.field.neighbour(from, facing).unwrap_or(a.advance);
    if crate::hidden::meet(play, play.rules.vehicle(a.unit).side.enemy(), &[to]) {
        // 7.2: a hidden enemy is found there: it goes no further.
        play.s.assault.waiting.retain(|other| other.unit != a.unit);
        play.tell(Event::AssaultLapsed { unit: a.unit });
        play.then(&[Frame::AssaultNext]);
        return Ok(());
    }
    let traction = play.rules.vehicle(a.unit).movement.traction;
    let cost =
        play.rules.entry_cost(play.s, traction, from, facing, false, false).map_or(1, |(_, cost)| cost);
    crate::works::leave(play.s, a.unit);
    let u = play.s.unit_mut(a.unit);
    (u.hex, u.facing) = (to, facing);
    u.paid = u.paid.saturating_add(cost);
    play.tell(Event::Stepped { unit: a.unit, from, to, cost, back: false });
    play.place_spot(a.unit, Spot::Move);
    play.s.triggers = UnitSet::one(a.unit);
    play.s.aimed = UnitSet::EMPTY;
    play.s.walk = Walk { unit: a.unit, ..Walk::default() };
    play.then(&[Frame::Window(Trigger::Hex), Frame::AssaultNext]);
    // 6.6.6, 7.31: it enters a hex like any other mover.
    crate::transport::landed(play, a.unit)
}

/// The fight of one hex.
pub fn fight(play: &mut Play) -> Result<(), Stop> {
    if play.rules.is_vehicle(play.s.assault.target) { close::resolve(play) } else { hand::round(play) }
}

/// 6.6.1.1.3, 6.6.1.2.3: the target is gone; the winners may enter its hex if no other enemy is in it.
fn won(play: &mut Play, hex: HexId) {
    let side = attacking(play.rules, play.s);
    crate::hidden::meet(play, side.enemy(), &[hex]); // 7.2
    // 5.15: an abandoned vehicle does not hold the hex.
    let holds = |unit: UnitId| play.rules.vehicle(unit).side != side && !play.s.unit(unit).is(Flags::BAILED);
    let held = play.s.in_hex(hex).any(holds);
    let mut open: SmallVec<[UnitId; 8]> = play.s.assault.fighting.clone();
    open.retain(|unit| play.s.unit(*unit).on_map() && play.rules.may_occupy(play.s, *unit, hex));
    if !held && !open.is_empty() {
        play.s.assault.fighting = open;
        play.s.assault.prize = hex;
        play.then(&[Frame::Occupy]);
    }
}

impl Panzer {
    /// Whether a winner may enter the hex: its terrain must be open to the unit.
    fn may_occupy(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let from = s.unit(unit).hex;
        let Some(direction) = self.field.board.direction_to(from, hex) else { return false };
        let traction = self.vehicle(unit).movement.traction;
        self.entry_cost(s, traction, from, direction, false, false).is_ok()
    }
}

/// 6.6.1.1.3: enter the vacated hex, which triggers no Overwatch. Full Cover is lost (6.1.4.2).
fn enter(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let (from, to) = (play.s.unit(unit).hex, play.s.assault.prize);
    crate::works::leave(play.s, unit);
    let u = play.s.unit_mut(unit);
    u.hex = to;
    u.clear(Flags::FULL_COVER);
    play.tell(Event::Stepped { unit, from, to, cost: 0, back: false });
    crate::works::settle_in(play, unit, false);
    crate::transport::landed(play, unit)
}
