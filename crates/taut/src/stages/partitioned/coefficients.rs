//! Which coefficients treat which terms of a partitioned system.

use taut_tableau::{Lobatto, Matrix, Spark, TableauError};

use crate::method::{Damping, Shares, SparkOptions, Treatment};
use crate::stages::spark::coefficients::{error_power, usual_error_weights, with_weights};
use crate::system::{ForceClass, PartitionStructure, RatePart};

/// The coefficients of a step: two matrices for each part of the right-hand sides. Every matrix has s + 1 rows: those of
/// the stages and, for the end of the step, the weights b.
#[derive(Clone, Debug)]
pub(crate) struct PartitionedCoefficients {
    pub(crate) stages: usize,
    pub(crate) c: Vec<f64>,
    /// Lobatto IIIA, which takes the rates of y to where constraints are imposed (17c)
    pub(crate) a: Matrix,
    pub(crate) parts: Vec<PartCoefficients>,
    /// Lobatto IIIC, which treats the damped shares
    damped: Matrix,
    /// for each of (y, z) the share of its whole rate that is damped, where [`Damping`] gives fixed ones; empty where nothing is
    shares: Vec<f64>,
    /// whether something moves y with other coefficients than Lobatto IIIA
    pub(crate) apart: bool,
    /// eᵢ of the error estimate (38)
    pub(crate) error_weights: Vec<f64>,
    /// the estimate is O(h^(p̃+1)); this is p̃ + 1
    pub(crate) error_power: f64,
}

/// One part and what treats it in y' and in (M z)'.
#[derive(Clone, Debug)]
pub(crate) struct PartCoefficients {
    pub(crate) part: RatePart,
    first: Matrix,
    second: Matrix,
    /// Whether what a damped share leaves is treated with Lobatto IIIA: oscillations stay bounded with it for every share, as they
    /// do not with IIIB. Terms with multipliers keep theirs, which determine these (21).
    is_elastic: bool,
}

impl PartitionedCoefficients {
    /// The coefficients of a method for the parts that a system has.
    pub(crate) fn new(
        spark: &Spark,
        treatment: Treatment,
        options: &SparkOptions,
        structure: &PartitionStructure,
    ) -> Result<Self, TableauError> {
        let matrix = |shares: &Shares| -> Result<Matrix, TableauError> {
            Ok(with_weights(spark.combination(shares.as_slice())?.a(), spark.b()))
        };
        let mut apart = false;
        let mut parts = Vec::new();
        for present in &structure.parts {
            let (first, second) = part_shares(present.part, treatment, options, spark.stages());
            apart |= present.moves_first && first != Shares::only(Lobatto::A);
            let part = present.part;
            let elastic = matches!(part, RatePart::Class(ForceClass::Conservative | ForceClass::Oscillatory));
            let (first, second) = (matrix(&first)?, matrix(&second)?);
            parts.push(PartCoefficients { part, first, second, is_elastic: elastic && !present.reacts });
        }
        let shares = match (&options.damping, treatment) {
            (Damping::Shares(shares), Treatment::ByClass) if !options.damping.is_none() => shares.clone(),
            _ => Vec::new(),
        };
        apart |= shares.iter().take(structure.n()).any(|share| *share > 0.0);
        let usual = || usual_error_weights(spark.b(), spark.c());
        let error_weights = options.error_weights.clone().unwrap_or_else(usual);
        Ok(PartitionedCoefficients {
            stages: spark.stages(),
            c: spark.c().to_vec(),
            a: with_weights(spark.matrix(Lobatto::A), spark.b()),
            parts,
            damped: matrix(&Shares::only(Lobatto::C))?,
            shares,
            apart,
            error_power: error_power(&error_weights, spark.c()),
            error_weights,
        })
    }

    /// The coefficient in row r of the rates of a part at stage j, for entry i of (y, z), of which the first n are y.
    pub(crate) fn of_rate(&self, part: &PartCoefficients, (r, j): (usize, usize), i: usize, n: usize) -> f64 {
        let own = if i < n { part.first[(r, j)] } else { part.second[(r, j)] };
        match self.shares.get(i) {
            Some(&share) if share > 0.0 => {
                let rest = if part.is_elastic { self.a[(r, j)] } else { own };
                (1.0 - share) * rest + share * self.damped[(r, j)]
            }
            _ => own,
        }
    }
}

/// The shares that treat a part in y' and in (M z)'. Terms of y' of class conservative are like q' = v.
pub(crate) fn part_shares(
    part: RatePart,
    treatment: Treatment,
    options: &SparkOptions,
    stages: usize,
) -> (Shares, Shares) {
    if treatment == Treatment::Alike {
        return (Shares::only(Lobatto::A), Shares::only(Lobatto::B));
    }
    let both = |shares: Shares| (shares.clone(), shares);
    match part {
        RatePart::Class(ForceClass::Conservative) => {
            (options.positions.clone(), options.conservative.clone())
        }
        RatePart::Class(ForceClass::Dissipative) => both(options.dissipative.clone()),
        RatePart::Class(ForceClass::Driving) => both(options.driving.clone()),
        RatePart::Class(ForceClass::Oscillatory) => both(options.oscillatory(stages)),
        RatePart::Reaction => (options.positions.clone(), options.reactions.clone()),
    }
}
