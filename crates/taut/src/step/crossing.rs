//! Steps across singular configurations: collocation whose stages meet the constraints with their own G each, and whose nodes
//! keep away from the singular time.

use taut_tableau::Family;

use super::collocation::Collocation;
use super::mechanical_step::MechanicalStep;
use super::stepper::{InsideStep, Place, Stepper, Watched};
use crate::control::Attempt;
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::{Near, Singularities};
use crate::motion::Statistics;
use crate::newton::ImplicitCore;
use crate::options::Options;
use crate::snapshot::{Fields, SnapshotError};
use crate::springs::TreatedSprings;

/// Radau IIA with so many stages crosses.
const STAGES: usize = 5;
/// Newton's iteration may take so many iterations.
const MOST_ITERATIONS: usize = 20;
/// Where it stands still below so many tolerances it has met rounding, which small singular values magnify.
const STANDSTILL: f64 = 100.0;
/// The first step from a singular configuration is at least this share of the time in which the mechanism moves by its size:
/// in shorter ones the other branch cannot be told from this one.
const FIRST_STEP: f64 = 0.02;
/// Steps are made shorter by at most this factor for the singular time to lie in the widest gap between nodes.
const SHORTENED: f64 = 4.0;

/// Singular configurations ahead and passed.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    /// the one ahead, or just passed
    pub(crate) near: Option<Near>,
    /// singular times that were passed, with the constraints that depended on others
    pub(crate) passed: Vec<(f64, Vec<String>)>,
    /// whether the run begins in a singular configuration
    begins_here: bool,
}

impl Passage {
    /// Whether no singular configuration is close by any more.
    pub(crate) fn is_done(&self) -> bool {
        self.near.is_none() && !self.begins_here
    }
}

/// Steps across singular configurations of a mechanism.
pub(crate) struct Crossing<'a> {
    inner: Collocation<MechanicalStep<'a>>,
    singularities: Singularities<'a>,
    passage: Passage,
    /// the longest step that was tried on the way to the singular configuration: what decides whether that is close
    longest: f64,
}

impl<'a> Crossing<'a> {
    /// A stepper at a state; with accelerations where it is a singular configuration itself.
    pub(crate) fn new(
        mut equations: MechanicalStep<'a>,
        singularities: Singularities<'a>,
        options: &Options,
        (t, y): (f64, &[f64]),
        branch: Option<&[f64]>,
        count: &mut Statistics,
    ) -> Result<Self, StepFailure> {
        let tableau = Family::RadauIia.shared_tableau(STAGES);
        let mut newton = options.newton.clone();
        newton.most_iterations = MOST_ITERATIONS;
        let core =
            tableau.and_then(|tableau| ImplicitCore::new(&[tableau], 0, newton, options.order.clone()));
        let mut core = core.map_err(|_| StepFailure::Newton { contraction: 0.0, iterations: 0 })?;
        core.be_lenient(STANDSTILL);
        equations.cross(STAGES);
        let inner = match branch {
            None => Collocation::new(equations, core, options, t, y, count)?,
            Some(a) => {
                equations.begin_on_branch(t, y, a, count)?;
                Collocation::settled(equations, core, options, t, y.to_vec())
            }
        };
        let passage = Passage { begins_here: branch.is_some(), ..Passage::default() };
        Ok(Crossing { inner, singularities, passage, longest: 0.0 })
    }

    /// Looks for singular configurations that steps of length h would meet.
    fn look(&mut self, h: f64) -> Result<(), StepFailure> {
        let (q, v, _) = self.inner.layout().split(self.inner.state());
        let a = self.inner.equations().settled_accelerations();
        self.passage.near = self.singularities.look(self.inner.time(), (q, v), Some(a), h)?;
        Ok(())
    }

    /// A step of at most this length whose nodes keep away from the singular time: that lies in the middle of the widest gap
    /// between two of them, in this step or in a later one of the same length. Where it is so close ahead that such a step
    /// would be short, it lies in an earlier gap, or before all nodes: what stages close to it are, rounding decides.
    fn placed(&self, h: f64) -> f64 {
        let Some(ahead) =
            self.passage.near.as_ref().and_then(|near| near.at).map(|at| at - self.inner.time())
        else {
            return h;
        };
        if ahead * h <= 0.0 {
            return h;
        }
        let (nodes, share) = (self.inner.nodes(), (ahead / h).abs());
        let middle = widest_gap(nodes);
        if share * SHORTENED < middle {
            return earlier_gap(nodes, share).map_or(h, |middle| ahead / middle);
        }
        let later = (share - middle).ceil().max(0.0);
        ahead / (later + middle)
    }
}

/// The middle of the first gap between nodes that lies beyond this share of a step; nothing where the share lies so far in front of
/// all nodes that it keeps away from them as it is.
fn earlier_gap(nodes: &[f64], share: f64) -> Option<f64> {
    let before = nodes.first().map_or(0.0, |first| 0.5 * first);
    let mut between = nodes.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    if share < before { None } else { between.find(|middle| *middle >= share) }
}

/// The middle of the widest gap between nodes.
fn widest_gap(nodes: &[f64]) -> f64 {
    let gaps = nodes.windows(2).map(|pair| (pair[1] - pair[0], 0.5 * (pair[0] + pair[1])));
    gaps.fold((0.0, 0.5), |widest, gap| if gap.0 > widest.0 { gap } else { widest }).1
}

impl Stepper for Crossing<'_> {
    fn attempt(&mut self, to: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        // Extrapolated from the other side of a singular configuration, multipliers lead astray.
        self.inner.forget_past();
        self.inner.attempt(to, count)
    }

    fn attempt_near(&mut self, to: f64, until: f64, count: &mut Statistics) -> Result<Attempt, StepFailure> {
        let (t, h) = (self.time(), to - self.time());
        self.longest = self.longest.max(h.abs());
        if !self.passage.begins_here {
            // A step that was cut in front of a singular configuration makes that no farther away.
            self.look(self.longest.copysign(h))?;
        }
        let h = self.placed(h);
        let end = if (t + h - until) * h.signum() > -1e-9 * h.abs() { until } else { t + h };
        self.attempt(end, count)
    }

    fn accept(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        let before = self.time();
        self.inner.accept(count)?;
        let (t, h) = (self.time(), self.time() - before);
        let ahead = match self.passage.near.take() {
            Some(Near { at: Some(at), constraints }) if (at - before) * (t - at) >= 0.0 => {
                self.passage.passed.push((at, constraints));
                false
            }
            near => near.is_some_and(|near| near.at.is_some()),
        };
        self.passage.begins_here = false;
        let h = if ahead { self.longest.copysign(h) } else { h };
        self.longest = h.abs();
        self.look(h)
    }

    fn reject(&mut self, refresh: bool) {
        self.inner.reject(refresh);
    }

    fn leave_smooth_motion(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.inner.leave_smooth_motion(count)
    }

    fn first_step(&mut self, until: f64, count: &mut Statistics) -> Result<f64, StepFailure> {
        let (q, v, _) = self.inner.layout().split(self.inner.state());
        let size = |x: &[f64]| x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let least = FIRST_STEP * (1.0 + size(q)) / size(v).max(f64::MIN_POSITIVE);
        let h = self.inner.first_step(until, count)?;
        let rest = (until - self.time()).abs();
        Ok(h.abs().max(least).min(rest).copysign(until - self.time()))
    }

    fn fields(&mut self, fields: &mut Fields<'_>) -> Result<(), SnapshotError> {
        if fields.restored().is_some() {
            // It is looked for anew before the next step.
            self.passage.near = Some(Near { at: None, constraints: Vec::new() });
            self.passage.begins_here = false;
        }
        fields.entry("longest crossing", &mut [&mut self.longest])?;
        self.inner.fields(fields)
    }
}

impl Place for Crossing<'_> {
    fn layout(&self) -> Layout {
        self.inner.layout()
    }

    fn time(&self) -> f64 {
        self.inner.time()
    }

    fn state(&self) -> &[f64] {
        self.inner.state()
    }

    fn residuals(&mut self) -> Result<[f64; 3], StepFailure> {
        self.inner.residuals()
    }
}

impl InsideStep for Crossing<'_> {
    fn refine_interpolation(&mut self, count: &mut Statistics) -> Result<(), StepFailure> {
        self.inner.refine_interpolation(count)
    }

    /// Not moved onto the constraints where these nearly depend on each other: the polynomial is as good there.
    fn sample(&mut self, theta: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let mut moved = y.to_vec();
        if self.inner.sample(theta, &mut moved, count).is_ok() {
            y.copy_from_slice(&moved);
        } else {
            self.inner.interpolate(theta, y);
        }
        Ok(())
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) {
        self.inner.interpolate(theta, y);
    }
}

impl Watched for Crossing<'_> {
    fn stages(&self) -> usize {
        self.inner.stages()
    }

    fn springs(&self) -> Option<&dyn TreatedSprings> {
        self.inner.springs()
    }

    fn passage(&mut self) -> Option<&mut Passage> {
        Some(&mut self.passage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singular_times_lie_between_nodes() {
        let nodes = [0.1, 0.3, 0.65, 0.9];
        assert!((widest_gap(&nodes) - 0.475).abs() < 1e-15);
        assert_eq!(earlier_gap(&nodes, 0.04), None);
        for (share, middle) in [(0.06, 0.2), (0.19, 0.2), (0.21, 0.475)] {
            assert!(
                earlier_gap(&nodes, share).is_some_and(|found| (found - middle).abs() < 1e-15),
                "{share}"
            );
        }
    }
}
