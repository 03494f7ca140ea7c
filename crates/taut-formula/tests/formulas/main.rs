//! Formulas as a whole, in one program: each of these files would be linked by itself otherwise.

mod lanes;
mod random;
mod repeated;
