//! Closed lists of words: enums whose members have keys in packs, lab files, notation and message files.

/// Declares an enum whose members have keys in files, in order: `keyed! { Grade { Elite = "elite", Green = "green" } }`. After `or`
/// stands its default: `keyed! { Grade or Green { … } }`. It has `ALL`, `key`, `parse` and `index`.
#[macro_export]
macro_rules! keyed {
    ($(#[$about:meta])* $name:ident or $usual:ident { $($rest:tt)* }) => {
        $crate::keyed! { $(#[$about])* $name { $($rest)* } }

        impl Default for $name {
            fn default() -> $name {
                $name::$usual
            }
        }
    };
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $member:ident = $key:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $key)] $member),*
        }

        impl $name {
            pub const ALL: [$name; [$($key),*].len()] = [$($name::$member),*];

            /// The name in packs, lab files and message keys.
            pub const fn key(self) -> &'static str {
                match self {
                    $($name::$member => $key),*
                }
            }

            pub fn parse(key: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|member| member.key() == key)
            }

            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }
        }
    };
}
