//! What is asked at each frame ([`crate::flow`]): who decides, what can be chosen, whether it is legal, what it does.

pub mod fighting;
pub mod moving;
pub mod phases;
pub mod yielding;
