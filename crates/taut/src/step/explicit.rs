//! One step of an explicit Runge-Kutta pair, with projection: for non-stiff systems.

mod steepness;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use taut_tableau::{Matrix, Tableau};

use super::stepper::{InsideStep, Place, Stepper, Watched};
use crate::control::Attempt;
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::control::first_step::Start;
use crate::control::smooth_step;
use crate::control::stiffness::StiffnessWatch;
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::linear::{Combination, Stages};
use crate::motion::Statistics;
use crate::options::Options;
use crate::snapshot::{Fields, SnapshotError};
use crate::stages::field::Field;

/// h times the estimated Lipschitz constant beyond which a step is short for stability only (Hairer, Nørsett and Wanner,
/// section IV.2: 6.1 for the pair of order 8, 3.25 for that of order 5).
const STABILITY_LIMITS: [(usize, f64); 2] = [(12, 6.1), (7, 3.25)];
/// Nodes are sums of coefficients with so many correct digits.
const ROUNDING_OF_NODES: f64 = 1e-14;
/// Differences of states below this are rounding, and say nothing about multipliers.
const LEAST_DIFFERENCE: f64 = 1e4 * f64::EPSILON;
/// The error of multipliers may be so many times that of positions and velocities. With 5 the flexible slider crank ends with
/// multipliers wrong by up to 110 tol, with 3 by up to 34 (with no regard to them, by 811).
const MULTIPLIER_SHARE: f64 = 3.0;
/// Estimates of order 5 and 3 that differ by less than this factor are not those of a smooth motion, unless they are small against the
/// tolerance. (Accepted steps of mechanisms at 1e-4 to 1e-8: none or, where the motion is stiff, a few; where dry friction holds a block with
/// velocities far below the tolerance, two of three.)
const ROUGH: f64 = 0.1;
const ROUGH_FROM: f64 = 0.01;
/// What is left of a magnification one step later: errors of earlier steps are seen by later multipliers.
const MEMORY: f64 = 0.9;

/// Steps of an explicit pair on the ordinary differential equation that the constraints leave.
pub(crate) struct Explicit<F> {
    layout: Layout,
    field: F,
    tableau: Arc<Tableau>,
    /// weights of the error estimates, highest order first, one in each row
    error_weights: Matrix,
    /// the estimates, one after the other
    errors: Vec<f64>,
    combination: Combination,
    power: f64,
    scales: Scales,
    constant_step: bool,
    /// the last stage lies at the end of the step, so that what was factored for it serves there
    ends_beside_last_stage: bool,
    t: f64,
    y: Vec<f64>,
    rate: Vec<f64>,
    /// the rate at the end of the attempted step
    end_rate: Vec<f64>,
    stage: Vec<f64>,
    /// those of the stages, with room for what interpolation adds to them
    rates: Vec<f64>,
    attempted: (f64, Vec<f64>),
    /// the last stage that is not the end of the step itself, and its state: what the end is compared with
    compared: (usize, Vec<f64>),
    last: LastStep,
    stability_limit: f64,
    stiffness: StiffnessWatch,
    /// whether estimates of the attempted step are those of rates that jump
    rough: bool,
    /// by how much multipliers magnify errors of positions and velocities, at least 1
    magnification: f64,
}

/// What the interpolation inside the last accepted step needs.
struct LastStep {
    h: f64,
    start: Vec<f64>,
    shift: Vec<f64>,
    rates: Vec<f64>,
    prepared: bool,
}

impl<F: Field> Explicit<F> {
    /// A stepper at a consistent state.
    pub(crate) fn new(
        mut field: F,
        tableau: Arc<Tableau>,
        options: &Options,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let layout = field.layout();
        let (differential, stages) = (layout.differential(), tableau.stages());
        let mut y = y.to_vec();
        let mut rate = vec![0.0; differential];
        field.project(t, &mut y, count)?;
        field.rate(t, &mut y, &mut rate, count)?;
        let embedded = tableau.embedded();
        let error_weights =
            Matrix::from_fn(embedded.len(), stages, |i, j| tableau.b()[j] - embedded[i].weights()[j]);
        let all_stages = tableau.continuous().map_or(stages, |c| c.stages());
        let limit =
            STABILITY_LIMITS.iter().find(|(s, _)| *s == stages).map_or(f64::INFINITY, |(_, limit)| *limit);
        Ok(Explicit {
            layout,
            field,
            power: tableau.order() as f64,
            errors: vec![0.0; embedded.len() * differential],
            error_weights,
            combination: Combination::default(),
            scales: Scales::of(options, &layout),
            constant_step: options.constant_step.is_some(),
            // Constant steps have no tolerance that says how good accelerations have to be.
            ends_beside_last_stage: options.constant_step.is_none()
                && tableau.c().last().is_some_and(|c| (c - 1.0).abs() < ROUNDING_OF_NODES),
            t,
            stage: y.clone(),
            rates: vec![0.0; all_stages * differential],
            attempted: (t, y.clone()),
            compared: (stages - 1 - usize::from(tableau.is_stiffly_accurate()), vec![0.0; layout.len()]),
            last: LastStep {
                h: 0.0,
                start: y.clone(),
                shift: vec![0.0; layout.len()],
                rates: vec![0.0; all_stages * differential],
                prepared: false,
            },
            tableau,
            stability_limit: limit,
            stiffness: StiffnessWatch::default(),
            rough: false,
            magnification: 1.0,
            y,
            end_rate: rate.clone(),
            rate,
        })
    }

    /// The norm of an estimate: of positions or velocities, whichever is larger.
    fn error_norm(&self, estimate: &[f64]) -> f64 {
        let (q, v) = estimate.split_at(self.layout.n().min(estimate.len()));
        let (q_scales, v_scales) = self.scales.inverse().split_at(q.len());
        let square = larger(weighted_square(q, q_scales), weighted_square(v, v_scales));
        root_mean(square, self.layout.n())
    }

    /// The error estimate: of order 7 from those of order 5 and 3 for the pair 8(5,3) (Hairer, Nørsett and Wanner,
    /// eq. II.10.17), plain for other pairs.
    fn error(&mut self, h: f64) -> f64 {
        let d = self.layout.differential();
        let rates = Stages { values: &self.rates, stride: d };
        self.combination.combine(&self.error_weights, h, rates, &mut self.errors, d);
        match self.error_weights.rows() {
            0 => 0.0,
            1 => self.error_norm(&self.errors),
            _ => {
                let (e5, e3) = (self.error_norm(&self.errors[..d]), self.error_norm(&self.errors[d..2 * d]));
                self.rough = e5 > ROUGH * e3 && e5 > ROUGH_FROM * self.scales.rtol();
                if e5 == 0.0 { 0.0 } else { e5 * e5 / (e5 * e5 + 0.01 * e3 * e3).sqrt() }
            }
        }
    }

    /// h times the Lipschitz constant between the end and the stage beside it.
    fn watch_stiffness(&mut self, h: f64) {
        let d = self.layout.differential();
        let (stage, compared) = &self.compared;
        let (mut rates, mut states) = (0.0, 0.0);
        for k in 0..d {
            rates += (self.rate[k] - self.last.rates[stage * d + k]).powi(2);
            states += (self.y[k] - compared[k]).powi(2);
        }
        // As long as the step would be if multipliers did not ask for a shorter one.
        let length = h.abs() * self.magnification.powf(1.0 / self.power);
        let length = if states > 0.0 { length * (rates / states).sqrt() } else { 0.0 };
        self.stiffness.note(length > self.stability_limit);
        // Iterations of radau on equations of first order seldom converge across such rates: a look at them would say little.
        let mechanical = self.layout.is_mechanical();
        self.stiffness.note_length(self.t, length, self.rough && mechanical);
        if self.rough && !mechanical {
            let roughest = steepness::largest(&self.errors[..d], self.scales.inverse());
            roughest.into_iter().for_each(|place| self.stiffness.note_jump(place));
        }
    }

    /// How differently multipliers and states see the end of a step and the stage beside it: multipliers are functions of the
    /// state, and where they magnify its errors the state has to be better than it is asked to be by itself.
    fn watch_multipliers(&mut self) {
        let d = self.layout.differential();
        let difference = &mut self.compared.1;
        for (difference, y) in difference.iter_mut().zip(&self.y) {
            *difference -= y;
        }
        let (states, multipliers) = self.compared.1.split_at(d);
        let states = self.error_norm(states);
        if states > LEAST_DIFFERENCE {
            let weighted = multipliers.iter().zip(&self.scales.inverse()[d..]).map(|(e, w)| e * w);
            let rigid = weighted.enumerate().filter(|(row, _)| self.field.is_rigid(*row));
            let square = rigid.map(|(_, error)| error * error).sum();
            let ratio = root_mean(square, multipliers.len()) / (MULTIPLIER_SHARE * states);
            self.magnification = ratio.max(MEMORY * self.magnification).max(1.0);
        }
    }
}

impl<F: Field> Stepper for Explicit<F> {
    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let (d, h, stages) = (self.layout.differential(), to - self.t, self.tableau.stages());
        self.rates[..d].copy_from_slice(&self.rate);
        // As long as not all stages are known.
        self.attempted.0 = self.t;
        for i in 1..stages {
            let weights = &self.tableau.a().row(i)[..i];
            let rates = Stages { values: &self.rates, stride: d };
            self.combination.add(&self.y, h, weights, rates, &mut self.stage);
            let t = self.t + self.tableau.c()[i] * h;
            self.field.rate(t, &mut self.stage, &mut self.rates[i * d..][..d], count)?;
            if i == self.compared.0 {
                self.compared.1.copy_from_slice(&self.stage);
            }
        }
        self.attempted.0 = to;
        let rates = Stages { values: &self.rates, stride: d };
        self.combination.add(&self.y, h, self.tableau.b(), rates, &mut self.attempted.1);
        self.scales.set_between(&self.y, &self.attempted.1);
        let error =
            if self.constant_step { 0.0 } else { self.magnification * self.error(h) / self.scales.rtol() };
        Ok(Attempt { error, power: self.power, iterations: (0, 0) })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, y) = (self.attempted.0, &mut self.attempted.1);
        self.last.shift.copy_from_slice(y);
        if self.ends_beside_last_stage {
            let (d, multipliers) = (self.layout.differential(), self.layout.multipliers());
            self.end_rate.copy_from_slice(&self.rates[(self.tableau.stages() - 1) * d..][..d]);
            y[multipliers.clone()].copy_from_slice(&self.stage[multipliers]);
            self.field.project_with_rate(t, y, &mut self.end_rate, count)?;
        } else {
            self.field.project(t, y, count)?;
            self.field.rate(t, y, &mut self.end_rate, count)?;
        }
        std::mem::swap(&mut self.rate, &mut self.end_rate);
        for (shift, y) in self.last.shift.iter_mut().zip(y.iter()) {
            *shift = y - *shift;
        }
        let h = t - self.t;
        self.last.h = h;
        self.last.start.copy_from_slice(&self.y);
        // The next attempt writes all of its own.
        std::mem::swap(&mut self.last.rates, &mut self.rates);
        self.last.prepared = false;
        self.t = t;
        self.y.copy_from_slice(y);
        self.watch_stiffness(h);
        self.watch_multipliers();
        Ok(())
    }

    fn reject(&mut self, _refresh: bool) {
        if self.layout().is_mechanical() {
            self.stiffness.note_rejection(self.t);
        }
        if let Some(place) = self.steepest() {
            self.stiffness.note_steep(place);
        }
    }

    fn first_step(&mut self, until: f64, count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.y);
        let (tolerance, span) = (self.scales.rtol(), until - self.t);
        let start = Start { scales: &self.scales, layout: &self.layout, y: &self.y, rate: &self.rate };
        let mut y = self.y.clone();
        let later = |h: f64, rate: &mut [f64]| self.field.rate(self.t + h, &mut y, rate, count).is_ok();
        let first = start.first_step_in_time(tolerance, self.power, span, later);
        let rate_at =
            |h: f64, y: &mut [f64], rate: &mut [f64]| self.field.rate(self.t + h, y, rate, count).is_ok();
        Ok(start.first_step_along(first, rate_at))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        fields.entry("t", &mut [&mut self.t])?;
        fields.list("y", &mut self.y)?;
        if fields.restored().is_some() {
            // After an accepted step both are the same, and what the next attempt does not write is measured by it.
            self.attempted.1.copy_from_slice(&self.y);
        }
        fields.list("rate", &mut self.rate)?;
        fields.entry("magnification", &mut [&mut self.magnification])?;
        self.stiffness.fields(fields)?;
        fields.pivots(|pivots| self.field.exchange_pivots(pivots))
    }
}

impl<F: Field> Place for Explicit<F> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    /// With multipliers of this very state: those at hand may be of velocities from before their projection.
    fn give_away(&mut self, y: &mut [f64], count: &mut Statistics) {
        y.copy_from_slice(&self.y);
        if self.field.rate(self.t, y, &mut self.rates[..self.layout.differential()], count).is_err() {
            y.copy_from_slice(&self.y);
        }
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.field.residuals(self.t, &self.y)
    }
}

impl<F: Field> InsideStep for Explicit<F> {
    /// The weights of its dense output are large and cancel.
    fn is_rough_inside(&self) -> bool {
        true
    }

    fn prepare_interpolation(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        if self.last.prepared {
            return Ok(());
        }
        self.last.prepared = true;
        let Some(extra) = self.tableau.continuous().and_then(|c| c.extra()) else { return Ok(()) };
        let (d, stages) = (self.layout.differential(), self.tableau.stages());
        let start = self.t - self.last.h;
        for (i, c) in extra.c.iter().enumerate() {
            let (known, new) = self.last.rates.split_at_mut((stages + i) * d);
            let weights = &extra.a.row(i)[..stages + i];
            let known = Stages { values: known, stride: d };
            self.combination.add(&self.last.start, self.last.h, weights, known, &mut self.stage);
            self.field.rate(start + c * self.last.h, &mut self.stage, &mut new[..d], count)?;
        }
        Ok(())
    }

    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.prepare_interpolation(count)?;
        self.interpolate(theta, y);
        let t = self.t - (1.0 - theta) * self.last.h;
        self.field.project(t, y, count)?;
        self.field.rate(t, y, &mut self.rates[..self.layout.differential()], count)
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        let d = self.layout.differential();
        let mut weights = [0.0; taut_tableau::MOST_STAGES];
        y.copy_from_slice(&self.last.start);
        if let Some(continuous) = self.tableau.continuous() {
            let weights = &mut weights[..continuous.stages()];
            continuous.weights(theta, weights);
            let rates = Stages { values: &self.last.rates, stride: d };
            self.combination.add(&self.last.start, self.last.h, weights, rates, y);
        }
        let smooth = smooth_step(theta);
        for (y, shift) in y[..d].iter_mut().zip(&self.last.shift) {
            *y += smooth * shift;
        }
    }
}

impl<F: Field> Watched for Explicit<F> {
    fn stages(&self) -> usize {
        self.tableau.stages()
    }

    fn stiffness(&mut self) -> Option<&mut StiffnessWatch> {
        Some(&mut self.stiffness)
    }
}
