//! One step of a diagonally implicit Runge-Kutta method: one stage after the other, all with the same matrix.

use std::sync::Arc;

use taut_tableau::Tableau;

use super::stepper::{InsideStep, Place, Stepper, Watched};
use crate::control::error_norm::Scales;
use crate::control::first_step::Start;
use crate::control::smooth_step;
use crate::control::{Attempt, NextLength};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::newton::reuse::{Factored, Policy, Reuse, Task};
use crate::newton::simplified::Newton;
use crate::options::Options;
use crate::snapshot::{Fields, SnapshotError};
use crate::springs::TreatedSprings;
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::StepEquations;

/// Steps of a diagonally implicit method (SDIRK, or ESDIRK with an explicit first stage).
pub(crate) struct Diagonal<E> {
    layout: Layout,
    tableau: Arc<Tableau>,
    /// y* + h γ k, the form of every implicit stage
    stage: Coefficients,
    /// b − b̂
    error_weights: Vec<f64>,
    error_power: f64,
    equations: E,
    newton: Newton,
    scales: Scales,
    options: Options,
    t: f64,
    y: Vec<f64>,
    /// stage unknowns of the last stage that was solved, the guess for the next
    unknowns: Vec<f64>,
    rates: Vec<f64>,
    stage_start: Vec<f64>,
    error: Vec<f64>,
    attempted: (f64, Vec<f64>),
    end_rate: Vec<f64>,
    reuse: Reuse,
    last: LastStep,
}

/// What the interpolation inside the last accepted step needs: values and slopes at both ends.
struct LastStep {
    h: f64,
    start: Vec<f64>,
    end: Vec<f64>,
    slopes: [Vec<f64>; 2],
}

impl<E: StepEquations> Diagonal<E> {
    /// A stepper at a consistent state.
    pub(crate) fn new(
        mut equations: E,
        tableau: Arc<Tableau>,
        options: &Options,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let layout = equations.layout();
        let (d, stages) = (layout.differential(), tableau.stages());
        let mut y = y.to_vec();
        equations.complete(t, &mut y, count)?;
        equations.settle(t, &mut y, count)?;
        let mut end_rate = vec![0.0; d];
        equations.rate(&mut end_rate);
        let mut unknowns = vec![0.0; equations.stages().unknowns()];
        equations.stages().initial_unknowns(&mut unknowns);
        let gamma = tableau.a()[(stages - 1, stages - 1)];
        let embedded = tableau.embedded().first();
        let difference =
            |e: &taut_tableau::Embedded| tableau.b().iter().zip(e.weights()).map(|(b, e)| b - e).collect();
        let error_weights = embedded.map_or(vec![0.0; stages], difference);
        let mut newton = Newton::new(options.newton.clone());
        newton.be_patient(options.constant_step.is_some());
        newton.go_to_rounding(options.solves_to_rounding());
        let error_power = tableau.embedded_orders().first().map_or(1.0, |&order| order as f64 + 1.0);
        Ok(Diagonal {
            layout,
            stage: Coefficients::single_stage(gamma, tableau.is_stiffly_accurate(), tableau.order()),
            error_weights,
            error_power,
            equations,
            newton,
            scales: Scales::of(options, &layout),
            options: options.clone(),
            t,
            unknowns,
            rates: vec![0.0; stages * d],
            stage_start: y.clone(),
            error: vec![0.0; d],
            attempted: (t, y.clone()),
            last: LastStep {
                h: 0.0,
                start: y.clone(),
                end: y.clone(),
                slopes: [end_rate.clone(), end_rate.clone()],
            },
            end_rate,
            reuse: Reuse::new(Policy::diagonal(&options.newton)),
            tableau,
            y,
        })
    }

    /// Solves stage i and keeps its rates.
    fn solve_stage(&mut self, i: usize, h: f64, count: &mut Statistics) -> Result<usize, StepFailure> {
        let d = self.layout.differential();
        let weights = &self.tableau.a().row(i)[..i];
        self.stage_start.copy_from_slice(&self.y);
        for (weight, rates) in weights.iter().zip(self.rates.chunks_exact(d)) {
            for (y, rate) in self.stage_start.iter_mut().zip(rates) {
                *y += h * weight * rate;
            }
        }
        let t = self.t + (self.tableau.c()[i] - self.stage.c[0]) * h;
        let (stage, start) = (&self.stage, &self.stage_start);
        let task = Task {
            equations: self.equations.stages(),
            method: stage,
            begin: &mut |equations, unknowns| equations.begin(t, h, start, stage, unknowns),
            unknowns: &mut self.unknowns,
            scales: &self.scales,
            tolerance: self.options.newton_tolerance(),
            factored: Factored { length: h, method: 0 },
        };
        let iterations = self.reuse.solve(&mut self.newton, task, false, count)?;
        self.equations.stage_rates(&self.stage, &self.unknowns, &mut self.rates[i * d..][..d]);
        Ok(iterations)
    }

    /// The end of the step: y + h Σ bᵢ kᵢ, with the multipliers of the last stage.
    fn finish(&mut self, h: f64) {
        let d = self.layout.differential();
        let y = &mut self.attempted.1;
        y.copy_from_slice(&self.y);
        self.error.fill(0.0);
        for (i, rates) in self.rates.chunks_exact(d).enumerate() {
            let (b, e) = (h * self.tableau.b()[i], h * self.error_weights[i]);
            for k in 0..d {
                y[k] += b * rates[k];
                self.error[k] += e * rates[k];
            }
        }
        let m = self.layout.m();
        y[d..].copy_from_slice(&self.unknowns[self.unknowns.len() - m..]);
    }
}

impl<E: StepEquations> Stepper for Diagonal<E> {
    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let (h, d) = (to - self.t, self.layout.differential());
        self.scales.set(&self.y);
        let mut iterations = 0;
        for i in 0..self.tableau.stages() {
            if self.tableau.a()[(i, i)] == 0.0 {
                self.rates[i * d..][..d].copy_from_slice(&self.end_rate);
            } else {
                iterations = iterations.max(self.solve_stage(i, h, count)?);
            }
        }
        self.finish(h);
        self.attempted.0 = to;
        self.equations.approach(&self.stage, to, &self.attempted.1, count)?;
        let mut error = 0.0;
        if self.options.constant_step.is_none() {
            self.scales.widen(&self.attempted.1);
            error = self.equations.filter(&self.stage, &mut self.error, &self.scales, count)?
                / self.scales.rtol();
        }
        Ok(Attempt {
            error,
            power: self.error_power,
            iterations: (iterations, self.newton.most_iterations(1)),
        })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let (t, d) = (self.attempted.0, self.layout.differential());
        let y = &mut self.attempted.1;
        self.equations.project(t, y, count)?;
        self.equations.settle(t, y, count)?;
        self.last.h = t - self.t;
        self.last.start.copy_from_slice(&self.y);
        self.last.end.copy_from_slice(y);
        self.last.slopes[0].copy_from_slice(&self.end_rate);
        // The last stage is the end of the step: its rate is known also where E is singular.
        self.end_rate.copy_from_slice(&self.rates[self.rates.len() - d..]);
        self.last.slopes[1].copy_from_slice(&self.end_rate);
        self.t = t;
        self.y.copy_from_slice(y);
        self.reuse.accept(self.newton.contraction());
        Ok(())
    }

    fn reject(&mut self, refresh: bool) {
        self.equations.stages().initial_unknowns(&mut self.unknowns);
        self.reuse.forget_factors();
        if refresh {
            self.newton.forget();
            self.reuse.forget_blocks();
        }
    }

    fn next_length(&mut self, proposed: &mut dyn FnMut() -> f64) -> NextLength {
        NextLength { factor: proposed(), same_is_cheaper: self.reuse.kept().is_some() }
    }

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.y);
        let (tolerance, span) = (self.scales.rtol(), until - self.t);
        let start = Start { scales: &self.scales, layout: &self.layout, y: &self.y, rate: &self.end_rate };
        Ok(start.first_step(tolerance, self.error_power, span))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        fields.entry("t", &mut [&mut self.t])?;
        fields.list("y", &mut self.y)?;
        fields.list("rate", &mut self.end_rate)?;
        fields.list("unknowns", &mut self.unknowns)?;
        let [eta, contraction] = self.newton.memory();
        fields.entry("newton", &mut [eta, contraction])?;
        let mut length = self.reuse.kept().map(|factored| factored.length);
        self.reuse.blocks(self.equations.stages(), 1, fields)?;
        self.equations.fields(self.t, &self.y, fields)?;
        fields.option("factored for", &mut length)?;
        if let Some(h) = length.filter(|_| fields.restored().is_some() && self.reuse.keeps_blocks()) {
            self.equations.factor_again(&self.stage, (self.t, h, &self.y), &self.unknowns)?;
            self.reuse.factored_again(Factored { length: h, method: 0 });
        }
        Ok(())
    }
}

impl<E: StepEquations> Place for Diagonal<E> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn give_away(&mut self, y: &mut [f64], count: &mut Statistics) {
        y.copy_from_slice(&self.y);
        self.equations.refine(self.t, y, count);
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.equations.residuals()
    }
}

impl<E: StepEquations> InsideStep for Diagonal<E> {
    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.interpolate(theta, y);
        self.equations.complete(self.t - (1.0 - theta) * self.last.h, y, count)
    }

    /// The cubic through values and slopes at both ends.
    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        let (h, rest) = (self.last.h, 1.0 - theta);
        let to_end = smooth_step(theta);
        let (from_start, from_end) = (h * theta * rest * rest, -h * theta * theta * rest);
        for (y, (start, end)) in y.iter_mut().zip(self.last.start.iter().zip(&self.last.end)) {
            *y = start + to_end * (end - start);
        }
        for (k, (first, last)) in self.last.slopes[0].iter().zip(&self.last.slopes[1]).enumerate() {
            y[k] += from_start * first + from_end * last;
        }
    }
}

impl<E: StepEquations> Watched for Diagonal<E> {
    fn stages(&self) -> usize {
        self.tableau.stages()
    }

    fn springs(&self) -> Option<&dyn TreatedSprings> {
        self.equations.springs()
    }

    fn warning(&self) -> Option<&str> {
        self.equations.warning()
    }
}
