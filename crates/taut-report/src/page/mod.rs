//! One HTML file that opens anywhere, offline.

mod binary;
mod data;
mod figure;
mod html;
mod model_text;
mod panels;

use crate::plot::Group;
use crate::scene::Scene;
use crate::track::Track;

/// What the times of a motion are called.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// usually t
    pub name: String,
    /// empty when nobody knows it
    pub unit: String,
    /// whether times are spread by powers of ten
    pub logarithmic: bool,
}

impl Default for Time {
    fn default() -> Self {
        Time { name: "t".to_owned(), unit: String::new(), logarithmic: false }
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// what
    pub name: String,
    /// when
    pub t: f64,
}

/// Whether a note says that something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gravity {
    /// good to know
    Remark,
    /// to be looked at
    Warning,
    /// the run did not reach its end, or a claim failed
    Trouble,
}

/// What a reader should know before anything else.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// how bad it is
    pub gravity: Gravity,
    /// one sentence
    pub text: String,
}

/// Names and values under a title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// what it is about
    pub title: String,
    /// the heads of its columns; empty for names and values
    pub heads: Vec<String>,
    /// its rows
    pub rows: Vec<Vec<String>>,
}

/// The text of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelText {
    /// the name of its file
    pub name: String,
    /// all of it
    pub text: String,
}

/// Everything that a page shows. What is empty is left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// what it shows
    pub title: String,
    /// in one line, how it was made
    pub subtitle: String,
    /// a few figures at the head: what, and how much
    pub facts: Vec<(String, String)>,
    /// what a reader should know
    pub notes: Vec<Note>,
    /// the time of everything that moves
    pub time: Time,
    /// the motion
    pub motion: Track,
    /// other columns, for plots
    pub tables: Vec<Track>,
    /// what is animated
    pub scene: Option<Scene>,
    /// the plots
    pub groups: Vec<Group>,
    /// marks on the time line
    pub events: Vec<Event>,
    /// the summary
    pub summary: Vec<Table>,
    /// the text of the model
    pub model: Option<ModelText>,
    /// how to get the same again: what, and the text to copy
    pub reproduce: Vec<(String, String)>,
}

impl Report {
    /// The page.
    pub fn to_html(&self) -> String {
        html::page(self)
    }
}
