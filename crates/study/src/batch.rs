//! Many tasks in parallel, whose results are written to a file in order: the file is the same whatever the number of
//! jobs, and an interrupted one is continued where it ended.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Seek, SeekFrom, Write},
    path::Path,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Work to be done: `total` tasks, numbered from 0.
#[derive(Clone, Debug)]
pub struct Batch<'a> {
    /// The first line of the file: everything that the results depend on.
    pub header: Value,
    pub total: usize,
    /// Tasks in parallel; 0 for one per core.
    pub jobs: usize,
    pub out: Option<&'a Path>,
    /// Show a progress bar.
    pub progress: bool,
    /// What the tasks are called in the progress bar.
    pub noun: &'static str,
}

impl Batch<'_> {
    /// Runs the tasks that are not yet in the file, and returns all results in order. A task that fails or panics ends
    /// the run with an error that begins with its `name`; everything before it is in the file.
    pub fn run<R>(
        &self,
        name: impl Fn(usize) -> String,
        work: impl Fn(usize) -> Result<R> + Sync,
    ) -> Result<Vec<R>>
    where
        R: Serialize + DeserializeOwned + Send,
    {
        let (mut results, mut file) = match self.out {
            Some(path) => {
                let (results, file) = open_to_continue(path, &self.header)?;
                (results, Some(file))
            }
            None => (Vec::new(), None),
        };
        let bar = if self.progress { ProgressBar::new(self.total as u64) } else { ProgressBar::hidden() };
        bar.set_style(
            ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.set_message(self.noun);
        bar.set_position(results.len() as u64);
        bar.reset_eta();
        let first = results.len();
        if first >= self.total {
            bar.finish_and_clear();
            return Ok(results);
        }
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let jobs = if self.jobs == 0 { cores() } else { self.jobs }.min(self.total - first);
        let next = AtomicUsize::new(first);
        let stop = AtomicBool::new(false);
        let (send, receive) = mpsc::channel::<(usize, Result<R>)>();
        let ended = std::thread::scope(|scope| -> Result<()> {
            for _ in 0..jobs {
                let send = send.clone();
                let (next, stop, work) = (&next, &stop, &work);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= self.total || send.send((index, caught(|| work(index)))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            // Results that are ready before their turn wait here.
            let mut waiting: BTreeMap<usize, R> = BTreeMap::new();
            let mut failed: Option<(usize, anyhow::Error)> = None;
            for (index, result) in receive {
                match result {
                    Ok(result) => waiting.insert(index, result),
                    Err(error) => {
                        // No new task begins; those that have begun, including all before it, are finished first.
                        stop.store(true, Ordering::Relaxed);
                        if failed.as_ref().is_none_or(|(first, _)| index < *first) {
                            failed = Some((index, error));
                        }
                        continue;
                    }
                };
                bar.inc(1);
                while let Some(result) = waiting.remove(&results.len()) {
                    if let Some(file) = &mut file {
                        write_line(file, &result)
                            .inspect_err(|_| stop.store(true, Ordering::Relaxed))
                            .context("the results cannot be written")?;
                    }
                    results.push(result);
                }
            }
            failed.map_or(Ok(()), |(index, error)| Err(error.context(name(index))))
        });
        bar.finish_and_clear();
        ended?;
        Ok(results)
    }
}

/// Turns a panic into an error, so that it ends the run instead of one of its threads.
fn caught<R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        bail!("panicked: {text}")
    })
}

/// A file of results: its first line, and the rest.
pub fn read<R: DeserializeOwned>(path: &Path) -> Result<(Value, Vec<R>)> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let (header, results, _) = parse(BufReader::new(file), path)?;
    match header {
        Some(header) => Ok((header, results)),
        None => bail!("{}: the file is empty", path.display()),
    }
}

/// Writes a new file of results.
pub fn write<R: Serialize>(path: &Path, header: &Value, results: &[R]) -> Result<()> {
    let mut file = File::create(path).with_context(|| path.display().to_string())?;
    let mut out = std::io::BufWriter::new(&mut file);
    write_line(&mut out, header)?;
    for result in results {
        write_line(&mut out, result)?;
    }
    out.flush()?;
    Ok(())
}

/// Opens a file to continue it; an incomplete last line left by an interruption is cut off.
fn open_to_continue<R: DeserializeOwned>(path: &Path, header: &Value) -> Result<(Vec<R>, File)> {
    let name = || path.display().to_string();
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(name)?;
    let (found, results, good) = parse(BufReader::new(&mut file), path)?;
    if let Some(found) = &found
        && found != header
    {
        bail!(
            "{}: holds results of another study ({}); take another file, or remove it",
            path.display(),
            difference(found, header)
        );
    }
    file.set_len(good).with_context(name)?;
    file.seek(SeekFrom::End(0)).with_context(name)?;
    if found.is_none() {
        write_line(&mut file, header).with_context(name)?;
    }
    Ok((results, file))
}

/// Header, results and the length of all complete lines.
fn parse<R: DeserializeOwned>(mut input: impl BufRead, path: &Path) -> Result<(Option<Value>, Vec<R>, u64)> {
    let (mut header, mut results, mut good) = (None, Vec::new(), 0);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length = input.read_until(b'\n', &mut line).with_context(|| path.display().to_string())?;
        if line.last() != Some(&b'\n') {
            break;
        }
        let at = || format!("{}, line {number}", path.display());
        if header.is_none() {
            header = Some(serde_json::from_slice(&line).with_context(at)?);
        } else {
            results.push(serde_json::from_slice(&line).with_context(at)?);
        }
        good += length as u64;
    }
    Ok((header, results, good))
}

/// The first keys in which two headers differ, in words.
pub fn difference(found: &Value, asked: &Value) -> String {
    let keys = |value: &Value| value.as_object().map(|o| o.keys().cloned().collect()).unwrap_or_default();
    let mut all: Vec<String> = keys(found);
    all.extend(keys(asked));
    all.sort();
    all.dedup();
    let differs = |key: &String| found.get(key) != asked.get(key);
    let show = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
    let words: Vec<String> = all
        .iter()
        .filter(|key| differs(key))
        .take(3)
        .map(|key| format!("{key}: {} there, {} asked for", show(found.get(key)), show(asked.get(key))))
        .collect();
    if words.is_empty() { "another kind of file".to_owned() } else { words.join("; ") }
}

fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    out.write_all(&line)?;
    Ok(out.flush()?)
}
