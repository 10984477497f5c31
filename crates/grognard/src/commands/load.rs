//! `grognard load --games 1000`: plays at many tables at once and measures how the server copes.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use server::load::{Plan, Progress, Report, run, run_here};

use crate::catalogue::games;

#[derive(Debug, Args)]
pub struct Load {
    /// Tables played at the same time
    #[arg(long, default_value_t = 1000)]
    games: usize,
    /// How long to play, once every table is set up
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Mean pause of each player before a decision, in milliseconds; 0 measures the server's maximum
    #[arg(long, default_value_t = 450)]
    pause: u64,
    /// The game (default: the first)
    #[arg(long)]
    game: Option<String>,
    #[arg(long)]
    scenario: Option<String>,
    /// A server on this machine, started with `serve --no-limits` (default: one of its own, in this process)
    #[arg(long)]
    url: Option<String>,
    /// The database of its own server: sqlite:FILE or postgres://… (default: a file that is removed afterwards)
    #[arg(long, conflicts_with = "url")]
    database: Option<String>,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

impl Load {
    pub fn run(self) -> Result<ExitCode> {
        let plan = Plan {
            games: self.games,
            seconds: self.seconds,
            pause: Duration::from_millis(self.pause),
            game: self.game.clone(),
            scenario: self.scenario.clone(),
        };
        let progress = Arc::new(Progress::default());
        let watched = Arc::clone(&progress);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let report = runtime.block_on(async {
            let watching = tokio::spawn(watch(watched, plan.clone()));
            let report = match &self.url {
                Some(url) => run(url, &plan, &progress).await.map_err(anyhow::Error::from),
                None => own_server(self.database.as_deref(), &plan, &progress).await,
            };
            watching.abort();
            let _ = watching.await;
            report
        })?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&report)?);
        } else {
            table(&report, &plan);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A server in this process, on a temporary database unless one is named.
async fn own_server(database: Option<&str>, plan: &Plan, progress: &Arc<Progress>) -> Result<Report> {
    if let Some(url) = database {
        return Ok(run_here(games(), url, plan, progress).await?);
    }
    let folder = std::env::temp_dir().join(format!("grognard-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let url = format!("sqlite:{}", folder.join("games.sqlite").display());
    let report = run_here(games(), &url, plan, progress).await;
    let removed = std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string());
    let report = report?;
    removed?;
    Ok(report)
}

async fn watch(progress: Arc<Progress>, plan: Plan) {
    let style = |template: &str| {
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
    };
    let bar = ProgressBar::new(plan.games as u64).with_style(style("{bar:30} {pos}/{len} tables set up"));
    let mut tick = tokio::time::interval(Duration::from_millis(250));
    while !progress.is_playing() {
        tick.tick().await;
        bar.set_position(progress.seated() as u64);
    }
    bar.set_style(style("{bar:30} {pos}/{len} s, {msg}"));
    bar.set_length(plan.seconds);
    let began = std::time::Instant::now();
    loop {
        tick.tick().await;
        let seconds = began.elapsed().as_secs_f64();
        bar.set_position((seconds as u64).min(plan.seconds));
        bar.set_message(format!("{:.0} actions/s", progress.actions() as f64 / seconds.max(0.1)));
    }
}

fn table(report: &Report, plan: &Plan) {
    let pause = plan.pause.as_millis();
    println!(
        "{} {}, {} tables for {:.0} s, {pause} ms of thought",
        report.game, report.scenario, report.games, report.seconds
    );
    println!("  {:>10.0} durable actions per second ({} in all)", report.actions_per_second, report.actions);
    println!("  {:>10.1} ms from action to view, half of them (p50)", report.p50_ms);
    println!("  {:>10.1} ms, 99 of 100 (p99)", report.p99_ms);
    println!("  {:>10.1} ms at most", report.max_ms);
    println!("  {:>10.0} bytes to the player for each action", report.bytes_per_action);
    if let Some(commits) = report.commits.filter(|n| *n > 0) {
        println!("  {:>10.1} actions share a transaction", report.actions as f64 / commits as f64);
    }
    if let Some((server, players)) = report.server_us.zip(report.players_us) {
        println!(
            "  {server:>10.0} µs of processor time for each action in the server, {players:.0} in the players"
        );
        println!("  {:>10.0} actions per second would keep two cores busy", 2e6 / (server + players));
    }
    if report.refused > 0 {
        println!("  {:>10} decisions were refused by the rules", report.refused);
    }
}
