//! Steps whose positions are all that has to be found: RATTLE.

use super::Solving;
use super::mechanism::OfMechanism;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::newton::iteration::Given;
use crate::stages::spark::positions::Positions;

impl OfMechanism<'_> {
    /// Solves for the velocity of both stages and the multipliers of the first one, with M and G of the beginning.
    pub(super) fn solve_positions(
        &mut self,
        h: f64,
        solving: &mut Solving,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (unknowns, manifold) = (self.equations.unknowns, &self.manifold);
        let Some(frozen) = &mut self.frozen else { return Ok(()) };
        let Solving { x, iteration, scales, .. } = solving;
        if !self.past.predict_first_multipliers(unknowns, &self.here, h, x) {
            let (_, _, lambda) = self.layout.split(&self.here.y);
            x[unknowns.multipliers(0)].iter_mut().zip(lambda).for_each(|(x, lambda)| *x = h * lambda);
        }
        frozen.prepare(manifold, count)?;
        self.equations.balance_at_once(x, |velocity| frozen.solve_mass(velocity), count)?;
        // The velocity of the second stage and the multipliers of the first one lie side by side.
        let sought = &mut x[unknowns.velocities(1).start..unknowns.multipliers(0).end];
        if unknowns.m > 0 {
            let solve =
                |rows: &mut [f64], count: &mut Statistics| frozen.solve_positions(manifold, rows, count);
            let mut positions = Positions(&mut self.equations);
            iteration.run((&mut positions, true), solve, sought, scales, &mut Given, count)?;
        }
        x.copy_within(unknowns.velocities(1), unknowns.velocities(0).start);
        Ok(())
    }
}
