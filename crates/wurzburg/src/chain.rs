//! Chains of command (7.0, 12.1): superior and subordinate formations, which units activate together, which may share a
//! hex.

use hexgrid::HexId;

use crate::{
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{Echelon, FormationId, Side, Symbol, UnitId},
};

impl Wurzburg {
    /// 7.1.5, 7.2.4, 12.8.4, 29.2.4: the superior formation, taking attachments into account (12.5.3, 12.8.3).
    pub fn parent(&self, s: &State, formation: FormationId) -> Option<FormationId> {
        let attached = s.formation(formation).attached;
        attached.some().or_else(|| self.formation(formation).parent.some())
    }

    /// 7.1.1, 7.1.2, 7.1.3, 7.1.6, 7.2.1, 7.2.2, 7.2.3: whether the formation is the node itself or anywhere below it.
    pub fn below(&self, s: &State, formation: FormationId, node: FormationId) -> bool {
        let mut at = Some(formation);
        while let Some(here) = at {
            if here == node {
                return true;
            }
            at = self.parent(s, here);
        }
        false
    }

    /// 7.1.8, 7.2.5, 7.0: one is above or below the other, or they are the same.
    pub fn in_chain(&self, s: &State, a: FormationId, b: FormationId) -> bool {
        self.below(s, a, b) || self.below(s, b, a)
    }

    /// 12.1: an HQ is superior to the units of its own node and of all nodes below. Of the two HQs of a base none is
    /// above the other.
    pub fn superior(&self, s: &State, hq: UnitId, unit: UnitId) -> bool {
        let (own, of) = (self.counter(hq).formation, self.counter(unit));
        self.below(s, of.formation, own) && (of.symbol != Symbol::Hq || of.formation != own)
    }

    /// The formation with an Activation Cycle to which a formation belongs; `None` for bases above all of them.
    pub fn cycle_of(&self, s: &State, formation: FormationId) -> Option<FormationId> {
        self.first_cycle(formation, |here| self.parent(s, here))
    }

    /// The same, attachments apart.
    pub fn own_cycle(&self, formation: FormationId) -> Option<FormationId> {
        self.first_cycle(formation, |here| self.formation(here).parent.some())
    }

    fn first_cycle(
        &self,
        formation: FormationId,
        parent: impl Fn(FormationId) -> Option<FormationId>,
    ) -> Option<FormationId> {
        std::iter::successors(Some(formation), |here| parent(*here)).find(|here| {
            let f = self.formation(*here);
            f.activates && !f.independent
        })
    }

    /// 30.4.3: whether a division or brigade has lost all its steps other than HQs. Attached formations are not its own.
    pub fn annihilated(&self, s: &State, node: FormationId) -> bool {
        !self.units_of(self.formation(node).side).iter().any(|unit| {
            let (counter, u) = (self.counter(*unit), s.unit(*unit));
            counter.symbol.ground()
                && counter.symbol != Symbol::Hq
                && !matches!(u.place, Place::Spare | Place::Dead)
                && u.steps > 0
                && (counter.formation == node || self.own_cycle(counter.formation) == Some(node))
        })
    }

    /// 10.1.1, 10.1.2: whether the unit may act in the cycle of this formation.
    pub fn activates_with(&self, s: &State, unit: UnitId, cycle: FormationId) -> bool {
        let counter = self.counter(unit);
        if self.below(s, counter.formation, cycle) {
            return true;
        }
        let node = self.formation(counter.formation);
        let higher_base = node.base && self.below(s, cycle, counter.formation);
        // 10.1.2, 12.8.1, 12.8.2, 30.3.2, 7.1.7, 30.3.1: never with a brigade of another nationality; WP has no such
        // limit.
        let nation = counter.side == Side::Wp || counter.nation == self.formation(cycle).nation;
        // 10.1.4: only in one cycle per turn.
        let free = s.unit(unit).cycle == FormationId::NONE || s.unit(unit).cycle == cycle;
        higher_base && nation && free
    }

    /// The counters of a formation itself, wherever they are.
    pub fn units_of_formation<'a>(
        &'a self,
        _: &'a State,
        formation: FormationId,
    ) -> impl Iterator<Item = UnitId> + 'a {
        self.counters_of(formation).iter().copied()
    }

    /// 30.0, 30.4.2, 30.4.4: whether an HQ is able to act (12.2.2).
    pub fn hq_works(&self, s: &State, hq: UnitId) -> bool {
        let u = s.unit(hq);
        self.counter(hq).symbol == Symbol::Hq
            && matches!(u.place, Place::Map | Place::FiveRow | Place::TenRow)
            && !u.is(Flags::DISRUPTED)
    }

    /// 30.1: whether a hex is within an HQ's command range. Off-map Display: 40.3.
    pub fn in_range(&self, s: &State, hq: UnitId, hex: HexId) -> bool {
        self.reach_of(s, hq, hex)
            .is_some_and(|distance| distance <= u32::from(self.counter(hq).command_range))
    }

    /// The distance of a hex from a unit on the map or on the display (40.3.1).
    pub fn reach_of(&self, s: &State, unit: UnitId, hex: HexId) -> Option<u32> {
        let u = s.unit(unit);
        let hex = hex.some()?;
        match u.place {
            Place::Map => Some(self.field.distance(u.hex, hex)),
            Place::FiveRow | Place::TenRow => {
                let row = if u.place == Place::FiveRow { 5 } else { 10 };
                // From a hex by which this unit could enter.
                self.entry_distance(s, unit, hex).map(|distance| distance + row)
            }
            _ => None,
        }
    }

    /// Whether two units of one side may be in one hex without masking (14.3).
    pub fn may_share(&self, s: &State, a: UnitId, b: UnitId) -> bool {
        let (ca, cb) = (self.counter(a), self.counter(b));
        if ca.side == Side::Nato && ca.nation != cb.nation {
            return false; // 14.3.2: different nationalities never.
        }
        let (fa, fb) = (ca.formation, cb.formation);
        if fa == fb {
            return true;
        }
        let dtb = |f: FormationId| self.formation(f).dtb();
        // 14.3.1 item 1: a DTB with any unit of its division.
        if dtb(fa) || dtb(fb) {
            let division = |f: FormationId| self.division(s, f);
            return division(fa) == division(fb) || self.in_chain(s, fa, fb);
        }
        // 14.3.1 item 4, 14.3.2 item 4: base units with their own chain of command; 14.3.2 item 5.
        let attached = |f: FormationId| s.formation(f).attached.some().unwrap_or(f);
        if ca.side == Side::Nato && attached(fa) == attached(fb) {
            return true;
        }
        let base = |f: FormationId| self.formation(f).base;
        (base(fa) || base(fb)) && self.in_chain(s, fa, fb)
    }

    /// The division a formation belongs to.
    pub fn division(&self, s: &State, formation: FormationId) -> Option<FormationId> {
        let mut at = Some(formation);
        while let Some(here) = at {
            if self.formation(here).echelon == Echelon::Division && !self.formation(here).independent {
                return Some(here);
            }
            at = self.parent(s, here);
        }
        None
    }

    /// Whether a unit's regiment or brigade is shattered (31.2).
    pub fn shattered(&self, s: &State, unit: UnitId) -> bool {
        let formation = self.counter(unit).formation;
        s.formation(formation).shattered && self.counter(unit).symbol != Symbol::Hq
    }
}
