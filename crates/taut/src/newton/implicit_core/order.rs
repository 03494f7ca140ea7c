//! How many stages the next step has, and how much longer it may be.

use super::{ImplicitCore, LARGEST_GROWTH, MANY_STAGES, STAGES_ACROSS_KINKS, stages_pay};

impl ImplicitCore {
    /// The factor by which the next step may be longer, such that Newton's iteration contracts (Gustafsson and Söderlind
    /// 1997): contractions are about proportional to the step. Where that proportion has grown since the step before, it is
    /// taken to grow on: so steps become shorter before the iteration fails.
    pub(crate) fn largest_factor(&self) -> f64 {
        let [before, last] = self.contractions_per_length;
        let growth = if before > 0.0 { (last / before).clamp(1.0, LARGEST_GROWTH) } else { 1.0 };
        let factor = self.options.sought_contraction / (growth * self.newton.contraction());
        factor.max(self.options.shrink_after_failure)
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
