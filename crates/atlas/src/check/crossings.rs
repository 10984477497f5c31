//! Facts about bridges, ferries, banks and roads.

use hexgrid::{HexId, HexSet};

use super::fact::{Bank, Fact};
use super::facts::Answer;
use crate::{Map, Spot};

impl Map {
    pub(super) fn holds_of_crossings(&self, fact: &Fact) -> Answer {
        Ok(match fact {
            Fact::Crossing { name, kind_is, hexside, touches, joins, river, water, state, road, prop } => {
                let all: Vec<_> = self.bridges.iter().filter(|b| b.name.en == *name).collect();
                let [b] = all[..] else { return Err(format!("{} crossings are named '{name}'", all.len())) };
                let s = self.side(b.side);
                let ends: Vec<HexId> = self.board.side_hexes(b.side).into_iter().flatten().collect();
                let mut ok = b.kind == *kind_is && s.kinds.intersects(self.water_kinds());
                if let Some(label) = hexside {
                    ok &= self.find_side(label)? == b.side;
                }
                if let Some(hex) = touches {
                    ok &= ends.contains(&self.find(hex)?);
                }
                if let Some([a, z]) = joins {
                    let (a, z) = (self.town(a)?, self.town(z)?);
                    ok &= ends.iter().any(|h| a.contains(h)) && ends.iter().any(|h| z.contains(h));
                }
                if let Some(id) = water {
                    let kind = self.hexside_id(id).ok_or_else(|| format!("no hexside kind '{id}'"))?;
                    ok &= s.kinds.contains(kind);
                }
                ok &= river.as_ref().is_none_or(|r| self.flows(r, b.side))
                    && state.is_none_or(|state| b.state == state)
                    && road.as_ref().is_none_or(|id| s.road.is_some_and(|r| self.road_class(r).id == *id))
                    && prop.as_ref().is_none_or(|key| b.props.contains_key(key));
                (ok, format!("{name} is a {} crossing at {}", kind_is.id(), self.side_label(b.side)))
            }
            Fact::CrossingCount { river, kind_is, count } => {
                let n =
                    self.bridges.iter().filter(|b| b.kind == *kind_is && self.flows(river, b.side)).count();
                (n == *count, format!("{count} {} crossings of the {river} (there are {n})", kind_is.id()))
            }
            Fact::Parted { from, rivers, stop, with, without } => {
                let walls = self.hexsides_of_rivers(rivers);
                if walls.is_empty() {
                    return Err(format!("no river among {}", rivers.join(", ")));
                }
                let stop = stop.iter().map(|h| self.find(h)).collect::<Result<Vec<_>, _>>()?;
                let mut seen: HexSet = std::iter::once(self.find(from)?).collect();
                let mut stack: Vec<HexId> = seen.iter().collect();
                while let Some(h) = stack.pop() {
                    for (d, n) in self.board.neighbours(h) {
                        if !stop.contains(&n) && !walls.contains(&self.board.side(h, d)) && seen.insert(n) {
                            stack.push(n);
                        }
                    }
                }
                let mut wrong = Vec::new();
                for (labels, inside) in [(with, true), (without, false)] {
                    for label in labels {
                        if seen.contains(self.find(label)?) != inside {
                            wrong.push(label.as_str());
                        }
                    }
                }
                let rivers = rivers.join(", ");
                (
                    wrong.is_empty(),
                    format!("the {rivers} part the land at {from} (wrong: {})", wrong.join(" ")),
                )
            }
            Fact::Through { hex, river } => {
                let h = self.find(hex)?;
                (self.watercourse(river)?.through.contains(&h), format!("the {river} runs through {hex}"))
            }
            Fact::HexOnBank { hex, river, bank } => {
                let votes = self.bank_votes(self.find(hex)?, self.watercourse(river)?);
                let side = if *bank == Bank::Left { "left" } else { "right" };
                let ok = if *bank == Bank::Left { votes > 0 } else { votes < 0 };
                (ok, format!("{hex} is on the {side} bank of the {river}"))
            }
            Fact::RoadThrough { class, from, through } => {
                let class = self.road_id(class).ok_or_else(|| format!("no road class '{class}'"))?;
                let mut seen: HexSet = std::iter::once(self.find(from)?).collect();
                let mut stack: Vec<HexId> = seen.iter().collect();
                while let Some(h) = stack.pop() {
                    for (d, road) in self.roads_of(h) {
                        if let Some(n) = self.board.neighbour(h, d).filter(|_| road == class)
                            && seen.insert(n)
                        {
                            stack.push(n);
                        }
                    }
                }
                let mut missed = Vec::new();
                for label in through {
                    if !seen.contains(self.find(label)?) {
                        missed.push(label.as_str());
                    }
                }
                let class = &self.road_class(class).id;
                (
                    missed.is_empty(),
                    format!("the {class} road from {from} passes all (not: {})", missed.join(" ")),
                )
            }
            Fact::RoadExit { to, class } => {
                let leaves = |f: &&crate::Feature| {
                    f.name.en == *to
                        && matches!(f.at, Spot::Hexside(side)
                            if self.side(side).road.is_some_and(|r| self.road_class(r).id == *class))
                };
                (
                    self.features.iter().any(|f| leaves(&f)),
                    format!("a {class} road leaves the map toward {to}"),
                )
            }
            _ => return self.holds_of_ground(fact),
        })
    }
}
