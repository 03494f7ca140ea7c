//! One step of a SPARK method for a partitioned system (Jay 1998, Definition 4.1 as it stands).

use crate::control::Attempt;
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::control::first_step::Start;
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::partitioned::{HiddenConstraints, Level};
use crate::inside::partitioned::interpolate;
use crate::inside::spark::SAME_LENGTH;
use crate::linear::Pivots;
use crate::motion::Statistics;
use crate::newton::iteration::{Given, Iteration};
use crate::options::{Multipliers, Options};
use crate::snapshot::{Fields, SnapshotError};
use crate::stages::partitioned::coefficients::PartitionedCoefficients;
use crate::stages::partitioned::equations::PartitionedEquations;
use crate::stages::partitioned::matrix::PartitionedMatrix;
use crate::stages::partitioned::reached::Reached;
use crate::stages::spark::whole::WithWholeMatrix;
use crate::step::stepper::Stepper;
use crate::system::PartitionedSystem;

/// A step is predicted from the last one when it is at most so many times as long.
const LONGEST_CONTINUATION: f64 = 2.0;

const HERE: [&str; 8] = ["y", "momenta", "lost y", "lost momenta", "rate", "bend", "second rate", "t"];
const BEFORE: [&str; 8] = [
    "past y",
    "past momenta",
    "past lost y",
    "past lost momenta",
    "past rate",
    "past bend",
    "past second rate",
    "past t",
];

/// Steps of a SPARK method for a partitioned system. The equations are solved to rounding.
pub(crate) struct PartitionedStep<'a> {
    layout: Layout,
    equations: PartitionedEquations<'a>,
    matrix: PartitionedMatrix,
    iteration: Iteration,
    /// the constraints at the end of the step
    hidden: HiddenConstraints<'a>,
    /// the constraints at interpolated states
    elsewhere: HiddenConstraints<'a>,
    scales: Scales,
    options: Options,
    here: Reached,
    /// where the last accepted step began; the same as `here` when there was none
    before: Reached,
    /// the end of the step that was attempted
    attempted: Reached,
    /// the unknowns of that step, and of the last accepted one
    x: Vec<f64>,
    past_x: Vec<f64>,
    /// the length of the step that Newton's matrix was factored for
    factored_for: Option<f64>,
    /// states inside the last step and beyond
    inside: Vec<f64>,
    beyond: Vec<f64>,
    /// rates of an interpolated state
    sampled: Reached,
    errors: (Vec<f64>, Vec<f64>),
}

impl<'a> PartitionedStep<'a> {
    /// A stepper at a consistent state.
    pub(crate) fn new(
        system: &'a dyn PartitionedSystem,
        method: PartitionedCoefficients,
        options: &Options,
        t: f64,
        state: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let equations = PartitionedEquations::new(system, method);
        let unknowns = equations.unknowns;
        let layout = Layout::partitioned(unknowns.n, unknowns.p, unknowns.m);
        let reached = Reached::at(t, state, layout);
        let mut step = PartitionedStep {
            layout,
            matrix: PartitionedMatrix::new(&equations, options.linear),
            equations,
            iteration: Iteration::new(options, unknowns.len()),
            hidden: HiddenConstraints::new(system, options.linear),
            elsewhere: HiddenConstraints::new(system, options.linear),
            scales: Scales::of(options, &layout),
            options: options.clone(),
            here: reached.clone(),
            before: reached.clone(),
            sampled: reached.clone(),
            attempted: reached,
            x: vec![0.0; unknowns.len()],
            past_x: vec![0.0; unknowns.len()],
            factored_for: None,
            inside: vec![0.0; layout.len()],
            beyond: vec![0.0; layout.len()],
            errors: (vec![0.0; unknowns.n], vec![0.0; unknowns.p]),
        };
        let start = &mut step.attempted;
        step.hidden.factor(t, &start.state, count)?;
        step.hidden.project(Level::First, t, &mut start.state, count)?;
        step.hidden.project(Level::Second, t, &mut start.state, count)?;
        let (y, z, _) = layout.split(&start.state);
        system.momentum(y, z, &mut start.momentum)?;
        step.settle(count)?;
        step.here.copy_from(&step.attempted);
        step.before.copy_from(&step.attempted);
        Ok(step)
    }

    /// Finds the rates at the end of the attempted step, and its multipliers (17h) where they are wanted.
    fn settle(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let Reached { t, state, first_rate, second_rate, bend, .. } = &mut self.attempted;
        let rates: [&mut [f64]; 3] = [first_rate, second_rate, bend];
        match self.options.multipliers {
            Multipliers::FromAccelerations => self.hidden.settle(*t, state, rates, count),
            Multipliers::FromStages => {
                // u₁ := U_s (Jay 1998, section 4.3) stays; what (17h) gives is not wanted.
                self.inside.copy_from_slice(state);
                self.hidden.settle(*t, &mut self.inside, rates, count)
            }
        }
    }

    /// Predicts constant multipliers, and variables that change with the share `share` of their rates.
    fn predict_uniform(&mut self, h: f64, share: f64) {
        let (unknowns, here) = (self.equations.unknowns, &self.here);
        let (_, z, u) = self.layout.split(&here.state);
        for i in 0..=unknowns.stages {
            let c = self.equations.method.c.get(i).copied().unwrap_or(1.0);
            for (k, x) in self.x[unknowns.second(i)].iter_mut().enumerate() {
                *x = z[k] + share * c * h * here.second_rate[k];
            }
            if i == unknowns.stages {
                break;
            }
            for (x, u) in self.x[unknowns.multipliers(i)].iter_mut().zip(u) {
                *x = h * u;
            }
            for range in [unknowns.first(i), unknowns.constrained(i)] {
                for (k, x) in self.x[range].iter_mut().enumerate() {
                    *x = c * (here.first_rate[k] + 0.5 * share * c * h * here.bend[k]);
                }
            }
        }
    }

    /// Solves the equations of a step of length h.
    fn solve(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        self.equations.begin(h, &self.here);
        self.solve_whole(h, count)
    }

    /// The length of a step to the time `to`; constant steps all have the same one.
    fn length(&self, to: f64) -> f64 {
        let h = to - self.here.t;
        let rounding = 4.0 * f64::EPSILON * to.abs().max(self.here.t.abs());
        match self.options.constant_step.map(f64::abs) {
            Some(constant) if (h.abs() - constant).abs() <= rounding => constant.copysign(h),
            _ => h,
        }
    }

    /// How large the error estimate, O(h^(p̃+1)), may be for the error of the result, O(h^(2s-2)), to be rtol.
    fn error_tolerance(&self) -> f64 {
        let s = self.equations.unknowns.stages as f64;
        let power = self.equations.method.error_power / (2.0 * s - 2.0);
        self.options.steps.error_share * self.scales.rtol().powf(power)
    }

    /// The norm of the error estimate (38), along the constraints.
    fn error(&mut self, count: &mut Statistics) -> Result<f64, StepFailure> {
        let (of_y, of_z) = (&mut self.errors.0, &mut self.errors.1);
        self.equations.estimate(&self.x, of_y, of_z)?;
        self.hidden.tangent_errors(of_y, of_z, count);
        let (y_scales, z_scales, _) = self.layout.split(self.scales.inverse());
        let of_y = root_mean(weighted_square(of_y, y_scales), of_y.len());
        Ok(larger(of_y, root_mean(weighted_square(of_z, z_scales), of_z.len())))
    }

    /// Hands pivots over, into a snapshot or out of it.
    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        self.hidden.exchange_pivots(pivots);
        self.elsewhere.exchange_pivots(pivots);
        self.matrix.whole.exchange_pivots(pivots);
    }
}

impl WithWholeMatrix for PartitionedStep<'_> {
    /// Predicts the unknowns of a step of length h: those of the last one and what the interpolation adds to them from
    /// there to here; from the rates where the last step says nothing.
    fn predict(&mut self, h: f64) {
        let ratio = h / (self.here.t - self.before.t);
        if !(0.0..=LONGEST_CONTINUATION).contains(&ratio) {
            return self.predict_uniform(h, 1.0);
        }
        let (unknowns, layout) = (self.equations.unknowns, self.layout);
        let past_h = h / ratio;
        self.x.copy_from_slice(&self.past_x);
        for i in 0..=unknowns.stages {
            let c = self.equations.method.c.get(i).copied().unwrap_or(1.0);
            interpolate(&self.before, &self.here, layout, c, &mut self.inside);
            interpolate(&self.before, &self.here, layout, 1.0 + c * ratio, &mut self.beyond);
            let (inside, beyond) = (layout.split(&self.inside), layout.split(&self.beyond));
            for (k, x) in self.x[unknowns.second(i)].iter_mut().enumerate() {
                *x += beyond.1[k] - inside.1[k];
            }
            if i == unknowns.stages {
                break;
            }
            for (k, x) in self.x[unknowns.multipliers(i)].iter_mut().enumerate() {
                *x = h * (*x / past_h + beyond.2[k] - inside.2[k]);
            }
            // (y(c) − y₀)/h of both steps
            let (from, to) = (&self.before.state[layout.q()], &self.here.state[layout.q()]);
            for range in
                [unknowns.first(i), unknowns.constrained(i)].into_iter().take(1 + usize::from(unknowns.apart))
            {
                for (k, x) in self.x[range].iter_mut().enumerate() {
                    *x += (beyond.0[k] - to[k]) / h - (inside.0[k] - from[k]) / past_h;
                }
            }
        }
    }

    fn predict_constant(&mut self, h: f64) {
        self.predict_uniform(h, 0.0);
    }

    fn factor(&mut self, h: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        self.factored_for = None;
        self.matrix.refresh(&mut self.equations, &self.x, count)?;
        self.matrix.factor(&self.equations, count)?;
        self.factored_for = Some(h);
        Ok(())
    }

    fn iterate(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let solve = |residual: &mut [f64], count: &mut Statistics| self.matrix.whole.solve(residual, count);
        let (equations, scales) = (&mut self.equations, &self.scales);
        self.iteration.run((equations, false), solve, &mut self.x, scales, &mut Given, count)
    }

    fn has_factors_for(&self, h: f64) -> bool {
        self.factored_for.is_some_and(|length| (length - h).abs() <= SAME_LENGTH * h.abs())
    }

    fn found(&self) -> &[f64] {
        &self.x
    }
}

impl Stepper for PartitionedStep<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn time(&self) -> f64 {
        self.here.t
    }

    fn state(&self) -> &[f64] {
        &self.here.state
    }

    fn stages(&self) -> usize {
        self.equations.unknowns.stages
    }

    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let h = self.length(to);
        self.scales.set(&self.here.state);
        self.solve(h, count)?;
        self.attempted.t = to;
        self.equations.end(&self.x, &mut self.attempted, count)?;
        self.hidden.factor(to, &self.attempted.state, count)?;
        let mut error = 0.0;
        if self.options.constant_step.is_none() {
            self.scales.widen(&self.attempted.state);
            error = self.error(count)? / self.error_tolerance();
        }
        Ok(Attempt { error, power: self.equations.method.error_power, iterations: (1, 1) })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.settle(count)?;
        self.before.copy_from(&self.here);
        self.here.copy_from(&self.attempted);
        self.past_x.copy_from_slice(&self.x);
        if self.iteration.contraction > self.options.newton.keep_blocks_below {
            self.factored_for = None;
        }
        Ok(())
    }

    fn reject(&mut self, _refresh: bool) {
        self.factored_for = None;
    }

    fn prefers_same_step(&self) -> bool {
        self.factored_for.is_some()
    }

    fn choose_order(&mut self, _factor: f64) -> bool {
        false
    }

    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.interpolate(theta, y);
        let t = self.before.t + theta * (self.here.t - self.before.t);
        self.elsewhere.factor(t, y, count)?;
        self.elsewhere.project(Level::First, t, y, count)?;
        self.elsewhere.project(Level::Second, t, y, count)?;
        if self.options.multipliers == Multipliers::FromAccelerations {
            let Reached { first_rate, second_rate, bend, .. } = &mut self.sampled;
            second_rate.copy_from_slice(&self.here.second_rate);
            self.elsewhere.settle(t, y, [first_rate, second_rate, bend], count)?;
        }
        Ok(())
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        interpolate(&self.before, &self.here, self.layout, theta, y);
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        Ok(self.elsewhere.residuals(self.here.t, &self.here.state, &self.here.bend)?)
    }

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        self.scales.set(&self.here.state);
        let rate = [self.here.first_rate.as_slice(), &self.here.second_rate].concat();
        let (tolerance, power) = (self.error_tolerance(), self.equations.method.error_power);
        let span = until - self.here.t;
        let start = Start { scales: &self.scales, layout: &self.layout, y: &self.here.state, rate: &rate };
        Ok(start.first_step(tolerance, power, span))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        self.here.fields(fields, HERE)?;
        self.before.fields(fields, BEFORE)?;
        fields.list("past unknowns", &mut self.past_x)?;
        fields.pivots(|pivots| self.exchange_pivots(pivots))?;
        fields.option("factored for", &mut self.factored_for)?;
        match fields {
            Fields::Saved(_) if self.factored_for.is_none() => fields.list("matrix", &mut []),
            Fields::Saved(_) => fields.list("matrix", &mut self.matrix.whole.values),
            Fields::Restored(snapshot) => {
                self.attempted.copy_from(&self.here);
                if self.factored_for.is_some() {
                    self.matrix.recall(&self.equations, snapshot)?;
                }
                Ok(())
            }
        }
    }
}
