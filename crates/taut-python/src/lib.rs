//! The Python package `taut`: what is written in Rust of it.
//!
//! Here are models and systems made of Python functions, and what runs them; the face of the package, with all arguments
//! that have defaults, is in Python (`python/taut`).

mod along;
mod columns;
mod events;
mod first_order;
mod functions;
mod mistakes;
mod model;
mod pulse;
mod report;
mod result;
mod robot;
mod settings;
mod sweep;
mod tables;

use pyo3::prelude::*;

/// What the package is made of.
#[pymodule]
mod _taut {
    #[pymodule_export]
    use super::first_order::FirstOrderFunctions;
    #[pymodule_export]
    use super::functions::MechanicalFunctions;
    #[pymodule_export]
    use super::mistakes::ModelError;
    #[pymodule_export]
    use super::model::Compiled;
    #[pymodule_export]
    use super::report::page_of_rows;
    #[pymodule_export]
    use super::robot::read_robot;
    #[pymodule_export]
    use super::tables::{builtin_models, methods, save, tableau, verify};

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("PLACES", super::along::PLACES.to_vec())
    }
}
