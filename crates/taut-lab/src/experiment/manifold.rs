//! Systems whose invariant manifold is a known graph, and how far orbits are from it.

use taut_problems::theory::{AttractiveManifold, CurvedIndex2, Form, PlaneIndex2};

use super::{DenseSystem, Orbit, Scheme, newton};
use crate::error::LabError;

/// s(x)
type Height = Box<dyn Fn(&[f64]) -> f64>;
/// (x, y) at a time
type Solution = Box<dyn Fn(f64) -> Vec<f64>>;

/// x' = f(x, y), ε y' = g(x, y) with one y, the last variable, and the manifold y = s(x) (Nipp 1999).
pub struct Graph {
    /// the equations
    pub system: DenseSystem,
    height: Height,
    constraint: fn(&[f64]) -> f64,
    solution: Solution,
}

impl Graph {
    /// Singularly perturbed for ε > 0, of index 1 for ε = 0; M_ε is known for every ε.
    pub fn attractive(epsilon: f64) -> Self {
        let problem = AttractiveManifold { epsilon };
        Graph {
            system: DenseSystem::new(problem),
            height: Box::new(move |x| problem.manifold(x)),
            constraint: |_| 0.0,
            solution: Box::new(move |t| problem.solution(t).to_vec()),
        }
    }

    /// A nonlinear constraint G(x) = 0; height and solution are those of ε = 0.
    pub fn curved(form: Form) -> Self {
        Graph {
            system: DenseSystem::new(CurvedIndex2 { form }),
            height: Box::new(CurvedIndex2::manifold),
            constraint: CurvedIndex2::constraint,
            solution: Box::new(|t| CurvedIndex2::solution(t).to_vec()),
        }
    }

    /// A linear constraint G(x) = 0; height and solution are those of ε = 0.
    pub fn plane(form: Form) -> Self {
        Graph {
            system: DenseSystem::new(PlaneIndex2 { form }),
            height: Box::new(PlaneIndex2::manifold),
            constraint: PlaneIndex2::constraint,
            solution: Box::new(|t| PlaneIndex2::solution(t).to_vec()),
        }
    }

    /// The state of the known motion at time t.
    pub fn solution(&self, t: f64) -> Vec<f64> {
        (self.solution)(t)
    }

    /// z = y - s(x): the height of a state above the manifold.
    pub fn above(&self, state: &[f64]) -> f64 {
        let m = state.len() - 1;
        state[m] - (self.height)(&state[..m])
    }

    /// G(x)
    pub fn constraint(&self, state: &[f64]) -> f64 {
        (self.constraint)(&state[..state.len() - 1])
    }

    /// Starting values from the known motion, with y moved off the manifold.
    pub fn starts(&self, scheme: &Scheme, h: f64, above: f64) -> Vec<Vec<f64>> {
        let start = |j: usize| {
            let mut state = self.solution(j as f64 * h);
            if let Some(y) = state.last_mut() {
                *y += above;
            }
            state
        };
        (0..scheme.memory()).map(start).collect()
    }

    /// The orbit that begins on the known motion, with y moved off the manifold, and ends at about time `until`.
    pub fn orbit(&self, scheme: &Scheme, h: f64, until: f64, above: f64) -> Result<Orbit, LabError> {
        let last = (until / h).round() as usize;
        Orbit::from(scheme, &self.system, h, self.starts(scheme, h, above), last)
    }

    /// The largest errors of x and of y of an orbit from time `from` on.
    pub fn errors(&self, orbit: &Orbit, from: f64) -> [f64; 2] {
        let mut errors = [0.0_f64; 2];
        for (t, state) in orbit.timed().filter(|(t, _)| *t >= from) {
            let exact = self.solution(t);
            let m = state.len() - 1;
            for (k, (found, exact)) in state.iter().zip(exact).enumerate() {
                let error = &mut errors[usize::from(k == m)];
                *error = error.max((found - exact).abs());
            }
        }
        errors
    }

    /// σ(x, h) of the discrete manifold: y at x on an orbit that began `depth` steps earlier on y = s(x).
    ///
    /// The x it has to begin from is found by Newton's iteration with differences, from a guess. What is left of the
    /// beginning is χ^depth times the distance of the manifolds.
    pub fn discrete_height(
        &self,
        scheme: &Scheme,
        h: f64,
        x: &[f64],
        depth: usize,
        guess: &[f64],
    ) -> Result<f64, LabError> {
        let m = x.len();
        let forward = |from: &[f64]| {
            let state = [from, &[(self.height)(from)]].concat();
            Orbit::from(scheme, &self.system, h, vec![state], depth).map(|orbit| orbit.end().to_vec())
        };
        let start = newton(guess.to_vec(), |from, residual, matrix| {
            let end = forward(from)?;
            for i in 0..m {
                residual[i] = end[i] - x[i];
            }
            for j in 0..m {
                let mut moved = from.to_vec();
                moved[j] += DIFFERENCE;
                let other = forward(&moved)?;
                for i in 0..m {
                    matrix[i + j * m] = (other[i] - end[i]) / DIFFERENCE;
                }
            }
            Ok(())
        })?;
        Ok(forward(&start)?[m])
    }
}

/// The step of differences in [`Graph::discrete_height`].
const DIFFERENCE: f64 = 1e-6;

/// The factor by which numbers fall from one to the next: least squares through the logarithms of those above a floor,
/// and NaN when fewer than four are.
pub fn decay(numbers: &[f64], floor: f64) -> f64 {
    let logarithms: Vec<f64> = numbers.iter().take_while(|x| x.abs() > floor).map(|x| x.abs().ln()).collect();
    let count = logarithms.len() as f64;
    if count < 4.0 {
        return f64::NAN;
    }
    let middle = (count - 1.0) / 2.0;
    let mean = logarithms.iter().sum::<f64>() / count;
    let (mut covariance, mut variance) = (0.0, 0.0);
    for (j, logarithm) in logarithms.iter().enumerate() {
        covariance += (j as f64 - middle) * (logarithm - mean);
        variance += (j as f64 - middle).powi(2);
    }
    (covariance / variance).exp()
}

/// The largest absolute value.
pub fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |largest, x| x.abs().max(largest))
}
