//! Fuel Shortage Phase (6). Captured fuel dumps, which may end it, are in [`crate::fuel_dumps`] (32.2).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    event::Event,
    flags::Flags,
    frame::Frame,
    pack::{Army, FormationId, FormationKind, FuelResult, Side, UnitId},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// 6.1: roll on one of the two tables, from the first turn of shortage on.
pub fn roll(play: &mut Play, table: u8) -> Result<(), Stop> {
    let fuel = &play.rules.tables().fuel;
    // S1.2: some scenarios are too short for it.
    if !play.rules.scenario.fuel_shortage {
        return Ok(());
    }
    if play.s.turn < fuel.first_turn || crate::fuel_dumps::shortage_waived(play.rules, play.s) {
        return Ok(());
    }
    // 1E 32.2: the German player says when captured fuel is used.
    if crate::fuel_dumps::to_spend(play.rules, play.s) {
        play.then(&[Frame::SpendFuel { table }]);
        return Ok(());
    }
    throw(play, table, 0)
}

/// 1E 32.2: spend captured fuel now, or keep it.
#[derive(Debug)]
pub struct SpendFuel;

impl Question<Ardennes> for SpendFuel {
    fn asks(&self, _: &Ardennes, _: &State, _: Frame) -> Option<Side> {
        Some(Side::German)
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend([true, false].map(|spend| Action::SpendFuel { spend }));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::SpendFuel { .. } => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let Frame::SpendFuel { table } = at.frame else { return Ok(()) };
        let spend = *action == Action::SpendFuel { spend: true };
        let drm = if spend { crate::fuel_dumps::spend(play) } else { 0 };
        throw(play, table, drm)
    }
}

fn throw(play: &mut Play, table: u8, spent: i8) -> Result<(), Stop> {
    let fuel = &play.rules.tables().fuel;
    // 6.2
    let weather = if play.s.turn >= fuel.drm_from_turn { fuel.drm } else { 0 };
    let drm = weather + spent;
    let die = (play.roll(Side::German, drm, "roll.fuel", "6.1")? + drm).max(0);
    let result = fuel.tables[usize::from(table)].get(die);
    if let FuelResult::Both(a, b) = result {
        // 6.1: X and Y.
        let present = present(play.rules, play.s);
        let here = [a, b].map(|formation| present[formation.index()].any());
        for (formation, _) in [a, b].into_iter().zip(here).filter(|(_, here)| *here) {
            hit(play, table, formation, result);
        }
        if here == [false; 2] {
            play.tell(Event::Fuel { table, formation: None }); // 6.3
        }
        return Ok(());
    }
    // Asked only where there is a choice; see `forced`.
    play.then(&[Frame::PickFuel { table, die: die.unsigned_abs() }]);
    Ok(())
}

/// Who picks the division: the German player for "X or Y", the Allied player for the results of 6.4.
pub fn picker(rules: &Ardennes, table: u8, die: u8) -> Side {
    match result(rules, table, die) {
        FuelResult::WestMap(_) | FuelResult::AnyPanzerDivision(_) | FuelResult::WestOfOurthe(_) => {
            Side::Allied
        }
        _ => Side::German,
    }
}

/// 6.3, 6.4: which formation runs short of fuel.
#[derive(Debug)]
pub struct PickFuel;

impl Question<Ardennes> for PickFuel {
    fn asks(&self, rules: &Ardennes, _: &State, frame: Frame) -> Option<Side> {
        let Frame::PickFuel { table, die } = frame else { return None };
        Some(picker(rules, table, die))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let mut candidates = candidates(cx);
        match (candidates.next(), candidates.next()) {
            // 6.3: if none of the divisions is in play, there is no shortage.
            (None, _) => Some(Action::Done),
            (Some(formation), None) => Some(Action::Fuel { formation }),
            _ => None,
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend(candidates(cx).map(|formation| Action::Fuel { formation }));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Fuel { formation } if candidates(cx).any(|candidate| candidate == formation) => Ok(()),
            Action::Fuel { formation } => {
                let named = cx.rules.pack.formation(formation).label.clone();
                let open =
                    candidates(cx).map(|f| cx.rules.pack.formation(f).label.as_str()).collect::<Vec<_>>();
                let rule = if picked_by_allies(cx) { "6.4" } else { "6.3" };
                cx.rules
                    .no(rule, "fuel.not_named")
                    .text("formation", named)
                    .text("open", open.join(", "))
                    .into()
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let frame = at.frame;
        play.pop();
        let Frame::PickFuel { table, die } = frame else { return Ok(()) };
        match *action {
            Action::Fuel { formation } => hit(play, table, formation, result(play.rules, table, die)),
            _ => play.tell(Event::Fuel { table, formation: None }),
        }
        Ok(())
    }
}

pub fn subjects(_cx: &Cx, out: &mut Vec<Subject>) {
    out.push(Subject::Phase);
}

fn result(rules: &Ardennes, table: u8, die: u8) -> FuelResult {
    rules.tables().fuel.tables[usize::from(table)].get(die as i8)
}

fn picked_by_allies(cx: &Cx) -> bool {
    matches!(cx.frame, Frame::PickFuel { table, die } if picker(cx.rules, table, die) == Side::Allied)
}

/// As many as fit in a one-byte id.
const MAX_FORMATIONS: usize = 1 << u8::BITS;

/// Where the units of a division are, for 6.3.
#[derive(Clone, Copy, Default)]
struct Presence {
    on_map: bool,
    /// West of the map seam (6.4), or of the Ourthe (1E 6.5).
    west: bool,
    arriving: bool,
}

impl Presence {
    fn any(self) -> bool {
        self.on_map || self.arriving
    }
}

/// Where the units of each formation are.
fn present(rules: &Ardennes, s: &State) -> [Presence; MAX_FORMATIONS] {
    let mut present = [Presence::default(); MAX_FORMATIONS];
    for unit in rules.units_of(Side::German) {
        let place = s.unit(unit).place();
        if !matches!(place, Place::Hex(_) | Place::Due | Place::Track) {
            continue;
        }
        let Some(formation) = rules.formation_of(s, unit) else { continue };
        let found = &mut present[formation.index()];
        match place {
            Place::Hex(hex) => {
                found.on_map = true;
                found.west |= west(rules, hex);
            }
            Place::Track => found.arriving |= arrives_now(rules, s, unit),
            _ => found.arriving = true,
        }
    }
    present
}

fn arrives_now(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    rules.pack.unit(unit).arrival().is_some() && rules.arrival_turn(unit) == s.turn
}

/// 6.4: the West map; 1E 6.5: west of the Ourthe.
fn west(rules: &Ardennes, hex: hexgrid::HexId) -> bool {
    if rules.fuel_west_of_the_ourthe() {
        rules.land.west_of_ourthe.contains(hex)
    } else {
        rules.land.west_map.contains(hex)
    }
}

/// The divisions that the result may affect, by 6.1, 6.3 and 6.4.
fn candidates<'a>(cx: &'a Cx) -> impl Iterator<Item = FormationId> + 'a {
    let (rules, s) = (cx.rules, cx.s);
    let result = match cx.frame {
        Frame::PickFuel { table, die } => result(rules, table, die),
        _ => FuelResult::NoShortage,
    };
    let present = present(rules, s);
    // 6.3: of two named divisions, one that is only arriving is spared while the other is on the map.
    let one_on_map = matches!(result, FuelResult::OneOf(a, Some(b))
        if present[a.index()].on_map || present[b.index()].on_map);
    // 6.1: of the brigades only those that the tables name count as divisions.
    let of_army = |formation: FormationId, army: Army| {
        let def = rules.pack.formation(formation);
        def.army == Some(army) && (def.kind != FormationKind::Brigade || def.fuel_table > 0)
    };
    (0..rules.pack.formations.len() as u8).map(FormationId).filter(move |formation| {
        let def = rules.pack.formation(*formation);
        if def.side != Side::German {
            return false;
        }
        let here = present[formation.index()];
        match result {
            FuelResult::OneOf(a, b) => {
                let named = *formation == a || b == Some(*formation);
                named && if one_on_map { here.on_map } else { here.any() }
            }
            // 6.4
            FuelResult::WestMap(army) | FuelResult::WestOfOurthe(army) => {
                here.west && of_army(*formation, army)
            }
            FuelResult::AnyPanzerDivision(army) => here.any() && def.panzer && of_army(*formation, army),
            FuelResult::NoShortage | FuelResult::Both(..) => false,
        }
    })
}

/// 6.1: the units of the division are Out of Supply; 6.4: of a West Map result only those on the West map.
fn hit(play: &mut Play, table: u8, formation: FormationId, result: FuelResult) {
    play.tell(Event::Fuel { table, formation: Some(formation) });
    let rules = play.rules;
    let west_only = matches!(result, FuelResult::WestMap(_));
    for unit in rules.units_of(Side::German) {
        if rules.formation_of(play.s, unit) != Some(formation) {
            continue;
        }
        let struck = match play.s.unit(unit).place() {
            Place::Hex(hex) => !west_only || west(rules, hex),
            // 6.3: a division that arrives this turn enters Out of Supply.
            Place::Due => !west_only,
            Place::Track => !west_only && arrives_now(rules, play.s, unit),
            _ => false,
        };
        if struck {
            play.mark(unit, Flags::OOS | Flags::NO_FUEL);
        }
    }
}
