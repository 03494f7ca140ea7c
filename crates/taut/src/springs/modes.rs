//! Vibrations of stiff springs while everything else stands still: frequencies, directions, and how they change.
//!
//! They are the motions M u'' = −Gₛᵀ C⁻¹Gₛ u of springs with the rods held, Gᵣ u = 0. With the answers (xₖ, νₖ) of masses and
//! rods to a pull of spring k, M xₖ + Gᵣᵀνₖ = Gₖᵀ and Gᵣ xₖ = 0, the squares ω² of frequencies are the eigenvalues of the
//! matrix Gₗ xₖ/√(cₖ cₗ): what the rods leave of G M⁻¹Gᵀ, scaled by the compliances c. An eigenvector w gives the direction
//! u = Σ wₖ xₖ/(√cₖ ω), for which uᵀM u = 1.

use crate::linear::{Blocks, Choice, Pattern, Saddle, SaddlePattern, Scales, SymmetricEigen};
use crate::system::{Evaluation, Fault, MechanicalSystem, Terms};

/// The vibrations of all springs at a state.
pub(super) struct Modes<'a> {
    system: &'a dyn MechanicalSystem,
    /// each spring and 1/√c of it
    springs: Vec<(usize, f64)>,
    rods: Vec<usize>,
    /// the places of Gᵣ in G
    of_rods: Vec<usize>,
    /// [M Gᵣᵀ; Gᵣ 0]
    saddle: Saddle,
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    jacobian_of_rods: Vec<f64>,
    /// (xₖ, νₖ) of each spring
    answers: Vec<f64>,
    matrix: Vec<f64>,
    /// ω² and w, the fastest first
    eigen: SymmetricEigen,
    /// u of one of them, and the multipliers that belong to it
    direction: Vec<f64>,
    reaction: Vec<f64>,
    at_rest: Vec<f64>,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    kinetic: Vec<f64>,
}

impl<'a> Modes<'a> {
    pub(super) fn new(system: &'a dyn MechanicalSystem, choice: Choice) -> Self {
        let structure = system.structure();
        let n = structure.n();
        let constraints = || structure.constraints.iter().enumerate();
        let springs: Vec<(usize, f64)> = constraints()
            .filter(|(_, constraint)| constraint.compliance() > 0.0)
            .map(|(k, constraint)| (k, 1.0 / constraint.compliance().sqrt()))
            .collect();
        let rods: Vec<usize> = constraints().filter(|(_, c)| c.compliance() == 0.0).map(|(k, _)| k).collect();
        let row_of_rod = |k: usize| rods.iter().position(|rod| *rod == k);
        let entries = structure.jacobian.entries().enumerate();
        // Both are in order of columns, then rows.
        let (of_rods, places): (Vec<usize>, Vec<(usize, usize)>) = entries
            .filter_map(|(place, (k, column))| row_of_rod(k).map(|row| (place, (row, column))))
            .unzip();
        let jacobian = Pattern::from_entries(rods.len(), n, places);
        let pattern = SaddlePattern::accelerations(structure.mass.clone(), jacobian);
        let size = springs.len();
        Modes {
            system,
            saddle: Saddle::new(&pattern, choice),
            mass: vec![0.0; structure.mass.nnz()],
            jacobian: vec![0.0; structure.jacobian.nnz()],
            jacobian_of_rods: vec![0.0; of_rods.len()],
            answers: vec![0.0; size * (n + rods.len())],
            matrix: vec![0.0; size * size],
            eigen: SymmetricEigen::new(size, &vec![0.0; size * size]),
            direction: vec![0.0; n],
            reaction: vec![0.0; structure.m()],
            at_rest: vec![0.0; n],
            stiffness: vec![0.0; structure.stiffness.nnz()],
            damping: vec![0.0; structure.damping.nnz()],
            kinetic: vec![0.0; n],
            springs,
            rods,
            of_rods,
        }
    }

    /// How many there are: one for each spring.
    pub(super) fn len(&self) -> usize {
        self.springs.len()
    }

    /// ω of a vibration.
    pub(super) fn frequency(&self, i: usize) -> f64 {
        self.eigen.values[i].max(0.0).sqrt()
    }

    /// The share w of each spring in each vibration, one after the other.
    pub(super) fn shares(&self) -> &[f64] {
        &self.eigen.vectors
    }

    /// Finds all vibrations at a state.
    pub(super) fn find(&mut self, t: f64, q: &[f64]) -> Evaluation {
        self.system.mass(q, &mut self.mass)?;
        self.system.jacobian(t, q, &self.at_rest, &mut self.jacobian)?;
        for (value, &place) in self.jacobian_of_rods.iter_mut().zip(&self.of_rods) {
            *value = self.jacobian[place];
        }
        let (mass, jacobian) = (self.mass.as_slice(), self.jacobian_of_rods.as_slice());
        let blocks =
            Blocks { mass, damping: &[], stiffness: &[], jacobian, compliance: &[], relaxation: &[] };
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
        self.saddle.assemble_and_factor(&blocks, scales).map_err(|_| {
            let reason = "masses and rods do not determine how springs vibrate".to_owned();
            Fault::OutsideDomain { t, reason }
        })?;
        self.find_answers();
        self.eigen.find(&mut self.matrix);
        Ok(())
    }

    /// The answers to a pull of each spring, and the matrix they give.
    fn find_answers(&mut self) {
        let (entries, n) =
            (|| self.system.structure().jacobian.entries().zip(&self.jacobian), self.direction.len());
        let size = n + self.rods.len();
        for (&(spring, _), answer) in self.springs.iter().zip(self.answers.chunks_exact_mut(size)) {
            answer.fill(0.0);
            entries().filter(|((k, _), _)| *k == spring).for_each(|((_, column), g)| answer[column] = *g);
            self.saddle.solve(answer);
        }
        let columns = self.springs.len();
        for (i, (answer, (_, own))) in self.answers.chunks_exact(size).zip(&self.springs).enumerate() {
            for (j, (spring, other)) in self.springs.iter().enumerate() {
                let row = entries().filter(|((k, _), _)| k == spring);
                let product: f64 = row.map(|((_, column), g)| g * answer[column]).sum();
                self.matrix[i * columns + j] = own * other * product;
            }
        }
    }

    /// Finds u of a vibration and the multipliers C⁻¹Gₛ u of springs and those of rods that hold it.
    fn find_direction(&mut self, i: usize) {
        let (frequency, n, size) = (self.frequency(i), self.direction.len(), self.springs.len());
        self.direction.fill(0.0);
        self.reaction.fill(0.0);
        let shares = self.eigen.vectors[i * size..].iter().zip(&self.springs);
        for ((w, (spring, scale)), answer) in shares.zip(self.answers.chunks_exact(n + self.rods.len())) {
            let pull = w * scale;
            self.reaction[*spring] = frequency * pull;
            for (u, x) in self.direction.iter_mut().zip(answer) {
                *u += pull / frequency * x;
            }
            for (rod, nu) in self.rods.iter().zip(&answer[n..]) {
                self.reaction[*rod] -= frequency * pull * nu;
            }
        }
    }

    /// Adds a multiple of ∂ω/∂q of a vibration.
    ///
    /// ω² = uᵀGₛᵀC⁻¹Gₛ u is stationary for uᵀM u = 1 and Gᵣ u = 0, so that only M and G change: with the multipliers μ of the
    /// direction 2ω ∂ω/∂q = 2 ∂(Gᵀμ)/∂q u − ω² ∂(uᵀM u)/∂q.
    pub(super) fn add_slope(
        &mut self,
        i: usize,
        t: f64,
        q: &[f64],
        factor: f64,
        sum: &mut [f64],
    ) -> Evaluation {
        self.find_direction(i);
        let (frequency, rest) = (self.frequency(i), &self.at_rest);
        let (stiffness, damping) = (&mut self.stiffness, &mut self.damping);
        self.system.newton_blocks(Terms::NONE, t, q, rest, rest, &self.reaction, stiffness, damping)?;
        let pattern = &self.system.structure().stiffness;
        pattern.multiply_add(stiffness, &self.direction, sum, -factor / frequency);
        self.system.force(Terms::KINETIC, t, q, &self.direction, &mut self.kinetic)?;
        sum.iter_mut().zip(&self.kinetic).for_each(|(sum, slope)| *sum -= factor * frequency * slope);
        Ok(())
    }

    /// The energy of a vibration, when positions and velocities are off by these from those of smooth motion.
    pub(super) fn energy(&mut self, i: usize, dq: &[f64], dv: &[f64]) -> f64 {
        self.find_direction(i);
        self.kinetic.fill(0.0);
        self.system.structure().mass.multiply_add(&self.mass, &self.direction, &mut self.kinetic, 1.0);
        let along = |x: &[f64]| self.kinetic.iter().zip(x).map(|(u, x)| u * x).sum::<f64>();
        0.5 * (along(dv).powi(2) + (self.frequency(i) * along(dq)).powi(2))
    }

    /// The rate at which forces that depend on velocities change the energy of a vibration.
    pub(super) fn friction(&mut self, i: usize, t: f64, q: &[f64], v: &[f64]) -> Result<f64, Fault> {
        self.find_direction(i);
        let (terms, rest, reaction) = (Terms::APPLIED, &self.at_rest, &mut self.reaction);
        reaction.fill(0.0);
        self.system.newton_blocks(terms, t, q, v, rest, reaction, &mut self.stiffness, &mut self.damping)?;
        self.kinetic.fill(0.0);
        self.system.structure().damping.multiply_add(&self.damping, &self.direction, &mut self.kinetic, 1.0);
        Ok(self.kinetic.iter().zip(&self.direction).map(|(f, u)| f * u).sum())
    }
}
