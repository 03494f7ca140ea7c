//! Which method `auto` takes, and why.

use super::target::Target;
use crate::method::{Meeting, Method};

/// The method to begin with, and why.
pub(super) fn choose(target: &Target<'_>) -> (Method, Option<String>) {
    let reason = match target {
        Target::Partitioned(_) => {
            let method = Method::named("spark").unwrap_or_default();
            return (method, Some("spark, since the system is partitioned".to_owned()));
        }
        Target::Mechanical(system) => {
            let springs = system.structure().constraints.iter().any(|c| c.compliance() > 0.0);
            springs.then_some("the system has springs given as compliant constraints")
        }
        Target::FirstOrder { system, index, .. } => {
            let meeting = Meeting::first_order(system.composition(), index);
            meeting.singular_mass.then_some("the system has algebraic variables")
        }
    };
    match reason {
        Some(reason) => (Method::radau(), Some(format!("radau, since {reason}"))),
        None => (Method::explicit(), Some("dopri8, since the motion is not stiff".to_owned())),
    }
}

/// The method for motion that became stiff at t, and why.
pub(super) fn choose_for_stiff_motion(t: f64) -> (Method, Option<String>) {
    let reason = format!("radau from t = {t:.6} on, where the motion became stiff; dopri8 before");
    (Method::radau(), Some(reason))
}
