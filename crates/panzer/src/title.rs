//! Panzer: North Africa in the catalogue.

use std::sync::{Arc, OnceLock};

use atlas::{
    Map,
    check::{Check, Report},
    render,
};
use kernel::{Game, SetupError};
use rulebook::{Measured, Title, bench};

use crate::{
    PanzerNorthAfrica, bench_sight,
    game::start,
    pack::{BoardPlace, Pack},
};

/// The catalogue's entry.
#[derive(Clone, Copy, Debug)]
pub struct PanzerTitle;

/// How many boards are shown when no scenario is chosen.
const BOARDS_SHOWN: usize = 6;

impl Title for PanzerTitle {
    fn id(&self) -> &'static str {
        "panzer"
    }

    fn game(&self) -> Result<Arc<dyn Game>, SetupError> {
        Ok(Arc::new(PanzerNorthAfrica::new()?))
    }

    fn map(&self) -> Result<&'static Map, SetupError> {
        static BOARDS: OnceLock<Result<Map, SetupError>> = OnceLock::new();
        BOARDS.get_or_init(some_boards).as_ref().map_err(Clone::clone)
    }

    fn map_of(&self, scenario: Option<&str>, board: Option<u16>) -> Result<Option<Map>, SetupError> {
        let pack = pack()?;
        if let Some(number) = board {
            let known: Vec<String> = pack.boards.iter().map(|(n, _)| n.to_string()).collect();
            let map = pack.board(number).cloned();
            return map
                .map(Some)
                .ok_or_else(|| SetupError::bad(format!("no board {number}; there is {}", known.join(", "))));
        }
        let Some(scenario) = scenario else { return Ok(None) };
        let scenario = pack.scenario_for(scenario).map_err(SetupError::bad)?;
        Ok(Some(pack.field(&scenario).map_err(SetupError::bad)?.0))
    }

    fn sheet(&self) -> render::Options {
        render::Options { hex_km: Some(0.1), ..Default::default() }
    }

    /// The boards, each with its faults.
    fn check_map(&self) -> Result<Report, SetupError> {
        let pack = pack()?;
        let findings = pack.check();
        let mut report = Report::default();
        for (number, board) in &pack.boards {
            let wrong: Vec<String> = findings
                .iter()
                .filter(|f| f.what.split(' ').next() == Some(board.id.as_str()))
                .map(ToString::to_string)
                .collect();
            let text =
                if wrong.is_empty() { format!("board {number} joins the others") } else { wrong.join("; ") };
            report.checks.push(Check { ok: wrong.is_empty(), text, source: "rules 1.2".into() });
        }
        Ok(report)
    }

    fn check_pack(&self) -> Vec<String> {
        match pack() {
            Ok(pack) => pack.check().iter().map(ToString::to_string).collect(),
            Err(error) => vec![error.to_string()],
        }
    }

    fn bench(&self, request: &bench::Request) -> Result<bench::Figures, SetupError> {
        let setup = request.setup(self.id(), "sidi-rezegh");
        let rules = PanzerNorthAfrica::new()?.rules(&setup)?;
        bench::measure(request, setup, &rules, &start(&rules)?)
    }

    /// Line-of-sight benchmarks, on a map of four boards if no scenario is named.
    fn bench_more(&self, scenario: Option<&str>) -> Result<Option<Measured>, SetupError> {
        let pack = pack()?;
        let scenario = pack.scenario_for(scenario.unwrap_or("aqqaqir")).map_err(SetupError::bad)?;
        let (_, field) = pack.field(&scenario).map_err(SetupError::bad)?;
        let figures = bench_sight::measure(&field, &pack.tables);
        let lines = figures.lines();
        let figures = serde_json::to_value(figures).map_err(SetupError::bad)?;
        Ok(Some(Measured { name: "sight", figures, lines }))
    }
}

fn pack() -> Result<&'static Pack, SetupError> {
    Pack::embedded().map(|pack| &**pack).map_err(SetupError::bad)
}

/// The first boards, two across.
fn some_boards() -> Result<Map, SetupError> {
    let pack = pack()?;
    let places: Vec<BoardPlace> = pack
        .boards
        .iter()
        .take(BOARDS_SHOWN)
        .zip(0u8..)
        .map(|((number, _), i)| BoardPlace { number: *number, at: [i % 2, i / 2], turned: false })
        .collect();
    pack.lay("boards", &places, &[]).map_err(SetupError::bad)
}
