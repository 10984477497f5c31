//! Fires (6.1.4.3.5, 7.35).

use hexgrid::HexId;
use kernel::Stop;

use crate::{
    bail,
    event::Event,
    field::Terrain,
    indirect::Area,
    pack::{Side, advanced::HindranceKind},
    play::Play,
    state::State,
};

/// 6.5.2.4, 6.5.4.3: every burning hex hinders fire separately.
pub(super) fn hinder(s: &mut State, hex: HexId) {
    s.indirect.areas.push(Area {
        mission: 0,
        kind: HindranceKind::OnFire,
        hexes: smallvec::smallvec![hex],
        off: false,
        young: false,
    });
}

/// 7.35: a fire may start in a building, in its rubble or in a grove.
pub fn ignite(play: &mut Play, side: Side, hex: HexId) -> Result<(), Stop> {
    let Some(game) = play.rules.advanced.as_deref().filter(|_| play.rules.optional(35)) else {
        return Ok(());
    };
    let fires = &game.tables().optional.fires;
    let most = match play.rules.field.terrain(hex) {
        Terrain::WoodBuilding => fires.wood_building,
        Terrain::BrickBuilding => fires.brick_building,
        Terrain::StoneBuilding => fires.stone_building,
        Terrain::LightGrove => fires.light_grove,
        Terrain::MediumGrove => fires.medium_grove,
        _ => return Ok(()),
    };
    if play.s.works.burns(hex) {
        return Ok(());
    }
    let roll = play.roll(side, "roll.fire", "7.35")?;
    if roll <= most {
        let turn = play.s.turn;
        play.s.works.set_on_fire(hex, turn);
        hinder(play.s, hex);
        play.tell(Event::FireStarted { hex });
    }
    Ok(())
}

/// 6.1.4.3.5: units still in a burning hex at the end of the turn after the fire started are lost.
pub fn burn(play: &mut Play) {
    let now = play.s.turn;
    for n in 0..play.s.works.fires.len() {
        let (hex, started) = play.s.works.fires[n];
        if now <= started {
            continue;
        }
        for unit in play.s.ids() {
            if play.s.unit(unit).on_map() && play.s.unit(unit).hex == hex {
                bail::eliminate(play, unit);
            }
        }
    }
}
