//! Section 5: linear stability. L-stability, P-stability and explosivity of the members of the family.

use taut_tableau::{Family, Lobatto, Pair, Periodicity, Spark, StabilityFunction, Tableau};

use super::super::Expected::{self, AtLeast, AtMost, Near};
use super::super::{Claim, Finding, Mutant, Mutants, Paper, Series, Trial};
use crate::error::LabError;

pub(super) const THEOREM_5_2: Claim = Claim {
    id: "jay-thm-5.2",
    paper: Paper::Jay,
    statement: "Lobatto IIIC methods are L-stable (26), (27); their stability function is the (s-2, s) Pade approximation \
                of the exponential.",
    claimed: "|R(iy)| <= 1, R(inf) = 0, poles to the right; R is (s-2, s) Pade, s = 2, ..., 8",
    bounds: "(26), (27) and the Pade approximation, to rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::LobattoIiid)]),
    experiment: l_stability,
};

pub(super) const THEOREM_5_4: Claim = Claim {
    id: "jay-thm-5.4",
    paper: Paper::Jay,
    statement: "Symmetric Runge-Kutta methods, Lobatto IIIA (corollary 5.5) and IIIB (5.6) among them, are P-stable: the \
                eigenvalues of (30) have modulus 1 for all h omega.",
    claimed: "det M = 1, |trace M| <= 2 for all h omega",
    bounds: "determinant and trace of (30), to rounding",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::LobattoIiic)]),
    experiment: p_stability,
};

pub(super) const THEOREM_5_7: Claim = Claim {
    id: "jay-thm-5.7",
    paper: Paper::Jay,
    statement: "The pairs Lobatto IIIA-B are not P-stable; with 2 stages (Verlet) the interval of periodicity is ]-2, 2[.",
    claimed: "the interval ends at h omega = 2 for s = 2, and somewhere for all s",
    bounds: "2 of the statement; beyond s = 2 ends known from another program",
    correction: None,
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Exchanged(Lobatto::A, Lobatto::B)]),
    experiment: no_p_stability,
};

pub(super) const THEOREM_5_9: Claim = Claim {
    id: "jay-thm-5.9",
    paper: Paper::Jay,
    statement: "Lobatto IIIC* methods are unconditionally explosive (31), (32), and a method is so if and only if R is a \
                (k, k-1) or (k, k-2) Pade approximation.",
    claimed: "|R(iy)| >= 1, |R| to infinity, zeros to the left, s = 2, ..., 8",
    bounds: "(31), (32) and the Pade approximation, to rounding",
    correction: Some(
        "Printed: if and only if. The theorem holds; \"only if\" does not: two half steps of the explicit Euler method, \
         R = (1 + z/2)^2, which approximates the exponential to order 1 only, are unconditionally explosive, too.",
    ),
    fast: true,
    source: file!(),
    mutants: Mutants::Caught(&[Mutant::Instead(Family::LobattoIiic)]),
    experiment: explosivity,
};

/// Frequencies h omega, from small to large.
fn frequencies() -> impl Iterator<Item = f64> {
    (0..=400).map(|k| 10.0_f64.powf(-2.0 + 0.015 * f64::from(k)))
}

fn modulus(function: &StabilityFunction, y: f64) -> f64 {
    let (re, im) = function.value(0.0, y);
    re.hypot(im)
}

fn truth(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// The largest relative distance of R from the (k, j) Padé approximation Σ (k!(k+j-i)!)/((k-i)!(k+j)! i!) zⁱ / ... on the
/// circle |z| = 1.
fn distance_from_pade(function: &StabilityFunction, k: usize, j: usize) -> f64 {
    let term = |k: usize, j: usize, i: usize| {
        (0..i).map(|n| (k - n) as f64 / ((k + j - n) as f64 * (n + 1) as f64)).product::<f64>()
    };
    (0..64).fold(0.0, |most: f64, n| {
        let (im, re) = (f64::from(n) * std::f64::consts::TAU / 64.0).sin_cos();
        let sum = |k: usize, j: usize, sign: f64| {
            let mut power = (1.0, 0.0);
            let mut sum = (0.0, 0.0);
            for i in 0..=k {
                let weight = term(k, j, i);
                sum = (sum.0 + weight * power.0, sum.1 + weight * power.1);
                power = (sign * (power.0 * re - power.1 * im), sign * (power.0 * im + power.1 * re));
            }
            sum
        };
        let (p, q) = (sum(k, j, 1.0), sum(j, k, -1.0));
        let (r, i) = function.value(re, im);
        let error = (r * q.0 - i * q.1 - p.0).hypot(r * q.1 + i * q.0 - p.1);
        most.max(error / p.0.hypot(p.1))
    })
}

fn l_stability(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=8 {
        let case = format!("s = {s}");
        let function = trial.tableau(Family::LobattoIiic, s)?.stability_function();
        let largest = frequencies().map(|y| modulus(&function, y)).fold(0.0, f64::max);
        finding.check(&case, "largest |R(iy)|", AtMost(1.0 + 1e-14), largest);
        finding.check(&case, "R(inf)", Near(0.0, 0.0), function.at_infinity());
        let pole =
            function.denominator().roots().iter().map(|pole| pole.re.to_f64()).fold(f64::MAX, f64::min);
        finding.check(&case, "least real part of a pole", AtLeast(0.1), pole);
        finding.check(&case, "distance from Pade", AtMost(1e-14), distance_from_pade(&function, s - 2, s));
        finding.check(&case, "L-stable", AtLeast(1.0), truth(function.is_l_stable()));
        let points = frequencies().map(|y| (y, modulus(&function, y))).collect();
        finding.draw("|R(iy)|", "y", "|R|", Series::plain(case, points));
    }
    Ok(finding)
}

/// The largest |det M - 1| and the largest |trace M|/2 of a pair.
fn of_stability_matrix(pair: &Pair) -> (f64, f64) {
    frequencies().fold((0.0, 0.0), |(area, trace): (f64, f64), mu| {
        let [[a, b], [c, d]] = pair.stability_matrix(mu);
        (area.max((a * d - b * c - 1.0).abs()), trace.max(0.5 * (a + d).abs()))
    })
}

fn end(periodicity: Periodicity) -> f64 {
    match periodicity {
        Periodicity::Everywhere => f64::INFINITY,
        Periodicity::UpTo(end) => end,
        Periodicity::Nowhere => 0.0,
    }
}

fn p_stability(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for family in [Family::LobattoIiia, Family::LobattoIiib, Family::LobattoIiid, Family::Gauss] {
        for s in 2..=6 {
            let method = trial.tableau(family, s)?;
            let pair = Pair::of(&method, &method)?;
            let (area, trace) = of_stability_matrix(&pair);
            let case = format!("{family} s = {s}");
            finding.check(&case, "|det M - 1|", AtMost(1e-10), area);
            finding.check(&case, "|trace M|/2", AtMost(1.0 + 1e-14), trace);
            let everywhere = pair.periodicity() == Periodicity::Everywhere;
            finding.check(&case, "periodic for all h omega", AtLeast(1.0), truth(everywhere));
        }
    }
    Ok(finding)
}

fn no_p_stability(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    // Beyond s = 2 the paper gives no figures; these ends are known from an independent computation.
    let ends = [2.0, 8.0_f64.sqrt(), 3.1127, 3.14045];
    for (s, known) in (2..).zip(ends) {
        let pair = Spark::new(s)?.pair(trial.lobatto(Lobatto::A), trial.lobatto(Lobatto::B));
        let case = format!("s = {s}");
        let found = end(pair.periodicity());
        let expected: Expected = if s == 2 { Near(2.0, 1e-14) } else { Near(known, 1e-4) };
        finding.check(&case, "end of the interval", expected, found);
        let [[a, _], [_, d]] = pair.stability_matrix(1.0001 * found);
        finding.check(&case, "|trace M|/2 beyond it", AtLeast(1.0 + 1e-9), 0.5 * (a + d).abs());
        let trace = |mu: f64| {
            let [[a, _], [_, d]] = pair.stability_matrix(mu);
            (mu, 0.5 * (a + d).abs())
        };
        let points = (1..=400).map(|k| trace(0.01 * f64::from(k))).collect();
        finding.draw_on(
            "|trace M|/2",
            ("h omega", "|trace M|/2"),
            (false, false),
            Series::plain(case, points),
        );
    }
    Ok(finding)
}

fn explosivity(trial: &Trial) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    for s in 2..=8 {
        let case = format!("s = {s}");
        let function = trial.tableau(Family::LobattoIiicStar, s)?.stability_function();
        let least = frequencies().map(|y| modulus(&function, y)).fold(f64::MAX, f64::min);
        finding.check(&case, "least |R(iy)|", AtLeast(1.0 - 1e-14), least);
        finding.check(&case, "R(inf)", AtLeast(f64::INFINITY), function.at_infinity().abs());
        let zero = function.numerator().roots().iter().map(|zero| zero.re.to_f64()).fold(f64::MIN, f64::max);
        finding.check(&case, "largest real part of a zero", AtMost(-0.1), zero);
        finding.check(&case, "distance from Pade", AtMost(1e-14), distance_from_pade(&function, s, s - 2));
        let explosive = function.is_unconditionally_explosive();
        finding.check(&case, "unconditionally explosive", AtLeast(1.0), truth(explosive));
    }
    let matrix = taut_tableau::Matrix::from_fn(2, 2, |i, j| if i == 1 && j == 0 { 0.5 } else { 0.0 });
    let half_steps = Tableau::new("two half steps of Euler", &matrix, &[0.5, 0.5], &[0.0, 0.5])?;
    let function = half_steps.stability_function();
    let case = "explicit Euler, two half steps";
    finding.check(case, "order", Near(1.0, 0.0), half_steps.order() as f64);
    let explosive = function.is_unconditionally_explosive();
    finding.check(case, "unconditionally explosive", AtLeast(1.0), truth(explosive));
    Ok(finding)
}
