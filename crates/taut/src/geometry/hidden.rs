//! Variables of index 2 from the hidden constraint d/dt g = 0, where 0 = g are the equations without derivatives.
//!
//! A step of length δ of the linearly implicit Euler method, (E/δ − J) u = (f, δ ∂g/∂t), changes variables with a derivative
//! by δx', which vanishes with δ. What acts on them to keep 0 = g changes by an amount that does not vanish: Newton's update
//! for d/dt g = g_t + g_x x' = 0 at the state as it is. So nobody has to say which equation hides which constraint, and second
//! derivatives are not needed.

use crate::failure::StepFailure;
use crate::geometry::pencil::{pencil, pencil_scales};
use crate::linear::{Choice, Saddle, SaddlePattern};
use crate::motion::Statistics;
use crate::system::FirstOrderSystem;

/// δ is this share of the step: what is neglected is that share of the change of x' in a step.
const VANISHING: f64 = 1e-10;
/// Newton's iteration ends after so many rounds.
const MOST_ITERATIONS: usize = 10;
/// An update that is not smaller than this share of the last one no longer falls.
const STANDSTILL: f64 = 0.5;
/// Updates that have fallen to this share of the first one may grow: they are rounding errors, which are relatively large
/// where the variables are close to 0.
const FALLEN: f64 = 1e-6;
/// Smaller updates, relative to the variables, are rounding errors.
const ROUNDING: f64 = 1e-14;
/// Derivatives in time are backward differences of order 4, from places this share of the step apart: equations may have
/// a kink at the end of the step, but have none in it.
pub(crate) const SPACING: f64 = 0.02;
pub(crate) const BACKWARD: [f64; 5] = [25.0 / 12.0, -4.0, 3.0, -4.0 / 3.0, 0.25];

/// Finds the variables of index 2 at the end of a step.
pub(crate) struct HiddenConstraint<'a> {
    system: &'a dyn FirstOrderSystem,
    algebraic: Vec<bool>,
    /// variables that follow from the hidden constraint
    moves: Vec<bool>,
    pub(crate) saddle: Saddle,
    jacobian: Vec<f64>,
    /// ∂g/∂t
    in_time: Vec<f64>,
    rate: Vec<f64>,
    update: Vec<f64>,
    /// the variables as they were
    before: Vec<f64>,
}

impl<'a> HiddenConstraint<'a> {
    /// Nothing unless the highest index is 2.
    pub(crate) fn new(system: &'a dyn FirstOrderSystem, index: &[u8], choice: Choice) -> Option<Self> {
        if index.iter().max() != Some(&2) {
            return None;
        }
        let composition = system.composition();
        let n = composition.n();
        let algebraic = composition.algebraic_rows();
        let mut moves: Vec<bool> = index.iter().map(|&index| index == 2).collect();
        if composition.jacobian.entries().any(|(row, column)| algebraic[row] && moves[column]) {
            // Others without derivative may change with them.
            moves.fill(true);
            for ((_, column), value) in composition.mass.entries().zip(&composition.mass_values) {
                moves[column] &= *value == 0.0;
            }
        }
        let pattern = SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone());
        Some(HiddenConstraint {
            system,
            algebraic,
            moves,
            saddle: Saddle::new(&pattern, choice),
            jacobian: vec![0.0; composition.jacobian.nnz()],
            in_time: vec![0.0; n],
            rate: vec![0.0; n],
            update: vec![0.0; n],
            before: vec![0.0; n],
        })
    }

    /// Moves the variables of index 2 of the state at the end of a step of length h, or inside of it, onto the hidden
    /// constraint. Where that is not possible they are left as they are.
    pub(crate) fn solve(&mut self, t: f64, h: f64, x: &mut [f64], count: &mut Statistics) {
        if h == 0.0 {
            return;
        }
        self.before.copy_from_slice(x);
        if !self.improve(t, h, x, count).unwrap_or(false) {
            x.copy_from_slice(&self.before);
        }
    }

    /// Whether the hidden constraint could be solved.
    fn improve(
        &mut self,
        t: f64,
        h: f64,
        x: &mut [f64],
        count: &mut Statistics,
    ) -> Result<bool, StepFailure> {
        let composition = self.system.composition();
        self.system.jacobian(t, x, &mut self.jacobian)?;
        count.jacobians += 1;
        let delta = VANISHING * h;
        let blocks = pencil(composition, &self.jacobian);
        count.factorizations += 1;
        if self.saddle.assemble_and_factor(&blocks, pencil_scales(1.0, delta)).is_err() {
            return Ok(false);
        }
        self.differentiate_in_time(t, h, x, count)?;
        self.iterate(t, delta, x, count)
    }

    /// Whether updates fell to the level of rounding, or as far as they go.
    fn iterate(
        &mut self,
        t: f64,
        delta: f64,
        x: &mut [f64],
        count: &mut Statistics,
    ) -> Result<bool, StepFailure> {
        let (mut first, mut previous) = (f64::INFINITY, f64::INFINITY);
        for updates in 1..=MOST_ITERATIONS {
            self.system.rate(t, x, &mut self.update)?;
            count.rhs += 1;
            for (update, (in_time, algebraic)) in
                self.update.iter_mut().zip(self.in_time.iter().zip(&self.algebraic))
            {
                if *algebraic {
                    *update = delta * in_time;
                }
            }
            self.saddle.solve(&mut self.update);
            count.solves += 1;
            let size = self.add_update(1.0, x);
            if size > STANDSTILL * previous {
                // Nothing but δx' is left, which was added in all updates.
                self.add_update(-(updates as f64), x);
                return Ok(size < previous / STANDSTILL || size < FALLEN * first);
            }
            first = if updates == 1 { size } else { first };
            previous = size;
        }
        Ok(false)
    }

    /// Moves what follows from the hidden constraint; by how much, relative to its variables.
    fn add_update(&self, factor: f64, x: &mut [f64]) -> f64 {
        let (mut size, mut scale) = (0.0_f64, f64::MIN_POSITIVE);
        for (i, (x, update)) in x.iter_mut().zip(&self.update).enumerate() {
            if self.moves[i] {
                *x += factor * update;
                size = size.max(update.abs());
                scale = scale.max(x.abs());
            }
        }
        (size / scale).max(ROUNDING)
    }

    /// ∂g/∂t at the end of a step of length h.
    fn differentiate_in_time(
        &mut self,
        t: f64,
        h: f64,
        x: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.in_time.fill(0.0);
        let spacing = SPACING * h;
        self.system.rate(t, x, &mut self.update)?;
        count.rhs += 1;
        for (j, weight) in BACKWARD.iter().enumerate().skip(1).rev() {
            self.system.rate(t - j as f64 * spacing, x, &mut self.rate)?;
            count.rhs += 1;
            let rows = self.in_time.iter_mut().zip(self.rate.iter().zip(&self.update));
            let mut changes = false;
            for ((in_time, (then, now)), algebraic) in rows.zip(&self.algebraic) {
                if *algebraic && then != now {
                    *in_time += weight / spacing * (then - now);
                    changes = true;
                }
            }
            if !changes && j == BACKWARD.len() - 1 {
                // Time does not stand in these equations.
                return Ok(());
            }
        }
        Ok(())
    }
}
