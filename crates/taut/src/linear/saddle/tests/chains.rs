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

/// Rods in space with ball joints: three coordinates with one mass and four that share theirs, seven multipliers at a rod.
fn rods_in_space(rods: usize) -> SaddlePattern {
    let n = 7 * rods;
    let block = |k: usize| (0..4).flat_map(move |i| (0..4).map(move |j| (7 * k + 3 + i, 7 * k + 3 + j)));
    let straight = |k: usize| (0..3).map(move |i| (7 * k + i, 7 * k + i));
    let unit = move |k: usize| (0..4).map(move |i| (k, 7 * k + 3 + i));
    let held = move |k: usize, rod: usize| {
        let columns = move |axis: usize| [axis, 3, 4, 5, 6].map(move |i| (rods + 3 * k + axis, 7 * rod + i));
        (0..3).flat_map(columns)
    };
    let joint = move |k: usize| held(k, k).chain(k.checked_sub(1).into_iter().flat_map(move |b| held(k, b)));
    SaddlePattern {
        n,
        m: 4 * rods,
        mass: Pattern::from_entries(n, n, (0..rods).flat_map(|k| straight(k).chain(block(k)))),
        damping: Pattern::empty(n, n),
        stiffness: Pattern::empty(n, n),
        jacobian: Pattern::from_entries(4 * rods, n, (0..rods).flat_map(|k| unit(k).chain(joint(k)))),
    }
}

/// Blocks of masses that bodies have: by the complement of the multipliers, without a whole elimination beside it; where a block
/// is not definite, by that.
#[test]
fn coordinates_that_share_mass_are_eliminated() {
    let (rods, size) = (10, 110);
    let pattern = rods_in_space(rods);
    let scales = Scales { alpha: 1.5, beta: 0.0, gamma: 0.0, delta: 0.5 };
    for (shared, compliance) in [(0.2, 0.0), (0.2, 0.3), (1.5, 0.3)] {
        let mut saddle = Saddle::symmetric(&pattern, Choice::Auto);
        assert!(saddle.is_sparse());
        let mass = pattern.mass.entries().map(|(i, j)| match i == j {
            true => 1.0 + 0.4 * (i as f64).sin(),
            false => shared * ((i + j) as f64).cos(),
        });
        let jacobian = pattern.jacobian.entries().map(|(i, j)| 1.0 + 0.7 * ((3 * i + 5 * j) as f64).sin());
        let system = System {
            relaxation: Vec::new(),
            mass: mass.collect(),
            damping: Vec::new(),
            stiffness: Vec::new(),
            jacobian: jacobian.collect(),
            compliance: vec![compliance; 4 * rods],
            pattern: pattern.clone(),
        };
        saddle.assemble_and_factor(&system.blocks(), scales).unwrap();
        assert_eq!(saddle.fill() == 0, shared < 1.0, "masses of {shared}");
        let (b, zero) = (vector(size, 0.3), vec![0.0; size]);
        for solve in [Saddle::solve, Saddle::solve_once] {
            let mut x = b.clone();
            solve(&saddle, &mut x);
            system.assert_solved(scales.into(), (&x, &zero), (&b, &zero));
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

/// Light rods in the plane, each with two hinges: by minimum degree their multipliers come first, and exchanges of rows fill the
/// factors up with the square of their number.
#[test]
fn chains_of_light_rods_fill_in_little() {
    let ends = |k: usize, axis: usize| {
        [k.checked_sub(1), Some(k)].into_iter().flatten().flat_map(move |rod| [3 * rod + axis, 3 * rod + 2])
    };
    for rods in [50, 200] {
        let n = 3 * rods;
        let rows = (0..rods)
            .flat_map(|k| (0..2).flat_map(move |axis| ends(k, axis).map(move |j| (2 * k + axis, j))));
        let stiffness = (0..rods).map(|k| (3 * k + 2, 3 * k + 2));
        let pattern = SaddlePattern {
            n,
            m: 2 * rods,
            mass: Pattern::diagonal(n),
            damping: Pattern::empty(n, n),
            stiffness: Pattern::from_entries(n, n, stiffness),
            jacobian: Pattern::from_entries(2 * rods, n, rows),
        };
        let system = System {
            mass: (0..n).map(|k| if k % 3 == 2 { 1e-6 } else { 1e-2 }).collect(),
            damping: Vec::new(),
            stiffness: (0..rods).map(|k| 1e-7 * (k as f64).sin()).collect(),
            jacobian: pattern
                .jacobian
                .entries()
                .map(|(i, j)| match j % 3 {
                    2 => 0.02 * ((3 * i + j) as f64).sin(),
                    _ if j / 3 == i / 2 => 1.0,
                    _ => -1.0,
                })
                .collect(),
            compliance: Vec::new(),
            relaxation: Vec::new(),
            pattern,
        };
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 1.0, delta: 0.0 };
        let mut saddle = Saddle::new(&system.pattern, Choice::Sparse);
        saddle.assemble_and_factor(&system.blocks(), scales).unwrap();
        let entries = system.pattern.matrix().nnz();
        assert!(saddle.fill() < 3 * entries, "{} entries from {entries}", saddle.fill());
        let (b, zero) = (vector(5 * rods, 0.4), vec![0.0; 5 * rods]);
        let mut x = b.clone();
        saddle.solve(&mut x);
        system.assert_solved(scales.into(), (&x, &zero), (&b, &zero));
    }
}
