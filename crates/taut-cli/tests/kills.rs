//! Runs that are killed at random moments, again and again, and go on: their files are those of runs that were not, to the
//! last bit. `TAUT_KILLS` says how many kills.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Runs of about a second, each with a method of its own kind.
const RUNS: [&str; 4] = [
    "double-pendulum --method dopri8 --rtol 1e-10 --atol 1e-10 --until 400",
    "pendulum --method radau --rtol 1e-9 --atol 1e-9 --until 1500",
    "van-der-pol --method bdf --rtol 1e-8 --atol 1e-8 --until 300",
    "pendulum --method spark --rtol 1e-8 --atol 1e-8 --until 200",
];
const FORMATS: [&str; 4] = ["csv", "json", "npz", "parquet"];
/// A run that was killed so often is left to its end.
const KILLS_OF_A_RUN: usize = 5;

fn taut(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.current_dir(folder).args(words.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Moments between 5 ms and a second, the early ones as likely as the late (splitmix64).
struct Moments(u64);

impl Moments {
    fn next(&mut self) -> Duration {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let share = ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        Duration::from_secs_f64(5e-3 * 200_f64.powf(share))
    }
}

/// Kills a run again and again and lets it end at last; how often it was killed.
fn kill_and_go_on(folder: &Path, run: &str, format: &str, moments: &mut Moments) -> usize {
    let files = format!("--out out.{format} --checkpoint c.json --json");
    let mut kills = 0;
    loop {
        let model = run.split_whitespace().next().unwrap();
        let words = match folder.join("c.json").exists() {
            true => format!("run {model} --resume c.json {files}"),
            false => format!("run {run} {files}"),
        };
        let mut child = taut(folder, &words).spawn().unwrap();
        if kills < KILLS_OF_A_RUN {
            std::thread::sleep(moments.next());
            // A run that has ended meanwhile cannot be killed any more.
            let _ = child.kill();
        }
        let status = child.wait().unwrap();
        if status.code().is_some() {
            assert!(status.success(), "{words}: {status}");
            return kills;
        }
        kills += 1;
    }
}

#[test]
fn nothing_is_lost_that_a_checkpoint_covers() {
    let wanted: usize = std::env::var("TAUT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(60);
    let folder = tempfile::tempdir().unwrap();
    let mut expected = Vec::new();
    for (k, run) in RUNS.iter().enumerate() {
        for format in FORMATS {
            let file = format!("whole{k}.{format}");
            assert!(taut(folder.path(), &format!("run {run} --out {file}")).status().unwrap().success());
            expected.push(std::fs::read(folder.path().join(file)).unwrap());
        }
    }
    let (mut kills, mut moments) = (0, Moments(1));
    for round in 0.. {
        let (run, format) = (round % RUNS.len(), (round + round / RUNS.len()) % FORMATS.len());
        let folder = tempfile::tempdir().unwrap();
        kills += kill_and_go_on(folder.path(), RUNS[run], FORMATS[format], &mut moments);
        let found = std::fs::read(folder.path().join(format!("out.{}", FORMATS[format]))).unwrap();
        assert!(found == expected[run * FORMATS.len() + format], "{} as {}", RUNS[run], FORMATS[format]);
        if kills >= wanted {
            break;
        }
        assert!(round < 20 * wanted + 20, "only {kills} kills");
    }
}
