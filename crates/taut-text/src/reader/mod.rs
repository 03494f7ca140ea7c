//! From the text of a model file to what a model is made of.

mod bodies;
mod calls;
mod coefficients;
mod constraints;
mod document;
mod draw;
mod entries;
mod events;
mod first_order;
mod given;
mod hamiltonian;
mod implicit;
mod include;
mod included;
mod jumps;
mod kind;
mod kinetic;
mod known;
mod lookup;
mod lower;
mod mechanical;
mod names;
mod overrides;
mod partitioned;
mod quantity;
mod reactions;
mod starts;
mod surroundings;
mod tables;
mod units;
mod values;
mod words;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use taut::start::Fixed;
use taut::system::RatePart;

use crate::compiled::Contents;
use crate::expression::Expression;
use crate::limits;
use crate::mistake::{Errors, Mistakes};
use crate::source::Source;
use calls::{Frame, UserFunction};
pub(crate) use document::parse_toml;
use document::{Document, Kind, Section};
use entries::Entry;
use known::Known;
use names::{Meaning, Names, reserved};
use overrides::Overrides;
use reactions::Reactions;
use starts::Later;
use taut_formula::graph::{Graph, Node};
use taut_formula::number::DoubleDouble;
use units::Units;

/// The values of the indices of the repetitions around an expression.
type Indices = Vec<(Rc<str>, f64)>;

/// How parameters are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameters {
    /// as inputs of the formulas, to be set later
    Inputs,
    /// as numbers
    Numbers,
    /// as inputs of the formulas, and so is every number of the file, so that all of them can be given as they are written
    Exact,
}

/// A model that was not compiled.
pub(crate) struct Refused {
    pub(crate) errors: Errors,
    /// Whether it has parameters, so that it may be another one with parameters as numbers.
    pub(crate) has_parameters: bool,
}

impl Refused {
    fn new(mistakes: Mistakes, source: &Source) -> Self {
        Refused { errors: mistakes.into_errors(source), has_parameters: false }
    }
}

/// The names of the sections that a model file may have.
pub fn sections() -> impl Iterator<Item = &'static str> {
    Section::ALL.into_iter().map(Section::name)
}

/// Exact values of inputs, where these are known.
type Exact = Vec<Option<DoubleDouble>>;

/// Reads and compiles a model. All mistakes of the file are collected.
pub(crate) fn compile(
    source: &Source,
    overrides: &[(String, f64)],
    parameters: Parameters,
) -> Result<Contents, Refused> {
    compile_exactly(source, overrides, parameters).map(|(contents, _)| contents)
}

/// The same with the exact values of inputs, where these are known.
pub(crate) fn compile_exactly(
    source: &Source,
    overrides: &[(String, f64)],
    parameters: Parameters,
) -> Result<(Contents, Exact), Refused> {
    compile_within(source, overrides, parameters, &Vec::new())
}

/// The same for a model that others include.
fn compile_within(
    source: &Source,
    overrides: &[(String, f64)],
    parameters: Parameters,
    around: &include::Around,
) -> Result<(Contents, Exact), Refused> {
    let mut mistakes = Mistakes::default();
    let text = source.text();
    if text.len() > limits::FILE_BYTES {
        mistakes.add_elsewhere(format!(
            "{}: a model file has at most {} bytes",
            source.name(),
            limits::FILE_BYTES
        ));
        return Err(Refused::new(mistakes, source));
    }
    let root = parse_toml(source, &mut mistakes);
    if mistakes.any() {
        return Err(Refused::new(mistakes, source));
    }
    let included = include::include(source, &root, around, &mut mistakes);
    if mistakes.any() {
        return Err(Refused::new(mistakes, source));
    }
    let (whole, behind) = with_included(source, &included.texts);
    let roots: Vec<_> = behind.iter().map(|text| parse_toml(text, &mut mistakes)).collect();
    let mut document = Document::new(&root, &mut mistakes);
    for root in &roots {
        document.take_in(Document::new(root, &mut mistakes));
    }
    let parameters = match document.first(Section::Bodies) {
        Some(_) => Parameters::Numbers,
        None => parameters,
    };
    let mut reader = Reader::new(&whole, document, mistakes, overrides, parameters);
    reader.written = text.len();
    reader.files = included.files;
    let model = reader.model();
    reader.check_size();
    match model {
        Some(contents) if !reader.mistakes.any() => {
            let exact = reader.exact();
            let graph = Arc::new(reader.graph.closed());
            Ok((Contents { graph, source: source.clone(), ..contents }, exact))
        }
        _ => {
            let has_parameters = reader.known.has_parameters();
            Err(Refused { has_parameters, ..Refused::new(reader.mistakes, &whole) })
        }
    }
}

/// A source with included models behind it, and each of these with as much space before it as stands there: places in all of
/// them are places in the whole.
fn with_included(source: &Source, texts: &[String]) -> (Source, Vec<Source>) {
    let (mut whole, mut behind) = (source.text().to_string(), Vec::new());
    for text in texts {
        whole.push('\n');
        behind.push(Source::new(source.name(), format!("{}{text}", " ".repeat(whole.len()))));
        whole.push_str(text);
    }
    (Source::new(source.name(), whole), behind)
}

struct Reader<'a> {
    source: &'a Source,
    text: &'a str,
    document: Document<'a>,
    graph: Graph,
    names: Names,
    /// Names whose formula has a mistake of its own.
    failed: HashSet<String>,
    /// Names that are given further down in the section that is being read.
    below: HashSet<String>,
    /// Some names could not be formed, so that an unknown one may be a consequence.
    names_are_missing: bool,
    /// Expressions by their place, so that repetitions parse them once.
    parsed: HashMap<usize, Option<Rc<Expression>>>,
    kind: Kind,
    /// the terms of `[partitioned]` with their classes
    term_classes: Vec<(String, RatePart)>,
    /// whether the expression that is being read may contain rates of variables
    takes_rates: bool,
    /// the index of variables, where it is declared
    index: Vec<(usize, u8)>,
    /// the rates of change of variables, where they are known
    rates: Vec<Option<Node>>,
    /// `[functions]`
    functions: HashMap<String, UserFunction>,
    /// The functions that are being put in, innermost last.
    calls: Vec<Frame>,
    overrides: Overrides<'a>,
    known: Known,
    repetitions: usize,
    /// absolute tolerances of single coordinates or variables
    absolute: Vec<(usize, f64)>,
    /// start values that are kept
    fixed: Fixed,
    /// what is known of units
    units: Units,
    /// start values that are read when definitions are known
    later: Vec<Later<'a>>,
    /// how often formulas of start values have to be evaluated until all of them are known
    start_passes: usize,
    /// what observations may ask of constraints
    reactions: Reactions,
    /// constraints that are not in force at the start
    inactive: Vec<String>,
    /// whether jumps are looked for
    smooth: bool,
    /// what was made smooth
    frozen: Option<jumps::Frozen>,
    /// where tables are looked up
    lookups: jumps::Lookups,
    /// `[tables]`
    tables: HashMap<String, tables::Table>,
    /// names and texts of files that were read beside the model
    files: Vec<(String, String)>,
    /// how long the text of the file is; what is included stands behind it
    written: usize,
    /// tables that must not be left
    fences: Vec<tables::Fence>,
    /// what expressions may ask of bodies and joints
    body_names: Option<bodies::BodyNames>,
    mistakes: Mistakes,
}

impl<'a> Reader<'a> {
    fn new(
        source: &'a Source,
        document: Document<'a>,
        mistakes: Mistakes,
        overrides: &'a [(String, f64)],
        parameters: Parameters,
    ) -> Self {
        Reader {
            source,
            text: source.text(),
            document,
            graph: Graph::new(),
            names: Names::default(),
            failed: HashSet::new(),
            below: HashSet::new(),
            names_are_missing: false,
            parsed: HashMap::new(),
            kind: Kind::Mechanical,
            term_classes: Vec::new(),
            rates: Vec::new(),
            takes_rates: false,
            index: Vec::new(),
            functions: HashMap::new(),
            calls: Vec::new(),
            overrides: Overrides::new(overrides),
            known: Known::new(parameters),
            repetitions: 0,
            absolute: Vec::new(),
            fixed: Fixed::default(),
            reactions: Reactions::default(),
            inactive: Vec::new(),
            smooth: true,
            frozen: None,
            lookups: jumps::Lookups::default(),
            tables: HashMap::new(),
            files: Vec::new(),
            written: usize::MAX,
            fences: Vec::new(),
            later: Vec::new(),
            units: Units::default(),
            start_passes: 0,
            body_names: None,
            mistakes,
        }
    }

    fn model(&mut self) -> Option<Contents> {
        self.read_functions();
        self.read_tables();
        self.read_time_unit();
        self.read_parameters();
        self.kind = self.kind_of_model()?;
        match (self.kind, self.document.first(Section::Bodies)) {
            (Kind::Mechanical, Some(_)) => self.bodies_model(),
            (Kind::Mechanical, None) => self.mechanical_model(),
            (Kind::Hamiltonian, _) => self.hamiltonian_model(),
            (Kind::Partitioned, _) => self.partitioned_model(),
            (Kind::FirstOrder, _) => self.first_order_model(),
        }
    }

    /// Gives a name its meaning; one that is taken or cannot be a name is a mistake.
    fn give(&mut self, entry: &Entry<'_>, meaning: Option<Meaning>) {
        let name = &entry.name;
        let Some(meaning) = meaning.filter(|_| self.is_good_name(entry)) else {
            self.failed.insert(name.clone());
            return;
        };
        if let Some(reason) = reserved(name) {
            self.mistakes.add(entry.span, format!("{reason} and cannot be given another meaning"));
        } else if self.names.place(name) == Some(entry.span) {
            self.mistakes
                .add(entry.span, format!("every repetition gives the name '{name}'"))
                .help(format!("an index makes the names differ, such as \"{name}{{i}}\""));
        } else if let Some(place) = self.names.place(name) {
            self.mistakes
                .add(entry.span, format!("the name '{name}' is given twice"))
                .label("again here")
                .also(place, "first here");
        } else if self.names.len() >= limits::NAMES {
            self.mistakes.add(entry.span, "too many names").label(format!("more than {}", limits::NAMES));
        } else {
            self.names.insert(name.clone(), meaning, entry.span);
        }
    }

    /// A model that is too large was not understood to its end, so nothing else is said of it.
    fn check_size(&mut self) {
        if self.graph.is_exhausted() {
            self.mistakes = Mistakes::default();
            self.mistakes.add_elsewhere(format!(
                "the model is too large: its formulas and their derivatives have more than {} operations",
                self.graph.most_operations()
            ));
        }
    }
}
