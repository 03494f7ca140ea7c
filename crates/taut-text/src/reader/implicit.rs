//! Equations 0 = F(t, x, x') and matrices E(t, x): how they become E x' = f(t, x) with a constant matrix.
//!
//! What is linear in rates with constant coefficients goes into E. Any other rate becomes a variable of its own, called `x'`,
//! with x' = w in the row of x and the equation of x in the row of w.

use taut_formula::graph::{Depends, Graph, Input, Node};
use toml::de::DeTable;

use super::Reader;
use super::entries::Entry;
use super::first_order::Unread;
use super::lower::Role;
use crate::source::Span;
use taut_formula::settings::Setting;

/// The key of a rate of change at the start.
pub(super) const SLOPE: &str = "slope";
/// No variable has a higher index.
const HIGHEST_INDEX: f64 = 3.0;

/// A first-order system: names, start, right-hand sides, entries of E.
pub(super) struct Rows {
    pub(super) names: Vec<String>,
    pub(super) start: Vec<Node>,
    pub(super) rates: Vec<Node>,
    pub(super) entries: Vec<((usize, usize), Node)>,
}

impl<'a> Reader<'a> {
    /// E x' = f(t, x) with numbers in E. Right-hand sides may contain rates, E may depend on t and x.
    pub(super) fn explicit_system(&mut self, mut rows: Rows, slopes: &[Option<Node>]) -> Rows {
        self.collect_rates(&mut rows);
        let unknown = self.rates_to_be_found(&rows);
        if unknown.is_empty() {
            return rows;
        }
        let n = rows.names.len();
        let place = |j: usize| unknown.iter().position(|&k| k == j).map(|k| n + k);
        // The equation of a variable whose rate is one moves to the row of the rate.
        for ((i, _), _) in &mut rows.entries {
            *i = place(*i).unwrap_or(*i);
        }
        let mut rates = rows.rates.clone();
        for (k, &j) in unknown.iter().enumerate() {
            rates.push(rows.rates[j]);
            rates[j] = self.graph.input(Input::Position((n + k) as u32));
            let name = format!("{}'", rows.names[j]);
            // What is given instead is put in when the model is made.
            self.overrides.take(&name);
            rows.names.push(name);
            rows.start.push(slopes.get(j).copied().flatten().unwrap_or(Graph::ZERO));
        }
        // Rates that are variables stand in formulas, not in E.
        let (kept, moved): (Vec<_>, Vec<_>) =
            rows.entries.into_iter().partition(|((_, j), _)| place(*j).is_none());
        rows.entries = kept;
        for ((i, j), entry) in moved {
            let rate = self.graph.input(Input::Velocity(j as u32));
            let share = self.graph.multiply(entry, rate);
            rates[i] = self.graph.subtract(rates[i], share);
        }
        rows.entries.extend(unknown.iter().map(|&j| ((j, j), Graph::ONE)));
        let inputs: Vec<Node> =
            (0..rates.len()).map(|k| self.graph.input(Input::Position(k as u32))).collect();
        let value = |j: u32| place(j as usize).map_or(Graph::ZERO, |k| inputs[k]);
        rows.rates = rates.into_iter().map(|rate| self.graph.with_velocities(rate, value)).collect();
        rows
    }

    /// Moves what is linear in rates with constant coefficients from right-hand sides into E.
    fn collect_rates(&mut self, rows: &mut Rows) {
        for (i, rate) in rows.rates.iter_mut().enumerate() {
            let slopes = self.graph.gradient(*rate, Depends::VELOCITY);
            if slopes.is_empty() || slopes.iter().any(|&(_, slope)| self.graph.setting(slope).is_none()) {
                continue;
            }
            // 0 = Σ slope x' + rest
            *rate = self.graph.with_velocities_zero(*rate);
            rows.entries.retain(|((row, _), _)| *row != i);
            for (j, slope) in slopes {
                let entry = self.graph.negative(slope);
                rows.entries.push(((i, j), entry));
            }
        }
    }

    /// The variables whose rates are found as variables.
    fn rates_to_be_found(&mut self, rows: &Rows) -> Vec<usize> {
        let mut found = Vec::new();
        for &rate in &rows.rates {
            found.extend(self.graph.gradient(rate, Depends::VELOCITY).into_iter().map(|(j, _)| j));
        }
        let varying = rows.entries.iter().filter(|(_, entry)| self.graph.setting(*entry).is_none());
        found.extend(varying.map(|((_, j), _)| *j));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What rates are near the start, by variable.
    pub(super) fn slopes_at_start(&self, variables: &[Unread<'a>]) -> Vec<Option<Node>> {
        variables.iter().map(|variable| variable.slope).collect()
    }

    /// Where slopes are given.
    pub(super) fn places_of_slopes(&self, variables: &[Unread<'a>]) -> Vec<(String, Span)> {
        let given = variables.iter().filter_map(|variable| {
            let value = variable.table?.get(SLOPE)?;
            Some((variable.entry.name.clone(), Span::new(value.span())))
        });
        given.collect()
    }

    /// A slope is given where it is looked for.
    pub(super) fn check_slopes(&mut self, rows: &Rows, places: &[(String, Span)]) {
        for (name, span) in places {
            let rate = format!("{name}'");
            if !rows.names.contains(&rate) && !self.mistakes.any() {
                self.mistakes
                    .add(*span, format!("the rate of '{name}' follows from its equation"))
                    .label("there is nothing to look for")
                    .help("a slope helps where an equation contains the rate and is not linear in it");
            }
        }
    }

    /// `index` of a variable.
    pub(super) fn read_index(&mut self, entry: &Entry<'a>, table: &'a DeTable<'a>, number: usize) {
        let Some(value) = table.get("index") else { return };
        let index = self.number(value, &mut entry.indices.clone(), &Role::constant("an index"));
        let Some(index) = index.and_then(|index| self.structural_value(index)) else { return };
        if (0.0..=HIGHEST_INDEX).contains(&index) && index.fract() == 0.0 {
            self.index.push((number, index as u8));
        } else {
            self.mistakes
                .add(Span::new(value.span()), "the index of a variable is 0, 1, 2 or 3")
                .label(format!("= {index}"));
        }
    }

    /// The index of each variable, when one of them was declared: that of others is 0, or 1 where they have no derivative.
    pub(super) fn declared_index(
        &mut self,
        n: usize,
        entries: &[(usize, usize, Setting)],
    ) -> Option<Vec<u8>> {
        if self.index.is_empty() {
            return None;
        }
        let mut index = vec![1; n];
        for &(_, j, _) in entries {
            index[j] = 0;
        }
        for &(j, declared) in &self.index {
            index[j] = declared;
        }
        Some(index)
    }
}
