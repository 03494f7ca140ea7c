//! What becomes of the vibrations of each spring, since when, and how that is told.

use crate::motion::SpringSpan;
use crate::snapshot::Memory;
use crate::springs::vibrations::{Moved, SpringMotion, report};
use crate::system::Constraint;

/// What becomes of the vibrations of each spring; nothing of rods.
#[derive(Clone, Debug)]
pub(super) struct Treatment {
    pub(super) motions: Vec<Option<SpringMotion>>,
    /// the time scales √(c/(G M⁻¹Gᵀ)) of springs alone, where they were decided on
    pub(super) times: Vec<f64>,
    pub(super) moved: Moved,
    /// what is over: which spring, what became of it, from when to when
    past: Vec<(usize, SpringMotion, f64, f64)>,
    since: Vec<f64>,
    was_smooth: Vec<bool>,
    /// springs that steps before these have followed
    vibrating: Vec<bool>,
    pub(super) way_back: WayBack,
}

/// When springs that have left smooth motion are looked at again.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayBack {
    /// after so many steps
    pub(super) wait: usize,
    pub(super) taken: usize,
    /// vibrations have been found negligible once
    pub(super) calm: bool,
}

/// The first time after so many steps, longer each time that springs still vibrate.
const FIRST_WAIT: usize = 8;
const LONGEST_WAIT: usize = 512;

impl WayBack {
    const BEGIN: WayBack = WayBack { wait: FIRST_WAIT, taken: 0, calm: false };

    /// Whether it is time to look.
    pub(super) fn is_due(&mut self) -> bool {
        self.taken += 1;
        self.taken >= self.wait
    }

    /// Springs were found to be calm, or not.
    pub(super) fn found(&mut self, calm: bool) {
        self.wait = if calm { FIRST_WAIT } else { (2 * self.wait).min(LONGEST_WAIT) };
        (self.taken, self.calm) = (0, calm);
    }
}

impl Treatment {
    pub(super) fn new(m: usize) -> Self {
        Treatment {
            motions: vec![None; m],
            times: vec![0.0; m],
            moved: Moved::default(),
            past: Vec::new(),
            since: vec![0.0; m],
            was_smooth: vec![false; m],
            vibrating: vec![false; m],
            way_back: WayBack::BEGIN,
        }
    }

    /// Nothing was decided before.
    pub(super) fn begin(&mut self) {
        self.motions.fill(None);
    }

    /// Steps before these have followed the vibrations of some springs.
    pub(super) fn goes_on(&mut self, vibrating: impl Fn(usize) -> bool) {
        self.vibrating.iter_mut().enumerate().for_each(|(k, known)| *known = vibrating(k));
    }

    /// From t on this becomes of the vibrations of a spring, as a state alone says. One that vibrates already goes on with that, and comes
    /// into smooth motion once it does so no more: what vibrates would have to be taken out of the state otherwise.
    pub(super) fn decide(&mut self, k: usize, t: f64, motion: SpringMotion) {
        let goes_on = self.vibrating[k] && motion == SpringMotion::Smooth;
        self.change(k, t, if goes_on { SpringMotion::Followed } else { motion });
        self.was_smooth[k] |= goes_on;
    }

    /// From t on this becomes of the vibrations of a spring.
    pub(super) fn change(&mut self, k: usize, t: f64, motion: SpringMotion) {
        match self.motions[k] {
            Some(before) if before == motion => return,
            Some(before) if self.since[k] != t => self.past.push((k, before, self.since[k], t)),
            _ => {}
        }
        self.was_smooth[k] |= motion == SpringMotion::Smooth;
        self.way_back = WayBack::BEGIN;
        (self.motions[k], self.since[k]) = (Some(motion), t);
    }

    /// Whether a spring was in smooth motion and no longer is.
    pub(super) fn may_come_back(&self, k: usize) -> bool {
        self.was_smooth[k] && !self.is(k, SpringMotion::Smooth)
    }

    pub(super) fn is(&self, k: usize, motion: SpringMotion) -> bool {
        self.motions[k] == Some(motion)
    }

    /// The time scale of the fastest vibration that is followed.
    pub(super) fn fastest_followed(&self) -> f64 {
        let followed = (0..self.times.len()).filter(|&k| self.is(k, SpringMotion::Followed));
        followed.fold(f64::INFINITY, |fastest, k| fastest.min(self.times[k]))
    }

    /// The time scale of the slowest spring in smooth motion.
    pub(super) fn slowest_smooth(&self) -> f64 {
        let smooth = (0..self.times.len()).filter(|&k| self.is(k, SpringMotion::Smooth));
        smooth.fold(0.0, |slowest, k| slowest.max(self.times[k]))
    }

    /// What has to be kept to go on with the same bits.
    pub(super) fn memory(&mut self, memory: &mut Memory<'_>) {
        let Treatment { motions, times, since, was_smooth, way_back, .. } = self;
        for (motion, since) in motions.iter_mut().zip(&mut *since) {
            let before = *motion;
            memory.field(motion);
            if let Some(t) = memory.recalled_at().filter(|_| *motion != before) {
                *since = t;
            }
        }
        memory.list(times);
        // Lists of earlier versions have numbers of springs for rods, too: these have no time scale.
        for (motion, _) in motions.iter_mut().zip(times).filter(|(_, time)| **time == 0.0) {
            *motion = None;
        }
        for was_smooth in was_smooth {
            memory.field(was_smooth);
        }
        memory.field(&mut way_back.wait);
        memory.field(&mut way_back.taken);
        memory.field(&mut way_back.calm);
    }

    /// In words; nothing before it was decided.
    pub(super) fn report(&self, left_out: &[f64]) -> Option<String> {
        let springs = self.motions.iter().zip(&self.times);
        let springs: Vec<_> = springs.filter_map(|(motion, time)| Some(((*motion)?, *time))).collect();
        if springs.is_empty() {
            return None;
        }
        let largest = left_out.iter().fold(0.0_f64, |largest, x| largest.max(*x));
        let changes = self.past.iter().map(|(_, _, _, t)| *t).fold(f64::NAN, f64::min);
        Some(report(&springs, &self.moved, largest, changes))
    }

    /// One entry for each spring and each time that it was treated alike.
    pub(super) fn spans(&self, t: f64, constraints: &[Constraint], left_out: &[f64]) -> Vec<SpringSpan> {
        let now = (0..self.motions.len()).filter_map(|k| Some((k, self.motions[k]?, self.since[k], t)));
        let span = |(k, motion, from, to): (usize, SpringMotion, f64, f64)| SpringSpan {
            name: constraints[k].name.clone(),
            motion: motion.name(),
            from,
            to,
            left_out: left_out[k],
        };
        self.past.iter().copied().chain(now).map(span).collect()
    }
}
