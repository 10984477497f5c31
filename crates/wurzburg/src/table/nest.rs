//! The panel of nested interrupts: turn, cycle, operation and interrupts, each with the side that decides (13.8).

use kernel::{
    Message,
    view::{Panel, PanelRow},
};
use rulebook::flow;

use crate::{
    frame::{Frame, OpStep},
    operation,
    report::{asked_for, side_key},
    rules::Wurzburg,
    state::{OpKind, State, Variant},
    units::Side,
};

fn row(label: Message, value: Option<Message>, rule: &str, current: bool) -> PanelRow {
    PanelRow { label, value, pieces: Vec::new(), current, rule: Some(rule.into()) }
}

/// The nested interrupts, outermost first: the last one is decided now, and all above wait for it.
pub fn nest(rules: &Wurzburg, s: &State) -> Panel {
    let mut rows = vec![row(
        Message::new("nest.turn").number("turn", s.turn).number("last", rules.scenario.turns),
        Some(crate::view::phase(s)),
        s.phase.rule(),
        false,
    )];
    if let Some(active) = s.active.some() {
        let node = rules.formation(active);
        rows.push(row(
            Message::new("nest.cycle").term("formation", format!("formation.{}", node.id)),
            Some(Message::new(side_key(node.side))),
            "10.0",
            false,
        ));
        if let Some(segment) = segment(s) {
            rows.push(row(Message::new(format!("segment.{segment}")), None, "10.0", false));
        }
    }
    if !s.op.members.is_empty() {
        rows.push(operation_row(rules, s));
        rows.extend(steps(s));
    }
    let asking: Vec<(Frame, Side)> =
        s.frames.iter().filter_map(|frame| flow::asks(rules, s, *frame).map(|side| (*frame, side))).collect();
    for (n, (frame, side)) in asking.iter().enumerate() {
        let now = n + 1 == asking.len();
        let Some(question) = flow::question::<Wurzburg>(*frame) else { continue };
        let (key, rule) = asked_for(rules, s, *frame, question);
        let name = key.replacen("prompt.", "nest.", 1);
        let value = if now { "nest.decides" } else { "nest.waits" };
        rows.push(row(
            Message::new(name),
            Some(Message::new(value).term("side", side_key(*side))),
            rule,
            now && s.ending.is_none(),
        ));
    }
    Panel { id: "nest".into(), title: Message::new("panel.nest"), rows }
}

/// The current segment of the cycle: the one before the first that is still to come.
fn segment(s: &State) -> Option<&'static str> {
    use crate::frame::Segment;
    let next = s.frames.iter().rev().find_map(|frame| match frame {
        Frame::Segment(segment) => Some(*segment),
        _ => None,
    });
    let at = match next {
        Some(next) => Segment::ALL.iter().position(|segment| *segment == next)?.checked_sub(1)?,
        None => Segment::ALL.len() - 1,
    };
    Some(Segment::ALL[at].key())
}

fn operation_row(rules: &Wurzburg, s: &State) -> PanelRow {
    let mut label = Message::new(if s.op.objective.some().is_some() {
        "nest.operation_against"
    } else {
        "nest.operation"
    })
    .term("operation", format!("operation.{}", s.op.kind.key()));
    if let Some(hex) = s.op.objective.some() {
        label = label.place("hex", rules.field.label(hex));
    }
    let value = Message::new(side_key(s.op.side));
    PanelRow {
        label,
        value: Some(value),
        pieces: s.op.members.iter().map(|unit| rules.id(unit).to_owned()).collect(),
        current: false,
        rule: Some("13.0".into()),
    }
}

/// The steps of the operation; the current one is marked.
fn steps(s: &State) -> Vec<PanelRow> {
    if matches!(s.op.kind, OpKind::March | OpKind::Reserve) {
        return Vec::new();
    }
    let list = operation::steps(s.op.kind, s.op.variant, s.op.reversed);
    let at = usize::from(s.op.step);
    let row = |n: usize| {
        let key = match n.cmp(&at) {
            std::cmp::Ordering::Less => "nest.step_done",
            std::cmp::Ordering::Equal => "nest.step_now",
            std::cmp::Ordering::Greater => "nest.step_later",
        };
        row(
            Message::new(key).number("number", n as i64 + 1).term("step", format!("step.{}", list[n].key())),
            None,
            "13.1",
            false,
        )
    };
    // Only the previous, current and next ones: the whole list is long. 41.4: only its own kind of attack has the Gegenangriff Step.
    let has = |n: &usize| list[*n] != OpStep::Gegenangriff || s.op.variant == Variant::Gegenangriff;
    (at.saturating_sub(1)..list.len().min(at + 3)).filter(has).map(row).collect()
}
