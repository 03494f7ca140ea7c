//! Methods with one implicit stage on the pendulum on a spring: backward differentiation and generalised alpha.
//!
//! The new position is a known one plus a multiple of its acceleration, y = k + b a, a = -y lambda - (0, 1),
//! |y| (1 - e lambda) = 1, which is solved in closed form; e = 0 is the rigid pendulum.

use taut_tableau::Multistep;
use taut_tableau::number::DoubleDouble;

use super::{Plane, State, dot, plus};

/// Position and acceleration of y = known + share a.
fn solve(known: Plane, share: DoubleDouble, e: DoubleDouble) -> (Plane, Plane) {
    let pulled = [known[0], known[1] - share];
    let length = dot(pulled, pulled).sqrt();
    let lambda = (length - DoubleDouble::ONE) / (share + e * length);
    let stretched = DoubleDouble::ONE + share * lambda;
    let y = pulled.map(|x| x / stretched);
    (y, acceleration(y, lambda))
}

fn acceleration(y: Plane, lambda: DoubleDouble) -> Plane {
    [-(y[0] * lambda), -(y[1] * lambda) - DoubleDouble::ONE]
}

/// The acceleration at a state of smooth motion, eps > 0.
pub(crate) fn acceleration_at(state: &State, epsilon: f64) -> Plane {
    let e = DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon);
    let length = dot(state.y, state.y).sqrt();
    acceleration(state.y, (DoubleDouble::ONE - DoubleDouble::ONE / length) / e)
}

/// The state after so many steps of a backward differentiation formula, from as many states as it needs, the oldest first.
pub(crate) fn differentiate_backward(
    method: &Multistep,
    mut history: Vec<State>,
    h: DoubleDouble,
    epsilon: f64,
    steps: usize,
) -> State {
    let k = method.steps();
    let e = DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon);
    let b = h * DoubleDouble::from(method.beta()[k]);
    for _ in k - 1..steps {
        let recent = &history[history.len() - k..];
        let last = recent[k - 1];
        // Deviations from the last state, since the coefficients add up to zero.
        let known = |part: fn(&State) -> Plane| {
            recent.iter().zip(method.alpha()).fold(part(&last), |sum, (state, &alpha)| {
                let moved = plus(part(state), DoubleDouble::from(-1.0), part(&last));
                plus(sum, DoubleDouble::from(-alpha), moved)
            })
        };
        let (place, velocity) = (known(|state| state.y), known(|state| state.v));
        let (y, a) = solve(plus(place, b, velocity), b * b, e);
        history.push(State { y, v: plus(velocity, b, a) });
    }
    history[history.len() - 1]
}

/// The generalised-alpha method of Chung and Hulbert (1993) with constraints (Arnold and Brüls 2007):
/// (1 - alpha_m) a_(n+1) + alpha_m a_n = (1 - alpha_f) q''_(n+1) + alpha_f q''_n with Newmark's formulas for q and v.
pub(crate) struct GeneralisedAlpha {
    alpha_m: DoubleDouble,
    alpha_f: DoubleDouble,
    beta: DoubleDouble,
    gamma: DoubleDouble,
}

impl GeneralisedAlpha {
    /// The method of order 2 with this spectral radius for infinite frequencies.
    pub(crate) fn new(at_infinity: f64) -> Self {
        let (one, half) = (DoubleDouble::ONE, DoubleDouble::from(0.5));
        let rho = DoubleDouble::from(at_infinity);
        let alpha_m = (rho + rho - one) / (rho + one);
        let alpha_f = rho / (rho + one);
        let gamma = half + alpha_f - alpha_m;
        let beta = (gamma + half) * (gamma + half) * DoubleDouble::from(0.25);
        GeneralisedAlpha { alpha_m, alpha_f, beta, gamma }
    }

    /// The time after the start, over h, at which a_0 is the acceleration, so that no first error of O(h) is left.
    pub(crate) fn shift(&self) -> DoubleDouble {
        self.alpha_m - self.alpha_f
    }

    /// The state after so many steps, from a state, its acceleration and a_0.
    pub(crate) fn run(
        &self,
        start: State,
        [mut acceleration, mut a]: [Plane; 2],
        h: DoubleDouble,
        epsilon: f64,
        steps: usize,
    ) -> State {
        let e = DoubleDouble::from(epsilon) * DoubleDouble::from(epsilon);
        let (one, half) = (DoubleDouble::ONE, DoubleDouble::from(0.5));
        let zero = [DoubleDouble::ZERO; 2];
        let mut at = start;
        for _ in 0..steps {
            // a_(n+1) = remembered + weight q''_(n+1)
            let weight = (one - self.alpha_f) / (one - self.alpha_m);
            let memory = plus(plus(zero, self.alpha_f, acceleration), -self.alpha_m, a);
            let remembered = memory.map(|x| x / (one - self.alpha_m));
            let known = plus(plus(at.y, h, at.v), h * h * (half - self.beta), a);
            let known = plus(known, h * h * self.beta, remembered);
            let (y, found) = solve(known, h * h * self.beta * weight, e);
            let next = plus(remembered, weight, found);
            let v = plus(plus(at.v, h * (one - self.gamma), a), h * self.gamma, next);
            (at, acceleration, a) = (State { y, v }, found, next);
        }
        at
    }
}
