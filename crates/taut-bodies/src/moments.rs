//! Principal moments of inertia, and which ones no body has.

use crate::description::Body;
use crate::vector::Vector;

/// A moment below this share of the largest one is rounding.
const ROUNDING: f64 = 1e-10;
/// By this share of the others the largest moment may be above their sum: files have numbers with three or four digits, and those of
/// plates and rods lie on the border.
const DIGITS: f64 = 1e-3;
/// Jacobi's rotations converge quadratically: three or four rounds are enough.
const ROUNDS: usize = 20;

/// The eigenvalues of an inertia, in ascending order, by Jacobi's rotations.
pub(crate) fn principal_moments([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> Vector {
    let mut a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    for _ in 0..ROUNDS {
        for (p, q, r) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let slope = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = slope.signum() / (slope.abs() + slope.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let (shift, s) = (t * a[p][q], t * c);
            a[p][p] -= shift;
            a[q][q] += shift;
            let (one, two) = (c * a[r][p] - s * a[r][q], s * a[r][p] + c * a[r][q]);
            (a[p][q], a[q][p]) = (0.0, 0.0);
            (a[r][p], a[p][r], a[r][q], a[q][r]) = (one, one, two, two);
        }
    }
    let mut moments = [a[0][0], a[1][1], a[2][2]];
    moments.sort_by(f64::total_cmp);
    moments
}

/// Whether a body would gain energy by being held up in its turning.
pub(crate) fn has_negative_moment([least, _, largest]: Vector) -> bool {
    least < -ROUNDING * largest.abs() || largest < 0.0
}

/// Whether no distribution of positive masses has these moments: the sum of two is never below the third.
pub(crate) fn is_impossible([least, middle, largest]: Vector) -> bool {
    largest > (1.0 + DIGITS) * (least + middle)
}

/// Mass and moments in words.
pub(crate) fn mass_in_words(body: &Body, in_plane: bool) -> String {
    let Body { name, mass, inertia, .. } = body;
    if in_plane {
        return format!("body '{name}' has a mass of {mass} and an inertia of {}", inertia[2]);
    }
    let moments = listed(principal_moments(*inertia));
    format!("body '{name}' has a mass of {mass} and the principal moments of inertia {moments}")
}

/// Numbers in a list, with as many digits as one wants to read.
pub(crate) fn listed(numbers: Vector) -> String {
    numbers.map(short).join(", ")
}

/// Six digits at most; what is rounding beside 1 stays visible.
fn short(x: f64) -> String {
    if x != 0.0 && !(1e-4..1e6).contains(&x.abs()) {
        return format!("{x:.3e}");
    }
    let rounded = format!("{x:.6}");
    rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{has_negative_moment, is_impossible, principal_moments, short};

    #[test]
    fn moments_of_turned_bodies_are_those_of_the_body() {
        // diag(1, 2, 4), turned by 0.3 about the third axis and by 1.1 about the first
        let turned: [[f64; 3]; 3] = {
            let (c, s, d, e) = (0.3_f64.cos(), 0.3_f64.sin(), 1.1_f64.cos(), 1.1_f64.sin());
            let r = [[c, -s, 0.0], [d * s, d * c, -e], [e * s, e * c, d]];
            let entry =
                |i: usize, j: usize| r[i][0] * r[j][0] + 2.0 * r[i][1] * r[j][1] + 4.0 * r[i][2] * r[j][2];
            [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
        };
        let [x, y, z] = turned;
        let found = principal_moments([x[0], y[1], z[2], x[1], x[2], y[2]]);
        assert!(found.iter().zip([1.0, 2.0, 4.0]).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
        assert!(is_impossible(found) && !has_negative_moment(found));
        assert_eq!(principal_moments([3.0, 1.0, 2.0, 0.0, 0.0, 0.0]), [1.0, 2.0, 3.0]);
        assert!(has_negative_moment(principal_moments([1.0, 1.0, 1.0, 2.0, 0.0, 0.0])));
    }

    #[test]
    fn rods_plates_and_points_are_possible() {
        for moments in [[0.0; 3], [0.0, 1.0, 1.0], [1.0, 1.0, 2.0], [0.0333, 0.0333, 0.06666]] {
            assert!(!is_impossible(moments) && !has_negative_moment(moments), "{moments:?}");
        }
        assert!(is_impossible([0.1, 0.1, 0.3]));
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, 0.1, 1.0 / 3.0, -2.5e-9, 1e7].map(short);
        assert_eq!(texts, ["0", "1", "0.1", "0.333333", "-2.500e-9", "1.000e7"]);
    }
}
