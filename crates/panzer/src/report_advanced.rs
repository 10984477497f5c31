//! Messages and facts of events that only the Advanced Game has.

use kernel::Message;
use serde_json::{Value, json};

use crate::{
    event::Event,
    indirect::Source,
    pack::{
        Side,
        advanced::{Damage, Outcome},
    },
    piece::UnitKind,
    report::gun_name,
    rules::Panzer,
    units::UnitId,
};

pub const fn outcome_key(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NoEffect => "no_effect",
        Outcome::Suppressed => "suppressed",
        Outcome::Effective => "effective",
    }
}

const fn damage_key(damage: Damage) -> &'static str {
    match damage {
        Damage::None => "no_damage",
        Damage::Damaged => "damaged",
        Damage::KnockedOut => "knocked_out",
        Damage::BrewedUp => "brewed_up",
    }
}

/// The two numbers of the GP table: no effect up to the first, suppressed up to the second (6.5.4.4).
fn cell(rules: &Panzer, gpf: u8, gpd: u8) -> (i16, i16) {
    rules.advanced.as_deref().map_or((0, 0), |game| game.tables().gp_cell(gpf, gpd))
}

/// The side, the message and the facts of an event.
pub fn line(rules: &Panzer, event: &Event) -> (Option<Side>, Message, Value) {
    let id = |unit: UnitId| rules.id(unit).to_owned();
    let of = |unit: UnitId| Some(rules.vehicle(unit).side);
    let about = |key: &'static str, unit: UnitId| Message::new(key).unit("unit", id(unit));
    match *event {
        Event::Suppressed { unit } => {
            (of(unit), about("log.suppressed", unit), json!({ "kind": "suppressed", "unit": id(unit) }))
        }
        Event::Recovery { unit, roll, modifier, most, recovered } => {
            let key = if recovered { "log.recovered" } else { "log.not_recovered" };
            let total = i16::from(roll) + i16::from(modifier);
            let message = about(key, unit).number("total", total).number("most", most);
            let data = json!({ "kind": "recovery", "unit": id(unit), "roll": roll, "modifier": modifier,
                               "total": total, "most": most, "recovered": recovered });
            (of(unit), message, data)
        }
        Event::FullCover { unit, on } => {
            let key = if on { "log.full_cover" } else { "log.no_full_cover" };
            (of(unit), about(key, unit), json!({ "kind": "full_cover", "unit": id(unit), "on": on }))
        }
        Event::AmmoLimit { source, roll, limit, limited } => {
            let key = if limited { "log.ammo_limited" } else { "log.ammo" };
            let message = Message::new(key).with("unit", rules.source_words(source));
            let message = message.number("roll", roll).number("limit", limit);
            let figures = json!({ "kind": "ammo", "roll": roll, "limit": limit, "limited": limited });
            let (side, mut data) = match source {
                Source::Unit { unit, gun } => {
                    (of(unit), json!({ "unit": id(unit), "weapon": gun_name(rules, unit, gun) }))
                }
                Source::Battery(n) => {
                    (rules.battery(n).map(|b| b.side), json!({ "source": rules.source_name(source) }))
                }
            };
            if let (Value::Object(data), Value::Object(figures)) = (&mut data, figures) {
                data.extend(figures);
            }
            (side, message, data)
        }
        Event::GpFire { unit, target, gpf, gpd, net, roll, outcome } => {
            let total = i16::from(roll) + net;
            let message = Message::new(format!("log.gp.{}", outcome_key(outcome)))
                .unit("unit", id(unit))
                .unit("target", id(target))
                .number("total", total);
            let (n, s) = cell(rules, gpf, gpd);
            let data = json!({ "kind": "gp", "unit": id(unit), "target": id(target), "gpf": gpf, "gpd": gpd, "n": n, "s": s,
                               "net": net, "roll": roll, "total": total, "outcome": outcome_key(outcome) });
            (of(unit), message, data)
        }
        Event::Hits { unit, target, hits } => {
            let message = about("log.hits", unit).unit("target", id(target)).number("hits", hits);
            (
                of(unit),
                message,
                json!({ "kind": "hits", "unit": id(unit), "target": id(target), "hits": hits }),
            )
        }
        Event::SpreadTo { target } => {
            let message = Message::new("log.spread").unit("target", id(target));
            (of(target), message, json!({ "kind": "spread", "target": id(target) }))
        }
        Event::Located { unit, target, angle, location, roll, penetration, armor } => {
            let message = Message::new("log.located")
                .unit("target", id(target))
                .term("angle", format!("angle.{}", angle.key()))
                .text("location", location.key())
                .number("penetration", penetration)
                .number("armor", armor);
            let data = json!({ "kind": "location", "unit": id(unit), "target": id(target), "angle": angle.key(),
                               "location": location.key(), "roll": roll, "penetration": penetration,
                               "armor": armor, "penetrates": penetration >= armor });
            (of(unit), message, data)
        }
        Event::HullDownMiss { unit, target, angle, roll } => {
            let message = Message::new("log.hull_down_miss").unit("target", id(target));
            let data = json!({ "kind": "hull_down_miss", "unit": id(unit), "target": id(target),
                               "angle": angle.key(), "roll": roll });
            (of(unit), message, data)
        }
        Event::ApDamage { target, result } => {
            let message = Message::new(format!("log.ap.{}", damage_key(result))).unit("target", id(target));
            let data = json!({ "kind": "damage", "target": id(target), "result": damage_key(result),
                               "letters": result.letters() });
            (of(target), message, data)
        }
        Event::Damage { unit, turret } => {
            let key = if turret { "log.turret" } else { "log.hull" };
            let part = if turret { "turret" } else { "hull" };
            (of(unit), about(key, unit), json!({ "kind": "damaged", "unit": id(unit), "part": part }))
        }
        Event::TrackHit { unit } => {
            (of(unit), about("log.track", unit), json!({ "kind": "track_hit", "unit": id(unit) }))
        }
        Event::Destroyed { unit, place } => {
            let message = Message::new(format!("log.destroyed.{}", place.key())).unit("unit", id(unit));
            (of(unit), message, json!({ "kind": "destroyed", "unit": id(unit), "result": place.key() }))
        }
        Event::Reduced { unit } => {
            (of(unit), about("log.reduced", unit), json!({ "kind": "reduced", "unit": id(unit) }))
        }
        Event::Eliminated { unit } => {
            (of(unit), about("log.eliminated", unit), json!({ "kind": "eliminated", "unit": id(unit) }))
        }
        Event::BailTest { unit, result, roll, modifier, value, out } => {
            let key = if out { "log.bail_out" } else { "log.bail_stays" };
            let message = about(key, unit).number("roll", roll).number("value", value);
            let data = json!({ "kind": "bail_out", "unit": id(unit), "result": result.key(), "roll": roll,
                               "modifier": modifier, "value": value, "out": out });
            (of(unit), message, data)
        }
        Event::Abandoned { unit } => {
            (of(unit), about("log.abandoned", unit), json!({ "kind": "abandoned", "unit": id(unit) }))
        }
        Event::LeftVehicle { unit } => {
            (of(unit), about("log.left_vehicle", unit), json!({ "kind": "left_vehicle", "unit": id(unit) }))
        }
        Event::Mounted { unit, vehicle } => {
            // 5.2.1, 6.6.7.1.1: a gun is loaded on its portee or limbered.
            let key = match rules.piece(unit) {
                Some(piece) if piece.carrier == Some(vehicle) => "log.loaded",
                Some(piece) if piece.kind == UnitKind::Towed => "log.limbered",
                _ => "log.mounted",
            };
            let message = about(key, unit).unit("vehicle", id(vehicle));
            (of(unit), message, json!({ "kind": "mount", "unit": id(unit), "vehicle": id(vehicle) }))
        }
        Event::Dismounted { unit, hex, facing } => {
            let label = rules.field.label(hex).to_owned();
            let gun = rules.piece(unit).is_some_and(|piece| piece.kind == UnitKind::Towed);
            let key = if gun { "log.unlimbered" } else { "log.dismounted" };
            let message = about(key, unit).place("hex", label.clone());
            let facing = crate::notation::facing_name(facing);
            let data = json!({ "kind": "dismount", "unit": id(unit), "to": label, "facing": facing });
            (of(unit), message, data)
        }
        Event::Overrun { unit, target, gpf, gpd, net, roll, outcome } => {
            let total = i16::from(roll) + net;
            let message = Message::new(format!("log.overrun.{}", outcome_key(outcome)))
                .unit("unit", id(unit))
                .unit("target", id(target))
                .number("total", total);
            let data = json!({ "kind": "overrun", "unit": id(unit), "target": id(target), "gpf": gpf, "gpd": gpd,
                               "net": net, "roll": roll, "total": total, "outcome": outcome_key(outcome) });
            (of(unit), message, data)
        }
        Event::OverrunDeclared { unit, target } => {
            let message = about("log.overrun_declared", unit).unit("target", id(target));
            (of(unit), message, json!({ "kind": "overrun_declared", "unit": id(unit), "target": id(target) }))
        }
        Event::Searched { unit, roll, modifier, most, found } => {
            let key = if found { "log.search_found" } else { "log.search_nothing" };
            let total = i16::from(roll) + i16::from(modifier);
            let message = about(key, unit).number("total", total).number("most", most);
            let data = json!({ "kind": "search", "unit": id(unit), "roll": roll, "modifier": modifier, "total": total,
                               "most": most, "found": found });
            (of(unit), message, data)
        }
        Event::Quickmarch { unit, roll, most } => {
            let message = about("log.quickmarch", unit).number("roll", roll).number("most", most);
            let data = json!({ "kind": "quickmarch", "unit": id(unit), "roll": roll, "most": most,
                               "suppressed": roll <= most });
            (of(unit), message, data)
        }
        Event::Smoked { unit, hex } => {
            let label = rules.field.label(hex).to_owned();
            let message = about("log.smoked", unit).place("hex", label.clone());
            (of(unit), message, json!({ "kind": "smoke", "unit": id(unit), "hex": label }))
        }
        Event::Planned { mission, battery, hex } => {
            let label = rules.field.label(hex).to_owned();
            let name = rules.battery(battery).map_or_else(String::new, |b| b.id.clone());
            let source = rules.source_words(Source::Battery(battery));
            let message = Message::new("log.planned").with("source", source).place("hex", label.clone());
            let side = rules.battery(battery).map(|b| b.side);
            (side, message, json!({ "kind": "planned", "mission": mission, "source": name, "hex": label }))
        }
        Event::Called { mission, observer, hex } => {
            let label = rules.field.label(hex).to_owned();
            let message = about("log.called", observer).place("hex", label.clone());
            let data = json!({ "kind": "call", "mission": mission, "observer": id(observer), "hex": label });
            (of(observer), message, data)
        }
        Event::Response { mission, source, roll, modifier, factor, responds } => {
            let key = if responds { "log.responds" } else { "log.no_response" };
            let name = rules.source_name(source);
            let total = i16::from(roll) + i16::from(modifier);
            let message = Message::new(key)
                .with("source", rules.source_words(source))
                .number("total", total)
                .number("factor", factor);
            let data = json!({ "kind": "response", "mission": mission, "source": name, "roll": roll,
                               "modifier": modifier, "total": total, "factor": factor, "responds": responds });
            (None, message, data)
        }
        Event::Impact { mission, hex, smoke } => {
            let label = rules.field.label(hex).to_owned();
            let key = if smoke { "log.smoke" } else { "log.impact" };
            let message = Message::new(key).place("hex", label.clone());
            (None, message, json!({ "kind": "impact", "mission": mission, "hex": label, "smoke": smoke }))
        }
        Event::Checked { mission } => (
            None,
            Message::new("log.checked").number("mission", mission),
            json!({ "kind": "check", "mission": mission }),
        ),
        Event::Barrage { mission, target, gpf, gpd, net, roll, outcome } => {
            let total = i16::from(roll) + net;
            let message = Message::new(format!("log.barrage.{}", outcome_key(outcome)))
                .unit("target", id(target))
                .number("total", total);
            let (n, s) = cell(rules, gpf, gpd);
            let data = json!({ "kind": "barrage", "mission": mission, "target": id(target), "gpf": gpf, "gpd": gpd, "n": n, "s": s,
                               "net": net, "roll": roll, "total": total, "outcome": outcome_key(outcome) });
            (of(target), message, data)
        }
        Event::AssaultDeclared { unit, target } => {
            let message = about("log.assault", unit).unit("target", id(target));
            (of(unit), message, json!({ "kind": "assault", "unit": id(unit), "target": id(target) }))
        }
        Event::TrackHolds { unit, roll } => (
            of(unit),
            about("log.track_holds", unit),
            json!({ "kind": "track_holds", "unit": id(unit), "roll": roll }),
        ),
        Event::PairInitiative { pair, rolls, first } => {
            let message = Message::new("log.pair_initiative")
                .number("pair", pair)
                .number("axis", rolls[0])
                .number("allied", rolls[1])
                .term("side", crate::report::side_key(first));
            let data = json!({ "kind": "initiative", "pair": pair, "axis": rolls[0], "allied": rolls[1],
                               "first": first.key() });
            (Some(first), message, data)
        }
        Event::PairTurn { pair, first } => {
            let message = Message::new("log.pair_turn")
                .number("pair", pair)
                .term("side", crate::report::side_key(first));
            (Some(first), message, json!({ "kind": "pair", "pair": pair, "first": first.key() }))
        }
        Event::SupportKept { unit } => (
            of(unit),
            about("log.support_kept", unit),
            json!({ "kind": "support", "unit": id(unit), "supported": false }),
        ),
        Event::AssaultLapsed { unit } => (
            of(unit),
            about("log.assault_lapsed", unit),
            json!({ "kind": "assault_lapsed", "unit": id(unit) }),
        ),
        Event::CloseAssault { unit, target, gpf, gpd, net, roll, outcome } => {
            let total = i16::from(roll) + net;
            let message = Message::new(format!("log.close_assault.{}", outcome_key(outcome)))
                .unit("unit", id(unit))
                .unit("target", id(target))
                .number("total", total);
            let data = json!({ "kind": "close_assault", "unit": id(unit), "target": id(target), "gpf": gpf,
                               "gpd": gpd, "net": net, "roll": roll, "total": total,
                               "outcome": outcome_key(outcome) });
            (of(unit), message, data)
        }
        Event::HandToHand { unit, target, rolls, totals } => {
            let winner = match totals[0].cmp(&totals[1]) {
                std::cmp::Ordering::Greater => "attacker",
                std::cmp::Ordering::Less => "defender",
                std::cmp::Ordering::Equal => "nobody",
            };
            let message = Message::new(format!("log.hand_to_hand.{winner}"))
                .unit("unit", id(unit))
                .unit("target", id(target))
                .number("attacker", totals[0])
                .number("defender", totals[1]);
            let data = json!({ "kind": "hand_to_hand", "unit": id(unit), "target": id(target), "rolls": rolls,
                               "attacker": totals[0], "defender": totals[1], "winner": winner });
            (of(unit), message, data)
        }
        _ => crate::report_works::line(rules, event),
    }
}
