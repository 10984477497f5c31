//! The types of everything sent over the wire. [`typescript`] writes the same types for the web client, and a test
//! keeps the two in step. `docs/PROTOCOL.md` describes the protocol.

mod analysis;
mod games;
mod people;
mod table;

pub use analysis::*;
pub use games::*;
pub use people::*;
pub use table::*;

use kernel::{Refusal, RefusalKind};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The version that `hello` must name. It is increased when an old client would misread a frame.
pub const PROTOCOL: u32 = 2;

/// Why the server refuses a request. A closed list: the client has a translation for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Malformed: not JSON, a missing field, a value out of bounds.
    BadRequest,
    /// No such game, code or page, or one that this user may not know of.
    NotFound,
    /// The token is missing, unknown or revoked.
    Unauthorized,
    /// This user may not do this.
    Forbidden,
    /// This seat belongs to another player.
    NotYourSeat,
    /// The rules forbid it; `refusal` says which.
    Illegal,
    /// The game has moved on since the moment the request names.
    Stale,
    /// Not every seat is taken yet.
    Waiting,
    /// The game is over.
    Over,
    /// The game is not over yet.
    NotOver,
    /// The seat is taken.
    Taken,
    /// A die was rolled or something hidden was revealed since: ask for a takeback.
    NothingToUndo,
    /// Nobody asked for a takeback, or somebody else did.
    NoTakeback,
    /// This viewer may not know the answer.
    Secret,
    RateLimited,
    TooLarge,
    BadName,
    BadPassword,
    /// Unknown login or wrong password.
    BadLogin,
    LoginTaken,
    BadWebhook,
    /// The plan ends here: a die would be rolled, or something hidden revealed.
    PlanEnds,
    /// The journal does not replay.
    BadJournal,
    /// The client uses another version of the protocol: a page that was left open must be reloaded.
    Outdated,
    /// The request was withdrawn, or the position it was about has changed.
    Cancelled,
    /// The game's rules panicked, which is a bug. Nothing has changed.
    RulesFailed,
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

/// All types of this protocol and those of the kernel they are made of, as one TypeScript module.
pub fn typescript() -> String {
    use kernel::board::{Board, BoxInfo, Cell};
    use kernel::log::{FactKind, Facts, Topic};
    use kernel::looks::{Looks, MarkerLook, MarkerShape, StateLook, StateShape};
    use kernel::reading::{Deed, Reading, Subject, SubjectKind};
    use kernel::view::{
        Area, Badge, Card, CardRow, CardSection, Chance, Drawn, Face, Figure, FigurePart, GroundLook,
        LabPosition, MapLine, Marker, Mood, Overlay, Panel, PanelRow, Piece, Reach, Section, SectionPoint,
        Sheet, SheetLine, Tone, TurnView, Way,
    };
    use kernel::{
        Arg, Audience, Brief, BriefAnswer, Entry, GameInfo, Message, OptionInfo, Outcome, OverlayInfo,
        Pending, Prompt, ScenarioInfo, Seat, SeatInfo, SeatSet, Setup, Slot, SlotKind, Template, Tie,
        TieKind, Verdict, View, Viewer,
    };

    let mut out = String::from(
        "// Generated from crates/server/src/protocol; a test keeps it in step. Do not edit.\n\
         // To write it anew: UPDATE_PROTOCOL=1 cargo test -p server --test protocol\n\n\
         export type JsonValue = unknown;\n\n",
    );
    out.push_str(&format!("/** The version of the protocol. */\nexport const PROTOCOL = {PROTOCOL};\n\n"));
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
        RefusalKind,
        Refusal,
        Verdict,
        Outcome,
        Pending,
        Prompt,
        SlotKind,
        Slot,
        TieKind,
        Tie,
        Template,
        Deed,
        Reading,
        SubjectKind,
        Subject,
        Audience,
        Topic,
        FactKind,
        Facts,
        Entry,
        GroundLook,
        LabPosition,
        Mood,
        TurnView,
        Badge,
        Face,
        Piece,
        Marker,
        PanelRow,
        Panel,
        Tone,
        MapLine,
        View,
        SheetLine,
        Chance,
        Sheet,
        Figure,
        FigurePart,
        BriefAnswer,
        Brief,
        Area,
        SectionPoint,
        Section,
        Overlay,
        Reach,
        Way,
        CardRow,
        CardSection,
        Card,
        Drawn,
        Cell,
        BoxInfo,
        Board,
        SeatInfo,
        ScenarioInfo,
        OptionInfo,
        OverlayInfo,
        StateShape,
        MarkerShape,
        StateLook,
        MarkerLook,
        Looks,
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
        TryOverlay,
        OverlayChanges,
        MapMeta,
        Clock,
        Visibility,
        SeatChoice,
        Terms,
        NewGame,
        ImportGame,
        BranchGame,
        LabFile,
        Opening,
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
        Offer,
        TakebackView,
        Proposal,
        ProposalView,
        Vacation,
        ClockView,
        HowEnded,
        GameResult,
        Now,
        LogLine,
        ChatLine,
        ViewPatch,
        FrameRate,
        Welcome,
        Looked,
        Update,
        Advice,
        Tally,
        Fate,
        Losses,
        WhatIf,
        ReviewItem,
        Reviewed,
        Measure,
        RollLuck,
        Standing,
        Luck,
        Foreseen,
        Answered,
        Frame,
        Past,
        Replay,
    );
    out
}
