//! First-order equations whose Taylor coefficients can be found, since their formulas are known.

use std::sync::{Arc, OnceLock};

use taut_formula::expansion::{Coefficient, Expansion, Recursion, Roots};
use taut_formula::graph::{Depends, Graph, Node};
use taut_formula::settings::Setting;

use super::remembered::room;
use crate::linear::Reduction;

/// The formulas of E x' = f(t, x) in a graph, in which the variables are positions.
#[derive(Clone, Debug)]
pub struct FirstOrderFormulas {
    /// f
    pub rates: Vec<Node>,
    /// the entries of E that are not zero: equation, variable, value
    pub mass: Vec<(usize, usize, Setting)>,
    /// how many variables u and v there are in u' = f(t, u, v), v' = k(t, u, v, λ), 0 = g(t, u), if the equations are these
    pub held: Option<[usize; 2]>,
}

impl FirstOrderFormulas {
    fn n(&self) -> usize {
        self.rates.len()
    }

    fn mass_in<N: Coefficient>(&self, settings: &[N]) -> Vec<(usize, usize, N)> {
        self.mass.iter().map(|&(i, j, entry)| (i, j, entry.value_in(settings))).collect()
    }

    /// What the rows of E say, whatever the parameters are.
    fn kinds(&self) -> Vec<RowOfMass> {
        let n = self.n();
        let (mut in_row, mut in_column) = (vec![0; n], vec![0; n]);
        for &(i, j, _) in &self.mass {
            in_row[i] += 1;
            in_column[j] += 1;
        }
        let mut kinds = vec![RowOfMass::Zero; n];
        for &(i, j, entry) in &self.mass {
            let is_constant = matches!(entry, Setting::Constant(entry) if entry != 0.0);
            let alone = in_row[i] == 1 && in_column[j] == 1;
            kinds[i] = if is_constant && alone { RowOfMass::Plain } else { RowOfMass::Open };
        }
        kinds
    }
}

/// What a row of E says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowOfMass {
    /// there is no derivative
    Zero,
    /// there is one, that no other row has
    Plain,
    /// it may follow from others, or vanish
    Open,
}

/// The equations E x' = f(t, x) of a first-order system for expansion in time, before parameters have values; made ready when
/// somebody asks for them first.
#[derive(Debug)]
pub struct FirstOrderRecursion {
    formulas: FirstOrderFormulas,
    plain: OnceLock<Arc<Recursion>>,
    algebraic: OnceLock<Arc<AlgebraicEquations>>,
}

impl FirstOrderRecursion {
    /// Of the formulas x' = f(t, x) in a graph: one rate for each variable, which are positions there.
    pub fn new(rates: &[Node]) -> Self {
        let mass = (0..rates.len()).map(|i| (i, i, Setting::Constant(1.0))).collect();
        Self::of(FirstOrderFormulas { rates: rates.to_vec(), mass, held: None })
    }

    /// Of any formulas.
    pub fn of(formulas: FirstOrderFormulas) -> Self {
        FirstOrderRecursion { formulas, plain: OnceLock::new(), algebraic: OnceLock::new() }
    }

    /// With the values of formulas of parameters; `graph` is the one they are formulas of.
    pub fn with(&self, graph: &Graph, settings: &Arc<[f64]>) -> FirstOrderExpansion {
        let mass = self.formulas.mass_in(settings);
        let algebraic =
            self.formulas.held.is_some() || Reduction::new(self.formulas.n(), &mass).is_algebraic();
        self.expansion(graph, settings, algebraic)
    }

    /// The same for numbers of other types, in which E is not factored beforehand.
    pub fn with_any_mass(&self, graph: &Graph, settings: &Arc<[f64]>) -> FirstOrderExpansion {
        let ordinary = self.formulas.mass.iter().all(|(i, j, entry)| i == j && entry.value(settings) == 1.0)
            && self.formulas.mass.len() == self.formulas.n();
        self.expansion(graph, settings, !ordinary)
    }

    fn expansion(&self, graph: &Graph, settings: &Arc<[f64]>, algebraic: bool) -> FirstOrderExpansion {
        let rates = &self.formulas.rates;
        let settings = settings.clone();
        if algebraic {
            let make = || Arc::new(AlgebraicEquations::new(&mut graph.clone(), &self.formulas));
            let equations = self.algebraic.get_or_init(make);
            let recursion = equations.recursion.clone();
            return FirstOrderExpansion { recursion, settings, algebraic: Some(equations.clone()) };
        }
        let recursion = self.plain.get_or_init(|| {
            let roots = Roots {
                n: rates.len(),
                m: 0,
                followed: rates,
                probed: &[],
                values: &[],
                from_first_order: false,
                known: graph.count_of_settings(),
            };
            Arc::new(Recursion::new(&mut graph.clone(), &roots))
        });
        FirstOrderExpansion { recursion: recursion.clone(), settings, algebraic: None }
    }
}

/// Equations some of which have no derivatives, ready for expansion. Root i is equation i.
///
/// Equations that hold, 0 = g(t, u), are differentiated twice: 0 = g''(t, u, v, λ) is in their place, and g and g' are to be
/// kept zero by projection.
#[derive(Debug)]
pub(crate) struct AlgebraicEquations {
    recursion: Arc<Recursion>,
    pub(crate) n: usize,
    pub(crate) mass: Vec<(usize, usize, Setting)>,
    /// derivatives of the equations that may have no derivative in time: for each variable and root
    pub(crate) jacobian: Vec<Vec<(usize, usize)>>,
    pub(crate) held: Option<HeldEquations>,
}

/// What projection needs. All are roots.
#[derive(Debug)]
pub(crate) struct HeldEquations {
    /// how many variables u and v there are
    pub(crate) sizes: [usize; 2],
    /// g and g'
    pub(crate) gaps: [Vec<usize>; 2],
    /// f_v: number of u, number of v, root
    pub(crate) first: Vec<(usize, usize, usize)>,
    /// k_λ: number of v, number of λ, root
    pub(crate) second: Vec<(usize, usize, usize)>,
}

impl AlgebraicEquations {
    fn new(graph: &mut Graph, formulas: &FirstOrderFormulas) -> Self {
        let (n, known) = (formulas.n(), graph.count_of_settings());
        let mut rows = formulas.rates.clone();
        let rates = formulas.rates.clone();
        let differential = formulas.held.map_or(n, |[u, v]| u + v);
        let mut along = |node: Node| {
            let rate = graph.along_motion(node);
            graph.with_velocities(rate, |i| rates[i as usize])
        };
        let first: Vec<Node> = rows[differential..].iter().map(|&g| along(g)).collect();
        for (row, first) in rows[differential..].iter_mut().zip(&first) {
            *row = along(*first);
        }
        // Those whose rows of E may follow from others are asked for as well.
        let kinds = formulas.kinds();
        let candidates: Vec<usize> = (0..n).filter(|&row| kinds[row] != RowOfMass::Plain).collect();
        let (twice, mut probed): (Vec<usize>, Vec<usize>) =
            candidates.iter().partition(|&&row| kinds[row] == RowOfMass::Open);
        probed.extend(n..n + twice.len());
        let followed: Vec<Node> = rows.iter().copied().chain(twice.iter().map(|&row| rows[row])).collect();
        let mut values = Values { first: followed.len(), nodes: Vec::new() };
        let mut jacobian = vec![Vec::new(); n];
        for row in candidates {
            let gradient = graph.gradient(rows[row], Depends::POSITION);
            jacobian[row] = gradient.into_iter().map(|(j, slope)| (j, values.add(slope))).collect();
        }
        let gaps = [&formulas.rates[differential..], &first];
        let held = formulas.held.map(|sizes| held(graph, formulas, sizes, gaps, &mut values));
        let roots = Roots {
            n,
            m: 0,
            followed: &followed,
            probed: &probed,
            values: &values.nodes,
            from_first_order: true,
            known,
        };
        let recursion = Arc::new(Recursion::new(graph, &roots));
        AlgebraicEquations { recursion, n, mass: formulas.mass.clone(), jacobian, held }
    }

    /// E in numbers of any type, taken apart.
    pub(crate) fn reduction<N: Coefficient>(&self, settings: &[N]) -> Reduction<N> {
        let mass = self.mass.iter().map(|&(i, j, entry)| (i, j, entry.value_in(settings)));
        Reduction::new(self.n, &mass.collect::<Vec<_>>())
    }
}

/// Formulas whose values are wanted, and the number of the first one as a root.
struct Values {
    first: usize,
    nodes: Vec<Node>,
}

impl Values {
    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.first + self.nodes.len() - 1
    }
}

fn held(
    graph: &mut Graph,
    formulas: &FirstOrderFormulas,
    [u, v]: [usize; 2],
    gaps: [&[Node]; 2],
    values: &mut Values,
) -> HeldEquations {
    let gaps = gaps.map(|gaps| gaps.iter().map(|&gap| values.add(gap)).collect());
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (i, &rate) in formulas.rates[..u + v].iter().enumerate() {
        for (j, slope) in graph.gradient(rate, Depends::POSITION) {
            if i < u && (u..u + v).contains(&j) {
                first.push((i, j - u, values.add(slope)));
            } else if i >= u && j >= u + v {
                second.push((i - u, j - u - v, values.add(slope)));
            }
        }
    }
    HeldEquations { sizes: [u, v], gaps, first, second }
}

/// The equations of a first-order system, ready for expansion; the roots are the rates.
#[derive(Clone, Debug)]
pub struct FirstOrderExpansion {
    recursion: Arc<Recursion>,
    settings: Arc<[f64]>,
    /// where E x' = f is not solved for x'
    algebraic: Option<Arc<AlgebraicEquations>>,
}

impl FirstOrderExpansion {
    /// Room for coefficients up to an order.
    pub(crate) fn expansion(&self, highest: usize) -> Expansion<f64> {
        room(&self.recursion, highest, &self.settings)
    }

    /// The same for numbers of any type, with other values of formulas of parameters.
    pub(crate) fn expansion_with<N: Coefficient>(&self, highest: usize, settings: &[N]) -> Expansion<N> {
        Expansion::new(&self.recursion, highest, settings)
    }

    /// The values of formulas of parameters.
    pub(crate) fn settings(&self) -> &[f64] {
        &self.settings
    }

    /// The equations where some of them have no derivative.
    pub(crate) fn algebraic(&self) -> Option<&Arc<AlgebraicEquations>> {
        self.algebraic.as_ref()
    }

    /// Whether the equations are u' = f(t, u, v), v' = k(t, u, v, λ), 0 = g(t, u).
    pub(crate) fn is_held(&self) -> bool {
        self.algebraic.as_ref().is_some_and(|equations| equations.held.is_some())
    }

    /// Whether all formulas are smooth.
    pub fn is_smooth(&self) -> bool {
        self.recursion.is_smooth()
    }
}
