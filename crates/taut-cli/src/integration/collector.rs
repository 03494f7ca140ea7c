//! Collects what a page or a picture shows of a run, from dense output.

use taut::system::MechanicalSystem;
use taut_report::plot::column;
use taut_report::track::{Column, Digits, Extremes, FINEST, Kind, Pieces, Track, places, quadrature};

use super::poses;
use super::power::Power;
use crate::model::Subject;
use crate::table::Table;

/// A long run is shown by at most so many pairs of extremes,
const MOST_EXTREMES: usize = 3000;
/// and by at most so many of all columns together.
const MOST_NUMBERS: usize = 1_000_000;
/// Only the end of each step.
const ENDS: [f64; 1] = [1.0];

/// Kinetic, potential and total energy, and energy without work.
const ENERGIES: [&str; 4] = [column::KINETIC, column::POTENTIAL, column::TOTAL, column::WITHOUT_WORK];

/// Collects rows: the columns of the output, energies, what is drawn, reactions on the coordinates.
pub struct Collector<'m> {
    subject: &'m Subject,
    table: Table<'m>,
    mechanism: Option<(&'m dyn MechanicalSystem, Power<'m>)>,
    pieces: Pieces,
    extremes: Extremes,
    row: Vec<f64>,
    work: Work,
}

/// What was collected.
#[derive(Default)]
pub struct Collected {
    /// the columns of the output and energies, in pieces
    pub motion: Track,
    /// the same columns with all extremes, when the motion leaves some out
    pub extremes: Option<Track>,
    /// what is drawn: a list of numbers for each coordinate of the drawing
    pub drawn: Vec<Vec<f64>>,
    /// the reaction −Gᵀλ on each coordinate
    pub reactions: Vec<Vec<f64>>,
    /// position and rotation of each body, then the force of each joint
    pub poses: Vec<Vec<f64>>,
}

/// The work that was done on a system so far.
struct Work {
    weights: Vec<f64>,
    /// up to the end of the last step
    done: f64,
    step: Vec<(f64, f64)>,
}

impl Work {
    /// What an event changes is no work of a force.
    fn begin_anew(&mut self) {
        self.step.clear();
    }

    /// Adds the power at the next place, or at the end of a step that is not looked into; the work so far. Inside a step it
    /// is that of the trapezoidal rule, which is only drawn.
    fn add(&mut self, t: f64, power: f64, whole_step: bool) -> f64 {
        self.step.push((t, power));
        if self.step.len() <= FINEST && !whole_step {
            let between =
                self.step.windows(2).map(|pair| 0.5 * (pair[0].1 + pair[1].1) * (pair[1].0 - pair[0].0));
            return self.done + between.sum::<f64>();
        }
        let length = t - self.step[0].0;
        self.done += if whole_step {
            self.step.iter().map(|at| 0.5 * at.1 * length).sum::<f64>()
        } else {
            self.step.iter().zip(&self.weights).map(|(at, weight)| weight * at.1 * length).sum::<f64>()
        };
        self.step = vec![(t, power)];
        self.done
    }
}

impl<'m> Collector<'m> {
    /// Nothing is collected yet.
    pub fn new(subject: &'m Subject) -> Self {
        let table = Table::new(subject);
        let mechanism = subject.mechanism().map(|system| (system, Power::new(system)));
        let state = table.names().len() - 1;
        let energies = if mechanism.is_some() { ENERGIES.len() } else { 0 };
        let reactions = mechanism.as_ref().map_or(0, |(system, _)| system.structure().n());
        let poses = subject.model.system.bodies().map_or(0, poses::count);
        let columns = state + energies + subject.model.drawing.len() + reactions + poses;
        Collector {
            subject,
            table,
            mechanism,
            pieces: Pieces::new(columns, state),
            extremes: Extremes::new((MOST_NUMBERS / columns.max(1)).min(MOST_EXTREMES)),
            row: Vec::with_capacity(columns),
            work: Work { weights: quadrature(), done: 0.0, step: Vec::new() },
        }
    }

    /// Where states inside a step are wanted.
    pub fn places(&self) -> &'static [f64] {
        if self.pieces.is_coarse() { &ENDS } else { places() }
    }

    /// Takes a state after an event has changed it.
    pub fn jump(&mut self, t: f64, y: &[f64]) {
        self.work.begin_anew();
        self.evaluate(t, y);
        self.pieces.jump(t, &self.row);
    }

    /// Takes a state.
    pub fn take(&mut self, t: f64, y: &[f64]) {
        self.evaluate(t, y);
        self.pieces.push(t, &self.row);
    }

    /// The row of a state.
    fn evaluate(&mut self, t: f64, y: &[f64]) {
        self.row.clear();
        self.row.extend_from_slice(&self.table.row(t, y)[1..]);
        let (q, v) = self.table.motion(y);
        if let Some((system, power)) = &mut self.mechanism {
            let lambda = &y[q.len() + v.len()..];
            let energy = system.energy(t, q, v).ok();
            let (kinetic, potential) = energy.map_or((f64::NAN, f64::NAN), |e| (e.kinetic, e.potential));
            let power = power.at(t, q, v, lambda).unwrap_or(f64::NAN);
            let done = self.work.add(t, power, self.pieces.is_coarse());
            self.row.extend([kinetic, potential, kinetic + potential, kinetic + potential - done]);
        }
        self.extremes.push(t, &self.row);
        let from = self.row.len();
        self.row.resize(from + self.subject.model.drawing.len(), 0.0);
        self.subject.model.drawing.evaluate(t, q, v, &mut self.row[from..]);
        if let Some((_, power)) = &self.mechanism {
            self.row.extend_from_slice(&power.reaction);
        }
        if let Some(bodies) = self.subject.model.system.bodies() {
            poses::extend(bodies, q, v, &y[q.len() + v.len()..], &mut self.row);
        }
    }

    /// What was collected.
    pub fn finish(self) -> Collected {
        let coarse = self.pieces.is_coarse();
        let drawn = self.subject.model.drawing.len();
        let mut columns = self.columns();
        let reactions = self.mechanism.as_ref().map_or(0, |(system, _)| system.structure().n());
        let named = columns.len();
        let poses = self.subject.model.system.bodies().map_or(0, poses::count);
        columns.extend((0..drawn + reactions + poses).map(|_| Column::default()));
        let mut motion = self.pieces.finish(columns.into_iter());
        let mut rest = motion.columns.split_off(named).into_iter().map(|column| column.values);
        let drawn = rest.by_ref().take(drawn).collect();
        let extremes = coarse.then(|| {
            let (times, values) = self.extremes.finish();
            let named = motion.columns.iter().zip(values);
            let few = |(column, values): (&Column, Vec<f64>)| {
                Column { values: Vec::new(), ..column.clone() }.digits(Digits::Few).values(values)
            };
            Track::rows(times, named.map(few).collect())
        });
        let reactions = rest.by_ref().take(reactions).collect();
        Collected { motion, extremes, drawn, reactions, poses: rest.collect() }
    }

    /// The columns of the output without the time, and energies.
    fn columns(&self) -> Vec<Column> {
        let coordinates = self.subject.model.coordinates();
        let n = coordinates.len();
        let multipliers = self.mechanism.as_ref().map_or(0, |(system, _)| system.structure().m());
        let velocities = if self.mechanism.is_some() { n } else { 0 };
        let kind = |k: usize| match k {
            k if k < n => Kind::Position,
            k if k < n + velocities => Kind::Velocity,
            k if k < n + velocities + multipliers => Kind::Multiplier,
            _ => Kind::Observed,
        };
        let unit = |name: &str| self.subject.model.unit(name).unwrap_or_default();
        let names = self.table.names()[1..].iter().enumerate();
        let mut columns: Vec<Column> =
            names.map(|(k, name)| Column::named(name).kind(kind(k)).unit(unit(name))).collect();
        if self.mechanism.is_some() {
            columns.extend(ENERGIES.map(|name| Column::named(name).kind(Kind::Other).digits(Digits::Few)));
        }
        columns
    }
}
