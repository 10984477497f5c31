//! `grognard map ardennes44 --png out.png`, `grognard map check ardennes44`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use atlas::{Lang, render};
use clap::{Args, Subcommand};

use crate::{catalogue, position};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Map {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    draw: Draw,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Test every fact that the rulebooks state about the map, and its structure
    Check {
        game: String,
        /// Print the facts that hold, too
        #[arg(long)]
        all: bool,
    },
}

#[derive(Debug, Args)]
struct Draw {
    /// The game whose map is drawn
    game: Option<String>,
    /// Write a PNG picture
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Write an SVG drawing (standard output if neither --png nor --svg is given)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Names in en, ko or ja
    #[arg(long, default_value = "en")]
    language: String,
    /// Width of a hex in the drawing, in pixels
    #[arg(long, default_value_t = 80.0)]
    hex: f64,
    /// Only the map sheet with this letter (E, W)
    #[arg(long)]
    sheet: Option<char>,
    /// Only this board of a game with geomorphic boards
    #[arg(long, conflicts_with = "position")]
    board: Option<u16>,
    /// The map that a scenario lays together, without counters
    #[arg(long, value_name = "SCENARIO")]
    scenario: Option<String>,
    /// With the counters of a scenario at its start
    #[arg(long, value_name = "SCENARIO")]
    position: Option<String>,
    /// Corrections to map and units (docs/PACKS.md)
    #[arg(long, value_name = "FILE")]
    pack_overlay: Option<PathBuf>,
}

impl Map {
    pub fn run(self) -> Result<ExitCode> {
        match self.what {
            Some(What::Check { game, all }) => check(&game, all),
            None => self.draw.run(),
        }
    }
}

impl Draw {
    fn run(self) -> Result<ExitCode> {
        let Some(game) = &self.game else { bail!("which game? `grognard map ardennes44 --png map.png`") };
        let overlay = self.pack_overlay.as_deref().map(catalogue::read_overlay).transpose()?;
        let scenario = self.scenario.as_deref().or(self.position.as_deref());
        let title = catalogue::title(game)?;
        let mut map = match title.map_of(scenario, self.board)? {
            Some(map) => map,
            None => title.map()?.clone(),
        };
        if let Some(text) = &overlay {
            map.apply_overlay("overlay", text).map_err(|e| anyhow::anyhow!("{e}"))?;
        }
        let map = &map;
        let lang = match self.language.as_str() {
            "en" => Lang::En,
            "ko" => Lang::Ko,
            "ja" => Lang::Ja,
            other => bail!("no language `{other}`; there is en, ko, ja"),
        };
        if !(8.0..=400.0).contains(&self.hex) {
            bail!("--hex wants a width between 8 and 400 pixels");
        }
        let region = self.sheet.map_or_else(Vec::new, |letter| {
            map.board.ids().filter(|hex| map.label(*hex).starts_with(letter)).collect()
        });
        if self.sheet.is_some() && region.is_empty() {
            bail!("no hex of this map begins with the letter of --sheet");
        }
        let options = render::Options { lang, hex_pixels: self.hex, region, ..title.sheet() };
        let svg = match &self.position {
            None => render::svg(map, &options),
            Some(scenario) => {
                let setup = kernel::Setup {
                    game: game.clone(),
                    scenario: scenario.clone(),
                    overlay,
                    ..kernel::Setup::default()
                };
                let view = catalogue::opening(&setup)?;
                render::position(map, &position::counters(map, &view), &options)
            }
        };
        if let Some(file) = &self.svg {
            std::fs::write(file, &svg).with_context(|| file.display().to_string())?;
        }
        if let Some(file) = &self.png {
            let png = render::png(&svg, 1.0).map_err(|e| anyhow::anyhow!("{e}"))?;
            std::fs::write(file, png).with_context(|| file.display().to_string())?;
        }
        if self.svg.is_none() && self.png.is_none() {
            println!("{svg}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn check(game: &str, all: bool) -> Result<ExitCode> {
    let report = catalogue::title(game)?.check_map()?;
    for check in report.checks.iter().filter(|check| all || !check.ok) {
        println!("{} {} [{}]", if check.ok { "ok  " } else { "FAIL" }, check.text, check.source);
    }
    println!("{game}: {} facts hold, {} fail", report.passed(), report.failures().count());
    Ok(if report.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
