//! What becomes of the vibrations of each spring, and how that is told.

use super::dependent::Freedom;
use crate::geometry::manifold::Manifold;
use crate::options::{SpringOptions, Vibrations};
use crate::snapshot::Field;
use crate::system::Constraint;

/// The longest step, in time scales 1/ω of a vibration that is followed: a third of its period. With longer ones the
/// estimate would take what it cannot see for the error of a high order.
pub(crate) const STEP_PER_VIBRATION: f64 = 2.0;
/// Smaller moves of a start are not told.
const NOTICED_MOVE: f64 = 1e-12;
/// A start is far off smooth motion when its springs would vibrate with so many times the velocity of everything else.
const FAR_OFF: f64 = 30.0;
/// With constant steps: below this share of the step.
const UNRESOLVED: f64 = 1.0 / 3.0;

impl Manifold<'_> {
    /// What each spring would do alone from the state q evaluated last, M taken to be diagonal.
    pub(crate) fn lonely_springs(&self, q: &[f64], damping: &[f64]) -> Vec<LonelySpring> {
        let structure = self.structure();
        let (masses, mut rows) = (self.inverse_masses(), vec![Vec::new(); structure.m()]);
        for (row, gradient) in rows.iter_mut().zip(self.gradients()) {
            row.extend(gradient.into_iter().map(|(j, g)| (j, g * masses[j], g)));
        }
        let damping = |i: usize, j: usize| structure.damping.position(i, j).map_or(0.0, |k| damping[k]);
        let size = q.iter().fold(0.0_f64, |size, q| size.max(q.abs()));
        let lonely = |(k, constraint): (usize, &Constraint)| {
            let row = &rows[k];
            let mobility: f64 = row.iter().map(|(_, moved, g)| moved * g).sum();
            let pairs = row.iter().flat_map(|x| row.iter().map(move |y| (x, y)));
            let friction: f64 = pairs.map(|(x, y)| x.1 * damping(x.0, y.0) * y.1).sum();
            let relaxation = constraint.relaxation();
            let excess = self.evaluated().rate[k] + self.evaluated().constraint[k] / relaxation;
            LonelySpring {
                time: (constraint.compliance() / mobility).sqrt(),
                friction: friction.abs() / mobility,
                relaxation,
                excess: if relaxation > 0.0 { excess.abs() / size } else { 0.0 },
            }
        };
        structure.constraints.iter().enumerate().map(lonely).collect()
    }

    /// What masses are divided by, M taken to be diagonal, at the state evaluated last; 0 where there is none.
    pub(super) fn inverse_masses(&self) -> Vec<f64> {
        let structure = self.structure();
        let mut inverse = vec![0.0; structure.n()];
        for ((i, j), mass) in structure.mass.entries().zip(&self.evaluated().mass) {
            if i == j && *mass > 0.0 {
                inverse[i] = 1.0 / mass;
            }
        }
        inverse
    }

    /// The entries of the gradient of each constraint, with their columns, at the state evaluated last.
    pub(super) fn gradients(&self) -> Vec<Vec<(usize, f64)>> {
        let mut rows = vec![Vec::new(); self.structure().m()];
        for ((k, j), g) in self.structure().jacobian.entries().zip(&self.evaluated().jacobian) {
            rows[k].push((j, *g));
        }
        rows
    }
}

/// A spring with the masses it moves, and those springs that lie beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LonelySpring {
    /// √(c/(G M⁻¹Gᵀ)), the time scale of its vibration; 0 for a rod
    pub(crate) time: f64,
    /// the rate at which friction slows it down
    pub(crate) friction: f64,
    /// the relaxation time of the damper beside it, 0 without one
    pub(crate) relaxation: f64,
    /// |g' + g/d|, how much faster than it creeps the damper finds it, relative to the size of positions
    pub(crate) excess: f64,
}

impl LonelySpring {
    /// The same spring with others beside it.
    pub(crate) fn with(self, freedom: Freedom) -> Self {
        match freedom {
            Freedom::Shared(faster) | Freedom::Slowed(faster) => {
                LonelySpring { time: self.time / faster, ..self }
            }
            _ => self,
        }
    }

    /// Whether it vibrates: friction and its damper do not stop it before it comes back.
    pub(crate) fn vibrates(&self) -> bool {
        self.time > 0.0 && self.friction * self.time + self.relaxation / self.time < 2.0
    }

    /// The time scale that decides whether it is in smooth motion, when everything else moves on the time scale `motion`:
    /// the damper adds errors d c λ''' to what is known of accelerations.
    fn smooth_time(&self, motion: f64) -> f64 {
        let Self { time, relaxation, .. } = *self;
        time.max(relaxation).max((relaxation * time * time * motion).powf(0.25))
    }

    /// The time that it takes to begin to creep: that in which a mass comes to rest against the damper.
    fn creep_time(&self) -> f64 {
        if self.relaxation > 0.0 { self.time * self.time / self.relaxation } else { f64::INFINITY }
    }
}

/// What becomes of the vibrations of a spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpringMotion {
    /// there are none: the spring is taken along with the rods
    Smooth,
    /// there are none: a damper lets the spring creep, which is a condition on velocities
    Creeping,
    /// they are damped by the method as far as steps do not resolve them
    Damped,
    /// the error estimate sees them
    Followed,
    /// there are none: rods hold the spring
    Held,
}

impl SpringMotion {
    /// One word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            SpringMotion::Smooth => "smooth",
            SpringMotion::Creeping => "creeping",
            SpringMotion::Damped => "damped",
            SpringMotion::Followed => "followed",
            SpringMotion::Held => "held",
        }
    }

    /// Whether the spring is taken along with the rods, or as a condition on velocities.
    pub(crate) fn is_taken_along(self) -> bool {
        matches!(self, SpringMotion::Smooth | SpringMotion::Creeping)
    }
}

/// What lists of numbers say of each motion of a spring, and of rods.
const NUMBERS: [(Option<SpringMotion>, f64); 6] = [
    (None, 3.0),
    (Some(SpringMotion::Held), -2.0),
    (Some(SpringMotion::Creeping), -1.0),
    (Some(SpringMotion::Smooth), 0.0),
    (Some(SpringMotion::Damped), 1.0),
    (Some(SpringMotion::Followed), 2.0),
];

impl Field for Option<SpringMotion> {
    fn number(&self) -> f64 {
        NUMBERS.iter().find(|(motion, _)| motion == self).map_or(f64::NAN, |(_, number)| *number)
    }
    fn set(&mut self, number: f64) -> bool {
        let known = NUMBERS.iter().find(|(_, known)| *known == number);
        *self = known.and_then(|(motion, _)| *motion);
        known.is_some()
    }
}

/// What decides on the vibrations of each spring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VibrationRule {
    pub(crate) vibrations: Vibrations,
    pub(crate) options: SpringOptions,
    pub(crate) rtol: f64,
    pub(crate) constant_step: Option<f64>,
    /// whether the method can take springs along with the rods; else it follows what it could leave out
    pub(crate) takes_along: bool,
    /// whether springs may change between smooth motion and followed vibrations: the directions of a strong potential do not,
    /// a run ends where these lose rank
    pub(crate) may_change: bool,
}

impl VibrationRule {
    /// Whether friction of this rate is strong against the time scale of the motion.
    pub(crate) fn is_strong(&self, friction: f64, motion: Option<f64>) -> bool {
        motion.is_some_and(|motion| friction * motion > self.options.strong_friction)
    }

    /// What becomes of a spring when everything else moves on the time scale `motion`; that is unknown when springs
    /// depend on each other. Where friction is so strong that accelerations drown in the rounding errors of velocities,
    /// smooth motion cannot be found from them, and the method has to do without.
    ///
    /// The velocities of smooth motion are found up to (vibration/motion)⁴, which has to be below the tolerance.
    pub(crate) fn decide(&self, spring: LonelySpring, motion: Option<f64>) -> SpringMotion {
        let Some(motion) = motion else {
            let follow = self.vibrations == Vibrations::Follow;
            return if follow { SpringMotion::Followed } else { SpringMotion::Damped };
        };
        let known = (self.options.smooth_enough * self.rtol.powf(0.25)).min(self.options.much_faster);
        let smooth = spring.smooth_time(motion) <= known * motion;
        let creeping = spring.creep_time() <= (known * known * motion).min(self.rtol / spring.excess);
        match self.vibrations {
            Vibrations::Follow => SpringMotion::Followed,
            _ if self.is_strong(spring.friction, Some(motion)) => SpringMotion::Damped,
            Vibrations::Damp if spring.relaxation > spring.time && !smooth => match creeping {
                true => SpringMotion::Creeping,
                false => SpringMotion::Damped,
            },
            Vibrations::Damp | Vibrations::Averaged => SpringMotion::Smooth,
            Vibrations::Auto if !self.takes_along => SpringMotion::Followed,
            Vibrations::Auto if smooth && self.leaves_out(spring.time) => SpringMotion::Smooth,
            Vibrations::Auto if creeping && self.leaves_out(spring.creep_time()) => SpringMotion::Creeping,
            Vibrations::Auto if spring.creep_time() <= self.options.much_faster * motion => {
                SpringMotion::Damped
            }
            Vibrations::Auto => SpringMotion::Followed,
        }
    }

    /// The same for a spring that has not all of its freedom for itself: the multipliers of one that stretches with others are not
    /// determined where all are taken along with the rods, so that the method has to damp what it does not resolve.
    pub(crate) fn decide_with(
        &self,
        spring: LonelySpring,
        freedom: Freedom,
        motion: Option<f64>,
    ) -> SpringMotion {
        match freedom {
            Freedom::None => SpringMotion::Held,
            _ if motion == Some(f64::INFINITY) => SpringMotion::Damped,
            Freedom::Own | Freedom::Slowed(_) => self.decide(spring, motion),
            Freedom::Shared(_) => match self.decide(spring, motion) {
                taken_along if taken_along.is_taken_along() => SpringMotion::Damped,
                decided => decided,
            },
        }
    }

    /// Whether steps of constant length do not resolve what happens in this time.
    fn leaves_out(&self, time: f64) -> bool {
        self.constant_step.is_none_or(|h| time <= UNRESOLVED * h.abs())
    }
}

/// The largest |xᵢ − yᵢ|.
pub(crate) fn largest_difference(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |largest, (x, y)| largest.max((x - y).abs()))
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

/// What was decided, as a sentence for each kind; the largest vibration that was left out, and the time of the first change.
pub(crate) fn report(springs: &[(SpringMotion, f64)], moved: &Moved, left_out: f64, changed: f64) -> String {
    let mut kinds = [
        (SpringMotion::Smooth, 0, 0.0_f64),
        (SpringMotion::Creeping, 0, 0.0),
        (SpringMotion::Damped, 0, 0.0),
        (SpringMotion::Followed, 0, 0.0),
        (SpringMotion::Held, 0, 0.0),
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
            SpringMotion::Creeping => "creeping under their dampers",
            SpringMotion::Damped => "whose vibrations are damped where steps do not resolve them",
            SpringMotion::Followed => "whose vibrations are followed",
            SpringMotion::Held => "held by rods, which do not vibrate",
        };
        sentences.push(match kind {
            SpringMotion::Held => format!("{number} {what}"),
            _ => format!("{number} {what} (periods up to {slowest:.2e})"),
        });
    }
    if left_out > 0.0 {
        sentences.push(format!("vibrations up to {left_out:.1e} were left out"));
    }
    if !changed.is_nan() {
        sentences.push(format!("that changed, first at t = {changed:.3e}"));
    }
    if moved.q > NOTICED_MOVE || moved.v > NOTICED_MOVE {
        let Moved { q, v } = moved;
        sentences.push(format!(
            "the start was moved by {q:.1e} in positions and {v:.1e} in velocities onto smooth motion"
        ));
    }
    sentences.join("; ")
}
