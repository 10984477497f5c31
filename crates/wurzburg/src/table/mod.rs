//! What the table shows besides the position: button labels, sheets to fill in, the combat sheet, overlays, and the
//! nested interrupts that play is in.

mod attempt;
mod covers;
mod delivery;
mod flight;
mod label;
mod nest;
mod overlay;
mod sheet;
mod storm;
mod support;
mod template;

pub(crate) use attempt::profile as profile_sheet;
pub use covers::covers;
pub use flight::flight;
pub use label::label;
pub use nest::nest;
pub use overlay::command;
pub(crate) use overlay::formation;
pub use sheet::sheet;
pub use support::support;
pub use template::{sample, template};
