//! Ardennes '44 in the catalogue.

use std::sync::Arc;

use atlas::{Map, check::Report, render};
use kernel::{Game, Setup, SetupError};
use rulebook::{
    Title,
    bench::{CountAllocations, Figures, measure},
};

use crate::{
    game::{Ardennes44, start},
    pack::{Pack, check, check_map},
};

/// The catalogue's entry.
#[derive(Clone, Copy, Debug)]
pub struct ArdennesTitle;

impl Title for ArdennesTitle {
    fn id(&self) -> &'static str {
        "ardennes44"
    }

    fn game(&self) -> Result<Arc<dyn Game>, SetupError> {
        Ok(Arc::new(Ardennes44::new()?))
    }

    fn map(&self) -> Result<&'static Map, SetupError> {
        atlas::packs::ardennes44_map().map_err(bad)
    }

    fn sheet(&self) -> render::Options {
        render::Options { hex_km: Some(2.55), north: 1.7, ..Default::default() }
    }

    fn check_map(&self) -> Result<Report, SetupError> {
        let map = self.map()?;
        let (file, facts) = atlas::packs::ARDENNES44_FACTS;
        let mut report = map.check(file, facts).map_err(bad)?;
        let pack = Pack::embedded().map_err(bad)?;
        let hexes: Vec<(String, String)> = pack
            .units
            .iter()
            .filter_map(|unit| Some((unit.id.clone(), unit.start_hex()?.to_string())))
            .collect();
        let setup = map.check_setup(hexes.iter().map(|(id, hex)| (id.as_str(), hex.as_str())));
        report.checks.extend(setup.checks);
        Ok(report)
    }

    fn check_pack(&self) -> Vec<String> {
        match Pack::embedded() {
            Ok(pack) => {
                let mut findings: Vec<String> = check(&pack).iter().map(ToString::to_string).collect();
                if let Ok(map) = self.map() {
                    findings.extend(check_map(&pack, map).iter().map(ToString::to_string));
                }
                findings
            }
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
        let scenario = scenario.unwrap_or("campaign");
        let setup = Setup {
            game: self.id().to_owned(),
            scenario: scenario.to_owned(),
            edition: edition.map(str::to_owned),
            ..Setup::default()
        };
        let rules = Ardennes44::new()?.rules(&setup)?;
        measure(&rules, &start(&rules)?, self.id(), scenario, games, allocations)
    }
}

fn bad(error: impl ToString) -> SetupError {
    SetupError::Bad(error.to_string())
}
