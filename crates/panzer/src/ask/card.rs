//! A vehicle's data card (1.5, 1.6) as the client shows it.

use kernel::{
    Message,
    view::{Card as View, CardRow, CardSection},
};

use serde_json::{Value, json};

use crate::{
    pack::{Card, FieldOfFire, Mount, Traction, advanced::Room},
    piece::{Arm, Defense, Piece},
    report::weapon_words,
    rules::Panzer,
    units::{RANGE_FACTORS, UnitId},
    view::{kind_key, name_words},
};

fn row(label: Message, values: Vec<String>, rule: &str) -> CardRow {
    CardRow { label, values, rule: rule.into(), current: false }
}

pub const fn traction_letter(traction: Traction) -> char {
    match traction {
        Traction::Tracked => 'T',
        Traction::HalfTracked => 'H',
        Traction::Wheeled => 'W',
        Traction::Motorcycle => 'M',
        Traction::Leg => 'L',
        Traction::Gun => 'G',
    }
}

fn signed(number: i8) -> String {
    if number > 0 { format!("+{number}") } else { number.to_string().replace('-', "−") }
}

/// The card as tables: general, weapons, notes.
pub fn view(rules: &Panzer, unit: UnitId) -> View {
    let card = rules.card(unit);
    let m = card.movement;
    let letter = traction_letter(m.traction);
    let factor = if m.traction.on_foot() {
        format!("{}{letter} {}", m.cross_country, m.road) // 6.6.4.1: with Quickmarch
    } else {
        format!("{}{letter} {}-{}", m.cross_country, m.path, m.road)
    };
    // Size, armor and stabilization are those of vehicles.
    let vehicle = rules.piece(unit).is_none_or(Piece::vehicle);
    let mut rows = vec![row(Message::new("card.movement"), vec![factor], "4.5.1.1.1")];
    if vehicle {
        let armor = format!("{}/{}", card.armor[0], card.armor[1]);
        rows.push(row(Message::new("card.size"), vec![signed(card.size)], "4.4.3.2.2"));
        rows.push(row(Message::new("card.armor"), vec![armor], "4.4.3.2.5"));
        let stabilization = card.stabilization.to_string();
        rows.push(row(Message::new("card.stabilization"), vec![stabilization], "4.4.3.2.2"));
    }
    rows.push(row(Message::new("card.points"), vec![card.points.to_string()], ""));
    let general = CardSection { title: Some(Message::new("card.general")), columns: Vec::new(), rows };
    let title = Message::new("card.title").with("name", name_words(rules, unit));
    let about = Message::new("card.about")
        .term("kind", format!("symbol.{}", kind_key(card.kind)))
        .number("from", card.years[0])
        .number("to", card.years[1]);
    if let Some(piece) = rules.piece(unit) {
        let mut sections = vec![general, advanced(piece)];
        sections.extend(piece.arms.iter().map(|of| arm(rules, of)));
        return View { title: Some(title), about: Some(about), sections };
    }
    let weapons = card.mounts.iter().map(weapon);
    View {
        title: Some(title),
        about: Some(about),
        sections: std::iter::once(general).chain(weapons).collect(),
    }
}

/// A card that no unit need have: in the Advanced Game also its defense, room, weapons and armor.
pub fn of_pack(rules: &Panzer, card: &Card) -> Value {
    let mut answer = crate::view::card(card);
    answer["kind"] = json!(kind_key(card.kind));
    let Some(piece) = rules.advanced.as_deref().and_then(|game| Piece::of_card(&game.pack, &card.id)) else {
        return answer;
    };
    let room = |room: Room| json!({ "towed": room.towed, "leg": room.leg });
    answer["gpd"] = match piece.gpd {
        Defense::Vehicle(gpd) => json!(gpd.value),
        Defense::Foot(gpd) => json!(gpd.by_cover),
    };
    answer["target_type"] = json!(format!("{:?}", piece.target_type()));
    answer["transport"] = room(piece.transport);
    answer["passenger"] = room(piece.passenger);
    answer["weapons"] = piece.arms.iter().map(|arm| json!(arm.weapon.name)).collect();
    answer["rates"] = piece.arms.iter().map(|arm| json!(arm.rate.key())).collect();
    answer["limits"] = piece.arms.iter().map(|arm| json!(arm.ammo.to_string())).collect();
    for (key, yes) in [
        ("covered_transport", piece.covered_transport),
        ("close_assault_c", piece.close_assault_c),
        ("overhead_cover", piece.overhead_cover),
        ("coax_mg", piece.coax_mg),
        ("brew_up_mark", piece.brew_up_mark),
        ("without_radio", piece.without_radio),
    ] {
        answer[key] = json!(yes);
    }
    answer["deck"] = json!(piece.armor.map(|armor| armor.deck));
    answer
}

/// What only the Advanced Game's card says about the unit itself.
fn advanced(piece: &Piece) -> CardSection {
    let mut rows = vec![row(
        Message::new("card.grade").term("grade", format!("grade.{}", piece.grade.key())),
        Vec::new(),
        "5.8",
    )];
    match piece.gpd {
        Defense::Vehicle(gpd) => {
            let value = format!("{}{:?}", gpd.value, gpd.target);
            rows.push(row(Message::new("card.gpd"), vec![value], "6.5.4.2.1"));
        }
        Defense::Foot(gpd) => {
            let cells = gpd.by_cover.iter().map(|n| format!("{n}S")).collect();
            rows.push(row(Message::new("card.gpd_cover"), cells, "6.5.4.2.2"));
        }
    }
    if piece.vehicle() {
        let room = format!("{}-{}", piece.transport.towed, piece.transport.leg);
        rows.push(row(Message::new("card.transport"), vec![room], "6.6.7.1"));
    } else {
        let room = format!("{}-{}", piece.passenger.towed, piece.passenger.leg);
        rows.push(row(Message::new("card.passenger"), vec![room], "6.6.7.1"));
    }
    if let Some(armor) = &piece.armor {
        for (key, values) in
            [("card.armor_front", armor.front_rear[1].to_vec()), ("card.armor_side", armor.sides[1].to_vec())]
        {
            rows.push(row(Message::new(key), values.iter().map(ToString::to_string).collect(), "6.5.2.3"));
        }
    }
    CardSection { title: Some(Message::new("card.advanced")), columns: Vec::new(), rows }
}

/// A weapon with all its rows.
fn arm(rules: &Panzer, arm: &Arm) -> CardSection {
    let weapon = &arm.weapon;
    let five = |values: [u8; 5]| values.map(|n| n.to_string()).to_vec();
    let columns = RANGE_FACTORS.map(|letter| Message::new("card.factor").text("factor", letter)).to_vec();
    let mut rows = Vec::new();
    for (key, ammo) in [("card.ap", &weapon.ap), ("card.apcr", &weapon.apcr), ("card.heat", &weapon.heat)] {
        if let Some(ammo) = ammo {
            rows.push(row(Message::new("card.range"), five(ammo.row.range), "6.5.2"));
            rows.push(row(Message::new(key), five(ammo.row.penetration), "6.5.2.3"));
        }
    }
    for (key, gp) in [("card.gp", &weapon.gp), ("card.gp_indirect", &weapon.gp_indirect)] {
        if let Some(gp) = gp {
            rows.push(row(Message::new("card.range"), five(gp.range), "6.5.4.1"));
            rows.push(row(Message::new(key), five(gp.factor), "6.5.4.1"));
        }
    }
    rows.push(row(Message::new("card.rate"), vec![arm.rate.key().to_owned()], "6.5.2.1"));
    let field = match arm.arc {
        FieldOfFire::Rear => "card.rear",
        FieldOfFire::Front => "card.front",
        FieldOfFire::All => "card.all_round",
    };
    let title = Message::new("card.weapon").with("weapon", weapon_words(rules, weapon)).term("field", field);
    CardSection { title: Some(title), columns, rows }
}

fn weapon(mount: &Mount) -> CardSection {
    let field = match (mount.turret_turn, mount.field_of_fire) {
        (_, FieldOfFire::Rear) => "card.rear",
        (0, _) | (_, FieldOfFire::Front) => "card.front",
        _ => "card.all_round",
    };
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    if let Some(ap) = &mount.ap {
        let five = |values: [u8; 5]| values.map(|n| n.to_string()).to_vec();
        columns.extend(RANGE_FACTORS.map(|letter| Message::new("card.factor").text("factor", letter)));
        rows.push(row(Message::new("card.range"), five(ap.range), "4.4.3.2.1"));
        rows.push(row(Message::new("card.penetration"), five(ap.penetration), "4.4.3.2.5"));
    }
    // Machine guns and howitzers have names, guns have designations.
    let title = Message::new("card.weapon");
    let title = match mount.ap {
        Some(_) => title.text("weapon", mount.name.clone()),
        None => title.term("weapon", format!("weapon.{}", mount.weapon)),
    };
    CardSection { title: Some(title.term("field", field)), columns, rows }
}
