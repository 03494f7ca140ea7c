//! All equations of a step together, for methods that solve them to rounding.

use crate::control::error_norm::Scales;
use crate::motion::Statistics;
use crate::system::Fault;

/// The equations of a step as the iteration sees them.
pub(crate) trait StepResiduals {
    /// The residuals of all equations.
    fn residual(&mut self, x: &[f64], residual: &mut [f64], count: &mut Statistics) -> Result<(), Fault>;

    /// The size of an update in units of the tolerance.
    fn size(&self, update: &[f64], scales: &Scales) -> f64;

    /// What a rounding error of the largest variable means in the norm of [`Self::size`].
    fn rounding(&self, x: &[f64], scales: &Scales) -> f64;
}
