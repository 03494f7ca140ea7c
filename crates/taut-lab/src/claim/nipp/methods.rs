//! The methods that the claims are tried on.

use taut_tableau::{Family, Lobatto, Matrix, Multistep, Spark, Tableau};

use super::super::Expected::OrderAtLeast;
use super::super::{Finding, Series, Trial};
use crate::error::LabError;
use crate::experiment::{Graph, Scheme};

/// A method with what its claims are about.
pub(super) struct Method {
    pub name: String,
    pub scheme: Scheme,
    /// the order p
    pub p: usize,
    /// the stage order q
    pub q: usize,
    /// |R(∞)|
    pub rate: f64,
    /// whether the first column of A is constant: a change of x can be taken up by the first multiplier
    pub absorbs_offsets: bool,
}

impl Method {
    fn of(trial: &Trial, name: String, tableau: &Tableau) -> Result<Self, LabError> {
        Ok(Method {
            name,
            scheme: Scheme::runge_kutta(&trial.changed(tableau)?)?,
            p: tableau.order(),
            q: tableau.stage_order(),
            rate: tableau.stability_function().at_infinity().abs(),
            absorbs_offsets: (1..tableau.stages()).all(|i| tableau.a()[(i, 0)] == tableau.a()[(0, 0)]),
        })
    }

    fn multistep(trial: &Trial, name: String, method: Multistep, last: bool) -> Result<Self, LabError> {
        let p = method.order();
        let method = trial.multistep(method)?;
        let scheme = if last { Scheme::multistep_last(method) } else { Scheme::multistep(method) };
        Ok(Method { name, scheme, p, q: p, rate: 0.0, absorbs_offsets: false })
    }
}

/// Methods with |R(∞)| < 1 that are not stiffly accurate.
pub(super) fn general(trial: &Trial) -> Result<Vec<Method>, LabError> {
    // Two stages on the diagonal, order 3: R(∞) = 1 - √3.
    let gamma = (3.0 + 3.0_f64.sqrt()) / 6.0;
    let entries = [[gamma, 0.0], [1.0 - 2.0 * gamma, gamma]];
    let diagonal = Tableau::new(
        "sdirk of order 3",
        &Matrix::from_fn(2, 2, |i, j| entries[i][j]),
        &[0.5; 2],
        &[gamma, 1.0 - gamma],
    )?;
    let mixed = Spark::new(3)?.combination(&[(Lobatto::C, 0.5), (Lobatto::D, 0.5)])?;
    Ok(vec![
        Method::of(trial, "radau-ia s = 2".into(), &Family::RadauIa.tableau(2)?)?,
        Method::of(trial, "radau-ia s = 3".into(), &Family::RadauIa.tableau(3)?)?,
        Method::of(trial, "sdirk s = 2, R = 1 - √3".into(), &diagonal)?,
        Method::of(trial, "lobatto-iiic/iiid s = 3".into(), &mixed)?,
    ])
}

/// Methods with a_si = b_i.
pub(super) fn stiffly_accurate(trial: &Trial) -> Result<Vec<Method>, LabError> {
    let families =
        [(Family::RadauIia, 2), (Family::RadauIia, 3), (Family::LobattoIiic, 3), (Family::Sdirk, 3)];
    families
        .into_iter()
        .map(|(family, s)| Method::of(trial, format!("{family} s = {s}"), &family.tableau(s)?))
        .collect()
}

/// Backward differentiation formulas: β_0 = ... = β_{k-1} = 0.
pub(super) fn bdf(
    trial: &Trial,
    steps: std::ops::RangeInclusive<usize>,
    last: bool,
) -> Result<Vec<Method>, LabError> {
    steps.map(|k| Method::multistep(trial, format!("bdf k = {k}"), Multistep::bdf(k)?, last)).collect()
}

/// Two-step methods of order 2 with ρ(z) = (z - 1)(z - r) and β_2 = b.
pub(super) fn two_step(r: f64, b: f64) -> Result<Multistep, LabError> {
    let alpha = [r, -1.0 - r, 1.0];
    let beta = [b - 0.5 * (1.0 + r), 0.5 * (3.0 - r) - 2.0 * b, b];
    Ok(Multistep::new(&format!("two steps r = {r}, b = {b}"), &alpha, &beta)?)
}

/// Multistep methods with β ≠ 0: one with ρ_1 > σ_1 and one with ρ_1 < σ_1.
pub(super) fn with_memory() -> Result<Vec<Multistep>, LabError> {
    Ok(vec![two_step(0.5, 0.76)?, two_step(0.0, 0.54)?])
}

/// The same as methods.
pub(super) fn with_memory_as_methods(trial: &Trial, last: bool) -> Result<Vec<Method>, LabError> {
    let methods = with_memory()?.into_iter();
    methods.map(|method| Method::multistep(trial, method.name().to_owned(), method, last)).collect()
}

/// Errors below this are rounding.
pub(super) const PLATEAU: f64 = 3e-13;

/// Checks the orders of the largest errors of x and y on [0, 2], from consistent starting values.
pub(super) fn global_errors(
    finding: &mut Finding,
    graph: &Graph,
    method: &Method,
    steps: &[f64],
    orders: [usize; 2],
) -> Result<(), LabError> {
    let errors: Vec<[f64; 2]> = steps
        .iter()
        .map(|&h| Ok(graph.errors(&graph.orbit(&method.scheme, h, 2.0, 0.0)?, 0.0)))
        .collect::<Result<_, LabError>>()?;
    for (place, (quantity, order)) in ["error of x", "error of y"].into_iter().zip(orders).enumerate() {
        let points = steps.iter().zip(&errors).map(|(&h, errors)| (h, errors[place])).collect();
        let series = Series::fitted(method.name.clone(), points, PLATEAU);
        finding.slope(quantity, OrderAtLeast(order), "h", "error", series);
    }
    Ok(())
}

/// A state of the curved system moved off G = 0 to this value of G: (x1, x2 + x1²/2) is stretched by √(1 + 2 G).
pub(super) fn stretched(state: &[f64], off: f64) -> Vec<f64> {
    let stretch = (1.0 + 2.0 * off).sqrt();
    let (x1, w) = (stretch * state[0], stretch * (state[1] + 0.5 * state[0] * state[0]));
    vec![x1, w - 0.5 * x1 * x1, state[2]]
}
