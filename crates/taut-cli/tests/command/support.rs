//! How tests call the command.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

/// A call that is made in a folder of its own.
pub struct Folder(tempfile::TempDir);

/// What came of a call.
pub struct Answer {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Answer {
    fn from(output: Output) -> Self {
        Answer {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Answer {
    /// The JSON object on standard output, which must be all there is.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }
}

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    /// Calls the command here with arguments that are separated by blanks.
    pub fn taut(&self, arguments: &str) -> Answer {
        self.call(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    /// Calls the command here.
    pub fn call(&self, arguments: &[&str]) -> Answer {
        let mut command = Command::cargo_bin("taut").unwrap();
        command.current_dir(self.path()).args(arguments).output().unwrap().into()
    }
}

/// Calls the command somewhere.
pub fn taut(arguments: &str) -> Answer {
    Folder::new().taut(arguments)
}

/// A list of numbers.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// The keys of an object.
pub fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}
