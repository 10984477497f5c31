//! The map that is shipped is the one that its sources make.

use std::{fs, path::Path};

#[test]
fn the_shipped_map_is_what_its_sources_make() {
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/ardennes44");
    let read = |name: &str| fs::read_to_string(pack.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let files =
        cartographer::compile(&pack.join("geo"), &read("map/map.toml"), &read("geo/corrections.toml"))
            .unwrap_or_else(|e| panic!("{e}"));
    for (name, text) in files {
        assert!(
            text == read(&format!("map/{name}")),
            "{name} is out of date: run `cargo xtask map ardennes44`"
        );
    }
}
