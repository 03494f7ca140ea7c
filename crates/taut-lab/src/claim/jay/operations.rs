//! Section 10: the operations that the formulation without Coriolis forces saves on the squeezer.

use std::cell::Cell;
use std::ops::{Add, Mul, Neg, Sub};

use super::super::Expected::Near;
use super::super::{Claim, Finding, Mutants, Paper, Trial};
use crate::error::LabError;

pub(super) const CLAIM: Claim = Claim {
    id: "jay-section-10",
    paper: Paper::Jay,
    statement: "For the squeezer the generalized forces of (M(q)v)' (8f), without Coriolis forces, take 8 additions and 21 \
                multiplications, those of M(q)v' (8b) 11 and 39.",
    claimed: "11 and 39; 8 and 21",
    bounds: "the printed counts",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::None(
        "it counts the operations of formulas that it writes down itself; there is no method in it",
    ),
    experiment,
};

/// Additions and multiplications so far.
#[derive(Default)]
struct Tally {
    additions: Cell<usize>,
    multiplications: Cell<usize>,
}

/// A number whose operations are counted; a change of sign is none.
#[derive(Clone, Copy)]
struct Counted<'t>(f64, &'t Tally);

impl<'t> Counted<'t> {
    fn added(self, value: f64) -> Self {
        self.1.additions.set(self.1.additions.get() + 1);
        Counted(value, self.1)
    }

    fn multiplied(self, value: f64) -> Self {
        self.1.multiplications.set(self.1.multiplications.get() + 1);
        Counted(value, self.1)
    }

    /// The square, one multiplication.
    fn square(self) -> Self {
        self.multiplied(self.0 * self.0)
    }
}

impl Add for Counted<'_> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.added(self.0 + other.0)
    }
}

impl Sub for Counted<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.added(self.0 - other.0)
    }
}

impl Mul for Counted<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.multiplied(self.0 * other.0)
    }
}

impl Neg for Counted<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        Counted(-self.0, self.1)
    }
}

/// Numbers with the names of the mechanism: constants, sines and cosines, velocities.
struct Names<'t> {
    moment: Counted<'t>,
    two: Counted<'t>,
    /// m2, da, rr; m4, zt, e, ea; m6, u, zf, fa
    second: [Counted<'t>; 3],
    fourth: [Counted<'t>; 4],
    sixth: [Counted<'t>; 4],
    /// fx, fy, sc, sd, cos γ, sin γ
    spring: [Counted<'t>; 6],
    /// sin Θ, cos Φ, cos Ω
    angles: [Counted<'t>; 3],
    /// β', Θ', Φ', δ', Ω', ε'
    rates: [Counted<'t>; 6],
}

impl<'t> Names<'t> {
    fn new(tally: &'t Tally) -> Self {
        let n = |value: f64| Counted(value, tally);
        Names {
            moment: n(0.033),
            two: n(2.0),
            second: [0.00365, 0.0115, 0.007].map(n),
            fourth: [0.00706, 0.04, 0.02, 0.01421].map(n),
            sixth: [0.00706, 0.04, 0.02, 0.01421].map(n),
            spring: [0.3, -0.2, 0.018, 0.02, 0.8, 0.6].map(n),
            angles: [0.1, 0.7, 0.4].map(n),
            rates: [1.1, 0.3, -0.4, 0.9, -1.2, 0.5].map(n),
        }
    }

    fn spring(&self) -> Counted<'t> {
        let [fx, fy, sc, sd, cos, sin] = self.spring;
        fx * (sc * cos - sd * sin) + fy * (sd * cos + sc * sin)
    }

    /// The forces f of M(q)v' = f - G'λ.
    fn with_coriolis(&self) -> [Counted<'t>; 7] {
        let ([m2, da, rr], [m4, zt, e, ea]) = (self.second, self.fourth);
        let ([m6, u, zf, fa], [sin, cos_phi, cos_omega]) = (self.sixth, self.angles);
        let [beta, theta, phi, delta, omega, epsilon] = self.rates;
        [
            self.moment - m2 * da * rr * theta * (theta + self.two * beta) * sin,
            m2 * da * rr * beta.square() * sin,
            self.spring(),
            m4 * zt * (e - ea) * delta.square() * cos_phi,
            -m4 * zt * (e - ea) * phi * (phi + self.two * delta) * cos_phi,
            -m6 * u * (zf - fa) * epsilon.square() * cos_omega,
            m6 * u * (zf - fa) * omega * (omega + self.two * epsilon) * cos_omega,
        ]
    }

    /// The forces of (M(q)v)'; two of them vanish.
    fn without_coriolis(&self) -> [Counted<'t>; 5] {
        let ([m2, da, rr], [m4, zt, e, ea]) = (self.second, self.fourth);
        let ([m6, u, zf, fa], [sin, cos_phi, cos_omega]) = (self.sixth, self.angles);
        let [beta, theta, phi, delta, omega, epsilon] = self.rates;
        [
            self.moment,
            m2 * da * rr * beta * (beta + theta) * sin,
            self.spring(),
            m4 * zt * (e - ea) * delta * (delta + phi) * cos_phi,
            -m6 * u * (zf - fa) * epsilon * (epsilon + omega) * cos_omega,
        ]
    }
}

fn experiment(_: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let (with, without) = (Tally::default(), Tally::default());
    let sizes = [Names::new(&with).with_coriolis().len(), Names::new(&without).without_coriolis().len()];
    for (case, tally, size, additions, multiplications) in
        [("M(q)v'", with, sizes[0], 11.0, 39.0), ("(M(q)v)'", without, sizes[1], 8.0, 21.0)]
    {
        let case = format!("{case}, {size} forces");
        finding.check(&case, "additions", Near(additions, 0.0), tally.additions.get() as f64);
        let counted = tally.multiplications.get() as f64;
        finding.check(&case, "multiplications", Near(multiplications, 0.0), counted);
    }
    Ok(finding)
}
