//! Tables of many games, from the lines that `corridor campaign` prints.

use std::collections::BTreeMap;

use crate::{
    note::{BRIDGES, Note},
    wilson,
};

/// The smallest, the middle and the largest of some numbers, and how many there are.
fn spread(mut numbers: Vec<f32>) -> String {
    numbers.sort_by(f32::total_cmp);
    let at = |share: f32| numbers.get(((numbers.len() as f32 - 1.0) * share).round() as usize);
    match (at(0.1), at(0.5), at(0.9)) {
        (Some(low), Some(middle), Some(high)) => format!("{low} | {middle} | {high}"),
        _ => "– | – | –".into(),
    }
}

pub fn print(files: &[String]) -> Result<(), String> {
    let mut notes: Vec<Note> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        for line in text.lines().filter(|line| line.starts_with('{')) {
            notes.push(serde_json::from_str(line).map_err(|e| format!("{file}: {e}"))?);
        }
    }
    if notes.is_empty() {
        return Err("no games".into());
    }
    let games = notes.len() as f32;
    let share = |count: usize| {
        let (low, high) = wilson(count as f32, games);
        format!(
            "{count} of {games}: {:.0} % ({:.0}–{:.0})",
            100.0 * count as f32 / games,
            100.0 * low,
            100.0 * high
        )
    };
    println!("Allied wins {}", share(notes.iter().filter(|note| note.winner == Some(0)).count()));
    let mut endings: BTreeMap<(Option<u8>, &str), usize> = BTreeMap::new();
    for note in &notes {
        *endings.entry((note.winner, &note.why)).or_default() += 1;
    }
    println!("endings {endings:?}");
    println!(
        "turn of the end, 10 % | middle | 90 %: {}",
        spread(notes.iter().map(|note| note.turn.into()).collect())
    );
    for (side, name) in ["Allied", "German"].iter().enumerate() {
        println!("{name} points: {}", spread(notes.iter().map(|note| note.points[side]).collect()));
        println!("{name} attacks: {}", spread(notes.iter().map(|note| note.attacks[side] as f32).collect()));
        println!(
            "{name} longest phase, s: {}",
            spread(notes.iter().map(|note| note.longest[side]).collect())
        );
        println!("{name} time, s: {}", spread(notes.iter().map(|note| note.total[side]).collect()));
        println!("{name} faults: {}", notes.iter().map(|note| note.faults[side]).sum::<u32>());
    }
    for (i, what) in ["airborne units", "other units", "Supply Heads", "towns retaken"].iter().enumerate() {
        println!("German points for {what}: {}", spread(notes.iter().map(|note| note.german[i]).collect()));
    }
    for (i, id) in BRIDGES.iter().enumerate() {
        let crossed: Vec<f32> = notes.iter().filter_map(|note| note.crossed[i]).map(f32::from).collect();
        let blown = notes.iter().filter(|note| note.blown[i].is_some()).count();
        println!(
            "{id}: crossed in {}; turn {}; blown in {}",
            share(crossed.len()),
            spread(crossed),
            share(blown)
        );
    }
    println!("Arnhem bridge held at all in {}", share(notes.iter().filter(|n| !n.arnhem.is_empty()).count()));
    println!("Arnhem bridge, turns held: {}", spread(notes.iter().map(|n| n.arnhem.len() as f32).collect()));
    for turn in 0..20 {
        let of = |pick: &dyn Fn(&Note) -> Option<f32>| spread(notes.iter().filter_map(pick).collect());
        println!(
            "turn {}: row of the ground army {}; road {}; beyond the Waal {}; beyond the Rhine {}; Arnhem held in {}",
            turn + 1,
            of(&|note| note.rows.get(turn).map(|row| f32::from(*row))),
            of(&|note| note.road.get(turn).map(|row| f32::from(*row))),
            of(&|note| note.beyond.get(turn).map(|units| f32::from(units[0]))),
            of(&|note| note.beyond.get(turn).map(|units| f32::from(units[1]))),
            share(notes.iter().filter(|note| note.arnhem.contains(&(turn as u8 + 1))).count())
        );
    }
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for place in notes.iter().flat_map(|note| &note.places) {
        *places.entry(place).or_default() += 1;
    }
    println!("places Allied in the end: {places:?}");
    Ok(())
}
