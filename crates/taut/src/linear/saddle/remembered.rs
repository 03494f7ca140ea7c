//! Storage for matrices of one pattern, set up once for many runs.

use std::cell::RefCell;

use super::{Choice, Saddle, SaddlePattern};

/// Larger systems are not remembered: they would hold memory, and their runs are long.
const MOST_UNKNOWNS: usize = 64;

/// Storage that has not been used yet, and what it is for.
struct Remembered {
    pattern: SaddlePattern,
    choice: Choice,
    symmetric: bool,
    storage: Saddle,
}

thread_local! {
    /// What this thread has set up last: the runs of a sweep, and start and steps of one run, ask for the same again. Orders of
    /// elimination and lists of operations are shared; a copy costs its numbers alone.
    static LAST: RefCell<Option<Remembered>> = const { RefCell::new(None) };
}

/// Storage for matrices of this pattern: a copy where the last one was for the same, or else what `set_up` makes.
pub(super) fn remembered(
    pattern: &SaddlePattern,
    choice: Choice,
    symmetric: bool,
    set_up: impl FnOnce() -> Saddle,
) -> Saddle {
    if pattern.size() > MOST_UNKNOWNS {
        return set_up();
    }
    let fits =
        |last: &&Remembered| (last.choice, last.symmetric) == (choice, symmetric) && last.pattern == *pattern;
    let known = LAST.with_borrow(|last| last.as_ref().filter(fits).map(|last| last.storage.clone()));
    known.unwrap_or_else(|| {
        let storage = set_up();
        let last = Remembered { pattern: pattern.clone(), choice, symmetric, storage: storage.clone() };
        LAST.set(Some(last));
        storage
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::{Blocks, Pattern, Scales};

    fn pattern(m: usize) -> SaddlePattern {
        SaddlePattern {
            n: 3,
            m,
            mass: Pattern::diagonal(3),
            damping: Pattern::empty(3, 3),
            stiffness: Pattern::empty(3, 3),
            jacobian: Pattern::dense(m, 3),
        }
    }

    #[test]
    fn storage_is_set_up_once_for_a_pattern() {
        let mut times = 0;
        for m in [1, 1, 2, 1] {
            let mut set_up = || {
                times += 1;
                Saddle::new(&pattern(m), Choice::Dense)
            };
            assert_eq!(remembered(&pattern(m), Choice::Dense, false, &mut set_up).size(), 3 + m);
        }
        // Saddle::new asks here, too, and leaves what it has set up: only another pattern is set up anew.
        assert_eq!(times, 3);
    }

    #[test]
    fn a_copy_knows_nothing_of_matrices_before() {
        let solution = |mass: f64| {
            let mut saddle = Saddle::symmetric(&pattern(1), Choice::Auto);
            let (mass, jacobian) = ([mass; 3], [1.0, 0.0, 0.0]);
            let blocks = Blocks {
                mass: &mass,
                damping: &[],
                stiffness: &[],
                jacobian: &jacobian,
                compliance: &[],
                relaxation: &[],
            };
            let scales = Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 };
            saddle.assemble_and_factor(&blocks, scales).map(|()| {
                let mut x = [1.0, 2.0, 4.0, 0.0];
                saddle.solve(&mut x);
                x
            })
        };
        assert_eq!(solution(2.0), Ok([0.0, 1.0, 2.0, 1.0]));
        assert_eq!(solution(4.0), Ok([0.0, 0.5, 1.0, 1.0]));
        assert_eq!(solution(2.0), Ok([0.0, 1.0, 2.0, 1.0]));
    }
}
