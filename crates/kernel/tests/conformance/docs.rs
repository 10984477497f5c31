//! `docs/ADDING-A-GAME.md` is up to date: its code is Outpost's code, its lab file holds.

use super::outpost::game;

const PAGE: &str = include_str!("../../../../docs/ADDING-A-GAME.md");

const FILES: [(&str, &str); 6] = [
    ("main.rs", include_str!("main.rs")),
    ("state.rs", include_str!("outpost/state.rs")),
    ("action.rs", include_str!("outpost/action.rs")),
    ("play.rs", include_str!("outpost/play.rs")),
    ("view.rs", include_str!("outpost/view.rs")),
    ("game.rs", include_str!("outpost/game.rs")),
];

/// The fenced code blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let open = format!("```{language}\n");
    PAGE.split(open.as_str()).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

/// The text without what the formatter decides.
fn bare(text: &str) -> String {
    text.split_whitespace().collect::<String>().replace(",}", "}")
}

#[test]
fn the_code_shown_is_the_games_code() {
    let blocks = blocks("rust");
    assert!(blocks.len() >= 8, "only {} blocks found", blocks.len());
    for block in blocks {
        let (name, code) = block.split_once('\n').unwrap();
        let name = name.trim_start_matches("// ");
        let (_, file) =
            FILES.iter().find(|(file, _)| *file == name).unwrap_or_else(|| panic!("no file {name}"));
        assert!(bare(file).contains(&bare(code)), "{name} has no such code:\n{code}");
    }
}

#[test]
fn the_lab_file_shown_holds() {
    let blocks = blocks("toml");
    assert_eq!(blocks.len(), 1);
    let report = kernel::lab::run(&[game()], blocks[0], "ADDING-A-GAME.md");
    assert_eq!((report.code(), report.steps.len()), (0, 4), "{}", report.human());
}
