//! What can be typed.

mod sweep;

pub use sweep::Sweep;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use taut::equations::Formulation;
use taut::options::{AlgebraicRows, Controller, Projection, Vibrations};

use crate::integration::SecondRun;
use crate::outcome::Failure;
use crate::overrides::{self, Override};
use crate::settings;

const EXAMPLES: &str = "\
Examples:
  taut models                                   what there is to try
  taut models pendulum > mine.toml              an example to begin with
  taut run pendulum                             integrate a built-in model and say how it went
  taut run squeezer --rtol 1e-9                 more accurately
  taut run chain --set N=50 --until 5 --plot chain.png
  taut run mine.toml --out mine.csv --samples 1000
  taut check mine.toml                          is the model what I meant?
  taut sweep pendulum --vary g=1..10:19 --out g.csv   many runs
  taut tableau radau --stages 3                 the coefficients of a method
  taut verify                                   is what the literature says true here?

Exit status: 0 done, 1 a check failed, 2 the command line or the model is wrong, 3 the integration stopped early.";

const RUN_EXAMPLES: &str = "\
Examples:
  taut run pendulum                              steps and method are chosen
  taut run pendulum --set l=2 --set \"x'=0.3\"     another length, another start velocity
  taut run four-bar --method radau --stages 5    one method, fixed order
  taut run car-axis --step 1e-3 --method radau   constant steps
  taut run chain --out chain.npz --samples 500   500 states at equidistant times
  taut run squeezer --json                       the summary as one JSON object
  taut run chain --checkpoint c.json             Ctrl-C stops; then
  taut run chain --resume c.json                 goes on with the same bits";

const MODELS_EXAMPLES: &str = "\
Examples:
  taut models                            what there is
  taut models pendulum > mine.toml       begin a model of your own with one that works";

/// Integrates mechanical systems that are held together by rods and by very stiff springs.
#[derive(Debug, Parser)]
#[command(name = "taut", version, after_help = EXAMPLES, arg_required_else_help = true, max_term_width = 110)]
pub struct Arguments {
    /// what to do
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Integrate a model
    Run(Box<Run>),
    /// Read a model and find consistent initial values; integrate nothing
    Check(Check),
    /// Format model files: one way to place spaces and empty lines; comments stay
    Fmt(Fmt),
    /// Turn a robot of a URDF or MJCF file into a model file
    Import(Import),
    /// Print reference values: the digits on which two runs in double-double numbers agree
    Reference(Reference),
    /// List the built-in models, or print one as an example to copy
    Models(Models),
    /// List the methods: order, stage order, stability, which problems they suit
    Methods(Format),
    /// Print the coefficients of a method and its properties
    Tableau(Tableau),
    /// Run the executable claims of the literature: claimed against measured
    Verify(Verify),
    /// Run a model many times over parameters and start values, in parallel
    Sweep(Box<Sweep>),
    /// Draw a trajectory that was written by `run --out FILE.csv`
    Plot(Plot),
    /// Measure errors and times on the problem library
    Bench(Bench),
    /// Print completions for a shell
    Completions {
        /// bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// Whether a program reads what is printed.
    pub fn is_for_programs(&self) -> bool {
        match self {
            Command::Run(run) => run.json,
            Command::Sweep(sweep) => sweep.json,
            Command::Check(check) => check.json,
            Command::Models(models) => models.json,
            Command::Methods(format) => format.json,
            Command::Tableau(tableau) => tableau.json,
            Command::Verify(verify) => verify.json,
            Command::Bench(bench) => bench.json,
            Command::Reference(_) => true,
            Command::Fmt(_) | Command::Import(_) | Command::Plot(_) | Command::Completions { .. } => false,
        }
    }
}

/// How a list is printed.
#[derive(Debug, Args)]
pub struct Format {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Which built-in models.
#[derive(Debug, Args)]
#[command(after_help = MODELS_EXAMPLES)]
pub struct Models {
    /// The model whose text is printed [default: a list of all]
    pub name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A model and what is changed in it.
#[derive(Debug, Args)]
pub struct Subject {
    /// A built-in model (`taut models` lists them) or the path of a .toml, .urdf or .xml (MJCF) file; - reads standard input
    pub model: String,
    /// Override a parameter or a start value by a number or an expression such as pi/6 or 2*l with a parameter l; x'=0.3 sets a start velocity
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = overrides::parse_override)]
    pub overrides: Vec<Override>,
    /// how a robot's file is read
    #[command(flatten)]
    pub robot: Robot,
}

impl Subject {
    /// The values of the overrides.
    pub fn resolved(&self) -> Result<Vec<(String, f64)>, Failure> {
        overrides::resolved(&self.overrides, &self.model, &self.robot)
    }
}

/// What is to be taken from the file of a robot.
#[derive(Clone, Debug, Default, Args)]
pub struct Robot {
    /// Leave these out of a URDF or MJCF file on purpose
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = ["actuators", "limits", "friction", "contacts"], help_heading = "Robots")]
    pub ignore: Vec<String>,
    /// Refuse a URDF or MJCF file that has what Taut has not
    #[arg(long, help_heading = "Robots")]
    pub strict: bool,
}

/// A robot's file and where its model goes.
#[derive(Debug, Args)]
pub struct Import {
    /// The path of a .urdf or .xml (MJCF) file
    pub file: PathBuf,
    /// Write the model file here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// how it is read
    #[command(flatten)]
    pub robot: Robot,
}

/// How a model is integrated.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub struct Run {
    /// what is integrated
    #[command(flatten)]
    pub subject: Subject,
    /// Print the summary as one JSON object, and nothing else
    #[arg(long)]
    pub json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub quiet: bool,
    /// how
    #[command(flatten)]
    pub how: How,
    /// End time; the model's own when it is not given
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = settings::parse_number, help_heading = "Time and output")]
    pub until: Option<f64>,
    /// Output at N equidistant times, start and end included; else at every step
    #[arg(long, value_name = "N", conflicts_with = "every", help_heading = "Time and output")]
    pub samples: Option<usize>,
    /// Output every DT from the start on
    #[arg(long, value_name = "DT", allow_hyphen_values = true, value_parser = settings::parse_positive, help_heading = "Time and output")]
    pub every: Option<f64>,
    /// Write the trajectory; the ending chooses the format: .csv, .json, .npz, .parquet
    #[arg(long, value_name = "FILE", help_heading = "Time and output")]
    pub out: Option<PathBuf>,
    /// Draw motion, energy error, constraint drift and steps into an .svg or .png file
    #[arg(long, value_name = "FILE", help_heading = "Time and output")]
    pub plot: Option<PathBuf>,
    /// Draw these columns only, separated by commas, in pictures and pages
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Time and output")]
    pub columns: Vec<String>,
    /// Write one page with the motion, plots and the summary, which opens in any browser: an .html file
    #[arg(long, value_name = "FILE", help_heading = "Time and output")]
    pub report: Option<PathBuf>,
    /// Write resumable state while running
    #[arg(long, value_name = "FILE", help_heading = "Stopping and going on")]
    pub checkpoint: Option<PathBuf>,
    /// Integrate in double-double numbers and give so many digits, up to 30; numbers of the model are exactly as written
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u64).range(1..=30), help_heading = "Method and accuracy")]
    pub digits: Option<u64>,
    /// Run again with a tenth of the tolerance to see how far the end is off: auto (where that takes little time), yes, no
    #[arg(long, value_name = "W", default_value = "auto", value_parser = settings::names::parse::<SecondRun>, help_heading = "Method and accuracy")]
    pub second_run: SecondRun,
    /// Go on from such a state; options that are not given are those of the first run
    #[arg(long, value_name = "FILE", help_heading = "Stopping and going on")]
    pub resume: Option<PathBuf>,
}

/// Which reference values.
#[derive(Debug, Args)]
pub struct Reference {
    /// what is integrated
    #[command(flatten)]
    pub subject: Subject,
    /// How many digits
    #[arg(long, value_name = "D", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..=28))]
    pub digits: u64,
    /// End time; the model's own when it is not given
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = settings::parse_number)]
    pub until: Option<f64>,
    /// Write them to this .json file, too
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Method, tolerance, formulation.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Method and accuracy")]
pub struct How {
    /// The method; `taut methods` lists them [default: auto]
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// Fix the number of stages (or the order of bdf, adams, taylor)
    #[arg(long, value_name = "S")]
    pub stages: Option<usize>,
    /// Relative tolerance [default: 1e-6]
    #[arg(long, value_name = "R", allow_hyphen_values = true, value_parser = settings::parse_positive)]
    pub rtol: Option<f64>,
    /// Absolute tolerance [default: the relative one]
    #[arg(long, value_name = "A", allow_hyphen_values = true, value_parser = settings::parse_positive)]
    pub atol: Option<f64>,
    /// Constant steps of this length instead of adaptive ones; solved to rounding unless a tolerance is given
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = settings::parse_positive)]
    pub step: Option<f64>,
    /// What the tolerance bounds: standard (the error of the result), classical (as RADAU5) or reversible (symmetric
    /// steps, for spark and rattle) [default: standard]
    #[arg(long, value_name = "NAME", value_parser = settings::names::parse::<Controller>)]
    pub controller: Option<Controller>,
    /// Which form of the constraints is solved: index3, index2, ggl, index1 [default: index3]
    #[arg(long, value_name = "F", value_parser = settings::names::parse::<Formulation>)]
    pub formulation: Option<Formulation>,
    /// Projection after each step: none, velocity, full [default: what suits the method]
    #[arg(long, value_name = "P", value_parser = settings::names::parse::<Projection>)]
    pub project: Option<Projection>,
    /// Move the start of stiff springs onto the manifold of smooth motion, up to O(eps^(2N)), N = 1, 2, 3
    #[arg(long, value_name = "N", value_parser = settings::parse_passes)]
    pub smooth_start: Option<usize>,
    /// Let redundant constraints contradict the others by so much (rounding of data); the gap is spread over them
    #[arg(long, value_name = "GAP")]
    pub accept_gap: Option<f64>,
    /// Vibrations of stiff springs: follow, damp, averaged (what their energy does to the rest is kept), or auto (damp those
    /// much faster than the motion) [default: auto]
    #[arg(long, value_name = "V", value_parser = settings::names::parse::<Vibrations>)]
    pub vibrations: Option<Vibrations>,
    /// The length of the first adaptive step [default: estimated]
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = settings::parse_positive)]
    pub first_step: Option<f64>,
    /// No adaptive step is longer than this
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = settings::parse_positive)]
    pub max_step: Option<f64>,
    /// Give up after so many adaptive steps [default: 1000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Algebraic variables of index 1 at the end of a step: direct (the formula of the method) or indirect (their
    /// equations solved); the same for radau and bdf [default: direct]
    #[arg(long, value_name = "A", value_parser = settings::names::parse::<AlgebraicRows>)]
    pub approach: Option<AlgebraicRows>,
}

/// Which files are formatted.
#[derive(Debug, Args)]
pub struct Fmt {
    /// Model files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; the status is 1 when a file is not formatted
    #[arg(long)]
    pub check: bool,
}

/// What is checked.
#[derive(Debug, Args)]
pub struct Check {
    /// the model
    #[command(flatten)]
    pub subject: Subject,
    /// Print the model file in canonical form, and nothing else
    #[arg(long, conflicts_with_all = ["overrides", "json"])]
    pub print: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Which tableau.
#[derive(Debug, Args)]
pub struct Tableau {
    /// radau, gauss, radau-ia, lobatto-iiia, lobatto-iiib, lobatto-iiic, lobatto-iiic*, lobatto-iiid, sdirk, esdirk,
    /// dopri5, dopri8, spark or bdf
    pub name: String,
    /// The number of stages, or the order of bdf [default: a usual one]
    #[arg(long, value_name = "S")]
    pub stages: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Which claims are run, and what is made of them.
#[derive(Debug, Args)]
pub struct Verify {
    /// A claim, of which all numbers are printed; or the beginning of some, as `jay` [default: all]
    pub claim: Option<String>,
    /// Leave the long experiments out
    #[arg(long)]
    pub fast: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Draw each claim into DIR/ID.svg
    #[arg(long, value_name = "DIR")]
    pub plot: Option<PathBuf>,
    /// Write one page with all claims and their figures, which opens in any browser: an .html file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Run each experiment on methods that must not satisfy its claim, and print which are caught
    #[arg(long, conflicts_with_all = ["plot", "report", "write"])]
    pub mutants: bool,
    /// Write the page of the documentation, of all claims
    #[arg(long, value_name = "FILE", conflicts_with_all = ["claim", "fast"])]
    pub write: Option<PathBuf>,
    /// Write the page of the documentation on every item of the papers; no experiment is run for it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["claim", "fast", "json", "plot", "report", "mutants", "write"])]
    pub coverage: Option<PathBuf>,
    /// No progress bar
    #[arg(long, short)]
    pub quiet: bool,
}

/// What is drawn.
#[derive(Debug, Args)]
pub struct Plot {
    /// A trajectory in CSV: a header, the time first
    pub file: PathBuf,
    /// The picture, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Draw these columns only, separated by commas
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub columns: Vec<String>,
}

/// What is measured.
#[derive(Debug, Args)]
pub struct Bench {
    /// One problem instead of the usual ones, NAME or NAME/START
    #[arg(long, value_name = "NAME")]
    pub problem: Option<String>,
    /// One method instead of radau and dopri8
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Draw work against precision into an .svg or .png file
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Write one page with diagrams of work and precision, which opens in any browser: an .html file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}
