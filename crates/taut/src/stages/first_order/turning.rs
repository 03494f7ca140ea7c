//! Stages of ordinary differential equations whose stiff direction turns: the stage-resolvent iteration.
//!
//! Simplified Newton's iteration has one Jacobian for all stages. Where the stiff direction turns within a step, the Jacobians of
//! the stages differ by as much as they are large, and the iteration converges for h ~ ε^(1/3) only, though the method
//! itself has errors that do not notice ε (Auzinger, Eder and Frank 2001, Theorems 4.7 to 4.9). Here each stage has its own
//! Jacobian, in a real matrix of the size of the system. With X = x + h A k and the real eigenvalue g of A⁻¹:
//!
//! 1. The resolvent Y of stage i, f(Y) = kᵢ + (g/h)(Y − Xᵢ), is found by Newton's iteration; Dᵢ = Y − Xᵢ vanishes where
//!    kᵢ = f(Xᵢ).
//! 2. The stages move by h A dk = D + (g A − I)(I − h A ⊗ J₀)⁻¹ D, J₀ the Jacobian of the middle stage: exact where all
//!    Jacobians are the same, and contracting where the stiff direction turns.

use super::{FirstOrderStages, StageEquations};
use crate::control::error_norm::{Scales, root_mean, weighted_square};
use crate::geometry::pencil::{pencil, pencil_scales};
use crate::linear::{Choice, Saddle, SaddlePattern};
use crate::motion::Statistics;
use crate::stages::coefficients::Coefficients;
use crate::system::{Composition, Fault};

/// A resolvent is known well enough for one more update when what is left of its equation would move it by this share of
/// the state.
const CLOSE: f64 = 0.1;
/// A Jacobian is evaluated anew when what is left falls by less than this factor.
const FALLS: f64 = 5.0;
/// More rounds are not made,
const MOST_ROUNDS: usize = 14;
/// nor updates longer than the state itself.
const LONGEST: f64 = 1.0;
/// Updates of this size are rounding.
const ROUNDING: f64 = 1e-13;

/// What the iteration needs beyond that with one Jacobian.
pub(super) struct Turning {
    /// whether it is in use
    pub(super) on: bool,
    /// whether a step has begun and J₀ is not known yet
    pub(super) begins: bool,
    /// (g/h) I − J of one stage after the other
    resolvent: Saddle,
    scales: Vec<f64>,
    /// Jacobians of all stages
    jacobians: Vec<f64>,
    /// the Jacobian at the beginning of the step, which filters the error estimate
    pub(super) at_start: Vec<f64>,
    place: Vec<f64>,
    rest: Vec<f64>,
    /// the last update of all rates
    last: Vec<f64>,
    rates: Vec<f64>,
}

impl Turning {
    fn new(composition: &Composition, choice: Choice) -> Self {
        let (n, entries) = (composition.n(), composition.jacobian.nnz());
        let pattern = SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone());
        Turning {
            on: false,
            begins: true,
            resolvent: Saddle::new(&pattern, choice),
            scales: vec![1.0; n],
            jacobians: Vec::new(),
            at_start: vec![0.0; entries],
            place: vec![0.0; n],
            rest: vec![0.0; n],
            last: Vec::new(),
            rates: Vec::new(),
        }
    }

    fn size(&self, of: &[f64]) -> f64 {
        root_mean(weighted_square(of, &self.scales), of.len())
    }
}

impl FirstOrderStages<'_> {
    /// Whether each stage has its own Jacobian.
    pub(crate) fn turns(&self) -> bool {
        self.turning.as_ref().is_some_and(|turning| turning.on)
    }

    /// Takes up the iteration, or leaves it; false where there is none: it needs an ordinary differential equation, a
    /// method whose last stage is its result and a real eigenvalue.
    pub(super) fn take_up(&mut self, method: &Coefficients, scales: Option<&Scales>) -> bool {
        let Some(scales) = scales else {
            self.turning.iter_mut().for_each(|turning| turning.on = false);
            return false;
        };
        let real = method.spectrum.real_of_inverse.first() == Some(&method.g);
        if !(self.ordinary
            && real
            && method.stiffly_accurate
            && method.stages > 1
            && method.inverse.is_some())
        {
            return false;
        }
        let (composition, choice) = (self.system.composition(), self.choice);
        let turning = self.turning.get_or_insert_with(|| Box::new(Turning::new(composition, choice)));
        turning.on = true;
        turning.scales.copy_from_slice(scales.inverse());
        true
    }

    /// D of all stages; what is no number, which Newton's iteration takes for divergence, where a resolvent is out of reach.
    pub(super) fn displacements(
        &mut self,
        method: &Coefficients,
        rates: &[f64],
        displacements: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), Fault> {
        let Some(mut turning) = self.turning.take() else { return Ok(()) };
        let found = self.find_displacements(&mut turning, method, rates, displacements, count);
        let begins = std::mem::take(&mut turning.begins);
        if begins {
            let entries = self.jacobian.len();
            let middle = method.stages / 2 * entries;
            self.jacobian.copy_from_slice(&turning.jacobians[middle..][..entries]);
        }
        self.turning = Some(turning);
        let factored = !begins || self.factor(method, count).is_ok();
        if !(found? && factored) {
            displacements.fill(f64::NAN);
        }
        Ok(())
    }

    fn find_displacements(
        &self,
        turning: &mut Turning,
        method: &Coefficients,
        rates: &[f64],
        displacements: &mut [f64],
        count: &mut Statistics,
    ) -> Result<bool, Fault> {
        let (n, entries) = (self.x.len(), self.jacobian.len());
        turning.jacobians.resize(method.stages * entries, 0.0);
        if turning.begins {
            count.jacobians += 1;
            self.system.jacobian(self.t, &self.x, &mut turning.at_start)?;
        }
        for (i, displacement) in displacements.chunks_exact_mut(n).enumerate() {
            if !self.resolve(turning, method, i, &rates[i * n..][..n], count)? {
                return Ok(false);
            }
            let stage = &self.stage_x[i * n..][..n];
            for (displacement, (place, x)) in displacement.iter_mut().zip(turning.place.iter().zip(stage)) {
                *displacement = place - x;
            }
        }
        Ok(true)
    }

    /// Finds the resolvent of stage i; false when it is out of reach.
    fn resolve(
        &self,
        turning: &mut Turning,
        method: &Coefficients,
        i: usize,
        rates: &[f64],
        count: &mut Statistics,
    ) -> Result<bool, Fault> {
        let (n, entries) = (self.x.len(), self.jacobian.len());
        let (t, pull) = (self.t + method.c[i] * self.h, method.g / self.h);
        let stage = &self.stage_x[i * n..][..n];
        let of_stage = i * entries..(i + 1) * entries;
        turning.place.copy_from_slice(stage);
        let (mut left_before, mut update) = (0.0, f64::INFINITY);
        for round in 0..=MOST_ROUNDS {
            self.system.rate(t, &turning.place, &mut turning.rest)?;
            count.rhs += 1;
            for (k, rest) in turning.rest.iter_mut().enumerate() {
                *rest -= rates[k] + pull * (turning.place[k] - stage[k]);
            }
            let left = turning.size(&turning.rest) / pull.abs();
            let last = left <= CLOSE || update <= ROUNDING;
            if !left.is_finite() || (round == MOST_ROUNDS && !last) {
                return Ok(false);
            }
            if last || left * FALLS > left_before {
                let jacobian = &mut turning.jacobians[of_stage.clone()];
                self.system.jacobian(t, &turning.place, jacobian)?;
                (count.jacobians, count.factorizations) = (count.jacobians + 1, count.factorizations + 1);
                let blocks = pencil(self.system.composition(), jacobian);
                if turning.resolvent.assemble_and_factor(&blocks, pencil_scales(method.g, self.h)).is_err() {
                    return Ok(false);
                }
            }
            turning.resolvent.solve(&mut turning.rest);
            count.solves += 1;
            update = turning.size(&turning.rest);
            turning.place.iter_mut().zip(&turning.rest).for_each(|(place, rest)| *place += rest);
            if !(update <= LONGEST) || last {
                return Ok(update <= LONGEST);
            }
            left_before = left;
        }
        Ok(false)
    }

    /// Replaces displacements by updates of the rates, (A⁻¹(D − u) + g u)/h with u = (I − h A ⊗ J₀)⁻¹ D.
    pub(super) fn rates_of_displacements(
        &mut self,
        method: &Coefficients,
        displacements: &mut [f64],
        count: &mut Statistics,
    ) {
        let (Some(mut turning), Some(inverse)) = (self.turning.take(), &method.inverse) else { return };
        let n = self.x.len();
        turning.last.clear();
        turning.last.extend_from_slice(displacements);
        self.matrices.solve_stages(&method.spectrum, method.transformation.as_ref(), displacements);
        count.solves += method.spectrum.real.len() + method.spectrum.complex.len();
        // The matrices give updates of Newton's iteration, −u.
        let (d, minus_u) = (&turning.last, &*displacements);
        let rate = |place: usize| {
            let (i, k) = (place / n, place % n);
            let moved = (0..method.stages).map(|j| inverse[(i, j)] * (d[j * n + k] + minus_u[j * n + k]));
            (moved.sum::<f64>() - method.g * minus_u[place]) / self.h
        };
        turning.rates.clear();
        turning.rates.extend((0..displacements.len()).map(rate));
        displacements.copy_from_slice(&turning.rates);
        std::mem::swap(&mut turning.last, &mut turning.rates);
        self.turning = Some(turning);
    }

    /// Moves the last stage, which is the result, to its resolvent: what is left of the stiff components would be all that
    /// the error estimate sees.
    pub(super) fn clean_last_stage(
        &mut self,
        method: &Coefficients,
        rates: &[f64],
        count: &mut Statistics,
    ) -> Result<bool, Fault> {
        let Some(mut turning) = self.turning.take() else { return Ok(true) };
        let (last, n) = (method.stages - 1, self.x.len());
        let found = self.resolve(&mut turning, method, last, &rates[last * n..], count);
        if matches!(found, Ok(true)) {
            self.stage_x[last * n..].copy_from_slice(&turning.place);
        }
        self.turning = Some(turning);
        found
    }

    /// The contraction of the iteration with one Jacobian at these stages, by three power iterations of
    /// (I − h A ⊗ J₀)⁻¹ diag(Jᵢ − J₀) h A on the last update; infinite where there was none.
    pub(super) fn contraction_of_one_jacobian(&mut self, method: &Coefficients) -> f64 {
        let Some(mut turning) = self.turning.take() else { return f64::INFINITY };
        let (n, entries) = (self.x.len(), self.jacobian.len());
        let pattern = &self.system.composition().jacobian;
        let mut rates = std::mem::take(&mut turning.last);
        let (mut before, mut ratio) = (0.0, f64::INFINITY);
        for _ in 0..=3 {
            self.integrate(method, &rates);
            let size = self.update.chunks_exact(n).map(|part| turning.size(part)).fold(0.0, f64::max);
            ratio = if before > 0.0 { size / before } else { f64::INFINITY };
            before = size;
            rates.fill(0.0);
            let parts = rates.chunks_exact_mut(n).zip(self.update.chunks_exact(n));
            for ((rate, moved), own) in parts.zip(turning.jacobians.chunks_exact(entries.max(1))) {
                pattern.multiply_add(own, moved, rate, -1.0);
                pattern.multiply_add(&self.jacobian, moved, rate, 1.0);
            }
            self.matrices.solve_stages(&method.spectrum, method.transformation.as_ref(), &mut rates);
        }
        turning.last = rates;
        self.turning = Some(turning);
        ratio
    }
}
