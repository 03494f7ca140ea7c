//! Where panels, axes, curves and words go.

use super::axis::Axis;
use super::drawing::{Anchor, CURVES, Drawing, FRAME, GREY, GRID, INK, Point, Shape};
use super::font::Font;
use super::{Curve, Figure, Marks, Panel};

const WIDTH: f64 = 1000.0;
const HEAD: f64 = 62.0;
const PANEL_HEIGHT: f64 = 250.0;
const FOOT: f64 = 10.0;
/// What a panel leaves free around its curves: left, right, above, below.
const MARGINS: [f64; 4] = [74.0, 24.0, 34.0, 44.0];
const WORDS: f64 = 11.0;
const TITLE: f64 = 12.0;
const CURVE_WIDTH: f64 = 1.4;
const SAMPLE: f64 = 18.0;

/// A frame in the picture: left, top, width, height.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

/// The drawing of a figure: the first panel is as wide as the page, the others stand in pairs.
pub fn draw(figure: &Figure) -> Drawing {
    let rows = 1 + figure.panels.len().saturating_sub(1).div_ceil(2);
    let height = HEAD + rows as f64 * PANEL_HEIGHT + FOOT;
    let mut drawing = Drawing { width: WIDTH, height, shapes: Vec::new() };
    drawing.title((20.0, 28.0), &figure.title, 16.0);
    drawing.text((20.0, 48.0), &figure.subtitle, WORDS, Anchor::Start, GREY);
    let font = Font::new(false);
    for (k, panel) in figure.panels.iter().enumerate() {
        draw_panel(&mut drawing, &font, panel, place(k, figure.panels.len()));
    }
    drawing
}

fn place(k: usize, panels: usize) -> Frame {
    let row = k.div_ceil(2);
    let alone = k == 0 || (k + 1 == panels && k % 2 == 1);
    let width = if alone { WIDTH } else { 0.5 * WIDTH };
    let left = if k > 0 && k.is_multiple_of(2) { 0.5 * WIDTH } else { 0.0 };
    let [before, after, above, below] = MARGINS;
    Frame {
        left: left + before,
        top: HEAD + row as f64 * PANEL_HEIGHT + above,
        width: width - before - after,
        height: PANEL_HEIGHT - above - below,
    }
}

fn draw_panel(drawing: &mut Drawing, font: &Font, panel: &Panel, frame: Frame) {
    let points = || panel.curves.iter().flat_map(|curve| curve.points.iter());
    let x = Axis::around(points().map(|point| point.0).chain(panel.x_from), panel.x_scale, panel.x_margin);
    let y = Axis::around(points().map(|point| point.1), panel.y_scale, 0.06);
    draw_axes(drawing, panel, frame, &x, &y);
    let to_page = |&(px, py): &Point| {
        (frame.left + x.share(px) * frame.width, frame.top + (1.0 - y.share(py)) * frame.height)
    };
    for (number, curve) in panel.curves.iter().enumerate() {
        let shown: Vec<Point> =
            curve.points.iter().filter(|point| x.shows(point.0) && y.shows(point.1)).map(to_page).collect();
        draw_curve(drawing, shown, number, curve.marks);
    }
    draw_names(drawing, font, panel, frame);
}

fn draw_axes(drawing: &mut Drawing, panel: &Panel, frame: Frame, x: &Axis, y: &Axis) {
    let Frame { left, top, width, height } = frame;
    let (right, bottom) = (left + width, top + height);
    for (value, label) in &x.ticks {
        let at = left + x.share(*value) * width;
        drawing.line(vec![(at, top), (at, bottom)], GRID, 1.0);
        drawing.text((at, bottom + 15.0), label, WORDS, Anchor::Middle, INK);
    }
    for (value, label) in &y.ticks {
        let at = top + (1.0 - y.share(*value)) * height;
        drawing.line(vec![(left, at), (right, at)], GRID, 1.0);
        drawing.text((left - 7.0, at + 4.0), label, WORDS, Anchor::End, INK);
    }
    let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    drawing.line(corners, FRAME, 1.0);
    drawing.text((left + 0.5 * width, bottom + 31.0), &panel.x_label, WORDS, Anchor::Middle, GREY);
    drawing.upwards((left - 56.0, top + 0.5 * height), &panel.y_label, WORDS, GREY);
}

fn draw_curve(drawing: &mut Drawing, points: Vec<Point>, number: usize, marks: Marks) {
    let colour = CURVES[number % CURVES.len()];
    if marks != Marks::Line || points.len() == 1 {
        for &at in &points {
            drawing.shapes.push(Shape::Dot { at, radius: 1.6, colour });
        }
    }
    if marks != Marks::Dots {
        drawing.line(points, colour, CURVE_WIDTH);
    }
}

/// The title of the panel to the left, the names of its curves to the right, as many as there is room for.
fn draw_names(drawing: &mut Drawing, font: &Font, panel: &Panel, frame: Frame) {
    let base = frame.top - 11.0;
    drawing.title((frame.left, base), &panel.title, TITLE);
    if panel.curves.iter().all(|curve| curve.name.is_empty()) {
        return;
    }
    let width = |curve: &Curve| SAMPLE + 5.0 + font.width(&curve.name, WORDS) + 14.0;
    let room = frame.width - Font::new(true).width(&panel.title, TITLE) - 20.0;
    let mut taken = 0.0;
    let fitting = panel.curves.iter().take_while(|curve| {
        taken += width(curve);
        taken <= room
    });
    let named: Vec<&Curve> = fitting.collect();
    let mut at = frame.left + frame.width + 14.0 - named.iter().map(|curve| width(curve)).sum::<f64>();
    for (number, curve) in named.into_iter().enumerate() {
        let colour = CURVES[number % CURVES.len()];
        drawing.line(vec![(at, base - 4.0), (at + SAMPLE, base - 4.0)], colour, 2.2);
        drawing.text((at + SAMPLE + 5.0, base), &curve.name, WORDS, Anchor::Start, INK);
        at += width(curve);
    }
}
