//! Weapons with all their rows: AP, APCR, HEAT, GP direct and indirect, AA (5.16, 6.5.2, 6.5.4, 6.7.4).

use serde::Deserialize;

use super::{Month, RangeFactor, Rate};
use crate::pack::{ApRow, PackError, PackFiles};

/// A GP row: range bounds and GP factor by range factor P, S, M, L, E (6.5.4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpRow {
    pub range: [u8; 5],
    pub factor: [u8; 5],
    /// 5.6: targets nearer cannot be engaged.
    #[serde(default = "one")]
    pub min_range: u8,
}

fn one() -> u8 {
    1
}

/// The first bound that is not below the range (4.4.3.2.1).
pub(super) fn band(bounds: &[u8; 5], range: u32) -> Option<RangeFactor> {
    let i = bounds.iter().position(|bound| u32::from(*bound) >= range)?;
    Some(RangeFactor::ALL[i])
}

impl GpRow {
    /// 6.5.4.1, 5.6: range factor and GP factor at a range; none inside minimum or beyond maximum range.
    pub fn at(&self, range: u32) -> Option<(RangeFactor, u8)> {
        if range < u32::from(self.min_range) {
            return None; // 5.6
        }
        let factor = band(&self.range, range)?;
        Some((factor, self.factor[factor.index()]))
    }

    pub const fn maximum_range(&self) -> u8 {
        self.range[4]
    }
}

/// An AP ammunition row: penetration by range factor (6.5.2.3), KE or CE (6.5.2.3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApAmmo {
    pub row: ApRow,
    /// Chemical energy: a shaped charge.
    pub ce: bool,
}

impl ApAmmo {
    /// Range factor and penetration at a range.
    pub fn at(&self, range: u32) -> Option<(RangeFactor, u8)> {
        let factor = band(&self.row.range, range)?;
        Some((factor, self.row.penetration[factor.index()]))
    }
}

/// An AA row (6.7.4): as a GP row, with the unit's own modifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AaRow {
    pub row: GpRow,
    pub modifier: i8,
    /// Added against High altitude; None: cannot fire at it (6.7.4.1.2).
    pub vs_high: Option<i8>,
}

/// 6.5.2.5: what a penetrating hit does, by the units die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    #[default]
    None,
    Damaged,
    KnockedOut,
    BrewedUp,
}

impl Damage {
    /// As cards print it.
    pub const fn letters(self) -> &'static str {
        match self {
            Damage::None => "ND",
            Damage::Damaged => "DM",
            Damage::KnockedOut => "KO",
            Damage::BrewedUp => "BU",
        }
    }
}

/// 5.16.1: from when an ammunition may be fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Available {
    pub apcr: Option<Month>,
    pub heat: Option<Month>,
    pub gp: Option<Month>,
}

/// A weapon (1.5, 6.5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weapon {
    pub id: String,
    pub name: String,
    pub calibre_mm: f32,
    pub rate: Rate,
    pub ap: Option<ApAmmo>,
    pub apcr: Option<ApAmmo>,
    pub heat: Option<ApAmmo>,
    /// By the units die 1 to 10.
    pub damage: Option<[Damage; 10]>,
    /// Direct fire: the row `GP` or `GP-DF`.
    pub gp: Option<GpRow>,
    /// Indirect fire: the row `GP-IF` (6.5.1).
    pub gp_indirect: Option<GpRow>,
    pub aa: Option<AaRow>,
    /// 5.7
    pub small_arms: bool,
    /// 5.7: gives Spot/Fire SA, but is not Small Arms in its effect.
    pub small_arms_for_spotting: bool,
    /// 6.5.4.4.2: the greatest GP effectiveness factor; none for Small Arms.
    pub effectiveness: Option<u8>,
    pub smoke: bool,
    pub flamethrower: bool,
    pub available: Available,
    /// What the rows were derived from.
    pub history: History,
}

/// Muzzle velocity in m/s, vertical penetration in mm at 250 m, and whether the latter is not the source of the P cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct History {
    pub velocity: Option<f32>,
    pub penetration_mm: Option<f32>,
    pub penetration_known: bool,
}

impl Weapon {
    /// 6.5.2.5: the result of the units die; 0 counts as 10 before this. A weapon without the row does no damage.
    pub fn damage(&self, die: u8) -> Damage {
        let die = usize::from(die.clamp(1, 10));
        self.damage.map_or(Damage::None, |row| row[die - 1])
    }
}

#[derive(Debug, Deserialize)]
struct WeaponFile {
    weapon: Vec<toml::Table>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawWeapon {
    pub id: String,
    pub name: String,
    #[serde(default)]
    calibre_mm: f32,
    #[serde(default)]
    rate_of_fire: Rate,
    ap: Option<RawAmmo>,
    apcr: Option<RawAmmo>,
    heat: Option<RawAmmo>,
    ap_damage: Option<RawDamage>,
    gp: Option<GpRow>,
    gp_df: Option<GpRow>,
    gp_if: Option<GpRow>,
    aa: Option<RawAa>,
    #[serde(default)]
    small_arms: bool,
    #[serde(default)]
    small_arms_for_spotting: bool,
    gp_effectiveness_max: Option<u8>,
    #[serde(default)]
    smoke: bool,
    #[serde(default)]
    flamethrower: bool,
    #[serde(default)]
    available: Available,
    muzzle_velocity_ms: Option<f32>,
    penetration_250m_mm: Option<f32>,
    #[serde(default)]
    known: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAmmo {
    #[serde(default)]
    energy: Energy,
    range: [u8; 5],
    penetration: [u8; 5],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
enum Energy {
    #[default]
    #[serde(rename = "KE")]
    Kinetic,
    #[serde(rename = "CE")]
    Chemical,
}

/// Ranges of the units die: `4-7`, `10`, or `-` for never.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDamage {
    #[serde(rename = "ND")]
    none: String,
    #[serde(rename = "DM")]
    damaged: String,
    #[serde(rename = "KO")]
    knocked_out: String,
    #[serde(rename = "BU")]
    brewed_up: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawAa {
    range: [u8; 5],
    factor: [u8; 5],
    #[serde(default)]
    modifier: i8,
    vs_high_altitude: toml::Value,
}

impl RawAa {
    pub(super) fn read(&self) -> Result<AaRow, String> {
        let vs_high = match &self.vs_high_altitude {
            toml::Value::String(text) if text == "N/A" => None,
            toml::Value::Integer(n) => Some(
                i8::try_from(*n)
                    .ok()
                    .filter(|n| *n <= 0)
                    .ok_or("vs_high_altitude: expected 0 or less, or \"N/A\" (6.7.4.1.2)")?,
            ),
            _ => return Err("vs_high_altitude: expected a number or \"N/A\" (6.7.4.1.2)".into()),
        };
        let row = GpRow { range: self.range, factor: self.factor, min_range: 1 };
        check_row("aa", &row)?;
        Ok(AaRow { row, modifier: self.modifier, vs_high })
    }
}

/// 6.5.4.1: range bounds grow, factors fall and lie on the table.
pub(super) fn check_row(what: &str, row: &GpRow) -> Result<(), String> {
    let sound = row.range.is_sorted()
        && row.range[0] >= 1
        && row.factor.is_sorted_by(|a, b| a >= b)
        && (1..=15).contains(&row.factor[0])
        && row.factor[4] >= 1;
    if sound {
        Ok(())
    } else {
        Err(format!("{what}: ranges grow and factors of 15 to 1 fall from P to E (6.5.4.1)"))
    }
}

impl RawDamage {
    fn row(&self) -> Result<[Damage; 10], String> {
        let mut row = [None; 10];
        let lists = [
            (&self.none, Damage::None),
            (&self.damaged, Damage::Damaged),
            (&self.knocked_out, Damage::KnockedOut),
            (&self.brewed_up, Damage::BrewedUp),
        ];
        let bad = "ap_damage: expected each of 1 to 10 once, such as ND = \"1-3\" (6.5.2.5)";
        for (text, result) in lists {
            if text == "-" {
                continue;
            }
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            let (first, last): (usize, usize) =
                (first.parse().map_err(|_| bad)?, last.parse().map_err(|_| bad)?);
            if first == 0 || first > last || last > 10 {
                return Err(bad.into());
            }
            for cell in &mut row[first - 1..last] {
                if cell.replace(result).is_some() {
                    return Err(bad.into());
                }
            }
        }
        let mut out = [Damage::None; 10];
        for (to, from) in out.iter_mut().zip(row) {
            *to = from.ok_or(bad)?;
        }
        if out.is_sorted() {
            Ok(out)
        } else {
            Err("ap_damage: a higher die is never less damage (6.5.2.5)".into())
        }
    }
}

fn ammo(raw: RawAmmo, what: &str) -> Result<ApAmmo, String> {
    if !(raw.range.is_sorted() && raw.range[0] >= 1 && raw.penetration.is_sorted_by(|a, b| a >= b)) {
        return Err(format!("{what}: ranges grow and penetration falls from P to E (6.5.2.3)"));
    }
    let row = ApRow { range: raw.range, penetration: raw.penetration };
    Ok(ApAmmo { row, ce: raw.energy == Energy::Chemical })
}

pub(super) fn weapon(raw: RawWeapon) -> Result<Weapon, String> {
    if raw.gp.is_some() && raw.gp_df.is_some() {
        return Err("gp or gp_df, not both (5.2)".into());
    }
    for (what, row) in [("gp", &raw.gp), ("gp_df", &raw.gp_df), ("gp_if", &raw.gp_if)] {
        if let Some(row) = row {
            check_row(what, row)?;
        }
    }
    let gp = raw.gp.or(raw.gp_df);
    if (gp.is_some() || raw.gp_if.is_some()) && raw.small_arms == raw.gp_effectiveness_max.is_some() {
        return Err("a GP weapon is Small Arms or has gp_effectiveness_max (5.7, 6.5.4.4.2)".into());
    }
    if (raw.ap.is_some() || raw.heat.is_some()) != raw.ap_damage.is_some() {
        return Err("ap_damage: a weapon with an AP or HEAT row has it, others have none (6.5.2.5)".into());
    }
    Ok(Weapon {
        ap: raw.ap.map(|a| ammo(a, "ap")).transpose()?,
        apcr: raw.apcr.map(|a| ammo(a, "apcr")).transpose()?,
        heat: raw.heat.map(|a| ammo(a, "heat")).transpose()?,
        damage: raw.ap_damage.map(|d| d.row()).transpose()?,
        aa: raw.aa.map(|a| a.read()).transpose()?,
        id: raw.id,
        name: raw.name,
        calibre_mm: raw.calibre_mm,
        rate: raw.rate_of_fire,
        gp,
        gp_indirect: raw.gp_if,
        small_arms: raw.small_arms,
        small_arms_for_spotting: raw.small_arms_for_spotting,
        effectiveness: raw.gp_effectiveness_max,
        smoke: raw.smoke,
        flamethrower: raw.flamethrower,
        available: raw.available,
        history: History {
            velocity: raw.muzzle_velocity_ms,
            penetration_mm: raw.penetration_250m_mm,
            penetration_known: raw.known.iter().any(|k| k == "ap.penetration.P"),
        },
    })
}

pub(super) fn read(files: &PackFiles) -> Result<Vec<Weapon>, PackError> {
    let path = "cards/weapons.toml";
    let file: WeaponFile = files.parse(path)?;
    let mut weapons: Vec<Weapon> = Vec::new();
    for printed in file.weapon {
        let id = printed.get("id").and_then(toml::Value::as_str).unwrap_or("?").to_owned();
        let at = format!("{path}: {id}");
        super::check::marks(&printed).map_err(|why| PackError::at(&at, why))?;
        let raw: RawWeapon =
            printed.try_into().map_err(|e: toml::de::Error| PackError::at(&at, e.message()))?;
        if weapons.iter().any(|w| w.id == id) {
            return Err(PackError::at(&at, "there is another weapon with this id"));
        }
        weapons.push(weapon(raw).map_err(|why| PackError::at(&at, why))?);
    }
    Ok(weapons)
}
