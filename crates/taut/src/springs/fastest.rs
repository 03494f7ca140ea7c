//! Stiff springs under methods that have to follow their vibrations: how many steps that takes.

use super::dependent::Freedom;
use super::vibrations::{LonelySpring, STEP_PER_VIBRATION, VibrationRule, time_scale};
use crate::equations::Layout;
use crate::geometry::manifold::Manifold;
use crate::motion::Statistics;
use crate::options::{Options, Vibrations};
use crate::system::{MechanicalSystem, Terms};

/// The spring that vibrates fastest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FastestSpring {
    pub(crate) name: String,
    pub(crate) period: f64,
    /// longer steps do not resolve the vibration
    pub(crate) longest_step: f64,
}

/// The fastest one of those springs that vibrate so much faster than everything else moves that a method which takes them
/// along would not follow them. Nothing when there is none, or when nothing moves at this state.
pub(crate) fn fastest_spring(
    system: &dyn MechanicalSystem,
    options: &Options,
    t: f64,
    y: &[f64],
) -> Option<FastestSpring> {
    let structure = system.structure();
    if structure.constraints.iter().all(|c| c.compliance() == 0.0) {
        return None;
    }
    let (n, m) = (structure.n(), structure.m());
    let layout = Layout::mechanical(n, m);
    let (q, v, lambda) = layout.split(y);
    let (mut a, mut rigid) = (vec![0.0; n], vec![0.0; m]);
    let (mut stiffness, mut damping) =
        (vec![0.0; structure.stiffness.nnz()], vec![0.0; structure.damping.nnz()]);
    system.newton_blocks(Terms::ACCELERATING, t, q, v, &a, lambda, &mut stiffness, &mut damping).ok()?;
    let (mut manifold, mut count) = (Manifold::new(system, options.linear), Statistics::default());
    manifold.evaluate(t, q, v, &mut count).ok()?;
    let freedom = manifold.freedom_of_springs(t, (q, v), &mut count).ok()?;
    manifold.follow_springs(|k| !freedom[k].is_own());
    manifold.factor(&mut count).ok()?;
    manifold.accelerations(t, &mut a, &mut rigid, 2, &mut count).ok()?;
    let motion = time_scale(q, v, &a);
    let rule = VibrationRule {
        vibrations: Vibrations::Auto,
        options: options.springs,
        rtol: options.rtol,
        constant_step: None,
        takes_along: true,
        may_change: true,
    };
    let stiff = |spring: &LonelySpring| {
        let has_to_be_resolved = spring.vibrates() || spring.relaxation > 0.0;
        has_to_be_resolved && motion.is_finite() && rule.decide(*spring, Some(motion)).is_taken_along()
    };
    let springs = manifold.lonely_springs(q, &damping).into_iter().zip(&freedom);
    let springs = springs.map(|(spring, freedom)| (spring.with(*freedom), *freedom != Freedom::None));
    let free = springs.zip(&structure.constraints).filter(|((spring, free), _)| *free && stiff(spring));
    let fastest = free.map(|((spring, _), constraint)| (spring, constraint));
    let fastest = fastest.min_by(|a, b| a.0.time.total_cmp(&b.0.time));
    fastest.map(|(spring, constraint)| FastestSpring {
        name: constraint.name.clone(),
        period: std::f64::consts::TAU * spring.time,
        longest_step: STEP_PER_VIBRATION * spring.time,
    })
}
