//! What a retreat would spare (18.4), and what jamming may do (39.2).

use kernel::{Brief, BriefAnswer, Message, Rules, Seat, view::Chance};

use crate::{
    action::{Action, Subject},
    fire::FireKind,
    rules::Wurzburg,
    state::State,
    units::UnitId,
};

/// 18.3.3, 18.4: the hits to absorb, and the steps that each answer costs.
pub fn stand(rules: &Wurzburg, s: &State) -> Brief {
    let mut brief = Brief::default();
    let (strength, units) = rules.strongest(s);
    brief.fact(Message::new("sheet.hits_to_absorb"), s.combat.hits.to_string(), "18.3");
    if let Some(unit) = units.first() {
        let defense = Message::new("sheet.defense").unit("unit", rules.id(*unit));
        brief.fact(defense, strength.to_string(), "18.3.1");
    }
    let all: u32 = s.combat.targets.iter().map(|unit| u32::from(s.unit(unit).steps)).sum();
    brief.columns.push(Message::new("sheet.steps_lost"));
    brief.answers.extend([(Action::Stand, None), (Action::Elect, units.first().copied())].map(
        |(action, cover)| BriefAnswer {
            action: rules.notate(s, &action),
            values: vec![format!("{} / {all}", steps_lost(rules, s, cover))],
            ..BriefAnswer::default()
        },
    ));
    brief
}

/// The steps that the hits cost; `cover` is the unit that covers a retreat. Which of equal units loses them does not change their
/// number.
fn steps_lost(rules: &Wurzburg, s: &State, cover: Option<UnitId>) -> u16 {
    let mut trial = s.clone();
    if let Some(unit) = cover {
        let strength = rules.defense(s, unit, FireKind::Offensive);
        trial.combat.hits = trial.combat.hits.saturating_sub(strength);
        trial.combat.cover = Some(unit);
    }
    crate::fire::losses(rules, &mut trial)
}

/// 39.2: every modifier, and the chance of each result.
pub fn jamming(rules: &Wurzburg, s: &State, seat: Seat) -> Brief {
    let mut brief = Brief::default();
    let list = rules.jamming_modifiers(s);
    for (word, value) in &list {
        brief.fact(Message::new(format!("modifier.{word}")), format!("{value:+}"), "39.2");
    }
    let modifier: i8 = list.iter().map(|(_, value)| *value).sum();
    let table = &rules.tables.jamming;
    let mut chances: Vec<Chance> = Vec::new();
    for roll in 1..=10_u8 {
        let row = &table.rows[table.row(roll as i8 + modifier)];
        let (key, tone) = match (table.asset_lost.contains(roll), row.reaction) {
            (true, _) => ("sheet.jam_lost", -1.0),
            (false, false) => ("sheet.jam_all", 1.0),
            (false, true) if row.artillery == 0 => ("sheet.jam_calls", 0.7),
            (false, true) if row.artillery < 2 => ("sheet.jam_limited", 0.35),
            _ => ("sheet.jam_nothing", -0.4),
        };
        match chances.iter_mut().find(|chance| chance.label.key == key) {
            Some(chance) => chance.p += 0.1,
            None => chances.push(Chance { label: Message::new(key), p: 0.1, tone }),
        }
    }
    chances.sort_by(|a, b| a.tone.total_cmp(&b.tone));
    let (mut subjects, mut options) = (Vec::new(), Vec::new());
    rules.subjects(s, seat, &mut subjects);
    for subject in subjects.into_iter().filter(|subject| *subject != Subject::Phase) {
        rules.options(s, seat, subject, &mut options);
    }
    let answers = options.iter().map(|action| BriefAnswer {
        action: rules.notate(s, action),
        chances: chances.clone(),
        ..BriefAnswer::default()
    });
    brief.answers.extend(answers);
    brief
}
