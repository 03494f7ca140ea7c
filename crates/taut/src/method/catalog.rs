//! The methods by name.

use taut_tableau::Family;

use super::{ADAMS_ORDERS, BDF_ORDERS, Method, RADAU_STAGES, Scheme, TAYLOR_ORDERS, Treatment};

/// One method of the catalogue.
#[derive(Clone, Debug)]
pub struct Entry {
    /// what a user types
    pub name: &'static str,
    /// how its steps are computed
    pub scheme: Scheme,
    /// the usual numbers of stages; more than one means variable order
    pub stages: &'static [usize],
    /// when to choose it
    pub suits: &'static str,
}

impl Entry {
    /// The method with its usual numbers of stages.
    pub fn method(&self) -> Method {
        Method { name: self.name, scheme: self.scheme, stages: self.stages.to_vec() }
    }
}

/// All methods.
pub fn catalog() -> &'static [Entry] {
    ENTRIES
}

const ENTRIES: &[Entry] = &[
    Entry {
        name: "auto",
        scheme: Scheme::Auto,
        stages: &[],
        suits: "everything: dopri8 while the motion is not stiff, radau from where it is",
    },
    Entry {
        name: "radau",
        scheme: Scheme::Implicit(Family::RadauIia),
        stages: RADAU_STAGES,
        suits: "constraints, stiff springs, friction, stiff and differential-algebraic systems of index 0 to 3",
    },
    Entry {
        name: "dopri8",
        scheme: Scheme::Explicit(Family::DormandPrince8),
        stages: &[12],
        suits: "motion that is not stiff, with or without constraints, from moderate to high accuracy",
    },
    Entry {
        name: "adams",
        scheme: Scheme::Adams,
        stages: ADAMS_ORDERS,
        suits: "smooth motion that is not stiff, with or without constraints, where evaluations are expensive: it takes the fewest",
    },
    Entry {
        name: "taylor",
        scheme: Scheme::Taylor,
        stages: TAYLOR_ORDERS,
        suits: "motion that is not stiff, with or without constraints, from moderate to the highest accuracy, of systems whose formulas are known",
    },
    Entry {
        name: "dopri5",
        scheme: Scheme::Explicit(Family::DormandPrince5),
        stages: &[7],
        suits: "motion that is not stiff, with or without constraints, at low accuracy",
    },
    Entry {
        name: "lobatto-iiic",
        scheme: Scheme::Implicit(Family::LobattoIiic),
        stages: &[3],
        suits: "constraints and stiff systems; energy is damped at high frequencies",
    },
    Entry {
        name: "radau-ia",
        scheme: Scheme::Implicit(Family::RadauIa),
        stages: &[3],
        suits: "stiff systems and constraints with full projection; for comparison with radau",
    },
    Entry {
        name: "gauss",
        scheme: Scheme::Implicit(Family::Gauss),
        stages: &[3],
        suits: "oscillations without damping in systems without constraints; quadratic invariants are kept",
    },
    Entry {
        name: "lobatto-iiia",
        scheme: Scheme::Implicit(Family::LobattoIiia),
        stages: &[3],
        suits: "smooth systems without constraints; symmetric",
    },
    Entry {
        name: "lobatto-iiib",
        scheme: Scheme::Implicit(Family::LobattoIiib),
        stages: &[3],
        suits: "smooth systems without constraints; symmetric",
    },
    Entry {
        name: "lobatto-iiid",
        scheme: Scheme::Implicit(Family::LobattoIiid),
        stages: &[3],
        suits: "oscillations without damping in systems without constraints; symplectic and symmetric",
    },
    Entry {
        name: "sdirk",
        scheme: Scheme::Diagonal(Family::Sdirk),
        stages: &[5],
        suits: "stiff and large systems without constraints or stiff springs, at low accuracy: one real matrix for all stages",
    },
    Entry {
        name: "esdirk",
        scheme: Scheme::Diagonal(Family::Esdirk),
        stages: &[6],
        suits: "stiff and large systems without algebraic variables at low accuracy",
    },
    Entry {
        name: "bdf",
        scheme: Scheme::Bdf,
        stages: BDF_ORDERS,
        suits: "stiff and large systems, constraints, index 0 to 3, at low to moderate accuracy: one stage for each step",
    },
    Entry {
        name: "spark",
        scheme: Scheme::Spark(Treatment::ByClass),
        stages: &[3],
        suits: "long motion of mechanisms with constant steps, without vibrations that need shorter ones: symplectic and symmetric where the mechanics is",
    },
    Entry {
        name: "rattle",
        scheme: Scheme::Spark(Treatment::Alike),
        stages: &[2],
        suits: "long motion of conservative mechanisms with regular mass matrix at low accuracy: spark with 2 stages, all forces alike",
    },
];
