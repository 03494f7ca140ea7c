//! Checkpoints: one that is damaged is refused; one that was changed on purpose, with the right checksum, ends with numbers or
//! in words.

use std::path::Path;
use std::sync::OnceLock;

use super::Target;
use crate::running::{not_finite, run};

/// Runs whose checkpoints are changed.
const RUNS: [&str; 4] = [
    "pendulum --until 2 --method dopri8",
    "pendulum --until 2 --method radau",
    "van-der-pol --until 0.5 --method bdf",
    "pendulum --until 2 --method spark",
];

/// Checkpoints.
#[derive(Default)]
pub struct Checkpoints {
    made: OnceLock<Vec<String>>,
}

impl Checkpoints {
    fn made(&self) -> &[String] {
        self.made.get_or_init(|| {
            let Ok(folder) = tempfile::tempdir() else { return Vec::new() };
            let path = folder.path().join("c.json").display().to_string();
            let make = |words: &str| {
                let mut words: Vec<&str> = words.split_whitespace().collect();
                words.extend(["--checkpoint", &path]);
                run(&words).ok()?;
                std::fs::read_to_string(&path).ok()
            };
            RUNS.into_iter().filter_map(make).collect()
        })
    }
}

impl Target for Checkpoints {
    fn name(&self) -> &'static str {
        "checkpoints"
    }

    fn seeds(&self) -> Vec<String> {
        self.made().to_vec()
    }

    fn feed(&self, input: &str, folder: &Path) -> Result<(), String> {
        let path = folder.join("c.json");
        let resume = |text: &str| {
            std::fs::write(&path, text).map_err(|error| error.to_string())?;
            let (model, until) =
                if input.contains("van-der-pol") { ("van-der-pol", "1") } else { ("pendulum", "3") };
            let path = path.display().to_string();
            run(&[model, "--resume", &path, "--until", until, "--max-steps", "400"])
        };
        let ran = resume(input)?;
        if ran.status == 0 && !self.made().iter().any(|made| made == input) {
            return Err("a checkpoint that was changed is taken".to_owned());
        }
        let ran = resume(&signed(input))?;
        not_finite(&ran).map_or(Ok(()), Err)
    }
}

/// The text with the checksum that it should have: FNV-1a of all that stands before it.
fn signed(text: &str) -> String {
    const BEFORE: &str = ",\n  \"checksum\": \"";
    let Some((before, _)) = text.rsplit_once(BEFORE) else { return text.to_owned() };
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = before.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{before}{BEFORE}{hash:016x}\"\n}}")
}
