//! Refusals that cite the rule and name what is in the way. They are built only when they are shown; the hot paths use
//! booleans.

use hexgrid::HexId;
use kernel::{Arg, Message, Refusal};
use zocbond::Points;

use crate::{
    bonds::Bond,
    pack::{Side, UnitId},
    rules::Ardennes,
    stacking::{Load, Overload},
    state::State,
    terrain::PER_POINT,
};

/// A refusal being built: rule, message key, then the values for its blanks.
#[derive(Debug)]
pub struct No<'a> {
    rules: &'a Ardennes,
    rule: &'static str,
    message: Message,
}

impl Ardennes {
    /// `self.no("10.2", "bond.hex").hex("hex", hex).into()`; the message key is `no.` followed by `key`.
    pub fn no(&self, rule: &'static str, key: &'static str) -> No<'_> {
        No { rules: self, rule, message: Message::new(format!("no.{key}")) }
    }

    pub fn unit_id(&self, unit: UnitId) -> String {
        self.pack.unit(unit).id.clone()
    }

    /// The refusal of a decision of a kind that is not asked for now.
    pub fn not_now(&self) -> Refusal {
        Refusal::out_of_turn("-", Message::new("no.not_now"))
    }
}

impl No<'_> {
    #[must_use]
    pub fn unit(mut self, name: &'static str, unit: UnitId) -> Self {
        self.message = self.message.unit(name, self.rules.unit_id(unit));
        self
    }

    #[must_use]
    pub fn hex(mut self, name: &'static str, hex: HexId) -> Self {
        self.message = self.message.place(name, self.rules.label(hex));
        self
    }

    #[must_use]
    pub fn hexside(mut self, name: &'static str, [a, b]: [HexId; 2]) -> Self {
        let label = format!("{}/{}", self.rules.label(a), self.rules.label(b));
        self.message = self.message.place(name, label);
        self
    }

    #[must_use]
    pub fn number(mut self, name: &'static str, number: impl Into<i64>) -> Self {
        self.message = self.message.number(name, number);
        self
    }

    #[must_use]
    pub fn text(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.message = self.message.text(name, text);
        self
    }

    /// Another key of the message files.
    #[must_use]
    pub fn term(mut self, name: &'static str, key: &'static str) -> Self {
        self.message = self.message.term(name, key);
        self
    }

    /// The units of a hex.
    #[must_use]
    pub fn stack(mut self, name: &'static str, s: &State, hex: HexId) -> Self {
        let units = s.stack(hex).map(|u| Arg::Unit(self.rules.unit_id(u))).collect();
        self.message = self.message.with(name, Arg::List(units));
        self
    }

    /// The units whose zone of control against `side` covers a hex (9.1, 9.4).
    #[must_use]
    pub fn zoc(mut self, name: &'static str, s: &State, side: Side, hex: HexId) -> Self {
        let from = self.rules.zoc_from(s, side.enemy(), hex);
        let units = from.flat_map(|from| s.stack(from)).map(|u| Arg::Unit(self.rules.unit_id(u))).collect();
        self.message = self.message.with(name, Arg::List(units));
        self
    }

    /// Movement points, written as a player would: `3½`.
    #[must_use]
    pub fn points(self, name: &'static str, quarters: u32) -> Self {
        self.text(name, points(quarters))
    }
}

impl From<No<'_>> for Refusal {
    fn from(no: No<'_>) -> Refusal {
        Refusal::new(no.rule, no.message)
    }
}

impl<T> From<No<'_>> for Result<T, Refusal> {
    fn from(no: No<'_>) -> Self {
        Err(no.into())
    }
}

/// Quarter points as a player writes them.
pub fn points(quarters: u32) -> String {
    Points::parts(quarters as u16, PER_POINT).written()
}

impl Ardennes {
    /// 10.2, naming the units that form the Bond.
    pub fn refuse_bond(&self, s: &State, bond: Bond) -> Refusal {
        let (mut no, ends) = match bond {
            Bond::Hex { through, ends } => (self.no("10.2", "bond.hex").hex("hex", through), ends),
            Bond::Hexside { along, ends } => {
                (self.no("10.2", "bond.hexside").hexside("hexside", along), ends)
            }
        };
        for (units, place, end) in [("a", "at", ends[0]), ("b", "and", ends[1])] {
            no = match end.some() {
                Some(hex) => no.stack(units, s, hex).hex(place, hex),
                None => no.term(units, "map.edge").term(place, "map.edge"),
            };
        }
        no.into()
    }

    /// 8.1
    pub fn refuse_overload(&self, s: &State, hex: HexId, over: Overload, load: Load) -> Refusal {
        let limits = &self.tables().stacking;
        let (key, has, limit) = match over {
            Overload::Points => ("stacking.points", load.points, limits.points),
            Overload::SilhouetteSteps => ("stacking.steps", load.silhouette_steps, limits.silhouette_steps),
            Overload::Artillery => ("stacking.artillery", load.artillery, limits.artillery),
            Overload::Units => ("stacking.units", load.units, limits.units),
        };
        self.no("8.1", key)
            .hex("hex", hex)
            .stack("units", s, hex)
            .number("has", has)
            .number("limit", limit)
            .into()
    }

    /// The unit belongs to the other side, or does not exist.
    pub fn refuse_owner(&self, unit: UnitId, side: Side) -> Refusal {
        let key = match side {
            Side::German => "side.german",
            Side::Allied => "side.allied",
        };
        self.no("-", "not_yours").unit("unit", unit).term("side", key).into()
    }
}
