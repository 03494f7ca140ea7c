//! The figure of a claim.

use taut_lab::claim::{Panel as Curves, Series, Verdict, Verified};

use taut_report::Report;
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

/// A page with all claims: what is claimed, what was measured, and their figures.
pub fn page_of_claims(answers: &[Verified]) -> Report {
    let count = |verdict: Verdict| answers.iter().filter(|verified| verified.verdict == verdict).count();
    let fact = |name: &str, count: usize| (name.to_owned(), count.to_string());
    let mut report = Report {
        title: "Claims of the literature".to_owned(),
        subtitle: "what is claimed against what was measured".to_owned(),
        facts: vec![
            fact("claims", answers.len()),
            fact("hold", count(Verdict::Holds)),
            fact("hold in a corrected form", count(Verdict::Corrected)),
            fact("fail", count(Verdict::Fails)),
        ],
        reproduce: vec![
            ("command".to_owned(), "taut verify".to_owned()),
            ("version".to_owned(), format!("taut {}", env!("CARGO_PKG_VERSION"))),
        ],
        ..Report::default()
    };
    for verified in answers {
        report.add_panels(verified.claim.id, words(verified), &of_claim(verified).panels);
    }
    report
}

fn words(verified: &Verified) -> Vec<(String, String)> {
    let claim = verified.claim;
    let words = [
        ("paper", claim.paper.to_string()),
        ("statement", claim.statement.to_owned()),
        ("claimed", claim.claimed.to_owned()),
        ("measured (bound)", verified.finding.figures()),
        ("bounds", claim.bounds.to_owned()),
        ("verdict", verified.verdict.to_string()),
        ("note", verified.note.clone()),
    ];
    let said = words.into_iter().filter(|(_, text)| !text.is_empty());
    said.map(|(name, text)| (name.to_owned(), text)).collect()
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
