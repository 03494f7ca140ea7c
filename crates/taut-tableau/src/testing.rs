//! What the tests share.

use proptest::test_runner::{Config, RngSeed};

/// Random tests that are the same in every run.
pub(crate) fn deterministic(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(1998), failure_persistence: None, ..Config::default() }
}
