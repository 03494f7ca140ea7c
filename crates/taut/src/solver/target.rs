//! What is integrated.

use std::sync::Arc;

use taut_tableau::Tableau;

use crate::method::{Meeting, Method, Mismatch, Scheme};
use crate::newton::stages_pay;
use crate::options::{Controller, Options, Projection};
use crate::run::Watched;
use crate::system::{Arrangement, Constraint, FirstOrderSystem, MechanicalSystem, PartitionedSystem};

/// What is integrated, after its start was made consistent.
pub(super) enum Target<'b> {
    Mechanical(&'b dyn MechanicalSystem),
    FirstOrder {
        system: &'b dyn FirstOrderSystem,
        index: Vec<u8>,
        /// the mechanism that it is a view of
        of: Option<&'b dyn MechanicalSystem>,
    },
    Partitioned(&'b dyn PartitionedSystem),
}

impl<'b> Target<'b> {
    /// The mechanism that is integrated, also through a first-order view.
    pub(super) fn mechanism(&self) -> Option<&'b dyn MechanicalSystem> {
        match self {
            Target::Mechanical(system) => Some(*system),
            Target::FirstOrder { of, .. } => *of,
            Target::Partitioned(_) => None,
        }
    }

    /// What the rate at a place of the state vector is called.
    pub(super) fn rate_named(&self, place: usize) -> String {
        let (what, names) = match self {
            Target::Mechanical(system) => ("acceleration", &system.structure().coordinates),
            Target::FirstOrder { system, .. } => ("rate", &system.composition().variables),
            Target::Partitioned(_) => return "a rate".to_owned(),
        };
        let name = names.get(place % names.len().max(1)).map_or("", String::as_str);
        format!("the {what} of '{name}'")
    }

    /// The system whose energy can be watched.
    pub(super) fn watched(&self) -> Option<Watched<'b>> {
        match self {
            Target::Partitioned(system) => Some(Watched::Partitioned(*system)),
            _ => self.mechanism().map(Watched::Mechanical),
        }
    }

    /// Whether it is a first-order system with equations that have no derivatives.
    pub(super) fn has_algebraic_equations(&self) -> bool {
        matches!(self, Target::FirstOrder { system, .. } if !system.composition().is_ordinary())
    }

    /// Which numbers of stages a run begins with, and the tolerance from which on it may have many.
    pub(super) fn beginning(
        &self,
        method: &Method,
        tableaux: &[Arc<Tableau>],
        options: &Options,
    ) -> (usize, f64) {
        let order = &options.order;
        let few = method.first_order(order.first);
        match self {
            // With five stages a strong potential that loses rank ends a run by a failed projection instead of by that reason.
            Target::Mechanical(system) if system.frame().is_none() => {
                (method.first_order(order.first_of_mechanisms), f64::INFINITY)
            }
            Target::FirstOrder { system, .. } if system.composition().is_ordinary() => {
                let more = method.first_order(order.first_of_ordinary);
                let size = |number: usize| tableaux.get(number).map(|t| (t.stages(), t.order()));
                let pays =
                    size(few).zip(size(more)).is_some_and(|(few, more)| stages_pay(options.rtol, few, more));
                (if pays { more } else { few }, order.many_stages_below)
            }
            Target::FirstOrder { .. } => (few, order.many_stages_with_algebraic_below),
            _ => (few, f64::INFINITY),
        }
    }

    /// Refuses a projection that is asked for where it is not known how.
    pub(super) fn permits_projection(&self, method: &Method, options: &Options) -> Result<(), Mismatch> {
        let asked = options.projection.filter(|projection| *projection != Projection::None);
        let Target::FirstOrder { system, of: None, .. } = self else { return Ok(()) };
        let known = matches!(system.composition().arrangement, Arrangement::Hessenberg3 { .. });
        let Some(asked) = asked.filter(|_| !known) else { return Ok(()) };
        let (name, stages) = (method.name().to_owned(), method.stages().first().copied().unwrap_or(0));
        let why = format!(
            "projection '{}' is known for mechanical systems and for u' = f(u, v), v' = k(u, v, lambda), 0 = g(u) with the \
             variables in this order, and these are neither",
            asked.name()
        );
        Err(Mismatch { method: name, stages, why, instead: "no projection" })
    }

    /// Whether the derivatives of forces are known, that is K = ∂f/∂q and D = ∂f/∂v.
    pub(super) fn has_newton_blocks(&self) -> bool {
        self.mechanism().is_none_or(MechanicalSystem::has_newton_blocks)
    }

    /// Refuses methods that need derivatives of forces where they are not known. SPARK methods with rods have an iteration
    /// without them.
    pub(super) fn permits_without_blocks(&self, method: &Method, options: &Options) -> Result<(), Mismatch> {
        let rods =
            |system: &dyn MechanicalSystem| system.structure().constraints.iter().all(Constraint::is_rod);
        let spark = &options.spark;
        let frozen =
            !spark.whole_matrix && spark.damping.is_none() && options.controller != Controller::Reversible;
        let known = match method.scheme() {
            Scheme::Explicit(_) | Scheme::Adams | Scheme::Taylor => true,
            Scheme::Spark(_) => frozen && self.mechanism().is_none_or(rods),
            Scheme::Auto | Scheme::Implicit(_) | Scheme::Diagonal(_) | Scheme::Bdf => false,
        };
        if known || self.has_newton_blocks() {
            return Ok(());
        }
        let (name, stages) = (method.name().to_owned(), method.stages().first().copied().unwrap_or(0));
        let why = "it needs the derivatives of the forces, which are not known".to_owned();
        Err(Mismatch {
            method: name,
            stages,
            why,
            instead: "dopri8 or adams, or rattle where all constraints are rods",
        })
    }

    /// What the user should know of a method with steps of its own choice, since its error estimate does not show it.
    pub(super) fn beyond_estimate(&self, method: &Method, options: &Options) -> Option<String> {
        self.meeting(options).beyond_estimate(method).or_else(|| self.springs_of_first_order())
    }

    /// Steps of first-order views know nothing of springs: one that is longer than a vibration damps it, and where the matrix
    /// of the step takes the spring for stiff the filtered estimate is small. (A spring across two rods in line, k = 1e5: positions wrong by 63
    /// tolerances at 1e-7, velocities by 366.)
    fn springs_of_first_order(&self) -> Option<String> {
        let Target::FirstOrder { of: Some(mechanism), .. } = self else { return None };
        let spring = mechanism.structure().constraints.iter().find(|c| c.compliance() > 0.0)?;
        Some(format!(
            "the formulation ggl knows nothing of vibrations: those of the spring '{}' may be damped, which the error estimate does not \
             show; errors may be some hundred tolerances, and --vibrations has no effect; the formulations index2 and index1 keep to them",
            spring.name
        ))
    }

    pub(super) fn meeting(&self, options: &Options) -> Meeting {
        match self {
            Target::Mechanical(system) => Meeting::mechanical(system.structure(), options.formulation),
            Target::FirstOrder { system, index, .. } => Meeting::first_order(system.composition(), index),
            Target::Partitioned(system) => Meeting::partitioned(system.structure()),
        }
    }
}
