//! Where several rules forbid the same, a lab file may name any of them.

use crate::frame::{CombatStep, Frame};

/// Other rules that forbid the same as the rule that a refusal cites.
pub fn also(key: &str, rule: &str, frame: &Frame) -> &'static [&'static str] {
    match key.split_once('.').map_or(key, |(_, name)| name) {
        "bond" => match frame {
            Frame::Combat(c) if matches!(c.step, CombatStep::Advance(_)) => &["7.5", "15.2", "15.4"],
            Frame::Combat(_) | Frame::Flight(_) => &["7.5", "13.2", "13.3"],
            _ => &["7.4", "7.5", "7.3", "8.3.2", "8.3.3", "23.3.3"],
        },
        // A separate rule says which side chooses the unit that loses a step.
        "not_awaited" | "not_now" => match (rule, frame) {
            ("11.3", Frame::Combat(c)) if matches!(c.step, CombatStep::StandLoss { .. }) => {
                &["-", "3.2", "12.4"]
            }
            ("5.4", _) => &["-", "3.2", "5.1", "5.5"],
            ("13.1", _) => &["-", "3.2", "13.2", "14.3"],
            ("12.1", _) => &["-", "3.2", "12.2", "12.3"],
            ("17.6", _) => &["-", "3.2", "9.4"],
            ("21.2", _) => &["-", "3.2", "21.1"],
            ("20.3", _) => &["-", "3.2", "20.1"],
            ("15.1", _) => &["-", "3.2", "15.2"],
            ("8.1", _) => &["-", "3.2", "8.2"],
            _ => &["-", "3.2"],
        },
        "stopped" => &["7.2", "7.3", "8.3.2", "8.3.3"],
        "enemy" => &["6.4", "8.1", "15.2"],
        "stacking" => match frame {
            Frame::Combat(c) if matches!(c.step, CombatStep::Advance(_)) => &["6.1", "6.3", "15.2", "15.7"],
            _ => &["6.1", "6.3", "22.4"],
        },
        "unknown" => &["25.2", "6.4", "15.2"],
        "engaged" => &["11.5", "8.1", "19.5"],
        "immobile" => &["2.3.4", "8.1"],
        "garrison" => &["23.7", "8.1"],
        "on_enemy" => &["22.3.5", "8.1"],
        "tactical_only" => {
            &["8.3", "8.3.1", "14.2", "22.3.6", "20.2", "18.4", "18.3.1", "23.1", "20.4", "8.2"]
        }
        "no_extended" => &["8.4", "23.1", "14.2", "18.4", "22.5", "17.2", "20.2", "22.3.6"],
        "extended_adjacent" | "extended_road" => &["8.4"],
        "moved" => &["8.1", "8.2", "8.7", "9.6", "7.2", "23.6", "25.4"],
        "too_far" => &["8.3.1", "8.3", "17.2", "20.4", "14.2", "8.1"],
        "too_slow" => &["8.3.1", "17.2"],
        "no_points" | "way_too_dear" | "no_way" => &["8.1", "7.2", "24.2", "8.4", "17.2"],
        "disordered" => &["9.3", "14.2", "14.3"],
        "disordered_ezoc" => &["14.2", "14.3"],
        "gun_attack" => &["9.3", "17.7", "2.3.2"],
        "train" => &["9.3", "2.4.7", "23.4"],
        "repl" => &["9.3", "20.4"],
        "disengaged" => &["9.3", "27.1"],
        "river_assault" => &["9.3", "9.5.3"],
        "engineer_busy" => &["8.5.3", "9.5.3"],
        "cannot_attack" | "no_attack" => &["9.3", "9.1", "16.2", "16.3"],
        "attacked" | "hex_attacked" => &["9.1", "9.2", "16.2", "16.3", "16.6"],
        "guns" | "gun_not_ready" | "gun_range" | "gun_command" | "guns_many" => &[
            "17.3", "17.4", "17.5", "17.6", "17.6.1", "17.6.2", "17.6.3", "17.2", "14.2", "11.5", "9.4",
            "17.1",
        ],
        "no_moved_marker" => &["17.2", "22.5", "18.4", "14.2"],
        "air" => &["10.7", "4.2", "20.1", "9.4"],
        "no_lead" | "support_lead" | "attached" => &["10.2", "9.4", "23.3.2"],
        "stand" => &["12.1", "12.3", "12.6", "14.2"],
        "route" => &["13.2", "13.3", "13.5", "7.5", "13.1"],
        "advance" | "advance_who" | "advance_limited" | "advance_zoc" | "advance_water" | "advance_marsh"
        | "advance_one" | "advance_far" => {
            &["15.1", "15.2", "15.3", "15.4", "15.5", "15.6", "15.7", "7.5", "12.5", "6.1", "17.7"]
        }
        "loser" => &["11.3", "10.2", "12.3", "12.4", "2.4.7"],
        "water" | "water_twice" => &["8.5.2", "8.5.3", "8.5.4"],
        "vehicle_river" => &["8.5.1", "8.5.2"],
        "ferry" | "ferry_steps" => &["8.5.6", "5.10", "23.3.3"],
        "ready" | "depleted" => &["17.3", "14.2", "18.4", "11.5"],
        "replacement" => &["20.3", "14.2", "18.4", "17.7"],
        "replacement_place" => &["20.3"],
        "demolition" | "not_wired" | "never_blown" => &["5.1", "5.2", "5.4", "5.5", "5.7", "14.2"],
        "wiring" => &["5.3", "5.2"],
        "repair" | "repair_enemy" | "not_blown" => &["5.8", "5.9"],
        "no_landing_points" => &["22.1", "22.2"],
        "no_landing_here" | "too_far_from_zone" => &["22.4"],
        "leave" => &["8.9", "19.5", "19.7", "13.7"],
        "entry" | "entry_open" => &["19.3", "19.4", "19.2", "23.5"],
        "dismount" | "mount" => &["8.7", "11.5"],
        "breakdown" | "merge" | "rebuild" => &["21.1", "21.2", "21.4", "21.5", "14.2", "11.5", "18.4"],
        "ferry_side" => &["23.3.3"],
        "disengage" => &["27.1", "14.2"],
        "auto_ds" => &["9.6", "20.1"],
        "traffic_place" | "no_road" | "not_allied_road" | "marker" => &["24.3", "24.4"],
        _ => &[],
    }
}
