//! What is wrong with a model file, as a compiler says it.

use std::collections::HashSet;
use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::limits;
use crate::nearest::nearest;
use crate::source::{Source, Span};

/// One mistake in a model file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistake {
    /// what is wrong
    pub message: String,
    /// a few words under the offending text
    pub label: String,
    /// what to write instead, or what was meant
    pub help: Option<String>,
    /// the offending text; a mistake in an override has none
    pub span: Option<Span>,
    /// another place that matters, with a few words
    pub also: Option<(Span, String)>,
    /// line of the offending text, from 1
    pub line: Option<usize>,
    /// column of the offending text in characters, from 1
    pub column: Option<usize>,
}

impl Mistake {
    pub(crate) fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = label.into();
        self
    }

    pub(crate) fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn also(&mut self, span: Span, label: impl Into<String>) -> &mut Self {
        self.also = Some((span, label.into()));
        self
    }

    /// Suggests the nearest of the known names, or else lists them when they are few.
    pub(crate) fn suggest<'a>(&mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> &mut Self {
        const FEW: usize = 12;
        let known: Vec<&str> = known.into_iter().collect();
        if let Some(meant) = nearest(name, known.iter().copied()) {
            self.help = Some(format!("did you mean '{meant}'?"));
        } else if !known.is_empty() && known.len() <= FEW {
            self.help = Some(format!("known here: {}", known.join(", ")));
        }
        self
    }
}

/// All mistakes of one model file. `Display` renders them with the offending text underlined, without colours.
#[derive(Clone, Debug)]
pub struct Errors {
    source: Source,
    mistakes: Vec<Mistake>,
}

impl Errors {
    /// The mistakes, in the order of the file.
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }

    /// The file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The rendering for a terminal with colours.
    pub fn coloured(&self) -> String {
        self.render(&Renderer::styled())
    }

    fn render(&self, renderer: &Renderer) -> String {
        let rendered: Vec<String> = self.mistakes.iter().map(|m| self.render_one(m, renderer)).collect();
        rendered.join("\n\n")
    }

    fn render_one(&self, mistake: &Mistake, renderer: &Renderer) -> String {
        let text = self.source.text();
        let mut group = Group::with_title(Level::ERROR.primary_title(&mistake.message));
        if let Some(span) = mistake.span {
            let mut snippet = Snippet::source(text)
                .path(self.source.name())
                .annotation(AnnotationKind::Primary.span(span.within(text)).label(&mistake.label));
            if let Some((span, label)) = &mistake.also {
                snippet = snippet.annotation(AnnotationKind::Context.span(span.within(text)).label(label));
            }
            group = group.element(snippet);
        }
        if let Some(help) = &mistake.help {
            group = group.element(Level::HELP.message(help));
        }
        renderer.render(&[group])
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

impl std::error::Error for Errors {}

/// Where mistakes are collected while a file is read.
#[derive(Debug, Default)]
pub(crate) struct Mistakes {
    found: Vec<Mistake>,
    places: HashSet<Span>,
    /// What a mistake beyond the limit is written to.
    surplus: Mistake,
}

impl Mistakes {
    /// Notes a mistake. A second one at the same place is dropped: it is the same one in the next repetition.
    pub(crate) fn add(&mut self, span: Span, message: impl Into<String>) -> &mut Mistake {
        if self.found.len() >= limits::MISTAKES || !self.places.insert(span) {
            return &mut self.surplus;
        }
        self.push(Mistake { message: message.into(), span: Some(span), ..Mistake::default() })
    }

    /// Notes a mistake that is not in the file.
    pub(crate) fn add_elsewhere(&mut self, message: impl Into<String>) -> &mut Mistake {
        self.push(Mistake { message: message.into(), ..Mistake::default() })
    }

    fn push(&mut self, mistake: Mistake) -> &mut Mistake {
        self.found.push(mistake);
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    /// Whether a mistake at this place is known.
    pub(crate) fn has(&self, span: Span) -> bool {
        self.places.contains(&span)
    }

    pub(crate) fn any(&self) -> bool {
        !self.found.is_empty()
    }

    /// The errors in the order of the file.
    pub(crate) fn into_errors(mut self, source: &Source) -> Errors {
        for mistake in &mut self.found {
            if let Some(span) = mistake.span {
                let (line, column) = source.place(span.start);
                mistake.line = Some(line);
                mistake.column = Some(column);
            }
        }
        self.found.sort_by_key(|mistake| mistake.span);
        Errors { source: source.clone(), mistakes: self.found }
    }
}
