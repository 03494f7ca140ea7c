//! What the command is asked for.

use std::path::PathBuf;

/// How problems are measured and where results go.
pub struct Arguments {
    /// results as JSON; diagrams are written beside them
    pub results: PathBuf,
    /// rounds of interleaved runs
    pub rounds: usize,
    /// only problems whose names contain this; `chain` for the chains
    pub only: Option<String>,
    /// runs RADAU5 with full matrices on the chain, too
    pub dense_chain: bool,
}

impl Arguments {
    /// `[RESULTS.json] [--rounds N] [--only NAME] [--dense-chain]`
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments =
            Arguments { results: "results.json".into(), rounds: 9, only: None, dense_chain: false };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--rounds" => arguments.rounds = value()?.parse().map_err(|_| "--rounds needs a number")?,
                "--only" => arguments.only = Some(value()?),
                "--dense-chain" => arguments.dense_chain = true,
                option if option.starts_with('-') => return Err(format!("there is no option {option}")),
                path => arguments.results = path.into(),
            }
        }
        if arguments.rounds == 0 {
            return Err("--rounds needs a number above 0".into());
        }
        Ok(arguments)
    }

    pub fn asks_for(&self, name: &str) -> bool {
        self.only.as_deref().is_none_or(|part| name.contains(part))
    }
}
