//! Going over many seeds, and keeping what was found.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::mechanism::judge::{Verdict, judge, judge_seed, second_method};
use crate::mechanism::make;
use crate::minimise;
use crate::mutation::mutate;
use crate::random::Random;
use crate::target::Target;

/// What was found wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// the target, or `mechanisms`
    pub target: &'static str,
    /// the seed that led to it
    pub seed: u64,
    /// what is wrong
    pub words: String,
    /// the input, as it is kept in the corpus
    pub input: String,
}

/// All inputs of a target: its own seeds and its corpus.
pub fn inputs(target: &dyn Target) -> Vec<String> {
    let mut inputs = target.seeds();
    inputs.extend(corpus(target.name()).into_iter().map(|(_, text)| text));
    inputs
}

/// The committed inputs of a target, by the names of their files.
pub fn corpus(name: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<(PathBuf, String)> = entries
        .filter_map(|entry| Some((entry.path(), std::fs::read_to_string(entry.path()).ok()?)))
        .collect();
    files.sort();
    files
}

/// What a seed makes of the inputs of a target.
pub fn mutated(inputs: &[String], seed: u64) -> String {
    let mut random = Random::new(seed);
    match inputs.is_empty() {
        true => mutate("", &mut random),
        false => {
            let input: &String = random.one_of(inputs);
            mutate(input, &mut random)
        }
    }
}

/// Feeds a target with what seeds make of its inputs; the first thing that is found wrong for each of them.
pub fn feed(target: &dyn Target, seeds: impl Iterator<Item = u64>, folder: &Path) -> Vec<Finding> {
    let inputs = inputs(target);
    let mut findings = Vec::new();
    for seed in seeds {
        let input = mutated(&inputs, seed);
        if let Err(words) = target.feed(&input, folder) {
            findings.push(Finding { target: target.name(), seed, words, input });
        }
    }
    findings
}

/// How the mechanisms of some seeds fared.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// how many there were
    pub mechanisms: usize,
    /// runs with status 0, 2 and 3
    pub runs: [usize; 3],
    /// how many times two results were compared
    pub compared: usize,
    /// mechanisms with a warning, whose results are not compared
    pub warned: usize,
    /// what was found wrong
    pub findings: Vec<Finding>,
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        let Verdict { done, refused, stopped, compared, warned } = verdict;
        for (count, more) in self.runs.iter_mut().zip([done, refused, stopped]) {
            *count += more;
        }
        self.compared += usize::from(compared);
        self.warned += usize::from(warned);
    }

    /// What other seeds gave, beside their findings.
    pub fn join(&mut self, other: &Tally) {
        self.mechanisms += other.mechanisms;
        self.compared += other.compared;
        self.runs.iter_mut().zip(other.runs).for_each(|(sum, runs)| *sum += runs);
        self.warned += other.warned;
    }
}

/// Judges the mechanisms of seeds on all processors.
pub fn judge_all(seeds: std::ops::Range<u64>) -> std::io::Result<Tally> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let failed = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let Ok(folder) = tempfile::tempdir() else {
                    failed.store(true, Ordering::Relaxed);
                    return;
                };
                loop {
                    let seed = seeds.start + next.fetch_add(1, Ordering::Relaxed) as u64;
                    if seed >= seeds.end {
                        return;
                    }
                    let verdict = judge_seed(seed, folder.path());
                    let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                    tally.mechanisms += 1;
                    match verdict {
                        Ok(verdict) => tally.add(verdict),
                        Err(words) => {
                            let input = serde_json::to_string(&make(seed)).unwrap_or_default();
                            tally.findings.push(Finding { target: "mechanisms", seed, words, input });
                        }
                    }
                }
            });
        }
    });
    if failed.into_inner() {
        return Err(std::io::Error::other("there is no room for temporary files"));
    }
    Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The smallest input that is wrong in the same way: panic, time, or the same first words.
pub fn minimised(finding: &Finding, target: Option<&dyn Target>, folder: &Path) -> String {
    let alike = |words: &str| words.split([' ', ':']).take(2).eq(finding.words.split([' ', ':']).take(2));
    match target {
        Some(target) => {
            minimise::text(&finding.input, |text| target.feed(text, folder).is_err_and(|words| alike(&words)))
        }
        None => {
            let method = second_method(finding.seed);
            let small = minimise::mechanism(&make(finding.seed), |mechanism| {
                judge(mechanism, method, folder).is_err_and(|words| alike(&words))
            });
            serde_json::to_string_pretty(&small).unwrap_or_default()
        }
    }
}
