//! Forces bought by points, and meeting engagements generated from a number.
//!
//! The id of such a scenario defines it completely, so that a stored game can be loaded again: `meeting`,
//! `meeting-1942`, `meeting-1942-300`, `meeting-1942-300-7` (year, points of each side, number), and with nations
//! `meeting-italian-british-1941-200-12`. `meeting-advanced-1942-400-7` is for the Advanced Game, with combined arms.

use hexgrid::Direction;

use super::boards::{COLUMNS, ROWS};
use super::combined::Bought;
use super::scenarios::letters;
use super::{
    BoardPlace, Capture, Card, Kind, Nation, Objective, Pack, PackError, Scenario, Side, Start, UnitDef,
    Victory,
};

/// What a side may spend, and on what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    pub nation: Nation,
    pub year: u16,
    pub points: u16,
}

/// Why a force cannot be bought.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForceError {
    #[error("there is no card `{0}`")]
    NoCard(String),
    #[error("{card} is {has}, the force is {wanted}")]
    Nation { card: String, has: &'static str, wanted: &'static str },
    #[error("{card} served in {}–{}, not in {year}", years[0], years[1])]
    Year { card: String, years: [u16; 2], year: u16 },
    #[error("the force costs {cost} points of {points}")]
    TooDear { cost: u32, points: u16 },
    #[error("no vehicle of that nation can be had for {points} points in {year}")]
    Nothing { points: u16, year: u16 },
}

impl Nation {
    /// The nations of the Basic Game.
    pub const ALL: [Nation; 4] = [Nation::German, Nation::Italian, Nation::British, Nation::American];

    pub const fn key(self) -> &'static str {
        match self {
            Nation::German => "german",
            Nation::Italian => "italian",
            Nation::British => "british",
            Nation::American => "american",
            Nation::French => "french",
        }
    }
}

impl Budget {
    /// The cost of these vehicles, if this budget allows them.
    pub fn cost(&self, pack: &Pack, bought: &[(String, u8)]) -> Result<u16, ForceError> {
        let mut cost = 0;
        for (id, count) in bought {
            let card = pack.card(id).ok_or_else(|| ForceError::NoCard(id.clone()))?;
            if card.nation != self.nation {
                let (has, wanted) = (card.nation.key(), self.nation.key());
                return Err(ForceError::Nation { card: card.name.clone(), has, wanted });
            }
            if !self.in_service(card) {
                let (card, years) = (card.name.clone(), card.years);
                return Err(ForceError::Year { card, years, year: self.year });
            }
            cost += u32::from(card.points) * u32::from(*count);
        }
        u16::try_from(cost)
            .ok()
            .filter(|cost| *cost <= self.points)
            .ok_or(ForceError::TooDear { cost, points: self.points })
    }

    fn in_service(&self, card: &Card) -> bool {
        (card.years[0]..=card.years[1]).contains(&self.year)
    }

    /// Platoons of fighting vehicles, drawn at random until no further vehicle can be afforded.
    pub fn draw(&self, pack: &Pack, random: &mut Draw) -> Result<Vec<(String, u8)>, ForceError> {
        let fights = |card: &&Card| {
            card.nation == self.nation
                && self.in_service(card)
                && card.mounts.iter().any(|m| m.ap.is_some())
                && !matches!(card.kind, Kind::SelfPropelledGun)
        };
        let mut choice: Vec<&Card> = pack.cards.iter().filter(fights).collect();
        let mut left = self.points;
        let mut bought: Vec<(String, u8)> = Vec::new();
        loop {
            choice.retain(|card| card.points <= left);
            if choice.is_empty() {
                break;
            }
            // A meeting engagement is about tanks: three draws in four are from tanks only.
            let tanks: Vec<&Card> = choice.iter().copied().filter(|c| c.kind == Kind::Tank).collect();
            let card = if !tanks.is_empty() && random.below(4) > 0 {
                tanks[random.below(tanks.len())]
            } else {
                choice[random.below(choice.len())]
            };
            let platoon = if card.kind == Kind::Tank { 3 + random.below(3) } else { 2 + random.below(2) };
            let count = (platoon as u16).min(left / card.points.max(1)) as u8;
            left -= u16::from(count) * card.points;
            match bought.iter_mut().find(|(id, _)| *id == card.id) {
                Some((_, n)) => *n += count,
                None => bought.push((card.id.clone(), count)),
            }
            // A force has at most four kinds, as a company would.
            if bought.len() >= 4 {
                choice.retain(|card| bought.iter().any(|(id, _)| *id == card.id));
            }
        }
        if bought.is_empty() {
            return Err(ForceError::Nothing { points: self.points, year: self.year });
        }
        Ok(bought)
    }
}

/// A small random generator: the same number gives the same battle on every machine.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    /// 0 to `n - 1`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 32) as usize * n.max(1)) >> 32
    }
}

/// A meeting engagement as defined by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Of the Advanced Game, with combined arms.
    pub advanced: bool,
    /// Axis, Allied; `None` is drawn.
    pub nations: [Option<Nation>; 2],
    pub year: Option<u16>,
    pub points: u16,
    pub number: u64,
}

/// The first word of the id of a meeting engagement.
pub const MEETING: &str = "meeting";
const YEARS: [u16; 2] = [1940, 1943];
const POINTS: [u16; 2] = [60, 1200];
const USUAL_POINTS: u16 = 250;
const USUAL_ADVANCED: u16 = 400;

impl std::str::FromStr for Meeting {
    type Err = String;

    fn from_str(id: &str) -> Result<Meeting, String> {
        let mut parts = id.split('-').peekable();
        if parts.next() != Some(MEETING) {
            return Err(format!("`{id}` is no meeting engagement"));
        }
        let mut meeting =
            Meeting { advanced: false, nations: [None; 2], year: None, points: USUAL_POINTS, number: 1 };
        if parts.peek() == Some(&"advanced") {
            parts.next();
            (meeting.advanced, meeting.points) = (true, USUAL_ADVANCED);
        }
        while let Some(nation) = parts.peek().and_then(|p| Nation::ALL.into_iter().find(|n| n.key() == *p)) {
            parts.next();
            let slot = &mut meeting.nations[nation.side().index()];
            if slot.replace(nation).is_some() {
                return Err(format!("`{id}`: two nations of one side"));
            }
        }
        let number = |what: &str, text: &str, [least, most]: [u64; 2]| {
            let n = text.parse::<u64>().ok().filter(|n| (least..=most).contains(n));
            n.ok_or_else(|| format!("`{id}`: {what} `{text}`: expected {least} to {most}"))
        };
        if let Some(year) = parts.next() {
            meeting.year = Some(number("year", year, YEARS.map(u64::from))? as u16);
        }
        if let Some(points) = parts.next() {
            meeting.points = number("points", points, POINTS.map(u64::from))? as u16;
        }
        if let Some(n) = parts.next() {
            meeting.number = number("number", n, [0, u64::from(u32::MAX)])?;
        }
        match parts.next() {
            None => Ok(meeting),
            Some(more) => Err(format!("`{id}`: `{more}`: expected meeting-NATION-NATION-YEAR-POINTS-NUMBER")),
        }
    }
}

impl Pack {
    /// A shipped scenario, or the meeting engagement that an id describes.
    pub fn scenario_for(&self, id: &str) -> Result<Scenario, PackError> {
        if let Some(scenario) = self.scenario(id).or_else(|| self.advanced.scenario(id)) {
            return Ok(scenario.clone());
        }
        if id == MEETING || id.starts_with("meeting-") {
            let error = |why: String| PackError::at(format!("scenario {id}"), why);
            let meeting: Meeting = id.parse().map_err(error)?;
            return meeting.scenario(self, id).map_err(|e| error(e.to_string()));
        }
        let known: Vec<&str> =
            self.scenarios.iter().chain(&self.advanced.scenarios).map(|s| s.id.as_str()).collect();
        let why = format!("there is no such scenario: there is {}, {MEETING}", known.join(", "));
        Err(PackError::at(format!("scenario {id}"), why))
    }
}

impl Meeting {
    /// Two boards side by side, a force on each far edge, the named places between them as objectives.
    fn scenario(&self, pack: &Pack, id: &str) -> Result<Scenario, ForceError> {
        let mut random = Draw::new(self.number);
        let year = self.year.unwrap_or(YEARS[0] + 1 + random.below(2) as u16);
        let draw_nation = |side: Side, random: &mut Draw| match (side, year) {
            (Side::Axis, 1940) => Nation::Italian,
            (Side::Allied, 1943) if random.below(2) == 0 => Nation::American,
            (Side::Allied, _) => Nation::British,
            (Side::Axis, _) if random.below(3) == 0 => Nation::Italian,
            (Side::Axis, _) => Nation::German,
        };
        let mut units = Vec::new();
        let mut budgets = Vec::new();
        let places = self.boards(pack, &mut random);
        let width = places.iter().map(|p| p.at[0]).max().unwrap_or(0);
        for side in Side::ALL {
            let nation = self.nations[side.index()].unwrap_or_else(|| draw_nation(side, &mut random));
            let budget = Budget { nation, year, points: self.points };
            let bought = if self.advanced {
                budget.draw_combined(pack, &mut random)?
            } else {
                platoons(&budget.draw(pack, &mut random)?)
            };
            budgets.push(budget);
            let column = if side == Side::Axis { 0 } else { width };
            let Some(place) = places.iter().find(|p| p.at[0] == column) else { continue };
            let mut hexes = starts(pack, *place, side);
            let facing = if side == Side::Axis { Direction::D2 } else { Direction::D5 };
            let letter = if side == Side::Axis { 'A' } else { 'B' };
            for (number, one) in (1..).zip(bought) {
                let Some(hex) = hexes.next() else { break };
                let formation = if self.advanced {
                    super::combined::formation_id(side, &one.formation)
                } else {
                    one.formation
                };
                units.push(UnitDef {
                    id: format!("{letter}{number}"),
                    side,
                    card: one.card,
                    formation,
                    start: Start::At { hex, facing },
                    extras: one.extras,
                });
            }
        }
        let advanced = match (&budgets[..], self.advanced) {
            ([axis, allied], true) => Some(Box::new(super::combined::extras(pack, [axis, allied]))),
            _ => None,
        };
        let objectives = objectives(pack, &places);
        let worth = objectives.iter().map(|o| i32::from(o.points[0])).sum::<i32>().max(1);
        let most = worth + i32::from(self.points) / 3;
        let levels = vec![
            ("decisive".to_owned(), most),
            ("tactical".to_owned(), most / 2),
            ("marginal".to_owned(), 1),
        ];
        Ok(Scenario {
            id: id.to_owned(),
            date: if self.advanced { format!("{year}-06-01") } else { String::new() },
            boards: places,
            overlays: Vec::new(),
            special: super::Special::default(),
            desert_buildings: true,
            turns: 12,
            minutes: 60 + self.points / 4,
            units,
            zones: [Vec::new(), Vec::new()],
            sets_up_first: Side::default(),
            objectives,
            victory: Victory { levels: [levels.clone(), levels], ..Victory::default() },
            advanced,
        })
    }

    /// Two different boards, each either way up.
    fn boards(&self, pack: &Pack, random: &mut Draw) -> Vec<BoardPlace> {
        let mut numbers: Vec<u16> = pack.boards.iter().map(|(n, _)| *n).collect();
        let wanted = if self.points > 600 { 4 } else { 2 };
        let mut places = Vec::new();
        for i in 0..wanted.min(numbers.len()) {
            let number = numbers.swap_remove(random.below(numbers.len()));
            let at = [(i % 2) as u8, (i / 2) as u8];
            places.push(BoardPlace { number, at, turned: random.below(2) == 1 });
        }
        if places.len() == 3 {
            places.pop();
        }
        places
    }
}

/// Vehicles one by one, each kind a platoon.
fn platoons(bought: &[(String, u8)]) -> Vec<Bought> {
    let one = |(k, (card, count)): (usize, &(String, u8))| {
        let of = Bought {
            card: card.clone(),
            formation: (k + 1).to_string(),
            extras: super::UnitExtras::default(),
        };
        std::iter::repeat_n(of, usize::from(*count))
    };
    bought.iter().enumerate().flat_map(one).collect()
}

/// The starting hexes of a side's vehicles: column by column from its map edge, every other hex.
fn starts(pack: &Pack, place: BoardPlace, side: Side) -> impl Iterator<Item = String> + use<'_> {
    // On a turned board the outer column is its last one.
    let from_west = (side == Side::Axis) != place.turned;
    let columns = (0..COLUMNS / 2).map(move |rank| if from_west { 2 + rank } else { COLUMNS - 1 - rank });
    let open = move |label: &str| {
        let board = pack.board(place.number)?;
        let hex = board.hex(label).ok()?;
        let level = board.elevation(hex) == 0 && board.settlement(hex).is_none();
        let ground = &board.terrain_kind(board.ground(hex)).id;
        (level && matches!(ground.as_str(), "clear" | "brush" | "scrub" | "sand")).then_some(())
    };
    columns
        .flat_map(|column| (2..ROWS).filter(move |row| (row + column) % 2 == 0).map(move |row| (column, row)))
        .map(move |(column, row)| format!("{}{}{row}", place.number, letters(column)))
        .filter(move |label| open(label).is_some())
}

/// Every named place of the boards, worth ten points to the side that holds it.
fn objectives(pack: &Pack, places: &[BoardPlace]) -> Vec<Objective> {
    let mut objectives = Vec::new();
    for place in places {
        let Some(board) = pack.board(place.number) else { continue };
        for p in &board.places {
            objectives.push(Objective {
                id: format!("{}-{}", board.id, p.id),
                hexes: vec![board.label(p.hex).to_owned()],
                points: [10, 10],
                capture: Capture::WholeTurn,
                held_by: None,
            });
        }
    }
    objectives
}
