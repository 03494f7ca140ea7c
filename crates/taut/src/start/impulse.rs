//! The impulses that make velocities consistent.

use crate::geometry::rods::Rods;
use crate::linear::MinimumNorm;
use crate::system::{Fault, MechanicalSystem};

/// Gradients at a smaller angle are dependent.
const DEPENDENT: f64 = 1e-10;
/// A dense matrix has at most so many entries.
const MOST_ENTRIES: usize = 4_000_000;
/// Changes of velocity below this share of velocities are rounding.
const ROUNDING: f64 = 1e-14;

/// The impulse Λ of each rod that changed velocities by Δv: M Δv = −GᵀΛ, the smallest ones where constraints depend on each
/// other. Nothing where velocities did not change, or of a mechanism too large for a dense matrix.
pub(crate) fn impulses(
    system: &dyn MechanicalSystem,
    t: f64,
    (q, v): (&[f64], &[f64]),
    before: &[f64],
) -> Result<Vec<(String, f64)>, Fault> {
    let structure = system.structure();
    let difference: Vec<f64> = v.iter().zip(before).map(|(v, before)| v - before).collect();
    let size = v.iter().chain(before).fold(0.0, |most: f64, v| most.max(v.abs()));
    let rods = Rods::all(system);
    let (n, m) = (q.len(), rods.numbers.len());
    let nothing = difference.iter().all(|change| change.abs() <= ROUNDING * size);
    if nothing || m == 0 || n * m > MOST_ENTRIES {
        return Ok(Vec::new());
    }
    let mut mass = vec![0.0; structure.mass.nnz()];
    system.mass(q, &mut mass)?;
    let mut momentum = vec![0.0; n];
    structure.mass.multiply_add(&mass, &difference, &mut momentum, -1.0);
    let gradients = rods.matrix(t, q, v)?;
    let mut transposed = vec![0.0; n * m];
    for i in 0..m {
        for j in 0..n {
            transposed[j + i * n] = gradients[i + j * m];
        }
    }
    let found = MinimumNorm::new(n, m, transposed, DEPENDENT).solve(&momentum);
    Ok(found.into_iter().enumerate().map(|(row, impulse)| (rods.name(row), impulse)).collect())
}

#[cfg(test)]
mod tests {
    use super::impulses;
    use crate::system::{Differentiated, Scalar, Sketch};

    /// A mass of 2 on a rod that is pulled along it with the speed 3: the impulse is 6.
    #[test]
    fn a_rod_takes_the_momentum_along_it() {
        let pendulum = Sketch::new(["x", "y"])
            .kinetic(|_q, v| v[0].square() + v[1].square())
            .rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0);
        let pendulum = Differentiated::new(pendulum);
        let found = impulses(&pendulum, 0.0, (&[1.0, 0.0], &[0.0, 0.5]), &[3.0, 0.5]);
        let Ok(found) = found else { return assert!(found.is_ok()) };
        assert_eq!(found.len(), 1);
        assert!((found[0].1 - 6.0).abs() < 1e-14 && found[0].0 == "rod", "{found:?}");
    }
}
