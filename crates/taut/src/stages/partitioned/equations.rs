//! The equations (17) of Jay 1998 for a partitioned system in the form y' = Σ f⁽ᵐ⁾, (M(y) z)' = Σ k⁽ᵐ⁾, 0 = g(t, y).
//!
//! With the unknowns of [`Unknowns`] the residuals are Wᵢ − Σ Σ a⁽ᵐ⁾ᵢⱼ f⁽ᵐ⁾ⱼ (17a), the same with Lobatto IIIA for Xᵢ where
//! that is not the same, M(Yᵢ) Zᵢ − M(y₀) z₀ − h Σ Σ a⁽ᵐ⁾ᵢⱼ k⁽ᵐ⁾ⱼ of stages and end (17b), (17f), g/h at y₀ + h Xᵢ from the
//! second stage on (17c), (17e), and g_t + G f at the end (17g) in the place of the first, where g(y₀) = 0 already.

use super::coefficients::PartitionedCoefficients;
use super::reached::Reached;
use super::unknowns::Unknowns;
use crate::control::error_norm::{Scales, larger, root_mean, weighted_square};
use crate::equations::Layout;
use crate::geometry::partitioned::sum_of_rates;
use crate::motion::Statistics;
use crate::stages::spark::end::two_sum;
use crate::stages::spark::equations::{add_multiple, of_stage};
use crate::stages::step_residuals::StepResiduals;
use crate::system::{Fault, PartitionState, PartitionedSystem};

/// The equations of one step.
pub(crate) struct PartitionedEquations<'a> {
    pub(crate) system: &'a dyn PartitionedSystem,
    pub(crate) method: PartitionedCoefficients,
    pub(crate) unknowns: Unknowns,
    layout: Layout,
    pub(crate) t: f64,
    pub(crate) h: f64,
    y: Vec<f64>,
    /// M(y₀) z₀
    momentum: Vec<f64>,
    /// what is missing in y₀ and in M(y₀) z₀
    lost: [Vec<f64>; 2],
    /// y' at the beginning
    rate: Vec<f64>,
    /// Y₁ … Y_s
    pub(crate) firsts: Vec<f64>,
    /// where constraints are imposed; the last one is the end of the step
    pub(crate) constrained: Vec<f64>,
    /// U₁ … U_s
    pub(crate) multipliers: Vec<f64>,
    /// f⁽ᵐ⁾, then k⁽ᵐ⁾ of each part at each stage
    rates: Vec<f64>,
    /// f, then k of all parts at the end of the step
    end_rates: Vec<f64>,
    /// of one part
    part_rates: Vec<f64>,
    constraint: Vec<f64>,
    curvature: Vec<f64>,
}

impl<'a> PartitionedEquations<'a> {
    pub(crate) fn new(system: &'a dyn PartitionedSystem, method: PartitionedCoefficients) -> Self {
        let structure = system.structure();
        let (n, p, m, stages) = (structure.n(), structure.p(), structure.m(), method.stages);
        PartitionedEquations {
            system,
            unknowns: Unknowns { stages, n, p, m, apart: method.apart },
            layout: Layout::partitioned(n, p, m),
            t: 0.0,
            h: 0.0,
            y: vec![0.0; n],
            momentum: vec![0.0; p],
            lost: [vec![0.0; n], vec![0.0; p]],
            rate: vec![0.0; n],
            firsts: vec![0.0; stages * n],
            constrained: vec![0.0; stages * n],
            multipliers: vec![0.0; stages * m],
            rates: vec![0.0; method.parts.len() * stages * (n + p)],
            end_rates: vec![0.0; n + p],
            part_rates: vec![0.0; n + p],
            constraint: vec![0.0; m],
            curvature: vec![0.0; m],
            method,
        }
    }

    /// Starts a step of length h at a state.
    pub(crate) fn begin(&mut self, h: f64, here: &Reached) {
        (self.t, self.h) = (here.t, h);
        self.y.copy_from_slice(&here.state[self.layout.q()]);
        self.momentum.copy_from_slice(&here.momentum);
        self.rate.copy_from_slice(&here.first_rate);
        self.lost[0].copy_from_slice(&here.lost[0]);
        self.lost[1].copy_from_slice(&here.lost[1]);
    }

    /// The time of stage i; number s is the end.
    pub(crate) fn time(&self, i: usize) -> f64 {
        self.t + self.h * self.method.c.get(i).copied().unwrap_or(1.0)
    }

    /// Yᵢ, where constraints are imposed, and Uᵢ.
    pub(crate) fn place_stages(&mut self, x: &[f64]) {
        let (unknowns, h) = (self.unknowns, self.h);
        let Unknowns { n, m, stages, .. } = unknowns;
        for i in 0..stages {
            for (places, range) in [
                (&mut self.firsts[of_stage(i, n)], unknowns.first(i)),
                (&mut self.constrained[of_stage(i, n)], unknowns.constrained(i)),
            ] {
                let moved = x[range].iter().zip(&self.lost[0]).map(|(x, lost)| h * x + lost);
                for ((place, y), moved) in places.iter_mut().zip(&self.y).zip(moved) {
                    *place = y + moved;
                }
            }
            for (u, hu) in self.multipliers[of_stage(i, m)].iter_mut().zip(&x[unknowns.multipliers(i)]) {
                *u = hu / h;
            }
        }
    }

    /// The state of stage i, which was placed; number s is the end of the step, with the multipliers of the last stage.
    pub(crate) fn stage<'s>(&'s self, i: usize, x: &'s [f64]) -> PartitionState<'s> {
        let Unknowns { n, m, stages, .. } = self.unknowns;
        let last = i.min(stages - 1);
        let y = if i < stages { &self.firsts[of_stage(i, n)] } else { &self.constrained[of_stage(last, n)] };
        let (z, u) = (&x[self.unknowns.second(i)], &self.multipliers[of_stage(last, m)]);
        PartitionState { t: self.time(i), y, z, u }
    }

    /// The rates of part number g at stage i.
    fn part(&self, g: usize, i: usize) -> (&[f64], &[f64]) {
        let Unknowns { n, p, stages, .. } = self.unknowns;
        self.rates[of_stage(g * stages + i, n + p)].split_at(n)
    }

    /// Evaluates all parts at all stages.
    fn evaluate_stages(&mut self, x: &[f64], count: &mut Statistics) -> Result<(), Fault> {
        let Unknowns { n, p, stages, .. } = self.unknowns;
        self.place_stages(x);
        let mut rates = std::mem::take(&mut self.rates);
        let mut evaluated = Ok(());
        for (k, rates) in rates.chunks_exact_mut(n + p).enumerate() {
            let (part, at) = (self.method.parts[k / stages].part, self.stage(k % stages, x));
            evaluated = evaluated.and_then(|()| self.system.rates(part, at, rates));
        }
        self.rates = rates;
        count.rhs += stages;
        evaluated
    }

    /// f and k of all parts at the end of the step.
    fn evaluate_end(&mut self, x: &[f64]) -> Result<(), Fault> {
        let mut sum = std::mem::take(&mut self.end_rates);
        let mut rates = std::mem::take(&mut self.part_rates);
        let evaluated = sum_of_rates(self.system, self.stage(self.unknowns.stages, x), &mut sum, &mut rates);
        (self.end_rates, self.part_rates) = (sum, rates);
        evaluated
    }

    /// y and M z at the end of the step, and what their sums lose. Rates are evaluated once more: they have to be those of
    /// the unknowns `x`, or what is lost between them adds up.
    pub(crate) fn end(&mut self, x: &[f64], end: &mut Reached, count: &mut Statistics) -> Result<(), Fault> {
        self.evaluate_stages(x, count)?;
        let (unknowns, h) = (self.unknowns, self.h);
        let Reached { state, momentum, lost: [lost_y, lost_p], .. } = end;
        lost_y.fill(0.0);
        momentum.fill(0.0);
        for i in 0..unknowns.stages {
            let weight = self.method.a[(unknowns.stages, i)];
            for g in 0..self.method.parts.len() {
                let (f, k) = self.part(g, i);
                add_multiple(lost_y, weight, f);
                add_multiple(momentum, weight, k);
            }
        }
        let (y, z, u) = self.layout.split_mut(state);
        for (k, y) in y.iter_mut().enumerate() {
            (*y, lost_y[k]) = two_sum(self.y[k], h * lost_y[k] + self.lost[0][k]);
        }
        for (k, p) in momentum.iter_mut().enumerate() {
            (*p, lost_p[k]) = two_sum(self.momentum[k], h * *p + self.lost[1][k]);
        }
        z.copy_from_slice(&x[unknowns.second(unknowns.stages)]);
        u.copy_from_slice(&self.multipliers[of_stage(unknowns.stages - 1, unknowns.m)]);
        Ok(())
    }

    /// The two parts of the error estimate (38): h Σ eᵢ fᵢ of y and h Σ eᵢ kᵢ of M z.
    ///
    /// With two stages and Lobatto IIIB both have the same z: the rates of y are then those of beginning and end.
    pub(crate) fn estimate(&mut self, x: &[f64], of_y: &mut [f64], of_p: &mut [f64]) -> Result<(), Fault> {
        self.evaluate_end(x)?;
        of_y.fill(0.0);
        of_p.fill(0.0);
        for (i, weight) in self.method.error_weights.iter().enumerate() {
            let weight = self.h * weight;
            for g in 0..self.method.parts.len() {
                let (f, k) = self.part(g, i);
                add_multiple(of_p, weight, k);
                if self.unknowns.stages > 2 {
                    add_multiple(of_y, weight, f);
                }
            }
            if self.unknowns.stages == 2 {
                add_multiple(of_y, weight, if i == 0 { &self.rate } else { &self.end_rates });
            }
        }
        Ok(())
    }
}

impl StepResiduals for PartitionedEquations<'_> {
    fn residual(&mut self, x: &[f64], residual: &mut [f64], count: &mut Statistics) -> Result<(), Fault> {
        let (unknowns, h, stages) = (self.unknowns, self.h, self.unknowns.stages);
        self.evaluate_stages(x, count)?;
        residual.copy_from_slice(x);
        for r in 0..=stages {
            let at = self.stage(r, x);
            self.system.momentum(at.y, at.z, &mut residual[unknowns.second(r)])?;
            let balance = residual[unknowns.second(r)].iter_mut();
            for ((row, momentum), lost) in balance.zip(&self.momentum).zip(&self.lost[1]) {
                *row -= momentum + lost;
            }
            for (g, part) in self.method.parts.iter().enumerate() {
                for j in 0..stages {
                    let ((f, k), n) = (self.part(g, j), unknowns.n);
                    for (i, (row, k)) in residual[unknowns.second(r)].iter_mut().zip(k).enumerate() {
                        *row -= h * self.method.of_rate(part, (r, j), n + i, n) * k;
                    }
                    if r < stages {
                        for (i, (row, f)) in residual[unknowns.first(r)].iter_mut().zip(f).enumerate() {
                            *row -= self.method.of_rate(part, (r, j), i, n) * f;
                        }
                    }
                    if r < stages && unknowns.apart {
                        add_multiple(&mut residual[unknowns.constrained(r)], -self.method.a[(r, j)], f);
                    }
                }
            }
        }
        if unknowns.m == 0 {
            return Ok(());
        }
        for i in 1..stages {
            let y = &self.constrained[of_stage(i, unknowns.n)];
            let rows = &mut residual[unknowns.multipliers(i)];
            self.system.constraint(self.t + self.h * self.method.c[i], y, rows)?;
            rows.iter_mut().for_each(|row| *row /= h);
        }
        self.evaluate_end(x)?;
        let (y, rate) = (&self.constrained[of_stage(stages - 1, unknowns.n)], &self.end_rates[..unknowns.n]);
        self.system.along(self.t + h, y, rate, &mut self.constraint, &mut self.curvature)?;
        residual[unknowns.multipliers(0)].copy_from_slice(&self.constraint);
        Ok(())
    }

    /// The size of an update, of y at all stages and of z at the end.
    fn size(&self, update: &[f64], scales: &Scales) -> f64 {
        let Unknowns { stages, n, p, .. } = self.unknowns;
        let (y_scales, z_scales, _) = self.layout.split(scales.inverse());
        let squares = (0..stages).map(|i| weighted_square(&update[self.unknowns.first(i)], y_scales));
        let firsts = self.h.abs() * root_mean(squares.sum(), stages * n);
        larger(firsts, root_mean(weighted_square(&update[self.unknowns.second(stages)], z_scales), p))
    }

    /// What a rounding error of the largest y or z means in the norm of [`Self::size`].
    fn rounding(&self, x: &[f64], scales: &Scales) -> f64 {
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let (y_scales, z_scales, _) = self.layout.split(scales.inverse());
        let z = &x[self.unknowns.second(self.unknowns.stages)];
        f64::EPSILON * (largest(&self.y) * largest(y_scales)).max(largest(z) * largest(z_scales)).max(1.0)
    }
}
