//! Which fields go with which kind of joint or spring: one that says nothing of its kind is a mistake, not silently passed over.

use toml::de::DeTable;

use super::super::Reader;
use super::super::entries::Entry;
use crate::source::Span;

/// Fields of single kinds of joints, and these kinds.
const OF_KINDS: [(&str, &str); 9] = [
    ("second", "universal"),
    ("length", "distance"),
    ("pitch", "screw"),
    ("radius", "rolling rack"),
    ("freedoms", "serial"),
    ("joints", "gear rack"),
    ("ratio", "gear"),
    ("polynomial", "gear rack"),
    ("further", "gear rack"),
];
/// All that relations between joints have.
const OF_RELATIONS: &str = "kind joints ratio radius polynomial further compliance relaxation";

const OF_SPRINGS: [(&str, &str); 3] = [
    ("linear", "kind between points length stiffness damping"),
    ("torsion", "kind joint angle stiffness damping"),
    ("bushing", "kind between at stiffness torsion damping"),
];

fn contains(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

impl<'a> Reader<'a> {
    pub(super) fn check_fields_of_joint(&mut self, entry: &Entry<'a>, table: &'a DeTable<'a>, kind: &str) {
        let is_relation = matches!(kind, "gear" | "rack");
        let belongs = |field: &str| match OF_KINDS.iter().find(|(known, _)| *known == field) {
            Some((_, kinds)) => contains(kinds, kind),
            None => !is_relation || contains(OF_RELATIONS, field),
        };
        self.refuse_fields(entry, table, &format!("joints of kind '{kind}'"), belongs);
        let given = |field: &str| table.get_key_value(field).map(|(key, _)| Span::new(key.span()));
        if let (Some(span), true) = (given("at"), table.contains_key("points") && !is_relation) {
            self.mistakes
                .add(span, format!("'{}' has 'at' and 'points'", entry.name))
                .help("either says where it is: 'at' in the world, 'points' in the axes of both bodies");
        }
        if let (Some(span), false) = (given("gains"), table.contains_key("drive")) {
            self.mistakes
                .add(span, format!("'{}' has gains and no drive", entry.name))
                .help("a servo holds what 'drive' says: drive = \"0\", gains = [1e4, 10]");
        }
    }

    pub(super) fn check_fields_of_spring(&mut self, entry: &Entry<'a>, table: &'a DeTable<'a>, kind: &str) {
        let known = OF_SPRINGS.iter().find(|(known, _)| *known == kind).map_or("", |(_, fields)| *fields);
        self.refuse_fields(entry, table, &format!("{kind} springs"), |field| contains(known, field));
    }

    fn refuse_fields(
        &mut self,
        entry: &Entry<'a>,
        table: &'a DeTable<'a>,
        whose: &str,
        belongs: impl Fn(&str) -> bool,
    ) {
        for key in table.keys().filter(|key| !belongs(key.get_ref().as_ref())) {
            let field = key.get_ref();
            self.mistakes.add(
                Span::new(key.span()),
                format!("'{}' has '{field}', which {whose} do not have", entry.name),
            );
        }
    }
}
