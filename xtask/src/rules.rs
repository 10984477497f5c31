//! `cargo xtask rules [GAME]`: where each rule of a game is enforced and tested.
//!
//! A rule is *enforced* where the code says so: a comment that begins with its number (`// 10.3`, also
//! `// 10.3, 10.4: why`), or `rule("10.3")`. It is *tested* where a test or lab file says `// rule: 10.3` or
//! `# rule: 10.3`; a lab file counts only if it can fail, which takes an `expect` or an `illegal`. A heading counts
//! as covered when a rule below it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::tools::root;

#[derive(Deserialize)]
struct Game {
    list: String,
    enforced: Vec<String>,
    tested: Vec<String>,
    complete: bool,
}

/// A line of a pack's `rules.tsv`: number, title, and a reason if the rule has nothing to enforce.
#[derive(Debug)]
struct RuleLine {
    number: String,
    title: String,
    excuse: Option<String>,
}

pub fn rules(args: &[String]) -> Result<()> {
    let games: BTreeMap<String, Game> =
        toml::from_str(&std::fs::read_to_string(root().join("xtask/games.toml"))?)
            .context("xtask/games.toml")?;
    let chosen = args.iter().find(|word| !word.starts_with("--"));
    let brief = chosen.is_none();
    if let Some(name) = chosen
        && !games.contains_key(name)
    {
        bail!("no game `{name}`; there is {}", games.keys().cloned().collect::<Vec<_>>().join(", "));
    }
    let mut failed = Vec::new();
    for (name, game) in games.iter().filter(|(name, _)| chosen.is_none_or(|chosen| chosen == *name)) {
        let report = cover(game).with_context(|| name.clone())?;
        if !brief {
            print!("{}", report.table);
        }
        println!("{name}: {}", report.summary);
        let holes = if game.complete { &report.incomplete } else { &report.uncovered };
        if !holes.is_empty() && (game.complete || !brief) {
            println!("  without cover: {}", holes.join(", "));
            failed.push(name.clone());
        }
    }
    if !failed.is_empty() {
        bail!("rules without cover in {}", failed.join(", "));
    }
    Ok(())
}

struct Report {
    table: String,
    summary: String,
    /// Neither enforced nor tested, and not excused.
    uncovered: Vec<String>,
    /// Not both enforced and tested, and not excused.
    incomplete: Vec<String>,
}

fn cover(game: &Game) -> Result<Report> {
    let list = std::fs::read_to_string(root().join(&game.list)).with_context(|| game.list.clone())?;
    let lines = parse_list(&list)?;
    let enforced = gather(&game.enforced, enforced_in, |_| true)?;
    let tested = gather(&game.tested, tested_in, can_fail)?;
    let known: BTreeSet<&str> = lines.iter().map(|line| line.number.as_str()).collect();
    let (mut table, mut uncovered, mut incomplete) = (String::new(), Vec::new(), Vec::new());
    let mut full = 0;
    for line in &lines {
        let code = places(&enforced, &known, &line.number);
        let test = places(&tested, &known, &line.number);
        let excuse = line.excuse.as_deref().unwrap_or_default();
        let show = |found: &[String]| {
            found.first().map_or("—".to_owned(), |at| match found.len() {
                1 => at.clone(),
                n => format!("{at} +{}", n - 1),
            })
        };
        let _ = writeln!(
            table,
            "{:<10} {:<44.44} {:<42} {:<42} {excuse}",
            line.number,
            line.title,
            show(&code),
            show(&test)
        );
        if excuse.is_empty() {
            if code.is_empty() && test.is_empty() {
                uncovered.push(line.number.clone());
            }
            if code.is_empty() || test.is_empty() {
                incomplete.push(line.number.clone());
            } else {
                full += 1;
            }
        }
    }
    let excused = lines.iter().filter(|line| line.excuse.is_some()).count();
    let summary = format!(
        "{} rules: {full} enforced and tested, {} in part, {} not at all, {excused} with nothing to enforce",
        lines.len(),
        incomplete.len() - uncovered.len(),
        uncovered.len(),
    );
    Ok(Report { table, summary, uncovered, incomplete })
}

fn parse_list(text: &str) -> Result<Vec<RuleLine>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(at, line)| {
            let mut cells = line.split('\t').map(str::trim);
            let (Some(number), Some(title)) = (cells.next(), cells.next()) else {
                bail!("line {}: wants number, title, reason separated by tabs", at + 1);
            };
            let excuse = cells.next().filter(|excuse| !excuse.is_empty()).map(str::to_owned);
            Ok(RuleLine { number: number.to_owned(), title: title.to_owned(), excuse })
        })
        .collect()
}

type Places = BTreeMap<String, Vec<String>>;

struct SourceFile<'a> {
    path: &'a Path,
    text: &'a str,
}

/// A lab file without an expectation or an expected refusal only proves that its decisions are legal.
fn can_fail(file: &SourceFile) -> bool {
    let is_lab = file.path.extension().is_some_and(|ext| ext == "toml");
    let asserts = |line: &str| {
        ["expect", "illegal"].into_iter().any(|key| {
            line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(['=', '.']))
                || line.contains(&format!("; {key} ="))
        }) || line.trim_start().starts_with("[step.expect")
    };
    !is_lab || file.text.lines().any(asserts)
}

/// Where a rule, or any rule below it, is named.
fn places(found: &Places, known: &BTreeSet<&str>, number: &str) -> Vec<String> {
    // 14.31 is below 14.3; but 2.10 follows 2.9 and is not below 2.1.
    let digits_go_below = number.contains('.') && !known.contains(format!("{number}0").as_str());
    let below = |other: &str| {
        other.strip_prefix(number).is_some_and(|rest| {
            rest.starts_with('.') || (digits_go_below && rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    found
        .iter()
        .filter(|(other, _)| *other == number || below(other))
        .flat_map(|(_, at)| at.clone())
        .collect()
}

fn gather(
    folders: &[String],
    find: fn(&str) -> Vec<String>,
    counts: fn(&SourceFile) -> bool,
) -> Result<Places> {
    let mut found = Places::new();
    for folder in folders {
        for file in files(&root().join(folder))? {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let source = SourceFile { path: &file, text: &text };
            if !counts(&source) {
                continue;
            }
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for (at, line) in text.lines().enumerate() {
                for number in find(line) {
                    found.entry(number).or_default().push(format!("{name}:{}", at + 1));
                }
            }
        }
    }
    Ok(found)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(out) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            out.extend(files(&path)?);
        } else if path.extension().is_some_and(|ext| ext == "rs" || ext == "toml") {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

fn enforced_in(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    if let Some((_, comment)) = line.split_once("//") {
        out.extend(leading_numbers(comment.trim_start_matches(['/', '!', ' '])));
    }
    for (at, _) in line.match_indices("rule(\"") {
        out.extend(leading_numbers(&line[at + 6..]));
    }
    out
}

fn tested_in(line: &str) -> Vec<String> {
    line.find("rule: ")
        .filter(|at| line[..*at].contains(['/', '#']))
        .map_or_else(Vec::new, |at| leading_numbers(&line[at + 6..]))
}

/// The rule numbers a text begins with: `10.3`, `16.71, 16.72: …`, `1E 27.8`, `4.A`.
fn leading_numbers(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for part in text.split(',') {
        let part = part.trim();
        let (edition, rest) = part.strip_prefix("1E ").map_or(("", part), |rest| ("1E ", rest));
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
        let number = rest[..end].trim_end_matches('.');
        // Scenarios have numbers of their own: S1.2.
        let chapter = number.split('.').next().unwrap_or_default();
        let chapter = chapter.strip_prefix('S').unwrap_or(chapter);
        let looks_right = !chapter.is_empty()
            && chapter.len() <= 2
            && chapter.bytes().all(|b| b.is_ascii_digit())
            && number.split('.').all(|cell| !cell.is_empty() && cell.len() <= 3);
        if !looks_right {
            break;
        }
        out.push(format!("{edition}{number}"));
        if end < rest.len() {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_at_the_head_of_a_comment() {
        assert_eq!(enforced_in("    may_enter(hex) // 10.3"), ["10.3"]);
        assert_eq!(enforced_in("// 16.71, 16.72: the lead unit"), ["16.71", "16.72"]);
        assert_eq!(enforced_in("/// 4.A German player turn"), ["4.A"]);
        assert_eq!(enforced_in("refuse(rule(\"12.6\"), why)"), ["12.6"]);
        assert_eq!(enforced_in("// 1E 27.8"), ["1E 27.8"]);
        assert_eq!(enforced_in("// S1.2, 5.2"), ["S1.2", "5.2"]);
        assert!(enforced_in("// So it is").is_empty());
        assert!(enforced_in("// see the table on page 10").is_empty());
        assert!(enforced_in("let x = 10.3;").is_empty());
    }

    #[test]
    fn tests_say_rule() {
        assert_eq!(tested_in("# rule: 17.1, 17.2"), ["17.1", "17.2"]);
        assert_eq!(tested_in("    // rule: 8.2 stacking"), ["8.2"]);
        assert!(tested_in("rule: 8.2").is_empty());
    }

    #[test]
    fn a_heading_is_covered_by_what_stands_below_it() {
        let found: Places = [("14.31".to_owned(), vec!["combat.rs:1".to_owned()])].into();
        let known = BTreeSet::from(["14", "14.3", "14.31", "1"]);
        assert_eq!(places(&found, &known, "14").len(), 1);
        assert_eq!(places(&found, &known, "14.3").len(), 1);
        assert!(places(&found, &known, "1").is_empty());
        let found: Places = [("2.10".to_owned(), vec!["view.rs:1".to_owned()])].into();
        assert!(places(&found, &BTreeSet::from(["2", "2.1", "2.10"]), "2.1").is_empty());
    }

    #[test]
    fn a_lab_file_counts_only_if_it_can_fail() {
        let counts = |name: &str, text: &str| can_fail(&SourceFile { path: Path::new(name), text });
        assert!(!counts("a.toml", "# rule: 1.1\n[[step]]\ndo = \"red: done\"\n"));
        assert!(counts("a.toml", "[[step]]\nask = \"unit A\"\nexpect = { hex = \"1010\" }\n"));
        assert!(counts("a.toml", "do = \"red: done\"; illegal = \"4.1\"\n"));
        assert!(counts("test.rs", "// rule: 1.1"));
    }

    #[test]
    fn a_list_line_without_title_is_refused() {
        assert!(parse_list("10.3\n").unwrap_err().to_string().contains("line 1"));
    }
}
