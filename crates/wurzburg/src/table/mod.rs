//! What the table shows beside the position: words on buttons, sheets to fill in, the combat sheet, overlays, and where in
//! the nest of interrupts play stands.

mod covers;
mod label;
mod nest;
mod overlay;
mod sheet;
mod template;

pub use covers::covers;
pub use label::label;
pub use nest::nest;
pub use overlay::command;
pub(crate) use overlay::formation;
pub use sheet::sheet;
pub use template::{sample, template};
