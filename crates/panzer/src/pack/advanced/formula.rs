//! Recomputes the derived values of the cards by the formulas of docs/panzer.md, to find slips in the figures.

use super::{Advanced, AdvancedTables, GpRow, LegSize, Weapon};
use crate::pack::check::{Finding, finding};

/// Rounds half up.
fn round(x: f32) -> u8 {
    (x + 0.5).floor().clamp(0.0, 255.0) as u8
}

/// The bounds of P, S, M, L, E for a maximum range.
fn bands(maximum: u8) -> [u8; 5] {
    let part = |share: f32| round(f32::from(maximum) * share).max(1);
    [part(0.17), part(0.33), part(0.61), part(0.835), maximum]
}

/// GP factors of a gun for its factor at P.
fn factors(p: u8) -> [u8; 5] {
    let part = |share: f32| round(f32::from(p) * share).max(1);
    [p, part(0.8), part(0.6), part(0.55), part(0.4)]
}

/// Multiplier of armor thickness by slope from vertical, in degrees.
const SLOPE: [(f32, f32); 12] = [
    (0.0, 1.0),
    (10.0, 1.01),
    (20.0, 1.05),
    (30.0, 1.15),
    (40.0, 1.33),
    (45.0, 1.48),
    (50.0, 1.68),
    (55.0, 1.98),
    (60.0, 2.4),
    (65.0, 3.0),
    (70.0, 3.9),
    (75.0, 5.2),
];

fn slope(degrees: f32) -> f32 {
    let degrees = degrees.clamp(0.0, 75.0);
    let between = SLOPE.windows(2).find(|pair| degrees <= pair[1].0);
    between.map_or(SLOPE[11].1, |pair| {
        let ((low, a), (high, b)) = (pair[0], pair[1]);
        a + (b - a) * (degrees - low) / (high - low)
    })
}

/// Thickness and slope of a plate, from the card's history.
fn plate(plates: &toml::Value, place: &str) -> Option<(f32, f32)> {
    let number = |i: usize| {
        let value = plates.get(place)?.get(i)?;
        value.as_float().or_else(|| value.as_integer().map(|n| n as f64)).map(|n| n as f32)
    };
    Some((number(0)?, number(1)?))
}

/// 6.5.2.3: armor by location and slope of fire; rising or falling fire meets sloped plates at another angle.
fn check_armor(vehicle: &super::VehicleCard, plates: &toml::Value, found: &mut Vec<Finding>) {
    let Some(armor) = &vehicle.armor else {
        found.push(finding(format!("card {}", vehicle.base.id), "plates_mm without armor (6.5.2.3)"));
        return;
    };
    let places = |list: &'static [&'static str]| list.iter().copied().enumerate();
    for (i, turn) in [0.0, 5.5, -5.5].into_iter().enumerate() {
        let mut compare = |place: &str, factor: f32, printed: u8| {
            let Some((thickness, degrees)) = plate(plates, place) else { return };
            let met = if degrees >= 10.0 { degrees + turn } else { degrees };
            let wanted = round(thickness * slope(met) / 5.0 * factor);
            if printed != wanted {
                let why = format!("armor {place}, slope {i}: {printed}, its plate gives {wanted} (6.5.2.3)");
                found.push(finding(format!("card {}", vehicle.base.id), why));
            }
        };
        for (j, place) in places(&["TF", "TR", "HF", "HR"]) {
            compare(place, 1.0, armor.front_rear[i][j]);
        }
        for (j, place) in places(&["TF", "TS", "TR", "HF", "HS", "HR"]) {
            compare(place, if place.ends_with('S') { 1.155 } else { 1.2 }, armor.sides[i][j]);
        }
    }
}

pub(super) fn check(cards: &Advanced, found: &mut Vec<Finding>) {
    for weapon in &cards.weapons {
        check_weapon(weapon, found);
    }
    for vehicle in cards.vehicles.iter().filter(|v| !v.extends) {
        let Some(plates) = vehicle.base.printed.get("plates_mm") else { continue };
        check_armor(vehicle, plates, found);
        let thickness = |place: &str| plate(plates, place).map_or(0.0, |(mm, _)| mm);
        let (turret, hull) = (thickness("TS"), thickness("HS"));
        let mean = if turret > 0.0 && hull > 0.0 { f32::midpoint(turret, hull) } else { turret.max(hull) };
        let gpd = 1 + [14.5, 30.0, 60.0, 85.0].iter().filter(|bound| mean >= **bound).count() as u8;
        if vehicle.gpd.value != gpd {
            let why = format!("gpd {}: mean side thickness gives {gpd} (6.5.4.2.1)", vehicle.gpd.value);
            found.push(finding(format!("card {}", vehicle.base.id), why));
        }
    }
    for squad in &cards.leg {
        let mut wrong = |why: String| found.push(finding(format!("card {}", squad.id), why));
        let gp = squad.gp.factor;
        let engineer = if squad.labels.contains(&super::Label::Engineer) { 2 } else { 0 };
        if squad.points != u16::from(round(f32::from(gp[0]) + 0.7 * f32::from(gp[2]))) + engineer {
            wrong("points: expected P + 0.7 M, engineers 2 more".into());
        }
        if squad.size == LegSize::Squad {
            let half = squad.reduces_to.as_deref().and_then(|id| cards.leg(id));
            let two_thirds = gp.map(|f| round(f32::from(f) * 2.0 / 3.0).max(1));
            match half {
                Some(half) if half.size == LegSize::HalfSquad && half.gp.factor == two_thirds => {}
                Some(_) => wrong("reduces_to: a half-squad with two thirds of each factor (5.1.1)".into()),
                None => wrong("reduces_to: there is no such card".into()),
            }
        }
    }
    check_tables(&cards.tables, found);
}

fn check_weapon(weapon: &Weapon, found: &mut Vec<Finding>) {
    let mut wrong = |why: String| found.push(finding(format!("weapon {}", weapon.id), why));
    if let (Some(ap), Some(mm), false) =
        (&weapon.ap, weapon.history.penetration_mm, weapon.history.penetration_known)
    {
        // A squeeze bore fires tungsten only, which loses less at first and more later.
        let decay = if weapon.id == "28mm_spzb41" {
            [1.0, 0.91, 0.83, 0.65, 0.565]
        } else {
            [1.0, 0.875, 0.77, 0.70, 0.625]
        };
        let p = f32::from(round(mm / 5.1));
        if ap.row.penetration != decay.map(|share| round(p * share)) {
            wrong(format!("ap.penetration: {mm} mm at 250 m give other figures"));
        }
    }
    if let (Some(ap), Some(velocity), true) = (&weapon.ap, weapon.history.velocity, weapon.calibre_mm >= 37.0)
    {
        let maximum = round((17.2 + 0.25 * (weapon.calibre_mm - 45.0)).min(26.7) * velocity / 1000.0);
        if ap.row.range != bands(maximum) {
            wrong(format!("ap.range: {velocity} m/s give a maximum of {maximum}"));
        }
    }
    if weapon.small_arms || weapon.flamethrower {
        return;
    }
    let rows: [(&str, Option<&GpRow>); 3] = [
        ("gp", weapon.gp.as_ref()),
        ("gp_if", weapon.gp_indirect.as_ref()),
        ("aa", weapon.aa.as_ref().map(|aa| &aa.row)),
    ];
    for (name, row) in rows {
        if row.is_some_and(|row| row.factor != factors(row.factor[0])) {
            wrong(format!("{name}.factor: 80, 60, 55 and 40 % of the factor at P"));
        }
    }
}

fn check_tables(tables: &AdvancedTables, found: &mut Vec<Finding>) {
    let mut wrong = |what: &str, why: String| found.push(finding(what, why));
    for (i, row) in tables.spotting.iter().enumerate() {
        let [v, l, s] = *row;
        if l != (u16::from(v) * 3 / 4).max(1) as u8 || s != (v / 2).max(1) {
            wrong("Spotting Range Table", format!("row {}: L is 3/4 and S half of V", 2 - i as i8));
        }
    }
    for (grade, row) in super::Grade::ALL.iter().zip(&tables.available) {
        let rate = 8 - grade.index() as u8;
        if row.iter().zip(1..).any(|(n, units)| *n != units * rate / 10) {
            wrong("available commands", format!("{}: {rate} for ten units", grade.key()));
        }
    }
    for h in 1..=100_u8 {
        let i = usize::from(h) - 1;
        let (three, two) = (tables.ap.three_hits[i], &tables.ap.two_hits);
        if three != h / 5 || two[2][i] != (u16::from(h) * 2 / 5) as u8 || two.iter().any(|t| t[i] > h) {
            wrong("number of hits", format!("hit number {h}: 20 % are three, 40 % two (6.5.2.1)"));
        }
    }
    for (d, row) in (1..).zip(&tables.gp.cells) {
        for (f, &(n, s)) in (1_i16..).zip(row) {
            if n != (100 + 9 * d - 8 * f).div_euclid(2) || s != n + 24 + f {
                wrong("GP Combat Results Table", format!("GPF {f}, GPD {d}: not by the formula (6.5.4.4)"));
            }
        }
    }
    for row in &tables.grades {
        if row.gp != row.ap.map(|ap| 5 * ap) {
            wrong("unit grades", "the GP modifier is five times that of AP".into());
        }
    }
    for pair in tables.grades.windows(2) {
        let falls = |better: &[i8; 5], worse: &[i8; 5]| better.iter().zip(worse).all(|(a, b)| a >= b);
        let ordered = falls(&pair[0].ap, &pair[1].ap)
            && pair[0].assault > pair[1].assault
            && pair[0].recovery > pair[1].recovery
            && pair[0].quickmarch < pair[1].quickmarch
            && pair[0].response > pair[1].response;
        if !ordered {
            wrong("unit grades", "a better grade is never worse".into());
        }
    }
    for (size, row) in LegSize::ALL.iter().zip(&tables.assault.close) {
        if row.brew_up != row.gpf / 2 {
            wrong("close assault", format!("{}: brews up on half its factor (6.6.1.1.3)", size.key()));
        }
    }
    for angle in super::Angle::ALL {
        let row = &tables.ap.locations[angle.index()];
        let sound = row.iter().enumerate().all(|(i, cell)| {
            cell.is_some_and(|(place, _)| match i {
                0..4 => place.turret(),
                4..9 => place.hull(),
                _ => place == super::Location::Track,
            })
        });
        if !sound {
            wrong("AP Hit Location", format!("{}: 1 to 4 turret, 5 to 9 hull, 10 track", angle.key()));
        }
    }
    for row in &tables.indirect.response {
        if !row.is_sorted() {
            wrong("indirect fire response", "a source further off is harder to call (6.5.1.12)".into());
        }
    }
}
