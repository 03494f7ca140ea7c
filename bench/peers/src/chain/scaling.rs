//! Time per step and memory for N = 10 to 100 000, three stages of Radau with constant steps.

use std::process::Command;

use serde_json::{Value, json};
use taut::method::Method;
use taut_lab::{solver_of, start_of};
use taut_problems::mechanics::planar_chain;

use crate::measure::timed;

const LINKS: [usize; 5] = [10, 100, 1000, 10_000, 100_000];
/// The first word of the command with which this program calls itself to see the memory of one run.
pub const MEMORY: &str = "memory";
const FEW: usize = 5;

/// Times, memory, and the exponents of their growth from N = 100 on (memory above that of N = 10).
pub fn scaling(rounds: usize) -> Value {
    println!("\nchain of N pendulums: radau s=3, constant steps; median of {rounds} rounds");
    let mut rows = Vec::new();
    let (mut times, mut memories) = (Vec::new(), Vec::new());
    let least = memory_of(LINKS[0]).unwrap_or(f64::NAN);
    for links in LINKS {
        let (per_step, set_up) = time_per_step(links, rounds);
        let memory = memory_of(links).unwrap_or(f64::NAN);
        println!(
            "  N = {links:<7} {:>12.1} us per step ({:.3} us per link), set-up {:>10.1} us, peak memory {:>8.1} MB",
            1e6 * per_step,
            1e6 * per_step / links as f64,
            1e6 * set_up,
            memory / 1024.0
        );
        rows.push(json!({"links": links, "seconds_per_step": per_step, "peak_memory_kB": memory}));
        times.push(((links as f64).ln(), per_step.ln()));
        memories.push(((links as f64).ln(), (memory - least).ln()));
    }
    let time = slope(&times[1..]);
    let memory = slope(&memories[2..]);
    println!(
        "  exponent of the time from N = 100 on: {time:.2}; of the memory from N = 1000 on: {memory:.2}"
    );
    json!({"rows": rows, "exponent_of_time": time, "exponent_of_memory": memory})
}

fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / n, sum.1 + p.1 / n));
    let (xy, xx) =
        points.iter().fold((0.0, 0.0), |s, p| (s.0 + (p.0 - x) * (p.1 - y), s.1 + (p.0 - x).powi(2)));
    xy / xx
}

/// Medians over the rounds of the time per step, from the difference of a long and a short run, and of what is left of
/// the short one.
fn time_per_step(links: usize, rounds: usize) -> (f64, f64) {
    let many = FEW
        + match links {
            ..=1000 => 100,
            ..=10_000 => 40,
            _ => 10,
        };
    let round = |_| {
        let (short, long) = (run(links, FEW), run(links, many));
        let per_step = (long - short) / (many - FEW) as f64;
        (per_step, short - FEW as f64 * per_step)
    };
    let (per_step, set_up): (Vec<f64>, Vec<f64>) = (0..rounds).map(round).unzip();
    (median(per_step), median(set_up))
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The processor time of so many steps.
fn run(links: usize, steps: usize) -> f64 {
    let problem = planar_chain(links);
    // The whole run stays within the time in which a chain of this length begins to fall.
    let h = 0.2 / (links as f64).sqrt().max(10.0);
    let Ok(method) = Method::radau().with_stages(3) else { return f64::NAN };
    let solver = solver_of(&problem).method(method).step(h).keep_output(false);
    let start = start_of(&problem);
    let (outcome, time) = timed(|| solver.run(0.0, h * steps as f64, &start));
    if outcome.is_ok() { time } else { f64::NAN }
}

/// The peak of resident memory of a process with one run, in kB.
fn memory_of(links: usize) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new(program).args([MEMORY, &links.to_string()]).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// What the process for the memory of one run does: the run, and a line with the peak in kB.
pub fn report_memory(links: usize) -> Result<(), Box<dyn std::error::Error>> {
    run(links, FEW);
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!("{}", peak.ok_or("no VmHWM")?.trim().trim_end_matches("kB").trim());
    Ok(())
}
