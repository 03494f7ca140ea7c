//! What a solver sees of a mechanical system: values and derivative blocks on fixed patterns.

use super::expansion::MechanicalExpansion;
use super::fault::{Evaluation, Fault, finite};
use super::force::Terms;
use super::separately;
use crate::linear::Pattern;
use taut_formula::number::Series;

/// One constraint: a rod, a spring, or a condition on velocities.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// its name
    pub name: String,
    /// what it restricts
    pub kind: ConstraintKind,
}

/// What a constraint restricts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstraintKind {
    /// g(t, q) + d g' = c λ with force −Gᵀλ, g' = G v + g_t. A rod has compliance c = 0; a spring with the energy
    /// g²/(2c) has c > 0 (Lubich 1992, eq. 8.4), and a damper of strength d/c beside it when d > 0.
    Holonomic {
        /// c
        compliance: f64,
        /// d, the time in which a spring creeps back under its damper; 0 without one
        relaxation: f64,
    },
    /// h(t, q, v) = 0 with force −(∂h/∂v)ᵀλ (Jay 1998, section 6.1)
    Nonholonomic,
}

impl Constraint {
    /// A rigid constraint g(t, q) = 0.
    pub fn rod(name: impl Into<String>) -> Self {
        Self::spring(name, 0.0)
    }

    /// A compliant constraint g(t, q) = c λ, that is a spring with the energy g²/(2c).
    pub fn spring(name: impl Into<String>, compliance: f64) -> Self {
        Constraint { name: name.into(), kind: ConstraintKind::Holonomic { compliance, relaxation: 0.0 } }
    }

    /// A spring with a damper beside it: g(t, q) + d g' = c λ, that is the forces −Gᵀg/c of the spring and −Gᵀg' d/c of
    /// the damper, whose strength is that of the spring times the relaxation time d.
    ///
    /// Choose it for strong dampers. As a force of its own a damper of strength 1/ε² costs the accuracy and the step
    /// lengths that a stiff spring costs as a potential; in this row neither is seen. For c → 0 the motion is that of the
    /// condition g + d g' = 0 on velocities, an index-2 system.
    pub fn damped_spring(name: impl Into<String>, compliance: f64, relaxation: f64) -> Self {
        Constraint { name: name.into(), kind: ConstraintKind::Holonomic { compliance, relaxation } }
    }

    /// A constraint h(t, q, v) = 0 on the velocities.
    pub fn nonholonomic(name: impl Into<String>) -> Self {
        Constraint { name: name.into(), kind: ConstraintKind::Nonholonomic }
    }

    /// c of g + d g' = c λ; 0 for everything rigid.
    pub fn compliance(&self) -> f64 {
        match self.kind {
            ConstraintKind::Holonomic { compliance, .. } => compliance,
            ConstraintKind::Nonholonomic => 0.0,
        }
    }

    /// d of g + d g' = c λ; 0 without a damper.
    pub fn relaxation(&self) -> f64 {
        match self.kind {
            ConstraintKind::Holonomic { relaxation, .. } => relaxation,
            ConstraintKind::Nonholonomic => 0.0,
        }
    }

    /// Whether it restricts positions.
    pub fn is_holonomic(&self) -> bool {
        self.kind != ConstraintKind::Nonholonomic
    }

    /// Whether it is rigid on positions.
    pub fn is_rod(&self) -> bool {
        self.is_holonomic() && self.compliance() == 0.0
    }
}

/// What does not change while a system moves: names, sizes, the places of nonzero entries.
#[derive(Clone, Debug)]
pub struct Structure {
    /// names of the n coordinates
    pub coordinates: Vec<String>,
    /// the m constraints, in the order of their multipliers
    pub constraints: Vec<Constraint>,
    /// places of M, n × n
    pub mass: Pattern,
    /// places of the stiffness block ∂(f − M a − Gᵀλ)/∂q, n × n
    pub stiffness: Pattern,
    /// places of the damping block ∂f/∂v, n × n
    pub damping: Pattern,
    /// places of the constraint Jacobian, m × n
    pub jacobian: Pattern,
    /// M does not depend on q
    pub constant_mass: bool,
    /// G does not depend on t, q, v
    pub linear_constraints: bool,
}

impl Structure {
    /// n
    pub fn n(&self) -> usize {
        self.coordinates.len()
    }

    /// m
    pub fn m(&self) -> usize {
        self.constraints.len()
    }

    /// The number of holonomic constraints, rods and springs.
    pub fn holonomic(&self) -> usize {
        self.constraints.iter().filter(|constraint| constraint.is_holonomic()).count()
    }

    /// A structure with all blocks full, for small systems written by hand.
    pub fn dense(coordinates: Vec<String>, constraints: Vec<Constraint>) -> Self {
        let (n, m) = (coordinates.len(), constraints.len());
        Structure {
            mass: Pattern::dense(n, n),
            stiffness: Pattern::dense(n, n),
            damping: Pattern::dense(n, n),
            jacobian: Pattern::dense(m, n),
            constant_mass: false,
            linear_constraints: false,
            coordinates,
            constraints,
        }
    }
}

/// Where M, f, g and G of one state are written to; the values of M and G in pattern order.
#[derive(Debug)]
pub struct Dynamics<'a> {
    /// M(q)
    pub mass: &'a mut [f64],
    /// f(t, q, v), see [`Terms::ACCELERATING`]
    pub force: &'a mut [f64],
    /// g(t, q), see [`MechanicalSystem::constraint`]
    pub constraint: &'a mut [f64],
    /// G(t, q)
    pub jacobian: &'a mut [f64],
}

/// Where M, g, G and forces in several parts of one state are written to.
#[derive(Debug)]
pub struct Partitioned<'a> {
    /// M(q), unless it is known already
    pub mass: Option<&'a mut [f64]>,
    /// the forces of each part, one after the other
    pub forces: &'a mut [f64],
    /// g(t, q), see [`MechanicalSystem::constraint`]
    pub constraint: &'a mut [f64],
    /// G(t, q)
    pub jacobian: &'a mut [f64],
}

/// The energy of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// T = vᵀM(q)v / 2
    pub kinetic: f64,
    /// V, with g²/(2c) of the springs and U/ε² of a strong potential
    pub potential: f64,
}

impl Energy {
    /// T + V
    pub fn total(self) -> f64 {
        self.kinetic + self.potential
    }
}

/// A motion as Taylor series in time.
#[derive(Clone, Copy, Debug)]
pub struct MotionSeries<'a> {
    /// t
    pub t: Series,
    /// q
    pub q: &'a [Series],
    /// v = q'
    pub v: &'a [Series],
    /// v'
    pub a: &'a [Series],
    /// λ
    pub lambda: &'a [Series],
}

/// A mechanical system as a solver sees it: M(q) v' = f(t, q, v) − Gᵀλ, g(t, q) = C λ (of damped springs g + d g' = C λ).
///
/// The order of values is that of the patterns in [`Structure`]. Every function may fail, which shortens the step.
/// Implement [`Mechanical`](crate::system::Mechanical) and let the derivatives be found, or implement this by hand and compare
/// with the automatic derivatives in a test.
pub trait MechanicalSystem {
    /// Names, sizes and patterns.
    fn structure(&self) -> &Structure;

    /// M(q), in the order of the mass pattern (both triangles).
    fn mass(&self, q: &[f64], mass: &mut [f64]) -> Evaluation;

    /// The sum of the chosen terms on the right-hand side.
    fn force(&self, terms: Terms, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Evaluation;

    /// g(t, q), without compliance; 0 in the place of a nonholonomic constraint.
    fn constraint(&self, t: f64, q: &[f64], g: &mut [f64]) -> Evaluation;

    /// G = ∂g/∂q, and ∂h/∂v in the rows of nonholonomic constraints.
    fn jacobian(&self, t: f64, q: &[f64], v: &[f64], jacobian: &mut [f64]) -> Evaluation;

    /// G v + g_t, the first time derivative of g; h(t, q, v) in the place of a nonholonomic constraint.
    fn constraint_rate(&self, t: f64, q: &[f64], v: &[f64], rate: &mut [f64]) -> Evaluation;

    /// The part of the second time derivative of g (first of h) that is free of v': G_q(v, v) + 2 G_t v + g_tt.
    fn curvature(&self, t: f64, q: &[f64], v: &[f64], curvature: &mut [f64]) -> Evaluation;

    /// The Newton blocks K = ∂(f − M a − Gᵀλ)/∂q and D = ∂f/∂v, f the sum of the chosen terms.
    #[allow(clippy::too_many_arguments)]
    fn newton_blocks(
        &self,
        terms: Terms,
        t: f64,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        lambda: &[f64],
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) -> Evaluation;

    /// Kinetic and potential energy.
    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Energy, Fault>;

    /// The series of M v' − f + Gᵀλ and of g along a motion given by series; false when the system has none.
    ///
    /// Systems of [`Mechanical`](crate::system::Mechanical) formulas and model files have them, closures have not. A smooth start
    /// of stiff springs needs them.
    fn series(&self, _along: &MotionSeries<'_>, _balance: &mut [Series], _constraint: &mut [Series]) -> bool {
        false
    }

    /// The equations as formulas whose Taylor coefficients can be found, which `taylor` steps are made of; nothing when the
    /// system has none. Model files and [`Mechanical`](crate::system::Mechanical) formulas that do not branch on values have them.
    fn expansion(&self) -> Option<MechanicalExpansion> {
        None
    }

    /// M, f, g and G together, and the curvature: all that accelerations follow from. Overwrite it where they share
    /// work.
    fn dynamics_and_curvature(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Dynamics<'_>,
        curvature: &mut [f64],
    ) -> Evaluation {
        separately::dynamics_and_curvature(self, t, q, v, out, curvature)
    }

    /// Directions that go along with the motion, when the system has such.
    fn frame(&self) -> Option<&dyn MovingFrame> {
        None
    }

    /// Times between two at which forces or constraints jump or have a kink, as far as these follow from the time alone: steps
    /// end there.
    fn switching_times(&self, _from: f64, _to: f64) -> Vec<f64> {
        Vec::new()
    }

    /// Whether holonomic constraints depend on time by themselves. Where they do not, G v is their rate.
    fn constraints_move(&self) -> bool {
        true
    }

    /// Whether M is that of a kinetic energy, which is never negative.
    fn has_positive_mass(&self) -> bool {
        true
    }

    /// Whether [`newton_blocks`](Self::newton_blocks) are known. Where each of many bodies acts on all others they may be too large to be
    /// kept, or nobody has written them down: explicit methods, `taylor`, and `rattle` and `spark` with rods do without them, and
    /// other methods are refused. The patterns of stiffness and damping are then not looked at, but that the latter is empty where forces
    /// depend on positions alone.
    fn has_newton_blocks(&self) -> bool {
        true
    }

    /// The terms that there are; others vanish everywhere and need not be asked for.
    fn terms(&self) -> Terms {
        Terms::ACCELERATING | Terms::KINETIC
    }

    /// M, g, G and the forces of several parts together: what a partitioned step asks for at a stage. Overwrite it where
    /// they share work.
    fn partitioned(
        &self,
        parts: &[Terms],
        t: f64,
        q: &[f64],
        v: &[f64],
        out: &mut Partitioned<'_>,
    ) -> Evaluation {
        separately::partitioned(self, parts, t, q, v, out)
    }

    /// Whether several states cost less together than one after the other.
    fn takes_several(&self) -> bool {
        false
    }

    /// M, f, g and G at several states, such as the stages of a step. q, v and the results hold one state after the other.
    /// Overwrite it, and [`takes_several`](Self::takes_several), where states share work.
    fn dynamics_of_several(&self, t: &[f64], q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        separately::dynamics_of_several(self, t, q, v, out)
    }

    /// M, f, g and G together. Overwrite it where they share work.
    fn dynamics(&self, t: f64, q: &[f64], v: &[f64], out: &mut Dynamics<'_>) -> Evaluation {
        separately::dynamics(self, t, q, v, out)
    }
}

/// What a system chooses at its start and chooses anew as it moves, so that the same motion is described well all along:
/// the directions of [`FootPoints`](crate::system::FootPoints).
///
/// Between two calls of [`begin`](Self::begin), [`follow`](Self::follow) and [`restore`](Self::restore) nothing changes,
/// so that all stages of a step see the same functions.
pub trait MovingFrame {
    /// Chooses at the start of a run.
    fn begin(&self, t: f64, q: &[f64]) -> Evaluation;

    /// Looks at the end of an accepted step, a state that begins with the positions, and chooses anew where that is
    /// better. A fault ends the run.
    fn follow(&self, t: f64, state: &[f64]) -> Evaluation;

    /// What was chosen, for a snapshot.
    fn save(&self) -> Vec<f64>;

    /// Goes back to what was saved; false when it does not fit.
    fn restore(&self, numbers: &[f64]) -> bool;
}

impl Structure {
    /// Fails when one of `values`, one for each coordinate, is not finite.
    pub fn finite_coordinates(&self, values: &[f64], quantity: &'static str, t: f64) -> Evaluation {
        finite(values, quantity, t, |i| self.coordinates[i].as_str())
    }

    /// Fails when one of `values`, one for each constraint, is not finite.
    pub fn finite_constraints(&self, values: &[f64], quantity: &'static str, t: f64) -> Evaluation {
        finite(values, quantity, t, |k| self.constraints[k].name.as_str())
    }

    /// Fails when one of the entries of a block is not finite; the row names it.
    pub fn finite_block(
        &self,
        pattern: &Pattern,
        values: &[f64],
        quantity: &'static str,
        t: f64,
    ) -> Evaluation {
        let of_constraints = std::ptr::eq(pattern, &self.jacobian);
        finite(values, quantity, t, |k| {
            let i = pattern.row_indices()[k];
            if of_constraints { self.constraints[i].name.as_str() } else { self.coordinates[i].as_str() }
        })
    }
}
