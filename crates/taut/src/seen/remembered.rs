//! Room for Taylor coefficients, set up once for many runs.

use std::cell::RefCell;
use std::sync::Arc;

use taut_formula::expansion::{Expansion, Recursion};

/// More numbers are not remembered: they would hold memory, and such runs are long.
const MOST_NUMBERS: usize = 100_000;

thread_local! {
    /// What a run of this thread has given back last: the runs of a sweep ask for the same again, with other parameters.
    static LAST: RefCell<Option<Expansion<f64>>> = const { RefCell::new(None) };
}

/// Room for coefficients up to an order, with the values of formulas of parameters.
pub(super) fn room(recursion: &Arc<Recursion>, highest: usize, settings: &[f64]) -> Expansion<f64> {
    let last = LAST.with_borrow_mut(|last| last.take_if(|last| last.is_room_for(recursion, highest)));
    match last {
        Some(mut room) => {
            room.set(settings);
            room
        }
        None => Expansion::new(recursion, highest, settings),
    }
}

/// Gives room back that is no longer needed.
pub(crate) fn give_back(room: &mut Expansion<f64>) {
    if room.size() <= MOST_NUMBERS {
        LAST.set(Some(room.take()));
    }
}

#[cfg(test)]
mod tests {
    use taut_formula::expansion::{Level, Roots};
    use taut_formula::graph::{Graph, Input};
    use taut_formula::settings::Settings;

    use super::*;

    /// The coefficients of p sin(p t) up to order 3.
    fn series(recursion: &Arc<Recursion>, settings: &[f64]) -> Vec<f64> {
        let mut room = room(recursion, 3, settings);
        room.set_time(0.0);
        room.begin(Level::Position);
        for k in 1..=3 {
            room.probe(Level::Position, k);
            room.pass(Level::Position, k);
        }
        let found = (0..=3).map(|k| room.coefficient(0, k)).collect();
        give_back(&mut room);
        found
    }

    #[test]
    fn multipliers_that_a_run_had_are_not_those_of_the_next() {
        let mut graph = Graph::new();
        let multiplier = graph.input(Input::Multiplier(0));
        let roots = Roots {
            n: 0,
            m: 1,
            followed: &[multiplier],
            probed: &[],
            values: &[],
            from_first_order: false,
            known: graph.count_of_settings(),
        };
        let recursion = Arc::new(Recursion::new(&mut graph, &roots));
        let mut used = room(&recursion, 3, &[]);
        (0..=3).for_each(|k| used.multipliers_mut(k).fill(7.0));
        give_back(&mut used);
        let next = room(&recursion, 3, &[]);
        assert!((0..=3).all(|k| next.multipliers(k) == [0.0]));
    }

    #[test]
    fn room_that_was_used_holds_nothing_of_other_parameters() {
        let mut graph = Graph::new();
        let (t, p) = (graph.input(Input::Time), graph.input(Input::Parameter(0)));
        let angle = graph.multiply(p, t);
        let sine = graph.unary(taut_formula::function::Unary::Sin, angle);
        let formula = graph.multiply(p, sine);
        let settings = Settings::new(&graph, &[Graph::ONE]);
        let roots = Roots {
            n: 0,
            m: 0,
            followed: &[formula],
            probed: &[],
            values: &[],
            from_first_order: false,
            known: graph.count_of_settings(),
        };
        let recursion = Arc::new(Recursion::new(&mut graph, &roots));
        let with = |p: f64| series(&recursion, &settings.values(&[Some(p)]));
        let first = with(2.0);
        assert_eq!(first, [0.0, 4.0, 0.0, -16.0 / 6.0]);
        assert_eq!(with(3.0), [0.0, 9.0, 0.0, -81.0 / 6.0]);
        assert_eq!(with(2.0), first);
        assert!(LAST.with_borrow(|last| last.as_ref().is_some_and(|last| last.is_room_for(&recursion, 3))));
    }
}
