//! Section 6.4: contractivity and dilatation.

use taut_tableau::{Family, Matrix, Tableau};

use super::super::Expected::{AtLeast, AtMost};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Trial};
use crate::error::LabError;

pub(super) const THEOREM_6_7: Claim = Claim {
    id: "jay-thm-6.7",
    paper: Paper::Jay,
    statement: "Lobatto IIIC methods are algebraically stable (definition 6.6): b >= 0 and m_ij = b_i a_ij + b_j a_ji - \
                b_i b_j is nonnegative definite.",
    claimed: "no negative eigenvalue of m, s = 2, ..., 8",
    bounds: "definition 6.6, to rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::LobattoIiicStar)]),
    experiment: contractivity,
};

pub(super) const THEOREM_6_8: Claim = Claim {
    id: "jay-thm-6.8",
    paper: Paper::Jay,
    statement: "Lobatto IIIC* methods are dilatative: they are the symmetric conjugates (37) of IIIC, and m_ij is \
                nonpositive definite.",
    claimed: "no positive eigenvalue of m, s = 2, ..., 8",
    bounds: "(37), to rounding of coefficients with 30 digits",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::LobattoIiid)]),
    experiment: dilatation,
};

/// The coefficients are computed with about 30 digits.
const ROUNDING: f64 = 1e-25;

fn trace(method: &Tableau) -> f64 {
    let matrix = method.algebraic_stability_matrix().to_f64();
    (0..method.stages()).map(|i| matrix[(i, i)]).sum()
}

/// The least diagonal entry of m, and the largest |m_ij^2 - m_ii m_jj|: m of IIIC has the rank 1, and a matrix of rank 1
/// is nonnegative definite if no diagonal entry is negative.
fn rank_one(method: &Tableau) -> (f64, f64) {
    let (m, s) = (method.algebraic_stability_matrix().to_f64(), method.stages());
    let least = (0..s).map(|i| m[(i, i)]).fold(f64::INFINITY, f64::min);
    let minors = (0..s * s).map(|k| (k / s, k % s)).map(|(i, j)| m[(i, j)].powi(2) - m[(i, i)] * m[(j, j)]);
    (least, minors.fold(0.0, |most: f64, minor| most.max(minor.abs())))
}

fn contractivity(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=8 {
        let method = trial.tableau(Family::LobattoIiic, s)?;
        let case = format!("s = {s}");
        let stable = method.is_algebraically_stable();
        finding.check(&case, "algebraically stable", AtLeast(1.0), f64::from(u8::from(stable)));
        finding.check(&case, "sum of eigenvalues of m", AtLeast(1e-4), trace(&method));
        let (least, minor) = rank_one(&method);
        finding.check(&case, "least diagonal entry of m", AtLeast(0.0), least);
        finding.check(&case, "minors of m", AtMost(1e-16), minor);
    }
    Ok(finding)
}

fn dilatation(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=8 {
        let (method, contractive) =
            (trial.tableau(Family::LobattoIiicStar, s)?, Family::LobattoIiic.tableau(s)?);
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
