//! What the tests of linear algebra share.

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run, and no files left behind.
pub(super) fn deterministic() -> Config {
    Config { rng_seed: RngSeed::Fixed(1992), failure_persistence: None, ..Config::default() }
}
