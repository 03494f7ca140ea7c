//! Jumps and kinks of formulas that depend on the state: which branches a phase takes.

use std::cell::RefCell;
use std::sync::Arc;

use taut::linear::Choice;
use taut::run::{Direction, Event};
use taut::start::consistent_start;
use taut::system::{FirstOrderSystem, Independent, MechanicalSystem};
use taut_formula::tape::{Evaluator, Pending, State};

use crate::compiled::Compiled;
use crate::model::System;

/// What decides on a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// the sign of the argument
    Sign,
    /// the largest whole number that is not above it
    Level,
    /// how many knots of a table are not above it
    Knots,
}

/// The switches of a model before the parameters have values.
#[derive(Debug)]
pub(crate) struct JumpFormulas {
    /// the arguments as a person writes them
    pub(crate) words: Vec<String>,
    pub(crate) kinds: Vec<Kind>,
    /// the knots of those that are tables
    pub(crate) knots: Vec<Arc<[f64]>>,
    /// for each whether a change of the branch may turn the argument back
    pub(crate) may_turn: Vec<bool>,
    pub(crate) arguments: Arc<Pending>,
    /// how fast they change, with accelerations or rates
    pub(crate) slopes: Arc<Pending>,
}

impl JumpFormulas {
    /// The branch that an argument says.
    fn branch(&self, k: usize, x: f64) -> f64 {
        match self.kinds[k] {
            Kind::Sign if x == 0.0 => 0.0,
            Kind::Sign => x.signum(),
            Kind::Level => x.floor(),
            Kind::Knots => self.knots[k].partition_point(|knot| *knot <= x) as f64,
        }
    }

    /// Between which arguments a branch other than a sign is taken.
    fn bounds(&self, k: usize, branch: f64) -> [f64; 2] {
        if self.kinds[k] == Kind::Level {
            return [branch, branch + 1.0];
        }
        let (knots, above) = (&self.knots[k], branch.max(0.0) as usize);
        let below = above.checked_sub(1).and_then(|below| knots.get(below));
        [below.copied().unwrap_or(f64::NEG_INFINITY), knots.get(above).copied().unwrap_or(f64::INFINITY)]
    }

    /// A value that changes its sign where the branch changes, and by what the slope of the argument is to be multiplied.
    fn crossing(&self, k: usize, branch: f64, x: f64) -> [f64; 2] {
        if self.kinds[k] == Kind::Sign {
            return [x, 1.0];
        }
        match self.bounds(k, branch) {
            [low, f64::INFINITY] => [x - low, 1.0],
            [f64::NEG_INFINITY, high] => [high - x, -1.0],
            [low, high] => [(x - low) * (high - x), low + high - 2.0 * x],
        }
    }
}

/// Which branch a switch takes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mode {
    /// the function is evaluated as it is
    live: bool,
    branch: f64,
    /// when the branch changed last, and how often it did so in no time
    last: f64,
    streak: f64,
}

impl Mode {
    /// The argument has crossed over to another branch.
    fn change(&mut self, kind: Kind, [low, high]: [f64; 2], argument: f64, t: f64) {
        self.branch = match kind {
            Kind::Sign => -self.branch,
            Kind::Level | Kind::Knots if argument - low < high - argument => self.branch - 1.0,
            Kind::Level | Kind::Knots => self.branch + 1.0,
        };
        let no_time = (t - self.last).abs() <= NO_TIME * t.abs();
        self.streak = if no_time { self.streak + 1.0 } else { 0.0 };
        self.last = t;
        self.live = self.streak > MOST_AT_A_TIME;
    }
}

/// Functions of functions that jump are followed so deep.
const MOST_NESTED: usize = 8;
/// Branches that change so often while the time hardly goes on are left to the function,
const MOST_AT_A_TIME: f64 = 10.0;
/// which is when it goes on by less than this share of itself.
const NO_TIME: f64 = 1e-10;
/// An argument that changes more slowly than this share of the largest rate does not say to which side.
const NOTABLE: f64 = 1e-10;
/// Numbers of a mode in a snapshot.
const NUMBERS: usize = 4;

/// The branches that the formulas of a model take in a phase, and its equations with them.
#[derive(Clone, Debug)]
pub(crate) struct Jumps {
    compiled: Compiled,
    /// the values of the parameters
    parameters: Vec<f64>,
    modes: Vec<Mode>,
    system: System,
    arguments: Evaluator,
    slopes: Evaluator,
    mechanical: bool,
    /// the switch whose branches lead back to the jump from both sides
    held: Option<usize>,
    /// the arguments at the last state that was asked for: events ask one after the other
    known: RefCell<Known>,
}

/// Arguments at a state.
#[derive(Clone, Debug, Default)]
struct Known {
    t: Option<f64>,
    y: Vec<f64>,
    arguments: Vec<f64>,
}

impl Jumps {
    /// Those of a model that has switches, every function evaluated as it is.
    pub(crate) fn new(compiled: &Compiled, parameters: &[(String, f64)], system: &System) -> Option<Self> {
        let formulas = compiled.jumps()?;
        let live = Mode { live: true, branch: 0.0, last: f64::NEG_INFINITY, streak: 0.0 };
        let settings: Arc<[f64]> = Vec::new().into();
        let mut jumps = Jumps {
            compiled: compiled.clone(),
            parameters: parameters.iter().map(|(_, value)| *value).collect(),
            modes: vec![live; formulas.kinds.len()],
            system: system.clone(),
            arguments: Evaluator::new(&formulas.arguments, compiled.graph(), &settings),
            slopes: Evaluator::new(&formulas.slopes, compiled.graph(), &settings),
            mechanical: system.mechanism().is_some(),
            held: None,
            known: RefCell::default(),
        };
        jumps.renew(&[])?;
        Some(jumps)
    }

    /// The equations with these branches.
    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    /// Makes the equations with the branches as they are now. Foot points of a strong potential begin at q.
    fn renew(&mut self, q: &[f64]) -> Option<()> {
        let modes = self.modes.iter().flat_map(|mode| [f64::from(u8::from(mode.live)), mode.branch]);
        let (settings, system) = self.compiled.with_modes(&self.parameters, modes, q)?;
        let formulas = self.compiled.jumps()?;
        self.arguments = Evaluator::new(&formulas.arguments, self.compiled.graph(), &settings);
        self.slopes = Evaluator::new(&formulas.slopes, self.compiled.graph(), &settings);
        self.system = system.unwrap_or_else(|| self.system.clone());
        self.known.borrow_mut().t = None;
        Some(())
    }

    /// What is held where it jumps, since both branches lead back to it.
    pub(crate) fn held(&self) -> Option<(usize, String)> {
        let held = self.held?;
        let words = &self.compiled.jumps()?.words[held];
        let reason = format!(
            "the jump at {words} = 0 leads back to itself from both sides and so holds the motion there (events that add and \
             remove a constraint can say what holds it; smooth = false under [time] leaves jumps to the control of errors)"
        );
        Some((held, reason))
    }

    /// One argument at a state.
    fn argument(&self, k: usize, t: f64, y: &[f64]) -> f64 {
        let mut known = self.known.borrow_mut();
        if known.t != Some(t) || known.y != y {
            known.arguments = self.values(&self.arguments, self.state(t, y));
            known.t = Some(t);
            known.y.clear();
            known.y.extend_from_slice(y);
        }
        known.arguments[k]
    }

    fn state<'s>(&self, t: f64, y: &'s [f64]) -> State<'s> {
        let n = self.system.variables();
        let v = if self.mechanical { &y[n..2 * n] } else { &[] };
        State { t, q: &y[..n], v, ..State::default() }
    }

    fn values(&self, of: &Evaluator, at: State<'_>) -> Vec<f64> {
        let mut values = vec![f64::NAN; self.modes.len()];
        of.evaluate(at, &mut [&mut values]);
        values
    }

    fn slopes_at(&self, t: f64, y: &[f64], rates: &[f64]) -> Vec<f64> {
        let at = self.state(t, y);
        let at = if self.mechanical { State { a: rates, ..at } } else { State { v: rates, ..at } };
        self.values(&self.slopes, at)
    }

    /// The events at which branches change, in the order of the switches.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event<'_>> {
        let formulas = self.compiled.jumps();
        let switches =
            formulas.into_iter().flat_map(|formulas| (0..formulas.kinds.len()).map(move |k| (k, formulas)));
        switches.map(move |(k, formulas)| {
            let Mode { live, branch, .. } = self.modes[k];
            let argument = move |t: f64, y: &[f64]| self.argument(k, t, y);
            let value = move |t: f64, y: &[f64]| match live {
                true => 1.0,
                false => formulas.crossing(k, branch, argument(t, y))[0],
            };
            let slope = move |t: f64, y: &[f64], rates: &[f64]| {
                self.slopes_at(t, y, rates)[k] * formulas.crossing(k, branch, argument(t, y))[1]
            };
            let direction = match formulas.kinds[k] {
                Kind::Sign if branch < 0.0 => Direction::Rising,
                _ => Direction::Falling,
            };
            Event::new(format!("switch {}", k + 1), value).direction(direction).acts().silent().slope(slope)
        })
    }

    /// A phase begins at a state, after the switches of these numbers have changed; constraints that are not in force are
    /// `released`. Nothing when the equations cannot be made.
    pub(crate) fn begin(&mut self, t: f64, y: &[f64], changed: &[usize], released: &[usize]) -> Option<()> {
        let compiled = self.compiled.clone();
        let formulas = compiled.jumps()?;
        let (kinds, may_turn) = (&formulas.kinds, &formulas.may_turn);
        self.held = None;
        let arguments = self.values(&self.arguments, self.state(t, y));
        for (k, mode) in self.modes.iter_mut().enumerate() {
            mode.live = false;
            if changed.contains(&k) {
                mode.change(kinds[k], formulas.bounds(k, mode.branch), arguments[k], t);
            }
        }
        // An argument may itself jump where another one has changed its branch.
        for _ in 0..MOST_NESTED {
            self.renew(&y[..self.system.variables()])?;
            if !self.follow(t, y, formulas, changed) {
                break;
            }
        }
        let arguments = self.values(&self.arguments, self.state(t, y));
        // Where an argument is zero or has just been, it is the motion that decides.
        let is_uncertain = |&k: &usize| match changed.contains(&k) {
            true => may_turn[k],
            false => arguments[k] == 0.0 && kinds[k] == Kind::Sign,
        };
        let uncertain: Vec<usize> = (0..kinds.len()).filter(is_uncertain).collect();
        if !uncertain.is_empty() {
            self.settle(t, y, formulas, &uncertain, released)?;
        }
        Some(())
    }

    /// Takes the branches that arguments say, other than those that have just changed; whether one is another than before.
    fn follow(&mut self, t: f64, y: &[f64], formulas: &JumpFormulas, changed: &[usize]) -> bool {
        let arguments = self.values(&self.arguments, self.state(t, y));
        let mut differs = false;
        for (k, mode) in self.modes.iter_mut().enumerate().filter(|(k, _)| !changed.contains(k)) {
            let branch = formulas.branch(k, arguments[k]);
            differs |= branch != mode.branch;
            mode.branch = branch;
        }
        differs
    }

    /// Decides by how fast arguments change: a branch that turns its argument back is left to the function, which is then
    /// evaluated as it is.
    fn settle(
        &mut self,
        t: f64,
        y: &[f64],
        formulas: &JumpFormulas,
        uncertain: &[usize],
        released: &[usize],
    ) -> Option<()> {
        let slopes = self.rates(t, y, released).map(|rates| self.slopes_at(t, y, &rates));
        let at_rest: Vec<usize> = uncertain
            .iter()
            .copied()
            .filter(|&k| formulas.kinds[k] == Kind::Sign && self.modes[k].branch == 0.0)
            .collect();
        for &k in &at_rest {
            let slope = slopes.as_ref().map_or(0.0, |slopes| slopes[k]);
            self.modes[k].branch = if slope == 0.0 { 0.0 } else { slope.signum() };
            self.modes[k].live = slope == 0.0;
        }
        let q = &y[..self.system.variables()];
        let slopes = match at_rest.is_empty() {
            true => slopes,
            false => {
                self.renew(q)?;
                self.rates(t, y, released).map(|rates| self.slopes_at(t, y, &rates))
            }
        };
        let Some(slopes) = slopes else { return Some(()) };
        let arguments = self.values(&self.arguments, self.state(t, y));
        for &k in uncertain {
            let forward = match formulas.kinds[k] {
                Kind::Sign => self.modes[k].branch,
                Kind::Level | Kind::Knots => formulas.crossing(k, self.modes[k].branch, arguments[k])[1],
            };
            let turns = slopes[k] * forward < 0.0;
            if turns && self.leads_back(t, y, (k, forward.signum()), released)? {
                self.held = Some(k);
            }
            self.modes[k].live |= turns;
        }
        self.renew(q)
    }

    /// Whether the branch before this one leads to the jump, and this one back to it, where `forward` is the way from the one to
    /// the other. Where formulas have a kink only, both lead the same way.
    fn leads_back(
        &mut self,
        t: f64,
        y: &[f64],
        (k, forward): (usize, f64),
        released: &[usize],
    ) -> Option<bool> {
        let (q, after) = (&y[..self.system.variables()], self.modes[k]);
        let before = match after.branch {
            branch if self.compiled.jumps()?.kinds[k] == Kind::Sign => -branch,
            branch => branch - forward,
        };
        let mut leads = true;
        for (branch, towards) in [(before, forward), (after.branch, -forward)] {
            self.modes[k] = Mode { branch, live: false, ..after };
            self.renew(q)?;
            let rates = self.rates(t, y, released).unwrap_or_default();
            let largest = rates.iter().fold(0.0, |largest: f64, rate| largest.max(rate.abs()));
            leads &= !rates.is_empty() && self.slopes_at(t, y, &rates)[k] * towards > NOTABLE * largest;
        }
        self.modes[k] = after;
        self.renew(q)?;
        Some(leads)
    }

    /// Accelerations, or rates, at a state with the branches as they are; nothing where they are not known.
    fn rates(&self, t: f64, y: &[f64], released: &[usize]) -> Option<Vec<f64>> {
        let n = self.system.variables();
        if let Some(system) = self.system.mechanism() {
            let held = (!released.is_empty()).then(|| Independent::without(system, released));
            let system = held.as_ref().map_or(system, |held| held as &dyn MechanicalSystem);
            return consistent_start(system, t, &y[..n], &y[n..2 * n], Choice::Auto)
                .ok()
                .map(|start| start.a);
        }
        let system = self.system.evolution()?;
        let composition = system.composition();
        let diagonal = composition.mass.entries().all(|(i, j)| i == j);
        if !diagonal || composition.algebraic_rows().contains(&true) {
            return None;
        }
        let mut rates = vec![0.0; n];
        system.rate(t, &y[..n], &mut rates).ok()?;
        for ((i, _), mass) in composition.mass.entries().zip(&composition.mass_values) {
            rates[i] /= mass;
        }
        Some(rates)
    }

    /// Numbers that tell the branches, for snapshots.
    pub(crate) fn save(&self) -> Vec<f64> {
        let numbers = |mode: &Mode| [f64::from(u8::from(mode.live)), mode.branch, mode.last, mode.streak];
        self.modes.iter().flat_map(numbers).collect()
    }

    /// Goes back to branches; false when the numbers make no sense.
    pub(crate) fn restore(&mut self, numbers: &[f64], q: &[f64]) -> bool {
        if numbers.len() != NUMBERS * self.modes.len() {
            return false;
        }
        for (mode, numbers) in self.modes.iter_mut().zip(numbers.chunks_exact(NUMBERS)) {
            *mode =
                Mode { live: numbers[0] == 1.0, branch: numbers[1], last: numbers[2], streak: numbers[3] };
        }
        self.renew(q).is_some()
    }
}
