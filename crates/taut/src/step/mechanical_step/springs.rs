//! What becomes of the vibrations of springs in steps of a mechanical system.

use super::{MechanicalStep, Springs, largest_difference};
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::Projection;
use crate::springs::vibrations::{Moved, SpringMotion, report, time_scale};

impl MechanicalStep<'_> {
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
        let springs = self.manifold.lonely_springs(q, &damping);
        let (a, multipliers) = &mut self.elsewhere;
        multipliers.copy_from_slice(lambda);
        // How everything else moves is what the rigid constraint would do. Springs that depend on each other have no
        // such limit.
        self.manifold.follow_springs(|_| false);
        let limit = self.manifold.factor(count);
        let limit = limit.and_then(|()| self.manifold.accelerations(t, a, multipliers, 2, count));
        let motion = limit.ok().map(|()| time_scale(q, v, a));
        if motion != Some(f64::INFINITY) {
            self.springs = Springs::Decided;
        }
        let rule = self.rule;
        let decide = |k: usize| match motion {
            Some(f64::INFINITY) => SpringMotion::Damped,
            motion => rule.decide(springs[k], motion),
        };
        self.strong_friction = springs.iter().any(|spring| rule.is_strong(spring.friction, motion));
        self.manifold.respect_friction(self.strong_friction, self.choice);
        self.manifold.follow_springs(|k| !decide(k).is_taken_along());
        self.manifold.let_creep(|k| decide(k) == SpringMotion::Creeping);
        self.estimate.follow(&self.stages, |k| decide(k) == SpringMotion::Followed);
        let springs = springs.iter().enumerate().filter(|(_, spring)| spring.time > 0.0);
        let springs: Vec<_> = springs.map(|(k, spring)| (decide(k), spring.time)).collect();
        let followed = springs.iter().filter(|(motion, _)| *motion == SpringMotion::Followed);
        self.fastest_followed = followed.fold(f64::INFINITY, |fastest, (_, time)| fastest.min(*time));
        self.manifold.factor(count)?;
        let mut moved = Moved::default();
        if self.manifold.has_smooth_springs() && self.projection != Projection::None {
            let before = (q.to_vec(), v.to_vec());
            self.manifold.begin_smoothly(t, q, v, count)?;
            moved = Moved { q: largest_difference(q, &before.0), v: largest_difference(v, &before.1) };
            let smooth = springs.iter().filter(|(motion, _)| *motion == SpringMotion::Smooth);
            let slowest = smooth.fold(0.0, |slowest: f64, (_, time)| slowest.max(*time));
            self.warning = motion.and_then(|motion| moved.warning(slowest, motion, q));
        }
        if self.springs == Springs::Decided {
            self.spring_report = Some(report(&springs, &moved));
        }
        Ok(())
    }
}
