//! A first-order model along a jump: what is between the two sides and stays on it.

use std::cell::RefCell;

use taut::linear::Pattern;
use taut::system::{Composition, Evaluation, Fault, FirstOrderSystem};

use super::surface::Surface;
use taut::system::compiled::FirstOrderModel;

/// f = f₋ + w (f₊ − f₋) with h' = 0, that is w = s₋ / (s₋ − s₊) where s is h' on either side (Filippov 1988, section 4).
#[derive(Clone, Debug)]
pub(crate) struct Blend {
    sides: [FirstOrderModel; 2],
    surface: Surface,
    composition: Composition,
    /// 1/E
    inverse_mass: Vec<f64>,
    /// where the entries of either side's Jacobian are
    own: [Vec<usize>; 2],
    /// by which variables w changes, and where the entries of these columns are
    columns: Vec<(usize, Vec<usize>)>,
    workspace: RefCell<Workspace>,
}

#[derive(Clone, Debug, Default)]
struct Workspace {
    /// f and x' of either side
    rates: [Vec<f64>; 2],
    moving: [Vec<f64>; 2],
    jacobians: [Vec<f64>; 2],
    by_state: Vec<f64>,
    by_rates: Vec<f64>,
    /// ∇s of either side
    gradients: [Vec<f64>; 2],
}

impl Blend {
    /// Along a surface between two sides whose E is diagonal and regular.
    pub(super) fn new(sides: [FirstOrderModel; 2], surface: Surface) -> Self {
        let [one, two] = [0, 1].map(|side: usize| sides[side].composition());
        let n = one.n();
        let mut columns: Vec<usize> = surface.bends.iter().map(|&(_, j)| j).collect();
        for jacobian in [&one.jacobian, &two.jacobian] {
            let rows = jacobian.entries().filter(|(i, _)| surface.places.contains(i));
            columns.extend(rows.map(|(_, j)| j));
        }
        columns.sort_unstable();
        columns.dedup();
        let (jacobian, (own, columns)) = Pattern::with_places(n, n, |place| {
            let own = [one, two].map(|side| side.jacobian.entries().map(|(i, j)| place(i, j)).collect());
            let full = columns.iter().map(|&j| (j, (0..n).map(|i| place(i, j)).collect()));
            (own, full.collect())
        });
        let mut inverse_mass = vec![1.0; n];
        for ((i, _), mass) in one.mass.entries().zip(&one.mass_values) {
            inverse_mass[i] = 1.0 / mass;
        }
        let workspace = Workspace {
            rates: [vec![0.0; n], vec![0.0; n]],
            moving: [vec![0.0; n], vec![0.0; n]],
            jacobians: [vec![0.0; one.jacobian.nnz()], vec![0.0; two.jacobian.nnz()]],
            by_state: vec![0.0; surface.bends.len()],
            by_rates: vec![0.0; surface.places.len()],
            gradients: [vec![0.0; n], vec![0.0; n]],
        };
        Blend {
            own,
            columns,
            composition: Composition { jacobian, ..one.clone() },
            inverse_mass,
            workspace: RefCell::new(workspace),
            sides,
            surface,
        }
    }

    /// The share w of the upper side; outside of 0 and 1 the motion leaves the surface.
    pub(super) fn share(&self, t: f64, x: &[f64]) -> f64 {
        let workspace = &mut *self.workspace.borrow_mut();
        self.slopes(t, x, workspace).map_or(f64::NAN, |[below, above]| below / (below - above))
    }

    /// h' on either side, after the rates there.
    fn slopes(&self, t: f64, x: &[f64], workspace: &mut Workspace) -> Result<[f64; 2], Fault> {
        let mut slopes = [0.0; 2];
        for (side, slope) in slopes.iter_mut().enumerate() {
            let (rates, moving) = (&mut workspace.rates[side], &mut workspace.moving[side]);
            self.sides[side].rate(t, x, rates)?;
            for ((moving, rate), inverse) in moving.iter_mut().zip(rates.iter()).zip(&self.inverse_mass) {
                *moving = rate * inverse;
            }
            *slope = self.surface.slope(t, x, moving);
        }
        Ok(slopes)
    }

    /// ∇s on one side: h' changes with the state, and with the rates there.
    fn gradient(&self, t: f64, x: &[f64], side: usize, workspace: &mut Workspace) {
        let Workspace { moving, jacobians, by_state, by_rates, gradients, .. } = workspace;
        let gradient = &mut gradients[side];
        gradient.fill(0.0);
        self.surface.slope_changes(t, x, &moving[side], by_state, by_rates);
        for (&(_, j), value) in self.surface.bends.iter().zip(by_state.iter()) {
            gradient[j] += value;
        }
        let entries = self.sides[side].composition().jacobian.entries().zip(&jacobians[side]);
        for ((i, j), entry) in entries {
            if let Some(k) = self.surface.places.iter().position(|&place| place == i) {
                gradient[j] += by_rates[k] * self.inverse_mass[i] * entry;
            }
        }
    }
}

impl FirstOrderSystem for Blend {
    fn composition(&self) -> &Composition {
        &self.composition
    }

    fn rate(&self, t: f64, x: &[f64], rate: &mut [f64]) -> Evaluation {
        let workspace = &mut *self.workspace.borrow_mut();
        let [below, above] = self.slopes(t, x, workspace)?;
        let share = below / (below - above);
        let [low, high] = &workspace.rates;
        for ((rate, low), high) in rate.iter_mut().zip(low).zip(high) {
            *rate = low + share * (high - low);
        }
        self.composition.finite_variables(rate, "the rate", t)
    }

    fn jacobian(&self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Evaluation {
        let workspace = &mut *self.workspace.borrow_mut();
        let slopes = self.slopes(t, x, workspace)?;
        let steepness = slopes[0] - slopes[1];
        let share = slopes[0] / steepness;
        jacobian.fill(0.0);
        for (side, weight) in [1.0 - share, share].into_iter().enumerate() {
            self.sides[side].jacobian(t, x, &mut workspace.jacobians[side])?;
            for (&slot, entry) in self.own[side].iter().zip(&workspace.jacobians[side]) {
                jacobian[slot] += weight * entry;
            }
            self.gradient(t, x, side, workspace);
        }
        let Workspace { rates: [low, high], gradients: [of_low, of_high], .. } = workspace;
        for (j, slots) in &self.columns {
            let change = (slopes[0] * of_high[*j] - slopes[1] * of_low[*j]) / (steepness * steepness);
            for (&slot, (low, high)) in slots.iter().zip(low.iter().zip(high.iter())) {
                jacobian[slot] += (high - low) * change;
            }
        }
        self.composition.finite_jacobian(jacobian, t)
    }

    fn switching_times(&self, from: f64, to: f64) -> Vec<f64> {
        self.sides[0].switching_times(from, to)
    }
}
