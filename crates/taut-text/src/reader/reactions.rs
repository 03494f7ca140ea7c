//! What observations may ask of constraints: the multiplier `lambda.rod`, and the power `power.rod` of its reaction.

use std::collections::HashMap;

use taut_formula::graph::{Depends, Graph, Input, Node};

use super::Reader;
use super::constraints::Rows;
use super::document::Kind;
use super::quantity::Quantity;
use crate::source::Span;

/// The constraints whose multipliers formulas may use.
#[derive(Debug, Default)]
pub(super) struct Reactions {
    /// names and equations; those of joints have no equation here
    rows: Vec<(String, Option<Equation>)>,
    /// the names of springs
    springs: Vec<String>,
    /// the rows of a constraint, by its name: several where it is one of vectors
    places: HashMap<String, Vec<u32>>,
}

/// g(t, q) or h(t, q, v) of a constraint.
#[derive(Clone, Copy, Debug)]
struct Equation {
    value: Node,
    is_holonomic: bool,
}

/// What is asked of a constraint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Multiplier,
    Power,
}

const MULTIPLIER: &str = "lambda.";
const POWER: &str = "power.";

impl Reactions {
    /// Whether a constraint is a spring.
    pub(super) fn is_spring(&self, name: &str) -> bool {
        self.springs.iter().any(|known| known == name)
    }

    fn add(&mut self, name: &str, equation: Option<Equation>) {
        let row = self.rows.len() as u32;
        self.rows.push((name.to_string(), equation));
        let whole = name.split('[').next().unwrap_or(name);
        self.places.entry(whole.to_string()).or_default().push(row);
    }

    /// Adds the constraints of `[constraints]` and `[nonholonomic]`.
    pub(super) fn add_rows(&mut self, rows: &Rows) {
        for (constraint, &value) in rows.constraints.iter().zip(&rows.equations) {
            if constraint.compliance() > 0.0 {
                self.springs.push(constraint.name.clone());
            }
            self.add(&constraint.name, Some(Equation { value, is_holonomic: constraint.is_holonomic() }));
        }
    }

    /// Adds the constraints of joints.
    pub(super) fn add_joints<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        names.for_each(|name| self.add(name, None));
    }

    /// The names of the constraints with this equation.
    pub(super) fn with_equation(&self, node: Node) -> Vec<String> {
        let has = |equation: &Option<Equation>| equation.is_some_and(|equation| equation.value == node);
        self.rows.iter().filter(|(_, equation)| has(equation)).map(|(name, _)| name.clone()).collect()
    }

    /// The names of the constraints, in the order of the multipliers in formulas.
    pub(super) fn names(&self) -> Vec<String> {
        self.rows.iter().map(|(name, _)| name.clone()).collect()
    }
}

impl Reader<'_> {
    /// Whether a name asks for what a constraint does. A body of that name comes first.
    pub(super) fn is_reaction(&self, name: &str) -> bool {
        let asks = name.starts_with(MULTIPLIER) || name.starts_with(POWER);
        let free = |name: &str| self.names.get(name).is_none();
        asks && free(name) && name.split('.').next().is_some_and(free)
    }

    /// `lambda.rod` or `power.rod`; nothing when the name is another one, or was noted as a mistake.
    pub(super) fn reaction(&mut self, name: &str, span: Span) -> Option<Quantity> {
        let (asked, of) = match (name.strip_prefix(MULTIPLIER), name.strip_prefix(POWER)) {
            (Some(of), _) => (Asked::Multiplier, of),
            (_, Some(of)) => (Asked::Power, of),
            _ => return None,
        };
        let Some(rows) = self.reactions.places.get(of).cloned() else {
            self.unknown_constraint(of, span);
            return None;
        };
        let nodes: Option<Vec<Node>> = rows.into_iter().map(|row| self.of_row(asked, row, span)).collect();
        Some(match nodes?.as_slice() {
            [one] => Quantity::Number(*one),
            several => Quantity::Vector(several.to_vec()),
        })
    }

    fn of_row(&mut self, asked: Asked, row: u32, span: Span) -> Option<Node> {
        let lambda = self.graph.input(Input::Multiplier(row));
        if asked == Asked::Multiplier {
            return Some(lambda);
        }
        let Some(equation) = self.reactions.rows[row as usize].1 else {
            self.mistakes
                .add(span, "the power of a joint is not known here")
                .help("its multiplier is lambda.NAME; the energy of the summary has all powers");
            return None;
        };
        Some(self.reaction_power(equation, lambda))
    }

    /// −λ G v: what the force −Gᵀλ does to the energy of what moves; Gᵀ is the gradient of h by velocities where the
    /// constraint is one on these.
    fn reaction_power(&mut self, equation: Equation, lambda: Node) -> Node {
        let kind = if equation.is_holonomic { Depends::POSITION } else { Depends::VELOCITY };
        let mut rate = Graph::ZERO;
        for (i, slope) in self.graph.gradient(equation.value, kind) {
            let velocity = self.graph.input(Input::Velocity(i as u32));
            let share = self.graph.multiply(slope, velocity);
            rate = self.graph.add(rate, share);
        }
        let power = self.graph.multiply(lambda, rate);
        self.graph.negative(power)
    }

    fn unknown_constraint(&mut self, name: &str, span: Span) {
        if self.kind != Kind::Mechanical {
            self.mistakes.add(span, format!("{} does not know this of a constraint", self.kind.words()));
            return;
        }
        let mut known: Vec<&str> = self.reactions.places.keys().map(String::as_str).collect();
        known.sort_unstable();
        self.mistakes
            .add(span, format!("there is no constraint '{name}'"))
            .label("not a constraint")
            .suggest(name, known);
    }
}
