//! Steps do not depend on the stiffness of springs.

use taut::Solver;
use taut::method::Method;
use taut::motion::{Motion, Statistics};
use taut::options::{Options, Projection, Vibrations};
use taut::system::{Constraint, Differentiated, Given, Mass, Mechanical, Scalar};
use taut_problems::mechanics::StiffSpringPendulum;

use super::super::Expected::{AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;
use crate::experiment::spring::expansion::Expansion;
use crate::experiment::spring::tangent_start;
use crate::order::Setting;

pub(super) const CLAIM: Claim = Claim {
    id: "ours-steps-independent-of-eps",
    paper: Paper::Ours,
    statement: "With stiff springs Taut's Radau methods take as many steps, Jacobians and Newton iterations as with rods, whatever the \
                stiffness: at most a tenth more on smooth motion, at most three tenths more from a start off it by O(eps), which is \
                moved onto it before the first step; the result for eps -> 0 is the one for eps = 0, to \
                rounding (of a run with Newton's iteration: 1e-5 tolerances). Springs whose vibrations the motion makes larger than \
                the tolerance are followed instead, as those of the chain for eps = 1e-2.",
    claimed: "counts over those for eps = 0: <= 1.1 for eps = 1e-2 ... 1e-10 (chain: from 1e-4 on); off smooth motion <= 1.3",
    bounds: "ratios of the statement",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("smooth motion")]),
    experiment,
};

const EPSILONS: [f64; 5] = [1e-2, 1e-4, 1e-6, 1e-8, STIFFEST];
const STIFFEST: f64 = 1e-10;
/// Softer springs of the chain vibrate by more than the tolerance.
const SOFTEST_OF_CHAIN: f64 = 1e-4;
/// Terms of the start on smooth motion.
const TERMS: usize = 3;
const UNTIL: f64 = 10.0;
/// How far a start is off smooth motion, in units of eps.
const OFF: f64 = 0.5;
const LINKS: usize = 10;

/// Unit masses in the plane, linked by springs |r_i - r_(i-1)| - 1 = eps^2 lambda_i.
struct SpringChain {
    epsilon: f64,
}

impl Mechanical for SpringChain {
    fn coordinates(&self) -> Vec<String> {
        (1..=LINKS).flat_map(|i| [format!("x{i}"), format!("y{i}")]).collect()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q.chunks_exact(2).fold(S::zero(), |height, r| height + r[1])
    }

    fn potential_force<S: Scalar>(&self, _q: &[S], force: &mut [S]) -> Given {
        force.chunks_exact_mut(2).for_each(|force| force[1] = S::constant(-1.0));
        Given::Written
    }

    fn constraints(&self) -> Vec<Constraint> {
        let compliance = self.epsilon * self.epsilon;
        (1..=LINKS).map(|i| Constraint::spring(format!("spring{i}"), compliance)).collect()
    }

    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        let mut before = [S::zero(); 2];
        for (g, r) in g.iter_mut().zip(q.chunks_exact(2)) {
            *g = (r[0] - before[0]).hypot(r[1] - before[1]) - 1.0;
            before = [r[0], r[1]];
        }
    }
}

/// The largest difference of positions and velocities at the end.
fn distance(a: &Motion, b: &Motion) -> f64 {
    let pairs = a.q().iter().zip(b.q()).chain(a.v().iter().zip(b.v()));
    pairs.fold(0.0, |distance, (a, b)| f64::max(distance, (a - b).abs()))
}

fn pendulum(epsilon: f64, start: &[f64], method: Method, options: Options) -> Result<Motion, LabError> {
    let system =
        Differentiated::new(StiffSpringPendulum { epsilon, mass: 1.0, rest_length: 1.0, gravity: 1.0 });
    Ok(Solver::mechanical(&system).method(method).options(options).run(0.0, UNTIL, start)?)
}

/// A chain that hangs like a bow and is let go.
fn chain(epsilon: f64) -> Result<Motion, LabError> {
    let system = Differentiated::new(SpringChain { epsilon });
    let mut start = vec![0.0; 4 * LINKS];
    let mut place = [0.0, 0.0];
    for i in 0..LINKS {
        let angle = 0.3 + 0.05 * i as f64;
        place = [place[0] + f64::sin(angle), place[1] - f64::cos(angle)];
        start[2 * i..2 * i + 2].copy_from_slice(&place);
    }
    Ok(Solver::mechanical(&system).method(Method::radau()).run(0.0, UNTIL, &start)?)
}

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let smooth = Expansion::at_start(tangent_start(), TERMS);
    let vibrations = if trial.without("smooth motion") { Vibrations::Follow } else { Vibrations::default() };
    let usual = |epsilon: f64, start: &[f64]| {
        pendulum(epsilon, start, Method::radau(), Options { vibrations, ..Options::default() })
    };
    let tangent = smooth.sum(0.0, 0).rounded();
    let (rod, rods) = (usual(0.0, &tangent)?, chain(0.0)?);
    for epsilon in EPSILONS {
        let start = smooth.sum(epsilon, TERMS).rounded();
        let on = usual(epsilon, &start)?;
        compare(&mut finding, "pendulum", epsilon, 1.1, &on.statistics, &rod.statistics);
        let [x, y, v, w] = start;
        let longer = 1.0 + OFF * epsilon;
        let off = usual(epsilon, &[x * longer, y * longer, v, w])?;
        compare(&mut finding, "pendulum, off", epsilon, 1.3, &off.statistics, &rod.statistics);
        let moved = off
            .began
            .first()
            .zip(off.began.get(1))
            .map_or(f64::NAN, |(&to_x, &to_y)| (to_x - x * longer).hypot(to_y - y * longer));
        let case = format!("pendulum, off, eps {epsilon:.0e}");
        finding.check(case, "start moved, over its distance", Near(1.0, 0.2), moved / (OFF * epsilon));
        if epsilon > SOFTEST_OF_CHAIN {
            continue;
        }
        let springs = chain(epsilon)?;
        compare(&mut finding, "chain of 10", epsilon, 1.1, &springs.statistics, &rods.statistics);
        if epsilon == STIFFEST {
            for (case, springs, rods) in [("pendulum", &on, &rod), ("chain of 10", &springs, &rods)] {
                let share = distance(springs, rods) / Options::default().rtol;
                finding.check(case, "distance from eps = 0, over tol", AtMost(1e-5), share);
            }
        }
    }
    let plain = |epsilon: f64| {
        let setting = Setting::of(Method::radau().with_stages(3)?).projection(Projection::None);
        pendulum(epsilon, &tangent, setting.method.clone(), setting.options(0.05))
    };
    let apart = distance(&plain(STIFFEST)?, &plain(0.0)?);
    finding.check("pendulum, h = 0.05", "distance from eps = 0, no projection", AtMost(1e-12), apart);
    Ok(finding)
}

fn compare(
    finding: &mut Finding,
    name: &str,
    epsilon: f64,
    bound: f64,
    counts: &Statistics,
    rods: &Statistics,
) {
    let case = format!("{name}, eps {epsilon:.0e}");
    let pairs = [
        ("steps", counts.steps, rods.steps),
        ("Jacobians", counts.jacobians, rods.jacobians),
        ("Newton iterations", counts.newton_iterations, rods.newton_iterations),
    ];
    for (quantity, count, rods) in pairs {
        finding.check(&case, quantity, AtMost(bound), count as f64 / rods as f64);
    }
}
