//! Movement points, counted in twelfths, so that halves, thirds and quarters of a point are whole numbers.

use std::{
    fmt,
    ops::{Add, AddAssign},
};

use serde::{Deserialize, Serialize};

/// Movement points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Points(u16);

impl Points {
    pub const ZERO: Points = Points(0);
    /// Twelfths in a point.
    pub const PER_POINT: u16 = 12;

    pub const fn whole(points: u16) -> Points {
        Points(points * Self::PER_POINT)
    }

    pub const fn halves(halves: u16) -> Points {
        Points(halves * (Self::PER_POINT / 2))
    }

    pub const fn thirds(thirds: u16) -> Points {
        Points(thirds * (Self::PER_POINT / 3))
    }

    pub const fn quarters(quarters: u16) -> Points {
        Points(quarters * (Self::PER_POINT / 4))
    }

    /// `count` of the parts into which a game divides a point: 2, 3, 4, 6 or 12.
    pub const fn parts(count: u16, per_point: u16) -> Points {
        assert!(
            per_point > 0 && Self::PER_POINT.is_multiple_of(per_point),
            "twelfths do not hold such parts"
        );
        Points(count.saturating_mul(Self::PER_POINT / per_point))
    }

    pub const fn from_twelfths(twelfths: u16) -> Points {
        Points(twelfths)
    }

    pub const fn twelfths(self) -> u16 {
        self.0
    }

    /// As a decimal number, for statistics and lists.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::PER_POINT)
    }

    /// As players write them: `3½`, `⅔`.
    pub fn written(self) -> String {
        const FRACTIONS: [&str; Points::PER_POINT as usize] =
            ["", "1/12", "⅙", "¼", "⅓", "5/12", "½", "7/12", "⅔", "¾", "⅚", "11/12"];
        let (whole, rest) = (self.0 / Self::PER_POINT, self.0 % Self::PER_POINT);
        match (whole, FRACTIONS[usize::from(rest)]) {
            (0, "") => "0".to_owned(),
            (0, fraction) => fraction.to_owned(),
            (whole, fraction) if fraction.contains('/') => format!("{whole} {fraction}"),
            (whole, fraction) => format!("{whole}{fraction}"),
        }
    }

    /// The number of whole points, if there is no fraction.
    pub const fn as_whole(self) -> Option<u16> {
        if self.0.is_multiple_of(Self::PER_POINT) { Some(self.0 / Self::PER_POINT) } else { None }
    }

    #[must_use]
    pub const fn saturating_sub(self, other: Points) -> Points {
        Points(self.0.saturating_sub(other.0))
    }
}

impl Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Points) {
        self.0 += other.0;
    }
}

/// `3`, `1/2`, `2 1/3`: the fraction is in its lowest terms.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / Self::PER_POINT, self.0 % Self::PER_POINT);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        if whole > 0 {
            write!(f, "{whole} ")?;
        }
        let common = (1..=rest).rev().find(|n| rest % n == 0 && Self::PER_POINT % n == 0).unwrap_or(1);
        write!(f, "{}/{}", rest / common, Self::PER_POINT / common)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_a_point_add_up() {
        assert_eq!(Points::halves(2), Points::whole(1));
        assert_eq!(Points::thirds(3), Points::whole(1));
        assert_eq!(Points::quarters(4), Points::whole(1));
        assert_eq!((Points::halves(1) + Points::thirds(1) + Points::quarters(1)).twelfths(), 13);
    }

    #[test]
    fn points_are_written_as_players_write_them() {
        for (points, text) in [
            (Points::ZERO, "0"),
            (Points::whole(3), "3"),
            (Points::parts(14, 4), "3½"),
            (Points::parts(1, 6), "⅙"),
            (Points::thirds(5), "1⅔"),
            (Points::quarters(3), "¾"),
            (Points::from_twelfths(17), "1 5/12"),
        ] {
            assert_eq!(points.written(), text);
        }
        assert_eq!((Points::parts(8, 4).as_whole(), Points::parts(7, 4).as_whole()), (Some(2), None));
    }

    #[test]
    fn points_are_written_in_lowest_terms() {
        for (points, text) in [
            (Points::ZERO, "0"),
            (Points::whole(3), "3"),
            (Points::halves(1), "1/2"),
            (Points::thirds(7), "2 1/3"),
            (Points::quarters(3), "3/4"),
            (Points::from_twelfths(13), "1 1/12"),
        ] {
            assert_eq!(points.to_string(), text);
        }
    }
}
