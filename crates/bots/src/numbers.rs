//! Weights of judgement that can be set by name, so that matches can compare them (`docs/BOTS.md`).

use crate::{Bot, Level, Mind, Player, make};

/// The weights of a mind's judgement.
pub trait Numbers: Copy + Default + Send + Sync + 'static {
    /// Set a number by its name; false if there is no such name.
    fn set(&mut self, name: &str, value: f32) -> bool;
    /// A number by its name.
    fn get(&self, name: &str) -> Option<f32>;
}

/// For a mind without weights.
impl Numbers for () {
    fn set(&mut self, _: &str, _: f32) -> bool {
        false
    }
    fn get(&self, _: &str) -> Option<f32> {
        None
    }
}

/// Creates bots by name: a level (`regular`), or one with other weights (`regular:pace=0.7,block=1.5`).
pub fn named<M: Mind>(
    game: &'static str,
    text: &str,
) -> Result<impl Fn(u64) -> Option<Box<dyn Bot>> + Sync + use<M>, String> {
    let (level, changes) = text.split_once(':').unwrap_or((text, ""));
    let level: Level = level.parse()?;
    let mut numbers = M::numbers(level);
    for change in changes.split(',').filter(|change| !change.is_empty()) {
        let (name, value) = change.split_once('=').ok_or(format!("{change}: NAME=VALUE"))?;
        let value = value.parse().map_err(|e| format!("{change}: {e}"))?;
        if !numbers.set(name, value) {
            return Err(format!("no number `{name}`"));
        }
    }
    let changed = !changes.is_empty();
    if changed && level < Level::Recruit {
        return Err(format!("{level} has no numbers of its own"));
    }
    Ok(move |seed| {
        if changed {
            let study = move |rules| M::with(rules, numbers);
            return Some(Box::new(Player::<M>::studying(level, seed, study)) as Box<dyn Bot>);
        }
        make(game, level, seed)
    })
}

/// Declares a struct of `f32` fields with their usual values and a `set` that knows them by name.
macro_rules! numbers {
    ($(#[$about:meta])* pub struct $Name:ident { $($(#[$doc:meta])* $name:ident = $value:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Name {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Default for $Name {
            fn default() -> $Name {
                $Name { $($name: $value,)* }
            }
        }

        impl crate::Numbers for $Name {
            fn set(&mut self, name: &str, value: f32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
            fn get(&self, name: &str) -> Option<f32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use numbers;
