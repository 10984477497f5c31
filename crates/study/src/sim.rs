//! A scenario played many times by the same players.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Context, Result, bail};
use kernel::{Game, Setup};
use serde::{Deserialize, Serialize};

use crate::{
    batch::{self, Batch, difference},
    play::{Clock, Record, Watch, play},
    player::Spec,
};

/// The first line of a file of games: everything that their course depends on, except their seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// Incremented when the format of the records changes.
    pub sim: u32,
    pub setup: Setup,
    /// Players by seat.
    pub players: Vec<String>,
    /// Other set-ups played in addition, with the same seeds: what differs, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
}

/// A set-up that differs from the study's in an option or in the edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// `edition:1e`, `option:fuel_dumps`.
    pub id: String,
    pub setup: Setup,
}

/// Incremented when the format of the records changes.
const FORM: u32 = 1;

impl Study {
    pub fn new(setup: Setup, players: &[Spec]) -> Study {
        let players = players.iter().map(Spec::name).collect();
        Study { sim: FORM, setup, players, variants: Vec::new() }
    }

    /// Adds each option that the set-up does not use, one at a time, and each other edition.
    #[must_use]
    pub fn with_all_variants(mut self, game: &dyn Game) -> Study {
        let info = game.info();
        let edition = self.setup.edition.clone().or_else(|| info.editions.first().cloned());
        let editions = info.editions.iter().filter(|id| Some(*id) != edition.as_ref()).map(|id| Variant {
            id: format!("edition:{id}"),
            setup: Setup { edition: Some(id.clone()), ..self.setup.clone() },
        });
        let fits = |editions: &[String]| {
            editions.is_empty() || edition.as_ref().is_some_and(|edition| editions.contains(edition))
        };
        let options = info
            .options
            .iter()
            .filter(|option| !self.setup.options.contains(&option.id) && fits(&option.editions))
            .map(|option| Variant {
                id: format!("option:{}", option.id),
                setup: Setup {
                    options: self.setup.options.iter().cloned().chain([option.id.clone()]).collect(),
                    ..self.setup.clone()
                },
            });
        // A scenario need not exist in every edition, and an option need not fit every scenario.
        self.variants = editions.chain(options).filter(|variant| game.open(&variant.setup).is_ok()).collect();
        self
    }
}

/// Games to be played.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Seeds `first..first + games`.
    pub first: u64,
    pub games: u64,
    pub jobs: usize,
    pub out: Option<&'a Path>,
    pub progress: bool,
}

/// Plays the games that are not in the file yet; returns all games of the file.
pub fn run(game: &Arc<dyn Game>, study: &Study, players: &[Spec], run: &Run) -> Result<Vec<Record>> {
    Ok(run_timed(game, study, players, run)?.0)
}

/// The same, with the thinking times of the games that were played now, in no particular order.
pub fn run_timed(
    game: &Arc<dyn Game>,
    study: &Study,
    players: &[Spec],
    run: &Run,
) -> Result<(Vec<Record>, Vec<Clock>)> {
    for player in players {
        player.check(&study.setup.game)?;
    }
    let watch = Watch::of(&**game, &study.setup)?;
    let plain = Watch::default();
    let batch = Batch {
        header: header(study, run.first)?,
        total: run.games as usize * (1 + study.variants.len()),
        jobs: run.jobs,
        out: run.out,
        progress: run.progress,
        noun: "games",
    };
    let each = 1 + study.variants.len();
    let seed = |index: usize| run.first + (index / each) as u64;
    let variant = |index: usize| (index % each).checked_sub(1).map(|at| &study.variants[at]);
    let name = |index| match variant(index) {
        Some(variant) => format!("seed {}, {}", seed(index), variant.id),
        None => format!("seed {}", seed(index)),
    };
    let clocks: Mutex<Vec<Clock>> = Mutex::default();
    let records = batch.run(name, |index| {
        let (seed, variant) = (seed(index), variant(index));
        // Map pictures are made only for the study itself: of a variant only the winner matters.
        let (setup, watch) = variant.map_or((&study.setup, &watch), |variant| (&variant.setup, &plain));
        let (mut record, clock) = play(game, setup, players, seed, watch)?;
        clocks.lock().unwrap_or_else(PoisonError::into_inner).push(clock);
        if let Some(variant) = variant {
            record.variant.clone_from(&variant.id);
        }
        Ok(record)
    })?;
    Ok((records, clocks.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// The file's first line includes the first seed: continuing a file must use the right one.
fn header(study: &Study, first: u64) -> Result<serde_json::Value> {
    let mut header = serde_json::to_value(study)?;
    header["first"] = first.into();
    Ok(header)
}

/// A file of games.
pub fn read(path: &Path) -> Result<(Study, Vec<Record>)> {
    let (mut header, records): (serde_json::Value, Vec<Record>) = batch::read(path)?;
    if let Some(header) = header.as_object_mut() {
        header.remove("first");
    }
    let study: Study = serde_json::from_value(header)
        .with_context(|| format!("{}: the first line is not that of a simulation", path.display()))?;
    if study.sim != FORM {
        bail!("{}: written in form {}; this program reads form {FORM}", path.display(), study.sim);
    }
    Ok((study, records))
}

/// Merges the files of several runs of the same study with different seeds. Games that are in two files must be the
/// same game.
pub fn merge(files: &[PathBuf]) -> Result<(Study, Vec<Record>)> {
    let Some((first, rest)) = files.split_first() else { bail!("nothing to put together") };
    let (study, records) = read(first)?;
    let mut all: BTreeMap<(u64, usize), Record> = BTreeMap::new();
    let order = |record: &Record| {
        let at = study.variants.iter().position(|v| v.id == record.variant).map_or(0, |at| at + 1);
        (record.seed, at)
    };
    for record in records {
        all.insert(order(&record), record);
    }
    for file in rest {
        let (other, records) = read(file)?;
        if other != study {
            let words = difference(&serde_json::to_value(&other)?, &serde_json::to_value(&study)?);
            bail!("{} is of another study than {} ({words})", file.display(), first.display());
        }
        for record in records {
            let known = all.entry(order(&record)).or_insert_with(|| record.clone());
            if *known != record {
                bail!(
                    "seed {} went otherwise in {}: was it played by another version of the program?",
                    record.seed,
                    file.display()
                );
            }
        }
    }
    Ok((study, all.into_values().collect()))
}

/// Write a file of games, as [`run`] would have.
pub fn write(path: &Path, study: &Study, records: &[Record]) -> Result<()> {
    let first = records.iter().map(|record| record.seed).min().unwrap_or(0);
    batch::write(path, &header(study, first)?, records)
}
