//! What the control of steps is told about one that was tried.

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
