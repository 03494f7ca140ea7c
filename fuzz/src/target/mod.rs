//! What is fed with hostile inputs.

mod checkpoint;
mod command_line;
mod model;
mod table;

pub use checkpoint::Checkpoints;
pub use command_line::CommandLines;
pub use model::Models;
pub use table::Tables;

use std::path::Path;

/// A part of the command that must answer whatever it is given.
pub trait Target {
    /// its name, which is also that of its corpus
    fn name(&self) -> &'static str;

    /// The inputs to begin with, besides the corpus.
    fn seeds(&self) -> Vec<String>;

    /// Feeds an input.
    ///
    /// # Errors
    /// What is wrong with the answer.
    fn feed(&self, input: &str, folder: &Path) -> Result<(), String>;
}

/// All targets.
pub fn all() -> Vec<Box<dyn Target>> {
    vec![Box::new(Models), Box::new(Checkpoints::default()), Box::new(Tables), Box::new(CommandLines)]
}
