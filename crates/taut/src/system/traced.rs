//! Formulas in Rust, recorded as graphs.

use std::sync::Arc;

use taut_formula::graph::{Depends, Graph, Input};
use taut_formula::number::{Dual, Scalar, Traced, record};
use taut_formula::settings::Setting;

use super::differentiated_partition::PartitionFormulas;
use super::expansion::{MechanicalExpansion, MechanicalFormulas, MechanicalRecursion, RowFormula};
use super::first_order::FirstOrder;
use super::first_order_expansion::{FirstOrderExpansion, FirstOrderFormulas, FirstOrderRecursion};
use super::first_order_system::{Arrangement, Composition};
use super::force::{ForceClass, Terms};
use super::mechanical::{Mass, Mechanical};
use super::partitioned_system::{PartitionState, PartitionStructure};
use super::terms::{Formulas, Motion, Scratch};

fn inputs(n: usize, input: impl Fn(u32) -> Input) -> Vec<Traced> {
    (0..n as u32).map(|i| Traced::input(input(i))).collect()
}

/// The equations of a mechanical system; nothing where a formula branches on values.
pub(super) fn mechanical<M: Mechanical>(formulas: &Formulas<'_, M>) -> Option<MechanicalExpansion> {
    let (system, structure) = (formulas.system, formulas.structure);
    let (n, m, entries) = (structure.n(), structure.m(), structure.mass.nnz());
    let zero = || Traced::constant(0.0);
    let (mut graph, (mass, force, rows)) = record(|| {
        let t = Traced::input(Input::Time);
        let (q, v) = (inputs(n, Input::Position), inputs(n, Input::Velocity));
        let mut scratch = Scratch::new(n, m, entries);
        let (mut force, mut mass) = (vec![zero(); n], vec![zero(); entries]);
        formulas.add_force(Terms::ACCELERATING, Motion { t, q: &q, v: &v }, &mut force, &mut scratch);
        let mut motion = vec![Dual::lift(zero()); 2 * n];
        system.mass(&q, &mut Mass::values(&structure.mass, &mut mass, &mut motion));
        let mut rows = vec![zero(); m];
        let (g, h) = rows.split_at_mut(structure.holonomic());
        system.constraint(t, &q, g);
        system.nonholonomic(t, &q, &v, h);
        (mass, force, rows)
    })?;
    let rows = rows.iter().zip(&structure.constraints).map(|(row, constraint)| match constraint {
        _ if !constraint.is_holonomic() => RowFormula::Nonholonomic(row.node()),
        _ if constraint.is_rod() => RowFormula::Rod(row.node()),
        _ => RowFormula::Spring {
            equation: row.node(),
            compliance: graph.constant(constraint.compliance()),
            relaxation: graph.constant(constraint.relaxation()),
        },
    });
    let rows: Vec<RowFormula> = rows.collect();
    let mut jacobian = structure.jacobian.entries().map(|(k, j)| (k, j, Graph::ZERO)).collect::<Vec<_>>();
    for (k, row) in rows.iter().enumerate() {
        let gradient = match *row {
            RowFormula::Rod(equation) | RowFormula::Spring { equation, .. } => {
                graph.gradient(equation, Depends::POSITION)
            }
            RowFormula::Nonholonomic(equation) => graph.gradient(equation, Depends::VELOCITY),
        };
        for (j, slope) in gradient {
            // Outside of the pattern there is nothing but what vanishes.
            jacobian[structure.jacobian.position(k, j)?].2 = slope;
        }
    }
    let mass = structure.mass.entries().zip(&mass).map(|((i, j), entry)| (i, j, entry.node()));
    let formulas = MechanicalFormulas {
        mass: mass.collect(),
        force: force.iter().map(|force| force.node()).collect(),
        rows,
        jacobian,
    };
    Some(MechanicalRecursion::new(formulas).with(&graph, &Arc::default()))
}

/// The terms of a mechanical system that are not zero everywhere; all of them where a formula branches on values, since the
/// branch that is not taken may have more.
pub(super) fn terms<M: Mechanical>(formulas: &Formulas<'_, M>) -> Terms {
    let structure = formulas.structure;
    let (n, m, entries) = (structure.n(), structure.m(), structure.mass.nnz());
    let all = Terms::ACCELERATING | Terms::KINETIC;
    let found = record(|| {
        let t = Traced::input(Input::Time);
        let (q, v) = (inputs(n, Input::Position), inputs(n, Input::Velocity));
        let mut scratch = Scratch::new(n, m, entries);
        let acts = |terms: &Terms| {
            let mut force = vec![Traced::constant(0.0); n];
            formulas.add_force(*terms, Motion { t, q: &q, v: &v }, &mut force, &mut scratch);
            force.iter().any(|force| force.node() != Graph::ZERO)
        };
        let applied = ForceClass::ALL.map(Terms::of);
        let found = applied.into_iter().chain([Terms::POTENTIAL]).filter(acts);
        found.fold(Terms::NONE, |sum, terms| sum | terms)
    });
    let of_mass = Terms::CORIOLIS | Terms::KINETIC;
    match found {
        None => all,
        Some((_, found)) if structure.constant_mass => found,
        Some((_, found)) => found | of_mass,
    }
}

/// The equations of a first-order system; nothing where a formula branches on values.
pub(super) fn first_order<F: FirstOrder>(
    system: &F,
    composition: &Composition,
) -> Option<FirstOrderExpansion> {
    let n = composition.n();
    let (graph, rates) = record(|| {
        let mut rates = vec![Traced::constant(0.0); n];
        system.rate(Traced::input(Input::Time), &inputs(n, Input::Position), &mut rates);
        rates.into_iter().map(Traced::node).collect::<Vec<_>>()
    })?;
    let mass = composition.mass.entries().zip(&composition.mass_values);
    let formulas = FirstOrderFormulas {
        rates,
        mass: mass.map(|((i, j), &entry)| (i, j, Setting::Constant(entry))).collect(),
        held: match composition.arrangement {
            Arrangement::Hessenberg3 { u, v } => Some([u, v]),
            _ => None,
        },
    };
    Some(FirstOrderRecursion::of(formulas).with(&graph, &Arc::default()))
}

/// The equations of a partitioned system for (y, z, u); nothing where a formula branches on values, or where M(y) z is not z.
pub(super) fn partition<F: PartitionFormulas>(
    formulas: &F,
    structure: &PartitionStructure,
) -> Option<FirstOrderExpansion> {
    let (n, p, m) = (structure.n(), structure.p(), structure.m());
    let zero = || Traced::constant(0.0);
    let (graph, (rates, has_no_mass)) = record(|| {
        let (t, x) = (Traced::input(Input::Time), inputs(n + p + m, Input::Position));
        let (y, rest) = x.split_at(n);
        let (z, u) = rest.split_at(p);
        let mut rates = vec![zero(); n + p + m];
        let mut scratch = vec![Dual::lift(zero()); n + p + m];
        for present in &structure.parts {
            let at = PartitionState { t, y, z, u };
            formulas.add_rates(present.part, at, &mut rates[..n + p], &mut scratch);
        }
        formulas.constraint(t, y, &mut rates[n + p..]);
        let mut momentum = vec![zero(); p];
        formulas.momentum(y, z, &mut momentum);
        let same = momentum.iter().zip(z).all(|(momentum, z)| momentum.node() == z.node());
        (rates.into_iter().map(Traced::node).collect::<Vec<_>>(), same)
    })?;
    if !has_no_mass {
        return None;
    }
    let formulas = FirstOrderFormulas {
        rates,
        mass: (0..n + p).map(|i| (i, i, Setting::Constant(1.0))).collect(),
        held: (m > 0).then_some([n, p]),
    };
    Some(FirstOrderRecursion::of(formulas).with(&graph, &Arc::default()))
}
