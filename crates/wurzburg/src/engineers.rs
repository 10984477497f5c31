//! Engineering Actions (33 to 38): bridges, positions, obstacles, minefields, charges.

use hexgrid::{Direction, HexId, SideId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Subject, Units, Work},
    event::{BridgeEvent, Event},
    field::{DRY, Edge},
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Charges, Flags, Mine, Place, State},
    units::{Side, Symbol, UnitId},
};

/// No hexside: the work is in the engineer's own hex.
pub const HERE: SideId = SideId(u16::MAX);

/// Where an engineer works, unless it maintains a bridge.
fn work_hex(s: &State, unit: UnitId) -> Option<HexId> {
    s.unit(unit).on_map().then(|| s.unit(unit).hex)
}

impl Wurzburg {
    /// The hex across a hexside.
    fn across(&self, hex: HexId, side: SideId) -> Option<HexId> {
        let hexes = self.field.board.side_hexes(side);
        if !hexes.contains(&Some(hex)) {
            return None;
        }
        hexes.into_iter().flatten().find(|other| *other != hex)
    }

    /// Is a civil bridge on the hexside an Autobahn bridge (38.0)?
    pub(crate) fn autobahn_bridge(&self, side: SideId) -> bool {
        let [Some(a), Some(b)] = self.field.board.side_hexes(side) else { return false };
        let direction = self.field.toward(a, b);
        direction.is_some_and(|d| self.field.edge(a, d).any(Edge::AUTOBAHN))
    }

    pub(crate) fn civil_bridge(&self, side: SideId) -> bool {
        let [Some(a), Some(b)] = self.field.board.side_hexes(side) else { return false };
        self.field.toward(a, b).is_some_and(|d| self.field.edge(a, d).any(Edge::CIVIL))
    }

    /// Whether it crosses the Main, where a military bridge needs its engineer (34.3).
    fn main_side(&self, side: SideId) -> bool {
        let [Some(a), Some(b)] = self.field.board.side_hexes(side) else { return false };
        self.field.toward(a, b).is_some_and(|d| self.field.edge(a, d).any(Edge::MAIN))
    }

    /// The nation whose points an engineer spends.
    fn purse(&self, unit: UnitId) -> usize {
        self.counter(unit).nation.purse().index()
    }
}

/// 33.0: whether this work may be done.
pub fn check_work(cx: &Cx, unit: UnitId, work: Work, side: SideId, to: HexId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let at_river = matches!(work, Work::BuildBridge | Work::RecoverBridge | Work::Charges);
    if to != HexId::NONE && work != Work::RecoverBridge || side != HERE && !at_river {
        return Err(rules.not_now());
    }
    rules.own(cx.side, unit)?;
    let u = cx.s.unit(unit);
    let counter = rules.counter(unit);
    let no = |rule, key| rules.no(rule, key).unit("unit", unit).into();
    if counter.symbol != Symbol::Engineer {
        return no("33.0", "work.not_engineer");
    }
    if u.is(Flags::USED) || u.is(Flags::WORKED) {
        return no("33.0", "work.used"); // 1
    }
    if u.place == Place::Bridge {
        return if work == Work::RecoverBridge {
            check_recovery(cx, unit, side, to)
        } else {
            no("34.3", "work.maintains")
        };
    }
    let Some(hex) = work_hex(cx.s, unit) else { return no("33.0", "work.off_map") };
    if u.is(Flags::MASKED) {
        return no("33.0", "work.masked"); // 2
    }
    if rules.in_zoc(cx.s, cx.side.enemy(), hex) {
        return no("33.0", "work.zoc"); // 3
    }
    if cx.s.minefield(hex) == Mine::Real && work != Work::ClearMines {
        return no("37.4", "work.in_mines"); // item 8
    }
    let points = &cx.s.points[rules.purse(unit)];
    match work {
        Work::Improve => {
            if cx.s.mark(hex).is_some_and(|mark| mark.improved == Some(cx.side)) {
                return no("35.0", "work.there_already");
            }
            Ok(())
        }
        Work::Obstacle if cx.s.obstacle(hex) => no("36.0", "work.there_already"),
        Work::Obstacle => Ok(()),
        Work::ClearObstacle if cx.s.obstacle(hex) => Ok(()),
        Work::ClearObstacle => no("36.0", "work.nothing_there"),
        Work::Mine | Work::DummyMine => {
            if points.mine == 0 {
                return no("37.3.1", "work.no_points");
            }
            if rules.field.terrain(hex).built_up() || rules.stack(cx.s, cx.side, hex).len() > 1 {
                return no("37.3.1", "work.mine_place");
            }
            if cx.s.minefield(hex) != Mine::None {
                return no("37.3.1", "work.there_already");
            }
            Ok(())
        }
        Work::ClearMines if cx.s.minefield(hex) == Mine::Real => Ok(()),
        Work::ClearMines => no("37.3.2", "work.nothing_there"),
        Work::RecoverBridge => check_recovery(cx, unit, side, to),
        Work::BuildBridge | Work::Charges => check_hexside(cx, unit, work, hex, side),
    }
}

/// Works on a river hexside of the engineer's hex (34.2, 38.2).
fn check_hexside(cx: &Cx, unit: UnitId, work: Work, hex: HexId, side: SideId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let no = |rule, key| rules.no(rule, key).unit("unit", unit).into();
    let n = if side == HERE { DRY } else { rules.field.river_of(side) };
    let bank = if n == DRY { None } else { rules.across(hex, side) };
    let Some(bank) = bank else { return no("17.3", "work.no_river") };
    let crossing = &cx.s.crossings[usize::from(n)];
    let enemy_there = rules.holds(cx.s, bank, cx.side.enemy());
    match work {
        Work::BuildBridge => {
            let civil = rules.civil_bridge(side) && !crossing.blown;
            if civil || crossing.military.is_some() {
                return no("34.2", "work.there_already");
            }
            if enemy_there {
                return no("34.2", "work.enemy_bank");
            }
            if cx.s.points[rules.purse(unit)].bridging == 0 {
                return no("34.1", "work.no_points");
            }
            Ok(())
        }
        Work::Charges => {
            if !rules.civil_bridge(side) || crossing.blown {
                return no("38.2", "work.nothing_there");
            }
            if enemy_there {
                return no("38.2", "work.enemy_bank");
            }
            if crossing.tried {
                return no("38.2", "work.tried");
            }
            Ok(())
        }
        _ => Err(rules.not_now()),
    }
}

/// 34.5
fn check_recovery(cx: &Cx, unit: UnitId, side: SideId, to: HexId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let no = |key| rules.no("34.5", key).unit("unit", unit).into();
    let n = if side == HERE { DRY } else { rules.field.river_of(side) };
    if n == DRY {
        return no("work.no_river");
    }
    let crossing = &cx.s.crossings[usize::from(n)];
    if crossing.builder() != Some(cx.side) {
        return no("work.nothing_there");
    }
    let hexes = rules.field.board.side_hexes(side);
    let near = match crossing.engineer {
        Some(engineer) => engineer == unit,
        None => hexes.contains(&Some(cx.s.unit(unit).hex)),
    };
    if !near {
        return no("work.no_river");
    }
    if hexes.into_iter().flatten().any(|hex| rules.holds(cx.s, hex, cx.side.enemy())) {
        return no("work.enemy_bank");
    }
    // The engineer may choose the bank.
    if to != HexId::NONE && !hexes.contains(&Some(to)) {
        return no("work.bank");
    }
    Ok(())
}

/// The hexsides that an engineer might work on.
fn sides_of(cx: &Cx, unit: UnitId) -> SmallVec<[SideId; 6]> {
    let u = cx.s.unit(unit);
    if u.place == Place::Bridge {
        let mine = |n: &usize| cx.s.crossings[*n].engineer == Some(unit);
        return (0..cx.s.crossings.len()).filter(mine).map(|n| cx.rules.field.river_sides[n]).collect();
    }
    let Some(hex) = work_hex(cx.s, unit) else { return SmallVec::new() };
    let rivers = Direction::ALL.into_iter().filter(|d| cx.rules.field.edge(hex, *d).any(Edge::RIVER));
    rivers.map(|d| cx.rules.field.board.side(hex, d)).collect()
}

/// Everything that an engineer can do.
fn works<'a>(cx: &'a Cx<'a>, unit: UnitId) -> impl Iterator<Item = Action> + 'a {
    const IN_HEX: [Work; 6] =
        [Work::Improve, Work::Obstacle, Work::ClearObstacle, Work::Mine, Work::DummyMine, Work::ClearMines];
    let here = IN_HEX.into_iter().map(|work| (work, HERE, HexId::NONE));
    let beside = sides_of(cx, unit).into_iter().flat_map(|side| {
        let banks = cx.rules.banks(side).into_iter().map(move |to| (Work::RecoverBridge, side, to));
        [Work::BuildBridge, Work::Charges].into_iter().map(move |work| (work, side, HexId::NONE)).chain(banks)
    });
    here.chain(beside)
        .filter(move |(work, side, to)| check_work(cx, unit, *work, *side, *to).is_ok())
        .map(move |(work, side, to)| Action::Work { unit, work, side, to })
}

/// 33.0: one action for each engineer of a side, or none.
#[derive(Debug)]
pub struct Engineering;

fn able(cx: &Cx) -> Units {
    let engineers = cx.rules.engineers(cx.side).iter().copied();
    engineers.filter(|unit| works(cx, *unit).next().is_some()).collect()
}

impl Question<Wurzburg> for Engineering {
    fn asks(&self, _: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(if let Frame::Engineering(side) = frame { side } else { Side::Wp })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        able(cx).is_empty().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(able(cx).into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) if cx.rules.counter(unit).side == cx.side => {
                out.extend(works(cx, unit));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Work { unit, work, side, to } => check_work(cx, *unit, *work, *side, *to),
            Action::RemovePosition(hex) => check_position(cx, *hex),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Work { unit, work, side: at, to } => do_work(play, side, *unit, *work, *at, *to),
            Action::RemovePosition(hex) => {
                remove_position(play, side, *hex);
                Ok(())
            }
            _ => {
                play.pop();
                // 38.2: one attempt on a bridge in the whole phase, of which NATO has the second half.
                if side == Side::Nato {
                    for crossing in &mut play.s.crossings {
                        crossing.tried = false;
                    }
                }
                Ok(())
            }
        }
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.engineering", "33.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

/// 35.0: the owner may remove an Improved Position.
pub fn check_position(cx: &Cx, hex: HexId) -> Result<(), Refusal> {
    let own = cx.s.mark(hex).and_then(|mark| mark.improved) == Some(cx.side);
    if own { Ok(()) } else { cx.rules.no("35.0", "work.nothing_there_hex").hex("hex", hex).into() }
}

pub fn remove_position(play: &mut Play, side: Side, hex: HexId) {
    play.s.change_mark(hex, |mark| mark.improved = None);
    play.tell(Event::ImprovedPosition { hex, side, built: false });
}

fn do_work(play: &mut Play, side: Side, unit: UnitId, work: Work, at: SideId, to: HexId) -> Result<(), Stop> {
    let hex = play.s.unit(unit).hex;
    play.s.unit_mut(unit).set(Flags::WORKED);
    let purse = play.rules.purse(unit);
    match work {
        Work::Improve => {
            play.s.change_mark(hex, |mark| mark.improved = Some(side));
            play.tell(Event::ImprovedPosition { hex, side, built: true });
        }
        Work::Obstacle | Work::ClearObstacle => {
            let built = work == Work::Obstacle;
            play.s.change_mark(hex, |mark| mark.obstacle = built);
            play.tell(Event::Obstacle { hex, built });
        }
        Work::Mine | Work::DummyMine => {
            let mine = if work == Work::Mine { Mine::Real } else { Mine::Dummy };
            play.s.points[purse].mine -= 1;
            play.s
                .change_mark(hex, |mark| (mark.mine, mark.mine_owner, mark.mine_known) = (mine, side, false));
            play.s.unit_mut(unit).set(Flags::LAYER);
            play.tell(Event::Minefield { hex, built: true });
        }
        Work::ClearMines => {
            play.s.change_mark(hex, |mark| (mark.mine, mark.mine_known) = (Mine::None, false));
            play.forget_layers(hex);
            play.tell(Event::Minefield { hex, built: false });
        }
        Work::BuildBridge => {
            let n = usize::from(play.rules.field.river_of(at));
            play.s.points[purse].bridging -= 1;
            play.s.crossings[n].military = Some(play.rules.counter(unit).nation.purse());
            if play.rules.main_side(at) {
                // 34.3: the builder maintains it, on the hexside.
                play.s.crossings[n].engineer = Some(unit);
                play.s.put(unit, Place::Bridge, play.s.unit(unit).hex);
            }
            play.tell(Event::Bridge { side: at, what: BridgeEvent::Built });
        }
        Work::RecoverBridge => {
            let n = usize::from(play.rules.field.river_of(at));
            // The point returns to the nation that spent it.
            if let Some(purse) = play.s.crossings[n].military.take() {
                play.s.points[purse.index()].bridging += 1;
            }
            play.s.crossings[n].engineer = None;
            play.s.put(unit, Place::Map, play.s.unit(unit).hex);
            if let Some(to) = to.some() {
                let from = play.s.unit(unit).hex;
                play.s.shift(unit, to);
                play.unmask(from);
                play.check_stack(side, to);
            }
            play.tell(Event::Bridge { side: at, what: BridgeEvent::Recovered });
        }
        Work::Charges => {
            let table = play.rules.tables.demolition.engineer_charges;
            blow(
                play,
                side,
                at,
                if play.rules.autobahn_bridge(at) { table.autobahn } else { table.road },
                0,
                "38.2",
            )?;
            let n = usize::from(play.rules.field.river_of(at));
            play.s.crossings[n].tried = true;
        }
    }
    Ok(())
}

/// 38.1, 38.2, 38.3.3: this number or more blows the bridge.
fn blow(
    play: &mut Play,
    side: Side,
    at: SideId,
    number: u8,
    modifier: i8,
    rule: &'static str,
) -> Result<bool, Stop> {
    let roll = play.roll(side, modifier, "roll.demolition", rule)?;
    let blown = i16::from(roll) + i16::from(modifier) >= i16::from(number);
    let n = usize::from(play.rules.field.river_of(at));
    if blown {
        play.s.crossings[n].blown = true; // 38.5.1
    }
    let what = if blown { BridgeEvent::Blown } else { BridgeEvent::ChargesFailed };
    play.tell(Event::Bridge { side: at, what });
    Ok(blown)
}

/// 38.1: NATO's set charges, in the Bridge Demolition Segment of its cycles.
#[derive(Debug)]
pub struct Demolition;

/// May this bridge be blown with set charges?
fn check_set_charges(cx: &Cx, side: SideId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let no = |rule, key| rules.no(rule, key).side("bridge", side).into();
    let n = rules.field.river_of(side);
    if n == DRY || !rules.civil_bridge(side) || cx.s.crossings[usize::from(n)].blown {
        return no("38.1", "charges.no_bridge");
    }
    let inside = rules.field.board.side_hexes(side).into_iter().flatten().all(|hex| rules.area.contains(hex));
    if !inside {
        return no("38.1", "charges.no_bridge");
    }
    match cx.s.crossings[usize::from(n)].charges {
        Charges::Ready => Ok(()),
        Charges::Spent => no("38.1", "charges.spent"),
        Charges::Cut => no("38.1.2", "charges.cut"),
    }
}

/// May NATO use set charges at all this turn?
pub fn set_charges(rules: &Wurzburg, s: &State) -> bool {
    rules.scenario.has(crate::pack::System::Engineers)
        && rules.scenario.side(Side::Nato).set_charges_from.is_none_or(|from| s.turn >= from)
}

/// The number to roll with set charges, and the modifier (38.1, 38.1.1).
pub fn set_charges_number(rules: &Wurzburg, s: &State, bridge: SideId) -> (u8, i8) {
    let table = &rules.tables.demolition;
    let autobahn = rules.autobahn_bridge(bridge);
    let number = if autobahn { table.set_charges.autobahn } else { table.set_charges.road };
    let near = rules.banks(bridge).iter().any(|hex| rules.holds(s, *hex, Side::Wp));
    (number, if near { table.set_charges_wp_unit_in_either_hex } else { 0 })
}

fn ready<'a>(cx: &'a Cx<'a>) -> impl Iterator<Item = SideId> + 'a {
    cx.rules.field.river_sides.iter().copied().filter(|side| check_set_charges(cx, *side).is_ok())
}

impl Question<Wurzburg> for Demolition {
    fn asks(&self, _: &Wurzburg, _: &State, _: Frame) -> Option<Side> {
        Some(Side::Nato)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        ready(cx).next().is_none().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(ready(cx).map(Subject::Side));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Side(side) if check_set_charges(cx, side).is_ok() => out.push(Action::Blow(side)),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Blow(side) => check_set_charges(cx, *side),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        let Action::Blow(at) = action else {
            play.pop();
            return Ok(());
        };
        let (number, modifier) = set_charges_number(play.rules, play.s, *at);
        blow(play, side, *at, number, modifier, "38.1")?;
        let n = usize::from(play.rules.field.river_of(*at));
        play.s.crossings[n].charges = Charges::Spent;
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.demolition", "38.1")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
