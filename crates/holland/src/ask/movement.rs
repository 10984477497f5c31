//! Questions about movement: how far, at what cost, and why not.

use hexgrid::HexId;
use kernel::{
    Ask, Refusal, RefusalKind,
    view::{Reach, Way as WayView, way_or_refusal},
};
use serde_json::{Map, Value, json};
use zocbond::{Piece, Points, UnitId};

use super::{bad, refused};
use crate::frame::Mode;
use crate::movement::{Mover, Stride};
use crate::pack::Side;
use crate::refusal::Bar;
use crate::state::{State, Units};
use crate::world::Holland;

/// A cost as a number of movement points.
fn points(points: Points) -> Value {
    points.as_whole().map_or_else(|| json!(points.as_f64()), |whole| json!(whole))
}

/// Movement points with which any hex can be reached to which a way leads.
const FAR: u16 = 60;

impl Holland {
    /// The mode of a question that names none.
    fn usual(&self, s: &State, unit: UnitId, mode: Option<Mode>) -> Mode {
        mode.unwrap_or_else(|| {
            let can = |mode| self.mover(s, unit, mode).is_ok();
            if !can(Mode::Normal) && can(Mode::Tactical) { Mode::Tactical } else { Mode::Normal }
        })
    }

    pub(super) fn moves(&self, s: &State, unit: UnitId, mode: Option<Mode>) -> Result<Value, Ask> {
        let mode = self.usual(s, unit, mode);
        let mut ends = Map::new();
        if let Ok(m) = self.mover(s, unit, mode) {
            self.reach(s, &m, &self.entry_hexes(s, unit), |hex, _, cost| {
                ends.insert(self.label(hex).to_owned(), points(cost));
            });
        }
        Ok(Value::Object(ends))
    }

    pub(super) fn reach_of(&self, s: &State, unit: UnitId, mode: Option<Mode>) -> Result<Value, Ask> {
        let mut found = Reach::default();
        if let Ok(m) = self.mover(s, unit, self.usual(s, unit, mode)) {
            found.allowance = Some(m.allowance.as_f64());
            self.reach(s, &m, &self.entry_hexes(s, unit), |hex, _, cost| {
                found.cells.push((self.label(hex).to_owned(), cost.as_f64()));
            });
        }
        Ok(json!({ "reach": found }))
    }

    /// `way A 1313 [MODE]`: the cheapest legal path, or why there is none.
    pub(super) fn way_there(&self, s: &State, unit: UnitId, rest: &[&str]) -> Result<Value, Ask> {
        let (asked, mode) = self.way_asked(s, unit, rest)?;
        let mode = self.usual(s, unit, mode);
        let way = self.legal_path(s, unit, mode, &asked).and_then(|path| {
            let m = self.mover(s, unit, mode)?;
            let start = s.unit(unit).hex();
            let mut way = WayView::default();
            way.cells.extend(start.iter().chain(&path).map(|hex| self.label(*hex).to_owned()));
            let mut at = m.start.map(Stride::start);
            let mut spent = Points::ZERO;
            for hex in &path {
                let next = self.step(s, &m, at, *hex)?;
                // The first hex of a unit that enters the map has no previous hex.
                if start.is_some() || at.is_some() {
                    way.costs.push(next.spent.saturating_sub(spent).as_f64());
                }
                spent = next.spent;
                at = Some(next);
            }
            Ok(way)
        });
        Ok(way_or_refusal(way.map_err(Refusal::from)))
    }

    /// A move there, filled in and checked.
    fn legal_path(&self, s: &State, unit: UnitId, mode: Mode, asked: &[HexId]) -> Result<Vec<HexId>, Bar> {
        let path = self.fill_path(s, unit, mode, asked);
        self.check_move(s, self.counter(unit).side, unit, &[], mode, &path).map(|()| path)
    }

    /// The hexes of a question without the unit's own, and the mode after them.
    fn way_asked(&self, s: &State, unit: UnitId, rest: &[&str]) -> Result<(Vec<HexId>, Option<Mode>), Ask> {
        let (rest, mode) = match rest.split_last() {
            Some((word, head)) if Mode::named(word).is_some() => (head, Mode::named(word)),
            _ => (rest, None),
        };
        let mut path =
            rest.iter().filter(|w| **w != "->").map(|h| self.asked_hex(h)).collect::<Result<Vec<_>, _>>()?;
        if path.len() > 1 && path.first().copied() == s.unit(unit).hex() {
            path.remove(0);
        }
        if path.is_empty() { bad("name a unit and a hex".into()) } else { Ok((path, mode)) }
    }

    /// The cheapest path to a single distant hex.
    fn fill_path(&self, s: &State, unit: UnitId, mode: Mode, path: &[HexId]) -> Vec<HexId> {
        if path.len() == 1 { self.way_meant(s, unit, &[], mode, path).to_vec() } else { path.to_vec() }
    }

    /// `cost A 1212 1313 [MODE]`: each step and the total.
    pub(super) fn cost_of(&self, s: &State, unit: UnitId, rest: &[&str]) -> Result<Value, Ask> {
        let (path, mode) = self.way_asked(s, unit, rest)?;
        let mode = self.usual(s, unit, mode);
        let m = match self.mover(s, unit, mode) {
            Ok(m) => m,
            Err(refusal) => return Ok(refused(refusal)),
        };
        let path = self.fill_path(s, unit, mode, &path);
        let mut at = m.start.map(Stride::start);
        let mut steps = Vec::new();
        let mut spent = Points::ZERO;
        for hex in &path {
            match self.step(s, &m, at, *hex) {
                Ok(next) => {
                    steps.push(points(next.spent.saturating_sub(spent)));
                    spent = next.spent;
                    at = Some(next);
                }
                Err(_) => break,
            }
        }
        let labels: Vec<&str> = path.iter().map(|h| self.label(*h)).collect();
        let by_hex: Map<String, Value> =
            labels.iter().zip(&steps).map(|(h, c)| ((*h).to_owned(), c.clone())).collect();
        let mut answer = json!({
            "legal": true, "steps": steps, "costs": steps, "by_hex": by_hex, "path": labels,
            "total": points(spent), "cost": spent.to_string(), "allowance": points(m.allowance), "mode": mode.key(),
        });
        if let (Err(refusal), Some(object)) = (self.check_path(s, &m, &path), answer.as_object_mut()) {
            object.insert("legal".into(), json!(false));
            object.insert("rule".into(), json!(refusal.rule));
            object.insert("why".into(), json!(Refusal::from(refusal).why));
        }
        Ok(answer)
    }

    /// `why A 1313 [MODE]`: legal, or the rule and the reason.
    pub(super) fn why(&self, s: &State, unit: UnitId, rest: &[&str]) -> Result<Value, Ask> {
        let (path, named) = self.way_asked(s, unit, rest)?;
        let mode = self.usual(s, unit, named);
        let wanted = |mode: Mode| self.legal_path(s, unit, mode, &path);
        let others: Vec<&str> = Mode::ALL.into_iter().filter(|m| wanted(*m).is_ok()).map(Mode::key).collect();
        Ok(match wanted(mode) {
            Ok(_) => json!({ "legal": true, "mode": mode.key(), "modes": others }),
            Err(refusal) => {
                let mut answer = refused(refusal);
                if let Some(object) = answer.as_object_mut() {
                    object.insert("mode".into(), json!(mode.key()));
                    object.insert("modes".into(), json!(others));
                }
                answer
            }
        })
    }

    /// Why a distant hex cannot be reached: what blocks the last step from adjacent hexes that can be reached,
    /// otherwise the points.
    pub fn nearest_refusal(&self, s: &State, unit: UnitId, mode: Mode, to: HexId) -> Bar {
        let m = match self.mover(s, unit, mode) {
            Ok(m) => m,
            Err(refusal) => return refusal,
        };
        let mut near = Vec::new();
        self.reach(s, &m, &self.entry_hexes(s, unit), |hex, way, _| {
            if self.land.topology.direction(hex, to).is_some() {
                near.push(way.to_vec());
            }
        });
        near.sort_by_key(Vec::len);
        for mut way in near {
            way.push(to);
            if let Err(refusal) = self.check_path(s, &m, &way) {
                return refusal;
            }
        }
        if mode == Mode::Tactical {
            return Bar::of_kind("8.3.1", "refuse.too_far", RefusalKind::TooFar);
        }
        if self.most_hexes(s, &m).is_some() {
            return Bar::new("8.1", "refuse.no_points");
        }
        if self.barred_by_enemy(s, m.side, to) {
            return Bar::new("6.4", "refuse.enemy");
        }
        if !self.fits(s, unit, to) {
            return Bar::new("6.1", "refuse.stacking");
        }
        // What it would cost a unit that could go as far as it likes.
        let mut needed = None;
        let tireless = Mover { allowance: Points::whole(FAR), ..m };
        self.reach(s, &tireless, &self.entry_hexes(s, unit), |hex, _, cost| {
            if hex == to {
                needed = Some(cost);
            }
        });
        match needed {
            Some(needed) if needed > m.allowance => {
                Bar::too_dear("8.1", "refuse.way_too_dear", needed, m.allowance)
            }
            _ => Bar::new("8.1", "refuse.no_way"),
        }
    }

    /// The cost of a march along a path of any length.
    pub(super) fn march(&self, s: &State, class: &str, rest: &[&str]) -> Result<Value, Ask> {
        let (mech, vehicle) = match class {
            "foot" => (false, false),
            "mech" => (true, false),
            "vehicle" => (true, true),
            _ => return bad(format!("no class `{class}`; there is foot, mech, vehicle")),
        };
        let (area, rest) = match rest[0].strip_suffix(':') {
            Some(id) => (Some(id), &rest[1..]),
            None => (None, rest),
        };
        let path = rest.iter().map(|h| self.asked_hex(h)).collect::<Result<Vec<_>, _>>()?;
        let Some(first) = path.first().copied() else { return bad("a march needs hexes".into()) };
        if let Some(id) = area {
            let open = self.map.entry(id).is_some_and(|e| e.hexes.contains(&first));
            if !open {
                return bad(format!("{} is not in area {id}", self.label(first)));
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
        let allowance = Points::whole(99);
        let start = if area.is_none() { Some(first) } else { None };
        let m = Mover {
            unit,
            side,
            mode: Mode::Normal,
            mech,
            vehicle,
            allowance,
            start,
            ahead: 0,
            with: Units::new(),
        };
        let mut at = start.map(Stride::start);
        for hex in path.iter().skip(usize::from(start.is_some())) {
            at = match self.step(s, &m, at, *hex) {
                Ok(next) => Some(Stride { stopped: false, ..next }),
                Err(e) => return Ok(json!({ "legal": false, "rule": e.rule, "at": self.label(*hex) })),
            };
        }
        Ok(
            json!({ "legal": true, "cost": at.map(|a| a.spent.to_string()), "total": at.map(|a| points(a.spent)) }),
        )
    }
}
