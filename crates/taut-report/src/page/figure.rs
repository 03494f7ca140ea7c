//! The plots of a page on paper.

use super::Report;
use crate::figure::{Curve, Figure, Panel, Scale};
use crate::plot::{Line, Plot};
use crate::track::Track;

impl Report {
    /// All plots, smooth where the motion is.
    pub fn to_figure(&self) -> Figure {
        let plots = self.groups.iter().flat_map(|group| &group.plots);
        Figure {
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            panels: plots.map(|plot| self.panel(plot)).collect(),
        }
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
