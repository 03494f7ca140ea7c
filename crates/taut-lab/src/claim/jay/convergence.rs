//! Errors of SPARK methods with constant steps, for the claims on their orders.

use taut::Solver;
use taut::method::Method;
use taut::motion::Motion;
use taut::options::Options;
use taut::system::MechanicalSystem;

use crate::error::LabError;
use crate::order::Orders;
use crate::slope::fit;

/// The tolerance of the runs with Radau methods that errors are measured against.
const EXACT: f64 = 1e-13;
/// Errors at or below this are rounding, or the error of those runs.
const PLATEAU: f64 = 1e-12;

/// The SPARK method with s stages.
pub(super) fn spark(stages: usize) -> Result<Method, LabError> {
    Ok(Method::named("spark")?.with_stages(stages)?)
}

/// A mechanism with its start, (q, v), and the end of its motion.
pub(super) struct Scene<'a> {
    pub name: &'a str,
    pub system: &'a dyn MechanicalSystem,
    pub start: &'a [f64],
    pub until: f64,
    /// times at which the forces are not smooth
    pub kinks: &'a [f64],
}

impl Scene<'_> {
    /// The errors of q, v and lambda with these numbers of constant steps, from few to many, and their orders.
    pub fn orders(&self, stages: usize, options: &Options, steps: &[usize]) -> Result<Orders, LabError> {
        let radau = Solver::mechanical(self.system).breaks(self.kinks).tolerance(EXACT);
        let exact = radau.run(0.0, self.until, self.start)?;
        let h: Vec<f64> = steps.iter().map(|&count| self.until / count as f64).collect();
        let mut errors = vec![Vec::new(); 3];
        for &h in &h {
            let solver = Solver::mechanical(self.system).options(options.clone()).breaks(self.kinks);
            let motion = solver.method(spark(stages)?).step(h).run(0.0, self.until, self.start)?;
            for (errors, error) in errors.iter_mut().zip(relative_errors(&motion, &exact)) {
                errors.push(error);
            }
        }
        let groups = ["q", "v", "lambda"].map(String::from).to_vec();
        let fits = errors.iter().map(|errors| fit(&h, errors, |_| PLATEAU)).collect();
        Ok(Orders { groups, h, errors, fits })
    }
}

/// The largest errors of q, v and lambda, relative to their size where that is above 1.
pub(super) fn relative_errors(motion: &Motion, exact: &Motion) -> [f64; 3] {
    let parts = [(motion.q(), exact.q()), (motion.v(), exact.v()), (motion.lambda(), exact.lambda())];
    parts.map(|(found, known)| {
        let size = known.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        found.iter().zip(known).fold(0.0_f64, |error, (a, b)| error.max((a - b).abs())) / size
    })
}
