//! Questions about a position, for the lab and for tooltips (`docs/LAB.md`).

mod combat;
mod movement;
pub(crate) mod sheet;

use hexgrid::HexId;
use kernel::{Ask, Refusal, Viewer};
use serde_json::{Value, json};
use zocbond::{Piece, UnitId, bonds};

use crate::event::bridge_key;
use crate::frame::Mode;
use crate::pack::Side;
use crate::refusal::Bar;
use crate::state::{Marks, State};
use crate::world::Holland;

/// States that the counters do not show: a lab file may leave them out of what it expects.
pub const OF_THE_MOMENT: [&str; 9] =
    ["reduced", "moved", "landed", "entered", "attacked", "retreated", "fled", "free", "on_enemy"];

fn bad<T>(text: String) -> Result<T, Ask> {
    Err(Ask::Bad(text))
}

fn refused(bar: Bar) -> Value {
    let refusal = Refusal::from(bar);
    json!({ "legal": false, "rule": refusal.rule, "why": refusal.why })
}

impl Holland {
    fn asked_unit(&self, id: &str) -> Result<UnitId, Ask> {
        self.unit_named(id).ok_or_else(|| Ask::Bad(format!("no unit `{id}`")))
    }

    fn asked_hex(&self, label: &str) -> Result<HexId, Ask> {
        let hex = self.map.hex(label).map_err(|e| Ask::Bad(e.to_string()))?;
        if self.land.in_play.contains(hex) { Ok(hex) } else { bad(format!("{label} is not in play")) }
    }

    fn asked_side(name: &str) -> Result<Side, Ask> {
        let found = Side::ALL.into_iter().find(|x| name.eq_ignore_ascii_case(x.key()));
        found.ok_or_else(|| Ask::Bad(format!("no side `{name}`; there is allied, german")))
    }

    pub fn answer(&self, s: &State, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        let plain = question.replace("->", " -> ").replace(',', " ");
        let words: Vec<&str> = plain.split_whitespace().collect();
        if let Some(answer) = self.overlay(s, &words) {
            return answer;
        }
        let labels = |set: &hexgrid::HexSet| json!(set.iter().map(|h| self.label(h)).collect::<Vec<_>>());
        match words[..] {
            ["moves", u] => self.moves(s, self.asked_unit(u)?, None),
            ["moves", u, m] => self.moves(s, self.asked_unit(u)?, Some(Self::asked_mode(m)?)),
            ["reach", u] => self.reach_of(s, self.asked_unit(u)?, None),
            ["reach", u, m] => self.reach_of(s, self.asked_unit(u)?, Some(Self::asked_mode(m)?)),
            ["way", u, ref rest @ ..] if !rest.is_empty() => self.way_there(s, self.asked_unit(u)?, rest),
            ["cost", u, ref rest @ ..] if !rest.is_empty() => self.cost_of(s, self.asked_unit(u)?, rest),
            ["path", u, ref rest @ ..] if !rest.is_empty() => self.cost_of(s, self.asked_unit(u)?, rest),
            ["why", u, ref rest @ ..] if !rest.is_empty() => self.why(s, self.asked_unit(u)?, rest),
            ["march", class, ref rest @ ..] if !rest.is_empty() => self.march(s, class, rest),
            ["unit", u] => Ok(self.tell_unit(s, self.stand_in(s, self.asked_unit(u)?))),
            ["stack", h] => Ok(self.tell_stack(s, self.asked_hex(h)?)),
            ["hex", h] => Ok(self.tell_hex(s, self.asked_hex(h)?)),
            ["bridge", b] => {
                let side = self.map.board.find_side(b).map_err(|e| Ask::Bad(e.to_string()))?;
                let at = self.land.bridges.iter().position(|x| x.side == side);
                at.map(|i| json!(bridge_key(s.field.bridge(i))))
                    .ok_or_else(|| Ask::Bad(format!("no bridge at {b}")))
            }
            ["weather"] => Ok(json!(self.weather(s).map(crate::pack::Weather::key))),
            ["points"] => Ok(json!({ "airlanding": s.points, "air": s.air, "replacements": s.left,
                                     "moved_markers": { "allied": s.moved_markers[0], "german": s.moved_markers[1] } })),
            ["landing", h] | ["landing", _, h] => {
                let at = self.asked_hex(h)?;
                let unit = if words.len() == 3 { Some(self.asked_unit(words[1])?) } else { None };
                Ok(self.tell_landing(s, at, unit))
            }
            ["unknown"] => Ok(labels(&s.unknown)),
            ["looked"] => Ok(self.tell_unknown(s, viewer)),
            ["traffic"] => {
                let at = |(i, t): (usize, &zocbond::MarkerAt)| {
                    t.hex().map(|h| ((i + 1).to_string(), json!(self.label(h))))
                };
                Ok(Value::Object(s.traffic.iter().enumerate().filter_map(at).collect()))
            }
            ["victory"] => Ok(self.tell_victory(s)),
            ["zoc", name] => Ok(labels(s.field.zoc(Self::asked_side(name)?))),
            ["control", name] => {
                let side = Self::asked_side(name)?;
                let mine = self.land.in_play.iter().filter(|h| s.field.last_holder(*h) == side);
                Ok(json!(mine.map(|h| self.label(h)).collect::<Vec<_>>()))
            }
            ["bonds", name] => Ok(self.tell_bonds(s, Self::asked_side(name)?)),
            ["odds", ..] => self.odds(s, &words[1..]),
            ["outcomes", ..] => self.outcomes(s, &words[1..]),
            ["retreats" | "routes", u, n] => {
                let digits = n.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                let length = digits.parse().map_err(|_| Ask::Bad(format!("`{n}` is no length")))?;
                Ok(self.tell_retreats(s, self.asked_unit(u)?, length))
            }
            ["retreats" | "routes", u] => Ok(self.tell_retreats(s, self.asked_unit(u)?, 2)),
            ["advances", u] => Ok(self.tell_advances(s, self.asked_unit(u)?)),
            ["supply", u] => Ok(self.tell_supply(s, self.asked_unit(u)?)),
            _ => Err(Ask::Unknown(question.into())),
        }
    }

    fn asked_mode(name: &str) -> Result<Mode, Ask> {
        let known = Mode::ALL.map(Mode::key).join(", ");
        Mode::named(name).ok_or_else(|| Ask::Bad(format!("no mode `{name}`; there is {known}")))
    }

    fn tell_unit(&self, s: &State, unit: UnitId) -> Value {
        let face = self.face(s, unit);
        let u = s.unit(unit);
        let mut states = self.states(s, unit);
        let moment = [
            u.lost > 0,
            u.has(Marks::MOVED),
            u.has(Marks::LANDED),
            u.has(Marks::ENTERED),
            u.has(Marks::ATTACKED),
            u.has(Marks::RETREATED),
            u.has(Marks::FLED),
            u.has(Marks::FREE),
        ];
        let told = OF_THE_MOMENT.into_iter().zip(moment).filter(|(_, holds)| *holds);
        states.extend(told.map(|(word, _)| word.to_owned()));
        let gone = matches!(u.at(), crate::state::Place::Dead | crate::state::Place::Aside);
        json!({
            "at": self.place_id(s, unit),
            "hex": u.hex().map(|h| self.label(h)),
            "steps": if gone { 0 } else { self.steps(s, unit) },
            "states": states,
            "state": states,
            "markers": states,
            "attack": face.attack,
            "defense": face.defense,
            "move": self.allowance(s, unit),
            "points": self.weight_of(s, unit).0,
            "reduced": u.lost > 0,
            "eliminated": gone,
            "moved": u.has(Marks::MOVED),
            "parent": u.parent.map(|p| self.counter(p).id.clone()),
            "formation": self.pack.formations.get(usize::from(self.formation(s, unit))).map(|f| f.id.clone()),
        })
    }

    /// 6.1
    fn tell_stack(&self, s: &State, hex: HexId) -> Value {
        let names: Vec<&str> = s.field.stack(hex).map(|u| self.counter(u).id.as_str()).collect();
        let side = if s.field.held(Side::German).contains(hex) { Side::German } else { Side::Allied };
        let (points, guns) = self.weight(s, side, hex, None);
        let legal = s.field.stack(hex).all(|u| self.fits(s, u, hex));
        json!({ "units": names, "points": points, "stacking_points": points, "artillery": guns, "legal": legal })
    }

    fn tell_hex(&self, s: &State, hex: HexId) -> Value {
        let terrain: Vec<&str> =
            self.map.terrain(hex).iter().map(|t| self.map.terrain_kind(t).id.as_str()).collect();
        let zoc: Vec<&str> =
            Side::ALL.into_iter().filter(|x| s.field.zoc(*x).contains(hex)).map(Side::key).collect();
        json!({
            "terrain": terrain,
            "control": s.field.last_holder(hex).key(),
            "units": s.field.stack(hex).map(|u| self.counter(u).id.as_str()).collect::<Vec<_>>(),
            "zoc": zoc,
            "unknown": s.unknown.contains(hex),
            "north_of_waal": self.land.north_of_waal.contains(hex),
            "north_of_lower_rhine": self.land.north_of_rhine.contains(hex),
        })
    }

    /// 22.3: the conditions of a landing in a hex.
    fn tell_landing(&self, s: &State, hex: HexId, unit: Option<UnitId>) -> Value {
        let modifier = self.landing_modifier(s, hex);
        let rows = ["none", "S", "S1", "S2"].map(|name| (name.to_owned(), 0.0));
        let mut chances = std::collections::BTreeMap::from(rows);
        for die in 1..=6 {
            let row = self.landing_row(die + modifier);
            let name = match (row.scattered, row.steps) {
                (false, _) => "none".to_owned(),
                (true, 0) => "S".to_owned(),
                (true, n) => format!("S{n}"),
            };
            *chances.entry(name).or_insert(0.0) += 1.0 / 6.0;
        }
        let legal = unit.map(|u| self.check_land(s, u, hex));
        json!({
            "modifier": modifier,
            "state": format!("{:?}", self.ground_state(s, hex)),
            "chances": chances,
            "legal": legal.as_ref().map(Result::is_ok),
            "rule": legal.and_then(Result::err).map(|e| e.rule),
        })
    }

    fn tell_victory(&self, s: &State) -> Value {
        let net = self.source_roads(s, Side::Allied);
        let mut places = serde_json::Map::new();
        for (place, hexes) in self.pack.victory_places.iter().zip(&self.places) {
            let held = hexes.iter().all(|h| s.field.last_holder(*h) == Side::Allied);
            let road = hexes.iter().any(|h| net.contains(*h));
            places.insert(
                place.id.clone(),
                json!({ "value": f64::from(place.value) / 2.0, "held": held, "road": road, "scored": held && road }),
            );
        }
        json!({
            "german": f64::from(self.german_points(s)) / 2.0,
            "allied": f64::from(self.allied_points(s)) / 2.0,
            "places": places,
            "north_of_waal": self.ground_units(s, &self.land.north_of_waal, false),
            "north_of_lower_rhine": self.ground_units(s, &self.land.north_of_rhine, true),
            "winner": s.winner.map(|(side, _)| side.key()),
        })
    }

    fn tell_bonds(&self, s: &State, side: Side) -> Value {
        let name = |h: HexId| if h == HexId::NONE { "edge".to_owned() } else { self.label(h).to_owned() };
        let mut out: Vec<Value> = Vec::new();
        bonds::all(self, &s.field, side, |bond| {
            out.push(match bond {
                zocbond::Bond::Hex { through, ends } => {
                    json!({ "kind": "hex", "through": name(through), "ends": ends.map(name) })
                }
                zocbond::Bond::Hexside { along: [a, b], ends } => {
                    let (a, b) = (name(a), name(b));
                    let along = if a < b { format!("{a}/{b}") } else { format!("{b}/{a}") };
                    json!({ "kind": "hexside", "along": along, "ends": ends.map(name) })
                }
            });
        });
        json!(out)
    }

    fn tell_supply(&self, s: &State, unit: UnitId) -> Value {
        let by = self.supply_of(s, unit);
        let level = s.unit(unit).oos;
        json!({
            "supplied": by.is_some(),
            "by": by,
            "level": level,
            "isolated": self.isolated(s, unit),
            "depleted": self.counter(unit).supply_head.map(|h| s.unit(h).has(Marks::DEPLETED)),
        })
    }
}
