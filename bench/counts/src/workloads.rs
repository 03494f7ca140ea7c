//! The workloads: each is prepared outside of the count and run inside of it.

use std::error::Error;
use std::hint::black_box;

use taut::Solver;
use taut::linear::measured::{Blocks, Saddle, SaddlePattern, Scales};
use taut::linear::{Choice, Pattern};
use taut::method::Method;
use taut::motion::Statistics;
use taut::options::Options;
use taut::system::{Differentiated, Dynamics, MechanicalSystem, Terms};
use taut_lab::{comparison_time, solver_of, start_of};
use taut_problems::mechanics::{Drive, Squeezer, Waters, planar_chain, waters};
use taut_problems::{Problem, find};
use taut_text::{Model, Source, System, builtin};

use crate::sweep;

pub type Failure = Box<dyn Error>;

/// Something to count the instructions of.
pub struct Workload {
    /// its name in the record
    pub name: &'static str,
    prepare: fn() -> Result<Prepared, Failure>,
}

pub type Prepared = Box<dyn FnOnce() -> Result<(), Failure>>;

impl Workload {
    /// Runs it twice, and counts the second time inside of [`counted`]: coefficients of methods are computed once.
    pub fn run(&self) -> Result<(), Failure> {
        (self.prepare)()?()?;
        counted((self.prepare)()?)
    }
}

/// The function whose instructions are counted.
#[inline(never)]
pub fn counted(run: Prepared) -> Result<(), Failure> {
    run()
}

/// Where a run ends and what decides on its steps.
#[derive(Clone, Copy)]
enum Steps {
    Tolerance(f64),
    Constant(f64),
}

/// A run of the solver, its preparation (start, first step, storage) included.
fn integration(
    problem: Result<Problem, taut_problems::Error>,
    method: &'static str,
    stages: Option<usize>,
    steps: Steps,
    until: f64,
) -> Result<Prepared, Failure> {
    let (problem, mut method) = (problem?, Method::named(method)?);
    if let Some(stages) = stages {
        method = method.with_stages(stages)?;
    }
    let run = move |problem: &Problem| -> Result<(), Failure> {
        let solver = match steps {
            Steps::Tolerance(tolerance) => solver_of(problem).tolerance(tolerance),
            Steps::Constant(h) => solver_of(problem).step(h),
        };
        black_box(solver.method(method.clone()).run(problem.start.t, until, &start_of(problem))?);
        Ok(())
    };
    compiled_before(problem, run)
}

/// A run, after one of the same system that is not counted: recorded formulas are compiled when a run asks for them first, which
/// belongs to what is read or built.
fn compiled_before(
    problem: Problem,
    run: impl Fn(&Problem) -> Result<(), Failure> + 'static,
) -> Result<Prepared, Failure> {
    run(&problem)?;
    Ok(Box::new(move || run(&problem)))
}

/// A small stiff first-order system at tolerance 1e-3, where its error is about 1e-5; floor is atol/rtol.
fn stiff(name: &str, floor: f64) -> Result<Prepared, Failure> {
    let problem = find(name)?;
    let until = comparison_time(&problem).ok_or("no reference")?;
    let options = Options { rtol: 1e-3, atol: 1e-3 * floor, ..Options::default() };
    compiled_before(problem, move |problem| {
        let solver = solver_of(problem).options(options.clone()).method(Method::radau());
        black_box(solver.run(problem.start.t, until, &start_of(problem))?);
        Ok(())
    })
}

/// Fifty steps of RATTLE on waters, with their energy watched: by hand, or from their formulas.
fn watched_waters(formulas: bool) -> Result<Prepared, Failure> {
    let mut problem = waters(20);
    if formulas {
        let system = Differentiated::new(Waters { molecules: 20 });
        problem.system = taut_problems::System::Mechanical(Box::new(system));
    }
    compiled_before(problem, |problem| {
        let solver = solver_of(problem).step(0.02).watch(true).method(Method::named("rattle")?);
        black_box(solver.run(problem.start.t, 1.0, &start_of(problem))?);
        Ok(())
    })
}

/// How often functions of the squeezer are evaluated.
pub const EVALUATIONS: usize = 1000;

/// Functions of a mechanism that are evaluated together.
#[derive(Clone, Copy)]
enum Functions {
    /// M, f, g and G
    Dynamics,
    /// K, D and the curvature of the constraints
    NewtonBlocks,
}

fn evaluations(functions: Functions, system: Box<dyn MechanicalSystem>, start: Vec<f64>) -> Prepared {
    match functions {
        Functions::Dynamics => Box::new(move || dynamics(&*system, &start)),
        Functions::NewtonBlocks => Box::new(move || newton_blocks(&*system, &start)),
    }
}

fn dynamics(system: &dyn MechanicalSystem, start: &[f64]) -> Result<(), Failure> {
    let structure = system.structure();
    let (n, m) = (structure.n(), structure.m());
    let (mut mass, mut force) = (vec![0.0; structure.mass.nnz()], vec![0.0; n]);
    let (mut constraint, mut jacobian) = (vec![0.0; m], vec![0.0; structure.jacobian.nnz()]);
    for _ in 0..EVALUATIONS {
        let (q, v) = black_box(start).split_at(n);
        let mut out = Dynamics {
            mass: &mut mass,
            force: &mut force,
            constraint: &mut constraint,
            jacobian: &mut jacobian,
        };
        system.dynamics(0.01, q, &v[..n], &mut out)?;
    }
    black_box((mass, force, constraint, jacobian));
    Ok(())
}

fn newton_blocks(system: &dyn MechanicalSystem, start: &[f64]) -> Result<(), Failure> {
    let structure = system.structure();
    let (n, m) = (structure.n(), structure.m());
    let (mut stiffness, mut damping) =
        (vec![0.0; structure.stiffness.nnz()], vec![0.0; structure.damping.nnz()]);
    let mut curvature = vec![0.0; m];
    let (acceleration, multipliers) = (vec![0.3; n], vec![0.7; m]);
    for _ in 0..EVALUATIONS {
        let (q, v) = black_box(start).split_at(n);
        let v = &v[..n];
        let (a, lambda) = (black_box(&acceleration), black_box(&multipliers));
        system.newton_blocks(Terms::ACCELERATING, 0.01, q, v, a, lambda, &mut stiffness, &mut damping)?;
        system.curvature(0.01, q, v, &mut curvature)?;
    }
    black_box((stiffness, damping, curvature));
    Ok(())
}

fn evaluations_by_hand(functions: Functions) -> Result<Prepared, Failure> {
    let problem = find("andrews")?;
    let start = start_of(&problem);
    match problem.system {
        taut_problems::System::Mechanical(system) => Ok(evaluations(functions, system, start)),
        taut_problems::System::FirstOrder(_) => Err("the squeezer is a mechanical system".into()),
    }
}

pub fn model_named(name: &str) -> Result<Model, Failure> {
    model_with(name, &[])
}

/// A built-in model with other values of parameters.
pub fn model_with(name: &str, parameters: &[(&str, f64)]) -> Result<Model, Failure> {
    let found = builtin().iter().find(|(known, ..)| *known == name);
    let (name, _, text) = found.ok_or("there is no such model")?;
    let parameters: Vec<_> = parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    Ok(Model::read(&Source::new(*name, *text), &parameters)?)
}

pub fn model_of_squeezer() -> Result<Model, Failure> {
    model_named("squeezer")
}

/// A run of the squeezer from its model file, which was read before.
fn integration_of_text(method: &'static str) -> Result<Prepared, Failure> {
    integration_of_model("squeezer", method, 1e-6)
}

/// A run of a mechanical system from its model file, which was read before.
fn integration_of_model(name: &str, method: &str, tolerance: f64) -> Result<Prepared, Failure> {
    let (model, method) = (model_named(name)?, Method::named(method)?);
    let until = model.end.ok_or("the model has no end")?;
    let run = move |model: &Model| -> Result<(), Failure> {
        let start = [model.start.q.as_slice(), &model.start.v].concat();
        let system = model.system.mechanism().ok_or("it is no mechanical system")?;
        let solver = Solver::mechanical(system).tolerance(tolerance).method(method.clone());
        black_box(solver.run(0.0, until, &start)?);
        Ok(())
    };
    // Formulas are compiled when a run asks for them first, which belongs to reading.
    run(&model.compiled().with(&[])?)?;
    Ok(Box::new(move || run(&model)))
}

fn evaluations_of_text(functions: Functions) -> Result<Prepared, Failure> {
    let model = model_of_squeezer()?;
    let start = [model.start.q.as_slice(), &model.start.v].concat();
    match model.system {
        System::Mechanical(system) => Ok(evaluations(functions, Box::new(system), start)),
        System::Strong(_) | System::Bodies(_) | System::Partitioned(_) | System::FirstOrder(_) => {
            Err("the squeezer is a mechanical system".into())
        }
    }
}

/// Parts of a step that are counted by themselves.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// f alone
    Forces,
    /// M v
    Momentum,
    /// Gᵀλ
    Reaction,
    /// factors of [M Gᵀ; G 0], or solutions with them
    SaddleFactors,
    SaddleSolutions,
    /// factors of M, or solutions with them
    MassFactors,
    MassSolutions,
}

/// A run of the squeezer whose formulas are written in Rust and recorded.
fn integration_of_formulas(method: &'static str) -> Result<Prepared, Failure> {
    let mut problem = find("andrews")?;
    let formulas = Squeezer::new(Drive::Constant)?;
    problem.system = taut_problems::System::Mechanical(Box::new(Differentiated::new(formulas)));
    integration(Ok(problem), method, None, Steps::Tolerance(1e-6), 0.03)
}

/// So many of one part, on the squeezer.
fn parts(part: Part) -> Result<Prepared, Failure> {
    let problem = find("andrews")?;
    let start = start_of(&problem);
    let system = problem.system.mechanism().ok_or("the squeezer is a mechanical system")?;
    let structure = system.structure().clone();
    let (n, m) = (structure.n(), structure.m());
    let (mut mass, mut jacobian) = (vec![0.0; structure.mass.nnz()], vec![0.0; structure.jacobian.nnz()]);
    system.mass(&start[..n], &mut mass)?;
    system.jacobian(0.0, &start[..n], &start[n..2 * n], &mut jacobian)?;
    if part == Part::Forces {
        return Ok(Box::new(move || forces(&problem, &start)));
    }
    let none = Pattern::empty(n, n);
    let pattern = match part {
        Part::MassFactors | Part::MassSolutions => SaddlePattern::pencil(structure.mass.clone(), none),
        _ => SaddlePattern {
            n,
            m,
            mass: structure.mass.clone(),
            damping: none.clone(),
            stiffness: none,
            jacobian: structure.jacobian.clone(),
        },
    };
    let jacobian_in_matrix = if pattern.m > 0 { jacobian.clone() } else { Vec::new() };
    let mut saddle = Saddle::symmetric(&pattern, Choice::Auto);
    let (mut right, v, lambda) = (vec![1.0; pattern.size()], vec![0.3; n], vec![0.7; m]);
    let factor = move |mass: &[f64], saddle: &mut Saddle| {
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
        let jacobian = black_box(jacobian_in_matrix.as_slice());
        let blocks =
            Blocks { mass, damping: &[], stiffness: &[], jacobian, compliance: &[], relaxation: &[] };
        saddle.assemble_and_factor(&blocks, scales)
    };
    factor(&mass, &mut saddle)?;
    Ok(Box::new(move || {
        for _ in 0..EVALUATIONS {
            let (mass, jacobian) = (black_box(mass.as_slice()), black_box(jacobian.as_slice()));
            match part {
                Part::Momentum => structure.mass.multiply_add(mass, black_box(&v), &mut right, 1.0),
                Part::Reaction => {
                    structure.jacobian.transpose_multiply_add(jacobian, black_box(&lambda), &mut right, -1.0);
                }
                Part::SaddleSolutions | Part::MassSolutions => saddle.solve_once(black_box(&mut right)),
                _ => factor(mass, &mut saddle)?,
            }
        }
        black_box((saddle, right));
        Ok(())
    }))
}

fn forces(problem: &Problem, start: &[f64]) -> Result<(), Failure> {
    let system = problem.system.mechanism().ok_or("the squeezer is a mechanical system")?;
    let n = system.structure().n();
    let mut force = vec![0.0; n];
    for _ in 0..EVALUATIONS {
        let (q, v) = black_box(start).split_at(n);
        system.force(Terms::KINETIC | Terms::POTENTIAL | Terms::DRIVING, 0.01, q, &v[..n], &mut force)?;
    }
    black_box(force);
    Ok(())
}

/// Three stages of SPARK on the squeezer, with the steps of Jay 1998, figure 1.
pub const SPARK: &str = "squeezer_spark3_600_steps";

/// What [`SPARK`] needs on paper, and workloads with the price of each: with K iterations in N steps of s stages
/// (s - 1)(K + N) evaluations of M, f, g and G, K + 2 N of f, s K products M v and (s - 1)(K + N) + N products G'λ,
/// (s - 1) K + 2 N solutions with [M G'; G 0] and K with M, and N factorisations of each of them.
pub fn spark_on_paper() -> Result<[(usize, &'static str); 8], Failure> {
    let (s, problem) = (3, find("andrews")?);
    let method = Method::named("spark")?.with_stages(s)?;
    let motion = solver_of(&problem).method(method).step(5e-5).run(0.0, 0.03, &start_of(&problem))?;
    let Statistics { newton_iterations: k, accepted: n, .. } = motion.statistics;
    Ok([
        ((s - 1) * (k + n), COMPARED[0].1),
        (k + 2 * n, FORCES),
        (s * k, MOMENTUM),
        ((s - 1) * (k + n) + n, REACTION),
        ((s - 1) * k + 2 * n, SADDLE.1),
        (n, SADDLE.0),
        (k, MASS.1),
        (n, MASS.0),
    ])
}

const FORCES: &str = "squeezer_hand_forces";
const MOMENTUM: &str = "squeezer_products_with_mass";
const REACTION: &str = "squeezer_products_with_jacobian";
const SADDLE: (&str, &str) = ("squeezer_saddle_factors", "squeezer_saddle_solutions");
const MASS: (&str, &str) = ("squeezer_mass_factors", "squeezer_mass_solutions");

/// Workloads of the model file and of recorded formulas, those that they are compared with, and how many times the instructions of these they may
/// take on every machine with a vector unit.
pub const COMPARED: [(&str, &str, f64); 7] = [
    ("squeezer_text_evaluations", "squeezer_hand_evaluations", 3.0),
    ("squeezer_text_newton_blocks", "squeezer_hand_newton_blocks", 3.0),
    ("squeezer_text_radau_1e-6", "squeezer_radau_1e-6", 1.25),
    ("squeezer_text_dopri8_1e-6", "squeezer_dopri8_1e-6", 1.35),
    ("squeezer_text_parameter_set", "squeezer_radau_1e-6", 0.02 * sweep::SETS as f64),
    ("squeezer_text_ensemble_evaluations", "squeezer_text_evaluations", 0.5),
    ("squeezer_formulas_radau_1e-6", "squeezer_radau_1e-6", 1.1),
];

/// All of them.
pub const ALL: &[Workload] = &[
    Workload {
        name: "squeezer_radau_1e-6",
        prepare: || integration(find("andrews"), "radau", None, Steps::Tolerance(1e-6), 0.03),
    },
    Workload {
        name: "squeezer_radau5_1e-4",
        prepare: || integration(find("andrews"), "radau", Some(5), Steps::Tolerance(1e-4), 0.03),
    },
    Workload {
        name: "squeezer_dopri8_1e-6",
        prepare: || integration(find("andrews"), "dopri8", None, Steps::Tolerance(1e-6), 0.03),
    },
    Workload {
        name: "squeezer_adams_1e-6",
        prepare: || integration(find("andrews"), "adams", None, Steps::Tolerance(1e-6), 0.03),
    },
    Workload {
        name: "pendulum_radau_1e-6",
        prepare: || integration(find("pendulum"), "radau", None, Steps::Tolerance(1e-6), 20.0),
    },
    Workload {
        name: "pendulum_dopri8_1e-6",
        prepare: || integration(find("pendulum"), "dopri8", None, Steps::Tolerance(1e-6), 20.0),
    },
    Workload {
        name: "pendulum_adams_1e-6",
        prepare: || integration(find("pendulum"), "adams", None, Steps::Tolerance(1e-6), 20.0),
    },
    Workload {
        name: "car_axis_radau_1e-6",
        prepare: || integration(find("car_axis"), "radau", None, Steps::Tolerance(1e-6), 3.0),
    },
    Workload {
        name: "car_axis_dopri8_1e-6",
        prepare: || integration(find("car_axis"), "dopri8", None, Steps::Tolerance(1e-6), 3.0),
    },
    Workload {
        name: "car_axis_adams_1e-6",
        prepare: || integration(find("car_axis"), "adams", None, Steps::Tolerance(1e-6), 3.0),
    },
    Workload {
        name: "stiff_spring_pendulum_radau_1e-6",
        prepare: || {
            let problem = find("stiff_spring_pendulum/manifold_horizontal_eps1e-3");
            integration(problem, "radau", None, Steps::Tolerance(1e-6), 1.0)
        },
    },
    Workload { name: "squeezer_formulas_radau_1e-6", prepare: || integration_of_formulas("radau") },
    Workload { name: "squeezer_formulas_dopri8_1e-6", prepare: || integration_of_formulas("dopri8") },
    Workload { name: "squeezer_text_radau_1e-6", prepare: || integration_of_text("radau") },
    Workload { name: "squeezer_text_dopri8_1e-6", prepare: || integration_of_text("dopri8") },
    Workload {
        name: "squeezer_text_taylor_1e-4",
        prepare: || integration_of_model("squeezer", "taylor", 1e-4),
    },
    Workload {
        name: "squeezer_text_taylor_1e-6",
        prepare: || integration_of_model("squeezer", "taylor", 1e-6),
    },
    Workload {
        name: "squeezer_text_taylor_1e-9",
        prepare: || integration_of_model("squeezer", "taylor", 1e-9),
    },
    Workload {
        name: "squeezer_text_taylor_1e-11",
        prepare: || integration_of_model("squeezer", "taylor", 1e-11),
    },
    Workload {
        name: "pendulum_text_taylor_1e-6",
        prepare: || integration_of_model("pendulum", "taylor", 1e-6),
    },
    Workload {
        name: "car_axis_text_taylor_1e-8",
        prepare: || integration_of_model("car-axis", "taylor", 1e-8),
    },
    Workload {
        name: "double_pendulum_text_taylor_1e-13",
        prepare: || integration_of_model("double-pendulum", "taylor", 1e-13),
    },
    Workload { name: "squeezer_text_parameter_set", prepare: sweep::parameter_sets },
    Workload { name: "squeezer_text_begun", prepare: sweep::beginning },
    Workload { name: "van_der_pol_radau_1e-3", prepare: || stiff("van_der_pol", 1.0) },
    Workload { name: "robertson_radau_1e-3", prepare: || stiff("robertson", 1e-8) },
    Workload { name: "hires_radau_1e-3", prepare: || stiff("hires", 1e-4) },
    Workload {
        name: "chain_1000_radau3_5_steps",
        prepare: || integration(Ok(planar_chain(1000)), "radau", Some(3), Steps::Constant(0.01), 0.05),
    },
    Workload {
        name: "chain_100_rattle_50_steps",
        prepare: || integration(Ok(planar_chain(100)), "rattle", None, Steps::Constant(0.001), 0.05),
    },
    Workload {
        name: "waters_20_rattle_50_steps",
        prepare: || integration(Ok(waters(20)), "rattle", None, Steps::Constant(0.02), 1.0),
    },
    Workload { name: "waters_20_watched_50_steps", prepare: || watched_waters(false) },
    Workload { name: "waters_20_formulas_watched_50_steps", prepare: || watched_waters(true) },
    Workload {
        name: SPARK,
        prepare: || integration(find("andrews"), "spark", Some(3), Steps::Constant(5e-5), 0.03),
    },
    Workload { name: SADDLE.0, prepare: || parts(Part::SaddleFactors) },
    Workload { name: SADDLE.1, prepare: || parts(Part::SaddleSolutions) },
    Workload { name: MASS.0, prepare: || parts(Part::MassFactors) },
    Workload { name: MASS.1, prepare: || parts(Part::MassSolutions) },
    Workload { name: MOMENTUM, prepare: || parts(Part::Momentum) },
    Workload { name: REACTION, prepare: || parts(Part::Reaction) },
    Workload { name: FORCES, prepare: || parts(Part::Forces) },
    Workload { name: COMPARED[0].1, prepare: || evaluations_by_hand(Functions::Dynamics) },
    Workload { name: COMPARED[0].0, prepare: || evaluations_of_text(Functions::Dynamics) },
    Workload { name: COMPARED[1].1, prepare: || evaluations_by_hand(Functions::NewtonBlocks) },
    Workload { name: COMPARED[1].0, prepare: || evaluations_of_text(Functions::NewtonBlocks) },
    Workload { name: COMPARED[5].0, prepare: crate::ensemble::evaluations },
];
