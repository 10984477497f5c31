//! The Command Phase (4.2): both sides place Commands in secret, one for each vehicle.

use kernel::{Refusal, SeatSet};

use crate::{
    action::{Action, Subject},
    event::Event,
    fire::{Candidate, Kind},
    pack::Side,
    play::{Cx, Play, seat},
    rules::Panzer,
    state::{Command, State},
    units::UnitId,
};

impl Panzer {
    /// May a vehicle be given a Command at all? On the map, or held and due to enter.
    pub fn commandable(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        u.on_map() || u.place == crate::state::Place::Held && self.due(s, unit)
    }

    /// Has the vehicle a target that it spotted itself, in range and in its field of fire? (4.2.1)
    pub fn has_target(&self, s: &State, unit: UnitId) -> bool {
        let who = Candidate { rules: self, s, kind: Kind::Direct, supposed: true };
        let enemies = self.units_of(self.vehicle(unit).side.enemy());
        enemies.iter().any(|target| who.may_fire(unit, *target))
    }

    /// 4.2: who may receive a Command; a Command that cannot be performed may not be given (4.2.1).
    pub fn may_command(&self, s: &State, unit: UnitId, command: Command) -> Result<(), Refusal> {
        match self.bar_to_command(s, unit, command) {
            None => Ok(()),
            Some((rule, why)) => self.no(rule, why).unit("unit", unit).into(),
        }
    }

    /// The rule and the reason why a vehicle may not be given a Command.
    fn bar_to_command(
        &self,
        s: &State,
        unit: UnitId,
        command: Command,
    ) -> Option<(&'static str, &'static str)> {
        let v = self.vehicle(unit);
        match command {
            _ if !self.commandable(s, unit) => Some(("4.2", "command.gone")),
            Command::NoCommand | Command::Move => None,
            _ if !v.combat => Some(("4.2", "command.unarmed")),
            _ if !s.unit(unit).on_map() => Some(("4.2.1", "command.held")),
            _ if v.guns.is_empty() => Some(("4.4.3", "command.no_ap")),
            _ if command.fires() && !self.has_target(s, unit) => Some(("4.2.1", "command.no_target")),
            _ => None,
        }
    }
}

/// Who has still to place Commands.
pub fn awaited(s: &State) -> SeatSet {
    let open = Side::ALL.into_iter().filter(|side| !s.committed[side.index()]);
    open.fold(SeatSet::default(), |set, side| set.with(seat(side)))
}

/// A side without vehicles has nothing to place. On the map of a lab file that has none at all nothing goes on by itself.
pub fn forced(cx: &Cx) -> Option<Action> {
    let somebody = |side| cx.rules.units_of(side).iter().any(|unit| cx.rules.commandable(cx.s, *unit));
    let empty = cx.rules.lab.is_some() && !somebody(cx.side.enemy());
    (!somebody(cx.side) && !empty).then_some(Action::Done)
}

pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    out.push(Subject::Phase);
    let mine = cx.rules.units_of(cx.side).iter().filter(|unit| cx.rules.commandable(cx.s, **unit));
    out.extend(mine.map(|unit| Subject::Unit(*unit)));
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    match subject {
        Subject::Phase => out.push(Action::Done),
        Subject::Unit(unit) if cx.rules.vehicle(unit).side == cx.side => {
            for command in Command::ALL {
                if cx.rules.bar_to_command(cx.s, unit, command).is_none() {
                    out.push(Action::Command { unit, command });
                }
            }
        }
        _ => {}
    }
}

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match action {
        Action::Done => Ok(()),
        Action::Command { unit, command } => {
            cx.rules.own(cx.side, *unit)?;
            cx.rules.may_command(cx.s, *unit, *command)
        }
        _ => Err(cx.rules.not_now()),
    }
}

pub fn apply(play: &mut Play, side: Side, action: &Action) {
    match action {
        Action::Command { unit, command } => {
            play.s.unit_mut(*unit).command = *command;
            play.tell(Event::Commanded { unit: *unit, command: *command });
        }
        _ => {
            play.s.committed[side.index()] = true;
            play.tell(Event::Committed { side });
            if play.s.committed == [true; 2] {
                play.pop();
            }
        }
    }
}
