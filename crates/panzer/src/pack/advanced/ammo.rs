//! Ammunition limits as printed on cards (5.16.2), and the months from which something was issued (5.16.1).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

/// The limits of a weapon: `6, S4, A4`. An absent one is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AmmoLimit {
    /// Basic AP and GP ammunition.
    pub basic: Option<u8>,
    /// A: APCR, HVAP.
    pub apcr: Option<u8>,
    /// H: HEAT.
    pub heat: Option<u8>,
    /// S: smoke.
    pub smoke: Option<u8>,
    /// I: illumination.
    pub illumination: Option<u8>,
}

impl FromStr for AmmoLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<AmmoLimit, String> {
        let mut limit = AmmoLimit::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let bad = || format!("ammo_limit: `{part}`: expected such as 6, A4, H5, S4 or I3 (5.16.2)");
            let digits = part.trim_start_matches(|c: char| c.is_ascii_uppercase());
            let slot = match &part[..part.len() - digits.len()] {
                "" => &mut limit.basic,
                "A" => &mut limit.apcr,
                "H" => &mut limit.heat,
                "S" => &mut limit.smoke,
                "I" => &mut limit.illumination,
                _ => return Err(bad()),
            };
            // 5.16.2: a roll of a ten-sided die above the number puts the limit into effect.
            let number = digits.parse().ok().filter(|n| (1..=10).contains(n)).ok_or_else(bad)?;
            if slot.replace(number).is_some() {
                return Err(format!("ammo_limit: `{text}` gives one ammunition twice"));
            }
        }
        Ok(limit)
    }
}

impl fmt::Display for AmmoLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            ("", self.basic),
            ("A", self.apcr),
            ("H", self.heat),
            ("S", self.smoke),
            ("I", self.illumination),
        ];
        let mut first = true;
        for (letter, number) in parts {
            if let Some(number) = number {
                write!(f, "{}{letter}{number}", if first { "" } else { ", " })?;
                first = false;
            }
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for AmmoLimit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A month: `1942-05`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    pub year: u16,
    pub month: u8,
}

impl Month {
    /// The month of a date such as `1941-06-15`.
    pub fn of_date(date: &str) -> Option<Month> {
        date.get(..7)?.parse().ok()
    }
}

impl FromStr for Month {
    type Err = String;

    fn from_str(text: &str) -> Result<Month, String> {
        let parse = || {
            let (year, month) = text.split_once('-')?;
            let month = month.parse().ok().filter(|m| (1..=12).contains(m))?;
            Some(Month { year: year.parse().ok()?, month })
        };
        parse().ok_or_else(|| format!("`{text}` is no month: expected such as 1942-05"))
    }
}

impl<'de> Deserialize<'de> for Month {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // rule: 5.16.2
    #[test]
    fn limits_are_read_as_cards_print_them() {
        let pak40: AmmoLimit = "6, S4, A4".parse().unwrap();
        assert_eq!((pak40.basic, pak40.smoke, pak40.apcr, pak40.heat), (Some(6), Some(4), Some(4), None));
        assert_eq!("".parse::<AmmoLimit>().unwrap(), AmmoLimit::default());
        assert_eq!(pak40.to_string(), "6, A4, S4");
        for bad in ["X4", "S", "S11", "0", "S4, S5", "S-1"] {
            assert!(bad.parse::<AmmoLimit>().is_err(), "{bad}");
        }
    }

    // rule: 5.16.1
    #[test]
    fn months_compare() {
        let march: Month = "1943-03".parse().unwrap();
        assert!(
            Month::of_date("1943-02-28").unwrap() < march && Month::of_date("1943-03-01").unwrap() >= march
        );
        assert!("1943-13".parse::<Month>().is_err() && "1943".parse::<Month>().is_err());
    }
}
