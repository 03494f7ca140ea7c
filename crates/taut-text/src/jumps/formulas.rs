//! The switches of a model before the parameters have values.

use std::sync::Arc;

use taut_formula::tape::Pending;

/// What decides on a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// the sign of the argument
    Sign,
    /// the largest whole number that is not above it
    Level,
    /// how many knots of a table are not above it
    Knots,
}

/// All switches of a model.
#[derive(Debug)]
pub(crate) struct JumpFormulas {
    /// the arguments as a person writes them
    pub(crate) words: Vec<String>,
    pub(crate) kinds: Vec<Kind>,
    /// the knots of those that are tables
    pub(crate) knots: Vec<Arc<[f64]>>,
    /// for each whether a change of the branch may turn the argument back
    pub(crate) may_turn: Vec<bool>,
    pub(crate) arguments: Arc<Pending>,
    /// how fast they change, with accelerations or rates
    pub(crate) slopes: Arc<Pending>,
    /// where they jump, for those along which a motion may go on
    pub(crate) surfaces: Vec<Option<SurfaceFormulas>>,
}

/// The surface h = 0 on which a switch jumps.
#[derive(Debug)]
pub(crate) struct SurfaceFormulas {
    /// the argument of the switch, and how fast it changes
    pub(crate) argument: Arc<Pending>,
    pub(crate) slope: Arc<Pending>,
    /// ∂h/∂v of a mechanism, else ∂h/∂x: where it is not zero, and what it is
    pub(crate) places: Vec<usize>,
    pub(crate) normal: Arc<Pending>,
    /// whether it is the same everywhere
    pub(crate) is_flat: bool,
    /// ∂(−(∂h/∂v)ᵀμ)/∂q of a mechanism, else the row ∂h'/∂x
    pub(crate) bends: Vec<(usize, usize)>,
    pub(crate) bending: Arc<Pending>,
}

impl JumpFormulas {
    /// The branch that an argument says.
    pub(super) fn branch(&self, k: usize, x: f64) -> f64 {
        match self.kinds[k] {
            Kind::Sign if x == 0.0 => 0.0,
            Kind::Sign => x.signum(),
            Kind::Level => x.floor(),
            Kind::Knots => self.knots[k].partition_point(|knot| *knot <= x) as f64,
        }
    }

    /// Between which arguments a branch is taken.
    pub(super) fn bounds(&self, k: usize, branch: f64) -> [f64; 2] {
        match self.kinds[k] {
            Kind::Sign if branch > 0.0 => [0.0, f64::INFINITY],
            Kind::Sign => [f64::NEG_INFINITY, 0.0],
            Kind::Level => [branch, branch + 1.0],
            Kind::Knots => {
                let (knots, above) = (&self.knots[k], branch.max(0.0) as usize);
                let below = above.checked_sub(1).and_then(|below| knots.get(below));
                [
                    below.copied().unwrap_or(f64::NEG_INFINITY),
                    knots.get(above).copied().unwrap_or(f64::INFINITY),
                ]
            }
        }
    }

    /// The branch below this one.
    pub(super) fn below(&self, k: usize, branch: f64) -> f64 {
        if self.kinds[k] == Kind::Sign { -1.0 } else { branch - 1.0 }
    }

    /// A value that changes its sign where the branch changes, and by what the slope of the argument is to be multiplied.
    pub(super) fn crossing(&self, k: usize, branch: f64, x: f64) -> [f64; 2] {
        if self.kinds[k] == Kind::Sign {
            return [x, 1.0];
        }
        match self.bounds(k, branch) {
            [low, f64::INFINITY] => [x - low, 1.0],
            [f64::NEG_INFINITY, high] => [high - x, -1.0],
            [low, high] => [(x - low) * (high - x), low + high - 2.0 * x],
        }
    }

    /// Where it jumps, in words that are the same in all phases.
    pub(super) fn label(&self, k: usize) -> String {
        let words = &self.words[k];
        if self.kinds[k] == Kind::Sign { format!("{words} = 0") } else { words.clone() }
    }

    /// Where the branch below ends and this one begins, in words.
    pub(super) fn place(&self, k: usize, branch: f64) -> String {
        format!("{} = {}", self.words[k], self.bounds(k, branch)[0])
    }
}
