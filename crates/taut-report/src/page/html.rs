//! The page, put together from its parts.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::binary::base64;
use super::model_text::highlighted;
use super::{Gravity, Note, Report, Table, data};

const PAGE: &str = include_str!("../../page/page.html");

const STYLES: [&str; 5] = [
    include_str!("../../page/style/base.css"),
    include_str!("../../page/style/layout.css"),
    include_str!("../../page/style/motion.css"),
    include_str!("../../page/style/plots.css"),
    include_str!("../../page/style/print.css"),
];

/// In this order: what stands below uses what stands above.
const SCRIPTS: [&str; 23] = [
    include_str!("../../page/script/inflate.js"),
    include_str!("../../page/script/decode.js"),
    include_str!("../../page/script/track.js"),
    include_str!("../../page/script/number.js"),
    include_str!("../../page/script/axis.js"),
    include_str!("../../page/script/theme.js"),
    include_str!("../../page/script/download.js"),
    include_str!("../../page/script/curves.js"),
    include_str!("../../page/script/boxes.js"),
    include_str!("../../page/script/painter.js"),
    include_str!("../../page/script/plot.js"),
    include_str!("../../page/script/plot_actions.js"),
    include_str!("../../page/script/vector.js"),
    include_str!("../../page/script/scene.js"),
    include_str!("../../page/script/plane.js"),
    include_str!("../../page/script/shapes.js"),
    include_str!("../../page/script/solids.js"),
    include_str!("../../page/script/camera.js"),
    include_str!("../../page/script/space.js"),
    include_str!("../../page/script/canvas_space.js"),
    include_str!("../../page/script/stage.js"),
    include_str!("../../page/script/player.js"),
    include_str!("../../page/script/main.js"),
];

/// The page of a report.
pub(super) fn page(report: &Report) -> String {
    let script = format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.map(short).concat());
    let (data, numbers) = data::encode(report);
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; \
         form-action 'none'",
        base64(&Sha256::digest(script.as_bytes()))
    );
    let parts: [(&str, String); 12] = [
        ("policy", policy),
        ("style", STYLES.map(short).concat()),
        ("title", escape(&report.title)),
        ("subtitle", escape(&report.subtitle)),
        ("facts", facts(report)),
        ("notes", report.notes.iter().map(note).collect()),
        ("kind", if report.scene.is_some() { "moving" } else { "still" }.to_owned()),
        ("summary", summary(report)),
        ("model", model(report)),
        ("data", data.to_string().replace('<', "\\u003c")),
        ("numbers", numbers),
        ("script", script),
    ];
    filled(&parts)
}

/// A file without indentation and lines that are comments.
fn short(text: &str) -> String {
    let comment = |line: &str| line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"));
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !comment(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The page with its parts in place; parts are not looked into.
fn filled(parts: &[(&str, String)]) -> String {
    let mut page =
        String::with_capacity(PAGE.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
    let mut rest = PAGE;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, behind) = behind.split_once("}}").unwrap_or((behind, ""));
        page.push_str(before);
        page.push_str(parts.iter().find(|(known, _)| *known == name).map_or("", |(_, part)| part));
        rest = behind;
    }
    page.push_str(rest);
    page
}

/// Text that stays text, also inside of quotes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Letters that are none would end the page early in some readers.
            '\0' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

fn facts(report: &Report) -> String {
    let fact = |(name, value): &(String, String)| {
        format!("<div class=\"fact\"><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(value))
    };
    report.facts.iter().map(fact).collect()
}

fn note(note: &Note) -> String {
    let (class, word) = match note.gravity {
        Gravity::Remark => ("remark", "Note"),
        Gravity::Warning => ("warning", "Warning"),
        Gravity::Trouble => ("trouble", "Stopped"),
    };
    format!("<p class=\"note {class}\"><strong>{word}</strong> {}</p>\n", escape(&note.text))
}

fn summary(report: &Report) -> String {
    if report.summary.is_empty() && report.reproduce.is_empty() {
        return String::new();
    }
    let tables: String = report.summary.iter().map(table).collect();
    format!(
        "<section id=\"summary\" aria-labelledby=\"summary-title\"><h2 id=\"summary-title\">Summary</h2>\
         <div class=\"tables\">\n{tables}{}</div></section>\n",
        reproduce(report)
    )
}

fn table(table: &Table) -> String {
    let class = if table.heads.is_empty() { "" } else { " numbers" };
    let mut html = format!(
        "<div class=\"card table{class}\"><h3>{0}</h3><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>",
        escape(&table.title)
    );
    if !table.heads.is_empty() {
        let heads: String =
            table.heads.iter().map(|head| format!("<th scope=\"col\">{}</th>", escape(head))).collect();
        let _ = write!(html, "<thead><tr>{heads}</tr></thead>");
    }
    html.push_str("<tbody>");
    for row in &table.rows {
        let cell = |(k, cell): (usize, &String)| match k {
            0 if !cell.is_empty() => format!("<th scope=\"row\">{}</th>", escape(cell)),
            _ => format!("<td>{}</td>", escape(cell)),
        };
        let _ = write!(html, "<tr>{}</tr>", row.iter().enumerate().map(cell).collect::<String>());
    }
    html.push_str("</tbody></table></div></div>\n");
    html
}

fn model(report: &Report) -> String {
    let Some(model) = &report.model else { return String::new() };
    format!(
        "<section id=\"model\" aria-labelledby=\"model-title\"><h2 id=\"model-title\">Model</h2>\
         <div class=\"card code\"><div class=\"head\"><h3>{}</h3></div>\
         <pre tabindex=\"0\" aria-label=\"Text of the model\"><code>{}</code></pre></div></section>\n",
        escape(&model.name),
        highlighted(&model.text)
    )
}

fn reproduce(report: &Report) -> String {
    if report.reproduce.is_empty() {
        return String::new();
    }
    let mut html =
        String::from("<div class=\"card table\"><h3>How to get the same again</h3><dl class=\"reproduce\">");
    for (name, text) in &report.reproduce {
        let _ = write!(html, "<dt>{}</dt><dd><code>{}</code></dd>", escape(name), escape(text));
    }
    html.push_str("</dl></div>\n");
    html
}
