//! Checks of the cards and scenarios of the Advanced Game.

use std::collections::{BTreeMap, BTreeSet};

use hexgrid::HexId;

use super::{
    BatteryClass, CrewServed, Feature, FeatureKind, Label, LegSize, Level, Module, ScenarioExtras,
    TargetType, UnitCard, serves,
};
use crate::field::{Field, Terrain};
use crate::pack::check::{Finding, finding};
use crate::pack::{Nation, Pack, Scenario, Side, Start, Traction, UnitDef};
use crate::units::MAX_UNITS;

/// The nations of the Advanced Game.
const NATIONS: [Nation; 5] =
    [Nation::German, Nation::Italian, Nation::British, Nation::American, Nation::French];

/// Optional rules for which the pack has tables.
const OPTIONAL: [&str; 14] = [
    "7.1", "7.2", "7.9", "7.11", "7.16", "7.17", "7.18", "7.19", "7.22", "7.26", "7.27", "7.31", "7.36",
    "7.42",
];

/// The marks of a card: `known` and `estimate` name fields that it has, and it states its `source`.
pub(super) fn marks(printed: &toml::Table) -> Result<(), String> {
    for mark in ["known", "estimate"] {
        for path in printed.get(mark).and_then(toml::Value::as_array).into_iter().flatten() {
            if !path.as_str().is_some_and(|path| names(printed, path)) {
                return Err(format!("{mark}: the card has no field {path}"));
            }
        }
    }
    if printed.get("source").is_none() { Err("source is missing".into()) } else { Ok(()) }
}

/// Whether a path such as `weapons.0.ammo_limit` or `gp.factor.S` names something.
fn names(printed: &toml::Table, path: &str) -> bool {
    let mut parts = path.split('.');
    let mut here = parts.next().and_then(|part| printed.get(part));
    for part in parts {
        here = match here {
            Some(toml::Value::Table(t)) => t.get(part),
            Some(toml::Value::Array(list)) => {
                let place = part.parse().ok().or_else(|| "PSMLE".find(part).filter(|_| list.len() == 5));
                place.and_then(|n: usize| list.get(n))
            }
            _ => None,
        };
    }
    here.is_some()
}

impl Pack {
    pub(in crate::pack) fn check_advanced(&self, found: &mut Vec<Finding>) {
        super::formula::check(&self.advanced, found);
        self.check_unit_cards(found);
        self.check_nations(found);
        for scenario in &self.advanced.scenarios {
            if self.scenario(&scenario.id).is_some() {
                found.push(finding(format!("scenario {}", scenario.id), "the Basic Game has one of this id"));
            }
            self.check_advanced_scenario(scenario, found);
        }
    }

    fn check_unit_cards(&self, found: &mut Vec<Finding>) {
        let cards = &self.advanced;
        for v in &cards.vehicles {
            let mut wrong = |why: String| found.push(finding(format!("card {}", v.base.id), why));
            let m = v.base.movement;
            if !(1 <= m.cross_country && m.cross_country <= m.path && m.path <= m.road) {
                wrong("movement: expected cross_country <= path <= road, all above 0".into());
            }
            if !(1..=10).contains(&v.gpd.value) {
                wrong("gpd: expected 1 to 10 (6.5.4.2.1)".into());
            }
            if v.overhead_cover && v.gpd.target == TargetType::S {
                wrong("overhead_cover: soft vehicles have none (6.1.4.3.1)".into());
            }
            if v.gpd.target == TargetType::A && !v.overhead_cover && !v.base.open_top {
                wrong("overhead_cover: an A-type is closed unless its card says open".into());
            }
            let weapon = |m: &super::Mounted| &cards.weapons[m.weapon];
            for (i, mounted) in v.weapons.iter().enumerate() {
                if i == 0 && mounted.dual_fire {
                    wrong("weapons: the first is never the Dual Fire weapon (5.14)".into());
                }
                if mounted.aa && weapon(mounted).aa.is_none() && v.aa.is_none() {
                    wrong(format!("weapons: {} has no AA row (6.7.4)", weapon(mounted).id));
                }
            }
            if v.coax_mg && v.weapons.first().is_none_or(|m| weapon(m).gp.is_none()) {
                wrong("coax_mg: belongs to a gun with a GP row (6.5.4.3)".into());
            }
            let shoots = |m: &super::Mounted| weapon(m).gp.is_some() || weapon(m).ap.is_some();
            if v.base.armed && !v.weapons.iter().any(shoots) {
                wrong("weapons: armed, but nothing has a row".into());
            }
            // What the Basic Game's file repeats of this card must agree.
            let text = |key: &str| v.base.printed.get(key).and_then(toml::Value::as_str);
            let gpd =
                format!("{}{:?}{}", v.gpd.value, v.gpd.target, if v.close_assault_c { "C" } else { "" });
            if text("gpd").is_some_and(|printed| printed != gpd) {
                wrong(format!("gpd: the Basic Game's card does not say {gpd}"));
            }
            let room = format!("{}-{}", v.transport.towed, v.transport.leg);
            if text("transport").is_some_and(|printed| printed != room) {
                wrong(format!("transport: the Basic Game's card does not say {room}"));
            }
            if let Some(portee) = &v.portee {
                let gun = cards.towed(&portee.gun);
                let same = gun.is_some_and(|g| v.weapons.first().is_some_and(|m| m.weapon == g.weapon));
                if !same || cards.vehicle(&portee.truck).is_none() {
                    wrong("portee: a towed gun with its weapon, and a truck (5.2.1)".into());
                }
            }
        }
        for t in &cards.towed {
            let fits = |v: &&super::VehicleCard| {
                v.base.nation == t.nation
                    && t.passenger.towed <= v.transport.towed
                    && t.passenger.leg <= v.transport.leg
            };
            if !cards.vehicles.iter().any(|v| fits(&v)) {
                found
                    .push(finding(format!("card {}", t.id), "no vehicle of its nation can tow it (6.6.7.1)"));
            }
        }
        for l in &cards.leg {
            let room = if l.size == LegSize::Squad { 2 } else { 1 };
            if l.passenger.towed != 0 || l.passenger.leg != room {
                found.push(finding(
                    format!("card {}", l.id),
                    format!("passenger: expected 0-{room} (6.6.7.1)"),
                ));
            }
        }
        for c in &cards.crew_served {
            let mut wrong = |why: &str| found.push(finding(format!("card {}", c.id), why));
            let w = &c.weapon;
            match c.kind {
                CrewServed::Mortar if w.gp.is_none() || w.ap.is_some() => {
                    wrong("mortars fire GP only (5.1.3.1)");
                }
                CrewServed::Hmg if !w.small_arms || w.ap.is_some() => {
                    wrong("HMGs are Small Arms without AP (5.1.3.2)");
                }
                CrewServed::Flamethrower if w.gp.is_some() || w.ap.is_some() => {
                    wrong("an attached flamethrower only modifies assaults (5.1.3.5)");
                }
                _ => {}
            }
            if c.may.from_transport != (c.kind == CrewServed::Atr) {
                wrong("may.from_transport: anti-tank rifles only (5.1.3)");
            }
        }
    }

    fn check_nations(&self, found: &mut Vec<Finding>) {
        let cards = &self.advanced;
        for nation in NATIONS {
            let mut wrong = |why: String| found.push(finding(format!("cards of {}", nation.key()), why));
            for size in LegSize::ALL {
                if !cards.leg.iter().any(|l| l.nation == nation && l.size == size) {
                    wrong(format!("there is no {}", size.key()));
                }
            }
            if !cards.vehicles.iter().any(|v| v.base.nation == nation && v.transport.leg >= 2) {
                wrong("nothing carries a squad".into());
            }
            if !cards.crew_served.iter().any(|c| c.nation == nation && c.kind == CrewServed::Hmg) {
                wrong("there is no HMG".into());
            }
            let of = |class| cards.batteries.iter().find(|b| b.nation == nation && b.class == class);
            let classes =
                [BatteryClass::Light, BatteryClass::Medium, BatteryClass::Heavy, BatteryClass::VeryHeavy];
            let factors: Vec<u8> = classes.into_iter().filter_map(of).map(|b| b.gp.factor[1]).collect();
            if factors.is_empty() || !factors.is_sorted_by(|a, b| a < b) {
                wrong("a heavier class of battery fires more (6.5.1.2)".into());
            }
        }
    }

    fn check_advanced_scenario(&self, s: &Scenario, found: &mut Vec<Finding>) {
        let at = format!("scenario {}", s.id);
        let (Some(extras), Ok((map, field))) = (&s.advanced, self.field(s)) else {
            found.push(finding(at, "it is no scenario of the Advanced Game, or its boards do not join"));
            return;
        };
        found.extend(map.validate().iter().map(|f| finding(at.clone(), f.to_string())));
        let mut check = ScenarioCheck { pack: self, s, extras, field: &field, why: Vec::new() };
        check.all();
        found.extend(check.why.into_iter().map(|why| finding(at.clone(), why)));
    }
}

/// The checks of one scenario.
struct ScenarioCheck<'a> {
    pack: &'a Pack,
    s: &'a Scenario,
    extras: &'a ScenarioExtras,
    field: &'a Field,
    why: Vec<String>,
}

impl ScenarioCheck<'_> {
    fn wrong(&mut self, why: impl Into<String>) {
        self.why.push(why.into());
    }

    fn unless(&mut self, sound: bool, why: impl FnOnce() -> String) {
        if !sound {
            self.why.push(why());
        }
    }

    fn all(&mut self) {
        let (s, extras) = (self.s, self.extras);
        let month = super::Month::of_date(&s.date);
        let war = |m: super::Month| (1940, 6) <= (m.year, m.month) && (m.year, m.month) <= (1943, 5);
        self.unless(month.is_some_and(war), || "date: expected one of the desert war".into());
        self.unless((4..=24).contains(&s.turns) && s.minutes >= 15, || "turns, minutes".into());
        for rule in &extras.optional {
            self.unless(OPTIONAL.contains(&rule.as_str()), || format!("optional: no rule {rule}"));
        }
        self.unless(s.units.len() <= MAX_UNITS, || format!("at most {MAX_UNITS} units"));
        let features = self.features();
        self.formations();
        for unit in &s.units {
            self.unit(unit, &features);
        }
        self.stacks(&features);
        self.passengers();
        self.support();
        self.goals();
    }

    fn find(&mut self, what: &str, label: &str) -> Option<HexId> {
        let hex = self.field.find(label);
        self.unless(hex.is_some(), || format!("{what}: there is no hex {label}"));
        hex
    }

    fn features(&mut self) -> BTreeMap<HexId, Vec<FeatureKind>> {
        let mut on: BTreeMap<HexId, Vec<FeatureKind>> = BTreeMap::new();
        let extras = self.extras;
        for Feature { kind, hexes, gpd, .. } in &extras.features {
            if *kind == FeatureKind::Mines {
                self.unless(extras.optional.iter().any(|o| o == "7.31"), || "mines need 7.31".into());
            }
            self.unless(gpd.is_none_or(|g| (1..=10).contains(&g)), || "feature: gpd from 1 to 10".into());
            for label in hexes {
                let Some(hex) = self.find("feature", label) else { continue };
                let ground = self.field.ground(hex);
                let open = ground.terrain != Terrain::Water && !ground.terrain.building() && !ground.bridge;
                self.unless(open, || {
                    format!("{label}: no works in water, buildings or on bridges (6.1.4.3)")
                });
                on.entry(hex).or_default().push(*kind);
            }
        }
        on
    }

    fn formations(&mut self) {
        let (s, extras) = (self.s, self.extras);
        let mut ids = BTreeSet::new();
        for f in &extras.formations {
            self.unless(ids.insert(f.id.as_str()), || format!("formation {} is given twice", f.id));
            if let Some(parent) = &f.parent {
                let up = extras.formation(parent);
                let sound = up.is_some_and(|p| p.side == f.side) && !extras.below(parent, &f.id);
                self.unless(sound, || format!("formation {}: parent {parent}", f.id));
            }
            let used = s.units.iter().any(|u| u.formation == f.id)
                || extras.formations.iter().any(|g| g.parent.as_deref() == Some(&f.id));
            self.unless(used, || format!("formation {} is empty", f.id));
            if let Some(hq) = &f.hq {
                let command = |u: &UnitDef| {
                    let labels = &u.extras.labels;
                    u.side == f.side
                        && [Label::Chq, Label::Bhq, Label::Rhq].iter().any(|l| labels.contains(l))
                };
                let unit = s.units.iter().find(|u| u.id == *hq);
                self.unless(unit.is_some_and(command), || {
                    format!("formation {}: hq {hq} is no Command unit (5.9.1)", f.id)
                });
            }
        }
    }

    fn unit(&mut self, u: &UnitDef, features: &BTreeMap<HexId, Vec<FeatureKind>>) {
        let Some(card) = self.pack.advanced.unit(&u.card) else {
            self.wrong(format!("unit {}: there is no card `{}`", u.id, u.card));
            return;
        };
        let (s, extras) = (self.s, self.extras);
        self.unless(card.side() == u.side, || format!("unit {}: it fights for the other side", u.id));
        self.unless(card.serves(&s.date), || {
            format!("unit {}: {} was not there in {}", u.id, u.card, s.date)
        });
        let formation = extras.formation(&u.formation);
        self.unless(formation.is_some_and(|f| f.side == u.side), || format!("unit {}: its formation", u.id));
        let leg = matches!(card, UnitCard::Leg(_));
        self.unless(leg || !u.extras.labels.contains(&Label::Engineer), || {
            format!("unit {}: engineers are Leg units (5.9.3)", u.id)
        });
        for id in &u.extras.attached {
            let weapon = self.pack.advanced.crew_served(id);
            let fits =
                weapon.is_some_and(|w| leg && w.nation.side() == u.side && serves(w.years, w.from, &s.date));
            self.unless(fits, || format!("unit {}: attached {id} (5.1.3)", u.id));
        }
        if u.extras.aboard.is_some() {
            return;
        }
        let (labels, enters) = match &u.start {
            Start::At { hex, .. } => (std::slice::from_ref(hex), false),
            Start::Enters { turn, hexes, .. } => {
                self.unless((1..=s.turns).contains(turn) && !hexes.is_empty(), || {
                    format!("unit {}: entry", u.id)
                });
                (hexes.as_slice(), true)
            }
        };
        for label in labels {
            let Some(hex) = self.find(&format!("unit {}", u.id), label) else { continue };
            let here = features.get(&hex).map_or(&[][..], Vec::as_slice);
            let stands = self.can_stand(hex, card, u) && !barred(here, card);
            self.unless(stands, || format!("unit {}: {} cannot stand in {label}", u.id, u.card));
            if enters {
                self.unless(self.field.board.is_edge(hex), || format!("unit {}: {label} is no edge", u.id));
            } else {
                self.standing(u, card, hex, here);
            }
        }
    }

    /// The states of a unit that starts on the map.
    fn standing(&mut self, u: &UnitDef, card: UnitCard<'_>, hex: HexId, here: &[FeatureKind]) {
        let zone = &self.s.zones[u.side.index()];
        let inside = zone.is_empty() || zone.iter().any(|label| self.field.find(label) == Some(hex));
        self.unless(inside, || format!("unit {} stands outside its zone", u.id));
        let vehicle = matches!(card, UnitCard::Vehicle(_));
        let e = &u.extras;
        self.unless(!e.full_cover || !vehicle && !self.field.ground(hex).bridge, || {
            format!("unit {}: Full Cover (6.1.4.2)", u.id)
        });
        self.unless(!e.improved || here.contains(&FeatureKind::ImprovedPosition), || {
            format!("unit {}: no Improved Position there (6.1.4.3.7)", u.id)
        });
        let dug = !vehicle && here.contains(&FeatureKind::HastyEntrenchment);
        self.unless(!e.entrenched || dug, || format!("unit {}: no entrenchment there (6.1.4.3.6)", u.id));
        let rides = matches!(card, UnitCard::Leg(l) if l.motorcycle.is_some());
        self.unless(!e.motorcycle || rides, || format!("unit {}: no motorcycle card (6.6.4.4)", u.id));
        let hides = self.extras.optional.iter().any(|o| o == "7.2");
        self.unless(!e.hidden || hides, || format!("unit {}: hidden needs 7.2", u.id));
    }

    fn can_stand(&self, hex: HexId, card: UnitCard<'_>, u: &UnitDef) -> bool {
        let (ground, tables) = (self.field.ground(hex), &self.pack.advanced.tables);
        let (mode, foot) = match card {
            UnitCard::Vehicle(v) => (v.base.movement.traction as usize, false),
            UnitCard::Leg(_) => (if u.extras.motorcycle { 3 } else { 4 }, true),
            UnitCard::Towed(_) => (5, u.extras.inside),
        };
        let row = match ground.terrain {
            t if t.building() && !foot => &tables.alley,
            t => &tables.terrain[t as usize],
        };
        ground.bridge || row.cost[mode].is_some() || u.extras.inside && mode == 5
    }

    fn stacks(&mut self, features: &BTreeMap<HexId, Vec<FeatureKind>>) {
        let mut hexes: BTreeMap<HexId, Vec<&UnitDef>> = BTreeMap::new();
        for u in self.s.units.iter().filter(|u| u.extras.aboard.is_none()) {
            if let Start::At { hex, .. } = &u.start
                && let Some(hex) = self.field.find(hex)
            {
                hexes.entry(hex).or_default().push(u);
            }
        }
        for (hex, units) in hexes {
            let label = self.field.label(hex).to_owned();
            self.unless(units.iter().all(|u| u.side == units[0].side), || format!("{label}: both sides"));
            let leg = |u: &&&UnitDef| self.pack.advanced.leg(&u.card).is_some();
            let counted = units.iter().filter(|u| !leg(u)).count();
            let limit = usize::from(self.pack.tables.modifiers.overstacked);
            self.unless(counted < limit, || format!("{label}: overstacked (5.13)"));
            let works = |kind| features.get(&hex).map_or(0, |f| f.iter().filter(|k| **k == kind).count());
            let improved = units.iter().filter(|u| u.extras.improved).count();
            let dug = units.iter().filter(|u| u.extras.entrenched).count();
            let room = improved <= works(FeatureKind::ImprovedPosition)
                && dug <= works(FeatureKind::HastyEntrenchment);
            self.unless(room, || format!("{label}: one unit in each work (6.1.4.3)"));
        }
    }

    fn passengers(&mut self) {
        let cards = &self.pack.advanced;
        for transport in &self.s.units {
            let aboard = |u: &&UnitDef| u.extras.aboard.as_deref() == Some(&transport.id);
            let riders: Vec<_> =
                self.s.units.iter().filter(aboard).filter_map(|u| cards.unit(&u.card)).collect();
            if riders.is_empty() {
                continue;
            }
            let Some(UnitCard::Vehicle(v)) = cards.unit(&transport.card) else {
                self.wrong(format!("unit {} carries nobody (6.6.7)", transport.id));
                continue;
            };
            let rooms = riders.iter().filter_map(UnitCard::passenger);
            let (towed, leg) = rooms.fold((0, 0), |(t, l), room| (t + room.towed, l + room.leg));
            let guns = riders.iter().any(|r| matches!(r, UnitCard::Towed(_)));
            let fits = towed <= v.transport.towed && leg <= v.transport.leg && (!guns || riders.len() == 1);
            self.unless(fits, || format!("unit {}: no room for its passengers (6.6.7.1)", transport.id));
        }
    }

    fn support(&mut self) {
        let (s, extras, cards) = (self.s, self.extras, &self.pack.advanced);
        for b in &extras.batteries {
            let at = |why: &str| format!("battery {}: {why}", b.id);
            let Some(card) = cards.battery(&b.card) else {
                self.wrong(at("there is no such card"));
                continue;
            };
            self.unless(card.nation.side() == b.side, || at("it fires for the other side"));
            self.unless(card.ammo == b.ammo, || at("its ammo limit is not its card's"));
            let formation = extras.formation(&b.formation);
            self.unless(formation.is_some_and(|f| f.side == b.side), || at("formation"));
            let top = formation.is_some_and(|f| f.parent.is_none());
            self.unless(b.level == Level::Attached || b.level == Level::Organic && top, || {
                at("organic batteries stand at the top (6.5.1.3.2)")
            });
            let observes = |u: &UnitDef| {
                let labels = [Label::Fo, Label::Chq, Label::Bhq, Label::Rhq, Label::Recon];
                extras.below(&u.formation, &b.formation) && labels.iter().any(|l| u.extras.labels.contains(l))
            };
            self.unless(b.planned || s.units.iter().any(observes), || at("nobody observes for it (6.5.1.1)"));
        }
        let sides: Vec<Side> = extras.aircraft.iter().map(|a| a.side).collect();
        self.unless(sides.windows(2).all(|p| p[0] == p[1]), || "aircraft of both sides (6.7)".into());
        for a in &extras.aircraft {
            let at = |why: &str| format!("aircraft {}: {why}", a.id);
            let Some(card) = cards.aircraft(&a.card) else {
                self.wrong(at("there is no such card"));
                continue;
            };
            let there = card.nation.side() == a.side && serves(card.years, card.from, &s.date);
            self.unless(there, || at("it was not there"));
            let bombs = card.bombs.map_or(0, |b| b.attacks);
            let rockets = card.rockets.map_or(0, |r| r.attacks);
            let loaded = a.strafing <= card.strafing.attacks && a.bombs <= bombs && a.rockets <= rockets;
            self.unless(loaded && a.strafing + a.bombs + a.rockets > 0, || at("its card has fewer attacks"));
            let turns =
                1 <= a.first_turn[0] && a.first_turn[0] <= a.first_turn[1] && a.first_turn[1] <= s.turns;
            self.unless(a.count >= 1 && turns, || at("count, first_turn"));
        }
        let asked = |module| extras.uses(module);
        self.unless(extras.batteries.is_empty() || asked(Module::IndirectFire), || {
            "rules: indirect_fire".into()
        });
        self.unless(extras.aircraft.is_empty() || asked(Module::Air), || "rules: air".into());
    }

    fn goals(&mut self) {
        let s = self.s;
        for side in Side::ALL {
            let armed = |u: &UnitDef| self.pack.advanced.unit(&u.card).is_some_and(|c| c.armed());
            let fights = s.units.iter().any(|u| u.side == side && armed(u));
            self.unless(fights, || format!("the {} have no combat unit", side.key()));
            let levels = &s.victory.levels[side.index()];
            let sound = levels.len() == 3 && levels.is_sorted_by(|a, b| a.1 > b.1);
            self.unless(sound, || format!("victory.levels.{}: the best first", side.key()));
            let exits: Vec<_> =
                s.victory.exit_hexes[side.index()].iter().map(|l| self.field.find(l)).collect();
            let edge = |hex: &Option<HexId>| hex.is_some_and(|h| self.field.board.is_edge(h));
            self.unless(exits.iter().all(edge), || "exit_hexes: hexes of the map's edge".into());
        }
        let lowest = s.victory.levels.iter().map(|levels| levels.last().map_or(0, |l| l.1)).sum::<i32>();
        self.unless(lowest > 0, || "victory.levels: both sides could win at once".into());
        for o in &s.objectives {
            self.unless(!o.hexes.is_empty() && o.points != [0, 0], || format!("objective {}: empty", o.id));
            for side in Side::ALL {
                if o.held_by != Some(side) && o.points[side.index()] > 0 {
                    self.reach(&o.id, &o.hexes, side);
                }
            }
        }
    }

    /// Checks that an objective can be captured: within three quarters of the game, in a straight line at normal speed.
    fn reach(&mut self, id: &str, hexes: &[String], side: Side) {
        let cards = &self.pack.advanced;
        let goals: Vec<HexId> = hexes.iter().filter_map(|l| self.field.find(l)).collect();
        let near = |u: &&UnitDef| {
            let host = u.extras.aboard.as_ref().and_then(|id| self.s.units.iter().find(|h| h.id == *id));
            let pace = match cards.unit(&host.unwrap_or(u).card) {
                Some(UnitCard::Vehicle(v)) => v.base.movement.cross_country,
                Some(UnitCard::Leg(l)) => l.movement.cross_country,
                _ => return false,
            };
            let (turn, starts) = match &u.start {
                Start::At { hex, .. } => (1, std::slice::from_ref(hex)),
                Start::Enters { turn, hexes, .. } => (*turn, hexes.as_slice()),
            };
            let board = &self.field.board;
            let away = starts
                .iter()
                .filter_map(|l| self.field.find(l))
                .filter_map(|a| goals.iter().map(|b| board.distance(a, *b)).min())
                .min();
            let armed = cards.unit(&u.card).is_some_and(|c| c.armed());
            let turns = away.map(|away| f64::from(turn - 1) + f64::from(away) / f64::from(pace.max(1)));
            armed && turns.is_some_and(|turns| turns <= 0.75 * f64::from(self.s.turns))
        };
        let count = self.s.units.iter().filter(|u| u.side == side).filter(near).count();
        let enough = if self.s.units.len() < 10 { 1 } else { 3 };
        self.unless(count >= enough, || format!("objective {id}: the {} can hardly reach it", side.key()));
    }
}

/// 6.1.4.3: whether works prevent a unit from entering.
fn barred(here: &[FeatureKind], card: UnitCard<'_>) -> bool {
    let leg = matches!(card, UnitCard::Leg(_));
    let tracked = matches!(card, UnitCard::Vehicle(v) if v.base.movement.traction == Traction::Tracked);
    here.iter().any(|kind| match kind {
        FeatureKind::Block | FeatureKind::Ditch => !leg,
        FeatureKind::Wire => !tracked,
        _ => false,
    })
}
