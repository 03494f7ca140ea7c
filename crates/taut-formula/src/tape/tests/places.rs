//! What runs at many places, with inputs and results where the caller has them.

use super::super::{Compiler, Evaluator, State};
use super::inputs;
use crate::function::{Binary, Unary};
use crate::graph::{Graph, Node};

/// A chain that is hung up at the origin: masses and weights, which are known, lengths, and a function of these; x and y of each
/// link.
fn chain(g: &mut Graph, links: u32) -> [Vec<Node>; 4] {
    let q = inputs(g, 2 * links);
    let (two, weight, half) = (g.constant(2.0), g.constant(-9.81), g.constant(0.5));
    let [mut known, mut lengths, mut directions, mut inverse] = [const { Vec::new() }; 4];
    for i in 0..links as usize {
        known.extend([two, two, Graph::ZERO, weight]);
        let [dx, dy] = [0, 1].map(|k| if i == 0 { q[k] } else { g.subtract(q[2 * i + k], q[2 * i + k - 2]) });
        let [back, square, other] = [g.negative(dx), g.power(dx, 2), g.power(dy, 2)];
        let sum = g.add(square, other);
        let less = g.subtract(sum, Graph::ONE);
        lengths.push(g.multiply(half, less));
        directions.extend([dx, dy, back]);
        let sine = g.unary(Unary::Sin, dy);
        let far = g.binary(Binary::Hypot, sine, dx);
        inverse.push(g.divide(Graph::ONE, far));
    }
    [known, lengths, directions, inverse]
}

fn state(links: u32) -> Vec<f64> {
    (0..2 * links).map(|k| (f64::from(k) * 0.37).sin() + f64::from(k)).collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// Evaluates to slices of these sizes; whether results were said to be finite.
fn to_slices(tape: &Evaluator, q: &[f64], sizes: &[usize]) -> (bool, Vec<Vec<f64>>) {
    let mut out: Vec<Vec<f64>> = sizes.iter().map(|&size| vec![f64::NAN; size]).collect();
    let mut slices: Vec<&mut [f64]> = out.iter_mut().map(Vec::as_mut_slice).collect();
    let finite = tape.evaluate(State { q, ..State::default() }, &mut slices);
    (finite, out)
}

#[test]
fn any_number_of_places_gives_the_bits_of_one_after_the_other() {
    for links in (30..70).chain([79, 80, 81, 82, 100, 127, 128, 129, 144, 145, 146, 193, 500]) {
        let mut g = Graph::new();
        let parts = chain(&mut g, links);
        let sizes: Vec<usize> = parts.iter().map(Vec::len).collect();
        let (results, q) = (parts.concat(), state(links));
        let tape = Compiler::new(&g, q.len(), 0).tape(&results);
        assert!(links < 70 || tape.direct.is_some(), "{links} links go by registers");
        let tape = Evaluator::without_parameters(tape);
        let plain = Evaluator::without_parameters(Compiler::new(&g, q.len(), 0).one_by_one().tape(&results));
        let (_, expected) = to_slices(&plain, &q, &[results.len()]);
        // The ways change with the slices, there and back, and what is asked for may be less than all.
        for sizes in [&sizes[..], &[results.len()], &sizes[..2], &sizes[..3], &sizes] {
            let (finite, found) = to_slices(&tape, &q, sizes);
            let found = found.concat();
            assert!(finite, "{links} links");
            assert_eq!(bits(&found), bits(&expected[0][..found.len()]), "{links} links");
        }
    }
}

#[test]
fn one_place_that_is_not_finite_is_noticed_through_what_tells_of_it() {
    let links = 100;
    let mut g = Graph::new();
    let parts = chain(&mut g, links);
    let sizes: Vec<usize> = parts.iter().map(Vec::len).collect();
    let tape = Compiler::new(&g, 2 * links as usize, 0).tape(&parts.concat());
    let tape = Evaluator::without_parameters(tape);
    for place in [0, 1, 2, 3, 70, 71, 130, 131, 198, 199] {
        for wrong in [f64::INFINITY, f64::NAN, -f64::INFINITY] {
            let mut q = state(links);
            q[place] = wrong;
            assert!(!to_slices(&tape, &q, &sizes).0, "{wrong} at {place}");
            assert!(!to_slices(&tape, &q, &sizes[..2]).0, "{wrong} at {place}");
        }
        // A length may be too large where its parts are not.
        let mut q = state(links);
        q[place] = 1e200;
        assert!(!to_slices(&tape, &q, &sizes).0, "at {place}");
        let [known, _, directions, _] = &parts;
        let only = [known.clone(), directions.clone()].concat();
        let only = Evaluator::without_parameters(Compiler::new(&g, q.len(), 0).tape(&only));
        assert!(to_slices(&only, &q, &[known.len(), directions.len()]).0, "at {place}");
    }
    // 1/h is no number where h is 0, whatever tells of it.
    let mut q = state(links);
    q.copy_within(40..42, 42);
    assert!(!to_slices(&tape, &q, &sizes).0);
}
