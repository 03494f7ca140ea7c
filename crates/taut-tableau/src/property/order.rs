use super::RootedTrees;
use crate::Tableau;
use crate::number::{DoubleDouble, Matrix, Scalar, dot};

/// Order conditions are checked tree by tree up to this order; the simplifying assumptions know no limit.
const HIGHEST_ORDER_BY_TREES: usize = 10;

/// The largest p, q, r for which the simplifying assumptions B(p), C(q), D(r) hold (Jay 1998, section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimplifyingAssumptions {
    /// B(p): sum_i b_i c_i^(k-1) = 1/k for k = 1..p.
    pub b: usize,
    /// C(q): sum_j a_ij c_j^(k-1) = c_i^k / k for k = 1..q.
    pub c: usize,
    /// D(r): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k for k = 1..r.
    pub d: usize,
}

impl SimplifyingAssumptions {
    /// The order that they guarantee: min(p, 2q + 2, q + r + 1) (Butcher 1964).
    pub fn guaranteed_order(self) -> usize {
        self.b.min(2 * self.c + 2).min(self.c + self.d + 1)
    }
}

impl Tableau {
    /// The simplifying assumptions that hold.
    pub fn simplifying_assumptions(&self) -> SimplifyingAssumptions {
        *self.known.assumptions.get_or_init(|| self.find_assumptions())
    }

    fn find_assumptions(&self) -> SimplifyingAssumptions {
        let exact = self.exact();
        let tolerance = self.tolerance();
        SimplifyingAssumptions {
            b: assumption_b(&exact.b, &exact.c, tolerance),
            c: assumption_c(&exact.a, &exact.c, tolerance),
            d: assumption_d(&exact.a, &exact.b, &exact.c, tolerance),
        }
    }

    /// The order p: that of the simplifying assumptions, or more where the conditions of the rooted trees say so
    /// (looked at up to order 10).
    pub fn order(&self) -> usize {
        *self.known.order.get_or_init(|| self.find_order())
    }

    fn find_order(&self) -> usize {
        let assumptions = self.simplifying_assumptions();
        let guaranteed = assumptions.guaranteed_order();
        // B(p) are conditions of the order; and the trees know c only as row sums of A, that is under C(1).
        if guaranteed == assumptions.b || assumptions.c == 0 {
            return guaranteed;
        }
        let highest = assumptions.b.min(HIGHEST_ORDER_BY_TREES);
        let exact = self.exact();
        RootedTrees::up_to(highest).order(&exact.a, &exact.b, self.tolerance()).max(guaranteed)
    }

    /// The stage order: the largest q with C(q) (Lubich 1993, (3.6)).
    pub fn stage_order(&self) -> usize {
        self.simplifying_assumptions().c
    }

    /// The orders of the embedded methods, looked at up to order 10.
    pub fn embedded_orders(&self) -> Vec<usize> {
        let trees = RootedTrees::up_to(HIGHEST_ORDER_BY_TREES.min(self.stages() + 1));
        let order = |weights: &[DoubleDouble]| trees.order(&self.exact().a, weights, self.tolerance());
        self.embedded().iter().map(|embedded| order(embedded.exact())).collect()
    }
}

/// The largest k for which `holds`, beginning with `first`; one less than `first` when it fails at once.
fn largest(first: usize, stages: usize, holds: impl Fn(usize) -> bool) -> usize {
    // No quadrature formula has an order beyond 2s, so nothing holds beyond.
    (first..=2 * stages + 1).take_while(|&k| holds(k)).last().unwrap_or(first - 1)
}

fn powers(nodes: &[DoubleDouble], exponent: usize) -> Vec<DoubleDouble> {
    nodes.iter().map(|node| node.powi(exponent as i32)).collect()
}

/// The row vector (b_i c_i^exponent).
fn moments(b: &[DoubleDouble], c: &[DoubleDouble], exponent: usize) -> Vec<DoubleDouble> {
    b.iter().zip(powers(c, exponent)).map(|(&weight, power)| weight * power).collect()
}

fn close(x: &[DoubleDouble], y: impl Iterator<Item = DoubleDouble>, tolerance: f64) -> bool {
    x.iter().zip(y).all(|(&x, y)| (x - y).magnitude() <= tolerance)
}

pub(crate) fn assumption_b(b: &[DoubleDouble], c: &[DoubleDouble], tolerance: f64) -> usize {
    largest(1, b.len(), |k| {
        (dot(b, &powers(c, k - 1)) - DoubleDouble::ratio(1, k as i64)).magnitude() <= tolerance
    })
}

pub(crate) fn assumption_c(a: &Matrix<DoubleDouble>, c: &[DoubleDouble], tolerance: f64) -> usize {
    largest(1, c.len(), |k| {
        let exact = powers(c, k).into_iter().map(|power| power / DoubleDouble::from(k));
        close(&a.times(&powers(c, k - 1)), exact, tolerance)
    })
}

pub(crate) fn assumption_d(
    a: &Matrix<DoubleDouble>,
    b: &[DoubleDouble],
    c: &[DoubleDouble],
    tolerance: f64,
) -> usize {
    let transposed = a.transpose();
    largest(1, c.len(), |k| {
        let exact = b
            .iter()
            .zip(powers(c, k))
            .map(|(&weight, power)| weight * (DoubleDouble::ONE - power) / DoubleDouble::from(k));
        close(&transposed.times(&moments(b, c, k - 1)), exact, tolerance)
    })
}

/// The largest Q with C^m C^n(Q): sum_jl a^m_ij a^n_jl c_l^(k-2) = c_i^k / (k (k-1)) for k = 2..Q.
pub(crate) fn assumption_cc(
    first: &Matrix<DoubleDouble>,
    second: &Matrix<DoubleDouble>,
    c: &[DoubleDouble],
    tolerance: f64,
) -> usize {
    largest(2, c.len(), |k| {
        let exact = powers(c, k).into_iter().map(|power| power / DoubleDouble::from(k * (k - 1)));
        close(&first.times(&second.times(&powers(c, k - 2))), exact, tolerance)
    })
}

/// The largest R with D^m D^n(R): sum_ij b_i c_i^(k-2) a^m_ij a^n_jl = b_l (1/k - c_l/(k-1) + c_l^k/(k (k-1))), k = 2..R.
pub(crate) fn assumption_dd(
    first: &Matrix<DoubleDouble>,
    second: &Matrix<DoubleDouble>,
    b: &[DoubleDouble],
    c: &[DoubleDouble],
    tolerance: f64,
) -> usize {
    let (first, second) = (first.transpose(), second.transpose());
    largest(2, c.len(), |k| {
        let number = |x: usize| DoubleDouble::from(x);
        let exact = (0..c.len()).map(|l| {
            let power = c[l].powi(k as i32);
            b[l] * (number(1) / number(k) - c[l] / number(k - 1) + power / number(k * (k - 1)))
        });
        close(&second.times(&first.times(&moments(b, c, k - 2))), exact, tolerance)
    })
}
