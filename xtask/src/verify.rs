//! `cargo verify`: everything that proves the project, step by step.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::tools::{
    allow_installing, ensure_chromium, ensure_nextest, ensure_postgres, install_web, root, run, run_with,
    target_dir,
};

type Step = (&'static str, &'static str, fn() -> Result<()>);

const STEPS: &[Step] = &[
    ("fmt", "source format", || cargo(&["fmt", "--all", "--check"])),
    ("tidy", "habits that a program can check", crate::tidy::tidy),
    ("web", "web client: types, unit tests, build", web),
    ("clippy", "lints", || {
        cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])
    }),
    ("test", "all tests", test),
    ("doc", "documentation examples", || cargo(&["test", "--workspace", "--doc", "--quiet"])),
    ("packs", "pack checks", packs),
    ("rules", "rule coverage", || crate::rules::rules(&[])),
    ("browser", "browser tests", browser),
];

pub fn verify(args: &[String]) -> Result<()> {
    let mut args = args.to_vec();
    args.retain(|word| {
        let install = word == "--install";
        if install {
            allow_installing();
        }
        !install
    });
    let names: Vec<&str> = STEPS.iter().map(|(name, ..)| *name).collect();
    let steps = match &args[..] {
        [] => STEPS,
        [flag] if flag == "--list" => {
            for (name, what, _) in STEPS {
                println!("{name:<8} {what}");
            }
            return Ok(());
        }
        [flag, name] if flag == "--from" || flag == "--only" => {
            let at = names
                .iter()
                .position(|step| step == name)
                .with_context(|| format!("no step `{name}`; there is {}", names.join(", ")))?;
            if flag == "--only" { &STEPS[at..=at] } else { &STEPS[at..] }
        }
        _ => bail!("usage: cargo verify [--install] [--list | --from STEP | --only STEP]"),
    };
    let start = Instant::now();
    // What is missing is said now, not after half an hour.
    if steps.iter().any(|(name, ..)| *name == "browser") {
        ensure_chromium()?;
    }
    for (name, what, step) in steps {
        println!("\n── {name}: {what}");
        let begun = Instant::now();
        step().with_context(|| format!("step `{name}` ({what})"))?;
        println!("── {name}: ok, {:.0} s", begun.elapsed().as_secs_f32());
    }
    println!("\nverified in {:.0} s", start.elapsed().as_secs_f32());
    Ok(())
}

fn cargo(args: &[&str]) -> Result<()> {
    run(root(), "cargo", args)
}

fn web() -> Result<()> {
    install_web()?;
    let web = root().join("web");
    for script in ["check", "test", "build"] {
        run(&web, "npm", &["run", "--silent", script])?;
    }
    Ok(())
}

fn test() -> Result<()> {
    let nextest = ensure_nextest()?;
    let postgres = ensure_postgres();
    if !postgres {
        println!(
            "NOTICE: no PostgreSQL was found: the server is tested on SQLite only \
             (`cargo verify --install`, or on Debian: apt-get install postgresql)"
        );
    }
    run_with(
        root(),
        &nextest.to_string_lossy(),
        &[
            "nextest",
            "run",
            "--workspace",
            "--no-fail-fast",
            "--status-level",
            "fail",
            "--show-progress",
            "none",
        ],
        // Where there is one, its tests must not be skipped.
        if postgres { &[("GROGNARD_POSTGRES", "must")] } else { &[] },
    )
}

/// The program as the tests build it: the same command as theirs, so that nothing is built a second time with other features.
fn program() -> Result<PathBuf> {
    cargo(&["test", "--workspace", "--no-run", "--quiet"])?;
    Ok(target_dir().join("debug/grognard"))
}

fn packs() -> Result<()> {
    let program = program()?;
    run(root(), &program.to_string_lossy(), &["packs", "check"])
}

fn browser() -> Result<()> {
    let chromium = ensure_chromium()?;
    let program = program()?;
    install_web()?;
    run_with(
        &root().join("web"),
        "npm",
        &["run", "--silent", "e2e"],
        &[("GROGNARD_BIN", &program.to_string_lossy()), ("GROGNARD_CHROMIUM", &chromium.to_string_lossy())],
    )
}
