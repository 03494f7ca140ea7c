//! A number that records what is done with it.

use std::cell::RefCell;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Number, Scalar};
use crate::function::{Binary, Unary};
use crate::graph::{Graph, Input, Node};

thread_local! {
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

/// The graph that is being written.
#[derive(Default)]
struct Recorder {
    graph: Graph,
    /// a formula asked for the value of a number
    asked: bool,
}

/// A number of a formula that is being recorded; see [`record`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traced(Node);

/// Records what `write` does with [`Traced`] numbers: the graph, with what it returns. Nothing when a formula asked for the
/// value of a number, to branch on it: the branch would be that of one state.
pub fn record<R>(write: impl FnOnce() -> R) -> Option<(Graph, R)> {
    let outer = RECORDER.take();
    let written = write();
    let Recorder { graph, asked } = RECORDER.replace(outer);
    (!asked && !graph.is_exhausted()).then_some((graph, written))
}

fn with(make: impl FnOnce(&mut Graph) -> Node) -> Traced {
    RECORDER.with_borrow_mut(|recorder| Traced(make(&mut recorder.graph)))
}

impl Traced {
    /// What formulas are evaluated at.
    pub fn input(input: Input) -> Self {
        with(|graph| graph.input(input))
    }

    /// Its node.
    pub fn node(self) -> Node {
        self.0
    }

    fn unary(self, function: Unary) -> Self {
        with(|graph| graph.unary(function, self.0))
    }

    fn binary(self, function: Binary, other: Self) -> Self {
        with(|graph| graph.binary(function, self.0, other.0))
    }
}

impl Add for Traced {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        with(|graph| graph.add(self.0, other.0))
    }
}

impl Sub for Traced {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        with(|graph| graph.subtract(self.0, other.0))
    }
}

impl Mul for Traced {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        with(|graph| graph.multiply(self.0, other.0))
    }
}

impl Div for Traced {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        with(|graph| graph.divide(self.0, other.0))
    }
}

impl Neg for Traced {
    type Output = Self;
    fn neg(self) -> Self {
        with(|graph| graph.negative(self.0))
    }
}

impl Add<f64> for Traced {
    type Output = Self;
    fn add(self, other: f64) -> Self {
        self + Traced::constant(other)
    }
}

impl Sub<f64> for Traced {
    type Output = Self;
    fn sub(self, other: f64) -> Self {
        self - Traced::constant(other)
    }
}

impl Mul<f64> for Traced {
    type Output = Self;
    fn mul(self, other: f64) -> Self {
        self * Traced::constant(other)
    }
}

impl Div<f64> for Traced {
    type Output = Self;
    fn div(self, other: f64) -> Self {
        self / Traced::constant(other)
    }
}

impl AddAssign for Traced {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Traced {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Traced {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Scalar for Traced {
    const LANES: usize = 1;
    const DEPTH: usize = 0;

    fn constant(value: f64) -> Self {
        with(|graph| graph.constant(value))
    }
    /// Not known: the record is of no use.
    fn value(self) -> f64 {
        RECORDER.with_borrow_mut(|recorder| match recorder.graph.value(self.0) {
            Some(value) => value,
            None => {
                recorder.asked = true;
                f64::NAN
            }
        })
    }
    fn lane(self, _k: usize) -> Number {
        Number::constant(self.value())
    }
    fn from_lanes(lane: impl Fn(usize) -> Number) -> Self {
        Traced::constant(lane(0).value())
    }
    fn square(self) -> Self {
        self.powi(2)
    }
    fn sqrt(self) -> Self {
        self.unary(Unary::Sqrt)
    }
    fn exp(self) -> Self {
        self.unary(Unary::Exp)
    }
    fn ln(self) -> Self {
        self.unary(Unary::Log)
    }
    fn sin(self) -> Self {
        self.unary(Unary::Sin)
    }
    fn cos(self) -> Self {
        self.unary(Unary::Cos)
    }
    fn tan(self) -> Self {
        self.unary(Unary::Tan)
    }
    fn asin(self) -> Self {
        self.unary(Unary::Asin)
    }
    fn acos(self) -> Self {
        self.unary(Unary::Acos)
    }
    fn atan(self) -> Self {
        self.unary(Unary::Atan)
    }
    fn atan2(self, x: Self) -> Self {
        self.binary(Binary::Atan2, x)
    }
    fn sinh(self) -> Self {
        self.unary(Unary::Sinh)
    }
    fn cosh(self) -> Self {
        self.unary(Unary::Cosh)
    }
    fn tanh(self) -> Self {
        self.unary(Unary::Tanh)
    }
    fn abs(self) -> Self {
        self.unary(Unary::Abs)
    }
    fn powi(self, k: i32) -> Self {
        with(|graph| graph.power(self.0, k))
    }
    fn powf(self, p: f64) -> Self {
        self.binary(Binary::Pow, Traced::constant(p))
    }
    fn hypot(self, y: Self) -> Self {
        self.binary(Binary::Hypot, y)
    }
    fn min(self, other: Self) -> Self {
        self.binary(Binary::Min, other)
    }
    fn max(self, other: Self) -> Self {
        self.binary(Binary::Max, other)
    }
}
