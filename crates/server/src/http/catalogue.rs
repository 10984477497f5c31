//! The games on offer, and their texts.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use kernel::board::Board;
use kernel::catalog::LANGUAGES;
use kernel::{Catalog, Dice, Game, Pending, Setup, Viewer};
use serde::Deserialize;

use super::{Address, Anyone, Query, Shared};
use crate::error::{Fault, Result};
use crate::hub::Hub;
use crate::lobby;
use crate::protocol::{CatalogueItem, Opening, OverlayChanges, TryOverlay};

/// Selects a map and board: a scenario of an edition.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct MapQuery {
    pub scenario: Option<String>,
    pub edition: Option<String>,
    pub lang: Option<String>,
}

impl MapQuery {
    /// The set-up that is meant, without options; by default of the first scenario.
    pub fn setup(&self, hub: &Hub, game: &dyn Game) -> Result<Setup> {
        let info = game.info();
        let first = info.scenarios.first().map(|s| s.id.clone());
        let scenario = self.scenario.clone().or(first).ok_or_else(Fault::not_found)?;
        let edition = self.edition.clone();
        let mut setup = Setup { game: info.id.clone(), edition, scenario, ..Setup::default() };
        hub.correct(&mut setup);
        Ok(setup)
    }

    pub fn language(&self) -> &'static str {
        let wanted = self.lang.as_deref().unwrap_or("en");
        LANGUAGES.into_iter().find(|l| *l == wanted).unwrap_or("en")
    }
}

pub async fn list(State(hub): Shared) -> Json<Vec<CatalogueItem>> {
    let item = |game: &std::sync::Arc<dyn Game>| CatalogueItem {
        info: game.info().clone(),
        bots: hub.config.bots.levels(&game.info().id),
        languages: LANGUAGES.iter().filter(|l| game.messages(l).is_some()).map(|l| (*l).into()).collect(),
        corrections: hub.corrections(&**game),
    };
    Json(hub.config.games.iter().map(item).collect())
}

pub async fn messages(
    State(hub): Shared,
    Path((game, lang)): Path<(String, String)>,
) -> Result<Json<BTreeMap<String, String>>> {
    let lang = lang.strip_suffix(".json").unwrap_or(&lang);
    if !LANGUAGES.contains(&lang) {
        return Err(Fault::not_found());
    }
    let catalog = Catalog::shared(&**hub.game(&game)?, lang).map_err(Fault::internal)?;
    let text = |key: &str| (key.to_owned(), catalog.text(key).unwrap_or_default().to_owned());
    Ok(Json(catalog.keys().map(text).collect()))
}

/// What an overlay would change, or why it is refused.
pub async fn overlay(
    State(hub): Shared,
    Address(from): Address,
    Path(game): Path<String>,
    super::Json(tried): super::Json<TryOverlay>,
) -> Result<Json<OverlayChanges>> {
    hub.create_limit.take(from)?;
    lobby::check_overlay(Some(&tried.overlay))?;
    Ok(Json(OverlayChanges { changes: hub.game(&game)?.overlay_changes(&tried.overlay)? }))
}

pub async fn board(
    State(hub): Shared,
    Path(game): Path<String>,
    Query(which): Query<MapQuery>,
) -> Result<Json<Board>> {
    let game = hub.game(&game)?;
    Ok(Json(game.board(&which.setup(&hub, &**game)?)?))
}

/// A scenario before its first decision, as everybody may see it: forces and victory conditions for the briefing.
pub async fn opening(
    State(hub): Shared,
    Path(game): Path<String>,
    Query(which): Query<MapQuery>,
) -> Result<Json<Opening>> {
    let game = std::sync::Arc::clone(hub.game(&game)?);
    let setup = which.setup(&hub, &*game)?;
    let open = move || -> Result<Opening> {
        let table = game.open(&setup)?;
        let victory = table.ask(Viewer::Spectator, "victory").ok();
        let panel = victory.and_then(|answer| answer.get("panel").cloned());
        let aims = panel.and_then(|panel| serde_json::from_value(panel).ok());
        // Where players set up units first, show the shipped deployment.
        let mut shown = table.clone_table();
        for _ in 0..4 {
            let mut none = Dice::scripted(Vec::new());
            let Pending::One(seat) = shown.pending() else { break };
            if shown.apply(seat, "deploy", &mut none).is_err() {
                break;
            }
            let _ = shown.apply(seat, "done", &mut none);
        }
        Ok(Opening { view: shown.view(Viewer::Spectator), aims })
    };
    // This may have to read the whole pack.
    tokio::task::spawn_blocking(open).await.map_err(Fault::internal)?.map(Json)
}

pub async fn game_board(
    State(hub): Shared,
    Anyone(user): Anyone,
    Path(id): Path<String>,
) -> Result<Json<Board>> {
    let room = hub.room(&id).await?;
    room.may_look(user.as_ref().map(|u| u.id.as_str()))?;
    Ok(Json(room.game().board(&room.row.setup)?))
}
