//! Sine and cosine of several numbers at once.
//!
//! The argument is reduced by a multiple of π/2, which is subtracted in three parts of 53 bits each, so that what is left is
//! known to more than double precision; both functions are then polynomials on [−π/4, π/4]. The functions have no branches
//! and are written for machines that multiply and add with one rounding: a loop over lanes becomes vector instructions.

/// Beyond this size the library's own reduction is asked.
const LARGEST: f64 = 1e6;
const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;
/// 1.5·2⁵²: added and subtracted, it rounds to a whole number, which is then in the last bits of the sum.
const ROUNDING: f64 = 6_755_399_441_055_744.0;
/// π/2 in three parts.
const HALF_PI: [f64; 3] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33];

/// (sin(x)/x − 1)/x² as a polynomial of x², highest power first; interpolation at Chebyshev points.
const SINE: [f64; 7] = [
    -7.586576588171073e-13,
    1.6058529572267877e-10,
    -2.5052106219521895e-08,
    2.755731921930192e-06,
    -0.00019841269841265017,
    0.008333333333333331,
    -0.16666666666666666,
];
/// (cos(x) − 1 + x²/2)/x⁴ as a polynomial of x², likewise.
const COSINE: [f64; 6] = [
    -1.1382456778061306e-11,
    2.0876143827993133e-09,
    -2.7557317260008837e-07,
    2.480158729874307e-05,
    -0.0013888888888887382,
    0.041666666666666664,
];

/// Sines and cosines. To be inlined where vector instructions are allowed.
#[inline(always)]
pub(crate) fn sines_and_cosines<const L: usize>(x: [f64; L]) -> ([f64; L], [f64; L]) {
    let (mut sines, mut cosines) = ([0.0; L], [0.0; L]);
    let mut near = true;
    for k in 0..L {
        (sines[k], cosines[k]) = sine_and_cosine(x[k]);
        near &= x[k].abs() <= LARGEST;
    }
    if !near {
        far(&x, &mut sines, &mut cosines);
    }
    (sines, cosines)
}

/// What is far from 0, infinite or not a number.
#[cold]
#[inline(never)]
fn far(x: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    for k in 0..x.len() {
        // What is not a number is not near either.
        let near = x[k].abs() <= LARGEST;
        if !near {
            (sines[k], cosines[k]) = x[k].sin_cos();
        }
    }
}

/// For |x| ≤ [`LARGEST`].
#[inline(always)]
fn sine_and_cosine(x: f64) -> (f64, f64) {
    let shifted = x.mul_add(TWO_OVER_PI, ROUNDING);
    let (quarters, quadrant) = (shifted - ROUNDING, shifted.to_bits());
    let (high, low) = reduced(x, quarters);
    let square = high * high;
    let sine = {
        let polynomial = polynomial(SINE, square);
        let rest = (-0.5 * square).mul_add(low, low);
        high + (high * square).mul_add(polynomial, rest)
    };
    let cosine = {
        let half = 0.5 * square;
        let first = 1.0 - half;
        let rounding = (1.0 - first) - half;
        // What x² lost by rounding, and the share of the low part.
        let lost = 0.5 * high.mul_add(high, -square);
        let rest = (square * square).mul_add(polynomial(COSINE, square), rounding - high.mul_add(low, lost));
        first + rest
    };
    // Odd multiples of π/2 exchange the two; the second bit is the sign.
    let odd = 0_u64.wrapping_sub(quadrant & 1);
    let choose = |a: f64, b: f64| (a.to_bits() & !odd) | (b.to_bits() & odd);
    let signs = [(quadrant & 2) << 62, (quadrant.wrapping_add(1) & 2) << 62];
    (f64::from_bits(choose(sine, cosine) ^ signs[0]), f64::from_bits(choose(cosine, sine) ^ signs[1]))
}

/// x − n π/2 as a sum of two numbers. The first product is exact: for |x| ≥ 1 all terms are multiples of 2⁻⁵².
#[inline(always)]
fn reduced(x: f64, n: f64) -> (f64, f64) {
    let first = (-n).mul_add(HALF_PI[0], x);
    let product = n * HALF_PI[1];
    let lost = n.mul_add(HALF_PI[1], -product);
    let high = first - product;
    let taken = high - first;
    let rounding = (first - (high - taken)) - (product + taken);
    (high, rounding - n.mul_add(HALF_PI[2], lost))
}

#[inline(always)]
fn polynomial<const N: usize>(coefficients: [f64; N], x: f64) -> f64 {
    let mut value = coefficients[0];
    for coefficient in &coefficients[1..] {
        value = value.mul_add(x, *coefficient);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::sines_and_cosines;

    /// Units in the last place between two numbers.
    fn distance(a: f64, b: f64) -> u64 {
        let order = |x: f64| {
            let bits = x.to_bits() as i64;
            if bits < 0 { i64::MIN - bits } else { bits }
        };
        order(a).abs_diff(order(b))
    }

    fn check(x: f64, most: u64) {
        let ([sine, ..], [cosine, ..]) = sines_and_cosines([x; 4]);
        assert!(distance(sine, x.sin()) <= most, "sin {x:e}: {sine:e} {:e}", x.sin());
        assert!(distance(cosine, x.cos()) <= most, "cos {x:e}: {cosine:e} {:e}", x.cos());
    }

    #[test]
    fn at_most_one_unit_from_the_library() {
        let mut state = 1998_u64;
        for _ in 0..300_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let share = (state >> 11) as f64 / (1_u64 << 53) as f64;
            check(200.0 * share - 100.0, 1);
            check((2.0 * share - 1.0) * 1e6, 1);
            check((share - 0.5) * 1e-3, 1);
        }
    }

    #[test]
    fn close_to_multiples_of_a_quarter_turn() {
        for n in -640..640 {
            let x = f64::from(n) * std::f64::consts::FRAC_PI_2;
            for step in -20..=20_i64 {
                check(f64::from_bits(x.to_bits().wrapping_add_signed(step)), 1);
            }
        }
    }

    #[test]
    fn far_away_and_undefined() {
        for x in [1.1e6, -3e7, 1e22, 1.7e308] {
            check(x, 0);
        }
        for x in [f64::NAN, f64::INFINITY] {
            let (sines, cosines) = sines_and_cosines([x, 1.0, x, 0.5]);
            assert!(sines[0].is_nan() && cosines[2].is_nan());
            assert!(distance(sines[1], 1_f64.sin()) <= 1 && distance(cosines[3], 0.5_f64.cos()) <= 1);
        }
        let (sines, cosines) = sines_and_cosines([0.0, -0.0, 5e-324, -1e-310]);
        assert_eq!(sines, [0.0, 0.0, 5e-324, -1e-310]);
        assert_eq!(cosines, [1.0; 4]);
    }
}
