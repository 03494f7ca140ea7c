//! Functions against values of 34 digits (mpmath), arithmetic against what is exact.

use super::DoubleDouble;
use crate::function::Unary;
use crate::number::Scalar;

fn number(text: &str) -> DoubleDouble {
    DoubleDouble::parse(text).unwrap()
}

/// The relative difference.
fn difference(x: DoubleDouble, y: DoubleDouble) -> f64 {
    ((x - y) / y).value().abs()
}

#[test]
fn functions_have_thirty_digits() {
    let known = [
        (Unary::Sqrt, "0.7", "0.8366600265340755479781720257851875"),
        (Unary::Exp, "0.7", "2.013752707470476521624549388583065"),
        (Unary::Exp, "-12.25", "0.000004785117392129009089609771019433048"),
        (Unary::Exp, "300.3", "2.622001377684515848658146567892191e+130"),
        (Unary::Log, "0.7", "-0.3566749439387323789126387112411845"),
        (Unary::Log, "1234.5", "7.118421308785234193887886080909727"),
        (Unary::Sin, "0.7", "0.6442176872376910536726143513987202"),
        (Unary::Sin, "12.25", "-0.3111193549811273225834959451296429"),
        (Unary::Sin, "-987.6", "-0.9085945610030484526132009776748769"),
        (Unary::Cos, "12.25", "0.9503708470676735175805301890103698"),
        (Unary::Cos, "0.001", "0.9999995000000416666652777778025794"),
        (Unary::Asin, "0.7", "0.7753974966107530637403533527149871"),
        (Unary::Asin, "-0.999", "-1.5260712396261631879816254589682"),
        (Unary::Acos, "0.7", "0.7953988301841435554909683389247643"),
        (Unary::Atan, "0.7", "0.6107259643892086165437588764902361"),
        (Unary::Atan, "-45.5", "-1.548821842498234061025886804608057"),
        (Unary::Sinh, "0.1", "0.100166750019844025823729383521905"),
        (Unary::Sinh, "2.3", "4.936961805545958503113837231555435"),
        (Unary::Cosh, "0.7", "1.255169005630943018164674740990297"),
        (Unary::Tanh, "0.3", "0.2913126124515909058182212728237659"),
        (Unary::Tan, "0.7", "0.8422883804630794481281350022129377"),
    ];
    for (function, x, value) in known {
        let error = difference(function.of(number(x)), number(value));
        assert!(error < 4e-30, "{} of {x}: {error:e}", function.name());
    }
}
