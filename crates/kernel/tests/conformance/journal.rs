//! Journals as files: damage is found and named, and the dice can be proved.

use kernel::dice::seed_from_number;
use kernel::journal::{Deed, JournalError};
use kernel::{Journal, Session};

use super::outpost::{BLUE, RED, game, setup};

fn played() -> (Journal, kernel::dice::Seed) {
    let seed = seed_from_number(11);
    let mut session = Session::open(game(), setup(), seed).unwrap();
    for (seat, action) in [
        (RED, "decoy r1"),
        (BLUE, "decoy b1"),
        (RED, "order advance"),
        (BLUE, "order ambush"),
        (RED, "move r2 b2 b3"),
        (BLUE, "fire b2"),
    ] {
        session.act(seat, action).unwrap();
    }
    session.request_takeback(BLUE, None).unwrap();
    session.answer_takeback(RED, true).unwrap();
    session.act(BLUE, "fire b2").unwrap();
    let mut journal = session.journal().clone();
    journal.reveal(&seed);
    (journal, seed)
}

#[test]
fn the_dice_are_proved_also_those_taken_back() {
    let (journal, _) = played();
    let proof = journal.prove(&*game()).unwrap();
    assert_eq!((proof.decisions, proof.dice), (7, 2));
    assert_eq!(Journal::import(&journal.export()).as_ref(), Ok(&journal));
    // Without the seed the chain is the same, but the dice cannot be proved.
    let published = Journal::import(&journal.published().export()).unwrap();
    assert_eq!(published.tip(), journal.tip());
    assert_eq!(published.prove(&*game()), Err(JournalError::NoSeed));
}

/// A file of format 1 as it was written at the time. It must stay readable as long as there are journals of that
/// format.
#[test]
fn an_old_journal_is_read() {
    let journal = Journal::import(include_str!("golden/journal-format-1.json")).unwrap();
    assert_eq!(journal.prove(&*game()).unwrap().dice, 2);
}

/// Changes a journal and repairs its chain, as a forger would.
fn forge(journal: &Journal, change: impl FnOnce(&mut Journal)) -> Journal {
    let mut forged = journal.clone();
    change(&mut forged);
    let records = std::mem::take(&mut forged.records);
    for record in records {
        forged.push(record.seat, record.deed);
    }
    forged
}

#[test]
fn a_changed_die_breaks_the_chain_and_a_mended_chain_the_proof() {
    let (journal, _) = played();
    let cheat = |journal: &mut Journal| {
        if let Deed::Act { rolls, .. } = &mut journal.records[5].deed {
            rolls[0] = rolls[0] % 6 + 1;
        }
    };
    let mut torn = journal.clone();
    cheat(&mut torn);
    assert_eq!(torn.verify(), Err(JournalError::Chain { record: 5 }));
    let forged = forge(&journal, cheat);
    assert_eq!(forged.verify(), Ok(()));
    assert!(matches!(forged.prove(&*game()), Err(JournalError::Rolls { record: 5, .. })));

    let moved = forge(&journal, |j| {
        if let Deed::Act { at, .. } = &mut j.records[7].deed {
            *at += 1;
        }
    });
    assert!(matches!(moved.prove(&*game()), Err(JournalError::Position { record: 7, .. })));
}

#[test]
fn another_seed_no_seed_and_no_commitment_prove_nothing() {
    let (journal, _) = played();
    let mut other = journal.clone();
    other.reveal(&seed_from_number(12));
    assert_eq!(other.prove(&*game()), Err(JournalError::WrongSeed));
    other.seed = Some("zz".into());
    assert_eq!(other.prove(&*game()), Err(JournalError::BadSeed));
    other.seed = None;
    assert_eq!(other.prove(&*game()), Err(JournalError::NoSeed));
    let without = forge(&journal, |j| j.commitment = None);
    assert_eq!(without.prove(&*game()), Err(JournalError::NoCommitment));
}

#[test]
fn forged_decisions_are_refused() {
    let (journal, _) = played();
    let act = |action: &str, rolls: Vec<u8>| Deed::Act { action: action.into(), rolls, at: 0 };
    let replay = |change: &dyn Fn(&mut Journal)| forge(&journal, change).replay(&*game()).err().unwrap();
    let illegal = replay(&|j| j.records[4].deed = act("move r2 e4", vec![]));
    assert!(matches!(illegal, JournalError::Refused { record: 4, .. }), "{illegal}");
    let turn = replay(&|j| j.records[4].seat = BLUE);
    assert!(matches!(turn, JournalError::Refused { record: 4, .. }), "{turn}");
    let few = replay(&|j| j.records[7].deed = act("fire b2", vec![]));
    assert!(matches!(few, JournalError::Refused { record: 7, .. }), "{few}");
    let many = replay(&|j| j.records[7].deed = act("fire b2", vec![1, 1]));
    assert!(matches!(many, JournalError::Rolls { record: 7, .. }), "{many}");
    let strikes = replay(&|j| {
        j.records[6].deed = Deed::Takeback { strikes: vec![6], agreed: kernel::SeatSet::default() };
    });
    assert_eq!(strikes, JournalError::Strikes { record: 6, strikes: 6 });
    let after = replay(&|j| j.records[2].deed = Deed::Resign);
    assert_eq!(after, JournalError::AfterEnd { record: 3 });
    let game_id = replay(&|j| j.setup.game = "chess".into());
    assert!(matches!(game_id, JournalError::OtherGame { .. }), "{game_id}");
    let scenario = replay(&|j| j.setup.scenario = "none".into());
    assert!(scenario.to_string().contains("there is standard"), "{scenario}");
}

#[test]
fn damaged_files_get_clear_errors() {
    let text = played().0.export();
    for (damaged, says) in [
        (text[..text.len() / 2].to_owned(), "not a journal: EOF"),
        (String::new(), "not a journal: EOF"),
        ("[]".into(), "`format` is missing"),
        ("{\"format\":\"1\"}".into(), "`format` is missing or not a number"),
        (text.replacen("\"format\":1", "\"format\":9", 1), "format 9, this program reads 1 to 1"),
        (text.replacen("\"format\":1", "\"format\":0", 1), "format 0"),
        (text.replacen("\"records\"", "\"moves\"", 1), "unknown field `moves`"),
        (text.replacen("decoy r1", "decoy r2", 1), "record 0 does not fit the digest chain"),
        (text.replacen("standard", "campaign", 1), "record 0 does not fit the digest chain"),
        (text.replacen("\"kind\":\"act\"", "\"kind\":\"sing\"", 1), "unknown variant `sing`"),
    ] {
        let error = Journal::import(&damaged).unwrap_err().to_string();
        assert!(error.contains(says), "{error} does not say {says}");
    }
}
