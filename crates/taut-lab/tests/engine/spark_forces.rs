//! Each class of forces is treated with coefficients of its own, and the user may choose others (Jay 1998, sections 5, 7).

use crate::spark_common::{SWINGING, distance, pendulum, run, spark};
use taut::Solver;
use taut::method::{Damped, Damping, Method, Shares, SparkOptions};
use taut::options::Options;
use taut::system::{Differentiated, ForceClass, MechanicalSystem, Scalar, Sketch};
use taut_tableau::{Lobatto, Spark};

/// v' = z v as a force of a class: one step of length 1 multiplies v by the stability function at z.
fn linear_force(class: ForceClass, z: f64) -> Differentiated<Sketch> {
    Differentiated::new(Sketch::new(["x"]).force(class, 0, move |_t, _q, v| v[0] * z))
}

fn growth(system: &dyn MechanicalSystem, stages: usize, options: Options) -> f64 {
    let solver = Solver::mechanical(system).options(options).method(spark(stages)).step(1.0);
    run(&solver, 0.0, 1.0, &[0.0, 1.0]).v()[0]
}

#[test]
fn every_class_has_the_stability_function_of_its_coefficients() {
    for stages in 2..=4 {
        let lobatto = Spark::new(stages).unwrap();
        let oscillatory = if stages > 2 { Lobatto::A } else { Lobatto::C };
        for (class, matrix) in [
            (ForceClass::Conservative, Lobatto::B),
            (ForceClass::Dissipative, Lobatto::C),
            (ForceClass::Driving, Lobatto::CStar),
            (ForceClass::Oscillatory, oscillatory),
        ] {
            for z in [-0.7, 0.4] {
                let (expected, _) = lobatto.tableau(matrix).stability_function().value(z, 0.0);
                let found = growth(&linear_force(class, z), stages, Options::default());
                assert!(
                    (found - expected).abs() < 1e-14,
                    "{class:?}, {stages} stages: {found} for {expected}"
                );
            }
        }
    }
}

#[test]
fn shares_have_the_stability_function_of_the_combination() {
    let lobatto = Spark::new(3).unwrap();
    for damping in [0.0, 0.3, 1.0] {
        let shares = Shares::damped(Lobatto::B, damping);
        let combination = lobatto.combination(shares.as_slice()).unwrap();
        let mut options = Options::default();
        options.spark.conservative = shares;
        let (expected, _) = combination.stability_function().value(-2.0, 0.0);
        let found = growth(&linear_force(ForceClass::Conservative, -2.0), 3, options);
        assert!((found - expected).abs() < 1e-14, "share {damping}: {found} for {expected}");
    }
}

/// A share of an applied force is damped: v' = z v is multiplied by the stability function of the convex combination, on
/// each coordinate with its own share, also when the share comes from a function of the solution.
#[test]
fn damping_shares_have_the_stability_function_of_the_combination() {
    let lobatto = Spark::new(3).unwrap();
    let two = Sketch::new(["x", "y"]).force(ForceClass::Conservative, 0, |_t, _q, v| v[0] * -2.0).force(
        ForceClass::Driving,
        1,
        |_t, _q, v| v[1] * -0.7,
    );
    let two = Differentiated::new(two);
    let expected = |matrix: Lobatto, share: f64, z: f64| {
        let combination = lobatto.combination(Shares::damped(matrix, share).as_slice()).unwrap();
        combination.stability_function().value(z, 0.0).0
    };
    let of_solution = Damping::of(|_t, _q, v, shares| {
        shares.copy_from_slice(&[0.3 * v[0], 2.0 * v[1]]);
    });
    for (damping, shares) in [
        (Damping::Shares(vec![0.3, 0.0]), [0.3, 0.0]),
        (Damping::Shares(vec![1.0, 0.6]), [1.0, 0.6]),
        (of_solution, [0.3, 1.0]),
    ] {
        let mut options = Options::default();
        options.spark.damping = damping.clone();
        let solver = Solver::mechanical(&two).options(options).method(spark(3)).step(1.0);
        let motion = run(&solver, 0.0, 1.0, &[0.0, 0.0, 1.0, 1.0]);
        let expected = [expected(Lobatto::B, shares[0], -2.0), expected(Lobatto::CStar, shares[1], -0.7)];
        assert!(distance(motion.v(), &expected) < 1e-14, "{damping:?}: {:?} for {expected:?}", motion.v());
    }
}

/// Shares change no order: the viscous pendulum with shares that follow the solution, against a reference.
#[test]
fn damping_shares_keep_the_order() {
    let viscous = viscous_pendulum(0.2);
    let exact = run(&Solver::mechanical(&viscous).tolerance(1e-13), 0.0, 1.0, &SWINGING);
    let mut options = Options::default();
    options.spark.dissipative = Shares::only(Lobatto::B);
    options.spark.damping = Damping::of(|t, q, v, shares| {
        shares.copy_from_slice(&[0.5 + 0.4 * (3.0 * t).sin() * q[0], v[1].abs()]);
    });
    let errors = [0.1, 0.05, 0.025].map(|h| {
        let solver = Solver::mechanical(&viscous).options(options.clone()).method(spark(3)).step(h);
        let motion = run(&solver, 0.0, 1.0, &SWINGING);
        distance(motion.q(), exact.q()).max(distance(motion.v(), exact.v()))
    });
    for two in errors.windows(2) {
        let order = (two[0] / two[1]).log2();
        assert!((3.8..4.3).contains(&order), "{errors:?}");
    }
}

/// The same share for all coordinates is that of all equations: positions, elastic forces, springs, rods.
#[test]
fn equal_shares_of_all_coordinates_damp_the_whole_motion() {
    let sketch = Sketch::new(["x", "y", "z"])
        .kinetic(|q, v| (v[0].square() * (q[1].square() + 1.0) + v[1].square() + v[2].square()) * 0.5)
        .potential(|q| (q[2] - q[0]).square() * 50.0 + q[1])
        .spring("spring", 1e-4, |_t, q| q[0].hypot(q[1]) - 1.0)
        .rod("rod", |_t, q| q[2].square() + q[1].square() * 2.0 - 2.0);
    let system = Differentiated::new(sketch);
    let start = [0.0, -1.0, 0.0, 0.3, 0.0, -0.2];
    for (stages, share) in [(2, 0.4), (3, 0.4), (3, 1.0), (4, 0.05)] {
        let state = |spark_options: SparkOptions| {
            let options = Options { spark: spark_options, ..Options::default() };
            let solver = Solver::mechanical(&system).options(options).method(spark(stages)).step(0.02);
            run(&solver, 0.0, 1.0, &start).y
        };
        let by_coordinate = SparkOptions {
            damping: Damping::Shares(vec![share; 3]),
            damping_of: Damped::Motion,
            ..SparkOptions::default()
        };
        let (one, other) = (state(SparkOptions::damped(share)), state(by_coordinate));
        assert!(distance(&one, &other) < 1e-10, "{stages} stages, share {share}: {one:?} {other:?}");
    }
}

/// Two vibrations beside each other: only that of the coordinate with a share is damped, the other one keeps its energy.
#[test]
fn shares_damp_the_elastic_forces_of_their_coordinates() {
    let sketch = Sketch::new(["x", "y"]).potential(|q| (q[0].square() + q[1].square()) * 5e5);
    let system = Differentiated::new(sketch);
    for (shares, left) in [([0.3, 0.0], [false, true]), ([0.0, 1.0], [true, false])] {
        let mut options = Options::default();
        options.spark.damping = Damping::Shares(shares.to_vec());
        options.spark.damping_of = Damped::Motion;
        let solver = Solver::mechanical(&system).options(options).method(spark(3)).step(2e-3);
        let motion = run(&solver, 0.0, 10.0, &[1e-3, 1e-3, 0.0, 0.0]);
        for k in 0..2 {
            let energy = motion.q()[k].powi(2) * 5e5 + motion.v()[k].powi(2) * 0.5;
            let kept = (0.5..2.0).contains(&(energy / 0.5));
            assert!(if left[k] { kept } else { energy < 1e-6 }, "{shares:?}, {k}: {energy}");
        }
    }
}

/// A pendulum in honey.
fn viscous_pendulum(friction: f64) -> Differentiated<Sketch> {
    let sketch = Sketch::new(["x", "y"])
        .potential(|q| q[1])
        .rod("rod", |_t, q| q[0].hypot(q[1]) - 1.0)
        .force(ForceClass::Dissipative, 0, move |_t, _q, v| -(v[0] * friction))
        .force(ForceClass::Dissipative, 1, move |_t, _q, v| -(v[1] * friction));
    Differentiated::new(sketch)
}

/// Friction takes energy out in every step, and the motion is that of other methods.
#[test]
fn friction_damps() {
    let viscous = viscous_pendulum(0.2);
    let exact = run(&Solver::mechanical(&viscous).tolerance(1e-12), 0.0, 5.0, &SWINGING);
    let solver = Solver::mechanical(&viscous).method(spark(3)).step(0.05).output(taut::run::Output::Steps);
    let motion = run(&solver, 0.0, 5.0, &SWINGING);
    assert!(distance(motion.q(), exact.q()) < 1e-6 && distance(motion.v(), exact.v()) < 1e-6);
    let energy = |(t, y): (f64, &[f64])| viscous.energy(t, &y[..2], &y[2..4]).unwrap().total();
    let energies: Vec<f64> = motion.trajectory.iter().map(energy).collect();
    assert!(energies.windows(2).all(|two| two[1] < two[0]), "friction brings energy in");
}

/// With IIIC the steps need not resolve how strong friction stops the motion; what remains is the creep v = f/γ. With
/// IIIB the velocity is thrown to and fro.
#[test]
fn strong_friction_stops_the_motion_at_once() {
    for friction in [1e3, 1e6, 1e9, 3e9, 1e11, 7e11, 1e12, 3e12] {
        let viscous = viscous_pendulum(friction);
        let solver = Solver::mechanical(&viscous).method(spark(3)).step(0.1);
        let motion = run(&solver, 0.0, 1.0, &SWINGING);
        // The tangential part of gravity: (−x y, x²) at the place where it stopped.
        let (x, y) = (motion.q()[0], motion.q()[1]);
        let creep = [x * y / friction, -x * x / friction];
        assert!(distance(motion.v(), &creep) < 0.01 / friction, "friction {friction:e}: {:?}", motion.v());
    }
    let mut options = Options::default();
    options.spark.dissipative = Shares::only(Lobatto::B);
    let viscous = viscous_pendulum(1e3);
    let motion =
        run(&Solver::mechanical(&viscous).options(options).method(spark(3)).step(0.1), 0.0, 1.0, &SWINGING);
    assert!(motion.v()[0].abs() > 0.1, "IIIB damps strong friction: {:?}", motion.v());
}

/// x'' = −ω² x with hω = 10: with IIIA (class oscillatory) the amplitude stays, IIIB lets it explode beyond hω = 2√2.
#[test]
fn oscillatory_forces_need_not_be_resolved() {
    let oscillator = |class: ForceClass| {
        Differentiated::new(Sketch::new(["x"]).force(class, 0, |_t, q, _v| -(q[0] * 1e4)))
    };
    let amplitude = |system: &dyn MechanicalSystem, until: f64| {
        let motion = run(&Solver::mechanical(system).method(spark(3)).step(0.1), 0.0, until, &[1.0, 0.0]);
        motion.q()[0].hypot(motion.v()[0] / 100.0)
    };
    let oscillatory = amplitude(&oscillator(ForceClass::Oscillatory), 20.0);
    assert!((oscillatory - 1.0).abs() < 1e-10, "IIIA: amplitude {oscillatory}");
    let conservative = amplitude(&oscillator(ForceClass::Conservative), 2.0);
    assert!(conservative > 1e10, "IIIB: amplitude {conservative:e}");
}

/// Steps much longer than the period of a stiff spring, however stiff: with 4 stages the error does not depend on ε.
#[test]
fn springs_of_any_stiffness_take_the_same_steps() {
    for epsilon in [1e-3, 1e-4, 1e-6, 1e-8] {
        let spring =
            Sketch::new(["x", "y"])
                .potential(|q| q[1])
                .spring("spring", epsilon * epsilon, |_t, q| q[0].hypot(q[1]) - 1.0);
        let spring = Differentiated::new(spring);
        let start = [1.0, 0.0, 0.0, 0.0];
        let radau = Solver::mechanical(&spring).method(Method::radau()).tolerance(1e-11);
        let exact = run(&radau, 0.0, 2.0, &start);
        let motion = run(&Solver::mechanical(&spring).method(spark(4)).step(0.1), 0.0, 2.0, &start);
        let (q, v) = (distance(motion.q(), exact.q()), distance(motion.v(), exact.v()));
        assert!(q < 1e-8 && v < 2e-6, "epsilon {epsilon:e}: q {q:.1e}, v {v:.1e}");
    }
}

/// A spring that the steps resolve is a potential force like any other.
#[test]
fn a_soft_spring_is_a_potential() {
    let length = |q: &[taut::system::Number]| q[0].hypot(q[1]) - 1.0;
    let spring = Sketch::new(["x", "y"]).potential(|q| q[1]).spring("spring", 0.1, move |_t, q| length(q));
    let potential = Sketch::new(["x", "y"]).potential(move |q| q[1] + length(q).square() * 5.0);
    let mut options = Options::default();
    options.spark.oscillatory = Some(Shares::only(Lobatto::B));
    let [one, other] = [spring, potential].map(|sketch| {
        let system = Differentiated::new(sketch);
        let solver = Solver::mechanical(&system).options(options.clone()).method(spark(3)).step(0.1);
        run(&solver, 0.0, 3.0, &SWINGING).y
    });
    let error = distance(&one[..4], &other[..4]);
    assert!(error < 1e-13, "{error:.1e}");
}

/// What a method refuses, it refuses with a sentence.
#[test]
fn refusals_say_why_and_what_to_take_instead() {
    let refusal = |error: &dyn std::fmt::Display, parts: &[&str]| {
        let sentence = error.to_string();
        assert!(parts.iter().all(|part| sentence.contains(part)), "{sentence}");
    };
    let named = |name: &str| Method::named(name).unwrap();
    refusal(&named("spark").with_stages(1).unwrap_err(), &["spark begins with 2 stages, not 1"]);
    refusal(&named("rattle").with_stages(3).unwrap_err(), &["there is no rattle with 3 stages"]);

    let pendulum = pendulum();
    let with = |change: &dyn Fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        Solver::mechanical(&pendulum).options(options).method(spark(3)).step(0.1)
    };
    let error = |solver: &Solver<'_>| solver.run(0.0, 1.0, &SWINGING).map(|_| ()).unwrap_err();
    let reactions = with(&|options| options.spark.reactions = Shares::only(Lobatto::A));
    refusal(&error(&reactions), &["lobatto-iiia", "not determined", "take lobatto-iiib"]);
    let mixed = with(&|options| options.spark.reactions = Shares::damped(Lobatto::A, 0.5));
    refusal(&error(&mixed), &["lobatto-iiia and lobatto-iiic", "not determined"]);
    let shares = with(&|options| options.spark.driving = Shares::damped(Lobatto::B, 1.5));
    refusal(&error(&shares), &["shares must not be negative", "the least is -0.5"]);
    let damping = with(&|options| options.spark.damping = Damping::Shares(vec![0.5, 1.5]));
    refusal(&error(&damping), &["damping shares", "2 numbers from 0 to 1"]);
    let index2 = with(&|options| options.formulation = taut::equations::Formulation::Index2);
    refusal(&error(&index2), &["spark with 3 stages", "take the formulation index3"]);

    let hires = taut_problems::find("hires").unwrap();
    let taut_problems::State::Variables(x) = &hires.start.state else { unreachable!() };
    let solver = Solver::first_order(hires.system.evolution().unwrap()).method(spark(3)).step(0.1);
    let error = solver.run(0.0, 1.0, x).map(|_| ()).unwrap_err();
    refusal(&error, &["mechanical system", "take radau"]);
}
