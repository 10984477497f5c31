//! What a viewer may know. Hidden: steps and dummies of enemy units that are neither adjacent to an own ground unit nor
//! acquired (11.2), WP plans and payers (12.3), the Main Effort chit (12.4), whether a minefield is real (37.1).

use std::borrow::Cow;

use kernel::{
    Arg, Message, View, Viewer,
    view::{Badge, Face, LabPosition, Marker, Mood, Panel, PanelRow, Piece, TurnView},
};
use serde_json::Value;

use crate::{
    frame::Frame,
    play::seat,
    report::side_key,
    rules::Wurzburg,
    state::{Ew, Flags, Mine, OpKind, Place, State},
    units::{FormationId, Side, Symbol, UnitId},
};

/// Boxes beside the map.
pub const BOXES: [&str; 12] = [
    "spare",
    "five",
    "ten",
    "column",
    "waiting",
    "track",
    "later",
    "ready",
    "rearm_refuel",
    "recovery",
    "aboard",
    "exited",
];

impl Wurzburg {
    /// 8.3, 11.0, 11.2.3, 25.2.3: whether this viewer may know a unit's steps.
    pub fn knows_steps(&self, s: &State, viewer: Viewer, unit: UnitId) -> bool {
        let owner = self.counter(unit).side;
        viewer.knows(seat(owner))
            || self.always_known(unit)
            // 11.2.2, 23.4.6: artillery that has just fired, as long as it may be targeted.
            || s.support.battery.fired.contains(&unit)
            || viewer.knows(seat(owner.enemy())) && self.detected(s, owner.enemy(), unit)
    }

    /// The position in which units of unknown steps count as dummies: only points that the viewer may count.
    pub fn seen<'a>(&self, s: &'a State, viewer: Viewer) -> Cow<'a, State> {
        let hidden = |unit: &UnitId| {
            s.unit(*unit).on_map() && s.unit(*unit).steps > 0 && !self.knows_steps(s, viewer, *unit)
        };
        if s.ending.is_some() || !s.ids().any(|unit| hidden(&unit)) {
            return Cow::Borrowed(s);
        }
        let mut seen = s.draft();
        for unit in s.ids().filter(hidden) {
            seen.unit_mut(unit).steps = 0;
        }
        Cow::Owned(seen)
    }

    /// Whether this viewer may know a regiment's plan (12.3). It is revealed when it is carried out.
    pub fn knows_plan(&self, s: &State, viewer: Viewer, formation: FormationId) -> bool {
        // 12.3: the marker is turned up as the operation is committed.
        let runs = || s.op.side == Side::Wp && s.op.groups.iter().any(|group| group.formation == formation);
        viewer.knows(seat(Side::Wp)) || s.formation(formation).plan.executed || runs()
    }

    /// May this viewer know whether a minefield is real?
    pub fn knows_mine(&self, viewer: Viewer, owner: Side, known: bool) -> bool {
        known || viewer.knows(seat(owner))
    }
}

pub fn view(rules: &Wurzburg, s: &State, viewer: Viewer) -> View {
    View {
        turn: Some(turn(rules, s, viewer)),
        pieces: pieces(rules, s, viewer),
        markers: markers(rules, s, viewer),
        panels: vec![
            crate::table::nest(rules, s),
            command(rules, s, viewer),
            crate::table::support(rules, s),
            victory(rules, s, viewer),
        ],
        lines: crate::table::flight(rules, s, viewer),
        extra: Value::Null,
    }
}

fn lab_position(rules: &Wurzburg, s: &State, viewer: Viewer) -> LabPosition {
    let head = crate::lab::head(rules, s, viewer);
    let lines: Vec<String> = head.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    LabPosition { head: lines.concat(), steps: crate::lab::known_steps(rules, s, viewer) }
}

/// Whose cycle it is, whoever is asked in it; outside cycles, who is asked.
fn whose(rules: &Wurzburg, s: &State) -> Option<Side> {
    match s.active.some() {
        Some(active) => Some(rules.formation(active).side),
        None => rulebook::flow::asks(rules, s, s.top()),
    }
}

fn turn(rules: &Wurzburg, s: &State, viewer: Viewer) -> TurnView {
    let mut conditions = Vec::new();
    if rules.night(s) {
        conditions.push(Message::new("turn.night"));
    }
    let fog = rules.scenario.fog_turns.contains(&s.turn);
    if fog {
        conditions.push(Message::new("turn.fog"));
    }
    if let Some(active) = s.active.some() {
        conditions.push(
            Message::new("turn.active")
                .term("formation", format!("formation.{}", rules.formation(active).id)),
        );
    }
    TurnView {
        number: s.turn.into(),
        last: rules.scenario.turns.into(),
        name: match rules.turn_box(s.turn) {
            Some(at) => Message::new("turn.name").number("day", at.day).number("hour", at.hour),
            None => Message::new("turn.plain").number("turn", s.turn),
        },
        phase: phase(s),
        rule: s.phase.rule().to_owned(),
        seat: whose(rules, s).map(seat),
        conditions,
        mood: Mood { night: rules.night(s), overcast: fog, ground: None },
        lab_phase: crate::lab::phase(s).to_owned(),
        lab: Some(lab_position(rules, s, viewer)),
    }
}

/// The phase; field works are placed before the first one (35.0).
pub fn phase(s: &State) -> Message {
    if s.frames.iter().any(|frame| matches!(frame, Frame::Works(_))) {
        return Message::new("phase.setup");
    }
    Message::new(format!("phase.{}", s.phase.key()))
}

fn pieces(rules: &Wurzburg, s: &State, viewer: Viewer) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    // What is in the air lies on top of what is below it.
    let flies = |unit: &UnitId| rules.counter(*unit).symbol.helicopter();
    for unit in s.ids().filter(flies).chain(s.ids().filter(|unit| !flies(unit))) {
        let u = s.unit(unit);
        let at = match u.place {
            Place::Map => rules.field.label(u.hex).to_owned(),
            Place::Dead => continue,
            Place::Bridge => u.hex.some().map_or_else(String::new, |hex| rules.field.label(hex).to_owned()),
            place => place.key().to_owned(),
        };
        let layer = pieces.iter().filter(|piece| piece.at == at).count().min(250) as u8;
        pieces.push(Piece {
            id: rules.id(unit).to_owned(),
            seat: Some(seat(rules.counter(unit).side)),
            at,
            layer,
            facing: None,
            face: face(rules, s, viewer, unit),
            states: states(rules, s, viewer, unit),
            active: s.op.members.contains(unit) && !s.op.done.contains(unit),
        });
    }
    pieces
}

fn states(rules: &Wurzburg, s: &State, viewer: Viewer, unit: UnitId) -> Vec<String> {
    let u = s.unit(unit);
    let named = [
        (Flags::USED, "used"),
        (Flags::DISRUPTED, "disrupted"),
        (Flags::FIRED, "fired"),
        (Flags::CONTAMINATED, "contaminated"),
        (Flags::MASKED, "masked"),
    ];
    let mut states: Vec<String> =
        named.into_iter().filter(|(flag, _)| u.is(*flag)).map(|(_, name)| name.to_owned()).collect();
    if s.op.members.contains(unit) {
        states.push("participating".into());
    }
    if u.on_map() && rules.counter(unit).symbol.helicopter() {
        states.push("flying".into());
    }
    // 12.3: the marker of its regiment's plan, face up for those who may know it.
    let formation = rules.counter(unit).formation;
    let plan = s.formation(formation).plan;
    if u.on_map() && !plan.executed && rules.planned(s, formation) {
        let known = rules.knows_plan(s, viewer, formation);
        states.push(format!("command_{}", if known { plan.kind.key() } else { "hidden" }));
    }
    states
}

fn symbol(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::Armor | Symbol::ArmoredAntiArmor => "armor",
        Symbol::ArmoredCavalry => "recon",
        Symbol::AntiArmor => "antitank",
        Symbol::MechanizedInfantry => "mech_infantry",
        Symbol::MotorizedInfantry => "motorized_infantry",
        Symbol::AirborneInfantry => "infantry",
        Symbol::Engineer => "engineer",
        Symbol::Hq => "hq",
        Symbol::SelfPropelledArtillery | Symbol::TowedArtillery | Symbol::RocketArtillery => "artillery",
        Symbol::Ew => "signal",
        Symbol::AttackHelicopter | Symbol::UtilityHelicopter => "helicopter",
        Symbol::Air => "air",
    }
}

fn face(rules: &Wurzburg, s: &State, viewer: Viewer, unit: UnitId) -> Face {
    let counter = rules.counter(unit);
    let mut badges = Vec::new();
    let on_table = matches!(s.unit(unit).place, Place::Map | Place::Bridge | Place::Exited);
    let flies = counter.symbol.helicopter() && s.unit(unit).steps > 0;
    if flies || on_table && !rules.always_known(unit) {
        let text =
            if rules.knows_steps(s, viewer, unit) { s.unit(unit).steps.to_string() } else { "?".to_owned() };
        badges.push(Badge { kind: "steps".into(), text, tone: String::new() });
    }
    let factors = match counter.symbol {
        Symbol::Hq => {
            vec![counter.cp.to_string(), counter.command_range.to_string(), counter.defense.to_string()]
        }
        symbol if symbol.artillery() => {
            vec![counter.attack.to_string(), counter.range.to_string(), counter.defense.to_string()]
        }
        Symbol::AttackHelicopter => {
            let profile = counter.profiles[rules.helicopter_profile(s, unit).index()];
            profile.map_or_else(Vec::new, |p| {
                vec![p.attack.to_string(), p.range.to_string(), p.defense.to_string()]
            })
        }
        _ => vec![counter.attack.to_string(), counter.defense.to_string()],
    };
    Face {
        ground: counter.nation.key().to_lowercase(),
        bar: None,
        symbol: symbol(counter.symbol).into(),
        size: String::new(),
        left: rules.formation(counter.formation).id.clone(),
        right: String::new(),
        title: match counter.symbol {
            // 4.1.4.4: the Forward and Main HQs of a division are distinguished by their designation.
            Symbol::Hq => counter.label.split([' ', '/']).next().unwrap_or_default().to_owned(),
            _ => crate::messages::vehicle(&counter.vehicle),
        },
        factors,
        badges,
        reduced: false,
    }
}

fn markers(rules: &Wurzburg, s: &State, viewer: Viewer) -> Vec<Marker> {
    let mut markers = Vec::new();
    let mut put = |kind: &str, at: String, side: Option<Side>| {
        markers.push(Marker { kind: kind.into(), at, seat: side.map(seat), text: String::new() });
    };
    let label = |hex| rules.field.label(hex).to_owned();
    for mark in &s.marks {
        if let Some(side) = mark.improved {
            put("improved_position", label(mark.hex), Some(side));
        }
        if mark.obstacle {
            put("obstacle", label(mark.hex), None);
        }
        if mark.smoke {
            put("smoke", label(mark.hex), None);
        }
        if mark.mine != Mine::None {
            let knows = rules.knows_mine(viewer, mark.mine_owner, mark.mine_known);
            let kind = match mark.mine {
                _ if !knows => "minefield",
                Mine::Dummy => "minefield_dummy",
                _ => "minefield_real",
            };
            put(kind, label(mark.hex), Some(mark.mine_owner));
        }
        if mark.gas_persistent {
            put("gas_persistent", label(mark.hex), None);
        } else if mark.gas_non_persistent {
            put("gas_non_persistent", label(mark.hex), None);
        }
    }
    for (n, hex) in rules.holdable.iter().enumerate() {
        put("control", label(*hex), Some(s.control[n]));
    }
    for hex in &s.acquired {
        put("acquired", label(*hex), None);
    }
    if let Some(hex) = s.op.objective.some() {
        put("objective", label(hex), Some(s.op.side));
    }
    for (n, crossing) in s.crossings.iter().enumerate() {
        let at = || rules.field.side_label(rules.field.river_sides[n]);
        if crossing.blown {
            put("bridge_blown", at(), None);
        }
        if let Some(side) = crossing.builder() {
            put("bridge_military", at(), Some(side));
        }
    }
    for (n, f) in s.formations.iter().enumerate() {
        if let Some(hex) = f.lead.some() {
            let side = rules.formation(FormationId(n as u8)).side;
            markers.push(Marker {
                kind: "lead".into(),
                at: rules.field.label(hex).to_owned(),
                seat: Some(seat(side)),
                text: rules.formation(FormationId(n as u8)).id.clone(),
            });
        }
    }
    markers
}

/// HQs with their points, and what WP has planned.
fn command(rules: &Wurzburg, s: &State, viewer: Viewer) -> Panel {
    let mut rows = Vec::new();
    for side in Side::ALL {
        let state = &s.sides[side.index()];
        // 12.3: during planning, WP's points would reveal the payers.
        let cp = if side == Side::Nato || viewer.knows(seat(Side::Wp)) {
            Message::new("panel.points").number("cp", state.off_map_cp).number("rp", state.off_map_rp)
        } else {
            Message::new("panel.recon_points").number("rp", state.off_map_rp)
        };
        rows.push(PanelRow {
            label: Message::new("panel.off_map").term("side", side_key(side)),
            value: Some(cp),
            pieces: Vec::new(),
            current: false,
            rule: Some("12.2.3".into()),
        });
    }
    for unit in &rules.hqs {
        let counter = rules.counter(*unit);
        let hq = &s.hqs[usize::from(counter.hq)];
        let open = counter.side == Side::Nato || viewer.knows(seat(Side::Wp));
        let value = if open {
            Message::new("panel.points").number("cp", hq.cp).number("rp", hq.rp)
        } else {
            Message::new("panel.recon_points").number("rp", hq.rp)
        };
        // 4.1.5, 39.1
        let value = match hq.ew {
            Ew::None => value,
            Ew::Unused => Message::new("panel.with_ew").with("points", Arg::Message(Box::new(value))),
            Ew::Used => Message::new("panel.with_used_ew").with("points", Arg::Message(Box::new(value))),
            Ew::Lost => Message::new("panel.with_lost_ew").with("points", Arg::Message(Box::new(value))),
        };
        rows.push(PanelRow {
            label: Message::new("panel.hq").unit("unit", counter.id.clone()),
            value: Some(value),
            pieces: vec![counter.id.clone()],
            current: counter.formation == s.active,
            rule: Some("12.2.2".into()),
        });
    }
    for (n, f) in s.formations.iter().enumerate() {
        let id = FormationId(n as u8);
        if !rules.planned(s, id) {
            continue;
        }
        let value = if rules.knows_plan(s, viewer, id) {
            Message::new(format!("operation.{}", f.plan.kind.key()))
        } else {
            Message::new("panel.hidden")
        };
        rows.push(PanelRow {
            label: Message::new("panel.plan")
                .term("formation", format!("formation.{}", rules.formation(id).id)),
            value: Some(value),
            pieces: Vec::new(),
            current: f.plan.executed,
            rule: Some("12.3".into()),
        });
    }
    Panel { id: "command".into(), title: Message::new("panel.command"), rows }
}

fn victory(rules: &Wurzburg, s: &State, viewer: Viewer) -> Panel {
    let s = &rules.seen(s, viewer);
    let ending = rules.ending(s);
    let row = |side: Side| {
        let score = rules.score(s, side);
        PanelRow {
            label: Message::new("panel.victory_of").term("side", side_key(side)),
            value: Some(
                Message::new("panel.victory_points")
                    .number("total", score.total())
                    .number("losses", score.losses + score.hqs + score.air)
                    .number("gas", score.gas)
                    .number("scenario", score.scenario),
            ),
            pieces: Vec::new(),
            current: ending.winner == Some(side),
            rule: Some("46.7".into()),
        }
    };
    Panel { id: "victory".into(), title: Message::new("panel.victory"), rows: Side::ALL.map(row).to_vec() }
}

/// Is the operation that waits a Reserve of one side?
pub fn reserve(frame: Frame) -> Option<OpKind> {
    matches!(frame, Frame::Reserve(_)).then_some(OpKind::Reserve)
}
