//! Mines (6.1.4.3.8, 7.31). The text of the chapter is lost: the figures are house rules
//! (`tables/advanced/optional.toml`).

use hexgrid::HexId;
use kernel::Stop;

use super::Work;
use crate::{
    event::Event,
    gp,
    pack::advanced::{BailResult, FeatureKind, Label, Laid, LegSize, Minefield, Outcome, lookup::outcome},
    piece::{Defense, UnitKind},
    play::Play,
    rules::Panzer,
    state::{Command, Flags, Place, State},
    units::UnitId,
};

impl Panzer {
    /// 6.1.4.3.8, 7.31: the minefield of a hex that still attacks; it is never used up.
    pub fn minefield(&self, s: &State, hex: HexId) -> Option<Work> {
        let live = |work: &&Work| work.kind == FeatureKind::Mines && work.cleared != Work::LANE;
        s.works.at(hex).find(live).copied().filter(|_| self.optional(31))
    }

    /// 7.31: GP factor of a minefield against a unit; `None` if it does not affect this kind of unit.
    pub fn mine_factor(&self, field: &Work, unit: UnitId) -> Option<u8> {
        let mines = &self.advanced.as_deref()?.tables().optional.mines;
        let (kind, laid) = field.mines?;
        let vehicle = self.is_vehicle(unit);
        Some(match (vehicle, kind, laid) {
            (true, Minefield::AntiPersonnel, _) | (false, Minefield::AntiVehicle, _) => return None,
            (true, _, Laid::Hasty) => mines.anti_vehicle_hasty,
            (true, _, Laid::Deliberate) => mines.anti_vehicle_deliberate,
            (false, _, Laid::Hasty) => mines.anti_personnel_hasty,
            (false, _, Laid::Deliberate) => mines.anti_personnel_deliberate,
        })
    }

    /// The GP defense against mines: a vehicle's own, a Leg or towed unit's in the open.
    pub fn mine_defense(&self, s: &State, unit: UnitId) -> u8 {
        let Some(piece) = self.piece(unit) else { return 1 };
        match (piece.gpd, &piece.half) {
            (Defense::Vehicle(gpd), _) => gpd.value,
            (Defense::Foot(_), Some(half)) if s.unit(unit).is(Flags::REDUCED) => half.gpd.by_cover[0],
            (Defense::Foot(gpd), _) => gpd.by_cover[0],
        }
    }
}

/// 7.31: a unit enters the hex or leaves it; once per phase. Returns true if the unit must stop: its move is over.
pub fn strike_mine(play: &mut Play, unit: UnitId, hex: HexId) -> Result<bool, Stop> {
    let stops = attack(play, unit, hex)?;
    if stops {
        play.s.walk.halted = true;
    }
    Ok(stops)
}

/// 7.31: the same for a unit that moves in another way: it dismounts or advances to an assault.
pub fn step_on(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    match play.s.unit(unit).hex.some() {
        Some(hex) => attack(play, unit, hex).map(|_| ()),
        None => Ok(()),
    }
}

fn attack(play: &mut Play, unit: UnitId, hex: HexId) -> Result<bool, Stop> {
    if !play.s.works.hexes.contains(hex) || play.s.works.mined.contains(unit) {
        return Ok(false);
    }
    let Some(field) = play.rules.minefield(play.s, hex) else { return Ok(false) };
    let Some(gpf) = play.rules.mine_factor(&field, unit) else { return Ok(false) };
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(false) };
    play.s.works.mined.insert(unit);
    uncover(play, hex);
    let gpd = play.rules.mine_defense(play.s, unit);
    let tables = game.tables();
    let roll = play.roll(field.side, "roll.mines", "7.31")?;
    let total = i16::from(roll);
    let result = outcome(tables.gp_cell(gpf, gpd), total);
    play.tell(Event::Mined { unit, hex, gpf, gpd, roll, outcome: result });
    if !play.rules.is_vehicle(unit) {
        gp::hurt_foot(play, unit, result, BailResult::SuppressedDirect)?;
        return Ok(result != Outcome::NoEffect);
    }
    if result == Outcome::Effective {
        match total.unsigned_abs() % 10 {
            digit if digit == u16::from(tables.gp.damage_digit) => gp::damage(play, unit, false),
            digit if digit == u16::from(tables.gp.track_digit) => gp::destroy(play, unit, Place::KnockedOut),
            _ => gp::track_hit(play, unit)?,
        }
    }
    for passenger in play.rules.passengers(play.s, unit) {
        let covered = game.pieces[unit.index()].covered_transport;
        let gpd = tables.passenger_defense(covered);
        let roll = play.roll(field.side, "roll.mines", "7.31")?;
        let result = outcome(tables.gp_cell(gpf, gpd), i16::from(roll));
        play.tell(Event::Mined { unit: passenger, hex, gpf, gpd, roll, outcome: result });
        gp::hurt_foot(play, passenger, result, BailResult::SuppressedDirect)?;
    }
    Ok(result == Outcome::Effective)
}

/// Both sides know of it now.
fn uncover(play: &mut Play, hex: HexId) {
    for work in play.s.works.list.iter_mut().filter(|work| work.hex == hex) {
        work.hidden = false;
    }
}

/// 7.31: engineer squads without a Command, in the hex or adjacent to it, clear a lane, and find hidden mines.
pub fn clear(play: &mut Play) {
    if !play.rules.optional(31) {
        return;
    }
    let Some(game) = play.rules.advanced.as_deref() else { return };
    let turns = game.tables().optional.mines.clearing_turns;
    for unit in play.s.ids() {
        let (u, piece) = (*play.s.unit(unit), &game.pieces[unit.index()]);
        let engineer = piece.engineer || piece.labels.contains(&Label::Engineer);
        if !u.on_map() || u.passenger() || !engineer {
            continue;
        }
        let side = play.rules.vehicle(unit).side;
        let near =
            |work: &Work| work.kind == FeatureKind::Mines && play.rules.field.range(work.hex, u.hex) <= 1;
        let found: smallvec::SmallVec<[HexId; 4]> = (play.s.works.list.iter())
            .filter(|work| near(work) && work.hidden && work.side != side)
            .map(|work| work.hex)
            .collect();
        for hex in found {
            uncover(play, hex);
            play.tell(Event::MinesFound { hex });
        }
        let squad = piece.kind == UnitKind::Leg(LegSize::Squad) && !u.is(Flags::REDUCED);
        if !squad || u.suppressed() || u.command != Command::NoCommand {
            continue;
        }
        let open = |work: &&mut Work| {
            work.kind == FeatureKind::Mines
                && work.cleared != Work::LANE
                && play.rules.field.range(work.hex, u.hex) <= 1
                && !(work.hidden && work.side != side)
        };
        // The most advanced one first.
        let Some(work) = play.s.works.list.iter_mut().filter(|work| open(work)).max_by_key(|w| w.cleared)
        else {
            continue;
        };
        work.cleared += 1;
        let (hex, done) = (work.hex, work.cleared >= turns);
        if done {
            work.cleared = Work::LANE;
        }
        play.s.unit_mut(unit).set(Flags::CLEARING);
        play.tell(Event::Cleared { unit, hex, done });
    }
}
