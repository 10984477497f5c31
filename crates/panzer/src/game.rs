//! The game in the catalogue: what it offers, and how a table is opened.

use std::sync::Arc;

use kernel::{
    Dice, Erased, Game, GameInfo, Log, OptionInfo, OverlayInfo, ScenarioInfo, Seat, SeatInfo, Setup,
    SetupError, Table,
    board::{Board, BoxInfo},
};

use crate::{
    pack::{Pack, Side},
    play::{Play, seat},
    rules::{CHAPTER_7, OPTIONS, Options, Panzer},
    setup,
    state::State,
};

/// Panzer: North Africa.
#[derive(Debug)]
pub struct PanzerNorthAfrica {
    info: GameInfo,
    pack: Arc<Pack>,
}

impl PanzerNorthAfrica {
    /// With the shipped pack.
    pub fn new() -> Result<Self, SetupError> {
        let pack = Pack::embedded().map_err(SetupError::bad)?;
        Ok(PanzerNorthAfrica::with(Arc::clone(pack)))
    }

    /// With another pack, for scenarios in preparation.
    pub fn with(pack: Arc<Pack>) -> Self {
        PanzerNorthAfrica { info: info(&pack), pack }
    }

    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// The pack of a table: the game's own, or the shipped one as an overlay corrects it.
    fn pack_for(&self, setup: &Setup) -> Result<Arc<Pack>, SetupError> {
        match &setup.overlay {
            Some(overlay) => Ok(Arc::new(Pack::corrected(overlay).map_err(SetupError::bad)?.0)),
            None => Ok(Arc::clone(&self.pack)),
        }
    }

    /// The rules of a table for a set-up.
    pub fn rules(&self, setup: &Setup) -> Result<Panzer, SetupError> {
        if let Some(edition) = setup.edition.as_deref().filter(|e| !matches!(*e, "basic" | "advanced")) {
            let known = "basic, advanced".into();
            return Err(SetupError::Unknown { what: "edition", name: edition.into(), known });
        }
        let pack = self.pack_for(setup)?;
        let first = || pack.scenarios.first().map_or("", |scenario| scenario.id.as_str());
        let id = if setup.scenario.is_empty() { first() } else { &setup.scenario };
        let scenario = pack.scenario_for(id).map_err(SetupError::bad)?;
        let edition = if scenario.advanced.is_some() { "advanced" } else { "basic" };
        if let Some(asked) = setup.edition.as_deref().filter(|asked| *asked != edition) {
            return Err(SetupError::Bad(format!(
                "scenario {id} is of the {edition} game, not of the {asked} game"
            )));
        }
        let ground = pack.field(&scenario).map_err(SetupError::bad)?;
        let cards = match scenario.advanced {
            Some(_) => crate::piece::cards(&pack.advanced),
            None => pack.cards.clone(),
        };
        Panzer::new(&pack, cards, ground, scenario, Options::read(&setup.options)?)
    }
}

/// The state before the first decision: everything automatic has been done.
pub fn start(rules: &Panzer) -> Result<State, SetupError> {
    settled(rules, setup::start(rules))
}

/// Run a position to its first decision, without dice.
pub fn settled(rules: &Panzer, mut state: State) -> Result<State, SetupError> {
    let (mut dice, mut log) = (Dice::scripted(Vec::new()), Log::default());
    let mut play = Play { rules, s: &mut state, dice: &mut dice, log: &mut log };
    rulebook::flow::settle::<Panzer>(&mut play)
        .map_err(|stop| SetupError::Bad(format!("before the first decision: {stop}")))?;
    Ok(state)
}

fn info(pack: &Pack) -> GameInfo {
    let scenario = |s: &crate::pack::Scenario| ScenarioInfo {
        id: s.id.clone(),
        name: format!("scenario.{}.name", s.id),
        about: format!("scenario.{}.history", s.id),
        turns: s.turns.into(),
        first: 1,
        minutes: s.minutes,
        editions: vec![if s.advanced.is_some() { "advanced" } else { "basic" }.into()],
    };
    let option = |(id, rule): (&str, &str)| OptionInfo::new(id, rule);
    let of_advanced = |pair| OptionInfo { editions: vec!["advanced".into()], ..option(pair) };
    GameInfo {
        id: "panzer".into(),
        name: "game.name".into(),
        about: "game.about".into(),
        seats: vec![SeatInfo::new(Side::Axis.key(), "#8a8152"), SeatInfo::new(Side::Allied.key(), "#a0703c")],
        editions: vec!["basic".into(), "advanced".into()],
        // The meeting engagement is drawn anew for each id; the plain one stands for them all.
        scenarios: pack
            .scenarios
            .iter()
            .chain(pack.scenario_for("meeting").ok().as_ref())
            .chain(&pack.advanced.scenarios)
            .chain(pack.scenario_for("meeting-advanced").ok().as_ref())
            .map(scenario)
            .collect(),
        options: OPTIONS.map(option).into_iter().chain(CHAPTER_7.map(of_advanced)).collect(),
        secrets: true,
        overlays: OverlayInfo::list(&OVERLAYS),
        cards: true,
        overlay: true,
        looks: crate::looks::looks(),
    }
}

/// The map overlays and the line-of-sight tool: id, key, question, rule.
const OVERLAYS: [(&str, &str, &str, &str); 7] = [
    ("los", "v", "los {from} {to}", "4.1.4"),
    ("sight", "s", "sight {unit}", "4.1.4"),
    ("field", "f", "field {unit}", "4.4.3.1"),
    ("spotted", "p", "spotted {seat}", "4.1"),
    ("command", "g", "command {unit}", "6.2.1.1.2"),
    ("sheaf", "h", "sheaf {from} {to}", "6.5.1.5"),
    ("missions", "j", "missions", "6.5.1"),
];

impl Game for PanzerNorthAfrica {
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

    fn study(&self, setup: &Setup) -> kernel::StudyInfo {
        let scenario = self.pack_for(setup).ok().and_then(|pack| pack.scenario_for(&setup.scenario).ok());
        scenario.map(|s| crate::study::info(&s)).unwrap_or_default()
    }

    fn overlay_changes(&self, overlay: &str) -> Result<Vec<String>, SetupError> {
        Pack::corrected(overlay).map(|(_, changes)| changes).map_err(SetupError::bad)
    }

    fn board(&self, setup: &Setup) -> Result<Board, SetupError> {
        Ok(board(&self.rules(setup)?))
    }

    fn map_svg(&self, setup: &Setup, language: &str) -> Result<String, SetupError> {
        let rules = self.rules(setup)?;
        Ok(atlas::Plan::picture(&rules.map, rules.field.hexes(), language))
    }
}

fn board(rules: &Panzer) -> Board {
    let terrain = |hex| {
        let ground = rules.field.ground(hex);
        let mut terrain = vec![format!("terrain.{}", ground.terrain.key())];
        if ground.bridge {
            terrain.push("terrain.bridge".into());
        }
        if ground.elevation > 0 {
            terrain.push(format!("terrain.hill_{}", ground.elevation.min(6)));
        }
        terrain
    };
    let boxes = ["held", "exited", "eliminated"].map(BoxInfo::new);
    rulebook::board(&rules.map, rules.field.hexes(), terrain, boxes.to_vec())
}
