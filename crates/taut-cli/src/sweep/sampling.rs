//! Numbers of samples, each from its place alone: any run of a sweep can be made without those before it.

/// A well mixed number (the finaliser of splitmix64).
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// 64 bits for a dimension of a sample.
pub fn bits(seed: u64, dimension: u64, k: u64) -> u64 {
    mix(mix(mix(seed) ^ dimension) ^ k)
}

/// A number in [0, 1) with 53 bits.
pub fn share(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number in [0, 1), independent of all others.
pub fn uniform(seed: u64, dimension: u64, k: u64) -> f64 {
    share(bits(seed, dimension, k))
}

/// The k-th of `count` numbers in [0, 1) with one of them in each of `count` equal parts (McKay, Beckman, Conover 1979).
pub fn latin(seed: u64, dimension: u64, k: u64, count: u64) -> f64 {
    // Other dimensions than those that say where the parts are.
    let inside = uniform(seed, !dimension, k);
    let place = (permuted(bits(seed, dimension, u64::MAX), k, count) as f64 + inside) / count as f64;
    // Rounding must not lead into the next part beyond the last.
    place.min(1.0 - f64::EPSILON / 2.0)
}

/// The image of k under a permutation of 0..count: a Feistel network over a power of four, walked until it is back in range.
fn permuted(key: u64, k: u64, count: u64) -> u64 {
    let half = (64 - (count.max(2) - 1).leading_zeros()).div_ceil(2);
    let mask = (1_u64 << half) - 1;
    let mut x = k;
    loop {
        for round in 0..4 {
            let (left, right) = (x >> half, x & mask);
            x = right << half | (left ^ (bits(key, round, right) & mask));
        }
        if x < count {
            return x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_are_such() {
        for count in [1, 2, 3, 7, 16, 100, 1000] {
            let mut seen = vec![false; count as usize];
            (0..count).for_each(|k| seen[permuted(42, k, count) as usize] = true);
            assert!(seen.iter().all(|seen| *seen), "{count}");
        }
    }

    #[test]
    fn a_latin_hypercube_has_one_sample_in_each_part() {
        for dimension in 0..5 {
            let mut seen = [false; 500];
            for k in 0..500 {
                seen[(latin(7, dimension, k, 500) * 500.0) as usize] = true;
            }
            assert!(seen.iter().all(|seen| *seen));
        }
        // Two dimensions are not the same permutation.
        let pairs = (0..500).filter(|&k| (latin(7, 0, k, 500) - latin(7, 1, k, 500)).abs() < 0.002);
        assert!(pairs.count() < 20);
    }

    #[test]
    fn uniform_numbers_have_mean_and_variance() {
        let numbers: Vec<f64> = (0..100_000).map(|k| uniform(1, 3, k)).collect();
        let mean = numbers.iter().sum::<f64>() / 1e5;
        let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
        // 5 standard deviations of both.
        assert!((mean - 0.5).abs() < 5.0 * (1.0_f64 / 12.0 / 1e5).sqrt());
        assert!((variance - 1.0 / 12.0).abs() < 5.0 * (1.0_f64 / 180.0 / 1e5).sqrt());
    }
}
