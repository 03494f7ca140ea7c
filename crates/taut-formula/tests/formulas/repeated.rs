//! Parts of formulas that are repeated: one small tape at many places gives the bits of one instruction for each operation.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use taut_formula::function::{Binary, Unary};
use taut_formula::graph::{Depends, Graph, Input, Node};
use taut_formula::number::Dual;
use taut_formula::settings::Settings;
use taut_formula::tape::{Compiler, Evaluator, State, States};

/// One operation of a template on what was made before it.
#[derive(Clone, Copy, Debug)]
enum Make {
    Unary(Unary, usize),
    Add(usize, usize),
    Subtract(usize, usize),
    Multiply(usize, usize),
    Divide(usize, usize),
    Power(usize, i32),
    Hypot(usize, usize),
    Where(usize, usize),
}

fn makes() -> impl Strategy<Value = Make> {
    let functions = vec![Unary::Sin, Unary::Cos, Unary::Exp, Unary::Sqrt, Unary::Tanh, Unary::Abs];
    let (a, b) = (0..1000_usize, 0..1000_usize);
    prop_oneof![
        2 => (prop::sample::select(functions), a.clone()).prop_map(|(f, a)| Make::Unary(f, a)),
        2 => (a.clone(), b.clone()).prop_map(|(a, b)| Make::Add(a, b)),
        3 => (a.clone(), b.clone()).prop_map(|(a, b)| Make::Subtract(a, b)),
        3 => (a.clone(), b.clone()).prop_map(|(a, b)| Make::Multiply(a, b)),
        1 => (a.clone(), b.clone()).prop_map(|(a, b)| Make::Divide(a, b)),
        1 => (a.clone(), 2..5).prop_map(|(a, k)| Make::Power(a, k)),
        1 => (a.clone(), b.clone()).prop_map(|(a, b)| Make::Hypot(a, b)),
        1 => (a, b).prop_map(|(a, b)| Make::Where(a, b)),
    ]
}

/// What is repeated, and how places hang together.
#[derive(Clone, Debug)]
struct Template {
    makes: Vec<Make>,
    places: usize,
    /// from one place to the next
    stride: usize,
    /// whether the inputs of the places are mixed up
    mixed: bool,
    /// which of what is made are results
    results: Vec<usize>,
    /// whether a place reads what the one before it has made
    follows: bool,
}

fn templates() -> impl Strategy<Value = Template> {
    let makes = prop::collection::vec(makes(), 1..14);
    let results = prop::collection::vec(0..1000_usize, 1..4);
    (makes, 1..120_usize, 1..4_usize, any::<bool>(), results, any::<bool>()).prop_map(
        |(makes, places, stride, mixed, results, follows)| Template {
            makes,
            places,
            stride,
            mixed,
            results,
            follows,
        },
    )
}

const INPUTS: usize = 400;

impl Template {
    /// Adds the results of all places, then their sum.
    fn write(&self, graph: &mut Graph, results: &mut Vec<Node>) {
        let mut sum = Graph::ZERO;
        let mut before = graph.input(Input::Parameter(1));
        for place in 0..self.places {
            let at = if self.mixed { place * 37 + place * place } else { place * self.stride };
            let input = |k: usize| ((at + k) % INPUTS) as u32;
            let mut made = vec![
                graph.input(Input::Position(input(0))),
                graph.input(Input::Position(input(1))),
                graph.input(Input::Velocity(input(3))),
                graph.input(Input::Parameter(0)),
                graph.constant(1.0 + (place % 7) as f64 / 8.0),
                graph.constant(2.5),
            ];
            if self.follows {
                made.push(before);
            }
            for &make in &self.makes {
                let of = |k: usize| made[k % made.len()];
                let new = match make {
                    Make::Unary(function, a) => graph.unary(function, of(a)),
                    Make::Add(a, b) => graph.add(of(a), of(b)),
                    Make::Subtract(a, b) => graph.subtract(of(a), of(b)),
                    Make::Multiply(a, b) => graph.multiply(of(a), of(b)),
                    Make::Divide(a, b) => graph.divide(of(a), of(b)),
                    Make::Power(a, k) => graph.power(of(a), k),
                    Make::Hypot(a, b) => graph.binary(Binary::Hypot, of(a), of(b)),
                    Make::Where(a, b) => graph.when(of(a), of(b)),
                };
                made.push(new);
            }
            results.extend(self.results.iter().map(|&k| made[made.len() - 1 - k % made.len()]));
            before = made[made.len() - 1];
            sum = graph.add(sum, before);
        }
        results.push(sum);
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    // One not-a-number is like another.
    values.iter().map(|x| if x.is_nan() { f64::NAN } else { *x }.to_bits()).collect()
}

fn numbers(count: usize, from: usize) -> Vec<f64> {
    (from..from + count).map(|k| ((k * k) as f64 * 0.618).fract() - 0.3).collect()
}

/// Values of formulas with and without repetition, for two sets of parameters, one state and several, and in other numbers.
fn compare(graph: &Graph, results: &[Node]) {
    let settings = Settings::new(graph, &[Graph::ONE, Graph::MINUS_ONE]);
    let repeated = Arc::new(Compiler::new(graph, INPUTS, 0).over_places().tape(results));
    let plain = Arc::new(Compiler::new(graph, INPUTS, 0).one_by_one().tape(results));
    for given in [[None, None], [Some(0.7), Some(1.9)]] {
        let values: Arc<[f64]> = settings.values(&given).into();
        let [repeated, plain] = [&repeated, &plain].map(|tape| Evaluator::of_tape(tape, &values));
        let (t, q, v) = ([0.3, 0.7, 1.1], numbers(3 * INPUTS, 5), numbers(3 * INPUTS, 77));
        let mut of_several = vec![0.0; 3 * results.len()];
        repeated.evaluate_many(States { t: &t, q: &q, v: &v, ..States::default() }, &mut [&mut of_several]);
        for k in 0..t.len() {
            let (q, v) = (&q[k * INPUTS..][..INPUTS], &v[k * INPUTS..][..INPUTS]);
            let at = State { t: t[k], q, v, ..State::default() };
            let mut out = [vec![0.0; results.len()], vec![0.0; results.len()]];
            let finite = [repeated.evaluate(at, &mut [&mut out[0]]), plain.evaluate(at, &mut [&mut out[1]])];
            assert_eq!(finite[0], finite[1]);
            assert_eq!(bits(&out[0]), bits(&out[1]));
            assert_eq!(bits(&out[0]), bits(&of_several[k * results.len()..][..results.len()]));
            // However results are divided among slices, and where the last ones are not asked for.
            for cuts in [[results.len() / 3, results.len() / 2], [1, results.len() - 1]] {
                let mut parts = vec![0.0; results.len()];
                let (first, rest) = parts.split_at_mut(cuts[0]);
                let (second, third) = rest.split_at_mut(cuts[1].max(cuts[0]) - cuts[0]);
                assert_eq!(repeated.evaluate(at, &mut [first, second, third]), finite[1]);
                assert_eq!(bits(&parts), bits(&out[1]));
                parts.fill(0.0);
                repeated.evaluate(at, &mut [&mut parts[..cuts[1]]]);
                assert_eq!(bits(&parts[..cuts[1]]), bits(&out[1][..cuts[1]]));
            }
            let dual = |x: &[f64]| -> Vec<Dual<1>> {
                x.iter().enumerate().map(|(i, &value)| Dual { value, slope: [(i % 3) as f64] }).collect()
            };
            let (q, v) = (dual(q), dual(v));
            let at = State { t: dual(&t)[k], q: &q, v: &v, a: &[], lambda: &[] };
            let [a, b] = [&repeated, &plain].map(|tape| tape.evaluate_any(at));
            // The sign of a slope that is zero depends on whether an operation stands in a run of products.
            let parts =
                |x: &[Dual<1>]| x.iter().flat_map(|x| [x.value, x.slope[0] + 0.0]).collect::<Vec<_>>();
            assert_eq!(bits(&parts(&a)), bits(&parts(&b)));
        }
    }
}

proptest! {
    #![proptest_config(Config { cases: 96, rng_seed: RngSeed::Fixed(11), ..Config::default() })]

    /// Two or three shapes beside single formulas, and what follows from them.
    #[test]
    fn repeated_and_plain_tapes_give_the_same_bits(templates in prop::collection::vec(templates(), 1..4)) {
        let mut graph = Graph::new();
        let mut results = Vec::new();
        for template in &templates {
            template.write(&mut graph, &mut results);
        }
        let (t, x) = (graph.input(Input::Time), graph.input(Input::Position(3)));
        let single = graph.multiply(t, x);
        let single = graph.unary(Unary::Sin, single);
        results.extend([single, graph.add(single, results[0]), Graph::ONE, x]);
        compare(&graph, &results);
    }

    /// The same for derivatives of a sum of everything.
    #[test]
    fn so_do_derivatives(template in templates()) {
        let mut graph = Graph::new();
        let mut formulas = Vec::new();
        template.write(&mut graph, &mut formulas);
        let mut results = Vec::new();
        for formula in formulas.into_iter().rev().take(100) {
            let gradient = graph.gradient(formula, Depends::POSITION);
            results.extend(gradient.into_iter().map(|(_, slope)| slope));
            results.push(graph.along_motion(formula));
            if results.len() > 3000 {
                break;
            }
        }
        compare(&graph, &results);
    }
}
