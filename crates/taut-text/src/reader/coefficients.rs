//! `[coefficients]`: which Lobatto coefficients of SPARK methods treat which terms.

use taut::method::{Shares, SparkOptions};
use taut::system::{ForceClass, RatePart};
use taut_tableau::Lobatto;
use toml::de::DeValue;

use super::Reader;
use super::document::Section;
use super::entries::Entry;
use super::lower::Role;
use crate::source::Span;

/// Shares that add up to 1 but for this are rounded.
const ROUNDING: f64 = 1e-12;
const POSITIONS: &str = "positions";
const REACTIONS: &str = "reactions";

/// What coefficients are given to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Treated {
    Positions,
    Part(RatePart),
}

impl<'a> Reader<'a> {
    /// Coefficients by the name of a class, of a term of `[partitioned]`, or of a spring.
    pub(super) fn read_coefficients(&mut self) -> SparkOptions {
        let mut options = SparkOptions::default();
        let mut given: Vec<(Treated, Shares, Span)> = Vec::new();
        for part in self.document.parts(Section::Coefficients) {
            for entry in self.entries(&part) {
                let treated = self.treated(&entry);
                let shares = self.shares(&entry);
                let (Some(treated), Some(shares)) = (treated, shares) else { continue };
                let other = given.iter().find(|(known, other, _)| *known == treated && *other != shares);
                if let Some((_, _, place)) = other {
                    self.mistakes
                        .add(entry.span, "terms of one class have the same coefficients")
                        .label(format!("'{}' is of a class that has others", entry.name))
                        .also(*place, "these");
                    continue;
                }
                given.push((treated, shares, entry.span));
            }
        }
        for (treated, shares, _) in given {
            match treated {
                Treated::Positions => options.positions = shares,
                Treated::Part(RatePart::Reaction) => options.reactions = shares,
                Treated::Part(RatePart::Class(class)) => match class {
                    ForceClass::Conservative => options.conservative = shares,
                    ForceClass::Dissipative => options.dissipative = shares,
                    ForceClass::Driving => options.driving = shares,
                    ForceClass::Oscillatory => options.oscillatory = Some(shares),
                },
            }
        }
        options
    }

    fn treated(&mut self, entry: &Entry<'a>) -> Option<Treated> {
        let name = entry.name.as_str();
        let class = ForceClass::ALL.into_iter().find(|class| class.name() == name);
        let term = self.term_classes.iter().find(|(term, _)| term == name).map(|(_, part)| *part);
        let spring = self.reactions.is_spring(name);
        match (name, class, term) {
            (POSITIONS, ..) => return Some(Treated::Positions),
            (REACTIONS, ..) => return Some(Treated::Part(RatePart::Reaction)),
            (_, Some(class), _) => return Some(Treated::Part(RatePart::Class(class))),
            (_, _, Some(part)) => return Some(Treated::Part(part)),
            _ if spring => return Some(Treated::Part(RatePart::Class(ForceClass::Oscillatory))),
            _ => {}
        }
        let classes = ForceClass::ALL.map(ForceClass::name);
        let terms = self.term_classes.iter().map(|(term, _)| term.as_str());
        let known: Vec<&str> = [POSITIONS, REACTIONS].into_iter().chain(classes).chain(terms).collect();
        self.mistakes
            .add(entry.span, format!("there are no coefficients of '{name}'"))
            .label("neither a class nor a term")
            .suggest(name, known);
        None
    }

    /// `"lobatto-iiic"`, or shares of several: `{ lobatto-iiib = 0.4, lobatto-iiic = 0.6 }`.
    fn shares(&mut self, entry: &Entry<'a>) -> Option<Shares> {
        let span = Span::new(entry.value.span());
        let table = match entry.value.get_ref() {
            DeValue::String(name) => return self.lobatto(name, span).map(Shares::only),
            DeValue::Table(table) => table,
            _ => {
                self.mistakes
                    .add(span, "coefficients have a name")
                    .help("\"lobatto-iiic\", or shares: { lobatto-iiib = 0.4, lobatto-iiic = 0.6 }");
                return None;
            }
        };
        let mut shares = Vec::new();
        for (key, value) in table {
            let lobatto = self.lobatto(key.get_ref(), Span::new(key.span()));
            let share = self.number(value, &mut entry.indices.clone(), &Role::constant("a share"));
            let share = share.and_then(|share| self.structural_value(share));
            shares.push((lobatto?, share?));
        }
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        if shares.iter().any(|(_, share)| *share < 0.0) || (sum - 1.0).abs() > ROUNDING {
            self.mistakes
                .add(span, "shares are not negative and add up to 1")
                .label(format!("they add up to {sum}"));
            return None;
        }
        Some(Shares::of(&shares))
    }

    fn lobatto(&mut self, name: &str, span: Span) -> Option<Lobatto> {
        let found = Lobatto::ALL.into_iter().find(|lobatto| lobatto.family().to_string() == name);
        if found.is_none() {
            let known = Lobatto::ALL.map(|lobatto| lobatto.family().to_string());
            self.mistakes
                .add(span, format!("there are no coefficients '{name}'"))
                .suggest(name, known.iter().map(String::as_str));
        }
        found
    }
}
