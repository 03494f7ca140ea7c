//! The disk. Whatever changes a file goes through it, so that tests can let each operation fail in turn.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How operations fail, from the n-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// this one alone; what is written is written by half
    Once,
    /// no room is left: whatever needs some fails, what frees some does not
    Full,
    /// the process has ended: nothing after it has an effect
    Killed,
}

/// Counts operations, and knows which one is to fail.
#[derive(Debug)]
struct Plan {
    fault: Fault,
    at: usize,
    done: AtomicUsize,
    failed: AtomicBool,
}

/// Where files are written.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    plan: Option<Arc<Plan>>,
}

impl Disk {
    /// A disk whose n-th operation fails, counted from 1.
    pub fn failing(fault: Fault, at: usize) -> Self {
        Disk {
            plan: Some(Arc::new(Plan {
                fault,
                at,
                done: AtomicUsize::new(0),
                failed: AtomicBool::new(false),
            })),
        }
    }

    /// Whether an operation has failed.
    pub fn has_failed(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.failed.load(Ordering::Relaxed))
    }

    /// Counts an operation, and says how it fails.
    fn count(&self, needs_room: bool) -> Option<Fault> {
        let plan = self.plan.as_ref()?;
        let number = plan.done.fetch_add(1, Ordering::Relaxed) + 1;
        let fails = match plan.fault {
            Fault::Once => number == plan.at,
            Fault::Full => number >= plan.at && needs_room,
            Fault::Killed => number >= plan.at,
        };
        plan.failed.fetch_or(fails, Ordering::Relaxed);
        fails.then_some(plan.fault)
    }

    fn operate(&self, needs_room: bool) -> io::Result<()> {
        match self.count(needs_room) {
            None => Ok(()),
            Some(fault) => Err(fault.into()),
        }
    }

    /// Makes a file that is not there yet: nothing that is there is written to, and no link is followed.
    pub fn create_new(&self, path: &Path) -> io::Result<DiskFile> {
        self.operate(true)?;
        let file = File::options().read(true).write(true).create_new(true).open(path)?;
        Ok(DiskFile { disk: self.clone(), file })
    }

    /// Makes a file anew, whatever a run that was killed has left there.
    pub fn create_anew(&self, path: &Path) -> io::Result<DiskFile> {
        if path.symlink_metadata().is_ok() {
            self.remove(path)?;
        }
        self.create_new(path)
    }

    /// Opens a file to go on with it.
    pub fn open(&self, path: &Path) -> io::Result<DiskFile> {
        let file = File::options().read(true).write(true).open(path)?;
        Ok(DiskFile { disk: self.clone(), file })
    }

    /// Removes a file.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        self.operate(false)?;
        std::fs::remove_file(path)
    }

    /// Writes a file in one piece: one that is there is replaced, never damaged.
    pub fn replace(
        &self,
        path: &Path,
        write: impl FnOnce(&mut BufWriter<DiskFile>) -> io::Result<()>,
    ) -> io::Result<()> {
        let new = beside(path, "new");
        let replaced = self.create_anew(&new).and_then(|file| {
            let mut writer = BufWriter::new(file);
            write(&mut writer)?;
            let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync()?;
            self.operate(false)?;
            std::fs::rename(&new, path)?;
            self.sync_folder(path)
        });
        if replaced.is_err() && new.exists() {
            // The first error is the one to tell.
            let _ = self.remove(&new);
        }
        replaced
    }

    /// Makes sure that the name of a file outlives the machine.
    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.operate(false)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Some systems cannot open a folder; there is nothing to be done about it then.
        File::open(folder).map_or(Ok(()), |folder| folder.sync_all())
    }
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Once => io::Error::other("this operation was to fail"),
            Fault::Full => io::Error::new(io::ErrorKind::StorageFull, "no room is left"),
            Fault::Killed => io::Error::other("the process has ended"),
        }
    }
}

/// FILE.ENDING, beside a file.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// A file that is written.
#[derive(Debug)]
pub struct DiskFile {
    disk: Disk,
    file: File,
}

impl DiskFile {
    /// Waits until all of it is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.disk.operate(false)?;
        self.file.sync_data()
    }

    /// Cuts the file.
    pub fn cut(&self, length: u64) -> io::Result<()> {
        self.disk.operate(false)?;
        self.file.set_len(length)
    }

    /// Its length.
    pub fn length(&self) -> io::Result<u64> {
        self.file.metadata().map(|metadata| metadata.len())
    }

    /// Writes at a place.
    pub fn write_at(&mut self, place: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(place))?;
        self.write_all(bytes)
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.disk.count(true) {
            None => self.file.write(bytes),
            Some(fault) => {
                self.file.write_all(&bytes[..bytes.len() / 2])?;
                Err(fault.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for DiskFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for DiskFile {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.file.seek(place)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_is_replaced_is_whole_whichever_operation_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for fault in [Fault::Once, Fault::Full, Fault::Killed] {
            for at in 1..20 {
                std::fs::write(&path, "old").unwrap();
                let disk = Disk::failing(fault, at);
                let replaced = disk.replace(&path, |file| file.write_all(b"new words"));
                let text = std::fs::read_to_string(&path).unwrap();
                match replaced {
                    Ok(()) => assert_eq!(text, "new words", "{fault:?} {at}"),
                    Err(_) => assert!(text == "old" || text == "new words", "{fault:?} {at}: {text}"),
                }
                if fault != Fault::Killed {
                    assert!(!beside(&path, "new").exists() || fault == Fault::Once, "{fault:?} {at}");
                }
                let _ = std::fs::remove_file(beside(&path, "new"));
            }
        }
    }

    #[test]
    fn a_file_that_is_there_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "mine").unwrap();
        assert!(Disk::default().create_new(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }
}
