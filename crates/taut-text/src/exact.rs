//! Models with all numbers as they are written, for runs of thirty digits.

use std::sync::Arc;

use taut::digits::{Digits, DigitsSystem};
use taut_formula::function::Unary;
use taut_formula::graph::{Graph, Operation};
use taut_formula::number::{DoubleDouble, Scalar};
use taut_formula::settings::Setting;

use crate::compiled::{Contents, Equations};
use crate::mistake::{Errors, Mistakes};
use crate::reader::{self, Parameters};
use crate::source::Source;

/// A model whose numbers are those of its file, digit by digit: 0.1 is a tenth, and not the plain number next to it.
///
/// ```
/// use taut_formula::number::DoubleDouble;
/// use taut_text::{ExactModel, Source};
///
/// let source = Source::new("fall.toml", r#"
///     [coordinates]
///     x = { start = 0.1 }
///     [energy]
///     kinetic = "x'^2/2"
///     potential = "9.81*x"
/// "#);
/// let model = ExactModel::read(&source, &[])?;
/// let end = DoubleDouble::from(1.0);
/// let motion = model.digits(25).run(model.start_time, &model.start, &[end]).map_err(|error| error.to_string())?;
/// assert_eq!(motion.states[0][0].to_text(25), "-4.805000000000000000000000e0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExactModel {
    /// the name of the model
    pub name: String,
    /// the names of coordinates or variables
    pub coordinates: Vec<String>,
    /// the names of the constraints
    pub constraints: Vec<String>,
    /// t at the start
    pub start_time: DoubleDouble,
    /// (q, v), or x, at the start
    pub start: Vec<DoubleDouble>,
    /// the end of the model's own, if it has one
    pub end: Option<DoubleDouble>,
    system: DigitsSystem,
    constants: Vec<DoubleDouble>,
}

impl ExactModel {
    /// Reads a model. Overrides are taken for the shortest decimal numbers that they are.
    ///
    /// # Errors
    /// Mistakes of the file, or what is not known to thirty digits: bodies, strong potentials, events, formulas with branches.
    pub fn read(source: &Source, overrides: &[(String, f64)]) -> Result<Self, Errors> {
        // What is wrong with the file is said as everywhere.
        crate::compiled::read(source, overrides)?;
        let compiled = reader::compile_exactly(source, overrides, Parameters::Exact);
        let (contents, exact) = compiled.map_err(|refused| refused.errors)?;
        let constants = contents.settings.values_in(&exact);
        let refused = |why: &str| {
            let mut mistakes = Mistakes::default();
            mistakes.add_elsewhere(format!("not known to thirty digits: {why}"));
            mistakes.into_errors(source)
        };
        let system = contents.digits_system().map_err(refused)?;
        if let Some(why) = contents.hindrance(&system) {
            return Err(refused(why));
        }
        Ok(contents.exact(system, constants, overrides))
    }

    /// A run with so many digits.
    pub fn digits(&self, digits: usize) -> Digits {
        Digits::new(self.system.clone(), self.constants.clone(), digits)
    }

    /// Whether it is a mechanism: the state has velocities and multipliers.
    pub fn is_mechanical(&self) -> bool {
        matches!(self.system, DigitsSystem::Mechanical(..))
    }
}

impl Contents {
    fn digits_system(&self) -> Result<DigitsSystem, &'static str> {
        let settings: Arc<[f64]> = self.settings.values(&[]).into();
        match &self.equations {
            Equations::Mechanical(equations) => {
                let (formulas, structure) = equations
                    .for_digits(&self.graph, &settings)
                    .ok_or("strong potentials; write constraints instead")?;
                Ok(DigitsSystem::Mechanical(formulas, Box::new(structure)))
            }
            Equations::FirstOrder(equations) => {
                let formulas = equations.for_digits(&self.graph, &settings);
                Ok(DigitsSystem::FirstOrder(formulas, equations.variables().len()))
            }
            Equations::Partitioned(equations) => {
                let formulas = equations.evolution().for_digits(&self.graph, &settings);
                Ok(DigitsSystem::FirstOrder(formulas, equations.variables().len()))
            }
            Equations::Bodies(_) => Err("bodies; write coordinates and constraints instead"),
        }
    }

    /// Why a model has no motion to thirty digits.
    fn hindrance(&self, system: &DigitsSystem) -> Option<&'static str> {
        let smooth = match system {
            DigitsSystem::Mechanical(formulas, _) => formulas.is_smooth(),
            DigitsSystem::FirstOrder(formulas, _) => formulas.is_smooth(),
        };
        let rounded = [std::f64::consts::LN_10, std::f64::consts::FRAC_2_SQRT_PI].map(f64::to_bits);
        let is_rounded = |operation: Operation| match operation {
            Operation::Constant(bits) => rounded.contains(&bits),
            Operation::Unary(function, _) => function == Unary::Erf,
            _ => false,
        };
        if !smooth {
            return Some("formulas with branches (abs, sign, if, min, max, floor)");
        }
        if !self.events.events.is_empty() {
            return Some("events");
        }
        operations(&self.graph).any(is_rounded).then_some("the functions log10 and erf")
    }

    fn exact(
        &self,
        system: DigitsSystem,
        constants: Vec<DoubleDouble>,
        overrides: &[(String, f64)],
    ) -> ExactModel {
        let number = |setting: &Setting| setting.value_in(&constants);
        let (coordinates, constraints) = match &system {
            DigitsSystem::Mechanical(_, structure) => (
                structure.coordinates.clone(),
                structure.constraints.iter().map(|constraint| constraint.name.clone()).collect(),
            ),
            DigitsSystem::FirstOrder(..) => (self.coordinates().to_vec(), Vec::new()),
        };
        let mut start: Vec<DoubleDouble> = self.start.q.iter().chain(&self.start.v).map(number).collect();
        for (name, value) in overrides {
            let name = name.trim();
            let (plain, offset) = match name.strip_suffix('\'') {
                Some(plain) => (plain, coordinates.len()),
                None => (name, 0),
            };
            let place = coordinates.iter().position(|known| known == plain);
            if let Some(place) = place.and_then(|place| start.get_mut(place + offset)) {
                *place =
                    DoubleDouble::parse(&value.to_string()).unwrap_or_else(|| DoubleDouble::constant(*value));
            }
        }
        ExactModel {
            name: self.name.clone(),
            start_time: number(&self.start.t),
            end: self.start.end.as_ref().map(number),
            start,
            coordinates,
            constraints,
            system,
            constants,
        }
    }
}

/// All operations of a graph.
fn operations(graph: &Graph) -> impl Iterator<Item = Operation> + '_ {
    graph.nodes().map(|node| graph.operation(node))
}
