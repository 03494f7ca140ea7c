//! What is varied: the values of every run, from its number alone.

use serde_json::{Value, json};

use super::axis::{Axis, Spacing, Values};
use super::sampling::{latin, uniform};
use super::sobol::{MOST_DIMENSIONS, Sobol};
use crate::hash::Hash;
use crate::outcome::Failure;

/// More runs than this are a mistake of the command line.
const MOST_RUNS: u64 = 1_000_000_000_000;

/// How samples are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sampling {
    /// independent and uniform
    #[default]
    Independent,
    /// a Latin hypercube: one sample in each of as many equal parts as there are samples, in every dimension
    Latin,
    /// Sobol's sequence
    Sobol,
}

impl Sampling {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Sampling::Independent => "independent",
            Sampling::Latin => "latin",
            Sampling::Sobol => "sobol",
        }
    }
}

/// Where the values come from.
enum Plan {
    /// all combinations, the last axis fastest
    Grid(Vec<Axis>),
    Random {
        axes: Vec<Axis>,
        seed: u64,
        sampling: Sampling,
        sequences: Vec<Sobol>,
    },
    /// row after row
    Table(Vec<f64>),
}

/// The runs of a sweep.
pub struct Cases {
    names: Vec<String>,
    count: u64,
    plan: Plan,
}

impl Cases {
    /// All combinations of the values of some axes.
    pub fn grid(axes: Vec<Axis>) -> Result<Self, Failure> {
        let names = names(&axes)?;
        let mut count = 1_u64;
        for axis in &axes {
            let values = axis.count().ok_or_else(|| {
                let name = &axis.name;
                Failure::wrong(format!(
                    "--vary {name}: how many values? Write {name}=FROM..TO:COUNT, or add --random N"
                ))
            })?;
            count = count.saturating_mul(values);
        }
        check_count(count)?;
        Ok(Cases { names, count, plan: Plan::Grid(axes) })
    }

    /// Samples between the ends of some axes.
    pub fn random(axes: Vec<Axis>, count: u64, seed: u64, sampling: Sampling) -> Result<Self, Failure> {
        let names = names(&axes)?;
        check_count(count)?;
        let counted = |axis: &&Axis| matches!(axis.values, Values::Range { count: Some(_), .. });
        if let Some(axis) = axes.iter().find(counted) {
            let name = &axis.name;
            return Err(Failure::wrong(format!(
                "--vary {name}: --random says how many runs there are; write {name}=FROM..TO without a count"
            )));
        }
        if sampling == Sampling::Sobol && axes.len() > MOST_DIMENSIONS {
            return Err(Failure::wrong(format!(
                "--sobol has {MOST_DIMENSIONS} dimensions, and {} things are varied; take --latin",
                axes.len()
            )));
        }
        let sequences = (0..axes.len()).map(Sobol::new).collect();
        Ok(Cases { names, count, plan: Plan::Random { axes, seed, sampling, sequences } })
    }

    /// The rows of a table.
    pub fn table(names: Vec<String>, values: Vec<f64>) -> Result<Self, Failure> {
        let count = (values.len() / names.len().max(1)) as u64;
        check_count(count)?;
        Ok(Cases { names, count, plan: Plan::Table(values) })
    }

    /// What is varied.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many runs there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The values of a run, in the order of the names.
    pub fn values(&self, run: u64) -> Vec<f64> {
        match &self.plan {
            Plan::Grid(axes) => {
                let mut values = vec![0.0; axes.len()];
                let mut rest = run;
                for (value, axis) in values.iter_mut().zip(axes).rev() {
                    let count = axis.count().unwrap_or(1);
                    *value = axis.value(rest % count);
                    rest /= count;
                }
                values
            }
            Plan::Random { axes, seed, sampling, sequences } => {
                let share = |d: usize| match sampling {
                    Sampling::Independent => uniform(*seed, d as u64, run),
                    Sampling::Latin => latin(*seed, d as u64, run, self.count),
                    Sampling::Sobol => sequences[d].shifted(run, *seed, d as u64),
                };
                axes.iter().enumerate().map(|(d, axis)| axis.at(share(d))).collect()
            }
            Plan::Table(values) => {
                let first = run as usize * self.names.len();
                values[first..first + self.names.len()].to_vec()
            }
        }
    }

    /// The values of a run with their names.
    pub fn set(&self, run: u64) -> Vec<(String, f64)> {
        self.names.iter().cloned().zip(self.values(run)).collect()
    }

    /// All values that one of the names takes, as far as they are known beforehand.
    pub fn values_of(&self, name: &str) -> Vec<f64> {
        let Some(place) = self.names.iter().position(|known| known == name) else { return Vec::new() };
        let mut values: Vec<f64> = match &self.plan {
            Plan::Grid(axes) => (0..axes[place].count().unwrap_or(0)).map(|k| axes[place].value(k)).collect(),
            Plan::Random { axes, .. } => match &axes[place].values {
                Values::List(list) => list.clone(),
                Values::Range { from, to, .. } => vec![*from, *to],
            },
            Plan::Table(values) => values.iter().skip(place).step_by(self.names.len()).copied().collect(),
        };
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }

    /// For the manifest: whatever decides the values.
    pub fn to_json(&self) -> Value {
        match &self.plan {
            Plan::Grid(axes) => {
                json!({ "kind": "grid", "runs": self.count, "vary": axes.iter().map(axis_json).collect::<Vec<_>>() })
            }
            Plan::Random { axes, seed, sampling, .. } => json!({
                "kind": "random", "runs": self.count, "sampling": sampling.name(), "seed": seed,
                "vary": axes.iter().map(axis_json).collect::<Vec<_>>()
            }),
            Plan::Table(values) => {
                let mut hash = Hash::default();
                hash.take(values);
                json!({ "kind": "table", "runs": self.count, "names": self.names, "hash": hash.to_string() })
            }
        }
    }
}

fn axis_json(axis: &Axis) -> Value {
    match &axis.values {
        Values::List(list) => json!({ "name": axis.name, "values": list }),
        Values::Range { from, to, count, spacing } => {
            let spacing = if *spacing == Spacing::Linear { "lin" } else { "log" };
            json!({ "name": axis.name, "from": from, "to": to, "count": count, "spacing": spacing })
        }
    }
}

/// The names of axes, of which none may be there twice.
fn names(axes: &[Axis]) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = axes.iter().map(|axis| axis.name.clone()).collect();
    check_names(&names)?;
    Ok(names)
}

/// None may be there twice.
pub fn check_names(names: &[String]) -> Result<(), Failure> {
    let twice = names.iter().enumerate().find(|(k, name)| names[..*k].contains(name));
    twice.map_or(Ok(()), |(_, name)| Err(Failure::wrong(format!("'{name}' is varied twice"))))
}

fn check_count(count: u64) -> Result<(), Failure> {
    match count {
        0 => Err(Failure::wrong("there are no runs in this sweep")),
        1..=MOST_RUNS => Ok(()),
        _ => Err(Failure::wrong(format!("there are more than {MOST_RUNS} runs in this sweep"))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::axis::parse_axis;
    use super::*;

    fn axes(texts: &[&str]) -> Vec<Axis> {
        texts.iter().map(|text| parse_axis(text).unwrap()).collect()
    }

    #[test]
    fn the_last_axis_of_a_grid_is_the_fastest() {
        let cases = Cases::grid(axes(&["a=1..2:2", "b=10,20,30"])).unwrap();
        let all: Vec<Vec<f64>> = (0..cases.count()).map(|run| cases.values(run)).collect();
        let expected = [[1., 10.], [1., 20.], [1., 30.], [2., 10.], [2., 20.], [2., 30.]];
        assert_eq!(all, expected.map(|row| row.to_vec()));
    }

    #[test]
    fn samples_stay_between_the_ends() {
        for sampling in [Sampling::Independent, Sampling::Latin, Sampling::Sobol] {
            let cases =
                Cases::random(axes(&["a=-1..2", "k=1e-3..1e3:log", "n=2,3"]), 1000, 3, sampling).unwrap();
            let rows: Vec<Vec<f64>> = (0..1000).map(|run| cases.values(run)).collect();
            for row in &rows {
                assert!((-1.0..2.0).contains(&row[0]) && (1e-3..1e3).contains(&row[1]), "{row:?}");
                assert!(row[2] == 2.0 || row[2] == 3.0);
            }
            let below = rows.iter().filter(|row| row[1] < 1.0).count();
            assert!((400..600).contains(&below), "{sampling:?}: {below}");
            let mean = rows.iter().map(|row| row[0]).sum::<f64>() / 1000.0;
            assert!((mean - 0.5).abs() < 0.15, "{sampling:?}: {mean}");
        }
        let other = Cases::random(axes(&["a=-1..2"]), 10, 4, Sampling::Latin).unwrap();
        let one = Cases::random(axes(&["a=-1..2"]), 10, 3, Sampling::Latin).unwrap();
        assert_ne!(one.values(0), other.values(0));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let message = |cases: Result<Cases, Failure>| cases.err().unwrap().message;
        assert!(message(Cases::grid(axes(&["a=1..2"]))).contains("how many values?"));
        assert!(message(Cases::grid(axes(&["a=1..2:2", "a=1,2"]))).contains("'a' is varied twice"));
        let many = ["a=1..2:1000000", "b=1..2:1000000", "c=1..2:1000000", "d=1..2:1000000"];
        assert!(message(Cases::grid(axes(&many))).contains("more than"));
        let counted = Cases::random(axes(&["a=1..2:3"]), 10, 0, Sampling::Latin);
        assert!(message(counted).contains("without a count"));
        assert!(message(Cases::random(axes(&["a=1..2"]), 0, 0, Sampling::Latin)).contains("no runs"));
        let wide: Vec<String> = (0..22).map(|k| format!("p{k}=1..2")).collect();
        let wide: Vec<&str> = wide.iter().map(String::as_str).collect();
        assert!(message(Cases::random(axes(&wide), 10, 0, Sampling::Sobol)).contains("21 dimensions"));
    }
}
