//! What a run has cost, by cause.

use crate::snapshot::Field;

/// Counters of a run. The right-hand sides are counted as the classical codes do: one for each stage and Newton
/// iteration, one for each error estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// steps tried
    pub steps: usize,
    /// steps accepted
    pub accepted: usize,
    /// steps rejected since the error was too large
    pub rejected_by_error: usize,
    /// steps rejected since Newton's iteration did not converge
    pub rejected_by_newton: usize,
    /// steps rejected since the system could not be evaluated
    pub rejected_by_fault: usize,
    /// evaluations of the right-hand side
    pub rhs: usize,
    /// evaluations of the derivative blocks
    pub jacobians: usize,
    /// factorisations, a complex one counted once
    pub factorizations: usize,
    /// solutions of linear systems
    pub solves: usize,
    /// iterations of Newton's method
    pub newton_iterations: usize,
    /// projections onto the constraints
    pub projections: usize,
    /// the estimated errors of all accepted steps together, in tolerances: what the error of a motion that neither magnifies nor
    /// forgets errors may have come to
    pub local_errors: f64,
}

impl Statistics {
    /// All counters, for a snapshot.
    pub(crate) fn fields(&mut self) -> [&mut dyn Field; 12] {
        let Statistics {
            steps,
            accepted,
            rejected_by_error,
            rejected_by_newton,
            rejected_by_fault,
            rhs,
            jacobians,
            factorizations,
            solves,
            newton_iterations,
            projections,
            local_errors,
        } = self;
        [
            steps,
            accepted,
            rejected_by_error,
            rejected_by_newton,
            rejected_by_fault,
            rhs,
            jacobians,
            factorizations,
            solves,
            newton_iterations,
            projections,
            local_errors,
        ]
    }

    /// Adds what steps have cost that lead nowhere, and are not counted as steps.
    pub(crate) fn add_work(&mut self, other: &Statistics) {
        self.rhs += other.rhs;
        self.jacobians += other.jacobians;
        self.factorizations += other.factorizations;
        self.solves += other.solves;
        self.newton_iterations += other.newton_iterations;
        self.projections += other.projections;
    }

    /// Steps rejected for any reason.
    pub fn rejected(&self) -> usize {
        self.rejected_by_error + self.rejected_by_newton + self.rejected_by_fault
    }
}
