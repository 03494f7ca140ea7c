//! Ctrl-C: the first one asks, the second one insists.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The status of a process that Ctrl-C has ended, to shells.
const ENDED_BY_CTRL_C: i32 = 130;

/// Whether the user asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to Ctrl-C and to a request of the system to terminate. The second one does not wait for the step in progress.
    pub fn listen() -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&asked);
        // Without a handler Ctrl-C ends the process at once, as it does anyway.
        let _ = ctrlc::set_handler(move || {
            if heard.swap(true, Ordering::Relaxed) {
                std::process::exit(ENDED_BY_CTRL_C);
            }
        });
        Interrupt { asked }
    }

    /// Whether the user asked to stop.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}
