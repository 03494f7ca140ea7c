//! Making nodes: constants are folded, the identities of algebra applied.
//!
//! The forms are normal in a modest way: a number stands before a product (`2*x`) and after a sum (`x + 1`), operands of
//! commutative operations are ordered, x·x is x². It is enough for derivatives to come out as short as by hand in the
//! usual cases, and for a zero to be seen as one. Formulas of parameters alone are treated like numbers: they go together, so
//! that they are computed once for a set of parameters. No identity changes where a formula has a value: 0·log(x), x/x and
//! √x² stay what they are.

use super::{Graph, Node, Operation};
use crate::function::{Binary, Unary};

/// Exponents up to this size are repeated multiplications, larger ones go through `pow`.
const LARGEST_POWER: f64 = 64.0;

impl Graph {
    /// a + b
    pub fn add(&mut self, a: Node, b: Node) -> Node {
        if a == Graph::ZERO {
            return b;
        }
        if b == Graph::ZERO {
            return a;
        }
        let (a, b) = if self.comes_before(a, b) { (b, a) } else { (a, b) };
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(x + y);
        }
        if let Operation::Add(inner, c) = self.operation(a)
            && self.join(a, c, b)
        {
            let sum = self.add(c, b);
            return self.add(inner, sum);
        }
        match (self.operation(a), self.operation(b)) {
            (_, Operation::Negative(y)) => return self.subtract(a, y),
            (Operation::Negative(x), _) => return self.subtract(b, x),
            _ => {}
        }
        let ((c, x), (d, y)) = (self.coefficient(a), self.coefficient(b));
        if x == y {
            let sum = self.add(c, d);
            return self.multiply(sum, x);
        }
        if c == d && self.is_whole_circle(x, y) {
            return c;
        }
        if c == d
            && let Some(turned) = self.turned(x, y, false)
        {
            return self.multiply(c, turned);
        }
        let (a, b) = if !self.is_fixed(b) && b < a { (b, a) } else { (a, b) };
        self.node(Operation::Add(a, b))
    }

    /// a − b
    pub fn subtract(&mut self, a: Node, b: Node) -> Node {
        if b == Graph::ZERO {
            return a;
        }
        if a == Graph::ZERO {
            return self.negative(b);
        }
        if self.value(b).is_some() {
            let opposite = self.negative(b);
            return self.add(a, opposite);
        }
        if let Operation::Add(inner, c) = self.operation(a)
            && self.join(a, c, b)
        {
            let difference = self.subtract(c, b);
            return self.add(inner, difference);
        }
        if let Operation::Negative(y) = self.operation(b) {
            return self.add(a, y);
        }
        let ((c, x), (d, y)) = (self.coefficient(a), self.coefficient(b));
        if x == y {
            let difference = self.subtract(c, d);
            return self.multiply(difference, x);
        }
        if c == d
            && let Some(turned) = self.turned(x, y, true)
        {
            return self.multiply(c, turned);
        }
        if let Operation::Negative(x) = self.operation(a) {
            let sum = self.add(x, b);
            return self.negative(sum);
        }
        self.node(Operation::Subtract(a, b))
    }

    /// −a
    pub fn negative(&mut self, a: Node) -> Node {
        match self.operation(a) {
            Operation::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Operation::Negative(x) => x,
            Operation::Subtract(x, y) => self.node(Operation::Subtract(y, x)),
            Operation::Multiply(c, x) if self.is_coefficient(c, a) => {
                let opposite = self.negative(c);
                self.multiply(opposite, x)
            }
            _ => self.node(Operation::Negative(a)),
        }
    }

    /// a b
    pub fn multiply(&mut self, a: Node, b: Node) -> Node {
        let (a, b) = if self.comes_before(b, a) { (b, a) } else { (a, b) };
        if let Some(c) = self.value(a) {
            return self.scale(c, b);
        }
        if self.is_fixed(a) && !self.is_fixed(b) {
            return self.scale_by_fixed(a, b);
        }
        if let Some(product) = self.multiply_special(a, b) {
            return product;
        }
        if let Some(product) = self.multiply_special(b, a) {
            return product;
        }
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        self.node(Operation::Multiply(a, b))
    }

    /// c x
    fn scale(&mut self, c: f64, x: Node) -> Node {
        if let Some(value) = self.value(x) {
            return self.constant(c * value);
        }
        if c == 0.0 && self.is_total(x) {
            return Graph::ZERO;
        }
        if c == 1.0 {
            return x;
        }
        if c == -1.0 {
            return self.negative(x);
        }
        match self.operation(x) {
            Operation::Negative(y) => self.scale(-c, y),
            Operation::Multiply(d, y) if self.joined(c, d).is_some() => {
                let product = self.joined(c, d).unwrap_or(c);
                self.scale(product, y)
            }
            Operation::Divide(d, y) if self.joined(c, d).is_some() => {
                let product = self.joined(c, d).unwrap_or(c);
                let numerator = self.constant(product);
                self.divide(numerator, y)
            }
            Operation::Multiply(d, y) if !self.is_fixed(x) && self.is_variable(d) => {
                let product = self.scale(c, d);
                self.multiply(product, y)
            }
            _ => {
                let c = self.constant(c);
                self.node(Operation::Multiply(c, x))
            }
        }
    }

    /// p x, where p is known once the parameters are, and x is not: such factors go together.
    fn scale_by_fixed(&mut self, p: Node, x: Node) -> Node {
        match self.operation(x) {
            Operation::Negative(y) => {
                let product = self.scale_by_fixed(p, y);
                self.negative(product)
            }
            Operation::Multiply(c, y) if self.is_fixed(c) => {
                let product = self.multiply(p, c);
                self.multiply(product, y)
            }
            Operation::Divide(c, y) if self.is_fixed(c) => {
                let numerator = self.multiply(p, c);
                self.divide(numerator, y)
            }
            _ => self.node(Operation::Multiply(p, x)),
        }
    }

    /// c d for a constant d, unless it leaves the range of numbers while what it multiplies may bring it back.
    fn joined(&self, c: f64, d: Node) -> Option<f64> {
        self.value(d).map(|d| c * d).filter(|product| product.is_normal())
    }

    /// Products in which the form of `a` matters; neither is a number.
    fn multiply_special(&mut self, a: Node, b: Node) -> Option<Node> {
        match self.operation(a) {
            _ if a == b => Some(self.power(a, 2)),
            Operation::Negative(x) => {
                let product = self.multiply(x, b);
                Some(self.negative(product))
            }
            Operation::Multiply(c, x) if self.is_fixed(c) && !self.is_fixed(a) => {
                let product = self.multiply(x, b);
                Some(self.multiply(c, product))
            }
            Operation::Divide(one, y) if one == Graph::ONE => Some(self.divide(b, y)),
            Operation::Where(c, one) if one == Graph::ONE => Some(self.when(c, b)),
            Operation::Unless(c, one) if one == Graph::ONE => Some(self.unless(c, b)),
            // An exponent that has no room in an i32 stays as it is written: a product of two powers.
            Operation::Power(x, k) => {
                let l = match self.operation(b) {
                    _ if x == b => Some(1),
                    Operation::Power(y, l) if x == y => Some(l),
                    _ => None,
                };
                let sum = l.and_then(|l| k.checked_add(l))?;
                Some(self.power(x, sum))
            }
            _ => None,
        }
    }

    /// a / b. x/x stays what it is: it has no value at 0.
    pub fn divide(&mut self, a: Node, b: Node) -> Node {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(x / y);
        }
        if b == Graph::ONE {
            return a;
        }
        if let Some(y) = self.value(b)
            && is_power_of_two(y)
        {
            return self.scale(1.0 / y, a);
        }
        match (self.operation(a), self.operation(b)) {
            (Operation::Negative(x), _) => {
                let quotient = self.divide(x, b);
                self.negative(quotient)
            }
            (_, Operation::Negative(y)) => {
                let quotient = self.divide(a, y);
                self.negative(quotient)
            }
            (Operation::Multiply(c, x), _) if self.is_fixed(c) && !self.is_fixed(a) => {
                if self.is_fixed(b) {
                    let factor = self.divide(c, b);
                    return self.multiply(factor, x);
                }
                let quotient = self.divide(x, b);
                self.multiply(c, quotient)
            }
            _ => self.node(Operation::Divide(a, b)),
        }
    }

    /// x^k for a whole number k.
    pub fn power(&mut self, x: Node, k: i32) -> Node {
        if let Some(value) = self.value(x) {
            return self.constant(value.powi(k));
        }
        match k {
            0 => return Graph::ONE,
            1 => return x,
            _ if k < 0 => {
                let positive = self.power(x, -k);
                return self.divide(Graph::ONE, positive);
            }
            _ => {}
        }
        match self.operation(x) {
            Operation::Negative(y) if k % 2 == 0 => self.power(y, k),
            Operation::Unary(Unary::Abs, y) if k % 2 == 0 => self.power(y, k),
            Operation::Unary(Unary::Sqrt, y) if k == 2 && self.is_never_negative(y) => y,
            Operation::Binary(Binary::Hypot, y, z) if k == 2 => {
                let (y, z) = (self.power(y, 2), self.power(z, 2));
                self.add(y, z)
            }
            Operation::Multiply(c, y) if self.value(c).is_some_and(|c| c.powi(k).is_normal()) => {
                let (c, y) = (self.power(c, k), self.power(y, k));
                self.multiply(c, y)
            }
            Operation::Power(y, l) => match k.checked_mul(l) {
                Some(product) => self.power(y, product),
                None => self.node(Operation::Power(x, k)),
            },
            _ => self.node(Operation::Power(x, k)),
        }
    }

    /// f(x)
    pub fn unary(&mut self, function: Unary, x: Node) -> Node {
        if let Some(value) = self.value(x) {
            return self.constant(function.of(value));
        }
        let opposite = match self.operation(x) {
            Operation::Negative(y) => Some(y),
            _ => None,
        };
        match (function, opposite) {
            (Unary::Cos | Unary::Cosh | Unary::Abs, Some(y)) => self.unary(function, y),
            (
                Unary::Sin | Unary::Tan | Unary::Sinh | Unary::Tanh | Unary::Asin | Unary::Atan | Unary::Sign,
                Some(y),
            ) => {
                let value = self.unary(function, y);
                self.negative(value)
            }
            _ => self.node(Operation::Unary(function, x)),
        }
    }

    /// f(x, y)
    pub fn binary(&mut self, function: Binary, x: Node, y: Node) -> Node {
        if let (Some(a), Some(b)) = (self.value(x), self.value(y)) {
            return self.constant(function.of(a, b));
        }
        match function {
            Binary::Pow => self.pow(x, y),
            Binary::Hypot if y < x => self.node(Operation::Binary(function, y, x)),
            Binary::Min | Binary::Max if x == y => x,
            _ => self.node(Operation::Binary(function, x, y)),
        }
    }

    /// x^y; whole numbers and ½ as exponents are treated as such.
    fn pow(&mut self, x: Node, y: Node) -> Node {
        match self.value(y) {
            Some(k) if k.fract() == 0.0 && k.abs() <= LARGEST_POWER => self.power(x, k as i32),
            Some(0.5) => self.unary(Unary::Sqrt, x),
            _ => self.node(Operation::Binary(Binary::Pow, x, y)),
        }
    }

    /// x where c is positive, else 0
    pub fn when(&mut self, c: Node, x: Node) -> Node {
        match self.value(c) {
            _ if x == Graph::ZERO => x,
            Some(c) => {
                if c > 0.0 {
                    x
                } else {
                    Graph::ZERO
                }
            }
            None => self.node(Operation::Where(c, x)),
        }
    }

    /// 0 where c is positive, else x
    pub fn unless(&mut self, c: Node, x: Node) -> Node {
        match self.value(c) {
            _ if x == Graph::ZERO => x,
            Some(c) => {
                if c > 0.0 {
                    Graph::ZERO
                } else {
                    x
                }
            }
            None => self.node(Operation::Unless(c, x)),
        }
    }
}

/// Whether 1/x is exact.
fn is_power_of_two(x: f64) -> bool {
    const FRACTION: u64 = (1 << 52) - 1;
    x.is_normal() && x.to_bits() & FRACTION == 0 && (1.0 / x).is_normal()
}
