//! DejaVu Sans: how wide words are, and the outlines of their letters.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// A face of the font.
pub struct Font {
    face: Option<Face<'static>>,
}

impl Font {
    /// The regular or the bold face.
    pub fn new(bold: bool) -> Self {
        let data = if bold { dejavu::sans::bold() } else { dejavu::sans::regular() };
        Font { face: Face::parse(data, 0).ok() }
    }

    /// The width of words whose letters have this size.
    pub fn width(&self, words: &str, size: f64) -> f64 {
        let Some(face) = &self.face else { return 0.0 };
        let units: f64 = words.chars().map(|letter| advance(face, glyph(face, letter))).sum();
        units * size / f64::from(face.units_per_em())
    }

    /// Draws the outlines of words: for each letter its offset and its shape, in pixels, y upwards.
    pub fn outline(&self, words: &str, size: f64, mut draw: impl FnMut(f64, f64, &Face<'_>, GlyphId)) {
        let Some(face) = &self.face else { return };
        let scale = size / f64::from(face.units_per_em());
        let mut offset = 0.0;
        for letter in words.chars() {
            let glyph = glyph(face, letter);
            draw(offset, scale, face, glyph);
            offset += advance(face, glyph) * scale;
        }
    }
}

fn glyph(face: &Face<'_>, letter: char) -> GlyphId {
    face.glyph_index(letter).unwrap_or_default()
}

fn advance(face: &Face<'_>, glyph: GlyphId) -> f64 {
    f64::from(face.glyph_hor_advance(glyph).unwrap_or(0))
}

/// Letters as paths of the painter.
#[derive(Default)]
pub struct Letters {
    /// the path so far
    pub path: tiny_skia::PathBuilder,
}

impl OutlineBuilder for Letters {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
