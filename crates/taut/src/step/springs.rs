//! Springs in smooth motion: stiff springs without the vibrations that their stiffness would allow.
//!
//! A smooth motion of g(q) = c λ (Lubich 1992, Theorem 2.2) satisfies G v = c λ' and G a + curvature = c λ''. Along it
//! the multipliers are functions of positions and velocities, up to O(c) those of the rigid constraint, so that λ' and
//! λ'' are their first and second difference along the motion. Velocities projected with them are off by O(c²): nothing
//! is divided by c, and c = 0 is the rod.

use super::failure::StepFailure;
use super::manifold::Manifold;
use crate::motion::Statistics;
use crate::options::Vibrations;

/// Differences along the motion reach this share of a step in both directions: the errors δ² of the difference and
/// 1e-16/δ² of its rounding balance.
const SHARE_OF_STEP: f64 = 1e-3;
/// Where no step was taken yet: this share of the time scale of the motion.
const SHARE_OF_TIME_SCALE: f64 = 1e-4;
/// Passes of iterative refinement with the factors of a state so close by.
const REFINEMENTS: usize = 4;
/// Smaller moves of a start are not told.
const NOTICED_MOVE: f64 = 1e-12;
/// Passes of the projection of a start onto smooth motion, each of which gains a factor c.
const START_PASSES: usize = 3;
/// A spring is taken to vibrate too fast to be seen when its time scale is below this share of that of the motion.
const MUCH_FASTER: f64 = 1.0 / 30.0;
/// And below this share of rtol^(1/4): measured on the pendulum, errors of velocities then stay below the tolerance.
const SMOOTH_ENOUGH: f64 = 0.5;
/// A start is far off smooth motion when its springs would vibrate with so many times the velocity of everything else.
const FAR_OFF: f64 = 30.0;
/// Friction is strong when it slows a spring down within this share of the time scale of the motion, inverted.
const STRONG_FRICTION: f64 = 1e4;
/// With constant steps: below this share of the step.
const UNRESOLVED: f64 = 1.0 / 3.0;

/// Scratch space for differences along the motion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probe {
    q: Vec<f64>,
    v: Vec<f64>,
    jerk: Vec<f64>,
    /// accelerations and multipliers before, here, after
    a: [Vec<f64>; 3],
    lambda: [Vec<f64>; 3],
}

impl Probe {
    pub(super) fn new(n: usize, m: usize) -> Self {
        let (a, lambda) = (vec![0.0; n], vec![0.0; m]);
        Probe {
            q: a.clone(),
            v: a.clone(),
            jerk: a.clone(),
            a: std::array::from_fn(|_| a.clone()),
            lambda: std::array::from_fn(|_| lambda.clone()),
        }
    }

    /// The Taylor polynomial of the motion at distance δ.
    fn move_along(&mut self, q: &[f64], v: &[f64], delta: f64) {
        for k in 0..q.len() {
            let (a, jerk) = (self.a[1][k], self.jerk[k]);
            self.q[k] = q[k] + delta * (v[k] + delta * (a / 2.0 + delta * jerk / 6.0));
            self.v[k] = v[k] + delta * (a + delta * jerk / 2.0);
        }
    }
}

impl Manifold<'_> {
    /// Finds how fast springs in smooth motion stretch at a state, with the factors at hand; `h` is the length of the
    /// last step, 0 when there was none.
    pub(crate) fn find_stretching(
        &mut self,
        t: f64,
        h: f64,
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if !self.has_smooth_springs() {
            return Ok(());
        }
        self.stretching[2].fill(0.0);
        let mut probe = std::mem::take(&mut self.probe);
        let found = self.differences(&mut probe, t, h, q, v, count);
        self.probe = probe;
        found
    }

    fn differences(
        &mut self,
        probe: &mut Probe,
        t: f64,
        h: f64,
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.accelerations_at(probe, 1, t, q, v, count)?;
        let delta = match h {
            0.0 => SHARE_OF_TIME_SCALE * time_scale(q, v, &probe.a[1]),
            h => SHARE_OF_STEP * h.abs(),
        };
        if !delta.is_finite() {
            return Ok(());
        }
        probe.jerk.fill(0.0);
        // The second time with the jerk that the first one found, without which λ'' would be wrong.
        for _ in 0..2 {
            for (side, delta) in [(0, -delta), (2, delta)] {
                probe.move_along(q, v, delta);
                let (q, v) = (std::mem::take(&mut probe.q), std::mem::take(&mut probe.v));
                let found = self.accelerations_at(probe, side, t + delta, &q, &v, count);
                (probe.q, probe.v) = (q, v);
                found?;
            }
            for (k, jerk) in probe.jerk.iter_mut().enumerate() {
                *jerk = (probe.a[2][k] - probe.a[0][k]) / (2.0 * delta);
            }
        }
        let [before, here, after] = &probe.lambda;
        for k in 0..self.compliance.len() {
            let c = self.smooth_compliance(k);
            self.stretching[1][k] = c * (after[k] - before[k]) / (2.0 * delta);
            self.stretching[2][k] = c * (after[k] - 2.0 * here[k] + before[k]) / (delta * delta);
        }
        self.accelerations_at(probe, 1, t, q, v, count)?;
        for k in 0..self.compliance.len() {
            self.stretching[0][k] = self.smooth_compliance(k) * probe.lambda[1][k];
        }
        Ok(())
    }

    /// Moves positions onto rods and onto the stretching of smooth motion, and velocities along; `lambda` are the
    /// multipliers of the step, which say how far its springs are stretched.
    ///
    /// A vibration α of a spring moves positions by M⁻¹Gᵀα. Since its force turns with the motion, it moves velocities
    /// along the manifold by −M⁻¹(d/dt Gᵀ)α: without it, a pendulum whose spring is put right would gain angular
    /// momentum.
    pub(crate) fn project_positions_along(
        &mut self,
        t: f64,
        h: f64,
        q: &mut [f64],
        v: &mut [f64],
        lambda: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.find_stretching(t, h, q, v, count)?;
        self.project_positions(t, q, count)?;
        if !self.has_smooth_springs() || h == 0.0 {
            return Ok(());
        }
        let mut probe = std::mem::take(&mut self.probe);
        let found = self.turn_of_vibration(&mut probe, (t, h), q, v, lambda, count);
        v.iter_mut().zip(&probe.a[1]).for_each(|(v, change)| *v += change);
        self.probe = probe;
        found
    }

    /// M⁻¹(d/dt Gᵀ)α along the manifold, of the vibrations α that are the difference between the multipliers of the step
    /// and those of smooth motion.
    fn turn_of_vibration(
        &mut self,
        probe: &mut Probe,
        (t, h): (f64, f64),
        q: &[f64],
        v: &[f64],
        lambda: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let n = q.len();
        for (k, lambda) in lambda.iter().enumerate() {
            self.correction[n + k] = self.smooth_compliance(k) * lambda - self.stretching[0][k];
        }
        self.solve_correction(count);
        let [_, turn, _] = &mut probe.a;
        turn.fill(0.0);
        for delta in [-SHARE_OF_STEP * h, SHARE_OF_STEP * h] {
            for ((moved, q), v) in probe.q.iter_mut().zip(q).zip(v) {
                *moved = q + delta * v;
            }
            self.evaluate_geometry(t + delta, &probe.q, v)?;
            let (jacobian, impulse) = (&self.evaluated().jacobian, &self.correction[n..]);
            self.structure().jacobian.transpose_multiply_add(jacobian, impulse, turn, 0.5 / delta);
        }
        self.tangent_velocities(turn, count);
        Ok(())
    }

    /// Moves a start onto smooth motion: what vibrates there would be damped anyway, at the cost of short steps.
    pub(crate) fn begin_smoothly(
        &mut self,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        for _ in 0..START_PASSES {
            self.evaluate_geometry(t, q, v)?;
            self.factor(count)?;
            self.find_stretching(t, 0.0, q, v, count)?;
            self.project_positions(t, q, count)?;
            self.project_velocities(t, q, v, count)?;
        }
        self.evaluate(t, q, v, count)?;
        self.factor(count)
    }

    /// c of a spring in smooth motion, 0 of everything else.
    fn smooth_compliance(&self, k: usize) -> f64 {
        if self.followed[k] == 0.0 { self.compliance[k] } else { 0.0 }
    }

    fn accelerations_at(
        &mut self,
        probe: &mut Probe,
        side: usize,
        t: f64,
        q: &[f64],
        v: &[f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.evaluate(t, q, v, count)?;
        let (a, lambda) = (&mut probe.a[side], &mut probe.lambda[side]);
        self.accelerations(t, a, lambda, REFINEMENTS, count)
    }

    /// What each spring would do alone, M taken to be diagonal.
    pub(crate) fn lonely_springs(&self, damping: &[f64]) -> Vec<LonelySpring> {
        let structure = self.structure();
        let mut inverse_mass = vec![0.0; structure.n()];
        for ((i, j), mass) in structure.mass.entries().zip(&self.evaluated().mass) {
            if i == j && *mass > 0.0 {
                inverse_mass[i] = 1.0 / mass;
            }
        }
        let mut rows = vec![Vec::new(); structure.m()];
        for ((k, j), g) in structure.jacobian.entries().zip(&self.evaluated().jacobian) {
            rows[k].push((j, g * inverse_mass[j], *g));
        }
        let damping = |i: usize, j: usize| structure.damping.position(i, j).map_or(0.0, |k| damping[k]);
        let lonely = |(row, compliance): (Vec<(usize, f64, f64)>, &f64)| {
            let mobility: f64 = row.iter().map(|(_, moved, g)| moved * g).sum();
            let pairs = row.iter().flat_map(|x| row.iter().map(move |y| (x, y)));
            let friction: f64 = pairs.map(|(x, y)| x.1 * damping(x.0, y.0) * y.1).sum();
            LonelySpring { time: (compliance / mobility).sqrt(), friction: friction.abs() / mobility }
        };
        rows.into_iter().zip(&self.compliance).map(lonely).collect()
    }
}

/// A spring with the masses it moves and nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LonelySpring {
    /// √(c/(G M⁻¹Gᵀ)), the time scale of its vibration; 0 for a rod
    pub(crate) time: f64,
    /// the rate at which friction slows it down
    pub(crate) friction: f64,
}

/// What becomes of the vibrations of a spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpringMotion {
    /// there are none: the spring is taken along with the rods
    Smooth,
    /// they are damped by the method as far as steps do not resolve them
    Damped,
    /// the error estimate sees them
    Followed,
}

/// What decides on the vibrations of each spring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VibrationRule {
    pub(crate) vibrations: Vibrations,
    pub(crate) rtol: f64,
    pub(crate) constant_step: Option<f64>,
    /// whether the method can take springs along with the rods; else it follows what it could leave out
    pub(crate) takes_along: bool,
}

impl VibrationRule {
    /// Whether friction of this rate is strong against the time scale of the motion.
    pub(crate) fn is_strong(&self, friction: f64, motion: Option<f64>) -> bool {
        motion.is_some_and(|motion| friction * motion > STRONG_FRICTION)
    }

    /// What becomes of a spring when everything else moves on the time scale `motion`; that is unknown when springs
    /// depend on each other. Where friction is so strong that accelerations drown in the rounding errors of velocities,
    /// smooth motion cannot be found from them, and the method has to do without.
    ///
    /// The velocities of smooth motion are found up to (vibration/motion)⁴, which has to be below the tolerance.
    pub(crate) fn decide(&self, spring: LonelySpring, motion: Option<f64>) -> SpringMotion {
        let vibration = spring.time;
        let unresolved = self.constant_step.is_none_or(|h| vibration <= UNRESOLVED * h.abs());
        match (self.vibrations, motion) {
            (Vibrations::Follow, _) => SpringMotion::Followed,
            (_, None) => SpringMotion::Damped,
            (_, Some(motion)) if self.is_strong(spring.friction, Some(motion)) => SpringMotion::Damped,
            (Vibrations::Damp, Some(_)) => SpringMotion::Smooth,
            (Vibrations::Auto, Some(motion)) => {
                let known = (SMOOTH_ENOUGH * self.rtol.powf(0.25)).min(MUCH_FASTER);
                let smooth = self.takes_along && unresolved && vibration <= known * motion;
                if smooth { SpringMotion::Smooth } else { SpringMotion::Followed }
            }
        }
    }
}

/// How long it takes until positions or velocities have changed much: infinite at rest.
pub(crate) fn time_scale(q: &[f64], v: &[f64], a: &[f64]) -> f64 {
    let size = |x: &[f64]| x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let (q, v, a) = (size(q), size(v), size(a));
    // At the origin nothing but 1 is known of the size of positions.
    let q = if q > 0.0 { q } else { 1.0 };
    let of_positions = if v > 0.0 { q / v } else { f64::INFINITY };
    let of_velocities = if a > 0.0 { (v / a).max((q / a).sqrt()) } else { f64::INFINITY };
    of_positions.min(of_velocities)
}

/// How far a start was moved onto smooth motion, the largest changes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    pub(crate) q: f64,
    pub(crate) v: f64,
}

impl Moved {
    /// A start that lies so far off that its springs would vibrate with velocities beyond all others: what it says is
    /// hardly what was meant. `slowest` is the longest time scale of a spring, `motion` that of everything else.
    pub(crate) fn warning(&self, slowest: f64, motion: f64, q: &[f64]) -> Option<String> {
        let size = q.iter().fold(0.0_f64, |size, q| size.max(q.abs()));
        let times = self.q / slowest / (size / motion);
        let Moved { q, v } = self;
        (times > FAR_OFF).then(|| {
            format!(
                "the start is far off smooth motion: it was moved by {q:.1e} in positions and {v:.1e} in velocities; left \
                 there, stiff springs would vibrate {times:.1e} times as fast as everything else moves"
            )
        })
    }
}

/// What was decided, as a sentence for each kind.
pub(crate) fn report(springs: &[(SpringMotion, f64)], moved: &Moved) -> String {
    let mut kinds = [
        (SpringMotion::Smooth, 0, 0.0_f64),
        (SpringMotion::Damped, 0, 0.0),
        (SpringMotion::Followed, 0, 0.0),
    ];
    for &(motion, time) in springs {
        for (kind, number, slowest) in &mut kinds {
            if *kind == motion {
                *number += 1;
                *slowest = slowest.max(std::f64::consts::TAU * time);
            }
        }
    }
    let mut sentences = Vec::new();
    for (kind, number, slowest) in kinds.into_iter().filter(|(_, number, _)| *number > 0) {
        let what = match kind {
            SpringMotion::Smooth => "in smooth motion, vibrations are not followed",
            SpringMotion::Damped => "whose vibrations are damped where steps do not resolve them",
            SpringMotion::Followed => "whose vibrations are followed",
        };
        sentences.push(format!("{number} {what} (periods up to {slowest:.2e})"));
    }
    if moved.q > NOTICED_MOVE || moved.v > NOTICED_MOVE {
        let Moved { q, v } = moved;
        sentences.push(format!(
            "the start was moved by {q:.1e} in positions and {v:.1e} in velocities onto smooth motion"
        ));
    }
    sentences.join("; ")
}
