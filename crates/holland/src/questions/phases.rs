//! The phases between which the armies move and fight: replacements (20.3), artillery (17.3), bridges (5), airlandings (22),
//! traffic (24).

use hexgrid::HexSet;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use zocbond::{MarkerAt, Piece, UnitId};

use crate::action::{Action, Subject};
use crate::airlanding::Drop;
use crate::event::Event;
use crate::flow::{At, Cx, Play, keep_legal};
use crate::frame::Stage;
use crate::land::around;
use crate::pack::Side;
use crate::refusal::{Legal, not_now, refuse};
use crate::state::{Bridge, Marks, Place, State, Units};
use crate::world::Holland;

/// The seat ends its phase.
pub fn end_phase(play: &mut Play, at: At) -> Result<(), Stop> {
    match at.frame {
        Stage::Phase(side, phase) => play.rules.end_phase(play.s, side, phase, play.dice, play.log),
        _ => Ok(()),
    }
}

/// A phase without decisions (4.1, 14.4, 18.1). It ends by itself, except that a lab file that begins in it says so.
#[derive(Debug)]
pub struct Quiet {
    pub prompt: (&'static str, &'static str),
}

impl Question<Holland> for Quiet {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s)
    }

    fn forced(&self, _: &Cx) -> Option<Action> {
        Some(Action::Done)
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        out.extend((subject == Subject::Phase).then_some(Action::Done));
    }

    fn check(&self, _: &Cx, action: &Action) -> Result<(), Refusal> {
        if *action == Action::Done { Ok(()) } else { Ok(not_now()?) }
    }

    fn apply(&self, play: &mut Play, at: At, _: &Action) -> Result<(), Stop> {
        end_phase(play, at)
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        self.prompt
    }
}

/// 20.3
#[derive(Debug)]
pub struct Replacement;

impl Replacement {
    fn may(cx: &Cx, action: &Action) -> Legal {
        match action {
            Action::Replace(unit) => {
                cx.rules.own(cx.side, *unit)?;
                cx.rules.may_replace(cx.s, cx.side, *unit)
            }
            Action::Return { unit, to } => {
                cx.rules.own(cx.side, *unit)?;
                cx.rules.may_return(cx.s, cx.side, *unit, *to)
            }
            Action::Done => Ok(()),
            _ => not_now(),
        }
    }

    /// Units that gain a step or return.
    fn able<'a>(cx: &Cx<'a>) -> impl Iterator<Item = UnitId> + use<'a> {
        let Cx { rules, s, side, .. } = *cx;
        let mut roads = None;
        rules.units().filter(move |unit| {
            let mut returns = || {
                let roads = roads.get_or_insert_with(|| rules.source_roads(s, side));
                rules.return_places(s, side, *unit, roads).next().is_some()
            };
            rules.may_replace(s, side, *unit).is_ok() || rules.could_return(s, side, *unit) && returns()
        })
    }
}

impl Question<Holland> for Replacement {
    usual!("prompt.replacement", "20.3");

    fn forced(&self, cx: &Cx) -> Option<Action> {
        Self::able(cx).next().is_none().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(Self::able(cx).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let Cx { rules, s, side, .. } = *cx;
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) => {
                if rules.may_replace(s, side, unit).is_ok() {
                    out.push(Action::Replace(unit));
                }
                if rules.could_return(s, side, unit) {
                    let roads = rules.source_roads(s, side);
                    let places = rules.return_places(s, side, unit, &roads);
                    out.extend(places.map(|to| Action::Return { unit, to }));
                }
            }
            _ => {}
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Replace(unit) => {
                play.s.left -= 1;
                let unit = play.rules.gain_step(play.s, *unit);
                play.s.unit_mut(unit).mark(Marks::REPL, true); // 20.4
                play.log.push(Event::Replaced { unit });
            }
            Action::Return { unit, to } => play.rules.return_unit(play.s, *unit, *to, play.log),
            _ => return end_phase(play, at),
        }
        Ok(())
    }
}

/// 17.3
#[derive(Debug)]
pub struct Artillery;

impl Artillery {
    fn may(cx: &Cx, action: &Action) -> Legal {
        match action {
            Action::Ready(unit) => {
                cx.rules.own(cx.side, *unit)?;
                cx.rules.may_ready(cx.s, cx.side, *unit)
            }
            Action::Done => Ok(()),
            _ => not_now(),
        }
    }
}

impl Question<Holland> for Artillery {
    usual!("prompt.artillery", "17.3");

    /// Allied artillery is readied by itself.
    fn forced(&self, cx: &Cx) -> Option<Action> {
        let may = |unit| cx.rules.may_ready(cx.s, cx.side, unit).is_ok();
        (cx.side == Side::Allied || !cx.rules.units().any(may)).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let may = |unit: &UnitId| cx.rules.may_ready(cx.s, cx.side, *unit).is_ok();
        out.extend(cx.rules.units().filter(may).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let from = out.len();
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) => out.push(Action::Ready(unit)),
            _ => {}
        }
        keep_legal(out, from, |action| Self::may(cx, action));
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let Action::Ready(unit) = *action else { return end_phase(play, at) };
        play.s.left = play.s.left.saturating_sub(u8::from(at.side == Side::German)); // 17.3
        play.rules.make_ready(play.s, unit, play.log);
        Ok(())
    }
}

/// 5.3, 5.5, 5.8, 23.3.3
#[derive(Debug)]
pub struct Bridges;

impl Bridges {
    fn may(cx: &Cx, action: &Action) -> Legal {
        let Cx { rules, s, side, .. } = *cx;
        match action {
            Action::Ferry { unit, side: at } => {
                rules.own(side, *unit)?;
                rules.check_ferry(s, side, *unit, *at)
            }
            Action::Pack(unit) => {
                rules.own(side, *unit)?;
                rules.check_pack_up(s, side, *unit)
            }
            Action::Blow(bridge) if side == Side::German => rules.check_blow(s, *bridge),
            Action::Wire(bridge) if side == Side::German => rules.check_wire(s, *bridge),
            Action::Repair(bridge) => {
                if s.field.bridge((*bridge).into()) != Bridge::Blown {
                    return refuse("5.8", "refuse.not_blown"); // 5.8
                }
                rules.check_repair(s, side, *bridge).map(|_| ())
            }
            Action::Done => Ok(()),
            _ => not_now(),
        }
    }

    /// What an Engineer might do (23.3.3).
    fn ferry_deeds<'a>(cx: &Cx<'a>, unit: UnitId) -> impl Iterator<Item = Action> + use<'a> {
        let rules = cx.rules;
        let hex = cx.s.unit(unit).hex();
        let sides = hex.into_iter().flat_map(move |hex| {
            around(&rules.land.topology, hex).map(move |(d, _)| rules.map.board.side(hex, d))
        });
        let ferries = sides.map(move |side| Action::Ferry { unit, side });
        hex.map(|_| Action::Pack(unit)).into_iter().chain(ferries)
    }

    /// What might be done with a bridge.
    fn bridge_deeds(bridge: u16) -> [Action; 3] {
        [Action::Blow(bridge), Action::Wire(bridge), Action::Repair(bridge)]
    }

    /// Engineers and bridges with which something can be done.
    fn each_able(cx: &Cx, mut each: impl FnMut(Subject) -> bool) -> bool {
        let legal = |action: Action| Self::may(cx, &action).is_ok();
        if cx.side == Side::Allied {
            for unit in cx.s.field.in_game(cx.side) {
                let able = cx.rules.counter(unit).engineer && Self::ferry_deeds(cx, unit).any(legal);
                if able && !each(Subject::Unit(unit)) {
                    return false;
                }
            }
        }
        let able = |bridge: &u16| Self::bridge_deeds(*bridge).into_iter().any(legal);
        (0..cx.rules.land.bridges.len() as u16).filter(able).all(|bridge| each(Subject::Bridge(bridge)))
    }
}

impl Question<Holland> for Bridges {
    usual!("prompt.bridge", "5");

    fn forced(&self, cx: &Cx) -> Option<Action> {
        Self::each_able(cx, |_| false).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        Self::each_able(cx, |subject| {
            out.push(subject);
            true
        });
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let from = out.len();
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) => out.extend(Self::ferry_deeds(cx, unit)),
            Subject::Bridge(bridge) => out.extend(Self::bridge_deeds(bridge)),
            _ => {}
        }
        keep_legal(out, from, |action| Self::may(cx, action));
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let Play { rules, s, dice, log } = play;
        match *action {
            Action::Ferry { unit, side } => {
                rules.set_ferry(s, unit, Some(side));
                log.push(Event::Ferry { unit, at: Some(side) });
            }
            Action::Pack(unit) => {
                rules.set_ferry(s, unit, None);
                log.push(Event::Ferry { unit, at: None });
            }
            Action::Blow(bridge) => {
                rules.blow(s, bridge, dice, log)?;
            }
            Action::Wire(bridge) => {
                rules.set_bridge(s, bridge, Bridge::ToBeWired); // 5.3
                s.wired_now.add(bridge);
                log.push(Event::Bridge { bridge, to: Bridge::ToBeWired });
            }
            Action::Repair(bridge) => rules.start_repair(s, at.side, bridge, log)?,
            _ => return end_phase(play, at),
        }
        Ok(())
    }
}

/// 22
#[derive(Debug)]
pub struct Airlanding;

impl Airlanding {
    fn may(cx: &Cx, action: &Action) -> Legal {
        let Cx { rules, s, side, .. } = *cx;
        match action {
            Action::Refit(units) => rules.check_refit(s, units).map(|_| ()),
            Action::Land { unit, hex } => {
                rules.own(side, *unit)?;
                rules.check_land(s, *unit, *hex)
            }
            Action::LandAll(_) if s.turn == 1 && rules.first_landing(s, Drop::Listed).is_some() => Ok(()),
            Action::Resupply(unit) => {
                rules.own(side, *unit)?;
                rules.check_resupply(s, *unit).map(|_| ())
            }
            Action::Done if s.turn == 1 && rules.first_landing(s, Drop::Listed).is_some() => {
                refuse("22.8", "refuse.all_land") // 22.8
            }
            Action::Done => Ok(()),
            _ => not_now(),
        }
    }

    /// Whether this unit could do anything.
    fn could_land(cx: &Cx, unit: UnitId) -> bool {
        let Cx { rules, s, .. } = *cx;
        rules.check_resupply(s, unit).is_ok()
            || rules.check_refit(s, &[unit]).is_ok()
            || s.unit(unit).at() == Place::Airlanding
                && rules.landing_hexes(s, unit).iter().any(|hex| rules.check_land(s, unit, hex).is_ok())
    }
}

impl Question<Holland> for Airlanding {
    usual!("prompt.airlanding", "22.1");

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let Cx { rules, s, .. } = *cx;
        let some = |u| {
            s.unit(u).at() == Place::Airlanding
                || rules.check_resupply(s, u).is_ok()
                || rules.check_refit(s, &[u]).is_ok()
        };
        (!rules.units().any(some)).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        let phase = [Action::Done, Action::LandAll(Drop::Listed)];
        out.extend(phase.iter().any(|action| Self::may(cx, action).is_ok()).then_some(Subject::Phase));
        let mine = cx.rules.units().filter(|u| cx.rules.counter(*u).side == cx.side);
        out.extend(mine.filter(|u| Self::could_land(cx, *u)).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let Cx { rules, s, .. } = *cx;
        let from = out.len();
        match subject {
            Subject::Phase => {
                out.push(Action::Done);
                out.extend([Drop::Listed, Drop::Close].map(Action::LandAll));
            }
            Subject::Unit(u) => {
                out.push(Action::Resupply(u));
                if rules.check_refit(s, &[u]).is_ok() {
                    out.push(Action::Refit(Units::one(u)));
                    let others =
                        rules.units().filter(|o| o.0 > u.0 && rules.check_refit(s, &[u, *o]).is_ok());
                    out.extend(others.map(|o| Action::Refit(Units::of(&[u, o]))));
                }
                if s.unit(u).at() == Place::Airlanding {
                    let hexes = rules.landing_hexes(s, u);
                    out.extend(hexes.iter().map(|hex| Action::Land { unit: u, hex }));
                }
            }
            _ => {}
        }
        keep_legal(out, from, |action| Self::may(cx, action));
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let Play { rules, s, dice, log } = play;
        match action {
            Action::Refit(units) => rules.refit(s, units, dice, log),
            Action::Land { unit, hex } => rules.land_unit(s, *unit, *hex, dice, log),
            Action::LandAll(drop) => rules.land_all(s, *drop, dice, log),
            Action::Resupply(unit) => rules.resupply(s, *unit, dice, log),
            _ => end_phase(play, at),
        }
    }
}

/// 24.3
#[derive(Debug)]
pub struct Traffic;

impl Traffic {
    fn may(cx: &Cx, action: &Action) -> Legal {
        match action {
            Action::Traffic { marker, hex } => cx.rules.check_traffic(cx.s, *marker, *hex),
            Action::Done => Ok(()),
            _ => not_now(),
        }
    }

    fn is_free(s: &State, marker: u8) -> bool {
        s.traffic.get(usize::from(marker).wrapping_sub(1)).is_some_and(|t| t.hex().is_none())
    }
}

impl Question<Holland> for Traffic {
    usual!("prompt.traffic", "24.3");

    fn forced(&self, cx: &Cx) -> Option<Action> {
        cx.rules.traffic_hexes(cx.s).is_empty().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let any = !cx.rules.traffic_hexes(cx.s).is_empty();
        out.extend((1..=6).filter(|n| any && Self::is_free(cx.s, *n)).map(Subject::Marker));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Marker(marker) if Self::is_free(cx.s, marker) => {
                out.extend(cx.rules.traffic_hexes(cx.s).iter().map(|hex| Action::Traffic { marker, hex }));
            }
            _ => {}
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let Action::Traffic { marker, hex } = *action else { return end_phase(play, at) };
        play.s.traffic[usize::from(marker) - 1] = MarkerAt(hex);
        play.log.push(Event::Traffic { marker, at: Some(hex) });
        Ok(())
    }
}

impl Holland {
    /// 20.3: where a unit may return from the Dead Pile, given the roads that lead to its sources.
    fn return_places<'a>(
        &'a self,
        s: &'a State,
        side: Side,
        unit: UnitId,
        roads: &'a HexSet,
    ) -> impl Iterator<Item = Place> + 'a {
        let areas = (0..self.land.areas.len() as u8).map(Place::Box);
        let all = areas.chain(roads.iter().map(Place::Hex));
        all.filter(move |p| self.may_return_to(s, side, unit, *p, roads).is_ok())
    }

    /// Hexes in which a Traffic marker may be laid (24.4).
    pub fn traffic_hexes(&self, s: &State) -> HexSet {
        if s.traffic.iter().all(|t| t.hex().is_some()) {
            return HexSet::EMPTY;
        }
        // `traffic_fits` for all hexes at once.
        let mut near = *s.field.held(Side::German);
        for _ in 1..self.pack.tables.traffic.distance_from_german {
            near = self.and_around(&near);
        }
        let markers: HexSet = s.traffic.iter().filter_map(|t| t.hex()).collect();
        let mut free = &self.source_roads(s, Side::Allied) - &near;
        free.subtract(&self.and_around(&markers));
        free.intersect_with(&self.land.traffic_roads);
        debug_assert!(
            self.source_roads(s, Side::Allied)
                .iter()
                .all(|hex| { free.contains(hex) == self.traffic_fits(s, hex).is_ok() })
        );
        free
    }

    /// A set of hexes with their neighbours.
    pub fn and_around(&self, hexes: &HexSet) -> HexSet {
        let mut wider = *hexes;
        hexes.each(|hex| wider.extend(self.land.topology.neighbours(hex)));
        wider
    }
}
