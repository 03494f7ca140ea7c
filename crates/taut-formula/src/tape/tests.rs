//! Compiled formulas.

use super::{Compiler, State, Tape};
use crate::function::Unary;
use crate::graph::{Graph, Input, Node};

fn evaluate(tape: &Tape, q: &[f64], results: usize) -> Vec<f64> {
    let mut out = vec![f64::NAN; results];
    assert!(tape.evaluate(State { q, ..State::default() }, &mut [&mut out]));
    out
}

fn inputs(graph: &mut Graph, n: u32) -> Vec<Node> {
    (0..n).map(|i| graph.input(Input::Position(i))).collect()
}

#[test]
fn sine_and_cosine_are_one_instruction() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 1)[0];
    let (sine, cosine) = (g.unary(Unary::Sin, x), g.unary(Unary::Cos, x));
    let tape = Compiler::new(&g, 1, 0).tape(&[cosine, sine]);
    assert_eq!(tape.len(), 1);
    assert_eq!(evaluate(&tape, &[0.7], 2), [0.7_f64.cos(), 0.7_f64.sin()]);
    let alone = Compiler::new(&g, 1, 0).tape(&[cosine]);
    assert_eq!(evaluate(&alone, &[0.7], 1), [0.7_f64.cos()]);
}

#[test]
fn a_product_that_is_used_once_joins_its_sum() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 4);
    let (a, b) = (g.multiply(x[0], x[1]), g.multiply(x[2], x[3]));
    let (sum, difference) = (g.add(a, b), g.subtract(x[0], b));
    assert_eq!(Compiler::new(&g, 4, 0).tape(&[sum]).len(), 2);
    assert_eq!(Compiler::new(&g, 4, 0).tape(&[sum, b]).len(), 2, "b is a result, a joins");
    let tape = Compiler::new(&g, 4, 0).tape(&[sum, difference, b]);
    assert_eq!(evaluate(&tape, &[2.0, 3.0, 5.0, 7.0], 3), [41.0, -33.0, 35.0]);
}

#[test]
fn registers_are_used_again() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 1)[0];
    let mut nested = x;
    for _ in 0..100 {
        let sine = g.unary(Unary::Sin, nested);
        nested = g.unary(Unary::Exp, sine);
    }
    let tape = Compiler::new(&g, 1, 0).tape(&[nested]);
    assert_eq!(tape.len(), 200);
    assert!(tape.used <= 4, "{} registers", tape.used);
}

#[test]
fn one_compiler_makes_many_tapes_and_evaluations_do_not_disturb_each_other() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 2);
    let two = g.constant(2.0);
    let (double, product) = (g.multiply(two, x[0]), g.multiply(x[0], x[1]));
    let mut compiler = Compiler::new(&g, 2, 0);
    let (first, second) = (compiler.tape(&[double, product]), compiler.tape(&[product, two, x[1]]));
    for _ in 0..2 {
        assert_eq!(evaluate(&first, &[3.0, 5.0], 2), [6.0, 15.0]);
        assert_eq!(evaluate(&second, &[3.0, 5.0], 3), [15.0, 2.0, 5.0]);
    }
    let repeated = compiler.tape(&[double, x[0], double, two, double]);
    assert_eq!(evaluate(&repeated, &[3.0, 5.0], 5), [6.0, 3.0, 6.0, 2.0, 6.0]);
    let mut sum = [1.0, 1.0];
    assert!(first.accumulate(State { q: &[3.0, 5.0], ..State::default() }, &mut [&mut sum]));
    assert_eq!(sum, [7.0, 16.0]);
}

#[test]
fn what_is_not_finite_is_noticed() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 1)[0];
    let inverse = g.divide(Graph::ONE, x);
    let tape = Compiler::new(&g, 1, 0).tape(&[inverse]);
    assert!(!tape.evaluate(State { q: &[0.0], ..State::default() }, &mut [&mut [0.0]]));
    assert!(tape.evaluate(State { q: &[0.5], ..State::default() }, &mut [&mut [0.0]]));
}

#[test]
fn sums_and_products_of_all_kinds_share_a_run_without_rounding_anew() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 4);
    let (product, square) = (g.multiply(x[0], x[1]), g.power(x[2], 2));
    let results = [
        g.add(x[0], x[1]),
        g.subtract(x[0], x[1]),
        g.negative(x[3]),
        product,
        square,
        g.add(product, x[2]),
        g.subtract(product, square),
        g.subtract(x[3], product),
    ];
    let tape = Compiler::new(&g, 4, 0).tape(&results);
    for [a, b, c, d] in [[0.1, 0.3, 0.7, -1.1], [-0.0, 0.0, 1e-200, 0.0], [1e200, -3.3, -0.0, 1e-9]] {
        let expected = [a + b, a - b, -d, a * b, c * c, a * b + c, a * b - c * c, d - a * b];
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&evaluate(&tape, &[a, b, c, d], 8)), bits(&expected));
    }
}

#[test]
fn files_of_all_sizes_hold_their_results() {
    for n in [10, 300, 70_000] {
        let mut g = Graph::new();
        let x = inputs(&mut g, n);
        let sums: Vec<Node> = x.iter().map(|&x| g.add(x, Graph::ONE)).collect();
        let tape = Compiler::new(&g, n as usize, 0).tape(&sums);
        let q: Vec<f64> = (0..n).map(f64::from).collect();
        let expected: Vec<f64> = q.iter().map(|q| q + 1.0).collect();
        assert_eq!(evaluate(&tape, &q, n as usize), expected);
        assert_eq!(tape.evaluate_any(State { q: &q, ..State::default() }), expected);
    }
}
