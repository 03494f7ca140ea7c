//! The equations of motion for expansion in time.

use crate::linear::Pattern;
use crate::seen::{Constraint, MechanicalFormulas, MechanicalRecursion, RowFormula};
use taut_formula::graph::Node;

use super::Formulas;
use super::derive::Derived;

/// The equations of motion for expansion in time, from formulas that were derived.
pub(super) fn recursion(derived: &Derived, formulas: &Formulas) -> MechanicalRecursion {
    let structure = &derived.structure;
    let springs = formulas.constraints.iter().zip(&formulas.springs).zip(&formulas.equations);
    let entries = |pattern: &Pattern, values: &[Node]| {
        pattern.entries().zip(values).map(|((i, j), &entry)| (i, j, entry)).collect()
    };
    let formulas = MechanicalFormulas {
        mass: entries(&structure.mass, &derived.mass),
        force: derived.force.clone(),
        rows: springs.map(|((constraint, spring), &equation)| row(constraint, *spring, equation)).collect(),
        jacobian: entries(&structure.jacobian, &derived.jacobian),
    };
    MechanicalRecursion::new(formulas)
}

fn row(constraint: &Constraint, [compliance, relaxation]: [Node; 2], equation: Node) -> RowFormula {
    if !constraint.is_holonomic() {
        RowFormula::Nonholonomic(equation)
    } else if constraint.is_rod() {
        RowFormula::Rod(equation)
    } else {
        RowFormula::Spring { equation, compliance, relaxation }
    }
}
