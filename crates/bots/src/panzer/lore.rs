//! What is known before the game: kinds of vehicles, the effect of their guns on each other, distances.

use ::panzer::{
    Panzer,
    fire::Result,
    pack::{FieldOfFire, Side, Start, advanced::SpotSize},
    piece::Ammo,
    state::State,
    units::UnitId,
};
use hexgrid::{Direction, HexId, HexSet};

use super::combined;

/// Beyond the range of every gun.
pub const FAR: usize = 40;
/// There is no path.
pub const NEVER: f32 = 1.0e6;

/// An objective, or the edge where a side exits.
#[derive(Debug)]
pub struct Aim {
    /// The scenario's objective; none for an edge.
    pub objective: Option<usize>,
    pub hexes: HexSet,
    /// The hex it is called by.
    pub hex: HexId,
    /// Travel time in turns, by kind and hex.
    pub time: Vec<Vec<f32>>,
    /// Its attraction, by kind and hex.
    pub near: Vec<Vec<f32>>,
}

/// A gun against a kind of target, at a range.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effect {
    /// Range Factor; 5: out of range.
    pub factor: u8,
    /// The effect of a hit on an undamaged vehicle, front and rear: 0 nothing, 1 Damaged, 2 destroyed.
    pub harm: [u8; 2],
    /// In the Advanced Game: the share of a vehicle's value that a hit destroys, front and rear, and the share of any
    /// unit's value that GP fire destroys, by [`super::gunnery::Shelter::index`].
    pub through: [f32; 2],
    pub gp: [f32; 8],
}

#[derive(Debug)]
pub struct KindGun {
    pub arc: FieldOfFire,
    /// By kind of target, then by range.
    pub effects: Vec<Vec<Effect>>,
}

/// Vehicles of one card.
#[derive(Debug)]
pub struct Kind {
    pub size: i8,
    pub points: f32,
    pub combat: bool,
    /// In the Advanced Game: is it on foot; and its size for spotting.
    pub leg: bool,
    pub spotted_as: SpotSize,
    pub guns: Vec<KindGun>,
    /// Range of the farthest gun.
    pub reach: u32,
    /// Hexes that it moves cross-country in a turn.
    pub pace: u8,
    /// An example of this kind.
    of: UnitId,
}

#[derive(Debug)]
pub struct Lore {
    pub kinds: Vec<Kind>,
    /// By vehicle.
    pub kind: Vec<u8>,
    pub aims: Vec<Aim>,
    /// Each side's exit edge among the aims, if the scenario rewards exiting.
    pub exit: [Option<usize>; 2],
    /// Where a held vehicle enters, by vehicle.
    pub entries: Vec<Vec<HexId>>,
}

impl Lore {
    /// `reach`: turns over which the attraction of an aim falls to a third.
    pub fn new(rules: &Panzer, reach: f32) -> Lore {
        let start = ::panzer::setup::start(rules);
        let (kinds, kind) = kinds(rules, &start);
        let find = |labels: &[String]| -> Vec<HexId> {
            labels.iter().filter_map(|label| rules.field.find(label)).collect()
        };
        let aim = |objective: Option<usize>, labels: &[String]| {
            let found = find(labels);
            let hexes: HexSet = found.iter().copied().collect();
            let hex = *found.first()?;
            let time: Vec<Vec<f32>> = kinds.iter().map(|kind| times(rules, &start, kind, &hexes)).collect();
            let felt = |time: &Vec<f32>| time.iter().map(|time| (-time / reach).exp()).collect();
            let near = time.iter().map(felt).collect();
            Some(Aim { objective, hexes, hex, time, near })
        };
        let mut aims: Vec<Aim> = Vec::new();
        for (n, objective) in rules.scenario.objectives.iter().enumerate() {
            aims.extend(aim(Some(n), &objective.hexes));
        }
        let victory = &rules.scenario.victory;
        let mut exit = [None; 2];
        for side in Side::ALL {
            if victory.per_exit[side.index()] > 0
                && let Some(edge) = aim(None, &victory.exit_hexes[side.index()])
            {
                exit[side.index()] = Some(aims.len());
                aims.push(edge);
            }
        }
        let entries = rules.scenario.units.iter().map(|unit| match &unit.start {
            Start::Enters { hexes, .. } => find(hexes),
            Start::At { .. } => Vec::new(),
        });
        Lore { entries: entries.collect(), kinds, kind, aims, exit }
    }

    #[inline]
    pub fn kind(&self, unit: UnitId) -> &Kind {
        &self.kinds[usize::from(self.kind[unit.index()])]
    }
}

fn kinds(rules: &Panzer, start: &State) -> (Vec<Kind>, Vec<u8>) {
    let mut firsts: Vec<UnitId> = Vec::new();
    let kind: Vec<u8> = start
        .ids()
        .map(|unit| {
            let v = rules.vehicle(unit);
            let same = |first: &UnitId| {
                let other = rules.vehicle(*first);
                // 5.1.3: sections and squads are as good as their weapons.
                let attached = |unit: UnitId| &rules.def(unit).extras.attached;
                (other.card, other.side) == (v.card, v.side) && attached(*first) == attached(unit)
            };
            let at = firsts.iter().position(same).unwrap_or_else(|| {
                firsts.push(unit);
                firsts.len() - 1
            });
            at as u8
        })
        .collect();
    let made = firsts.iter().map(|unit| {
        let v = rules.vehicle(*unit);
        let guns = v.guns.iter().enumerate().map(|(n, gun)| {
            let against = |target: &UnitId| {
                if rules.advanced.is_some() {
                    return effects(rules, *unit, n, *target);
                }
                let armor = rules.vehicle(*target).armor;
                let at = |range: usize| match gun.range_factor(range as u32) {
                    None => Effect { factor: 5, ..Effect::default() },
                    Some(factor) => {
                        let harm = armor.map(|armor| match rules.damage(gun.ap.penetration[factor], armor) {
                            Result::NoEffect | Result::NoDamage => 0,
                            Result::Damaged => 1,
                            Result::KnockedOut | Result::BrewedUp => 2,
                        });
                        Effect { factor: factor as u8, harm, ..Effect::default() }
                    }
                };
                (0..FAR).map(at).collect()
            };
            KindGun { arc: gun.arc, effects: firsts.iter().map(against).collect() }
        });
        Kind {
            size: v.size,
            points: rules.worth(v.side.enemy(), *unit) as f32,
            combat: v.combat,
            leg: rules.piece(*unit).is_some_and(::panzer::piece::Piece::leg),
            spotted_as: rules.piece(*unit).map_or(SpotSize::default(), |piece| piece.spotted_as),
            reach: reach(rules, *unit),
            guns: guns.collect(),
            pace: v.movement.cross_country,
            of: *unit,
        }
    });
    (made.collect(), kind)
}

/// A weapon of the Advanced Game against a kind of target at every range.
fn effects(rules: &Panzer, unit: UnitId, gun: usize, target: UnitId) -> Vec<Effect> {
    let (Some(mine), Some(theirs)) = (rules.piece(unit), rules.piece(target)) else { return Vec::new() };
    let row = [Ammo::Ap, Ammo::Heat].into_iter().find_map(|ammo| rules.ap_row(unit, gun as u8, ammo));
    if rules.vehicle(unit).side == rules.vehicle(target).side {
        return vec![Effect { factor: 5, ..Effect::default() }; FAR];
    }
    let mut known = None;
    let mut at = |range: usize| {
        let gp = combined::gp_shares(rules, mine, gun, theirs, range as u32, &mut known);
        let factor = row.and_then(|row| row.factor(range as u32).map(|factor| (row, factor)));
        let Some((row, factor)) = factor.filter(|_| theirs.vehicle()) else {
            return Effect { factor: 5, gp, ..Effect::default() };
        };
        let through = combined::hit_share(rules, &mine.arms[gun], row.penetration[factor], target);
        let harm = through.map(|share| u8::from(share > 0.1) + u8::from(share > 0.5));
        Effect { factor: factor as u8, harm, through, gp }
    };
    (0..FAR).map(&mut at).collect()
}

/// Range of the farthest weapon, whatever it fires.
fn reach(rules: &Panzer, unit: UnitId) -> u32 {
    let guns = &rules.vehicle(unit).guns;
    let ap = guns.iter().map(::panzer::units::Gun::maximum_range).max().unwrap_or(0);
    let arms = rules.piece(unit).map_or(&[][..], |piece| &piece.arms[..]);
    let gp =
        arms.iter().filter_map(|arm| arm.weapon.gp).map(|row| u32::from(row.range[4])).max().unwrap_or(0);
    ap.max(gp)
}

/// Travel time in turns from each hex to the nearest of the goals, along roads and tracks where that is faster.
fn times(rules: &Panzer, start: &State, kind: &Kind, goals: &HexSet) -> Vec<f32> {
    let movement = rules.vehicle(kind.of).movement;
    let (country, way) = (f32::from(movement.cross_country.max(1)), f32::from(movement.path.max(1)));
    let mut time = vec![NEVER; rules.field.count()];
    let mut open = std::collections::BinaryHeap::new();
    // Times in hundredths of a turn are whole numbers, which can be sorted.
    let hundredths = |t: f32| std::cmp::Reverse((t * 100.0) as u32);
    for goal in goals {
        time[goal.index()] = 0.0;
        open.push((hundredths(0.0), goal.0));
    }
    while let Some((std::cmp::Reverse(at), hex)) = open.pop() {
        let hex = HexId(hex);
        let here = time[hex.index()];
        if at > (here * 100.0) as u32 {
            continue;
        }
        for direction in Direction::ALL {
            let Some(from) = rules.field.neighbour(hex, direction) else { continue };
            let step = |along: bool, allowance: f32| {
                let cost =
                    rules.entry_cost(start, movement.traction, from, direction.opposite(), along, false);
                cost.map_or(NEVER, |(_, cost)| (f32::from(cost) / allowance).min(1.0))
            };
            let total = here + step(false, country).min(step(true, way));
            if total + 0.01 < time[from.index()] {
                time[from.index()] = total;
                open.push((hundredths(total), from.0));
            }
        }
    }
    time
}
