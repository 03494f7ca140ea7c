//! Chains: sparse eliminations, and coordinates with diagonal masses.

use super::*;

/// The coordinates of a chain of point masses in the plane, each held by a rod to the one before.
fn chain(links: usize) -> SaddlePattern {
    let n = 2 * links;
    let ends = |k: usize| 2 * k.saturating_sub(1)..2 * k + 2;
    SaddlePattern {
        n,
        m: links,
        mass: Pattern::diagonal(n),
        damping: Pattern::empty(n, n),
        stiffness: Pattern::from_entries(
            n,
            n,
            (0..links).flat_map(|k| ends(k).flat_map(move |i| ends(k).map(move |j| (i, j)))),
        ),
        jacobian: Pattern::from_entries(links, n, (0..links).flat_map(|k| ends(k).map(move |j| (k, j)))),
    }
}

#[test]
fn auto_takes_long_chains_sparse_and_small_or_full_systems_dense() {
    assert!(!Saddle::new(&chain(10), Choice::Auto).is_sparse());
    assert!(Saddle::new(&chain(100), Choice::Auto).is_sparse());
    assert!(ComplexSaddle::new(&chain(100), Choice::Auto).is_sparse());
    let full = SaddlePattern::pencil(Pattern::diagonal(100), Pattern::dense(100, 100));
    assert!(!Saddle::new(&full, Choice::Auto).is_sparse());
    assert!(!ComplexSaddle::new(&full, Choice::Auto).is_sparse());
}

/// A diagonal mass matrix alone: by the complement of the multipliers, and where a mass vanishes by an elimination of all.
#[test]
fn coordinates_with_diagonal_masses_are_eliminated() {
    let pattern = SaddlePattern { stiffness: Pattern::empty(200, 200), ..chain(100) };
    let scales = Scales { alpha: 1.5, beta: 0.0, gamma: 0.0, delta: 0.5 };
    let real = |x: f64| Complex::new(x, 0.0);
    let complex = ComplexScales { alpha: real(1.5), beta: real(0.0), gamma: real(0.0), delta: real(0.5) };
    let mut saddle = Saddle::new(&pattern, Choice::Auto);
    for (least, compliance) in [(0.5, 0.0), (0.5, 0.3), (0.0, 0.3), (0.5, 0.0)] {
        let mut mass: Vec<f64> = (0..200).map(|k| 1.0 + 0.4 * (k as f64).sin()).collect();
        mass[7] = least;
        let jacobian = pattern.jacobian.entries().map(|(i, j)| 1.0 + 0.7 * ((3 * i + j) as f64).sin());
        let system = System {
            relaxation: Vec::new(),
            mass,
            damping: Vec::new(),
            stiffness: Vec::new(),
            jacobian: jacobian.collect(),
            compliance: vec![compliance; 100],
            pattern: pattern.clone(),
        };
        saddle.assemble_and_factor(&system.blocks(), scales).unwrap();
        let b: Vec<f64> = (0..300).map(|k| (0.3 * k as f64).cos()).collect();
        let zero = vec![0.0; 300];
        for solve in [Saddle::solve, Saddle::solve_once] {
            let mut x = b.clone();
            solve(&saddle, &mut x);
            system.assert_solved(complex, (&x, &zero), (&b, &zero));
        }
    }
}

#[test]
fn long_chains_fill_in_little() {
    for links in [100, 1000] {
        let matrix = chain(links).matrix();
        let mut lu = crate::linear::SparseLu::<f64>::new(matrix.clone());
        for (k, ((i, j), value)) in matrix.entries().zip(lu.values_mut()).enumerate() {
            let corner = i == j && i >= 2 * links;
            *value = if corner { 0.0 } else { (1.0 + k as f64).sin() + if i == j { 5.0 } else { 0.0 } };
        }
        lu.factor().unwrap();
        assert!(lu.fill() < 2 * matrix.nnz(), "{} entries from {}", lu.fill(), matrix.nnz());
    }
}
