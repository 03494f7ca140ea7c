use super::*;
use crate::testing::deterministic;
use proptest::prelude::*;

fn number(value: f64) -> DoubleDouble {
    DoubleDouble::from(value)
}

/// An extended number with a low part that matters.
fn extended() -> impl Strategy<Value = DoubleDouble> {
    (-1e3..1e3_f64, -1e-14..1e-14_f64)
        .prop_map(|(high, low)| number(high) + number(high * low))
        .prop_filter("not tiny", |x| x.magnitude() > 1e-3)
}

fn relative(x: DoubleDouble, y: DoubleDouble) -> f64 {
    (x - y).magnitude() / y.magnitude().max(f64::MIN_POSITIVE)
}

proptest! {
    #![proptest_config(deterministic(256))]

    #[test]
    fn sums_can_be_taken_back(x in extended(), y in extended()) {
        prop_assert!((x + y - y - x).magnitude() <= 1e-30 * (x.magnitude() + y.magnitude()));
    }

    #[test]
    fn quotients_undo_products(x in extended(), y in extended()) {
        prop_assert!(relative(x * y / y, x) < 1e-31);
        prop_assert_eq!(x / x, DoubleDouble::ONE);
    }

    #[test]
    fn products_distribute(x in extended(), y in extended(), z in extended()) {
        let scale = x.magnitude() * (y.magnitude() + z.magnitude());
        prop_assert!((x * (y + z) - x * y - x * z).magnitude() <= 1e-30 * scale);
    }

    #[test]
    fn roots_square_back(x in extended()) {
        prop_assert!(relative(x.abs().sqrt() * x.abs().sqrt(), x.abs()) < 1e-31);
    }

    #[test]
    fn the_leading_part_is_the_rounded_value(x in extended()) {
        let rest = (x - number(x.to_f64())).magnitude();
        prop_assert!(rest <= 0.5 * (x.to_f64().next_up() - x.to_f64()).abs().max(f64::MIN_POSITIVE));
    }

    #[test]
    fn linear_systems_are_solved(entries in prop::collection::vec(-1.0..1.0_f64, 16), x in prop::collection::vec(-1.0..1.0_f64, 4)) {
        let matrix = Matrix::from_fn(4, 4, |i, j| number(entries[4 * i + j]));
        let x: Vec<DoubleDouble> = x.into_iter().map(number).collect();
        prop_assume!(determinant(&matrix).magnitude() > 1e-3);
        let solution = Factored::new(&matrix).unwrap().solve(&matrix.times(&x));
        for (computed, exact) in solution.iter().zip(&x) {
            prop_assert!((*computed - *exact).magnitude() < 1e-27);
        }
    }

    #[test]
    fn determinant_polynomials_have_the_eigenvalues_as_zeros(values in prop::collection::vec(0.1..1.0_f64, 5)) {
        // A triangular matrix: det(I - z M) = product (1 - z value).
        let matrix = Matrix::from_fn(5, 5, |i, j| if i == j { number(-values[i]) } else if i > j { number(0.3) } else { number(0.0) });
        let polynomial = determinant_polynomial(&matrix, 2.0, 1e-25);
        for value in values {
            let scale: f64 = polynomial.coefficients().iter().enumerate().map(|(k, c)| c.magnitude() * value.powi(-(k as i32))).sum();
            prop_assert!(polynomial.value(DoubleDouble::ONE / number(value)).magnitude() < 1e-28 * scale);
        }
    }

    #[test]
    fn roots_are_found(mut zeros in prop::collection::vec(-2.0..2.0_f64, 6)) {
        zeros.sort_by(f64::total_cmp);
        prop_assume!(zeros.windows(2).all(|two| two[1] - two[0] > 0.05));
        let exact: Vec<DoubleDouble> = zeros.iter().map(|&zero| number(zero)).collect();
        let mut roots = from_roots(&exact).roots();
        roots.sort_by(|x, y| x.re.to_f64().total_cmp(&y.re.to_f64()));
        for (root, zero) in roots.iter().zip(&exact) {
            prop_assert!((root.re - *zero).magnitude() < 1e-23 && root.im.magnitude() < 1e-23);
        }
    }

    #[test]
    fn symmetric_eigenvalues_have_the_right_moments(entries in prop::collection::vec(-1.0..1.0_f64, 25)) {
        let matrix = Matrix::from_fn(5, 5, |i, j| entries[5 * i + j] + entries[5 * j + i]);
        let values = symmetric_eigenvalues(&matrix);
        let trace: f64 = (0..5).map(|i| matrix[(i, i)]).sum();
        let square: f64 = matrix.as_slice().iter().map(|entry| entry * entry).sum();
        prop_assert!((values.iter().sum::<f64>() - trace).abs() < 1e-12);
        prop_assert!((values.iter().map(|value| value * value).sum::<f64>() - square).abs() < 1e-11);
        prop_assert!((values.iter().product::<f64>() - determinant(&matrix)).abs() < 1e-10);
    }
}

#[test]
fn a_third_has_32_digits() {
    let third = DoubleDouble::ratio(1, 3);
    let defect = third + third + third - DoubleDouble::ONE;
    assert!(defect.magnitude() < 1e-31, "3 * (1/3) - 1 = {}", defect.to_f64());
    assert_eq!(third.to_f64(), 1.0 / 3.0);
}

#[test]
fn roots_of_unity_are_exact_to_the_last_digits() {
    for n in 1..=21 {
        for (k, root) in Complex::roots_of_unity(n).into_iter().enumerate() {
            let power = (0..n).fold(Complex::from(1.0), |power, _| power * root);
            assert!((power - Complex::from(1.0)).magnitude() < 1e-29, "n = {n}, k = {k}");
            let angle = std::f64::consts::TAU * k as f64 / n as f64;
            assert!(
                (root.re.to_f64() - angle.cos()).abs() < 4e-15
                    && (root.im.to_f64() - angle.sin()).abs() < 4e-15
            );
        }
    }
}

#[test]
fn zero_roots_and_complex_pairs_are_found() {
    // x^2 (x^2 + 1)
    let polynomial = Polynomial::new([0.0, 0.0, 1.0, 0.0, 1.0].map(number).to_vec());
    let roots = polynomial.roots();
    assert_eq!(roots.iter().filter(|root| root.magnitude() == 0.0).count(), 2);
    let pair: Vec<&Complex> = roots.iter().filter(|root| root.magnitude() > 0.0).collect();
    assert_eq!(pair.len(), 2);
    for root in pair {
        assert!(root.re.magnitude() < 1e-30 && (root.im.abs() - DoubleDouble::ONE).magnitude() < 1e-30);
    }
}

#[test]
fn ranks_are_counted() {
    let rank_two = Matrix::from_fn(4, 4, |i, j| number((i * j) as f64 + 1.0 + j as f64));
    assert_eq!(rank(&rank_two, 1e-25), 2);
    assert_eq!(rank(&Matrix::<DoubleDouble>::identity(5), 1e-25), 5);
    assert_eq!(rank(&Matrix::<DoubleDouble>::zeros(3, 3), 1e-25), 0);
}

#[test]
fn singular_matrices_are_not_factored() {
    let singular = Matrix::from_fn(3, 3, |i, j| number((i + j) as f64));
    assert!(determinant(&singular).magnitude() < 1e-30);
    assert!(Factored::new(&Matrix::<f64>::zeros(2, 2)).is_none());
}
