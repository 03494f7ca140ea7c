//! Coefficients of integration methods, computed from their definitions.
