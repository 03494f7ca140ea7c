//! Newton's iteration, and when derivative blocks and factors are used again.

pub(crate) mod implicit_core;
pub(crate) mod iteration;
pub(crate) mod reuse;
pub(crate) mod simplified;

pub(crate) use implicit_core::{ImplicitCore, stages_pay};
