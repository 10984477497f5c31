//! Limits on what clients may ask for: token buckets per address and per connection, and the lengths of texts.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::Instant;

use crate::error::{Fault, Result};
use crate::protocol::ErrorCode;

/// A rate per second on average, and a burst.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub per_second: f64,
    pub burst: f64,
}

impl Rate {
    pub const fn new(per_second: f64, burst: f64) -> Self {
        Rate { per_second, burst }
    }
    pub const UNLIMITED: Rate = Rate::new(1e9, 1e9);
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// HTTP requests from one address.
    pub http: Rate,
    /// Creating guests, logging in, trying codes: what a guessing attacker would do.
    pub identity: Rate,
    /// Creating and importing games.
    pub create: Rate,
    /// Frames on one socket.
    pub frames: Rate,
    /// Chat lines on one socket.
    pub chat: Rate,
    /// Open sockets from one address, and from all addresses together.
    pub sockets_per_address: usize,
    pub sockets: usize,
    pub frame_bytes: usize,
    pub body_bytes: usize,
    /// Body size for set-ups with a pack overlay and for journals.
    pub import_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            http: Rate::new(50.0, 400.0),
            identity: Rate::new(0.5, 30.0),
            create: Rate::new(0.5, 30.0),
            frames: Rate::new(40.0, 200.0),
            chat: Rate::new(1.0, 10.0),
            sockets_per_address: 64,
            sockets: 10_000,
            frame_bytes: 32 << 10,
            body_bytes: 64 << 10,
            import_bytes: 8 << 20,
        }
    }
}

impl Limits {
    /// For tests and the load generator, which use one address.
    pub fn generous() -> Self {
        Limits {
            http: Rate::UNLIMITED,
            identity: Rate::UNLIMITED,
            create: Rate::UNLIMITED,
            frames: Rate::UNLIMITED,
            chat: Rate::UNLIMITED,
            sockets_per_address: 10_000,
            ..Limits::default()
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    pub fn full(rate: Rate) -> Self {
        Bucket { left: rate.burst, at: Instant::now() }
    }

    pub fn take(&mut self, rate: Rate) -> Result<()> {
        self.take_at(rate, Instant::now())
    }

    fn take_at(&mut self, rate: Rate, now: Instant) -> Result<()> {
        let gained = now.duration_since(self.at).as_secs_f64() * rate.per_second;
        self.left = (self.left + gained).min(rate.burst);
        self.at = now;
        if self.left < 1.0 {
            return Err(Fault::new(ErrorCode::RateLimited, "too many requests; wait a little"));
        }
        self.left -= 1.0;
        Ok(())
    }
}

/// One bucket per key. Full buckets are dropped, so the table stays small.
#[derive(Debug)]
pub struct Buckets<K> {
    rate: Rate,
    buckets: Mutex<HashMap<K, Bucket>>,
}

/// Above this many keys, full buckets are dropped.
const SWEEP_AT: usize = 10_000;

impl<K: Eq + Hash> Buckets<K> {
    pub fn new(rate: Rate) -> Self {
        Buckets { rate, buckets: Mutex::new(HashMap::new()) }
    }

    pub fn take(&self, key: K) -> Result<()> {
        let mut buckets = crate::lock(&self.buckets);
        if buckets.len() > SWEEP_AT {
            let rate = self.rate;
            buckets.retain(|_, b| b.left + b.at.elapsed().as_secs_f64() * rate.per_second < rate.burst);
        }
        buckets.entry(key).or_insert_with(|| Bucket::full(self.rate)).take(self.rate)
    }
}

/// A name or title: trimmed, without control characters, not empty, at most `most` characters.
pub fn name(text: &str, most: usize) -> Result<String> {
    let text = text.trim();
    let bad = |why: &str| Err(Fault::new(ErrorCode::BadName, why));
    if text.is_empty() {
        return bad("a name is needed");
    }
    if text.chars().count() > most {
        return bad(&format!("at most {most} characters"));
    }
    if text.chars().any(|c| c.is_control() || is_direction_mark(c)) {
        return bad("no control characters");
    }
    Ok(text.to_owned())
}

/// A chat line; line breaks are allowed.
pub fn chat(text: &str) -> Result<String> {
    const MOST: usize = 1000;
    let text = text.trim();
    if text.is_empty() {
        return Err(Fault::bad("an empty message"));
    }
    if text.chars().count() > MOST {
        return Err(Fault::new(ErrorCode::TooLarge, format!("at most {MOST} characters")));
    }
    Ok(text.chars().filter(|c| *c == '\n' || !(c.is_control() || is_direction_mark(*c))).collect())
}

/// Marks that change the direction of the surrounding text and can make one name look like another.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills() {
        let rate = Rate::new(1000.0, 3.0);
        let mut bucket = Bucket::full(rate);
        let start = bucket.at;
        let refused = (0..10).filter(|_| bucket.take_at(rate, start).is_err()).count();
        assert_eq!(refused, 7);
        // At a thousand per second, one token is added each millisecond.
        let later = start + std::time::Duration::from_millis(1);
        assert!(bucket.take_at(rate, later).is_ok());
        assert!(bucket.take_at(rate, later).is_err());
    }

    #[test]
    fn names_are_plain() {
        assert_eq!(name("  <b>Ann</b>; DROP TABLE users  ", 40).unwrap(), "<b>Ann</b>; DROP TABLE users");
        assert!(name("", 40).is_err());
        assert!(name("a\u{0}b", 40).is_err());
        assert!(name("a\u{202e}b", 40).is_err());
        assert!(name(&"x".repeat(41), 40).is_err());
    }
}
