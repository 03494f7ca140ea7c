//! Numbers that look random and follow from a seed.

/// splitmix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for every seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1));
        random.bits();
        random
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A number between two, all orders of magnitude alike.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    /// A whole number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.unit() * limit as f64) as usize
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of a list that is not empty.
    pub fn one_of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn seeds_give_sequences_of_their_own_that_stay_in_their_range() {
        let (mut a, mut again, mut b) = (Random::new(1), Random::new(1), Random::new(2));
        let first = a.bits();
        assert_eq!(first, again.bits());
        assert_ne!(first, b.bits());
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&a.unit()) && a.below(7) < 7);
            assert!((1e-3..=1e3).contains(&a.magnitude(1e-3, 1e3)));
        }
    }
}
