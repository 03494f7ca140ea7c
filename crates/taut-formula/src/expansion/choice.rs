//! Formulas that are not smooth: the branch that is taken at the point of expansion.

use crate::number::Scalar;

/// How a choice is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Choice {
    /// |a|
    Absolute,
    /// −1, 0 or 1
    Sign,
    /// the largest whole number below
    Floor,
    /// a where the condition is positive, else 0
    Where,
    /// 0 where the condition is positive, else a
    Unless,
    /// b where the condition is positive, else a
    Second,
}

impl Choice {
    /// The share of what is chosen, from the value of the condition; 0 where an absolute value is not decided yet.
    pub(super) fn share<N: Scalar>(self, condition: N) -> N {
        let positive = condition.value() > 0.0;
        let share = match self {
            Choice::Absolute => sign(condition.value()),
            Choice::Where | Choice::Second => f64::from(u8::from(positive)),
            Choice::Unless => f64::from(u8::from(!positive)),
            Choice::Sign | Choice::Floor => 0.0,
        };
        N::constant(share)
    }

    /// Of |a| with a = 0 at the point of expansion the first coefficient that is not zero decides.
    pub(super) fn decide<N: Scalar>(self, share: N, coefficient: N) -> N {
        if self == Choice::Absolute && share.value() == 0.0 {
            N::constant(sign(coefficient.value()))
        } else {
            share
        }
    }

    /// The value at the point of expansion.
    pub(super) fn value<N: Scalar>(self, share: N, condition: N, a: N, b: N) -> N {
        match self {
            Choice::Sign => N::constant(sign(condition.value())),
            Choice::Floor => N::constant(condition.value().floor()),
            _ => self.coefficient(share, a, b),
        }
    }

    /// A coefficient, from those of what can be chosen.
    pub(super) fn coefficient<N: Scalar>(self, share: N, a: N, b: N) -> N {
        match self {
            Choice::Sign | Choice::Floor => N::zero(),
            // What is not chosen may have no value.
            Choice::Second => b.either(a, share.value() > 0.0),
            _ => (a * share).either(N::zero(), share.value() != 0.0),
        }
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() { x } else { x.signum() }
}
