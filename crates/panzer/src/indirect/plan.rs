//! Planned indirect fire (6.5.1.11) and pre-registered points (6.5.1.4): recorded in secret before the battle.

use hexgrid::HexId;
use kernel::{Refusal, Slot, SlotKind, Stop, Template};
use rulebook::flow::Question;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Mission, Source, Sources, call, mission};
use crate::{
    action::{Action, Subject},
    event::Event,
    frame::{Frame, Player},
    pack::{
        Side,
        advanced::{BatteryDef, Mission as Shell, Sheaf},
    },
    play::{At, Cx, Play},
    rules::Panzer,
    state::State,
    units::UnitId,
};

/// One part of a plan: the same shells in the same pattern, for some turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    pub point: HexId,
    pub smoke: bool,
    #[serde(default)]
    pub light: bool,
    pub sheaf: Sheaf,
    pub direction: u8,
    pub turns: u8,
}

pub type Segments = SmallVec<[Segment; 5]>;

/// What a battery will fire, and from which turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plot {
    pub battery: u8,
    /// 6.5.1.11.2: the turn it is planned for, and the turn in which it began; 0: not yet.
    pub arrival: u8,
    pub begun: u8,
    pub segments: Segments,
}

impl Plot {
    pub fn turns(&self) -> u8 {
        self.segments.iter().map(|segment| segment.turns).fold(0, u8::saturating_add)
    }

    /// The part of the plan for a turn, once it has begun.
    fn at(&self, turn: u8) -> Option<Segment> {
        let mut first = self.begun;
        self.segments.iter().copied().find(|segment| {
            let now = self.begun > 0 && turn >= first && turn < first.saturating_add(segment.turns);
            first = first.saturating_add(segment.turns);
            now
        })
    }

    /// The last turn of its fire.
    fn last(&self) -> u8 {
        self.begun.saturating_add(self.turns()).saturating_sub(1)
    }
}

impl Panzer {
    pub fn battery(&self, n: u8) -> Option<&BatteryDef> {
        self.advanced.as_deref()?.extras.batteries.get(usize::from(n))
    }

    /// Whether this side has anything to plan before the battle.
    pub fn plots(&self, side: Side) -> bool {
        self.indirect_fire()
            && self.advanced.as_deref().is_some_and(|game| {
                game.extras.batteries.iter().any(|b| b.side == side && (b.planned || b.preregistered > 0))
            })
    }

    /// 6.5.1.11.1: during its plan and for one turn after it, a battery does nothing else.
    pub fn planned_busy(&self, s: &State, battery: u8) -> bool {
        let rest = self.advanced.as_deref().map_or(0, |game| game.tables().indirect.planned_rest);
        let now = |plot: &Plot| {
            plot.begun > 0 && s.turn >= plot.begun && s.turn <= plot.last().saturating_add(rest)
        };
        s.indirect.plots.iter().any(|plot| plot.battery == battery && now(plot))
    }

    /// 6.5.1.4
    pub fn registered(&self, s: &State, battery: u8, point: HexId) -> bool {
        s.indirect.registered.contains(&(battery, point))
    }
}

/// Target points that are offered; others can be written.
const LIKELY: usize = 32;

/// The sheet of planned fire in one part: battery, turns, shells and sheaf are chosen in it.
pub(super) fn template(cx: &Cx, plot: &Plot) -> Option<Template> {
    let [segment] = plot.segments[..] else { return None };
    let tables = &cx.rules.advanced.as_deref()?.tables().indirect;
    let free = |n: &u8| {
        let planned = cx.rules.battery(*n).is_some_and(|b| b.side == cx.side && b.planned);
        planned && !cx.s.indirect.plots.iter().any(|plot| plot.battery == *n)
    };
    let name = |n: u8| cx.rules.source_name(Source::Battery(n));
    let batteries: Vec<String> = (0..32).filter(free).map(name).collect();
    let amount = |words: &str, label: &str, most: u8, suggested: u8| Slot {
        words: words.into(),
        kind: SlotKind::Amount,
        label: label.into(),
        candidates: Vec::new(),
        min: 1,
        max: u16::from(most),
        suggested: vec![suggested.to_string()],
    };
    let begin = format!("on {}", cx.rules.field.label(segment.point));
    let [shells, sheaf] = call::shells_and_sheaf(cx, begin, segment.smoke, segment.sheaf);
    Some(Template::of(vec![
        call::choice("plot".into(), "slot.sources", batteries, name(plot.battery)),
        amount("turn", "slot.first_turn", cx.rules.scenario.turns, plot.arrival),
        shells,
        sheaf,
        amount("", "slot.turns", tables.planned_turns, segment.turns),
    ]))
}

/// A battery of the side that asks.
fn own(cx: &Cx, battery: u8) -> Result<(), Refusal> {
    match cx.rules.battery(battery) {
        Some(b) if b.side == cx.side => Ok(()),
        _ => cx.rules.no("3.1", "indirect.not_yours").into(),
    }
}

/// 6.5.1.4, 6.5.1.11: artillery plans are recorded before the battle.
#[derive(Debug)]
pub struct Planning;

impl Question<Panzer> for Planning {
    fn asks(&self, _: &Panzer, _: &State, frame: Frame) -> Option<Side> {
        let Frame::Plot(side) = frame else { return None };
        Some(side)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Phase {
            return;
        }
        out.push(Action::Done);
        let Some(game) = cx.rules.advanced.as_deref() else { return };
        // Likely targets: objectives, and the enemy's starting hexes.
        let objectives = cx.rules.scenario.objectives.iter().flat_map(|o| &o.hexes);
        let goals = objectives.filter_map(|label| cx.rules.field.find(label));
        let enemies =
            cx.rules.units_of(cx.side.enemy()).iter().filter_map(|unit| cx.s.unit(*unit).hex.some());
        let mut points: SmallVec<[HexId; LIKELY]> = SmallVec::new();
        for hex in goals.chain(enemies) {
            if points.len() < LIKELY && !points.contains(&hex) {
                points.push(hex);
            }
        }
        for (n, _) in game.extras.batteries.iter().enumerate().take(32).filter(|(_, b)| b.side == cx.side) {
            let battery = n as u8;
            let plotted = cx.s.indirect.plots.iter().any(|plot| plot.battery == battery);
            for point in &points {
                let open = !cx.rules.registered(cx.s, battery, *point);
                let register = Action::Register { battery, point: *point };
                out.extend((open && self.check(cx, &register).is_ok()).then_some(register));
                // The turn, the shells and the sheaf are chosen on its sheet.
                let segment = Segment {
                    point: *point,
                    smoke: false,
                    light: false,
                    sheaf: Sheaf::Closed,
                    direction: 0,
                    turns: 3,
                };
                let segments = Segments::from_slice(&[segment]);
                let plot = Action::Plot(Plot { battery, arrival: 1, begun: 0, segments });
                out.extend((!plotted && self.check(cx, &plot).is_ok()).then_some(plot));
            }
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let rules = cx.rules;
        match action {
            Action::Done => Ok(()),
            Action::Plot(plot) => {
                own(cx, plot.battery)?;
                let (Some(battery), Some(game)) = (rules.battery(plot.battery), rules.advanced.as_deref())
                else {
                    return Err(rules.not_now());
                };
                let tables = &game.tables().indirect;
                let missions = rules.pack.advanced.battery(&battery.card).map(|card| &card.missions);
                let able = |shell: Shell| missions.is_some_and(|list| list.contains(&shell));
                let far = plot.segments.windows(2).any(|two| {
                    rules.field.range(two[0].point, two[1].point) > u32::from(tables.planned_adjust)
                });
                match () {
                    () if !battery.planned => rules.no("6.5.1.11", "plot.none").into(),
                    () if plot.arrival == 0 || plot.arrival > rules.scenario.turns => {
                        rules.no("6.5.1.11.1", "plot.arrival").number("turns", rules.scenario.turns).into()
                    }
                    () if plot.turns() == 0 || plot.turns() > tables.planned_turns => {
                        rules.no("6.5.1.11.1", "plot.turns").number("turns", tables.planned_turns).into()
                    }
                    () if far => {
                        // 6.5.1.11.3
                        rules.no("6.5.1.11.3", "plot.shift").number("hexes", tables.planned_adjust).into()
                    }
                    () if plot.segments.iter().any(|s| !able(call::shell(s.smoke, s.light))) => {
                        rules.no("6.5.1.6", "indirect.no_smoke").into()
                    }
                    () if plot.segments.iter().any(|s| call::bad_light(rules, s.light, s.sheaf)) => {
                        rules.no("6.5.1.6.2", "indirect.no_light").into()
                    }
                    () => Ok(()),
                }
            }
            Action::Register { battery, .. } => {
                own(cx, *battery)?;
                let most = rules.battery(*battery).map_or(0, |b| b.preregistered);
                let count = cx.s.indirect.registered.iter().filter(|(n, _)| n == battery).count();
                if count < usize::from(most) {
                    Ok(())
                } else {
                    rules.no("6.5.1.4", "plot.registered").number("points", most).into()
                }
            }
            _ => Err(rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Plot(plot) => {
                play.s.indirect.plots.retain(|other| other.battery != plot.battery);
                play.s.indirect.plots.push(plot.clone());
                play.tell(Event::Plotted { battery: plot.battery });
            }
            Action::Register { battery, point } => {
                play.s.indirect.registered.push((*battery, *point));
                play.tell(Event::Plotted { battery: *battery });
            }
            _ => play.pop(),
        }
        Ok(())
    }
}

/// 6.5.1.11.2: may the fire of a battery be announced now?
pub fn may_announce(rules: &Panzer, s: &State, side: Side, battery: u8) -> bool {
    let slip = rules.advanced.as_deref().map_or(0, |game| game.tables().indirect.planned_slip);
    let due = |plot: &Plot| {
        plot.battery == battery
            && plot.begun == 0
            && s.turn.saturating_add(slip) >= plot.arrival
            && s.turn <= plot.arrival.saturating_add(slip)
    };
    let spent = s.indirect.batteries >> battery & 1 == 1; // 6.5.1.9: checked this turn, or fired
    !spent && rules.battery(battery).is_some_and(|b| b.side == side) && s.indirect.plots.iter().any(due)
}

/// A player's Indirect Fire Step begins: plans continue automatically, and those that can wait no longer begin.
pub fn run(play: &mut Play, player: Player) -> Result<(), Stop> {
    let side = match player {
        Player::First => play.s.first,
        Player::Second => play.s.second(),
    };
    let Some(side) = side else { return Ok(()) };
    let slip = play.rules.advanced.as_deref().map_or(0, |game| game.tables().indirect.planned_slip);
    let turn = play.s.turn;
    let mine = |n: u8| play.rules.battery(n).is_some_and(|b| b.side == side);
    let fired = |battery: u8| {
        let source = Source::Battery(battery);
        let missions = play.s.indirect.missions.iter();
        missions.into_iter().any(|m| m.planned && m.turn == turn && m.sources.contains(&source))
    };
    let due: SmallVec<[u8; 4]> = (play.s.indirect.plots.iter())
        .filter(|plot| mine(plot.battery) && !fired(plot.battery))
        .filter(|plot| plot.begun > 0 || turn >= plot.arrival.saturating_add(slip))
        .map(|plot| plot.battery)
        .collect();
    for battery in due {
        if play.s.indirect.batteries >> battery & 1 == 1 {
            pass(play, battery);
        } else {
            begin(play, side, battery)?;
        }
    }
    Ok(())
}

/// 6.5.1.9: the battery's mission has just been checked automatically, so it takes no part in planned fire this turn
/// either. The plan can wait no longer (6.5.1.11.2) and is not checked itself: it runs from this turn on, without
/// the fire of this turn.
fn pass(play: &mut Play, battery: u8) {
    let turn = play.s.turn;
    if let Some(plot) =
        play.s.indirect.plots.iter_mut().find(|plot| plot.battery == battery && plot.begun == 0)
    {
        plot.begun = turn;
    }
}

/// The fire of this turn, or the end of the plan.
pub fn begin(play: &mut Play, side: Side, battery: u8) -> Result<(), Stop> {
    let turn = play.s.turn;
    let Some(plot) = play.s.indirect.plots.iter_mut().find(|plot| plot.battery == battery) else {
        return Ok(());
    };
    if plot.begun == 0 {
        plot.begun = turn;
    }
    let segment = plot.at(turn);
    let source = Source::Battery(battery);
    let old =
        play.s.indirect.missions.iter().find(|m| m.planned && m.sources.contains(&source)).map(|m| m.id);
    if let Some(id) = old {
        mission::remove(play, id);
    }
    let Some(segment) = segment else { return Ok(()) };
    // 6.5.1.11.1: the battery's other missions end.
    let called: SmallVec<[u8; 2]> = (play.s.indirect.missions.iter())
        .filter(|m| !m.planned && m.sources.contains(&source))
        .map(|m| m.id)
        .collect();
    for id in called {
        if let Some(m) = play.s.indirect.missions.iter_mut().find(|m| m.id == id) {
            m.sources.retain(|other| *other != source);
            if m.sources.is_empty() {
                mission::remove(play, id);
            }
        }
    }
    play.s.indirect.batteries |= 1 << battery;
    let id = mission::free_id(play);
    let sources = Sources::from_slice(&[source]);
    play.s.indirect.missions.push(Mission {
        id,
        side,
        observer: UnitId::NONE,
        point: segment.point,
        sheaf: segment.sheaf,
        direction: segment.direction,
        smoke: segment.smoke,
        light: segment.light,
        sources: sources.clone(),
        turn,
        danger_close: false,
        planned: true,
        seen: 0,
        limited: Sources::new(),
    });
    play.tell(Event::Planned { mission: id, battery, hex: segment.point });
    play.log.reveal();
    mission::fire(play, id, &sources, segment.point)
}
