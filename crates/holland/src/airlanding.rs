//! Airborne landings (22).

use std::cell::RefCell;

use hexgrid::{HexId, HexSet};
use kernel::{Dice, Log, Stop};
use zocbond::{Piece, UnitId};

use crate::event::{Event, seat};
use crate::kept::Position;
use crate::options::Switch;
use crate::pack::{Half, LandingRow, Side, Weather};
use crate::refusal::{Bar, Legal, refuse};
use crate::state::{Marks, Place, State};
use crate::world::Holland;

/// 22.3.2
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    Safe,
    Contested,
    EnemyControlled,
}

/// Where the units of the first drop land if they land together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drop {
    /// In the first hex that the set-up card gives them.
    Listed,
    /// In the hex of the set-up card that is nearest to a victory place.
    Close,
}

/// Where units of each formation could land, with the position and turn that it holds for.
#[derive(Debug, Default)]
struct Landing {
    of: Option<(Position, u8)>,
    found: Vec<(u8, HexSet)>,
}

thread_local! {
    static LANDING: RefCell<Landing> = RefCell::default();
}

impl Holland {
    /// The weather of this half of the day; none at night (4.1).
    pub fn weather(&self, s: &State) -> Option<Weather> {
        match self.turn(s).half {
            Half::Am => Some(s.weather[0]),
            Half::Pm => Some(s.weather[1]),
            Half::Night => None,
        }
    }

    /// 22.2, 4.2
    pub fn landing_points(&self, s: &State) -> u8 {
        let table = self.scenario.airlanding_points.unwrap_or(self.pack.tables.weather.airlanding_points);
        self.weather(s).map_or(0, |w| table.of(w))
    }

    /// Air support markers of this turn (10.7).
    pub fn air_markers(&self, s: &State) -> u8 {
        let air = self.scenario.air_support.unwrap_or(self.pack.tables.weather.air_support);
        let weather = match self.weather(s) {
            Some(Weather::Cloudy) if self.on(Switch::CloudyAir) => Some(Weather::Clear), // H-33
            weather => weather,
        };
        weather.map_or(0, |w| air.of(w))
    }

    pub fn ground_state(&self, s: &State, hex: HexId) -> Ground {
        let held = s.field.held(Side::German).contains(hex);
        if held || s.unknown.contains(hex) {
            return Ground::EnemyControlled; // 22.3.2
        }
        let german = s.field.last_holder(hex) == Side::German;
        if s.field.in_ezoc(Side::Allied, hex) || german && self.distance_to(s, Side::German, hex) <= 2 {
            return Ground::Contested; // 22.3.2
        }
        Ground::Safe
    }

    /// 22.3.3; nothing on turn 1 (22.3.1).
    pub fn landing_modifier(&self, s: &State, hex: HexId) -> i8 {
        if s.turn == 1 {
            return 0;
        }
        let t = &self.pack.tables.landing;
        let ground = match self.ground_state(s, hex) {
            Ground::Safe => 0,
            Ground::Contested => t.contested,
            Ground::EnemyControlled => t.enemy_controlled,
        };
        self.land.at(hex).landing.unwrap_or(0) + ground
    }

    pub fn landing_row(&self, die: i8) -> LandingRow {
        let rows = &self.pack.tables.landing.rows;
        // The last row of the pack covers every higher die, which the pack's check ensures.
        rows.iter().copied().find(|r| die <= r.up_to).unwrap_or(LandingRow {
            up_to: 99,
            scattered: true,
            steps: 2,
        })
    }

    /// 22.4, 22.8: whether this unit may land in this hex.
    pub fn check_land(&self, s: &State, unit: UnitId, hex: HexId) -> Legal {
        let c = self.counter(unit);
        if s.unit(unit).at() != Place::Airlanding {
            return refuse("22.2", "refuse.not_in_pool"); // 22.2
        }
        if s.turn > 1 && s.points == 0 {
            return refuse("22.2", "refuse.no_landing_points"); // 22.1, 22.2
        }
        if !self.land.in_play.contains(hex) || self.land.at(hex).landing.is_none() {
            return refuse("22.4", "refuse.no_landing_here"); // 22.4
        }
        if s.turn == 1 {
            let own = self.first_hexes(unit);
            if !own.contains(&hex) {
                return refuse("22.8", "refuse.first_drop"); // 22.8
            }
        } else {
            let zones = self.zones.iter().filter(|(f, _)| *f == c.formation).flat_map(|(_, hexes)| hexes);
            let reach = Self::landing_reach(s.turn);
            let mut near = self.landing_hexes(s, unit).contains(hex)
                || zones.into_iter().any(|z| self.map.board.distance(*z, hex) <= reach);
            if s.turn >= 12 && !near {
                near |= self.units().any(|u| {
                    self.formation(s, u) == self.formation(s, unit)
                        && s.unit(u).hex().is_some_and(|h| self.map.board.distance(h, hex) <= reach)
                });
            }
            if !near {
                return refuse("22.4", "refuse.too_far_from_zone"); // 22.4
            }
        }
        if !self.fits(s, unit, hex) {
            return refuse("6.1", "refuse.stacking"); // 6.1
        }
        Ok(())
    }

    /// Hexes in which a unit could land: those within reach of its zones or its formation (22.4, 22.8).
    pub fn landing_hexes(&self, s: &State, unit: UnitId) -> HexSet {
        if s.turn == 1 {
            return self.first_hexes(unit).iter().copied().collect();
        }
        // Each hex of a list of drops asks for it.
        let formation = self.formation(s, unit);
        LANDING.with_borrow_mut(|Landing { of, found }| {
            if !of.is_some_and(|(of, turn)| turn == s.turn && of.is(self, s)) {
                *of = Some((Position::of(self, s), s.turn));
                found.clear();
            }
            let known = found.iter().find(|(of, _)| *of == formation).map(|(_, hexes)| *hexes);
            let hexes = known.unwrap_or_else(|| {
                let hexes = self.find_landing_hexes(s, formation);
                found.push((formation, hexes));
                hexes
            });
            debug_assert_eq!(hexes, self.find_landing_hexes(s, formation));
            hexes
        })
    }

    /// The same for a formation after turn 1, found anew.
    fn find_landing_hexes(&self, s: &State, formation: u8) -> HexSet {
        let reach = Self::landing_reach(s.turn);
        let mut ring: HexSet = self
            .zones
            .iter()
            .filter(|(f, _)| *f == formation)
            .flat_map(|(_, hexes)| hexes)
            .copied()
            .collect();
        if s.turn >= 12 {
            ring.extend(
                self.units().filter(|u| self.formation(s, *u) == formation).filter_map(|u| s.unit(u).hex()),
            );
        }
        for _ in 0..reach {
            ring = self.and_around(&ring);
        }
        ring
    }

    /// 22.4: how far from a zone units may land.
    fn landing_reach(turn: u8) -> u32 {
        match turn {
            0..=5 => 1,
            6..=11 => 3,
            _ => 6,
        }
    }

    /// The hexes of the set-up card (22.8).
    pub fn first_hexes(&self, unit: UnitId) -> &[HexId] {
        &self.first_hexes[unit.index()]
    }

    pub fn land_unit(
        &self,
        s: &mut State,
        unit: UnitId,
        hex: HexId,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let surprised = s.unknown.contains(hex);
        self.reveal(s, hex, dice, log)?; // 22.3.5
        let free = !s.field.held(Side::German).contains(hex);
        let modifier = if surprised && free && s.turn > 1 {
            // 22.3.5: a contested landing
            self.land.at(hex).landing.unwrap_or(0) + self.pack.tables.landing.contested
        } else {
            self.landing_modifier(s, hex)
        };
        let die = log.roll(dice, seat(Side::Allied), 6, modifier, "roll.landing", "22.3.1")?;
        let row = self.landing_row(die as i8 + modifier); // 22.3.1
        if s.turn > 1 {
            s.points -= 1;
        }
        s.landed_today = true;
        let enemy = s.field.held(Side::German).contains(hex);
        s.unit_mut(unit).mark(Marks::ON_ENEMY, enemy);
        self.put(s, unit, Place::Hex(hex));
        let head = self.counter(unit).supply_head_piece;
        let steps = if head { 0 } else { row.steps }; // 22.3.4
        log.push(Event::Landed { unit, at: hex, scattered: row.scattered, steps });
        let gun = self.counter(unit).categories.artillery;
        let u = s.unit_mut(unit);
        u.mark(Marks::LANDED, true);
        u.mark(Marks::SCATTERED, row.scattered);
        if gun && s.turn > 1 {
            s.unit_mut(unit).mark(Marks::FIRED, true); // 22.5
        }
        let mut left = Some(unit);
        for _ in 0..steps {
            left = left.and_then(|u| self.lose_step(s, u, log)); // 22.3.4
        }
        if enemy {
            zocbond::board::reassess(self, &mut s.field, hex); // 22.3.5: no ZOC
        }
        if left.is_some() {
            self.arrive(s, Side::Allied, hex, dice, log)?; // 8.10
        }
        Ok(())
    }

    /// The next unit that must still land on the first day, and where it would land in such a drop (22.8).
    pub fn first_landing(&self, s: &State, drop: Drop) -> Option<(UnitId, HexId)> {
        let far = |hex: HexId| {
            let aims = self.places.iter().flatten();
            aims.map(|aim| self.map.board.distance(hex, *aim)).min().unwrap_or(0)
        };
        let mut waiting = self.units().filter(|unit| s.unit(*unit).at() == Place::Airlanding);
        waiting.find_map(|unit| {
            let hexes = self.first_hexes(unit).iter().copied();
            let mut open = hexes.filter(|hex| self.check_land(s, unit, *hex).is_ok());
            let hex = match drop {
                Drop::Listed => open.next(),
                Drop::Close => open.min_by_key(|hex| far(*hex)),
            };
            hex.map(|hex| (unit, hex))
        })
    }

    /// All units of the first drop land, until something else must be decided (22.8).
    pub fn land_all(
        &self,
        s: &mut State,
        drop: Drop,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let depth = s.frames.len();
        while s.frames.len() == depth
            && let Some((unit, hex)) = self.first_landing(s, drop)
        {
            self.land_unit(s, unit, hex, dice, log)?;
        }
        Ok(())
    }

    /// 22.6
    pub fn check_resupply(&self, s: &State, head: UnitId) -> Result<HexId, Bar> {
        let hex = s.unit(head).hex().filter(|_| self.counter(head).supply_head_piece);
        let Some(hex) = hex else { return refuse("22.6", "refuse.no_supply_head") }; // 22.6
        if s.turn == 1 || s.points == 0 || s.resupplied.contains(head) {
            return refuse("22.6", "refuse.no_landing_points"); // 22.6
        }
        if s.field.in_ezoc(Side::Allied, hex) {
            return refuse("22.6", "refuse.ezoc"); // 22.6
        }
        Ok(hex)
    }

    pub fn resupply(
        &self,
        s: &mut State,
        head: UnitId,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let hex = self.check_resupply(s, head)?;
        let modifier = self.landing_modifier(s, hex);
        let die = log.roll(dice, seat(Side::Allied), 6, modifier, "roll.resupply", "22.6")?;
        let arrived = !self.landing_row(die as i8 + modifier).scattered;
        s.points -= 1;
        s.landed_today = true;
        if arrived {
            s.resupplied.add(head);
        }
        log.push(Event::Resupplied { unit: head, arrived });
        Ok(())
    }
}
