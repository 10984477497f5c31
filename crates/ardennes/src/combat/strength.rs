//! What an attack is worth: factors unit by unit with every halving, the Defensive Combat Bonus with its caps, the
//! shifts with their rules, the odds (14.4, 14.5, 15, 21). Pure: a [`Sheet`] is worked out from a position and a
//! planned attack and changes nothing. The combat, its explanation and its exact odds all read the same sheet.

use hexgrid::HexId;

use crate::{
    action::{Attack, MAX_ATTACKERS},
    combat::Defenders,
    flags::Flags,
    fuel_dumps,
    list::{List, Slot},
    pack::{CombatResult, Side, Tables, Tag, Terrain, UnitId},
    rules::Ardennes,
    state::State,
};

/// 34: no more attack factors than this count.
pub const FACTOR_LIMIT: u16 = 15;

/// Why a unit attacks at half strength (15.2–15.7). Only one cause ever counts; the first that holds is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halving {
    /// 15.5: out of a Wooded Rough hex.
    OutOfWoodedRough,
    /// 15.5: into a Wooded Rough hex over a bridge site.
    BridgeIntoWoodedRough,
    /// 15.3
    River,
    /// 15.4: a Vehicle unit over a hexside that it could not cross.
    Vehicle,
    /// 15.7: Allied Vehicle units into a West Wall hex (1E: silhouette tanks and recon).
    WestWall,
}

impl Halving {
    pub const fn rule(self) -> &'static str {
        match self {
            Halving::OutOfWoodedRough | Halving::BridgeIntoWoodedRough => "15.5",
            Halving::River => "15.3",
            Halving::Vehicle => "15.4",
            Halving::WestWall => "15.7",
        }
    }

    /// The end of its message key.
    pub const fn key(self) -> &'static str {
        match self {
            Halving::OutOfWoodedRough => "out_of_wooded_rough",
            Halving::BridgeIntoWoodedRough => "bridge_into_wooded_rough",
            Halving::River => "river",
            Halving::Vehicle => "vehicle",
            Halving::WestWall => "west_wall",
        }
    }
}

/// One attacking unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackLine {
    pub unit: UnitId,
    /// AF of the side that lies up.
    pub printed: u8,
    /// 27.4: black-boxed AF against a Village, Town or City.
    pub doubled: bool,
    pub halved: Option<Halving>,
    /// What it adds.
    pub counted: u8,
    /// Gives the attacker the Armor Shift (21.1, 16.3).
    pub armor: bool,
}

impl Slot for AttackLine {
    const EMPTY: Self = AttackLine {
        unit: UnitId::EMPTY,
        printed: 0,
        doubled: false,
        halved: None,
        counted: 0,
        armor: false,
    };
}

/// Why a defending unit takes no part in the hex's DCB (15.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBonus {
    /// 15.1: DF in parentheses.
    Parentheses,
    /// 12.5
    StrategicMovement,
    /// 22.9
    Artillery,
    /// 17.5: retreated into the hex, adds nothing at all.
    Retreated,
    /// 32.2
    FuelDump,
}

impl NoBonus {
    pub const fn rule(self) -> &'static str {
        match self {
            NoBonus::Parentheses => "15.1",
            NoBonus::StrategicMovement => "12.5",
            NoBonus::Artillery => "22.9",
            NoBonus::Retreated => "17.5",
            NoBonus::FuelDump => "32.2",
        }
    }

    pub const fn key(self) -> &'static str {
        match self {
            NoBonus::Parentheses => "parentheses",
            NoBonus::StrategicMovement => "strategic",
            NoBonus::Artillery => "artillery",
            NoBonus::Retreated => "retreated",
            NoBonus::FuelDump => "fuel_dump",
        }
    }
}

/// One defending unit, or the garrison of a fuel dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefenseLine {
    /// None for the garrison (32.2).
    pub unit: Option<UnitId>,
    pub printed: u8,
    pub counted: u8,
    pub no_bonus: Option<NoBonus>,
    /// One of the Tank units that give the defender the Armor Shift (21.1, 16.3).
    pub armor: bool,
}

impl Slot for DefenseLine {
    const EMPTY: Self = DefenseLine { unit: None, printed: 0, counted: 0, no_bonus: None, armor: false };
}

/// What the DCB comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BonusFrom {
    Nothing,
    Terrain(Terrain),
    /// 15.8
    ImprovedPosition,
}

/// What keeps the DCB down (15.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// Nobody in the hex may have one.
    NobodyEligible,
    /// Only silhouette tanks.
    SilhouettesOnly,
    /// The summed DF of those who may have it.
    Defense,
}

impl Cap {
    pub const fn key(self) -> &'static str {
        match self {
            Cap::NobodyEligible => "nobody_eligible",
            Cap::SilhouettesOnly => "silhouettes_only",
            Cap::Defense => "defense",
        }
    }
}

/// The Defensive Combat Bonus of the hex (15.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bonus {
    pub from: BonusFrom,
    /// Before the caps.
    pub printed: u8,
    pub cap: Option<Cap>,
    pub counted: u8,
}

/// Why the column is shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShiftCause {
    ArmorAttacker,
    ArmorDefender,
    ArtilleryAttacker,
    ArtilleryDefender,
    DefenderDisrupted,
    DefenderStrategic,
    AttackersAdvantage,
    AirSupport,
    Jabos,
    Surprise,
    AttackerOos,
    /// 1E 23.4
    DefenderOos,
}

impl ShiftCause {
    pub const fn rule(self) -> &'static str {
        match self {
            ShiftCause::ArmorAttacker | ShiftCause::ArmorDefender => "21.1",
            ShiftCause::ArtilleryAttacker => "22.7",
            ShiftCause::ArtilleryDefender => "22.8",
            ShiftCause::DefenderDisrupted => "18.2",
            ShiftCause::DefenderStrategic => "12.5",
            ShiftCause::AttackersAdvantage => "16.6",
            ShiftCause::AirSupport | ShiftCause::Jabos => "15.6",
            ShiftCause::Surprise => "27.8.3",
            ShiftCause::AttackerOos | ShiftCause::DefenderOos => "23.4",
        }
    }

    /// The end of its message key.
    pub const fn key(self) -> &'static str {
        match self {
            ShiftCause::ArmorAttacker => "armor_attacker",
            ShiftCause::ArmorDefender => "armor_defender",
            ShiftCause::ArtilleryAttacker => "artillery_attacker",
            ShiftCause::ArtilleryDefender => "artillery_defender",
            ShiftCause::DefenderDisrupted => "defender_disrupted",
            ShiftCause::DefenderStrategic => "defender_strategic",
            ShiftCause::AttackersAdvantage => "attackers_advantage",
            ShiftCause::AirSupport => "air_support",
            ShiftCause::Jabos => "jabos",
            ShiftCause::Surprise => "surprise",
            ShiftCause::AttackerOos => "attacker_oos",
            ShiftCause::DefenderOos => "defender_oos",
        }
    }
}

/// A column shift: positive to the right, for the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    pub cause: ShiftCause,
    pub columns: i8,
}

impl Slot for Shift {
    const EMPTY: Self = Shift { cause: ShiftCause::ArmorAttacker, columns: 0 };
}

/// An attack worked out. Shifts that a die decides (surprise, defensive artillery, Jabos) are not in it: their sum is
/// given to [`Sheet::column`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    pub attacker: Side,
    pub target: HexId,
    pub attackers: List<AttackLine, MAX_ATTACKERS>,
    pub defenders: List<DefenseLine, 25>,
    /// Sum of the attackers' lines, before the limit of 34.
    pub attack_sum: u16,
    pub attack: u16,
    /// Sum of the defenders' lines, without DCB.
    pub defense_sum: u16,
    pub bonus: Bonus,
    pub defense: u16,
    pub shifts: List<Shift, 12>,
    /// Which side has the Armor Shift.
    pub armor_shift: Option<Side>,
}

impl Sheet {
    /// The odds before shifts, as a rung of the ladder … 1-3, 1-2, 1-1, 2-1, 3-1 … with 1-1 as 0 (14.4, G-13).
    pub fn rung(&self) -> i16 {
        rung(self.attack, self.defense)
    }

    /// The sum of the shifts known beforehand.
    pub fn shift(&self) -> i8 {
        self.shifts.iter().map(|shift| shift.columns).sum()
    }

    /// The column of the CRT with the shifts that dice added (14.5).
    pub fn column(&self, tables: &Tables, rolled: i8) -> usize {
        column(tables, self.rung() + i16::from(self.shift()) + i16::from(rolled))
    }

    /// The result of a die in that column.
    pub fn result(&self, tables: &Tables, rolled: i8, die: u8) -> CombatResult {
        tables.crt.rows[usize::from(die.clamp(1, 6)) - 1][self.column(tables, rolled)]
    }
}

/// 14.4: the rung of the odds ladder, 1-1 is 0, 2-1 is 1, 1-2 is −1. Remainders favour the defender (G-13).
pub fn rung(attack: u16, defense: u16) -> i16 {
    const FAR: i16 = 99;
    if attack == 0 {
        -FAR
    } else if defense == 0 {
        FAR
    } else if attack >= defense {
        (attack / defense) as i16 - 1
    } else {
        1 - defense.div_ceil(attack) as i16
    }
}

/// The two numbers of a rung: `(3, 1)` for 3-1.
pub fn odds(rung: i16) -> (u16, u16) {
    if rung >= 0 { (rung as u16 + 1, 1) } else { (1, rung.unsigned_abs() + 1) }
}

/// 14.5: shifts are applied to the unclamped odds, then the first and last columns catch the rest.
pub fn column(tables: &Tables, rung: i16) -> usize {
    let columns = &tables.crt.columns;
    let of = |c: &crate::pack::Odds| self::rung(u16::from(c.attack), u16::from(c.defense));
    let at = columns.iter().rposition(|c| of(c) <= rung);
    at.unwrap_or(0)
}

/// Works an attack out. Attackers may stand in a Blocking Position (13.8): nothing lies between them and the target.
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
        sheet.attackers.push(line);
    }
    sheet.attack = if rules.options.fifteen_factors {
        sheet.attack_sum.min(FACTOR_LIMIT) // 34
    } else {
        sheet.attack_sum
    };
    for unit in s.stack(target) {
        let line = defense_line(rules, s, unit, target);
        sheet.defense_sum += u16::from(line.counted);
        sheet.defenders.push(line);
    }
    if let Some(garrison) = dump_garrison(rules, s, attacker, target) {
        sheet.defense_sum += u16::from(garrison);
        sheet.defenders.push(DefenseLine {
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
            sheet.shifts.push(Shift { cause, columns });
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
    let doubled = rules.counter(unit).has(Tag::BlackBoxAttack) && rules.land.hex(target).settlement.is_some();
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
        // G-51: a river hexside without a bridge site is ignored on the way into Wooded Rough (3.3).
        if way.river && !into_rough {
            return Some(Halving::River);
        }
        if counter.vehicle && !way.open_to_vehicles() {
            return Some(Halving::Vehicle);
        }
    }
    let bound = if rules.first_edition() {
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

/// 17.5: it retreated this phase into a hex of units that did not.
pub fn adds_nothing(s: &State, unit: UnitId, hex: HexId) -> bool {
    s.unit(unit).is(Flags::RETREATED) && s.stack(hex).any(|other| !s.unit(other).is(Flags::RETREATED))
}

/// The units of a hex that defend it, and those that only stand there (17.5).
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
    garrison.then_some(rules.tables().markers.fuel_dump_defense)
}

/// 15.1, 15.8; G-45: what those who may have it can use.
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
        let sum: u16 = eligible().map(|line| u16::from(line.counted)).sum();
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
    match (counter.tq_red, rules.first_edition()) {
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
    let weak = rules.first_edition() && s.unit(unit).is(Flags::OOS);
    rules.tank_quality(s, unit).saturating_sub(u8::from(weak))
}

/// 21.1–21.3: who has the Armor Shift, and thanks to which units.
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
        // 21.3: not over a hexside that it could not cross.
        let crosses = match s.unit(line.unit).hex() {
            Some(from) => rules.way(s, from, sheet.target).is_some_and(super::ground::Way::open_to_vehicles),
            None => true, // 13.8
        };
        // 1E 21.2: a red rating serves only the defense.
        let rated = !(rules.first_edition() && counter.tq_red);
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
        let is_tank = counter.tank || both || rules.first_edition() && counter.tq_red;
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
    if !rules.first_edition() {
        return both;
    }
    // 1E 21.1: the 150th only while unreduced; recon with a Tank Quality too.
    let reduced_150 = counter.has(Tag::DrSola) && s.unit(unit).is(Flags::REDUCED);
    both && !reduced_150 || counter.recon && rules.tank_quality(s, unit) > 0
}
