//! Controllable numerical damping (Jay 1998, section 7).

use std::fmt;
use std::sync::Arc;

/// Finds shares, one for each coordinate, from t, q and v.
pub type ShareFunction = dyn Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync;

/// What shares of damping act on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damped {
    /// the applied forces on a coordinate, those of the four classes; what the share leaves keeps the coefficients of its class.
    /// Potential and inertia forces, rods and springs are not changed. This damps forces that depend on velocities: as long as
    /// positions are in Lobatto IIIA, elastic forces are treated alike by IIIB and IIIC
    #[default]
    AppliedForces,
    /// q' = v of a coordinate and all forces on it: with a share above 0, positions and elastic forces are in IIIA and IIIC, so
    /// that oscillations of any frequency stay bounded and the highest are removed in a step; what is left of other forces
    /// keeps their coefficients. Coordinates without a share stay as they are, with IIIA and IIIB
    Motion,
}

/// Which share of what acts on each coordinate, from 0 to 1, is treated with Lobatto IIIC, which damps high frequencies;
/// [`Damped`] says what that is. Every share leaves the order as it is.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Damping {
    /// nothing is damped beyond what the classes say
    #[default]
    None,
    /// shares that stay
    Shares(Vec<f64>),
    /// shares that depend on the solution, evaluated at the beginning of each step; what is below 0 or above 1 is cut off
    Of(Arc<ShareFunction>),
}

impl Damping {
    /// Shares that depend on t, q and v at the beginning of each step.
    pub fn of(shares: impl Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Damping::Of(Arc::new(shares))
    }

    /// Whether nothing is damped, ever.
    pub fn is_none(&self) -> bool {
        match self {
            Damping::None => true,
            Damping::Shares(shares) => shares.iter().all(|share| *share == 0.0),
            Damping::Of(_) => false,
        }
    }

    /// The same for a system with `more` coordinates behind the n that it is meant for, whose forces are not damped.
    pub(crate) fn widened(&self, n: usize, more: usize) -> Self {
        match self {
            Damping::None => Damping::None,
            Damping::Shares(shares) => {
                Damping::Shares(shares.iter().copied().chain(vec![0.0; more]).collect())
            }
            Damping::Of(function) => {
                let function = Arc::clone(function);
                Damping::of(move |t, q, v, shares| function(t, &q[..n], &v[..n], &mut shares[..n]))
            }
        }
    }

    /// Writes the shares at a state.
    pub(crate) fn write(&self, t: f64, q: &[f64], v: &[f64], shares: &mut [f64]) {
        match self {
            Damping::None => shares.fill(0.0),
            Damping::Shares(given) => shares.copy_from_slice(given),
            Damping::Of(function) => {
                shares.fill(0.0);
                function(t, q, v, shares);
                shares.iter_mut().for_each(|share| *share = share.clamp(0.0, 1.0));
            }
        }
    }
}

impl fmt::Debug for Damping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damping::None => f.write_str("None"),
            Damping::Shares(shares) => f.debug_tuple("Shares").field(shares).finish(),
            Damping::Of(_) => f.write_str("Of(..)"),
        }
    }
}

impl PartialEq for Damping {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Damping::None, Damping::None) => true,
            (Damping::Shares(one), Damping::Shares(other)) => one == other,
            (Damping::Of(one), Damping::Of(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}
