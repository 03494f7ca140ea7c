//! Mechanisms in double-double numbers.

use taut_formula::expansion::Expansion;
use taut_formula::number::{DoubleDouble, Scalar};

use super::series::Row;
use super::{DigitsError, Exact, MOST_UNKNOWNS};
use crate::linear::Elimination;
use crate::step::taylor::motion::MechanicalMotion;
use crate::system::{MechanicalExpansion, RowKind, Structure};

/// Corrections that become smaller than this have converged: the next one would be of the size of its square.
const CONVERGED: f64 = 1e-17;
/// Projections give up after so many corrections.
const MOST_CORRECTIONS: usize = 40;

/// A mechanism, expanded.
pub(super) struct Mechanism {
    motion: MechanicalMotion<DoubleDouble>,
    matrix: Elimination<DoubleDouble>,
    mass: Vec<(usize, usize)>,
    jacobian: Vec<(usize, usize)>,
    n: usize,
    m: usize,
    a: Vec<DoubleDouble>,
    origin: Vec<DoubleDouble>,
}

impl Mechanism {
    pub(super) fn new(
        formulas: MechanicalExpansion,
        expansion: Expansion<DoubleDouble>,
        structure: &Structure,
    ) -> Result<Self, DigitsError> {
        let (n, m) = (structure.n(), structure.m());
        if n + m > MOST_UNKNOWNS {
            return Err(DigitsError::TooLarge { unknowns: n + m, most: MOST_UNKNOWNS });
        }
        Ok(Mechanism {
            motion: MechanicalMotion::new(formulas, expansion),
            matrix: Elimination::new(n + m),
            mass: structure.mass.entries().collect(),
            jacobian: structure.jacobian.entries().collect(),
            n,
            m,
            a: vec![DoubleDouble::default(); n],
            origin: vec![DoubleDouble::default(); n],
        })
    }

    /// Evaluates at a state, and factors [M Gᵀ; G 0]; rows of springs say that nothing is unknown there.
    fn evaluate(&mut self, t: DoubleDouble, y: &[DoubleDouble]) -> Result<(), DigitsError> {
        let (q, v) = y[..2 * self.n].split_at(self.n);
        self.motion.evaluate(t, q, v);
        self.matrix.clear();
        for (&(i, j), entry) in self.mass.iter().zip(&self.motion.mass) {
            *self.matrix.entry(i, j) = *entry;
        }
        let rows = &self.motion.formulas.rows;
        for (&(k, j), entry) in self.jacobian.iter().zip(&self.motion.jacobian) {
            if rows[k].kind != RowKind::Spring {
                *self.matrix.entry(self.n + k, j) = *entry;
                *self.matrix.entry(j, self.n + k) = *entry;
            }
        }
        for (k, row) in rows.iter().enumerate() {
            if row.kind == RowKind::Spring {
                *self.matrix.entry(self.n + k, self.n + k) = DoubleDouble::from(1.0);
            }
        }
        if self.matrix.factor() { Ok(()) } else { Err(DigitsError::Singular { t: t.value() }) }
    }

    /// Solves with the balance of forces on the right given, and corrects part of the state; says how large that was.
    fn correct(&mut self, first: usize, y: &mut [DoubleDouble]) -> f64 {
        self.matrix.solve(&mut self.motion.unknowns);
        let mut size = 0.0_f64;
        for (y, d) in y[first..first + self.n].iter_mut().zip(&self.motion.unknowns) {
            *y += *d;
            size = size.max(d.value().abs() / (1.0 + y.value().abs()));
        }
        size
    }

    /// The positions on the constraints that are closest in the norm of M: M (d + q − origin) + Gᵀμ = 0, G d = −g.
    fn project_positions(&mut self, t: DoubleDouble, y: &mut [DoubleDouble]) -> Result<(), DigitsError> {
        self.origin.copy_from_slice(&y[..self.n]);
        for _ in 0..MOST_CORRECTIONS {
            self.evaluate(t, y)?;
            self.motion.unknowns.fill(DoubleDouble::default());
            for (&(i, j), entry) in self.mass.iter().zip(&self.motion.mass) {
                self.motion.unknowns[i] -= *entry * (y[j] - self.origin[j]);
            }
            for k in 0..self.m {
                self.motion.unknowns[self.n + k] = -self.motion.gap(k);
            }
            if self.correct(0, y) <= CONVERGED {
                return Ok(());
            }
        }
        let residual = (0..self.m).map(|k| self.motion.gap(k).value().abs()).fold(0.0, f64::max);
        Err(DigitsError::Projection { t: t.value(), residual })
    }

    fn project_velocities(&mut self, t: DoubleDouble, y: &mut [DoubleDouble]) -> Result<(), DigitsError> {
        for _ in 0..MOST_CORRECTIONS {
            self.evaluate(t, y)?;
            self.motion.find_rates();
            self.motion.unknowns.fill(DoubleDouble::default());
            for k in 0..self.m {
                self.motion.unknowns[self.n + k] = -self.motion.rate(k);
            }
            if self.correct(self.n, y) <= CONVERGED {
                return Ok(());
            }
        }
        let residual = (0..self.m).map(|k| self.motion.rate(k).value().abs()).fold(0.0, f64::max);
        Err(DigitsError::Projection { t: t.value(), residual })
    }

    fn solve(&mut self, k: usize) {
        self.motion.ask(k);
        self.matrix.solve(&mut self.motion.unknowns);
        self.motion.take_over(k);
        self.motion.follow(k);
    }
}

impl Exact for Mechanism {
    fn project(&mut self, t: DoubleDouble, y: &mut [DoubleDouble]) -> Result<(), DigitsError> {
        if self.m == 0 {
            return Ok(());
        }
        self.project_positions(t, y)?;
        self.project_velocities(t, y)
    }

    fn place(&mut self, t: DoubleDouble, y: &mut [DoubleDouble]) -> Result<(), DigitsError> {
        self.evaluate(t, y)?;
        self.solve(0);
        self.a.copy_from_slice(&self.motion.unknowns[..self.n]);
        self.motion.multipliers(0, &mut y[2 * self.n..]);
        let finite = self.a.iter().all(|a| a.is_finite());
        if finite { Ok(()) } else { Err(DigitsError::NotFinite { t: t.value() }) }
    }

    fn highest_rate(&self) -> &[DoubleDouble] {
        &self.a
    }

    fn expand(&mut self, rows: &mut [Row]) {
        for k in 1..=self.motion.expansion.highest() - 2 {
            self.solve(k);
        }
        for k in 0..=self.motion.expansion.highest() {
            let positions = self.motion.expansion.positions(k);
            rows.iter_mut().zip(positions).for_each(|(row, q)| row[k] = *q);
        }
    }

    fn derivatives(&self) -> usize {
        2
    }
}
