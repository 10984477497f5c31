use std::collections::BTreeMap;

use hexgrid::HexId;
use kernel::erased::random_action;
use kernel::{Dice, Log, Pending, Rules, Setup};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::action::{Action, Subject};
use crate::frame::{Frame, Mode, Phase};
use crate::{Holland44, start};

/// The list for a unit has the hexes that its modes reach, taken one mode after the other, by the same paths.
#[test]
fn lists_hold_what_each_mode_reaches() {
    let setup = Setup { scenario: "nijmegen".into(), ..Setup::default() };
    let rules = Holland44::new().unwrap().rules(&setup).unwrap();
    let mut s = start(&rules).unwrap();
    let (mut dice, mut log, mut rng) = (Dice::from_number(7), Log::default(), ChaCha8Rng::seed_from_u64(7));
    let (mut compared, mut short) = (0, 0);
    for n in 0..2_000 {
        let Pending::One(seat) = rules.pending(&s) else { break };
        if let Frame::Phase(side, Phase::Movement) = *s.frame()
            && n % 2 == 0
        {
            for unit in &rules.able(&s, side) {
                let mut plain: BTreeMap<HexId, (Mode, Vec<HexId>)> = BTreeMap::new();
                for mode in Mode::ALL {
                    let Ok(m) = rules.mover(&s, unit, mode) else { continue };
                    rules.reach(&s, &m, &rules.entry_hexes(&s, unit), |hex, path, _| {
                        plain.entry(hex).or_insert((mode, path.to_vec()));
                    });
                }
                let mut options = Vec::new();
                rules.options(&s, seat, Subject::Unit(unit), &mut options);
                let mut listed = BTreeMap::new();
                for action in &options {
                    let Action::Move { also, mode, path, .. } = action else { continue };
                    let way = rules.way_meant(&s, unit, also, *mode, path);
                    short += usize::from(way.len() > path.len());
                    let end = *path.last().expect("a move leads somewhere");
                    assert!(listed.insert(end, (*mode, way.to_vec())).is_none(), "each hex is listed once");
                }
                assert_eq!(listed, plain, "decision {n}, {}", rules.counter(unit).id);
                compared += listed.len();
            }
        }
        let action = random_action(&*rules, &s, seat, &mut rng, &mut Vec::new(), &mut Vec::new());
        rules.apply(&mut s, seat, &action.unwrap(), &mut dice, &mut log).unwrap();
    }
    assert!(compared > 3_000 && short > 2_000, "{compared} places, {short} named by their end alone");
}
