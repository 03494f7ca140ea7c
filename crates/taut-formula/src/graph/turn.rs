//! The addition theorems: sums of products of sines and cosines of two angles are the sine or cosine of their sum or difference.
//!
//! Kinetic energies of rods that are written by their angles lead to masses cos(a) cos(b) + sin(a) sin(b), and to forces with the
//! derivatives of these. As functions of a − b they are one sine and cosine instead of four products.

use super::{Graph, Node, Operation};
use crate::function::Unary;

/// A product of two sines or cosines.
enum Product {
    /// cos(a) cos(b)
    Cosines([Node; 2]),
    /// sin(a) sin(b)
    Sines([Node; 2]),
    /// sin(a) cos(b)
    Mixed([Node; 2]),
}

impl Graph {
    /// x + y as the sine or cosine of one angle, or x − y where y is subtracted.
    pub(super) fn turned(&mut self, x: Node, y: Node, subtracted: bool) -> Option<Node> {
        use Product::{Cosines, Mixed, Sines};
        match (self.product_of_turns(x)?, self.product_of_turns(y)?) {
            // cos(a) cos(b) ± sin(a) sin(b) = cos(a ∓ b)
            (Cosines(angles), Sines(others)) if are_the_same(angles, others) => {
                Some(self.cosine_of_both(angles, subtracted))
            }
            (Sines(angles), Cosines(others)) if are_the_same(angles, others) => {
                let cosine = self.cosine_of_both(angles, subtracted);
                Some(if subtracted { self.negative(cosine) } else { cosine })
            }
            // sin(a) cos(b) ± cos(a) sin(b) = sin(a ± b)
            (Mixed([a, b]), Mixed([c, d])) if a == d && b == c => Some(self.sine_of_both([a, b], subtracted)),
            _ => None,
        }
    }

    fn product_of_turns(&self, x: Node) -> Option<Product> {
        let Operation::Multiply(x, y) = self.operation(x) else { return None };
        let (Operation::Unary(f, a), Operation::Unary(g, b)) = (self.operation(x), self.operation(y)) else {
            return None;
        };
        match (f, g) {
            (Unary::Cos, Unary::Cos) => Some(Product::Cosines([a, b])),
            (Unary::Sin, Unary::Sin) => Some(Product::Sines([a, b])),
            (Unary::Sin, Unary::Cos) => Some(Product::Mixed([a, b])),
            (Unary::Cos, Unary::Sin) => Some(Product::Mixed([b, a])),
            _ => None,
        }
    }

    /// The cosine of a sum or of a difference.
    fn cosine_of_both(&mut self, [a, b]: [Node; 2], of_sum: bool) -> Node {
        let angle = if of_sum { self.add(a, b) } else { self.subtract(a.min(b), a.max(b)) };
        self.unary(Unary::Cos, angle)
    }

    /// sin(a + b) or sin(a − b); whichever comes first is what the other is subtracted from, so that sines share the angle of cosines.
    fn sine_of_both(&mut self, [a, b]: [Node; 2], of_difference: bool) -> Node {
        let angle = if of_difference { self.subtract(a.min(b), a.max(b)) } else { self.add(a, b) };
        let sine = self.unary(Unary::Sin, angle);
        if of_difference && b < a { self.negative(sine) } else { sine }
    }
}

/// Whether these are the same angles in either order.
fn are_the_same([a, b]: [Node; 2], [c, d]: [Node; 2]) -> bool {
    (a, b) == (c, d) || (a, b) == (d, c)
}
