//! `cargo xtask map GAME`: compiles a pack's geography into its map files. `--check` only reports whether they are up
//! to date.

use std::{fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let check = args.iter().any(|a| a == "--check");
    let games: Vec<&String> = args.iter().filter(|a| !a.starts_with('-')).collect();
    let [game] = games[..] else {
        eprintln!("usage: cargo xtask map GAME [--check]");
        return ExitCode::from(2);
    };
    match run(game, check) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Writes the files that differ, or only names them. Returns whether all are up to date.
fn run(game: &str, check: bool) -> Result<bool, String> {
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs").join(game);
    let read = |name: &str| fs::read_to_string(pack.join(name)).map_err(|e| format!("{game}/{name}: {e}"));
    let files =
        cartographer::compile(&pack.join("geo"), &read("map/map.toml")?, &read("geo/corrections.toml")?)
            .map_err(|e| e.to_string())?;
    let mut stale = Vec::new();
    for (name, text) in &files {
        if read(&format!("map/{name}")).is_ok_and(|old| old == *text) {
            continue;
        }
        stale.push(*name);
        if !check {
            fs::write(pack.join("map").join(name), text).map_err(|e| format!("{game}/map/{name}: {e}"))?;
        }
    }
    match (stale.as_slice(), check) {
        ([], _) => println!("packs/{game}/map is up to date"),
        (names, false) => println!("packs/{game}/map: wrote {}", names.join(", ")),
        (names, true) => {
            println!("packs/{game}/map: out of date: {}; run `cargo xtask map {game}`", names.join(", "));
        }
    }
    Ok(stale.is_empty() || !check)
}
