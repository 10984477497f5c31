//! One game as a film: the map with every unit at the end of each turn, and what the turn changed.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use anyhow::{Context, Result};
use kernel::{Game, Message, Seat, Table, View, Viewer, board::Board};

use super::{
    Words,
    chart::escape,
    count::Picture,
    map::{self, Ground},
    page::{STYLE, goal_name},
};
use crate::{
    play::{Record, TurnRecord, Watch, held_cells, play_before},
    player::Spec,
    sim::Study,
};

/// A unit at the end of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub seat: Seat,
    /// A cell of the board.
    pub at: String,
    /// The text of its counter.
    pub text: String,
    pub name: String,
}

/// A game and the positions of its units: at the start, then at the end of each turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    pub record: Record,
    pub pieces: Vec<Vec<Piece>>,
}

impl Film {
    /// Plays the game of a seed and films it.
    pub fn take(game: &Arc<dyn Game>, study: &Study, players: &[Spec], seed: u64) -> Result<Film> {
        for player in players {
            player.check(&study.setup.game)?;
        }
        let watch = Watch::of(&**game, &study.setup)?.of_every_turn();
        let mut pieces = Vec::new();
        let (record, _) =
            play_before(game, &study.setup, players, seed, &watch, &mut |table: &dyn Table| {
                pieces.push(units(&table.view(Viewer::Referee)));
            })?;
        Ok(Film { record, pieces })
    }

    /// The film as a self-contained page.
    pub fn html(&self, game: &dyn Game, study: &Study, language: &str) -> Result<String> {
        let words = Words::of(game, language)?;
        let board = game.board(&study.setup).context("the board cannot be drawn")?;
        let picture = map::picture(game, study, language)?;
        Ok(FilmPage::new(self, game, study, &words, &board).page(&picture))
    }
}

/// The units on the board, in the order of their stacks from the bottom.
fn units(view: &View) -> Vec<Piece> {
    let mut pieces: Vec<_> = view.pieces.iter().filter(|piece| piece.seat.is_some()).collect();
    pieces.sort_by(|a, b| a.at.cmp(&b.at).then(b.layer.cmp(&a.layer)));
    let piece = |piece: &&kernel::view::Piece| {
        let face = &piece.face;
        let parts = [&face.title, &face.left, &face.right].map(String::as_str);
        let name: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Some(Piece {
            seat: piece.seat?,
            at: piece.at.clone(),
            text: face.factors.join("-"),
            name: name.join(" "),
        })
    };
    pieces.iter().filter_map(piece).collect()
}

/// Who holds which town after a turn, by the marks of the kinds `town_0`, `town_1` that are new in it.
fn note_towns(towns: &mut BTreeMap<String, usize>, turn: &TurnRecord) {
    for (kind, places) in &turn.new_marks {
        if let Some(seat) = kind.strip_prefix("town_").and_then(|seat| seat.parse().ok()) {
            towns.extend(places.iter().map(|at| (at.clone(), seat)));
        }
    }
}

struct FilmPage<'a> {
    film: &'a Film,
    game: &'a dyn Game,
    study: &'a Study,
    words: &'a Words,
    board: &'a Board,
    ground: Ground<'a>,
    colours: Vec<String>,
    turns: BTreeMap<u16, String>,
}

/// Milliseconds that a turn is shown while the film runs.
const PACE: u32 = 1400;

impl<'a> FilmPage<'a> {
    fn new(film: &'a Film, game: &'a dyn Game, study: &'a Study, words: &'a Words, board: &'a Board) -> Self {
        let info = game.study(&study.setup);
        FilmPage {
            film,
            game,
            study,
            words,
            board,
            ground: Ground::new(board),
            colours: game.info().seats.iter().map(|seat| seat.colour.clone()).collect(),
            turns: info.turns.iter().map(|(turn, name)| (*turn, words.say(name))).collect(),
        }
    }

    fn page(&self, picture: &str) -> String {
        let film = self.film;
        let name = self.words.word(&self.game.info().name);
        let title = self
            .words
            .say(&Message::new("report.film").text("game", name).text("seed", film.record.seed.to_string()));
        let mut shown = String::new();
        for n in 0..film.record.turns.len() {
            let _ = write!(shown, "#day{n}:checked~#map{n}{{display:block}}");
        }
        let mut out = format!(
            "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width\"><title>{title}</title>\n<style>{STYLE}main{{max-width:1800px}}\
             .sheet{{background-image:url({picture});background-size:100% 100%}}\n{shown}</style></head><body><main>\n<h1>{title}</h1>\n",
            self.words.language,
            title = escape(&title),
        );
        let players = self.game.info().seats.iter().zip(&self.study.players).map(|(seat, player)| {
            let side = self.words.word(&seat.name);
            self.words.say(&Message::new("report.player").text("side", side).text("player", player.clone()))
        });
        let players: Vec<String> = players.collect();
        let _ = writeln!(
            out,
            "<p>{}</p>\n<p><b>{}</b></p>\n<p class=\"about\">{} <button id=\"run\">{}</button></p>",
            escape(&players.join(". ")),
            escape(&self.words.say(&film.record.why)),
            escape(&self.words.word("report.film_about")),
            escape(&self.words.word("report.film_run")),
        );
        out.push_str("<div class=\"days\">");
        for (n, turn) in film.record.turns.iter().enumerate() {
            let checked = if n == 0 { " checked" } else { "" };
            let _ = write!(
                out,
                "<input type=\"radio\" name=\"day\" id=\"day{n}\"{checked}><label for=\"day{n}\">{}</label>",
                escape(&self.turn_name(turn.turn))
            );
        }
        let start = self.held(film.record.turns.first());
        let mut towns = BTreeMap::new();
        for (n, turn) in film.record.turns.iter().enumerate() {
            note_towns(&mut towns, turn);
            let before = n.checked_sub(1).map(|n| &film.record.turns[n]);
            let _ = write!(
                out,
                "<div class=\"map\" id=\"map{n}\"><p>{}</p><div class=\"sheet\">{}</div></div>",
                escape(&self.caption(before, turn)),
                self.frame(turn, &start, &towns, film.pieces.get(n).map_or(&[], Vec::as_slice))
            );
        }
        let _ = write!(
            out,
            "</div>\n<script>\nconst days=[...document.querySelectorAll('.days>input')];let timer=0;\n\
             document.getElementById('run').onclick=()=>{{if(timer){{clearInterval(timer);timer=0;return}}\
             timer=setInterval(()=>{{const at=days.findIndex(d=>d.checked);days[(at+1)%days.length].checked=true}},{PACE})}};\n\
             </script></main></body></html>\n"
        );
        out
    }

    fn turn_name(&self, turn: u16) -> String {
        if turn == 0 {
            return self.words.word("report.film_start");
        }
        let number = || self.words.say(&Message::new("report.turn").number("turn", turn));
        self.turns.get(&turn).cloned().unwrap_or_else(number)
    }

    fn held(&self, turn: Option<&TurnRecord>) -> Vec<Vec<bool>> {
        let row = |row: &String| {
            let mut cells = vec![false; self.board.cells.len()];
            for at in held_cells(row) {
                if let Some(cell) = cells.get_mut(at) {
                    *cell = true;
                }
            }
            cells
        };
        turn.map_or_else(Vec::new, |turn| turn.held.iter().map(row).collect())
    }

    /// The changes of the turn in one line: places taken and lost, marks, tallies.
    fn caption(&self, before: Option<&TurnRecord>, turn: &TurnRecord) -> String {
        let Some(before) = before else { return self.words.word("report.film_start") };
        let mut parts = Vec::new();
        let mut list = |key: &str, from: &[String], not: &[String]| {
            let names: Vec<String> =
                from.iter().filter(|id| !not.contains(id)).map(|id| goal_name(self.words, id)).collect();
            if !names.is_empty() {
                parts.push(self.words.say(&Message::new(key.to_owned()).text("names", names.join(", "))));
            }
        };
        list("report.film_taken", &turn.goals, &before.goals);
        list("report.film_lost", &before.goals, &turn.goals);
        for (kind, places) in &turn.new_marks {
            let names: Vec<String> =
                places.iter().map(|at| self.ground.name(at, &self.words.language)).collect();
            let kind = self.words.word_or(&format!("study.mark.{kind}"), kind);
            parts.push(format!("{kind}: {}", names.join(", ")));
        }
        for (key, values) in &turn.tallies {
            let old = before.tallies.get(key);
            if old != Some(values) {
                let name = self.words.word_or(&format!("study.tally.{key}"), key);
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                parts.push(format!("{name}: {}", values.join(" / ")));
            }
        }
        parts.join(" · ")
    }

    fn frame(
        &self,
        turn: &TurnRecord,
        start: &[Vec<bool>],
        towns: &BTreeMap<String, usize>,
        pieces: &[Piece],
    ) -> String {
        let held = self.held(Some(turn));
        let share = |row: &Vec<bool>| row.iter().map(|held| f64::from(u8::from(*held))).collect();
        let picture = Picture { name: Message::new("report.turn"), held: held.iter().map(share).collect() };
        let mut out = self.ground.front(&picture, start, &self.colours);
        out.truncate(out.len() - "</svg>".len());
        out.push_str(&self.ground.towns(towns, &self.colours, &self.words.language));
        out.push_str(&self.ground.pieces(pieces, &self.colours));
        out + "</svg>"
    }
}
