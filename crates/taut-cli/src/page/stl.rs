//! Meshes from STL files, binary or text.

use std::path::Path;

use taut_report::scene::Shape;

/// The mesh of a file; nothing when it cannot be read.
pub(super) fn read(path: &Path) -> Option<Shape> {
    let bytes = std::fs::read(path).ok()?;
    let corners = binary(&bytes).or_else(|| text(&bytes))?;
    let triangles = (0..corners.len() as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Some(Shape::Mesh { vertices: corners, triangles })
}

/// 80 letters, the number of triangles, then 50 bytes for each: normal, three corners, two bytes that mean nothing.
fn binary(bytes: &[u8]) -> Option<Vec<[f64; 3]>> {
    let count = u32::from_le_bytes(bytes.get(80..84)?.try_into().ok()?) as usize;
    if bytes.len() != 84 + 50 * count {
        return None;
    }
    let number = |at: usize| Some(f64::from(f32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)));
    let corner = |at: usize| Some([number(at)?, number(at + 4)?, number(at + 8)?]);
    let triangles = (0..count).flat_map(|k| (1..4).map(move |j| 84 + 50 * k + 12 * j));
    triangles.map(corner).collect()
}

/// Lines `vertex x y z`.
fn text(bytes: &[u8]) -> Option<Vec<[f64; 3]>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let corner = |line: &str| {
        let numbers: Option<Vec<f64>> =
            line.trim().strip_prefix("vertex")?.split_whitespace().map(|word| word.parse().ok()).collect();
        <[f64; 3]>::try_from(numbers?).ok()
    };
    let corners: Vec<[f64; 3]> = text.lines().filter_map(corner).collect();
    (corners.len() >= 3).then_some(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_files_are_read() {
        let words =
            b"solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1.5 0\nendloop";
        assert_eq!(text(words), Some(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.5, 0.0]]));
        let mut bytes = vec![0_u8; 84];
        bytes[80] = 1;
        for number in [0.0_f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.5, 0.0] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([0, 0]);
        assert_eq!(binary(&bytes), Some(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.5, 0.0]]));
        assert_eq!(binary(words), None);
        assert_eq!(text(b"nothing"), None);
    }
}
