//! Tries out weights, one seat at a time: `tune six_turn german 20 1 regular regular:fade=2 regular:pace=0.7` plays the
//! games of seeds 1 to 20 with each of the bots after the first as German against the first as Allied, and prints the
//! mean score with its standard error.

use bots::{
    Bot,
    ardennes::{GAME, Staff},
    arena, named,
};
use kernel::Setup;

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [scenario, seat, games, seed, fixed, tried @ ..] = &args[..] else {
        return Err("tune SCENARIO german|allied GAMES SEED FIXED TRIED…".into());
    };
    let number = |text: &String| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let (games, seed) = (number(games)?, number(seed)?);
    let german = seat == "german";
    let game = ardennes::Ardennes44::new().map_err(|e| e.to_string())?;
    let setup = Setup { game: GAME.into(), scenario: scenario.clone(), ..Setup::default() };
    let rival = named::<Staff>(GAME, fixed)?;
    let mut first: Vec<f32> = Vec::new();
    for text in tried {
        let one = named::<Staff>(GAME, text)?;
        let (mut scores, mut won, mut time, mut longest) = (Vec::new(), 0, 0.0, 0.0f32);
        for seed in seed..seed + games {
            let (mut a, mut b) = (one(seed).ok_or("no such bot")?, rival(seed).ok_or("no such bot")?);
            let bots: [&mut dyn Bot; 2] = if german { [&mut *a, &mut *b] } else { [&mut *b, &mut *a] };
            let played = arena::play(&game, &setup, bots, seed, &mut ())?;
            let own = usize::from(!german);
            won += u32::from(played.outcome.winner.is_some_and(|w| usize::from(w.0) == own));
            scores.push(played.score.unwrap_or(0.0));
            time += played.thinking[own].total.as_secs_f32();
            longest = longest.max(played.thinking[own].longest.as_secs_f32());
            if std::env::var_os("VERBOSE").is_some() {
                println!(
                    "    {seed}: {:?} {:?} {} after {} phases",
                    played.outcome.winner, played.score, played.outcome.why.key, played.thinking[0].phases
                );
            }
        }
        let (mean, error) = mean(&scores);
        let paired: Vec<f32> = scores.iter().zip(&first).map(|(a, b)| a - b).collect();
        let (more, give) = self::mean(&paired);
        println!(
            "{text:40} German score {mean:.2} ± {error:.2}  ({more:+.2} ± {give:.2} to the first)  won {won}/{games}  {:.1} s a game, longest phase {longest:.1} s",
            time / games as f32
        );
        if first.is_empty() {
            first = scores;
        }
    }
    Ok(())
}

/// Mean and its standard error.
fn mean(values: &[f32]) -> (f32, f32) {
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / (count - 1.0).max(1.0);
    (mean, (spread / count).sqrt())
}
