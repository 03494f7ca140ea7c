//! The pendulum as a Hessenberg system of index 3.

use taut::system::{Hessenberg3, Hessenberg3System, Linearised, Scalar};

use crate::catalogue::Entry;
use crate::error::Error;
use crate::names;
use crate::problem::{Problem, Reference, Start, State, System};

/// u' = v, v' = (−2 u1 λ, −1 − 2 u2 λ), 0 = |u|² − 1 (Schropp 2003, eq. 4.1).
///
/// The motion of the unit pendulum with half its multiplier. The second derivative of the constraint is
/// d₃ = −4 λ |u|² − 2 u2 + 2 |v|²; the paper prints −2 λ |u|², which belongs to another scaling of λ.
#[derive(Clone, Copy, Debug)]
pub struct SchroppPendulum;

impl Hessenberg3 for SchroppPendulum {
    fn variables(&self) -> [Vec<String>; 3] {
        [names("u", 2), names("v", 2), vec!["lambda".into()]]
    }

    fn f<S: Scalar>(&self, _u: &[S], v: &[S], f: &mut [S]) {
        f.copy_from_slice(v);
    }

    fn k<S: Scalar>(&self, u: &[S], _v: &[S], lambda: &[S], k: &mut [S]) {
        k[0] = u[0] * lambda[0] * -2.0;
        k[1] = u[1] * lambda[0] * -2.0 - 1.0;
    }

    fn g<S: Scalar>(&self, u: &[S], g: &mut [S]) {
        g[0] = u[0].square() + u[1].square() - 1.0;
    }
}

pub(crate) const ENTRY: Entry = Entry { name: "schropp_pendulum", starts: &["rest"], build };

/// The start (4.2) and the references are those of the pendulum from horizontal rest with unit gravity.
fn build(start: &str) -> Result<Problem, Error> {
    let pendulum = crate::find("pendulum/horizontal_rest_g1")?;
    let references = pendulum
        .references
        .iter()
        .map(|reference| Reference { state: in_variables(&reference.state), ..reference.clone() })
        .collect();
    Ok(Problem {
        name: ENTRY.name.into(),
        start_name: start.into(),
        title: "Normalised pendulum in Hessenberg form".into(),
        source: "Schropp, projected Runge-Kutta methods (2003), eq. 4.1, 4.2".into(),
        purpose: "projected methods on u' = f, v' = k, 0 = g(u); the counts of the paper's table 1".into(),
        index: 3,
        system: System::FirstOrder(Box::new(Linearised::new(Hessenberg3System::new(SchroppPendulum)))),
        start: Start { t: pendulum.start.t, state: in_variables(&pendulum.start.state) },
        t_end: 20.0,
        kinks: Vec::new(),
        references,
    })
}

/// (q, v, λ/2)
fn in_variables(state: &State) -> State {
    let motion = state.motion().cloned().unwrap_or_default();
    let lambda: Vec<f64> = motion.lambda.unwrap_or_default().iter().map(|lambda| 0.5 * lambda).collect();
    State::Variables([motion.q, motion.v, lambda].concat())
}
