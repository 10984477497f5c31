//! Small positions for tests: a map written in the test, counters of the shipped pack on it.

use std::sync::Arc;

use ardennes::{
    Ardennes, Ardennes44,
    flags::Flags,
    frame::Frame,
    options::Options,
    pack::{Edition, Side, UnitId},
    phase::Phase,
    place::Place,
    play::seat,
    state::State,
};
use hexgrid::HexId;
use kernel::{Dice, Log, Refusal, Rules as _, Stop, Verdict};

#[derive(Debug)]
pub struct Table {
    pub rules: Ardennes,
    pub s: State,
}

impl Table {
    #[allow(dead_code)]
    /// A map as in a lab file, the Movement Phase of a side on a turn without special rules.
    pub fn new(map: &str, side: Side) -> Table {
        Self::of(Edition::Second, map, side)
    }

    #[allow(dead_code)]
    pub fn of(edition: Edition, map: &str, side: Side) -> Table {
        let game = Ardennes44::new().expect("the shipped pack and map are sound");
        let map = game.map().inline("test", map).expect("the map is well written").expect("there is one");
        let mut scenario = game.pack().scenario("campaign").expect("it is shipped").clone();
        scenario.turn_one_rules = false;
        let options = Options::read(game.pack(), edition, &[]).expect("no options are known");
        let rules = Ardennes::new(Arc::clone(game.pack()), Arc::new(map), edition, scenario, options)
            .expect("a small map fits");
        let mut s = State::empty();
        (s.turn, s.side, s.phase) = (5, side, Phase::Movement);
        for (index, bridge) in rules.map.bridges.iter().enumerate() {
            if bridge.state == atlas::BridgeState::Blown {
                s.bridge_mut(index).set(ardennes::state::BridgeIs::Blown);
            }
        }
        s.push_frames(&[Frame::Movement]);
        Table { rules, s }
    }

    /// The campaign in the Movement Phase of a side: all units in the shipped deployment, due units waiting.
    #[allow(dead_code)]
    pub fn campaign(turn: u8, side: Side) -> Table {
        let game = Ardennes44::new().expect("the shipped pack and map are sound");
        let setup = kernel::Setup { scenario: "campaign".into(), ..kernel::Setup::default() };
        let rules = game.rules(&setup).expect("it is shipped");
        let mut s = ardennes::setup::start(&rules);
        for placement in &rules.scenario.placements {
            if s.unit(placement.unit).place() == Place::SetUp {
                let hex = rules.map.board.find(&placement.hex.to_string()).expect("it is on the map");
                rules.put(&mut s, placement.unit, Place::Hex(hex));
            }
        }
        s.frames = ardennes::frame::Frames::one(Frame::Sequence);
        (s.turn, s.side, s.phase) = (turn, side, Phase::Movement);
        s.push_frames(&[Frame::OpenMovement, Frame::Movement]);
        let (mut dice, mut log) = (Dice::from_number(1), Log::default());
        let mut play = ardennes::play::Play { rules: &rules, s: &mut s, dice: &mut dice, log: &mut log };
        ardennes::flow::settle(&mut play).expect("the phase opens");
        s.renew_stamp();
        Table { rules, s }
    }

    pub fn unit(&self, id: &str) -> UnitId {
        self.rules.pack.unit_by_slug(id).unwrap_or_else(|| panic!("no unit {id}"))
    }

    pub fn hex(&self, label: &str) -> HexId {
        self.rules.map.board.find(label).expect("the hex is on the map")
    }

    pub fn put(&mut self, id: &str, hex: &str) -> UnitId {
        let (unit, hex) = (self.unit(id), self.hex(hex));
        self.rules.put(&mut self.s, unit, Place::Hex(hex));
        unit
    }

    #[allow(dead_code)]
    pub fn mark(&mut self, id: &str, flags: Flags) {
        let unit = self.unit(id);
        self.s.unit_mut(unit).flags.set(flags);
        self.s.renew_stamp();
    }

    pub fn verdict(&self, text: &str) -> Result<(), Refusal> {
        let seat = seat(self.s.side);
        let action = self.rules.parse(&self.s, seat, text)?;
        match self.rules.verdict(&self.s, seat, &action) {
            Verdict::Legal => Ok(()),
            Verdict::Illegal(refusal) => Err(refusal),
        }
    }

    pub fn legal(&self, text: &str) {
        if let Err(refusal) = self.verdict(text) {
            panic!("`{text}`: {refusal:?}");
        }
    }

    pub fn illegal(&self, text: &str, rule: &str) {
        match self.verdict(text) {
            Ok(()) => panic!("`{text}` is legal"),
            Err(refusal) => assert!(refusal.cites(rule), "`{text}`: {refusal:?}, not {rule}"),
        }
    }

    pub fn play(&mut self, text: &str, dice: &[u8]) {
        let seat = seat(self.s.side);
        let action = self.rules.parse(&self.s, seat, text).unwrap_or_else(|r| panic!("`{text}`: {r:?}"));
        let (mut dice, mut log) = (Dice::scripted(dice.to_vec()), Log::default());
        match self.rules.apply(&mut self.s, seat, &action, &mut dice, &mut log) {
            Ok(()) => {}
            Err(Stop::Illegal(refusal)) => panic!("`{text}`: {refusal:?}"),
            Err(stop) => panic!("`{text}`: {stop}"),
        }
    }

    /// The label of a unit's hex.
    #[allow(dead_code)]
    pub fn at(&self, id: &str) -> &str {
        self.s.unit(self.unit(id)).hex().map_or("-", |hex| self.rules.label(hex))
    }

    /// Quarter points of the cheapest path to a hex.
    #[allow(dead_code)]
    pub fn cost(&self, id: &str, hex: &str, mode: ardennes::action::Mode) -> Option<u16> {
        let p = self.rules.profile(&self.s, self.s.side, self.unit(id), mode).ok()?;
        let hex = self.hex(hex);
        ardennes::movement::reach::with_reach(&self.rules, &self.s, &p, |reach| reach.cost(&p, hex))
    }
}
