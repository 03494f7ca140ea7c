//! Jumps and kinks of formulas that depend on the state: which branches a phase takes.

mod blend;
mod formulas;
mod settling;
mod slide;
mod surface;

use std::cell::RefCell;
use std::sync::Arc;

use taut::run::{Direction, Event};
use taut::system::VelocityCondition;
use taut_formula::tape::{Evaluator, State};

use crate::compiled::Compiled;
use crate::model::System;
pub(crate) use blend::Blend;
pub(crate) use formulas::{JumpFormulas, Kind, SurfaceFormulas};
use slide::Slide;

/// Which branch a switch takes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mode {
    /// the function is evaluated as it is
    live: bool,
    branch: f64,
    /// the motion goes along the jump from the branch below
    slides: bool,
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
/// Numbers of a mode in a snapshot.
const NUMBERS: usize = 5;

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
    /// constraints, by number, that are not in force
    released: Vec<usize>,
    /// the equations along jumps that hold the motion
    slide: Option<Slide>,
    /// why they cannot be gone along, in words
    refused: Option<String>,
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
    pub(crate) fn new(compiled: &Compiled, parameters: &[(Arc<str>, f64)], system: &System) -> Option<Self> {
        let formulas = compiled.jumps()?;
        let live = Mode { live: true, branch: 0.0, slides: false, last: f64::NEG_INFINITY, streak: 0.0 };
        let settings: Arc<[f64]> = Vec::new().into();
        let mut jumps = Jumps {
            compiled: compiled.clone(),
            parameters: parameters.iter().map(|(_, value)| *value).collect(),
            modes: vec![live; formulas.kinds.len()],
            system: system.clone(),
            arguments: Evaluator::new(&formulas.arguments, compiled.graph(), &settings),
            slopes: Evaluator::new(&formulas.slopes, compiled.graph(), &settings),
            mechanical: system.mechanism().is_some(),
            released: Vec::new(),
            slide: None,
            refused: None,
            known: RefCell::default(),
        };
        jumps.renew(&[])?;
        Some(jumps)
    }

    /// The equations with these branches.
    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    /// What holds the velocities of a mechanism.
    pub(crate) fn conditions(&self) -> Vec<&dyn VelocityCondition> {
        self.slide.as_ref().map_or(Vec::new(), Slide::conditions)
    }

    /// The equations of a first-order model along a jump that holds it.
    pub(crate) fn blend(&self) -> Option<&Blend> {
        self.slide.as_ref()?.blend.as_ref()
    }

    /// Why the motion cannot go on, since jumps hold it, in words.
    pub(crate) fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// The modes as parameters. Jumps that hold the motion are on their lower side, but for those that are to be `above`.
    fn numbers(&self, above: &[usize]) -> Vec<f64> {
        let formulas = self.compiled.jumps();
        let number = |(k, mode): (usize, &Mode)| {
            let below = mode.slides && !above.contains(&k);
            let branch = formulas.filter(|_| below).map_or(mode.branch, |all| all.below(k, mode.branch));
            [f64::from(u8::from(mode.live)), branch]
        };
        self.modes.iter().enumerate().flat_map(number).collect()
    }

    /// Makes the equations with the branches as they are now. Foot points of a strong potential begin at q.
    fn renew(&mut self, q: &[f64]) -> Option<()> {
        let (settings, system) = self.compiled.with_modes(&self.parameters, self.numbers(&[]), q)?;
        let formulas = self.compiled.jumps()?;
        self.arguments = Evaluator::new(&formulas.arguments, self.compiled.graph(), &settings);
        self.slopes = Evaluator::new(&formulas.slopes, self.compiled.graph(), &settings);
        self.system = system.unwrap_or_else(|| self.system.clone());
        self.slide = self.slide(q, &settings);
        self.known.borrow_mut().t = None;
        Some(())
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

    /// The events at which branches change, in the order of the switches; then those at which jumps let the motion go.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event<'_>> {
        let formulas = self.compiled.jumps();
        let all =
            formulas.into_iter().flat_map(|formulas| (0..formulas.kinds.len()).map(move |k| (k, formulas)));
        let switches = all.clone().map(move |(k, formulas)| self.switch(k, formulas));
        let may_slide = all.filter(|(k, formulas)| formulas.surfaces[*k].is_some());
        switches.chain(may_slide.map(move |(k, formulas)| self.release(k, formulas)))
    }

    /// The branch of a switch changes; or its jump holds the motion from then on, which is worth a word.
    fn switch<'s>(&'s self, k: usize, formulas: &'s JumpFormulas) -> Event<'s> {
        let Mode { live, branch, slides, .. } = self.modes[k];
        let argument = move |t: f64, y: &[f64]| self.argument(k, t, y);
        let value = move |t: f64, y: &[f64]| match live || slides {
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
        let event = Event::new(format!("{} holds", formulas.label(k)), value);
        let event = event.direction(direction).acts().silent().slope(slope);
        let event = match formulas.may_turn[k] && formulas.surfaces[k].is_some() {
            true => event.reported_if(move |t, y| self.would_hold(k, t, y)),
            false => event,
        };
        if live || slides { event.idle() } else { event }
    }

    /// A jump that holds the motion lets it go.
    fn release<'s>(&'s self, k: usize, formulas: &'s JumpFormulas) -> Event<'s> {
        let place = self.slide.as_ref().and_then(|slide| slide.numbers.iter().position(|&held| held == k));
        let value = move |t: f64, y: &[f64]| {
            let share = place.map_or(Some(0.5), |place| self.shares(t, y)?.get(place).copied());
            share.map_or(f64::NAN, |share| share * (1.0 - share))
        };
        let event = Event::new(format!("{} lets go", formulas.label(k)), value);
        let event = event.direction(Direction::Falling).acts().silent().reported_if(|_, _| true);
        if place.is_some() { event } else { event.idle() }
    }

    /// Which switches events are about, by their numbers among those of [`events`](Self::events).
    pub(crate) fn switches_of(&self, events: impl Iterator<Item = usize>) -> Vec<usize> {
        let Some(formulas) = self.compiled.jumps() else { return Vec::new() };
        let all = formulas.kinds.len();
        let may_slide: Vec<usize> = (0..all).filter(|&k| formulas.surfaces[k].is_some()).collect();
        let switch =
            |event: usize| if event < all { Some(event) } else { may_slide.get(event - all).copied() };
        events.filter_map(switch).collect()
    }

    /// Whether the jump of a switch holds the motion once it has been reached.
    fn would_hold(&self, k: usize, t: f64, y: &[f64]) -> bool {
        let mut next = self.clone();
        next.begin(t, y, (&[k], true), &self.released).is_some() && next.modes[k].slides
    }

    /// A phase begins at a state, after the switches of these numbers have changed, by themselves or where an event has set
    /// the state; constraints that are not in force are `released`. Nothing when the equations cannot be made.
    pub(crate) fn begin(
        &mut self,
        t: f64,
        y: &[f64],
        (changed, by_themselves): (&[usize], bool),
        released: &[usize],
    ) -> Option<()> {
        let compiled = self.compiled.clone();
        let formulas = compiled.jumps()?;
        let (kinds, may_turn) = (&formulas.kinds, &formulas.may_turn);
        let let_go = self.let_go(t, y, changed);
        self.released = released.to_vec();
        let arguments = self.values(&self.arguments, self.state(t, y));
        for (k, mode) in self.modes.iter_mut().enumerate().filter(|(_, mode)| !mode.slides) {
            mode.live = false;
            if changed.contains(&k) && !let_go.contains(&k) {
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
            _ if self.modes[k].slides || let_go.contains(&k) => false,
            true => may_turn[k],
            false => arguments[k] == 0.0 && kinds[k] == Kind::Sign,
        };
        let uncertain: Vec<usize> = (0..kinds.len()).filter(is_uncertain).collect();
        if !uncertain.is_empty() {
            // An event may have sent the motion back from a jump that it has just crossed.
            let may_hold = |k: usize| by_themselves || !changed.contains(&k);
            self.settle(t, y, formulas, &uncertain, &may_hold)?;
        }
        self.refused = self.refusal(t, y);
        if self.refused.is_none() {
            self.keep_sliding(t, y)?;
        }
        Some(())
    }

    /// Takes the branches that arguments say, other than those that have just changed; whether one is another than before.
    fn follow(&mut self, t: f64, y: &[f64], formulas: &JumpFormulas, changed: &[usize]) -> bool {
        let arguments = self.values(&self.arguments, self.state(t, y));
        let mut differs = false;
        let others = |(k, mode): &(usize, &mut Mode)| !changed.contains(k) && !mode.slides;
        for (k, mode) in self.modes.iter_mut().enumerate().filter(others) {
            let branch = formulas.branch(k, arguments[k]);
            differs |= branch != mode.branch;
            mode.branch = branch;
        }
        differs
    }

    /// Numbers that tell the branches, for snapshots.
    pub(crate) fn save(&self) -> Vec<f64> {
        let flag = |is: bool| f64::from(u8::from(is));
        let numbers = |mode: &Mode| [flag(mode.live), mode.branch, flag(mode.slides), mode.last, mode.streak];
        self.modes.iter().flat_map(numbers).collect()
    }

    /// Goes back to branches; false when the numbers make no sense.
    pub(crate) fn restore(&mut self, numbers: &[f64], q: &[f64], released: &[usize]) -> bool {
        if numbers.len() != NUMBERS * self.modes.len() {
            return false;
        }
        for (mode, numbers) in self.modes.iter_mut().zip(numbers.chunks_exact(NUMBERS)) {
            let &[live, branch, slides, last, streak] = numbers else { return false };
            *mode = Mode { live: live == 1.0, branch, slides: slides == 1.0, last, streak };
        }
        self.released = released.to_vec();
        self.renew(q).is_some()
    }
}
