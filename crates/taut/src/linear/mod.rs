//! Linear algebra of the steps.
