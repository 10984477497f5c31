//! The page itself.

use std::{collections::BTreeMap, fmt::Write as _};

use kernel::{Arg, Game, Message, board::Board};

use super::{
    Words,
    chart::{self, Bar, Times, TimesWords, escape, percent},
    count::{Cause, Counted, Share},
    map::Ground,
};
use crate::sim::Study;

/// Marks listed in words under their map.
const LISTED: usize = 12;

pub(super) const STYLE: &str = "
:root{color-scheme:light}
body{margin:0;background:#f4efe3;color:#2b2a26;font:16px/1.5 system-ui,'Noto Sans',sans-serif}
main{max-width:860px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:30px;line-height:1.2;margin:0 0 6px}
h2{font-size:21px;margin:38px 0 4px;border-bottom:2px solid #cfc6b0;padding-bottom:3px}
h3{font-size:16px;margin:22px 0 0}
p{margin:6px 0 12px}
p.about{color:#6f6a5e;font-size:14px}
.tiles{display:flex;flex-wrap:wrap;gap:12px;margin:20px 0}
.tile{flex:1 1 150px;background:#fffdf6;border-left:8px solid #8a7a5c;padding:10px 14px;box-shadow:0 1px 3px #0002}
.tile b{display:block;font-size:30px;line-height:1.15}
.tile small{color:#6f6a5e}
svg.plot{display:block;width:100%;height:auto;background:#fffdf6;padding:10px 0;box-shadow:0 1px 3px #0002}
svg.plot text{font-size:13px}
.map{position:relative;background-size:100% 100%;box-shadow:0 1px 3px #0004}
.map svg.over{display:block;width:100%;height:auto}
.days{display:block}
.days>input{position:absolute;opacity:0}
.days>label{display:inline-block;padding:3px 10px;margin:0 4px 8px 0;background:#e6decb;border-radius:4px;font-size:14px;cursor:pointer}
.days>input:focus-visible+label{outline:3px solid #2f5d9b}
.days>.map{display:none}
.days>input:checked+label{background:#2b2a26;color:#fffdf6}
table{border-collapse:collapse;font-size:14px;margin-top:10px}
td,th{padding:2px 14px 2px 0;text-align:left;border-bottom:1px solid #d9d3c3}
td:last-child,th:last-child{text-align:right}
code{background:#e6decb;padding:2px 6px;border-radius:3px;word-break:break-all}
@media print{body{background:#fff}}
";

/// The complete page.
pub fn page(
    game: &dyn Game,
    study: &Study,
    counted: &Counted,
    words: &Words,
    board: &Board,
    picture: &str,
) -> String {
    let page = Page::new(game, study, counted, words, board);
    let title = page.title();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{}</title>\n<style>{STYLE}.map{{background-image:url({picture})}}\n{}</style>\
         </head><body><main>\n<h1>{}</h1>\n",
        words.language,
        escape(&title),
        page.day_style(),
        escape(&title)
    );
    page.head(&mut out);
    page.wins(&mut out);
    page.goals(&mut out);
    page.happenings(&mut out);
    page.fronts(&mut out);
    page.tallies(&mut out);
    page.marks(&mut out);
    page.variants(&mut out);
    page.again(&mut out);
    out + "</main></body></html>\n"
}

struct Page<'a> {
    game: &'a dyn Game,
    study: &'a Study,
    counted: &'a Counted,
    words: &'a Words,
    ground: Ground<'a>,
    /// Names and colours of the seats.
    sides: Vec<String>,
    colours: Vec<String>,
    turns: BTreeMap<u16, String>,
}

impl<'a> Page<'a> {
    fn new(
        game: &'a dyn Game,
        study: &'a Study,
        counted: &'a Counted,
        words: &'a Words,
        board: &'a Board,
    ) -> Page<'a> {
        let seats = &game.info().seats;
        Page {
            game,
            study,
            counted,
            words,
            ground: Ground::new(board),
            sides: seats.iter().map(|seat| words.word(&seat.name)).collect(),
            colours: seats.iter().map(|seat| seat.colour.clone()).collect(),
            turns: counted.info.turns.iter().map(|(turn, name)| (*turn, words.say(name))).collect(),
        }
    }

    fn title(&self) -> String {
        let game = self.words.word(&self.game.info().name);
        let message = Message::new("report.title").text("game", game);
        self.words.say(&message.number("games", self.counted.games as i64))
    }

    /// Each day's map is shown while its button is selected.
    fn day_style(&self) -> String {
        let one = |n: usize| format!("#day{n}:checked~#map{n}{{display:block}}");
        (0..self.counted.pictures.len()).map(one).collect()
    }

    fn section(&self, out: &mut String, title: &str, about: Option<&Message>) {
        let _ = writeln!(out, "<h2>{}</h2>", escape(&self.words.word(title)));
        if let Some(about) = about {
            let _ = writeln!(out, "<p class=\"about\">{}</p>", escape(&self.words.say(about)));
        }
    }

    fn head(&self, out: &mut String) {
        let info = self.game.info();
        let scenario = info
            .scenarios
            .iter()
            .find(|s| s.id == self.study.setup.scenario)
            .map_or_else(|| self.study.setup.scenario.clone(), |s| self.words.word(&s.name));
        let players: Vec<Arg> = self
            .sides
            .iter()
            .zip(&self.study.players)
            .map(|(side, player)| {
                let player = self.words.word_or(&format!("bot.{player}"), player);
                let message = Message::new("report.player").text("side", side).text("player", player);
                Arg::Text(self.words.say(&message))
            })
            .collect();
        let message = Message::new("report.played")
            .text("scenario", scenario)
            .with("players", Arg::List(players))
            .number("first", self.counted.seeds.0 as i64)
            .number("last", self.counted.seeds.1 as i64);
        let options: Vec<Arg> = self
            .study
            .setup
            .options
            .iter()
            .map(|id| Arg::Text(self.words.word_or(&format!("option.{id}"), id)))
            .collect();
        let options =
            if options.is_empty() { Arg::Text(self.words.word("report.none")) } else { Arg::List(options) };
        let edition = self.study.setup.edition.clone().or_else(|| info.editions.first().cloned());
        let edition = self.edition(&edition.unwrap_or_default());
        let setup = Message::new("report.setup").text("edition", edition).with("options", options);
        let _ = write!(
            out,
            "<p>{} {}</p>\n<div class=\"tiles\">",
            escape(&self.words.say(&message)),
            escape(&self.words.say(&setup))
        );
        for (seat, share) in self.counted.wins.iter().enumerate() {
            let Some(side) = self.sides.get(seat) else { continue };
            let _ = write!(
                out,
                "<div class=\"tile\" style=\"border-color:{}\"><small>{}</small><b>{}</b><small>{}–{}</small></div>",
                self.colours[seat],
                escape(side),
                percent(share.value),
                percent(share.low),
                percent(share.high)
            );
        }
        out.push_str("</div>\n");
        if self.counted.forfeits > 0 {
            let message = Message::new("report.forfeits").number("count", self.counted.forfeits as i64);
            let _ = writeln!(out, "<p>{}</p>", escape(&self.words.say(&message)));
        }
    }

    fn edition(&self, id: &str) -> String {
        let plain = self.words.say(&Message::new("report.edition").text("edition", id));
        self.words.word_or(&format!("edition.{id}"), &plain)
    }

    fn colour(&self, seat: Option<usize>) -> String {
        seat.and_then(|seat| self.colours.get(seat).cloned()).unwrap_or_else(|| "#b5ab94".to_owned())
    }

    fn wins(&self, out: &mut String) {
        self.section(out, "report.wins", Some(&Message::new("report.wins_about")));
        let draw = self.words.word("report.draw");
        let rows: Vec<Bar> = self
            .counted
            .wins
            .iter()
            .enumerate()
            .filter(|(seat, share)| *seat < self.sides.len() || share.count > 0)
            .map(|(seat, share)| Bar {
                label: self.sides.get(seat).unwrap_or(&draw).clone(),
                share: *share,
                colour: self.colour((seat < self.sides.len()).then_some(seat)),
            })
            .collect();
        out.push_str(&chart::bars(&self.words.word("report.wins"), &rows));
        self.section(out, "report.causes", None);
        let rows: Vec<Bar> = self
            .counted
            .causes
            .iter()
            .map(|cause| Bar {
                label: short(&self.words.say(&cause.why)),
                share: cause.share,
                colour: self.colour(cause.seat),
            })
            .collect();
        out.push_str(&chart::bars(&self.words.word("report.causes"), &rows));
        out.push_str("<table>");
        for cause in &self.counted.causes {
            let side = cause.seat.and_then(|seat| self.sides.get(seat)).unwrap_or(&draw);
            let when = when(cause, self.words, |turn| self.turn(turn));
            let _ = write!(
                out,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(side),
                escape(&self.words.say(&cause.why)),
                escape(&when),
                cause.share.count
            );
        }
        out.push_str("</table>\n");
        self.section(out, "report.lengths", Some(&Message::new("report.lengths_about")));
        let title = self.words.word("report.lengths");
        out.push_str(&chart::histogram(&title, &self.counted.lengths, self.counted.last_turn, &self.turns));
    }

    fn goals(&self, out: &mut String) {
        if self.counted.goals.is_empty() {
            return;
        }
        self.section(out, "report.goals", Some(&Message::new("report.goals_about")));
        let rows: Vec<Times> = self
            .counted
            .goals
            .iter()
            .map(|goal| {
                let figures = Message::new("report.figures")
                    .text("met", percent(goal.met.value))
                    .text("kept", percent(goal.kept.value));
                Times {
                    label: goal_name(self.words, &goal.id),
                    turns: goal.turns,
                    history: goal.history,
                    figures: self.words.say(&figures),
                    colour: self.colour(Some(goal.seat)),
                }
            })
            .collect();
        let words = TimesWords { never: self.words.word("report.never"), turns: self.turns.clone() };
        let last = self.counted.last_turn.max(rows.iter().filter_map(|row| row.history).max().unwrap_or(1));
        out.push_str(&chart::times(&self.words.word("report.goals"), &rows, last, &words));
    }

    fn turn(&self, turn: u16) -> String {
        let number = || self.words.say(&Message::new("report.turn").number("turn", turn));
        self.turns.get(&turn).cloned().unwrap_or_else(number)
    }

    /// Attacks, towns taken: means of the first turn and of whole games.
    fn happenings(&self, out: &mut String) {
        if self.counted.happenings.is_empty() {
            return;
        }
        self.section(out, "report.happenings", Some(&Message::new("report.happenings_about")));
        let heads = ["report.side", "report.what", "report.first_turn", "report.whole_game"];
        out.push_str("<table><tr>");
        for head in heads {
            let _ = write!(out, "<th>{}</th>", escape(&self.words.word(head)));
        }
        out.push_str("</tr>");
        for row in &self.counted.happenings {
            let _ = write!(
                out,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(self.sides.get(row.seat).map_or("", String::as_str)),
                escape(&self.words.word_or(&format!("study.tally.{}", row.key), &row.key)),
                range(row.first),
                range(row.all)
            );
        }
        out.push_str("</table>\n");
        for (side, share) in self.sides.iter().zip(&self.counted.unattacked) {
            let _ = writeln!(out, "<p>{}</p>", escape(&walked_in(self.words, side, share)));
        }
    }

    fn fronts(&self, out: &mut String) {
        if self.counted.pictures.is_empty() {
            return;
        }
        let side = self.sides.first().cloned().unwrap_or_default();
        self.section(out, "report.front", Some(&Message::new("report.front_about").text("side", side)));
        out.push_str("<div class=\"days\">");
        let last = self.counted.pictures.len() - 1;
        for (n, picture) in self.counted.pictures.iter().enumerate() {
            let checked = if n == last { " checked" } else { "" };
            let _ = write!(
                out,
                "<input type=\"radio\" name=\"day\" id=\"day{n}\"{checked}><label for=\"day{n}\">{}</label>",
                escape(&self.words.say(&picture.name))
            );
        }
        for (n, picture) in self.counted.pictures.iter().enumerate() {
            let drawn = self.ground.front(picture, &self.counted.start, &self.colours);
            let _ = write!(out, "<div class=\"map\" id=\"map{n}\">{drawn}</div>");
        }
        out.push_str("</div>\n");
    }

    fn tallies(&self, out: &mut String) {
        for (at, (key, rows)) in self.counted.tallies.iter().enumerate() {
            let title = self.words.word_or(&format!("study.tally.{key}"), key);
            let _ = writeln!(out, "<h2>{}</h2>", escape(&title));
            if at == 0 {
                let about = self.words.word("report.tally_about");
                let _ = writeln!(out, "<p class=\"about\">{}</p>", escape(&about));
            }
            let rows: Vec<(String, String, &BTreeMap<u16, super::count::Spread>)> = rows
                .iter()
                .enumerate()
                // A tally of only one side has no line of zeros for the other.
                .filter(|(_, turns)| turns.values().any(|spread| spread.high != 0.0))
                .map(|(seat, turns)| {
                    (self.sides.get(seat).cloned().unwrap_or_default(), self.colour(Some(seat)), turns)
                })
                .collect();
            out.push_str(&chart::lines(&title, &rows, self.counted.last_turn, &self.turns));
        }
    }

    fn marks(&self, out: &mut String) {
        for (kind, rows) in &self.counted.marks {
            if rows.is_empty() {
                continue;
            }
            let title = self.words.word_or(&format!("study.mark.{kind}"), kind);
            let about = self.words.word("report.marks_about");
            let _ = write!(
                out,
                "<h2>{}</h2>\n<div class=\"map\">{}</div>\n<p class=\"about\">{}</p>\n<table><tr><th>{}</th><th>{}</th></tr>",
                escape(&title),
                self.ground.marks(rows),
                escape(&about),
                escape(&self.words.word("report.where")),
                escape(&self.words.word("report.share"))
            );
            for (at, share) in rows.iter().take(LISTED) {
                let _ = write!(
                    out,
                    "<tr><td>{}</td><td>{}</td></tr>",
                    escape(&self.ground.name(at, &self.words.language)),
                    percent(share.value)
                );
            }
            out.push_str("</table>\n");
        }
    }

    fn variants(&self, out: &mut String) {
        if self.counted.variants.is_empty() {
            return;
        }
        let side = self.sides.first().cloned().unwrap_or_default();
        self.section(out, "report.variants", Some(&Message::new("report.variants_about").text("side", side)));
        let rows: Vec<Bar> = self
            .counted
            .variants
            .iter()
            .map(|variant| Bar {
                label: match variant.id.split_once(':') {
                    Some(("edition", id)) => self.edition(id),
                    Some((_, id)) => self.words.word_or(&format!("option.{id}"), id),
                    None => self.words.word("report.base"),
                },
                share: variant.won,
                colour: self.colour(Some(0)),
            })
            .collect();
        out.push_str(&chart::forest(&self.words.word("report.variants"), &rows));
    }

    fn again(&self, out: &mut String) {
        self.section(out, "report.again", Some(&Message::new("report.again_about")));
        let setup = &self.study.setup;
        let mut command = format!("grognard sim {} --scenario {}", setup.game, setup.scenario);
        if let Some(edition) = &setup.edition {
            let _ = write!(command, " --edition {edition}");
        }
        for option in &setup.options {
            let _ = write!(command, " --option {option}");
        }
        if setup.overlay.is_some() {
            command.push_str(" --pack-overlay FILE");
        }
        for (seat, player) in self.game.info().seats.iter().zip(&self.study.players) {
            let player = if player.contains(' ') { format!("'{player}'") } else { player.clone() };
            let _ = write!(command, " --{} {player}", seat.id);
        }
        let (first, last) = self.counted.seeds;
        let _ = write!(command, " --seed {first} --games {}", last + 1 - first);
        if !self.study.variants.is_empty() {
            command.push_str(" --variants");
        }
        let _ = writeln!(out, "<p><code>{}</code></p>", escape(&command));
    }
}

/// A sentence as the label of a bar.
fn short(text: &str) -> String {
    const MOST: usize = 23;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

/// A mean with its interval.
pub(super) fn range([low, mean, high]: [f64; 3]) -> String {
    format!("{mean:.1} ({low:.1}–{high:.1})")
}

/// When a victory condition ended games.
fn when(cause: &Cause, words: &Words, turn: impl Fn(u16) -> String) -> String {
    words.say(
        &Message::new("report.when")
            .text("earliest", turn(cause.earliest))
            .text("middle", turn(cause.middle.round() as u16)),
    )
}

/// The share of captured towns that a side entered without an attack.
fn walked_in(words: &Words, side: &str, share: &Share) -> String {
    words.say(
        &Message::new("report.unattacked")
            .text("side", side)
            .text("share", percent(share.value))
            .text("low", percent(share.low))
            .text("high", percent(share.high)),
    )
}

/// A goal has its own name, or its id is the key of one, up to a `#` that distinguishes similar goals of several seats.
pub(super) fn goal_name(words: &Words, id: &str) -> String {
    let key = id.split('#').next().unwrap_or(id);
    words.word_or(&format!("study.goal.{id}"), &words.word_or(key, key))
}

/// Wins, their causes, and goals compared with history: for a terminal.
pub fn text(game: &dyn Game, counted: &Counted, words: &Words) -> String {
    let sides: Vec<String> = game.info().seats.iter().map(|seat| words.word(&seat.name)).collect();
    let draw = words.word("report.draw");
    let side = |seat: Option<usize>| seat.and_then(|seat| sides.get(seat)).unwrap_or(&draw);
    let share_of = |share: &Share| {
        format!("{:>6} ({}–{})", percent(share.value), percent(share.low), percent(share.high))
    };
    let title = Message::new("report.title").text("game", words.word(&game.info().name));
    let mut out = words.say(&title.number("games", counted.games as i64)) + "\n";
    for (seat, share) in counted.wins.iter().enumerate().filter(|(_, share)| share.count > 0) {
        let _ = writeln!(out, "  {}  {}", share_of(share), side(Some(seat)));
    }
    let _ = writeln!(out, "{}", words.word("report.causes"));
    let turn = |turn: u16| {
        let name = counted.info.turns.iter().find(|(t, _)| *t == turn).map(|(_, name)| words.say(name));
        name.unwrap_or_else(|| turn.to_string())
    };
    for cause in &counted.causes {
        let (who, why) = (side(cause.seat), words.say(&cause.why));
        let _ = writeln!(out, "  {}  {who}: {why} {}", share_of(&cause.share), when(cause, words, turn));
    }
    if !counted.goals.is_empty() {
        let _ = writeln!(out, "{}", words.word("report.goals"));
    }
    for goal in &counted.goals {
        let never = || words.word("report.never");
        let middle = goal.turns.map_or_else(never, |turns| turn(turns[2].round() as u16));
        let history = goal.history.map_or_else(never, turn);
        let name = goal_name(words, &goal.id);
        let _ = writeln!(out, "  {}  {name}: {middle} ({history})", share_of(&goal.met));
    }
    if !counted.happenings.is_empty() {
        let _ = writeln!(out, "{}", words.word("report.happenings"));
    }
    for row in &counted.happenings {
        let name = words.word_or(&format!("study.tally.{}", row.key), &row.key);
        let _ = writeln!(
            out,
            "  {:>17}{:>23}  {}: {name}",
            range(row.first),
            range(row.all),
            side(Some(row.seat))
        );
    }
    for (name, share) in sides.iter().zip(&counted.unattacked) {
        let _ = writeln!(out, "  {}", walked_in(words, name, share));
    }
    out
}
