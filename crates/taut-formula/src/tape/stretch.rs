//! Some of the places of what is repeated, whose registers are evenly apart or listed.

use super::columns::{Column, TOGETHER};
use super::direct::Outside;
use super::file::{Block, SMALL};
use super::instruction::Register;
use super::value::Lanes;
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

/// Which slices columns are read from and written to, and which of them go together.
pub(super) struct Routes {
    slices: [[u8; SMALL]; 2],
    is_woven: [[bool; SMALL]; 2],
}

impl Stretch {
    fn new(count: usize, mut columns: Vec<Column>, leaves: usize) -> Self {
        let results = columns.split_off(leaves);
        let weaves = [Weave::among(&columns, false), Weave::among(&results, true)];
        let results = results.into_iter().map(|column| Made { column, is_read: true }).collect();
        Stretch { count, leaves: columns, results, weaves }
    }

    /// The columns of what is computed.
    pub(super) fn made(&self) -> impl Iterator<Item = &Column> {
        self.results.iter().map(|made| &made.column)
    }

    /// Notes which columns have a register that is read afterwards.
    pub(super) fn note_reads(&mut self, is_read: impl Fn(&Column, usize) -> bool) {
        for made in &mut self.results {
            made.is_read = is_read(&made.column, self.count);
        }
    }

    /// The way of its columns, where the caller has inputs and results.
    pub(super) fn routes(&self, outside: &Outside<'_, '_>) -> Routes {
        let mut routes = Routes { slices: [[0; SMALL]; 2], is_woven: [[false; SMALL]; 2] };
        let [sources, targets] = &mut routes.slices;
        for (source, column) in sources.iter_mut().zip(&self.leaves) {
            *source = outside.source(column, self.count);
        }
        for (target, column) in targets.iter_mut().zip(self.made()) {
            *target = outside.target(column, self.count);
        }
        for ((weaves, slices), is_woven) in self.weaves.iter().zip(&routes.slices).zip(&mut routes.is_woven) {
            for weave in weaves {
                // They have to lie in one slice, and fill a block.
                let first = weave.numbers().next().map_or(0, |number| slices[number]);
                let together = weave.numbers().all(|number| slices[number] == first);
                weave.numbers().for_each(|number| is_woven[number] = together && self.count >= TOGETHER);
            }
        }
        routes
    }

    /// Fills blocks with what is read at places from this one on.
    #[inline(always)]
    pub(super) fn load(
        &self,
        at: usize,
        (file, outside): (&[f64], &Outside<'_, '_>),
        routes: &Routes,
        blocks: &mut [Block],
    ) {
        let (slices, is_woven) = (&routes.slices[0], &routes.is_woven[0]);
        for weave in &self.weaves[0] {
            if let Some(number) = weave.numbers().next().filter(|&number| is_woven[number]) {
                weave.load(outside.input(slices[number]).unwrap_or((0, file)), at, blocks);
            }
        }
        let columns = blocks.iter_mut().zip(&self.leaves);
        for ((block, column), (source, is_woven)) in columns.zip(slices.iter().zip(is_woven)) {
            // What is the same at all places stays where it is.
            if !is_woven && (at == 0 || !matches!(column, Column::Same(_))) {
                column.load(outside.input(*source).unwrap_or((0, file)), at, self.count - 1, block);
            }
        }
    }

    /// Writes what blocks hold of places from this one on; the sums of what went outside.
    #[inline(always)]
    pub(super) fn store(
        &self,
        at: usize,
        (file, outside): (&mut [f64], &mut Outside<'_, '_>),
        routes: &Routes,
        blocks: &[Block],
    ) -> Lanes<8> {
        let (slices, is_woven) = (&routes.slices[1], &routes.is_woven[1]);
        let mut sums = Lanes([0.0; 8]);
        for weave in &self.weaves[1] {
            if let Some(number) = weave.numbers().next().filter(|&number| is_woven[number]) {
                weave.store(blocks, outside.output(slices[number]).unwrap_or((0, file)), at);
            }
        }
        let columns = blocks.iter().zip(&self.results);
        for ((block, made), (target, is_woven)) in columns.zip(slices.iter().zip(is_woven)) {
            let target = outside.output(*target);
            if target.is_some() {
                sums = sums + block.sums();
            }
            if target.is_some() && made.is_read {
                made.column.store(block, (0, file), at, self.count - 1);
            }
            if !is_woven {
                made.column.store(block, target.unwrap_or((0, file)), at, self.count - 1);
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
