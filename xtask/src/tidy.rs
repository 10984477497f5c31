//! `cargo xtask tidy`: conventions that a program can check, over every file that git tracks.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::docs::{self, Tree};
use crate::tools::root;

/// A source file longer than this is refused: it reads better as two.
const LONGEST_FILE: usize = 600;

/// Words that must not appear in finished source files.
const UNFINISHED: &[&str] = &["todo!(", "unimplemented!(", "FIXME", "TODO:"];

pub fn tidy() -> Result<()> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .context("cannot start `git`: is it installed?")?;
    if !listed.status.success() {
        bail!("`git ls-files` failed: tidy looks at the files that git tracks");
    }
    let names = String::from_utf8(listed.stdout).context("a file name is not UTF-8")?;
    let mut faults = Vec::new();
    let mut files = 0;
    for name in names.split('\0').filter(|name| is_source(name)) {
        // Git still lists a file that is deleted but not yet committed.
        let Ok(text) = std::fs::read_to_string(root().join(name)) else { continue };
        files += 1;
        faults.extend(faults_in(name, &text));
        if !runs_examples(name)
            && let Some(at) = first_example(&text)
        {
            faults.push(format!(
                "{name}:{at}: this example is never run: remove `doctest = false` from the Cargo.toml"
            ));
        }
    }
    let tree = Tree::new(names.split('\0'));
    for name in names.split('\0').filter(|name| is_page(name)) {
        let Ok(text) = std::fs::read_to_string(root().join(name)) else { continue };
        files += 1;
        faults
            .extend(docs::faults(name, &text, &tree, |path| std::fs::read_to_string(root().join(path)).ok()));
    }
    for fault in &faults {
        println!("{fault}");
    }
    if !faults.is_empty() {
        bail!("{} untidy places in {files} files", faults.len());
    }
    println!("{files} files are tidy");
    Ok(())
}

/// Pages that must describe the present; `docs/journal/` records the past and is not checked.
fn is_page(name: &str) -> bool {
    let page = Path::new(name).extension().is_some_and(|ext| ext == "md");
    page && !name.starts_with("docs/journal/") && name != "CHANGELOG.md"
}

fn is_source(name: &str) -> bool {
    // This file names the words that it looks for; the protocol's types are generated.
    name != "xtask/src/tidy.rs"
        && !name.starts_with("web/src/lib/protocol/")
        && Path::new(name)
            .extension()
            .is_some_and(|ext| ["rs", "ts", "svelte"].iter().any(|known| ext == *known))
}

fn faults_in(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines = text.lines().count();
    if lines > LONGEST_FILE {
        faults.push(format!("{name}: {lines} lines; split a file of more than {LONGEST_FILE}"));
    }
    for (at, line) in text.lines().enumerate() {
        let at = at + 1;
        if let Some(word) = UNFINISHED.iter().find(|word| line.contains(**word)) {
            faults.push(format!("{name}:{at}: unfinished: `{word}`"));
        }
        if let Some(comment) = line.trim_start().strip_prefix("//")
            && comment.trim_start_matches(['/', '!', ' ']).starts_with('…')
        {
            faults.push(format!("{name}:{at}: a comment begins with an ellipsis; write a whole sentence"));
        }
    }
    faults
}

/// Are the examples in the documentation of this crate's library run? Reading a crate for examples takes seconds, so
/// crates without any say `doctest = false`.
fn runs_examples(name: &str) -> bool {
    let Some((krate, _)) = name.split_once("/src/") else { return true };
    let manifest = std::fs::read_to_string(root().join(krate).join("Cargo.toml")).unwrap_or_default();
    !manifest.contains("doctest = false")
}

/// The line of the first example in a file's documentation: a block of code that is not said to be something else.
fn first_example(text: &str) -> Option<usize> {
    let mut inside = false;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let Some(language) = comment.and_then(|comment| comment.trim_start().strip_prefix("```")) else {
            continue;
        };
        let rust = ["", "rust", "no_run", "should_panic", "compile_fail"];
        if !inside && rust.contains(&language.split(',').next().unwrap_or_default().trim()) {
            return Some(at + 1);
        }
        inside = !inside;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_a_whole_sentence() {
        assert_eq!(faults_in("a.rs", "/// … and the rest\nfn f() {}\n").len(), 1);
        assert!(faults_in("a.rs", "/// All … the rest\nlet s = \"…\";\n").is_empty());
    }

    #[test]
    fn nothing_is_left_unfinished() {
        assert_eq!(faults_in("a.rs", "fn f() { todo!() }\n").len(), 1);
    }

    #[test]
    fn examples_are_found_among_blocks_of_other_text() {
        assert_eq!(first_example("/// ```toml\n/// a = 1\n/// ```\nfn f() {}\n//! ```\n"), Some(5));
        assert_eq!(first_example("//! ```json\n//! {}\n//! ```\n"), None);
        assert_eq!(first_example("let s = \"```\";\n// ```\n"), None);
    }

    #[test]
    fn long_files_are_split() {
        assert!(faults_in("a.rs", &"\n".repeat(LONGEST_FILE)).is_empty());
        assert_eq!(faults_in("a.rs", &"\n".repeat(LONGEST_FILE + 1)).len(), 1);
    }
}
