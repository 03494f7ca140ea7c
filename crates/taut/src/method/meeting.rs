//! The one place where equations and method meet: yes, or no with a sentence.

use std::fmt;

use taut_tableau::Tableau;

use super::{Method, Scheme};
use crate::equations::Formulation;
use crate::system::{Composition, PartitionStructure, Structure};

/// The methods for stiff springs.
pub(crate) const TAKE_SPRINGS_ALONG: &str = "radau, lobatto-iiic or bdf";

/// What a method has to know about equations before it meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// something must be solved for that has no derivative: rods, springs, algebraic variables
    pub algebraic: bool,
    /// the highest index
    pub index: u8,
    /// E or the equations of motion leave no derivative for some variable
    pub singular_mass: bool,
}

impl Meeting {
    /// What a mechanical system in this formulation demands.
    pub fn mechanical(structure: &Structure, formulation: Formulation) -> Self {
        let rods = structure.constraints.iter().any(|c| c.compliance() == 0.0);
        let springs = structure.constraints.iter().any(|c| c.compliance() > 0.0);
        let index = match formulation {
            Formulation::Index3 if rods => 3,
            Formulation::Index2 | Formulation::Ggl if rods => 2,
            Formulation::Index1 if rods => 1,
            _ => u8::from(springs),
        };
        Meeting { algebraic: index > 1 || springs, index, singular_mass: false }
    }

    /// What a first-order system whose variables have these indices demands.
    pub fn first_order(composition: &Composition, index: &[u8]) -> Self {
        let index = index.iter().copied().max().unwrap_or(0);
        let singular_mass =
            (0..composition.n()).any(|i| !composition.mass.row_indices().contains(&i)) || index > 0;
        Meeting { algebraic: singular_mass, index, singular_mass }
    }

    /// What a partitioned system demands.
    pub fn partitioned(structure: &PartitionStructure) -> Self {
        let index = if structure.m() > 0 { 3 } else { 0 };
        Meeting { algebraic: index > 0, index, singular_mass: false }
    }

    /// Whether a method can take stiff springs along in smooth motion, with steps much longer than their vibrations. In
    /// the limit they are rods: the method has to converge on equations of index 3 and to damp what it does not resolve.
    pub fn takes_springs_along(method: &Method) -> Result<(), Mismatch> {
        let stages = method.stages().first().copied().unwrap_or(0);
        let refuse = |why: String| {
            Err(Mismatch { method: method.name().to_owned(), stages, why, instead: TAKE_SPRINGS_ALONG })
        };
        match method.scheme() {
            Scheme::Auto | Scheme::Bdf => Ok(()),
            Scheme::Explicit(_) | Scheme::Adams | Scheme::Taylor | Scheme::Spark(_) => {
                refuse("it does not damp vibrations".to_owned())
            }
            Scheme::Implicit(_) | Scheme::Diagonal(_) => {
                let rods = Meeting { algebraic: true, index: 3, singular_mass: false };
                // A method without coefficients is refused where they are asked for.
                let tableaux = method.tableaux().unwrap_or_default();
                let met = tableaux.first().map_or(Ok(()), |tableau| rods.permits(method.scheme(), tableau));
                met.or_else(|mismatch| refuse(mismatch.why))
            }
        }
    }

    /// Whether a method can be applied, and what to take instead when it cannot.
    pub fn permits(&self, scheme: Scheme, tableau: &Tableau) -> Result<(), Mismatch> {
        let refuse = |why: String, instead: &'static str| {
            Err(Mismatch { method: tableau.name().to_owned(), stages: tableau.stages(), why, instead })
        };
        match scheme {
            Scheme::Auto | Scheme::Bdf | Scheme::Spark(_) | Scheme::Taylor => return Ok(()),
            Scheme::Explicit(_) | Scheme::Adams => {
                return self.permits_explicit(tableau.name(), tableau.stages());
            }
            Scheme::Diagonal(_) | Scheme::Implicit(_) => {}
        }
        if self.algebraic && tableau.inverse().is_err() {
            let why =
                "its matrix is singular, so that algebraic variables and multipliers are not determined";
            return refuse(why.into(), "radau, or the formulation index1");
        }
        if self.index < 2 {
            return Ok(());
        }
        let r_infinity = tableau.stability_function().at_infinity();
        if r_infinity.abs() >= 1.0 - 1e-9 {
            let size = r_infinity.abs();
            let why = format!(
                "|R(inf)| = {size:.3}: errors of multipliers are not damped on equations of index {}",
                self.index
            );
            return refuse(why, "radau, lobatto-iiic, or the formulation index1");
        }
        let stage_order = tableau.stage_order();
        if self.index == 3 && stage_order < 2 {
            let why = format!("its stage order {stage_order} is below 2, which index 3 needs to converge");
            return refuse(why, "radau, lobatto-iiic with 3 stages or more, or the formulation index2");
        }
        Ok(())
    }

    /// What the user should know of a method that can be applied with steps of its own choice: one that is not stiffly accurate
    /// loses order on index 3, and its error estimate does not show that. Measured with three stages of Radau IA: errors
    /// like h², an estimate like h⁴.
    pub(crate) fn beyond_estimate(&self, method: &Method) -> Option<String> {
        if self.index < 3 || !matches!(method.scheme(), Scheme::Implicit(_)) {
            return None;
        }
        let tableaux = method.tableaux().ok()?;
        let loses = tableaux.iter().any(|tableau| !tableau.is_stiffly_accurate());
        loses.then(|| {
            format!(
                "{} loses order on equations of index 3, which its error estimate does not show: errors may be thousands of \
                 tolerances; the formulation index2 and radau keep to them",
                method.name()
            )
        })
    }

    /// Whether an explicit method can be applied.
    pub fn permits_explicit(&self, method: &str, stages: usize) -> Result<(), Mismatch> {
        if !self.singular_mass {
            return Ok(());
        }
        let why = "an explicit method needs a derivative of every variable".to_owned();
        Err(Mismatch { method: method.to_owned(), stages, why, instead: "radau" })
    }

    /// Whether Taylor's series are known: of ordinary equations, of those of index 1, and of those that are `held`,
    /// u' = f(u, v), v' = k(u, v, λ), 0 = g(u).
    pub(crate) fn permits_series(&self, method: &str, held: bool) -> Result<(), Mismatch> {
        if self.index < 2 || held {
            return Ok(());
        }
        let why = format!(
            "of index {} its series are known for u' = f(u, v), v' = k(u, v, lambda), 0 = g(u) alone, with the variables in this \
             order",
            self.index
        );
        Err(Mismatch { method: method.to_owned(), stages: 0, why, instead: "radau" })
    }

    /// Whether algebraic variables can be found after the step from the others (Nipp 1999, section 2.1 a).
    pub fn permits_indirect(&self, method: &str, stages: &[usize]) -> Result<(), Mismatch> {
        if self.index < 2 {
            return Ok(());
        }
        let why = format!(
            "the indirect approach finds variables of index 1 from the others, those of index {} it cannot",
            self.index
        );
        let stages = stages.first().copied().unwrap_or(0);
        Err(Mismatch { method: method.to_owned(), stages, why, instead: "the direct approach" })
    }
}

/// A method cannot be applied to equations.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// the method
    pub method: String,
    /// its number of stages; 0 where it has none
    pub stages: usize,
    /// why not
    pub why: String,
    /// what to take instead
    pub instead: &'static str,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { method, stages, why, instead } = self;
        // Taylor's series have no stages.
        let stages = if *stages > 0 { format!(" with {stages} stages") } else { String::new() };
        write!(f, "{method}{stages} does not suit these equations: {why}; take {instead}")
    }
}

impl std::error::Error for Mismatch {}
