//! What a solver sees of a partitioned system: values and derivative blocks on fixed patterns.

use super::fault::{Evaluation, Fault, finite};
use super::first_order_expansion::FirstOrderExpansion;
use super::force::ForceClass;
use super::mechanical_system::Energy;
use crate::linear::Pattern;

/// Terms of the right-hand sides that are treated with the same coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatePart {
    /// f⁽ᵐ⁾ and k⁽ᵐ⁾ of one class
    Class(ForceClass),
    /// what holds the constraints, such as −Gᵀu
    Reaction,
}

impl RatePart {
    /// All parts.
    pub const ALL: [RatePart; 5] = [
        RatePart::Class(ForceClass::Conservative),
        RatePart::Class(ForceClass::Dissipative),
        RatePart::Class(ForceClass::Driving),
        RatePart::Class(ForceClass::Oscillatory),
        RatePart::Reaction,
    ];

    /// The name of its class.
    pub fn name(self) -> &'static str {
        match self {
            RatePart::Class(class) => class.name(),
            RatePart::Reaction => "reaction",
        }
    }
}

/// A part that does not vanish, and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresentPart {
    /// which one
    pub part: RatePart,
    /// whether f⁽ᵐ⁾ does not vanish
    pub moves_first: bool,
    /// whether k⁽ᵐ⁾ depends on u
    pub reacts: bool,
}

/// What does not change in a partitioned system: names, sizes, the places of nonzero entries.
#[derive(Clone, Debug)]
pub struct PartitionStructure {
    /// names of the n variables y
    pub first: Vec<String>,
    /// names of the p variables z
    pub second: Vec<String>,
    /// names of the m constraints, in the order of their multipliers u
    pub constraints: Vec<String>,
    /// the parts that there are; others vanish everywhere
    pub parts: Vec<PresentPart>,
    /// places of ∂(f, k)/∂(y, z, u), n + p rows and n + p + m columns
    pub rates: Pattern,
    /// places of ∂(M(y) z)/∂(y, z), p rows and n + p columns
    pub momentum: Pattern,
    /// places of G = ∂g/∂y, m × n
    pub jacobian: Pattern,
}

impl PartitionStructure {
    /// n
    pub fn n(&self) -> usize {
        self.first.len()
    }

    /// p
    pub fn p(&self) -> usize {
        self.second.len()
    }

    /// m
    pub fn m(&self) -> usize {
        self.constraints.len()
    }

    /// The name of entry i of (y, z, u).
    pub fn name(&self, i: usize) -> &str {
        self.first.iter().chain(&self.second).chain(&self.constraints).nth(i).map_or("", String::as_str)
    }

    /// Fails when one of `values`, which belong to (y, z, u) from entry `first` on, is not finite.
    pub(crate) fn finite(&self, first: usize, values: &[f64], quantity: &'static str, t: f64) -> Evaluation {
        finite(values, quantity, t, |i| self.name(first + i))
    }

    /// Fails when one of `values`, one for each constraint, is not finite.
    pub(crate) fn finite_constraints(&self, values: &[f64], quantity: &'static str, t: f64) -> Evaluation {
        self.finite(self.n() + self.p(), values, quantity, t)
    }

    /// Fails when an entry of a block is not finite; the row names it, counted from entry `first` of (y, z, u).
    pub(crate) fn finite_block(
        &self,
        first: usize,
        pattern: &Pattern,
        values: &[f64],
        quantity: &'static str,
        t: f64,
    ) -> Evaluation {
        finite(values, quantity, t, |e| self.name(first + pattern.row_indices()[e]))
    }
}

/// A state (y, z, u) of a partitioned system and its time.
#[derive(Clone, Copy, Debug)]
pub struct PartitionState<'a, S = f64> {
    /// t
    pub t: S,
    /// y
    pub y: &'a [S],
    /// z
    pub z: &'a [S],
    /// u
    pub u: &'a [S],
}

/// A partitioned system as a solver sees it (Jay 1998, eq. 2 and 4, with time):
///
/// ```text
/// y' = Σ f⁽ᵐ⁾(t, y, z),    (M(y) z)' = Σ k⁽ᵐ⁾(t, y, z, u),    0 = g(t, y),
/// ```
///
/// with G f_z M⁻¹ k_u regular (condition 3). Every function may fail, which shortens the step. Implement
/// [`Hamiltonian`](crate::system::Hamiltonian) or [`PartitionedAdditive`](crate::system::PartitionedAdditive) and let the derivatives be
/// found, or implement this by hand.
pub trait PartitionedSystem {
    /// Names, sizes and patterns.
    fn structure(&self) -> &PartitionStructure;

    /// f⁽ᵐ⁾, then k⁽ᵐ⁾ of one part.
    fn rates(&self, part: RatePart, at: PartitionState<'_>, rates: &mut [f64]) -> Evaluation;

    /// The derivatives of [`rates`](Self::rates) with respect to (y, z, u), in the order of their pattern.
    fn rate_derivatives(&self, part: RatePart, at: PartitionState<'_>, values: &mut [f64]) -> Evaluation;

    /// f_t + f_y y' of all parts: y'' without what z' adds to it.
    fn drift(&self, at: PartitionState<'_>, rate: &[f64], drift: &mut [f64]) -> Evaluation;

    /// M(y) z
    fn momentum(&self, y: &[f64], z: &[f64], momentum: &mut [f64]) -> Evaluation;

    /// The derivatives of M(y) z with respect to (y, z), in the order of their pattern.
    fn momentum_derivatives(&self, y: &[f64], z: &[f64], values: &mut [f64]) -> Evaluation;

    /// g(t, y)
    fn constraint(&self, t: f64, y: &[f64], g: &mut [f64]) -> Evaluation;

    /// G = ∂g/∂y
    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Evaluation;

    /// g_t + G y' and g_tt + 2 G_t y' + G_y(y', y'): the first time derivative of g, and what the second has without y''.
    fn along(&self, t: f64, y: &[f64], rate: &[f64], first: &mut [f64], curvature: &mut [f64]) -> Evaluation;

    /// The energy, when the system has one.
    fn energy(&self, t: f64, y: &[f64], z: &[f64]) -> Result<Option<Energy>, Fault>;

    /// The equations of (y, z, u) as formulas whose Taylor coefficients can be found, which `taylor` steps are made of; nothing
    /// when the system has none.
    fn expansion(&self) -> Option<FirstOrderExpansion> {
        None
    }
}
