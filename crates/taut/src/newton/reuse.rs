//! When derivative blocks and factors are used again, and what is tried where they do not lead on.

use super::simplified::Newton;
use crate::control::error_norm::Scales;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::{MultistepOptions, NewtonOptions};
use crate::snapshot::{Fields, SnapshotError};
use crate::stages::coefficients::Coefficients;
use crate::stages::stage_equations::StageEquations;

/// What a kind of step uses again, and how often it tries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    /// blocks stay for the next step where the iteration contracts at least by this
    keep_blocks_below: f64,
    /// and never longer than for so many steps
    oldest_blocks: usize,
    /// factors serve for lengths within this factor of theirs; 1 for no others
    keep_factors_within: f64,
    /// where the iteration fails with blocks that are so many steps old, it begins anew with those of its prediction
    renew_from: Option<usize>,
    /// convergence of earlier steps is not trusted with blocks that were there before
    doubts_kept_blocks: bool,
    /// so many sets of blocks are tried, each of where the iteration has come to, as long as it contracts
    tries: usize,
    /// so many where there is a kink: blocks of one side of it do not lead to the other
    tries_at_kinks: usize,
    /// also where the iteration does not contract
    diverges_at_kinks: bool,
}

impl Policy {
    /// All stages together. Blocks of a shorter step that was rejected are as good as new ones.
    pub(crate) fn collocation(options: &NewtonOptions) -> Self {
        Policy {
            keep_blocks_below: options.keep_blocks_below,
            oldest_blocks: usize::MAX,
            keep_factors_within: 1.0,
            renew_from: Some(1),
            doubts_kept_blocks: false,
            tries: 1,
            tries_at_kinks: 4,
            diverges_at_kinks: false,
        }
    }

    /// One stage after the other, all with the same factors: where a stage fails, those before it would have to be solved again, and
    /// the whole step is.
    pub(crate) fn diagonal(options: &NewtonOptions) -> Self {
        Policy { renew_from: None, tries_at_kinks: 1, ..Policy::collocation(options) }
    }

    /// One stage, whose leading coefficient changes little from step to step.
    pub(crate) fn multistep(options: &MultistepOptions) -> Self {
        Policy {
            keep_blocks_below: options.keep_blocks_below,
            oldest_blocks: options.oldest_blocks,
            keep_factors_within: options.keep_factors_within,
            renew_from: Some(0),
            doubts_kept_blocks: true,
            tries: 2,
            tries_at_kinks: 6,
            diverges_at_kinks: true,
        }
    }

    /// Whether factors that were made for one length and method serve for others.
    fn serves(&self, made_for: Factored, asked: Factored) -> bool {
        let within = 1.0 / self.keep_factors_within..=self.keep_factors_within;
        made_for.method == asked.method && within.contains(&(made_for.length / asked.length))
    }
}

/// What factors are made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Factored {
    /// the length of the step, or what takes its place in a formula
    pub(crate) length: f64,
    /// the number of the method, where there are several
    pub(crate) method: usize,
}

/// The equations of a step, and what they are solved to.
pub(crate) struct Task<'s> {
    pub(crate) equations: &'s mut dyn StageEquations,
    pub(crate) method: &'s Coefficients,
    /// predicts the unknowns and begins the step
    pub(crate) begin: &'s mut dyn FnMut(&mut dyn StageEquations, &mut [f64]),
    pub(crate) unknowns: &'s mut [f64],
    pub(crate) scales: &'s Scales,
    pub(crate) tolerance: f64,
    /// what its factors are made for
    pub(crate) factored: Factored,
}

/// Which blocks and factors there are.
#[derive(Clone, Debug)]
pub(crate) struct Reuse {
    policy: Policy,
    /// steps since the blocks were evaluated; nothing where there are none
    age: Option<usize>,
    factored: Option<Factored>,
    /// what was factored when a snapshot was taken: to do it again is no new work
    factored_before: Option<Factored>,
}

impl Reuse {
    pub(crate) fn new(policy: Policy) -> Self {
        Reuse { policy, age: None, factored: None, factored_before: None }
    }

    /// Evaluates the blocks anew for the next iteration.
    pub(crate) fn forget_blocks(&mut self) {
        self.age = None;
    }

    /// Factors the blocks anew for the next iteration.
    pub(crate) fn forget_factors(&mut self) {
        self.factored = None;
    }

    /// Whether there are blocks of an earlier step.
    pub(crate) fn keeps_blocks(&self) -> bool {
        self.age.is_some_and(|age| age > 0)
    }

    /// What the factors that are kept were made for.
    pub(crate) fn kept(&self) -> Option<Factored> {
        self.factored.filter(|_| self.age.is_some())
    }

    /// A step was accepted whose iteration contracted like this.
    pub(crate) fn accept(&mut self, contraction: f64) {
        let Policy { keep_blocks_below, oldest_blocks, .. } = self.policy;
        let kept = |age: &usize| *age < oldest_blocks && contraction <= keep_blocks_below;
        // Where stages had Jacobians of their own, there are no blocks of this step.
        self.age = self.age.map(|age| age + 1).filter(kept);
    }

    /// Solves the equations of a step, with what is at hand as far as it leads; at a kink it tries more. Returns the number of
    /// iterations.
    pub(crate) fn solve(
        &mut self,
        newton: &mut Newton,
        mut task: Task<'_>,
        kink: bool,
        count: &mut Statistics,
    ) -> Result<usize, StepFailure> {
        let policy = self.policy;
        let mut old = self.age.zip(policy.renew_from).is_some_and(|(age, from)| age >= from);
        let mut tries = if kink { policy.tries_at_kinks } else { policy.tries };
        let slowest = if kink && policy.diverges_at_kinks { None } else { Some(1.0) };
        (task.begin)(task.equations, task.unknowns);
        loop {
            newton.doubt(policy.doubts_kept_blocks && self.age.is_some());
            self.make_ready(&mut task, count)?;
            let Task { equations, method, unknowns, scales, tolerance, .. } = &mut task;
            match newton.iterate(*equations, method, unknowns, scales, *tolerance, count) {
                Err(StepFailure::Newton { .. }) if old => {
                    (task.begin)(task.equations, task.unknowns);
                    (self.age, old) = (None, false);
                }
                Err(StepFailure::Newton { contraction, .. })
                    if tries > 1 && slowest.is_none_or(|slowest| contraction < slowest) =>
                {
                    tries -= 1;
                    self.age = None;
                }
                result => return result,
            }
        }
    }

    /// Evaluates and factors what is not used again.
    fn make_ready(&mut self, task: &mut Task<'_>, count: &mut Statistics) -> Result<(), StepFailure> {
        let Task { equations, method, unknowns, factored, .. } = task;
        if self.age.is_none() {
            equations.refresh(method, method.stages / 2, unknowns, count)?;
            (self.age, self.factored, self.factored_before) = (Some(0), None, None);
        }
        if !self.factored.is_some_and(|made_for| self.policy.serves(made_for, *factored)) {
            self.factored = None;
            let known = self.factored_before.take() == Some(*factored);
            let mut uncounted = Statistics::default();
            equations.factor(method, if known { &mut uncounted } else { count })?;
            self.factored = Some(*factored);
        }
        Ok(())
    }

    /// The blocks, in a snapshot or out of it; there they are so many steps old.
    pub(crate) fn blocks(
        &mut self,
        equations: &mut dyn StageEquations,
        age: usize,
        fields: &mut Fields<'_>,
    ) -> Result<(), SnapshotError> {
        match fields {
            Fields::Saved(_) if self.age.is_none() => fields.list("blocks", &mut [])?,
            Fields::Saved(snapshot) => snapshot.put("blocks", &equations.blocks()),
            Fields::Restored(snapshot) => {
                let fit = equations.set_blocks(snapshot.get("blocks")?);
                (self.age, self.factored, self.factored_before) = (fit.then_some(age), None, None);
            }
        }
        Ok(())
    }

    /// How old the blocks are, where there are any.
    pub(crate) fn age(&self) -> Option<usize> {
        self.age
    }

    /// The blocks of a snapshot have been factored.
    pub(crate) fn factored_again(&mut self, factored: Factored) {
        self.factored = Some(factored);
    }

    /// The blocks of a snapshot were factored like this when it was taken.
    pub(crate) fn was_factored(&mut self, factored: Factored) {
        self.factored_before = Some(factored);
    }
}
