//! The written method (`docs/ardennes44-oob.md`, `packs/ardennes44/method.toml`) gives the values of every unit,
//! including the stated ones.

use std::collections::BTreeMap;

use ardennes::pack::{Factors, Pack, Role, UnitDef, Vehicle};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Method {
    divisor: f64,
    battalion: BTreeMap<String, [f64; 2]>,
    class: BTreeMap<String, Class>,
    vehicle: BTreeMap<String, VehicleRow>,
    tanks: Vec<Tanks>,
    artillery: BTreeMap<String, Guns>,
    exception: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    of: Vec<String>,
    #[serde(rename = "move")]
    movement: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VehicleRow {
    index: f64,
    tq: u8,
    #[serde(default)]
    red: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tanks {
    #[serde(default)]
    units: Vec<String>,
    #[serde(default)]
    classes: Vec<String>,
    vehicles: BTreeMap<String, f64>,
    #[serde(default)]
    one_step: bool,
    #[serde(default)]
    odd_lot: bool,
    #[serde(rename = "move")]
    movement: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Guns {
    defense: u8,
    range: u8,
    ready: u8,
    fired: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    #[serde(default)]
    units: Vec<String>,
    #[serde(default)]
    classes: Vec<String>,
    front: Option<String>,
    reduced: Option<String>,
    range: Option<u8>,
    why: String,
}

/// The values that the method gives a unit.
#[derive(PartialEq, Debug, Clone)]
struct Value {
    front: String,
    reduced: Option<String>,
    steps: u8,
    range: u8,
}

fn text(f: Factors) -> String {
    format!("{}-{}-{}", f.attack, f.defense, f.movement)
}

fn factors(attack: f64, defense: f64, movement: u8) -> String {
    format!("{attack}-{defense}-{movement}")
}

/// Rounds half up, tolerating floating-point error.
fn round(x: f64) -> f64 {
    (x + 1e-9 + 0.5).floor()
}

fn up(x: f64) -> f64 {
    (x - 1e-9).ceil()
}

impl Method {
    fn read() -> Self {
        toml::from_str(include_str!("../../../packs/ardennes44/method.toml"))
            .unwrap_or_else(|e| panic!("{e}"))
    }

    /// Section 3: the sum of its battalions.
    fn of_battalions(&self, class: &Class) -> Value {
        let sum = |i: usize| -> f64 { class.of.iter().map(|b| self.battalion[b][i]).sum() };
        let (attack, defense) = (round(sum(0)), round(sum(1)));
        let reduced = match class.of.len() {
            1 => None,
            2 => Some((up(attack / 2.0), up(defense * 0.6))),
            _ => Some((round(attack * 2.0 / 3.0), round(defense * 2.0 / 3.0))),
        };
        Value {
            front: factors(attack, defense, class.movement),
            reduced: reduced.map(|(a, d)| factors(a, d, class.movement)),
            steps: class.of.len().min(3) as u8,
            range: 0,
        }
    }

    /// Section 4: operational vehicles.
    fn of_vehicles(&self, tanks: &Tanks, unit: &UnitDef) -> Value {
        let own = vehicle_key(unit.vehicle);
        let index = |name: &str| self.vehicle[if name == "own" { own.as_str() } else { name }].index;
        let attack = round(tanks.vehicles.iter().map(|(v, n)| index(v) * n).sum::<f64>() / self.divisor);
        let two = attack >= 4.0 && !tanks.one_step;
        let heavy = matches!(unit.vehicle, Some(Vehicle::KingTiger | Vehicle::Tiger))
            || (unit.vehicle == Some(Vehicle::Panther) && attack >= 5.0);
        let defense = match (two, heavy, tanks.odd_lot) {
            (true, true, _) => 4.0,
            (true, false, _) => 3.0,
            (false, _, false) => 2.0,
            (false, _, true) => 1.0,
        };
        let movement = if unit.vehicle == Some(Vehicle::M18) { 7 } else { tanks.movement };
        Value {
            front: factors(attack, defense, movement),
            reduced: two.then(|| factors(up(attack / 2.0), up(defense / 2.0), movement)),
            steps: 1 + u8::from(two),
            range: 0,
        }
    }

    fn value(&self, unit: &UnitDef) -> Option<Value> {
        let tanks = self
            .tanks
            .iter()
            .find(|t| t.units.contains(&unit.id))
            .or_else(|| self.tanks.iter().find(|t| t.classes.contains(&unit.class)));
        let mut value = if let Some(tanks) = tanks {
            self.of_vehicles(tanks, unit)
        } else if let Some(guns) = self.artillery.get(&unit.class) {
            let fired = unit.fired.map(|f| f.movement);
            assert_eq!(fired, Some(guns.fired), "{}", unit.id);
            let front = format!("0-{}-{}", guns.defense, guns.ready);
            Value { front, reduced: None, steps: 1, range: guns.range }
        } else {
            self.of_battalions(self.class.get(&unit.class)?)
        };
        for exception in &self.exception {
            if exception.units.contains(&unit.id) || exception.classes.contains(&unit.class) {
                value.front = exception.front.clone().unwrap_or(value.front);
                if let Some(reduced) = &exception.reduced {
                    value.reduced = Some(reduced.clone());
                    value.steps = value.steps.max(2);
                }
                value.range = exception.range.unwrap_or(value.range);
            }
        }
        // A unit of two battalions has two steps, whatever its class (16.4).
        if unit.front.stacking == 2 {
            value.steps = 2;
        }
        Some(value)
    }
}

fn vehicle_key(vehicle: Option<Vehicle>) -> String {
    let Some(vehicle) = vehicle else { return String::new() };
    let value = toml::Value::try_from(vehicle).unwrap_or_else(|e| panic!("{e}"));
    value.as_str().unwrap_or_default().to_owned()
}

fn pack() -> Pack {
    Pack::embedded().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_method_gives_every_unit() {
    let (method, pack) = (Method::read(), pack());
    let mut wrong = Vec::new();
    for unit in pack.units.iter().filter(|u| u.role == Role::Combat) {
        let ours = Value {
            front: text(unit.front),
            reduced: unit.reduced.map(text),
            steps: unit.steps,
            range: unit.range,
        };
        match method.value(unit) {
            Some(value) if value == ours => {}
            other => wrong.push(format!("{} ({}): {ours:?}, method {other:?}", unit.id, unit.class)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tank_quality_is_the_vehicles() {
    let (method, pack) = (Method::read(), pack());
    for unit in pack.units.iter().filter(|u| u.vehicle.is_some()) {
        let row = &method.vehicle[&vehicle_key(unit.vehicle)];
        let tq = unit.tq.unwrap_or_else(|| panic!("{}", unit.id));
        assert_eq!((tq.front, tq.reduced, tq.red), (row.tq, row.tq, row.red), "{}", unit.id);
    }
}

#[test]
fn every_exception_is_needed() {
    let (method, pack) = (Method::read(), pack());
    let plain = Method { exception: Vec::new(), ..Method::read() };
    for exception in &method.exception {
        assert!(!exception.why.is_empty());
        let units: Vec<&UnitDef> = pack
            .units
            .iter()
            .filter(|u| u.role == Role::Combat)
            .filter(|u| exception.units.contains(&u.id) || exception.classes.contains(&u.class))
            .collect();
        assert!(units.len() >= exception.units.len().max(1), "{:?} names an unknown unit", exception.units);
        for unit in units {
            assert_ne!(plain.value(unit), method.value(unit), "{} needs no exception", unit.id);
        }
    }
}

#[test]
fn the_method_reproduces_the_stated_values() {
    let (method, pack) = (Method::read(), pack());
    let plain = Method { exception: Vec::new(), ..method };
    for (slug, front) in [
        ("us-87-345", "6-6-3"),
        ("us-106-424-1", "2-2-3"),
        ("us-741-tk", "4-3-6"),
        ("us-101-501", "4-6-3"),
        ("us-10arm-ccb", "9-6-6"),
        ("us-7arm-ccr", "5-4-6"),
        ("us-18-cav", "3-2-7"),
        ("us-291-eng", "1-2-3"),
        ("de-506-pz", "8-4-5"),
        ("de-519-pzjg", "3-2-5"),
        ("de-653-pzjg", "4-2-5"),
    ] {
        let unit = pack.unit(pack.unit_by_slug(slug).unwrap_or_else(|| panic!("{slug}")));
        assert_eq!(plain.value(unit).map(|v| v.front).as_deref(), Some(front), "{slug}");
    }
}
