//! Where files may be: tried before the first step, not after the last.

use std::path::{Path, PathBuf};

use super::disk::{Disk, beside};
use crate::outcome::Failure;

/// The files of one command, by the option that names them.
#[derive(Debug, Default)]
pub struct Places {
    written: Vec<(&'static str, PathBuf)>,
    read: Vec<(&'static str, PathBuf)>,
}

impl Places {
    /// A file that is read, and must not be written to.
    pub fn reads(mut self, option: &'static str, path: Option<&Path>) -> Self {
        self.read.extend(path.map(|path| (option, path.to_owned())));
        self
    }

    /// A file that will be written.
    pub fn writes(mut self, option: &'static str, path: Option<&Path>) -> Self {
        self.written.extend(path.map(|path| (option, path.to_owned())));
        self
    }

    /// Whether all files can be written, and none is another one.
    pub fn check(&self) -> Result<(), Failure> {
        for (k, (option, path)) in self.written.iter().enumerate() {
            check_kind(path)?;
            let place = place_of(path)?;
            let others = self.written[..k].iter().chain(&self.read);
            for (other, other_path) in others {
                if place_of(other_path).is_ok_and(|other| other == place) {
                    let reason = format!("{option} would write to the file of {other}");
                    return Err(Failure::file(path, reason));
                }
            }
            try_to_write(path)?;
        }
        Ok(())
    }
}

/// Only files are written to, and new ones.
fn check_kind(path: &Path) -> Result<(), Failure> {
    let Ok(found) = path.symlink_metadata() else { return Ok(()) };
    let kind = found.file_type();
    let reason = if kind.is_dir() {
        "it is a directory"
    } else if kind.is_symlink() {
        "it is a symbolic link: name the file that it leads to"
    } else if !kind.is_file() {
        "it is a device or a pipe, not a file"
    } else {
        return Ok(());
    };
    Err(Failure::file(path, reason))
}

/// The path without detours.
pub fn place_of(path: &Path) -> Result<PathBuf, Failure> {
    let whole = path.canonicalize().or_else(|_| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        folder.canonicalize().map(|folder| folder.join(path.file_name().unwrap_or_default()))
    });
    whole.map_err(|error| Failure::file(path, error))
}

/// Makes a file beside the place and takes it away again.
fn try_to_write(path: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::file(path, error);
    if path.exists() {
        std::fs::File::options().append(true).open(path).map_err(failed)?;
    }
    let (disk, trial) = (Disk::default(), beside(path, "new"));
    disk.create_anew(&trial).and_then(|_| disk.remove(&trial)).map_err(failed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn one_file_has_one_purpose() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a.csv"), folder.path().join("b.json"));
        let detour = folder.path().join(".").join("a.csv");
        let check = |places: Places| places.check().map_err(|failure| failure.message);
        let none = Places::default();
        assert!(check(none.writes("--out", Some(&a)).writes("--checkpoint", Some(&b))).is_ok());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a trial leaves nothing");
        let twice = Places::default().writes("--out", Some(&a)).writes("--checkpoint", Some(&detour));
        assert!(check(twice).unwrap_err().contains("--checkpoint would write to the file of --out"));
        std::fs::write(&b, "").unwrap();
        let model = Places::default().reads("the model", Some(&b)).writes("--out", Some(&b));
        assert!(check(model).unwrap_err().contains("the file of the model"));
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "mine").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        for (path, words) in [
            (folder.path().to_owned(), "a directory"),
            (link, "a symbolic link"),
            (PathBuf::from("/dev/null"), "a device"),
            (folder.path().join("nowhere").join("file"), "nowhere"),
        ] {
            let failure = Places::default().writes("--out", Some(&path)).check().unwrap_err();
            assert!(failure.message.contains(words), "{}", failure.message);
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    }
}
