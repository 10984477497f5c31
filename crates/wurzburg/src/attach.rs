//! Independent formations join a division or brigade (12.5.3, 12.8.3).

use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    pack::AttachesTo,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Place, State},
    units::{FormationId, Side},
};

impl Wurzburg {
    /// Whether an independent formation is in play: on the map, or due this turn.
    fn attachable(&self, s: &State, formation: FormationId) -> bool {
        self.formation(formation).independent
            && self.in_play[formation.index()]
            && self.units_of_formation(s, formation).any(|unit| {
                matches!(
                    s.unit(unit).place,
                    Place::Map | Place::Column | Place::Waiting | Place::FiveRow | Place::TenRow
                )
            })
    }

    /// Whether one may join the other at all.
    fn fits(&self, s: &State, formation: FormationId, to: FormationId) -> bool {
        let Some(kind) = self.pack.formation(formation).attaches_to else { return false };
        let (own, node) = (self.formation(formation), self.formation(to));
        let whole = own.side == node.side
            && node.activates
            && !node.independent
            && self.scenario.cycles[own.side.index()].contains(&to);
        whole
            && match kind {
                AttachesTo::WpDivision => true,
                AttachesTo::BrigadeOf12PzD => node.parent == own.parent,
                AttachesTo::WgBrigade => node.nation == own.nation && self.parent(s, to) != Some(formation),
            }
    }

    /// WP formations that must be attached before planning ends (12.5.3).
    pub fn unattached(&self, s: &State) -> impl Iterator<Item = FormationId> + '_ {
        let all: SmallVec<[FormationId; 4]> = (0..s.formations.len() as u8)
            .map(FormationId)
            .filter(|id| {
                self.formation(*id).side == Side::Wp
                    && s.formation(*id).attached == FormationId::NONE
                    && self.attachable(s, *id)
            })
            .collect();
        all.into_iter()
    }
}

/// 12.8.3: a battalion that must join the active brigade, because it can join no other in the turn in which it comes into
/// play, or because that turn is over.
fn must_join(cx: &Cx, formation: FormationId) -> bool {
    let rules = cx.rules;
    if rules.pack.formation(formation).attaches_to != Some(AttachesTo::BrigadeOf12PzD)
        || cx.s.formation(formation).attached != FormationId::NONE
        || check(cx, formation, cx.s.active).is_err()
    {
        return false;
    }
    let arrivals = &rules.scenario.arrivals;
    let first = arrivals.iter().find(|arrival| arrival.formations.contains(&formation)).map_or(1, |a| a.turn);
    let mut others = (0..cx.s.formations.len() as u8).map(FormationId);
    cx.s.turn > first || !others.any(|to| rules.fits(cx.s, formation, to) && rules.can_activate(cx.s, to))
}

/// 12.5.3: the first attachment of a WP formation is part of planning.
pub fn planning_options(cx: &Cx, formation: FormationId, out: &mut Vec<Action>) {
    if !cx.rules.unattached(cx.s).any(|id| id == formation) {
        return;
    }
    let all = (0..cx.s.formations.len() as u8).map(FormationId);
    let fits = all.filter(|to| cx.rules.fits(cx.s, formation, *to));
    out.extend(fits.map(|to| Action::Attach { formation, to }));
}

/// Whether it may be attached now: in planning for the first time, in a cycle permanently (12.5.3, 12.8.3).
pub fn check(cx: &Cx, formation: FormationId, to: FormationId) -> Result<(), Refusal> {
    let rules = cx.rules;
    let rule = if rules.formation(formation).side == Side::Wp { "12.5.3" } else { "12.8.3" };
    let no = |key| rules.no(rule, key).formation("formation", formation).into();
    if rules.formation(formation).side != cx.side || !rules.attachable(cx.s, formation) {
        return no("attach.not_independent");
    }
    if !rules.fits(cx.s, formation, to) {
        return no("attach.other");
    }
    let f = cx.s.formation(formation);
    if f.attached == to {
        return no("attach.same");
    }
    if f.attached != FormationId::NONE && f.attachment_changed {
        return no("attach.changed");
    }
    match cx.frame {
        Frame::Planning if f.attached == FormationId::NONE => Ok(()),
        Frame::Attach if to == cx.s.active && !f.plan.executed => Ok(()),
        _ => no("attach.not_now"),
    }
}

pub fn apply(play: &mut Play, formation: FormationId, to: FormationId) {
    let f = play.s.formation_mut(formation);
    f.attachment_changed |= f.attached != FormationId::NONE;
    f.attached = to;
    play.tell(Event::Attached { formation, to });
}

/// The Activation Segment opens.
pub fn open(play: &mut Play) {
    play.push(Frame::Attach);
}

/// 12.5.3, 12.8.3: in the Activation Segment an independent formation may be attached to the active one.
#[derive(Debug)]
pub struct Attach;

fn candidates(cx: &Cx) -> SmallVec<[FormationId; 4]> {
    let all = (0..cx.s.formations.len() as u8).map(FormationId);
    all.filter(|id| check(cx, *id, cx.s.active).is_ok()).collect()
}

impl Question<Wurzburg> for Attach {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.active.some().map_or(Side::Wp, |active| rules.formation(active).side))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        candidates(cx).is_empty().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(candidates(cx).into_iter().map(Subject::Formation));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.extend(self.check(cx, &Action::Done).is_ok().then_some(Action::Done)),
            Subject::Formation(formation) if candidates(cx).contains(&formation) => {
                out.push(Action::Attach { formation, to: cx.s.active });
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => match candidates(cx).into_iter().find(|id| must_join(cx, *id)) {
                Some(formation) => {
                    cx.rules.no("12.8.3", "attach.must").formation("formation", formation).into()
                }
                None => Ok(()),
            },
            Action::Attach { formation, to } => check(cx, *formation, *to),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Attach { formation, to } => apply(play, *formation, *to),
            _ => {
                play.pop();
                if side == Side::Wp {
                    crate::maneuver::open_leads(play);
                }
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.attach", "12.5.3")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
