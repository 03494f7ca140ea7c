//! A file that grows at its end.

use std::io;

use crate::files::DiskFile;

/// So many bytes are written at once.
pub const BUFFER: usize = 1 << 16;

/// A file, and what is to be written behind its end.
pub struct Growing {
    file: DiskFile,
    place: u64,
    buffer: Vec<u8>,
}

impl Growing {
    /// A file that ends at `place`, and what comes next.
    pub fn new(file: DiskFile, place: u64, buffer: Vec<u8>) -> Self {
        Growing { file, place, buffer }
    }

    /// Adds what `put` writes behind the bytes that wait.
    pub fn add(&mut self, put: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        put(&mut self.buffer)?;
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Everything that was added is on the disk.
    pub fn secure(&mut self) -> io::Result<()> {
        self.flush()?;
        self.file.sync()
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.file.write_at(self.place, &self.buffer)?;
        self.place += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}
