//! Motion along jumps that lead back to themselves from both sides: friction that sticks, sliding as Filippov has it.
//!
//! Of a mechanism the jump becomes a condition on velocities, whose multiplier is the share of the force that jumps; a
//! first-order model goes on with what is between the two sides. It ends where that is no longer between them.

use std::sync::Arc;

use taut::linear::Choice;
use taut::start::{ConsistentStart, consistent_start};
use taut::system::{Fault, Independent, MechanicalSystem, Sticking, Terms, VelocityCondition};

use super::blend::Blend;
use super::surface::Surface;
use super::{Jumps, MOST_NESTED};
use crate::model::System;

/// Shares outside of 0 and 1 by more than this have left.
const OUTSIDE: f64 = 1e-9;
/// A force that jumps acts along a condition when what is left of it across is at most this share.
const ACROSS: f64 = 1e-8;

/// The equations of a phase beyond those of one branch.
#[derive(Clone, Debug)]
pub(super) struct Slide {
    /// the switches whose jumps the motion goes along
    pub(super) numbers: Vec<usize>,
    surfaces: Vec<Surface>,
    /// of a mechanism: the equations with the upper branch of each
    above: Vec<System>,
    /// of a first-order model
    pub(super) blend: Option<Blend>,
}

impl Slide {
    /// Of a mechanism what holds.
    pub(super) fn conditions(&self) -> Vec<&dyn VelocityCondition> {
        match self.blend {
            Some(_) => Vec::new(),
            None => self.surfaces.iter().map(|surface| surface as &dyn VelocityCondition).collect(),
        }
    }
}

impl Jumps {
    /// Makes the equations along the jumps that hold the motion; nothing where there are none, or they cannot be made.
    pub(super) fn slide(&self, q: &[f64], settings: &Arc<[f64]>) -> Option<Slide> {
        let formulas = self.compiled.jumps()?;
        let numbers: Vec<usize> = (0..self.modes.len()).filter(|&k| self.modes[k].slides).collect();
        if numbers.is_empty() {
            return None;
        }
        let n = self.system.variables();
        let surface = |&k: &usize| {
            let (of, branch) = (formulas.surfaces[k].as_ref()?, self.modes[k].branch);
            let named = (formulas.place(k, branch), formulas.bounds(k, branch)[0]);
            Some(Surface::new(of, named, n, self.compiled.graph(), settings))
        };
        let mut surfaces: Vec<Surface> = numbers.iter().map(surface).collect::<Option<_>>()?;
        let above = |&k: &usize| self.compiled.with_modes(&self.parameters, self.numbers(&[k]), q)?.1;
        let mut above: Vec<System> = numbers.iter().map(above).collect::<Option<_>>()?;
        let blend = match (self.system.evolution(), above.first().and_then(System::evolution)) {
            (Some(low), Some(high)) => Some(Blend::new([low.clone(), high.clone()], surfaces.swap_remove(0))),
            _ => None,
        };
        if blend.is_some() {
            above.clear();
        }
        Some(Slide { numbers, surfaces, above, blend })
    }

    /// Accelerations and multipliers of a mechanism with what holds it, its multipliers last.
    pub(crate) fn accelerations(&self, t: f64, y: &[f64]) -> Option<ConsistentStart> {
        let (system, n) = (self.system.mechanism()?, self.system.variables());
        let conditions = self.slide.as_ref().map_or(Vec::new(), Slide::conditions);
        let sticking = (!conditions.is_empty()).then(|| Sticking::new(system, &conditions));
        let system = sticking.as_ref().map_or(system, |sticking| sticking as &dyn MechanicalSystem);
        let held = (!self.released.is_empty()).then(|| Independent::without(system, &self.released));
        let system = held.as_ref().map_or(system, |held| held as &dyn MechanicalSystem);
        consistent_start(system, t, &y[..n], &y[n..2 * n], Choice::Auto).ok()
    }

    /// For each jump that holds the motion the share of its upper side.
    pub(super) fn shares(&self, t: f64, y: &[f64]) -> Option<Vec<f64>> {
        let (slide, n) = (self.slide.as_ref()?, self.system.variables());
        if let Some(blend) = &slide.blend {
            return Some(vec![blend.share(t, &y[..n])]);
        }
        let found = self.accelerations(t, y)?;
        let multipliers = &found.lambda[found.lambda.len().checked_sub(slide.surfaces.len())?..];
        let strengths = (0..slide.surfaces.len()).map(|i| Some(self.strength(i, t, y).ok()?.0));
        multipliers.iter().zip(strengths).map(|(mu, strength)| Some(-mu / strength?)).collect()
    }

    /// How strong the force is that jumps, in units of ∂h/∂v, and the share of it that acts across.
    fn strength(&self, i: usize, t: f64, y: &[f64]) -> Result<(f64, f64), Fault> {
        let n = self.system.variables();
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let Some(slide) = &self.slide else { return Ok((f64::NAN, f64::NAN)) };
        let (mut low, mut high) = (vec![0.0; n], vec![0.0; n]);
        for (system, force) in [(&self.system, &mut low), (&slide.above[i], &mut high)] {
            if let Some(system) = system.mechanism() {
                system.force(Terms::ACCELERATING, t, q, v, force)?;
            }
        }
        let surface = &slide.surfaces[i];
        let mut gradient = vec![0.0; surface.places.len()];
        surface.gradient(t, q, v, &mut gradient)?;
        let mut jump: Vec<f64> = high.iter().zip(&low).map(|(high, low)| high - low).collect();
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let along: f64 = surface.places.iter().zip(&gradient).map(|(&j, slope)| jump[j] * slope).sum();
        let (strength, whole) = (along / square(&gradient), square(&jump));
        for (&j, slope) in surface.places.iter().zip(&gradient) {
            jump[j] -= strength * slope;
        }
        Ok((strength, (square(&jump) / whole).sqrt()))
    }

    /// Jumps that have let the motion go: their branch is that on whose side it leaves.
    pub(super) fn let_go(&mut self, t: f64, y: &[f64], changed: &[usize]) -> Vec<usize> {
        let numbers = self.slide.as_ref().map_or(Vec::new(), |slide| slide.numbers.clone());
        let shares = self.shares(t, y).unwrap_or_default();
        let leave = |(k, share): (&usize, &f64)| changed.contains(k).then_some((*k, *share));
        let leaving: Vec<(usize, f64)> = numbers.iter().zip(&shares).filter_map(leave).collect();
        leaving.iter().for_each(|&(k, share)| self.leave(k, share));
        leaving.into_iter().map(|(k, _)| k).collect()
    }

    fn leave(&mut self, k: usize, share: f64) {
        let below = self.compiled.jumps().map_or(-1.0, |formulas| formulas.below(k, self.modes[k].branch));
        let mode = &mut self.modes[k];
        mode.slides = false;
        if share < 0.5 {
            mode.branch = below;
        }
    }

    /// Where an event has moved the argument of a jump that held the motion, it holds no longer.
    pub(crate) fn let_go_of_moved(&mut self, t: f64, before: &[f64], after: &[f64]) {
        let [before, after] = [before, after].map(|y| self.values(&self.arguments, self.state(t, y)));
        for (mode, (before, after)) in self.modes.iter_mut().zip(before.iter().zip(&after)) {
            mode.slides &= before == after;
        }
    }

    /// Another change may have made a share one that leaves.
    pub(super) fn keep_sliding(&mut self, t: f64, y: &[f64]) -> Option<()> {
        for _ in 0..MOST_NESTED {
            let Some(slide) = &self.slide else { break };
            let (numbers, shares) = (slide.numbers.clone(), self.shares(t, y).unwrap_or_default());
            let outside = |share: &f64| *share < -OUTSIDE || *share > 1.0 + OUTSIDE;
            let Some(i) = shares.iter().position(outside) else { break };
            self.leave(numbers[i], shares[i]);
            self.renew(&y[..self.system.variables()])?;
        }
        Some(())
    }

    /// Why the motion cannot go along the jumps that hold it, in words.
    pub(super) fn refusal(&self, t: f64, y: &[f64]) -> Option<String> {
        let formulas = self.compiled.jumps()?;
        let held: Vec<usize> = (0..self.modes.len()).filter(|&k| self.modes[k].slides).collect();
        let place = |k: usize| formulas.place(k, self.modes[k].branch);
        let first = *held.first()?;
        let Some(slide) = &self.slide else {
            return Some(format!(
                "the jump at {} leads back to itself from both sides and so holds the motion there ({WITHOUT})",
                place(first)
            ));
        };
        let pair = |other: usize| {
            Some(format!(
                "the jumps at {} and at {} hold the motion together, and no one way leads on along both ({WITHOUT})",
                place(first),
                place(other)
            ))
        };
        if let (Some(_), Some(&other)) = (&slide.blend, held.get(1)) {
            return pair(other);
        }
        if slide.blend.is_some() {
            return None;
        }
        for (i, &k) in held.iter().enumerate() {
            let across = self.strength(i, t, y).map_or(f64::NAN, |(_, across)| across);
            if !(across <= ACROSS) {
                return Some(format!(
                    "the force that jumps at {} does not act along its velocity and so cannot hold the motion there as \
                     friction does ({WITHOUT})",
                    place(k)
                ));
            }
        }
        held.iter().copied().find(|&k| k != first && !self.is_independent(&held, k, t, y)).and_then(pair)
    }

    /// Whether the force that jumps with one switch is the same on both sides of the others.
    fn is_independent(&self, held: &[usize], k: usize, t: f64, y: &[f64]) -> bool {
        let n = self.system.variables();
        let force = |above: &[usize]| {
            let system = self.compiled.with_modes(&self.parameters, self.numbers(above), &y[..n])?.1?;
            let mut force = vec![0.0; n];
            system.mechanism()?.force(Terms::ACCELERATING, t, &y[..n], &y[n..2 * n], &mut force).ok()?;
            Some(force)
        };
        let others: Vec<usize> = held.iter().copied().filter(|&other| other != k).collect();
        let Some([none, one, all_but, all]) =
            (|| Some([force(&[])?, force(&[k])?, force(&others)?, force(held)?]))()
        else {
            return false;
        };
        (0..n).all(|i| {
            let (jump, among) = (one[i] - none[i], all[i] - all_but[i]);
            (jump - among).abs() <= ACROSS * jump.abs().max(among.abs())
        })
    }
}

/// What a person can do instead.
const WITHOUT: &str = "events that add and remove a constraint can say what holds it; smooth = false under [time] leaves jumps to \
                       the control of errors";
