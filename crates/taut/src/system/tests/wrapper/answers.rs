//! What a system answers, as numbers.

use crate::system::number::{Scalar, Series};
use crate::system::{
    Dynamics, Evaluation, MechanicalSystem, MotionSeries, MovingFrame, Partitioned, Structure, Terms,
};

/// What a system evaluates together.
fn answer_together(
    structure: &Structure,
    fill: &dyn Fn(&mut Dynamics<'_>, &mut [f64]) -> Evaluation,
) -> Vec<f64> {
    let m = structure.m();
    let [mut mass, mut force] = [vec![f64::NAN; structure.mass.nnz()], vec![f64::NAN; 2]];
    let [mut constraint, mut curvature] = [vec![f64::NAN; m], vec![0.0; m]];
    let mut jacobian = vec![f64::NAN; structure.jacobian.nnz()];
    let mut out =
        Dynamics { mass: &mut mass, force: &mut force, constraint: &mut constraint, jacobian: &mut jacobian };
    fill(&mut out, &mut curvature).unwrap();
    [mass, force, constraint, jacobian, curvature].concat()
}

fn answer_of_series(system: &dyn MechanicalSystem) -> Vec<f64> {
    let (zeros, mut balance) = ([Series::zero(); 2], [Series::zero(); 2]);
    let mut rows = vec![Series::zero(); system.structure().m()];
    let lambda = rows.clone();
    let along = MotionSeries { t: Series::zero(), q: &zeros, v: &zeros, a: &zeros, lambda: &lambda };
    let known = system.series(&along, &mut balance, &mut rows);
    vec![f64::from(u8::from(known)), balance[0].value()]
}

/// All that a system answers, as numbers, in the order of the trait.
pub(super) fn answers(system: &dyn MechanicalSystem) -> Vec<(&'static str, Vec<f64>)> {
    let (t, q, v, m) = (0.5, [1.0, 2.0], [3.0, 4.0], system.structure().m());
    let list = |length: usize, fill: &dyn Fn(&mut [f64]) -> Evaluation| {
        let mut list = vec![f64::NAN; length];
        fill(&mut list).unwrap();
        list
    };
    let structure = system.structure();
    let (of_mass, of_jacobian) = (structure.mass.nnz(), structure.jacobian.nnz());
    let (of_stiffness, of_damping) = (structure.stiffness.nnz(), structure.damping.nnz());
    let together =
        |fill: &dyn Fn(&mut Dynamics<'_>, &mut [f64]) -> Evaluation| answer_together(structure, fill);
    let blocks = |both: &mut [f64]| {
        let (stiffness, damping) = both.split_at_mut(of_stiffness);
        system.newton_blocks(Terms::NONE, t, &q, &v, &[0.0; 2], &vec![0.0; m], stiffness, damping)
    };
    let energy = system.energy(t, &q, &v).unwrap();
    let parts = together(&|out, _| {
        let Dynamics { mass, force, constraint, jacobian } = out;
        let mut out = Partitioned { mass: Some(mass), forces: force, constraint, jacobian };
        system.partitioned(&[Terms::NONE], t, &q, &v, &mut out)
    });
    let fact = |fact: bool| vec![f64::from(u8::from(fact))];
    vec![
        ("structure", vec![f64::from(u8::try_from(m).unwrap())]),
        ("mass", list(of_mass, &|out| system.mass(&q, out))),
        ("force", list(2, &|out| system.force(Terms::NONE, t, &q, &v, out))),
        ("constraint", list(m, &|out| system.constraint(t, &q, out))),
        ("jacobian", list(of_jacobian, &|out| system.jacobian(t, &q, &v, out))),
        ("constraint_rate", list(m, &|out| system.constraint_rate(t, &q, &v, out))),
        ("curvature", list(m, &|out| system.curvature(t, &q, &v, out))),
        ("newton_blocks", list(of_stiffness + of_damping, &blocks)),
        ("energy", vec![energy.kinetic, energy.potential]),
        ("series", answer_of_series(system)),
        ("expansion", fact(system.expansion().is_some())),
        (
            "dynamics_and_curvature",
            together(&|out, curvature| system.dynamics_and_curvature(t, &q, &v, out, curvature)),
        ),
        ("frame", system.frame().map_or(Vec::new(), MovingFrame::save)),
        ("switching_times", system.switching_times(0.0, 1.0)),
        ("constraints_move", fact(system.constraints_move())),
        ("has_positive_mass", fact(system.has_positive_mass())),
        ("has_newton_blocks", fact(system.has_newton_blocks())),
        ("terms", fact(system.terms() == Terms::DRIVING)),
        ("partitioned", parts),
        ("takes_several", Vec::new()),
        ("dynamics_of_several", together(&|out, _| system.dynamics_of_several(&[t], &q, &v, out))),
        ("dynamics", together(&|out, _| system.dynamics(t, &q, &v, out))),
    ]
}

/// The functions that a trait has, from its text.
pub(super) fn functions_of(source: &str, name: &str) -> Vec<String> {
    let text = source.split_once(&format!("pub trait {name} {{\n")).unwrap().1;
    let text = text.split_once("\n}\n").unwrap().0;
    let heads = text.lines().filter_map(|line| line.strip_prefix("    fn "));
    heads.map(|head| head.split(['(', '<']).next().unwrap().to_owned()).collect()
}
