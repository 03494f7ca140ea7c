//! What the control of steps is told about one that was tried, and about the next one.

/// What an attempt found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Attempt {
    /// the estimated error relative to what is allowed: accept below 1
    pub(crate) error: f64,
    /// the error is O(h^power)
    pub(crate) power: f64,
    /// Newton iterations, and the most that are allowed: 0 for explicit steps, 1 and 1 where they say nothing about the
    /// next step
    pub(crate) iterations: (usize, usize),
}

/// How long the next step is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NextLength {
    /// its length in units of the last one
    pub(crate) factor: f64,
    /// a step as long as the last one is cheaper, so that a small change is not worth it
    pub(crate) same_is_cheaper: bool,
}

impl NextLength {
    /// By this factor, whether or not that is a small change.
    pub(crate) fn by(factor: f64) -> Self {
        NextLength { factor, same_is_cheaper: false }
    }
}
