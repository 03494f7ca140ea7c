//! A motion in phases: where events happen, its state or its equations change, and it goes on.

use super::Solver;
use super::checks::lost_mass;
use crate::error::{Error, RunError};
use crate::motion::Motion;
use crate::run::{Advance, Carried, Observer, Snapshot, SnapshotError};

/// A motion whose state or equations change where events happen.
///
/// Each phase has a solver of its own. It ends where an event [acts](crate::run::Event::acts), and the next one begins with what
/// [`change`](Self::change) says, made consistent with the constraints that are in force then.
pub trait Phases {
    /// The solver of the phase that begins: the equations that hold now and, in the same order in all phases, all events.
    fn solver(&self) -> Solver<'_>;

    /// Events have happened: the state (q, v) or x that the next phase begins with.
    ///
    /// # Errors
    /// The motion cannot go on from there; why, in words.
    fn change(&mut self, happening: &Happening<'_>) -> Result<Vec<f64>, String>;

    /// Numbers that tell this phase from others, for snapshots.
    fn save(&self) -> Vec<f64>;

    /// Goes back to the phase that these numbers tell; false when they make no sense.
    fn restore(&mut self, numbers: &[f64]) -> bool;
}

/// Events that have ended a phase.
#[derive(Clone, Copy, Debug)]
pub struct Happening<'h> {
    /// when
    pub t: f64,
    /// the state then, before any change: (q, v, λ), or x
    pub y: &'h [f64],
    /// the events that act, by their numbers among those of the solver, in this order
    pub events: &'h [usize],
}

/// What leads from one phase to the next.
#[derive(Default)]
pub(super) struct Thread {
    /// what the phase before has left
    pub(super) carried: Option<Carried>,
    /// the number of the phase, where it begins, and what tells it from others
    pub(super) phase: Vec<f64>,
    /// whether events end phases, and not the run
    acts: bool,
}

impl Thread {
    /// Whether the run begins here.
    pub(super) fn begins(&self) -> bool {
        self.phase.first().is_none_or(|number| *number == 0.0)
    }
}

/// How a phase has ended.
enum Ended {
    /// so did the run
    Run(Box<Result<Motion, Error>>),
    Phase(Box<Carried>),
}

impl Solver<'_> {
    /// Integrates one phase.
    fn run_phase(
        &self,
        way: (f64, f64, &[f64]),
        thread: &mut Thread,
        observer: &mut dyn Observer,
    ) -> Result<Ended, Error> {
        let acts = thread.acts;
        self.prepare(way, observer, thread, |session, observer, start| match session.run(observer) {
            Ok(_) if session.rechooses() || acts && session.ends_phase() => {
                Ended::Phase(Box::new(session.hand_over(start)))
            }
            Ok(stop) => {
                Ended::Run(Box::new(match lost_mass(self.system, session.time(), &session.state()) {
                    None => Ok(session.motion(stop, start)),
                    Some(reason) => Err(session.error(reason.into(), start)),
                }))
            }
            Err(interruption) => Ended::Run(Box::new(Err(session.error(interruption, start)))),
        })
    }

    /// Integrates to the end, or until an event ends the run. Where constraints that are imposed come to depend on each other,
    /// others are left out, and a new phase begins.
    pub(super) fn run_in_pieces(
        &self,
        (t, until, start): (f64, f64, &[f64]),
        observer: &mut dyn Observer,
    ) -> Result<Motion, Error> {
        let mut thread = Thread::default();
        let mut at = (0.0, t, start.to_vec());
        if let Some([number, begun, state @ ..]) = self.resume.as_ref().and_then(|s| s.get("phase").ok()) {
            at = (*number, *begun, state.to_vec());
        }
        loop {
            if at.0 > 0.0 {
                thread.phase = [&[at.0, at.1], at.2.as_slice()].concat();
            }
            let ended = self.run_phase((at.1, until, &at.2), &mut thread, observer);
            let carried = match ended_phase(ended, &mut thread) {
                Ok(carried) => carried,
                Err(result) => return *result,
            };
            at = (at.0 + 1.0, carried.t(), carried.state()[..start.len()].to_vec());
            thread.carried = Some(carried);
        }
    }
}

/// What a phase that has ended leaves to the next; or what the run gives back.
fn ended_phase(
    ended: Result<Ended, Error>,
    thread: &mut Thread,
) -> Result<Carried, Box<Result<Motion, Error>>> {
    match (ended, thread.carried.take()) {
        (Ok(Ended::Run(result)), _) => Err(result),
        (Ok(Ended::Phase(carried)), _) => Ok(*carried),
        // The phase could not begin.
        (Err(error), Some(carried)) => Err(Box::new(Err(stopped(carried, error.to_string())))),
        (Err(error), None) => Err(Box::new(Err(error))),
    }
}

/// Integrates phase after phase from t to `until`, beginning with (q, v) or x; or goes on from a snapshot of such a run.
///
/// # Errors
/// Those of [`Solver::run_with`]. Where the motion cannot go on after a change, what was computed before is kept.
pub fn run_phases(
    phases: &mut dyn Phases,
    (t, until, start): (f64, f64, &[f64]),
    resume: Option<&Snapshot>,
    observer: &mut dyn Observer,
) -> Result<Motion, Error> {
    let mut at = (0.0, t, start.to_vec());
    if let Some(snapshot) = resume {
        at = beginning_of_phase(phases, snapshot, start.len())?;
    }
    let mut thread = Thread { acts: true, ..Thread::default() };
    let mut resume = resume;
    loop {
        thread.phase = [&[at.0, at.1][..], &at.2, &phases.save()].concat();
        let mut solver = phases.solver();
        if let Some(snapshot) = resume.take() {
            solver = solver.resume(snapshot.clone());
        }
        let ended = solver.run_phase((at.1, until, &at.2), &mut thread, observer);
        let carried = match ended_phase(ended, &mut thread) {
            Ok(carried) => carried,
            Err(result) => return *result,
        };
        drop(solver);
        if carried.acted().is_empty() {
            // Nothing has happened but that other constraints are left out from now on.
            at = (at.0 + 1.0, carried.t(), carried.state()[..start.len()].to_vec());
            thread.carried = Some(carried);
            continue;
        }
        let happening = Happening { t: carried.t(), y: carried.state(), events: carried.acted() };
        match phases.change(&happening) {
            Ok(start) => at = (at.0 + 1.0, carried.t(), start),
            Err(reason) => return Err(stopped(carried, reason)),
        }
        thread.carried = Some(carried);
    }
}

fn stopped(carried: Carried, reason: String) -> Error {
    let reason = RunError::Change { t: carried.t(), reason };
    Error::Stopped { reason, motion: Box::new(carried.into_motion()) }
}

/// The number of the phase of a snapshot, time and state at which it began.
fn beginning_of_phase(
    phases: &mut dyn Phases,
    snapshot: &Snapshot,
    size: usize,
) -> Result<(f64, f64, Vec<f64>), SnapshotError> {
    let numbers = snapshot.get("phase")?;
    if let Some((begun, rest)) = numbers.split_at_checked(2 + size)
        && phases.restore(rest)
    {
        return Ok((begun[0], begun[1], begun[2..].to_vec()));
    }
    let (name, found) = ("phase".to_owned(), numbers.len());
    Err(SnapshotError::Length { name, found, expected: 2 + size + phases.save().len() })
}
