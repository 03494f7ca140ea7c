//! The text of a model with its parts told apart, as HTML.

use super::html::escape;

/// Marks comments, headings, keys, strings and numbers of TOML. Whatever it is, it stays the text that it is.
pub(super) fn highlighted(text: &str) -> String {
    let mut html = String::with_capacity(2 * text.len());
    for line in text.split_inclusive('\n') {
        highlight_line(line, &mut html);
    }
    html
}

fn highlight_line(line: &str, html: &mut String) {
    let content = line.trim_start();
    if content.starts_with('[') && !line.starts_with(' ') {
        let (heading, comment) = split_comment(line);
        span("heading", heading, html);
        return span("comment", comment, html);
    }
    let (before, comment) = split_comment(line);
    match before.split_once('=') {
        Some((key, value)) if is_key(key) => {
            span("key", key, html);
            html.push('=');
            values(value, html);
        }
        _ => values(before, html),
    }
    span("comment", comment, html);
}

fn is_key(text: &str) -> bool {
    let text = text.trim();
    let quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    quoted || (!text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-.'".contains(c)))
}

/// A comment begins with the first # outside of strings.
fn split_comment(line: &str) -> (&str, &str) {
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (None, '#') => return line.split_at(at),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    (line, "")
}

/// Strings and numbers.
fn values(text: &str, html: &mut String) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if first.is_ascii_digit() {
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len())
        } else if first.is_alphabetic() || first == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (part, behind) = rest.split_at(length);
        match first {
            '"' => span("string", part, html),
            first if first.is_ascii_digit() => span("number", part, html),
            _ => html.push_str(&escape(part)),
        }
        rest = behind;
    }
}

fn span(class: &str, text: &str, html: &mut String) {
    if text.is_empty() {
        return;
    }
    html.push_str(&format!("<span class=\"{class}\">{}</span>", escape(text)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_apart() {
        let html = highlighted("# a <b>\n[energy]\nkinetic = \"m # 2\" # c\nx = { start = 1.5 }\n");
        assert_eq!(
            html,
            "<span class=\"comment\"># a &lt;b&gt;\n</span><span class=\"heading\">[energy]\n</span>\
             <span class=\"key\">kinetic </span>= <span class=\"string\">&quot;m # 2&quot;</span> \
             <span class=\"comment\"># c\n</span><span class=\"key\">x </span>= { start = \
             <span class=\"number\">1.5</span> }\n"
        );
    }

    #[test]
    fn the_text_stays_the_text() {
        let hostile = "</pre><script>alert(1)</script>\n\"open\n= = [\nkey = \"é\" # ü\n\t'";
        let html = highlighted(hostile);
        let mut plain = String::new();
        let mut inside = false;
        for letter in html.chars() {
            match letter {
                '<' => inside = true,
                '>' => inside = false,
                letter if !inside => plain.push(letter),
                _ => {}
            }
        }
        let plain =
            plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
        assert_eq!(plain.replace("&amp;", "&"), hostile);
        assert!(!html.contains("<script"));
    }
}
