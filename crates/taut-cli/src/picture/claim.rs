//! The figure of a claim.

use taut_lab::claim::{Panel as Curves, Series, Verified};

use taut_report::figure::{Curve, Figure, Marks, Panel, Scale};

/// Curves with more points are drawn without marks.
const MOST_MARKS: usize = 60;

/// A panel for each quantity; the names of fitted curves have their slopes with them.
pub fn of_claim(verified: &Verified) -> Figure {
    let claim = verified.claim;
    Figure {
        title: format!("{} ({}): {}", claim.id, claim.paper, verified.verdict),
        subtitle: format!("claimed {}", claim.claimed),
        phases: Vec::new(),
        panels: verified.finding.panels.iter().map(panel).collect(),
    }
}

fn panel(curves: &Curves) -> Panel {
    let scale = |logarithmic: bool| if logarithmic { Scale::Logarithmic } else { Scale::Linear };
    Panel {
        title: curves.title.clone(),
        x_label: curves.x.to_owned(),
        y_label: curves.y.to_owned(),
        x_scale: scale(curves.logarithmic.0),
        y_scale: scale(curves.logarithmic.1),
        x_from: None,
        x_margin: 0.0,
        equal: false,
        curves: curves.series.iter().map(curve).collect(),
    }
}

fn curve(series: &Series) -> Curve {
    let name = match &series.fit {
        Some(fit) => format!("{} ({:.2})", series.name, fit.slope),
        None => series.name.clone(),
    };
    let marks = if series.points.len() > MOST_MARKS { Marks::Line } else { Marks::Both };
    Curve { name, points: series.points.clone(), marks }
}
