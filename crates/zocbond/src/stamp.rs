//! A mark of a position; see [`kernel::Stamp`].

pub use kernel::Stamp;
