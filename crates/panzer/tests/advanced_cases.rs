//! Lookups of the Advanced Game, pinned case by case (`data/advanced_cases.toml`).

use panzer::field::Terrain;
use panzer::pack::advanced::lookup::{Fire, HullDown, VehicleResult, allowance, outcome, overrun_factor};
use panzer::pack::advanced::{
    Advanced, Altitude, Angle, BailResult, CloseAssaultModifier, GpModifier, Grade, HandToHandModifier,
    LegSize, Level, Outcome, Passenger, RangeFactor, Rate, Response, ResponseModifier, Speed, SpotSize,
    TargetType, Weapon,
};
use panzer::pack::{Cover, Pack};

fn pack() -> &'static Pack {
    Pack::embedded().unwrap_or_else(|e| panic!("{e}"))
}

fn advanced() -> &'static Advanced {
    &pack().advanced
}

fn weapon(id: &str) -> &'static Weapon {
    advanced().weapon(id).unwrap_or_else(|| panic!("{id}"))
}

/// One case of `data/advanced_cases.toml`, compared with its `expect`.
struct Case<'a> {
    given: &'a toml::Table,
    out: toml::Table,
}

impl Case<'_> {
    fn text(&self, key: &str) -> &str {
        self.given[key].as_str().unwrap_or_else(|| panic!("{key}"))
    }

    fn number(&self, key: &str) -> i16 {
        self.given[key].as_integer().unwrap_or_else(|| panic!("{key}")) as i16
    }

    fn small(&self, key: &str) -> u8 {
        self.number(key) as u8
    }

    fn flag(&self, key: &str) -> bool {
        self.given[key].as_bool().unwrap_or_else(|| panic!("{key}"))
    }

    fn list(&self, key: &str) -> Vec<&str> {
        self.given[key].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
    }

    fn grade(&self, key: &str) -> Grade {
        Grade::parse(self.text(key)).unwrap()
    }

    fn factor(&self) -> RangeFactor {
        RangeFactor::parse(self.text("factor")).unwrap()
    }

    fn target(&self) -> TargetType {
        match self.text("target") {
            "A" => TargetType::A,
            "P" => TargetType::P,
            _ => TargetType::S,
        }
    }

    fn put(&mut self, key: &str, value: impl Into<toml::Value>) {
        self.out.insert(key.into(), value.into());
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NoEffect => "no_effect",
        Outcome::Suppressed => "suppressed",
        Outcome::Effective => "effective",
    }
}

fn result(result: VehicleResult, die: Option<u8>) -> &'static str {
    match result {
        VehicleResult::None => "no_effect",
        VehicleResult::Suppressed => "suppressed",
        VehicleResult::Damage => "damage",
        VehicleResult::Track => "track_hit",
        VehicleResult::Destroyed { brew_up } => match die {
            Some(die) if die <= brew_up => "brew_up",
            Some(_) => "knock_out",
            None => "knock out or brew up",
        },
    }
}

fn sum<T: Into<i16>>(values: impl Iterator<Item = T>) -> i16 {
    values.map(Into::into).sum()
}

fn evaluate(kind: &str, case: &mut Case<'_>) {
    match kind {
        "spotting" | "commands" | "initiative" | "quickmarch" | "recovery" | "allowance" => {
            command(kind, case);
        }
        "ap_hit" | "location" | "damage" | "bail_out" => ap(kind, case),
        "gp" | "gpd" | "small_arms" | "heavy_gp" | "aa" => gp(kind, case),
        _ => rest(kind, case),
    }
}

fn command(kind: &str, case: &mut Case<'_>) {
    let (t, basic) = (&advanced().tables, &pack().tables.modifiers);
    match kind {
        "spotting" => {
            let shift = |name: &&str| match *name {
                "target_light_cover" => basic.spot_cover[1],
                "target_medium_cover" => basic.spot_cover[2],
                "target_heavy_cover" => basic.spot_cover[3],
                "target_spot_move" => basic.spot_move,
                "target_spot_fire" => basic.spot_fire,
                "target_spot_fire_small_arms" => t.spot_fire_small_arms,
                "spotter_suppressed" => t.spotter_suppressed,
                "spotter_full_cover" => t.spotter_full_cover,
                "target_full_cover" => t.target_full_cover,
                other => panic!("{other}"),
            };
            let net: i8 = case.list("shifts").iter().map(shift).sum();
            let size = match case.text("size") {
                "V" => SpotSize::Vehicle,
                "L" => SpotSize::Large,
                _ => SpotSize::Small,
            };
            case.put("net", i64::from(net));
            case.put("hexes", i64::from(t.spotting_range(net, size)));
        }
        "commands" => case.put("commands", i64::from(t.commands(case.grade("grade"), case.small("active")))),
        "initiative" => {
            let total = |side: &str| {
                let grade = case.grade(&format!("{side}_grade"));
                case.number(&format!("{side}_roll")) + i16::from(t.initiative[grade.index()])
            };
            let (axis, allied) = (total("axis"), total("allied"));
            let first = match axis.cmp(&allied) {
                std::cmp::Ordering::Greater => "axis",
                std::cmp::Ordering::Less => "allied",
                std::cmp::Ordering::Equal => "reroll",
            };
            case.put("axis", i64::from(axis));
            case.put("allied", i64::from(allied));
            case.put("first", first);
        }
        "quickmarch" => {
            let worst = t.grades[case.grade("grade").index()].quickmarch;
            case.put("suppressed", case.small("roll") <= worst);
        }
        "recovery" => {
            let mut total = case.number("roll");
            total += if case.flag("command") { i16::from(t.recovery_command) } else { 0 };
            total += if case.flag("fired_at") { i16::from(t.recovery_fired_at) } else { 0 };
            case.put("total", i64::from(total));
            case.put("recovers", total <= i16::from(t.grades[case.grade("grade").index()].recovery));
        }
        _ => {
            let halved = ["suppressed", "short_halt", "damaged"].iter().filter(|k| case.flag(k)).count();
            case.put("allowance", i64::from(allowance(case.small("allowance"), halved as u8)));
        }
    }
}

fn ap(kind: &str, case: &mut Case<'_>) {
    let t = &advanced().tables;
    match kind {
        "ap_hit" => {
            let given = case.given["modifiers"].as_array().unwrap();
            let net = sum(given.iter().map(|m| m.as_integer().unwrap() as i16))
                + i16::from(t.ap_grade(case.grade("grade"), case.factor()));
            let row = (5 - net.clamp(-10, 5)) as usize;
            let number = pack().tables.ap_hit[row][case.factor().index()];
            let rate = Rate::parse(case.text("rate")).unwrap();
            let hits = t.hits(rate, number, case.small("roll"));
            case.put("net", i64::from(net));
            case.put("number", i64::from(number));
            case.put("hits", i64::from(hits));
        }
        "location" => {
            let hull_down = match case.text("hull_down") {
                "hd" => HullDown::Full,
                "phd" => HullDown::Partial,
                _ => HullDown::None,
            };
            let angle = Angle::parse(case.text("angle")).unwrap();
            let place = t.location(angle, case.small("index"), case.flag("falling"), hull_down);
            case.put("location", place.map_or("miss", |p| p.key()));
        }
        "damage" => {
            let target = if case.flag("soft") { TargetType::S } else { TargetType::A };
            let damage = t.ap_damage(weapon(case.text("weapon")), case.small("die"), target);
            case.put("result", damage.letters());
        }
        _ => {
            let who = match case.text("who") {
                "crew" => Passenger::Crew,
                "towed_passenger" => Passenger::Towed,
                _ => Passenger::Leg,
            };
            let row = BailResult::parse(case.text("result")).unwrap();
            let test = t.bail_out(row, who, case.grade("grade")).unwrap();
            let out = match (test.survives, test.out(case.small("roll"))) {
                (false, true) => "bails out",
                (false, false) => "stays",
                (true, true) => "survives",
                (true, false) => "eliminated",
            };
            case.put("outcome", out);
        }
    }
}

fn gp(kind: &str, case: &mut Case<'_>) {
    let t = &advanced().tables;
    match kind {
        "gp" => {
            let fire = match case.text("mode") {
                "df" => Fire::Direct,
                "if" => Fire::Indirect,
                _ => Fire::Air,
            };
            let value = |m: &&str| t.gp_modifier(GpModifier::parse(m).unwrap(), fire).unwrap();
            let mut net = sum(case.list("modifiers").iter().map(value));
            if fire == Fire::Direct {
                net += i16::from(t.gp_grade(case.grade("grade"), case.factor()));
            }
            let (n, s) = t.gp_cell(case.small("gpf"), case.small("gpd"));
            let total = case.number("roll") + net;
            case.put("net", i64::from(net));
            case.put("n", i64::from(n));
            case.put("s", i64::from(s));
            case.put("total", i64::from(total));
            case.put("outcome", name(outcome((n, s), total)));
        }
        "gpd" => {
            let card = advanced().leg(case.text("card")).unwrap();
            let cover = match case.text("cover") {
                "light" => Cover::Light,
                "medium" => Cover::Medium,
                "heavy" => Cover::Heavy,
                _ => Cover::None,
            };
            let gpd = t.foot_defense(&card.gpd, cover, case.flag("full_cover"), case.flag("moving"));
            case.put("gpd", i64::from(gpd));
        }
        "small_arms" => {
            let outcome =
                if case.text("outcome") == "effective" { Outcome::Effective } else { Outcome::Suppressed };
            let digit = case.number("last_digit");
            case.put(
                "result",
                result(t.small_arms_result(outcome, case.target(), case.factor(), digit, 6), None),
            );
        }
        "heavy_gp" => {
            let (gpd, effect) = (case.small("gpd"), case.small("effectiveness"));
            let digit = case.number("last_digit");
            let what = t.heavy_result(Outcome::Effective, case.target(), gpd, effect, digit, true);
            case.put("result", result(what, Some(case.small("d10"))));
        }
        _ => {
            let aa = advanced().towed(case.text("gun")).unwrap().aa.unwrap();
            let (factor, gpf) = aa.row.at(u32::from(case.small("range"))).unwrap();
            let altitude = Altitude::parse(case.text("altitude")).unwrap();
            let speed = Speed::parse(case.text("speed")).unwrap();
            let net = sum(t.aa_modifiers(&aa, altitude, speed).unwrap().into_iter().map(|(_, v)| v))
                + i16::from(t.gp_grade(case.grade("grade"), factor));
            let total = case.number("roll") + net;
            let gpd = advanced().aircraft(case.text("aircraft")).unwrap().gpd.value;
            let outcome = match t.gp_outcome(gpf, gpd, total) {
                Outcome::Effective if total % 5 == 0 => "damaged", // 6.7.4.2.1
                Outcome::Effective => "shot down",
                other => name(other),
            };
            case.put("factor", factor.key());
            case.put("gpf", i64::from(gpf));
            case.put("net", i64::from(net));
            case.put("total", i64::from(total));
            case.put("outcome", outcome);
        }
    }
}

fn size(name: &str) -> LegSize {
    LegSize::ALL.into_iter().find(|s| s.key() == name).unwrap()
}

fn rest(kind: &str, case: &mut Case<'_>) {
    let t = &advanced().tables;
    match kind {
        "response" => {
            let value = |m: &&str| {
                let key = match *m {
                    "pre_registered_point_of_this_off_map_battery" => "preregistered",
                    "adjusted_fire_unit_already_firing" => "adjusted",
                    "command_recon_observer" => "command_recon",
                    other => other,
                };
                t.response_modifier(ResponseModifier::parse(key).unwrap())
            };
            let modifiers = sum(case.list("modifiers").iter().map(value));
            let level = Level::parse(case.text("level")).unwrap();
            let factor = t.response(Response::parse(case.text("observer")).unwrap(), level);
            let roll = case.number("roll");
            case.put("factor", i64::from(factor));
            case.put("modifiers", i64::from(modifiers));
            case.put("responds", roll != 1 && roll + modifiers >= i16::from(factor));
        }
        "close_assault" => {
            let primary = size(case.text("primary"));
            let value = |m: &str| t.close_modifier(CloseAssaultModifier::parse(m).unwrap());
            let net = sum(case.list("modifiers").iter().map(|m| value(m)))
                + sum(case.list("additional").iter().map(|a| value(&format!("additional_{a}"))))
                + i16::from(t.grades[case.grade("grade").index()].assault);
            let total = case.number("roll") + net;
            let gpd = case.small("gpd");
            let what = t.close_assault(primary, gpd, total, case.flag("flamethrower"));
            case.put("gpf", i64::from(t.assault.close[primary as usize].gpf));
            case.put("gpd", i64::from(gpd.min(t.assault.gpd_max)));
            case.put("net", i64::from(net));
            case.put("total", i64::from(total));
            case.put("outcome", result(what, Some(case.small("d10"))));
        }
        "hand_to_hand" => {
            let value = |m: &str| t.hand_modifier(HandToHandModifier::parse(m).unwrap());
            let grade = |key: &str| i16::from(t.grades[case.grade(key).index()].assault);
            let rolls = case.given["rolls"].as_array().unwrap();
            let roll = |i: usize| rolls[i].as_integer().unwrap() as i16;
            let attacker = roll(0)
                + sum(case.list("attacker").iter().map(|m| value(m)))
                + sum(case.list("additional").iter().map(|a| value(&format!("additional_{a}"))))
                + grade("attacker_grade");
            let defender =
                roll(1) + sum(case.list("defender").iter().map(|m| value(m))) + grade("defender_grade");
            let winner = match attacker.cmp(&defender) {
                std::cmp::Ordering::Greater => "attacker",
                std::cmp::Ordering::Less => "defender",
                std::cmp::Ordering::Equal => "reroll",
            };
            case.put("attacker", i64::from(attacker));
            case.put("defender", i64::from(defender));
            case.put("winner", winner);
        }
        "overrun_factor" => {
            let vehicle = advanced().vehicle(case.text("vehicle")).unwrap();
            let riders: Vec<u8> =
                case.list("passengers").iter().map(|p| advanced().leg(p).unwrap().gp.factor[0]).collect();
            let gpf = overrun_factor(t, &advanced().weapons, vehicle, riders.into_iter());
            let coax = t.gp_modifier(GpModifier::CoaxMg, Fire::Direct).unwrap();
            case.put("gpf", i64::from(gpf));
            case.put("coax", i64::from(if vehicle.coax_mg { coax } else { 0 }));
        }
        "building" => {
            let terrain = Terrain::parse(&format!("{}_building", case.text("type"))).unwrap();
            let (roll, gpd) = (case.small("roll"), case.small("gpd"));
            let result = match t.building_harms(terrain, roll, gpd) {
                false => "safe",
                true if t.building_breaks_track(terrain, case.small("second")) => "track_hit",
                true => "damage",
            };
            case.put("total", i64::from(roll) + 5 * i64::from(gpd));
            case.put("result", result);
        }
        "hull_down_search" => {
            let size = case.number("size") as i8;
            let modifier = t.hull_down_modifier(size, case.grade("grade"), case.flag("partial"));
            let total = case.number("roll") + i16::from(modifier);
            let terrain = Terrain::parse(case.text("terrain")).unwrap();
            let found = t.terrain[terrain as usize].hull_down.is_some_and(|max| total <= i16::from(max));
            case.put("total", i64::from(total));
            case.put("found", found);
        }
        other => panic!("no such kind of case: {other}"),
    }
}

// rule: 6.5.4
#[test]
fn every_case_comes_out() {
    let file: toml::Table = toml::from_str(include_str!("data/advanced_cases.toml")).unwrap();
    let cases = file["case"].as_array().unwrap();
    assert!(cases.len() >= 95);
    for entry in cases {
        let id = entry["id"].as_str().unwrap();
        let mut case = Case { given: entry["given"].as_table().unwrap(), out: toml::Table::new() };
        evaluate(entry["kind"].as_str().unwrap(), &mut case);
        assert_eq!(&case.out, entry["expect"].as_table().unwrap(), "{id}");
    }
}
