//! Constraints that were left out or rescaled, watched all the same.

use crate::geometry::rods::{DEPENDENT, Rods};
use crate::linear::{ConstraintRank, Pattern};
use crate::start::USUAL_GAP;
use crate::system::{Fault, MechanicalSystem};

/// Looks after all constraints of a mechanism of which only some are imposed.
pub(crate) struct Guard<'a> {
    system: &'a dyn MechanicalSystem,
    rods: Rods<'a>,
    /// for each rod whether it was left out
    left_out: Vec<bool>,
    /// the lengths of their gradients at the start
    lengths: Vec<f64>,
    /// what those that were left out may be, in units of their gradients times those of coordinates
    accepted: f64,
    rows: Vec<f64>,
}

/// Constraints that follow from others may be so many times as large as the largest of those that are imposed.
const MAGNIFIED: f64 = 1e3;

/// Other constraints are chosen where what remains of the thinnest gradient is this share of what it would be then,
const THIN: f64 = 0.5;
/// before it is this share, with which rounding errors of what is left out are some twenty times as large as those of the others,
const TOO_THIN: f64 = 0.2;
/// in configurations that are as far as this from singular ones,
const FAR: f64 = 1e-2;
/// and for mechanisms whose gradients have at most so many entries: it is looked for after each step.
const MOST_ENTRIES: usize = 4096;

impl<'a> Guard<'a> {
    /// A guard at the start of a run; `accepted` is the gap that was accepted, in the units of coordinates.
    pub(crate) fn new(
        system: &'a dyn MechanicalSystem,
        left_out: &[usize],
        (t, q, v): (f64, &[f64], &[f64]),
        accepted: f64,
    ) -> Result<Self, Fault> {
        let rods = Rods::all(system);
        let lengths = rods.lengths(t, q, v)?;
        Ok(Guard {
            system,
            left_out: rods.numbers.iter().map(|k| left_out.contains(k)).collect(),
            lengths: lengths.iter().map(|length| if *length > 0.0 { *length } else { 1.0 }).collect(),
            accepted,
            rows: vec![0.0; system.structure().m()],
            rods,
        })
    }

    /// The largest |g| and |G v + g_t| of all rods.
    pub(crate) fn residuals(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<[f64; 2], Fault> {
        let mut found = [0.0; 2];
        for (level, largest) in found.iter_mut().enumerate() {
            self.evaluate(level, t, q, v)?;
            *largest = self.rods.numbers.iter().fold(0.0, |most: f64, &k| most.max(self.rows[k].abs()));
        }
        Ok(found)
    }

    fn evaluate(&mut self, level: usize, t: f64, q: &[f64], v: &[f64]) -> Result<(), Fault> {
        match level {
            0 => self.system.constraint(t, q, &mut self.rows),
            _ => self.system.constraint_rate(t, q, v, &mut self.rows),
        }
    }

    /// The rod that was left out and is not met at a state, and what is left of it.
    pub(crate) fn broken(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<Option<(usize, f64)>, Fault> {
        if !self.left_out.contains(&true) {
            return Ok(None);
        }
        for (level, x) in [q, v].into_iter().enumerate() {
            self.evaluate(level, t, q, v)?;
            let size = 1.0 + x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let share = |row: usize| self.rows[self.rods.numbers[row]].abs() / (self.lengths[row] * size);
            let rows = 0..self.lengths.len();
            let (left_out, kept): (Vec<usize>, Vec<usize>) = rows.partition(|&row| self.left_out[row]);
            let kept = kept.into_iter().map(share).fold(0.0, f64::max);
            let allowed = USUAL_GAP.max(self.accepted / size).max(MAGNIFIED * kept);
            let worst = left_out.into_iter().max_by(|&x, &y| share(x).total_cmp(&share(y)));
            if let Some(row) = worst.filter(|&row| !(share(row) <= allowed)) {
                return Ok(Some((row, self.rows[self.rods.numbers[row]])));
            }
        }
        Ok(None)
    }

    /// Whether another choice of those that are left out would be better: those that are imposed come to depend on each other.
    pub(crate) fn prefers_others(&self, t: f64, q: &[f64], v: &[f64]) -> Result<bool, Fault> {
        Ok(self.share(t, q, v)?.is_some_and(|share| share < THIN))
    }

    /// Whether another choice would have been better before.
    pub(crate) fn is_too_thin(&self, t: f64, q: &[f64], v: &[f64]) -> Result<bool, Fault> {
        Ok(self.share(t, q, v)?.is_some_and(|share| share < TOO_THIN))
    }

    /// What remains of the thinnest gradient that is imposed, over what it would be with the best choice of those that are left out;
    /// nothing where there is no other choice.
    fn share(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Option<f64>, Fault> {
        let few = self.rods.numbers.len() * q.len() <= MOST_ENTRIES;
        if !(few && self.left_out.contains(&true)) || self.accepted > 0.0 {
            return Ok(None);
        }
        let (pattern, values) = self.rods.gradients(t, q, v)?;
        let best = ConstraintRank::new(&pattern, &values, DEPENDENT);
        let places = self.left_out.iter().scan(0, |place, left_out| {
            *place += usize::from(!left_out);
            Some((!left_out).then_some(*place - 1))
        });
        let places: Vec<Option<usize>> = places.collect();
        let kept = || pattern.entries().zip(&values).filter_map(|((i, j), x)| Some(((places[i]?, j), *x)));
        let rows = places.iter().flatten().count();
        let imposed = Pattern::from_entries(rows, q.len(), kept().map(|(entry, _)| entry));
        let values: Vec<f64> = kept().map(|(_, value)| value).collect();
        let imposed = ConstraintRank::new(&imposed, &values, 0.0).least_remainder();
        let (Some(best_remainder), Some(remainder)) = (best.least_remainder(), imposed) else {
            return Ok(None);
        };
        Ok((best.rank() == rows && best_remainder > FAR).then_some(remainder / best_remainder))
    }

    /// The names of the rods that are left out.
    pub(crate) fn names_left_out(&self) -> impl Iterator<Item = String> + '_ {
        let rows = self.left_out.iter().enumerate().filter(|(_, left_out)| **left_out);
        rows.map(|(row, _)| self.rods.name(row))
    }

    /// The name of a rod, and of those from which it followed.
    pub(crate) fn names(&self, row: usize, t: f64, q: &[f64], v: &[f64]) -> Vec<String> {
        let mut names = vec![self.rods.name(row)];
        if let Ok((pattern, values)) = self.rods.gradients(t, q, v) {
            let rank = ConstraintRank::new(&pattern, &values, ConstraintRank::TOLERANCE);
            names.extend(rank.combination(row).into_iter().map(|(other, _)| self.rods.name(other)));
        }
        names
    }
}
