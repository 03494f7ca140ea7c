//! Ctrl-C: the first one asks, the second one insists.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The status of a process that Ctrl-C has ended, to shells.
const ENDED_BY_CTRL_C: i32 = 130;

/// How often the user asked to stop.
#[derive(Debug)]
pub struct Interrupt {
    asked: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Listens to Ctrl-C and to a request of the system to terminate. The second one does not wait for the step in progress.
    pub fn listen() -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let heard = Arc::clone(&asked);
        // Without a handler Ctrl-C ends the process at once, as it does anyway.
        let _ = ctrlc::set_handler(move || {
            if heard.fetch_add(1, Ordering::Relaxed) > 0 {
                std::process::exit(ENDED_BY_CTRL_C);
            }
        });
        Interrupt { asked }
    }

    /// Whether the user asked to stop.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed) > 0
    }
}
