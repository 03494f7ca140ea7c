//! What a run gives, as the JSON object of the public contract.

use serde_json::{Map, Value, json};
use taut::motion::{EventCount, Motion, SpringSpan, Statistics};
use taut::system::PartitionedSystem;

use crate::bodies::Seen;
use crate::integration::{Accounts, Apart, Conserved, Ending};
use crate::model::Subject;
use crate::settings::Settings;

/// Start values that were changed by less than this, relative to 1 and to themselves, were rounded only.
const MOVED: f64 = 1e-12;

/// A run with everything there is to say about it.
pub struct Summary<'a> {
    /// the model
    pub subject: &'a Subject,
    /// how it was integrated
    pub settings: &'a Settings,
    /// where it began
    pub from: f64,
    /// where it should have ended
    pub until: f64,
    /// how it ended
    pub ending: &'a Ending,
    /// what was added up over all parts of the run
    pub accounts: &'a Accounts,
    /// what the mechanics keeps
    pub conserved: Option<&'a Conserved>,
    /// why it stopped early
    pub stopped: Option<String>,
}

impl Summary<'_> {
    /// The motion, as far as it came.
    pub fn motion(&self) -> &Motion {
        &self.ending.motion
    }

    /// Positions and velocities at the end; of a first-order model all variables.
    pub fn motion_at_the_end(&self) -> (&[f64], &[f64]) {
        let motion = self.motion();
        if self.subject.mechanism().is_some() { (motion.q(), motion.v()) } else { (&motion.y, &[]) }
    }

    /// What all parts of the run have cost.
    pub fn statistics(&self) -> Statistics {
        self.motion().statistics
    }

    /// How long all parts of the run took.
    pub fn seconds(&self) -> f64 {
        self.accounts.before.seconds + self.ending.seconds
    }

    /// The largest residuals of the constraints.
    pub fn residuals(&self) -> [f64; 3] {
        let (before, now) = (self.accounts.residuals, self.motion().invariants.residuals);
        std::array::from_fn(|level| {
            // `f64::max` would drop what is no number.
            if now[level] > before[level] || now[level].is_nan() { now[level] } else { before[level] }
        })
    }

    /// The energy at the start and at the end, and its largest deviation; nothing for first-order models.
    pub fn energy(&self) -> Option<(f64, f64, f64)> {
        let invariants = &self.motion().invariants;
        if self.subject.mechanism().is_none() {
            let end = self.subject.energy(self.motion().t, &self.motion().y)?;
            return Some((self.accounts.energy_at_start?, end, self.accounts.energy_error));
        }
        Some(match self.accounts.before.energy {
            None => (invariants.energy.0, invariants.energy.1, invariants.energy_error),
            Some((start, _)) => (start, invariants.energy.1, self.accounts.energy_error),
        })
    }

    /// The multipliers by the names of their constraints.
    pub fn multipliers(&self) -> Vec<(&str, f64)> {
        if let Some(system) = self.subject.partition() {
            let names = system.structure().constraints.iter().map(String::as_str);
            let first = self.motion().y.len() - system.structure().m();
            return names.zip(self.motion().y[first..].iter().copied()).collect();
        }
        let Some(system) = self.subject.mechanism() else { return Vec::new() };
        let constraints = system.structure().constraints.iter().map(|constraint| constraint.name.as_str());
        constraints.zip(self.motion().lambda().iter().copied()).collect()
    }

    /// What in this summary is no number.
    pub fn not_finite(&self) -> Option<String> {
        let motion = self.motion();
        let names = self.subject.model.coordinates().iter();
        let (positions, velocities) = self.motion_at_the_end();
        let velocities = names.clone().map(|name| format!("{name}'")).zip(velocities);
        let state = names.cloned().zip(positions).chain(velocities).map(|(name, value)| (name, *value));
        let multipliers =
            self.multipliers().into_iter().map(|(name, value)| (format!("lambda.{name}"), value));
        let residuals =
            self.residuals().map(|residual| ("the residual of a constraint".to_owned(), residual));
        let energy = self.energy().map_or([0.0; 3], |(start, end, error)| [start, end, error]);
        let energies = energy.map(|energy| ("the energy".to_owned(), energy));
        let algebraic = [("the residual of an equation".to_owned(), self.accounts.algebraic)];
        let mut all = state.chain(multipliers).chain(residuals).chain(energies).chain(algebraic);
        let (name, value) = all.find(|(_, value)| !value.is_finite())?;
        Some(format!("at t = {} {name} is {value}; the motion leaves the range of numbers", motion.t))
    }

    /// The object of `run --json`.
    pub fn to_json(&self) -> Value {
        let motion = self.motion();
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
        put("model", json!(self.subject.name));
        put("title", json!(self.subject.model.name));
        put("method", json!(motion.method));
        put("stages", json!(motion.stages));
        put("t", json!(motion.t));
        if self.subject.mechanism().is_some() {
            put("coordinates", json!(self.subject.model.coordinates()));
            put("q", json!(motion.q()));
            put("v", json!(motion.v()));
        } else {
            put("variables", json!(self.subject.model.coordinates()));
            put("x", json!(motion.y));
        }
        let multipliers = self.multipliers().into_iter().map(|(name, value)| (name.to_owned(), json!(value)));
        put("multipliers", Value::Object(multipliers.collect()));
        if let Some(model) = self.subject.model.system.bodies() {
            let seen = Seen { model, q: motion.q(), v: motion.v(), lambda: motion.lambda() };
            put("bodies", seen.bodies());
            put("joints", seen.joints());
        }
        put("residuals", self.residuals_json());
        let energy = |(start, end, error)| {
            let mut energy = json!({ "start": start, "end": end, "max_error": error });
            if self.subject.model.events.change_something() {
                energy["by_events"] = json!(self.motion().invariants.by_events);
            }
            energy
        };
        put("energy", self.energy().map_or(Value::Null, energy));
        put("events", self.events_json());
        put("redundant", self.redundant_json());
        put("moved", self.moved_json());
        put("stats", self.stats_json());
        let apart = |apart: &Apart| json!({ "tolerances": apart.tolerances, "variable": apart.variable });
        put("second_run", self.ending.second.as_ref().map_or(Value::Null, apart));
        put("until", json!(self.until));
        put("choice", json!(self.ending.motion.choice));
        if let Some(springs) = &self.motion().springs {
            put("springs", json!(springs));
            let span = |span: &SpringSpan| {
                let SpringSpan { name, motion, from, to, left_out } = span;
                json!({ "name": name, "motion": motion, "from": from, "to": to, "left_out": left_out })
            };
            put("spring_spans", self.motion().spring_spans.iter().map(span).collect());
        }
        if let Some(warning) = &self.motion().warning {
            put("warning", json!(warning));
        }
        put("stopped", json!(self.stopped));
        put("options", json!(self.settings));
        Value::Object(object)
    }

    fn residuals_json(&self) -> Value {
        if self.subject.mechanism().is_none() {
            let mut residuals = json!({ "algebraic": self.accounts.algebraic });
            if self.subject.partition().is_some() {
                let [position, velocity, _] = self.residuals();
                residuals["position"] = json!(position);
                residuals["velocity"] = json!(velocity);
            }
            return residuals;
        }
        let [position, velocity, acceleration] = self.residuals();
        let mut residuals =
            json!({ "position": position, "velocity": velocity, "acceleration": acceleration });
        if let Some([position, velocity]) = self.accounts.distances {
            residuals["over_gradients"] = json!({ "position": position, "velocity": velocity });
        }
        residuals
    }

    /// How often events have happened, when last and first, and what it took to make the state consistent then.
    fn events_json(&self) -> Value {
        let event = |event: &EventCount| {
            let EventCount { name, count, first, last } = event;
            let mut object = json!({ "name": name, "t": last, "count": count, "first": first });
            let changes = self.motion().changes.iter().rev();
            let impulses =
                changes.filter(|change| change.events.contains(name)).map(|change| &change.impulses);
            if let Some(impulses) = impulses.clone().next().filter(|impulses| !impulses.is_empty()) {
                object["impulse"] =
                    impulses.iter().map(|(name, impulse)| (name.clone(), json!(impulse))).collect();
            }
            object
        };
        self.motion().events.iter().map(event).collect()
    }

    /// Constraints that followed from others, and when.
    fn redundant_json(&self) -> Value {
        let redundant = self.motion().redundant.iter();
        redundant.map(|r| json!({ "name": r.name, "from": r.from, "to": r.to })).collect()
    }

    /// Start values that were changed to be consistent: name, what was given, what was used.
    pub fn moved(&self) -> Vec<(String, f64, f64)> {
        let start = &self.subject.model.start;
        if self.motion().began.len() != self.motion().layout.len() {
            return Vec::new();
        }
        let (q, v) = match self.subject.mechanism() {
            Some(_) => {
                let (q, v, _) = self.motion().layout.split(&self.motion().began);
                (q, v)
            }
            // Multipliers are not given.
            None => {
                let multipliers =
                    self.subject.partition().map_or(0, |system| PartitionedSystem::structure(system).m());
                (&self.motion().began[..self.motion().began.len() - multipliers], &[][..])
            }
        };
        let names = self.subject.model.coordinates();
        let positions = names.iter().cloned().zip(start.q.iter().zip(q));
        let velocities = names.iter().map(|name| format!("{name}'")).zip(start.v.iter().zip(v));
        let all = positions.chain(velocities).map(|(name, (given, used))| (name, *given, *used));
        all.filter(|(_, given, used)| (given - used).abs() > MOVED * (1.0 + given.abs())).collect()
    }

    fn moved_json(&self) -> Value {
        let moved = self.moved().into_iter();
        Value::Object(
            moved.map(|(name, given, used)| (name, json!({ "given": given, "used": used }))).collect(),
        )
    }

    fn stats_json(&self) -> Value {
        let count = self.statistics();
        json!({
            "steps": count.steps,
            "accepted": count.accepted,
            "rejected": count.rejected(),
            "rhs": count.rhs,
            "jacobians": count.jacobians,
            "factorizations": count.factorizations,
            "newton_iterations": count.newton_iterations,
            "projections": count.projections,
            "solves": count.solves,
            "local_errors": count.local_errors,
            "seconds": self.seconds(),
        })
    }
}
