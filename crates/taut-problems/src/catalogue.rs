//! Finding a problem.

use crate::error::Error;
use crate::problem::Problem;
use crate::{mechanics, networks, ordinary, theory};

/// A problem that can be built.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// its name
    pub name: &'static str,
    /// the names of its starts, the usual one first; starts may differ in parameters too
    pub starts: &'static [&'static str],
    pub(crate) build: fn(&str) -> Result<Problem, Error>,
}

impl Entry {
    /// The problem with its usual start.
    pub fn problem(&self) -> Result<Problem, Error> {
        (self.build)(self.starts[0])
    }

    /// The problem with one of its starts.
    pub fn with_start(&self, start: &str) -> Result<Problem, Error> {
        if !self.starts.contains(&start) {
            return Err(Error::UnknownStart { problem: self.name.into(), start: start.into() });
        }
        (self.build)(start)
    }
}

/// All problems: mechanics, networks, ordinary equations, theory. Chains of any length are made by
/// [`planar_chain`](crate::mechanics::planar_chain) and [`space_chain`](crate::mechanics::space_chain), rows of four-bar
/// linkages by [`four_bars`](crate::mechanics::four_bars), drops of water by [`waters`](crate::mechanics::waters).
pub fn all() -> impl Iterator<Item = Entry> {
    let mechanical = mechanics::ENTRIES.into_iter();
    mechanical.chain(networks::ENTRIES).chain(ordinary::ENTRIES).chain(theory::ENTRIES)
}

/// The problem called `name`, with its usual start, or `name/start` with another one.
///
/// ```
/// let problem = taut_problems::find("pendulum/cash_g1")?;
/// assert_eq!(problem.start.state.motion().map(|motion| motion.v[1]), Some(1.0));
/// # Ok::<(), taut_problems::Error>(())
/// ```
pub fn find(name: &str) -> Result<Problem, Error> {
    let (problem, start) = match name.split_once('/') {
        Some((problem, start)) => (problem, Some(start)),
        None => (name, None),
    };
    let entry = all()
        .find(|entry| entry.name == problem)
        .ok_or_else(|| Error::UnknownProblem { name: problem.into() })?;
    match start {
        Some(start) => entry.with_start(start),
        None => entry.problem(),
    }
}
