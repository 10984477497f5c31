//! `cargo play`: build everything, open the table.

use anyhow::Result;

use crate::tools::{build_web, root, run, target_dir};

pub fn play(args: &[String]) -> Result<()> {
    println!("Building the web client …");
    build_web()?;
    println!("Building the program (the first time takes a few minutes) …");
    run(root(), "cargo", &["build", "--release", "--package", "grognard"])?;
    let program = target_dir().join("release/grognard");
    let mut words = vec!["play"];
    words.extend(args.iter().map(String::as_str));
    run(root(), &program.to_string_lossy(), &words)
}
