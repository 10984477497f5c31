//! Reinforcements and the Off-map Display (9.0 A, 40, 46.6): which units are due, and how they enter the map.

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};

use crate::{
    action::{Action, Part, Subject},
    event::{Event, Units},
    field::Field,
    frame::Frame,
    movement::QUARTERS,
    pack::{ArrivalMode, PointKind, Release, VictoryWhat},
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{OpKind, Place, State},
    units::{Side, Symbol, UnitId, UnitSet},
};

impl Wurzburg {
    /// 40.0: whether a unit is off the map, ready to enter.
    pub fn enters(&self, s: &State, unit: UnitId) -> bool {
        matches!(s.unit(unit).place, Place::Column | Place::FiveRow | Place::TenRow)
    }

    /// Edge hexes by which a unit off the map may enter (46.6.2, 40.3.1).
    pub fn entry_zone(&self, s: &State, unit: UnitId) -> HexSet {
        self.entry_zones[self.entry_number(s, unit)]
    }

    /// The number of the zone by which a unit may enter.
    fn entry_number(&self, s: &State, unit: UnitId) -> usize {
        let arrivals = self.scenario.arrivals.len();
        let arrival = usize::from(s.unit(unit).turn);
        if arrival < arrivals { arrival } else { arrivals + self.counter(unit).side.index() }
    }

    /// The distance of a hex from the zone by which a unit may enter; `None` if there is no such zone.
    pub fn entry_distance(&self, s: &State, unit: UnitId, hex: HexId) -> Option<u32> {
        let zone = self.entry_number(s, unit);
        let distances = self.entry_distances[zone].get_or_init(|| {
            let far = |hex| {
                let nearest =
                    self.entry_zones[zone].iter().map(|entry| self.field.distance(entry, hex)).min();
                nearest.map_or(u16::MAX, |distance| distance as u16)
            };
            self.field.board.ids().map(far).collect()
        });
        distances
            .get(hex.index())
            .filter(|distance| **distance != u16::MAX)
            .map(|distance| u32::from(*distance))
    }

    /// The zones by which units of each arrival enter, then those of the display of each side.
    pub(crate) fn all_entry_zones(&self) -> Vec<HexSet> {
        let arrivals = self.scenario.arrivals.iter();
        let zone = |arrival: &crate::pack::Arrival| {
            self.scenario.zone(&arrival.zone).unwrap_or(self.display_entries[arrival.side.index()])
        };
        arrivals.map(zone).chain(self.display_entries).collect()
    }

    /// The Movement Points of a unit that enters from the display, in quarters (40.4).
    pub fn display_mp(&self, s: &State, unit: UnitId) -> Option<u8> {
        match s.unit(unit).place {
            Place::FiveRow => Some(self.tables.off_map.five.mp * QUARTERS),
            Place::TenRow => Some(self.tables.off_map.ten.mp * QUARTERS),
            _ => None,
        }
    }

    /// The cost of the first hex: its normal or road cost, multiplied by the number of units that have entered there
    /// this turn plus one (`chart.entry_exit`).
    pub fn entry_cost(&self, s: &State, kind: OpKind, side: Side, hex: HexId) -> u8 {
        let by_road = match kind {
            OpKind::March | OpKind::Reserve => true,
            OpKind::HastyAttack => side == Side::Wp,
            OpKind::Assault => false,
        };
        let plain = self.tables.terrain(self.field.terrain(hex)).mp * QUARTERS;
        let road = Field::road_of(self.field.exits[hex.index()])
            .map(|road| self.tables.movement.road_quarters(road));
        let cost = road.filter(|_| by_road && !s.obstacle(hex)).unwrap_or(plain);
        let before = s.entered.iter().find(|(at, _)| *at == hex).map_or(0, |(_, count)| *count);
        cost.saturating_mul(before.saturating_add(1))
    }

    /// May a force enter at this hex?
    pub fn check_entry(&self, s: &State, side: Side, force: &UnitSet, hex: HexId) -> Result<(), Refusal> {
        for unit in force {
            if !self.entry_zone(s, unit).contains(hex) || !self.area.contains(hex) {
                return self.no("46.6.2", "enter.zone").unit("unit", unit).hex("hex", hex).into();
            }
        }
        if self.holds(s, hex, side.enemy()) {
            return self.no("16.8.8", "move.enemy").hex("hex", hex).into();
        }
        if let Some(refusal) = self.mover(s, side, *force).entry_refusal(hex) {
            return Err(refusal);
        }
        let marches = matches!(s.op.kind, OpKind::March | OpKind::Reserve);
        // 12.3.2.3: within 3 hexes of the marker, which is placed where the first unit enters.
        let lead = s.op.groups.iter().find(|group| !group.members.is_disjoint(force)).map(|group| group.lead);
        let range = u32::from(self.tables.command.lead_unit_range);
        if !marches
            && let Some(lead) = lead.and_then(HexId::some)
            && self.field.distance(lead, hex) > range
        {
            return self.no("12.3.2.3", "enter.far_from_lead").hex("hex", hex).into();
        }
        let cost = self.entry_cost(s, s.op.kind, side, hex);
        let left = force.iter().map(|unit| s.unit(unit).mp).min().unwrap_or(0);
        let minimum = force.iter().any(|unit| s.unit(unit).place == Place::TenRow); // 40.4
        if cost > left && !minimum {
            return self.no("16.1.2", "move.too_dear").hex("hex", hex).into();
        }
        Ok(())
    }
}

/// A force enters the map.
pub fn enter(play: &mut Play, force: &UnitSet, hex: HexId) {
    let side = play.s.op.side;
    let cost = play.rules.entry_cost(play.s, play.s.op.kind, side, hex);
    for group in &mut play.s.op.groups {
        if !group.members.is_disjoint(force) && group.lead == HexId::NONE && !play.s.op.base {
            group.lead = hex;
        }
    }
    for unit in force {
        play.s.put(unit, Place::Map, hex);
        let u = play.s.unit_mut(unit);
        u.mp = u.mp.saturating_sub(cost);
        play.s.op.moved.insert(unit);
        play.s.op.near_lead.insert(unit);
        play.tell(Event::Placed { unit, hex });
    }
    match play.s.entered.iter_mut().find(|(at, _)| *at == hex) {
        Some((_, count)) => *count = count.saturating_add(1),
        None => play.s.entered.push((hex, 1)),
    }
    if force.iter().any(|unit| play.s.unit(unit).steps > 0) {
        play.occupy(side, hex);
    }
}

impl Wurzburg {
    /// Whether units may leave the map here (46.7.4): by a zone of their side in the scenario, for 1 MP or the road's
    /// cost.
    pub fn check_exit(&self, s: &State, side: Side, units: &[UnitId]) -> Result<u8, Refusal> {
        let Some(first) = units.first() else { return Err(self.not_now()) };
        let hex = s.unit(*first).hex;
        let zoned = self.scenario.victory.iter().any(|rule| match &rule.what {
            VictoryWhat::Exit { zone } => {
                rule.side == side
                    && hex != HexId::NONE
                    && self.scenario.zone(zone).is_some_and(|zone| zone.contains(hex))
            }
            _ => false,
        });
        let road = hex.some().and_then(|hex| Field::road_of(self.field.exits[hex.index()]));
        let cost = road
            .filter(|_| matches!(s.op.kind, OpKind::March | OpKind::Reserve))
            .map_or(QUARTERS, |road| self.tables.movement.road_quarters(road));
        for (n, unit) in units.iter().enumerate() {
            self.own(side, *unit)?;
            let u = s.unit(*unit);
            let no = |rule, key| self.no(rule, key).unit("unit", *unit).into();
            if !s.op.members.contains(*unit) || !u.on_map() || u.dummy() || units[..n].contains(unit) {
                return no("13.0", "move.not_in_operation");
            }
            if s.op.done.contains(*unit) {
                return no("16.6.4", "move.done");
            }
            if !zoned || u.hex != hex {
                return no("46.7.4", "exit.place");
            }
            if u.mp < cost {
                return no("46.7.4", "exit.mp");
            }
        }
        Ok(cost)
    }
}

/// Units leave the map; they score unless their formation is shattered (46.7.4).
pub fn exit(play: &mut Play, units: &[UnitId]) {
    for unit in units {
        let from = play.s.unit(*unit).hex;
        let counts = !play.rules.shattered(play.s, *unit);
        play.take_off(*unit, Place::Exited);
        let turn = play.s.turn;
        play.s.shift(*unit, from);
        play.s.unit_mut(*unit).turn = if counts { turn } else { 0 };
        play.tell(Event::Exited { unit: *unit, from });
    }
    crate::victory::exited(play);
}

/// Whether a formation has been released (46.6).
fn released(rules: &Wurzburg, s: &State, side: Side, release: &Release) -> bool {
    let south: u32 = rules
        .units_of(side)
        .iter()
        .filter(|unit| {
            let u = s.unit(**unit);
            let line = || rules.field.label(u.hex).get(..2).and_then(|line| line.parse::<u8>().ok());
            u.on_map()
                && rules.counter(**unit).symbol.maneuver()
                && line().is_some_and(|line| line >= release.line)
        })
        .map(|unit| u32::from(s.unit(*unit).steps))
        .sum();
    s.turn >= release.latest || south >= u32::from(release.steps)
}

/// 9.0 A: units and points that are due come into play.
pub fn arrive(play: &mut Play) {
    play.s.entered.clear();
    for (n, arrival) in play.rules.scenario.arrivals.iter().enumerate() {
        let due = match &arrival.release {
            None => arrival.turn == play.s.turn,
            Some(release) => {
                play.s.turn >= arrival.turn && released(play.rules, play.s, arrival.side, release)
            }
        };
        if !due {
            continue;
        }
        for formation in &arrival.formations {
            let turn = play.s.turn;
            let f = play.s.formation_mut(*formation);
            if f.arrived == 0 {
                f.arrived = turn;
            }
        }
        let waiting: Units = play
            .s
            .ids()
            .filter(|unit| {
                play.s.unit(*unit).place == Place::Later && usize::from(play.s.unit(*unit).turn) == n
            })
            .collect();
        for unit in waiting {
            let symbol = play.rules.counter(unit).symbol;
            let rear = symbol == Symbol::Hq || symbol.artillery();
            let place = match arrival.mode {
                ArrivalMode::Air => Place::Waiting,                               // 46.6.9
                ArrivalMode::Ground if rear && arrival.display => Place::FiveRow, // 40.1
                ArrivalMode::Ground => Place::Column,
            };
            let counter = play.rules.counter(unit);
            play.s.put(unit, place, play.s.unit(unit).hex);
            if let Some(hq) = play.s.hqs.get_mut(usize::from(counter.hq)) {
                (hq.cp, hq.rp) = (counter.cp, counter.rp); // 12.2.2
            }
        }
    }
    for side in Side::ALL {
        for (turn, kind, steps) in &play.rules.scenario.side(side).helicopters_later {
            if *turn == play.s.turn {
                play.rules.add_helicopters(play.s, &play.rules.pack.unit_type(*kind).id, *steps);
            }
        }
        for (turn, purses) in &play.rules.scenario.side(side).points_later {
            if *turn != play.s.turn {
                continue;
            }
            for (purse, kinds) in purses {
                let points = &mut play.s.points[purse.index()];
                let of = |kind: PointKind| kinds[kind.index()];
                points.air += of(PointKind::Air);
                points.mine += of(PointKind::Mine);
                points.adm += of(PointKind::Adm);
                points.bridging += of(PointKind::Bridging);
                points.gas_persistent += of(PointKind::GasPersistent);
                points.gas_non_persistent += of(PointKind::GasNonPersistent);
            }
        }
    }
}

impl Wurzburg {
    /// Did the unit arrive this turn (11.1, 40.1)?
    fn arrives_now(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        matches!(u.place, Place::FiveRow | Place::TenRow | Place::Column | Place::Waiting)
            && self
                .scenario
                .arrivals
                .get(usize::from(u.turn))
                .is_some_and(|a| a.formations.iter().any(|f| s.formation(*f).arrived == s.turn))
    }
}

/// 9.0 A: arriving HQs and artillery are placed in a row of the display (40.1); arriving units are formed (11.1).
#[derive(Debug)]
pub struct Rows;

/// 40.1, 40.4: whether a unit may be in this row instead.
fn check_row(cx: &Cx, unit: UnitId, ten: bool) -> Result<(), Refusal> {
    cx.rules.own(cx.side, unit)?;
    let place = cx.s.unit(unit).place;
    let no = |rule, key| cx.rules.no(rule, key).unit("unit", unit).into();
    if !matches!(place, Place::FiveRow | Place::TenRow) {
        return no("40.1", "row.not_there");
    }
    if (place == Place::TenRow) == ten {
        return no("40.1", "row.same");
    }
    Ok(())
}

/// 11.1: whether steps may be assigned to another counter of the kind before the units enter.
pub fn check_form(cx: &Cx, part: Part, to: UnitId) -> Result<(), Refusal> {
    let rules = cx.rules;
    rules.own(cx.side, part.unit)?;
    rules.own(cx.side, to)?;
    let no = |rule, key| rules.no(rule, key).unit("unit", part.unit).unit("to", to).into();
    let (a, b) = (cx.s.unit(part.unit), cx.s.unit(to));
    let pool = rules.counter(to).pool;
    if rules.counter(part.unit).pool != pool || part.unit == to || pool == u8::MAX {
        return no("11.1", "transfer.other_kind");
    }
    if b.place != Place::Spare && (b.place != a.place || b.hex != a.hex && b.place != Place::Map) {
        return no("11.1", "transfer.place");
    }
    let steps = part.steps.unwrap_or(a.steps);
    if steps > a.steps || b.steps + steps > rules.counter(to).max_steps || a.steps == 0 {
        return no("11.1", "transfer.steps");
    }
    if steps == 0 && (b.place != Place::Spare || !dummies_left(rules, cx.s, part.unit)) {
        return no("11.3.3", "split.dummies");
    }
    Ok(())
}

/// 11.3.3, before the units are on the map.
fn dummies_left(rules: &Wurzburg, s: &State, unit: UnitId) -> bool {
    let Some(pool) = rules.pools.get(usize::from(rules.counter(unit).pool)) else { return false };
    let out = |place: Place| !matches!(place, Place::Spare | Place::Dead | Place::Exited);
    let mine = || pool.units.iter().map(|other| s.unit(*other)).filter(|u| out(u.place));
    let real: usize = mine().map(|u| usize::from(u.steps)).sum();
    mine().filter(|u| u.steps == 0).count() < real && rules.dummy_markers(s, rules.counter(unit).side)
}

/// Transfer the steps; a new counter is placed with the giving one, and a counter without steps returns to the box.
pub fn form(play: &mut Play, part: Part, to: UnitId) {
    let old = *play.s.unit(part.unit);
    let steps = part.steps.unwrap_or(old.steps);
    if play.s.unit(to).place == Place::Spare {
        play.s.units.replace(to, old);
        play.s.unit_mut(to).steps = 0;
        play.tell(Event::Detached { from: part.unit, new: to });
    }
    play.s.unit_mut(part.unit).steps -= steps;
    play.s.unit_mut(to).steps += steps;
    play.tell(Event::Transferred { from: part.unit, to, steps });
    if play.s.unit(part.unit).steps == 0 {
        play.take_off(part.unit, Place::Spare);
    }
}

/// Offers for forming a unit: half of its steps on a free counter, and a dummy.
pub fn forms(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let Some(to) = cx.rules.spare_for(cx.s, unit) else { return };
    let steps = cx.s.unit(unit).steps;
    for steps in [steps / 2, 0] {
        let part = Part { unit, steps: Some(steps) };
        let action = Action::Transfer { part, to };
        if check_form(cx, part, to).is_ok() && !out.contains(&action) {
            out.push(action);
        }
    }
}

fn arriving<'a>(cx: &'a Cx<'a>) -> impl Iterator<Item = UnitId> + 'a {
    cx.rules.units_of(cx.side).iter().copied().filter(|unit| cx.rules.arrives_now(cx.s, *unit))
}

impl Question<Wurzburg> for Rows {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(if let Frame::Rows(side) = frame { side } else { Side::Wp })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        arriving(cx).next().is_none().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let able = |unit: &UnitId| {
            let mut all = Vec::new();
            self.options(cx, Subject::Unit(*unit), &mut all);
            !all.is_empty()
        };
        out.extend(arriving(cx).filter(able).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) if arriving(cx).any(|other| other == unit) => {
                for ten in [false, true] {
                    if check_row(cx, unit, ten).is_ok() {
                        out.push(Action::Row { unit, ten });
                    }
                }
                if cx.rules.counter(unit).symbol.maneuver() {
                    forms(cx, unit, out);
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let now = |unit: UnitId| {
            if cx.rules.arrives_now(cx.s, unit) {
                return Ok(());
            }
            cx.rules.no("9.0", "row.not_now").unit("unit", unit).into()
        };
        match action {
            Action::Done => Ok(()),
            Action::Row { unit, ten } => {
                check_row(cx, *unit, *ten)?;
                now(*unit)
            }
            Action::Transfer { part, to } => {
                check_form(cx, *part, *to)?;
                now(part.unit)
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Row { unit, ten } => shift_row(play, *unit, *ten),
            Action::Transfer { part, to } => form(play, *part, *to),
            _ => play.pop(),
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.rows", "9.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

fn shift_row(play: &mut Play, unit: UnitId, ten: bool) {
    play.s.put(unit, if ten { Place::TenRow } else { Place::FiveRow }, HexId::NONE);
    play.tell(Event::Row { unit, ten });
}

/// 40.4: a March moves a unit from one row to the other.
pub fn check_march_row(cx: &Cx, unit: UnitId, ten: bool) -> Result<(), Refusal> {
    check_row(cx, unit, ten)?;
    let free =
        cx.s.op.members.contains(unit) && !cx.s.op.moved.contains(unit) && !cx.s.op.done.contains(unit);
    if !free || cx.s.op.kind != OpKind::March {
        return cx.rules.no("40.4", "row.march").unit("unit", unit).into();
    }
    Ok(())
}

pub fn march_row(play: &mut Play, unit: UnitId, ten: bool) {
    shift_row(play, unit, ten);
    play.s.op.moved.insert(unit);
    play.s.op.done.insert(unit);
}
