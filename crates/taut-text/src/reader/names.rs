//! The names that expressions may use.

use std::collections::HashMap;
use std::rc::Rc;

use super::quantity::Quantity;
use crate::function::{Function, SUM};
use crate::source::Span;
use taut_formula::graph::Node;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Parameter(Node),
    Coordinate(u32),
    /// a variable of a first-order model
    Variable(u32),
    Definition(Node),
    /// a vector or a matrix, of parameters or of definitions
    Several(Rc<Quantity>),
    Body,
    /// a joint without a variable of its own
    Joint,
}

impl Meaning {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Meaning::Parameter(_) => "a parameter",
            Meaning::Coordinate(_) => "a coordinate",
            Meaning::Variable(_) => "a variable",
            Meaning::Definition(_) => "a definition",
            Meaning::Several(_) => "a vector",
            Meaning::Body => "a body",
            Meaning::Joint => "a joint",
        }
    }
}

/// All names of a model so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: HashMap<String, (Meaning, Span)>,
    in_order: Vec<String>,
}

impl Names {
    pub(super) fn get(&self, name: &str) -> Option<Meaning> {
        self.known.get(name).map(|(meaning, _)| meaning.clone())
    }

    pub(super) fn place(&self, name: &str) -> Option<Span> {
        self.known.get(name).map(|(_, span)| *span)
    }

    pub(super) fn insert(&mut self, name: String, meaning: Meaning, span: Span) {
        self.in_order.push(name.clone());
        self.known.insert(name, (meaning, span));
    }

    pub(super) fn len(&self) -> usize {
        self.in_order.len()
    }

    /// The names in the order of their appearance.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.in_order.iter().map(String::as_str)
    }
}

/// The time.
pub(super) const TIME: &str = "t";
/// The number π.
pub(super) const PI: &str = "pi";

/// Why a name cannot be given by a model.
pub(super) fn reserved(name: &str) -> Option<String> {
    match name {
        TIME => Some("'t' is the time".into()),
        PI => Some("'pi' is a number".into()),
        _ if name == SUM || Function::find(name).is_some_and(Function::is_reserved) => {
            Some(format!("'{name}' is a function"))
        }
        _ => None,
    }
}
