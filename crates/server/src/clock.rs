//! Clocks: pure arithmetic on times that the records carry.

use kernel::{Pending, Seat, SeatSet};
use serde::{Deserialize, Serialize};

use crate::protocol::{Clock, ClockView, Vacation};

/// The time left to each seat as of `since`; the clocks of the `running` seats run from then on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    pub left: Vec<i64>,
    pub running: SeatSet,
    pub since: i64,
    /// The players have agreed to stop them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// The clocks are stopped until a given day because a player is away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacation: Option<Vacation>,
}

impl Clocks {
    pub fn new(clock: &Clock, seats: usize) -> Self {
        let each = match clock {
            Clock::None => 0,
            Clock::Live { base_s, .. } => i64::from(*base_s) * 1000,
            Clock::Turn { hours } => i64::from(*hours) * 3_600_000,
        };
        Clocks {
            left: vec![each; seats],
            running: SeatSet::default(),
            since: 0,
            paused: false,
            vacation: None,
        }
    }

    /// `pending` must decide from `now` on.
    pub fn pass(&mut self, clock: &Clock, pending: &Pending, now: i64) {
        if *clock == Clock::None {
            return;
        }
        let next = pending.seats();
        if self.paused {
            // By turn, a seat that comes to decide gets its full time again.
            if let Clock::Turn { hours } = clock {
                for seat in next.iter() {
                    if let Some(left) = self.left.get_mut(usize::from(seat.0)) {
                        *left = i64::from(*hours) * 3_600_000;
                    }
                }
            }
            self.since = now;
            return;
        }
        for seat in (0..self.left.len() as u8).map(Seat) {
            let left = &mut self.left[usize::from(seat.0)];
            match (self.running.contains(seat), next.contains(seat)) {
                (true, true) => *left -= now - self.since,
                (true, false) => {
                    *left -= now - self.since;
                    if let Clock::Live { increment_s, .. } = clock {
                        *left += i64::from(*increment_s) * 1000;
                    }
                }
                (false, true) => {
                    if let Clock::Turn { hours } = clock {
                        *left = i64::from(*hours) * 3_600_000;
                    }
                }
                (false, false) => {}
            }
        }
        self.running = next;
        self.since = now;
    }

    /// Stop all clocks until a player restarts them or the vacation is over.
    pub fn pause(&mut self, now: i64, vacation: Option<Vacation>) {
        for seat in self.running.iter() {
            if let Some(left) = self.left.get_mut(usize::from(seat.0)) {
                *left -= now - self.since;
            }
        }
        (self.running, self.since, self.paused) = (SeatSet::default(), now, true);
        self.vacation = vacation;
    }

    /// Restart the clocks of the seats that must decide.
    pub fn go_on(&mut self, pending: &Pending, now: i64) {
        (self.running, self.since, self.paused) = (pending.seats(), now, false);
        self.vacation = None;
    }

    /// The server was down: a live clock does not count that time, a play-by-turn clock does.
    pub fn resume(&mut self, clock: &Clock, now: i64) {
        if matches!(clock, Clock::Live { .. }) {
            self.since = now;
        }
    }

    pub fn left(&self, seat: Seat, now: i64) -> i64 {
        let left = self.left.get(usize::from(seat.0)).copied().unwrap_or(0);
        if self.running.contains(seat) { left - (now - self.since).max(0) } else { left }
    }

    /// When the first running clock reaches zero, or the vacation ends.
    pub fn deadline(&self) -> Option<i64> {
        let empty =
            self.running.iter().filter_map(|s| self.left.get(usize::from(s.0))).map(|left| self.since + left);
        empty.chain(self.vacation.map(|away| away.until)).min()
    }

    /// Whether the day has come on which the clocks run again.
    pub fn back(&self, now: i64) -> bool {
        self.vacation.is_some_and(|away| away.until <= now)
    }

    /// The seat whose time is up; if several are, the one that is most overdue.
    pub fn fallen(&self, now: i64) -> Option<Seat> {
        self.running.iter().filter(|s| self.left(*s, now) <= 0).min_by_key(|s| self.left(*s, now))
    }

    pub fn view(&self, clock: &Clock, now: i64) -> Vec<ClockView> {
        if *clock == Clock::None {
            return Vec::new();
        }
        (0..self.left.len() as u8)
            .map(Seat)
            .map(|seat| ClockView {
                seat,
                left_ms: self.left(seat, now).max(0),
                running: self.running.contains(seat),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_clock_runs_for_whoever_decides() {
        let clock = Clock::Live { base_s: 10, increment_s: 2 };
        let mut clocks = Clocks::new(&clock, 2);
        clocks.pass(&clock, &Pending::One(Seat(0)), 1000);
        // Several decisions of one seat: no increment in between.
        clocks.pass(&clock, &Pending::One(Seat(0)), 4000);
        assert_eq!(clocks.left(Seat(0), 5000), 6000);
        clocks.pass(&clock, &Pending::One(Seat(1)), 5000);
        assert_eq!(clocks.left(Seat(0), 60_000), 8000);
        assert_eq!(clocks.deadline(), Some(15_000));
        assert_eq!(clocks.fallen(14_999), None);
        assert_eq!(clocks.fallen(15_000), Some(Seat(1)));
        clocks.resume(&clock, 100_000);
        assert_eq!(clocks.fallen(100_001), None);
    }

    #[test]
    fn nobody_loses_time_while_the_clocks_are_paused() {
        let clock = Clock::Live { base_s: 10, increment_s: 0 };
        let mut clocks = Clocks::new(&clock, 2);
        clocks.pass(&clock, &Pending::One(Seat(0)), 1000);
        clocks.pause(3000, None);
        assert_eq!(clocks.deadline(), None);
        clocks.pass(&clock, &Pending::One(Seat(1)), 50_000);
        assert_eq!(clocks.left(Seat(1), 60_000), 10_000);
        clocks.go_on(&Pending::One(Seat(0)), 70_000);
        assert_eq!(clocks.left(Seat(0), 71_000), 7000);
        assert_eq!(clocks.deadline(), Some(78_000));
    }

    #[test]
    fn a_vacation_ends_by_itself() {
        let clock = Clock::Turn { hours: 24 };
        let mut clocks = Clocks::new(&clock, 2);
        clocks.pass(&clock, &Pending::One(Seat(0)), 0);
        clocks.pause(1000, Some(Vacation { by: Seat(0), until: 5000 }));
        assert_eq!((clocks.deadline(), clocks.fallen(9000)), (Some(5000), None));
        assert!(!clocks.back(4999) && clocks.back(5000));
        clocks.go_on(&Pending::One(Seat(0)), 5000);
        assert_eq!((clocks.vacation, clocks.left(Seat(0), 6000)), (None, 24 * 3_600_000 - 2000));
    }

    #[test]
    fn by_turn_the_time_is_given_anew() {
        let clock = Clock::Turn { hours: 24 };
        let day = 24 * 3_600_000;
        let mut clocks = Clocks::new(&clock, 2);
        clocks.pass(&clock, &Pending::One(Seat(0)), 0);
        clocks.pass(&clock, &Pending::One(Seat(1)), day / 2);
        clocks.pass(&clock, &Pending::One(Seat(0)), day);
        assert_eq!(clocks.left(Seat(0), day), day);
        clocks.resume(&clock, day * 3);
        assert_eq!(clocks.fallen(day * 3), Some(Seat(0)));
    }
}
