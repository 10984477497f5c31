//! Questions about a position, for the lab and for pointing.

use kernel::Ask;
use serde_json::{Value, json};
use zocbond::{Piece, UnitId, bonds};

use crate::event::bridge_key;
use crate::frame::{Combat, CombatStep, Mode};
use crate::movement::{Mover, Stride};
use crate::pack::Side;
use crate::state::State;
use crate::world::Holland;

impl Holland {
    pub fn answer(&self, s: &State, question: &str) -> Result<Value, Ask> {
        let words: Vec<&str> = question.split_whitespace().collect();
        if let Some(answer) = self.overlay(s, &words) {
            return answer;
        }
        let unit = |id: &str| self.unit_named(id).ok_or_else(|| Ask::Bad(format!("no unit `{id}`")));
        let units = |list: &str| list.split('+').map(unit).collect::<Result<Vec<UnitId>, _>>();
        let hex = |label: &str| self.map.hex(label).map_err(|e| Ask::Bad(e.to_string()));
        let side = |name: &str| {
            let found = Side::ALL.into_iter().find(|x| x.key() == name);
            found.ok_or_else(|| Ask::Bad(format!("no side `{name}`; there is allied, german")))
        };
        let mode = |name: &str| {
            Mode::ALL
                .into_iter()
                .find(|m| m.key() == name)
                .ok_or_else(|| Ask::Bad(format!("no mode `{name}`")))
        };
        match words[..] {
            ["moves", u] => self.moves(s, unit(u)?, Mode::Normal),
            ["moves", u, m] => self.moves(s, unit(u)?, mode(m)?),
            ["cost", u, ref rest @ ..] if !rest.is_empty() => {
                let (rest, m) = match rest.split_last() {
                    Some((w, head)) if Mode::ALL.iter().any(|m| m.key() == *w) => (head, mode(w)?),
                    _ => (rest, Mode::Normal),
                };
                let mover = self.mover(s, unit(u)?, m).map_err(|e| Ask::Bad(e.to_string()))?;
                let path = rest.iter().map(|h| hex(h)).collect::<Result<Vec<_>, _>>()?;
                Ok(match self.check_path(s, &mover, &path) {
                    Ok(end) => json!({ "legal": true, "cost": end.spent.to_string() }),
                    Err(e) => json!({ "legal": false, "rule": e.rule }),
                })
            }
            ["march", class, ref rest @ ..] if !rest.is_empty() => {
                let (mech, vehicle) = match class {
                    "foot" => (false, false),
                    "mech" => (true, false),
                    "vehicle" => (true, true),
                    _ => return Err(Ask::Bad(format!("no class `{class}`; there is foot, mech, vehicle"))),
                };
                let (area, rest) = match rest[0].strip_suffix(':') {
                    Some(id) => (Some(id), &rest[1..]),
                    None => (None, rest),
                };
                let path = rest.iter().map(|h| hex(h)).collect::<Result<Vec<_>, _>>()?;
                self.march(s, mech, vehicle, area, &path)
            }
            ["unit", u] => {
                let u = unit(u)?;
                Ok(
                    json!({ "at": self.place_id(s, u), "steps": self.steps(s, u), "states": self.states(s, u) }),
                )
            }
            ["stack", h] => {
                let names: Vec<&str> = s.field.stack(hex(h)?).map(|u| self.counter(u).id.as_str()).collect();
                Ok(json!(names))
            }
            ["bridge", b] => {
                let side = self.map.board.find_side(b).map_err(|e| Ask::Bad(e.to_string()))?;
                let at = self.land.bridges.iter().position(|x| x.side == side);
                at.map(|i| json!(bridge_key(s.field.bridge(i))))
                    .ok_or_else(|| Ask::Bad(format!("no bridge at {b}")))
            }
            ["weather"] => Ok(json!(self.weather(s).map(crate::pack::Weather::key))),
            ["points"] => Ok(json!({ "airlanding": s.points, "air": s.air })),
            ["landing", h] => {
                let at = hex(h)?;
                Ok(
                    json!({ "modifier": self.landing_modifier(s, at), "state": format!("{:?}", self.ground_state(s, at)) }),
                )
            }
            ["unknown"] => Ok(json!(s.unknown.iter().map(|h| self.label(h)).collect::<Vec<_>>())),
            ["victory"] => Ok(json!({ "german": f64::from(self.german_points(s)) / 2.0,
                                      "allied": f64::from(self.allied_points(s)) / 2.0 })),
            ["zoc", name] => {
                let zoc = s.field.zoc(side(name)?);
                Ok(json!(zoc.iter().map(|h| self.label(h)).collect::<Vec<_>>()))
            }
            ["bonds", name] => {
                let mut out: Vec<String> = Vec::new();
                bonds::all(self, &s.field, side(name)?, |bond| {
                    out.push(match bond {
                        zocbond::Bond::Hex { through, .. } => self.label(through).to_owned(),
                        zocbond::Bond::Hexside { along: [a, b], .. } => {
                            let (a, b) = (self.label(a), self.label(b));
                            if a < b { format!("{a}/{b}") } else { format!("{b}/{a}") }
                        }
                    });
                });
                out.sort();
                Ok(json!(out))
            }
            ["odds", list, "->", target] | ["odds", list, "->", target, "lead", _] => {
                let with = units(list)?;
                let target = hex(target)?;
                let lead = match words.last().filter(|_| words.len() == 6) {
                    Some(id) => unit(id)?,
                    None => self.best_lead(s, &with).ok_or_else(|| Ask::Bad("nobody attacks".into()))?,
                };
                self.odds(s, with, lead, target)
            }
            ["routes", u, n] => {
                let length = n.parse().map_err(|_| Ask::Bad(format!("`{n}` is no length")))?;
                let routes = self.routes(s, unit(u)?, length);
                let text =
                    |r: &Vec<hexgrid::HexId>| r.iter().map(|h| self.label(*h)).collect::<Vec<_>>().join(" ");
                let mut out: Vec<String> = routes.iter().map(text).collect();
                out.sort();
                Ok(json!(out))
            }
            ["supply", u] => Ok(json!({ "level": s.unit(unit(u)?).oos })),
            _ => Err(Ask::Unknown(question.into())),
        }
    }

    /// What a march along a path costs, however long it takes.
    fn march(
        &self,
        s: &State,
        mech: bool,
        vehicle: bool,
        area: Option<&str>,
        path: &[hexgrid::HexId],
    ) -> Result<Value, Ask> {
        let Some(first) = path.first().copied() else { return Err(Ask::Bad("a march needs hexes".into())) };
        if let Some(id) = area {
            let open = self.map.entry(id).is_some_and(|e| e.hexes.contains(&first));
            if !open {
                return Err(Ask::Bad(format!("{} is not in area {id}", self.label(first))));
            }
        }
        let side = Side::Allied;
        let own = |u: &UnitId| {
            let c = self.counter(*u);
            c.side == side
                && !c.categories.artillery
                && !c.categories.train
                && c.categories.vehicle == vehicle
        };
        let unit = self.units().find(own).ok_or_else(|| Ask::Bad("nobody can march".into()))?;
        let allowance = zocbond::Points::whole(99);
        let start = if area.is_none() { Some(first) } else { None };
        let m = Mover { unit, side, mode: Mode::Normal, mech, vehicle, allowance, start };
        let mut at = start.map(Stride::start);
        for hex in path.iter().skip(usize::from(start.is_some())) {
            at = match self.step(s, &m, at, *hex) {
                Ok(next) => Some(Stride { stopped: false, ..next }),
                Err(e) => return Ok(json!({ "legal": false, "rule": e.rule, "at": self.label(*hex) })),
            };
        }
        Ok(json!({ "legal": true, "cost": at.map(|a| a.spent.to_string()) }))
    }

    fn moves(&self, s: &State, unit: UnitId, mode: Mode) -> Result<Value, Ask> {
        let mut ends: Vec<String> = Vec::new();
        if let Ok(m) = self.mover(s, unit, mode) {
            self.reach(s, &m, &self.entry_hexes(s, unit), |hex, _, _| ends.push(self.label(hex).to_owned()));
        }
        Ok(json!(ends))
    }

    fn odds(&self, s: &State, with: Vec<UnitId>, lead: UnitId, target: hexgrid::HexId) -> Result<Value, Ask> {
        let side = self.counter(lead).side;
        let formation = self.formation(s, lead);
        let attached = with
            .iter()
            .copied()
            .filter(|u| self.formation(s, *u) != formation)
            .max_by_key(|u| s.unit(*u).hex().map_or(0, |_| self.face(s, *u).attack));
        let c = Combat {
            side,
            target,
            attackers: with,
            lead,
            attached,
            guns: Vec::new(),
            air: false,
            breakthrough: false,
            result: None,
            morale_shift: false,
            step: CombatStep::Support,
            retreating: Vec::new(),
            length: 2,
        };
        let sheet = self.sheet(s, &c).map_err(|e| Ask::Bad(e.to_string()))?;
        let shifts: serde_json::Map<String, Value> =
            sheet.shifts.iter().map(|(rule, n)| ((*rule).to_owned(), json!(n))).collect();
        let halved: serde_json::Map<String, Value> =
            sheet.halved.iter().map(|(u, rule)| (self.counter(*u).id.clone(), json!(rule))).collect();
        Ok(json!({
            "attack": sheet.attack, "defense": sheet.defense, "doubled": sheet.doubled,
            "column": self.pack.tables.crt.columns[usize::from(sheet.column)],
            "shifts": shifts, "halved": halved,
        }))
    }
}
