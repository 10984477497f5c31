//! Button labels.

use hexgrid::HexId;
use kernel::{Arg, Message};

use crate::{
    action::{Action, Commit, Part, Payload, Who, Work},
    deployment::Layout,
    rules::Wurzburg,
    state::{Payer, Variant},
    units::{FormationId, UnitId},
};

struct Names<'a>(&'a Wurzburg);

impl Names<'_> {
    fn units(&self, units: impl IntoIterator<Item = UnitId>) -> Arg {
        Arg::List(units.into_iter().map(|unit| Arg::Unit(self.0.id(unit).to_owned())).collect())
    }

    /// All steps of a unit, or some of them.
    fn part(&self, part: Part) -> Arg {
        let unit = self.0.id(part.unit).to_owned();
        match part.steps {
            Some(0) => Arg::Message(Box::new(Message::new("label.dummy_of").unit("unit", unit))),
            Some(steps) => {
                let message = Message::new("label.part_of").unit("unit", unit).number("steps", steps);
                Arg::Message(Box::new(message))
            }
            None => Arg::Unit(unit),
        }
    }

    fn parts(&self, parts: &[Part]) -> Arg {
        Arg::List(parts.iter().map(|part| self.part(*part)).collect())
    }

    fn hex(&self, hex: HexId) -> String {
        hex.some().map_or_else(String::new, |hex| self.0.field.label(hex).to_owned())
    }

    fn formation(&self, formation: FormationId) -> String {
        format!("formation.{}", self.0.formation(formation).id)
    }

    fn payer(&self, payer: Payer) -> Arg {
        match payer {
            Payer::Hq(hq) => Arg::Unit(self.0.id(hq).to_owned()),
            Payer::OffMap => Arg::Term("label.payer.off_map".into()),
            Payer::MainEffort => Arg::Term("label.payer.main_effort".into()),
            Payer::None => Arg::Term("label.payer.nobody".into()),
        }
    }

    fn hexside(&self, side: hexgrid::SideId) -> String {
        self.0.field.side_label(side)
    }
}

/// The label of the button for an action; `None` if the client has its own.
pub fn label(rules: &Wurzburg, action: &Action) -> Option<Message> {
    let n = Names(rules);
    let new = |key: &'static str| Message::new(key);
    Some(match action {
        Action::Done => new("label.done"),
        Action::Pass => new("label.pass"),
        Action::Plan { kind, payer, .. } => {
            let message = match payer {
                Payer::None => new("label.plan_free"),
                payer => new("label.plan").with("payer", n.payer(*payer)),
            };
            message.term("operation", format!("operation.{}", kind.key()))
        }
        Action::Effort(formation) => new("label.effort").term("formation", n.formation(*formation)),
        Action::PostponeEffort => new("label.postpone_effort"),
        Action::TakeBackEffort => new("label.take_back_effort"),
        Action::Activate(formation) => new("label.activate").term("formation", n.formation(*formation)),
        Action::Lead(unit) => new("label.lead").with("unit", n.units([*unit])),
        Action::Commit(commit) => commit_label(&n, commit),
        Action::March { formation, base, units, airmobile, .. } => {
            let key = match (formation.some(), base, airmobile) {
                (Some(_), false, false) if units.is_empty() => "label.march_regiment",
                (Some(_), false, true) if units.is_empty() => "label.march_regiment_air",
                (Some(_), false, false) => "label.march_formation",
                (Some(_), false, true) => "label.march_formation_air",
                (_, _, false) => "label.march",
                (_, _, true) => "label.march_air",
            };
            let message = new(key).with("units", n.parts(units));
            match formation.some() {
                Some(formation) => message.term("formation", n.formation(formation)),
                None => message,
            }
        }
        Action::Combine(units) => new("label.combine").with("units", n.units(units.iter().copied())),
        Action::Remove(unit) => new("label.remove").with("unit", n.units([*unit])),
        Action::GoOn => new("label.go_on"),
        Action::Stop => new("label.stop"),
        Action::Objective(hex) => new("label.objective").place("hex", n.hex(*hex)),
        Action::Keep => new("label.keep"),
        Action::Mask(parts) => match parts[..] {
            [Part { unit, steps: Some(steps) }] => {
                new("label.mask_part").with("unit", n.units([unit])).number("steps", steps)
            }
            _ => new("label.mask").with("units", n.units(parts.iter().map(|part| part.unit))),
        },
        Action::React { parts, payer, .. } => {
            new("label.react").with("units", n.parts(parts)).with("payer", n.payer(*payer))
        }
        Action::Recon { hex, payer } => {
            new("label.recon").place("hex", n.hex(*hex)).with("payer", n.payer(*payer))
        }
        Action::Strike { what, hex, hq, with, air } => {
            let message = if *air > 0 {
                new("label.air_strike").number("points", *air)
            } else {
                new("label.strike").with("units", n.units(with.iter().map(|part| part.unit)))
            };
            let payload = match what {
                Payload::Fire => "label.payload.fire",
                Payload::Adm => "label.payload.adm",
                Payload::GasPersistent => "label.payload.gas_persistent",
                Payload::GasNonPersistent => "label.payload.gas_non_persistent",
            };
            message.term("what", payload).place("hex", n.hex(*hex)).with("hq", n.units([*hq]))
        }
        Action::Profile { profile, at } => {
            let message = match at.some() {
                Some(at) => new("label.profile_at").place("hex", n.hex(at)),
                None => new("label.profile"),
            };
            message.term("profile", format!("profile.{}", profile.key()))
        }
        Action::Sam => new("label.sam"),
        Action::Flak(strength) => new("label.flak").number("strength", *strength),
        Action::Abort => new("label.abort"),
        Action::Counter { target, gun, spotter, .. } => new("label.counter")
            .with("unit", n.units([*target]))
            .with("gun", n.units([*gun]))
            .with("spotter", n.units([*spotter])),
        Action::Call { hq, with } => new("label.call")
            .with("hq", n.units([*hq]))
            .with("units", n.units(with.iter().map(|part| part.unit))),
        Action::Jam(hq) => new("label.jam").with("unit", n.units([*hq])),
        Action::Fire { target, with } => new("label.fire")
            .place("hex", n.hex(*target))
            .with("units", n.units(with.iter().map(|part| part.unit))),
        Action::Hold => new("label.hold"),
        Action::Stand => new("label.stand"),
        Action::Elect => new("label.elect"),
        Action::Cover(unit) => new("label.cover").with("unit", n.units([*unit])),
        Action::Lose(unit) => new("label.lose").with("unit", n.units([*unit])),
        Action::Retreat { part, to } => match to.some() {
            Some(to) => new("label.retreat").with("unit", n.part(*part)).place("hex", n.hex(to)),
            None => new("label.retreat_off").with("unit", n.part(*part)),
        },
        Action::Advance(part) => new("label.advance").with("unit", n.part(*part)),
        Action::Transfer { part, to } => {
            new("label.transfer").with("unit", n.part(*part)).with("to", n.units([*to]))
        }
        Action::Exit(units) => new("label.exit").with("units", n.units(units.iter().copied())),
        Action::Storm { units, combined } => {
            new(if *combined { "label.storm_combined" } else { "label.storm" })
                .with("units", n.units(units.iter().copied()))
        }
        Action::Smoke(unit) => new("label.smoke").with("unit", n.units([*unit])),
        Action::Always => new("label.always"),
        Action::Fight => new("label.fight"),
        Action::Charge => new("label.charge"),
        Action::ChargeTo(hex) => new("label.charge_to").place("hex", n.hex(*hex)),
        Action::Withdraw(hex) => new("label.withdraw").place("hex", n.hex(*hex)),
        Action::Screen(units) => new("label.screen").with("units", n.units(units.iter().copied())),
        Action::Work { unit, work, side, .. } => {
            let what = format!("work.{}", work.key());
            let message = if *side == crate::engineers::HERE {
                new("label.work")
            } else {
                new("label.work_at").text("side", n.hexside(*side))
            };
            message.with("unit", n.units([*unit])).term("work", what)
        }
        Action::Blow(side) => new("label.blow").text("side", n.hexside(*side)),
        Action::Attach { formation, to } => {
            new("label.attach").term("formation", n.formation(*formation)).term("to", n.formation(*to))
        }
        Action::Row { unit, ten } => {
            new(if *ten { "label.row_ten" } else { "label.row_five" }).with("unit", n.units([*unit]))
        }
        Action::Return { unit, hex } => {
            new("label.return").with("unit", n.units([*unit])).place("hex", n.hex(*hex))
        }
        Action::Clean { hq, hex } => {
            new("label.clean").with("unit", n.units([*hq])).place("hex", n.hex(*hex))
        }
        Action::DeployAll(Layout::Listed) => new("action.deploy"),
        Action::DeployAll(Layout::Forward) => new("action.deploy_forward"),
        Action::Deploy { unit, hex } => {
            new("label.deploy").with("unit", n.units([*unit])).place("hex", n.hex(*hex))
        }
        Action::RemovePosition(hex) => new("label.remove_position").place("hex", n.hex(*hex)),
        Action::Fly(path) => {
            new("label.fly").place("hex", n.hex(path.last().copied().unwrap_or(HexId::NONE)))
        }
        Action::Home => new("label.home"),
        Action::Lift { parts, lz, .. } => new("label.lift")
            .with("units", n.units(parts.iter().map(|part| part.unit)))
            .place("hex", n.hex(*lz)),
        Action::Paradrop => new("label.paradrop"),
        Action::Drop { unit, hex } => {
            new("label.drop").with("unit", n.units([*unit])).place("hex", n.hex(*hex))
        }
        Action::Place { work, hex } => {
            let marker = match work {
                Work::Improve => "marker.improved_position",
                Work::Obstacle => "marker.obstacle",
                Work::Mine => "marker.minefield_real",
                _ => "marker.minefield_dummy",
            };
            new("label.place").term("marker", marker).place("hex", n.hex(*hex))
        }
        Action::ReconBridge { side, payer } => {
            new("label.recon_bridge").text("side", n.hexside(*side)).with("payer", n.payer(*payer))
        }
        Action::StrikeBridge { side, hq, with, air } => {
            let message = if *air > 0 {
                new("label.air_strike_bridge").number("points", *air)
            } else {
                new("label.strike_bridge").with("units", n.units(with.iter().map(|part| part.unit)))
            };
            message.text("side", n.hexside(*side)).with("hq", n.units([*hq]))
        }
        Action::Ferry { parts, with, to } => new("label.ferry")
            .with("units", n.parts(parts))
            .with("engineers", n.units(with.iter().copied()))
            .place("hex", n.hex(*to)),
        Action::Cross(site) => new("label.cross").place("hex", n.hex(*site)),
        Action::Land { part, to } => new("label.land").with("unit", n.part(*part)).place("hex", n.hex(*to)),
        Action::Raze { side, to } => match to.some() {
            Some(to) => new("label.raze_to").text("side", n.hexside(*side)).place("hex", n.hex(to)),
            None => new("label.raze").text("side", n.hexside(*side)),
        },
        Action::Abandon { unit, to } => {
            new("label.abandon").with("unit", n.units([*unit])).place("hex", n.hex(*to))
        }
        // The client finds a label by the notation.
        _ => return None,
    })
}

/// `Hasty Attack by the 24th Motor Rifle Regiment against 2916`
fn commit_label(n: &Names, commit: &Commit) -> Message {
    let mut forces = Vec::new();
    let mut members = Vec::new();
    let mut payer = Payer::None;
    for force in &commit.forces {
        match force.who {
            Who::Formation(formation) => forces.push(Arg::Term(n.formation(formation).into())),
            Who::Lead(lead) => forces.push(n.part(lead)),
        }
        members.extend(force.with.iter().map(|part| n.part(*part)));
        payer = force.payer;
    }
    forces.extend(members);
    let key = match (commit.objective.some(), payer) {
        (Some(_), Payer::None) => "label.commit_against",
        (Some(_), _) => "label.commit_against_paid",
        (None, Payer::None) => "label.commit",
        (None, _) => "label.commit_paid",
    };
    let kind = match (commit.variant, commit.airmobile) {
        (Variant::Plain, true) => format!("label.airmobile.{}", commit.kind.key()),
        (Variant::Plain, false) => format!("operation.{}", commit.kind.key()),
        (variant, _) => format!("label.variant.{}", variant.key()),
    };
    let mut message = Message::new(key).with("forces", Arg::List(forces)).term("operation", kind);
    if commit.objective.some().is_some() {
        message = message.place("hex", n.hex(commit.objective));
    }
    if payer != Payer::None {
        message = message.with("payer", n.payer(payer));
    }
    message
}
