//! Statistics of many games.

use std::collections::BTreeMap;

use kernel::{
    Arg, Game, Message, StudyInfo,
    survey::{Aim, Figure},
};

use crate::{
    course::{self, TOWNS_TAKEN, TOWNS_UNATTACKED},
    play::{Record, held_cells},
    sim::Study,
    stats::{interval, mean, middle, quantile, share},
};

/// A share with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub count: usize,
    pub low: f64,
    pub value: f64,
    pub high: f64,
}

impl Share {
    fn of(count: usize, all: usize) -> Share {
        let (low, value, high) = share(count as f64, all);
        Share { count, low, value, high }
    }
}

/// A tally at the end of a turn, over all games that lasted that long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub low: f64,
    pub middle: f64,
    pub high: f64,
    pub mean: f64,
}

/// When a goal was first met, over the games in which it was.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalCount {
    pub id: String,
    pub seat: usize,
    pub history: Option<u16>,
    pub met: Share,
    /// Still met at the end.
    pub kept: Share,
    /// Quantiles of the turns: 10 %, 25 %, 50 %, 75 %, 90 %.
    pub turns: Option<[f64; 5]>,
}

/// How a game is won.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// The seat that won by it.
    pub seat: Option<usize>,
    /// The victory condition in words.
    pub why: Message,
    pub share: Share,
    /// The earliest turn in which it ended a game, and the middle one.
    pub earliest: u16,
    pub middle: f64,
}

/// Actions of a seat, such as attacks: means for the first turn and for a whole game, with their 95 % interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    pub key: String,
    pub seat: usize,
    pub first: [f64; 3],
    pub all: [f64; 3],
}

/// How near the games come to an aim.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    pub aim: Aim,
    /// The figure with its 95 % interval: low, value, high; none if it does not apply, because nothing of the kind happened.
    pub value: Option<[f64; 3]>,
}

impl Reached {
    /// Is a value within what the aim wants?
    pub fn meets(&self, value: f64) -> bool {
        self.aim.least.is_none_or(|least| value >= least) && self.aim.most.is_none_or(|most| value <= most)
    }
}

/// A variant compared with the study itself.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantCount {
    pub id: String,
    pub games: usize,
    /// Won by the first seat.
    pub won: Share,
}

/// The map after a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub name: Message,
    /// How often each seat held each cell: by seat, then by cell, 0 to 1.
    pub held: Vec<Vec<f64>>,
}

/// Everything a report shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    pub games: usize,
    pub seeds: (u64, u64),
    /// Wins by seat, then draws.
    pub wins: Vec<Share>,
    /// Victory conditions, the most frequent first.
    pub causes: Vec<Cause>,
    /// What is counted turn by turn (`course.rs`), by key and seat.
    pub happenings: Vec<Happening>,
    /// By seat: the share of captured towns that it had not attacked.
    pub unattacked: Vec<Share>,
    /// Games by their last turn.
    pub lengths: BTreeMap<u16, usize>,
    /// By tally, seat and turn.
    pub tallies: Vec<(String, Vec<BTreeMap<u16, Spread>>)>,
    /// By kind: where, and in how many games.
    pub marks: Vec<(String, Vec<(String, Share)>)>,
    pub goals: Vec<GoalCount>,
    pub aims: Vec<Reached>,
    pub pictures: Vec<Picture>,
    /// The cells each seat holds at the start.
    pub start: Vec<Vec<bool>>,
    pub variants: Vec<VariantCount>,
    pub forfeits: usize,
    pub last_turn: u16,
    pub info: StudyInfo,
}

impl Counted {
    pub fn of(game: &dyn Game, study: &Study, records: &[Record]) -> Counted {
        let seats = &game.info().seats;
        let info = game.study(&study.setup);
        let own: Vec<&Record> = records.iter().filter(|record| record.variant.is_empty()).collect();
        let games = own.len();
        let seat_of = |id: &Option<String>| id.as_ref().and_then(|id| seats.iter().position(|s| s.id == *id));
        let won = |seat: Option<usize>| own.iter().filter(|r| seat_of(&r.winner) == seat).count();
        let wins = (0..seats.len()).map(Some).chain([None]).map(|s| Share::of(won(s), games)).collect();
        let last_turn = own.iter().map(|r| r.turn).max().unwrap_or(0);
        let mut lengths = BTreeMap::new();
        for record in &own {
            *lengths.entry(record.turn).or_default() += 1;
        }
        Counted {
            games,
            seeds: (
                own.iter().map(|r| r.seed).min().unwrap_or(0),
                own.iter().map(|r| r.seed).max().unwrap_or(0),
            ),
            wins,
            causes: causes(&own, &seat_of),
            happenings: happenings(&info, seats.len(), &own),
            unattacked: unattacked(&info, seats.len(), &own),
            lengths,
            tallies: tallies(&info, seats.len(), &own),
            marks: marks(&info, &own),
            goals: goals(&info, &own),
            aims: aims(&info, &own, seats.len(), &seat_of),
            pictures: pictures(&info, &own, seats.len(), last_turn),
            start: start(&own),
            variants: variants(study, records, &seat_of),
            forfeits: own.iter().filter(|r| r.forfeit.is_some()).count(),
            last_turn,
            info,
        }
    }
}

fn causes(own: &[&Record], seat_of: &dyn Fn(&Option<String>) -> Option<usize>) -> Vec<Cause> {
    // Messages that differ only in numbers, such as points, are grouped; the numbers are shown as their mean.
    let alike = |a: &Message, b: &Message| {
        let number = |arg: &&(_, Arg)| !matches!(arg.1, Arg::Number(_) | Arg::Text(_));
        a.key == b.key && a.args.iter().filter(number).eq(b.args.iter().filter(number))
    };
    let mut found: Vec<(Option<usize>, Message, Vec<f64>)> = Vec::new();
    for record in own {
        let seat = seat_of(&record.winner);
        match found.iter_mut().find(|(s, why, _)| *s == seat && alike(why, &record.why)) {
            Some((_, why, turns)) => {
                turns.push(f64::from(record.turn));
                for (sum, arg) in why.args.iter_mut().zip(&record.why.args) {
                    if let (Arg::Number(sum), Arg::Number(n)) = (&mut sum.1, &arg.1) {
                        *sum += n;
                    }
                }
            }
            None => found.push((seat, record.why.clone(), vec![f64::from(record.turn)])),
        }
    }
    for (_, why, turns) in &mut found {
        for (_, arg) in &mut why.args {
            if let Arg::Number(sum) = arg {
                *sum = (*sum as f64 / turns.len() as f64).round() as i64;
            }
        }
    }
    found.sort_by(|a, b| b.2.len().cmp(&a.2.len()).then_with(|| a.1.key.cmp(&b.1.key)));
    let cause = |(seat, why, turns): (Option<usize>, Message, Vec<f64>)| Cause {
        seat,
        why,
        share: Share::of(turns.len(), own.len()),
        earliest: turns.iter().fold(f64::MAX, |least, turn| least.min(*turn)) as u16,
        middle: quantile(&turns, 0.5).unwrap_or(0.0),
    };
    found.into_iter().map(cause).collect()
}

/// A seat's count of a key in the given turns.
fn counted(record: &Record, key: &str, seat: usize, turns: std::ops::RangeInclusive<usize>) -> i64 {
    let of = |turn: &crate::play::TurnRecord| turn.tallies.get(key)?.get(seat).copied();
    let wanted = |(at, _): &(usize, _)| turns.contains(at);
    record.turns.iter().enumerate().filter(wanted).filter_map(|(_, turn)| of(turn)).sum()
}

fn happenings(info: &StudyInfo, seats: usize, own: &[&Record]) -> Vec<Happening> {
    let of = |key: &String, seat: usize| {
        let sums = |turns: std::ops::RangeInclusive<usize>| -> Vec<f64> {
            own.iter().map(|record| counted(record, key, seat, turns.clone()) as f64).collect()
        };
        let (first, all) = (interval(&sums(1..=1)), interval(&sums(1..=usize::MAX)));
        Happening { key: key.clone(), seat, first, all }
    };
    let keys = course::wanted(info);
    keys.iter().flat_map(|key| (0..seats).map(move |seat| of(key, seat))).collect()
}

fn unattacked(info: &StudyInfo, seats: usize, own: &[&Record]) -> Vec<Share> {
    if !course::wanted(info).iter().any(|key| key == TOWNS_UNATTACKED) {
        return Vec::new();
    }
    let sum = |key: &str, seat: usize| -> usize {
        own.iter().map(|record| counted(record, key, seat, 1..=usize::MAX) as usize).sum()
    };
    (0..seats).map(|seat| Share::of(sum(TOWNS_UNATTACKED, seat), sum(TOWNS_TAKEN, seat))).collect()
}

fn tallies(info: &StudyInfo, seats: usize, own: &[&Record]) -> Vec<(String, Vec<BTreeMap<u16, Spread>>)> {
    let mut keys = info.tallies.clone();
    if keys.is_empty() {
        // For a game that requests nothing, everything it counts is shown.
        keys = own.iter().flat_map(|r| &r.turns).flat_map(|t| t.tallies.keys().cloned()).collect();
        keys.sort();
        keys.dedup();
    }
    let of = |key: &String| {
        let mut by_seat = vec![BTreeMap::<u16, Vec<f64>>::new(); seats];
        for turn in own.iter().flat_map(|record| &record.turns) {
            for (seat, value) in turn.tallies.get(key).into_iter().flatten().enumerate() {
                if let Some(turns) = by_seat.get_mut(seat) {
                    turns.entry(turn.turn).or_default().push(*value as f64);
                }
            }
        }
        let spread = |values: &Vec<f64>| {
            let at = |q| quantile(values, q).unwrap_or(0.0);
            Spread { low: at(0.1), middle: at(0.5), high: at(0.9), mean: mean(values) }
        };
        let rows = by_seat.iter().map(|turns| turns.iter().map(|(t, v)| (*t, spread(v))).collect());
        (key.clone(), rows.collect())
    };
    keys.iter().map(of).collect()
}

fn marks(info: &StudyInfo, own: &[&Record]) -> Vec<(String, Vec<(String, Share)>)> {
    let of = |kind: &String| {
        let mut found: BTreeMap<&String, usize> = BTreeMap::new();
        for record in own {
            let mut here: Vec<&String> =
                record.turns.iter().filter_map(|turn| turn.new_marks.get(kind)).flatten().collect();
            here.sort();
            here.dedup();
            for at in here {
                *found.entry(at).or_default() += 1;
            }
        }
        let mut rows: Vec<(String, Share)> =
            found.into_iter().map(|(at, count)| (at.clone(), Share::of(count, own.len()))).collect();
        rows.sort_by(|a, b| b.1.count.cmp(&a.1.count).then_with(|| a.0.cmp(&b.0)));
        (kind.clone(), rows)
    };
    info.marks.iter().map(of).collect()
}

fn goals(info: &StudyInfo, own: &[&Record]) -> Vec<GoalCount> {
    let of = |goal: &kernel::survey::Goal| {
        let turns = first_met(own, &goal.id);
        let kept = own.iter().filter(|r| r.turns.last().is_some_and(|t| t.goals.contains(&goal.id))).count();
        let at = |q| quantile(&turns, q);
        GoalCount {
            id: goal.id.clone(),
            seat: usize::from(goal.seat.0),
            history: goal.history,
            met: Share::of(turns.len(), own.len()),
            kept: Share::of(kept, own.len()),
            turns: at(0.1).and_then(|low| Some([low, at(0.25)?, at(0.5)?, at(0.75)?, at(0.9)?])),
        }
    };
    info.goals.iter().map(of).collect()
}

/// The turns in which a goal was first met, over the games in which it was. One that is met at the start does not count.
fn first_met(own: &[&Record], id: &str) -> Vec<f64> {
    let first = |record: &&Record| {
        let met = |turn: &&crate::play::TurnRecord| turn.turn > 0 && turn.goals.iter().any(|goal| goal == id);
        record.turns.iter().find(met).map(|turn| f64::from(turn.turn))
    };
    own.iter().filter_map(first).collect()
}

fn aims(
    info: &StudyInfo,
    own: &[&Record],
    seats: usize,
    seat_of: &dyn Fn(&Option<String>) -> Option<usize>,
) -> Vec<Reached> {
    let percent = |count: usize| {
        let share = Share::of(count, own.len());
        Some([share.low, share.value, share.high].map(|part| 100.0 * part))
    };
    let ended = |why: &String| -> Vec<f64> {
        own.iter().filter(|r| r.why.key == *why).map(|r| f64::from(r.turn)).collect()
    };
    let unattacked = unattacked(info, seats, own);
    let value = |figure: &Figure| match figure {
        Figure::Won(seat) => {
            percent(own.iter().filter(|r| seat_of(&r.winner) == Some(usize::from(seat.0))).count())
        }
        Figure::Ended(why) => percent(ended(why).len()),
        Figure::EndedFrom(why) => ended(why).into_iter().reduce(f64::min).map(|turn| [turn; 3]),
        Figure::Met(goal) => percent(first_met(own, goal).len()),
        Figure::MetFrom(goal) => middle(&first_met(own, goal)),
        Figure::Unattacked(seat) => unattacked
            .get(usize::from(seat.0))
            .map(|share| [share.low, share.value, share.high].map(|part| 100.0 * part)),
        Figure::FirstTurn(key, seat) => {
            let count = |record: &&Record| counted(record, key, usize::from(seat.0), 1..=1) as f64;
            Some(interval(&own.iter().map(count).collect::<Vec<f64>>()))
        }
    };
    info.aims.iter().map(|aim| Reached { aim: aim.clone(), value: value(&aim.figure) }).collect()
}

fn pictures(info: &StudyInfo, own: &[&Record], seats: usize, last_turn: u16) -> Vec<Picture> {
    let mut wanted = info.pictures.clone();
    if wanted.is_empty() {
        let turns: Vec<u16> = own.iter().flat_map(|r| &r.turns).map(|t| t.turn).filter(|t| *t > 0).collect();
        let last = turns.iter().max().copied().unwrap_or(0);
        wanted = (1..=last)
            .map(|turn| (turn, Message::new("report.turn").number("turn", i64::from(turn))))
            .collect();
    }
    wanted.retain(|(turn, _)| *turn <= last_turn);
    let of = |(turn, name): &(u16, Message)| {
        let mut held: Vec<Vec<f64>> = vec![Vec::new(); seats];
        let mut games = 0;
        for record in own {
            // A game that is over keeps its final position.
            let pictured = |t: &&crate::play::TurnRecord| t.turn <= *turn && !t.held.is_empty();
            let Some(at) = record.turns.iter().rfind(pictured) else { continue };
            games += 1;
            for (seat, row) in at.held.iter().enumerate().take(seats) {
                for cell in held_cells(row) {
                    if held[seat].len() <= cell {
                        held[seat].resize(cell + 1, 0.0);
                    }
                    held[seat][cell] += 1.0;
                }
            }
        }
        for share in held.iter_mut().flatten() {
            *share /= f64::from(games.max(1));
        }
        Picture { name: name.clone(), held }
    };
    wanted.iter().map(of).collect()
}

fn start(own: &[&Record]) -> Vec<Vec<bool>> {
    let first = own.iter().find_map(|record| record.turns.first());
    let row = |row: &String| {
        let cells = held_cells(row);
        let mut out = vec![false; cells.iter().max().map_or(0, |most| most + 1)];
        for cell in cells {
            out[cell] = true;
        }
        out
    };
    first.map(|turn| turn.held.iter().map(row).collect()).unwrap_or_default()
}

fn variants(
    study: &Study,
    records: &[Record],
    seat_of: &dyn Fn(&Option<String>) -> Option<usize>,
) -> Vec<VariantCount> {
    let of = |id: &str| {
        let own: Vec<&Record> = records.iter().filter(|record| record.variant == id).collect();
        let won = own.iter().filter(|r| seat_of(&r.winner) == Some(0)).count();
        VariantCount { id: id.to_owned(), games: own.len(), won: Share::of(won, own.len()) }
    };
    if study.variants.is_empty() {
        return Vec::new();
    }
    std::iter::once("").chain(study.variants.iter().map(|v| v.id.as_str())).map(of).collect()
}
