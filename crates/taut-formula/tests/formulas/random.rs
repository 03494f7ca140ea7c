//! Random formulas: derivatives against dual numbers, and where they have values.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use taut_formula::function::{Binary, Unary};
use taut_formula::graph::{Depends, Graph, Input, Node};
use taut_formula::number::{Dual, Scalar};
use taut_formula::tape::{Compiler, Evaluator, State};

const INPUTS: usize = 3;

#[derive(Clone, Debug)]
enum Formula {
    Input(usize),
    Number(f64),
    Unary(Unary, Box<Formula>),
    Add(Box<Formula>, Box<Formula>),
    Subtract(Box<Formula>, Box<Formula>),
    Multiply(Box<Formula>, Box<Formula>),
    Divide(Box<Formula>, Box<Formula>),
    Power(Box<Formula>, i32),
    Hypot(Box<Formula>, Box<Formula>),
}

fn formulas(functions: &'static [Unary]) -> impl Strategy<Value = Formula> {
    let number = prop::sample::select(vec![0.0, 1.0, -1.0, 2.0, 0.5, -3.0]);
    let leaf = prop_oneof![3 => (0..INPUTS).prop_map(Formula::Input), 1 => number.prop_map(Formula::Number)];
    leaf.prop_recursive(5, 24, 2, move |inner| {
        let pair = (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        let one = inner.prop_map(Box::new);
        prop_oneof![
            3 => (prop::sample::select(functions), one.clone()).prop_map(|(f, x)| Formula::Unary(f, x)),
            2 => pair.clone().prop_map(|(a, b)| Formula::Add(a, b)),
            2 => pair.clone().prop_map(|(a, b)| Formula::Subtract(a, b)),
            3 => pair.clone().prop_map(|(a, b)| Formula::Multiply(a, b)),
            1 => pair.clone().prop_map(|(a, b)| Formula::Divide(a, b)),
            1 => pair.prop_map(|(a, b)| Formula::Hypot(a, b)),
            1 => (one, 2..5).prop_map(|(x, k)| Formula::Power(x, k)),
        ]
    })
}

fn lower(graph: &mut Graph, formula: &Formula) -> Node {
    let mut pair = |a: &Formula, b: &Formula| (lower(graph, a), lower(graph, b));
    match formula {
        Formula::Input(i) => graph.input(Input::Position(*i as u32)),
        Formula::Number(x) => graph.constant(*x),
        Formula::Unary(f, x) => {
            let x = lower(graph, x);
            graph.unary(*f, x)
        }
        Formula::Add(a, b) => {
            let (a, b) = pair(a, b);
            graph.add(a, b)
        }
        Formula::Subtract(a, b) => {
            let (a, b) = pair(a, b);
            graph.subtract(a, b)
        }
        Formula::Multiply(a, b) => {
            let (a, b) = pair(a, b);
            graph.multiply(a, b)
        }
        Formula::Divide(a, b) => {
            let (a, b) = pair(a, b);
            graph.divide(a, b)
        }
        Formula::Power(x, k) => {
            let x = lower(graph, x);
            graph.power(x, *k)
        }
        Formula::Hypot(a, b) => {
            let (a, b) = pair(a, b);
            graph.binary(Binary::Hypot, a, b)
        }
    }
}

/// The values of nodes at q.
fn evaluate(graph: &Graph, nodes: &[Node], q: &[f64]) -> Vec<f64> {
    let tape = Evaluator::without_parameters(Compiler::new(graph, INPUTS, 0).tape(nodes));
    let mut out = vec![f64::NAN; nodes.len()];
    tape.evaluate(State { q, ..State::default() }, &mut [&mut out]);
    out
}

/// A dual number with the sizes of the terms that its value and its slope were added up from: what a unit in the last place
/// is measured by, where terms cancel.
#[derive(Clone, Copy, Debug)]
struct Measured {
    dual: Dual<1>,
    size: f64,
    slope_size: f64,
}

impl Measured {
    /// z = f(a, b), from the second derivatives: how much rounded values and slopes of a and b may change it.
    fn from(a: Measured, b: Measured, f: impl Fn(Second, Second) -> Second) -> Measured {
        let (x, y) = (a.dual, b.dual);
        let at = |i: usize, j: usize| {
            let second = |x: f64, k: usize| Dual {
                value: Dual { value: x, slope: [f64::from(u8::from(i == k))] },
                slope: [Dual { value: f64::from(u8::from(j == k)), slope: [0.0] }],
            };
            f(second(x.value, 0), second(y.value, 1))
        };
        let (first, mixed, last) = (at(0, 0), at(0, 1), at(1, 1));
        let value = first.value.value;
        let (by_x, by_y) = (first.slope[0].value, last.slope[0].value);
        let (xx, xy, yy) = (first.slope[0].slope[0], mixed.slope[0].slope[0], last.slope[0].slope[0]);
        let (dx, dy) = (x.slope[0], y.slope[0]);
        Measured {
            dual: Dual { value, slope: [by_x * dx + by_y * dy] },
            size: value.abs() + by_x.abs() * a.size + by_y.abs() * b.size,
            slope_size: by_x.abs() * a.slope_size
                + by_y.abs() * b.slope_size
                + (xx.abs() * a.size + xy.abs() * b.size) * dx.abs()
                + (xy.abs() * a.size + yy.abs() * b.size) * dy.abs(),
        }
    }
}

type Second = Dual<1, Dual<1>>;

/// The value and the slope along input `along`, by dual numbers.
fn measured(formula: &Formula, q: &[f64], along: usize) -> Measured {
    let of = |formula: &Formula| measured(formula, q, along);
    match formula {
        Formula::Input(i) => {
            let slope = f64::from(u8::from(*i == along));
            Measured { dual: Dual { value: q[*i], slope: [slope] }, size: q[*i].abs(), slope_size: slope }
        }
        Formula::Number(x) => {
            Measured { dual: Dual { value: *x, slope: [0.0] }, size: x.abs(), slope_size: 0.0 }
        }
        Formula::Unary(f, x) => Measured::from(of(x), of(x), |x, _| f.of(x)),
        Formula::Add(a, b) => Measured::from(of(a), of(b), |a, b| a + b),
        Formula::Subtract(a, b) => Measured::from(of(a), of(b), |a, b| a - b),
        Formula::Multiply(a, b) => Measured::from(of(a), of(b), |a, b| a * b),
        Formula::Divide(a, b) => Measured::from(of(a), of(b), |a, b| a / b),
        Formula::Power(x, k) => Measured::from(of(x), of(x), |x, _| x.powi(*k)),
        Formula::Hypot(a, b) => Measured::from(of(a), of(b), |a, b| a.hypot(b)),
    }
}

fn deterministic(cases: u32) -> Config {
    Config { rng_seed: RngSeed::Fixed(1998), failure_persistence: None, cases, ..Config::default() }
}

const SMOOTH: &[Unary] =
    &[Unary::Sqrt, Unary::Exp, Unary::Log, Unary::Sin, Unary::Cos, Unary::Atan, Unary::Sinh, Unary::Tanh];

proptest! {
    #![proptest_config(deterministic(1000))]

    #[test]
    fn derivatives_are_those_of_dual_numbers_to_four_units(
        formula in formulas(SMOOTH),
        q in prop::array::uniform3(0.3..1.7_f64),
    ) {
        let mut graph = Graph::new();
        let root = lower(&mut graph, &formula);
        let gradient = graph.gradient(root, Depends::POSITION);
        for along in 0..INPUTS {
            let expected = measured(&formula, &q, along);
            let (slope, size) = (expected.dual.slope[0], expected.slope_size);
            if !slope.is_finite() || !size.is_finite() {
                continue;
            }
            let node = gradient.iter().find(|(i, _)| *i == along).map_or(Graph::ZERO, |(_, node)| *node);
            let found = evaluate(&graph, &[node], &q)[0];
            let units = (found - slope).abs() / (f64::EPSILON * size.max(f64::MIN_POSITIVE));
            prop_assert!(units <= 4.0, "{:?}: {} {}: {} units", formula, found, slope, units);
        }
    }
}

/// Functions that are not defined everywhere, and some that keep whole numbers.
const PARTIAL: &[Unary] = &[Unary::Sqrt, Unary::Log, Unary::Asin, Unary::Abs, Unary::Sign, Unary::Cos];

/// The value as written, without identities; nothing where rounding decides whether there is one.
fn plain(formula: &Formula, q: &[f64]) -> Option<f64> {
    let of = |formula: &Formula| plain(formula, q);
    // Close to the edge of where a function is defined, but not on it.
    let doubtful = |x: f64, edge: f64| x != edge && (x - edge).abs() < 1e-9;
    Some(match formula {
        Formula::Input(i) => q[*i],
        Formula::Number(x) => *x,
        Formula::Unary(f, x) => {
            let x = of(x)?;
            if doubtful(x, 0.0) || doubtful(x.abs(), 1.0) {
                return None;
            }
            f.of(x)
        }
        Formula::Add(a, b) => of(a)? + of(b)?,
        Formula::Subtract(a, b) => of(a)? - of(b)?,
        Formula::Multiply(a, b) => of(a)? * of(b)?,
        Formula::Divide(a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            if doubtful(b, 0.0) {
                return None;
            }
            a / b
        }
        Formula::Power(x, k) => of(x)?.powi(*k),
        Formula::Hypot(a, b) => of(a)?.hypot(of(b)?),
    })
}

/// Whether all numbers on the way are whole multiples of 1/64 of moderate size, so that nothing is rounded.
fn is_exact(formula: &Formula, q: &[f64]) -> bool {
    let whole =
        plain(formula, q).is_none_or(|x| !x.is_finite() || ((x * 64.0).fract() == 0.0 && x.abs() < 1e9));
    whole
        && match formula {
            Formula::Input(_) | Formula::Number(_) => true,
            Formula::Unary(_, x) | Formula::Power(x, _) => is_exact(x, q),
            Formula::Add(a, b)
            | Formula::Subtract(a, b)
            | Formula::Multiply(a, b)
            | Formula::Divide(a, b)
            | Formula::Hypot(a, b) => is_exact(a, q) && is_exact(b, q),
        }
}

proptest! {
    #![proptest_config(deterministic(4000))]

    #[test]
    fn no_identity_changes_where_a_formula_has_a_value(
        formula in formulas(PARTIAL),
        q in prop::array::uniform3(prop::sample::select(vec![-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])),
    ) {
        let Some(expected) = plain(&formula, &q).filter(|_| is_exact(&formula, &q)) else { return Ok(()) };
        let mut graph = Graph::new();
        let root = lower(&mut graph, &formula);
        let found = evaluate(&graph, &[root], &q)[0];
        prop_assert_eq!(found.is_finite(), expected.is_finite(), "{:?}: {}", formula, found);
    }
}
