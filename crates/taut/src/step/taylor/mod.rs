//! One step of Taylor's series: for motion that is not stiff, at moderate to the highest accuracy.
//!
//! At the beginning of a step positions and multipliers are expanded in time; the step is the polynomial. How far it goes
//! follows from its last coefficients. At its end the accelerations of the polynomial are compared with those of the
//! equations there, which the next expansion begins with anyway.

pub(crate) mod algebraic;
mod algebraic_series;
mod first_order;
mod length;
mod magnification;
mod mechanical;
pub(crate) mod motion;
mod polynomial;
mod stiffness;

use super::stepper::{InsideStep, Place, Stepper, Watched};
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::control::smooth_step;
use crate::control::stiffness::StiffnessWatch;
use crate::control::{Attempt, NextLength};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::Options;
use crate::snapshot::{Fields, SnapshotError};
pub(crate) use algebraic_series::{AlgebraicSeries, MOST_VARIABLES};
pub(crate) use first_order::FirstOrderSeries;
pub(crate) use length::order_for;
use length::{longest, size};
pub(crate) use mechanical::MechanicalSeries;
use polynomial::Polynomial;

/// What a step of Taylor's series asks of its equations.
pub(crate) trait Expanding {
    /// Where everything lies in the state vector, as far as series are concerned.
    fn layout(&self) -> Layout;

    /// Where everything lies for others.
    fn state_layout(&self) -> Layout {
        self.layout()
    }

    /// Moves a state onto its constraints.
    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure>;

    /// Moves a state at which steps begin onto its constraints, as far as it is not there already.
    fn project_start(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.project(t, y, count)
    }

    /// Places the expansion at a state: its rate is known then, and its multipliers are written.
    fn place(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure>;

    /// The derivative of the integrated part of the state that the expansion was placed at.
    fn rate(&self, rate: &mut [f64]);

    /// Whether the expansion was placed where too much of it would be rounding errors.
    fn ends_beside_singularity(&mut self, _rtol: f64, _count: &mut Statistics) -> bool {
        false
    }

    /// Finds the coefficients of all orders where the expansion was placed.
    fn expand(&mut self, polynomial: &mut Polynomial, count: &mut Statistics);

    /// The largest residuals of the constraints at a state.
    fn residuals(&mut self, t: f64, y: &[f64]) -> Result<[f64; 3], StepFailure>;

    /// What it remembers of the way here, into a snapshot or out of it.
    fn fields(&mut self, _fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        Ok(())
    }
}

/// Steps of Taylor's series.
pub(crate) struct Taylor<E> {
    layout: Layout,
    system: E,
    scales: Scales,
    constant_step: bool,
    /// the last terms of a step are this share of the tolerance
    error_share: f64,
    t: f64,
    y: Vec<f64>,
    /// the motion from here on
    ahead: Polynomial,
    attempted: (f64, Vec<f64>),
    /// whether it ends beside a singular configuration, and whether the step was shortened because of one
    ends_beside: bool,
    was_shortened: bool,
    /// what projection adds to the polynomial at the end of the attempted step
    shift: Vec<f64>,
    /// rates of the polynomial and of the equations at the end of a step
    rates: [Vec<f64>; 2],
    /// by which the length of the next step differs from that of the last
    factor: f64,
    last: LastStep,
    stiffness: StiffnessWatch,
}

/// The last accepted step.
struct LastStep {
    h: f64,
    polynomial: Polynomial,
    shift: Vec<f64>,
}

impl<E: Expanding> Taylor<E> {
    /// A stepper at a consistent state.
    pub(crate) fn new(
        mut system: E,
        order: usize,
        options: &Options,
        (t, y): (f64, &[f64]),
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let layout = system.layout();
        let mut y = y.to_vec();
        system.project_start(t, &mut y, count)?;
        system.place(t, &mut y, count)?;
        let mut ahead = Polynomial::new(&layout, order);
        system.expand(&mut ahead, count);
        ahead.leave_out_what_has_no_value();
        let rate = vec![0.0; layout.differential()];
        Ok(Taylor {
            scales: Scales::of(options, &layout),
            constant_step: options.constant_step.is_some(),
            error_share: options.series.error_share,
            t,
            attempted: (t, y.clone()),
            ends_beside: false,
            was_shortened: false,
            shift: vec![0.0; layout.len()],
            rates: [rate.clone(), rate],
            factor: 1.0,
            last: LastStep { h: 0.0, polynomial: ahead.clone(), shift: vec![0.0; layout.len()] },
            stiffness: StiffnessWatch::default(),
            ahead,
            y,
            layout,
            system,
        })
    }

    /// The norm of positions or of velocities, whichever is larger.
    fn norm(&self, error: &[f64]) -> f64 {
        let (q, v) = error[..self.layout.differential()].split_at(self.layout.n());
        let (q_scales, v_scales) = self.scales.inverse().split_at(q.len());
        let square = larger(weighted_square(q, q_scales), weighted_square(v, v_scales));
        root_mean(square, self.layout.n())
    }

    /// The error of an attempted step: what projection had to add, and what the rates of the polynomial differ from those of
    /// the equations by. The difference grows with the power p − 1 of time, so that a share h/p of it is in the state; what is
    /// wrong with velocities moves positions by h times as much within another step.
    fn error(&mut self, h: f64) -> f64 {
        let [of_polynomial, of_equations] = &mut self.rates;
        let share = h / self.ahead.usable() as f64;
        for (defect, rate) in of_polynomial.iter_mut().zip(of_equations) {
            *defect = (*defect - *rate) * share;
        }
        if self.layout.is_mechanical() {
            let (positions, velocities) = of_polynomial.split_at_mut(self.layout.n());
            for (position, velocity) in positions.iter_mut().zip(velocities) {
                *position += h * *velocity;
            }
        }
        self.scales.set_between(&self.y, &self.attempted.1);
        larger(self.norm(&self.rates[0]), self.norm(&self.shift)) / self.scales.rtol()
    }

    /// Finds the motion from here on.
    fn expand(&mut self, count: &mut Statistics) {
        self.system.expand(&mut self.ahead, count);
        self.ahead.leave_out_what_has_no_value();
    }

    /// The length of the step that the coefficients ahead ask for.
    fn length(&mut self) -> f64 {
        self.scales.set(&self.y);
        longest(&self.ahead, &self.layout, &self.scales, self.error_share)
    }
}

/// Where a step ends beside a singular configuration that nobody finds, the next attempt is shorter by this factor at least.
const SHORTENING: f64 = 0.85;
/// A step is at most so many times as long as the one before it.
const LONGEST_FACTOR: f64 = 1e3;

impl<E: Expanding> Stepper for Taylor<E> {
    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let h = to - self.t;
        self.attempted.0 = to;
        let y = &mut self.attempted.1;
        self.ahead.evaluate_with_rate(h, y, &mut self.rates[0]);
        self.shift.copy_from_slice(y);
        self.system.project(to, y, count)?;
        self.system.place(to, y, count)?;
        for (shift, y) in self.shift.iter_mut().zip(y.iter()) {
            *shift = y - *shift;
        }
        self.system.rate(&mut self.rates[1]);
        let power = self.ahead.usable() as f64;
        let error = if self.constant_step { 0.0 } else { self.error(h) };
        let beside = !self.constant_step && self.system.ends_beside_singularity(self.scales.rtol(), count);
        // Where nobody crosses anything after that, there was nothing to cross.
        self.ends_beside = beside && !self.was_shortened;
        self.was_shortened |= self.ends_beside;
        if self.ends_beside {
            return Ok(Attempt { error: error.max(SHORTENING.powf(-power)), power, iterations: (0, 0) });
        }
        Ok(Attempt { error, power, iterations: (0, 0) })
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.last.h = self.attempted.0 - self.t;
        std::mem::swap(&mut self.last.polynomial, &mut self.ahead);
        std::mem::swap(&mut self.last.shift, &mut self.shift);
        self.was_shortened = false;
        self.t = self.attempted.0;
        self.y.copy_from_slice(&self.attempted.1);
        let taken = (&self.last.polynomial, self.last.h);
        stiffness::note(&mut self.stiffness, taken, &self.layout, &self.scales);
        self.expand(count);
        self.factor = (self.length() / self.last.h.abs()).min(LONGEST_FACTOR);
        Ok(())
    }

    fn reject(&mut self, _refresh: bool) {}

    fn next_length(&mut self, _proposed: &mut dyn FnMut() -> f64) -> NextLength {
        NextLength::by(self.factor)
    }

    fn first_step(&mut self, until: f64, _count: &mut Statistics) -> Result<f64, StepFailure> {
        let span = until - self.t;
        Ok(self.length().min(span.abs()).copysign(span))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        fields.entry("t", &mut [&mut self.t])?;
        fields.list("y", &mut self.y)?;
        self.system.fields(fields)?;
        self.stiffness.fields(fields)?;
        if fields.restored().is_some() {
            self.attempted.1.copy_from_slice(&self.y);
            let mut count = Statistics::default();
            // The state was expanded at before, so that it can be again.
            if self.system.place(self.t, &mut self.attempted.1, &mut count).is_ok() {
                self.expand(&mut count);
            }
        }
        Ok(())
    }
}

impl<E: Expanding> Place for Taylor<E> {
    fn layout(&self) -> Layout {
        self.system.state_layout()
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.system.residuals(self.t, &self.y)
    }
}

impl<E: Expanding> InsideStep for Taylor<E> {
    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.interpolate(theta, y);
        let t = self.t - (1.0 - theta) * self.last.h;
        self.system.project(t, y, count)?;
        self.system.place(t, y, count)
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        self.last.polynomial.evaluate(theta * self.last.h, y);
        let smooth = smooth_step(theta);
        for (y, shift) in y.iter_mut().zip(&self.last.shift) {
            *y += smooth * shift;
        }
    }

    fn look_ahead(&self, h: f64, y: &mut [f64]) -> bool {
        if !self.constant_step {
            self.ahead.evaluate(h, y);
        }
        !self.constant_step
    }

    fn degree_inside(&self) -> Option<usize> {
        Some(self.last.polynomial.order())
    }
}

impl<E: Expanding> Watched for Taylor<E> {
    fn stages(&self) -> usize {
        self.ahead.order()
    }

    fn ended_beside_singularity(&self) -> bool {
        self.ends_beside
    }

    fn stiffness(&mut self) -> Option<&mut StiffnessWatch> {
        Some(&mut self.stiffness)
    }
}
