//! A game's folder of lab files, as a test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Game, lab};

/// Set this environment variable to part of a file's name to run that file alone and print its answers.
pub const LAB: &str = "LAB";

fn files(folder: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "toml") {
            out.push(path);
        }
    }
    out.sort();
    Ok(())
}

/// A line that begins so says why a file that holds when read strictly does not hold when read leniently.
const STRICT_ONLY: &str = "# strict only: ";

/// Checks that every lab file below a folder holds when read strictly and without a note, holds when read leniently (or
/// says `# strict only: ` and why it cannot), says which rule it is about (`# rule: 10.3`), and has a step: a decision
/// that must be legal is an expectation too. Returns the number of files.
pub fn labs(game: &Arc<dyn Game>, folder: &Path) -> Result<usize, String> {
    let only = std::env::var(LAB).unwrap_or_default();
    let mut list = Vec::new();
    files(folder, &mut list)?;
    let mut failures = Vec::new();
    for path in &list {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.contains(&only) {
            continue;
        }
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        if !text.lines().any(|line| line.starts_with("# rule: ")) {
            failures.push(format!("{name}: no `# rule:` line"));
        }
        if !text.contains("[[step]]") {
            failures.push(format!("{name}: asks nothing"));
        }
        let games = std::slice::from_ref(game);
        let report = lab::run_as(games, &text, &name, "en", lab::Reading::Strict);
        if !only.is_empty() {
            println!("{}", report.json());
        }
        let holds = |report: &lab::Report| report.status == lab::Status::Holds && report.notes.is_empty();
        let leniently = lab::run(games, &text, &name);
        if !holds(&report) {
            failures.push(report.human());
            if holds(&leniently) {
                failures.push(format!(
                    "{name}: holds if it is read leniently; write all decisions and the rules that are cited, or `lenient = true`"
                ));
            }
        } else if (leniently.status == lab::Status::Holds) == text.lines().any(|l| l.starts_with(STRICT_ONLY))
        {
            failures.push(leniently.human());
            failures.push(format!(
                "{name}: a file that holds when read strictly says `{STRICT_ONLY}` and why if, and only if, it does not hold when read leniently"
            ));
        }
    }
    if failures.is_empty() { Ok(list.len()) } else { Err(failures.join("\n")) }
}
