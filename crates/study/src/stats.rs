//! A few statistics.

pub use bots::arena::{Z95, share};

/// The value below which a share `q` of the numbers lies; they need not be sorted. `None` for an empty list.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = q.clamp(0.0, 1.0) * last as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    Some(low + (high - low) * at.fract())
}

pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The mean with its 95 % interval, by its standard error: low, mean, high.
pub fn interval(values: &[f64]) -> [f64; 3] {
    let (n, mean) = (values.len() as f64, mean(values));
    if n < 2.0 {
        return [mean; 3];
    }
    let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = Z95 * (spread / n).sqrt();
    [mean - half, mean, mean + half]
}

/// The middle value with its 95 % interval, by the ranks between which the true one lies: low, middle, high.
pub fn middle(values: &[f64]) -> Option<[f64; 3]> {
    let last = values.len().checked_sub(1)? as f64;
    if last <= 0.0 {
        return Some([values[0]; 3]);
    }
    let half = 0.5 * Z95 * (values.len() as f64).sqrt();
    let at = |rank: f64| quantile(values, rank / last);
    Some([
        at((0.5 * last - half).floor().max(0.0))?,
        at(0.5 * last)?,
        at((0.5 * last + half).ceil().min(last))?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_known_the_better_the_more_numbers_there_are() {
        let [low, mean, high] = interval(&[1.0, 2.0, 3.0]);
        assert!(mean == 2.0 && (high - 3.132).abs() < 0.001 && (low - 0.868).abs() < 0.001, "{low} {high}");
        assert_eq!((interval(&[5.0]), interval(&[])), ([5.0; 3], [0.0; 3]));
    }

    #[test]
    fn the_middle_is_known_the_better_the_more_numbers_there_are() {
        let up_to = |last: u8| (1..=last).map(f64::from).collect::<Vec<f64>>();
        // The usual ranks of 20 and of 100 values.
        assert_eq!(middle(&up_to(20)), Some([6.0, 10.5, 15.0]));
        assert_eq!(middle(&up_to(100)), Some([40.0, 50.5, 61.0]));
        assert_eq!((middle(&[5.0]), middle(&[])), (Some([5.0; 3]), None));
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0], 0.25), Some(1.25));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
