//! From state vectors to rows of the output.

use taut::equations::Layout;
use taut_text::Model;

use crate::model::Subject;

/// The columns of the output: t, positions, velocities, multipliers, and what the model observes.
pub struct Table<'m> {
    model: &'m Model,
    names: Vec<String>,
    layout: Layout,
    row: Vec<f64>,
}

impl<'m> Table<'m> {
    /// The table of a model.
    pub fn new(subject: &'m Subject) -> Self {
        let model = &subject.model;
        let coordinates = model.coordinates();
        let mut names = vec!["t".to_owned()];
        names.extend_from_slice(coordinates);
        let mut layout = Layout::first_order(coordinates.len());
        if let Some(system) = subject.mechanism() {
            let constraints = &system.structure().constraints;
            names.extend(coordinates.iter().map(|name| format!("{name}'")));
            names.extend(constraints.iter().map(|constraint| format!("lambda.{}", constraint.name)));
            layout = Layout::mechanical(coordinates.len(), constraints.len());
        }
        names.extend_from_slice(model.observers.names());
        let row = vec![0.0; names.len()];
        Table { model, names, layout, row }
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The positions (or variables) and velocities of a state.
    pub fn motion<'y>(&self, y: &'y [f64]) -> (&'y [f64], &'y [f64]) {
        let (q, v, _) = self.layout.split(y);
        (q, v)
    }

    /// The row of a state.
    pub fn row(&mut self, t: f64, y: &[f64]) -> &[f64] {
        let (time, rest) = self.row.split_at_mut(1);
        let (state, observed) = rest.split_at_mut(self.layout.len());
        time[0] = t;
        state.copy_from_slice(y);
        self.model.observe(t, y, observed);
        &self.row
    }
}
