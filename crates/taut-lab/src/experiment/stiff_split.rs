//! Errors split into a stiff and a smooth component (Auzinger, Eder & Frank 2001, eq. 4.1-4.4).

use taut::system::FirstOrder;
use taut_problems::theory::StiffDirection;

use super::{DenseSystem, Orbit, RungeKutta};
use crate::error::LabError;

/// A system with a known projection along its stiff direction.
pub struct StiffScene {
    /// the equations
    pub system: DenseSystem,
    geometry: Box<dyn StiffDirection>,
}

/// The components of an error η - ỹ(t).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Split {
    /// |η - ỹ(t)|
    pub total: f64,
    /// |pr(η) - ỹ(t)|, the smooth component (4.3)
    pub smooth: f64,
    /// |η - pr(η)| = |d(η)|, the stiff component (4.2)
    pub stiff: f64,
}

impl StiffScene {
    /// A member of the class of the paper.
    pub fn new(problem: impl FirstOrder + StiffDirection + Copy + 'static) -> Self {
        StiffScene { system: DenseSystem::new(problem), geometry: Box::new(problem) }
    }

    /// The split error of a state at time t.
    pub fn split(&self, t: f64, eta: &[f64]) -> Split {
        let (exact, foot) = (self.geometry.solution(t), self.geometry.foot(eta));
        Split { total: distance(eta, &exact), smooth: distance(&foot, &exact), stiff: distance(eta, &foot) }
    }

    /// The start of the smooth motion, moved away from the origin by d: along the stiff line where that goes through the
    /// origin, so that d is the transversal coordinate.
    pub fn start(&self, d: f64) -> Vec<f64> {
        let foot = self.geometry.solution(0.0);
        let size = distance(&foot, &vec![0.0; foot.len()]);
        foot.iter().map(|x| x + d * x / size).collect()
    }

    /// The orbit from the start of the smooth motion up to about time `until`, of which nothing else is known beforehand.
    pub fn smooth_orbit(&self, method: &RungeKutta, h: f64, until: f64) -> Result<Orbit, LabError> {
        let steps = (until / h).round() as usize;
        Ok(Orbit { h, states: method.walk(&self.system, h, self.start(0.0), steps)? })
    }

    /// The orbit from a start up to about time `until`. Stages are looked for near the smooth motion: off the manifold the
    /// stiff force is so large that Newton's iteration has little room to converge.
    pub fn orbit(&self, method: &RungeKutta, h: f64, until: f64, start: Vec<f64>) -> Result<Orbit, LabError> {
        let mut states = vec![start];
        for j in 0..(until / h).round() as usize {
            let near = |node: f64| self.geometry.solution((j as f64 + node) * h);
            states.push(method.step_near(&self.system, h, &states[j], near)?);
        }
        Ok(Orbit { h, states })
    }

    /// The state after a step of length h from `eta` at time t.
    pub fn step(&self, method: &RungeKutta, t: f64, h: f64, eta: &[f64]) -> Result<Vec<f64>, LabError> {
        method.step_near(&self.system, h, eta, |node| self.geometry.solution(t + node * h))
    }

    /// The times and states of the stages of a step from time 0.
    pub fn stages(
        &self,
        method: &RungeKutta,
        h: f64,
        start: &[f64],
    ) -> Result<Vec<(f64, Vec<f64>)>, LabError> {
        method.stages_near(&self.system, h, start, |node| self.geometry.solution(node * h))
    }

    /// The largest components after the start.
    pub fn worst(&self, orbit: &Orbit) -> Split {
        orbit.timed().skip(1).fold(Split::default(), |worst, (t, eta)| {
            let split = self.split(t, eta);
            Split {
                total: worst.total.max(split.total),
                smooth: worst.smooth.max(split.smooth),
                stiff: worst.stiff.max(split.stiff),
            }
        })
    }
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}
