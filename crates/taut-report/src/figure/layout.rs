//! Where panels, axes, curves and words go.

use std::ops::Range;

use super::axis::Axis;
use super::drawing::{Anchor, CURVES, Drawing, FRAME, GREY, GRID, INK, Point, Shape};
use super::font::Font;
use super::{Curve, Figure, Marks, Panel, phases};

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
/// The distance of lines of names.
const LINE: f64 = 15.0;

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
    let font = Font::new(false);
    let panels = figure.panels.len();
    let rows = 1 + panels.saturating_sub(1).div_ceil(2);
    let head = HEAD + phases::height(&figure.phases, WIDTH - 40.0);
    let mut tops = vec![head; rows + 1];
    for row in 0..rows {
        let lines = (0..panels).filter(|k| k.div_ceil(2) == row).map(|k| {
            let [before, after, ..] = MARGINS;
            lines_of_names(&font, &figure.panels[k], width_of(k, panels) - before - after).len()
        });
        let names = lines.max().unwrap_or(0) as f64 * LINE;
        tops[row + 1] = tops[row] + PANEL_HEIGHT + names;
    }
    let mut drawing = Drawing { width: WIDTH, height: tops[rows] + FOOT, shapes: Vec::new() };
    drawing.title((20.0, 28.0), &figure.title, 16.0);
    drawing.text((20.0, 48.0), &figure.subtitle, WORDS, Anchor::Start, GREY);
    phases::draw(&mut drawing, &figure.phases, (20.0, HEAD + 4.0), WIDTH - 40.0);
    for (k, panel) in figure.panels.iter().enumerate() {
        let row = k.div_ceil(2);
        draw_panel(&mut drawing, &font, panel, place(k, panels, tops[row + 1]));
    }
    drawing
}

fn width_of(k: usize, panels: usize) -> f64 {
    let alone = k == 0 || (k + 1 == panels && k % 2 == 1);
    if alone { WIDTH } else { 0.5 * WIDTH }
}

/// The frame of a panel whose row ends at `bottom`.
fn place(k: usize, panels: usize, bottom: f64) -> Frame {
    let left = if k > 0 && k.is_multiple_of(2) { 0.5 * WIDTH } else { 0.0 };
    let [before, after, above, below] = MARGINS;
    Frame {
        left: left + before,
        top: bottom - PANEL_HEIGHT + above,
        width: width_of(k, panels) - before - after,
        height: PANEL_HEIGHT - above - below,
    }
}

fn draw_panel(drawing: &mut Drawing, font: &Font, panel: &Panel, frame: Frame) {
    let points = || panel.curves.iter().flat_map(|curve| curve.points.iter());
    let mut x =
        Axis::around(points().map(|point| point.0).chain(panel.x_from), panel.x_scale, panel.x_margin);
    let mut y = Axis::around(points().map(|point| point.1), panel.y_scale, 0.06);
    if panel.equal {
        Axis::make_equal(&mut x, &mut y, frame.width / frame.height);
    }
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
    if matches!(marks, Marks::Line | Marks::Both) {
        drawing.curve(points, number, CURVE_WIDTH);
    }
}

/// The room that the name of a curve takes, with a sample of its line.
fn width_of_name(font: &Font, curve: &Curve) -> f64 {
    SAMPLE + 5.0 + font.width(&curve.name, WORDS) + 14.0
}

/// Which curves are named in which line between the title and the frame; none when all names fit beside the title.
fn lines_of_names(font: &Font, panel: &Panel, width: f64) -> Vec<Range<usize>> {
    let room = width - Font::new(true).width(&panel.title, TITLE) - 20.0;
    let all: f64 = panel.curves.iter().map(|curve| width_of_name(font, curve)).sum();
    if all <= room || panel.curves.iter().all(|curve| curve.name.is_empty()) {
        return Vec::new();
    }
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut taken = 0.0;
    for (number, curve) in panel.curves.iter().enumerate() {
        let needed = width_of_name(font, curve);
        taken += needed;
        match lines.last_mut() {
            Some(line) if taken <= width + 14.0 => line.end = number + 1,
            _ => {
                lines.push(number..number + 1);
                taken = needed;
            }
        }
    }
    lines
}

/// The title of the panel to the left; the names of its curves beside it to the right, or in lines below it.
fn draw_names(drawing: &mut Drawing, font: &Font, panel: &Panel, frame: Frame) {
    let base = frame.top - 11.0;
    let lines = lines_of_names(font, panel, frame.width);
    drawing.title((frame.left, base - lines.len() as f64 * LINE), &panel.title, TITLE);
    if panel.curves.iter().all(|curve| curve.name.is_empty()) {
        return;
    }
    if lines.is_empty() {
        let all: f64 = panel.curves.iter().map(|curve| width_of_name(font, curve)).sum();
        let at = frame.left + frame.width + 14.0 - all;
        return draw_line_of_names(drawing, font, panel, 0..panel.curves.len(), (at, base));
    }
    let count = lines.len();
    for (k, line) in lines.into_iter().enumerate() {
        let base = base - (count - 1 - k) as f64 * LINE;
        draw_line_of_names(drawing, font, panel, line, (frame.left, base));
    }
}

fn draw_line_of_names(
    drawing: &mut Drawing,
    font: &Font,
    panel: &Panel,
    numbers: Range<usize>,
    (mut at, base): Point,
) {
    for number in numbers {
        let curve = &panel.curves[number];
        drawing.curve(vec![(at, base - 4.0), (at + SAMPLE, base - 4.0)], number, 2.2);
        drawing.text((at + SAMPLE + 5.0, base), &curve.name, WORDS, Anchor::Start, INK);
        at += width_of_name(font, curve);
    }
}
