//! A model that was read once, for many sets of parameters and starts.

use std::sync::Arc;

use taut::method::SparkOptions;
use taut::start::Fixed;
use taut::system::FootPoints;
use taut_formula::graph::Graph;
use taut_formula::settings::{Setting, Settings};
use taut_formula::tape::{Evaluator, Pending, State};

use crate::bodies::BodiesEquations;
use crate::events::EventEquations;
use crate::jumps::JumpFormulas;
use crate::mistake::{Errors, Mistakes};
use crate::model::{Drawing, Model, Start, System};
use crate::observers::Observations;
use crate::reader;
use crate::source::{Source, Span};
use taut::system::compiled::FirstOrderEquations;
use taut::system::compiled::MechanicalEquations;
use taut::system::compiled::PartitionEquations;

/// A model file, read, differentiated and compiled, before its parameters have values.
///
/// It is shared: a clone costs nothing, and threads may make models of it at the same time. Parameters are inputs of the
/// compiled formulas; only where the structure depends on one (the number of repetitions, an exponent, whether a number is
/// zero, anything in a model with bodies) is the file read again. What [`with`](Self::with) gives is the same, to the last bit, as what
/// [`Model::read`] gives.
///
/// ```
/// use taut_text::{Compiled, Source};
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
/// let compiled = Compiled::read(&source)?;
/// let soft = compiled.with(&[("k".into(), 0.5)])?;
/// let fast = compiled.with(&[("x'".into(), 3.0)])?;
/// assert_eq!((soft.parameters[0].1, fast.start.v[0]), (0.5, 3.0));
/// # Ok::<(), taut_text::Errors>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compiled(Arc<Contents>);

/// What was compiled.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) source: Source,
    pub(crate) name: String,
    /// all formulas
    pub(crate) graph: Arc<Graph>,
    pub(crate) settings: Settings,
    pub(crate) parameters: Vec<Parameter>,
    /// numbers whose sign decides on the structure, with a value of that sign
    pub(crate) signs: Vec<(Setting, f64)>,
    pub(crate) start: StartSettings,
    pub(crate) equations: Equations,
    /// start values that are kept
    pub(crate) fixed: Fixed,
    /// absolute tolerances of single coordinates or variables
    pub(crate) absolute: Vec<(usize, f64)>,
    /// of a model with bodies all that was given when it was read: bodies are described by numbers
    pub(crate) only_with: Option<Vec<(String, f64)>>,
    /// where `[stiff]` stands
    pub(crate) stiff: Span,
    pub(crate) observed: Observations,
    pub(crate) events: EventEquations,
    pub(crate) jumps: Option<JumpFormulas>,
    /// names and texts of files that were read beside the model
    pub(crate) files: Vec<(String, String)>,
    pub(crate) drawing: Drawing<Arc<Pending>>,
    /// the units of columns, where they are known
    pub(crate) units: Vec<(String, String)>,
    /// what `[coefficients]` says
    pub(crate) spark: SparkOptions,
}

/// A parameter, and the value that it had when the model was compiled.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Arc<str>,
    pub(crate) value: f64,
    /// Whether the structure of the model depends on its value.
    pub(crate) structural: bool,
}

impl Parameter {
    /// Whether the model has the same structure with another value. A parameter that is zero has removed terms.
    fn allows(&self, value: f64) -> bool {
        if self.structural { value == self.value } else { (value == 0.0) == (self.value == 0.0) }
    }
}

/// Times, positions and velocities at the start.
#[derive(Debug)]
pub(crate) struct StartSettings {
    pub(crate) t: Setting,
    pub(crate) end: Option<Setting>,
    pub(crate) q: Vec<Setting>,
    pub(crate) v: Vec<Setting>,
    pub(crate) dependent: Option<Dependent>,
}

/// Start values that follow from others.
#[derive(Debug)]
pub(crate) struct Dependent {
    /// which of (q, v)
    pub(crate) places: Vec<usize>,
    /// how often the formulas are evaluated until all are known
    pub(crate) passes: usize,
    /// their formulas
    pub(crate) tape: Arc<Pending>,
}

impl Dependent {
    /// Puts the values that follow from others into (q, v), but for those that were given.
    fn put(&self, graph: &Arc<Graph>, settings: &Arc<[f64]>, given: &Given, start: &mut Start) {
        let (tape, n) = (Evaluator::new(&self.tape, graph, settings), start.q.len());
        let mut values = vec![0.0; self.places.len()];
        for _ in 0..self.passes {
            let state = State { t: start.t, q: &start.q, v: &start.v, ..State::default() };
            tape.evaluate(state, &mut [&mut values]);
            for (&place, &value) in self.places.iter().zip(&values) {
                let (known, to) = match place.checked_sub(n) {
                    None => (&given.q, &mut start.q[place]),
                    Some(i) => (&given.v, &mut start.v[i]),
                };
                if !known.iter().any(|(i, _)| *i == place % n.max(1)) {
                    *to = value;
                }
            }
        }
    }
}

#[derive(Debug)]
pub(crate) enum Equations {
    Mechanical(MechanicalEquations),
    Bodies(BodiesEquations),
    Partitioned(PartitionEquations),
    FirstOrder(FirstOrderEquations),
}

impl Equations {
    /// The names of the coordinates or variables.
    pub(crate) fn coordinates(&self) -> &[String] {
        match self {
            Equations::Mechanical(equations) => equations.coordinates(),
            Equations::Bodies(equations) => &equations.coordinates,
            Equations::Partitioned(equations) => equations.variables(),
            Equations::FirstOrder(equations) => equations.variables(),
        }
    }
}

/// The numbers that were given instead of those of the file.
struct Given {
    parameters: Vec<Option<f64>>,
    q: Vec<(usize, f64)>,
    v: Vec<(usize, f64)>,
}

impl Compiled {
    /// Reads and compiles a model; all mistakes of the file are reported at once.
    pub fn read(source: &Source) -> Result<Self, Errors> {
        Model::read(source, &[]).map(|model| model.compiled().clone())
    }

    /// The model with these values of parameters, of start values `x` and of start velocities `x'`; of a name that is given
    /// more than once the last one counts.
    pub fn with(&self, overrides: &[(String, f64)]) -> Result<Model, Errors> {
        match self.instance(overrides) {
            Some(model) => model,
            None => self.read_again(overrides),
        }
    }

    /// Names and texts of the files that were read beside the model.
    pub fn files(&self) -> &[(String, String)] {
        &self.0.files
    }

    /// What decides on the branches of formulas that jump where the state says so.
    pub(crate) fn jumps(&self) -> Option<&JumpFormulas> {
        self.0.jumps.as_ref()
    }

    /// All formulas.
    pub(crate) fn graph(&self) -> &Arc<Graph> {
        &self.0.graph
    }

    /// The values of formulas of parameters and modes; the equations with them, at q where that matters.
    pub(crate) fn with_modes(
        &self,
        parameters: &[f64],
        modes: Vec<f64>,
        q: &[f64],
    ) -> Option<(Arc<[f64]>, Option<System>)> {
        let given: Vec<Option<f64>> = parameters.iter().copied().chain(modes).map(Some).collect();
        let settings: Arc<[f64]> = self.0.settings.values(&given).into();
        if q.is_empty() {
            return Some((settings, None));
        }
        let system = self.0.system(&settings, q)?.ok()?;
        Some((settings, Some(system)))
    }

    /// The model, read anew from the text of the file.
    pub(crate) fn read_again(&self, overrides: &[(String, f64)]) -> Result<Model, Errors> {
        read(&self.0.source, overrides)
    }

    /// Whether every model of the file has to be read by itself: bodies are described by numbers.
    pub fn is_for_one_set(&self) -> bool {
        self.0.only_with.is_some()
    }

    /// Whether the structure of the model depends on the value of this parameter.
    pub fn is_structural(&self, parameter: &str) -> bool {
        self.0.parameters.iter().any(|known| known.structural && *known.name == *parameter)
    }

    /// The model, unless the file has to be read again: its structure is another one, or there is a mistake to be named.
    pub(crate) fn instance(&self, overrides: &[(String, f64)]) -> Option<Result<Model, Errors>> {
        let contents = &*self.0;
        let given = contents.given(overrides)?;
        let values = contents.settings.values(&contents.with_live_modes(&given.parameters));
        let parameters = contents.fitting_parameters(&given, &values)?;
        let settings: Arc<[f64]> = values.into();
        let start = contents.start_with(&given, &settings)?;
        let end = contents.start.end.map(|end| end.value(&settings));
        if end.is_some_and(|end| end <= start.t || !end.is_finite()) {
            return None;
        }
        let system = match contents.system(&settings, &start.q)? {
            Ok(system) => system,
            Err(errors) => return Some(Err(errors)),
        };
        let observers = contents.observed.with(&contents.graph, &settings, &system);
        let events = contents.events.with(&contents.graph, &settings, &system);
        Some(Ok(Model {
            name: contents.name.clone(),
            system,
            start,
            fixed: contents.fixed.clone(),
            absolute: contents.absolute.clone(),
            end,
            observers,
            events,
            drawing: contents.drawing.with(&contents.graph, &settings),
            spark: contents.spark.clone(),
            units: contents.units.clone(),
            parameters,
            compiled: self.clone(),
        }))
    }
}

/// Reads a model. Where parameters as inputs give no model, they are taken as numbers: these say what is wrong, or that
/// nothing is.
pub(crate) fn read(source: &Source, overrides: &[(String, f64)]) -> Result<Model, Errors> {
    let instance = |contents: Contents| Compiled(Arc::new(contents)).instance(overrides);
    match reader::compile(source, overrides, reader::Parameters::Inputs) {
        Ok(contents) => {
            if let Some(model) = instance(contents) {
                return model;
            }
        }
        Err(refused) if !refused.has_parameters => return Err(refused.errors),
        Err(_) => {}
    }
    let numbers = reader::compile(source, overrides, reader::Parameters::Numbers);
    instance(numbers.map_err(|refused| refused.errors)?).unwrap_or_else(|| {
        let mut mistakes = Mistakes::default();
        mistakes.add_elsewhere("with these parameters the model has no finite numbers");
        Err(mistakes.into_errors(source))
    })
}

impl Contents {
    /// What the overrides give; nothing when one of them cannot be given.
    fn given(&self, overrides: &[(String, f64)]) -> Option<Given> {
        if self.only_with.as_ref().is_some_and(|known| known != overrides) {
            return None;
        }
        let (coordinates, own) = match &self.equations {
            Equations::Bodies(equations) => (&equations.coordinates[..], equations.own),
            _ => (self.coordinates(), 0),
        };
        let place = |name: &str| coordinates.iter().position(|known| known == name).filter(|&i| i >= own);
        let mut given = Given { parameters: vec![None; self.parameters.len()], q: vec![], v: vec![] };
        for (name, value) in overrides {
            let name = name.trim();
            if !value.is_finite() {
                return None;
            }
            if let Some(i) = self.parameters.iter().position(|parameter| *parameter.name == *name) {
                given.parameters[i] = Some(*value);
            } else if let Some(i) = place(name) {
                given.q.push((i, *value));
            } else {
                match name.strip_suffix('\'').and_then(place).filter(|&i| i < self.start.v.len()) {
                    Some(i) => given.v.push((i, *value)),
                    // Of bodies, which have it already.
                    None if self.only_with.is_some() => {}
                    None => return None,
                }
            }
        }
        Some(given)
    }

    /// Values of parameters with modes behind them: every function that jumps is evaluated as it is.
    fn with_live_modes(&self, given: &[Option<f64>]) -> Vec<Option<f64>> {
        let switches = self.jumps.as_ref().map_or(0, |jumps| jumps.kinds.len());
        let live = (0..switches).flat_map(|_| [Some(1.0), Some(0.0)]);
        given.iter().copied().chain(live).collect()
    }

    pub(crate) fn coordinates(&self) -> &[String] {
        self.equations.coordinates()
    }

    /// The parameters with their values; nothing when the structure is another one with them.
    fn fitting_parameters(&self, given: &Given, values: &[f64]) -> Option<Vec<(Arc<str>, f64)>> {
        let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        let same = self.signs.iter().all(|(setting, known)| sign(setting.value(values)) == sign(*known));
        if !same || !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        let mut parameters = Vec::with_capacity(self.parameters.len());
        for (i, parameter) in self.parameters.iter().enumerate() {
            let value = self.settings.parameter(i, &given.parameters, values);
            parameters.push(parameter.allows(value).then(|| (parameter.name.clone(), value))?);
        }
        Some(parameters)
    }

    fn start_with(&self, given: &Given, values: &Arc<[f64]>) -> Option<Start> {
        let number = |setting: &Setting| setting.value(values);
        let mut start = Start {
            t: self.start.t.value(values),
            q: self.start.q.iter().map(number).collect(),
            v: self.start.v.iter().map(number).collect(),
        };
        for &(i, value) in &given.q {
            start.q[i] = value;
        }
        for &(i, value) in &given.v {
            start.v[i] = value;
        }
        if let Some(dependent) = &self.start.dependent {
            dependent.put(&self.graph, values, given, &mut start);
        }
        let finite = start.q.iter().chain(&start.v).chain([&start.t]).all(|x| x.is_finite());
        finite.then_some(start)
    }

    /// The equations. A strong potential becomes compliant constraints, with as many strong directions as there are at the
    /// start.
    fn system(&self, settings: &Arc<[f64]>, q: &[f64]) -> Option<Result<System, Errors>> {
        let equations = match &self.equations {
            Equations::FirstOrder(equations) => {
                return Some(Ok(System::FirstOrder(equations.with(&self.graph, settings))));
            }
            Equations::Partitioned(equations) => {
                return Some(Ok(System::Partitioned(equations.with(&self.graph, settings))));
            }
            Equations::Bodies(equations) => {
                return equations.with(&self.graph, settings).map(|model| Ok(System::Bodies(model)));
            }
            Equations::Mechanical(equations) => equations,
        };
        let model = equations.with(&self.graph, settings)?;
        let Some(potential) = model.strong_potential().cloned() else {
            return Some(Ok(System::Mechanical(model)));
        };
        let epsilon = potential.epsilon();
        Some(match FootPoints::new(model, potential, epsilon, q) {
            Ok(system) => Ok(System::Strong(system)),
            Err(error) => {
                let mut mistakes = Mistakes::default();
                mistakes
                    .add(self.stiff, error.to_string())
                    .help("begin closer to where the potential is least");
                Err(mistakes.into_errors(&self.source))
            }
        })
    }
}
