//! Nothing of a system is lost behind a wrapper.

mod answers;

use std::cell::RefCell;
use std::collections::BTreeSet;

use answers::{answers, functions_of};

use crate::linear::Pattern;
use crate::seen::separately;
use crate::system::number::{Scalar, Series};
use crate::system::testing::*;
use crate::system::{
    Augmented, Constraint, DamperForces, Differentiated, Dynamics, Energy, Evaluation, Fault, FootPoints,
    Independent, MechanicalExpansion, MechanicalSystem, MotionSeries, MovingFrame, Partitioned, Potential,
    Selection, Sticking, Structure, Terms, VelocityCondition, Wrapper,
};

/// A point mass in the plane on a damped spring, none of whose facts is a default. It remembers what it was asked.
struct Told {
    structure: Structure,
    asked: RefCell<BTreeSet<&'static str>>,
}

impl Told {
    fn new(constraint: Constraint) -> Self {
        let mut structure = Structure::dense(vec!["x".into(), "y".into()], vec![constraint]);
        structure.mass = Pattern::from_entries(2, 2, [(0, 0), (1, 1)]);
        Told { structure, asked: RefCell::default() }
    }

    fn tell(&self, name: &'static str, values: &mut [f64], value: f64) -> Evaluation {
        self.asked.borrow_mut().insert(name);
        values.fill(value);
        Ok(())
    }
}

#[warn(clippy::missing_trait_methods)]
impl MechanicalSystem for Told {
    fn structure(&self) -> &Structure {
        self.asked.borrow_mut().insert("structure");
        &self.structure
    }
    fn mass(&self, _q: &[f64], mass: &mut [f64]) -> Evaluation {
        self.tell("mass", mass, 2.0)
    }
    fn force(&self, _terms: Terms, _t: f64, _q: &[f64], _v: &[f64], force: &mut [f64]) -> Evaluation {
        self.tell("force", force, 3.0)
    }
    fn constraint(&self, _t: f64, _q: &[f64], g: &mut [f64]) -> Evaluation {
        self.tell("constraint", g, 4.0)
    }
    fn jacobian(&self, _t: f64, _q: &[f64], _v: &[f64], jacobian: &mut [f64]) -> Evaluation {
        self.tell("jacobian", jacobian, 5.0)
    }
    fn constraint_rate(&self, _t: f64, _q: &[f64], _v: &[f64], rate: &mut [f64]) -> Evaluation {
        self.tell("constraint_rate", rate, 6.0)
    }
    fn curvature(&self, _t: f64, _q: &[f64], _v: &[f64], curvature: &mut [f64]) -> Evaluation {
        self.tell("curvature", curvature, 7.0)
    }
    fn newton_blocks(
        &self,
        _terms: Terms,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _a: &[f64],
        _lambda: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) -> Evaluation {
        self.tell("newton_blocks", damping, 9.0)?;
        self.tell("newton_blocks", stiffness, 8.0)
    }
    fn energy(&self, _t: f64, _q: &[f64], _v: &[f64]) -> Result<Energy, Fault> {
        self.tell("energy", &mut [], 0.0)?;
        Ok(Energy { kinetic: 10.0, potential: 11.0 })
    }
    fn series(&self, _along: &MotionSeries<'_>, balance: &mut [Series], _constraint: &mut [Series]) -> bool {
        self.asked.borrow_mut().insert("series");
        balance.fill(Series::constant(12.0));
        true
    }
    fn expansion(&self) -> Option<MechanicalExpansion> {
        self.asked.borrow_mut().insert("expansion");
        None
    }
    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        self.mass(q, out.mass)?;
        self.force(Terms::ACCELERATING, t, q, v, out.force)?;
        self.constraint(t, q, out.constraint)?;
        self.jacobian(t, q, v, out.jacobian)
    }
    fn dynamics_and_curvature(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Dynamics<'_>,
        curvature: &mut [f64],
    ) -> Evaluation {
        self.dynamics(t, q, v, out)?;
        self.curvature(t, q, v, curvature)
    }
    fn dynamics_of_several(&self, t: &[f64], q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        self.dynamics(t[0], q, v, out)
    }
    fn partitioned(
        &self,
        _parts: &[Terms],
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Partitioned<'_>,
    ) -> Evaluation {
        self.force(Terms::NONE, t, q, v, out.forces)?;
        self.constraint(t, q, out.constraint)?;
        self.jacobian(t, q, v, out.jacobian)?;
        out.mass.as_deref_mut().map_or(Ok(()), |mass| self.mass(q, mass))
    }
    fn takes_several(&self) -> bool {
        true
    }
    fn frame(&self) -> Option<&dyn MovingFrame> {
        self.asked.borrow_mut().insert("frame");
        Some(self)
    }
    fn switching_times(&self, _from: f64, _to: f64) -> Vec<f64> {
        self.asked.borrow_mut().insert("switching_times");
        vec![0.25]
    }
    fn constraints_move(&self) -> bool {
        self.asked.borrow_mut().insert("constraints_move");
        false
    }
    fn has_positive_mass(&self) -> bool {
        self.asked.borrow_mut().insert("has_positive_mass");
        false
    }
    fn has_newton_blocks(&self) -> bool {
        self.asked.borrow_mut().insert("has_newton_blocks");
        false
    }
    fn terms(&self) -> Terms {
        self.asked.borrow_mut().insert("terms");
        Terms::DRIVING
    }
}

impl MovingFrame for Told {
    fn begin(&self, _t: f64, _q: &[f64]) -> Evaluation {
        Ok(())
    }
    fn follow(&self, _t: f64, _state: &[f64]) -> Evaluation {
        Ok(())
    }
    fn save(&self) -> Vec<f64> {
        vec![13.0]
    }
    fn restore(&self, _numbers: &[f64]) -> bool {
        false
    }
}

/// Changes nothing.
struct Unchanged<'a>(&'a Told);

impl Wrapper for Unchanged<'_> {
    fn inner(&self) -> &dyn MechanicalSystem {
        self.0
    }
    fn terms(&self) -> Terms {
        self.0.terms()
    }
    fn series(&self, along: &MotionSeries<'_>, balance: &mut [Series], constraint: &mut [Series]) -> bool {
        self.0.series(along, balance, constraint)
    }
    fn expansion(&self) -> Option<MechanicalExpansion> {
        self.0.expansion()
    }
}

#[test]
fn every_function_of_a_system_passes_through_a_wrapper() {
    let told = Told::new(Constraint::rod("rod"));
    let expected = answers(&told);
    told.asked.borrow_mut().clear();
    assert_eq!(answers(&Unchanged(&told)), expected);

    let functions = functions_of(include_str!("../../seen/mechanical_system.rs"), "MechanicalSystem");
    assert_eq!(
        functions.iter().collect::<Vec<_>>(),
        expected.iter().map(|(name, _)| name).collect::<Vec<_>>()
    );
    let mut of_wrappers = functions_of(include_str!("../../seen/wrapper.rs"), "Wrapper");
    let mut all = [functions, vec!["inner".into()]].concat();
    of_wrappers.sort();
    all.sort();
    assert_eq!(of_wrappers, all);

    let together =
        ["dynamics", "dynamics_and_curvature", "dynamics_of_several", "partitioned", "takes_several"];
    let expected: BTreeSet<&str> =
        expected.iter().map(|(name, _)| *name).filter(|name| !together.contains(name)).collect();
    assert_eq!(*told.asked.borrow(), expected);
}

/// v = 0 along x.
struct Held;

impl VelocityCondition for Held {
    fn name(&self) -> &str {
        "held"
    }
    fn places(&self) -> &[usize] {
        &[0]
    }
    fn is_linear(&self) -> bool {
        true
    }
    fn value(&self, _t: f64, _q: &[f64], v: &[f64]) -> f64 {
        v[0]
    }
    fn gradient(&self, _t: f64, _q: &[f64], _v: &[f64], gradient: &mut [f64]) -> Evaluation {
        gradient.fill(1.0);
        Ok(())
    }
    fn curvature(&self, _t: f64, _q: &[f64], _v: &[f64]) -> f64 {
        0.0
    }
    fn stiffness_places(&self) -> &[(usize, usize)] {
        &[]
    }
    fn stiffness(&self, _t: f64, _q: &[f64], _v: &[f64], _mu: f64, _stiffness: &mut [f64]) -> Evaluation {
        Ok(())
    }
}

/// x²/2, least where x = 0.
struct Trough;

impl Potential for Trough {
    fn potential<S: Scalar>(&self, q: &[S]) -> S {
        q[0].square() * 0.5
    }
}

#[test]
fn facts_of_a_system_are_those_of_all_that_stand_around_it() {
    let damped = Told::new(Constraint::damped_spring("spring", 1e-4, 1e-3));
    let rod = Told::new(Constraint::rod("rod"));
    let trough = FootPoints::new(Told::new(Constraint::rod("rod")), Trough, 1e-3, &[0.0, 1.0]).unwrap();
    let wrappers: [(&str, &dyn MechanicalSystem); 5] = [
        ("sticking", &Sticking::new(&rod, &[&Held])),
        ("damper forces", &DamperForces::of(&damped).unwrap()),
        ("independent", &Independent::without(&rod, &[])),
        ("augmented", &Augmented::new(&rod)),
        ("foot points", &trough),
    ];
    for (name, wrapper) in wrappers {
        assert_eq!(wrapper.switching_times(0.0, 1.0), [0.25], "{name}");
        assert!(!wrapper.constraints_move(), "{name}");
        assert!(!wrapper.has_positive_mass(), "{name}");
        assert!(!wrapper.has_newton_blocks(), "{name}");
        assert!(wrapper.terms().contain(Terms::DRIVING), "{name}");
        assert!(!wrapper.terms().contain(Terms::OSCILLATORY), "{name}");
        assert!(wrapper.frame().is_some(), "{name}");
    }
}

/// All that is evaluated together, as a wrapper has it and from functions that are called one after the other.
fn together(system: &dyn MechanicalSystem, at: (f64, &[f64], &[f64]), apart: bool) -> Vec<Vec<f64>> {
    let ((t, q, v), structure) = (at, system.structure());
    let (n, m, parts) = (structure.n(), structure.m(), [Terms::POTENTIAL, Terms::APPLIED]);
    let (of_mass, of_jacobian) = (structure.mass.nnz(), structure.jacobian.nnz());
    let mut found = Vec::new();
    for way in 0..4 {
        let (states, forces) = if way == 2 { (2, 2) } else { (1, 1 + way / 3) };
        let [mut mass, mut jacobian] = [of_mass, of_jacobian].map(|size| vec![f64::NAN; states * size]);
        let (mut force, mut constraint) = (vec![f64::NAN; forces * n], vec![f64::NAN; states * m]);
        let mut curvature = vec![f64::NAN; m];
        let mut out = Dynamics {
            mass: &mut mass,
            force: &mut force,
            constraint: &mut constraint,
            jacobian: &mut jacobian,
        };
        let (times, qs, vs) = ([t, t], [q, v].concat(), [v, q].concat());
        let outcome = match way {
            0 if apart => separately::dynamics(system, t, q, v, &mut out),
            0 => system.dynamics(t, q, v, &mut out),
            1 if apart => separately::dynamics_and_curvature(system, t, q, v, &mut out, &mut curvature),
            1 => system.dynamics_and_curvature(t, q, v, &mut out, &mut curvature),
            2 if apart => separately::dynamics_of_several(system, &times, &qs, &vs, &mut out),
            2 => system.dynamics_of_several(&times, &qs, &vs, &mut out),
            _ => {
                let Dynamics { mass, force, constraint, jacobian } = out;
                let mut out = Partitioned { mass: Some(mass), forces: force, constraint, jacobian };
                match apart {
                    true => separately::partitioned(system, &parts, t, q, v, &mut out),
                    false => system.partitioned(&parts, t, q, v, &mut out),
                }
            }
        };
        outcome.unwrap();
        curvature.retain(|entry| !entry.is_nan());
        found.extend([mass, force, constraint, jacobian, curvature]);
    }
    found
}

#[test]
fn what_wrappers_evaluate_together_is_what_they_evaluate_apart() {
    let everything = Differentiated::new(Everything { mass_by: MassBy::Entries });
    let damped = Differentiated::new(sketch_of_everything().damped_spring("damped", 0.25, 0.125, spring));
    let (divisors, gaps) = (vec![2.0, 4.0, 8.0], vec![0.25, 0.5, 0.0]);
    let selection = Selection { left_out: vec![0], divisors, gaps };
    let wrappers: [(&str, &dyn MechanicalSystem); 3] = [
        ("sticking", &Sticking::new(&everything, &[&Held])),
        ("damper forces", &DamperForces::of(&damped).unwrap()),
        ("independent", &Independent::of(&everything, &selection)),
    ];
    let at = (0.75, [0.5, -0.25, 0.125].as_slice(), [1.5, 0.25, -1.0].as_slice());
    for (name, wrapper) in wrappers {
        assert_eq!(together(wrapper, at, false), together(wrapper, at, true), "{name}");
    }
}
