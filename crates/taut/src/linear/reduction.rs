//! Which equations E x' = f have a derivative, and which say 0 = Σ c f.

use std::collections::BTreeMap;

use taut_formula::number::Scalar;

/// Rows of E that are as small as this share of what they were before elimination follow from the rows before them.
const DEPENDENT: f64 = 1e-12;

/// What an equation of E x' = f says.
#[derive(Clone, Debug)]
pub(crate) enum Equation<N> {
    /// its row of E: variables and their factors
    Differential(Vec<(usize, N)>),
    /// 0 = Σ c f: rows of f and their factors. Its row of E follows from others.
    Algebraic(Vec<(usize, N)>),
}

/// The equations E x' = f with linearly independent rows of E, and the others as equations without derivatives.
#[derive(Clone, Debug)]
pub(crate) struct Reduction<N> {
    pub(crate) equations: Vec<Equation<N>>,
}

type Row<N> = BTreeMap<usize, N>;

/// A row after elimination with those before it.
struct Pivot<N> {
    column: usize,
    row: Row<N>,
    /// the rows of E that it is the sum of, with their factors
    sum: Row<N>,
}

impl<N: Scalar> Reduction<N> {
    /// Of n equations and the entries of E.
    pub(crate) fn new(n: usize, entries: &[(usize, usize, N)]) -> Self {
        let mut rows: Vec<Row<N>> = vec![Row::new(); n];
        for &(i, j, entry) in entries {
            add(&mut rows[i], j, entry);
        }
        let mut pivots: Vec<Pivot<N>> = Vec::new();
        // Which column which pivot is in.
        let mut taken = BTreeMap::new();
        let equations = rows.into_iter().enumerate().map(|(i, row)| {
            let (mut reduced, mut sum) = (row.clone(), Row::from([(i, N::constant(1.0))]));
            let mut first = 0;
            let next = |row: &Row<N>, taken: &BTreeMap<usize, usize>, first: usize| {
                row.keys().filter_map(|column| taken.get(column)).copied().filter(|&k| k >= first).min()
            };
            while let Some(k) = next(&reduced, &taken, first) {
                pivots[k].eliminate(&mut reduced, &mut sum);
                first = k + 1;
            }
            let (column, size) = largest(&reduced);
            if size > DEPENDENT * largest(&row).1 {
                taken.insert(column, pivots.len());
                pivots.push(Pivot { column, row: reduced, sum });
                Equation::Differential(row.into_iter().collect())
            } else {
                Equation::Algebraic(sum.into_iter().collect())
            }
        });
        Reduction { equations: equations.collect() }
    }

    /// Whether some equation has no derivative.
    pub(crate) fn is_algebraic(&self) -> bool {
        self.equations.iter().any(|equation| matches!(equation, Equation::Algebraic(_)))
    }
}

impl<N: Scalar> Pivot<N> {
    fn eliminate(&self, row: &mut Row<N>, sum: &mut Row<N>) {
        let Some(entry) = row.remove(&self.column) else { return };
        let factor = -(entry / self.row[&self.column]);
        for (&j, &x) in self.row.iter().filter(|(j, _)| **j != self.column) {
            add(row, j, factor * x);
        }
        for (&i, &c) in &self.sum {
            add(sum, i, factor * c);
        }
    }
}

fn add<N: Scalar>(row: &mut Row<N>, place: usize, change: N) {
    *row.entry(place).or_insert_with(N::zero) += change;
}

/// Where the largest entry is, and how large.
fn largest<N: Scalar>(row: &Row<N>) -> (usize, f64) {
    let sizes = row.iter().map(|(&j, x)| (j, x.value().abs()));
    sizes.fold((0, 0.0), |most, this| if this.1 > most.1 { this } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacities_between_nodes_leave_one_equation_without_derivative() {
        let entries = [(0, 0, -2.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, -2.0), (2, 2, 3.0)];
        let reduction = Reduction::<f64>::new(4, &entries);
        assert!(reduction.is_algebraic());
        let sums = reduction.equations.iter().map(|equation| match equation {
            Equation::Differential(_) => Vec::new(),
            Equation::Algebraic(sum) => sum.clone(),
        });
        let sums: Vec<_> = sums.collect();
        assert_eq!(sums, [vec![], vec![(0, 1.0), (1, 1.0)], vec![], vec![(3, 1.0)]]);
    }

    #[test]
    fn a_regular_matrix_has_derivatives_in_all_equations() {
        let entries = [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 3.0), (1, 1, 4.0), (2, 1, 5.0), (2, 2, 1e-3)];
        assert!(!Reduction::<f64>::new(3, &entries).is_algebraic());
    }
}
