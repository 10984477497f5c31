//! Every decision and its notation.

use hexgrid::HexId;
use kernel::{Message, Refusal};
use zocbond::{List, UnitId};

use crate::airlanding::Drop;
use crate::frame::Mode;
use crate::state::{Fighters, Steps, Units, Way};
use crate::world::Holland;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `move U H H`, with `tactical`, `extended` or `prime_mover` behind it; `move U+U H` moves a stack together (8.1). A
    /// distant hex alone means the cheapest path there ([`Holland::way_meant`]).
    Move {
        unit: UnitId,
        /// The other units of the stack.
        also: Units,
        mode: Mode,
        path: Way,
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
    /// `deploy`, `deploy close`: all units of the first drop land, each in a hex of the set-up card (22.8).
    LandAll(Drop),
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
    /// `hold H/H`: this one of several bridges is not blown (8.10).
    HoldAt(u16),
    /// `reveal H`
    Reveal(HexId),
    /// `look`: the German player looks under the Unknown counters (25.5).
    Look,
    /// `attack H with U U lead U attached U`; as a skeleton it names nobody.
    Attack {
        target: HexId,
        with: Fighters,
        lead: Option<UnitId>,
        attached: Option<UnitId>,
    },
    /// `support guns U U air`
    Support {
        guns: Units,
        air: bool,
    },
    /// `attack H with U U [lead U] artillery U air`: support is named with the attack and given at step 4 (9.4), unless a
    /// bridge is blown before.
    Planned {
        target: HexId,
        with: Fighters,
        lead: Option<UnitId>,
        attached: Option<UnitId>,
        guns: Units,
        air: bool,
    },
    /// `call off`: the attack over a bridge that was blown (9.4).
    CallOff,
    /// `go on`
    GoOn,
    /// `halt`: end an interrupted move (5.4).
    Halt,
    /// `dismount U`, `mount U` (8.7)
    Dismount(UnitId),
    Mount(UnitId),
    /// `mark H with U U`: Automatic DS (9.6)
    AutoDs {
        target: HexId,
        with: Fighters,
    },
    /// `disengage U U` (27.1)
    Disengage(Units),
    /// `withdraw U H [H]`: where a unit that disengaged goes.
    Withdraw {
        unit: UnitId,
        path: Steps,
    },
    /// `breakdown U` (21.1)
    Breakdown(UnitId),
    /// `rebuild U with U` (21.4)
    Rebuild {
        unit: UnitId,
        with: UnitId,
    },
    /// `merge U with U` (21.5): the first is kept.
    Merge {
        unit: UnitId,
        with: UnitId,
    },
    /// `return U H` or `return U A`: from the Dead Pile to a hex or a box (20.3)
    Return {
        unit: UnitId,
        to: crate::state::Place,
    },
    /// `refit U U`: airborne replacements of the units' division (22.7)
    Refit(Units),
    /// `ferry U H/H`, `pack U` (23.3.3)
    Ferry {
        unit: UnitId,
        side: hexgrid::SideId,
    },
    Pack(UnitId),
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
        path: Steps,
    },
    /// `retreat U H out`: off the map (13.7)
    RetreatOut {
        unit: UnitId,
        path: Steps,
    },
    /// `move U H H [MODE] out`: off the map at the end of a move (19.5)
    MoveOut {
        unit: UnitId,
        also: Units,
        mode: Mode,
        path: Way,
    },
    /// `advance U H H`
    Advance {
        unit: UnitId,
        path: Steps,
    },
    /// `traffic 1 H`
    Traffic {
        marker: u8,
        hex: HexId,
    },
    Done,
}

impl Action {
    /// The rule that says when this is decided.
    pub const fn rule(&self) -> &'static str {
        match self {
            Action::Move { .. } => "8.1",
            Action::Leave(_) | Action::MoveOut { .. } => "19.5",
            Action::Shift { .. } => "19.6",
            Action::Place { .. } => "23.6",
            Action::Land { .. } => "22.1",
            Action::LandAll(_) => "22.8",
            Action::Resupply(_) => "22.6",
            Action::Refit(_) => "22.7",
            Action::Ready(_) => "17.3",
            Action::Replace(_) | Action::Return { .. } => "20.3",
            Action::Blow(_) | Action::Hold | Action::HoldAt(_) => "5.4",
            Action::Wire(_) => "5.3",
            Action::Repair(_) => "5.8",
            Action::Reveal(_) => "25.3",
            Action::Look => "25.5",
            Action::Attack { .. } | Action::Planned { .. } => "9.1",
            Action::Support { .. } => "17.6",
            Action::CallOff | Action::GoOn => "9.4",
            Action::Halt => "8.10",
            Action::Dismount(_) | Action::Mount(_) => "8.7",
            Action::AutoDs { .. } => "9.6",
            Action::Disengage(_) | Action::Withdraw { .. } => "27.1",
            Action::Breakdown(_) => "21.2",
            Action::Rebuild { .. } => "21.4",
            Action::Merge { .. } => "21.5",
            Action::Ferry { .. } | Action::Pack(_) => "23.3.3",
            Action::Lose(_) => "11.3",
            Action::Stand { .. } | Action::GiveWay => "12.1",
            Action::Length(_) | Action::Retreat { .. } => "13.1",
            Action::RetreatOut { .. } => "13.7",
            Action::Advance { .. } => "15.1",
            Action::Traffic { .. } => "24.3",
            Action::Done => "3.2",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Phase,
    Unit(UnitId),
    Hex(HexId),
    Bridge(u16),
    Marker(u8),
}

/// As a list of fixed capacity; nobody names so many that they do not fit.
fn list_of<const N: usize>(text: &str, units: &[UnitId]) -> Result<List<UnitId, N>, Refusal> {
    if units.len() > N { Err(bad(text)) } else { Ok(List::of(units)) }
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
            Action::Move { unit, also, mode, path } => {
                let mut text = format!("move {}", self.id(*unit));
                for other in also {
                    text += &format!("+{}", self.id(*other));
                }
                if !path.is_empty() {
                    text += &format!(" {}", self.hexes(path));
                }
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
            Action::LandAll(Drop::Listed) => "deploy".into(),
            Action::LandAll(Drop::Close) => "deploy close".into(),
            Action::Resupply(u) => format!("resupply {}", self.id(*u)),
            Action::Ready(u) => format!("ready {}", self.id(*u)),
            Action::Replace(u) => format!("replace {}", self.id(*u)),
            Action::Blow(b) => format!("blow {}", self.bridge_label(*b)),
            Action::Wire(b) => format!("wire {}", self.bridge_label(*b)),
            Action::Repair(b) => format!("repair {}", self.bridge_label(*b)),
            Action::Hold => "hold".into(),
            Action::HoldAt(b) => format!("hold {}", self.bridge_label(*b)),
            Action::Reveal(h) => format!("reveal {}", self.label(*h)),
            Action::Look => "look".into(),
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
            Action::Planned { target, with, lead, attached, guns, air } => {
                let attack =
                    Action::Attack { target: *target, with: *with, lead: *lead, attached: *attached };
                let mut text = self.write_action(&attack);
                if !guns.is_empty() {
                    text += &format!(" artillery {}", self.ids(guns));
                }
                if *air {
                    text += " air";
                }
                text
            }
            Action::CallOff => "call off".into(),
            Action::GoOn => "go on".into(),
            Action::Halt => "halt".into(),
            Action::Dismount(u) => format!("dismount {}", self.id(*u)),
            Action::Mount(u) => format!("mount {}", self.id(*u)),
            Action::AutoDs { target, with } => {
                format!("mark {} with {}", self.label(*target), self.ids(with))
            }
            Action::Disengage(units) => format!("disengage {}", self.ids(units)),
            Action::Withdraw { unit, path } => {
                format!("withdraw {} {}", self.id(*unit), self.hexes(path)).trim_end().to_owned()
            }
            Action::Breakdown(u) => format!("breakdown {}", self.id(*u)),
            Action::Rebuild { unit, with } => format!("rebuild {} with {}", self.id(*unit), self.id(*with)),
            Action::Merge { unit, with } => format!("merge {} with {}", self.id(*unit), self.id(*with)),
            Action::Return { unit, to } => {
                let to = match to {
                    crate::state::Place::Hex(hex) => self.label(*hex),
                    crate::state::Place::Box(area) => {
                        self.pack.areas.get(usize::from(*area)).map_or("?", |a| &a.id)
                    }
                    _ => "?",
                };
                format!("return {} {to}", self.id(*unit))
            }
            Action::Refit(units) => format!("refit {}", self.ids(units)),
            Action::Ferry { unit, side } => {
                format!("ferry {} {}", self.id(*unit), self.map.side_label(*side))
            }
            Action::Pack(u) => format!("pack {}", self.id(*u)),
            Action::Lose(u) => format!("lose {}", self.id(*u)),
            Action::Stand { lead, gun } => match gun {
                Some(gun) => format!("stand {} gun {}", self.id(*lead), self.id(*gun)),
                None => format!("stand {}", self.id(*lead)),
            },
            Action::GiveWay => "give-way".into(),
            Action::Length(n) => format!("length {n}"),
            Action::Retreat { unit, path } => format!("retreat {} {}", self.id(*unit), self.hexes(path)),
            Action::RetreatOut { unit, path } => {
                format!("retreat {} {} out", self.id(*unit), self.hexes(path)).replace("  ", " ")
            }
            Action::MoveOut { unit, also, mode, path } => {
                let step = Action::Move { unit: *unit, also: *also, mode: *mode, path: *path };
                format!("{} out", self.write_action(&step))
            }
            Action::Advance { unit, path } => format!("advance {} {}", self.id(*unit), self.hexes(path)),
            Action::Traffic { marker, hex } => format!("traffic {marker} {}", self.label(*hex)),
            Action::Done => "done".into(),
        }
    }

    pub fn read_action(&self, text: &str) -> Result<Action, Refusal> {
        let parted = text.split(|c: char| c.is_whitespace() || c == ',');
        let words: Vec<&str> = parted.filter(|word| !word.is_empty()).collect();
        if let [verb, ref rest @ ..] = words[..]
            && verb.bytes().any(|b| b.is_ascii_uppercase())
        {
            return self.read_action(&format!("{} {}", verb.to_ascii_lowercase(), rest.join(" ")));
        }
        let unit = |w: &str| self.unit_named(w).ok_or_else(|| bad(text));
        let hex = |w: &str| self.map.hex(w).map_err(|_| bad(text));
        let path = |words: &[&str]| self.read_hexes::<42>(text, words);
        let steps = |words: &[&str]| self.read_hexes::<8>(text, words);
        let units =
            |words: &[&str]| words.iter().flat_map(|w| w.split('+')).map(unit).collect::<Result<Vec<_>, _>>();
        let bridge = |w: &str| {
            let side = self.map.board.find_side(w).map_err(|_| bad(text))?;
            self.land.bridges.iter().position(|b| b.side == side).map(|i| i as u16).ok_or_else(|| bad(text))
        };
        match words[..] {
            ["move", u, ref rest @ ..] => {
                let (rest, out) = match rest.split_last() {
                    Some((&"out", head)) => (head, true),
                    _ => (rest, false),
                };
                let word = rest.last().and_then(|w| Mode::named(w));
                let hexes = if word.is_some() { &rest[..rest.len() - 1] } else { rest };
                // A stack is written as `A+B` or `A B`.
                let named =
                    hexes.iter().take_while(|w| w.contains('+') || self.unit_named(w).is_some()).count();
                let mut all = units(&[u])?;
                all.extend(units(&hexes[..named])?);
                let to = usize::from(matches!(hexes.get(named), Some(&("to" | "via"))));
                let also = list_of(text, &all[1..])?;
                let (unit, mode, path) = (all[0], word.unwrap_or(Mode::Normal), path(&hexes[named + to..])?);
                Ok(if out {
                    Action::MoveOut { unit, also, mode, path }
                } else {
                    Action::Move { unit, also, mode, path }
                })
            }
            ["leave", u] => Ok(Action::Leave(unit(u)?)),
            ["box", u, a] => {
                let area = self.pack.areas.iter().position(|x| x.id == a).ok_or_else(|| bad(text))?;
                Ok(Action::Shift { unit: unit(u)?, area: area as u8 })
            }
            ["place", u, h] => Ok(Action::Place { unit: unit(u)?, hex: hex(h)? }),
            ["land", u, h] => Ok(Action::Land { unit: unit(u)?, hex: hex(h)? }),
            ["deploy"] => Ok(Action::LandAll(Drop::Listed)),
            ["deploy", "close"] => Ok(Action::LandAll(Drop::Close)),
            ["resupply", u] => Ok(Action::Resupply(unit(u)?)),
            ["ready", u] => Ok(Action::Ready(unit(u)?)),
            ["replace", u] => Ok(Action::Replace(unit(u)?)),
            ["blow" | "demolish", b] => Ok(Action::Blow(bridge(b)?)),
            ["wire", b] => Ok(Action::Wire(bridge(b)?)),
            ["repair", b] => Ok(Action::Repair(bridge(b)?)),
            ["hold" | "wait"] | ["hold", "fire"] => Ok(Action::Hold),
            ["hold", b] | ["hold", "fire", b] => Ok(Action::HoldAt(bridge(b)?)),
            ["call", "off"] => Ok(Action::CallOff),
            ["go", "on"] => Ok(Action::GoOn),
            ["halt"] => Ok(Action::Halt),
            ["dismount", u] => Ok(Action::Dismount(unit(u)?)),
            ["mount", u] => Ok(Action::Mount(unit(u)?)),
            ["mark" | "auto", h, "with", ref rest @ ..] if !rest.is_empty() => {
                Ok(Action::AutoDs { target: hex(h)?, with: list_of(text, &units(rest)?)? })
            }
            ["disengage", ref rest @ ..] if !rest.is_empty() => {
                Ok(Action::Disengage(list_of(text, &units(rest)?)?))
            }
            ["retreat" | "advance" | "withdraw", u, "to", ref rest @ ..] => {
                self.read_action(&format!("{} {u} {}", words[0], rest.join(" ")))
            }
            ["withdraw", u, ref rest @ ..] => Ok(Action::Withdraw { unit: unit(u)?, path: steps(rest)? }),
            ["breakdown", u] => Ok(Action::Breakdown(unit(u)?)),
            ["rebuild", u, "with", w] => Ok(Action::Rebuild { unit: unit(u)?, with: unit(w)? }),
            ["merge", u, "with", w] => Ok(Action::Merge { unit: unit(u)?, with: unit(w)? }),
            ["return", u, at] => {
                let area = self.pack.areas.iter().position(|a| a.id == at.trim_start_matches("box:"));
                let to = match area {
                    Some(i) => crate::state::Place::Box(i as u8),
                    None => crate::state::Place::Hex(hex(at)?),
                };
                Ok(Action::Return { unit: unit(u)?, to })
            }
            ["refit", ref rest @ ..] if !rest.is_empty() => Ok(Action::Refit(list_of(text, &units(rest)?)?)),
            ["ferry", u, s] => {
                let side = self.map.board.find_side(s).map_err(|_| bad(text))?;
                Ok(Action::Ferry { unit: unit(u)?, side })
            }
            ["pack", u] => Ok(Action::Pack(unit(u)?)),
            ["reveal", h] => Ok(Action::Reveal(hex(h)?)),
            ["look"] => Ok(Action::Look),
            ["attack", h, ref rest @ ..] => self.read_attack(text, hex(h)?, rest),
            ["no", "support"] => Ok(Action::Support { guns: Units::new(), air: false }),
            ["support", ref rest @ ..] => {
                let (rest, air) = match rest.split_last() {
                    Some((&"air", rest)) => (rest, true),
                    _ => (rest, false),
                };
                let guns = match rest.split_first() {
                    None => Vec::new(),
                    Some((&("guns" | "artillery"), list)) if !list.is_empty() => units(list)?,
                    Some(_) => units(rest)?,
                };
                Ok(Action::Support { guns: list_of(text, &guns)?, air })
            }
            ["lose", u] => Ok(Action::Lose(unit(u)?)),
            ["stand", "lead", ref rest @ ..]
            | ["dd", ref rest @ ..]
            | ["determined", "defense", ref rest @ ..] => {
                self.read_action(&format!("stand {}", rest.join(" ")))
            }
            ["stand", u, "artillery" | "support", g] => {
                Ok(Action::Stand { lead: unit(u)?, gun: Some(unit(g)?) })
            }
            ["stand", u] => Ok(Action::Stand { lead: unit(u)?, gun: None }),
            ["stand", u, "gun", g] => Ok(Action::Stand { lead: unit(u)?, gun: Some(unit(g)?) }),
            ["give-way"] | ["give", "way"] | ["no", "stand"] => Ok(Action::GiveWay),
            ["length", n] => Ok(Action::Length(n.parse().map_err(|_| bad(text))?)),
            ["retreat", u, ref rest @ .., "out"] => {
                Ok(Action::RetreatOut { unit: unit(u)?, path: steps(rest)? })
            }
            ["retreat", u, ref rest @ ..] => Ok(Action::Retreat { unit: unit(u)?, path: steps(rest)? }),
            ["advance", u, ref rest @ ..] => Ok(Action::Advance { unit: unit(u)?, path: steps(rest)? }),
            ["traffic", n, "at" | "in" | "on", h] | ["traffic", n, h] => {
                Ok(Action::Traffic { marker: n.parse().map_err(|_| bad(text))?, hex: hex(h)? })
            }
            ["done" | "stay"] => Ok(Action::Done),
            _ => Err(bad(text)),
        }
    }

    fn read_hexes<const N: usize>(&self, text: &str, words: &[&str]) -> Result<List<HexId, N>, Refusal> {
        let mut out = List::new();
        for word in words {
            let hex = self.map.hex(word).map_err(|_| bad(text))?;
            if !out.push(hex) {
                return Err(bad(text));
            }
        }
        Ok(out)
    }

    fn read_attack(&self, text: &str, target: HexId, words: &[&str]) -> Result<Action, Refusal> {
        let unit = |w: &str| self.unit_named(w).ok_or_else(|| bad(text));
        let (mut with, mut lead, mut attached) = (Vec::new(), None, None);
        let (mut guns, mut air) = (Vec::new(), false);
        let mut heading = "with";
        for word in words.iter().flat_map(|w| w.split('+')) {
            match word {
                "with" | "lead" | "attached" | "artillery" | "guns" | "support" => heading = word,
                "air" => air = true,
                "and" | "none" => {}
                id => match heading {
                    "with" => with.push(unit(id)?),
                    "artillery" | "guns" | "support" => guns.push(unit(id)?),
                    "lead" if lead.is_none() => lead = Some(unit(id)?),
                    "attached" if attached.is_none() => attached = Some(unit(id)?),
                    _ => return Err(bad(text)),
                },
            }
        }
        let (with, guns) = (list_of(text, &with)?, list_of(text, &guns)?);
        Ok(if air || !guns.is_empty() {
            Action::Planned { target, with, lead, attached, guns, air }
        } else {
            Action::Attack { target, with, lead, attached }
        })
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
