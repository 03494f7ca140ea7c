//! Projections onto the constraint manifold: (2.7), (2.8) of Schropp 2003, which for mechanical systems change positions and
//! velocities least in the norm of M.

use super::Manifold;
use super::accelerations::is_small_change;
use crate::control::error_norm::larger;
use crate::failure::StepFailure;
use crate::geometry::falling::{Left, correct_while_falling};
use crate::motion::Statistics;
use crate::options::Projection;

/// What is this share of rounding errors need not be looked at.
const TRUSTED_SHARE: f64 = 0.1;
/// Residuals of constraints below so many units of rounding count as zero.
const ROUNDING_UNITS: f64 = 1.0;
/// Those of positions that are given with all digits are a few of them: each is rounded, and the formula adds its own.
const WRITTEN_UNITS: f64 = 8.0;

impl Manifold<'_> {
    fn jacobian_scale(&self) -> f64 {
        largest(self.rigid_jacobian())
    }

    /// The rounding error of a residual of something of the size 1.
    fn rounding_scale(&self) -> f64 {
        ROUNDING_UNITS * f64::EPSILON * self.jacobian_scale()
    }

    /// Whether the positions that everything was evaluated at last are on the rods, as far as numbers written down can be.
    pub(crate) fn holds(&self, q: &[f64]) -> bool {
        self.size_of_rows(&self.evaluated.constraint) <= WRITTEN_UNITS * self.rounding_scale() * largest(q)
    }

    /// Corrects `x` until `residual` of it vanishes to rounding, with the factors at hand.
    fn correct(
        &mut self,
        x: &mut [f64],
        count: &mut Statistics,
        residual: impl Fn(&[f64], &mut [f64]) -> Result<(), crate::system::Fault>,
    ) -> Result<(), StepFailure> {
        let left = correct_while_falling(
            &mut (&mut *self, x),
            |(this, x)| {
                residual(x, &mut this.correction[this.n..])?;
                let found = this.largest_row(&this.correction[this.n..]).0;
                Ok([found, this.rounding_scale() * largest(x)])
            },
            |(this, x)| {
                this.solve_correction(count);
                add(&this.correction, x);
            },
        )?;
        self.check(left, &self.correction[self.n..])
    }

    /// Fails where corrections have left more than rounding in these rows.
    fn check(&self, left: Left, rows: &[f64]) -> Result<(), StepFailure> {
        left.unless_small(self.jacobian_scale()).map_err(|residual| {
            let constraint = self.structure().constraints[self.largest_row(rows).1].name.clone();
            StepFailure::Projection { constraint, residual }
        })
    }

    /// Moves positions onto g(t, q) = 0, of springs in smooth motion onto g = c λ − d g'. Those that creep stay as long as
    /// they are.
    pub(crate) fn project_positions(
        &mut self,
        t: f64,
        q: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let system = self.system;
        let (stretching, creeping) =
            (std::mem::take(&mut self.stretching[0]), std::mem::take(&mut self.creeping));
        let corrected = self.correct(q, count, |q, g| {
            system.constraint(t, q, g)?;
            for (g, (stretching, creeps)) in g.iter_mut().zip(stretching.iter().zip(&creeping)) {
                *g = if *creeps { 0.0 } else { *g - stretching };
            }
            Ok(())
        });
        (self.stretching[0], self.creeping) = (stretching, creeping);
        corrected
    }

    /// One step towards the positions with g(t, q) = 0 that are closest to `origin` in the norm of M: solves
    /// M (d + q − origin) + Gᵀμ = 0, G d = −g with what was evaluated last. Returns |d| relative to |q|.
    pub(crate) fn approach_closest(
        &mut self,
        t: f64,
        origin: &[f64],
        q: &mut [f64],
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let (balance, rows) = self.correction.split_at_mut(self.n);
        let moved: Vec<f64> = q.iter().zip(origin).map(|(q, origin)| q - origin).collect();
        balance.fill(0.0);
        self.system.structure().mass.multiply_add(&self.evaluated.mass, &moved, balance, -1.0);
        self.system.constraint(t, q, rows)?;
        clear_springs(&self.compliance, rows);
        rows.iter_mut().for_each(|row| *row = -*row);
        self.saddle.solve(&mut self.correction);
        count.solves += 1;
        let mut size = (0.0_f64, 1.0_f64);
        for (q, d) in q.iter_mut().zip(&self.correction) {
            *q += d;
            size = (larger(size.0, d.abs()), larger(size.1, q.abs()));
        }
        Ok(size.0 / size.1)
    }

    /// Moves a state onto its constraints, as far as a projection does that.
    pub(crate) fn project(
        &mut self,
        projection: Projection,
        t: f64,
        (q, v): (&mut [f64], &mut [f64]),
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if projection == Projection::None {
            return Ok(());
        }
        self.evaluate_geometry(t, q, v)?;
        self.factor(count)?;
        if projection == Projection::Full {
            self.project_positions(t, q, count)?;
        }
        self.project_velocities(t, q, v, count)
    }

    /// Moves velocities onto G v + g_t = 0 (and h = 0), of springs in smooth motion onto G v + g_t = c λ' − d g'', of those
    /// that creep onto (c λ − g)/d.
    pub(crate) fn project_velocities(
        &mut self,
        t: f64,
        q: &[f64],
        v: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let system = self.system;
        count.projections += 1;
        self.find_creep(t, q)?;
        let (stretching, creep) = (std::mem::take(&mut self.stretching[1]), std::mem::take(&mut self.creep));
        let corrected = self.correct(v, count, |v, rate| {
            system.constraint_rate(t, q, v, rate)?;
            for (rate, (stretching, creep)) in rate.iter_mut().zip(stretching.iter().zip(&creep)) {
                *rate -= stretching - creep;
            }
            Ok(())
        });
        (self.stretching[1], self.creep) = (stretching, creep);
        corrected
    }

    /// g/d of springs that creep.
    fn find_creep(&mut self, t: f64, q: &[f64]) -> Result<(), StepFailure> {
        if !self.creeping.contains(&true) {
            return Ok(());
        }
        self.system.constraint(t, q, &mut self.creep)?;
        for (k, creep) in self.creep.iter_mut().enumerate() {
            *creep = if self.creeping[k] { *creep / self.relaxation[k] } else { 0.0 };
        }
        Ok(())
    }

    /// Moves a state that is close to the one evaluated and factored last onto its constraints, evaluates M, f, g, G and the
    /// curvature there, and takes accelerations and multipliers along; f and the curvature are those of the velocities as they
    /// came, which differ by no more than their correction.
    ///
    /// Accelerations may be wrong by the given share. Velocities are corrected together with them, with the factors at hand.
    pub(crate) fn project_with_accelerations(
        &mut self,
        t: f64,
        (q, v): (&mut [f64], &mut [f64]),
        (a, lambda): (&mut [f64], &mut [f64]),
        positions: bool,
        share: f64,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let moved = self.place_positions(t, (q, v), positions, count)?;
        self.spring_multipliers(lambda, |_| true);
        self.find_rate(t, (q, v), moved, count)?;
        let mut pair = std::mem::take(&mut self.pair);
        let (rate, balance) = pair.split_at_mut(self.correction.len());
        rate[..self.n].fill(0.0);
        self.write_opposite(&self.evaluated.rate, &mut rate[self.n..]);
        self.write_balance(a, lambda, true, balance);
        self.saddle.solve_together(&mut pair);
        count.solves += 2;
        count.projections += 1;
        let (rate, balance) = pair.split_at(self.correction.len());
        add(&balance[..self.n], a);
        add(&balance[self.n..], lambda);
        let small = is_small_change(&balance[..self.n], a, share);
        let corrected = self.correct_velocities(v, &rate[..self.n], count);
        self.pair = pair;
        corrected?;
        if small {
            self.check_accelerations(t, a, lambda)
        } else {
            self.refine_accelerations(t, a, lambda, share, count)
        }
    }

    /// G v + g_t (and h) where positions have moved so far since G was evaluated.
    fn find_rate(
        &mut self,
        t: f64,
        (q, v): (&[f64], &mut [f64]),
        moved: f64,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if moved == 0.0 && self.rate_is_a_product {
            self.evaluated.rate.fill(0.0);
            self.pattern.multiply_add(&self.evaluated.jacobian, v, &mut self.evaluated.rate, 1.0);
            return Ok(());
        }
        self.system.constraint_rate(t, q, v, &mut self.evaluated.rate)?;
        let rate = self.size_of_rows(&self.evaluated.rate);
        // Corrections would miss what G has changed by.
        if moved * rate > TRUSTED_SHARE * self.rounding_scale() * largest(v) {
            self.project_velocities(t, q, v, count)?;
            self.evaluated.rate.fill(0.0);
        }
        Ok(())
    }

    /// Moves positions onto g = 0 and evaluates everything there. Returns how far they have moved since.
    ///
    /// They are corrected with g of their own, which from close by is known without another evaluation; what is left of it
    /// comes with the evaluation.
    fn place_positions(
        &mut self,
        t: f64,
        (q, v): (&mut [f64], &mut [f64]),
        positions: bool,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let mut before = 0.0;
        if positions {
            self.predict_constraints(t, q)?;
            before = self.size_of_rows(&self.correction[self.n..]);
            self.solve_correction(count);
            add(&self.correction, q);
        }
        self.evaluate(t, q, v, count)?;
        let left = self.size_of_rows(&self.evaluated.constraint);
        let scale = self.rounding_scale();
        if !positions || left <= scale * largest(q) {
            return Ok(0.0);
        }
        self.correction[self.n..].copy_from_slice(&self.evaluated.constraint);
        self.solve_correction(count);
        add(&self.correction, q);
        if left * (left / before) > scale {
            self.project_positions(t, q, count)?;
            self.evaluate(t, q, v, count)?;
            return Ok(0.0);
        }
        Ok(left * f64::EPSILON / scale)
    }

    /// g at positions close to where it was evaluated last, in the rows of the correction: g + G Δq where the square of Δq is
    /// rounding, evaluated where it is not.
    fn predict_constraints(&mut self, t: f64, q: &[f64]) -> Result<(), StepFailure> {
        for (at, q) in self.at.iter_mut().zip(q) {
            *at = q - *at;
        }
        let rows = &mut self.correction[self.n..];
        if !self.all_holonomic || largest(&self.at) > f64::EPSILON.sqrt() * largest(q) {
            return Ok(self.system.constraint(t, q, rows)?);
        }
        rows.copy_from_slice(&self.evaluated.constraint);
        self.pattern.multiply_add(&self.evaluated.jacobian, &self.at, rows, 1.0);
        Ok(())
    }

    /// The largest row of a rod, and which rod it is; no number where one of them is none.
    fn largest_row(&self, rows: &[f64]) -> (f64, usize) {
        let mut found = (0.0, 0);
        for (k, (row, spring)) in rows.iter().zip(&self.followed).enumerate() {
            if *spring == 0.0 && (row.abs() > found.0 || row.is_nan()) {
                found = (row.abs(), k);
            }
        }
        found
    }

    /// The largest row of a rod.
    fn size_of_rows(&self, rows: &[f64]) -> f64 {
        if self.has_springs { self.largest_row(rows).0 } else { largest(rows) }
    }

    /// Adds a first correction of the velocities, found with factors of a state close by, and further ones until
    /// G v + g_t = 0 (and h = 0) to rounding; the rate is that before the first.
    fn correct_velocities(
        &mut self,
        v: &mut [f64],
        first: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let rounding = self.rounding_scale() * largest(v);
        let mut first = Some(first);
        let left = correct_while_falling(
            &mut (&mut *self, v),
            |(this, _)| Ok([this.size_of_rows(&this.evaluated.rate), rounding]),
            |(this, v)| {
                match first.take() {
                    Some(first) => this.correction[..this.n].copy_from_slice(first),
                    None => {
                        this.correction[this.n..].copy_from_slice(&this.evaluated.rate);
                        this.solve_correction(count);
                    }
                }
                add(&this.correction, v);
                let jacobian = if this.has_springs { &this.rigid_jacobian } else { &this.evaluated.jacobian };
                let change = &this.correction[..this.n];
                this.pattern.multiply_add(jacobian, change, &mut this.evaluated.rate, 1.0);
            },
        )?;
        self.check(left, &self.evaluated.rate)
    }

    /// Takes the part of positions away that is normal to the manifold: e − M⁻¹Gᵀ(G M⁻¹Gᵀ)⁻¹ G e. Springs that creep do not
    /// restrict positions.
    pub(crate) fn project_tangent_positions(&mut self, e: &mut [f64], count: &mut Statistics) {
        self.normal_part(e);
        for (row, creeps) in self.correction[self.n..].iter_mut().zip(&self.creeping) {
            *row = if *creeps { 0.0 } else { *row };
        }
        self.subtract_normal_part(e, count);
    }

    /// The same for velocities, which springs that creep restrict, too.
    pub(crate) fn project_tangent(&mut self, e: &mut [f64], count: &mut Statistics) {
        self.normal_part(e);
        self.subtract_normal_part(e, count);
    }

    /// G e
    fn normal_part(&mut self, e: &[f64]) {
        self.correction[self.n..].fill(0.0);
        let jacobian = if self.has_springs { &self.rigid_jacobian } else { &self.evaluated.jacobian };
        self.pattern.multiply_add(jacobian, e, &mut self.correction[self.n..], 1.0);
    }

    fn subtract_normal_part(&mut self, e: &mut [f64], count: &mut Statistics) {
        self.solve_correction(count);
        for (e, correction) in e.iter_mut().zip(&self.correction) {
            *e += correction;
        }
    }
}

/// The largest |xᵢ|.
pub(super) fn largest(x: &[f64]) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let (blocks, rest) = x.as_chunks::<4>();
    // Several at once, so that the compiler may use vector registers.
    let mut top = [0.0; 4];
    for block in blocks {
        for (top, x) in top.iter_mut().zip(block) {
            *top = larger(*top, x.abs());
        }
    }
    rest.iter().map(|x| x.abs()).chain(top).fold(0.0, larger)
}

/// Adds a correction to what it corrects.
pub(super) fn add(correction: &[f64], x: &mut [f64]) {
    for (x, correction) in x.iter_mut().zip(correction) {
        *x += correction;
    }
}

/// Takes the rows of springs out.
fn clear_springs(compliance: &[f64], rows: &mut [f64]) {
    for (row, compliance) in rows.iter_mut().zip(compliance) {
        if *compliance > 0.0 {
            *row = 0.0;
        }
    }
}
