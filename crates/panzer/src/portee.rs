//! Portees (5.2.1): a gun on a truck that can fire from it and be put on the ground. The gun is a separate unit that
//! rides on the truck; the portee without it is a truck.

use crate::{
    event::Event,
    frame::Frame,
    pack::{Card, Pack, Scenario, UnitDef, advanced::Room},
    play::Play,
    rules::Panzer,
    state::{Command, Flags, Place, Spot, State},
    units::UnitId,
};

/// What a portee is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portee {
    pub gun: UnitId,
    /// The room of the truck without its gun, and its value.
    pub room: Room,
    pub points: u16,
}

/// The name of a portee's gun.
fn gun_name(id: &str) -> String {
    format!("{id}-gun")
}

/// The pack's card of a unit, even if a lab file has changed it.
fn base<'a>(cards: &'a [Card], id: &'a str) -> &'a str {
    let written = cards.iter().find(|card| card.id == id).and_then(|card| card.printed.get("based_on"));
    written.and_then(toml::Value::as_str).unwrap_or(id)
}

/// 5.2.1: a gun for every portee of the scenario.
pub(crate) fn add_guns(pack: &Pack, cards: &[Card], scenario: &mut Scenario) {
    if scenario.advanced.is_none() {
        return;
    }
    let mut guns = Vec::new();
    for unit in &scenario.units {
        let card = pack.advanced.vehicle(base(cards, &unit.card));
        let Some(portee) = card.and_then(|card| card.portee.as_ref()) else { continue };
        let id = gun_name(&unit.id);
        if scenario.units.iter().any(|other| other.id == id) {
            continue;
        }
        let extras = crate::pack::UnitExtras {
            grade: unit.extras.grade,
            aboard: Some(unit.id.clone()),
            ..Default::default()
        };
        guns.push(UnitDef { id, card: portee.gun.clone(), extras, ..unit.clone() });
    }
    scenario.units.extend(guns);
}

impl Panzer {
    /// Tie portees and guns together.
    pub(crate) fn pair_portees(&mut self) {
        let Some(game) = self.advanced.as_deref_mut() else { return };
        for (n, unit) in self.scenario.units.iter().enumerate() {
            let card = self.pack.advanced.vehicle(base(&self.cards, &unit.card));
            let Some(parts) = card.and_then(|card| card.portee.as_ref()) else { continue };
            let name = gun_name(&unit.id);
            let gun = self.scenario.units.iter().position(|other| other.id == name);
            let (Some(gun), Some(truck)) = (gun, self.pack.advanced.vehicle(&parts.truck)) else { continue };
            let points = truck.base.points;
            game.pieces[n].portee = Some(Portee { gun: UnitId(gun as u8), room: truck.transport, points });
            game.pieces[gun].carrier = Some(UnitId(n as u8));
        }
    }

    /// 4.1.1, 5.2.1: whether it is a combat unit; a portee without its gun is not.
    #[inline]
    pub fn armed(&self, s: &State, unit: UnitId) -> bool {
        self.vehicle(unit).combat && !s.unit(unit).is(Flags::UNLOADED)
    }

    /// The portee on which a gun waits.
    pub fn portee_under(&self, s: &State, gun: UnitId) -> Option<UnitId> {
        let carrier = self.piece(gun)?.carrier?;
        (s.unit(gun).place == Place::Portee && s.unit(carrier).on_map()).then_some(carrier)
    }

    /// Whether this is the portee that a gun on the ground could be loaded on.
    pub fn own_portee(&self, s: &State, gun: UnitId, vehicle: UnitId) -> bool {
        self.piece(gun).is_some_and(|piece| piece.carrier == Some(vehicle))
            && s.unit(vehicle).is(Flags::UNLOADED)
    }
}

/// 5.2.1: put the gun on the ground; its owner also chooses the facing of the truck.
pub(crate) fn unload(play: &mut Play, gun: UnitId) {
    let Some(portee) = play.rules.piece(gun).and_then(|piece| piece.carrier) else { return };
    let u = play.s.unit_mut(gun);
    (u.place, u.hauler, u.store) = (Place::Map, portee, hexgrid::HexId::NONE);
    play.s.unit_mut(portee).set(Flags::UNLOADED);
    play.s.landed.push(portee);
    play.then(&[Frame::FaceOut]);
}

/// 5.2.1: gun and truck become a portee again, which takes all of the truck's movement.
pub(crate) fn load(play: &mut Play, gun: UnitId, portee: UnitId) {
    let u = play.s.unit_mut(gun);
    (u.place, u.hex, u.aboard) = (Place::Portee, hexgrid::HexId::NONE, portee);
    (u.command, u.group, u.spot) = (Command::NoCommand, 0, Spot::None);
    u.clear(Flags(Flags::NEW_SPOT.0 | Flags::FULL_COVER.0 | Flags::ENTRENCHED.0 | Flags::IMPROVED.0));
    play.s.unit_mut(portee).clear(Flags::UNLOADED);
    if play.s.unit(portee).command.moves() && play.s.walk.unit != portee {
        play.reveal(portee);
        play.s.unit_mut(portee).set(Flags::MOVED);
        play.place_spot(portee, Spot::Move);
    }
    play.tell(Event::Mounted { unit: gun, vehicle: portee });
    play.s.landed.push(portee);
    play.then(&[Frame::FaceOut]);
    play.s.stamp.renew();
}
