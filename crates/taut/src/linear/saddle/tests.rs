mod chains;

use super::{Blocks, Choice, ComplexSaddle, ComplexScales, Saddle, SaddleFamily, SaddlePattern, Scales};
use crate::linear::testing::deterministic;
use crate::linear::{Complex, Pattern, Singular, Transformation};
use proptest::prelude::*;
use taut_tableau::Family;

/// Blocks with their numbers, owned.
#[derive(Clone, Debug)]
struct System {
    pattern: SaddlePattern,
    mass: Vec<f64>,
    damping: Vec<f64>,
    stiffness: Vec<f64>,
    jacobian: Vec<f64>,
    compliance: Vec<f64>,
    relaxation: Vec<f64>,
}

impl System {
    fn blocks(&self) -> Blocks<'_> {
        Blocks {
            mass: &self.mass,
            damping: &self.damping,
            stiffness: &self.stiffness,
            jacobian: &self.jacobian,
            compliance: &self.compliance,
            relaxation: &self.relaxation,
        }
    }

    /// Asserts that x solves the system, by products with the blocks: nothing of the assembly is used.
    fn assert_solved(&self, scales: ComplexScales, x: (&[f64], &[f64]), b: (&[f64], &[f64])) {
        let (n, size) = (self.pattern.n, self.pattern.size());
        let (mut re, mut im) = (vec![0.0; size], vec![0.0; size]);
        let SaddlePattern { mass, damping, stiffness, jacobian, .. } = &self.pattern;
        let terms = [
            (mass, &self.mass, scales.alpha),
            (damping, &self.damping, scales.beta),
            (stiffness, &self.stiffness, scales.gamma),
        ];
        for (pattern, values, scale) in terms {
            pattern.multiply_add(values, x.0, &mut re, scale.re);
            pattern.multiply_add(values, x.1, &mut re, -scale.im);
            pattern.multiply_add(values, x.0, &mut im, scale.im);
            pattern.multiply_add(values, x.1, &mut im, scale.re);
        }
        for (x, image) in [(x.0, &mut re), (x.1, &mut im)] {
            jacobian.transpose_multiply_add(&self.jacobian, &x[n..], &mut image[..n], 1.0);
            jacobian.multiply_add(&self.jacobian, x, &mut image[n..], 1.0);
        }
        for (k, &c) in self.compliance.iter().enumerate() {
            let damper = scales.beta * scales.delta * self.relaxation.get(k).copied().unwrap_or(0.0);
            let softer = (Complex::from(1.0) - damper).reciprocal();
            let force = Complex::new(x.0[n + k], x.1[n + k]) * scales.delta * softer * c;
            re[n + k] -= force.re;
            im[n + k] -= force.im;
        }
        let largest = x.0.iter().chain(x.1).fold(1.0_f64, |largest, x| largest.max(x.abs()));
        for i in 0..size {
            let error = (re[i] - b.0[i]).abs().max((im[i] - b.1[i]).abs());
            assert!(error <= 1e-11 * largest, "row {i} of {size}: {error}, largest {largest}");
        }
    }
}

/// A mass with a strong diagonal, other blocks of any pattern, constraints with one strong entry each.
fn system(largest: usize) -> impl Strategy<Value = System> {
    (1..=largest).prop_flat_map(|n| {
        let places = || proptest::collection::vec((0..n, 0..n), 0..2 * n);
        let numbers = proptest::collection::vec(-1.0..1.0_f64, 2 * n * n);
        (0..=n / 2, places(), places(), places(), places(), numbers).prop_map(
            move |(m, mass, damping, stiffness, jacobian, numbers)| {
                let rods = (0..m).map(|k| (k, k)).chain(jacobian.into_iter().filter(|e| e.0 < m));
                let pattern = SaddlePattern {
                    n,
                    m,
                    mass: Pattern::from_entries(n, n, mass.into_iter().chain((0..n).map(|i| (i, i)))),
                    damping: Pattern::from_entries(n, n, damping),
                    stiffness: Pattern::from_entries(n, n, stiffness),
                    jacobian: Pattern::from_entries(m, n, rods),
                };
                let number = |i: usize, j: usize, shift: usize| numbers[(i * n + j + shift) % numbers.len()];
                let values = |pattern: &Pattern, diagonal: f64, shift: usize| -> Vec<f64> {
                    let strong = |i, j| if i == j { diagonal } else { 0.0 };
                    pattern.entries().map(|(i, j)| number(i, j, shift) + strong(i, j)).collect()
                };
                System {
                    mass: values(&pattern.mass, 20.0, 0),
                    damping: values(&pattern.damping, 0.0, 5),
                    stiffness: values(&pattern.stiffness, 0.0, 11),
                    jacobian: values(&pattern.jacobian, 10.0, 3),
                    compliance: (0..m).map(|k| number(k, 0, 7).abs()).collect(),
                    relaxation: (0..m)
                        .filter(|_| numbers[0] > 0.0)
                        .map(|k| 0.7 * number(k, 0, 9).abs())
                        .collect(),
                    pattern,
                }
            },
        )
    })
}

fn vector(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| (seed + 1.9 * i as f64).sin()).collect()
}

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn real_systems_are_solved_by_all_eliminations(
        system in system(24), beta in -1.0..1.0_f64, gamma in -1.0..1.0_f64, delta in 0.0..1.0_f64,
    ) {
        let scales = Scales { alpha: 1.5, beta, gamma, delta };
        let size = system.pattern.size();
        let (b, zero) = (vector(size, 0.4), vec![0.0; size]);
        for choice in [Choice::Dense, Choice::Sparse, Choice::Auto] {
            let mut saddle = Saddle::new(&system.pattern, choice);
            prop_assert_eq!(saddle.size(), size);
            saddle.assemble_and_factor(&system.blocks(), scales).unwrap();
            let mut x = b.clone();
            saddle.solve(&mut x);
            system.assert_solved(scales.into(), (&x, &zero), (&b, &zero));
        }
    }

    #[test]
    fn complex_systems_are_solved_by_both_eliminations(
        system in system(16), turn in 0.0..1.5_f64, gamma in -1.0..1.0_f64,
    ) {
        let scales = ComplexScales {
            alpha: Complex::new(turn.cos(), turn.sin()),
            beta: Complex::new(0.3, -gamma),
            gamma: Complex::new(gamma, 0.2),
            delta: Complex::new(0.1, 0.3 * turn),
        };
        let size = system.pattern.size();
        let b = (vector(size, 0.4), vector(size, 1.4));
        for choice in [Choice::Dense, Choice::Sparse] {
            let mut saddle = ComplexSaddle::new(&system.pattern, choice);
            saddle.assemble_and_factor(&system.blocks(), scales).unwrap();
            let (mut re, mut im) = b.clone();
            saddle.solve_once(&mut re, &mut im);
            system.assert_solved(scales, (&re, &im), (&b.0, &b.1));
        }
    }
}

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn a_family_is_solved_like_its_members(system in system(16), h in 0.01..0.5_f64) {
        let size = system.pattern.size();
        let real = [0.3, 0.2].map(|mu: f64| Scales { alpha: 1.0, beta: -h * mu, gamma: -h * mu * h * mu, delta: 0.5 });
        let complex = [0.1, 0.2, 0.3].map(|mu| {
            let z = Complex::new(h * mu, 0.5 * h);
            ComplexScales { alpha: Complex::from(1.0), beta: -z, gamma: -(z * z), delta: Complex::new(0.4, mu) }
        });
        for choice in [Choice::Auto, Choice::Dense] {
            let mut family = SaddleFamily::new(&system.pattern, choice);
            family.assemble_and_factor(&system.blocks(), real.into_iter(), complex.into_iter()).unwrap();
            let b = vector(8 * size, 0.7);
            let mut x = b.clone();
            family.solve_once(2, &mut x);
            let zero = vec![0.0; size];
            let columns: Vec<_> = x.chunks(size).zip(b.chunks(size)).collect();
            for ((x, b), scales) in columns.iter().zip(real) {
                system.assert_solved(scales.into(), (x, &zero), (b, &zero));
            }
            for (pair, scales) in columns[2..].chunks(2).zip(complex) {
                system.assert_solved(scales, (pair[0].0, pair[1].0), (pair[0].1, pair[1].1));
            }
        }
    }
}

proptest! {
    #![proptest_config(deterministic())]

    #[test]
    fn stages_are_solved_alike_together_and_one_by_one(
        system in system(16), h in 0.01..0.5_f64, stages in 2..8_usize,
    ) {
        let spectrum = Family::RadauIia.shared_tableau(stages).unwrap().spectrum().unwrap();
        let transformation = Transformation::new(&spectrum);
        let size = system.pattern.size();
        let updates = [Choice::Auto, Choice::Dense].map(|choice| {
            let mut family = SaddleFamily::new(&system.pattern, choice);
            let scales = |z: Complex| {
                ComplexScales { alpha: Complex::from(1.0), beta: -z, gamma: -(z * z), delta: Complex::from(0.5) }
            };
            let real = spectrum.real.iter().map(|mu| Scales {
                alpha: 1.0, beta: -h * mu, gamma: -h * mu * h * mu, delta: 0.5
            });
            let complex = spectrum.complex.iter().map(|(re, im)| scales(Complex::new(h * re, -h * im)));
            let matrices = real.len() + complex.len();
            family.assemble_and_factor(&system.blocks(), real, complex).unwrap();
            family.set_row_factors((0..matrices * system.pattern.m).map(|k| Complex::from(1.0 + 0.1 * k as f64)));
            let mut update = vector(stages * size, 0.7);
            family.solve_stages(&spectrum, transformation.as_ref(), &mut update);
            update
        });
        let largest = updates[1].iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        for (together, one_by_one) in updates[0].iter().zip(&updates[1]) {
            prop_assert!((together - one_by_one).abs() <= 1e-9 * largest, "{together} {one_by_one}");
        }
    }
}

#[test]
fn a_stiff_spring_and_a_rod_are_one_system() {
    // x1 on a spring of compliance eps^2, for every eps down to the rod: (1 + 1/eps^2) x = b in the limit x = 0.
    let pattern = SaddlePattern {
        n: 1,
        m: 1,
        mass: Pattern::dense(1, 1),
        damping: Pattern::empty(1, 1),
        stiffness: Pattern::empty(1, 1),
        jacobian: Pattern::dense(1, 1),
    };
    for choice in [Choice::Dense, Choice::Sparse, Choice::Auto] {
        let mut saddle = Saddle::new(&pattern, choice);
        for eps in [1.0, 1e-3, 1e-8, 1e-150, 0.0] {
            let blocks = Blocks {
                mass: &[1.0],
                damping: &[],
                stiffness: &[],
                jacobian: &[1.0],
                compliance: &[eps * eps],
                relaxation: &[],
            };
            let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 1.0 };
            saddle.assemble_and_factor(&blocks, scales).unwrap();
            let mut x = [2.0, 0.0];
            saddle.solve(&mut x);
            let multiplier = 2.0 / (1.0 + eps * eps);
            assert!((x[1] - multiplier).abs() <= 4e-16 * multiplier, "eps = {eps}: {x:?}");
            // Rounding of the force, 2, whatever eps is: the condition of the matrix does not depend on it.
            assert!((x[0] - eps * eps * multiplier).abs() <= 4e-16 * 2.0, "eps = {eps}: {x:?}");
        }
    }
}

/// The place of a coordinate without mass may hold a rounding error, by which nothing can be divided.
#[test]
fn a_coordinate_without_mass_is_no_pivot() {
    let system = System {
        pattern: SaddlePattern {
            n: 3,
            m: 2,
            mass: Pattern::diagonal(3),
            damping: Pattern::empty(3, 3),
            stiffness: Pattern::diagonal(3),
            jacobian: Pattern::dense(2, 3),
        },
        mass: vec![2.0, 3.0, 0.0],
        damping: Vec::new(),
        stiffness: vec![0.1, 0.2, 1e-26],
        // the third follows the first; the second row does not know it, but for rounding
        jacobian: vec![-1.0, 0.5, 0.0, 1.0, 1.0, 1e-17],
        compliance: Vec::new(),
        relaxation: Vec::new(),
    };
    let (b, zero) = (vector(5, 0.4), vec![0.0; 5]);
    let scales = Scales { alpha: 1.0, beta: 0.0, gamma: -1.0, delta: 0.0 };
    let mut saddle = Saddle::new(&system.pattern, Choice::Auto);
    saddle.assemble_and_factor(&system.blocks(), scales).unwrap();
    let mut x = b.clone();
    saddle.solve(&mut x);
    system.assert_solved(scales.into(), (&x, &zero), (&b, &zero));
    let complex = ComplexScales { alpha: Complex::new(1.0, 0.5), ..scales.into() };
    let mut family = SaddleFamily::new(&system.pattern, Choice::Auto);
    family.assemble_and_factor(&system.blocks(), [scales].into_iter(), [complex].into_iter()).unwrap();
    let mut x = [b.as_slice(), &b, &zero].concat();
    family.solve_once(1, &mut x);
    system.assert_solved(scales.into(), (&x[..5], &zero), (&b, &zero));
    system.assert_solved(complex, (&x[5..10], &x[10..]), (&b, &zero));
}

#[test]
fn a_pencil_is_a_system_without_constraints() {
    // alpha E + gamma J with a singular E, as in E x' = J x.
    let pattern = SaddlePattern::pencil(Pattern::from_entries(2, 2, [(0, 0)]), Pattern::dense(2, 2));
    let blocks = Blocks {
        mass: &[1.0],
        damping: &[],
        stiffness: &[0.0, 1.0, 2.0, 4.0],
        jacobian: &[],
        compliance: &[],
        relaxation: &[],
    };
    for choice in [Choice::Auto, Choice::Sparse] {
        let mut saddle = Saddle::new(&pattern, choice);
        let scales = Scales { alpha: 3.0, beta: 0.0, gamma: -1.0, delta: 0.0 };
        saddle.assemble_and_factor(&blocks, scales).unwrap();
        // [3 -2; -1 -4] x = (-1, -9).
        let mut x = [-1.0, -9.0];
        saddle.solve(&mut x);
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15, "{x:?}");
    }
}

#[test]
fn a_redundant_constraint_is_named() {
    let pattern = SaddlePattern {
        n: 2,
        m: 2,
        mass: Pattern::diagonal(2),
        damping: Pattern::empty(2, 2),
        stiffness: Pattern::empty(2, 2),
        jacobian: Pattern::from_entries(2, 2, [(0, 1), (1, 1)]),
    };
    let blocks = Blocks {
        mass: &[1.0, 1.0],
        damping: &[],
        stiffness: &[],
        jacobian: &[1.0, 1.0],
        compliance: &[],
        relaxation: &[],
    };
    let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
    let dense = Saddle::new(&pattern, Choice::Dense).assemble_and_factor(&blocks, scales);
    assert_eq!(dense, Err(Singular { pivot: 3 }));
    let sparse = Saddle::new(&pattern, Choice::Sparse).assemble_and_factor(&blocks, scales);
    assert!(sparse.is_err_and(|singular| singular.pivot >= 1));
}

#[test]
fn an_empty_system_is_solved() {
    let pattern = SaddlePattern::pencil(Pattern::empty(0, 0), Pattern::empty(0, 0));
    let blocks =
        Blocks { mass: &[], damping: &[], stiffness: &[], jacobian: &[], compliance: &[], relaxation: &[] };
    for choice in [Choice::Auto, Choice::Dense, Choice::Sparse] {
        let mut saddle = Saddle::new(&pattern, choice);
        let scales = Scales { alpha: 1.0, beta: 1.0, gamma: 1.0, delta: 1.0 };
        assert_eq!(saddle.assemble_and_factor(&blocks, scales), Ok(()));
        saddle.solve(&mut []);
    }
}

#[test]
fn the_norms_of_a_matrix_and_of_its_inverse_are_sums_over_columns() {
    // [2 0 0; 0 4 1; 0 1 -3], whose lower corner has the determinant -13
    let pattern = SaddlePattern {
        n: 2,
        m: 1,
        mass: Pattern::diagonal(2),
        damping: Pattern::empty(2, 2),
        stiffness: Pattern::empty(2, 2),
        jacobian: Pattern::dense(1, 2),
    };
    let blocks = Blocks {
        mass: &[2.0, 4.0],
        damping: &[],
        stiffness: &[],
        jacobian: &[0.0, 1.0],
        compliance: &[3.0],
        relaxation: &[],
    };
    let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 1.0 };
    assert_eq!(pattern.norm(&blocks, scales.into()), 5.0);
    // All of it times i, but for the rod: [2i 0 0; 0 4i 1; 0 1 -3i] with the determinant 11 of the lower corner.
    let i = Complex::new(0.0, 1.0);
    let scales = ComplexScales { alpha: i, beta: i, gamma: i, delta: i };
    assert_eq!(pattern.norm(&blocks, scales), 5.0);
}
