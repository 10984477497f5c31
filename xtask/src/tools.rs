//! Helpers for the tasks: the project folder, commands, and programs installed on demand.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

/// The project's folder, wherever cargo was called from.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Cargo's target folder.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Run a command in a folder of the project, showing its output; fail if it fails.
pub fn run(folder: &Path, program: &str, args: &[&str]) -> Result<()> {
    run_with(folder, program, args, &[])
}

pub fn run_with(folder: &Path, program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    let status = Command::new(program)
        .args(args)
        .envs(lean_env())
        .envs(env.iter().copied())
        .current_dir(folder)
        .status()
        .with_context(|| format!("cannot start `{program}`: is it installed?"))?;
    if !status.success() {
        bail!("`{program} {}` failed ({status})", args.join(" "));
    }
    Ok(())
}

/// Is this program installed, and does it run?
pub fn is_available(program: &str, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|output| output.status.success())
}

/// Installs the web client's dependencies and builds it into `web/dist`.
pub fn build_web() -> Result<()> {
    install_web()?;
    run(&root().join("web"), "npm", &["run", "--silent", "build"])
}

/// Installs `node_modules` as the lock file says; repeated only when the lock file has changed.
pub fn install_web() -> Result<()> {
    let web = root().join("web");
    if !is_available("npm", &["--version"]) {
        bail!("Node.js with npm is needed for the web client, and `npm` does not answer");
    }
    let lock = std::fs::read(web.join("package-lock.json")).context("web/package-lock.json")?;
    let stamp = web.join("node_modules/.installed-lock");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    run(&web, "npm", &["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"])?;
    std::fs::write(&stamp, lock).context("web/node_modules")
}

/// The test runner: the machine's own, or one installed under the target folder. It builds sooner without optimisation
/// and without its self-update feature.
pub fn ensure_nextest() -> Result<PathBuf> {
    if is_available("cargo", &["nextest", "--version"]) {
        return Ok("cargo".into());
    }
    let tools = target_dir().join("tools");
    let program = tools.join("bin/cargo-nextest");
    if !program.is_file() {
        eprintln!("cargo-nextest is missing: building one in {}", tools.display());
        let to = tools.to_string_lossy();
        let lean = ["--debug", "--no-default-features", "--features", "default-no-update"];
        run(
            root(),
            "cargo",
            &[&["install", "--locked", "--quiet", "--root", &to, "cargo-nextest"], &lean[..]].concat(),
        )?;
    }
    Ok(program)
}

/// Build without what only a developer needs? `cargo verify --lean`, or CI=true.
static LEAN: AtomicBool = AtomicBool::new(false);

pub fn build_lean() {
    LEAN.store(true, Ordering::Relaxed);
}

pub fn is_lean() -> bool {
    LEAN.load(Ordering::Relaxed) || is_ci()
}

/// Settings for cargo that keep the target folder small: no incremental data and no debug information, which is three
/// quarters of every test program. The workflow sets the same, so that the build of these tasks agrees.
pub fn lean_env() -> impl Iterator<Item = (&'static str, &'static str)> {
    let settings = [("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")];
    settings.into_iter().filter(|(name, _)| is_lean() && std::env::var_os(name).is_none())
}

fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|ci| ci == "true" || ci == "1")
}

/// Megabytes that a folder takes; 0 if it does not exist.
pub fn megabytes_in(folder: &Path) -> u64 {
    let told = Command::new("du").arg("-sk").arg(folder).output();
    let told = told.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    told.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Megabytes that are free on the disk of a folder, which need not exist yet; none if the system does not tell.
pub fn free_megabytes(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.exists())?;
    let told = Command::new("df").arg("-Pk").arg(there).output().ok()?;
    available(&String::from_utf8_lossy(&told.stdout))
}

/// The space available according to `df -Pk`, in megabytes.
fn available(table: &str) -> Option<u64> {
    let kilobytes: u64 = table.lines().last()?.split_whitespace().nth(3)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// May system packages be installed? `cargo verify --install`, or CI=true.
static MAY_INSTALL: AtomicBool = AtomicBool::new(false);

pub fn allow_installing() {
    MAY_INSTALL.store(true, Ordering::Relaxed);
}

pub fn may_install() -> bool {
    MAY_INSTALL.load(Ordering::Relaxed) || is_ci()
}

/// A Chromium for the browser tests: `GROGNARD_CHROMIUM`, one on the machine, or Debian's package.
pub fn ensure_chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("GROGNARD_CHROMIUM") {
        return Ok(named.into());
    }
    if let Some(found) = find_chromium() {
        return Ok(found);
    }
    if debian_install(&["chromium", "fonts-noto-cjk"])
        && let Some(found) = find_chromium()
    {
        return Ok(found);
    }
    let installing = if may_install() {
        "it could not be installed here (that takes root and apt-get)"
    } else {
        "`cargo verify --install` installs it (as root, with apt-get)"
    };
    bail!(
        "the browser tests need Chromium, and none was found: {installing}; else install it yourself (Debian: \
         apt-get install chromium fonts-noto-cjk) or name its program in GROGNARD_CHROMIUM"
    )
}

/// Is there a PostgreSQL for the server's tests: on the machine, or from Debian's package?
pub fn ensure_postgres() -> bool {
    has_postgres() || (debian_install(&["postgresql"]) && has_postgres())
}

/// Debian keeps the PostgreSQL server programs out of the path.
fn has_postgres() -> bool {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    debian.map(|version| version.path().join("bin/initdb")).any(|program| program.is_file())
        || which(Path::new("initdb")).is_some()
}

fn find_chromium() -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| is_available(name, &["--version"]))
        .map(PathBuf::from)
        .and_then(|name| which(&name))
}

fn which(program: &Path) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// Installs Debian packages if that was asked for and is possible: as root, with apt-get.
fn debian_install(packages: &[&str]) -> bool {
    if !may_install() {
        return false;
    }
    let root_user = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.starts_with(b"0\n"));
    if !root_user || !is_available("apt-get", &["--version"]) {
        return false;
    }
    eprintln!("installing {}", packages.join(", "));
    let quiet = |args: &[&str]| {
        Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").output().is_ok_and(
            |out| {
                if !out.status.success() {
                    eprintln!("{}", String::from_utf8_lossy(&out.stderr));
                }
                out.status.success()
            },
        )
    };
    quiet(&["update", "-q"])
        && quiet(&[&["install", "-y", "-q", "--no-install-recommends"], packages].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_space_is_read() {
        let told = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/vda 264102400 27262976 66953216 29% /\n";
        assert_eq!(available(told), Some(65_384));
        assert_eq!(available("df: no such file"), None);
        assert!(free_megabytes(&root().join("no/such/folder")).is_some_and(|free| free > 0));
    }
}
