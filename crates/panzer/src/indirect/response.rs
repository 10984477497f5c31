//! The response of batteries and units to a call, and where their fire lands (6.5.1.1, 6.5.1.3, 6.5.1.12, 7.26).

use hexgrid::HexId;
use kernel::Stop;

use super::Source;
use crate::{
    event::Event,
    pack::{
        Side,
        advanced::{Label, Level, Response, ResponseModifier},
    },
    play::Play,
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
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
        source: Source,
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
        let known = matches!(source, Source::Battery(n) if self.registered(s, n, point));
        count(M::Preregistered, u8::from(known)); // 6.5.1.4
        count(M::Adjusted, u8::from(adjusted));
        count(M::ObserverSuppressed, u8::from(u.suppressed()));
        count(M::ObserverHesitating, u8::from(u.is(Flags::HESITATES)));
        count(M::ObserverBroken, u8::from(u.is(Flags::BROKEN)));
        count(M::ObserverDamaged, u8::from(u.is(Flags(Flags::TURRET.0 | Flags::HULL.0))));
        let mut occurrences = 0;
        // Dust is a kind of smoke (6.1.4.3.12); areas that do not hinder fire yet do not count here either.
        let ends = [self.end(s, observer), (point, self.field.height(point))];
        self.hindrances(s, ends[0], ends[1], |_, times| occurrences += times);
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
        self.response_modifiers(s, observer, source, point, adjusted, |_, value| modifier += value);
        Some(Answer { row, level, factor, modifier })
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
