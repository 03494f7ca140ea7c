//! What smooth motion neglects, measured in each step.
//!
//! A spring with the time scale T, T² = A⁻¹C, and the relaxation time d stretches by x with (1 + d ∂ + T² ∂²) x = C λ₀, where
//! λ₀ is the multiplier of the rigid constraint and A that part of G M⁻¹Gᵀ which rods leave to springs. Smooth motion is
//! the expansion of x in derivatives of λ₀, known up to the third: what it leaves out is created where the motion is fast, and
//! is about C T⁴ λ₀⁗ and C T⁵ λ₀⁽⁵⁾ (measured on a spring between two rods, 160 motions: never more than 4.1 times as much).
//! Derivatives grow like m!/τᵐ with the time scale τ of the motion, so that the best of all these bounds is that of
//! m = τ/T terms, about exp(−τ/T); what is left of the first one that is not known is a small kick in each step.
//! Derivatives come from the quintic polynomial through λ₀, λ₀' and λ₀'' at both ends of a step. T² is never known as
//! a number: each T² is one solution with the factors at hand, so that springs which act together are seen as such.

use crate::failure::StepFailure;
use crate::geometry::Manifold;
use crate::geometry::probe::Neglected;
use crate::motion::Statistics;
use crate::snapshot::Memory;

/// Vibrations that are left out may move positions by so many tolerances (errors at the end are then about as large)
const MOST_IN_POSITIONS: f64 = 3.0;
/// and velocities by so many.
const MOST_IN_VELOCITIES: f64 = 10.0;
/// Errors of positions at the end are no more than this share of the first term that is neglected, where vibrations are
/// not created (measured with stiffnesses 3e5 and 1e6).
const KICK: f64 = 1.0 / 15.0;
/// Motions are taken to become so many times as fast as where they began: what whips does so.
const BECOMES_FASTER: f64 = 10.0;
/// Derivatives are taken over no less than so many time scales of a vibration: over less they are rounding errors.
const LEAST_BASE: f64 = 2.0;
/// After so many shorter steps vibrations are taken to be resolved.
const MOST_SHORT_STEPS: usize = 8;
/// Springs have become soft together when what they are excited to vibrate with is so many times as slow as at first
const SOFTER: f64 = 30.0;
/// and takes as long as this share of a step.
const SHARE_OF_STEP: f64 = 0.1;
/// Springs that vibrate with this share of the largest vibration belong to it.
const TAKES_PART: f64 = 0.1;

/// Derivatives of the quintic polynomial through values and two derivatives at both ends of [0, h].
struct Quintic {
    third_at_end: f64,
    /// that of both ends which is larger
    fourth: f64,
    fifth: f64,
}

impl Quintic {
    fn through(before: [f64; 3], after: [f64; 3], h: f64) -> Self {
        let scaled = |[f, first, second]: [f64; 3]| [f, h * first, h * h * second];
        let ([f0, d0, e0], [f1, d1, e1]) = (scaled(before), scaled(after));
        let (r, s, u) = (f1 - f0 - d0 - 0.5 * e0, d1 - d0 - e0, e1 - e0);
        let a = 10.0 * r - 4.0 * s + 0.5 * u;
        let b = -15.0 * r + 7.0 * s - u;
        let c = 6.0 * r - 3.0 * s + 0.5 * u;
        let (fourth_at_start, fourth_at_end) = (24.0 * b, 24.0 * b + 120.0 * c);
        let fourth =
            if fourth_at_start.abs() > fourth_at_end.abs() { fourth_at_start } else { fourth_at_end };
        Quintic {
            third_at_end: (6.0 * a + 24.0 * b + 60.0 * c) / h.powi(3),
            fourth: fourth / h.powi(4),
            fifth: 120.0 * c / h.powi(5),
        }
    }
}

/// The polynomial of multiplier k over a time h.
fn quintic(before: &[Vec<f64>; 3], after: &[Vec<f64>; 3], k: usize, h: f64) -> Quintic {
    let at = |jets: &[Vec<f64>; 3]| [jets[0][k], jets[1][k], jets[2][k]];
    Quintic::through(at(before), at(after), h)
}

/// The time scale τ of a motion whose derivatives grow like m!/τᵐ, as those of 1/(1 + (t/τ)²) do, from the sizes of λ₀'', λ₀⁗ and
/// λ₀⁽⁵⁾; infinite where nothing moves.
fn time_scale([second, fourth, fifth]: [f64; 3]) -> f64 {
    let (by_even, by_last) = ((12.0 * second / fourth).sqrt(), 5.0 * fourth / fifth);
    by_even.min(by_last)
}

/// The vibration that is created, as a share of the term with λ₀⁗, by a motion so many times as slow as the vibration:
/// the least of the terms m!/τᵐ, and m! is √(2πm) (m/e)ᵐ.
fn created_share(times: f64) -> f64 {
    if times.is_nan() || times <= 4.0 {
        return 1.0;
    }
    ((std::f64::consts::TAU * times).sqrt() * (-times).exp() * times.powi(4) / 24.0).min(1.0)
}

impl Neglected {
    pub(crate) fn new(m: usize) -> Self {
        let zeros = || std::array::from_fn(|_| vec![0.0; m]);
        Neglected {
            here: zeros(),
            before: zeros(),
            third: vec![0.0; m],
            left_out: vec![0.0; m],
            largest: vec![0.0; m],
            excited: vec![0.0; m],
            once: vec![0.0; m],
            twice: vec![0.0; m],
            ..Neglected::default()
        }
    }

    /// The time since earlier derivatives, where it is long enough for differences.
    fn base(&self, t: f64) -> Option<f64> {
        let base = t - self.since?;
        (base != 0.0 && base.abs() >= LEAST_BASE * self.slowest).then_some(base)
    }

    /// Finds λ₀''' roughly, from what was just found and what was known before; whether it could.
    pub(super) fn find_third(&mut self, t: f64) -> bool {
        let Some(base) = self.base(t) else { return false };
        for k in 0..self.third.len() {
            self.third[k] = quintic(&self.before, &self.here, k, base).third_at_end;
        }
        true
    }

    /// What was found last is where the next step begins.
    pub(crate) fn keep(&mut self, t: f64) {
        if self.since.is_some() && self.base(t).is_none() {
            self.short_steps += 1;
            return;
        }
        self.short_steps = 0;
        self.since = Some(t);
        for (before, here) in self.before.iter_mut().zip(&self.here) {
            before.copy_from_slice(here);
        }
        for (largest, left_out) in self.largest.iter_mut().zip(&self.left_out) {
            *largest = largest.max(*left_out);
        }
    }

    /// What is known of the time scale of the motion where the run begins.
    pub(crate) fn begin(&mut self, motion: f64) {
        self.motion = motion / BECOMES_FASTER;
    }

    /// Springs have changed: nothing is known of derivatives, and of time scales no more than that of the slowest spring.
    pub(crate) fn forget(&mut self, slowest: f64) {
        (self.since, self.slowest, self.usual, self.short_steps) = (None, slowest, 0.0, 0);
        self.third.fill(0.0);
        self.left_out.fill(0.0);
    }

    /// Springs have jumped: within a time that is short against their vibrations these are to be followed.
    pub(crate) fn notice_jump(&mut self, t: f64) {
        if self.since.is_some() && self.base(t).is_none() {
            self.short_steps = MOST_SHORT_STEPS + 1;
        }
    }

    /// Whether steps resolve the vibration: then it costs nothing to follow it.
    pub(crate) fn is_resolved(&self) -> bool {
        self.short_steps > MOST_SHORT_STEPS
    }

    /// Whether springs have become soft together, so that they hold no more what smooth motion takes them to hold: as those in
    /// the place of rods do near a singular configuration.
    pub(crate) fn is_soft(&self, h: f64) -> bool {
        self.usual > 0.0 && self.slowest > SOFTER * self.usual && self.slowest > SHARE_OF_STEP * h.abs()
    }

    /// What has to be kept to go on with the same bits.
    pub(crate) fn memory(&mut self, memory: &mut Memory<'_>) {
        memory.field(&mut self.since);
        memory.field(&mut self.slowest);
        memory.field(&mut self.usual);
        memory.field(&mut self.motion);
        memory.field(&mut self.short_steps);
        for known in self.before.iter_mut().chain([&mut self.third, &mut self.largest]) {
            memory.list(known);
        }
    }
}

impl Manifold<'_> {
    /// What smooth motion has left out since derivatives were last kept, in the norm of `weights` of positions and
    /// velocities, relative to what is negligible; the factors are those of about this time. `times` are the time scales of springs alone.
    pub(crate) fn left_out(
        &mut self,
        t: f64,
        times: &[f64],
        weights: (&[f64], &[f64]),
        count: &mut Statistics,
    ) -> f64 {
        let Some(base) = self.neglected.base(t) else { return 0.0 };
        let mut neglected = std::mem::take(&mut self.neglected);
        let norm = self.measure(&mut neglected, base, times, weights, count);
        self.neglected = neglected;
        norm
    }

    fn measure(
        &mut self,
        neglected: &mut Neglected,
        base: f64,
        times: &[f64],
        weights: (&[f64], &[f64]),
        count: &mut Statistics,
    ) -> f64 {
        let Neglected { excited, once, twice, left_out, .. } = neglected;
        left_out.fill(0.0);
        for k in 0..excited.len() {
            let smooth = self.smooth_compliance(k) > 0.0 && !self.creeping[k];
            excited[k] =
                if smooth { quintic(&neglected.before, &neglected.here, k, base).fourth } else { 0.0 };
        }
        self.time_squared(excited, once, count);
        let size = self.energy_norm(excited);
        if size == 0.0 {
            return 0.0;
        }
        neglected.slowest = (self.energy_norm(once) / size).sqrt();
        let slowest = neglected.slowest;
        if neglected.usual == 0.0 {
            neglected.usual = slowest;
        }
        let (mut second, mut fifth) = (0.0, 0.0);
        for k in 0..excited.len() {
            if excited[k] != 0.0 {
                let quintic = quintic(&neglected.before, &neglected.here, k, base);
                let time = slowest.max(self.relaxation[k]);
                second +=
                    self.compliance[k] * neglected.before[2][k].abs().max(neglected.here[2][k].abs()).powi(2);
                fifth += self.compliance[k] * quintic.fifth.powi(2);
                let (fourth, fifth) = (excited[k], time * quintic.fifth);
                excited[k] = fourth.hypot(fifth).copysign(fourth);
            }
        }
        let motion = neglected.motion.min(time_scale([second.sqrt(), size, fifth.sqrt()]));
        let created = created_share(motion / slowest);
        self.time_squared(excited, once, count);
        self.time_squared(once, twice, count);
        for k in 0..excited.len() {
            let (c, d) = (self.compliance[k], self.relaxation[k]);
            let (once, twice, excited) = (once[k].abs(), twice[k].abs(), excited[k].abs());
            left_out[k] = c * (twice + d * d * (3.0 * once + d * d * excited));
        }
        let positions = self.moved_by(|k| left_out[k].copysign(excited[k]), weights.0, count);
        let positions = positions * created.max(KICK) / MOST_IN_POSITIONS;
        let rate = |k: usize| {
            let frequency = (once[k] / twice[k]).abs().sqrt().min(1.0 / times[k]);
            if left_out[k] > 0.0 { frequency * left_out[k].copysign(excited[k]) } else { 0.0 }
        };
        let velocities = self.moved_by(rate, weights.1, count) / MOST_IN_VELOCITIES;
        let rates = self.left_out_of_rates(excited, once, weights.1, count) / MOST_IN_VELOCITIES;
        left_out.iter_mut().for_each(|left_out| *left_out *= created.max(KICK));
        positions.max(velocities * created).max(rates)
    }

    /// What is left out of rates under dampers, of λ₀⁗ and T² times it: that is no vibration, it is there in each step.
    fn left_out_of_rates(
        &mut self,
        excited: &[f64],
        once: &mut [f64],
        weights: &[f64],
        count: &mut Statistics,
    ) -> f64 {
        if !self.has_dampers() {
            return 0.0;
        }
        for k in 0..excited.len() {
            let (c, d) = (self.compliance[k], self.relaxation[k]);
            once[k] = c * d * (2.0 * once[k].abs() + d * d * excited[k].abs());
        }
        self.moved_by(|k| once[k].copysign(excited[k]), weights, count)
    }

    /// How far springs are from smooth motion, whose stretching was just found, in the norm of `weights`.
    pub(crate) fn vibration(
        &mut self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        weights: (&[f64], &[f64]),
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let mut neglected = std::mem::take(&mut self.neglected);
        let Neglected { once: stretched, twice: rate, .. } = &mut neglected;
        let found = self.measured_stretching(t, q, v, stretched, rate);
        let vibration = found.map(|()| {
            let stretching = self.stretching.clone();
            let positions = self.moved_by(|k| stretched[k] - stretching[0][k], weights.0, count);
            positions.max(self.moved_by(|k| rate[k] - stretching[1][k], weights.1, count))
        });
        self.neglected = neglected;
        vibration
    }

    /// Springs that take part in the largest vibration that was left out.
    pub(crate) fn takes_part(&self, k: usize, times: &[f64]) -> bool {
        let rate = |k: usize| match self.neglected.left_out[k] {
            0.0 => 0.0,
            left_out => left_out / times[k],
        };
        let largest = (0..times.len()).fold(0.0, |largest: f64, k| largest.max(rate(k)));
        rate(k) > 0.0 && rate(k) >= TAKES_PART * largest
    }

    /// T² x = A⁻¹ C x of springs in smooth motion.
    fn time_squared(&mut self, x: &[f64], out: &mut [f64], count: &mut Statistics) {
        self.solve_for_stretch(|k, c| c * x[k], count);
        for (out, multiplier) in out.iter_mut().zip(&self.correction[self.structure().n()..]) {
            *out = -multiplier;
        }
    }

    /// The largest entry of M⁻¹GᵀA⁻¹x, with weights: how far a stretch x moves everything.
    fn moved_by(&mut self, x: impl Fn(usize) -> f64, weights: &[f64], count: &mut Statistics) -> f64 {
        self.solve_for_stretch(|k, _| x(k), count);
        let moved = self.correction.iter().zip(weights);
        moved.fold(0.0, |largest, (moved, weight)| largest.max((moved * weight).abs()))
    }

    /// Solves [M Gᵀ; G 0] for a stretch of springs in smooth motion, of which nothing else moves rods.
    pub(super) fn solve_for_stretch(&mut self, stretch: impl Fn(usize, f64) -> f64, count: &mut Statistics) {
        let mut system = std::mem::take(&mut self.correction);
        let (balance, rows) = system.split_at_mut(self.structure().n());
        balance.fill(0.0);
        for (k, row) in rows.iter_mut().enumerate() {
            let compliance = if self.creeping[k] { 0.0 } else { self.smooth_compliance(k) };
            *row = if compliance > 0.0 { stretch(k, compliance) } else { 0.0 };
        }
        self.solve_once(&mut system);
        count.solves += 1;
        self.correction = system;
    }

    /// √(xᵀC x), in which T² is symmetric.
    fn energy_norm(&self, x: &[f64]) -> f64 {
        x.iter().zip(&self.compliance).map(|(x, c)| c * x * x).sum::<f64>().sqrt()
    }
}
