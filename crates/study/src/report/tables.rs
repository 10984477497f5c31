//! The figures of a report as tables in Markdown.

use std::fmt::Write as _;

use kernel::{Game, Message, survey::Figure};

use super::{
    Words,
    chart::percent,
    count::{Counted, Reached, Share},
    page::{goal_name, range},
};
use crate::course;

/// Marks of a kind that are listed.
const LISTED: usize = 8;

/// All tables, each under its heading.
pub fn markdown(game: &dyn Game, counted: &Counted, words: &Words) -> String {
    let sides = game.info().seats.iter().map(|seat| words.word(&seat.name)).collect();
    let tables = Tables { counted, words, sides };
    let mut out = String::new();
    tables.aims(&mut out);
    tables.causes(&mut out);
    tables.goals(&mut out);
    tables.happenings(&mut out);
    tables.ends(&mut out);
    tables.marks(&mut out);
    out
}

struct Tables<'a> {
    counted: &'a Counted,
    words: &'a Words,
    sides: Vec<String>,
}

/// A heading and a table, unless it has no rows.
fn table<const N: usize>(out: &mut String, title: &str, heads: [String; N], rows: &[[String; N]]) {
    if rows.is_empty() {
        return;
    }
    let line = |cells: &[String; N]| format!("| {} |\n", cells.join(" | "));
    let _ = write!(out, "## {title}\n\n{}{}", line(&heads), "|---".repeat(N) + "|\n");
    out.extend(rows.iter().map(line));
    out.push('\n');
}

fn share(share: &Share) -> String {
    shares([share.low, share.value, share.high])
}

/// A share with its interval, in percent.
fn shares([low, value, high]: [f64; 3]) -> String {
    format!("{} ({:.0}–{:.0})", percent(value), 100.0 * low, 100.0 * high)
}

/// A number without needless decimals.
fn number(value: f64) -> String {
    let short = format!("{value:.1}");
    short.strip_suffix(".0").map(str::to_owned).unwrap_or(short)
}

impl Tables<'_> {
    fn word(&self, key: &str) -> String {
        self.words.word(&format!("report.{key}"))
    }

    fn side(&self, seat: Option<usize>) -> String {
        seat.and_then(|seat| self.sides.get(seat)).cloned().unwrap_or_else(|| self.word("draw"))
    }

    fn turn(&self, turn: f64) -> String {
        let turn = turn.round() as u16;
        let known = self.counted.info.turns.iter().find(|(number, _)| *number == turn);
        let number = || self.words.say(&Message::new("report.turn").number("turn", turn));
        known.map_or_else(number, |(_, name)| self.words.say(name))
    }

    fn tally(&self, key: &str) -> String {
        self.words.word_or(&format!("study.tally.{key}"), key)
    }

    fn games(&self) -> String {
        let title = Message::new("report.aim_games").number("games", self.counted.games as i64);
        self.words.say(&title)
    }

    fn aims(&self, out: &mut String) {
        let rows: Vec<[String; 3]> = self.counted.aims.iter().map(|aim| self.aim(aim)).collect();
        table(out, &self.word("aims"), [self.word("what"), self.word("aim"), self.games()], &rows);
    }

    /// A victory condition inside a longer label: its sentence without the full stop.
    fn condition(&self, why: &str) -> String {
        self.words.word(why).trim_end_matches(['.', '。']).to_owned()
    }

    fn aim(&self, reached: &Reached) -> [String; 3] {
        let aim = &reached.aim;
        let seat = |seat: &kernel::Seat| self.side(Some(usize::from(seat.0)));
        let what = match &aim.figure {
            Figure::Won(side) => Message::new("report.aim_won").text("side", seat(side)),
            Figure::Ended(why) => Message::new("report.aim_ended").text("why", self.condition(why)),
            Figure::EndedFrom(why) => Message::new("report.aim_ended_from").text("why", self.condition(why)),
            Figure::Met(goal) => Message::new("report.aim_met").text("goal", goal_name(self.words, goal)),
            Figure::MetFrom(goal) => {
                Message::new("report.aim_met_from").text("goal", goal_name(self.words, goal))
            }
            Figure::Unattacked(side) => Message::new("report.aim_unattacked").text("side", seat(side)),
            Figure::FirstTurn(key, side) => {
                Message::new("report.aim_first").text("side", seat(side)).text("tally", self.tally(key))
            }
        };
        let time = matches!(aim.figure, Figure::EndedFrom(_) | Figure::MetFrom(_));
        let count = matches!(aim.figure, Figure::FirstTurn(..));
        let show = |value: f64| match (time, count) {
            (true, _) => self.turn(value),
            (_, true) => number(value),
            _ => percent(value / 100.0),
        };
        let wanted = match (aim.least, aim.most) {
            (Some(least), Some(most)) => {
                Message::new("report.aim_between").text("least", show(least)).text("most", show(most))
            }
            (Some(least), None) if time => Message::new("report.aim_from").text("least", show(least)),
            (Some(least), None) => Message::new("report.aim_least").text("least", show(least)),
            (None, Some(most)) => Message::new("report.aim_most").text("most", show(most)),
            (None, None) => Message::new("report.none"),
        };
        let value = reached.value.map_or_else(
            || self.word("none"),
            |[low, value, high]| {
                let figure = match &aim.figure {
                    Figure::EndedFrom(_) => show(value),
                    _ if time || count => format!("{} ({}–{})", show(value), show(low), show(high)),
                    _ => shares([low, value, high].map(|part| part / 100.0)),
                };
                // The interval may overlap the range of the aim although the figure itself is outside it.
                let within =
                    aim.most.is_none_or(|most| low <= most) && aim.least.is_none_or(|least| high >= least);
                match (reached.meets(value), within) {
                    (true, _) => figure,
                    (_, true) => format!("{figure}, **{}**", self.word("nearly")),
                    _ => format!("{figure}, **{}**", self.word("missed")),
                }
            },
        );
        [self.words.say(&what), self.words.say(&wanted), value]
    }

    fn causes(&self, out: &mut String) {
        let rows: Vec<[String; 5]> = self
            .counted
            .causes
            .iter()
            .map(|cause| {
                [
                    self.side(cause.seat),
                    self.words.say(&cause.why),
                    share(&cause.share),
                    self.turn(f64::from(cause.earliest)),
                    self.turn(cause.middle),
                ]
            })
            .collect();
        let heads = ["side", "what", "share", "earliest", "middle"].map(|key| self.word(key));
        table(out, &self.word("causes"), heads, &rows);
    }

    fn goals(&self, out: &mut String) {
        let turn = |turn: Option<f64>| turn.map_or_else(|| self.word("never"), |turn| self.turn(turn));
        let rows: Vec<[String; 5]> = self
            .counted
            .goals
            .iter()
            .map(|goal| {
                [
                    goal_name(self.words, &goal.id),
                    turn(goal.history.map(f64::from)),
                    turn(goal.turns.map(|turns| turns[2])),
                    share(&goal.met),
                    share(&goal.kept),
                ]
            })
            .collect();
        let heads = ["where", "history", "middle", "taken", "kept"].map(|key| self.word(key));
        table(out, &self.word("goals"), heads, &rows);
    }

    fn happenings(&self, out: &mut String) {
        let rows: Vec<[String; 4]> = self
            .counted
            .happenings
            .iter()
            .map(|row| [self.side(Some(row.seat)), self.tally(&row.key), range(row.first), range(row.all)])
            .collect();
        let heads = ["side", "what", "first_turn", "whole_game"].map(|key| self.word(key));
        table(out, &self.word("happenings"), heads, &rows);
    }

    /// What is counted in positions, such as losses, at the end of games that lasted to the last turn.
    fn ends(&self, out: &mut String) {
        let counted = self.counted;
        let in_turns = course::wanted(&counted.info);
        let mut rows: Vec<[String; 3]> = Vec::new();
        for (key, by_seat) in counted.tallies.iter().filter(|(key, _)| !in_turns.contains(key)) {
            for (seat, turns) in by_seat.iter().enumerate() {
                let Some(spread) = turns.get(&counted.last_turn).filter(|spread| spread.high > 0.0) else {
                    continue;
                };
                let [low, middle, high] = [spread.low, spread.middle, spread.high].map(number);
                rows.push([self.side(Some(seat)), self.tally(key), format!("{middle} ({low}–{high})")]);
            }
        }
        let heads = [self.word("side"), self.word("what"), self.word("end")];
        table(out, &self.turn(f64::from(counted.last_turn)), heads, &rows);
    }

    fn marks(&self, out: &mut String) {
        for (kind, marks) in &self.counted.marks {
            let rows: Vec<[String; 2]> =
                marks.iter().take(LISTED).map(|(at, found)| [at.clone(), share(found)]).collect();
            let title = self.words.word_or(&format!("study.mark.{kind}"), kind);
            table(out, &title, [self.word("where"), self.word("share")], &rows);
        }
    }
}
