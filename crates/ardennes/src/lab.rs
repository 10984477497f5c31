//! Positions written in a lab file.

use kernel::{SetupError, Table};

use crate::game::Ardennes44;

/// A table for a lab file's head.
pub fn open(_game: &Ardennes44, _head: &toml::Table) -> Result<Box<dyn Table>, SetupError> {
    Err(SetupError::Bad("lab files cannot be read yet".into()))
}
