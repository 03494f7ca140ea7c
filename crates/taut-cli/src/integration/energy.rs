//! What the mechanics of a model keeps, found by trying.

use taut::start::ConsistentStart;
use taut::system::{Fault, ForceClass, MechanicalSystem, Terms};

/// What a model is expected to keep, and why not more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conserved {
    /// why the energy is not kept; nothing when it is
    pub energy_changes_by: Vec<&'static str>,
    /// coordinates that nothing depends on: their momenta are kept
    pub cyclic: Vec<String>,
}

impl Conserved {
    /// Whether the energy is kept.
    pub fn energy(&self) -> bool {
        self.energy_changes_by.is_empty()
    }
}

/// So many coordinates are tried one by one: each takes an evaluation of the energy of the whole model.
const MOST_TRIED: usize = 100;
/// So many states around the start are tried.
const TRIALS: usize = 3;
/// Differences below this, relative to the size of what is compared, are rounding.
const ROUNDING: f64 = 1e-11;

/// A state near the start, with generic numbers: no coincidence hides a force.
struct Trial {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Trial {
    fn new(number: usize, t: f64, start: &ConsistentStart) -> Self {
        let generic = |k: usize| (0.618_033_988_749_894_9 * (k + 1) as f64).fract() - 0.4;
        let near = |(k, x): (usize, &f64)| x + 0.01 * (1.0 + x.abs()) * generic(k + 7 * number);
        let moving = |(k, v): (usize, &f64)| v + generic(k + 13 * number);
        Trial {
            t: t + number as f64 * 0.137,
            q: start.q.iter().enumerate().map(near).collect(),
            v: start.v.iter().enumerate().map(moving).collect(),
        }
    }
}

/// The forces of a class, in words.
const FORCES: [(ForceClass, Terms, &str); 4] = [
    (ForceClass::Dissipative, Terms::DISSIPATIVE, "dissipative forces"),
    (ForceClass::Driving, Terms::DRIVING, "driving forces"),
    (ForceClass::Oscillatory, Terms::OSCILLATORY, "oscillatory forces"),
    (ForceClass::Conservative, Terms::CONSERVATIVE, "conservative forces without a potential"),
];

/// What a mechanical model keeps, as far as a few states show it. Forces of the classes `acting` may be somewhere else.
pub fn expectation(
    system: &dyn MechanicalSystem,
    acting: &[ForceClass],
    t: f64,
    start: &ConsistentStart,
) -> Conserved {
    let trials: Vec<Trial> = (0..TRIALS).map(|number| Trial::new(number, t, start)).collect();
    // A state that cannot be evaluated shows nothing.
    let shows = |test: &dyn Fn(&Trial) -> Result<bool, Fault>| {
        trials.iter().any(|trial| test(trial).unwrap_or(false))
    };
    let mut changes: Vec<&'static str> = Vec::new();
    for (class, terms, name) in FORCES {
        if acting.contains(&class) || shows(&|trial| has_force(system, terms, trial)) {
            changes.push(name);
        }
    }
    if system.structure().constraints.iter().any(|constraint| constraint.relaxation() > 0.0) {
        changes.push("dampers beside springs");
    }
    if shows(&|trial| constraints_move(system, trial)) {
        changes.push("constraints that move");
    }
    if shows(&|trial| potential_depends_on_time(system, trial)) {
        changes.push("a potential that depends on t");
    }
    let names = &system.structure().coordinates;
    let free = unforced(system, &trials).into_iter().take(MOST_TRIED);
    let cyclic = free.filter(|i| !shows(&|trial| depends_on(system, trial, *i)));
    Conserved { energy_changes_by: changes, cyclic: cyclic.map(|i| names[i].clone()).collect() }
}

/// The coordinates that no constraint sees and no force acts on: one evaluation tells it of all of them.
fn unforced(system: &dyn MechanicalSystem, trials: &[Trial]) -> Vec<usize> {
    let structure = system.structure();
    let mut free = vec![true; structure.n()];
    structure.jacobian.entries().for_each(|(_, i)| free[i] = false);
    let mut force = vec![0.0; structure.n()];
    for trial in trials {
        if system.force(Terms::APPLIED, trial.t, &trial.q, &trial.v, &mut force).is_ok() {
            free.iter_mut().zip(&force).for_each(|(free, force)| *free &= *force == 0.0);
        }
    }
    (0..structure.n()).filter(|&i| free[i]).collect()
}

fn has_force(system: &dyn MechanicalSystem, terms: Terms, trial: &Trial) -> Result<bool, Fault> {
    let mut force = vec![0.0; trial.q.len()];
    system.force(terms, trial.t, &trial.q, &trial.v, &mut force)?;
    Ok(force.iter().any(|force| *force != 0.0))
}

/// Whether a body at rest violates a constraint that it satisfied: g_t is not zero, or h(t, q, 0) is not.
fn constraints_move(system: &dyn MechanicalSystem, trial: &Trial) -> Result<bool, Fault> {
    let mut rate = vec![0.0; system.structure().m()];
    system.constraint_rate(trial.t, &trial.q, &vec![0.0; trial.v.len()], &mut rate)?;
    Ok(rate.iter().any(|rate| *rate != 0.0))
}

fn potential_depends_on_time(system: &dyn MechanicalSystem, trial: &Trial) -> Result<bool, Fault> {
    let now = system.energy(trial.t, &trial.q, &trial.v)?;
    let later = system.energy(trial.t + 0.5, &trial.q, &trial.v)?;
    Ok(differ(now.potential, later.potential, now.kinetic))
}

/// Whether the energy sees coordinate i.
fn depends_on(system: &dyn MechanicalSystem, trial: &Trial, i: usize) -> Result<bool, Fault> {
    let here = system.energy(trial.t, &trial.q, &trial.v)?;
    let mut moved = trial.q.clone();
    moved[i] += 0.3 * (1.0 + moved[i].abs());
    let there = system.energy(trial.t, &moved, &trial.v)?;
    Ok(differ(here.potential, there.potential, here.kinetic)
        || differ(here.kinetic, there.kinetic, here.potential))
}

fn differ(x: f64, y: f64, size: f64) -> bool {
    (x - y).abs() > ROUNDING * x.abs().max(y.abs()).max(size.abs())
}
