//! Opponents: search that knows only the kernel, and one evaluator per game.
