//! The Command Phase (4.2): each vehicle's Command by what it can be expected to bring.

use ::panzer::{
    action::Action,
    fire::Kind,
    play::Cx,
    state::{Command, Place, Spot},
    units::UnitId,
};

use super::{
    commander::{Commander, Script},
    gunnery::{self, Blow},
    manoeuvre,
    picture::Picture,
    plan::Plan,
    why,
};
use crate::Thought;

/// What one vehicle could do this turn.
struct Choice {
    unit: UnitId,
    /// Targets, with Fire and with Short Halt.
    shots: Vec<(UnitId, Blow, Blow)>,
    /// What its place is worth afterwards: if it fires, if it watches.
    fired: f32,
    watch: f32,
    /// … if it moves, if it moves half as far.
    moves: f32,
    halts: f32,
    aim: Option<usize>,
}

pub fn place(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    let picture = Picture::new(commander, cx.s, cx.side, plan);
    let mine = cx.rules.units_of(cx.side).iter().copied();
    let mut choices: Vec<Choice> = mine
        .filter(|unit| cx.rules.commandable(cx.s, *unit))
        .map(|unit| choice(&picture, cx, unit))
        .collect();
    // Who gains most by firing is given his target first; the others see what is left of it.
    let mut left = vec![1.0f32; cx.s.units.len()];
    choices.sort_by(|a, b| b.urge(&picture).total_cmp(&a.urge(&picture)));
    let (mut fires, mut watches, mut moves) = (0, 0, 0);
    let mut aims = vec![0u32; commander.lore.aims.len()];
    for choice in &choices {
        let command = choice.decide(&picture, &mut left);
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
        if cx.s.unit(choice.unit).command != command {
            out.push(Thought::plain(Action::Command { unit: choice.unit, command }));
        }
    }
    let aim = aims.iter().enumerate().max_by_key(|(_, count)| **count).filter(|(_, count)| **count > 0);
    let aim = aim.map(|(n, _)| commander.lore.aims[n].hex);
    out.push(Thought::plain(Action::Done));
    // One sentence for the whole phase, with its first decision.
    out[0].why = Some(why::orders(cx.rules, fires, watches, moves, aim));
}

fn choice(picture: &Picture, cx: &Cx, unit: UnitId) -> Choice {
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
                let hasty = commander.blow(&who, unit, foe.unit, halt).unwrap_or_default();
                choice.shots.push((foe.unit, blow, hasty));
            }
        }
        choice.fired = picture.post(unit, u.hex, u.facing, Spot::Fire, false);
    }
    choice.watch = picture.post(unit, u.hex, u.facing, u.spot, false)
        + if armed { watching(picture, unit) } else { 0.0 };
    let far = manoeuvre::best(picture, cx, unit, false);
    if let Some(best) = far {
        choice.moves = best.value;
        choice.aim = best.aim;
    }
    if !choice.shots.is_empty()
        && let Some(best) = manoeuvre::best(picture, cx, unit, true)
    {
        choice.halts = best.value;
    }
    choice
}

/// What Overwatch can be expected to bring: the best shot at somebody who gives a reason for it.
fn watching(picture: &Picture, unit: UnitId) -> f32 {
    let c = picture.commander;
    let s = picture.s;
    let me = c.stand(s, unit);
    let modifier = c.rules.tables().modifiers.overwatch;
    let mut best = c.weights.alert;
    for foe in &picture.foes {
        let range = c.rules.field.range(me.hex, foe.hex);
        if range > c.lore.kind(unit).reach.min(c.seen_from(foe.hex, Spot::Fire))
            || !c.rules.los.clear(me.hex, foe.hex)
        {
            continue;
        }
        let share = c.shot(&me, foe, range, c.cover(foe.hex), modifier);
        best =
            best.max(share * (foe.worth + c.weights.relief * picture.menace(foe.unit)) * c.weights.trigger);
    }
    best
}

impl Choice {
    /// What the best shot is worth, given what others leave of its target.
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

    fn decide(&self, picture: &Picture, left: &mut [f32]) -> Command {
        let steady = picture.plan.steady;
        let (fire, target) = self.shot(picture, left, false);
        let (hasty, hasty_target) = self.shot(picture, left, true);
        let mut best = (self.watch, Command::Overwatch, None);
        if !picture.commander.lore.kind(self.unit).combat
            || picture.commander.lore.kind(self.unit).guns.is_empty()
        {
            best.1 = Command::NoCommand;
        }
        let mut consider = |value: f32, command: Command, target: Option<(UnitId, f32)>| {
            if value > best.0 {
                best = (value, command, target);
            }
        };
        if target.is_some() {
            consider(steady * fire + self.fired, Command::Fire, target);
        }
        if hasty_target.is_some() {
            consider(hasty + self.halts, Command::ShortHalt, hasty_target);
        }
        consider(self.moves - picture.commander.weights.stir, Command::Move, None);
        if let Some((target, share)) = best.2 {
            left[target.index()] *= 1.0 - share;
        }
        best.1
    }
}
