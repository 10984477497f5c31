//! What all games have in common: seats, decisions, verdicts, dice, journal, views. It knows no hexes and no particular
//! game.
//!
//! A game is a sequence of decisions and dice; nothing else changes a state. A game crate implements [`Rules`] on its
//! own plain types; all other code (server, lab, simulation, browser) works with the type-erased [`Table`] and
//! [`Game`], which exchange text and JSON.
//!
//! Start reading at [`rules`]: the whole contract fits on one screen. [`session`] is a game being played: table,
//! [`journal`] and [`dice`] together. [`lab`] answers questions about any position, [`testkit`] checks any game,
//! [`catalog`] turns messages into words. `docs/ADDING-A-GAME.md` walks through a whole game.

pub mod board;
pub mod brief;
pub mod catalog;
pub mod dice;
pub mod erased;
pub mod journal;
pub mod lab;
pub mod log;
pub mod looks;
pub mod message;
pub mod reading;
pub mod rules;
pub mod seat;
pub mod session;
pub mod setup;
pub mod stamp;
pub mod standing;
pub mod survey;
pub mod testkit;
pub mod verdict;
pub mod view;

pub use brief::{Brief, BriefAnswer};
pub use catalog::{Catalog, Names};
pub use dice::{Dice, DiceError};
pub use erased::{Applied, Erased, Game, OptionItem, SubjectItem, Table};
pub use journal::{Journal, JournalError};
pub use log::{Audience, Entry, Facts, Log, Roll, Topic};
pub use message::{Arg, Message};
pub use reading::Reading;
pub use rules::{
    Ask, Outcome, Pending, Prompt, Rules, Secrecy, Slot, SlotKind, Stop, Template, Tie, TieKind,
};
pub use seat::{Seat, SeatSet, Viewer};
pub use session::{Session, Snapshot};
pub use setup::{GameInfo, OptionInfo, OverlayInfo, ScenarioInfo, SeatInfo, Setup, SetupError};
pub use stamp::Stamp;
pub use standing::Standing;
pub use survey::{StudyInfo, Survey};
pub use verdict::{Refusal, RefusalKind, Verdict};
pub use view::View;
