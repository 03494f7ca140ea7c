//! Where a model comes from: built in, or a file.

use std::path::Path;

use taut::method::Damping;
use taut::start::StartError;
use taut::system::{FirstOrderSystem, MechanicalSystem, PartitionedSystem};
use taut_bodies::{Ignore, ImportError, Imported, import, write_model};
use taut_text::{BodiesModel, MOST_BYTES, Model, PartitionedModel, Source, System, Variants, builtin};

use crate::arguments::Robot;
use crate::files::{read_standard_input, read_text};
use crate::hash::Hash;
use crate::nearest::nearest;
use crate::outcome::{Failure, Kind, tell};

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
        Self::load_robot(typed, overrides, &Robot::default())
    }

    /// Reads a built-in model or a file; of a robot's file what is asked for.
    pub fn load_robot(typed: &str, overrides: &[(String, f64)], robot: &Robot) -> Result<Self, Failure> {
        let (name, source) = find(typed, robot)?;
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
            System::Partitioned(system) if !system.damping_shares().is_empty() => {
                Damping::Shares(system.damping_shares().to_vec())
            }
            System::Partitioned(_) | System::FirstOrder(_) => Damping::None,
        }
    }

    /// The first-order system, unless the model is a mechanical one.
    pub fn evolution(&self) -> Option<&dyn FirstOrderSystem> {
        self.model.system.evolution().map(|system| system as &dyn FirstOrderSystem)
    }

    /// The partitioned system of a Hamiltonian or partitioned model.
    pub fn partition(&self) -> Option<&PartitionedModel> {
        match &self.model.system {
            System::Partitioned(system) => Some(system),
            _ => None,
        }
    }

    /// The energy of a state, when there is one.
    pub fn energy(&self, t: f64, y: &[f64]) -> Option<f64> {
        let energy = match (self.mechanism(), self.partition()) {
            (Some(system), _) => {
                let (q, rest) = y.split_at_checked(system.structure().n())?;
                system.energy(t, q, rest.get(..q.len())?).ok()?
            }
            (None, Some(system)) => {
                let structure = system.structure();
                let (first, rest) = y.split_at_checked(structure.n())?;
                system.energy(t, first, rest.get(..structure.p())?).ok()??
            }
            (None, None) => return None,
        };
        Some(energy.total())
    }

    /// (q, v) or x at the start, as the model says it.
    pub fn start(&self) -> Vec<f64> {
        [self.model.start.q.as_slice(), &self.model.start.v].concat()
    }

    /// What its bodies, joints and springs have that no mechanism has, though it moves.
    pub fn doubts(&self) -> Vec<String> {
        self.model.system.bodies().map_or_else(Vec::new, |model| model.world().doubts())
    }

    /// Why there is no start, with what is known of the body or joint whose acceleration nothing determines.
    pub fn explained(&self, error: &StartError) -> String {
        let Some(world) = self.model.system.bodies().map(BodiesModel::world) else {
            return error.to_string();
        };
        let known = match error {
            StartError::Undetermined { name } => world.about(name).map(|known| format!("{error}; {known}")),
            // That the gradient vanishes, or that nothing reduces the gap, is no news beside this.
            StartError::Vanishing { constraint }
            | StartError::NotReached { constraint, .. }
            | StartError::Contradiction { constraint, .. } => world.about_row(constraint),
            _ => None,
        };
        known.unwrap_or_else(|| error.to_string())
    }

    /// A number that changes with the text of the model and of the files that it reads.
    pub fn hash(&self) -> String {
        let files = self.model.compiled().files().iter().map(|(_, text)| text.as_str());
        let texts: String = std::iter::once(self.source.text()).chain(files).collect();
        Hash::of(texts.as_bytes()).to_string()
    }
}

/// The name of a model that is read from standard input.
pub const STANDARD_INPUT: &str = "-";

/// A model that is compiled for many runs, and shared by threads.
pub struct SharedModel {
    name: String,
    typed: String,
    source: Source,
    variants: Variants,
}

impl SharedModel {
    /// What a model that was read is made of.
    pub fn new(subject: &Subject) -> Self {
        SharedModel {
            name: subject.name.clone(),
            typed: subject.typed.clone(),
            source: subject.source.clone(),
            variants: Variants::new(subject.model.compiled().clone()),
        }
    }

    /// The model with these values of parameters and starts; the same bits as one that is read anew.
    pub fn subject(&self, set: &[(String, f64)]) -> Result<Subject, Failure> {
        let model = self.variants.with(set).map_err(|errors| Failure::model(self.source.name(), &errors))?;
        Ok(Subject { name: self.name.clone(), typed: self.typed.clone(), source: self.source.clone(), model })
    }

    /// Its text.
    pub fn source(&self) -> &Source {
        &self.source
    }
}

pub(crate) fn find(name: &str, robot: &Robot) -> Result<(String, Source), Failure> {
    if let Some((name, _, text)) = builtin().iter().find(|(builtin, _, _)| *builtin == name) {
        return Ok(((*name).to_owned(), Source::new(format!("{name}.toml"), *text)));
    }
    if name == STANDARD_INPUT {
        let text = read_standard_input(MOST_BYTES as u64)?;
        return Ok(("standard-input".to_owned(), Source::new("standard input", text)));
    }
    let path = Path::new(name);
    if !path.exists() {
        return Err(Failure::wrong(nothing_called(name)));
    }
    let is_robot = path.extension().is_some_and(|ending| ending == "urdf" || ending == "xml");
    let text = if is_robot { robot_text(path, robot)? } else { read_text(path, MOST_BYTES as u64)? };
    let stem = path.file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok((stem, Source::new(name, text)))
}

/// The model file that a URDF or MJCF file becomes. What is left out is told, or refused.
pub fn robot_text(path: &Path, robot: &Robot) -> Result<String, Failure> {
    let imported = read_robot(path, robot)?;
    for reason in &imported.left_out {
        tell(format!("left out: {reason}"));
    }
    Ok(write_model(&imported))
}

/// The robot of a URDF or MJCF file, and what was left out of it; a strict reader refuses to leave anything out.
pub fn read_robot(path: &Path, robot: &Robot) -> Result<Imported, Failure> {
    let given = |word: &str| robot.ignore.iter().any(|known| known == word);
    let ignore = Ignore {
        actuators: given("actuators"),
        limits: given("limits"),
        friction: given("friction"),
        contacts: given("contacts"),
    };
    let imported = import(path, ignore).map_err(|error| match error {
        ImportError::Element { .. } => Failure::file(path, error).about(Kind::Model),
        // These name the file, which may be one that is included.
        _ => Failure::wrong(error).about(Kind::File),
    })?;
    if robot.strict && !imported.left_out.is_empty() {
        let reasons = imported.left_out.join("\n  ");
        return Err(Failure::file(path, format!("there is more in it than Taut has:\n  {reasons}")));
    }
    Ok(imported)
}

fn nothing_called(name: &str) -> String {
    let help = match nearest(name, builtin().iter().map(|(known, ..)| *known)) {
        Some(known) => format!("did you mean '{known}'?"),
        None => "`taut models` lists the built-in ones".to_owned(),
    };
    format!("there is no built-in model and no file '{name}'; {help}")
}
