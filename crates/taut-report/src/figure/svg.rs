//! A drawing as SVG.

use std::fmt::Write;

use super::drawing::{Anchor, Colour, Drawing, Shape};

/// The text of an SVG file.
pub fn to_svg(drawing: &Drawing) -> String {
    let Drawing { width, height, shapes } = drawing;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for shape in shapes {
        svg.push_str(&element(shape));
    }
    svg.push_str("</svg>\n");
    svg
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Line { points, colour, width, dash } => {
            let mut list = String::new();
            for (x, y) in points {
                let _ = write!(list, "{x:.2},{y:.2} ");
            }
            let dashes =
                if *dash > 0.0 { format!(" stroke-dasharray=\"{dash} {dash}\"") } else { String::new() };
            format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\"{dashes}/>\n",
                list.trim_end(),
                hex(*colour)
            )
        }
        Shape::Dot { at: (x, y), radius, colour } => {
            format!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" fill=\"{}\"/>\n", hex(*colour))
        }
        Shape::Text { at: (x, y), words, size, anchor, bold, colour, upwards } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let weight = if *bold { " font-weight=\"bold\"" } else { "" };
            let turned =
                if *upwards { format!(" transform=\"rotate(-90 {x:.2} {y:.2})\"") } else { String::new() };
            format!(
                "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{}\"{weight}{turned}>{}</text>\n",
                hex(*colour),
                escape(words)
            )
        }
    }
}

fn hex(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escape(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
