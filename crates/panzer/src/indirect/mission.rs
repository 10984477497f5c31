//! The life of a mission (6.5.1.7 to 6.5.1.13): sources that respond fire; it is repeated, or checked and removed.

use hexgrid::HexId;
use kernel::Stop;

use super::{
    Area, Landing, Mission, Source, Sources,
    call::friends_near,
    response::{Answer, scatter, scatter_modifier},
};
use crate::{
    action::CallOrder,
    event::Event,
    frame::Frame,
    pack::{Side, advanced::HindranceKind},
    play::Play,
    state::Flags,
    units::UnitId,
};

/// 6.5.1.12: each source makes its response roll; those that respond fire.
pub(super) fn carry_out(play: &mut Play, side: Side, order: &CallOrder) -> Result<(), Stop> {
    let already: Sources =
        play.rules.mission(play.s, order.adjusts).map_or_else(Sources::new, |m| m.sources.clone());
    // 6.5.1.12.1: the area of the mission being adjusted still hinders the observer's call.
    let answers: smallvec::SmallVec<[Option<Answer>; 4]> = order
        .sources
        .iter()
        .map(|source| {
            play.rules.answer(play.s, order.observer, *source, order.point, already.contains(source))
        })
        .collect();
    if order.adjusts > 0 {
        remove(play, order.adjusts);
    }
    let id = free_id(play);
    observe(play, order.observer);
    play.tell(Event::Called { mission: id, observer: order.observer, hex: order.point });
    let (mut sources, mut astray) = (Sources::new(), Sources::new());
    let friends = friends_near(play.rules, play.s, side, order.point);
    for (source, answer) in order.sources.iter().zip(answers) {
        spend(play, *source);
        let Some(answer) = answer else { continue };
        let roll = play.roll_ten(side, "roll.response", "6.5.1.12")?;
        let total = i16::from(roll) + i16::from(answer.modifier);
        let responds = roll != 1 && total >= i16::from(answer.factor);
        play.tell(Event::Response {
            mission: id,
            source: *source,
            roll,
            modifier: answer.modifier,
            factor: answer.factor,
            responds,
        });
        if responds {
            sources.push(*source);
        } else if roll == 1 && !friends.is_empty() {
            astray.push(*source);
        }
    }
    if sources.is_empty() && astray.is_empty() {
        return Ok(());
    }
    let mut point = order.point;
    if play.rules.optional(26) && !sources.is_empty() {
        let modifier = scatter_modifier(play.rules, play.s, order.observer, point, order.adjusts > 0);
        point = scatter(play, side, point, modifier)?;
    }
    let mission = Mission {
        id,
        side,
        observer: order.observer,
        point,
        sheaf: order.sheaf,
        direction: order.direction,
        smoke: order.smoke,
        light: order.light,
        sources: sources.clone(),
        turn: play.s.turn,
        danger_close: false,
        planned: false,
        seen: play.rules.field.range(play.s.unit(order.observer).hex, order.point) as u8,
        limited: Sources::new(),
    };
    if !sources.is_empty() {
        play.s.indirect.missions.push(mission.clone());
        fire(play, id, &sources, point)?;
    }
    if !astray.is_empty() {
        // 6.5.1.10: fire that falls on friendly units is a separate mission, which is checked next turn.
        let strayed = free_id(play);
        let (point, sources) = (order.point, astray.clone());
        let lost = Mission { id: strayed, point, sources, danger_close: true, ..mission };
        play.s.indirect.missions.push(lost);
        play.s.indirect.astray = astray;
        play.s.indirect.strayed = strayed;
        play.then(&[Frame::Misdirect]);
    }
    Ok(())
}

/// A number for a mission: never 0; numbers of finished missions are reused.
pub(super) fn free_id(play: &mut Play) -> u8 {
    let id = (1..=u8::MAX).find(|id| play.rules.mission(play.s, *id).is_none()).unwrap_or(u8::MAX);
    play.s.indirect.last = id;
    id
}

/// 6.5.1: the observer's Overwatch is used, so it may not act otherwise this turn. A passenger observes under the
/// Command of its vehicle.
fn observe(play: &mut Play, observer: UnitId) {
    play.s.indirect.observers.insert(observer);
    let commanded = play.s.unit(observer).aboard.some().unwrap_or(observer);
    play.reveal(commanded);
    play.s.unit_mut(observer).set(Flags::FIRED);
}

/// 6.5.1.7: the source has carried out its Command, whether it responds or not.
fn spend(play: &mut Play, source: Source) {
    match source {
        Source::Battery(n) => play.s.indirect.batteries |= 1 << n,
        Source::Unit { unit, .. } => {
            play.reveal(unit);
            play.s.unit_mut(unit).set(Flags::FIRED);
        }
    }
}

/// 6.5.1.8.1: repeat the fire, without a roll.
pub(super) fn go_on(play: &mut Play, id: u8, smoke: bool) -> Result<(), Stop> {
    let turn = play.s.turn;
    play.s.indirect.areas.retain(|area| area.mission != id || smoke_kind(area.kind));
    play.s.indirect.lit.retain(|(of, _)| *of != id);
    let Some(m) = play.s.indirect.missions.iter_mut().find(|m| m.id == id) else { return Ok(()) };
    m.turn = turn;
    m.smoke = smoke && !m.light;
    m.limited.clear();
    let seen = play.s.units[m.observer.index()].hex.some();
    m.seen = seen.map_or(m.seen, |hex| play.rules.field.range(hex, m.point) as u8);
    let (sources, point, observer) = (m.sources.clone(), m.point, m.observer);
    observe(play, observer);
    for source in &sources {
        spend(play, *source);
    }
    play.tell(Event::Called { mission: id, observer, hex: point });
    fire(play, id, &sources, point)
}

const fn smoke_kind(kind: HindranceKind) -> bool {
    matches!(kind, HindranceKind::SmokeClosed | HindranceKind::SmokeOpen)
}

/// 6.5.1.9: its sources and its observer may take no further part in indirect fire this turn.
pub(super) fn cancel(play: &mut Play, id: u8) {
    let Some(m) = play.rules.mission(play.s, id).cloned() else { return };
    for source in &m.sources {
        match source {
            Source::Battery(n) => play.s.indirect.batteries |= 1 << n,
            // A unit on the map may still fire directly.
            Source::Unit { unit, .. } => play.s.indirect.observers.insert(*unit),
        }
    }
    play.s.indirect.observers.insert(m.observer);
    play.tell(Event::Checked { mission: id });
    remove(play, id);
}

/// Remove the mission's counter; its smoke stays (6.8.4).
pub(super) fn remove(play: &mut Play, id: u8) {
    play.s.indirect.missions.retain(|m| m.id != id);
    play.s.indirect.lit.retain(|(of, _)| *of != id);
    play.s.indirect.areas.retain(|area| area.mission != id || smoke_kind(area.kind));
    play.s.indirect.areas.each(|area| {
        if area.mission == id {
            area.mission = 0;
        }
    });
}

/// 6.5.1.13: smoke, or attacks on all units in the pattern.
pub(super) fn fire(play: &mut Play, id: u8, sources: &[Source], point: HexId) -> Result<(), Stop> {
    let Some(m) = play.rules.mission(play.s, id).cloned() else { return Ok(()) };
    let mut frames = 0;
    for source in sources.iter().rev() {
        let limited = short_of_ammo(play, &m, *source)?;
        if let Source::Unit { unit, gun } = *source {
            crate::fire::mark(play, unit, gun);
            play.s.triggers.insert(unit); // 4.4.2: it has fired
            if !m.danger_close {
                crate::fire::note_target(play, unit, point); // 6.2.1.1.4
            }
        }
        if limited && let Some(m) = play.s.indirect.missions.iter_mut().find(|m| m.id == id) {
            m.limited.push(*source);
        }
        if (m.smoke || m.light) && limited {
            continue; // 5.16.2.3: nothing lands
        }
        if m.light {
            // 7.27: until the mission is handled in the next turn.
            play.tell(Event::Impact { mission: m.id, hex: point, smoke: false });
            let lit = play.rules.source_pattern(&m, *source, point);
            play.s.indirect.lit.extend(lit.into_iter().map(|hex| (m.id, hex)));
            continue;
        }
        lay(play, &m, *source, point);
        if m.smoke {
            continue;
        }
        let mut queue = smallvec::SmallVec::new();
        let pattern = play.rules.source_pattern(&m, *source, point);
        crate::hidden::shelled(play, &pattern); // 7.2
        for hex in pattern {
            for unit in play.s.in_hex(hex).filter(|unit| !play.s.unit(*unit).passenger()) {
                queue.push(unit);
                queue.extend(play.rules.passengers(play.s, unit));
            }
        }
        queue.reverse();
        let landing = Landing {
            mission: id,
            source: *source,
            point,
            queue,
            target: UnitId::NONE,
            moving: false,
            limited,
            entering: false,
        };
        play.s.indirect.landing.push(landing);
        frames += 1;
    }
    for _ in 0..frames {
        play.then(&[Frame::Land]);
    }
    Ok(())
}

/// Place the area that a source covers; several sources of one mission are one occurrence.
fn lay(play: &mut Play, m: &Mission, source: Source, point: HexId) {
    let kind = m.leaves(source);
    let hexes = play.rules.source_pattern(m, source, point);
    play.tell(Event::Impact { mission: m.id, hex: point, smoke: m.smoke });
    let areas = &mut play.s.indirect.areas;
    match areas.iter().position(|area| area.mission == m.id && area.kind == kind && !area.off) {
        Some(area) => areas.extend(area, &hexes),
        None => areas.push(Area { mission: m.id, kind, hexes, off: false, young: true }),
    }
}

/// 5.16.2, 6.5.1.11.4: the ammunition roll of a source, if it has a limit.
fn short_of_ammo(play: &mut Play, m: &Mission, source: Source) -> Result<bool, Stop> {
    let Some(limit) = play.rules.ammo_limit(play.s, source, m.smoke, m.light) else { return Ok(false) };
    let roll = play.roll_ten(m.side, "roll.ammo", "5.16.2")?;
    let limited = roll > limit;
    play.tell(Event::AmmoLimit { source, roll, limit, limited });
    Ok(limited)
}

/// 6.5.1.12: the opponent places the impact of one source on one of the friendly units; if there is another such
/// source, the opponent is asked again before any fire lands.
pub(super) fn misdirect(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let id = play.s.indirect.strayed;
    let (Some(mission), false) = (play.rules.mission(play.s, id).cloned(), play.s.indirect.astray.is_empty())
    else {
        return Ok(());
    };
    let source = play.s.indirect.astray.remove(0);
    let point = play.s.unit(unit).hex;
    let sources = Sources::from_slice(&[source]);
    if let Some(m) = play.s.indirect.missions.iter_mut().find(|m| m.id == id) {
        m.point = point; // 6.6.6: units that move into it are attacked there
        m.sources.clone_from(&sources);
    }
    fire(play, id, &sources, point)?;
    if !play.s.indirect.astray.is_empty() {
        let next = free_id(play);
        let sources = play.s.indirect.astray.clone();
        play.s.indirect.missions.push(Mission { id: next, sources, ..mission });
        play.s.indirect.strayed = next;
        play.then(&[Frame::Misdirect]);
    }
    Ok(())
}
