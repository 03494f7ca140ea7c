//! The nearest known name, for "did you mean".

/// The name among `known` that `name` was probably meant to be.
///
/// Nearest by the number of letters changed, left out, added or exchanged with their neighbour; at most a third of the
/// letters may be wrong.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let allowed = (wanted.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let letters: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        if letters.len().abs_diff(wanted.len()) > allowed {
            continue;
        }
        let distance = edit_distance(&wanted, &letters);
        if distance <= allowed
            && distance < letters.len().max(wanted.len())
            && best.is_none_or(|(d, _)| distance < d)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// Insertions, deletions, substitutions and exchanges of neighbours that turn `a` into `b`.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut before_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; width];
        for j in 1..width {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn misspelt_names_are_found() {
        let known = ["kinetic", "potential", "x1", "x2", "gamma"];
        assert_eq!(nearest("kinetc", known), Some("kinetic"));
        assert_eq!(nearest("potnetial", known), Some("potential"));
        assert_eq!(nearest("Gamma", known), Some("gamma"));
        assert_eq!(nearest("x3", known), Some("x1"));
    }

    #[test]
    fn nothing_is_suggested_for_a_name_unlike_all() {
        assert_eq!(nearest("velocity", ["x", "y", "mass"]), None);
        assert_eq!(nearest("q", ["x", "y"]), None);
    }
}
