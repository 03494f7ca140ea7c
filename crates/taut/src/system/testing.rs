//! Systems and numerical derivatives that tests share.

use proptest::test_runner::{Config, RngSeed};

use super::*;

/// The same cases in every run, and no files left behind.
pub(crate) fn deterministic(cases: u32) -> Config {
    Config { rng_seed: RngSeed::Fixed(1998), failure_persistence: None, cases, ..Config::default() }
}

/// A point mass in the plane on a rod of length 1.
pub(crate) struct Pendulum;

impl Mechanical for Pendulum {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(2.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[1] * (2.0 * 9.81)
    }
    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::rod("rod")]
    }
    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        g[0] = q[0].hypot(q[1]) - 1.0;
    }
}

/// How [`Everything`] writes its mass matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MassBy {
    Entries,
    KineticEnergy,
}

/// A system in which every term exists and depends on everything it may depend on: M(q), potential, strong potential,
/// four classes of forces, a rod that moves with time, a spring, a nonholonomic constraint nonlinear in v.
pub(crate) struct Everything {
    pub(crate) mass_by: MassBy,
}

pub(crate) const STRONG: f64 = 0.5;
pub(crate) const COMPLIANCE: f64 = 0.25;

pub(crate) fn mass_entries<S: Scalar>(q: &[S]) -> [S; 5] {
    let coupling = (q[0] - q[1]).cos() * 0.4;
    [q[1].square() + 2.0, coupling, q[2].sin() * 0.3 + 1.5, q[0] * q[2] * 0.1, q[0].exp() * 0.2 + 1.0]
}

pub(crate) fn kinetic_energy<S: Scalar>(q: &[S], v: &[S]) -> S {
    let [m00, m01, m11, m12, m22] = mass_entries(q);
    (m00 * v[0].square() + m11 * v[1].square() + m22 * v[2].square()) * 0.5
        + m01 * v[0] * v[1]
        + m12 * v[1] * v[2]
}

pub(crate) fn potential<S: Scalar>(q: &[S]) -> S {
    (q[0] * q[1]).sin() + q[2].powi(3) * 0.2 + q[0].exp() * q[2]
}

pub(crate) fn strong_potential<S: Scalar>(q: &[S]) -> S {
    (q[0] - q[2].square()).square() * 0.5
}

pub(crate) fn force_on<S: Scalar>(class: ForceClass, t: S, q: &[S], v: &[S]) -> (usize, S) {
    match class {
        ForceClass::Conservative => (0, q[1].cos() * q[2]),
        ForceClass::Dissipative => (1, -(v[1].powi(3) + v[0] * q[2].square())),
        ForceClass::Driving => (2, (t * 1.3).sin() * v[0] + q[0]),
        ForceClass::Oscillatory => (0, (t * 2.0).cos() * q[1] - v[2] * v[0]),
    }
}

pub(crate) fn moving_rod<S: Scalar>(t: S, q: &[S]) -> S {
    q[0].square() * q[1] + (t * 0.7).sin() * q[2] + t.square() - 1.0
}

pub(crate) fn spring<S: Scalar>(t: S, q: &[S]) -> S {
    (q[1] - q[2]).hypot(q[0] + 3.0) - t.cos()
}

pub(crate) fn skate<S: Scalar>(t: S, q: &[S], v: &[S]) -> S {
    v[0] * q[2].sin() - v[1] * q[2].cos() * t.exp() + v[2].square() * q[0] * 0.3
}

impl Mechanical for Everything {
    fn coordinates(&self) -> Vec<String> {
        vec!["a".into(), "b".into(), "c".into()]
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        if self.mass_by == MassBy::KineticEnergy {
            return mass.kinetic(q, kinetic_energy);
        }
        let [m00, m01, m11, m12, m22] = mass_entries(q);
        for (i, j, entry) in [(0, 0, m00), (1, 0, m01), (1, 1, m11), (2, 1, m12), (2, 2, m22)] {
            mass.add(i, j, entry);
        }
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        potential(q)
    }
    fn force<S: Scalar>(&self, class: ForceClass, t: S, q: &[S], v: &[S], force: &mut [S]) {
        let (coordinate, value) = force_on(class, t, q, v);
        force[coordinate] += value;
    }
    fn constraints(&self) -> Vec<Constraint> {
        vec![
            Constraint::rod("moving rod"),
            Constraint::spring("spring", COMPLIANCE),
            Constraint::nonholonomic("skate"),
        ]
    }
    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        assert_eq!(g.len(), 2, "only holonomic constraints are asked for");
        g[0] = moving_rod(t, q);
        g[1] = spring(t, q);
    }
    fn nonholonomic<S: Scalar>(&self, t: S, q: &[S], v: &[S], h: &mut [S]) {
        h[0] = skate(t, q, v);
    }
    fn epsilon(&self) -> Option<f64> {
        Some(STRONG)
    }
    fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
        strong_potential(q)
    }
}

/// A system that is not recorded.
pub(crate) struct ByDualNumbers<M>(pub(crate) M);

impl<M: Mechanical> Mechanical for ByDualNumbers<M> {
    fn coordinates(&self) -> Vec<String> {
        self.0.coordinates()
    }
    fn mass<S: Scalar>(&self, q: &[S], mass: &mut Mass<'_, S>) {
        self.0.mass(q, mass);
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        self.0.potential(q)
    }
    fn force<S: Scalar>(&self, class: ForceClass, t: S, q: &[S], v: &[S], force: &mut [S]) {
        self.0.force(class, t, q, v, force);
    }
    fn constraints(&self) -> Vec<Constraint> {
        self.0.constraints()
    }
    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        self.0.constraint(t, q, g);
    }
    fn nonholonomic<S: Scalar>(&self, t: S, q: &[S], v: &[S], h: &mut [S]) {
        self.0.nonholonomic(t, q, v, h);
    }
    fn epsilon(&self) -> Option<f64> {
        self.0.epsilon()
    }
    fn strong_potential<S: Scalar>(&self, q: &[S]) -> S {
        self.0.strong_potential(q)
    }
    fn sparsity(&self) -> Sparsity {
        Sparsity::Dense
    }
}

/// [`Everything`] again, from closures.
pub(crate) fn sketch_of_everything() -> Sketch {
    let sketch = Sketch::new(["a", "b", "c"])
        .kinetic(kinetic_energy)
        .potential(potential)
        .strong_potential(STRONG, strong_potential)
        .rod("moving rod", moving_rod)
        .spring("spring", COMPLIANCE, spring)
        .nonholonomic_rod("skate", skate);
    ForceClass::ALL.into_iter().fold(sketch, |sketch, class| {
        let zero = [Number::zero(); 3];
        let (coordinate, _) = force_on(class, Number::zero(), &zero, &zero);
        sketch.force(class, coordinate, move |t, q, v| force_on(class, t, q, v).1)
    })
}

/// Point masses in the plane hung one below the other on rods.
pub(crate) struct Chain {
    pub(crate) links: usize,
}

impl Mechanical for Chain {
    fn coordinates(&self) -> Vec<String> {
        (1..=self.links).flat_map(|k| [format!("x{k}"), format!("y{k}")]).collect()
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential_force<S: Scalar>(&self, _q: &[S], force: &mut [S]) -> Given {
        force.iter_mut().skip(1).step_by(2).for_each(|f| *f = S::constant(-9.81));
        Given::Written
    }
    fn constraints(&self) -> Vec<Constraint> {
        (1..=self.links).map(|k| Constraint::rod(format!("rod{k}"))).collect()
    }
    fn constraint<S: Scalar>(&self, _t: S, q: &[S], g: &mut [S]) {
        for (k, g) in g.iter_mut().enumerate() {
            let above = if k == 0 { [S::zero(); 2] } else { [q[2 * k - 2], q[2 * k - 1]] };
            *g = (q[2 * k] - above[0]).square() + (q[2 * k + 1] - above[1]).square() - 1.0;
        }
    }
}

/// The derivative of f by central differences with step 1e-3, extrapolated once: about 12 digits of smooth functions.
pub(crate) fn slope(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let central = |h: f64| -> Vec<f64> {
        f(h).iter().zip(f(-h)).map(|(ahead, behind)| (ahead - behind) / (2.0 * h)).collect()
    };
    let (coarse, fine) = (central(1e-3), central(5e-4));
    fine.iter().zip(coarse).map(|(fine, coarse)| (4.0 * fine - coarse) / 3.0).collect()
}

/// ∂f/∂x as columns.
pub(crate) fn columns(x: &[f64], f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let shifted = |j: usize, h: f64| {
        let mut x = x.to_vec();
        x[j] += h;
        x
    };
    (0..x.len()).map(|j| slope(|h| f(&shifted(j, h)))).collect()
}

/// x + h d
pub(crate) fn along(x: &[f64], d: &[f64], h: f64) -> Vec<f64> {
    x.iter().zip(d).map(|(x, d)| x + h * d).collect()
}

/// A block in pattern order as columns.
pub(crate) fn full(pattern: &crate::linear::Pattern, values: &[f64]) -> Vec<Vec<f64>> {
    let mut columns = vec![vec![0.0; pattern.rows()]; pattern.cols()];
    for ((i, j), value) in pattern.entries().zip(values) {
        columns[j][i] = *value;
    }
    columns
}

/// Entries agree, relative to the largest one and to 1.
pub(crate) fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(error <= tolerance * size, "{what}[{i}]: {found} against {expected}, error {error:e}");
    }
}

/// The results of a mechanism as lists.
pub(crate) struct At<'a> {
    pub(crate) system: &'a dyn MechanicalSystem,
    pub(crate) t: f64,
    pub(crate) q: &'a [f64],
    pub(crate) v: &'a [f64],
}

impl<'a> At<'a> {
    pub(crate) fn moved_to(&self, q: &'a [f64]) -> Self {
        At { q, ..*self }
    }

    pub(crate) fn with_velocity(&self, v: &'a [f64]) -> Self {
        At { v, ..*self }
    }

    fn list(&self, length: usize, f: impl FnOnce(&mut [f64]) -> Evaluation) -> Vec<f64> {
        let mut list = vec![f64::NAN; length];
        f(&mut list).unwrap();
        list
    }

    pub(crate) fn mass(&self) -> Vec<f64> {
        self.list(self.system.structure().mass.nnz(), |out| self.system.mass(self.q, out))
    }

    pub(crate) fn force(&self, terms: Terms) -> Vec<f64> {
        self.list(self.q.len(), |out| self.system.force(terms, self.t, self.q, self.v, out))
    }

    pub(crate) fn constraint(&self) -> Vec<f64> {
        self.list(self.system.structure().m(), |out| self.system.constraint(self.t, self.q, out))
    }

    pub(crate) fn rate(&self) -> Vec<f64> {
        self.list(self.system.structure().m(), |out| self.system.constraint_rate(self.t, self.q, self.v, out))
    }

    pub(crate) fn curvature(&self) -> Vec<f64> {
        self.list(self.system.structure().m(), |out| self.system.curvature(self.t, self.q, self.v, out))
    }

    pub(crate) fn jacobian(&self) -> Vec<f64> {
        let entries = self.system.structure().jacobian.nnz();
        self.list(entries, |out| self.system.jacobian(self.t, self.q, self.v, out))
    }

    pub(crate) fn newton_blocks(&self, terms: Terms, a: &[f64], lambda: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let structure = self.system.structure();
        let mut damping = vec![f64::NAN; structure.damping.nnz()];
        let stiffness = self.list(structure.stiffness.nnz(), |out| {
            self.system.newton_blocks(terms, self.t, self.q, self.v, a, lambda, out, &mut damping)
        });
        (stiffness, damping)
    }

    /// M x
    pub(crate) fn mass_times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        self.system.structure().mass.multiply_add(&self.mass(), x, &mut product, 1.0);
        product
    }

    /// G x
    pub(crate) fn jacobian_times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.system.structure().m()];
        self.system.structure().jacobian.multiply_add(&self.jacobian(), x, &mut product, 1.0);
        product
    }

    /// f − M a − Gᵀλ
    pub(crate) fn balance(&self, terms: Terms, a: &[f64], lambda: &[f64]) -> Vec<f64> {
        let mut balance = along(&self.force(terms), &self.mass_times(a), -1.0);
        let pattern = &self.system.structure().jacobian;
        pattern.transpose_multiply_add(&self.jacobian(), lambda, &mut balance, -1.0);
        balance
    }
}
