//! Limits that keep a hostile file from exhausting time or memory. Real models stay far below them.

/// Bytes of a model file.
pub const FILE_BYTES: usize = 4 << 20;
/// Bytes of one expression.
pub(crate) const EXPRESSION_BYTES: usize = 1 << 18;
/// Nesting of one expression: parentheses, calls, signs, exponents.
pub(crate) const EXPRESSION_DEPTH: usize = 100;
/// Bytes of one name after its indices have been put in.
pub(crate) const NAME_BYTES: usize = 200;
/// Names of parameters, coordinates, variables and definitions together.
pub(crate) const NAMES: usize = 1_200_000;
/// Coordinates or variables.
pub(crate) const COORDINATES: usize = 1_000_000;
/// Repetitions of all `for` tables and `sum`s together.
pub(crate) const REPETITIONS: usize = 1_000_000;
/// So many more for each name.
pub(crate) const REPETITIONS_PER_NAME: usize = 8;
/// Index variables of one `for` table.
pub(crate) const INDICES: usize = 8;
/// Points of one table: formulas look at all of them.
pub(crate) const POINTS: usize = 2000;
/// Errors that are reported for one file.
pub(crate) const MISTAKES: usize = 60;
