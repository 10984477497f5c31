//! Who is asked what: the frame on top of the stack decides which module answers, and frames that need nobody run by
//! themselves until somebody must decide.
#![allow(clippy::enum_glob_use)] // the tables of frames below read better bare

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    antwerp, artillery_supply, bridges, combat, disengage,
    event::Event,
    frame::Frame,
    fuel, fuel_dumps, movement, night,
    pack::Side,
    phase::{self, Phase},
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

/// The chapter that answers for a frame. Every frame stands here: one that is forgotten does not compile.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chapter {
    /// Needs nobody.
    Runs,
    /// Only waits for `done`.
    Begin,
    HideFuelDumps,
    SpendFuel {
        table: u8,
    },
    SetUp,
    Traffic,
    ArtillerySupply,
    Fuel,
    Bridges,
    Movement,
    Disengage,
    Antwerp,
    Replacements,
    Combat(combat::Question),
}

/// The one table from frames to chapters.
#[inline]
pub(crate) const fn chapter(frame: Frame) -> Chapter {
    use combat::Question;
    match frame {
        Frame::Begin => Chapter::Begin,
        Frame::HideFuelDumps => Chapter::HideFuelDumps,
        Frame::SpendFuel { table } => Chapter::SpendFuel { table },
        Frame::SetUp(_) => Chapter::SetUp,
        Frame::TrafficBeforePlay | Frame::PlaceMarkers => Chapter::Traffic,
        Frame::ReadyArtillery { .. } => Chapter::ArtillerySupply,
        Frame::PickFuel { .. } => Chapter::Fuel,
        Frame::Bridges => Chapter::Bridges,
        Frame::Movement | Frame::Walk | Frame::Infiltrate | Frame::Overstacked(_) => Chapter::Movement,
        Frame::Disengage | Frame::DisengageRetreat => Chapter::Disengage,
        Frame::Antwerp => Chapter::Antwerp,
        Frame::Replacements { .. } => Chapter::Replacements,
        Frame::Attacks => Chapter::Combat(Question::Attacks),
        Frame::BlowBridge => Chapter::Combat(Question::BlowBridge),
        Frame::CallOff => Chapter::Combat(Question::CallOff),
        Frame::AttackSupport => Chapter::Combat(Question::AttackSupport),
        Frame::Support => Chapter::Combat(Question::Support),
        Frame::FireFight => Chapter::Combat(Question::FireFight),
        Frame::Recon => Chapter::Combat(Question::Recon),
        Frame::Loss(side) => Chapter::Combat(Question::Loss(side)),
        Frame::Remnant(unit) => Chapter::Combat(Question::Remnant(unit)),
        Frame::DeterminedDefense => Chapter::Combat(Question::DeterminedDefense),
        Frame::Retreat => Chapter::Combat(Question::Retreat),
        Frame::RetreatOn(unit) => Chapter::Combat(Question::RetreatOn(unit)),
        Frame::PlaceAdvantage => Chapter::Combat(Question::PlaceAdvantage),
        Frame::Advance => Chapter::Combat(Question::Advance),
        Frame::Breakthrough => Chapter::Combat(Question::Breakthrough),
        Frame::Counterattack => Chapter::Combat(Question::Counterattack),
        Frame::Sequence
        | Frame::RemovePrimeMovers
        | Frame::RemoveFuelDump
        | Frame::RollFuel { .. }
        | Frame::CompleteBridges
        | Frame::OpenMovement
        | Frame::CloseMovement
        | Frame::Rally
        | Frame::OpenCombat
        | Frame::DisengageRoll
        | Frame::RemoveEngaged
        | Frame::CloseCombat
        | Frame::DestroyDump
        | Frame::Resolve
        | Frame::Outcome
        | Frame::CheckStacks
        | Frame::EndCombat
        | Frame::CheckRoadblocks
        | Frame::RemoveTraffic
        | Frame::RemoveGreif
        | Frame::CheckSupply
        | Frame::CheckSurrender
        | Frame::CheckVictory
        | Frame::OpenReplacements
        | Frame::OpenNight => Chapter::Runs,
    }
}

/// The one thing that can be done, if there is only one: nobody is asked then.
pub fn forced(cx: &Cx) -> Option<Action> {
    match chapter(cx.frame) {
        // 32.1: the die must fall with a decision that the German cannot read.
        Chapter::HideFuelDumps | Chapter::Begin | Chapter::SpendFuel { .. } | Chapter::Runs => None,
        Chapter::SetUp => setup::forced(cx),
        Chapter::Traffic => traffic::forced(cx),
        Chapter::ArtillerySupply => artillery_supply::forced(cx),
        Chapter::Fuel => fuel::forced(cx),
        Chapter::Bridges => bridges::forced(cx),
        Chapter::Movement => movement::forced(cx),
        Chapter::Disengage => disengage::forced(cx),
        Chapter::Antwerp => antwerp::forced(cx),
        Chapter::Replacements => replacements::forced(cx),
        Chapter::Combat(question) => combat::forced(cx, question),
    }
}

/// Step one of choosing.
pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    match chapter(cx.frame) {
        Chapter::HideFuelDumps | Chapter::Begin | Chapter::SpendFuel { .. } => out.push(Subject::Phase),
        Chapter::SetUp => setup::subjects(cx, out),
        Chapter::Traffic => traffic::subjects(cx, out),
        Chapter::ArtillerySupply => artillery_supply::subjects(cx, out),
        Chapter::Fuel => fuel::subjects(cx, out),
        Chapter::Bridges => bridges::subjects(cx, out),
        Chapter::Movement => movement::subjects(cx, out),
        Chapter::Disengage => disengage::subjects(cx, out),
        Chapter::Antwerp => antwerp::subjects(cx, out),
        Chapter::Replacements => replacements::subjects(cx, out),
        Chapter::Combat(question) => combat::subjects(cx, question, out),
        Chapter::Runs => {}
    }
}

/// One of them, `choose`n by its number.
pub fn one_subject(cx: &Cx, out: &mut Vec<Subject>, choose: impl FnOnce(usize) -> usize) -> Option<Subject> {
    match cx.frame {
        // Long lists that are sets already.
        Frame::Movement => movement::one_subject(cx, choose),
        Frame::TrafficBeforePlay | Frame::PlaceMarkers => traffic::one_subject(cx, choose),
        _ => {
            subjects(cx, out);
            kernel::rules::chosen(out, choose)
        }
    }
}

/// Step two of choosing.
pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    match chapter(cx.frame) {
        Chapter::HideFuelDumps | Chapter::Begin => {
            out.extend((subject == Subject::Phase).then_some(Action::Done));
        }
        Chapter::SpendFuel { .. } => {
            let both = [true, false].map(|spend| Action::SpendFuel { spend });
            out.extend(both.into_iter().filter(|_| subject == Subject::Phase));
        }
        Chapter::SetUp => setup::options(cx, subject, out),
        Chapter::Traffic => traffic::options(cx, subject, out),
        Chapter::ArtillerySupply => artillery_supply::options(cx, subject, out),
        Chapter::Fuel => fuel::options(cx, subject, out),
        Chapter::Bridges => bridges::options(cx, subject, out),
        Chapter::Movement => movement::options(cx, subject, out),
        Chapter::Disengage => disengage::options(cx, subject, out),
        Chapter::Antwerp => antwerp::options(cx, subject, out),
        Chapter::Replacements => replacements::options(cx, subject, out),
        Chapter::Combat(question) => combat::options(cx, question, subject, out),
        Chapter::Runs => {}
    }
}

/// May it be done?
pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    match chapter(cx.frame) {
        Chapter::HideFuelDumps | Chapter::Begin if *action == Action::Done => Ok(()),
        Chapter::SpendFuel { .. } if matches!(action, Action::SpendFuel { .. }) => Ok(()),
        Chapter::SpendFuel { .. } | Chapter::HideFuelDumps | Chapter::Begin | Chapter::Runs => {
            Err(cx.rules.not_now())
        }
        Chapter::SetUp => setup::check(cx, action),
        Chapter::Traffic => traffic::check(cx, action),
        Chapter::ArtillerySupply => artillery_supply::check(cx, action),
        Chapter::Fuel => fuel::check(cx, action),
        Chapter::Bridges => bridges::check(cx, action),
        Chapter::Movement => movement::check(cx, action),
        Chapter::Disengage => disengage::check(cx, action),
        Chapter::Antwerp => antwerp::check(cx, action),
        Chapter::Replacements => replacements::check(cx, action),
        Chapter::Combat(question) => combat::answers(cx, question, action),
    }
}

/// Do it; it has been checked. The frame is still on the stack: who is done with it pops it.
pub fn apply(play: &mut Play, frame: Frame, side: Side, action: &Action) -> Result<(), Stop> {
    match chapter(frame) {
        Chapter::HideFuelDumps => {
            play.pop();
            fuel_dumps::hide(play)
        }
        Chapter::Begin | Chapter::Runs => {
            play.pop();
            Ok(())
        }
        Chapter::SpendFuel { table } => fuel::spend(play, table, action),
        Chapter::SetUp => setup::apply(play, side, action),
        Chapter::Traffic => traffic::apply(play, frame, side, action),
        Chapter::ArtillerySupply => artillery_supply::apply(play, frame, action),
        Chapter::Fuel => fuel::apply(play, frame, action),
        Chapter::Bridges => bridges::apply(play, side, action),
        Chapter::Movement => movement::apply(play, frame, side, action),
        Chapter::Disengage => disengage::apply(play, frame, side, action),
        Chapter::Antwerp => antwerp::apply(play, action),
        Chapter::Replacements => replacements::apply(play, frame, action),
        Chapter::Combat(question) => combat::apply(play, question, side, action),
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
        OpenCombat => {
            combat::open(play);
            Ok(())
        }
        CloseCombat => combat::close(play),
        DestroyDump => combat::resolve::commit(play),
        Resolve => combat::resolve::resolve(play),
        Outcome => combat::resolve::outcome(play),
        CheckStacks => {
            combat::resolve::check_stacks(play);
            Ok(())
        }
        EndCombat => {
            combat::resolve::end(play);
            Ok(())
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
        Begin
        | HideFuelDumps
        | SetUp(_)
        | TrafficBeforePlay
        | ReadyArtillery { .. }
        | SpendFuel { .. }
        | PickFuel { .. }
        | Bridges
        | Movement
        | Walk
        | Infiltrate
        | Overstacked(_)
        | Disengage
        | DisengageRetreat
        | Attacks
        | BlowBridge
        | CallOff
        | AttackSupport
        | Support
        | FireFight
        | Recon
        | Loss(_)
        | Remnant(_)
        | DeterminedDefense
        | Retreat
        | RetreatOn(_)
        | PlaceAdvantage
        | Advance
        | Breakthrough
        | Counterattack
        | PlaceMarkers
        | Antwerp
        | Replacements { .. } => Ok(()),
    }
}

/// Run the frame on top of the stack, which needs nobody.
pub fn run_top(play: &mut Play) -> Result<(), Stop> {
    let frame = play.s.top();
    if !matches!(frame, Frame::Sequence) {
        play.pop();
    }
    run(play, frame)
}

/// Run until somebody must decide or the game is over.
pub fn settle(play: &mut Play) -> Result<(), Stop> {
    while play.s.ending.is_none() {
        let frame = play.s.top();
        let Some(side) = asks(play.rules, play.s, frame) else {
            run_top(play)?;
            continue;
        };
        // What was worked out for the position before does not hold for this one.
        play.s.renew_stamp();
        if matches!(frame, Frame::Movement) {
            movement::muster::take(play.rules, play.s, side);
        }
        let cx = Cx { rules: play.rules, s: play.s, side, frame };
        let Some(action) = forced(&cx) else { return Ok(()) };
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
