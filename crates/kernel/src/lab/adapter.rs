//! The only adapter between a lab file and a game. The rules know nothing of it: it plays what a file left out (the
//! only answer to a question, a plain "no", `done`) as decisions of the seats concerned, and asks the game only for
//! what [`Leniency`] names. Each game's `lab` module says how leniently its files are read.

mod later;
mod leniency;
mod spelling;

use std::{borrow::Cow, sync::Arc};

use rand_core::RngCore;
use serde_json::Value;

use super::LabTable;
use crate::{
    Applied, Ask, Dice, Entry, Erased, Log, OptionItem, Pending, Prompt, Refusal, Rules, Seat, Secrecy,
    SetupError, Stop, SubjectItem, Survey, Table, Verdict, View, Viewer, erased,
};
use leniency::{ActionOf, LogOf, StateOf};
pub use leniency::{By, Last, Leniency, Next, Said};

/// A decision that was taken automatically.
struct Taken<L: Leniency> {
    at: StateOf<L>,
    by: By<L>,
}

impl<L: Leniency> Clone for Taken<L> {
    fn clone(&self) -> Self {
        Taken { at: self.at.clone(), by: self.by.clone() }
    }
}

/// A position, and what led to it.
struct Position<L: Leniency> {
    state: StateOf<L>,
    /// Decisions that followed from the last one and were taken automatically.
    taken: Vec<Taken<L>>,
    /// The facts of the last decision's log.
    told: Vec<Value>,
    /// That log itself.
    entries: Vec<Entry>,
    /// The only answer to the current question, if it is left to the file.
    held: Option<By<L>>,
    /// The file's dice after the last decision.
    dice: Dice,
}

impl<L: Leniency> Clone for Position<L> {
    fn clone(&self) -> Self {
        Position {
            state: self.state.clone(),
            taken: self.taken.clone(),
            told: self.told.clone(),
            entries: self.entries.clone(),
            held: self.held.clone(),
            dice: self.dice.clone(),
        }
    }
}

/// The table of a lab file.
pub struct Lab<L: Leniency> {
    leniency: Arc<L>,
    inner: Erased<L::Rules>,
    now: Position<L>,
    /// The file's next decision.
    next: Option<(Seat, String)>,
    /// That and those after it, up to the next question.
    then: Vec<(Seat, String)>,
    strict: bool,
}

impl<L: Leniency> std::fmt::Debug for Lab<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lab").field("strict", &self.strict).finish_non_exhaustive()
    }
}

impl<L: Leniency> Lab<L> {
    /// The table of a file that begins with `state`, which is run to its first question. If dice would be rolled before
    /// that question, the table waits for `done`.
    pub fn open(leniency: L, rules: Arc<L::Rules>, state: StateOf<L>) -> Result<Self, SetupError> {
        let mut lab = Lab {
            leniency: Arc::new(leniency),
            now: Position {
                state: state.clone(),
                taken: Vec::new(),
                told: Vec::new(),
                entries: Vec::new(),
                held: None,
                dice: Dice::scripted(Vec::new()),
            },
            inner: Erased::new(rules, state),
            next: None,
            then: Vec::new(),
            strict: false,
        };
        let mut first = lab.now.clone();
        match lab.settle(&mut first, None, &mut Dice::scripted(Vec::new()), &mut Log::default()) {
            Ok(()) => lab.set(first),
            Err(stop) => {
                let mut waiting = lab.now.clone();
                let rolled = matches!(stop, Stop::Dice(_));
                if !rolled || !lab.leniency.pause(&mut waiting.state) {
                    return Err(SetupError::Bad(format!("before the first decision: {stop}")));
                }
                lab.set(waiting);
            }
        }
        Ok(lab)
    }

    /// Change the position before the first decision.
    pub fn adjust(&mut self, change: impl FnOnce(&L::Rules, &mut StateOf<L>)) {
        let mut now = self.now.clone();
        change(&self.inner.rules, &mut now.state);
        self.set(now);
    }

    fn set(&mut self, now: Position<L>) {
        self.inner.state = now.state.clone();
        self.now = now;
    }

    fn rules(&self) -> &L::Rules {
        &self.inner.rules
    }

    /// Runs everything that needs no decision from the file.
    fn settle(
        &self,
        at: &mut Position<L>,
        last: Option<&Last<L>>,
        dice: &mut Dice,
        log: &mut LogOf<L>,
    ) -> Result<(), Stop> {
        let (leniency, rules) = (&*self.leniency, self.rules());
        while !self.settle_phase(at, last, dice, log)? {
            // A phase that begins with a roll waits as well.
            let mut opened = at.state.clone();
            if let Err(Stop::Dice(_)) =
                leniency.run(rules, &mut opened, &mut dice.clone(), &mut Log::default())
                && leniency.pause(&mut at.state)
            {
                return Ok(());
            }
            leniency.run(rules, &mut at.state, dice, log)?;
            // Are there enough dice for everything that the new phase rolls before somebody decides?
            let mut trial = at.clone();
            if let Err(Stop::Dice(_)) =
                self.settle_to(&mut trial, None, &mut dice.clone(), &mut Log::default(), &mut None)
                && leniency.pause(&mut at.state)
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Like `settle`, but only to the end of the phase. Returns whether a seat is asked before it ends. If the dice run
    /// out after an answer that a file may leave out, that question waits.
    fn settle_phase(
        &self,
        at: &mut Position<L>,
        last: Option<&Last<L>>,
        dice: &mut Dice,
        log: &mut LogOf<L>,
    ) -> Result<bool, Stop> {
        let mut before_decoy = None;
        match (self.settle_to(at, last, dice, log, &mut before_decoy), before_decoy) {
            (Err(Stop::Dice(_)), Some(before)) => {
                (*at, *dice, *log) = *before;
                Ok(true)
            }
            (settled, _) => settled,
        }
    }

    /// Settles to the end of the phase; `before_decoy` is the position before the last answer that a file may leave out.
    fn settle_to(
        &self,
        at: &mut Position<L>,
        last: Option<&Last<L>>,
        dice: &mut Dice,
        log: &mut LogOf<L>,
        before_decoy: &mut Option<Box<(Position<L>, Dice, LogOf<L>)>>,
    ) -> Result<bool, Stop> {
        let (leniency, rules) = (&*self.leniency, self.rules());
        loop {
            let by = match leniency.next(rules, &at.state) {
                Next::Runs if leniency.phase_ends(&at.state) => return Ok(false),
                Next::Runs if leniency.run(rules, &mut at.state, dice, log)? => continue,
                Next::Forced(seat, action) => (seat, action),
                Next::Choice | Next::Runs => {
                    match leniency.decoy_answer(rules, &at.state).filter(|_| !self.strict) {
                        Some(by) => {
                            *before_decoy = Some(Box::new((at.clone(), dice.clone(), log.clone())));
                            by
                        }
                        None => return Ok(true),
                    }
                }
            };
            if leniency.waits(rules, &at.state, last) {
                at.held = Some(by);
                return Ok(true);
            }
            at.taken.push(Taken { at: at.state.clone(), by: by.clone() });
            leniency.decide(rules, &mut at.state, &by, dice, log)?;
        }
    }

    fn read(&self, at: &Position<L>, said: Said) -> Result<ActionOf<L>, Refusal> {
        let action = match self.rules().parse(&at.state, said.seat, said.text) {
            Err(refusal) if !self.strict => {
                let names = AtTable::new(self.rules(), &at.state);
                let others = spelling::decisions(said.text, &names);
                let read = |text: String| self.rules().parse(&at.state, said.seat, &text).ok();
                others.into_iter().find_map(read).ok_or(refusal)?
            }
            read => read?,
        };
        Ok(if self.strict { action } else { self.leniency.complete(self.rules(), &at.state, action) })
    }

    /// A line that the game does not read as it stands, in the first usual spelling that it does read.
    fn respelled<'a>(&self, seat: Seat, text: &'a str) -> Cow<'a, str> {
        let read = |text: &str| self.rules().parse(&self.now.state, seat, text).is_ok();
        if self.strict || read(text) {
            return text.into();
        }
        let others = spelling::decisions(text, &AtTable::new(self.rules(), &self.now.state));
        others.into_iter().find(|text| read(text)).map_or(text.into(), Cow::Owned)
    }

    /// What the game says of a decision at the current question.
    fn judge(&self, at: &Position<L>, said: Said) -> Result<ActionOf<L>, Refusal> {
        let action = self.read(at, said)?;
        self.leniency.check(self.rules(), &at.state, said.seat, &action)?;
        Ok(action)
    }

    /// Applies a decision that was checked.
    fn play(
        &self,
        at: &Position<L>,
        by: &By<L>,
        dice: &mut Dice,
        log: &mut LogOf<L>,
    ) -> Result<Position<L>, Stop> {
        let rules = self.rules();
        let mut after = Position {
            state: at.state.clone(),
            taken: Vec::new(),
            told: Vec::new(),
            entries: Vec::new(),
            held: None,
            dice: Dice::scripted(Vec::new()),
        };
        self.leniency.decide(rules, &mut after.state, by, dice, log)?;
        let last = Last { at: at.state.clone(), by: by.clone() };
        self.settle(&mut after, Some(&last), dice, log)?;
        let entries = crate::log::entries(rules, &after.state, log.events());
        after.told = entries.iter().map(|entry| entry.data.clone()).collect();
        after.entries = entries;
        after.dice = dice.clone();
        Ok(after)
    }

    /// Plays a line of the file literally.
    fn say(&self, at: &Position<L>, said: Said, dice: &mut Dice) -> Result<(Position<L>, Applied), Stop> {
        let action = self.judge(at, said)?;
        let mut log = Log::default();
        let mut trial = dice.clone();
        trial.forget();
        let rules = self.rules();
        let mut now = at.clone();
        let by = (said.seat, action);
        while let Some(first) = self.leniency.before(rules, &now.state, &by).filter(|_| !self.strict) {
            self.leniency.decide(rules, &mut now.state, &first, &mut trial, &mut log)?;
        }
        let text = rules.notate(&now.state, &by.1);
        let secrecy = rules.secrecy(&now.state, by.0, &by.1);
        let after = self.play(&now, &by, &mut trial, &mut log)?;
        let applied = erased::applied(rules, &after.state, text, secrecy, trial.take_rolled(), &log);
        *dice = trial;
        Ok((after, applied))
    }

    /// A decision of the file: where it leads.
    fn found(&self, said: Said, dice: &mut Dice) -> Result<(Position<L>, Applied), Stop> {
        let refusal = match self.say(&self.now, said, dice) {
            Err(Stop::Illegal(refusal)) => refusal,
            other => return other,
        };
        let mut now = self.now.clone();
        if self.said_again(&mut now, said, false) {
            let applied = nothing(said.text, &now);
            return Ok((now, applied));
        }
        let found = match self.say_otherwise(said, &refusal, dice) {
            Some(found) => Ok(found),
            None if Self::later(&refusal) => self.say_later(said, refusal.is_out_of_turn(), dice),
            None => Err(None),
        };
        match found {
            Ok(found) => Ok(found),
            Err(_) if refusal.is_out_of_turn() && self.said_again(&mut now, said, true) => {
                let applied = nothing(said.text, &now);
                Ok((now, applied))
            }
            Err(later) => Err(later.filter(|_| refusal.is_out_of_turn()).unwrap_or(refusal).into()),
        }
    }

    /// Plays a decision of the file.
    fn take(&mut self, said: Said, dice: &mut Dice) -> Result<Applied, Stop> {
        let (now, applied) = self.found(said, dice)?;
        self.set(now);
        Ok(applied)
    }

    /// Is the file's next decision, rightly or wrongly, an answer to the question that waits?
    fn next_answers(&self) -> bool {
        self.next.as_ref().is_some_and(|(seat, text)| self.answers(*seat, text))
    }

    fn answers(&self, seat: Seat, text: &str) -> bool {
        let Ok(action) = self.read(&self.now, Said { seat, text, then: &[] }) else { return false };
        match self.leniency.check(self.rules(), &self.now.state, seat, &action) {
            Ok(()) => true,
            Err(refusal) => !refusal.is_out_of_turn(),
        }
    }

    /// Skips the lines that only repeat what was answered automatically: does the first other one answer the question?
    fn answered_after(&self, then: &[(Seat, String)]) -> bool {
        let mut told = self.now.told.clone();
        let repeats = |(seat, text): &&(Seat, String)| {
            let said = Said { seat: *seat, text, then: &[] };
            self.leniency.already_done(self.rules(), &self.now.state, &mut told, said, true)
        };
        let skipped = then.iter().take_while(repeats).count();
        then.get(skipped).is_some_and(|(seat, text)| self.answers(*seat, text))
    }

    /// Answers the questions that the file skips after a decision. A question for which the file has too few dice waits.
    fn pass_over(&mut self, applied: &mut Applied, then: &[(Seat, String)], dice: &mut Dice) {
        while let Some(by) = self.leniency.passed_over(self.rules(), &self.now.state) {
            if self.strict || self.next_answers() || self.answered_after(then) {
                return;
            }
            let mut log = Log::default();
            let mut trial = dice.clone();
            trial.forget();
            let Ok(mut after) = self.play(&self.now, &by, &mut trial, &mut log) else { return };
            applied.entries.extend(crate::log::entries(self.rules(), &after.state, log.events()));
            applied.rolls.extend(trial.take_rolled());
            after.taken.splice(0..0, self.now.taken.iter().cloned());
            after.told.splice(0..0, self.now.told.iter().cloned());
            after.entries.splice(0..0, self.now.entries.iter().cloned());
            *dice = trial;
            self.set(after);
        }
    }

    /// The position in which a question is answered.
    fn asked(&self) -> Option<Erased<L::Rules>> {
        if self.next_answers() {
            return None;
        }
        let mut at = self.now.clone();
        let mut dice = self.ahead();
        let mut any = false;
        while let Some(by) = self.leniency.before_ask(self.rules(), &at.state).filter(|_| !self.strict) {
            at = self.play(&at, &by, &mut dice, &mut Log::default()).ok()?;
            any = true;
        }
        any.then(|| Erased::new(Arc::clone(&self.inner.rules), at.state))
    }
}

/// One line for each unit, from a line in which several units do the same: `retreat A B C 1314` or
/// `retreat A+B+C 1314`. `verbs` are those for which this is understood. None if the line names fewer than two units,
/// or no place.
pub fn one_by_one(text: &str, verbs: &[&str], is_place: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let between = |c: char| c.is_whitespace() || c == '+' || c == ',';
    let is_name = |word: &&str| !word.is_empty() && !word.eq_ignore_ascii_case("and");
    let words: Vec<&str> = text.split(between).filter(is_name).collect();
    let (verb, rest) = words.split_first()?;
    let known = verbs.iter().any(|known| verb.eq_ignore_ascii_case(known));
    let begins = |word: &&str| is_place(word) || ["to", "out"].iter().any(|w| word.eq_ignore_ascii_case(w));
    let (names, way) = rest.split_at(rest.iter().position(begins)?);
    let way = way.join(" ");
    (known && names.len() > 1).then(|| names.iter().map(|name| format!("{verb} {name} {way}")).collect())
}

/// What the words of a line name at a table.
struct AtTable(Vec<(String, String)>);

impl AtTable {
    fn new<R: Rules>(rules: &R, state: &R::State) -> Self {
        let pieces = rules.view(state, Viewer::Referee).pieces;
        AtTable(pieces.into_iter().map(|piece| (piece.id, piece.at)).collect())
    }
}

impl spelling::Names for AtTable {
    fn is_unit(&self, word: &str) -> bool {
        self.0.iter().any(|(id, _)| id.eq_ignore_ascii_case(word))
    }

    fn place_of(&self, unit: &str) -> Option<String> {
        self.0.iter().find(|(id, _)| id.eq_ignore_ascii_case(unit)).map(|(_, at)| at.clone())
    }
}

/// A decision that changed nothing because the lab had taken it already: its log entries are those of the decision
/// before.
fn nothing<L: Leniency>(text: &str, at: &Position<L>) -> Applied {
    Applied {
        action: text.to_owned(),
        entries: at.entries.clone(),
        rolls: Vec::new(),
        revealed: false,
        secrecy: Secrecy::Open,
        redacted: None,
        secret_rolls: Vec::new(),
        disclosed: Vec::new(),
    }
}

impl<L: Leniency> LabTable for Lab<L> {
    fn read_strictly(&mut self) {
        self.strict = true;
    }

    fn forbidden_by(&self, refusal: &Refusal, rule: &str) -> bool {
        let also = || self.leniency.also(&self.now.state, refusal);
        refusal.cites(rule)
            || !self.strict && also().iter().any(|other| crate::verdict::at_or_below(other, rule))
    }

    fn refused_as_written(&self, seat: Seat, text: &str) -> Option<Refusal> {
        let (rules, state) = (self.rules(), &self.now.state);
        let text = self.respelled(seat, text);
        let action = rules.parse(state, seat, &text).ok()?;
        self.leniency.check(rules, state, seat, &action).err().filter(|refusal| !refusal.is_out_of_turn())
    }

    fn normal(&self, value: Value) -> Value {
        self.leniency.normal(value)
    }

    fn without_unmentioned(&self, answer: Value, expect: &Value) -> Value {
        self.leniency.without_unmentioned(answer, expect)
    }

    fn foresee(&mut self, next: Option<(Seat, &str)>, then: Vec<(Seat, String)>) {
        self.next = next.map(|(seat, text)| (seat, self.respelled(seat, text).into_owned()));
        self.then =
            then.into_iter().map(|(seat, text)| (seat, self.respelled(seat, &text).into_owned())).collect();
    }
}

impl<L: Leniency> Table for Lab<L> {
    fn apply(&mut self, seat: Seat, text: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        let then = std::mem::take(&mut self.then);
        let text = self.respelled(seat, text).into_owned();
        let said = Said { seat, text: &text, then: &then };
        if !self.strict && self.leniency.echoes(self.rules(), &self.now.state, &self.now.told, said) {
            return Ok(nothing(&text, &self.now));
        }
        let mut applied = self.take(said, dice)?;
        self.pass_over(&mut applied, &then, dice);
        Ok(applied)
    }

    fn verdict(&self, seat: Seat, text: &str) -> Verdict {
        let text = self.respelled(seat, text);
        let said = Said { seat, text: &text, then: &self.then };
        let Err(refusal) = self.judge(&self.now, said) else { return Verdict::Legal };
        if !self.strict
            && let Some(line) = self.leniency.intended_line(self.rules(), &self.now.state, said, &refusal)
        {
            let intended: Verdict = self.judge(&self.now, Said { text: &line, ..said }).map(|_| ()).into();
            if self.leniency.stands_for(&intended) {
                return intended;
            }
        }
        if refusal.is_out_of_turn()
            && let Ok(action) = self.read(&self.now, said)
            && let Some(why) = self.leniency.unasked(self.rules(), &self.now.state, &(seat, action))
        {
            return Verdict::Illegal(why);
        }
        let later =
            || Self::later(&refusal).then(|| self.verdict_later(said, refusal.is_out_of_turn())).flatten();
        let passed = || self.not_open(&self.now, said).filter(|_| refusal.is_out_of_turn());
        let found = if L::PASSED_QUESTIONS_FIRST { passed().or_else(later) } else { later().or_else(passed) };
        found.unwrap_or_else(|| Verdict::Illegal(refusal.clone()))
    }

    fn ask(&self, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        let asked = self.asked();
        let ask = |question: &str| match &asked {
            Some(after) if !question.trim_start().starts_with("legal") => after.ask(viewer, question),
            _ => self.inner.ask(viewer, question),
        };
        match ask(question) {
            Err(error @ (Ask::Unknown(_) | Ask::Bad(_))) if !self.strict => {
                let names = AtTable::new(self.rules(), &self.now.state);
                let others = spelling::questions(question, &names);
                others.iter().find_map(|other| ask(other).ok()).ok_or(error)
            }
            answer => answer,
        }
    }

    fn turn(&self) -> u16 {
        self.inner.turn()
    }

    fn survey(&self) -> Survey {
        self.inner.survey()
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self.inner.as_any()
    }

    fn pending(&self) -> Pending {
        self.inner.pending()
    }

    fn prompt(&self, seat: Seat) -> Prompt {
        self.inner.prompt(seat)
    }

    fn subjects(&self, seat: Seat) -> Vec<SubjectItem> {
        self.inner.subjects(seat)
    }

    fn options(&self, seat: Seat, subject: &str) -> Result<Vec<OptionItem>, Refusal> {
        self.inner.options(seat, subject)
    }

    fn view(&self, viewer: Viewer) -> View {
        self.inner.view(viewer)
    }

    fn snapshot(&self) -> Value {
        self.inner.snapshot()
    }

    fn restore(&mut self, snapshot: &Value) -> Result<(), SetupError> {
        self.inner.restore(snapshot)?;
        let state = self.inner.state.clone();
        let dice = self.now.dice.clone();
        let (taken, told, entries) = (Vec::new(), Vec::new(), Vec::new());
        self.now = Position { state, taken, told, entries, held: None, dice };
        Ok(())
    }

    fn clone_table(&self) -> Box<dyn Table> {
        Box::new(Lab {
            leniency: Arc::clone(&self.leniency),
            inner: self.inner.clone(),
            now: self.now.clone(),
            next: self.next.clone(),
            then: self.then.clone(),
            strict: self.strict,
        })
    }

    fn random_action(&self, seat: Seat, rng: &mut dyn RngCore) -> Option<String> {
        self.inner.random_action(seat, rng)
    }
}
