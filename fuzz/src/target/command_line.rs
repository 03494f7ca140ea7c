//! Command lines of `taut run`: whatever is typed, there is a motion or a message.

use std::path::Path;

use super::Target;
use crate::running::{not_finite, run};

/// Command lines of `taut run`.
pub struct CommandLines;

impl Target for CommandLines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn seeds(&self) -> Vec<String> {
        [
            "pendulum --until 0.1",
            "pendulum --until -1e-3 --rtol 1e-9 --atol 1e-12",
            "four-bar --method radau --stages 5 --until 0.1",
            "car-axis --step 1e-3 --until 5e-3",
            "chain --set N=3 --until 0.1 --method bdf",
            "double-pendulum --method spark --controller reversible --until 0.1",
            "stiff-spring-pendulum --smooth-start 2 --vibrations follow --until 1e-3",
            "knife-edge --formulation index2 --project full --until 0.1",
            "van-der-pol --approach indirect --method gauss --until 0.01 --samples 3",
            "pendulum --set x=0.6 --set x'=0.3 --until 0.1 --every 0.01",
        ]
        .map(str::to_owned)
        .into()
    }

    fn feed(&self, input: &str, _folder: &Path) -> Result<(), String> {
        // Files belong to their own target and tests, and a hostile line shall write none. How long a run may take is not left
        // to chance either.
        let left_out = ["--out", "--plot", "--report", "--checkpoint", "--resume", "--max-steps"];
        let kept = |word: &&str| !left_out.iter().any(|option| word.starts_with(option));
        let mut all: Vec<&str> = input.split_whitespace().filter(kept).collect();
        all.extend(["--max-steps", "50"]);
        not_finite(&run(&all)?).map_or(Ok(()), Err)
    }
}
