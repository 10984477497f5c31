//! Air & Armor: Würzburg in the catalogue.

use std::sync::Arc;

use atlas::{Map, check::Report, render};
use kernel::{Game, Setup, SetupError};
use rulebook::{
    Title,
    bench::{CountAllocations, Figures, measure},
};

use crate::{AirAndArmor, game::start, pack::Pack};

/// The catalogue's entry.
#[derive(Clone, Copy, Debug)]
pub struct WurzburgTitle;

fn bad(error: impl ToString) -> SetupError {
    SetupError::Bad(error.to_string())
}

impl Title for WurzburgTitle {
    fn id(&self) -> &'static str {
        "wurzburg"
    }

    fn game(&self) -> Result<Arc<dyn Game>, SetupError> {
        Ok(Arc::new(AirAndArmor::new()?))
    }

    fn map(&self) -> Result<&'static Map, SetupError> {
        Ok(&Pack::embedded().map_err(bad)?.map)
    }

    fn sheet(&self) -> render::Options {
        render::Options { hex_km: Some(1.56), ..Default::default() }
    }

    fn check_map(&self) -> Result<Report, SetupError> {
        let map = self.map()?;
        let (file, facts) = atlas::packs::WURZBURG_FACTS;
        map.check(file, facts).map_err(bad)
    }

    fn check_pack(&self) -> Vec<String> {
        match Pack::embedded() {
            Ok(_) => Vec::new(),
            Err(error) => vec![error.to_string()],
        }
    }

    fn bench(
        &self,
        scenario: Option<&str>,
        edition: Option<&str>,
        games: u32,
        allocations: CountAllocations,
    ) -> Result<Figures, SetupError> {
        let scenario = scenario.unwrap_or("first-contact");
        let setup = Setup {
            game: self.id().to_owned(),
            scenario: scenario.to_owned(),
            edition: edition.map(str::to_owned),
            ..Setup::default()
        };
        let rules = AirAndArmor::new()?.rules(&setup)?;
        measure(&rules, &start(&rules)?, self.id(), scenario, games, allocations)
    }
}
