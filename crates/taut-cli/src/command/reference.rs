//! `taut reference`: reference values, with the digits that two different runs agree on.

use std::io::Write;

use serde_json::{Value, json};
use taut::system::number::{DoubleDouble, Scalar};

use super::digits::Precise;
use crate::arguments::Reference;
use crate::files::{Disk, Places};
use crate::outcome::{Failure, Outcome, Status, print};

/// The second run has an order so much higher, and last terms so much smaller.
const HIGHER: usize = 7;
const SMALLER: f64 = 1e-2;

/// One value with the digits that are agreed on.
struct Agreed {
    name: String,
    value: DoubleDouble,
    digits: usize,
}

/// Integrates twice, with different orders and steps, and prints what both agree on.
pub fn execute(reference: &Reference) -> Outcome {
    Places::default().writes("--out", reference.out.as_deref()).check()?;
    let precise = Precise::load(&reference.subject, reference.until, |_, to| vec![to])?;
    // Two digits more, so that those that are printed are not the last ones.
    let mut digits = precise.model.digits(reference.digits as usize + 2);
    let first = precise.run(&digits)?;
    digits.order += HIGHER;
    digits.share *= SMALLER;
    let second = precise.run(&digits)?;
    let states = first.states.last().zip(second.states.last());
    let (one, other) = states.ok_or_else(|| Failure::wrong("there is no state at the end"))?;
    let names = precise.columns();
    let agreed: Vec<Agreed> = names[1..]
        .iter()
        .zip(one.iter().zip(other))
        .map(|(name, (x, y))| Agreed {
            name: name.clone(),
            value: *y,
            digits: agreement(*x, *y).min(reference.digits as usize),
        })
        .collect();
    let t = precise.times.last().map(|t| t.to_text(reference.digits as usize)).unwrap_or_default();
    let steps = [first.steps, second.steps];
    let text = format!("{:#}\n", to_json(&precise.name, &t, &agreed, (digits.order, steps)));
    if let Some(path) = &reference.out {
        Disk::default()
            .replace(path, |file| file.write_all(text.as_bytes()))
            .map_err(|error| Failure::file(path, error).late())?;
    }
    print(&text)?;
    let enough = agreed.iter().all(|agreed| agreed.digits >= reference.digits as usize);
    Ok(if enough { Status::Done } else { Status::Failed })
}

/// On how many significant digits two numbers agree; of numbers below 1 digits behind the point count.
fn agreement(x: DoubleDouble, y: DoubleDouble) -> usize {
    let difference = (x - y).value().abs() / y.value().abs().max(1.0);
    if difference == 0.0 { usize::MAX } else { (-difference.log10()).floor().max(0.0) as usize }
}

fn to_json(name: &str, t: &str, agreed: &[Agreed], (order, steps): (usize, [usize; 2])) -> Value {
    let values = agreed.iter().map(|agreed| {
        json!({ "name": agreed.name, "value": agreed.value.to_text(agreed.digits), "digits": agreed.digits })
    });
    json!({
        "model": name,
        "t": t,
        "digits": agreed.iter().map(|agreed| agreed.digits).min(),
        "orders": [order - HIGHER, order],
        "steps": steps,
        "values": values.collect::<Vec<Value>>(),
    })
}
