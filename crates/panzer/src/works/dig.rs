//! Hasty Entrenchments (6.6.8): work is credited before units go into or out of Full Cover (6.8.2).

use smallvec::SmallVec;

use crate::{
    event::Event,
    pack::advanced::FeatureKind,
    play::Play,
    rules::Panzer,
    state::{Command, Flags, State},
    units::UnitId,
};

impl Panzer {
    /// 6.6.8: in Full Cover, not Suppressed, without a Command for the whole turn, on ground that can be dug.
    pub fn digs(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        let ground = u.hex.some().map(|hex| self.field.ground(hex));
        self.on_foot(s, unit)
            && u.is(Flags::FULL_COVER)
            && !u.suppressed()
            && u.command == Command::NoCommand
            && !u.is(Flags(Flags::ENTRENCHED.0 | Flags::IMPROVED.0 | Flags::CLEARING.0))
            && ground.is_some_and(|ground| !ground.terrain.building() && !ground.bridge)
    }
}

/// The digging of this turn. A unit in a hex with unfinished work continues that.
pub fn dig(play: &mut Play) {
    let Some(game) = play.rules.advanced.as_deref() else { return };
    let table = game.tables().movement.entrenchment;
    // This reveals which units had no Command; but the turn is over, and Commands are removed next (4.6.1).
    play.log.reveal();
    super::clear(play);
    let mut taken: SmallVec<[usize; 16]> = SmallVec::new();
    for unit in play.s.ids() {
        if !play.rules.digs(play.s, unit) {
            continue;
        }
        let hex = play.s.unit(unit).hex;
        let engineer = game.pieces[unit.index()].engineer;
        let works = &play.s.works;
        // The most advanced work, unless another unit in the hex is working on it.
        let mut begun: Option<usize> = None;
        for (n, work) in works.list.iter().enumerate() {
            let open = work.hex == hex
                && work.kind == FeatureKind::HastyEntrenchment
                && work.progress < table.turns
                && !taken.contains(&n);
            if open && begun.is_none_or(|best| works.list[best].progress < work.progress) {
                begun = Some(n);
            }
        }
        let at = begun.unwrap_or(play.s.works.list.len());
        if begun.is_none() {
            let new = play.rules.new_work(hex, FeatureKind::HastyEntrenchment, 0);
            play.s.works.add(new);
        }
        taken.push(at);
        let work = &mut play.s.works.list[at];
        let turns = table.turns;
        work.progress = match (engineer, begun) {
            // Engineers need two turns, or one for work already begun.
            (true, Some(_)) => (work.progress + turns.div_ceil(table.engineer_finishes.max(1))).min(turns),
            (true, None) => turns.div_ceil(table.engineer_turns.max(1)),
            (false, _) => work.progress + 1,
        };
        let progress = work.progress;
        let complete = progress >= turns;
        if complete {
            play.s.unit_mut(unit).set(Flags::ENTRENCHED);
        }
        play.tell(Event::Dug { unit, hex, progress, complete });
    }
    for unit in play.s.ids() {
        play.s.unit_mut(unit).clear(Flags::CLEARING);
    }
}
