//! Which coefficients of a SPARK method treat which forces, and to which equations it can be applied.

use std::borrow::Cow;

use taut_tableau::{Lobatto, Spark, TableauError};

use super::{Damped, Damping, Mismatch};
use crate::equations::Formulation;
use crate::options::{Controller, Options};
use crate::system::RatePart;

/// Whether a SPARK method tells the classes of forces apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Treatment {
    /// each class of forces has the coefficients that [`SparkOptions`] gives it
    ByClass,
    /// all forces are treated like conservative ones, with Lobatto IIIB. With 2 stages this is RATTLE (Andersen 1983)
    Alike,
}

impl Treatment {
    /// Whether there is such a number of stages.
    pub(crate) fn offers(self, stages: usize) -> Result<(), TableauError> {
        match self {
            Treatment::ByClass => Spark::new(stages).map(|_| ()),
            Treatment::Alike if stages == 2 => Ok(()),
            Treatment::Alike => Err(TableauError::NoSuchStages { family: "rattle", stages, available: &[2] }),
        }
    }
}

/// A convex combination of Lobatto matrices, Σ share · matrix (Jay 1998, section 7).
#[derive(Clone, Debug, PartialEq)]
pub struct Shares(Cow<'static, [(Lobatto, f64)]>);

impl Shares {
    /// One matrix for everything.
    pub fn only(lobatto: Lobatto) -> Self {
        Shares(Cow::Borrowed(match lobatto {
            Lobatto::A => &[(Lobatto::A, 1.0)],
            Lobatto::B => &[(Lobatto::B, 1.0)],
            Lobatto::C => &[(Lobatto::C, 1.0)],
            Lobatto::CStar => &[(Lobatto::CStar, 1.0)],
            Lobatto::D => &[(Lobatto::D, 1.0)],
        }))
    }

    /// The share `damping` with Lobatto IIIC, which damps high frequencies, the rest with `lobatto`.
    pub fn damped(lobatto: Lobatto, damping: f64) -> Self {
        Shares(vec![(lobatto, 1.0 - damping), (Lobatto::C, damping)].into())
    }

    /// Any shares; they must not be negative and must add up to 1.
    pub fn of(shares: &[(Lobatto, f64)]) -> Self {
        Shares(shares.to_vec().into())
    }

    /// The matrices and their shares.
    pub fn as_slice(&self) -> &[(Lobatto, f64)] {
        &self.0
    }

    /// The matrices that have a share.
    fn matrices(&self) -> Vec<Lobatto> {
        self.0.iter().filter(|(_, share)| *share != 0.0).map(|(lobatto, _)| *lobatto).collect()
    }
}

/// Which coefficients treat which forces in (M v)' = ∂T/∂q + f − Gᵀλ (Jay 1998, eq. 15 and section 8).
///
/// With a constant mass matrix, forces that do not depend on velocities are treated alike by IIIB, IIIC, IIIC* and
/// IIID: the product of IIIA with each of them is the same. The classes differ for damping and for M(q), and IIIA
/// differs from all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct SparkOptions {
    /// q' = v: Lobatto IIIA, which is symplectic together with IIIB. IIIC, or a share of it, damps all motion; others do not
    /// end where the last stage does
    pub positions: Shares,
    /// the forces −Gᵀλ of rods: Lobatto IIIB, symplectic together with IIIA
    pub reactions: Shares,
    /// ∂T/∂q, −∂V/∂q and the forces of class conservative: Lobatto IIIB
    pub conservative: Shares,
    /// the forces of class dissipative: Lobatto IIIC, which is L-stable
    pub dissipative: Shares,
    /// the forces of class driving: Lobatto IIIC*, which is explosive
    pub driving: Shares,
    /// the forces of class oscillatory and of springs. `None` takes Lobatto IIIA, which is P-stable; with 2 stages,
    /// where IIIA does not converge for stiff springs (Jay 1998, section 5.2), Lobatto IIIC.
    pub oscillatory: Option<Shares>,
    /// the share of each coordinate that is treated with Lobatto IIIC in any case
    pub damping: Damping,
    /// what that is a share of; methods that treat all forces alike damp applied forces only
    pub damping_of: Damped,
    /// the weights eᵢ of the error estimate h Σ eᵢ kᵢ (38), symmetric or antisymmetric. `None` takes those of the highest
    /// order, which vanish on polynomials of degree s − 2; for reversible steps of 3 stages or more, those that
    /// vanish on polynomials of degree 1 and are symmetric
    pub error_weights: Option<Vec<f64>>,
    /// Newton's iteration goes on until rounding stops it, and gives up after so many rounds
    pub most_iterations: usize,
    /// Newton's matrix is always the whole one, with stiffness, damping, M and G of every stage. Otherwise, where that is
    /// large, one with M and G of the beginning of the step is tried first. It serves short steps without stiff forces;
    /// where it does not, the whole one is taken for a while. The step is the same with both
    pub whole_matrix: bool,
}

impl Default for SparkOptions {
    fn default() -> Self {
        SparkOptions {
            positions: Shares::only(Lobatto::A),
            reactions: Shares::only(Lobatto::B),
            conservative: Shares::only(Lobatto::B),
            dissipative: Shares::only(Lobatto::C),
            driving: Shares::only(Lobatto::CStar),
            oscillatory: None,
            damping: Damping::None,
            damping_of: Damped::AppliedForces,
            error_weights: None,
            most_iterations: 40,
            whole_matrix: false,
        }
    }
}

impl SparkOptions {
    /// Numerical damping of all fast vibrations (Jay 1998, section 7): positions and forces with the same share of Lobatto IIIC,
    /// from 0 to 1, the rest IIIA (for rods IIIB). Oscillations of any frequency stay bounded and the highest are removed in a step
    /// for every share above 0; the order stays 2s − 2.
    ///
    /// [`Damped::Motion`] does the same coordinate by coordinate. Shares of forces alone damp what depends on velocities: with
    /// positions in IIIA elastic forces are treated alike by IIIB and IIIC. With positions in shares of IIIC and forces in IIIB oscillations grow
    /// below the shares 0.500, 0.629, 0.700, 0.749 for s = 2, 3, 4, 5.
    pub fn damped(share: f64) -> Self {
        let share = share.clamp(0.0, 1.0);
        SparkOptions {
            positions: Shares::damped(Lobatto::A, share),
            reactions: Shares::damped(Lobatto::B, share),
            conservative: Shares::damped(Lobatto::A, share),
            oscillatory: Some(Shares::damped(Lobatto::A, share)),
            ..SparkOptions::default()
        }
    }

    /// The coefficients of oscillatory forces with s stages.
    pub fn oscillatory(&self, stages: usize) -> Shares {
        let usual = if stages > 2 { Lobatto::A } else { Lobatto::C };
        self.oscillatory.clone().unwrap_or_else(|| Shares::only(usual))
    }

    /// All forces like conservative ones.
    pub(crate) fn alike(&self) -> Self {
        let all = || Shares::only(Lobatto::B);
        SparkOptions {
            positions: Shares::only(Lobatto::A),
            reactions: all(),
            conservative: all(),
            dissipative: all(),
            driving: all(),
            oscillatory: Some(all()),
            damping_of: Damped::AppliedForces,
            ..self.clone()
        }
    }
}

/// Whether a SPARK method can be applied to these equations; `coordinates` is their number when they are those of a
/// mechanism.
pub(crate) fn permits_spark(
    method: &str,
    spark: &Spark,
    treatment: Treatment,
    coordinates: Option<usize>,
    options: &Options,
) -> Result<(), Mismatch> {
    let refuse = |why: String, instead: &'static str| {
        Err(Mismatch { method: method.to_owned(), stages: spark.stages(), why, instead })
    };
    let Some(n) = coordinates else {
        return refuse("it is made for positions and velocities of a mechanical system".into(), "radau");
    };
    permits_shares(method, spark, n, options)?;
    permits_options(method, spark, options)?;
    let positions = options.spark.positions.matrices();
    let damps_motion = options.spark.damping_of == Damped::Motion && !options.spark.damping.is_none();
    if damps_motion && treatment == Treatment::ByClass && positions != [Lobatto::A] {
        let why = "shares of damping for each coordinate choose the coefficients of positions".into();
        return refuse(why, "lobatto-iiia for them, or no shares");
    }
    if let Some(other) = positions.iter().find(|matrix| !matches!(matrix, Lobatto::A | Lobatto::C)) {
        let why = format!("with {} for positions its last stage is not the end of the step", other.family());
        return refuse(why, "lobatto-iiia or lobatto-iiic for them");
    }
    let reactions = &options.spark.reactions;
    match treatment {
        Treatment::ByClass => determines_multipliers(method, spark, "the forces of rods", &[reactions]),
        Treatment::Alike => Ok(()),
    }
}

/// Whether there is a share of damping for each of n coordinates or variables, where shares are given.
fn permits_shares(method: &str, spark: &Spark, n: usize, options: &Options) -> Result<(), Mismatch> {
    let Damping::Shares(shares) = &options.spark.damping else { return Ok(()) };
    let sound = shares.len() == n && shares.iter().all(|share| (0.0..=1.0).contains(share));
    if sound {
        return Ok(());
    }
    let why = format!("the damping shares {shares:?} are not {n} numbers from 0 to 1");
    let instead = "one share for each coordinate";
    Err(Mismatch { method: method.to_owned(), stages: spark.stages(), why, instead })
}

/// Whether a SPARK method can be applied to a partitioned system with this number of variables (y, z); `reacting` are the parts of
/// it that depend on multipliers, with the coefficients that treat them.
pub(crate) fn permits_partition(
    method: &str,
    spark: &Spark,
    (variables, reacting): (usize, &[(RatePart, Shares)]),
    options: &Options,
) -> Result<(), Mismatch> {
    permits_shares(method, spark, variables, options)?;
    permits_options(method, spark, options)?;
    let refuse = |why: &str, instead: &'static str| {
        Err(Mismatch { method: method.to_owned(), stages: spark.stages(), why: why.to_owned(), instead })
    };
    if options.controller == Controller::Reversible {
        return refuse("reversible variable steps are made for mechanical systems", "constant steps");
    }
    if matches!(options.spark.damping, Damping::Of(_)) {
        return refuse(
            "shares that depend on the solution are made for mechanical systems",
            "shares that stay",
        );
    }
    if reacting.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = reacting.iter().map(|(part, _)| part.name()).collect();
    let terms = format!("the terms with multipliers ({})", names.join(", "));
    let shares: Vec<&Shares> = reacting.iter().map(|(_, shares)| shares).collect();
    determines_multipliers(method, spark, &terms, &shares)
}

/// What every SPARK method demands of the options.
fn permits_options(method: &str, spark: &Spark, options: &Options) -> Result<(), Mismatch> {
    let refuse = |why: String, instead: &'static str| {
        Err(Mismatch { method: method.to_owned(), stages: spark.stages(), why, instead })
    };
    if options.formulation != Formulation::Index3 {
        let why = "it imposes the constraints on positions and on velocities by itself".into();
        return refuse(why, "the formulation index3");
    }
    match &options.spark.error_weights {
        Some(e) if !estimates_symmetrically(e, spark.stages()) => refuse(
            format!("the error weights {e:?} are neither symmetric nor antisymmetric, or do not add up to 0"),
            "one weight for each stage, such as 1, -2, 1",
        ),
        _ => Ok(()),
    }
}

/// Conditions (21) of Jay 1998: the coefficients of all terms with multipliers have the same regular product with
/// Lobatto IIIA.
fn determines_multipliers(
    method: &str,
    spark: &Spark,
    terms: &str,
    shares: &[&Shares],
) -> Result<(), Mismatch> {
    let matrices: Vec<Lobatto> = shares.iter().flat_map(|shares| shares.matrices()).collect();
    if spark.solvability(Lobatto::A, &matrices).holds() {
        return Ok(());
    }
    let mut names: Vec<String> = matrices.iter().map(|lobatto| lobatto.family().to_string()).collect();
    names.dedup();
    let why = format!(
        "with {} for {terms} the multipliers are not determined (Jay 1998, conditions 21)",
        names.join(" and ")
    );
    let instead = "lobatto-iiib, lobatto-iiic, lobatto-iiic* or lobatto-iiid for them";
    Err(Mismatch { method: method.to_owned(), stages: spark.stages(), why, instead })
}

/// eᵢ = eₛ₊₁₋ᵢ or eᵢ = −eₛ₊₁₋ᵢ for all i, and Σ eᵢ = 0 (Jay 1998, eq. 38)
fn estimates_symmetrically(e: &[f64], stages: usize) -> bool {
    let size: f64 = e.iter().map(|e| e.abs()).sum();
    let mirrored = |sign: f64| e.iter().zip(e.iter().rev()).all(|(one, other)| *one == sign * other);
    let sum: f64 = e.iter().sum();
    e.len() == stages && size > 0.0 && sum.abs() <= 1e-12 * size && (mirrored(1.0) || mirrored(-1.0))
}

/// The refusal of reversible variable steps with a method that is not symmetric, and why it is not.
pub(crate) fn not_reversible(method: &str, stages: usize, why: &str, instead: &'static str) -> Mismatch {
    let why = format!("reversible variable steps need a symmetric method, but {why}");
    Mismatch { method: method.to_owned(), stages, why, instead }
}
