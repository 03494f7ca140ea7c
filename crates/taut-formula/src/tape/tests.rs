//! Compiled formulas.

use std::sync::Arc;

use super::{Compiler, Ensemble, Evaluator, State, States, Tape};
use crate::function::{Binary, Unary};
use crate::graph::{Graph, Input, Node};
use crate::settings::Settings;

mod places;

fn evaluator(tape: &Tape) -> Evaluator {
    Evaluator::without_parameters(tape.clone())
}

fn evaluate(tape: &Tape, q: &[f64], results: usize) -> Vec<f64> {
    let mut out = vec![f64::NAN; results];
    assert!(evaluator(tape).evaluate(State { q, ..State::default() }, &mut [&mut out]));
    out
}

/// To one unit in the last place.
fn close(found: &[f64], expected: &[f64]) -> bool {
    found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= f64::EPSILON * b.abs())
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
    assert_eq!(tape.counts()[0], 1);
    assert!(close(&evaluate(&tape, &[0.7], 2), &[0.7_f64.cos(), 0.7_f64.sin()]));
    let alone = Compiler::new(&g, 1, 0).tape(&[cosine]);
    assert_eq!(evaluate(&alone, &[0.7], 1), evaluate(&tape, &[0.7], 2)[..1]);
}

#[test]
fn a_product_that_is_used_once_joins_its_sum() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 4);
    let (a, b) = (g.multiply(x[0], x[1]), g.multiply(x[2], x[3]));
    let (sum, difference) = (g.add(a, b), g.subtract(x[0], b));
    assert_eq!(Compiler::new(&g, 4, 0).tape(&[sum]).counts()[0], 2);
    assert_eq!(Compiler::new(&g, 4, 0).tape(&[sum, b]).counts()[0], 2, "b is a result, a joins");
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
    assert_eq!(tape.counts()[0], 200);
    assert!(tape.registers.len() <= 4, "{} registers", tape.registers.len());
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
    assert!(evaluator(&first).accumulate(State { q: &[3.0, 5.0], ..State::default() }, &mut [&mut sum]));
    assert_eq!(sum, [7.0, 16.0]);
}

#[test]
fn what_is_not_finite_is_noticed() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 1)[0];
    let inverse = g.divide(Graph::ONE, x);
    let tape = evaluator(&Compiler::new(&g, 1, 0).tape(&[inverse]));
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
        assert_eq!(evaluator(&tape).evaluate_any(State { q: &q, ..State::default() }), expected);
    }
}

#[test]
fn parameters_are_set_without_compiling_and_their_formulas_computed_once() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 1)[0];
    let mass = g.input(Input::Parameter(0));
    let square = g.power(mass, 2);
    let three = g.constant(3.0);
    let default = g.multiply(three, square);
    let strength = g.input(Input::Parameter(1));
    let factor = g.multiply(mass, strength);
    let (slope, twice) = (g.multiply(strength, x), g.multiply(factor, x));
    let force = g.multiply(mass, slope);
    assert_eq!(force, twice, "factors go together");
    let tape = Arc::new(Compiler::new(&g, 1, 0).tape(&[force, factor]));
    assert_eq!(tape.counts()[0], 1, "m k is not computed again");
    let two = g.constant(2.0);
    let settings = Settings::new(&g, &[two, default]);
    for (given, expected) in [([None, None], 24.0), ([Some(1.0), None], 3.0), ([Some(1.0), Some(5.0)], 5.0)] {
        let evaluator = Evaluator::of_tape(&tape, &settings.values(&given).into());
        let mut out = [0.0; 2];
        assert!(evaluator.evaluate(State { q: &[0.5], ..State::default() }, &mut [&mut out]));
        assert_eq!(out, [expected * 0.5, expected]);
        let at = State { q: &[0.5], ..State::default() };
        assert_eq!(evaluator.evaluate_any(at), out);
    }
}

/// A graph with every kind of instruction.
fn everything(g: &mut Graph) -> Vec<Node> {
    let x = inputs(g, 4);
    let (t, v) = (g.input(Input::Time), g.input(Input::Velocity(1)));
    let mut results = vec![x[2], g.constant(3.5)];
    for function in Unary::ALL {
        results.push(g.unary(function, x[0]));
    }
    for function in Binary::ALL {
        results.push(g.binary(function, x[0], x[1]));
    }
    let nested = g.unary(Unary::Sin, x[3]);
    let nested = g.unary(Unary::Sin, nested);
    results.extend([nested, g.unary(Unary::Cos, x[3]), g.power(x[3], 5), g.divide(t, v)]);
    let (a, b) = (g.multiply(x[0], v), g.multiply(x[1], t));
    results.extend([g.subtract(a, b), g.when(x[2], a), g.unless(x[2], b), g.negative(t)]);
    results
}

#[test]
fn lanes_give_the_same_bits_as_one_state_after_the_other() {
    let mut g = Graph::new();
    let results = everything(&mut g);
    let tape = evaluator(&Compiler::new(&g, 4, 0).tape(&results));
    for count in [1, 2, 3, 4, 5, 7, 8, 9, 13, 17] {
        let number = |k: usize| 0.05 + 0.9 * ((k * k) as f64 * 0.618).fract();
        let t: Vec<f64> = (0..count).map(|k| number(k) * 100.0).collect();
        let q: Vec<f64> =
            (0..4 * count).map(|k| number(k + 7) * if k % 4 == 2 { -1.0 } else { 1.0 }).collect();
        let v: Vec<f64> = (0..4 * count).map(|k| number(k + 11)).collect();
        let (mut first, mut rest) = (vec![0.0; 3 * count], vec![0.0; (results.len() - 3) * count]);
        let states = States { t: &t, q: &q, v: &v, ..States::default() };
        assert!(tape.evaluate_many(states, &mut [&mut first, &mut rest]));
        for k in 0..count {
            let at = State { t: t[k], q: &q[4 * k..], v: &v[4 * k..], ..State::default() };
            let mut alone = vec![0.0; results.len()];
            assert!(tape.evaluate(at, &mut [&mut alone]));
            assert_eq!(alone[..3], first[3 * k..3 * k + 3], "{k} of {count}");
            let size = results.len() - 3;
            assert_eq!(alone[3..], rest[size * k..size * (k + 1)], "{k} of {count}");
        }
    }
}

#[test]
fn one_state_of_many_that_is_not_finite_is_noticed() {
    let mut g = Graph::new();
    let x = inputs(&mut g, 1)[0];
    let inverse = g.divide(Graph::ONE, x);
    let tape = evaluator(&Compiler::new(&g, 1, 0).tape(&[inverse]));
    let mut out = [0.0; 3];
    let mut finite =
        |q: &[f64]| tape.evaluate_many(States { t: &[0.0; 3], q, ..States::default() }, &mut [&mut out]);
    assert!(finite(&[1.0, 2.0, 3.0]));
    assert!(!finite(&[1.0, 0.0, 3.0]));
    assert!(!finite(&[1.0, 2.0, 0.0]));
}

#[test]
fn copies_with_other_parameters_give_the_same_bits_together_and_alone() {
    let mut g = Graph::new();
    let (x, length) = (inputs(&mut g, 1)[0], g.input(Input::Parameter(0)));
    let (scaled, sum) = (g.multiply(length, x), g.add(length, x));
    let (sine, quotient) = (g.unary(Unary::Sin, scaled), g.divide(scaled, sum));
    let tape = Arc::new(Compiler::new(&g, 1, 0).tape(&[sine, length, quotient]));
    let settings = Settings::new(&g, &[Graph::ONE]);
    for count in [1, 2, 7, 8, 9, 20] {
        let copy =
            |k: usize| Evaluator::of_tape(&tape, &settings.values(&[Some(1.0 + 0.3 * k as f64)]).into());
        let copies: Vec<Evaluator> = (0..count).map(copy).collect();
        let (t, q) = (vec![0.0; count], (0..count).map(|k| 0.1 + k as f64).collect::<Vec<_>>());
        let (mut first, mut rest) = (vec![0.0; count], vec![0.0; 2 * count]);
        let mut together = Ensemble::new(copies.clone()).unwrap();
        let at = States { t: &t, q: &q, ..States::default() };
        assert!(together.evaluate(at, &mut [&mut first, &mut rest]));
        for (k, copy) in copies.iter().enumerate() {
            let mut alone = [0.0; 3];
            assert!(copy.evaluate(State { q: &q[k..=k], ..State::default() }, &mut [&mut alone]));
            assert_eq!(alone, [first[k], rest[2 * k], rest[2 * k + 1]], "{k} of {count}");
        }
        let few = States { t: &t[1..], q: &q[1..], ..States::default() };
        assert!(!together.evaluate(few, &mut [&mut first, &mut rest]), "a state for each copy");
    }
    let other = evaluator(&Compiler::new(&g, 1, 0).tape(&[sine]));
    assert!(Ensemble::new(vec![Evaluator::of_tape(&tape, &Arc::default()), other]).is_none());
    assert!(Ensemble::new(Vec::new()).is_none());
}

#[test]
fn tapes_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Tape>();
    shared::<Settings>();
    fn moved<T: Send>() {}
    moved::<Evaluator>();
}

/// A net of springs: each is read at both of its ends.
fn net(g: &mut Graph, side: u32) -> (Vec<Node>, usize) {
    let at = |i: u32, j: u32| 2 * (i * side + j);
    let mut forces = vec![Graph::ZERO; 2 * (side * side) as usize];
    let stiffness = g.input(Input::Parameter(0));
    let mut energy = Graph::ZERO;
    for i in 0..side {
        for j in 0..side {
            for (k, l) in [(i + 1, j), (i, j + 1)] {
                if k >= side || l >= side {
                    continue;
                }
                let [dx, dy] = [0, 1].map(|d| {
                    let (a, b) =
                        (g.input(Input::Position(at(i, j) + d)), g.input(Input::Position(at(k, l) + d)));
                    g.subtract(b, a)
                });
                let length = g.binary(Binary::Hypot, dx, dy);
                let stretched = g.subtract(length, Graph::ONE);
                let square = g.power(stretched, 2);
                let term = g.multiply(stiffness, square);
                energy = g.add(energy, term);
            }
        }
    }
    for (i, slope) in g.gradient(energy, crate::graph::Depends::POSITION) {
        forces[i] = g.negative(slope);
    }
    let n = forces.len();
    forces.push(energy);
    (forces, n)
}

#[test]
fn what_is_repeated_is_one_small_tape_whatever_its_number() {
    let mut sizes = Vec::new();
    for side in [20, 40] {
        let mut g = Graph::new();
        let (results, n) = net(&mut g, side);
        let settings: Arc<[f64]> = Settings::new(&g, &[Graph::ONE]).values(&[Some(3.0)]).into();
        let tape = Arc::new(Compiler::new(&g, n, 0).over_places().tape(&results));
        let plain = Arc::new(Compiler::new(&g, n, 0).one_by_one().tape(&results));
        let q: Vec<f64> = (0..n).map(|k| (k as f64 * 0.37).sin() + (k / 2) as f64).collect();
        let [a, b] = [&tape, &plain].map(|tape| {
            let mut out = vec![0.0; results.len()];
            let at = State { q: &q, ..State::default() };
            assert!(Evaluator::of_tape(tape, &settings).evaluate(at, &mut [&mut out]));
            out
        });
        assert_eq!(a, b);
        let springs = 2 * (side * (side - 1)) as usize;
        let [instructions, repeated] = tape.counts();
        // The sum of the energies of all springs stays what it is: one number after the other.
        assert!(instructions < springs + 1000, "{instructions} instructions for {springs} springs");
        assert!(plain.counts()[0] > 8 * springs, "{:?}", plain.counts());
        sizes.push(repeated);
    }
    assert!(sizes[0] > 0 && sizes[1] < 2 * sizes[0], "{sizes:?} parts");
}

/// The lengths of the rods of a chain of `links`, and their differences of coordinates; `next` is where a rod leads to.
fn rods(g: &mut Graph, links: u32, next: impl Fn(u32) -> u32) -> Vec<Node> {
    let mut results = Vec::new();
    for i in 0..links {
        let [dx, dy] = [0, 1].map(|k| {
            let [to, from] = [next(i), i].map(|point| g.input(Input::Position(2 * point + k)));
            g.subtract(to, from)
        });
        let [x, y] = [dx, dy].map(|d| g.power(d, 2));
        let square = g.add(x, y);
        results.extend([g.subtract(square, Graph::ONE), dx, dy]);
    }
    results
}

#[test]
fn a_chain_runs_over_its_places_and_what_lies_anywhere_one_by_one() {
    let links = 200;
    let anywhere = |i: u32| 1 + (i * i + 7 * i) % links;
    let (mut chain, mut net) = (Graph::new(), Graph::new());
    let (of_chain, of_net) = (rods(&mut chain, links, |i| i + 1), rods(&mut net, links, anywhere));
    let n = 2 * links as usize + 2;
    let q: Vec<f64> = (0..n).map(|k| (k as f64 * 0.37).sin() + k as f64).collect();
    for (graph, results, repeated) in [(&chain, &of_chain, true), (&net, &of_net, false)] {
        let tape = Compiler::new(graph, n, 0).tape(results);
        assert_eq!(tape.counts()[1] > 0, repeated, "{:?}", tape.counts());
        let plain = Compiler::new(graph, n, 0).one_by_one().tape(results);
        assert_eq!(evaluate(&tape, &q, results.len()), evaluate(&plain, &q, results.len()));
    }
}
