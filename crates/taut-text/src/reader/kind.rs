//! What kind of model a file is.

use super::Reader;
use super::document::{Kind, Part, Section};
use crate::source::Span;

impl<'a> Reader<'a> {
    /// Whether the model has coordinates with velocities.
    pub(super) fn is_mechanical(&self) -> bool {
        self.kind == Kind::Mechanical
    }

    /// The kind of the model. Sections of other kinds are mistakes.
    pub(super) fn kind_of_model(&mut self) -> Option<Kind> {
        self.check_bodies();
        let first = |section| self.document.first(section);
        let bodies = first(Section::Bodies);
        let coordinates = bodies.or(first(Section::Coordinates));
        let (variables, partitioned) = (first(Section::Variables), first(Section::Partitioned));
        let (kind, place) = match (coordinates, variables, partitioned) {
            (None, None, None) => return self.no_kind(),
            (Some(coordinates), Some(variables), _) => {
                self.mistakes
                    .add(variables.span, "a model has coordinates or variables, not both")
                    .label("a first-order model")
                    .also(coordinates.span, "a mechanical model");
                return None;
            }
            (Some(coordinates), None, _) => match first(Section::Hamiltonian) {
                Some(hamiltonian) => (Kind::Hamiltonian, hamiltonian),
                None => (Kind::Mechanical, coordinates),
            },
            (None, _, Some(partitioned)) => (Kind::Partitioned, partitioned),
            (None, Some(variables), None) => (Kind::FirstOrder, variables),
        };
        self.check_sections(kind, &place);
        Some(kind)
    }

    fn no_kind<T>(&mut self) -> Option<T> {
        let mistake = match self.document.first(Section::Hamiltonian) {
            Some(part) => self.mistakes.add(part.span, "an energy H(q, p) needs [coordinates]"),
            None => self
                .mistakes
                .add(Span { start: 0, end: 0 }, "this model has neither coordinates nor variables"),
        };
        mistake.help("[coordinates] or [bodies] begin a mechanical model, [variables] a first-order one");
        None
    }

    fn check_sections(&mut self, kind: Kind, place: &Part<'a>) {
        for part in self.document.parts.clone() {
            if part.section.belongs_to(kind) {
                continue;
            }
            let mistake = self
                .mistakes
                .add(part.span, format!("{} has no [{}]", kind.words(), part.section.name()))
                .also(place.span, kind.words());
            if kind == Kind::Hamiltonian && part.section == Section::Energy {
                mistake.help("its energy is that of [hamiltonian], a function of coordinates and momenta");
            }
        }
    }

    /// What belongs to bodies needs bodies.
    fn check_bodies(&mut self) {
        if self.document.first(Section::Bodies).is_some() {
            return;
        }
        let sections = self.document.parts.iter().filter(|part| part.section.is_of_bodies());
        let keys = [self.document.gravity, self.document.plane].into_iter().flatten().map(|(span, _)| span);
        let spans: Vec<Span> = sections.map(|part| part.span).chain(keys).collect();
        for span in spans {
            self.mistakes.add(span, "this belongs to a model with [bodies]").label("there are none");
        }
    }
}
