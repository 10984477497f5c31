//! A table with an empty map, on which a test places the counters it needs.

use std::sync::LazyLock;

use ardennes::{
    Ardennes44,
    action::Action,
    event::Event,
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    phase::Phase,
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};
use hexgrid::HexId;
use kernel::{Dice, Log, Refusal, Setup};
use rulebook::flow;

static GAME: LazyLock<Ardennes44> =
    LazyLock::new(|| Ardennes44::new().expect("the shipped pack and map are sound"));

pub struct Table {
    pub rules: Ardennes,
    pub s: State,
    pub log: Log<Event>,
}

impl Table {
    /// The map of a scenario without any counter on it; all units are out of the game, pools full.
    pub fn new(scenario: &str, edition: &str) -> Table {
        Table::with(scenario, edition, &[])
    }

    pub fn with(scenario: &str, edition: &str, options: &[&str]) -> Table {
        let setup = Setup {
            scenario: scenario.into(),
            edition: Some(edition.into()),
            options: options.iter().map(|o| (*o).to_owned()).collect(),
            ..Setup::default()
        };
        let rules = GAME.rules(&setup).expect("the scenario is known");
        let mut s = ardennes::setup::start(&rules);
        for id in (0..rules.pack.units.len() as u16).map(UnitId) {
            let pool = rules.counter(id).breakdown_counter || rules.counter(id).remnant_counter;
            rules.take_off(&mut s, id, if pool { Place::Pool } else { Place::Gone });
        }
        while s.frames.len() > 1 {
            s.frames.pop();
        }
        s.improved = hexgrid::HexSet::EMPTY;
        Table { rules, s, log: Log::default() }
    }

    /// The starting position of a scenario, with its own deployment.
    pub fn opened(scenario: &str, edition: &str, options: &[&str]) -> Table {
        let mut table = Table::with(scenario, edition, options);
        table.s = ardennes::game::start(&table.rules).expect("the scenario opens");
        table
    }

    pub fn hex(&self, label: &str) -> HexId {
        self.rules.map.board.find(label).unwrap_or_else(|_| panic!("{label} is on the map"))
    }

    pub fn unit(&self, slug: &str) -> UnitId {
        self.rules.pack.unit_by_slug(slug).unwrap_or_else(|| panic!("{slug} is a unit"))
    }

    pub fn put(&mut self, slug: &str, hex: &str) -> UnitId {
        let (unit, hex) = (self.unit(slug), self.hex(hex));
        self.rules.put(&mut self.s, unit, Place::Hex(hex));
        self.s.set_control(hex, self.rules.counter(unit).side);
        unit
    }

    pub fn mark(&mut self, unit: UnitId, flags: Flags) {
        self.s.unit_mut(unit).flags.set(flags);
        self.s.renew_stamp();
    }

    pub fn dead(&mut self, slug: &str) -> UnitId {
        let unit = self.unit(slug);
        self.rules.take_off(&mut self.s, unit, Place::Dead);
        unit
    }

    /// Sets the phase and side, waiting at this frame.
    pub fn at(&mut self, turn: u8, side: Side, phase: Phase, frame: Frame) {
        (self.s.turn, self.s.side, self.s.phase, self.s.night) = (turn, side, phase, phase.is_night());
        while self.s.frames.len() > 1 {
            self.s.frames.pop();
        }
        self.s.push_frames(&[frame]);
        self.s.renew_stamp();
    }

    pub fn cx(&self) -> Cx<'_> {
        let frame = self.s.top();
        let side = flow::asks(&self.rules, &self.s, frame).unwrap_or(self.s.side);
        Cx { rules: &self.rules, s: &self.s, side, frame }
    }

    pub fn check(&self, action: &Action) -> Result<(), Refusal> {
        flow::check(&self.cx(), action)
    }

    /// The rule that forbids the action.
    pub fn refused(&self, action: &Action) -> String {
        self.check(action).expect_err("this is forbidden").rule.into_owned()
    }

    pub fn options(&self, subject: Subject) -> Vec<Action> {
        let mut out = Vec::new();
        flow::options(&self.cx(), subject, &mut out);
        for action in &out {
            assert!(self.check(action).is_ok(), "{action:?} is listed and refused");
        }
        out
    }

    pub fn subjects(&self) -> Vec<Subject> {
        let mut out = Vec::new();
        flow::subjects(&self.cx(), &mut out);
        out
    }

    pub fn forced(&self) -> Option<Action> {
        flow::forced(&self.cx())
    }

    /// Takes a decision with these dice; automatic steps that follow are not run.
    pub fn act(&mut self, action: Action, dice: &[u8]) {
        self.check(&action).unwrap_or_else(|no| panic!("{action:?} is refused: {no:?}"));
        let cx = self.cx();
        let (frame, side) = (cx.frame, cx.side);
        self.play(dice, |play| flow::apply(play, At { side, frame }, &action));
        self.s.renew_stamp();
    }

    /// Runs a function with scripted dice, all of which must be rolled.
    pub fn play(&mut self, dice: &[u8], act: impl FnOnce(&mut Play) -> Result<(), kernel::Stop>) {
        let mut dice = Dice::scripted(dice.to_vec());
        let play = &mut Play { rules: &self.rules, s: &mut self.s, dice: &mut dice, log: &mut self.log };
        act(play).expect("nothing stops it");
        assert_eq!(dice.unused(), 0, "every die is rolled");
    }
}
