//! The size of the board if the file does not state it: a board of the game, or more if the file names hexes beyond it.

use toml::{Table, Value};

use crate::field::lab::{COLUMNS, ROWS, column};

/// Hexes added beyond the farthest named one, so that there is room to move.
const MARGIN: i64 = 8;

/// Adds `columns` and `rows` to a map without them, if a hex named in the head is outside the usual board.
pub(super) fn widen(map: &mut Table, head: &Table) {
    let mut far = [0, 0];
    for (key, value) in head.iter().filter(|(key, _)| *key != "step") {
        farthest(key, value, &mut far);
    }
    for ((key, usual), named) in [("columns", COLUMNS), ("rows", ROWS)].into_iter().zip(far) {
        if named > usual[1] && !map.contains_key(key) {
            map.insert(key.into(), Value::Array(vec![usual[0].into(), (named + MARGIN).into()]));
        }
    }
}

fn farthest(key: &str, value: &Value, far: &mut [i64; 2]) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                note(key, far);
                farthest(key, value, far);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| farthest(key, value, far)),
        // Other texts are names, which may look like the label of a hex.
        Value::String(text) if !matches!(key, "id" | "card" | "name" | "formation" | "aboard" | "hauler") => {
            text.split(['/', ' ']).for_each(|label| note(label, far));
        }
        _ => {}
    }
}

/// The column and row of a label such as `E17`.
fn note(label: &str, far: &mut [i64; 2]) {
    let digits = label.find(|c: char| c.is_ascii_digit()).unwrap_or(label.len());
    let (letters, row) = label.split_at(digits);
    let mut name = Value::String(letters.to_owned());
    let (Ok(()), Ok(row)) = (column(&mut name), row.parse::<i64>()) else { return };
    let (Some(column), true) = (name.as_integer(), (0..=99).contains(&row) && letters.len() <= 3) else {
        return;
    };
    far[0] = far[0].max(column);
    far[1] = far[1].max(row);
}
