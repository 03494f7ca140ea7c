//! Coefficients of integration methods, computed from their definitions.
//!
//! A [`Family`] and a number of stages give a [`Tableau`]; its properties (order, stability, symmetry, ...) are computed
//! from the coefficients, never typed in. [`Spark`] holds the Lobatto matrices of a SPARK method on one quadrature
//! formula, [`Multistep`] a linear multistep method.
//!
//! ```
//! use taut_tableau::Family;
//! let radau = Family::RadauIia.tableau(3)?;
//! let properties = radau.properties();
//! assert_eq!((properties.order, properties.stage_order), (5, 3));
//! assert!(properties.l_stable && properties.stiffly_accurate);
//! # Ok::<(), taut_tableau::TableauError>(())
//! ```

mod continuous;
mod error;
mod family;
mod legendre;
mod multistep;
pub mod number;
mod property;
mod quadrature;
mod spark;
mod tableau;
#[cfg(test)]
mod testing;

pub use continuous::{ContinuousExtension, ExtraStages};
pub use error::TableauError;
pub use family::{Family, MOST_STAGES};
pub use multistep::Multistep;
pub use number::Matrix;
pub use property::{
    ErrorEstimator, Properties, RootedTrees, SimplifyingAssumptions, Spectrum, StabilityFunction,
    StiffStability, symplectic_defect,
};
pub use spark::{Lobatto, Pair, Periodicity, Solvability, Spark};
pub use tableau::{Coefficients, Embedded, Tableau};
