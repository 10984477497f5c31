//! What a unit of the Advanced Game is (chapter 5): vehicles, Leg units and towed guns with their weapons and grades.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::pack::{
    Card, FieldOfFire, Kind, Movement, Nation, Scenario, ScenarioExtras, Side, Traction, UnitDef,
    advanced::{
        AaRow, Advanced, AdvancedTables, AmmoLimit, Armor, FootDefense, GpDefense, GpRow, Grade, Label,
        LegSize, May, Module, Month, Rate, Room, SpotSize, TargetType, UnitCard, Weapon,
    },
};
use crate::units::{UnitId, UnitSet};

/// The kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    Vehicle,
    /// 5.1
    Leg(LegSize),
    /// 5.2
    Towed,
}

impl UnitKind {
    pub const fn key(self) -> &'static str {
        match self {
            UnitKind::Vehicle => "vehicle",
            UnitKind::Leg(size) => size.key(),
            UnitKind::Towed => "towed",
        }
    }
}

/// The ammunition of a shot (5.16, 6.5.2, 6.5.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ammo {
    #[default]
    Ap,
    /// APCR and HVAP.
    Apcr,
    Heat,
    Gp,
}

impl Ammo {
    pub const ALL: [Ammo; 4] = [Ammo::Ap, Ammo::Apcr, Ammo::Heat, Ammo::Gp];

    pub const fn key(self) -> &'static str {
        match self {
            Ammo::Ap => "ap",
            Ammo::Apcr => "apcr",
            Ammo::Heat => "heat",
            Ammo::Gp => "gp",
        }
    }

    pub fn parse(word: &str) -> Option<Ammo> {
        match word.to_lowercase().as_str() {
            "ap" => Some(Ammo::Ap),
            "apcr" | "hvap" => Some(Ammo::Apcr),
            "heat" => Some(Ammo::Heat),
            "gp" | "he" => Some(Ammo::Gp),
            _ => None,
        }
    }
}

/// A weapon of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    pub weapon: Weapon,
    pub rate: Rate,
    pub arc: FieldOfFire,
    pub turret_turn: u16,
    pub ammo: AmmoLimit,
    /// 5.14: takes the Dual Fire modifier beside another weapon.
    pub dual: bool,
    /// 5.1.3: a crew-served weapon; what it may do.
    pub attached: Option<May>,
    /// 5.1.3.4: the GP factor of a hand-held anti-tank weapon.
    pub fixed_gp: Option<u8>,
    /// 6.1.4.1.2: may not fire from a hull down position.
    pub hull_restricted: bool,
    /// What an attached weapon is worth, in addition to the unit that carries it.
    pub points: u16,
}

/// The GP defense of a unit (6.5.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defense {
    Vehicle(GpDefense),
    Foot(FootDefense),
}

/// The other side of a squad's counter (6.5.4.4.3).
#[derive(Clone, Debug, PartialEq)]
pub struct HalfSquad {
    pub gp: GpRow,
    pub gpd: FootDefense,
    pub passenger: Room,
    pub points: u16,
}

/// What the rules of the Advanced Game need to know about a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub kind: UnitKind,
    pub grade: Grade,
    pub labels: Vec<Label>,
    /// Its index among the formations of the game.
    pub formation: u8,
    pub spotted_as: SpotSize,
    pub gpd: Defense,
    pub arms: Vec<Arm>,
    /// 6.5.2.3; none for an S-type vehicle.
    pub armor: Option<Armor>,
    pub half: Option<HalfSquad>,
    /// 6.6.4.4
    pub motorcycle: bool,
    /// 5.9.3
    pub engineer: bool,
    /// 6.6.7.1: the room it takes in a vehicle, and the room a vehicle has.
    pub passenger: Room,
    pub transport: Room,
    pub covered_transport: bool,
    pub close_assault_c: bool,
    pub overhead_cover: bool,
    pub coax_mg: bool,
    /// 6.7.4
    pub aa: Option<AntiAir>,
    /// 7.16
    pub platform: bool,
    /// 7.11
    pub brew_up_mark: bool,
    /// 7.4
    pub without_radio: bool,
    /// 7.9: the D number.
    pub dischargers: Option<u8>,
    /// 5.2.1: a portee's gun, and the portee of a gun.
    pub portee: Option<crate::portee::Portee>,
    pub carrier: Option<crate::units::UnitId>,
}

/// The AA row of a unit (6.7.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AntiAir {
    pub row: AaRow,
    /// 6.7.4.1.2
    pub arc: FieldOfFire,
    pub small_arms: bool,
    /// The weapon, by index.
    pub gun: u8,
}

impl Piece {
    pub const fn vehicle(&self) -> bool {
        matches!(self.kind, UnitKind::Vehicle)
    }

    pub const fn leg(&self) -> bool {
        matches!(self.kind, UnitKind::Leg(_))
    }

    /// 5.1.2: a section with a crew-served weapon.
    pub fn weapon_section(&self) -> bool {
        self.kind == UnitKind::Leg(LegSize::Section) && self.arms.iter().any(|arm| arm.attached.is_some())
    }

    /// 5.9.2
    pub fn recon(&self) -> bool {
        self.labels.contains(&Label::Recon)
    }

    /// 6.5.4.2: the type of a target; Leg and towed units are soft.
    pub const fn target_type(&self) -> TargetType {
        match self.gpd {
            Defense::Vehicle(gpd) => gpd.target,
            Defense::Foot(_) => TargetType::S,
        }
    }

    /// What a card says, without a unit of a scenario.
    pub fn of_card(pack: &Advanced, id: &str) -> Option<Piece> {
        let def = UnitDef {
            id: id.to_owned(),
            side: Side::default(),
            card: id.to_owned(),
            formation: String::new(),
            start: crate::pack::Start::At { hex: String::new(), facing: hexgrid::Direction::D0 },
            extras: crate::pack::UnitExtras::default(),
        };
        Some(Piece::new(pack, &def, pack.unit(id)?, 0, Grade::default()))
    }

    fn new(pack: &Advanced, def: &UnitDef, card: UnitCard, formation: u8, grade: Grade) -> Piece {
        let extras = &def.extras;
        let mut piece = Piece {
            kind: UnitKind::Vehicle,
            grade: extras.grade.unwrap_or(grade), // 5.8.3
            labels: extras.labels.clone(),
            formation,
            spotted_as: card.spotted_as(),
            gpd: Defense::Vehicle(GpDefense::default()),
            arms: Vec::new(),
            armor: None,
            half: None,
            motorcycle: extras.motorcycle,
            engineer: extras.labels.contains(&Label::Engineer),
            passenger: card.passenger().unwrap_or_default(),
            transport: Room::default(),
            covered_transport: false,
            close_assault_c: false,
            overhead_cover: false,
            coax_mg: false,
            aa: None,
            platform: false,
            brew_up_mark: false,
            without_radio: false,
            dischargers: None,
            portee: None,
            carrier: None,
        };
        match card {
            UnitCard::Vehicle(v) => {
                piece.gpd = Defense::Vehicle(v.gpd);
                piece.armor = v.armor;
                piece.transport = v.transport;
                piece.covered_transport = v.covered_transport;
                piece.close_assault_c = v.close_assault_c;
                piece.overhead_cover = v.overhead_cover;
                piece.coax_mg = v.coax_mg;
                piece.brew_up_mark = v.brew_up_mark;
                piece.without_radio = v.without_radio;
                piece.dischargers = v.smoke_dischargers;
                let own = v.weapons.iter().enumerate().find_map(|(n, m)| {
                    let weapon = &pack.weapons[m.weapon];
                    let row = weapon.aa.filter(|_| m.aa)?;
                    Some(AntiAir { row, arc: FieldOfFire::All, small_arms: weapon.small_arms, gun: n as u8 })
                });
                // A row of the vehicle itself belongs to its AA machine gun.
                let mounted =
                    || v.aa.map(|row| AntiAir { row, arc: FieldOfFire::All, small_arms: true, gun: 0 });
                piece.aa = own.or_else(mounted);
                // 5.2.1: a portee's gun fires as a weapon of its vehicle.
                for m in &v.weapons {
                    let weapon = pack.weapons[m.weapon].clone();
                    // 4.4.3.1.3: without a turret only front or rear.
                    let arc = if m.turret_turn == 0 && m.field_of_fire == FieldOfFire::All {
                        FieldOfFire::Front
                    } else {
                        m.field_of_fire
                    };
                    piece.arms.push(Arm {
                        rate: weapon.rate,
                        weapon,
                        arc,
                        turret_turn: m.turret_turn,
                        ammo: m.ammo,
                        dual: m.dual_fire,
                        attached: None,
                        fixed_gp: None,
                        hull_restricted: m.hull_down_restricted,
                        points: 0,
                    });
                }
            }
            UnitCard::Leg(l) => {
                piece.kind = UnitKind::Leg(l.size);
                piece.gpd = Defense::Foot(l.gpd);
                piece.engineer |= l.labels.contains(&Label::Engineer);
                let half = l.reduces_to.as_deref().and_then(|id| pack.leg(id));
                piece.half = half.map(|half| HalfSquad {
                    gp: half.gp,
                    gpd: half.gpd,
                    passenger: half.passenger,
                    points: half.points,
                });
                let inherent = Weapon {
                    id: "small_arms".into(),
                    name: l.name.clone(),
                    gp: Some(l.gp),
                    small_arms: true,
                    ..Weapon::default()
                };
                piece.arms.push(arm(inherent, FieldOfFire::All, AmmoLimit::default()));
            }
            UnitCard::Towed(t) => {
                piece.kind = UnitKind::Towed;
                piece.gpd = Defense::Foot(t.gpd);
                let mut gun = arm(pack.weapons[t.weapon].clone(), t.field_of_fire, t.ammo);
                gun.rate = t.rate;
                let row = t.aa.or(gun.weapon.aa);
                let (arc, small_arms) = (t.field_of_fire, gun.weapon.small_arms);
                piece.aa = row.map(|row| AntiAir { row, arc, small_arms, gun: 0 });
                piece.platform = t.platform_mount;
                piece.arms.push(gun);
            }
        }
        for id in &extras.attached {
            let Some(card) = pack.crew_served(id) else { continue };
            let mut weapon = arm(card.weapon.clone(), FieldOfFire::All, card.ammo);
            weapon.attached = Some(card.may);
            weapon.fixed_gp = card.gp_fixed;
            weapon.dual = true; // 5.14
            weapon.points = card.points;
            piece.arms.push(weapon);
        }
        piece
    }
}

/// A weapon that is aimed freely.
pub fn arm(weapon: Weapon, arc: FieldOfFire, ammo: AmmoLimit) -> Arm {
    Arm {
        rate: weapon.rate,
        weapon,
        arc,
        turret_turn: 360,
        ammo,
        dual: false,
        attached: None,
        fixed_gp: None,
        hull_restricted: false,
        points: 0,
    }
}

/// The Advanced Game at one table.
#[derive(Debug)]
pub struct AdvancedGame {
    pub pack: Arc<Advanced>,
    pub extras: ScenarioExtras,
    pub pieces: Vec<Piece>,
    /// The units of each formation.
    pub members: Vec<UnitSet>,
    /// 5.16.1: the month of the battle; `None` for any time.
    pub month: Option<Month>,
}

impl AdvancedGame {
    /// 5.16.1: whether something issued from this month on is available.
    pub fn has_come(&self, from: Option<Month>) -> bool {
        from.zip(self.month).is_none_or(|(from, now)| from <= now)
    }

    /// The units of a scenario; `base` names the pack's card for a unit defined in a lab file.
    pub fn new(
        pack: &Arc<Advanced>,
        extras: ScenarioExtras,
        scenario: &Scenario,
        base: impl Fn(&str) -> String,
    ) -> Result<AdvancedGame, String> {
        let mut pieces = Vec::new();
        for def in &scenario.units {
            let id = base(&def.card);
            let card = pack.unit(&id).ok_or_else(|| format!("{}: there is no card `{id}`", def.id))?;
            let formation = extras.formations.iter().position(|f| f.id == def.formation);
            let formation =
                formation.ok_or_else(|| format!("{}: no formation `{}`", def.id, def.formation))?;
            let grade = extras.formations[formation].grade;
            pieces.push(Piece::new(pack, def, card, formation as u8, grade));
        }
        let mut members = vec![UnitSet::EMPTY; extras.formations.len()];
        for (n, piece) in pieces.iter().enumerate() {
            members[usize::from(piece.formation)].insert(UnitId(n as u8));
        }
        Ok(AdvancedGame {
            pack: Arc::clone(pack),
            extras,
            pieces,
            members,
            month: Month::of_date(&scenario.date),
        })
    }

    #[inline]
    pub fn tables(&self) -> &AdvancedTables {
        &self.pack.tables
    }

    pub fn uses(&self, module: Module) -> bool {
        self.extras.uses(module)
    }
}

/// The cards of the Advanced Game in the form used by the rules of both games: those of Leg and towed units say what a
/// counter shows and how it moves.
pub fn cards(pack: &Advanced) -> Vec<Card> {
    let vehicles = pack.vehicles.iter().map(|v| v.base.clone());
    let leg = pack.leg.iter().map(|l| Card {
        kind: match l.size {
            LegSize::Squad => Kind::Squad,
            LegSize::HalfSquad => Kind::HalfSquad,
            LegSize::Section => Kind::Section,
        },
        movement: foot(l.movement.cross_country, l.movement.quickmarch, Traction::Leg),
        ..plain(&l.id, &l.card, &l.name, l.nation, l.years, l.points)
    });
    let towed = pack.towed.iter().map(|t| Card {
        kind: Kind::TowedGun,
        movement: foot(t.movement.cross_country, 0, Traction::Gun),
        ..plain(&t.id, &t.card, &t.name, t.nation, t.years, t.points)
    });
    vehicles.chain(leg).chain(towed).collect()
}

fn plain(id: &str, card: &str, name: &str, nation: Nation, years: [u16; 2], points: u16) -> Card {
    Card {
        id: id.to_owned(),
        card: card.to_owned(),
        name: name.to_owned(),
        nation,
        years,
        points,
        armed: true,
        ..Card::default()
    }
}

/// 6.6.4.1: the Quickmarch allowance is stored where vehicles have that of roads.
const fn foot(cross_country: u8, quickmarch: u8, traction: Traction) -> Movement {
    Movement { cross_country, traction, path: 0, road: quickmarch }
}

/// The Movement Factor of a unit in its scenario: a section with a weapon (5.1.2), a motorcycle unit (6.6.4.4).
pub fn movement(pack: &Advanced, card: UnitCard, def: &UnitDef) -> Option<Movement> {
    let UnitCard::Leg(leg) = card else { return None };
    if def.extras.motorcycle {
        let factor = leg.motorcycle?;
        return Some(Movement { traction: Traction::Motorcycle, ..factor });
    }
    let armed = def.extras.attached.iter().any(|id| pack.crew_served(id).is_some());
    (leg.size == LegSize::Section && armed)
        .then(|| foot(leg.with_weapon.cross_country, leg.with_weapon.quickmarch, Traction::Leg))
}

/// 5.8.1: the Force Grade of a side.
pub fn force_grade(game: &AdvancedGame, side: Side) -> Grade {
    game.extras.force_grade[side.index()]
}
