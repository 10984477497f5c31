//! The project's own tasks: `cargo play`, `cargo verify`, `cargo xtask …`.

mod docs;
mod map;
mod play;
mod rules;
mod tidy;
mod tools;
mod verify;

use std::process::ExitCode;

const HELP: &str = "\
The project's own chores.

  cargo play [ARGS]          build everything and open the table in a browser
  cargo verify [--install] [--lean] [--timings] [--from STEP]
                             run every check of the project; --install also installs what is missing on a
                             Debian system (Chromium, PostgreSQL), --lean builds without debug information
                             and incremental data (5 GB instead of 13), --timings lists the slowest tests,
                             --list names the steps
  cargo xtask rules [GAME]   where each rule of a game is enforced and tested
  cargo xtask map GAME       compile a pack's geography into its map files (--check only compares)
  cargo xtask tidy           check habits: file length, unfinished work, how comments begin, what the documentation names
  cargo xtask web            build the web client only
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let result = match args.first().map(String::as_str) {
        Some("play") => play::play(rest),
        Some("verify") => verify::verify(rest),
        Some("rules") => rules::rules(rest),
        Some("map") => map::map(rest),
        Some("tidy") => tidy::tidy(),
        Some("web") => tools::build_web(),
        Some("help" | "--help" | "-h") | None => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Some(other) => Err(anyhow::anyhow!("unknown chore `{other}`\n\n{HELP}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}
