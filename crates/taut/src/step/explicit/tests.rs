//! Explicit steps that go wrong.

use std::error::Error;

use taut_tableau::Family;

use super::Explicit;
use crate::equations::Layout;
use crate::failure::StepFailure;
use crate::motion::Statistics;
use crate::options::Options;
use crate::stages::field::Field;
use crate::step::stepper::{Place, Stepper};

/// x' = −x, which may miss its constraints once at the end of a step.
struct Decay {
    misses: bool,
}

impl Field for Decay {
    fn layout(&self) -> Layout {
        Layout::first_order(1)
    }

    fn rate(
        &mut self,
        _t: f64,
        y: &mut [f64],
        rate: &mut [f64],
        _count: &mut Statistics,
    ) -> Result<(), StepFailure> {
        rate[0] = -y[0];
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
        if std::mem::take(&mut self.misses) {
            return Err(StepFailure::Projection { constraint: "rod".to_owned(), residual: 1.0 });
        }
        self.rate(t, y, rate, count)
    }

    fn residuals(&mut self, _t: f64, _y: &[f64]) -> Result<[f64; 3], StepFailure> {
        Ok([0.0; 3])
    }
}

/// The state after one step, before which a longer one may have failed.
fn after_a_step(family: Family, stages: usize, misses: bool) -> Result<Vec<f64>, Box<dyn Error>> {
    let (tableau, mut count) = (family.shared_tableau(stages)?, Statistics::default());
    let mut stepper = Explicit::new(Decay { misses }, tableau, &Options::default(), 0.0, &[1.0], &mut count)?;
    if misses {
        stepper.attempt(0.2, &mut count)?;
        assert!(stepper.accept(&mut count).is_err());
        stepper.reject(true);
    }
    stepper.attempt(0.1, &mut count)?;
    stepper.accept(&mut count)?;
    Ok(stepper.state().to_vec())
}

#[test]
fn a_step_that_fails_at_its_end_begins_again_with_its_own_rate() -> Result<(), Box<dyn Error>> {
    for (family, stages) in [(Family::DormandPrince5, 7), (Family::DormandPrince8, 12)] {
        assert_eq!(after_a_step(family, stages, true)?, after_a_step(family, stages, false)?, "{family:?}");
    }
    Ok(())
}
