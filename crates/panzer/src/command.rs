//! The Command Phase (4.2): both sides secretly place one Command for each vehicle.

use kernel::{Refusal, SeatSet, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Subject},
    event::Event,
    fire::{Candidate, Kind},
    frame::Frame,
    pack::Side,
    piece::UnitKind,
    play::{At, Cx, Play, seat},
    rules::Panzer,
    state::{Command, Flags, State},
    units::{UnitId, UnitSet},
};

impl Panzer {
    /// Whether a vehicle may be given a Command at all: it is on the map, or held and due to enter.
    pub fn commandable(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        u.on_map() || u.place == crate::state::Place::Held && self.due(s, unit)
    }

    /// Whether the vehicle has a target that it has spotted itself, in range and in its field of fire (4.2.1).
    pub fn has_target(&self, s: &State, unit: UnitId) -> bool {
        let who = Candidate { rules: self, s, kind: Kind::Direct, supposed: true };
        let enemies = self.units_of(self.vehicle(unit).side.enemy());
        let riders = self.passengers(s, unit);
        // 4.4.1: only what was spotted; most was not, so test this first.
        let fires = |unit: UnitId, target: UnitId| {
            s.spotters[target.index()].contains(unit) && who.may_fire(unit, target)
        };
        enemies.iter().any(|target| fires(unit, *target) || riders.iter().any(|rider| fires(*rider, *target)))
    }

    /// 6.6.7.2: whether it carries Leg units that can fire; for them even an unarmed vehicle may be given a Command to
    /// fire.
    fn carries_firers(&self, s: &State, unit: UnitId) -> bool {
        let leg = |rider: &UnitId| self.piece(*rider).is_some_and(crate::piece::Piece::leg);
        self.passengers(s, unit).iter().any(leg)
    }

    /// 6.2.1.1.3: whether it has a weapon that fires indirectly under Fire.
    fn fires_unseeing(&self, unit: UnitId, command: Command) -> bool {
        let indirect = |arm: &crate::piece::Arm| {
            arm.weapon.gp_indirect.is_some() && arm.attached.is_none_or(|may| may.gp_indirect)
        };
        // 6.1.4.3.10: smoke is fired at a hex and needs no target.
        self.smoke_gun(unit).is_some()
            || command == Command::Fire
                && self.indirect_fire()
                && self.piece(unit).is_some_and(|piece| piece.arms.iter().any(indirect))
    }

    /// 4.2: units that may receive a Command; a Command that cannot be carried out may not be given (4.2.1).
    pub fn may_command(&self, s: &State, unit: UnitId, command: Command) -> Result<(), Refusal> {
        match self.bar_to_command(s, unit, command) {
            None => Ok(()),
            Some((rule, why)) => self.no(rule, why).unit("unit", unit).into(),
        }
    }

    /// The rule and the reason why a vehicle may not be given a Command.
    pub(crate) fn bar_to_command(
        &self,
        s: &State,
        unit: UnitId,
        command: Command,
    ) -> Option<(&'static str, &'static str)> {
        let v = self.vehicle(unit);
        match command {
            _ if !self.commandable(s, unit) => Some(("4.2", "command.gone")),
            Command::NoCommand => None,
            _ if s.unit(unit).passenger() => Some(("6.6.7", "command.passenger")),
            _ if s.unit(unit).is(Flags::BAILED) => Some(("5.15", "command.abandoned")),
            _ if command.moves() && s.unit(unit).is(Flags::TRACK) => Some(("6.5.2.2.1", "command.track")),
            _ if command.fires() && s.unit(unit).is(Flags::BROKEN) => Some(("7.1.5.2", "command.broken")),
            _ if self.foot_bar(s, unit, command).is_some() => self.foot_bar(s, unit, command),
            Command::Move => None,
            // 6.2.1.1.3: observers may be on Overwatch whether they are armed or not.
            Command::Overwatch if s.unit(unit).on_map() && self.observes(unit).is_some() => None,
            _ if !self.armed(s, unit) && !self.carries_firers(s, unit) => Some(("4.2", "command.unarmed")),
            _ if !s.unit(unit).on_map() => Some(("4.2.1", "command.held")),
            _ if v.guns.is_empty() && !self.carries_firers(s, unit) => Some(("4.4.3", "command.no_ap")),
            // 6.2.1.1.3: indirect fire and smoke need no target that the firing unit has spotted.
            _ if command.fires() && !self.has_target(s, unit) && !self.fires_unseeing(unit, command) => {
                Some(("4.2.1", "command.no_target"))
            }
            _ => None,
        }
    }
}

impl Panzer {
    /// Commands that Leg and towed units may not be given (6.1.4.2, 6.6.4.1, 6.6.5).
    fn foot_bar(&self, s: &State, unit: UnitId, command: Command) -> Option<(&'static str, &'static str)> {
        let piece = self.piece(unit).filter(|piece| !piece.vehicle())?;
        let covered = s.unit(unit).is(Flags::FULL_COVER);
        let attached = piece.arms.iter().any(|arm| arm.attached.is_some());
        match command {
            Command::ShortHalt if piece.weapon_section() => Some(("6.6.4.1", "command.weapon_section")),
            Command::ShortHalt if piece.kind == UnitKind::Towed => Some(("6.6.5", "command.towed")),
            Command::ShortHalt if covered => Some(("6.1.4.2", "command.full_cover")),
            Command::Move if covered && (piece.kind == UnitKind::Towed || attached) => {
                Some(("6.1.4.2", "command.full_cover"))
            }
            // 6.6.7.1.1: a gun that cannot be moved by hand needs a Move only to be taken in tow.
            Command::Move if self.vehicle(unit).movement.cross_country == 0 && !self.could_ride(s, unit) => {
                Some(("6.6.5", "command.immobile"))
            }
            _ => None,
        }
    }
}

/// The seats that still have to place Commands.
pub fn awaited(s: &State) -> SeatSet {
    let open = Side::ALL.into_iter().filter(|side| !s.committed[side.index()]);
    open.fold(SeatSet::default(), |set, side| set.with(seat(side)))
}

/// 4.2.1: both sides place Commands at the same time; a side that has not finished is asked first.
#[derive(Debug)]
pub struct Commands;

impl Question<Panzer> for Commands {
    fn asks(&self, _: &Panzer, s: &State, _: Frame) -> Option<Side> {
        Side::ALL.into_iter().find(|side| !s.committed[side.index()])
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let somebody = cx.rules.units_of(cx.side).iter().any(|unit| cx.rules.commandable(cx.s, *unit));
        (!somebody).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let mine = cx.rules.units_of(cx.side).iter().filter(|unit| cx.rules.commandable(cx.s, **unit));
        out.extend(mine.map(|unit| Subject::Unit(*unit)));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) if cx.rules.vehicle(unit).side == cx.side => {
                let free = cx.rules.none_left(cx.s, unit, UnitSet::EMPTY).is_none();
                for command in Command::ALL {
                    let left = command == Command::NoCommand || free;
                    if left && cx.rules.bar_to_command(cx.s, unit, command).is_none() {
                        out.push(Action::Command { unit, command });
                    }
                }
                for command in [Command::Move, Command::Overwatch, Command::Fire] {
                    if let Some(units) = cx.rules.listed_group(cx.s, unit, command) {
                        out.push(Action::Share { units, command });
                    }
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Command { unit, command } => {
                cx.rules.own(cx.side, *unit)?;
                cx.rules.may_command(cx.s, *unit, *command)?;
                if *command == Command::NoCommand { Ok(()) } else { cx.rules.command_left(cx.s, *unit) }
            }
            Action::Share { units, command } => {
                for unit in units.iter() {
                    cx.rules.own(cx.side, unit)?;
                }
                cx.rules.may_share(cx.s, *units, *command)
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Command { unit, command } => {
                let u = play.s.unit_mut(*unit);
                (u.command, u.group) = (*command, 0);
                play.tell(Event::Commanded { unit: *unit, command: *command });
            }
            Action::Share { units, command } => {
                let group = play.rules.free_group(play.s, at.side);
                play.s.columns.retain(|(of, n)| (*of, *n) != (at.side, group));
                if *command == Command::Move && !play.rules.together(play.s, *units) {
                    play.s.columns.push((at.side, group)); // 6.2.1.1.3
                }
                for unit in units.iter() {
                    let u = play.s.unit_mut(unit);
                    (u.command, u.group) = (*command, group);
                    play.tell(Event::Commanded { unit, command: *command });
                }
            }
            _ => {
                play.s.committed[at.side.index()] = true;
                play.tell(Event::Committed { side: at.side });
                if play.s.committed == [true; 2] {
                    play.pop();
                }
            }
        }
        Ok(())
    }
}
