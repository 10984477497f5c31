//! Maps: terrain, hexsides, roads, places; reads, validates and draws map packs.
