//! Identities and derivatives.

use super::{Depends, Graph, Input, Node, Operation};
use crate::function::{Binary, Unary};

fn input(graph: &mut Graph, i: u32) -> Node {
    graph.input(Input::Position(i))
}

#[test]
fn equal_expressions_are_one_node() {
    let mut g = Graph::new();
    let (x, y) = (input(&mut g, 0), input(&mut g, 1));
    assert_eq!(g.add(x, y), g.add(y, x));
    assert_eq!(g.multiply(x, y), g.multiply(y, x));
    assert_eq!(g.binary(Binary::Hypot, x, y), g.binary(Binary::Hypot, y, x));
    assert_ne!(g.subtract(x, y), g.subtract(y, x));
}

#[test]
fn identities_are_applied() {
    let mut g = Graph::new();
    let (x, y) = (input(&mut g, 0), input(&mut g, 1));
    let (two, three) = (g.constant(2.0), g.constant(3.0));
    assert_eq!(g.multiply(x, Graph::ZERO), Graph::ZERO);
    assert_eq!(g.multiply(x, Graph::ONE), x);
    assert_eq!(g.add(x, Graph::ZERO), x);
    assert_eq!(g.subtract(x, x), Graph::ZERO);
    assert_eq!(g.add(x, x), g.multiply(two, x));
    let twice = g.multiply(two, x);
    assert_eq!(g.add(twice, x), g.multiply(three, x));
    assert_eq!(g.subtract(twice, x), x);
    let minus = g.negative(x);
    assert_eq!(g.negative(minus), x);
    assert_eq!(g.add(y, minus), g.subtract(y, x));
    let square = g.multiply(x, x);
    assert_eq!(square, g.power(x, 2));
    assert_eq!(g.multiply(square, x), g.power(x, 3));
    let length = g.binary(Binary::Hypot, x, y);
    let (a, b) = (g.power(x, 2), g.power(y, 2));
    assert_eq!(g.power(length, 2), g.add(a, b));
    let half = g.constant(0.5);
    assert_eq!(g.binary(Binary::Pow, x, half), g.unary(Unary::Sqrt, x));
}

#[test]
fn products_of_sines_and_cosines_are_turned_into_one_angle() {
    let mut g = Graph::new();
    let (a, b) = (input(&mut g, 0), input(&mut g, 1));
    let [sa, ca, sb, cb] = [(Unary::Sin, a), (Unary::Cos, a), (Unary::Sin, b), (Unary::Cos, b)]
        .map(|(function, angle)| g.unary(function, angle));
    let two = g.constant(2.0);
    let mut products = |x, y| {
        let product = g.multiply(x, y);
        g.multiply(two, product)
    };
    let [cc, ss, sc, cs] = [products(ca, cb), products(sb, sa), products(sa, cb), products(ca, sb)];
    let (difference, sum) = (g.subtract(a, b), g.add(a, b));
    let mut twice = |function, angle| {
        let value = g.unary(function, angle);
        g.multiply(two, value)
    };
    let [cos_difference, sin_difference] =
        [Unary::Cos, Unary::Sin].map(|function| twice(function, difference));
    let [cos_sum, sin_sum] = [Unary::Cos, Unary::Sin].map(|function| twice(function, sum));
    assert_eq!(g.add(cc, ss), cos_difference);
    assert_eq!(g.add(ss, cc), cos_difference);
    assert_eq!(g.subtract(cc, ss), cos_sum);
    let opposite = g.negative(cos_sum);
    assert_eq!(g.subtract(ss, cc), opposite);
    assert_eq!(g.add(sc, cs), sin_sum);
    assert_eq!(g.subtract(sc, cs), sin_difference);
    let opposite = g.negative(sin_difference);
    assert_eq!(g.subtract(cs, sc), opposite);
    // With other factors, or of other angles, they stay what they are.
    let single = g.multiply(sa, sb);
    let stays = g.add(cc, single);
    assert!(matches!(g.operation(stays), Operation::Add(..)));
    let stays = g.add(cc, sc);
    assert!(matches!(g.operation(stays), Operation::Add(..)));
}

#[test]
fn squares_of_sine_and_cosine_of_what_has_a_value_come_to_one() {
    let mut g = Graph::new();
    let (x, y) = (input(&mut g, 0), input(&mut g, 1));
    let squares = |g: &mut Graph, x: Node, factor: f64| {
        let factor = g.constant(factor);
        [Unary::Sin, Unary::Cos].map(|function| {
            let value = g.unary(function, x);
            let square = g.power(value, 2);
            g.multiply(factor, square)
        })
    };
    let [sine, cosine] = squares(&mut g, x, 3.0);
    let three = g.constant(3.0);
    assert_eq!(g.add(sine, cosine), three);
    assert_eq!(g.add(cosine, sine), three);
    let [of_another, _] = squares(&mut g, y, 3.0);
    assert_ne!(g.add(of_another, cosine), three);
    let [twice, _] = squares(&mut g, x, 2.0);
    let sum = g.add(twice, cosine);
    assert_eq!(g.value(sum), None);
    let quotient = g.divide(x, y);
    let [sine, cosine] = squares(&mut g, quotient, 1.0);
    assert_ne!(g.add(sine, cosine), Graph::ONE);
}

#[test]
fn constants_are_folded() {
    let mut g = Graph::new();
    let x = input(&mut g, 0);
    let (two, three) = (g.constant(2.0), g.constant(3.0));
    let product = g.multiply(three, x);
    let six = g.constant(6.0);
    assert_eq!(g.multiply(two, product), g.multiply(six, x));
    let sum = g.add(x, two);
    let five = g.constant(5.0);
    assert_eq!(g.add(sum, three), g.add(x, five));
    let sine = g.unary(Unary::Sin, two);
    assert_eq!(g.value(sine), Some(2.0_f64.sin()));
}

/// 2^30 + 2^30 has no room in an i32.
#[test]
fn exponents_that_are_too_large_to_be_added_stay_apart() {
    let mut g = Graph::new();
    let x = input(&mut g, 0);
    let (huge, largest) = (g.power(x, 1 << 30), g.power(x, i32::MAX));
    let product = g.multiply(huge, huge);
    assert_eq!(g.operation(product), Operation::Power(huge, 2));
    let larger = g.multiply(largest, x);
    assert_eq!(g.operation(larger), Operation::Multiply(x, largest));
    let both = g.multiply(huge, largest);
    assert_eq!(g.operation(both), Operation::Multiply(huge, largest));
    let lower = g.power(x, (1 << 30) - 1);
    assert_eq!(g.multiply(huge, lower), largest);
}

#[test]
fn the_gradient_of_a_long_sum_is_sparse_and_cheap() {
    const TERMS: u32 = 10_000;
    let mut g = Graph::new();
    let mut sum = Graph::ZERO;
    for i in 0..TERMS {
        let x = input(&mut g, i);
        let square = g.power(x, 2);
        sum = g.add(sum, square);
    }
    let before = g.len();
    let gradient = g.gradient(sum, Depends::POSITION);
    assert_eq!(gradient.len(), TERMS as usize);
    assert!(g.len() - before < 2 * TERMS as usize, "{} new nodes", g.len() - before);
    for (i, slope) in gradient {
        assert_eq!(g.gradient(slope, Depends::POSITION).len(), 1, "row {i}");
    }
    assert!(g.visits < 20 * TERMS as usize, "{} visits", g.visits);
}

#[test]
fn derivatives_along_the_motion_hold_velocities() {
    let mut g = Graph::new();
    let (x, v, t) = (input(&mut g, 0), g.input(Input::Velocity(0)), g.input(Input::Time));
    let product = g.multiply(x, t);
    let first = g.along_motion(product);
    let moved = g.multiply(v, t);
    assert_eq!(first, g.add(x, moved));
    let second = g.along_motion(first);
    let two = g.constant(2.0);
    assert_eq!(second, g.multiply(two, v));
    assert_eq!(g.along_motion(v), Graph::ZERO);
}

#[test]
fn a_system_at_rest_has_no_velocities() {
    let mut g = Graph::new();
    let (x, v) = (input(&mut g, 0), g.input(Input::Velocity(0)));
    let square = g.power(v, 2);
    let energy = g.multiply(x, square);
    assert_eq!(g.with_velocities_zero(energy), Graph::ZERO);
    let shifted = g.add(energy, x);
    assert_eq!(g.with_velocities_zero(shifted), x);
}

#[test]
fn an_exhausted_graph_makes_no_more_nodes() {
    let mut g = Graph::new();
    g.visit(usize::MAX);
    assert!(g.is_exhausted());
    let (x, before) = (input(&mut g, 7), g.len());
    assert_eq!((x, g.len()), (Graph::ZERO, before));
    assert!(matches!(g.operation(x), Operation::Constant(0)));
}

#[test]
fn equal_expressions_are_one_node_however_many_have_an_operand_in_common() {
    let mut g = Graph::new();
    let inputs: Vec<Node> = (0..100).map(|i| input(&mut g, i)).collect();
    // newer than all it is multiplied by
    let shared = g.unary(Unary::Sin, inputs[99]);
    let mut products = || -> Vec<Node> { inputs.iter().map(|&x| g.multiply(shared, x)).collect() };
    let first = products();
    assert_eq!(products(), first);
    let different: std::collections::HashSet<Node> = first.iter().copied().collect();
    assert_eq!(different.len(), 100);
    let mark = g.mark();
    let more: Vec<Node> = first.iter().map(|&x| g.unary(Unary::Exp, x)).collect();
    g.return_to(mark);
    assert_eq!(first, inputs.iter().map(|&x| g.multiply(shared, x)).collect::<Vec<_>>());
    assert_eq!(more, first.iter().map(|&x| g.unary(Unary::Exp, x)).collect::<Vec<_>>());
}
