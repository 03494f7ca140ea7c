//! √(x² + y²) without the call of a library, so that states go side by side.

/// Smaller squares lose digits,
const LEAST: f64 = 1e-280;
/// and larger ones may be infinite.
const MOST: f64 = 1e280;

/// Whether the root of x² + y² is the hypotenuse to one unit in the last place.
#[inline(always)]
pub(crate) fn is_safe(square: f64) -> bool {
    (LEAST..MOST).contains(&square)
}

/// √(x² + y²) to one unit in the last place, however large or small both are.
#[inline(always)]
pub(crate) fn hypotenuse(x: f64, y: f64) -> f64 {
    let square = x * x + y * y;
    if is_safe(square) { square.sqrt() } else { x.hypot(y) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_right_to_the_last_place(x in -1e3..1e3_f64, y in -1e3..1e3_f64, k in -300..300) {
            let (x, y) = (x * 10f64.powi(k), y * 10f64.powi(k));
            let (found, known) = (hypotenuse(x, y), x.hypot(y));
            prop_assert!((found - known).abs() <= known * f64::EPSILON, "{x:e} {y:e}: {found:e} {known:e}");
        }
    }

    #[test]
    fn nothing_infinite_and_no_number() {
        assert_eq!(hypotenuse(0.0, -0.0), 0.0);
        assert_eq!(hypotenuse(f64::INFINITY, f64::NAN), f64::INFINITY);
        assert_eq!(hypotenuse(3e-320, 4e-320), 5e-320);
        assert!(hypotenuse(f64::NAN, 1.0).is_nan());
    }
}
