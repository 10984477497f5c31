//! The odds sheet of an attack: every factor and shift with its rule, and all results with their chances.

use kernel::{
    Ask, Message,
    view::{Chance, Sheet as View, SheetLine},
};

use super::combat::{Ending, cause};
use crate::combat::sheet::{Sheet, odds_column};
use crate::frame::Combat;
use crate::state::{Order, State};
use crate::world::Holland;

/// The weight of a step and of the hex in the tone of a result.
const STEP: f32 = 0.35;
const HEX: f32 = 0.4;
/// Below this tone the attacker loses more than it gains; a result without effect is above it.
const WORSE: f32 = -0.2;

fn line(label: Message, value: String, rule: &str, level: u8) -> SheetLine {
    SheetLine { label, value, rule: rule.to_owned(), level }
}

/// Message key of the reason why an attacker is halved.
fn halving(rule: &str) -> &'static str {
    match rule {
        "10.2" => "halved.formation",
        "10.4" => "halved.armor",
        "10.8.2" => "halved.water",
        "10.8.4" => "halved.vehicle",
        "18.4" => "halved.supply",
        "11.5" => "halved.engaged",
        "22.3.6" => "halved.scattered",
        "22.3.5" => "halved.on_enemy",
        _ => "halved.spent",
    }
}

impl Ending {
    /// The attacker takes the hex: the defenders leave it or are eliminated in it.
    const fn falls(&self) -> bool {
        self.retreats || self.eliminated
    }

    /// From −1 (bad) to +1 (good for the attacker).
    fn tone(&self) -> f32 {
        let gained = STEP * f32::from(self.defender_steps) + if self.falls() { HEX } else { 0.0 };
        let idle = if gained == 0.0 { 0.15 } else { 0.0 };
        (gained - STEP * f32::from(self.attacker_steps) - idle).clamp(-1.0, 1.0)
    }

    fn told(&self) -> Message {
        let Some(stand) = self.stand else {
            return Message::new("sheet.result").text("result", self.code.clone());
        };
        let lost = (stand.attacker > 0, stand.defender > 0);
        let key = match (stand.hold, lost) {
            (true, (false, false)) => "sheet.held",
            (true, (false, true)) => "sheet.held.defender",
            (true, (true, false)) => "sheet.held.attacker",
            (true, (true, true)) => "sheet.held.both",
            (false, (false, false)) => "sheet.fell",
            (false, (false, true)) => "sheet.fell.defender",
            (false, (true, false)) => "sheet.fell.attacker",
            (false, (true, true)) => "sheet.fell.both",
        };
        // A defender that holds does not suffer what the result code says, so the code is shown without its
        // explanation.
        let message = Message::new(key);
        if stand.hold {
            message.term("result", self.code.clone())
        } else {
            message.text("result", self.code.clone())
        }
    }
}

/// What may come of an attack.
pub(crate) struct Prospects {
    /// The results from bad to good for the attacker.
    pub chances: Vec<Chance>,
    /// The chances that the hex is taken, that each side loses a step, and that the attacker is worse off.
    pub falls: f64,
    pub attacker_loses: f64,
    pub defender_loses: f64,
    worse: f64,
}

impl Holland {
    pub(crate) fn prospects(&self, s: &State, c: &Combat, sheet: &Sheet) -> Prospects {
        let endings = self.endings(s, c, sheet, true);
        let mut chances: Vec<Chance> = Vec::new();
        for ending in &endings {
            let (label, tone) = (ending.told(), ending.tone());
            match chances.iter_mut().find(|chance| chance.label == label) {
                Some(known) => known.p += ending.p,
                None => chances.push(Chance { label, p: ending.p, tone }),
            }
        }
        chances.sort_by(|a, b| a.tone.total_cmp(&b.tone));
        let sum = |fits: &dyn Fn(&Ending) -> bool| endings.iter().filter(|e| fits(e)).map(|e| e.p).sum();
        Prospects {
            chances,
            falls: sum(&Ending::falls),
            attacker_loses: sum(&|e| e.attacker_steps > 0),
            defender_loses: sum(&|e| e.defender_steps > 0),
            worse: sum(&|e| e.tone() < WORSE),
        }
    }

    pub(crate) fn attack_sheet(&self, s: &State, c: &Combat) -> Result<View, Ask> {
        let sheet = self.sheet(s, c).map_err(|refusal| Ask::Bad(refusal.to_string()))?;
        let mut lines = vec![line(Message::new("sheet.attack"), sheet.attack.to_string(), "9.7", 0)];
        for unit in &c.attackers {
            let printed = u16::from(self.face(s, *unit).attack);
            let halved = sheet.halved.iter().find(|(one, _)| one == unit);
            let counted = if halved.is_some() { printed.div_ceil(2) } else { printed };
            let label = Message::new("sheet.unit").unit("unit", self.counter(*unit).id.clone());
            lines.push(line(label, counted.to_string(), "9.7", 1));
            if let Some((_, rule)) = halved {
                lines.push(line(Message::new(halving(rule)), format!("{printed} × ½"), rule, 2));
            }
        }
        lines.push(line(Message::new("sheet.defense"), sheet.defense.to_string(), "9.7", 0));
        for (unit, counted) in &sheet.defenders {
            let printed = u16::from(self.face(s, *unit).defense);
            let label = Message::new("sheet.unit").unit("unit", self.counter(*unit).id.clone());
            lines.push(line(label, counted.to_string(), "9.7", 1));
            if *counted > printed {
                lines.push(line(Message::new("sheet.doubled"), format!("{printed} × 2"), "10.8.1", 2));
            } else if s.unit(*unit).order != Order::Good && *counted < printed {
                lines.push(line(Message::new("halved.order"), format!("{printed} × ½"), "14.2", 2));
            }
        }
        let columns = &self.pack.tables.crt.columns;
        let plain = odds_column(sheet.attack, sheet.defense);
        let written = if plain >= 2 { format!("{}-1", plain - 1) } else { format!("1-{}", 3 - plain) };
        lines.push(line(Message::new("sheet.odds"), written, "9.7", 0));
        for (rule, n) in &sheet.shifts {
            let label = Message::new(format!("shift.{}", cause(rule)));
            let value = if *n > 0 { format!("+{n}") } else { format!("−{}", n.unsigned_abs()) };
            lines.push(line(label, value, rule, 1));
        }
        lines.push(line(Message::new("sheet.column"), columns[usize::from(sheet.column)].clone(), "9.8", 0));

        let Prospects { chances, falls, attacker_loses, worse, .. } = self.prospects(s, c, &sheet);
        let lead = |key: &'static str, p: f64, tone: f32| Chance { label: Message::new(key), p, tone };
        let leads = vec![
            lead("lead.falls", falls, 1.0),
            lead("lead.step", attacker_loses, -0.1),
            lead("lead.worse", worse, -1.0),
        ];
        let title = Message::new("sheet.title").place("hex", self.label(c.target));
        Ok(View { title: Some(title), lines, chances, leads, ..View::default() })
    }
}
