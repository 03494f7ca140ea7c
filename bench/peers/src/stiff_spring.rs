//! Pendulums on springs of any stiffness, in smooth motion from rest beside the hinge.
//!
//! The catalogue has references for eps = 1e-2 and 1e-3. For smaller ones the smooth motion is known: with the angle
//! theta from the vertical and the length r = 1 + eps^2 rho,
//!
//!     rho = theta'^2 + cos theta + O(eps^2),   r theta'' + 2 r' theta' = -sin theta,
//!
//! so that an equation for the angle alone gives the positions up to O(eps^4), which is below rounding from eps = 1e-4 on.
//! No solver under test has a part in it.

use std::f64::consts::FRAC_PI_2;

use taut::system::Differentiated;
use taut_problems::mechanics::StiffSpringPendulum;
use taut_problems::{Motion, Problem, Start, State, System};

use crate::subject::Subject;

const UNTIL: f64 = 10.0;

/// The pendulum with the spring of stiffness 1/eps^2.
pub fn subject(epsilon: f64) -> Result<Subject, String> {
    let pendulum = StiffSpringPendulum { epsilon, mass: 1.0, rest_length: 1.0, gravity: 1.0 };
    let start = Motion { q: vec![1.0, 0.0], v: vec![0.0; 2], ..Motion::default() };
    let problem = Problem {
        name: format!("stiff_spring_pendulum_{epsilon:e}"),
        start_name: "manifold_horizontal".into(),
        title: "Pendulum on a stiff spring".into(),
        source: "Lubich 1992".into(),
        purpose: "steps much longer than eps".into(),
        index: 0,
        system: System::Mechanical(Box::new(Differentiated::new(pendulum))),
        start: Start { t: 0.0, state: State::Motion(start) },
        t_end: UNTIL,
        kinks: Vec::new(),
        references: Vec::new(),
    };
    let known = smooth_motion(epsilon, UNTIL).into_iter().enumerate().collect();
    Subject::new(problem, UNTIL, 1.0, known)
}

/// Positions at time t, by the classical Runge-Kutta method.
fn smooth_motion(epsilon: f64, t: f64) -> [f64; 2] {
    let square = epsilon * epsilon;
    let radius = |theta: f64, omega: f64| 1.0 + square * (omega * omega + theta.cos());
    let rate = |[theta, omega]: [f64; 2]| {
        let radial_speed = -3.0 * square * omega * theta.sin();
        [omega, (-theta.sin() - 2.0 * radial_speed * omega) / radius(theta, omega)]
    };
    let steps = 40_000;
    let h = t / f64::from(steps);
    let moved = |y: [f64; 2], k: [f64; 2], by: f64| [y[0] + by * k[0], y[1] + by * k[1]];
    let mut y = [FRAC_PI_2, 0.0];
    for _ in 0..steps {
        let k1 = rate(y);
        let k2 = rate(moved(y, k1, 0.5 * h));
        let k3 = rate(moved(y, k2, 0.5 * h));
        let k4 = rate(moved(y, k3, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    let [theta, omega] = y;
    let r = radius(theta, omega);
    [r * theta.sin(), -r * theta.cos()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The references of the catalogue differ by O(eps^4).
    #[test]
    fn smooth_motion_is_near_the_references() {
        for (epsilon, start) in [(1e-2, "manifold_horizontal_eps1e-2"), (1e-3, "manifold_horizontal_eps1e-3")]
        {
            let problem =
                taut_problems::find(&format!("stiff_spring_pendulum/{start}")).expect("in the catalogue");
            let reference = problem.references.iter().find(|reference| reference.t == UNTIL);
            let q = &reference.and_then(|reference| reference.state.motion()).expect("a motion").q;
            for (ours, theirs) in smooth_motion(epsilon, UNTIL).iter().zip(q) {
                let bound = 30.0 * epsilon.powi(4) + 1e-12;
                assert!((ours - theirs).abs() < bound, "{epsilon}: {ours} and {theirs}");
            }
        }
    }
}
