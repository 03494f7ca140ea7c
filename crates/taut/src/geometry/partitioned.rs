//! The constraints of a partitioned system at one state, the hidden ones (2d) and (2e) of Jay 1998 too.
//!
//! Everything here is one factorisation of [M −k_u; G f_z 0], regular where G f_z M⁻¹ k_u is (condition 3): corrections of
//! y along f_z M⁻¹ k_u and of z along M⁻¹ k_u (Schropp 2003, eq. 2.7 and 2.8), and z' and u from (2e).

use super::falling::correct_while_falling;
use super::product::Product;
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::linear::{Blocks, Choice, Pattern, Pivots, Saddle, SaddlePattern, Scales};
use crate::motion::Statistics;
use crate::system::{Fault, PartitionState, PartitionedSystem};

/// A correction gives up after so many rounds.
const MOST_CORRECTIONS: usize = 12;

/// Which of the constraints are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// g(t, y) = 0, for which y is moved
    First,
    /// g_t + G f = 0 (2d), for which z is moved
    Second,
}

/// The constraints at one state.
pub(crate) struct HiddenConstraints<'a> {
    system: &'a dyn PartitionedSystem,
    layout: Layout,
    end_rate: Product,
    /// where the entries of ∂(M z)/∂z, −k_u and G f_z lie in the matrix, and where they come from
    mass_places: Vec<(usize, usize)>,
    reaction_places: Vec<(usize, usize)>,
    end_rate_places: Vec<usize>,
    matrix: Vec<f64>,
    factors: Saddle,
    /// ∂(f, k)/∂(y, z, u) of all parts, ∂(M z)/∂(y, z) and G
    rate_derivatives: Vec<f64>,
    part_derivatives: Vec<f64>,
    momentum_derivatives: Vec<f64>,
    jacobian: Vec<f64>,
    /// f, then k
    rates: Vec<f64>,
    part_rates: Vec<f64>,
    drift: Vec<f64>,
    curvature: Vec<f64>,
    constraint: Vec<f64>,
    /// a right-hand side and its solution: of z, then of u
    solution: Vec<f64>,
    /// a displacement (y, z, u)
    displacement: Vec<f64>,
}

impl<'a> HiddenConstraints<'a> {
    pub(crate) fn new(system: &'a dyn PartitionedSystem, choice: Choice) -> Self {
        let structure = system.structure();
        let (n, p, m) = (structure.n(), structure.p(), structure.m());
        let end_rate = Product::of_end_rate(structure);
        let masses = || {
            structure
                .momentum
                .entries()
                .enumerate()
                .filter(|(_, (_, j))| *j >= n)
                .map(|(e, (i, j))| (e, (i, j - n)))
        };
        let reactions = || {
            let entries = structure.rates.entries().enumerate();
            entries.filter(|(_, (i, j))| *i >= n && *j >= n + p).map(|(e, (i, j))| (e, (i - n, j - n)))
        };
        let end_rates = || end_rate.entries().map(|(k, j)| (p + k, j));
        let (pattern, (mass_places, reaction_places, end_rate_places)) =
            Pattern::with_places(p + m, p + m, |place| {
                let mut placed = |(e, (i, j)): (usize, (usize, usize))| (e, place(i, j));
                let blocks = (masses().map(&mut placed).collect(), reactions().map(&mut placed).collect());
                (blocks.0, blocks.1, end_rates().map(|(i, j)| place(i, j)).collect())
            });
        HiddenConstraints {
            system,
            layout: Layout::partitioned(n, p, m),
            mass_places,
            reaction_places,
            end_rate_places,
            matrix: vec![0.0; pattern.nnz()],
            factors: Saddle::new(
                &SaddlePattern::pencil(pattern.clone(), Pattern::empty(p + m, p + m)),
                choice,
            ),
            end_rate,
            rate_derivatives: vec![0.0; structure.rates.nnz()],
            part_derivatives: vec![0.0; structure.rates.nnz()],
            momentum_derivatives: vec![0.0; structure.momentum.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            rates: vec![0.0; n + p],
            part_rates: vec![0.0; n + p],
            drift: vec![0.0; n],
            curvature: vec![0.0; m],
            constraint: vec![0.0; m],
            solution: vec![0.0; p + m],
            displacement: vec![0.0; n + p + m],
        }
    }

    fn at<'s>(&self, t: f64, state: &'s [f64]) -> PartitionState<'s> {
        let (y, z, u) = self.layout.split(state);
        PartitionState { t, y, z, u }
    }

    /// Evaluates and factors the matrix at a state.
    pub(crate) fn factor(
        &mut self,
        t: f64,
        state: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let at = self.at(t, state);
        self.rate_derivatives.fill(0.0);
        for present in &self.system.structure().parts {
            self.system.rate_derivatives(present.part, at, &mut self.part_derivatives)?;
            let parts = self.rate_derivatives.iter_mut().zip(&self.part_derivatives);
            parts.for_each(|(sum, value)| *sum += value);
        }
        self.system.momentum_derivatives(at.y, at.z, &mut self.momentum_derivatives)?;
        self.system.jacobian(t, at.y, &mut self.jacobian)?;
        self.matrix.fill(0.0);
        for &(entry, place) in &self.mass_places {
            self.matrix[place] += self.momentum_derivatives[entry];
        }
        for &(entry, place) in &self.reaction_places {
            self.matrix[place] -= self.rate_derivatives[entry];
        }
        let end_rate = self.end_rate.values(&self.jacobian, &self.rate_derivatives);
        for (&place, value) in self.end_rate_places.iter().zip(end_rate) {
            self.matrix[place] += value;
        }
        count.factorizations += 1;
        let blocks = Blocks {
            mass: &self.matrix,
            damping: &[],
            stiffness: &[],
            jacobian: &[],
            compliance: &[],
            relaxation: &[],
        };
        let (structure, n) = (self.system.structure(), self.layout.n());
        self.factors
            .assemble_and_factor(&blocks, Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 })
            .map_err(|s| StepFailure::singular(s, |row| structure.name(n + row).to_owned()))
    }

    /// Hands pivots over, into a snapshot or out of it.
    pub(crate) fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        pivots.exchange(&mut self.factors);
    }

    /// Replaces `constraint` by the change of z, and of u, that takes it away.
    fn solve_rows(&mut self, count: &mut Statistics) {
        let p = self.layout.v().len();
        self.solution[..p].fill(0.0);
        self.solution[p..].copy_from_slice(&self.constraint);
        self.factors.solve_once(&mut self.solution);
        count.solves += 1;
    }

    /// f_z times the change of z that was found, in the first n places of the displacement.
    fn displace(&mut self) {
        let (n, p) = (self.layout.n(), self.layout.v().len());
        self.displacement.fill(0.0);
        self.displacement[n..n + p].copy_from_slice(&self.solution[..p]);
        self.part_rates.fill(0.0);
        let pattern = &self.system.structure().rates;
        pattern.multiply_add(&self.rate_derivatives, &self.displacement, &mut self.part_rates, 1.0);
        self.displacement[..n].copy_from_slice(&self.part_rates[..n]);
    }

    /// g(t, y), or g_t + G f; returns the largest of them and which one it is.
    fn residual(&mut self, level: Level, t: f64, state: &[f64]) -> Result<(f64, usize), Fault> {
        let at = self.at(t, state);
        match level {
            Level::First => self.system.constraint(t, at.y, &mut self.constraint)?,
            Level::Second => {
                sum_of_rates(self.system, at, &mut self.rates, &mut self.part_rates)?;
                let rate = &self.rates[..at.y.len()];
                self.system.along(t, at.y, rate, &mut self.constraint, &mut self.curvature)?;
            }
        }
        let mut largest = (0.0, 0);
        for (k, residual) in self.constraint.iter().enumerate() {
            if residual.abs() > largest.0 || residual.is_nan() {
                largest = (residual.abs(), k);
            }
        }
        Ok(largest)
    }

    /// Moves y onto g(t, y) = 0, or z onto g_t + G f = 0, to rounding, with the factors at hand.
    pub(crate) fn project(
        &mut self,
        level: Level,
        t: f64,
        state: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if self.layout.m() == 0 {
            return Ok(());
        }
        let scale = self.jacobian.iter().fold(0.0_f64, |scale, g| scale.max(g.abs()));
        let mut worst = 0;
        let left = correct_while_falling(
            &mut (&mut *self, state),
            |(this, state)| {
                let (found, place) = this.residual(level, t, state)?;
                worst = place;
                let size = state.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
                Ok([found, f64::EPSILON * size * scale])
            },
            |(this, state)| {
                this.solve_rows(count);
                match level {
                    Level::First => {
                        this.displace();
                        subtract(&mut state[this.layout.q()], &this.displacement);
                    }
                    Level::Second => subtract(&mut state[this.layout.v()], &this.solution),
                }
            },
        )?;
        left.unless_small(scale).map_err(|residual| {
            let constraint = self.system.structure().constraints[worst].clone();
            StepFailure::Projection { constraint, residual }
        })
    }

    /// Finds y', z', y'' and the multipliers u, of which it improves what is given, from (2e) with the factors at hand.
    pub(crate) fn find_rates(
        &mut self,
        t: f64,
        state: &mut [f64],
        [first_rate, second_rate, bend]: [&mut [f64]; 3],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (n, p) = (self.layout.n(), self.layout.v().len());
        let (pattern, momentum) = (&self.system.structure().rates, &self.system.structure().momentum);
        let mut previous = f64::INFINITY;
        for _ in 0..MOST_CORRECTIONS {
            let at = self.at(t, state);
            sum_of_rates(self.system, at, &mut self.rates, &mut self.part_rates)?;
            count.rhs += 1;
            let rate = &self.rates[..n];
            self.system.drift(at, rate, &mut self.drift)?;
            self.system.along(t, at.y, rate, &mut self.constraint, &mut self.curvature)?;
            // y'' = drift + f_z z', and M z' + M_y(y') z − k
            self.displacement.fill(0.0);
            self.displacement[n..n + p].copy_from_slice(second_rate);
            self.part_rates.fill(0.0);
            pattern.multiply_add(&self.rate_derivatives, &self.displacement, &mut self.part_rates, 1.0);
            for ((bend, drift), of_z) in bend.iter_mut().zip(&self.drift).zip(&self.part_rates) {
                *bend = drift + of_z;
            }
            first_rate.copy_from_slice(rate);
            self.displacement[..n].copy_from_slice(rate);
            let (balance, rows) = self.solution.split_at_mut(p);
            for (balance, k) in balance.iter_mut().zip(&self.rates[n..]) {
                *balance = -k;
            }
            momentum.multiply_add(&self.momentum_derivatives, &self.displacement[..n + p], balance, 1.0);
            rows.copy_from_slice(&self.curvature);
            self.system.structure().jacobian.multiply_add(&self.jacobian, bend, rows, 1.0);
            let size = self.solution.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            if size == 0.0 || size >= 0.5 * previous {
                return Ok(());
            }
            previous = size;
            self.factors.solve_once(&mut self.solution);
            count.solves += 1;
            subtract(second_rate, &self.solution);
            subtract(&mut state[self.layout.multipliers()], &self.solution[p..]);
        }
        Ok(())
    }

    /// Takes the parts of an error of y and of M z away that are normal to the constraints; M z becomes z.
    pub(crate) fn tangent_errors(&mut self, of_y: &mut [f64], of_p: &mut [f64], count: &mut Statistics) {
        self.constraint.fill(0.0);
        self.system.structure().jacobian.multiply_add(&self.jacobian, of_y, &mut self.constraint, 1.0);
        self.solve_rows(count);
        self.displace();
        subtract(of_y, &self.displacement);
        let p = of_p.len();
        self.solution[..p].copy_from_slice(of_p);
        self.solution[p..].fill(0.0);
        self.factors.solve_once(&mut self.solution);
        count.solves += 1;
        of_p.copy_from_slice(&self.solution[..p]);
    }

    /// The largest |g|, |g_t + G f| and residual of (2e) at a state with the second derivative y''.
    pub(crate) fn residuals(&mut self, t: f64, state: &[f64], bend: &[f64]) -> Result<[f64; 3], Fault> {
        let (position, _) = self.residual(Level::First, t, state)?;
        let (rate, _) = self.residual(Level::Second, t, state)?;
        self.constraint.copy_from_slice(&self.curvature);
        self.system.jacobian(t, &state[self.layout.q()], &mut self.jacobian)?;
        self.system.structure().jacobian.multiply_add(&self.jacobian, bend, &mut self.constraint, 1.0);
        let bent = self.constraint.iter().fold(0.0_f64, |largest, row| largest.max(row.abs()));
        Ok([position, rate, bent])
    }
}

fn subtract(x: &mut [f64], change: &[f64]) {
    for (x, change) in x.iter_mut().zip(change) {
        *x -= change;
    }
}

/// f, then k of all parts together; `rates` is space for one part.
pub(crate) fn sum_of_rates(
    system: &dyn PartitionedSystem,
    at: PartitionState<'_>,
    sum: &mut [f64],
    rates: &mut [f64],
) -> Result<(), Fault> {
    sum.fill(0.0);
    for present in &system.structure().parts {
        system.rates(present.part, at, rates)?;
        sum.iter_mut().zip(&*rates).for_each(|(sum, rate)| *sum += rate);
    }
    Ok(())
}
