//! The families of Runge-Kutta methods.

mod diagonal;
mod dormand_prince;
mod legendre_type;

pub(crate) use legendre_type::{LastEntries, runge_kutta_matrix};

use std::sync::{Arc, Mutex, PoisonError};

use crate::quadrature::Nodes;
use crate::{Tableau, TableauError};

/// A family of Runge-Kutta methods; a member is chosen by its number of stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Gauss (Butcher, Kuntzmann): order 2s, symplectic and symmetric. The choice for smooth conservative motion;
    /// |R(inf)| = 1, so not for index 3.
    Gauss,
    /// Radau IA (Ehle 1969): order 2s - 1, stage order s - 1, L-stable.
    RadauIa,
    /// Radau IIA (Ehle 1969): order 2s - 1, stage order s, stiffly accurate and L-stable. The choice for stiff and
    /// constrained systems.
    RadauIia,
    /// Lobatto IIIA: order 2s - 2, stage order s, symmetric; first stage explicit.
    LobattoIiia,
    /// Lobatto IIIB: order 2s - 2, stage order s - 2, symmetric; symplectic together with IIIA.
    LobattoIiib,
    /// Lobatto IIIC (Chipman 1971): order 2s - 2, stage order s - 1, stiffly accurate and L-stable. The choice for
    /// dissipative forces in a SPARK method.
    LobattoIiic,
    /// Lobatto IIIC* (Butcher's Lobatto III): the adjoint of IIIC, unconditionally explosive. The choice for
    /// driving forces in a SPARK method.
    LobattoIiicStar,
    /// Lobatto IIID (Chan 1990): the mean of IIIC and IIIC*, symmetric and symplectic.
    LobattoIiid,
    /// Singly diagonally implicit methods, L-stable and stiffly accurate: 2 stages of order 2, 3 stages of order 3
    /// (Alexander 1977), 5 stages of order 4 with embedded order 3 (Hairer and Wanner, IV.6).
    Sdirk,
    /// Diagonally implicit methods with explicit first stage, L-stable, stiffly accurate, stage order 2: 3 stages
    /// of order 2 (TR-BDF2, Bank et al. 1985), 4 of order 3 (Kvaerno 2004), 6 of order 4 (Kennedy and Carpenter 2003).
    Esdirk,
    /// The explicit pair of orders 5(4) of Dormand and Prince (1980), 7 stages, with continuous extension.
    DormandPrince5,
    /// The explicit method of orders 8(5,3) of Dormand and Prince, 12 stages (Hairer, Norsett and Wanner, II.5),
    /// with the continuous extension of order 7 on 4 more stages. The choice without any stiffness.
    DormandPrince8,
}

/// The largest number of stages of the families that are computed for any number: beyond it the defect of the first
/// order condition that fails, (s!)^4 / ((2s+1) ((2s)!)^2) for Gauss, sinks to the rounding errors of 32 digits.
pub const MOST_STAGES: usize = 20;

impl Family {
    /// All families.
    pub const ALL: [Self; 12] = [
        Self::RadauIia,
        Self::Gauss,
        Self::RadauIa,
        Self::LobattoIiia,
        Self::LobattoIiib,
        Self::LobattoIiic,
        Self::LobattoIiicStar,
        Self::LobattoIiid,
        Self::Sdirk,
        Self::Esdirk,
        Self::DormandPrince8,
        Self::DormandPrince5,
    ];

    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gauss => "gauss",
            Self::RadauIa => "radau-ia",
            Self::RadauIia => "radau",
            Self::LobattoIiia => "lobatto-iiia",
            Self::LobattoIiib => "lobatto-iiib",
            Self::LobattoIiic => "lobatto-iiic",
            Self::LobattoIiicStar => "lobatto-iiic*",
            Self::LobattoIiid => "lobatto-iiid",
            Self::Sdirk => "sdirk",
            Self::Esdirk => "esdirk",
            Self::DormandPrince5 => "dopri5",
            Self::DormandPrince8 => "dopri8",
        }
    }

    /// The family with this name.
    pub fn from_name(name: &str) -> Result<Self, TableauError> {
        let named = Self::ALL.into_iter().find(|family| family.name() == name);
        named.ok_or_else(|| TableauError::UnknownFamily { name: name.to_owned() })
    }

    /// The quadrature nodes and the last entries of the Legendre form, for the families that have one.
    fn legendre_type(self) -> Option<(Nodes, LastEntries)> {
        let pair = match self {
            Self::Gauss => (Nodes::Gauss, LastEntries::new(1.0, 1.0, 0.0)),
            Self::RadauIa => (Nodes::RadauLeft, LastEntries::new(1.0, 1.0, 1.0)),
            Self::RadauIia => (Nodes::RadauRight, LastEntries::new(1.0, 1.0, 1.0)),
            Self::LobattoIiia => (Nodes::Lobatto, LastEntries::new(1.0, 0.0, 0.0)),
            Self::LobattoIiib => (Nodes::Lobatto, LastEntries::new(0.0, 1.0, 0.0)),
            Self::LobattoIiic => (Nodes::Lobatto, LastEntries::new(1.0, 1.0, 1.0)),
            Self::LobattoIiicStar => (Nodes::Lobatto, LastEntries::new(1.0, 1.0, -1.0)),
            Self::LobattoIiid => (Nodes::Lobatto, LastEntries::new(1.0, 1.0, 0.0)),
            Self::Sdirk | Self::Esdirk | Self::DormandPrince5 | Self::DormandPrince8 => return None,
        };
        Some(pair)
    }

    /// The last entries of the Legendre form, for the families that have one.
    pub(crate) fn last_entries(self) -> Option<LastEntries> {
        self.legendre_type().map(|(_, last)| last)
    }

    /// The numbers of stages that exist.
    pub fn stages(self) -> Vec<usize> {
        match self {
            Self::Sdirk => diagonal::SDIRK_STAGES.to_vec(),
            Self::Esdirk => diagonal::ESDIRK_STAGES.to_vec(),
            Self::DormandPrince5 => dormand_prince::FIVE_STAGES.to_vec(),
            Self::DormandPrince8 => dormand_prince::EIGHT_STAGES.to_vec(),
            _ => (self.least_stages()..=MOST_STAGES).collect(),
        }
    }

    fn least_stages(self) -> usize {
        match self.legendre_type() {
            Some((Nodes::Lobatto, _)) => 2,
            _ => 1,
        }
    }

    /// The member with this number of stages.
    pub fn tableau(self, stages: usize) -> Result<Tableau, TableauError> {
        match self {
            Self::Sdirk => diagonal::sdirk(stages),
            Self::Esdirk => diagonal::esdirk(stages),
            Self::DormandPrince5 => dormand_prince::five(stages),
            Self::DormandPrince8 => dormand_prince::eight(stages),
            _ => self.computed(stages),
        }
    }

    /// The member with this number of stages, computed once in a process: for solvers, which begin often.
    pub fn shared_tableau(self, stages: usize) -> Result<Arc<Tableau>, TableauError> {
        static SHARED: Mutex<Vec<Arc<Tableau>>> = Mutex::new(Vec::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shared.iter().find(|known| known.family() == Some(self) && known.stages() == stages);
        if let Some(known) = known {
            return Ok(Arc::clone(known));
        }
        let tableau = Arc::new(self.tableau(stages)?);
        shared.push(Arc::clone(&tableau));
        Ok(tableau)
    }

    fn computed(self, stages: usize) -> Result<Tableau, TableauError> {
        let family = self.name();
        let least = self.least_stages();
        if stages < least {
            return Err(TableauError::TooFewStages { family, stages, least });
        }
        match self.legendre_type() {
            Some((nodes, last)) if stages <= MOST_STAGES => {
                Ok(legendre_type::tableau(self, nodes, last, stages))
            }
            _ => Err(TableauError::TooManyStages { family, stages, most: MOST_STAGES }),
        }
    }
}

impl std::fmt::Display for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
