//! Air & Armor: Würzburg in the catalogue.

use std::sync::Arc;

use atlas::{Map, check::Report, render};
use kernel::{Game, SetupError};
use rulebook::{Title, bench};

use crate::{AirAndArmor, game::start, pack::Pack};

/// The catalogue's entry.
#[derive(Clone, Copy, Debug)]
pub struct WurzburgTitle;

impl Title for WurzburgTitle {
    fn id(&self) -> &'static str {
        "wurzburg"
    }

    fn game(&self) -> Result<Arc<dyn Game>, SetupError> {
        Ok(Arc::new(AirAndArmor::new()?))
    }

    fn map(&self) -> Result<&'static Map, SetupError> {
        Ok(&Pack::embedded().map_err(SetupError::bad)?.map)
    }

    fn sheet(&self) -> render::Options {
        render::Options { hex_km: Some(1.56), ..Default::default() }
    }

    fn check_map(&self) -> Result<Report, SetupError> {
        let map = self.map()?;
        let (file, facts) = atlas::packs::WURZBURG_FACTS;
        map.check(file, facts).map_err(SetupError::bad)
    }

    fn check_pack(&self) -> Vec<String> {
        match Pack::embedded() {
            Ok(_) => Vec::new(),
            Err(error) => vec![error.to_string()],
        }
    }

    fn bench(&self, request: &bench::Request) -> Result<bench::Figures, SetupError> {
        let setup = request.setup(self.id(), "first-contact");
        let rules = AirAndArmor::new()?.rules(&setup)?;
        bench::measure(request, setup, &rules, &start(&rules)?)
    }
}
