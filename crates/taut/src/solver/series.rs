//! The steppers of Taylor's series, one for each kind of equations.

use super::building::{Built, highest_order, ready, refuse_reversible};
use crate::equations::Layout;
use crate::error::Error;
use crate::method::{Meeting, Method, Mismatch};
use crate::motion::Statistics;
use crate::options::{Options, Projection};
use crate::step::{AlgebraicSeries, FirstOrderSeries, MOST_VARIABLES, MechanicalSeries, Taylor, order_for};
use crate::system::{FirstOrderSystem, MechanicalSystem, PartitionedSystem};

type State<'y> = (f64, &'y [f64]);

/// The order that was asked for, or the one that suits the tolerance.
fn order(method: &Method, options: &Options, constrained: bool) -> usize {
    match highest_order(method) {
        (order, true) => order,
        _ => order_for(options.rtol, constrained, options.series.orders),
    }
}

pub(super) fn mechanical<'b>(
    system: &'b dyn MechanicalSystem,
    method: &Method,
    options: &Options,
    (at, projection): (State<'_>, Projection),
    count: &mut Statistics,
) -> Built<'b> {
    let formulas = system.expansion().ok_or_else(|| no_formulas(method, "dopri8 or adams"))?;
    // Springs alone are forces, and nothing is projected.
    let has_rods = system.structure().constraints.iter().any(|constraint| constraint.compliance() == 0.0);
    let order = order(method, options, has_rods);
    let series = MechanicalSeries::new(system, formulas, order, options, projection);
    ready(Taylor::new(series, order, options, at, count))
}

pub(super) fn first_order<'b>(
    system: &'b dyn FirstOrderSystem,
    method: &Method,
    options: &Options,
    (at, projection, meeting): (State<'_>, Projection, Meeting),
    count: &mut Statistics,
) -> Built<'b> {
    let instead = if meeting.singular_mass { "radau" } else { "dopri8 or adams" };
    let names = system.composition().variables.clone();
    if meeting.singular_mass {
        few_variables(method, names.len(), instead)?;
    }
    let formulas = system.expansion().ok_or_else(|| no_formulas(method, instead))?;
    meeting.permits_series(method.name(), formulas.is_held())?;
    let order = order(method, options, false);
    let layout = Layout::first_order(names.len());
    match AlgebraicSeries::new(&formulas, order, layout, names, projection) {
        Some(series) => ready(Taylor::new(series, order, options, at, count)),
        None => {
            let series = FirstOrderSeries::new(system, &formulas, order, options);
            ready(Taylor::new(series.map_err(Error::Preparation)?, order, options, at, count))
        }
    }
}

pub(super) fn partitioned<'b>(
    system: &'b dyn PartitionedSystem,
    method: &Method,
    options: &Options,
    at: State<'_>,
    count: &mut Statistics,
) -> Built<'b> {
    refuse_reversible(method, options)?;
    let structure = system.structure();
    let (n, p, m) = (structure.n(), structure.p(), structure.m());
    if m > 0 {
        few_variables(method, n + p + m, "spark or rattle")?;
    }
    let formulas = system.expansion().ok_or_else(|| {
        let why = "it needs formulas of q' and p', and these are functions, formulas that branch on values, or have a mass \
                   matrix";
        Error::from(refused(method, why.to_owned(), "spark or rattle"))
    })?;
    let order = order(method, options, false);
    let layout = Layout::partitioned(n, p, m);
    let names: Vec<String> = (0..n + p + m).map(|i| structure.name(i).to_owned()).collect();
    let projection = options.projection.unwrap_or(Projection::Full);
    match AlgebraicSeries::new(&formulas, order, layout, names.clone(), projection) {
        Some(series) => ready(Taylor::new(series, order, options, at, count)),
        None => {
            let series = FirstOrderSeries::ordinary(&formulas, order, layout, names);
            ready(Taylor::new(series, order, options, at, count))
        }
    }
}

/// Refuses more variables than a dense elimination is for.
fn few_variables(method: &Method, variables: usize, instead: &'static str) -> Result<(), Error> {
    if variables <= MOST_VARIABLES {
        return Ok(());
    }
    let why = format!(
        "with constraints or equations without derivatives it takes at most {MOST_VARIABLES} variables, and these are {variables}"
    );
    Err(refused(method, why, instead).into())
}

fn no_formulas(method: &Method, instead: &'static str) -> Error {
    let why = "it needs formulas, and these are functions, or formulas that branch on values".to_owned();
    refused(method, why, instead).into()
}

fn refused(method: &Method, why: String, instead: &'static str) -> Mismatch {
    Mismatch { method: method.name().to_owned(), stages: 0, why, instead }
}
