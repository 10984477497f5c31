//! Copies of a position that reuse the memory of an older one.

/// `Clone` with a `clone_from` field by field: lists keep the memory that they have, so that a position that is played again
/// and again allocates nothing. (A derived `clone_from` makes new lists.)
macro_rules! in_place {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl Clone for $name {
            fn clone(&self) -> Self {
                let Self { $($field),* } = self;
                Self { $($field: $field.clone()),* }
            }

            fn clone_from(&mut self, other: &Self) {
                let Self { $($field),* } = other;
                $(self.$field.clone_from($field);)*
            }
        }
    };
}

pub(crate) use in_place;
