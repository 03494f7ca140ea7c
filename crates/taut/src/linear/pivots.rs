//! Pivots that sparse eliminations keep, on their way into a snapshot or out of it.

/// The values for which sparse eliminations have chosen their pivots.
///
/// They keep them from matrix to matrix until they become bad, and other pivots make other rounding errors: a run goes on
/// with the same bits only where they are known. The owners of eliminations hand them over one after the other, in the same
/// order both ways.
#[derive(Debug)]
pub(crate) enum Pivots<'s> {
    /// lists, each after its length
    Saved(Vec<f64>),
    /// what is left of them
    Restored(&'s [f64]),
    /// they belong to other matrices
    Unfit,
}

/// An elimination that may keep its pivots from matrix to matrix.
pub(crate) trait KeepsPivots {
    /// The values for which it has chosen them; nothing where none are kept.
    fn chosen_for(&self) -> Vec<f64>;

    /// Chooses them anew for such values; false when these do not fit.
    fn choose_for(&mut self, values: &[f64]) -> bool;
}

/// More eliminations than any method has.
const MANY: f64 = 100.0;

impl Pivots<'_> {
    /// Takes the pivots of an elimination, or gives them back to it.
    pub(crate) fn exchange(&mut self, elimination: &mut impl KeepsPivots) {
        match self {
            Pivots::Saved(numbers) => {
                let values = elimination.chosen_for();
                numbers.push(values.len() as f64);
                numbers.extend(values);
            }
            Pivots::Restored([length, rest @ ..]) if *length as usize <= rest.len() => {
                let (values, left) = rest.split_at(*length as usize);
                *self = if elimination.choose_for(values) { Pivots::Restored(left) } else { Pivots::Unfit };
            }
            Pivots::Restored(_) | Pivots::Unfit => *self = Pivots::Unfit,
        }
    }

    /// How many eliminations were made ready, which the run decides as it goes.
    pub(crate) fn number(&mut self, own: usize) -> usize {
        match self {
            Pivots::Saved(numbers) => numbers.push(own as f64),
            Pivots::Restored([number, left @ ..]) if *number <= MANY => {
                let number = *number as usize;
                *self = Pivots::Restored(left);
                return number;
            }
            Pivots::Restored(_) | Pivots::Unfit => *self = Pivots::Unfit,
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::saddle::ComplexSaddle;
    use crate::linear::{Blocks, Choice, ComplexScales, Pattern, Saddle, SaddlePattern, Scales};

    /// M of two bodies and one constraint; the first values want other pivots than the second.
    const MATRICES: [([f64; 4], [f64; 2]); 2] =
        [([4.0, 1.0, 1.0, 3.0], [1.0, 2.0]), ([1e-3, 1.0, 1.0, 1e-3], [1.0, 0.5])];

    fn pattern() -> SaddlePattern {
        SaddlePattern {
            n: 2,
            m: 1,
            mass: Pattern::dense(2, 2),
            damping: Pattern::empty(2, 2),
            stiffness: Pattern::empty(2, 2),
            jacobian: Pattern::dense(1, 2),
        }
    }

    fn blocks((mass, jacobian): &([f64; 4], [f64; 2])) -> Blocks<'_> {
        Blocks { mass, damping: &[], stiffness: &[], jacobian, compliance: &[], relaxation: &[] }
    }

    /// Eliminations that have chosen pivots for the first matrix, and have kept them for the second.
    fn used() -> Result<(Saddle, ComplexSaddle), crate::linear::Singular> {
        let mut saddles = fresh();
        for matrix in &MATRICES {
            factor(&mut saddles, matrix)?;
        }
        Ok(saddles)
    }

    fn fresh() -> (Saddle, ComplexSaddle) {
        (Saddle::new(&pattern(), Choice::Sparse), ComplexSaddle::new(&pattern(), Choice::Sparse))
    }

    fn factor(
        (real, complex): &mut (Saddle, ComplexSaddle),
        matrix: &([f64; 4], [f64; 2]),
    ) -> Result<(), crate::linear::Singular> {
        let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
        real.assemble_and_factor(&blocks(matrix), scales)?;
        complex.assemble_and_factor(&blocks(matrix), ComplexScales::from(scales))
    }

    fn hand_over((real, complex): &mut (Saddle, ComplexSaddle), pivots: &mut Pivots<'_>) {
        pivots.exchange(real);
        pivots.exchange(complex);
    }

    fn saved(saddles: &mut (Saddle, ComplexSaddle)) -> Vec<f64> {
        let mut pivots = Pivots::Saved(Vec::new());
        hand_over(saddles, &mut pivots);
        match pivots {
            Pivots::Saved(numbers) => numbers,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn restored_pivots_make_the_same_factors() -> Result<(), crate::linear::Singular> {
        let (mut before, mut after) = (used()?, fresh());
        let numbers = saved(&mut before);
        let mut pivots = Pivots::Restored(&numbers);
        hand_over(&mut after, &mut pivots);
        assert!(matches!(pivots, Pivots::Restored([])), "{pivots:?}");
        assert_eq!(saved(&mut after), numbers);
        factor(&mut after, &MATRICES[1])?;
        let [mut one, mut other] = [[0.1, 0.7, -0.3]; 2];
        before.0.solve_once(&mut one);
        after.0.solve_once(&mut other);
        assert_eq!(one, other);
        Ok(())
    }

    #[test]
    fn lists_of_other_matrices_do_not_fit() -> Result<(), crate::linear::Singular> {
        let numbers = saved(&mut used()?);
        let wrong = [&numbers[1..], &numbers[..numbers.len() - 1], &[1.0, 2.0], &[f64::NAN], &[1e300], &[]];
        for numbers in wrong {
            let mut pivots = Pivots::Restored(numbers);
            hand_over(&mut fresh(), &mut pivots);
            assert!(matches!(pivots, Pivots::Unfit), "{numbers:?}: {pivots:?}");
        }
        Ok(())
    }
}
