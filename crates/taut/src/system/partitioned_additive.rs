//! What a person writes: a partitioned system whose right-hand sides are sums.

use taut_formula::graph::{Depends, Graph, Input, Node};
use taut_formula::number::{Traced, record};

use super::differentiated_partition::{DifferentiatedPartition, PartitionTerms};
use super::number::{Dual, Scalar, Unrecorded};
use super::terms::LANES;
use super::traced::{inputs, nodes, zeros};
use crate::compiled::PartitionFormulas;
use crate::seen::{Energy, Evaluation, ForceClass, PartitionState, RatePart};

/// y' = Σ f⁽ᵐ⁾(t, y, z), (M(y) z)' = Σ k⁽ᵐ⁾(t, y, z, u), 0 = g(t, y), as formulas for any number type (Jay 1998, eq. 2
/// and 4).
///
/// The classes decide which coefficients of a SPARK method treat a term, see
/// [`SparkOptions`](crate::method::SparkOptions): terms of y' of class conservative are treated like q' = v, all others like
/// forces of their class. Choose this where y' is not z: nonlinear momenta, quasi-velocities, friction in both parts.
pub trait PartitionedAdditive {
    /// The names of the variables y and of the variables z.
    fn variables(&self) -> (Vec<String>, Vec<String>);

    /// Adds f⁽ᵐ⁾(t, y, z) of one class.
    fn first<S: Scalar>(&self, class: ForceClass, t: S, y: &[S], z: &[S], rate: &mut [S]);

    /// Adds k⁽ᵐ⁾(t, y, z, u) of one class.
    fn second<S: Scalar>(&self, class: ForceClass, t: S, y: &[S], z: &[S], u: &[S], rate: &mut [S]);

    /// Adds to (M z)' what holds the constraints, such as −Gᵀu. It is treated like the reactions of rods.
    fn reaction<S: Scalar>(&self, _t: S, _y: &[S], _z: &[S], _u: &[S], _rate: &mut [S]) {}

    /// M(y) z; z itself when it is not written.
    fn momentum<S: Scalar>(&self, _y: &[S], z: &[S], momentum: &mut [S]) {
        momentum.copy_from_slice(z);
    }

    /// The names of the constraints, in the order of their multipliers u.
    fn constraints(&self) -> Vec<String> {
        Vec::new()
    }

    /// g(t, y)
    fn constraint<S: Scalar>(&self, _t: S, _y: &[S], _g: &mut [S]) {}

    /// The energy, where there is one to be watched.
    fn energy(&self, _t: f64, _y: &[f64], _z: &[f64]) -> Option<Energy> {
        None
    }

    /// Whether a state can be evaluated; a refusal shortens the step.
    fn domain(&self, _t: f64, _y: &[f64], _z: &[f64]) -> Evaluation {
        Ok(())
    }
}

/// A [`PartitionedAdditive`] system with its derivatives.
pub type PartitionedAdditiveSystem<F> = DifferentiatedPartition<Written<F>>;

impl<F: PartitionedAdditive> PartitionedAdditiveSystem<F> {
    /// Records the formulas and differentiates them.
    pub fn new(system: F) -> Self {
        Self::of(Written(system))
    }

    /// The system it was made of.
    pub fn system(&self) -> &F {
        &self.formulas().0
    }
}

/// The terms as they were written.
#[derive(Debug)]
pub struct Written<F>(F);

impl<F: PartitionedAdditive> PartitionTerms for Written<F> {
    fn variables(&self) -> (Vec<String>, Vec<String>) {
        self.0.variables()
    }

    fn constraints(&self) -> Vec<String> {
        self.0.constraints()
    }

    fn record(&self) -> Result<(Graph, PartitionFormulas), Option<Unrecorded>> {
        let ((first, second), constraints) = (self.0.variables(), self.0.constraints());
        let (n, p, m) = (first.len(), second.len(), constraints.len());
        let (mut graph, (parts, momentum, equations)) = record(|| {
            let (t, x) = (Traced::input(Input::Time), inputs(n + p + m, Input::Position));
            let at = PartitionState { t, y: &x[..n], z: &x[n..n + p], u: &x[n + p..] };
            let parts = RatePart::ALL.map(|part| {
                let mut rates = zeros(n + p);
                self.add_rates(part, at, &mut rates, &mut []);
                (part, nodes(rates))
            });
            let (mut momentum, mut g) = (zeros(p), zeros(m));
            self.0.momentum(at.y, at.z, &mut momentum);
            self.0.constraint(t, at.y, &mut g);
            (parts, nodes(momentum), nodes(g))
        })?;
        let acts = |(_, rates): &(RatePart, Vec<Node>)| rates.iter().any(|&rate| rate != Graph::ZERO);
        let formulas = PartitionFormulas {
            mass: masses(&mut graph, n, &momentum).ok_or(None)?,
            first,
            second,
            constraints,
            parts: parts.into_iter().filter(acts).collect(),
            damping: Vec::new(),
            equations,
            energy: None,
            is_closed: false,
        };
        Ok((graph, formulas))
    }

    fn writes_rates(&self) -> bool {
        true
    }

    fn add_rates<S: Scalar>(
        &self,
        part: RatePart,
        PartitionState { t, y, z, u }: PartitionState<'_, S>,
        rates: &mut [S],
        _scratch: &mut [Dual<LANES, S>],
    ) {
        let (f, k) = rates.split_at_mut(y.len());
        match part {
            RatePart::Class(class) => {
                self.0.first(class, t, y, z, f);
                self.0.second(class, t, y, z, u, k);
            }
            RatePart::Reaction => self.0.reaction(t, y, z, u, k),
        }
    }

    fn momentum<S: Scalar>(&self, y: &[S], z: &[S], momentum: &mut [S]) {
        self.0.momentum(y, z, momentum);
    }

    fn constraint<S: Scalar>(&self, t: S, y: &[S], g: &mut [S]) {
        self.0.constraint(t, y, g);
    }

    fn energy(&self, t: f64, y: &[f64], z: &[f64]) -> Option<Energy> {
        self.0.energy(t, y, z)
    }

    fn domain(&self, t: f64, y: &[f64], z: &[f64]) -> Evaluation {
        self.0.domain(t, y, z)
    }
}

/// The entries of M(y) from M(y) z, none where it is the identity; nothing when what should be M(y) z is not linear in z.
fn masses(graph: &mut Graph, n: usize, momentum: &[Node]) -> Option<Vec<(usize, usize, Node)>> {
    let mut is_identity = true;
    let mut entries = Vec::new();
    for (i, &momentum) in momentum.iter().enumerate() {
        is_identity &= graph.input(Input::Position((n + i) as u32)) == momentum;
        for (j, entry) in graph.gradient(momentum, Depends::POSITION) {
            if j >= n {
                if graph.gradient(entry, Depends::POSITION).iter().any(|&(k, _)| k >= n) {
                    return None;
                }
                entries.push((i, j - n, entry));
            }
        }
    }
    Some(if is_identity { Vec::new() } else { entries })
}
