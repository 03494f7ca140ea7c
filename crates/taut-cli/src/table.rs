//! From state vectors to rows of the output.

use taut::equations::Layout;
use taut_text::Model;

use crate::model::Subject;

/// The columns of the output: t, positions, velocities, multipliers, and what the model observes.
pub struct Table<'m> {
    model: &'m Model,
    names: Vec<String>,
    /// the layout of the states that a run gives, without the multipliers of redundant constraints
    layout: Layout,
    /// for each multiplier of a state its place among all
    kept: Vec<usize>,
    multipliers: usize,
    row: Vec<f64>,
}

impl<'m> Table<'m> {
    /// The table of a model in which these constraints are redundant.
    pub fn new(subject: &'m Subject, redundant: &[String]) -> Self {
        let model = &subject.model;
        let coordinates = model.coordinates();
        let mut names = vec!["t".to_owned()];
        names.extend_from_slice(coordinates);
        let (mut layout, mut kept, mut multipliers) = (Layout::first_order(coordinates.len()), Vec::new(), 0);
        if let Some(system) = subject.mechanism() {
            let constraints = &system.structure().constraints;
            names.extend(coordinates.iter().map(|name| format!("{name}'")));
            names.extend(constraints.iter().map(|constraint| format!("lambda.{}", constraint.name)));
            multipliers = constraints.len();
            kept = (0..multipliers).filter(|&k| !redundant.contains(&constraints[k].name)).collect();
            layout = Layout::mechanical(coordinates.len(), kept.len());
        }
        names.extend_from_slice(model.observers.names());
        let row = vec![0.0; names.len()];
        Table { model, names, layout, kept, multipliers, row }
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
        let (q, v, lambda) = self.layout.split(y);
        let (time, rest) = self.row.split_at_mut(1);
        let (positions, rest) = rest.split_at_mut(q.len());
        let (velocities, rest) = rest.split_at_mut(v.len());
        let (multipliers, observed) = rest.split_at_mut(self.multipliers);
        time[0] = t;
        positions.copy_from_slice(q);
        velocities.copy_from_slice(v);
        multipliers.fill(0.0);
        for (&k, lambda) in self.kept.iter().zip(lambda) {
            multipliers[k] = *lambda;
        }
        self.model.observers.evaluate(t, q, v, observed);
        &self.row
    }
}
