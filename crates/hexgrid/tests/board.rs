//! Boards, sets and floods.

use std::collections::{BTreeSet, HashSet};

use hexgrid::{
    Board, BoardError, Direction, Flood, Hex, HexId, HexSet, Hexside, LabelError, Labels, Orientation,
    SideSet, Step,
};
use proptest::prelude::*;

fn grid(lines: u16, places: u16) -> Board {
    Board::full(Labels::ccrr(Orientation::Flat, lines, places).unwrap()).unwrap()
}

#[test]
fn tables_agree_with_the_grid() {
    let board = Board::full(Labels::ardennes()).unwrap();
    let mut sides = HashSet::new();
    for id in board.ids() {
        let hex = board.hex(id);
        assert_eq!(board.id(hex), Some(id));
        assert_eq!(board.find(board.label(id)), Ok(id));
        for direction in Direction::ALL {
            let neighbour = board.neighbour(id, direction);
            assert_eq!(neighbour, board.id(hex.neighbour(direction)));
            let side = board.side(id, direction);
            let hexside = Hexside::new(hex, direction);
            assert_eq!(board.hexside(side), hexside);
            assert_eq!(board.side_id(hexside), Some(side));
            assert!(
                board.side_hexes(side).contains(&Some(id)) && board.side_hexes(side).contains(&neighbour)
            );
            sides.insert(side);
            if let Some(neighbour) = neighbour {
                assert_eq!(board.direction_to(id, neighbour), Some(direction));
                assert_eq!(board.side(neighbour, direction.opposite()), side);
                assert_eq!(board.side_between(id, neighbour), Some(side));
                assert_eq!(board.distance(id, neighbour), 1);
            }
        }
        assert_eq!(board.is_edge(id), board.neighbours(id).count() < 6);
    }
    assert_eq!(sides.len(), board.side_count());
    assert!(board.side_count() <= SideSet::CAPACITY);
    assert_eq!(board.all().len(), board.len());
    assert_eq!(board.all_sides().len(), board.side_count());
    assert_eq!(board.direction_to(HexId(0), HexId::NONE), None);
    assert_eq!(board.checked(HexId::NONE), None);
    assert_eq!(board.id(Hex::new(i16::MAX, i16::MIN)), None);
}

#[test]
fn boards_find_hexes_and_sides_by_label() {
    let board = grid(6, 6);
    assert!(matches!(board.find("0707"), Err(LabelError::Unknown { .. })));
    let small = Board::from_labels(board.labels().clone(), ["0101", "0102"]).unwrap();
    assert_eq!(small.find("0103"), Err(LabelError::NotOnMap { label: "0103".into() }));
    assert_eq!(small.hexside(small.find_side("0102/0101").unwrap()).hexes().len(), 2);
    assert!(matches!(small.find_side("0102/0103"), Err(LabelError::NotOnMap { .. })));
    let hexes: Vec<&str> = board.range(board.find("0101").unwrap(), 1).map(|h| board.label(h)).collect();
    assert_eq!(hexes.len(), 4);
    assert_eq!(board.ring(board.find("0303").unwrap(), 2).count(), 12);
}

#[test]
fn what_is_no_board_is_refused() {
    let labels = Labels::ccrr(Orientation::Flat, 9, 9).unwrap();
    let make = |hexes: &[&str]| Board::from_labels(labels.clone(), hexes.iter().copied()).unwrap_err();
    assert_eq!(make(&[]), BoardError::Empty);
    assert_eq!(make(&["0101", "0202", "0101"]), BoardError::Twice("0101".into()));
    assert!(matches!(make(&["0101", "x"]), BoardError::Label(LabelError::Unknown { .. })));
    let far = Hex::new(-5, 0);
    assert_eq!(Board::new(labels.clone(), [far]).unwrap_err(), BoardError::Unlabelled(far));
    let error = Board::full(Labels::wurzburg()).unwrap_err();
    assert_eq!(error, BoardError::TooMany { count: 4097, limit: 4096 });
    let mut sheet = labels.sheets()[0].clone();
    sheet.prefix = "far".into();
    sheet.origin = Hex::new(20000, 9000);
    let two = vec![labels.sheets()[0].clone(), sheet];
    let error = Board::full(labels.with_sheets(two).unwrap()).unwrap_err();
    assert!(matches!(error, BoardError::TooWide { .. }), "{error}");
    // No two of these are adjacent, so that each has six sides of its own.
    let labels = Labels::wurzburg();
    let apart = labels.hexes().filter(|h| (h.q - h.r).rem_euclid(3) == 0).take(4000).collect::<Vec<_>>();
    let error = Board::new(labels, apart).unwrap_err();
    assert!(matches!(error, BoardError::TooManySides { .. }), "{error}");
}

#[test]
fn a_stop_by_one_side_does_not_hide_a_way_through_by_another() {
    // 0103 from 0102 costs 1 but ends the move; the way round by 0202, 0203 costs more and leads on to 0104.
    let board = grid(2, 6);
    let id = |label: &str| board.find(label).unwrap();
    let mut flood = Flood::new();
    flood.run(&board, id("0102"), 20, |from, _, to| match (board.label(from), board.label(to)) {
        ("0102", "0103") => Step::EnterAndStop(1),
        ("0102", "0202" | "0203") | ("0202", "0203") | ("0203", "0103") | ("0103", "0104") => Step::Enter(3),
        _ => Step::Forbidden,
    });
    assert_eq!(flood.cost(id("0103")), Some(1));
    assert!(flood.must_stop(id("0103")));
    assert_eq!(flood.cost_to_pass(id("0103")), Some(6));
    assert_eq!(flood.cost(id("0104")), Some(9));
    let path = |to| flood.path(&board, id(to)).into_iter().map(|h| board.label(h)).collect::<Vec<_>>();
    assert_eq!(path("0103"), ["0102", "0103"]);
    assert_eq!(path("0104"), ["0102", "0203", "0103", "0104"]);
    assert!(path("0106").is_empty());
}

#[test]
fn searches_end_at_their_goal() {
    let board = grid(30, 30);
    let id = |label: &str| board.find(label).unwrap();
    let mut flood = Flood::new();
    let (a, b) = (id("0505"), id("1010"));
    assert_eq!(
        flood.run_to(&board, a, b, 400, |_, _, _| Step::Enter(4)),
        Some(board.distance(a, b) as u16 * 4)
    );
    assert!(flood.reached().len() < board.len());
    assert_eq!(flood.path(&board, b).len(), board.distance(a, b) as usize + 1);
    assert_eq!(flood.run_to(&board, a, b, 4, |_, _, _| Step::Enter(4)), None);
    // Of two sources the nearer one counts; one that does not exist is ignored.
    let far = id("3030");
    let sources = [(a, 0), (far, 2), (HexId::NONE, 0)];
    let found = flood.run_until(&board, &sources, 400, |_, _, _| Step::Enter(4), |hex| hex == id("2930"));
    assert_eq!(found, Some(id("2930")));
    assert_eq!(flood.path(&board, id("2930")), [far, id("2930")]);
    assert_eq!(flood.cost(id("2930")), Some(6));
}

#[test]
fn floods_do_not_wear_out() {
    // More runs than there are run numbers; the short ones must leave nothing behind in the long one.
    let board = grid(4, 4);
    let mut flood = Flood::new();
    for run in 0..70_000 {
        let reached = if run % 1000 == 999 { 1 + board.neighbours(HexId(5)).count() } else { 1 };
        flood.run(&board, HexId(5), if reached > 1 { 4 } else { 3 }, |_, _, _| Step::Enter(4));
        assert_eq!(flood.reached().len(), reached, "run {run}");
        assert_eq!(board.ids().filter(|&hex| flood.cost(hex).is_some()).count(), reached);
    }
}

fn member() -> impl Strategy<Value = u16> {
    0u16..HexSet::CAPACITY as u16
}

/// Least costs by relaxing every step until nothing changes: (free to move on, any).
fn bellman_ford(
    board: &Board,
    source: HexId,
    budget: u16,
    step: impl Fn(HexId, Direction, HexId) -> Step,
) -> Vec<[Option<u16>; 2]> {
    let mut best = vec![[None; 2]; board.len()];
    best[source.index()] = [Some(0); 2];
    loop {
        let mut changed = false;
        for from in board.ids() {
            let Some(cost) = best[from.index()][0] else { continue };
            for (direction, to) in board.neighbours(from) {
                let (price, passes) = match step(from, direction, to) {
                    Step::Enter(price) => (price, true),
                    Step::EnterAndStop(price) => (price, false),
                    Step::Forbidden => continue,
                };
                let total = u32::from(cost) + u32::from(price);
                if total > u32::from(budget) {
                    continue;
                }
                for old in best[to.index()].iter_mut().skip(usize::from(!passes)) {
                    if old.is_none_or(|old| u32::from(old) > total) {
                        *old = Some(total as u16);
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return best;
        }
    }
}

proptest! {
    #[test]
    fn sets_are_sets(a in prop::collection::btree_set(member(), 0..80), b in prop::collection::btree_set(member(), 0..80)) {
        let set = |members: &BTreeSet<u16>| members.iter().copied().map(HexId).collect::<HexSet>();
        let list = |set: &HexSet| set.iter().map(|h| h.0).collect::<BTreeSet<u16>>();
        let (x, y) = (set(&a), set(&b));
        prop_assert_eq!(list(&x), a.clone());
        prop_assert_eq!(x.len(), a.len());
        prop_assert_eq!(x.is_empty(), a.is_empty());
        prop_assert_eq!(list(&(&x | &y)), &a | &b);
        prop_assert_eq!(list(&(&x & &y)), &a & &b);
        prop_assert_eq!(list(&(&x - &y)), &a - &b);
        prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
        prop_assert_eq!(x.is_disjoint(&y), a.is_disjoint(&b));
        for &m in &b {
            prop_assert_eq!(x.contains(HexId(m)), a.contains(&m));
            let mut z = x;
            prop_assert_eq!(z.insert(HexId(m)), !a.contains(&m));
            prop_assert!(z.contains(HexId(m)) && z.remove(HexId(m)) && !z.remove(HexId(m)));
        }
        let text = serde_json::to_string(&x).unwrap();
        prop_assert_eq!(serde_json::from_str::<HexSet>(&text).unwrap(), x);
        let bytes: Vec<u8> = (0..HexSet::CAPACITY as u16).map(|n| u8::from(a.contains(&n))).collect();
        prop_assert_eq!(HexSet::of_bytes(&bytes), x);
        let mut members = Vec::new();
        x.each_run(|run| members.extend(run.map(|n| n as u16)));
        prop_assert_eq!(&members, &list(&x).into_iter().collect::<Vec<_>>());
        let mut shared = Vec::new();
        x.each_in(&y, |hex| shared.push(hex.0));
        prop_assert_eq!(shared, (&a & &b).into_iter().collect::<Vec<_>>());
        for n in 0..=members.len() {
            let mut rest = x.iter();
            prop_assert_eq!(rest.nth(n).map(|hex| hex.0), members.get(n).copied());
            prop_assert_eq!(rest.next().map(|hex| hex.0), members.get(n + 1).copied());
        }
        let mut written = vec![7; bytes.len()];
        x.to_bytes(&mut written);
        prop_assert_eq!(written, bytes);
        for first in a.iter().map(|m| usize::from(*m)) {
            let at = |n: usize| HexId(((first + n) % HexSet::CAPACITY) as u16);
            let bits = x.bits_at(first);
            prop_assert!((0..64).all(|n| (bits >> n & 1 == 1) == x.contains(at(n))));
            let (mut more, mut less) = (x, x);
            more.insert_at(first, !bits);
            less.remove_at(first, bits);
            prop_assert!((0..64).all(|n| more.contains(at(n)) && !less.contains(at(n))));
            prop_assert_eq!(more.len(), x.len() + bits.count_zeros() as usize);
            prop_assert_eq!(less.len(), x.len() - bits.count_ones() as usize);
        }
    }

    #[test]
    fn floods_find_the_least_costs(
        prices in prop::collection::vec((0u8..10, 0u16..12), 12 * 11 * 6),
        scale in prop_oneof![Just(1u16), Just(40), Just(900)],
        budgets in prop::collection::vec(0u16..80, 3),
        source in 0u16..132,
        target in 0u16..132,
    ) {
        let board = grid(12, 11);
        let step = |from: HexId, direction: Direction, _: HexId| {
            let (kind, price) = prices[from.index() * 6 + direction.index()];
            match kind {
                0 => Step::Forbidden,
                1 | 2 => Step::EnterAndStop(price * scale),
                _ => Step::Enter(price * scale),
            }
        };
        let source = HexId(source);
        let mut flood = Flood::new();
        // The memory of one run must not leak into the next.
        for budget in budgets {
            let budget = budget.saturating_mul(scale);
            flood.run(&board, source, budget, step);
            let best = bellman_ford(&board, source, budget, step);
            for hex in board.ids() {
                prop_assert_eq!(flood.cost(hex), best[hex.index()][1]);
                prop_assert_eq!(flood.cost_to_pass(hex), best[hex.index()][0]);
                let path = flood.path(&board, hex);
                prop_assert_eq!(path.is_empty(), flood.cost(hex).is_none());
                let walked: Option<u16> = path.windows(2).enumerate().map(|(n, w)| {
                    match step(w[0], board.direction_to(w[0], w[1])?, w[1]) {
                        Step::Enter(price) => Some(price),
                        Step::EnterAndStop(price) if n + 2 == path.len() => Some(price),
                        _ => None,
                    }
                }).sum();
                if !path.is_empty() {
                    prop_assert_eq!(path[0], source);
                    prop_assert_eq!(walked, flood.cost(hex));
                }
            }
            let target = HexId(target);
            let mut search = Flood::new();
            let cost = search.run_to(&board, source, target, budget, step);
            prop_assert_eq!(cost, flood.cost(target));
            prop_assert!(search.reached().iter().all(|&hex| search.cost(hex) == flood.cost(hex)));
            prop_assert_eq!(cost.is_some(), search.reached().last() == Some(&target));
            prop_assert_eq!(cost.is_some(), !search.path(&board, target).is_empty());
            let costs: Vec<_> = flood.reached().iter().map(|&h| flood.cost(h).unwrap()).collect();
            prop_assert!(costs.is_sorted());
            prop_assert_eq!(flood.reached_set().len(), costs.len());
        }
    }
}

#[test]
fn sets_refuse_what_no_board_has() {
    let mut set = HexSet::new();
    assert!(!set.insert(HexId::NONE) && !set.contains(HexId::NONE) && !set.remove(HexId::NONE));
    assert!(serde_json::from_str::<HexSet>("[4096]").is_err());
    assert_eq!(HexSet::first(70).len(), 70);
    assert_eq!(HexSet::first(9999).len(), HexSet::CAPACITY);
    assert_eq!(format!("{:?}", HexSet::first(2)), "{0, 1}");
    set = HexSet::first(64);
    set.clear();
    assert!(set.is_empty());
}
