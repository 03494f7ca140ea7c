//! The events of a model: when they happen, and what they change.

use std::cell::RefCell;
use std::sync::Arc;

use taut::equations::Layout;
use taut::motion::Accelerations;
use taut::run::{Direction, Event};
use taut::system::MechanicalSystem;
use taut_formula::graph::Graph;
use taut_formula::tape::{Evaluator, Pending, State};

use crate::jumps::Jumps;
use crate::model::System;
use crate::observers::places_of_multipliers;

/// What an event sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// a coordinate or variable
    Position(usize),
    Velocity(usize),
}

/// An event before the parameters have values.
#[derive(Debug)]
pub(crate) struct EventFormulas {
    pub(crate) name: String,
    pub(crate) direction: Direction,
    pub(crate) when: Arc<Pending>,
    pub(crate) slope: Arc<Pending>,
    pub(crate) has_slope: bool,
    pub(crate) places: Vec<Place>,
    pub(crate) values: Arc<Pending>,
    pub(crate) stop: bool,
    pub(crate) remove: Vec<String>,
    pub(crate) add: Vec<String>,
    /// constraints that keep the value at zero while they are in force
    pub(crate) held_by: Vec<String>,
    pub(crate) limit: usize,
    /// the table that is left then, and its argument
    pub(crate) fence: Option<(String, Arc<Pending>)>,
}

/// All events of a model before the parameters have values.
#[derive(Debug, Default)]
pub(crate) struct EventEquations {
    pub(crate) events: Vec<EventFormulas>,
    /// the names of the constraints, in the order of the multipliers in the formulas
    pub(crate) reactions: Vec<String>,
    /// constraints that are not in force at the start
    pub(crate) inactive: Vec<String>,
    /// whether one of them takes accelerations
    pub(crate) take_accelerations: bool,
}

/// An event of a model.
#[derive(Clone, Debug)]
pub(crate) struct ModelEvent {
    pub(crate) name: String,
    direction: Direction,
    when: Evaluator,
    slope: Option<Evaluator>,
    places: Vec<Place>,
    values: Evaluator,
    stop: bool,
    /// constraints by number
    pub(crate) remove: Vec<usize>,
    pub(crate) add: Vec<usize>,
    held_by: Vec<usize>,
    limit: usize,
    fence: Option<(String, Evaluator)>,
}

/// The events of a model.
#[derive(Clone, Debug)]
pub struct Events {
    pub(crate) events: Vec<ModelEvent>,
    /// constraints, by number, that are not in force at the start
    released: Vec<usize>,
    layout: Layout,
    /// the multipliers of the formulas among those of the state
    multipliers: Vec<usize>,
    accelerations: Option<RefCell<Accelerations>>,
}

/// The mechanism whose accelerations formulas may take.
#[derive(Clone, Copy)]
pub(crate) enum Moving<'s> {
    /// there is none
    Nothing,
    Mechanism(&'s dyn MechanicalSystem),
    /// one that its own jumps hold
    Held(&'s Jumps),
}

impl EventEquations {
    /// The events of a system with these values of formulas of parameters.
    pub(crate) fn with(&self, graph: &Arc<Graph>, settings: &Arc<[f64]>, system: &System) -> Events {
        let mechanism = system.mechanism();
        let constraints = mechanism.map_or(&[][..], |system| &system.structure().constraints);
        let place = |name: &String| constraints.iter().position(|constraint| constraint.name == *name);
        let numbers = |names: &[String]| names.iter().filter_map(place).collect::<Vec<usize>>();
        let evaluator = |tape: &Arc<Pending>| Evaluator::new(tape, graph, settings);
        let event = |event: &EventFormulas| ModelEvent {
            name: event.name.clone(),
            direction: event.direction,
            when: evaluator(&event.when),
            slope: event.has_slope.then(|| evaluator(&event.slope)),
            places: event.places.clone(),
            values: evaluator(&event.values),
            stop: event.stop,
            remove: numbers(&event.remove),
            add: numbers(&event.add),
            held_by: numbers(&event.held_by),
            limit: event.limit,
            fence: event.fence.as_ref().map(|(table, argument)| (table.clone(), evaluator(argument))),
        };
        let layout = match mechanism.map(|system| system.structure()) {
            Some(structure) => Layout::mechanical(structure.n(), structure.m()),
            None => Layout::first_order(system.variables()),
        };
        let accelerations = mechanism
            .filter(|_| self.take_accelerations)
            .map(|system| RefCell::new(Accelerations::new(system.structure())));
        // Of a model without events nobody asks for them.
        let reactions = if self.events.is_empty() { &[] } else { &self.reactions[..] };
        Events {
            accelerations,
            events: self.events.iter().map(event).collect(),
            released: numbers(&self.inactive),
            layout,
            multipliers: places_of_multipliers(reactions, constraints),
        }
    }
}

impl Events {
    /// Their names, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.events.iter().filter(|event| event.fence.is_none()).map(|event| event.name.as_str())
    }

    /// Whether the model has none.
    pub fn is_empty(&self) -> bool {
        self.names().next().is_none()
    }

    /// Whether one of them changes the state or the constraints.
    pub fn change_something(&self) -> bool {
        self.events.iter().any(ModelEvent::changes)
    }

    /// Constraints, by number, that are not in force at the start.
    pub fn released(&self) -> &[usize] {
        &self.released
    }

    /// Takes what formulas are evaluated at.
    fn at<R>(&self, system: Moving<'_>, t: f64, y: &[f64], take: impl FnOnce(State<'_>) -> R) -> R {
        let (q, v, all) = self.layout.split(y);
        let lambda: Vec<f64> =
            self.multipliers.iter().map(|&k| all.get(k).copied().unwrap_or(f64::NAN)).collect();
        let state = State { t, q, v, a: &[], lambda: &lambda };
        let Some(accelerations) = &self.accelerations else { return take(state) };
        let unknown = vec![f64::NAN; q.len()];
        let mut accelerations = accelerations.borrow_mut();
        match system {
            Moving::Held(jumps) => {
                let found = jumps.accelerations(t, y).map_or(unknown, |found| found.a);
                take(State { a: &found, ..state })
            }
            Moving::Mechanism(system) => {
                let found = accelerations.at(system, t, (q, v, all));
                take(State { a: found.unwrap_or(&unknown), ..state })
            }
            Moving::Nothing => take(State { a: &unknown, ..state }),
        }
    }

    /// The events as a solver takes them.
    pub(crate) fn for_solver<'s>(
        &'s self,
        system: Moving<'s>,
        has_effect: impl Fn(&ModelEvent) -> bool,
    ) -> impl Iterator<Item = Event<'s>> {
        self.events.iter().map(move |event| {
            let happens = has_effect(event);
            let value = move |t: f64, y: &[f64]| match happens.then(|| self.value(system, &event.when, t, y))
            {
                // At its very end a table has a value.
                Some(0.0) if event.fence.is_some() => f64::MIN_POSITIVE,
                Some(value) => value,
                None => 1.0,
            };
            let mut for_solver = Event::new(&event.name, value).direction(event.direction);
            if let Some(slope) = &event.slope {
                for_solver = for_solver.slope(|t, y: &[f64], rates: &[f64]| {
                    let (q, v, _) = self.layout.split(y);
                    let at = if v.is_empty() {
                        State { t, q, v: rates, ..State::default() }
                    } else {
                        State { t, q, v, a: rates, ..State::default() }
                    };
                    slope.evaluate_with(at, |values| values[0]).unwrap_or(f64::NAN)
                });
            }
            if event.fence.is_some() {
                for_solver = for_solver.acts().silent();
            } else if event.stop {
                for_solver = for_solver.terminal();
            } else if event.changes() {
                for_solver = for_solver.acts().limit(event.limit);
            }
            for_solver
        })
    }

    fn value(&self, system: Moving<'_>, formula: &Evaluator, t: f64, y: &[f64]) -> f64 {
        self.at(system, t, y, |at| formula.evaluate_with(at, |values| values[0])).unwrap_or(f64::NAN)
    }

    /// Tables that are left at the very start, in words.
    ///
    /// # Errors
    /// There is one.
    pub fn check_start(&self, t: f64, y: &[f64]) -> Result<(), String> {
        for event in &self.events {
            if let Some((table, argument)) =
                event.fence.as_ref().filter(|_| !(self.value(Moving::Nothing, &event.when, t, y) >= 0.0))
            {
                let value = self.value(Moving::Nothing, argument, t, y);
                return Err(format!(
                    "at the start the table '{table}' is asked for {value}, where it has no value"
                ));
            }
        }
        Ok(())
    }

    /// What an event sets, all at once, in a state (q, v, λ) or x.
    ///
    /// # Errors
    /// A value is no number; why, in words.
    pub(crate) fn set(&self, system: Moving<'_>, number: usize, t: f64, y: &mut [f64]) -> Result<(), String> {
        let event = &self.events[number];
        if let Some((table, argument)) = &event.fence {
            let value = self.value(Moving::Nothing, argument, t, y);
            return Err(format!("the table '{table}' is left at {value}, where it ends"));
        }
        let mut values = vec![0.0; event.places.len()];
        self.at(system, t, y, |at| event.values.evaluate(at, &mut [&mut values]));
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            return Err(format!("the event '{}' sets a value to {value}", event.name));
        }
        let n = self.layout.split(y).0.len();
        for (place, value) in event.places.iter().zip(values) {
            match place {
                Place::Position(i) => y[*i] = value,
                Place::Velocity(i) => y[n + i] = value,
            }
        }
        Ok(())
    }
}

impl ModelEvent {
    /// Whether something would be another way after it, or it only is to be counted.
    pub(crate) fn has_effect(&self, released: &[bool]) -> bool {
        if self.held_by.iter().any(|&k| !released[k]) {
            return false;
        }
        let changes = self.remove.iter().any(|&k| !released[k]) || self.add.iter().any(|&k| released[k]);
        changes || !self.places.is_empty() || !self.changes()
    }

    fn changes(&self) -> bool {
        !(self.places.is_empty() && self.remove.is_empty() && self.add.is_empty())
    }
}
