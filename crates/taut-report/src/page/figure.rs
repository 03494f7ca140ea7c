//! The plots of a page on paper.

use super::Report;
use crate::figure::{Curve, Figure, Marks, Panel, Phase, Scale};
use crate::number::significant;
use crate::plot::{Line, Plot};
use crate::scene::Dimension;
use crate::track::Track;

/// A motion is shown in so many phases.
const PHASES: usize = 6;
/// Paths of at most so many points are shown.
const MOST_PATHS: usize = 7;

impl Report {
    /// The motion in six phases, all plots, smooth where the motion is, and the paths of points in the plane.
    pub fn to_figure(&self) -> Figure {
        let plots = self.groups.iter().flat_map(|group| &group.plots);
        let mut panels: Vec<Panel> = plots.map(|plot| self.panel(plot)).collect();
        let place = panels.len().min(1);
        panels.splice(place..place, self.paths());
        Figure { title: self.title.clone(), subtitle: self.subtitle.clone(), phases: self.phases(), panels }
    }

    fn phases(&self) -> Vec<Phase> {
        let (Some(scene), [first, .., last]) = (&self.scene, self.motion.times.as_slice()) else {
            return Vec::new();
        };
        let time = |k: usize| first + (last - first) * k as f64 / (PHASES - 1) as f64;
        let phase = |t: f64| Phase {
            label: format!("{} = {}", self.time.name, significant(t, 4)),
            strokes: scene.sketch(&self.motion, t),
        };
        (0..PHASES).map(|k| phase(time(k))).collect()
    }

    /// The ways of points in the plane.
    fn paths(&self) -> Option<Panel> {
        let scene = self.scene.as_ref().filter(|scene| scene.dimension == Dimension::Plane)?;
        let paths = scene.paths(&self.motion, &self.motion.smooth_times());
        let curves: Vec<Curve> = paths
            .into_iter()
            .take(MOST_PATHS)
            .map(|(name, points)| Curve { name, points, marks: Marks::Line })
            .collect();
        (!curves.is_empty()).then(|| Panel {
            title: "Paths".to_owned(),
            x_label: "x".to_owned(),
            y_label: "y".to_owned(),
            x_scale: Scale::Linear,
            y_scale: Scale::Linear,
            x_from: None,
            x_margin: 0.05,
            equal: true,
            curves,
        })
    }

    fn panel(&self, plot: &Plot) -> Panel {
        let over_time = plot.lines.iter().all(|line| line.x.is_none());
        let spread = if self.time.logarithmic { Scale::Logarithmic } else { Scale::Linear };
        Panel {
            title: plot.title.clone(),
            x_label: plot.x_label.clone(),
            y_label: plot.y_label.clone(),
            x_scale: if over_time { spread } else { plot.x_scale },
            y_scale: plot.y_scale,
            x_from: self.motion.times.first().copied().filter(|_| over_time),
            x_margin: if over_time { 0.0 } else { 0.05 },
            equal: plot.equal,
            curves: plot.lines.iter().map(|line| self.curve(line)).collect(),
        }
    }

    fn table(&self, number: usize) -> &Track {
        number.checked_sub(1).and_then(|k| self.tables.get(k)).unwrap_or(&self.motion)
    }

    fn curve(&self, line: &Line) -> Curve {
        let table = self.table(line.table);
        let times = table.smooth_times();
        let upwards = table.sampled(line.y, &times);
        let across = line.x.map_or_else(|| times.clone(), |x| table.sampled(x, &times));
        Curve {
            name: line.name.clone(),
            points: across.into_iter().zip(upwards).collect(),
            marks: line.marks,
        }
    }
}
