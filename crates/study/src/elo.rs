//! Strength from results: ratings on the Elo scale, with their uncertainty.
//!
//! The ratings are the maximum likelihood of the results (Bradley-Terry; a draw is half a win), with a weak prior that
//! no player is thousands of points from the others, so that a player who won everything has a finite rating, too. The
//! intervals come from the curvature at that point.

use crate::stats::Z95;

/// 400 points are odds of ten to one.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// Standard deviation of the prior, in points.
const BELIEF: f64 = 1000.0;

/// What `a` scored in games against `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    pub a: usize,
    pub b: usize,
    /// Won games, and half of the draws.
    pub won: f64,
    pub games: usize,
}

/// A player's rating; the mean of all is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    pub elo: f64,
    /// Half of the 95 % interval.
    pub margin: f64,
}

/// The ratings of players `0..count`.
pub fn ratings(count: usize, scores: &[Score]) -> Vec<Rating> {
    const ROUNDS: usize = 200;
    let mut at = vec![0.0; count];
    let weight = (SCALE / BELIEF).powi(2);
    let mut curvature = vec![vec![0.0; count]; count];
    for _ in 0..ROUNDS {
        let mut slope: Vec<f64> = at.iter().map(|x| -weight * x).collect();
        curvature = vec![vec![0.0; count]; count];
        for (i, row) in curvature.iter_mut().enumerate() {
            row[i] = weight;
        }
        for score in scores {
            let expected = 1.0 / (1.0 + (at[score.b] - at[score.a]).exp());
            let games = score.games as f64;
            let surplus = score.won - games * expected;
            slope[score.a] += surplus;
            slope[score.b] -= surplus;
            let bend = games * expected * (1.0 - expected);
            curvature[score.a][score.a] += bend;
            curvature[score.b][score.b] += bend;
            curvature[score.a][score.b] -= bend;
            curvature[score.b][score.a] -= bend;
        }
        let step = solve(&curvature, &slope);
        // A long first step may overshoot if a player won everything.
        let longest = step.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let damp = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        for (x, d) in at.iter_mut().zip(&step) {
            *x += damp * d;
        }
        if longest < 1e-10 {
            break;
        }
    }
    let mean = crate::stats::mean(&at);
    (0..count)
        .map(|player| {
            // Variance of the rating relative to the mean of all.
            let aim: Vec<f64> =
                (0..count).map(|i| f64::from(u8::from(i == player)) - 1.0 / count as f64).collect();
            let spread = solve(&curvature, &aim);
            let variance: f64 = aim.iter().zip(&spread).map(|(a, s)| a * s).sum();
            Rating { elo: SCALE * (at[player] - mean), margin: Z95 * SCALE * variance.max(0.0).sqrt() }
        })
        .collect()
}

/// Solves a symmetric positive system by elimination.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut rows: Vec<Vec<f64>> =
        matrix.iter().zip(right).map(|(row, r)| row.iter().copied().chain([*r]).collect()).collect();
    for pivot in 0..n {
        let best = (pivot..n)
            .max_by(|a, b| rows[*a][pivot].abs().total_cmp(&rows[*b][pivot].abs()))
            .unwrap_or(pivot);
        rows.swap(pivot, best);
        let lead = rows[pivot].clone();
        for row in rows.iter_mut().skip(pivot + 1) {
            let factor = row[pivot] / lead[pivot];
            for (x, l) in row.iter_mut().zip(&lead) {
                *x -= factor * l;
            }
        }
    }
    let mut out = vec![0.0; n];
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|j| rows[i][j] * out[j]).sum();
        out[i] = (rows[i][n] - rest) / rows[i][i];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_wins_in_four_are_about_190_points() {
        let found = ratings(2, &[Score { a: 0, b: 1, won: 750.0, games: 1000 }]);
        let gap = found[0].elo - found[1].elo;
        assert!((gap - 190.8).abs() < 2.0, "{gap}");
        assert!(found[0].margin > 5.0 && found[0].margin < 20.0, "{}", found[0].margin);
        assert!((found[0].elo + found[1].elo).abs() < 1e-6);
    }

    #[test]
    fn who_won_everything_has_a_wide_but_finite_rating() {
        let found = ratings(2, &[Score { a: 0, b: 1, won: 20.0, games: 20 }]);
        assert!(found[0].elo > 200.0 && found[0].elo < 2000.0, "{}", found[0].elo);
        assert!(found[0].margin > 100.0);
        let more = ratings(2, &[Score { a: 0, b: 1, won: 200.0, games: 200 }]);
        assert!(more[0].elo > found[0].elo);
    }

    #[test]
    fn strength_carries_over_a_third_player() {
        let scores =
            [Score { a: 0, b: 1, won: 60.0, games: 100 }, Score { a: 1, b: 2, won: 60.0, games: 100 }];
        let found = ratings(3, &scores);
        assert!(found[0].elo > found[1].elo && found[1].elo > found[2].elo);
        let (first, second) = (found[0].elo - found[1].elo, found[0].elo - found[2].elo);
        assert!((second - 2.0 * first).abs() < 2.0, "{first} {second}");
        assert!(found[0].margin > found[1].margin, "who met only one is less well known");
    }
}
