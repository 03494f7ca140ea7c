use super::{ComplexDenseLu, DenseLu, exchanges_of};
use crate::linear::testing::deterministic;
use crate::linear::{Complex, Singular};
use proptest::prelude::*;

/// Rows or columns multiplied by powers of ten between 1e-6 and 1e6.
fn scales(n: usize) -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec((-6..7_i32).prop_map(|e| 10.0_f64.powi(e)), n)
}

/// A column-major matrix with entries in (-1, 1), its rows and columns badly scaled.
fn matrix(largest: usize) -> impl Strategy<Value = (usize, Vec<f64>)> {
    (1..=largest).prop_flat_map(|n| {
        (proptest::collection::vec(-1.0..1.0_f64, n * n), scales(n), scales(n)).prop_map(
            move |(mut a, rows, cols)| {
                for (p, entry) in a.iter_mut().enumerate() {
                    *entry *= rows[p % n] * cols[p / n];
                }
                (n, a)
            },
        )
    })
}

/// Asserts |b - A x| <= tolerance (|A| |x| + |b|) row by row: a small backward error, whatever the condition.
fn assert_small_residual(n: usize, a: &[Complex], x: &[Complex], b: &[Complex]) {
    for i in 0..n {
        let (mut residual, mut size) = (b[i], modulus(b[i]));
        for j in 0..n {
            residual -= a[i + j * n] * x[j];
            size += modulus(a[i + j * n]) * modulus(x[j]);
        }
        // Elimination with row exchanges is backward stable with respect to the largest row of each column; the
        // entries of the smaller rows may be lost against it, which `growth` accounts for.
        let growth: f64 =
            (0..n).map(|j| (0..n).map(|k| modulus(a[k + j * n])).fold(0.0, f64::max) * modulus(x[j])).sum();
        assert!(modulus(residual) <= 1e-13 * n as f64 * (size + growth), "row {i} of {n}: {residual:?}");
    }
}

fn modulus(z: Complex) -> f64 {
    z.re.hypot(z.im)
}

fn joined(re: &[f64], im: &[f64]) -> Vec<Complex> {
    re.iter().zip(im).map(|(&re, &im)| Complex::new(re, im)).collect()
}

/// Copies a column-major matrix to the given part of one whose columns begin `stride` apart.
fn fill(matrix: &mut [f64], (stride, part): (usize, usize), n: usize, a: &[f64]) {
    for (column, a) in matrix.chunks_exact_mut(stride).zip(a.chunks_exact(n)) {
        column[part..][..n].copy_from_slice(a);
    }
}

fn check_real(n: usize, a: &[f64]) {
    let mut lu = DenseLu::new(n);
    let stride = lu.stride();
    fill(lu.matrix_mut(), (stride, 0), n, a);
    lu.factor().unwrap();
    let b: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).cos()).collect();
    let mut x = b.clone();
    lu.solve(&mut x);
    let complex = |values: &[f64]| values.iter().map(|&v| Complex::from(v)).collect::<Vec<_>>();
    assert_small_residual(n, &complex(a), &complex(&x), &complex(&b));
}

fn check_complex(n: usize, re: &[f64], im: &[f64]) {
    let mut lu = ComplexDenseLu::new(n);
    let stride = lu.stride();
    fill(lu.matrix_mut(), (2 * stride, 0), n, re);
    fill(lu.matrix_mut(), (2 * stride, stride), n, im);
    lu.factor().unwrap();
    let b_re: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).cos()).collect();
    let b_im: Vec<f64> = (0..n).map(|i| (0.5 + i as f64).sin()).collect();
    let (mut x_re, mut x_im) = (b_re.clone(), b_im.clone());
    lu.solve(&mut x_re, &mut x_im);
    assert_small_residual(n, &joined(re, im), &joined(&x_re, &x_im), &joined(&b_re, &b_im));
}

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn real_solutions_have_small_residuals((n, a) in matrix(40)) {
        check_real(n, &a);
    }

    #[test]
    fn complex_solutions_have_small_residuals((n, re) in matrix(30), turn in 0.1..1.5_f64) {
        let im: Vec<f64> = re.iter().enumerate().map(|(p, a)| a * (turn * p as f64).sin()).collect();
        check_complex(n, &re, &im);
    }

    #[test]
    fn a_real_matrix_treats_both_parts_of_a_complex_vector_alike((n, a) in matrix(20)) {
        let mut lu = ComplexDenseLu::new(n);
        let stride = lu.stride();
        fill(lu.matrix_mut(), (2 * stride, 0), n, &a);
        lu.factor().unwrap();
        let b: Vec<f64> = (0..n).map(|i| 1.0 / (1.0 + i as f64)).collect();
        let (mut re, mut im) = (b.clone(), b);
        lu.solve(&mut re, &mut im);
        prop_assert_eq!(re, im);
    }

    #[test]
    fn exchanges_do_what_the_permutation_does(permutation in Just((0..20).collect::<Vec<usize>>()).prop_shuffle()) {
        let mut swaps = vec![0; permutation.len()];
        exchanges_of(&permutation, &mut swaps);
        let mut rows: Vec<usize> = (0..permutation.len()).collect();
        for (i, &row) in swaps.iter().enumerate() {
            rows.swap(i, row);
        }
        prop_assert_eq!(rows, permutation);
    }
}

/// Entries without pattern, the same in every run.
fn scattered(count: usize) -> Vec<f64> {
    (0..count).map(|p| (12.9898 * (p as f64 + 1.0)).sin() * 43758.5453 % 1.0).collect()
}

#[test]
fn every_size_around_the_panels_and_the_limit_solves() {
    for n in (1..=20).chain([31, 32, 33, 63, 64, 65, 66, 100, 130]) {
        let re = scattered(n * n);
        let im: Vec<f64> = re.iter().rev().copied().collect();
        check_real(n, &re);
        check_complex(n, &re, &im);
    }
}

#[test]
fn a_column_that_repeats_another_is_named() {
    for n in [4, 7, 13, 40, 80] {
        let mut lu = DenseLu::new(n);
        let mut complex = ComplexDenseLu::new(n);
        let stride = lu.stride();
        // Integer multiples of a triangle: the elimination is exact, so that the pivot is exactly zero.
        for j in 0..n {
            for i in 0..=j {
                let source = if j == n - 2 { 1 } else { j };
                let value = if i <= source { 1.0 } else { 0.0 };
                lu.matrix_mut()[i + j * stride] = value;
                complex.matrix_mut()[i + (2 * j + 1) * stride] = value;
            }
        }
        assert_eq!(lu.factor(), Err(Singular { pivot: n - 2 }));
        assert_eq!(complex.factor(), Err(Singular { pivot: n - 2 }));
    }
}

#[test]
fn useless_pivots_are_singular() {
    for pivot in [0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-310] {
        for n in [2, 70] {
            let mut lu = DenseLu::new(n);
            let mut complex = ComplexDenseLu::new(n);
            let stride = lu.stride();
            for k in 0..n {
                let value = if k == 1 { pivot } else { 1.0 };
                lu.matrix_mut()[k + k * stride] = value;
                complex.matrix_mut()[k + 2 * k * stride] = value;
            }
            assert!(lu.factor().is_err(), "pivot {pivot}, n = {n}");
            assert!(complex.factor().is_err(), "pivot {pivot}, n = {n}");
        }
    }
}

#[test]
fn huge_and_tiny_complex_pivots_are_used() {
    for size in [1e200, 1e-200] {
        let mut lu = ComplexDenseLu::new(1);
        let stride = lu.stride();
        lu.matrix_mut()[0] = 3.0 * size;
        lu.matrix_mut()[stride] = 4.0 * size;
        lu.factor().unwrap();
        let (mut re, mut im) = ([25.0 * size], [0.0]);
        lu.solve(&mut re, &mut im);
        assert!((re[0] - 3.0).abs() < 1e-14 && (im[0] + 4.0).abs() < 1e-14);
    }
}

#[test]
fn a_system_without_unknowns_is_solved() {
    let mut lu = DenseLu::new(0);
    assert_eq!(lu.factor(), Ok(()));
    lu.solve(&mut []);
    let mut complex = ComplexDenseLu::new(0);
    assert_eq!(complex.factor(), Ok(()));
    complex.solve(&mut [], &mut []);
}
