//! The one number type of closures.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Dual, Scalar, Traced};

/// A number with three directions and all their mixed derivatives: enough for every derivative a solver asks for.
pub type Jet = Dual<1, Dual<1, Dual<1>>>;

/// What closures are written for: a number with derivatives, or one that records what is done with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// constants of formulas that are recorded, too
    Jet(Jet),
    Traced(Traced),
}

impl From<Jet> for Number {
    fn from(jet: Jet) -> Self {
        Number(Kind::Jet(jet))
    }
}

impl From<Traced> for Number {
    fn from(traced: Traced) -> Self {
        Number(Kind::Traced(traced))
    }
}

impl Number {
    /// With its derivatives; those of what is being recorded are not known, so that the record is of no use.
    pub fn jet(self) -> Jet {
        match self.0 {
            Kind::Jet(jet) => jet,
            Kind::Traced(traced) => Jet::constant(traced.value()),
        }
    }

    /// As a number of a formula that is being recorded.
    pub(super) fn traced(self) -> Traced {
        match self.0 {
            Kind::Jet(jet) => Traced::constant(jet.value()),
            Kind::Traced(traced) => traced,
        }
    }

    fn map(self, jet: impl FnOnce(Jet) -> Jet, traced: impl FnOnce(Traced) -> Traced) -> Self {
        match self.0 {
            Kind::Jet(x) => jet(x).into(),
            Kind::Traced(x) => traced(x).into(),
        }
    }

    fn join(
        self,
        other: Self,
        jet: impl FnOnce(Jet, Jet) -> Jet,
        traced: impl FnOnce(Traced, Traced) -> Traced,
    ) -> Self {
        match (self.0, other.0) {
            (Kind::Jet(x), Kind::Jet(y)) => jet(x, y).into(),
            _ => traced(self.traced(), other.traced()).into(),
        }
    }
}

/// Operators on two numbers, and on a number and an `f64`.
macro_rules! operators {
    ($($operator:ident $function:ident)*) => { $(
        impl $operator for Number {
            type Output = Self;
            fn $function(self, other: Self) -> Self {
                self.join(other, $operator::$function, $operator::$function)
            }
        }
        impl $operator<f64> for Number {
            type Output = Self;
            fn $function(self, other: f64) -> Self {
                self.map(|x| $operator::$function(x, other), |x| $operator::$function(x, other))
            }
        }
    )* };
}

operators! { Add add Sub sub Mul mul Div div }

impl Neg for Number {
    type Output = Self;
    fn neg(self) -> Self {
        self.map(Neg::neg, Neg::neg)
    }
}

impl AddAssign for Number {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Number {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Number {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

/// Functions of one number, and of two.
macro_rules! functions {
    ($($unary:ident)*; $($binary:ident)*) => {
        $( fn $unary(self) -> Self {
            self.map(Scalar::$unary, Scalar::$unary)
        } )*
        $( fn $binary(self, other: Self) -> Self {
            self.join(other, Scalar::$binary, Scalar::$binary)
        } )*
    };
}

impl Scalar for Number {
    const LANES: usize = 1;
    const DEPTH: usize = Jet::DEPTH;

    functions! {
        square sqrt exp ln sin cos tan asin acos atan sinh cosh tanh abs sign floor;
        atan2 pow hypot min max
    }

    fn constant(value: f64) -> Self {
        Jet::constant(value).into()
    }
    fn value(self) -> f64 {
        match self.0 {
            Kind::Jet(jet) => jet.value(),
            Kind::Traced(traced) => traced.value(),
        }
    }
    fn lane(self, _k: usize) -> Number {
        self
    }
    fn from_lanes(lane: impl Fn(usize) -> Number) -> Self {
        lane(0)
    }
    fn sin_cos(self) -> (Self, Self) {
        match self.0 {
            Kind::Jet(jet) => {
                let (sine, cosine) = jet.sin_cos();
                (sine.into(), cosine.into())
            }
            Kind::Traced(_) => (self.sin(), self.cos()),
        }
    }
    fn powi(self, k: i32) -> Self {
        self.map(|x| x.powi(k), |x| x.powi(k))
    }
    fn powf(self, p: f64) -> Self {
        self.map(|x| x.powf(p), |x| x.powf(p))
    }
    fn select(self, positive: Self, otherwise: Self) -> Self {
        match (self.0, positive.0, otherwise.0) {
            (Kind::Jet(x), Kind::Jet(a), Kind::Jet(b)) => x.select(a, b).into(),
            _ => self.traced().select(positive.traced(), otherwise.traced()).into(),
        }
    }
    fn either(self, other: Self, first: bool) -> Self {
        if first { self } else { other }
    }
}
