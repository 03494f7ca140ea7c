//! Section 6.4: contractivity and dilatation.

use taut_tableau::{Family, Matrix, Tableau};

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Paper};
use crate::error::LabError;

pub(super) const THEOREM_6_7: Claim = Claim {
    id: "jay-thm-6.7",
    paper: Paper::Jay,
    statement: "Lobatto IIIC methods are algebraically stable (definition 6.6): b >= 0 and m_ij = b_i a_ij + b_j a_ji - \
                b_i b_j is nonnegative definite.",
    claimed: "no negative eigenvalue of m, s = 2, ..., 8",
    correction: None,
    fast: true,
    source: file!(),
    experiment: contractivity,
};

pub(super) const THEOREM_6_8: Claim = Claim {
    id: "jay-thm-6.8",
    paper: Paper::Jay,
    statement: "Lobatto IIIC* methods are dilatative: they are the symmetric conjugates (37) of IIIC, and m_ij is \
                nonpositive definite.",
    claimed: "no positive eigenvalue of m, s = 2, ..., 8",
    correction: None,
    fast: true,
    source: file!(),
    experiment: dilatation,
};

/// The coefficients are computed with about 30 digits.
const ROUNDING: f64 = 1e-25;

fn trace(method: &Tableau) -> f64 {
    let matrix = method.algebraic_stability_matrix().to_f64();
    (0..method.stages()).map(|i| matrix[(i, i)]).sum()
}

fn contractivity() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=8 {
        let method = Family::LobattoIiic.tableau(s)?;
        let case = format!("s = {s}");
        let stable = method.is_algebraically_stable();
        finding.check(&case, "algebraically stable", AtLeast(1.0), f64::from(u8::from(stable)));
        finding.check(&case, "sum of eigenvalues of m", AtLeast(1e-4), trace(&method));
    }
    Ok(finding)
}

fn dilatation() -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=8 {
        let (method, contractive) = (Family::LobattoIiicStar.tableau(s)?, Family::LobattoIiic.tableau(s)?);
        let case = format!("s = {s}");
        let conjugate = method.adjoint().exact().a.plus((-1.0).into(), &contractive.exact().a).largest();
        finding.check(&case, "(37)", AtMost(ROUNDING), conjugate);
        // m of IIIC* is -m of IIIC with its rows and columns in reverse, so that it has no positive eigenvalue.
        let (m, of_iiic) = (method.algebraic_stability_matrix(), contractive.algebraic_stability_matrix());
        let sum = Matrix::from_fn(s, s, |i, j| m[(i, j)] + of_iiic[(s - 1 - i, s - 1 - j)]);
        finding.check(&case, "m + m of IIIC", AtMost(ROUNDING), sum.largest());
        finding.check(&case, "sum of eigenvalues of m", AtMost(-1e-4), trace(&method));
    }
    Ok(finding)
}
