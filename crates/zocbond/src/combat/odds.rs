//! The ladder of odds: 1-3, 1-2, 1-1, 2-1, 3-1 and so on, numbered by rungs with 1-1 as 0.

/// A rung beyond both ends of every table.
const FAR: i16 = 99;

/// The rung of an attack; remainders favour the defender.
pub fn rung(attack: u16, defense: u16) -> i16 {
    if attack == 0 {
        -FAR
    } else if defense == 0 {
        FAR
    } else if attack >= defense {
        (attack / defense) as i16 - 1
    } else {
        1 - defense.div_ceil(attack) as i16
    }
}

/// The two numbers of a rung: `(3, 1)` for 3-1.
pub fn odds(rung: i16) -> (u16, u16) {
    if rung >= 0 { (rung as u16 + 1, 1) } else { (1, rung.unsigned_abs() + 1) }
}

/// The column of a table for a rung. `columns` are the odds of its columns in ascending order; rungs beyond the first
/// or last column use that column.
pub fn column(columns: impl IntoIterator<Item = (u16, u16)>, rung: i16) -> usize {
    let mut found = 0;
    for (at, (attack, defense)) in columns.into_iter().enumerate() {
        if self::rung(attack, defense) <= rung {
            found = at;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_favour_the_defender() {
        for (attack, defense, named) in [
            (5, 5, (1, 1)),
            (9, 5, (1, 1)),
            (10, 5, (2, 1)),
            (4, 5, (1, 2)),
            (5, 11, (1, 3)),
            (34, 3, (11, 1)),
        ] {
            assert_eq!(odds(rung(attack, defense)), named, "{attack} against {defense}");
        }
    }

    #[test]
    fn the_outer_columns_catch_the_rest() {
        let columns = [(1, 2), (1, 1), (2, 1), (3, 1), (5, 1)];
        let of = |attack, defense| column(columns, rung(attack, defense));
        assert_eq!([of(0, 3), of(1, 9), of(1, 2), of(1, 1)], [0, 0, 0, 1]);
        assert_eq!([of(3, 1), of(4, 1), of(5, 1), of(60, 1), of(1, 0)], [3, 3, 4, 4, 4]);
    }
}
