//! Systems as explicit methods see them: a rate for every state, and a manifold to come back to.

use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::manifold::Manifold;
use crate::geometry::pencil::pencil;
use crate::linear::{Pivots, Saddle, SaddlePattern, Scales};
use crate::motion::Statistics;
use crate::options::{Options, Projection};
use crate::system::{FirstOrderSystem, MechanicalSystem};

/// What an explicit step asks of its equations.
pub(crate) trait Field {
    /// Where everything lies in the state vector.
    fn layout(&self) -> Layout;

    /// The derivative of the integrated part of the state; multipliers are written into `y`.
    fn rate(
        &mut self,
        t: f64,
        y: &mut [f64],
        rate: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure>;

    /// Moves a state onto its constraints.
    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure>;

    /// Moves a state onto its constraints and finds the rate there, where multipliers and rate are those of a state close
    /// by, at which the rate was evaluated last: what was factored for it serves again.
    fn project_with_rate(
        &mut self,
        t: f64,
        y: &mut [f64],
        rate: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure>;

    /// Whether a multiplier is that of a rod and no spring's: a function of the state that follows it, however stiff the rest.
    fn is_rigid(&self, _row: usize) -> bool {
        true
    }

    /// Hands the pivots of eliminations over, into a snapshot or out of it.
    fn exchange_pivots(&mut self, _pivots: &mut Pivots<'_>) {}

    /// The largest residuals of the constraints at a state, those of accelerations with the rate there.
    fn residuals(&mut self, t: f64, y: &[f64]) -> Result<[f64; 3], StepFailure>;
}

/// A mechanical system as the ordinary differential equation on its manifold: accelerations and multipliers from one
/// saddle-point solve.
pub(crate) struct MechanicalField<'a> {
    layout: Layout,
    manifold: Manifold<'a>,
    projection: Projection,
    /// accelerations with factors of a state close by may be wrong by this share
    refined_to: f64,
    /// a state whose residuals are asked for, and its rate
    judged: (Vec<f64>, Vec<f64>),
}

/// Such accelerations may be wrong by this share of the tolerance.
const REFINED_SHARE: f64 = 1e-3;

impl<'a> MechanicalField<'a> {
    pub(crate) fn new(system: &'a dyn MechanicalSystem, options: &Options, projection: Projection) -> Self {
        let structure = system.structure();
        let layout = Layout::mechanical(structure.n(), structure.m());
        MechanicalField {
            layout,
            manifold: Manifold::new(system, options.linear),
            projection: if structure.m() == 0 { Projection::None } else { projection },
            refined_to: REFINED_SHARE * options.rtol,
            judged: (vec![0.0; layout.len()], vec![0.0; layout.differential()]),
        }
    }
}

impl Field for MechanicalField<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn rate(
        &mut self,
        t: f64,
        y: &mut [f64],
        rate: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        let (q_rate, v_rate) = rate.split_at_mut(self.layout.n());
        self.manifold.evaluate(t, q, v, count)?;
        self.manifold.factor(count)?;
        self.manifold.spring_multipliers(lambda, |_| true);
        q_rate.copy_from_slice(v);
        self.manifold.accelerations(t, v_rate, lambda, 1, count)
    }

    fn project(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        let (q, v, _) = self.layout.split_mut(y);
        self.manifold.project(self.projection, t, (q, v), count)
    }

    fn project_with_rate(
        &mut self,
        t: f64,
        y: &mut [f64],
        rate: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let (q, v, lambda) = self.layout.split_mut(y);
        let (q_rate, a) = rate.split_at_mut(self.layout.n());
        let share = self.refined_to;
        if self.projection == Projection::None {
            self.manifold.evaluate(t, q, v, count)?;
            self.manifold.spring_multipliers(lambda, |_| true);
            self.manifold.refine_accelerations(t, a, lambda, share, count)?;
        } else {
            let positions = self.projection == Projection::Full;
            let projected =
                self.manifold.project_with_accelerations(t, (q, v), (a, lambda), positions, share, count);
            if matches!(projected, Err(StepFailure::Projection { .. })) {
                // The states are too far apart.
                self.project(t, y, count)?;
                return self.rate(t, y, rate, count);
            }
            projected?;
        }
        q_rate.copy_from_slice(v);
        Ok(())
    }

    fn is_rigid(&self, row: usize) -> bool {
        self.manifold.is_rigid(row)
    }

    fn exchange_pivots(&mut self, pivots: &mut Pivots<'_>) {
        self.manifold.exchange_pivots(pivots);
    }

    fn residuals(&mut self, t: f64, y: &[f64]) -> Result<[f64; 3], StepFailure> {
        let (mut state, mut rate) = std::mem::take(&mut self.judged);
        state.copy_from_slice(y);
        let found = self.rate(t, &mut state, &mut rate, &mut Statistics::default());
        let (q, v, _) = self.layout.split(y);
        let residuals = found.and_then(|()| self.manifold.residuals_here(t, q, v, &rate[self.layout.v()]));
        self.judged = (state, rate);
        residuals
    }
}

/// A first-order system x' = E⁻¹ f(t, x) with a regular matrix E.
pub(crate) struct FirstOrderField<'a> {
    system: &'a dyn FirstOrderSystem,
    /// E, factored; nothing when it is the identity
    mass: Option<Saddle>,
}

impl<'a> FirstOrderField<'a> {
    pub(crate) fn new(system: &'a dyn FirstOrderSystem, options: &Options) -> Result<Self, StepFailure> {
        let composition = system.composition();
        if composition.is_ordinary() {
            return Ok(FirstOrderField { system, mass: None });
        }
        let pattern = SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone());
        let mut mass = Saddle::new(&pattern, options.linear);
        let blocks = pencil(composition, &[]);
        mass.assemble_and_factor(&blocks, Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 })
            .map_err(|s| StepFailure::singular(s, |row| composition.variables[row].clone()))?;
        Ok(FirstOrderField { system, mass: Some(mass) })
    }
}

impl Field for FirstOrderField<'_> {
    fn layout(&self) -> Layout {
        Layout::first_order(self.system.composition().n())
    }

    fn rate(
        &mut self,
        t: f64,
        y: &mut [f64],
        rate: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.system.rate(t, y, rate)?;
        count.rhs += 1;
        if let Some(mass) = &self.mass {
            mass.solve(rate);
            count.solves += 1;
        }
        Ok(())
    }

    fn project(&mut self, _t: f64, _y: &mut [f64], _count: &mut Statistics) -> Result<(), StepFailure> {
        Ok(())
    }

    fn project_with_rate(
        &mut self,
        t: f64,
        y: &mut [f64],
        rate: &mut [f64],
        count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.rate(t, y, rate, count)
    }

    fn residuals(&mut self, _t: f64, _y: &[f64]) -> Result<[f64; 3], StepFailure> {
        Ok([0.0; 3])
    }
}
