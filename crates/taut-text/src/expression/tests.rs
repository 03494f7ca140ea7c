//! Parsing and printing.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{Comparison, Expression, Factor, Name, Part, Repeated, Sign, Term, parse};
use crate::function::{Binary, Function, Unary};
use crate::mistake::Mistakes;
use crate::quoted::Quoted;
use crate::source::Span;

/// Random tests that are the same in every run.
pub(crate) fn deterministic(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1992),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

pub(crate) fn parsed(text: &str) -> Result<Expression, String> {
    let source = format!("\"{text}\"");
    let mut mistakes = Mistakes::default();
    let quoted = Quoted::new(text, Span { start: 0, end: source.len() }, &source);
    let expression = parse(&quoted, &mut mistakes);
    let errors = mistakes.into_errors(&crate::source::Source::new("test", source.as_str()));
    match (expression, errors.mistakes()) {
        (Some(expression), []) => Ok(expression),
        (_, [first, ..]) => Err(format!("{}: {}", first.column.unwrap_or(0), first.message)),
        (None, []) => Err("no expression and no mistake".into()),
    }
}

fn expression(term: Term) -> Expression {
    Expression { term, span: Span::default() }
}

fn name(text: &str, primes: u8) -> Expression {
    expression(Term::Name(Name { parts: vec![Part::Text(text.into())], primes }))
}

fn numbers() -> impl Strategy<Value = Expression> {
    let values = prop_oneof![0.0..10.0, Just(1e-7), Just(2.0), Just(1.0), Just(1e300)];
    values.prop_map(|value: f64| expression(Term::Number(value)))
}

/// Expressions of x, y, z in which every construction but names with indices and repeated sums occurs.
pub(crate) fn smooth_expressions() -> impl Strategy<Value = Expression> {
    let leaves = prop_oneof![
        2 => prop_oneof![Just("x"), Just("y"), Just("z")].prop_map(|x| name(x, 0)),
        1 => (0.1..4.0_f64).prop_map(|value| expression(Term::Number(value))),
    ];
    leaves.prop_recursive(5, 40, 3, compound)
}

fn all_expressions() -> impl Strategy<Value = Expression> {
    let indexed = |index: Expression| {
        let parts = vec![Part::Text("q".into()), Part::Index(index), Part::Text("_2".into())];
        expression(Term::Name(Name { parts, primes: 1 }))
    };
    let leaves = prop_oneof![
        numbers(),
        (prop_oneof![Just("x"), Just("alpha_1"), Just("θ")], 0_u8..3).prop_map(|(x, prime)| name(x, prime)),
        numbers().prop_map(indexed),
    ];
    leaves.prop_recursive(6, 60, 4, |inner| {
        let repeated = (inner.clone(), inner.clone(), inner.clone()).prop_map(|(first, last, body)| {
            expression(Term::Repeated(Box::new(Repeated { index: "k".into(), first, last, body })))
        });
        prop_oneof![6 => compound(inner.clone()), 1 => repeated, 2 => beyond_numbers(inner)]
    })
}

/// Choices by conditions, lists, elements, and functions of other things than numbers.
fn beyond_numbers(inner: impl Strategy<Value = Expression> + Clone + 'static) -> BoxedStrategy<Expression> {
    let comparison = prop::sample::select(Comparison::ALL.map(|(comparison, _)| comparison).to_vec());
    let compared = (comparison, inner.clone(), inner.clone())
        .prop_map(|(comparison, x, y)| expression(Term::Compare(comparison, Box::new(x), Box::new(y))));
    let condition = compared.prop_recursive(3, 8, 3, |condition| {
        prop_oneof![
            condition.clone().prop_map(|x| expression(Term::Not(Box::new(x)))),
            prop::collection::vec(condition.clone(), 2..4).prop_map(|all| expression(Term::All(all))),
            prop::collection::vec(condition, 2..4).prop_map(|any| expression(Term::Any(any))),
        ]
    });
    let list = prop::collection::vec(inner.clone(), 1..4);
    prop_oneof![
        (condition, inner.clone(), inner.clone())
            .prop_map(|(condition, x, y)| expression(Term::If(Box::new([condition, x, y])))),
        list.clone().prop_map(|elements| expression(Term::List(elements))),
        list.prop_map(|arguments| expression(Term::Apply("bend".into(), arguments))),
        (inner.clone(), inner).prop_map(|(x, k)| expression(Term::Element(Box::new(x), Box::new(k)))),
    ]
    .boxed()
}

fn compound(inner: impl Strategy<Value = Expression> + Clone + 'static) -> BoxedStrategy<Expression> {
    let sign = prop_oneof![Just(Sign::Plus), Just(Sign::Minus)];
    let factor = prop_oneof![Just(Factor::Times), Just(Factor::Over)];
    let unary = prop::sample::select(Unary::ALL.to_vec());
    let binary = prop::sample::select(Binary::ALL.to_vec());
    prop_oneof![
        (inner.clone(), prop::collection::vec((sign, inner.clone()), 1..4)).prop_map(|(first, mut rest)| {
            rest.insert(0, (Sign::Plus, first));
            expression(Term::Sum(rest))
        }),
        (inner.clone(), prop::collection::vec((factor, inner.clone()), 1..3)).prop_map(
            |(first, mut rest)| {
                rest.insert(0, (Factor::Times, first));
                expression(Term::Product(rest))
            }
        ),
        inner.clone().prop_map(|x| expression(Term::Negative(Box::new(x)))),
        (inner.clone(), prop::sample::select(vec![2.0, 3.0, 0.5, 1.5, 1.0])).prop_map(|(x, k)| {
            expression(Term::Power(Box::new(x), Box::new(expression(Term::Number(k)))))
        }),
        (inner.clone(), inner.clone()).prop_map(|(x, y)| expression(Term::Power(Box::new(x), Box::new(y)))),
        (unary, inner.clone()).prop_map(|(f, x)| expression(Term::Call(Function::Unary(f), vec![x]))),
        (binary, inner.clone(), inner)
            .prop_map(|(f, x, y)| expression(Term::Call(Function::Binary(f), vec![x, y]))),
    ]
    .boxed()
}

proptest! {
    #![proptest_config(deterministic(512))]

    #[test]
    fn what_is_printed_reads_the_same(tree in all_expressions()) {
        let text = tree.to_string();
        prop_assert_eq!(parsed(&text).map_err(|e| format!("{e} in {text}")), Ok(tree));
    }

    #[test]
    fn any_text_is_an_expression_or_a_mistake(text in "[-+*/^(){},'. 0-9a-zθ=<>!\\[\\]\\n]{0,60}") {
        match parsed(&text) {
            Ok(tree) => prop_assert_eq!(parsed(&tree.to_string()), Ok(tree)),
            Err(message) => prop_assert!(!message.starts_with("0:"), "{}", message),
        }
    }
}

fn printed(text: &str) -> String {
    parsed(text).map_or_else(|error| error, |tree| tree.to_string())
}

#[test]
fn precedence_is_the_usual_one() {
    assert_eq!(printed("-x^2"), "-x^2");
    assert_eq!(parsed("-x^2"), parsed("-(x^2)"));
    assert_eq!(parsed("2^3^2"), parsed("2^(3^2)"));
    assert_eq!(parsed("2^-x"), parsed("2^(-x)"));
    assert_eq!(parsed("-x*y"), parsed("(-x)*y"));
    assert_ne!(parsed("a/b*c"), parsed("a/(b*c)"));
    assert_eq!(printed("a - (b - c)"), "a - (b - c)");
    assert_eq!(printed("(a*b)^c"), "(a*b)^c");
    assert_eq!(printed("x'^2"), "x'^2");
    assert_eq!(printed("+x"), "x");
}

#[test]
fn mistakes_have_the_column_of_the_offending_text() {
    assert_eq!(printed("2 x"), "4: unexpected 'x'");
    assert_eq!(printed("sin(x"), "5: this is never closed");
    assert_eq!(printed("x + "), "6: the expression ends too early");
    assert_eq!(printed("x < y < z"), "8: unexpected '<'");
    assert_eq!(printed("if(x < 0, 1)"), "2: if takes 3 arguments");
    assert_eq!(printed("[x, y"), "2: this is never closed");
    assert_eq!(printed("p[1"), "3: this is never closed");
    assert_eq!(printed("x = y"), "4: unexpected '='");
    assert_eq!(printed("1e999"), "2: the number 1e999 is too large");
    assert_eq!(printed("x ** 2"), "5: unexpected '*'");
    assert_eq!(printed("atan2(x)"), "2: atan2 takes 2 arguments");
    assert_eq!(printed("x{i'"), "3: this is never closed");
    assert_eq!(printed(""), "2: the expression ends too early");
}

#[test]
fn nesting_is_limited_and_length_is_not_depth() {
    let deep = format!("{}x{}", "(".repeat(1000), ")".repeat(1000));
    assert!(printed(&deep).ends_with("nested too deeply"));
    assert!(printed(&"-".repeat(100_000)).ends_with("nested too deeply"));
    assert!(printed(&"2^".repeat(1000)).ends_with("nested too deeply"));
    let long = vec!["x"; 20_000].join(" + ");
    assert!(parsed(&long).is_ok());
    assert!(printed(&"x+".repeat(200_000)).ends_with("too long"));
}
