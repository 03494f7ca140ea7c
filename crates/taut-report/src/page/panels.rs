//! Panels of a figure as plots of a page.

use super::Report;
use crate::figure::{Curve, Panel, Scale};
use crate::plot::{Group, Line, Plot};
use crate::track::{Column, Digits, Track};

impl Report {
    /// Adds a group with words and the panels of a figure; `name` is unique in the page.
    pub fn add_panels(&mut self, name: &str, text: Vec<(String, String)>, panels: &[Panel]) {
        let plots = panels.iter().enumerate().map(|(k, panel)| Plot {
            name: if k == 0 { name.to_owned() } else { format!("{name}-{}", k + 1) },
            title: panel.title.clone(),
            x_label: panel.x_label.clone(),
            y_label: panel.y_label.clone(),
            x_scale: panel.x_scale,
            y_scale: panel.y_scale,
            equal: panel.equal,
            lines: panel.curves.iter().map(|curve| self.add_curve(panel, curve)).collect(),
        });
        let plots: Vec<Plot> = plots.collect();
        let plots = plots.into_iter().filter(|plot| !plot.lines.is_empty()).collect();
        self.groups.push(Group { title: name.to_owned(), text, plots });
    }

    /// A table of its own for a curve.
    fn add_curve(&mut self, panel: &Panel, curve: &Curve) -> Line {
        let digits =
            |scale: Scale| if scale == Scale::Logarithmic { Digits::OfLogarithm } else { Digits::Many };
        let (across, upwards): (Vec<f64>, Vec<f64>) = curve.points.iter().copied().unzip();
        let columns = vec![
            Column::named(&panel.x_label).digits(digits(panel.x_scale)).values(across),
            Column::named(&curve.name).digits(digits(panel.y_scale)).values(upwards),
        ];
        let rows = (0..curve.points.len()).map(|k| k as f64).collect();
        self.tables.push(Track::rows(rows, columns));
        Line { name: curve.name.clone(), table: self.tables.len(), y: 1, x: Some(0), marks: curve.marks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Marks;

    #[test]
    fn panels_become_plots() {
        let curve = |name: &str| Curve {
            name: name.to_owned(),
            points: vec![(0.1, 1e-3), (0.01, 1e-6)],
            marks: Marks::Both,
        };
        let panel = Panel {
            title: "Orders".to_owned(),
            x_label: "h".to_owned(),
            y_label: "error".to_owned(),
            x_scale: Scale::Logarithmic,
            y_scale: Scale::Logarithmic,
            x_from: None,
            x_margin: 0.0,
            equal: false,
            curves: vec![curve("q"), curve("v")],
        };
        let mut report = Report::default();
        report.add_panels("radau", vec![("claimed".to_owned(), "3".to_owned())], &[panel.clone(), panel]);
        assert_eq!(report.groups[0].plots[1].name, "radau-2");
        assert_eq!(report.groups[0].plots[1].lines[1].table, 4);
        assert_eq!(report.tables[3].columns[1].values, [1e-3, 1e-6]);
        assert!(report.to_html().contains("\"Orders\""));
    }
}
