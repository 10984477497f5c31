//! The game in the catalogue: what it offers, and how a table is opened.

use std::sync::Arc;

use kernel::{
    Dice, Erased, Game, GameInfo, Log, OptionInfo, OverlayInfo, ScenarioInfo, Seat, SeatInfo, Setup,
    SetupError, Table,
    board::{Board, BoxInfo},
};

use crate::{
    flow,
    pack::{Pack, Scenario},
    play::{Play, seat},
    rules::{OPTIONS, Options, Wurzburg},
    setup,
    state::State,
    units::Side,
};

/// Air & Armor: Würzburg.
#[derive(Debug)]
pub struct AirAndArmor {
    info: GameInfo,
    pack: Arc<Pack>,
}

impl AirAndArmor {
    /// With the shipped pack.
    pub fn new() -> Result<Self, SetupError> {
        let pack = Pack::embedded().map_err(SetupError::bad)?;
        Ok(AirAndArmor { info: info(pack), pack: Arc::clone(pack) })
    }

    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// The scenarios that can be played.
    pub fn scenarios(&self) -> impl Iterator<Item = &Scenario> {
        self.pack.scenarios.iter()
    }

    /// The rules of a table for a set-up.
    pub fn rules(&self, setup: &Setup) -> Result<Wurzburg, SetupError> {
        if let Some(edition) = setup.edition.as_deref().filter(|e| *e != "standard") {
            return Err(SetupError::Unknown {
                what: "edition",
                name: edition.into(),
                known: "standard".into(),
            });
        }
        let pack = match &setup.overlay {
            Some(overlay) => Arc::new(self.pack.corrected(overlay).map_err(SetupError::bad)?.0),
            None => Arc::clone(&self.pack),
        };
        let all = &pack.scenarios;
        let known = || all.iter().map(|s| s.id.clone()).collect::<Vec<_>>().join(", ");
        let scenario = match setup.scenario.as_str() {
            "" => all.first(),
            id => all.iter().find(|scenario| scenario.id == id),
        };
        let scenario = scenario.ok_or_else(|| SetupError::Unknown {
            what: "scenario",
            name: setup.scenario.clone(),
            known: known(),
        })?;
        Wurzburg::new(&pack, pack.map.clone(), scenario.clone(), Options::read(&setup.options)?)
    }
}

/// The state before the first decision: everything automatic has been done.
pub fn start(rules: &Wurzburg) -> Result<State, SetupError> {
    settled(rules, setup::start(rules))
}

/// Run a position to its first decision, without dice.
pub fn settled(rules: &Wurzburg, mut state: State) -> Result<State, SetupError> {
    let (mut dice, mut log) = (Dice::scripted(Vec::new()), Log::default());
    let mut play = Play { rules, s: &mut state, dice: &mut dice, log: &mut log };
    flow::settle(&mut play).map_err(|stop| SetupError::Bad(format!("before the first decision: {stop}")))?;
    Ok(state)
}

fn info(pack: &Pack) -> GameInfo {
    let scenario = |s: &Scenario| ScenarioInfo {
        id: s.id.clone(),
        name: format!("scenario.{}.name", s.id),
        about: format!("scenario.{}.history", s.id),
        turns: s.turns.into(),
        first: 1,
        minutes: s.minutes,
        editions: Vec::new(),
    };
    let matters = |id: &str, s: &Scenario| match id {
        "short" => s.short_version.is_some(),
        "gas" => s.has_gas(),
        _ => true,
    };
    let option = |(id, rule): (&str, &str)| {
        OptionInfo::new(id, rule)
            .where_it_matters(pack.scenarios.iter().map(|s| (s.id.as_str(), matters(id, s))))
    };
    GameInfo {
        id: "wurzburg".into(),
        name: "game.name".into(),
        about: "game.about".into(),
        seats: vec![SeatInfo::new(Side::Wp.word(), "#a8342b"), SeatInfo::new(Side::Nato.word(), "#2f5d8a")],
        editions: vec!["standard".into()],
        scenarios: pack.scenarios.iter().map(scenario).collect(),
        options: OPTIONS.map(option).to_vec(),
        secrets: true,
        overlays: OverlayInfo::list(&OVERLAYS),
        cards: false,
        overlay: true,
        looks: crate::looks::looks(),
    }
}

/// Map overlays: id, key, question, rule.
const OVERLAYS: [(&str, &str, &str, &str); 3] = [
    ("command", "c", "command {seat}", "12.1"),
    ("formation", "f", "formation {unit}", "7.0"),
    ("zoc", "z", "overlay zoc {seat}", "15.0"),
];

impl Game for AirAndArmor {
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn seat(&self, name: &str) -> Option<Seat> {
        crate::lab::side_named(name).map(seat)
    }

    fn open(&self, setup: &Setup) -> Result<Box<dyn Table>, SetupError> {
        let rules = Arc::new(self.rules(setup)?);
        let state = start(&rules)?;
        Ok(Box::new(Erased::new(rules, state)))
    }

    fn lab(&self, head: &toml::Table) -> Result<Box<dyn kernel::lab::LabTable>, SetupError> {
        crate::lab::open(&self.pack, head)
    }

    fn messages(&self, language: &str) -> Option<&'static str> {
        crate::messages::of(language)
    }

    fn board(&self, setup: &Setup) -> Result<Board, SetupError> {
        Ok(board(&self.rules(setup)?))
    }

    fn overlay_changes(&self, overlay: &str) -> Result<Vec<String>, SetupError> {
        self.pack.corrected(overlay).map(|(_, changes)| changes).map_err(SetupError::bad)
    }

    fn map_svg(&self, setup: &Setup, language: &str) -> Result<String, SetupError> {
        let rules = self.rules(setup)?;
        Ok(atlas::Plan::picture(&rules.map, rules.field.board.ids(), language))
    }
}

fn board(rules: &Wurzburg) -> Board {
    let terrain = |hex| vec![format!("terrain.{}", rules.field.terrain(hex).key())];
    let boxes = crate::view::BOXES.map(BoxInfo::new);
    rulebook::board(&rules.map, rules.field.board.ids(), terrain, boxes.to_vec())
}
