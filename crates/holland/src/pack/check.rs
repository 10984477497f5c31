//! Checks of the pack: for consistency, against the map, and against the facts stated about the printed game.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use atlas::{BridgeKind, Map, Spot};
use hexgrid::{HexId, HexSet, SideId};

use super::{Categories, Flag, Half, Pack, PoolKind, ScenarioVictory, Side, Unit};

/// Collects the faults found.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn need(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.0.push(what());
        }
    }
}

impl Pack {
    /// Unknown names and inconsistent numbers; empty for a usable pack.
    pub(super) fn references(&self) -> Vec<String> {
        let mut f = Faults::default();
        let formation = |id: &str| self.formations.iter().any(|x| x.id == id);
        for u in &self.units {
            let id = &u.id;
            f.need(formation(&u.formation), || format!("unit {id}: no formation '{}'", u.formation));
            f.need(u.also_command.as_deref().is_none_or(formation), || format!("unit {id}: also_command"));
            f.need(self.types.contains_key(&u.r#type), || format!("unit {id}: no type '{}'", u.r#type));
            f.need((1..=3).contains(&u.steps), || format!("unit {id}: 1 to 3 steps"));
            f.need((u.steps == 3) == u.remnant.is_some(), || {
                format!("unit {id}: three steps and a Remnant go together")
            });
            f.need((u.steps > 1) == u.reduced.is_some(), || format!("unit {id}: a reduced side and steps"));
            for (pool, kind) in [(&u.remnant, PoolKind::Remnant), (&u.breakdown, PoolKind::Breakdown)] {
                let Some(pool) = pool else { continue };
                let known = self.pool(pool).is_some_and(|p| p.kind == kind && p.side == u.side);
                f.need(known, || format!("unit {id}: no {kind:?} pool '{pool}' of its side"));
            }
            f.need(u.setup.is_some() != u.arrival.is_some(), || {
                format!("unit {id}: set-up or arrival, not both")
            });
            if let Some(a) = &u.arrival {
                let ways = [&a.entry, &a.landing, &a.special].into_iter().flatten().count();
                f.need(ways == 1, || format!("unit {id}: arrives by one of entry, landing, special"));
                let area = |id: &String| self.areas.iter().any(|x| x.id == *id && x.side == u.side);
                f.need(a.entry.as_ref().is_none_or(area), || format!("unit {id}: no Entry Area of its side"));
                f.need(a.landing.as_ref().is_none_or(|z| self.zone_of(z, u)), || {
                    format!("unit {id}: landing zone")
                });
                f.need(self.turns.iter().any(|t| t.turn == a.turn), || {
                    format!("unit {id}: no turn {}", a.turn)
                });
            }
            if let Some(s) = &u.setup {
                let ways = usize::from(!s.hexes.is_empty())
                    + usize::from(s.r#box.is_some())
                    + usize::from(s.pool.is_some());
                f.need(ways == 1, || format!("unit {id}: sets up in hexes, a box or a pool"));
                f.need(s.r#box.as_ref().is_none_or(|b| self.boxes.iter().any(|x| x.id == *b)), || {
                    format!("unit {id}: no such box")
                });
                f.need(s.landing.as_ref().is_none_or(|z| self.zone_of(z, u)), || {
                    format!("unit {id}: landing zone")
                });
            }
        }
        for p in &self.pools {
            f.need(self.types.contains_key(&p.r#type), || format!("pool {}: no type '{}'", p.id, p.r#type));
        }
        for x in &self.formations {
            let head = x.supply_head.as_ref();
            f.need(head.is_none_or(|h| self.unit(h).is_some_and(|u| u.r#type == "supply_head")), || {
                format!("formation {}: no such Supply Head", x.id)
            });
        }
        for z in &self.zones {
            f.need(formation(&z.formation), || format!("zone {}: no formation '{}'", z.id, z.formation));
        }
        for a in &self.areas {
            for n in &a.next {
                let both =
                    self.areas.iter().any(|x| x.id == *n && x.next.contains(&a.id) && x.side == a.side);
                f.need(both, || format!("areas {} and {n} are neighbours both ways", a.id));
            }
        }
        for row in self.tables.crt.rows.iter().flatten() {
            f.need(self.result(row).is_some(), || format!("crt: no result '{row}'"));
        }
        let shape = self.tables.crt.rows.len() == 6
            && self.tables.crt.rows.iter().all(|row| row.len() == self.tables.crt.columns.len());
        f.need(shape, || "crt: six rows as long as its columns".into());
        f.need(self.tables.landing.rows.last().is_some_and(|row| row.up_to >= 20), || {
            "landing: the last row takes every higher die".into()
        });
        let track = self.turns.iter().enumerate().all(|(i, t)| usize::from(t.turn) == i + 1);
        f.need(track, || "turn: turns count from 1 without a gap".into());
        for id in &self.unknown.units {
            let pooled = self.unit(id).is_some_and(|u| u.has(Flag::UnknownPool) && u.side == Side::German);
            f.need(pooled, || format!("unknown: {id} is no unit of the pool"));
        }
        for s in &self.scenarios {
            let last = self.turns.len();
            f.need(
                s.first_turn >= 1 && usize::from(s.last_turn) <= last && s.first_turn <= s.last_turn,
                || format!("scenario {}: turns within 1 to {last}", s.id),
            );
            f.need(s.allied.iter().flatten().all(|x| formation(x)), || format!("scenario {}: allied", s.id));
            let areas = s.german_areas.iter().chain(&s.german_sources).flatten();
            f.need(areas.into_iter().all(|x| self.areas.iter().any(|a| a.id == *x)), || {
                format!("scenario {}: German areas", s.id)
            });
            let units = s.also.iter().chain(&s.without).chain(s.place.iter().map(|p| &p.unit));
            for id in units {
                f.need(self.unit(id).is_some(), || format!("scenario {}: no unit '{id}'", s.id));
            }
        }
        for d in &self.detached {
            let parent = self.unit(&d.parent);
            let fits = parent.is_some_and(|u| {
                u.breakdown.as_ref() == Some(&d.pool) && u.setup.as_ref().is_some_and(|s| s.reduced)
            });
            f.need(fits, || format!("detached {}: its parent is reduced and uses the pool", d.label));
        }
        f.0
    }

    fn zone_of(&self, zone: &str, unit: &Unit) -> bool {
        self.zones.iter().any(|z| z.id == zone && z.formation == unit.formation)
    }

    /// Faults of the pack together with the map, and deviations from the stated facts.
    pub fn check(&self, map: &Map) -> Vec<String> {
        let mut f = Faults::default();
        self.check_counts(&mut f);
        self.check_arrivals(&mut f);
        match Ground::new(map) {
            Ok(ground) => {
                self.check_setup(map, &ground, &mut f);
                self.check_places(map, &ground, &mut f);
                self.check_victory(map, &mut f);
                self.check_scenarios(map, &mut f);
            }
            Err(why) => f.0.push(why),
        }
        self.check_terrain(map, &mut f);
        self.check_rules(&mut f);
        f.0
    }

    fn check_counts(&self, f: &mut Faults) {
        for side in Side::ALL {
            let n = self.units.iter().filter(|u| u.side == side).count();
            let wanted = usize::from(self.counters.of(side));
            f.need(n == wanted, || format!("{} counters of the {} side, not {wanted}", n, side.key()));
        }
        // The printed mix (stated).
        let printed: [(&str, u8); 15] = [
            ("br_tank_remnant", 5),
            ("br_infantry_remnant", 4),
            ("br_airborne_remnant", 4),
            ("us_82_remnant", 3),
            ("us_101_remnant", 3),
            ("pl_remnant", 2),
            ("br_tank_breakdown", 3),
            ("br_infantry_breakdown", 3),
            ("br_airborne_breakdown", 2),
            ("us_82_breakdown", 2),
            ("us_101_breakdown", 2),
            ("pl_breakdown", 1),
            ("de_fj_remnant", 3),
            ("de_infantry_remnant", 3),
            ("de_infantry_breakdown", 3),
        ];
        let mix: BTreeMap<&str, u8> = self.pools.iter().map(|p| (p.id.as_str(), p.count)).collect();
        f.need(mix == printed.into(), || "pools: counts as printed".into());
        let own = [("1ab", "br_airborne"), ("pol", "pl"), ("82ab", "us_82"), ("101ab", "us_101")];
        for u in &self.units {
            if let Some(reduced) = u.reduced {
                f.need(reduced.stacking + 1 == u.front.stacking, || format!("unit {}: box numbers", u.id));
            }
            for pool in [&u.remnant, &u.breakdown].into_iter().flatten() {
                if let Some((_, prefix)) = own.iter().find(|(id, _)| *id == u.formation) {
                    f.need(pool.starts_with(prefix), || format!("unit {}: a pool of its division", u.id));
                } else if let Some(p) = self.pool(pool) {
                    f.need((p.r#type == "tank") == (u.r#type == "tank"), || {
                        format!("unit {}: pool of its kind", u.id)
                    });
                }
            }
            let air = u.has(Flag::Airborne);
            if let Some(a) = &u.arrival {
                f.need(a.landing.is_none() || air, || format!("unit {}: lands, so it is airborne", u.id));
                f.need(a.entry.is_none() || !air, || format!("unit {}: enters by road", u.id));
            }
            f.need((u.front.allowance == 0) == u.has(Flag::Immobile), || format!("unit {}: immobile", u.id));
            f.need((u.r#type == "artillery") == (u.range.is_some() && u.fired.is_some()), || {
                format!("unit {}: guns have a range and a Fired side", u.id)
            });
        }
        for x in &self.formations {
            f.need(self.units.iter().any(|u| u.formation == x.id), || {
                format!("formation {} has units", x.id)
            });
        }
        for p in &self.pools {
            let used = self.units.iter().any(|u| [&u.remnant, &u.breakdown].contains(&&Some(p.id.clone())));
            f.need(used, || format!("pool {} is used", p.id));
        }
        let pooled: BTreeSet<&str> =
            self.units.iter().filter(|u| u.has(Flag::UnknownPool)).map(|u| u.id.as_str()).collect();
        let listed: BTreeSet<&str> = self.unknown.units.iter().map(String::as_str).collect();
        f.need(pooled == listed, || "unknown: the units of the pool are those with its flag".into());
        let counters = self.unknown.units.len() + usize::from(self.unknown.garrisons);
        f.need(counters == self.unknown.hexes.len(), || "unknown: as many counters as hexes".into());
    }

    fn check_arrivals(&self, f: &mut Faults) {
        for turn in &self.turns {
            let row = self.arrivals.iter().find(|a| a.turn == turn.turn);
            for side in Side::ALL {
                let stated = row.and_then(|row| if side == Side::Allied { row.allied } else { row.german });
                let mut sum = [0u16; 4];
                for u in self.units.iter().filter(|u| u.side == side) {
                    let Some(a) = u.arrival.as_ref().filter(|a| a.turn == turn.turn) else { continue };
                    let face = if a.reduced { u.reduced.unwrap_or(u.front) } else { u.front };
                    sum[0] += 1;
                    sum[1] += u16::from(face.attack);
                    sum[2] += u16::from(face.defense);
                    sum[3] += u16::from(u.steps - u8::from(a.reduced));
                }
                f.need(sum == stated.unwrap_or_default(), || {
                    format!(
                        "turn {}: arrivals of the {} side come to {sum:?}, not {stated:?}",
                        turn.turn,
                        side.key()
                    )
                });
            }
        }
    }

    fn check_setup(&self, map: &Map, ground: &Ground, f: &mut Faults) {
        let mut points: BTreeMap<HexId, (u8, u8, BTreeSet<Side>)> = BTreeMap::new();
        let mut choices: BTreeMap<Vec<HexId>, Vec<u8>> = BTreeMap::new();
        for u in &self.units {
            let Some(s) = u.setup.as_ref().filter(|s| !s.hexes.is_empty()) else { continue };
            let c = self.categories(&u.r#type);
            let face = if s.reduced { u.reduced.unwrap_or(u.front) } else { u.front };
            let weight = if c.train { 0 } else { face.stacking };
            let mut hexes = Vec::new();
            for label in &s.hexes {
                match map.hex(label) {
                    Ok(hex) => hexes.push(hex),
                    Err(e) => f.0.push(format!("unit {}: {e}", u.id)),
                }
            }
            for &hex in &hexes {
                self.check_bank(u, c, hex, map, ground, f);
                points.entry(hex).or_default().2.insert(u.side);
            }
            if let [hex] = hexes[..] {
                let held = points.entry(hex).or_default();
                held.0 += weight;
                held.1 += u8::from(c.artillery);
            } else {
                choices.entry(hexes).or_default().push(weight);
            }
            if let Some(zone) = s.landing.as_ref().and_then(|z| self.zones.iter().find(|x| x.id == *z)) {
                f.need(s.hexes.iter().all(|h| zone.hexes.contains(h)), || {
                    format!("unit {}: sets up in its zone", u.id)
                });
            }
        }
        let limit = self.tables.stacking;
        for (hex, (sum, guns, sides)) in &points {
            let label = map.label(*hex);
            f.need(*sum <= limit.points, || format!("{label} holds {sum} stacking points at the start"));
            f.need(*guns <= limit.artillery, || format!("{label} holds {guns} guns at the start"));
            f.need(sides.len() == 1, || format!("{label} is set up by both sides"));
            f.need(!self.unknown.hexes.iter().any(|h| h == label), || format!("{label} is an Unknown hex"));
        }
        // 6.1: units with a choice of hexes can be distributed within the stacking limit.
        for (hexes, weights) in choices {
            let base: Vec<u8> = hexes.iter().map(|h| points.get(h).map_or(0, |p| p.0)).collect();
            let mut ways: BTreeSet<Vec<u8>> = BTreeSet::from([base]);
            for w in weights {
                ways = ways
                    .into_iter()
                    .flat_map(|way| {
                        (0..way.len()).map(move |i| {
                            let mut next = way.clone();
                            next[i] += w;
                            next
                        })
                    })
                    .filter(|way| way.iter().all(|n| *n <= limit.points))
                    .collect();
            }
            f.need(!ways.is_empty(), || "units with a choice of hexes cannot be shared out".into());
        }
    }

    /// Every unit is on its own side's territory, on the right bank.
    fn check_bank(&self, u: &Unit, c: Categories, hex: HexId, map: &Map, g: &Ground, f: &mut Faults) {
        let label = map.label(hex);
        let ours = map.control(hex) == map.faction_id("allied");
        let right = match (u.side, u.formation.as_str()) {
            (_, "1ab") => g.veluwe.contains(hex),
            (_, "82ab") => g.maas_waal.contains(hex),
            (_, "101ab") => g.brabant.contains(hex) && !g.maas_waal.contains(hex) && !g.start.contains(hex),
            (Side::Allied, _) => ours,
            (Side::German, _) => !ours && !g.start.contains(hex),
        };
        f.need(right, || format!("unit {}: {label} is not on its side's ground", u.id));
        if c.vehicle {
            let by_road = map.terrain_kinds[map.ground(hex).0 as usize].id.as_str();
            let soft = self.tables.hex.get(by_road).is_some_and(|row| row.vehicles_by_road_only);
            f.need(!soft || map.roads_of(hex).next().is_some(), || {
                format!("unit {}: no road in {label}", u.id)
            });
        }
    }

    fn check_places(&self, map: &Map, ground: &Ground, f: &mut Faults) {
        let mine: BTreeMap<&str, &str> = self.areas.iter().map(|a| (a.id.as_str(), a.side.key())).collect();
        let maps: BTreeMap<&str, &str> =
            map.entries.iter().map(|e| (e.id.as_str(), map.factions[e.side.0 as usize].as_str())).collect();
        f.need(mine == maps, || "Entry Areas are those of the map".into());
        let zones: BTreeSet<String> = self.zones.iter().map(|z| z.id.clone()).collect();
        let letters: BTreeSet<String> = map
            .areas_of("landing_zone")
            .filter_map(|a| a.props.get("letter").and_then(|v| v.as_str()).map(str::to_owned))
            .collect();
        f.need(zones == letters, || "landing zones are those of the map".into());
        for z in &self.zones {
            let area = map.area(&format!("landing-{}", z.id.to_lowercase()));
            let same = area.is_some_and(|a| {
                z.hexes
                    .iter()
                    .map(|h| map.hex(h).ok())
                    .collect::<Option<HexSet>>()
                    .is_some_and(|h| h == a.hexes)
            });
            f.need(same, || format!("zone {}: its hexes are not the map's", z.id));
        }
        let spots = |kind: &str| -> BTreeSet<String> {
            let hex = |f: &atlas::Feature| {
                if let Spot::Hex(h) = f.at { Some(map.label(h).to_owned()) } else { None }
            };
            map.features_of(kind).filter_map(hex).collect()
        };
        let unknown: BTreeSet<String> = self.unknown.hexes.iter().cloned().collect();
        f.need(unknown == spots("unknown"), || "Unknown hexes are those of the map".into());
        let heads = self.units.iter().filter(|u| u.r#type == "supply_head");
        let heads: BTreeSet<String> =
            heads.filter_map(|u| u.setup.as_ref()).flat_map(|s| s.hexes.clone()).collect();
        f.need(heads == spots("supply_head"), || "Supply Heads stand where the map has them".into());
        for (named, kinds) in [
            (&self.bridges, &[BridgeKind::Road, BridgeKind::Railroad][..]),
            (&self.ferries, &[BridgeKind::Ferry][..]),
        ] {
            for b in named {
                let side = map.board.find_side(&b.hexes.join("/")).ok();
                let found = side.and_then(|s| map.bridge(s));
                f.need(found.is_some_and(|x| kinds.contains(&x.kind)), || {
                    format!("{}: no such crossing there", b.id)
                });
                let never = found.is_some_and(|x| x.props.contains_key("no_demolition"));
                f.need(never == (b.demolition == Some(super::DemolitionRule::Never)), || {
                    format!("{}: whether it can be blown", b.id)
                });
                let own = found.is_some_and(|x| x.props.contains_key("rule"));
                f.need(own == (b.demolition == Some(super::DemolitionRule::GermanNear)), || {
                    format!("{}: its own rule is marked on the map", b.id)
                });
            }
        }
        let ferries = map.bridges.iter().filter(|b| b.kind == BridgeKind::Ferry).count();
        f.need(ferries == self.ferries.len(), || "ferries are those of the map".into());
        let never = map.bridges.iter().filter(|b| b.props.contains_key("no_demolition")).count();
        let named =
            self.bridges.iter().filter(|b| b.demolition == Some(super::DemolitionRule::Never)).count();
        f.need(never == named, || "bridges that cannot be blown are those of the map".into());
        // 2.2.4: the far banks.
        let far = |id: &str| self.banks.iter().find(|b| b.id == id).and_then(|b| far_bank(map, b));
        if let (Some(waal), Some(rhine)) = (far("north_of_waal"), far("north_of_lower_rhine")) {
            f.need(rhine == ground.veluwe, || "north of the Lower Rhine is the Veluwe bank only".into());
            let subset = |a: &HexSet, b: &HexSet| a.iter().all(|h| b.contains(h));
            f.need(subset(&ground.betuwe, &waal) && subset(&ground.veluwe, &waal), || {
                "north of the Waal".into()
            });
            f.need(!ground.maas_waal.iter().any(|h| waal.contains(h)), || "south of the Waal".into());
        } else {
            f.0.push("the far banks of Waal and Lower Rhine are not named".into());
        }
    }

    fn check_victory(&self, map: &Map, f: &mut Faults) {
        let mine: BTreeSet<&str> =
            self.victory_places.iter().flat_map(|p| &p.hexes).map(String::as_str).collect();
        let maps: BTreeSet<&str> = map.victory.iter().map(|v| map.label(v.hex)).collect();
        f.need(mine == maps, || "victory places are those of the map".into());
        for p in &self.victory_places {
            f.need(p.value > 0 || p.retakeable, || format!("victory place {} scores for one side", p.id));
            let slug = |s: &str| s.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            let named = p.hexes.iter().all(|h| {
                map.hex(h).is_ok_and(|hex| {
                    map.victory.iter().any(|v| v.hex == hex && slug(&v.place) == slug(&p.id))
                })
            });
            f.need(named, || format!("victory place {}: another place on the map", p.id));
        }
        for id in ["helmond", "venray", "overloon"] {
            let scores = self.victory_places.iter().any(|p| p.id == id && p.value > 0);
            f.need(scores, || format!("{id} is a victory place (stated)"));
        }
        f.need(self.victory.short_last_turn == 11 && self.victory.short_units == 4, || {
            "the short game".into()
        });
    }

    fn check_scenarios(&self, map: &Map, f: &mut Faults) {
        for s in &self.scenarios {
            for p in &s.place {
                f.need(map.hex(&p.hex).is_ok(), || format!("scenario {}: {} is not on the map", s.id, p.hex));
            }
            if s.rows.is_none() {
                continue;
            }
            let inside = |label: &str| s.plays_on(label);
            if let ScenarioVictory::Road { hexes, needed } = &s.victory {
                let there = hexes.iter().all(|h| map.hex(h).is_ok() && inside(h));
                f.need(there && usize::from(*needed) <= hexes.len(), || {
                    format!("scenario {}: the hexes of its victory", s.id)
                });
            }
            for id in s.german_areas.iter().flatten() {
                let touches = map.entry(id).is_some_and(|e| e.hexes.iter().any(|h| inside(map.label(*h))));
                f.need(touches, || format!("scenario {}: area {id} does not touch its rows", s.id));
            }
            for z in self.zones.iter().filter(|z| s.allied.iter().flatten().any(|x| *x == z.formation)) {
                f.need(z.hexes.iter().all(|h| inside(h)), || {
                    format!("scenario {}: zone {} lies outside", s.id, z.id)
                });
            }
        }
    }

    fn check_terrain(&self, map: &Map, f: &mut Faults) {
        for k in &map.terrain_kinds {
            f.need(self.tables.hex.contains_key(&k.id), || format!("the chart has no terrain {}", k.id));
        }
        for k in &map.hexside_kinds {
            f.need(self.tables.hexside.contains_key(&k.id), || format!("the chart has no hexside {}", k.id));
        }
        for k in &map.road_classes {
            f.need(self.tables.road.contains_key(&k.id), || format!("the chart has no road {}", k.id));
        }
        let water = map.water_kinds();
        for side in map.board.side_ids() {
            let s = map.side(side);
            let bridged = map.bridge(side).is_some_and(|b| b.kind == BridgeKind::Road);
            f.need(!s.kinds.intersects(water) || s.road.is_some() == bridged, || {
                format!("{}: roads cross water on bridges only", map.side_label(side))
            });
        }
    }

    fn check_rules(&self, f: &mut Faults) {
        let known: BTreeSet<&str> = super::RULES.lines().filter_map(|l| l.split('\t').next()).collect();
        let special = self.units.iter().filter_map(|u| u.arrival.as_ref()?.special.as_deref());
        for rule in special.chain(self.scenarios.iter().map(|s| s.rule.as_str())) {
            f.need(known.contains(rule), || format!("no rule {rule}"));
        }
        let nights = self.turns.iter().filter(|t| t.half == Half::Night).count();
        f.need(self.turns.len() == 20 && nights == 7, || {
            "twenty turns, seven of them at night (stated)".into()
        });
    }
}

/// Parts of the map that its rivers cut off.
struct Ground {
    /// South of the start line's canal.
    start: HexSet,
    veluwe: HexSet,
    betuwe: HexSet,
    maas_waal: HexSet,
    brabant: HexSet,
}

impl Ground {
    fn new(map: &Map) -> Result<Ground, String> {
        const RHINE: [&str; 5] = ["nederrijn", "pannerdensch-kanaal", "ijssel", "waal", "bovenrijn"];
        let flood = |from: &str, rivers: &[&str]| {
            map.hex(from).map_err(|e| e.to_string()).map(|hex| reached(map, [hex], rivers))
        };
        let mut with_maas = RHINE.to_vec();
        with_maas.push("maas");
        Ok(Ground {
            start: flood("1303", &["bocholt-herentals-canal"])?,
            veluwe: flood("6223", &RHINE)?,
            betuwe: flood("5820", &RHINE)?,
            maas_waal: flood("5320", &with_maas)?,
            brabant: flood("4816", &["maas"])?,
        })
    }
}

/// 2.2.4: the hexes that cannot be reached from an Entry Area without crossing one of the rivers.
pub fn far_bank(map: &Map, bank: &super::Bank) -> Option<HexSet> {
    let from = map.entry(&bank.from_area)?.hexes.iter().copied();
    let rivers: Vec<&str> = bank.rivers.iter().map(String::as_str).collect();
    let near = reached(map, from, &rivers);
    Some(map.board.ids().filter(|h| !near.contains(*h)).collect())
}

fn reached(map: &Map, from: impl IntoIterator<Item = HexId>, rivers: &[&str]) -> HexSet {
    let mut walls: BTreeSet<SideId> = BTreeSet::new();
    for w in map.watercourses.iter().filter(|w| rivers.contains(&w.id.as_str())) {
        walls.extend(&w.hexsides);
    }
    let mut queue: VecDeque<HexId> = from.into_iter().collect();
    let mut seen: HexSet = queue.iter().copied().collect();
    while let Some(hex) = queue.pop_front() {
        for (d, next) in map.board.neighbours(hex) {
            if !walls.contains(&map.board.side(hex, d)) && seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    seen
}
