//! `grognard lab FILE.toml`: any position, any question (`docs/LAB.md`).

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use kernel::lab::Reading;

use crate::catalogue::games;

#[derive(Debug, Args)]
pub struct Lab {
    /// One or more lab files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
    /// Require files to leave nothing out, unless they say `lenient = true`
    #[arg(long)]
    strict: bool,
}

impl Lab {
    /// Exit status: 0 all holds, 1 an expectation failed, 2 a file is not valid or an action illegal; the worst of
    /// all files.
    pub fn run(self) -> Result<ExitCode> {
        let games = games();
        let reading = if self.strict { Reading::Strict } else { Reading::Lenient };
        let mut worst = 0;
        for file in &self.files {
            let name = file.display().to_string();
            let text = std::fs::read_to_string(file).with_context(|| name.clone())?;
            let report = kernel::lab::run_as(&games, &text, &name, "en", reading);
            if self.json {
                println!("{}", serde_json::to_string(&report.json())?);
            } else {
                print!("{}", report.human());
            }
            worst = worst.max(report.code());
        }
        Ok(ExitCode::from(worst))
    }
}
