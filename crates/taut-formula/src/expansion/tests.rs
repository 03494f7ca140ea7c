//! Coefficients against the series of [`Series`], which are found in another way, and against series that are known.

use std::sync::Arc;

use proptest::prelude::*;

use super::{Coefficient, Expansion, Level, Recursion, Roots};
use crate::function::{Binary, Unary};
use crate::graph::{Graph, Input, Node};
use crate::number::{SERIES_TERMS, Series};
use crate::tape::{Compiler, Evaluator, State};
use crate::testing::deterministic;

const HIGHEST: usize = SERIES_TERMS - 1;

/// Expands a formula of t and positions whose series are given.
fn expand<N: Coefficient>(graph: &mut Graph, formula: Node, q: &[Vec<N>], t: N) -> Vec<N> {
    let highest = q.first().map_or(HIGHEST, |q| q.len() - 1);
    let roots = Roots {
        n: q.len(),
        m: 0,
        followed: &[formula],
        probed: &[],
        values: &[],
        from_first_order: false,
        known: graph.count_of_settings(),
    };
    let recursion = Arc::new(Recursion::new(graph, &roots));
    follow(&mut Expansion::new(&recursion, highest, &[]), q, t)
}

/// The coefficients of the first root.
fn follow<N: Coefficient>(expansion: &mut Expansion<N>, q: &[Vec<N>], t: N) -> Vec<N> {
    let highest = expansion.highest();
    expansion.set_time(t);
    for k in 0..=highest {
        for (position, q) in expansion.positions_mut(k).iter_mut().zip(q) {
            *position = q[k];
        }
        if k == 0 {
            expansion.begin(Level::Position);
        } else {
            expansion.probe(Level::Position, k);
            expansion.pass(Level::Position, k);
        }
    }
    (0..=highest).map(|k| expansion.coefficient(0, k)).collect()
}

/// The same by numbers that are series.
fn by_series(graph: &Graph, formula: Node, q: &[Vec<f64>], t: f64) -> Vec<f64> {
    let tape = Compiler::new(graph, q.len(), 0).tape(&[formula]);
    let q: Vec<Series> = q.iter().map(|q| Series(std::array::from_fn(|k| q[k]))).collect();
    let at = State { t: Series::linear(t, 1.0), q: &q, v: &[], a: &[], lambda: &[] };
    Evaluator::without_parameters(tape).evaluate_any(at)[0].0.to_vec()
}

fn assert_same(graph: &mut Graph, formula: Node, q: &[Vec<f64>], t: f64, what: &str) {
    let (found, known) = (expand(graph, formula, q, t), by_series(graph, formula, q, t));
    for (k, (found, known)) in found.iter().zip(&known).enumerate() {
        let size = known.abs().max(1.0);
        assert!((found - known).abs() <= 1e-10 * size, "{what}, order {k}: {found:e} {known:e}");
    }
}

/// Two series with values in the domain of every function.
fn inputs() -> Vec<Vec<f64>> {
    let series = |value: f64, rate: f64| {
        (0..=HIGHEST).map(|k| if k == 0 { value } else { rate / (k * k) as f64 }).collect()
    };
    vec![series(0.4, 0.3), series(0.7, -0.2)]
}

#[test]
fn every_function_has_its_series() {
    for function in Unary::ALL {
        let mut graph = Graph::new();
        let x = graph.input(Input::Position(0));
        let formula = graph.unary(function, x);
        assert_same(&mut graph, formula, &inputs(), 0.0, function.name());
    }
    for function in Binary::ALL {
        let mut graph = Graph::new();
        let (x, y) = (graph.input(Input::Position(0)), graph.input(Input::Position(1)));
        let formula = graph.binary(function, x, y);
        assert_same(&mut graph, formula, &inputs(), 0.0, function.name());
    }
    for p in [2.5, -0.75, 1.0 / 3.0] {
        let mut graph = Graph::new();
        let (x, p) = (graph.input(Input::Position(0)), graph.constant(p));
        let formula = graph.binary(Binary::Pow, x, p);
        assert_same(&mut graph, formula, &inputs(), 0.0, "a constant power");
    }
}

/// Products of sines and cosines of so many angles, sums and the time among them, and of sines of sines, which wait for others.
#[test]
fn sines_and_cosines_are_found_side_by_side() {
    for count in 1..=9 {
        let mut graph = Graph::new();
        let (x, y, t) =
            (graph.input(Input::Position(0)), graph.input(Input::Position(1)), graph.input(Input::Time));
        let mut formula = y;
        for k in 0..count {
            let factor = graph.constant(1.0 + 0.25 * f64::from(k));
            let turned = graph.multiply(factor, [x, y, t][k as usize % 3]);
            let angle = if k % 2 == 0 { turned } else { graph.add(turned, x) };
            let (sine, cosine) = (graph.unary(Unary::Sin, angle), graph.unary(Unary::Cos, angle));
            let product = graph.multiply(sine, formula);
            formula = graph.add(product, cosine);
        }
        let inner = graph.unary(Unary::Sin, y);
        let outer = graph.unary(Unary::Cos, inner);
        let formula = graph.multiply(formula, outer);
        assert_same(&mut graph, formula, &inputs(), 0.3, &format!("{count} angles"));
    }
}

/// Accelerations and multipliers in blocks leave the same coefficients as one by one.
#[test]
fn unknowns_are_set_in_blocks() {
    for (n, m) in [(2, 1), (3, 0), (4, 2), (5, 3), (7, 6)] {
        let mut graph = Graph::new();
        let products: Vec<Node> = (0..n as u32)
            .map(|i| {
                let (q, a) = (graph.input(Input::Position(i)), graph.input(Input::Acceleration(i)));
                graph.multiply(q, a)
            })
            .collect();
        let known = graph.count_of_settings();
        let roots =
            Roots { n, m, followed: &products, probed: &[], values: &[], from_first_order: false, known };
        let recursion = Arc::new(Recursion::new(&mut graph, &roots));
        let [mut one_by_one, mut in_blocks] = [(); 2].map(|()| Expansion::<f64>::new(&recursion, 6, &[]));
        assert!(in_blocks.takes_blocks());
        for k in 0..=4 {
            let unknowns: [[f64; 4]; 4] =
                std::array::from_fn(|i| std::array::from_fn(|j| (4 * i + j + k) as f64 + 0.5));
            let flat = unknowns.as_flattened();
            one_by_one.set_accelerations(k, &flat[..n]);
            one_by_one.multipliers_mut(k).copy_from_slice(&flat[n..n + m]);
            let pieces = (n + m).div_ceil(4);
            match pieces {
                1 => in_blocks.set_unknowns::<1>(k, unknowns.first_chunk().unwrap()),
                2 => in_blocks.set_unknowns::<2>(k, unknowns.first_chunk().unwrap()),
                _ => in_blocks.set_unknowns::<4>(k, &unknowns),
            }
        }
        for k in 0..=4 {
            assert_eq!(one_by_one.unknowns_mut(k), in_blocks.unknowns_mut(k), "{n}, {m}, order {k}");
            assert_eq!(one_by_one.positions(k + 2), in_blocks.positions(k + 2), "{n}, {m}, order {k}");
            assert_eq!(
                one_by_one.velocities_mut(k + 1),
                in_blocks.velocities_mut(k + 1),
                "{n}, {m}, order {k}"
            );
        }
    }
}

#[test]
fn choices_take_the_branch_of_the_point() {
    let mut graph = Graph::new();
    let (x, y, t) =
        (graph.input(Input::Position(0)), graph.input(Input::Position(1)), graph.input(Input::Time));
    let when = graph.when(x, y);
    let unless = graph.unless(x, t);
    let product = graph.multiply(when, t);
    let formula = graph.add(product, unless);
    assert_same(&mut graph, formula, &inputs(), 0.3, "where and unless");
}

/// |t| from t = 0 on is t: the first coefficient that is not zero decides.
#[test]
fn an_absolute_value_is_decided_by_what_comes_first() {
    let mut graph = Graph::new();
    let t = graph.input(Input::Time);
    let cube = graph.power(t, 3);
    let formula = graph.unary(Unary::Abs, cube);
    let found = expand(&mut graph, formula, &[vec![0.0; 6]], 0.0);
    assert_eq!(found, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn known_series_to_high_order() {
    let mut graph = Graph::new();
    let t = graph.input(Input::Time);
    let exponential = graph.unary(Unary::Exp, t);
    let one_less = graph.subtract(Graph::ONE, t);
    let geometric = graph.divide(Graph::ONE, one_less);
    let formula = graph.multiply(exponential, geometric);
    // Σ 1/j! up to k
    let found = expand(&mut graph, formula, &[vec![0.0; 41]], 0.0);
    let (mut sum, mut term) = (0.0, 1.0);
    for (k, found) in found.iter().enumerate() {
        sum += term;
        term /= (k + 1) as f64;
        assert!((found - sum).abs() < 1e-14, "{k}: {found} {sum}");
    }
}

#[test]
fn factors_and_sums_share_convolutions() {
    let mut graph = Graph::new();
    let (x, a) = (graph.input(Input::Position(0)), graph.input(Input::Acceleration(0)));
    let cosine = graph.unary(Unary::Cos, x);
    let [two, three] = [2.0, 3.0].map(|c| graph.constant(c));
    let scaled = graph.multiply(two, cosine);
    let mass = graph.add(scaled, three);
    let rows = [graph.multiply(mass, a), graph.multiply(cosine, a)];
    let other = graph.multiply(three, rows[1]);
    let roots = Roots {
        n: 1,
        m: 0,
        followed: &[rows[0], other],
        probed: &[],
        values: &[],
        from_first_order: false,
        known: graph.count_of_settings(),
    };
    // Sine, cosine, and cos(x) a.
    assert_eq!(Recursion::new(&mut graph, &roots).convolutions(), 3);
}

#[test]
fn a_quotient_times_its_denominator_is_the_numerator() {
    let mut graph = Graph::new();
    let (x, y) = (graph.input(Input::Position(0)), graph.input(Input::Position(1)));
    let quotient = graph.divide(x, y);
    let stretch = graph.subtract(y, Graph::ONE);
    let formula = graph.multiply(stretch, quotient);
    let roots = Roots {
        n: 2,
        m: 0,
        followed: &[formula],
        probed: &[],
        values: &[],
        from_first_order: false,
        known: graph.count_of_settings(),
    };
    assert_eq!(Recursion::new(&mut graph, &roots).convolutions(), 1);
    assert_same(&mut graph, formula, &inputs(), 0.0, "x - x/y");
}

/// What has no value in one expansion has one in the next.
#[test]
fn nothing_is_left_of_another_expansion() {
    let mut graph = Graph::new();
    let x = graph.input(Input::Position(0));
    let (square, sine) = (graph.power(x, 2), graph.unary(Unary::Sin, x));
    let formula = graph.multiply(square, sine);
    let roots = Roots {
        n: 1,
        m: 0,
        followed: &[formula],
        probed: &[],
        values: &[],
        from_first_order: false,
        known: graph.count_of_settings(),
    };
    let recursion = Arc::new(Recursion::new(&mut graph, &roots));
    let mut expansion = Expansion::new(&recursion, HIGHEST, &[]);
    let without_values = follow(&mut expansion, &[vec![f64::NAN; HIGHEST + 1]], 0.0);
    assert!(without_values.iter().all(|x| x.is_nan()));
    let q = &inputs()[..1];
    let fresh = follow(&mut Expansion::new(&recursion, HIGHEST, &[]), q, 0.0);
    assert_eq!(follow(&mut expansion, q, 0.0), fresh);
}

/// A random formula from a list of choices.
fn formula(graph: &mut Graph, choices: &[(u8, u8, u8)]) -> Node {
    let mut nodes = vec![
        graph.input(Input::Position(0)),
        graph.input(Input::Position(1)),
        graph.input(Input::Time),
        graph.constant(0.75),
    ];
    for &(operation, a, b) in choices {
        let (a, b) = (nodes[a as usize % nodes.len()], nodes[b as usize % nodes.len()]);
        let node = match operation % 12 {
            0 => graph.add(a, b),
            1 => graph.subtract(a, b),
            2 | 3 => graph.multiply(a, b),
            4 => {
                let square = graph.power(b, 2);
                let positive = graph.add(square, Graph::ONE);
                graph.divide(a, positive)
            }
            5 => graph.unary(Unary::Sin, a),
            6 => graph.unary(Unary::Cos, a),
            7 => graph.unary(Unary::Tanh, a),
            8 => graph.unary(Unary::Atan, a),
            9 => graph.power(a, 3),
            10 => {
                let square = graph.power(a, 2);
                let positive = graph.add(square, Graph::ONE);
                graph.unary(Unary::Sqrt, positive)
            }
            _ => {
                let bounded = graph.unary(Unary::Sin, a);
                graph.unary(Unary::Exp, bounded)
            }
        };
        nodes.push(node);
    }
    nodes[nodes.len() - 1]
}

proptest! {
    #![proptest_config(deterministic(500))]

    #[test]
    fn random_formulas_have_their_series(choices in prop::collection::vec(any::<(u8, u8, u8)>(), 1..14)) {
        let mut graph = Graph::new();
        let formula = formula(&mut graph, &choices);
        let (found, known) = (
            expand(&mut graph, formula, &inputs(), 0.2),
            by_series(&graph, formula, &inputs(), 0.2),
        );
        let size = known.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        for (found, known) in found.iter().zip(&known) {
            prop_assert!((found - known).abs() <= 1e-10 * size || !known.is_finite() || size > 1e100);
        }
    }
}
