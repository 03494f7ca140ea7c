//! A model file, read.

use std::sync::Arc;

use taut::method::SparkOptions;
use taut::start::Fixed;
use taut::system::{FirstOrderSystem, FootPoints, ForceClass, MechanicalSystem};

use crate::bodies::BodiesModel;
use crate::compiled::{self, Compiled};
use crate::events::Events;
use crate::mistake::Errors;
use crate::observers::Observers;
use crate::source::Source;
use taut::system::compiled::FirstOrderModel;
use taut::system::compiled::PartitionedModel;
use taut::system::compiled::{MechanicalModel, StrongPotential};
use taut_formula::graph::Graph;
use taut_formula::tape::{Evaluator, Pending, State};

/// A model file, read: a system, where it starts, and what is to be seen of it.
#[derive(Clone, Debug)]
pub struct Model {
    /// its `name`, or else the name of its file
    pub name: String,
    /// its equations
    pub system: System,
    /// its start
    pub start: Start,
    /// start values that are kept while others move onto the constraints
    pub fixed: Fixed,
    /// absolute tolerances of single coordinates or variables, by their numbers
    pub absolute: Vec<(usize, f64)>,
    /// `end` of `[time]`
    pub end: Option<f64>,
    /// the extra columns of `[observe]`
    pub observers: Observers,
    /// what `[events]` says
    pub events: Events,
    /// what `[draw]` says
    pub drawing: Drawing,
    /// the units of columns, where they are known
    pub units: Vec<(String, String)>,
    /// what `[coefficients]` says: which coefficients of SPARK methods treat which terms
    pub spark: SparkOptions,
    /// the parameters with their values, overrides included
    pub parameters: Vec<(Arc<str>, f64)>,
    pub(crate) compiled: Compiled,
}

/// The equations of a model.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each model, and it is not moved about")]
pub enum System {
    /// M(q) v' = f(t, q, v) − Gᵀλ, g(t, q) = C λ
    Mechanical(MechanicalModel),
    /// the same with a strong potential U(q)/ε², which has become compliant constraints
    Strong(FootPoints<MechanicalModel, StrongPotential>),
    /// bodies and joints, and formulas beside them
    Bodies(BodiesModel),
    /// y' = f(t, y, z), z' = k(t, y, z, u), 0 = g(t, y): coordinates and momenta, or terms by class
    Partitioned(PartitionedModel),
    /// E x' = f(t, x)
    FirstOrder(FirstOrderModel),
}

/// Where a model starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// the time
    pub t: f64,
    /// the coordinates, or the variables x of a first-order model
    pub q: Vec<f64>,
    /// the velocities; empty for a first-order model
    pub v: Vec<f64>,
}

impl Model {
    /// Reads a model; all mistakes of the file are reported at once.
    ///
    /// An override is the value of a parameter, of a start value `x` or of a start velocity `x'`.
    ///
    /// ```
    /// use taut_text::{Model, Source, System};
    ///
    /// let source = Source::new("mass.toml", r#"
    ///     [parameters]
    ///     k = 4.0
    ///     [coordinates]
    ///     x = { start = 1.0 }
    ///     [energy]
    ///     kinetic = "x'^2/2"
    ///     potential = "k*x^2/2"
    /// "#);
    /// let model = Model::read(&source, &[("k".into(), 9.0), ("x'".into(), 0.5)])?;
    /// assert_eq!(model.parameters, [("k".into(), 9.0)]);
    /// assert_eq!(model.start.v, [0.5]);
    /// assert!(matches!(model.system, System::Mechanical(_)));
    /// # Ok::<(), taut_text::Errors>(())
    /// ```
    pub fn read(source: &Source, overrides: &[(String, f64)]) -> Result<Model, Errors> {
        compiled::read(source, overrides)
    }

    /// What it was made of: gives models with other parameters and starts without reading the file again.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// The values of the extra columns at a time and a state vector: (q, v, λ), or x of a first-order model.
    pub fn observe(&self, t: f64, y: &[f64], values: &mut [f64]) {
        self.observers.observe(&self.system, t, y, values);
    }

    /// The unit of a column of the output, where it is known.
    pub fn unit(&self, column: &str) -> Option<&str> {
        self.units.iter().find(|(name, _)| name == column).map(|(_, unit)| unit.as_str())
    }

    /// The names of the coordinates or variables.
    pub fn coordinates(&self) -> &[String] {
        match &self.system {
            System::Mechanical(system) => &system.structure().coordinates,
            System::Strong(system) => &system.structure().coordinates,
            System::Bodies(model) => &model.system().structure().coordinates,
            System::Partitioned(system) => &system.evolution().composition().variables,
            System::FirstOrder(system) => &system.composition().variables,
        }
    }
}

impl System {
    /// The bodies, when the model has such.
    pub fn bodies(&self) -> Option<&BodiesModel> {
        match self {
            System::Bodies(model) => Some(model),
            _ => None,
        }
    }

    /// The classes of which formulas give forces on a mechanism, wherever these act.
    pub fn acting(&self) -> Vec<ForceClass> {
        match self {
            System::Mechanical(system) => system.acting(),
            System::Strong(system) => system.system().acting(),
            System::Bodies(model) => model.acting(),
            System::Partitioned(_) | System::FirstOrder(_) => Vec::new(),
        }
    }

    /// The number of coordinates or variables.
    pub(crate) fn variables(&self) -> usize {
        match (self.mechanism(), self.evolution()) {
            (Some(system), _) => system.structure().n(),
            (None, Some(system)) => system.composition().n(),
            (None, None) => 0,
        }
    }

    /// The mechanical system, unless it is a first-order one.
    pub fn mechanism(&self) -> Option<&dyn MechanicalSystem> {
        match self {
            System::Mechanical(system) => Some(system),
            System::Strong(system) => Some(system),
            System::Bodies(model) => Some(model.system()),
            System::Partitioned(_) | System::FirstOrder(_) => None,
        }
    }

    /// The first-order system; that of (y, z, u) for a Hamiltonian or partitioned model.
    pub fn evolution(&self) -> Option<&FirstOrderModel> {
        match self {
            System::Partitioned(system) => Some(system.evolution()),
            System::FirstOrder(system) => Some(system),
            System::Mechanical(_) | System::Strong(_) | System::Bodies(_) => None,
        }
    }
}

/// What an animation shows: points and lines in the plane or in space.
#[derive(Clone, Debug)]
pub struct Drawing<T = Evaluator> {
    dimension: usize,
    points: usize,
    lines: Vec<usize>,
    tape: T,
}

impl Drawing<Arc<Pending>> {
    pub(crate) fn new(dimension: usize, points: usize, lines: Vec<usize>, tape: Pending) -> Self {
        Drawing { dimension, points, lines, tape: Arc::new(tape) }
    }

    pub(crate) fn with(&self, graph: &Arc<Graph>, settings: &Arc<[f64]>) -> Drawing {
        let Drawing { dimension, points, lines, tape } = self;
        let tape = Evaluator::new(tape, graph, settings);
        Drawing { dimension: *dimension, points: *points, lines: lines.clone(), tape }
    }
}

impl Drawing {
    /// 2 in the plane, 3 in space.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The number of corners of each line.
    pub fn lines(&self) -> &[usize] {
        &self.lines
    }

    /// How many numbers [`evaluate`](Self::evaluate) writes.
    pub fn len(&self) -> usize {
        (self.points + self.lines.iter().sum::<usize>()) * self.dimension
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The coordinates of the points, then those of the corners of the lines, one after the other.
    pub fn evaluate(&self, t: f64, q: &[f64], v: &[f64], coordinates: &mut [f64]) {
        self.tape.evaluate(State { t, q, v, ..State::default() }, &mut [coordinates]);
    }
}
