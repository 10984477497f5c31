//! A vehicle's data card (1.5, 1.6) as the client shows it.

use kernel::{
    Message,
    view::{Card as View, CardRow, CardSection},
};

use crate::{
    pack::{FieldOfFire, Mount, Traction},
    rules::Panzer,
    units::{RANGE_FACTORS, UnitId},
    view::kind_key,
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
    let factor = format!("{}{} {}-{}", m.cross_country, traction_letter(m.traction), m.path, m.road);
    let general = CardSection {
        title: Some(Message::new("card.general")),
        columns: Vec::new(),
        rows: vec![
            row(Message::new("card.movement"), vec![factor], "4.5.1.1.1"),
            row(Message::new("card.size"), vec![signed(card.size)], "4.4.3.2.2"),
            row(
                Message::new("card.armor"),
                vec![format!("{}/{}", card.armor[0], card.armor[1])],
                "4.4.3.2.5",
            ),
            row(Message::new("card.stabilization"), vec![card.stabilization.to_string()], "4.4.3.2.2"),
            row(Message::new("card.points"), vec![card.points.to_string()], ""),
        ],
    };
    let title = Message::new("card.title").text("name", card.name.clone());
    let about = Message::new("card.about")
        .term("kind", format!("symbol.{}", kind_key(card.kind)))
        .number("from", card.years[0])
        .number("to", card.years[1]);
    let weapons = card.mounts.iter().map(weapon);
    View {
        title: Some(title),
        about: Some(about),
        sections: std::iter::once(general).chain(weapons).collect(),
    }
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
    // Machine guns and howitzers are called by words, guns by their designation.
    let title = Message::new("card.weapon");
    let title = match mount.ap {
        Some(_) => title.text("weapon", mount.name.clone()),
        None => title.term("weapon", format!("weapon.{}", mount.weapon)),
    };
    CardSection { title: Some(title.term("field", field)), columns, rows }
}
