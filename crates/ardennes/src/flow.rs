//! Who is asked what: the frame on top of the stack decides which module answers, and frames that need nobody run by
//! themselves until somebody must decide.
#![allow(clippy::enum_glob_use)] // the tables of frames below read better bare

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    antwerp, artillery_supply, bridges, combat, disengage,
    event::Event,
    flags::Flags,
    frame::Frame,
    fuel, fuel_dumps,
    lab::taken,
    movement, night,
    pack::Side,
    phase::{self, Phase},
    place::Place,
    play::{Cx, Play},
    rally, reinforce, replacements,
    rules::Ardennes,
    setup, special,
    state::State,
    subject::Subject,
    supply, surrender, traffic, victory,
};

/// The side that a frame asks; none if it runs by itself.
#[inline]
pub fn asks(rules: &Ardennes, s: &State, frame: Frame) -> Option<Side> {
    // Most of all, and often.
    if matches!(frame, Frame::Movement) { Some(s.side) } else { asks_else(rules, s, frame) }
}

fn asks_else(rules: &Ardennes, s: &State, frame: Frame) -> Option<Side> {
    use Frame::*;
    match frame {
        SetUp(side) => Some(side),
        HideFuelDumps | TrafficBeforePlay => Some(Side::Allied),
        PickFuel { table, die } => Some(fuel::picker(rules, table, die)),
        SpendFuel { .. } => Some(Side::German),
        Begin
        | ReadyArtillery { .. }
        | Bridges
        | Movement
        | Walk
        | Infiltrate
        | Disengage
        | DisengageRetreat
        | Attacks
        | PlaceMarkers => Some(s.side),
        Overstacked(hex) => s.holder(hex),
        CallOff | AttackSupport | FireFight | PlaceAdvantage | Advance | Breakthrough => {
            Some(s.combat.attacker)
        }
        BlowBridge | Support | Recon | DeterminedDefense | Retreat | RetreatOn(_) | Counterattack => {
            Some(s.combat.attacker.enemy())
        }
        Loss(side) => Some(side),
        Remnant(unit) => Some(rules.counter(unit).side),
        Antwerp => Some(Side::Allied),
        Replacements { side, .. } => Some(side),
        Sequence
        | RemovePrimeMovers
        | RemoveFuelDump
        | RollFuel { .. }
        | CompleteBridges
        | OpenMovement
        | CloseMovement
        | Rally
        | OpenCombat
        | DisengageRoll
        | RemoveEngaged
        | CloseCombat
        | DestroyDump
        | Resolve
        | Outcome
        | CheckStacks
        | EndCombat
        | CheckRoadblocks
        | RemoveTraffic
        | RemoveGreif
        | CheckSupply
        | CheckSurrender
        | CheckVictory
        | OpenReplacements
        | OpenNight => None,
    }
}

/// In a lab file a phase is left by `done`, so that a file need not know who has nothing left to do: the phase that it
/// begins in, and one in which somebody has moved or fought.
fn stays(cx: &Cx) -> bool {
    let Some(stated) = cx.rules.lab else { return false };
    let acted = |flags| cx.rules.on_map(cx.s, cx.side).any(|unit| cx.s.unit(unit).is(flags));
    match cx.frame {
        Frame::Movement => cx.s.phase == stated || acted(Flags::MOVED),
        Frame::Attacks => cx.s.phase == stated || acted(Flags::ATTACKED),
        Frame::ReadyArtillery { .. } | Frame::Bridges | Frame::PlaceMarkers => cx.s.phase == stated,
        // 25.2: where somebody might be thought of.
        Frame::Replacements { .. } => {
            let weak = |unit| cx.s.unit(unit).place() == Place::Dead || cx.s.unit(unit).is(Flags::REDUCED);
            stated.is_night() && cx.rules.units_of(cx.side).any(weak)
        }
        _ => false,
    }
}

/// The one thing that can be done, if there is only one: nobody is asked then.
pub fn forced(cx: &Cx) -> Option<Action> {
    use Frame::*;
    if stays(cx) {
        return None;
    }
    match cx.frame {
        // 32.1: the die must fall with a decision that the German cannot read.
        HideFuelDumps | Begin | SpendFuel { .. } => None,
        SetUp(_) => setup::forced(cx),
        TrafficBeforePlay | PlaceMarkers => traffic::forced(cx),
        ReadyArtillery { .. } => artillery_supply::forced(cx),
        PickFuel { .. } => fuel::forced(cx),
        Bridges => bridges::forced(cx),
        Movement | Walk | Infiltrate | Overstacked(_) => movement::forced(cx),
        Disengage | DisengageRetreat => disengage::forced(cx),
        Antwerp => antwerp::forced(cx),
        Replacements { .. } => replacements::forced(cx),
        _ => combat::forced(cx),
    }
}

/// Step one of choosing.
pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    use Frame::*;
    match cx.frame {
        HideFuelDumps | Begin | SpendFuel { .. } => out.push(Subject::Phase),
        SetUp(_) => setup::subjects(cx, out),
        TrafficBeforePlay | PlaceMarkers => traffic::subjects(cx, out),
        ReadyArtillery { .. } => artillery_supply::subjects(cx, out),
        PickFuel { .. } => fuel::subjects(cx, out),
        Bridges => bridges::subjects(cx, out),
        Movement | Walk | Infiltrate | Overstacked(_) => movement::subjects(cx, out),
        Disengage | DisengageRetreat => disengage::subjects(cx, out),
        Antwerp => antwerp::subjects(cx, out),
        Replacements { .. } => replacements::subjects(cx, out),
        _ => combat::subjects(cx, out),
    }
}

/// One of them, `choose`n by its number.
pub fn one_subject(cx: &Cx, out: &mut Vec<Subject>, choose: impl FnOnce(usize) -> usize) -> Option<Subject> {
    use Frame::*;
    match cx.frame {
        // Long lists that are sets already.
        Movement => movement::one_subject(cx, choose),
        TrafficBeforePlay | PlaceMarkers => traffic::one_subject(cx, choose),
        _ => {
            subjects(cx, out);
            kernel::rules::chosen(out, choose)
        }
    }
}

/// Step two of choosing.
pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    use Frame::*;
    match cx.frame {
        HideFuelDumps | Begin => out.extend((subject == Subject::Phase).then_some(Action::Done)),
        SpendFuel { .. } if subject == Subject::Phase => {
            out.extend([true, false].map(|spend| Action::SpendFuel { spend }));
        }
        SpendFuel { .. } => {}
        SetUp(_) => setup::options(cx, subject, out),
        TrafficBeforePlay | PlaceMarkers => traffic::options(cx, subject, out),
        ReadyArtillery { .. } => artillery_supply::options(cx, subject, out),
        PickFuel { .. } => fuel::options(cx, subject, out),
        Bridges => bridges::options(cx, subject, out),
        Movement | Walk | Infiltrate | Overstacked(_) => movement::options(cx, subject, out),
        Disengage | DisengageRetreat => disengage::options(cx, subject, out),
        Antwerp => antwerp::options(cx, subject, out),
        Replacements { .. } => replacements::options(cx, subject, out),
        _ => combat::options(cx, subject, out),
    }
}

/// May it be done?
pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    use Frame::*;
    match cx.frame {
        HideFuelDumps | Begin if *action == Action::Done => Ok(()),
        SpendFuel { .. } if matches!(action, Action::SpendFuel { .. }) => Ok(()),
        SpendFuel { .. } => Err(cx.rules.not_now()),
        HideFuelDumps | Begin => Err(cx.rules.not_now()),
        SetUp(_) => setup::check(cx, action),
        TrafficBeforePlay | PlaceMarkers => traffic::check(cx, action),
        ReadyArtillery { .. } => artillery_supply::check(cx, action),
        PickFuel { .. } => fuel::check(cx, action),
        Bridges => bridges::check(cx, action),
        Movement | Walk | Infiltrate | Overstacked(_) => movement::check(cx, action),
        Disengage | DisengageRetreat => disengage::check(cx, action),
        Antwerp => antwerp::check(cx, action),
        Replacements { .. } => replacements::check(cx, action),
        _ => combat::check(cx, action),
    }
}

/// Do it; it has been checked. The frame is still on the stack: who is done with it pops it.
pub fn apply(play: &mut Play, frame: Frame, side: Side, action: &Action) -> Result<(), Stop> {
    use Frame::*;
    match frame {
        HideFuelDumps => {
            play.pop();
            fuel_dumps::hide(play)
        }
        Begin => {
            play.pop();
            Ok(())
        }
        SpendFuel { table } => fuel::spend(play, table, action),
        SetUp(_) => setup::apply(play, side, action),
        TrafficBeforePlay | PlaceMarkers => traffic::apply(play, frame, side, action),
        ReadyArtillery { .. } => {
            // 5.2: in a lab file what is not named is readied with `done` where the allowance covers it.
            if play.rules.lab.is_some() && *action == Action::Done {
                let cx = Cx { rules: play.rules, s: play.s, side, frame: play.s.top() };
                if let Some(ready @ Action::Ready { .. }) = artillery_supply::forced(&cx) {
                    artillery_supply::apply(play, frame, &ready)?;
                    return apply(play, play.s.top(), side, action);
                }
            }
            artillery_supply::apply(play, frame, action)
        }
        PickFuel { .. } => fuel::apply(play, frame, action),
        Bridges => bridges::apply(play, side, action),
        Movement | Walk | Infiltrate | Overstacked(_) => movement::apply(play, frame, side, action),
        Disengage | DisengageRetreat => disengage::apply(play, frame, side, action),
        Antwerp => antwerp::apply(play, action),
        Replacements { .. } => replacements::apply(play, frame, action),
        _ => combat::apply(play, frame, side, action),
    }
}

/// Frames that need nobody; the frame has been taken off the stack.
fn run(play: &mut Play, frame: Frame) -> Result<(), Stop> {
    use Frame::*;
    match frame {
        Sequence => next_phase(play),
        RemovePrimeMovers => artillery_supply::remove_prime_movers(play),
        RemoveFuelDump => fuel_dumps::remove(play),
        RollFuel { table } => fuel::roll(play, table),
        CompleteBridges => bridges::complete(play),
        OpenMovement => {
            movement::open(play)?;
            special::ccb9_roll(play)?;
            reinforce::open(play)
        }
        CloseMovement => movement::close(play),
        Rally => rally::rally(play),
        DisengageRoll => disengage::roll(play),
        RemoveEngaged => disengage::remove_engaged(play),
        OpenCombat | CloseCombat | DestroyDump | Resolve | Outcome | CheckStacks | EndCombat => {
            combat::run(play, frame)
        }
        CheckRoadblocks => traffic::check_roadblocks(play),
        RemoveTraffic => traffic::remove(play),
        RemoveGreif => traffic::remove_greif(play),
        CheckSupply => supply::check_supply(play),
        CheckSurrender => surrender::check_surrender(play),
        CheckVictory => victory::check(play),
        OpenReplacements => replacements::open(play),
        OpenNight => night::open(play),
        // The rest asks somebody.
        _ => Ok(()),
    }
}

/// Run until somebody must decide or the game is over.
pub fn settle(play: &mut Play) -> Result<(), Stop> {
    if play.rules.lab.is_some() {
        return settle_in_lab(play);
    }
    settle_until(play, false)
}

/// In a lab file a phase that rolls dice which the file does not have waits for `done`: what was asked for before it
/// stands. It needs room for a whole position, which nobody else shall have to make.
#[inline(never)]
fn settle_in_lab(play: &mut Play) -> Result<(), Stop> {
    loop {
        settle_until(play, true)?;
        if play.s.ending.is_some() || play.s.top() != Frame::Sequence {
            return Ok(());
        }
        next_phase(play)?;
        let (mut s, mut dice, mut log) = (*play.s, play.dice.clone(), kernel::Log::default());
        let mut trial = Play { rules: play.rules, s: &mut s, dice: &mut dice, log: &mut log };
        if let Err(Stop::Dice(_)) = taken::unnoted(|| settle_until(&mut trial, true)) {
            play.then(&[Frame::Begin]);
            play.s.renew_stamp();
            return Ok(());
        }
    }
}

/// Settles until somebody must decide or, where `one_phase`, the phase is over.
fn settle_until(play: &mut Play, one_phase: bool) -> Result<(), Stop> {
    while play.s.ending.is_none() {
        let frame = play.s.top();
        if one_phase && matches!(frame, Frame::Sequence) {
            return Ok(());
        }
        let Some(side) = asks(play.rules, play.s, frame) else {
            if !matches!(frame, Frame::Sequence) {
                play.pop();
            }
            run(play, frame)?;
            continue;
        };
        // What was worked out for the position before does not hold for this one.
        play.s.renew_stamp();
        if matches!(frame, Frame::Movement) {
            movement::muster::take(play.rules, play.s, side);
        }
        let cx = Cx { rules: play.rules, s: play.s, side, frame };
        let Some(action) = forced(&cx) else { return Ok(()) };
        if one_phase {
            taken::note(&cx, &action);
        }
        apply(play, frame, side, &action)?;
    }
    play.s.renew_stamp();
    Ok(())
}

/// 4: on to the next phase, the Night turn or the next turn.
fn next_phase(play: &mut Play) -> Result<(), Stop> {
    let (edition, s) = (play.rules.edition, &mut *play.s);
    if let Some((side, phase)) = phase::next(edition, s.night, s.side, s.phase) {
        begin(play, side, phase);
        return Ok(());
    }
    // 4.C, 25.1
    special::end_of_turn(play);
    let s = &mut *play.s;
    let pm = play.rules.pack.turn(s.turn).is_some_and(crate::pack::Turn::night_follows);
    if !s.night && pm {
        s.night = true;
        night::falls(play.rules, s);
    } else {
        if s.night {
            night::over(play);
        }
        play.s.night = false;
        play.s.turn += 1;
    }
    play.tell(Event::Turn { turn: play.s.turn, night: play.s.night });
    let (side, phase) = phase::sequence(edition, play.s.night)[0];
    begin(play, side, phase);
    Ok(())
}

/// Open a phase: its steps go on the stack.
pub fn begin(play: &mut Play, side: Side, phase: Phase) {
    (play.s.side, play.s.phase) = (side, phase);
    play.tell(Event::Phase { side, phase });
    play.then(phase::steps(phase));
}
