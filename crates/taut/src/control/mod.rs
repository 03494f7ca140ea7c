//! How far the next step goes.

pub(crate) mod error_norm;
