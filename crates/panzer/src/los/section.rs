//! A line of sight as its drawing needs it: the ground under the line, what stands on it, the effect of each obstacle.

use hexgrid::{BoardLineStep, HexId, HexSet};
use serde::Serialize;

use super::{Los, Met, Obstacle, Relation, Sight};
use crate::field::{Edge, Field};

/// The cross-section of the terrain under a line of sight, from the hex in question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Section {
    pub from: String,
    pub to: String,
    pub range: u32,
    /// Heights of the units (4.1.4.1).
    pub heights: [i8; 2],
    pub clear: bool,
    /// `T7`, or `T7/U6`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_by: Option<String>,
    /// The rule that decided.
    pub case: &'static str,
    pub steps: Vec<SectionStep>,
    /// Hexes of Brew-Up smoke that hinder fire (4.1.4.1.9).
    pub hindrances: Vec<String>,
}

/// One place of the line. Where it runs along a hexside there are two steps with the same `at`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SectionStep {
    pub hex: String,
    /// The position of the hex along the line: 0 at one end, 1 at the other.
    pub at: f32,
    /// Distance from the hex in question.
    pub range: u32,
    pub terrain: &'static str,
    pub ground: i8,
    /// Top of what stands on the ground.
    pub top: i8,
    /// Crest or hedgerow on the hexside before this hex, and its top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hexside: Option<(&'static str, i8)>,
    /// The effect of the obstacle in this hex or on that hexside, if there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<SectionObstacle>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub smoke: bool,
}

/// An obstacle and its effect by 4.1.4.2.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SectionObstacle {
    pub what: String,
    pub top: i8,
    pub rule: &'static str,
    pub blocks: bool,
    /// Hexes hidden behind it (4.1.4.2.4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind_zone: Option<u8>,
    /// Seen past along a road or path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along_road: Option<&'static str>,
}

impl Los {
    /// The section between two hexes; `smoke` are the hexes with Brew-Up smoke.
    pub fn section(&self, field: &Field, a: HexId, b: HexId, smoke: &HexSet) -> Section {
        let Sight { clear, blocked_by, case } = self.sight(a, b);
        let met = self.obstacles(a, b);
        let mut steps: Vec<SectionStep> = Vec::new();
        let mut hindrances = Vec::new();
        let mut before = None;
        for step in self.board.line(a, b) {
            match step {
                BoardLineStep::Hex { hex: Some(hex), across } => {
                    let mut one = self.step(field, a, b, hex);
                    if let (Some(_), Some(last)) = (across, before) {
                        one.hexside = self.top_between(last, hex).map(|top| (kind(field, last, hex), top));
                        one.obstacles.extend(found(field, &met, Obstacle::Hexside(last, hex)));
                    }
                    self.finish(field, &met, smoke, (a, b), hex, one, &mut steps, &mut hindrances);
                    before = Some(hex);
                }
                BoardLineStep::Along { left, right, .. } => {
                    for hex in left.into_iter().chain(right) {
                        let mut one = self.step(field, a, b, hex);
                        if let (Some(l), Some(r)) = (left, right)
                            && hex == l
                        {
                            one.hexside = self.top_between(l, r).map(|top| (kind(field, l, r), top));
                            one.obstacles.extend(found(field, &met, Obstacle::Hexside(l, r)));
                        }
                        self.finish(field, &met, smoke, (a, b), hex, one, &mut steps, &mut hindrances);
                    }
                    before = None;
                }
                BoardLineStep::Hex { hex: None, .. } | BoardLineStep::Vertex { .. } => before = None,
            }
        }
        Section {
            from: field.label(a).to_owned(),
            to: field.label(b).to_owned(),
            range: field.range(a, b),
            heights: [self.height(a), self.height(b)],
            clear,
            blocked_by: blocked_by.map(|o| o.label(field)),
            case,
            steps,
            hindrances,
        }
    }

    /// Top of the crest or hedgerow between two neighbours.
    fn top_between(&self, a: HexId, b: HexId) -> Option<i8> {
        self.lie(a).sides[self.board.direction_to(a, b)?.index()].top
    }

    fn step(&self, field: &Field, a: HexId, b: HexId, hex: HexId) -> SectionStep {
        let lie = self.lie(hex);
        // The foot of the perpendicular from the hex's centre, as a fraction of the line.
        let layout = hexgrid::Layout::new(field.board.orientation(), 1.0);
        let [p, q, x] = [a, b, hex].map(|h| layout.centre(field.board.hex(h)));
        let (dx, dy) = (q.x - p.x, q.y - p.y);
        let length = dx * dx + dy * dy;
        let at = if length > 0.0 { ((x.x - p.x) * dx + (x.y - p.y) * dy) / length } else { 0.0 };
        SectionStep {
            hex: field.label(hex).to_owned(),
            at: at as f32,
            range: field.range(a, hex),
            terrain: field.terrain(hex).key(),
            ground: lie.ground,
            top: lie.top,
            hexside: None,
            obstacles: Vec::new(),
            smoke: false,
        }
    }

    fn finish(
        &self,
        field: &Field,
        met: &[Met],
        smoke: &HexSet,
        (a, b): (HexId, HexId),
        hex: HexId,
        mut step: SectionStep,
        steps: &mut Vec<SectionStep>,
        hindrances: &mut Vec<String>,
    ) {
        step.obstacles.extend(found(field, met, Obstacle::Hex(hex)));
        step.smoke = smoke.contains(hex);
        if step.smoke && self.smoke_hinders(self.height(a).min(self.height(b)), hex) {
            hindrances.push(step.hex.clone());
        }
        steps.push(step);
    }
}

fn kind(field: &Field, a: HexId, b: HexId) -> &'static str {
    match field.board.direction_to(a, b) {
        Some(d) if field.edge(a, d).any(Edge::CREST) => "crest",
        _ => "hedgerow",
    }
}

fn found(field: &Field, met: &[Met], what: Obstacle) -> Option<SectionObstacle> {
    let same = |o: Obstacle| match (o, what) {
        (Obstacle::Hexside(a, b), Obstacle::Hexside(c, d)) => (a, b) == (c, d) || (a, b) == (d, c),
        (o, what) => o == what,
    };
    let met = met.iter().find(|m| same(m.obstacle))?;
    Some(SectionObstacle {
        what: met.obstacle.label(field),
        top: met.top,
        rule: met.relation.rule(),
        blocks: met.relation.blocks(),
        blind_zone: match met.relation {
            Relation::Between { zone, .. } => Some(zone),
            _ => None,
        },
        along_road: met.along_road,
    })
}
