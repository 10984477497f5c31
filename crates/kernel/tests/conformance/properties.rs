//! The properties of the fuzz targets, on stable Rust and with fewer cases: no input makes the kernel panic, and what
//! is read is written back the same.

use kernel::journal::Deed;
use kernel::{Journal, Seat, SeatSet, Session, Viewer};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::checks;
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
    // Usually a valid head, so that the steps are reached.
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
        checks::notation(seed, decisions, &text);
    }

    #[test]
    fn any_lab_file_gets_a_report(text in lab_file()) {
        checks::lab(&[game()], &text);
    }

    #[test]
    fn any_text_is_a_journal_or_an_error(text in ".{0,200}") {
        checks::journal(&text);
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
            // Whatever is accepted says the same (a changed blank or an equal byte).
            Ok(journal) => prop_assert_eq!(journal, Journal::import(&text).unwrap()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn a_forged_journal_with_a_whole_chain_is_replayed_or_refused(deeds in prop::collection::vec(deed(), 0..12)) {
        let mut journal = Journal::import(&journal_text()).unwrap();
        for (seat, deed) in deeds {
            journal.push(seat, deed);
        }
        checks::journal(&journal.export());
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

proptest! {
    // Whole games are slow, so fewer of them.
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_session_can_be_proved_and_taken_up_again(seed in any::<u64>(), deeds in prop::collection::vec(any::<u8>(), 0..60)) {
        let secret = kernel::dice::seed_from_number(seed);
        let mut session = Session::open(game(), setup(), secret).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut snapshot = None;
        let mut position = 0;
        for deed in deeds {
            let seat = Seat(deed & 1);
            let before = (session.len(), session.table().snapshot());
            match deed >> 1 & 15 {
                0 | 1 => drop(session.undo(seat)),
                2 => drop(session.request_takeback(seat, Some(usize::from(deed >> 5)))),
                3 => drop(session.answer_takeback(seat, deed > 64)),
                4 => snapshot = session.snapshot().or(snapshot),
                5 if deed > 250 => drop(session.resign(seat)),
                _ if session.pending().awaits(seat) => {
                    let action = session.table().random_action(seat, &mut rng).unwrap();
                    session.act(seat, &action).unwrap();
                    prop_assert_eq!(session.len(), before.0 + 1);
                    // A free undo restores the previous state.
                    if session.undoable(seat) == Ok(before.0) && deed > 128 {
                        session.undo(seat).unwrap();
                        prop_assert_eq!(session.table().snapshot(), before.1);
                    }
                }
                _ => prop_assert!(session.act(seat, "done").is_err()),
            }
            // The dice stream never rewinds.
            prop_assert!(session.journal().dice_position() >= position);
            position = session.journal().dice_position();
        }
        let mut journal = session.journal().clone();
        journal.reveal(&secret);
        prop_assert!(journal.prove(&*game()).is_ok());
        prop_assert_eq!(journal.replay(&*game()).unwrap().snapshot(), session.table().snapshot());
        for snapshot in [None, snapshot] {
            let resumed = Session::resume(game(), journal.clone(), None, snapshot).unwrap();
            prop_assert_eq!(resumed.pending(), session.pending());
            prop_assert_eq!(resumed.table().snapshot(), session.table().snapshot());
            for viewer in [Viewer::Seat(RED), Viewer::Seat(BLUE), Viewer::Spectator, Viewer::Referee] {
                prop_assert_eq!(resumed.log(viewer, 0), session.log(viewer, 0));
                prop_assert_eq!(resumed.history(viewer), session.history(viewer));
            }
        }
    }
}

#[test]
fn nothing_is_too_deep() {
    let deep = 100_000;
    for text in [
        format!("game = \"outpost\"\nx = {}", "[".repeat(deep)),
        format!("game = \"outpost\"\nx = {}{}", "[".repeat(deep), "]".repeat(deep)),
        format!("game = \"outpost\"\n{}x = 1", "a.".repeat(deep)),
        format!("game = \"outpost\"\n[{}x]\ny = 1", "a.".repeat(deep)),
        format!("game = \"outpost\"\nx = {}", "{a=".repeat(deep)),
        format!("game = \"outpost\"\n[[step]]\nask = \"pending\"\nexpect.{}x = 1", "a.".repeat(deep)),
    ] {
        checks::lab(&[game()], &text);
        let _ = kernel::Catalog::parse(&text, "deep.toml");
    }
    checks::journal(&format!("{{\"format\":1,\"setup\":{}", "[".repeat(deep)));
}

fn deed() -> impl Strategy<Value = (Seat, Deed)> {
    let act = (notation(), prop::collection::vec(any::<u8>(), 0..3), any::<u64>());
    let deed = prop_oneof![
        8 => act.prop_map(|(action, rolls, at)| Deed::Act { action, rolls, at }),
        4 => Just(Deed::Act { action: "order advance".into(), rolls: Vec::new(), at: 0 }),
        3 => prop::collection::vec(0u32..12, 0..3)
            .prop_map(|strikes| Deed::Takeback { strikes, agreed: SeatSet::default() }),
        1 => Just(Deed::Resign),
    ];
    (prop_oneof![4 => 0u8..3, 1 => any::<u8>()].prop_map(Seat), deed)
}

fn journal_text() -> String {
    let mut session = Session::open(game(), setup(), kernel::dice::seed_from_number(1)).unwrap();
    session.act(RED, "decoy r1").unwrap();
    session.act(BLUE, "decoy b1").unwrap();
    session.act(RED, "order advance").unwrap();
    session.undo(RED).unwrap();
    session.act(RED, "order ambush").unwrap();
    session.journal().export()
}
