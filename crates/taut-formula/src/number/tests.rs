use proptest::prelude::*;

use super::*;
use crate::graph::{Depends, Graph, Input, Node};
use crate::tape::{Compiler, Evaluator, State};
use crate::testing::deterministic;

type Second = Dual<1, Dual<1>>;
type Third = Jet;

/// x with slope 1 in every direction: f(x) then holds f, f', f'', f'''.
fn third(x: f64) -> Third {
    let one = |x: f64, slope: f64| Dual { value: x, slope: [slope] };
    let two = Dual { value: one(x, 1.0), slope: [one(1.0, 0.0)] };
    Dual { value: two, slope: [Dual { value: one(1.0, 0.0), slope: [one(0.0, 0.0)] }] }
}

fn derivatives(y: Third) -> [f64; 4] {
    let Dual { value, slope: [first] } = y;
    [value.value.value, first.value.value, first.slope[0].value, first.slope[0].slope[0]]
}

fn assert_derivatives(f: impl Fn(Third) -> Third, x: f64, expected: [f64; 4], what: &str) {
    let found = derivatives(f(third(x)));
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= 1e-12 * expected.abs().max(1.0),
            "{what} at {x}: {found} {expected}"
        );
    }
}

proptest! {
    #![proptest_config(deterministic(64))]

    /// Value and three derivatives of every function, against its formulas.
    #[test]
    fn functions_and_three_derivatives(x in 0.2..0.9_f64) {
        let (s, c) = x.sin_cos();
        let (sh, ch, th) = (x.sinh(), x.cosh(), x.tanh());
        let (e, r) = (x.exp(), x.sqrt());
        let (w, p) = (1.0 - x * x, 1.0 + x * x);
        assert_derivatives(|x| x.exp(), x, [e, e, e, e], "exp");
        assert_derivatives(|x| x.ln(), x, [x.ln(), 1.0 / x, -1.0 / (x * x), 2.0 / x.powi(3)], "ln");
        assert_derivatives(|x| x.sqrt(), x, [r, 0.5 / r, -0.25 / (r * x), 0.375 / (r * x * x)], "sqrt");
        assert_derivatives(|x| x.sin(), x, [s, c, -s, -c], "sin");
        assert_derivatives(|x| x.cos(), x, [c, -s, -c, s], "cos");
        assert_derivatives(|x| x.sin_cos().0, x, [s, c, -s, -c], "sin of sin_cos");
        assert_derivatives(|x| x.sin_cos().1, x, [c, -s, -c, s], "cos of sin_cos");
        let tan = s / c;
        let sec2 = 1.0 / (c * c);
        assert_derivatives(|x| x.tan(), x, [tan, sec2, 2.0 * tan * sec2, 2.0 * sec2 * (3.0 * sec2 - 2.0)], "tan");
        let asin = [1.0 / w.sqrt(), x / w.powf(1.5), (1.0 + 2.0 * x * x) / w.powf(2.5)];
        assert_derivatives(|x| x.asin(), x, [x.asin(), asin[0], asin[1], asin[2]], "asin");
        assert_derivatives(|x| x.acos(), x, [x.acos(), -asin[0], -asin[1], -asin[2]], "acos");
        let atan = [1.0 / p, -2.0 * x / (p * p), (6.0 * x * x - 2.0) / p.powi(3)];
        assert_derivatives(|x| x.atan(), x, [x.atan(), atan[0], atan[1], atan[2]], "atan");
        assert_derivatives(|x| x.atan2(Scalar::constant(1.0)), x, [x.atan(), atan[0], atan[1], atan[2]], "atan2");
        assert_derivatives(|x| x.sinh(), x, [sh, ch, sh, ch], "sinh");
        assert_derivatives(|x| x.cosh(), x, [ch, sh, ch, sh], "cosh");
        let sech2 = 1.0 - th * th;
        assert_derivatives(|x| x.tanh(), x, [th, sech2, -2.0 * th * sech2, sech2 * (6.0 * th * th - 2.0)], "tanh");
        assert_derivatives(|x| -x.abs(), -x, [-x, 1.0, 0.0, 0.0], "abs");
        assert_derivatives(|x| x.square(), x, [x * x, 2.0 * x, 2.0, 0.0], "square");
        let pow = |p: f64| [x.powf(p), p * x.powf(p - 1.0), p * (p - 1.0) * x.powf(p - 2.0),
            p * (p - 1.0) * (p - 2.0) * x.powf(p - 3.0)];
        for k in [-3, -1, 0, 1, 2, 3, 5] {
            assert_derivatives(|x| x.powi(k), x, pow(f64::from(k)), "powi");
            assert_derivatives(|x| x.powf(f64::from(k)), x, pow(f64::from(k)), "powf, whole");
        }
        assert_derivatives(|x| x.powf(2.3), x, pow(2.3), "powf");
        assert_derivatives(|x| Third::constant(1.0) / x, x, pow(-1.0), "quotient");
        assert_derivatives(|x| (x * 2.0 - 1.0 + x) / 2.0, x, [1.5 * x - 0.5, 1.5, 0.0, 0.0], "with f64");
        let h = p.sqrt();
        let hypot = [h, x / h, 1.0 / h.powi(3), -3.0 * x / h.powi(5)];
        assert_derivatives(|x| x.hypot(Scalar::constant(1.0)), x, hypot, "hypot");
        assert_derivatives(|x| Third::constant(1.0).hypot(x), x, hypot, "hypot, the other");
    }

    /// Two directions at once: the mixed derivative of f(x, y).
    #[test]
    fn mixed_derivatives(x in 0.3..2.0_f64, y in 0.3..2.0_f64) {
        let a = Dual { value: Dual { value: x, slope: [1.0] }, slope: [Dual { value: 0.0, slope: [0.0] }] };
        let b = Dual { value: Dual { value: y, slope: [0.0] }, slope: [Dual { value: 1.0, slope: [0.0] }] };
        let mixed = |f: Second| f.slope[0].slope[0];
        let r2 = x * x + y * y;
        let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
        prop_assert!(close(mixed(a * b), 1.0));
        prop_assert!(close(mixed(a / b), -1.0 / (y * y)));
        prop_assert!(close(mixed(a.hypot(b)), -x * y / r2.powf(1.5)));
        prop_assert!(close(mixed(a.atan2(b)), (x * x - y * y) / (r2 * r2)));
        prop_assert!(close(mixed((a * b).sin()), (x * y).cos() - x * y * (x * y).sin()));
    }

    /// Slopes in several directions do not mix.
    #[test]
    fn slopes_keep_their_directions(x in prop::array::uniform3(0.3..2.0_f64)) {
        let [a, b, c]: [Dual<3>; 3] = std::array::from_fn(|k| Dual::variable(x[k], k));
        let f = a * b.sin() - c / a;
        let expected = [x[1].sin() + x[2] / (x[0] * x[0]), x[0] * x[1].cos(), -1.0 / x[0]];
        for (found, expected) in f.slope.iter().zip(expected) {
            prop_assert!((found - expected).abs() <= 1e-13 * expected.abs().max(1.0));
        }
        let mut sum = a;
        sum += b;
        sum -= c;
        sum *= a;
        prop_assert_eq!(sum, (a + b - c) * a);
    }

    /// Sent through lanes and back, a number is the same.
    #[test]
    fn lanes_round_trip(x in prop::collection::vec(-2.0..2.0_f64, 50)) {
        let flat: Dual<4> = Dual { value: x[0], slope: [x[1], x[2], x[3], x[4]] };
        let nested: Dual<4, Dual<4>> = Dual {
            value: flat,
            slope: std::array::from_fn(|k| Dual { value: x[5 + k], slope: std::array::from_fn(|l| x[9 + 4 * k + l]) }),
        };
        let deepest: Dual<1, Dual<4, Dual<4>>> = Dual {
            value: nested,
            slope: [Dual { value: flat * 0.5, slope: nested.slope.map(|s| s * 3.0) }],
        };
        prop_assert_eq!(f64::from_lanes(|k| x[0].lane(k)), x[0]);
        prop_assert_eq!(Dual::<4>::from_lanes(|k| flat.lane(k)), flat);
        prop_assert_eq!(Dual::<4, Dual<4>>::from_lanes(|k| nested.lane(k)), nested);
        prop_assert_eq!(Dual::<1, Dual<4, Dual<4>>>::from_lanes(|k| deepest.lane(k)), deepest);
        let number = Number::from(third(x[0]) * third(x[1]));
        prop_assert_eq!(Number::from_lanes(|k| number.lane(k)), number);
    }

    /// A formula for [`Number`] gives through lanes what it gives when it is generic.
    #[test]
    fn formulas_through_lanes(x in prop::collection::vec(0.3..2.0_f64, 21)) {
        fn formula<S: Scalar>(x: &[S]) -> S {
            (x[0] * x[1]).sin() / x[0].hypot(x[1]) + x[1].powi(3)
        }
        let number = |from: usize| -> Dual<2, Dual<4>> {
            Dual {
                value: Dual { value: x[from], slope: std::array::from_fn(|k| x[from + k + 1]) },
                slope: std::array::from_fn(|k| Dual::variable(x[from + 5 + k], k)),
            }
        };
        let inputs = [number(0), number(10)];
        let mut scratch = [Number::constant(0.0); 2];
        let found = through_lanes(inputs.iter().copied(), &mut scratch, formula);
        let expected = formula(&inputs);
        for (found, expected) in [found.value, found.slope[0], found.slope[1]]
            .iter().zip([expected.value, expected.slope[0], expected.slope[1]])
        {
            prop_assert!((found.value - expected.value).abs() <= 1e-12 * expected.value.abs().max(1.0));
            for (found, expected) in found.slope.iter().zip(expected.slope) {
                prop_assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0));
            }
        }
    }

    /// Values are the same in every number type.
    #[test]
    fn one_value_in_every_number_type(x in 0.2..0.9_f64, y in 0.2..0.9_f64) {
        fn formula<S: Scalar>(x: S, y: S) -> S {
            let (s, c) = x.sin_cos();
            (s * y + c.tan()) / (x.exp() - y.ln()) + x.asin() * y.acos() - x.atan2(y) + x.sinh() * y.cosh()
                + x.tanh().powf(1.7) + y.powi(-2) + x.hypot(y) + (x - y).abs() + x.min(y) * x.max(y) + y.sqrt()
                + x.atan() - x.square() * 0.25
        }
        let expected = formula(x, y);
        let close = |found: f64| (found - expected).abs() <= 1e-13 * expected.abs().max(1.0);
        prop_assert!(close(formula(Dual::<4>::constant(x), Dual::constant(y)).value()));
        prop_assert!(close(formula(third(x), third(y)).value()));
        prop_assert!(close(formula(Number::from(third(x)), Number::constant(y)).value()));
    }
}

#[test]
fn smaller_and_larger_take_their_slopes_along() {
    let (x, y) = (Dual::<2>::variable(1.0, 0), Dual::<2>::variable(2.0, 1));
    assert_eq!((x.min(y), y.min(x)), (x, x));
    assert_eq!((x.max(y), y.max(x)), (y, y));
    assert_eq!((x.either(y, true), x.either(y, false)), (x, y));
    assert_eq!(Dual::<1>::variable(0.0, 0).abs(), Dual::lift(0.0));
}

#[test]
fn what_is_undefined_stays_undefined() {
    let nan = Dual::<1>::lift(f64::NAN);
    let one = Dual::<1>::lift(1.0);
    for undefined in [nan.min(one), one.min(nan), nan.max(one), one.max(nan)] {
        assert!(undefined.value.is_nan());
    }
    assert!(Scalar::min(1.0, f64::NAN).is_nan() && Scalar::max(f64::NAN, 1.0).is_nan());
}

/// The graph of a formula of two inputs, and its node.
fn recorded(formula: impl Fn(Traced, Traced) -> Traced) -> Result<(Graph, Node), Unrecorded> {
    record(|| formula(Traced::input(Input::Position(0)), Traced::input(Input::Position(1))).node())
}

fn evaluated(graph: &Graph, node: Node, q: &[f64]) -> f64 {
    let tape = Evaluator::without_parameters(Compiler::new(graph, 2, 0).tape(&[node]));
    let mut value = [f64::NAN];
    tape.evaluate(State { q, ..State::default() }, &mut [&mut value]);
    value[0]
}

#[test]
fn cases_are_recorded_with_both_branches() {
    fn formula<S: Scalar>(x: S, y: S) -> S {
        (x - y).select(x.square(), y.exp()) + x.sign() * y.floor() + x.min(y) - y.max(x) * 2.0
    }
    let (graph, node) = recorded(formula).unwrap();
    for q in [[0.5, 1.75], [2.0, -0.25], [-1.0, -1.0]] {
        let expected = formula(q[0], q[1]);
        assert_eq!(evaluated(&graph, node, &q), expected, "{q:?}");
        assert_eq!(formula(Dual::<1>::constant(q[0]), Dual::constant(q[1])).value(), expected);
    }
}

#[test]
fn the_branch_that_is_not_taken_may_have_no_value() {
    // √x where x is positive, −x² elsewhere
    let (mut graph, node) = recorded(|x, _| x.select((x * 4.0).sqrt(), -x.square())).unwrap();
    let slope = graph.gradient(node, Depends::POSITION)[0].1;
    for (x, value, derivative) in [(0.25, 1.0, 2.0), (-3.0, -9.0, 6.0)] {
        assert_eq!(evaluated(&graph, node, &[x, 0.0]), value);
        assert_eq!(evaluated(&graph, slope, &[x, 0.0]), derivative);
    }
}

#[test]
fn a_formula_that_asks_for_a_value_says_so() {
    let branching = recorded(|x, y| if x.value() > 0.0 { y } else { x });
    assert_eq!(branching.unwrap_err(), Unrecorded::Asked);
    assert!(Unrecorded::Asked.to_string().contains("`select`"));
    // Numbers that depend on nothing have one.
    assert!(recorded(|x, _| if Traced::constant(2.0).value() > 1.0 { x } else { -x }).is_ok());
}

#[test]
fn closures_are_recorded() {
    let closure = |x: &[Number]| (x[0] * 2.0 + x[1]).sin() / (Number::constant(3.0) + x[1].square());
    let (graph, node) = recorded(|x, y| {
        let mut inputs = [Number::constant(0.0); 2];
        through_lanes([x, y].into_iter(), &mut inputs, closure)
    })
    .unwrap();
    let expected = closure(&[0.3, 0.8].map(Number::constant)).value();
    assert!((evaluated(&graph, node, &[0.3, 0.8]) - expected).abs() < 1e-16);
    // Slopes of what is recorded are not known here.
    let nested = record(|| {
        let x = Dual::<1, Traced>::variable(Traced::input(Input::Position(0)), 0);
        through_lanes([x, x].into_iter(), &mut [Number::constant(0.0); 2], closure)
    });
    assert_eq!(nested.unwrap_err(), Unrecorded::Asked);
}
