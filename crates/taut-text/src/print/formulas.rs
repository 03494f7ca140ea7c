//! Which strings of a model file are formulas.

/// Keys whose strings are words, wherever they stand.
const WORDS: [&str; 5] = ["unit", "fixed", "class", "file", "direction"];

/// Whether the string at a path of keys, such as `energy`, `kinetic`, is a formula.
pub(super) fn is_formula(path: &[&str]) -> bool {
    let path = match path {
        ["for", rest @ ..] => rest,
        path => path,
    };
    let [section, keys @ ..] = path else { return false };
    let Some(last) = keys.last().filter(|last| !WORDS.contains(last)) else { return false };
    match *section {
        "parameters" | "define" | "energy" | "mass" | "constraints" | "nonholonomic" | "forces"
        | "observe" | "hamiltonian" | "stiff" | "draw" | "functions" | "variables" | "coordinates"
        | "partitioned" => true,
        "time" => matches!(*last, "start" | "end"),
        "events" => *last == "when" || keys.contains(&"set"),
        _ => false,
    }
}
