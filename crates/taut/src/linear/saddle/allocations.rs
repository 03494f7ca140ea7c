//! After set-up no factorisation and no solve touches the heap.

use allocation_counter::measure;

use super::{Blocks, Choice, ComplexSaddle, ComplexScales, Saddle, SaddlePattern, Scales};
use crate::linear::{Complex, Pattern};

/// A chain of point masses in the plane with its numbers, which change a little with `time`.
struct Chain {
    pattern: SaddlePattern,
    mass: Vec<f64>,
    stiffness: Vec<f64>,
    jacobian: Vec<f64>,
    compliance: Vec<f64>,
}

impl Chain {
    fn new(links: usize) -> Self {
        let n = 2 * links;
        let ends = |k: usize| 2 * k.saturating_sub(1)..2 * k + 2;
        let stiffness = (0..links).flat_map(|k| ends(k).flat_map(move |i| ends(k).map(move |j| (i, j))));
        let jacobian = (0..links).flat_map(|k| ends(k).map(move |j| (k, j)));
        let pattern = SaddlePattern {
            n,
            m: links,
            mass: Pattern::diagonal(n),
            damping: Pattern::empty(n, n),
            stiffness: Pattern::from_entries(n, n, stiffness),
            jacobian: Pattern::from_entries(links, n, jacobian),
        };
        let mut chain = Self {
            mass: vec![1.0; n],
            stiffness: vec![0.0; pattern.stiffness.nnz()],
            jacobian: vec![0.0; pattern.jacobian.nnz()],
            compliance: vec![0.0; links],
            pattern,
        };
        chain.move_to(0.0);
        chain
    }

    fn move_to(&mut self, time: f64) {
        for (k, value) in self.stiffness.iter_mut().enumerate() {
            *value = 0.1 * (k as f64 + time).sin();
        }
        for (k, value) in self.jacobian.iter_mut().enumerate() {
            *value = (0.7 * k as f64 + time).cos();
        }
    }

    fn blocks(&self) -> Blocks<'_> {
        Blocks {
            mass: &self.mass,
            damping: &[],
            stiffness: &self.stiffness,
            jacobian: &self.jacobian,
            compliance: &self.compliance,
            relaxation: &[],
        }
    }
}

/// Allocations of five factorisations with a solve each; with sparse elimination after a first factorisation, which
/// chooses the pivots.
fn allocations(links: usize, choice: Choice) -> (u64, u64) {
    let mut chain = Chain::new(links);
    let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.1, delta: 0.0 };
    let mut saddle = Saddle::new(&chain.pattern, choice);
    let mut factored = saddle.assemble_and_factor(&chain.blocks(), scales).is_ok();
    let mut re = vec![1.0; saddle.size()];
    let real = measure(|| {
        for step in 0..5 {
            chain.move_to(1e-3 * f64::from(step));
            factored &= saddle.assemble_and_factor(&chain.blocks(), scales).is_ok();
            saddle.solve(&mut re);
        }
    });
    let scales = ComplexScales {
        alpha: Complex::new(1.0, 0.5),
        beta: Complex::ZERO,
        gamma: Complex::new(0.1, -0.2),
        delta: Complex::ZERO,
    };
    let mut saddle = ComplexSaddle::new(&chain.pattern, choice);
    factored &= saddle.assemble_and_factor(&chain.blocks(), scales).is_ok();
    let (mut re, mut im) = (vec![1.0; chain.pattern.size()], vec![0.5; chain.pattern.size()]);
    let complex = measure(|| {
        for step in 0..5 {
            chain.move_to(1e-3 * f64::from(step));
            factored &= saddle.assemble_and_factor(&chain.blocks(), scales).is_ok();
            saddle.solve_once(&mut re, &mut im);
        }
    });
    assert!(factored);
    assert!(re.iter().chain(&im).all(|x| x.is_finite()));
    (real.count_total, complex.count_total)
}

#[test]
fn the_counter_counts() {
    assert!(measure(|| drop(std::hint::black_box(vec![0.0_f64; 8]))).count_total > 0);
}

#[test]
fn small_dense_systems_allocate_nothing() {
    for links in [1, 4, 20] {
        assert_eq!(allocations(links, Choice::Dense), (0, 0), "{links} links");
    }
}

#[test]
fn large_dense_systems_allocate_nothing() {
    for links in [25, 60] {
        assert_eq!(allocations(links, Choice::Dense), (0, 0), "{links} links");
    }
}

#[test]
fn sparse_systems_allocate_nothing() {
    for links in [1, 40, 300] {
        assert_eq!(allocations(links, Choice::Sparse), (0, 0), "{links} links");
    }
}
