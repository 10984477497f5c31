//! Unknown units (25): how they come to light, and who may know them before.

use hexgrid::HexId;
use kernel::{Dice, Log, Seat, SeatSet, Stop, Viewer, log::Roll};
use rand_core::RngCore;
use serde_json::{Value, json};
use zocbond::{UnitId, UnitSet};

use crate::event::{Event, seat};
use crate::options::Switch;
use crate::pack::Side;
use crate::refusal::{Legal, refuse};
use crate::state::{Dealt, Marks, Place, State};
use crate::world::Holland;

const GERMAN: Seat = seat(Side::German);

impl Holland {
    /// 25.3 C
    pub fn check_reveal(&self, s: &State, side: Side, hex: HexId) -> Legal {
        let moved = || s.field.in_game(Side::German).iter().any(|u| s.unit(u).has(Marks::MOVED));
        let by_choice = side == Side::German && !self.on(Switch::RevealedByAttack); // H-20: only by attack
        if !by_choice || s.turn < 3 || !s.unknown.contains(hex) || moved() {
            return refuse("25.3", "refuse.reveal"); // 25.3
        }
        Ok(())
    }

    /// 25.5, H-20: may the German player look under the Unknown counters now?
    pub fn check_look(&self, s: &State, side: Side) -> Legal {
        if side != Side::German || !self.on(Switch::RevealedByAttack) || s.looked || s.unknown.is_empty() {
            return refuse("25.5", "refuse.look"); // 25.5
        }
        Ok(())
    }

    /// H-20: the German player looks under all of them. They are dealt now: whether before or now, the chances are the same.
    pub fn look(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        log.push(Event::Looked);
        for hex in &s.unknown.clone() {
            let unit = match s.dealt.at(hex) {
                Some(unit) => unit,
                None => {
                    let unit = self.draw(s, dice, log)?;
                    s.dealt.0.add((hex, unit));
                    unit
                }
            };
            log.push(Event::Saw { hex, unit });
        }
        s.looked = true;
        s.field.renew_stamp();
        log.reveal_to(GERMAN);
        Ok(())
    }

    /// 25.1: a counter that was not dealt before is drawn; none is a Garrison.
    fn draw(&self, s: &State, dice: &mut Dice, log: &mut Log<Event>) -> Result<Option<UnitId>, Stop> {
        let left = |u: &UnitId| s.unit(*u).at() == Place::Unknown && !s.dealt.has(*u);
        let pool: UnitSet = self.units().filter(left).collect();
        let count = pool.len() + usize::from(s.garrisons.saturating_sub(s.dealt.garrisons()));
        // The last counter is drawn without a die.
        if count <= 1 {
            return Ok(pool.iter().next());
        }
        let mut roll = Roll::new(GERMAN, count as u8, 0, "roll.unknown", "25.1");
        if self.on(Switch::RevealedByAttack) {
            roll = roll.only_for(SeatSet::one(GERMAN)); // H-20: the die would tell what else was seen
        }
        let drawn = log.throw(dice, roll)?;
        Ok(pool.iter().nth(usize::from(drawn) - 1))
    }

    /// 25.3, 25.4: the counter of an Unknown hex comes to light. Where nobody has looked, drawing now is drawing then.
    pub fn reveal(
        &self,
        s: &mut State,
        hex: HexId,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        if !s.unknown.remove(hex) {
            return Ok(());
        }
        let left = self.units().any(|u| s.unit(u).at() == Place::Unknown) || s.garrisons > 0;
        if !left {
            return Ok(());
        }
        let unit = match s.dealt.at(hex) {
            Some(unit) => unit,
            None => self.draw(s, dice, log)?,
        };
        s.dealt.0.retain(|(at, _)| at != hex);
        match unit {
            Some(unit) => self.put(s, unit, Place::Hex(hex)),
            None => s.garrisons -= 1, // 25.4
        }
        log.push(Event::Revealed { hex, unit });
        log.reveal();
        Ok(())
    }

    /// 25.5, H-20: what somebody may know of the Unknown counters.
    pub fn seen_by(s: &State, viewer: Viewer) -> Dealt {
        if Self::sees_unknown(s, viewer) { s.dealt } else { Dealt::default() }
    }

    fn sees_unknown(s: &State, viewer: Viewer) -> bool {
        viewer == Viewer::Referee || s.looked && viewer.knows(GERMAN)
    }

    /// What lies under the Unknown counters, as far as the viewer may know.
    pub fn tell_unknown(&self, s: &State, viewer: Viewer) -> Value {
        let seen = Self::seen_by(s, viewer);
        let name = |unit: Option<UnitId>| unit.map_or("garrison", |unit| self.counter(unit).id.as_str());
        let told = s
            .unknown
            .iter()
            .map(|hex| (self.label(hex).to_owned(), json!(seen.at(hex).map_or("unknown", name))));
        Value::Object(told.collect())
    }

    /// H-20: what was dealt, dealt anew for somebody who has not seen it.
    pub fn deal_anew(&self, s: &State, viewer: Viewer, rng: &mut dyn RngCore) -> Option<State> {
        if Self::sees_unknown(s, viewer) || s.dealt.0.is_empty() {
            return None;
        }
        let mut other = s.clone();
        // Those that were not dealt may lie there as well.
        let mut pool: Vec<Option<UnitId>> =
            self.units().filter(|u| s.unit(*u).at() == Place::Unknown).map(Some).collect();
        pool.extend((0..s.garrisons).map(|_| None));
        for (_, unit) in other.dealt.0.iter_mut() {
            if !pool.is_empty() {
                *unit = pool.swap_remove(rng.next_u32() as usize % pool.len());
            }
        }
        other.field.renew_stamp();
        Some(other)
    }
}
