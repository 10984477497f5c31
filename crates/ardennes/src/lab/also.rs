//! Where several rules forbid the same thing, a lab file may cite any of them.

use crate::frame::Frame;

/// Further rules that forbid what a refusal with this message key forbids. Bonds (10.2), for example, are also
/// mentioned in the rules for retreats, advances and moves; which units may not attack is listed in 14.1.
pub fn also(key: &str, frame: Frame) -> &'static [&'static str] {
    match key.strip_prefix("no.").unwrap_or(key) {
        "bond.hex" | "bond.hexside" => match frame {
            Frame::Movement | Frame::Walk => &["9.2", "9.3", "11.3"],
            Frame::Retreat | Frame::RetreatOn(_) => &["17.1", "17.2"],
            Frame::Disengage | Frame::DisengageRetreat => &["17.1", "17.2", "20.3"],
            Frame::Advance => &["19.3"],
            // A retreat or an advance that comes after the current question.
            _ => &["17.1", "17.2", "19.3"],
        },
        "attack.artillery"
        | "attack.disrupted"
        | "attack.disengaged"
        | "attack.building"
        | "attack.replaced"
        | "attack.night_marker"
        | "attack.no_night_marker" => &["14.1", "25.34"],
        "attack.air" => &["25.32", "28.2"],
        "attack.without_peiper" => &["25.32"],
        "attack.nations" => &["8.4"],
        "vehicle_road" => &["11.3", "21.5"],
        "vehicle.river" => &["11.3", "21.5"],
        "crossing.second" => &["11.4", "11.6"],
        "engaged" => &["11.1", "15.8", "20.1", "25.34"],
        "night.unfit" => &["16.5", "18.2", "23.4", "25.31", "25.32"],
        "airborne.strategic_only" => &["12.4", "13.1", "31.3"],
        "airborne.reserved" => &["12.4", "31.3"],
        "disrupted.tactical_only" => &["11.3", "12.1"],
        // 22.2: German artillery does not move without a Prime Mover, in supply or not.
        "oos.tactical_only" => &["11.3", "12.1", "22.2"],
        // 27.6: the set-up codes of these regiments are red.
        "rrd" => &["29.1"],
        "extended.not_now" => &["18.2", "23.4", "25.35"],
        "ip.disrupted" => &["15.8"],
        "ip.strategic" => &["15.8"],
        "ip.oos" | "night.oos" => &["23.4"],
        "night.no_marker" => &["25.33"],
        // Loading (12.61) and digging (15.8) take the whole move.
        "not_in_play" => &["13.1"],
        "moved_already" => &["12.61", "15.8"],
        // Disrupted and replaced units, RRD regiments and artillery that shifts count hexes.
        "too_far" | "unreachable" => &["11.1", "11.3", "18.2", "22.1", "22.2", "23.4", "25.24", "27.6"],
        "tactical.allowance" => &["22.2", "22.3"],
        "points" => &["11.1", "11.2", "12.1", "12.62", "22.3"],
        "strategic.german_artillery" => &["12.1", "22.1"],
        "strategic.roadblock" => &["24.8"],
        "strategic.one_marker" => &["12.2"],
        "artillery.prime_mover" => &["22.1", "22.2"],
        "strategic.foot" => &["12.6"],
        "strategic.night" | "strategic.surprise" => &["12.1"],
        "truck.who" => &["12.61"],
        "engineer.tactical_only" => &["11.3"],
        "ezoc.stop" => &["9.3", "11.3"],
        "exit.disrupted" => &["17.6", "18.2"],
        "entry.unblocked" => &["13.1", "13.5", "13.6"],
        "attack.attacked" => &["14.1", "14.2", "19.4"],
        "attack.twice" | "attack.attacked_already" => &["14.1", "14.2"],
        "attack.formations" => &["14.32"],
        "loss.armor_shift" => &["21.1"],
        "retreat.nowhere" => &["17.1", "17.7"],
        "artillery.disrupted" => &["18.2"],
        "artillery.oos" => &["23.4", "22.10"],
        "artillery.strategic" => &["12.1"],
        "stacking" | "stacking.points" | "stacking.steps" | "stacking.artillery" | "stacking.units" => {
            match frame {
                Frame::Advance => &["8.2", "8.3", "19.7"],
                Frame::Retreat | Frame::RetreatOn(_) => &["8.2", "8.3", "17.4"],
                _ => &["8.2", "8.3"],
            }
        }
        "support.fired" => &["22.5"],
        "support.engaged" => &["16.5"],
        "support.disrupted" | "determined.disrupted" | "breakdown.disrupted" | "disengage.disrupted" => {
            &["18.2"]
        }
        "support.prime_mover" => &["22.3"],
        "support.range" | "support.corps" => &["22.6"],
        "retreat.ezoc" => &["17.1"],
        "retreat.avoid_ezoc" => &["17.2"],
        "retreat.vehicle_river" | "retreat.vehicle_road" => &["21.5"],
        "retreat.meuse" => &["11.4"],
        "advance.artillery" => &["22.10"],
        "advance.red_code" => &["19.1"],
        "advance.boundary" => &["19.1"],
        "advance.out_of_supply" => &["19.1", "23.4"],
        "advance.river" => &["11.4", "21.5"],
        "advance.wooded_rough" => &["11.6", "21.5"],
        "advance.forest" | "advance.vehicle_road" => &["11.5", "21.5"],
        "loss.lead" => &["16.2", "16.71"],
        "disengage.red_code" => &["20.1"],
        "fire_fight.lead" => &["7.4", "19.2"],
        _ => of_markers_and_replacements(key),
    }
}

/// 24, 25 and 33 repeat restrictions on markers and on units that receive replacements.
fn of_markers_and_replacements(key: &str) -> &'static [&'static str] {
    match key {
        "no.traffic.roadblock_close" | "no.roadblock.traffic_close" => &["24.4"],
        "no.traffic.out_of_game" => &["24.3"],
        "no.engineer.roadblock" => &["13.2"],
        "no.replace.artillery" => &["22.10"],
        "no.replace.oos" => &["23.4", "25.22"],
        "no.replace.disrupted" => &["18.2", "25.22"],
        "no.replace.engaged" => &["25.22"],
        _ => of_bridges(key),
    }
}

/// 7.2, 7.3, 7.7 and 7.9 repeat what other rules say of the same units, rivers and roads.
fn of_bridges(key: &str) -> &'static [&'static str] {
    match key {
        "no.bridge.not_standing" => &["7.2", "7.7"],
        "no.bridge.no_unit" => &["10.2"],
        "no.bridge.nobody" => &["12.2", "22.3"],
        "no.bridge.river_through" => &["3.3"],
        "no.bridge.no_road_supply" => &["23.3"],
        _ => &[],
    }
}
