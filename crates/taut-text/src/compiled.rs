//! A model that was read once, for many sets of parameters and starts.

use std::sync::Arc;

use taut::start::Fixed;
use taut::system::FootPoints;
use taut_formula::graph::Graph;
use taut_formula::settings::{Setting, Settings};
use taut_formula::tape::Pending;

use crate::bodies::BodiesEquations;
use crate::events::EventEquations;
use crate::first_order::FirstOrderEquations;
use crate::mechanical::MechanicalEquations;
use crate::mistake::{Errors, Mistakes};
use crate::model::{Drawing, Model, Start, System};
use crate::observers::Observations;
use crate::reader;
use crate::source::{Source, Span};

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
    pub(crate) drawing: Drawing<Arc<Pending>>,
}

/// A parameter, and the value that it had when the model was compiled.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
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
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each model, and it is not moved about")]
pub(crate) enum Equations {
    Mechanical(MechanicalEquations),
    Bodies(BodiesEquations),
    FirstOrder(FirstOrderEquations),
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
            None => read(&self.0.source, overrides),
        }
    }

    /// The model, unless the file has to be read again: its structure is another one, or there is a mistake to be named.
    fn instance(&self, overrides: &[(String, f64)]) -> Option<Result<Model, Errors>> {
        let contents = &*self.0;
        let given = contents.given(overrides)?;
        let values = contents.settings.values(&given.parameters);
        let parameters = contents.fitting_parameters(&given, &values)?;
        let start = contents.start_with(&given, &values)?;
        let end = contents.start.end.map(|end| end.value(&values));
        if end.is_some_and(|end| end <= start.t || !end.is_finite()) {
            return None;
        }
        let settings: Arc<[f64]> = values.into();
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
            if let Some(i) = self.parameters.iter().position(|parameter| parameter.name == name) {
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

    pub(crate) fn coordinates(&self) -> &[String] {
        match &self.equations {
            Equations::Mechanical(equations) => equations.coordinates(),
            Equations::Bodies(equations) => &equations.coordinates,
            Equations::FirstOrder(equations) => equations.variables(),
        }
    }

    /// The parameters with their values; nothing when the structure is another one with them.
    fn fitting_parameters(&self, given: &Given, values: &[f64]) -> Option<Vec<(String, f64)>> {
        let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        let same = self.signs.iter().all(|(setting, known)| sign(setting.value(values)) == sign(*known));
        if !same || !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        let parameters = self.parameters.iter().enumerate().map(|(i, parameter)| {
            let value = self.settings.parameter(i, &given.parameters, values);
            parameter.allows(value).then(|| (parameter.name.clone(), value))
        });
        parameters.collect()
    }

    fn start_with(&self, given: &Given, values: &[f64]) -> Option<Start> {
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
