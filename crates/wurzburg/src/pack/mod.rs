//! The data of the game: map, pieces, tables, scenarios and words.
