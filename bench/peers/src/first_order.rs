//! What all peers ask of a first-order system E x' = f(t, x).

use taut::system::Composition;

/// Whether E is the identity.
pub fn is_ordinary(composition: &Composition) -> bool {
    composition.mass.entries().all(|(i, j)| i == j)
        && composition.mass_values.len() == composition.n()
        && composition.mass_values.iter().all(|&e| e == 1.0)
}
