//! Columns that lie between each other, like x, y, x, y, … or the entries of a row of G: all of them are read or written in one go.

use super::columns::Column;
use super::file::Block;

/// Columns of a weave begin at most so many rows apart.
const MOST_SHIFTED: usize = 8;

/// As many columns as their registers are apart: row by row, these are all registers from a first one on.
#[derive(Clone, Debug)]
pub(super) struct Weave {
    /// the first register
    first: usize,
    /// for each register of a row the column that it belongs to, and in which row this one begins
    columns: Vec<(usize, usize)>,
}

impl Weave {
    /// The weaves among some columns; those that begin in other rows than the first only where they may.
    pub(super) fn among(columns: &[Column], shifted: bool) -> Vec<Self> {
        let mut even: Vec<(usize, usize, usize)> = Vec::new();
        for (number, column) in columns.iter().enumerate() {
            if let Column::Even { first, stride: stride @ (2..=4 | 6) } = column {
                even.push((*stride, *first, number));
            }
        }
        even.sort_unstable();
        let mut found = Vec::new();
        while let Some(&(stride, first, _)) = even.first() {
            let most = if shifted { MOST_SHIFTED * stride } else { stride };
            let mut rows = vec![None; stride];
            even.retain(|&(of, begin, number)| {
                let place = if of == stride { begin - first } else { most };
                let fits = place < most && rows[place % stride].is_none();
                if fits {
                    rows[place % stride] = Some((number, place / stride));
                }
                !fits
            });
            let columns: Option<Vec<(usize, usize)>> = rows.into_iter().collect();
            found.extend(columns.map(|columns| Weave { first, columns }));
        }
        found
    }

    /// The columns by their numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.columns.iter().map(|(number, _)| *number)
    }

    /// The first of these numbers.
    #[inline(always)]
    pub(super) fn first(&self) -> Option<usize> {
        self.columns.first().map(|(number, _)| *number)
    }

    /// Whether something is the same of all columns.
    pub(super) fn is_one(&self, of: impl Fn(usize) -> u8) -> bool {
        self.numbers().all(|number| Some(of(number)) == self.first().map(&of))
    }

    /// Reads the values of places from this one on; `file` begins with this register.
    #[inline(always)]
    pub(super) fn load<const P: usize>(
        &self,
        (begin, file): (usize, &[f64]),
        at: usize,
        blocks: &mut [Block<P>],
    ) {
        let from = &file[self.first - begin + self.columns.len() * at..];
        match self.columns.len() {
            2 => self.load_rows::<2, P>(from, blocks),
            3 => self.load_rows::<3, P>(from, blocks),
            4 => self.load_rows::<4, P>(from, blocks),
            _ => self.load_rows::<6, P>(from, blocks),
        }
    }

    #[inline(always)]
    fn load_rows<const S: usize, const P: usize>(&self, from: &[f64], blocks: &mut [Block<P>]) {
        let numbers: [usize; S] = std::array::from_fn(|k| self.columns[k].0);
        let Ok(blocks) = blocks.get_disjoint_mut(numbers) else { return };
        let rows = &from.as_chunks::<S>().0[..Block::<P>::PLACES];
        for (k, row) in rows.iter().enumerate() {
            for j in 0..S {
                blocks[j].0.as_flattened_mut()[k] = row[j];
            }
        }
    }

    /// Writes the values of places from this one on; `file` begins with this register.
    #[inline(always)]
    pub(super) fn store<const P: usize>(
        &self,
        blocks: &[Block<P>],
        (begin, file): (usize, &mut [f64]),
        at: usize,
    ) {
        let to = &mut file[self.first - begin + self.columns.len() * at..];
        match self.columns.len() {
            2 => self.store_rows::<2, P>(blocks, to),
            3 => self.store_rows::<3, P>(blocks, to),
            4 => self.store_rows::<4, P>(blocks, to),
            _ => self.store_rows::<6, P>(blocks, to),
        }
    }

    #[inline(always)]
    fn store_rows<const S: usize, const P: usize>(&self, blocks: &[Block<P>], to: &mut [f64]) {
        let columns: [(&[f64], usize); S] = std::array::from_fn(|k| {
            let (number, shift) = self.columns[k];
            (blocks[number].0.as_flattened(), shift)
        });
        let last = columns.iter().fold(0, |last, (_, shift)| last.max(*shift));
        // Rows that are not full, at the beginning and at the end.
        for (j, (values, shift)) in columns.iter().enumerate() {
            for k in (0..last - shift).chain(Block::<P>::PLACES - shift..Block::<P>::PLACES) {
                to[S * (k + shift) + j] = values[k];
            }
        }
        let full: [&[f64]; S] =
            columns.map(|(values, shift)| &values[last - shift..Block::<P>::PLACES - shift]);
        let rows = &mut to.as_chunks_mut::<S>().0[last..Block::<P>::PLACES];
        for (k, row) in rows.iter_mut().enumerate() {
            for j in 0..S {
                row[j] = full[j][k];
            }
        }
    }
}
