//! Artillery and air support (15.6, 22.4–22.8): which unit may support which, and defensive fire.

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Supporters},
    event::Event,
    flags::Flags,
    frame::Frame,
    pack::{Colour, Side, Sky, Tag, UnitId},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// Why an artillery unit may not support a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silent {
    NotArtillery,
    NotOnMap,
    Fired,
    Engaged,
    Disrupted,
    PrimeMover,
    Range,
    OwnHex,
    Colour,
    Surprise,
    Corps,
}

/// The combat that artillery would support.
#[derive(Clone, Copy, Debug)]
pub struct Need<'a> {
    pub side: Side,
    pub target: HexId,
    pub attack: bool,
    /// The friendly units that fight in it.
    pub fighting: &'a [UnitId],
    /// 13.8: some of them stand in the target's Blocking Position.
    pub from_blocking: bool,
}

/// The ID colour for artillery support: Breakdown units and Remnants keep their parent's (G-22).
fn colour(rules: &Ardennes, s: &State, unit: UnitId) -> Colour {
    rules.counter(s.unit(unit).parent().unwrap_or(unit)).colour
}

/// What keeps an artillery unit of the side from firing (22.4–22.6, 29.4, 29.5).
pub fn silent(rules: &Ardennes, s: &State, gun: UnitId, need: &Need) -> Option<Silent> {
    let counter = rules.counter(gun);
    let unit = s.unit(gun);
    if !counter.artillery || counter.side != need.side {
        return Some(Silent::NotArtillery);
    }
    match unit.place() {
        Place::Hex(hex) if hex == need.target => return Some(Silent::OwnHex), // 22.9
        Place::Hex(hex) => {
            if rules.distance(hex, need.target) > u32::from(counter.range) {
                return Some(Silent::Range); // 22.4
            }
        }
        // 13.8: in the Blocking Position, or in the sector's Off-Map Box.
        place if need.attack && need.from_blocking && beside(rules, place, need.target) => {}
        _ => return Some(Silent::NotOnMap),
    }
    if unit.is(Flags::FIRED) {
        return Some(Silent::Fired);
    }
    if unit.is(Flags::ENGAGED) {
        return Some(Silent::Engaged);
    }
    if unit.is(Flags::DISRUPTED) {
        return Some(Silent::Disrupted);
    }
    if unit.is(Flags::PRIME_MOVER) {
        return Some(Silent::PrimeMover); // 22.3
    }
    if rules.turn_one(s) {
        // 29.4; 1E: nobody
        let may = !rules.first_turn_silences_guns() && counter.has(Tag::MonschauArtillery);
        if !need.attack && need.side == Side::Allied && !may {
            return Some(Silent::Surprise);
        }
        // 29.5
        let corps = |u: &UnitId| rules.counter(s.unit(*u).parent().unwrap_or(*u)).corps == counter.corps;
        if need.attack && counter.has(Tag::CorpsArtillery) && !need.fighting.iter().any(corps) {
            return Some(Silent::Corps);
        }
    }
    let together = |u: &UnitId| {
        if rules.guns_have_no_colours() {
            // 1E: no colours; British and US artillery supports its own nation (1E 27.3).
            counter.british == rules.counter(*u).british
        } else {
            let theirs = colour(rules, s, *u);
            let any = |unit: UnitId| rules.counter(unit).has(Tag::AnyColour);
            // G-22: army artillery supports every US unit.
            theirs == counter.colour
                || counter.colour == Colour::Yellow && !rules.counter(*u).british
                || any(gun)
                || any(*u)
        }
    };
    (!need.fighting.iter().any(together)).then_some(Silent::Colour) // 22.6
}

/// Is the place an off-map place next to this Entry Hex (13.8)?
fn beside(rules: &Ardennes, place: Place, target: HexId) -> bool {
    let Some(entry) = rules.land.entry_at(target) else { return false };
    match place {
        Place::Blocking(at) => at == entry,
        Place::Box(at) => rules.pack.entries[entry.index()].off_map_box == Some(at),
        _ => false,
    }
}

pub fn refuse(rules: &Ardennes, gun: UnitId, need: &Need, why: Silent) -> Refusal {
    let (rule, key) = match why {
        Silent::NotArtillery => ("22.1", "support.not_artillery"),
        Silent::NotOnMap => ("22.4", "support.not_on_map"),
        Silent::Fired => ("22.6", "support.fired"),
        Silent::Engaged => ("22.6", "support.engaged"),
        Silent::Disrupted => ("22.6", "support.disrupted"),
        Silent::PrimeMover => ("22.6", "support.prime_mover"),
        Silent::Range => ("22.4", "support.range"),
        Silent::OwnHex => ("22.9", "support.own_hex"),
        Silent::Colour => ("22.6", "support.colour"),
        Silent::Surprise => ("29.4", "support.surprise"),
        Silent::Corps => ("29.5", "support.corps"),
    };
    let range = rules.counter(gun).range;
    rules.no(rule, key).unit("unit", gun).hex("hex", need.target).number("range", range).into()
}

/// 15.6, 28.2: is the weather clear enough for aircraft now?
pub fn clear_sky(rules: &Ardennes, s: &State) -> bool {
    !s.night
        && s.turn >= rules.tables().air_from_turn
        && rules.pack.turn(s.turn).is_none_or(|turn| turn.sky == Sky::Clear)
}

/// The support that the defender of the combat may call for (22.8).
fn need(s: &State) -> Need<'_> {
    Need {
        side: s.combat.attacker.enemy(),
        target: s.combat.target,
        attack: false,
        fighting: &s.combat.defenders,
        from_blocking: false,
    }
}

fn guns<'a>(cx: &Cx<'a>) -> impl Iterator<Item = UnitId> + 'a {
    let (rules, s) = (cx.rules, cx.s);
    rules.guns[cx.side.index()].iter().filter(move |gun| silent(rules, s, *gun, &need(s)).is_none())
}

/// 14.4: artillery of the defender.
#[derive(Debug)]
pub struct Support;

impl Question<Ardennes> for Support {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        guns(cx).next().is_none().then_some(Action::NoSupport)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(guns(cx).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::NoSupport),
            Subject::Unit(gun) if silent(cx.rules, cx.s, gun, &need(cx.s)).is_none() => {
                out.push(Action::Support { units: Supporters::one(gun), air: false });
                if cx.rules.tables().defensive_artillery.max_units > 1 {
                    // 1E 22.8
                    for other in guns(cx).filter(|other| *other > gun) {
                        let units = [gun, other].into_iter().collect();
                        out.push(Action::Support { units, air: false });
                    }
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::NoSupport => Ok(()),
            Action::Support { air: true, .. } => cx.rules.no("15.6", "attack.air").number("left", 0).into(),
            Action::Support { units, .. } => {
                let most = cx.rules.tables().defensive_artillery.max_units;
                if units.is_empty() || units.len() > usize::from(most) {
                    return cx.rules.no("22.8", "support.too_many").number("limit", most).into();
                }
                if units.len() == 2 && units[0] == units[1] {
                    return cx.rules.no("22.6", "support.twice").unit("unit", units[0]).into();
                }
                for gun in units {
                    if let Some(why) = silent(cx.rules, cx.s, *gun, &need(cx.s)) {
                        return Err(refuse(cx.rules, *gun, &need(cx.s), why));
                    }
                }
                Ok(())
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let side = at.side;
        play.pop();
        let Action::Support { units, .. } = action else { return Ok(()) };
        let table = &play.rules.tables().defensive_artillery;
        let drm = if units.len() > 1 { table.second_unit_drm } else { 0 };
        for gun in units {
            play.mark(*gun, Flags::FIRED);
        }
        let die = play.roll(side, drm, "roll.defensive_artillery", "22.8")?;
        let fire = table.get(side, die + drm);
        for gun in units {
            play.tell(Event::DefensiveFire { unit: *gun, shifts: fire.shifts_left, tot: fire.tot });
        }
        play.s.combat.rolled_shift -= fire.shifts_left as i8;
        play.s.combat.tot = fire.tot;
        Ok(())
    }
}
