//! Decisions in another order of words: a text that the notation does not read is put into its order and read again.

use hexgrid::HexId;

use crate::{
    action::{Action, Payload, Work},
    frame::Frame,
    pack::AirProfile,
    play::Cx,
    rules::Wurzburg,
    state::{OpKind, Payer, State},
    support::{best_batteries, check_strike},
    units::{Side, Symbol, UnitId, UnitSet},
};

/// The words between an objective and what is before it.
const TOWARDS: [&str; 7] = ["objective", "at", "against", "on", "->", "to", "in"];

/// One task force of an operation.
#[derive(Default)]
struct Force {
    who: Vec<String>,
    with: Vec<String>,
    by: Vec<String>,
}

struct Text<'a> {
    rules: &'a Wurzburg,
    s: &'a State,
    words: Vec<String>,
}

/// The same decision in the order of the notation, if the words are known.
pub fn otherwise(rules: &Wurzburg, s: &State, list: &[&str]) -> Option<Vec<String>> {
    let mut text = Text { rules, s, words: list.iter().map(|word| (*word).to_owned()).collect() };
    text.declared();
    text.formations();
    text.verb();
    text.counts();
    text.order()
}

impl Text<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    fn set(&mut self, verb: &str) {
        if let Some(first) = self.words.first_mut() {
            verb.clone_into(first);
        }
    }

    fn unit(&self, word: &str) -> Option<UnitId> {
        self.rules.named(word.split_once(':').map_or(word, |(id, _)| id))
    }

    fn is_hex(&self, word: &str) -> bool {
        self.rules.field.find(word).is_some()
    }

    /// The hex of a word: its own, or that of the unit that it names.
    fn place(&self, word: &str) -> Option<String> {
        if self.is_hex(word) || word.contains('/') {
            return Some(word.to_owned());
        }
        let hex = self.s.unit(self.unit(word)?).hex.some()?;
        Some(self.rules.field.label(hex).to_owned())
    }

    /// `declare an airmobile hasty …`, `task force A with B hasty …`: the operation comes first.
    fn declared(&mut self) {
        let fill = |word: &String| ["declare", "a", "an", "the"].contains(&word.as_str());
        while self.words.first().is_some_and(fill) {
            self.words.remove(0);
        }
        if self.word(0) == "task" && self.word(1) == "force" {
            self.words.drain(..2);
        }
        let opens = |word: &String| ["hasty", "assault", "reserve", "march"].contains(&word.as_str());
        let leads = ["airmobile", "overrun", "close", "gegenangriff"].contains(&self.word(0));
        let named = self.unit(self.word(0)).is_some();
        if let Some(at) = self.words.iter().position(opens).filter(|at| *at > 0 && (leads || named)) {
            let kind = self.words.remove(at);
            if leads {
                let tail = self.words.remove(0);
                self.words.push(tail);
            }
            self.words.insert(0, kind);
        }
    }

    /// `243 MRR`, `3/3 Brigade`, `247th Guards Motor Rifle Regiment`: one word.
    fn formations(&mut self) {
        let mut at = 1;
        while at < self.words.len() {
            let most = 6.min(self.words.len() - at);
            let joined = (2..=most).rev().find_map(|count| {
                let words = &self.words[at..at + count];
                let apart = at == 1 || self.unit(&words[1]).is_none();
                let base = words.iter().any(|word| word == "base");
                let found = crate::lab::formation_named(self.rules, &words.join(" "));
                found.filter(|_| apart && !base && self.unit(&words[0]).is_none()).map(|found| (count, found))
            });
            if let Some((count, formation)) = joined {
                let id = self.rules.formation(formation).id.to_lowercase();
                self.words.splice(at..at + count, [id]);
            }
            at += 1;
        }
    }

    /// Other verbs for the same decision.
    fn verb(&mut self) {
        let is_work = |word: &str| Work::ALL.into_iter().any(|work| work.key() == word);
        match (self.words.first().map_or("", String::as_str), self.words.get(1).map_or("", String::as_str)) {
            ("defensive" | "offensive" | "infiltration" | "retreat" | "fire", "fire" | "strike") => {
                self.words.remove(0);
            }
            ("adm" | "gas", "strike") => {
                self.words.remove(1);
            }
            ("strike", "adm" | "gas") => {
                self.words.remove(0);
            }
            ("air", "strike") => {
                self.words.remove(0);
                // The number of Air Points comes last.
                let at = self.words.len() - 1;
                if at > 1 && self.word(at).len() == 1 && self.word(at - 1) != "air" {
                    self.words.insert(at, "air".into());
                }
            }
            ("reconnaissance" | "reconnoitre" | "reconnoiter", _) => self.set("recon"),
            ("reaction", _) => self.set("react"),
            ("jamming" | "jam", _) => {
                self.set("jam");
                self.keep_units();
            }
            ("lose" | "cover", _) => self.keep_units(),
            ("combine" | "move", _) => {
                let joints = ["and", "with", "into", "via", "through", "then", "by", "road", "along", "the"];
                self.words.retain(|word| !joints.contains(&word.as_str()));
            }
            ("transfer", _) => self.transfer(),
            // 17.5: the steps that cross.
            ("cross", unit) if self.unit(unit).is_some() || self.word(2) == "of" => self.set("land"),
            ("lift", _) => self.lift(),
            ("paradrop", more) if !more.is_empty() => self.set("drop"),
            ("flak", "") => {
                let strength = self.true_strength();
                self.words.extend(strength);
            }
            // 11.5: steps that stay in the hex.
            ("split", _) => self.split(),
            ("main-effort", _) => self.set("effort"),
            ("overrun" | "close" | "gegenangriff", _) => {
                let variant = self.words.remove(0);
                self.words.insert(0, "hasty".into());
                self.words.push(variant);
            }
            ("march", formation) if self.word(2) == "base" && !formation.is_empty() => self.words.swap(1, 2),
            ("plan", kind) if OpKind::read(kind).is_some() && self.words.len() > 2 => self.words.swap(1, 2),
            ("work", _) => self.work(),
            (work, _) if is_work(work) && self.words.len() > 1 => {
                self.words.swap(0, 1);
                self.words.insert(0, "work".into());
            }
            (profile, _) if AirProfile::parse(profile).is_some() => self.words.insert(0, "profile".into()),
            ("fly", _) => {
                let rules = self.rules;
                self.words.retain(|word| rules.named(word).is_none());
            }
            _ => {}
        }
    }

    /// Only the units are named: `lose 1 step of A`, `jam 2815 by HQ`.
    fn keep_units(&mut self) {
        let units = self.words.iter().skip(1).filter(|word| self.unit(word).is_some()).cloned();
        let units: Vec<String> = units.collect();
        self.words.truncate(1);
        self.words.extend(units);
    }

    /// `transfer 2 steps from A to B`, `transfer 2 from A to B`
    fn transfer(&mut self) {
        let units = self.words.iter().filter(|word| self.unit(word).is_some()).cloned();
        let units: Vec<String> = units.collect();
        let count = self.words.iter().find(|word| word.parse::<u8>().is_ok() && self.unit(word).is_none());
        if let ([from, to], Some(count)) = (&units[..], count) {
            self.words = ["transfer", count.as_str(), "of", from.as_str(), "to", to.as_str()]
                .map(str::to_owned)
                .to_vec();
        }
    }

    /// `lift A to 3619 with H`: helicopters that are named and not counted are as many as needed.
    fn lift(&mut self) {
        let Some(at) = self.words.iter().position(|word| word == "with") else { return };
        if self.unit(self.word(at + 1)).is_some() {
            self.words.drain(at..at + 2);
        }
    }

    /// 27.2.2: Flak that is announced without a number is fired with its true strength.
    fn true_strength(&self) -> Option<String> {
        let frame = self.s.top();
        let question = rulebook::flow::question::<Wurzburg>(frame)?;
        let side = question.asks(self.rules, self.s, frame)?;
        let cx = Cx { rules: self.rules, s: self.s, side, frame };
        let (mut subjects, mut options) = (Vec::new(), Vec::new());
        question.subjects(&cx, &mut subjects);
        question.options(&cx, *subjects.first()?, &mut options);
        options.into_iter().find_map(|action| match action {
            Action::Flak(strength) => Some(strength.to_string()),
            _ => None,
        })
    }

    /// `split 2 of A`, `split A 2`, `split 2 A`, `split A into 2 and 3`
    fn split(&mut self) {
        self.set("move");
        let count = |word: &str| word.len() == 1 && word.bytes().all(|b| b.is_ascii_digit());
        let unit = self.words.iter().skip(1).find(|word| self.unit(word).is_some()).cloned();
        let steps = self.words.iter().skip(1).find(|word| count(word)).cloned();
        let rest: Vec<String> = self.words.iter().skip(1).filter(|word| self.is_hex(word)).cloned().collect();
        if let (Some(unit), Some(steps)) = (unit, steps) {
            self.words = vec!["move".to_owned(), steps, "of".to_owned(), unit];
            self.words.extend(rest);
        }
    }

    /// `work E place obstacle`, `work E minefield`
    fn work(&mut self) {
        if self.words.len() > 3 && ["build", "place", "lay"].contains(&self.word(2)) {
            self.words.remove(2);
        }
        if let Some(word) = self.words.get_mut(2).filter(|word| *word == "minefield") {
            "mine".clone_into(word);
        }
    }

    /// `2 steps of A` is `2 of A`; `2 air` is `air 2`.
    fn counts(&mut self) {
        let mut at = 1;
        while at + 1 < self.words.len() {
            match (self.word(at), self.word(at + 1)) {
                ("step" | "steps", "of") => {
                    self.words.remove(at);
                }
                (count, "air") if count.bytes().all(|b| b.is_ascii_digit()) && count.len() == 1 => {
                    self.words.swap(at, at + 1);
                    at += 2;
                }
                _ => at += 1,
            }
        }
    }

    fn order(self) -> Option<Vec<String>> {
        match self.word(0) {
            "hasty" | "assault" | "reserve" => self.operation(),
            "react" => self.reaction(),
            "strike" | "adm" | "gas" => self.strike(),
            "clean" | "decontaminate" => self.clean(),
            "recon" => self.recon(),
            "call" => self.call(),
            "counter" => self.counter(),
            "fire" => self.fire(),
            "advance" => self.advance(),
            _ => Some(self.words),
        }
    }

    /// How many words name a part here: `A`, `A:2`, `2 of A`.
    fn part(&self, at: usize) -> usize {
        match () {
            () if self.word(at + 1) == "of" => 3,
            () if self.unit(self.word(at)).is_some() => 1,
            () => 0,
        }
    }

    fn take(&self, at: &mut usize, count: usize) -> Vec<String> {
        let from = *at;
        *at += count;
        self.words.get(from..*at).map(<[String]>::to_vec).unwrap_or_default()
    }

    fn formation_of(&self, words: &[String]) -> Option<crate::units::FormationId> {
        let [word] = words else { return None };
        let unit = self.unit(word).map(|unit| self.rules.counter(unit));
        match unit {
            Some(unit) => (unit.side == Side::Wp).then_some(unit.formation),
            None => self.rules.formation_named(word),
        }
    }

    /// `hasty A B objective 2516 by HQ as overrun`
    fn operation(self) -> Option<Vec<String>> {
        let (mut forces, mut tail) = (vec![Force::default()], Vec::new());
        let (mut at, mut objective) = (1, false);
        while at < self.words.len() {
            let force = forces.last_mut()?;
            match self.word(at) {
                "and" => {
                    forces.push(Force::default());
                    at += 1;
                }
                "by" => force.by = self.take(&mut at, 2),
                "with" | "as" | "an" | "a" if self.part(at) != 1 || self.word(at) == "with" => at += 1,
                "overrun" | "close" | "gegenangriff" | "airmobile" => tail.extend(self.take(&mut at, 1)),
                "no" | "marker" => tail.extend(self.take(&mut at, 2)),
                word if TOWARDS.contains(&word) => at += 1,
                word if self.part(at) == 0 && (self.is_hex(word) || word.contains('/') && !objective) => {
                    let known = self.rules.formation_named(word).is_some() && force.who.is_empty();
                    if known {
                        force.who = self.take(&mut at, 1);
                        continue;
                    }
                    if objective {
                        return None;
                    }
                    objective = true;
                    tail.push("objective".into());
                    tail.extend(self.take(&mut at, 1));
                }
                _ => {
                    let count = self.part(at).max(1);
                    let part = self.take(&mut at, count);
                    if force.who.is_empty() {
                        force.who = part;
                    } else if self
                        .formation_of(&force.who)
                        .is_none_or(|of| self.formation_of(&part) != Some(of))
                    {
                        force.with.extend(part);
                    }
                }
            }
        }
        let mut out = vec![self.word(0).to_owned()];
        for (n, force) in forces.into_iter().enumerate() {
            if n > 0 {
                out.push("and".into());
            }
            out.extend(force.who);
            if !force.with.is_empty() {
                out.push("with".into());
                out.extend(force.with);
            }
            out.extend(force.by);
        }
        out.extend(tail);
        Some(out)
    }

    /// `react A to 2815 2716 by HQ`
    fn reaction(self) -> Option<Vec<String>> {
        let (mut out, mut by, mut via) = (vec!["react".to_owned()], Vec::new(), Vec::new());
        let mut at = 1;
        while at < self.words.len() {
            match self.word(at) {
                "by" => by = self.take(&mut at, 2),
                "via" | "to" | "->" | "with" => at += 1,
                word if self.is_hex(word) => via.extend(self.take(&mut at, 1)),
                _ => {
                    let count = self.part(at);
                    if count == 0 {
                        return None;
                    }
                    out.extend(self.take(&mut at, count));
                }
            }
        }
        out.extend(by);
        if !via.is_empty() {
            out.push("via".into());
            out.extend(via);
        }
        Some(out)
    }

    /// The side that decides now.
    fn side(&self, with: &[UnitId]) -> Side {
        let first = with.first().map(|unit| self.rules.counter(*unit).side);
        let active = || self.s.active.some().map(|active| self.rules.formation(active).side);
        first.or_else(active).unwrap_or_default()
    }

    /// The first HQ of the side that may, or else its first.
    fn payer(&self, side: Side, may: impl Fn(UnitId) -> bool) -> Option<UnitId> {
        let own = || self.rules.hqs.iter().copied().filter(|hq| self.rules.counter(*hq).side == side);
        own().find(|hq| may(*hq)).or_else(|| own().find(|hq| self.s.unit(*hq).on_map()))
    }

    /// `strike 2716 with G`, `strike A by HQ with G`, `gas 3018 by HQ with G persistent`
    fn strike(self) -> Option<Vec<String>> {
        let (mut target, mut by, mut with, mut air) = (String::new(), None, Vec::new(), 0_u8);
        let (mut kind, mut at, mut supports) = (Vec::new(), 1, false);
        while at < self.words.len() {
            match self.word(at) {
                "by" => {
                    by = Some(self.word(at + 1).to_owned());
                    (at, supports) = (at + 2, false);
                }
                "with" => (at, supports) = (at + 1, true),
                "air" => {
                    air = self.word(at + 1).parse().ok()?;
                    at += 2;
                }
                "persistent" | "non-persistent" => kind = self.take(&mut at, 1),
                word if target.is_empty() && TOWARDS.contains(&word) => (at, supports) = (at + 1, false),
                word if target.is_empty() && (!supports || self.is_hex(word)) => {
                    target = self.place(word)?;
                    at += 1;
                }
                _ => {
                    let count = self.part(at);
                    if count == 0 {
                        return None;
                    }
                    with.extend(self.take(&mut at, count));
                }
            }
        }
        let by = match by {
            Some(by) => by,
            None => {
                let units: Vec<UnitId> = with.iter().filter_map(|word| self.unit(word)).collect();
                let what = match self.word(0) {
                    "strike" => Payload::Fire,
                    "adm" => Payload::Adm,
                    _ if kind.iter().any(|word| word == "persistent") => Payload::GasPersistent,
                    _ => Payload::GasNonPersistent,
                };
                let hex = self.rules.field.find(target.split('/').next()?)?;
                let side = self.side(&units);
                let cx = Cx { rules: self.rules, s: self.s, side, frame: self.s.top() };
                let may = |hq| check_strike(&cx, what, hex, hq, &units, air).is_ok();
                self.rules.id(self.payer(side, may)?).to_owned()
            }
        };
        let mut out = vec![self.word(0).to_owned(), target];
        out.extend(kind);
        out.extend(["by".to_owned(), by]);
        if !with.is_empty() {
            out.push("with".into());
            out.extend(with);
        }
        if air > 0 {
            out.extend(["air".to_owned(), air.to_string()]);
        }
        Some(out)
    }

    /// `recon by HQ 2716`, `recon 2716`, `recon A -> 2716` with the unit that looks
    fn recon(self) -> Option<Vec<String>> {
        let (mut target, mut by, mut at) = (String::new(), Vec::new(), 1);
        let arrow = self.words.iter().position(|word| TOWARDS.contains(&word.as_str())).unwrap_or(0);
        while at < self.words.len() {
            match self.word(at) {
                word if at < arrow && by.is_empty() && self.unit(word).is_some() => {
                    let hq = self.unit(word).map(|unit| self.rules.counter(unit));
                    if hq.is_some_and(|counter| counter.symbol == Symbol::Hq) {
                        by = vec!["by".to_owned(), word.to_owned()];
                    }
                    at += 1;
                }
                "by" => by = self.take(&mut at, 2),
                word if TOWARDS.contains(&word) => at += 1,
                word if target.is_empty() => {
                    target = self.place(word)?;
                    at += 1;
                }
                _ => return None,
            }
        }
        if by.is_empty() {
            let hex = self.rules.field.find(target.split('/').next()?)?;
            let side = self.side(&[]);
            let may = |hq| self.rules.attempt(self.s, side, hex, Payer::Hq(hq)).is_ok();
            by = vec!["by".to_owned(), self.rules.id(self.payer(side, may)?).to_owned()];
        }
        let mut out = vec!["recon".to_owned(), target];
        out.extend(by);
        Some(out)
    }

    /// `clean 2420 by HQ`, `clean A by HQ`, `clean HQ A`
    fn clean(self) -> Option<Vec<String>> {
        let is_hq =
            |word: &String| self.unit(word).is_some_and(|unit| self.rules.counter(unit).symbol == Symbol::Hq);
        let at = self.words.iter().skip(1).position(is_hq)? + 1;
        let mut rest = self.words.iter().enumerate().skip(1).filter(|(n, _)| *n != at).map(|(_, word)| word);
        let target = rest.find_map(|word| self.place(word))?;
        Some(vec!["clean".to_owned(), self.word(at).to_owned(), target])
    }

    /// `counter G by HQ`: the gun and the spotter with the best chance.
    fn counter(self) -> Option<Vec<String>> {
        let units: Vec<UnitId> = self.words.iter().skip(1).filter_map(|word| self.unit(word)).collect();
        let side = |unit: &UnitId| self.rules.counter(*unit).side;
        let own = side(units.first()?).enemy();
        let named =
            |unit: UnitId| units.contains(&unit) || !units.iter().any(|other| self.same_part(*other, unit));
        let found = best_batteries(self.rules, self.s, own)
            .filter(|answer| units[0] == answer.target && named(answer.hq) && named(answer.gun))
            .min_by_key(|answer| answer.number)?;
        let id = |unit: UnitId| self.rules.id(unit).to_owned();
        let words =
            [("counter", found.target), ("by", found.hq), ("with", found.gun), ("spotter", found.spotter)];
        Some(words.into_iter().flat_map(|(word, unit)| [word.to_owned(), id(unit)]).collect())
    }

    /// Do two units play the same part in counter-battery fire: HQ or gun?
    fn same_part(&self, a: UnitId, b: UnitId) -> bool {
        let (a, b) = (self.rules.counter(a), self.rules.counter(b));
        a.side == b.side && (a.symbol == Symbol::Hq) == (b.symbol == Symbol::Hq)
    }

    /// `call G H by HQ`
    fn call(self) -> Option<Vec<String>> {
        let by = self.words.iter().position(|word| word == "by").filter(|at| *at > 1)?;
        let mut out = vec!["call".to_owned(), self.word(by + 1).to_owned(), "with".to_owned()];
        let guns = self.words.iter().enumerate().skip(1);
        out.extend(
            guns.filter(|(n, word)| *n != by && *n != by + 1 && *word != "with")
                .map(|(_, word)| word.clone()),
        );
        Some(out)
    }

    /// `fire A with B`: at the hex in which A stands; `fire with B`, `fire B`: at the only hex that there is.
    fn fire(self) -> Option<Vec<String>> {
        let mut out = self.words.clone();
        if self.word(2) == "with" {
            out[1] = self.place(self.word(1))?;
            return Some(out);
        }
        if out.iter().any(|word| TOWARDS.contains(&word.as_str())) {
            return Some(out);
        }
        out.retain(|word| word != "with");
        let units: Vec<UnitId> = out.iter().filter_map(|word| self.unit(word)).collect();
        let target = self.rules.field.label(self.aim(&units)?).to_owned();
        out.splice(1..1, [target, "with".to_owned()]);
        Some(out)
    }

    /// The only hex at which these units could be meant to fire now.
    fn aim(&self, units: &[UnitId]) -> Option<HexId> {
        let (s, op) = (self.s, &self.s.op);
        let first = *units.first()?;
        let only = |set: &UnitSet| {
            let near =
                |hex: HexId| units.iter().any(|unit| self.rules.field.adjacent(s.unit(*unit).hex, hex));
            let mut hexes = set.iter().filter_map(|unit| s.unit(unit).hex.some()).filter(|hex| near(*hex));
            let first = hexes.next()?;
            hexes.all(|hex| hex == first).then_some(first)
        };
        match s.top() {
            Frame::Infiltration => s.walk.force.iter().next().and_then(|unit| s.unit(unit).hex.some()),
            Frame::RetreatFire => only(&op.retreated),
            _ if s.unit(first).hex == op.objective || !op.storming.is_empty() => op.objective.some(),
            _ if self.rules.counter(first).side == op.side => op.objective.some(),
            _ => only(&op.members),
        }
    }

    /// `advance A to 2716`: there is no other hex than the objective.
    fn advance(self) -> Option<Vec<String>> {
        let last = self.rules.field.find(self.words.last()?)?;
        if self.s.op.objective.some().is_some_and(|objective| objective != last) {
            return None;
        }
        let mut out = self.words[..self.words.len() - 1].to_vec();
        if out.last().is_some_and(|word| TOWARDS.contains(&word.as_str())) {
            out.pop();
        }
        Some(out)
    }
}
