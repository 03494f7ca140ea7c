//! What a user may choose about a run.

mod constants;

pub use constants::{
    MultistepOptions, NewtonOptions, OrderOptions, SeriesOptions, SpringOptions, StepOptions,
};

use crate::equations::Formulation;
use crate::linear::Choice;
use crate::method::SparkOptions;
use crate::start::Fixed;

/// How a run is controlled.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerance
    pub atol: f64,
    /// absolute tolerances of single coordinates (and their velocities) or variables, by their numbers, instead of `atol`; those
    /// of z in a partitioned system come behind those of y
    pub absolute: Vec<(usize, f64)>,
    /// with constant steps: the tolerance that stage equations are solved to; nothing solves them to rounding
    pub stage_tolerance: Option<f64>,
    /// what the tolerance bounds
    pub controller: Controller,
    /// which form of the constraints is solved
    pub formulation: Formulation,
    /// projection after each step; `None` takes what suits the method
    pub projection: Option<Projection>,
    /// where the multipliers of the result come from
    pub multipliers: Multipliers,
    /// how equations without derivatives hold at the end of a Runge-Kutta step
    pub algebraic_rows: AlgebraicRows,
    /// what becomes of the vibrations of stiff springs
    pub vibrations: Vibrations,
    /// moves the start of stiff springs onto smooth motion with so many passes (Lubich 1992, Theorem 2.2)
    pub smooth_start: Option<usize>,
    /// start values of mechanical systems that are kept while others move onto the constraints
    pub fixed: Fixed,
    /// by how much redundant constraints may contradict the others, in the units of coordinates: rounding of data. The gap is
    /// spread over all of them in least squares
    pub accept_gap: f64,
    /// constant steps instead of adaptive ones
    pub constant_step: Option<f64>,
    /// the first step; `None` estimates it
    pub first_step: Option<f64>,
    /// no step is longer than this
    pub largest_step: Option<f64>,
    /// a run with adaptive steps gives up after this many of them, rejected ones included, as soon as the step in progress is
    /// accepted; it does not begin when the vibrations of a stiff spring would take more
    pub most_steps: usize,
    /// dense or sparse elimination
    pub linear: Choice,
    /// Newton's iteration
    pub newton: NewtonOptions,
    /// step size selection
    pub steps: StepOptions,
    /// order selection
    pub order: OrderOptions,
    /// multistep methods
    pub multistep: MultistepOptions,
    /// Taylor's series
    pub series: SeriesOptions,
    /// which springs are too fast to be followed
    pub springs: SpringOptions,
    /// which coefficients of a SPARK method treat which forces
    pub spark: SparkOptions,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rtol: 1e-6,
            atol: 1e-6,
            absolute: Vec::new(),
            stage_tolerance: None,
            controller: Controller::Standard,
            formulation: Formulation::Index3,
            projection: None,
            multipliers: Multipliers::FromAccelerations,
            algebraic_rows: AlgebraicRows::Direct,
            vibrations: Vibrations::Auto,
            smooth_start: None,
            fixed: Fixed::default(),
            accept_gap: 0.0,
            constant_step: None,
            first_step: None,
            largest_step: None,
            most_steps: 1_000_000,
            linear: Choice::Auto,
            newton: NewtonOptions::default(),
            steps: StepOptions::default(),
            order: OrderOptions::default(),
            multistep: MultistepOptions::default(),
            series: SeriesOptions::default(),
            springs: SpringOptions::default(),
            spark: SparkOptions::default(),
        }
    }
}

/// Where rounding ends what Newton's iteration can do, relative to the state.
const ROUNDING: f64 = 1e-15;

impl Options {
    /// What the last update of Newton's iteration may be, relative to the state.
    pub(crate) fn newton_tolerance(&self) -> f64 {
        match (self.constant_step, self.stage_tolerance) {
            (Some(_), None) => ROUNDING,
            (Some(_), Some(tolerance)) => self.newton.share_of_tolerance * tolerance,
            (None, _) => self.newton.share_of_tolerance * self.rtol,
        }
    }

    /// Whether stage equations are solved to rounding.
    pub(crate) fn solves_to_rounding(&self) -> bool {
        self.constant_step.is_some() && self.stage_tolerance.is_none()
    }
}

/// What the tolerance bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Controller {
    /// the error of what is returned: positions and velocities on their constraints
    #[default]
    Standard,
    /// what RADAU5 bounds: tolerances 0.1 tol^((s+1)/(2s)), velocities weighted with h, multipliers with h² (Hairer
    /// and Wanner, Solving Ordinary Differential Equations II, sections IV.8 and VII.4). For comparison.
    Classical,
    /// steps of the length at which the symmetric error estimate (38) of Jay 1998 is tol^((p̃+1)/(p+1)), so that a
    /// symmetric method remains symmetric with variable steps (section 9): for long reversible motion whose speed changes.
    /// The estimate is that of absolute errors of positions and momenta, and counts in units of atol/rtol, so that
    /// steps do not depend on how far angles have turned. The last step ends where the run does and is not one of them.
    Reversible,
}

impl Controller {
    /// All of them.
    pub const ALL: [Controller; 3] = [Controller::Standard, Controller::Classical, Controller::Reversible];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Controller::Standard => "standard",
            Controller::Classical => "classical",
            Controller::Reversible => "reversible",
        }
    }
}

/// Projection onto the constraints after each step (Schropp 2003, eq. 2.7 and 2.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Projection {
    /// none: what the Runge-Kutta formula gives
    None,
    /// velocities onto G v + g_t = 0, for stiffly accurate methods, whose positions satisfy g = 0
    Velocity,
    /// positions onto g = 0 and velocities onto G v + g_t = 0
    Full,
}

impl Projection {
    /// All of them.
    pub const ALL: [Projection; 3] = [Projection::None, Projection::Velocity, Projection::Full];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Projection::None => "none",
            Projection::Velocity => "velocity",
            Projection::Full => "full",
        }
    }
}

/// Where the multipliers of the result come from, and in first-order systems the variables of index 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Multipliers {
    /// from the acceleration constraint at the end of the step: as accurate as positions and velocities. In first-order
    /// systems from the derivative of the equations without derivatives, at every output and at the end
    #[default]
    FromAccelerations,
    /// (1 − bᵀA⁻¹1) λ₀ + bᵀA⁻¹Λ (Schropp 2003, eq. 2.5): what the method itself gives, of lower order
    FromStages,
}

/// What a method makes of equations without derivatives of a first-order system, 0 = g(x, y) or 0 = G(x): the two
/// approaches of Nipp 1999. They are the same for stiffly accurate Runge-Kutta methods and for backward differentiation
/// formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AlgebraicRows {
    /// the method for ε y' = g with ε = 0: y₁ = R(∞) y₀ + bᵀA⁻¹Y (section 2.1 b) and Σ βᵢ g(xᵢ, yᵢ) = 0 (section 2.2), in
    /// index 2 0 = Σ βᵢ G(xᵢ)
    #[default]
    Direct,
    /// 0 = g(x₁, y₁) after the step (section 2.1 a): y has the order of x. For Runge-Kutta methods on index 1; a multistep
    /// method solves 0 = g(x_k, y_k), in index 2 0 = G(x_k) (section 3.2)
    Indirect,
}

impl AlgebraicRows {
    /// Both of them.
    pub const ALL: [AlgebraicRows; 2] = [AlgebraicRows::Direct, AlgebraicRows::Indirect];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            AlgebraicRows::Direct => "direct",
            AlgebraicRows::Indirect => "indirect",
        }
    }
}

/// What becomes of the vibrations of stiff springs, given as compliant constraints, under methods that damp them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Vibrations {
    /// of each spring: damped when it vibrates much faster than everything else moves, so that smooth motion is known
    /// within the tolerance; followed otherwise
    #[default]
    Auto,
    /// the error estimate sees them, steps are as short as they need
    Follow,
    /// steps are as long as the smooth motion allows (Lubich 1992); what vibrates at the start, also by the stiffness of
    /// forces, dies out within some steps. Implicit methods that would rather follow (Gauss, SDIRK) obey too, with errors
    /// beyond the tolerance
    Damp,
    /// they are not followed, but what their energy does to everything else is kept: the potential Σ J ω(q) of their frequencies
    /// ω and actions J = E/ω at the start (Rubin and Ungar 1957). Positions are right up to the amplitude of the
    /// vibrations. A run ends where frequencies come together or into resonance
    Averaged,
}

impl Vibrations {
    /// All of them.
    pub const ALL: [Vibrations; 4] =
        [Vibrations::Auto, Vibrations::Follow, Vibrations::Damp, Vibrations::Averaged];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Vibrations::Auto => "auto",
            Vibrations::Follow => "follow",
            Vibrations::Damp => "damp",
            Vibrations::Averaged => "averaged",
        }
    }
}
