//! The panel of support points: Combat Support Points of each nation (6.6), SAM Strength (6.7.3) and Smoke (6.3.3).

use kernel::{
    Arg, Message,
    view::{Panel, PanelRow},
};

use crate::{
    pack::Purse,
    report::side_key,
    rules::Wurzburg,
    state::State,
    units::{Nation, Side},
};

/// `3 Air Points, 1 Bridging Point`: what there is of it; nothing if there is none.
fn list(kinds: &[(&'static str, u8)]) -> Option<Message> {
    let there = kinds.iter().filter(|(_, number)| *number > 0);
    let items: Vec<Arg> = there
        .map(|(key, number)| Arg::Message(Box::new(Message::new(*key).number("number", *number))))
        .collect();
    (!items.is_empty()).then(|| Message::new("panel.list").with("items", Arg::List(items)))
}

/// All support points of both sides; they lie in the open.
pub fn support(rules: &Wurzburg, s: &State) -> Panel {
    let row = |label: Message, value: Option<Message>, rule: &str| PanelRow {
        label,
        value: Some(value.unwrap_or_else(|| Message::new("panel.none"))),
        pieces: Vec::new(),
        current: false,
        rule: Some(rule.into()),
    };
    let mut rows = Vec::new();
    for side in Side::ALL {
        let state = &s.sides[side.index()];
        let value = list(&[("panel.sam", state.sam), ("panel.smoke", state.smoke)]);
        rows.push(row(Message::new("panel.support_of").term("owner", side_key(side)), value, "6.7.3"));
    }
    for purse in Purse::ALL {
        let points = &s.points[purse.index()];
        let value = list(&[
            ("panel.air", points.air),
            ("panel.mine", points.mine),
            ("panel.adm", points.adm),
            ("panel.bridging", points.bridging),
            ("panel.borrowed", points.borrowed),
            ("panel.gas_persistent", points.gas_persistent),
            ("panel.gas_non_persistent", points.gas_non_persistent),
        ]);
        let owner = match purse {
            Purse::Wp => side_key(Side::Wp).to_owned(),
            Purse::Us => format!("nation.{}", Nation::Us.key()),
            Purse::Wg => format!("nation.{}", Nation::Wg.key()),
            Purse::Ca => format!("nation.{}", Nation::Ca.key()),
        };
        let plays = rules.counters.iter().any(|counter| counter.nation.purse() == purse);
        if plays || value.is_some() {
            rows.push(row(Message::new("panel.support_of").term("owner", owner), value, "6.6"));
        }
    }
    Panel { id: "support".into(), title: Message::new("panel.support"), rows }
}
