//! A drawing as PNG.

use tiny_skia::{Color, FillRule, LineJoin, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::{Font, Letters};

/// Pixels of the file for each pixel of the drawing, so that small letters stay sharp.
const SHARPNESS: f32 = 2.0;

/// The bytes of a PNG file; nothing when the picture has no size.
pub fn to_png(drawing: &Drawing) -> Option<Vec<u8>> {
    let side = |length: f64| (length as f32 * SHARPNESS).ceil() as u32;
    let mut painter = Painter {
        pixels: Pixmap::new(side(drawing.width), side(drawing.height))?,
        fonts: [Font::new(false), Font::new(true)],
    };
    painter.pixels.fill(Color::WHITE);
    for shape in &drawing.shapes {
        painter.paint(shape);
    }
    painter.pixels.encode_png().ok()
}

struct Painter {
    pixels: Pixmap,
    fonts: [Font; 2],
}

impl Painter {
    fn paint(&mut self, shape: &Shape) {
        match shape {
            Shape::Line { points, colour, width, dash } => self.line(points, *colour, *width, *dash),
            Shape::Dot { at, radius, colour } => {
                let circle = PathBuilder::from_circle(at.0 as f32, at.1 as f32, *radius as f32);
                self.fill(circle, *colour, sharpened());
            }
            Shape::Text { .. } => self.text(shape),
        }
    }

    fn line(&mut self, points: &[(f64, f64)], colour: Colour, width: f64, dash: f64) {
        let mut path = PathBuilder::new();
        for (k, &(x, y)) in points.iter().enumerate() {
            if k == 0 { path.move_to(x as f32, y as f32) } else { path.line_to(x as f32, y as f32) }
        }
        // A pattern without length is none: the line has no gaps then.
        let dash = StrokeDash::new(vec![dash as f32; 2], 0.0);
        let stroke = Stroke { width: width as f32, line_join: LineJoin::Round, dash, ..Stroke::default() };
        if let Some(path) = path.finish() {
            self.pixels.stroke_path(&path, &paint(colour), &stroke, sharpened(), None);
        }
    }

    fn text(&mut self, shape: &Shape) {
        let Shape::Text { at, words, size, anchor, bold, colour, upwards } = shape else { return };
        let font = &self.fonts[usize::from(*bold)];
        let held = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let shift = -held * font.width(words, *size);
        let turn = if *upwards { -90.0 } else { 0.0 };
        let place = sharpened().pre_translate(at.0 as f32, at.1 as f32).pre_rotate(turn);
        let mut paths = Vec::new();
        font.outline(words, *size, |offset, scale, face, glyph| {
            let mut letters = Letters::default();
            face.outline_glyph(glyph, &mut letters);
            let (scale, offset) = (scale as f32, (offset + shift) as f32);
            paths.push((letters.path.finish(), place.pre_translate(offset, 0.0).pre_scale(scale, -scale)));
        });
        for (path, place) in paths {
            self.fill(path, *colour, place);
        }
    }

    fn fill(&mut self, path: Option<tiny_skia::Path>, colour: Colour, place: Transform) {
        if let Some(path) = path {
            self.pixels.fill_path(&path, &paint(colour), FillRule::Winding, place, None);
        }
    }
}

fn sharpened() -> Transform {
    Transform::from_scale(SHARPNESS, SHARPNESS)
}

fn paint(Colour(red, green, blue): Colour) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}
