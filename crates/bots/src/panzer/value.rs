//! What a position is worth to a side, in victory points.

use ::panzer::{
    fire::Kind,
    frame::Frame,
    pack::Side,
    state::{Command, Flags, State},
};

use super::{commander::Commander, gunnery, picture::Picture, plan::Plan};

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
        return 0.0; // the enemy has not come yet
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

/// What shots that are declared but not yet resolved can be expected to bring.
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
            left *= 1.0 - commander.shot(&from, &target, range, commander.cover(target.hex), 0);
        }
    }
    let worth = (1.0 - left) * target.worth;
    if commander.rules.vehicle(target.unit).side == side { -worth } else { worth }
}

/// What the Commands that a side has placed, and not yet carried out, can be expected to bring.
fn ordered(picture: &Picture) -> f32 {
    let c = picture.commander;
    let who = gunnery::candidates(&c.rules, picture.s, Kind::Direct, true);
    let best = |unit, extra| {
        let gain = |foe: &gunnery::Stand| {
            c.blow(&who, unit, foe.unit, extra).map_or(0.0, |blow| blow.share * foe.worth)
        };
        picture.foes.iter().map(gain).fold(0.0, f32::max)
    };
    let of = |unit: &::panzer::units::UnitId| {
        let u = picture.s.unit(*unit);
        let modifiers = &c.rules.tables().modifiers;
        // A turn's way to what it is after.
        let way = || {
            if !u.on_map() {
                return c.weights.arrive;
            }
            let (pull, _) = picture.pull(*unit, u.hex);
            let spread = (1.0 / c.weights.reach).exp() - 1.0;
            0.5 * pull * spread + 0.1
        };
        let fires = |extra| if u.is(Flags::FIRED) { 0.0 } else { best(*unit, extra) };
        let moves = || if u.is(Flags::MOVED) { 0.0 } else { way() };
        match u.command {
            Command::NoCommand => 0.0,
            Command::Fire => fires(0),
            Command::Overwatch => c.weights.alert + c.weights.trigger * fires(modifiers.overwatch),
            Command::Move => moves(),
            Command::ShortHalt => fires(modifiers.short_halt) + 0.5 * moves(),
        }
    };
    c.rules.units_of(picture.side).iter().map(of).sum()
}
