//! Measures what Taut's methods do: true errors, convergence orders, work; and whether the literature is right.
//!
//! Problems come from `taut-problems`, motions from `taut`; [`experiment`] has the bare methods that theorems speak of.
//!
//! ```
//! use taut::method::Method;
//! use taut_lab::{Setting, measure_orders};
//!
//! let pendulum = taut_problems::find("pendulum")?;
//! let method = Method::radau().with_stages(2)?;
//! let orders = measure_orders(&pendulum, 1.0, &Setting::of(method), &[8, 16, 32, 64])?;
//! assert!((orders.slope("q") - 3.0).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod claim;
mod comparison;
mod error;
pub mod experiment;
mod order;
mod precision;
mod slope;
mod work;

pub use comparison::{Comparison, Group, solver_of, start_of};
pub use error::LabError;
pub use order::{Orders, Setting, measure_orders};
pub use precision::{Patience, Point, comparison_time, time_for_error, work_precision};
pub use slope::{FEWEST_POINTS, Fit, MOST_DEVIATION, fit};
pub use work::{Summary, run_to};
