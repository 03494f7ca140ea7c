//! The modified energy of a symplectic method on a mechanism, and how well it is kept.

use taut::Solver;
use taut::method::Method;
use taut::options::Options;
use taut::run::Output;
use taut::system::{Differentiated, Scalar, Sketch};

use super::super::Expected::{AtLeast, AtMost, OrderAtLeast};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;
use crate::slope::least_squares;

pub(super) const CLAIM: Claim = Claim {
    id: "beyond-modified-energy",
    paper: Paper::Beyond,
    statement: "SPARK with two stages (RATTLE) and with three keeps a modified energy H~ = H + h^2 H_2 + ... on the constraints up to exp(-c/h), for \
                times like exp(c/h) (Hairer, Lubich and Wanner 2006, theorem IX.8.1; with constraints Reich 1996, Hairer 2003). H~ is \
                found from the steps themselves: with the discrete action A of the method, H~ = p.q' - A' along the motion through all \
                steps, whose derivatives are taken from the steps around (Skeel and Hardy 2001).",
    claimed: "double pendulum: energy h^(2s - 2); modified energy C exp(-c/h), no trend in 3e4 steps",
    bounds: "C and c from every second step, tested on the others within a factor of 4 over ten decades; twice the order at the \
             shortest as at the longest steps, for \"no power of h\"; a tenth of the band for \"no trend\"",
    correction: None,
    fast: false,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Without("a symplectic method")]),
    experiment,
};

const STEPS: [f64; 9] = [0.25, 0.2, 0.15, 0.12, 0.1, 0.08, 0.06, 0.05, 0.04];
const UNTIL: f64 = 40.0;
/// Derivatives are taken from so many steps on either side.
const NEIGHBOURS: usize = 50;
/// The long run.
const LONG: (f64, usize) = (0.1, 30_000);

fn experiment(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for stages in [2, 3] {
        kept(trial, &mut finding, stages)?;
    }
    Ok(finding)
}

fn kept(trial: &Trial, finding: &mut Finding, stages: usize) -> Result<(), LabError> {
    let case = &format!("s = {stages}");
    let (mut plain, mut modified) = (Vec::new(), Vec::new());
    for h in STEPS {
        let energies = Energies::along(trial, stages, h, (UNTIL / h).round() as usize)?;
        plain.push((h, width(&energies.plain)));
        modified.push((h, width(&energies.modified)));
    }
    let order = OrderAtLeast(2 * stages - 2);
    finding.slope("energy", order, "h", "error", Series::fitted(case, plain, 0.0));
    let logarithms: Vec<(f64, f64)> = modified.iter().map(|(h, error)| (1.0 / h, error.ln())).collect();
    let fitted: Vec<(f64, f64)> = logarithms.iter().copied().step_by(2).collect();
    let (slope, offset, _) = least_squares(&fitted);
    let missed = logarithms.iter().skip(1).step_by(2).map(|(x, y)| (y - offset - slope * x).abs());
    let missed = missed.fold(0.0, f64::max).exp();
    finding.check(case, "modified energy: factor from C exp(-c/h)", AtMost(4.0), missed);
    let order = |k: usize| {
        let ((h, error), (shorter, smaller)) = (modified[k], modified[k + 1]);
        (error / smaller).ln() / (h / shorter).ln()
    };
    let orders = order(modified.len() - 2) / order(0);
    finding.check(
        case,
        "modified energy: order at the shortest over the longest steps",
        AtLeast(2.0),
        orders,
    );
    finding.remarks.push(format!("{case}: c = {:.2}.", -slope));
    finding.draw("modified energy", "h", "error", Series::plain(case, modified));
    let (h, steps) = LONG;
    let long = Energies::along(trial, stages, h, steps)?.modified;
    let points: Vec<(f64, f64)> = long.iter().enumerate().map(|(k, e)| (k as f64, *e)).collect();
    let trend = (least_squares(&points).0 * steps as f64).abs() / width(&long);
    finding.check(case, "modified energy: |trend| over the band, 3e4 steps", AtMost(0.1), trend);
    Ok(())
}

/// The difference of the largest and the least.
fn width(values: &[f64]) -> f64 {
    let (least, most) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), x| (l.min(*x), m.max(*x)));
    most - least
}

/// Two unit masses on rods.
fn double_pendulum() -> Differentiated<Sketch> {
    Differentiated::new(
        Sketch::new(["x1", "y1", "x2", "y2"])
            .potential(|q| q[1] + q[3])
            .rod("first", |_t, q| (q[0].square() + q[1].square() - 1.0) * 0.5)
            .rod("second", |_t, q| ((q[2] - q[0]).square() + (q[3] - q[1]).square() - 1.0) * 0.5),
    )
}

/// Energies after the steps of a run.
struct Energies {
    plain: Vec<f64>,
    modified: Vec<f64>,
}

impl Energies {
    fn along(trial: &Trial, stages: usize, h: f64, steps: usize) -> Result<Self, LabError> {
        let method = match trial.without("a symplectic method") {
            true => Method::radau().with_stages(stages)?,
            false => trial.spark(stages)?,
        };
        let system = double_pendulum();
        let options = Options { constant_step: Some(h), ..Options::default() };
        let solver = Solver::mechanical(&system).method(method).options(options).output(Output::Steps);
        let [(s1, c1), (s2, c2)] = [0.8_f64, 1.3].map(f64::sin_cos);
        let motion = solver.run(0.0, h * steps as f64, &[s1, -c1, s1 + s2, -c1 - c2, 0.0, 0.0, 0.0, 0.0])?;
        let states: Vec<&[f64]> = motion.trajectory.iter().map(|(_, y)| y).collect();
        let action = if stages == 2 { action_of_two } else { action_of_three };
        let action: Vec<f64> = states.windows(2).map(|pair| action(h, pair[0], pair[1])).collect();
        let inner = NEIGHBOURS..states.len() - NEIGHBOURS;
        let modified = inner.map(|n| modified(h, &states, &action, n)).collect();
        let energy = |y: &&[f64]| 0.5 * y[4..8].iter().map(|v| v * v).sum::<f64>() + height(y);
        Ok(Energies { plain: states.iter().map(energy).collect(), modified })
    }
}

fn height(y: &[f64]) -> f64 {
    y[1] + y[3]
}

/// The action of a step, h Σ b_i (V_i.V_i/2 - U(Q_i)), of two stages, whose velocities are both that of the straight way.
fn action_of_two(h: f64, from: &[f64], to: &[f64]) -> f64 {
    let way: f64 = from[..4].iter().zip(to).map(|(a, b)| (b - a) * (b - a)).sum();
    0.5 * way / h - 0.5 * h * (height(from) + height(to))
}

/// The same of three stages. Of IIIA and IIIB follows V_2 = (q_1 - q_0)/h, V_1 and V_3 = V_2 ∓ h F_2/2 and
/// Q_2 = (q_0 + q_1)/2 - h² F_2/8, where F_2 = 3 (V_2 - p_0)/h - F_1/2 and F_1 is the weight less a reaction at q_0: its
/// multipliers are those with which Q_2 satisfies the constraints.
fn action_of_three(h: f64, from: &[f64], to: &[f64]) -> f64 {
    let straight: [f64; 4] = std::array::from_fn(|i| (to[i] - from[i]) / h);
    let weight = [0.0, -1.0, 0.0, -1.0];
    let rows = gradients(from);
    let mut force: [f64; 4] =
        std::array::from_fn(|i| 3.0 * (straight[i] - from[4 + i]) / h - 0.5 * weight[i]);
    let middle = |force: &[f64; 4]| -> [f64; 4] {
        std::array::from_fn(|i| 0.5 * (from[i] + to[i]) - 0.125 * h * h * force[i])
    };
    for _ in 0..NEWTON {
        let place = middle(&force);
        let [r, s] = lengths(&place);
        let slopes = gradients(&place);
        let entry = |i: usize, j: usize| -> f64 { (0..4).map(|k| slopes[i][k] * rows[j][k]).sum() };
        let [[a, b], [c, d]] = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
        let scale = 8.0 / (h * h * (a * d - b * c));
        let (x, y) = (scale * (d * r - b * s), scale * (a * s - c * r));
        force = std::array::from_fn(|i| force[i] + rows[0][i] * x + rows[1][i] * y);
    }
    let square = |sign: f64| -> f64 {
        (0..4).map(|i| straight[i] + sign * 0.5 * h * force[i]).map(|v| v * v).sum::<f64>()
    };
    let kinetic = (square(-1.0) + 4.0 * square(0.0) + square(1.0)) / 12.0;
    h * (kinetic - (height(from) + 4.0 * height(&middle(&force)) + height(to)) / 6.0)
}

/// Newton's iterations for the middle stage, which is found to O(h^2) without any.
const NEWTON: usize = 8;

/// What the rods are about, (|r|^2 - 1)/2.
fn lengths(q: &[f64]) -> [f64; 2] {
    let square = |x: f64, y: f64| 0.5 * (x * x + y * y - 1.0);
    [square(q[0], q[1]), square(q[2] - q[0], q[3] - q[1])]
}

/// Their gradients.
fn gradients(q: &[f64]) -> [[f64; 4]; 2] {
    let (x, y) = (q[2] - q[0], q[3] - q[1]);
    [[q[0], q[1], 0.0, 0.0], [-x, -y, x, y]]
}

/// p.q' - A' after step n, with central differences of the highest order for q' and A'.
fn modified(h: f64, states: &[&[f64]], action: &[f64], n: usize) -> f64 {
    let (mut sum, mut of_action, mut weight) = (0.0, 0.0, -1.0);
    let count = NEIGHBOURS as f64;
    for j in 1..=NEIGHBOURS {
        // (-1)^(j+1) C(2k, k-j) / C(2k, k) for k neighbours
        weight *= -(count - j as f64 + 1.0) / (count + j as f64);
        of_action += action[n + j - 1] + action[n - j];
        let momentum = &states[n][4..8];
        let ways = states[n + j].iter().zip(states[n - j]).map(|(a, b)| a - b);
        let work: f64 = momentum.iter().zip(ways).map(|(p, way)| p * way).sum();
        sum += weight / j as f64 * (work - of_action);
    }
    sum / h
}
