//! How a run is made: what was typed, what a checkpoint says, what is usual.

use serde::{Deserialize, Serialize};
use taut::equations::Formulation;
use taut::method::{Method, Scheme, catalog};
use taut::options::{AlgebraicRows, Controller, Options, Projection, Vibrations};
use taut::start::MOST_PASSES;

use crate::arguments::How;
use crate::nearest::nearest;
use crate::outcome::Failure;

/// Everything that decides how a run goes, as it is kept in manifests and checkpoints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// the method
    pub method: String,
    /// its number of stages, where it is fixed
    pub stages: Option<usize>,
    /// relative tolerance
    pub rtol: f64,
    /// absolute tolerance
    pub atol: f64,
    /// the tolerance that stages of constant steps are solved to; to rounding where none is given
    #[serde(default)]
    pub stage_tolerance: Option<f64>,
    /// constant steps
    pub step: Option<f64>,
    /// what the tolerance bounds
    pub controller: String,
    /// which form of the constraints is solved
    pub formulation: String,
    /// projection after each step, where it is chosen
    pub project: Option<String>,
    /// passes of a smooth start
    #[serde(default)]
    pub smooth_start: Option<usize>,
    /// by how much redundant constraints may contradict the others
    #[serde(default)]
    pub accept_gap: f64,
    /// what becomes of the vibrations of stiff springs
    #[serde(default = "usual_vibrations")]
    pub vibrations: String,
    /// a run gives up after so many adaptive steps
    #[serde(default = "usual_most_steps")]
    pub max_steps: usize,
    /// how equations without derivatives hold at the end of a step
    #[serde(default = "usual_approach")]
    pub approach: String,
    /// overrides of parameters and start values
    pub set: Vec<(String, f64)>,
}

impl Default for Settings {
    fn default() -> Self {
        let options = Options::default();
        Settings {
            method: Method::default().name().to_owned(),
            stages: None,
            rtol: options.rtol,
            atol: options.atol,
            stage_tolerance: None,
            step: None,
            controller: controller_name(options.controller).to_owned(),
            formulation: options.formulation.name().to_owned(),
            project: None,
            smooth_start: None,
            accept_gap: options.accept_gap,
            vibrations: usual_vibrations(),
            max_steps: usual_most_steps(),
            approach: usual_approach(),
            set: Vec::new(),
        }
    }
}

impl Settings {
    /// These settings with what was typed in their place.
    pub fn with(self, how: &How, overrides: &[(String, f64)]) -> Self {
        Settings {
            method: how.method.clone().unwrap_or(self.method),
            stages: how.stages.or(self.stages),
            rtol: how.rtol.unwrap_or(self.rtol),
            atol: how.atol.or(how.rtol.filter(|_| self.atol == self.rtol)).unwrap_or(self.atol),
            stage_tolerance: how.rtol.or(how.atol).or(self.stage_tolerance),
            step: how.step.or(self.step),
            controller: how.controller.map_or(self.controller, |c| controller_name(c).to_owned()),
            formulation: how.formulation.map_or(self.formulation, |f| f.name().to_owned()),
            project: how.project.map(|p| p.name().to_owned()).or(self.project),
            smooth_start: how.smooth_start.or(self.smooth_start),
            accept_gap: how.accept_gap.unwrap_or(self.accept_gap),
            vibrations: how.vibrations.map_or(self.vibrations, |v| v.name().to_owned()),
            max_steps: how.max_steps.map_or(self.max_steps, |n| usize::try_from(n).unwrap_or(usize::MAX)),
            approach: how.approach.map_or(self.approach, |a| a.name().to_owned()),
            set: if overrides.is_empty() { self.set } else { overrides.to_vec() },
        }
    }

    /// The method.
    pub fn method(&self) -> Result<Method, Failure> {
        let method = Method::named(&self.method).map_err(|error| {
            let meant = nearest(&self.method, catalog().iter().map(|entry| entry.name));
            let help = meant.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default();
            Failure::wrong(format!("{error}{help}"))
        })?;
        match self.stages {
            None => Ok(method),
            Some(_) if method.scheme() == Scheme::Auto => Err(Failure::wrong(format!(
                "--stages needs a method: '{}' chooses the number of stages itself; add --method radau, for example",
                self.method
            ))),
            Some(stages) => method.with_stages(stages).map_err(Failure::wrong),
        }
    }

    /// The options of the library.
    pub fn options(&self) -> Result<Options, Failure> {
        let projection = self.project.as_deref().map(parse_projection).transpose().map_err(Failure::wrong)?;
        Ok(Options {
            rtol: self.rtol,
            atol: self.atol,
            stage_tolerance: self.stage_tolerance,
            constant_step: self.step,
            controller: parse_controller(&self.controller).map_err(Failure::wrong)?,
            formulation: parse_formulation(&self.formulation).map_err(Failure::wrong)?,
            projection,
            smooth_start: self.smooth_start,
            accept_gap: self.accept_gap,
            vibrations: parse_vibrations(&self.vibrations).map_err(Failure::wrong)?,
            most_steps: self.max_steps,
            algebraic_rows: parse_approach(&self.approach).map_err(Failure::wrong)?,
            ..Options::default()
        })
    }

    /// The first difference to other settings, as a sentence.
    pub fn difference(&self, typed: &Settings) -> Option<String> {
        let show = |value: &Option<String>| value.clone().unwrap_or_else(|| "not given".to_owned());
        let pairs = [
            ("--method", self.method.clone(), typed.method.clone()),
            (
                "--stages",
                show(&self.stages.map(|s| s.to_string())),
                show(&typed.stages.map(|s| s.to_string())),
            ),
            ("--rtol", self.rtol.to_string(), typed.rtol.to_string()),
            ("--atol", self.atol.to_string(), typed.atol.to_string()),
            ("--step", show(&self.step.map(|h| h.to_string())), show(&typed.step.map(|h| h.to_string()))),
            ("--controller", self.controller.clone(), typed.controller.clone()),
            ("--formulation", self.formulation.clone(), typed.formulation.clone()),
            ("--project", show(&self.project), show(&typed.project)),
            (
                "--smooth-start",
                show(&self.smooth_start.map(|n| n.to_string())),
                show(&typed.smooth_start.map(|n| n.to_string())),
            ),
            ("--accept-gap", self.accept_gap.to_string(), typed.accept_gap.to_string()),
            ("--vibrations", self.vibrations.clone(), typed.vibrations.clone()),
            ("--approach", self.approach.clone(), typed.approach.clone()),
            ("--set", show_overrides(&self.set), show_overrides(&typed.set)),
        ];
        let (name, kept, given) = pairs.into_iter().find(|(_, kept, given)| kept != given)?;
        Some(format!("{name} is {kept} in the checkpoint and {given} now"))
    }
}

fn show_overrides(set: &[(String, f64)]) -> String {
    let list: Vec<String> = set.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if list.is_empty() { "not given".to_owned() } else { list.join(" ") }
}

/// `NAME=VALUE`
pub fn parse_override(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, for example g=1.62 or x'=0.3")?;
    let value = value.trim();
    let number = value.parse().map_err(|_| format!("'{value}' is not a number"))?;
    match name.trim() {
        "" => Err("there is no name before '='".to_owned()),
        name => Ok((name.to_owned(), number)),
    }
}

/// The controller of a name.
pub fn parse_controller(name: &str) -> Result<Controller, String> {
    const ALL: [Controller; 3] = [Controller::Standard, Controller::Classical, Controller::Reversible];
    named(name, &ALL, controller_name)
}

fn controller_name(controller: Controller) -> &'static str {
    match controller {
        Controller::Standard => "standard",
        Controller::Classical => "classical",
        Controller::Reversible => "reversible",
    }
}

/// The formulation of a name.
pub fn parse_formulation(name: &str) -> Result<Formulation, String> {
    named(name, &Formulation::ALL, Formulation::name)
}

/// The projection of a name.
pub fn parse_projection(name: &str) -> Result<Projection, String> {
    named(name, &[Projection::None, Projection::Velocity, Projection::Full], Projection::name)
}

/// What becomes of vibrations, by name.
pub fn parse_vibrations(name: &str) -> Result<Vibrations, String> {
    named(name, &Vibrations::ALL, Vibrations::name)
}

fn usual_most_steps() -> usize {
    Options::default().most_steps
}

fn usual_vibrations() -> String {
    Vibrations::default().name().to_owned()
}

/// How equations without derivatives hold, by name.
pub fn parse_approach(name: &str) -> Result<AlgebraicRows, String> {
    named(name, &AlgebraicRows::ALL, AlgebraicRows::name)
}

fn usual_approach() -> String {
    AlgebraicRows::default().name().to_owned()
}

/// The number of passes of a smooth start.
pub fn parse_passes(text: &str) -> Result<usize, String> {
    let expected = || format!("a number from 1 to {MOST_PASSES} is expected");
    let passes = text.parse().map_err(|_| expected())?;
    if (1..=MOST_PASSES).contains(&passes) { Ok(passes) } else { Err(expected()) }
}

fn named<T: Copy>(name: &str, all: &[T], name_of: impl Fn(T) -> &'static str) -> Result<T, String> {
    let found = all.iter().copied().find(|&value| name_of(value) == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&value| name_of(value)).collect();
        format!("there are {}", names.join(", "))
    })
}
