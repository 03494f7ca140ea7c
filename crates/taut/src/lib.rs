//! Taut integrates mechanical systems that are held together by rods and by very stiff springs.

pub mod linear;
pub mod system;
