//! Vectors of three numbers.

/// A vector in space; in the plane its third number is 0.
pub type Vector = [f64; 3];

/// The unit vectors.
pub(crate) const AXES: [Vector; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

#[inline]
pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline]
pub(crate) fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline]
pub(crate) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
pub(crate) fn times(factor: f64, a: Vector) -> Vector {
    [factor * a[0], factor * a[1], factor * a[2]]
}

#[inline]
pub(crate) fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// a/|a|; nothing when it has no direction.
pub(crate) fn direction(a: Vector) -> Option<Vector> {
    let length = norm(a);
    (length > 0.0 && length.is_finite()).then(|| times(1.0 / length, a))
}

/// Two unit vectors that make a right-handed system with a unit vector: (b, c, a).
pub(crate) fn beside(a: Vector) -> [Vector; 2] {
    let least = (0..3).fold(0, |least, i| if a[i].abs() < a[least].abs() { i } else { least });
    let b = direction(cross(a, AXES[least])).unwrap_or(AXES[0]);
    [b, cross(a, b)]
}
