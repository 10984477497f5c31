//! Hex geometry: hexes, hexsides, vertices, boards, floods and lines. Knows no game.
