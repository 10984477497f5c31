//! Kinds of units, the formation tree, step pools and counters (4, 5, 7, 11.1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::kinds::{
    AirProfile, AttachesTo, Category, Column, Echelon, FormationKind, HelicopterProfile, Mark, Nation,
    SetupClass, Side, Stripe, Symbol,
};
use super::{PackError, PackFiles};

/// Index of a counter: into [`super::Pack::pieces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PieceId(pub u16);

/// Index of a formation: into [`super::Pack::formations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FormationId(pub u8);

/// Index of a kind of unit: into [`super::Pack::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypeId(pub u8);

/// Index of a step pool: into [`super::Pack::pools`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PoolId(pub u8);

macro_rules! indexed {
    ($($id:ident),*) => {
        $(impl $id {
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

indexed!(PieceId, FormationId, TypeId, PoolId);

/// An attack profile of an aircraft or helicopter: values per step, ranges in hexes, defense against anti-aircraft
/// fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub attack: u8,
    pub range: u8,
    pub defense: u8,
}

/// A kind of unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitType {
    pub id: String,
    /// `None` for EW Assets, which have the nation of their HQ.
    pub nation: Option<Nation>,
    /// Its vehicle or aircraft as named on the counter; empty if the counter names none.
    pub vehicle: String,
    pub symbol: Symbol,
    /// Per step; 0 where the counter has none.
    pub attack: u8,
    pub defense: u8,
    /// In hexes; artillery only.
    pub range: u8,
    pub cp: u8,
    pub rp: u8,
    pub command_range: u8,
    pub ew_asset: bool,
    pub thermal: bool,
    pub airmobile: bool,
    pub airborne: bool,
    pub leg: bool,
    pub adm: bool,
    pub gas: bool,
    /// The most steps of a helicopter or air unit.
    pub max_steps: Option<u8>,
    helicopter: [Option<Profile>; 2],
    air: [Option<Profile>; 4],
    /// The source of each value.
    pub source: BTreeMap<String, Mark>,
}

impl UnitType {
    pub fn category(&self) -> Category {
        self.symbol.category()
    }

    pub fn column(&self) -> Option<Column> {
        self.symbol.column()
    }

    /// 18.2.1: infantry and engineers fight in close terrain at full strength.
    pub fn infantry(&self) -> bool {
        self.column() == Some(Column::Infantry)
    }

    pub fn helicopter_profile(&self, profile: HelicopterProfile) -> Option<Profile> {
        self.helicopter[profile.index()]
    }

    /// 24.0: not every type has every profile.
    pub fn air_profile(&self, profile: AirProfile) -> Option<Profile> {
        self.air[profile.index()]
    }
}

/// A node of the formation tree (7.0).
#[derive(Clone, Debug, PartialEq)]
pub struct Formation {
    /// Its name is the message `formation.ID`.
    pub id: String,
    pub side: Side,
    pub nation: Nation,
    pub echelon: Echelon,
    pub kind: FormationKind,
    pub parent: Option<FormationId>,
    /// Has base units of its own.
    pub base: bool,
    /// Has an Activation Cycle of its own (10.1).
    pub activates: bool,
    /// May have the Main Effort chit (12.4).
    pub main_effort: bool,
    /// Shatter number (31.0); `None` for a formation that is never tested.
    pub shatter: Option<u8>,
    /// 31.1.1: tested as one, with all its battalions.
    pub shatter_as_one: bool,
    pub attaches_to: Option<AttachesTo>,
    pub stripe: Option<Stripe>,
    pub source: Mark,
}

/// The steps of one formation and kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    pub id: String,
    pub formation: FormationId,
    pub unit_type: TypeId,
    pub steps: u8,
    /// The most steps of one unit (5.0).
    pub max_steps: u8,
    /// Its counters.
    pub pieces: Vec<PieceId>,
    pub source: Mark,
}

/// A counter.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub id: String,
    /// The designation printed on it; counters of one pool share it.
    pub label: String,
    pub unit_type: TypeId,
    pub formation: FormationId,
    pub pool: Option<PoolId>,
    pub side: Side,
    pub nation: Nation,
    pub category: Category,
    /// Its share of the pool by default; 0 = spare (11.1).
    pub steps: u8,
    pub max_steps: u8,
    pub setup: SetupClass,
    /// Divisional Artillery Group (4.1.2.4).
    pub dag: bool,
    /// For an EW Asset: its HQ.
    pub under: Option<PieceId>,
    pub source: BTreeMap<String, Mark>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypeFile {
    r#type: Vec<RawType>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawType {
    id: String,
    nation: Option<Nation>,
    #[serde(default)]
    vehicle: String,
    symbol: Symbol,
    #[serde(default)]
    attack: u8,
    #[serde(default)]
    defense: u8,
    #[serde(default)]
    range: u8,
    #[serde(default)]
    cp: u8,
    #[serde(default)]
    rp: u8,
    #[serde(default)]
    command_range: u8,
    #[serde(default)]
    ew_asset: bool,
    #[serde(default)]
    thermal: bool,
    #[serde(default)]
    airmobile: bool,
    #[serde(default)]
    airborne: bool,
    #[serde(default)]
    leg: bool,
    #[serde(default)]
    adm: bool,
    #[serde(default)]
    gas: bool,
    max_steps: Option<u8>,
    stand_off: Option<Profile>,
    gunnery: Option<Profile>,
    low_bomb: Option<Profile>,
    high_bomb: Option<Profile>,
    low_standoff: Option<Profile>,
    high_standoff: Option<Profile>,
    source: BTreeMap<String, Mark>,
    #[serde(default)]
    #[expect(dead_code, reason = "said to whoever corrects the file")]
    basis: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormationFile {
    formation: Vec<RawFormation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFormation {
    id: String,
    side: Side,
    nation: Nation,
    echelon: Echelon,
    kind: FormationKind,
    parent: Option<String>,
    #[serde(default)]
    base: bool,
    #[serde(default)]
    activates: bool,
    #[serde(default)]
    main_effort: bool,
    shatter: Option<u8>,
    #[serde(default)]
    shatter_as_one: bool,
    attaches_to: Option<AttachesTo>,
    stripe: Option<Stripe>,
    source: Mark,
    #[serde(default)]
    #[expect(dead_code, reason = "said to whoever corrects the file")]
    basis: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolFile {
    pool: Vec<RawPool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPool {
    id: String,
    formation: String,
    r#type: String,
    steps: u8,
    max_steps: u8,
    source: Mark,
    #[serde(default)]
    #[expect(dead_code, reason = "said to whoever corrects the file")]
    basis: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceFile {
    piece: Vec<RawPiece>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPiece {
    id: String,
    pool: Option<String>,
    formation: Option<String>,
    r#type: Option<String>,
    label: String,
    steps: u8,
    setup: SetupClass,
    #[serde(default)]
    dag: bool,
    under: Option<String>,
    #[serde(default)]
    source: BTreeMap<String, Mark>,
}

/// All counters with their types, formations and pools.
#[derive(Clone, Debug)]
pub struct Forces {
    pub types: Vec<UnitType>,
    pub formations: Vec<Formation>,
    pub pools: Vec<Pool>,
    pub pieces: Vec<Piece>,
}

pub(super) fn read(files: &PackFiles) -> Result<Forces, PackError> {
    let types = read_types(files)?;
    let formations = read_formations(files)?;
    let mut pools = read_pools(files, &types, &formations)?;
    let pieces = read_pieces(files, &types, &formations, &mut pools)?;
    Ok(Forces { types, formations, pools, pieces })
}

/// The index of an id in a list.
pub(super) fn find<T>(
    list: &[T],
    id: impl Fn(&T) -> &str,
    wanted: &str,
    what: &str,
) -> Result<usize, String> {
    list.iter().position(|x| id(x) == wanted).ok_or_else(|| format!("there is no {what} `{wanted}`"))
}

fn twice<'a>(at: &str, ids: impl Iterator<Item = &'a str>) -> Result<(), PackError> {
    let mut seen = std::collections::BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(PackError::at(format!("{at}: {id}"), "the id is given twice"));
        }
    }
    Ok(())
}

fn read_types(files: &PackFiles) -> Result<Vec<UnitType>, PackError> {
    let path = "types.toml";
    let file: TypeFile = files.parse(path)?;
    twice(path, file.r#type.iter().map(|t| t.id.as_str()))?;
    let mut types = Vec::new();
    for raw in file.r#type {
        let wrong = |why: &str| Err(PackError::at(format!("{path}: {}", raw.id), why));
        let category = raw.symbol.category();
        if raw.nation.is_none() && category != Category::EwAsset {
            return wrong("nation is missing");
        }
        if (category == Category::Artillery) != (raw.range > 0) {
            return wrong("range: artillery has one, other ground units have none (4.1.2)");
        }
        if category.ground() && raw.defense == 0 {
            return wrong("defense is missing");
        }
        if category == Category::AttackHelicopter && (raw.stand_off.is_none() || raw.gunnery.is_none()) {
            return wrong("an attack helicopter has stand_off and gunnery (25.2)");
        }
        if raw.leg != (raw.symbol == Symbol::AirborneInfantry) {
            return wrong("leg: exactly the airborne-infantry symbol is leg infantry (29.3.1)");
        }
        types.push(UnitType {
            id: raw.id,
            nation: raw.nation,
            vehicle: raw.vehicle,
            symbol: raw.symbol,
            attack: raw.attack,
            defense: raw.defense,
            range: raw.range,
            cp: raw.cp,
            rp: raw.rp,
            command_range: raw.command_range,
            ew_asset: raw.ew_asset,
            thermal: raw.thermal,
            airmobile: raw.airmobile,
            airborne: raw.airborne,
            leg: raw.leg,
            adm: raw.adm,
            gas: raw.gas,
            max_steps: raw.max_steps,
            helicopter: [raw.stand_off, raw.gunnery],
            air: [raw.low_bomb, raw.high_bomb, raw.low_standoff, raw.high_standoff],
            source: raw.source,
        });
    }
    Ok(types)
}

fn read_formations(files: &PackFiles) -> Result<Vec<Formation>, PackError> {
    let path = "formations.toml";
    let file: FormationFile = files.parse(path)?;
    twice(path, file.formation.iter().map(|f| f.id.as_str()))?;
    if file.formation.len() > usize::from(u8::MAX) {
        return Err(PackError::at(path, "at most 255 formations are possible"));
    }
    let ids: Vec<String> = file.formation.iter().map(|f| f.id.clone()).collect();
    let mut formations: Vec<Formation> = Vec::new();
    for raw in file.formation {
        let at = format!("{path}: {}", raw.id);
        let parent = match &raw.parent {
            None => None,
            Some(id) => {
                let i = find(&ids, |id| id, id, "formation").map_err(|why| PackError::at(&at, why))?;
                if i >= formations.len() {
                    return Err(PackError::at(&at, format!("parent = \"{id}\": a parent stands before it")));
                }
                if formations[i].side != raw.side {
                    return Err(PackError::at(&at, format!("parent = \"{id}\" is of the other side")));
                }
                Some(FormationId(i as u8))
            }
        };
        if raw.nation.side() != raw.side {
            return Err(PackError::at(
                &at,
                format!("{} does not fight for {}", raw.nation.key(), raw.side.key()),
            ));
        }
        formations.push(Formation {
            id: raw.id,
            side: raw.side,
            nation: raw.nation,
            echelon: raw.echelon,
            kind: raw.kind,
            parent,
            base: raw.base,
            activates: raw.activates,
            main_effort: raw.main_effort,
            shatter: raw.shatter,
            shatter_as_one: raw.shatter_as_one,
            attaches_to: raw.attaches_to,
            stripe: raw.stripe,
            source: raw.source,
        });
    }
    Ok(formations)
}

fn read_pools(
    files: &PackFiles,
    types: &[UnitType],
    formations: &[Formation],
) -> Result<Vec<Pool>, PackError> {
    let path = "pools.toml";
    let file: PoolFile = files.parse(path)?;
    twice(path, file.pool.iter().map(|p| p.id.as_str()))?;
    let mut pools = Vec::new();
    for raw in file.pool {
        let at = format!("{path}: {}", raw.id);
        let formation = find(formations, |f| &f.id, &raw.formation, "formation");
        let unit_type = find(types, |t| &t.id, &raw.r#type, "type");
        let (formation, unit_type) = (
            formation.map_err(|why| PackError::at(&at, why))?,
            unit_type.map_err(|why| PackError::at(&at, why))?,
        );
        if raw.steps == 0 || raw.max_steps == 0 {
            return Err(PackError::at(&at, "steps and max_steps: at least 1"));
        }
        pools.push(Pool {
            id: raw.id,
            formation: FormationId(formation as u8),
            unit_type: TypeId(unit_type as u8),
            steps: raw.steps,
            max_steps: raw.max_steps,
            pieces: Vec::new(),
            source: raw.source,
        });
    }
    Ok(pools)
}

fn read_pieces(
    files: &PackFiles,
    types: &[UnitType],
    formations: &[Formation],
    pools: &mut [Pool],
) -> Result<Vec<Piece>, PackError> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut below: Vec<(usize, String)> = Vec::new();
    for (path, text) in files.folder("units") {
        let file: PieceFile = rulebook::files::parse(path, text)?;
        for raw in file.piece {
            let at = format!("{path}: {}", raw.id);
            let wrong = |why: String| PackError::at(&at, why);
            let pool = match &raw.pool {
                Some(id) => Some(find(pools, |p| &p.id, id, "pool").map_err(wrong)?),
                None => None,
            };
            let (formation, unit_type) = match (pool, &raw.formation, &raw.r#type) {
                (Some(pool), None, None) => (pools[pool].formation, pools[pool].unit_type),
                (None, Some(formation), Some(unit_type)) => (
                    FormationId(find(formations, |f| &f.id, formation, "formation").map_err(wrong)? as u8),
                    TypeId(find(types, |t| &t.id, unit_type, "type").map_err(wrong)? as u8),
                ),
                _ => return Err(wrong("give pool, or formation and type".into())),
            };
            let kind = &types[unit_type.index()];
            let category = kind.category();
            let max_steps = match (pool, kind.max_steps) {
                (Some(pool), _) => pools[pool].max_steps,
                (None, Some(most)) => most,
                (None, None) if category == Category::EwAsset => 0,
                (None, None) => 1,
            };
            if raw.steps > max_steps {
                return Err(wrong(format!("steps = {}: at most {max_steps}", raw.steps)));
            }
            let id = PieceId(pieces.len() as u16);
            if let Some(pool) = pool {
                pools[pool].pieces.push(id);
            }
            if let Some(hq) = raw.under {
                below.push((pieces.len(), hq));
            }
            let formation_here = &formations[formation.index()];
            pieces.push(Piece {
                id: raw.id,
                label: raw.label,
                unit_type,
                formation,
                pool: pool.map(|p| PoolId(p as u8)),
                side: formation_here.side,
                // A ground unit may have another army's equipment; aircraft belong to their own nation.
                nation: if category.ground() {
                    formation_here.nation
                } else {
                    kind.nation.unwrap_or(formation_here.nation)
                },
                category,
                steps: raw.steps,
                max_steps,
                setup: raw.setup,
                dag: raw.dag,
                under: None,
                source: raw.source,
            });
        }
    }
    twice("units", pieces.iter().map(|p| p.id.as_str()))?;
    for (piece, hq) in below {
        let at = format!("units: {}", pieces[piece].id);
        let hq = find(&pieces, |p| &p.id, &hq, "piece").map_err(|why| PackError::at(&at, why))?;
        if pieces[hq].category != Category::Hq {
            return Err(PackError::at(&at, format!("under = \"{}\" is no HQ", pieces[hq].id)));
        }
        pieces[piece].under = Some(PieceId(hq as u16));
    }
    Ok(pieces)
}
