//! Convergence orders, measured with constant steps.

use taut::equations::Formulation;
use taut::method::Method;
use taut::options::{Multipliers, Options, Projection};
use taut_problems::Problem;

use crate::comparison::{Comparison, solver_of, start_of};
use crate::error::LabError;
use crate::slope::{Fit, fit};

/// What is measured: a method with what goes around it.
#[derive(Clone, Debug)]
pub struct Setting {
    /// the method, with a fixed number of stages
    pub method: Method,
    /// projection after each step; `None` takes what suits the method
    pub projection: Option<Projection>,
    /// where multipliers come from
    pub multipliers: Multipliers,
    /// which form of the constraints is solved
    pub formulation: Formulation,
    /// the tolerance of a run that solves the stage equations; Newton's iteration goes on to a small share of it
    pub stage_tolerance: f64,
    /// errors of positions, relative to their size, at or below this are taken for rounding; what is found by dividing
    /// positions by h or by h² has a plateau that rises with the number of steps or its square
    pub plateau: f64,
}

impl Setting {
    /// A method with the defaults of a run.
    pub fn of(method: Method) -> Self {
        Setting {
            method,
            projection: None,
            multipliers: Multipliers::FromAccelerations,
            formulation: Formulation::Index3,
            stage_tolerance: 1e-13,
            plateau: 1e-13,
        }
    }

    /// The method with this name and so many stages, with the defaults of a run.
    pub fn named(name: &str, stages: usize) -> Result<Self, LabError> {
        Ok(Setting::of(Method::named(name)?.with_stages(stages)?))
    }

    /// The classical method: no projection, multipliers of the stages.
    pub fn classical(name: &str, stages: usize) -> Result<Self, LabError> {
        let usual = Setting::named(name, stages)?;
        Ok(usual.projection(Projection::None).multipliers(Multipliers::FromStages))
    }

    /// The same with this projection.
    pub fn projection(self, projection: Projection) -> Self {
        Setting { projection: Some(projection), ..self }
    }

    /// The same with multipliers from there.
    pub fn multipliers(self, multipliers: Multipliers) -> Self {
        Setting { multipliers, ..self }
    }

    /// The same with stage equations solved to this tolerance, and this plateau of rounding.
    pub fn accuracy(self, stage_tolerance: f64, plateau: f64) -> Self {
        Setting { stage_tolerance, plateau, ..self }
    }

    /// By which power of the number of steps rounding grows in a group.
    fn rounding_power(&self, group: &str) -> i32 {
        match group {
            "v" if self.projection == Some(Projection::None) => 1,
            "lambda" if self.multipliers == Multipliers::FromStages => 2,
            "index 2" => 1,
            "index 3" => 2,
            _ => 0,
        }
    }

    /// Options of a run with constant steps whose stage equations are solved to rounding.
    pub fn options(&self, h: f64) -> Options {
        let mut options = Options {
            rtol: self.stage_tolerance,
            atol: self.stage_tolerance,
            stage_tolerance: Some(self.stage_tolerance),
            constant_step: Some(h),
            projection: self.projection,
            multipliers: self.multipliers,
            formulation: self.formulation,
            ..Options::default()
        };
        options.newton.most_iterations = MOST_ITERATIONS;
        options
    }
}

/// Newton's iteration may take so many iterations, so that long steps converge, too.
const MOST_ITERATIONS: usize = 50;

/// Errors of runs with constant steps, quantity by quantity, and their orders.
#[derive(Clone, Debug)]
pub struct Orders {
    /// the names of the groups (see [`Group`](crate::Group))
    pub groups: Vec<String>,
    /// the steps, from the longest to the shortest
    pub h: Vec<f64>,
    /// the largest errors of each group, relative to its size where that is above 1, for each step
    pub errors: Vec<Vec<f64>>,
    /// the fitted lines; nothing for a group with too few errors above the plateau
    pub fits: Vec<Option<Fit>>,
}

impl Orders {
    /// The measured order of a group; NaN when there is none.
    pub fn slope(&self, group: &str) -> f64 {
        self.fit(group).map_or(f64::NAN, |fit| fit.slope)
    }

    /// The fitted line of a group.
    pub fn fit(&self, group: &str) -> Option<&Fit> {
        let place = self.groups.iter().position(|name| name == group)?;
        self.fits[place].as_ref()
    }
}

/// Integrates a problem to time t, where it has a reference, with each of these numbers of constant steps (from few to
/// many), and fits orders to the errors of each group.
pub fn measure_orders(
    problem: &Problem,
    t: f64,
    setting: &Setting,
    steps: &[usize],
) -> Result<Orders, LabError> {
    let comparison = Comparison::at(problem, t)?;
    let start = start_of(problem);
    let groups = comparison.groups();
    let sizes: Vec<f64> = groups
        .iter()
        .map(|group| group.entries.iter().fold(1.0_f64, |size, (_, value)| size.max(value.abs())))
        .collect();
    let mut errors = vec![Vec::new(); groups.len()];
    let h: Vec<f64> = steps.iter().map(|&count| (t - problem.start.t) / count as f64).collect();
    for &h in &h {
        let solver = solver_of(problem).method(setting.method.clone()).options(setting.options(h));
        let motion = solver
            .run(problem.start.t, t, &start)
            .map_err(|cause| LabError::Run { problem: problem.name.clone(), cause })?;
        let found = comparison.largest_errors(&motion.y);
        for ((errors, error), size) in errors.iter_mut().zip(found).zip(&sizes) {
            errors.push(error / size);
        }
    }
    let groups: Vec<String> = groups.iter().map(|group| group.name.clone()).collect();
    let length = t - problem.start.t;
    let line = |(group, errors): (&String, &Vec<f64>)| {
        let power = setting.rounding_power(group);
        fit(&h, errors, |h| setting.plateau * (length / h).powi(power))
    };
    let fits = groups.iter().zip(&errors).map(line).collect();
    Ok(Orders { groups, h, errors, fits })
}
