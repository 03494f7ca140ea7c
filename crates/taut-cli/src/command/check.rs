//! `taut check`

mod first_order;
mod mechanical;

use serde_json::Value;
use taut::Solver;

use crate::arguments::Check;
use crate::model::Subject;
use crate::outcome::{Failure, Outcome, Status, print, print_json};

/// What was found about a model: lines for people, an object for programs, and what is wrong.
pub struct Findings {
    lines: Vec<(&'static str, String)>,
    object: serde_json::Map<String, Value>,
    problem: Option<String>,
}

impl Findings {
    fn line(&mut self, label: &'static str, content: impl Into<String>) {
        self.lines.push((label, content.into()));
    }

    fn put(&mut self, name: &str, value: Value) {
        self.object.insert(name.to_owned(), value);
    }

    /// Whether something is wrong with the model.
    pub fn failed(&self) -> bool {
        self.problem.is_some()
    }

    /// The object of `check --json`.
    pub fn into_json(self) -> Value {
        Value::Object(self.object)
    }
}

/// Reads a model, finds consistent initial values, and reports what it found; integrates nothing.
pub fn execute(check: &Check) -> Outcome {
    let overrides = check.subject.resolved()?;
    let subject = Subject::load_robot(&check.subject.model, &overrides, &check.subject.robot)?;
    if check.print {
        let text = taut_text::canonical(&subject.source);
        print(&text.map_err(|errors| Failure::model(subject.source.name(), &errors))?)?;
        return Ok(Status::Done);
    }
    let findings = examine(&subject);
    let failed = findings.failed();
    if check.json {
        print_json(&findings.into_json())?;
    } else {
        print(&text(&subject, &findings))?;
    }
    Ok(if failed { Status::Failed } else { Status::Done })
}

/// What there is to find about a model.
pub fn examine(subject: &Subject) -> Findings {
    let mut findings = Findings { lines: Vec::new(), object: serde_json::Map::new(), problem: None };
    findings.put("model", subject.name.clone().into());
    findings.put("title", subject.model.name.clone().into());
    if let Some(system) = subject.mechanism() {
        mechanical::check(subject, system, &mut findings);
    } else if let Some(system) = subject.evolution() {
        first_order::check(subject, system, &mut findings);
    }
    if findings.problem.is_none() {
        check_method(subject, &mut findings);
    }
    findings.put("problem", findings.problem.clone().into());
    findings
}

/// What was found, for people.
pub fn text(subject: &Subject, findings: &Findings) -> String {
    let mut text = format!("{} ({})\n\n", subject.model.name, subject.name);
    for (label, content) in &findings.lines {
        text.push_str(&format!("  {label:<20}{content}\n"));
    }
    match &findings.problem {
        Some(problem) => text.push_str(&format!("\nfailed: {problem}\n")),
        None => text.push_str("\nok\n"),
    }
    text
}

/// The method that `auto` begins with: a run of no length chooses it.
fn check_method(subject: &Subject, findings: &mut Findings) {
    let solver = match (subject.mechanism(), subject.evolution()) {
        (Some(system), _) => Solver::mechanical(system).released(subject.model.events.released()),
        (None, Some(system)) => Solver::first_order(system),
        (None, None) => return,
    };
    let t = subject.model.start.t;
    match solver.run(t, t, &subject.start()) {
        Ok(motion) => {
            let choice = motion.choice.unwrap_or_default();
            findings.line("auto begins with", choice.clone());
            findings.put("auto", serde_json::json!({ "method": motion.method, "why": choice }));
        }
        Err(error) => findings.problem = Some(error.to_string()),
    }
}
