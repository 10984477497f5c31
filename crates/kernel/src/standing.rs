//! Answers given in advance: "no reaction fire during this move". A seat that has given one is not asked again until
//! something changes that bears on it.
//!
//! A standing answer is part of the state: it is given by a decision, so replay, undo and takebacks need nothing else.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::Seat;

/// The answers in force. `T` names what a question is about: fire at this mover, this phase.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Standing<T> {
    given: Vec<Given<T>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Given<T> {
    seat: Seat,
    topic: T,
    /// Digest of everything that bears on the answer.
    bearing: u64,
}

impl<T> Default for Standing<T> {
    fn default() -> Self {
        Standing { given: Vec::new() }
    }
}

impl<T: Clone> Clone for Standing<T> {
    fn clone(&self) -> Self {
        Standing { given: self.given.clone() }
    }

    /// Reuses the memory of the list, as a position does that is copied again and again.
    fn clone_from(&mut self, other: &Self) {
        self.given.clone_from(&other.given);
    }
}

impl<T: PartialEq> Standing<T> {
    /// From now on this seat answers every question about `topic` in the same way, while `bearing` stays what it is
    /// now.
    pub fn give(&mut self, seat: Seat, topic: T, bearing: impl Hash) {
        self.end(seat, &topic);
        self.given.push(Given { seat, topic, bearing: digest(bearing) });
    }

    /// Is an answer of this seat in force? An answer whose bearing has changed ends here: the seat must be asked again.
    pub fn holds(&mut self, seat: Seat, topic: &T, bearing: impl Hash) -> bool {
        let bearing = digest(bearing);
        self.given.retain(|given| given.seat != seat || given.topic != *topic || given.bearing == bearing);
        self.given.iter().any(|given| given.seat == seat && given.topic == *topic)
    }

    /// Would an answer be in force? For prompts and views, which change nothing.
    pub fn would_hold(&self, seat: Seat, topic: &T, bearing: impl Hash) -> bool {
        let bearing = digest(bearing);
        self.given.iter().any(|given| given.seat == seat && given.topic == *topic && given.bearing == bearing)
    }

    /// This seat wants to be asked about `topic` again.
    pub fn end(&mut self, seat: Seat, topic: &T) {
        self.given.retain(|given| given.seat != seat || given.topic != *topic);
    }

    /// Ends the answers whose topic has passed: a phase ends, a move is over.
    pub fn end_where(&mut self, passed: impl Fn(Seat, &T) -> bool) {
        self.given.retain(|given| !passed(given.seat, &given.topic));
    }

    pub fn is_empty(&self) -> bool {
        self.given.is_empty()
    }
}

/// FNV-1a: states are saved, so the digest must be the same on every machine and with every compiler.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    // The default implementation writes native bytes, whose order and number differ between machines.
    fn write_u16(&mut self, n: u16) {
        self.write(&n.to_le_bytes());
    }

    fn write_u32(&mut self, n: u32) {
        self.write(&n.to_le_bytes());
    }

    fn write_u64(&mut self, n: u64) {
        self.write(&n.to_le_bytes());
    }

    fn write_u128(&mut self, n: u128) {
        self.write(&n.to_le_bytes());
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
}

fn digest(bearing: impl Hash) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    bearing.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Seat = Seat(0);
    const B: Seat = Seat(1);

    #[test]
    fn an_answer_ends_when_something_changes_that_bears_on_it() {
        let mut standing = Standing::default();
        standing.give(A, "fire", [1u32, 2]);
        assert!(standing.holds(A, &"fire", [1u32, 2]));
        assert!(!standing.holds(B, &"fire", [1u32, 2]) && !standing.holds(A, &"bridge", [1u32, 2]));
        assert!(!standing.would_hold(A, &"fire", [1u32, 3]));
        assert!(standing.would_hold(A, &"fire", [1u32, 2]), "asking does not end it");
        assert!(!standing.holds(A, &"fire", [1u32, 3]));
        // The answer has ended, even if the circumstances become again what they were.
        assert!(!standing.holds(A, &"fire", [1u32, 2]) && standing.is_empty());
    }

    #[test]
    fn answers_are_replaced_and_ended() {
        let mut standing = Standing::default();
        standing.give(A, "fire", 1u8);
        standing.give(A, "fire", 2u8);
        assert!(!standing.would_hold(A, &"fire", 1u8) && standing.would_hold(A, &"fire", 2u8));
        standing.give(B, "fire", 2u8);
        standing.end(A, &"fire");
        assert!(!standing.would_hold(A, &"fire", 2u8) && standing.would_hold(B, &"fire", 2u8));
        standing.end_where(|_, topic| *topic == "fire");
        assert!(standing.is_empty());
    }

    #[test]
    fn a_digest_does_not_depend_on_the_machine() {
        assert_eq!(digest(7u32), 0x6d35_7266_9b2c_de42);
        let read: Standing<u8> = serde_json::from_str(r#"[{"seat":0,"topic":3,"bearing":9}]"#).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), r#"[{"seat":0,"topic":3,"bearing":9}]"#);
    }
}
