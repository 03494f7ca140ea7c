//! Steps of a mechanism: its expansion with projections and the elimination of the other kinds of step.

use super::motion::{MechanicalMotion, Solution};
use super::{Expanding, Polynomial};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::linear::{Inverse, Pivots};
use crate::motion::Statistics;
use crate::options::{Options, Projection};
use crate::system::{MechanicalExpansion, MechanicalSystem, Terms, give_back};

/// A mechanical system, expanded.
pub(crate) struct MechanicalSeries<'a> {
    system: &'a dyn MechanicalSystem,
    layout: Layout,
    motion: MechanicalMotion<f64>,
    manifold: Manifold<'a>,
    /// of [M Gᵀ; G 0], where it is small
    inverse: Option<Inverse>,
    projection: Projection,
    v: Vec<f64>,
    a: Vec<f64>,
}

impl<'a> MechanicalSeries<'a> {
    pub(crate) fn new(
        system: &'a dyn MechanicalSystem,
        formulas: MechanicalExpansion,
        order: usize,
        options: &Options,
        projection: Projection,
    ) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.n(), structure.m());
        let expansion = formulas.expansion(order);
        MechanicalSeries {
            system,
            layout: Layout::mechanical(n, m),
            motion: MechanicalMotion::new(formulas, expansion),
            manifold: Manifold::new(system, options.linear),
            inverse: Inverse::new(n + m),
            projection: if m == 0 { Projection::None } else { projection },
            v: vec![0.0; n],
            a: vec![0.0; n],
        }
    }

    /// Places the expansion at a state, and finds accelerations and multipliers there.
    fn begin_at(&mut self, t: f64, q: &[f64], v: &[f64], count: &mut Statistics) -> Result<(), StepFailure> {
        // Asks whether the state may be evaluated at all.
        self.system.force(Terms::NONE, t, q, v, &mut self.a)?;
        self.motion.evaluate(t, q, v);
        count.rhs += 1;
        self.manifold.adopt(&self.motion.mass, &self.motion.jacobian);
        self.manifold.factor(count)?;
        self.v.copy_from_slice(v);
        self.motion.ask(0);
        self.manifold.solve(&mut self.motion.unknowns, count);
        self.motion.take_over(0);
        self.a.copy_from_slice(&self.motion.unknowns[..self.v.len()]);
        Ok(())
    }
}

impl Drop for MechanicalSeries<'_> {
    fn drop(&mut self) {
        give_back(&mut self.motion.expansion);
    }
}

impl Expanding for MechanicalSeries<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split_mut(y);
        self.manifold.project(self.projection, t, (q, v), count)
    }

    fn project_start(&mut self, _t: f64, _y: &mut [f64], _count: &mut Statistics) -> Result<(), StepFailure> {
        // Mechanisms begin at consistent starts, at which all constraints hold to rounding.
        Ok(())
    }

    fn place(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        self.begin_at(t, q, v, count)?;
        self.motion.multipliers(0, lambda);
        let structure = self.system.structure();
        structure.finite_coordinates(&self.a, "the acceleration", t)?;
        Ok(structure.finite_constraints(lambda, "the multiplier", t)?)
    }

    fn rate(&self, rate: &mut [f64]) {
        rate[self.layout.q()].copy_from_slice(&self.v);
        rate[self.layout.v()].copy_from_slice(&self.a);
    }

    fn expand(&mut self, polynomial: &mut Polynomial, count: &mut Statistics) {
        let order = polynomial.order();
        let manifold = &self.manifold;
        match &mut self.inverse {
            Some(inverse) => {
                manifold.invert(inverse, count);
                self.motion.expand(order - 2, Solution::Inverse(inverse));
            }
            None => {
                let mut solve = |system: &mut [f64]| manifold.solve(system, count);
                self.motion.expand(order - 2, Solution::Elsewhere(&mut solve));
            }
        }
        for k in 0..=order {
            polynomial.positions_mut(k).copy_from_slice(self.motion.expansion.positions(k));
        }
        for k in 0..=order - 2 {
            self.motion.multipliers(k, polynomial.multipliers_mut(k));
        }
    }

    fn residuals(&mut self, t: f64, y: &[f64]) -> Result<[f64; 3], StepFailure> {
        let (q, v, _) = self.layout.split(y);
        self.begin_at(t, q, v, &mut Statistics::default())?;
        self.manifold.residuals(t, q, v, &self.a)
    }

    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        self.manifold.exchange_pivots(pivots);
    }
}
