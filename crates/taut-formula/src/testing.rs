//! What tests share.

use proptest::test_runner::{Config, RngSeed};

/// The same random cases in every run.
pub(crate) fn deterministic(cases: u32) -> Config {
    Config { rng_seed: RngSeed::Fixed(1998), failure_persistence: None, cases, ..Config::default() }
}
