//! Consistent initial values.

use super::branch::branch;
use super::error::StartError;
use super::mass::check_mass;
use super::redundancy::{
    NEARLY_DEPENDENT, check_gradients, classify, dependent_among, dependent_constraints,
};
use crate::failure::StepFailure;
use crate::geometry::rods::{DEPENDENT, Rods, largest, row_lengths};
use crate::geometry::{AlgebraicSolve, Manifold};
use crate::linear::Choice;
use crate::motion::Statistics;
use crate::system::{Constraint, FirstOrderSystem, Independent, MechanicalSystem, Selection, Structure};

/// A start on the constraints, and what it took to get there.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsistentStart {
    /// positions with g(t, q) = 0
    pub q: Vec<f64>,
    /// velocities with G v + g_t = 0
    pub v: Vec<f64>,
    /// accelerations
    pub a: Vec<f64>,
    /// multipliers from the acceleration constraint
    pub lambda: Vec<f64>,
    /// how far positions and velocities were moved, in the norm √(xᵀM x)
    pub moved: (f64, f64),
    /// constraints that follow from others and are left out
    pub redundant: Vec<String>,
    /// constraints that follow from others in this very configuration only: all are kept, and the motion takes the branch that
    /// its velocities choose
    pub passing: Vec<String>,
    /// which constraints are kept, and how they are written
    pub selection: Selection,
}

/// Newton's iteration for positions gives up after so many steps.
const MOST_ITERATIONS: usize = 50;
/// It ends when a step changes positions by less than this share of them.
const CLOSE_ENOUGH: f64 = 1e-13;
/// The rank of so many constraints is always examined; of more only when an elimination fails.
const ALWAYS_EXAMINED: usize = 300;

/// What a constraint that follows from others may be, in units of its gradient and of 1 + |q|, or as much as is accepted.
pub(crate) const USUAL_GAP: f64 = 1e-8;

/// Moves a start onto its constraints with the least change in the norm of M, and finds accelerations and multipliers.
///
/// Redundant constraints are left out and named; contradictory ones are an error.
pub fn consistent_start(
    system: &dyn MechanicalSystem,
    t: f64,
    q: &[f64],
    v: &[f64],
    choice: Choice,
) -> Result<ConsistentStart, StartError> {
    consistent_start_with_gap(system, t, (q, v), 0.0, choice)
}

/// [`consistent_start`] where redundant constraints may contradict the others by some gap, in the units of their gradients
/// times those of coordinates: it is spread over all of them in least squares.
pub fn consistent_start_with_gap(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    gap: f64,
    choice: Choice,
) -> Result<ConsistentStart, StartError> {
    let structure = system.structure();
    check_length("the start of positions", q, structure.n())?;
    check_length("the start of velocities", v, structure.n())?;
    check_compliance(structure)?;
    check_mass(system, q)?;
    let rods = Rods::all(system);
    let (pattern, gradients) = rods.gradients(t, q, v)?;
    let lengths = row_lengths(&pattern, &gradients);
    let mut selection = Selection { divisors: rods.divisors(&lengths), ..Selection::default() };
    if structure.m() <= ALWAYS_EXAMINED {
        selection.left_out = dependent_among(&rods, (&pattern, &gradients), NEARLY_DEPENDENT);
    }
    if !selection.left_out.is_empty() && !is_rounded(system, t, (q, v), &selection, choice)? {
        selection.left_out = dependent_constraints(system, t, (q, v), DEPENDENT)?;
    }
    if selection.left_out.is_empty() {
        let start = on_selection(system, t, (q, v), selection, choice)?;
        let known = (start.q == q && start.v == v).then_some(lengths.as_slice());
        check_gradients(system, t, (&start.q, &start.v), known)?;
        return Ok(start);
    }
    on_dependent(system, t, (q, v), selection, (gap, choice))
}

/// Whether constraints that nearly depend on others do so along the motion, and contradict them: their data were rounded.
fn is_rounded(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    selection: &Selection,
    choice: Choice,
) -> Result<bool, StartError> {
    let Ok(start) = on_selection(system, t, (q, v), selection.clone(), choice) else { return Ok(false) };
    let at = (start.q.as_slice(), start.v.as_slice());
    let found = classify(system, t, at, &selection.left_out, NEARLY_DEPENDENT)?;
    let worst = worst_gap(system, t, at, &found.permanent)?;
    Ok(found.permanent.len() == selection.left_out.len()
        && worst.is_some_and(|(.., share)| share > USUAL_GAP))
}

/// Where some constraints follow from others at the start.
fn on_dependent(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    mut selection: Selection,
    (gap, choice): (f64, Choice),
) -> Result<ConsistentStart, StartError> {
    let mut start = on_selection(system, t, (q, v), selection.clone(), choice)?;
    check_gradients(system, t, (&start.q, &start.v), None)?;
    let dependent = selection.left_out.clone();
    let at = (start.q.as_slice(), start.v.as_slice());
    let contradicts = worst_gap(system, t, at, &dependent)?.is_some_and(|(.., share)| share > USUAL_GAP);
    let tolerance = if contradicts { NEARLY_DEPENDENT } else { DEPENDENT };
    let found = classify(system, t, at, &dependent, tolerance)?;
    let size = worst_gap(system, t, (&start.q, &start.v), &found.permanent)?;
    if let Some((constraint, residual, share)) = size.filter(|(_, _, share)| *share > USUAL_GAP) {
        if share > gap / (1.0 + largest(&start.q)) {
            return Err(StartError::Contradiction { constraint, residual });
        }
        selection.gaps = least_gaps(system, t, &mut start.q, &start.v)?;
        start = on_selection(system, t, (&start.q.clone(), &start.v.clone()), selection.clone(), choice)?;
    }
    if found.passing.is_empty() {
        return Ok(start);
    }
    check_reached(system, t, (&start.q, &start.v), &found.passing)?;
    let branch = branch(system, t, (&start.q, &start.v), &found.permanent, &found.passing)?;
    (start.a, start.lambda) = (branch.a, branch.lambda);
    let name = |&k: &usize| system.structure().constraints[k].name.clone();
    start.redundant = found.permanent.iter().map(name).collect();
    start.passing = found.passing.iter().map(name).collect();
    start.selection.left_out = found.permanent;
    Ok(start)
}

/// What constraints are allowed to be where they cannot all be 0: the least squares of their residuals, in units of their
/// gradients. Positions are moved there.
fn least_gaps(
    system: &dyn MechanicalSystem,
    t: f64,
    q: &mut [f64],
    v: &[f64],
) -> Result<Vec<f64>, StartError> {
    let rods = Rods::all(system);
    rods.approach(t, q, v, &vec![1.0; q.len()])?;
    let mut gaps = vec![0.0; system.structure().m()];
    for (&k, value) in rods.numbers.iter().zip(rods.values(t, q)?) {
        gaps[k] = value;
    }
    Ok(gaps)
}

/// The start of the system with the constraints of a selection.
fn on_selection(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    selection: Selection,
    choice: Choice,
) -> Result<ConsistentStart, StartError> {
    if selection.is_everything() {
        return on_independent(system, t, q, v, choice);
    }
    let independent = Independent::of(system, &selection);
    let mut start = on_independent(&independent, t, q, v, choice)?;
    start.lambda = independent.all_multipliers(&start.lambda);
    let constraints = &system.structure().constraints;
    start.redundant = selection.left_out.iter().map(|&k| constraints[k].name.clone()).collect();
    start.selection = selection;
    Ok(start)
}

/// Of constraints that are left out the worst: its name, what is left of it, and that in units of its gradient and of
/// positions (or velocities).
fn worst_gap(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    left_out: &[usize],
) -> Result<Option<(String, f64, f64)>, StartError> {
    if left_out.is_empty() {
        return Ok(None);
    }
    let rods = Rods::all(system);
    let lengths = rods.lengths(t, q, v)?;
    let (values, rates) = (rods.values(t, q)?, rods.rates(t, q, v)?);
    let mut worst: Option<(String, f64, f64)> = None;
    for (row, k) in rods.numbers.iter().enumerate().filter(|(_, k)| left_out.contains(k)) {
        let length = if lengths[row] > 0.0 { lengths[row] } else { 1.0 };
        for (residual, size) in [(values[row], largest(q)), (rates[row], largest(v))] {
            let share = residual.abs() / (length * (1.0 + size));
            if worst.as_ref().is_none_or(|(_, _, most)| !(share <= *most)) {
                worst = Some((system.structure().constraints[*k].name.clone(), residual, share));
            }
        }
    }
    Ok(worst)
}

/// Refuses positions at which constraints depend on others without holding: stretched out, bars of a loop that is too long for
/// them lie on one line.
fn check_reached(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    dependent: &[usize],
) -> Result<(), StartError> {
    let rods = Rods::all(system);
    let (lengths, values) = (rods.lengths(t, q, v)?, rods.values(t, q)?);
    let rows = (0..rods.numbers.len()).filter(|&row| dependent.contains(&rods.numbers[row]));
    let worst = rows.max_by(|&i, &j| values[i].abs().total_cmp(&values[j].abs()));
    match worst.filter(|&row| values[row].abs() > USUAL_GAP * lengths[row].max(1.0) * (1.0 + largest(q))) {
        None => Ok(()),
        Some(row) => Err(StartError::NotReached { constraint: rods.name(row), residual: values[row] }),
    }
}

fn check_compliance(structure: &Structure) -> Result<(), StartError> {
    let wrong = |c: &&Constraint| !(c.compliance() >= 0.0 && c.compliance().is_finite());
    if let Some(c) = structure.constraints.iter().find(wrong) {
        return Err(StartError::Compliance { constraint: c.name.clone(), compliance: c.compliance() });
    }
    let (compliance, relaxation) = (Constraint::compliance, Constraint::relaxation);
    let fits = |c: &Constraint| relaxation(c) == 0.0 || (relaxation(c) > 0.0 && compliance(c) > 0.0);
    let wrong = |c: &&Constraint| !(fits(c) && relaxation(c).is_finite());
    match structure.constraints.iter().find(wrong) {
        None => Ok(()),
        Some(c) => Err(StartError::Relaxation {
            constraint: c.name.clone(),
            relaxation: relaxation(c),
            compliance: compliance(c),
        }),
    }
}

fn on_independent(
    system: &dyn MechanicalSystem,
    t: f64,
    q: &[f64],
    v: &[f64],
    choice: Choice,
) -> Result<ConsistentStart, StartError> {
    let structure = system.structure();
    let mut count = Statistics::default();
    let mut manifold = Manifold::new(system, choice);
    let (mut q_new, mut v_new) = (q.to_vec(), v.to_vec());
    let (mut a, mut lambda) = (vec![0.0; structure.n()], vec![0.0; structure.m()]);
    let explain = |failure| explain(system, failure);
    // Nothing moves a start that is on its constraints already; one at which forces cannot be evaluated may move to where they can.
    let holds = manifold.evaluate(t, q, v, &mut count).is_ok() && manifold.holds(q);
    if !holds {
        move_positions(&mut manifold, t, &mut q_new, v, &mut count).map_err(explain)?;
        manifold.evaluate(t, &q_new, &v_new, &mut count).map_err(explain)?;
    }
    manifold.factor(&mut count).map_err(explain)?;
    manifold.project_velocities(t, &q_new, &mut v_new, &mut count).map_err(explain)?;
    if v_new != v {
        manifold.evaluate(t, &q_new, &v_new, &mut count).map_err(explain)?;
    }
    manifold.spring_multipliers(&mut lambda, |_| true);
    manifold.accelerations(t, &mut a, &mut lambda, 2, &mut count).map_err(explain)?;
    let mass = &manifold.evaluated().mass;
    let moved = (distance(structure, mass, &q_new, q), distance(structure, mass, &v_new, v));
    Ok(ConsistentStart {
        q: q_new,
        v: v_new,
        a,
        lambda,
        moved,
        redundant: Vec::new(),
        passing: Vec::new(),
        selection: Selection::default(),
    })
}

/// Finds the closest positions on the constraints, with M and G evaluated anew in every step: the start may be far away.
fn move_positions(
    manifold: &mut Manifold<'_>,
    t: f64,
    q: &mut [f64],
    v: &[f64],
    count: &mut Statistics,
) -> Result<(), StepFailure> {
    let origin = q.to_vec();
    for _ in 0..MOST_ITERATIONS {
        manifold.evaluate_geometry(t, q, v)?;
        manifold.factor(count)?;
        if manifold.approach_closest(t, &origin, q, count)? < CLOSE_ENOUGH {
            // M and G of positions that are as close are as good as those of the last ones.
            return manifold.project_positions(t, q, count);
        }
    }
    manifold.evaluate_geometry(t, q, v)?;
    manifold.factor(count)?;
    manifold.project_positions(t, q, count)
}

fn explain(system: &dyn MechanicalSystem, failure: StepFailure) -> StartError {
    match failure {
        StepFailure::Fault(fault) => StartError::Fault(fault),
        StepFailure::Projection { constraint, residual } => StartError::NotReached { constraint, residual },
        StepFailure::Singular { name } => {
            let is_constraint = system.structure().constraints.iter().any(|c| c.name == name);
            if is_constraint {
                StartError::Contradiction { constraint: name, residual: f64::NAN }
            } else {
                StartError::Undetermined { name }
            }
        }
        StepFailure::Newton { .. } | StepFailure::NotSmooth { .. } => {
            StartError::NotReached { constraint: String::new(), residual: f64::NAN }
        }
    }
}

pub(crate) fn check_length(what: &'static str, found: &[f64], expected: usize) -> Result<(), StartError> {
    if found.len() == expected {
        return Ok(());
    }
    Err(StartError::Length { what, found: found.len(), expected })
}

fn distance(structure: &Structure, mass: &[f64], x: &[f64], y: &[f64]) -> f64 {
    if x == y {
        return 0.0;
    }
    let difference: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    let mut momentum = vec![0.0; x.len()];
    structure.mass.multiply_add(mass, &difference, &mut momentum, 1.0);
    momentum.iter().zip(&difference).map(|(p, d)| p * d).sum::<f64>().max(0.0).sqrt()
}

/// An equation of higher index whose residual is below this share of the state is satisfied.
const CONSISTENT: f64 = 1e-8;

/// Moves a first-order system onto its equations without derivatives; returns the variables and the largest residual
/// that is left.
///
/// Variables of index 1 move, those with derivatives do not. With variables of higher index a start with 0 = G(x) is left
/// alone; another one moves along the directions in which they act, and they themselves are taken as they are given.
///
/// # Errors
/// A residual is left that is not small.
pub fn consistent_variables(
    system: &dyn FirstOrderSystem,
    index: &[u8],
    t: f64,
    x: &[f64],
    choice: Choice,
) -> Result<(Vec<f64>, f64), StartError> {
    let composition = system.composition();
    check_length("the start", x, composition.n())?;
    let mut x = x.to_vec();
    if !composition.algebraic_rows().contains(&true) {
        return Ok((x, 0.0));
    }
    let undetermined = |failure| match failure {
        StepFailure::Singular { name } => StartError::Undetermined { name },
        StepFailure::Fault(fault) => StartError::Fault(fault),
        other => StartError::NoSmoothMotion { reason: other.to_string() },
    };
    let mut equations = AlgebraicSolve::new(system, index, choice);
    let allowed = CONSISTENT * largest(&x).max(1.0);
    let (_, residual) = equations.residual(t, &x).map_err(undetermined)?;
    if index.iter().any(|&i| i > 1) && residual <= allowed {
        return Ok((x, residual));
    }
    let mut count = Statistics::default();
    let (row, residual) = equations.solve(t, &mut x, &mut count).map_err(undetermined)?;
    if residual > allowed || !residual.is_finite() {
        return Err(StartError::NotReached { constraint: composition.variables[row].clone(), residual });
    }
    Ok((x, residual))
}
