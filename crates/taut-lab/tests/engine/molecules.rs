//! RATTLE as molecular dynamics expects it: one evaluation of forces a step, bonds to rounding, no derivatives of forces.

use std::cell::Cell;

use taut::method::Method;
use taut::motion::Motion;
use taut::options::Options;
use taut::system::{
    Energy, Evaluation, Fault, MechanicalExpansion, MechanicalSystem, MotionSeries, Series, Terms, Wrapper,
};
use taut::{Error, Solver};
use taut_lab::{solver_of, start_of};
use taut_problems::mechanics::{Waters, waters};
use taut_problems::{by_hand, find};

const STEP: f64 = 0.02;

/// Waters that count how often forces are asked for.
struct Counted {
    waters: by_hand::Waters,
    forces: Cell<usize>,
}

impl Counted {
    fn new(molecules: usize) -> Self {
        Counted { waters: by_hand::Waters::new(Waters { molecules }), forces: Cell::new(0) }
    }
}

impl Wrapper for Counted {
    fn inner(&self) -> &dyn MechanicalSystem {
        &self.waters
    }

    fn terms(&self) -> Terms {
        self.waters.terms()
    }

    fn series(&self, _along: &MotionSeries<'_>, _balance: &mut [Series], _constraint: &mut [Series]) -> bool {
        false
    }

    fn expansion(&self) -> Option<MechanicalExpansion> {
        None
    }

    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation {
        self.forces.set(self.forces.get() + 1);
        self.waters.force(terms, t, q, v, force)
    }

    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault> {
        self.waters.energy(t, q, v)
    }
}

fn start(molecules: usize) -> Vec<f64> {
    let motion = Waters { molecules }.start();
    [motion.q, motion.v].concat()
}

fn run(system: &dyn MechanicalSystem, molecules: usize, steps: usize, watch: bool) -> Motion {
    let solver = Solver::mechanical(system).method(Method::named("rattle").unwrap()).step(STEP).watch(watch);
    solver.run(0.0, STEP * steps as f64, &start(molecules)).unwrap()
}

#[test]
fn rattle_asks_for_forces_once_a_step() {
    let evaluations = |steps: usize| {
        let counted = Counted::new(8);
        let motion = run(&counted, 8, steps, false);
        assert_eq!(motion.statistics.accepted, steps);
        assert_eq!(motion.statistics.jacobians, 0);
        (counted.forces.get(), motion.statistics.rhs)
    };
    let (few, many) = (evaluations(10), evaluations(60));
    assert_eq!((many.0 - few.0, many.1 - few.1), (50, 50));
    assert!(few.0 <= 15, "{} evaluations in 10 steps", few.0);
}

#[test]
fn bonds_of_a_drop_hold_and_its_energy_does_not_drift() {
    let motion = run(&by_hand::Waters::new(Waters { molecules: 20 }), 20, 500, true);
    let invariants = &motion.invariants;
    assert!(invariants.residuals[0] < 1e-13 && invariants.residuals[1] < 1e-13, "{invariants:?}");
    assert!(invariants.energy_error < 0.3, "{invariants:?}");
}

#[test]
fn five_hundred_waters_run() {
    let motion = run(&by_hand::Waters::new(Waters { molecules: 500 }), 500, 5, true);
    assert!(motion.statistics.rhs <= 9, "{:?}", motion.statistics);
    assert!(motion.invariants.residuals[0] < 1e-12, "{:?}", motion.invariants);
    assert!(motion.invariants.energy_error < 1.0, "{:?}", motion.invariants);
}

#[test]
#[ignore = "ten thousand steps of 500 molecules take minutes"]
fn five_hundred_waters_keep_their_energy_over_ten_thousand_steps() {
    let motion = run(&by_hand::Waters::new(Waters { molecules: 500 }), 500, 10_000, true);
    println!("{:?} {:?}", motion.invariants, motion.statistics);
    assert!(motion.invariants.residuals[0] < 1e-12, "{:?}", motion.invariants);
    assert!(motion.invariants.energy_error < 20.0, "{:?}", motion.invariants);
}

#[test]
fn methods_that_need_derivatives_of_forces_are_refused_without_them() {
    let drop = waters(3);
    for name in ["radau", "bdf", "lobatto-iiic"] {
        let refused = solver_of(&drop).method(Method::named(name).unwrap()).run(0.0, 0.1, &start_of(&drop));
        let Err(Error::Mismatch(mismatch)) = refused else { panic!("{name}: {refused:?}") };
        assert!(mismatch.to_string().contains("derivatives of the forces"), "{mismatch}");
        assert!(mismatch.instead.contains("rattle"), "{mismatch}");
    }
    let options = Options { rtol: 1e-8, atol: 1e-8, ..Options::default() };
    let end = |name: &str| {
        let solver = solver_of(&drop).method(Method::named(name).unwrap()).options(options.clone());
        solver.run(0.0, 0.5, &start_of(&drop)).unwrap().y
    };
    let (auto, adams) = (end("auto"), end("adams"));
    let off = auto.iter().zip(&adams).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-5, "{off}");
}

#[test]
fn forces_by_hand_and_by_formulas_lead_to_the_same_place() {
    let pair = find("waters_2").unwrap();
    let by_hand = waters(2);
    let reference = pair.references[0].state.motion().unwrap();
    for problem in [&pair, &by_hand] {
        let options = Options { rtol: 1e-9, atol: 1e-9, ..Options::default() };
        let solver = solver_of(problem).method(Method::named("dopri8").unwrap()).options(options);
        let motion = solver.run(0.0, pair.t_end, &start_of(problem)).unwrap();
        for (q, exact) in motion.q().iter().zip(&reference.q) {
            assert!((q - exact).abs() < 1e-6, "{q} against {exact}");
        }
    }
}
