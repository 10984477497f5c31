//! The table: what a client may request, and what it is sent.

use kernel::view::{MapLine, Marker, Panel, Piece, TurnView};
use std::collections::BTreeMap;

use kernel::reading::{Reading, Subject};
use kernel::{Entry, Message, Outcome, Pending, Prompt, Seat, SeatSet, Template, Verdict, View, Viewer};
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
        /// None to watch without an identity.
        #[serde(default)]
        #[ts(optional)]
        token: Option<String>,
        /// The last `seq` this client has seen.
        #[serde(default)]
        #[ts(optional)]
        since: Option<u32>,
    },
}

/// A request of a client. `id` is chosen by the client and returned in the answer.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// What may be done with a subject.
    Options {
        id: u32,
        seat: Seat,
        subject: String,
        /// Apply the question to the position after these decisions of the seat, which are only planned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        after: Vec<String>,
    },
    /// Is this action legal?
    Verdict {
        id: u32,
        seat: Seat,
        action: String,
        /// Apply the question to the position after these decisions of the seat, which are only planned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        after: Vec<String>,
    },
    /// A question about the position, answered with what a seat may know; without a seat, with what everybody may know.
    Ask {
        id: u32,
        #[serde(default)]
        #[ts(optional)]
        seat: Option<Seat>,
        question: String,
        /// Apply the question to the position after these decisions of the seat, which are only planned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        after: Vec<String>,
    },
    /// The position after decisions of the seat that are only planned. Nothing is decided and no die is rolled: a plan
    /// ends where a die would be rolled.
    Foresee {
        id: u32,
        seat: Seat,
        actions: Vec<String>,
    },
    /// Take an action. `moment` is [`Now::moment`] as the client saw it: an action is valid at that moment only.
    Act {
        id: u32,
        seat: Seat,
        action: String,
        moment: u32,
    },
    /// Take the last decision back, if nothing was rolled or revealed since.
    Undo {
        id: u32,
        seat: Seat,
        moment: u32,
    },
    /// Ask the other players to let this seat take its last decision back.
    Takeback {
        id: u32,
        seat: Seat,
        moment: u32,
    },
    /// Answer another seat's [`Request::Takeback`].
    Answer {
        id: u32,
        seat: Seat,
        yes: bool,
    },
    /// Propose something to the other players: to stop the clocks, or to let a bot play for this seat.
    Propose {
        id: u32,
        seat: Seat,
        what: Proposal,
    },
    /// Answer a [`Request::Propose`]; the seat that made it withdraws it by answering no.
    AnswerProposal {
        id: u32,
        seat: Seat,
        yes: bool,
    },
    /// Restart the clocks.
    GoOn {
        id: u32,
        seat: Seat,
    },
    /// Take back the seat that a bot is playing for this user.
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
    /// Choose the viewer, for clients that hold several seats; none follows the seat that must decide.
    Look {
        id: u32,
        #[serde(default)]
        #[ts(optional)]
        viewer: Option<Viewer>,
    },
    /// What would a bot do here, and why? Only in games that allow analysis. Takes seconds; other requests are answered
    /// meanwhile.
    Advise {
        id: u32,
        seat: Seat,
        /// A bot's level; the game's strongest if none.
        #[serde(default)]
        #[ts(optional)]
        level: Option<String>,
    },
    /// Play this action out many times on copies of the table and report the results. Allowed and timed like
    /// [`Request::Advise`].
    WhatIf {
        id: u32,
        seat: Seat,
        action: String,
        /// How often; at most 10,000, and as often as time allows.
        #[serde(default)]
        #[ts(optional)]
        times: Option<u32>,
        /// A question to the game whose answer is returned as [`super::WhatIf::exact`], such as `outcomes A+B -> 1313`.
        #[serde(default)]
        #[ts(optional)]
        question: Option<String>,
    },
    /// Withdraw an `advise` or `what_if`: `of` is its id.
    Cancel {
        id: u32,
        of: u32,
    },
    /// Make a bot decide now, with the best it has found so far. Any player of the game may ask for this.
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
    /// The viewer has changed: the whole view and the whole log.
    Looked(Box<Looked>),
    /// Who holds which seat, and who is online.
    Table {
        game: Box<GameDetail>,
    },
    /// A bot starts or stops searching; in between, its progress.
    Thinking {
        seat: Seat,
        on: bool,
        /// From 0 to 1, if the bot reports it.
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
    /// If 0, `lines` and `chat` are complete; otherwise they hold what came after this `seq`.
    pub from: u32,
    /// With `from` > 0: how many of the decisions known to the client remain; drop the lines of later ones first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub undone: Option<u32>,
    pub lines: Vec<LogLine>,
    pub chat: Vec<ChatLine>,
    /// How many frames this socket may send; it is closed on a client that sends more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub frames: Option<FrameRate>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FrameRate {
    /// On average.
    pub per_second: f64,
    pub burst: f64,
}

/// One record of the game. `now.seq` rises by exactly one from update to update.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Update {
    pub now: Now,
    /// The change since the view of the previous update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub patch: Option<ViewPatch>,
    /// Sent instead of `patch` when the viewer has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub view: Option<View>,
    /// How many decisions remain: drop the lines of later ones.
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
    /// The number of decisions in force.
    pub decision: u32,
    pub viewer: Viewer,
    pub status: Status,
    pub pending: Pending,
    /// What this client's seats are asked to decide.
    pub asks: Vec<SeatAsk>,
    /// The seats that this client holds know different things now: the screen must be handed over behind a curtain.
    pub curtain: bool,
    /// Which of this client's seats may undo without asking.
    pub undo: Vec<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub takeback: Option<TakebackView>,
    /// The players have agreed to stop the clocks.
    #[serde(default)]
    pub paused: bool,
    /// The clocks are stopped until then, because this seat is away.
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
    /// What it may act with, in notation: values for the `subject` of `options`.
    pub subjects: Vec<String>,
    /// What each of them is, in the same order.
    #[serde(default)]
    pub named: Vec<Subject>,
}

/// Something that a seat may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Offer {
    /// The action in canonical notation; a skeleton if there is a template.
    pub action: String,
    /// The action taken apart.
    pub reading: Reading,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
    /// Candidates of the template that name a unit by more than its id, such as `2 of A`, taken apart.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, Reading>>")]
    pub named: BTreeMap<String, Reading>,
    /// The label of its button.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Message>,
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
    /// Stop the clocks until one of the players restarts them; with `days`, for that long, unless the player who asked
    /// for it restarts them earlier.
    Pause {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        days: Option<u16>,
    },
    /// A bot of this level plays for the player who proposes it, until they come back.
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
    /// At the time this frame was sent.
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

/// Plain text, which a client must never interpret as markup.
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

/// The difference between two views of one viewer. What is absent has not changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ViewPatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub turn: Option<TurnView>,
    /// New or changed, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Piece>>")]
    pub pieces: Vec<Piece>,
    /// Ids of pieces that are no longer visible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub gone: Vec<String>,
    /// New or changed, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Panel>>")]
    pub panels: Vec<Panel>,
    /// The ids of all panels in order, if any were added or removed.
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
    Options(Vec<Offer>),
    Verdict(Verdict),
    Answer(Value),
    Foreseen(Box<Foreseen>),
    Advice(Box<Advice>),
    WhatIf(Box<WhatIf>),
    /// The change is on disk. `seq` is its record.
    Done {
        seq: u32,
    },
    Pong,
}

/// A planned position.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Foreseen {
    pub view: View,
    /// What the seat would be asked next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ask: Option<SeatAsk>,
}

/// A past position.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Past {
    /// How many decisions had been taken.
    pub decision: u32,
    pub of: u32,
    pub view: View,
    pub pending: Pending,
    /// The log lines of the last of these decisions.
    pub lines: Vec<LogLine>,
}

/// The course of a game, for the replay slider.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Replay {
    pub decisions: u32,
    pub lines: Vec<LogLine>,
}
