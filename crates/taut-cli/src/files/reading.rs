//! Files are measured before they are read.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

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

/// What standard input has, up to so many bytes. It is read once.
pub fn read_standard_input(most: u64) -> Result<String, Failure> {
    static READ: OnceLock<String> = OnceLock::new();
    if let Some(text) = READ.get() {
        return Ok(text.clone());
    }
    let text = drain_standard_input(most)?;
    Ok(READ.get_or_init(|| text).clone())
}

fn drain_standard_input(most: u64) -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(most + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::file(Path::new("standard input"), error))?;
    if text.len() as u64 > most {
        let reason = format!("it has more than {most} bytes, and at most so many are read");
        return Err(Failure::file(Path::new("standard input"), reason));
    }
    Ok(text)
}
