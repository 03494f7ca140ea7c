//! A second run with a tenth of the tolerance: how far the end of the first one is off.
//!
//! A tolerance bounds the error of each step. What becomes of it until the end is up to the motion: some forget errors, some make
//! one tolerance a million. Where two runs end says which.

use taut::motion::Motion;
use taut::options::Controller;
use taut::run::{Event, Observer, Output, View};

use super::{Ending, Plan};
use crate::settings::Settings;
use crate::settings::names::Named;

/// The second run has this share of the tolerances: nearly all of the difference is then the error of the first.
const SHARE: f64 = 0.1;
/// Where nobody has asked, a second run is made if right-hand sides times numbers of a state were no more than this in the first: a
/// fraction of a second.
const LITTLE_WORK: usize = 5_000_000;
/// A second run that nobody has asked for takes no more than so many times the steps of the first, and so many more.
const MORE_STEPS: usize = 5;
const FEW_STEPS: usize = 100;
/// Ends that are off by more tolerances are warned of.
const FAR: f64 = 100.0;

/// Whether a second run is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecondRun {
    /// where it takes little time
    #[default]
    Auto,
    /// always
    Yes,
    /// never
    No,
}

impl Named for SecondRun {
    fn all() -> &'static [Self] {
        &[SecondRun::Auto, SecondRun::Yes, SecondRun::No]
    }

    fn name(self) -> &'static str {
        match self {
            SecondRun::Auto => "auto",
            SecondRun::Yes => "yes",
            SecondRun::No => "no",
        }
    }
}

/// How far two runs are apart at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Apart {
    /// the largest difference, in tolerances of the first run
    pub tolerances: f64,
    /// the variable that has it
    pub variable: String,
}

impl Apart {
    /// What is said where the end is far off.
    pub fn warning(&self) -> Option<String> {
        (self.tolerances > FAR).then(|| {
            format!(
                "the tolerance holds for each step, and the end is off by about {:.0} tolerances in {}: the motion magnifies errors, or the \
                 method adds them up; take a smaller tolerance, or another method",
                self.tolerances, self.variable
            )
        })
    }
}

/// What the second run leaves: the largest size of each number on the way.
struct Sizes<'g> {
    goes_on: &'g dyn Fn() -> bool,
    largest: Vec<f64>,
}

impl Observer for Sizes<'_> {
    fn step(&mut self, view: &View<'_>) -> bool {
        self.largest.resize(view.y.len(), 0.0);
        for (largest, y) in self.largest.iter_mut().zip(view.y) {
            *largest = largest.max(y.abs());
        }
        (self.goes_on)()
    }
}

impl Ending {
    /// Runs again with a smaller tolerance, where that is wanted and the run had one, as long as someone says that it goes on: says how
    /// far the end is off, and warns where that is far.
    pub fn look_again<'e>(
        &mut self,
        plan: &Plan<'e>,
        wanted: SecondRun,
        further: &'e dyn Fn() -> Vec<Event<'e>>,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<String> {
        let settings = plan.settings;
        let has_tolerance = settings.step.is_none() && settings.controller != Controller::Reversible;
        let Motion { statistics, y, warning, .. } = &self.motion;
        let worth = wanted_after(wanted, warning.is_some(), statistics.rhs.saturating_mul(y.len()));
        if !worth || !has_tolerance || self.reason.is_some() || !goes_on() {
            return None;
        }
        let settings = Settings { max_steps: most_steps(wanted, statistics.steps), ..settings.clone() };
        let again = plan.again_with(&settings);
        let mut sizes = Sizes { goes_on, largest: Vec::new() };
        // The same events, for as long as the second run lives.
        let events = || further();
        let second = again.run_with(&events, &mut sizes).ok()?;
        if second.reason.is_some() || second.motion.stop != self.motion.stop {
            return None;
        }
        self.second = plan.apart(&self.motion, &second.motion, &sizes.largest);
        let warning = self.second.as_ref().and_then(Apart::warning)?;
        let told = self.motion.warning.take();
        self.motion.warning = Some(told.map_or(warning.clone(), |told| format!("{told}; {warning}")));
        Some(warning)
    }
}

impl Plan<'_> {
    /// The same with a smaller tolerance, from the start to the end.
    fn again_with<'s>(&'s self, settings: &'s Settings) -> Plan<'s> {
        let (output, share_of_tolerances) = (Output::End, SHARE);
        Plan { settings, output, snapshot_every: None, resume: None, share_of_tolerances, ..*self }
    }

    /// The largest difference of two ends in tolerances. Those of a mechanism are relative to the largest position and velocity at the
    /// end, others to the largest size of each variable on the way: one that passes through zero is no less exact there.
    fn apart(&self, first: &Motion, second: &Motion, sizes: &[f64]) -> Option<Apart> {
        let model = &self.subject.model;
        let names = model.coordinates();
        let n = names.len();
        let block = |block: &[f64]| block.iter().fold(0.0, |largest: f64, y| largest.max(y.abs()));
        let sizes = match self.subject.mechanism() {
            Some(_) => [vec![block(first.q()); n], vec![block(first.v()); n]].concat(),
            None => sizes.iter().take(n).copied().collect(),
        };
        let off = |(place, size): (usize, &f64)| {
            let own = model.absolute.iter().find(|(number, _)| *number == place % n);
            let tolerance = own.map_or(self.settings.atol, |(_, atol)| *atol) + self.settings.rtol * size;
            Some((place, (first.y.get(place)? - second.y.get(place)?).abs() / tolerance))
        };
        let (place, tolerances) =
            sizes.iter().enumerate().filter_map(off).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let variable = format!("{}{}", names[place % n], if place < n { "" } else { "'" });
        Some(Apart { tolerances, variable })
    }
}

/// Whether a second run is made after a first one with so much work. What has a warning needs no second one.
fn wanted_after(wanted: SecondRun, warned: bool, work: usize) -> bool {
    match wanted {
        SecondRun::Yes => true,
        SecondRun::No => false,
        SecondRun::Auto => !warned && work <= LITTLE_WORK,
    }
}

/// After how many steps a second run gives up: where a smaller tolerance asks for many more, vibrations that the first run left out are
/// followed, and nobody waits for that without having asked for it.
fn most_steps(wanted: SecondRun, first: usize) -> usize {
    match wanted {
        SecondRun::Yes => usize::MAX,
        SecondRun::Auto | SecondRun::No => MORE_STEPS * first + FEW_STEPS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_is_run_again_only_where_it_is_asked_for() {
        assert!(wanted_after(SecondRun::Auto, false, LITTLE_WORK));
        assert!(!wanted_after(SecondRun::Auto, false, LITTLE_WORK + 1));
        assert!(!wanted_after(SecondRun::Auto, true, 1) && !wanted_after(SecondRun::No, false, 1));
        assert!(wanted_after(SecondRun::Yes, true, LITTLE_WORK + 1));
    }
}
