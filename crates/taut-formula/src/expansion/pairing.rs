//! Which sines and cosines are computed side by side.

use super::convolution::LANES;
use super::lower::Lowering;
use super::operation::Operation;
use super::pairs::{BLOCK, Pair};
use super::recursion::{Level, Needed};

/// Sines and cosines of one level, and where their blocks begin.
#[derive(Debug, Default)]
pub(super) struct Paired {
    pub(super) list: Vec<Pair>,
    pub(super) first: usize,
}

impl Paired {
    /// The angles, each once, that are computed.
    pub(super) fn angles(&self, inputs: u32) -> impl Iterator<Item = u32> + '_ {
        self.list.iter().map(|pair| pair.angle).filter(move |&angle| angle >= inputs)
    }

    /// The sines and cosines.
    pub(super) fn results(&self) -> impl Iterator<Item = u32> + '_ {
        let lane = |number: usize| (self.first + number / LANES * BLOCK + number % LANES) as u32;
        (0..self.list.len()).flat_map(move |number| [lane(number), lane(number) + LANES as u32])
    }
}

impl Lowering<'_> {
    /// Finds sines and cosines of angles that are sums of inputs and of formulas of lower levels, as far as the formulas that are
    /// followed need them, and gives them numbers one after the other. Inputs end before a number.
    pub(super) fn pair_up(&mut self, inputs: u32, followed: &[u32], roots: &mut [u32]) -> [Paired; 3] {
        let needed = Needed::new(&self.operations, &self.terms, self.levels.len());
        let is_needed = needed.by(followed, |_| true, true);
        let is_sum = self.sums_of_inputs(inputs, &needed);
        let mut found: [Vec<(Pair, [u32; 2])>; 3] = Default::default();
        for (operation, _) in self.operations.iter().zip(is_needed).filter(|(_, needed)| *needed) {
            match *operation {
                Operation::SineCosine { sine, cosine, a, inner } if is_sum[a as usize] => {
                    let level = self.levels[a as usize];
                    found[level as usize].push((Pair { angle: a, inner }, [sine, cosine]));
                }
                _ => {}
            }
        }
        let mut numbers: Vec<u32> = (0..self.levels.len() as u32).collect();
        let levels = Level::ALL.into_iter().zip(found);
        let mut paired = levels.map(|(level, pairs)| {
            let first = self.levels.len();
            self.levels.resize(first + pairs.len().div_ceil(LANES) * BLOCK, level);
            let paired = Paired { list: pairs.iter().map(|(pair, _)| *pair).collect(), first };
            let results = pairs.iter().flat_map(|(_, results)| *results);
            for (old, new) in results.zip(paired.results()) {
                numbers[old as usize] = new;
            }
            paired
        });
        let mut paired = [(); 3].map(|()| paired.next().unwrap_or_default());
        let number = |slot: u32| numbers[slot as usize];
        self.operations.iter_mut().for_each(|operation| operation.renumber(number));
        self.terms.iter_mut().for_each(|(_, slot)| *slot = number(*slot));
        roots.iter_mut().for_each(|slot| *slot = number(*slot));
        for pair in paired.iter_mut().flat_map(|paired| &mut paired.list) {
            pair.angle = number(pair.angle);
        }
        paired
    }

    /// Which formulas are inputs or sums of them, and of formulas of lower levels.
    fn sums_of_inputs(&self, inputs: u32, needed: &Needed<'_>) -> Vec<bool> {
        let mut is_sum = vec![false; self.levels.len()];
        is_sum[..inputs as usize].fill(true);
        for operation in &self.operations {
            if let Operation::Sum { out, .. } = *operation {
                let level = self.levels[out as usize];
                let is_known = |slot: u32| is_sum[slot as usize] || self.levels[slot as usize] < level;
                is_sum[out as usize] = needed.reads(operation).into_iter().all(is_known);
            }
        }
        is_sum
    }
}
