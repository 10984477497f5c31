//! Reports about many games: one self-contained HTML file.

mod chart;
mod count;
pub mod film;
mod map;
mod page;
mod tables;

use anyhow::{Context, Result, bail};
use kernel::{Catalog, Game, Message, catalog::LANGUAGES};

use crate::{
    play::{Clock, Record},
    sim::Study,
    stats::{mean, quantile},
};

pub use count::Counted;

/// The words of reports, in a language.
fn messages(language: &str) -> Option<&'static str> {
    match language {
        "en" => Some(include_str!("../messages/en.toml")),
        "ko" => Some(include_str!("../messages/ko.toml")),
        "ja" => Some(include_str!("../messages/ja.toml")),
        _ => None,
    }
}

/// The words of a game and of reports.
pub(crate) struct Words {
    catalog: Catalog,
    pub language: String,
}

impl Words {
    pub fn of(game: &dyn Game, language: &str) -> Result<Words> {
        let Some(text) = messages(language) else {
            bail!("no language `{language}`; there is {}", LANGUAGES.join(", "))
        };
        let mut catalog = Catalog::of_game(game, language)?;
        catalog.add(text, language)?;
        Ok(Words { catalog, language: language.to_owned() })
    }

    pub fn say(&self, message: &Message) -> String {
        self.catalog.render(message, &())
    }

    pub fn word(&self, key: &str) -> String {
        self.say(&Message::new(key.to_owned()))
    }

    /// The text of a key that a game may lack; otherwise `plain`.
    pub fn word_or(&self, key: &str, plain: &str) -> String {
        if self.catalog.text(key).is_some() { self.word(key) } else { plain.replace('_', " ") }
    }
}

/// The whole page.
pub fn html(game: &dyn Game, study: &Study, records: &[Record], language: &str) -> Result<String> {
    html_over(game, study, records, language, &map::picture(game, study, language)?)
}

/// The page, using a picture of the map that the caller already has (as a data URL).
pub fn html_over(
    game: &dyn Game,
    study: &Study,
    records: &[Record],
    language: &str,
    picture: &str,
) -> Result<String> {
    if records.is_empty() {
        bail!("there are no games to report on");
    }
    let words = Words::of(game, language)?;
    let counted = Counted::of(game, study, records);
    let board = game.board(&study.setup).context("the board cannot be drawn")?;
    Ok(page::page(game, study, &counted, &words, &board, picture))
}

/// A few lines for a terminal.
pub fn text(game: &dyn Game, study: &Study, records: &[Record], language: &str) -> Result<String> {
    let words = Words::of(game, language)?;
    let counted = Counted::of(game, study, records);
    Ok(page::text(game, &counted, &words))
}

/// Its figures as tables in Markdown, for a page that is written by hand.
pub fn tables(game: &dyn Game, study: &Study, records: &[Record], language: &str) -> Result<String> {
    if records.is_empty() {
        bail!("there are no games to report on");
    }
    let words = Words::of(game, language)?;
    let counted = Counted::of(game, study, records);
    Ok(tables::markdown(game, &counted, &words))
}

/// How long each side thought, a line each; empty if no game was played.
pub fn thinking(game: &dyn Game, clocks: &[Clock], language: &str) -> Result<String> {
    let words = Words::of(game, language)?;
    let mut out = String::new();
    for (seat, info) in game.info().seats.iter().enumerate() {
        let own = || clocks.iter().filter_map(|clock| clock.seats.get(seat));
        let all: Vec<f64> = own().map(|clock| clock.total.as_secs_f64()).collect();
        let longest: Vec<f64> = own().map(|clock| clock.longest.as_secs_f64()).collect();
        let (Some(middle), Some(most)) = (quantile(&longest, 0.5), quantile(&longest, 1.0)) else { continue };
        let seconds = |value: f64| format!("{value:.2}");
        let message = Message::new("report.thinking")
            .text("side", words.word(&info.name))
            .text("mean", seconds(mean(&all)))
            .text("middle", seconds(middle))
            .text("most", seconds(most));
        out += &format!("  {}\n", words.say(&message));
    }
    Ok(out)
}
