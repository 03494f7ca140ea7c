//! Rotations as quaternions p = (w, u).
//!
//! For any p, R(p)s = (w² − u·u) s + 2 (u·s) u + 2 w u × s is a form of degree two in p, and a rotation when |p| = 1. Points and
//! vectors of a body are therefore quadratic in its coordinates, and their second derivatives are constant.

use crate::vector::{Vector, cross, direction, dot, minus, plus, times};

/// Four numbers: w, then x, y, z.
pub type Quaternion = [f64; 4];

/// No rotation.
pub const IDENTITY: Quaternion = [1.0, 0.0, 0.0, 0.0];

#[inline]
pub(crate) fn vector_part(p: Quaternion) -> Vector {
    [p[1], p[2], p[3]]
}

/// p ∘ q
#[inline]
pub(crate) fn product(p: Quaternion, q: Quaternion) -> Quaternion {
    let (a, b) = (vector_part(p), vector_part(q));
    let v = plus(plus(times(p[0], b), times(q[0], a)), cross(a, b));
    [p[0] * q[0] - dot(a, b), v[0], v[1], v[2]]
}

#[inline]
pub(crate) fn conjugate(p: Quaternion) -> Quaternion {
    [p[0], -p[1], -p[2], -p[3]]
}

/// The unit quaternion in the direction of p; no rotation for 0.
pub(crate) fn normalised(p: Quaternion) -> Quaternion {
    let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { p.map(|x| x / length) } else { IDENTITY }
}

/// R(p)s, of degree two in p.
#[inline]
pub(crate) fn rotate(p: Quaternion, s: Vector) -> Vector {
    let (w, u) = (p[0], vector_part(p));
    let along = times(2.0 * dot(u, s), u);
    plus(plus(times(w * w - dot(u, u), s), along), times(2.0 * w, cross(u, s)))
}

/// The derivative of R(p)s in the direction d: linear in p and in d.
#[inline]
pub(crate) fn rotate_along(p: Quaternion, d: Quaternion, s: Vector) -> Vector {
    let (w, u) = (p[0], vector_part(p));
    let (dw, du) = (d[0], vector_part(d));
    let straight = times(2.0 * (w * dw - dot(u, du)), s);
    let along = plus(times(2.0 * dot(du, s), u), times(2.0 * dot(u, s), du));
    let across = times(2.0, cross(plus(times(dw, u), times(w, du)), s));
    plus(plus(straight, along), across)
}

/// The symmetric matrix B with f·R(p)s = pᵀB p / 2: the second derivatives.
#[inline]
pub(crate) fn form(s: Vector, f: Vector) -> [[f64; 4]; 4] {
    let inner = 2.0 * dot(s, f);
    let c = cross(s, f);
    let mut b = [[0.0; 4]; 4];
    b[0][0] = inner;
    for i in 0..3 {
        b[0][i + 1] = 2.0 * c[i];
        b[i + 1][0] = 2.0 * c[i];
        for j in 0..3 {
            b[i + 1][j + 1] = 2.0 * (s[i] * f[j] + f[i] * s[j]) - if i == j { inner } else { 0.0 };
        }
    }
    b
}

/// The gradient of f·R(p)s by p, which is B p.
#[inline]
pub(crate) fn gradient(p: Quaternion, s: Vector, f: Vector) -> Quaternion {
    let (w, u) = (p[0], vector_part(p));
    let (inner, c) = (dot(s, f), cross(s, f));
    let v = plus(plus(times(dot(f, u), s), times(dot(s, u), f)), minus(times(w, c), times(inner, u)));
    [2.0 * (inner * w + dot(c, u)), 2.0 * v[0], 2.0 * v[1], 2.0 * v[2]]
}

/// The angular velocity in the world, 2 p' ∘ p̄.
#[inline]
pub(crate) fn spin(p: Quaternion, rate: Quaternion) -> Vector {
    times(2.0, vector_part(product(rate, conjugate(p))))
}

/// p' of an angular velocity in the world, ω ∘ p / 2.
#[inline]
pub(crate) fn rate_of_spin(p: Quaternion, spin: Vector) -> Quaternion {
    product([0.0, 0.5 * spin[0], 0.5 * spin[1], 0.5 * spin[2]], p)
}

/// The rotation by an angle about an axis; none when the axis has no direction.
pub fn about(axis: Vector, angle: f64) -> Quaternion {
    let Some(a) = direction(axis) else { return IDENTITY };
    let (sin, cos) = (0.5 * angle).sin_cos();
    [cos, sin * a[0], sin * a[1], sin * a[2]]
}

/// One rotation after another: first `second`, then `first`, as matrices are multiplied.
pub fn compose(first: Quaternion, second: Quaternion) -> Quaternion {
    product(first, second)
}

/// Rotations about the axes named in `order`, such as "zyx": about the first letter, then about the second in axes that go
/// along (small letters), or about axes that stay (capital letters). Nothing for other letters.
pub fn euler(order: &str, angles: Vector) -> Option<Quaternion> {
    let mut total = IDENTITY;
    let letters: Vec<char> = order.chars().collect();
    if letters.len() != 3 {
        return None;
    }
    for (letter, angle) in letters.into_iter().zip(angles) {
        let axis = "xyz".find(letter.to_ascii_lowercase())?;
        let mut direction = [0.0; 3];
        direction[axis] = 1.0;
        let turn = about(direction, angle);
        total = if letter.is_ascii_lowercase() { product(total, turn) } else { product(turn, total) };
    }
    Some(total)
}

/// The rotation whose matrix has these orthonormal columns (Shepperd's method: the largest of the four is a root).
pub(crate) fn of_columns([x, y, z]: [Vector; 3]) -> Quaternion {
    let trace = x[0] + y[1] + z[2];
    let squares = [1.0 + trace, 1.0 + x[0] - y[1] - z[2], 1.0 - x[0] + y[1] - z[2], 1.0 - x[0] - y[1] + z[2]];
    let largest = (0..4).fold(0, |best, i| if squares[i] > squares[best] { i } else { best });
    let off = [y[2] - z[1], z[0] - x[2], x[1] - y[0]];
    let sum = [y[2] + z[1], z[0] + x[2], x[1] + y[0]];
    let p = match largest {
        0 => [squares[0], off[0], off[1], off[2]],
        1 => [off[0], squares[1], sum[2], sum[1]],
        2 => [off[1], sum[2], squares[2], sum[0]],
        _ => [off[2], sum[1], sum[0], squares[3]],
    };
    normalised(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: Quaternion = [0.3, -0.7, 0.2, 0.5];
    const S: Vector = [0.4, 1.3, -0.6];
    const F: Vector = [-0.9, 0.1, 0.8];

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-14, "{a} against {b}");
    }

    #[test]
    fn the_form_is_twice_what_it_rotates() {
        let b = form(S, F);
        let by_form: f64 =
            (0..4).flat_map(|i| (0..4).map(move |j| (i, j))).map(|(i, j)| P[i] * b[i][j] * P[j]).sum();
        close(0.5 * by_form, dot(F, rotate(P, S)));
        let slope = gradient(P, S, F);
        for i in 0..4 {
            close(slope[i], (0..4).map(|j| b[i][j] * P[j]).sum());
        }
        let d = [0.2, 0.1, -0.4, 0.6];
        close(dot(F, rotate_along(P, d, S)), (0..4).map(|i| slope[i] * d[i]).sum());
    }

    #[test]
    fn rotations_are_products() {
        let p = normalised(P);
        let turned = product(product(p, [0.0, S[0], S[1], S[2]]), conjugate(p));
        let by_matrix = rotate(p, S);
        for i in 0..3 {
            close(turned[i + 1], by_matrix[i]);
        }
    }

    #[test]
    fn spin_and_rate_belong_together() {
        let p = normalised(P);
        let omega = [0.7, -0.2, 1.1];
        let found = spin(p, rate_of_spin(p, omega));
        for i in 0..3 {
            close(found[i], omega[i]);
        }
        // R' s = ω × R s
        let rate = rotate_along(p, rate_of_spin(p, omega), S);
        let expected = cross(omega, rotate(p, S));
        for i in 0..3 {
            close(rate[i], expected[i]);
        }
    }

    #[test]
    fn euler_angles_go_along_or_stay() {
        let angles = [0.3, -0.4, 0.9];
        let along = euler("zyx", angles).unwrap();
        let stay = euler("XYZ", [angles[2], angles[1], angles[0]]).unwrap();
        for i in 0..4 {
            close(along[i], stay[i]);
        }
        assert_eq!(euler("zy", angles), None);
        assert_eq!(euler("abc", angles), None);
    }
}
