//! WP planning (12.3) and the Main Effort (12.4).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, OpKind, Payer, Plan, State},
    units::{FormationId, Side, Symbol, UnitId},
};

impl Wurzburg {
    /// 29.2.1, 12.3: the regiments that must be planned: those with a unit on the map or due this turn.
    pub fn planned(&self, s: &State, formation: FormationId) -> bool {
        let node = self.formation(formation);
        node.side == Side::Wp
            && !node.base
            && self.in_play[formation.index()]
            && self.units_of_formation(s, formation).any(|unit| {
                use crate::state::Place;
                matches!(s.unit(unit).place, Place::Map | Place::Column | Place::Waiting)
            })
    }

    /// Whether a counter is on the map or about to enter it.
    pub fn shown(&self, s: &State, unit: UnitId) -> bool {
        use crate::state::Place;
        matches!(s.unit(unit).place, Place::Map | Place::Column | Place::Waiting)
    }

    /// 12.3.1: whether WP has a working division HQ above the regiment with one of its units in range.
    fn hq_reaches(&self, s: &State, hq: UnitId, formation: FormationId) -> bool {
        let works = self.hq_works(s, hq);
        // 29.2.3: an airmobile HQ and its units are off the map together.
        let off_map = self.off_map_hq(s, hq);
        (works || off_map)
            && self.below(s, formation, self.counter(hq).formation)
            && self.units_of_formation(s, formation).any(|unit| {
                let hex = s.unit(unit).hex;
                if off_map || self.waits(s, unit) {
                    return off_map && self.waits(s, unit);
                }
                if s.unit(unit).place == crate::state::Place::Column {
                    // 40.3.2: the range must reach beyond an edge hex by which it may enter.
                    let range = u32::from(self.counter(hq).command_range);
                    let zone = self.entry_zone(s, unit);
                    return zone.iter().any(|hex| self.reach_of(s, hq, hex).is_some_and(|far| far < range));
                }
                s.unit(unit).on_map() && self.in_range(s, hq, hex)
            })
    }
}

/// The points left to pay with, if a regiment's own plan is taken back.
fn left(cx: &Cx, payer: Payer, formation: FormationId) -> u8 {
    let mine = u8::from(cx.s.formation(formation).plan.payer == payer);
    match payer {
        Payer::Hq(hq) => cx.s.hqs.get(usize::from(cx.rules.counter(hq).hq)).map_or(0, |hq| hq.cp) + mine,
        Payer::OffMap => cx.s.sides[Side::Wp.index()].off_map_cp + mine,
        Payer::None | Payer::MainEffort => u8::MAX,
    }
}

/// 12.3: an operation for each regiment.
#[derive(Debug)]
pub struct Planning;

fn regiments<'a>(cx: &'a Cx<'a>) -> impl Iterator<Item = FormationId> + 'a {
    let all = (0..cx.s.formations.len() as u8).map(FormationId);
    all.filter(|id| cx.rules.planned(cx.s, *id))
}

fn check_plan(cx: &Cx, formation: FormationId, kind: OpKind, payer: Payer) -> Result<(), Refusal> {
    let rules = cx.rules;
    let no = |rule, key| rules.no(rule, key).formation("formation", formation).into();
    if !rules.planned(cx.s, formation) {
        return no("12.3", "plan.no_regiment");
    }
    if kind == OpKind::March {
        return if payer == Payer::None { Ok(()) } else { no("12.2.1", "plan.march_is_free") };
    }
    if cx.s.formation(formation).shattered {
        return no("31.2", "plan.shattered");
    }
    match payer {
        Payer::None => no("12.2.1", "plan.unpaid"),
        Payer::Hq(hq) => {
            rules.own(Side::Wp, hq)?;
            let no =
                |rule, key| rules.no(rule, key).unit("unit", hq).formation("formation", formation).into();
            if rules.counter(hq).symbol != Symbol::Hq
                || !rules.below(cx.s, formation, rules.counter(hq).formation)
            {
                return no("12.3", "plan.not_superior");
            }
            if cx.s.unit(hq).is(Flags::DISRUPTED) {
                return no("12.3", "plan.disrupted"); // 23.3.2
            }
            if main_effort(rules, cx.s, formation) {
                return no("12.4.1", "plan.effort_hq");
            }
            if left(cx, payer, formation) == 0 {
                return no("12.2.2", "pay.no_points_hq");
            }
            if !rules.hq_reaches(cx.s, hq, formation) {
                return no("12.3.1", "plan.out_of_range");
            }
            Ok(())
        }
        Payer::OffMap if left(cx, payer, formation) == 0 => rules.no("12.2.3", "pay.no_off_map").into(),
        Payer::OffMap => Ok(()),
        Payer::MainEffort => {
            if !main_effort(rules, cx.s, formation) || rules.formation(formation).independent {
                return no("12.4.1", "plan.no_effort");
            }
            let reached = rules
                .units_of(Side::Wp)
                .iter()
                .any(|hq| rules.counter(*hq).symbol == Symbol::Hq && rules.hq_reaches(cx.s, *hq, formation));
            if reached { Ok(()) } else { no("12.4.1", "plan.out_of_range_effort") }
        }
    }
}

/// Whether the regiment's division has its Main Effort this turn (12.4).
pub fn main_effort(rules: &Wurzburg, s: &State, formation: FormationId) -> bool {
    use crate::state::Chit;
    rules.division(s, formation).is_some_and(|division| {
        matches!(s.formation(division).chit, Chit::Laid(turn) | Chit::Shown(turn) if turn == s.turn)
    })
}

fn payers(cx: &Cx, formation: FormationId) -> SmallVec<[Payer; 4]> {
    let hqs = cx.rules.units_of(Side::Wp).iter().filter(|unit| cx.rules.counter(**unit).symbol == Symbol::Hq);
    hqs.map(|unit| Payer::Hq(*unit))
        .chain([Payer::OffMap, Payer::MainEffort])
        .filter(|payer| check_plan(cx, formation, OpKind::HastyAttack, *payer).is_ok())
        .collect()
}

impl Question<Wurzburg> for Planning {
    fn asks(&self, _: &Wurzburg, _: &State, _: Frame) -> Option<Side> {
        Some(Side::Wp)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        regiments(cx).next().is_none().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        // At the table a regiment may be chosen by any of its units.
        let units = |formation| {
            cx.rules.units_of_formation(cx.s, formation).filter(|unit| cx.rules.shown(cx.s, *unit))
        };
        out.extend(regiments(cx).flat_map(units).map(Subject::Unit));
        let loose = cx.rules.unattached(cx.s).filter(|id| !cx.rules.planned(cx.s, *id));
        out.extend(loose.map(Subject::Formation));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => {
                if self.check(cx, &Action::Done).is_ok() {
                    out.push(Action::Done);
                }
                crate::effort::options(cx, out);
            }
            Subject::Unit(unit) => {
                let formation = cx.rules.counter(unit).formation;
                self.options(cx, Subject::Formation(formation), out);
            }
            Subject::Formation(formation) if cx.rules.planned(cx.s, formation) => {
                crate::attach::planning_options(cx, formation, out);
                out.push(Action::Plan { formation, kind: OpKind::March, payer: Payer::None });
                for payer in payers(cx, formation) {
                    for kind in [OpKind::HastyAttack, OpKind::Assault, OpKind::Reserve] {
                        out.push(Action::Plan { formation, kind, payer });
                    }
                }
            }
            Subject::Formation(formation) => crate::attach::planning_options(cx, formation, out),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => match cx.rules.unattached(cx.s).next() {
                // 12.5.3: it must belong to a division before anything is planned for it.
                Some(formation) if !cx.rules.scenario.plans_unattached => {
                    cx.rules.no("12.5.3", "attach.first").formation("formation", formation).into()
                }
                _ => Ok(()),
            },
            Action::Attach { formation, to } => crate::attach::check(cx, *formation, *to),
            Action::Plan { formation, kind, payer } => check_plan(cx, *formation, *kind, *payer),
            action => crate::effort::check(cx, action),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Plan { formation, kind, payer } => {
                refund(play.rules, play.s, *formation);
                crate::operation::pay(play, Side::Wp, *payer);
                play.s.formation_mut(*formation).plan = Plan { kind: *kind, payer: *payer, executed: false };
                play.tell(Event::Planned { formation: *formation, kind: *kind, payer: *payer });
            }
            Action::Attach { formation, to } => {
                crate::attach::apply(play, *formation, *to);
                play.log.reveal();
            }
            Action::Effort(_) | Action::PostponeEffort | Action::TakeBackEffort => {
                crate::effort::apply(play, action);
            }
            _ => {
                play.pop();
                play.tell(Event::PlanningDone);
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.planning", "12.3")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}

/// Take back a plan and its point.
fn refund(rules: &Wurzburg, s: &mut State, formation: FormationId) {
    match s.formation(formation).plan.payer {
        Payer::Hq(hq) => {
            if let Some(hq) = s.hqs.get_mut(usize::from(rules.counter(hq).hq)) {
                hq.cp += 1;
            }
        }
        Payer::OffMap => s.sides[Side::Wp.index()].off_map_cp += 1,
        Payer::None | Payer::MainEffort => {}
    }
    s.formation_mut(formation).plan = Plan::default();
}

/// The Planning Phase begins: nothing is planned yet; in turn 1 the scenario's plans are set.
pub fn open(rules: &Wurzburg, s: &mut State) {
    crate::effort::open(rules, s);
    for f in &mut s.formations {
        f.plan = Plan::default();
        f.lead = HexId::NONE;
    }
    if s.turn != 1 {
        return;
    }
    for planned in &rules.scenario.plan {
        let payer = match planned.payer {
            crate::pack::Payer::Nobody => Payer::None,
            crate::pack::Payer::OffMap => Payer::OffMap,
            crate::pack::Payer::Hq(piece) => match rules.unit_of_piece(piece) {
                Some(unit) => Payer::Hq(unit),
                None => continue,
            },
        };
        let cx = Cx { rules, s, side: Side::Wp, frame: Frame::Planning };
        if check_plan(&cx, planned.formation, planned.operation, payer).is_err() {
            continue;
        }
        match payer {
            Payer::Hq(hq) => {
                if let Some(hq) = s.hqs.get_mut(usize::from(rules.counter(hq).hq)) {
                    hq.cp = hq.cp.saturating_sub(1);
                }
            }
            Payer::OffMap => {
                let side = &mut s.sides[Side::Wp.index()];
                side.off_map_cp = side.off_map_cp.saturating_sub(1);
            }
            Payer::None | Payer::MainEffort => {}
        }
        s.formation_mut(planned.formation).plan = Plan { kind: planned.operation, payer, executed: false };
    }
}

/// 9.0 B 5: remove Disrupted markers from WP HQs.
pub fn close(play: &mut Play) {
    for unit in play.rules.units_of(Side::Wp) {
        if play.rules.counter(*unit).symbol == Symbol::Hq {
            play.s.unit_mut(*unit).clear(Flags::DISRUPTED); // 23.3.2
        }
    }
}
