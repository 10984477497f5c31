//! The game in the catalogue: what it offers, and how a table is opened.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use atlas::Map;
use kernel::{
    Dice, Erased, Game, GameInfo, Log, OverlayInfo, ScenarioInfo, SeatInfo, Setup, SetupError, Table,
    board::{Board, BoxInfo},
};

use crate::{
    flow,
    options::{self, Options},
    pack::{Edition, Pack},
    play::Play,
    rules::Ardennes,
    setup,
    state::State,
};

/// Ardennes '44.
#[derive(Debug)]
pub struct Ardennes44 {
    info: GameInfo,
    pack: Arc<Pack>,
    map: Arc<Map>,
    /// Rules with the choices they were built from, most recently used last: many tables share the same rules.
    shared: Mutex<Vec<(Made, Arc<Ardennes>)>>,
}

/// Edition, scenario and options of a set-up.
type Made = (Option<String>, String, Vec<String>);

/// At most this many rules are kept for sharing.
const SHARED: usize = 12;

/// Rough playing time of a turn for two people, in minutes.
const MINUTES_PER_TURN: u16 = 45;

impl Ardennes44 {
    /// The game with the shipped pack and map.
    pub fn new() -> Result<Self, SetupError> {
        let pack = Pack::embedded().map_err(|e| SetupError::Bad(e.to_string()))?;
        Ok(Self::with(Arc::new(pack), shipped_map()?))
    }

    pub fn with(pack: Arc<Pack>, map: Arc<Map>) -> Self {
        Ardennes44 { info: info(&pack), pack, map, shared: Mutex::default() }
    }

    pub fn pack(&self) -> &Arc<Pack> {
        &self.pack
    }

    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// Like [`Ardennes44::rules`], but shared with other tables of the same set-up if it has no overlay of its own.
    pub fn shared_rules(&self, setup: &Setup) -> Result<Arc<Ardennes>, SetupError> {
        if setup.overlay.is_some() {
            return self.rules(setup).map(Arc::new);
        }
        let made = (setup.edition.clone(), setup.scenario.clone(), setup.options.clone());
        // A poisoned lock only means that another thread panicked while holding it; the list is still valid.
        let shared = || self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = shared();
        if let Some(at) = kept.iter().position(|(known, _)| *known == made) {
            let found = kept.remove(at);
            let rules = Arc::clone(&found.1);
            kept.push(found);
            return Ok(rules);
        }
        drop(kept);
        let rules = Arc::new(self.rules(setup)?);
        let mut kept = shared();
        if kept.len() >= SHARED {
            kept.remove(0);
        }
        kept.push((made, Arc::clone(&rules)));
        Ok(rules)
    }

    /// The rules of a table for a set-up.
    pub fn rules(&self, setup: &Setup) -> Result<Ardennes, SetupError> {
        let edition = edition(setup.edition.as_deref())?;
        let id = if setup.scenario.is_empty() { "campaign" } else { &setup.scenario };
        let (pack, map) = match &setup.overlay {
            Some(text) => self.corrected(text).map(|(pack, map, _)| (pack, map))?,
            None => (Arc::clone(&self.pack), Arc::clone(&self.map)),
        };
        let known = || {
            let of_edition = pack.scenarios.iter().filter(|s| s.editions.contains(&edition));
            of_edition.map(|s| s.id.as_str()).collect::<Vec<_>>().join(", ")
        };
        let scenario =
            pack.scenario(id).filter(|s| s.editions.contains(&edition)).cloned().ok_or_else(|| {
                SetupError::Unknown { what: "scenario", name: id.to_owned(), known: known() }
            })?;
        let options = Options::read(&pack, edition, &setup.options).map_err(|name| SetupError::Unknown {
            what: "option",
            name,
            known: self.info.options.iter().map(|o| o.id.as_str()).collect::<Vec<_>>().join(", "),
        })?;
        Ardennes::new(pack, map, edition, scenario, options)
    }

    /// Pack and map with an overlay applied, and what it changes.
    fn corrected(&self, overlay: &str) -> Result<(Arc<Pack>, Arc<Map>, Vec<String>), SetupError> {
        let (mut pack, mut map) = (Arc::clone(&self.pack), Arc::clone(&self.map));
        let of_map = Arc::make_mut(&mut map).apply_overlay("overlay", overlay).map_err(SetupError::bad)?;
        let of_pack = Arc::make_mut(&mut pack).apply_overlay(overlay).map_err(SetupError::bad)?;
        let faults = crate::pack::check_map(&pack, &map);
        if let Some(fault) = faults.iter().find(|f| f.severity == crate::pack::Severity::Error) {
            return Err(SetupError::bad(fault));
        }
        let lines = of_map.iter().map(ToString::to_string);
        Ok((pack, map, lines.chain(of_pack.iter().map(ToString::to_string)).collect()))
    }
}

/// `2e` (the default) or `1e`.
pub fn edition(id: Option<&str>) -> Result<Edition, SetupError> {
    match id {
        None => Ok(Edition::Second),
        Some(id) => Edition::named(id).ok_or_else(|| SetupError::Unknown {
            what: "edition",
            name: id.to_owned(),
            known: "2e, 1e".to_owned(),
        }),
    }
}

/// The map embedded in the program, read once.
pub fn shipped_map() -> Result<Arc<Map>, SetupError> {
    static MAP: OnceLock<Result<Arc<Map>, String>> = OnceLock::new();
    let read =
        || atlas::packs::ardennes44_map().map(|map| Arc::new(map.clone())).map_err(ToString::to_string);
    MAP.get_or_init(read).clone().map_err(SetupError::Bad)
}

/// The state before the first decision: every frame that needs no decision has run.
pub fn start(rules: &Ardennes) -> Result<State, SetupError> {
    let mut state = setup::start(rules);
    // Dice needed before the first decision (32.1) are rolled with the first decision: nothing is rolled here.
    let (mut dice, mut log) = (Dice::scripted(Vec::new()), Log::default());
    let mut play = Play { rules, s: &mut state, dice: &mut dice, log: &mut log };
    flow::settle(&mut play).map_err(|stop| SetupError::Bad(format!("before the first decision: {stop}")))?;
    Ok(state)
}

fn info(pack: &Pack) -> GameInfo {
    GameInfo {
        id: "ardennes44".into(),
        name: "game.name".into(),
        about: "game.about".into(),
        seats: vec![SeatInfo::new("german", "#5b6168"), SeatInfo::new("allied", "#5a6b3b")],
        editions: Edition::ALL.into_iter().map(|e| e.key().to_owned()).collect(),
        scenarios: pack
            .scenarios
            .iter()
            .map(|s| {
                let turns = u16::from(s.last_turn - s.first_turn) + 1;
                ScenarioInfo {
                    id: s.id.clone(),
                    name: format!("scenario.{}", s.id),
                    about: format!("scenario.{}.about", s.id),
                    turns,
                    first: s.first_turn.into(),
                    minutes: s.minutes.unwrap_or(turns * MINUTES_PER_TURN),
                    editions: editions_of(s),
                }
            })
            .collect(),
        options: options::list(pack),
        secrets: true,
        overlays: OVERLAYS
            .map(|(id, key, rule)| OverlayInfo::new(id, key, format!("overlay {id} {{seat}}"), rule))
            .to_vec(),
        cards: false,
        overlay: true,
        looks: crate::looks::looks(),
    }
}

/// The editions that a scenario is limited to; none if it is played in all of them.
fn editions_of(scenario: &crate::pack::Scenario) -> Vec<String> {
    if Edition::ALL.iter().all(|edition| scenario.editions.contains(edition)) {
        return Vec::new();
    }
    scenario.editions.iter().map(|edition| edition.key().to_owned()).collect()
}

/// Map overlays: name, key, rule.
const OVERLAYS: [(&str, &str, &str); 6] = [
    ("zoc", "z", "9.1"),
    ("supply", "s", "23.1"),
    ("bonds", "b", "10.1"),
    ("control", "c", "30"),
    ("threat", "t", "11.1"),
    ("arrivals", "n", "13.1"),
];

impl Game for Ardennes44 {
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn seat(&self, name: &str) -> Option<kernel::Seat> {
        crate::lab::side_named(name).map(crate::play::seat)
    }

    fn secrets(&self, setup: &Setup) -> bool {
        // 32.1: nothing but the fuel dumps is ever hidden.
        setup.options.iter().any(|id| id == "fuel_dumps")
    }

    fn open(&self, setup: &Setup) -> Result<Box<dyn Table>, SetupError> {
        let rules = self.shared_rules(setup)?;
        let state = start(&rules)?;
        Ok(Box::new(Erased::new(rules, state)))
    }

    fn lab(&self, head: &toml::Table) -> Result<Box<dyn kernel::lab::LabTable>, SetupError> {
        crate::lab::open(self, head)
    }

    fn messages(&self, language: &str) -> Option<&'static str> {
        crate::messages::of(language)
    }

    fn board(&self, setup: &Setup) -> Result<Board, SetupError> {
        Ok(board(&*self.shared_rules(setup)?))
    }

    fn overlay_changes(&self, overlay: &str) -> Result<Vec<String>, SetupError> {
        self.corrected(overlay).map(|(_, _, changes)| changes)
    }

    fn study(&self, setup: &Setup) -> kernel::StudyInfo {
        crate::study::info(&self.pack.turns, setup.scenario == "campaign")
    }

    fn map_svg(&self, setup: &Setup, language: &str) -> Result<String, SetupError> {
        let rules = self.shared_rules(setup)?;
        Ok(atlas::Plan::picture(&rules.map, rules.land.in_play.iter(), language))
    }
}

fn board(rules: &Ardennes) -> Board {
    let off_map = rules.pack.boxes.iter().map(|b| BoxInfo {
        id: format!("box:{}", b.id),
        name: format!("box.{}", b.id),
        at: None,
    });
    let blocking = rules.pack.entries.iter().filter(|e| e.off_map_box.is_some()).map(|e| BoxInfo {
        id: format!("block:{}", e.letter),
        name: "box.blocking".into(),
        at: None,
    });
    let others = ["antwerp", "exited", "due", "setup", "dead", "track"].map(BoxInfo::new);
    let boxes = off_map.chain(blocking).chain(others).collect();
    let terrain = |hex| rulebook::terrain_of(&rules.map, hex);
    rulebook::board(&rules.map, rules.land.in_play.iter(), terrain, boxes)
}
