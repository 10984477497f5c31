//! Every decision, and how it is written.

use hexgrid::HexId;
use kernel::{Message, Refusal};
use zocbond::UnitId;

use crate::frame::Mode;
use crate::world::Holland;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `move U H H`, with `tactical`, `extended` or `prime_mover` behind it
    Move {
        unit: UnitId,
        mode: Mode,
        path: Vec<HexId>,
    },
    /// `leave U`
    Leave(UnitId),
    /// `box U A`
    Shift {
        unit: UnitId,
        area: u8,
    },
    /// `place U H`
    Place {
        unit: UnitId,
        hex: HexId,
    },
    /// `land U H`
    Land {
        unit: UnitId,
        hex: HexId,
    },
    /// `resupply U`
    Resupply(UnitId),
    /// `ready U`
    Ready(UnitId),
    /// `replace U`
    Replace(UnitId),
    /// `blow H/H`
    Blow(u16),
    /// `wire H/H`
    Wire(u16),
    /// `repair H/H`
    Repair(u16),
    /// `hold`: the bridge is not blown.
    Hold,
    /// `reveal H`
    Reveal(HexId),
    /// `attack H with U U lead U attached U`; as a skeleton it names nobody.
    Attack {
        target: HexId,
        with: Vec<UnitId>,
        lead: Option<UnitId>,
        attached: Option<UnitId>,
    },
    /// `support guns U U air`
    Support {
        guns: Vec<UnitId>,
        air: bool,
    },
    /// `lose U`
    Lose(UnitId),
    /// `stand U gun U`
    Stand {
        lead: UnitId,
        gun: Option<UnitId>,
    },
    /// `give-way`
    GiveWay,
    /// `length 2`
    Length(u8),
    /// `retreat U H H`
    Retreat {
        unit: UnitId,
        path: Vec<HexId>,
    },
    /// `advance U H H`
    Advance {
        unit: UnitId,
        path: Vec<HexId>,
    },
    /// `traffic 1 H`
    Traffic {
        marker: u8,
        hex: HexId,
    },
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Phase,
    Unit(UnitId),
    Hex(HexId),
    Bridge(u16),
    Marker(u8),
}

fn bad(text: &str) -> Refusal {
    Refusal::plain(Message::new("refuse.notation").text("text", text.chars().take(60).collect::<String>()))
}

impl Holland {
    pub fn unit_named(&self, id: &str) -> Option<UnitId> {
        self.counters.iter().position(|c| c.id == id).map(|i| UnitId(i as u16))
    }

    fn id(&self, unit: UnitId) -> &str {
        &self.counter(unit).id
    }

    fn hexes(&self, path: &[HexId]) -> String {
        path.iter().map(|h| self.label(*h)).collect::<Vec<_>>().join(" ")
    }

    fn ids(&self, units: &[UnitId]) -> String {
        units.iter().map(|u| self.id(*u)).collect::<Vec<_>>().join(" ")
    }

    pub fn bridge_label(&self, bridge: u16) -> String {
        self.map.side_label(self.land.bridges[usize::from(bridge)].side)
    }

    pub fn write_action(&self, action: &Action) -> String {
        match action {
            Action::Move { unit, mode, path } => {
                let mut text = format!("move {} {}", self.id(*unit), self.hexes(path)).trim_end().to_owned();
                if *mode != Mode::Normal {
                    text += &format!(" {}", mode.key());
                }
                text
            }
            Action::Leave(u) => format!("leave {}", self.id(*u)),
            Action::Shift { unit, area } => {
                format!(
                    "box {} {}",
                    self.id(*unit),
                    self.pack.areas.get(usize::from(*area)).map_or("?", |a| &a.id)
                )
            }
            Action::Place { unit, hex } => format!("place {} {}", self.id(*unit), self.label(*hex)),
            Action::Land { unit, hex } => format!("land {} {}", self.id(*unit), self.label(*hex)),
            Action::Resupply(u) => format!("resupply {}", self.id(*u)),
            Action::Ready(u) => format!("ready {}", self.id(*u)),
            Action::Replace(u) => format!("replace {}", self.id(*u)),
            Action::Blow(b) => format!("blow {}", self.bridge_label(*b)),
            Action::Wire(b) => format!("wire {}", self.bridge_label(*b)),
            Action::Repair(b) => format!("repair {}", self.bridge_label(*b)),
            Action::Hold => "hold".into(),
            Action::Reveal(h) => format!("reveal {}", self.label(*h)),
            Action::Attack { target, with, lead, attached } => {
                let mut text = format!("attack {}", self.label(*target));
                if !with.is_empty() {
                    text += &format!(" with {}", self.ids(with));
                }
                if let Some(lead) = lead {
                    text += &format!(" lead {}", self.id(*lead));
                }
                if let Some(attached) = attached {
                    text += &format!(" attached {}", self.id(*attached));
                }
                text
            }
            Action::Support { guns, air } => {
                let mut text = "support".to_owned();
                if !guns.is_empty() {
                    text += &format!(" guns {}", self.ids(guns));
                }
                if *air {
                    text += " air";
                }
                text
            }
            Action::Lose(u) => format!("lose {}", self.id(*u)),
            Action::Stand { lead, gun } => match gun {
                Some(gun) => format!("stand {} gun {}", self.id(*lead), self.id(*gun)),
                None => format!("stand {}", self.id(*lead)),
            },
            Action::GiveWay => "give-way".into(),
            Action::Length(n) => format!("length {n}"),
            Action::Retreat { unit, path } => format!("retreat {} {}", self.id(*unit), self.hexes(path)),
            Action::Advance { unit, path } => format!("advance {} {}", self.id(*unit), self.hexes(path)),
            Action::Traffic { marker, hex } => format!("traffic {marker} {}", self.label(*hex)),
            Action::Done => "done".into(),
        }
    }

    pub fn read_action(&self, text: &str) -> Result<Action, Refusal> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let unit = |w: &str| self.unit_named(w).ok_or_else(|| bad(text));
        let hex = |w: &str| self.map.hex(w).map_err(|_| bad(text));
        let path = |words: &[&str]| words.iter().map(|w| hex(w)).collect::<Result<Vec<_>, _>>();
        let bridge = |w: &str| {
            let side = self.map.board.find_side(w).map_err(|_| bad(text))?;
            self.land.bridges.iter().position(|b| b.side == side).map(|i| i as u16).ok_or_else(|| bad(text))
        };
        match words[..] {
            ["move", u, ref rest @ ..] => {
                let word = rest.last().and_then(|w| Mode::ALL.into_iter().find(|m| m.key() == *w));
                let hexes = if word.is_some() { &rest[..rest.len() - 1] } else { rest };
                Ok(Action::Move { unit: unit(u)?, mode: word.unwrap_or(Mode::Normal), path: path(hexes)? })
            }
            ["leave", u] => Ok(Action::Leave(unit(u)?)),
            ["box", u, a] => {
                let area = self.pack.areas.iter().position(|x| x.id == a).ok_or_else(|| bad(text))?;
                Ok(Action::Shift { unit: unit(u)?, area: area as u8 })
            }
            ["place", u, h] => Ok(Action::Place { unit: unit(u)?, hex: hex(h)? }),
            ["land", u, h] => Ok(Action::Land { unit: unit(u)?, hex: hex(h)? }),
            ["resupply", u] => Ok(Action::Resupply(unit(u)?)),
            ["ready", u] => Ok(Action::Ready(unit(u)?)),
            ["replace", u] => Ok(Action::Replace(unit(u)?)),
            ["blow", b] => Ok(Action::Blow(bridge(b)?)),
            ["wire", b] => Ok(Action::Wire(bridge(b)?)),
            ["repair", b] => Ok(Action::Repair(bridge(b)?)),
            ["hold"] => Ok(Action::Hold),
            ["reveal", h] => Ok(Action::Reveal(hex(h)?)),
            ["attack", h, ref rest @ ..] => self.read_attack(text, hex(h)?, rest),
            ["support", ref rest @ ..] => {
                let (rest, air) = match rest.split_last() {
                    Some((&"air", rest)) => (rest, true),
                    _ => (rest, false),
                };
                let guns = match rest.split_first() {
                    None => Vec::new(),
                    Some((&"guns", list)) if !list.is_empty() => {
                        list.iter().map(|w| unit(w)).collect::<Result<_, _>>()?
                    }
                    Some(_) => return Err(bad(text)),
                };
                Ok(Action::Support { guns, air })
            }
            ["lose", u] => Ok(Action::Lose(unit(u)?)),
            ["stand", u] => Ok(Action::Stand { lead: unit(u)?, gun: None }),
            ["stand", u, "gun", g] => Ok(Action::Stand { lead: unit(u)?, gun: Some(unit(g)?) }),
            ["give-way"] => Ok(Action::GiveWay),
            ["length", n] => Ok(Action::Length(n.parse().map_err(|_| bad(text))?)),
            ["retreat", u, ref rest @ ..] => Ok(Action::Retreat { unit: unit(u)?, path: path(rest)? }),
            ["advance", u, ref rest @ ..] => Ok(Action::Advance { unit: unit(u)?, path: path(rest)? }),
            ["traffic", n, h] => {
                Ok(Action::Traffic { marker: n.parse().map_err(|_| bad(text))?, hex: hex(h)? })
            }
            ["done"] => Ok(Action::Done),
            _ => Err(bad(text)),
        }
    }

    fn read_attack(&self, text: &str, target: HexId, words: &[&str]) -> Result<Action, Refusal> {
        let unit = |w: &str| self.unit_named(w).ok_or_else(|| bad(text));
        let (mut with, mut lead, mut attached) = (Vec::new(), None, None);
        let mut heading = "";
        for word in words {
            match *word {
                "with" | "lead" | "attached" => heading = word,
                id => match heading {
                    "with" => with.push(unit(id)?),
                    "lead" if lead.is_none() => lead = Some(unit(id)?),
                    "attached" if attached.is_none() => attached = Some(unit(id)?),
                    _ => return Err(bad(text)),
                },
            }
        }
        Ok(Action::Attack { target, with, lead, attached })
    }

    pub fn write_subject(&self, subject: Subject) -> String {
        match subject {
            Subject::Phase => "phase".into(),
            Subject::Unit(u) => format!("unit {}", self.id(u)),
            Subject::Hex(h) => format!("hex {}", self.label(h)),
            Subject::Bridge(b) => format!("hexside {}", self.bridge_label(b)),
            Subject::Marker(n) => format!("marker {n}"),
        }
    }

    pub fn read_subject(&self, text: &str) -> Result<Subject, Refusal> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["phase"] => Ok(Subject::Phase),
            ["unit", u] => self.unit_named(u).map(Subject::Unit).ok_or_else(|| bad(text)),
            ["hex", h] => self.map.hex(h).map(Subject::Hex).map_err(|_| bad(text)),
            ["hexside", b] => {
                let side = self.map.board.find_side(b).map_err(|_| bad(text))?;
                let at = self.land.bridges.iter().position(|x| x.side == side);
                at.map(|i| Subject::Bridge(i as u16)).ok_or_else(|| bad(text))
            }
            ["marker", n] => n.parse().map(Subject::Marker).map_err(|_| bad(text)),
            _ => Err(bad(text)),
        }
    }
}
