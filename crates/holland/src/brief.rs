//! Facts relevant to a question before it is answered (`kernel::Brief`). Nothing in this game is hidden, so every die
//! may be tried.

use kernel::{Brief, BriefAnswer, Message, Rules as _, Seat, brief::by_dice, view::Tone};
use zocbond::{Piece as _, UnitId};

use crate::action::Action;
use crate::event::side_of;
use crate::frame::{Combat, CombatStep, Frame, Phase};
use crate::pack::Side;
use crate::state::State;
use crate::world::Holland;

/// How much a step weighs in the tone of a chance.
const STEP: f32 = 0.35;

impl Holland {
    pub fn brief_for(&self, s: &State, who: Seat) -> Brief {
        if self.awaited(s) != Some(who) {
            return Brief::default();
        }
        let side = side_of(who);
        let mut brief = Brief::default();
        match s.frame() {
            Frame::Phase(Side::Allied, Phase::Airlanding) => {
                brief.fact(Message::new("brief.airlanding_points"), s.points.to_string(), "22.1");
            }
            Frame::Phase(Side::Allied, Phase::Combat) => {
                brief.fact(Message::new("brief.air_left"), s.air.to_string(), "10.7");
            }
            Frame::Demolition { .. } | Frame::Flight(_) => {}
            Frame::Combat(combat) => self.brief_combat(s, combat, &mut brief),
            _ => return brief,
        }
        if !matches!(s.frame(), Frame::Phase(..)) {
            brief.answers = by_dice(self, s, who, |after| self.balance(after, side));
            self.brief_retreats(s, who, side, &mut brief);
        }
        brief
    }

    fn brief_combat(&self, s: &State, combat: &Combat, brief: &mut Brief) {
        match combat.result {
            Some(result) => {
                let code = self.pack.results[usize::from(result)].code.clone();
                brief.fact(Message::new("brief.result_now"), code, "9.9");
            }
            None => {
                if let Ok(sheet) = self.sheet(s, combat) {
                    let column = &self.pack.tables.crt.columns[usize::from(sheet.column)];
                    brief.fact(Message::new("brief.column_now"), column.clone(), "9.8");
                }
            }
        }
        if combat.side == Side::Allied && combat.step == CombatStep::Support {
            brief.fact(Message::new("brief.air_left"), s.air.to_string(), "10.7");
        }
    }

    /// Steps on the map, own minus enemy.
    fn balance(&self, s: &State, side: Side) -> f32 {
        (0..self.counters.len())
            .map(|n| UnitId(n as u16))
            .filter(|unit| s.unit(*unit).hex().is_some())
            .map(|unit| {
                let steps = f32::from(self.steps(s, unit)) * STEP;
                if self.counter(unit).side == side { steps } else { -steps }
            })
            .sum()
    }

    /// The end hex of each retreat.
    fn brief_retreats(&self, s: &State, who: Seat, side: Side, brief: &mut Brief) {
        let (mut subjects, mut actions) = (Vec::new(), Vec::new());
        self.subjects(s, who, &mut subjects);
        for subject in subjects {
            self.options(s, who, subject, &mut actions);
        }
        for action in actions {
            let Action::Retreat { path, .. } = &action else { continue };
            let (key, tone) = match path.last() {
                None => ("brief.eliminated", Tone::Bad),
                Some(end) if s.field.in_ezoc(side, *end) => ("brief.retreat.near", Tone::Doubt),
                Some(_) => ("brief.retreat.clear", Tone::Good),
            };
            let note = Message::new(key).place("hex", path.last().map_or("-", |end| self.label(*end)));
            let action = self.write_action(&action);
            brief.answers.push(BriefAnswer { action, note: Some(note), tone, ..BriefAnswer::default() });
        }
    }
}
