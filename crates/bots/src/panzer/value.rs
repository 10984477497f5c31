//! The value of a position to a side, in victory points.

use ::panzer::{
    fire::Kind,
    frame::Frame,
    pack::Side,
    state::{Command, Flags, State},
    units::UnitId,
};

use super::{
    commander::Commander,
    exchange::{Exchange, Scratch},
    gunnery,
    picture::Picture,
    plan::Plan,
};

/// A victory, and each step of its level.
const VICTORY: f32 = 400.0;
const LEVEL: f32 = 60.0;

pub fn of(commander: &Commander, s: &State, side: Side) -> f32 {
    let rules = &*commander.rules;
    let lead = (rules.points(s, side).total() - rules.points(s, side.enemy()).total()) as f32;
    if let Some(ending) = s.ending {
        let level = 3.0 - f32::from(ending.level.unwrap_or(3));
        return lead
            + match ending.winner {
                Some(winner) if winner == side => VICTORY + LEVEL * level,
                Some(_) => -VICTORY - LEVEL * level,
                None => 0.0,
            };
    }
    if s.frames.iter().any(|frame| matches!(frame, Frame::SetUp(_))) {
        return 0.0; // the enemy has not arrived yet
    }
    let w = &commander.weights;
    let standing = |side: Side| {
        let picture = Picture::new(commander, s, side, &Plan::USUAL);
        let pull: f32 = picture.own.iter().map(|own| picture.pull(own.unit, own.hex).0).sum();
        (pull, picture.volleys(), picture)
    };
    let (mine, (volley, answer), picture) = standing(side);
    let (theirs, ..) = standing(side.enemy());
    let placed = ordered(&picture);
    lead + w.promise * (mine - theirs)
        + w.volley * (volley - answer)
        + placed
        + in_the_air(commander, s, side)
}

/// The value of a position at the beginning of a turn where a trial ends, with this much `luck` in it: the expected
/// lead, and how near it is to what the scenario requires.
pub fn judged(commander: &Commander, s: &State, side: Side, luck: f32) -> f32 {
    let w = &commander.weights;
    let rules = &*commander.rules;
    let lead = (rules.points(s, side).total() - rules.points(s, side.enemy()).total()) as f32;
    let ahead = if s.ending.is_some() {
        0.0
    } else {
        let pulls = |side: Side| -> f32 {
            let picture = Picture::new(commander, s, side, &Plan::USUAL);
            if rules.advanced.is_some() {
                return picture.promise();
            }
            picture.own.iter().map(|own| picture.pull(own.unit, own.hex).0).sum()
        };
        let balance = Exchange::new(commander, s, side).balance(&mut Scratch::default());
        w.promise * (pulls(side) - pulls(side.enemy())) + w.exchange * balance
    };
    let lead = lead - luck + ahead;
    let Some((_, least)) = rules.scenario.victory.levels[side.index()].last() else { return lead };
    let left = f32::from(rules.scenario.turns.saturating_sub(s.turn));
    let near = w.nearly * (1.0 + 0.3 * left);
    lead + w.victory * ((lead - *least as f32) / near).tanh()
}

/// The expected value of shots that are declared but not yet resolved.
fn in_the_air(commander: &Commander, s: &State, side: Side) -> f32 {
    if !s.frames.iter().any(|frame| matches!(frame, Frame::Shot)) {
        return 0.0;
    }
    let target = commander.stand(s, s.fire.target);
    if !s.unit(target.unit).on_map() {
        return 0.0;
    }
    let mut left = 1.0;
    for shot in s.fire.shots.iter().skip(usize::from(s.fire.next)) {
        let from = commander.stand(s, shot.unit);
        if s.unit(shot.unit).on_map() {
            let range = commander.rules.field.range(from.hex, target.hex);
            left *= 1.0 - commander.shot(&from, &target, range, 0);
        }
    }
    let worth = (1.0 - left) * target.worth;
    if commander.rules.vehicle(target.unit).side == side { -worth } else { worth }
}

/// The expected value of the Commands that a side has placed but not yet carried out.
fn ordered(picture: &Picture) -> f32 {
    let units = picture.commander.rules.units_of(picture.side).iter();
    units.map(|unit| order(picture, *unit, picture.s.unit(*unit).command)).sum()
}

/// The expected value of a Command that is not yet carried out, looking one step ahead.
pub fn order(picture: &Picture, unit: UnitId, command: Command) -> f32 {
    let c = picture.commander;
    let u = picture.s.unit(unit);
    let modifiers = &c.rules.tables().modifiers;
    let fires = |extra| {
        if u.is(Flags::FIRED) {
            return 0.0;
        }
        if c.rules.advanced.is_some() {
            // By the precomputed tables: evaluating every shot exactly would take too long here.
            let me = c.stand(picture.s, unit);
            let gain = |foe: &gunnery::Stand| {
                if !u.on_map() || !picture.s.spotters[foe.unit.index()].contains(unit) {
                    return 0.0;
                }
                let range = c.rules.field.range(me.hex, foe.hex);
                c.shot(&me, foe, range, extra) * foe.worth
            };
            return picture.foes.iter().map(gain).fold(0.0, f32::max);
        }
        let who = gunnery::candidates(&c.rules, picture.s, Kind::Direct, true);
        let gain = |foe: &gunnery::Stand| {
            c.blow(&who, unit, foe.unit, extra).map_or(0.0, |blow| blow.share * foe.worth)
        };
        picture.foes.iter().map(gain).fold(0.0, f32::max)
    };
    // A turn's progress towards its aim.
    let moves = || {
        if u.is(Flags::MOVED) {
            return 0.0;
        }
        if !u.on_map() {
            return c.weights.arrive;
        }
        let (pull, _) = picture.pull(unit, u.hex);
        let spread = (1.0 / c.weights.reach).exp() - 1.0;
        0.5 * pull * spread + 0.1
    };
    match command {
        Command::NoCommand => 0.0,
        Command::Fire => fires(0),
        Command::Overwatch => c.weights.alert + c.weights.trigger * fires(modifiers.overwatch),
        Command::Move => moves(),
        Command::ShortHalt => fires(modifiers.short_halt) + 0.5 * moves(),
    }
}
