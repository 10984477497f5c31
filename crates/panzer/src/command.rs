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
        let (u, v) = (s.unit(unit), self.vehicle(unit));
        if !self.commandable(s, unit) {
            return self.no("4.2", "command.gone").unit("unit", unit).into();
        }
        match command {
            Command::NoCommand | Command::Move => return Ok(()),
            _ => {}
        }
        if !v.combat {
            return self.no("4.2", "command.unarmed").unit("unit", unit).into();
        }
        if !u.on_map() {
            return self.no("4.2.1", "command.held").unit("unit", unit).into();
        }
        if v.guns.is_empty() {
            return self.no("4.4.3", "command.no_ap").unit("unit", unit).into();
        }
        if command.fires() && !self.has_target(s, unit) {
            return self.no("4.2.1", "command.no_target").unit("unit", unit).into();
        }
        Ok(())
    }
}

/// Who has still to place Commands.
pub fn awaited(s: &State) -> SeatSet {
    let open = Side::ALL.into_iter().filter(|side| !s.committed[side.index()]);
    open.fold(SeatSet::default(), |set, side| set.with(seat(side)))
}

/// A side without vehicles has nothing to place.
pub fn forced(cx: &Cx) -> Option<Action> {
    let nobody = !cx.rules.units_of(cx.side).iter().any(|unit| cx.rules.commandable(cx.s, *unit));
    nobody.then_some(Action::Done)
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
                if cx.rules.may_command(cx.s, unit, command).is_ok() {
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
