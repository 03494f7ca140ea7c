//! One model file with all the structures that many runs have met.

use std::sync::{Mutex, PoisonError, RwLock};

use crate::compiled::Compiled;
use crate::mistake::Errors;
use crate::model::Model;

/// So many structures are kept; the others are read whenever they are asked for.
const MOST: usize = 64;

/// A compiled model for runs whose parameters may change its structure: each structure is compiled once.
///
/// Threads share it. What [`with`](Self::with) gives does not depend on what was asked for before: it is the same, to the last
/// bit, as what [`Model::read`] gives.
///
/// ```
/// use taut_text::{Compiled, Source, Variants};
///
/// let source = Source::new("masses.toml", r#"
///     [parameters]
///     N = 2
///     [[for]]
///     i = "1..N"
///     [for.coordinates]
///     "x{i}" = { start = 1.0 }
///     [energy]
///     kinetic = "sum(i, 1, N, x{i}'^2)/2"
/// "#);
/// let variants = Variants::new(Compiled::read(&source)?);
/// for masses in [2.0, 3.0, 2.0, 3.0] {
///     assert_eq!(variants.with(&[("N".into(), masses)])?.coordinates().len(), masses as usize);
/// }
/// assert_eq!(variants.count(), 2);
/// # Ok::<(), taut_text::Errors>(())
/// ```
#[derive(Debug)]
pub struct Variants {
    first: Compiled,
    more: RwLock<Vec<Compiled>>,
    /// one thread at a time compiles, so that none does what another one is about to have done
    compiling: Mutex<()>,
}

impl Variants {
    /// A model of which one structure is compiled.
    pub fn new(first: Compiled) -> Self {
        Variants { first, more: RwLock::new(Vec::new()), compiling: Mutex::new(()) }
    }

    /// The structure that was compiled first.
    pub fn first(&self) -> &Compiled {
        &self.first
    }

    /// The model with these values of parameters and starts.
    pub fn with(&self, overrides: &[(String, f64)]) -> Result<Model, Errors> {
        if let Some(model) = self.known(overrides) {
            return model;
        }
        if self.first.is_for_one_set() {
            return self.first.read_again(overrides);
        }
        let _alone = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = self.known(overrides) {
            return model;
        }
        let model = self.first.read_again(overrides)?;
        let mut more = self.more.write().unwrap_or_else(PoisonError::into_inner);
        if more.len() < MOST {
            more.push(model.compiled().clone());
        }
        Ok(model)
    }

    /// How many structures are compiled.
    pub fn count(&self) -> usize {
        1 + self.more.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn known(&self, overrides: &[(String, f64)]) -> Option<Result<Model, Errors>> {
        let more = self.more.read().unwrap_or_else(PoisonError::into_inner);
        std::iter::once(&self.first).chain(&*more).find_map(|compiled| compiled.instance(overrides))
    }
}
