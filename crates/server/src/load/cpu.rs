//! Processor time as Linux reports it. On other systems nothing is reported.

use std::ops::Sub;

/// Seconds of processor time: of the whole process, and of those of its threads that bear a given name.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    pub process: f64,
    pub named: f64,
}

impl Spent {
    pub fn now(name: &str) -> Option<Self> {
        let process = seconds(&std::fs::read_to_string("/proc/self/stat").ok()?)?;
        let mut named = 0.0;
        for thread in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
            let is_named = |text: String| text.trim_end() == name;
            if std::fs::read_to_string(thread.path().join("comm")).is_ok_and(is_named)
                && let Ok(stat) = std::fs::read_to_string(thread.path().join("stat"))
            {
                named += seconds(&stat)?;
            }
        }
        Some(Spent { process, named })
    }
}

impl Sub for Spent {
    type Output = Spent;
    fn sub(self, before: Spent) -> Spent {
        Spent { process: self.process - before.process, named: self.named - before.named }
    }
}

/// Linux reports times to user space in hundredths of a second, whatever its own clock rate.
const TICKS: f64 = 100.0;

/// User and system time: the 14th and 15th fields, counted from the end of the thread's name, which may hold blanks.
fn seconds(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
    Some(ticks / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_behind_any_name() {
        let stat = "7 (a) b ) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 3 0 100";
        assert_eq!(seconds(stat), Some(2.0));
        assert_eq!(seconds("7 (a) S 1"), None);
    }
}
