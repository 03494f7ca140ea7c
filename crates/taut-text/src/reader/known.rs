//! Numbers that are known once the parameters are.

use std::collections::{BTreeSet, HashMap};

use taut_formula::graph::{Depends, Graph, Input, Node};
use taut_formula::number::DoubleDouble;
use taut_formula::settings::{Setting, Settings};

use super::{Parameters, Reader};
use crate::compiled::Parameter;

/// Parameters and what follows from them.
#[derive(Debug)]
pub(super) struct Known {
    treatment: Parameters,
    names: Vec<String>,
    defaults: Vec<Node>,
    given: Vec<Option<f64>>,
    /// the numbers of those that the structure depends on
    structural: BTreeSet<u32>,
    /// numbers whose sign the structure depends on
    signs: Vec<(Node, f64)>,
    settings: Settings,
    values: Vec<f64>,
    /// numbers of the file that are inputs, by their text
    numbers: HashMap<String, Node>,
    /// the exact values of inputs, where they are known
    exact: Vec<Option<DoubleDouble>>,
}

impl Known {
    pub(super) fn new(treatment: Parameters) -> Self {
        Known {
            treatment,
            names: Vec::new(),
            defaults: Vec::new(),
            given: Vec::new(),
            structural: BTreeSet::new(),
            signs: Vec::new(),
            settings: Settings::default(),
            values: Vec::new(),
            numbers: HashMap::new(),
            exact: Vec::new(),
        }
    }

    /// The number of parameters.
    pub(super) fn count(&self) -> usize {
        self.defaults.len()
    }

    /// The names of the parameters.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether one of them is not zero: as an input it may make another model than as a number.
    pub(super) fn has_parameters(&self) -> bool {
        !self.settings.is_empty()
    }
}

impl Reader<'_> {
    /// The node of a new parameter: an input, unless it is to be a number. A parameter that is zero is one, so that what it
    /// multiplies is left out.
    pub(super) fn parameter(&mut self, name: &str, default: Option<Node>) -> Option<Node> {
        let given = self.overrides.take(name);
        let default = default.or_else(|| given.map(|_| Graph::ZERO))?;
        let number = self.known.defaults.len() as u32;
        self.known.names.push(name.to_string());
        self.known.defaults.push(default);
        self.known.given.push(given);
        self.known.exact.push(given.and_then(as_written));
        let value = given.or_else(|| self.value(default))?;
        if self.known.treatment == Parameters::Numbers {
            self.known.structural.insert(number);
            return Some(self.graph.constant(value));
        }
        if value == 0.0 { Some(Graph::ZERO) } else { Some(self.graph.input(Input::Parameter(number))) }
    }

    /// A number of the file with its text. Where numbers are to be exact it is an input, but for 0 and ±1, which are what they
    /// are in every arithmetic.
    pub(super) fn written(&mut self, value: f64, text: &str) -> Node {
        if self.known.treatment != Parameters::Exact || value == 0.0 || value.abs() == 1.0 {
            return self.graph.constant(value);
        }
        let text = if text.parse() == Ok(value) { text.to_owned() } else { value.to_string() };
        if let Some(&known) = self.known.numbers.get(&text) {
            return known;
        }
        let default = self.graph.constant(value);
        let node = self.graph.input(Input::Parameter(self.known.defaults.len() as u32));
        self.known.names.push(text.clone());
        self.known.defaults.push(default);
        self.known.given.push(None);
        self.known.exact.push(DoubleDouble::parse(&text));
        self.known.numbers.insert(text, node);
        node
    }

    /// Whether an exponent that is known becomes a number: squares are not what other powers are. Of exact numbers only
    /// whole ones and halves do.
    pub(super) fn is_number_as_exponent(&self, value: f64) -> bool {
        self.known.treatment != Parameters::Exact || (2.0 * value).fract() == 0.0
    }

    /// The value of a node that is known.
    pub(super) fn value(&mut self, node: Node) -> Option<f64> {
        if self.graph.depends(node).beyond(Depends::PARAMETER) != Depends::NOTHING {
            return None;
        }
        self.known.settings.extend(&self.graph, &self.known.defaults);
        self.known.settings.continue_values(&self.known.given, &mut self.known.values);
        self.graph.setting(node).map(|setting| setting.value(&self.known.values))
    }

    /// The value of a node that is known, on which the structure of the model depends.
    pub(super) fn structural_value(&mut self, node: Node) -> Option<f64> {
        let value = self.value(node)?;
        if self.graph.depends(node).on(Depends::PARAMETER) {
            self.known.structural.extend(self.graph.parameters_of(node));
        }
        Some(value)
    }

    /// The value of a node that is known, on whose sign the structure of the model depends.
    pub(super) fn signed_value(&mut self, node: Node) -> Option<f64> {
        let value = self.value(node)?;
        if self.graph.depends(node).on(Depends::PARAMETER) {
            self.known.signs.push((node, value));
        }
        Some(value)
    }

    /// Where the number is found later.
    pub(super) fn setting(&self, node: Node) -> Setting {
        self.graph.setting(node).unwrap_or(Setting::Constant(f64::NAN))
    }

    /// The exact values of inputs.
    pub(super) fn exact(&self) -> Vec<Option<DoubleDouble>> {
        self.known.exact.clone()
    }

    /// All that is known, for later: formulas of parameters, the parameters, and the signs.
    pub(super) fn settings(&mut self) -> (Settings, Vec<Parameter>, Vec<(Setting, f64)>) {
        self.known.settings.extend(&self.graph, &self.known.defaults);
        self.known.settings.continue_values(&self.known.given, &mut self.known.values);
        let Known { settings, names, given, structural, values, signs, .. } = &self.known;
        let parameters = names.iter().enumerate().map(|(i, name)| Parameter {
            name: name.as_str().into(),
            value: settings.parameter(i, given, values),
            structural: structural.contains(&(i as u32)),
        });
        let signs = signs.iter().map(|&(node, value)| (self.setting(node), value));
        (settings.clone(), parameters.collect(), signs.collect())
    }
}

/// The shortest decimal number that is this one.
fn as_written(value: f64) -> Option<DoubleDouble> {
    DoubleDouble::parse(&value.to_string())
}
