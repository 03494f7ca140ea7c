//! What steps tell about the springs in them.

use crate::motion::SpringSpan;

/// Springs whose vibrations a method follows, takes along or leaves to their dampers.
pub(crate) trait TreatedSprings {
    /// What becomes of their vibrations, in words; nothing before it is decided, or without any springs.
    fn report(&self) -> Option<String>;

    /// How each spring was treated, and when.
    fn spans(&self) -> Vec<SpringSpan>;

    /// The names of those whose vibrations are followed now.
    fn followed(&self) -> Vec<String>;

    /// Steps longer than this would miss vibrations that are to be followed.
    fn longest_step(&self) -> f64;
}
