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
