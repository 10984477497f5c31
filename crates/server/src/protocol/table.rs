//! The table: what a client asks, what it is sent.

use kernel::view::{MapLine, Marker, Panel, Piece, TurnView};
use kernel::{Entry, OptionItem, Outcome, Pending, Prompt, Seat, SeatSet, Verdict, View, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::{Advice, ErrorBody, GameDetail, Status, WhatIf};

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
        /// Asked of the position after these decisions of the seat, which are only planned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        after: Vec<String>,
    },
    /// May this be done?
    Verdict {
        id: u32,
        seat: Seat,
        action: String,
        /// Asked of the position after these decisions of the seat, which are only planned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        after: Vec<String>,
    },
    /// A question about the position, through a seat's eyes; none for what everybody may know.
    Ask {
        id: u32,
        #[serde(default)]
        #[ts(optional)]
        seat: Option<Seat>,
        question: String,
        /// Asked of the position after these decisions of the seat, which are only planned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        after: Vec<String>,
    },
    /// The position after decisions of the seat that are only planned. Nothing is decided, and no die is rolled: a plan ends
    /// where one would be.
    Foresee {
        id: u32,
        seat: Seat,
        actions: Vec<String>,
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
    /// Propose something to the others: to stop the clocks, to let a computer play for me.
    Propose {
        id: u32,
        seat: Seat,
        what: Proposal,
    },
    /// Answer somebody's [`Request::Propose`]; whoever made it withdraws it with `no`.
    AnswerProposal {
        id: u32,
        seat: Seat,
        yes: bool,
    },
    /// Let the clocks run again.
    GoOn {
        id: u32,
        seat: Seat,
    },
    /// Take the seat back that a computer plays for me.
    TakeSeat {
        id: u32,
        seat: Seat,
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
    /// What would a bot do here, and why? Only where the game allows analysis. Takes seconds; answered when it is ready, while
    /// other requests go on.
    Advise {
        id: u32,
        seat: Seat,
        /// A bot's level; the game's strongest if none.
        #[serde(default)]
        #[ts(optional)]
        level: Option<String>,
    },
    /// Play this many times over on a copy of the table: what comes of it? As [`Request::Advise`].
    WhatIf {
        id: u32,
        seat: Seat,
        action: String,
        /// How often; 10,000 at most, and as often as the time allows.
        #[serde(default)]
        #[ts(optional)]
        times: Option<u32>,
        /// A question of the game whose answer shall come along as [`super::WhatIf::exact`], such as `outcomes A+B -> 1313`.
        #[serde(default)]
        #[ts(optional)]
        question: Option<String>,
    },
    /// Withdraw an `advise` or `what_if`: `of` is its id.
    Cancel {
        id: u32,
        of: u32,
    },
    /// A bot shall decide now, with what it has found so far. For whoever sits at the table.
    Hurry {
        id: u32,
        seat: Seat,
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
            | Request::Foresee { id, .. }
            | Request::Act { id, .. }
            | Request::Undo { id, .. }
            | Request::Takeback { id, .. }
            | Request::Answer { id, .. }
            | Request::Propose { id, .. }
            | Request::AnswerProposal { id, .. }
            | Request::GoOn { id, .. }
            | Request::TakeSeat { id, .. }
            | Request::Resign { id, .. }
            | Request::Chat { id, .. }
            | Request::Look { id, .. }
            | Request::Advise { id, .. }
            | Request::WhatIf { id, .. }
            | Request::Cancel { id, .. }
            | Request::Hurry { id, .. }
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
    /// A bot begins or stops pondering; in between, how far it is.
    Thinking {
        seat: Seat,
        on: bool,
        /// From 0 to 1, where the bot tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        progress: Option<f32>,
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
    /// The seats that this client holds may not know the same now: the screen is handed over behind a curtain.
    pub curtain: bool,
    /// Which of this client's seats may undo freely.
    pub undo: Vec<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub takeback: Option<TakebackView>,
    /// The players have agreed to stop the clocks.
    #[serde(default)]
    pub paused: bool,
    /// They stand until then, because this seat is away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub vacation: Option<Vacation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proposal: Option<ProposalView>,
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

/// What a player may propose to the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Proposal {
    /// The clocks stand until one of the players lets them run again; with `days`, for so long, unless whoever asked for it
    /// lets them run before.
    Pause {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        days: Option<u16>,
    },
    /// A computer of this level plays for whoever proposes it, until they come back.
    Bot { level: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Vacation {
    pub by: Seat,
    #[ts(type = "number")]
    pub until: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProposalView {
    pub by: Seat,
    pub what: Proposal,
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
    /// New or changed, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Panel>>")]
    pub panels: Vec<Panel>,
    /// The ids of all panels in their order, where some came or went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub panel_order: Option<Vec<String>>,
    /// All of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub markers: Option<Vec<Marker>>,
    /// All of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lines: Option<Vec<MapLine>>,
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
    Foreseen(Box<Foreseen>),
    Advice(Advice),
    WhatIf(Box<WhatIf>),
    /// It is on disk. `seq` is its record.
    Done {
        seq: u32,
    },
    Pong,
}

/// A planned position.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Foreseen {
    pub view: View,
    /// What would be asked of the seat next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ask: Option<SeatAsk>,
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
