//! The whole picture of a small map.

use super::*;
use crate::map::Map;

/// A map with one of everything: every ground style, both river classes, a lake, roads, bridges in each state, places,
/// areas, lines, entries.
pub(super) const SMALL: &str = r#"
id = "small"
name = { en = "Small & <odd>", ko = "작은 지도", ja = "小さい地図" }
factions = ["german", "allied"]
default = "clear"

[grid]
labels = "ardennes"
columns = [1, 7]
rows = [1, 6]

[[terrain_kind]]
id = "clear"
name = "Clear"
[[terrain_kind]]
id = "light_woods"
name = "Light Woods"
[[terrain_kind]]
id = "forest"
name = "Forest"
[[terrain_kind]]
id = "wooded_rough"
name = "Wooded Rough"
[[terrain_kind]]
id = "bog"
style = "swamp"
name = "Bog"
[[terrain_kind]]
id = "dunes"
name = "Dunes"
[[terrain_kind]]
id = "bush"
style = "scrub"
name = "Bush"
[[terrain_kind]]
id = "hill"
style = "heights"
name = "Hill"
[[terrain_kind]]
id = "vineyard"
name = "Vineyard"
[[terrain_kind]]
id = "town"
layer = "settlement"
name = "Town"
[[terrain_kind]]
id = "village"
layer = "settlement"
name = "Village"
[[terrain_kind]]
id = "west_wall"
layer = "extra"
name = "West Wall"

[[hexside_kind]]
id = "river"
water = true
name = "River"
[[hexside_kind]]
id = "meuse"
water = true
name = "Meuse"
[[hexside_kind]]
id = "lake"
water = true
lake = true
name = "Lake"
[[hexside_kind]]
id = "crest"
name = "Crest"

[[road_class]]
id = "primary"
name = "Primary road"
[[road_class]]
id = "track"
name = "Track"

[terrain]
light_woods = ["E0101", "E0102"]
forest = ["E0201", "E0202", "E0203"]
wooded_rough = ["E0103", "E0104"]
bog = ["E0501"]
dunes = ["E0502"]
bush = ["E0601"]
hill = ["E0602"]
vineyard = ["E0603"]
town = ["E0403"]
village = ["E0303"]
west_wall = ["E0605", "E0606"]

[hexside]
river = ["E0302/E0403", "E0303/E0403", "E0303/E0404"]
meuse = ["E0404/E0405", "E0405/E0504"]
lake = ["E0501/E0502"]
crest = ["E0601/E0602"]

[road]
primary = [["E0202", "E0302", "E0403", "E0503"]]
track = [["E0403", "E0404", "E0405"], ["E0403", "E0402"]]

[bridge]
"E0302/E0403" = { name = "A", state = "blown", number = 1 }
"E0404/E0405" = { name = "B", state = "under_construction" }

[[place]]
id = "stadt"
hex = "E0403"
class = "town"
name = { en = "Stadt", ko = "바스토뉴", ja = "バストーニュ" }
[[place]]
id = "dorf"
hex = "E0303"
class = "village"
name = "Dorf"
[[place]]
id = "hof"
hex = "E0505"
class = "hamlet"
name = "Hof"
[[place]]
id = "wald"
hex = "E0202"
class = "forest"
name = "Wald"

[[watercourse]]
id = "fluss"
name = "Fluss"
hexsides = ["E0302/E0403", "E0303/E0403", "E0303/E0404"]

[[area]]
id = "area"
kind = "setup"
name = "1 VG"
hexes = ["E0101", "E0102", "E0202"]
[[area]]
id = "front"
kind = "front"
name = "Front"
line = ["E0302/E0403", "E0303/E0403"]

[[entry]]
id = "A"
name = "South"
side = "allied"
hexes = ["E0401"]

[[victory]]
hex = "E0403"
place = "stadt"
"#;

pub(super) fn small() -> Map {
    Map::from_files(&[("small.toml", SMALL)]).expect("the test's own map")
}

/// A short hash of a long text (FNV-1a).
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// A reader that only knows elements and attributes: enough to see that every tag closes and every value is quoted.
fn check_xml(text: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut ids = Vec::new();
    let mut rest = text;
    while let Some(i) = rest.find('<') {
        assert!(!rest[..i].contains('>'), "stray > in text");
        let end = rest[i..].find('>').expect("tag closes") + i;
        let tag = &rest[i + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in <{tag}>");
        let name = tag.split([' ', '/']).next().unwrap_or("").to_string();
        if let Some(id) = tag.split(" id=\"").nth(1).and_then(|t| t.split('"').next()) {
            ids.push(id.to_string());
        }
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    ids
}

#[test]
fn the_file_is_well_formed_and_holds_no_bad_number() {
    for lang in Lang::ALL {
        let text = svg(&small(), &Options { lang, hex_km: Some(2.5), ..Options::default() });
        let mut ids = check_xml(&text);
        for layer in [
            "ground", "relief", "texture", "water", "roads", "bridges", "towns", "setup", "front", "victory",
            "labels", "numbers", "entries", "legend",
        ] {
            assert!(ids.iter().any(|i| i == layer), "{layer}");
        }
        let n = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(n, ids.len(), "an id stands twice");
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}

#[test]
fn the_same_map_gives_the_same_picture() {
    let options = Options { hex_km: Some(2.5), ..Options::default() };
    let text = svg(&small(), &options);
    assert_eq!(text, svg(&small(), &options));
    insta::assert_snapshot!(format!("{:016x} {}", fingerprint(&text), text.len()));
}

#[test]
fn parts_can_be_left_out() {
    let text = svg(&small(), &Options { parts: Parts::LAND.without(Part::Grid), ..Options::default() });
    let ids = check_xml(&text);
    for layer in ["grid", "setup", "front", "legend", "frame", "entries"] {
        assert!(!ids.iter().any(|i| i == layer), "{layer}");
    }
    assert!(ids.iter().any(|i| i == "labels"));
}

#[test]
fn names_follow_the_language() {
    let of = |lang| svg(&small(), &Options { lang, ..Options::default() });
    assert!(of(Lang::En).contains(">Stadt<"));
    assert!(of(Lang::Ko).contains(">바스토뉴<"));
    assert!(of(Lang::Ja).contains(">バストーニュ<"));
    assert!(of(Lang::En).contains("Small &amp; &lt;odd&gt;"));
}

#[test]
fn a_region_is_smaller_than_the_map() {
    let map = small();
    let part = vec![map.hex("E0403").unwrap(), map.hex("E0504").unwrap()];
    let options = Options { parts: Parts::LAND, ..Options::default() };
    let whole = svg(&map, &options);
    let text = svg(&map, &Options { region: part, ..options });
    check_xml(&text);
    assert!(text.len() < whole.len() / 2);
    // An entry beyond the cut has no mark on this sheet; its own sheet shows it.
    let marks = |region: &[&str]| {
        let region = region.iter().map(|h| map.hex(h).unwrap()).collect();
        let text =
            svg(&map, &Options { parts: Parts::LAND.with(Part::Entries), region, ..Options::default() });
        text.contains(">A</text>")
    };
    assert!(marks(&["E0301", "E0503"]));
    assert!(!marks(&["E0604", "E0706"]));
}

#[test]
fn every_name_of_the_shipped_map_can_be_drawn() {
    let map = crate::packs::ardennes44_map().expect("the shipped map");
    let names = map.places.iter().map(|q| &q.name).chain(map.watercourses.iter().map(|w| &w.name));
    for n in names {
        for c in n.en.chars().chain(n.ko.chars()).chain(n.ja.chars()) {
            assert!(has_glyph(c), "no glyph for {c} of {}", n.en);
        }
    }
}

#[test]
fn stacks_stand_on_the_map() {
    let map = small();
    let hex = map.hex("E0403").unwrap();
    let unit =
        |right: &str| PlacedCounter { hex, counter: Counter { right: right.into(), ..Counter::default() } };
    let six: Vec<PlacedCounter> = (1..=6).map(|i| unit(&format!("u{i}"))).collect();
    let text = position(&map, &six, &Options { parts: Parts::LAND, ..Options::default() });
    check_xml(&text);
    // Four edges show, the top one last, and a badge counts all.
    assert!(!text.contains(">u2<") && text.contains(">u3<") && text.contains(">u6<"));
    assert!(text.rfind(">u6<") > text.rfind(">u5<"));
    assert!(text.contains(">6</text>"));
}

#[cfg(feature = "png")]
#[test]
fn tiles_cover_the_picture() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='60'><rect width='70' height='40' fill='#c33'/></svg>";
    let tiles = Tiles::new(text).unwrap();
    assert_eq!(tiles.count(0), (1, 1));
    assert_eq!(tiles.count(1), (2, 2));
    assert!(tiles.tile(1, 1, 1).unwrap().is_some_and(|png| png.starts_with(b"\x89PNG")));
    assert!(tiles.tile(1, 2, 0).unwrap().is_none());
}

#[cfg(feature = "png")]
#[test]
fn pixels_come_out_in_the_paper_colour() {
    let text = svg(&small(), &Options { hex_pixels: 20.0, ..Options::default() });
    let picture = Picture::new(&text).unwrap();
    let (w, h) = picture.size();
    let map = picture.pixels(1.0, 0, 0, w as u32, h as u32).unwrap();
    let paper = map.pixels().iter().filter(|q| q.red() > 220 && q.blue() > 180).count();
    assert!(paper * 4 > map.pixels().len(), "mostly paper");
    assert!(png(&text, 1.0).unwrap().starts_with(b"\x89PNG"));
    assert!(matches!(picture.pixels(1.0, 0, 0, 0, 5), Err(RasterError::Size { .. })));
    assert!(png("no svg", 1.0).is_err());
}

/// How far two pictures differ: the mean over all channels, and the share of pixels that differ by more than `much`.
#[cfg(feature = "png")]
fn difference(a: &resvg::tiny_skia::Pixmap, b: &resvg::tiny_skia::Pixmap, much: u8) -> (f64, f64) {
    assert_eq!((a.width(), a.height()), (b.width(), b.height()));
    let (mut sum, mut far) = (0.0, 0);
    for (a, b) in a.data().chunks_exact(4).zip(b.data().chunks_exact(4)) {
        let most = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        sum += a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>();
        far += usize::from(most > much);
    }
    (sum / a.data().len() as f64, far as f64 / (a.data().len() / 4) as f64)
}

#[cfg(feature = "png")]
#[test]
fn a_part_is_painted_as_it_stands_in_the_whole() {
    use resvg::tiny_skia::IntRect;

    let text = svg(&small(), &Options { hex_pixels: 60.0, ..Options::default() });
    let picture = Picture::new(&text).unwrap();
    let (w, h) = picture.size();
    for scale in [0.6, 2.3] {
        let (w, h) = ((w * scale).ceil() as u32, (h * scale).ceil() as u32);
        let whole = picture.pixels(scale, 0, 0, w, h).unwrap();
        for (x, y) in [(0, 0), (w / 3, h / 4), (w / 2, h / 2), (w - 60, h - 50)] {
            let (pw, ph) = (150.min(w - x), 130.min(h - y));
            let part = picture.pixels(scale, x, y, pw, ph).unwrap();
            let area = IntRect::from_xywh(x as i32, y as i32, pw, ph).unwrap();
            let (mean, far) = difference(&part, &whole.clone_rect(area).unwrap(), 12);
            assert!(mean < 0.2 && far < 0.002, "at {x} {y} of {scale}: {mean} {far}");
        }
    }
}

#[cfg(feature = "png")]
#[test]
fn the_picture_is_what_the_svg_says() {
    use resvg::{tiny_skia, usvg};

    let map = small();
    let hex = map.hex("E0403").unwrap();
    let unit = PlacedCounter { hex, counter: Counter { right: "12".into(), ..Counter::default() } };
    let text = position(&map, &[unit], &Options { hex_pixels: 90.0, ..Options::default() });
    let picture = Picture::new(&text).unwrap();
    let (w, h) = picture.size();
    let ours = picture.pixels(1.0, 0, 0, w.ceil() as u32, h.ceil() as u32).unwrap();
    let options = usvg::Options {
        fontdb: scene::font_set(),
        font_family: "Grognard Condensed".into(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(&text, &options).unwrap();
    let mut theirs = tiny_skia::Pixmap::new(ours.width(), ours.height()).unwrap();
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut theirs.as_mut());
    if let Some(folder) = std::env::var_os("GROGNARD_PICTURES") {
        ours.save_png(std::path::Path::new(&folder).join("ours.png")).unwrap();
        theirs.save_png(std::path::Path::new(&folder).join("theirs.png")).unwrap();
    }
    let (mean, far) = difference(&ours, &theirs, 24);
    assert!(mean < 0.3 && far < 0.004, "{mean} {far}");
}
