//! Advice, and decisions played out beforehand: on copies of the table, on blocking threads, for a bounded time, and
//! only in games whose creator allows it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Applied, Ask, Dice, Entry, Pending, Seat, Table, Verdict, View, Viewer};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

use crate::bots::{BotChoice, BotProvider, Cancel};
use crate::error::{Fault, Result};
use crate::guard;
use crate::hub::Hub;
use crate::ids;
use crate::naming::Naming;
use crate::protocol::{Advice, Answered, ErrorCode, Fate, Losses, Request, Tally, WhatIf};
use crate::requests::short;
use crate::store::rows::{UserRow, as_json};

/// Time limit for advice; then the adviser answers with the best it has found.
const ADVICE: Duration = Duration::from_secs(8);
/// Time limit for playing out a decision.
const PLAYING: Duration = Duration::from_secs(4);
/// How long an analysis may wait in the queue.
const QUEUE: Duration = Duration::from_secs(20);
const MOST_TIMES: u32 = 10_000;
/// How many decisions after the one in question are played at most.
const FOLLOW: usize = 32;
/// The most lines of the log, and the most places of a piece, in an answer.
const LINES: usize = 60;
const PLACES: usize = 8;

/// Answer a [`Request::Advise`] or [`Request::WhatIf`].
pub async fn answer(
    hub: &Arc<Hub>,
    game: &str,
    user: Option<&UserRow>,
    request: Request,
    cancel: &Arc<Cancel>,
) -> Result<Answered> {
    let id = user.map(|u| u.id.as_str());
    let (Request::Advise { seat, .. } | Request::WhatIf { seat, .. }) = request else {
        return Err(Fault::bad("not an analysis"));
    };
    let mut room = hub.room(game).await?;
    room.may_look(id)?;
    room.must_hold(id, seat)?;
    if !room.row.analysis {
        return Err(Fault::new(ErrorCode::Forbidden, "this game was created without analysis"));
    }
    room.must_play()?;
    if !room.session.pending().awaits(seat) {
        return Err(Fault::new(ErrorCode::Stale, "this seat has nothing to decide now"));
    }
    let asked = Analysis {
        bots: Arc::clone(&hub.config.bots),
        game: room.row.setup.game.clone(),
        table: room.session.table().clone_table(),
        naming: guard::rules(game, "names", || room.naming_now(seat))?,
        seat,
        moment: room.moment,
        cancel: Arc::clone(cancel),
    };
    let (rules, setup) = (Arc::clone(room.game()), room.row.setup.clone());
    room.analyses.retain(|other| other.strong_count() > 0);
    room.analyses.push(Arc::downgrade(cancel));
    drop(room);

    let waiting = Arc::clone(&hub.analysis_permits).acquire_owned();
    let busy = || Fault::new(ErrorCode::RateLimited, "too many analyses go on");
    let permit = tokio::time::timeout(QUEUE, waiting).await.map_err(|_| busy())?.map_err(Fault::internal)?;
    let work: Box<dyn FnOnce() -> Result<Answered> + Send> = match request {
        Request::WhatIf { action, times, question, .. } => {
            short(&action)?;
            question.as_deref().map(short).transpose()?;
            let times = times.unwrap_or(MOST_TIMES).clamp(1, MOST_TIMES);
            Box::new(move || {
                // A piece that leaves the cells of the map counts as lost.
                let cells = rules.board(&setup).map(|b| b.cells.into_iter().map(|c| c.id).collect());
                asked.what_if(&action, times, question.as_deref(), &cells.unwrap_or_default())
            })
        }
        Request::Advise { level, .. } => {
            let levels = hub.config.bots.levels(&setup.game);
            let level = match level {
                Some(level) if levels.iter().any(|l| l.id == level) => level,
                Some(level) => return Err(Fault::bad(format!("no bot level `{level}`"))),
                None => levels.last().ok_or_else(|| Fault::bad("there is no bot for this game"))?.id.clone(),
            };
            Box::new(move || asked.advise(level))
        }
        _ => return Err(Fault::bad("not an analysis")),
    };
    let mut working = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    let answered = match tokio::time::timeout(ADVICE, &mut working).await {
        Ok(done) => done,
        Err(_) => {
            cancel.hurry();
            working.await
        }
    };
    if cancel.is_unwanted() {
        return Err(Fault::new(ErrorCode::Cancelled, "withdrawn, or the position is gone"));
    }
    answered.map_err(Fault::internal)?
}

struct Analysis {
    bots: Arc<dyn BotProvider>,
    game: String,
    table: Box<dyn Table>,
    naming: Naming,
    seat: Seat,
    moment: u32,
    cancel: Arc<Cancel>,
}

impl Analysis {
    fn advise(&self, level: String) -> Result<Answered> {
        let choice = self.bots.choose(&self.game, &*self.table, self.seat, &level, &self.cancel);
        let choice = choice.ok_or_else(|| Fault::new(ErrorCode::Cancelled, "nothing was found in time"))?;
        let reading = self.naming.read(&choice.action);
        let BotChoice { action, why } = choice;
        Ok(Answered::Advice(Box::new(Advice { moment: self.moment, action, reading, why, level })))
    }

    fn what_if(
        &self,
        action: &str,
        times: u32,
        question: Option<&str>,
        cells: &HashSet<String>,
    ) -> Result<Answered> {
        if let Verdict::Illegal(refusal) = self.table.verdict(self.seat, action) {
            return Err(Fault::illegal(refusal));
        }
        let viewer = Viewer::Seat(self.seat);
        let exact = question.map(|question| self.table.ask(viewer, question)).transpose();
        let exact = exact.map_err(|error| match error {
            Ask::Secret => Fault::new(ErrorCode::Secret, error.to_string()),
            Ask::Unknown(_) | Ask::Bad(_) => Fault::bad(error.to_string()),
        })?;
        let before = self.table.view(viewer);
        // The copies contain what is hidden from this seat, so games in which it is revealed are not reported.
        let hidden = before != self.table.view(Viewer::Referee);
        let mut count = Count::new(&before, cells);
        let until = Instant::now() + PLAYING;
        let mut dice = Dice::seeded(ids::random(), 0);
        let mut rng = ChaCha8Rng::from_seed(ids::random());
        let mut answer = WhatIf { moment: self.moment, exact, certain: true, ..WhatIf::default() };
        for played in 1..=times {
            let mut one = Played::default();
            let table = self.play(action, hidden, &mut dice, &mut rng, &mut one)?;
            answer.times = played;
            answer.action = one.action;
            answer.certain &= !one.open;
            if hidden && one.revealed {
                answer.hidden += 1;
            } else {
                count.add(&one.told, &table.view(viewer));
            }
            if answer.certain || self.cancel.is_set() || Instant::now() > until {
                break;
            }
            self.cancel.tell(played as f32 / times as f32);
        }
        count.tell(&mut answer);
        Ok(Answered::WhatIf(Box::new(answer)))
    }

    /// Play once, until the same seat is asked the same question again, the next phase begins, or the game is over.
    fn play(
        &self,
        action: &str,
        hidden: bool,
        dice: &mut Dice,
        rng: &mut ChaCha8Rng,
        played: &mut Played,
    ) -> Result<Box<dyn Table>> {
        let asked = self.table.prompt(self.seat).message.key;
        let mut table = self.table.clone_table();
        let applied = table.apply(self.seat, action, dice)?;
        played.action.clone_from(&applied.action);
        let mut over = played.note(applied, self.seat);
        for _ in 0..FOLLOW {
            let pending = table.pending();
            let Some(seat) = pending.first().filter(|_| !matches!(pending, Pending::Each(_))) else { break };
            if over || (seat == self.seat && table.prompt(seat).message.key == asked) {
                break;
            }
            // Whether another seat could respond, and how, may be that seat's secret.
            if hidden && seat != self.seat {
                break;
            }
            let Some(next) = self.bots.quick(&self.game, &*table, seat, rng) else { break };
            played.open = true;
            over = played.note(table.apply(seat, &next, dice)?, self.seat);
        }
        Ok(table)
    }
}

/// What happened in one of the games.
#[derive(Default)]
struct Played {
    action: String,
    /// A die was rolled or a further decision was taken: the result may vary.
    open: bool,
    revealed: bool,
    told: Vec<Tally>,
}

impl Played {
    /// Returns whether a new phase began.
    fn note(&mut self, applied: Applied, seat: Seat) -> bool {
        self.open |= !applied.rolls.is_empty();
        self.revealed |= applied.revealed;
        let mut heading = false;
        for entry in applied.entries {
            heading |= entry.level == 0;
            // Single dice are not worth a line.
            let die = entry.data.get("kind").is_some_and(|kind| kind == "roll");
            if entry.audience.includes(Viewer::Seat(seat)) && !die && entry.level > 0 {
                let Entry { seat, topic, message, level, .. } = entry;
                self.told.push(Tally { seat, topic, message, level, share: 0.0 });
            }
        }
        heading
    }
}

/// The tally of all games played.
struct Count<'a> {
    before: &'a View,
    at: HashMap<&'a str, usize>,
    cells: &'a HashSet<String>,
    games: u32,
    told: HashMap<String, (Tally, u32)>,
    fates: Vec<PieceCount>,
    losses: Vec<Vec<u32>>,
}

#[derive(Clone, Default)]
struct PieceCount {
    changed: bool,
    gone: u32,
    reduced: u32,
    places: HashMap<String, u32>,
    states: HashMap<String, u32>,
}

impl<'a> Count<'a> {
    fn new(before: &'a View, cells: &'a HashSet<String>) -> Self {
        let seats = before.pieces.iter().filter_map(|p| p.seat).map(|s| usize::from(s.0) + 1).max();
        Count {
            before,
            at: before.pieces.iter().enumerate().map(|(n, p)| (p.id.as_str(), n)).collect(),
            cells,
            games: 0,
            told: HashMap::new(),
            fates: vec![PieceCount::default(); before.pieces.len()],
            losses: vec![Vec::new(); seats.unwrap_or(0)],
        }
    }

    fn add(&mut self, told: &[Tally], after: &View) {
        self.games += 1;
        let mut seen = HashSet::new();
        for line in told {
            let key = as_json(&(line.seat, &line.message));
            // A line that appears twice in one game counts once.
            if seen.insert(key.clone()) {
                self.told.entry(key).or_insert_with(|| (line.clone(), 0)).1 += 1;
            }
        }
        let mut lost = vec![0_usize; self.losses.len()];
        let mut here = vec![false; self.before.pieces.len()];
        for piece in &after.pieces {
            let Some(&n) = self.at.get(piece.id.as_str()) else { continue };
            here[n] = true;
            let old = &self.before.pieces[n];
            let fate = &mut self.fates[n];
            let gone = self.cells.contains(&old.at) && !self.cells.contains(&piece.at);
            let reduced = piece.face.reduced && !old.face.reduced;
            fate.gone += u32::from(gone);
            fate.reduced += u32::from(reduced);
            fate.changed |= gone || reduced || piece.at != old.at;
            if let Some(seat) = old.seat.filter(|_| gone || reduced) {
                lost[usize::from(seat.0)] += 1;
            }
            if !gone {
                *fate.places.entry(piece.at.clone()).or_default() += 1;
            }
            for state in piece.states.iter().filter(|s| !old.states.contains(s)) {
                fate.changed = true;
                *fate.states.entry(state.clone()).or_default() += 1;
            }
        }
        for (n, _) in here.iter().enumerate().filter(|(_, here)| !**here) {
            self.fates[n].gone += 1;
            self.fates[n].changed = true;
            if let Some(seat) = self.before.pieces[n].seat {
                lost[usize::from(seat.0)] += 1;
            }
        }
        for (spread, lost) in self.losses.iter_mut().zip(lost) {
            if spread.len() <= lost {
                spread.resize(lost + 1, 0);
            }
            spread[lost] += 1;
        }
    }

    fn tell(self, answer: &mut WhatIf) {
        let games = f64::from(self.games.max(1));
        let share = |n: u32| f64::from(n) / games;
        let sorted = |counts: HashMap<String, u32>| {
            let mut list: Vec<(String, f64)> = counts.into_iter().map(|(k, n)| (k, share(n))).collect();
            list.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            list.truncate(PLACES);
            list
        };
        let mut told: Vec<(String, Tally)> =
            self.told.into_iter().map(|(key, (line, n))| (key, Tally { share: share(n), ..line })).collect();
        told.sort_by(|a, b| b.1.share.total_cmp(&a.1.share).then_with(|| a.0.cmp(&b.0)));
        answer.told = told.into_iter().map(|(_, line)| line).take(LINES).collect();
        answer.pieces = self
            .before
            .pieces
            .iter()
            .zip(self.fates)
            .filter(|(_, fate)| fate.changed)
            .map(|(piece, fate)| Fate {
                piece: piece.id.clone(),
                seat: piece.seat,
                gone: share(fate.gone),
                reduced: share(fate.reduced),
                places: sorted(fate.places),
                states: sorted(fate.states),
            })
            .collect();
        answer.losses = self
            .losses
            .into_iter()
            .enumerate()
            .map(|(seat, spread)| Losses {
                seat: Seat(seat as u8),
                mean: spread.iter().enumerate().map(|(lost, n)| lost as f64 * share(*n)).sum(),
                spread: spread.into_iter().map(share).collect(),
            })
            .collect();
    }
}
