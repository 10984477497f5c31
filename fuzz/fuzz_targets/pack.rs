//! First byte: what the text is — a map, an inline map of a lab file, an overlay, or one of the pack's files.
#![no_main]

use std::sync::OnceLock;

use ardennes::Ardennes44;
use ardennes::pack::{Pack, PackFiles};
use atlas::Map;
use kernel::{Game, Setup};
use libfuzzer_sys::fuzz_target;

fn game() -> &'static Ardennes44 {
    static GAME: OnceLock<Ardennes44> = OnceLock::new();
    GAME.get_or_init(|| Ardennes44::new().expect("the shipped pack loads"))
}

fuzz_target!(|data: &[u8]| {
    let [what, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    match what {
        0 => {
            if let Err(error) = Map::from_toml("fuzz.toml", text) {
                assert!(error.to_string().contains("fuzz.toml"), "{error}");
            }
        }
        1 => {
            let setup = Setup {
                game: "ardennes44".into(),
                scenario: "campaign".into(),
                overlay: Some(text.into()),
                ..Setup::default()
            };
            let _ = game().open(&setup);
        }
        n => {
            let mut files = PackFiles::embedded();
            let at = usize::from(*n) % files.files.len();
            files.files[at].1 = text.to_owned().into();
            let _ = Pack::load(&files);
        }
    }
});
