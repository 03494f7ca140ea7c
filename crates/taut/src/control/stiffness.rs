//! When steps of explicit methods count as short for stability only.

use crate::snapshot::{Fields, SnapshotError};

/// So many such steps count as stiffness; so many others, in between, as none.
const STIFF_STEPS: usize = 15;
const CALM_STEPS: usize = 6;

/// After so many suspicious steps it is worth to look for the first time whether another method comes further. A look ends as
/// soon as implicit steps are plainly better; with fifteen suspicious steps before it `auto` takes more than twice the work of `radau`
/// on motions of about ten implicit steps.
const FIRST_LOOK: usize = 6;

/// After so many steps without a look one costs next to nothing, and where an implicit method comes many times as far it is worth it:
/// stiff forces may shorten steps by the rounding errors that they answer to, and not by stability. (A governor of bodies with stiff
/// forces at 1e-10: more than 80 000 explicit steps, none of them suspicious, where `radau` takes 523.)
const LONG: usize = 1000;

/// So many rejected steps, and one for each so many accepted ones, are worth a look, too: forces that change by much within the
/// tolerance, like dry friction, are flat on both sides, and no step that is accepted looks stiff. (A block shaken on dry friction at 1e-4:
/// 663 of 3940 explicit steps are rejected. On smooth motions it may be as many for a while: a double pendulum, Kepler's orbits.)
const MANY_REJECTED: usize = 16;
const ACCEPTED_FOR_REJECTED: usize = 6;

/// So many accepted steps behind rejected ones whose rates changed by much within the tolerance are no chance, as long as there are no
/// more than so many others between two of them. (Dry friction steeper than the tolerance: 20 and more in a run, other problems of the
/// library 3 at most.)
const STEEP_STEPS: usize = 6;
const STEPS_BETWEEN: usize = 60;
/// Nor are so many accepted steps across rates that jump, as long as half of all steps are. (The same friction as equations of first order: 330 of
/// 560 explicit steps at 1e-4; a ring modulator 19 of 43, other problems of the library 3 at most.)
const MANY_JUMPS: usize = 40;

/// Counts steps that were short for stability only.
#[derive(Debug, Default)]
pub(crate) struct StiffnessWatch {
    stiff_steps: usize,
    calm_steps: usize,
    ended: bool,
    /// steps that are not short against the fastest motion, since somebody looked
    suspicious_steps: usize,
    /// so many of them are worth a look
    patience: usize,
    /// all steps since somebody looked, and how many of them are worth a look
    since: usize,
    long: usize,
    /// rejected ones since then, and how many are worth a look
    rejected: usize,
    many: usize,
    /// when the first of them was, and after how many steps
    first_rejected: (f64, usize),
    /// accepted steps across rates that jump since then, when the first of them ended, and after how many steps
    rough: usize,
    first_rough: (f64, usize),
    /// accepted steps of equations of first order across rates that jump since then
    jumps: usize,
    /// whether a rate changed by much within the tolerance in a step that was rejected
    steep: bool,
    /// accepted steps behind such ones, and steps since the last of them
    steep_steps: usize,
    since_steep: usize,
    /// the last rate that did
    steepest: usize,
}

/// Steps longer than this, times the fastest rate of the system, may be short for stability: where accuracy decides, they are
/// 0.1 to 0.7 on mechanisms (1.6 at most), on stiff systems 1.6 to 6.
const SUSPICIOUS: f64 = 1.2;

impl StiffnessWatch {
    /// A step was accepted; `short` when it was short for stability only.
    pub(crate) fn note(&mut self, short: bool) {
        if std::mem::take(&mut self.steep) {
            self.steep_steps += usize::from(!self.ended);
            self.since_steep = 0;
        } else {
            self.since_steep += 1;
            if self.since_steep > STEPS_BETWEEN {
                self.steep_steps = 0;
            }
        }
        if short {
            self.calm_steps = 0;
            self.stiff_steps += usize::from(!self.ended);
        } else {
            self.calm_steps += 1;
            if self.calm_steps >= CALM_STEPS {
                self.stiff_steps = 0;
            }
        }
    }

    /// A step to t was accepted that is so long, times the fastest rate of the system, and whether it was one across rates that jump.
    pub(crate) fn note_length(&mut self, t: f64, length: f64, rough: bool) {
        let long = length > SUSPICIOUS;
        self.note_suspicious(long || rough);
        if rough && !long && !self.ended {
            if self.rough == 0 {
                self.first_rough = (t, self.since);
            }
            self.rough += 1;
        }
    }

    /// The last accepted step was one across a rate at this place that jumps.
    pub(crate) fn note_jump(&mut self, place: usize) {
        self.jumps += usize::from(!self.ended);
        self.steepest = place;
    }

    /// A step was accepted; whether it may be short for stability.
    pub(crate) fn note_suspicious(&mut self, suspicious: bool) {
        self.since += usize::from(!self.ended);
        if suspicious {
            self.suspicious_steps += usize::from(!self.ended);
        } else {
            self.suspicious_steps = self.suspicious_steps.saturating_sub(1);
        }
    }

    /// A step from t was rejected.
    pub(crate) fn note_rejection(&mut self, t: f64) {
        if self.rejected == 0 {
            self.first_rejected = (t, self.since);
        }
        self.rejected += usize::from(!self.ended);
    }

    /// A step was rejected in which the rate at this place changed by much within the tolerance.
    pub(crate) fn note_steep(&mut self, place: usize) {
        (self.steep, self.steepest) = (true, place);
    }

    /// The place of a rate that changes by much within the tolerance again and again, so that error estimates of explicit steps say
    /// little.
    pub(crate) fn steepest(&self) -> Option<usize> {
        let jumps = self.jumps >= MANY_JUMPS && 2 * self.jumps >= self.since;
        (jumps || self.steep_steps >= STEEP_STEPS).then_some(self.steepest)
    }

    /// Whether another method may take longer steps for less work.
    pub(crate) fn suspects_stiffness(&self) -> bool {
        self.suspicious_steps >= FIRST_LOOK.max(self.patience) || self.rejects_many()
    }

    /// Whether many steps were rejected.
    fn rejects_many(&self) -> bool {
        let many = self.rejected >= MANY_REJECTED.max(self.many);
        many && ACCEPTED_FOR_REJECTED * self.rejected >= self.since.saturating_sub(self.first_rejected.1)
    }

    /// Whether rates jump in most steps since they did first.
    fn is_rough(&self) -> bool {
        self.rough >= FIRST_LOOK && 2 * self.rough >= self.since.saturating_sub(self.first_rough.1)
    }

    /// How far steps have come at t since the first of many that were rejected, or across rates that jump, on the mean of all of them;
    /// nothing where there were not many.
    pub(crate) fn pace_in_trouble(&self, t: f64) -> Option<f64> {
        let (since, before) = match (self.rejects_many(), self.is_rough()) {
            (true, _) => self.first_rejected,
            (false, true) => self.first_rough,
            _ => return None,
        };
        let steps = self.since.saturating_sub(before) + self.rejected;
        Some((t - since).abs() / steps as f64)
    }

    /// Whether somebody should look if another method comes further: for suspicious steps, or for many.
    pub(crate) fn wants_a_look(&self) -> bool {
        self.suspects_stiffness() || self.since >= LONG.max(self.long)
    }

    /// Somebody looked and found none: it is not worth another look before twice as many steps.
    pub(crate) fn dismiss(&mut self) {
        if self.rejects_many() {
            self.many = 2 * MANY_REJECTED.max(self.many);
        } else if self.suspects_stiffness() {
            self.patience = 2 * STIFF_STEPS.max(self.patience);
        }
        (self.suspicious_steps, self.rejected, self.rough, self.jumps) = (0, 0, 0, 0);
        (self.since, self.long) = (0, 2 * LONG.max(self.long));
    }

    /// Whether the last accepted steps were short for stability only, so that an implicit method would take longer ones, or could not be
    /// told to be right.
    pub(crate) fn finds_stiffness(&self) -> bool {
        self.stiff_steps >= STIFF_STEPS || self.steepest().is_some()
    }

    /// Nobody wants to know any more.
    pub(crate) fn end(&mut self) {
        (self.stiff_steps, self.suspicious_steps, self.ended) = (0, 0, true);
        (self.since, self.rejected, self.steep_steps, self.rough, self.jumps) = (0, 0, 0, 0, 0);
    }

    /// What decides how the run goes on.
    pub(crate) fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        let Self { stiff_steps, calm_steps, ended, suspicious_steps, patience, since, long, .. } = self;
        fields.entry(
            "stiffness",
            &mut [stiff_steps, calm_steps, ended, suspicious_steps, patience, since, long],
        )?;
        let Self { rejected, many, first_rejected: (first, before), .. } = self;
        fields.entry("rejected steps", &mut [rejected, many, first, before])?;
        let Self { rough, first_rough: (first, before), jumps, .. } = self;
        fields.entry("rough steps", &mut [rough, first, before, jumps])?;
        let Self { steep, steep_steps, since_steep, steepest, .. } = self;
        fields.entry("steep steps", &mut [steep, steep_steps, since_steep, steepest])
    }
}
