//! US armored cavalry (41.1, 41.2).

use crate::play::Play;

/// 41.2: a WP force has come next to cavalry.
pub fn offer(_: &mut Play) {}
