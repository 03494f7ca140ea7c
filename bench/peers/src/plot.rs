//! Work-precision diagrams as SVG.

use std::fmt::Write;

use crate::measure::{Contestant, Measured};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 520.0;
/// left, right, above, below
const MARGINS: [f64; 4] = [80.0, 190.0, 50.0, 60.0];
/// Colours that people with any kind of colour vision can tell apart (Okabe and Ito 2008), without the yellow.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// An axis of powers of ten.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn around(numbers: impl Iterator<Item = f64>) -> Self {
        let logarithms = numbers.filter(|x| *x > 0.0).map(f64::log10);
        let (low, high) =
            logarithms.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        if low > high {
            return Axis { low: 0.0, high: 1.0 };
        }
        Axis { low: low.floor(), high: high.ceil().max(low.floor() + 1.0) }
    }

    fn share(&self, x: f64) -> f64 {
        (x.log10() - self.low) / (self.high - self.low)
    }

    fn ticks(&self) -> impl Iterator<Item = i32> {
        self.low as i32..=self.high as i32
    }
}

/// Time against error, one curve for each contestant: Taut's with full lines and dots, others' dashed with squares.
pub fn work_precision(title: &str, contestants: &[Contestant<'_>], results: &[Vec<Measured>]) -> String {
    let all = || results.iter().flatten();
    let (errors, times) = (Axis::around(all().map(|m| m.error)), Axis::around(all().map(|m| m.seconds)));
    let [left, right, above, below] = MARGINS;
    let (width, height) = (WIDTH - left - right, HEIGHT - above - below);
    // Small errors to the right.
    let x = |error: f64| left + (1.0 - errors.share(error)) * width;
    let y = |seconds: f64| above + (1.0 - times.share(seconds)) * height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\" fill=\"#262626\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{left}\" y=\"28\" font-size=\"15\" font-weight=\"bold\">{title}</text>\n"
    );
    for k in errors.ticks() {
        let at = x(10_f64.powi(k));
        line(&mut svg, [at, above, at, above + height], "#e4e4e4");
        power_of_ten(&mut svg, at, above + height + 18.0, "middle", k);
    }
    for k in times.ticks() {
        let at = y(10_f64.powi(k));
        line(&mut svg, [left, at, left + width, at], "#e4e4e4");
        power_of_ten(&mut svg, left - 8.0, at + 4.0, "end", k);
    }
    let (middle, bottom) = (left + 0.5 * width, HEIGHT - 16.0);
    let centre = above + 0.5 * height;
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{above}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#9a9a9a\"/>\n\
         <text x=\"{middle}\" y=\"{bottom}\" text-anchor=\"middle\">error at the end</text>\n\
         <text x=\"22\" y=\"{centre}\" text-anchor=\"middle\" transform=\"rotate(-90 22 {centre})\">seconds</text>"
    );
    for (number, (contestant, results)) in contestants.iter().zip(results).enumerate() {
        let points: Vec<(f64, f64)> =
            results.iter().filter(|m| m.error > 0.0).map(|m| (x(m.error), y(m.seconds))).collect();
        let sample = above + 10.0 + 20.0 * number as f64;
        let key = left + width + 16.0;
        curve(&mut svg, &points, number, contestant.is_ours());
        curve(&mut svg, &[(key, sample), (key + 28.0, sample)], number, contestant.is_ours());
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{}</text>", key + 36.0, sample + 4.0, contestant.name);
    }
    svg.push_str("</svg>\n");
    svg
}

fn line(svg: &mut String, [x1, y1, x2, y2]: [f64; 4], colour: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    );
}

fn power_of_ten(svg: &mut String, x: f64, y: f64, anchor: &str, exponent: i32) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">10<tspan dy=\"-5\" font-size=\"9\">{exponent}</tspan></text>"
    );
}

/// A curve with its points.
fn curve(svg: &mut String, points: &[(f64, f64)], number: usize, ours: bool) {
    let colour = COLOURS[number % COLOURS.len()];
    let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let dashes = if ours { "" } else { " stroke-dasharray=\"6 4\"" };
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dashes}/>",
        list.join(" ")
    );
    for (x, y) in points {
        let _ = match ours {
            true => writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.8\" fill=\"{colour}\"/>"),
            false => writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"5\" height=\"5\" fill=\"{colour}\"/>",
                x - 2.5,
                y - 2.5
            ),
        };
    }
}
