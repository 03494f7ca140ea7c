//! What a SPARK step of a partitioned system is about (Jay 1998, Definition 4.1 as it stands).

use super::{Solving, Spark, SparkKind};
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::partitioned::{HiddenConstraints, Level};
use crate::inside::partitioned::interpolate;
use crate::linear::Pivots;
use crate::motion::Statistics;
use crate::newton::iteration::Given;
use crate::options::{Multipliers, Options};
use crate::snapshot::{Fields, SnapshotError};
use crate::stages::partitioned::coefficients::PartitionedCoefficients;
use crate::stages::partitioned::equations::PartitionedEquations;
use crate::stages::partitioned::matrix::PartitionedMatrix;
use crate::stages::partitioned::reached::Reached;
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

/// A partitioned system with what its steps need.
pub(crate) struct OfPartition<'a> {
    layout: Layout,
    equations: PartitionedEquations<'a>,
    matrix: PartitionedMatrix,
    /// the constraints at the end of the step
    hidden: HiddenConstraints<'a>,
    /// the constraints at interpolated states
    elsewhere: HiddenConstraints<'a>,
    here: Reached,
    /// where the last accepted step began; the same as `here` when there was none
    before: Reached,
    /// the end of the step that was attempted
    attempted: Reached,
    /// the unknowns of the last accepted step
    past_x: Vec<f64>,
    /// states inside the last step and beyond
    inside: Vec<f64>,
    beyond: Vec<f64>,
    /// rates of an interpolated state
    sampled: Reached,
    errors: (Vec<f64>, Vec<f64>),
}

impl<'a> Spark<OfPartition<'a>> {
    /// A stepper at a consistent state.
    pub(crate) fn new(
        system: &'a dyn PartitionedSystem,
        method: PartitionedCoefficients,
        options: &Options,
        t: f64,
        state: &[f64],
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let of_step = PartitionedEquations::new(system, method);
        let unknowns = of_step.unknowns;
        let layout = Layout::partitioned(unknowns.n, unknowns.p, unknowns.m);
        let reached = Reached::at(t, state, layout);
        let mut equations = OfPartition {
            layout,
            matrix: PartitionedMatrix::new(&of_step, options.linear),
            equations: of_step,
            hidden: HiddenConstraints::new(system, options.linear),
            elsewhere: HiddenConstraints::new(system, options.linear),
            here: reached.clone(),
            before: reached.clone(),
            sampled: reached.clone(),
            attempted: reached,
            past_x: vec![0.0; unknowns.len()],
            inside: vec![0.0; layout.len()],
            beyond: vec![0.0; layout.len()],
            errors: (vec![0.0; unknowns.n], vec![0.0; unknowns.p]),
        };
        equations.put_on_constraints(system, count)?;
        equations.settle(options.multipliers, count)?;
        equations.here.copy_from(&equations.attempted);
        equations.before.copy_from(&equations.attempted);
        Ok(Spark { solving: Solving::new(unknowns.len(), &layout, options), equations })
    }
}

impl OfPartition<'_> {
    /// Moves the state at which a run begins onto its constraints.
    fn put_on_constraints(
        &mut self,
        system: &dyn PartitionedSystem,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let Reached { t, state, momentum, .. } = &mut self.attempted;
        self.hidden.factor(*t, state, count)?;
        self.hidden.project(Level::First, *t, state, count)?;
        self.hidden.project(Level::Second, *t, state, count)?;
        let (y, z, _) = self.layout.split(state);
        Ok(system.momentum(y, z, momentum)?)
    }

    /// Predicts constant multipliers, and variables that change with the share `share` of their rates.
    fn predict_uniform(&self, h: f64, share: f64, x: &mut [f64]) {
        let (unknowns, here) = (self.equations.unknowns, &self.here);
        let (_, z, u) = self.layout.split(&here.state);
        for i in 0..=unknowns.stages {
            let c = self.equations.method.c.get(i).copied().unwrap_or(1.0);
            for (k, x) in x[unknowns.second(i)].iter_mut().enumerate() {
                *x = z[k] + share * c * h * here.second_rate[k];
            }
            if i == unknowns.stages {
                break;
            }
            for (x, u) in x[unknowns.multipliers(i)].iter_mut().zip(u) {
                *x = h * u;
            }
            for range in [unknowns.first(i), unknowns.constrained(i)] {
                for (k, x) in x[range].iter_mut().enumerate() {
                    *x = c * (here.first_rate[k] + 0.5 * share * c * h * here.bend[k]);
                }
            }
        }
    }

    /// Hands pivots over, into a snapshot or out of it.
    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        self.hidden.exchange_pivots(pivots);
        self.elsewhere.exchange_pivots(pivots);
        self.matrix.whole.exchange_pivots(pivots);
    }
}

impl SparkKind for OfPartition<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn stages(&self) -> usize {
        self.equations.unknowns.stages
    }

    fn error_power(&self) -> f64 {
        self.equations.method.error_power
    }

    fn here(&self) -> (f64, &[f64]) {
        (self.here.t, &self.here.state)
    }

    fn rates(&self) -> [&[f64]; 2] {
        [&self.here.first_rate, &self.here.second_rate]
    }

    fn begin(&mut self, h: f64) {
        self.equations.begin(h, &self.here);
    }

    /// Predicts the unknowns of a step of length h: those of the last one and what the interpolation adds to them from
    /// there to here; from the rates where the last step says nothing.
    fn predict(&mut self, h: f64, x: &mut [f64]) {
        let ratio = h / (self.here.t - self.before.t);
        if !(0.0..=LONGEST_CONTINUATION).contains(&ratio) {
            return self.predict_uniform(h, 1.0, x);
        }
        let (unknowns, layout) = (self.equations.unknowns, self.layout);
        let past_h = h / ratio;
        x.copy_from_slice(&self.past_x);
        for i in 0..=unknowns.stages {
            let c = self.equations.method.c.get(i).copied().unwrap_or(1.0);
            interpolate(&self.before, &self.here, layout, c, &mut self.inside);
            interpolate(&self.before, &self.here, layout, 1.0 + c * ratio, &mut self.beyond);
            let (inside, beyond) = (layout.split(&self.inside), layout.split(&self.beyond));
            for (k, x) in x[unknowns.second(i)].iter_mut().enumerate() {
                *x += beyond.1[k] - inside.1[k];
            }
            if i == unknowns.stages {
                break;
            }
            for (k, x) in x[unknowns.multipliers(i)].iter_mut().enumerate() {
                *x = h * (*x / past_h + beyond.2[k] - inside.2[k]);
            }
            // (y(c) − y₀)/h of both steps
            let (from, to) = (&self.before.state[layout.q()], &self.here.state[layout.q()]);
            for range in
                [unknowns.first(i), unknowns.constrained(i)].into_iter().take(1 + usize::from(unknowns.apart))
            {
                for (k, x) in x[range].iter_mut().enumerate() {
                    *x += (beyond.0[k] - to[k]) / h - (inside.0[k] - from[k]) / past_h;
                }
            }
        }
    }

    fn predict_constant(&mut self, h: f64, x: &mut [f64]) {
        self.predict_uniform(h, 0.0, x);
    }

    fn factor(&mut self, x: &[f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.matrix.refresh(&mut self.equations, x, count)?;
        self.matrix.factor(&self.equations, count)
    }

    fn iterate(&mut self, solving: &mut Solving, count: &mut Statistics) -> Result<(), StepFailure> {
        let solve = |residual: &mut [f64], count: &mut Statistics| self.matrix.whole.solve(residual, count);
        let Solving { x, iteration, scales, .. } = solving;
        iteration.run((&mut self.equations, false), solve, x, scales, &mut Given, count)
    }

    fn arrive(&mut self, to: f64, x: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.attempted.t = to;
        self.equations.end(x, &mut self.attempted, count)?;
        self.hidden.factor(to, &self.attempted.state, count)
    }

    fn attempted(&self) -> &[f64] {
        &self.attempted.state
    }

    fn error(&mut self, x: &[f64], scales: &Scales, count: &mut Statistics) -> Result<f64, StepFailure> {
        let (of_y, of_z) = (&mut self.errors.0, &mut self.errors.1);
        self.equations.estimate(x, of_y, of_z)?;
        self.hidden.tangent_errors(of_y, of_z, count);
        let (y_scales, z_scales, _) = self.layout.split(scales.inverse());
        let of_y = root_mean(weighted_square(of_y, y_scales), of_y.len());
        Ok(larger(of_y, root_mean(weighted_square(of_z, z_scales), of_z.len())))
    }

    fn settle(&mut self, wanted: Multipliers, count: &mut Statistics) -> Result<(), StepFailure> {
        let Reached { t, state, first_rate, second_rate, bend, .. } = &mut self.attempted;
        let rates: [&mut [f64]; 3] = [first_rate, second_rate, bend];
        match wanted {
            Multipliers::FromAccelerations => self.hidden.find_rates(*t, state, rates, count),
            Multipliers::FromStages => {
                // u₁ := U_s (Jay 1998, section 4.3) stays; what (17h) gives is not wanted.
                self.inside.copy_from_slice(state);
                self.hidden.find_rates(*t, &mut self.inside, rates, count)
            }
        }
    }

    fn keep(&mut self, x: &mut Vec<f64>) {
        self.before.copy_from(&self.here);
        self.here.copy_from(&self.attempted);
        self.past_x.copy_from_slice(x);
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        interpolate(&self.before, &self.here, self.layout, theta, y);
    }

    fn correct(
        &mut self,
        theta: f64,
        y: &mut [f64],
        wanted: Multipliers,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let t = self.before.t + theta * (self.here.t - self.before.t);
        self.elsewhere.factor(t, y, count)?;
        self.elsewhere.project(Level::First, t, y, count)?;
        self.elsewhere.project(Level::Second, t, y, count)?;
        if wanted == Multipliers::FromAccelerations {
            let Reached { first_rate, second_rate, bend, .. } = &mut self.sampled;
            second_rate.copy_from_slice(&self.here.second_rate);
            self.elsewhere.find_rates(t, y, [first_rate, second_rate, bend], count)?;
        }
        Ok(())
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        Ok(self.elsewhere.residuals(self.here.t, &self.here.state, &self.here.bend)?)
    }

    fn fields(
        &mut self,
        factored_for: &mut Option<f64>,
        fields: &mut Fields<'_>,
    ) -> Result<(), SnapshotError> {
        self.here.fields(fields, HERE)?;
        self.before.fields(fields, BEFORE)?;
        fields.list("past unknowns", &mut self.past_x)?;
        fields.pivots(|pivots| self.exchange_pivots(pivots))?;
        fields.option("factored for", factored_for)?;
        match fields {
            Fields::Saved(_) if factored_for.is_none() => fields.list("matrix", &mut []),
            Fields::Saved(_) => fields.list("matrix", &mut self.matrix.whole.values),
            Fields::Restored(snapshot) => {
                self.attempted.copy_from(&self.here);
                if factored_for.is_some() {
                    self.matrix.recall(&self.equations, snapshot)?;
                }
                Ok(())
            }
        }
    }
}
