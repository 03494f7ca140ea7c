//! First-order systems in Hessenberg form, written block by block.

use super::first_order::FirstOrder;
use super::number::Scalar;
use crate::seen::Arrangement;

/// x' = f(t, x, y), 0 = g(t, x, y): semi-explicit, of index 1 when g_y is regular and of index 2 when g is free of y
/// and g_x f_y is regular (Nipp 1999, sections 2 and 3).
pub trait SemiExplicit {
    /// The names of the variables x and of the variables y.
    fn variables(&self) -> (Vec<String>, Vec<String>);
    /// f(t, x, y)
    fn f<S: Scalar>(&self, t: S, x: &[S], y: &[S], f: &mut [S]);
    /// g(t, x, y)
    fn g<S: Scalar>(&self, t: S, x: &[S], y: &[S], g: &mut [S]);
}

/// A [`SemiExplicit`] system as a first-order one, in the order x, y.
#[derive(Clone, Debug)]
pub struct SemiExplicitSystem<H> {
    blocks: H,
    differential: usize,
}

impl<H: SemiExplicit> SemiExplicitSystem<H> {
    /// Puts the blocks together.
    pub fn new(blocks: H) -> Self {
        let differential = blocks.variables().0.len();
        SemiExplicitSystem { blocks, differential }
    }
}

impl<H: SemiExplicit> FirstOrder for SemiExplicitSystem<H> {
    fn variables(&self) -> Vec<String> {
        let (x, y) = self.blocks.variables();
        [x, y].concat()
    }

    fn rate<S: Scalar>(&self, t: S, x: &[S], rate: &mut [S]) {
        let (x, y) = x.split_at(self.differential);
        let (f, g) = rate.split_at_mut(x.len());
        self.blocks.f(t, x, y, f);
        self.blocks.g(t, x, y, g);
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        (0..self.differential).map(|i| (i, i, 1.0)).collect()
    }

    fn arrangement(&self) -> Arrangement {
        Arrangement::SemiExplicit { differential: self.differential }
    }
}

/// u' = f(u, v), v' = k(u, v, λ), 0 = g(u) with g_u f_v k_λ regular: index 3 (Schropp 2003, eq. 2.1).
pub trait Hessenberg3 {
    /// The names of the variables u, v and λ.
    fn variables(&self) -> [Vec<String>; 3];
    /// f(u, v)
    fn f<S: Scalar>(&self, u: &[S], v: &[S], f: &mut [S]);
    /// k(u, v, λ)
    fn k<S: Scalar>(&self, u: &[S], v: &[S], lambda: &[S], k: &mut [S]);
    /// g(u)
    fn g<S: Scalar>(&self, u: &[S], g: &mut [S]);
}

/// A [`Hessenberg3`] system as a first-order one, in the order u, v, λ.
#[derive(Clone, Debug)]
pub struct Hessenberg3System<H> {
    blocks: H,
    sizes: (usize, usize),
}

impl<H: Hessenberg3> Hessenberg3System<H> {
    /// Puts the blocks together.
    pub fn new(blocks: H) -> Self {
        let [u, v, _] = blocks.variables();
        Hessenberg3System { blocks, sizes: (u.len(), v.len()) }
    }
}

impl<H: Hessenberg3> FirstOrder for Hessenberg3System<H> {
    fn variables(&self) -> Vec<String> {
        self.blocks.variables().concat()
    }

    fn rate<S: Scalar>(&self, _t: S, x: &[S], rate: &mut [S]) {
        let (n_u, n_v) = self.sizes;
        let (u, rest) = x.split_at(n_u);
        let (v, lambda) = rest.split_at(n_v);
        let (f, rest) = rate.split_at_mut(n_u);
        let (k, g) = rest.split_at_mut(n_v);
        self.blocks.f(u, v, f);
        self.blocks.k(u, v, lambda, k);
        self.blocks.g(u, g);
    }

    fn mass(&self) -> Vec<(usize, usize, f64)> {
        let (n_u, n_v) = self.sizes;
        (0..n_u + n_v).map(|i| (i, i, 1.0)).collect()
    }

    fn arrangement(&self) -> Arrangement {
        let (u, v) = self.sizes;
        Arrangement::Hessenberg3 { u, v }
    }

    fn index(&self) -> Option<Vec<u8>> {
        let [u, v, lambda] = self.blocks.variables();
        Some([vec![1; u.len()], vec![2; v.len()], vec![3; lambda.len()]].concat())
    }
}
