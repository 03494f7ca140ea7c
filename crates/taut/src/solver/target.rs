//! What is integrated, and the stepper of a method for it.

use std::sync::Arc;

use taut_tableau::{Family, Tableau};

use crate::error::Error;
use crate::method::{
    Meeting, Method, MethodError, Mismatch, Scheme, not_reversible, permits_partition, permits_spark,
};
use crate::motion::Statistics;
use crate::newton::{ImplicitCore, stages_pay};
use crate::options::{AlgebraicRows, Controller, Options, OrderOptions, Projection};
use crate::run::Watched;
use crate::stages::partitioned::coefficients::{PartitionedCoefficients, part_shares};
use crate::stages::spark::coefficients::SparkCoefficients;
use crate::stages::spark::symmetry::asymmetric_forces;
use crate::stages::{FirstOrderField, MechanicalField};
use crate::step::{
    Adams, Collocation, Diagonal, Explicit, FirstOrderStep, MechanicalStep, Multistep, PartitionedStep,
    SparkStep, Stepper,
};
use crate::system::{Arrangement, FirstOrderSystem, MechanicalSystem, PartitionedSystem};

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

    /// The system whose energy can be watched.
    pub(super) fn watched(&self) -> Option<Watched<'b>> {
        match self {
            Target::Partitioned(system) => Some(Watched::Partitioned(*system)),
            _ => self.mechanism().map(Watched::Mechanical),
        }
    }

    /// Which numbers of stages a run begins with, and the tolerance from which on it may have many.
    fn beginning(&self, method: &Method, tableaux: &[Arc<Tableau>], options: &Options) -> (usize, f64) {
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

    fn meeting(&self, options: &Options) -> Meeting {
        match self {
            Target::Mechanical(system) => Meeting::mechanical(system.structure(), options.formulation),
            Target::FirstOrder { system, index, .. } => Meeting::first_order(system.composition(), index),
            Target::Partitioned(system) => Meeting::partitioned(system.structure()),
        }
    }

    /// Refuses a projection that is asked for where it is not known how.
    fn permits_projection(&self, method: &Method, options: &Options) -> Result<(), Mismatch> {
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

    /// The stepper of a method at a state; nothing when they do not suit each other.
    pub(super) fn stepper(
        &self,
        method: &Method,
        options: &Options,
        t: f64,
        y: &[f64],
        count: &mut Statistics,
    ) -> Result<Box<dyn Stepper + 'b>, Error> {
        if let Target::Partitioned(system) = self {
            return partitioned_stepper(*system, method, options, (t, y), count);
        }
        let tableaux = method.tableaux()?;
        if options.controller == Controller::Reversible && !matches!(method.scheme(), Scheme::Spark(_)) {
            let stages = method.stages().first().copied().unwrap_or(0);
            let why = "its steps are projected onto the constraints or its coefficients are not";
            return Err(not_reversible(method.name(), stages, why, "spark or rattle").into());
        }
        let meeting = self.meeting(options);
        // Members of one family differ in order only: the first one speaks for all.
        for tableau in tableaux.iter().take(1) {
            meeting.permits(method.scheme(), tableau)?;
        }
        let stiffly_accurate = tableaux.iter().all(|tableau| tableau.is_stiffly_accurate());
        if options.algebraic_rows == AlgebraicRows::Indirect && !stiffly_accurate {
            meeting.permits_indirect(method.name(), method.stages())?;
        }
        self.permits_projection(method, options)?;
        let explicit = method.scheme().is_explicit();
        let usual = if stiffly_accurate && !explicit { Projection::Velocity } else { Projection::Full };
        let projection = options.projection.unwrap_or(usual);
        // With constant steps it is the user who says what is resolved, and damping is enough.
        let damps = options.constant_step.is_some() && stiffly_accurate;
        let takes_along = damps || Meeting::takes_springs_along(method).is_ok();
        let prepared = match method.scheme() {
            Scheme::Auto | Scheme::Implicit(_) => {
                let (first, many_stages_below) = self.beginning(method, &tableaux, options);
                let order = OrderOptions { many_stages_below, ..options.order.clone() };
                let core = ImplicitCore::new(&tableaux, first, options.newton.clone(), order)
                    .map_err(|error| Error::Method(MethodError::Stages(error)))?;
                match self {
                    Target::Mechanical(system) => {
                        let equations = MechanicalStep::new(*system, options, projection, takes_along);
                        Collocation::new(equations, core, options, t, y, count).map(boxed)
                    }
                    Target::FirstOrder { system, index, .. } => {
                        let equations = FirstOrderStep::new(*system, index.clone(), options, projection);
                        Collocation::new(equations, core, options, t, y, count).map(boxed)
                    }
                    Target::Partitioned(_) => return Err(unknown(method)),
                }
            }
            Scheme::Bdf => {
                let starter = radau_starter(options)?;
                let order = (method.stages().iter().copied().max().unwrap_or(1), method.stages().len() == 1);
                match self {
                    Target::Mechanical(system) => {
                        let equations = MechanicalStep::new(*system, options, projection, takes_along);
                        Multistep::new(equations, starter, order, options, t, y, count).map(boxed)
                    }
                    Target::FirstOrder { system, index, .. } => {
                        let equations = FirstOrderStep::new(*system, index.clone(), options, projection);
                        Multistep::new(equations, starter, order, options, t, y, count).map(boxed)
                    }
                    Target::Partitioned(_) => return Err(unknown(method)),
                }
            }
            Scheme::Diagonal(_) => {
                let tableau = only(tableaux, method)?;
                match self {
                    Target::Mechanical(system) => {
                        let equations = MechanicalStep::new(*system, options, projection, takes_along);
                        Diagonal::new(equations, tableau, options, t, y, count).map(boxed)
                    }
                    Target::FirstOrder { system, index, .. } => {
                        let equations = FirstOrderStep::new(*system, index.clone(), options, projection);
                        Diagonal::new(equations, tableau, options, t, y, count).map(boxed)
                    }
                    Target::Partitioned(_) => return Err(unknown(method)),
                }
            }
            Scheme::Explicit(_) => {
                let tableau = only(tableaux, method)?;
                match self {
                    Target::Mechanical(system) => {
                        let field = MechanicalField::new(*system, options, projection);
                        Explicit::new(field, tableau, options, t, y, count).map(boxed)
                    }
                    Target::FirstOrder { system, .. } => FirstOrderField::new(*system, options)
                        .and_then(|field| Explicit::new(field, tableau, options, t, y, count).map(boxed)),
                    Target::Partitioned(_) => return Err(unknown(method)),
                }
            }
            Scheme::Adams => {
                let order = (method.stages().iter().copied().max().unwrap_or(1), method.stages().len() == 1);
                meeting.permits_explicit(method.name(), order.0)?;
                let beginning = Family::DormandPrince8
                    .shared_tableau(12)
                    .map_err(|error| Error::Method(MethodError::Stages(error)))?;
                match self {
                    Target::Mechanical(system) => {
                        let field = MechanicalField::new(*system, options, projection);
                        Adams::new(field, beginning, order, options, t, y, count).map(boxed)
                    }
                    Target::FirstOrder { system, .. } => {
                        FirstOrderField::new(*system, options).and_then(|field| {
                            Adams::new(field, beginning, order, options, t, y, count).map(boxed)
                        })
                    }
                    Target::Partitioned(_) => return Err(unknown(method)),
                }
            }
            Scheme::Spark(treatment) => {
                let spark = method.spark()?;
                let coordinates = self.mechanism().map(|system| system.structure().n());
                permits_spark(method.name(), &spark, treatment, coordinates, options)?;
                let Target::Mechanical(system) = self else { return Err(unknown(method)) };
                if options.controller == Controller::Reversible {
                    let forces = asymmetric_forces(&spark, treatment, &options.spark, *system, t, y)
                        .map_err(|error| Error::Method(MethodError::Stages(error)))?;
                    if let Some(forces) = forces {
                        let why = format!("the coefficients of {forces} are not");
                        let instead = "rattle, or other coefficients for them";
                        return Err(not_reversible(method.name(), spark.stages(), &why, instead).into());
                    }
                }
                let coefficients = SparkCoefficients::new(&spark, treatment, &options.spark)
                    .map_err(|error| Error::Method(MethodError::Stages(error)))?;
                SparkStep::new(*system, coefficients, options, t, y, count).map(boxed)
            }
        };
        prepared.map_err(Error::Preparation)
    }
}

/// The stepper of a SPARK method for a partitioned system; others are refused.
fn partitioned_stepper<'b>(
    system: &'b dyn PartitionedSystem,
    method: &Method,
    options: &Options,
    (t, y): (f64, &[f64]),
    count: &mut Statistics,
) -> Result<Box<dyn Stepper + 'b>, Error> {
    let Scheme::Spark(treatment) = method.scheme() else {
        let stages = method.stages().first().copied().unwrap_or(0);
        let why = "it does not know partitioned systems".to_owned();
        let mismatch = Mismatch { method: method.name().to_owned(), stages, why, instead: "spark or rattle" };
        return Err(mismatch.into());
    };
    let spark = method.spark()?;
    let structure = system.structure();
    let reacting = structure.parts.iter().filter(|present| present.reacts).map(|present| {
        (present.part, part_shares(present.part, treatment, &options.spark, spark.stages()).1)
    });
    permits_partition(method.name(), &spark, &reacting.collect::<Vec<_>>(), options)?;
    let coefficients = PartitionedCoefficients::new(&spark, treatment, &options.spark, structure)
        .map_err(|error| Error::Method(MethodError::Stages(error)))?;
    PartitionedStep::new(system, coefficients, options, t, y, count).map(boxed).map_err(Error::Preparation)
}

fn boxed<'b, S: Stepper + 'b>(stepper: S) -> Box<dyn Stepper + 'b> {
    Box::new(stepper)
}

/// Radau IIA with three stages, which begins what a multistep method goes on with.
fn radau_starter(options: &Options) -> Result<ImplicitCore, Error> {
    let stages = |error| Error::Method(MethodError::Stages(error));
    let tableau = Family::RadauIia.shared_tableau(3).map_err(stages)?;
    ImplicitCore::new(&[tableau], 0, options.newton.clone(), options.order.clone()).map_err(stages)
}

/// The one tableau of a method without variable order.
fn only(tableaux: Vec<Arc<Tableau>>, method: &Method) -> Result<Arc<Tableau>, Error> {
    tableaux.into_iter().next().ok_or_else(|| unknown(method))
}

fn unknown(method: &Method) -> Error {
    Error::Method(MethodError::Unknown { name: method.name().to_owned() })
}
