//! 25.5: what players see: everything, since what is hidden is hidden from both sides.

use kernel::view::{Badge, Face as CounterFace, Marker, Mood, Panel, PanelRow, Piece as PieceView, TurnView};
use kernel::{Message, View, Viewer};
use zocbond::{Piece, UnitId};

use crate::event::{bridge_key, order_key, seat};
use crate::frame::Frame;
use crate::pack::{Half, Morale, ScenarioVictory, Side, Weather};
use crate::state::{Bridge, Marks, Order, Place, State};
use crate::victory::points_text;
use crate::world::Holland;

/// Unit markers that are shown, with their message keys.
const SHOWN: [(Marks, &str); 10] = [
    (Marks::ENGAGED, "engaged"),
    (Marks::SCATTERED, "scattered"),
    (Marks::SPENT, "spent"),
    (Marks::REPL, "repl"),
    (Marks::FIRED, "fired"),
    (Marks::GUN_MOVED, "gun_moved"),
    (Marks::DEPLETED, "depleted"),
    (Marks::ON_ENEMY, "on_enemy"),
    (Marks::DISMOUNTED, "dismounted"),
    (Marks::FERRY, "ferry"),
];

impl Holland {
    pub fn states(&self, s: &State, unit: UnitId) -> Vec<String> {
        let u = s.unit(unit);
        let mut out: Vec<String> =
            SHOWN.iter().filter(|(mark, _)| u.has(*mark)).map(|(_, key)| (*key).to_owned()).collect();
        if u.order != Order::Good {
            out.push(order_key(u.order).into());
        }
        match u.oos {
            0 => {}
            1 => out.push("out_of_supply".into()),
            _ => out.push("out_of_supply_2".into()),
        }
        out
    }

    pub fn place_id(&self, s: &State, unit: UnitId) -> Option<String> {
        Some(match s.unit(unit).at() {
            Place::Hex(hex) => self.label(hex).to_owned(),
            Place::Box(area) => format!("box:{}", self.pack.areas.get(usize::from(area))?.id),
            Place::Holding => "holding".into(),
            Place::Airlanding => "airlanding".into(),
            Place::Coming => "due".into(),
            Place::Dead => "dead".into(),
            Place::Aside | Place::Unknown => return None,
        })
    }

    fn counter_face(&self, s: &State, unit: UnitId) -> CounterFace {
        let c = self.counter(unit);
        let face = self.face(s, unit);
        let of = c.unit.map(|i| &self.pack.units[usize::from(i)]);
        let attack = if c.categories.artillery { "S".to_owned() } else { face.attack.to_string() };
        let mut badges =
            vec![Badge { kind: "steps".into(), text: face.stacking.to_string(), tone: String::new() }];
        if let Some((rating, _)) = c.armor {
            badges.push(Badge { kind: "tq".into(), text: rating.to_string(), tone: String::new() });
        }
        if c.range > 0 {
            badges.push(Badge { kind: "range".into(), text: c.range.to_string(), tone: String::new() });
        }
        let morale = match c.morale {
            Morale::Elite => Some("elite"),
            Morale::Low => Some("green"),
            Morale::Regular => None,
        };
        if let Some(tone) = morale {
            badges.push(Badge { kind: "morale".into(), text: String::new(), tone: tone.into() });
        }
        let pool = c.pool.map(|i| &self.pack.pools[usize::from(i)]);
        let ground = match of.map(|u| u.nation.as_str()).or(pool.map(|p| p.nation.as_str())) {
            Some("US") => "us",
            Some("German") => "de",
            Some(_) => "uk",
            None if c.side == Side::German => "de",
            None => "uk",
        };
        CounterFace {
            ground: ground.into(),
            bar: None,
            symbol: of.map_or("infantry", |u| u.symbol.as_str()).into(),
            size: of.map(|u| u.size.clone()).unwrap_or_default(),
            left: String::new(),
            right: String::new(),
            title: of.map(|u| u.label.clone()).or(pool.map(|p| pool_title(p, &c.id))).unwrap_or_default(),
            factors: vec![attack, face.defense.to_string(), face.allowance.to_string()],
            badges,
            reduced: s.unit(unit).lost > 0,
        }
    }

    pub fn make_view(&self, s: &State, viewer: Viewer) -> View {
        let mut pieces = Vec::new();
        for unit in self.units() {
            let Some(at) = self.place_id(s, unit) else { continue };
            let layer = match s.unit(unit).hex() {
                Some(hex) => s.field.stack(hex).position(|u| u == unit).unwrap_or(0) as u8,
                None => 0,
            };
            let c = self.counter(unit);
            pieces.push(PieceView {
                id: c.id.clone(),
                seat: Some(seat(c.side)),
                at,
                layer,
                facing: None,
                face: self.counter_face(s, unit),
                states: self.states(s, unit),
                active: !s.unit(unit).has(Marks::MOVED),
            });
        }
        let seen = Self::seen_by(s, viewer);
        let mut markers: Vec<Marker> = s
            .unknown
            .iter()
            .map(|hex| Marker {
                kind: "unknown".into(),
                at: self.label(hex).into(),
                seat: None,
                text: match seen.at(hex) {
                    None => "?".into(),
                    Some(None) => "0-0-0".into(), // 25.1: a Garrison
                    Some(Some(unit)) => {
                        let face = self.face(s, unit);
                        format!("{}-{}-{}", face.attack, face.defense, face.allowance)
                    }
                },
            })
            .collect();
        for (i, b) in self.land.bridges.iter().enumerate() {
            let state = s.field.bridge(i);
            if b.can_be_blown || matches!(state, Bridge::Blown | Bridge::Repair(..)) {
                markers.push(Marker {
                    kind: format!("bridge_{}", bridge_key(state)),
                    at: self.map.side_label(b.side),
                    seat: (state == Bridge::IntactAllied).then_some(seat(Side::Allied)),
                    text: String::new(),
                });
            }
        }
        // 23.3.3: from the Engineer's hex to the other bank
        for (unit, side) in &s.ferries {
            let banks = self.map.board.side_hexes(*side);
            if let ([Some(a), Some(b)], Some(here)) = (banks, s.unit(*unit).hex()) {
                let there = if a == here { b } else { a };
                markers.push(Marker {
                    kind: "ferry".into(),
                    at: format!("{}/{}", self.label(here), self.label(there)),
                    seat: Some(seat(self.counter(*unit).side)),
                    text: String::new(),
                });
            }
        }
        for (i, t) in s.traffic.iter().enumerate() {
            if let Some(hex) = t.hex() {
                markers.push(Marker {
                    kind: "traffic".into(),
                    at: self.label(hex).into(),
                    seat: None,
                    text: (i + 1).to_string(),
                });
            }
        }
        View { turn: Some(self.turn_view(s)), pieces, markers, panels: self.panels(s), ..View::default() }
    }

    fn turn_view(&self, s: &State) -> TurnView {
        let turn = self.turn(s);
        let (lab_phase, phase, rule, whose) = match s.frames.first() {
            Some(Frame::Phase(side, phase)) => (
                phase.key().to_owned(),
                format!("phase.{}", phase.key()),
                phase.rule().to_owned(),
                Some(seat(*side)),
            ),
            _ => (String::new(), "phase.over".into(), "26".into(), None),
        };
        TurnView {
            number: s.turn.into(),
            last: self.scenario.last_turn.into(),
            name: Message::new("turn.name")
                .number("day", i64::from(turn.day))
                .term("half", format!("half.{}", turn.half.key())),
            phase: Message::new(phase),
            rule,
            seat: whose,
            conditions: self.sky(s),
            mood: Mood {
                night: turn.half == Half::Night,
                overcast: self.weather(s) == Some(Weather::Overcast),
                ground: None,
            },
            lab_phase,
            lab: None,
        }
    }

    /// The weather, and in the morning also that of the afternoon, which is known by then (4.1).
    fn sky(&self, s: &State) -> Vec<Message> {
        let now = self.weather(s).map(|w| Message::new(format!("weather.{}", w.key())));
        let later = (self.turn(s).half == Half::Am).then(|| {
            Message::new("weather.afternoon").term("weather", format!("weather.{}", s.weather[1].key()))
        });
        now.into_iter().chain(later).collect()
    }

    fn panels(&self, s: &State) -> Vec<Panel> {
        let points = |halves: u16| Message::new("panel.points").text("points", points_text(halves));
        let row = |key: &'static str, value: Message, rule: &str| PanelRow {
            label: Message::new(key),
            value: Some(value),
            pieces: Vec::new(),
            current: false,
            rule: Some(rule.into()),
        };
        let of = |has: u8, needed: u8| Message::new("panel.of").number("has", has).number("needed", needed);
        let rows = match self.victory() {
            ScenarioVictory::Road { hexes, needed } => {
                let total = row("panel.joined", of(self.joined(s, hexes), *needed), "S5.4");
                std::iter::once(total).chain(self.road_rows(s, hexes)).collect()
            }
            ScenarioVictory::Nijmegen { bridges, zones, hex, needed } => {
                let has = self.nijmegen_points(s, bridges, zones, hex);
                vec![row("panel.allied", of(has, *needed), "S4.4")]
            }
            _ => vec![
                row("panel.german", points(self.german_points(s)), "26.1"),
                row("panel.allied", points(self.allied_points(s)), "26.2"),
            ],
        };
        let victory = Panel { id: "victory".into(), title: Message::new("panel.victory"), rows };
        std::iter::once(victory).chain(self.highway_panel(s)).collect()
    }
}

impl Holland {
    /// S5.4: each hex of the road, who controls it, and whether a road joins it to a source.
    fn road_rows(&self, s: &State, hexes: &[String]) -> Vec<PanelRow> {
        let net = self.source_roads(s, Side::Allied);
        let row = |label: &String| {
            let hex = self.map.hex(label).ok()?;
            let side = s.field.last_holder(hex);
            let joined = side == Side::Allied && net.contains(hex);
            let key = if side == Side::Allied && !joined { "panel.cut_off" } else { "panel.holder" };
            Some(PanelRow {
                label: Message::new("panel.victory_hex").place("hex", label),
                value: Some(Message::new(key).term("side", format!("side.{}", side.key()))),
                pieces: Vec::new(),
                current: joined,
                rule: None,
            })
        };
        hexes.iter().filter_map(row).collect()
    }
}

/// The text on a pool counter: its printed label, or else its parent's and whether it is a detachment or a remnant.
fn pool_title(pool: &crate::pack::Pool, id: &str) -> String {
    let number: usize = id.rsplit('-').next().and_then(|n| n.parse().ok()).unwrap_or(1);
    if let Some(label) = pool.labels.get(number.saturating_sub(1)) {
        return label.clone();
    }
    let mut words = pool.id.split('_');
    let nation = words.next().unwrap_or_default().to_uppercase();
    let rest = words.map(|word| match word {
        "breakdown" => "Det",
        "remnant" => "Rem",
        word => word,
    });
    std::iter::once(nation.as_str()).chain(rest).collect::<Vec<_>>().join(" ")
}
