//! What tests of checkpoints share.

use taut::run::{Observer, Snapshot};

/// Keeps all snapshots.
#[derive(Default)]
pub struct Keeper(pub Vec<Snapshot>);

impl Observer for Keeper {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.0.push(snapshot.clone());
    }
}
