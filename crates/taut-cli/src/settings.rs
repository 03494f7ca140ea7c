//! How a run is made: what was typed, what a checkpoint says, what is usual.

pub mod names;

use serde::{Deserialize, Serialize};
use taut::equations::Formulation;
use taut::method::{Method, Scheme, catalog};
use taut::options::{AlgebraicRows, Controller, Options, Projection, Vibrations};
use taut::start::MOST_PASSES;

use crate::arguments::How;
use crate::nearest::nearest;
use crate::outcome::Failure;
use names::Named;

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
    #[serde(with = "names")]
    pub controller: Controller,
    /// which form of the constraints is solved
    #[serde(with = "names")]
    pub formulation: Formulation,
    /// projection after each step, where it is chosen
    #[serde(with = "names::or_nothing")]
    pub project: Option<Projection>,
    /// passes of a smooth start
    pub smooth_start: Option<usize>,
    /// by how much redundant constraints may contradict the others
    #[serde(default)]
    pub accept_gap: f64,
    /// what becomes of the vibrations of stiff springs
    #[serde(with = "names")]
    pub vibrations: Vibrations,
    /// the length of the first adaptive step
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_step: Option<f64>,
    /// no adaptive step is longer
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_step: Option<f64>,
    /// a run gives up after so many adaptive steps
    pub max_steps: usize,
    /// how equations without derivatives hold at the end of a step
    #[serde(with = "names")]
    pub approach: AlgebraicRows,
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
            controller: options.controller,
            formulation: options.formulation,
            project: None,
            smooth_start: None,
            accept_gap: options.accept_gap,
            vibrations: options.vibrations,
            first_step: None,
            max_step: None,
            max_steps: options.most_steps,
            approach: options.algebraic_rows,
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
            controller: how.controller.unwrap_or(self.controller),
            formulation: how.formulation.unwrap_or(self.formulation),
            project: how.project.or(self.project),
            smooth_start: how.smooth_start.or(self.smooth_start),
            accept_gap: how.accept_gap.unwrap_or(self.accept_gap),
            vibrations: how.vibrations.unwrap_or(self.vibrations),
            first_step: how.first_step.or(self.first_step),
            max_step: how.max_step.or(self.max_step),
            max_steps: how.max_steps.map_or(self.max_steps, |n| usize::try_from(n).unwrap_or(usize::MAX)),
            approach: how.approach.unwrap_or(self.approach),
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
    pub fn options(&self) -> Options {
        Options {
            rtol: self.rtol,
            atol: self.atol,
            stage_tolerance: self.stage_tolerance,
            constant_step: self.step,
            controller: self.controller,
            formulation: self.formulation,
            projection: self.project,
            smooth_start: self.smooth_start,
            accept_gap: self.accept_gap,
            vibrations: self.vibrations,
            first_step: self.first_step,
            largest_step: self.max_step,
            most_steps: self.max_steps,
            algebraic_rows: self.approach,
            ..Options::default()
        }
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
            ("--controller", named(self.controller), named(typed.controller)),
            ("--formulation", named(self.formulation), named(typed.formulation)),
            ("--project", show(&self.project.map(named)), show(&typed.project.map(named))),
            (
                "--smooth-start",
                show(&self.smooth_start.map(|n| n.to_string())),
                show(&typed.smooth_start.map(|n| n.to_string())),
            ),
            ("--accept-gap", self.accept_gap.to_string(), typed.accept_gap.to_string()),
            ("--vibrations", named(self.vibrations), named(typed.vibrations)),
            ("--approach", named(self.approach), named(typed.approach)),
            ("--set", show_overrides(&self.set), show_overrides(&typed.set)),
        ];
        let (name, kept, given) = pairs.into_iter().find(|(_, kept, given)| kept != given)?;
        Some(format!("{name} is {kept} in the checkpoint and {given} now"))
    }
}

fn named<T: Named>(choice: T) -> String {
    choice.name().to_owned()
}

fn show_overrides(set: &[(String, f64)]) -> String {
    let list: Vec<String> = set.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if list.is_empty() { "not given".to_owned() } else { list.join(" ") }
}

/// The number of passes of a smooth start.
pub fn parse_passes(text: &str) -> Result<usize, String> {
    let expected = || format!("a number from 1 to {MOST_PASSES} is expected");
    let passes = text.parse().map_err(|_| expected())?;
    if (1..=MOST_PASSES).contains(&passes) { Ok(passes) } else { Err(expected()) }
}

/// A number; with a point, not with a comma.
pub fn parse_number(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| match text.replacen(',', ".", 1).parse::<f64>() {
        Ok(_) if text.contains(',') => {
            format!("'{text}' is not a number; write a point: {}", text.replacen(',', ".", 1))
        }
        _ => format!("'{text}' is not a number"),
    })?;
    if number.is_finite() { Ok(number) } else { Err(format!("{text} is not a finite number")) }
}

/// A number above 0.
pub fn parse_positive(text: &str) -> Result<f64, String> {
    let number = parse_number(text)?;
    if number > 0.0 { Ok(number) } else { Err("it must be above 0".to_owned()) }
}
