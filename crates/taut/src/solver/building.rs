//! The stepper of a method for what is integrated: one function for each kind of step.

use std::sync::Arc;

use taut_tableau::{Family, Tableau, TableauError};

use super::series;
use super::target::Target;
use crate::error::Error;
use crate::failure::StepFailure;
use crate::linear::Choice;
use crate::method::{
    Meeting, Method, MethodError, Mismatch, Scheme, Treatment, not_reversible, permits_partition,
    permits_spark,
};
use crate::motion::Statistics;
use crate::newton::ImplicitCore;
use crate::options::{AlgebraicRows, Controller, NewtonOptions, Options, OrderOptions, Projection};
use crate::stages::partitioned::coefficients::{PartitionedCoefficients, part_shares};
use crate::stages::spark::coefficients::SparkCoefficients;
use crate::stages::spark::symmetry::asymmetric_forces;
use crate::stages::{FirstOrderField, MechanicalField};
use crate::step::{
    Adams, Collocation, Diagonal, Explicit, FirstOrderStep, MechanicalStep, Multistep, PartitionedStep,
    SparkStep, Stepper,
};
use crate::system::{FirstOrderSystem, MechanicalSystem, PartitionedSystem};

pub(super) type Built<'b> = Result<Box<dyn Stepper + 'b>, Error>;

impl<'b> Target<'b> {
    /// Whether a method suits it, whatever the state, and then whether it takes springs along.
    pub(super) fn permits(&self, method: &Method, options: &Options) -> Result<bool, Error> {
        Building::new(self, method, options, (0.0, &[], &[])).map(|building| building.takes_along)
    }

    /// The stepper of a method at a state, at which the vibrations of some springs are followed; nothing when they do not suit each
    /// other.
    pub(super) fn stepper(
        &self,
        method: &Method,
        options: &Options,
        (t, y, vibrating): (f64, &[f64], &[String]),
        count: &mut Statistics,
    ) -> Built<'b> {
        match self {
            Target::Partitioned(system) if method.scheme() == Scheme::Taylor => {
                return series::partitioned(*system, method, options, (t, y), count);
            }
            Target::Partitioned(system) => {
                return partitioned_spark(*system, method, options, (t, y), count);
            }
            _ => {}
        }
        let building = Building::new(self, method, options, (t, y, vibrating))?;
        match method.scheme() {
            Scheme::Auto | Scheme::Implicit(_) => building.collocation(count),
            Scheme::Diagonal(_) => building.diagonal(count),
            Scheme::Explicit(_) => building.explicit(count),
            Scheme::Bdf => building.bdf(count),
            Scheme::Adams => building.adams(count),
            Scheme::Spark(treatment) => building.spark(treatment, count),
            Scheme::Taylor => building.taylor(count),
        }
    }
}

/// What every kind of step is made of.
struct Building<'p, 'b> {
    target: &'p Target<'b>,
    method: &'p Method,
    options: &'p Options,
    t: f64,
    y: &'p [f64],
    /// springs whose vibrations were followed before
    vibrating: &'p [String],
    tableaux: Vec<Arc<Tableau>>,
    projection: Projection,
    /// whether the method damps vibrations of stiff springs
    takes_along: bool,
}

impl<'p, 'b> Building<'p, 'b> {
    /// Where target and method meet: an error when they do not suit each other.
    fn new(
        target: &'p Target<'b>,
        method: &'p Method,
        options: &'p Options,
        (t, y, vibrating): (f64, &'p [f64], &'p [String]),
    ) -> Result<Self, Error> {
        let tableaux = method.tableaux()?;
        refuse_reversible(method, options)?;
        let meeting = target.meeting(options);
        // Members of one family differ in order only: the first one speaks for all.
        for tableau in tableaux.iter().take(1) {
            meeting.permits(method.scheme(), tableau)?;
        }
        let stiffly_accurate = tableaux.iter().all(|tableau| tableau.is_stiffly_accurate());
        if options.algebraic_rows == AlgebraicRows::Indirect && !stiffly_accurate {
            meeting.permits_indirect(method.name(), method.stages())?;
        }
        target.permits_projection(method, options)?;
        target.permits_without_blocks(method, options)?;
        let explicit = method.scheme().is_explicit();
        let usual = if stiffly_accurate && !explicit { Projection::Velocity } else { Projection::Full };
        let projection = options.projection.unwrap_or(usual);
        // With constant steps it is the user who says what is resolved, and damping is enough.
        let damps = options.constant_step.is_some() && stiffly_accurate;
        let takes_along = damps || Meeting::takes_springs_along(method).is_ok();
        Ok(Building { target, method, options, t, y, vibrating, tableaux, projection, takes_along })
    }

    fn collocation(&self, count: &mut Statistics) -> Built<'b> {
        let (options, t, y) = (self.options, self.t, self.y);
        let (first, many_stages_below) = self.target.beginning(self.method, &self.tableaux, options);
        let trust_many_stages = options.order.trust_many_stages && !self.target.has_algebraic_equations();
        let order = OrderOptions { many_stages_below, trust_many_stages, ..options.order.clone() };
        let mut newton = options.newton.clone();
        // Pivots of sparse eliminations with a Jacobian for each stage would have to be kept in snapshots.
        newton.stage_jacobians &= options.linear != Choice::Sparse && y.len() <= Choice::ALWAYS_DENSE;
        let core = ImplicitCore::new(&self.tableaux, first, newton, order).map_err(no_stages)?;
        match self.target {
            Target::Mechanical(system) => {
                ready(Collocation::new(self.mechanical(*system), core, options, t, y, count))
            }
            Target::FirstOrder { system, index, .. } => {
                ready(Collocation::new(self.first_order(*system, index), core, options, t, y, count))
            }
            Target::Partitioned(_) => Err(self.unknown()),
        }
    }

    fn diagonal(&self, count: &mut Statistics) -> Built<'b> {
        let (tableau, options, t, y) = (self.tableau()?, self.options, self.t, self.y);
        match self.target {
            Target::Mechanical(system) => {
                ready(Diagonal::new(self.mechanical(*system), tableau, options, t, y, count))
            }
            Target::FirstOrder { system, index, .. } => {
                ready(Diagonal::new(self.first_order(*system, index), tableau, options, t, y, count))
            }
            Target::Partitioned(_) => Err(self.unknown()),
        }
    }

    fn explicit(&self, count: &mut Statistics) -> Built<'b> {
        let (tableau, options, t, y) = (self.tableau()?, self.options, self.t, self.y);
        match self.target {
            Target::Mechanical(system) => {
                let field = MechanicalField::new(*system, options, self.projection);
                ready(Explicit::new(field, tableau, options, t, y, count))
            }
            Target::FirstOrder { system, .. } => {
                let field = FirstOrderField::new(*system, options).map_err(Error::Preparation)?;
                ready(Explicit::new(field, tableau, options, t, y, count))
            }
            Target::Partitioned(_) => Err(self.unknown()),
        }
    }

    fn bdf(&self, count: &mut Statistics) -> Built<'b> {
        let (starter, options, order) = (self.radau_starter()?, self.options, self.order());
        let at = (self.t, self.y);
        match self.target {
            Target::Mechanical(system) => {
                ready(Multistep::new(self.mechanical(*system), starter, order, options, at, count))
            }
            Target::FirstOrder { system, index, .. } => {
                ready(Multistep::new(self.first_order(*system, index), starter, order, options, at, count))
            }
            Target::Partitioned(_) => Err(self.unknown()),
        }
    }

    fn adams(&self, count: &mut Statistics) -> Built<'b> {
        let (options, order, at) = (self.options, self.order(), (self.t, self.y));
        self.target.meeting(options).permits_explicit(self.method.name(), order.0)?;
        let beginning = Family::DormandPrince8.shared_tableau(12).map_err(no_stages)?;
        match self.target {
            Target::Mechanical(system) => {
                let field = MechanicalField::new(*system, options, self.projection);
                ready(Adams::new(field, beginning, order, options, at, count))
            }
            Target::FirstOrder { system, .. } => {
                let field = FirstOrderField::new(*system, options).map_err(Error::Preparation)?;
                ready(Adams::new(field, beginning, order, options, at, count))
            }
            Target::Partitioned(_) => Err(self.unknown()),
        }
    }

    fn taylor(&self, count: &mut Statistics) -> Built<'b> {
        let (method, options, at) = (self.method, self.options, (self.t, self.y));
        match self.target {
            Target::Mechanical(system) => {
                series::mechanical(*system, method, options, (at, self.projection), count)
            }
            Target::FirstOrder { system, .. } => {
                let meeting = self.target.meeting(options);
                series::first_order(*system, method, options, (at, self.projection, meeting), count)
            }
            Target::Partitioned(_) => Err(self.unknown()),
        }
    }

    fn spark(&self, treatment: Treatment, count: &mut Statistics) -> Built<'b> {
        let (method, options, t, y) = (self.method, self.options, self.t, self.y);
        let spark = method.spark()?;
        let coordinates = self.target.mechanism().map(|system| system.structure().n());
        permits_spark(method.name(), &spark, treatment, coordinates, options)?;
        let Target::Mechanical(system) = self.target else { return Err(self.unknown()) };
        if options.controller == Controller::Reversible {
            let forces =
                asymmetric_forces(&spark, treatment, &options.spark, *system, t, y).map_err(no_stages)?;
            if let Some(forces) = forces {
                let why = format!("the coefficients of {forces} are not");
                let instead = "rattle, or other coefficients for them";
                return Err(not_reversible(method.name(), spark.stages(), &why, instead).into());
            }
        }
        let coefficients = SparkCoefficients::new(&spark, treatment, &options.spark).map_err(no_stages)?;
        ready(SparkStep::new(*system, coefficients, options, t, y, count))
    }

    fn mechanical(&self, system: &'b dyn MechanicalSystem) -> MechanicalStep<'b> {
        let step = MechanicalStep::new(system, self.options, self.projection, self.takes_along);
        step.keep_following(self.vibrating)
    }

    fn first_order(&self, system: &'b dyn FirstOrderSystem, index: &[u8]) -> FirstOrderStep<'b> {
        FirstOrderStep::new(system, index.to_vec(), self.options, self.projection)
    }

    /// The highest order, and whether it is the only one.
    fn order(&self) -> (usize, bool) {
        highest_order(self.method)
    }

    /// Radau IIA with three stages, which begins what a multistep method goes on with.
    fn radau_starter(&self) -> Result<ImplicitCore, Error> {
        let tableau = Family::RadauIia.shared_tableau(3).map_err(no_stages)?;
        let order = self.options.order.clone();
        // The few steps of a beginning leave no room for another iteration, nor would what comes after them leave it.
        let newton = NewtonOptions { stage_jacobians: false, ..self.options.newton.clone() };
        ImplicitCore::new(&[tableau], 0, newton, order).map_err(no_stages)
    }

    /// The one tableau of a method without variable order.
    fn tableau(&self) -> Result<Arc<Tableau>, Error> {
        self.tableaux.first().cloned().ok_or_else(|| self.unknown())
    }

    fn unknown(&self) -> Error {
        Error::Method(MethodError::Unknown { name: self.method.name().to_owned() })
    }
}

/// The stepper of a SPARK method for a partitioned system; others are refused.
fn partitioned_spark<'b>(
    system: &'b dyn PartitionedSystem,
    method: &Method,
    options: &Options,
    (t, y): (f64, &[f64]),
    count: &mut Statistics,
) -> Built<'b> {
    let Scheme::Spark(treatment) = method.scheme() else {
        let stages = method.stages().first().copied().unwrap_or(0);
        let why = "it does not know partitioned systems".to_owned();
        let instead = "spark, rattle or taylor";
        let mismatch = Mismatch { method: method.name().to_owned(), stages, why, instead };
        return Err(mismatch.into());
    };
    let spark = method.spark()?;
    let structure = system.structure();
    let reacting = structure.parts.iter().filter(|present| present.reacts).map(|present| {
        (present.part, part_shares(present.part, treatment, &options.spark, spark.stages()).1)
    });
    let reacting: Vec<_> = reacting.collect();
    let variables = structure.n() + structure.p();
    permits_partition(method.name(), &spark, (variables, &reacting), options)?;
    let coefficients =
        PartitionedCoefficients::new(&spark, treatment, &options.spark, structure).map_err(no_stages)?;
    ready(PartitionedStep::new(system, coefficients, options, t, y, count))
}

/// Reversible steps are those of SPARK methods.
pub(super) fn refuse_reversible(method: &Method, options: &Options) -> Result<(), Error> {
    if options.controller == Controller::Reversible && !matches!(method.scheme(), Scheme::Spark(_)) {
        let stages = method.stages().first().copied().unwrap_or(0);
        let why = "its steps are projected onto the constraints or its coefficients are not";
        return Err(not_reversible(method.name(), stages, why, "spark or rattle").into());
    }
    Ok(())
}

/// The highest order of a method, and whether it is the only one.
pub(super) fn highest_order(method: &Method) -> (usize, bool) {
    let orders = method.stages();
    (orders.iter().copied().max().unwrap_or(1), orders.len() == 1)
}

/// A stepper that is ready to begin, or why it could not be prepared.
pub(super) fn ready<'b, S: Stepper + 'b>(prepared: Result<S, StepFailure>) -> Built<'b> {
    match prepared {
        Ok(stepper) => Ok(Box::new(stepper)),
        Err(failure) => Err(Error::Preparation(failure)),
    }
}

fn no_stages(error: TableauError) -> Error {
    Error::Method(MethodError::Stages(error))
}
