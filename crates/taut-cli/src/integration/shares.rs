//! Whether shares of damping coefficients are stable.

use taut::method::{Shares, SparkOptions};
use taut::system::PartitionedSystem;
use taut_tableau::{Lobatto, Pair, Spark};
use taut_text::PartitionedModel;

/// Oscillations are looked at between these h ω, so many of them in a geometric sequence.
const SLOWEST: f64 = 0.3;
const FASTEST: f64 = 100.0;
const PLACES: usize = 250;
/// Between them the worst one is found by so many bisections.
const BISECTIONS: usize = 20;
/// Growth by less than this is rounding.
const ROUNDING: f64 = 1e-9;
/// So many different pairs of shares are looked at.
const MOST_PAIRS: usize = 30;
/// The least stable share is found to this.
const CLOSE: f64 = 1e-3;

/// A warning where positions are damped with so small a share of Lobatto IIIC that oscillations grow.
pub fn warning(options: &SparkOptions, stages: usize) -> Option<String> {
    let share = share_of_c(&options.positions);
    if share <= 0.0 || share >= 1.0 {
        return None;
    }
    let spark = Spark::new(stages).ok()?;
    let (radius, mu) = growth(&spark, &options.positions, &options.conservative)?;
    if radius <= 1.0 + ROUNDING {
        return None;
    }
    let least = least_stable_share(&spark, share)?;
    Some(format!(
        "with a share of {share} of lobatto-iiic for positions oscillations grow, at h omega = {mu:.1} by {radius:.3} a step; \
         with {stages} stages such a share for positions and forces is stable from {least:.3} on"
    ))
}

/// A warning where single variables of a partitioned system have shares with which oscillations between them grow: y and z that
/// belong together by their number, or any two where there are not as many of both.
pub fn warning_of_variables(system: &PartitionedModel, stages: usize) -> Option<String> {
    let structure = system.structure();
    let shares = Some(system.damping_shares()).filter(|shares| !shares.is_empty())?;
    let (first, second) = shares.split_at(structure.n());
    let spark = Spark::new(stages).ok()?;
    let mut known = Vec::new();
    for (i, &of_y) in first.iter().enumerate() {
        for (j, &of_z) in second.iter().enumerate() {
            let together = i == j || first.len() != second.len();
            if !together || of_y == of_z || known.contains(&(of_y, of_z)) || known.len() > MOST_PAIRS {
                continue;
            }
            known.push((of_y, of_z));
            let rest = if of_z > 0.0 { Lobatto::A } else { Lobatto::B };
            let forces = Shares::damped(rest, of_z);
            let (radius, mu) = growth(&spark, &Shares::damped(Lobatto::A, of_y), &forces)?;
            if radius > 1.0 + ROUNDING {
                let (y, z) = (&structure.first[i], &structure.second[j]);
                return Some(format!(
                    "with a damped share of {of_y} of {y} and {of_z} of {z} oscillations between them grow, at h omega = {mu:.1} by \
                     {radius:.3} a step; with equal shares they stay bounded"
                ));
            }
        }
    }
    None
}

fn share_of_c(shares: &Shares) -> f64 {
    shares.as_slice().iter().filter(|(lobatto, _)| *lobatto == Lobatto::C).map(|(_, share)| share).sum()
}

/// The largest spectral radius of the stability matrix for oscillations, and where it is.
///
/// Growth is confined to narrow bands near multiples of π, where the radius has a kink. Its cause is smooth: an eigenvalue
/// is beyond 1 or −1 where |trace| exceeds 1 + det.
fn growth(spark: &Spark, positions: &Shares, forces: &Shares) -> Option<(f64, f64)> {
    let positions = spark.combination(positions.as_slice()).ok()?;
    let pair = Pair::of(&positions, &spark.combination(forces.as_slice()).ok()?).ok()?;
    let place = |k: usize| SLOWEST * (FASTEST / SLOWEST).powf(k as f64 / (PLACES - 1) as f64);
    let excess = |mu: f64| {
        let (half_trace, determinant) = invariants(pair.stability_matrix(mu));
        2.0 * half_trace.abs() - 1.0 - determinant
    };
    let values: Vec<f64> = (0..PLACES).map(|k| excess(place(k))).collect();
    let peaks = (1..PLACES - 1).filter(|&k| values[k] >= values[k - 1] && values[k] >= values[k + 1]);
    let worst = peaks.map(|k| highest(&excess, place(k - 1), place(k + 1))).chain((0..PLACES).map(place));
    let radius = |mu: f64| (spectral_radius(pair.stability_matrix(mu)), mu);
    worst.map(radius).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Where a function with one maximum between two numbers has it.
fn highest(function: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..BISECTIONS {
        let third = (high - low) / 3.0;
        if function(low + third) < function(high - third) { low += third } else { high -= third }
    }
    0.5 * (low + high)
}

/// Half the trace, and the determinant.
fn invariants([[a, b], [c, d]]: [[f64; 2]; 2]) -> (f64, f64) {
    (0.5 * (a + d), a * d - b * c)
}

fn spectral_radius(matrix: [[f64; 2]; 2]) -> f64 {
    let (half_trace, determinant) = invariants(matrix);
    let discriminant = half_trace * half_trace - determinant;
    match discriminant < 0.0 {
        true => determinant.sqrt(),
        false => half_trace.abs() + discriminant.sqrt(),
    }
}

/// The least share of IIIC, beside IIIA for positions and IIIB for forces, without growth.
fn least_stable_share(spark: &Spark, unstable: f64) -> Option<f64> {
    let (mut low, mut high) = (unstable, 1.0);
    while high - low > CLOSE {
        let middle = 0.5 * (low + high);
        let (positions, forces) = (Shares::damped(Lobatto::A, middle), Shares::damped(Lobatto::B, middle));
        let (radius, _) = growth(spark, &positions, &forces)?;
        if radius > 1.0 + ROUNDING { low = middle } else { high = middle }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same with stages solved for directly; with 5 stages growth is confined to a band of width 1e-3 near h omega = pi.
    #[test]
    fn small_shares_are_not_stable() {
        for (stages, least) in [(2, 0.5), (3, 0.629), (4, 0.7), (5, 0.749)] {
            let found = least_stable_share(&Spark::new(stages).unwrap(), 0.05).unwrap();
            assert!((found - least).abs() < 3e-3, "{stages}: {found}");
            let options = |share| SparkOptions {
                positions: Shares::damped(Lobatto::A, share),
                conservative: Shares::damped(Lobatto::B, share),
                ..SparkOptions::default()
            };
            assert!(warning(&options(0.3), stages).is_some_and(|text| text.contains("grow")));
            assert_eq!(warning(&options(0.8), stages), None);
            assert_eq!(warning(&SparkOptions::default(), stages), None);
        }
    }
}
