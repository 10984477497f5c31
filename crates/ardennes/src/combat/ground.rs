//! The hexside between two hexes in combat, as attack, retreat and advance need it.

use hexgrid::HexId;
use kernel::Stop;

use crate::{
    pack::Side,
    play::Play,
    rules::Ardennes,
    state::State,
    terrain::{Edge, EdgeBits},
};

/// What lies between a hex and its neighbour, with bridges in their present state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// A road of any class crosses the hexside, its bridge (if any) intact.
    pub road: bool,
    /// That road gives the Road Bonus to an advance (19.1).
    pub road_bonus: bool,
    pub river: bool,
    /// A river without an intact bridge (7.6).
    pub unbridged: bool,
    pub meuse: bool,
    /// There is a bridge site, intact or not (15.5).
    pub bridge_site: bool,
    pub lake: bool,
    /// A Wooded Rough hexside without a usable road (11.6).
    pub rough: bool,
    /// Forest, West Wall or Wooded Rough on either side (11.5).
    pub by_road_only: bool,
    /// An army boundary (11.10).
    pub boundary: bool,
}

impl Way {
    pub fn of(s: &State, edge: &Edge) -> Way {
        let intact = edge.bridge().map(|b| s.bridge(b as usize).intact());
        let river = edge.is(EdgeBits::RIVER);
        let unbridged = river && intact != Some(true);
        let road = edge.is(EdgeBits::ROAD) && !unbridged && intact != Some(false);
        Way {
            road,
            road_bonus: road && edge.is(EdgeBits::ROAD_BONUS),
            river,
            unbridged,
            meuse: edge.is(EdgeBits::MEUSE),
            bridge_site: intact.is_some(),
            lake: edge.is(EdgeBits::LAKE),
            rough: edge.is(EdgeBits::WOODED_ROUGH) && !road,
            by_road_only: edge.is(EdgeBits::BY_ROAD_ONLY),
            boundary: edge.is(EdgeBits::BOUNDARY),
        }
    }

    /// Could a Vehicle unit cross here in normal movement (11.4–11.6)?
    pub const fn open_to_vehicles(self) -> bool {
        !self.lake && !self.unbridged && (!self.by_road_only || self.road)
    }
}

impl Ardennes {
    /// The hexside between two neighbours; none if they are not adjacent.
    pub fn way(&self, s: &State, from: HexId, to: HexId) -> Option<Way> {
        self.land.between(from, to).map(|edge| Way::of(s, edge))
    }
}

/// 7.8: do Germans attack across the Ouren bridge in this combat?
pub fn over_ouren(rules: &Ardennes, s: &State) -> bool {
    let over =
        || rules.land.ouren.is_some_and(|ouren| super::demolition::attacked_over(rules, s).contains(ouren));
    s.combat.attacker == Side::German && !rules.ouren_rolled_beside_it() && over()
}

/// 7.8: the first German attack across the Ouren bridge makes the Allied player roll for it (1E: moving adjacent does).
pub fn ouren_attacked(play: &mut Play) -> Result<(), Stop> {
    if !over_ouren(play.rules, play.s) {
        return Ok(());
    }
    crate::bridges::ouren(play)?;
    let ouren = play.rules.land.ouren.map(|b| play.s.bridge(b as usize).intact());
    play.s.combat.blown |= ouren == Some(false);
    Ok(())
}
