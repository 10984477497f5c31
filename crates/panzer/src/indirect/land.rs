//! Indirect fire lands (6.5.1.13, 6.5.4): one attack on each unit in the pattern, passengers with their vehicle.

use kernel::Stop;

use super::{Landing, Source};
use crate::{
    event::Event,
    fire::Blast,
    frame::Frame,
    gp::{GpCause, hurt_foot, hurt_vehicle},
    pack::advanced::{
        BailResult, GpModifier, RangeFactor, Sheaf,
        lookup::{Fire, outcome},
    },
    play::Play,
    rules::Panzer,
    state::{Flags, State},
    works,
};

impl Panzer {
    /// 6.5.4.3: the modifiers of indirect fire.
    pub fn barrage_modifiers(&self, s: &State, l: &Landing, mut each: impl FnMut(GpCause, i8)) {
        let Some(m) = self.mission(s, l.mission) else { return };
        let moving = l.moving && !m.planned;
        self.blast_target(s, l.target, moving, Fire::Indirect, |modifier, value| {
            each(GpCause::Modifier(modifier), value);
        });
        self.source_modifiers(s, l, each);
    }

    /// The modifiers of the guns themselves, whatever their target.
    fn source_modifiers(&self, s: &State, l: &Landing, mut each: impl FnMut(GpCause, i8)) {
        let (Some(game), Some(m)) = (self.advanced.as_deref(), self.mission(s, l.mission)) else { return };
        let mut count = |modifier: GpModifier, applies: bool| {
            if applies && let Some(value) = game.tables().gp_modifier(modifier, Fire::Indirect) {
                each(GpCause::Modifier(modifier), value);
            }
        };
        match l.source {
            Source::Battery(_) => count(GpModifier::OpenSheaf, m.sheaf == Sheaf::Open),
            Source::Unit { unit, .. } => {
                let u = s.unit(unit);
                count(GpModifier::ShooterDamaged, u.is(Flags::TURRET));
                count(GpModifier::ShooterSuppressed, u.suppressed());
                count(GpModifier::ShooterHesitating, u.is(Flags::HESITATES)); // 7.1.5.1
                count(GpModifier::ShooterBroken, u.is(Flags::BROKEN)); // 7.1.5.2
            }
        }
        count(GpModifier::AmmoLimit, l.limited);
    }

    /// 6.5.1.13: range factor and GP factor of a source.
    fn barrage_factor(&self, s: &State, l: &Landing) -> Option<(RangeFactor, u8)> {
        let m = self.mission(s, l.mission)?;
        let row = self.indirect_row(l.source)?;
        let seen = u32::from(m.seen);
        let range = match l.source {
            Source::Unit { unit, .. } if s.unit(unit).on_map() => {
                seen.max(self.field.range(s.unit(unit).hex, m.point))
            }
            _ => seen,
        };
        // 6.5.1.13: planned fire always uses the Medium column.
        let medium = (RangeFactor::M, row.factor[RangeFactor::M.index()]);
        if m.planned { Some(medium) } else { row.at(range.max(1)) }
    }

    /// 6.5.4.2.5: GP factor and modifier against terrain; none for Small Arms.
    fn barrage_on_terrain(&self, s: &State, l: &Landing) -> Option<(u8, i16)> {
        let (_, gpf) = self.barrage_factor(s, l)?;
        if let Source::Unit { unit, gun } = l.source {
            self.arm(unit, gun)?.weapon.effectiveness?;
        }
        let mut net = 0;
        self.source_modifiers(s, l, |_, value| net += i16::from(value));
        Some((gpf, net))
    }

    /// 6.5.1.13: the attack on one unit.
    pub fn barrage_aim(&self, s: &State, l: &Landing) -> Option<Blast> {
        let game = self.advanced.as_deref()?;
        let (factor, gpf) = self.barrage_factor(s, l)?;
        // 6.5.4.2.2: a moving Leg or towed unit, whether its Command has been shown or not.
        let (gpd, target) = self.gp_defense(s, l.target, s.unit(l.target).command.moves())?;
        let effectiveness = match l.source {
            Source::Battery(n) => {
                let battery = game.extras.batteries.get(usize::from(n))?;
                Some(self.pack.advanced.battery(&battery.card)?.effectiveness)
            }
            Source::Unit { unit, gun } => self.arm(unit, gun)?.weapon.effectiveness,
        };
        let mut net = 0;
        self.barrage_modifiers(s, l, |_, value| net += i16::from(value));
        let (n, suppressed) = game.tables().gp_cell(gpf, gpd);
        Some(Blast { factor, gpf, gpd, target, effectiveness, net, n, s: suppressed })
    }
}

/// The next unit in the pattern; after the last one, the terrain and the bail-out tests.
pub fn next(play: &mut Play) -> Result<(), Stop> {
    let Some(landing) = play.s.indirect.landing.last_mut() else { return Ok(()) };
    let Some(target) = landing.queue.pop() else {
        // 6.6.6: a unit that moves into the pattern is attacked alone.
        if let Some(landing) = play.s.indirect.landing.pop().filter(|landing| !landing.entering) {
            terrain(play, &landing)?;
        }
        if !play.s.bail.is_empty() {
            play.then(&[Frame::BailOut]);
        }
        return Ok(());
    };
    landing.target = target;
    landing.moving = false;
    let (entering, mission) = (landing.entering, landing.mission);
    // 6.5.4.3: planned fire ignores whether a vehicle moves.
    let planned = play.rules.mission(play.s, mission).is_some_and(|m| m.planned);
    let u = *play.s.unit(target);
    if !u.on_map() {
        play.then(&[Frame::Land]);
        return Ok(());
    }
    let vehicle = play.rules.is_vehicle(target) && !u.is(Flags::BAILED);
    if let Some(landing) = play.s.indirect.landing.last_mut() {
        // 6.6.6: not for a vehicle that drives into it.
        landing.moving = vehicle && !entering && u.is(Flags::REVEALED) && u.command.moves();
    }
    // 6.5.4.3: the owner may show a hidden Command.
    if vehicle && !entering && !planned && !u.is(Flags::REVEALED) {
        play.then(&[Frame::LandShow, Frame::LandHit, Frame::Land]);
    } else {
        play.then(&[Frame::LandHit, Frame::Land]);
    }
    Ok(())
}

/// 6.5.4.2.5: all terrain in the pattern that can be destroyed, whether a unit is there or not.
fn terrain(play: &mut Play, landing: &Landing) -> Result<(), Stop> {
    let Some(m) = play.rules.mission(play.s, landing.mission).cloned() else { return Ok(()) };
    let Some((gpf, net)) = play.rules.barrage_on_terrain(play.s, landing) else { return Ok(()) };
    for hex in play.rules.source_pattern(&m, landing.source, landing.point) {
        works::shell_hex(play, works::Shelling { side: m.side, gpf, net, at_once: false }, hex, None)?;
    }
    Ok(())
}

/// 6.5.4.4: one attack.
pub fn hit(play: &mut Play) -> Result<(), Stop> {
    let Some(landing) = play.s.indirect.landing.last().cloned() else { return Ok(()) };
    let (Some(aim), Some(m)) =
        (play.rules.barrage_aim(play.s, &landing), play.rules.mission(play.s, landing.mission).cloned())
    else {
        return Ok(());
    };
    let target = landing.target;
    let roll = play.roll(m.side, "roll.gp", "6.5.4.4")?;
    let total = i16::from(roll) + aim.net;
    let result = outcome((aim.n, aim.s), total);
    play.s.unit_mut(target).set(Flags::UNDER_FIRE); // 6.8.3.1.2
    play.tell(Event::Barrage {
        mission: m.id,
        target,
        gpf: aim.gpf,
        gpd: aim.gpd,
        net: aim.net,
        roll,
        outcome: result,
    });
    if !play.rules.is_vehicle(target) {
        play.log.reveal(); // 6.5.4.2.2: its defense tells whether it is moving
        return hurt_foot(play, target, result, BailResult::SuppressedIndirect);
    }
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(()) };
    let result = aim.on_vehicle(game.tables(), total, true);
    // The side that fires rolls the dice, whichever of its units is named.
    let by = m.observer.some().or_else(|| play.rules.units_of(m.side).first().copied());
    match by {
        Some(by) => hurt_vehicle(play, by, target, result, false),
        None => Ok(()),
    }
}
