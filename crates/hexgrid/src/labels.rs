//! The numbers printed in hexes, and the hexes they refer to.
//!
//! Every scheme here consists of two counts and a parity. Hexes form straight *lines* (columns of a flat-topped grid,
//! rows of a pointy-topped one); a label names the line, then the *place* in it. Every other line is offset by half a
//! hex; only such a line can have a place 0, the half hex before its first whole one. A map of several sheets gives
//! each a prefix and a position. A scheme is plain data, so a map pack can describe its own.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::{Compass, Hex, Hexside, Orientation};

/// A label scheme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawLabels")]
pub struct Labels {
    orientation: Orientation,
    lines_grow: Compass,
    places_grow: Compass,
    raised: Parity,
    line: Figures,
    place: Figures,
    sheets: Vec<Sheet>,
}

/// Which lines are offset by half a hex towards higher places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parity {
    Odd,
    Even,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figures {
    /// Always two digits: `07`.
    TwoDigits,
    /// As many digits as it takes: `7`. Only for the place, which comes last.
    Plain,
    /// A to Z for 1 to 26, then AA, BB … for 27, 28 …
    Letters,
}

/// One sheet of a map: the prefix of its labels, their range, and its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Printed before the numbers: `E`, `39`; may be empty.
    pub prefix: String,
    /// Other prefixes accepted when parsing, such as none at all.
    #[serde(default)]
    pub also: Vec<String>,
    /// First and last line.
    pub lines: (u16, u16),
    /// First and last place in a line.
    pub places: (u16, u16),
    /// The hex on which the sheet's line 0, place 0 falls (which need not exist).
    #[serde(default)]
    pub origin: Hex,
    /// Is the sheet upside down?
    #[serde(default)]
    pub turned: bool,
}

/// A scheme as read, before it is validated.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLabels {
    orientation: Orientation,
    lines_grow: Compass,
    places_grow: Compass,
    raised: Parity,
    line: Figures,
    place: Figures,
    sheets: Vec<Sheet>,
}

impl TryFrom<RawLabels> for Labels {
    type Error = SchemeError;

    fn try_from(raw: RawLabels) -> Result<Self, SchemeError> {
        Labels::new(
            raw.orientation,
            (raw.lines_grow, raw.line),
            (raw.places_grow, raw.place),
            raw.raised,
            raw.sheets,
        )
    }
}

/// Why a description is not a valid label scheme.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemeError {
    #[error("lines_grow = \"{0}\": lines of a {1} grid grow {2}")]
    LinesGrow(Compass, &'static str, &'static str),
    #[error("places_grow = \"{0}\": places of a {1} grid grow {2}")]
    PlacesGrow(Compass, &'static str, &'static str),
    #[error(
        "line = \"plain\": expected \"two-digits\" or \"letters\", or the end of the line number could not be found"
    )]
    PlainLine,
    #[error("place = \"letters\": expected \"two-digits\" or \"plain\"")]
    LetteredPlace,
    #[error("sheet '{prefix}': {field} = [{first}, {last}]: expected first <= last <= {limit}")]
    Extent { prefix: String, field: &'static str, first: u16, last: u16, limit: u16 },
    #[error("a label scheme needs at least one sheet")]
    NoSheet,
}

/// Why a text is not the label of a hex.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    #[error("'{label}' is no hex: expected {expected}")]
    Unknown { label: String, expected: String },
    #[error("hex {label} is not on this map")]
    NotOnMap { label: String },
    #[error(
        "'{label}' is no hexside: expected two neighbouring hexes with a stroke between, such as {example}"
    )]
    NoSide { label: String, example: String },
    #[error("'{label}' is no hexside: the hexes do not touch")]
    NotAdjacent { label: String },
}

/// The highest line or place a scheme may count to: far inside the range of [`Hex`].
const LIMIT: u16 = 999;

impl Labels {
    /// A scheme from its parts; `lines` and `places` say in which direction the numbers grow and how they are written.
    pub fn new(
        orientation: Orientation,
        (lines_grow, line): (Compass, Figures),
        (places_grow, place): (Compass, Figures),
        raised: Parity,
        sheets: Vec<Sheet>,
    ) -> Result<Labels, SchemeError> {
        let east_west = matches!(lines_grow, Compass::E | Compass::W);
        let north_south = matches!(lines_grow, Compass::N | Compass::S);
        let across = matches!(places_grow, Compass::E | Compass::W);
        let down = matches!(places_grow, Compass::N | Compass::S);
        match orientation {
            Orientation::Flat if !east_west => {
                return Err(SchemeError::LinesGrow(lines_grow, "flat-topped", "e or w"));
            }
            Orientation::Flat if !down => {
                return Err(SchemeError::PlacesGrow(places_grow, "flat-topped", "n or s"));
            }
            Orientation::Pointy if !north_south => {
                return Err(SchemeError::LinesGrow(lines_grow, "pointy-topped", "n or s"));
            }
            Orientation::Pointy if !across => {
                return Err(SchemeError::PlacesGrow(places_grow, "pointy-topped", "e or w"));
            }
            _ => {}
        }
        if line == Figures::Plain {
            return Err(SchemeError::PlainLine);
        }
        if place == Figures::Letters {
            return Err(SchemeError::LetteredPlace);
        }
        if sheets.is_empty() {
            return Err(SchemeError::NoSheet);
        }
        for sheet in &sheets {
            let limit = |figures| if figures == Figures::TwoDigits { 99 } else { LIMIT };
            for (field, (first, last), limit) in
                [("lines", sheet.lines, limit(line)), ("places", sheet.places, limit(place))]
            {
                if first > last || last > limit {
                    let prefix = sheet.prefix.clone();
                    return Err(SchemeError::Extent { prefix, field, first, last, limit });
                }
            }
        }
        Ok(Labels { orientation, lines_grow, places_grow, raised, line, place, sheets })
    }

    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// The same numbering with other sheets, as for boards joined anew in each scenario.
    pub fn with_sheets(self, sheets: Vec<Sheet>) -> Result<Labels, SchemeError> {
        let lines = (self.lines_grow, self.line);
        Labels::new(self.orientation, lines, (self.places_grow, self.place), self.raised, sheets)
    }

    /// The same scheme with the first sheet's labels written without their prefix.
    pub fn bare(mut self) -> Labels {
        let sheet = &mut self.sheets[0]; // `new` refuses a scheme without sheets
        if !sheet.prefix.is_empty() {
            sheet.also.retain(|prefix| !prefix.is_empty());
            sheet.also.insert(0, std::mem::take(&mut sheet.prefix));
        }
        self
    }

    /// The hex that a label names, whether or not a map has it.
    pub fn parse(&self, label: &str) -> Result<Hex, LabelError> {
        let trimmed = label.trim();
        self.sheets
            .iter()
            .find_map(|sheet| self.parse_on(sheet, trimmed))
            .ok_or_else(|| LabelError::Unknown { label: shortened(label), expected: self.expected() })
    }

    /// The label printed in a hex; `None` if no sheet covers it. Of overlapping sheets the first counts.
    pub fn label(&self, hex: Hex) -> Option<String> {
        let (sheet, line, place) = self.numbers(hex)?;
        Some(self.write(sheet, line, place))
    }

    /// The sheet that a hex's label belongs to, with its line and place.
    pub fn numbers(&self, hex: Hex) -> Option<(&Sheet, u16, u16)> {
        self.sheets.iter().find_map(|sheet| {
            let local = hex - sheet.origin;
            let (line, place) = self.line_and_place(if sheet.turned { -local } else { local });
            let within = |n: i32, (first, last): (u16, u16)| {
                u16::try_from(n).ok().filter(|n| (first..=last).contains(n))
            };
            let (line, place) = (within(line, sheet.lines)?, within(place, sheet.places)?);
            self.stands(line, place).then_some((sheet, line, place))
        })
    }

    /// Does a line have this place? Place 0 is a half hex at the sheet's edge, which only offset lines have.
    fn stands(&self, line: u16, place: u16) -> bool {
        place > 0 || (line % 2 == 1) == (self.raised == Parity::Odd)
    }

    /// The hex at a line and place counted on a sheet, which may be beyond its edge.
    pub fn hex_on(&self, sheet: &Sheet, line: i16, place: i16) -> Hex {
        let local = self.axial(i32::from(line), i32::from(place));
        sheet.origin + if sheet.turned { -local } else { local }
    }

    /// Every hex of every sheet, in the order of their labels; none twice.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + '_ {
        self.sheets.iter().flat_map(move |sheet| {
            let places = sheet.places.0..=sheet.places.1;
            (sheet.lines.0..=sheet.lines.1)
                .flat_map(move |line| places.clone().map(move |place| (line, place)))
                .map(move |(line, place)| self.hex_on(sheet, line as i16, place as i16))
                // A hex covered by an earlier sheet has been listed already.
                .filter(move |&hex| self.numbers(hex).is_some_and(|(first, ..)| std::ptr::eq(first, sheet)))
        })
    }

    /// The hexside named by its two hexes: `1212/1213`.
    pub fn parse_side(&self, label: &str) -> Result<Hexside, LabelError> {
        let Some((a, b)) = label.split_once('/') else {
            let sheet = &self.sheets[0]; // `new` refuses a scheme without sheets
            let line = sheet.lines.0;
            let near = self.write(sheet, line, sheet.places.0);
            let far = self.write(sheet, line, sheet.places.0 + 1);
            let example = format!("{near}/{far}");
            return Err(LabelError::NoSide { label: shortened(label), example });
        };
        Hexside::between(self.parse(a)?, self.parse(b)?)
            .ok_or_else(|| LabelError::NotAdjacent { label: shortened(label) })
    }

    /// The two hexes of a side separated by a slash; `None` unless both have a label.
    pub fn side_label(&self, side: Hexside) -> Option<String> {
        let [a, b] = side.hexes();
        let (a, b) = (self.label(a)?, self.label(b)?);
        Some(if a <= b { format!("{a}/{b}") } else { format!("{b}/{a}") })
    }

    /// Line and place to axial coordinates of the sheet.
    fn axial(&self, line: i32, place: i32) -> Hex {
        let across = line * sign(self.lines_grow);
        let halves = (2 * place + self.raise(line)) * sign(self.places_grow);
        // Along a line two half hexes make one step, and each line is already offset by half a hex.
        let along = (halves - across) / 2;
        match self.orientation {
            Orientation::Flat => Hex::new(across as i16, along as i16),
            Orientation::Pointy => Hex::new(along as i16, across as i16),
        }
    }

    fn line_and_place(&self, hex: Hex) -> (i32, i32) {
        let (across, along) = match self.orientation {
            Orientation::Flat => (i32::from(hex.q), i32::from(hex.r)),
            Orientation::Pointy => (i32::from(hex.r), i32::from(hex.q)),
        };
        let line = across * sign(self.lines_grow);
        let halves = (2 * along + across) * sign(self.places_grow);
        (line, (halves - self.raise(line)) / 2)
    }

    /// Offset of a line towards higher places in half hexes, relative to even lines.
    fn raise(&self, line: i32) -> i32 {
        match (line % 2 != 0, self.raised) {
            (false, _) => 0,
            (true, Parity::Odd) => 1,
            (true, Parity::Even) => -1,
        }
    }

    fn parse_on(&self, sheet: &Sheet, label: &str) -> Option<Hex> {
        let prefixes = std::iter::once(&sheet.prefix).chain(&sheet.also);
        prefixes.filter_map(|prefix| strip_prefix(label, prefix)).find_map(|numbers| {
            let split = match self.line {
                Figures::Letters => numbers.find(|c: char| !c.is_ascii_alphabetic())?,
                Figures::TwoDigits | Figures::Plain => 2,
            };
            let line = parse_number(self.line, numbers.get(..split)?)?;
            let place = parse_number(self.place, numbers.get(split..)?)?;
            let on_sheet = (sheet.lines.0..=sheet.lines.1).contains(&line)
                && (sheet.places.0..=sheet.places.1).contains(&place)
                && self.stands(line, place);
            on_sheet.then(|| self.hex_on(sheet, line as i16, place as i16))
        })
    }

    fn write(&self, sheet: &Sheet, line: u16, place: u16) -> String {
        let mut text = sheet.prefix.clone();
        for (figures, number) in [(self.line, line), (self.place, place)] {
            // Writing to a String cannot fail.
            let _ = match figures {
                Figures::TwoDigits => write!(text, "{number:02}"),
                Figures::Plain => write!(text, "{number}"),
                Figures::Letters => write!(text, "{}", letters(number)),
            };
        }
        text
    }

    /// `E0101 to E3941, or W0101 to W3241`.
    fn expected(&self) -> String {
        let ranges: Vec<String> = self
            .sheets
            .iter()
            .map(|sheet| {
                let first = self.write(sheet, sheet.lines.0, sheet.places.0);
                let last = self.write(sheet, sheet.lines.1, sheet.places.1);
                format!("{first} to {last}")
            })
            .collect();
        ranges.join(", or ")
    }
}

/// Axial coordinates grow east and south.
fn sign(grows: Compass) -> i32 {
    if matches!(grows, Compass::N | Compass::W) { -1 } else { 1 }
}

fn strip_prefix<'a>(label: &'a str, prefix: &str) -> Option<&'a str> {
    let head = label.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &label[prefix.len()..])
}

fn parse_number(figures: Figures, text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match figures {
        Figures::TwoDigits if digits && text.len() == 2 => text.parse().ok(),
        // A leading zero would give one hex two labels.
        Figures::Plain if digits && (text.len() == 1 || !text.starts_with('0')) => text.parse().ok(),
        Figures::Letters => parse_letters(text),
        _ => None,
    }
}

fn parse_letters(text: &str) -> Option<u16> {
    let first = text.bytes().next()?.to_ascii_uppercase();
    let same = text.bytes().all(|b| b.to_ascii_uppercase() == first);
    let rounds = u16::try_from(text.len() - 1).ok().filter(|&r| r <= LIMIT / 26)?;
    (first.is_ascii_uppercase() && same).then(|| rounds * 26 + u16::from(first - b'A') + 1)
}

/// 0 has no letter and is written as nothing.
fn letters(number: u16) -> String {
    let Some(index) = number.checked_sub(1) else { return String::new() };
    let letter = char::from(b'A' + (index % 26) as u8);
    std::iter::repeat_n(letter, usize::from(index / 26) + 1).collect()
}

/// Error messages quote what was read, but not a whole file.
fn shortened(label: &str) -> String {
    if label.chars().count() <= 40 {
        return label.to_owned();
    }
    label.chars().take(40).chain(['…']).collect()
}

/// The numbering printed on the maps of known games.
impl Labels {
    /// Plain CCRR (rows first on a pointy-topped grid), counted from the north-west corner, odd lines offset.
    pub fn ccrr(orientation: Orientation, lines: u16, places: u16) -> Result<Labels, SchemeError> {
        let (lines_grow, places_grow) = match orientation {
            Orientation::Flat => (Compass::E, Compass::S),
            Orientation::Pointy => (Compass::S, Compass::E),
        };
        let sheet = Sheet {
            prefix: String::new(),
            also: Vec::new(),
            lines: (1, lines),
            places: (1, places),
            origin: Hex::ORIGIN,
            turned: false,
        };
        Labels::new(
            orientation,
            (lines_grow, Figures::TwoDigits),
            (places_grow, Figures::TwoDigits),
            Parity::Odd,
            vec![sheet],
        )
    }

    /// Ardennes '44, second edition: `E2119`, `W0812`; `2119` is on the East map. Columns count from
    /// the east, rows from the south; the West map continues the East map's rows, its column 1 being the East's 33.
    pub fn ardennes() -> Labels {
        Self::ardennes_edition(32, 0)
    }

    /// The first edition, whose West map was numbered differently.
    pub fn ardennes_first_edition() -> Labels {
        Self::ardennes_edition(28, 6)
    }

    fn ardennes_edition(west_columns: i16, west_rows: i16) -> Labels {
        let east = Sheet {
            prefix: "E".into(),
            also: vec![String::new()],
            lines: (1, 39),
            places: (1, 41),
            origin: Hex::ORIGIN,
            turned: false,
        };
        let mut labels = Labels {
            orientation: Orientation::Flat,
            lines_grow: Compass::W,
            places_grow: Compass::N,
            raised: Parity::Odd,
            line: Figures::TwoDigits,
            place: Figures::TwoDigits,
            sheets: vec![east],
        };
        let first = |least: u16, shift: i16| (i32::from(least) - i32::from(shift)).max(1) as u16;
        labels.sheets.push(Sheet {
            prefix: "W".into(),
            also: Vec::new(),
            lines: (1, (64 - west_columns) as u16),
            places: (first(1, west_rows), (41 - west_rows) as u16),
            origin: labels.hex_on(&labels.sheets[0], west_columns, west_rows),
            turned: false,
        });
        labels
    }

    /// Air & Armor: Würzburg: `3214`. Rows count from the north, places in them from the east.
    pub fn wurzburg() -> Labels {
        let sheet = Sheet {
            prefix: String::new(),
            also: Vec::new(),
            lines: (1, 99),
            places: (1, 99),
            origin: Hex::ORIGIN,
            turned: false,
        };
        Labels {
            orientation: Orientation::Pointy,
            lines_grow: Compass::S,
            places_grow: Compass::W,
            raised: Parity::Odd,
            line: Figures::TwoDigits,
            place: Figures::TwoDigits,
            sheets: vec![sheet],
        }
    }

    /// Panzer: `39T7` is board 39, column T, row 7; half hexes of row 0 are in odd columns. The boards that a scenario
    /// joins are its sheets.
    pub fn panzer(boards: Vec<Sheet>) -> Result<Labels, SchemeError> {
        Labels::new(
            Orientation::Flat,
            (Compass::E, Figures::Letters),
            (Compass::S, Figures::Plain),
            Parity::Odd,
            boards,
        )
    }
}
