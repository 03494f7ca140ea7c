//! Derivatives of random formulas against dual numbers.

use proptest::prelude::*;
use taut::system::{Dual, MechanicalSystem, Scalar, Terms};

use crate::expression::tests::{deterministic, smooth_expressions};
use crate::expression::{Expression, Factor, Sign, Term};
use crate::function::{Binary, Function, Unary};
use crate::{Model, Source, System};

/// Three first derivatives and nine second ones.
type Second = Dual<3, Dual<3>>;

/// Values and derivatives beyond this size are not compared: rounding would be.
const LARGE: f64 = 1e3;

fn evaluate(expression: &Expression, q: [Second; 3]) -> Option<Second> {
    let value = match &expression.term {
        Term::Number(value) => Second::constant(*value),
        Term::Name(name) => match name.to_string().as_str() {
            "x" => q[0],
            "y" => q[1],
            _ => q[2],
        },
        Term::Negative(x) => -evaluate(x, q)?,
        Term::Sum(terms) => {
            let mut sum = Second::zero();
            for (sign, term) in terms {
                let term = evaluate(term, q)?;
                sum += if *sign == Sign::Plus { term } else { -term };
            }
            sum
        }
        Term::Product(factors) => {
            let mut product = Second::constant(1.0);
            for (factor, x) in factors {
                let x = evaluate(x, q)?;
                product = if *factor == Factor::Times { product * x } else { product / x };
            }
            product
        }
        Term::Power(x, y) => power(evaluate(x, q)?, evaluate(y, q)?, &y.term)?,
        Term::Call(Function::Unary(function), arguments) => unary(*function, evaluate(&arguments[0], q)?),
        Term::Call(Function::Binary(function), arguments) => {
            let (x, y) = (evaluate(&arguments[0], q)?, evaluate(&arguments[1], q)?);
            match function {
                Binary::Atan2 => x.atan2(y),
                Binary::Min => x.min(y),
                Binary::Max => x.max(y),
                Binary::Hypot => x.hypot(y),
                Binary::Pow => power(x, y, &arguments[1].term)?,
            }
        }
        _ => return None,
    };
    let all = value.slope.iter().flat_map(|s| [s.value].into_iter().chain(s.slope)).chain([value.value()]);
    let mut all = all.chain(value.value.slope);
    all.all(|x| x.is_finite() && x.abs() < LARGE).then_some(value)
}

fn power(x: Second, y: Second, exponent: &Term) -> Option<Second> {
    match exponent {
        Term::Number(k) => Some(x.powf(*k)),
        // x^y = exp(y log x) where the logarithm exists and is harmless
        _ => (x.value() > 0.01).then(|| (y * x.ln()).exp()),
    }
}

fn unary(function: Unary, x: Second) -> Second {
    match function {
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => x.exp(),
        Unary::Log => x.ln(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Asin => x.asin(),
        Unary::Acos => x.acos(),
        Unary::Atan => x.atan(),
        Unary::Sinh => x.sinh(),
        Unary::Cosh => x.cosh(),
        Unary::Tanh => x.tanh(),
        Unary::Abs => x.abs(),
        Unary::Sign | Unary::Floor => Second::constant(function.of(x.value())),
        Unary::Erf => Unary::Erf.of(x),
    }
}

fn model(potential: &Expression) -> Model {
    let text = format!(
        "[coordinates]\nx = {{ start = 0 }}\ny = {{ start = 0 }}\nz = {{ start = 0 }}\n\
         [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"{potential}\"\n"
    );
    match Model::read(&Source::new("random", text), &[]) {
        Ok(model) => model,
        Err(errors) => panic!("{errors}"),
    }
}

proptest! {
    #![proptest_config(deterministic(1500))]

    #[test]
    fn first_and_second_derivatives_are_those_of_dual_numbers(
        potential in smooth_expressions(),
        at in prop::array::uniform3(0.2..1.8_f64),
    ) {
        let mut q = [Second::zero(); 3];
        for i in 0..3 {
            q[i] = Second::variable(Dual::variable(at[i], i), i);
        }
        let Some(expected) = evaluate(&potential, q) else { return Ok(()) };
        // A constant part may be infinite although the whole is never evaluated there.
        let System::Mechanical(model) = model(&potential).system else { unreachable!() };
        let zeros = [0.0; 3];
        let energy = model.energy(0.0, &at, &zeros).map(|energy| energy.potential);
        prop_assert!(close(energy.unwrap_or(f64::NAN), expected.value()), "{}: value", potential);
        let mut force = [0.0; 3];
        prop_assert!(model.force(Terms::POTENTIAL, 0.0, &at, &zeros, &mut force).is_ok(), "{}", potential);
        let pattern = model.structure().stiffness.clone();
        let (mut k, mut d) = (vec![0.0; pattern.nnz()], vec![]);
        let blocks = model.newton_blocks(Terms::ACCELERATING, 0.0, &at, &zeros, &zeros, &[], &mut k, &mut d);
        prop_assert!(blocks.is_ok(), "{}: {:?}", potential, blocks);
        for i in 0..3 {
            prop_assert!(close(-force[i], expected.slope[i].value), "{}: slope {}", potential, i);
            for j in 0..3 {
                let found = pattern.position(i, j).map_or(0.0, |at| -k[at]);
                let wanted = expected.slope[i].slope[j];
                prop_assert!(close(found, wanted), "{}: {} {}: {} {}", potential, i, j, found, wanted);
            }
        }
    }
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-8 * (1.0 + expected.abs())
}
