//! Attributes and included files.

use std::fs;
use std::path::{Path, PathBuf};

use roxmltree::Node;

use super::ImportError;
use crate::vector::Vector;

/// Where a file is put in, and its name.
type Include = (std::ops::Range<usize>, Option<String>);

/// The text of a file with the children of the root elements of its `<include file="..."/>` put in.
pub(super) fn read_with_includes(path: &Path) -> Result<String, ImportError> {
    read_nested(path, &mut Vec::new())
}

/// `around` are the files that this one stands in: one that stands in itself would have no end.
fn read_nested(path: &Path, around: &mut Vec<PathBuf>) -> Result<String, ImportError> {
    let text = fs::read_to_string(path).map_err(|reason| ImportError::File { path: path.into(), reason })?;
    let text = forgiven(text);
    if !text.contains("<include") {
        return Ok(text);
    }
    let here = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if around.contains(&here) {
        return Err(ImportError::Xml { path: path.into(), reason: "it includes itself".into() });
    }
    around.push(here);
    let parse = |text: &str| -> Result<Vec<Include>, ImportError> {
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(text, options)
            .map_err(|error| ImportError::Xml { path: path.into(), reason: error.to_string() })?;
        let includes = document.descendants().filter(|node| node.has_tag_name("include"));
        Ok(includes.map(|node| (node.range(), node.attribute("file").map(str::to_owned))).collect())
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut whole = text.clone();
    for (range, file) in parse(&text)?.into_iter().rev() {
        let inner = match file {
            Some(file) => read_nested(&folder.join(file), around)?,
            None => String::new(),
        };
        whole.replace_range(range, inside_root(&inner));
    }
    around.pop();
    Ok(whole)
}

/// Files as robots have them: lines before their XML declaration, a zero behind their end. Places stay what they are.
fn forgiven(text: String) -> String {
    let start = text.len() - text.trim_start().len();
    let declaration = text[start..].strip_prefix("<?xml").and_then(|rest| rest.find("?>"));
    let mut text = text;
    if let Some(length) = declaration.filter(|_| start > 0) {
        let end = start + "<?xml".len() + length + "?>".len();
        let blank: String = text[start..end].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        text.replace_range(start..end, &blank);
    }
    text.truncate(text.trim_end_matches('\0').len());
    text
}

/// What stands between the tags of the root element.
fn inside_root(text: &str) -> &str {
    let Ok(document) = roxmltree::Document::parse(text) else { return "" };
    let root = document.root_element();
    match (root.first_child(), root.last_child()) {
        (Some(first), Some(last)) => &text[first.range().start..last.range().end],
        _ => "",
    }
}

/// The line of an element.
pub(super) fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

/// An element that is not what it should be.
pub(super) fn wrong(node: Node<'_, '_>, reason: impl Into<String>) -> ImportError {
    ImportError::Element { line: line(node), reason: reason.into() }
}

/// The numbers in a text.
pub(super) fn numbers(node: Node<'_, '_>, text: &str) -> Result<Vec<f64>, ImportError> {
    let number = |word: &str| {
        let parsed: Result<f64, _> = word.parse();
        parsed.ok().filter(|x| x.is_finite()).ok_or_else(|| wrong(node, format!("'{word}' is not a number")))
    };
    text.split_whitespace().map(number).collect()
}

/// A vector of three numbers.
pub(super) fn vector(node: Node<'_, '_>, text: &str) -> Result<Vector, ImportError> {
    let list = numbers(node, text)?;
    <Vector>::try_from(list)
        .map_err(|list| wrong(node, format!("three numbers are needed, not {}", list.len())))
}

/// One number of an attribute, or what it is without one.
pub(super) fn number_or(node: Node<'_, '_>, name: &str, otherwise: f64) -> Result<f64, ImportError> {
    match node.attribute(name) {
        None => Ok(otherwise),
        Some(text) => match numbers(node, text)?.as_slice() {
            [one] => Ok(*one),
            _ => Err(wrong(node, format!("'{name}' is one number"))),
        },
    }
}

/// A name that expressions can use: letters, digits and _, beginning with a letter.
pub(super) fn identifier(name: &str) -> String {
    let mut plain: String =
        name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if !plain.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        plain.insert(0, '_');
    }
    plain
}
