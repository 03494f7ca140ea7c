use crate::{Family, Tableau};

/// What there is to say about a method; every entry is computed from the coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct Properties {
    /// The name of the method.
    pub name: String,
    /// The number of stages.
    pub stages: usize,
    /// The order.
    pub order: usize,
    /// The stage order, the largest q with C(q).
    pub stage_order: usize,
    /// Whether A is invertible, as index 3 and strong potentials want it (Lubich 1993, (3.4)).
    pub invertible: bool,
    /// R(inf); infinite when |R| grows beyond all bounds.
    pub r_infinity: f64,
    /// |R(z)| < 1 for Re z < 0.
    pub a_stable: bool,
    /// A-stable with R(inf) = 0.
    pub l_stable: bool,
    /// |R(iy)| = 1 for all real y.
    pub p_stable: bool,
    /// b_i >= 0 and a nonnegative definite matrix of algebraic stability.
    pub algebraically_stable: bool,
    /// |R(z)| > 1 for Re z > 0.
    pub explosive: bool,
    /// Explosive with |R(z)| to infinity.
    pub unconditionally_explosive: bool,
    /// |R(i omega)| < 1 for all omega != 0: oscillations of every frequency are damped (Lubich 1993, (3.5)).
    pub damps_all_oscillations: bool,
    /// Symplectic with one matrix for all components.
    pub symplectic: bool,
    /// Its own adjoint.
    pub symmetric: bool,
    /// The last stage is the result.
    pub stiffly_accurate: bool,
    /// The family of the adjoint, where it is one of ours.
    pub adjoint: Option<Family>,
}

impl Tableau {
    /// All properties at once.
    pub fn properties(&self) -> Properties {
        let stability = self.stability_function();
        Properties {
            name: self.name().to_owned(),
            stages: self.stages(),
            order: self.order(),
            stage_order: self.stage_order(),
            // det(I - z A) has the degree s if and only if zero is no eigenvalue.
            invertible: stability.denominator().degree() == self.stages(),
            r_infinity: stability.at_infinity(),
            a_stable: stability.is_a_stable(),
            l_stable: stability.is_l_stable(),
            p_stable: stability.is_p_stable(),
            algebraically_stable: self.is_algebraically_stable(),
            explosive: stability.is_explosive(),
            unconditionally_explosive: stability.is_unconditionally_explosive(),
            damps_all_oscillations: stability.damps_all_oscillations(),
            symplectic: self.is_symplectic(),
            symmetric: self.is_symmetric(),
            stiffly_accurate: self.is_stiffly_accurate(),
            adjoint: self.adjoint_family(),
        }
    }
}
