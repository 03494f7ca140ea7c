//! What the names in expressions stand for.

use std::fmt::Write;

use taut_formula::graph::{Depends, Input, Node};

use super::document::Kind;
use super::hamiltonian::MOMENTUM;
use super::lower::Role;
use super::names::{Meaning, PI, TIME};
use super::quantity::Quantity;
use super::{Indices, Reader};
use crate::expression::{Expression, Name, Part};
use crate::function::Function;
use crate::limits;

/// π with more digits than any number has here.
const PI_TEXT: &str = "3.14159265358979323846264338327950288419717";

impl Reader<'_> {
    pub(super) fn lower_name(
        &mut self,
        name: &Name,
        expression: &Expression,
        indices: &mut Indices,
        role: &Role,
    ) -> Option<Quantity> {
        let full = self.full_name(name, expression, indices)?;
        if name.primes == 0
            && let Some(value) = self.local(&full)
        {
            return Some(value.clone());
        }
        let quantity = match name.primes {
            0 if role.allowed.on(Depends::MULTIPLIER) && self.is_reaction(&full) => {
                return self.reaction(&full, expression.span);
            }
            0 => self.value_of(&full, expression, indices),
            1 => self.velocity(&full, expression, role),
            _ => self.acceleration(&full, expression, role),
        }?;
        let beyond = match &quantity {
            Quantity::Number(node) => self.graph.depends(*node),
            several => {
                let depends = |depends: Depends, node: Node| depends.or(self.graph.depends(node));
                several.nodes().into_iter().fold(Depends::NOTHING, depends)
            }
        };
        let beyond = beyond.beyond(role.allowed.or(Depends::PARAMETER));
        if beyond != Depends::NOTHING && !self.mistakes.has(expression.span) {
            let (label, message) =
                describe_excess(role.what, beyond, &full, name.primes > 0, self.names.get(&full));
            let mistake = self.mistakes.add(expression.span, message).label(label);
            if beyond.on(Depends::ACCELERATION) && role.help.is_empty() {
                mistake.help("accelerations follow from the forces; [observe] may use them");
            } else {
                mistake.help(role.help);
            }
            return None;
        }
        Some(quantity)
    }

    /// The name with the values of its indices.
    fn full_name(&mut self, name: &Name, expression: &Expression, indices: &mut Indices) -> Option<String> {
        let mut full = String::with_capacity(16);
        for part in &name.parts {
            match part {
                Part::Text(text) => full.push_str(text),
                Part::Index(index) => push_number(&mut full, self.whole_number(index, indices)?),
            }
        }
        if full.len() > limits::NAME_BYTES {
            self.mistakes.add(expression.span, "this name is too long");
            return None;
        }
        Some(full)
    }

    /// `x'`: the velocity of a coordinate, the rate of change of a definition along the motion.
    fn velocity(&mut self, name: &str, expression: &Expression, role: &Role) -> Option<Quantity> {
        let accelerations = role.allowed.on(Depends::ACCELERATION);
        match self.names.get(name) {
            Some(Meaning::Coordinate(i)) => {
                return Some(Quantity::Number(self.graph.input(Input::Velocity(i))));
            }
            Some(meaning)
                if self.kind == Kind::Mechanical
                    && (accelerations || !self.depends_on_velocities(&meaning)) =>
            {
                if let Some(rate) = self.rate_of(&meaning) {
                    return Some(rate);
                }
            }
            Some(Meaning::Variable(i)) if self.takes_rates => {
                return Some(Quantity::Number(self.graph.input(Input::Velocity(i))));
            }
            Some(meaning) if accelerations => {
                if let Some(rate) = self.rate_of_variables(&meaning) {
                    return Some(rate);
                }
            }
            _ => {}
        }
        if self.mistakes.has(expression.span) {
            return None;
        }
        match self.names.get(name) {
            Some(Meaning::Variable(_)) if self.kind == Kind::Hamiltonian => {
                self.mistakes
                    .add(expression.span, format!("'{name}' has a momentum instead of a velocity"))
                    .label(format!("known here: {MOMENTUM}{name}"));
            }
            Some(Meaning::Variable(_)) => {
                self.mistakes
                    .add(expression.span, format!("'{name}' has no velocity here"))
                    .label(format!("a variable of {}", self.kind.words()))
                    .help("its rate of change is what [variables] says; equation = \"...\" may contain it");
            }
            Some(meaning) if self.depends_on_velocities(&meaning) => {
                self.mistakes
                    .add(expression.span, format!("the rate of change of '{name}' contains accelerations"))
                    .label(format!("'{name}' contains velocities"));
            }
            Some(meaning) => {
                self.mistakes
                    .add(expression.span, "only coordinates and what depends on them have velocities")
                    .label(format!("'{name}' is {}", meaning.kind()));
            }
            None => self.unknown(name, expression, &Indices::new()),
        }
        None
    }

    /// `x''`: the acceleration of a coordinate, the second derivative of a definition along the motion.
    fn acceleration(&mut self, name: &str, expression: &Expression, role: &Role) -> Option<Quantity> {
        if let Some(Meaning::Coordinate(i)) = self.names.get(name) {
            return Some(Quantity::Number(self.graph.input(Input::Acceleration(i))));
        }
        let velocity = self.velocity(name, expression, role)?;
        let jerk = |node: Node| self.graph.depends(node).on(Depends::ACCELERATION);
        if velocity.nodes().into_iter().any(jerk) {
            self.mistakes
                .add(
                    expression.span,
                    format!("'{name}' contains velocities, and their accelerations have no name"),
                )
                .help(format!("{name}' has accelerations in it"));
            return None;
        }
        Some(velocity.map(|node| self.rate_along_motion(node)))
    }

    fn depends_on_velocities(&self, meaning: &Meaning) -> bool {
        let nodes = match meaning {
            Meaning::Definition(node) => vec![*node],
            Meaning::Several(quantity) => quantity.nodes(),
            _ => Vec::new(),
        };
        nodes.into_iter().any(|node| self.graph.depends(node).on(Depends::VELOCITY))
    }

    fn value_of(&mut self, name: &str, expression: &Expression, indices: &Indices) -> Option<Quantity> {
        if let Some((_, value)) = indices.iter().rev().find(|(index, _)| **index == *name) {
            return Some(Quantity::Number(self.graph.constant(*value)));
        }
        let node = match (name, self.names.get(name)) {
            (_, Some(Meaning::Parameter(node))) => node,
            (_, Some(Meaning::Coordinate(i) | Meaning::Variable(i))) => self.graph.input(Input::Position(i)),
            (_, Some(Meaning::Definition(node))) => node,
            (_, Some(Meaning::Several(quantity))) => return Some((*quantity).clone()),
            (TIME, None) => self.graph.input(Input::Time),
            (PI, None) => self.written(std::f64::consts::PI, PI_TEXT),
            _ => match self.of_body(name) {
                Some(node) => node,
                None => {
                    self.unknown(name, expression, indices);
                    return None;
                }
            },
        };
        Some(Quantity::Number(node))
    }

    /// What a name with dots stands for in a model with bodies.
    fn of_body(&mut self, name: &str) -> Option<Node> {
        self.body_names.as_ref()?.find(&mut self.graph, name)
    }

    fn unknown(&mut self, name: &str, expression: &Expression, indices: &Indices) {
        // Names that could not be understood are in the file all the same: say nothing of them twice.
        if self.mistakes.has(expression.span) || self.failed.contains(name) || self.names_are_missing {
            return;
        }
        if Function::names().any(|function| function == name) {
            self.mistakes
                .add(expression.span, format!("'{name}' is a function"))
                .label("without arguments")
                .help(format!("{name}(...)"));
            return;
        }
        let mistake = self.mistakes.add(expression.span, format!("unknown name '{name}'"));
        if name.starts_with("lambda.") {
            mistake
                .label("a multiplier")
                .help("multipliers are columns of the output; only [observe] can use them");
            return;
        }
        if self.below.contains(name) {
            mistake
                .label("not yet known")
                .help(format!("'{name}' is given below; a name is used after it is given"));
            return;
        }
        let known = self.names.iter().chain(indices.iter().map(|(i, _)| &**i)).chain([TIME, PI]);
        let known = known.chain(self.body_names.iter().flat_map(|names| names.names()));
        mistake.label("not known").suggest(name, known);
    }
}

/// Adds a whole number to a name.
pub(super) fn push_number(name: &mut String, number: i64) {
    // Writing to a string does not fail.
    let _ = write!(name, "{number}");
}

/// Label and message for a name that depends on what is not allowed.
fn describe_excess(
    what: &str,
    beyond: Depends,
    name: &str,
    velocity: bool,
    meaning: Option<Meaning>,
) -> (String, String) {
    let kind = if beyond.on(Depends::ACCELERATION) {
        "accelerations"
    } else if beyond.on(Depends::VELOCITY) {
        "velocities"
    } else if beyond.on(Depends::POSITION) {
        "coordinates"
    } else {
        "the time"
    };
    let label = match meaning {
        _ if velocity && beyond.on(Depends::ACCELERATION) => "an acceleration".to_string(),
        _ if velocity => "a velocity".to_string(),
        Some(Meaning::Definition(_) | Meaning::Several(_)) => format!("'{name}' contains {kind}"),
        Some(meaning) => meaning.kind().to_string(),
        None => "the time".to_string(),
    };
    (label, format!("{what} cannot depend on {kind}"))
}
