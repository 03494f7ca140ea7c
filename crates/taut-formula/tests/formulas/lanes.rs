//! With `TAUT_LANES=1` formulas are evaluated one state at a time, with the sines of the library.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::process::Command;

use taut_formula::function::Unary;
use taut_formula::graph::{Graph, Input};
use taut_formula::tape::{Compiler, Evaluator, States};

const STATES: usize = 500;

/// Sines and cosines of numbers between -100 and 100.
fn evaluated() -> Vec<f64> {
    let mut graph = Graph::new();
    let x = graph.input(Input::Position(0));
    let nodes = [graph.unary(Unary::Sin, x), graph.unary(Unary::Cos, x)];
    let tape = Evaluator::without_parameters(Compiler::new(&graph, 1, 0).tape(&nodes));
    let q: Vec<f64> = (0..STATES).map(|k| 200.0 * (k as f64 * 0.618_033_988_75).fract() - 100.0).collect();
    let mut out = vec![0.0; 2 * STATES];
    assert!(tape.evaluate_many(States { t: &[0.0; STATES], q: &q, ..States::default() }, &mut [&mut out]));
    out
}

/// Prints the bits, for the test below.
#[test]
fn values() {
    for value in evaluated() {
        println!("value {:x}", value.to_bits());
    }
}

#[test]
fn one_lane_agrees_to_two_units_in_the_last_place() {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "lanes::values", "--nocapture"])
        .env("TAUT_LANES", "1")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let bits = text.lines().filter_map(|line| line.split("value ").nth(1));
    let alone: Vec<i64> = bits.map(|bits| u64::from_str_radix(bits.trim(), 16).unwrap() as i64).collect();
    let here = evaluated();
    assert_eq!(alone.len(), here.len());
    for (alone, here) in alone.into_iter().zip(here) {
        assert!(alone.abs_diff(here.to_bits() as i64) <= 2, "{alone:x} {here}");
    }
}
