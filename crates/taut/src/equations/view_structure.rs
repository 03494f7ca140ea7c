//! What does not change in a first-order view: names, indices, the places of numerical derivatives.

use super::formulation::Level;
use super::view_layout::ViewLayout;
use crate::linear::Pattern;
use crate::system::Structure;

/// Where the chosen rows of G v + g_t and G a + curvature can depend on positions and velocities: a holonomic
/// constraint on the coordinates that it restricts (on none when G is constant and it has no damper), another one on all.
pub(super) fn row_pattern(structure: &Structure, chosen: impl Fn(usize) -> bool) -> Pattern {
    let holonomic = |k: usize| structure.constraints[k].is_holonomic();
    let varies = |k: usize| !structure.linear_constraints || structure.constraints[k].relaxation() > 0.0;
    let restricted = structure.jacobian.entries().filter(|&(k, _)| holonomic(k) && varies(k));
    let others = (0..structure.m()).filter(|&k| !holonomic(k));
    let others = others.flat_map(|k| (0..structure.n()).map(move |j| (k, j)));
    let entries = restricted.chain(others).filter(|&(k, _)| chosen(k));
    Pattern::from_entries(structure.m(), structure.n(), entries)
}

/// Where ∂(Gᵀλ)/∂v can be nonzero: a condition on velocities couples those that it restricts.
pub(super) fn reaction_rate_pattern(structure: &Structure) -> Pattern {
    let n = structure.n();
    let (by_row, _) = structure.jacobian.transpose();
    let varying = |k: &usize| !structure.constraints[*k].is_holonomic() && !structure.linear_constraints;
    let pairs = |k: usize| {
        let velocities = by_row.column(k);
        velocities.iter().flat_map(move |&i| velocities.iter().map(move |&j| (i, j)))
    };
    Pattern::from_entries(n, n, (0..structure.m()).filter(varying).flat_map(pairs))
}

/// The names of the variables: x, x', x'', lambda(rod), mu(rod).
pub(super) fn names(structure: &Structure, second: &[usize]) -> Vec<String> {
    let coordinates =
        |ending: &'static str| structure.coordinates.iter().map(move |name| format!("{name}{ending}"));
    let constraint = |k: usize| &structure.constraints[k].name;
    let lambda = (0..structure.m()).map(|k| format!("lambda({})", constraint(k)));
    let mu = second.iter().map(|&k| format!("mu({})", constraint(k)));
    coordinates("").chain(coordinates("'")).chain(coordinates("''")).chain(lambda).chain(mu).collect()
}

/// The index of each variable.
pub(super) fn indices(layout: ViewLayout, levels: &[Level]) -> Vec<u8> {
    let highest = match levels.iter().map(|level| level.integrations()).max() {
        Some(2) => 3,
        Some(1) => 2,
        _ => 1_u8,
    };
    let of_positions = if layout.mu().is_empty() { highest.saturating_sub(2) } else { 1 };
    let mut index = vec![highest; layout.len()];
    index[layout.q()].fill(of_positions);
    index[layout.v()].fill(highest - 1);
    index[layout.mu()].fill(2);
    index
}
