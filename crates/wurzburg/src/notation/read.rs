//! Text to decisions.

use hexgrid::{HexId, SideId};
use kernel::{Message, Refusal};

use crate::{
    action::{Action, Commit, Force, Hexes, Part, Parts, Payload, Units, Who, Work},
    deployment::Layout,
    engineers::HERE,
    frame::Frame,
    pack::AirProfile,
    rules::Wurzburg,
    state::{OpKind, Payer, State, Variant},
    units::{FormationId, Side, Symbol, UnitId},
};

fn refuse<T>(key: &'static str, text: &str) -> Result<T, Refusal> {
    Err(Refusal::plain(Message::new(key).text("text", text)))
}

/// The words of a text, read one after the other.
struct Words<'a> {
    rules: &'a Wurzburg,
    list: Vec<&'a str>,
    at: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.list.get(self.at).copied()
    }

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.at += 1;
        Some(word)
    }

    /// Take the next word if it is one of these.
    fn take_one(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.take(word))
    }

    /// Take the next word if it is this one.
    fn take(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.at += usize::from(found);
        found
    }

    fn end(&self) -> Result<(), Refusal> {
        match self.peek() {
            None => Ok(()),
            Some(_) => refuse("kernel.bad_notation", &self.list.join(" ")),
        }
    }

    fn unit(&mut self) -> Result<UnitId, Refusal> {
        let word = self.next().unwrap_or_default();
        self.rules.named(word).map_or_else(|| refuse("no.unit", word), Ok)
    }

    fn hex(&mut self) -> Result<HexId, Refusal> {
        let word = self.next().unwrap_or_default();
        self.rules.field.find(word).map_or_else(|| refuse("no.hex", word), Ok)
    }

    fn formation(&mut self) -> Result<FormationId, Refusal> {
        let word = self.next().unwrap_or_default();
        self.rules.formation_named(word).map_or_else(|| refuse("no.formation", word), Ok)
    }

    fn side(&mut self) -> Result<SideId, Refusal> {
        let word = self.next().unwrap_or_default();
        self.rules.field.board.find_side(word).or_else(|_| refuse("no.hexside", word))
    }

    /// As many units as follow.
    fn units(&mut self) -> Units {
        let mut units = Units::new();
        while let Some(unit) = self.peek().and_then(|word| self.rules.named(word)) {
            units.push(unit);
            self.at += 1;
        }
        units
    }

    fn hexes(&mut self) -> Hexes {
        let mut hexes = Hexes::new();
        while let Some(word) = self.peek() {
            if matches!(word, "->" | "to") {
                self.at += 1;
                continue;
            }
            let Some(hex) = self.rules.field.find(word) else { break };
            hexes.push(hex);
            self.at += 1;
        }
        hexes
    }

    /// Does `2 of A` come next?
    fn counted(&self) -> bool {
        self.list.get(self.at + 1) == Some(&"of")
    }

    /// `A`, `2 of A`, `A:2`
    fn part(&mut self) -> Result<Part, Refusal> {
        if self.counted() {
            let count = self.next().unwrap_or_default();
            let Ok(steps) = count.parse::<u8>() else { return refuse("no.number", count) };
            self.at += 1;
            return Ok(Part { unit: self.unit()?, steps: Some(steps) });
        }
        let word = self.next().unwrap_or_default();
        if let Some((id, count)) = word.split_once(':') {
            let Some(unit) = self.rules.named(id) else { return refuse("no.unit", id) };
            let Ok(steps) = count.parse::<u8>() else { return refuse("no.number", count) };
            return Ok(Part { unit, steps: Some(steps) });
        }
        match self.rules.named(word) {
            Some(unit) => Ok(Part::all(unit)),
            None => refuse("no.unit", word),
        }
    }

    /// As many parts as follow.
    fn parts(&mut self) -> Result<Parts, Refusal> {
        let mut parts = Parts::new();
        while let Some(word) = self.peek() {
            let id = word.split_once(':').map_or(word, |(id, _)| id);
            if !self.counted() && self.rules.named(id).is_none() {
                break;
            }
            parts.push(self.part()?);
        }
        Ok(parts)
    }

    fn payer(&mut self) -> Result<Payer, Refusal> {
        if !self.take("by") {
            return Ok(Payer::None);
        }
        match self.next().unwrap_or_default() {
            "off-map" => Ok(Payer::OffMap),
            "main-effort" => Ok(Payer::MainEffort),
            "nobody" => Ok(Payer::None),
            word => match self.rules.named(word) {
                Some(hq) => Ok(Payer::Hq(hq)),
                None => refuse("no.unit", word),
            },
        }
    }

    fn number(&mut self) -> Result<u8, Refusal> {
        let word = self.next().unwrap_or_default();
        word.parse().or_else(|_| refuse("no.number", word))
    }

    fn work(&mut self) -> Result<Work, Refusal> {
        let word = self.next().unwrap_or_default();
        let work = Work::ALL.into_iter().find(|work| work.key() == word);
        work.map_or_else(|| refuse("no.work_name", word), Ok)
    }

    fn commit(&mut self, kind: OpKind) -> Result<Action, Refusal> {
        let mut forces = smallvec::SmallVec::new();
        loop {
            let word = self.peek().unwrap_or_default();
            let who = match (self.rules.named(word), self.rules.formation_named(word)) {
                _ if self.counted() => Who::Lead(self.part()?),
                // A WP unit may be named for its regiment.
                (Some(unit), _) if self.rules.counter(unit).side == Side::Wp => {
                    self.at += 1;
                    Who::Formation(self.rules.counter(unit).formation)
                }
                (Some(_), _) => Who::Lead(self.part()?),
                (None, Some(formation)) => {
                    self.at += 1;
                    Who::Formation(formation)
                }
                (None, None) => return refuse("no.formation", word),
            };
            let mut with = if self.take("with") { self.parts()? } else { Parts::new() };
            // Only an Assault has several forces (13.3, 13.7): elsewhere `and` names more units of the one.
            while kind != OpKind::Assault && !with.is_empty() && self.take("and") {
                with.extend(self.parts()?);
            }
            let payer = self.payer()?;
            forces.push(Force { who, with, payer });
            if !self.take("and") {
                break;
            }
        }
        let mut commit = Commit {
            kind,
            variant: Variant::Plain,
            forces,
            objective: HexId::NONE,
            bridge: None,
            airmobile: false,
        };
        while let Some(word) = self.next() {
            match word {
                "objective" | "at" | "against" if self.peek().is_some_and(|word| word.contains('/')) => {
                    // 38.3.2: the marker is in the first of the two hexes, unless `marker` says otherwise.
                    let first = self.peek().and_then(|word| word.split_once('/')).map_or("", |(hex, _)| hex);
                    commit.objective = self.rules.field.find(first).unwrap_or(HexId::NONE);
                    commit.bridge = Some(self.side()?);
                }
                "marker" => commit.objective = self.hex()?,
                "objective" | "at" | "against" => commit.objective = self.hex()?,
                "no" if self.take("objective") => {}
                "airmobile" => commit.airmobile = true,
                "gegenangriff" | "overrun" | "close" => {
                    let variant = match word {
                        "gegenangriff" => Variant::Gegenangriff,
                        "overrun" => Variant::Overrun,
                        _ => Variant::Close,
                    };
                    if ![Variant::Plain, variant].contains(&commit.variant) {
                        return self.rules.no("41.4", "variant.combined").into(); // 42.0, 43.0
                    }
                    commit.variant = variant;
                }
                _ => return refuse("kernel.bad_notation", &self.list.join(" ")),
            }
        }
        Ok(Action::Commit(commit))
    }

    fn march(&mut self) -> Result<Action, Refusal> {
        let base = self.take("base");
        let mut formation = FormationId::NONE;
        if base {
            formation = self.formation()?;
        } else if let Some(word) = self.peek()
            && self.rules.named(word).is_none()
            && !self.counted()
        {
            formation = self.formation()?;
        }
        self.take("with");
        let units = self.parts()?;
        let rally = if self.take("rally") { self.hex()? } else { HexId::NONE };
        let airmobile = self.take("airmobile");
        Ok(Action::March { formation, base, units, rally, airmobile })
    }
}

/// `by HQ`, `with G H`, `air 2` of a Strike, in any order.
type Means = (UnitId, Parts, u8);

impl Words<'_> {
    fn means(&mut self) -> Result<Means, Refusal> {
        let (mut hq, mut with, mut air) = (None, Parts::new(), 0);
        loop {
            if self.take("with") {
                with = self.parts()?;
            } else if self.take("air") {
                air = self.number()?;
            } else if self.take("by") {
                hq = Some(self.unit()?);
            } else if hq.is_none() {
                let word = self.peek().unwrap_or_default();
                // `strike 2716 G`: a gun, whose HQ is not named.
                let gun =
                    self.rules.named(word).filter(|unit| self.rules.counter(*unit).symbol != Symbol::Hq);
                if gun.is_some() || self.counted() {
                    return refuse("kernel.bad_notation", &self.list.join(" "));
                }
                hq = Some(self.unit()?);
            } else {
                break;
            }
        }
        hq.map_or_else(|| refuse("no.unit", ""), |hq| Ok((hq, with, air)))
    }
}

pub fn read(rules: &Wurzburg, s: &State, text: &str) -> Result<Action, Refusal> {
    let spaced = text.to_lowercase().replace("->", " -> ").replace([',', '+'], " ");
    let list: Vec<&str> = spaced.split_whitespace().collect();
    let list = crate::spelling::usual(&list);
    let refusal = match read_words(rules, s, &list, text) {
        Ok(action) => return Ok(action),
        Err(refusal) => refusal,
    };
    // A rule has been broken, whatever the order of the words; or something is not in the order of the notation.
    let other = if refusal.rule == "-" { super::respell::otherwise(rules, s, &list) } else { None };
    let read = |words: Vec<String>| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        read_words(rules, s, &words, text)
    };
    match other.map(read) {
        Some(Err(other)) if other.rule != "-" => Err(other),
        Some(Ok(action)) => Ok(action),
        _ => Err(refusal),
    }
}

/// The hexes of a path after the one where the unit is.
fn onward(s: &State, parts: &Parts, mut path: Hexes) -> Hexes {
    let here = parts.first().map(|part| s.unit(part.unit).hex);
    if path.len() > 1 && path.first().copied() == here {
        path.remove(0);
    }
    path
}

fn read_words(rules: &Wurzburg, s: &State, list: &[&str], text: &str) -> Result<Action, Refusal> {
    let mut w = Words { rules, list: list.to_vec(), at: 0 };
    let verb = w.next().unwrap_or_default();
    let action = match verb {
        // "Nothing more" may be written either way, whatever the question.
        "done" | "pass" => match s.top() {
            Frame::Maneuver | Frame::CounterBattery => Action::Pass,
            _ => Action::Done,
        },
        // 43.0 step 5: a side that does not withdraw fights on.
        "fight" | "stand" | "stay" if matches!(s.top(), Frame::Withdraw(_)) => Action::Done,
        "plan" => {
            let formation = w.formation()?;
            let word = w.next().unwrap_or_default();
            let Some(kind) = OpKind::read(word) else { return refuse("no.operation", word) };
            Action::Plan { formation, kind, payer: w.payer()? }
        }
        "effort" => Action::Effort(w.formation()?),
        "postpone" if w.take("effort") => Action::PostponeEffort,
        "take" if w.take("back") => {
            w.take("effort");
            Action::TakeBackEffort
        }
        "activate" => Action::Activate(w.formation()?),
        "lead" => Action::Lead(w.unit()?),
        "march" => w.march()?,
        "hasty" => w.commit(OpKind::HastyAttack)?,
        "assault" => w.commit(OpKind::Assault)?,
        "reserve" => w.commit(OpKind::Reserve)?,
        "move" => {
            let parts = w.parts()?;
            w.take("to");
            let path = onward(s, &parts, w.hexes());
            Action::Move { parts, path }
        }
        "ferry" => {
            let parts = w.parts()?;
            w.take("with");
            let with = w.units();
            w.take("to");
            Action::Ferry { parts, with, to: w.hex()? }
        }
        "cross" => Action::Cross(w.hex()?),
        "land" => {
            let part = w.part()?;
            w.take("to");
            Action::Land { part, to: w.hex()? }
        }
        "raze" => {
            let side = w.side()?;
            let to = if w.take("engineer") { w.hex()? } else { HexId::NONE };
            Action::Raze { side, to }
        }
        "abandon" => {
            let unit = w.unit()?;
            w.take("to");
            Action::Abandon { unit, to: w.hex()? }
        }
        "place" => {
            let work = w.work()?;
            Action::Place { work, hex: w.hex()? }
        }
        "row" => {
            let unit = w.unit()?;
            match w.next().unwrap_or_default() {
                "ten" => Action::Row { unit, ten: true },
                "five" => Action::Row { unit, ten: false },
                word => return refuse("kernel.bad_notation", word),
            }
        }
        "return" => {
            let unit = w.unit()?;
            Action::Return { unit, hex: if w.peek().is_some() { w.hex()? } else { HexId::NONE } }
        }
        "clean" | "decontaminate" => {
            let hq = w.unit()?;
            Action::Clean { hq, hex: w.hex()? }
        }
        "attach" => {
            let formation = w.formation()?;
            w.take("to");
            Action::Attach { formation, to: w.formation()? }
        }
        "deploy" if w.peek().is_none() => Action::DeployAll(Layout::Listed),
        "deploy" if w.peek() == Some("forward") => {
            w.next();
            Action::DeployAll(Layout::Forward)
        }
        "deploy" => {
            let unit = w.unit()?;
            Action::Deploy { unit, hex: w.hex()? }
        }
        "combine" => Action::Combine(w.units()),
        "transfer" => {
            let part = w.part()?;
            w.take("to");
            Action::Transfer { part, to: w.unit()? }
        }
        "remove" if w.take("position") => Action::RemovePosition(w.hex()?),
        "remove" => Action::Remove(w.unit()?),
        "go" if w.take("on") => Action::GoOn,
        "stop" => Action::Stop,
        "objective" => Action::Objective(w.hex()?),
        "keep" => Action::Keep,
        "mask" => Action::Mask(w.parts()?),
        "react" => {
            let parts = w.parts()?;
            let payer = w.payer()?;
            let path = if w.take("via") { onward(s, &parts, w.hexes()) } else { Hexes::new() };
            Action::React { parts, payer, path }
        }
        "fire" => {
            // `fire A B -> 2020` means `fire 2020 with A B`.
            let first = w.parts()?;
            w.take_one(&["->", "at"]);
            let target = match w.peek().and_then(|word| rules.named(word)) {
                Some(unit) if !first.is_empty() => {
                    w.at += 1;
                    s.unit(unit).hex
                }
                _ => w.hex()?,
            };
            w.take("with");
            let mut with = w.parts()?;
            with.extend(first);
            Action::Fire { target, with }
        }
        "recon" if w.peek().is_some_and(|word| word.contains('/')) => {
            let side = w.side()?;
            Action::ReconBridge { side, payer: w.payer()? }
        }
        "strike" if w.peek().is_some_and(|word| word.contains('/')) => {
            let side = w.side()?;
            let (hq, with, air) = w.means()?;
            Action::StrikeBridge { side, hq, with, air }
        }
        "recon" => {
            let hex = w.hex()?;
            Action::Recon { hex, payer: w.payer()? }
        }
        "strike" | "adm" | "gas" => {
            let hex = w.hex()?;
            let what = match verb {
                "strike" => Payload::Fire,
                "adm" => Payload::Adm,
                _ if w.take("persistent") => Payload::GasPersistent,
                _ => {
                    w.take("non-persistent");
                    Payload::GasNonPersistent
                }
            };
            let (hq, with, air) = w.means()?;
            Action::Strike { what, hex, hq, with, air }
        }
        "profile" => {
            let word = w.next().unwrap_or_default();
            let Some(profile) = AirProfile::parse(word) else { return refuse("no.profile", word) };
            let at = if w.take("at") { w.hex()? } else { HexId::NONE };
            Action::Profile { profile, at }
        }
        "sam" => Action::Sam,
        "flak" if w.take("full") || w.take("always") => Action::Always,
        "smoke" => Action::Smoke(w.unit()?),
        "flak" => {
            let word = w.next().unwrap_or_default();
            let Ok(strength) = word.parse() else { return refuse("no.number", word) };
            Action::Flak(strength)
        }
        "abort" => Action::Abort,
        "counter" => {
            let target = w.unit()?;
            w.take("by");
            let hq = w.unit()?;
            w.take("with");
            let gun = w.unit()?;
            w.take("spotter");
            Action::Counter { target, hq, gun, spotter: w.unit()? }
        }
        "call" => {
            w.take("by");
            let hq = w.unit()?;
            w.take("with");
            Action::Call { hq, with: w.parts()? }
        }
        "jam" => {
            w.take_one(&["by", "with"]);
            Action::Jam(w.unit()?)
        }
        "always" => Action::Always,
        "hold" if w.take("always") => Action::Always,
        "hold" => Action::Hold,
        "stand" => Action::Stand,
        "cover" => Action::Cover(w.unit()?),
        "lose" => Action::Lose(w.unit()?),
        "retreat" if w.peek().is_none() => Action::Elect,
        "retreat" => {
            let part = w.part()?;
            w.take("to");
            let to = if w.take_one(&["off", "off-map"]) { HexId::NONE } else { w.hex()? };
            Action::Retreat { part, to }
        }
        "advance" => Action::Advance(w.part()?),
        "exit" => Action::Exit(w.units()),
        "storm" => {
            let units = w.units();
            Action::Storm { units, combined: w.take("combined") }
        }
        "fight" => Action::Fight,
        "charge" if w.take("to") => Action::ChargeTo(w.hex()?),
        "charge" => Action::Charge,
        "withdraw" if w.peek().is_some_and(|word| w.rules.named(word).is_some()) => {
            let mut list = smallvec::SmallVec::new();
            while w.peek().is_some() {
                let who = w.unit()?;
                w.take("to");
                list.push((who, w.hex()?));
            }
            Action::WithdrawApart(list)
        }
        "withdraw" => {
            w.take("to");
            Action::Withdraw(w.hex()?)
        }
        "screen" => {
            w.take("with");
            Action::Screen(w.units())
        }
        "work" => {
            let unit = w.unit()?;
            let work = w.work()?;
            let side = if w.peek().is_some_and(|word| word != "to") { w.side()? } else { HERE };
            let to = if w.take("to") { w.hex()? } else { HexId::NONE };
            Action::Work { unit, work, side, to }
        }
        "blow" => Action::Blow(w.side()?),
        "fly" => {
            w.take("to");
            let path = w.hexes();
            if path.is_empty() {
                return refuse("no.hex", w.peek().unwrap_or_default());
            }
            Action::Fly(path)
        }
        "home" => Action::Home,
        "lift" => {
            let parts = w.parts()?;
            w.take("to");
            let lz = w.hex()?;
            let helicopters = if w.take("with") { w.number()? } else { 0 };
            let approach = if w.take("approach") { w.hexes() } else { Hexes::new() };
            let via = if w.take("via") { w.hexes() } else { Hexes::new() };
            Action::Lift { parts, lz, via, approach, helicopters }
        }
        "paradrop" => Action::Paradrop,
        "drop" => {
            // 29.5.1: always one step.
            if w.counted() && w.peek() == Some("1") {
                w.at += 2;
            }
            let unit = w.unit()?;
            w.take_one(&["at", "in", "to"]);
            Action::Drop { unit, hex: w.hex()? }
        }
        _ => return refuse("kernel.bad_notation", text),
    };
    w.end()?;
    Ok(action)
}
