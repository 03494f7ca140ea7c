//! What there is to find about a mechanical model.

use serde_json::{Value, json};
use taut::linear::Choice;
use taut::method::{Meeting, catalog};
use taut::start::{
    ConsistentStart, FollowsFrom, Freedom, MOST_PASSES, StartError, Vibration, consistent_start, freedom,
    keep_fixed, smooth_start,
};
use taut::system::{Constraint, ConstraintKind, Independent, MechanicalSystem, Structure};

use super::Findings;
use crate::bodies::Seen;
use crate::integration::{Conserved, expectation};
use crate::model::Subject;
use crate::report::significant;

/// Moves below this are rounding.
const NOTICEABLE: f64 = 1e-12;

/// Constraints, degrees of freedom, start, what is kept.
pub fn check(subject: &Subject, system: &dyn MechanicalSystem, findings: &mut Findings) {
    // Constraints that only an event takes hold of are not in force at the start.
    let released = subject.model.events.released();
    let held = (!released.is_empty()).then(|| Independent::without(system, released));
    let system = held.as_ref().map_or(system, |held| held as &dyn MechanicalSystem);
    let structure = system.structure();
    let start = &subject.model.start;
    findings.line("coordinates", counted_list(&structure.coordinates));
    findings.put("coordinates", json!(structure.coordinates));
    report_constraints(structure, findings);
    let (mut q, mut v) = (start.q.clone(), start.v.clone());
    let consistent = keep_fixed(system, start.t, &mut q, &mut v, &subject.model.fixed)
        .and_then(|()| consistent_start(system, start.t, &q, &v, Choice::Auto));
    let at = consistent.as_ref().map_or((&start.q, &start.v), |start| (&start.q, &start.v));
    match freedom(system, start.t, (at.0, at.1)) {
        Ok(freedom) => report_freedom(&freedom, findings),
        Err(fault) => findings.problem = Some(fault.to_string()),
    }
    match consistent {
        Ok(consistent) => {
            report_start(subject, structure, &consistent, findings);
            report_bodies(subject, system, &consistent, findings);
            report_vibrations(system, start.t, &consistent, findings);
            let acting = subject.model.system.acting();
            report_conserved(&expectation(system, &acting, start.t, &consistent), findings);
        }
        Err(error) => report_failure(subject, &error, findings),
    }
    let doubts = subject.doubts();
    for doubt in &doubts {
        findings.line("warning", doubt);
    }
    findings.put("warnings", json!(doubts));
}

fn counted_list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { format!("{}: {}", names.len(), first_of(names)) }
}

/// The first dozen.
fn first_of(names: &[String]) -> String {
    const LISTED: usize = 12;
    let rest = if names.len() > LISTED { ", ..." } else { "" };
    names[..names.len().min(LISTED)].join(", ") + rest
}

fn kind(constraint: &Constraint) -> (&'static str, f64) {
    match constraint.kind {
        ConstraintKind::Nonholonomic => ("nonholonomic", 0.0),
        ConstraintKind::Holonomic { compliance, .. } if compliance > 0.0 => ("compliant", compliance),
        ConstraintKind::Holonomic { .. } => ("rigid", 0.0),
    }
}

fn report_constraints(structure: &Structure, findings: &mut Findings) {
    for (label, wanted) in
        [("constraints", "rigid"), ("stiff springs", "compliant"), ("on velocities", "nonholonomic")]
    {
        let of_kind = structure.constraints.iter().filter(|constraint| kind(constraint).0 == wanted);
        let names: Vec<String> = of_kind.map(|constraint| constraint.name.clone()).collect();
        if !names.is_empty() {
            findings.line(label, counted_list(&names));
        }
    }
    let to_json = |constraint: &Constraint| {
        let (kind, compliance) = kind(constraint);
        let relaxation = constraint.relaxation();
        json!({ "name": constraint.name, "kind": kind, "compliance": compliance, "relaxation": relaxation })
    };
    findings.put("constraints", Value::Array(structure.constraints.iter().map(to_json).collect()));
}

fn report_freedom(freedom: &Freedom, findings: &mut Findings) {
    findings.line("degrees of freedom", freedom.degrees.to_string());
    findings.put("degrees_of_freedom", json!(freedom.degrees));
    findings.put("rank", json!(freedom.rank));
    if freedom.constraints > 0 {
        findings.line("rank", format!("{} of {}", freedom.rank, freedom.constraints));
    }
    for FollowsFrom { name, others } in &freedom.redundant {
        let why = match others.is_empty() {
            true => "its gradient is zero".to_owned(),
            false => format!("its gradient follows from {}", others.join(", ")),
        };
        findings.line("redundant", format!("{name} ({why})"));
    }
    let entry = |redundant: &FollowsFrom| json!({ "name": redundant.name, "follows_from": redundant.others });
    findings.put("redundant", freedom.redundant.iter().map(entry).collect());
}

fn report_start(subject: &Subject, structure: &Structure, start: &ConsistentStart, findings: &mut Findings) {
    let (q_moved, v_moved) = start.moved;
    let moved = q_moved.max(v_moved) > NOTICEABLE;
    if moved {
        let (by_q, by_v) = (significant(q_moved, 3), significant(v_moved, 3));
        let moved = format!(
            "not consistent: moved by {by_q} in positions and {by_v} in velocities (square roots of d'M d), to"
        );
        findings.line("start", moved);
        let given = &subject.model.start;
        for (i, name) in structure.coordinates.iter().enumerate() {
            if given.q[i] != start.q[i] || given.v[i] != start.v[i] {
                let (q, v) = (significant(start.q[i], 10), significant(start.v[i], 10));
                findings.line("", format!("{name} = {q}, {name}' = {v}"));
            }
        }
    } else {
        findings.line("start", "consistent");
    }
    let multipliers =
        structure.constraints.iter().zip(&start.lambda).map(|(c, lambda)| (c.name.clone(), json!(lambda)));
    findings.put(
        "start",
        json!({
            "t": subject.model.start.t,
            "consistent": !moved,
            "moved": { "position": q_moved, "velocity": v_moved },
            "q": start.q,
            "v": start.v,
            "multipliers": Value::Object(multipliers.collect()),
        }),
    );
}

/// Masses, and what joints do where everything is and at rest.
fn report_bodies(
    subject: &Subject,
    system: &dyn MechanicalSystem,
    start: &ConsistentStart,
    findings: &mut Findings,
) {
    let Some(model) = subject.model.system.bodies() else { return };
    let mechanism = model.mechanism();
    let masses: Vec<(&str, f64)> =
        mechanism.body_names().enumerate().map(|(k, name)| (name, mechanism.mass_of(k))).collect();
    let total: f64 = masses.iter().map(|(_, mass)| mass).sum();
    let listed: Vec<String> =
        masses.iter().map(|(name, mass)| format!("{name} {}", significant(*mass, 6))).collect();
    findings.line("masses", format!("{} in all: {}", significant(total, 6), first_of(&listed)));
    let by_name = masses.iter().map(|(name, mass)| (name.to_string(), json!(mass)));
    findings.put("masses", Value::Object(by_name.collect()));
    // A drive may move at the start; its joints then do what the motion takes.
    let rest = vec![0.0; start.v.len()];
    let at_rest = consistent_start(system, subject.model.start.t, &start.q, &rest, Choice::Auto);
    let Ok(at_rest) = at_rest else { return };
    let seen = Seen { model, q: &at_rest.q, v: &at_rest.v, lambda: &at_rest.lambda };
    for (name, joint) in seen.joint_states() {
        let list = |vector: [f64; 3]| vector.map(|x| significant(x, 6)).join(", ");
        findings.line(
            "at rest",
            format!("{name}: force ({}), torque ({})", list(joint.force), list(joint.torque)),
        );
    }
    findings.put("joints_at_rest", seen.joints());
}

/// How stiff springs would vibrate from this start, and what a smooth start leaves of it.
fn report_vibrations(
    system: &dyn MechanicalSystem,
    t: f64,
    start: &ConsistentStart,
    findings: &mut Findings,
) {
    if !system.structure().constraints.iter().any(|constraint| constraint.compliance() > 0.0) {
        return;
    }
    let passes = (1..=MOST_PASSES).map(|n| smooth_start(system, t, &start.q, &start.v, n, Choice::Auto));
    let found: Result<Vec<_>, StartError> = passes.collect();
    // The expansion is asymptotic: the best number of passes is the one that leaves least.
    let best = found.map(|starts| {
        starts.into_iter().enumerate().min_by(|(_, a), (_, b)| a.remaining.total_cmp(&b.remaining))
    });
    match best {
        Ok(Some((k, smooth))) => {
            for vibration in &smooth.vibrations {
                let (amplitude, period) =
                    (significant(vibration.amplitude, 3), significant(vibration.period, 3));
                let name = &vibration.name;
                findings
                    .line("vibrations", format!("{name} swings by {amplitude} with a period of {period}"));
            }
            let left = significant(smooth.remaining, 3);
            findings.line("", format!("--smooth-start {} leaves {left}", k + 1));
            let along: Vec<&str> = catalog()
                .iter()
                .filter(|entry| Meeting::takes_springs_along(&entry.method()).is_ok())
                .map(|entry| entry.name)
                .collect();
            findings.line("", format!("{} need not follow them, the other methods do", along.join(", ")));
            findings.put("methods_for_stiff_springs", json!(along));
            let to_json = |vibration: &Vibration| json!({ "name": vibration.name, "amplitude": vibration.amplitude, "period": vibration.period });
            findings.put("vibrations", Value::Array(smooth.vibrations.iter().map(to_json).collect()));
            findings.put("smooth_start", json!({ "passes": k + 1, "remaining": smooth.remaining }));
        }
        Ok(None) => {}
        Err(error) => findings.line("vibrations", error.to_string()),
    }
}

fn report_conserved(conserved: &Conserved, findings: &mut Findings) {
    let mut kept: Vec<String> = conserved.energy().then(|| "energy".to_owned()).into_iter().collect();
    kept.extend(conserved.cyclic.iter().map(|name| format!("momentum of {name}")));
    let listed = if kept.is_empty() { "nothing known".to_owned() } else { kept.join(", ") };
    findings.line("conserved", listed);
    if !conserved.energy() {
        findings.line("energy changes by", conserved.energy_changes_by.join(", "));
    }
    findings.put("conserved", json!(kept));
    findings.put("energy_changes_by", json!(conserved.energy_changes_by));
}

fn report_failure(subject: &Subject, error: &StartError, findings: &mut Findings) {
    findings.line("start", "there is no consistent one");
    findings.put("start", Value::Null);
    findings.problem = Some(subject.explained(error));
}
