mod order;
mod spectral;
mod stability;
mod stiff;

use crate::{Family, Tableau};
use proptest::prelude::*;

/// Families with any number of stages, with the numbers 1 (or 2) to 12.
fn members() -> Vec<Tableau> {
    let computed = Family::ALL[..8].iter();
    computed.flat_map(|family| (1..=12).filter_map(|stages| family.tableau(stages).ok())).collect()
}

/// A random one of them.
fn any_member() -> impl Strategy<Value = Tableau> {
    (0..8_usize, 2..=12_usize).prop_map(|(place, stages)| Family::ALL[place].tableau(stages).unwrap())
}
