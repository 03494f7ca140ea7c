//! Steps of a mechanism: its expansion with projections and the elimination of the other kinds of step.

use super::magnification::Magnification;
use super::motion::{MechanicalMotion, Solution};
use super::{Expanding, Polynomial};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::linear::Inverse;
use crate::motion::Statistics;
use crate::options::{Options, Projection};
use crate::snapshot::{Fields, SnapshotError};
use crate::system::{MechanicalExpansion, MechanicalSystem, Terms, give_back};

/// Multiples of it, without their whole parts, have no order.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A mechanical system, expanded.
pub(crate) struct MechanicalSeries<'a> {
    system: &'a dyn MechanicalSystem,
    layout: Layout,
    motion: MechanicalMotion<f64>,
    manifold: Manifold<'a>,
    /// of [M Gᵀ; G 0], where it is small
    inverse: Option<Inverse>,
    /// whether it was found where the expansion was placed
    is_inverted: bool,
    magnification: Magnification,
    /// what is solved for where there is no inverse
    probed: Vec<f64>,
    projection: Projection,
    /// where the expansion was placed
    t: f64,
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
        let inverse = Inverse::new(n + m);
        let probes = inverse.is_none() && m > 0;
        MechanicalSeries {
            system,
            layout: Layout::mechanical(n, m),
            motion: MechanicalMotion::new(formulas, expansion),
            manifold: Manifold::new(system, options.linear),
            inverse,
            is_inverted: false,
            magnification: Magnification::new(if probes { 1 } else { m }),
            probed: vec![0.0; if probes { m } else { 0 }],
            projection: if m == 0 { Projection::None } else { projection },
            t: f64::NAN,
            v: vec![0.0; n],
            a: vec![0.0; n],
        }
    }

    /// Places the expansion at a state, and finds accelerations and multipliers there.
    fn begin_at(&mut self, t: f64, q: &[f64], v: &[f64], count: &mut Statistics) -> Result<(), StepFailure> {
        // Nowhere as long as accelerations are not known.
        self.t = f64::NAN;
        // Asks whether the state may be evaluated at all.
        self.system.force(Terms::NONE, t, q, v, &mut self.a)?;
        self.motion.evaluate(t, q, v);
        self.is_inverted = false;
        count.rhs += 1;
        self.manifold.adopt(&self.motion.mass, &self.motion.jacobian);
        self.manifold.factor(count)?;
        self.v.copy_from_slice(v);
        self.motion.ask(0);
        self.manifold.solve(&mut self.motion.unknowns, count);
        self.motion.take_over(0);
        self.a.copy_from_slice(&self.motion.unknowns[..self.v.len()]);
        self.t = t;
        Ok(())
    }

    /// Whether the expansion was placed at this very state, so that accelerations there are at hand.
    fn is_placed_at(&self, t: f64, q: &[f64], v: &[f64]) -> bool {
        self.t == t && self.motion.expansion.positions(0) == q && self.v == v
    }

    /// zᵀ(G M⁻¹Gᵀ)⁻¹z where the expansion was placed, for rows of G in units of their lengths: what stands for the diagonal where
    /// there is no inverse. No signs of z are those of a mechanism.
    fn probe(&mut self, count: &mut Statistics) -> f64 {
        let rows = &mut self.motion.unknowns;
        let n = self.layout.n();
        rows.fill(0.0);
        for ((row, _), entry) in self.system.structure().jacobian.entries().zip(&self.motion.jacobian) {
            rows[n + row] += entry * entry;
        }
        for (i, row) in rows[n..].iter_mut().enumerate() {
            *row = row.sqrt() * sign(i);
        }
        self.probed.copy_from_slice(&rows[n..]);
        self.manifold.solve_rows(rows);
        count.solves += 1;
        rows[n..].iter().zip(&self.probed).map(|(x, z)| x * z).sum()
    }

    /// Finds the inverse where the expansion was placed, once.
    fn invert(&mut self, count: &mut Statistics) {
        if let (Some(inverse), false) = (&mut self.inverse, self.is_inverted) {
            self.manifold.invert(inverse, count);
            self.is_inverted = true;
        }
    }
}

/// Numbers between 1/2 and 1 of either sign, without order.
fn sign(i: usize) -> f64 {
    let place = (GOLDEN * i as f64).fract();
    if place < 0.5 { place - 1.0 } else { place }
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

    fn ends_beside_singularity(&mut self, rtol: f64, count: &mut Statistics) -> bool {
        if self.layout.m() == 0 {
            return false;
        }
        self.invert(count);
        match &self.inverse {
            Some(inverse) => self.magnification.look(inverse.diagonal(self.layout.n())),
            None => {
                let probed = self.probe(count);
                self.magnification.look(std::iter::once(probed));
            }
        }
        self.magnification.is_too_large(rtol)
    }

    fn expand(&mut self, polynomial: &mut Polynomial, count: &mut Statistics) {
        self.invert(count);
        self.magnification.go_on();
        let order = polynomial.order();
        let manifold = &self.manifold;
        match &self.inverse {
            Some(inverse) => {
                self.motion.expand(order - 2, Solution::Inverse(inverse));
            }
            None => {
                let mut solve = |system: &mut [f64]| manifold.solve(system, count);
                self.motion.expand(order - 2, Solution::Elsewhere(&mut solve));
            }
        }
        for k in 0..=order {
            polynomial.set_positions(k, self.motion.expansion.positions(k));
        }
        if self.layout.m() > 0 {
            for k in 0..=order - 2 {
                match self.motion.plain_multipliers(k) {
                    Some(found) => polynomial.set_multipliers(k, found),
                    None => self.motion.multipliers(k, polynomial.multipliers_mut(k)),
                }
            }
        }
    }

    fn residuals(&mut self, t: f64, y: &[f64]) -> Result<[f64; 3], StepFailure> {
        if self.layout.m() == 0 {
            return Ok([0.0; 3]);
        }
        let (q, v, _) = self.layout.split(y);
        if !self.is_placed_at(t, q, v) {
            self.begin_at(t, q, v, &mut Statistics::default())?;
        }
        self.manifold.residuals(t, q, v, &self.a)
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        fields.pivots(|pivots| self.manifold.exchange_pivots(pivots))?;
        self.magnification.fields(fields)
    }
}
