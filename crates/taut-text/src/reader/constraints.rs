//! `[constraints]` and `[nonholonomic]`.

use std::collections::HashMap;

use taut::system::Constraint;
use taut_formula::graph::{Depends, Graph, Node};
use toml::de::DeValue;

use super::Reader;
use super::document::{Section, Value};
use super::entries::Entry;
use super::lower::Role;
use super::quantity::{Quantity, elements};
use crate::source::Span;

const HOLONOMIC: Role = Role {
    what: "a constraint",
    allowed: Depends::TIME.or(Depends::POSITION),
    help: "constraints on velocities go under [nonholonomic]",
};
/// Whether a constraint is in force at the start.
const ACTIVE: &str = "active";
const NONHOLONOMIC: Role = Role::any("a constraint on velocities");

/// What `[constraints]` and `[nonholonomic]` say.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) constraints: Vec<Constraint>,
    pub(super) equations: Vec<Node>,
    /// compliance and relaxation time of each
    pub(super) springs: Vec<[Node; 2]>,
}

impl<'a> Reader<'a> {
    /// The constraints with their equations, first the holonomic ones.
    pub(super) fn read_constraints(&mut self) -> Rows {
        let mut rows = Rows::default();
        let mut places: HashMap<String, Span> = HashMap::new();
        for section in [Section::Constraints, Section::Nonholonomic] {
            for part in self.document.parts(section) {
                for entry in self.entries(&part) {
                    self.check_label(&entry);
                    self.constraint(&entry, section == Section::Constraints, &mut rows);
                    if let Some(first) = places.insert(entry.name.clone(), entry.span) {
                        self.mistakes
                            .add(entry.span, format!("there is a constraint '{}' already", entry.name))
                            .also(first, "first here");
                    }
                }
            }
        }
        rows
    }

    /// A constraint with its equation; between vectors one for each element, `name[1]` and so on.
    fn constraint(&mut self, entry: &Entry<'a>, holonomic: bool, rows: &mut Rows) {
        let (equation, spring) = self.equation_and_spring(entry, holonomic);
        let active = self.is_active(entry);
        let role = if holonomic { HOLONOMIC } else { NONHOLONOMIC };
        let value = equation.and_then(|x| self.quantity(x, &mut entry.indices.clone(), &role));
        let nodes = match (value, equation) {
            (Some(Quantity::Vector(nodes)), _) => nodes,
            (Some(value), Some(equation)) => self.expect_number(value, equation).into_iter().collect(),
            _ => Vec::new(),
        };
        let [compliance, relaxation] = spring.map(|number| self.value(number).unwrap_or(0.0));
        for (name, node) in elements(&entry.name, nodes.len()).into_iter().zip(nodes) {
            self.check_restricts(node, equation, holonomic);
            if !active {
                self.inactive.push(name.clone());
            }
            rows.constraints.push(match holonomic {
                true => Constraint::damped_spring(name, compliance, relaxation),
                false => Constraint::nonholonomic(name),
            });
            rows.equations.push(node);
            rows.springs.push(spring);
        }
    }

    /// A constraint is an equation, or a table with the equation, a compliance and a relaxation time.
    fn equation_and_spring(
        &mut self,
        entry: &Entry<'a>,
        holonomic: bool,
    ) -> (Option<&'a Value<'a>>, [Node; 2]) {
        const QUANTITIES: [(&str, &str); 2] =
            [("compliance", "a compliance"), ("relaxation", "a relaxation time")];
        if !matches!(entry.value.get_ref(), DeValue::Table(_)) {
            return (Some(entry.value), [Graph::ZERO; 2]);
        }
        let example = match holonomic {
            true => "{ equation = \"hypot(x, y) - 1\", compliance = \"eps^2\" }",
            false => "{ equation = \"x' - 1\", active = false }",
        };
        let known: &[&str] = match holonomic {
            true => &["equation", "compliance", "relaxation", ACTIVE],
            false => &["equation", ACTIVE],
        };
        let Some(table) = self.fields(entry, known, example) else {
            return (None, [Graph::ZERO; 2]);
        };
        let equation = table.get("equation");
        if equation.is_none() {
            self.mistakes
                .add(
                    Span::new(entry.value.span()),
                    format!("the constraint '{}' has no equation", entry.name),
                )
                .label("'equation' is missing");
        }
        let (mut spring, mut values) = ([Graph::ZERO; 2], [0.0; 2]);
        for (k, (name, words)) in QUANTITIES.into_iter().enumerate() {
            let Some(value) = table.get(name) else { continue };
            let known = self.number(value, &mut entry.indices.clone(), &Role::constant(words));
            spring[k] = known.unwrap_or(Graph::ZERO);
            values[k] = self.signed_value(spring[k]).unwrap_or(0.0);
            if values[k] < 0.0 {
                self.mistakes
                    .add(Span::new(value.span()), format!("{words} cannot be negative"))
                    .label(format!("= {}", values[k]));
            }
        }
        if let (Some(value), [0.0, relaxation]) = (table.get("relaxation"), values)
            && relaxation > 0.0
        {
            self.mistakes
                .add(Span::new(value.span()), "a damper stands beside a spring, and this is a rod")
                .label(format!("= {relaxation}"))
                .help("give the constraint a small compliance");
        }
        (equation, spring)
    }

    /// `active = false`: it is in force from the event on that adds it.
    fn is_active(&mut self, entry: &Entry<'a>) -> bool {
        let DeValue::Table(table) = entry.value.get_ref() else { return true };
        match table.get(ACTIVE).map(|value| (value, value.get_ref())) {
            None => true,
            Some((_, DeValue::Boolean(active))) => *active,
            Some((value, other)) => {
                self.mistakes
                    .add(Span::new(value.span()), "'active' is true or false")
                    .label(format!("found {}", super::document::article(other)));
                true
            }
        }
    }

    /// A constraint must contain what it restricts.
    fn check_restricts(&mut self, node: Node, equation: Option<&'a Value<'a>>, holonomic: bool) {
        let Some(equation) = equation else { return };
        let (kind, word) =
            if holonomic { (Depends::POSITION, "coordinate") } else { (Depends::VELOCITY, "velocity") };
        if self.graph.depends(node).on(kind) {
            return;
        }
        let mistake =
            self.mistakes.add(Span::new(equation.span()), format!("this constraint contains no {word}"));
        if !holonomic {
            mistake.help("constraints on positions go under [constraints]");
        }
    }
}
