//! Which forces break the symmetry of a step.

use taut_tableau::{Spark, TableauError};

use super::coefficients::parts;
use crate::equations::Layout;
use crate::method::{SparkOptions, Treatment};
use crate::system::{MechanicalSystem, Terms};

/// The forces of a system that are treated with coefficients that are not symmetric, so that steps are not reversible.
///
/// Whether there are forces of a class is seen at the start (t, y), with its velocities and with others.
pub(crate) fn asymmetric_forces(
    spark: &Spark,
    treatment: Treatment,
    options: &SparkOptions,
    system: &dyn MechanicalSystem,
    t: f64,
    y: &[f64],
) -> Result<Option<&'static str>, TableauError> {
    if !options.damping.is_none() {
        return Ok(Some("the damped forces"));
    }
    if treatment == Treatment::ByClass && !spark.combination(options.positions.as_slice())?.is_symmetric() {
        return Ok(Some("q' = v"));
    }
    for part in parts(spark, treatment, options, false) {
        let constraints = &system.structure().constraints;
        let reacts =
            |c: &crate::system::Constraint| if c.compliance() == 0.0 { part.rods } else { part.springs };
        let present = constraints.iter().any(reacts) || acts(system, part.terms, t, y);
        if present && !spark.combination(part.shares.as_slice())?.is_symmetric() {
            return Ok(Some(part.name));
        }
    }
    Ok(None)
}

/// Whether forces act at the positions of `y`, with its velocities or with others.
fn acts(system: &dyn MechanicalSystem, terms: Terms, t: f64, y: &[f64]) -> bool {
    if terms == Terms::NONE {
        return false;
    }
    let structure = system.structure();
    let (q, v, _) = Layout::mechanical(structure.n(), structure.m()).split(y);
    let others: Vec<f64> = v.iter().map(|v| v + 1.0).collect();
    let mut force = vec![0.0; structure.n()];
    [v, &others].into_iter().any(|v| {
        force.fill(0.0);
        // Where a force cannot be evaluated, there is one.
        system.force(terms, t, q, v, &mut force).is_err() || force.iter().any(|f| *f != 0.0)
    })
}
