//! Stacks, zones of control and bonds that are updated move by move equal those computed from scratch.

mod toy;

use hexgrid::{Direction, HexId, HexSet, Labels, Orientation};
use toy::{Random, Rules, Side, Toy, empty};
use zocbond::{Bond, Piece, Side as _, System as _, UnitId, bonds, zoc};

/// Zones of control, computed from the definition alone.
fn zones(rules: &Rules, field: &Toy, side: Side) -> HexSet {
    let mut zones = HexSet::EMPTY;
    for n in (0..rules.counters.len() as u16).map(UnitId) {
        let Some(hex) = field.unit(n).hex().filter(|_| rules.side_of(n) == side) else { continue };
        for direction in Direction::ALL {
            if rules.zoc_reach(field, n, hex) >> direction.index() & 1 == 1 {
                zones.extend(rules.topology.neighbour(hex, direction));
            }
        }
    }
    zones
}

#[test]
fn upkeep_finds_what_a_count_from_scratch_finds() {
    keep_up(Rules::new(14, 12, 20));
}

#[test]
fn upkeep_works_on_every_board() {
    for orientation in [Orientation::Flat, Orientation::Pointy] {
        let labels = Labels::ccrr(orientation, 14, 12).expect("the numbers are small");
        keep_up(Rules::on(labels, 20));
    }
}

fn keep_up(mut rules: Rules) {
    let in_runs = rules.board.ids().filter(|hex| rules.topology.nearby(*hex).is_some()).count();
    assert!(3 * in_runs > rules.board.len(), "numbers of neighbours are in runs");
    let mut random = Random(44);
    let all = rules.board.all();
    for n in 0..60 {
        let hex = random.hex(&all);
        if let Some(to) = rules.topology.neighbour(hex, random.direction()) {
            rules.river(hex, to, n % 3 == 0);
        }
    }
    let mut field = empty();
    let (mut partial, mut none) = (0, 0);
    for round in 0..600 {
        let unit = random.below(rules.counters.len()) as u16;
        let side = rules.counters[usize::from(unit)].side;
        match random.below(8) {
            0 => rules.put(&mut field, unit, None),
            1 => rules.rout(&mut field, unit, round % 2 == 0),
            2 => rules.blow(&mut field, random.below(rules.bridges.len()), round % 2 == 0),
            _ => {
                // Never onto an enemy, but often onto friends.
                let free = &all - field.held(side.enemy());
                let friends = field.held(side);
                let at = if round % 3 == 0 && !friends.is_empty() { *friends } else { free };
                let hex = random.hex(&at);
                rules.put(&mut field, unit, Some(hex));
            }
        }
        assert!(field == rules.afresh(&field), "round {round}");
        for side in Side::ALL {
            assert_eq!(*field.zoc(side), zones(&rules, &field, side), "round {round}");
            partial += usize::from(field.near(side) != field.zoc(side));
            none += usize::from(field.zoc(side).is_empty());
        }
        let stacked: usize = all.iter().map(|hex| field.stack(hex).count()).sum();
        let on_map: usize = Side::ALL.into_iter().map(|side| field.in_game(side).len()).sum();
        assert_eq!(stacked, on_map);
    }
    assert!(partial > 200 && none < 200, "rivers and routs matter: {partial}, {none}");
}

#[test]
fn a_second_unit_brings_the_zone_that_a_routed_one_lacks() {
    let rules = Rules::new(6, 6, 3);
    let mut field = empty();
    let (at, beside) = (rules.hex("0303"), rules.topology.around(rules.hex("0303"))[0]);
    rules.put(&mut field, 0, Some(at));
    rules.rout(&mut field, 0, true);
    assert!(!field.in_ezoc(Side::Blue, beside) && field.near_enemy(Side::Blue, beside));
    rules.put(&mut field, 1, Some(at));
    assert!(field.in_ezoc(Side::Blue, beside));
    assert_eq!(zoc::sources(&rules, &field, Side::Red, beside).collect::<Vec<_>>(), [at]);
    rules.put(&mut field, 1, None);
    assert!(!field.in_ezoc(Side::Blue, beside));
}

#[test]
fn every_change_gives_the_field_a_new_stamp() {
    let mut rules = Rules::new(6, 6, 3);
    rules.river(rules.hex("0303"), rules.hex("0304"), true);
    let mut field = empty();
    let changes: [&dyn Fn(&mut Toy); 5] = [
        &|field| rules.put(field, 0, Some(rules.hex("0303"))),
        &|field| field.unit_mut(UnitId(0)).routed = true,
        &|field| field.all_units_mut()[0].routed = false,
        &|field| field.set_control(rules.hex("0303"), Side::Red),
        &|field| field.bridge_mut(0).blown = true,
    ];
    for change in changes {
        let before = field;
        assert!(before.stamp().same(field.stamp()), "a copy is the same position");
        change(&mut field);
        assert!(!before.stamp().same(field.stamp()));
    }
}

#[test]
fn a_field_survives_being_written_down() {
    let rules = Rules::new(6, 6, 3);
    let mut field = empty();
    rules.put(&mut field, 0, Some(rules.hex("0303")));
    rules.put(&mut field, 1, Some(rules.hex("0303")));
    field.set_control(rules.hex("0404"), Side::Red);
    let text = serde_json::to_string(&field).expect("it is plain data");
    let read: Toy = serde_json::from_str(&text).expect("it was just written");
    assert!(read == field);
    assert_eq!(read.stack(rules.hex("0303")).collect::<Vec<_>>(), [UnitId(1), UnitId(0)]);
    assert!(!read.stamp().same(field.stamp()), "nothing is known of it yet");
}

/// The bonds of a side, from the definition: pairs of its bonding units two hexes apart.
fn bonds_by_pairs(rules: &Rules, field: &Toy, owner: Side) -> Vec<[HexId; 2]> {
    let bonding: Vec<HexId> = field.bonding(owner).iter().collect();
    let mut pairs = Vec::new();
    for (n, a) in bonding.iter().enumerate() {
        for b in &bonding[n + 1..] {
            if rules.board.distance(*a, *b) != 2 {
                continue;
            }
            let between: Vec<HexId> = rules
                .topology
                .neighbours(*a)
                .filter(|h| rules.topology.direction(*h, *b).is_some())
                .collect();
            let enemy = field.held(owner.enemy());
            let stands = match between[..] {
                [through] => {
                    let to = |end| rules.topology.direction(through, end).expect("it is next to it");
                    let straight = to(*a) == to(*b).opposite();
                    let open = rules.bond_axes(field, through) >> (to(*a).index() % 3) & 1 == 1;
                    // If there is only one common neighbour and it is not in line, the other is off the map.
                    straight && open && !enemy.contains(through)
                }
                [one, other] => !(enemy.contains(one) && enemy.contains(other)),
                _ => false,
            };
            if stands {
                pairs.push([*a, *b]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[test]
fn bonds_are_pairs_two_hexes_apart() {
    let mut rules = Rules::new(12, 12, 16);
    let mut random = Random(10);
    let all = rules.board.all();
    for _ in 0..40 {
        let hex = random.hex(&all);
        if let Some(to) = rules.topology.neighbour(hex, random.direction()) {
            rules.river(hex, to, false);
        }
    }
    let mut seen = [0; 2];
    for _ in 0..300 {
        let mut field = empty();
        for unit in 0..rules.counters.len() as u16 {
            let side = rules.counters[usize::from(unit)].side;
            let free = &all - field.held(side.enemy());
            rules.put(&mut field, unit, Some(random.hex(&free)));
        }
        for owner in Side::ALL {
            let mut found = Vec::new();
            bonds::all(&rules, &field, owner, |bond| {
                let ends = match bond {
                    Bond::Hex { ends, .. } => ends,
                    Bond::Hexside { ends, .. } => ends,
                };
                seen[usize::from(matches!(bond, Bond::Hex { .. }))] += 1;
                if ends.iter().all(|end| *end != HexId::NONE && field.bonding(owner).contains(*end)) {
                    found.push([ends[0].min(ends[1]), ends[0].max(ends[1])]);
                }
                bars_whoever_comes(&rules, &field, owner, bond);
            });
            found.sort_unstable();
            assert_eq!(found, bonds_by_pairs(&rules, &field, owner));
        }
    }
    assert!(seen.iter().all(|count| *count > 300), "both kinds occur: {seen:?}");
}

/// What a bond closes is closed to a unit that steps there.
fn bars_whoever_comes(rules: &Rules, field: &Toy, owner: Side, bond: Bond) {
    let steps: Vec<[HexId; 2]> = match bond {
        Bond::Hex { through, .. } => rules.topology.neighbours(through).map(|from| [from, through]).collect(),
        Bond::Hexside { along: [a, b], .. } => vec![[a, b], [b, a]],
    };
    for [from, to] in steps {
        let direction = rules.topology.direction(from, to).expect("they are neighbours");
        let enemy = owner.enemy();
        let negated = field.held(enemy).contains(to);
        let barred = bonds::bars(rules, field, enemy, from, direction).is_some();
        assert_eq!(barred, !negated, "a unit in the hex entered negates it for whoever joins it");
        let trace = bonds::bars_trace(rules, field, enemy, from, direction).is_some();
        let held = field.held(enemy).contains(from) && negated;
        assert!(trace || held || matches!(bond, Bond::Hex { .. }) && negated);
    }
}
