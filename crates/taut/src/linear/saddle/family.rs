//! The saddle systems of all eigenvalues of a Runge-Kutta matrix.

use super::masses::Masses;
use super::{Blocks, Choice, ComplexSaddle, ComplexScales, Saddle, SaddlePattern, Scales};
use crate::linear::pivots::Pivots;
use crate::linear::recorded::{LANES, Lanes, Recorded, Transformation};
use crate::linear::{Combination, Complex, Singular, Stages};
use taut_tableau::Spectrum;

/// Saddle systems that differ in their scales only: one for each real eigenvalue of a Runge-Kutta matrix and for each pair
/// of complex ones. Where their elimination can be recorded, vector registers hold the same entry of several of them.
#[derive(Clone, Debug)]
pub(crate) struct SaddleFamily {
    pattern: SaddlePattern,
    choice: Choice,
    /// The recorded elimination, as often as there are batches; nothing where it does not pay.
    together: Vec<Recorded>,
    masses: Option<Masses>,
    /// The last factorisation is the recorded one.
    is_together: bool,
    real: Vec<Saddle>,
    complex: Vec<ComplexSaddle>,
    /// For each matrix the factors of the right-hand sides of its constraints; none where they are all 1.
    row_factors: Vec<Complex>,
    row_factors_together: Vec<Lanes>,
    transformed: Vec<f64>,
    combination: Combination,
}

impl SaddleFamily {
    pub(crate) fn new(pattern: &SaddlePattern, choice: Choice) -> Self {
        let recorded = match choice.may_fix_order() {
            true => Recorded::new(pattern),
            false => None,
        };
        Self {
            pattern: pattern.clone(),
            choice,
            together: recorded.into_iter().collect(),
            masses: Masses::of(pattern),
            is_together: false,
            real: Vec::new(),
            complex: Vec::new(),
            row_factors: Vec::new(),
            row_factors_together: Vec::new(),
            transformed: Vec::new(),
            combination: Combination::default(),
        }
    }

    /// Sets the factors of the right-hand sides of constraints: those of the first matrix, then those of the next.
    pub(crate) fn set_row_factors(&mut self, factors: impl Iterator<Item = Complex>) {
        let m = self.pattern.m;
        self.row_factors.clear();
        self.row_factors.extend(factors);
        self.row_factors_together.clear();
        self.row_factors_together.resize(m, Lanes::splat(Complex::ZERO));
        for (lane, factors) in self.row_factors.chunks_exact(m.max(1)).enumerate().take(LANES) {
            self.row_factors_together.iter_mut().zip(factors).for_each(|(lanes, z)| lanes.set(lane, *z));
        }
    }

    /// Puts the matrices together and factors them.
    ///
    /// # Errors
    /// [`Singular`] names the unknown without a pivot.
    pub(crate) fn assemble_and_factor(
        &mut self,
        blocks: &Blocks<'_>,
        real: impl ExactSizeIterator<Item = Scales> + Clone,
        complex: impl ExactSizeIterator<Item = ComplexScales> + Clone,
    ) -> Result<(), Singular> {
        self.is_together = complex.len() > 0 && self.factor_together(blocks, real.clone(), complex.clone());
        if self.is_together {
            return Ok(());
        }
        self.make_ready(real.len(), complex.len());
        for (saddle, scales) in self.real.iter_mut().zip(real) {
            saddle.assemble_and_factor(blocks, scales)?;
        }
        for (saddle, scales) in self.complex.iter_mut().zip(complex) {
            saddle.assemble_and_factor(blocks, scales)?;
        }
        Ok(())
    }

    /// Storage for at least so many real and complex matrices.
    fn make_ready(&mut self, real: usize, complex: usize) {
        while self.real.len() < real {
            self.real.push(Saddle::new(&self.pattern, self.choice));
        }
        while self.complex.len() < complex {
            self.complex.push(ComplexSaddle::new(&self.pattern, self.choice));
        }
    }

    /// Hands pivots over, into a snapshot or out of it.
    pub(crate) fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        let (real, complex) = (pivots.number(self.real.len()), pivots.number(self.complex.len()));
        // Those that were not needed yet when a snapshot was taken are made ready anew.
        self.real.truncate(real);
        self.complex.truncate(complex);
        self.make_ready(real, complex);
        self.real.iter_mut().for_each(|saddle| pivots.exchange(saddle));
        self.complex.iter_mut().for_each(|saddle| pivots.exchange(saddle));
    }

    /// False where the elimination is not recorded or its pivots are bad.
    fn factor_together(
        &mut self,
        blocks: &Blocks<'_>,
        real: impl ExactSizeIterator<Item = Scales>,
        complex: impl ExactSizeIterator<Item = ComplexScales>,
    ) -> bool {
        if !self.masses.as_ref().is_some_and(|masses| masses.are_there(blocks)) {
            return false;
        }
        let count = real.len() + complex.len();
        while self.together.len() * LANES < count {
            let Some(recorded) = self.together.first().cloned() else { return false };
            self.together.push(recorded);
        }
        let mut all = real.map(ComplexScales::from).chain(complex);
        let batches = count.div_ceil(LANES);
        self.together.iter_mut().take(batches).all(|batch| {
            // Lanes that are left over repeat the first one.
            let Some(first) = all.next() else { return true };
            let mut scales = entries(first).map(Lanes::splat);
            for lane in 1..LANES {
                let Some(next) = all.next() else { break };
                scales.iter_mut().zip(entries(next)).for_each(|(scale, z)| scale.set(lane, z));
            }
            batch.factor(blocks, &scales)
        })
    }

    /// Replaces right-hand sides by solutions: those of `reals` real matrices one after the other, then for each complex
    /// one the real and the imaginary parts. For iterations that find out themselves how good a solution is.
    pub(crate) fn solve_once(&self, reals: usize, b: &mut [f64]) {
        let size = self.pattern.size();
        if self.is_together {
            return self.solve_together(reals, b);
        }
        let (real, complex) = b.split_at_mut(reals * size);
        for (x, saddle) in real.chunks_exact_mut(size).zip(&self.real) {
            saddle.solve_once(x);
        }
        for (x, saddle) in complex.chunks_exact_mut(2 * size).zip(&self.complex) {
            let (re, im) = x.split_at_mut(size);
            saddle.solve_once(re, im);
        }
    }

    /// Replaces residuals r of all stages by Newton's updates −(T ⊗ I) A⁻¹ (T⁻¹ ⊗ I) r, with these matrices A.
    pub(crate) fn solve_stages(
        &mut self,
        spectrum: &Spectrum,
        transformation: Option<&Transformation>,
        stages: &mut [f64],
    ) {
        if let (true, Some(transformation), [all]) = (self.is_together, transformation, &self.together[..]) {
            return all.solve_stages(transformation, &self.row_factors_together, stages);
        }
        let (reals, size) = (spectrum.real.len(), self.pattern.size());
        let mut transformed = std::mem::take(&mut self.transformed);
        transformed.resize(stages.len(), 0.0);
        let residuals = Stages { values: stages, stride: size };
        self.combination.combine(&spectrum.t_inverse, -1.0, residuals, &mut transformed, size);
        self.multiply_rows(reals, &mut transformed);
        self.solve_once(reals, &mut transformed);
        let solved = Stages { values: &transformed, stride: size };
        self.combination.combine(&spectrum.t, 1.0, solved, stages, size);
        self.transformed = transformed;
    }

    /// Multiplies right-hand sides of constraints by their factors.
    fn multiply_rows(&self, reals: usize, b: &mut [f64]) {
        let (n, size) = (self.pattern.n, self.pattern.size());
        let (real, complex) = b.split_at_mut(reals * size);
        let mut factors = self.row_factors.chunks_exact(self.pattern.m.max(1));
        for (b, factors) in real.chunks_exact_mut(size).zip(&mut factors) {
            b[n..].iter_mut().zip(factors).for_each(|(b, factor)| *b *= factor.re);
        }
        for (b, factors) in complex.chunks_exact_mut(2 * size).zip(&mut factors) {
            let (re, im) = b.split_at_mut(size);
            for ((re, im), factor) in re[n..].iter_mut().zip(&mut im[n..]).zip(factors) {
                let row = Complex::new(*re, *im) * *factor;
                (*re, *im) = (row.re, row.im);
            }
        }
    }

    /// Replaces a right-hand side by the solution with the matrix of the first real eigenvalue.
    pub(crate) fn solve_first(&self, x: &mut [f64]) {
        match self.together.first().filter(|_| self.is_together) {
            Some(batch) => batch.solve(1, x),
            None => self.real.iter().take(1).for_each(|saddle| saddle.solve(x)),
        }
    }

    fn solve_together(&self, mut reals: usize, mut b: &mut [f64]) {
        for batch in &self.together {
            let here = reals.min(LANES);
            let columns = here + 2 * (LANES - here);
            let (own, others) = b.split_at_mut(b.len().min(columns * self.pattern.size()));
            batch.solve(here, own);
            if others.is_empty() {
                return;
            }
            (reals, b) = (reals - here, others);
        }
    }
}

#[cfg(test)]
impl SaddleFamily {
    /// ‖A⁻¹‖₁ of the matrices that were factored last, the real ones first.
    pub(crate) fn inverse_norms(&self, reals: usize, complexes: usize) -> Vec<f64> {
        let size = self.pattern.size();
        let place = |matrix: usize| (matrix + matrix.saturating_sub(reals)) * size;
        let mut norms = vec![0.0_f64; reals + complexes];
        for k in 0..size {
            let mut columns = vec![0.0; (reals + 2 * complexes) * size];
            (0..norms.len()).for_each(|matrix| columns[place(matrix) + k] = 1.0);
            self.solve_once(reals, &mut columns);
            for (matrix, norm) in norms.iter_mut().enumerate() {
                let re = &columns[place(matrix)..][..size];
                let im = if matrix < reals { &[] } else { &columns[place(matrix) + size..][..size] };
                let im = im.iter().copied().chain(std::iter::repeat(0.0));
                *norm = norm.max(re.iter().zip(im).map(|(re, im)| re.hypot(im)).sum());
            }
        }
        norms
    }
}

/// The factors of M, D, K and C.
fn entries(scales: ComplexScales) -> [Complex; 4] {
    [scales.alpha, scales.beta, scales.gamma, -scales.delta]
}
