//! Whatever the problem and the method: a run that goes on from any of its snapshots has the bits of the run that was not
//! interrupted, step by step.

use taut::linear::Choice;
use taut::method::{Method, Scheme, catalog};
use taut::motion::{Statistics, Stop};
use taut::options::Options;
use taut::run::{Event, Observer, Snapshot, View};
use taut::{Error, Solver};
use taut_lab::start_of;
use taut_problems::{Problem, System};

/// A run is followed for so many steps,
const STEPS: usize = 60;
/// and one that goes on from a snapshot for so many.
const STEPS_FURTHER: usize = 12;
/// Up to so many unknowns, one snapshot in so many is gone on from.
const ONE_IN: [(usize, usize); 3] = [(20, 1), (100, 7), (usize::MAX, 29)];

/// What there is to see of a run, up to some step.
struct Diary {
    /// t, h, the state, and what was counted
    steps: Vec<(Vec<u64>, Statistics)>,
    /// with the number of steps that were taken before
    snapshots: Vec<(usize, Snapshot)>,
    most: usize,
}

impl Diary {
    fn of(most: usize) -> Self {
        Diary { steps: Vec::new(), snapshots: Vec::new(), most }
    }
}

impl Observer for Diary {
    fn step(&mut self, view: &View<'_>) -> bool {
        let numbers = [view.t, view.h].into_iter().chain(view.y.iter().copied());
        self.steps.push((numbers.map(f64::to_bits).collect(), *view.statistics));
        self.steps.len() < self.most
    }

    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.snapshots.push((self.steps.len(), snapshot.clone()));
    }
}

/// A problem with a method.
struct Case<'p> {
    problem: &'p Problem,
    method: Method,
    options: Options,
}

impl Case<'_> {
    fn run(&self, resume: Option<&Snapshot>, diary: &mut Diary) -> Result<(), Error> {
        let solver = match &self.problem.system {
            System::Mechanical(system) => Solver::mechanical(system.as_ref()),
            System::FirstOrder(system) => Solver::first_order(system.as_ref()),
        };
        let solver = solver.method(self.method.clone()).options(self.options.clone());
        let mut solver = solver.breaks(&self.problem.kinks).watch(true);
        solver = match resume {
            Some(snapshot) => solver.resume(snapshot.clone()),
            None => solver.snapshot_every(1),
        };
        let (t, until) = (self.problem.start.t, self.problem.t_end);
        match solver.run_with(t, until, &start_of(self.problem), diary) {
            Ok(_) | Err(Error::Stopped { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn label(&self) -> String {
        let Options { linear, constant_step, .. } = &self.options;
        format!("{}, {}, {linear:?}, h {constant_step:?}", self.problem.name, self.method.name())
    }

    /// How many snapshots were gone on from; none where the method does not suit the problem.
    fn go_on_from_snapshots(&self, failures: &mut Vec<String>) -> usize {
        let mut whole = Diary::of(STEPS);
        if self.run(None, &mut whole).is_err() {
            return 0;
        }
        let (_, one_in) = ONE_IN.iter().find(|(size, _)| self.problem.system.n() <= *size).unwrap();
        let tried = whole.snapshots.iter().step_by(*one_in);
        for (taken, snapshot) in tried.clone() {
            let mut further = Diary::of(STEPS_FURTHER);
            let outcome = self.run(Some(snapshot), &mut further);
            let mut steps = whole.steps[*taken..].iter().zip(&further.steps);
            let differs = steps.position(|(one, other)| one != other);
            if outcome.is_err() || differs.is_some() {
                failures.push(format!("{}: after step {taken}: {outcome:?} {differs:?}", self.label()));
            }
        }
        tried.count()
    }
}

fn cases(problem: &Problem) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for method in catalog().iter().map(|entry| Method::named(entry.name).unwrap()) {
        for linear in [Choice::Auto, Choice::Sparse] {
            let options = Options { rtol: 1e-7, atol: 1e-7, linear, ..Options::default() };
            if matches!(method.scheme(), Scheme::Spark(_)) {
                let constant_step = Some((problem.t_end - problem.start.t) / 1000.0);
                let options = Options { constant_step, ..options.clone() };
                cases.push(Case { problem, method: method.clone(), options });
            }
            cases.push(Case { problem, method: method.clone(), options });
        }
    }
    cases
}

#[test]
fn every_problem_goes_on_with_the_same_bits() {
    let (mut failures, mut tried) = (Vec::new(), 0);
    for entry in taut_problems::all() {
        let (problem, before) = (entry.problem().unwrap(), tried);
        for case in cases(&problem) {
            tried += case.go_on_from_snapshots(&mut failures);
        }
        println!("{}: {} snapshots", problem.name, tried - before);
    }
    assert!(failures.is_empty(), "{} of {tried} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(tried > 10_000, "{tried} snapshots");
}

/// Kinks are times at which a run begins anew: one that goes on there has yet to do so.
#[test]
fn a_run_goes_on_at_a_break() {
    let problem = taut_problems::find("charge_pump").unwrap();
    let options = Options { rtol: 1e-5, atol: 1e-5, ..Options::default() };
    let case = Case { problem: &problem, method: Method::radau(), options };
    let mut whole = Diary::of(usize::MAX);
    case.run(None, &mut whole).unwrap();
    let at_breaks = whole.snapshots.iter().filter(|(_, snapshot)| {
        let [t] = snapshot.numbers("t").unwrap();
        problem.kinks.contains(&t)
    });
    let mut tried = 0;
    for (taken, snapshot) in at_breaks {
        let mut further = Diary::of(usize::MAX);
        case.run(Some(snapshot), &mut further).unwrap();
        assert!(whole.steps[*taken..] == further.steps, "after step {taken}");
        tried += 1;
    }
    assert!(tried > 5, "{tried} snapshots");
}

/// How often an event has happened counts on.
#[test]
fn a_run_goes_on_between_events() {
    let problem = taut_problems::find("pendulum").unwrap();
    let solver = || {
        let lowest = Event::new("lowest", |_: f64, y: &[f64]| y[0]).ends_after(3);
        Solver::mechanical(problem.system.mechanism().unwrap()).event(lowest)
    };
    let (start, mut diary) = (start_of(&problem), Diary::of(usize::MAX));
    let whole = solver().snapshot_every(1).run_with(0.0, 100.0, &start, &mut diary).unwrap();
    assert_eq!(whole.stop, Stop::Event("lowest".into()));
    assert!(diary.snapshots.len() > 10, "{} snapshots", diary.snapshots.len());
    for (_, snapshot) in diary.snapshots {
        let resumed = solver().resume(snapshot).run(0.0, 100.0, &start).unwrap();
        assert_eq!((resumed.t, &resumed.y, &resumed.stop), (whole.t, &whole.y, &whole.stop));
    }
}

/// A run that has used up its steps goes on with more, also where steps were rejected.
#[test]
fn a_run_goes_on_with_more_steps() {
    let (mut failures, mut tried) = (Vec::new(), 0);
    for name in ["andrews", "car_axis", "van_der_pol", "transistor_amplifier"] {
        let problem = taut_problems::find(name).unwrap();
        for case in cases(&problem).into_iter().filter(|case| case.options.linear == Choice::Auto) {
            let mut whole = Diary::of(STEPS);
            if case.run(None, &mut whole).is_err() {
                continue;
            }
            for most_steps in (1..STEPS).step_by(3) {
                let options = Options { most_steps, ..case.options.clone() };
                let few = Case { problem: &problem, method: case.method.clone(), options };
                let (mut first, mut rest) = (Diary::of(STEPS), Diary::of(STEPS_FURTHER));
                few.run(None, &mut first).unwrap();
                let Some((taken, snapshot)) = first.snapshots.last() else { continue };
                case.run(Some(snapshot), &mut rest).unwrap();
                let mut steps = whole.steps[*taken..].iter().zip(&rest.steps);
                if steps.any(|(one, other)| one != other) {
                    failures.push(format!("{}: {most_steps} steps", case.label()));
                }
                tried += 1;
            }
        }
    }
    assert!(failures.is_empty(), "{} of {tried} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(tried > 500, "{tried} runs");
}

/// A snapshot whose lists were shortened or lengthened is refused, and does not end in a panic.
#[test]
fn lists_of_wrong_lengths_are_refused() {
    let problem = taut_problems::find("car_axis").unwrap();
    for case in cases(&problem) {
        let mut whole = Diary::of(STEPS);
        if case.run(None, &mut whole).is_err() {
            continue;
        }
        let entries = whole.snapshots.last().unwrap().1.entries();
        for (k, (name, numbers)) in entries.iter().enumerate() {
            let shorter = numbers.split_last().map(|(_, rest)| rest.to_vec());
            for wrong in [shorter, Some([numbers.as_slice(), &[0.5]].concat())].into_iter().flatten() {
                let mut entries = entries.to_vec();
                entries[k].1 = wrong;
                let outcome = case.run(Some(&Snapshot::from_entries(entries)), &mut Diary::of(STEPS_FURTHER));
                let label = format!("{}: '{name}' of {} numbers", case.label(), numbers.len());
                // Other lists may have several lengths: derivatives may be absent, a past may be short.
                let fixed = ["y", "rate", "memory", "stages", "pivots", "driver", "step size", "statistics"];
                let refused = matches!(outcome, Err(Error::Snapshot(_)));
                assert!(refused || !fixed.contains(&name.as_str()), "{label}: {outcome:?}");
            }
        }
    }
}
