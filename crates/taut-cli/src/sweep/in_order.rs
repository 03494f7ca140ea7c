//! Work on threads whose results are taken in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver as Results, RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The receiver is asked this often whether to go on.
const REST: Duration = Duration::from_millis(50);
/// About so many bytes of results wait for an earlier one.
const WAITING: usize = 16 << 20;

/// Who takes results.
pub trait Receiver<T, E> {
    /// Takes the next result.
    fn take(&mut self, number: u64, result: T) -> Result<(), E>;

    /// Called now and then with the number of results that were found, in order or not; an error stops all threads.
    fn rest(&mut self, found: u64) -> Result<(), E>;
}

/// How far work may run ahead of the oldest one that is not done, when a result has so many bytes.
pub fn window(bytes: usize) -> u64 {
    (WAITING / bytes.max(1)).clamp(64, 1 << 14) as u64
}

/// How far results have been taken; work waits that would run too far ahead.
struct Gate {
    taken: Mutex<u64>,
    moved: Condvar,
    window: u64,
}

impl Gate {
    fn wait(&self, number: u64, stop: &AtomicBool) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while number >= taken.saturating_add(self.window) && !stop.load(Ordering::Relaxed) {
            taken = self.moved.wait_timeout(taken, REST).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn open(&self, taken: u64) {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = taken;
        self.moved.notify_all();
    }
}

/// Works on numbers of a range, on threads; whoever is free takes the next one. Results go to the receiver in order. Work that
/// gives nothing was stopped. An error of work or receiver stops everything and is returned.
pub fn in_order<T: Send, E: Send>(
    range: Range<u64>,
    threads: usize,
    window: u64,
    stop: &AtomicBool,
    work: &(dyn Fn(u64) -> Result<Option<T>, E> + Sync),
    receiver: &mut dyn Receiver<T, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(range.start);
    let gate = Gate { taken: Mutex::new(range.start), moved: Condvar::new(), window };
    let most = (range.end - range.start).clamp(1, 4096) as usize;
    let (found, results) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, most) {
            let (found, next, gate, end) = (found.clone(), &next, &gate, range.end);
            scope.spawn(move || labour((next, end), gate, stop, work, &found));
        }
        drop(found);
        let outcome = collect(range.start, &results, &gate, receiver);
        if outcome.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        outcome
    })
}

/// Takes one number after the other until there are none.
fn labour<T, E>(
    (next, end): (&AtomicU64, u64),
    gate: &Gate,
    stop: &AtomicBool,
    work: &dyn Fn(u64) -> Result<Option<T>, E>,
    found: &Sender<(u64, Result<T, E>)>,
) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= end {
            return;
        }
        gate.wait(number, stop);
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let Some(result) = work(number).transpose() else { return };
        // Nobody listens any more when everything was stopped.
        if found.send((number, result)).is_err() {
            return;
        }
    }
}

fn collect<T, E>(
    first: u64,
    results: &Results<(u64, Result<T, E>)>,
    gate: &Gate,
    receiver: &mut dyn Receiver<T, E>,
) -> Result<(), E> {
    let (mut taken, mut waiting, mut asked) = (first, BTreeMap::new(), Instant::now());
    loop {
        match results.recv_timeout(REST) {
            Ok((number, result)) => {
                waiting.insert(number, result?);
                while let Some(result) = waiting.remove(&taken) {
                    receiver.take(taken, result)?;
                    taken += 1;
                }
                gate.open(taken);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if asked.elapsed() >= REST {
            asked = Instant::now();
            receiver.rest(taken + waiting.len() as u64)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Taken {
        numbers: Vec<u64>,
        refuse_at: Option<u64>,
    }

    impl Receiver<u64, String> for Taken {
        fn take(&mut self, number: u64, result: u64) -> Result<(), String> {
            assert_eq!(number * number, result);
            self.numbers.push(number);
            if self.refuse_at == Some(number) { Err(format!("refused {number}")) } else { Ok(()) }
        }

        fn rest(&mut self, _found: u64) -> Result<(), String> {
            Ok(())
        }
    }

    #[test]
    fn results_come_in_order_and_each_once() {
        for threads in [1, 2, 5] {
            let mut taken = Taken::default();
            let work = |k: u64| {
                if k % 17 == 3 {
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(Some(k * k))
            };
            let done = in_order(5..500, threads, 8, &AtomicBool::new(false), &work, &mut taken);
            assert_eq!((done, taken.numbers), (Ok(()), (5..500).collect()));
        }
    }

    /// While one thread is busy, the others do what is left, as far as the window reaches, and not beyond.
    #[test]
    fn nobody_runs_farther_ahead_than_the_window() {
        let (oldest_done, farthest) = (AtomicBool::new(false), AtomicU64::new(0));
        let work = |k: u64| {
            if k == 0 {
                let began = Instant::now();
                while farthest.load(Ordering::SeqCst) < 99 && began.elapsed() < Duration::from_secs(20) {
                    thread::sleep(Duration::from_millis(1));
                }
                // Time for one that would run too far.
                thread::sleep(Duration::from_millis(20));
                oldest_done.store(true, Ordering::SeqCst);
            } else if !oldest_done.load(Ordering::SeqCst) {
                farthest.fetch_max(k, Ordering::SeqCst);
            }
            Ok(Some(k * k))
        };
        let mut taken = Taken::default();
        let done = in_order(0..300, 3, 100, &AtomicBool::new(false), &work, &mut taken);
        assert_eq!((done, taken.numbers.len()), (Ok(()), 300));
        assert_eq!(farthest.load(Ordering::SeqCst), 99);
    }

    #[test]
    fn errors_and_the_wish_to_stop_end_it() {
        let stop = AtomicBool::new(false);
        let mut taken = Taken { refuse_at: Some(40), ..Taken::default() };
        let done = in_order(0..10_000, 2, 8, &stop, &|k| Ok(Some(k * k)), &mut taken);
        assert_eq!(done, Err("refused 40".to_owned()));
        let failing = |k: u64| if k == 9 { Err("work failed".to_owned()) } else { Ok(Some(k * k)) };
        let done = in_order(0..1000, 2, 8, &AtomicBool::new(false), &failing, &mut Taken::default());
        assert_eq!(done, Err("work failed".to_owned()));
        let stop = AtomicBool::new(false);
        let stopping = |k: u64| {
            if k == 20 {
                stop.store(true, Ordering::Relaxed);
                return Ok(None);
            }
            Ok(Some(k * k))
        };
        let mut taken = Taken::default();
        assert_eq!(in_order(0..1000, 2, 8, &stop, &stopping, &mut taken), Ok(()));
        // What was found in order is there; who had not begun yet did not begin.
        assert!(taken.numbers.len() <= 20 && taken.numbers.iter().copied().eq(0..taken.numbers.len() as u64));
    }
}
