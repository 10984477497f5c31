//! What goes over the wire, typed once. [`typescript`] writes the same types for the web client, and a test
//! keeps the two in step. `docs/PROTOCOL.md` tells the story.

use kernel::board::{Board, BoxInfo, Cell};
use kernel::view::{Badge, Chance, Face, Marker, Panel, PanelRow, Piece, Sheet, SheetLine, TurnView, View};
use kernel::{
    Arg, Audience, Entry, GameInfo, Message, OptionInfo, OptionItem, Outcome, Pending, Prompt, Refusal,
    ScenarioInfo, Seat, SeatInfo, SeatSet, Setup, Slot, SlotKind, Template, Verdict, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// The version that `hello` names. It rises when an old client would misread a frame.
pub const PROTOCOL: u32 = 1;

// ---------------------------------------------------------------- errors

/// Why the server says no. A closed list: the client has words for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Malformed: not JSON, a missing field, a value out of bounds.
    BadRequest,
    /// No such game, code or page, or not for you to know of.
    NotFound,
    /// The token is missing, unknown or revoked.
    Unauthorized,
    /// You may not do this.
    Forbidden,
    /// Another holds this seat.
    NotYourSeat,
    /// The rules forbid it; `refusal` says which.
    Illegal,
    /// The game has moved on since the moment the request names.
    Stale,
    /// Not every seat is taken yet.
    Waiting,
    /// The game is over.
    Over,
    /// It is not over yet.
    NotOver,
    /// The seat is taken.
    Taken,
    /// A die was rolled or something hidden was shown: ask for a takeback.
    NothingToUndo,
    /// Nobody asked for a takeback, or somebody else did.
    NoTakeback,
    /// This viewer may not know that.
    Secret,
    RateLimited,
    TooLarge,
    BadName,
    BadPassword,
    /// Unknown login or wrong password.
    BadLogin,
    LoginTaken,
    BadWebhook,
    /// The journal does not replay.
    BadJournal,
    Internal,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ErrorBody {
    pub code: ErrorCode,
    /// For developers, in English.
    pub detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub refusal: Option<Refusal>,
}

// ---------------------------------------------------------------- people

#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct NewGuest {
    #[ts(optional)]
    pub name: Option<String>,
    #[ts(optional)]
    pub language: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Me {
    pub id: String,
    pub name: String,
    /// Has a login and a password.
    pub account: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub login: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub webhook: Option<String>,
    pub language: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Welcomed {
    /// The secret that proves who you are: `Authorization: Bearer TOKEN`.
    pub token: String,
    pub user: Me,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct ChangeMe {
    #[ts(optional)]
    pub name: Option<String>,
    #[ts(optional)]
    pub language: Option<String>,
    /// Null or empty to remove it.
    #[serde(deserialize_with = "present")]
    #[ts(optional = nullable, as = "Option<String>")]
    pub webhook: Option<Option<String>>,
}

/// Tells null from absent.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    pub login: String,
    pub password: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct DeviceCode {
    pub code: String,
    #[ts(type = "number")]
    pub expires_ms: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ClaimDevice {
    pub code: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Notices {
    /// Pass it as `since` next time.
    #[ts(type = "number")]
    pub next: i64,
    /// The games in which I must decide.
    pub awaiting: Vec<GameSummary>,
    pub notices: Vec<Notice>,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Notice {
    #[ts(type = "number")]
    pub n: i64,
    #[ts(type = "number")]
    pub at: i64,
    pub kind: NoticeKind,
    pub game: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seat: Option<Seat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    YourTurn,
    Joined,
    TakebackAsked,
    Chat,
    Over,
    Rematch,
}

// ---------------------------------------------------------------- catalogue

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct CatalogueItem {
    pub info: GameInfo,
    pub bots: Vec<BotLevel>,
    /// Languages that have words for it.
    pub languages: Vec<String>,
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

// ---------------------------------------------------------------- games

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    pub setup: Setup,
    /// By seat order.
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
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ImportGame {
    /// The exported file's text.
    pub journal: String,
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
}

/// Who shall sit there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeatChoice {
    Me,
    /// Somebody beside me at this screen.
    Hotseat {
        #[serde(default)]
        #[ts(optional)]
        name: Option<String>,
    },
    /// Whoever has the link.
    Invite,
    /// Whoever comes first.
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
    /// Time for the whole game, and some back whenever the decision passes to another seat.
    Live { base_s: u32, increment_s: u32 },
    /// So many hours whenever the decision comes to a seat.
    Turn { hours: u32 },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Listed; anybody may look on.
    Public,
    /// Whoever knows the address may look on.
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
    /// The seats I hold.
    pub mine: Vec<Seat>,
    /// Who must decide.
    pub awaiting: SeatSet,
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
    /// Did I create it?
    pub host: bool,
    /// Published before the first decision: it fixes the dice without telling them.
    pub commitment: String,
    /// The proof, when the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seed: Option<String>,
    /// The first so many decisions came with an imported file that did not hold its seed: their dice are as written
    /// there, and only those after them can be proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub imported: Option<u32>,
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
    /// Has the table open now.
    pub online: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    Person,
    Bot,
    /// Free for anybody.
    Open,
    /// Free for whoever has the link.
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
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SeatOnly {
    pub seat: Seat,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Rematch {
    /// Does everybody move one seat on?
    pub swap: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    pub archived: bool,
}

// ---------------------------------------------------------------- the table

/// The first frame of a client.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Hello {
    Hello {
        protocol: u32,
        /// None to look on.
        #[serde(default)]
        #[ts(optional)]
        token: Option<String>,
        /// The last `seq` this client has seen.
        #[serde(default)]
        #[ts(optional)]
        since: Option<u32>,
    },
}

/// What a client asks. `id` is the client's own and comes back in the answer.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// What may be done with a subject.
    Options {
        id: u32,
        seat: Seat,
        subject: String,
    },
    /// May this be done?
    Verdict {
        id: u32,
        seat: Seat,
        action: String,
    },
    /// A question about the position, through a seat's eyes; none for what everybody may know.
    Ask {
        id: u32,
        #[serde(default)]
        #[ts(optional)]
        seat: Option<Seat>,
        question: String,
    },
    /// Do it. `moment` is [`Now::moment`] as the client saw it: an action is for one moment only.
    Act {
        id: u32,
        seat: Seat,
        action: String,
        moment: u32,
    },
    /// Take the last decision back, where nothing was rolled or shown since.
    Undo {
        id: u32,
        seat: Seat,
        moment: u32,
    },
    /// Ask the others to let me take my last decision back.
    Takeback {
        id: u32,
        seat: Seat,
        moment: u32,
    },
    /// Answer somebody's [`Request::Takeback`].
    Answer {
        id: u32,
        seat: Seat,
        yes: bool,
    },
    Resign {
        id: u32,
        seat: Seat,
    },
    Chat {
        id: u32,
        #[serde(default)]
        #[ts(optional)]
        seat: Option<Seat>,
        text: String,
    },
    /// Whoever holds several seats: through whose eyes; none follows the seat that must decide.
    Look {
        id: u32,
        #[serde(default)]
        #[ts(optional)]
        viewer: Option<Viewer>,
    },
    Ping {
        id: u32,
    },
}

impl Request {
    pub fn id(&self) -> u32 {
        match self {
            Request::Options { id, .. }
            | Request::Verdict { id, .. }
            | Request::Ask { id, .. }
            | Request::Act { id, .. }
            | Request::Undo { id, .. }
            | Request::Takeback { id, .. }
            | Request::Answer { id, .. }
            | Request::Resign { id, .. }
            | Request::Chat { id, .. }
            | Request::Look { id, .. }
            | Request::Ping { id } => *id,
        }
    }
}

/// What the server sends.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Frame {
    Welcome(Box<Welcome>),
    Update(Box<Update>),
    /// A new pair of eyes: the whole view and the whole log.
    Looked(Box<Looked>),
    /// Who sits where, and who is there.
    Table {
        game: Box<GameDetail>,
    },
    /// A bot begins or stops pondering.
    Thinking {
        seat: Seat,
        on: bool,
    },
    Reply {
        id: u32,
        result: Answered,
    },
    Refused {
        id: u32,
        error: ErrorBody,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Looked {
    pub now: Now,
    pub view: View,
    pub lines: Vec<LogLine>,
}

/// The whole position for this client, and what it missed.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Welcome {
    pub protocol: u32,
    pub game: GameDetail,
    pub seats: Vec<Seat>,
    pub now: Now,
    pub view: View,
    /// 0: `lines` and `chat` are complete. Else they are what came after this `seq`.
    pub from: u32,
    /// With `from` > 0: so many decisions remain of those the client knew; drop the lines of later ones first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub undone: Option<u32>,
    pub lines: Vec<LogLine>,
    pub chat: Vec<ChatLine>,
}

/// One record of the game. `now.seq` rises by exactly one from update to update.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Update {
    pub now: Now,
    /// The change since the view of the update before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub patch: Option<ViewPatch>,
    /// Instead of `patch`, where the viewer changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub view: Option<View>,
    /// So many decisions remain: drop the lines of later ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub undone: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<LogLine>>")]
    pub lines: Vec<LogLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<ChatLine>>")]
    pub chat: Vec<ChatLine>,
}

/// Where the game stands, for one client.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Now {
    /// The number of the last record: actions, takebacks, chat.
    pub seq: u32,
    /// The number of the last record that changed the position. `act` names it.
    pub moment: u32,
    /// How many decisions stand.
    pub decision: u32,
    pub viewer: Viewer,
    pub status: Status,
    pub pending: Pending,
    /// What is asked of this client's seats.
    pub asks: Vec<SeatAsk>,
    /// Which of this client's seats may undo freely.
    pub undo: Vec<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub takeback: Option<TakebackView>,
    pub clocks: Vec<ClockView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub result: Option<GameResult>,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct SeatAsk {
    pub seat: Seat,
    pub prompt: Prompt,
    /// What it may act with, in notation: the `subject` of `options`.
    pub subjects: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TakebackView {
    pub by: Seat,
    pub agreed: SeatSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClockView {
    pub seat: Seat,
    /// As this frame was sent.
    #[ts(type = "number")]
    pub left_ms: i64,
    pub running: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GameResult {
    pub how: HowEnded,
    pub outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum HowEnded {
    Played,
    Resigned,
    Timeout,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogLine {
    pub seq: u32,
    /// The decision it belongs to, counted from 1.
    pub decision: u32,
    #[ts(type = "number")]
    pub at: i64,
    pub entry: Entry,
}

/// Plain text: a client never reads markup into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatLine {
    pub seq: u32,
    #[ts(type = "number")]
    pub at: i64,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seat: Option<Seat>,
    pub text: String,
}

/// The difference of two views of one viewer. What is absent has not changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ViewPatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub turn: Option<TurnView>,
    /// New or changed, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Piece>>")]
    pub pieces: Vec<Piece>,
    /// Ids of pieces that are no more to be seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub gone: Vec<String>,
    /// All of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub markers: Option<Vec<Marker>>,
    /// All of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub panels: Option<Vec<Panel>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub extra: Option<Value>,
}

#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    Options(Vec<OptionItem>),
    Verdict(Verdict),
    Answer(Value),
    /// It is on disk. `seq` is its record.
    Done {
        seq: u32,
    },
    Pong,
}

/// A moment of the past.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Past {
    /// How many decisions had been taken.
    pub decision: u32,
    pub of: u32,
    pub view: View,
    pub pending: Pending,
    /// What the last of these decisions brought.
    pub lines: Vec<LogLine>,
}

/// The story of a game, for the replay slider.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Replay {
    pub decisions: u32,
    pub lines: Vec<LogLine>,
}

/// All types above and those of the kernel they are made of, as one TypeScript module.
pub fn typescript() -> String {
    let mut out = String::from(
        "// Generated from crates/server/src/protocol.rs; a test keeps it in step. Do not edit.\n\
         // To write it anew: UPDATE_PROTOCOL=1 cargo test -p server --test protocol\n\n\
         export type JsonValue = unknown;\n\n",
    );
    macro_rules! declare {
        ($($name:ty),* $(,)?) => {
            $(
                if let Some(docs) = <$name as TS>::docs() {
                    out.push_str(docs.trim_end());
                    out.push('\n');
                }
                out.push_str("export ");
                out.push_str(&<$name as TS>::decl());
                out.push_str("\n\n");
            )*
        };
    }
    declare!(
        // kernel
        Seat,
        SeatSet,
        Viewer,
        Arg,
        Message,
        Refusal,
        Verdict,
        Outcome,
        Pending,
        Prompt,
        SlotKind,
        Slot,
        Template,
        OptionItem,
        Audience,
        Entry,
        TurnView,
        Badge,
        Face,
        Piece,
        Marker,
        PanelRow,
        Panel,
        View,
        SheetLine,
        Chance,
        Sheet,
        Cell,
        BoxInfo,
        Board,
        SeatInfo,
        ScenarioInfo,
        OptionInfo,
        GameInfo,
        Setup,
        // server
        ErrorCode,
        ErrorBody,
        NewGuest,
        Me,
        Welcomed,
        ChangeMe,
        Credentials,
        DeviceCode,
        ClaimDevice,
        NoticeKind,
        Notice,
        Notices,
        BotLevel,
        CatalogueItem,
        MapMeta,
        Clock,
        Visibility,
        SeatChoice,
        NewGame,
        ImportGame,
        Status,
        SeatKind,
        SeatView,
        GameSummary,
        GameDetail,
        Invite,
        Created,
        JoinGame,
        SeatOnly,
        Rematch,
        Archive,
        Hello,
        Request,
        SeatAsk,
        TakebackView,
        ClockView,
        HowEnded,
        GameResult,
        Now,
        LogLine,
        ChatLine,
        ViewPatch,
        Welcome,
        Looked,
        Update,
        Answered,
        Frame,
        Past,
        Replay,
    );
    out
}
