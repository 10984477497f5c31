//! `cargo xtask map GAME [--check]`: compiles a pack's geography into its map files.

use anyhow::Result;

use crate::tools;

/// The compiler is a program of its own, so that xtask stays quick to build.
pub fn map(args: &[String]) -> Result<()> {
    let mut command = vec!["run", "--quiet", "--package", "cartographer", "--"];
    command.extend(args.iter().map(String::as_str));
    tools::run(tools::root(), "cargo", &command)
}
