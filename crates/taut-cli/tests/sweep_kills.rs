//! Sweeps that are killed at random moments, again and again, and go on: their files are those of sweeps that were not, to the
//! last bit, with every run in them once. `TAUT_KILLS` says how many kills.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const SWEEP: &str =
    "sweep double-pendulum --vary g=1..20 --vary m2=0.1..10:log --random 400 --sobol --until 2 --threads 2";

fn taut(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.current_dir(folder).args(words.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Moments between a tenth of a millisecond and as much as is given, spread by splitmix64.
fn moment(number: u64, longest: f64) -> Duration {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let share = ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
    Duration::from_secs_f64(1e-4 + share * longest)
}

#[test]
fn every_run_is_there_once_whenever_a_sweep_was_killed() {
    let wanted: u64 = std::env::var("TAUT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(24);
    let whole = tempfile::tempdir().unwrap();
    let mut expected = Vec::new();
    let began = std::time::Instant::now();
    for ending in ["csv", "parquet"] {
        assert!(taut(whole.path(), &format!("{SWEEP} --out a.{ending}")).status().unwrap().success());
        expected.push(std::fs::read(whole.path().join(format!("a.{ending}"))).unwrap());
    }
    let longest = began.elapsed().as_secs_f64() / 4.0;
    let (mut kills, mut tries) = (0, 0);
    while kills < wanted {
        let folder = tempfile::tempdir().unwrap();
        let kind = (kills % 2) as usize;
        let words = format!("{SWEEP} --out a.{}", ["csv", "parquet"][kind]);
        for round in 0.. {
            let mut child = taut(folder.path(), &words).spawn().unwrap();
            tries += 1;
            if round < 4 {
                std::thread::sleep(moment(tries, longest));
                // A sweep that has ended meanwhile cannot be killed any more.
                let _ = child.kill();
            }
            let status = child.wait().unwrap();
            if status.code().is_some() {
                assert!(status.success(), "{status}");
                break;
            }
            kills += 1;
        }
        let found = std::fs::read(folder.path().join(format!("a.{}", ["csv", "parquet"][kind]))).unwrap();
        assert!(found == expected[kind], "{words} after {kills} kills");
        assert!(tries < 20 * wanted + 20, "only {kills} kills");
    }
}
