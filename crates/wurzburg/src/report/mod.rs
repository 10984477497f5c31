//! Events and prompts as messages: keys of the message files with the values for their blanks.

mod line;
mod sky;

use hexgrid::HexId;
use kernel::{Arg, Audience, Entry, Message, Prompt, SeatSet, Topic, log::Event as Logged};
use rulebook::flow;
use serde_json::{Value, json};

use crate::{
    event::Event,
    frame::Frame,
    play::{Question, seat},
    rules::Wurzburg,
    state::{Ending, Payer, State},
    units::{FormationId, Side, UnitId},
};

pub const fn side_key(side: Side) -> &'static str {
    match side {
        Side::Wp => "side.wp",
        Side::Nato => "side.nato",
    }
}

/// How the game ended.
pub fn ending(rules: &Wurzburg, ending: &Ending) -> Message {
    let level =
        rules.scenario.levels.get(usize::from(ending.level)).map_or("draw", |level| level.result.key());
    Message::new("outcome.level")
        .term("level", format!("level.{level}"))
        .number("wp", ending.points[0])
        .number("nato", ending.points[1])
}

pub fn prompt(rules: &Wurzburg, s: &State, side: Side) -> Prompt {
    if s.ending.is_some() {
        return Prompt::new(Message::new("prompt.over"), "46.7");
    }
    let frame = s.top();
    let asked = flow::asks(rules, s, frame) == Some(side);
    match flow::question::<Wurzburg>(frame).filter(|_| asked) {
        Some(question) => {
            let (key, rule) = asked_for(rules, s, frame, question);
            let (hex, unit) = matter(rules, s, frame);
            let message =
                unit.map_or_else(|| Message::new(key), |unit| Message::new(key).unit("unit", rules.id(unit)));
            let message = match hex.some() {
                Some(hex) => message.place("hex", rules.field.label(hex)),
                None => message,
            };
            let message = airborne(rules, s, frame, message);
            Prompt { set_up: matches!(frame, Frame::Works(_)), ..Prompt::new(message, rule) }
        }
        None => Prompt::new(Message::new("prompt.wait"), "-"),
    }
}

/// The hex that a question is about, if it is about one, and the unit in the air that it is about.
fn matter(rules: &Wurzburg, s: &State, frame: Frame) -> (HexId, Option<UnitId>) {
    let flyer = s.sky.flight.as_ref().map(|flight| flight.unit);
    let over = |unit: Option<UnitId>| (unit.map_or(HexId::NONE, |unit| s.unit(unit).hex), unit);
    match frame {
        Frame::Infiltration | Frame::GoOn | Frame::Landing => {
            (s.walk.force.iter().next().map_or(HexId::NONE, |unit| s.unit(unit).hex), None)
        }
        Frame::Mask(_, hex) | Frame::Screen(hex) => (hex, None),
        Frame::Stand | Frame::Cover | Frame::Loss | Frame::Retreat => (s.combat.target, None),
        Frame::Jamming
        | Frame::Call(_)
        | Frame::Reaction
        | Frame::NewObjective
        | Frame::OffensiveFire
        | Frame::Advance
        | Frame::Overrun
        | Frame::PointBlank { .. }
        | Frame::Withdraw(_)
        | Frame::Charge
        | Frame::Drop => (s.op.objective, None),
        Frame::AirProfile | Frame::AntiAircraft | Frame::AirChoice => {
            (s.support.air.as_ref().map_or(HexId::NONE, |air| air.hex), None)
        }
        Frame::Fly => match rules.helicopter_targets(s)[..] {
            [hex] => (hex, flyer),
            _ => (HexId::NONE, flyer),
        },
        Frame::OnTheWay | Frame::FlakFire | Frame::FlakChoice | Frame::PassengerLoss => over(flyer),
        Frame::FlyHome(unit) | Frame::DropFlak(unit) => over(Some(unit)),
        _ => (HexId::NONE, None),
    }
}

/// The payer, in notation.
pub fn payer_word(rules: &Wurzburg, payer: Payer) -> String {
    match payer {
        Payer::None => "nobody".into(),
        Payer::Hq(hq) => rules.id(hq).to_owned(),
        Payer::OffMap => "off-map".into(),
        Payer::MainEffort => "main-effort".into(),
    }
}

pub fn report(rules: &Wurzburg, _after: &State, event: &Logged<Event>, out: &mut Vec<Entry>) {
    match event {
        Logged::Roll(roll) => {
            out.push(Entry::roll(roll, Message::new(roll.purpose).number("value", roll.value)));
        }
        Logged::Game(event) => {
            out.extend(line::line(rules, event).map(|entry| Entry { topic: event.topic(), ..entry }));
        }
    }
}

struct Names<'a>(&'a Wurzburg);

impl Names<'_> {
    fn id(&self, unit: UnitId) -> String {
        self.0.id(unit).to_owned()
    }

    fn ids(&self, units: &[UnitId]) -> Value {
        json!(units.iter().map(|unit| self.0.id(*unit)).collect::<Vec<_>>())
    }

    fn list(&self, units: &[UnitId]) -> Arg {
        Arg::List(units.iter().map(|unit| Arg::Unit(self.id(*unit))).collect())
    }

    fn hex(&self, hex: HexId) -> String {
        hex.some().map_or_else(String::new, |hex| self.0.field.label(hex).to_owned())
    }

    fn place(&self, hex: HexId) -> Value {
        json!(hex.some().map(|hex| self.0.field.label(hex)))
    }

    fn formation(&self, formation: FormationId) -> String {
        format!("formation.{}", self.0.formation(formation).id)
    }

    fn side(&self, unit: UnitId) -> Option<Side> {
        Some(self.0.counter(unit).side)
    }

    fn side_of(&self, units: &[UnitId]) -> Option<Side> {
        self.side(*units.first()?)
    }
}

/// A line for everybody.
fn all(side: Option<Side>, level: u8, message: Message, data: Value) -> Option<Entry> {
    Some(Entry { audience: Audience::All, seat: side.map(seat), topic: Topic::Other, message, level, data })
}

/// A line that only this side may read.
fn only(side: Side, level: u8, message: Message, data: Value) -> Option<Entry> {
    let audience = Audience::Only(SeatSet::one(seat(side)));
    Some(Entry { audience, seat: Some(seat(side)), topic: Topic::Other, message, level, data })
}

/// The key of a frame's question, and its rule.
pub fn asked_for(
    rules: &Wurzburg,
    s: &State,
    frame: Frame,
    question: &dyn Question<Wurzburg>,
) -> (&'static str, &'static str) {
    match frame {
        Frame::Works(_) if rules.options.free_setup => ("prompt.works_and_units", "11.1"),
        Frame::Movement if s.op.airmobile => ("prompt.movement_air", "29.3"),
        _ => question.prompt(),
    }
}

/// The air unit that the question is about, and how it flies.
fn airborne(rules: &Wurzburg, s: &State, frame: Frame, message: Message) -> Message {
    let about = matches!(frame, Frame::AirProfile | Frame::AntiAircraft | Frame::AirChoice);
    let Some(air) = s.support.air.as_ref().filter(|_| about) else { return message };
    let vehicle = rules.pack.unit_type(air.aircraft).vehicle.clone();
    let message = message.text("aircraft", vehicle).number("steps", air.steps);
    match air.profile {
        Some(profile) => message.term("profile", format!("profile.{}", profile.key())),
        None => message,
    }
}
