//! The index of each variable of a first-order system, found from its matrices.

use super::StartError;
use crate::geometry::pencil::pencil;
use crate::linear::{Choice, Saddle, SaddlePattern, Scales};
use crate::system::FirstOrderSystem;

/// Two large frequencies, relative to ‖J‖/‖E‖, at which the resolvent is looked at.
const FREQUENCIES: [f64; 2] = [1e4, 1e7];

/// The index of each variable of E x' = f(t, x) at a state: 0 with a derivative, 1 algebraic, 2 and 3 of higher index.
///
/// The resolvent (sE − J)⁻¹ tells it: for s → ∞ its row falls like 1/s for a variable with a derivative, stays for one of
/// index 1, grows like s^(k−1) for one of index k. The index of the author, where given, is taken instead.
pub fn find_index(
    system: &dyn FirstOrderSystem,
    t: f64,
    x: &[f64],
    choice: Choice,
) -> Result<Vec<u8>, StartError> {
    let composition = system.composition();
    let n = composition.n();
    if let Some(index) = &composition.index {
        return Ok(index.clone());
    }
    let diagonal = composition.mass.entries().all(|(i, j)| i == j);
    if diagonal && composition.mass_values.iter().filter(|&&e| e != 0.0).count() == n {
        return Ok(vec![0; n]);
    }
    let mut jacobian = vec![0.0; composition.jacobian.nnz()];
    system.jacobian(t, x, &mut jacobian)?;
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let ratio = largest(&jacobian) / largest(&composition.mass_values).max(f64::MIN_POSITIVE);
    let mut saddle =
        Saddle::new(&SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone()), choice);
    let mut response = |frequency: f64| {
        let scales = Scales { alpha: frequency * ratio, beta: 0.0, gamma: -1.0, delta: 0.0 };
        saddle
            .assemble_and_factor(&pencil(composition, &jacobian), scales)
            .map_err(|s| StartError::Undetermined { name: composition.variables[s.pivot].clone() })?;
        // A generic right-hand side excites every entry of a row.
        let mut row: Vec<f64> =
            (0..n).map(|i| 1.0 + (0.618_033_988_749_894_9 * (i + 1) as f64).fract()).collect();
        saddle.solve(&mut row);
        Ok::<_, StartError>(row)
    };
    let (slow, fast) = (response(FREQUENCIES[0])?, response(FREQUENCIES[1])?);
    let decades = (FREQUENCIES[1] / FREQUENCIES[0]).ln();
    let index = |(slow, fast): (&f64, &f64)| {
        let power = (fast / slow).abs().ln() / decades;
        if power.is_finite() { (power.round() + 1.0).clamp(0.0, 3.0) as u8 } else { 0 }
    };
    Ok(slow.iter().zip(&fast).map(index).collect())
}

/// Shares of an interval at which the index is looked at again.
const LATER: [f64; 2] = [0.061_8, 0.5];

/// The largest index that each variable has at the start, or at the same state at later times: what multiplies a variable may vanish
/// at the start only, as t before p does in y' = t p.
pub(crate) fn index_along(
    system: &dyn FirstOrderSystem,
    (t, until): (f64, f64),
    x: &[f64],
    mut index: Vec<u8>,
    choice: Choice,
) -> Vec<u8> {
    if index.iter().all(|&index| index == 0) || system.composition().index.is_some() {
        return index;
    }
    for share in LATER {
        // Where nothing is known at a later time, the start has to do.
        if let Ok(later) = find_index(system, t + share * (until - t), x, choice) {
            index.iter_mut().zip(later).for_each(|(index, later)| *index = later.max(*index));
        }
    }
    index
}
