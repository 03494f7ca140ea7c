//! What the stages of one implicit step have to satisfy.

use super::coefficients::Coefficients;
use crate::control::error_norm::Scales;
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::linear::Pivots;
use crate::motion::Statistics;
use crate::snapshot::{Fields, Memory, SnapshotError};
use crate::springs::TreatedSprings;
use crate::system::Fault;

/// The place where equations and an implicit Runge-Kutta method meet.
///
/// The unknowns of a stage are its highest derivatives: accelerations and multipliers, or rates. Newton's iteration, the
/// transformation to eigenvectors of the Runge-Kutta matrix and the prediction are the same for all equations.
pub(crate) trait StageEquations {
    /// How many unknowns one stage has.
    fn unknowns(&self) -> usize;

    /// Starts a step of length h at the state `y`; the stages take the values that `unknowns` give them.
    fn begin(&mut self, t: f64, h: f64, y: &[f64], method: &Coefficients, unknowns: &[f64]);

    /// The unknowns at the beginning of the step, as far as they are known there.
    fn initial_unknowns(&self, unknowns: &mut [f64]);

    /// Whether unknowns change with the logarithm of time while steps become longer, as rates of ordinary differential
    /// equations do where a motion settles: a line predicts them better than a polynomial. (Measured with five stages, 1e-1
    /// to 1e-4: iterations fall by 28 percent on Robertson's equations, by 9 on Van der Pol's, and rise by 5 on the squeezer.)
    fn prefers_lines(&self) -> bool {
        false
    }

    /// The residuals of all stages.
    fn residual(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        residual: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), Fault>;

    /// Evaluates the derivative blocks at one of the stages.
    fn refresh(
        &mut self,
        method: &Coefficients,
        stage: usize,
        unknowns: &[f64],
        count: &mut Statistics,
    ) -> Result<(), Fault>;

    /// The derivative blocks, one after the other.
    fn blocks(&self) -> Vec<f64>;

    /// Takes over derivative blocks; false when they do not fit.
    fn set_blocks(&mut self, blocks: &[f64]) -> bool;

    /// Factors one matrix for each eigenvalue of the Runge-Kutta matrix.
    fn factor(&mut self, method: &Coefficients, count: &mut Statistics) -> Result<(), StepFailure>;

    /// Replaces residuals of all stages by Newton's updates of their unknowns.
    fn solve(&mut self, method: &Coefficients, residual: &mut [f64], count: &mut Statistics);

    /// Adds an update to the stages and measures it.
    fn update(&mut self, method: &Coefficients, update: &[f64], scales: &Scales) -> UpdateSize;

    /// Whether convergence of earlier steps says nothing about the first iteration of the next: errors of variables of higher
    /// index reach the other ones an iteration later.
    fn doubts_first_iteration(&self) -> bool {
        false
    }

    /// With how many times the last update friction answers it within the step: h|D Δv|/|M Δv|.
    fn answer_of_friction(&mut self) -> f64 {
        0.0
    }

    /// Gives each stage its own Jacobian from the next beginning of a step on, in these scales, or takes it away; false
    /// where the equations have no such iteration.
    fn turn(&mut self, _method: &Coefficients, _scales: Option<&Scales>) -> bool {
        false
    }

    /// Finishes the stages after the iteration; false when that is out of reach.
    fn finish(
        &mut self,
        _method: &Coefficients,
        _unknowns: &[f64],
        _count: &mut Statistics,
    ) -> Result<bool, Fault> {
        Ok(true)
    }

    /// What the iteration with one Jacobian would contract by at the stages, where each has its own.
    fn contraction_of_one_jacobian(&mut self, _method: &Coefficients) -> f64 {
        f64::INFINITY
    }

    /// The state at the end of the step, before any projection.
    fn end(&self, method: &Coefficients, unknowns: &[f64], y: &mut [f64]);
}

/// What a whole step asks of its equations, beyond the stages.
pub(crate) trait StepEquations {
    /// The equations of the stages.
    fn stages(&mut self) -> &mut dyn StageEquations;

    /// Where everything lies in the state vector.
    fn layout(&self) -> Layout;

    /// Gets ready at a state: what the next step needs to know about its beginning is found there. Multipliers are
    /// written into `y`.
    fn settle(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure>;

    /// What was found when the state was settled and cannot be found again with the same bits. What is kept does not change.
    fn memory(&mut self, memory: &mut Memory<'_>);

    /// Gets ready at a state that was settled before, whose memory was just recalled.
    fn go_on_from(&mut self, t: f64, y: &[f64]);

    /// Keeps what was found when the state was settled.
    fn remember(&mut self, list: &mut Vec<f64>) {
        list.clear();
        self.memory(&mut Memory::Kept(list));
    }

    /// Gets ready at a state that was settled before, with what was kept there; false where that is of something else.
    fn recall(&mut self, t: f64, y: &[f64], list: &[f64]) -> bool {
        let mut memory = Memory::Recalled { at: t, rest: list };
        self.memory(&mut memory);
        self.go_on_from(t, y);
        matches!(memory, Memory::Recalled { rest: [], .. })
    }

    /// Hands the pivots of eliminations over, into a snapshot or out of it.
    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>);

    /// What a snapshot has to hold: what is remembered, and pivots. The run goes on at t from y.
    fn fields(&mut self, t: f64, y: &[f64], fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        let mut memory = Vec::new();
        self.remember(&mut memory);
        fields.list("memory", &mut memory)?;
        if fields.restored().is_some() && !self.recall(t, y, &memory) {
            return Err(SnapshotError::Unusable("its memory does not fit".to_owned()));
        }
        fields.pivots(|pivots| self.exchange_pivots(pivots))
    }

    /// Factors, for a step of length h, what was factored when a snapshot was taken: no new work, which is not counted.
    fn factor_again(
        &mut self,
        method: &Coefficients,
        (t, h, y): (f64, f64, &[f64]),
        unknowns: &[f64],
    ) -> Result<(), SnapshotError> {
        let stages = self.stages();
        stages.begin(t, h, y, method, unknowns);
        let factored = stages.factor(method, &mut Statistics::default());
        factored.map_err(|failure| SnapshotError::Unusable(failure.to_string()))
    }

    /// Gets ready for error estimate and projection at the end `y` of a step.
    fn approach(
        &mut self,
        method: &Coefficients,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure>;

    /// The norm of the embedded error estimate of the step just approached; `allowed` is what it is compared with.
    fn estimate(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        scales: &Scales,
        allowed: f64,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure>;

    /// Fails where the step just approached looks solved and is not, for methods whose estimate does not ask this.
    fn check_solved(
        &mut self,
        _method: &Coefficients,
        _unknowns: &[f64],
        _scales: &Scales,
        _count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        Ok(())
    }

    /// The norm of an error of the integrated part, filtered by Newton's matrix so that stiff components do not feign one.
    fn filter(
        &mut self,
        method: &Coefficients,
        error: &mut [f64],
        scales: &Scales,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure>;

    /// The norm of an error of the integrated part of a projected state, as it is.
    fn norm(&self, error: &[f64], scales: &Scales) -> f64;

    /// The scales in which vibrations that are left out are measured.
    fn weigh(&mut self, _scales: &Scales) {}

    /// Springs that were found to vibrate leave smooth motion, at the state where the next step begins.
    fn leave_smooth_motion(
        &mut self,
        _t: f64,
        _y: &mut [f64],
        _count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        Ok(())
    }

    /// Moves the end of the step just approached onto its constraints.
    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure>;

    /// Moves an interpolated state onto its constraints and finds its multipliers.
    fn complete(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure>;

    /// Finds anew what steps do not need as exactly as those who look at the state: it is a state inside the last step, or
    /// its end.
    fn refine(&mut self, _t: f64, _y: &mut [f64], _count: &mut Statistics) {}

    /// The derivatives of the integrated part of the state at all stages, one after the other.
    fn stage_rates(&self, method: &Coefficients, unknowns: &[f64], rates: &mut [f64]);

    /// The derivative of the integrated part at the state that was settled, as far as it is known there.
    fn rate(&self, rate: &mut [f64]);

    /// The derivative of the integrated part where the state that was settled would be at another time; false where it is
    /// not known.
    fn rate_later(&mut self, _t: f64, _rate: &mut [f64], _count: &mut Statistics) -> bool {
        false
    }

    /// Whether derivative blocks of an earlier step mislead the error estimate, though Newton's iteration converges with
    /// them: strong friction in a direction that has turned looks like an error.
    fn turns_fast(&self) -> bool {
        false
    }

    /// Whether there were kinks lately: smoothness that many stages need is then doubted.
    fn expect_kinks(&mut self, _kinks: bool) {}

    /// Whether the last estimate found the solution less smooth than many stages need.
    fn is_rough(&self) -> bool {
        false
    }

    /// The error of components of the last step whose order is not that of the method, relative to what it may be.
    fn error_of_stiff_components(&self) -> f64 {
        0.0
    }

    /// What becomes of stiff springs, where there may be any.
    fn springs(&self) -> Option<&dyn TreatedSprings> {
        None
    }

    /// What the user should know about the start, or about the steps so far, in words.
    fn warning(&self) -> Option<&str> {
        None
    }

    /// The largest residuals of the constraints at the state that was settled.
    fn residuals(&mut self) -> Result<[f64; 3], StepFailure>;
}

/// The size of an update of Newton's iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UpdateSize {
    /// in a norm where it contracts evenly: velocities weighted with h
    pub(crate) contracting: f64,
    /// in the norm of the tolerance, less what rounding alone can cause
    pub(crate) against_tolerance: f64,
}
