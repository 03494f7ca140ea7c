//! Chains of N pendulums: how time and memory grow with N, sparse peers, and RATTLE against a hand-written bound.

mod peers;
mod rattle;
mod scaling;

pub use scaling::{MEMORY, report_memory};

use serde_json::{Value, json};

use crate::measure::timed;
use crate::radau5;

/// Everything about chains. `dense` runs RADAU5 with full matrices as well, which takes minutes.
pub fn chains(rounds: usize, radau5: Option<&radau5::Code>, dense: bool) -> Result<Value, String> {
    let scaling = scaling::scaling(rounds);
    let peers = peers::peers(rounds, radau5.filter(|_| dense))?;
    Ok(json!({"scaling": scaling, "peers": peers, "rattle": rattle::rattle()}))
}

/// The shortest processor time of so many runs; not a number when one fails.
fn shortest(repeats: usize, run: impl Fn() -> bool) -> f64 {
    let times = (0..repeats).map(|_| timed(&run)).map(|(fine, time)| if fine { time } else { f64::NAN });
    times.reduce(|a, b| if a <= b || a.is_nan() { a } else { b }).unwrap_or(f64::NAN)
}
