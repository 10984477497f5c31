//! Identifies a version of a position; see [`kernel::Stamp`].

pub use kernel::Stamp;
