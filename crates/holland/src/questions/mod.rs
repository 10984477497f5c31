//! What is asked at each frame ([`crate::flow`]): who decides, what can be chosen, whether it is legal, what it does.

/// What most questions say in the same way: the side whose turn it is decides, what is legal is said by the question's own
/// `may`, and the prompt is a key with its rule.
macro_rules! usual {
    ($prompt:literal, $rule:literal) => {
        fn asks(
            &self,
            rules: &$crate::world::Holland,
            s: &$crate::state::State,
            _: $crate::frame::Stage,
        ) -> Option<$crate::pack::Side> {
            rules.decider(s)
        }

        fn check(
            &self,
            cx: &$crate::flow::Cx,
            action: &$crate::action::Action,
        ) -> Result<(), kernel::Refusal> {
            Ok(Self::may(cx, action)?)
        }

        fn prompt(&self) -> (&'static str, &'static str) {
            ($prompt, $rule)
        }
    };
}

pub mod fighting;
pub mod moving;
pub mod phases;
pub mod results;
pub mod yielding;
