//! What a viewer may know. Hidden from all but their owner: Commands, until they are carried out or shown (4.2.1), and
//! in the Advanced Game fire plans, aircraft loads and hidden mines (6.5.1.11, 6.7.1, 7.31).

use hexgrid::HexId;
use kernel::{
    Arg, Message, View, Viewer,
    view::{Badge, Face, MapLine, Marker, Mood, Panel, PanelRow, Piece, TurnView},
};
use serde_json::{Value, json};

use crate::{
    frame::Frame,
    pack::{Card, Kind, Nation, Side, advanced::Grade},
    phase::Phase,
    play::seat,
    report::side_key,
    rules::Panzer,
    state::{Command, Flags, Place, Spot, State},
    units::UnitId,
};

impl Panzer {
    /// 7.31: may this viewer know of a counter?
    pub fn knows_work(&self, viewer: Viewer, work: &crate::works::Work) -> bool {
        !work.hidden || viewer.knows(seat(work.side))
    }

    /// May this viewer know a vehicle's Command?
    pub fn knows_command(&self, s: &State, viewer: Viewer, unit: UnitId) -> bool {
        viewer.knows(seat(self.vehicle(unit).side)) || s.unit(unit).is(Flags::REVEALED)
    }
}

pub fn view(rules: &Panzer, s: &State, viewer: Viewer) -> View {
    View {
        turn: Some(turn(rules, s)),
        pieces: pieces(rules, s, viewer),
        markers: markers(rules, s, viewer),
        panels: panels(rules, s, viewer),
        lines: lines(rules, s),
        extra: Value::Null,
    }
}

/// The fire that is being resolved.
fn lines(rules: &Panzer, s: &State) -> Vec<MapLine> {
    let resolving =
        s.frames.iter().any(|frame| matches!(frame, Frame::Shot | Frame::ShowCommand | Frame::HitAngle));
    if !resolving {
        return Vec::new();
    }
    let Some(to) = label(rules, s.unit(s.fire.target).hex) else { return Vec::new() };
    let shots = s.fire.shots.iter().filter_map(|shot| {
        Some(MapLine {
            kind: "fire".into(),
            cells: vec![label(rules, s.unit(shot.unit).hex)?, to.clone()],
            seat: Some(seat(rules.vehicle(shot.unit).side)),
            arrow: true,
            ..MapLine::default()
        })
    });
    shots.collect()
}

fn turn(rules: &Panzer, s: &State) -> TurnView {
    let mut conditions = Vec::new();
    if let Some(first) = s.first {
        conditions.push(Message::new("turn.first_player").term("side", side_key(first)));
    }
    let light = rules.advanced.as_deref().map(|game| &game.extras.conditions);
    let kinds = [
        (rules.optional(36), "turn.night"),
        (light.is_some_and(|c| c.heat_haze), "turn.heat_haze"),
        (light.is_some_and(|c| c.dust), "turn.dust"),
        (light.is_some_and(|c| c.sun_blinding.is_some()), "turn.sun_blinding"),
    ];
    conditions.extend(kinds.into_iter().filter(|(holds, _)| *holds).map(|(_, key)| Message::new(key)));
    let set_up = match s.top() {
        Frame::SetUp(_) => Some("2.0"),
        Frame::Plot(_) => Some("6.5.1.11"),
        Frame::Load => Some("6.7.1"),
        _ => None,
    };
    TurnView {
        number: s.turn.into(),
        last: rules.scenario.turns.into(),
        name: Message::new("turn.name").number("turn", s.turn),
        phase: Message::new(match set_up {
            Some(_) => "phase.set_up".into(),
            None => format!("phase.{}", s.phase.key()),
        }),
        rule: set_up.unwrap_or_else(|| s.phase.rule()).to_owned(),
        seat: rulebook::flow::asks(rules, s, s.top()).filter(|_| s.phase != Phase::Command).map(seat),
        conditions,
        mood: Mood { night: rules.optional(36), overcast: false, ground: None },
        lab_phase: if set_up.is_some() { String::new() } else { s.phase.key().to_owned() },
        lab: None,
    }
}

fn pieces(rules: &Panzer, s: &State, viewer: Viewer) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for unit in s.ids() {
        let u = s.unit(unit);
        let at = match u.place {
            Place::Map => rules.field.label(u.hex).to_owned(),
            Place::Held => "held".into(),
            Place::Exited => "exited".into(),
            Place::KnockedOut | Place::BrewedUp | Place::Eliminated => "eliminated".into(),
            Place::Portee => continue, // 5.2.1: one with its truck
            Place::Hidden => continue, // 7.2: not known to this viewer
        };
        let layer = pieces.iter().filter(|p| p.at == at).count() as u8;
        pieces.push(Piece {
            id: rules.id(unit).to_owned(),
            seat: Some(seat(rules.vehicle(unit).side)),
            at,
            layer,
            facing: u.on_map().then(|| u.facing.index() as u16 * 60),
            face: face(rules, s, viewer, unit),
            states: states(rules, s, viewer, unit),
            active: active(rules, s, viewer, unit),
        });
    }
    pieces
}

/// Whether its owner can still act with it in this phase, as far as this viewer may know.
fn active(rules: &Panzer, s: &State, viewer: Viewer, unit: UnitId) -> bool {
    let u = s.unit(unit);
    let known = rules.knows_command(s, viewer, unit);
    u.on_map()
        && match s.phase {
            Phase::Command => {
                let side = rules.vehicle(unit).side;
                let waits = u.command == Command::NoCommand && !s.committed[side.index()];
                waits && viewer.knows(seat(side)) && rules.commandable(s, unit)
            }
            Phase::Combat => known && u.command.fires() && !u.is(Flags::FIRED),
            Phase::Movement => known && u.command.moves() && !u.is(Flags::MOVED),
            _ => false,
        }
}

fn states(rules: &Panzer, s: &State, viewer: Viewer, unit: UnitId) -> Vec<String> {
    let u = s.unit(unit);
    let mut states = Vec::new();
    let mut say = |state: &str| states.push(state.to_owned());
    // The most important ones first: there is room for only a few.
    for (flag, name) in [
        (Flags::SUPPRESSED_ON, "suppressed"),
        (Flags::SUPPRESSED_OFF, "suppressed_off"),
        (Flags::BAILED, "abandoned"),
        (Flags::TRACK, "track_hit"),
        (Flags::TURRET, "turret_damaged"),
        (Flags::HULL, "hull_damaged"),
        (Flags::FULL_COVER, "full_cover"),
        (Flags::HULL_DOWN, "hull_down"),
        (Flags::PARTLY_HULL_DOWN, "partly_hull_down"),
        (Flags::ENTRENCHED, "entrenched"),
        (Flags::IMPROVED, "improved"),
        (Flags::INSIDE, "inside"),
        (Flags::UP, "upstairs"),
        (Flags::BOGGED, "bogged"),
        (Flags::HESITATES, "hesitating"),
        (Flags::BROKEN, "broken"),
        (Flags::REDUCED, "reduced"),
        (Flags::UNLOADED, "unloaded"),
    ] {
        if u.is(flag) {
            say(name);
        }
    }
    if s.veil(unit).is_some() {
        say("hidden");
    }
    if u.passenger() {
        say("aboard");
    }
    if !rules.passengers(s, unit).is_empty() {
        say("loaded");
    }
    match u.spot {
        Spot::None => {}
        Spot::Move => say("spot_move"),
        Spot::Fire => say("spot_fire"),
        Spot::FireSmallArms => say("spot_fire_sa"),
    }
    if u.is(Flags::DAMAGED) {
        say("damaged");
    }
    if u.is(Flags::FIRED) {
        say("fired");
    }
    if u.is(Flags::MOVED) {
        say("moved");
    }
    match u.place {
        Place::KnockedOut => say("knocked_out"),
        Place::BrewedUp => say("brewed_up"),
        _ => {}
    }
    if u.on_map() && !s.spotters[unit.index()].is_empty() {
        say("spotted");
    }
    states.extend(command_state(rules, s, viewer, unit).map(str::to_owned));
    states
}

/// The Command counter: its text for viewers who may know it, otherwise a hidden counter.
fn command_state(rules: &Panzer, s: &State, viewer: Viewer, unit: UnitId) -> Option<&'static str> {
    let u = s.unit(unit);
    let alive = matches!(u.place, Place::Map | Place::Held);
    let placed = matches!(s.phase, Phase::Initiative | Phase::Combat | Phase::Movement)
        || s.phase == Phase::Command
            && rules.knows_command(s, viewer, unit)
            && u.command != Command::NoCommand;
    if !alive || !placed || !rules.commandable(s, unit) {
        return None;
    }
    if !rules.knows_command(s, viewer, unit) {
        return Some("command_hidden");
    }
    Some(match u.command {
        Command::NoCommand => "command_none",
        Command::Fire => "command_fire",
        Command::Move => "command_move",
        Command::ShortHalt => "command_short_halt",
        Command::Overwatch => "command_overwatch",
    })
}

/// What a unit is called: a unit on foot in the reader's language, anything else by its designation.
pub fn name_words(rules: &Panzer, unit: UnitId) -> kernel::Arg {
    let card = rules.card(unit);
    let leg = rules.pack.advanced.leg.iter().find(|leg| leg.id == card.id);
    leg.map_or_else(
        || kernel::Arg::Text(card.name.clone()),
        |leg| kernel::Arg::Term(format!("unit.{}", leg.id).into()),
    )
}

fn face(rules: &Panzer, s: &State, _viewer: Viewer, unit: UnitId) -> Face {
    let card = rules.card(unit);
    let m = rules.vehicle(unit).movement;
    let letter = crate::ask::traction_letter(m.traction);
    let badge = |kind: &str, text: String| Badge { kind: kind.into(), text, tone: String::new() };
    let mut badges = Vec::new();
    if rules.is_vehicle(unit) {
        badges.push(badge("armor", format!("{}/{}", card.armor[0], card.armor[1])));
    }
    if let Some(piece) = rules.piece(unit) {
        badges.push(badge("grade", grade_letter(piece.grade).to_owned()));
        if let Some((gpd, kind)) = rules.gp_defense(s, unit, false).filter(|_| s.unit(unit).on_map()) {
            badges.push(badge("gpd", format!("{gpd}{kind:?}")));
        }
    }
    // 1.7.1: the Movement Factor; the third number on foot is the Quickmarch allowance (6.6.4.1).
    let factors = if m.traction.on_foot() {
        vec![format!("{}{letter}", m.cross_country), m.road.to_string()]
    } else {
        vec![format!("{}{letter}", m.cross_country), format!("{}-{}", m.path, m.road)]
    };
    let kind = match card.kind {
        Kind::Squad if s.unit(unit).is(Flags::REDUCED) => Kind::HalfSquad,
        kind => kind,
    };
    Face {
        ground: match card.nation {
            Nation::German => "de",
            Nation::Italian => "it",
            Nation::British => "uk",
            Nation::American => "us",
            Nation::French => "fr",
        }
        .into(),
        bar: None,
        symbol: format!("silhouette:{}", kind_key(kind)),
        size: String::new(),
        // Its number among the vehicles of its card.
        left: rules.id(unit).to_owned(),
        right: String::new(),
        title: match name_words(rules, unit) {
            // The client knows it by its key, and words it in the reader's language.
            kernel::Arg::Term(key) => key.into_owned(),
            _ => card.name.clone(),
        },
        factors,
        badges,
        reduced: s.unit(unit).is(Flags::REDUCED),
    }
}

/// 6.1.4.3: counters on the ground that the viewer knows of (7.31).
fn works(rules: &Panzer, s: &State, viewer: Viewer, markers: &mut Vec<Marker>) {
    let marker = |kind: &str, hex: HexId, text: String| Marker {
        kind: kind.into(),
        at: rules.field.label(hex).to_owned(),
        seat: None,
        text,
    };
    for work in &s.works.list {
        if !rules.knows_work(viewer, work) || work.kind == crate::pack::advanced::FeatureKind::Bridge {
            continue;
        }
        let text = if rules.complete(work) { String::new() } else { work.progress.to_string() };
        markers.push(marker(work.kind.key(), work.hex, text));
    }
    markers.extend(s.works.rubble.iter().map(|hex| marker("rubble", hex, String::new())));
    if let Some((craft, flight)) = rules.flying(s) {
        // The text is its name, followed by its heading.
        let text = format!("{} {}", rules.craft_called(craft), crate::notation::facing_word(flight.facing));
        markers.push(marker("aircraft", flight.hex, text));
    }
    markers.extend(s.works.fires.iter().map(|(hex, _)| marker("fire", *hex, String::new())));
}

fn markers(rules: &Panzer, s: &State, viewer: Viewer) -> Vec<Marker> {
    let mut markers = Vec::new();
    for hex in &s.wrecks {
        let kind = if s.smoke.contains(hex) { "brew_up" } else { "wreck" };
        let at = rules.field.label(hex).to_owned();
        markers.push(Marker { kind: kind.into(), at, seat: None, text: String::new() });
    }
    for area in &s.indirect.areas {
        let kind = match area.kind {
            crate::pack::advanced::HindranceKind::Dust => "dust",
            crate::pack::advanced::HindranceKind::OnFire => continue, // drawn with the works
            _ if area.smoke() => "smoke",
            _ => "barrage",
        };
        for hex in &area.hexes {
            let at = rules.field.label(*hex).to_owned();
            markers.push(Marker { kind: kind.into(), at, seat: None, text: String::new() });
        }
    }
    if !s.indirect.lit.is_empty() {
        let lit = |kind: &str, hex| Marker {
            kind: kind.into(),
            at: rules.field.label(hex).to_owned(),
            seat: None,
            text: String::new(),
        };
        markers.extend(rules.field.hexes().filter(|hex| rules.lit(s, *hex)).map(|hex| lit("lit", hex)));
        markers.extend(s.indirect.lit.iter().map(|(_, hex)| lit("flare", *hex)));
    }
    for mission in &s.indirect.missions {
        let at = rules.field.label(mission.point).to_owned();
        let text = format!("M{}", mission.id);
        markers.push(Marker { kind: "mission".into(), at, seat: Some(seat(mission.side)), text });
    }
    works(rules, s, viewer, &mut markers);
    for (n, objective) in rules.scenario.objectives.iter().enumerate() {
        for hex in &objective.hexes {
            let side = s.control[n].side;
            markers.push(Marker {
                kind: "objective".into(),
                at: hex.clone(),
                seat: side.map(seat),
                text: objective.points.iter().max().map(ToString::to_string).unwrap_or_default(),
            });
        }
    }
    markers
}

fn objectives(rules: &Panzer, s: &State) -> Panel {
    let row = |(n, objective): (usize, &crate::pack::Objective)| {
        let held = s.control[n].side;
        let value = match held {
            Some(side) => Message::new("panel.held").term("side", side_key(side)),
            None => Message::new("panel.free"),
        };
        let points = |side: Side| i64::from(objective.points[side.index()]);
        PanelRow {
            label: Message::new("panel.objective")
                .with("place", Arg::Place(objective.hexes.first().cloned().unwrap_or_default()))
                .number("axis", points(Side::Axis))
                .number("allied", points(Side::Allied)),
            value: Some(value),
            pieces: Vec::new(),
            current: held.is_some(),
            rule: Some("3.6".into()),
        }
    };
    Panel {
        id: "objectives".into(),
        title: Message::new("panel.objectives"),
        rows: rules.scenario.objectives.iter().enumerate().map(row).collect(),
    }
}

fn panels(rules: &Panzer, s: &State, viewer: Viewer) -> Vec<Panel> {
    let mut panels = vec![objectives(rules, s), victory(rules, s)];
    panels.extend(batteries(rules, s, viewer));
    panels.extend(hidden(rules, s));
    panels
}

/// 7.2: how many units of each side are hidden, as far as this viewer may know where they are not.
fn hidden(rules: &Panzer, s: &State) -> Option<Panel> {
    let hides = |unit: &UnitId| s.veil(*unit).is_some() || s.unit(*unit).place == Place::Hidden;
    let row = |side: Side| {
        let units: Vec<UnitId> = rules.units_of(side).iter().copied().filter(hides).collect();
        PanelRow {
            label: Message::new("panel.hidden_of").term("side", side_key(side)),
            value: Some(Message::new("panel.hidden_number").number("number", units.len() as i64)),
            pieces: Vec::new(),
            current: !units.is_empty(),
            rule: Some("7.2".into()),
        }
    };
    let rows: Vec<PanelRow> = Side::ALL.map(row).into_iter().filter(|row| row.current).collect();
    let title = Message::new("panel.hidden");
    (!rows.is_empty()).then(|| Panel { id: "hidden".into(), title, rows })
}

/// Off-map batteries (6.5.1.2): everybody may know them and whether they fire; plans are known to their owner only
/// (6.5.1.11).
fn batteries(rules: &Panzer, s: &State, viewer: Viewer) -> Option<Panel> {
    let game = rules.advanced.as_deref().filter(|game| !game.extras.batteries.is_empty())?;
    let row = |(n, battery): (usize, &crate::pack::advanced::BatteryDef)| {
        let source = crate::indirect::Source::Battery(n as u8);
        let mission = s.indirect.missions.iter().find(|m| m.sources.contains(&source));
        let plot = s.indirect.plots.iter().find(|plot| usize::from(plot.battery) == n && plot.begun == 0);
        let plot = plot.filter(|_| viewer.knows(seat(battery.side)));
        let value = match (mission, plot) {
            (Some(m), _) => Message::new("panel.fires_on").place("place", rules.field.label(m.point)),
            (None, Some(plot)) => Message::new("panel.planned").number("turn", plot.arrival),
            (None, None) => Message::new("panel.idle"),
        };
        let label = Message::new("panel.battery").with("name", rules.source_words(source));
        PanelRow {
            label: label.term("side", side_key(battery.side)),
            value: Some(value),
            pieces: Vec::new(),
            current: mission.is_some(),
            rule: Some("6.5.1.2".into()),
        }
    };
    Some(Panel {
        id: "batteries".into(),
        title: Message::new("panel.batteries"),
        rows: game.extras.batteries.iter().enumerate().map(row).collect(),
    })
}

fn victory(rules: &Panzer, s: &State) -> Panel {
    let row = |side: Side| {
        let points = rules.points(s, side);
        PanelRow {
            label: Message::new("panel.points").term("side", side_key(side)),
            value: Some(
                Message::new("panel.points_of")
                    .number("total", points.total())
                    .number("eliminated", points.eliminated)
                    .number("damaged", points.damaged)
                    .number("exited", points.exited)
                    .number("objectives", points.objectives),
            ),
            pieces: Vec::new(),
            current: rules.ending(s).winner == Some(side),
            rule: Some("4.6.2".into()),
        }
    };
    Panel { id: "victory".into(), title: Message::new("panel.victory"), rows: Side::ALL.map(row).to_vec() }
}

/// What wins the scenario, for its briefing (4.6.2): what is worth points, and the lead that each level of victory needs.
pub fn aims(rules: &Panzer) -> Panel {
    let terms = &rules.scenario.victory;
    let row = |label: Message, value: Message, rule: &str| PanelRow {
        label,
        value: Some(value),
        pieces: Vec::new(),
        current: false,
        rule: Some(rule.into()),
    };
    let points = |list: [u16; 2]| {
        Message::new("aims.points").number("axis", i64::from(list[0])).number("allied", i64::from(list[1]))
    };
    let worth = match terms.per_vehicle {
        [0, 0] => Message::new("aims.by_card"),
        fixed => points(fixed),
    };
    let mut rows = vec![row(Message::new("aims.eliminated"), worth, "4.6.2")];
    if terms.damaged_percent > 0 {
        let share = Message::new("aims.share").number("percent", i64::from(terms.damaged_percent));
        rows.push(row(Message::new("aims.damaged"), share, "4.6.2"));
    }
    for objective in &rules.scenario.objectives {
        let label = Message::new("aims.objective").term("place", format!("objective.{}", objective.id));
        rows.push(row(label, points(objective.points), "3.6"));
    }
    if terms.per_exit != [0, 0] {
        rows.push(row(Message::new("aims.exit"), points(terms.per_exit), "4.5.1.1.9"));
    }
    for side in Side::ALL {
        // The least victory and the greatest one.
        let levels = &terms.levels[side.index()];
        let told = levels.last().into_iter().chain(levels.first().filter(|_| levels.len() > 1));
        for (level, lead) in told {
            let label = Message::new("aims.level")
                .term("side", side_key(side))
                .term("level", format!("level.{level}"));
            let key = if *lead < 0 { "aims.behind" } else { "aims.lead" };
            rows.push(row(label, Message::new(key).number("n", i64::from(lead.abs())), "4.6.2"));
        }
    }
    Panel { id: "aims".into(), title: Message::new("panel.victory"), rows }
}

/// A data card as JSON, for the lab and the client's card view.
pub fn card(card: &Card) -> Value {
    let m = card.movement;
    let mount = |mount: &crate::pack::Mount| {
        json!({ "weapon": mount.name, "turret_turn": mount.turret_turn, "field_of_fire": mount.field_of_fire,
                "ap": mount.ap.map(|ap| json!({ "range": ap.range, "penetration": ap.penetration })) })
    };
    json!({
        "id": card.id, "number": card.card, "name": card.name, "nation": card.nation,
        "movement": { "cross_country": m.cross_country, "traction": m.traction, "path": m.path, "road": m.road },
        "size": card.size, "armor": { "front": card.armor[0], "rear": card.armor[1] }, "armed": card.armed,
        "open_top": card.open_top, "points": card.points,
        "mounts": card.mounts.iter().map(mount).collect::<Vec<_>>(),
    })
}

/// The initial of a grade, as on counters.
const fn grade_letter(grade: Grade) -> &'static str {
    match grade {
        Grade::Elite => "E",
        Grade::Veteran => "V",
        Grade::Seasoned => "S",
        Grade::Regulars => "R",
        Grade::Green => "G",
    }
}

/// A hex's label, or nothing off the map.
pub fn label(rules: &Panzer, hex: HexId) -> Option<String> {
    hex.some().map(|hex| rules.field.label(hex).to_owned())
}

/// The kind of vehicle, as the client draws it.
pub const fn kind_key(kind: Kind) -> &'static str {
    match kind {
        Kind::Tank => "tank",
        Kind::TankDestroyer => "tank_destroyer",
        Kind::AssaultGun => "assault_gun",
        Kind::SelfPropelledGun => "self_propelled_gun",
        Kind::ArmoredCar => "armored_car",
        Kind::GunTruck => "gun_truck",
        Kind::HalfTrack => "half_track",
        Kind::Carrier => "carrier",
        Kind::Tractor => "tractor",
        Kind::Truck => "truck",
        Kind::Car => "car",
        Kind::Squad => "squad",
        Kind::HalfSquad => "half_squad",
        Kind::Section => "section",
        Kind::TowedGun => "towed_gun",
    }
}
