//! The fuzz targets' properties, on stable and with fewer cases: no input makes the kernel panic, and what is read is
//! written back the same.

use kernel::{Dice, Journal, Table};
use proptest::prelude::*;

use super::outpost::{BLUE, RED, game, setup};

/// Text that looks like notation.
fn notation() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("move"),
        Just("attack"),
        Just("with"),
        Just("fire"),
        Just("hold"),
        Just("order"),
        Just("decoy"),
        Just("done"),
        Just("ambush"),
        Just("advance"),
        Just("r1"),
        Just("r2"),
        Just("b1"),
        Just("b4"),
        Just("a1"),
        Just("b2"),
        Just("e4"),
        Just("target"),
        Just("phase"),
        Just("é"),
        Just("  "),
        Just("\t"),
    ];
    prop_oneof![
        4 => prop::collection::vec(word, 0..8).prop_map(|words| words.join(" ")),
        1 => ".{0,40}",
    ]
}

/// A table some decisions into a random game.
fn table(seed: u64, decisions: usize) -> Box<dyn Table> {
    let mut table = game().open(&setup()).expect("the standard set-up opens");
    let mut dice = Dice::from_number(seed);
    let mut rng = <rand_chacha::ChaCha8Rng as rand_core::SeedableRng>::seed_from_u64(seed);
    for _ in 0..decisions {
        for seat in [RED, BLUE] {
            if table.pending().awaits(seat)
                && let Some(action) = table.random_action(seat, &mut rng)
            {
                table.apply(seat, &action, &mut dice).expect("a random action is legal");
            }
        }
    }
    table
}

/// Lines that look like a lab file.
fn lab_file() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("game = \"outpost\"".to_owned()),
        Just("[[step]]".into()),
        Just("[[unit]]".into()),
        Just("[map]".into()),
        Just("dice = [1, 6, 3]".into()),
        Just("id = \"r1\"\ncell = \"b2\"".into()),
        Just("phase = \"actions\"".into()),
        Just("expect = { a = [1, { b = nan }], c = 1979-05-27 }".into()),
        Just("orders = { red = \"ambush\" }".into()),
        Just("illegal = \"4.1\"".into()),
        notation().prop_map(|text| format!("do = {:?}", format!("red: {text}"))),
        notation().prop_map(|text| format!("do = {:?}", format!("blue: {text}"))),
        notation().prop_map(|text| format!("ask = {text:?}")),
        ("[a-z]{1,6}", -9i64..200).prop_map(|(key, n)| format!("{key} = {n}")),
        ".{0,30}",
    ];
    let free = prop::collection::vec(line, 0..24).prop_map(|lines| lines.join("\n"));
    // Most of the time a head that holds, so that steps are reached.
    let valid = prop::collection::vec((any::<bool>(), notation()), 0..10).prop_map(|steps| {
        let mut text =
            "game = \"outpost\"\nphase = \"actions\"\nseed = 1\n[[unit]]\nid = \"r1\"\ncell = \"b2\"\n\
                        [[unit]]\nid = \"b1\"\ncell = \"b3\"\n"
                .to_owned();
        for (red, action) in steps {
            let side = if red { "red" } else { "blue" };
            text += &format!("[[step]]\ndo = {:?}\nillegal = \"4\"\n", format!("{side}: {action}"));
        }
        text
    });
    prop_oneof![free, valid]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_notation_is_refused_or_read(seed in 0u64..64, decisions in 0usize..12, text in notation()) {
        let table = table(seed, decisions);
        for seat in [RED, BLUE] {
            let before = table.snapshot();
            let legal = table.verdict(seat, &text).is_legal();
            let mut copy = table.clone_table();
            let applied = copy.apply(seat, &text, &mut Dice::from_number(seed));
            prop_assert_eq!(legal, applied.is_ok());
            if let Ok(applied) = applied {
                // The canonical text does the same.
                let mut again = table.clone_table();
                let second = again.apply(seat, &applied.action, &mut Dice::from_number(seed)).unwrap();
                prop_assert_eq!(&second.action, &applied.action);
                prop_assert_eq!(again.snapshot(), copy.snapshot());
            } else {
                prop_assert_eq!(copy.snapshot(), before);
            }
            let _ = table.options(seat, &text);
            let _ = table.ask(kernel::Viewer::Seat(seat), &text);
        }
    }

    #[test]
    fn any_lab_file_gets_a_report(text in lab_file()) {
        let report = kernel::lab::run(&[game()], &text, "fuzz.toml");
        prop_assert!(report.code() <= 2);
        prop_assert_eq!(report.ok(), report.json()["ok"].as_bool().unwrap());
        prop_assert!(!report.human().is_empty());
    }

    #[test]
    fn any_text_is_a_journal_or_an_error(text in ".{0,200}") {
        if let Ok(journal) = Journal::import(&text) {
            let _ = journal.replay(&*game());
        }
    }

    #[test]
    fn a_damaged_journal_is_found_out(at in 0usize..2000, byte in 32u8..127, cut in any::<bool>()) {
        let text = journal_text();
        let at = at % text.len();
        let damaged = if cut {
            text[..at].to_owned()
        } else {
            format!("{}{}{}", &text[..at], char::from(byte), &text[at + 1..])
        };
        match Journal::import(&damaged) {
            // Whatever is let through says the same (a changed blank or an equal byte).
            Ok(journal) => prop_assert_eq!(journal, Journal::import(&text).unwrap()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn any_message_file_is_read_or_refused(text in "([a-z.]{1,8} = \"[{}a-z|:/은는 ]{0,16}\"\n){0,4}") {
        if let Ok(catalog) = kernel::Catalog::parse(&text, "x") {
            for key in catalog.keys() {
                let _ = catalog.render(&kernel::Message::new(key.to_owned()).number("a", 1), &());
            }
        }
    }
}

fn journal_text() -> String {
    let mut session = kernel::Session::open(game(), setup(), kernel::dice::seed_from_number(1)).unwrap();
    session.act(RED, "decoy r1").unwrap();
    session.act(BLUE, "decoy b1").unwrap();
    session.act(RED, "order advance").unwrap();
    session.undo(RED).unwrap();
    session.act(RED, "order ambush").unwrap();
    session.journal().export()
}
