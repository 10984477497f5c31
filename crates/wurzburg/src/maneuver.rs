//! The Maneuver Phase: initiative, activation, and the segments of a cycle (8.1.2, 10.0, 12.3.2).

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};

use crate::{
    action::{Action, Subject, Units},
    event::Event,
    frame::{Frame, Segment},
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{OpKind, Payer, Place, State},
    units::{FormationId, Side, Symbol, UnitId},
};

/// 8.1.2, 13.6.3: the rolls that the table lists give WP the initiative, the others NATO.
pub fn initiative(play: &mut Play, reserve: bool) -> Result<(), Stop> {
    let rule = if reserve { "13.6.3" } else { "8.1.2" };
    let roll = play.roll(Side::Wp, 0, "roll.initiative", rule)?;
    let side = if play.rules.tables.initiative_wp.contains(&roll) { Side::Wp } else { Side::Nato };
    play.tell(Event::Initiative { side, roll, reserve });
    play.s.initiative = side;
    play.s.passes = 0;
    if reserve {
        play.then(&[Frame::Reserve(side), Frame::Reserve(side.enemy())]);
    } else {
        play.push(Frame::Maneuver);
    }
    Ok(())
}

impl Wurzburg {
    /// Whether a formation may begin its cycle now (8.1.2, 30.4.3).
    pub fn can_activate(&self, s: &State, formation: FormationId) -> bool {
        let side = self.formation(formation).side;
        self.scenario.cycles[side.index()].contains(&formation)
            && !s.formation(formation).activated
            && !self.annihilated(s, formation)
            && self.units_of(side).iter().any(|unit| {
                let counter = self.counter(*unit);
                counter.symbol.ground()
                    && counter.symbol != Symbol::Hq
                    && matches!(
                        s.unit(*unit).place,
                        Place::Map
                            | Place::Column
                            | Place::Waiting
                            | Place::FiveRow
                            | Place::TenRow
                            | Place::Bridge
                    )
                    && self.below(s, counter.formation, formation)
            })
    }

    fn activations<'a>(&'a self, s: &'a State, side: Side) -> impl Iterator<Item = FormationId> + 'a {
        let cycles = self.scenario.cycles[side.index()].iter().copied();
        cycles.filter(move |formation| self.can_activate(s, *formation))
    }
}

/// 8.1.2: activate one formation, or pass.
#[derive(Debug)]
pub struct Maneuver;

impl Question<Wurzburg> for Maneuver {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.initiative)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        cx.rules.activations(cx.s, cx.side).next().is_none().then_some(Action::Pass)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(cx.rules.activations(cx.s, cx.side).map(Subject::Formation));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Pass),
            Subject::Formation(formation)
                if cx.rules.activations(cx.s, cx.side).any(|id| id == formation) =>
            {
                out.push(Action::Activate(formation));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Pass => Ok(()),
            Action::Activate(formation) => {
                let no = |rule, key| cx.rules.no(rule, key).formation("formation", *formation).into();
                if cx.rules.formation(*formation).side != cx.side
                    || !cx.rules.scenario.cycles[cx.side.index()].contains(formation)
                {
                    return no("10.1", "activate.no_cycle");
                }
                if cx.s.formation(*formation).activated {
                    return no("8.1.2", "activate.again");
                }
                if cx.rules.can_activate(cx.s, *formation) { Ok(()) } else { no("30.4.3", "activate.gone") }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Activate(formation) => {
                play.s.passes = 0;
                play.s.active = *formation;
                play.s.formation_mut(*formation).activated = true;
                play.tell(Event::Activated { formation: *formation });
                crate::effort::show(play, *formation);
                play.push(Frame::EndCycle);
                for segment in Segment::ALL.into_iter().rev() {
                    play.push(Frame::Segment(segment));
                }
            }
            _ => {
                let asked = play.rules.activations(play.s, side).next().is_some();
                if asked {
                    play.tell(Event::Passed { side });
                }
                play.s.passes += 1;
                play.s.initiative = side.enemy();
                if play.s.passes >= 2 {
                    play.pop();
                }
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.maneuver", "8.1.2")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Pass)
    }
}

/// 10.0: a segment opens; its frame has already been popped.
pub fn segment(play: &mut Play, segment: Segment) {
    let side = play.rules.formation(play.s.active).side;
    match segment {
        Segment::Activation => {
            play.push(Frame::Smoke);
            crate::attach::open(play);
            play.push(Frame::Paradrop); // 29.5
        }
        Segment::Operations => {
            play.tell(Event::Segment { segment });
            play.push(Frame::Operations);
        }
        Segment::Reconnaissance => crate::recon::open(play),
        Segment::Strike => crate::support::open_strikes(play),
        Segment::BridgeDemolition => {
            if side == Side::Nato && crate::engineers::set_charges(play.rules, play.s) {
                play.push(Frame::Demolition);
            }
        }
        Segment::IntelligenceFade => {
            play.s.acquired.clear();
            play.s.support.bridges_acquired.clear();
        }
        Segment::Contamination => play.push(Frame::Contamination),
        // Hidden Mode only.
        Segment::Redeployment | Segment::DeliberateDefense => {}
    }
}

/// The cycle ends: the initiative passes to the opponent.
pub fn end_cycle(play: &mut Play) {
    let formation = play.s.active;
    let side = play.rules.formation(formation).side;
    play.s.active = FormationId::NONE;
    play.s.initiative = side.enemy();
    play.s.sides[side.index()].special_rp = 0;
    play.s.sky.paradrop = false;
    play.tell(Event::CycleOver { formation });
}

impl Wurzburg {
    /// 12.3.2: the units of a regiment that may carry its Lead Unit marker.
    pub fn leads(&self, s: &State, formation: FormationId) -> Units {
        let plan = s.formation(formation).plan;
        let anywhere = plan.payer == Payer::OffMap || plan.kind == OpKind::March;
        let in_range = |unit: UnitId| {
            self.units_of(Side::Wp).iter().any(|hq| {
                let counter = self.counter(*hq);
                counter.symbol == Symbol::Hq
                    && s.unit(*hq).place != Place::Track
                    && self.below(s, formation, counter.formation)
                    && self.in_range(s, *hq, s.unit(unit).hex)
            })
        };
        self.units_of_formation(s, formation)
            .filter(|unit| s.unit(*unit).on_map() && (anywhere || in_range(*unit)))
            .collect()
    }

    /// The hex of a regiment's Lead Unit marker. 13.7: if its division has not activated, a regiment in reserve gets it
    /// as it begins its operation.
    pub fn lead_of(&self, s: &State, formation: FormationId) -> HexId {
        let f = s.formation(formation);
        let missing = f.lead == HexId::NONE && f.plan.kind == OpKind::Reserve;
        let first = || self.leads(s, formation).first().map(|unit| s.unit(*unit).hex);
        if missing { first().unwrap_or(HexId::NONE) } else { f.lead }
    }

    /// The regiment of the active division that gets its marker next.
    fn next_lead(&self, s: &State) -> Option<FormationId> {
        let all = (0..s.formations.len() as u8).map(FormationId);
        all.into_iter().find(|id| {
            self.planned(s, *id)
                && self.below(s, *id, s.active)
                && s.formation(*id).lead == HexId::NONE
                && !s.formation(*id).plan.executed
                && !self.leads(s, *id).is_empty()
        })
    }
}

/// 12.3.2: the markers are placed when the division activates.
pub fn open_leads(play: &mut Play) {
    for n in 0..play.s.formations.len() as u8 {
        let id = FormationId(n);
        if play.rules.formation(id).side == Side::Wp && play.rules.below(play.s, id, play.s.active) {
            play.s.formation_mut(id).lead = HexId::NONE;
        }
    }
    if play.rules.next_lead(play.s).is_some() {
        play.push(Frame::Leads);
    }
}

/// The marker of a unit's regiment is placed in its hex.
pub fn place_lead(play: &mut Play, unit: UnitId) {
    let formation = play.rules.counter(unit).formation;
    let hex = play.s.unit(unit).hex;
    play.s.formation_mut(formation).lead = hex;
    play.tell(Event::Lead { formation, hex });
}

/// The marker, if all units that could carry it are in one hex: only the hex matters.
fn only_hex(cx: &Cx, units: &[UnitId]) -> Option<Action> {
    let first = units.first().copied()?;
    let same = units.iter().all(|unit| cx.s.unit(*unit).hex == cx.s.unit(first).hex);
    same.then_some(Action::Lead(first))
}

/// One unit of each hex.
fn one_of_each_hex(cx: &Cx, units: Units, out: &mut Vec<Subject>) {
    let mut seen = HexSet::EMPTY;
    out.extend(units.into_iter().filter(|unit| seen.insert(cx.s.unit(*unit).hex)).map(Subject::Unit));
}

/// 12.3.2: one Lead Unit marker for each regiment.
#[derive(Debug)]
pub struct Leads;

impl Question<Wurzburg> for Leads {
    fn asks(&self, _: &Wurzburg, _: &State, _: Frame) -> Option<Side> {
        Some(Side::Wp)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let Some(formation) = cx.rules.next_lead(cx.s) else { return Some(Action::Done) };
        only_hex(cx, &cx.rules.leads(cx.s, formation))
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        let Some(formation) = cx.rules.next_lead(cx.s) else { return };
        one_of_each_hex(cx, cx.rules.leads(cx.s, formation), out);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject
            && self.check(cx, &Action::Lead(unit)).is_ok()
        {
            out.push(Action::Lead(unit));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let next = cx.rules.next_lead(cx.s);
        match action {
            Action::Done if next.is_none() => Ok(()),
            Action::Lead(unit) => {
                cx.rules.own(cx.side, *unit)?;
                let formation = cx.rules.counter(*unit).formation;
                let open = cx.rules.planned(cx.s, formation)
                    && cx.rules.below(cx.s, formation, cx.s.active)
                    && cx.s.formation(formation).lead == HexId::NONE;
                if !open {
                    return cx.rules.no("12.3.2", "lead.not_now").unit("unit", *unit).into();
                }
                if cx.rules.leads(cx.s, formation).contains(unit) {
                    return Ok(());
                }
                cx.rules.no("12.3.2", "lead.out_of_range").unit("unit", *unit).into()
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if let Action::Lead(unit) = action {
            place_lead(play, *unit);
        }
        if play.rules.next_lead(play.s).is_none() {
            play.pop();
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.leads", "12.3.2")
    }
}

/// 12.3.2.2: an enemy is alone in the hex of a Lead Unit marker; it goes to another unit of the regiment.
#[derive(Debug)]
pub struct ShiftLead;

/// The regiment, and its units within reach of the marker.
fn successors(cx: &Cx) -> (FormationId, Units) {
    let Frame::ShiftLead(formation) = cx.frame else { return (FormationId::NONE, Units::new()) };
    let marker = cx.s.formation(formation).lead;
    let range = u32::from(cx.rules.tables.command.lead_unit_range);
    let near = |unit: &UnitId| {
        let u = cx.s.unit(*unit);
        u.on_map() && cx.rules.field.distance(u.hex, marker) <= range
    };
    (formation, cx.rules.units_of_formation(cx.s, formation).filter(near).collect())
}

impl Question<Wurzburg> for ShiftLead {
    fn asks(&self, rules: &Wurzburg, _: &State, frame: Frame) -> Option<Side> {
        Some(if let Frame::ShiftLead(formation) = frame { rules.formation(formation).side } else { Side::Wp })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (formation, units) = successors(cx);
        let Some(first) = units.first().copied() else { return Some(Action::Done) };
        // 12.3.2.1: who is near the marker is settled as the operation begins; it does not matter any more.
        let begun = cx.s.op.groups.iter().any(|group| group.formation == formation);
        if begun { Some(Action::Lead(first)) } else { only_hex(cx, &units) }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        one_of_each_hex(cx, successors(cx).1, out);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject
            && self.check(cx, &Action::Lead(unit)).is_ok()
        {
            out.push(Action::Lead(unit));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (_, units) = successors(cx);
        match action {
            Action::Done if units.is_empty() => Ok(()),
            Action::Lead(unit) => {
                cx.rules.own(cx.side, *unit)?;
                if units.contains(unit) {
                    return Ok(());
                }
                cx.rules.no("12.3.2.2", "lead.no_successor").unit("unit", *unit).into()
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { frame, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        match (action, frame) {
            (Action::Lead(unit), _) => place_lead(play, *unit),
            (_, Frame::ShiftLead(formation)) => play.s.formation_mut(formation).lead = HexId::NONE,
            _ => {}
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.lead_shift", "12.3.2.2")
    }
}
