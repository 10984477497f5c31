//! Questions about combat: odds with every factor and shift, exact chances, retreats, advances.

use std::collections::BTreeMap;

use hexgrid::HexId;
use kernel::Ask;
use serde_json::{Map, Value, json};
use zocbond::{Piece, UnitId};

use super::bad;
use crate::combat::sheet::{Sheet, odds_column};
use crate::frame::{Combat, CombatStep, Frame};
use crate::pack::{Side, Stand};
use crate::state::{Fighters, State, Units};
use crate::world::Holland;

/// One possible outcome of an attack.
pub(super) struct Ending {
    pub code: String,
    pub p: f64,
    /// The result of the Determined Defense, if it was tried.
    pub stand: Option<Stand>,
    pub attacker_steps: u8,
    pub defender_steps: u8,
    pub retreats: bool,
    pub engaged: bool,
    /// No unit is left in the hex, or none can retreat.
    pub eliminated: bool,
}

impl Holland {
    /// `1313 with A B [lead A] [attached B] [artillery G H] [air]`, as the action is written.
    pub(crate) fn attack_written(&self, s: &State, words: &[&str]) -> Result<Combat, Ask> {
        let Some((target, rest)) = words.split_first() else {
            return bad("name the hex that is attacked".into());
        };
        let rest = rest.strip_prefix(&["with"]).unwrap_or(rest);
        let heading = |word: &&str| matches!(*word, "lead" | "attached" | "artillery" | "guns" | "air");
        let (with, more) = rest.split_at(rest.iter().position(heading).unwrap_or(rest.len()));
        self.attack_asked(s, &[with, &["->", target], more].concat())
    }

    /// `A+B -> 1313 [lead A] [attached B] [artillery G H] [air]`
    fn attack_asked(&self, s: &State, words: &[&str]) -> Result<Combat, Ask> {
        let Some(arrow) = words.iter().position(|w| *w == "->") else {
            return bad("write `odds A+B -> 1313`".into());
        };
        let listed = |words: &[&str]| -> Result<Vec<UnitId>, Ask> {
            words
                .iter()
                .flat_map(|w| w.split('+'))
                .filter(|w| !w.is_empty())
                .map(|w| self.asked_unit(w))
                .collect()
        };
        let with = listed(&words[..arrow])?;
        let Some(first) = with.first().copied() else { return bad("nobody attacks".into()) };
        let side = self.counter(first).side;
        if let Some(other) = with.iter().find(|u| self.counter(**u).side != side) {
            return bad(format!("{} is of the other side", self.counter(*other).id));
        }
        if let Some(off) = with.iter().find(|u| s.unit(**u).hex().is_none()) {
            return bad(format!("{} is not on the map", self.counter(*off).id));
        }
        let target = match words.get(arrow + 1) {
            Some(label) => self.asked_hex(label)?,
            None => return bad("name the hex that is attacked".into()),
        };
        let (mut lead, mut attached, mut guns, mut air) = (None, None, Vec::new(), false);
        let mut heading = "";
        for word in words[arrow + 2..].iter().flat_map(|w| w.split('+')) {
            match word {
                "lead" | "attached" | "artillery" | "guns" => heading = word,
                "air" => air = true,
                id => match heading {
                    "lead" => lead = Some(self.asked_unit(id)?),
                    "attached" => attached = Some(self.asked_unit(id)?),
                    "artillery" | "guns" => guns.push(self.asked_unit(id)?),
                    _ => return bad(format!("`{id}` is not understood")),
                },
            }
        }
        let (lead, attached) = match (lead, attached) {
            (Some(lead), Some(attached)) => (lead, Some(attached)),
            (Some(lead), None) => (lead, self.best_attached(s, &with, lead, target)),
            (None, _) => {
                self.best_command(s, &with, target).ok_or_else(|| Ask::Bad("nobody attacks".into()))?
            }
        };
        if with.len() > Fighters::CAPACITY || guns.len() > Units::CAPACITY {
            return bad("so many cannot fight in one combat".into());
        }
        let mut c = Combat::new(side, target, Fighters::of(&with), lead, attached);
        (c.guns, c.air) = (Units::of(&guns), air);
        c.step = CombatStep::Support;
        Ok(c)
    }

    pub(super) fn odds(&self, s: &State, words: &[&str]) -> Result<Value, Ask> {
        let c = self.attack_asked(s, words)?;
        let sheet = self.sheet(s, &c).map_err(|e| Ask::Bad(e.to_string()))?;
        let mut answer = self.figures(s, &c, &sheet);
        let legal = self
            .check_attack(s, c.side, c.target, &c.attackers, c.lead, c.attached)
            .and_then(|()| self.check_support(s, c.side, c.target, &c.attackers, &c.guns, c.air));
        if let Some(object) = answer.as_object_mut() {
            object.insert("legal".into(), json!(legal.is_ok()));
            if let Err(refusal) = legal {
                object.insert("rule".into(), json!(refusal.rule));
                object.insert("why".into(), json!(kernel::Refusal::from(refusal).why));
            }
        }
        Ok(answer)
    }

    fn figures(&self, s: &State, c: &Combat, sheet: &Sheet) -> Value {
        let columns = &self.pack.tables.crt.columns;
        let written =
            |column: i32| if column >= 2 { format!("{}-1", column - 1) } else { format!("1-{}", 3 - column) };
        let plain = odds_column(sheet.attack, sheet.defense);
        let total: i32 = sheet.shifts.iter().map(|(_, n)| i32::from(*n)).sum();
        let shifts: Vec<Value> = sheet
            .shifts
            .iter()
            .map(|(rule, n)| json!({ "rule": rule, "columns": n, "cause": cause(rule) }))
            .collect();
        let attackers: Vec<Value> = c
            .attackers
            .iter()
            .map(|u| {
                let rule = sheet.halved.iter().find(|(x, _)| x == u).map(|(_, rule)| *rule);
                let printed = self.face(s, *u).attack;
                let counted = if rule.is_some() { printed.div_ceil(2) } else { printed };
                json!({ "unit": self.counter(*u).id, "printed": printed, "attack": counted, "counted": counted,
                        "halved": rule.is_some(), "rule": rule })
            })
            .collect();
        let defenders: Vec<Value> = sheet
            .defenders
            .iter()
            .map(|(u, counted)| {
                json!({ "unit": self.counter(*u).id, "printed": self.face(s, *u).defense, "defense": counted,
                        "counted": counted })
            })
            .collect();
        let halved: Vec<&str> = sheet.halved.iter().map(|(u, _)| self.counter(*u).id.as_str()).collect();
        let halvings: Map<String, Value> =
            sheet.halved.iter().map(|(u, rule)| (self.counter(*u).id.clone(), json!(rule))).collect();
        json!({
            "attack": sheet.attack, "defense": sheet.defense, "doubled": sheet.doubled,
            "odds": written(plain), "shifted": written(plain + total),
            "column": columns[usize::from(sheet.column)],
            "shift": total, "shifts": shifts, "attackers": attackers, "defenders": defenders,
            "halved": halved, "halvings": halvings, "lead": self.counter(c.lead).id,
            "attached": c.attached.map(|u| self.counter(u).id.clone()),
        })
    }

    /// `outcomes A+B -> 1313`: each result with its chance; a Determined Defense is tried where it is allowed, unless
    /// the question ends with `give way`.
    pub(super) fn outcomes(&self, s: &State, words: &[&str]) -> Result<Value, Ask> {
        let (words, stands) = match words {
            [head @ .., "give", "way"] | [head @ .., "give-way"] => (head, false),
            [head @ .., "stand"] => (head, true),
            all => (all, true),
        };
        let c = self.attack_asked(s, words)?;
        let sheet = self.sheet(s, &c).map_err(|e| Ask::Bad(e.to_string()))?;
        let mut crt: BTreeMap<String, f64> = BTreeMap::new();
        let mut results: BTreeMap<String, f64> = BTreeMap::new();
        let (mut attacker, mut defender, mut retreats, mut engaged) = (0.0, 0.0, 0.0, 0.0);
        let mut eliminated = 0.0;
        for ending in self.endings(s, &c, &sheet, stands) {
            let p = ending.p;
            *crt.entry(ending.code.clone()).or_default() += p;
            attacker += if ending.attacker_steps > 0 { p } else { 0.0 };
            defender += if ending.defender_steps > 0 { p } else { 0.0 };
            retreats += if ending.retreats { p } else { 0.0 };
            engaged += if ending.engaged { p } else { 0.0 };
            eliminated += if ending.eliminated { p } else { 0.0 };
            let name = match ending.stand {
                None => ending.code,
                Some(x) => format!(
                    "{}, {} {}/{}",
                    ending.code,
                    if x.hold { "holds" } else { "fails" },
                    x.attacker,
                    x.defender
                ),
            };
            *results.entry(name).or_default() += p;
        }
        let mut answer: Map<String, Value> = crt.iter().map(|(k, p)| (k.clone(), json!(p))).collect();
        answer.insert("crt".into(), json!(crt));
        answer.insert("results".into(), json!(results));
        for (name, p) in [
            ("attacker_loses", attacker),
            ("defender_loses", defender),
            ("defender_retreats", retreats),
            ("engaged", engaged),
            ("defender_eliminated", eliminated),
        ] {
            answer.insert(name.into(), json!(p));
        }
        Ok(Value::Object(answer))
    }

    /// Every possible outcome of an attack with its chance: each face of the combat die, and of the defender's die in a
    /// Determined Defense (12.2), with the best Lead Unit and an artillery unit if one can fire.
    pub(super) fn endings(&self, s: &State, c: &Combat, sheet: &Sheet, stands: bool) -> Vec<Ending> {
        let lead = self.may_stand(s, c).first().copied().filter(|_| stands);
        let enemy = c.side.enemy();
        let gun = lead.and_then(|_| {
            self.guns(s, enemy, c.target, &self.defenders(s, enemy, c.target)).first().copied()
        });
        let t = &self.pack.tables.determined;
        let modifier = lead.map_or(0, |u| self.stand_modifier(u, gun.is_some()));
        let defenders = self.defenders(s, enemy, c.target);
        let steps: u8 = defenders.iter().map(|u| self.steps(s, *u)).sum();
        let lost = |u: &UnitId| {
            self.is_broken(s, *u) || !self.can_retreat(s, *u, 2) && self.exits(s, *u, 2).is_empty() // 13.3, 14.3
        };
        let nobody_retreats = defenders.iter().all(lost);
        let sixth = 1.0 / 6.0;
        let mut found = Vec::new();
        for row in self.pack.tables.crt.rows.iter().take(6) {
            let code = &row[usize::from(sheet.column)];
            let Some(effect) = self.pack.result(code) else { continue };
            let left = steps.saturating_sub(effect.defender_steps);
            let tries = effect.determined_defense && lead.is_some() && left > 0;
            let cells: Vec<Option<Stand>> = if tries {
                (1..=6).map(|d| Some(t.cell(self.land.at(c.target).column, d + modifier))).collect()
            } else {
                vec![None]
            };
            let p = sixth / cells.len() as f64;
            found.extend(cells.into_iter().map(|stand| {
                let held = stand.is_some_and(|x| x.hold);
                let left = left.saturating_sub(stand.map_or(0, |x| x.defender));
                let must_go = effect.retreat.is_some() && !held && left > 0;
                Ending {
                    code: code.clone(),
                    p,
                    stand,
                    attacker_steps: effect.attacker_steps + stand.map_or(0, |x| x.attacker),
                    defender_steps: effect.defender_steps + stand.map_or(0, |x| x.defender),
                    retreats: must_go && !nobody_retreats,
                    engaged: (effect.engaged || held) && left > 0,
                    eliminated: left == 0 || must_go && nobody_retreats, // 12.5, 13.3
                }
            }));
        }
        found
    }

    /// The rule by which a unit is lost if it must retreat, wherever it could go.
    fn lost_by_retreat(&self, s: &State, unit: UnitId) -> Option<&'static str> {
        let (c, hex) = (self.counter(unit), s.unit(unit).hex()?);
        if self.cannot_retreat(s, unit) {
            return Some(if c.categories.artillery && c.side == Side::German { "13.8" } else { "13.3" });
        }
        if self.stack(s, c.side, hex).all(|u| self.counter(u).categories.train) {
            return Some("2.4.7");
        }
        (self.in_combat_phase(s) && self.is_broken(s, unit)).then_some("14.3")
    }

    /// `retreats A 2`
    pub(super) fn tell_retreats(&self, s: &State, unit: UnitId, length: u8) -> Value {
        let routes = self.routes(s, unit, length);
        let out = self.exits(s, unit, length);
        let path = |r: &[HexId]| r.iter().map(|h| self.label(*h).to_owned()).collect::<Vec<_>>();
        let mut ends: Vec<String> = Vec::new();
        let mut list: Vec<Value> = Vec::new();
        for route in &routes {
            let end = route.last().map(|h| self.label(*h).to_owned()).unwrap_or_default();
            if !ends.contains(&end) {
                ends.push(end.clone());
            }
            list.push(json!({ "path": path(route), "end": end, "out": null }));
        }
        for (route, area) in &out {
            let area = format!("box:{}", self.pack.areas[usize::from(*area)].id);
            if !ends.contains(&area) {
                ends.push(area.clone());
            }
            list.push(json!({ "path": path(route), "end": area, "out": area }));
        }
        let rule = self.lost_by_retreat(s, unit).or(list.is_empty().then_some("13.3"));
        if rule.is_some() {
            list.clear();
            ends.clear();
        }
        json!({ "eliminated": rule.is_some(), "rule": rule, "retreats": list, "routes": list, "ends": ends })
    }

    /// `advances A`: the hexes it may advance to now.
    pub(super) fn tell_advances(&self, s: &State, unit: UnitId) -> Value {
        let Frame::Combat(c) = s.frame() else { return json!([]) };
        let CombatStep::Advance(kind) = c.step else { return json!([]) };
        let mut ends: Vec<&str> = Vec::new();
        for way in self.advances(s, c, unit, kind) {
            let end = way.last().map_or("", |h| self.label(*h));
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        json!(ends)
    }
}

/// The name of a shift.
pub(super) fn cause(rule: &str) -> &'static str {
    match rule {
        "10.3.1" => "armor_attack",
        "10.3.2" => "armor_defense",
        "10.5.2" => "unsupported",
        "10.6" => "morale",
        "10.7" => "air",
        "17.6.2" => "artillery",
        _ => "other",
    }
}
