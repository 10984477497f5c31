//! Games outside the table: the catalogue, creating, listing and joining.

use kernel::view::Panel;
use kernel::{GameInfo, Seat, SeatSet, Setup, View};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct CatalogueItem {
    pub info: GameInfo,
    pub bots: Vec<BotLevel>,
    /// The languages it is translated into.
    pub languages: Vec<String>,
    /// What the server's overlay changes in its pack, one line each.
    #[serde(default)]
    pub corrections: Vec<String>,
}

/// A pack overlay to be checked.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct TryOverlay {
    /// TOML text.
    pub overlay: String,
}

/// What an overlay would change, one line each.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct OverlayChanges {
    pub changes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BotLevel {
    pub id: String,
    /// Message key.
    pub name: String,
}

/// How the map is cut into tiles. Zoom 0 is the whole map in one tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MapMeta {
    /// Edge of a tile in pixels.
    pub tile: u32,
    pub min_zoom: u8,
    pub max_zoom: u8,
    /// Size of the map in pixels at `max_zoom`.
    pub width: u32,
    pub height: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    pub setup: Setup,
    #[serde(flatten)]
    pub terms: Terms,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ImportGame {
    /// The exported file's text.
    pub journal: String,
    #[serde(flatten)]
    pub terms: Terms,
}

/// A new game that continues from a moment of another.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct BranchGame {
    /// The number of decisions to keep.
    pub decision: u32,
    #[serde(flatten)]
    pub terms: Terms,
}

/// A scenario before its first decision, as everybody may see it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Opening {
    pub view: View,
    /// What each side needs to win, if the game can say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub aims: Option<Panel>,
}

/// A lab file to be run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct LabFile {
    pub text: String,
    /// The language of refusals; English if none is given.
    #[serde(default)]
    #[ts(optional)]
    pub language: Option<String>,
}

/// The terms of a game, whether it is new or continues from a file.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Terms {
    /// In the order of the seats.
    pub seats: Vec<SeatChoice>,
    #[serde(default)]
    #[ts(optional, as = "Option<Clock>")]
    pub clock: Clock,
    #[serde(default)]
    #[ts(optional, as = "Option<Visibility>")]
    pub visibility: Visibility,
    #[serde(default)]
    #[ts(optional)]
    pub title: Option<String>,
    /// Whether players may ask for advice and play decisions out beforehand (`advise`, `what_if`).
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub analysis: bool,
}

/// Who takes a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeatChoice {
    Me,
    /// Another player at the same screen.
    Hotseat {
        #[serde(default)]
        #[ts(optional)]
        name: Option<String>,
    },
    /// Anybody who has the invitation link.
    Invite,
    /// The first to come.
    Open,
    Bot {
        level: String,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Clock {
    #[default]
    None,
    /// Time for the whole game, with an increment whenever the decision passes to another seat.
    Live { base_s: u32, increment_s: u32 },
    /// This many hours each time the decision comes to a seat.
    Turn { hours: u32 },
}

impl Clock {
    /// With this much time left, the player is reminded: a tenth of the time of a live game, but at least half a minute
    /// and at most half the time; a quarter of the time per turn.
    pub fn warning_ms(&self) -> i64 {
        match self {
            Clock::None => 0,
            Clock::Live { base_s, .. } => {
                let base = i64::from(*base_s) * 1000;
                (base / 10).max(30_000).min(base / 2)
            }
            Clock::Turn { hours } => i64::from(*hours) * 900_000,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Listed; anybody may watch.
    Public,
    /// Anybody who knows the address may watch.
    #[default]
    Link,
    /// Only the players.
    Private,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Created {
    pub game: GameDetail,
    pub invites: Vec<Invite>,
}

/// Shown once; the server keeps only a hash of the code.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Invite {
    pub seat: Seat,
    pub code: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Seats are still free.
    Waiting,
    Playing,
    Over,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct GameSummary {
    pub id: String,
    pub game: String,
    pub scenario: String,
    pub title: String,
    pub status: Status,
    pub visibility: Visibility,
    pub clock: Clock,
    pub seats: Vec<SeatView>,
    /// The seats that this user holds.
    pub mine: Vec<Seat>,
    /// The seats that must decide.
    pub awaiting: SeatSet,
    /// The turn being played; 0 before the game has begun.
    #[serde(default)]
    pub turn: u16,
    #[ts(type = "number")]
    pub created: i64,
    #[ts(type = "number")]
    pub updated: i64,
    pub archived: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct GameDetail {
    #[serde(flatten)]
    pub summary: GameSummary,
    pub setup: Setup,
    /// Whether this user created it.
    pub host: bool,
    /// Whether its creator allows `advise` and `what_if`.
    pub analysis: bool,
    /// Whether this game, with these options, can hide anything from a seat.
    pub secrets: bool,
    /// Published before the first decision: it fixes the dice without revealing them.
    pub commitment: String,
    /// The seed that proves the dice, once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seed: Option<String>,
    /// How many records came with an imported file whose dice the seed does not prove: their dice are as written there,
    /// and only later ones can be proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub imported: Option<u32>,
    /// The game's rules have panicked since the last decision: a bug that should be reported.
    #[serde(default)]
    pub failed: bool,
    /// The game that follows this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rematch: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct SeatView {
    pub seat: Seat,
    pub kind: SeatKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// A bot's level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub level: Option<String>,
    pub me: bool,
    /// A bot is playing for the absent holder of this seat.
    #[serde(default)]
    pub away: bool,
    /// Whether its holder has the table open now.
    pub online: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    Person,
    Bot,
    /// Free for anybody.
    Open,
    /// Free for anybody who has the invitation link.
    Invited,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct JoinGame {
    /// An open seat; not needed with a code.
    #[ts(optional)]
    pub seat: Option<Seat>,
    #[ts(optional)]
    pub code: Option<String>,
    /// Only ask which game and seat it is for, without taking the seat.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub look: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SeatOnly {
    pub seat: Seat,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Rematch {
    /// Whether everybody moves on by one seat.
    pub swap: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    pub archived: bool,
}
