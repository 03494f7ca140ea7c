//! The motion of E x' = f(t, x) with a singular matrix E in numbers of any type, expanded.
//!
//! E is taken apart into equations with derivatives, E₁ x' = f₁, and equations without, 0 = f₂. At order k the coefficients xₖ
//! enter linearly, through the same matrix for every k: k E₁ xₖ is the coefficient of order k − 1 of f₁, and J₂ xₖ, J₂ = ∂f₂/∂x,
//! is what f₂ lacks in order k while xₖ is zero. [E₁; J₂] is regular where the index is 1: one factorisation for a step, one
//! solution for an order. Of u' = f(u, v), v' = k(u, v, λ), 0 = g(u) the last is differentiated twice before.

use std::sync::Arc;

use taut_formula::expansion::{Coefficient, Expansion, Level};

use crate::linear::{Elimination, Equation, Reduction};
use crate::options::Projection;
use crate::system::{AlgebraicEquations, FirstOrderExpansion};

/// Projections give up after so many corrections.
const MOST_CORRECTIONS: usize = 20;

/// Why a state cannot be expanded at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Obstacle {
    /// [E₁; J₂] is singular
    Singular,
    /// corrections of a state do not become small: the last one, of the variable with this number
    Far(f64, usize),
}

/// The expansion of equations some of which have no derivative.
pub(crate) struct AlgebraicMotion<N> {
    equations: Arc<AlgebraicEquations>,
    expansion: Expansion<N>,
    reduction: Reduction<N>,
    matrix: Elimination<N>,
    /// right-hand side and solution
    unknowns: Vec<N>,
    /// k_λ μ
    direction: Vec<N>,
    /// corrections as small as this are followed by those of the size of their squares, which nobody needs
    converged: f64,
}

impl<N: Coefficient> AlgebraicMotion<N> {
    /// Nothing where all equations have derivatives that they are solved for.
    pub(crate) fn new(
        formulas: &FirstOrderExpansion,
        settings: &[N],
        order: usize,
        converged: f64,
    ) -> Option<Self> {
        let equations = formulas.algebraic()?.clone();
        let n = equations.n;
        let v = equations.held.as_ref().map_or(0, |held| held.sizes[1]);
        Some(AlgebraicMotion {
            expansion: formulas.expansion_with(order, settings),
            reduction: equations.reduction(settings),
            matrix: Elimination::new(n),
            unknowns: vec![N::zero(); n],
            direction: vec![N::zero(); v],
            converged,
            equations,
        })
    }

    /// The values of all formulas at a state, and [E₁; J₂] factored.
    fn evaluate(&mut self, t: N, x: &[N]) -> Result<(), Obstacle> {
        self.expansion.set_time(t);
        self.expansion.positions_mut(0).copy_from_slice(x);
        self.expansion.begin(Level::Position);
        self.matrix.clear();
        for (i, equation) in self.reduction.equations.iter().enumerate() {
            match equation {
                Equation::Differential(entries) => {
                    entries.iter().for_each(|&(j, entry)| *self.matrix.entry(i, j) = entry);
                }
                Equation::Algebraic(sum) => {
                    for &(row, factor) in sum {
                        for &(j, root) in &self.equations.jacobian[row] {
                            *self.matrix.entry(i, j) += factor * self.expansion.coefficient(root, 0);
                        }
                    }
                }
            }
        }
        if self.matrix.factor() { Ok(()) } else { Err(Obstacle::Singular) }
    }

    /// The coefficient of order k of an equation without derivative.
    fn sum(&self, rows: &[(usize, N)], k: usize) -> N {
        rows.iter().fold(N::zero(), |sum, &(row, factor)| sum + factor * self.expansion.coefficient(row, k))
    }

    /// Moves a state onto its constraints, and variables without derivative onto their equations.
    pub(crate) fn project(&mut self, projection: Projection, t: N, x: &mut [N]) -> Result<(), Obstacle> {
        if self.equations.held.is_some() {
            if projection == Projection::Full {
                self.iterate(t, x, Self::correct_first)?;
            }
            if projection != Projection::None {
                self.iterate(t, x, Self::correct_second)?;
            }
        }
        self.iterate(t, x, Self::correct_algebraic)
    }

    /// Corrects until corrections are small.
    fn iterate(
        &mut self,
        t: N,
        x: &mut [N],
        correct: impl Fn(&mut Self, &mut [N]) -> (f64, usize),
    ) -> Result<(), Obstacle> {
        let mut last = (f64::INFINITY, 0);
        for _ in 0..MOST_CORRECTIONS {
            self.evaluate(t, x)?;
            last = correct(self, x);
            if last.0 <= self.converged {
                return Ok(());
            }
        }
        Err(Obstacle::Far(last.0, last.1))
    }

    /// E₁ d = 0, J₂ d = −f₂.
    fn correct_algebraic(&mut self, x: &mut [N]) -> (f64, usize) {
        for i in 0..self.unknowns.len() {
            self.unknowns[i] = match &self.reduction.equations[i] {
                Equation::Differential(_) => N::zero(),
                Equation::Algebraic(sum) => -self.sum(sum, 0),
            };
        }
        self.matrix.solve(&mut self.unknowns);
        correct(x, 0, &self.unknowns)
    }

    /// μ with f_v k_λ μ along which u moves onto g = 0, or v along k_λ μ onto g' = 0 (Schropp 2003, eq. 2.7 and 2.8): J₂ has
    /// g_u f_v k_λ for λ, which comes after u and v.
    fn find_direction(&mut self, gaps: usize) {
        let Some(held) = &self.equations.held else { return };
        let [u, v] = held.sizes;
        self.unknowns.fill(N::zero());
        for (unknown, &root) in self.unknowns[u + v..].iter_mut().zip(&held.gaps[gaps]) {
            *unknown = -self.expansion.coefficient(root, 0);
        }
        self.matrix.solve(&mut self.unknowns);
        self.direction.fill(N::zero());
        for &(i, j, root) in &held.second {
            self.direction[i] += self.expansion.coefficient(root, 0) * self.unknowns[u + v + j];
        }
    }

    fn correct_first(&mut self, x: &mut [N]) -> (f64, usize) {
        self.find_direction(0);
        let Some(held) = &self.equations.held else { return (0.0, 0) };
        let moves = &mut self.unknowns[..held.sizes[0]];
        moves.fill(N::zero());
        for &(i, j, root) in &held.first {
            moves[i] += self.expansion.coefficient(root, 0) * self.direction[j];
        }
        correct(x, 0, moves)
    }

    fn correct_second(&mut self, x: &mut [N]) -> (f64, usize) {
        self.find_direction(1);
        let first = self.equations.held.as_ref().map_or(0, |held| held.sizes[0]);
        correct(x, first, &self.direction)
    }

    /// Places the expansion at a state; coefficients of order 1, the rates, are known then.
    pub(crate) fn place(&mut self, t: N, x: &[N]) -> Result<(), Obstacle> {
        self.evaluate(t, x)?;
        self.solve(1);
        Ok(())
    }

    /// Finds the coefficients of order k ≥ 1.
    fn solve(&mut self, k: usize) {
        if self.expansion.has_bare_roots() {
            self.expansion.positions_mut(k).fill(N::zero());
        }
        self.expansion.probe(Level::Position, k);
        for i in 0..self.unknowns.len() {
            self.unknowns[i] = match &self.reduction.equations[i] {
                Equation::Differential(_) => self.expansion.coefficient(i, k - 1) / k as f64,
                Equation::Algebraic(sum) => -self.sum(sum, k),
            };
        }
        self.matrix.solve(&mut self.unknowns);
        self.expansion.positions_mut(k).copy_from_slice(&self.unknowns);
        self.expansion.pass(Level::Position, k);
    }

    /// Finds the coefficients of all higher orders.
    pub(crate) fn expand(&mut self) {
        (2..=self.expansion.highest()).for_each(|k| self.solve(k));
    }

    /// The coefficients of order k of all variables.
    pub(crate) fn coefficients(&self, k: usize) -> &[N] {
        self.expansion.positions(k)
    }

    /// The largest of |g| and of |g'| where the expansion was placed; of equations without derivative where nothing is held.
    pub(crate) fn gaps(&self) -> [f64; 2] {
        let size = |x: N| x.value().abs();
        let Some(held) = &self.equations.held else {
            let algebraic = self.reduction.equations.iter().map(|equation| match equation {
                Equation::Differential(_) => 0.0,
                Equation::Algebraic(sum) => size(self.sum(sum, 0)),
            });
            return [algebraic.fold(0.0, f64::max), 0.0];
        };
        held.gaps.each_ref().map(|roots| {
            roots.iter().map(|&root| size(self.expansion.coefficient(root, 0))).fold(0.0, f64::max)
        })
    }
}

/// Adds corrections to variables from one on; the largest in the scale 1 + |x|, and of which variable. What is not a number is
/// larger than all others.
fn correct<N: Coefficient>(x: &mut [N], first: usize, corrections: &[N]) -> (f64, usize) {
    let mut largest = (0.0, first);
    for (i, correction) in corrections.iter().enumerate() {
        let x = &mut x[first + i];
        *x += *correction;
        let size = correction.value().abs() / (1.0 + x.value().abs());
        if size.is_nan() || size > largest.0 {
            largest = (if size.is_nan() { f64::INFINITY } else { size }, first + i);
        }
    }
    largest
}
