//! Parses text into decisions. Legality is not checked here, beyond what is needed to understand the words.

use hexgrid::HexId;
use kernel::{Message, Refusal};

use crate::{
    action::{Action, Attack, Attackers, Mode, Move, Path, Supporters, Units},
    combat::{advance, retreat},
    frame::Frame,
    list::{List, Slot},
    pack::{BoxId, EntryId, FormationId, Side, UnitId},
    place::Place,
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// The decision that a text stands for.
pub fn read(rules: &Ardennes, s: &State, side: Side, text: &str) -> Result<Action, Refusal> {
    let rest = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let mut words = Words { rules, s, rest, text };
    let action = words.action(side)?;
    words.end()?;
    Ok(action)
}

pub fn read_subject(rules: &Ardennes, text: &str) -> Result<Subject, Refusal> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["phase"] => Ok(Subject::Phase),
        ["unit", id] => Ok(Subject::Unit(unit(rules, id)?)),
        ["hex", label] => Ok(Subject::Hex(hex(rules, label)?)),
        ["bridge", label] => Ok(Subject::Bridge(bridge(rules, label)?)),
        _ => Err(bad("no.notation.subject", text)),
    }
}

fn bad(key: &'static str, text: &str) -> Refusal {
    Refusal::plain(Message::new(key).text("text", text))
}

fn unit(rules: &Ardennes, id: &str) -> Result<UnitId, Refusal> {
    rules.pack.unit_by_slug(id).ok_or_else(|| bad("no.notation.unit", id))
}

/// An Entry Hex by its letter (3.2).
fn entry_hex(rules: &Ardennes, letter: &str) -> Option<HexId> {
    let at = rules.pack.entries.iter().position(|e| e.letter.to_string().eq_ignore_ascii_case(letter))?;
    rules.land.entry_hex(EntryId(at as u8))
}

fn hex(rules: &Ardennes, label: &str) -> Result<HexId, Refusal> {
    let hex = rules.map.board.find(label).map_err(|_| bad("no.notation.hex", label))?;
    if rules.land.in_play.contains(hex) { Ok(hex) } else { Err(bad("no.notation.hex", label)) }
}

fn bridge(rules: &Ardennes, label: &str) -> Result<u16, Refusal> {
    let (a, b) = label.split_once('/').ok_or_else(|| bad("no.notation.hexside", label))?;
    let (a, b) = (hex(rules, a)?, hex(rules, b)?);
    let edge = rules.land.between(a, b).ok_or_else(|| bad("no.notation.hexside", label))?;
    edge.bridge().ok_or_else(|| Refusal::new("7.2", Message::new("no.bridge.none").place("hexside", label)))
}

struct Words<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    rest: std::collections::VecDeque<&'a str>,
    text: &'a str,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Result<&'a str, Refusal> {
        self.rest.pop_front().ok_or_else(|| bad("no.notation.incomplete", self.text))
    }

    fn peek(&self) -> Option<&'a str> {
        self.rest.front().copied()
    }

    /// Takes the word if it comes next.
    fn take(&mut self, word: &str) -> bool {
        let here = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word));
        if here {
            self.rest.pop_front();
        }
        here
    }

    fn expect(&mut self, word: &str) -> Result<(), Refusal> {
        if self.take(word) { Ok(()) } else { Err(self.unknown()) }
    }

    fn end(&self) -> Result<(), Refusal> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.unknown()) }
    }

    fn unknown(&self) -> Refusal {
        bad("no.notation.unknown", self.text)
    }

    fn unit(&mut self) -> Result<UnitId, Refusal> {
        unit(self.rules, self.next()?)
    }

    fn hex(&mut self) -> Result<HexId, Refusal> {
        hex(self.rules, self.next()?)
    }

    fn bridge(&mut self) -> Result<u16, Refusal> {
        bridge(self.rules, self.next()?)
    }

    /// Units up to a word that is not a unit, at least one.
    fn units<const N: usize>(&mut self, stop: &[&str]) -> Result<List<UnitId, N>, Refusal>
    where
        UnitId: Slot,
    {
        let mut list = List::new();
        while let Some(word) = self.peek().filter(|w| !stop.contains(w)) {
            self.rest.pop_front();
            if word == "and" && !list.is_empty() {
                continue;
            }
            for id in word.split('+').filter(|id| !id.is_empty()) {
                if !list.push(unit(self.rules, id)?) {
                    return Err(bad("no.notation.too_many", self.text));
                }
            }
        }
        if list.is_empty() { Err(bad("no.notation.incomplete", self.text)) } else { Ok(list) }
    }

    /// Artillery units; more than the rule allows are refused by that rule.
    fn guns(&mut self, rule: &'static str, stop: &[&str]) -> Result<Supporters, Refusal> {
        let named: Units = self.units(stop)?;
        let mut guns = Supporters::new();
        if named.iter().all(|gun| guns.push(*gun)) {
            return Ok(guns);
        }
        let shifts = &self.rules.tables().shifts;
        self.rules.no(rule, "support.too_many").number("limit", shifts.artillery_attacker_max_units).into()
    }

    fn action(&mut self, side: Side) -> Result<Action, Refusal> {
        Ok(match self.next()?.to_ascii_lowercase().as_str() {
            "done" => Action::Done,
            "deploy" if self.peek() == Some("armor") => {
                self.next()?;
                Action::DeployArmor
            }
            "deploy" => Action::Deploy,
            "place" => Action::Place { unit: self.unit()?, hex: self.hex()? },
            "ready" => Action::Ready { unit: self.unit()? },
            "fuel" => Action::Fuel { formation: self.formation()? },
            "blow" => {
                let bridge = self.bridge()?;
                let unit = if self.take("with") { Some(self.unit()?) } else { None };
                Action::Blow { bridge, unit }
            }
            "hold" => {
                self.expect("fire")?;
                Action::HoldFire
            }
            "repair" => Action::Repair { bridge: self.bridge()? },
            "burn" => Action::Burn { hex: self.hex()? },
            "move" => self.movement()?,
            "halt" => Action::Halt,
            "infiltrate" => Action::Infiltrate { attempt: true },
            "send" => Action::Send { unit: self.unit()?, to: self.off_map_box()? },
            "block" => {
                let unit = self.unit()?;
                self.expect("at")?;
                Action::Block { unit, entry: self.entry()? }
            }
            "dig" => Action::Dig { unit: self.unit()? },
            "finish" => Action::Finish { unit: self.unit()? },
            "fill" => Action::Fill { unit: self.unit()? },
            word @ ("spend" | "keep") => {
                self.expect("fuel")?;
                Action::SpendFuel { spend: word == "spend" }
            }
            "load" => Action::Load { unit: self.unit()? },
            "unload" => Action::Unload { unit: self.unit()? },
            "night" => self.night(side)?,
            "drop" => Action::Drop { unit: self.unit()?, hex: self.hex()? },
            // 15.6: part of the support of an attack, or the roll of the Movement Phase.
            "air" if self.s.top() == Frame::AttackSupport => {
                Action::Support { units: Supporters::new(), air: true }
            }
            "air" => Action::Air,
            "breakdown" => Action::Breakdown { unit: self.unit()?, whole: self.take("whole") },
            "recombine" => Action::Recombine { unit: self.unit()? },
            "disengage" => Action::Disengage { units: self.units(&[])? },
            "attack" => self.attack()?,
            "call" => {
                self.expect("off")?;
                Action::CallOff
            }
            "go" => {
                self.expect("on")?;
                Action::GoOn
            }
            "support" | "artillery" => self.support()?,
            "press" => {
                self.take("lead");
                Action::Press { lead: self.lead(&self.s.combat.attackers)? }
            }
            "engage" => Action::Engage,
            "slip" => {
                self.expect("away")?;
                Action::SlipAway
            }
            "accept" => Action::Accept,
            "lose" => Action::Lose { unit: self.unit()? },
            "remnant" => Action::Remnant { form: true },
            "no" => match self.next()?.to_ascii_lowercase().as_str() {
                "remnant" => Action::Remnant { form: false },
                "support" => Action::NoSupport,
                "infiltration" => Action::Infiltrate { attempt: false },
                _ => return Err(self.unknown()),
            },
            word @ ("stand" | "determined") => {
                if word == "determined" && !self.take("defense") {
                    self.expect("defence")?;
                }
                self.take("lead");
                Action::Stand { lead: self.lead(&self.s.combat.defenders)? }
            }
            "give" => {
                self.expect("way")?;
                Action::GiveWay
            }
            "retreat" => {
                let unit = self.unit()?;
                self.take("to");
                let path = match self.far_end(unit, |words, unit, each| {
                    let hexes = words.s.combat.retreat;
                    retreat::routes(words.rules, words.s, unit, hexes, &mut |r| each(r.path, r.end));
                }) {
                    Some(path) => path,
                    None => self.path_of(unit, "17.1")?,
                };
                Action::Retreat { unit, path, out: self.take("out") }
            }
            "remove" => Action::Remove { unit: self.unit()? },
            "advantage" => Action::Advantage { unit: self.unit()? },
            "advance" => {
                let unit = self.unit()?;
                self.take("to");
                let path = match self.far_end(unit, |words, unit, each| {
                    advance::destinations(words.rules, words.s, unit, each);
                }) {
                    Some(path) => path,
                    None => self.path_of(unit, "19.1")?,
                };
                Action::Advance { unit, path }
            }
            "stay" => Action::Stay,
            "traffic" => {
                let number = self.next()?;
                let number = number.parse().map_err(|_| bad("no.notation.number", number))?;
                Action::Traffic { number, hex: self.hex()? }
            }
            "roadblock" => Action::Roadblock { hex: self.hex()? },
            "lift" => Action::Lift { hex: self.hex()? },
            "antwerp" => Action::Antwerp { unit: self.unit()? },
            "replace" => {
                let unit = self.unit()?;
                let hex = if self.rest.is_empty() { HexId::NONE } else { self.hex()? };
                Action::Replace { unit, hex }
            }
            _ => return Err(self.unknown()),
        })
    }

    /// The Lead Unit; it need not be named if only one unit fights.
    fn lead(&mut self, fighting: &[UnitId]) -> Result<UnitId, Refusal> {
        match fighting {
            [only] if self.rest.is_empty() => Ok(*only),
            _ => self.unit(),
        }
    }

    /// A single hex that is not adjacent to the unit: the first of the legal paths there.
    fn far_end(
        &mut self,
        unit: UnitId,
        ways: impl Fn(&Self, UnitId, &mut dyn FnMut(Path, HexId)),
    ) -> Option<Path> {
        let start = self.s.unit(unit).hex()?;
        let mut words = self.rest.iter().filter(|word| **word != "out");
        let (Some(only), None) = (words.next(), words.next()) else { return None };
        let end = hex(self.rules, only).ok()?;
        if end == start || self.rules.land.direction(start, end).is_some() {
            return None;
        }
        let mut found = None;
        ways(self, unit, &mut |path, at| {
            if at == end && found.is_none() {
                found = Some(path);
            }
        });
        if found.is_some() {
            self.rest.pop_front();
        }
        found
    }

    fn formation(&mut self) -> Result<FormationId, Refusal> {
        let id = self.next()?;
        let known = self.rules.pack.formations.iter().position(|f| f.id == id);
        known.map(|at| FormationId(at as u8)).ok_or_else(|| bad("no.notation.formation", id))
    }

    fn off_map_box(&mut self) -> Result<BoxId, Refusal> {
        let id = self.next()?;
        let known = self.rules.pack.boxes.iter().position(|b| b.id.eq_ignore_ascii_case(id));
        known.map(|at| BoxId(at as u8)).ok_or_else(|| bad("no.notation.box", id))
    }

    fn entry(&mut self) -> Result<EntryId, Refusal> {
        let id = self.next()?;
        let known = self.rules.pack.entries.iter().position(|e| {
            let mut letters = id.chars();
            letters.next().is_some_and(|c| c.eq_ignore_ascii_case(&e.letter)) && letters.next().is_none()
        });
        known.map(|at| EntryId(at as u8)).ok_or_else(|| bad("no.notation.entry", id))
    }

    /// `night A B`, or `night 1313` for every unit of the stack that may have the marker.
    fn night(&mut self, side: Side) -> Result<Action, Refusal> {
        let word = self.peek().ok_or_else(|| bad("no.notation.incomplete", self.text))?;
        if self.rules.pack.unit_by_slug(word).is_some() {
            return Ok(Action::Night { units: self.units(&[])? });
        }
        let hex = self.hex()?;
        let may = |u: &UnitId| crate::movement::may_have_night_marker(self.rules, self.s, side, *u).is_ok();
        let units: Units = self.s.stack(hex).filter(may).collect();
        Ok(Action::Night { units })
    }

    /// `A 1212 1313 [mode] [out]`
    fn movement(&mut self) -> Result<Action, Refusal> {
        let mut units = Units::new();
        let mut names = self.next()?;
        loop {
            for id in names.split('+').filter(|id| !id.is_empty()) {
                if !units.push(unit(self.rules, id)?) {
                    return Err(bad("no.notation.too_many", self.text));
                }
            }
            // A stack may also be written with blanks.
            match self.peek().filter(|word| word.split('+').all(|id| unit(self.rules, id).is_ok())) {
                Some(more) => names = more,
                None => break,
            }
            self.rest.pop_front();
        }
        self.take("to");
        let mut hexes: Vec<HexId> = Vec::new();
        let (mut mode, mut out) = (Mode::Normal, false);
        while let Some(word) = self.peek() {
            if let Some(named) = Mode::named(word) {
                mode = named;
            } else if word == "out" {
                out = true;
            } else {
                let entry = entry_hex(self.rules, word).filter(|_| hexes.is_empty());
                hexes.push(entry.map_or_else(|| hex(self.rules, word), Ok)?);
            }
            self.rest.pop_front();
        }
        let first = units.first().copied().ok_or_else(|| self.unknown())?;
        let mut entry = HexId::NONE;
        let mut from = self.s.unit(first).hex();
        // The unit's own hex may be written first.
        let here = usize::from(from.is_some() && hexes.len() > 1 && hexes.first().copied() == from);
        let mut way = &hexes[here..];
        if from.is_none() {
            // From off the map the first hex is the Entry Hex, if it is written.
            if let Some((first_hex, rest)) = hexes.split_first()
                && self.rules.is_entry_for(self.s, first, *first_hex)
            {
                (entry, from, way) = (*first_hex, Some(*first_hex), rest);
            }
        }
        let mut path = Path::default();
        let to = match (way.split_last(), from) {
            (None, Some(here)) => here,
            (None, None) => return Err(bad("no.notation.incomplete", self.text)),
            (Some((last, _)), Some(start)) => {
                let stepwise = self.rules.land.direction(start, way[0]).is_some() || way.len() > 1;
                if stepwise {
                    path = self.path(start, way, "11.1")?;
                }
                *last
            }
            (Some((last, _)), None) => *last,
        };
        let mode = self.rules.mode_meant(self.s, first, mode);
        Ok(Action::Move(Move { units, mode, entry, to, path, out }))
    }

    /// The rest of the hexes as a path, each next to the one before.
    fn path(&self, from: HexId, hexes: &[HexId], rule: &'static str) -> Result<Path, Refusal> {
        let mut path = Path::default();
        let mut at = from;
        for hex in hexes {
            let direction = self.rules.land.direction(at, *hex).ok_or_else(|| {
                Refusal::from(self.rules.no(rule, "path.gap").hex("from", at).hex("to", *hex))
            })?;
            if !path.push(direction) {
                return Err(bad("no.notation.too_many", self.text));
            }
            at = *hex;
        }
        Ok(path)
    }

    fn path_of(&mut self, unit: UnitId, rule: &'static str) -> Result<Path, Refusal> {
        let mut hexes = Vec::new();
        while self.peek().is_some_and(|word| word != "out") {
            hexes.push(self.hex()?);
        }
        match self.s.unit(unit).place() {
            Place::Hex(from) => {
                // The unit's own hex may be written first.
                let here = usize::from(hexes.len() > 1 && hexes[0] == from);
                self.path(from, &hexes[here..], rule)
            }
            // 13.8: the first hex of an advance from a Blocking Position is the target.
            _ if hexes.first() == Some(&self.s.combat.target) => self.path(hexes[0], &hexes[1..], rule),
            _ => Err(self.rules.no(rule, "not_on_map").unit("unit", unit).into()),
        }
    }

    /// `G H [air]`; the word `artillery` may precede the units, as in an attack.
    fn support(&mut self) -> Result<Action, Refusal> {
        const STOP: &[&str] = &["air"];
        self.take("artillery");
        let attacking = self.s.top() == Frame::AttackSupport;
        let named = self.peek().is_some_and(|word| !STOP.contains(&word));
        let rule = if attacking { "22.7" } else { "22.8" };
        let units = if named { self.guns(rule, STOP)? } else { Supporters::new() };
        let air = self.take("air");
        // Without units it is the skeleton of the attacker's support.
        if units.is_empty() && !air && !attacking {
            return Err(bad("no.notation.incomplete", self.text));
        }
        Ok(Action::Support { units, air })
    }

    /// `1313 with A B [artillery G H] [air] [surprise]`
    fn attack(&mut self) -> Result<Action, Refusal> {
        const STOP: &[&str] = &["artillery", "support", "air", "surprise"];
        let target = self.hex()?;
        let units: Attackers = if self.take("with") { self.units(STOP)? } else { Attackers::new() };
        let mut artillery = Supporters::new();
        let (mut air, mut surprise) = (false, false);
        while let Some(word) = self.peek() {
            self.rest.pop_front();
            match word {
                "artillery" | "support" => artillery = self.guns("22.7", STOP)?,
                // 15.6: one marker per combat.
                "air" if air => return self.rules.no("15.6", "attack.air").number("left", 0).into(),
                "air" => air = true,
                "surprise" => surprise = true,
                _ => return Err(self.unknown()),
            }
        }
        Ok(Action::Attack(Attack { units, artillery, air, surprise, ..Attack::blank(target) }))
    }
}
