//! A number that records what is done with it.

use std::cell::RefCell;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Number, Scalar};
use crate::function::{Binary, Unary};
use crate::graph::{Graph, Input, Node, Operation};
use crate::settings::evaluate;

thread_local! {
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

/// The graph that is being written.
#[derive(Default)]
struct Recorder {
    graph: Graph,
    /// a formula asked for the value of a number
    asked: bool,
    /// of the first nodes, at a state like no other: what formulas that ask are told
    values: Vec<f64>,
}

impl Recorder {
    /// The value of a node there.
    fn value(&mut self, node: Node) -> f64 {
        for node in self.graph.nodes().skip(self.values.len()) {
            let value = match self.graph.operation(node) {
                Operation::Input(input) => somewhere(input),
                operation => {
                    let mut operands = operation.operands().map(|operand| self.values[operand.index()]);
                    let (a, b) = (operands.next().unwrap_or(0.0), operands.next().unwrap_or(0.0));
                    evaluate(operation, a, b)
                }
            };
            self.values.push(value);
        }
        self.values[node.index()]
    }
}

/// Numbers of which none is 0 or equal to another.
fn somewhere(input: Input) -> f64 {
    let (offset, i) = match input {
        Input::Time => return 0.1,
        Input::Position(i) => (0.3, i),
        Input::Velocity(i) => (0.7, i),
        Input::Acceleration(i) => (1.1, i),
        Input::Multiplier(i) => (1.3, i),
        Input::Parameter(i) => (1.7, i),
    };
    offset + 0.618_033_988_749_894_9 * (f64::from(i) + 1.0) % 1.0
}

/// A number of a formula that is being recorded; see [`record`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traced(Node);

/// Why formulas were not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrecorded {
    /// a formula asked for the value of a number: what it does then is what it does at one state
    Asked,
    /// there are more operations than a graph holds
    TooLarge,
}

impl fmt::Display for Unrecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unrecorded::Asked => f.write_str(
                "a formula asks for the value of a number, such as to branch on it, so that it cannot be recorded; `select`, `min`, `max`, `abs`, `sign` and `floor` can",
            ),
            Unrecorded::TooLarge => write!(
                f,
                "the formulas and their derivatives have more than {} operations, and {} more for each input",
                crate::graph::MOST_OPERATIONS,
                crate::graph::OPERATIONS_PER_INPUT
            ),
        }
    }
}

impl std::error::Error for Unrecorded {}

/// Records what `write` does with [`Traced`] numbers: the graph, with what it returns.
pub fn record<R>(write: impl FnOnce() -> R) -> Result<(Graph, R), Unrecorded> {
    let outer = RECORDER.take();
    let written = write();
    let Recorder { graph, asked, .. } = RECORDER.replace(outer);
    match graph.is_exhausted() {
        _ if asked => Err(Unrecorded::Asked),
        true => Err(Unrecorded::TooLarge),
        false => Ok((graph, written)),
    }
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
    /// That at one state, so that formulas which ask come to their end; the record is of no use.
    fn value(self) -> f64 {
        RECORDER.with_borrow_mut(|recorder| match recorder.graph.value(self.0) {
            Some(value) => value,
            None => {
                recorder.asked = true;
                recorder.value(self.0)
            }
        })
    }
    fn lane(self, _k: usize) -> Number {
        self.into()
    }
    fn from_lanes(lane: impl Fn(usize) -> Number) -> Self {
        lane(0).traced()
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
    fn pow(self, y: Self) -> Self {
        self.binary(Binary::Pow, y)
    }
    fn sign(self) -> Self {
        self.unary(Unary::Sign)
    }
    fn floor(self) -> Self {
        self.unary(Unary::Floor)
    }
    fn select(self, positive: Self, otherwise: Self) -> Self {
        with(|graph| {
            let (first, second) = (graph.when(self.0, positive.0), graph.unless(self.0, otherwise.0));
            graph.add(first, second)
        })
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
