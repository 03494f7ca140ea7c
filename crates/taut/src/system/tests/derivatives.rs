//! Every derivative of a mechanical system against numerical differences.

use proptest::prelude::*;

use crate::system::testing::*;
use crate::system::{Differentiated, ForceClass, MechanicalSystem, Terms};

const TOLERANCE: f64 = 1e-9;

fn everything(mass_by: MassBy) -> Differentiated<Everything> {
    Differentiated::new(Everything { mass_by })
}

fn point(length: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.2..1.2_f64, length)
}

/// ∂T/∂q by differences of the kinetic energy
fn kinetic_gradient(at: &At<'_>) -> Vec<f64> {
    let energy = |q: &[f64]| vec![at.system.energy(at.t, q, at.v).unwrap().kinetic];
    columns(at.q, energy).concat()
}

proptest! {
    #![proptest_config(deterministic(32))]

    /// What was recorded gives what dual numbers give.
    #[test]
    fn recorded_formulas_agree_with_dual_numbers(t in 0.0..2.0_f64, x in point(12)) {
        for mass_by in [MassBy::Entries, MassBy::KineticEnergy] {
            let (recorded, dual) = (everything(mass_by), Differentiated::new(ByDualNumbers(Everything { mass_by })));
            prop_assert!(recorded.unrecorded().is_none() && dual.structure().stiffness.is_dense());
            let (q, v, a, lambda) = (&x[..3], &x[3..6], &x[6..9], &x[9..]);
            let (found, expected) = (At { system: &recorded, t, q, v }, At { system: &dual, t, q, v });
            let patterns = recorded.structure();
            assert_close(&full(&patterns.mass, &found.mass()).concat(), &expected.mass(), 1e-14, "M");
            assert_close(&full(&patterns.jacobian, &found.jacobian()).concat(), &expected.jacobian(), 1e-14, "G");
            assert_close(&found.rate(), &expected.rate(), 1e-14, "rate");
            assert_close(&found.curvature(), &expected.curvature(), 1e-13, "curvature");
            for terms in [Terms::ACCELERATING, Terms::KINETIC, Terms::POTENTIAL, Terms::of(ForceClass::Driving)] {
                assert_close(&found.force(terms), &expected.force(terms), 1e-13, "f");
                let (stiffness, damping) = found.newton_blocks(terms, a, lambda);
                let (expected_stiffness, expected_damping) = expected.newton_blocks(terms, a, lambda);
                assert_close(&full(&patterns.stiffness, &stiffness).concat(), &expected_stiffness, 1e-13, "K");
                assert_close(&full(&patterns.damping, &damping).concat(), &expected_damping, 1e-13, "D");
            }
            let [found, expected] = [recorded.energy(t, q, v), dual.energy(t, q, v)].map(|energy| energy.unwrap());
            assert_close(&[found.kinetic, found.potential], &[expected.kinetic, expected.potential], 1e-14, "energy");
        }
    }

    #[test]
    fn mass_is_that_of_the_kinetic_energy(q in point(3), v in point(3)) {
        let [m00, m01, m11, m12, m22] = mass_entries(&q);
        let expected = [m00, m01, 0.0, m01, m11, m12, 0.0, m12, m22];
        for mass_by in [MassBy::Entries, MassBy::KineticEnergy] {
            let system = everything(mass_by);
            let at = At { system: &system, t: 0.0, q: &q, v: &v };
            let found = full(&system.structure().mass, &at.mass()).concat();
            assert_close(&found, &expected, 1e-15, "M");
            let energy = system.energy(0.0, &q, &v).unwrap().kinetic;
            assert_close(&[energy], &[kinetic_energy(&q, &v)], 1e-14, "T");
        }
    }

    #[test]
    fn potential_energy_has_springs_and_the_strong_potential(t in 0.0..2.0_f64, q in point(3), v in point(3)) {
        let found = everything(MassBy::Entries).energy(t, &q, &v).unwrap();
        let spring = spring(t, &q);
        let expected = potential(&q) + strong_potential(&q) / (STRONG * STRONG) + spring * spring / (2.0 * COMPLIANCE);
        assert_close(&[found.potential, found.total()], &[expected, expected + found.kinetic], 1e-14, "V");
    }

    #[test]
    fn jacobian_of_constraints(t in 0.0..2.0_f64, q in point(3), v in point(3)) {
        let system = everything(MassBy::Entries);
        let at = At { system: &system, t, q: &q, v: &v };
        let found = full(&system.structure().jacobian, &at.jacobian());
        let by_q = columns(&q, |q| at.moved_to(q).constraint());
        let by_v = columns(&v, |v| at.with_velocity(v).rate());
        for j in 0..3 {
            assert_close(&found[j], &[by_q[j][0], by_q[j][1], by_v[j][2]], TOLERANCE, "G");
            // The rate of a holonomic constraint has the slope G in v.
            assert_close(&found[j], &by_v[j], TOLERANCE, "∂(G v + g_t)/∂v");
        }
        prop_assert_eq!(at.constraint()[2], 0.0);
    }

    /// G v + g_t and G_q(v, v) + 2 G_t v + g_tt are derivatives along q + τ v, t + τ.
    #[test]
    fn rate_and_curvature(t in 0.0..2.0_f64, q in point(3), v in point(3)) {
        let system = everything(MassBy::Entries);
        let at = At { system: &system, t, q: &q, v: &v };
        let rate = slope(|tau| At { t: t + tau, ..at.moved_to(&along(&q, &v, tau)) }.constraint());
        assert_close(&at.rate()[..2], &rate[..2], TOLERANCE, "rate");
        assert_close(&at.rate()[2..], &[skate(t, &q, &v)], 1e-15, "h");
        let curvature = slope(|tau| At { t: t + tau, ..at.moved_to(&along(&q, &v, tau)) }.rate());
        assert_close(&at.curvature(), &curvature, TOLERANCE, "curvature");
    }

    /// With v' as well, the second derivative of g is G v' + curvature.
    #[test]
    fn curvature_is_what_accelerations_leave(t in 0.0..2.0_f64, q in point(3), v in point(3), a in point(3)) {
        let system = everything(MassBy::Entries);
        let at = At { system: &system, t, q: &q, v: &v };
        let found = along(&at.jacobian_times(&a), &at.curvature(), 1.0);
        let rate = |tau: f64| {
            let (q, v) = (along(&along(&q, &v, tau), &a, 0.5 * tau * tau), along(&v, &a, tau));
            At { system: &system, t: t + tau, q: &q, v: &v }.rate()
        };
        assert_close(&found, &slope(rate), TOLERANCE, "acceleration");
    }

    #[test]
    fn potential_forces_are_gradients(q in point(3), v in point(3)) {
        let system = everything(MassBy::Entries);
        let at = At { system: &system, t: 0.4, q: &q, v: &v };
        // The spring is not among them: it acts through its multiplier.
        let energy = |q: &[f64]| vec![-potential(q) - strong_potential(q) / (STRONG * STRONG)];
        assert_close(&at.force(Terms::POTENTIAL), &columns(&q, energy).concat(), TOLERANCE, "−∂V/∂q");
    }

    #[test]
    fn forces_by_class(t in 0.0..2.0_f64, q in point(3), v in point(3)) {
        let system = everything(MassBy::Entries);
        let at = At { system: &system, t, q: &q, v: &v };
        let mut sum = at.force(Terms::POTENTIAL | Terms::CORIOLIS);
        for class in ForceClass::ALL {
            let (coordinate, value) = force_on(class, t, &q, &v);
            let mut expected = vec![0.0; 3];
            expected[coordinate] = value;
            prop_assert_eq!(&at.force(Terms::of(class)), &expected);
            sum = along(&sum, &expected, 1.0);
        }
        assert_close(&at.force(Terms::ACCELERATING), &sum, 1e-14, "f");
        assert_close(
            &at.force(Terms::APPLIED),
            &along(&sum, &at.force(Terms::POTENTIAL | Terms::CORIOLIS), -1.0),
            1e-13,
            "applied",
        );
        prop_assert_eq!(at.force(Terms::NONE), vec![0.0; 3]);
    }

    /// KINETIC is ∂T/∂q, and CORIOLIS takes away (∂(M v)/∂q) v.
    #[test]
    fn kinetic_and_coriolis_terms(q in point(3), v in point(3)) {
        for mass_by in [MassBy::Entries, MassBy::KineticEnergy] {
            let system = everything(mass_by);
            let at = At { system: &system, t: 0.0, q: &q, v: &v };
            let gradient = kinetic_gradient(&at);
            assert_close(&at.force(Terms::KINETIC), &gradient, TOLERANCE, "∂T/∂q");
            let transport = slope(|tau| at.moved_to(&along(&q, &v, tau)).mass_times(&v));
            assert_close(&at.force(Terms::CORIOLIS), &along(&gradient, &transport, -1.0), TOLERANCE, "Coriolis");
        }
    }

    /// The power of the Coriolis terms is −vᵀ(dM/dt)v / 2, so that T keeps its balance.
    #[test]
    fn coriolis_terms_keep_the_energy(q in point(3), v in point(3)) {
        let system = everything(MassBy::Entries);
        let at = At { system: &system, t: 0.0, q: &q, v: &v };
        let power: f64 = at.force(Terms::CORIOLIS).iter().zip(&v).map(|(f, v)| f * v).sum();
        let change = slope(|tau| vec![system.energy(0.0, &along(&q, &v, tau), &v).unwrap().kinetic]);
        assert_close(&[power], &[-change[0]], TOLERANCE, "power");
    }

    /// K = ∂(f − M a − Gᵀλ)/∂q and D = ∂f/∂v, for each set of terms on its own.
    #[test]
    fn newton_blocks(
        t in 0.0..2.0_f64, q in point(3), v in point(3), a in point(3), lambda in point(3),
        terms in prop::sample::select(vec![
            Terms::NONE, Terms::POTENTIAL, Terms::KINETIC, Terms::CORIOLIS, Terms::APPLIED, Terms::ACCELERATING,
            Terms::CONSERVATIVE, Terms::DISSIPATIVE, Terms::DRIVING, Terms::OSCILLATORY,
        ]),
    ) {
        for mass_by in [MassBy::Entries, MassBy::KineticEnergy] {
            let system = everything(mass_by);
            let structure = system.structure();
            let at = At { system: &system, t, q: &q, v: &v };
            let (stiffness, damping) = at.newton_blocks(terms, &a, &lambda);
            let by_q = columns(&q, |q| at.moved_to(q).balance(terms, &a, &lambda));
            let by_v = columns(&v, |v| at.with_velocity(v).force(terms));
            assert_close(&full(&structure.stiffness, &stiffness).concat(), &by_q.concat(), TOLERANCE, "K");
            assert_close(&full(&structure.damping, &damping).concat(), &by_v.concat(), TOLERANCE, "D");
        }
    }

    /// The parts of K on their own: −∂(M a)/∂q, and −∂(Gᵀλ)/∂q, which is linear in λ.
    #[test]
    fn parts_of_the_stiffness(t in 0.0..2.0_f64, q in point(3), v in point(3), a in point(3), lambda in point(3)) {
        let system = everything(MassBy::Entries);
        let at = At { system: &system, t, q: &q, v: &v };
        let zero = [0.0; 3];
        let inertia = at.newton_blocks(Terms::NONE, &a, &zero).0;
        let reactions = at.newton_blocks(Terms::NONE, &zero, &lambda).0;
        let pattern = &system.structure().stiffness;
        let minus = |x: Vec<f64>| x.into_iter().map(|x| -x).collect::<Vec<_>>();
        let by_q = columns(&q, |q| minus(at.moved_to(q).mass_times(&a)));
        assert_close(&full(pattern, &inertia).concat(), &by_q.concat(), TOLERANCE, "−∂(M a)/∂q");
        let both = at.newton_blocks(Terms::NONE, &a, &lambda).0;
        assert_close(&both, &along(&inertia, &reactions, 1.0), 1e-14, "the sum");
        let twice = at.newton_blocks(Terms::NONE, &zero, &along(&lambda, &lambda, 1.0)).0;
        assert_close(&twice, &along(&reactions, &reactions, 1.0), 1e-14, "linear in λ");
    }

    /// To rounding: together all is computed by what was recorded, M and g alone by the formulas themselves.
    #[test]
    fn dynamics_is_all_at_once(t in 0.0..2.0_f64, q in point(3), v in point(3)) {
        let system = everything(MassBy::Entries);
        let at = At { system: &system, t, q: &q, v: &v };
        let (mut mass, mut force) = (at.mass(), vec![0.0; 3]);
        mass.fill(0.0);
        let (mut constraint, mut jacobian) = (vec![0.0; 3], vec![0.0; at.jacobian().len()]);
        let mut out = crate::system::Dynamics {
            mass: &mut mass, force: &mut force, constraint: &mut constraint, jacobian: &mut jacobian,
        };
        system.dynamics(t, &q, &v, &mut out).unwrap();
        assert_close(&mass, &at.mass(), 1e-15, "M");
        assert_close(&constraint, &at.constraint(), 1e-15, "g");
        prop_assert_eq!((force, jacobian), (at.force(Terms::ACCELERATING), at.jacobian()));
    }
}
