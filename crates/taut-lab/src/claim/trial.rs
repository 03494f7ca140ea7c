//! What an experiment is run with: the methods as they are, or one that must not satisfy the claim.
//!
//! A claim is worth what it would catch. Each experiment takes its methods, its springs and its starts from a [`Trial`],
//! which hands them out as they are or spoilt by a [`Mutant`]; on each of its mutants a claim has to fail.

use std::fmt;

use taut::method::{Method, Shares};
use taut::options::Options;
use taut_tableau::{Family, Lobatto, Matrix, Multistep, Tableau};

use crate::error::LabError;

/// By how much a mutant changes a coefficient or eps.
const CHANGE: f64 = 0.01;

/// A way to spoil what a claim is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mutant {
    /// a_11 of every Runge-Kutta matrix is larger by 0.01
    Matrix,
    /// b_1 is larger by 0.01 and the last weight smaller; of a multistep method the last beta is larger by 0.01
    Weights,
    /// methods of more than two stages (of more than one step) have one less
    FewerStages,
    /// these coefficients instead of those of any family
    Instead(Family),
    /// the second of these Lobatto coefficients in the place of the first
    Exchanged(Lobatto, Lobatto),
    /// the system has an eps that is larger by a hundredth than the one the experiment believes in
    Stiffness,
    /// starts are off by d/h instead of d
    FartherStart,
    /// what the claim is about is switched off
    Without(&'static str),
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mutant::Matrix => write!(f, "a_11 + {CHANGE}"),
            Mutant::Weights => write!(f, "b_1 + {CHANGE}"),
            Mutant::FewerStages => f.write_str("one stage less"),
            Mutant::Instead(family) => write!(f, "{family} instead"),
            Mutant::Exchanged(one, other) => write!(f, "{} for {}", other.family(), one.family()),
            Mutant::Stiffness => write!(f, "eps times {}", 1.0 + CHANGE),
            Mutant::FartherStart => f.write_str("starts off by d/h"),
            Mutant::Without(feature) => write!(f, "without {feature}"),
        }
    }
}

/// What must not satisfy a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mutants {
    /// on each of these the experiment has to fail
    Caught(&'static [Mutant]),
    /// there is none, because of this
    None(&'static str),
}

impl Mutants {
    /// The mutants.
    pub fn list(self) -> &'static [Mutant] {
        match self {
            Mutants::Caught(list) => list,
            Mutants::None(_) => &[],
        }
    }
}

/// Hands out what experiments need.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trial {
    mutant: Option<Mutant>,
}

impl Trial {
    /// Everything as it is.
    pub const FAIR: Trial = Trial { mutant: None };

    /// With something spoilt.
    pub fn spoilt(mutant: Mutant) -> Self {
        Trial { mutant: Some(mutant) }
    }

    /// The number of stages, or of steps, where so many are meant.
    pub fn stages(&self, meant: usize) -> usize {
        if self.mutant == Some(Mutant::FewerStages) && meant > 2 { meant - 1 } else { meant }
    }

    /// The same for a method of the library on index 3, where Radau IA and Lobatto IIIC with two stages are refused.
    pub fn stages_of(&self, method: &str, meant: usize) -> usize {
        if method != "radau" && meant == 3 { meant } else { self.stages(meant) }
    }

    /// The method of a family with so many stages.
    pub fn tableau(&self, family: Family, stages: usize) -> Result<Tableau, LabError> {
        let family = match self.mutant {
            // Not every family begins with one stage.
            Some(Mutant::Instead(other)) if stages > 1 => other,
            _ => family,
        };
        // Not every family has members of all numbers of stages.
        let fewer = (2..=self.stages(stages)).rev().find_map(|stages| family.tableau(stages).ok());
        self.changed(&fewer.map_or_else(|| family.tableau(stages), Ok)?)
    }

    /// This method, with its coefficients changed where that is the mutant.
    pub fn changed(&self, tableau: &Tableau) -> Result<Tableau, LabError> {
        let spoils = |mutant: Mutant| if self.mutant == Some(mutant) { CHANGE } else { 0.0 };
        let (of_matrix, of_weights) = (spoils(Mutant::Matrix), spoils(Mutant::Weights));
        if of_matrix == 0.0 && of_weights == 0.0 {
            return Ok(tableau.clone());
        }
        let s = tableau.stages();
        let a = Matrix::from_fn(s, s, |i, j| {
            tableau.a()[(i, j)] + if (i, j) == (0, 0) { of_matrix } else { 0.0 }
        });
        let mut b = tableau.b().to_vec();
        b[0] += of_weights;
        b[s - 1] -= of_weights;
        Ok(Tableau::new("spoilt", &a, &b, tableau.c())?)
    }

    /// This multistep method, with its last coefficient changed where that is the mutant.
    pub fn multistep(&self, method: Multistep) -> Result<Multistep, LabError> {
        if !matches!(self.mutant, Some(Mutant::Weights)) {
            return Ok(method);
        }
        let mut beta = method.beta().to_vec();
        if let Some(last) = beta.last_mut() {
            *last += CHANGE;
        }
        Ok(Multistep::new(method.name(), method.alpha(), &beta)?)
    }

    /// The Lobatto coefficients that are meant, or those in their place.
    pub fn lobatto(&self, meant: Lobatto) -> Lobatto {
        match self.mutant {
            Some(Mutant::Exchanged(one, other)) if one == meant => other,
            _ => meant,
        }
    }

    /// The SPARK method with so many stages.
    pub fn spark(&self, stages: usize) -> Result<Method, LabError> {
        Ok(Method::named("spark")?.with_stages(self.stages(stages))?)
    }

    /// Options whose SPARK coefficients for positions, or for conservative forces and reactions, are those in the place of
    /// IIIA or IIIB.
    pub fn spark_options(&self, mut options: Options) -> Options {
        match self.mutant {
            Some(Mutant::Exchanged(Lobatto::A, other)) => options.spark.positions = Shares::only(other),
            Some(Mutant::Exchanged(Lobatto::B, other)) => {
                options.spark.conservative = Shares::only(other);
                options.spark.reactions = Shares::only(other);
            }
            _ => {}
        }
        options
    }

    /// The eps of the system, where the experiment believes in this one.
    pub fn epsilon(&self, believed: f64) -> f64 {
        if self.mutant == Some(Mutant::Stiffness) { believed * (1.0 + CHANGE) } else { believed }
    }

    /// How far off a start is, where `meant` is meant and steps have the length h.
    pub fn off(&self, meant: f64, h: f64) -> f64 {
        if self.mutant == Some(Mutant::FartherStart) { meant / h } else { meant }
    }

    /// Whether this feature is switched off.
    pub fn without(&self, feature: &str) -> bool {
        matches!(self.mutant, Some(Mutant::Without(off)) if off == feature)
    }
}
