//! Meshes of STL and OBJ files: what a solid with this surface weighs.

use std::path::Path;

use super::mass::Mass;
use crate::vector::{Vector, cross, dot, plus, times};

/// The corners of a triangle.
type Triangle = [Vector; 3];

/// The mass of the solid inside a mesh, of density 1: its mass is its volume. Nothing where the file cannot be read or encloses
/// nothing.
pub(super) fn solid(path: &Path, scale: Vector) -> Option<Mass> {
    let bytes = std::fs::read(path).ok()?;
    let is_obj = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("obj"));
    let triangles = if is_obj { obj(&bytes) } else { binary_stl(&bytes).or_else(|| text_stl(&bytes)) }?;
    let scaled = |corner: Vector| [0, 1, 2].map(|k| scale[k] * corner[k]);
    inside(triangles.into_iter().map(|triangle| triangle.map(scaled)))
}

/// The sum over the tetrahedra between the origin and each triangle; those that look inwards count negative.
fn inside(triangles: impl Iterator<Item = Triangle>) -> Option<Mass> {
    let (mut volume, mut moment, mut square) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
    for [a, b, c] in triangles {
        let part = dot(a, cross(b, c)) / 6.0;
        let sum = plus(a, plus(b, c));
        volume += part;
        moment = plus(moment, times(0.25 * part, sum));
        for i in 0..3 {
            for j in 0..3 {
                let corners = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                square[i][j] += 0.05 * part * (corners + sum[i] * sum[j]);
            }
        }
    }
    if volume == 0.0 || !volume.is_finite() {
        return None;
    }
    let centre = times(1.0 / volume, moment);
    // A surface that is inside out encloses the same.
    let sign = volume.signum();
    let about = |i: usize, j: usize| sign * (square[i][j] - volume * centre[i] * centre[j]);
    let trace: f64 = (0..3).map(|i| about(i, i)).sum();
    let entry = |i: usize, j: usize| if i == j { trace - about(i, i) } else { -about(i, j) };
    let inertia = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)));
    Some(Mass { mass: volume.abs(), centre, inertia })
}

/// 80 letters, the number of triangles, then 50 bytes for each: normal, three corners, two bytes that mean nothing.
fn binary_stl(bytes: &[u8]) -> Option<Vec<Triangle>> {
    let count = u32::from_le_bytes(bytes.get(80..84)?.try_into().ok()?) as usize;
    if bytes.len() != 84 + 50 * count {
        return None;
    }
    let number = |at: usize| Some(f64::from(f32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)));
    let corner = |at: usize| Some([number(at)?, number(at + 4)?, number(at + 8)?]);
    let triangle = |k: usize| {
        let at = 84 + 50 * k;
        Some([corner(at + 12)?, corner(at + 24)?, corner(at + 36)?])
    };
    (0..count).map(triangle).collect()
}

/// The numbers behind a word at the beginning of a line.
fn behind(line: &str, word: &str) -> Option<Vector> {
    let mut words = line.split_whitespace();
    if words.next() != Some(word) {
        return None;
    }
    let numbers: Vec<f64> = words.take(3).map_while(|word| word.parse().ok()).collect();
    <Vector>::try_from(numbers).ok()
}

/// Lines `vertex x y z`, three for each triangle.
fn text_stl(bytes: &[u8]) -> Option<Vec<Triangle>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let corners: Vec<Vector> = text.lines().filter_map(|line| behind(line, "vertex")).collect();
    let triangles: Vec<Triangle> =
        corners.chunks_exact(3).map(|three| [three[0], three[1], three[2]]).collect();
    (!triangles.is_empty()).then_some(triangles)
}

/// Lines `v x y z` and `f a/.. b/.. c/.. ...`, corners counted from 1, or backwards from the last one.
fn obj(bytes: &[u8]) -> Option<Vec<Triangle>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (mut corners, mut triangles): (Vec<Vector>, Vec<Triangle>) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if let Some(corner) = behind(line, "v") {
            corners.push(corner);
        } else if let Some(face) = line.strip_prefix("f ") {
            let place = |word: &str| {
                let number: isize = word.split('/').next()?.parse().ok()?;
                let from_end = usize::try_from(number).ok().map(|k| k.checked_sub(1));
                let place = from_end.unwrap_or_else(|| corners.len().checked_add_signed(number))?;
                corners.get(place).copied()
            };
            let face: Vec<Vector> = face.split_whitespace().map(place).collect::<Option<_>>()?;
            triangles.extend(face.windows(2).skip(1).map(|pair| [face[0], pair[0], pair[1]]));
        }
    }
    (!triangles.is_empty()).then_some(triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block from (1, 2, 3) to (2, 4, 6), its faces as quadrilaterals that look outwards.
    const BLOCK: &str = "v 1 2 3\nv 2 2 3\nv 2 4 3\nv 1 4 3\nv 1 2 6\nv 2 2 6\nv 2 4 6\nv 1 4 6\n\
        f 1 4 3 2\nf 5/1 6/2 7/3 8/4\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf -8 -4 -1 -5\n";

    #[test]
    fn a_block_weighs_what_it_should() {
        let triangles = obj(BLOCK.as_bytes()).unwrap_or_default();
        assert_eq!(triangles.len(), 12);
        let turned = triangles.iter().map(|[a, b, c]| [*a, *c, *b]);
        for solid in [inside(triangles.iter().copied()), inside(turned)] {
            let solid = solid.unwrap_or_default();
            assert!((solid.mass - 6.0).abs() < 1e-12);
            assert!(solid.centre.iter().zip([1.5, 3.0, 4.5]).all(|(x, y)| (x - y).abs() < 1e-12));
            let expected = [6.5, 5.0, 2.5, 0.0, 0.0, 0.0];
            assert!(solid.six().iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-11), "{solid:?}");
        }
    }

    #[test]
    fn files_that_are_no_meshes_are_nothing() {
        assert_eq!(obj(b"v 1 2 3\nf 1 2 3\n"), None);
        assert_eq!(text_stl(b"solid\nvertex 0 0 x"), None);
        assert_eq!(binary_stl(&[0; 90]), None);
        assert_eq!(solid(Path::new("nowhere.stl"), [1.0; 3]), None);
    }
}
