//! Applies what a lab file says of a unit to the unit's data, and derives what follows from its type.

use toml::Value;

use super::{Reader, word};
use crate::pack::{
    Army, Arrival, ArrivalBy, Colour, CorpsId, DefenseMark, Edition, Factors, FormationDef, FormationId,
    FormationKind, Morale, Nation, PoolDef, PoolId, RegimentId, SetupCode, Side, Size, Start, Symbol, Tag,
    TankQuality, UnitDef, UnitType, Vehicle,
};

impl Reader<'_> {
    /// Overrides the unit's data with what the file says.
    pub(super) fn change(&mut self, def: &mut UnitDef, reduced: bool) -> Result<(), String> {
        let mut front = def.front;
        if let Some(text) = self.table.text("front")? {
            front = factors("front", text, front)?;
        }
        let mut touched = self.table.contains_key("front");
        for (name, field) in [
            ("attack", &mut front.attack),
            ("defense", &mut front.defense),
            ("move", &mut front.movement),
            ("stacking", &mut front.stacking),
        ] {
            if let Some(number) = self.table.number(name)? {
                (*field, touched) = (number, true);
            }
        }
        def.front = front;
        if touched {
            def.front_1e = None;
            if reduced {
                // A reduced unit shows its reduced side: the figures given are those of the face-up side.
                def.reduced = Some(front);
            }
        }
        let mut back = def.reduced;
        if let Some(text) = self.table.text("reduced")? {
            back = Some(factors("reduced", text, back.unwrap_or(front))?);
        }
        for (name, pick) in
            [("reduced_attack", 0), ("reduced_defense", 1), ("reduced_move", 2), ("reduced_stacking", 3)]
        {
            if let Some(number) = self.table.number(name)? {
                let side = back.get_or_insert(front);
                *[&mut side.attack, &mut side.defense, &mut side.movement, &mut side.stacking][pick] = number;
            }
        }
        def.reduced = back;
        if def.category.artillery && self.table.contains_key("move") {
            def.fired = Some(front);
        }
        if let Some(movement) = self.table.number("fired_move")? {
            def.fired = Some(Factors { movement, ..front });
        }
        if let Some(morale) = self.table.text("morale")? {
            def.morale = match &*morale.to_lowercase() {
                "normal" | "regular" => Morale::Veteran,
                morale => word("morale", morale)?,
            };
        }
        self.quality(def)?;
        if let Some(range) = self.table.number("range")? {
            def.range = range;
        }
        if let Some(steps) = self.table.number("steps")? {
            if !(1..=3).contains(&steps) {
                return Err("steps: must be 1 to 3".into());
            }
            def.steps = steps;
            if steps == 1 {
                def.reduced = None;
            }
        }
        if self.table.truth("defense_parentheses")?.unwrap_or(false) {
            def.defense_mark = DefenseMark::Parentheses; // 2.2
        }
        if self.table.truth("engineer")?.unwrap_or(false) {
            engineers(def);
            if def.side == Side::Allied && self.table.text("hex")?.is_some_and(|hex| hex == "due") {
                let by = ArrivalBy::TownOrCity; // 13.2
                def.start = Start::Arrival(Arrival { turn: 1, by, condition: None });
            }
        }
        self.looks(def)?;
        self.belonging(def)?;
        if let Some(red) = self.table.truth("red_code")? {
            let hex = crate::pack::HexRef { col: 99, row: 99 };
            let code = if red { SetupCode::Red } else { SetupCode::White };
            def.start = Start::Hex { hex, code, improved_position: false, reduced: false };
        }
        if let Some(replaceable) = self.table.truth("replaceable")? {
            def.replaceable = replaceable;
        }
        if let Some(value) = self.table.get("tags") {
            let list = value.as_array().ok_or("tags: must be a list of texts")?;
            for tag in list {
                def.tags = def.tags.with(word("tags", tag.as_str().ok_or("tags: must be a list of texts")?)?);
            }
        }
        for (name, remnant) in [("remnant", true), ("breakdown", false)] {
            if let Some(pool) = self.table.text(name)? {
                let at = self.pack.pools.iter().position(|p| p.id == pool && p.remnant == remnant);
                let at = PoolId(at.ok_or_else(|| format!("{name}: no pool `{pool}`"))? as u8);
                *(if remnant { &mut def.remnant } else { &mut def.breakdown }) = Some(at);
            }
        }
        Ok(())
    }

    fn quality(&self, def: &mut UnitDef) -> Result<(), String> {
        // `tq_red = 4` is a red 4.
        let red_number = matches!(self.table.get("tq_red"), Some(Value::Integer(_)));
        let number = if red_number { self.table.number("tq_red")? } else { self.table.number("tq")? };
        if let Some(tq) = number {
            let red = red_number || def.tq.is_some_and(|old| old.red);
            def.tq = (tq > 0).then_some(TankQuality { front: tq, reduced: tq, red });
        }
        if let Some(tq) = &mut def.tq {
            if let Some(reduced) = self.table.number("tq_reduced")? {
                tq.reduced = reduced;
            }
            if !red_number && let Some(red) = self.table.truth("tq_red")? {
                tq.red = red;
            }
        }
        Ok(())
    }

    fn looks(&self, def: &mut UnitDef) -> Result<(), String> {
        match self.table.get("silhouette") {
            None | Some(Value::Boolean(_)) => {}
            Some(Value::String(name)) => {
                def.vehicle = word::<Vehicle>("silhouette", name).ok().or(def.vehicle);
            }
            Some(_) => return Err("silhouette: must be true, false or the name of a vehicle".into()),
        }
        if let Some(vehicle) = self.table.text("vehicle")? {
            def.vehicle = Some(word("vehicle", vehicle)?);
        }
        if let Some(symbol) = self.table.text("symbol")? {
            def.symbol = word("symbol", symbol)?;
        }
        if let Some(size) = self.table.text("size")? {
            def.size = Value::String(size.into())
                .try_into()
                .map_err(|e: toml::de::Error| format!("size: {}", e.message()))?;
            if def.size == Size::CombatCommand {
                def.tags = def.tags.with(Tag::CombatCommand).with(Tag::TankAndInfantry); // 21.1
            }
        }
        if let Some(label) = self.table.name("label")? {
            def.label = label;
        }
        if let Some(name) = self.table.name("name")? {
            def.name = name;
        }
        Ok(())
    }

    /// Division, regiment, colours (2.5, 2.11).
    fn belonging(&mut self, def: &mut UnitDef) -> Result<(), String> {
        let division = match self.table.name("division")? {
            Some(name) => Some(name),
            None => self.table.name("formation")?,
        };
        let colour = match self.table.text("colour")? {
            Some(name) => Some(name),
            None => self.table.text("color")?,
        };
        let colour = match colour {
            Some(name) => Some(match name.trim().to_lowercase().as_str() {
                "gray" => Colour::Grey,
                "violet" => Colour::Purple,
                "tan" | "sand" => Colour::Beige,
                "claret" | "crimson" | "burgundy" => Colour::Maroon,
                _ => word::<Colour>("colour", name)?,
            }),
            None => None,
        };
        if let Some(name) = division {
            let id = self.division(def.side, &name);
            def.formation = Some(id);
            let formation = &self.pack.formations[id.index()];
            if formation.colour != Colour::White {
                // A formation of the pack brings its army and corps.
                (def.colour, def.army, def.corps) = (formation.colour, formation.army, formation.corps);
            }
        }
        if let Some(colour) = colour {
            def.colour = colour;
            def.army = match (def.side, colour) {
                (Side::German, Colour::Red) => Some(Army::SixthPanzer),
                (Side::German, Colour::Grey) => Some(Army::FifthPanzer),
                (Side::German, Colour::Blue) => Some(Army::Seventh),
                (Side::German, Colour::Green) => Some(Army::Nordwind),
                _ => def.army,
            };
        }
        if let Some(army) = self.table.text("army")? {
            let army = word("army", army)?;
            def.army = Some(army);
            if colour.is_none() {
                def.colour = colour_of(army);
            }
        }
        if let Some(corps) = self.table.name("corps")? {
            let plain = |text: &str| text.to_lowercase().replace([' ', '-', '_'], "");
            let at = self.pack.corps.iter().position(|c| {
                c.side == def.side && (plain(&c.id) == plain(&corps) || plain(&c.label) == plain(&corps))
            });
            let at = CorpsId(at.ok_or_else(|| format!("corps: no corps `{corps}`"))? as u8);
            def.corps = Some(at);
            // 2.11: the colour of corps troops.
            let own =
                |u: &&UnitDef| u.corps == Some(at) && !matches!(u.colour, Colour::White | Colour::Yellow);
            if colour.is_none()
                && let Some(of_corps) = self.pack.units.iter().find(own).map(|u| u.colour)
            {
                def.colour = of_corps;
            }
        }
        if let Some(regiment) = self.table.name("regiment")? {
            let taken = self.pack.units.iter().filter_map(|u| u.regiment).map(|r| r.0 + 1).max().unwrap_or(0);
            let next = RegimentId(taken + self.regiments.len() as u16);
            let division =
                def.formation.map_or(String::new(), |f| self.pack.formations[f.index()].id.clone());
            let key = (def.side, format!("{division}/{regiment}"));
            def.regiment = Some(*self.regiments.entry(key).or_insert(next));
        }
        Ok(())
    }

    /// The pack's formation of that name, or a new one for this file only.
    fn division(&mut self, side: Side, name: &str) -> FormationId {
        let plain =
            |text: &str| -> String { text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect() };
        let wanted = plain(name);
        let known = self.pack.formations.iter().position(|f| {
            f.side == side && (f.id == name || plain(&f.id) == wanted || plain(&f.label) == wanted)
        });
        let at = known.unwrap_or_else(|| {
            self.pack.formations.push(FormationDef {
                id: name.to_owned(),
                label: name.to_owned(),
                side,
                kind: FormationKind::InfantryDivision,
                army: None,
                corps: None,
                colour: Colour::White,
                panzer: false,
                fuel_table: 0,
                area: None,
                units: Vec::new(),
            });
            self.pack.formations.len() - 1
        });
        FormationId(at as u8)
    }

    /// Fills in steps, reduced side, Remnant and Breakdown unit if the file does not give them.
    pub(super) fn complete(&self, def: &mut UnitDef, reduced: bool) -> Result<(), String> {
        if def.side == Side::German && def.category.artillery {
            match self.table.number("move")? {
                // 22.2: only Nebelwerfer can move without a Prime Mover.
                Some(1) => def.symbol = Symbol::Nebelwerfer,
                Some(_) => {}
                None if def.symbol == Symbol::Nebelwerfer => def.front.movement = 1,
                None => def.front.movement = 0,
            }
        }
        let stacking = self.table.number("stacking")?;
        if def.steps == 0 {
            def.steps = match def.unit_type {
                // 8.2: two-step tank units have DF 3 or 4.
                UnitType::SilhouetteTank => 1 + u8::from(def.front.defense >= 3),
                UnitType::Artillery => 1,
                // The pack's counters have a step for each stacking point.
                _ => match stacking {
                    Some(points) => points.clamp(1, 3),
                    None => 1 + u8::from(def.front.attack.max(def.front.defense) >= 3),
                },
            };
            if reduced || def.reduced.is_some() {
                def.steps = def.steps.max(2);
            }
        }
        if def.steps > 1 && def.reduced.is_none() {
            let front = def.front;
            def.reduced = Some(Factors {
                attack: front.attack.div_ceil(2),
                defense: front.defense.div_ceil(2),
                movement: front.movement,
                stacking: match def.unit_type {
                    UnitType::SilhouetteTank | UnitType::Artillery => front.stacking,
                    _ if def.steps == 3 => front.stacking.saturating_sub(1).max(2),
                    _ => front.stacking.saturating_sub(1).max(1).min(front.stacking),
                },
            });
        }
        let pool = |remnant: bool| -> Option<PoolId> {
            let fits = |pool: &PoolDef| {
                let first = &self.pack.units[pool.first.index()];
                let same_type = first.unit_type == def.unit_type
                    || first.unit_type == UnitType::MechInfantry
                        && def.unit_type == UnitType::MotorizedInfantry;
                let british = |nation| nation == Nation::British;
                pool.remnant == remnant
                    && pool.side == def.side
                    && same_type
                    && british(first.nation) == british(def.nation)
            };
            let parachute = matches!(def.symbol, Symbol::Parachute | Symbol::Glider);
            let best = |pool: &PoolDef| {
                (self.pack.units[pool.first.index()].symbol == Symbol::Parachute) == parachute
            };
            let mut pools = self.pack.pools.iter().enumerate().filter(|(_, pool)| fits(pool));
            pools
                .clone()
                .find(|(_, pool)| best(pool))
                .or_else(|| pools.next())
                .map(|(at, _)| PoolId(at as u8))
        };
        // 16.4
        let large = def.reduced.is_some_and(|back| back.stacking >= 2) && def.steps > 1;
        if large && def.remnant.is_none() {
            def.remnant = pool(true);
        }
        // 26.1
        let regiment = def.steps > 1 && def.front.stacking >= 2;
        let tanks = def.unit_type == UnitType::SilhouetteTank && def.nation == Nation::Us && def.steps > 1;
        if def.breakdown.is_none() {
            def.breakdown = match (regiment, tanks) {
                (true, _) => pool(false),
                (_, true) => {
                    let task_force = self.pack.pools.iter().position(|pool| pool.id == "us_task_force");
                    task_force.map(|at| PoolId(at as u8))
                }
                _ => None,
            };
        }
        // 22.6, 25.22: the file does not say to which army or corps it belongs.
        let known = ["colour", "color", "army", "corps"].iter().any(|name| self.table.contains_key(*name))
            || def.formation.is_some_and(|f| self.pack.formations[f.index()].colour != Colour::White);
        if !known {
            def.tags = def.tags.with(Tag::AnyColour);
        }
        if self.edition == Edition::First {
            def.front_1e = Some(def.front);
        }
        Ok(())
    }
}

/// 2.11
fn colour_of(army: Army) -> Colour {
    match army {
        Army::SixthPanzer => Colour::Red,
        Army::FifthPanzer => Colour::Grey,
        Army::Seventh => Colour::Blue,
        Army::Nordwind => Colour::Green,
    }
}

/// `6-6-3`, as counters print it.
fn factors(name: &str, text: &str, base: Factors) -> Result<Factors, String> {
    let bad = || format!("{name}: must be factors such as \"6-6-3\"");
    let mut numbers = text.split('-').map(|part| part.trim_matches(['(', ')', ' ']).parse::<u8>());
    let mut next = || numbers.next().and_then(Result::ok).ok_or_else(bad);
    Ok(Factors { attack: next()?, defense: next()?, movement: next()?, ..base })
}

pub(super) fn engineers(def: &mut UnitDef) {
    def.tags = def.tags.with(Tag::Engineer);
    def.symbol = Symbol::Engineer;
    if def.side == Side::Allied {
        def.defense_mark = DefenseMark::Outlined; // 27.1
    }
}
