//! G M⁻¹Gᵀ of chains of points, whose places need not be looked up.

use crate::linear::Pattern;
use crate::linear::definite::DefiniteLdl;
use crate::linear::pattern::stairs::{Stairs, Step, steps_of};

/// The columns of a G that is made of stairs and of columns with one entry: those of the last points of chains, or of points that
/// one rod holds.
///
/// Sums are added up in the order of the entries, like those of any other G.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    runs: Vec<Run>,
}

#[derive(Clone, Debug)]
enum Run {
    /// the rows of columns with one entry
    Single(Vec<usize>),
    /// with the place of each row with the next one in the complement
    Stairs(Stairs, Vec<usize>),
}

impl Chain {
    /// That of a G, where it is one.
    pub(super) fn new(jacobian: &Pattern, complement: &DefiniteLdl) -> Option<Self> {
        let (mut runs, mut column) = (Vec::new(), 0);
        for alike in jacobian.runs() {
            runs.push(match (alike.length, alike.stairs) {
                (1, _) => {
                    let start = jacobian.column_starts()[column];
                    Run::Single(jacobian.row_indices()[start..start + alike.columns].to_vec())
                }
                (_, Some(stairs)) => {
                    let rows = stairs.row..stairs.row + stairs.steps;
                    let places = rows.map(|row| complement.place(row, row + 1));
                    Run::Stairs(stairs, places.collect::<Option<_>>()?)
                }
                _ => return None,
            });
            column += alike.columns;
        }
        Some(Chain { runs })
    }

    /// G M⁻¹ into `scaled`, and adds G M⁻¹Gᵀ.
    pub(super) fn write(
        &self,
        mut reciprocal_masses: &[f64],
        mut jacobian: &[f64],
        mut scaled: &mut [f64],
        (diagonal, lower): (&mut [f64], &mut [f64]),
    ) {
        for run in &self.runs {
            let (columns, entries) = run.size();
            let (masses, later_masses) = reciprocal_masses.split_at(columns);
            let (g, later_g) = jacobian.split_at(entries);
            let (now, later) = scaled.split_at_mut(entries);
            match run {
                Run::Single(rows) => {
                    for (((&i, mass), g), scaled) in rows.iter().zip(masses).zip(g).zip(now) {
                        *scaled = g * mass;
                        diagonal[i] += *scaled * g;
                    }
                }
                Run::Stairs(stairs, places) => {
                    let diagonal = &mut diagonal[stairs.row..=stairs.row + stairs.steps];
                    match stairs.width {
                        1 => descend::<1>(masses, steps_of(g), now, diagonal, (places, lower)),
                        2 => descend::<2>(masses, steps_of(g), now, diagonal, (places, lower)),
                        _ => descend::<3>(masses, steps_of(g), now, diagonal, (places, lower)),
                    }
                }
            }
            (reciprocal_masses, jacobian, scaled) = (later_masses, later_g, later);
        }
    }
}

impl Run {
    /// How many columns and how many entries it has.
    fn size(&self) -> (usize, usize) {
        match self {
            Run::Single(rows) => (rows.len(), rows.len()),
            Run::Stairs(stairs, _) => (stairs.width * stairs.steps, 2 * stairs.width * stairs.steps),
        }
    }
}

#[inline(always)]
fn descend<const W: usize>(
    masses: &[f64],
    jacobian: &[Step<W>],
    scaled: &mut [f64],
    diagonal: &mut [f64],
    (places, lower): (&[usize], &mut [f64]),
) {
    let Some((mut place, below)) = diagonal.split_first_mut() else { return };
    let mut upper = *place;
    let scaled = scaled.as_chunks_mut::<2>().0.as_chunks_mut::<W>().0;
    let steps = jacobian.iter().zip(scaled).zip(masses.as_chunks::<W>().0);
    for (((g, scaled), masses), (next, &between)) in steps.zip(below.iter_mut().zip(places)) {
        let (mut below, mut beside) = (*next, lower[between]);
        for k in 0..W {
            let [first, second] = g[k].map(|g| g * masses[k]);
            upper += first * g[k][0];
            below += second * g[k][1];
            beside += first * g[k][1];
            scaled[k] = [first, second];
        }
        lower[between] = beside;
        *place = upper;
        (place, upper) = (next, below);
    }
    *place = upper;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::linear::ordering;

    fn numbers(count: usize, seed: f64) -> Vec<f64> {
        (0..count).map(|k| (seed + 1.7 * k as f64).sin()).collect()
    }

    /// Two chains of points, one of one rod.
    #[test]
    fn the_complement_of_chains_is_that_of_their_entries_to_the_last_bit() {
        for width in 1..=3 {
            let (rows, n) = (9, 9 * width);
            let links = (0..n).flat_map(|j| [(j / width, j), (j / width + 1, j)]);
            let jacobian = Pattern::from_entries(rows, n, links.filter(|&(i, j)| i < 8 || j / width == 8));
            let couplings = (0..7).flat_map(|i| [(i, i + 1), (i + 1, i)]).chain((0..rows).map(|i| (i, i)));
            let complement = Pattern::from_entries(rows, rows, couplings);
            let order = ordering::from_both_ends(&complement).unwrap();
            let mut complement = DefiniteLdl::new(&complement, order);
            let chain = Chain::new(&jacobian, &complement).unwrap();
            let (g, masses) = (numbers(jacobian.nnz(), 0.3), numbers(n, 0.9));
            let mut scaled = vec![0.0; g.len()];
            let (mut diagonal, mut lower) = (vec![0.0; rows], vec![0.0; rows - 2]);
            let places: Vec<usize> = (0..7).map(|i| complement.place(i, i + 1).unwrap()).collect();
            for j in 0..n {
                let start = jacobian.column_starts()[j];
                for (k, &i) in jacobian.column(j).iter().enumerate() {
                    scaled[start + k] = g[start + k] * masses[j];
                    diagonal[i] += scaled[start + k] * g[start + k];
                    if k == 1 {
                        lower[places[i - 1]] += scaled[start] * g[start + 1];
                    }
                }
            }
            let mut found = vec![f64::NAN; g.len()];
            chain.write(&masses, &g, &mut found, complement.values_mut());
            assert_eq!(found, scaled);
            let (found_diagonal, found_lower) = complement.values_mut();
            assert_eq!((&*found_diagonal, &*found_lower), (&*diagonal, &*lower));
        }
    }
}
