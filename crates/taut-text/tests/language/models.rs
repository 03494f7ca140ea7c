//! The models that come with Taut are consistent and are what they say.

use taut::system::{Constraint, Dynamics, FirstOrderSystem, MechanicalSystem, Terms};
use taut_text::{MechanicalModel, Model, Source, System, builtin};

fn load(name: &str, overrides: &[(String, f64)]) -> Model {
    let (_, _, text) = builtin().iter().find(|model| model.0 == name).unwrap();
    Model::read(&Source::new(name, *text), overrides).unwrap_or_else(|errors| panic!("{errors}"))
}

fn mechanical(model: &Model) -> &MechanicalModel {
    match &model.system {
        System::Mechanical(system) => system,
        System::Strong(_) | System::Bodies(_) | System::Partitioned(_) | System::FirstOrder(_) => {
            panic!("{} is not mechanical", model.name)
        }
    }
}

#[test]
fn all_mechanical_models_start_on_their_constraints() {
    for (name, ..) in builtin() {
        let model = load(name, &[]);
        let Some(system) = model.system.mechanism() else { continue };
        let (start, m) = (&model.start, system.structure().m());
        let mut residual = vec![0.0; m];
        let released = model.events.released();
        let in_force = |residual: &[f64]| {
            let rigid = |k: &usize| system.structure().constraints[*k].compliance() == 0.0;
            let all = residual.iter().enumerate().filter(|(k, _)| rigid(k) && !released.contains(k));
            all.map(|(_, g)| g).all(|g| g.abs() < 1e-14)
        };
        system.constraint(start.t, &start.q, &mut residual).unwrap();
        assert!(in_force(&residual), "{name}: g = {residual:?}");
        system.constraint_rate(start.t, &start.q, &start.v, &mut residual).unwrap();
        assert!(in_force(&residual), "{name}: g' = {residual:?}");
    }
}

#[test]
fn all_models_can_be_evaluated_observed_and_drawn() {
    for (name, description, text) in builtin() {
        let model = load(name, &[]);
        assert!(text.starts_with("# "), "{name} has no header");
        assert!(!description.is_empty() && model.end.is_some() && !model.name.is_empty(), "{name}");
        let start = &model.start;
        let mut values = vec![f64::NAN; model.observers.names().len()];
        let multipliers = model.system.mechanism().map_or(0, |system| system.structure().m());
        let state = [start.q.as_slice(), &start.v, &vec![0.0; multipliers]].concat();
        model.observe(start.t, &state, &mut values);
        assert!(values.iter().all(|x| x.is_finite()), "{name}: {values:?}");
        let mut drawn = vec![f64::NAN; model.drawing.len()];
        model.drawing.evaluate(start.t, &start.q, &start.v, &mut drawn);
        assert!(drawn.iter().all(|x| x.is_finite()), "{name}: {drawn:?}");
        if let Some(system) = model.system.mechanism() {
            assert!(!model.drawing.is_empty(), "{name} draws nothing");
            assert!(system.energy(start.t, &start.q, &start.v).unwrap().total().is_finite(), "{name}");
        }
        if let System::FirstOrder(system) = &model.system {
            let mut rate = vec![0.0; start.q.len()];
            system.rate(start.t, &start.q, &mut rate).unwrap();
        }
    }
}

/// M w − f + Gᵀλ, with the accelerations and multipliers known for the squeezer at its start.
#[test]
fn the_squeezer_has_the_known_accelerations_and_multipliers() {
    let model = load("squeezer", &[]);
    let (system, q, v) = (mechanical(&model), &model.start.q, &model.start.v);
    let structure = system.structure();
    let w = [14222.443919954114, -10666.832939965585, 0.0, 0.0, 0.0, 0.0, 0.0];
    let lambda = [98.56687039624109, -6.122688344255662, 0.0, 0.0, 0.0, 0.0];
    let mut mass = vec![0.0; structure.mass.nnz()];
    let mut jacobian = vec![0.0; structure.jacobian.nnz()];
    let mut residual = vec![0.0; 7];
    let mut force = vec![0.0; 7];
    system.mass(q, &mut mass).unwrap();
    system.jacobian(0.0, q, v, &mut jacobian).unwrap();
    system.force(Terms::ACCELERATING, 0.0, q, v, &mut force).unwrap();
    structure.mass.multiply_add(&mass, &w, &mut residual, 1.0);
    structure.jacobian.transpose_multiply_add(&jacobian, &lambda, &mut residual, 1.0);
    for (r, f) in residual.iter().zip(&force) {
        assert!((r - f).abs() < 1e-13, "{residual:?} {force:?}");
    }
    assert_eq!(structure.mass.nnz(), 13);
    assert_eq!(structure.damping.nnz(), 6 * 2, "only the Coriolis forces depend on velocities");
}

#[test]
fn the_transistor_amplifier_starts_on_its_algebraic_equations() {
    let model = load("transistor-amplifier", &[]);
    let System::FirstOrder(system) = &model.system else { panic!() };
    let mut rate = vec![0.0; 8];
    system.rate(0.0, &model.start.q, &mut rate).unwrap();
    for pair in [[0, 1], [3, 4], [6, 7]] {
        let sum: f64 = pair.iter().map(|&i| rate[i]).sum();
        assert!(sum.abs() < 1e-18, "nodes {pair:?}: {sum}");
    }
    assert_eq!(system.composition().mass.nnz(), 14);
}

#[test]
fn overrides_change_parameters_starts_and_repetitions() {
    let set = |pairs: &[(&str, f64)]| pairs.iter().map(|(k, x)| (k.to_string(), *x)).collect::<Vec<_>>();
    let chain = load("chain", &set(&[("N", 3.0), ("x2", 1.5), ("y3'", -0.5)]));
    assert_eq!(chain.coordinates(), ["x1", "y1", "x2", "y2", "x3", "y3"]);
    assert_eq!(chain.start.q, [1.0, 0.0, 1.5, 0.0, 3.0, 0.0]);
    assert_eq!(chain.start.v, [0.0, 0.0, 0.0, 0.0, 0.0, -0.5]);
    assert_eq!(chain.drawing.points(), 3);
    let spring = load("stiff-spring-pendulum", &set(&[("eps", 0.5)]));
    assert_eq!(mechanical(&spring).structure().constraints[0].compliance(), 0.25);
}

#[test]
fn the_car_axis_starts_with_the_known_accelerations() {
    let model = load("car-axis", &[]);
    let (system, q, v) = (mechanical(&model), &model.start.q, &model.start.v);
    let structure = system.structure();
    let a = [0.0, -1.0, 0.0, -1.0];
    let mut force = vec![0.0; 4];
    system.force(Terms::ACCELERATING, 0.0, q, v, &mut force).unwrap();
    for (f, a) in force.iter().zip(a) {
        assert!((f - 5e-4 * a).abs() < 1e-18, "{force:?}");
    }
    let mut second = vec![0.0; 2];
    let mut jacobian = vec![0.0; structure.jacobian.nnz()];
    system.curvature(0.0, q, v, &mut second).unwrap();
    system.jacobian(0.0, q, v, &mut jacobian).unwrap();
    structure.jacobian.multiply_add(&jacobian, &a, &mut second, 1.0);
    assert!(second.iter().all(|g| g.abs() < 1e-14), "{second:?}");
}

#[test]
fn the_rigid_body_has_the_known_momentum_and_energy() {
    let model = load("rigid-body", &[]);
    let start = &model.start;
    let mut momentum = vec![0.0; 3];
    model.observers.evaluate(0.0, &start.q, &start.v, &mut momentum);
    for (found, known) in momentum.iter().zip([1.1_f64.cos(), 0.0, 1.1_f64.sin()]) {
        assert!((found - known).abs() < 1e-15, "{momentum:?}");
    }
    let energy = mechanical(&model).energy(0.0, &start.q, &start.v).unwrap();
    assert!((energy.total() - 0.647_125_279_313_836_4).abs() < 1e-15);
}

fn read(text: &str) -> Model {
    Model::read(&Source::new("test", text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn the_examples_of_the_readme_can_be_read() {
    let readme = include_str!("../../README.md");
    let blocks: Vec<&str> =
        readme.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 8);
    let saturated =
        read(&format!("{}[variables]\nx = {{ start = 3, rate = \"saturate(x, 2)\" }}\n", blocks[0]));
    assert_eq!(saturated.coordinates(), ["x"]);
    let names = ["x", "y", "z", "angle", "X", "Y", "Z"];
    let coordinates: String = names.map(|name| format!("{name} = {{ start = 0 }}\n")).concat();
    let squares = names.map(|name| format!("{name}'^2")).join(" + ");
    let joint =
        read(&format!("[coordinates]\n{coordinates}[energy]\nkinetic = \"{squares}\"\n{}", blocks[1]));
    assert_eq!(mechanical(&joint).structure().m(), 3);
    let variables = read(&format!("[parameters]\neps = 0.1\n{}", blocks[2]));
    let System::FirstOrder(system) = &variables.system else { panic!() };
    assert_eq!(variables.coordinates(), ["x", "z", "y"]);
    assert_eq!(system.composition().mass_values, [1.0, 0.1]);
    assert_eq!(system.composition().jacobian.nnz(), 6);
    let chain = read(blocks[7]);
    assert_eq!((chain.coordinates().len(), mechanical(&chain).structure().m()), (200, 100));
    assert_eq!(chain.start.q[198], 100.0);
}

#[test]
fn a_kinetic_energy_may_be_written_in_many_ways() {
    let ways = [
        "m/2*(x'^2 + y'^2)",
        "m/2*hypot(x', y')^2",
        "m*sqrt(x'^2 + y'^2)^2/2",
        "(m*x')^2/(2*m) + m/2*abs(y')^2",
        "m*(x'*x' + pow(y', 2))/2",
        "m/4*((x' + y')^2 + (x' - y')^2)",
    ];
    for kinetic in ways {
        let model = read(&format!(
            "[parameters]\nm = 3\n[coordinates]\nx = {{ start = 0 }}\ny = {{ start = 0 }}\n\
             [energy]\nkinetic = \"{kinetic}\"\n"
        ));
        let system = mechanical(&model);
        let (q, v) = ([0.3, 0.4], [0.5, -0.7]);
        let energy = system.energy(0.0, &q, &v).unwrap().kinetic;
        assert!((energy - 1.5 * (0.25 + 0.49)).abs() < 1e-15, "{kinetic}");
        assert!(system.structure().constant_mass, "{kinetic}");
        let mut mass = vec![0.0; system.structure().mass.nnz()];
        system.mass(&q, &mut mass).unwrap();
        assert!(mass.iter().all(|m| *m == 3.0 || *m == 0.0), "{kinetic}: {mass:?}");
    }
}

#[test]
fn numbers_may_be_written_as_toml_writes_them() {
    let model = read(
        "[parameters]\na = 1_000\nb = 0x10\nc = +1.5e1_0\nd = -3\ne = \".5 + 2.\"\n\
         [variables]\nx = { start = 0, rate = 1 }\n",
    );
    let values: Vec<f64> = model.parameters.iter().map(|(_, value)| *value).collect();
    assert_eq!(values, [1000.0, 16.0, 1.5e10, -3.0, 2.5]);
}

#[test]
fn two_indices_run_over_all_pairs_and_names_may_have_several() {
    let model = read(
        "[parameters]\nN = 3\n[[for]]\ni = \"1..N\"\nj = \"i..N\"\n[for.variables]\n\
         \"q{i}_{j}\" = { start = \"10*i + j\", rate = \"-q{i}_{j} + sum(k, 1, i - 1, q{k}_{j})\" }\n",
    );
    assert_eq!(model.coordinates(), ["q1_1", "q1_2", "q1_3", "q2_2", "q2_3", "q3_3"]);
    assert_eq!(model.start.q, [11.0, 12.0, 13.0, 22.0, 23.0, 33.0]);
    let System::FirstOrder(system) = &model.system else { panic!() };
    let mut rate = vec![0.0; 6];
    system.rate(0.0, &model.start.q, &mut rate).unwrap();
    assert_eq!(rate, [-11.0, -12.0, -13.0, -10.0, -10.0, 3.0]);
}

const CONTRACT: &str = r#"
name = "Pendulum on a stiff spring"

[parameters]                     # a number, or an expression of parameters above it
m = 1.0
g = 1.0
eps = 1e-4

[coordinates]
x1 = { start = 0.0 }             # velocity = 0.0 where it is not given
y1 = { start = -1.0, velocity = 0.0 }
x2 = { start = 1.0 }
y2 = { start = -1.0 }

[define]
height = "y1 + y2"

[energy]
kinetic   = "m/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)"
potential = "m*g*height"

[constraints]
rod    = "hypot(x2 - x1, y2 - y1) - 1"
spring = { equation = "hypot(x1, y1) - 1", compliance = "eps^2" }

[forces]
x1 = { dissipative = "-0.1*x1'" }
y1 = { dissipative = "-0.1*y1'" }
x2 = { driving = "0.2*cos(3*t)" }

[stiff]
# potential = "..."  epsilon = "eps"

[observe]
angle = "atan2(x2 - x1, y1 - y2)"

[time]
end = 20.0

[draw]
points = [["x1", "y1"], ["x2", "y2"]]
lines  = [[["0", "0"], ["x1", "y1"]], [["x1", "y1"], ["x2", "y2"]]]
"#;

#[test]
fn every_section_of_a_mechanical_model_is_read() {
    let model = read(CONTRACT);
    let system = mechanical(&model);
    let structure = system.structure();
    assert_eq!(model.name, "Pendulum on a stiff spring");
    assert_eq!((model.start.t, model.end), (0.0, Some(20.0)));
    assert_eq!(model.coordinates(), ["x1", "y1", "x2", "y2"]);
    assert_eq!(structure.constraints, [Constraint::rod("rod"), Constraint::spring("spring", 1e-8)]);
    assert_eq!(structure.damping.nnz(), 2);
    assert!(system.strong_potential().is_none());
    let (q, v) = ([0.1, -0.9, 1.0, -1.0], [1.0, 2.0, 3.0, 4.0]);
    let mut force = [0.0; 4];
    system.force(Terms::ACCELERATING, 0.5, &q, &v, &mut force).unwrap();
    assert_eq!(force, [-0.1, -1.2, 0.2 * 1.5_f64.cos(), -1.0]);
    let mut angle = [0.0];
    model.observers.evaluate(0.0, &q, &v, &mut angle);
    assert_eq!((model.observers.names(), angle), (&["angle".to_string()][..], [0.9_f64.atan2(0.1)]));
    assert_eq!(
        (model.drawing.points(), model.drawing.lines(), model.drawing.dimension()),
        (2, &[2, 2][..], 2)
    );
    let mut drawn = vec![0.0; model.drawing.len()];
    model.drawing.evaluate(0.0, &q, &v, &mut drawn);
    assert_eq!(drawn, [0.1, -0.9, 1.0, -1.0, 0.0, 0.0, 0.1, -0.9, 0.1, -0.9, 1.0, -1.0]);
}

#[test]
fn the_water_molecule_has_three_strong_directions() {
    let model = load("water-molecule", &[("eps".to_string(), 1e-4)]);
    let System::Strong(system) = &model.system else { panic!("{:?}", model.system) };
    assert_eq!(system.rank(), 3);
    let names: Vec<&str> = system.structure().constraints.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["strong[1]", "strong[2]", "strong[3]"]);
    assert!(system.structure().constraints.iter().all(|c| (c.compliance() - 1e-8).abs() < 1e-22));
    let rigid = load("water-molecule", &[("eps".to_string(), 0.0)]);
    let constraints = &rigid.system.mechanism().unwrap().structure().constraints;
    assert!(constraints.len() == 3 && constraints.iter().all(Constraint::is_rod));
}

#[test]
fn nothing_is_allocated_while_a_model_is_evaluated_again() {
    let model = load("squeezer", &[]);
    let (system, q, v) = (mechanical(&model), &model.start.q, &model.start.v);
    let structure = system.structure();
    let (mut mass, mut force) = (vec![0.0; structure.mass.nnz()], vec![0.0; structure.n()]);
    let (mut g, mut jacobian) = (vec![0.0; structure.m()], vec![0.0; structure.jacobian.nnz()]);
    let (mut k, mut d) = (vec![0.0; structure.stiffness.nnz()], vec![0.0; structure.damping.nnz()]);
    let lambda = vec![1.0; structure.m()];
    let mut evaluate = || {
        let mut out =
            Dynamics { mass: &mut mass, force: &mut force, constraint: &mut g, jacobian: &mut jacobian };
        system.dynamics(0.0, q, v, &mut out).unwrap();
        for terms in [Terms::ACCELERATING, Terms::POTENTIAL | Terms::KINETIC] {
            system.force(terms, 0.0, q, v, &mut force).unwrap();
            system.newton_blocks(terms, 0.0, q, v, v, &lambda, &mut k, &mut d).unwrap();
        }
        system.constraint_rate(0.0, q, v, &mut g).unwrap();
        system.curvature(0.0, q, v, &mut g).unwrap();
        system.energy(0.0, q, v).unwrap();
    };
    // The first time formulas are compiled.
    evaluate();
    let counted = allocation_counter::measure(evaluate);
    assert_eq!(counted.count_total, 0);
}
