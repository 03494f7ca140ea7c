//! A linear system of index 2 whose leading matrix depends on time.

use taut::system::{Linearised, Scalar, SemiExplicit, SemiExplicitSystem};

use crate::catalogue::Entry;
use crate::problem::{Problem, Reference, Start, State, System};

/// y1' − t y2' + y1 − (1 + t) y2 = 0, y2 = sin t (Brenan, Campbell & Petzold), with the solution y1 = e⁻ᵗ + t sin t.
///
/// The derivatives are variables p of their own, so that E is constant.
#[derive(Clone, Copy, Debug)]
pub struct Brenan;

impl Brenan {
    /// (y1, y2, p1, p2) at time t
    pub fn solution(t: f64) -> [f64; 4] {
        [(-t).exp() + t * t.sin(), t.sin(), t.sin() + t * t.cos() - (-t).exp(), t.cos()]
    }
}

impl SemiExplicit for Brenan {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        (["y1", "y2"].map(String::from).to_vec(), ["p1", "p2"].map(String::from).to_vec())
    }

    fn f<S: Scalar>(&self, _t: S, _y: &[S], p: &[S], f: &mut [S]) {
        f.copy_from_slice(p);
    }

    fn g<S: Scalar>(&self, t: S, y: &[S], p: &[S], g: &mut [S]) {
        g[0] = p[0] - t * p[1] + y[0] - (t + 1.0) * y[1];
        g[1] = y[1] - t.sin();
    }
}

pub(crate) const ENTRY: Entry =
    Entry { name: "brenan", starts: &["exact"], build: |start| Ok(problem(start)) };

fn problem(start: &str) -> Problem {
    let state = |t: f64| State::Variables(Brenan::solution(t).to_vec());
    Problem {
        name: ENTRY.name.into(),
        start_name: start.into(),
        title: "Brenan's problem".into(),
        source: "Brenan, Campbell & Petzold, Numerical Solution of Initial-Value Problems in DAEs (1989)"
            .into(),
        purpose: "index 2 in variables that another equation multiplies with time".into(),
        index: 2,
        system: System::FirstOrder(Box::new(Linearised::new(SemiExplicitSystem::new(Brenan)))),
        start: Start { t: 0.0, state: state(0.0) },
        t_end: 10.0,
        kinks: Vec::new(),
        references: [1.0, 10.0].map(|t| Reference { t, state: state(t), digits: 15 }).to_vec(),
    }
}
