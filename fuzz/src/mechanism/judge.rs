//! What is wrong with what the command says about a mechanism. Nothing here comes from the solver.

use std::path::Path;

use serde_json::Value;

use super::formulas::State;
use super::text::text;
use super::{Mechanism, make};
use crate::random::Random;
use crate::running::{Ran, not_finite, run_text};

/// Both methods are asked for this accuracy.
pub const TOLERANCE: f64 = 1e-7;
/// Rods hold to this share of their scale.
const RESIDUAL: f64 = 1e-8;
/// Results of two methods, and energies, differ by at most so many tolerances.
const TOLERANCES: f64 = 1000.0;
/// Springs that creep under their dampers are right to so many tolerances of their lengths.
const STRAIN: f64 = 10.0;
/// The methods that are compared with `auto`.
const METHODS: [&str; 8] = ["radau", "bdf", "lobatto-iiic", "spark", "dopri8", "adams", "dopri5", "radau-ia"];

/// What became of a mechanism.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// runs that ended with status 0
    pub done: usize,
    /// runs that were refused, with a reason
    pub refused: usize,
    /// runs that stopped early, with a reason
    pub stopped: usize,
    /// whether two results were compared
    pub compared: bool,
    /// whether a warning forbids to compare
    pub warned: bool,
}

/// The second method of a seed.
pub fn second_method(seed: u64) -> &'static str {
    let method: &&'static str = Random::new(seed ^ 0x5eed).one_of(&METHODS);
    method
}

/// Runs the mechanism of a seed with two methods.
///
/// # Errors
/// What is wrong.
pub fn judge_seed(seed: u64, folder: &Path) -> Result<Verdict, String> {
    judge(&make(seed), second_method(seed), folder)
}

/// Runs a mechanism with `auto` and with a second method.
///
/// # Errors
/// What is wrong.
pub fn judge(mechanism: &Mechanism, second: &str, folder: &Path) -> Result<Verdict, String> {
    let model = text(mechanism);
    let mut verdict = Verdict::default();
    let mut ends: Vec<State> = Vec::new();
    for method in ["auto", second] {
        // A second run says how far the end is off; it takes longer than the first, and few need it.
        let ran = run(folder, &model, method, "no")?;
        if let Some(words) = not_finite(&ran) {
            return Err(format!("{method}: {words}"));
        }
        verdict.warned |= has_warning(&ran) || !ran.summary["springs"].is_null();
        match ran.status {
            0 => verdict.done += 1,
            2 if ran.words.trim().len() > 10 => verdict.refused += 1,
            3 if ran.words.contains("t = ") => verdict.stopped += 1,
            status => return Err(format!("{method}: status {status} without a reason: {}", ran.words)),
        }
        if ran.status == 0 {
            let end = state(&ran, mechanism).ok_or_else(|| format!("{method}: a summary without a state"))?;
            check_rods(mechanism, &end).map_err(|words| format!("{method}: {words}"))?;
            check_energy(mechanism, &ran, &end).map_err(|words| format!("{method}: {words}"))?;
            ends.push(end);
        }
    }
    if let ([first, other], false) = (ends.as_slice(), verdict.warned) {
        verdict.compared = true;
        if let Err(words) = check_agreement(first, other) {
            // Warnings are those of the command as people use it.
            let warns = |method: &str| run(folder, &model, method, "auto").map(|ran| has_warning(&ran));
            verdict.warned = warns("auto")? || warns(second)?;
            if !verdict.warned {
                return Err(format!("auto and {second}: {words}"));
            }
        }
    }
    Ok(verdict)
}

fn run(folder: &Path, model: &str, method: &str, second_run: &str) -> Result<Ran, String> {
    let tolerance = TOLERANCE.to_string();
    let tolerances = ["--rtol", &tolerance, "--atol", &tolerance];
    let words = ["--method", method, "--max-steps", "20000", "--second-run", second_run];
    let ran = run_text(folder, model, &[words.as_slice(), &tolerances].concat());
    ran.map_err(|words| format!("{method}: {words}"))
}

fn has_warning(ran: &Ran) -> bool {
    !ran.summary["warning"].is_null()
}

/// Two results agree within a thousand tolerances, whatever the motion makes of errors: where it magnifies them, runs say so.
fn check_agreement(a: &State, b: &State) -> Result<(), String> {
    let (positions, velocities) = (tolerances(&a.q, &b.q), tolerances(&a.v, &b.v));
    let (what, tolerances) = match positions.is_nan() || positions > velocities {
        true => ("positions", positions),
        false => ("velocities", velocities),
    };
    match tolerances <= TOLERANCES {
        true => Ok(()),
        false => Err(format!("{what} differ by {tolerances:.1e} tolerances")),
    }
}

/// The state that a summary reports.
fn state(ran: &Ran, mechanism: &Mechanism) -> Option<State> {
    let numbers = |value: &Value| value.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
    let multipliers = ran.summary["multipliers"].as_object()?;
    let state = State {
        t: ran.summary["t"].as_f64()?,
        q: numbers(&ran.summary["q"])?,
        v: numbers(&ran.summary["v"])?,
        multipliers: multipliers.values().map(Value::as_f64).collect::<Option<_>>()?,
    };
    let n = 2 * mechanism.points.len();
    (state.q.len() == n && state.v.len() == n).then_some(state)
}

fn check_rods(mechanism: &Mechanism, end: &State) -> Result<(), String> {
    const LEVELS: [&str; 3] = ["position", "velocity", "acceleration"];
    for (k, residual) in end.residuals(mechanism).iter().enumerate() {
        for (level, name) in LEVELS.iter().enumerate() {
            let (found, scale) = (residual.found[level], residual.scale[level]);
            if found.is_nan() || found.abs() > RESIDUAL * scale {
                return Err(format!("rod {k} is off by {found:.3e} in {name}, its scale is {scale:.3e}"));
            }
        }
    }
    Ok(())
}

/// The energy that the run reports is the one of the formulas; it is kept where nothing changes it, and does not grow where
/// nothing puts energy in.
fn check_energy(mechanism: &Mechanism, ran: &Ran, end: &State) -> Result<(), String> {
    let (energy, energies) = end.energy(mechanism);
    let reported = |key: &str| ran.summary["energy"][key].as_f64().ok_or("a summary without an energy");
    let (start_reported, end_reported) = (reported("start")?, reported("end")?);
    // Velocities may be off by so many tolerances, however slowly everything moves.
    let masses: f64 = mechanism.points.iter().map(|point| point.mass).sum();
    let off = TOLERANCES * TOLERANCE;
    let of_slow = masses * off.powi(2) + (2.0 * energies * masses).sqrt() * off;
    // So may positions, however little springs are stretched.
    let (stiffness, reach) = (mechanism.stiffness(), size(end.q.iter().copied()) * off);
    let of_springs = stiffness * reach.powi(2) + (2.0 * energies * stiffness).sqrt() * reach;
    let allowed = off * (energies + start_reported.abs()) + of_slow + of_springs;
    let rounding = mechanism.energy_of_rounding(size(end.q.iter().copied()), energies);
    if (energy - end_reported).abs() > RESIDUAL * (energies + start_reported.abs()) + rounding {
        return Err(format!("the energy is {energy:.9e}, reported is {end_reported:.9e}"));
    }
    let gained = energy - start_reported;
    if mechanism.is_conservative() && gained.abs() > allowed {
        return Err(format!("the energy changes by {gained:.3e}, {allowed:.3e} are allowed"));
    }
    // A tolerance of a length is much energy where a spring is stiff.
    let allowed = allowed + mechanism.energy_of_strain(STRAIN * TOLERANCE);
    if mechanism.is_passive() && gained > allowed {
        return Err(format!("the energy grows by {gained:.3e}, {allowed:.3e} are allowed"));
    }
    Ok(())
}

/// By how many tolerances two lists differ.
fn tolerances(a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(
        0.0,
        |most, difference| if difference > most || difference.is_nan() { difference } else { most },
    ) / (TOLERANCE * size(a.iter().copied()))
}

/// The largest of some numbers, and not less than 1: what tolerances are relative to.
fn size(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(1.0, |size, x| size.max(x.abs()))
}
