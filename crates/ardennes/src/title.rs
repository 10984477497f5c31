//! Ardennes '44 in the catalogue.

use std::sync::Arc;

use atlas::{Map, check::Report, render};
use kernel::{Game, SetupError};
use rulebook::{Title, bench};

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
        atlas::packs::ardennes44_map().map_err(SetupError::bad)
    }

    fn sheet(&self) -> render::Options {
        render::Options { hex_km: Some(2.55), north: 1.7, ..Default::default() }
    }

    fn check_map(&self) -> Result<Report, SetupError> {
        let map = self.map()?;
        let (file, facts) = atlas::packs::ARDENNES44_FACTS;
        let mut report = map.check(file, facts).map_err(SetupError::bad)?;
        let pack = Pack::embedded().map_err(SetupError::bad)?;
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

    fn bench(&self, request: &bench::Request) -> Result<bench::Figures, SetupError> {
        let setup = request.setup(self.id(), "campaign");
        let rules = Ardennes44::new()?.rules(&setup)?;
        bench::measure(request, setup, &rules, &start(&rules)?)
    }
}
