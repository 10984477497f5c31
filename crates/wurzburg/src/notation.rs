//! The canonical notation, both ways (`docs/NOTATION.md`). Reading is generous: several ways to write a thing are
//! understood, one is written.

use hexgrid::{HexId, SideId};
use kernel::{Message, Refusal};

use crate::{
    action::{Action, Commit, Force, Hexes, Part, Parts, Payload, Units, Who, Work},
    engineers::HERE,
    frame::Frame,
    pack::AirProfile,
    report::payer_word,
    rules::Wurzburg,
    state::{OpKind, Payer, State, Variant},
    units::{FormationId, UnitId},
};

pub fn write(rules: &Wurzburg, action: &Action) -> String {
    let unit = |unit: &UnitId| rules.id(*unit).to_owned();
    let hex = |hex: HexId| rules.field.label(hex).to_owned();
    match action {
        Action::Done => "done".into(),
        Action::Pass => "pass".into(),
        Action::Plan { formation, kind, payer } => {
            let name = &rules.formation(*formation).id;
            match payer {
                Payer::None => format!("plan {name} {}", kind.word()),
                payer => format!("plan {name} {} by {}", kind.word(), payer_word(rules, *payer)),
            }
        }
        Action::Effort(formation) => format!("effort {}", rules.formation(*formation).id),
        Action::PostponeEffort => "postpone effort".into(),
        Action::TakeBackEffort => "take back effort".into(),
        Action::Activate(formation) => format!("activate {}", rules.formation(*formation).id),
        Action::Lead(lead) => format!("lead {}", unit(lead)),
        Action::Commit(commit) => write_commit(rules, commit),
        Action::March { formation, base, units, rally, airmobile } => {
            let mut text = String::from("march");
            match (formation.some(), base) {
                (Some(formation), true) => {
                    text.push_str(&format!(" base {}", rules.formation(formation).id));
                }
                (Some(formation), false) => text.push_str(&format!(" {}", rules.formation(formation).id)),
                _ => {}
            }
            if formation.some().is_some() && !units.is_empty() {
                text.push_str(" with");
            }
            for u in units {
                text.push_str(&format!(" {}", unit(u)));
            }
            if let Some(rally) = rally.some() {
                text.push_str(&format!(" rally {}", hex(rally)));
            }
            if *airmobile {
                text.push_str(" airmobile");
            }
            text
        }
        Action::Move { parts, path } => {
            let mut text = format!("move {}", write_parts(rules, parts));
            for to in path {
                text.push_str(&format!(" {}", hex(*to)));
            }
            text
        }
        Action::Ferry { parts, with, to } => {
            let head = format!("ferry {} with", write_parts(rules, parts));
            format!("{} to {}", joined(&head, with.iter().map(unit)), hex(*to))
        }
        Action::Cross(site) => format!("cross {}", hex(*site)),
        Action::Land { part, to } => format!("land {} {}", write_part(rules, *part), hex(*to)),
        Action::Raze { side, to } => match to.some() {
            Some(to) => format!("raze {} engineer {}", rules.field.side_label(*side), hex(to)),
            None => format!("raze {}", rules.field.side_label(*side)),
        },
        Action::Abandon { unit: engineer, to } => format!("abandon {} {}", unit(engineer), hex(*to)),
        Action::Place { work, hex: at } => format!("place {} {}", work.key(), hex(*at)),
        Action::Combine(units) => joined("combine", units.iter().map(unit)),
        Action::Transfer { part, to } => format!("transfer {} to {}", write_part(rules, *part), unit(to)),
        Action::Row { unit: of, ten } => format!("row {} {}", unit(of), if *ten { "ten" } else { "five" }),
        Action::Return { unit: hq, hex: at } => match at.some() {
            Some(at) => format!("return {} {}", unit(hq), hex(at)),
            None => format!("return {}", unit(hq)),
        },
        Action::Clean { hq, hex: at } => format!("clean {} {}", unit(hq), hex(*at)),
        Action::Attach { formation, to } => {
            format!("attach {} to {}", rules.formation(*formation).id, rules.formation(*to).id)
        }
        Action::Deploy { unit: of, hex: at } => format!("deploy {} {}", unit(of), hex(*at)),
        Action::RemovePosition(at) => format!("remove position {}", hex(*at)),
        Action::Remove(dummy) => format!("remove {}", unit(dummy)),
        Action::GoOn => "go on".into(),
        Action::Stop => "stop".into(),
        Action::Objective(to) => format!("objective {}", hex(*to)),
        Action::Keep => "keep".into(),
        Action::Mask(parts) => format!("mask {}", write_parts(rules, parts)),
        Action::React { parts, payer, path } => {
            let mut text = format!("react {}", write_parts(rules, parts));
            if *payer != Payer::None {
                text.push_str(&format!(" by {}", payer_word(rules, *payer)));
            }
            if !path.is_empty() {
                text.push_str(" via");
                for to in path {
                    text.push_str(&format!(" {}", hex(*to)));
                }
            }
            text
        }
        Action::Recon { hex: at, payer } => format!("recon {} by {}", hex(*at), payer_word(rules, *payer)),
        Action::Strike { what, hex: at, hq, with, air } => {
            let head = match what {
                Payload::Fire => format!("strike {}", hex(*at)),
                Payload::Adm => format!("adm {}", hex(*at)),
                Payload::GasPersistent => format!("gas {} persistent", hex(*at)),
                Payload::GasNonPersistent => format!("gas {} non-persistent", hex(*at)),
            };
            if *air > 0 {
                format!("{head} by {} air {air}", unit(hq))
            } else {
                format!("{head} by {} with {}", unit(hq), write_parts(rules, with))
            }
        }
        Action::Profile { profile, at } => match at.some() {
            Some(at) => format!("profile {} at {}", profile.key(), hex(at)),
            None => format!("profile {}", profile.key()),
        },
        Action::Sam => "sam".into(),
        Action::Flak(strength) => format!("flak {strength}"),
        Action::Abort => "abort".into(),
        Action::Counter { target, hq, gun, spotter } => {
            format!("counter {} by {} with {} spotter {}", unit(target), unit(hq), unit(gun), unit(spotter))
        }
        Action::ReconBridge { side, payer } => {
            format!("recon {} by {}", rules.field.side_label(*side), payer_word(rules, *payer))
        }
        Action::StrikeBridge { side, hq, with, air } => {
            let head = format!("strike {} by {}", rules.field.side_label(*side), unit(hq));
            if *air > 0 {
                format!("{head} air {air}")
            } else {
                format!("{head} with {}", write_parts(rules, with))
            }
        }
        Action::Call { hq, with } => format!("call {} with {}", unit(hq), write_parts(rules, with)),
        Action::Jam(hq) => format!("jam {}", unit(hq)),
        Action::Fire { target, with } => {
            let gun = |part: &Part| match part.steps {
                Some(steps) => format!("{}:{steps}", rules.id(part.unit)),
                None => rules.id(part.unit).to_owned(),
            };
            let head = format!("fire {} with", hex(*target));
            joined(&head, with.iter().map(gun))
        }
        Action::Hold => "hold".into(),
        Action::Stand => "stand".into(),
        Action::Elect => "retreat".into(),
        Action::Cover(cover) => format!("cover {}", unit(cover)),
        Action::Lose(lost) => format!("lose {}", unit(lost)),
        Action::Retreat { part, to } => {
            let to = to.some().map_or_else(|| "off".to_owned(), hex);
            format!("retreat {} {to}", write_part(rules, *part))
        }
        Action::Advance(part) => format!("advance {}", write_part(rules, *part)),
        Action::Exit(units) => joined("exit", units.iter().map(unit)),
        Action::Storm { units, combined } => {
            let text = joined("storm", units.iter().map(unit));
            if *combined { format!("{text} combined") } else { text }
        }
        Action::Fight => "fight".into(),
        Action::Charge => "charge".into(),
        Action::ChargeTo(to) => format!("charge to {}", hex(*to)),
        Action::Withdraw(to) => format!("withdraw {}", hex(*to)),
        Action::WithdrawApart(list) => {
            joined("withdraw", list.iter().map(|(who, to)| format!("{} {}", unit(who), hex(*to))))
        }
        Action::Smoke(engineer) => format!("smoke {}", unit(engineer)),
        Action::Always => "always".into(),
        Action::Screen(units) => joined("screen", units.iter().map(unit)),
        Action::Work { unit: engineer, work, side, to } => {
            let mut text = format!("work {} {}", unit(engineer), work.key());
            if *side != HERE {
                text.push_str(&format!(" {}", rules.field.side_label(*side)));
            }
            if let Some(to) = to.some() {
                text.push_str(&format!(" to {}", hex(to)));
            }
            text
        }
        Action::Blow(side) => format!("blow {}", rules.field.side_label(*side)),
        Action::Fly(path) => joined("fly", path.iter().map(|at| hex(*at))),
        Action::Home => "home".into(),
        Action::Lift { parts, lz, via, approach, helicopters } => {
            let mut text = format!("lift {} to {}", write_parts(rules, parts), hex(*lz));
            if *helicopters > 0 {
                text.push_str(&format!(" with {helicopters}"));
            }
            for (word, way) in [("approach", approach), ("via", via)] {
                if !way.is_empty() {
                    text = joined(&format!("{text} {word}"), way.iter().map(|at| hex(*at)));
                }
            }
            text
        }
        Action::Paradrop => "paradrop".into(),
        Action::Drop { unit: who, hex: at } => format!("drop {} {}", unit(who), hex(*at)),
    }
}

fn joined(head: &str, words: impl Iterator<Item = String>) -> String {
    let mut text = head.to_owned();
    for word in words {
        text.push(' ');
        text.push_str(&word);
    }
    text
}

fn write_part(rules: &Wurzburg, part: Part) -> String {
    match part.steps {
        Some(steps) => format!("{steps} of {}", rules.id(part.unit)),
        None => rules.id(part.unit).to_owned(),
    }
}

fn write_parts(rules: &Wurzburg, parts: &Parts) -> String {
    parts.iter().map(|part| write_part(rules, *part)).collect::<Vec<_>>().join(" ")
}

fn write_commit(rules: &Wurzburg, commit: &Commit) -> String {
    let mut text = commit.kind.word().to_owned();
    for (n, force) in commit.forces.iter().enumerate() {
        text.push_str(if n == 0 { " " } else { " and " });
        match force.who {
            Who::Formation(formation) => text.push_str(&rules.formation(formation).id),
            Who::Lead(lead) => text.push_str(rules.id(lead)),
        }
        if !force.with.is_empty() {
            text = joined(&format!("{text} with"), force.with.iter().map(|unit| rules.id(*unit).to_owned()));
        }
        if force.payer != Payer::None {
            text.push_str(&format!(" by {}", payer_word(rules, force.payer)));
        }
    }
    match (commit.bridge, commit.objective.some()) {
        (Some(side), Some(hex)) => {
            let (bridge, hex) = (rules.field.side_label(side), rules.field.label(hex));
            text.push_str(&format!(" objective {bridge} marker {hex}"));
        }
        (None, Some(hex)) => text.push_str(&format!(" objective {}", rules.field.label(hex))),
        _ => {}
    }
    if commit.variant != Variant::Plain {
        text.push(' ');
        text.push_str(commit.variant.key());
    }
    if commit.airmobile {
        text.push_str(" airmobile");
    }
    text
}

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

    /// Takes any of some words if it comes next.
    fn take_one(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.take(word))
    }

    /// Takes a word if it comes next.
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

    /// Units as long as they come.
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

    /// `A`, `2 of A`, `A:2`
    fn part(&mut self) -> Result<Part, Refusal> {
        if self.list.get(self.at + 1) == Some(&"of") {
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

    /// Parts as long as they come.
    fn parts(&mut self) -> Result<Parts, Refusal> {
        let mut parts = Parts::new();
        while let Some(word) = self.peek() {
            let id = word.split_once(':').map_or(word, |(id, _)| id);
            let counted = self.list.get(self.at + 1) == Some(&"of");
            if !counted && self.rules.named(id).is_none() {
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
                (Some(unit), _) => Who::Lead(unit),
                (None, Some(formation)) => Who::Formation(formation),
                (None, None) => return refuse("no.formation", word),
            };
            self.at += 1;
            let with = if self.take("with") { self.units() } else { Units::new() };
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
                    // 38.3.2: the marker lies in the first of the two hexes, unless `marker` says otherwise.
                    let first = self.peek().and_then(|word| word.split_once('/')).map_or("", |(hex, _)| hex);
                    commit.objective = self.rules.field.find(first).unwrap_or(HexId::NONE);
                    commit.bridge = Some(self.side()?);
                }
                "marker" => commit.objective = self.hex()?,
                "objective" | "at" | "against" => commit.objective = self.hex()?,
                "no" if self.take("objective") => {}
                "gegenangriff" => commit.variant = Variant::Gegenangriff,
                "airmobile" => commit.airmobile = true,
                "overrun" => commit.variant = Variant::Overrun,
                "close" => commit.variant = Variant::Close,
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
        {
            formation = self.formation()?;
        }
        self.take("with");
        let units = self.units();
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
            } else if self.take("by") || hq.is_none() {
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
    let mut w = Words { rules, list: crate::spelling::usual(&list), at: 0 };
    let verb = w.next().unwrap_or_default();
    let action = match verb {
        // One word for "nothing more", whatever the question calls it.
        "done" | "pass" => match s.top() {
            Frame::Maneuver | Frame::CounterBattery => Action::Pass,
            _ => Action::Done,
        },
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
            Action::Move { parts, path: w.hexes() }
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
            let path = if w.take("via") { w.hexes() } else { Hexes::new() };
            Action::React { parts, payer, path }
        }
        "fire" => {
            let target = w.hex()?;
            w.take("with");
            Action::Fire { target, with: w.parts()? }
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
            let unit = w.unit()?;
            w.take_one(&["at", "in", "to"]);
            Action::Drop { unit, hex: w.hex()? }
        }
        _ => return refuse("kernel.bad_notation", text),
    };
    w.end()?;
    Ok(action)
}
