//! What became of the vibrations of a spring during a run.

/// How a spring was treated for some time.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringSpan {
    /// the name of the constraint
    pub name: String,
    /// `smooth`, `creeping`, `damped` or `followed`
    pub motion: &'static str,
    /// from this time on
    pub from: f64,
    /// until this time
    pub to: f64,
    /// the largest vibration of the run that was left out while the spring was in smooth motion, in the units of the constraint
    pub left_out: f64,
}
