//! Models given by an energy H(q, p), or by terms of a partitioned system: what solvers see of them, and their motion.

use taut::Solver;
use taut::method::Method;
use taut::system::{FirstOrderSystem, PartitionState, PartitionedSystem, RatePart};
use taut_text::{Model, PartitionedModel, Source, System, builtin};

fn read(text: &str) -> Model {
    Model::read(&Source::new("model.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn load(name: &str) -> Model {
    read(builtin().iter().find(|model| model.0 == name).unwrap().2)
}

fn partition(model: &Model) -> &PartitionedModel {
    match &model.system {
        System::Partitioned(system) => system,
        _ => panic!("{} is not partitioned", model.name),
    }
}

/// The final state of (q, p, λ) with SPARK and constant steps, and with radau on the first-order equations.
fn both_ways(model: &Model, until: f64, step: f64) -> [Vec<f64>; 2] {
    let system = partition(model);
    let differential = system.structure().n() + system.structure().p();
    let start = &model.start.q;
    let spark = Method::named("spark").unwrap().with_stages(4).unwrap();
    let spark = Solver::partitioned(system).method(spark).step(step).run(0.0, until, &start[..differential]);
    let radau = Solver::first_order(system.evolution()).method(Method::named("radau").unwrap());
    let radau = radau.tolerance(1e-11).run(0.0, until, start);
    [spark.unwrap().y, radau.unwrap().y]
}

const SPHERICAL: &str = r#"
    [parameters]
    m = 2
    [coordinates]
    x = { start = 1 }
    y = { start = 0, momentum = 1 }
    z = { start = 0 }
    [hamiltonian]
    energy = "(p_x^2 + p_y^2 + p_z^2)/(2*m) + m*9.81*z"
    [constraints]
    rod = "(x^2 + y^2 + z^2 - 1)/2"
    [observe]
    spin = "x*p_y - y*p_x"
    pull = "lambda.rod"
    speed = "x'"
"#;

#[test]
fn a_spherical_pendulum_is_the_same_with_spark_and_with_radau() {
    let model = read(SPHERICAL);
    assert_eq!(model.coordinates(), ["x", "y", "z", "p_x", "p_y", "p_z", "lambda.rod"]);
    let [spark, radau] = both_ways(&model, 2.0, 0.005);
    for (k, (spark, radau)) in spark.iter().zip(&radau).enumerate() {
        assert!((spark - radau).abs() < 2e-8 * (1.0 + radau.abs()), "{k}: {spark} {radau}");
    }
    let length = (spark[0].powi(2) + spark[1].powi(2) + spark[2].powi(2)).sqrt();
    assert!((length - 1.0).abs() < 1e-13, "{length}");
    let mut observed = [0.0; 3];
    model.observe(2.0, &spark, &mut observed);
    assert!((observed[0] - 1.0).abs() < 1e-11, "{observed:?}");
    assert_eq!(observed[1..], [spark[6], spark[3] / 2.0]);
}

/// All derivatives of what a solver sees against differences.
#[test]
fn derivatives_are_those_of_the_values() {
    let text = SPHERICAL.replace("+ m*9.81*z", "*(1 + x*y/5) + sin(t)*z*x");
    let model = read(&text.replace("[observe]", "[forces]\nx = { dissipative = \"-0.1*p_x^3\" }\n[observe]"));
    let system = partition(&model);
    let structure = system.structure();
    let at = [0.3, -0.4, 0.5, 0.7, 1.1, -0.6, 0.9];
    let state = |x: &[f64; 7], t: f64| {
        let (y, z, u) = (x[..3].to_vec(), x[3..6].to_vec(), x[6..].to_vec());
        (t, y, z, u)
    };
    let rates = |part: RatePart, x: &[f64; 7], t: f64| {
        let (t, y, z, u) = state(x, t);
        let mut rates = vec![0.0; 6];
        system.rates(part, PartitionState { t, y: &y, z: &z, u: &u }, &mut rates).unwrap();
        rates
    };
    assert_eq!(structure.parts.len(), 3);
    for present in &structure.parts {
        let (t, y, z, u) = state(&at, 0.2);
        let mut values = vec![0.0; structure.rates.nnz()];
        let here = PartitionState { t, y: &y, z: &z, u: &u };
        system.rate_derivatives(present.part, here, &mut values).unwrap();
        for ((i, j), value) in structure.rates.entries().zip(&values) {
            let (mut up, mut down) = (at, at);
            up[j] += 1e-6;
            down[j] -= 1e-6;
            let slope = (rates(present.part, &up, 0.2)[i] - rates(present.part, &down, 0.2)[i]) / 2e-6;
            assert!((slope - value).abs() < 1e-8, "{:?} {i} {j}: {value} {slope}", present.part);
        }
    }
    let (first_rate, mut drift) = ([0.2, -0.3, 0.4], [0.0; 3]);
    let (t, y, z, u) = state(&at, 0.2);
    system.drift(PartitionState { t, y: &y, z: &z, u: &u }, &first_rate, &mut drift).unwrap();
    let moved = |h: f64| {
        let mut x = at;
        (0..3).for_each(|k| x[k] += h * first_rate[k]);
        let all = structure.parts.iter().map(|present| rates(present.part, &x, 0.2 + h));
        all.fold([0.0; 3], |sum, rates| std::array::from_fn(|k| sum[k] + rates[k]))
    };
    for k in 0..3 {
        assert!((drift[k] - (moved(1e-6)[k] - moved(-1e-6)[k]) / 2e-6).abs() < 1e-8, "{drift:?}");
    }
}

#[test]
fn built_in_energies_are_kept_by_symplectic_steps() {
    for (name, until, step, error) in
        [("kepler", 20.0, 0.02, 5e-6), ("toda", 20.0, 0.025, 2e-6), ("heavy-top", 2.0, 2e-3, 1e-7)]
    {
        let model = load(name);
        let system = partition(&model);
        assert!(system.keeps_energy() && !model.drawing.is_empty(), "{name}");
        let spark = Method::named("spark").unwrap().with_stages(3).unwrap();
        let solver = Solver::partitioned(system).method(spark).step(step).watch(true);
        let motion = solver.run(0.0, until, &model.start.q).unwrap();
        assert!(motion.invariants.energy_error < error, "{name}: {}", motion.invariants.energy_error);
    }
}

#[test]
fn the_outer_solar_system_keeps_what_it_has_to_keep() {
    let model = load("outer-solar-system");
    let [spark, radau] = both_ways(&model, 4000.0, 40.0);
    let largest = spark.iter().zip(&radau).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(largest < 1e-6, "{largest}");
    let observe = |t: f64, y: &[f64]| {
        let mut values = [0.0; 6];
        model.observe(t, y, &mut values);
        values
    };
    let (before, after) = (observe(0.0, &model.start.q), observe(4000.0, &spark));
    for (before, after) in before.iter().zip(after) {
        assert!((before - after).abs() < 1e-17 + 1e-12 * before.abs(), "{before} {after}");
    }
}

/// A driven, damped oscillator in terms by class is what the same is as a first-order model.
#[test]
fn terms_by_class_add_up() {
    let model = read(
        r#"
        [parameters]
        k = 4
        [partitioned]
        y = { x = 1.0 }
        z = { p = 0.5 }
        energy = "p^2/2 + k*x^2/2"
        [partitioned.terms]
        kinematics = { x = "p" }
        spring = { class = "oscillatory", p = "-k*x" }
        friction = { class = "dissipative", p = "-0.3*p" }
        motor = { class = "driving", p = "cos(t)" }
        [coefficients]
        spring = "lobatto-iiib"
        "#,
    );
    assert_eq!(model.spark.oscillatory(3), taut::method::Shares::only(taut_tableau::Lobatto::B));
    let [spark, radau] = both_ways(&model, 3.0, 0.01);
    for (spark, radau) in spark.iter().zip(&radau) {
        assert!((spark - radau).abs() < 1e-9, "{spark} {radau}");
    }
    let mut rate = [0.0; 2];
    partition(&model).evolution().rate(0.0, &[1.0, 0.5], &mut rate).unwrap();
    assert!(rate[0] == 0.5 && (rate[1] + 3.15).abs() < 1e-15, "{rate:?}");
}

#[test]
fn variables_and_terms_are_repeated() {
    let repeated = read(
        "[parameters]\nN = 3\n[[for]]\ni = \"1..N\"\n[for.partitioned.y]\n\"x{i}\" = \"i\"\n[for.partitioned.z]\n\"v{i}\" = 0\n\
         [for.partitioned.terms]\nflow = { \"x{i}\" = \"v{i}\" }\n[[for]]\ni = \"2..N\"\n[for.partitioned.terms]\n\
         link = { class = \"oscillatory\", \"v{i}\" = \"x{i-1} - x{i}\", \"v{i-1}\" = \"x{i} - x{i-1}\" }\n\
         [partitioned]\nenergy = \"sum(i, 1, N, v{i}^2)/2\"\n",
    );
    let written = read(
        "[partitioned]\ny = { x1 = 1, x2 = 2, x3 = 3 }\nz = { v1 = 0, v2 = 0, v3 = 0 }\nenergy = \"(v1^2 + v2^2 + v3^2)/2\"\n\
         [partitioned.terms]\nflow = { x1 = \"v1\", x2 = \"v2\", x3 = \"v3\" }\n\
         link = { class = \"oscillatory\", v1 = \"x2 - x1\", v2 = \"x1 - x2 + x3 - x2\", v3 = \"x2 - x3\" }\n",
    );
    assert_eq!(repeated.coordinates(), ["x1", "x2", "x3", "v1", "v2", "v3"]);
    let ([one, _], [two, _]) = (both_ways(&repeated, 2.0, 0.05), both_ways(&written, 2.0, 0.05));
    for (one, two) in one.iter().zip(&two) {
        assert!((one - two).abs() < 1e-14, "{one} {two}");
    }
}

/// Two pendulums of length 1, one on the other, in angles: (M(y) z)' with a mass matrix that couples both.
const DOUBLE: &str = r#"
    [parameters]
    g = 9.81
    [partitioned]
    y = { a = 1.0, b = 0.4 }
    z = { u = 0.0, v = 0.5 }
    energy = "u^2 + v^2/2 + cos(a - b)*u*v - 2*g*cos(a) - g*cos(b)"
    mass = { "u,u" = 2, "u,v" = "cos(a - b)" }
    [partitioned.terms]
    flow = { a = "u", b = "v" }
    inertia = { u = "-sin(a - b)*u*v", v = "sin(a - b)*u*v" }
    weight = { u = "-2*g*sin(a)", v = "-g*sin(b)" }
"#;

#[test]
fn a_mass_matrix_may_depend_on_the_first_variables() {
    let model = read(DOUBLE);
    let [spark, radau] = both_ways(&model, 2.0, 0.01);
    let angles = read(
        "[coordinates]\na = { start = 1 }\nb = { start = 0.4, velocity = 0.5 }\n[energy]\n\
         kinetic = \"a'^2 + b'^2/2 + cos(a - b)*a'*b'\"\npotential = \"-9.81*(2*cos(a) + cos(b))\"\n",
    );
    let start = [angles.start.q.as_slice(), &angles.start.v].concat();
    let motion =
        Solver::mechanical(angles.system.mechanism().unwrap()).tolerance(1e-12).run(0.0, 2.0, &start);
    let exact = motion.unwrap().y;
    for (i, exact) in exact.iter().enumerate() {
        assert!((radau[i] - exact).abs() < 1e-8, "radau {i}: {} {exact}", radau[i]);
        assert!((spark[i] - exact).abs() < 1e-7, "spark {i}: {} {exact}", spark[i]);
    }
    let energy = |y: &[f64]| partition(&model).energy(0.0, &y[..2], &y[2..4]).unwrap().unwrap().total();
    assert!((energy(&spark) - energy(&model.start.q)).abs() < 1e-8, "{}", energy(&spark));
}

/// A slow oscillator beside a fast one: the share of damping belongs to the fast one alone.
#[test]
fn single_variables_have_shares_of_damping() {
    let text = "[partitioned]\ny = { x = 1, s = 0.001 }\nz = { p = 0, r = 0 }\ndamping = { s = 0.3, r = 0.3 }\n\
                [partitioned.terms]\nflow = { x = \"p\", s = \"r\" }\npull = { p = \"-x\", r = \"-1e6*s\" }\n";
    let (damped, free) = (read(text), read(&text.replace("damping = { s = 0.3, r = 0.3 }\n", "")));
    assert_eq!(partition(&damped).damping_shares(), [0.0, 0.3, 0.0, 0.3]);
    let run = |model: &Model| {
        let mut options = taut::options::Options { constant_step: Some(0.1), ..Default::default() };
        options.spark.damping = match partition(model).damping_shares() {
            [] => taut::method::Damping::None,
            shares => taut::method::Damping::Shares(shares.to_vec()),
        };
        let spark = Method::named("spark").unwrap().with_stages(3).unwrap();
        let solver = Solver::partitioned(partition(model)).method(spark).options(options);
        solver.run(0.0, 5.0, &model.start.q).unwrap().y
    };
    let (damped, free) = (run(&damped), run(&free));
    assert!(damped[1].abs() < 1e-9 && damped[3].abs() < 1e-6, "{damped:?}");
    assert!(free[1].hypot(free[3] / 1e3) > 3e-4, "{free:?}");
    assert!((damped[0] - free[0]).abs() < 1e-13 && (damped[0] - 5.0_f64.cos()).abs() < 1e-6, "{damped:?}");
    // One share for each of (y, z), no other number of them.
    let model = read(text);
    let mut options = taut::options::Options { constant_step: Some(0.1), ..Default::default() };
    options.spark.damping = taut::method::Damping::Shares(vec![0.5; 2]);
    let solver =
        Solver::partitioned(partition(&model)).method(Method::named("spark").unwrap()).options(options);
    assert!(solver.run(0.0, 1.0, &model.start.q).unwrap_err().to_string().contains("are not 4 numbers"));
}
