//! The American fuel dumps (32), an optional rule: three hidden markers, one of them real.

use hexgrid::HexId;
use kernel::{Refusal, Roll, SeatSet, Stop};

use crate::{
    confirm::Confirm,
    event::Event,
    pack::Side,
    play::{Cx, Play, seat},
    rules::Ardennes,
    state::{DumpState, State},
    supply,
};

/// 32.2: after this turn all markers are removed (32.3); captured fuel covers the two following turns.
pub const LAST_TURN: u8 = 6;
const FREE_OF_SHORTAGE: u8 = 2;
/// 1E 32: DRM of captured fuel on one fuel roll.
const FUEL_DRM_1E: i8 = -2;

/// 32.1: the Allied player hides the fuel dumps. He is asked although there is nothing to choose: the die must be
/// rolled within a decision that the German player cannot read.
pub static HIDE: Confirm = Confirm { asks: |_| Side::Allied, then: hide };

/// 32.1: a die that only the Allied player may see decides which of the three is real.
fn hide(play: &mut Play) -> Result<(), Stop> {
    let sites = play.rules.land.dump_sites.len().min(play.s.dumps.len());
    if sites == 0 {
        return Ok(());
    }
    let allied = seat(Side::Allied);
    let die = Roll::new(allied, 6, 0, "roll.fuel_dumps", "32.1").only_for(SeatSet::one(allied));
    let real = (usize::from(play.log.throw(play.dice, die)?) - 1) % sites;
    for (at, dump) in play.s.dumps.iter_mut().enumerate().take(sites) {
        dump.state = DumpState::Allied;
        dump.real = at == real;
    }
    Ok(())
}

/// The index of the dump marker in a hex.
pub fn at(rules: &Ardennes, s: &State, hex: HexId) -> Option<usize> {
    let here = rules.land.dump_sites.iter().position(|site| *site == hex)?;
    (here < s.dumps.len() && s.dumps[here].state != DumpState::Absent).then_some(here)
}

/// 32.1: a German unit has moved to `hex`; adjacent markers are revealed, dummies removed.
pub fn german_near(play: &mut Play, hex: HexId) {
    for number in 0..play.s.dumps.len().min(play.rules.land.dump_sites.len()) {
        let site = play.rules.land.dump_sites[number];
        let dump = play.s.dumps[number];
        let near = site == hex || play.rules.land.neighbours(site).any(|next| next == hex);
        if dump.state != DumpState::Allied || dump.revealed || !near {
            continue;
        }
        let dump = &mut play.s.dumps[number];
        dump.revealed = true;
        if !dump.real {
            dump.state = DumpState::Absent;
        }
        let real = dump.real;
        play.log.reveal();
        play.tell(Event::DumpRevealed { hex: site, real });
    }
}

/// 32.2: does the garrison of a real dump defend this hex against the German player?
pub fn guards(rules: &Ardennes, s: &State, hex: HexId) -> bool {
    at(rules, s, hex).is_some_and(|n| s.dumps[n].real && s.dumps[n].state == DumpState::Allied)
}

/// 32.2: a garrison that the German player knows of.
pub fn seen(rules: &Ardennes, s: &State, hex: HexId) -> bool {
    rules.options.fuel_dumps
        && at(rules, s, hex).is_some_and(|n| s.dumps[n].revealed)
        && guards(rules, s, hex)
}

/// 32.1, 32.2: an advance does not enter a garrison, nor a marker that it must reveal first.
pub fn closes(rules: &Ardennes, s: &State, hex: HexId) -> bool {
    rules.options.fuel_dumps
        && at(rules, s, hex).is_some_and(|n| {
            s.dumps[n].state == DumpState::Allied && (s.dumps[n].real || !s.dumps[n].revealed)
        })
}

/// 32.2: the German player captures the dump of this hex: the garrison is eliminated, retreats or loses a step.
pub fn capture(play: &mut Play, hex: HexId) {
    if let Some(number) = at(play.rules, play.s, hex)
        && play.s.dumps[number].state == DumpState::Allied
    {
        play.s.dumps[number].state = DumpState::Captured;
        play.tell(Event::DumpCaptured { hex, by: Side::German });
    }
}

/// 32.2: an Allied unit has re-entered a captured dump, which regains its garrison.
#[inline]
pub fn allied_enters(play: &mut Play, hex: HexId) {
    if play.s.dumps.iter().any(|dump| dump.state == DumpState::Captured)
        && let Some(number) = at(play.rules, play.s, hex)
        && play.s.dumps[number].state == DumpState::Captured
    {
        play.s.dumps[number].state = DumpState::Allied;
        play.s.dumps[number].retaken = true;
        play.tell(Event::DumpCaptured { hex, by: Side::Allied });
    }
}

/// 32.2: at the start of the Fuel Shortage Phase captured fuel is removed along a road; 32.3: after its last turn all
/// remaining markers are removed.
pub fn remove(play: &mut Play) -> Result<(), Stop> {
    for number in 0..play.s.dumps.len().min(play.rules.land.dump_sites.len()) {
        let site = play.rules.land.dump_sites[number];
        let dump = play.s.dumps[number];
        if dump.state == DumpState::Captured
            && play.s.control(site) == Side::German
            && supply::road_supply(play.rules, play.s, Side::German, site)
        {
            play.s.dumps[number].state = DumpState::Secured;
            play.tell(Event::DumpSecured { hex: site });
        } else if play.s.turn > LAST_TURN && !matches!(dump.state, DumpState::Absent | DumpState::Secured) {
            play.s.dumps[number].state = DumpState::Absent;
            play.tell(Event::DumpDestroyed { hex: site });
        }
    }
    Ok(())
}

/// 32.2: captured fuel cancels the German fuel shortage for two turns.
pub fn shortage_waived(rules: &Ardennes, s: &State) -> bool {
    let first = rules.tables().fuel.first_turn;
    !rules.captured_fuel_is_spent()
        && s.dumps.iter().any(|dump| dump.state == DumpState::Secured)
        && (first..first + FREE_OF_SHORTAGE).contains(&s.turn)
}

/// 32.2: the DF of the garrison of a dump. 1E: none once it has been recaptured.
pub fn garrison(rules: &Ardennes, s: &State, hex: HexId) -> u8 {
    let gone =
        rules.captured_fuel_is_spent() && at(rules, s, hex).is_some_and(|number| s.dumps[number].retaken);
    if gone { 0 } else { rules.tables().markers.fuel_dump_defense }
}

/// 1E 32.2: does the German player have captured fuel to spend on a fuel roll?
pub fn to_spend(rules: &Ardennes, s: &State) -> bool {
    rules.captured_fuel_is_spent() && s.dumps.iter().any(|dump| dump.state == DumpState::Secured)
}

/// 1E 32.2: spends it on this fuel roll; returns the modifier of the die.
pub fn spend(play: &mut Play) -> i8 {
    let secured = play.s.dumps.iter_mut().find(|dump| dump.state == DumpState::Secured);
    match secured.filter(|_| play.rules.captured_fuel_is_spent()) {
        Some(dump) => {
            dump.state = DumpState::Absent;
            FUEL_DRM_1E
        }
        None => 0,
    }
}

/// 32.3: a new player turn allows new attempts.
pub fn new_turn(s: &mut State) {
    for dump in &mut s.dumps {
        dump.tried = false;
    }
}

/// 32.3: the dumps with an adjacent German unit, which the Allied player may try to destroy in his Bridge Phase.
pub fn burnable<'a>(rules: &'a Ardennes, s: &'a State, side: Side) -> impl Iterator<Item = HexId> + 'a {
    let sites = rules.land.dump_sites.iter().enumerate().take(s.dumps.len());
    sites
        .filter(move |(n, site)| side == Side::Allied && may_burn(s, *n, **site).is_ok())
        .map(|(_, site)| *site)
}

fn may_burn(s: &State, number: usize, site: HexId) -> Result<(), &'static str> {
    let dump = s.dumps[number];
    if dump.state != DumpState::Allied {
        Err("dump.none")
    } else if dump.tried {
        Err("dump.tried")
    } else if !s.near(Side::German).contains(site) {
        Err("dump.no_german")
    } else {
        Ok(())
    }
}

pub fn check_burn(cx: &Cx, hex: HexId) -> Result<(), Refusal> {
    let fault = match at(cx.rules, cx.s, hex) {
        Some(number) if cx.side == Side::Allied => may_burn(cx.s, number, hex),
        _ => Err("dump.none"),
    };
    fault.or_else(|key| cx.rules.no("32.3", key).hex("hex", hex).into())
}

/// 32.3: in the Allied Bridge Phase.
pub fn burn(play: &mut Play, hex: HexId) -> Result<(), Stop> {
    let limit = play.rules.tables().special.dump_bridge_phase_max;
    try_to_destroy(play, hex, limit)
}

/// 32.3: when the German player attacks it.
pub fn burn_under_attack(play: &mut Play, hex: HexId) -> Result<(), Stop> {
    let limit = play.rules.tables().special.dump_combat_phase_max;
    try_to_destroy(play, hex, limit)
}

fn try_to_destroy(play: &mut Play, hex: HexId, limit: i8) -> Result<(), Stop> {
    let Some(number) = at(play.rules, play.s, hex) else { return Ok(()) };
    play.s.dumps[number].tried = true;
    let die = play.roll(Side::Allied, 0, "roll.dump", "32.3")?;
    if die <= limit {
        play.s.dumps[number].state = DumpState::Absent;
        play.tell(Event::DumpDestroyed { hex });
    }
    Ok(())
}
