//! Facts relevant to a question before it is answered (`kernel::Brief`). Nothing in this game is hidden, so every die
//! may be tried.

use kernel::{
    Brief, BriefAnswer, Message, Rules as _, Seat,
    brief::{by_dice, percent},
    view::{Chance, Tone},
};
use zocbond::{Piece as _, UnitId};

use crate::action::Action;
use crate::ask::sheet::Prospects;
use crate::event::side_of;
use crate::frame::{Combat, CombatStep, Frame, Phase};
use crate::pack::Side;
use crate::state::{Bridge, Place, State};
use crate::world::Holland;

/// How much a step weighs in the tone of a chance.
const STEP: f32 = 0.35;
/// How much a blown bridge weighs there, for the German player.
const BLOWN: f32 = 0.7;
/// How much it weighs whether a Determined Defense holds, for the defender.
const HELD: f32 = 0.6;

impl Holland {
    pub fn brief_for(&self, s: &State, who: Seat) -> Brief {
        if self.awaited(s) != Some(who) {
            return Brief::default();
        }
        let side = side_of(who);
        let mut brief = Brief::default();
        match s.frame() {
            Frame::Phase(side, phase) => self.brief_phase(s, *side, *phase, &mut brief),
            Frame::Demolition { .. } => {
                brief.answers = by_dice(self, s, who, |after| self.balance(after, side));
            }
            Frame::Flight(_) => {
                brief.answers = by_dice(self, s, who, |after| self.balance(after, side));
                self.brief_retreats(s, who, side, &mut brief);
            }
            Frame::Combat(combat) => {
                self.brief_combat(s, combat, &mut brief);
                match combat.step {
                    CombatStep::CallOff | CombatStep::Support => {
                        self.brief_support(s, who, combat, &mut brief);
                    }
                    CombatStep::AttackerLoss | CombatStep::DefenderLoss | CombatStep::StandLoss { .. } => {
                        self.brief_losses(s, who, &mut brief);
                    }
                    CombatStep::Stand => self.brief_stand(s, who, combat, &mut brief),
                    CombatStep::Retreat => self.brief_retreats(s, who, side, &mut brief),
                    _ => {}
                }
            }
            _ => {}
        }
        brief
    }

    /// What is left to be spent in a phase, and the chance of each demolition (5.6).
    fn brief_phase(&self, s: &State, side: Side, phase: Phase, brief: &mut Brief) {
        match phase {
            // 22.8: on turn 1 points are not counted
            Phase::Airlanding if s.turn > 1 => {
                brief.fact(Message::new("brief.airlanding_points"), s.points.to_string(), "22.2");
            }
            Phase::Combat if side == Side::Allied => {
                brief.fact(Message::new("brief.air_left"), s.air.to_string(), "10.7");
            }
            Phase::Replacement => {
                brief.fact(Message::new("brief.steps_left"), s.left.to_string(), "20.3");
            }
            Phase::Artillery => {
                brief.fact(Message::new("brief.ready_left"), s.left.to_string(), "17.3");
                let fired = self.units().filter(|unit| self.may_ready(s, side, *unit).is_ok()).count();
                brief.fact(Message::new("brief.fired_guns"), fired.to_string(), "17.3");
            }
            Phase::Bridge if side == Side::German => {
                let blows = (0..self.land.bridges.len() as u16).filter(|b| self.check_blow(s, *b).is_ok());
                let p = self.blown_chance(s);
                let chance = |key: &'static str, p, tone| Chance { label: Message::new(key), p, tone };
                brief.answers.extend(blows.map(|bridge| BriefAnswer {
                    action: self.write_action(&Action::Blow(bridge)),
                    chances: vec![chance("brief.stays", 1.0 - p, -BLOWN), chance("brief.blown", p, BLOWN)],
                    ..BriefAnswer::default()
                }));
            }
            Phase::Traffic => {
                let free = s.traffic.iter().filter(|marker| marker.hex().is_none()).count();
                brief.fact(Message::new("brief.traffic_left"), free.to_string(), "24.3");
            }
            _ => {}
        }
    }

    fn brief_combat(&self, s: &State, combat: &Combat, brief: &mut Brief) {
        match combat.result {
            Some(result) => {
                let code = self.pack.results[usize::from(result)].code.clone();
                brief.fact(Message::new("brief.result_now"), code, "11.1");
            }
            None => {
                if let Ok(sheet) = self.sheet(s, combat) {
                    let column = &self.pack.tables.crt.columns[usize::from(sheet.column)];
                    brief.fact(Message::new("brief.column_now"), column.clone(), "9.8");
                }
            }
        }
        if combat.side == Side::Allied && combat.step == CombatStep::Support {
            brief.fact(Message::new("brief.air_left"), s.air.to_string(), "10.7");
        }
    }

    /// What the attack may come to with each support.
    fn brief_support(&self, s: &State, who: Seat, combat: &Combat, brief: &mut Brief) {
        let heads = ["brief.column", "brief.falls", "brief.attacker_loses", "brief.defender_loses"];
        brief.columns.extend(heads.map(Message::new));
        for action in self.listed(s, who) {
            let mut with = *combat;
            match &action {
                Action::Support { guns, air } => (with.guns, with.air) = (*guns, *air),
                Action::GoOn => {}
                _ => continue,
            }
            let Ok(sheet) = self.sheet(s, &with) else { continue };
            let column = self.pack.tables.crt.columns[usize::from(sheet.column)].clone();
            let Prospects { chances, falls, attacker_loses, defender_loses, .. } =
                self.prospects(s, &with, &sheet);
            let [falls, attacker, defender] = [falls, attacker_loses, defender_loses].map(percent);
            brief.answers.push(BriefAnswer {
                action: self.write_action(&action),
                values: vec![column, falls, attacker, defender],
                chances,
                ..BriefAnswer::default()
            });
        }
    }

    /// 11.4: what is left of each unit that may lose the step.
    fn brief_losses(&self, s: &State, who: Seat, brief: &mut Brief) {
        for action in self.listed(s, who) {
            let Action::Lose(unit) = action else { continue };
            let counter = self.counter(unit);
            let note = if s.unit(unit).lost + 1 < counter.sides {
                Message::new("brief.loss.steps").number("n", self.steps(s, unit).saturating_sub(1))
            } else if self.free_piece(s, counter.remnant).is_some() {
                Message::new("brief.loss.remnant")
            } else {
                Message::new("brief.eliminated")
            };
            let action = self.write_action(&action);
            brief.answers.push(BriefAnswer { action, note: Some(note), ..BriefAnswer::default() });
        }
    }

    /// 12.2: the chances of a Determined Defense by each leader, and what giving way means.
    fn brief_stand(&self, s: &State, who: Seat, combat: &Combat, brief: &mut Brief) {
        let heads = ["brief.modifier", "brief.holds", "brief.attacker_loses", "brief.defender_loses"];
        brief.columns.extend(heads.map(Message::new));
        let column = self.land.at(combat.target).column;
        for action in self.listed(s, who) {
            let mut answer = BriefAnswer { action: self.write_action(&action), ..BriefAnswer::default() };
            match action {
                Action::GiveWay => {
                    let defenders = self.defenders(s, combat.side.enemy(), combat.target);
                    let lost = |unit: &UnitId| {
                        self.doomed(s, combat, *unit)
                            || !self.can_retreat(s, *unit, combat.length)
                                && !self.has_exit(s, *unit, combat.length) // 13.3, 13.7
                    };
                    if defenders.iter().all(lost) {
                        answer.note = Some(Message::new("brief.no_retreat"));
                        answer.tone = Tone::Bad;
                    }
                }
                Action::Stand { lead, gun } => {
                    let modifier = self.stand_modifier(lead, gun.is_some());
                    let table = &self.pack.tables.determined;
                    let cells = (1..=6).map(|die| table.cell(column, die + modifier));
                    let of = |count: usize| count as f64 / 6.0;
                    let holds = of(cells.clone().filter(|cell| cell.hold).count());
                    let attacker = of(cells.clone().filter(|cell| cell.attacker > 0).count());
                    let defender = of(cells.filter(|cell| cell.defender > 0).count());
                    answer.values = vec![
                        if modifier == 0 { "0".to_owned() } else { format!("{modifier:+}") },
                        percent(holds),
                        percent(attacker),
                        percent(defender),
                    ];
                    let chance = |key: &'static str, p, tone| Chance { label: Message::new(key), p, tone };
                    answer.chances = vec![
                        chance("brief.gives_way", 1.0 - holds, -HELD),
                        chance("brief.holds", holds, HELD),
                    ];
                    answer.chances.retain(|chance| chance.p > 0.0);
                }
                _ => continue,
            }
            brief.answers.push(answer);
        }
    }

    /// All that a seat may do now.
    fn listed(&self, s: &State, who: Seat) -> Vec<Action> {
        let (mut subjects, mut actions) = (Vec::new(), Vec::new());
        self.subjects(s, who, &mut subjects);
        for subject in subjects {
            self.options(s, who, subject, &mut actions);
        }
        actions
    }

    /// Steps on the map, own minus enemy, and bridges that are down.
    fn balance(&self, s: &State, side: Side) -> f32 {
        let steps: f32 = (0..self.counters.len())
            .map(|n| UnitId(n as u16))
            .filter(|unit| s.unit(*unit).hex().is_some())
            .map(|unit| {
                let steps = f32::from(self.steps(s, unit)) * STEP;
                if self.counter(unit).side == side { steps } else { -steps }
            })
            .sum();
        let blown = (0..self.land.bridges.len()).filter(|i| s.field.bridge(*i) == Bridge::Blown).count();
        let bridges = blown as f32 * BLOWN;
        if side == Side::German { steps + bridges } else { steps - bridges }
    }

    /// The end hex of each retreat: whether the unit is in supply there, and near the enemy.
    fn brief_retreats(&self, s: &State, who: Seat, side: Side, brief: &mut Brief) {
        for action in self.listed(s, who) {
            let (note, tone) = match &action {
                Action::RetreatOut { .. } => (Message::new("brief.retreat.out"), Tone::Doubt),
                Action::Retreat { path, .. } if path.is_empty() => {
                    (Message::new("brief.eliminated"), Tone::Bad)
                }
                Action::Retreat { unit, path } => {
                    let Some(end) = path.last() else { continue };
                    let mut after = s.clone();
                    self.put(&mut after, *unit, Place::Hex(*end));
                    let (key, tone) =
                        match (self.supply_of(&after, *unit).is_some(), s.field.in_ezoc(side, *end)) {
                            (true, false) => ("brief.retreat.safe", Tone::Good),
                            (true, true) => ("brief.retreat.near", Tone::Doubt),
                            (false, false) => ("brief.retreat.unsupplied", Tone::Bad),
                            (false, true) => ("brief.retreat.cut_off", Tone::Bad),
                        };
                    (Message::new(key).place("hex", self.label(*end)), tone)
                }
                _ => continue,
            };
            let action = self.write_action(&action);
            brief.answers.push(BriefAnswer { action, note: Some(note), tone, ..BriefAnswer::default() });
        }
    }
}
