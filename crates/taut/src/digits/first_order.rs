//! Ordinary differential equations x' = f(t, x).

use taut_formula::expansion::{Expansion, Level};
use taut_formula::number::DoubleDouble;

use super::series::Row;
use super::{DigitsError, Exact};
use taut_formula::number::Scalar;

/// Ordinary differential equations, expanded.
pub(super) struct Ordinary {
    expansion: Expansion<DoubleDouble>,
    rate: Vec<DoubleDouble>,
}

impl Ordinary {
    pub(super) fn new(expansion: Expansion<DoubleDouble>, n: usize) -> Self {
        Ordinary { expansion, rate: vec![DoubleDouble::default(); n] }
    }
}

impl Exact for Ordinary {
    fn project(&mut self, _t: DoubleDouble, _y: &mut [DoubleDouble]) -> Result<(), DigitsError> {
        Ok(())
    }

    fn place(&mut self, t: DoubleDouble, y: &mut [DoubleDouble]) -> Result<(), DigitsError> {
        self.expansion.set_time(t);
        self.expansion.positions_mut(0).copy_from_slice(y);
        self.expansion.begin(Level::Position);
        for (i, rate) in self.rate.iter_mut().enumerate() {
            *rate = self.expansion.coefficient(i, 0);
        }
        let finite = self.rate.iter().all(|rate| rate.is_finite());
        if finite { Ok(()) } else { Err(DigitsError::NotFinite { t: t.value() }) }
    }

    fn highest_rate(&self) -> &[DoubleDouble] {
        &self.rate
    }

    fn expand(&mut self, rows: &mut [Row]) {
        let order = self.expansion.highest();
        for k in 1..=order {
            for i in 0..self.rate.len() {
                let rate = self.expansion.coefficient(i, k - 1);
                self.expansion.positions_mut(k)[i] = rate / k as f64;
            }
            self.expansion.probe(Level::Position, k);
            self.expansion.pass(Level::Position, k);
        }
        for k in 0..=order {
            let positions = self.expansion.positions(k);
            rows.iter_mut().zip(positions).for_each(|(row, x)| row[k] = *x);
        }
    }

    fn derivatives(&self) -> usize {
        1
    }
}
