//! Numbers of judgement that can be set by name, so that matches can compare them (`docs/BOTS.md`).

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

        impl $Name {
            /// Set a number by its name, for experiments; false if there is no such name.
            pub fn set(&mut self, name: &str, value: f32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

pub(crate) use numbers;
