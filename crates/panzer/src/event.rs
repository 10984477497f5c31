//! What happened, as plain facts; words are made in [`crate::report`].

use hexgrid::{Direction, HexId};

use crate::{
    fire::{Kind, Result},
    frame::Trigger,
    pack::Side,
    phase::Phase,
    state::{Command, Ending, Spot},
    units::UnitId,
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A new turn: heading.
    Turn {
        turn: u8,
    },
    /// A new phase: heading.
    Phase {
        phase: Phase,
    },
    Placed {
        unit: UnitId,
        hex: HexId,
        facing: Direction,
    },
    /// 4.1: how many vehicles of each side the other has spotted.
    Spotted {
        spotted: [u8; 2],
    },
    /// A Spot counter was placed, turned over or removed (4.1.5, 4.4.1, 4.5.1).
    SpotCounter {
        unit: UnitId,
        spot: Spot,
    },
    /// 4.2.1: known to its owner only.
    Commanded {
        unit: UnitId,
        command: Command,
    },
    /// A side has placed its Commands.
    Committed {
        side: Side,
    },
    /// 4.3.1
    Initiative {
        rolls: [u8; 2],
        first: Side,
    },
    /// The winner chose (option).
    Order {
        side: Side,
        first: Side,
    },
    /// A Command was shown.
    Revealed {
        unit: UnitId,
        command: Command,
    },
    /// Its owner would not say (4.4.3.2.2).
    Declined {
        unit: UnitId,
    },
    /// Fire at a target was declared.
    Declared {
        kind: Kind,
        target: UnitId,
        unit: UnitId,
        gun: u8,
    },
    /// One shot: Range Factor, net modifier, AP Hit Number, whether it hit.
    Fired {
        unit: UnitId,
        target: UnitId,
        factor: u8,
        net: i8,
        number: u8,
        roll: u8,
        hit: bool,
    },
    /// The target was gone, or the shot impossible: the vehicle counts as having fired.
    Wasted {
        unit: UnitId,
        target: UnitId,
    },
    /// 4.4.3.2.5, 4.4.3.2.6
    Hit {
        unit: UnitId,
        target: UnitId,
        rear: bool,
        penetration: u8,
        armor: u8,
        result: Result,
    },
    Held {
        side: Side,
    },
    /// One hexside of a move.
    Stepped {
        unit: UnitId,
        from: HexId,
        to: HexId,
        cost: u8,
        back: bool,
    },
    Turned {
        unit: UnitId,
        facing: Direction,
        cost: u8,
    },
    Entered {
        unit: UnitId,
        hex: HexId,
        cost: u8,
    },
    Exited {
        unit: UnitId,
        hex: HexId,
    },
    /// The end of a move, with what it cost of how much.
    Moved {
        unit: UnitId,
        spent: u8,
        allowance: u8,
    },
    /// Overwatch has stopped a move for the moment.
    Interrupted {
        unit: UnitId,
        trigger: Trigger,
    },
    /// 3.6
    Control {
        objective: u8,
        side: Option<Side>,
    },
    Over(Ending),
}
