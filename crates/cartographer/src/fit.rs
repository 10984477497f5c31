//! From latitude and longitude to hexes, and from hexes to their printed numbers.

use crate::{
    grid::{self, Hex, Point},
    source,
};

/// Converts positions to continuous hex coordinates: a similarity transform plus a rubber-sheet correction.
#[derive(Debug)]
pub struct Projection {
    lat0: f64,
    lon0: f64,
    km_per_deg: (f64, f64),
    origin: (f64, f64),
    /// Inverse of the matrix from (u, v) to kilometres.
    inverse: [[f64; 2]; 2],
    two_sigma_squared: f64,
    rubber: Vec<([f64; 2], [f64; 2])>,
}

/// The transform of a map and its sheets' extents.
#[derive(Debug)]
pub struct Fit {
    projection: Projection,
    east: (std::ops::RangeInclusive<i32>, std::ops::RangeInclusive<i32>),
    west: (std::ops::RangeInclusive<i32>, std::ops::RangeInclusive<i32>),
    west_shift: (i32, i32),
    west_1e_shift: (i32, i32),
}

impl Projection {
    pub fn new(t: &source::Transform, sheet: &source::RubberSheet) -> Self {
        let (a, b, c, d) = (t.x_from_uv[1], t.x_from_uv[2], t.y_from_uv[1], t.y_from_uv[2]);
        let det = a * d - b * c;
        Self {
            lat0: t.lat0,
            lon0: t.lon0,
            km_per_deg: (t.km_per_deg_lon, t.km_per_deg_lat),
            origin: (t.x_from_uv[0], t.y_from_uv[0]),
            inverse: [[d / det, -b / det], [-c / det, a / det]],
            two_sigma_squared: 2.0 * sheet.sigma_km * sheet.sigma_km,
            rubber: sheet.points_xy.iter().copied().zip(sheet.coeff_uv.iter().copied()).collect(),
        }
    }

    /// Continuous hex coordinates of a position.
    pub fn uv(&self, lat: f64, lon: f64) -> (f64, f64) {
        let x = (lon - self.lon0) * self.km_per_deg.0;
        let y = (lat - self.lat0) * self.km_per_deg.1;
        let (dx, dy) = (x - self.origin.0, y - self.origin.1);
        let mut u = self.inverse[0][0] * dx + self.inverse[0][1] * dy;
        let mut v = self.inverse[1][0] * dx + self.inverse[1][1] * dy;
        for (p, shift) in &self.rubber {
            let (px, py) = (p[0] - x, p[1] - y);
            let k = (-(px * px + py * py) / self.two_sigma_squared).exp();
            u += k * shift[0];
            v += k * shift[1];
        }
        (u, v)
    }
}

impl Fit {
    pub fn new(f: &source::Fit) -> Self {
        let e = &f.extent;
        Self {
            projection: Projection::new(&f.transform, &f.rubber_sheet),
            east: (e.east.col_min..=e.east.col_max, e.east.row_min..=e.east.row_max),
            west: (
                e.west.visible_col_min.unwrap_or(e.west.col_min)..=e.west.col_max,
                e.west.row_min..=e.west.row_max,
            ),
            west_shift: (e.west.col_shift, e.west.row_shift),
            west_1e_shift: (e.west_1e.col_shift, e.west_1e.row_shift),
        }
    }

    pub fn plane(&self, lat: f64, lon: f64) -> Point {
        grid::plane(self.projection.uv(lat, lon))
    }

    pub fn hex(&self, lat: f64, lon: f64) -> Hex {
        grid::nearest_hex(self.projection.uv(lat, lon))
    }

    pub fn on_east(&self, h: Hex) -> bool {
        self.east.0.contains(&h.0) && self.east.1.contains(&h.1)
    }

    pub fn on_west(&self, h: Hex) -> bool {
        self.west.0.contains(&(h.0 - self.west_shift.0)) && self.west.1.contains(&(h.1 - self.west_shift.1))
    }

    pub fn on_map(&self, h: Hex) -> bool {
        self.on_east(h) || self.on_west(h)
    }

    /// The printed number; empty for a hex beyond the map.
    pub fn label(&self, h: Hex) -> String {
        if self.on_east(h) {
            format!("E{:02}{:02}", h.0, h.1)
        } else if self.on_west(h) {
            format!("W{:02}{:02}", h.0 - self.west_shift.0, h.1 - self.west_shift.1)
        } else {
            String::new()
        }
    }

    pub fn edge_label(&self, e: grid::Edge) -> String {
        format!("{}/{}", self.label(e.0), self.label(e.1))
    }

    /// The number on the first edition's West map; `None` beyond it and on the East map, which is the same in both.
    pub fn label_1e(&self, h: Hex) -> Option<String> {
        let (c, r) = (h.0 - self.west_1e_shift.0, h.1 - self.west_1e_shift.1);
        (self.on_west(h) && !self.on_east(h) && c >= 1 && r >= 1).then(|| format!("W{c:02}{r:02}"))
    }

    /// Reads a printed number, also one covered by the other sheet.
    pub fn parse(&self, label: &str) -> Option<Hex> {
        let (c, r) = digits(label)?;
        match label.as_bytes().first()? {
            b'E' => Some((c, r)),
            b'W' => Some((c + self.west_shift.0, r + self.west_shift.1)),
            _ => None,
        }
    }

    /// Reads a number of the first edition's maps.
    pub fn parse_1e(&self, label: &str) -> Option<Hex> {
        let (c, r) = digits(label)?;
        match label.as_bytes().first()? {
            b'E' => Some((c, r)),
            b'W' => Some((c + self.west_1e_shift.0, r + self.west_1e_shift.1)),
            _ => None,
        }
    }

    /// Every hex of the map: the East sheet column by column, then what the West sheet adds.
    pub fn all_hexes(&self) -> Vec<Hex> {
        let east = self.east.0.clone().flat_map(|c| self.east.1.clone().map(move |r| (c, r)));
        let west = self
            .west
            .0
            .clone()
            .flat_map(|c| self.west.1.clone().map(move |r| (c + self.west_shift.0, r + self.west_shift.1)))
            .filter(|h| !self.on_east(*h));
        east.chain(west).collect()
    }

    /// The easternmost column, where the German rear is.
    pub fn first_column(&self) -> i32 {
        *self.east.0.start()
    }

    pub fn rows(&self) -> std::ops::RangeInclusive<i32> {
        self.east.1.clone()
    }
}

fn digits(label: &str) -> Option<(i32, i32)> {
    let number = label.get(1..)?;
    (number.len() == 4 && number.bytes().all(|b| b.is_ascii_digit()))
        .then(|| (number[..2].parse().ok(), number[2..].parse().ok()))
        .and_then(|(c, r)| Some((c?, r?)))
}
