use std::fmt;

/// Why a tableau, or a property of one, could not be had.
#[derive(Clone, Debug, PartialEq)]
pub enum TableauError {
    /// No family has this name.
    UnknownFamily {
        /// What was asked for.
        name: String,
    },
    /// The family begins with more stages.
    TooFewStages {
        /// The name of the family.
        family: &'static str,
        /// What was asked for.
        stages: usize,
        /// The smallest number of stages.
        least: usize,
    },
    /// The working precision does not separate the order conditions of so many stages from rounding errors.
    TooManyStages {
        /// The name of the family.
        family: &'static str,
        /// What was asked for.
        stages: usize,
        /// The largest number of stages.
        most: usize,
    },
    /// The family has members with certain numbers of stages only.
    NoSuchStages {
        /// The name of the family.
        family: &'static str,
        /// What was asked for.
        stages: usize,
        /// What there is.
        available: &'static [usize],
    },
    /// The sizes of A, b and c do not fit together.
    Shape {
        /// The rows of A.
        rows: usize,
        /// The columns of A.
        columns: usize,
        /// The length of b.
        weights: usize,
        /// The length of c.
        nodes: usize,
    },
    /// A coefficient is not a finite number.
    NotFinite {
        /// The name of the method.
        name: String,
    },
    /// The Runge-Kutta matrix has no complete set of eigenvectors (in the working precision).
    Defective {
        /// The name of the method.
        name: String,
        /// The number of stages.
        stages: usize,
    },
    /// The Runge-Kutta matrix is singular where its inverse is needed.
    Singular {
        /// The name of the method.
        name: String,
        /// The number of stages.
        stages: usize,
    },
    /// Two methods on different quadrature formulas do not form a pair.
    DifferentQuadrature {
        /// The name of the first method.
        first: String,
        /// The name of the second method.
        second: String,
    },
    /// The shares of a convex combination do not add up to 1, or one of them is negative.
    NotConvex {
        /// Their sum.
        sum: f64,
        /// The least of them.
        least: f64,
    },
    /// There is no backward differentiation formula with so many steps: those beyond six are unstable.
    NoSuchSteps {
        /// What was asked for.
        steps: usize,
        /// The largest number of steps.
        most: usize,
    },
    /// rho and sigma do not form a linear multistep method: lengths differ, there is no step, or alpha_k = 0.
    NotMultistep {
        /// The number of coefficients of rho.
        alpha: usize,
        /// The number of coefficients of sigma.
        beta: usize,
    },
}

impl fmt::Display for TableauError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFamily { name } => {
                let known: Vec<&str> = crate::Family::ALL.iter().map(|family| family.name()).collect();
                write!(f, "there is no method `{name}`; there are {}", known.join(", "))
            }
            Self::TooFewStages { family, stages, least } => {
                write!(f, "{family} begins with {least} stages, not {stages}")
            }
            Self::TooManyStages { family, stages, most } => write!(
                f,
                "{family} with {stages} stages is beyond the working precision; the largest is {most} stages"
            ),
            Self::NoSuchStages { family, stages, available } => {
                let list: Vec<String> = available.iter().map(usize::to_string).collect();
                write!(
                    f,
                    "there is no {family} with {stages} stages; there is {family} with {}",
                    list.join(", ")
                )
            }
            Self::Shape { rows, columns, weights, nodes } => {
                write!(
                    f,
                    "A is {rows} by {columns}, b has {weights} and c has {nodes} entries: they do not fit"
                )
            }
            Self::NotFinite { name } => write!(f, "{name} has a coefficient that is not a finite number"),
            Self::Defective { name, stages } => write!(
                f,
                "the Runge-Kutta matrix of {name} with {stages} stages has no complete set of eigenvectors"
            ),
            Self::Singular { name, stages } => {
                write!(f, "the Runge-Kutta matrix of {name} with {stages} stages is singular")
            }
            Self::DifferentQuadrature { first, second } => {
                write!(f, "{first} and {second} have different weights or nodes; a pair needs the same")
            }
            Self::NotConvex { sum, least } => write!(
                f,
                "shares must not be negative and must add up to 1; these add up to {sum} and the least is {least}"
            ),
            Self::NoSuchSteps { steps, most } => {
                write!(f, "there is no stable bdf with {steps} steps; there is bdf with 1 to {most} steps")
            }
            Self::NotMultistep { alpha, beta } => write!(
                f,
                "rho with {alpha} and sigma with {beta} coefficients are no linear multistep method: \
                 both need k + 1 >= 2 coefficients, with alpha_k not zero"
            ),
        }
    }
}

impl std::error::Error for TableauError {}
