//! What happens in a turn, counted from the battle report: attacks, attacks that drive the enemy out, towns that change
//! hands.

use std::collections::BTreeMap;

use kernel::{Seat, StudyInfo, Survey, log::Entry};

use crate::play::TurnRecord;

/// Keys of the tallies that are counted here, each for the seat that acted in the turn. A game requests them by naming
/// them in [`StudyInfo::tallies`].
pub const ATTACKS: &str = "attacks";
pub const ATTACKS_WON: &str = "attacks_won";
pub const TOWNS_TAKEN: &str = "towns_taken";
pub const TOWNS_UNATTACKED: &str = "towns_unattacked";

/// The kind of marks where a seat took a town without an attack, for games that want them ([`StudyInfo::marks`]).
pub fn walked_in(seat: Seat) -> String {
    format!("walked_in_{}", seat.0)
}

/// The tallies of this kind that a game requests.
pub fn wanted(info: &StudyInfo) -> Vec<String> {
    let known = [ATTACKS, ATTACKS_WON, TOWNS_TAKEN, TOWNS_UNATTACKED];
    info.tallies.iter().filter(|key| known.contains(&key.as_str())).cloned().collect()
}

/// An attack as reported.
#[derive(Clone, Debug)]
struct Attack {
    seat: Seat,
    target: String,
    won: bool,
}

/// The course of a game, turn by turn.
#[derive(Clone, Debug, Default)]
pub struct Course {
    wanted: Vec<String>,
    /// Towns and the seats that hold them.
    towns: BTreeMap<String, Seat>,
    attacks: Vec<Attack>,
    /// Is the last attack still being fought?
    fighting: bool,
    /// What was attacked in the previous turn.
    earlier: Vec<(Seat, String)>,
    /// Who attacked a place last, as long as nobody has entered it since, or left it except in that fight.
    emptied: BTreeMap<String, Seat>,
}

impl Course {
    pub fn new(wanted: &[String], start: &Survey) -> Course {
        let towns = towns(start).map(|(town, seat)| (town.to_owned(), seat)).collect();
        Course { wanted: wanted.to_vec(), towns, ..Course::default() }
    }

    /// Processes lines of the battle report as they are written.
    pub fn note(&mut self, entries: &[Entry]) {
        if self.wanted.is_empty() {
            return;
        }
        for entry in entries {
            // A heading means another phase.
            if entry.level == 0 {
                self.fighting = false;
            }
            let fact = |key: &str| entry.data.get(key).and_then(serde_json::Value::as_str);
            let Some(seat) = entry.seat else { continue };
            let others = |place: &&str| self.emptied.get(*place).is_some_and(|by| *by != seat);
            let entered = fact("to").filter(others);
            if let Some(place) = entered.or(fact("from").filter(|_| !self.fighting).filter(others)) {
                self.emptied.remove(place);
            }
            match fact("kind") {
                Some("attack") => {
                    let Some(target) = fact("target") else { continue };
                    self.attacks.push(Attack { seat, target: target.to_owned(), won: false });
                    self.emptied.insert(target.to_owned(), seat);
                    self.fighting = true;
                }
                // The defender leaves, or the attacker enters: neither happens unless the hex has been captured.
                Some("step") if self.fighting => {
                    let Some(attack) = self.attacks.last_mut() else { continue };
                    let end = fact(if seat == attack.seat { "to" } else { "from" });
                    attack.won |= end == Some(attack.target.as_str());
                }
                _ => {}
            }
        }
    }

    /// Ends the turn and returns what was counted in it.
    pub fn end_turn(&mut self, survey: &Survey, seats: usize, record: &mut TurnRecord) {
        if self.wanted.is_empty() {
            return;
        }
        for key in &self.wanted {
            record.tallies.insert(key.clone(), vec![0; seats]);
        }
        let TurnRecord { tallies, new_marks, .. } = record;
        let mut count = |key: &str, seat: Seat| {
            if !self.wanted.iter().any(|wanted| wanted == key) {
                return;
            }
            if let Some(value) = tallies.get_mut(key).and_then(|row| row.get_mut(usize::from(seat.0))) {
                *value += 1;
            }
        };
        for attack in &self.attacks {
            count(ATTACKS, attack.seat);
            if attack.won {
                count(ATTACKS_WON, attack.seat);
            }
        }
        let now: Vec<(Seat, String)> =
            self.attacks.drain(..).map(|attack| (attack.seat, attack.target)).collect();
        for (town, seat) in towns(survey) {
            let before = self.towns.insert(town.to_owned(), seat);
            if before.is_some_and(|before| before != seat) {
                count(TOWNS_TAKEN, seat);
                // A side that enters on the day after an attack has fought for the town, too.
                let fought = |(by, target): &(Seat, String)| *by == seat && target == town;
                // So has one that drove the last enemies out earlier, if nobody came back.
                let emptied = self.emptied.remove(town) == Some(seat);
                if !emptied && !now.iter().chain(&self.earlier).any(fought) {
                    count(TOWNS_UNATTACKED, seat);
                    new_marks.entry(walked_in(seat)).or_default().push(town.to_owned());
                }
            }
        }
        self.earlier = now;
        self.fighting = false;
    }
}

/// Towns by the seat that holds them: marks of kind `town_0` for the first seat, `town_1` for the second.
fn towns(survey: &Survey) -> impl Iterator<Item = (&str, Seat)> {
    survey.marks.iter().filter_map(|mark| {
        let seat = mark.kind.strip_prefix("town_")?.parse().ok()?;
        Some((mark.at.as_str(), Seat(seat)))
    })
}

#[cfg(test)]
mod tests {
    use kernel::{Message, log::Audience, survey::Mark};
    use serde_json::json;

    use super::*;

    fn entry(seat: u8, level: u8, data: serde_json::Value) -> Entry {
        let message = Message::new("log.any");
        Entry {
            audience: Audience::default(),
            seat: Some(Seat(seat)),
            topic: kernel::Topic::default(),
            message,
            level,
            data,
        }
    }

    fn held(by: [u8; 2]) -> Survey {
        let town = |at: &str, seat: u8| Mark { kind: format!("town_{seat}"), at: at.to_owned() };
        Survey { marks: vec![town("A1", by[0]), town("B2", by[1])], ..Survey::default() }
    }

    #[test]
    fn attacks_and_towns_are_counted_by_turn() {
        let keys = [ATTACKS, ATTACKS_WON, TOWNS_TAKEN, TOWNS_UNATTACKED].map(str::to_owned);
        let mut course = Course::new(&keys, &held([1, 1]));
        course.note(&[
            entry(0, 1, json!({"kind": "attack", "target": "A1"})),
            // The attacker retreats, which captures nothing.
            entry(0, 2, json!({"kind": "step", "from": "C3", "to": "C4"})),
            entry(0, 1, json!({"kind": "attack", "target": "A1"})),
            entry(1, 2, json!({"kind": "step", "from": "A1", "to": "A0"})),
            entry(0, 0, json!(null)),
            // Moves of another phase are not retreats.
            entry(0, 2, json!({"kind": "step", "from": "C3", "to": "B2"})),
        ]);
        let mut turn = TurnRecord::default();
        course.end_turn(&held([0, 0]), 2, &mut turn);
        let tallies = &turn.tallies;
        assert_eq!((&tallies[ATTACKS], &tallies[ATTACKS_WON]), (&vec![2, 0], &vec![1, 0]));
        assert_eq!((&tallies[TOWNS_TAKEN], &tallies[TOWNS_UNATTACKED]), (&vec![2, 0], &vec![1, 0]));
        assert_eq!(turn.new_marks["walked_in_0"], ["B2"]);
        course.end_turn(&held([0, 1]), 2, &mut turn);
        let tallies = &turn.tallies;
        assert_eq!((&tallies[ATTACKS], &tallies[TOWNS_TAKEN]), (&vec![0, 0], &vec![0, 1]));
    }

    #[test]
    fn a_town_that_was_attacked_the_turn_before_was_fought_for() {
        let keys = [TOWNS_TAKEN, TOWNS_UNATTACKED].map(str::to_owned);
        let mut course = Course::new(&keys, &held([1, 1]));
        course.note(&[entry(0, 1, json!({"kind": "attack", "target": "A1"}))]);
        let mut turn = TurnRecord::default();
        course.end_turn(&held([1, 1]), 2, &mut turn);
        course.end_turn(&held([0, 1]), 2, &mut turn);
        let tallies = &turn.tallies;
        assert_eq!((&tallies[TOWNS_TAKEN], &tallies[TOWNS_UNATTACKED]), (&vec![1, 0], &vec![0, 0]));
        assert!(!tallies.contains_key(ATTACKS), "only what was asked for");
    }

    /// Attacks on A1 and what follows in the same turn; two turns later A1 is taken. Was it walked into?
    fn unattacked_after(moves: &[Entry]) -> i64 {
        let keys = [TOWNS_UNATTACKED].map(str::to_owned);
        let mut course = Course::new(&keys, &held([1, 1]));
        course.note(&[entry(0, 1, json!({"kind": "attack", "target": "A1"}))]);
        course.note(moves);
        let mut turn = TurnRecord::default();
        for by in [1, 1, 0] {
            course.end_turn(&held([by, 1]), 2, &mut turn);
        }
        turn.tallies[TOWNS_UNATTACKED][0]
    }

    #[test]
    fn a_town_whose_garrison_was_driven_out_earlier_was_fought_for() {
        let step =
            |level, from: &str, to: &str| entry(1, level, json!({"kind": "step", "from": from, "to": to}));
        let driven_out = step(2, "A1", "A0");
        assert_eq!(unattacked_after(std::slice::from_ref(&driven_out)), 0);
        let next = entry(1, 0, json!(null));
        let back = [driven_out, next.clone(), step(2, "A0", "A1")];
        assert_eq!(unattacked_after(&back), 1, "somebody came back, and was not attacked");
        assert_eq!(unattacked_after(&[next, step(2, "A1", "A0")]), 1, "it held, and left later");
    }
}
