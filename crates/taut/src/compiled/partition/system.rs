//! A partitioned model answers a solver.

use crate::seen::{
    Energy, Evaluation, Fault, FirstOrderExpansion, FirstOrderSystem, PartitionState, PartitionStructure,
    PartitionedSystem, RatePart, finite,
};
use taut_formula::tape::{Evaluator, State};

use super::PartitionedModel;

impl PartitionedModel {
    /// Evaluates at (y, z, u), while y moves with `rate`.
    fn evaluate(
        &self,
        tape: &Evaluator,
        at: PartitionState<'_>,
        rate: &[f64],
        out: &mut [&mut [f64]],
    ) -> bool {
        let [state, moving] = &mut *self.state.borrow_mut();
        let values = at.y.iter().chain(at.z).chain(at.u);
        for (to, from) in state.iter_mut().zip(values) {
            *to = *from;
        }
        for (to, from) in moving.iter_mut().zip(rate) {
            *to = *from;
        }
        tape.evaluate(State { t: at.t, q: state, v: moving, ..State::default() }, out)
    }

    fn at_first<'y>(t: f64, y: &'y [f64]) -> PartitionState<'y> {
        PartitionState { t, y, z: &[], u: &[] }
    }

    fn tapes_of(&self, part: RatePart) -> Option<(&Evaluator, &Evaluator)> {
        let found = self.tapes.parts.iter().find(|(present, ..)| *present == part)?;
        Some((&found.1, &found.2))
    }
}

impl PartitionedSystem for PartitionedModel {
    fn structure(&self) -> &PartitionStructure {
        &self.structure
    }

    fn rates(&self, part: RatePart, at: PartitionState<'_>, rates: &mut [f64]) -> Evaluation {
        let Some((tape, _)) = self.tapes_of(part) else {
            rates.fill(0.0);
            return Ok(());
        };
        if self.evaluate(tape, at, &[], &mut [&mut *rates]) {
            return Ok(());
        }
        self.structure.finite(0, rates, "the rate", at.t)
    }

    fn rate_derivatives(&self, part: RatePart, at: PartitionState<'_>, values: &mut [f64]) -> Evaluation {
        let Some((_, tape)) = self.tapes_of(part) else {
            values.fill(0.0);
            return Ok(());
        };
        if self.evaluate(tape, at, &[], &mut [&mut *values]) {
            return Ok(());
        }
        let structure = &self.structure;
        structure.finite_block(0, &structure.rates, values, "the derivative of the rate", at.t)
    }

    fn drift(&self, at: PartitionState<'_>, rate: &[f64], drift: &mut [f64]) -> Evaluation {
        if self.evaluate(&self.tapes.drift, at, &rate[..at.y.len()], &mut [&mut *drift]) {
            return Ok(());
        }
        self.structure.finite(0, drift, "the second derivative", at.t)
    }

    fn momentum(&self, y: &[f64], z: &[f64], momentum: &mut [f64]) -> Evaluation {
        let Some([tape, _]) = &self.tapes.momentum else {
            momentum.copy_from_slice(z);
            return Ok(());
        };
        if self.evaluate(tape, PartitionState { t: 0.0, y, z, u: &[] }, &[], &mut [&mut *momentum]) {
            return Ok(());
        }
        self.structure.finite(y.len(), momentum, "the momentum", f64::NAN)
    }

    fn momentum_derivatives(&self, y: &[f64], z: &[f64], values: &mut [f64]) -> Evaluation {
        let Some([_, tape]) = &self.tapes.momentum else {
            values.fill(1.0);
            return Ok(());
        };
        if self.evaluate(tape, PartitionState { t: 0.0, y, z, u: &[] }, &[], &mut [&mut *values]) {
            return Ok(());
        }
        let structure = &self.structure;
        structure.finite_block(y.len(), &structure.momentum, values, "the mass", f64::NAN)
    }

    fn constraint(&self, t: f64, y: &[f64], g: &mut [f64]) -> Evaluation {
        if self.evaluate(&self.tapes.constraint, Self::at_first(t, y), &[], &mut [&mut *g]) {
            return Ok(());
        }
        self.structure.finite_constraints(g, "the constraint", t)
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Evaluation {
        if self.evaluate(&self.tapes.jacobian, Self::at_first(t, y), &[], &mut [&mut *jacobian]) {
            return Ok(());
        }
        let structure = &self.structure;
        let first = structure.n() + structure.p();
        structure.finite_block(first, &structure.jacobian, jacobian, "the constraint Jacobian", t)
    }

    fn along(&self, t: f64, y: &[f64], rate: &[f64], first: &mut [f64], curvature: &mut [f64]) -> Evaluation {
        let out = &mut [&mut *first, &mut *curvature];
        if self.evaluate(&self.tapes.along, Self::at_first(t, y), rate, out) {
            return Ok(());
        }
        self.structure.finite_constraints(first, "the rate of the constraint", t)?;
        self.structure.finite_constraints(curvature, "the curvature of the constraint", t)
    }

    /// The energy, and of it as potential energy what is left without z, where that is a number.
    fn energy(&self, t: f64, y: &[f64], z: &[f64]) -> Result<Option<Energy>, Fault> {
        let Some(tape) = &self.tapes.energy else { return Ok(None) };
        let (mut total, mut at_rest) = ([0.0], [0.0]);
        self.evaluate(tape, PartitionState { t, y, z, u: &[] }, &[], &mut [&mut total]);
        finite(&total, "the energy", t, |_| "total")?;
        let still = vec![0.0; z.len()];
        self.evaluate(tape, PartitionState { t, y, z: &still, u: &[] }, &[], &mut [&mut at_rest]);
        let potential = if at_rest[0].is_finite() { at_rest[0] } else { total[0] };
        Ok(Some(Energy { kinetic: total[0] - potential, potential }))
    }

    fn expansion(&self) -> Option<FirstOrderExpansion> {
        self.evolution.expansion()
    }
}
