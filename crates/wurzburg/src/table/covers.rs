//! What a listed option stands for besides itself: the lists name one way to each hex and a few divisions of steps, any other
//! may be written (`docs/wurzburg.md`, "What the lists leave out").

use crate::{
    action::{Action, Commit, Part, Who},
    operation::beyond_reach,
    play::Cx,
    units::UnitId,
};

/// Is every unit of the first list in the second, with whatever number of steps?
fn within(some: &[Part], all: &[Part]) -> bool {
    some.iter().all(|part| all.iter().any(|other| other.unit == part.unit))
}

fn partly(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.steps.is_some())
}

fn among(some: &[UnitId], all: &[UnitId]) -> bool {
    some.iter().all(|unit| all.contains(unit))
}

/// Does choosing `listed` offer `action`, too?
pub fn covers(cx: &Cx, listed: &Action, action: &Action) -> bool {
    if listed == action {
        return true;
    }
    match (listed, action) {
        // 16.1, 16.6: other ways to the same hex, more of the stack; steps that part go to the next hex and on from there.
        (Action::Move { parts, path }, Action::Move { parts: more, path: way }) => {
            within(parts, more)
                && (path.last() == way.last()
                    || way.is_empty()
                    || partly(parts) && partly(more) && more.len() == parts.len())
        }
        // 12.3.2: the marker of another unit in the same hex. Regiments are asked one after the other, but may be named in any
        // order.
        (Action::Lead(unit), Action::Lead(other)) => {
            let formation = |unit: &UnitId| cx.rules.counter(*unit).formation;
            cx.s.unit(*unit).hex == cx.s.unit(*other).hex || formation(unit) != formation(other)
        }
        // 20.2.2, 20.2.4: hexes without enemies, of which there are hundreds, and those already acquired.
        (Action::Done, Action::Recon { hex, .. }) => {
            !cx.rules.holds(cx.s, *hex, cx.side.enemy()) || cx.s.acquired.contains(hex)
        }
        (Action::Commit(listed), Action::Commit(other)) => commits(cx, listed, other),
        // 16.6.2: forces that converge; 11.5: with some steps of the same units.
        (
            Action::March { formation, base, units, airmobile, .. },
            Action::March { formation: f, base: b, units: more, airmobile: a, rally },
        ) => {
            let same =
                within(units, more) && (rally.some().is_some() || units.len() == more.len() && partly(more));
            (formation, base, airmobile) == (f, b, a) && same
        }
        // 18.7.3: a unit divides its fire.
        (Action::Fire { target, with }, Action::Fire { target: at, with: some }) => {
            target == at && within(some, with) && partly(some)
        }
        // 11.5, 11.7, 18.5.1, 14.4: other numbers of steps.
        (Action::Advance(part), Action::Advance(other)) => part.unit == other.unit,
        (Action::Transfer { part, to }, Action::Transfer { part: other, to: taker }) => {
            part.unit == other.unit && to == taker
        }
        (Action::Retreat { part, to }, Action::Retreat { part: other, to: at }) => {
            part.unit == other.unit && to == at
        }
        (Action::Land { part, to }, Action::Land { part: other, to: at }) => {
            part.unit == other.unit && to == at
        }
        (Action::Mask(parts), Action::Mask(other)) => within(parts, other) && partly(other),
        // 11.6: three at once instead of two and then the third.
        (Action::Combine(units), Action::Combine(more)) => among(units, more),
        (Action::Exit(units), Action::Exit(more)) => among(units, more),
        // 19.4: by another way, with more units of the stack or fewer steps.
        (Action::React { parts, payer, .. }, Action::React { parts: more, payer: by, .. }) => {
            payer == by && within(parts, more)
        }
        // 21.2, 23.1: other guns of the same HQ.
        (Action::Call { hq, .. }, Action::Call { hq: other, .. }) => hq == other,
        (Action::Strike { what, hex, hq, .. }, Action::Strike { what: w, hex: h, hq: q, .. }) => {
            (what, hex, hq) == (w, h, q)
        }
        (Action::StrikeBridge { side, hq, .. }, Action::StrikeBridge { side: s, hq: q, .. }) => {
            (side, hq) == (s, q)
        }
        // 17.4: other loads over the same hexside by the same engineers.
        (Action::Ferry { with, to, .. }, Action::Ferry { with: w, to: t, .. }) => to == t && among(with, w),
        // 43.0 step 2: some of those who may enter. Step 5: each to a hex of its own.
        (Action::Storm { units, .. }, Action::Storm { units: some, .. }) => among(some, units),
        (Action::Withdraw(_), Action::WithdrawApart(_)) => true,
        (Action::Screen(units), Action::Screen(some)) => among(units, some) || among(some, units),
        // 25.2, 26.4: by another way.
        (Action::Fly(path), Action::Fly(way)) => path.last() == way.last(),
        (Action::Lift { parts, lz, .. }, Action::Lift { parts: more, lz: to, .. }) => {
            lz == to && within(parts, more)
        }
        _ => false,
    }
}

/// 12.6, 13.4: the same operation of the same regiment or Lead Unit with other members, payers or further forces; or at an
/// objective that is too far away to be listed (13.5).
fn commits(cx: &Cx, listed: &Commit, other: &Commit) -> bool {
    let ([first, ..], [also, more @ ..]) = (&listed.forces[..], &other.forces[..]) else { return false };
    let same = match (first.who, also.who) {
        (Who::Formation(a), Who::Formation(b)) => a == b && (first.with == also.with || !more.is_empty()),
        (Who::Lead(a), Who::Lead(b)) => a.unit == b.unit,
        _ => false,
    };
    let aim = |commit: &Commit| (commit.objective, commit.bridge, commit.variant);
    let how = listed.kind == other.kind && listed.airmobile == other.airmobile;
    same && how && (aim(listed) == aim(other) || beyond_reach(cx, other))
}
