//! Lengths of steps that were asked for.

use taut::method::Method;
use taut::options::Options;
use taut::run::{Observer, View};
use taut_lab::{solver_of, start_of};
use taut_problems::find;

#[derive(Default)]
struct Lengths(Vec<f64>);

impl Observer for Lengths {
    fn step(&mut self, view: &View<'_>) -> bool {
        self.0.push(view.h);
        true
    }
}

#[test]
fn first_and_longest_steps_are_those_that_were_asked_for() {
    let pendulum = find("pendulum").unwrap();
    for name in ["radau", "bdf", "dopri8", "adams"] {
        let options = Options { first_step: Some(1e-3), largest_step: Some(0.02), ..Options::default() };
        let solver = solver_of(&pendulum).method(Method::named(name).unwrap()).options(options);
        let mut lengths = Lengths::default();
        solver.run_with(0.0, 1.0, &start_of(&pendulum), &mut lengths).unwrap();
        assert!(lengths.0[0] <= 1e-3 * (1.0 + 1e-12), "{name}: {}", lengths.0[0]);
        let longest = lengths.0.iter().fold(0.0_f64, |longest, h| longest.max(*h));
        // The last step is stretched rather than followed by a short one.
        assert!(longest <= 0.02 * 1.06, "{name}: {longest}");
    }
}
