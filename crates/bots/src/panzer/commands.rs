//! The Command Phase (4.2): each vehicle's Command by its expected value.

use ::panzer::{
    action::Action,
    fire::Kind,
    play::Cx,
    state::{Command, Place, Spot},
    units::{UnitId, UnitSet},
};

use hexgrid::HexId;
use kernel::Message;

use super::{
    artillery::FirePlan,
    combined,
    commander::{Commander, Script},
    gunnery::{self, Blow},
    manoeuvre,
    picture::Picture,
    plan::Plan,
    value, why,
};
use crate::Thought;

/// A Command with its value, and its target with the share that a shot destroys.
type Way = (f32, Command, Option<(UnitId, f32)>);

/// What one vehicle could do this turn.
struct Choice {
    unit: UnitId,
    /// Targets, with Fire and with Short Halt.
    shots: Vec<(UnitId, Blow, Blow)>,
    /// The value of its place afterwards: if it fires, if it watches.
    fired: f32,
    watch: f32,
    /// The same if it moves, and if it moves half as far.
    moves: f32,
    halts: f32,
    /// Its value without any Command.
    idle: f32,
    /// Points that indirect fire from it brings under Fire (6.5.1).
    shells: f32,
    aim: Option<usize>,
}

/// Commands for every vehicle that has none yet.
pub fn place(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    let why = orders(commander, cx, plan, out);
    out.push(Thought::plain(Action::Done));
    if fresh(cx) {
        out[0].why = Some(why);
    }
}

/// Has no vehicle a Command yet?
pub fn fresh(cx: &Cx) -> bool {
    cx.rules.units_of(cx.side).iter().all(|unit| cx.s.unit(*unit).command == Command::NoCommand)
}

/// Each vehicle's Command by its value one step ahead.
fn plainly(picture: &Picture, cx: &Cx, out: &mut Script) -> Message {
    let (mut fires, mut watches, mut moves) = (0, 0, 0);
    let mut wanted: Vec<(f32, UnitId, Command)> = Vec::new();
    for unit in cx.rules.units_of(cx.side) {
        let placed = cx.s.unit(*unit).command;
        let best = Command::ALL
            .into_iter()
            .filter(|command| cx.rules.may_command(cx.s, *unit, *command).is_ok())
            .map(|command| (value::order(picture, *unit, command), command))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((value, command)) = best else { continue };
        match command {
            Command::Fire => fires += 1,
            Command::Move | Command::ShortHalt => moves += 1,
            _ => watches += 1,
        }
        if cx.rules.command_control() {
            wanted.push((value, *unit, command));
            continue;
        }
        if placed == Command::NoCommand && command != placed {
            out.push(Thought::plain(Action::Command { unit: *unit, command }));
        }
    }
    if cx.rules.command_control() {
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
        let wanted: Vec<_> = wanted.into_iter().map(|(_, unit, command)| (unit, command)).collect();
        combined::share(cx, &wanted, out);
    }
    why::orders(cx.rules, fires, watches, moves, None)
}

/// Adds the Commands to the script and returns their reason.
fn orders(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) -> Message {
    let picture = Picture::new(commander, cx.s, cx.side, plan);
    if plan.plain {
        return plainly(&picture, cx, out);
    }
    let shells = FirePlan::new(commander, cx);
    let mine = cx.rules.units_of(cx.side).iter().copied();
    let mut choices: Vec<Choice> = mine
        .filter(|unit| cx.rules.commandable(cx.s, *unit))
        .map(|unit| choice(&picture, cx, &shells, unit))
        .collect();
    let placed = |choice: &Choice| cx.s.unit(choice.unit).command;
    // Vehicles that have a Command come first, then those that gain most by firing; the others see what is left of
    // their target.
    let mut left = vec![1.0f32; cx.s.units.len()];
    choices.sort_by(|a, b| {
        let open = |choice: &Choice| placed(choice) == Command::NoCommand;
        open(a).cmp(&open(b)).then(b.urge(&picture).total_cmp(&a.urge(&picture)))
    });
    let (mut fires, mut watches, mut moves) = (0, 0, 0);
    let mut aims = vec![0u32; commander.lore.aims.len()];
    let mut wanted = Vec::new();
    for choice in &choices {
        let (command, gain) = choice.decide(&picture, &mut left, placed(choice));
        match command {
            Command::Fire => fires += 1,
            Command::Move | Command::ShortHalt => {
                moves += 1;
                if let Some(aim) = choice.aim {
                    aims[aim] += 1;
                }
            }
            _ => watches += 1,
        }
        if cx.rules.command_control() {
            wanted.push((gain, choice.unit, command));
        } else if placed(choice) != command {
            out.push(Thought::plain(Action::Command { unit: choice.unit, command }));
        }
    }
    // 6.2.1.1: Commands are scarce, and shared: they go where they bring most.
    if !wanted.is_empty() {
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
        let wanted: Vec<_> = wanted.into_iter().map(|(_, unit, command)| (unit, command)).collect();
        combined::share(cx, &wanted, out);
    }
    why::orders(cx.rules, fires, watches, moves, most(commander, &aims))
}

/// One sentence for Commands that were changed one by one.
pub fn explain(commander: &Commander, cx: &Cx, script: &mut Script) {
    let picture = Picture::new(commander, cx.s, cx.side, &Plan::USUAL);
    let (mut fires, mut watches, mut moves) = (0, 0, 0);
    let mut aims = vec![0u32; commander.lore.aims.len()];
    for thought in &*script {
        let Action::Command { unit, command } = thought.action else { continue };
        match command {
            Command::Fire => fires += 1,
            Command::Move | Command::ShortHalt => {
                moves += 1;
                let u = cx.s.unit(unit);
                if let Some(aim) = u.on_map().then(|| picture.pull(unit, u.hex).1).flatten() {
                    aims[aim] += 1;
                }
            }
            _ => watches += 1,
        }
    }
    if let Some(first) = script.first_mut().filter(|first| first.why.is_some()) {
        first.why = Some(why::orders(cx.rules, fires, watches, moves, most(commander, &aims)));
    }
}

/// The aim that attracts most.
fn most(commander: &Commander, aims: &[u32]) -> Option<HexId> {
    let most = aims.iter().enumerate().max_by_key(|(_, count)| **count).filter(|(_, count)| **count > 0);
    most.map(|(n, _)| commander.lore.aims[n].hex)
}

/// The script with another Command for one unit, or for the units that share one, for each that may be given; and with a
/// Command that goes to a unit that has none instead of the one of its formation that gains least by its own (6.2.1.1).
pub fn neighbours(commander: &Commander, cx: &Cx, script: &[Thought<Action>], out: &mut Vec<Script>) {
    const OTHERS: [Command; 4] = [Command::Fire, Command::Move, Command::Overwatch, Command::ShortHalt];
    let fights = |unit: UnitId| {
        let kind = commander.lore.kind(unit);
        cx.s.unit(unit).on_map() && kind.combat && !kind.guns.is_empty()
    };
    let mut with = |at: usize, action: Action| {
        let mut other = script.to_vec();
        other[at].action = action;
        out.push(other);
    };
    let mut busy = UnitSet::EMPTY;
    for (at, thought) in script.iter().enumerate() {
        match thought.action {
            Action::Command { unit, command: placed } => {
                busy.insert(unit);
                if !fights(unit) {
                    continue;
                }
                for command in OTHERS {
                    if command != placed && cx.rules.may_command(cx.s, unit, command).is_ok() {
                        with(at, Action::Command { unit, command });
                    }
                }
            }
            Action::Share { units, command: placed } => {
                units.iter().for_each(|unit| busy.insert(unit));
                for command in OTHERS {
                    if command != placed && cx.rules.may_share(cx.s, units, command).is_ok() {
                        with(at, Action::Share { units, command });
                    }
                }
            }
            _ => {}
        }
    }
    if !cx.rules.command_control() {
        return;
    }
    let formation = |unit: UnitId| cx.rules.piece(unit).map(|piece| piece.formation);
    for unit in
        cx.rules.units_of(cx.side).iter().copied().filter(|unit| fights(*unit) && !busy.contains(*unit))
    {
        // Commands stand in the order of what they bring.
        let last = script.iter().rposition(|thought| match thought.action {
            Action::Command { unit: other, .. } => formation(other) == formation(unit),
            _ => false,
        });
        let Some(at) = last else { continue };
        for command in OTHERS {
            if cx.rules.may_command(cx.s, unit, command).is_ok() {
                with(at, Action::Command { unit, command });
            }
        }
    }
}

fn choice(picture: &Picture, cx: &Cx, shells: &FirePlan, unit: UnitId) -> Choice {
    let commander = picture.commander;
    let (s, u) = (cx.s, cx.s.unit(unit));
    let kind = commander.lore.kind(unit);
    let mut choice = Choice {
        unit,
        shots: Vec::new(),
        fired: 0.0,
        watch: 0.0,
        moves: f32::MIN,
        halts: f32::MIN,
        idle: 0.0,
        shells: shells.answering(unit),
        aim: None,
    };
    if u.place == Place::Held {
        choice.moves = commander.weights.arrive;
        return choice;
    }
    let armed = kind.combat && !kind.guns.is_empty();
    if armed {
        let who = gunnery::candidates(cx.rules, s, Kind::Direct, true);
        let halt = cx.rules.tables().modifiers.short_halt;
        for foe in &picture.foes {
            if let Some(blow) = commander.blow(&who, unit, foe.unit, 0) {
                let hasty = commander.hasty(&who, &blow, unit, foe.unit, halt);
                choice.shots.push((foe.unit, blow, hasty));
            }
        }
        choice.fired = picture.post(unit, u.hex, u.facing, Spot::Fire, false);
    }
    choice.idle = picture.post(unit, u.hex, u.facing, u.spot, false);
    // 6.5.1: observers call under Overwatch; a unit that fires itself does not.
    let calls = shells.observing(s, unit);
    choice.watch = choice.idle + if armed { watching(picture, unit).max(calls) } else { calls };
    let [far, near] = manoeuvre::best(picture, cx, unit);
    if let Some(best) = far {
        choice.moves = best.value;
        choice.aim = best.aim;
    }
    if let Some(best) = near.filter(|_| !choice.shots.is_empty()) {
        choice.halts = best.value;
    }
    choice
}

/// The expected value of Overwatch: the best shot at a unit that triggers it.
fn watching(picture: &Picture, unit: UnitId) -> f32 {
    let c = picture.commander;
    let s = picture.s;
    let me = c.stand(s, unit);
    let modifier = c.rules.tables().modifiers.overwatch;
    let mut best = c.weights.alert;
    for foe in &picture.foes {
        let range = c.rules.field.range(me.hex, foe.hex);
        if range > c.lore.kind(unit).reach.min(c.seen_from(foe, Spot::Fire))
            || !c.rules.los.clear(me.hex, foe.hex)
        {
            continue;
        }
        let share = c.shot(&me, foe, range, modifier);
        best =
            best.max(share * (foe.worth + c.weights.relief * picture.menace(foe.unit)) * c.weights.trigger);
    }
    best
}

impl Choice {
    /// The value of the best shot, given what others leave of its target.
    fn shot(&self, picture: &Picture, left: &[f32], hasty: bool) -> (f32, Option<(UnitId, f32)>) {
        let mut best = (0.0, None);
        for (target, blow, halting) in &self.shots {
            let blow = if hasty { halting } else { blow };
            let value = blow.share * left[target.index()] * picture.prize(*target);
            if value > best.0 {
                best = (value, Some((*target, blow.share)));
            }
        }
        best
    }

    fn urge(&self, picture: &Picture) -> f32 {
        self.shots.iter().map(|(target, blow, _)| blow.share * picture.prize(*target)).fold(0.0, f32::max)
    }

    /// Every Command that it may get: its value, and its target.
    fn ways(&self, picture: &Picture, left: &[f32]) -> Vec<Way> {
        let c = picture.commander;
        let steady = picture.plan.steady * c.weights.steady;
        let (fire, target) = self.shot(picture, left, false);
        let (hasty, hasty_target) = self.shot(picture, left, true);
        let kind = c.lore.kind(self.unit);
        let watches = kind.combat && !kind.guns.is_empty() || self.watch > self.idle;
        let waits = if watches { Command::Overwatch } else { Command::NoCommand };
        let mut ways = vec![(self.watch, waits, None)];
        if self.shells > fire {
            ways.push((self.shells + self.fired, Command::Fire, None));
        } else if target.is_some() {
            ways.push((steady * fire + self.fired, Command::Fire, target));
        }
        if hasty_target.is_some() {
            ways.push((hasty + self.halts, Command::ShortHalt, hasty_target));
        }
        if self.moves > f32::MIN {
            ways.push((self.moves - c.weights.stir, Command::Move, None));
        }
        ways
    }

    /// The best of them, or the one that is already placed; its target is noted.
    fn decide(&self, picture: &Picture, left: &mut [f32], placed: Command) -> (Command, f32) {
        let ways = self.ways(picture, left);
        let set = ways.iter().find(|(_, command, _)| placed != Command::NoCommand && *command == placed);
        let best = set.or_else(|| ways.iter().max_by(|a, b| a.0.total_cmp(&b.0)));
        let Some((value, command, target)) = best else { return (placed, 0.0) };
        if let Some((target, share)) = target {
            left[target.index()] *= 1.0 - share;
        }
        (if placed == Command::NoCommand { *command } else { placed }, value - self.idle)
    }
}
