//! The strength of an attack: factors unit by unit with every halving, the Defensive Combat Bonus with its caps, the
//! shifts with their rules, the odds (14.4, 14.5, 15, 21). Pure: a [`Sheet`] is computed from a position and a planned
//! attack and changes nothing. The combat, its explanation and its exact odds all use the same sheet.

use hexgrid::HexId;

use crate::{
    action::Attack,
    combat::Defenders,
    flags::Flags,
    fuel_dumps,
    list::List,
    pack::{Side, Tag, Terrain, UnitId},
    rules::Ardennes,
    state::State,
};

pub use super::sheet::{
    AttackLine, Bonus, BonusFrom, Cap, DefenseLine, Halving, NoBonus, Sheet, Shift, ShiftCause, column, odds,
    rung,
};

/// 34: no more attack factors than this count.
pub const FACTOR_LIMIT: u16 = 15;

/// Computes the sheet of an attack. Attackers may be in a Blocking Position (13.8): nothing lies between them and the
/// target.
pub fn sheet(rules: &Ardennes, s: &State, attack: &Attack) -> Sheet {
    let attacker = attack.units.first().map_or(s.side, |u| rules.counter(*u).side);
    let target = attack.target;
    let tables = rules.tables();
    let mut sheet = Sheet {
        attacker,
        target,
        attackers: List::new(),
        defenders: List::new(),
        attack_sum: 0,
        attack: 0,
        defense_sum: 0,
        bonus: Bonus { from: BonusFrom::Nothing, printed: 0, cap: None, counted: 0 },
        defense: 0,
        shifts: List::new(),
        armor_shift: None,
    };
    for unit in &attack.units {
        let line = attack_line(rules, s, *unit, target);
        sheet.attack_sum += u16::from(line.counted);
        sheet.attackers.add(line);
    }
    sheet.attack = if rules.options.fifteen_factors {
        sheet.attack_sum.min(FACTOR_LIMIT) // 34
    } else {
        sheet.attack_sum
    };
    for unit in s.stack(target) {
        let line = defense_line(rules, s, unit, target);
        sheet.defense_sum += u16::from(line.counted);
        sheet.defenders.add(line);
    }
    if let Some(garrison) = dump_garrison(rules, s, attacker, target) {
        sheet.defense_sum += u16::from(garrison);
        sheet.defenders.add(DefenseLine {
            unit: None,
            printed: garrison,
            counted: garrison,
            no_bonus: Some(NoBonus::FuelDump),
            armor: false,
        });
    }
    sheet.bonus = bonus(rules, s, &sheet);
    sheet.defense = sheet.defense_sum + u16::from(sheet.bonus.counted);
    armor_shift(rules, s, &mut sheet);
    let shifts = &tables.shifts;
    let mut push = |cause: ShiftCause, columns: i8| {
        if columns != 0 {
            sheet.shifts.add(Shift { cause, columns });
        }
    };
    match sheet.armor_shift {
        Some(side) if side == attacker => push(ShiftCause::ArmorAttacker, shifts.armor_attacker as i8),
        Some(_) => push(ShiftCause::ArmorDefender, -(shifts.armor_defender as i8)),
        None => {}
    }
    // 22.7
    let guns = attack.artillery.len().min(usize::from(shifts.artillery_attacker_max_units)) as i8;
    push(ShiftCause::ArtilleryAttacker, guns * shifts.artillery_attacker as i8);
    if s.stack(target).any(|u| s.unit(u).is(Flags::DISRUPTED)) {
        push(ShiftCause::DefenderDisrupted, shifts.defender_disrupted as i8); // 18.2
    }
    if s.stack(target).any(|u| s.unit(u).is(Flags::ON_ROAD)) {
        push(ShiftCause::DefenderStrategic, shifts.defender_strategic as i8); // 12.5
    }
    if has_advantage(s, attacker, attack) {
        push(ShiftCause::AttackersAdvantage, shifts.attackers_advantage as i8); // 16.6
    }
    if attack.air {
        push(ShiftCause::AirSupport, shifts.air_support as i8); // 15.6
    }
    if attack.units.iter().any(|u| s.unit(*u).is(Flags::OOS)) {
        push(ShiftCause::AttackerOos, -(shifts.attacker_oos as i8)); // 23.4
    }
    // 1E 23.4
    if s.occupied(target) && s.stack(target).all(|u| s.unit(u).is(Flags::OOS)) {
        push(ShiftCause::DefenderOos, shifts.defender_oos as i8);
    }
    sheet
}

fn attack_line(rules: &Ardennes, s: &State, unit: UnitId, target: HexId) -> AttackLine {
    let printed = rules.factors(s, unit).attack;
    // 27.4
    let ground = rules.land.hex(target);
    // 1E 27.4: not in Villages.
    let built_up =
        if rules.villages_do_not_double() { ground.town_or_city() } else { ground.settlement.is_some() };
    let doubled = rules.counter(unit).has(Tag::BlackBoxAttack) && built_up;
    let strength = if doubled { printed.saturating_mul(2) } else { printed };
    let halved = halving(rules, s, unit, target);
    // 15.2: once, rounded up.
    let counted = if halved.is_some() { strength.div_ceil(2) } else { strength };
    AttackLine { unit, printed, doubled, halved, counted, armor: false }
}

/// 15.3–15.7
pub fn halving(rules: &Ardennes, s: &State, unit: UnitId, target: HexId) -> Option<Halving> {
    let counter = rules.counter(unit);
    let land = rules.land.hex(target);
    let from = s.unit(unit).hex();
    let way = from.and_then(|from| rules.way(s, from, target));
    let into_rough = land.is(Terrain::WoodedRough);
    if let (Some(from), Some(way)) = (from, way) {
        let ground = rules.land.hex(from).ground;
        if rules.tables().terrain.row(ground).attack_out_halved {
            return Some(Halving::OutOfWoodedRough);
        }
        if way.river && into_rough && way.bridge_site {
            return Some(Halving::BridgeIntoWoodedRough);
        }
        // G-51: a river hexside without a bridge site is ignored when attacking into Wooded Rough (3.3).
        if way.river && !into_rough {
            return Some(Halving::River);
        }
        if counter.vehicle && !way.open_to_vehicles() {
            return Some(Halving::Vehicle);
        }
    }
    let bound = if rules.silhouettes_are_bound() {
        counter.silhouette || counter.recon // 1E 15.7
    } else {
        counter.vehicle // G-14: by road too
    };
    (land.west_wall && counter.side == Side::Allied && bound).then_some(Halving::WestWall)
}

fn defense_line(rules: &Ardennes, s: &State, unit: UnitId, target: HexId) -> DefenseLine {
    let counter = rules.counter(unit);
    let printed = rules.factors(s, unit).defense;
    let no_bonus = if adds_nothing(s, unit, target) {
        Some(NoBonus::Retreated)
    } else if counter.artillery {
        Some(NoBonus::Artillery)
    } else if counter.parentheses {
        Some(NoBonus::Parentheses)
    } else if s.unit(unit).is(Flags::ON_ROAD) {
        Some(NoBonus::StrategicMovement)
    } else {
        None
    };
    let counted = if no_bonus == Some(NoBonus::Retreated) { 0 } else { printed };
    DefenseLine { unit: Some(unit), printed, counted, no_bonus, armor: false }
}

/// 17.5: it retreated in this phase into a hex with units that did not.
pub fn adds_nothing(s: &State, unit: UnitId, hex: HexId) -> bool {
    s.unit(unit).is(Flags::RETREATED) && s.stack(hex).any(|other| !s.unit(other).is(Flags::RETREATED))
}

/// The units that defend a hex, and those that are merely present (17.5).
pub fn defenders(s: &State, hex: HexId) -> (Defenders, Defenders) {
    let (mut defend, mut stand_by) = (Defenders::new(), Defenders::new());
    for unit in s.stack(hex) {
        if adds_nothing(s, unit, hex) {
            stand_by.push(unit)
        } else {
            defend.push(unit)
        };
    }
    (defend, stand_by)
}

/// 32.2: the DF of a fuel dump against a German attack.
pub fn dump_garrison(rules: &Ardennes, s: &State, attacker: Side, target: HexId) -> Option<u8> {
    let garrison = attacker == Side::German && fuel_dumps::seen(rules, s, target);
    garrison.then(|| fuel_dumps::garrison(rules, s, target))
}

/// 15.1, 15.8; G-45: no unit loses the bonus because of the units it shares the hex with, and the cap is the DF of all
/// units in the hex.
fn bonus(rules: &Ardennes, s: &State, sheet: &Sheet) -> Bonus {
    let effects = &rules.tables().terrain;
    let (from, printed) = printed_bonus(rules, s, sheet.attacker.enemy(), sheet.target);
    let eligible = || sheet.defenders.iter().filter(|line| line.no_bonus.is_none());
    let mut bonus = Bonus { from, printed, cap: None, counted: printed };
    let mut cap = |cap: Cap, limit: u8| {
        if limit < bonus.counted {
            (bonus.cap, bonus.counted) = (Some(cap), limit);
        }
    };
    if eligible().next().is_none() {
        cap(Cap::NobodyEligible, 0);
    }
    if eligible().all(|line| line.unit.is_some_and(|u| rules.counter(u).silhouette)) {
        cap(Cap::SilhouettesOnly, effects.silhouette_dcb_cap);
    }
    if effects.dcb_capped_by_defense {
        let sum: u16 =
            sheet.defenders.iter().filter(|l| l.unit.is_some()).map(|l| u16::from(l.counted)).sum();
        cap(Cap::Defense, sum.min(u16::from(u8::MAX)) as u8);
    }
    bonus
}

/// The most favourable DCB that the hex itself offers a side, before any cap (15.1, 15.7, 15.8).
pub fn printed_bonus(rules: &Ardennes, s: &State, defender: Side, hex: HexId) -> (BonusFrom, u8) {
    let effects = &rules.tables().terrain;
    let land = rules.land.hex(hex);
    let terrain = land.dcb[defender.index()];
    if s.improved.contains(hex) && effects.improved_position_dcb > terrain {
        return (BonusFrom::ImprovedPosition, effects.improved_position_dcb);
    }
    if terrain == 0 {
        return (BonusFrom::Nothing, 0);
    }
    let rows = [Some(land.ground), land.settlement, land.west_wall.then_some(Terrain::WestWall)];
    let best = rows.into_iter().flatten().find(|t| effects.row(*t).dcb[defender.index()] == terrain);
    (BonusFrom::Terrain(best.unwrap_or(land.ground)), terrain)
}

/// 16.6
fn has_advantage(s: &State, attacker: Side, attack: &Attack) -> bool {
    s.advantages.iter().any(|marker| {
        marker.side == attacker
            && marker.target == attack.target
            && marker
                .units
                .iter()
                .any(|u| attack.units.contains(*u) && s.unit(*u).hex() == marker.from.some())
    })
}

/// Tank Quality of a unit in the attack (21.2): red ratings are worth one less (1E: nothing).
pub fn attack_quality(rules: &Ardennes, s: &State, unit: UnitId) -> u8 {
    let counter = rules.counter(unit);
    let quality = supplied_quality(rules, s, unit);
    match (counter.tq_red, rules.red_rating_defends()) {
        (false, _) => quality,
        (true, false) => quality.saturating_sub(1),
        (true, true) => 0,
    }
}

/// Tank Quality of a defending unit: in full (21.2).
pub fn defense_quality(rules: &Ardennes, s: &State, unit: UnitId) -> u8 {
    supplied_quality(rules, s, unit)
}

/// 1E 23.4: one less while out of supply.
fn supplied_quality(rules: &Ardennes, s: &State, unit: UnitId) -> u8 {
    let weak = rules.supply_weakens_tanks() && s.unit(unit).is(Flags::OOS);
    rules.tank_quality(s, unit).saturating_sub(u8::from(weak))
}

/// 21.1–21.3: which side has the Armor Shift, and which units gave it.
fn armor_shift(rules: &Ardennes, s: &State, sheet: &mut Sheet) {
    if !rules.land.hex(sheet.target).armor_shift {
        return; // 21.3
    }
    let defend = |line: &&DefenseLine| line.unit.is_some() && line.no_bonus != Some(NoBonus::Retreated);
    let against = sheet
        .defenders
        .iter()
        .filter(defend)
        .filter_map(|line| line.unit)
        .map(|u| defense_quality(rules, s, u))
        .max()
        .unwrap_or(0);
    let tank_defends =
        sheet.defenders.iter().filter(defend).any(|l| l.unit.is_some_and(|u| rules.counter(u).tank));
    let mut attacker_has = false;
    let mut tank_attacks = false;
    for line in sheet.attackers.iter_mut() {
        let counter = rules.counter(line.unit);
        if !counter.tank {
            continue; // 21.2: FLAK never gains one
        }
        tank_attacks = true;
        // 21.3: not across a hexside that it could not cross.
        let crosses = match s.unit(line.unit).hex() {
            Some(from) => rules.way(s, from, sheet.target).is_some_and(super::ground::Way::open_to_vehicles),
            None => true, // 13.8
        };
        // 1E 21.2: a red rating serves only the defense.
        let rated = !(rules.red_rating_defends() && counter.tq_red);
        let better = attack_quality(rules, s, line.unit) > against || against == 0 && !tank_defends;
        line.armor = crosses && rated && better;
        attacker_has |= line.armor;
    }
    if attacker_has {
        sheet.armor_shift = Some(sheet.attacker);
        return;
    }
    if tank_attacks {
        return;
    }
    let (mut tank, mut infantry) = (false, false);
    for line in sheet.defenders.iter_mut() {
        let Some(unit) = line.unit else { continue };
        if line.no_bonus == Some(NoBonus::Retreated) {
            continue; // 17.5
        }
        let counter = rules.counter(unit);
        let both = counts_as_both(rules, s, unit);
        let is_tank = counter.tank || both || rules.red_rating_defends() && counter.tq_red;
        line.armor = is_tank;
        tank |= is_tank;
        infantry |= counter.infantry || both;
    }
    if tank && infantry {
        sheet.armor_shift = Some(sheet.attacker.enemy());
    } else {
        sheet.defenders.iter_mut().for_each(|line| line.armor = false);
    }
}

/// 21.1: Combat Commands, British armoured brigades and the 150th Panzer Brigade are tanks and infantry at once.
fn counts_as_both(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    let counter = rules.counter(unit);
    let both = counter.has(Tag::TankAndInfantry);
    if !rules.some_tanks_are_infantry_too() {
        return both;
    }
    // 1E 21.1: the 150th only while unreduced; recon with a Tank Quality too.
    let reduced_150 = counter.has(Tag::Brigade150) && s.unit(unit).is(Flags::REDUCED);
    both && !reduced_150 || counter.recon && rules.tank_quality(s, unit) > 0
}
