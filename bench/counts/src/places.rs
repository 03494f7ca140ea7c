//! Repeated parts of formulas beside the same formulas by hand, by time: chains of many links.

use std::hint::black_box;
use std::time::Instant;

use taut::system::{Dynamics, MechanicalSystem};
use taut_lab::start_of;
use taut_problems::mechanics::planar_chain;
use taut_text::{Model, Source, builtin};

use crate::workloads::Failure;

/// So many links are evaluated in one measurement, and so many of these are taken in turns.
const LINKS: usize = 1_000_000;
const ROUNDS: usize = 15;

/// A mechanism at one state, with room for M, f, g and G.
struct Evaluated<'a> {
    system: &'a dyn MechanicalSystem,
    state: &'a [f64],
    blocks: [Vec<f64>; 4],
}

impl<'a> Evaluated<'a> {
    fn new(system: &'a dyn MechanicalSystem, state: &'a [f64]) -> Self {
        let structure = system.structure();
        let sizes = [structure.mass.nnz(), structure.n(), structure.m(), structure.jacobian.nnz()];
        Evaluated { system, state, blocks: sizes.map(|size| vec![0.0; size]) }
    }

    /// Evaluates M, f, g and G so often.
    fn evaluate(&mut self, times: usize) -> Result<(), Failure> {
        let n = self.system.structure().n();
        for _ in 0..times {
            let (q, v) = black_box(self.state).split_at(n);
            let [mass, force, constraint, jacobian] = &mut self.blocks;
            let mut out = Dynamics { mass, force, constraint, jacobian };
            self.system.dynamics(0.01, q, &v[..n], &mut out)?;
        }
        black_box(&self.blocks);
        Ok(())
    }

    /// Nanoseconds that a link takes.
    fn nanoseconds(&mut self) -> Result<f64, Failure> {
        let links = self.system.structure().m();
        let times = (LINKS / links).max(1);
        let begun = Instant::now();
        self.evaluate(times)?;
        Ok(begun.elapsed().as_secs_f64() * 1e9 / (times * links) as f64)
    }
}

/// The chain of so many links from its model file.
pub fn model(links: usize) -> Result<Model, Failure> {
    let found = builtin().iter().find(|(known, ..)| *known == "chain");
    let (name, _, text) = found.ok_or("there is no such model")?;
    Ok(Model::read(&Source::new(*name, *text), &[("N".to_owned(), links as f64)])?)
}

/// Prints the time that a link takes from the model file and by hand, the shortest of measurements in turns.
pub fn table(links: &[&str]) -> Result<(), Failure> {
    for links in links {
        let links: usize = links.parse()?;
        let (problem, model) = (planar_chain(links), model(links)?);
        let not_mechanical = "the chain is a mechanical system";
        let [text, hand] = [model.system.mechanism(), problem.system.mechanism()];
        let (text, hand) = (text.ok_or(not_mechanical)?, hand.ok_or(not_mechanical)?);
        let state = start_of(&problem);
        let mut both = [Evaluated::new(text, &state), Evaluated::new(hand, &state)];
        let mut shortest = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            for (shortest, evaluated) in shortest.iter_mut().zip(&mut both) {
                *shortest = shortest.min(evaluated.nanoseconds()?);
            }
        }
        let [text, hand] = shortest;
        let ratio = text / hand;
        println!(
            "{links:>8} links: {text:6.2} ns a link from the model file, {hand:6.2} by hand: {ratio:.2}"
        );
    }
    Ok(())
}
