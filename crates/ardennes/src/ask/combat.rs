//! Questions about combat: odds with every factor and shift, exact chances, retreats, advances.

use kernel::{Ask, Viewer};
use serde_json::{Map, Value, json};

use super::words::Words;
use crate::{
    action::Attack,
    combat::{
        advance, retreat,
        strength::{self, Sheet},
    },
    event::Elimination,
    explain,
    flags::Flags,
    frame::Frame,
    odds::{self, Policy},
    pack::UnitId,
    play::seat,
    rules::Ardennes,
    state::State,
};

/// `odds A+B -> 1313 [artillery G H] [air]`
pub fn odds(rules: &Ardennes, s: &State, attack: &Attack) -> Value {
    let sheet = strength::sheet(rules, s, attack);
    let mut answer = figures(rules, s, &sheet);
    let legal = odds::legal(rules, s, attack);
    if let Some(object) = answer.as_object_mut() {
        object.insert("legal".into(), json!(legal.is_ok()));
        if let Err(refusal) = legal {
            object.insert("rule".into(), json!(refusal.rule));
            object.insert("why".into(), json!(refusal.why));
        }
        object.insert("sheet".into(), json!(explain::sheet(rules, s, &sheet, None)));
    }
    answer
}

/// `sheet ACTION`: the sheet of an attack, or of the support that the attacker is asked to declare (14.4).
pub fn sheet(
    rules: &Ardennes,
    s: &State,
    viewer: Viewer,
    words: &mut Words,
    question: &str,
) -> Result<Value, Ask> {
    let verb = words.next()?;
    if verb == "attack" {
        let attack = words.written_attack()?;
        return sheet_of(rules, s, &attack);
    }
    if s.top() != Frame::AttackSupport || !matches!(verb, "support" | "no") {
        return Err(Ask::Unknown(question.to_owned()));
    }
    if !viewer.knows(seat(s.combat.attacker)) {
        return Err(Ask::Secret);
    }
    words.take("support");
    let attack = Attack { artillery: words.guns(&["air"])?, air: words.take("air"), ..s.combat.attack() };
    sheet_of(rules, s, &attack)
}

fn sheet_of(rules: &Ardennes, s: &State, attack: &Attack) -> Result<Value, Ask> {
    let found = odds::outcomes(rules, s, attack, Policy::default()).map_err(Ask::Bad)?;
    let sheet = strength::sheet(rules, s, attack);
    Ok(json!({ "sheet": explain::sheet(rules, s, &sheet, Some(&found)) }))
}

fn figures(rules: &Ardennes, s: &State, sheet: &Sheet) -> Value {
    let tables = rules.tables();
    let written = |(attack, defense): (u16, u16)| format!("{attack}-{defense}");
    let attackers: Vec<Value> = sheet
        .attackers
        .iter()
        .map(|line| {
            json!({
                "unit": rules.unit_id(line.unit),
                "printed": line.printed,
                "attack": line.counted,
                "counted": line.counted,
                "halved": line.halved.is_some(),
                "rule": line.halved.map(strength::Halving::rule),
                "cause": line.halved.map(strength::Halving::key),
                "doubled": line.doubled,
                "armor_shift": line.armor,
            })
        })
        .collect();
    let defenders: Vec<Value> = sheet
        .defenders
        .iter()
        .map(|line| {
            json!({
                "unit": line.unit.map(|unit| rules.unit_id(unit)),
                "printed": line.printed,
                "defense": line.counted,
                "counted": line.counted,
                "no_dcb": line.no_bonus.map(strength::NoBonus::key),
                "rule": line.no_bonus.map(strength::NoBonus::rule),
                "armor_shift": line.armor,
            })
        })
        .collect();
    let shifts: Vec<Value> = sheet
        .shifts
        .iter()
        .map(|shift| {
            json!({ "rule": shift.cause.rule(), "columns": shift.columns, "cause": shift.cause.key() })
        })
        .collect();
    let column = tables.crt.columns[sheet.column(tables, 0)];
    let halved: Vec<String> = sheet
        .attackers
        .iter()
        .filter(|line| line.halved.is_some())
        .map(|line| rules.unit_id(line.unit))
        .collect();
    json!({
        "attack": sheet.attack,
        "attack_sum": sheet.attack_sum,
        "defense": sheet.defense,
        "defense_sum": sheet.defense_sum,
        "dcb": sheet.bonus.counted,
        "dcb_printed": sheet.bonus.printed,
        "dcb_from": explain::bonus_key(sheet),
        "dcb_cap": sheet.bonus.cap.map(strength::Cap::key),
        "odds": written(strength::odds(sheet.rung())),
        "shifts": shifts,
        "shift": sheet.shift(),
        "shifted": written(strength::odds(sheet.rung() + i16::from(sheet.shift()))),
        "column": format!("{}-{}", column.attack, column.defense),
        "attackers": attackers,
        "defenders": defenders,
        "halved": halved,
        "target": rules.label(sheet.target),
        "turn": s.turn,
    })
}

/// `outcomes A+B -> 1313 …`: each final result with its exact chance.
pub fn outcomes(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let attack = words.attack()?;
    let mut policy = Policy::default();
    loop {
        if words.take("engage") {
            policy.press = false;
        } else if words.take("press") {
            policy.press = true;
        } else if words.take("stand") {
            policy.stand = true;
        } else if words.take("give") {
            words.take("way");
            policy.stand = false;
        } else if words.take("no") {
            words.take("support");
            policy.support = false;
        } else if words.take("support") {
            policy.support = true;
        } else if words.take("blow") {
            policy.blow = true;
        } else if words.take("hold") {
            words.take("fire");
            policy.blow = false;
        } else {
            break;
        }
    }
    let found = odds::outcomes(rules, s, &attack, policy).map_err(Ask::Bad)?;
    let sheet = strength::sheet(rules, s, &attack);
    let mut answer = Map::new();
    for (code, p) in &found.by_result {
        answer.insert((*code).clone(), json!(p));
    }
    let table = |list: &[(String, f64)]| -> Map<String, Value> {
        list.iter().map(|(name, p)| (name.clone(), json!(p))).collect()
    };
    answer.insert("results".into(), json!(table(&found.by_label)));
    answer.insert(
        "outcomes".into(),
        found.by_label.iter().map(|(name, p)| json!({ "result": name, "p": p })).collect(),
    );
    answer.insert("crt".into(), json!(table(&found.crt)));
    for (name, p) in [
        ("attacker_loses", found.attacker_loses),
        ("defender_loses", found.defender_loses),
        ("defender_retreats", found.retreats),
        ("defender_eliminated", found.eliminated),
        ("engaged", found.engaged),
        ("expected_attacker_steps", found.attacker_steps),
        ("expected_defender_steps", found.defender_steps),
    ] {
        answer.insert(name.into(), json!(p));
    }
    answer.insert("policy".into(), json!(policy.words()));
    answer.insert("total".into(), json!(found.by_label.iter().map(|(_, p)| p).sum::<f64>()));
    answer.insert("sheet".into(), json!(explain::sheet(rules, s, &sheet, Some(&found))));
    Ok(Value::Object(answer))
}

/// `retreats A 2`
pub fn retreats(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    let hexes = if words.peek().is_some() { words.number()? } else { s.combat.retreat.max(2) };
    let doomed = retreat::doomed(rules, s, unit, hexes);
    let mut routes = Vec::new();
    if doomed.is_none() {
        retreat::routes(rules, s, unit, hexes, &mut |route| routes.push(*route));
    }
    let start = s.unit(unit).hex();
    let mut ends: Vec<String> = Vec::new();
    let list: Vec<Value> = routes
        .iter()
        .map(|route| {
            let mut path = Vec::new();
            let mut at = start;
            for direction in route.path.iter() {
                at = at.and_then(|hex| rules.land.neighbour(hex, direction));
                path.extend(at.map(|hex| rules.label(hex).to_owned()));
            }
            let out = route.out.map(|id| rules.pack.boxes[id.index()].id.clone());
            let end = out.clone().unwrap_or_else(|| rules.label(route.end).to_owned());
            if !ends.contains(&end) {
                ends.push(end.clone());
            }
            json!({ "path": path, "end": end, "out": out })
        })
        .collect();
    let broken = s.unit(unit).is(Flags::BROKEN);
    let why = doomed.map(|why| match why {
        // 18.2: too far for a unit that is already Disrupted.
        Elimination::Broken if !broken => ("disrupted", "18.2"),
        why => explain::elimination(why),
    });
    let eliminated = list.is_empty();
    Ok(json!({
        "eliminated": eliminated,
        "rule": why.map(|(_, rule)| rule).or(eliminated.then_some("17.2")),
        "cause": why.map(|(key, _)| key).or(eliminated.then_some("no_retreat")),
        "retreats": list,
        "routes": list,
        "ends": ends,
    }))
}

/// `advances A`: where it may advance to now.
pub fn advances(rules: &Ardennes, s: &State, unit: UnitId) -> Value {
    if s.top() != Frame::Advance {
        return json!([]);
    }
    let mut ends: Vec<&str> = Vec::new();
    advance::destinations(rules, s, unit, &mut |_, end| {
        let label = rules.label(end);
        if !ends.contains(&label) {
            ends.push(label);
        }
    });
    json!(ends)
}
