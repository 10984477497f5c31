//! Reconnaissance (20).

use hexgrid::{Hex, HexId, HexSet, SideId};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Subject, Units},
    event::Event,
    frame::Frame,
    pack::System,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, Mine, Payer, Place, State},
    units::{FormationId, Side, Symbol, UnitId},
};

/// A Reconnaissance Attempt as it would be rolled (20.2.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The spotter; `None` for a notional spotter beside the map (20.2.9).
    pub spotter: Option<UnitId>,
    pub distance: u32,
    /// The row `Empty` (20.2.2).
    pub empty: bool,
    /// The number to reach.
    pub number: u8,
    pub modifiers: SmallVec<[(&'static str, i8); 7]>,
}

/// Units that may spot (`None` for a notional one), their hexes, and what is added to the distance.
type Spotters = SmallVec<[(Option<UnitId>, HexId, u32); 96]>;

impl Attempt {
    pub fn modifier(&self) -> i8 {
        self.modifiers.iter().map(|(_, value)| *value).sum()
    }
}

impl Wurzburg {
    fn recon_side(&self, s: &State) -> Side {
        s.active.some().map_or(Side::Wp, |active| self.formation(active).side)
    }

    /// 20.2, 20.2.6: checks that this payer may spend a point in the current cycle. Returns the HQ whose range counts;
    /// `None` for off-map points.
    fn recon_payer(&self, s: &State, side: Side, payer: Payer) -> Result<Option<UnitId>, Refusal> {
        let active = s.active;
        match payer {
            Payer::OffMap => {
                let state = &s.sides[side.index()];
                if state.off_map_rp + state.special_rp == 0 {
                    return self.no("20.1.1", "recon.no_points").into();
                }
                Ok(None)
            }
            Payer::Hq(hq) => {
                self.own(side, hq)?;
                let counter = self.counter(hq);
                let no = |rule, key| self.no(rule, key).unit("unit", hq).into();
                if counter.symbol != Symbol::Hq {
                    return no("20.0", "recon.no_hq");
                }
                if s.unit(hq).is(Flags::DISRUPTED) {
                    return no("23.3.1", "recon.disrupted");
                }
                if !self.hq_works(s, hq) && s.unit(hq).place != Place::Waiting {
                    return no("30.4.1", "recon.hq_gone");
                }
                let points = s.hqs.get(usize::from(counter.hq)).map_or(0, |hq| hq.rp);
                if counter.formation == active {
                    return if points > 0 { Ok(Some(hq)) } else { no("20.1", "recon.no_rp") };
                }
                // 20.2.6: a NATO division HQ, relayed through the HQ of the active brigade.
                let above = side == Side::Nato
                    && self.below(s, active, counter.formation)
                    && counter.nation == self.formation(active).nation;
                if !above {
                    return no("20.2", "recon.other_formation");
                }
                if points == 0 {
                    return no("20.1", "recon.no_rp");
                }
                let relay = self.hqs.iter().copied().find(|other| {
                    self.counter(*other).formation == active
                        && self.hq_works(s, *other)
                        && self.apart(s, hq, *other).is_some_and(|d| d <= u32::from(counter.command_range))
                });
                match relay {
                    Some(brigade) => Ok(Some(brigade)),
                    None => no("20.2.6", "recon.no_relay"),
                }
            }
            Payer::None | Payer::MainEffort => Err(self.not_now()),
        }
    }

    /// 20.2.1, 20.2.5: the units that may spot, their hexes, and what is added to the distance.
    fn spotters(&self, s: &State, side: Side, through: Option<UnitId>) -> Spotters {
        let maneuver = |unit: &UnitId| self.counter(*unit).symbol.maneuver();
        // 20.2.8: an airmobile brigade HQ waiting off the map may use any unit.
        let waiting = self.hqs.iter().any(|hq| {
            self.counter(*hq).formation == s.active
                && self.counter(*hq).airmobile
                && s.unit(*hq).place == Place::Waiting
        });
        let here = |unit: UnitId| (Some(unit), s.unit(unit).hex, 0);
        let mine =
            || self.units_of(side).iter().copied().filter(maneuver).filter(|unit| s.unit(*unit).on_map());
        if waiting {
            return mine().map(here).collect();
        }
        let Some(hq) = through else {
            // 20.2.9
            let on_map = mine().filter(|unit| self.activates_with(s, *unit, s.active)).map(here);
            let mut list: Spotters = on_map.collect();
            let arrivals = self.scenario.arrivals.iter().filter(|arrival| arrival.side == side);
            for zone in arrivals.filter_map(|arrival| self.scenario.zone(&arrival.zone)) {
                list.extend(zone.iter().map(|hex| (None, hex, 1)));
            }
            return list;
        };
        let subordinate =
            |unit: &UnitId| self.superior(s, hq, *unit) && self.activates_with(s, *unit, s.active);
        let near = |unit: &UnitId| self.in_range(s, hq, s.unit(*unit).hex);
        let found: Spotters = mine().filter(subordinate).filter(near).map(here).collect();
        if !found.is_empty() || mine().any(|unit| subordinate(&unit)) || s.unit(hq).on_map() {
            return found;
        }
        // 20.2.7: no unit is on the map yet: use a unit waiting beside it.
        let mut list = Spotters::new();
        for unit in self.units_of(side).iter().copied().filter(maneuver) {
            if s.unit(unit).place == Place::Column && subordinate(&unit) {
                list.extend(self.entry_zone(s, unit).iter().map(|hex| (Some(unit), hex, 1)));
            }
        }
        list
    }

    /// The nearest spotter, and its distance.
    fn nearest(&self, spotters: &Spotters, target: HexId) -> Option<(Option<UnitId>, u32)> {
        let far = |(unit, hex, more): &(Option<UnitId>, HexId, u32)| {
            (*unit, self.field.distance(*hex, target) + more)
        };
        spotters.iter().map(far).min_by_key(|(_, distance)| *distance)
    }

    /// The attempt on a hex, or why it cannot be made.
    pub fn attempt(&self, s: &State, side: Side, target: HexId, payer: Payer) -> Result<Attempt, Refusal> {
        let through = self.recon_payer(s, side, payer)?;
        self.attempt_by(s, side, target, &self.spotters(s, side, through))
    }

    /// The attempt on a hex with these spotters.
    fn attempt_by(
        &self,
        s: &State,
        side: Side,
        target: HexId,
        spotters: &Spotters,
    ) -> Result<Attempt, Refusal> {
        if s.support.tried.contains(&target) {
            return self.no("20.2", "recon.again").hex("hex", target).into();
        }
        let Some((spotter, distance)) = self.nearest(spotters, target) else {
            return self.no("20.2.1", "recon.no_spotter").hex("hex", target).into();
        };
        let table = &self.tables.recon;
        let enemy = side.enemy();
        let empty = !self.holds(s, target, enemy); // 20.2.2, 20.2.4
        // Adjacent to the spotter: the first column.
        let far = distance.max(1);
        let number =
            if empty { table.empty_number(far) } else { table.number(self.field.terrain(target), far) };
        let Some(number) = number else {
            return self.no("20.2.1", "recon.far").hex("hex", target).into();
        };
        let mut modifiers = SmallVec::new();
        if !empty {
            let mut add = |yes: bool, word, value| {
                if yes {
                    modifiers.push((word, value));
                }
            };
            let there = self.stack(s, enemy, target);
            add(self.night(s), "night", table.night); // 32.1
            add(self.fog(s), "fog", table.fog);
            let mark = s.mark(target);
            add(mark.and_then(|m| m.improved) == Some(enemy), "improved_position", table.improved_position); // 35.0
            add(s.obstacle(target), "obstacle", table.obstacle); // 36.0
            let layer_alone = there.iter().all(|unit| s.unit(*unit).is(Flags::LAYER));
            add(s.minefield(target) == Mine::Real && !layer_alone, "minefield", table.minefield); // 37.4
            let cavalry = there.iter().all(|unit| self.cavalry(*unit));
            add(cavalry, "cavalry_alone", table.cavalry_alone); // 41.1.2
            add(s.smoke(target), "smoke", table.smoke);
        }
        Ok(Attempt { spotter, distance, empty, number, modifiers })
    }

    /// 20.2.3: the row `Empty` for a hex, without any modifier.
    pub(crate) fn attempt_empty(
        &self,
        s: &State,
        side: Side,
        hex: HexId,
        payer: Payer,
    ) -> Result<Attempt, Refusal> {
        let through = self.recon_payer(s, side, payer)?;
        let Some((spotter, distance)) = self.nearest(&self.spotters(s, side, through), hex) else {
            return self.no("20.2.1", "recon.no_spotter").hex("hex", hex).into();
        };
        let Some(number) = self.tables.recon.empty_number(distance.max(1)) else {
            return self.no("20.2.1", "recon.far").hex("hex", hex).into();
        };
        Ok(Attempt { spotter, distance, empty: true, number, modifiers: SmallVec::new() })
    }

    /// Military bridges of the enemy that a payer may try.
    fn recon_bridges(&self, s: &State, side: Side, payer: Payer) -> SmallVec<[SideId; 4]> {
        let bridges = s.crossings.iter().enumerate().filter(|(_, c)| c.builder() == Some(side.enemy()));
        bridges
            .map(|(n, _)| self.field.river_sides[n])
            .filter(|bridge| {
                !s.support.bridges_acquired.contains(bridge)
                    && self.attempt_bridge(s, side, *bridge, payer).is_ok()
            })
            .collect()
    }

    /// 6.7.2, 46.5
    pub fn fog(&self, s: &State) -> bool {
        self.scenario.fog_turns.contains(&s.turn)
    }

    /// The payers that may pay for an attempt now.
    fn recon_payers(&self, s: &State, side: Side) -> SmallVec<[Payer; 4]> {
        let hqs = self.hqs.iter().copied().map(Payer::Hq);
        let all = hqs.chain([Payer::OffMap]);
        all.filter(|payer| self.recon_payer(s, side, *payer).is_ok()).collect()
    }

    /// Hexes with enemies that a payer may try, except those already known.
    fn recon_targets<'a>(
        &'a self,
        s: &'a State,
        side: Side,
        payer: Payer,
        known: &HexSet,
    ) -> impl Iterator<Item = HexId> + use<'a> {
        let through = self.recon_payer(s, side, payer).ok();
        // Several may spot from one hex.
        let mut places = HexSet::EMPTY;
        let mut spots: SmallVec<[(Hex, u32); 96]> = SmallVec::new();
        if let Some(through) = through {
            let from = self.spotters(s, side, through).into_iter();
            let from = from.filter(|(_, hex, more)| *more > 0 || places.insert(*hex));
            spots.extend(from.map(|(_, hex, more)| (self.field.board.hex(hex), more)));
        }
        let mut seen = *known;
        for hex in s.acquired.iter().chain(&s.support.tried) {
            seen.insert(*hex);
        }
        let enemies = if through.is_some() { self.units_of(side.enemy()) } else { &[] };
        enemies.iter().filter_map(move |unit| {
            let u = s.unit(*unit);
            if !u.on_map() || !self.counter(*unit).symbol.ground() || !seen.insert(u.hex) {
                return None;
            }
            let there = self.field.board.hex(u.hex);
            let far = spots.iter().map(|(hex, more)| hex.distance(there) + more).min()?;
            self.tables.recon.number(self.field.terrain(u.hex), far.max(1)).map(|_| u.hex)
        })
    }
}

/// The Reconnaissance Segment opens (10.0).
pub fn open(play: &mut Play) {
    play.s.support.tried.clear();
    play.s.support.bridges_tried.clear();
    if !play.rules.scenario.has(System::Reconnaissance) {
        return;
    }
    let active: FormationId = play.s.active;
    if active.some().is_some_and(|division| crate::planning::main_effort(play.rules, play.s, division)) {
        // 12.4.1, 20.1.1
        let side = play.rules.recon_side(play.s);
        play.s.sides[side.index()].special_rp = play.rules.tables.main_effort.extra_off_map_rp;
    }
    play.push(Frame::Recon);
}

/// 20.0: attempts one by one, or stop.
#[derive(Debug)]
pub struct Recon;

impl Question<Wurzburg> for Recon {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(rules.recon_side(s))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        // 20.2.2, 20.2.4: an empty hex is worth a point for a side that may mine, gas or storm it.
        let empty =
            cx.rules.has_special_points(cx.s, cx.side)
                || cx.rules.hqs.iter().any(|hq| {
                    cx.rules.counter(*hq).formation == cx.s.active && cx.rules.counter(*hq).airmobile
                });
        let any = cx.rules.recon_payers(cx.s, cx.side).into_iter().any(|payer| {
            empty
                || cx.rules.recon_targets(cx.s, cx.side, payer, &HexSet::EMPTY).next().is_some()
                || !cx.rules.recon_bridges(cx.s, cx.side, payer).is_empty()
        });
        (!any).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let mut known = HexSet::EMPTY;
        for payer in cx.rules.recon_payers(cx.s, cx.side) {
            for hex in cx.rules.recon_targets(cx.s, cx.side, payer, &known) {
                known.insert(hex);
                out.push(Subject::Hex(hex));
            }
        }
        let mut sides: SmallVec<[SideId; 4]> = SmallVec::new();
        for payer in cx.rules.recon_payers(cx.s, cx.side) {
            for side in cx.rules.recon_bridges(cx.s, cx.side, payer) {
                if !sides.contains(&side) {
                    sides.push(side);
                }
            }
        }
        out.extend(sides.into_iter().map(Subject::Side));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Hex(hex) => {
                for payer in cx.rules.recon_payers(cx.s, cx.side) {
                    if cx.rules.attempt(cx.s, cx.side, hex, payer).is_ok() {
                        out.push(Action::Recon { hex, payer });
                    }
                }
            }
            Subject::Side(side) => {
                for payer in cx.rules.recon_payers(cx.s, cx.side) {
                    if cx.rules.attempt_bridge(cx.s, cx.side, side, payer).is_ok() {
                        out.push(Action::ReconBridge { side, payer });
                    }
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Recon { hex, payer } => cx.rules.attempt(cx.s, cx.side, *hex, *payer).map(|_| ()),
            Action::ReconBridge { side, payer } => {
                cx.rules.attempt_bridge(cx.s, cx.side, *side, *payer).map(|_| ())
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        if let Action::ReconBridge { side: bridge, payer } = action {
            return recon_bridge(play, side, *bridge, *payer);
        }
        let Action::Recon { hex, payer } = action else {
            play.pop();
            return Ok(());
        };
        let Ok(attempt) = play.rules.attempt(play.s, side, *hex, *payer) else { return Ok(()) };
        spend(play, side, *payer);
        play.s.support.tried.push(*hex);
        let modifier = attempt.modifier();
        let roll = play.roll(side, modifier, "roll.recon", "20.2.1")?;
        let acquired = roll as i8 + modifier >= attempt.number as i8;
        play.tell(Event::Recon { side, hex: *hex, roll, modifier, number: attempt.number, acquired });
        if acquired {
            play.s.acquired.push(*hex);
            play.log.reveal();
            // 20.3, 11.3.1
            let dummies: Units = play
                .rules
                .stack(play.s, side.enemy(), *hex)
                .into_iter()
                .filter(|unit| play.s.unit(*unit).dummy())
                .collect();
            play.remove_dummies(&dummies);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.recon", "20.0")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

/// 20.1: one point is spent.
fn spend(play: &mut Play, side: Side, payer: Payer) {
    if let Payer::Hq(hq) = payer {
        if let Some(hq) = play.s.hqs.get_mut(usize::from(play.rules.counter(hq).hq)) {
            hq.rp = hq.rp.saturating_sub(1);
        }
        return;
    }
    let state = &mut play.s.sides[side.index()];
    // 20.1.1: the special points are spent first, since they are lost after this cycle.
    if state.special_rp > 0 {
        state.special_rp -= 1;
    } else {
        state.off_map_rp = state.off_map_rp.saturating_sub(1);
    }
}

/// 20.2.3: a military bridge.
fn recon_bridge(play: &mut Play, side: Side, bridge: SideId, payer: Payer) -> Result<(), Stop> {
    let Ok(attempt) = play.rules.attempt_bridge(play.s, side, bridge, payer) else { return Ok(()) };
    spend(play, side, payer);
    play.s.support.bridges_tried.push(bridge);
    let modifier = attempt.modifier();
    let roll = play.roll(side, modifier, "roll.recon", "20.2.3")?;
    let acquired = roll as i8 + modifier >= attempt.number as i8;
    play.tell(Event::ReconBridge { side, bridge, roll, modifier, number: attempt.number, acquired });
    if acquired {
        play.s.support.bridges_acquired.push(bridge);
    }
    Ok(())
}
