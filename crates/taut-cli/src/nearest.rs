//! What was meant by a name that nothing has.

/// Names that are less alike than this have nothing to do with each other.
const ALIKE: f64 = 0.8;

/// The known name that is most like the typed one.
pub fn nearest<'n>(typed: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let likeness = |name: &str| strsim::jaro_winkler(typed, name);
    known.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).filter(|name| likeness(name) > ALIKE)
}
