//! The equations of one implicit Runge-Kutta step of a first-order system.

mod branches;
mod solved;
mod stiff;

use super::estimate::extrapolate;
use crate::control::error_norm::{Scales, larger, root_mean, twice_weighted_square};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::algebraic::AlgebraicSolve;
use crate::geometry::hessenberg::HessenbergProjection;
use crate::geometry::hidden::HiddenConstraint;
use crate::geometry::pencil::{pencil, pencil_scales};
use crate::linear::{Choice, Pivots, Saddle, SaddlePattern};
use crate::motion::Statistics;
use crate::options::{AlgebraicRows, Multipliers, Options, Projection};
use crate::snapshot::Memory;
use crate::stages::coefficients::Coefficients;
use crate::stages::first_order::FirstOrderStages;
use crate::stages::stage_equations::{StageEquations, StepEquations};
use crate::system::{Composition, FirstOrderSystem};

/// From so many stages on the error of the result is so much smaller than the estimate that smoothness has to be shown.
const SMOOTHNESS_MATTERS_FROM: usize = 4;

/// Stages and error estimate of a first-order system.
pub(crate) struct FirstOrderStep<'a> {
    system: &'a dyn FirstOrderSystem,
    layout: Layout,
    stages: FirstOrderStages<'a>,
    projection: Option<HessenbergProjection<'a>>,
    /// solves 0 = g(x, y) after the step
    indirect: Option<AlgebraicSolve<'a>>,
    multipliers: Multipliers,
    /// finds variables of index 2 after the step
    hidden: Option<HiddenConstraint<'a>>,
    /// the equations without derivatives
    algebraic: Vec<usize>,
    /// the filter of the estimate when Newton has no real matrix, made when it is needed
    filter: Option<Saddle>,
    choice: Choice,
    /// whether there were kinks lately
    kinks: bool,
    /// whether the last estimate found the solution less smooth than expected
    rough: bool,
    /// the error of stiff components in the last step, relative to what it may be
    stiff: f64,
    t: f64,
    h: f64,
    x: Vec<f64>,
    rate: Vec<f64>,
    extrapolated: Vec<f64>,
    error: Vec<f64>,
    shifted: Vec<f64>,
    /// the end of the step that was attempted
    end: solved::End,
    branches: branches::Branches,
}

impl<'a> FirstOrderStep<'a> {
    pub(crate) fn new(
        system: &'a dyn FirstOrderSystem,
        index: Vec<u8>,
        options: &Options,
        projection: Projection,
    ) -> Self {
        let composition = system.composition();
        let n = composition.n();
        let rows = composition.algebraic_rows().into_iter().enumerate();
        let algebraic: Vec<usize> = rows.filter(|(_, algebraic)| *algebraic).map(|(row, _)| row).collect();
        let indirect = options.algebraic_rows == AlgebraicRows::Indirect && index.iter().all(|&i| i < 2);
        FirstOrderStep {
            indirect: (indirect && !algebraic.is_empty())
                .then(|| AlgebraicSolve::new(system, &index, options.linear)),
            multipliers: options.multipliers,
            hidden: HiddenConstraint::new(system, &index, options.linear),
            system,
            layout: Layout::first_order(n),
            stages: FirstOrderStages::new(system, index, options.controller, options.linear),
            projection: HessenbergProjection::new(system, projection),
            algebraic,
            filter: None,
            choice: options.linear,
            kinks: false,
            rough: false,
            stiff: 0.0,
            t: 0.0,
            h: 0.0,
            x: vec![0.0; n],
            rate: vec![0.0; n],
            extrapolated: vec![0.0; n],
            error: vec![0.0; n],
            shifted: vec![0.0; n],
            end: solved::End::of(n),
            branches: branches::Branches::default(),
        }
    }

    /// Solves ((g/h) E − J) e = f − E p_k(0) and measures e.
    fn filtered(
        &mut self,
        method: &Coefficients,
        scales: &Scales,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        if !self.stages.solve_filter(method, &mut self.error, count) {
            let composition = self.system.composition();
            let blocks = pencil(composition, self.stages.jacobian_of_filter());
            let name = |row: usize| composition.variables.get(row).cloned().unwrap_or_default();
            count.factorizations += 1;
            let filter = filter_matrix(&mut self.filter, composition, self.choice);
            filter
                .assemble_and_factor(&blocks, pencil_scales(method.g, self.h))
                .map_err(|s| StepFailure::singular(s, name))?;
            filter.solve(&mut self.error);
            count.solves += 1;
        }
        Ok(self.norm_of_error(scales))
    }

    fn norm_of_error(&self, scales: &Scales) -> f64 {
        let square = twice_weighted_square(&self.error, scales.inverse(), self.stages.weights());
        root_mean(square, self.error.len())
    }

    /// An estimate of so many stages, or a larger one where the solution is not as smooth as their order needs.
    ///
    /// That the result is better than the estimate by the power s − 2 of h, as `allowed` takes for granted, needs
    /// derivatives that go on to fall with h. The estimate without the last stage, O(h^s), shows how fast they do: by
    /// the ratio ρ of both. The error of the result is then ρ^(s−2) times the estimate, and across a kink, where ρ is
    /// about 1, no better than it.
    fn as_smooth_as_expected(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        norm: f64,
        scales: &Scales,
        allowed: f64,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let (s, rtol) = (method.stages, scales.rtol());
        if s < SMOOTHNESS_MATTERS_FROM || norm <= rtol || !(self.kinks || self.crosses_branch()) {
            return Ok(norm);
        }
        self.error.copy_from_slice(&self.rate);
        self.subtract_extrapolated(&method.at_zero_without_last, unknowns);
        let lower = self.filtered(method, scales, count)?;
        let ratio = (norm / lower.max(f64::MIN_POSITIVE)).min(1.0);
        let result = norm * ratio.powi(s as i32 - 2);
        let power = (s + 1) as f64 / method.order as f64;
        self.rough = result > rtol;
        Ok(larger(norm, allowed * (result / rtol).powf(power)))
    }

    /// Completes the right-hand side of the estimate: f − E p_k(0). What an algebraic equation was left with at the beginning
    /// of the step is no error of the step, and would not fall with its length.
    fn subtract_extrapolated(&mut self, at_zero: &[f64], unknowns: &[f64]) {
        let composition = self.system.composition();
        extrapolate(at_zero, unknowns, self.stages.size(), &mut self.extrapolated);
        composition.mass.multiply_add(&composition.mass_values, &self.extrapolated, &mut self.error, -1.0);
        self.algebraic.iter().for_each(|&row| self.error[row] = 0.0);
    }
}

impl StepEquations for FirstOrderStep<'_> {
    fn stages(&mut self) -> &mut dyn StageEquations {
        &mut self.stages
    }

    fn layout(&self) -> Layout {
        self.layout
    }

    fn settle(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        if !self.end.hand_over(y, &mut self.rate) {
            self.system.rate(t, y, &mut self.rate)?;
            count.rhs += 1;
        }
        self.t = t;
        self.x.copy_from_slice(y);
        Ok(())
    }

    fn memory(&mut self, memory: &mut Memory<'_>) {
        memory.field(&mut self.h);
        memory.list(&mut self.rate);
    }

    fn go_on_from(&mut self, t: f64, y: &[f64]) {
        self.t = t;
        self.x.copy_from_slice(y);
    }

    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        self.stages.matrices.exchange_pivots(pivots);
        if pivots.number(usize::from(self.filter.is_some())) == 0 {
            self.filter = None;
        } else {
            pivots.exchange(filter_matrix(&mut self.filter, self.system.composition(), self.choice));
        }
        self.indirect.iter_mut().for_each(|indirect| pivots.exchange(&mut indirect.saddle));
        self.hidden.iter_mut().for_each(|hidden| pivots.exchange(&mut hidden.saddle));
    }

    fn approach(
        &mut self,
        _method: &Coefficients,
        t: f64,
        _y: &[f64],
        _count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.h = t - self.t;
        Ok(())
    }

    fn estimate(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        scales: &Scales,
        allowed: f64,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        (self.rough, self.stiff) = (false, 0.0);
        self.error.copy_from_slice(&self.rate);
        self.subtract_extrapolated(&method.at_zero, unknowns);
        let norm = self.filtered(method, scales, count)?;
        if norm < allowed {
            self.stiff = self.stiff_part(method, norm, scales, count)?;
            let error = self.as_smooth_as_expected(method, unknowns, norm, scales, allowed, count)?;
            if error < allowed && self.stiff < 1.0 {
                let checked = self.check_last_stage(method, unknowns, scales, count);
                checked.inspect_err(|failure| self.count_unsolved(failure))?;
            }
            return Ok(error);
        }
        // Filtered once more before the step is rejected: stiff components cannot then feign an error
        // (Hairer and Wanner, eq. IV.8.21).
        for (shifted, (x, error)) in self.shifted.iter_mut().zip(self.x.iter().zip(&self.error)) {
            *shifted = x + error;
        }
        count.rhs += 1;
        if self.system.rate(self.t, &self.shifted, &mut self.error).is_err() {
            return Ok(norm);
        }
        self.subtract_extrapolated(&method.at_zero, unknowns);
        self.filtered(method, scales, count)
    }

    fn check_solved(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        scales: &Scales,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.check_last_stage(method, unknowns, scales, count)
    }

    fn filter(
        &mut self,
        method: &Coefficients,
        error: &mut [f64],
        scales: &Scales,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let composition = self.system.composition();
        self.error.fill(0.0);
        let factor = method.g / self.h;
        composition.mass.multiply_add(&composition.mass_values, error, &mut self.error, factor);
        self.filtered(method, scales, count)
    }

    fn norm(&self, error: &[f64], scales: &Scales) -> f64 {
        let mut square = 0.0;
        for (i, (error, scale)) in error.iter().zip(scales.inverse()).enumerate() {
            let controlled = self.projection.as_ref().is_some_and(|projection| projection.corrects(i));
            let weight = if controlled { 1.0 } else { self.stages.weight_without_higher_index(i) };
            square += (error * scale * weight).powi(2);
        }
        root_mean(square, error.len())
    }

    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        if let Some(equations) = &mut self.indirect {
            equations.solve(t, y, count)?;
        }
        match &mut self.projection {
            Some(projection) => projection.project(t, y, count),
            None => Ok(()),
        }
    }

    fn complete(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        self.project(t, y, count)?;
        self.refine(t, y, count);
        Ok(())
    }

    fn refine(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) {
        if self.multipliers == Multipliers::FromStages || self.h == 0.0 {
            return;
        }
        if let Some(hidden) = &mut self.hidden {
            hidden.solve(t, self.h, y, count);
        }
        if let Some(projection) = &mut self.projection {
            projection.multipliers(t, self.h, y, count);
        }
    }

    fn expect_kinks(&mut self, kinks: bool) {
        self.kinks = kinks;
    }

    fn is_rough(&self) -> bool {
        self.rough
    }

    fn error_of_stiff_components(&self) -> f64 {
        self.stiff
    }

    fn warning(&self) -> Option<&str> {
        self.end.warning.as_deref()
    }

    fn stage_rates(&self, _method: &Coefficients, unknowns: &[f64], rates: &mut [f64]) {
        rates.copy_from_slice(unknowns);
    }

    fn rate(&self, rate: &mut [f64]) {
        rate.copy_from_slice(&self.rate);
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        match &mut self.projection {
            Some(projection) => projection.residuals(self.t, &self.x),
            None => Ok([0.0; 3]),
        }
    }
}

/// The matrix of the filter, made when it is needed.
fn filter_matrix<'f>(
    filter: &'f mut Option<Saddle>,
    composition: &Composition,
    choice: Choice,
) -> &'f mut Saddle {
    filter.get_or_insert_with(|| {
        let pattern = SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone());
        Saddle::new(&pattern, choice)
    })
}
