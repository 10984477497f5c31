//! The shipped maps are up to date with their sources.

use std::{fs, path::Path};

fn is_what_its_sources_make(game: &str) {
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs").join(game);
    let read = |name: &str| fs::read_to_string(pack.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let files =
        cartographer::compile(&pack.join("geo"), &read("map/map.toml"), &read("geo/corrections.toml"))
            .unwrap_or_else(|e| panic!("{e}"));
    for (name, text) in files {
        assert!(text == read(&format!("map/{name}")), "{name} is out of date: run `cargo xtask map {game}`");
    }
}

#[test]
fn the_map_of_ardennes_44() {
    is_what_its_sources_make("ardennes44");
}

#[test]
fn the_map_of_holland_44() {
    is_what_its_sources_make("holland44");
}

#[test]
fn the_map_of_wurzburg() {
    is_what_its_sources_make("wurzburg");
}
