//! Patterns are as sparse as the formulas, and nothing is missing from them.

use proptest::prelude::*;

use crate::linear::Pattern;
use crate::system::testing::*;
use crate::system::{
    Constraint, Differentiated, Fault, ForceClass, Mass, Mechanical, MechanicalSystem, Scalar, Sketch,
    Sparsity, Terms, Unrecorded,
};

/// The pattern of a chain's stiffness: each coordinate with itself and with the one above and below.
fn chain_stiffness(links: usize) -> Pattern {
    let n = 2 * links;
    let near = |i: usize| [i.checked_sub(2), Some(i), Some(i + 2)].into_iter().flatten();
    Pattern::from_entries(n, n, (0..n).flat_map(|i| near(i).map(move |j| (i, j))))
}

#[test]
fn a_chain_is_as_sparse_as_its_links() {
    for links in [1, 2, 7, 300] {
        let system = Differentiated::new(Chain { links });
        let structure = system.structure();
        let ends = |k: usize| (2 * k.saturating_sub(1)..2 * k + 2).map(move |j| (k, j));
        assert_eq!(structure.jacobian, Pattern::from_entries(links, 2 * links, (0..links).flat_map(ends)));
        assert_eq!(structure.mass, Pattern::diagonal(2 * links));
        assert_eq!(structure.stiffness, chain_stiffness(links));
        assert_eq!(structure.damping, Pattern::empty(2 * links, 2 * links));
        assert!(structure.constant_mass && !structure.linear_constraints);
    }
}

#[test]
fn a_mass_by_entries_has_these_entries() {
    let system = Differentiated::new(Everything { mass_by: MassBy::Entries });
    let structure = system.structure();
    let entries = [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (2, 1), (2, 2)];
    assert_eq!(structure.mass, Pattern::from_entries(3, 3, entries));
    assert!(!structure.constant_mass && !structure.linear_constraints);
    let by_energy = Differentiated::new(Everything { mass_by: MassBy::KineticEnergy });
    assert_eq!(by_energy.structure().mass, Pattern::from_entries(3, 3, entries));
    assert!(!by_energy.structure().constant_mass);
}

#[test]
fn closures_are_as_sparse_as_their_formulas() {
    let system = Differentiated::new(Sketch::new(["x", "y"]).rod("rod", |_t, q| q[0]));
    let structure = system.structure();
    assert_eq!(structure.mass, Pattern::diagonal(2));
    assert_eq!(structure.jacobian, Pattern::from_entries(1, 2, [(0, 0)]));
    assert_eq!((structure.stiffness.nnz(), structure.damping.nnz()), (0, 0));
    assert!(structure.constant_mass && structure.linear_constraints);
}

#[test]
fn closures_that_branch_have_full_blocks() {
    let stop = Sketch::new(["x", "y"])
        .kinetic(|_q, v| (v[0].square() + v[1].square()) * 0.5)
        .potential(|q| if q[0].value() > 1.0 { (q[0] - 1.0).square() * q[1] } else { q[1].square() });
    let system = Differentiated::new(stop);
    assert_eq!(system.unrecorded(), Some(Unrecorded::Asked));
    assert!(system.structure().stiffness.is_dense() && system.structure().mass.is_dense());
    for (q, expected) in [([3.0, 2.0], [-4.0, -4.0, -4.0, 0.0]), ([0.5, 2.0], [0.0, 0.0, 0.0, -2.0])] {
        let at = At { system: &system, t: 0.0, q: &q, v: &[0.1, 0.2] };
        assert_eq!(at.mass(), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(at.newton_blocks(Terms::ACCELERATING, &[0.0; 2], &[]).0, expected);
    }
}

/// A system whose formulas vanish at the point of the trace.
struct Vanishing;

impl Mechanical for Vanishing {
    fn coordinates(&self) -> Vec<String> {
        ["a", "b", "c", "d", "e"].map(String::from).to_vec()
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    /// A stop that is touched far away only, and a gap that is closed at the trace.
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        let stop = (q[0] - 10.0).max(S::zero()).square();
        let gap = (q[1].max(S::zero()) - q[1]).abs() * q[2];
        stop + gap
    }
    /// Forces that a ramp in time or a high velocity switches on.
    fn force<S: Scalar>(&self, class: ForceClass, t: S, q: &[S], v: &[S], force: &mut [S]) {
        match class {
            ForceClass::Driving => force[3] += (t - 5.0).max(S::zero()) * q[4],
            ForceClass::Dissipative => force[4] -= (v[3] - 10.0).max(S::zero()) * q[3],
            ForceClass::Conservative => force[2] += (q[0] - 10.0).select(q[4], S::zero()),
            ForceClass::Oscillatory => {}
        }
    }
}

proptest! {
    #![proptest_config(deterministic(32))]

    /// Every entry that is not zero somewhere is in the pattern.
    #[test]
    fn what_vanishes_at_the_trace_is_not_lost(
        away in 11.0..12.0_f64, negative in -2.0..-1.0_f64, x in prop::collection::vec(0.5..1.5_f64, 13),
    ) {
        let system = Differentiated::new(Vanishing);
        prop_assert!(system.unrecorded().is_none() && !system.structure().stiffness.is_dense());
        let q = [away, negative, x[0], x[1], x[2]];
        let v = [x[3], x[4], x[5], away, x[6]];
        let at = At { system: &system, t: 6.0, q: &q, v: &v };
        let (stiffness, damping) = at.newton_blocks(Terms::ACCELERATING, &[0.0; 5], &[]);
        let by_q = columns(&q, |q| at.moved_to(q).force(Terms::ACCELERATING));
        let by_v = columns(&v, |v| at.with_velocity(v).force(Terms::ACCELERATING));
        let structure = system.structure();
        assert_close(&full(&structure.stiffness, &stiffness).concat(), &by_q.concat(), 1e-9, "K");
        assert_close(&full(&structure.damping, &damping).concat(), &by_v.concat(), 1e-9, "D");
        let count = by_q.iter().flatten().filter(|x| x.abs() > 1e-6).count();
        prop_assert_eq!(count, 6, "all terms are at work");
    }

    #[test]
    fn a_chain_has_no_entry_outside_its_pattern(x in prop::collection::vec(-1.0..1.0_f64, 24), t in 0.0..1.0_f64) {
        let system = Differentiated::new(Chain { links: 6 });
        let (q, lambda) = (&x[..12], &x[12..18]);
        let at = At { system: &system, t, q, v: &x[12..] };
        let (stiffness, _) = at.newton_blocks(Terms::ACCELERATING, &[0.0; 12], lambda);
        let by_q = columns(q, |q| at.moved_to(q).balance(Terms::ACCELERATING, &[0.0; 12], lambda));
        assert_close(&full(&system.structure().stiffness, &stiffness).concat(), &by_q.concat(), 1e-9, "K");
    }
}

/// Which constraint a system has.
enum Held {
    Linear,
    LinearWithTime,
    ByTimeTimesPosition,
    ByVelocity,
    ByVelocityAndPosition,
    ByPositionTimesVelocity,
}

struct HeldSystem(Held);

impl Mechanical for HeldSystem {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn constraints(&self) -> Vec<Constraint> {
        match self.0 {
            Held::Linear | Held::LinearWithTime | Held::ByTimeTimesPosition => vec![Constraint::rod("held")],
            _ => vec![Constraint::nonholonomic("held")],
        }
    }
    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        let value = match self.0 {
            Held::Linear => q[0] - q[1] * 2.0,
            Held::LinearWithTime => q[0] - q[1] * 2.0 + t.sin(),
            _ => q[0] * t,
        };
        g.fill(value);
    }
    fn nonholonomic<S: Scalar>(&self, t: S, q: &[S], v: &[S], h: &mut [S]) {
        let value = match self.0 {
            Held::ByVelocity => v[0] * 3.0 - t,
            Held::ByVelocityAndPosition => v[0] - q[1].square(),
            _ => v[0] - q[1] * v[1],
        };
        h.fill(value);
    }
}

#[test]
fn constraints_are_linear_when_their_jacobian_is_constant() {
    let linear = |held: Held| Differentiated::new(HeldSystem(held)).structure().linear_constraints;
    assert!(linear(Held::Linear));
    assert!(linear(Held::LinearWithTime));
    assert!(!linear(Held::ByTimeTimesPosition));
    assert!(linear(Held::ByVelocity));
    assert!(linear(Held::ByVelocityAndPosition));
    assert!(!linear(Held::ByPositionTimesVelocity));
}

#[test]
fn nonholonomic_rows_have_the_velocities_as_columns() {
    let places = |held: Held| {
        let system = Differentiated::new(HeldSystem(held));
        system.structure().jacobian.entries().collect::<Vec<_>>()
    };
    assert_eq!(places(Held::ByVelocityAndPosition), [(0, 0)]);
    assert_eq!(places(Held::ByPositionTimesVelocity), [(0, 0), (0, 1)]);
}

/// A system that distinguishes cases by `if` and says that its blocks are full.
struct Branching;

impl Mechanical for Branching {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }
    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        if q[0].value() > 10.0 { q[0] * q[1].square() } else { S::zero() }
    }
    fn sparsity(&self) -> Sparsity {
        Sparsity::Dense
    }
}

#[test]
fn a_dense_system_has_full_blocks() {
    let system = Differentiated::new(Branching);
    assert!(system.structure().stiffness.is_dense() && system.unrecorded().is_none());
    let at = At { system: &system, t: 0.0, q: &[11.0, 2.0], v: &[0.0, 0.0] };
    let (stiffness, _) = at.newton_blocks(Terms::ACCELERATING, &[0.0; 2], &[]);
    assert_eq!(stiffness, [0.0, -4.0, -4.0, -22.0]);
}

/// A point that is led along a line.
struct Led;

impl Mechanical for Led {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "y".into()]
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn constraints(&self) -> Vec<Constraint> {
        vec![Constraint::rod("line")]
    }

    fn constraint<S: Scalar>(&self, t: S, q: &[S], g: &mut [S]) {
        g[0] = q[0] - t.cos();
    }
}

#[test]
fn constraints_that_move_are_told_from_those_that_do_not() {
    assert!(Differentiated::new(Led).constraints_move());
    let chain = Differentiated::new(Chain { links: 3 });
    assert!(!chain.constraints_move());
    let (q, v) = ([0.3, -0.9, 0.7, -1.8, 0.1, -2.2], [0.1, 0.4, -0.3, 0.2, 0.5, -0.7]);
    let pattern = &chain.structure().jacobian;
    let mut jacobian = vec![0.0; pattern.nnz()];
    let [mut rate, mut product] = [[0.0; 3]; 2];
    assert_eq!(chain.jacobian(0.2, &q, &v, &mut jacobian), Ok(()));
    assert_eq!(chain.constraint_rate(0.2, &q, &v, &mut rate), Ok(()));
    pattern.multiply_add(&jacobian, &v, &mut product, 1.0);
    for (rate, product) in rate.iter().zip(product) {
        assert!((rate - product).abs() < 1e-14, "{rate} {product}");
    }
}

/// Pushed where x is large, far from where formulas are looked at.
struct Pushed;

impl Mechanical for Pushed {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into()]
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn force<S: Scalar>(&self, class: ForceClass, _t: S, q: &[S], _v: &[S], force: &mut [S]) {
        if class == ForceClass::Driving && q[0].value() > 100.0 {
            force[0] += S::constant(1.0);
        }
    }
}

#[test]
fn terms_are_those_that_do_not_vanish_everywhere() {
    let all = Terms::ACCELERATING | Terms::KINETIC;
    assert_eq!(Differentiated::new(Chain { links: 3 }).terms(), Terms::POTENTIAL);
    assert_eq!(Differentiated::new(Led).terms(), Terms::NONE);
    assert_eq!(Differentiated::new(Everything { mass_by: MassBy::Entries }).terms(), all);
    assert_eq!(Differentiated::new(Pushed).terms(), all, "a branch that is not taken may have more");
}

/// Formulas that ask for values, in more coordinates than full blocks have room for.
struct Vast;

impl Mechanical for Vast {
    fn coordinates(&self) -> Vec<String> {
        (0..5000).map(|i| format!("x{i}")).collect()
    }

    fn mass<S: Scalar>(&self, _q: &[S], mass: &mut Mass<'_, S>) {
        mass.diagonal(S::constant(1.0));
    }

    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q.iter().fold(S::zero(), |sum, x| if x.value() > 0.0 { sum + *x } else { sum })
    }
}

#[test]
fn what_can_neither_be_recorded_nor_be_full_is_refused_with_a_sentence() {
    let system = Differentiated::new(Vast);
    assert_eq!(system.unrecorded(), Some(Unrecorded::Asked));
    let state = vec![0.5; 5000];
    let fault = system.force(Terms::ACCELERATING, 2.0, &state, &state, &mut vec![0.0; 5000]);
    assert!(matches!(&fault, Err(Fault::Raised { .. })), "{fault:?}");
    assert!(fault.is_err_and(|fault| fault.to_string().contains("`select`")));
}
