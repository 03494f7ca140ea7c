//! Which rooms of the house the instructions of a workload are spent in.

use std::collections::HashMap;

/// Rooms, and words in the names of the functions that belong to them; the first that fits counts.
const ROOMS: [(&str, &[&str]); 9] = [
    ("mechanism", &["taut_problems", "MechanicalSystem>::"]),
    (
        "factorisation",
        &[
            "assemble_and_factor",
            "Lu::factor",
            "Recorded::factor",
            "RecordedLdl::eliminate",
            "RecordedLdl::factor",
            "StageEquations>::factor",
            "set_row_factors",
        ],
    ),
    (
        "solution",
        &[
            "Saddle::solve",
            "Lu::solve",
            "FixedOrder::solve",
            "RecordedLdl::solve",
            "solve_once",
            "solve_stages",
        ],
    ),
    ("projection", &["::Manifold", "StepEquations>::project"]),
    ("error estimate", &["estimate", "combination_norm"]),
    ("combination of stages", &["Combination", "MechanicalStages::integrate", "Explicit<F> as"]),
    ("residuals and updates", &["StageEquations>::", "MechanicalField"]),
    ("iteration, norms, prediction", &["Newton", "ImplicitCore", "ContinuousExtension"]),
    ("set-up", &["::new", "from_entries", "compressed", "Assembly", "Solver::", "start::"]),
];
/// Loop, step sizes, what is kept of a step.
const REST: &str = "driver, control, rest";
/// Functions of ours that belong to whoever calls them.
const HELPERS: [&str; 2] = ["multiply_add", "finite"];

/// The call graph that callgrind wrote.
#[derive(Default)]
struct Graph<'a> {
    own: HashMap<&'a str, f64>,
    calls: HashMap<&'a str, HashMap<&'a str, f64>>,
}

impl<'a> Graph<'a> {
    /// Reads the lines `fn=`, `cfn=`, `calls=` and those with counts; names are written out once and numbered after.
    fn read(profile: &'a str) -> Self {
        let mut names = HashMap::new();
        let mut graph = Graph::default();
        let (mut function, mut callee, mut of_call) = ("", "", false);
        for line in profile.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                function = full_name(&mut names, name);
            } else if let Some(name) = line.strip_prefix("cfn=") {
                callee = full_name(&mut names, name);
            } else if line.starts_with("calls=") {
                of_call = true;
            } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
                let count = line.split_whitespace().nth(1).and_then(|count| count.parse().ok());
                let (Some(count), taken): (Option<f64>, _) = (count, std::mem::take(&mut of_call)) else {
                    continue;
                };
                let calls = graph.calls.entry(function).or_default();
                *if taken {
                    calls.entry(callee).or_default()
                } else {
                    graph.own.entry(function).or_default()
                } += count;
            }
        }
        graph
    }

    /// What a function that belongs to its caller costs, without the rooms it calls.
    fn as_helper(&self, function: &'a str, depth: usize) -> f64 {
        let own = self.own.get(function).copied().unwrap_or(0.0);
        own + self.called_helpers(function, depth)
    }

    /// The cost of all calls of helpers; recursion is cut at some depth.
    fn called_helpers(&self, function: &'a str, depth: usize) -> f64 {
        let Some(calls) = self.calls.get(function).filter(|_| depth > 0) else { return 0.0 };
        let cost = |(&callee, &all): (&&'a str, &f64)| {
            let total: f64 = self
                .own
                .get(callee)
                .into_iter()
                .chain(self.calls.get(callee).into_iter().flat_map(HashMap::values))
                .sum();
            if total > 0.0 { all * self.as_helper(callee, depth - 1) / total } else { 0.0 }
        };
        calls.iter().filter(|(callee, _)| room_of(callee).is_none()).map(cost).sum()
    }
}

fn full_name<'a>(names: &mut HashMap<&'a str, &'a str>, text: &'a str) -> &'a str {
    match text.split_once(' ') {
        Some((number, name)) => {
            names.insert(number, name);
            name
        }
        None => names.get(text).copied().unwrap_or(text),
    }
}

/// The room of a function; none for those that belong to whoever calls them.
fn room_of(function: &str) -> Option<&'static str> {
    let ours = function.trim_start_matches('<').starts_with("taut");
    if !ours || HELPERS.iter().any(|helper| function.contains(helper)) {
        return None;
    }
    let fits = |(_, words): &&(&str, &[&str])| words.iter().any(|word| function.contains(word));
    Some(ROOMS.iter().find(fits).map_or(REST, |(room, _)| room))
}

/// Rooms with their shares, the largest first, from what callgrind wrote.
pub fn shares(profile: &str) -> Vec<(&'static str, f64)> {
    let graph = Graph::read(profile);
    let all: f64 = graph.own.values().sum();
    let mut rooms: HashMap<&'static str, f64> = HashMap::new();
    let functions = graph.own.keys().chain(graph.calls.keys().filter(|f| !graph.own.contains_key(**f)));
    for (function, room) in functions.filter_map(|f| Some((f, room_of(f)?))) {
        *rooms.entry(room).or_default() += graph.as_helper(function, 20) / all;
    }
    let mut rooms: Vec<_> = rooms.into_iter().collect();
    rooms.sort_by(|a, b| b.1.total_cmp(&a.1));
    rooms
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "\
fn=(1) taut::run::driver::Driver::step
10 100
cfn=(2) taut::linear::dense::real::DenseLu::factor
calls=1 0
11 600
cfn=(3) memcpy
calls=2 0
12 100
fn=(2)
20 400
cfn=(3)
calls=1 0
21 200
fn=(3)
1 300
";

    #[test]
    fn helpers_count_to_their_callers() {
        let shares: HashMap<_, _> = shares(PROFILE).into_iter().collect();
        assert_eq!(shares["factorisation"], 0.75);
        assert_eq!(shares[REST], 0.25);
    }
}
