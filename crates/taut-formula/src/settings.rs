//! Parameters: what is computed once before all evaluations.

use crate::graph::{Graph, Input, Node, Operation};
use crate::number::Scalar;

/// A number that is known once the parameters are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// whatever the parameters are
    Constant(f64),
    /// the place among the values of [`Settings`]
    Place(u32),
}

impl Setting {
    /// Its value, among those of [`Settings::values`].
    pub fn value(self, values: &[f64]) -> f64 {
        match self {
            Setting::Constant(value) => value,
            Setting::Place(place) => values.get(place as usize).copied().unwrap_or(f64::NAN),
        }
    }

    /// The same among those of [`Settings::values_in`].
    pub fn value_in<N: Scalar>(self, values: &[N]) -> N {
        match self {
            Setting::Constant(value) => N::constant(value),
            Setting::Place(place) => {
                values.get(place as usize).copied().unwrap_or_else(|| N::constant(f64::NAN))
            }
        }
    }
}

/// What one place holds.
#[derive(Clone, Copy, Debug)]
enum Step {
    Parameter(u32),
    /// operation with its operands
    Operation(Operation, [Setting; 2]),
}

impl Step {
    fn of(graph: &Graph, node: Node) -> Self {
        match graph.operation(node) {
            Operation::Input(Input::Parameter(i)) => Step::Parameter(i),
            operation => {
                let mut operands = [Setting::Constant(0.0); 2];
                for (place, node) in operands.iter_mut().zip(operation.operands()) {
                    *place = graph.setting(node).unwrap_or(Setting::Constant(f64::NAN));
                }
                Step::Operation(operation, operands)
            }
        }
    }
}

/// All formulas of parameters alone, in an order of evaluation.
///
/// Every parameter has a default, which may be a formula of parameters before it.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    steps: Vec<Step>,
    defaults: Vec<Setting>,
}

impl Settings {
    /// Those of a graph, whose parameters have these defaults.
    pub fn new(graph: &Graph, defaults: &[Node]) -> Self {
        let mut settings = Settings::default();
        settings.extend(graph, defaults);
        settings
    }

    /// Takes in what is new in a graph since the last time.
    pub fn extend(&mut self, graph: &Graph, defaults: &[Node]) {
        let new = graph.fixed()[self.steps.len()..].iter();
        self.steps.extend(new.map(|&node| Step::of(graph, node)));
        let known = self.defaults.len();
        let new = defaults[known..].iter().map(|&node| graph.setting(node));
        self.defaults.extend(new.map(|setting| setting.unwrap_or(Setting::Constant(f64::NAN))));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The values of all formulas, with some parameters given, by number, instead of their defaults.
    pub fn values(&self, given: &[Option<f64>]) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.steps.len());
        self.continue_values(given, &mut values);
        values
    }

    /// The values of all formulas in numbers of any type, with the values of some parameters.
    pub fn values_in<N: Scalar>(&self, given: &[Option<N>]) -> Vec<N> {
        let mut values: Vec<N> = Vec::with_capacity(self.steps.len());
        self.continue_values_in(given, &mut values);
        values
    }

    fn continue_values_in<N: Scalar>(&self, given: &[Option<N>], values: &mut Vec<N>) {
        for &step in &self.steps {
            let value = match step {
                Step::Parameter(i) => match (given.get(i as usize), self.defaults.get(i as usize)) {
                    (Some(Some(given)), _) => *given,
                    (_, Some(default)) => default.value_in(values),
                    (_, None) => N::constant(f64::NAN),
                },
                Step::Operation(operation, [a, b]) => {
                    evaluate(operation, a.value_in(values), b.value_in(values))
                }
            };
            values.push(value);
        }
    }

    /// The value of a parameter: given, or its default, among values of the formulas before it.
    pub fn parameter(&self, number: usize, given: &[Option<f64>], values: &[f64]) -> f64 {
        match (given.get(number), self.defaults.get(number)) {
            (Some(Some(given)), _) => *given,
            (_, Some(default)) => default.value(values),
            (_, None) => f64::NAN,
        }
    }

    /// Goes on with values that were computed for a shorter list.
    pub fn continue_values(&self, given: &[Option<f64>], values: &mut Vec<f64>) {
        values.reserve(self.steps.len().saturating_sub(values.len()));
        for &step in &self.steps[values.len()..] {
            let value = match step {
                Step::Parameter(i) => self.parameter(i as usize, given, values),
                Step::Operation(operation, [a, b]) => evaluate(operation, a.value(values), b.value(values)),
            };
            values.push(value);
        }
    }
}

/// Formulas of parameters that were added to a graph after its [`Settings`] were taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Further {
    known: usize,
    settings: Settings,
}

impl Further {
    /// What a graph has beyond so many.
    pub(crate) fn beyond(graph: &Graph, known: usize) -> Self {
        let steps = graph.fixed()[known..].iter().map(|&node| Step::of(graph, node)).collect();
        Further { known, settings: Settings { steps, defaults: Vec::new() } }
    }

    /// The values of all formulas, from those that were known.
    pub(crate) fn values_in<N: Scalar>(&self, known: &[N]) -> Vec<N> {
        let known = &known[..self.known.min(known.len())];
        let mut values = Vec::with_capacity(known.len() + self.settings.steps.len());
        values.extend_from_slice(known);
        self.settings.continue_values_in(&[], &mut values);
        values
    }
}

/// One operation on numbers of any type.
pub(crate) fn evaluate<N: Scalar>(operation: Operation, a: N, b: N) -> N {
    match operation {
        Operation::Constant(bits) => N::constant(f64::from_bits(bits)),
        Operation::Input(_) => N::constant(f64::NAN),
        Operation::Add(..) => a + b,
        Operation::Subtract(..) => a - b,
        Operation::Multiply(..) => a * b,
        Operation::Divide(..) => a / b,
        Operation::Negative(_) => -a,
        Operation::Power(_, k) => a.powi(k),
        Operation::Unary(function, _) => function.of(a),
        Operation::Binary(function, ..) => function.of_any(a, b),
        Operation::Where(..) => a.select(b, N::zero()),
        Operation::Unless(..) => a.select(N::zero(), b),
    }
}

impl Graph {
    /// Where the value of a node is, when it is a number or a formula of parameters alone.
    pub fn setting(&self, node: Node) -> Option<Setting> {
        match self.value(node) {
            Some(value) => Some(Setting::Constant(value)),
            None => self.fixed().binary_search(&node).ok().map(|place| Setting::Place(place as u32)),
        }
    }

    /// The parameters that a node depends on, by number, each once.
    pub fn parameters_of(&mut self, node: Node) -> Vec<u32> {
        let nodes = self.reachable(node, |depends| depends.on(crate::graph::Depends::PARAMETER));
        let parameters = nodes.into_iter().filter_map(|node| match self.operation(node) {
            Operation::Input(Input::Parameter(i)) => Some(i),
            _ => None,
        });
        parameters.collect()
    }
}
