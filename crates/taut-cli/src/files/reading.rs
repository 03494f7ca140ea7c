//! Files are measured before they are read.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::outcome::Failure;

/// The text of a file that has at most so many bytes. Devices and pipes, which have no length, are refused.
pub fn read_text(path: &Path, most: u64) -> Result<String, Failure> {
    let failed = |error: std::io::Error| Failure::file(path, error);
    let file = File::open(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?;
    if !found.is_file() {
        let kind = if found.is_dir() { "it is a directory" } else { "it is a device or a pipe, not a file" };
        return Err(Failure::file(path, kind));
    }
    if found.len() > most {
        return Err(Failure::file(
            path,
            format!("it has {} bytes, and at most {most} are read", found.len()),
        ));
    }
    let mut text = String::new();
    // It may grow while it is read.
    file.take(most).read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}
