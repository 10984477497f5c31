//! Electronic warfare (39).

use kernel::{Refusal, Stop};

use crate::{
    action::{Action, Subject, Units},
    event::Event,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Ew, Flags, OpKind, State},
    units::{FormationId, Side, Symbol, UnitId},
};

impl Wurzburg {
    /// 39.2: whether the EW Asset of this HQ may jam in the current operation.
    pub fn check_jam(&self, s: &State, side: Side, hq: UnitId) -> Result<(), Refusal> {
        self.own(side, hq)?;
        let no = |rule, key| self.no(rule, key).unit("unit", hq).into();
        let asset = s.hqs.get(usize::from(self.counter(hq).hq)).map_or(Ew::None, |hq| hq.ew);
        if self.counter(hq).symbol != Symbol::Hq || !matches!(asset, Ew::Unused) {
            return no("39.1", "jam.no_asset");
        }
        if !self.hq_works(s, hq) {
            let rule = if s.unit(hq).is(Flags::DISRUPTED) { "23.3.1" } else { "39.1" };
            return no(rule, "jam.hq");
        }
        if self.shattered_hq(s, hq) {
            return no("31.2.1", "jam.hq");
        }
        // 29.1.2
        if s.op.members.iter().all(|unit| self.counter(unit).airmobile) {
            return no("29.1.2", "jam.airmobile");
        }
        let near = |unit: &UnitId| {
            let u = s.unit(*unit);
            u.on_map()
                && self.field.adjacent(u.hex, s.op.objective)
                && self.superior(s, hq, *unit)
                && (side == Side::Wp || self.counter(*unit).nation == self.counter(hq).nation)
                && self.in_range(s, hq, u.hex)
        };
        if s.op.members.iter().any(|unit| near(&unit)) { Ok(()) } else { no("39.2", "jam.range") }
    }

    /// 31.2.1: whether it is the HQ of a shattered formation, or of a division with no other units left.
    fn shattered_hq(&self, s: &State, hq: UnitId) -> bool {
        let node = self.counter(hq).formation;
        let mut under = (0..s.formations.len() as u8)
            .map(FormationId)
            .filter(|id| {
                *id != node
                    && self.in_play[id.index()]
                    && self.formation(*id).shatter.is_some()
                    && self.below(s, *id, node)
            })
            .peekable();
        s.formation(node).shattered || under.peek().is_some() && under.all(|id| s.formation(id).shattered)
    }

    fn jammers(&self, s: &State, side: Side) -> Units {
        self.hqs.iter().copied().filter(|hq| self.check_jam(s, side, *hq).is_ok()).collect()
    }

    /// The modifiers of a Jamming roll against the Objective Hex (39.2), with their names.
    pub fn jamming_modifiers(&self, s: &State) -> Vec<(&'static str, i8)> {
        let t = &self.tables.jamming;
        let hex = s.op.objective;
        let defender = s.op.side.enemy();
        let terrain = self.field.terrain(hex);
        let units: Units = self
            .stack(s, defender, hex)
            .into_iter()
            .filter(|unit| !s.unit(*unit).is(Flags::MASKED))
            .collect();
        let reached = |unit: &UnitId| {
            self.hqs.iter().any(|hq| {
                self.counter(*hq).side == defender
                    && matches!(
                        s.unit(*hq).place,
                        crate::state::Place::Map | crate::state::Place::FiveRow | crate::state::Place::TenRow
                    )
                    && self.superior(s, *hq, *unit)
                    && (defender == Side::Wp || self.counter(*hq).nation == self.counter(*unit).nation)
                    && self.in_range(s, *hq, hex)
            })
        };
        let mut list = Vec::new();
        let mut add = |yes: bool, word, value| {
            if yes {
                list.push((word, value));
            }
        };
        let improved = s.mark(hex).and_then(|mark| mark.improved) == Some(defender);
        add(improved, "improved_position", t.improved_position); // 35.0
        add(
            s.op.side == Side::Nato && s.op.kind == OpKind::HastyAttack,
            "nato_hasty_attack",
            t.nato_hasty_attack,
        );
        add(terrain.close(), "close_terrain", t.close_terrain);
        add(defender == Side::Nato && terrain.built_up(), "nato_in_town_or_city", t.nato_in_town_or_city);
        let lost = !units.is_empty() && !units.iter().any(reached);
        add(lost, "defenders_out_of_command_range", t.defenders_out_of_command_range);
        list
    }
}

/// 39.2: one unused EW Asset, or none.
#[derive(Debug)]
pub struct Jamming;

impl Question<Wurzburg> for Jamming {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        cx.rules.jammers(cx.s, cx.side).is_empty().then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(cx.rules.jammers(cx.s, cx.side).into_iter().map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(hq) if cx.rules.check_jam(cx.s, cx.side, hq).is_ok() => out.push(Action::Jam(hq)),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done | Action::Hold => Ok(()),
            Action::Jam(hq) => cx.rules.check_jam(cx.s, cx.side, *hq),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let Action::Jam(hq) = action else { return Ok(()) };
        let modifier: i8 = play.rules.jamming_modifiers(play.s).iter().map(|(_, value)| *value).sum();
        let roll = play.roll(side, modifier, "roll.jamming", "39.2")?;
        let table = &play.rules.tables.jamming;
        let lost = table.asset_lost.contains(roll);
        let n = usize::from(play.rules.counter(*hq).hq);
        if let Some(state) = play.s.hqs.get_mut(n) {
            state.ew = if lost { Ew::Lost } else { Ew::Used };
        }
        let row = table.rows[if lost { 0 } else { table.row(roll as i8 + modifier) }];
        if !lost {
            play.s.op.max_artillery = row.artillery;
            play.s.op.max_ah = row.attack_helicopters;
            play.s.op.no_reaction = !row.reaction;
        }
        play.tell(Event::Jammed {
            hq: *hq,
            roll,
            modifier,
            lost,
            artillery: if lost { u8::MAX } else { row.artillery },
            reaction: lost || row.reaction,
        });
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.jamming", "39.2")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
