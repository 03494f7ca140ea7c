use super::Paired;
use crate::linear::testing::{assert_close, deterministic, solve_dense, vector};
use crate::linear::{Blocks, Pattern, SaddlePattern, Scales};
use proptest::prelude::*;

/// Bodies of the plane, pinned one to the next, the first to the ground; between the last and the one before there is an angle, too.
fn chain(bodies: usize) -> SaddlePattern {
    let (n, m) = (3 * bodies, 2 * bodies + 1);
    let pin = |pin: usize| {
        let of = move |body: usize| {
            let (row, at) = (2 * pin, 3 * body);
            [(row, at), (row + 1, at + 1), (row, at + 2), (row + 1, at + 2)]
        };
        of(pin).into_iter().chain(if pin > 0 { of(pin - 1).to_vec() } else { Vec::new() })
    };
    let angle = [(m - 1, n - 1), (m - 1, n - 4)];
    let jacobian = Pattern::from_entries(m, n, (0..bodies).flat_map(pin).chain(angle));
    SaddlePattern::accelerations(Pattern::diagonal(n), jacobian)
}

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn complement_solves_the_whole(
        bodies in 6..15_usize, numbers in prop::collection::vec(-0.9..0.9_f64, 40), alpha in 0.5..2.0_f64, spring in 0.0..1.0_f64,
    ) {
        let pattern = chain(bodies);
        let mut numbers = numbers.iter().cycle();
        let mut next = || *numbers.next().unwrap();
        let mass: Vec<f64> = (0..pattern.n).map(|_| 1.0 + next().abs()).collect();
        // x and y as they are, angles with arms
        let straight = |(row, column): (usize, usize)| column % 3 < 2 && column / 3 == row / 2;
        let entry = |place: (usize, usize)| if straight(place) { 1.0 } else if place.1 % 3 < 2 { -1.0 } else { next() };
        let jacobian: Vec<f64> = pattern.jacobian.entries().map(entry).collect();
        let compliance = vec![spring; pattern.m];
        let blocks = Blocks {
            mass: &mass, damping: &[], stiffness: &[], jacobian: &jacobian, compliance: &compliance, relaxation: &[]
        };
        let scales = Scales { alpha, beta: 0.0, gamma: 0.0, delta: 0.1 };
        let mut paired = Paired::new(&pattern).unwrap();
        prop_assert!(paired.factor(&blocks, scales));
        let mut b = vector(pattern.size());
        let expected = solve_dense(&pattern, &blocks, scales, &b);
        let mut x = b.clone();
        paired.solve(&mut x);
        assert_close(&x, &expected);
        b[..pattern.n].fill(0.0);
        let expected = solve_dense(&pattern, &blocks, scales, &b);
        x.copy_from_slice(&b);
        x[..pattern.n].fill(7.0);
        paired.solve_rows(&mut x);
        assert_close(&x, &expected);
    }
}

#[test]
fn constraints_that_say_the_same_are_refused() {
    let pattern = chain(8);
    let (mut mass, jacobian) = (vec![1.0; pattern.n], vec![0.0; pattern.jacobian.nnz()]);
    let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
    let factor = |mass: &[f64], jacobian: &[f64]| {
        let blocks =
            Blocks { mass, damping: &[], stiffness: &[], jacobian, compliance: &[], relaxation: &[] };
        Paired::new(&pattern).unwrap().factor(&blocks, scales)
    };
    let straight: Vec<f64> =
        pattern.jacobian.entries().map(|(_, column)| f64::from(u8::from(column % 3 < 2))).collect();
    // The row of the angle is empty.
    assert!(!factor(&mass, &straight));
    assert!(!factor(&mass, &jacobian));
    let whole: Vec<f64> = (0..jacobian.len()).map(|k| (1.0 + k as f64).sin()).collect();
    assert!(factor(&mass, &whole));
    mass[4] = -1.0;
    assert!(!factor(&mass, &whole));
    mass[4] = f64::NAN;
    assert!(!factor(&mass, &whole));
}
