//! What prevents a move: small facts on the hot path, turned into a message only when it is shown.

use hexgrid::HexId;
use kernel::Refusal;

use crate::{
    bonds::Bond,
    pack::UnitId,
    rules::Ardennes,
    stacking::{Load, Overload},
    state::State,
};

/// A rule that forbids a move, with the message key (`no.KEY`) and what is in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    pub rule: &'static str,
    pub key: &'static str,
    pub what: What,
}

/// What is in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// The unit itself.
    Unit,
    /// The unit itself, but it may have another mode of movement.
    Mode,
    Hex(HexId),
    /// A hex that is out of reach.
    Beyond(HexId),
    Hexside([HexId; 2]),
    Bond(Bond),
    /// The limit that is broken, and what the hex would hold.
    Full(HexId, Overload, Load),
    /// Quarter points needed and available.
    Points {
        hex: HexId,
        needed: u16,
        left: u16,
    },
    Count {
        limit: u8,
    },
}

impl Bar {
    pub const fn unit(rule: &'static str, key: &'static str) -> Bar {
        Bar { rule, key, what: What::Unit }
    }

    /// Forbidden in this mode, but the unit has another mode of movement.
    pub const fn other_mode(rule: &'static str, key: &'static str) -> Bar {
        Bar { rule, key, what: What::Mode }
    }

    pub const fn hex(rule: &'static str, key: &'static str, hex: HexId) -> Bar {
        Bar { rule, key, what: What::Hex(hex) }
    }

    /// The hex is out of reach, and nothing nearer is in the way.
    pub const fn beyond(rule: &'static str, key: &'static str, hex: HexId) -> Bar {
        Bar { rule, key, what: What::Beyond(hex) }
    }

    pub const fn hexside(rule: &'static str, key: &'static str, hexes: [HexId; 2]) -> Bar {
        Bar { rule, key, what: What::Hexside(hexes) }
    }

    pub const fn bond(bond: Bond) -> Bar {
        Bar { rule: "10.2", key: "bond", what: What::Bond(bond) }
    }

    pub const fn count(rule: &'static str, key: &'static str, limit: u8) -> Bar {
        Bar { rule, key, what: What::Count { limit } }
    }

    /// The refusal as a message, for this unit.
    pub fn refuse(self, rules: &Ardennes, s: &State, unit: UnitId) -> Refusal {
        let no = || rules.no(self.rule, self.key).unit("unit", unit);
        match self.what {
            What::Unit => no().into(),
            What::Mode => Refusal::from(no()).other_mode(),
            What::Hex(hex) | What::Beyond(hex) => {
                let side = rules.counter(unit).side;
                let refusal =
                    Refusal::from(no().hex("hex", hex).stack("units", s, hex).zoc("by", s, side, hex));
                if matches!(self.what, What::Beyond(_)) { refusal.too_far() } else { refusal }
            }
            What::Hexside(hexes) => no().hexside("hexside", hexes).into(),
            What::Bond(bond) => rules.refuse_bond(s, bond),
            What::Full(hex, over, load) => rules.refuse_overload(s, hex, over, load),
            What::Points { hex, needed, left } => {
                let costs = no().hex("hex", hex).points("needed", needed.into()).points("left", left.into());
                Refusal::from(costs).too_far()
            }
            What::Count { limit } => no().number("limit", limit).into(),
        }
    }
}
