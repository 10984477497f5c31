//! Every file of `tests/lab` holds: the shared worked examples, and a small file for each rule.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use kernel::{Game, lab};
use panzer::PanzerNorthAfrica;

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(dir).expect("the folder of lab files is in the repository");
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "toml") {
            out.push(path);
        }
    }
    out.sort();
}

fn all() -> Vec<PathBuf> {
    let mut list = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lab"), &mut list);
    list
}

#[test]
fn every_lab_file_holds() {
    let game: Arc<dyn Game> = Arc::new(PanzerNorthAfrica::new().expect("the shipped pack loads"));
    let only = std::env::var("LAB").unwrap_or_default();
    let mut failures = Vec::new();
    for path in all() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(&only) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("lab files are text");
        let report = lab::run(std::slice::from_ref(&game), &text, &name);
        if !only.is_empty() {
            println!("{}", report.json());
        }
        if report.status != lab::Status::Holds || !report.notes.is_empty() {
            failures.push(report.human());
        }
    }
    assert!(failures.is_empty(), "{} files fail:\n\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_lab_file_names_its_rule() {
    for path in all() {
        let text = fs::read_to_string(&path).expect("lab files are text");
        let named = text.lines().any(|line| line.starts_with("# rule: "));
        assert!(named, "{}: no `# rule:` line", path.display());
        // A decision that must be legal is an expectation too.
        assert!(text.contains("[[step]]"), "{}: asks nothing", path.display());
    }
}
