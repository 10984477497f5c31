//! Scenarios as their files say them.

use super::{PackError, PackFiles, Scenario};

pub(super) fn read(files: &PackFiles) -> Result<Vec<Scenario>, PackError> {
    let _ = files;
    Ok(Vec::new())
}
