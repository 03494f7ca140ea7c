//! Ordinary differential equations E x' = f(t, x), expanded.

use taut_formula::expansion::{Coefficient, Expansion, Level, Work};

use super::{Expanding, Polynomial};
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::geometry::pencil::pencil;
use crate::linear::{Saddle, SaddlePattern, Scales};
use crate::motion::Statistics;
use crate::options::Options;
use crate::system::{FirstOrderExpansion, FirstOrderSystem, finite, give_back};

/// A first-order system with a regular matrix E, expanded: the coefficient k + 1 of x follows from that of f of order k.
pub(crate) struct FirstOrderSeries<'a> {
    /// who says whether a state may be evaluated at all
    asked: Option<&'a dyn FirstOrderSystem>,
    /// the layout of the state outside
    layout: Layout,
    names: Vec<String>,
    expansion: Expansion<f64>,
    /// E, factored; nothing when it is the identity
    mass: Option<Saddle>,
    rate: Vec<f64>,
    rows: Vec<f64>,
}

impl<'a> FirstOrderSeries<'a> {
    pub(crate) fn new(
        system: &'a dyn FirstOrderSystem,
        formulas: &FirstOrderExpansion,
        order: usize,
        options: &Options,
    ) -> Result<Self, StepFailure> {
        let composition = system.composition();
        let mut mass = None;
        if !composition.is_ordinary() {
            let pattern = SaddlePattern::pencil(composition.mass.clone(), composition.jacobian.clone());
            let mut saddle = Saddle::new(&pattern, options.linear);
            let blocks = pencil(composition, &[]);
            saddle
                .assemble_and_factor(&blocks, Scales { alpha: 1.0, beta: 0.0, gamma: 0.0, delta: 0.0 })
                .map_err(|s| StepFailure::singular(s, |row| composition.variables[row].clone()))?;
            mass = Some(saddle);
        }
        let layout = Layout::first_order(composition.n());
        let mut series = FirstOrderSeries::ordinary(formulas, order, layout, composition.variables.clone());
        (series.asked, series.mass) = (Some(system), mass);
        Ok(series)
    }

    /// Of x' = f(t, x) with these names of variables; the state outside has another layout.
    pub(crate) fn ordinary(
        formulas: &FirstOrderExpansion,
        order: usize,
        layout: Layout,
        names: Vec<String>,
    ) -> Self {
        let n = names.len();
        let expansion = formulas.expansion(order);
        let [rate, rows] = [vec![0.0; n], vec![0.0; n]];
        FirstOrderSeries { asked: None, layout, names, expansion, mass: None, rate, rows }
    }

    /// E⁻¹ times the coefficients of order k of f.
    #[inline]
    fn rates(&mut self, k: usize, count: &mut Statistics) {
        self.expansion.read_roots(0, k, 1.0, &mut self.rows);
        if let Some(mass) = &self.mass {
            mass.solve(&mut self.rows);
            count.solves += 1;
        }
    }
}

impl Drop for FirstOrderSeries<'_> {
    fn drop(&mut self) {
        give_back(&mut self.expansion);
    }
}

impl Expanding for FirstOrderSeries<'_> {
    fn layout(&self) -> Layout {
        Layout::first_order(self.names.len())
    }

    fn state_layout(&self) -> Layout {
        self.layout
    }

    fn project(&mut self, _t: f64, _y: &mut [f64], _count: &mut Statistics) -> Result<(), StepFailure> {
        Ok(())
    }

    fn place(&mut self, t: f64, y: &mut [f64], count: &mut Statistics) -> Result<(), StepFailure> {
        if let Some(system) = self.asked {
            system.rate(t, y, &mut self.rate)?;
        }
        self.expansion.set_time(t);
        self.expansion.positions_mut(0).copy_from_slice(y);
        self.expansion.begin(Level::Position);
        count.rhs += 1;
        self.rates(0, count);
        self.rate.copy_from_slice(&self.rows);
        Ok(finite(&self.rate, "the rate", t, |i| self.names[i].as_str())?)
    }

    fn rate(&self, rate: &mut [f64]) {
        rate.copy_from_slice(&self.rate);
    }

    fn expand(&mut self, polynomial: &mut Polynomial, count: &mut Statistics) {
        f64::compute(Orders { series: self, last: polynomial.order(), count });
        for k in 0..=polynomial.order() {
            polynomial.set_positions(k, self.expansion.positions(k));
        }
    }

    fn residuals(&mut self, _t: f64, _y: &[f64]) -> Result<[f64; 3], StepFailure> {
        Ok([0.0; 3])
    }
}

/// All orders but the first, one after the other.
struct Orders<'m, 'a> {
    series: &'m mut FirstOrderSeries<'a>,
    last: usize,
    count: &'m mut Statistics,
}

impl Work<f64> for Orders<'_, '_> {
    #[inline(always)]
    fn run(self, multiply_add: impl Fn(f64, f64, f64) -> f64 + Copy) {
        let Orders { series, last, count } = self;
        for k in 1..=last {
            let inverse = 1.0 / k as f64;
            for (x, rate) in series.expansion.positions_mut(k).iter_mut().zip(&series.rows) {
                *x = rate * inverse;
            }
            if k < last {
                series.expansion.probe_by(Level::Position, k, multiply_add);
                series.expansion.pass_by(Level::Position, k, multiply_add);
                series.rates(k, count);
            }
        }
    }
}
