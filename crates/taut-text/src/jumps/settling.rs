//! Which branch a motion takes where an argument is zero or has just been.

use taut::system::FirstOrderSystem;

use super::{JumpFormulas, Jumps, Kind, Mode};

/// An argument that changes more slowly than this share of the largest rate does not say to which side.
const NOTABLE: f64 = 1e-10;

impl Jumps {
    /// Decides by how fast arguments change. A branch that turns its argument back, where the other one does so, too, holds the
    /// motion; where it does not, it is left to the function, which is then evaluated as it is.
    pub(super) fn settle(
        &mut self,
        t: f64,
        y: &[f64],
        formulas: &JumpFormulas,
        uncertain: &[usize],
        may_hold: &dyn Fn(usize) -> bool,
    ) -> Option<()> {
        let slopes = self.rates(t, y).map(|rates| self.slopes_at(t, y, &rates));
        let at_rest = |&k: &usize| formulas.kinds[k] == Kind::Sign && self.modes[k].branch == 0.0;
        let at_rest: Vec<usize> = uncertain.iter().copied().filter(at_rest).collect();
        for &k in &at_rest {
            let slope = slopes.as_ref().map_or(0.0, |slopes| slopes[k]);
            self.modes[k].branch = if slope == 0.0 { 0.0 } else { slope.signum() };
            self.modes[k].live = slope == 0.0;
        }
        let q = &y[..self.system.variables()];
        if !at_rest.is_empty() {
            self.renew(q)?;
        }
        for &k in uncertain {
            // What holds already changes how fast others go.
            let Some(rates) = self.rates(t, y) else { return Some(()) };
            let (slope, argument) = (self.slopes_at(t, y, &rates)[k], self.argument(k, t, y));
            let forward = match formulas.kinds[k] {
                // Nothing pulls: either side may be the one before.
                Kind::Sign if self.modes[k].branch == 0.0 => 1.0,
                Kind::Sign => self.modes[k].branch,
                Kind::Level | Kind::Knots => formulas.crossing(k, self.modes[k].branch, argument)[1].signum(),
            };
            let turns = slope * forward < 0.0;
            let resting = formulas.kinds[k] == Kind::Sign && self.modes[k].branch == 0.0;
            if (turns || resting) && may_hold(k) && self.leads_back(t, y, (k, forward))? {
                self.renew(q)?;
                continue;
            }
            self.modes[k].live |= turns;
        }
        self.renew(q)
    }

    /// Whether the branch before this one leads to the jump, and this one back to it, where `forward` is the way from the one to
    /// the other: then the motion goes along the jump. Where formulas have a kink only, both lead the same way.
    fn leads_back(&mut self, t: f64, y: &[f64], (k, forward): (usize, f64)) -> Option<bool> {
        let (q, now) = (&y[..self.system.variables()], self.modes[k]);
        let [before, after] = match self.compiled.jumps()?.kinds[k] {
            Kind::Sign => [-forward, forward],
            Kind::Level | Kind::Knots => [now.branch - forward, now.branch],
        };
        let mut leads = true;
        for (branch, towards) in [(before, forward), (after, -forward)] {
            self.modes[k] = Mode { branch, live: false, ..now };
            self.renew(q)?;
            let rates = self.rates(t, y).unwrap_or_default();
            let largest = rates.iter().fold(0.0, |largest: f64, rate| largest.max(rate.abs()));
            leads &= !rates.is_empty() && self.slopes_at(t, y, &rates)[k] * towards > NOTABLE * largest;
        }
        self.modes[k] = match leads {
            true => Mode { branch: before.max(after), slides: true, live: false, ..now },
            false => now,
        };
        Some(leads)
    }

    /// Accelerations, or rates, at a state with the branches as they are; nothing where they are not known.
    fn rates(&self, t: f64, y: &[f64]) -> Option<Vec<f64>> {
        let n = self.system.variables();
        if self.mechanical {
            return Some(self.accelerations(t, y)?.a);
        }
        let system = self.system.evolution()?;
        let composition = system.composition();
        let diagonal = composition.mass.entries().all(|(i, j)| i == j);
        if !diagonal || composition.algebraic_rows().contains(&true) {
            return None;
        }
        let mut rates = vec![0.0; n];
        match self.blend() {
            Some(blend) => blend.rate(t, &y[..n], &mut rates).ok()?,
            None => system.rate(t, &y[..n], &mut rates).ok()?,
        }
        for ((i, _), mass) in composition.mass.entries().zip(&composition.mass_values) {
            rates[i] /= mass;
        }
        Some(rates)
    }
}
