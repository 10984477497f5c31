//! `assault A [C …] -> B`: a Close Assault or Hand-to-Hand with every modifier and exact odds (6.6.1).

use hexgrid::HexId;
use kernel::{Ask, Viewer};
use serde_json::{Value, json};

use super::words::Words;
use crate::{
    assault::{HandAim, Part},
    pack::advanced::{LegSize, lookup::VehicleResult},
    rules::Panzer,
    state::{Flags, State},
    units::{UnitId, UnitSet},
};

/// `assault A [C …] -> B [advance] [from HEX] [moving]`: the first is the primary attacker.
pub fn assault(rules: &Panzer, s: &State, viewer: Viewer, words: &mut Words) -> Result<Value, Ask> {
    let mut attackers = Vec::new();
    while words.peek().is_some_and(|word| word != "->" && rules.named(word).is_some()) {
        attackers.push(words.unit()?);
    }
    let target = if words.take("->") || words.take("at") {
        words.unit()?
    } else {
        let last = attackers.pop().filter(|_| !attackers.is_empty());
        last.ok_or_else(|| Ask::Bad("assault: who attacks whom? `assault A -> B`".into()))?
    };
    let Some(primary) = attackers.first().copied() else {
        return Err(Ask::Bad("assault: who attacks? `assault A -> B`".into()));
    };
    let mut s = s.clone();
    s.assault = crate::assault::Assault { supported: s.assault.supported, ..Default::default() };
    for unit in attackers.iter().chain([&target]) {
        if !s.unit(*unit).on_map() {
            return Err(Ask::Bad(format!("{} is not on the map", rules.id(*unit))));
        }
    }
    let known = rules.knows_command(&s, viewer, target);
    let mut moving = known && s.unit(target).command.moves();
    let mut advanced = UnitSet::EMPTY;
    let mut from = HexId::NONE;
    while let Some(word) = words.peek().map(str::to_lowercase) {
        words.next()?;
        match word.as_str() {
            "advance" | "advancing" => attackers.iter().for_each(|unit| advanced.insert(*unit)),
            "dismount" | "dismounting" => {
                for unit in &attackers {
                    s.assault.dismounted.insert(*unit);
                }
            }
            "from" => from = words.hex()?,
            "moving" => moving = true,
            "stationary" => moving = false,
            _ => {
                let why = format!(
                    "`{word}` is not understood; there is advance, dismount, from HEX, moving, stationary"
                );
                return Err(Ask::Bad(why));
            }
        }
    }
    if let Some(hex) = from.some() {
        for unit in &attackers {
            if s.unit(*unit).hex != hex {
                // 6.6.1.1.2: a passenger that gets off into the hex has not advanced to it.
                if !s.assault.dismounted.contains(*unit) {
                    advanced.insert(*unit);
                }
                s.unit_mut(*unit).hex = hex;
            }
        }
    }
    let range = rules.field.range(s.unit(primary).hex, s.unit(target).hex);
    let size = rules.leg_size(&s, primary);
    if size.is_none() {
        return Ok(json!({ "possible": false, "rule": "6.6.1.1" }));
    }
    if rules.is_vehicle(target) {
        close(rules, &s, &attackers, advanced, target, moving, range)
    } else {
        Ok(hand(rules, &s, &attackers, advanced, target, range))
    }
}

fn close(
    rules: &Panzer,
    s: &State,
    attackers: &[UnitId],
    advanced: UnitSet,
    target: UnitId,
    moving: bool,
    range: u32,
) -> Result<Value, Ask> {
    let aim = rules.close_aim(s, attackers, advanced, target, moving);
    let aim = aim.ok_or_else(|| Ask::Bad("assault: only in the Advanced Game (6.6.1)".into()))?;
    let mut modifiers = Vec::new();
    rules.close_modifiers(s, attackers, advanced, target, moving, |cause, value| {
        modifiers.push(json!({ "cause": cause.key(), "value": value, "rule": "6.6.1.1.2" }));
    });
    let abandoned = s.unit(target).is(Flags::BAILED);
    // Nothing is sampled: every face of the dice is counted.
    let mut chances = [0.0_f64; 6];
    for roll in 1..=100_i16 {
        let result = if abandoned {
            VehicleResult::Destroyed { brew_up: if aim.flamethrower { 10 } else { aim.brew_up } }
        } else {
            rules.close_result(s, attackers[0], &aim, roll + aim.net)
        };
        match result {
            VehicleResult::None => chances[0] += 0.01,
            VehicleResult::Suppressed => chances[1] += 0.01,
            VehicleResult::Damage => chances[2] += 0.01,
            VehicleResult::Track => chances[3] += 0.01,
            VehicleResult::Destroyed { brew_up } => {
                chances[4] += 0.01 * f64::from(10 - brew_up.min(10)) / 10.0;
                chances[5] += 0.01 * f64::from(brew_up.min(10)) / 10.0;
            }
        }
    }
    Ok(json!({
        "kind": "close_assault",
        "possible": range == 1,
        "rule": "6.6.1.1.1",
        "range": range,
        "primary": rules.id(attackers[0]),
        "size": rules.leg_size(s, attackers[0]).map(LegSize::key),
        "column": aim.gpf,
        "row": aim.gpd,
        "gpf": aim.gpf,
        "gpd": aim.gpd,
        "modifiers": modifiers,
        "net": aim.net,
        "n": aim.n,
        "s": aim.s,
        "brew_up": aim.brew_up,
        "flamethrower": aim.flamethrower,
        "automatic": abandoned,
        "supported": rules.supported(s, target),
        "chances": {
            "no_effect": chances[0], "suppressed": chances[1], "damage": chances[2], "track_hit": chances[3],
            "knock_out": chances[4], "brew_up": chances[5],
        },
    }))
}

fn hand(
    rules: &Panzer,
    s: &State,
    attackers: &[UnitId],
    advanced: UnitSet,
    target: UnitId,
    range: u32,
) -> Value {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    rules.hand_modifiers(s, attackers, advanced, target, |part, cause, value| {
        let line = json!({ "cause": cause.key(), "value": value, "rule": "6.6.1.2.2" });
        match part {
            Part::Attacker => ours.push(line),
            Part::Defender => theirs.push(line),
        }
    });
    let aim = rules.hand_aim(s, attackers, advanced, target);
    let mut memory = Vec::new();
    let win = odds(rules, s, attackers.to_vec(), advanced, target, &mut memory);
    json!({
        "kind": "hand_to_hand",
        "possible": range == 1,
        "rule": "6.6.1.2.1",
        "range": range,
        "primary": rules.id(attackers[0]),
        "size": rules.leg_size(s, attackers[0]).map(LegSize::key),
        "attacker": aim.attacker,
        "defender": aim.defender,
        "modifiers": { "attacker": ours, "defender": theirs },
        "round": aim.chance(),
        "chances": { "attacker": win, "defender": 1.0 - win },
    })
}

/// The strengths of attackers and defender, and their probability.
type Known = ((Vec<UnitId>, Vec<bool>, bool), f64);

/// The chance that the attackers win the whole fight, with a squad always leading.
fn odds(
    rules: &Panzer,
    s: &State,
    mut attackers: Vec<UnitId>,
    advanced: UnitSet,
    target: UnitId,
    memory: &mut Vec<Known>,
) -> f64 {
    if attackers.is_empty() {
        return 0.0;
    }
    if rules.leg_size(s, attackers[0]) != Some(LegSize::Squad)
        && let Some(at) = attackers.iter().position(|unit| rules.leg_size(s, *unit) == Some(LegSize::Squad))
    {
        attackers.swap(0, at);
    }
    let reduced = |unit: &UnitId| s.unit(*unit).is(Flags::REDUCED);
    let key = (attackers.clone(), attackers.iter().map(reduced).collect::<Vec<_>>(), reduced(&target));
    if let Some((_, known)) = memory.iter().find(|(k, _)| *k == key) {
        return *known;
    }
    let aim: HandAim = rules.hand_aim(s, &attackers, advanced, target);
    let chance = aim.chance();
    let after = |unit: UnitId| {
        rules.squad(s, unit).then(|| {
            let mut s = s.clone();
            s.unit_mut(unit).set(Flags::REDUCED);
            s
        })
    };
    let win = match after(target) {
        Some(s) => odds(rules, &s, attackers.clone(), advanced, target, memory),
        None => 1.0,
    };
    let lose = match after(attackers[0]) {
        Some(s) => odds(rules, &s, attackers.clone(), advanced, target, memory),
        None => odds(rules, s, attackers[1..].to_vec(), advanced, target, memory),
    };
    let total = chance * win + (1.0 - chance) * lose;
    memory.push((key, total));
    total
}
