//! A first-order system with dense matrices.

use taut::system::{FirstOrder, FirstOrderSystem, Linearised};

use crate::error::LabError;

/// E x' = f(x), autonomous, with E and the Jacobian as full matrices.
pub struct DenseSystem {
    evolution: Box<dyn FirstOrderSystem>,
    mass: Vec<f64>,
    algebraic: Vec<bool>,
}

impl DenseSystem {
    /// The system with derivatives by dual numbers.
    pub fn new(system: impl FirstOrder + 'static) -> Self {
        let evolution = Linearised::new(system);
        let composition = evolution.composition();
        let n = composition.n();
        let mut mass = vec![0.0; n * n];
        for ((i, j), value) in composition.mass.entries().zip(&composition.mass_values) {
            mass[i + j * n] += value;
        }
        let algebraic = composition.algebraic_rows();
        DenseSystem { evolution: Box::new(evolution), mass, algebraic }
    }

    /// The number of variables.
    pub fn n(&self) -> usize {
        self.algebraic.len()
    }

    /// The entry (i, j) of E.
    pub fn mass(&self, i: usize, j: usize) -> f64 {
        self.mass[i + j * self.n()]
    }

    /// For each equation whether it has no derivative.
    pub fn algebraic(&self) -> &[bool] {
        &self.algebraic
    }

    /// E x
    pub fn momentum(&self, x: &[f64]) -> Vec<f64> {
        (0..self.n()).map(|i| (0..self.n()).map(|j| self.mass(i, j) * x[j]).sum()).collect()
    }

    /// f(x)
    pub fn rate(&self, x: &[f64]) -> Result<Vec<f64>, LabError> {
        let mut rate = vec![0.0; x.len()];
        self.evolution.rate(0.0, x, &mut rate)?;
        Ok(rate)
    }

    /// The entries (i, j, value) of the Jacobian of f.
    pub fn jacobian(&self, x: &[f64]) -> Result<Vec<(usize, usize, f64)>, LabError> {
        let pattern = &self.evolution.composition().jacobian;
        let mut values = vec![0.0; pattern.nnz()];
        self.evolution.jacobian(0.0, x, &mut values)?;
        Ok(pattern.entries().zip(values).map(|((i, j), value)| (i, j, value)).collect())
    }
}
