//! Air Calls and air units (24), SAM and Flak Fire against them (27).

use hexgrid::{HexId, SideId};
use kernel::{Refusal, Stop};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    action::{Action, Payload, Subject, Units},
    event::Event,
    fire::{FireKind, FireSheet},
    frame::Frame,
    pack::{AirProfile, AntiAircraftResult, Profile, Purse, Ratio, SpecialStrike, System, TypeId},
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{Side, UnitId},
};

/// 4.3, 11.1.7: an air unit on its one mission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mission {
    pub side: Side,
    pub what: Payload,
    pub hex: HexId,
    /// 38.4: the bridge beside that hex that it strikes.
    pub bridge: Option<SideId>,
    pub hq: UnitId,
    pub steps: u8,
    pub aircraft: TypeId,
    pub profile: Option<AirProfile>,
    /// Its firing position.
    pub at: HexId,
    /// 27.3: it may no longer strike.
    pub aborted: bool,
}

impl Wurzburg {
    /// 24.2, 24.2.1, 23.5.5, 44.2.2: whether the HQ may call this many Air Points.
    pub fn check_air_call(&self, s: &State, what: Payload, hq: UnitId, points: u8) -> Result<(), Refusal> {
        let no = |rule, key| self.no(rule, key).unit("unit", hq).into();
        if !self.scenario.has(System::Air) {
            return no("24.0", "air.none");
        }
        // 24.2 step 1: a Disrupted HQ cannot make an Air Call, even if it observes the target itself.
        if s.unit(hq).is(Flags::DISRUPTED) {
            return no("24.2", "call.disrupted");
        }
        if self.night(s) {
            return no("32.1", "air.night");
        }
        if self.fog(s) {
            return no("46.5", "air.fog");
        }
        let nation = self.counter(hq).nation;
        let [least, most] = if what == Payload::Fire {
            self.tables.air_call.points
        } else {
            self.tables.air_call.adm_or_gas_points
        };
        if !(least..=most).contains(&points) {
            let rule = match what {
                Payload::Fire => "24.2",
                _ if self.counter(hq).side == Side::Wp => "24.2.1",
                _ => "24.2.2",
            };
            return self
                .no(rule, "air.points")
                .number("least", i64::from(least))
                .number("most", i64::from(most))
                .into();
        }
        if s.points[nation.purse().index()].air < points {
            return no("24.1", "air.no_points");
        }
        if what != Payload::Fire {
            let purse = self.special_aircraft(hq, what).map_or(Purse::Wp, |(_, purse)| purse);
            if self.special_points(s, purse, what) == 0 {
                let rule = if what == Payload::Adm { "23.5.1" } else { "44.1" };
                return self.no(rule, "strike.no_points").into();
            }
        }
        Ok(())
    }

    /// 24.2.2: the aircraft that delivers NATO mines or gas, and whose point is spent; `None` for WP, which rolls.
    fn special_aircraft(&self, hq: UnitId, what: Payload) -> Option<(TypeId, Purse)> {
        let counter = self.counter(hq);
        if counter.side == Side::Wp {
            return None;
        }
        let strike = if what == Payload::Adm { SpecialStrike::Adm } else { SpecialStrike::Gas };
        let row =
            self.tables.air_call.special.iter().find(|s| s.strike == strike && s.nation == counter.nation)?;
        Some((row.aircraft, row.spends))
    }

    /// 24.4: the distance of a position from the target; for a bridge, from the nearer of its two hexes.
    fn strikes_from(&self, air: &Mission, at: HexId) -> u32 {
        match air.bridge {
            Some(bridge) => {
                self.banks(bridge).iter().map(|hex| self.field.distance(at, *hex)).min().unwrap_or(u32::MAX)
            }
            None => self.field.distance(at, air.hex),
        }
    }

    pub(crate) fn profile_of(&self, mission: &Mission) -> Option<Profile> {
        self.pack.unit_type(mission.aircraft).air_profile(mission.profile?)
    }

    /// The profiles that the air unit may choose (24.0, 24.3).
    fn profiles(&self, mission: &Mission) -> SmallVec<[AirProfile; 4]> {
        let all = AirProfile::ALL.into_iter();
        all.filter(|p| {
            self.pack.unit_type(mission.aircraft).air_profile(*p).is_some()
                && (mission.what == Payload::Fire || p.bomb())
        })
        .collect()
    }

    /// 27.2.1, 27.2.1.1, 27.2.1.2: the Flak Strength against a target in a hex; fractions are kept until the sum.
    pub fn flak(&self, s: &State, side: Side, hex: HexId, table: &[Ratio; 3]) -> (bool, u8) {
        let (mut any, mut twelfths) = (false, 0u32);
        for unit in self.units_of(side) {
            if let Some((_, part)) = self.flak_of(s, *unit, hex, table) {
                any = true;
                twelfths += part;
            }
        }
        (any, u8::try_from(twelfths / 12).unwrap_or(u8::MAX))
    }

    /// A unit's distance from the target and its Flak Strength in twelfths: every factor is a third or a half, with at
    /// most two halves. `None` for a unit that cannot fire at it.
    pub fn flak_of(&self, s: &State, unit: UnitId, hex: HexId, table: &[Ratio; 3]) -> Option<(u32, u32)> {
        let flak = &self.tables.flak;
        let u = s.unit(unit);
        // 34.3: an engineer on its bridge may fire from either of the two hexes.
        let bridge = if u.place == Place::Bridge { self.bridge_of(s, unit) } else { None };
        if !u.on_map() && bridge.is_none() || !self.counter(unit).symbol.ground() {
            return None;
        }
        let distance = match bridge {
            Some((_, [a, b])) => self.field.distance(a, hex).min(self.field.distance(b, hex)),
            None => self.field.distance(u.hex, hex),
        };
        if distance > u32::from(flak.range) {
            return None;
        }
        let row = if s.smoke(u.hex) { &flak.firer_in_smoke } else { table };
        let ratio = row[distance as usize];
        let mut part = 12 * u32::from(u.steps) * u32::from(ratio.num) / u32::from(ratio.den);
        if u.is(Flags::DISRUPTED) {
            part = part * u32::from(flak.disrupted.num) / u32::from(flak.disrupted.den);
        }
        if u.is(Flags::CONTAMINATED) || self.in_gas(s, u.hex) {
            part = part * u32::from(flak.gas.num) / u32::from(flak.gas.den);
        }
        Some((distance, part))
    }

    /// The true Flak Strength against the air unit, and whether any unit is in range.
    fn flak_at_mission(&self, s: &State, mission: &Mission) -> (bool, u8) {
        self.flak(s, mission.side.enemy(), mission.at, &self.tables.flak.air)
    }
}

/// 24.2: spend the points, roll on the table, form the unit.
pub(super) fn begin(
    play: &mut Play,
    side: Side,
    what: Payload,
    hex: HexId,
    hq: UnitId,
    points: u8,
) -> Result<(), Stop> {
    let purse = play.rules.counter(hq).nation.purse();
    play.s.points[purse.index()].air -= points.min(play.s.points[purse.index()].air);
    let special = if what == Payload::Fire { None } else { play.rules.special_aircraft(hq, what) };
    let (aircraft, roll) = match special {
        Some((aircraft, spends)) => {
            super::strike::spend(play, side, spends, what);
            (aircraft, None)
        }
        None => {
            super::strike::spend(play, side, purse, what);
            let roll = play.roll(side, 0, "roll.air_call", "24.2")?;
            (play.rules.tables.air_call.aircraft(side, roll), Some(roll))
        }
    };
    play.tell(Event::AirCalled { side, hex, points, aircraft, roll });
    play.s.support.air = Some(Mission {
        side,
        what,
        hex,
        bridge: None,
        hq,
        steps: points,
        aircraft,
        profile: None,
        at: HexId::NONE,
        aborted: false,
    });
    play.then(&[Frame::AirProfile, Frame::AirStrike]);
    Ok(())
}

/// 24.3, 24.4: the profile, and the hex for Stand-off.
#[derive(Debug)]
pub struct ChooseProfile;

impl Question<Wurzburg> for ChooseProfile {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.support.air.map_or(Side::Wp, |air| air.side))
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Subject::Phase, Some(air)) = (subject, cx.s.support.air) else { return };
        for profile in cx.rules.profiles(&air) {
            if profile.bomb() {
                out.push(Action::Profile { profile, at: HexId::NONE });
                continue;
            }
            let kind = cx.rules.pack.unit_type(air.aircraft).air_profile(profile);
            let range = kind.map_or(0, |p| u32::from(p.range));
            let hexes = cx.rules.field.board.ids();
            for at in hexes.filter(|at| cx.rules.strikes_from(&air, *at) <= range) {
                out.push(Action::Profile { profile, at });
            }
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (Action::Profile { profile, at }, Some(air)) = (action, cx.s.support.air) else {
            return Err(cx.rules.not_now());
        };
        if !cx.rules.profiles(&air).contains(profile) {
            let rule = if air.what == Payload::Fire { "24.0" } else { "24.3" };
            return cx.rules.no(rule, "air.profile").into();
        }
        let kind = cx.rules.pack.unit_type(air.aircraft).air_profile(*profile);
        let range = kind.map_or(0, |p| u32::from(p.range));
        match at.some() {
            None if profile.bomb() => Ok(()),
            Some(hex) if cx.rules.strikes_from(&air, hex) <= range => Ok(()),
            _ => cx.rules.no("24.4", "air.position").into(),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let (Action::Profile { profile, at }, Some(air)) = (action, &mut play.s.support.air) else {
            return Ok(());
        };
        air.profile = Some(*profile);
        air.at = at.some().unwrap_or(air.hex);
        play.push(Frame::AntiAircraft);
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.air_profile", "24.3")
    }
}

/// 27.0, 27.1: SAM Fire at a High profile, or not; 27.2: Flak Fire at a Low one with an announced strength.
#[derive(Debug)]
pub struct AntiAircraft;

impl AntiAircraft {
    fn low(air: &Mission) -> bool {
        air.profile.is_some_and(AirProfile::low)
    }
}

impl Question<Wurzburg> for AntiAircraft {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.support.air.map_or(Side::Wp, |air| air.side.enemy()))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let air = cx.s.support.air?;
        if Self::low(&air) {
            return match cx.rules.flak_at_mission(cx.s, &air) {
                (false, _) => Some(Action::Hold),
                (true, 0) => Some(Action::Flak(0)),
                _ => None,
            };
        }
        None
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Subject::Phase, Some(air)) = (subject, cx.s.support.air) else { return };
        if Self::low(&air) {
            let (_, most) = cx.rules.flak_at_mission(cx.s, &air);
            out.extend((0..=most).rev().map(Action::Flak));
        } else {
            out.extend([Action::Sam, Action::Hold]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Some(air) = cx.s.support.air else { return Err(cx.rules.not_now()) };
        match (action, Self::low(&air)) {
            (Action::Sam, false) => Ok(()),
            (Action::Hold | Action::Done, false) => Ok(()),
            (Action::Hold | Action::Done, true) => {
                // 27.2.2: never skipped while a unit is in range.
                if cx.rules.flak_at_mission(cx.s, &air).0 {
                    return cx.rules.no("27.2.2", "air.must_fire").into();
                }
                Ok(())
            }
            (Action::Flak(strength), true) => {
                let (_, most) = cx.rules.flak_at_mission(cx.s, &air);
                if *strength > most {
                    return cx.rules.no("27.2.2", "air.flak").number("most", i64::from(most)).into();
                }
                Ok(())
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let Some(air) = play.s.support.air else { return Ok(()) };
        let standoff = air.profile.is_some_and(|p| !p.bomb());
        let table = &play.rules.tables.anti_aircraft;
        let (sam, strength, modifier) = match action {
            Action::Sam => {
                let sam = play.s.sides[side.index()].sam;
                (true, sam, sam as i8 + if standoff { table.sam_against_standoff } else { 0 })
            }
            Action::Flak(strength) => (false, *strength, *strength as i8),
            _ => return Ok(()),
        };
        let (purpose, rule) = if sam { ("roll.sam", "27.1") } else { ("roll.flak", "27.2.2") };
        let roll = play.roll(side, modifier, purpose, rule)?;
        let modified = roll as i8 + modifier;
        let result = table.result(modified);
        play.tell(Event::AntiAircraft { side, sam, strength, roll, modified, result });
        match result {
            AntiAircraftResult::NoEffect => {}
            AntiAircraftResult::HitCheckOrAbort => play.push(Frame::AirChoice),
            AntiAircraftResult::HitCheckAndAbort => {
                hit_check(play)?;
                abort(play);
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.anti_aircraft", "27.0")
    }
}

/// 27.3.1: the firing player rolls; the Defense Strength or more costs a step.
fn hit_check(play: &mut Play) -> Result<(), Stop> {
    let Some(air) = play.s.support.air else { return Ok(()) };
    let side = air.side.enemy();
    let defense = play.rules.profile_of(&air).map_or(1, |p| p.defense);
    let roll = play.roll(side, 0, "roll.hit_check", "27.3.1")?;
    let lost = roll >= defense;
    play.tell(Event::HitCheck { side, roll, defense, lost });
    if lost && let Some(air) = &mut play.s.support.air {
        air.steps -= 1;
        play.s.sides[side.index()].air_hits += 1; // 27.3.3
    }
    Ok(())
}

/// 27.3.2: the air unit leaves without striking.
fn abort(play: &mut Play) {
    if let Some(air) = &mut play.s.support.air {
        air.aborted = true;
        let side = air.side;
        play.tell(Event::Aborted { side });
    }
}

/// 27.3: undergo the Hit Check and continue, or abort.
#[derive(Debug)]
pub struct AirChoice;

impl Question<Wurzburg> for AirChoice {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.support.air.map_or(Side::Wp, |air| air.side))
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend([Action::GoOn, Action::Abort]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        if matches!(action, Action::GoOn | Action::Abort) { Ok(()) } else { Err(cx.rules.not_now()) }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if *action == Action::GoOn {
            hit_check(play)
        } else {
            abort(play);
            Ok(())
        }
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.air_choice", "27.3")
    }
}

/// 24.5, 24.5.1: the remaining steps of the air unit strike; the frame has already been popped.
pub fn air_strike(play: &mut Play) -> Result<(), Stop> {
    let Some(air) = play.s.support.air.take() else { return Ok(()) };
    if air.aborted || air.steps == 0 {
        return Ok(());
    }
    if air.what != Payload::Fire {
        if air.steps >= play.rules.tables.adm_gas.least_air_steps {
            return super::strike::deliver(play, air.side, air.hex, air.what);
        }
        play.tell(Event::StrikeFailed { side: air.side, hex: air.hex });
        return Ok(());
    }
    if let Some(bridge) = air.bridge {
        let attack = play.rules.profile_of(&air).map_or(0, |p| p.attack);
        return super::bridge::by_air(play, &air, bridge, attack);
    }
    let sheet = air_sheet(play.rules, play.s, &air);
    let targets: Units = play.rules.stack(play.s, air.side.enemy(), air.hex);
    super::strike::hit(play, FireKind::Strike, air.side, air.hex, &sheet, &[], &targets)
}

/// 24.5: halved by close terrain and by smoke in the target hex, even from within it.
fn air_sheet(rules: &Wurzburg, s: &State, air: &Mission) -> FireSheet {
    let attack = rules.profile_of(air).map_or(0, |p| u32::from(p.attack));
    let total = air_total(rules, s, air.hex, attack * u32::from(air.steps));
    FireSheet { firers: Vec::new(), total, effective: total / 2 }
}

/// The attack strength of a step by this profile, and the strike of all steps at a hex; `None` for a bridge, gas or an ADM.
pub fn profile_sheet(
    rules: &Wurzburg,
    s: &State,
    air: &Mission,
    profile: AirProfile,
) -> Option<(u32, FireSheet)> {
    if air.what != Payload::Fire || air.bridge.is_some() {
        return None;
    }
    let air = Mission { profile: Some(profile), ..*air };
    let attack = u32::from(rules.profile_of(&air)?.attack);
    Some((attack, air_sheet(rules, s, &air)))
}

/// The total Fire Strength of an air unit with this basic strength.
pub fn air_total(rules: &Wurzburg, s: &State, hex: HexId, basic: u32) -> u32 {
    let mut quarters = 4 * basic;
    if rules.field.terrain(hex).close() {
        quarters /= 2;
    }
    if s.smoke(hex) {
        quarters /= 2;
    }
    quarters / 4
}
