//! Ctrl-C: the first one asks, the second one insists.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a run that was asked to stop may go on to its next checkpoint.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the user asked to stop.
#[derive(Debug)]
pub struct Interrupt {
    asked: Arc<AtomicUsize>,
    since: Option<Instant>,
}

impl Interrupt {
    /// Listens to Ctrl-C and to a request of the system to terminate.
    pub fn listen() -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let heard = Arc::clone(&asked);
        // Without a handler Ctrl-C ends the process at once, as it does anyway.
        let _ = ctrlc::set_handler(move || {
            heard.fetch_add(1, Ordering::Relaxed);
        });
        Interrupt { asked, since: None }
    }

    /// Whether the user asked to stop.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed) > 0
    }

    /// Whether the user insists, or the run took too long to come to a good place.
    pub fn is_urgent(&mut self) -> bool {
        let since = *self.since.get_or_insert_with(Instant::now);
        self.asked.load(Ordering::Relaxed) > 1 || since.elapsed() > PATIENCE
    }
}
