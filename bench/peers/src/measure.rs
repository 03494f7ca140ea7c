//! Running all contestants in turn, and what comes out.

use crate::subject::Subject;

/// One way to integrate, with what it is called.
pub struct Contestant<'a> {
    pub name: String,
    pub run: Box<dyn Fn(&Subject, f64) -> Option<Vec<f64>> + 'a>,
}

impl<'a> Contestant<'a> {
    pub fn new(name: impl Into<String>, run: impl Fn(&Subject, f64) -> Option<Vec<f64>> + 'a) -> Self {
        Contestant { name: name.into(), run: Box::new(run) }
    }

    pub fn is_ours(&self) -> bool {
        self.name.starts_with("taut")
    }
}

/// Error and shortest time of one contestant with one tolerance.
#[derive(Clone, Copy)]
pub struct Measured {
    pub tolerance: f64,
    pub error: f64,
    pub seconds: f64,
}

/// Who takes longer for a run is not asked for smaller tolerances.
const LONGEST: f64 = 1.0;
/// Who took longer for all runs with one tolerance is not asked for another round.
const ENOUGH: f64 = 0.5;

/// So many runs in a row: the first one finds caches as the contestant before has left them, which would favour whoever
/// comes after one of the same code.
const IN_A_ROW: usize = 2;

/// The runs of one contestant with one tolerance.
#[derive(Clone)]
struct Best {
    shortest: f64,
    all: f64,
    error: Option<f64>,
}

impl Best {
    fn add(&mut self, error: Option<f64>, seconds: f64) {
        self.shortest = self.shortest.min(seconds);
        self.all += seconds;
        self.error = error;
    }
}

/// Tolerances 1e-1 to 1e-12, two for each power of ten.
pub fn tolerances() -> Vec<f64> {
    (2..=24).map(|k| 10_f64.powf(-0.5 * f64::from(k))).collect()
}

/// Processor time of this process: other work of the machine does not count, but for what it does to caches.
pub fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The result of some work and its processor time.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = processor_seconds();
    let result = work();
    (result, processor_seconds() - begun)
}

/// All contestants with all tolerances, interleaved; the shortest time of all rounds counts. A round goes through all
/// tolerances, so that a machine that is slow for a while slows no tolerance down in all of its rounds.
pub fn measure(
    subject: &Subject,
    contestants: &[Contestant<'_>],
    tolerances: &[f64],
    rounds: usize,
) -> Vec<Vec<Measured>> {
    let unknown = Best { shortest: f64::INFINITY, all: 0.0, error: None };
    let mut runs = vec![vec![unknown; tolerances.len()]; contestants.len()];
    for _ in 0..rounds {
        for (k, &tolerance) in tolerances.iter().enumerate() {
            for (contestant, runs) in contestants.iter().zip(&mut runs) {
                let patient = runs[..k].iter().all(|best| best.shortest < LONGEST);
                for _ in 0..IN_A_ROW {
                    if patient && runs[k].all < ENOUGH {
                        let (y, seconds) = timed(|| (contestant.run)(subject, tolerance));
                        runs[k].add(y.map(|y| subject.error(&y)), seconds);
                    }
                }
            }
        }
    }
    let measured = |(&tolerance, best): (&f64, &Best)| {
        let error = best.error.filter(|error| error.is_finite())?;
        Some(Measured { tolerance, error, seconds: best.shortest })
    };
    runs.iter().map(|runs| tolerances.iter().zip(runs).filter_map(measured).collect()).collect()
}

/// The time for an error: interpolated in logarithms between neighbouring tolerances, or that of a run with a smaller error,
/// whichever is shorter. Nothing where no run was so accurate.
pub fn time_for(measured: &[Measured], error: f64) -> Option<f64> {
    let pairs = measured.windows(2).filter(|pair| {
        let (a, b) = (pair[0].error, pair[1].error);
        a.min(b) <= error && error <= a.max(b) && a != b
    });
    let time = |pair: &[Measured]| {
        let share = (error / pair[0].error).ln() / (pair[1].error / pair[0].error).ln();
        (pair[0].seconds.ln() + share * (pair[1].seconds / pair[0].seconds).ln()).exp()
    };
    let better = measured.iter().filter(|run| run.error <= error).map(|run| run.seconds);
    pairs.map(time).chain(better).min_by(f64::total_cmp)
}
