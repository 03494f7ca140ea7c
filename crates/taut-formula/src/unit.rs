//! The vector unit of the machine.

use std::sync::OnceLock;

#[cfg(not(target_arch = "x86_64"))]
use pulp::Arch;
use pulp::WithSimd;
#[cfg(target_arch = "x86_64")]
use pulp::{Simd, x86::V3};

/// What formulas are evaluated with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    /// one state at a time, with the sines of the library
    Plain,
    /// several states at a time, with sines of our own
    Vector(Vector),
}

/// A vector unit that is there: work is compiled for it, and not once more for machines without one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector(#[cfg(target_arch = "x86_64")] V3, #[cfg(not(target_arch = "x86_64"))] Arch);

/// The variable that, set to 1, has formulas evaluated for one state at a time.
const LANES: &str = "TAUT_LANES";

impl Unit {
    /// The one of this machine, unless `TAUT_LANES=1` says otherwise.
    #[inline]
    pub(crate) fn here() -> Unit {
        static HERE: OnceLock<Unit> = OnceLock::new();
        *HERE.get_or_init(|| match (std::env::var(LANES).as_deref(), Vector::here()) {
            (Ok("1"), _) | (_, None) => Unit::Plain,
            (_, Some(vector)) => Unit::Vector(vector),
        })
    }
}

#[cfg(target_arch = "x86_64")]
impl Vector {
    fn here() -> Option<Self> {
        V3::try_new().map(Self)
    }

    /// Does work with it.
    #[inline(always)]
    pub(crate) fn dispatch<W: WithSimd>(self, work: W) -> W::Output {
        Simd::vectorize(self.0, work)
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Vector {
    fn here() -> Option<Self> {
        match Arch::new() {
            Arch::Scalar => None,
            arch => Some(Self(arch)),
        }
    }

    /// Does work with it.
    #[inline(always)]
    pub(crate) fn dispatch<W: WithSimd>(self, work: W) -> W::Output {
        self.0.dispatch(work)
    }
}
