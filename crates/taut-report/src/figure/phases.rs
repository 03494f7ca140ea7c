//! A motion in phases: small pictures in a row, all of the same part of the world.

use super::drawing::{Anchor, CURVES, Drawing, FRAME, GREY, Point, Shape};
use crate::scene::Stroke;

/// One picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// what stands below it
    pub label: String,
    /// what is seen
    pub strokes: Vec<Stroke>,
}

/// What all phases show: left, right, below, above.
type Bounds = (f64, f64, f64, f64);

const GAP: f64 = 8.0;
const LABEL: f64 = 22.0;
const INSIDE: f64 = 12.0;
const WORDS: f64 = 11.0;
/// The least and the most height of a picture, as a share of its width.
const SHARES: (f64, f64) = (0.6, 1.2);

/// The height that phases take.
pub(super) fn height(phases: &[Phase], width: f64) -> f64 {
    if phases.is_empty() { 0.0 } else { picture(phases, width).1 + LABEL + GAP }
}

/// The size of one picture.
fn picture(phases: &[Phase], width: f64) -> (f64, f64) {
    let side = (width - GAP * (phases.len() - 1) as f64) / phases.len() as f64;
    let (left, right, below, above) = bounds(phases);
    let share = ((above - below) / (right - left)).clamp(SHARES.0, SHARES.1);
    (side, side * share)
}

fn spots(phases: &[Phase]) -> impl Iterator<Item = &Point> {
    phases.iter().flat_map(|phase| &phase.strokes).flat_map(|stroke| match stroke {
        Stroke::Line(spots) => spots.as_slice(),
        Stroke::Dot(spot) => std::slice::from_ref(spot),
    })
}

fn bounds(phases: &[Phase]) -> Bounds {
    let start = (f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY);
    let finite = spots(phases).filter(|spot| spot.0.is_finite() && spot.1.is_finite());
    let (left, right, below, above) =
        finite.fold(start, |b, spot| (b.0.min(spot.0), b.1.max(spot.0), b.2.min(spot.1), b.3.max(spot.1)));
    let room = 1e-9 + 0.02 * (right - left).max(above - below);
    if left <= right {
        (left - room, right + room, below - room, above + room)
    } else {
        (-1.0, 1.0, -1.0, 1.0)
    }
}

/// Draws phases from the left to the right.
pub(super) fn draw(drawing: &mut Drawing, phases: &[Phase], (left, top): Point, width: f64) {
    if phases.is_empty() {
        return;
    }
    let (side, tall) = picture(phases, width);
    let (west, east, south, north) = bounds(phases);
    let scale = ((side - 2.0 * INSIDE) / (east - west)).min((tall - 2.0 * INSIDE) / (north - south));
    for (k, phase) in phases.iter().enumerate() {
        let corner = (left + k as f64 * (side + GAP), top);
        let middle = (corner.0 + 0.5 * side, corner.1 + 0.5 * tall);
        let to_page = |spot: &Point| {
            (
                middle.0 + scale * (spot.0 - 0.5 * (west + east)),
                middle.1 - scale * (spot.1 - 0.5 * (south + north)),
            )
        };
        draw_frame(drawing, corner, (side, tall));
        draw_strokes(drawing, &phase.strokes, to_page);
        drawing.text((middle.0, corner.1 + tall + 15.0), &phase.label, WORDS, Anchor::Middle, GREY);
    }
}

fn draw_frame(drawing: &mut Drawing, (x, y): Point, (side, tall): Point) {
    let corners = vec![(x, y), (x + side, y), (x + side, y + tall), (x, y + tall), (x, y)];
    drawing.line(corners, FRAME, 0.8);
}

fn draw_strokes(drawing: &mut Drawing, strokes: &[Stroke], to_page: impl Fn(&Point) -> Point) {
    let lines = strokes.iter().filter_map(|stroke| match stroke {
        Stroke::Line(spots) => Some(spots),
        Stroke::Dot(_) => None,
    });
    for (number, spots) in lines.enumerate() {
        drawing.line(spots.iter().map(&to_page).collect(), CURVES[number % CURVES.len()], 1.8);
    }
    for stroke in strokes {
        if let Stroke::Dot(spot) = stroke {
            drawing.shapes.push(Shape::Dot { at: to_page(spot), radius: 3.0, colour: super::drawing::INK });
        }
    }
}
