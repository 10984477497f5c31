//! The table from frames to what they do, and the sequence of play (4).

use kernel::{Refusal, Stop};
use rulebook::flow::{Does, Flow, Question};

use crate::{
    action::Action,
    antwerp, artillery_supply, bridges, combat,
    confirm::Confirm,
    disengage,
    event::Event,
    frame::Frame,
    fuel, fuel_dumps, movement, night,
    pack::Side,
    phase::{self, Phase},
    play::{At, Cx, Play},
    rally, reinforce, replacements,
    rules::Ardennes,
    setup, special,
    state::State,
    subject::Subject,
    supply, surrender, traffic, victory,
};

impl Flow for Ardennes {
    type Frame = Frame;
    type Side = Side;
    type Play<'a> = Play<'a>;
    const PHASE: Subject = Subject::Phase;

    fn does(frame: Frame) -> Does<Ardennes> {
        use Does::{Asks, Runs};
        match frame {
            Frame::Sequence => Runs(|play, _| next_phase(play)),
            Frame::Begin => Asks(&BEGIN),
            Frame::SetUp(_) => Asks(&setup::SetUp),
            Frame::HideFuelDumps => Asks(&fuel_dumps::HIDE),
            Frame::TrafficBeforePlay | Frame::PlaceMarkers => Asks(&traffic::Markers),

            Frame::RemovePrimeMovers => Runs(|play, _| artillery_supply::remove_prime_movers(play)),
            Frame::ReadyArtillery { .. } => Asks(&artillery_supply::ReadyArtillery),
            Frame::RemoveFuelDump => Runs(|play, _| fuel_dumps::remove(play)),
            Frame::SpendFuel { .. } => Asks(&fuel::SpendFuel),
            Frame::RollFuel { .. } => Runs(|play, frame| match frame {
                Frame::RollFuel { table } => fuel::roll(play, table),
                _ => Ok(()),
            }),
            Frame::PickFuel { .. } => Asks(&fuel::PickFuel),
            Frame::CompleteBridges => Runs(|play, _| bridges::complete(play)),
            Frame::Bridges => Asks(&bridges::Bridges),

            Frame::OpenMovement => Runs(|play, _| {
                movement::open(play)?;
                special::ccb9_roll(play)?;
                reinforce::open(play)
            }),
            Frame::Movement => Asks(&movement::Movement),
            Frame::Walk => Asks(&movement::InterruptedMove),
            Frame::Infiltrate => Asks(&movement::Infiltrate),
            Frame::Overstacked(_) => Asks(&movement::Overstacked),
            Frame::CloseMovement => Runs(|play, _| movement::close(play)),
            Frame::Rally => Runs(|play, _| rally::rally(play)),

            Frame::OpenCombat => Runs(|play, _| {
                combat::open(play);
                Ok(())
            }),
            Frame::Disengage => Asks(&disengage::Disengage),
            Frame::DisengageRoll => Runs(|play, _| disengage::roll(play)),
            Frame::DisengageRetreat => Asks(&disengage::DisengageRetreat),
            Frame::RemoveEngaged => Runs(|play, _| disengage::remove_engaged(play)),
            Frame::Attacks => Asks(&combat::Attacks),
            Frame::BlowBridge => Asks(&combat::BlowBridge),
            Frame::CallOff => Asks(&combat::CallOff),
            Frame::AttackSupport => Asks(&combat::AttackSupport),
            Frame::Support => Asks(&combat::Support),
            Frame::DestroyDump => Runs(|play, _| combat::resolve::commit(play)),
            Frame::Resolve => Runs(|play, _| combat::resolve::resolve(play)),
            Frame::FireFight => Asks(&combat::FireFight),
            Frame::Recon => Asks(&combat::Recon),
            Frame::Outcome => Runs(|play, _| combat::resolve::outcome(play)),
            Frame::Loss(_) => Asks(&combat::Loss),
            Frame::Remnant(_) => Asks(&combat::Remnant),
            Frame::DeterminedDefense => Asks(&combat::DeterminedDefense),
            Frame::Retreat => Asks(&combat::Retreats),
            Frame::RetreatOn(_) => Asks(&combat::RetreatOn),
            Frame::PlaceAdvantage => Asks(&combat::PlaceAdvantage),
            Frame::Advance => Asks(&combat::Advances),
            Frame::Breakthrough => Asks(&combat::Breakthrough),
            Frame::Counterattack => Asks(&combat::Counterattack),
            Frame::CheckStacks => Runs(|play, _| {
                combat::resolve::check_stacks(play);
                Ok(())
            }),
            Frame::EndCombat => Runs(|play, _| {
                combat::resolve::end(play);
                Ok(())
            }),
            Frame::CloseCombat => Runs(|play, _| combat::close(play)),

            Frame::CheckRoadblocks => Runs(|play, _| traffic::check_roadblocks(play)),
            Frame::RemoveTraffic => Runs(|play, _| traffic::remove(play)),
            Frame::RemoveGreif => Runs(|play, _| traffic::remove_greif(play)),
            Frame::CheckSupply => Runs(|play, _| supply::check_supply(play)),
            Frame::CheckSurrender => Runs(|play, _| surrender::check_surrender(play)),
            Frame::Antwerp => Asks(&antwerp::Antwerp),
            Frame::CheckVictory => Runs(|play, _| victory::check(play)),
            Frame::OpenReplacements => Runs(|play, _| replacements::open(play)),
            Frame::Replacements { .. } => Asks(&replacements::Replacements),
            Frame::OpenNight => Runs(|play, _| night::open(play)),
        }
    }

    fn top(play: &Play) -> Option<Frame> {
        play.s.ending.is_none().then(|| play.s.top())
    }

    fn take_off(play: &mut Play, frame: Frame) {
        if !matches!(frame, Frame::Sequence) {
            play.pop();
        }
    }

    fn position<'a>(play: &'a Play) -> (&'a Ardennes, &'a State) {
        (play.rules, play.s)
    }

    fn reach(play: &mut Play, question: &dyn Question<Ardennes>, at: At) -> Option<Action> {
        // Results cached for the previous position do not hold for this one.
        play.s.renew_stamp();
        if matches!(at.frame, Frame::Movement) {
            movement::candidates::take(play.rules, play.s, at.side);
        }
        question.forced(&Cx { rules: play.rules, s: play.s, side: at.side, frame: at.frame })
    }

    fn not_now(&self) -> Refusal {
        self.not_now()
    }
}

/// Runs frames until somebody must decide or the game is over.
pub fn settle(play: &mut Play) -> Result<(), Stop> {
    rulebook::flow::settle::<Ardennes>(play)?;
    if play.s.ending.is_some() {
        play.s.renew_stamp();
    }
    Ok(())
}

/// A lab file begins in a phase without decisions: wait for `done`.
static BEGIN: Confirm = Confirm { asks: |s| s.side, then: |_| Ok(()) };

/// 4: proceeds to the next phase, the Night turn or the next turn.
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

/// Opens a phase: its steps are pushed onto the stack.
pub fn begin(play: &mut Play, side: Side, phase: Phase) {
    (play.s.side, play.s.phase) = (side, phase);
    play.tell(Event::Phase { side, phase });
    play.then(phase::steps(phase));
}
