//! What becomes of the vibrations of springs in steps of a mechanical system.

use super::{MechanicalStep, Springs};
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::{Projection, Vibrations};
use crate::springs::dependent::Freedom;
use crate::springs::vibrations::{LonelySpring, Moved, SpringMotion, largest_difference, time_scale};

/// Springs that begin to vibrate are left to dampers with at least so many of their time scales as relaxation time: steps see what is
/// left of the vibration, and become longer once it has died out.
const DAMPED: f64 = 0.1;
/// Positions that a projection moves by more tolerances than so many have jumped. (A damper that is pulled at the start, beside a spring that
/// holds it: 1e4 tolerances within a hundredth of a vibration.)
const JUMP: f64 = 10.0;

impl MechanicalStep<'_> {
    /// Goes on where other steps have come to, which followed the vibrations of these springs.
    pub(crate) fn keep_following(mut self, springs: &[String]) -> Self {
        let constraints = &self.manifold.structure().constraints;
        self.treatment.goes_on(|k| springs.contains(&constraints[k].name));
        self
    }

    /// Decides what becomes of the vibrations of springs, at a state that was just evaluated. A start of smooth motion
    /// is moved onto it.
    pub(super) fn decide_on_springs(
        &mut self,
        t: f64,
        y: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        let damping = self.stages.damping_at(t, q, v, count)?;
        let freedom = self.manifold.freedom_of_springs(t, (q, v), count);
        let freedom = freedom.unwrap_or_else(|_| vec![Freedom::Shared(1.0); lambda.len()]);
        let springs = self.manifold.lonely_springs(q, &damping).into_iter().zip(&freedom);
        let springs: Vec<_> = springs.map(|(spring, freedom)| (spring.with(*freedom), *freedom)).collect();
        let (a, multipliers) = &mut self.elsewhere;
        multipliers.copy_from_slice(lambda);
        // How everything else moves is what the rigid constraint would do, of springs that do not depend on others.
        self.manifold.follow_springs(|k| !freedom[k].is_own());
        let limit = self.manifold.factor(count);
        let limit = limit.and_then(|()| self.manifold.accelerations(t, a, multipliers, 2, count));
        let motion = limit.ok().map(|()| time_scale(q, v, a));
        let rule = self.rule;
        self.strong_friction = springs.iter().any(|(spring, _)| rule.is_strong(spring.friction, motion));
        self.manifold.respect_friction(self.strong_friction, self.choice);
        self.treatment.begin();
        self.decide_among_springs(t, &springs, motion);
        if motion != Some(f64::INFINITY) {
            self.springs = Springs::Decided;
        }
        self.manifold.neglected.begin(motion.unwrap_or(f64::INFINITY));
        self.treat_springs();
        self.manifold.factor(count)?;
        if self.manifold.has_smooth_springs() && self.projection != Projection::None {
            self.move_onto_smooth_motion(t, y, motion, count)?;
        }
        Ok(())
    }

    /// Decides on each spring. Vibrations that are followed are a part of what others would have to be smooth against, so that
    /// a spring which is hardly stiffer than one that vibrates is followed with it.
    fn decide_among_springs(&mut self, t: f64, springs: &[(LonelySpring, Freedom)], motion: Option<f64>) {
        let (rule, treatment) = (self.rule, &mut self.treatment);
        let stiff = || springs.iter().enumerate().filter(|(_, (spring, _))| spring.time > 0.0);
        for (k, (spring, freedom)) in stiff() {
            treatment.times[k] = spring.time;
            treatment.decide(k, t, rule.decide_with(*spring, *freedom, motion));
        }
        let mut before = motion;
        while let Some(everything_else) = motion.map(|motion| motion.min(treatment.fastest_followed()))
            && before != Some(everything_else)
        {
            for (k, (spring, freedom)) in stiff() {
                if treatment.motions[k].is_some_and(SpringMotion::is_taken_along) {
                    treatment.decide(k, t, rule.decide_with(*spring, *freedom, Some(everything_else)));
                }
            }
            before = Some(everything_else);
        }
    }

    fn move_onto_smooth_motion(
        &mut self,
        t: f64,
        y: &mut [f64],
        motion: Option<f64>,
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split_mut(y);
        let before = (q.to_vec(), v.to_vec());
        self.manifold.begin_smoothly(t, q, v, count)?;
        let moved = Moved { q: largest_difference(q, &before.0), v: largest_difference(v, &before.1) };
        let slowest = self.treatment.slowest_smooth();
        self.warning = motion.and_then(|motion| moved.warning(slowest, motion, q));
        self.treatment.moved = moved;
        Ok(())
    }

    /// Takes multipliers of springs from the state just evaluated, where those of the stages are none. A method that does not end with its
    /// last stage extrapolates multipliers; those of springs that are followed would carry their errors on from step to step. Those of
    /// springs that rods hold would have what Newton's iteration leaves of g, over c, in them.
    pub(super) fn find_multipliers_of_springs(&mut self) {
        let extrapolated = self.h != 0.0 && !self.ends_on_constraints;
        let (estimate, treatment) = (&self.estimate, &self.treatment);
        let known = |k: usize| extrapolated && estimate.follows(k) || treatment.is(k, SpringMotion::Held);
        self.manifold.spring_multipliers(&mut self.elsewhere.1, known);
    }

    /// Lets stages, estimate and projection do what was decided just now.
    pub(super) fn treat_springs(&mut self) {
        self.select_springs();
        self.manifold.neglected.forget(self.treatment.slowest_smooth());
        self.fastest_followed = self.treatment.fastest_followed();
    }

    /// Lets estimate and projection do what was decided; before that, they follow all springs.
    pub(super) fn select_springs(&mut self) {
        let treatment = &self.treatment;
        let taken_along = |k: usize| treatment.motions[k].is_some_and(SpringMotion::is_taken_along);
        self.manifold.follow_springs(|k| !taken_along(k));
        self.manifold.let_creep(|k| treatment.is(k, SpringMotion::Creeping));
        self.estimate.follow(&self.stages, |k| treatment.is(k, SpringMotion::Followed));
    }

    /// Where a step is shorter than a vibration, springs in smooth motion stretch no faster than the method lets them: a force that
    /// jumps (of a damper that was just pulled) would stretch them at once, and is one that their vibrations have to follow.
    pub(super) fn notice_jumps_of_springs(&mut self, t: f64, y: &[f64]) {
        if !self.manifold.has_smooth_springs() {
            return;
        }
        let (q, _, _) = self.layout.split(y);
        let moved = q.iter().zip(&self.elsewhere.0).zip(&self.weights);
        let moved =
            moved.fold(0.0_f64, |most, ((q, before), weight)| most.max(((q - before) * weight).abs()));
        if moved > JUMP * self.rule.rtol {
            self.manifold.neglected.notice_jump(t);
        }
    }

    /// Whether what smooth motion leaves out in the step just projected is negligible.
    pub(super) fn check_smooth_motion(&mut self, t: f64, count: &mut Statistics) -> Result<(), StepFailure> {
        if !self.manifold.has_smooth_springs() {
            return Ok(());
        }
        let weights = self.weights.split_at(self.layout.n());
        let times = &self.treatment.times;
        let left_out = self.manifold.left_out(t, times, weights, count);
        let choose = self.rule.vibrations == Vibrations::Auto && self.rule.constant_step.is_none();
        let neglected = &self.manifold.neglected;
        let resolved = neglected.is_resolved() || neglected.is_soft(self.h);
        if !choose || !self.rule.may_change || left_out <= self.rule.rtol && !resolved {
            return Ok(());
        }
        let left_out = &self.manifold.neglected.left_out;
        let largest = (0..left_out.len()).max_by(|a, b| left_out[*a].total_cmp(&left_out[*b])).unwrap_or(0);
        let spring = self.manifold.structure().constraints[largest].name.clone();
        Err(StepFailure::NotSmooth { spring, vibration: left_out[largest] })
    }

    /// Springs that were found to vibrate are followed from the beginning of the step on, or left to their dampers.
    pub(super) fn follow_what_vibrates(
        &mut self,
        t: f64,
        y: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let neglected = &self.manifold.neglected;
        let resolved = neglected.is_resolved() || neglected.is_soft(self.h);
        let leaves = |k: usize| {
            let smooth = self.treatment.is(k, SpringMotion::Smooth);
            smooth && (resolved || self.manifold.takes_part(k, &self.treatment.times))
        };
        let leaving: Vec<bool> = (0..self.layout.m()).map(leaves).collect();
        for k in (0..leaving.len()).filter(|&k| leaving[k]) {
            let damped = self.manifold.relaxation[k] >= DAMPED * self.manifold.neglected.slowest;
            let motion = if damped { SpringMotion::Damped } else { SpringMotion::Followed };
            self.treatment.change(k, t, motion);
        }
        self.treat_springs();
        let (q, v, lambda) = self.layout.split_mut(y);
        self.manifold.evaluate(t, q, v, count)?;
        self.manifold.spring_multipliers(lambda, |k| leaving[k]);
        self.manifold.factor(count)?;
        self.manifold.find_stretching(t, self.h, q, v, count)?;
        self.settle_again(t, y, count)
    }
}
