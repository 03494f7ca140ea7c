//! Measures what Taut's methods do.
