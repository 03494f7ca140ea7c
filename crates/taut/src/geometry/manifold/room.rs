//! Room for the numbers of a manifold, set up once for many runs.

use std::cell::RefCell;
use std::mem::take;

use super::Manifold;
use crate::geometry::evaluated::{Evaluated, saddle_pattern};
use crate::linear::{Choice, Pattern, Saddle, SaddlePattern};
use crate::system::Structure;

/// Larger systems are not remembered: they would hold memory, and their runs are long.
const MOST_UNKNOWNS: usize = 64;

/// All that a manifold has to allocate.
pub(super) struct Room {
    pub(super) evaluated: Evaluated,
    /// so many lists with a number for each constraint, all zero
    pub(super) numbers: [Vec<f64>; 7],
    /// a list with a flag for each constraint
    pub(super) flags: Vec<bool>,
    pub(super) saddle: Saddle,
    pub(super) correction: Vec<f64>,
    pub(super) pair: Vec<f64>,
    pub(super) at: Vec<f64>,
}

/// Room that was given back, and what it is for.
struct Remembered {
    mass: Pattern,
    jacobian: Pattern,
    choice: Choice,
    room: Room,
}

thread_local! {
    /// What was given back last in this thread: start and steps of a run, and the runs of a sweep, ask for the same again.
    static LAST: RefCell<Option<Remembered>> = const { RefCell::new(None) };
}

/// Room for a manifold, in which nothing is left of another one.
pub(super) fn find(structure: &Structure, choice: Choice) -> Room {
    let fits = |last: &mut Remembered| {
        last.choice == choice && last.mass == structure.mass && last.jacobian == structure.jacobian
    };
    let last = LAST.with_borrow_mut(|last| last.take_if(fits));
    last.map_or_else(|| Room::new(structure, choice), |last| last.room.cleared())
}

/// Takes the room of a manifold that is no longer needed.
pub(super) fn give_back(manifold: &mut Manifold<'_>) {
    // Sparse eliminations keep their pivots, which the next run has to choose for itself.
    if manifold.correction.len() > MOST_UNKNOWNS || manifold.saddle.is_sparse() {
        return;
    }
    let [stretched, rate, curved] = manifold.stretching.each_mut().map(take);
    let Manifold { compliance, relaxation, followed, creep, .. } = manifold;
    let [compliance, relaxation, followed, creep] = [compliance, relaxation, followed, creep].map(take);
    let room = Room {
        evaluated: take(&mut manifold.evaluated),
        numbers: [compliance, relaxation, followed, creep, stretched, rate, curved],
        flags: take(&mut manifold.creeping),
        saddle: manifold.saddle.take(),
        correction: take(&mut manifold.correction),
        pair: take(&mut manifold.pair),
        at: take(&mut manifold.at),
    };
    let structure = manifold.structure();
    let (mass, jacobian) = (structure.mass.clone(), structure.jacobian.clone());
    LAST.set(Some(Remembered { mass, jacobian, choice: manifold.choice, room }));
}

impl Room {
    fn new(structure: &Structure, choice: Choice) -> Self {
        let (n, m) = (structure.n(), structure.m());
        let nothing = Pattern::empty(n, n);
        let pattern =
            SaddlePattern { damping: nothing.clone(), stiffness: nothing, ..saddle_pattern(structure) };
        Room {
            evaluated: Evaluated::new(structure),
            numbers: std::array::from_fn(|_| vec![0.0; m]),
            flags: vec![false; m],
            saddle: Saddle::symmetric(&pattern, choice),
            correction: vec![0.0; n + m],
            pair: vec![0.0; 2 * (n + m)],
            at: vec![0.0; n],
        }
    }

    /// As it was when it was new; matrices are written anew before anything is solved with them.
    fn cleared(mut self) -> Self {
        let Evaluated { mass, force, constraint, jacobian, rate, curvature } = &mut self.evaluated;
        let evaluated = [mass, force, constraint, jacobian, rate, curvature];
        let others = [&mut self.correction, &mut self.pair, &mut self.at];
        let all = evaluated.into_iter().chain(others).chain(&mut self.numbers);
        all.for_each(|list| list.fill(0.0));
        self.flags.fill(false);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Statistics;
    use crate::system::{Differentiated, Scalar, Sketch};

    /// Accelerations and multipliers of a pendulum of some length, hanging at an angle and moving.
    fn motion(length: f64) -> [f64; 3] {
        let pendulum = Sketch::new(["x", "y"]).potential(|q| q[1] * 9.81);
        let system = Differentiated::new(pendulum.rod("rod", move |_t, q| q[0].hypot(q[1]) - length));
        let mut manifold = Manifold::new(&system, Choice::Auto);
        let count = &mut Statistics::default();
        let (q, v) = ([0.6 * length, -0.8 * length], [0.8, 0.6]);
        let (mut a, mut lambda) = ([0.0; 2], [0.0]);
        manifold.evaluate(0.0, &q, &v, count).unwrap();
        manifold.factor(count).unwrap();
        manifold.accelerations(0.0, &mut a, &mut lambda, 2, count).unwrap();
        [a[0], a[1], lambda[0]]
    }

    fn is_kept() -> bool {
        LAST.with_borrow(Option::is_some)
    }

    #[test]
    fn room_that_was_used_holds_nothing_of_other_runs() {
        let new = std::thread::spawn(|| motion(2.0)).join().unwrap();
        assert_ne!(motion(3.0), new);
        assert!(is_kept());
        assert_eq!(motion(2.0), new);
        assert_eq!(motion(2.0), new);
    }

    #[test]
    fn another_structure_and_another_elimination_find_room_of_their_own() {
        let system = Differentiated::new(Sketch::new(["x"]).potential(|q| q[0].square()));
        motion(1.0);
        for choice in [Choice::Auto, Choice::Dense, Choice::Auto] {
            let manifold = Manifold::new(&system, choice);
            assert_eq!((manifold.correction.len(), manifold.evaluated.jacobian.len()), (1, 0));
        }
        assert!(is_kept());
        let sparse = Manifold::new(&system, Choice::Sparse);
        LAST.set(None);
        drop(sparse);
        assert!(!is_kept(), "pivots would be those of another run");
    }
}
