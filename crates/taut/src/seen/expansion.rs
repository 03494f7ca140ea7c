//! Equations of mechanisms whose Taylor coefficients can be found, since their formulas are known.

use std::sync::{Arc, OnceLock};

use taut_formula::expansion::{Coefficient, Expansion, Recursion, Roots};
use taut_formula::graph::{Depends, Graph, Input, Node};

use super::remembered::room;

/// The formulas of a mechanical system M(q) v' = f(t, q, v) − Gᵀλ with its constraints.
#[derive(Clone, Debug)]
pub struct MechanicalFormulas {
    /// the entries of M that are not zero, in the order of its pattern
    pub mass: Vec<(usize, usize, Node)>,
    /// f, one for each coordinate
    pub force: Vec<Node>,
    /// one for each constraint
    pub rows: Vec<RowFormula>,
    /// the entries of G in the order of its pattern: constraint, coordinate, formula
    pub jacobian: Vec<(usize, usize, Node)>,
}

/// The formula of a constraint.
#[derive(Clone, Copy, Debug)]
pub enum RowFormula {
    /// g(t, q) = 0
    Rod(Node),
    /// g(t, q) + d g' = c λ with c > 0
    Spring {
        /// g
        equation: Node,
        /// c
        compliance: Node,
        /// d
        relaxation: Node,
    },
    /// h(t, q, v) = 0
    Nonholonomic(Node),
}

/// What a row of the equations says about the unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    Rod,
    Spring,
    Nonholonomic,
}

/// The equations of a mechanical system for expansion in time, before parameters have values. They are made ready when somebody
/// asks for them first: most methods do not.
#[derive(Debug)]
pub struct MechanicalRecursion {
    formulas: MechanicalFormulas,
    ready: OnceLock<Ready>,
}

/// Equations that were asked for.
#[derive(Clone, Debug)]
struct Ready {
    recursion: Arc<Recursion>,
    n: usize,
    rows: Vec<RowKind>,
    entries: [usize; 2],
}

impl MechanicalRecursion {
    /// Of formulas in a graph.
    pub fn new(formulas: MechanicalFormulas) -> Self {
        MechanicalRecursion { formulas, ready: OnceLock::new() }
    }

    /// With the values of formulas of parameters; `graph` is the one they are formulas of.
    pub fn with(&self, graph: &Graph, settings: &Arc<[f64]>) -> MechanicalExpansion {
        let ready = self.ready.get_or_init(|| Ready::new(&mut graph.clone(), &self.formulas));
        let rows = ready.rows.iter().enumerate().map(|(number, &kind)| Row { number, kind, factor: 1.0 });
        MechanicalExpansion {
            recursion: ready.recursion.clone(),
            settings: settings.clone(),
            n: ready.n,
            rows: rows.collect(),
            all_rows: ready.rows.len(),
            entries: ready.entries,
            jacobian: (0..ready.entries[1]).map(|entry| (entry, 1.0)).collect(),
        }
    }
}

impl Ready {
    /// Springs are forces with the multipliers (g + d g')/c; of rods and conditions on velocities the multipliers are unknowns.
    /// Gᵀλ of rods is the gradient of Σ λₖ gₖ, which shares more than its entries do.
    fn new(graph: &mut Graph, formulas: &MechanicalFormulas) -> Self {
        let (n, known) = (formulas.force.len(), graph.count_of_settings());
        let mut balance: Vec<Node> = formulas.force.iter().map(|&force| graph.negative(force)).collect();
        for &(i, j, entry) in &formulas.mass {
            let acceleration = graph.input(Input::Acceleration(j as u32));
            let term = graph.multiply(entry, acceleration);
            balance[i] = graph.add(balance[i], term);
        }
        let rows = add_constraint_forces(graph, formulas, &mut balance);
        let kinds = formulas.rows.iter().map(|row| match row {
            RowFormula::Rod(_) => RowKind::Rod,
            RowFormula::Spring { .. } => RowKind::Spring,
            RowFormula::Nonholonomic(_) => RowKind::Nonholonomic,
        });
        let kinds: Vec<RowKind> = kinds.collect();
        let rigid = kinds.iter().enumerate().filter(|(_, kind)| **kind != RowKind::Spring);
        let probed: Vec<usize> = (0..n).chain(rigid.map(|(k, _)| n + k)).collect();
        balance.extend(rows);
        let values: Vec<Node> = formulas.mass.iter().chain(&formulas.jacobian).map(|entry| entry.2).collect();
        let roots = Roots {
            n,
            m: kinds.len(),
            followed: &balance,
            probed: &probed,
            values: &values,
            from_first_order: false,
            known,
        };
        Ready {
            recursion: Arc::new(Recursion::new(graph, &roots)),
            n,
            rows: kinds,
            entries: [formulas.mass.len(), formulas.jacobian.len()],
        }
    }
}

/// Adds Gᵀλ; returns g, h, or the multiplier of a spring.
fn add_constraint_forces(
    graph: &mut Graph,
    formulas: &MechanicalFormulas,
    balance: &mut [Node],
) -> Vec<Node> {
    let (mut holonomic, mut nonholonomic) = (Graph::ZERO, Graph::ZERO);
    let mut rows = Vec::new();
    for (k, row) in formulas.rows.iter().enumerate() {
        let multiplier = graph.input(Input::Multiplier(k as u32));
        rows.push(match *row {
            RowFormula::Rod(equation) => {
                let term = graph.multiply(multiplier, equation);
                holonomic = graph.add(holonomic, term);
                equation
            }
            RowFormula::Nonholonomic(equation) => {
                let term = graph.multiply(multiplier, equation);
                nonholonomic = graph.add(nonholonomic, term);
                equation
            }
            RowFormula::Spring { equation, compliance, relaxation } => {
                let rate = graph.along_motion(equation);
                let damper = graph.multiply(relaxation, rate);
                let stretched = graph.add(equation, damper);
                graph.divide(stretched, compliance)
            }
        });
    }
    for (sum, kind) in [(holonomic, Depends::POSITION), (nonholonomic, Depends::VELOCITY)] {
        for (j, force) in graph.gradient(sum, kind) {
            balance[j] = graph.add(balance[j], force);
        }
    }
    for &(k, j, entry) in &formulas.jacobian {
        if matches!(formulas.rows[k], RowFormula::Spring { .. }) {
            let force = graph.multiply(entry, rows[k]);
            balance[j] = graph.add(balance[j], force);
        }
    }
    rows
}

/// A row that is kept: its number among all, what it says, and the factor it is multiplied by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) number: usize,
    pub(crate) kind: RowKind,
    pub(crate) factor: f64,
}

/// The equations of a mechanical system, ready for expansion.
///
/// The roots are the balance M v' − f + Gᵀλ, then g, h, or the multiplier of each constraint; the values are M and G.
#[derive(Clone, Debug)]
pub struct MechanicalExpansion {
    recursion: Arc<Recursion>,
    settings: Arc<[f64]>,
    pub(crate) n: usize,
    pub(crate) rows: Vec<Row>,
    all_rows: usize,
    entries: [usize; 2],
    /// entries of G that are kept, with the factors of their rows
    jacobian: Vec<(usize, f64)>,
}

impl MechanicalExpansion {
    /// Room for coefficients up to an order.
    pub(crate) fn expansion(&self, highest: usize) -> Expansion<f64> {
        room(&self.recursion, highest, &self.settings)
    }

    /// The same for numbers of any type, with other values of formulas of parameters.
    pub(crate) fn expansion_with<N: Coefficient>(&self, highest: usize, settings: &[N]) -> Expansion<N> {
        Expansion::new(&self.recursion, highest, settings)
    }

    /// Whether all formulas are smooth.
    pub fn is_smooth(&self) -> bool {
        self.recursion.is_smooth()
    }

    /// How many entries M and G have.
    pub(crate) fn entries(&self) -> [usize; 2] {
        [self.entries[0], self.jacobian.len()]
    }

    /// Some of the constraints, each with a factor, and the entries of G that belong to them.
    pub(crate) fn select(
        mut self,
        kept: &[usize],
        factors: &[f64],
        entries: impl Iterator<Item = (usize, f64)>,
    ) -> Self {
        let rows = kept.iter().zip(factors).map(|(&k, factor)| Row { factor: *factor, ..self.rows[k] });
        self.rows = rows.collect();
        self.jacobian = entries.collect();
        self
    }

    /// Whether all constraints are rods, and none is left out or multiplied by a factor.
    pub(crate) fn has_only_rods(&self) -> bool {
        let is_plain =
            |(k, row): (usize, &Row)| row.kind == RowKind::Rod && row.number == k && row.factor == 1.0;
        self.rows.len() == self.all_rows && self.rows.iter().enumerate().all(is_plain)
    }

    /// The root of a row.
    pub(crate) fn root(&self, row: &Row) -> usize {
        self.n + row.number
    }

    /// M at the point of expansion.
    pub(crate) fn mass<N: Coefficient>(&self, expansion: &Expansion<N>, mass: &mut [N]) {
        let first = self.n + self.all_rows;
        for (k, entry) in mass.iter_mut().enumerate() {
            *entry = expansion.coefficient(first + k, 0);
        }
    }

    /// G at the point of expansion.
    pub(crate) fn jacobian<N: Coefficient>(&self, expansion: &Expansion<N>, jacobian: &mut [N]) {
        let first = self.n + self.all_rows + self.entries[0];
        for (entry, (k, factor)) in jacobian.iter_mut().zip(&self.jacobian) {
            *entry = expansion.coefficient(first + k, 0) * *factor;
        }
    }
}
