//! What can be typed behind `taut sweep`.

use std::path::PathBuf;

use clap::Args;

use super::{How, Subject};
use crate::settings;
use crate::sweep::{Axis, parse_axis};

const EXAMPLES: &str = "\
Examples:
  taut sweep pendulum --vary g=1..10:19 --out g.csv                     19 runs
  taut sweep pendulum --vary l=0.5,1,2 --vary \"x'=-1..1:5\" --out a.csv   all combinations
  taut sweep squeezer --vary c0=1e3..1e5:20:log --out c.parquet         equal ratios
  taut sweep pendulum --vary g=1..10 --vary l=1..2 --random 1000 --sobol --out s.parquet
  taut sweep pendulum --table runs.csv --out results.csv                the rows of a table
  taut sweep chain --vary N=2,5,10 --out n.csv --trajectories motions --samples 100

Stopped by Ctrl-C or killed, the same command goes on where it was: runs that are in the file are not made again.
A run that fails is a row with `status` and `reason`. Exit status: 0 all runs were made, 2 the command line or the model is wrong,
3 the sweep was stopped, or a file could not be written.";

/// What is varied, how, and where the rows go.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Sweep {
    /// what is integrated
    #[command(flatten)]
    pub subject: Subject,
    /// Vary a parameter or a start value; FROM..TO:COUNT:log for equal ratios, A,B,C for single values; repeated: all
    /// combinations
    #[arg(long, value_name = "NAME=FROM..TO:COUNT", value_parser = parse_axis, help_heading = "Runs")]
    pub vary: Vec<Axis>,
    /// Take the runs from a table, .csv or .parquet: a column for each name, a row for each run
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vary", "random"], help_heading = "Runs")]
    pub table: Option<PathBuf>,
    /// Make N runs with random values between the ends of --vary NAME=FROM..TO
    #[arg(long, value_name = "N", requires = "vary", help_heading = "Runs")]
    pub random: Option<u64>,
    /// Another seed, other values [default: 0]
    #[arg(long, value_name = "S", requires = "random", help_heading = "Runs")]
    pub seed: Option<u64>,
    /// A Latin hypercube instead of independent values
    #[arg(long, requires = "random", conflicts_with = "sobol", help_heading = "Runs")]
    pub latin: bool,
    /// Sobol's sequence instead of independent values
    #[arg(long, requires = "random", help_heading = "Runs")]
    pub sobol: bool,
    /// Run on so many threads [default: as many as there are cores]; the rows are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024), help_heading = "Runs")]
    pub threads: Option<u64>,
    /// Run on a Dask cluster, the address of its scheduler (needs Python with taut, pandas and dask.distributed)
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["threads", "trajectories"], help_heading = "Runs")]
    pub dask: Option<String>,
    /// how
    #[command(flatten)]
    pub how: How,
    /// End time; the model's own when it is not given
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = settings::parse_number, help_heading = "Time and output")]
    pub until: Option<f64>,
    /// Write one row for each run; the ending chooses the format: .csv, .parquet
    #[arg(long, value_name = "FILE", help_heading = "Time and output")]
    pub out: PathBuf,
    /// Write the trajectory of each run to DIR/RUN.csv or .parquet, as --out is
    #[arg(long, value_name = "DIR", help_heading = "Time and output")]
    pub trajectories: Option<PathBuf>,
    /// Trajectories at N equidistant times, start and end included; else at every step
    #[arg(
        long,
        value_name = "N",
        requires = "trajectories",
        conflicts_with = "every",
        help_heading = "Time and output"
    )]
    pub samples: Option<usize>,
    /// Trajectories every DT from the start on
    #[arg(long, value_name = "DT", requires = "trajectories", allow_hyphen_values = true, value_parser = settings::parse_positive, help_heading = "Time and output")]
    pub every: Option<f64>,
    /// Write one page with distributions and maps of what came out, which opens in any browser: an .html file
    #[arg(long, value_name = "FILE", help_heading = "Time and output")]
    pub report: Option<PathBuf>,
    /// Print the summary as one JSON object, and nothing else
    #[arg(long)]
    pub json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub quiet: bool,
}
