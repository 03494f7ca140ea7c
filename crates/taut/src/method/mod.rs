//! A method is a value: what it is, what it can do, where it comes from.

mod catalog;
mod damping;
mod meeting;
mod spark;

pub use catalog::{Entry, catalog};
pub use damping::{Damped, Damping, ShareFunction};
pub(crate) use meeting::TAKE_SPRINGS_ALONG;
pub use meeting::{Meeting, Mismatch};
pub use spark::{Shares, SparkOptions, Treatment};
pub(crate) use spark::{not_reversible, permits_partition, permits_spark};

use std::fmt;
use std::sync::Arc;

use taut_tableau::{Family, Multistep, Spark, Tableau, TableauError};

/// The numbers of stages of Radau IIA with variable order: those of the code RADAU (Hairer and Wanner 1999), and 2, to
/// which it falls back where Newton's iteration hardly converges.
const RADAU_STAGES: &[usize] = &[2, 3, 5, 7];

/// The orders of the backward differentiation formulas with variable order. The one of order 6 is stable in a small
/// sector only, and is taken where it is asked for.
const BDF_ORDERS: &[usize] = &[1, 2, 3, 4, 5];

/// The orders of Adams methods with variable order: those of the code ODE (Shampine and Gordon 1975), each one more by local
/// extrapolation.
const ADAMS_ORDERS: &[usize] = &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];

/// The orders of Taylor's series; which one is taken follows from the tolerance.
const TAYLOR_ORDERS: &[usize] = &[
    8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,
    35, 36, 37, 38, 39, 40,
];

/// How the steps of a method are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// explicit as long as the system is not stiff, then Radau IIA
    Auto,
    /// all stages together, by Newton's iteration
    Implicit(Family),
    /// one stage after the other, by Newton's iteration
    Diagonal(Family),
    /// one stage after the other, without equations to solve
    Explicit(Family),
    /// backward differentiation formulas: one stage for each step, from the states of the last steps; the numbers of
    /// stages are the orders
    Bdf,
    /// Adams methods: two evaluations for each step, one of them cheap, from the accelerations of the last steps; the numbers
    /// of stages are the orders
    Adams,
    /// all stages together, with Lobatto coefficients of their own for each class of forces (Jay 1998)
    Spark(Treatment),
    /// Taylor's series, of an order that follows from the tolerance
    Taylor,
}

impl Scheme {
    /// Whether nothing has to be solved for but accelerations and multipliers.
    pub fn is_explicit(self) -> bool {
        matches!(self, Scheme::Explicit(_) | Scheme::Adams | Scheme::Taylor)
    }

    /// Whether numbers of stages are orders.
    pub fn has_orders(self) -> bool {
        self.is_multistep() || self == Scheme::Taylor
    }

    /// Whether steps are found from the last ones: numbers of stages are then orders.
    pub fn is_multistep(self) -> bool {
        matches!(self, Scheme::Bdf | Scheme::Adams)
    }
}

/// An integration method: a scheme and its numbers of stages.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    name: &'static str,
    scheme: Scheme,
    /// the numbers of stages that may be used; more than one means variable order
    stages: Vec<usize>,
}

/// A method that does not exist.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MethodError {
    /// nothing has this name
    Unknown {
        /// what was asked for
        name: String,
    },
    /// the family has no such number of stages
    Stages(TableauError),
    /// an order was asked for, but the method has stages
    NoOrders {
        /// the method
        name: &'static str,
    },
}

impl fmt::Display for MethodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MethodError::Unknown { name } => {
                let names: Vec<&str> = catalog().iter().map(|entry| entry.name).collect();
                write!(f, "there is no method '{name}'; there are {}", names.join(", "))
            }
            MethodError::Stages(error) => error.fmt(f),
            MethodError::NoOrders { name } => {
                write!(
                    f,
                    "the order of {name} follows from its number of stages: choose that; bdf, adams and taylor have orders"
                )
            }
        }
    }
}

impl std::error::Error for MethodError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            MethodError::Stages(cause) => Some(cause),
            MethodError::Unknown { .. } | MethodError::NoOrders { .. } => None,
        }
    }
}

impl Default for Method {
    /// [`Scheme::Auto`]
    fn default() -> Self {
        Method { name: "auto", scheme: Scheme::Auto, stages: Vec::new() }
    }
}

impl Method {
    /// The method that a user calls by this name, with its usual number of stages.
    pub fn named(name: &str) -> Result<Self, MethodError> {
        let entry = catalog().iter().find(|entry| entry.name == name);
        entry.map(Entry::method).ok_or_else(|| MethodError::Unknown { name: name.to_owned() })
    }

    /// Radau IIA of variable order 3, 5, 9, 13: the method for constraints and stiffness.
    pub fn radau() -> Self {
        Method { name: "radau", scheme: Scheme::Implicit(Family::RadauIia), stages: RADAU_STAGES.to_vec() }
    }

    /// The explicit pair of Dormand and Prince of order 8: the method for motion that is not stiff.
    pub fn explicit() -> Self {
        Method { name: "dopri8", scheme: Scheme::Explicit(Family::DormandPrince8), stages: vec![12] }
    }

    /// Backward differentiation formulas of variable order 1 to 5.
    pub fn bdf() -> Self {
        Method { name: "bdf", scheme: Scheme::Bdf, stages: BDF_ORDERS.to_vec() }
    }

    /// Adams methods of variable order 2 to 13: for smooth motion that is not stiff, where evaluations are expensive.
    pub fn adams() -> Self {
        Method { name: "adams", scheme: Scheme::Adams, stages: ADAMS_ORDERS.to_vec() }
    }

    /// The same method with a fixed number of stages.
    pub fn with_stages(mut self, stages: usize) -> Result<Self, MethodError> {
        if let Some(family) = self.family() {
            family.shared_tableau(stages).map_err(MethodError::Stages)?;
        }
        if let Scheme::Spark(treatment) = self.scheme {
            treatment.offers(stages).map_err(MethodError::Stages)?;
        }
        if self.scheme == Scheme::Bdf {
            Multistep::bdf(stages).map_err(MethodError::Stages)?;
        }
        let orders = match self.scheme {
            Scheme::Adams => ADAMS_ORDERS,
            Scheme::Taylor => TAYLOR_ORDERS,
            _ => &[],
        };
        if !orders.is_empty() && !orders.contains(&stages) {
            let (family, available) = (self.name, orders);
            return Err(MethodError::Stages(TableauError::NoSuchStages { family, stages, available }));
        }
        self.stages = vec![stages];
        Ok(self)
    }

    /// The same method with one order only, for methods that have orders instead of stages: bdf, adams and taylor.
    pub fn with_order(self, order: usize) -> Result<Self, MethodError> {
        match self.scheme.has_orders() {
            true => self.with_stages(order),
            false => Err(MethodError::NoOrders { name: self.name }),
        }
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How its steps are computed.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The Lobatto coefficients of a SPARK method; an error for every other one.
    pub fn spark(&self) -> Result<Spark, MethodError> {
        let unknown = || MethodError::Unknown { name: format!("{} as a SPARK method", self.name) };
        let (Scheme::Spark(_), [stages]) = (self.scheme, self.stages.as_slice()) else {
            return Err(unknown());
        };
        Spark::new(*stages).map_err(MethodError::Stages)
    }

    /// The family of its coefficients; nothing for [`Scheme::Auto`], [`Scheme::Bdf`], [`Scheme::Adams`] and
    /// [`Scheme::Taylor`], and for [`Scheme::Spark`], which has several.
    pub fn family(&self) -> Option<Family> {
        match self.scheme {
            Scheme::Auto | Scheme::Bdf | Scheme::Adams | Scheme::Spark(_) | Scheme::Taylor => None,
            Scheme::Implicit(family) | Scheme::Diagonal(family) | Scheme::Explicit(family) => Some(family),
        }
    }

    /// Which of its numbers of stages a run begins with, where there is a choice: `usual`, or the next smaller one.
    pub(crate) fn first_order(&self, usual: usize) -> usize {
        self.stages.iter().rposition(|&s| s <= usual).unwrap_or(0)
    }

    /// The numbers of stages that may be used.
    pub fn stages(&self) -> &[usize] {
        &self.stages
    }

    /// The coefficients for each number of stages.
    pub fn tableaux(&self) -> Result<Vec<Arc<Tableau>>, MethodError> {
        let Some(family) = self.family() else { return Ok(Vec::new()) };
        self.stages.iter().map(|&s| family.shared_tableau(s).map_err(MethodError::Stages)).collect()
    }
}
