//! What happened: events while a decision is applied, and the entries of the log that people read.

use serde::{Deserialize, Serialize};

use crate::{Dice, DiceError, Message, Rules, Seat, SeatSet, Viewer};

/// Collects a game's events while one decision is applied. Reused from decision to decision.
#[derive(Clone, Debug)]
pub struct Log<E> {
    events: Vec<Event<E>>,
    revealed: bool,
    /// Seats to which something hidden was shown in private.
    shown: SeatSet,
    disclosed: Vec<u32>,
}

#[derive(Clone, Debug)]
pub enum Event<E> {
    Game(E),
    Roll(Roll),
}

/// One die as it fell. Its effect (table, modifiers, result) is told by the game's own event that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Roll {
    /// Who rolled, as the rules see it.
    pub seat: Seat,
    pub sides: u8,
    pub value: u8,
    /// The sum of all die-roll modifiers, which the table look-up adds to `value`.
    pub modifier: i8,
    /// Message key of what the roll was for, such as `roll.fire_fight`.
    pub purpose: &'static str,
    pub rule: &'static str,
    /// Who may know that the die was rolled and what it shows.
    pub audience: Audience,
}

impl Roll {
    /// A die to [`Log::throw`], in the open.
    pub fn new(seat: Seat, sides: u8, modifier: i8, purpose: &'static str, rule: &'static str) -> Roll {
        Roll { seat, sides, value: 0, modifier, purpose, rule, audience: Audience::All }
    }

    /// Only these seats may know of it.
    #[must_use]
    pub fn only_for(self, seats: SeatSet) -> Roll {
        Roll { audience: Audience::Only(seats), ..self }
    }
}

impl<E> Default for Log<E> {
    fn default() -> Self {
        Log { events: Vec::new(), revealed: false, shown: SeatSet::default(), disclosed: Vec::new() }
    }
}

impl<E> Log<E> {
    pub fn push(&mut self, event: E) {
        self.events.push(Event::Game(event));
    }

    /// Roll a die and note it. `modifier` is the sum of the modifiers that will be added by the table look-up.
    pub fn roll(
        &mut self,
        dice: &mut Dice,
        seat: Seat,
        sides: u8,
        modifier: i8,
        purpose: &'static str,
        rule: &'static str,
    ) -> Result<u8, DiceError> {
        self.throw(dice, Roll::new(seat, sides, modifier, purpose, rule))
    }

    /// Rolls this die and notes it; its `value` is set here. If it has an audience ([`Roll::only_for`]), nobody else
    /// learns its log entry or its value until the game is over.
    pub fn throw(&mut self, dice: &mut Dice, roll: Roll) -> Result<u8, DiceError> {
        let value = dice.roll(roll.sides)?;
        self.events.push(Event::Roll(Roll { value, ..roll }));
        Ok(value)
    }

    /// From now on the last decision hidden by [`crate::Secrecy::UntilDisclosed`] with this number may be read.
    pub fn disclose(&mut self, number: u32) {
        self.disclosed.push(number);
        self.revealed = true;
    }

    pub fn disclosed(&self) -> &[u32] {
        &self.disclosed
    }

    /// Something hidden was shown: undo may not go back beyond this decision.
    pub fn reveal(&mut self) {
        self.revealed = true;
    }

    /// The same, but shown only to this seat.
    pub fn reveal_to(&mut self, seat: Seat) {
        self.shown = self.shown.with(seat);
    }

    pub fn revealed(&self) -> bool {
        self.revealed || !self.shown.is_empty()
    }

    /// Was something hidden shown that this viewer could see?
    pub fn revealed_to(&self, viewer: Viewer) -> bool {
        self.revealed || Audience::Only(self.shown).includes(viewer)
    }

    pub fn events(&self) -> &[Event<E>] {
        &self.events
    }

    pub fn clear(&mut self) {
        self.events.clear();
        self.revealed = false;
        self.shown = SeatSet::default();
        self.disclosed.clear();
    }
}

/// Who may read a log entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    #[default]
    All,
    /// Only these seats (and the referee).
    Only(SeatSet),
}

impl Audience {
    pub fn includes(self, viewer: Viewer) -> bool {
        match (self, viewer) {
            (Audience::All, _) | (_, Viewer::Referee) => true,
            (Audience::Only(seats), Viewer::Seat(seat)) => seats.contains(seat),
            (Audience::Only(_), Viewer::Spectator) => false,
        }
    }

    /// The intersection of both audiences.
    #[must_use]
    pub fn and(self, other: Audience) -> Audience {
        match (self, other) {
            (Audience::All, only) | (only, Audience::All) => only,
            (Audience::Only(a), Audience::Only(b)) => Audience::Only(a.and(b)),
        }
    }
}

/// The log entries of a decision's events. An entry about a roll reaches the roll's audience at most, whatever the game
/// says.
pub(crate) fn entries<R: Rules>(rules: &R, after: &R::State, events: &[Event<R::Event>]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for event in events {
        let from = entries.len();
        rules.report(after, event, &mut entries);
        if let Event::Roll(roll) = event {
            for entry in entries.iter_mut().skip(from) {
                entry.audience = entry.audience.and(roll.audience);
            }
        }
    }
    entries
}

/// One line of the battle report, ready for any client: words as a [`Message`], facts for animation as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Entry {
    #[serde(default)]
    pub audience: Audience,
    pub seat: Option<Seat>,
    #[serde(default)]
    pub topic: Topic,
    pub message: Message,
    /// Importance of the line: 0 a heading (turn, phase), 1 an action, 2 a detail (a die, a modifier).
    pub level: u8,
    /// Machine-readable facts: `{"kind":"move","unit":…,"path":[…]}`, `{"kind":"roll","sides":6,"value":4,…}`.
    /// [`Facts`] and whatever else lab files may expect of it.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Facts>"))]
    pub data: serde_json::Value,
}

impl Entry {
    /// The line of a die: a detail, for those who may know of it.
    pub fn roll(roll: &Roll, message: Message) -> Entry {
        Entry {
            audience: roll.audience,
            seat: Some(roll.seat),
            topic: Topic::Roll,
            message,
            level: 2,
            data: serde_json::json!({ "kind": "roll", "sides": roll.sides, "value": roll.value,
                "modifier": roll.modifier, "rule": roll.rule, "purpose": roll.purpose }),
        }
    }
}

/// What a line of the report is about, whatever the game calls it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// A turn begins.
    Turn,
    /// A phase or segment begins.
    Phase,
    Move,
    /// A unit comes onto the map, is placed on it, or leaves it.
    Arrival,
    Retreat,
    /// An advance after combat.
    Advance,
    /// An attack or fire is declared, supported or called off.
    Attack,
    /// The result of an attack or of fire.
    Combat,
    /// What combat did to a unit that keeps its strength: disrupted, suppressed, rallied.
    Effect,
    /// Strength is lost: steps, units, vehicles knocked out or damaged.
    Loss,
    /// Something is blown up: a bridge, a vehicle, a dump.
    Blast,
    /// Aircraft fly, or units land from the air.
    Flight,
    /// A die.
    Roll,
    /// Why a bot decided so.
    Reason,
    /// The game is over.
    Over,
    #[default]
    Other,
}

/// The kinds of facts that a client animates (`docs/PROTOCOL.md`, "The report").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    Roll,
    Move,
    Step,
    /// The end of a move.
    Moved,
    TurnTo,
    Attack,
    Support,
    Fire,
    Assault,
    CloseAssault,
    Combat,
    Result,
    Shot,
    Hit,
    Gp,
    #[serde(other)]
    Other,
}

/// The facts of a log entry that clients read. [`Entry::data`] may hold more; what has one of these names has this type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields = nullable))]
#[serde(default)]
pub struct Facts {
    pub kind: Option<FactKind>,
    /// The number of the turn that begins.
    pub turn: Option<u16>,
    pub rule: Option<String>,
    pub unit: Option<String>,
    pub units: Option<Vec<String>>,
    /// Units that support an attack.
    pub support: Option<Vec<String>>,
    /// The cell that is attacked, or the unit that is fired at.
    pub target: Option<String>,
    /// The cell that is fired at.
    pub hex: Option<String>,
    pub at: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    /// A move, cell by cell; a place off the map is null.
    pub path: Option<Vec<Option<String>>>,
    /// A die: its sides, what it shows, what is added.
    pub sides: Option<u16>,
    pub value: Option<i32>,
    pub modifier: Option<i32>,
    /// The strengths of a combat, the columns that the odds were shifted, the column and the result as printed.
    pub attack: Option<f64>,
    pub defense: Option<f64>,
    pub shift: Option<i32>,
    pub column: Option<String>,
    pub result: Option<String>,
    /// Whom the result favours: `good` the attacker, `bad` the defender.
    pub tone: Option<crate::view::Tone>,
    pub hit: Option<bool>,
    pub hits: Option<u32>,
    /// The attack interrupts another side's move.
    pub interrupt: Option<bool>,
}
