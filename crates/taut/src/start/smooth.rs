//! Smooth motion of stiff springs: starts that do not vibrate (Lubich 1992, Theorem 2.2).
//!
//! Near every state (q⁰, v⁰) of the rigid system there is one of the system with springs, of compliance C = O(ε²), whose
//! motion does not vibrate. It is found by passes: pass 0 has springs that are rods, pass k stretches them by what the
//! multipliers of pass k − 1 say, g(q) = C λₖ₋₁(t), as functions of time. All of it is done with Taylor series in time, so
//! that nothing is divided by ε. N passes leave O(ε^(2N+2)) in q and v. A damper beside a spring, g + d g' = C λ with
//! d = O(ε), stretches by C λₖ₋₁ − d g'ₖ₋₁; what is left then is O(ε^(N+2)).

use super::consistent::check_length;
use super::error::StartError;
use crate::linear::{Blocks, Choice, Saddle, SaddlePattern, Scales};
use crate::springs::vibrations::time_scale;
use crate::system::{MechanicalSystem, MotionSeries, SERIES_TERMS, Series};

/// The most passes: more would need longer series.
pub const MOST_PASSES: usize = 3;
/// Newton's iteration for the start of a pass gives up after so many steps.
const MOST_ITERATIONS: usize = 50;
/// It ends when a step changes positions or velocities by less than so many units of rounding.
const CLOSE_ENOUGH: f64 = 4.0 * f64::EPSILON;
/// Relaxation times of dampers below this share of the time scale of the motion are short.
const SHORT_RELAXATION: f64 = 0.1;

/// A start in smooth motion.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothStart {
    /// positions
    pub q: Vec<f64>,
    /// velocities
    pub v: Vec<f64>,
    /// multipliers; of springs not from g/c, which loses digits, but from the series
    pub lambda: Vec<f64>,
    /// the largest vibration of a spring that is left, in the unit of its equation (right within 10 percent where the
    /// expansion converges)
    pub remaining: f64,
    /// how each spring would vibrate from the start that was given
    pub vibrations: Vec<Vibration>,
}

/// The vibration of one spring.
#[derive(Clone, Debug, PartialEq)]
pub struct Vibration {
    /// the name of the spring
    pub name: String,
    /// how far its equation swings, in its unit
    pub amplitude: f64,
    /// its period while the other springs are held
    pub period: f64,
}

/// Moves a start onto smooth motion, up to O(ε^(2N+2)) with N = `passes` ≤ [`MOST_PASSES`].
///
/// # Errors
/// The system has no series (closures), has constraints on velocities, or springs that depend on each other.
pub fn smooth_start(
    system: &dyn MechanicalSystem,
    t: f64,
    q: &[f64],
    v: &[f64],
    passes: usize,
    choice: Choice,
) -> Result<SmoothStart, StartError> {
    let structure = system.structure();
    check_length("the start of positions", q, structure.n())?;
    check_length("the start of velocities", v, structure.n())?;
    if passes > MOST_PASSES {
        return Err(StartError::Passes { asked: passes, most: MOST_PASSES });
    }
    if let Some(constraint) = structure.constraints.iter().find(|c| !c.is_holonomic()) {
        return Err(StartError::NoSmoothMotion {
            reason: format!("'{}' restricts velocities", constraint.name),
        });
    }
    let mut recursion = Recursion::new(system, t, choice);
    recursion.factor_at(q)?;
    let (mut base_q, mut base_v) = (q.to_vec(), v.to_vec());
    // The foot point on the rigid system is found with directions that are those of the foot point itself.
    for _ in 0..2 {
        (base_q, base_v) = recursion.begin(q, v)?;
        recursion.factor_at(&base_q)?;
    }
    let (mut now_q, mut now_v) = (base_q.clone(), base_v.clone());
    let mut remaining = 0.0;
    for pass in 0..=passes {
        if pass > 0 {
            recursion.factor_at(&base_q)?;
            (now_q, now_v) = recursion.begin(&base_q, &base_v)?;
            recursion.factor_at(&now_q)?;
        }
        recursion.expand(&now_q, &now_v, 2 * (passes - pass))?;
        let before = remaining;
        remaining = recursion.stretch();
        if pass > 0 && remaining > before {
            // Where multipliers pass through 0, the first stretch says nothing about those that follow.
            recursion.expect_short_relaxation(&now_q, &now_v)?;
        }
    }
    Ok(SmoothStart {
        lambda: recursion.lambda.iter().map(|lambda| lambda.0[0]).collect(),
        vibrations: recursion.vibrations((q, v), (&now_q, &now_v))?,
        q: now_q,
        v: now_v,
        remaining,
    })
}

/// The series of a motion, while they are found coefficient by coefficient.
struct Recursion<'a> {
    system: &'a dyn MechanicalSystem,
    t: f64,
    compliance: Vec<f64>,
    relaxation: Vec<f64>,
    saddle: Saddle,
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    q: Vec<Series>,
    v: Vec<Series>,
    a: Vec<Series>,
    lambda: Vec<Series>,
    /// C λ − d g' of the pass before, g' that of the pass before it
    stretching: Vec<Series>,
    balance: Vec<Series>,
    constraint: Vec<Series>,
}

impl<'a> Recursion<'a> {
    fn new(system: &'a dyn MechanicalSystem, t: f64, choice: Choice) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.n(), structure.m());
        let pattern = SaddlePattern::accelerations(structure.mass.clone(), structure.jacobian.clone());
        let zero = Series([0.0; SERIES_TERMS]);
        Recursion {
            system,
            t,
            compliance: structure.constraints.iter().map(|c| c.compliance()).collect(),
            relaxation: structure.constraints.iter().map(|c| c.relaxation()).collect(),
            saddle: Saddle::new(&pattern, choice),
            mass: vec![0.0; structure.mass.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            q: vec![zero; n],
            v: vec![zero; n],
            a: vec![zero; n],
            lambda: vec![zero; m],
            stretching: vec![zero; m],
            balance: vec![zero; n],
            constraint: vec![zero; m],
        }
    }

    /// Factors [M Gᵀ; G 0] at a state, springs like rods.
    fn factor_at(&mut self, q: &[f64]) -> Result<(), StartError> {
        self.system.mass(q, &mut self.mass)?;
        self.system.jacobian(self.t, q, &vec![0.0; q.len()], &mut self.jacobian)?;
        let blocks = Blocks {
            mass: &self.mass,
            damping: &[],
            stiffness: &[],
            jacobian: &self.jacobian,
            compliance: &[],
            relaxation: &[],
        };
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
        let structure = self.system.structure();
        self.saddle.assemble_and_factor(&blocks, scales).map_err(|singular| {
            let constraint = singular.pivot.checked_sub(structure.n());
            let name = constraint.map_or("the mass", |k| structure.constraints[k].name.as_str());
            StartError::NoSmoothMotion { reason: format!("'{name}' depends on the others") }
        })
    }

    /// Positions with g(q) = C λ and velocities with G v + g_t = C λ', moved along M⁻¹Gᵀ with the factors at hand.
    fn begin(&mut self, q: &[f64], v: &[f64]) -> Result<(Vec<f64>, Vec<f64>), StartError> {
        let (system, t) = (self.system, self.t);
        let new_q = self.correct(q, 0, |q, rows| system.constraint(t, q, rows))?;
        let new_v = self.correct(v, 1, |v, rows| system.constraint_rate(t, &new_q, v, rows))?;
        Ok((new_q, new_v))
    }

    fn correct(
        &mut self,
        x: &[f64],
        coefficient: usize,
        residual: impl Fn(&[f64], &mut [f64]) -> Result<(), crate::system::Fault>,
    ) -> Result<Vec<f64>, StartError> {
        let n = x.len();
        let mut x = x.to_vec();
        let mut correction = vec![0.0; n + self.compliance.len()];
        let mut before = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            correction[..n].fill(0.0);
            residual(&x, &mut correction[n..])?;
            for (row, stretching) in correction[n..].iter_mut().zip(&self.stretching) {
                *row = stretching.0[coefficient] - *row;
            }
            self.saddle.solve(&mut correction);
            let size = |x: &[f64]| x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            let step = size(&correction[..n]);
            x.iter_mut().zip(&correction).for_each(|(x, d)| *x += d);
            if step <= CLOSE_ENOUGH * size(&x) || (step < 1e-10 * size(&x) && step >= before) {
                return Ok(x);
            }
            before = step;
        }
        let worst = (0..self.compliance.len())
            .max_by(|&i, &j| correction[n + i].abs().total_cmp(&correction[n + j].abs()));
        let constraint = worst.map(|k| self.system.structure().constraints[k].name.clone());
        Err(StartError::NotReached { constraint: constraint.unwrap_or_default(), residual: before })
    }

    /// The series of q to order `order` + 2 and of λ to `order`.
    ///
    /// With the coefficients up to j + 1 of q and j − 1 of λ known, coefficient j of the equations of motion and j + 2 of
    /// the constraints are linear in the next ones.
    fn expand(&mut self, q: &[f64], v: &[f64], order: usize) -> Result<(), StartError> {
        let (n, m) = (q.len(), self.lambda.len());
        for (series, (q, v)) in self.q.iter_mut().zip(q.iter().zip(v)) {
            *series = Series::linear(*q, *v);
        }
        self.lambda.fill(Series([0.0; SERIES_TERMS]));
        let mut solution = vec![0.0; n + m];
        for j in 0..=order {
            self.evaluate()?;
            let factor = ((j + 2) * (j + 1)) as f64;
            for i in 0..n {
                solution[i] = -self.balance[i].0[j];
            }
            for k in 0..m {
                solution[n + k] = -factor * (self.constraint[k].0[j + 2] - self.stretching[k].0[j + 2]);
            }
            self.saddle.solve(&mut solution);
            for i in 0..n {
                self.q[i].0[j + 2] += solution[i] / factor;
            }
            for k in 0..m {
                self.lambda[k].0[j] += solution[n + k];
            }
        }
        Ok(())
    }

    /// The series of the residuals of all equations.
    fn evaluate(&mut self) -> Result<(), StartError> {
        for (i, q) in self.q.iter().enumerate() {
            self.v[i] = q.derivative();
            self.a[i] = self.v[i].derivative();
        }
        let t = Series::linear(self.t, 1.0);
        let along = MotionSeries { t, q: &self.q, v: &self.v, a: &self.a, lambda: &self.lambda };
        if self.system.series(&along, &mut self.balance, &mut self.constraint) {
            return Ok(());
        }
        Err(StartError::NoSmoothMotion {
            reason:
                "the system has no Taylor series: write it as a Mechanical, or as a model file without bodies"
                    .to_owned(),
        })
    }

    /// Stretches the springs by the multipliers just found; returns the largest change.
    fn stretch(&mut self) -> f64 {
        let mut change = 0.0_f64;
        for (k, stretching) in self.stretching.iter_mut().enumerate() {
            let (c, d) = (self.compliance[k], self.relaxation[k]);
            let (lambda, creep) = (self.lambda[k].0, stretching.derivative().0);
            let new = Series(std::array::from_fn(|j| c * lambda[j] - d * creep[j]));
            change = change.max((new.0[0] - stretching.0[0]).abs());
            *stretching = new;
        }
        change
    }

    /// Passes that stretch springs more and more are those of a damper that lets its spring creep, unless its relaxation time
    /// is short beside that of the motion.
    fn expect_short_relaxation(&self, q: &[f64], v: &[f64]) -> Result<(), StartError> {
        let constraints = &self.system.structure().constraints;
        let slowest = constraints.iter().max_by(|a, b| a.relaxation().total_cmp(&b.relaxation()));
        let a: Vec<f64> = self.q.iter().map(|q| 2.0 * q.0[2]).collect();
        let short = SHORT_RELAXATION * time_scale(q, v, &a);
        match slowest.filter(|slowest| slowest.relaxation() > short) {
            None => Ok(()),
            Some(slowest) => {
                let (name, time) = (&slowest.name, slowest.relaxation());
                let reason =
                    format!("'{name}' creeps under its damper, whose relaxation time {time:e} is not short");
                Err(StartError::NoSmoothMotion { reason })
            }
        }
    }

    /// How springs vibrate that begin elsewhere than in smooth motion.
    fn vibrations(
        &mut self,
        (q, v): (&[f64], &[f64]),
        (smooth_q, smooth_v): (&[f64], &[f64]),
    ) -> Result<Vec<Vibration>, StartError> {
        let structure = self.system.structure();
        let (n, m) = (structure.n(), structure.m());
        let (mut g, mut rate) = (vec![0.0; m], vec![0.0; m]);
        let (mut smooth_g, mut smooth_rate) = (vec![0.0; m], vec![0.0; m]);
        self.system.constraint(self.t, q, &mut g)?;
        self.system.constraint(self.t, smooth_q, &mut smooth_g)?;
        self.system.constraint_rate(self.t, q, v, &mut rate)?;
        self.system.constraint_rate(self.t, smooth_q, smooth_v, &mut smooth_rate)?;
        let mut vibrations = Vec::new();
        for (k, constraint) in structure.constraints.iter().enumerate().filter(|(_, c)| c.compliance() > 0.0)
        {
            // The mass that the spring moves while the others are held: an entry of (G M⁻¹Gᵀ)⁻¹.
            let mut unit = vec![0.0; n + m];
            unit[n + k] = 1.0;
            self.saddle.solve(&mut unit);
            let time = (constraint.compliance() * unit[n + k].abs()).sqrt();
            vibrations.push(Vibration {
                name: constraint.name.clone(),
                amplitude: (g[k] - smooth_g[k]).hypot(time * (rate[k] - smooth_rate[k])),
                period: std::f64::consts::TAU * time,
            });
        }
        Ok(vibrations)
    }
}
