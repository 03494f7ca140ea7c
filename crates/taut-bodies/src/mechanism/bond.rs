//! What holds bodies together, row by row, and where its derivatives go.

use taut::linear::Pattern;

use super::balls::Balls;
use super::distance::Distance;
use super::link::{Link, MOST_ROWS};
use super::local::{LocalBlock, LocalRow, SIZE, Scatter, Touched, VARIABLES};
use super::pins::Pins;
use crate::vector::{Vector, times};

/// The rows of one joint.
#[derive(Clone, Debug)]
pub(crate) enum Bond {
    Link(Link),
    Distance(Distance),
}

impl Bond {
    pub(crate) fn touched(&self) -> &Touched {
        match self {
            Bond::Link(link) => &link.touched,
            Bond::Distance(distance) => &distance.touched,
        }
    }

    pub(crate) fn rows(&self) -> usize {
        match self {
            Bond::Link(link) => link.rows(),
            Bond::Distance(_) => 1,
        }
    }

    pub(crate) fn row_names(&self) -> Vec<String> {
        match self {
            Bond::Link(link) => link.row_names(),
            Bond::Distance(_) => vec!["length".to_string()],
        }
    }

    pub(crate) fn value(&self, q: &[f64], g: &mut [f64]) {
        match self {
            Bond::Link(link) => link.value(q, g),
            Bond::Distance(distance) => g[0] = distance.value(q),
        }
    }

    pub(crate) fn jacobian(&self, q: &[f64], rows: &mut [LocalRow; MOST_ROWS]) {
        match self {
            Bond::Link(link) => link.jacobian(q, rows),
            Bond::Distance(distance) => distance.gradient(q, &mut rows[0]),
        }
    }

    pub(crate) fn rate(&self, q: &[f64], v: &[f64], rate: &mut [f64]) {
        let mut rows = [[0.0; SIZE]; MOST_ROWS];
        self.jacobian(q, &mut rows);
        let along = self.touched().local(v);
        for (rate, row) in rate.iter_mut().zip(&rows).take(self.rows()) {
            *rate = row.iter().zip(&along).map(|(g, v)| g * v).sum();
        }
    }

    pub(crate) fn curvature(&self, q: &[f64], v: &[f64], curvature: &mut [f64]) {
        match self {
            Bond::Link(link) => link.curvature(q, v, curvature),
            Bond::Distance(distance) => curvature[0] = distance.curvature(q, v),
        }
    }

    /// Adds the second derivatives of Σ λ g.
    pub(crate) fn second(&self, q: &[f64], lambda: &[f64], block: &mut LocalBlock) {
        match self {
            Bond::Link(link) => link.second(q, lambda, block),
            Bond::Distance(distance) => distance.second(q, lambda[0], block),
        }
    }

    /// Force and torque on the second body, in the world, at the joint.
    pub(crate) fn reaction(&self, q: &[f64], lambda: &[f64]) -> [Vector; 2] {
        match self {
            Bond::Link(link) => link.reaction(q, lambda),
            Bond::Distance(distance) => [times(-lambda[0], distance.direction(q)), [0.0; 3]],
        }
    }

    /// Where it is, on its second body.
    pub(crate) fn place(&self, q: &[f64]) -> Vector {
        match self {
            Bond::Link(link) => link.place(q),
            Bond::Distance(distance) => distance.place(q),
        }
    }

    /// The point of the joint in the axes of the first body.
    pub(crate) fn first_point(&self) -> Vector {
        match self {
            Bond::Link(link) => link.points[0],
            Bond::Distance(distance) => distance.points[0],
        }
    }

    /// The rates of the variables that go best with those of the bodies: least squares over the rows.
    pub(crate) fn variable_rates(&self, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut rows = [[0.0; SIZE]; MOST_ROWS];
        self.jacobian(q, &mut rows);
        let mut along = self.touched().local(v);
        along[VARIABLES..].fill(0.0);
        let count = self.touched().variables.len();
        let mut normal = vec![vec![0.0; count + 1]; count];
        for row in &rows[..self.rows()] {
            let rest: f64 = row.iter().zip(&along).map(|(g, v)| g * v).sum();
            for i in 0..count {
                for j in 0..count {
                    normal[i][j] += row[VARIABLES + i] * row[VARIABLES + j];
                }
                normal[i][count] -= row[VARIABLES + i] * rest;
            }
        }
        eliminate(&mut normal)
    }

    /// The entries that the rows and their second derivatives can have, found at a point where nothing vanishes by chance.
    pub(crate) fn entries(&self, q: &[f64]) -> [Vec<(usize, usize)>; 2] {
        let mut rows = [[0.0; SIZE]; MOST_ROWS];
        self.jacobian(q, &mut rows);
        let touched = self.touched();
        let of_row = |k: usize| touched.row_entries(&rows[k]).into_iter().map(move |local| (k, local));
        let jacobian = (0..self.rows()).flat_map(of_row).collect();
        let mut block = [[0.0; SIZE]; SIZE];
        let lambda: Vec<f64> = (0..self.rows()).map(|k| 1.0 + 0.37 * k as f64).collect();
        self.second(q, &lambda, &mut block);
        [jacobian, touched.block_entries(&block)]
    }
}

/// Rows that are written for all joints of their kind together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByBodies {
    /// by [`Pins`]
    Pin,
    /// by [`Balls`]
    Ball,
}

impl ByBodies {
    fn of(bond: &Bond) -> Option<Self> {
        match bond {
            Bond::Link(link) if Pins::takes(link) => Some(ByBodies::Pin),
            Bond::Link(link) if Balls::takes(link) => Some(ByBodies::Ball),
            _ => None,
        }
    }
}

/// A bond with its rows in the system.
#[derive(Clone, Debug)]
pub(crate) struct BondRows {
    pub(crate) bond: Bond,
    pub(crate) first_row: usize,
    /// where its rows are written body by body
    pub(crate) by_bodies: Option<ByBodies>,
    pub(crate) jacobian_entries: Vec<(usize, usize)>,
    pub(crate) block_entries: Vec<(usize, usize)>,
    to_jacobian: Scatter,
    to_stiffness: Scatter,
}

impl BondRows {
    pub(crate) fn new(bond: Bond, first_row: usize, generic: &[f64]) -> Self {
        let [jacobian_entries, block_entries] = bond.entries(generic);
        let by_bodies = ByBodies::of(&bond);
        BondRows {
            bond,
            first_row,
            by_bodies,
            jacobian_entries,
            block_entries,
            to_jacobian: Scatter::default(),
            to_stiffness: Scatter::default(),
        }
    }

    /// The places of its rows in the Jacobian.
    pub(crate) fn jacobian_places(&self) -> Vec<(usize, usize)> {
        let touched = self.bond.touched();
        let place = |&(row, local): &(usize, usize)| Some((self.first_row + row, touched.coordinate(local)?));
        self.jacobian_entries.iter().filter_map(place).collect()
    }

    /// The places of its second derivatives in K.
    pub(crate) fn stiffness_places(&self) -> Vec<(usize, usize)> {
        self.bond.touched().places(&self.block_entries)
    }

    /// Finds its places in the patterns.
    pub(crate) fn connect(&mut self, jacobian: &Pattern, stiffness: &Pattern) {
        let touched = self.bond.touched();
        self.to_jacobian = Scatter::rows(jacobian, self.first_row, touched, &self.jacobian_entries);
        self.to_stiffness = Scatter::block(stiffness, touched, &self.block_entries);
    }

    /// Its rows among all rows.
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.first_row..self.first_row + self.bond.rows()
    }

    pub(crate) fn add_jacobian(&self, q: &[f64], values: &mut [f64]) {
        let mut rows = [[0.0; SIZE]; MOST_ROWS];
        self.bond.jacobian(q, &mut rows);
        self.to_jacobian.add_rows(&rows, values);
    }

    /// Adds −∂(Gᵀλ)/∂q.
    pub(crate) fn add_stiffness(&self, q: &[f64], lambda: &[f64], values: &mut [f64]) {
        let mut block = [[0.0; SIZE]; SIZE];
        self.bond.second(q, &lambda[self.range()], &mut block);
        self.to_stiffness.add_block(&block, -1.0, values);
    }
}

/// Solves a few equations with a definite matrix; unknowns that are not determined are 0.
fn eliminate(rows: &mut [Vec<f64>]) -> Vec<f64> {
    let count = rows.len();
    for k in 0..count {
        for i in 0..count {
            let pivot = rows[k][k];
            if i != k && pivot.abs() > 1e-12 {
                let factor = rows[i][k] / pivot;
                for j in k..=count {
                    rows[i][j] -= factor * rows[k][j];
                }
            }
        }
    }
    (0..count).map(|k| if rows[k][k].abs() > 1e-12 { rows[k][count] / rows[k][k] } else { 0.0 }).collect()
}
