//! A SPARK method, made ready for stepping.

use taut_tableau::{Lobatto, Matrix, Spark, TableauError};

use crate::method::{Damped, Damping, Shares, SparkOptions, Treatment};
use crate::system::Terms;

/// The coefficients of a SPARK method: one matrix for positions, one for each group of forces.
///
/// Every matrix has s + 1 rows: those of the stages and, for the end of the step, the weights b.
#[derive(Clone, Debug)]
pub(crate) struct SparkCoefficients {
    pub(crate) stages: usize,
    pub(crate) c: Vec<f64>,
    /// Lobatto IIIA, which takes velocities to the positions on which constraints are imposed (17c)
    pub(crate) a: Matrix,
    /// what takes velocities to the positions at which forces are evaluated (17a), when it is not Lobatto IIIA
    other_positions: Option<Matrix>,
    /// Lobatto IIIC − IIIA, of which positions of a coordinate take its share, where motion is damped
    toward_damped: Option<Matrix>,
    pub(crate) groups: Vec<Group>,
    /// which share of damped groups goes to the first group
    pub(crate) damping: Damping,
    /// so many groups at the beginning take what is damped of others
    takers: usize,
    /// bⱼ cⱼ^(i−1) in row i: moments over the step, in which conditions on velocities are imposed
    pub(crate) moments: Matrix,
    /// eᵢ = bᵢ − b̃ᵢ of the error estimate (38), symmetric or antisymmetric
    pub(crate) error_weights: Vec<f64>,
    /// the estimate is O(h^(p̃+1)); this is p̃ + 1
    pub(crate) error_power: f64,
}

/// Forces that are treated with the same coefficients.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    shares: Shares,
    pub(crate) matrix: Matrix,
    pub(crate) terms: Terms,
    /// whether the reactions of rods are among them
    pub(crate) rods: bool,
    /// whether the forces of springs are among them
    pub(crate) springs: bool,
    pub(crate) share: Share,
}

/// What becomes of a force on a coordinate with a share of damping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// it stays as it is
    Stays,
    /// the share goes to the first group, Lobatto IIIC; what is left keeps its coefficients
    Damped,
    /// the share goes to the first group; what is left goes to the second one, Lobatto IIIA, with which elastic forces
    /// are stable for every share, as they are not with IIIB
    Elastic,
}

impl Group {
    /// Whether the force of a constraint with this compliance is among them.
    pub(crate) fn holds(&self, compliance: f64) -> bool {
        if compliance == 0.0 { self.rods } else { self.springs }
    }
}

impl SparkCoefficients {
    /// The coefficients of a method with these options.
    pub(crate) fn new(
        spark: &Spark,
        treatment: Treatment,
        options: &SparkOptions,
    ) -> Result<Self, TableauError> {
        let mut groups: Vec<Group> = Vec::new();
        let damping = if options.damping.is_none() { Damping::None } else { options.damping.clone() };
        let group = |shares: Shares| -> Result<Group, TableauError> {
            let matrix = with_weights(spark.combination(shares.as_slice())?.a(), spark.b());
            let share = Share::Stays;
            Ok(Group { shares, matrix, terms: Terms::NONE, rods: false, springs: false, share })
        };
        let damps = damping != Damping::None;
        let motion = damps && treatment == Treatment::ByClass && options.damping_of == Damped::Motion;
        let takers = [damps.then_some(Lobatto::C), motion.then_some(Lobatto::A)].into_iter().flatten();
        for lobatto in takers {
            groups.push(group(Shares::only(lobatto))?);
        }
        let takers = groups.len();
        let elastic = Terms::POTENTIAL | Terms::KINETIC | Terms::CONSERVATIVE | Terms::OSCILLATORY;
        for Part { shares, terms, rods, springs, .. } in parts(spark, treatment, options, damps) {
            let elastic = springs || elastic.contain(terms);
            let share = match damps {
                true if motion && elastic => Share::Elastic,
                true if motion || Terms::APPLIED.contain(terms) => Share::Damped,
                _ => Share::Stays,
            };
            let alike = |group: &&mut Group| group.shares == shares && group.share == share;
            match groups.iter_mut().skip(takers).find(alike) {
                Some(group) => {
                    group.terms = group.terms | terms;
                    group.rods |= rods;
                    group.springs |= springs;
                }
                None => groups.push(Group { terms, rods, springs, share, ..group(shares)? }),
            }
        }
        let other_positions = match treatment {
            Treatment::ByClass if options.positions != Shares::only(Lobatto::A) => {
                Some(with_weights(spark.combination(options.positions.as_slice())?.a(), spark.b()))
            }
            _ => None,
        };
        let usual = || usual_error_weights(spark.b(), spark.c());
        let error_weights = options.error_weights.clone().unwrap_or_else(usual);
        Ok(SparkCoefficients {
            stages: spark.stages(),
            c: spark.c().to_vec(),
            a: with_weights(spark.matrix(Lobatto::A), spark.b()),
            other_positions,
            toward_damped: motion.then(|| toward_damped(spark)),
            groups,
            damping,
            takers,
            moments: moments(spark),
            error_power: error_power(&error_weights, spark.c()),
            error_weights,
        })
    }

    /// The same method with usual error weights that suit reversible steps, bᵢ P₂(2cᵢ − 1) with Legendre's polynomial.
    ///
    /// They vanish on linear polynomials only: a low order is good enough (Jay 1998, section 9), and the estimate then grows
    /// with h also where steps are long. Antisymmetric weights would not see a step across a turning point, where the
    /// motion is even. Two stages have no others.
    pub(crate) fn with_symmetric_weights(mut self) -> Self {
        if self.stages > 2 {
            let legendre = |c: f64| 1.0 - 6.0 * c * (1.0 - c);
            let b = self.a.row(self.stages);
            self.error_weights = b.iter().zip(&self.c).map(|(b, &c)| b * legendre(c)).collect();
            self.error_power = error_power(&self.error_weights, &self.c);
        }
        self
    }

    /// The same method without groups of forces that a system with these terms does not have.
    pub(crate) fn for_system(mut self, terms: Terms, has_springs: bool) -> Self {
        for group in &mut self.groups {
            group.terms = group.terms & terms;
            group.springs &= has_springs;
        }
        let mut index = 0;
        self.groups.retain(|group| {
            index += 1;
            index <= self.takers || group.terms != Terms::NONE || group.rods || group.springs
        });
        self
    }

    /// What takes velocities to the positions at which forces are evaluated (17a).
    pub(crate) fn positions(&self) -> &Matrix {
        self.other_positions.as_ref().unwrap_or(&self.a)
    }

    /// Whether constraints are imposed on the positions at which forces are evaluated.
    pub(crate) fn imposes_on_stages(&self) -> bool {
        self.other_positions.is_none() && self.toward_damped.is_none()
    }

    /// What the share of a coordinate adds to [`Self::positions`], where motion is damped.
    pub(crate) fn toward_damped(&self) -> Option<&Matrix> {
        self.toward_damped.as_ref()
    }

    /// The coefficient of [`Self::positions`] for a coordinate with this share of damping.
    pub(crate) fn position(&self, i: usize, j: usize, share: f64) -> f64 {
        let more =
            self.toward_damped.as_ref().map_or(0.0, |toward| share * toward[(i.min(self.stages - 1), j)]);
        self.positions()[(i, j)] + more
    }

    /// The coefficient in row r of the forces of a group at stage l, on a coordinate with this share of damping.
    pub(crate) fn of_force(&self, group: &Group, (r, l): (usize, usize), share: f64) -> f64 {
        let (own, of) = (group.matrix[(r, l)], |taker: usize| self.groups[taker].matrix[(r, l)]);
        match group.share {
            _ if share == 0.0 => own,
            Share::Stays => own,
            Share::Damped => (1.0 - share) * own + share * of(0),
            Share::Elastic => (1.0 - share) * of(1) + share * of(0),
        }
    }

    /// Whether the first stage lies at the beginning of the step, whatever the shares of damping.
    pub(crate) fn begins_with_stage(&self) -> bool {
        self.toward_damped.is_none() && self.positions().row(0).iter().all(|weight| *weight == 0.0)
    }

    /// The coefficients of impulses, for each stage those of all groups: rows of the stages, and that of the end. The last
    /// stage is left out where no other one depends on it.
    pub(crate) fn impulse_weights(&self) -> (Matrix, Matrix) {
        let (stages, groups) = (self.stages, self.groups.len());
        let of = |row: usize, k: usize| self.groups[k % groups].matrix[(row, k / groups)];
        let last = |i: usize| (0..groups).any(|g| self.groups[g].matrix[(i, stages - 1)] != 0.0);
        let columns = if (0..stages).any(last) { stages } else { stages - 1 };
        (
            Matrix::from_fn(stages, columns * groups, of),
            Matrix::from_fn(1, stages * groups, |_, k| of(stages, k)),
        )
    }

    /// Whether no stage depends on the reactions of the last one, as with Lobatto IIIB, but the end does.
    pub(crate) fn last_reaction_is_apart(&self) -> bool {
        let apart = |group: &Group| {
            let last = |i: usize| group.matrix[(i, self.stages - 1)];
            (0..self.stages).all(|i| last(i) == 0.0) && last(self.stages) != 0.0
        };
        self.groups.iter().filter(|group| group.rods).all(apart)
    }

    /// Where stage i lies in the step; number s is its end.
    pub(crate) fn node(&self, i: usize) -> f64 {
        self.c.get(i).copied().unwrap_or(1.0)
    }
}

/// From Lobatto IIIA to IIIC.
fn toward_damped(spark: &Spark) -> Matrix {
    let (a, c) = (spark.matrix(Lobatto::A), spark.matrix(Lobatto::C));
    Matrix::from_fn(spark.stages(), spark.stages(), |i, j| c[(i, j)] - a[(i, j)])
}

/// bⱼ cⱼⁱ⁻¹, nothing in the first row.
fn moments(spark: &Spark) -> Matrix {
    Matrix::from_fn(spark.stages(), spark.stages(), |i, j| match i {
        0 => 0.0,
        _ => spark.b()[j] * spark.c()[j].powi(i as i32 - 1),
    })
}

/// Forces of one kind and the coefficients that treat them.
pub(crate) struct Part {
    /// what they are called
    pub(crate) name: &'static str,
    pub(crate) shares: Shares,
    pub(crate) terms: Terms,
    /// whether they are the reactions of rods
    pub(crate) rods: bool,
    /// whether the forces of springs are among them
    pub(crate) springs: bool,
}

/// All forces by kind; `apart` keeps the applied ones apart from all others with the same coefficients.
pub(crate) fn parts(spark: &Spark, treatment: Treatment, options: &SparkOptions, apart: bool) -> Vec<Part> {
    let options = match treatment {
        Treatment::ByClass => options.clone(),
        Treatment::Alike => options.alike(),
    };
    let oscillatory = options.oscillatory(spark.stages());
    let (natural, applied) = (Terms::KINETIC | Terms::POTENTIAL, Terms::CONSERVATIVE);
    let part = |name, shares, terms| Part { name, shares, terms, rods: false, springs: false };
    let springs = Part { springs: true, ..part("the spring forces", oscillatory.clone(), Terms::NONE) };
    let oscillatory = part("the oscillatory forces", oscillatory, Terms::OSCILLATORY);
    let conservative = |terms| part("the conservative forces", options.conservative.clone(), terms);
    let mut parts = if apart {
        vec![conservative(natural), conservative(applied), springs, oscillatory]
    } else {
        vec![conservative(natural | applied), Part { springs: true, ..oscillatory }]
    };
    parts.extend([
        Part { rods: true, ..part("the reaction forces", options.reactions, Terms::NONE) },
        part("the dissipative forces", options.dissipative, Terms::DISSIPATIVE),
        part("the driving forces", options.driving, Terms::DRIVING),
    ]);
    parts
}

/// The rows of a matrix, then b.
pub(crate) fn with_weights(a: &Matrix, b: &[f64]) -> Matrix {
    Matrix::from_fn(b.len() + 1, b.len(), |i, j| if i < b.len() { a[(i, j)] } else { b[j] })
}

/// b − b̃, b̃ the weights of the interpolatory formula without the first node: orthogonal to all polynomials of degree
/// s − 2, hence a multiple of 1/∏(cᵢ − cⱼ), which is symmetric or antisymmetric as (38) demands.
pub(crate) fn usual_error_weights(b: &[f64], c: &[f64]) -> Vec<f64> {
    let product = |i: usize| -> f64 { (0..c.len()).filter(|&j| j != i).map(|j| c[i] - c[j]).product() };
    (0..c.len()).map(|i| b[0] * product(0) / product(i)).collect()
}

/// One more than the number of moments Σ eᵢ cᵢᵏ, k = 0, 1, …, that vanish.
pub(crate) fn error_power(e: &[f64], c: &[f64]) -> f64 {
    let moment = |k: usize| e.iter().zip(c).map(|(e, c)| e * c.powi(k as i32)).sum::<f64>();
    let size: f64 = e.iter().map(|e| e.abs()).sum();
    let vanishing = (0..e.len()).take_while(|&k| moment(k).abs() <= 1e-10 * size).count();
    (vanishing + 1) as f64
}
