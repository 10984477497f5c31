//! Hand-to-Hand (6.6.1.2): a fight to the end by opposed rolls.

use kernel::Stop;

use super::won;
use crate::{
    bail,
    event::Event,
    frame::Frame,
    pack::advanced::{HandToHandModifier, LegSize},
    play::Play,
    rules::Panzer,
    state::{Flags, State},
    units::{UnitId, UnitSet},
};

/// Where a modifier comes from (6.6.1.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandCause {
    Modifier(HandToHandModifier),
    Grade,
}

impl HandCause {
    pub const fn key(self) -> &'static str {
        match self {
            HandCause::Modifier(modifier) => modifier.key(),
            HandCause::Grade => "unit_grade",
        }
    }
}

/// Whose roll a modifier changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Attacker,
    Defender,
}

/// What both sides add to their rolls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandAim {
    pub attacker: i16,
    pub defender: i16,
}

impl HandAim {
    /// The attacker's chance to win a round, with ties rolled again (6.6.1.2.1).
    pub fn chance(&self) -> f64 {
        let (mut wins, mut losses) = (0_u32, 0_u32);
        for a in 1..=100_i16 {
            for d in 1..=100_i16 {
                match (a + self.attacker).cmp(&(d + self.defender)) {
                    std::cmp::Ordering::Greater => wins += 1,
                    std::cmp::Ordering::Less => losses += 1,
                    std::cmp::Ordering::Equal => {}
                }
            }
        }
        f64::from(wins) / f64::from((wins + losses).max(1))
    }
}

impl Panzer {
    /// 6.6.1.2.2: every modifier of both sides; the primary attacker stands first.
    pub fn hand_modifiers(
        &self,
        s: &State,
        attackers: &[UnitId],
        advanced: UnitSet,
        target: UnitId,
        mut each: impl FnMut(Part, HandCause, i16),
    ) {
        use HandToHandModifier as M;
        let (Some(game), Some(primary)) = (self.advanced.as_deref(), attackers.first()) else { return };
        let tables = game.tables();
        let mut count = |part: Part, modifier: M, times: usize| {
            if times > 0 {
                let value = i16::from(tables.hand_modifier(modifier)) * times as i16;
                each(part, HandCause::Modifier(modifier), value);
            }
        };
        let of_size = |size: LegSize| match size {
            LegSize::Squad => M::Squad,
            LegSize::HalfSquad => M::HalfSquad,
            LegSize::Section => M::Section,
        };
        if let Some(size) = self.leg_size(s, *primary) {
            count(Part::Attacker, of_size(size), 1);
        }
        match self.leg_size(s, target) {
            Some(size) => count(Part::Defender, of_size(size), 1),
            None => count(Part::Defender, M::Towed, 1),
        }
        count(Part::Defender, M::DefenderSuppressed, usize::from(s.unit(target).suppressed()));
        count(Part::Defender, M::DefenderHesitating, usize::from(s.unit(target).is(Flags::HESITATES)));
        count(Part::Defender, M::DefenderBroken, usize::from(s.unit(target).is(Flags::BROKEN)));
        let advance = attackers.iter().any(|a| advanced.contains(*a));
        count(Part::Attacker, M::AdvanceAttack, usize::from(advance));
        let uphill = self.levels_above(s, target, s.unit(*primary).hex, *primary) == 1;
        count(Part::Attacker, M::UphillAttack, usize::from(uphill));
        let dismounts = attackers.iter().any(|a| s.assault.dismounted.contains(*a));
        count(Part::Attacker, M::DismountAttack, usize::from(dismounts));
        for (size, modifier) in [
            (LegSize::Section, M::AdditionalSection),
            (LegSize::HalfSquad, M::AdditionalHalfSquad),
            (LegSize::Squad, M::AdditionalSquad),
        ] {
            let more = attackers[1..].iter().filter(|a| self.leg_size(s, **a) == Some(size)).count();
            count(Part::Attacker, modifier, more);
        }
        let flame = attackers.iter().any(|a| self.flamethrower(s, *a));
        count(Part::Attacker, M::Flamethrower, usize::from(flame));
        count(Part::Defender, M::Flamethrower, usize::from(self.flamethrower(s, target)));
        for (part, unit) in [(Part::Attacker, *primary), (Part::Defender, target)] {
            let grade = self.assault_grade(unit);
            if grade != 0 {
                each(part, HandCause::Grade, i16::from(grade));
            }
        }
    }

    /// 6.6.1.2.1
    pub fn hand_aim(&self, s: &State, attackers: &[UnitId], advanced: UnitSet, target: UnitId) -> HandAim {
        let mut aim = HandAim::default();
        self.hand_modifiers(s, attackers, advanced, target, |part, _, value| match part {
            Part::Attacker => aim.attacker += value,
            Part::Defender => aim.defender += value,
        });
        aim
    }
}

/// 6.6.1.2.1: one round; others follow until one side has no unit left in the fight.
pub(super) fn round(play: &mut Play) -> Result<(), Stop> {
    let target = play.s.assault.target;
    let hex = play.s.unit(target).hex;
    let fighting = play.s.assault.fighting.clone();
    let Some(primary) = fighting.first().copied() else { return Ok(()) };
    let aim = play.rules.hand_aim(play.s, &fighting, play.s.assault.advanced, target);
    let (attacks, defends) = (play.rules.vehicle(primary).side, play.rules.vehicle(target).side);
    let rolls = [
        play.roll(attacks, "roll.hand_attacker", "6.6.1.2.1")?,
        play.roll(defends, "roll.hand_defender", "6.6.1.2.1")?,
    ];
    let totals = [i16::from(rolls[0]) + aim.attacker, i16::from(rolls[1]) + aim.defender];
    play.tell(Event::HandToHand { unit: primary, target, rolls, totals });
    crate::morale::forced(play, primary); // 7.1.3
    crate::morale::forced(play, target);
    match totals[0].cmp(&totals[1]) {
        std::cmp::Ordering::Equal => play.then(&[Frame::Fight]), // 6.6.1.2.1: both roll again
        std::cmp::Ordering::Greater => {
            if lose(play, target)? {
                play.then(&[Frame::Fight]);
            } else {
                won(play, hex);
            }
        }
        std::cmp::Ordering::Less => {
            let reduced = lose(play, primary)?;
            if !reduced {
                play.s.assault.fighting.retain(|unit| *unit != primary);
            }
            let left = &play.s.assault.fighting;
            // 6.6.1.2.3: another squad may take the lead from a half-squad; a lost leader must be replaced.
            let squad =
                left.iter().skip(1).any(|unit| play.rules.leg_size(play.s, *unit) == Some(LegSize::Squad));
            match (left.is_empty(), reduced && !squad) {
                (true, _) => {}
                (false, true) => play.then(&[Frame::Fight]),
                (false, false) => play.then(&[Frame::NamePrimary, Frame::Fight]),
            }
        }
    }
    Ok(())
}

/// 6.6.1.2.3: a squad becomes a half-squad and is not suppressed; any other unit is lost. Returns true if the unit
/// fights on.
fn lose(play: &mut Play, unit: UnitId) -> Result<bool, Stop> {
    if play.rules.squad(play.s, unit) {
        play.s.unit_mut(unit).set(Flags::REDUCED);
        play.tell(Event::Reduced { unit });
        crate::gp::lose_weapons(play, unit)?;
        return Ok(true);
    }
    bail::eliminate(play, unit);
    Ok(false)
}
