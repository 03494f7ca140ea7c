//! Files and functions that can be read at once: limits on lines and parameters, in all crates.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

const MOST_LINES_OF_A_FILE: usize = 400;
const MOST_LINES_OF_A_FUNCTION: usize = 60;
const MANY_PARAMETERS: usize = 6;
/// So many functions may have more parameters.
const MOST_WITH_MANY_PARAMETERS: usize = 12;
/// The function of a trait that has many: whoever implements it has no choice, and it counts once.
const OF_A_TRAIT: &str = "newton_blocks";

/// A function: its name, lines and parameters beside `self`.
struct Function {
    name: String,
    lines: usize,
    parameters: usize,
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The functions of a formatted file: each ends at the first brace that is indented as its beginning is.
fn functions(text: &str) -> Vec<Function> {
    let lines: Vec<&str> = text.lines().collect();
    let begin = |line: &str| {
        let (before, after) = line.trim_start().split_once("fn ")?;
        let words = before.replace("pub(in crate::", "pub(");
        let qualifier = |word: &str| word.starts_with("pub") || matches!(word, "const" | "async");
        words.split_whitespace().all(qualifier).then(|| after.to_owned())
    };
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some(after) = begin(line) else { continue };
        let head = (first..lines.len()).find(|&k| lines[k].ends_with(['{', ';', '}'])).unwrap_or(first);
        let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        let last = match lines[head].ends_with('{') {
            true => (head..lines.len()).find(|&k| lines[k] == end).unwrap_or(head),
            false => head,
        };
        let signature = [after.as_str(), &lines[(first + 1).min(head)..=head].join(" ")].concat();
        let name = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        found.push(Function { name, lines: last + 1 - first, parameters: parameters(&signature) });
    }
    found
}

/// The parameters beside `self` in what follows `fn`: commas between the outer parentheses, outside of all other brackets.
fn parameters(signature: &str) -> usize {
    let (mut depth, mut inside, mut list) = (0, false, vec![String::new()]);
    let mut before = ' ';
    for c in signature.chars() {
        match c {
            '(' if depth == 0 => (inside, depth) = (true, 1),
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if before != '-' => depth -= 1,
            ',' if inside && depth == 1 => list.push(String::new()),
            _ => {}
        }
        if inside && depth == 0 {
            break;
        }
        if let Some(parameter) = list.last_mut().filter(|_| inside && !c.is_whitespace() && c != ',') {
            parameter.push(c);
        }
        before = c;
    }
    let own = |parameter: &str| parameter.trim_start_matches(['(', '&']).trim_start_matches("mut") == "self";
    list.iter().filter(|parameter| !matches!(parameter.as_str(), "" | "(") && !own(parameter)).count()
}

#[test]
fn parameters_are_counted() {
    assert_eq!(parameters("f(&mut self, a: f64, (b, c): (f64, f64), d: impl Fn(f64, f64) -> f64) {"), 3);
    assert_eq!(parameters("f<T: Into<A<B, C>>>(a: &[T], b: Vec<Vec<T>>,) -> f64;"), 2);
    assert_eq!(parameters("f() {"), 0);
}

#[test]
fn files_and_functions_can_be_read_at_once() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut files, mut faults, mut many) = (Vec::new(), Vec::new(), Vec::new());
    sources(crates, &mut files);
    for file in &files {
        let (text, place) = (fs::read_to_string(file).unwrap(), file.strip_prefix(crates).unwrap().display());
        if text.lines().count() > MOST_LINES_OF_A_FILE {
            faults.push(format!("{place}: {} lines", text.lines().count()));
        }
        for Function { name, lines, parameters } in functions(&text) {
            if lines > MOST_LINES_OF_A_FUNCTION {
                faults.push(format!("{place}: {name} has {lines} lines"));
            }
            if parameters > MANY_PARAMETERS && name != OF_A_TRAIT {
                many.push(format!("{place}: {name} has {parameters} parameters"));
            }
        }
    }
    assert!(files.len() > 300, "{} files", files.len());
    if many.len() + 1 > MOST_WITH_MANY_PARAMETERS {
        faults.append(&mut many);
    }
    assert!(faults.is_empty(), "{} are too large:\n{}", faults.len(), faults.join("\n"));
}
