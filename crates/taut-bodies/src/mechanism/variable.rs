//! Forces on a variable of a joint: springs, dampers, friction, limits, motors.

use taut::system::Terms;

use crate::course::Course;
use crate::description::{Friction, Limits};

/// What acts on a variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariableForce {
    /// which coordinate it is
    pub(crate) variable: usize,
    pub(crate) armature: f64,
    pub(crate) stiffness: f64,
    /// where the spring is at rest
    pub(crate) rest: f64,
    pub(crate) damping: f64,
    pub(crate) friction: Option<Friction>,
    pub(crate) limits: Option<Limits>,
    pub(crate) motor: Option<Course>,
    /// places of the diagonal entries of M, K and D
    pub(crate) slots: [Option<usize>; 3],
}

impl VariableForce {
    fn limit_depth(&self, x: f64) -> Option<(Limits, f64)> {
        let limits = self.limits?;
        if x < limits.from {
            Some((limits, x - limits.from))
        } else if x > limits.to {
            Some((limits, x - limits.to))
        } else {
            None
        }
    }

    /// Whether a limit's damper acts: it does not pull back what leaves.
    fn limit_damping(limits: Limits, depth: f64, rate: f64) -> f64 {
        let push = limits.stiffness * depth + limits.damping * rate;
        if push * depth > 0.0 { limits.damping } else { 0.0 }
    }

    pub(crate) fn energy(&self, q: &[f64]) -> f64 {
        let x = q[self.variable];
        let limit = self.limit_depth(x).map_or(0.0, |(limits, depth)| limits.stiffness * depth * depth);
        0.5 * (self.stiffness * (x - self.rest).powi(2) + limit)
    }

    /// Elastic, dissipative and driving force.
    fn forces(&self, t: f64, x: f64, rate: f64) -> [f64; 3] {
        let mut elastic = -self.stiffness * (x - self.rest);
        let mut damper = -self.damping * rate;
        if let Some((limits, depth)) = self.limit_depth(x) {
            elastic -= limits.stiffness * depth;
            damper -= Self::limit_damping(limits, depth, rate) * rate;
        }
        if let Some(friction) = self.friction {
            damper -= friction.coulomb * (rate / friction.at).tanh() + friction.viscous * rate;
        }
        [elastic, damper, self.motor.as_ref().map_or(0.0, |motor| motor.at(t)[0])]
    }

    pub(crate) fn add_force(&self, terms: Terms, t: f64, (q, v): (&[f64], &[f64]), force: &mut [f64]) {
        let [elastic, damper, motor] = self.forces(t, q[self.variable], v[self.variable]);
        let parts = [(Terms::POTENTIAL, elastic), (Terms::DISSIPATIVE, damper), (Terms::DRIVING, motor)];
        for (part, value) in parts {
            if terms.contain(part) {
                force[self.variable] += value;
            }
        }
    }

    pub(crate) fn add_blocks(
        &self,
        terms: Terms,
        (q, v): (&[f64], &[f64]),
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) {
        let (x, rate) = (q[self.variable], v[self.variable]);
        let limit = self.limit_depth(x);
        if terms.contain(Terms::POTENTIAL)
            && let Some(slot) = self.slots[1]
        {
            stiffness[slot] -= self.stiffness + limit.map_or(0.0, |(limits, _)| limits.stiffness);
        }
        if terms.contain(Terms::DISSIPATIVE)
            && let Some(slot) = self.slots[2]
        {
            let at_limit = limit.map_or(0.0, |(limits, depth)| Self::limit_damping(limits, depth, rate));
            let friction = self.friction.map_or(0.0, |friction| {
                let cosh = (rate / friction.at).cosh();
                friction.viscous + friction.coulomb / (friction.at * cosh * cosh)
            });
            damping[slot] -= self.damping + at_limit + friction;
        }
    }

    /// Whether K, and whether D has an entry.
    pub(crate) fn has_blocks(&self) -> [bool; 2] {
        let limits = self.limits.is_some();
        let damps = self.damping != 0.0 || self.friction.is_some();
        [self.stiffness != 0.0 || limits, damps || limits]
    }
}
