//! A small map, a few counters, scripted dice: one rule at a time.

use std::sync::{Arc, OnceLock};

use ardennes::{
    Ardennes, Ardennes44,
    action::{Action, Attack},
    combat::strength::{self, Sheet},
    flags::Flags,
    flow,
    frame::Frame,
    options::Options,
    pack::{Edition, Factors, Morale, Side, TankQuality, UnitDef, UnitId, UnitType},
    phase::{self, Phase},
    place::Place,
    play::{Play, seat},
    state::State,
};
use hexgrid::HexId;
use kernel::{Dice, Log, Pending, Refusal, Rules as _, Stop, Verdict};

/// A counter: id, type, hex, `6-6-3`.
pub struct Spec {
    def: UnitDef,
    hex: String,
    flags: Flags,
}

impl Spec {
    pub fn with(mut self, change: impl FnOnce(&mut UnitDef)) -> Self {
        change(&mut self.def);
        self
    }

    pub fn is(mut self, flags: Flags) -> Self {
        self.flags.set(flags);
        self
    }

    pub fn morale(self, morale: Morale) -> Self {
        self.with(|d| d.morale = morale)
    }

    pub fn tq(self, quality: u8, red: bool) -> Self {
        self.with(|d| d.tq = Some(TankQuality { front: quality, reduced: quality, red }))
    }

    /// A second side with these factors.
    pub fn reduced(self, attack: u8, defense: u8, stacking: u8) -> Self {
        self.with(|d| {
            let movement = d.front.movement;
            d.reduced = Some(Factors { attack, defense, movement, stacking });
            d.steps = 2;
        })
    }

    /// Belongs to the formation with this id.
    pub fn of(self, formation: &str) -> Self {
        let at = game().pack().formations.iter().position(|f| f.id == formation).expect("a known formation");
        self.with(|d| d.formation = Some(ardennes::pack::FormationId(at as u8)))
    }
}

pub fn game() -> &'static Ardennes44 {
    static GAME: OnceLock<Ardennes44> = OnceLock::new();
    GAME.get_or_init(|| Ardennes44::new().expect("the shipped pack and map are sound"))
}

/// A one-step counter without formation, tags or set-up code.
fn unit(id: &str, side: Side, kind: UnitType, hex: &str, factors: &str) -> Spec {
    let pack = game().pack();
    let base =
        pack.units.iter().find(|u| u.side == side && u.unit_type == kind).expect("each side has each type");
    let numbers: Vec<u8> = factors.split('-').map(|n| n.parse().expect("a factor")).collect();
    let mut def = base.clone();
    let silhouette = matches!(kind, UnitType::SilhouetteTank | UnitType::Artillery);
    def.id = id.into();
    def.front = Factors {
        attack: numbers[0],
        defense: numbers[1],
        movement: numbers[2],
        stacking: u8::from(!silhouette),
    };
    (def.reduced, def.front_1e, def.fired) = (None, None, None);
    (def.formation, def.regiment, def.tq, def.remnant, def.breakdown) = (None, None, None, None, None);
    def.steps = 1;
    def.morale = Morale::Veteran;
    def.tags = ardennes::pack::Tags::default();
    def.defense_mark = ardennes::pack::DefenseMark::Plain;
    def.start = ardennes::pack::Start::Pool;
    Spec { def, hex: hex.into(), flags: Flags::NONE }
}

pub fn german(id: &str, kind: UnitType, hex: &str, factors: &str) -> Spec {
    unit(id, Side::German, kind, hex, factors)
}

pub fn allied(id: &str, kind: UnitType, hex: &str, factors: &str) -> Spec {
    unit(id, Side::Allied, kind, hex, factors)
}

pub struct Table {
    pub rules: Ardennes,
    pub s: State,
    pub dice: Dice,
}

/// `map` is the contents of a lab file's `[map]` besides its rectangle.
pub struct Setting<'a> {
    pub map: &'a str,
    pub edition: Edition,
    pub options: Options,
    pub turn: u8,
    pub side: Side,
    pub units: Vec<Spec>,
}

pub fn second(map: &str, side: Side, units: Vec<Spec>) -> Setting<'_> {
    Setting { map, edition: Edition::Second, options: Options::default(), turn: 5, side, units }
}

pub fn first(map: &str, side: Side, units: Vec<Spec>) -> Setting<'_> {
    Setting { edition: Edition::First, ..second(map, side, units) }
}

impl Setting<'_> {
    pub fn turn(self, turn: u8) -> Self {
        Setting { turn, ..self }
    }

    /// The position, before any step of the Combat Phase.
    pub fn position(self) -> Table {
        let text = format!("[map]\nrows = [10, 20]\ncolumns = [10, 20]\ndefault = \"clear\"\n{}", self.map);
        let map = game().map().inline("test", &text).expect("a sound map").expect("a map");
        let mut pack = (**game().pack()).clone();
        let first = pack.units.len() as u16;
        let mut placed = Vec::new();
        for (n, spec) in self.units.into_iter().enumerate() {
            pack.units.push(spec.def);
            placed.push((UnitId(first + n as u16), spec.hex, spec.flags));
        }
        let scenario = pack.scenario("campaign").expect("shipped").clone();
        let rules = Ardennes::new(Arc::new(pack), Arc::new(map), self.edition, scenario, self.options)
            .expect("it fits");
        let mut s = State::empty();
        (s.turn, s.side, s.phase) = (self.turn, self.side, Phase::Combat);
        for id in (0..first).map(UnitId) {
            let pool = rules.counter(id).remnant_counter || rules.counter(id).breakdown_counter;
            rules.put(&mut s, id, if pool { Place::Pool } else { Place::Gone });
        }
        for (index, bridge) in rules.map.bridges.iter().enumerate() {
            if bridge.state != atlas::BridgeState::Intact {
                s.bridge_mut(index).set(ardennes::state::BridgeIs::Blown);
            }
        }
        for (id, label, flags) in placed {
            let hex = rules.map.board.find(&label).expect("a hex of the small map");
            rules.put(&mut s, id, Place::Hex(hex));
            s.unit_mut(id).flags.set(flags);
        }
        Table { rules, s, dice: Dice::scripted(Vec::new()) }
    }

    /// Opens the Combat Phase with these dice.
    pub fn open(self, dice: &[u8]) -> Table {
        let mut table = self.position();
        table.dice = Dice::scripted(dice.to_vec());
        table.s.push_frames(phase::steps(Phase::Combat));
        let (rules, s, dice) = (&table.rules, &mut table.s, &mut table.dice);
        flow::settle(&mut Play { rules, s, dice, log: &mut Log::default() }).expect("dice enough");
        table
    }
}

impl Table {
    pub fn hex(&self, label: &str) -> HexId {
        self.rules.map.board.find(label).expect("a hex of the small map")
    }

    pub fn id(&self, id: &str) -> UnitId {
        self.rules.pack.unit_by_slug(id).expect("a unit of the table")
    }

    pub fn at(&self, id: &str) -> Option<String> {
        self.s.unit(self.id(id)).hex().map(|hex| self.rules.label(hex).to_owned())
    }

    pub fn flags(&self, id: &str) -> Flags {
        self.s.unit(self.id(id)).flags
    }

    pub fn alive(&self, id: &str) -> bool {
        !matches!(self.s.unit(self.id(id)).place(), Place::Dead | Place::Pool | Place::Gone)
    }

    pub fn top(&self) -> Frame {
        self.s.top()
    }

    fn who(&self) -> kernel::Seat {
        match self.rules.pending(&self.s) {
            Pending::One(seat) => seat,
            other => panic!("nobody is asked: {other:?}"),
        }
    }

    fn read(&self, text: &str) -> Result<Action, Refusal> {
        self.rules.parse(&self.s, self.who(), text)
    }

    /// Takes a decision for the side that is asked.
    pub fn act(&mut self, text: &str) -> &mut Self {
        let action = self.read(text).unwrap_or_else(|no| panic!("`{text}`: {no:?}"));
        let who = self.who();
        match self.rules.apply(&mut self.s, who, &action, &mut self.dice, &mut Log::default()) {
            Ok(()) => self,
            Err(Stop::Illegal(no)) => panic!("`{text}` at {:?}: {no:?}", self.top()),
            Err(Stop::Dice(e)) => panic!("`{text}`: {e}"),
        }
    }

    /// The rule that forbids the action.
    pub fn refused(&self, text: &str) -> String {
        let refusal = match self.read(text) {
            Err(refusal) => refusal,
            Ok(action) => match self.rules.verdict(&self.s, self.who(), &action) {
                Verdict::Illegal(refusal) => refusal,
                Verdict::Legal => panic!("`{text}` is legal at {:?}", self.top()),
            },
        };
        refusal.rule.into_owned()
    }

    /// All legal options in notation; skeletons of attacks as they are.
    pub fn options(&self) -> Vec<String> {
        let who = self.who();
        let mut subjects = Vec::new();
        self.rules.subjects(&self.s, who, &mut subjects);
        let mut all = Vec::new();
        for subject in subjects {
            let mut out = Vec::new();
            self.rules.options(&self.s, who, subject, &mut out);
            all.extend(out.iter().map(|action| self.rules.notate(&self.s, action)));
        }
        all.sort();
        all.dedup();
        all
    }

    pub fn allied_decides(&self) -> bool {
        self.who() == seat(Side::Allied)
    }

    /// The sheet of `attack 1313 with A B …`.
    pub fn sheet(&self, text: &str) -> Sheet {
        let side = self.s.side;
        let action = self.rules.parse(&self.s, seat(side), text).expect("readable");
        let Action::Attack(attack) = action else { panic!("not an attack") };
        let attack: Attack = attack;
        strength::sheet(&self.rules, &self.s, &attack)
    }

    /// `3-1`: the column of the CRT.
    pub fn column(&self, text: &str) -> String {
        let column = self.sheet(text).column(self.rules.tables(), 0);
        let odds = self.rules.tables().crt.columns[column];
        format!("{}-{}", odds.attack, odds.defense)
    }
}
