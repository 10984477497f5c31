//! `cargo verify`: every check of the project, step by step.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::tools::{
    allow_installing, build_lean, ensure_chromium, ensure_nextest, ensure_postgres, free_megabytes,
    install_web, is_lean, lean_env, megabytes_in, root, run, run_with, target_dir,
};

/// List the slowest tests (`--timings`)?
static TIMINGS: AtomicBool = AtomicBool::new(false);

/// How many of the slowest tests are listed.
const SLOWEST: usize = 25;

/// Gigabytes that all steps write to `target/debug`, with everything and with `--lean`, each with a tenth to spare.
const FULL_GB: u64 = 13;
const LEAN_GB: u64 = 5;
/// Gigabytes that a run needs beside what is built already: it builds changed crates anew.
const WARM_GB: u64 = 2;

/// The steps that compile the workspace.
const BUILDING: &[&str] = &["clippy", "test", "doc", "packs", "browser"];

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
    args.retain(|word| match word.as_str() {
        "--install" => {
            allow_installing();
            false
        }
        "--lean" => {
            build_lean();
            false
        }
        "--timings" => {
            TIMINGS.store(true, Ordering::Relaxed);
            false
        }
        _ => true,
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
        _ => {
            bail!("usage: cargo verify [--install] [--lean] [--timings] [--list | --from STEP | --only STEP]")
        }
    };
    let start = Instant::now();
    // Report a full disk and missing programs now, not after half an hour.
    if steps.iter().any(|(name, ..)| BUILDING.contains(name)) {
        check_disk()?;
    }
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

/// Says how much room the build needs, and fails if the disk has less.
fn check_disk() -> Result<()> {
    let folder = target_dir().join("debug");
    let (all, held) = (if is_lean() { LEAN_GB } else { FULL_GB }, megabytes_in(&folder));
    let needed = all.saturating_sub(held / 1024).max(WARM_GB);
    print!("The build takes up to {all} GB in {}, of which {} GB are there. ", folder.display(), held / 1024);
    let Some(free) = free_megabytes(&folder).map(|free| free / 1024) else {
        println!("How much is free is unknown.");
        return Ok(());
    };
    println!("{free} GB are free.");
    if free < needed {
        let lean = if is_lean() { "" } else { " `cargo verify --lean` needs less." };
        bail!(
            "not enough disk space: {needed} GB are needed for {}, {free} GB are free. Remove old builds \
             (`cargo clean`), or set CARGO_TARGET_DIR to a folder on another disk.{lean}",
            folder.display()
        );
    }
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
    let args = [&["nextest", "run"], TESTS, &["--no-fail-fast", "--show-progress", "none", "--status-level"]]
        .concat();
    // If there is a PostgreSQL, its tests must not be skipped.
    let env: &[(&str, &str)] = if postgres { &[("GROGNARD_POSTGRES", "must")] } else { &[] };
    if TIMINGS.load(Ordering::Relaxed) {
        return timed(&nextest, &[&args[..], &["pass"]].concat(), env);
    }
    run_with(root(), &nextest.to_string_lossy(), &[&args[..], &["fail"]].concat(), env)
}

/// Run the tests and list the slowest.
fn timed(nextest: &Path, args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    let mut child = Command::new(nextest)
        .args(args)
        .envs(lean_env())
        .envs(env.iter().copied())
        .current_dir(root())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| nextest.display().to_string())?;
    let mut times = Vec::new();
    if let Some(told) = child.stderr.take() {
        for line in BufReader::new(told).lines() {
            let line = line?;
            match time_of(&line) {
                Some(time) => times.push(time),
                None => eprintln!("{line}"),
            }
        }
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let sum: f32 = times.iter().map(|(seconds, _)| seconds).sum();
    println!("{} tests passed, {sum:.0} s in all; the slowest:", times.len());
    for (seconds, name) in times.iter().take(SLOWEST) {
        println!("{seconds:>8.1} s  {name}");
    }
    if !child.wait()?.success() {
        bail!("tests failed");
    }
    Ok(())
}

/// Seconds and name of a passed test, from a line such as `PASS [   1.234s] ( 7/99) kernel::conformance docs::holds`.
fn time_of(line: &str) -> Option<(f32, String)> {
    let rest = line.trim_start().strip_prefix("PASS [")?;
    let (seconds, rest) = rest.split_once("s]")?;
    let name = rest.trim_start();
    let name = name.strip_prefix('(').and_then(|name| name.split_once(')')).map_or(name, |(_, name)| name);
    Some((seconds.trim().parse().ok()?, name.trim().to_owned()))
}

/// What is built and tested. Examples are not linked: clippy checks them, and each would take as much room as the program.
const TESTS: &[&str] = &["--workspace", "--tests"];

/// The program as the tests build it: the same selection, so that nothing is built a second time with other features.
fn program() -> Result<PathBuf> {
    cargo(&[&["test"], TESTS, &["--no-run", "--quiet"]].concat())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_test_is_read() {
        let line = "        PASS [   1.234s] ( 7/99) kernel::conformance docs::holds";
        assert_eq!(time_of(line), Some((1.234, "kernel::conformance docs::holds".into())));
        let old = "        PASS [  61.250s] ardennes::kit six_turns";
        assert_eq!(time_of(old), Some((61.25, "ardennes::kit six_turns".into())));
        assert_eq!(time_of("        FAIL [   0.100s] ardennes::kit six_turns"), None);
    }
}
