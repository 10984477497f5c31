//! Combined arms by points and date: the forces of a meeting engagement in the Advanced Game.

use super::{
    Kind, Nation, Pack, ScenarioExtras, Side,
    advanced::{
        BatteryClass, BatteryDef, CrewServed, Formation, Grade, Label, LegSize, Level, Module, UnitExtras,
    },
    force::{Budget, Draw, ForceError},
};

/// A unit that was bought, with the formation it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bought {
    pub card: String,
    pub formation: String,
    pub extras: UnitExtras,
}

/// The formations of a side: its tanks, and everything else.
pub const ARMOR: &str = "armor";
pub const FOOT: &str = "foot";

/// The percentages of points for tanks and for guns; the rest is for infantry.
const TANKS: u16 = 50;
const GUNS: u16 = 20;

impl Budget {
    fn serves(&self, nation: Nation, years: [u16; 2]) -> bool {
        nation == self.nation && (years[0]..=years[1]).contains(&self.year)
    }

    /// Tanks in platoons, infantry with its weapons, guns, a headquarters and an observer.
    pub fn draw_combined(&self, pack: &Pack, random: &mut Draw) -> Result<Vec<Bought>, ForceError> {
        let cards = &pack.advanced;
        let mut bought = Vec::new();
        let mut left = self.points;
        let plain = |card: &str, formation: &str| Bought {
            card: card.to_owned(),
            formation: formation.to_owned(),
            extras: UnitExtras::default(),
        };
        // Tanks: two kinds at most.
        let fights = |v: &&super::advanced::VehicleCard| {
            self.serves(v.base.nation, v.base.years)
                && matches!(v.base.kind, Kind::Tank | Kind::TankDestroyer | Kind::AssaultGun)
                && v.base.points > 0
                && !v.rare
                && v.portee.is_none()
        };
        let tanks: Vec<_> = cards.vehicles.iter().filter(fights).collect();
        let mut for_tanks = self.points * TANKS / 100;
        for _ in 0..2 {
            let able: Vec<_> = tanks.iter().filter(|v| v.base.points <= for_tanks).collect();
            if able.is_empty() {
                break;
            }
            let tank = able[random.below(able.len())];
            let count = (3 + random.below(3) as u16).min(for_tanks / tank.base.points);
            for_tanks -= count * tank.base.points;
            left -= count * tank.base.points;
            bought.extend(std::iter::repeat_n(plain(&tank.base.id, ARMOR), usize::from(count)));
        }
        // Guns that can penetrate armor.
        let guns: Vec<_> = (cards.towed.iter())
            .filter(|t| {
                self.serves(t.nation, t.years) && cards.weapons[t.weapon].ap.is_some() && t.points > 0
            })
            .collect();
        let mut for_guns = self.points * GUNS / 100;
        while let Some(gun) = guns.get(random.below(guns.len())).filter(|gun| gun.points <= for_guns) {
            for_guns -= gun.points;
            left -= gun.points;
            bought.push(plain(&gun.id, FOOT));
        }
        // Headquarters and observer, then weapons and squads.
        let section = cards.leg.iter().find(|l| l.size == LegSize::Section && self.serves(l.nation, l.years));
        if let Some(section) = section {
            for label in [Label::Chq, Label::Fo] {
                if section.points <= left {
                    left -= section.points;
                    let extras = UnitExtras { labels: vec![label], ..UnitExtras::default() };
                    bought.push(Bought { card: section.id.clone(), formation: FOOT.to_owned(), extras });
                }
            }
            for kind in [CrewServed::Mortar, CrewServed::Hmg] {
                let weapon =
                    (cards.crew_served.iter()).find(|c| c.kind == kind && self.serves(c.nation, c.years));
                if let Some(weapon) = weapon.filter(|w| w.points + section.points <= left) {
                    left -= weapon.points + section.points;
                    let extras = UnitExtras { attached: vec![weapon.id.clone()], ..UnitExtras::default() };
                    bought.push(Bought { card: section.id.clone(), formation: FOOT.to_owned(), extras });
                }
            }
        }
        let rifle = (cards.leg.iter())
            .find(|l| l.size == LegSize::Squad && l.labels.is_empty() && self.serves(l.nation, l.years));
        let rifle = rifle.filter(|squad| squad.points > 0);
        let atr =
            (cards.crew_served.iter()).find(|c| c.kind == CrewServed::Atr && self.serves(c.nation, c.years));
        let mut squads = 0;
        while let Some(squad) = rifle.filter(|squad| squad.points <= left && squads < 12) {
            squads += 1;
            left -= squad.points;
            let mut extras = UnitExtras::default();
            if let Some(atr) = atr.filter(|atr| squads % 3 == 0 && atr.points <= left) {
                left -= atr.points;
                extras.attached.push(atr.id.clone());
            }
            bought.push(Bought { card: squad.id.clone(), formation: FOOT.to_owned(), extras });
        }
        if bought.is_empty() {
            return Err(ForceError::Nothing { points: self.points, year: self.year });
        }
        Ok(bought)
    }

    /// An off-map battery for every two hundred points (6.5.1.2).
    fn batteries(&self, pack: &Pack, side: Side) -> Vec<BatteryDef> {
        let card = (pack.advanced.batteries.iter())
            .find(|b| b.nation == self.nation && b.class == BatteryClass::Medium)
            .or_else(|| pack.advanced.batteries.iter().find(|b| b.nation == self.nation));
        let count = if card.is_some() { self.points / 200 } else { 0 };
        let of = |n: u16| {
            let card = card?;
            Some(BatteryDef {
                id: format!("{}-bat{}", side.key(), n + 1),
                side,
                card: card.id.clone(),
                level: Level::Attached,
                formation: formation_id(side, FOOT),
                ammo: card.ammo,
                preregistered: 0,
                planned: false,
            })
        };
        (0..count.min(2)).filter_map(of).collect()
    }
}

/// `axis-foot`
pub fn formation_id(side: Side, formation: &str) -> String {
    format!("{}-{formation}", side.key())
}

/// What the Advanced Game adds to a meeting engagement of these forces.
pub fn extras(pack: &Pack, budgets: [&Budget; 2]) -> ScenarioExtras {
    let modules = Module::ALL.into_iter().filter(|module| *module != Module::Air).collect();
    let mut extras = ScenarioExtras { modules, ..ScenarioExtras::default() };
    for (side, budget) in Side::ALL.into_iter().zip(budgets) {
        for formation in [FOOT, ARMOR] {
            extras.formations.push(Formation {
                side,
                id: formation_id(side, formation),
                grade: Grade::Seasoned,
                parent: None,
                hq: None,
            });
        }
        extras.batteries.extend(budget.batteries(pack, side));
    }
    extras
}
