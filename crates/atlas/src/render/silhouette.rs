//! Side views of tanks and guns, built from a few dimensions of each vehicle.

use super::geom::{P, Rect, p, path_circle, path_lines};
use super::ink::Pen;

/// Dimensions in parts of the length of the hull; heights upwards from the top of the track.
struct Profile {
    /// Height of the hull above the track.
    deck: f64,
    /// How far the nose slopes back at the top.
    nose: f64,
    /// Front and rear of the superstructure or turret at its foot, and its height; `lean` is how far its front slopes
    /// back.
    house: (f64, f64, f64),
    lean: f64,
    turret: bool,
    /// How far the gun reaches beyond the nose.
    gun: f64,
    wheels: usize,
    skirts: bool,
}

const fn tank(deck: f64, nose: f64, house: (f64, f64, f64), gun: f64, wheels: usize) -> Profile {
    Profile { deck, nose, house, lean: 0.06, turret: true, gun, wheels, skirts: false }
}

const fn casemate(
    deck: f64,
    nose: f64,
    house: (f64, f64, f64),
    lean: f64,
    gun: f64,
    wheels: usize,
) -> Profile {
    Profile { deck, nose, house, lean, turret: false, gun, wheels, skirts: false }
}

fn profile(name: &str) -> Profile {
    match name {
        "panther" => tank(0.17, 0.2, (0.66, 0.3, 0.16), 0.3, 8),
        "tiger" => tank(0.15, 0.05, (0.68, 0.3, 0.17), 0.24, 8),
        "king_tiger" => tank(0.17, 0.2, (0.72, 0.24, 0.17), 0.34, 9),
        "panzer_iv" | "panzer_iii" => {
            Profile { skirts: true, ..tank(0.15, 0.08, (0.66, 0.32, 0.16), 0.16, 8) }
        }
        "m4_sherman" | "sherman" => tank(0.2, 0.14, (0.7, 0.36, 0.17), 0.1, 6),
        "sherman_firefly" => tank(0.2, 0.14, (0.7, 0.3, 0.17), 0.34, 6),
        "churchill" => tank(0.12, 0.03, (0.72, 0.46, 0.17), 0.02, 10),
        "m5_stuart" => tank(0.19, 0.14, (0.68, 0.4, 0.17), 0.02, 4),
        "m10" => tank(0.19, 0.2, (0.68, 0.34, 0.15), 0.24, 6),
        "m18" => tank(0.15, 0.16, (0.6, 0.3, 0.14), 0.2, 5),
        "m36" => tank(0.19, 0.2, (0.7, 0.3, 0.16), 0.36, 6),
        "stug_iii" => Profile { skirts: true, ..casemate(0.13, 0.1, (0.72, 0.3, 0.12), 0.06, 0.12, 6) },
        "jagdpanzer_iv" => Profile { skirts: true, ..casemate(0.12, 0.12, (0.84, 0.26, 0.15), 0.2, 0.22, 8) },
        "hetzer" => casemate(0.1, 0.1, (0.9, 0.2, 0.2), 0.34, 0.12, 4),
        "jagdpanther" => casemate(0.14, 0.12, (0.86, 0.26, 0.22), 0.3, 0.32, 8),
        "jagdtiger" => casemate(0.16, 0.2, (0.7, 0.26, 0.24), 0.06, 0.3, 9),
        "sturmtiger" => casemate(0.14, 0.06, (0.86, 0.3, 0.26), 0.14, 0.03, 8),
        "brummbaer" => Profile { skirts: true, ..casemate(0.13, 0.08, (0.84, 0.3, 0.24), 0.14, 0.04, 8) },
        _ => tank(0.17, 0.12, (0.68, 0.34, 0.16), 0.18, 6),
    }
}

/// Draws the vehicle in the box, its gun to the left.
pub(crate) fn draw(pen: &mut Pen, name: &str, r: Rect, ink: &str) {
    let v = profile(name);
    let track = 0.2;
    let tall = track + v.deck + v.house.2;
    let l = (r.width() / (1.0 + v.gun.max(0.0))).min(r.height() / tall);
    // The vehicle including its gun is centred in the box.
    let left = r.centre().x - l * (1.0 + v.gun) / 2.0 + l * v.gun;
    let foot = r.centre().y + l * tall / 2.0;
    // `x` runs from the nose (0) to the tail (1), `y` up from the ground.
    let at = |x: f64, y: f64| -> P { p(left + x * l, foot - y * l) };
    let mut body = String::new();
    let top = track + v.deck;
    path_lines(
        &mut body,
        &[at(0.02, track * 0.7), at(v.nose, top), at(0.97, top), at(1.0, track), at(0.96, track * 0.6)],
        true,
    );
    let (a, b, h) = v.house;
    // Dimensions are measured from the tail; the nose points left.
    let (front, rear) = (1.0 - a, 1.0 - b);
    path_lines(
        &mut body,
        &[at(front, top), at(front + v.lean, top + h), at(rear - 0.04, top + h), at(rear, top)],
        true,
    );
    if v.turret {
        path_lines(
            &mut body,
            &[
                at(rear - 0.12, top + h),
                at(rear - 0.11, top + h + 0.04),
                at(rear - 0.05, top + h + 0.04),
                at(rear - 0.04, top + h),
            ],
            true,
        );
    }
    let bore = top + h * 0.55;
    let muzzle = -v.gun;
    path_lines(
        &mut body,
        &[
            at(front + 0.05, bore - 0.02),
            at(front + 0.05, bore + 0.03),
            at(muzzle, bore + 0.022),
            at(muzzle, bore - 0.012),
        ],
        true,
    );
    if v.gun > 0.2 {
        path_lines(
            &mut body,
            &[
                at(muzzle, bore - 0.03),
                at(muzzle, bore + 0.04),
                at(muzzle + 0.05, bore + 0.04),
                at(muzzle + 0.05, bore - 0.03),
            ],
            true,
        );
    }
    // The running gear: a band with the wheels cut out.
    let mut gear = String::new();
    path_lines(
        &mut gear,
        &[
            at(0.0, track * 0.62),
            at(0.06, track),
            at(0.95, track),
            at(1.0, track * 0.6),
            at(0.88, 0.0),
            at(0.12, 0.0),
        ],
        true,
    );
    let mut wheels = String::new();
    let radius = (0.74 / v.wheels as f64 * 0.46 * l).min(track * 0.36 * l);
    for i in 0..v.wheels {
        let x = 0.13 + 0.74 * (i as f64 + 0.5) / v.wheels as f64;
        path_circle(&mut wheels, at(x, track * 0.42), radius);
    }
    pen.path(&gear, &format!("fill=\"{ink}\" fill-opacity=\"0.8\""));
    pen.path(&wheels, "fill=\"#ffffff\" fill-opacity=\"0.35\"");
    pen.path(
        &body,
        &format!("fill=\"{ink}\" stroke=\"{ink}\" stroke-width=\"0.6\" stroke-linejoin=\"round\""),
    );
    if v.skirts {
        let mut skirt = String::new();
        path_lines(
            &mut skirt,
            &[at(0.1, track * 0.72), at(0.1, top - 0.02), at(0.93, top - 0.02), at(0.93, track * 0.72)],
            true,
        );
        pen.path(&skirt, &format!("fill=\"{ink}\""));
    }
}
