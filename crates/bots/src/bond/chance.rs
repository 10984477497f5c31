//! Chances, and what outcomes are worth.

/// What an outcome of an attack is worth to the attacker, and the chance that the hex falls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Leaf {
    pub value: f32,
    pub falls: f32,
}

impl Leaf {
    /// Adds an outcome of this chance.
    pub fn add(&mut self, p: f32, other: Leaf) {
        self.value += p * other.value;
        self.falls += p * other.falls;
    }
}

/// 0 far below 0, a half at 0, 1 far above it.
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The effective turns of an advance, given the turns that are left: it loses pace, and gets no further than its reach.
pub fn time_to_advance(left: f32, pace: f32, reach: f32) -> f32 {
    reach * (1.0 - (-left * pace / reach).exp())
}
