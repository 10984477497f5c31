//! Events as lines of the log.

use kernel::{Arg, Entry, Message};
use serde_json::{Value, json};

use super::{Names, all, ending, only, payer_word, side_key, sky};
use crate::{
    event::{EffortEvent, Event},
    rules::Wurzburg,
    units::Side,
};

pub fn line(rules: &Wurzburg, event: &Event) -> Option<Entry> {
    let n = Names(rules);
    let new = |key: &'static str| Message::new(key);
    match event {
        Event::Turn { turn } => {
            all(None, 0, new("log.turn").number("turn", *turn), json!({ "kind": "turn", "turn": turn }))
        }
        Event::Phase { phase } => all(
            None,
            0,
            new("log.phase").term("phase", format!("phase.{}", phase.key())),
            json!({ "kind": "phase", "phase": phase.key() }),
        ),
        Event::Segment { segment } => all(
            None,
            0,
            new("log.segment").term("segment", format!("segment.{}", segment.key())),
            json!({ "kind": "segment", "segment": segment.key() }),
        ),
        // 12.3: known to WP only.
        Event::Planned { formation, kind, payer } => only(
            Side::Wp,
            2,
            new("log.planned")
                .term("formation", n.formation(*formation))
                .term("operation", format!("operation.{}", kind.key())),
            json!({ "kind": "plan", "formation": rules.formation(*formation).id, "operation": kind.key(),
                    "payer": payer_word(rules, *payer) }),
        ),
        Event::PlanningDone => all(Some(Side::Wp), 1, new("log.planning_done"), json!({ "kind": "planned" })),
        Event::Initiative { side, roll, reserve } => all(
            Some(*side),
            1,
            new("log.initiative").term("side", side_key(*side)).number("roll", *roll),
            json!({ "kind": "initiative", "side": side.word(), "roll": roll, "reserve": reserve }),
        ),
        Event::Passed { side } => all(
            Some(*side),
            1,
            new("log.passed").term("side", side_key(*side)),
            json!({ "kind": "pass", "side": side.word() }),
        ),
        Event::Activated { formation } => all(
            Some(rules.formation(*formation).side),
            0,
            new("log.activated").term("formation", n.formation(*formation)),
            json!({ "kind": "activate", "formation": rules.formation(*formation).id }),
        ),
        Event::Lead { formation, hex } => all(
            Some(rules.formation(*formation).side),
            2,
            new("log.lead").term("formation", n.formation(*formation)).place("hex", n.hex(*hex)),
            json!({ "kind": "lead", "formation": rules.formation(*formation).id, "hex": n.place(*hex) }),
        ),
        Event::CycleOver { formation } => all(
            Some(rules.formation(*formation).side),
            2,
            new("log.cycle_over").term("formation", n.formation(*formation)),
            json!({ "kind": "cycle_over", "formation": rules.formation(*formation).id }),
        ),
        Event::Committed { kind, variant, formations, units, objective } => {
            let names: Vec<Arg> = formations
                .iter()
                .filter_map(|f| f.some())
                .map(|f| Arg::Term(n.formation(f).into()))
                .collect();
            let key = if objective.some().is_some() { "log.committed_against" } else { "log.committed" };
            let mut message = new(key)
                .with("formations", Arg::List(names))
                .term("operation", format!("operation.{}", kind.key()));
            if objective.some().is_some() {
                message = message.place("hex", n.hex(*objective));
            }
            let formations: Vec<&str> =
                formations.iter().filter_map(|f| f.some()).map(|f| rules.formation(f).id.as_str()).collect();
            let data = json!({ "kind": "commit", "operation": kind.key(), "variant": variant.key(),
                               "formations": formations, "units": n.ids(units), "objective": n.place(*objective) });
            all(n.side_of(units), 1, message, data)
        }
        Event::Objective { hex } => {
            let message = match hex.some() {
                Some(_) => new("log.objective").place("hex", n.hex(*hex)),
                None => new("log.objective_gone"),
            };
            all(None, 1, message, json!({ "kind": "objective", "hex": n.place(*hex) }))
        }
        Event::Step { step } => all(
            None,
            2,
            new("log.step").term("step", format!("step.{}", step.key())),
            json!({ "kind": "step", "step": step.key() }),
        ),
        Event::Moved { units, from, to, cost, road } => {
            let key = if *road { "log.moved_road" } else { "log.moved" };
            let message = new(key).with("units", n.list(units)).place("hex", n.hex(*to));
            let data = json!({ "kind": "move", "units": n.ids(units), "from": n.place(*from), "to": n.place(*to),
                               "path": [n.place(*from), n.place(*to)], "cost": f64::from(*cost) / 4.0, "road": road });
            all(n.side_of(units), 1, message, data)
        }
        // 11.5: only the owner knows how many steps split off.
        Event::Split { from, new: part, steps } => only(
            rules.counter(*from).side,
            2,
            new("log.split").unit("unit", n.id(*from)).unit("part", n.id(*part)).number("steps", *steps),
            json!({ "kind": "split", "unit": n.id(*from), "part": n.id(*part), "steps": steps }),
        ),
        Event::Detached { from, new: part } => all(
            n.side(*from),
            2,
            new("log.detached").unit("unit", n.id(*from)).unit("part", n.id(*part)),
            json!({ "kind": "detached", "unit": n.id(*from), "part": n.id(*part) }),
        ),
        Event::Combined { into, gone } => all(
            n.side(*into),
            2,
            new("log.combined").unit("unit", n.id(*into)).unit("part", n.id(*gone)),
            json!({ "kind": "combine", "unit": n.id(*into), "part": n.id(*gone) }),
        ),
        Event::Transferred { from, to, steps } => only(
            rules.counter(*from).side,
            2,
            new("log.transferred").unit("unit", n.id(*from)).unit("to", n.id(*to)).number("steps", *steps),
            json!({ "kind": "transfer", "from": n.id(*from), "to": n.id(*to), "steps": steps }),
        ),
        Event::Contact { hex, real, dummies } => all(
            None,
            1,
            new("log.contact").place("hex", n.hex(*hex)).with("units", n.list(real)),
            json!({ "kind": "contact", "hex": n.place(*hex), "real": n.ids(real), "dummies": n.ids(dummies) }),
        ),
        Event::DummiesRemoved { units } => all(
            n.side_of(units),
            1,
            new("log.dummies").with("units", n.list(units)),
            json!({ "kind": "dummies", "units": n.ids(units) }),
        ),
        Event::Masked { units } => all(
            n.side_of(units),
            1,
            new("log.masked").with("units", n.list(units)),
            json!({ "kind": "mask", "units": n.ids(units) }),
        ),
        Event::Unmasked { hex } => all(
            None,
            2,
            new("log.unmasked").place("hex", n.hex(*hex)),
            json!({ "kind": "unmask", "hex": n.place(*hex) }),
        ),
        Event::Fired { kind, side, target, units, total, effective, roll, modifier, hits } => all(
            Some(*side),
            1,
            new("log.fired")
                .term("fire", format!("fire.{}", kind.key()))
                .place("hex", n.hex(*target))
                .number("effective", *effective)
                .number("roll", *roll)
                .number("hits", *hits),
            json!({ "kind": "fire", "fire": kind.key(), "side": side.word(), "hex": n.place(*target),
                    "units": n.ids(units), "total": total, "effective": effective, "roll": roll,
                    "modifier": modifier, "hits": hits }),
        ),
        Event::Recon { side, hex, roll, modifier, number, acquired } => {
            let key = if *acquired { "log.recon_acquired" } else { "log.recon_failed" };
            all(
                Some(*side),
                1,
                new(key).place("hex", n.hex(*hex)).number("roll", *roll).number("number", *number),
                json!({ "kind": "recon", "side": side.word(), "hex": n.place(*hex), "roll": roll,
                        "modifier": modifier, "modified": i16::from(*roll) + i16::from(*modifier),
                        "number": number, "acquired": acquired }),
            )
        }
        Event::Called { side, hq, units } => all(
            Some(*side),
            1,
            new("log.called").unit("hq", n.id(*hq)).with("units", n.list(units)),
            json!({ "kind": "call", "side": side.word(), "hq": n.id(*hq), "units": n.ids(units) }),
        ),
        Event::Disrupted { unit } => all(
            n.side(*unit),
            1,
            new("log.disrupted").unit("unit", n.id(*unit)),
            json!({ "kind": "disrupted", "unit": n.id(*unit) }),
        ),
        Event::AirCalled { side, hex, points, aircraft, roll } => {
            sky::air_called(&n, *side, *hex, *points, *aircraft, *roll)
        }
        Event::AntiAircraft { side, sam, strength, roll, modified, result } => {
            sky::anti_aircraft(*side, *sam, *strength, (*roll, *modified), *result)
        }
        Event::HitCheck { side, roll, defense, lost } => {
            let key = if *lost { "log.hit" } else { "log.missed" };
            all(
                Some(*side),
                1,
                new(key).number("roll", *roll).number("defense", *defense),
                json!({ "kind": "hit_check", "side": side.word(), "roll": roll, "defense": defense, "lost": lost }),
            )
        }
        Event::Aborted { side } => all(
            Some(*side),
            1,
            new("log.aborted").term("side", side_key(*side)),
            json!({ "kind": "abort", "side": side.word() }),
        ),
        Event::StrikeFailed { side, hex } => all(
            Some(*side),
            1,
            new("log.strike_failed").place("hex", n.hex(*hex)),
            json!({ "kind": "strike_failed", "side": side.word(), "hex": n.place(*hex) }),
        ),
        Event::GasZone { side, hex, persistent } => all(
            Some(*side),
            1,
            new("log.gas_zone").place("hex", n.hex(*hex)),
            json!({ "kind": "gas_zone", "side": side.word(), "hex": n.place(*hex), "persistent": persistent }),
        ),
        Event::ContaminationCheck { hex, roll, contaminated } => all(
            None,
            2,
            new("log.contamination_check").place("hex", n.hex(*hex)).number("roll", *roll),
            json!({ "kind": "contamination_check", "hex": n.place(*hex), "roll": roll, "contaminated": contaminated }),
        ),
        Event::Contaminated { units } => all(
            n.side_of(units),
            1,
            new("log.contaminated").with("units", n.list(units)),
            json!({ "kind": "contaminated", "units": n.ids(units) }),
        ),
        Event::GasAttack { unit, roll, lost } => all(
            n.side(*unit),
            2,
            new("log.gas_attack").unit("unit", n.id(*unit)).number("roll", *roll),
            json!({ "kind": "gas_attack", "unit": n.id(*unit), "roll": roll, "lost": lost }),
        ),
        Event::GunsFreed { units } => all(
            n.side_of(units),
            1,
            new("log.guns_freed").with("units", n.list(units)),
            json!({ "kind": "guns_freed", "units": n.ids(units) }),
        ),
        Event::Acquisition { target, gun, roll, number, acquired } => {
            let key = if *acquired { "log.battery_found" } else { "log.battery_missed" };
            all(
                n.side(*gun),
                1,
                new(key)
                    .unit("unit", n.id(*gun))
                    .unit("target", n.id(*target))
                    .number("roll", *roll)
                    .number("number", *number),
                json!({ "kind": "acquisition", "target": n.id(*target), "gun": n.id(*gun), "roll": roll,
                        "number": number, "acquired": acquired }),
            )
        }
        Event::Jammed { hq, roll, modifier, lost, artillery, reaction } => {
            sky::jammed(&n, *hq, (*roll, *modifier), *lost, *artillery, *reaction)
        }
        Event::Stands { side, retreats } => {
            let key = if *retreats { "log.elects_retreat" } else { "log.stands" };
            all(
                Some(*side),
                1,
                new(key).term("side", side_key(*side)),
                json!({ "kind": "stand", "side": side.word(), "retreats": retreats }),
            )
        }
        Event::StepsLost { unit, steps, eliminated } => {
            let key = if *eliminated { "log.eliminated" } else { "log.lost" };
            all(
                n.side(*unit),
                1,
                new(key).unit("unit", n.id(*unit)).number("steps", *steps),
                json!({ "kind": "loss", "unit": n.id(*unit), "steps": steps, "eliminated": eliminated }),
            )
        }
        Event::Held { side } => all(
            Some(*side),
            2,
            new("log.held").term("side", side_key(*side)),
            json!({ "kind": "hold", "side": side.word() }),
        ),
        Event::Retreated { unit, from, to } => all(
            n.side(*unit),
            1,
            new("log.retreated").unit("unit", n.id(*unit)).place("hex", n.hex(*to)),
            json!({ "kind": "retreat", "unit": n.id(*unit), "from": n.place(*from), "to": n.place(*to) }),
        ),
        Event::RetreatedOff { unit, from } => all(
            n.side(*unit),
            1,
            new("log.retreated_off").unit("unit", n.id(*unit)),
            json!({ "kind": "retreat", "unit": n.id(*unit), "from": n.place(*from), "to": Value::Null }),
        ),
        Event::Advanced { unit, from, to } => all(
            n.side(*unit),
            1,
            new("log.advanced").unit("unit", n.id(*unit)).place("hex", n.hex(*to)),
            json!({ "kind": "advance", "unit": n.id(*unit), "from": n.place(*from), "to": n.place(*to) }),
        ),
        Event::Used { units } => all(
            n.side_of(units),
            2,
            new("log.used").with("units", n.list(units)),
            json!({ "kind": "used", "units": n.ids(units) }),
        ),
        Event::Reacted { units, payer, to } => all(
            n.side_of(units),
            1,
            new("log.reacted").with("units", n.list(units)).place("hex", n.hex(*to)),
            json!({ "kind": "react", "units": n.ids(units), "payer": payer_word(rules, *payer), "to": n.place(*to) }),
        ),
        Event::HqLost { unit, back } => all(
            n.side(*unit),
            1,
            new("log.hq_lost").unit("unit", n.id(*unit)),
            json!({ "kind": "hq_lost", "unit": n.id(*unit), "back": back }),
        ),
        Event::HqBack { unit, hex } => all(
            n.side(*unit),
            1,
            new("log.hq_back").unit("unit", n.id(*unit)).place("hex", n.hex(*hex)),
            json!({ "kind": "hq_back", "unit": n.id(*unit), "hex": n.place(*hex) }),
        ),
        Event::Shattered { formation, steps, roll } => all(
            Some(rules.formation(*formation).side),
            1,
            new("log.shattered").term("formation", n.formation(*formation)).number("roll", *roll),
            json!({ "kind": "shatter", "formation": rules.formation(*formation).id, "steps": steps, "roll": roll,
                    "shattered": true }),
        ),
        Event::ShatterHeld { formation, steps, roll } => all(
            Some(rules.formation(*formation).side),
            2,
            new("log.shatter_held").term("formation", n.formation(*formation)).number("roll", *roll),
            json!({ "kind": "shatter", "formation": rules.formation(*formation).id, "steps": steps, "roll": roll,
                    "shattered": false }),
        ),
        Event::Control { hex, side } => all(
            Some(*side),
            1,
            new("log.control").place("hex", n.hex(*hex)).term("side", side_key(*side)),
            json!({ "kind": "control", "hex": n.place(*hex), "side": side.word() }),
        ),
        Event::ImprovedPosition { hex, side, built } => {
            let key = if *built { "log.position_built" } else { "log.position_gone" };
            all(
                Some(*side),
                1,
                new(key).place("hex", n.hex(*hex)),
                json!({ "kind": "improved_position", "hex": n.place(*hex), "side": side.word(), "built": built }),
            )
        }
        Event::Obstacle { hex, built } => {
            let key = if *built { "log.obstacle_built" } else { "log.obstacle_gone" };
            all(
                None,
                1,
                new(key).place("hex", n.hex(*hex)),
                json!({ "kind": "obstacle", "hex": n.place(*hex), "built": built }),
            )
        }
        Event::Smoke { hex, built } => {
            let key = if *built { "log.smoke_laid" } else { "log.smoke_gone" };
            all(
                None,
                1,
                new(key).place("hex", n.hex(*hex)),
                json!({ "kind": "smoke", "hex": n.place(*hex), "built": built }),
            )
        }
        Event::Minefield { hex, built } => {
            let key = if *built { "log.minefield_laid" } else { "log.minefield_gone" };
            all(
                None,
                1,
                new(key).place("hex", n.hex(*hex)),
                json!({ "kind": "minefield", "hex": n.place(*hex), "built": built }),
            )
        }
        Event::MineAttack { unit, roll, modified, lost } => all(
            n.side(*unit),
            2,
            new("log.mine_attack").unit("unit", n.id(*unit)).number("roll", *roll),
            json!({ "kind": "mine_attack", "unit": n.id(*unit), "roll": roll, "modified": modified, "lost": lost }),
        ),
        Event::Bridge { side, what } => {
            let at = rules.field.side_label(*side);
            all(
                None,
                1,
                Message::new(format!("log.bridge.{}", what.key())).place("bridge", at.clone()),
                json!({ "kind": "bridge", "at": at, "what": what.key() }),
            )
        }
        Event::OperationOver { kind } => all(
            None,
            2,
            new("log.operation_over").term("operation", format!("operation.{}", kind.key())),
            json!({ "kind": "operation_over", "operation": kind.key() }),
        ),
        Event::Exited { unit, from } => all(
            n.side(*unit),
            1,
            new("log.exited").unit("unit", n.id(*unit)).place("hex", n.hex(*from)),
            json!({ "kind": "exit", "unit": n.id(*unit), "from": n.place(*from) }),
        ),
        Event::Screened { units, roll, success } => {
            let key = if *success { "log.screened" } else { "log.screen_failed" };
            all(
                n.side_of(units),
                1,
                new(key).with("units", n.list(units)).number("roll", *roll),
                json!({ "kind": "screen", "units": n.ids(units), "roll": roll, "success": success }),
            )
        }
        Event::Effort { formation, what } => {
            let message =
                Message::new(format!("log.effort.{}", what.key())).term("formation", n.formation(*formation));
            let data =
                json!({ "kind": "effort", "formation": rules.formation(*formation).id, "what": what.key() });
            match what {
                EffortEvent::Shown => all(Some(Side::Wp), 1, message, data),
                // 12.4: face down.
                EffortEvent::Laid | EffortEvent::TakenBack => only(Side::Wp, 1, message, data),
            }
        }
        Event::ReconBridge { side, bridge, roll, modifier, number, acquired } => {
            let at = rules.field.side_label(*bridge);
            let key = if *acquired { "log.recon_bridge" } else { "log.recon_bridge_failed" };
            all(
                Some(*side),
                1,
                new(key).text("bridge", at.clone()).number("roll", *roll).number("number", *number),
                json!({ "kind": "recon", "bridge": at, "roll": roll, "modifier": modifier, "number": number,
                        "acquired": acquired }),
            )
        }
        Event::BridgeStruck { side, bridge, total, effective, roll, destroyed } => {
            let at = rules.field.side_label(*bridge);
            all(
                Some(*side),
                1,
                new("log.bridge_struck")
                    .text("bridge", at.clone())
                    .number("effective", *effective)
                    .number("roll", *roll),
                json!({ "kind": "bridge_strike", "bridge": at, "total": total, "effective": effective,
                        "roll": roll, "destroyed": destroyed }),
            )
        }
        Event::Row { unit, ten } => all(
            n.side(*unit),
            2,
            new("log.row").unit("unit", n.id(*unit)).term("row", if *ten { "box.ten" } else { "box.five" }),
            json!({ "kind": "row", "unit": n.id(*unit), "ten": ten }),
        ),
        Event::Cleaned { units, hex } => all(
            n.side_of(units),
            1,
            new("log.cleaned").with("units", n.list(units)).place("hex", n.hex(*hex)),
            json!({ "kind": "clean", "units": n.ids(units), "hex": n.place(*hex) }),
        ),
        Event::Attached { formation, to } => all(
            Some(rules.formation(*formation).side),
            1,
            new("log.attached").term("formation", n.formation(*formation)).term("to", n.formation(*to)),
            json!({ "kind": "attached", "formation": rules.formation(*formation).id,
                    "to": rules.formation(*to).id }),
        ),
        Event::Ferried { units, engineers, to } => all(
            n.side_of(units),
            1,
            new("log.ferried").with("units", n.list(units)).place("hex", n.hex(*to)),
            json!({ "kind": "ferry", "units": n.ids(units), "engineers": n.ids(engineers), "hex": n.place(*to) }),
        ),
        Event::Crossing { formation, hex, roll, modifier, steps } => all(
            Some(Side::Wp),
            1,
            new("log.crossing")
                .term("formation", n.formation(*formation))
                .place("hex", n.hex(*hex))
                .number("roll", *roll)
                .number("steps", *steps),
            json!({ "kind": "crossing", "hex": n.place(*hex), "roll": roll, "modifier": modifier,
                    "steps": steps }),
        ),
        Event::Placed { unit, hex } => all(
            n.side(*unit),
            2,
            new("log.placed").unit("unit", n.id(*unit)).place("hex", n.hex(*hex)),
            json!({ "kind": "place", "unit": n.id(*unit), "hex": n.place(*hex) }),
        ),
        Event::Flew { unit, from, path } => sky::flew(&n, *unit, *from, path),
        Event::FlightAborted { side, unit } => all(
            Some(*side),
            1,
            new("log.flight_aborted").unit("unit", n.id(*unit)),
            json!({ "kind": "aborted", "side": side.word(), "unit": n.id(*unit) }),
        ),
        Event::Recovered { unit } => all(
            n.side(*unit),
            2,
            new("log.recovered").unit("unit", n.id(*unit)),
            json!({ "kind": "recovered", "unit": n.id(*unit) }),
        ),
        Event::Lifted { unit, passengers, lz } => all(
            n.side(*unit),
            1,
            new("log.lifted")
                .unit("unit", n.id(*unit))
                .with("units", n.list(passengers))
                .place("hex", n.hex(*lz)),
            json!({ "kind": "lift", "unit": n.id(*unit), "passengers": n.ids(passengers), "lz": n.place(*lz) }),
        ),
        Event::Landed { units, hex, returned } => sky::landed(&n, units, *hex, *returned),
        Event::Paradrop { side, formation } => all(
            Some(*side),
            1,
            new("log.paradrop").term("formation", n.formation(*formation)),
            json!({ "kind": "paradrop", "side": side.word(), "formation": rules.formation(*formation).id }),
        ),
        Event::Dropped { unit, hex } => all(
            n.side(*unit),
            1,
            new("log.dropped").unit("unit", n.id(*unit)).place("hex", n.hex(*hex)),
            json!({ "kind": "drop", "unit": n.id(*unit), "hex": n.place(*hex) }),
        ),
        Event::Disorganization { unit, roll, lost } => {
            let key = if *lost { "log.disorganized" } else { "log.assembled" };
            all(
                n.side(*unit),
                1,
                new(key).unit("unit", n.id(*unit)).number("roll", *roll),
                json!({ "kind": "disorganization", "unit": n.id(*unit), "roll": roll, "lost": lost }),
            )
        }
        Event::Over(end) => {
            let data = json!({ "kind": "over", "winner": end.winner.map(Side::word), "points": end.points });
            all(end.winner, 0, ending(rules, end), data)
        }
    }
}
