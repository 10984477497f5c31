//! The end of a Combat Phase, and the Recovery Phase that follows it (3.3, 14.4).

use kernel::{Dice, Log, Stop};
use zocbond::Piece;

use crate::event::{Event, seat};
use crate::pack::{Morale, Side};
use crate::state::{Marks, Order, Place, State};
use crate::world::Holland;

impl Holland {
    /// End of a side's Combat Phase (3.3, 11.5, 20.2, 22.3.5).
    pub fn end_combat_phase(&self, s: &mut State, side: Side, log: &mut Log<Event>) {
        let night = self.is_night(s);
        let am = self.turn(s).half == crate::pack::Half::Am;
        for unit in self.units() {
            let own = self.counter(unit).side == side;
            if own && s.unit(unit).has(Marks::ON_ENEMY) {
                self.eliminate(s, unit, log); // 22.3.5
                continue;
            }
            let u = s.unit_mut(unit);
            if own {
                u.mark(Marks::ENGAGED, false); // 11.5
                if night && u.has(Marks::ATTACKED) {
                    u.mark(Marks::SPENT, true); // 20.2
                }
                if am {
                    u.mark(Marks::REPL, false); // 20.4
                }
            }
            u.mark(Marks::ATTACKED, false);
            u.mark(Marks::ADVANCED, false);
            u.mark(Marks::RETREATED, false);
            u.mark(Marks::FLED, false);
            u.mark(Marks::TRIED, false);
            u.mark(Marks::FAR_AHEAD, false);
        }
        s.attacked = hexgrid::HexSet::new();
        s.auto_ds.clear();
    }

    /// 14.4: the Recovery Phase of a side.
    pub fn recovery_phase(
        &self,
        s: &mut State,
        side: Side,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let am = self.turn(s).half == crate::pack::Half::Am;
        let table = self.pack.tables.recovery;
        for unit in self.units().filter(|u| self.counter(*u).side == side) {
            let u = s.unit_mut(unit);
            u.mark(Marks::SCATTERED, false); // 22.3.6
            if am {
                u.mark(Marks::SPENT, false); // 20.2
            }
            let order = u.order;
            if order == Order::Good || !matches!(u.at(), Place::Hex(_) | Place::Box(_)) {
                continue;
            }
            let ezoc = s.unit(unit).hex().is_some_and(|hex| s.field.in_ezoc(side, hex));
            // 14.4.1, 14.4.3: automatic outside EZOC, in the owner's own phase
            if ezoc {
                let modifier = match self.counter(unit).morale {
                    Morale::Elite => table.elite,
                    Morale::Low => table.low,
                    Morale::Regular => 0,
                };
                let die = log.roll(dice, seat(side), 6, modifier, "roll.recovery", "14.4.2")?;
                if die as i8 + modifier < table.from {
                    continue; // 14.4.2
                }
            }
            let better = if order == Order::FullRetreat { Order::Disrupted } else { Order::Good }; // 14.4
            self.set_order(s, unit, better);
            log.push(Event::Ordered { unit, order: better });
        }
        Ok(())
    }
}
