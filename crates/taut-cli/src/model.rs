//! Where a model comes from: built in, or a file.

use std::path::Path;

use taut::method::Damping;
use taut::system::{FirstOrderSystem, MechanicalSystem};
use taut_text::{MOST_BYTES, Model, Source, System, builtin};

use crate::files::read_text;
use crate::hash::Hash;
use crate::nearest::nearest;
use crate::outcome::Failure;

/// A model with the name it goes by on the command line.
pub struct Subject {
    /// the built-in name, or the name of the file without its ending
    pub name: String,
    /// what was typed to get it
    pub typed: String,
    /// the text of the model
    pub source: Source,
    /// the model, overrides included
    pub model: Model,
}

impl Subject {
    /// Reads a built-in model or a file.
    pub fn load(typed: &str, overrides: &[(String, f64)]) -> Result<Self, Failure> {
        let (name, source) = find(typed)?;
        let model =
            Model::read(&source, overrides).map_err(|errors| Failure::model(source.name(), &errors))?;
        Ok(Subject { name, typed: typed.to_owned(), source, model })
    }

    /// The mechanical system, unless the model is a first-order one.
    pub fn mechanism(&self) -> Option<&dyn MechanicalSystem> {
        self.model.system.mechanism()
    }

    /// The shares of applied forces that the model wants damped.
    pub fn damping(&self) -> Damping {
        match &self.model.system {
            System::Mechanical(system) => Damping::Shares(system.damping_shares().to_vec()),
            System::Strong(system) => Damping::Shares(system.system().damping_shares().to_vec()),
            System::Bodies(model) => Damping::Shares(model.damping_shares()),
            System::FirstOrder(_) => Damping::None,
        }
    }

    /// The first-order system, unless the model is a mechanical one.
    pub fn evolution(&self) -> Option<&dyn FirstOrderSystem> {
        match &self.model.system {
            System::Mechanical(_) | System::Strong(_) | System::Bodies(_) => None,
            System::FirstOrder(system) => Some(system),
        }
    }

    /// (q, v) or x at the start, as the model says it.
    pub fn start(&self) -> Vec<f64> {
        [self.model.start.q.as_slice(), &self.model.start.v].concat()
    }

    /// A number that changes with the text of the model.
    pub fn hash(&self) -> String {
        Hash::of(self.source.text().as_bytes()).to_string()
    }
}

fn find(name: &str) -> Result<(String, Source), Failure> {
    if let Some((name, _, text)) = builtin().iter().find(|(builtin, _, _)| *builtin == name) {
        return Ok(((*name).to_owned(), Source::new(format!("{name}.toml"), *text)));
    }
    let path = Path::new(name);
    if !path.exists() {
        return Err(Failure::wrong(nothing_called(name)));
    }
    let text = read_text(path, MOST_BYTES as u64)?;
    let stem = path.file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok((stem, Source::new(name, text)))
}

fn nothing_called(name: &str) -> String {
    let help = match nearest(name, builtin().iter().map(|(known, ..)| *known)) {
        Some(known) => format!("did you mean '{known}'?"),
        None => "`taut models` lists the built-in ones".to_owned(),
    };
    format!("there is no built-in model and no file '{name}'; {help}")
}
