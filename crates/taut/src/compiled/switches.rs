//! Times at which formulas jump or have kinks.

use taut_formula::tape::{Evaluator, State};

/// Zeros are looked for between so many times.
const PLACES: usize = 20_000;

/// The zeros of functions of time between two times: for each the last time before it and the first one after it, so that nobody has
/// to evaluate a jump where it happens.
pub(super) fn zeros(functions: &Evaluator, from: f64, to: f64) -> Vec<f64> {
    let mut times = Vec::new();
    let at = |t: f64, values: &mut Vec<f64>| {
        functions.evaluate(State { t, ..State::default() }, &mut [values.as_mut_slice()]);
    };
    let first = functions.evaluate_with(State { t: from, ..State::default() }, <[f64]>::to_vec);
    let Some(mut values) = first.filter(|values| !values.is_empty() && from != to) else { return times };
    let number = values.len();
    let time = |place: usize| from + (to - from) * (place as f64 / PLACES as f64);
    let mut before = values.clone();
    for place in 1..=PLACES {
        at(time(place), &mut values);
        for k in 0..number {
            if changes(before[k], values[k]) {
                let mut one = vec![0.0; number];
                let mut value = |t: f64| {
                    at(t, &mut one);
                    one[k]
                };
                times.extend(around(&mut value, (time(place - 1), before[k]), time(place)));
            }
        }
        before.copy_from_slice(&values);
    }
    times
}

/// A value that is zero at the end of one piece has changed there, and not again at the beginning of the next.
fn changes(before: f64, after: f64) -> bool {
    before != 0.0 && !before.is_nan() && !after.is_nan() && (before < 0.0) != (after < 0.0)
        || before != 0.0 && after == 0.0
}

/// The neighbouring numbers between which a value changes its sign.
fn around(value: &mut impl FnMut(f64) -> f64, (mut low, at_low): (f64, f64), mut high: f64) -> [f64; 2] {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low.min(high) || middle >= low.max(high) {
            break;
        }
        let at_middle = value(middle);
        if at_middle != 0.0 && (at_middle < 0.0) == (at_low < 0.0) { low = middle } else { high = middle }
    }
    // Where the value is zero it belongs to neither side.
    let beyond =
        if value(high) == 0.0 { if high > low { high.next_up() } else { high.next_down() } } else { high };
    [low, beyond]
}
