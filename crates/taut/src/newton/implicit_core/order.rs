//! Which number of stages the next step has.

use super::{ImplicitCore, STAGES_ACROSS_KINKS};

/// After kinks the number of stages stays for up to so many steps.
const MOST_STEPS_BEFORE_RAISE: usize = 1280;
/// More stages than these are many.
const MANY_STAGES: usize = 5;

/// How far steps with one number of stages have come, and for how much work.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Yields {
    pub(super) time: f64,
    /// stages times iterations
    pub(super) work: f64,
    /// time for the work with few stages, when these were last in use
    pub(super) of_few: f64,
}

impl Yields {
    /// Another number of stages begins; returns the time for the work of the one before.
    pub(super) fn end(&mut self) -> f64 {
        let yielded = self.time / self.work;
        (self.time, self.work) = (0.0, 0.0);
        yielded
    }
}

/// Whether a method of so many stages and such an order takes less work than one before it. With the tolerance, steps of
/// order p are as rtol^(1/p), and the work of a step is as its stages.
pub(crate) fn stages_pay(rtol: f64, before: (usize, usize), after: (usize, usize)) -> bool {
    let longer = rtol.powf(1.0 / after.1 as f64 - 1.0 / before.1 as f64);
    longer * before.0 as f64 >= after.0 as f64
}

impl ImplicitCore {
    /// A shorter step has not helped as it does where the solution is smooth: goes on with few stages, which trust less in
    /// smoothness, and for longer each time. (Measured: 0 to 4 steps in 1000 are rejected twice on smooth equations, 20 to
    /// 90 on transistors that switch and on a wheelset.)
    pub(super) fn lower_order_across_kink(&mut self) {
        let few = self.methods.iter().rposition(|method| method.stages <= STAGES_ACROSS_KINKS);
        let Some(few) = few.filter(|&few| few < self.current) else { return };
        // Kinks or not: where many stages have come further than few for the same work, they soon do so again.
        let further = self.yields.end() > self.yields.of_few && self.yields.of_few > 0.0;
        self.steps_before_raise = match further && self.order.trust_many_stages {
            true => self.order.steps_before_raise,
            false => (2 * self.steps_before_raise).min(MOST_STEPS_BEFORE_RAISE),
        };
        self.current = few;
        self.steps_since_failure = 0;
        self.newton.forget();
    }

    /// Whether the next method would take less work.
    fn more_stages_pay(&self, rtol: f64) -> bool {
        let ready = self.methods.get(self.current + 1).map(|method| (method.stages, method.order));
        let next = ready.or(self.higher.front().map(|tableau| (tableau.stages(), tableau.order())));
        let Some((stages, order)) = next else { return false };
        if stages > MANY_STAGES && rtol > self.order.many_stages_below {
            return false;
        }
        stages_pay(rtol, (self.method().stages, self.method().order), (stages, order))
    }

    /// Raises the number of stages when Newton converges fast and it pays, lowers it when Newton hardly converges.
    pub(crate) fn choose_order(&mut self, factor: f64, rtol: f64) -> bool {
        let contraction = self.newton.contraction();
        let trend = (contraction * self.contraction_before).sqrt();
        self.contraction_before = contraction;
        let steady = (self.order.steady.0..=self.order.steady.1).contains(&factor);
        let before = self.current;
        if trend >= self.order.lower_above && self.current > 0 {
            self.current -= 1;
        } else if trend <= self.order.raise_below
            && steady
            && self.steps_since_failure >= self.steps_before_raise
            && self.more_stages_pay(rtol)
            && self.make_ready(self.current + 1)
        {
            self.current += 1;
        }
        if self.current != before {
            let few = self.methods[before].stages <= STAGES_ACROSS_KINKS;
            let yielded = self.yields.end();
            if few {
                self.yields.of_few = yielded;
            }
            self.steps_since_failure = 0;
            self.newton.forget();
        }
        self.current != before
    }
}
