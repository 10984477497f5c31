//! `grognard completions bash > …`

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, CommandFactory};

#[derive(Debug, Args)]
pub struct Completions {
    /// The shell to write for
    shell: clap_complete::Shell,
}

impl Completions {
    pub fn run<P: CommandFactory>(self) -> Result<ExitCode> {
        clap_complete::generate(self.shell, &mut P::command(), "grognard", &mut std::io::stdout());
        Ok(ExitCode::SUCCESS)
    }
}
