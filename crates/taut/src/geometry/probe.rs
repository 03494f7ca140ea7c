//! A look along the motion, from one state.

/// Scratch space for differences along the motion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probe {
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) jerk: Vec<f64>,
    /// the derivative of the jerk where it is known, 0 elsewhere
    pub(crate) snap: Vec<f64>,
    /// the jerk is that of the last step
    pub(crate) knows_jerk: bool,
    /// accelerations and multipliers before, here, after
    pub(crate) a: [Vec<f64>; 3],
    pub(crate) lambda: [Vec<f64>; 3],
    /// what putting springs right changes positions and velocities by, along the manifold
    pub(crate) along: [Vec<f64>; 2],
    /// impulses of springs that are put right
    pub(crate) impulse: [Vec<f64>; 2],
}

impl Probe {
    pub(crate) fn new(n: usize, m: usize) -> Self {
        let (a, lambda) = (vec![0.0; n], vec![0.0; m]);
        Probe {
            q: a.clone(),
            v: a.clone(),
            jerk: a.clone(),
            snap: a.clone(),
            knows_jerk: false,
            a: std::array::from_fn(|_| a.clone()),
            lambda: std::array::from_fn(|_| lambda.clone()),
            along: std::array::from_fn(|_| a.clone()),
            impulse: std::array::from_fn(|_| lambda.clone()),
        }
    }

    /// Accelerations and multipliers on both sides are about those in between.
    pub(crate) fn begin_sides(&mut self) {
        for values in [&mut self.a, &mut self.lambda] {
            let [before, here, after] = values;
            before.copy_from_slice(here);
            after.copy_from_slice(here);
        }
    }

    /// The jerk at the end of a step, from the accelerations of its stages.
    pub(crate) fn know_jerk(&mut self, weights: &[f64], h: f64, accelerations: &[f64], stride: usize) {
        self.jerk.fill(0.0);
        for (weight, stage) in weights.iter().zip(accelerations.chunks_exact(stride)) {
            for (jerk, a) in self.jerk.iter_mut().zip(stage) {
                *jerk += weight / h * a;
            }
        }
        self.knows_jerk = true;
    }

    /// The jerk from accelerations on both sides.
    pub(crate) fn find_jerk(&mut self, delta: f64) {
        for (k, jerk) in self.jerk.iter_mut().enumerate() {
            *jerk = (self.a[2][k] - self.a[0][k]) / (2.0 * delta);
        }
    }

    /// The derivative of the jerk from accelerations on both sides.
    pub(crate) fn find_snap(&mut self, delta: f64) {
        let [before, here, after] = &self.a;
        for (k, snap) in self.snap.iter_mut().enumerate() {
            *snap = (after[k] - 2.0 * here[k] + before[k]) / (delta * delta);
        }
    }

    /// The Taylor polynomial of the motion at distance δ.
    pub(crate) fn move_along(&mut self, q: &[f64], v: &[f64], delta: f64) {
        for k in 0..q.len() {
            let (a, jerk, snap) = (self.a[1][k], self.jerk[k], self.snap[k]);
            self.q[k] =
                q[k] + delta * (v[k] + delta * (a / 2.0 + delta * (jerk / 6.0 + delta * snap / 24.0)));
            self.v[k] = v[k] + delta * (a + delta * (jerk / 2.0 + delta * snap / 6.0));
        }
    }
}

/// The derivatives of the rigid multipliers along the motion, and what follows from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neglected {
    /// λ₀, λ₀' and λ₀'' where they were found last
    pub(crate) here: [Vec<f64>; 3],
    /// the same at an earlier time
    pub(crate) before: [Vec<f64>; 3],
    pub(crate) since: Option<f64>,
    /// so many steps were too short for differences
    pub(crate) short_steps: usize,
    /// λ₀''' where it was found last
    pub(crate) third: Vec<f64>,
    /// a velocity that λ₀''' may add unseen
    pub(crate) negligible: f64,
    /// no motion is taken to be slower than this: it may become faster where it is too late to follow vibrations that
    /// were neglected before
    pub(crate) motion: f64,
    /// the time scale of the vibration that λ₀ excites
    pub(crate) slowest: f64,
    /// what was left out of each spring in the last step, and the largest of it so far
    pub(crate) left_out: Vec<f64>,
    pub(crate) largest: Vec<f64>,
    pub(crate) excited: Vec<f64>,
    pub(crate) once: Vec<f64>,
    pub(crate) twice: Vec<f64>,
}
