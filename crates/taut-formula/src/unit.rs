//! The vector unit of the machine.

use std::sync::OnceLock;

use pulp::Arch;

/// What formulas are evaluated with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    /// one state at a time, with the sines of the library
    Plain,
    /// several states at a time, with sines of our own
    Vector(Arch),
}

/// The variable that, set to 1, has formulas evaluated for one state at a time.
const LANES: &str = "TAUT_LANES";

impl Unit {
    /// The one of this machine, unless `TAUT_LANES=1` says otherwise.
    #[inline]
    pub(crate) fn here() -> Unit {
        static HERE: OnceLock<Unit> = OnceLock::new();
        *HERE.get_or_init(|| match (std::env::var(LANES).as_deref(), Arch::new()) {
            (Ok("1"), _) | (_, Arch::Scalar) => Unit::Plain,
            (_, arch) => Unit::Vector(arch),
        })
    }
}
