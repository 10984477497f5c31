//! What the documentation names must exist: linked files and headings, paths, commands, examples.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// A path in code begins with one of these.
const ROOTS: &[&str] = &["crates/", "packs/", "docs/", "web/", "xtask/", "fuzz/", "examples/"];

/// The files of the tree, and the folders that contain them.
pub struct Tree {
    paths: HashSet<PathBuf>,
}

impl Tree {
    pub fn new<'a>(files: impl Iterator<Item = &'a str>) -> Tree {
        let mut paths = HashSet::new();
        for file in files {
            paths.extend(Path::new(file).ancestors().map(Path::to_path_buf));
        }
        Tree { paths }
    }

    fn has(&self, path: &Path) -> bool {
        self.paths.contains(path)
    }
}

/// What is wrong with a page of documentation; `read` returns the text of another page.
pub fn faults(name: &str, text: &str, tree: &Tree, read: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |at: usize, what: String| faults.push(format!("{name}:{at}: {what}"));
    let mut fenced = false;
    for (at, line) in text.lines().enumerate() {
        let at = at + 1;
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if !fenced {
            for link in links(line) {
                if let Some(what) = broken(name, &link, text, tree, &read) {
                    fault(at, what);
                }
            }
        }
        for code in code_of(line, fenced) {
            for path in paths_in(code) {
                if !tree.has(Path::new(path)) {
                    fault(at, format!("there is no `{path}`"));
                }
            }
            if let Some(what) = unknown_command(code, tree) {
                fault(at, what);
            }
        }
    }
    faults
}

/// The targets of the links in a line.
fn links(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some((_, after)) = rest.split_once("](") {
        let Some((target, after)) = after.split_once(')') else { break };
        found.push(target.split_whitespace().next().unwrap_or_default().to_owned());
        rest = after;
    }
    found
}

/// Why a link leads nowhere. Addresses on the web are not looked up.
fn broken(
    name: &str,
    link: &str,
    text: &str,
    tree: &Tree,
    read: &impl Fn(&Path) -> Option<String>,
) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
    let target = if file.is_empty() { PathBuf::from(name) } else { resolved(name, file) };
    if !tree.has(&target) {
        return Some(format!("the link `{link}` leads nowhere"));
    }
    let heading = heading?;
    let there = if file.is_empty() { text.to_owned() } else { read(&target)? };
    let known = there.lines().filter(|line| line.starts_with('#')).any(|line| anchor(line) == heading);
    (!known).then(|| format!("`{file}` has no heading `#{heading}`"))
}

/// A path as written in a file, from the root of the tree.
fn resolved(name: &str, path: &str) -> PathBuf {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let mut out = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::Normal(part) => out.push(part),
            _ => {}
        }
    }
    out
}

/// The anchor that a page gives to a heading.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The code in a line: the whole line inside a code block, otherwise the parts between backticks.
fn code_of(line: &str, fenced: bool) -> Vec<&str> {
    if fenced || line.starts_with("    ") {
        return vec![line];
    }
    line.split('`').skip(1).step_by(2).collect()
}

/// Paths of the tree in a piece of code. Patterns and names that stand for others (`GAME`, `NAME`, `…`) are left out.
fn paths_in(code: &str) -> impl Iterator<Item = &str> {
    let words =
        code.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | '(' | ')' | '='));
    words.filter_map(|word| {
        let word = word.trim_end_matches(['.', ':', '/']);
        let open = word.contains(['*', '{', '<', '…', '$', '@', '?'])
            || word
                .split(['/', '.'])
                .any(|part| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase()));
        let built =
            ["web/dist", "web/node_modules", "fuzz/corpus"].iter().any(|folder| word.starts_with(folder));
        (ROOTS.iter().any(|root| word.starts_with(root)) && !open && !built).then_some(word)
    })
}

/// The commands of the program: the variants of its `Command`.
fn commands() -> impl Iterator<Item = String> {
    const MAIN: &str = include_str!("../../crates/grognard/src/main.rs");
    let variants = MAIN.split_once("enum Command {").and_then(|(_, rest)| rest.split_once("\n}"));
    let lines = variants.map_or("", |(variants, _)| variants).lines();
    lines.filter_map(|line| {
        let (name, _) = line.trim().split_once('(')?;
        name.chars().all(char::is_alphanumeric).then(|| name.to_lowercase())
    })
}

/// A command that does not exist.
fn unknown_command(code: &str, tree: &Tree) -> Option<String> {
    if code.contains('\\') {
        return None; // a text with an escape is data
    }
    let words: Vec<&str> = code.split_whitespace().collect();
    for pair in words.windows(2) {
        let [program, word] = *pair else { continue };
        if !word.starts_with(|c: char| c.is_ascii_lowercase()) {
            continue;
        }
        let known = match program {
            "grognard" => word == "help" || commands().any(|command| command == word),
            "xtask" => crate::HELP.contains(&format!("cargo xtask {word}")),
            "--example" => tree.paths.iter().any(|path| {
                path.ends_with(format!("examples/{word}.rs"))
                    || path.ends_with(format!("examples/{word}/main.rs"))
            }),
            _ => continue,
        };
        if !known {
            return Some(format!("there is no `{program} {word}`"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let tree = Tree::new(
            ["docs/A.md", "docs/B.md", "crates/a/src/lib.rs", "crates/a/examples/tune/main.rs"].into_iter(),
        );
        faults("docs/A.md", text, &tree, |path| {
            (path == Path::new("docs/B.md")).then(|| "# One word, two\n".into())
        })
    }

    #[test]
    fn a_link_must_lead_to_a_file_and_its_heading() {
        assert!(
            found("[b](B.md) [b](B.md#one-word-two) [a](../crates/a/src/lib.rs) [w](https://example.com)")
                .is_empty()
        );
        assert_eq!(found("[c](C.md)").len(), 1);
        assert_eq!(found("[b](B.md#two)").len(), 1);
        assert_eq!(found("# Here\n[h](#here) [n](#nowhere)").len(), 1);
    }

    #[test]
    fn a_path_in_code_must_exist() {
        assert!(
            found("`crates/a/src/lib.rs`, `crates/a`, `crates/GAME/src`, `packs/*/i18n`, crates/b")
                .is_empty()
        );
        assert_eq!(found("`crates/b`"), ["docs/A.md:1: there is no `crates/b`"]);
        assert_eq!(found("    cat crates/b/lib.rs\n").len(), 1);
    }

    #[test]
    fn a_command_must_exist() {
        let good = "`grognard sim ardennes44`, `cargo xtask tidy`\n\n    cargo run --example tune -- 1\n";
        assert!(found(good).is_empty());
        assert_eq!(found("`grognard fly`").len(), 1);
        assert_eq!(found("`cargo xtask fly`").len(), 1);
        assert_eq!(found("    cargo run --example fly\n").len(), 1);
    }

    #[test]
    fn the_commands_of_the_program_are_read() {
        let commands: Vec<String> = commands().collect();
        for command in ["play", "sim", "completions"] {
            assert!(commands.iter().any(|known| known == command), "{commands:?}");
        }
    }
}
