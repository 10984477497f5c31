//! Plots, drawn as SVG.

use std::{collections::BTreeMap, fmt::Write as _};

use super::count::{Share, Spread};

/// Width of all plots.
pub const WIDTH: f64 = 760.0;
/// Room for the labels of rows.
const LABELS: f64 = 190.0;
/// Room for figures to the right of rows.
const FIGURES: f64 = 130.0;
const ROW: f64 = 30.0;
const INK: &str = "#2b2a26";
const FAINT: &str = "#d9d3c3";
const SOFT: &str = "#6f6a5e";

/// A row of a bar plot.
#[derive(Clone, Debug)]
pub struct Bar {
    pub label: String,
    pub share: Share,
    pub colour: String,
}

/// A row of a plot of times.
#[derive(Clone, Debug)]
pub struct Times {
    pub label: String,
    pub turns: Option<[f64; 5]>,
    pub history: Option<u16>,
    pub figures: String,
    pub colour: String,
}

/// The words a plot of times needs.
#[derive(Clone, Debug)]
pub struct TimesWords {
    pub never: String,
    /// Names of turns, for the axis.
    pub turns: BTreeMap<u16, String>,
}

/// Escapes text for HTML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

pub fn percent(share: f64) -> String {
    let value = 100.0 * share;
    if value > 0.05 && value < 1.0 || value > 99.0 && value < 99.95 {
        format!("{value:.1} %")
    } else {
        format!("{value:.0} %")
    }
}

fn open(height: f64, title: &str) -> String {
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"{}\">",
        escape(title)
    )
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, colour: &str, words: &str) {
    let _ = write!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{}</text>",
        escape(words)
    );
}

fn line(out: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), style: &str) {
    let _ = write!(out, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>");
}

/// Shares as bars, each with its interval.
pub fn bars(title: &str, rows: &[Bar]) -> String {
    let height = rows.len() as f64 * ROW + 26.0;
    let (left, right) = (LABELS, WIDTH - FIGURES);
    let x = |share: f64| left + (right - left) * share;
    let mut out = open(height, title);
    let bottom = rows.len() as f64 * ROW;
    for tenth in (0..=10).step_by(2) {
        let at = x(f64::from(tenth) / 10.0);
        line(&mut out, (at, 0.0), (at, bottom), &format!("stroke=\"{FAINT}\""));
        text(&mut out, at, bottom + 17.0, "middle", SOFT, &format!("{} %", tenth * 10));
    }
    for (row, bar) in rows.iter().enumerate() {
        let y = row as f64 * ROW + ROW / 2.0;
        text(&mut out, left - 10.0, y + 4.5, "end", INK, &bar.label);
        let _ = write!(
            out,
            "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"18\" fill=\"{}\"/>",
            y - 9.0,
            (x(bar.share.value) - left).max(0.5),
            bar.colour
        );
        whisker(&mut out, x(bar.share.low), x(bar.share.high), y);
        let figures = format!(
            "{} ({}–{})",
            percent(bar.share.value),
            percent(bar.share.low).trim_end_matches(" %"),
            percent(bar.share.high)
        );
        text(&mut out, right + 8.0, y + 4.5, "start", INK, &figures);
    }
    out + "</svg>"
}

fn whisker(out: &mut String, from: f64, to: f64, y: f64) {
    let style = format!("stroke=\"{INK}\" stroke-width=\"1.4\"");
    line(out, (from, y), (to, y), &style);
    line(out, (from, y - 4.0), (from, y + 4.0), &style);
    line(out, (to, y - 4.0), (to, y + 4.0), &style);
}

/// Games by the turn in which they ended.
pub fn histogram(
    title: &str,
    counts: &BTreeMap<u16, usize>,
    last: u16,
    names: &BTreeMap<u16, String>,
) -> String {
    let (height, base) = (170.0, 130.0);
    let most = counts.values().copied().max().unwrap_or(1).max(1) as f64;
    let slots = f64::from(last.max(1));
    let step = (WIDTH - 60.0) / slots;
    let mut out = open(height, title);
    for turn in 1..=last {
        let x = 40.0 + f64::from(turn - 1) * step;
        let count = counts.get(&turn).copied().unwrap_or(0);
        let tall = 105.0 * count as f64 / most;
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"#8a7a5c\"/>",
            x + 1.0,
            base - tall,
            (step - 2.0).max(1.0)
        );
        if count > 0 {
            text(&mut out, x + step / 2.0, base - tall - 4.0, "middle", SOFT, &count.to_string());
        }
        turn_name(&mut out, x + step / 2.0, base + 14.0, turn, step, names);
    }
    line(&mut out, (40.0, base), (WIDTH - 20.0, base), &format!("stroke=\"{INK}\""));
    out + "</svg>"
}

/// Names under an axis, no more than there is room for: with many turns, every second or fourth.
fn turn_name(out: &mut String, x: f64, y: f64, turn: u16, step: f64, names: &BTreeMap<u16, String>) {
    const ROOM: f64 = 54.0;
    let every = [1, 2, 4, 8].into_iter().find(|n| f64::from(*n) * step >= ROOM).unwrap_or(16);
    if turn % every != 1 % every {
        return;
    }
    let name = names.get(&turn).cloned().unwrap_or_else(|| turn.to_string());
    // Two short lines are easier to read than rotated text.
    let (first, second) = name.split_once(' ').map_or((name.as_str(), ""), |(a, b)| (a, b));
    text(out, x, y, "middle", SOFT, first);
    text(out, x, y + 14.0, "middle", SOFT, second);
}

/// A tally by turn: medians as lines, and the range of eight games in ten as bands.
pub fn lines(
    title: &str,
    rows: &[(String, String, &BTreeMap<u16, Spread>)],
    last: u16,
    names: &BTreeMap<u16, String>,
) -> String {
    let (height, top, base) = (270.0, 14.0, 220.0);
    let (left, right) = (48.0, WIDTH - 120.0);
    let most = rows.iter().flat_map(|(_, _, turns)| turns.values()).map(|s| s.high).fold(1.0, f64::max);
    let unit = round_up(most / 4.0);
    let top_value = (most / unit).ceil() * unit;
    let x = |turn: u16| left + (right - left) * f64::from(turn) / f64::from(last.max(1));
    let y = |value: f64| base - (base - top) * (value / top_value).clamp(0.0, 1.0);
    let mut out = open(height, title);
    let mut value = 0.0;
    while value <= top_value + 1e-9 {
        line(&mut out, (left, y(value)), (right, y(value)), &format!("stroke=\"{FAINT}\""));
        text(&mut out, left - 8.0, y(value) + 4.0, "end", SOFT, &format!("{value:.0}"));
        value += unit;
    }
    for turn in 1..=last {
        turn_name(&mut out, x(turn), base + 18.0, turn, x(1) - x(0), names);
    }
    let mut taken: Vec<f64> = Vec::new();
    for (label, colour, turns) in rows {
        if turns.is_empty() {
            continue;
        }
        let mut band = String::new();
        for (turn, spread) in *turns {
            let _ = write!(band, "{:.1},{:.1} ", x(*turn), y(spread.high));
        }
        for (turn, spread) in turns.iter().rev() {
            let _ = write!(band, "{:.1},{:.1} ", x(*turn), y(spread.low));
        }
        let _ = write!(out, "<polygon points=\"{band}\" fill=\"{colour}\" fill-opacity=\"0.2\"/>");
        let mut middle = String::new();
        for (turn, spread) in *turns {
            let _ = write!(middle, "{:.1},{:.1} ", x(*turn), y(spread.middle));
        }
        let _ = write!(
            out,
            "<polyline points=\"{middle}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.4\" stroke-linejoin=\"round\"/>"
        );
        if let Some((_, end)) = turns.iter().next_back() {
            let mut at = y(end.middle) + 4.0;
            while taken.iter().any(|other| (other - at).abs() < 15.0) {
                at -= 15.0;
            }
            taken.push(at);
            text(&mut out, right + 8.0, at, "start", colour, &format!("{label} {:.0}", end.middle));
        }
    }
    out + "</svg>"
}

/// The next round number that is not below `value`.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-9).log10().floor());
    let found = [1.0, 2.0, 5.0, 10.0].into_iter().map(|k| k * power).find(|k| *k >= value);
    found.unwrap_or(value).max(1.0)
}

/// When goals were met, compared with history: a line for eight games in ten, a box for the middle half, a mark for
/// history.
pub fn times(title: &str, rows: &[Times], last: u16, words: &TimesWords) -> String {
    let height = rows.len() as f64 * ROW + 44.0;
    let bottom = rows.len() as f64 * ROW;
    let (left, right) = (LABELS - 60.0, WIDTH - FIGURES - 70.0);
    let x = |turn: f64| left + (right - left) * (turn - 0.5) / f64::from(last.max(1));
    let mut out = open(height, title);
    for turn in 1..=last {
        let at = x(f64::from(turn));
        line(&mut out, (at, 0.0), (at, bottom), &format!("stroke=\"{FAINT}\""));
        turn_name(&mut out, at, bottom + 16.0, turn, x(1.0) - x(0.0), &words.turns);
    }
    for (row, times) in rows.iter().enumerate() {
        let y = row as f64 * ROW + ROW / 2.0;
        text(&mut out, left - 12.0, y + 4.5, "end", INK, &times.label);
        if let Some([low, quarter, middle, three, high]) = times.turns {
            line(
                &mut out,
                (x(low), y),
                (x(high), y),
                &format!("stroke=\"{}\" stroke-width=\"2\"", times.colour),
            );
            let _ = write!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"{}\" fill-opacity=\"0.55\"/>",
                x(quarter) - 2.0,
                y - 7.0,
                x(three) - x(quarter) + 4.0,
                times.colour
            );
            line(
                &mut out,
                (x(middle), y - 9.0),
                (x(middle), y + 9.0),
                &format!("stroke=\"{INK}\" stroke-width=\"3\""),
            );
        }
        match times.history {
            Some(turn) => {
                let at = x(f64::from(turn));
                let _ = write!(
                    out,
                    "<path d=\"M{at:.1} {:.1}l7 8-7 8-7-8z\" fill=\"#c0392b\" stroke=\"#fffdf6\" stroke-width=\"1.2\"/>",
                    y - 8.0
                );
            }
            None => text(&mut out, right + 4.0, y + 4.5, "start", "#c0392b", &words.never),
        }
        text(&mut out, WIDTH - FIGURES, y + 4.5, "start", INK, &times.figures);
    }
    out + "</svg>"
}

/// Shares as points with their intervals; the first row's share is drawn as a line through all rows.
pub fn forest(title: &str, rows: &[Bar]) -> String {
    let height = rows.len() as f64 * ROW + 26.0;
    let bottom = rows.len() as f64 * ROW;
    let (left, right) = (LABELS + 90.0, WIDTH - FIGURES);
    let x = |share: f64| left + (right - left) * share;
    let mut out = open(height, title);
    for tenth in (0..=10).step_by(2) {
        let at = x(f64::from(tenth) / 10.0);
        line(&mut out, (at, 0.0), (at, bottom), &format!("stroke=\"{FAINT}\""));
        text(&mut out, at, bottom + 17.0, "middle", SOFT, &format!("{} %", tenth * 10));
    }
    if let Some(first) = rows.first() {
        let at = x(first.share.value);
        line(&mut out, (at, 0.0), (at, bottom), "stroke=\"#c0392b\" stroke-dasharray=\"5 4\"");
    }
    for (row, bar) in rows.iter().enumerate() {
        let y = row as f64 * ROW + ROW / 2.0;
        text(&mut out, left - 12.0, y + 4.5, "end", INK, &bar.label);
        whisker(&mut out, x(bar.share.low), x(bar.share.high), y);
        let _ = write!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5.5\" fill=\"{}\"/>",
            x(bar.share.value),
            bar.colour
        );
        let figures = format!("{} ({})", percent(bar.share.value), bar.share.count);
        text(&mut out, right + 8.0, y + 4.5, "start", INK, &figures);
    }
    out + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(percent(0.5), "50 %");
        assert_eq!(percent(0.004), "0.4 %");
        assert_eq!((round_up(1.2), round_up(23.0), round_up(0.2)), (2.0, 50.0, 1.0));
        assert_eq!(escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
