//! Unit symbols in NATO style, drawn by our own code: a frame and its contents.

use super::geom::{Rect, p, pair, path_circle, path_lines};
use super::ink::Pen;
use super::silhouette;

/// Type of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symbol {
    #[default]
    Infantry,
    MechInfantry,
    MotorizedInfantry,
    Armor,
    Recon,
    ArmoredRecon,
    Cavalry,
    Artillery,
    SelfPropelledArtillery,
    /// Rocket artillery: Nebelwerfer.
    Rocket,
    Engineer,
    Parachute,
    Glider,
    Mountain,
    Flak,
    AntiTank,
    TankDestroyer,
    AssaultGun,
    MachineGun,
    Fortress,
    Headquarters,
    Supply,
    Helicopter,
    /// A vehicle in profile, by its name (`panther`, `m4_sherman` …).
    Vehicle(String),
    /// A few letters instead of a symbol.
    Text(String),
}

impl Symbol {
    /// The symbol by the name that packs use; `None` for a name that is not known.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "infantry" | "foot_infantry" => Self::Infantry,
            "mech_infantry" | "mechanized_infantry" | "armored_infantry" => Self::MechInfantry,
            "motorized_infantry" | "motor_infantry" => Self::MotorizedInfantry,
            "armor" | "armour" | "armor_nato" | "tank" => Self::Armor,
            "recon" | "armored_recon" => Self::ArmoredRecon,
            "cavalry" => Self::Cavalry,
            "foot_recon" => Self::Recon,
            "artillery" => Self::Artillery,
            "sp_artillery" | "self_propelled_artillery" => Self::SelfPropelledArtillery,
            "nebelwerfer" | "rocket" | "rocket_artillery" => Self::Rocket,
            "engineer" => Self::Engineer,
            "parachute" | "airborne" => Self::Parachute,
            "glider" => Self::Glider,
            "mountain" => Self::Mountain,
            "flak" | "anti_aircraft" => Self::Flak,
            "anti_tank" => Self::AntiTank,
            "tank_destroyer" => Self::TankDestroyer,
            "assault_gun" => Self::AssaultGun,
            "machine_gun" => Self::MachineGun,
            "fortress" => Self::Fortress,
            "hq" | "headquarters" => Self::Headquarters,
            "supply" => Self::Supply,
            "helicopter" => Self::Helicopter,
            _ => return None,
        })
    }
}

/// Draws a symbol in the box. `ink` is the colour of its lines, `fill` of its frame.
pub(crate) fn draw(pen: &mut Pen, symbol: &Symbol, r: Rect, ink: &str, fill: &str) {
    match symbol {
        Symbol::Vehicle(name) => return silhouette::draw(pen, name, r, ink),
        Symbol::Text(_) => {}
        _ => pen.rect(
            p(r.x0, r.y0),
            r.width(),
            r.height(),
            &format!("fill=\"{fill}\" stroke=\"{ink}\" stroke-width=\"2.2\""),
        ),
    }
    let c = r.centre();
    let (w, h) = (r.width(), r.height());
    let (nw, ne, sw, se) = (p(r.x0, r.y0), p(r.x1, r.y0), p(r.x0, r.y1), p(r.x1, r.y1));
    let at = |x: f64, y: f64| p(r.x0 + x * w, r.y0 + y * h);
    let mut line = String::new();
    let mut solid = String::new();
    let cross = |d: &mut String| {
        path_lines(d, &[nw, se], false);
        path_lines(d, &[sw, ne], false);
    };
    let capsule = |d: &mut String, kx: f64, ky: f64| {
        // The track of armour: a flat ring.
        let (rx, ry) = (w * kx, h * ky);
        pair(d, "M", p(c.x - rx + ry, c.y - ry));
        pair(d, "L", p(c.x + rx - ry, c.y - ry));
        for (sx, from) in [(1.0, -1.0), (-1.0, 1.0)] {
            let x = c.x + sx * (rx - ry);
            let k = 0.5523 * ry;
            pair(d, "C", p(x + sx * k, c.y + from * ry));
            pair(d, " ", p(x + sx * ry, c.y + from * k));
            pair(d, " ", p(x + sx * ry, c.y));
            pair(d, "C", p(x + sx * ry, c.y - from * k));
            pair(d, " ", p(x + sx * k, c.y - from * ry));
            pair(d, " ", p(x, c.y - from * ry));
            if sx > 0.0 {
                pair(d, "L", p(c.x - rx + ry, c.y + ry));
            }
        }
        d.push('Z');
    };
    match symbol {
        Symbol::Infantry | Symbol::Fortress | Symbol::Glider | Symbol::Parachute | Symbol::Mountain => {
            cross(&mut line);
        }
        Symbol::MechInfantry => {
            cross(&mut line);
            capsule(&mut line, 0.36, 0.3);
        }
        Symbol::MotorizedInfantry => {
            cross(&mut line);
            path_lines(&mut line, &[at(0.5, 0.0), at(0.5, 1.0)], false);
        }
        Symbol::Armor => capsule(&mut line, 0.36, 0.3),
        Symbol::Recon | Symbol::Cavalry => path_lines(&mut line, &[sw, ne], false),
        Symbol::ArmoredRecon => {
            path_lines(&mut line, &[sw, ne], false);
            capsule(&mut line, 0.36, 0.3);
        }
        Symbol::Artillery => path_circle(&mut solid, c, h * 0.2),
        Symbol::SelfPropelledArtillery => {
            path_circle(&mut solid, c, h * 0.16);
            capsule(&mut line, 0.36, 0.3);
        }
        Symbol::Rocket => {
            path_circle(&mut solid, at(0.5, 0.72), h * 0.15);
            for y in [0.18, 0.36] {
                path_lines(&mut line, &[at(0.36, y + 0.16), at(0.5, y), at(0.64, y + 0.16)], false);
            }
        }
        Symbol::Engineer => {
            path_lines(&mut line, &[at(0.26, 0.72), at(0.26, 0.34), at(0.74, 0.34), at(0.74, 0.72)], false);
            path_lines(&mut line, &[at(0.5, 0.34), at(0.5, 0.72)], false);
        }
        Symbol::AntiTank => path_lines(&mut line, &[sw, at(0.5, 0.0), se], false),
        Symbol::TankDestroyer => {
            path_lines(&mut line, &[sw, at(0.5, 0.0), se], false);
            capsule(&mut line, 0.36, 0.3);
        }
        Symbol::AssaultGun => {
            capsule(&mut line, 0.36, 0.3);
            path_lines(&mut line, &[at(0.5, 0.2), at(0.5, 0.8)], false);
        }
        Symbol::Flak => {
            pair(&mut line, "M", sw);
            pair(&mut line, "C", at(0.0, 0.35));
            pair(&mut line, " ", at(1.0, 0.35));
            pair(&mut line, " ", se);
        }
        Symbol::MachineGun => {
            path_lines(&mut line, &[at(0.5, 0.85), at(0.5, 0.15)], false);
            path_lines(&mut line, &[at(0.4, 0.35), at(0.5, 0.15), at(0.6, 0.35)], false);
            path_lines(&mut line, &[at(0.4, 0.85), at(0.6, 0.85)], false);
        }
        Symbol::Headquarters => path_lines(&mut line, &[at(0.0, 0.28), at(1.0, 0.28)], false),
        Symbol::Supply => path_lines(&mut line, &[at(0.0, 0.74), at(1.0, 0.74)], false),
        Symbol::Helicopter => {
            path_lines(&mut solid, &[at(0.5, 0.5), at(0.2, 0.28), at(0.2, 0.72)], true);
            path_lines(&mut solid, &[at(0.5, 0.5), at(0.8, 0.28), at(0.8, 0.72)], true);
        }
        Symbol::Vehicle(_) | Symbol::Text(_) => {}
    }
    match symbol {
        // The gull's wings of the parachute.
        Symbol::Parachute => {
            for k in [0.5, 0.28] {
                let from = if k > 0.4 { 0.5 } else { 0.28 };
                pair(&mut line, "M", at(from, 0.98));
                pair(&mut line, "C", at(from + 0.02, 0.74));
                pair(&mut line, " ", at(from + 0.2, 0.74));
                pair(&mut line, " ", at(from + 0.22, 0.98));
            }
        }
        Symbol::Glider => path_lines(&mut line, &[at(0.3, 0.86), at(0.5, 0.72), at(0.7, 0.86)], false),
        Symbol::Mountain => path_lines(&mut solid, &[at(0.36, 1.0), at(0.5, 0.62), at(0.64, 1.0)], true),
        Symbol::Fortress => path_lines(
            &mut line,
            &[
                at(0.38, 0.0),
                at(0.38, 0.14),
                at(0.5, 0.14),
                at(0.5, 0.0),
                at(0.5, 0.14),
                at(0.62, 0.14),
                at(0.62, 0.0),
            ],
            false,
        ),
        Symbol::Headquarters => path_lines(&mut line, &[sw, at(0.0, 1.4)], false),
        _ => {}
    }
    pen.path(
        &line,
        &format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"2.1\" stroke-linejoin=\"round\""),
    );
    pen.path(&solid, &format!("fill=\"{ink}\""));
}
