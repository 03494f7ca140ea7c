//! Some of the places of what is repeated, whose registers are evenly apart or listed.

use super::columns::{AT_LEAST, Column, TOGETHER};
use super::direct::Outside;
use super::file::Block;
use super::instruction::Register;
use super::value::Lanes;
use super::ways::{Source, Target};
use super::weave::Weave;

/// So many places whose registers are evenly apart are kept without a list: fewer would not fill a block.
const LONG: usize = TOGETHER;

/// Some of the places.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) count: usize,
    pub(super) leaves: Vec<Column>,
    results: Vec<Made>,
    /// leaves that are read together, and results that are written together
    weaves: [Vec<Weave>; 2],
}

/// What is computed at some of the places.
#[derive(Clone, Debug)]
struct Made {
    column: Column,
    /// whether it is read from its registers afterwards
    is_read: bool,
}

impl Stretch {
    fn new(count: usize, mut columns: Vec<Column>, leaves: usize) -> Self {
        let results = columns.split_off(leaves);
        let weaves = [Weave::among(&columns, false), Weave::among(&results, true)];
        let results = results.into_iter().map(|column| Made { column, is_read: true }).collect();
        Stretch { count, leaves: columns, results, weaves }
    }

    /// Whether it fills a large block.
    pub(super) fn takes_many(&self) -> bool {
        self.count >= TOGETHER
    }

    /// Whether some of its places are left over for a small one.
    pub(super) fn takes_few(&self) -> bool {
        self.count > 1 && !(self.takes_many() && (self.count - 1) % TOGETHER >= AT_LEAST)
    }

    /// The columns of what is computed.
    pub(super) fn made(&self) -> impl Iterator<Item = &Column> {
        self.results.iter().map(|made| &made.column)
    }

    /// Columns that may be read or written together.
    pub(super) fn weaves(&self) -> &[Vec<Weave>; 2] {
        &self.weaves
    }

    /// Notes which columns have a register that is read afterwards.
    pub(super) fn note_reads(&mut self, is_read: impl Fn(&Column, usize) -> bool) {
        for made in &mut self.results {
            made.is_read = is_read(&made.column, self.count);
        }
    }

    /// Takes what is read at its first place.
    pub(super) fn load_one(
        &self,
        (file, outside): (&[f64], &Outside<'_, '_>),
        sources: &[Source],
        values: &mut [f64],
    ) {
        for ((value, column), source) in values.iter_mut().zip(&self.leaves).zip(sources) {
            let (begin, from) = outside.input(source.slice).unwrap_or((0, file));
            *value = from[column.register(0) - begin];
        }
    }

    /// Writes what is computed at its first place; whether what is to be looked at is finite.
    pub(super) fn store_one(
        &self,
        (file, outside): (&mut [f64], &mut Outside<'_, '_>),
        targets: &[Target],
        values: &[f64],
    ) -> bool {
        let mut finite = true;
        for ((value, Made { column, is_read }), target) in values.iter().zip(&self.results).zip(targets) {
            let register = column.register(0);
            finite &= !target.is_looked_at || value.is_finite();
            if let Some((begin, to)) = outside.output(target.slice) {
                to[register - begin] = *value;
            }
            if target.slice == 0 || *is_read {
                file[register] = *value;
            }
        }
        finite
    }

    /// Fills blocks with what is read at places from this one on; what is the same at all places is there unless these are the first.
    #[inline(always)]
    pub(super) fn load<const P: usize>(
        &self,
        (at, is_first): (usize, bool),
        (file, outside): (&[f64], &Outside<'_, '_>),
        sources: &[Source],
        blocks: &mut [Block<P>],
    ) {
        for weave in &self.weaves[0] {
            if let Some(source) =
                weave.first().and_then(|number| sources.get(number)).filter(|it| it.is_woven)
            {
                weave.load(outside.input(source.slice).unwrap_or((0, file)), at, blocks);
            }
        }
        for ((block, column), source) in blocks.iter_mut().zip(&self.leaves).zip(sources) {
            if !source.is_woven && (is_first || !matches!(column, Column::Same(_))) {
                column.load(outside.input(source.slice).unwrap_or((0, file)), at, self.count - 1, block);
            }
        }
    }

    /// Writes what blocks hold of places from this one on; the sums of what is to be looked at.
    #[inline(always)]
    pub(super) fn store<const P: usize>(
        &self,
        at: usize,
        (file, outside): (&mut [f64], &mut Outside<'_, '_>),
        targets: &[Target],
        blocks: &[Block<P>],
    ) -> Lanes<8> {
        let mut sums = Lanes([0.0; 8]);
        for weave in &self.weaves[1] {
            if let Some(target) =
                weave.first().and_then(|number| targets.get(number)).filter(|it| it.is_woven)
            {
                weave.store(blocks, outside.output(target.slice).unwrap_or((0, file)), at);
            }
        }
        for ((block, made), target) in blocks.iter().zip(&self.results).zip(targets) {
            if target.is_looked_at {
                sums = sums + block.sums();
            }
            if target.slice > 0 && made.is_read {
                made.column.store(block, (0, file), at, self.count - 1);
            }
            if !target.is_woven {
                made.column.store(
                    block,
                    outside.output(target.slice).unwrap_or((0, file)),
                    at,
                    self.count - 1,
                );
            }
        }
        sums
    }
}

/// Places by their registers: `sizes` of what is read and of what is computed, place by place.
pub(super) fn stretches(registers: [Vec<Register>; 2], sizes: [usize; 2]) -> Vec<Stretch> {
    let count = registers[1].len() / sizes[1].max(1);
    let of = |k: usize, place: usize| &registers[k][place * sizes[k]..(place + 1) * sizes[k]];
    // In the order of what they compute, registers are evenly apart more often than in the order of the graph.
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&place| of(1, place).first());
    let row = |place: usize| of(0, order[place]).iter().chain(of(1, order[place])).copied();
    let mut found = Vec::new();
    let mut single = Vec::new();
    let mut place = 0;
    while place < count {
        let until = even_until(place, count, row);
        if until - place < LONG {
            single.extend(place..until);
        } else {
            let strides = row(place).zip(row(place + 1)).map(|(a, b)| Column::even(a, (b - a) as usize));
            found.push(Stretch::new(until - place, strides.collect(), sizes[0]));
        }
        place = until;
    }
    if !single.is_empty() {
        let mut columns = vec![Vec::with_capacity(single.len()); sizes[0] + sizes[1]];
        for &place in &single {
            columns.iter_mut().zip(row(place)).for_each(|(column, register)| column.push(register));
        }
        let columns = columns.into_iter().map(listed).collect();
        found.push(Stretch::new(single.len(), columns, sizes[0]));
    }
    found
}

/// The first place whose registers are not as far from those before as the ones from `place` on.
fn even_until<R: Iterator<Item = Register>>(place: usize, count: usize, row: impl Fn(usize) -> R) -> usize {
    let rises = place + 1 < count && row(place).zip(row(place + 1)).all(|(a, b)| a <= b);
    if !rises {
        return place + 1;
    }
    let strides: Vec<Register> = row(place).zip(row(place + 1)).map(|(a, b)| b - a).collect();
    let fits = |k: usize| row(k - 1).zip(row(k)).zip(&strides).all(|((a, b), &stride)| a + stride == b);
    let mut until = place + 2;
    while until < count && fits(until) {
        until += 1;
    }
    until
}

fn listed(registers: Vec<Register>) -> Column {
    match registers.first() {
        Some(&first) if registers.iter().all(|register| *register == first) => Column::Same(first as usize),
        _ => Column::Listed(registers),
    }
}
