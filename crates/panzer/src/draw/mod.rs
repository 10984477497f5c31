//! The map's picture.
