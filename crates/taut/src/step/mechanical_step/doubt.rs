//! Whether many stages see what happens between them.
//!
//! The estimate of a step is what its polynomials leave of the equations at the beginning, and errors at the end are smaller by many
//! orders where the polynomials follow the motion throughout. Where a light part whips round within the step they do not: what they leave
//! may be little at the beginning, and ten times what is allowed in between. So the equations are looked at half way between two
//! stages too, which tells how much is left there, and whether that is the share of what is left at the beginning that smooth motion has.
//! (The random mechanism of seed 817 at 1e-7: steps that are wrong by 20 to 300 tolerances leave 0.5 to 4 times what is allowed there. Steps of nine
//! models, squeezer and car axis among them, at 1e-7 and 1e-10 leave 0.3 at most; of those that leave more than half as much as at the beginning five of the models
//! have at most 0.1 at 1e-7, while 817 has right steps with 0.5, which are repeated too.)

use super::norms::larger_norm;
use super::{Beginning, MechanicalStep};
use crate::control::error_norm::Scales;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::stages::coefficients::Coefficients;

/// With fewer stages the estimate may not be much larger than the error.
const LEAST_STAGES: usize = 4;
/// What is left between two stages is about a quarter of what is left at the beginning for smooth motion. It counts by so many times as much,
const BETWEEN_STAGES: f64 = 2.5;
/// and where it is more than this share
const MOST_OF_SMOOTH_MOTION: f64 = 0.5;
/// by so many times.
const NOT_SMOOTH: f64 = 8.0;

/// After so many steps that were repeated for it the user is told.
const MANY: usize = 8;

impl MechanicalStep<'_> {
    /// The estimate with what is left of the equations between two stages; 0 where that is less than what is allowed, and for few
    /// stages and methods that are no collocation.
    pub(super) fn doubt(
        &mut self,
        method: &Coefficients,
        unknowns: &[f64],
        (estimated, allowed): (f64, f64),
        scales: &Scales,
        count: &mut Statistics,
    ) -> Result<f64, StepFailure> {
        let Some(middle) = method.middle.as_ref().filter(|_| method.stages >= LEAST_STAGES) else {
            return Ok(0.0);
        };
        let start = Beginning { v: &self.v, load: &self.load, mass: &self.mass, jacobian: &self.jacobian };
        let z = self.h / method.g;
        self.estimate.compute_in_the_middle(middle, z, &start, &mut self.stages, unknowns, count)?;
        // The part along the constraints is not more than the whole.
        let whole = larger_norm(&self.layout, (&self.estimate.q, &self.estimate.v), scales);
        if weighed(whole, estimated) <= allowed {
            return Ok(0.0);
        }
        let along = weighed(self.tangent_norm(scales, count), estimated);
        if along <= allowed {
            return Ok(0.0);
        }
        self.doubts += 1;
        if self.doubts == MANY && self.warning.is_none() {
            self.warning = Some(told(self.t));
        }
        Ok(along)
    }
}

/// What is said where many steps were repeated.
fn told(t: f64) -> String {
    format!(
        "something whips round within steps: up to t = {t:.3e} {MANY} of them were repeated for what happens between their stages, and others may \
         have missed it, with errors of some ten tolerances each, which the motion may magnify; take taylor, or three stages"
    )
}

/// What is left between two stages, weighed by whether it belongs to what is left at the beginning.
fn weighed(between: f64, beginning: f64) -> f64 {
    between * if between > MOST_OF_SMOOTH_MOTION * beginning { NOT_SMOOTH } else { BETWEEN_STAGES }
}
