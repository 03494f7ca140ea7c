//! Forces along a distance: springs with dampers between points, contacts of spheres.

use taut::linear::Pattern;
use taut::system::Terms;

use super::distance::Distance;
use super::link::{Link, MOST_ROWS};
use super::local::{LocalBlock, LocalRow, SIZE, Scatter, Touched};
use crate::description::Hertz;

/// What a force depends on.
#[derive(Clone, Debug)]
pub(crate) enum Measure {
    /// the distance of two points
    Distance(Distance),
    /// the height of a point of the second body over a plane of the first
    Height(Link),
}

/// How it depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Law {
    /// k σ + c σ'
    Spring { stiffness: f64, damping: f64 },
    /// k d^(3/2) (1 + c d') of the depth d = radius − σ, never pulling
    Hertz { contact: Hertz, radius: f64 },
}

/// The tension along a measure: what the spring part and the damper part give, and their slopes.
#[derive(Clone, Copy, Debug, Default)]
struct Tension {
    elastic: f64,
    elastic_slope: f64,
    damper: f64,
    damper_slope: f64,
    damper_rate_slope: f64,
}

impl Law {
    fn tension(self, sigma: f64, rate: f64) -> Tension {
        match self {
            Law::Spring { stiffness, damping } => Tension {
                elastic: stiffness * sigma,
                elastic_slope: stiffness,
                damper: damping * rate,
                damper_slope: 0.0,
                damper_rate_slope: damping,
            },
            Law::Hertz { contact, radius } => {
                let depth = radius - sigma;
                if depth <= 0.0 {
                    return Tension::default();
                }
                let Hertz { stiffness, damping } = contact;
                let (push, slope) = (stiffness * depth * depth.sqrt(), 1.5 * stiffness * depth.sqrt());
                // A sphere that leaves faster than 1/c is not held back.
                let share = (-damping * rate).max(-1.0);
                let leaving = share == -1.0;
                Tension {
                    elastic: -push,
                    elastic_slope: slope,
                    damper: -push * share,
                    damper_slope: slope * share,
                    damper_rate_slope: if leaving { 0.0 } else { push * damping },
                }
            }
        }
    }

    fn energy(self, sigma: f64) -> f64 {
        match self {
            Law::Spring { stiffness, .. } => 0.5 * stiffness * sigma * sigma,
            Law::Hertz { contact, radius } => {
                let depth = (radius - sigma).max(0.0);
                0.4 * contact.stiffness * depth * depth * depth.sqrt()
            }
        }
    }

    fn damps(self) -> bool {
        match self {
            Law::Spring { damping, .. } => damping != 0.0,
            Law::Hertz { contact, .. } => contact.damping != 0.0,
        }
    }
}

/// A force along a measure.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    pub(crate) measure: Measure,
    pub(crate) law: Law,
    /// local numbers and the coordinates behind them
    coordinates: Vec<(usize, usize)>,
    block_entries: Vec<(usize, usize)>,
    to_stiffness: Scatter,
    to_damping: Scatter,
}

impl Gap {
    pub(crate) fn new(measure: Measure, law: Law, generic: &[f64]) -> Self {
        let mut gap = Gap {
            measure,
            law,
            coordinates: Vec::new(),
            block_entries: Vec::new(),
            to_stiffness: Scatter::default(),
            to_damping: Scatter::default(),
        };
        let touched = gap.touched();
        gap.coordinates = (0..SIZE).filter_map(|local| Some((local, touched.coordinate(local)?))).collect();
        let (_, row) = gap.value_and_gradient(generic);
        let mut block = [[0.0; SIZE]; SIZE];
        gap.second(generic, 1.0, &mut block);
        for i in 0..SIZE {
            for j in 0..SIZE {
                block[i][j] += 1.7 * row[i] * row[j];
            }
        }
        gap.block_entries = gap.touched().block_entries(&block);
        gap
    }

    fn touched(&self) -> &Touched {
        match &self.measure {
            Measure::Distance(distance) => &distance.touched,
            Measure::Height(link) => &link.touched,
        }
    }

    fn value(&self, q: &[f64]) -> f64 {
        match &self.measure {
            Measure::Distance(distance) => distance.value(q),
            Measure::Height(link) => {
                let mut value = [0.0];
                link.value(q, &mut value);
                value[0]
            }
        }
    }

    fn value_and_gradient(&self, q: &[f64]) -> (f64, LocalRow) {
        match &self.measure {
            Measure::Distance(distance) => {
                let mut row = [0.0; SIZE];
                (distance.value_and_gradient(q, &mut row), row)
            }
            Measure::Height(link) => {
                let mut rows = [[0.0; SIZE]; MOST_ROWS];
                link.jacobian(q, &mut rows);
                (self.value(q), rows[0])
            }
        }
    }

    fn second(&self, q: &[f64], factor: f64, block: &mut LocalBlock) {
        match &self.measure {
            Measure::Distance(distance) => distance.second(q, factor, block),
            Measure::Height(link) => link.second(q, &[factor], block),
        }
    }

    /// The places of its blocks; those of D are the same when it damps.
    pub(crate) fn places(&self) -> Vec<(usize, usize)> {
        self.touched().places(&self.block_entries)
    }

    pub(crate) fn damps(&self) -> bool {
        self.law.damps()
    }

    pub(crate) fn connect(&mut self, stiffness: &Pattern, damping: &Pattern) {
        self.to_stiffness = Scatter::block(stiffness, self.touched(), &self.block_entries);
        self.to_damping = Scatter::block(damping, self.touched(), &self.block_entries);
    }

    pub(crate) fn energy(&self, q: &[f64]) -> f64 {
        self.law.energy(self.value(q))
    }

    pub(crate) fn add_force(&self, terms: Terms, q: &[f64], v: &[f64], force: &mut [f64]) {
        let (row, tension) = self.at(q, v);
        let mut pull = 0.0;
        if terms.contain(Terms::POTENTIAL) {
            pull += tension.elastic;
        }
        if terms.contain(Terms::DISSIPATIVE) {
            pull += tension.damper;
        }
        if pull == 0.0 {
            return;
        }
        for &(local, k) in &self.coordinates {
            force[k] -= row[local] * pull;
        }
    }

    /// Adds its share of K and of D.
    pub(crate) fn add_blocks(
        &self,
        terms: Terms,
        (q, v): (&[f64], &[f64]),
        stiffness: &mut [f64],
        damping: &mut [f64],
    ) {
        let (row, tension) = self.at(q, v);
        let along = self.touched().local(v);
        let (mut pull, mut slope, mut rate_slope) = (0.0, 0.0, 0.0);
        if terms.contain(Terms::POTENTIAL) {
            (pull, slope) = (tension.elastic, tension.elastic_slope);
        }
        if terms.contain(Terms::DISSIPATIVE) {
            pull += tension.damper;
            slope += tension.damper_slope;
            rate_slope = tension.damper_rate_slope;
        }
        let mut block = [[0.0; SIZE]; SIZE];
        self.second(q, 1.0, &mut block);
        let mut bent = [0.0; SIZE];
        for &(i, _) in &self.coordinates {
            bent[i] = (0..SIZE).map(|j| block[i][j] * along[j]).sum();
        }
        let by_position =
            |i: usize, j: usize| pull * block[i][j] + row[i] * (slope * row[j] + rate_slope * bent[j]);
        self.to_stiffness.add_entries(by_position, -1.0, stiffness);
        self.to_damping.add_entries(|i, j| rate_slope * row[i] * row[j], -1.0, damping);
    }

    fn at(&self, q: &[f64], v: &[f64]) -> (LocalRow, Tension) {
        let (value, row) = self.value_and_gradient(q);
        let rate: f64 = self.coordinates.iter().map(|&(local, k)| row[local] * v[k]).sum();
        (row, self.law.tension(value, rate))
    }
}
