//! Constants of controllers and of Newton's iteration that a user may want to change, by name, with their source.
//!
//! Others stay where they are used, with what they were measured on: thresholds between cases, bounds of loops and what is rounding. Other
//! values of these are no other wish about a run.

/// Constants of Newton's iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct NewtonOptions {
    /// iterations with 3 stages (RADAU5: 7)
    pub most_iterations: usize,
    /// further iterations for each stage beyond 3 (RADAU: 2.5)
    pub iterations_per_stage: f64,
    /// the last update may be this share of the tolerance: what is left of it adds up over the steps (measured: with
    /// 0.03 and 2037 steps to 174 tolerances)
    pub share_of_tolerance: f64,
    /// slower contraction than this counts as divergence (RADAU5: 0.99)
    pub slowest_contraction: f64,
    /// no step is made so much longer that the contraction would be slower than this, if it were proportional to the step
    pub sought_contraction: f64,
    /// contraction below which the derivative blocks are kept for the next step (RADAU5: 0.001)
    pub keep_blocks_below: f64,
    /// steps shrink to this share after a failure (RADAU5: 0.5)
    pub shrink_after_failure: f64,
    /// so many times the usual iterations are made where shorter steps do not help: with constant ones, and at kinks
    pub patience: usize,
    /// where the iteration with one Jacobian for all stages fails repeatedly, each stage of an ordinary differential equation
    /// gets its own: stiff directions that turn (Auzinger, Eder and Frank 2001) do not shorten steps then
    pub stage_jacobians: bool,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        NewtonOptions {
            most_iterations: 7,
            iterations_per_stage: 2.5,
            share_of_tolerance: 0.01,
            slowest_contraction: 0.99,
            sought_contraction: 0.3,
            keep_blocks_below: 0.001,
            shrink_after_failure: 0.5,
            patience: 6,
            stage_jacobians: true,
        }
    }
}

/// Constants of the step size selection.
#[derive(Clone, Debug, PartialEq)]
pub struct StepOptions {
    /// safety factor of the step size selection (RADAU5: 0.9)
    pub safety: f64,
    /// safety factor of explicit steps: measured to save a tenth of the evaluations for the same error, by fewer rejections
    pub explicit_safety: f64,
    /// steps shrink at most to this share (RADAU5: 0.2)
    pub least_factor: f64,
    /// steps grow at most by this factor (RADAU5: 8)
    pub largest_factor: f64,
    /// a new step within [1, this factor] of the old one keeps the old one, to save factorisations
    pub calm_up_to: f64,
    /// the last step is stretched when the rest is within this factor of it
    pub stretch_last: f64,
    /// the embedded error may be this share of rtol^((s+1)/(2s-1)) (measured on six mechanisms)
    pub error_share: f64,
    /// the error of an undamped vibration in one step may be this share of rtol^`vibration_power`: errors of steps add up
    /// over many periods, and there are more of them for a smaller tolerance
    pub vibration_share: f64,
    /// see `vibration_share`
    pub vibration_power: f64,
}

impl Default for StepOptions {
    fn default() -> Self {
        StepOptions {
            safety: 0.9,
            explicit_safety: 0.7,
            least_factor: 0.2,
            largest_factor: 8.0,
            calm_up_to: 1.2,
            stretch_last: 1.05,
            error_share: 0.3,
            vibration_share: 0.05,
            vibration_power: 1.05,
        }
    }
}

impl StepOptions {
    /// How large the error of an undamped vibration in one step may be.
    pub(crate) fn vibration_tolerance(&self, rtol: f64) -> f64 {
        self.vibration_share * rtol.powf(self.vibration_power)
    }
}

/// Constants of the order selection (Hairer and Wanner, J. Comput. Appl. Math. 111 (1999), section 3).
#[derive(Clone, Debug, PartialEq)]
pub struct OrderOptions {
    /// stages that a run with any other first-order system or with a strong potential begins with (RADAU: 3)
    pub first: usize,
    /// stages that a run with a mechanical system begins with: measured to take the least work, or nearly so, at most
    /// tolerances between 1e-3 and 1e-8
    pub first_of_mechanisms: usize,
    /// contraction below which a higher order is tried where it pays (RADAU: 0.002)
    pub raise_below: f64,
    /// contraction above which a lower order is taken (RADAU: 0.8)
    pub lower_above: f64,
    /// the order is raised only when the step stays within these factors (RADAU: 0.8 and 1.2)
    pub steady: (f64, f64),
    /// after a failure or a change the order stays for so many steps (RADAU: 10), and longer after kinks
    pub steps_before_raise: usize,
    /// stages that ordinary differential equations begin with where they pay: what is of higher index converges worse with
    /// them at the first steps
    pub first_of_ordinary: usize,
    /// ordinary differential equations have more than 5 stages from this tolerance on: before it, 5 take as much work or
    /// less on Van der Pol's and Robertson's equations and on HIRES
    pub many_stages_below: f64,
    /// the same for first-order systems with algebraic equations, which have kinks more often: 5 stages meet them with smaller
    /// errors (water tube, 17 tolerances between 1e-8 and 1e-7: at most 28 tolerances, 92 with more stages)
    pub many_stages_with_algebraic_below: f64,
    /// whether many stages come back soon after a kink where they have come further than few for the same work, and whether a
    /// rejected step that had grown much is no sign of a kink: of ordinary differential equations. With algebraic equations it
    /// costs accuracy at kinks (wheelset at 1e-9: 2000 tolerances instead of 44)
    pub trust_many_stages: bool,
}

impl Default for OrderOptions {
    fn default() -> Self {
        OrderOptions {
            first: 3,
            first_of_mechanisms: 5,
            raise_below: 0.03,
            lower_above: 0.8,
            steady: (0.8, 1.2),
            steps_before_raise: 10,
            first_of_ordinary: 5,
            many_stages_below: 1e-7,
            many_stages_with_algebraic_below: 1e-9,
            trust_many_stages: true,
        }
    }
}

/// Constants of multistep methods.
#[derive(Clone, Debug, PartialEq)]
pub struct MultistepOptions {
    /// the estimated error of a step may be `error_share` rtol^`error_power`: errors of steps add up, and there are more
    /// of them for a smaller tolerance, tol^(-1/5) with order 5
    pub error_share: f64,
    /// see `error_share`
    pub error_power: f64,
    /// Newton's last update may be this share of the error of a step
    pub newton_share: f64,
    /// steps of a backward differentiation formula are chosen so that the error would be 1/this of what is allowed (DASSL: 2)
    pub margin: f64,
    /// contraction of Newton's iteration up to which the derivative blocks of a backward differentiation formula are kept
    pub keep_blocks_below: f64,
    /// which are never older than so many steps (CVODE: 50)
    pub oldest_blocks: usize,
    /// factors serve as long as the leading coefficient is within this factor of theirs
    pub keep_factors_within: f64,
    /// the estimated error of a step of an Adams method may be this share of rtol: the estimate is that of an order less
    pub adams_error_share: f64,
}

impl Default for MultistepOptions {
    fn default() -> Self {
        MultistepOptions {
            error_share: 0.01,
            error_power: 1.05,
            newton_share: 0.03,
            margin: 2.0,
            keep_blocks_below: 0.2,
            oldest_blocks: 30,
            keep_factors_within: 1.1,
            adams_error_share: 0.2,
        }
    }
}

/// Constants of Taylor's series.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesOptions {
    /// the lowest and the highest order that a tolerance leads to
    pub orders: (usize, usize),
    /// the last terms of a step are this share of the tolerance
    pub error_share: f64,
}

impl Default for SeriesOptions {
    fn default() -> Self {
        SeriesOptions { orders: (8, 40), error_share: 0.005 }
    }
}

/// Which springs vibrate too fast to be followed, with [`Vibrations::Auto`](super::Vibrations::Auto).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringOptions {
    /// those whose time scale is below this share of that of the motion,
    pub much_faster: f64,
    /// and below this share of it times rtol^(1/4): measured on the pendulum, errors of velocities then stay below the tolerance
    pub smooth_enough: f64,
    /// friction that slows a spring down so many times as fast as everything else moves is strong: springs are left to it
    pub strong_friction: f64,
}

impl Default for SpringOptions {
    fn default() -> Self {
        SpringOptions { much_faster: 1.0 / 30.0, smooth_enough: 0.5, strong_friction: 1e4 }
    }
}
