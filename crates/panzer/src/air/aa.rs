//! Anti-aircraft fire (6.7.4): units with an AA row on Overwatch, once they have tracked the aircraft.

use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{Craft, Flight, Strike, attack};
use crate::{
    event::Event,
    fire::bearing,
    frame::Frame,
    indirect::Source,
    pack::{
        FieldOfFire,
        advanced::{
            Altitude, GpModifier, Module, Outcome, RangeFactor, Speed,
            lookup::{Fire, outcome},
        },
    },
    play::Play,
    rules::Panzer,
    state::{Command, Flags, Spot, State},
    units::UnitId,
};

/// Where a modifier of AA fire comes from (6.7.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AaCause {
    Unit,
    Fast,
    High,
    Low,
    Modifier(GpModifier),
    Grade,
}

impl AaCause {
    pub const fn key(self) -> &'static str {
        match self {
            AaCause::Unit => "aa_unit",
            AaCause::Fast => "aa_fast",
            AaCause::High => "aa_high",
            AaCause::Low => "aa_low",
            AaCause::Modifier(modifier) => modifier.key(),
            AaCause::Grade => "unit_grade",
        }
    }
}

/// AA fire as computed before the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AaAim {
    pub range: u32,
    pub factor: RangeFactor,
    pub gpf: u8,
    pub gpd: u8,
    pub net: i16,
    pub n: i16,
    pub s: i16,
}

/// Why a unit cannot fire at the aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    NoAa,
    Gone,
    Command,
    Fired,
    Inside,
    Sight,
    Tracking,
    FieldOfFire,
    Range,
    High,
}

impl Bar {
    pub fn refuse(self, rules: &Panzer, unit: UnitId) -> Refusal {
        let no = match self {
            Bar::NoAa => rules.no("6.7.4", "air.no_aa"),
            Bar::Gone => rules.no("6.7.4", "air.aa_gone"),
            Bar::Command => rules.no("6.7.4", "air.aa_command"),
            Bar::Fired => rules.no("6.7.4.1.1", "air.aa_fired"),
            Bar::Inside => rules.no("6.7.4.1.1", "air.aa_inside"),
            Bar::Sight => rules.no("6.7.4.1", "air.aa_sight"),
            Bar::Tracking => rules.no("6.7.4.1.1", "air.aa_tracking"),
            Bar::FieldOfFire => rules.no("6.7.4.1.2", "air.aa_field"),
            Bar::Range => rules.no("3.5.2", "air.aa_range"),
            Bar::High => rules.no("6.7.4.1.2", "air.aa_high"),
        };
        no.unit("unit", unit).into()
    }
}

impl Panzer {
    /// 6.7.4.1.1: whether the unit can see the aircraft from its hex, for tracking.
    pub(super) fn aa_looks(&self, s: &State, unit: UnitId, flight: &Flight) -> bool {
        let u = s.unit(unit);
        let inside = u.is(Flags(Flags::INSIDE.0 | Flags::IMPROVED.0));
        u.on_map() && !inside && self.air_sees(s, flight.hex, flight.altitude, u.hex)
    }

    /// The number of consecutive hexes for which an AA unit has seen the aircraft.
    pub fn aa_count(&self, flight: &Flight, unit: UnitId) -> u8 {
        flight.tracked.iter().find(|(who, _)| *who == unit).map_or(0, |(_, hexes)| *hexes)
    }

    /// 6.7.4: may the unit fire at the aircraft now? `supposed`: as if it had Overwatch.
    pub fn may_fire_aa(&self, s: &State, unit: UnitId, flight: &Flight, supposed: bool) -> Result<(), Bar> {
        let (u, piece) = (s.unit(unit), self.piece(unit).ok_or(Bar::NoAa)?);
        let aa = piece.aa.as_ref().ok_or(Bar::NoAa)?;
        if !u.on_map() || u.passenger() || u.is(Flags::BAILED) {
            return Err(Bar::Gone);
        }
        if u.command != Command::Overwatch && !supposed {
            return Err(Bar::Command);
        }
        if u.is(Flags::FIRED) || s.air.fired.contains(unit) {
            return Err(Bar::Fired);
        }
        if u.is(Flags(Flags::INSIDE.0 | Flags::IMPROVED.0)) {
            return Err(Bar::Inside);
        }
        if !self.air_sees(s, flight.hex, flight.altitude, u.hex) {
            return Err(Bar::Sight);
        }
        let tables = self.advanced.as_deref().ok_or(Bar::NoAa)?.tables();
        let needed = tables.tracking(flight.altitude, flight.speed, u.suppressed());
        if self.aa_count(flight, unit) < needed {
            return Err(Bar::Tracking);
        }
        let board = &self.field.board;
        // 7.16: platform mounts turn all round.
        let arc = if self.optional(16) && piece.platform { FieldOfFire::All } else { aa.arc };
        if !bearing::bears(arc, u.facing, board.hex(u.hex), board.hex(flight.hex)) {
            return Err(Bar::FieldOfFire);
        }
        if flight.altitude == Altitude::High && aa.row.vs_high.is_none() {
            return Err(Bar::High);
        }
        let range = self.field.range(u.hex, flight.hex).max(1);
        if aa.row.row.at(range).is_none() { Err(Bar::Range) } else { Ok(()) }
    }

    /// 6.7.4.2: every modifier of AA fire.
    #[allow(clippy::too_many_arguments)] // a shot and what it is fired at, which a question may vary
    pub fn aa_modifiers(
        &self,
        s: &State,
        unit: UnitId,
        altitude: Altitude,
        speed: Speed,
        factor: RangeFactor,
        limited: bool,
        mut each: impl FnMut(AaCause, i8),
    ) {
        let (Some(game), Some(aa)) =
            (self.advanced.as_deref(), self.piece(unit).and_then(|piece| piece.aa.as_ref()))
        else {
            return;
        };
        let (tables, u) = (game.tables(), s.unit(unit));
        let mut count = |cause: AaCause, value: i8| {
            if value != 0 {
                each(cause, value);
            }
        };
        count(AaCause::Unit, aa.row.modifier);
        if speed == Speed::Fast {
            count(AaCause::Fast, tables.air.aa_vs_fast);
        }
        match altitude {
            Altitude::Low => count(AaCause::Low, tables.air.aa_vs_low),
            Altitude::Medium => {}
            Altitude::High => count(AaCause::High, tables.air.aa_vs_high + aa.row.vs_high.unwrap_or(0)),
        }
        let mut modifier = |modifier: GpModifier, applies: bool| {
            if applies && let Some(value) = tables.gp_modifier(modifier, Fire::Direct) {
                count(AaCause::Modifier(modifier), value);
            }
        };
        modifier(GpModifier::ShooterDamaged, u.is(Flags::TURRET));
        modifier(GpModifier::ShooterSuppressed, u.suppressed());
        modifier(GpModifier::ShooterHesitating, u.is(Flags::HESITATES)); // 7.1.5.1
        modifier(GpModifier::ShooterBroken, u.is(Flags::BROKEN)); // 7.1.5.2
        modifier(GpModifier::AmmoLimit, limited);
        count(AaCause::Grade, tables.gp_grade(game.pieces[unit.index()].grade, factor));
    }

    /// 6.7.4.2: AA fire at an aircraft over a hex.
    pub fn aa_aim(
        &self,
        s: &State,
        unit: UnitId,
        craft: &Craft,
        flight: &Flight,
        limited: bool,
    ) -> Option<AaAim> {
        let aa = self.piece(unit)?.aa.as_ref()?;
        let range = self.field.range(s.unit(unit).hex, flight.hex);
        let (factor, gpf) = aa.row.row.at(range.max(1))?;
        let gpd = self.craft_card(craft)?.gpd.value; // 6.5.4.2.4
        let mut net = 0;
        self.aa_modifiers(s, unit, flight.altitude, flight.speed, factor, limited, |_, value| {
            net += i16::from(value);
        });
        let (n, suppressed) = self.advanced.as_deref()?.tables().gp_cell(gpf, gpd);
        Some(AaAim { range, factor, gpf, gpd, net, n, s: suppressed })
    }
}

/// 6.7.4.1.1: the aircraft has entered a hex; at the map edge every unit that sees it tracks it at once.
pub(super) fn track(play: &mut Play, at_edge: bool) {
    let Some(side) = play.rules.air_side() else { return };
    for unit in play.rules.units_of(side.enemy()) {
        if play.rules.piece(*unit).is_none_or(|piece| piece.aa.is_none()) {
            continue;
        }
        let sees = play.rules.aa_looks(play.s, *unit, &play.s.air.flight);
        let tracked = &mut play.s.air.flight.tracked;
        let at = match tracked.iter().position(|(who, _)| who == unit) {
            Some(at) => at,
            None => {
                tracked.push((*unit, 0));
                tracked.len() - 1
            }
        };
        tracked[at].1 = match (sees, at_edge) {
            (false, _) => 0,
            (true, true) => u8::MAX,
            (true, false) => tracked[at].1.saturating_add(1),
        };
    }
}

/// One AA shot: ammunition, the roll, and the effect on the aircraft (6.7.4.2.1).
pub(super) fn fire(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let n = usize::from(play.s.air.flight.craft);
    let (Some(craft), Some(game)) = (play.s.air.craft.get(n).copied(), play.rules.advanced.as_deref()) else {
        return Ok(());
    };
    if craft.gone || !play.s.air.flight.active {
        return Ok(());
    }
    let side = play.rules.vehicle(unit).side;
    play.reveal(unit);
    play.s.unit_mut(unit).set(Flags::FIRED);
    play.s.air.fired.insert(unit);
    play.s.air.flight.bound = 0; // its owner decides again
    // 6.2.1.1.4: the Overwatch of those who share it is spent with it.
    let group = play.rules.group_of(play.s, unit);
    for other in play.rules.units_of(side) {
        if group > 0 && play.rules.group_of(play.s, *other) == group {
            play.s.unit_mut(*other).set(Flags::FIRED);
        }
    }
    let Some(aa) = play.rules.piece(unit).and_then(|piece| piece.aa) else { return Ok(()) };
    let mut limited = false;
    let limit = play.rules.arm(unit, aa.gun).and_then(|arm| arm.ammo.basic);
    if let Some(limit) = limit.filter(|_| game.uses(Module::AmmoLimits) && !play.rules.supplied(play.s, unit))
    {
        let roll = play.roll_ten(side, "roll.ammo", "5.16.2")?;
        limited = roll > limit;
        play.tell(Event::AmmoLimit { source: Source::Unit { unit, gun: aa.gun }, roll, limit, limited });
    }
    let quiet = play.s.unit(unit).spot != Spot::Fire && aa.small_arms;
    play.place_spot(unit, if quiet { Spot::FireSmallArms } else { Spot::Fire });
    let aim = play.rules.aa_aim(play.s, unit, &craft, &play.s.air.flight, limited);
    let Some(aim) = aim else { return Ok(()) };
    let roll = play.roll(side, "roll.aa", "6.7.4.2")?;
    let total = i16::from(roll) + aim.net;
    let result = outcome((aim.n, aim.s), total);
    play.tell(Event::AaFire {
        unit,
        craft: n as u8,
        gpf: aim.gpf,
        gpd: aim.gpd,
        net: aim.net,
        roll,
        outcome: result,
    });
    let tables = game.tables();
    let digit = (total.unsigned_abs() % 10) as u8;
    match result {
        Outcome::NoEffect => {}
        Outcome::Suppressed => {
            let flags = &mut play.s.air.craft[n].flags;
            flags.0 &= !Flags::SUPPRESSED_OFF.0;
            flags.0 |= Flags::SUPPRESSED_ON.0;
        }
        Outcome::Effective if digit == tables.gp.damage_digit || digit == tables.gp.track_digit => {
            let hurt = &mut play.s.air.craft[n];
            hurt.damaged += 1;
            let lost = hurt.damaged >= tables.air.damage_to_eliminate;
            play.s.air.flight.speed = Speed::Slow;
            play.tell(Event::CraftDamaged { craft: n as u8 });
            if lost {
                crash(play, n as u8, side)?;
            }
        }
        Outcome::Effective => crash(play, n as u8, side)?,
    }
    Ok(())
}

/// 6.7.4.2.1: a shot-down aircraft flies on for some hexes and crashes on whatever is there.
fn crash(play: &mut Play, craft: u8, side: crate::pack::Side) -> Result<(), Stop> {
    play.s.air.craft[usize::from(craft)].gone = true;
    let die = play.roll_ten(side, "roll.crash", "6.7.4.2.1")?;
    let flight = &mut play.s.air.flight;
    flight.active = false;
    let hexes = if flight.altitude == Altitude::Low { die / 2 } else { die };
    let (mut hex, facing) = (flight.hex, flight.facing);
    let mut on_map = true;
    for _ in 0..hexes {
        match play.rules.field.neighbour(hex, facing) {
            Some(next) => hex = next,
            None => on_map = false,
        }
    }
    play.tell(Event::ShotDown { craft, hexes });
    if on_map {
        let hexes: SmallVec<[hexgrid::HexId; 4]> = SmallVec::from_slice(&[hex]);
        crate::hidden::shelled(play, &hexes); // 7.2
        let queue = attack::queue(play.s, play.rules, &hexes);
        play.s.air.strike =
            Strike { crash: Some(side), hexes, queue, target: UnitId::NONE, ..Strike::default() };
        play.tell(Event::Crashed { craft, hex });
        play.then(&[Frame::AirNext]);
    }
    Ok(())
}
