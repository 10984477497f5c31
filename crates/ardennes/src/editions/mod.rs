//! Where the editions of the game differ.

mod first;
