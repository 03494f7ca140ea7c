//! Blocks of a Jacobian and their places in the whole.

use std::ops::Range;

use super::formulation::Level;
use super::view_layout::ViewLayout;
use crate::linear::Pattern;
use crate::system::Structure;

/// A block of the Jacobian: which of its entries goes to which place.
#[derive(Debug)]
pub(super) struct Block {
    /// (entry of the block, row, column), until the places are known
    entries: Vec<(usize, usize, usize)>,
    /// (entry of the block, place in the Jacobian)
    places: Vec<(usize, usize)>,
}

impl Block {
    /// The entries (row, column) of a block that stays as it is, with their rows and columns in the whole.
    fn new(
        entries: impl Iterator<Item = (usize, usize)>,
        to: impl Fn(usize, usize) -> Option<(usize, usize)>,
    ) -> Self {
        let place = |(k, (i, j))| to(i, j).map(|(row, column)| (k, row, column));
        Block { entries: entries.enumerate().filter_map(place).collect(), places: Vec::new() }
    }

    fn at(pattern: &Pattern, rows: &Range<usize>, columns: &Range<usize>) -> Self {
        Self::new(pattern.entries(), |i, j| Some((rows.start + i, columns.start + j)))
    }

    /// jacobian += factor · block
    pub(super) fn add(&self, block: &[f64], factor: f64, jacobian: &mut [f64]) {
        for &(k, place) in &self.places {
            jacobian[place] += factor * block[k];
        }
    }
}

/// The blocks of the Jacobian of a first-order view; rows and columns are named after the variables of the layout.
#[derive(Debug)]
pub(super) struct Blocks {
    /// 1 in the rows of q' (columns v) and of v' (columns a)
    pub(super) ones: Block,
    /// ∂(f − M a − Gᵀλ)/∂q in the equations of motion
    pub(super) stiffness: Block,
    /// ∂f/∂v there
    pub(super) damping: Block,
    /// M there, in the columns a
    pub(super) mass: Block,
    /// Gᵀ there, in the columns λ
    pub(super) reactions: Block,
    /// ∂(Gᵀλ)/∂v there
    pub(super) reaction_rates: Block,
    /// G in the rows of the constraints: in the columns q, v or a, as the level says; not in those of damped springs
    pub(super) jacobian: Block,
    /// C there, in the columns λ of springs
    pub(super) compliance: Block,
    /// the derivative in q of rows above the level of positions, and of damped springs
    pub(super) rows_by_q: Block,
    /// the derivative in v of rows on the level of accelerations, and of damped springs
    pub(super) rows_by_v: Block,
    /// ∂(Gᵀμ)/∂q in the rows of q'
    pub(super) second_stiffness: Block,
    /// Gᵀ there, in the columns μ
    pub(super) second_reactions: Block,
    /// G in the rows of constraints that are imposed a second time
    pub(super) second_jacobian: Block,
}

/// The blocks that are found by differences.
pub(super) struct Numerical<'p> {
    pub(super) reaction_rates: &'p Pattern,
    pub(super) rows_by_q: &'p Pattern,
    pub(super) rows_by_v: &'p Pattern,
}

impl Blocks {
    /// The blocks and the pattern of the whole; `second` are the constraints that are imposed a second time.
    pub(super) fn new(
        structure: &Structure,
        layout: ViewLayout,
        levels: &[Level],
        second: &[usize],
        numerical: &Numerical<'_>,
    ) -> (Self, Pattern) {
        let (q, v, a, lambda, mu) = (layout.q(), layout.v(), layout.a(), layout.lambda(), layout.mu());
        let jacobian = &structure.jacobian;
        let mu_of = |k: usize| second.binary_search(&k).ok().map(|place| mu.start + place);
        let columns_of = |k: usize| match levels[k] {
            Level::Position => q.start,
            Level::Velocity => v.start,
            Level::Acceleration => a.start,
        };
        let is_spring = |k: usize| structure.constraints[k].compliance() > 0.0;
        let in_pairs = |rows: &Range<usize>, columns: &Range<usize>| rows.clone().zip(columns.clone());
        let ones = in_pairs(&q, &v).chain(in_pairs(&v, &a)).map(|(i, j)| (0, i, j)).collect();
        let nowhere = Pattern::empty(0, 0);
        let bent = if second.is_empty() { &nowhere } else { &structure.stiffness };
        let mut blocks = Blocks {
            ones: Block { entries: ones, places: Vec::new() },
            stiffness: Block::at(&structure.stiffness, &a, &q),
            damping: Block::at(&structure.damping, &a, &v),
            mass: Block::at(&structure.mass, &a, &a),
            reactions: Block::new(jacobian.entries(), |k, j| Some((a.start + j, lambda.start + k))),
            reaction_rates: Block::at(numerical.reaction_rates, &a, &v),
            jacobian: Block::new(jacobian.entries(), |k, j| {
                let damped = structure.constraints[k].relaxation() > 0.0;
                (!damped).then_some((lambda.start + k, columns_of(k) + j))
            }),
            compliance: Block::new(in_pairs(&lambda, &lambda), |i, j| {
                is_spring(i - lambda.start).then_some((i, j))
            }),
            rows_by_q: Block::at(numerical.rows_by_q, &lambda, &q),
            rows_by_v: Block::at(numerical.rows_by_v, &lambda, &v),
            second_stiffness: Block::at(bent, &q, &q),
            second_reactions: Block::new(jacobian.entries(), |k, j| Some((q.start + j, mu_of(k)?))),
            second_jacobian: Block::new(jacobian.entries(), |k, j| Some((mu_of(k)?, q.start + j))),
        };
        let pattern = blocks.find_places(layout.len());
        (blocks, pattern)
    }

    fn find_places(&mut self, size: usize) -> Pattern {
        let mut all = self.all();
        let entries = all.iter().flat_map(|block| block.entries.iter().map(|&(_, i, j)| (i, j)));
        let pattern = Pattern::from_entries(size, size, entries);
        for block in &mut all {
            let place = |(k, i, j)| pattern.position(i, j).map(|place| (k, place));
            block.places = std::mem::take(&mut block.entries).into_iter().filter_map(place).collect();
        }
        pattern
    }

    fn all(&mut self) -> [&mut Block; 13] {
        [
            &mut self.ones,
            &mut self.stiffness,
            &mut self.damping,
            &mut self.mass,
            &mut self.reactions,
            &mut self.reaction_rates,
            &mut self.jacobian,
            &mut self.compliance,
            &mut self.rows_by_q,
            &mut self.rows_by_v,
            &mut self.second_stiffness,
            &mut self.second_reactions,
            &mut self.second_jacobian,
        ]
    }
}
