//! Meshes of STL, OBJ and MSH files: what a solid with this surface weighs.

use std::path::Path;

use super::mass::{Mass, Matrix};
use crate::vector::{Vector, cross, dot, minus, norm, plus, times};

/// The corners of a triangle.
type Triangle = [Vector; 3];

/// What counts as the inside of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// what its surface encloses
    Enclosed,
    /// all pyramids between its middle and its triangles, wherever these look: the same for a convex surface, more for another
    /// one, and something for one with holes
    Pyramids,
}

/// The mass of the solid inside a mesh, of density 1: its mass is its volume. Nothing where the file cannot be read or encloses
/// nothing.
pub(super) fn solid(path: &Path, scale: Vector, inside: Inside) -> Option<Mass> {
    let bytes = std::fs::read(path).ok()?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let triangles = match ending.as_deref() {
        Some("obj") => obj(&bytes),
        Some("msh") => msh(&bytes),
        _ => binary_stl(&bytes).or_else(|| text_stl(&bytes)),
    }?;
    let scaled = |corner: Vector| [0, 1, 2].map(|k| scale[k] * corner[k]);
    let triangles: Vec<Triangle> = triangles.into_iter().map(|triangle| triangle.map(scaled)).collect();
    match inside {
        Inside::Enclosed => enclosed(triangles.into_iter()),
        Inside::Pyramids => pyramids(&triangles),
    }
}

/// The centre of the pyramids between the middle of the surface and its triangles; mass and inertia are those of the pyramids from there.
fn pyramids(triangles: &[Triangle]) -> Option<Mass> {
    let (mut area, mut moment) = (0.0, [0.0; 3]);
    for &[a, b, c] in triangles {
        let part = norm(cross(minus(b, a), minus(c, a)));
        area += part;
        moment = plus(moment, times(part / 3.0, plus(a, plus(b, c))));
    }
    let outwards = |from: Vector| {
        triangles.iter().map(move |triangle| {
            let [a, b, c] = triangle.map(|corner| minus(corner, from));
            if dot(a, cross(b, c)) < 0.0 { [a, c, b] } else { [a, b, c] }
        })
    };
    let middle = times(1.0 / area, moment);
    let centre = plus(middle, enclosed(outwards(middle))?.centre);
    let around = Moments::of(outwards(centre));
    Some(Mass { mass: around.volume, centre, inertia: around.inertia([0.0; 3]) })
}

/// The sum over the tetrahedra between the origin and each triangle; those that look inwards count negative.
fn enclosed(triangles: impl Iterator<Item = Triangle>) -> Option<Mass> {
    let moments = Moments::of(triangles);
    let Moments { volume, moment, .. } = moments;
    if volume == 0.0 || !volume.is_finite() {
        return None;
    }
    let centre = times(1.0 / volume, moment);
    Some(Mass { mass: volume.abs(), centre, inertia: moments.inertia(centre) })
}

/// Integrals of 1, x and x xᵀ over a solid.
#[derive(Default)]
struct Moments {
    volume: f64,
    moment: Vector,
    square: Matrix,
}

impl Moments {
    fn of(triangles: impl Iterator<Item = Triangle>) -> Self {
        let mut moments = Moments::default();
        for [a, b, c] in triangles {
            let part = dot(a, cross(b, c)) / 6.0;
            let sum = plus(a, plus(b, c));
            moments.volume += part;
            moments.moment = plus(moments.moment, times(0.25 * part, sum));
            for i in 0..3 {
                for j in 0..3 {
                    let corners = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                    moments.square[i][j] += 0.05 * part * (corners + sum[i] * sum[j]);
                }
            }
        }
        moments
    }

    /// The inertia about its centre; about the origin where 0 is given for that.
    fn inertia(&self, centre: Vector) -> Matrix {
        // A surface that is inside out encloses the same.
        let sign = self.volume.signum();
        let about = |i: usize, j: usize| sign * (self.square[i][j] - self.volume * centre[i] * centre[j]);
        let trace: f64 = (0..3).map(|i| about(i, i)).sum();
        let entry = |i: usize, j: usize| if i == j { trace - about(i, i) } else { -about(i, j) };
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
    }
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

/// The numbers of corners, normals, places in textures and triangles; then three numbers for each corner and normal, two for each
/// place, and the corners of each triangle.
fn msh(bytes: &[u8]) -> Option<Vec<Triangle>> {
    let word = |k: usize| -> Option<[u8; 4]> { bytes.get(4 * k..4 * k + 4)?.try_into().ok() };
    let count = |k: usize| usize::try_from(i32::from_le_bytes(word(k)?)).ok();
    let (corners, normals, places, triangles) = (count(0)?, count(1)?, count(2)?, count(3)?);
    let first = 4 + 3 * (corners + normals) + 2 * places;
    if triangles == 0 || bytes.len() != 4 * (first + 3 * triangles) {
        return None;
    }
    let number = |k: usize| Some(f64::from(f32::from_le_bytes(word(k)?)));
    let corner = |k: usize| {
        let at = 4 + 3 * count(k).filter(|&corner| corner < corners)?;
        Some([number(at)?, number(at + 1)?, number(at + 2)?])
    };
    let triangle = |k: usize| Some([corner(k)?, corner(k + 1)?, corner(k + 2)?]);
    (0..triangles).map(|k| triangle(first + 3 * k)).collect()
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
        let all = pyramids(&turned.clone().collect::<Vec<_>>());
        for solid in [enclosed(triangles.iter().copied()), enclosed(turned), all] {
            let solid = solid.unwrap_or_default();
            assert!((solid.mass - 6.0).abs() < 1e-12);
            assert!(solid.centre.iter().zip([1.5, 3.0, 4.5]).all(|(x, y)| (x - y).abs() < 1e-12));
            let expected = [6.5, 5.0, 2.5, 0.0, 0.0, 0.0];
            assert!(solid.six().iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-11), "{solid:?}");
        }
    }

    /// Half a sheet encloses nothing; a pyramid without its base is whole from its middle.
    #[test]
    fn a_surface_with_holes_weighs_something() {
        let triangle = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let away = [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]];
        let solid = pyramids(&[triangle, away]).unwrap_or_default();
        let (moment, area) = ([triangle, away], [3.0_f64.sqrt(), 7.0]);
        let middle: Vector = std::array::from_fn(|k| {
            let of = |i: usize| area[i] * moment[i].iter().map(|corner| corner[k]).sum::<f64>() / 3.0;
            (of(0) + of(1)) / (area[0] + area[1])
        });
        let between = |t: Triangle, from: Vector| {
            let [a, b, c] = t.map(|corner| minus(corner, from));
            dot(a, cross(b, c)).abs() / 6.0
        };
        let parts = [triangle, away].map(|t| between(t, middle));
        let top = |t: Triangle| times(0.25, plus(middle, plus(t[0], plus(t[1], t[2]))));
        let weighted = plus(times(parts[0], top(triangle)), times(parts[1], top(away)));
        let centre = times(1.0 / (parts[0] + parts[1]), weighted);
        assert!(norm(minus(solid.centre, centre)) < 1e-14);
        let mass = between(triangle, centre) + between(away, centre);
        assert!((solid.mass - mass).abs() < 1e-14);
    }

    /// A tetrahedron with the corners 0 and the three units.
    #[test]
    fn binary_files_of_words_are_read() {
        let mut bytes: Vec<u8> = [4, 0, 1, 4].into_iter().flat_map(i32::to_le_bytes).collect();
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5];
        bytes.extend(corners.into_iter().flat_map(f32::to_le_bytes));
        bytes.extend([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].into_iter().flat_map(i32::to_le_bytes));
        let solid = enclosed(msh(&bytes).unwrap_or_default().into_iter()).unwrap_or_default();
        assert!((solid.mass - 1.0 / 6.0).abs() < 1e-15 && (solid.centre[1] - 0.25).abs() < 1e-15);
        bytes.pop();
        assert_eq!(msh(&bytes), None);
    }

    #[test]
    fn files_that_are_no_meshes_are_nothing() {
        assert_eq!(obj(b"v 1 2 3\nf 1 2 3\n"), None);
        assert_eq!(text_stl(b"solid\nvertex 0 0 x"), None);
        assert_eq!(binary_stl(&[0; 90]), None);
        assert_eq!(msh(&[1; 64]), None);
        assert_eq!(solid(Path::new("nowhere.stl"), [1.0; 3], Inside::Enclosed), None);
    }
}
