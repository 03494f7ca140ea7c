//! Arithmetic against what is exact; functions are held against values of 34 digits where formulas use them.

use super::DoubleDouble;

fn number(text: &str) -> DoubleDouble {
    DoubleDouble::parse(text).unwrap()
}

/// The relative difference.
fn difference(x: DoubleDouble, y: DoubleDouble) -> f64 {
    ((x - y) / y).to_f64().abs()
}

#[test]
fn arithmetic_keeps_what_plain_numbers_lose() {
    let (third, small) = (DoubleDouble::from(1.0) / 3.0, DoubleDouble::from(1e-20));
    assert_eq!((third * 3.0 - 1.0).to_f64(), 0.0);
    assert_eq!(((small + 1.0) - 1.0).to_f64(), 1e-20);
    let (x, y) = (number("1.7"), number("0.3"));
    assert!(difference((x / y) * y, x) < 1e-31 && difference((x + y) * (x - y), number("2.8")) < 1e-31);
}

#[test]
fn text_goes_in_and_comes_out() {
    for text in ["1.2345678901234567890123456789e0", "-9.99e-7", "1e-300", "2.5e120", "3e0"] {
        let digits = text.chars().take_while(|c| *c != 'e').filter(char::is_ascii_digit).count();
        assert_eq!(number(text).to_text(digits), text);
    }
    assert_eq!(number("9.9996").to_text(3), "1.00e1");
    assert_eq!(number("0").to_text(5), "0");
    assert_eq!(number("+12.50").to_text(3), "1.25e1");
    assert!(DoubleDouble::parse("one").is_none() && DoubleDouble::parse("1e999").is_none());
}
